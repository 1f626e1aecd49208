// SPDX-License-Identifier: MIT
/*
 * recording_file_test.c - Test which streams a recording has, which losses it reports, how much of
 * the file is read, and errors while it is read.
 */
#define _GNU_SOURCE
#include <errno.h>
#include <time.h>

#include "failing_reads.h"
#include "gpuoa-stream.h"
#include "gpuoa-time.h"
#include "reader/rawdata_format.h"
#include "reader/stream/emulated_ring.h"
#include "recording.h"
#include "tap.h"

#define ID 42
#define OTHER_ID 43
#define THIRD_ID 44

static void put_foreign_sample(struct bytes *records, uint64_t id)
{
	struct bytes payload = { 0 };

	put(&payload, "other raw data", 12);
	put_sample(records, id, 0, &payload);
	clear(&payload);
}

/* Append a sample that contains one record. */
static void put_record_sample(struct bytes *records, uint64_t id, const void *record, size_t size)
{
	struct bytes payload = { 0 };

	put_head(&payload);
	put(&payload, record, size);
	put_sample(records, id, 0, &payload);
	clear(&payload);
}

/* Append a sample with metadata, which only recordings of gpuoa have. */
static void put_metadata(struct bytes *records, uint64_t id)
{
	struct {
		struct text_record text;
		char data[8];
	} record = {
		.text = { .record = { TEXT_RECORD, sizeof(record) }, .size = 8, .total = 8 },
		.data = "platform", /* which is no definition that can be parsed */
	};

	put_record_sample(records, id, &record, sizeof(record));
}

static struct findings find_stream(const struct bytes *file, uint32_t index, uint32_t *streams)
{
	struct findings findings = { .in_order = true };
	struct gpuoa_reader_desc desc;
	struct gpuoa_reader *reader;

	findings.result =
		open_stream_of(file, index, &reader, findings.error, sizeof(findings.error));
	if (findings.result)
		return findings;
	gpuoa_reader_describe(reader, &desc, sizeof(desc));
	CHECK(desc.stream == index);
	*streams = desc.streams;
	read_all(reader, &findings);
	gpuoa_reader_close(reader);
	return findings;
}

static bool ends_with(const char *text, const char *end)
{
	const size_t length = strlen(text), of_end = strlen(end);
	const bool ends = length >= of_end && !strcmp(text + length - of_end, end);

	if (!ends)
		printf("# %s\n", text);
	return ends;
}

/* ---- streams -------------------------------------------------------------------------------- */

/*
 * An event is a stream if it has a sample of gpuoa. Other samples of the event, before or after it,
 * do not change this.
 */
static void events_with_samples_of_gpuoa_are_streams(void)
{
	struct recording recording = { 0 };
	struct gpuoa_reader_desc desc;
	struct gpuoa_reader *reader;
	struct findings found;
	uint32_t streams = 0;
	struct bytes file;

	add_event(&recording, TEST_SAMPLE_TYPE, 50);
	add_event(&recording, TEST_SAMPLE_TYPE, ID);
	add_event(&recording, TEST_SAMPLE_TYPE, OTHER_ID);
	add_event(&recording, TEST_SAMPLE_TYPE, THIRD_ID);
	put_foreign_sample(&recording.records, 50);
	put_reports_sample(&recording.records, ID, 0, 5);
	put_foreign_sample(&recording.records, ID);
	put_foreign_sample(&recording.records, THIRD_ID);
	put_first_sample(&recording.records, THIRD_ID);
	put_first_sample(&recording.records, OTHER_ID);
	put_reports_sample(&recording.records, OTHER_ID, 0, 6);
	file = lay_out(&recording);
	found = find_stream(&file, 0, &streams);
	CHECK(found.result == -ENODATA);
	CHECK(ends_with(found.error, ": cannot open stream 0: perf lost the samples that describe "
				     "the stream; record for longer"));
	found = find_stream(&file, 1, &streams);
	CHECK(!found.result && found.reports == 6 && streams == 3);
	/* A sample that is not of gpuoa is damage when it is read. */
	CHECK(find_stream(&file, 2, &streams).result == -EBADMSG && streams == 3);
	found = find_stream(&file, 3, &streams);
	CHECK(found.result == -ERANGE);
	CHECK(ends_with(found.error, ": cannot open stream 3: it has only streams 0 to 2"));
	/* By default, the first stream with a description is opened. */
	REQUIRE(!open_bytes(&file, &reader, NULL, 0));
	gpuoa_reader_describe(reader, &desc, sizeof(desc));
	CHECK(desc.stream == 1 && desc.streams == 3);
	gpuoa_reader_close(reader);
	clear(&file);
	clear(&recording.records);
}

static void errors_name_the_only_stream(void)
{
	struct recording recording = { 0 };
	struct findings found;
	uint32_t streams;
	struct bytes file;

	add_event(&recording, TEST_SAMPLE_TYPE, ID);
	file = lay_out(&recording);
	found = find_in(&file);
	CHECK(found.result == -ENODATA);
	CHECK(ends_with(found.error, ": cannot open: no samples of a gpuoa event; record with -e "
				     "gpuoa0/.../ and -R"));
	clear(&file);
	put_first_sample(&recording.records, ID);
	file = lay_out(&recording);
	found = find_stream(&file, 1, &streams);
	CHECK(found.result == -ERANGE);
	CHECK(ends_with(found.error, ": cannot open stream 1: it has only stream 0"));
	clear(&file);
	clear(&recording.records);
}

/* A sample of gpuoa without a description: the first stream is opened, and has none. */
static void first_of_undescribed_streams_is_opened(void)
{
	struct recording recording = { 0 };
	struct findings found;

	add_event(&recording, TEST_SAMPLE_TYPE, ID);
	add_event(&recording, TEST_SAMPLE_TYPE, OTHER_ID);
	put_reports_sample(&recording.records, OTHER_ID, 0, 5);
	put_reports_sample(&recording.records, ID, 0, 5);
	found = find(&recording);
	CHECK(found.result == -ENODATA);
	CHECK(ends_with(found.error, "perf lost the samples that describe the stream; record for "
				     "longer"));
}

static void descriptions_that_cannot_be_used_are_reported(void)
{
	const struct gpuoa_record must = { GPUOA_RECORD_MUST_KNOW | 999, sizeof(must) };
	struct gpuoa_record_stream streams[2] = { test_stream(), test_stream() };
	struct findings found;

	streams[0].report_size = 0;
	streams[1].record.size -= 4; /* no multiple of 8 */
	for (int i = 0; i < 3; i++) {
		struct recording recording = { 0 };

		add_event(&recording, TEST_SAMPLE_TYPE, ID);
		if (i < 2)
			put_record_sample(&recording.records, ID, &streams[i], sizeof(streams[i]));
		else
			put_record_sample(&recording.records, ID, &must, sizeof(must));
		found = find(&recording);
		CHECK(found.result == (i < 2 ? -EBADMSG : -EOPNOTSUPP));
		CHECK(ends_with(found.error,
				i < 2 ? ": cannot open: damaged (contradictions within a sample)" :
					": cannot open: recorded by a newer gpuoa; update gpuoa"));
	}
}

/* ---- how much is read ----------------------------------------------------------------------- */

/* A file of 4 MiB with two events. Only the first one has samples, unless @last adds one. */
static struct bytes large_file(uint32_t type, uint64_t sample_type, uint64_t id, bool swapped,
			       bool foreign, bool last)
{
	struct recording recording = { 0 };
	struct bytes file;

	if (!swapped)
		add_event(&recording, TEST_SAMPLE_TYPE, ID);
	recording.events[!swapped].attr.type = type;
	add_event(&recording, sample_type, id);
	recording.events[!swapped].attr.type = type;
	if (swapped)
		add_event(&recording, TEST_SAMPLE_TYPE, ID);
	put_first_sample(&recording.records, ID);
	if (foreign)
		put_foreign_sample(&recording.records, id);
	for (uint32_t i = 0; i < 80; i++)
		put_reports_sample(&recording.records, ID, 200 * i, 200);
	if (last) {
		put_first_sample(&recording.records, id);
		put_reports_sample(&recording.records, id, 0, 1);
	}
	file = lay_out(&recording);
	clear(&recording.records);
	return file;
}

/*
 * Opening searches the whole file for events only if there is an event that can be a stream and is
 * not known yet: in gpuoa's recordings, streams of the stock drivers are software events, as is the
 * dummy event of the perf tool, but have another kind of id.
 */
static void opening_reads_only_as_much_as_necessary(void)
{
	const uint64_t raw = TEST_SAMPLE_TYPE, none = raw & ~(uint64_t)PERF_SAMPLE_RAW;
	const uint64_t emulated = EMULATED_ID | 7;
	const struct {
		uint32_t type;
		uint64_t sample_type, id;
		bool foreign, whole;
	} cases[] = {
		{ 30, raw, OTHER_ID, false, true },
		{ 30, raw, OTHER_ID, true, false },
		{ 30, none, OTHER_ID, false, false },
		{ PERF_TYPE_SOFTWARE, raw, OTHER_ID, false, false },
		{ PERF_TYPE_SOFTWARE, raw, emulated, false, true },
		{ PERF_TYPE_SOFTWARE, raw, emulated, true, false },
		{ PERF_TYPE_SOFTWARE, none, emulated, false, false },
	};

	for (size_t i = 0; i < 2 * sizeof(cases) / sizeof(cases[0]); i++) {
		const bool swapped = i & 1;
		struct bytes file = large_file(cases[i / 2].type, cases[i / 2].sample_type,
					       cases[i / 2].id, swapped, cases[i / 2].foreign,
					       false);
		struct gpuoa_reader *reader;

		reads.bytes = 0;
		REQUIRE(!open_bytes(&file, &reader, NULL, 0));
		if (!CHECK((reads.bytes > file.size) == cases[i / 2].whole))
			printf("# case %zu: %zu bytes\n", i, reads.bytes);
		gpuoa_reader_close(reader);
		clear(&file);
	}
}

static void last_stream_is_found_at_the_end(void)
{
	const uint64_t emulated = EMULATED_ID | 7;

	for (int i = 0; i < 4; i++) {
		const bool swapped = i & 1;
		struct bytes file = large_file(i & 2 ? PERF_TYPE_SOFTWARE : 30, TEST_SAMPLE_TYPE,
					       i & 2 ? emulated : OTHER_ID, swapped, false, true);
		uint32_t streams = 0;
		struct findings found = find_stream(&file, !swapped, &streams);

		CHECK(!found.result && found.reports == 1 && streams == 2);
		found = find_stream(&file, swapped, &streams);
		CHECK(!found.result && found.reports == 16000 && found.in_order && streams == 2);
		CHECK(!found.gaps);
		clear(&file);
	}
}

/* In gpuoa's recordings, all streams of the stock drivers are software events. */
static void last_stream_of_stock_drivers_is_found(void)
{
	struct recording recording = { 0 };
	struct findings found;
	uint32_t streams = 0;
	struct bytes file;

	for (uint64_t id = 0; id < 2; id++) {
		add_event(&recording, TEST_SAMPLE_TYPE, EMULATED_ID | id);
		recording.events[id].attr.type = PERF_TYPE_SOFTWARE;
	}
	for (uint64_t id = 2; id--;) {
		put_first_sample(&recording.records, EMULATED_ID | id);
		put_reports_sample(&recording.records, EMULATED_ID | id, 0, 10);
	}
	file = lay_out(&recording);
	for (uint32_t i = 0; i < 2; i++) {
		found = find_stream(&file, i, &streams);
		CHECK(!found.result && found.reports == 10 && streams == 2);
	}
	clear(&file);
	clear(&recording.records);
}

/* ---- errors of read(2) ---------------------------------------------------------------------- */

/*
 * Three calls may fail without an error: the one that detects recordings of i915-perf-recorder, and
 * those that search for metadata and for the first clock pair, because reads return such an error.
 */
static void each_failed_read_is_reported(void)
{
	const uint64_t type = TEST_SAMPLE_TYPE & ~(uint64_t)PERF_SAMPLE_RAW;
	struct bytes file = large_file(30, type, OTHER_ID, false, false, false);
	unsigned int n, tolerated = 0;

	for (n = 1; n < 1000; n++) {
		struct findings found = { .in_order = true };
		struct gpuoa_reader *reader;
		bool opened;

		reads.fail_at = n;
		found.result = open_bytes(&file, &reader, found.error, sizeof(found.error));
		if (found.result) {
			CHECK(found.result == -EIO);
			CHECK(ends_with(found.error, ": cannot open: Input/output error"));
			continue;
		}
		opened = !reads.fail_at;
		tolerated += opened;
		/* The error is permanent. */
		for (int i = 0; i < 2; i++) {
			read_all(reader, &found);
			CHECK(found.result == (opened || reads.fail_at ? 0 : -EIO));
		}
		CHECK(found.in_order && !found.gaps);
		CHECK((found.reports == 16000) == !found.result);
		gpuoa_reader_close(reader);
		if (reads.fail_at)
			break;
	}
	if (!CHECK(n > 16 && n < 100 && tolerated == 3))
		printf("# %u calls, %u tolerated\n", n, tolerated);
	reads.fail_at = 0;
	clear(&file);
}

/* read(2) may return less than was requested. */
static void short_reads_are_continued(void)
{
	struct bytes file = large_file(30, TEST_SAMPLE_TYPE, OTHER_ID, false, true, false);
	static const size_t sizes[] = { 999, 4096, 262143 };
	struct perfdata_header header;

	memcpy(&header, file.data, sizeof(header));
	for (size_t i = 0; i < sizeof(sizes) / sizeof(sizes[0]); i++) {
		struct findings found;

		reads.from = (off_t)header.data.offset;
		reads.most = sizes[i];
		found = find_in(&file);
		CHECK(!found.result && found.reports == 16000 && found.in_order && !found.gaps);
	}
	reads.most = 0;
	clear(&file);
}

/* Another process truncates the file after it was opened. */
static void file_truncated_later_is_damaged(void)
{
	struct bytes file = large_file(30, TEST_SAMPLE_TYPE, OTHER_ID, false, true, false);
	struct findings found = { .in_order = true };
	struct perfdata_header header;
	struct gpuoa_reader *reader;

	memcpy(&header, file.data, sizeof(header));
	REQUIRE(!open_bytes(&file, &reader, NULL, 0));
	reads.end = (off_t)(file.size - 100);
	read_all(reader, &found);
	CHECK(found.result == -EBADMSG && found.reports == 15800 && found.in_order);
	gpuoa_reader_close(reader);
	/* The table of events is in the part that is missing. */
	reads.end = (off_t)(header.attrs.offset + header.attrs.size - 1);
	found = find_in(&file);
	CHECK(found.result == -EBADMSG);
	CHECK(ends_with(found.error, ": cannot open: damaged table of events"));
	reads.end = 0;
	clear(&file);
}

/* A process without standard input opens the recording as descriptor 0. */
static void file_descriptor_may_be_0(void)
{
	struct bytes file = large_file(30, TEST_SAMPLE_TYPE, OTHER_ID, false, true, false);
	const int input = dup(0);
	char path[32];
	const int fd = file_of(&file, path);
	struct gpuoa_reader *reader = NULL;

	close(0);
	CHECK(!gpuoa_file_open(path, &reader, NULL, 0));
	CHECK(lseek(0, 0, SEEK_END) == (off_t)file.size);
	gpuoa_reader_close(reader);
	CHECK(lseek(0, 0, SEEK_END) == -1);
	dup2(input, 0);
	close(input);
	close(fd);
	clear(&file);
}

/* ---- the window ----------------------------------------------------------------------------- */

/* The part of the file that is in memory ends at any position of a record. */
static void records_are_read_across_the_window(void)
{
	const uint32_t count = 900; /* 300 KB */

	for (size_t shift = 8; shift < 400; shift += 8) {
		struct recording recording = { 0 };
		struct findings found;
		size_t at;

		add_event(&recording, TEST_SAMPLE_TYPE, ID);
		add_event(&recording, TEST_SAMPLE_TYPE, OTHER_ID);
		at = begin_record(&recording.records, PERF_RECORD_COMM);
		put(&recording.records, NULL, shift - 8);
		end_record(&recording.records, at);
		put_first_sample(&recording.records, ID);
		put_foreign_sample(&recording.records, OTHER_ID);
		for (uint32_t i = 0; i < count; i++)
			put_reports_sample(&recording.records, ID, i, 1);
		found = find(&recording);
		CHECK(!found.result && found.reports == count && found.in_order && !found.gaps);
	}
}

/* ---- losses --------------------------------------------------------------------------------- */

static struct recording simple(void)
{
	struct recording recording = { 0 };

	add_event(&recording, TEST_SAMPLE_TYPE, ID);
	put_first_sample(&recording.records, ID);
	put_reports_sample(&recording.records, ID, 0, 40);
	return recording;
}

/* Append a record without a trailer: of a single event, no id is necessary. */
static void put_words(struct bytes *records, uint32_t type, uint64_t first, uint64_t second,
		      size_t size)
{
	const uint64_t words[] = { first, second };
	const size_t at = begin_record(records, type);

	put(records, words, size);
	end_record(records, at);
}

/* The number of lost samples follows an id, or is first in a record of the total. */
static void incomplete_loss_records_have_no_number(void)
{
	for (size_t size = 0; size <= 16; size++) {
		struct recording recording = simple();
		struct findings found;

		put_words(&recording.records, PERF_RECORD_LOST, 99, 5, size);
		put_reports_sample(&recording.records, ID, 60, 1);
		put_words(&recording.records, PERF_RECORD_LOST_SAMPLES, 5, 0, 16);
		found = find(&recording);
		CHECK(!found.result && found.lost_ring == 20 && found.gaps == 1);
		CHECK(found.lost_unknown == (size < 16));

		recording = simple();
		put_words(&recording.records, PERF_RECORD_LOST_SAMPLES, 1, 0, size);
		found = find(&recording);
		CHECK(!found.result && found.reports == 40 && found.lost_unknown == (size >= 8));
	}
}

/* The total is compared with the sum of all losses. */
static void losses_are_summed_up(void)
{
	for (uint64_t total = 8; total <= 11; total++) {
		struct recording recording = simple();
		struct findings found;

		add_event(&recording, TEST_SAMPLE_TYPE, OTHER_ID);
		put_perf_lost(&recording.records, ID, 0, 2);
		put_reports_sample(&recording.records, ID, 50, 1);
		put_perf_lost(&recording.records, OTHER_ID, 1, 100);
		put_perf_lost(&recording.records, ID, 0, 7);
		put_reports_sample(&recording.records, ID, 60, 1);
		put_perf_lost(&recording.records, THIRD_ID, 0, 100); /* of no event */
		put_reports_sample(&recording.records, ID, 61, 1);
		put_lost_samples(&recording.records, OTHER_ID, 0, 1000);
		put_lost_samples(&recording.records, ID, 0, total);
		found = find(&recording);
		CHECK(!found.result && found.lost_ring == 10 + 9 && found.gaps == 2);
		CHECK(found.lost_unknown == (total > 9));
	}
}

/*
 * A loss of another event concerns this one only if both can share a buffer: not if gpuoa has
 * written the file, and not if the CPU is not known.
 */
static void loss_of_other_event_counts_in_shared_buffer(void)
{
	for (int i = 0; i < 4; i++) {
		const uint64_t type = TEST_SAMPLE_TYPE & ~(uint64_t)(i == 1 ? PERF_SAMPLE_CPU : 0);
		struct recording recording = { 0 };
		struct findings found;
		size_t at;

		add_event(&recording, TEST_SAMPLE_TYPE, ID);
		add_event(&recording, type, OTHER_ID);
		if (i == 2)
			put_metadata(&recording.records, ID);
		put_first_sample(&recording.records, ID);
		if (i == 3) /* on the CPU of the last sample */
			put_perf_lost(&recording.records, OTHER_ID, 0, 2);
		put_reports_sample(&recording.records, ID, 0, 40);
		at = begin_record(&recording.records, PERF_RECORD_LOST);
		put64(&recording.records, OTHER_ID);
		put64(&recording.records, 2);
		put(&recording.records, NULL, i == 1 ? 16 : 24); /* of CPU 0, if it has one */
		put64(&recording.records, OTHER_ID);
		end_record(&recording.records, at);
		put_reports_sample(&recording.records, ID, 40, 5);
		found = find(&recording);
		CHECK(!found.result && found.reports == 45 && !found.lost_ring);
		if (!CHECK(found.lost_unknown == (i == 0 || i == 3)))
			printf("# case %d\n", i);
	}
}

/* Samples of an event without the CPU */
static void loss_on_unknown_cpu_is_not_of_this_event(void)
{
	const uint64_t type = TEST_SAMPLE_TYPE & ~(uint64_t)PERF_SAMPLE_CPU;
	struct recording recording = { 0 };
	struct bytes payload = { 0 };
	struct findings found;
	size_t at;

	add_event(&recording, type, ID);
	add_event(&recording, type, OTHER_ID);
	put_head(&payload);
	put_stream(&payload);
	put_reports(&payload, 0, 10);
	for (int i = 0; i < 2; i++) {
		at = begin_record(&recording.records, PERF_RECORD_SAMPLE);
		put64(&recording.records, ID);
		put(&recording.records, NULL, 16); /* TID, TIME */
		put32(&recording.records, payload.size);
		put(&recording.records, payload.data, payload.size);
		end_record(&recording.records, at);
		clear(&payload);
		if (i)
			break;
		at = begin_record(&recording.records, PERF_RECORD_LOST);
		put64(&recording.records, OTHER_ID);
		put64(&recording.records, 2);
		put(&recording.records, NULL, 16);
		put64(&recording.records, OTHER_ID);
		end_record(&recording.records, at);
		put_head(&payload);
		put_reports(&payload, 10, 10);
	}
	found = find(&recording);
	CHECK(!found.result && found.reports == 20 && !found.gaps && !found.lost_unknown);
}

/* In gpuoa's recordings, each sample is written once, so that repeated reports are a loss. */
static void repeated_samples_are_only_skipped_in_files_of_perf(void)
{
	for (int of_gpuoa = 0; of_gpuoa < 2; of_gpuoa++) {
		struct recording recording = { 0 };
		struct bytes empty = { 0 };
		struct findings found;

		add_event(&recording, TEST_SAMPLE_TYPE, ID);
		if (of_gpuoa)
			put_metadata(&recording.records, ID);
		put_first_sample(&recording.records, ID);
		put_reports_sample(&recording.records, ID, 0, 40);
		put_reports_sample(&recording.records, ID, 0, 40);
		/* A sample without reports changes nothing. */
		put_head(&empty);
		put_reports(&empty, 1000, 0);
		put_sample(&recording.records, ID, 0, &empty);
		put_reports_sample(&recording.records, ID, 40, 5);
		found = find(&recording);
		CHECK(!found.result && found.reports == (of_gpuoa ? 85 : 45));
		CHECK(found.gaps == (uint64_t)of_gpuoa && found.lost_unknown == of_gpuoa);
		clear(&empty);
	}
}

static void damaged_sample_ends_reading(void)
{
	struct recording recording = simple();
	struct findings found;
	uint32_t size;

	put_reports_sample(&recording.records, ID, 40, 1);
	/* The payload is longer than its record. */
	const size_t at = recording.records.size - TEST_REPORT_SIZE -
			  sizeof(struct gpuoa_record_reports) - sizeof(struct gpuoa_raw) - 4;

	memcpy(&size, recording.records.data + at, sizeof(size));
	CHECK(size == recording.records.size - at - 4);
	size++;
	memcpy(recording.records.data + at, &size, sizeof(size));
	put_reports_sample(&recording.records, ID, 41, 1);
	found = find(&recording);
	CHECK(found.result == -EBADMSG && found.reports == 40);
	/* It is not of gpuoa. */
	recording = simple();
	put_foreign_sample(&recording.records, ID);
	found = find(&recording);
	CHECK(found.result == -EBADMSG && found.reports == 40);
}

/* ---- clocks, owners and metadata ------------------------------------------------------------ */

static void put_owner(struct bytes *records, uint64_t id, uint32_t context, uint32_t process)
{
	const struct context_record record = {
		.record = { CONTEXT_RECORD, sizeof(record) },
		.id = context,
		.process = process,
	};

	put_record_sample(records, id, &record, sizeof(record));
}

/* Times and owners are found in the whole file, without an effect on reading. */
static void times_and_owners_leave_the_position(void)
{
	static uint8_t reports[16 * TEST_REPORT_SIZE];
	struct gpuoa_context_owner owner;
	const struct gpuoa_time *time;
	struct gpuoa_read_status status;
	struct gpuoa_reader *reader;
	uint64_t ns = 0;

	for (uint32_t before = 0; before <= 12; before += 3) {
		struct recording recording = { 0 };
		struct bytes pair = { 0 };
		uint32_t n = 0;
		int ret;

		add_event(&recording, TEST_SAMPLE_TYPE, ID);
		add_event(&recording, TEST_SAMPLE_TYPE, OTHER_ID);
		put_first_sample(&recording.records, ID);
		put_first_sample(&recording.records, OTHER_ID);
		for (uint32_t i = 0; i < 1500; i++)
			put_reports_sample(&recording.records, ID, i, 1);
		put_owner(&recording.records, ID, 7, 100);
		put_owner(&recording.records, ID, 8, 101);
		put_owner(&recording.records, OTHER_ID, 9, 102);
		put_head(&pair);
		put_clock_of(&pair, CLOCK_BOOTTIME, 5000);
		put_sample(&recording.records, ID, 0, &pair);
		clear(&pair);
		/* The file is damaged here, which only reading reports. */
		put64(&recording.records, 0);
		reader = open_laid_out(&recording);
		REQUIRE(reader);
		if (before)
			CHECK(gpuoa_reader_read(reader, reports, before, &status) == (int)before);
		CHECK(!gpuoa_reader_time(reader, &time));
		CHECK(!gpuoa_time_to_cpu(time, CLOCK_BOOTTIME, 5000, &ns, NULL));
		CHECK(ns == 80 * 5000 + 1000000000);
		for (uint32_t k = 0; k < 2; k++)
			for (uint32_t id = 7; id <= 9; id++) {
				CHECK(gpuoa_reader_context(reader, id, &owner, sizeof(owner)) ==
				      (id == 9 ? -ENOENT : 0));
				CHECK(id == 9 || owner.process == 100 + id - 7);
			}
		while ((ret = gpuoa_reader_read(reader, reports, 16, &status)) > 0) {
			for (int i = 0; i < ret; i++)
				CHECK(report_number(reports, i) == before + n + i);
			CHECK(!status.gap);
			n += ret;
		}
		CHECK(ret == -EBADMSG && before + n == 1500);
		gpuoa_reader_close(reader);
	}
}

/* Owners are searched for once. */
static void owners_are_read_once(void)
{
	struct bytes file = large_file(30, TEST_SAMPLE_TYPE, OTHER_ID, false, true, false);
	struct gpuoa_context_owner owner;
	struct gpuoa_reader *reader;

	REQUIRE(!open_bytes(&file, &reader, NULL, 0));
	for (int i = 0; i < 3; i++) {
		reads.bytes = 0;
		CHECK(gpuoa_reader_context(reader, 1, &owner, sizeof(owner)) == -ENOENT);
		CHECK(i ? !reads.bytes : reads.bytes > file.size / 2);
	}
	gpuoa_reader_close(reader);
	clear(&file);
}

/* The first pair is of CLOCK_MONOTONIC, and of this stream. */
static void first_clock_pair_is_of_the_monotonic_clock(void)
{
	static uint8_t reports[16 * TEST_REPORT_SIZE];
	struct recording recording = { 0 };
	struct gpuoa_read_status status;
	struct gpuoa_reader *reader;
	struct bytes payload = { 0 };

	add_event(&recording, TEST_SAMPLE_TYPE, ID);
	put_head(&payload);
	put_stream(&payload);
	put_clock_of(&payload, CLOCK_REALTIME, 700);
	put_reports(&payload, 0, 2);
	put_sample(&recording.records, ID, 0, &payload);
	clear(&payload);
	put_head(&payload);
	put_clock_of(&payload, CLOCK_TAI, 800);
	put_clock(&payload, 900);
	put_clock(&payload, 950);
	put_sample(&recording.records, ID, 0, &payload);
	clear(&payload);
	put_reports_sample(&recording.records, ID, 2, 1);
	reader = open_laid_out(&recording);
	REQUIRE(reader);
	CHECK(gpuoa_reader_read(reader, reports, 16, &status) == 2);
	CHECK(status.has_clock && status.clock.gpu_ticks == 900 &&
	      status.clock.cpu_ns == 80 * 900 && status.clock.clock_id == CLOCK_MONOTONIC);
	CHECK(gpuoa_reader_read(reader, reports, 16, &status) == 1);
	CHECK(status.has_clock && status.clock.gpu_ticks == 950);
	gpuoa_reader_close(reader);
}

static void put_text(struct bytes *payload, uint32_t kind, const char *text, uint64_t offset,
		     uint64_t total)
{
	const struct text_record record = {
		.record = { TEXT_RECORD, sizeof(record) + 8 },
		.kind = kind,
		.size = 8,
		.offset = offset,
		.total = total,
	};

	put(payload, &record, sizeof(record));
	put(payload, text, 8);
}

/* Metadata are the texts before all other records of the event. */
static void metadata_are_the_first_texts(void)
{
	for (int i = 0; i < 4; i++) {
		struct recording recording = { 0 };
		struct bytes payload = { 0 };
		struct gpuoa_reader *reader;
		uint64_t value = 0;

		add_event(&recording, TEST_SAMPLE_TYPE, ID);
		add_event(&recording, TEST_SAMPLE_TYPE, OTHER_ID);
		put_head(&payload);
		put_text(&payload, 1, "EuCoresT", 0, 24);
		if (i == 1)
			put_stream(&payload);
		put_text(&payload, 1, "otalCoun", 8, 24);
		put_sample(&recording.records, ID, 0, &payload);
		clear(&payload);
		put_foreign_sample(&recording.records, OTHER_ID);
		put_foreign_sample(&recording.records, ID);
		if (i == 2) {
			put_reports_sample(&recording.records, ID, 0, 1);
			put_reports_sample(&recording.records, ID, 1, 1);
		}
		put_head(&payload);
		put_text(&payload, 1, "t=4321\n\n", i == 3 ? 8 : 16, 24);
		put_sample(&recording.records, ID, 0, &payload);
		clear(&payload);
		put_first_sample(&recording.records, ID);
		if (i == 3) {
			const struct findings found = find(&recording);

			CHECK(found.result == -EBADMSG);
			CHECK(ends_with(found.error, ": cannot open: damaged metrics"));
			continue;
		}
		reader = open_laid_out(&recording);
		REQUIRE(reader);
		CHECK(!gpuoa_constants_get(gpuoa_reader_constants(reader), "EuCoresTotalCount",
					   &value));
		CHECK(value == (i == 0 ? 4321 : 20));
		gpuoa_reader_close(reader);
	}
}

int main(void)
{
	RUN(events_with_samples_of_gpuoa_are_streams);
	RUN(errors_name_the_only_stream);
	RUN(first_of_undescribed_streams_is_opened);
	RUN(descriptions_that_cannot_be_used_are_reported);
	RUN(opening_reads_only_as_much_as_necessary);
	RUN(last_stream_is_found_at_the_end);
	RUN(last_stream_of_stock_drivers_is_found);
	RUN(each_failed_read_is_reported);
	RUN(short_reads_are_continued);
	RUN(file_truncated_later_is_damaged);
	RUN(file_descriptor_may_be_0);
	RUN(records_are_read_across_the_window);
	RUN(incomplete_loss_records_have_no_number);
	RUN(losses_are_summed_up);
	RUN(loss_of_other_event_counts_in_shared_buffer);
	RUN(loss_on_unknown_cpu_is_not_of_this_event);
	RUN(repeated_samples_are_only_skipped_in_files_of_perf);
	RUN(damaged_sample_ends_reading);
	RUN(times_and_owners_leave_the_position);
	RUN(owners_are_read_once);
	RUN(first_clock_pair_is_of_the_monotonic_clock);
	RUN(metadata_are_the_first_texts);
	return tap_end();
}
