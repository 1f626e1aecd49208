// SPDX-License-Identifier: MIT
/*
 * recorded_streams_test.c - Test recordings of several units: each stream reads as if it were
 * recorded alone.
 */
#define _GNU_SOURCE
#include <errno.h>

#include "fixture.h"
#include "gpuoa-merge.h"
#include "recording.h"
#include "tap.h"

/*
 * IDs of the events, in the order of the file: perf's dummy event, an event of a CPU, and the
 * events of two units
 */
#define DUMMY_ID 40
#define CPU_ID 41
#define ID_0 42
#define ID_1 43

#define STREAMS 2
#define SET_1 "b344c8cb-a291-4cbf-aa9c-b40213bfc96f" /* ComputeBasic of Haswell */

static void put_description(struct bytes *records, uint64_t id)
{
	struct gpuoa_record_stream stream = test_stream();
	struct bytes payload = { 0 };

	strcpy(stream.info.parent, "0000:00:02.0");
	if (id == ID_1) {
		strcpy(stream.info.pmu, "gpuoa1");
		memcpy(stream.uuid, SET_1, sizeof(SET_1));
	}
	put_head(&payload);
	put(&payload, &stream, sizeof(stream));
	put_clock(&payload, 0);
	put_sample(records, id, 0, &payload);
	clear(&payload);
}

static struct recording events(void)
{
	struct recording recording = { 0 };

	add_event(&recording, TEST_SAMPLE_TYPE, DUMMY_ID);
	recording.events[0].attr.type = PERF_TYPE_SOFTWARE;
	add_event(&recording, TEST_SAMPLE_TYPE, CPU_ID);
	add_event(&recording, TEST_SAMPLE_TYPE, ID_0);
	add_event(&recording, TEST_SAMPLE_TYPE, ID_1);
	return recording;
}

static void put_foreign_sample(struct bytes *records)
{
	struct bytes payload = { 0 };

	put32(&payload, 0);
	put_sample(records, CPU_ID, 0, &payload);
	clear(&payload);
}

/*
 * Build a recording of two units. The first sample belongs to gpuoa1, the first event to gpuoa0.
 * The reports of gpuoa0 are numbered 0 to 29, those of gpuoa1 100 to 139.
 */
static struct recording two_units(void)
{
	struct recording recording = events();
	struct bytes *records = &recording.records;

	put_description(records, ID_1);
	put_reports_sample(records, ID_1, 100, 10);
	put_foreign_sample(records);
	put_description(records, ID_0);
	for (uint32_t i = 0; i < 3; i++) {
		put_reports_sample(records, ID_0, 10 * i, 10);
		put_foreign_sample(records);
		put_reports_sample(records, ID_1, 110 + 10 * i, 10);
	}
	return recording;
}

static struct findings find_stream(const struct bytes *file, uint32_t index)
{
	struct findings findings = { .in_order = true };
	struct gpuoa_reader *reader;

	findings.result =
		open_stream_of(file, index, &reader, findings.error, sizeof(findings.error));
	if (findings.result)
		return findings;
	read_all(reader, &findings);
	gpuoa_reader_close(reader);
	return findings;
}

/* Assemble the file, read both streams, and free @recording. */
static void find_both(struct recording *recording, struct findings found[STREAMS])
{
	struct bytes file = lay_out(recording);

	for (uint32_t i = 0; i < STREAMS; i++)
		found[i] = find_stream(&file, i);
	clear(&file);
	clear(&recording->records);
}

static void check_stream(const struct bytes *file, uint32_t index, const char *unit_name,
			 const char *uuid, uint32_t first, uint32_t count)
{
	static uint8_t reports[64 * TEST_REPORT_SIZE];
	struct gpuoa_read_status status;
	struct gpuoa_reader_desc desc;
	struct gpuoa_unit_desc unit;
	struct gpuoa_reader *reader;
	uint32_t next = first;
	int n;

	REQUIRE(!open_stream_of(file, index, &reader, NULL, 0));
	gpuoa_reader_describe(reader, &desc, sizeof(desc));
	gpuoa_reader_describe_unit(reader, &unit, sizeof(unit));
	CHECK(desc.streams == STREAMS && desc.stream == index);
	CHECK_STRING(desc.uuid, uuid);
	CHECK_STRING(unit.name, unit_name);
	while ((n = gpuoa_reader_read(reader, reports, 64, &status)) > 0) {
		CHECK(!status.gap);
		for (int i = 0; i < n; i++)
			CHECK(report_number(reports, i) == next++);
	}
	CHECK(!n && status.end && next == first + count);
	gpuoa_reader_close(reader);
}

static void each_stream_is_read_separately(void)
{
	struct recording recording = two_units();
	struct bytes layouts[2] = { lay_out(&recording), lay_out_pipe(&recording) };

	for (size_t i = 0; i < 2; i++) {
		check_stream(&layouts[i], 0, "gpuoa0", TEST_UUID, 0, 30);
		check_stream(&layouts[i], 1, "gpuoa1", SET_1, 100, 40);
		clear(&layouts[i]);
	}
	clear(&recording.records);
}

static void open_without_number_reports_stream_count(void)
{
	struct recording recording = two_units();
	struct bytes file = lay_out(&recording);
	struct gpuoa_reader_desc desc;
	struct gpuoa_reader *reader;

	REQUIRE(!open_bytes(&file, &reader, NULL, 0));
	gpuoa_reader_describe(reader, &desc, sizeof(desc));
	CHECK(desc.streams == 2 && desc.stream == 0);
	gpuoa_reader_close(reader);
	clear(&file);
	clear(&recording.records);
}

static void stream_number_out_of_range_returns_erange(void)
{
	struct recording recording = two_units();
	struct bytes file = lay_out(&recording);
	struct findings found = find_stream(&file, 2);

	CHECK(found.result == -ERANGE);
	CHECK(strstr(found.error, ": cannot open stream 2: it has only streams 0 to 1"));
	CHECK(find_stream(&file, UINT32_MAX).result == -ERANGE);
	clear(&file);
	clear(&recording.records);
}

static void file_without_streams_returns_enodata(void)
{
	struct recording recording = events();
	struct findings found[STREAMS];

	put_foreign_sample(&recording.records);
	find_both(&recording, found);
	for (uint32_t i = 0; i < STREAMS; i++) {
		CHECK(found[i].result == -ENODATA);
		CHECK(strstr(found[i].error, "no samples of a gpuoa event"));
	}
}

/* perf lost the first sample of gpuoa0, which contains the description of the stream. */
static void stream_without_description_is_counted(void)
{
	struct recording recording = events();
	struct gpuoa_reader_desc desc;
	struct gpuoa_reader *reader;
	struct findings found;
	struct bytes file;

	put_reports_sample(&recording.records, ID_0, 0, 5);
	put_description(&recording.records, ID_1);
	put_reports_sample(&recording.records, ID_1, 0, 7);
	file = lay_out(&recording);
	found = find_stream(&file, 0);
	CHECK(found.result == -ENODATA);
	CHECK(strstr(found.error, "perf lost the samples that describe the stream"));
	CHECK(find_stream(&file, 1).reports == 7);
	REQUIRE(!open_bytes(&file, &reader, NULL, 0));
	gpuoa_reader_describe(reader, &desc, sizeof(desc));
	CHECK(desc.streams == 2 && desc.stream == 1);
	gpuoa_reader_close(reader);
	clear(&file);
	clear(&recording.records);
}

static void damaged_stream_leaves_other_readable(void)
{
	const struct gpuoa_record torn = { GPUOA_RECORD_STREAM, sizeof(torn) - 1 };
	struct recording recording = events();
	struct bytes payload = { 0 };
	struct findings found[STREAMS];

	put_head(&payload);
	put(&payload, &torn, sizeof(torn));
	put_sample(&recording.records, ID_0, 0, &payload);
	put_description(&recording.records, ID_1);
	put_reports_sample(&recording.records, ID_1, 0, 7);
	find_both(&recording, found);
	CHECK(found[0].result == -EBADMSG && *found[0].error);
	CHECK(found[1].result == 0 && found[1].reports == 7);
	clear(&payload);
}

static void losses_are_per_stream(void)
{
	for (uint32_t cpu = 0; cpu < 2; cpu++) {
		struct recording recording = two_units();
		struct findings found[STREAMS];

		put_perf_lost(&recording.records, ID_1, cpu, 2);
		put_reports_sample(&recording.records, ID_0, 30, 1);
		put_reports_sample(&recording.records, ID_1, 160, 5);
		find_both(&recording, found);
		CHECK(found[1].reports == 45 && found[1].lost_ring == 20 && found[1].gaps == 1);
		/*
		 * Both streams share the buffer of this CPU, so the loss cannot be attributed to
		 * one of them.
		 */
		CHECK(found[0].reports == 31 && found[0].lost_ring == 0);
		CHECK(found[0].lost_unknown == (cpu == 0));
	}
}

/* damage */

/*
 * Return the number of bytes to cut from the end of two_units(), so that gpuoa0's first sample is
 * incomplete.
 */
static size_t from_gpuoa0(const struct recording *recording)
{
	struct recording begin = events();
	size_t size;

	put_description(&begin.records, ID_1);
	put_reports_sample(&begin.records, ID_1, 100, 10);
	put_foreign_sample(&begin.records);
	size = recording->records.size - begin.records.size;
	clear(&begin.records);
	return size - 20;
}

static void file_damage_ends_each_stream_with_ebadmsg(void)
{
	struct recording recording = two_units();
	struct bytes file = lay_out(&recording);
	char error[128] = "stale";
	struct findings found;
	struct gpuoa_reader *reader;

	file.size -= from_gpuoa0(&recording);
	/* After the cut, no complete sample of gpuoa0 is left. */
	found = find_stream(&file, 0);
	CHECK(found.result == -EBADMSG && found.reports == 10);
	found = find_stream(&file, 1);
	CHECK(found.result == -EBADMSG);
	CHECK(strstr(found.error, ": cannot open stream 1: damaged (ends within a record)"));
	if (CHECK(!open_bytes(&file, &reader, error, sizeof(error))))
		gpuoa_reader_close(reader);
	CHECK_STRING(error, "");
	clear(&file);
	clear(&recording.records);
}

/* The writer was killed, so the size of the data in the file's header is 0. */
static void unfinished_file_is_read_to_last_record(void)
{
	struct recording recording = two_units();
	struct bytes file = lay_out(&recording);
	const size_t whole = file.size;

	memset(file.data + offsetof(struct perfdata_header, data.size), 0, sizeof(uint64_t));
	file.size = whole - TEST_REPORT_SIZE;
	CHECK(find_stream(&file, 0).reports == 30);
	CHECK(find_stream(&file, 0).result == 0);
	CHECK(find_stream(&file, 1).reports == 30);
	CHECK(find_stream(&file, 1).result == 0);
	file.size = whole - from_gpuoa0(&recording);
	CHECK(find_stream(&file, 0).reports == 10);
	CHECK(find_stream(&file, 1).result == -ERANGE);
	clear(&file);
	clear(&recording.records);
}

static void files_truncated_anywhere_never_crash(void)
{
	struct recording recording = two_units();
	struct bytes layouts[2] = { lay_out(&recording), lay_out_pipe(&recording) }, file;

	for (size_t i = 0; i < 2; i++) {
		for (file = layouts[i]; file.size > 37; file.size -= 37) {
			uint64_t reports = 0;

			for (uint32_t k = 0; k <= STREAMS; k++)
				reports += find_stream(&file, k).reports;
			CHECK(reports <= file.size / TEST_REPORT_SIZE);
		}
		clear(&layouts[i]);
	}
	clear(&recording.records);
}

static void damaged_files_never_crash(void)
{
	struct recording recording = two_units();
	struct bytes whole = lay_out(&recording);
	uint64_t state = 1;

	for (int i = 0; i < 5000; i++) {
		struct bytes file = { 0 };
		uint64_t reports = 0;

		put(&file, whole.data, whole.size);
		for (int k = 0; k < 4; k++) {
			const uint64_t random = fixture_random(&state);

			file.data[(random >> 8) % (k & 1 ? 1024 : file.size)] = random;
		}
		for (uint32_t k = 0; k <= STREAMS; k++)
			reports += find_stream(&file, k).reports;
		/*
		 * If two streams have the same id because of damage, all samples belong to one
		 * stream.
		 */
		if (!CHECK(reports <= 70))
			printf("# damaged file %d\n", i);
		clear(&file);
	}
	clear(&whole);
	clear(&recording.records);
}

/* merging */

static void merge_of_streams_is_in_time_order(void)
{
	struct recording recording = events();
	struct gpuoa_reader *readers[STREAMS];
	uint32_t count = 0, last = 0, of[STREAMS] = { 0 };
	struct gpuoa_merge *merge;
	struct gpuoa_merge_run run;
	struct bytes file;
	int ret;

	put_description(&recording.records, ID_1);
	put_reports_sample(&recording.records, ID_1, 5, 20);
	put_description(&recording.records, ID_0);
	put_reports_sample(&recording.records, ID_0, 0, 15);
	put_reports_sample(&recording.records, ID_0, 15, 15);
	file = lay_out(&recording);
	for (uint32_t i = 0; i < STREAMS; i++)
		REQUIRE(!open_stream_of(&file, i, &readers[i], NULL, 0));
	REQUIRE(!gpuoa_merge_open(readers, STREAMS, &merge, NULL, 0));
	while ((ret = gpuoa_merge_next(merge, false, &run, sizeof(run))) > 0)
		for (uint32_t i = 0; i < run.count; i++) {
			CHECK(report_number(run.reports, i) >= last);
			last = report_number(run.reports, i);
			of[run.reader]++;
			count++;
		}
	CHECK(!ret && run.status.end && count == 50 && of[0] == 30 && of[1] == 20);
	gpuoa_merge_close(merge);
	for (uint32_t i = 0; i < STREAMS; i++)
		gpuoa_reader_close(readers[i]);
	clear(&file);
	clear(&recording.records);
}

/* Write a file, for tests of the gpuoa command. */
static int write_file(const char *path)
{
	struct recording recording = two_units();
	struct bytes file = lay_out(&recording);
	FILE *to = fopen(path, "we");
	const bool written = to && fwrite(file.data, file.size, 1, to) == 1;

	if (!to || fclose(to) || !written) {
		perror(path);
		return 1;
	}
	clear(&file);
	clear(&recording.records);
	return 0;
}

/* Usage: recorded_streams_test [FILE]: with FILE, only writes a recording of two units to it */
int main(int argc, char **argv)
{
	if (argc == 2)
		return write_file(argv[1]);
	RUN(each_stream_is_read_separately);
	RUN(open_without_number_reports_stream_count);
	RUN(stream_number_out_of_range_returns_erange);
	RUN(file_without_streams_returns_enodata);
	RUN(stream_without_description_is_counted);
	RUN(damaged_stream_leaves_other_readable);
	RUN(losses_are_per_stream);
	RUN(file_damage_ends_each_stream_with_ebadmsg);
	RUN(unfinished_file_is_read_to_last_record);
	RUN(files_truncated_anywhere_never_crash);
	RUN(damaged_files_never_crash);
	RUN(merge_of_streams_is_in_time_order);
	return tap_end();
}
