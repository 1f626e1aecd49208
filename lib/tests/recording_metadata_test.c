// SPDX-License-Identifier: MIT
/*
 * recording_metadata_test.c - Test the texts of a recording: the definition of its set, and the
 * constants of its GPU.
 */
#define _GNU_SOURCE /* memfd_create */
#include <errno.h>
#include <stdlib.h>

#include "definitions/load/write.h"
#include "reader/rawdata_format.h"
#include "reader/recording/perfdata.h"
#include "reader/recording/recording_metadata.h"
#include "recording.h"
#include "tap.h"

#define ID 9
#define RAW_HEAD sizeof(struct gpuoa_raw)
#define PIECE_SIZE 32768 /* of a text in one record */
#define TEXT_SIZE_MAX (16 << 20)

/* A file to which metadata is written */
struct target {
	struct perfdata_writer writer;
	struct sample_layout layout;
	struct metadata_target target;
	char path[32];
	int fd;
};

static void begin(struct target *target)
{
	const struct perfdata_writer_event event = { test_attr(TEST_SAMPLE_TYPE), ID, "gpuoa0//" };

	target->fd = memfd_create("metadata", MFD_CLOEXEC);
	snprintf(target->path, sizeof(target->path), "/proc/self/fd/%d", target->fd);
	target->layout = sample_layout(&event.attr);
	target->target = (struct metadata_target){ &target->writer, &target->layout, ID, 5 };
	CHECK(!perfdata_create(&target->writer, target->path, &event, 1));
}

static void end(struct target *target)
{
	CHECK(!perfdata_finish(&target->writer));
	close(target->fd);
}

/* Join the parts of the texts in a file. Every part but the last one has PIECE_SIZE bytes. */
static void read_texts(const struct target *target, struct bytes texts[RAWDATA_TEXTS])
{
	const struct complaint quiet = { 0 };
	const struct perf_event_header *record;
	struct perfdata data;
	int ret;

	memset(texts, 0, RAWDATA_TEXTS * sizeof(*texts));
	REQUIRE(!perfdata_open(&data, target->path, &quiet));
	while ((ret = perfdata_next(&data, &record)) > 0) {
		struct text_record text;
		const uint8_t *payload;
		const void *raw;
		size_t size;

		if (record->type != PERF_RECORD_SAMPLE)
			continue;
		CHECK(!sample_raw(&data.layouts[0], record, &raw, &size));
		payload = raw;
		/* The payload ends where the record ends: perf_event_open(2) */
		CHECK(payload + size == (const uint8_t *)record + record->size);
		CHECK(record->size % 8 == 0 && size >= RAW_HEAD + sizeof(text));
		memcpy(&text, payload + RAW_HEAD, sizeof(text));
		REQUIRE(text.record.type == TEXT_RECORD && text.kind < RAWDATA_TEXTS);
		CHECK(text.record.size == size - RAW_HEAD && text.record.size % 8 == 0);
		CHECK(text.record.size - sizeof(text) - text.size < 8);
		CHECK(text.offset == texts[text.kind].size);
		CHECK(text.size == PIECE_SIZE || text.offset + text.size == text.total);
		CHECK(text.size && text.size <= PIECE_SIZE &&
		      text.offset + text.size <= text.total);
		put(&texts[text.kind], payload + RAW_HEAD + sizeof(text), text.size);
		for (size_t i = RAW_HEAD + sizeof(text) + text.size; i < size; i++)
			CHECK(!payload[i]);
	}
	CHECK(!ret);
	perfdata_close(&data);
}

static void check_text(const struct bytes *text, const char *expected)
{
	if (!CHECK(text->size == strlen(expected)) ||
	    !CHECK(!text->size || !memcmp(text->data, expected, text->size)))
		printf("# %.*s\n", (int)text->size, (const char *)text->data);
}

/* Definitions of one set. @filler: number of characters of a description */
static struct gpuoa_definitions *definitions_of(size_t filler)
{
	const size_t room = filler + 1024;
	char *text = malloc(room), *padding = malloc(filler + 1), error[256];
	struct gpuoa_definitions *definitions = NULL;

	memset(padding, 'x', filler);
	padding[filler] = '\0';
	snprintf(text, room,
		 "platform t \"Test\"\n"
		 "constant Ours \"A constant.\"\n"
		 "metric M \"M\" \"%s.\" = A0 + Ours uint64 x event\n"
		 "set S \"Set\" { uuid \"%s\" format A45_B8_C8 metrics { M } }\n",
		 padding, TEST_UUID);
	if (!CHECK(!gpuoa_definitions_parse("test", text, strlen(text), &definitions, error,
					    sizeof(error))))
		puts(error);
	free(padding);
	free(text);
	return definitions;
}

static const struct gpuoa_set *set_of(const struct gpuoa_definitions *definitions)
{
	return gpuoa_platform_get_set(gpuoa_definitions_get_platform(definitions, 0), 0);
}

static char *text_of(const struct gpuoa_set *set)
{
	const size_t size = write_set_text(set, NULL, 0) + 1;
	char *text = malloc(size);

	if (!text)
		abort();
	write_set_text(set, text, size);
	return text;
}

/* ---- writing -------------------------------------------------------------------------------- */

/* Long texts are split; parts are padded to a multiple of 8 bytes. */
static void texts_are_written_in_parts(void)
{
	struct gpuoa_definitions *definitions = definitions_of(0);
	const size_t least = write_set_text(set_of(definitions), NULL, 0);

	gpuoa_definitions_free(definitions);
	for (int parts = 1; parts <= 3; parts++)
		for (int more = -9; more <= 9; more++) {
			const size_t size = (size_t)(parts * PIECE_SIZE + more);
			struct bytes texts[RAWDATA_TEXTS];
			struct target target;
			char *text;

			definitions = definitions_of(size - least);
			text = text_of(set_of(definitions));
			CHECK(strlen(text) == size);
			begin(&target);
			CHECK(!metadata_write(&target.target, set_of(definitions), NULL));
			CHECK(!perfdata_commit(&target.writer));
			read_texts(&target, texts);
			check_text(&texts[RAWDATA_DEFINITIONS], text);
			CHECK(!texts[RAWDATA_CONSTANTS].size);
			clear(&texts[RAWDATA_DEFINITIONS]);
			end(&target);
			free(text);
			gpuoa_definitions_free(definitions);
		}
}

static void payloads_are_written_unchanged(void)
{
	static const char payload[] = "A payload with 28 characters";
	const struct complaint quiet = { 0 };
	const struct perf_event_header *record;
	struct perfdata data;
	struct target target;
	const void *raw;
	size_t size = 0;

	begin(&target);
	CHECK(!metadata_write_payload(&target.target, payload, 28));
	CHECK(!perfdata_commit(&target.writer));
	REQUIRE(!perfdata_open(&data, target.path, &quiet));
	CHECK(perfdata_next(&data, &record) == 1 && record->type == PERFDATA_FINISHED_ROUND);
	CHECK(perfdata_next(&data, &record) == 1 && record->type == PERF_RECORD_SAMPLE);
	CHECK(record->size == 8 + 4 * 8 + 4 + 28);
	CHECK(!sample_raw(&data.layouts[0], record, &raw, &size) && size == 28);
	CHECK(!memcmp(raw, payload, 28));
	CHECK(perfdata_next(&data, &record) == 0);
	perfdata_close(&data);
	end(&target);
}

/* Constants without a value are not written. */
static void constants_are_written_by_name(void)
{
	struct gpuoa_definitions *definitions = definitions_of(0);
	struct gpuoa_constants *constants;
	struct bytes texts[RAWDATA_TEXTS];
	struct target target;
	char *text = text_of(set_of(definitions));

	REQUIRE(!gpuoa_constants_new(gpuoa_definitions_get_platform(definitions, 0), &constants));
	for (int with = 0; with < 2; with++) {
		if (with)
			CHECK(!gpuoa_constants_set(constants, "Ours", UINT64_MAX));
		begin(&target);
		CHECK(!metadata_write(&target.target, set_of(definitions), constants));
		CHECK(!perfdata_commit(&target.writer));
		read_texts(&target, texts);
		check_text(&texts[RAWDATA_DEFINITIONS], text);
		check_text(&texts[RAWDATA_CONSTANTS], with ? "Ours=18446744073709551615\n" : "");
		clear(&texts[RAWDATA_DEFINITIONS]);
		clear(&texts[RAWDATA_CONSTANTS]);
		end(&target);
	}
	/* A file that cannot be written */
	target.writer.fd = -1;
	CHECK(metadata_write(&target.target, set_of(definitions), constants) == -EBADF);
	gpuoa_constants_free(constants);
	free(text);
	gpuoa_definitions_free(definitions);
}

/* ---- reading -------------------------------------------------------------------------------- */

static int take(struct recording_metadata *metadata, enum rawdata_text_kind kind, const char *data,
		uint64_t offset, uint64_t total)
{
	const struct rawdata_text text = { .kind = kind,
					   .data = (const uint8_t *)data,
					   .size = (uint32_t)strlen(data),
					   .offset = offset,
					   .total = total };

	return metadata_take(metadata, &text);
}

static void parts_of_a_text_are_joined(void)
{
	struct recording_metadata metadata = { 0 };

	CHECK(!take(&metadata, RAWDATA_DEFINITIONS, "abc", 0, 8));
	CHECK(!take(&metadata, RAWDATA_CONSTANTS, "A=1\n", 0, 4));
	CHECK_STRING(metadata.texts[RAWDATA_DEFINITIONS], "abc");
	/* A part that overlaps the last one, leaves a gap, or has another total */
	CHECK(take(&metadata, RAWDATA_DEFINITIONS, "d", 2, 8) == -EBADMSG);
	CHECK(take(&metadata, RAWDATA_DEFINITIONS, "d", 4, 8) == -EBADMSG);
	CHECK(take(&metadata, RAWDATA_DEFINITIONS, "d", 0, 8) == -EBADMSG);
	CHECK(take(&metadata, RAWDATA_DEFINITIONS, "d", 3, 7) == -EBADMSG);
	CHECK(take(&metadata, RAWDATA_DEFINITIONS, "d", 3, 9) == -EBADMSG);
	CHECK(take(&metadata, RAWDATA_DEFINITIONS, "defghi", 3, 8) == -EBADMSG);
	CHECK(!take(&metadata, RAWDATA_DEFINITIONS, "defg", 3, 8));
	CHECK(!take(&metadata, RAWDATA_DEFINITIONS, "h", 7, 8));
	CHECK_STRING(metadata.texts[RAWDATA_DEFINITIONS], "abcdefgh");
	CHECK(metadata.sizes[RAWDATA_DEFINITIONS] == 8);
	CHECK(metadata.totals[RAWDATA_DEFINITIONS] == 8);
	CHECK(take(&metadata, RAWDATA_DEFINITIONS, "i", 8, 8) == -EBADMSG);
	CHECK_STRING(metadata.texts[RAWDATA_CONSTANTS], "A=1\n");
	metadata_fini(&metadata);
}

static void texts_have_at_most_16_mib(void)
{
	struct recording_metadata metadata = { 0 };

	CHECK(take(&metadata, RAWDATA_CONSTANTS, "a", 0, TEXT_SIZE_MAX + 1) == -EBADMSG);
	CHECK(!metadata.texts[RAWDATA_CONSTANTS] && !metadata.totals[RAWDATA_CONSTANTS]);
	CHECK(!take(&metadata, RAWDATA_CONSTANTS, "a", 0, TEXT_SIZE_MAX));
	CHECK(metadata.totals[RAWDATA_CONSTANTS] == TEXT_SIZE_MAX);
	metadata_fini(&metadata);
}

static const struct gpuoa_platform *platform_with(struct recording_metadata *metadata,
						  const char *platform, const char *text,
						  size_t total)
{
	struct gpuoa_unit_desc unit = { .name = "gpuoa0" };

	*metadata = (struct recording_metadata){ 0 };
	strcpy(unit.platform, platform);
	if (text)
		CHECK(!take(metadata, RAWDATA_DEFINITIONS, text, 0, total));
	return metadata_platform(metadata, &unit, TEST_UUID);
}

/*
 * The built-in platform is used if there is no other, or if it has the same definition. Otherwise,
 * the recorded one is used.
 */
static void recorded_definitions_have_priority(void)
{
	const struct gpuoa_platform *hsw = gpuoa_platform_find("hsw"), *platform;
	struct gpuoa_definitions *definitions = definitions_of(0);
	struct recording_metadata metadata;
	char *same = text_of(gpuoa_platform_find_uuid(hsw, TEST_UUID));
	char *other = text_of(set_of(definitions));
	char *changed = strdup(same), *at = strstr(changed, "\"") + 1;

	CHECK(platform_with(&metadata, "hsw", NULL, 0) == hsw);
	metadata_fini(&metadata);
	CHECK(!platform_with(&metadata, "future", NULL, 0));
	metadata_fini(&metadata);
	CHECK(platform_with(&metadata, "hsw", same, strlen(same)) == hsw && !metadata.definitions);
	metadata_fini(&metadata);
	/* A definition that is not complete, or that cannot be parsed */
	CHECK(platform_with(&metadata, "hsw", other, strlen(other) + 1) == hsw);
	CHECK(!metadata.definitions);
	metadata_fini(&metadata);
	CHECK(platform_with(&metadata, "hsw", "x", 1) == hsw);
	metadata_fini(&metadata);
	/* Other definitions, of the same size and of another size */
	*at = *at == 'A' ? 'B' : 'A';
	platform = platform_with(&metadata, "hsw", changed, strlen(changed));
	CHECK(platform && platform != hsw);
	CHECK(platform == gpuoa_definitions_get_platform(metadata.definitions, 0));
	metadata_fini(&metadata);
	for (int i = 0; i < 2; i++) {
		platform = platform_with(&metadata, i ? "hsw" : "future", other, strlen(other));
		CHECK(platform && platform != hsw);
		CHECK_STRING(gpuoa_platform_name(platform), "t");
		metadata_fini(&metadata);
	}
	/* The platform has no such set. */
	platform = platform_with(&metadata, "sklgt2", same, strlen(same));
	CHECK(platform && platform != gpuoa_platform_find("sklgt2") && platform != hsw);
	metadata_fini(&metadata);
	gpuoa_definitions_free(definitions);
	free(changed);
	free(other);
	free(same);
}

/* A line that is not complete, or of a constant that the platform does not have, is ignored. */
static void recorded_constants_are_set(void)
{
	static const struct {
		const char *text;
		bool has;
		uint64_t value;
	} cases[] = {
		{ "Ours=7\n", true, 7 },
		{ "Ours=7", false, 0 },
		{ "Theirs=1\nOurs=8\nOthers=2\n", true, 8 },
		{ "Ours=1\nOurs=29", true, 1 },
		{ "\nOurs=3\n", true, 3 },
		{ "Ours=4\n\n", true, 4 },
		{ "Ours=5\nOurs=6\n", true, 6 },
		{ "", false, 0 },
	};
	struct gpuoa_definitions *definitions = definitions_of(0);
	const struct gpuoa_platform *platform = gpuoa_definitions_get_platform(definitions, 0);

	for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
		struct recording_metadata metadata = { 0 };
		struct gpuoa_constants *constants;
		uint64_t value = 0;

		REQUIRE(!gpuoa_constants_new(platform, &constants));
		metadata_constants(&metadata, constants);
		CHECK(!take(&metadata, RAWDATA_CONSTANTS, cases[i].text, 0, strlen(cases[i].text)));
		metadata_constants(&metadata, NULL);
		metadata_constants(&metadata, constants);
		if (!CHECK(gpuoa_constants_get(constants, "Ours", &value) ==
			   (cases[i].has ? 0 : -ENODATA)) ||
		    !CHECK(value == cases[i].value))
			printf("# case %zu: %lu\n", i, (unsigned long)value);
		/* The text can be used again. */
		CHECK_STRING(metadata.texts[RAWDATA_CONSTANTS], cases[i].text);
		gpuoa_constants_free(constants);
		metadata_fini(&metadata);
	}
	gpuoa_definitions_free(definitions);
}

int main(void)
{
	RUN(texts_are_written_in_parts);
	RUN(payloads_are_written_unchanged);
	RUN(constants_are_written_by_name);
	RUN(parts_of_a_text_are_joined);
	RUN(texts_have_at_most_16_mib);
	RUN(recorded_definitions_have_priority);
	RUN(recorded_constants_are_set);
	return tap_end();
}
