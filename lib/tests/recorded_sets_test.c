// SPDX-License-Identifier: MIT
/*
 * recorded_sets_test.c - Check that a recording contains the definitions of its set and the
 * constants of its GPU, so that it can be read on any machine.
 */
#define _GNU_SOURCE
#include <errno.h>
#include <stdlib.h>

#include "payload.h"
#include "played.h"
#include "definitions/load/write.h"
#include "recording.h"
#include "reader/rawdata_format.h"
#include "reader/recording/recorder.h"
#include "tap.h"

#define REPORTS 50

/* A set that no library has, on a platform that is known in some tests and unknown in others */
static const char definitions_text[] =
	"constant EuCoresTotalCount \"EUs.\"\n"
	"constant Mine \"Mine alone.\"\n"
	"group \"G/H\"\n"
	"metric Clocks \"Clocks \" \"Clocks of the GPU.\" = C2 uint64 cycles event use tier2 frame\n"
	"metric Half \"Half\" \"Half.\" = A0 // EuCoresTotalCount * 0.1 / max(Clocks, 1) + Mine "
	"max 100 float percent duration on OGL BB watermarks 0.25 80\n"
	"metric Never \"Never\" \"Not there.\" = A1 if EuCoresTotalCount > 1000 uint64 events event\n"
	"set Own \"My own\" {\n"
	"	uuid \"" TEST_UUID "\"\n"
	"	format A45_B8_C8\n"
	"	on IO OGL\n"
	"	if Mine != 3\n"
	"	metrics { Clocks Half Never }\n"
	"	mux if EuCoresTotalCount & 4 { 9840=00000080 253a4=01600000 }\n"
	"	boolean { 2724=00800000 }\n"
	"}\n";

static struct gpuoa_definitions *load_definitions(const char *platform)
{
	struct gpuoa_definitions *definitions = NULL;
	char text[4096], error[256];

	snprintf(text, sizeof(text), "platform %s \"Title\"\n%s", platform, definitions_text);
	if (!CHECK(!gpuoa_definitions_parse("test", text, strlen(text), &definitions, error,
					    sizeof(error))))
		puts(error);
	return definitions;
}

static struct gpuoa_reader *open_fd(int fd, int *result)
{
	struct gpuoa_reader *reader = NULL;
	char path[32];

	snprintf(path, sizeof(path), "/proc/self/fd/%d", fd);
	*result = gpuoa_file_open(path, &reader, NULL, 0);
	return reader;
}

/* Record a stream of @set on a unit of @platform. Returns the file descriptor of the recording. */
static int record(const struct gpuoa_set *set, const struct gpuoa_constants *constants,
		  const char *platform)
{
	const int fd = memfd_create("recorded", MFD_CLOEXEC);
	struct gpuoa_record_stream stream = test_stream();
	struct bytes records = { 0 }, payload = { 0 };
	struct gpuoa_recorder *recorder;
	struct played played;
	char path[32];

	snprintf(path, sizeof(path), "/proc/self/fd/%d", fd);
	snprintf(stream.info.platform, sizeof(stream.info.platform), "%s", platform);
	played_begin(&played);
	played.stream.set = set;
	played.stream.reader.constants = constants;
	put_head(&payload);
	put(&payload, &stream, sizeof(stream));
	put_clock(&payload, 1000);
	put_sample(&records, PLAYED_ID, 0, &payload);
	put_reports_sample(&records, PLAYED_ID, 0, REPORTS);
	played_produce(&played, &records);
	if (CHECK(!played_record(&played, path, &recorder))) {
		CHECK(!gpuoa_recorder_write(recorder));
		CHECK(!gpuoa_recorder_close(recorder));
	}
	played_end(&played);
	clear(&payload);
	return fd;
}

static const struct gpuoa_set *own_set(const struct gpuoa_definitions *definitions)
{
	return gpuoa_platform_find_uuid(gpuoa_definitions_get_platform(definitions, 0), TEST_UUID);
}

/* Calculate all rows of reports in which each counter has different values. */
static void calculate(const struct gpuoa_set *set, const struct gpuoa_constants *constants,
		      union gpuoa_value *values, size_t *columns)
{
	uint32_t reports[10][TEST_REPORT_SIZE / 4];
	struct gpuoa_calc *calc;
	size_t used;

	for (uint32_t i = 0; i < 10; i++)
		for (uint32_t d = 0; d < TEST_REPORT_SIZE / 4; d++)
			reports[i][d] = d < 2 ? i * TEST_TICKS + 1 : i * i * (d + 3) * 12345;
	*columns = 0;
	if (!CHECK(!gpuoa_calc_open(set, constants, GPUOA_REPORT_A45_B8_C8, NULL, &calc, NULL, 0)))
		return;
	*columns = gpuoa_calc_output_count(calc);
	CHECK(gpuoa_calc_run(calc, reports, 10, values, NULL, 10, &used) == 9);
	gpuoa_calc_close(calc);
}

static void check_same_values(const struct gpuoa_set *a, const struct gpuoa_constants *constants_a,
			      const struct gpuoa_set *b, const struct gpuoa_constants *constants_b)
{
	static union gpuoa_value left[10 * 256], right[10 * 256];
	size_t columns, others;

	memset(left, 0, sizeof(left));
	memset(right, 0, sizeof(right));
	calculate(a, constants_a, left, &columns);
	calculate(b, constants_b, right, &others);
	CHECK(columns == others && columns > 2);
	CHECK(!memcmp(left, right, sizeof(left)));
}

static void carries_its_set(const char *platform)
{
	struct gpuoa_definitions *definitions = load_definitions(platform);
	const struct gpuoa_set *set = own_set(definitions), *read;
	struct gpuoa_constants *constants;
	struct gpuoa_reader *reader;
	uint64_t value = 0;
	int fd, result;
	char *before, *after;

	REQUIRE(set &&
		!gpuoa_constants_new(gpuoa_definitions_get_platform(definitions, 0), &constants));
	gpuoa_constants_parse(constants, "EuCoresTotalCount=24 Mine=5", NULL, 0);
	gpuoa_constants_set(constants, "GpuTimestampFrequency", 12500000);
	fd = record(set, constants, platform);
	reader = open_fd(fd, &result);
	REQUIRE(reader);
	CHECK_STRING(gpuoa_platform_name(gpuoa_reader_platform(reader)), platform);
	read = gpuoa_platform_find_uuid(gpuoa_reader_platform(reader), TEST_UUID);
	REQUIRE(read && read != set);
	/* The description and the values of the set that was read equal those of the original. */
	before = calloc(1, write_set_text(set, NULL, 0) + 1);
	after = calloc(1, write_set_text(set, NULL, 0) + 1);
	write_set_text(set, before, write_set_text(set, NULL, 0) + 1);
	write_set_text(read, after, write_set_text(set, NULL, 0) + 1);
	CHECK_STRING(after, before);
	CHECK(!gpuoa_constants_get(gpuoa_reader_constants(reader), "Mine", &value) && value == 5);
	check_same_values(set, constants, read, gpuoa_reader_constants(reader));
	gpuoa_reader_close(reader);
	gpuoa_constants_free(constants);
	gpuoa_definitions_free(definitions);
	free(before);
	free(after);
	close(fd);
}

static void custom_set_is_stored_in_recording(void)
{
	carries_its_set("hsw");
}

static void unknown_platform_is_read_from_recording(void)
{
	carries_its_set("future");
}

static void built_in_set_is_used_if_equal(void)
{
	const struct gpuoa_platform *hsw = gpuoa_platform_find("hsw");
	const struct gpuoa_set *set = gpuoa_platform_find_uuid(hsw, TEST_UUID);
	struct gpuoa_reader *reader;
	int fd, result;

	REQUIRE(set);
	fd = record(set, NULL, "hsw");
	reader = open_fd(fd, &result);
	REQUIRE(reader);
	CHECK(gpuoa_reader_platform(reader) == hsw);
	gpuoa_reader_close(reader);
	close(fd);
}

/*
 * When a set is written as text and read again, its values stay the same. Some sets of each
 * platform are tested.
 */
static void every_set_round_trips_as_text(void)
{
	for (size_t p = 0; p < gpuoa_platform_count(); p++) {
		const struct gpuoa_platform *platform = gpuoa_platform_get(p);

		for (size_t s = 0; s < gpuoa_platform_set_count(platform); s += 7) {
			const struct gpuoa_set *set = gpuoa_platform_get_set(platform, s), *again;
			const size_t size = write_set_text(set, NULL, 0) + 1;
			char *text = malloc(2 * size), error[256];
			struct gpuoa_definitions *definitions;

			write_set_text(set, text, size);
			if (!CHECK(!gpuoa_definitions_parse("set", text, size - 1, &definitions,
							    error, sizeof(error)))) {
				puts(error);
				free(text);
				return;
			}
			again = gpuoa_platform_find_uuid(
				gpuoa_definitions_get_platform(definitions, 0),
				strstr(text, "uuid \"") ?
					strndupa(strstr(text, "uuid \"") + 6, 36) :
					"");
			CHECK(again && write_set_text(again, text + size, size) == size - 1);
			CHECK(!memcmp(text, text + size, size));
			gpuoa_definitions_free(definitions);
			free(text);
		}
	}
}

/* Read a recording in which @records come before all other records of the event. */
static struct findings find_behind(const struct bytes *records)
{
	struct recording recording = { 0 };
	struct bytes payload = { 0 };

	add_event(&recording, TEST_SAMPLE_TYPE, PLAYED_ID);
	put_head(&payload);
	put(&payload, records->data, records->size);
	put_sample(&recording.records, PLAYED_ID, 0, &payload);
	put_first_sample(&recording.records, PLAYED_ID);
	put_reports_sample(&recording.records, PLAYED_ID, 0, REPORTS);
	clear(&payload);
	return find(&recording);
}

static void put_text(struct bytes *records, struct text_record text)
{
	text.record = (struct gpuoa_record){ TEXT_RECORD, sizeof(text) + 8 };
	put(records, &text, sizeof(text));
	put(records, "platform", 8);
}

static struct findings find_with_text(struct text_record text)
{
	struct bytes records = { 0 };
	struct findings findings;

	put_text(&records, text);
	findings = find_behind(&records);
	clear(&records);
	return findings;
}

static void damaged_texts_return_ebadmsg(void)
{
	CHECK(find_with_text((struct text_record){ .size = 9, .total = 9 }).result == -EBADMSG);
	CHECK(find_with_text((struct text_record){ .size = 8, .total = 7 }).result == -EBADMSG);
	CHECK(find_with_text((struct text_record){ .size = 8, .offset = 1, .total = 9 }).result ==
	      -EBADMSG);
	CHECK(find_with_text((struct text_record){ .size = 8, .total = UINT64_MAX }).result ==
	      -EBADMSG);
}

static void unknown_texts_are_skipped(void)
{
	/*
	 * Three definitions that must be skipped: an empty one, one of an unknown kind, and one
	 * that a crash truncated
	 */
	CHECK(find_with_text((struct text_record){ .size = 8, .total = 8 }).reports == REPORTS);
	CHECK(find_with_text((struct text_record){ .kind = 99, .size = 8, .total = 8 }).reports ==
	      REPORTS);
	CHECK(find_with_text((struct text_record){ .size = 8, .total = 800 }).reports == REPORTS);
}

static void unknown_must_know_record_returns_eopnotsupp(void)
{
	const struct gpuoa_record must = { GPUOA_RECORD_MUST_KNOW | GPUOA_RECORD_PROGRAM | 77, 8 };
	const struct gpuoa_record may = { GPUOA_RECORD_PROGRAM | 77, 8 };
	struct bytes records = { 0 };

	put(&records, &may, sizeof(may));
	CHECK(find_behind(&records).reports == REPORTS);
	put(&records, &must, sizeof(must));
	CHECK(find_behind(&records).result == -EOPNOTSUPP);
	clear(&records);
}

static void read_without_buffer_skips_reports(void)
{
	struct recording recording = { 0 };
	uint8_t reports[10 * TEST_REPORT_SIZE];
	struct gpuoa_read_status status;
	struct gpuoa_reader *reader;
	struct bytes file;

	add_event(&recording, TEST_SAMPLE_TYPE, PLAYED_ID);
	put_first_sample(&recording.records, PLAYED_ID);
	put_reports_sample(&recording.records, PLAYED_ID, 0, REPORTS);
	file = lay_out(&recording);
	REQUIRE(!open_bytes(&file, &reader, NULL, 0));
	CHECK(gpuoa_reader_read(reader, NULL, 33, &status) == 33);
	CHECK(gpuoa_reader_read(reader, reports, 10, &status) == 10);
	CHECK(report_number(reports, 0) == 33 && !status.gap);
	CHECK(gpuoa_reader_read(reader, NULL, 100, &status) == 7);
	gpuoa_reader_close(reader);
	clear(&file);
	clear(&recording.records);
}

int main(void)
{
	RUN(custom_set_is_stored_in_recording);
	RUN(unknown_platform_is_read_from_recording);
	RUN(built_in_set_is_used_if_equal);
	RUN(every_set_round_trips_as_text);
	RUN(damaged_texts_return_ebadmsg);
	RUN(unknown_texts_are_skipped);
	RUN(unknown_must_know_record_returns_eopnotsupp);
	RUN(read_without_buffer_skips_reports);
	return tap_end();
}
