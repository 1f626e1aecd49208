// SPDX-License-Identifier: MIT
/*
 * recording_metadata.c - recording metadata: metric definitions of the set and constants of the GPU
 */
#include "reader/recording/recording_metadata.h"

#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/nsec.h"
#include "definitions/load/write.h"
#include "reader/rawdata_format.h"
#include "uapi/gpuoa.h"

/* Maximum size of the text in one record, so that the record fits in a sample */
#define PIECE_SIZE 32768

/*
 * Maximum size of a text. Longer texts are not read, because the library would reject such
 * definitions.
 */
#define TEXT_SIZE_MAX (16 << 20)

/* Write a sample with a payload of two parts. */
static int write_sample(const struct metadata_target *target, const struct iovec parts[2])
{
	const uint32_t raw_size = (uint32_t)(parts[0].iov_len + parts[1].iov_len);
	uint64_t fields[SAMPLE_FIELDS_MAX];
	const size_t fields_size =
		sizeof(*fields) *
		sample_fields_of(target->layout, target->id, now_ns(), target->cpu, fields);
	const struct perf_event_header header = {
		.type = PERF_RECORD_SAMPLE,
		.misc = PERF_RECORD_MISC_USER,
		.size = sizeof(header) + fields_size + sizeof(raw_size) + raw_size,
	};
	const struct iovec pieces[] = {
		{ (void *)&header, sizeof(header) },
		{ fields, fields_size },
		{ (void *)&raw_size, sizeof(raw_size) },
		parts[0],
		parts[1],
	};

	return perfdata_add(target->writer, pieces, sizeof(pieces) / sizeof(pieces[0]));
}

int metadata_write_sample(const struct metadata_target *target, const void *record, size_t size)
{
	const struct gpuoa_raw raw = { .magic = GPUOA_RAW_MAGIC };
	const struct iovec parts[] = { { (void *)&raw, sizeof(raw) }, { (void *)record, size } };

	return write_sample(target, parts);
}

int metadata_write_payload(const struct metadata_target *target, const void *payload, size_t size)
{
	const struct iovec parts[] = { { (void *)payload, size }, { NULL, 0 } };

	return write_sample(target, parts);
}

static int write_text(const struct metadata_target *target, enum rawdata_text_kind kind,
		      const char *text, size_t size)
{
	struct text_record *record = calloc(1, sizeof(*record) + PIECE_SIZE);
	int err = record ? 0 : -ENOMEM;

	for (size_t at = 0; !err && at < size; at += PIECE_SIZE) {
		const size_t n = size - at < PIECE_SIZE ? size - at : PIECE_SIZE;
		const size_t padded = (n + 7) / 8 * 8;

		*record = (struct text_record){
			.record = { TEXT_RECORD, sizeof(*record) + padded },
			.kind = kind,
			.size = n,
			.offset = at,
			.total = size,
		};
		memset((char *)(record + 1) + n, 0, padded - n);
		memcpy(record + 1, text + at, n);
		err = metadata_write_sample(target, record, record->record.size);
	}
	free(record);
	return err;
}

static int write_definitions(const struct metadata_target *target, const struct gpuoa_set *set)
{
	const size_t size = write_set_text(set, NULL, 0);
	char *text = malloc(size + 1);
	int err = -ENOMEM;

	if (text) {
		write_set_text(set, text, size + 1);
		err = write_text(target, RAWDATA_DEFINITIONS, text, size);
	}
	free(text);
	return err;
}

static int write_constants(const struct metadata_target *target,
			   const struct gpuoa_constants *constants)
{
	const size_t count = gpuoa_constants_count(constants);
	size_t size;
	char *text;
	FILE *file = open_memstream(&text, &size);
	int err;

	if (!file)
		return -ENOMEM;
	for (size_t i = 0; i < count; i++) {
		const char *name = gpuoa_constants_name(constants, i);
		uint64_t value;

		if (!gpuoa_constants_get(constants, name, &value))
			fprintf(file, "%s=%" PRIu64 "\n", name, value);
	}
	if (fclose(file))
		return -ENOMEM;
	err = write_text(target, RAWDATA_CONSTANTS, text, size);
	free(text);
	return err;
}

int metadata_write(const struct metadata_target *target, const struct gpuoa_set *set,
		   const struct gpuoa_constants *constants)
{
	int err = write_definitions(target, set);

	if (!err && constants)
		err = write_constants(target, constants);
	return err;
}

int metadata_take(struct recording_metadata *metadata, const struct rawdata_text *text)
{
	char **to = &metadata->texts[text->kind];
	size_t *size = &metadata->sizes[text->kind];

	if (text->offset != *size || text->total > TEXT_SIZE_MAX ||
	    text->size > text->total - text->offset)
		return -EBADMSG;
	if (text->offset && text->total != metadata->totals[text->kind])
		return -EBADMSG;
	metadata->totals[text->kind] = text->total;
	if (!*to)
		*to = calloc(1, text->total + 1);
	if (!*to)
		return -ENOMEM;
	memcpy(*to + text->offset, text->data, text->size);
	*size += text->size;
	return 0;
}

/* True if the built-in definition of the set equals the recorded one. */
static bool says_the_same(const struct gpuoa_platform *platform, const char *uuid,
			  const char *definitions)
{
	const struct gpuoa_set *set = platform ? gpuoa_platform_find_uuid(platform, uuid) : NULL;
	const size_t size = strlen(definitions) + 1;
	char *text;
	bool same;

	if (!set || write_set_text(set, NULL, 0) != size - 1)
		return false;
	text = malloc(size);
	if (!text)
		return false;
	write_set_text(set, text, size);
	same = !strcmp(text, definitions);
	free(text);
	return same;
}

const struct gpuoa_platform *metadata_platform(struct recording_metadata *metadata,
					       const struct gpuoa_unit_desc *unit, const char *uuid)
{
	const struct gpuoa_platform *builtin = gpuoa_platform_find(unit->platform);
	const bool complete = metadata->sizes[RAWDATA_DEFINITIONS] ==
			      metadata->totals[RAWDATA_DEFINITIONS];
	const char *text = complete ? metadata->texts[RAWDATA_DEFINITIONS] : NULL;

	/*
	 * Use the built-in platform if it has the same definition, or if this library is too old to
	 * load the recorded one.
	 */
	if (!text || says_the_same(builtin, uuid, text) ||
	    gpuoa_definitions_parse("recording", text, strlen(text), &metadata->definitions, NULL,
				    0))
		return builtin;
	return gpuoa_definitions_get_platform(metadata->definitions, 0);
}

void metadata_constants(const struct recording_metadata *metadata,
			struct gpuoa_constants *constants)
{
	char *line = metadata->texts[RAWDATA_CONSTANTS], *end;

	/* Parse each line separately, because the platform may not have all recorded constants. */
	for (; constants && line && (end = strchr(line, '\n')); line = end + 1) {
		*end = '\0';
		gpuoa_constants_parse(constants, line, NULL, 0);
		*end = '\n';
	}
}

void metadata_fini(struct recording_metadata *metadata)
{
	gpuoa_definitions_free(metadata->definitions);
	for (size_t i = 0; i < RAWDATA_TEXTS; i++)
		free(metadata->texts[i]);
}
