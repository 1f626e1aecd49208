// SPDX-License-Identifier: MIT
/*
 * pprof.c - profiles for pprof
 *
 * The format is protobuf. Its few messages are encoded here, so that this does not need protobuf-c.
 *
 * Source: proto/profile.proto of github.com/google/pprof
 */
#include <stdlib.h>
#include <string.h>

#include "common/buffer.h"
#include "profile/frames.h"
#include "profile/write.h"

/* Field numbers */
enum {
	PROFILE_SAMPLE_TYPE = 1,
	PROFILE_SAMPLE = 2,
	PROFILE_MAPPING = 3,
	PROFILE_LOCATION = 4,
	PROFILE_FUNCTION = 5,
	PROFILE_STRING_TABLE = 6,
	PROFILE_COMMENT = 13,
	PROFILE_DEFAULT_SAMPLE_TYPE = 14,

	VALUE_TYPE_TYPE = 1,
	VALUE_TYPE_UNIT = 2,

	SAMPLE_LOCATION_ID = 1,
	SAMPLE_VALUE = 2,
	SAMPLE_LABEL = 3,

	LABEL_KEY = 1,
	LABEL_NUM = 3,
	LABEL_NUM_UNIT = 4,

	MAPPING_ID = 1,
	MAPPING_START = 2,
	MAPPING_LIMIT = 3,
	MAPPING_FILENAME = 5,
	MAPPING_HAS_FUNCTIONS = 7,
	MAPPING_HAS_FILENAMES = 8,
	MAPPING_HAS_LINE_NUMBERS = 9,

	LOCATION_ID = 1,
	LOCATION_MAPPING_ID = 2,
	LOCATION_ADDRESS = 3,
	LOCATION_LINE = 4,

	LINE_FUNCTION_ID = 1,
	LINE_LINE = 2,
	LINE_COLUMN = 3,

	FUNCTION_ID = 1,
	FUNCTION_NAME = 2,
	FUNCTION_SYSTEM_NAME = 3,
	FUNCTION_FILENAME = 4,
};

static void put_varint(struct buffer *buffer, uint64_t value)
{
	for (; value > 0x7f; value >>= 7)
		buffer_put(buffer, (char)(value | 0x80));
	buffer_put(buffer, (char)value);
}

static void put_number(struct buffer *buffer, unsigned int field, uint64_t value)
{
	put_varint(buffer, field << 3);
	put_varint(buffer, value);
}

static void put_bytes(struct buffer *buffer, unsigned int field, const char *bytes, size_t size)
{
	put_varint(buffer, field << 3 | 2);
	put_varint(buffer, size);
	if (size)
		buffer_write(buffer, bytes, size);
}

/* Append a message, and empty it. */
static void put_message(struct buffer *buffer, unsigned int field, struct buffer *message)
{
	put_bytes(buffer, field, message->text, message->size);
	message->size = 0;
}

struct pprof {
	const struct profile *profile;
	struct buffer out;
	struct buffer message, part; /* being written */
	const char **strings; /* string table; the first one is empty */
	uint32_t *next; /* by string: the next one with the same hash + 1; 0: none */
	bool *is_frame; /* by string: the function and the location of a launch were written */
	size_t string_count;
	size_t string_room;
	uint32_t buckets[4096]; /* by hash: index of the last string + 1 */
	size_t *functions; /* by function: index of its first place */
	size_t function_count;
};

static uint32_t hash_of(const char *string)
{
	uint32_t hash = 0;

	for (; *string; string++)
		hash = hash * 31 + (unsigned char)*string;
	return hash % 4096;
}

/* Return the index of a string in the table; add it if it is new. */
static uint64_t string_of(struct pprof *pprof, const char *string)
{
	uint32_t *bucket = &pprof->buckets[hash_of(string)];

	for (uint32_t i = *bucket; i; i = pprof->next[i - 1])
		if (!strcmp(pprof->strings[i - 1], string))
			return i - 1;
	if (pprof->string_count == pprof->string_room) {
		pprof->string_room = pprof->string_room ? 2 * pprof->string_room : 64;
		pprof->strings =
			realloc(pprof->strings, pprof->string_room * sizeof(*pprof->strings));
		pprof->next = realloc(pprof->next, pprof->string_room * sizeof(*pprof->next));
		pprof->is_frame =
			realloc(pprof->is_frame, pprof->string_room * sizeof(*pprof->is_frame));
		if (!pprof->strings || !pprof->next || !pprof->is_frame)
			die_of_memory();
	}
	pprof->strings[pprof->string_count] = string;
	pprof->next[pprof->string_count] = *bucket;
	pprof->is_frame[pprof->string_count] = false;
	*bucket = (uint32_t)++pprof->string_count;
	return *bucket - 1;
}

static void put_sample_type(struct pprof *pprof, const char *type)
{
	put_number(&pprof->message, VALUE_TYPE_TYPE, string_of(pprof, type));
	put_number(&pprof->message, VALUE_TYPE_UNIT, string_of(pprof, "count"));
	put_message(&pprof->out, PROFILE_SAMPLE_TYPE, &pprof->message);
}

/* The name of a function in pprof */
static const char *function_name(const struct profile_place *place)
{
	return place->function ? place->function : place->kernel;
}

static bool same_function(const struct profile_place *one, const struct profile_place *other)
{
	return !strcmp(function_name(one), function_name(other)) &&
	       !strcmp(one->kernel, other->kernel) &&
	       !strcmp(one->file ? one->file : "", other->file ? other->file : "");
}

/* Return the identifier of a place's function, from 1; write the function if it is new. */
static uint64_t function_of(struct pprof *pprof, size_t index)
{
	const struct profile_place *place = &pprof->profile->places[index];
	const char *name = function_name(place);

	/* Places are sorted by kernel, so that its functions are at the end. */
	for (size_t i = pprof->function_count; i; i--) {
		const struct profile_place *other =
			&pprof->profile->places[pprof->functions[i - 1]];

		if (same_function(place, other))
			return i;
		if (strcmp(place->kernel, other->kernel))
			break;
	}
	pprof->functions[pprof->function_count++] = index;
	put_number(&pprof->part, FUNCTION_ID, pprof->function_count);
	put_number(&pprof->part, FUNCTION_NAME, string_of(pprof, name));
	put_number(&pprof->part, FUNCTION_SYSTEM_NAME, string_of(pprof, name));
	if (place->file)
		put_number(&pprof->part, FUNCTION_FILENAME, string_of(pprof, place->file));
	put_message(&pprof->out, PROFILE_FUNCTION, &pprof->part);
	return pprof->function_count;
}

static void put_location(struct pprof *pprof, size_t index)
{
	const struct profile_place *place = &pprof->profile->places[index];
	const uint64_t function = function_of(pprof, index);

	put_number(&pprof->part, LINE_FUNCTION_ID, function);
	if (place->line)
		put_number(&pprof->part, LINE_LINE, place->line);
	if (place->column)
		put_number(&pprof->part, LINE_COLUMN, place->column);
	put_number(&pprof->message, LOCATION_ID, index + 1);
	put_number(&pprof->message, LOCATION_MAPPING_ID, 1);
	put_number(&pprof->message, LOCATION_ADDRESS,
		   place->known ? place->load_address + place->offset : place->address);
	put_message(&pprof->message, LOCATION_LINE, &pprof->part);
	put_message(&pprof->out, PROFILE_LOCATION, &pprof->message);
}

/*
 * The identifier of the location and of the function of a frame of a launch: they follow those of
 * the places
 */
static uint64_t launch_id(struct pprof *pprof, const char *name)
{
	return pprof->profile->count + 1 + string_of(pprof, name);
}

/* Write the function and the location of a frame, once. */
static void put_frame(struct pprof *pprof, const char *name)
{
	const uint64_t string = string_of(pprof, name), id = launch_id(pprof, name);

	if (pprof->is_frame[string])
		return;
	pprof->is_frame[string] = true;
	put_number(&pprof->part, FUNCTION_ID, id);
	put_number(&pprof->part, FUNCTION_NAME, string);
	put_number(&pprof->part, FUNCTION_SYSTEM_NAME, string);
	put_message(&pprof->out, PROFILE_FUNCTION, &pprof->part);
	put_number(&pprof->part, LINE_FUNCTION_ID, id);
	put_number(&pprof->message, LOCATION_ID, id);
	put_message(&pprof->message, LOCATION_LINE, &pprof->part);
	put_message(&pprof->out, PROFILE_LOCATION, &pprof->message);
}

static void put_launches(struct pprof *pprof)
{
	const struct launches *launches = &pprof->profile->launches;

	for (size_t i = 0; i < launches->count; i++) {
		const char *name = launches->list[i].stack;

		for (size_t k = 0; k < launches->list[i].frame_count; k++) {
			put_frame(pprof, name);
			name += strlen(name) + 1;
		}
	}
}

/* pprof has the innermost frame first. */
static void put_launch(struct pprof *pprof, const struct launch *launch)
{
	const char *names[LAUNCH_FRAMES_MAX];
	const char *name = launch->stack;

	for (size_t i = 0; i < launch->frame_count; i++) {
		names[i] = name;
		name += strlen(name) + 1;
	}
	for (size_t i = launch->frame_count; i; i--)
		put_number(&pprof->message, SAMPLE_LOCATION_ID, launch_id(pprof, names[i - 1]));
}

static void put_sample(struct pprof *pprof, const struct stack *stack)
{
	const struct profile_place *place = stack->place;
	const uint32_t pid = stack->launch ? stack->launch->pid : place->pid;
	struct buffer *message = &pprof->message, *part = &pprof->part;

	put_number(message, SAMPLE_LOCATION_ID, (uint64_t)(place - pprof->profile->places) + 1);
	if (stack->launch)
		put_launch(pprof, stack->launch);
	put_varint(part, stack->total);
	put_varint(part, profile_stalled(stack->counts, stack->total));
	for (unsigned int reason = 0; reason < GPUOA_STALL_REASON_COUNT; reason++)
		put_varint(part, stack->counts[reason]);
	put_message(message, SAMPLE_VALUE, part);
	put_number(part, LABEL_KEY, string_of(pprof, "offset"));
	put_number(part, LABEL_NUM, place->offset);
	put_number(part, LABEL_NUM_UNIT, string_of(pprof, "bytes"));
	put_message(message, SAMPLE_LABEL, part);
	if (pid) {
		put_number(part, LABEL_KEY, string_of(pprof, "pid"));
		put_number(part, LABEL_NUM, pid);
		put_message(message, SAMPLE_LABEL, part);
	}
	put_message(&pprof->out, PROFILE_SAMPLE, message);
}

/* One mapping for all code: pprof symbolizes nothing then. */
static void put_mapping(struct pprof *pprof)
{
	put_number(&pprof->message, MAPPING_ID, 1);
	put_number(&pprof->message, MAPPING_LIMIT, UINT64_MAX);
	put_number(&pprof->message, MAPPING_FILENAME, string_of(pprof, "GPU"));
	put_number(&pprof->message, MAPPING_HAS_FUNCTIONS, 1);
	put_number(&pprof->message, MAPPING_HAS_FILENAMES, 1);
	put_number(&pprof->message, MAPPING_HAS_LINE_NUMBERS, 1);
	put_message(&pprof->out, PROFILE_MAPPING, &pprof->message);
}

void profile_write_pprof(const struct profile *profile, FILE *file)
{
	struct pprof pprof = { .profile = profile };
	struct stack stack = { .place = NULL };

	pprof.functions = calloc(profile->count + 1, sizeof(*pprof.functions));
	if (!pprof.functions)
		die_of_memory();
	string_of(&pprof, "");
	put_sample_type(&pprof, "samples");
	put_sample_type(&pprof, "stalled");
	for (unsigned int reason = 0; reason < GPUOA_STALL_REASON_COUNT; reason++)
		put_sample_type(&pprof, profile_reason(reason));
	put_mapping(&pprof);
	for (size_t i = 0; i < profile->count; i++)
		put_location(&pprof, i);
	put_launches(&pprof);
	while (frames_next(profile, &stack))
		put_sample(&pprof, &stack);
	put_number(&pprof.out, PROFILE_COMMENT, string_of(&pprof, "EU stalls, by gpuoa"));
	put_number(&pprof.out, PROFILE_DEFAULT_SAMPLE_TYPE, string_of(&pprof, "samples"));
	for (size_t i = 0; i < pprof.string_count; i++)
		put_bytes(&pprof.out, PROFILE_STRING_TABLE, pprof.strings[i],
			  strlen(pprof.strings[i]));
	fwrite(pprof.out.text, 1, pprof.out.size, file);
	buffer_free(&pprof.out);
	buffer_free(&pprof.message);
	buffer_free(&pprof.part);
	free(pprof.strings);
	free(pprof.next);
	free(pprof.is_frame);
	free(pprof.functions);
}
