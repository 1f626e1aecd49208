// SPDX-License-Identifier: MIT
/*
 * speedscope.c - JSON for https://www.speedscope.app
 *
 * Source: its schema, https://www.speedscope.app/file-format-schema.json
 */
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "common/quote.h"
#include "profile/frames.h"
#include "profile/write.h"

/* Frames that are written, each once */
struct frame_table {
	struct frame *frames;
	uint32_t *next; /* by frame: the next one with the same hash + 1; 0: none */
	size_t count;
	size_t room;
	uint32_t buckets[4096]; /* index of the first frame + 1 */
};

static uint32_t hash_of(const struct frame *frame)
{
	uint32_t hash = frame->line;

	for (const char *c = frame_name(frame); *c; c++)
		hash = hash * 31 + (unsigned char)*c;
	return hash % 4096;
}

static bool is_same(const struct frame *one, const struct frame *other)
{
	return one->line == other->line && !strcmp(frame_name(one), frame_name(other)) &&
	       !strcmp(one->file ? one->file : "", other->file ? other->file : "");
}

/* Return the index of a frame; add it if it is new. The program exits if memory runs out. */
static uint32_t index_of(struct frame_table *table, const struct frame *frame)
{
	uint32_t *bucket = &table->buckets[hash_of(frame)];

	for (uint32_t i = *bucket; i && table->frames; i = table->next[i - 1])
		if (is_same(&table->frames[i - 1], frame))
			return i - 1;
	if (table->count == table->room) {
		table->room = table->room ? 2 * table->room : 64;
		table->frames = realloc(table->frames, table->room * sizeof(*table->frames));
		table->next = realloc(table->next, table->room * sizeof(*table->next));
		if (!table->frames || !table->next)
			die_of_memory();
	}
	table->frames[table->count] = *frame;
	table->next[table->count] = *bucket;
	*bucket = (uint32_t)++table->count;
	return *bucket - 1;
}

/* Call @stack for each reason of each stack, with the indexes of its frames. */
static void each_stack(const struct profile *profile, struct frame_table *table, FILE *file,
		       void (*stack)(FILE *file, const uint32_t *indexes, size_t count,
				     uint64_t samples, bool first))
{
	struct frame frames[FRAMES_MAX + 1];
	uint32_t indexes[FRAMES_MAX + 1];
	struct stack at = { .place = NULL };
	bool first = true;

	while (frames_next(profile, &at)) {
		const size_t count = frames_of(&at, frames);

		for (size_t k = 0; k < count; k++)
			indexes[k] = index_of(table, &frames[k]);
		for (unsigned int reason = 0; reason < GPUOA_STALL_REASON_COUNT; reason++) {
			if (!at.counts[reason])
				continue;
			frames[count] = (struct frame){ .symbol = profile_reason(reason) };
			indexes[count] = index_of(table, &frames[count]);
			if (stack)
				stack(file, indexes, count + 1, at.counts[reason], first);
			first = false;
		}
	}
}

static void put_stack(FILE *file, const uint32_t *indexes, size_t count, uint64_t samples,
		      bool first)
{
	(void)samples;
	fputs(first ? "\n[" : ",\n[", file);
	for (size_t i = 0; i < count; i++)
		fprintf(file, "%s%u", i ? "," : "", indexes[i]);
	putc(']', file);
}

static void put_weight(FILE *file, const uint32_t *indexes, size_t count, uint64_t samples,
		       bool first)
{
	(void)indexes;
	(void)count;
	fprintf(file, "%s%" PRIu64, first ? "" : ",", samples);
}

static void put_frames(FILE *file, const struct frame_table *table)
{
	for (size_t i = 0; i < table->count; i++) {
		fputs(i ? ",\n{\"name\":" : "\n{\"name\":", file);
		put_json_string(file, frame_name(&table->frames[i]), "");
		if (table->frames[i].file) {
			fputs(",\"file\":", file);
			put_json_string(file, table->frames[i].file, "");
			fprintf(file, ",\"line\":%u", table->frames[i].line);
		}
		putc('}', file);
	}
}

void profile_write_speedscope(const struct profile *profile, const char *name, FILE *file)
{
	struct frame_table *table = calloc(1, sizeof(*table));

	if (!table)
		die_of_memory();
	each_stack(profile, table, file, NULL);
	fputs("{\"$schema\":\"https://www.speedscope.app/file-format-schema.json\",\n"
	      "\"exporter\":\"gpuoa\",\"name\":",
	      file);
	put_json_string(file, name, "");
	fputs(",\n\"shared\":{\"frames\":[", file);
	put_frames(file, table);
	fputs("]},\n\"profiles\":[{\"type\":\"sampled\",\"name\":\"EU stalls\",\"unit\":\"none\","
	      "\"startValue\":0,",
	      file);
	fprintf(file, "\"endValue\":%" PRIu64 ",\n\"samples\":[", profile->total);
	each_stack(profile, table, file, put_stack);
	fputs("],\n\"weights\":[", file);
	each_stack(profile, table, file, put_weight);
	fputs("]}]}\n", file);
	free(table->frames);
	free(table->next);
	free(table);
}
