// SPDX-License-Identifier: MIT
/*
 * perfdata_test.c - Test recordings: files written by perf are read, and damaged ones are rejected.
 */
#define _GNU_SOURCE
#include <errno.h>
#include <fcntl.h>
#include <sys/stat.h>
#include <time.h>

#include "failing.h"
#include "fixture.h"
#include "recording.h"
#include "tap.h"

#define ID 42
#define OTHER_ID 43

/* Sample types that the stock perf tool uses for one event, and for several events */
#define PERF_SAMPLE_TYPE_ONE                                                     \
	(PERF_SAMPLE_IP | PERF_SAMPLE_TID | PERF_SAMPLE_TIME | PERF_SAMPLE_CPU | \
	 PERF_SAMPLE_PERIOD | PERF_SAMPLE_RAW)
#define PERF_SAMPLE_TYPE_MANY (PERF_SAMPLE_TYPE_ONE | PERF_SAMPLE_ID)

static struct recording simple(void)
{
	struct recording recording = { 0 };

	add_event(&recording, TEST_SAMPLE_TYPE, ID);
	put_first_sample(&recording.records, ID);
	put_reports_sample(&recording.records, ID, 0, 10);
	put_reports_sample(&recording.records, ID, 10, 30);
	return recording;
}

/* reading */

static void recording_describes_itself(void)
{
	struct recording recording = simple();
	struct bytes file = lay_out(&recording);
	struct gpuoa_reader_desc desc;
	struct gpuoa_unit_desc unit;
	struct gpuoa_reader *reader;
	uint64_t eus = 0;

	REQUIRE(!open_bytes(&file, &reader, NULL, 0));
	gpuoa_reader_describe(reader, &desc, sizeof(desc));
	CHECK_STRING(desc.uuid, TEST_UUID);
	gpuoa_reader_describe_unit(reader, &unit, sizeof(unit));
	CHECK_STRING(unit.platform, "hsw");
	CHECK(desc.report_size == TEST_REPORT_SIZE && desc.exponent == TEST_EXPONENT);
	CHECK(gpuoa_reader_platform(reader) == gpuoa_platform_find("hsw"));
	CHECK(!gpuoa_constants_get(gpuoa_reader_constants(reader), "EuCoresTotalCount", &eus));
	CHECK(eus == 20);
	gpuoa_reader_close(reader);
	clear(&file);
	clear(&recording.records);
}

static void recording_rejects_stream_functions(void)
{
	struct recording recording = simple();
	struct bytes file = lay_out(&recording);
	struct gpuoa_recorder *recorder;
	struct gpuoa_reader *reader;

	REQUIRE(!open_bytes(&file, &reader, NULL, 0));
	CHECK(gpuoa_reader_wait(reader, 0) == 0);
	CHECK(gpuoa_reader_fd(reader) == -EOPNOTSUPP);
	CHECK(gpuoa_reader_enable(reader) == -EOPNOTSUPP);
	CHECK(gpuoa_reader_disable(reader) == -EOPNOTSUPP);
	CHECK(gpuoa_recorder_open(&reader, 1, "/dev/null", &recorder, NULL, 0) == -EOPNOTSUPP);
	gpuoa_reader_close(reader);
	clear(&file);
	clear(&recording.records);
}

static void all_reports_are_read(void)
{
	struct recording recording = simple();
	const struct findings found = find(&recording);

	CHECK(found.result == 0 && found.reports == 40 && found.in_order);
	CHECK(found.gaps == 0 && !found.lost_ring && !found.lost_unknown);
}

static void read_after_the_end_returns_the_end(void)
{
	struct recording recording = simple();
	struct bytes file = lay_out(&recording);
	struct findings found = { 0 };
	struct gpuoa_read_status status;
	struct gpuoa_reader *reader;

	REQUIRE(!open_bytes(&file, &reader, NULL, 0));
	read_all(reader, &found);
	for (int i = 0; i < 3; i++) {
		CHECK(gpuoa_reader_read(reader, NULL, 1, &status) == 0);
		CHECK(status.end);
	}
	gpuoa_reader_close(reader);
	clear(&file);
	clear(&recording.records);
}

static void pipe_layout_is_read(void)
{
	struct recording recording = simple();
	struct bytes file;
	struct findings found;

	add_event(&recording, TEST_SAMPLE_TYPE, OTHER_ID);
	put_reports_sample(&recording.records, OTHER_ID, 99, 5);
	file = lay_out_pipe(&recording);
	found = find_in(&file);
	CHECK(found.result == 0 && found.reports == 40 && found.gaps == 0);
	clear(&file);
	clear(&recording.records);
}

static void attributes_of_other_sizes_are_read(void)
{
	static const size_t sizes[] = { PERF_ATTR_SIZE_VER0, PERF_ATTR_SIZE_VER5, 256 };

	for (size_t i = 0; i < sizeof(sizes) / sizeof(sizes[0]); i++) {
		struct recording recording = simple();

		recording.attr_size = sizes[i];
		CHECK(find(&recording).reports == 40);
	}
}

static void samples_of_other_events_are_skipped(void)
{
	struct recording recording = { 0 };
	struct findings found;

	add_event(&recording, TEST_SAMPLE_TYPE & ~PERF_SAMPLE_RAW, OTHER_ID);
	add_event(&recording, TEST_SAMPLE_TYPE, ID);
	for (int i = 0; i < 5; i++) {
		const size_t at = begin_record(&recording.records, PERF_RECORD_SAMPLE);

		put64(&recording.records, OTHER_ID);
		put(&recording.records, NULL, 24);
		end_record(&recording.records, at);
		if (!i)
			put_first_sample(&recording.records, ID);
		put_reports_sample(&recording.records, ID, i, 1);
	}
	found = find(&recording);
	CHECK(found.result == 0 && found.reports == 5 && found.gaps == 0);
}

static void first_unit_is_read_by_default(void)
{
	struct recording recording = simple();
	struct findings found;

	add_event(&recording, TEST_SAMPLE_TYPE, OTHER_ID);
	put_first_sample(&recording.records, OTHER_ID);
	put_reports_sample(&recording.records, OTHER_ID, 500, 3);
	put_reports_sample(&recording.records, ID, 40, 2);
	found = find(&recording);
	CHECK(found.result == 0 && found.reports == 42 && found.gaps == 0);
}

/* Append a sample as 'perf record' writes it without further options. */
static void put_perf_sample(struct bytes *records, uint64_t type, const struct bytes *payload)
{
	const size_t at = begin_record(records, PERF_RECORD_SAMPLE);

	put(records, NULL, 24); /* IP, TID, TIME */
	if (type & PERF_SAMPLE_ID)
		put64(records, ID);
	put(records, NULL, 16); /* CPU, PERIOD */
	if (type & PERF_SAMPLE_READ) { /* a group of two events that have ids */
		put64(records, 2);
		put(records, NULL, 32);
	}
	if (type & PERF_SAMPLE_CALLCHAIN) {
		put64(records, 3);
		put(records, NULL, 24);
	}
	put32(records, payload->size);
	put(records, payload->data, payload->size);
	end_record(records, at);
}

static struct findings find_perf_samples(uint64_t type)
{
	struct recording recording = { 0 };
	struct bytes payload = { 0 };

	add_event(&recording, type, ID);
	recording.events[0].attr.read_format = PERF_FORMAT_GROUP | PERF_FORMAT_ID;
	if (type & PERF_SAMPLE_ID)
		add_event(&recording, type, OTHER_ID);
	put_head(&payload);
	put_stream(&payload);
	put_reports(&payload, 0, 4);
	put_perf_sample(&recording.records, type, &payload);
	clear(&payload);
	return find(&recording);
}

static void all_sample_layouts_of_perf_are_read(void)
{
	CHECK(find_perf_samples(PERF_SAMPLE_TYPE_ONE).reports == 4);
	CHECK(find_perf_samples(PERF_SAMPLE_TYPE_MANY).reports == 4);
	CHECK(find_perf_samples(PERF_SAMPLE_TYPE_MANY | PERF_SAMPLE_READ).reports == 4);
	CHECK(find_perf_samples(PERF_SAMPLE_TYPE_MANY | PERF_SAMPLE_CALLCHAIN).reports == 4);
	CHECK(find_perf_samples(PERF_SAMPLE_TYPE_MANY | PERF_SAMPLE_READ | PERF_SAMPLE_CALLCHAIN)
		      .reports == 4);
}

static void description_may_follow_reports(void)
{
	struct recording recording = { 0 };
	struct findings found;

	add_event(&recording, TEST_SAMPLE_TYPE, ID);
	put_reports_sample(&recording.records, ID, 100, 7);
	put_first_sample(&recording.records, ID);
	put_reports_sample(&recording.records, ID, 107, 3);
	found = find(&recording);
	CHECK(found.result == 0 && found.reports == 10 && found.gaps == 0);
}

static void first_read_returns_first_clock_pair(void)
{
	static uint8_t reports[16 * TEST_REPORT_SIZE];
	struct recording recording = { 0 };
	struct gpuoa_read_status status;
	struct bytes file, payload = { 0 };
	struct gpuoa_reader *reader;

	add_event(&recording, TEST_SAMPLE_TYPE, ID);
	add_event(&recording, TEST_SAMPLE_TYPE, OTHER_ID);
	put_reports_sample(&recording.records, ID, 100, 7);
	put_head(&payload);
	put_clock(&payload, 555); /* from another unit */
	put_sample(&recording.records, OTHER_ID, 0, &payload);
	put_first_sample(&recording.records, ID);
	put_reports_sample(&recording.records, ID, 107, 3);
	file = lay_out(&recording);
	REQUIRE(!open_bytes(&file, &reader, NULL, 0));
	CHECK(gpuoa_reader_read(reader, reports, 0, &status) == 0 && !status.has_clock);
	CHECK(gpuoa_reader_read(reader, reports, 5, &status) == 5);
	CHECK(status.has_clock && status.clock.gpu_ticks == 1000);
	CHECK(gpuoa_reader_read(reader, reports, 5, &status) == 2);
	CHECK(!status.has_clock);
	CHECK(gpuoa_reader_read(reader, reports, 5, &status) == 3);
	CHECK(status.has_clock && status.clock.gpu_ticks == 1000);
	gpuoa_reader_close(reader);
	clear(&file);
	clear(&payload);
	clear(&recording.records);
}

static void records_of_other_kinds_are_skipped(void)
{
	struct recording recording = simple();
	struct findings found;
	size_t at;

	at = begin_record(&recording.records, PERF_RECORD_COMM);
	put(&recording.records, NULL, 21); /* unaligned */
	end_record(&recording.records, at);
	at = begin_record(&recording.records, 999);
	put(&recording.records, NULL, 64);
	end_record(&recording.records, at);
	at = begin_record(&recording.records, PERFDATA_AUXTRACE);
	/* the size of this data exceeds the part of the file that is mapped */
	put64(&recording.records, 300000);
	put(&recording.records, NULL, 32);
	end_record(&recording.records, at);
	put(&recording.records, NULL, 300000);
	put_reports_sample(&recording.records, ID, 40, 1);
	found = find(&recording);
	CHECK(found.result == 0 && found.reports == 41 && found.gaps == 0);
}

/*
 * Read a recording that has a record of @body bytes, which begins with its size of @width bytes,
 * @announced, and is followed by @present bytes.
 */
static struct findings find_payload(uint32_t type, size_t width, size_t body, uint64_t announced,
				    size_t present, bool more)
{
	struct recording recording = simple();
	size_t at = begin_record(&recording.records, type);

	put(&recording.records, &announced, width < body ? width : body);
	if (body > width)
		put(&recording.records, NULL, body - width);
	end_record(&recording.records, at);
	if (present)
		put(&recording.records, NULL, present);
	if (more)
		put_reports_sample(&recording.records, ID, 40, 1);
	return find(&recording);
}

static void payloads_after_records_are_skipped(void)
{
	static const struct {
		uint32_t type;
		size_t width;
	} kinds[] = { { PERFDATA_AUXTRACE, 8 }, { PERFDATA_TRACING_DATA, 4 } };
	struct findings found;

	for (size_t i = 0; i < 2; i++) {
		const uint32_t type = kinds[i].type;
		const size_t width = kinds[i].width;

		for (size_t size = 0; size <= 64; size += 8) {
			found = find_payload(type, width, 8, size, size, true);
			CHECK(found.result == 0 && found.reports == 41 && found.gaps == 0);
			found = find_payload(type, width, 8, size, size, false);
			CHECK(found.result == 0 && found.reports == 40);
			found = find_payload(type, width, 8, size + 1, size, false);
			CHECK(found.result == -EBADMSG && found.reports == 40);
		}
		found = find_payload(type, width, width, 0, 0, false);
		CHECK(found.result == 0 && found.reports == 40);
		found = find_payload(type, width, width - 1, 0, 0, false);
		CHECK(found.result == -EBADMSG && found.reports == 40);
	}
}

static void largest_samples_are_read(void)
{
	struct recording recording = simple();
	struct findings found;

	for (uint32_t i = 0; i < 40; i++)
		put_reports_sample(&recording.records, ID, 40 + i * 250, 250);
	found = find(&recording);
	CHECK(found.result == 0 && found.reports == 10040 && found.in_order && found.gaps == 0);
}

/* losses */

static void missing_samples_are_a_gap(void)
{
	struct recording recording = simple();
	struct findings found;

	put_perf_lost(&recording.records, ID, 0, 2);
	put_reports_sample(&recording.records, ID, 60, 5);
	found = find(&recording);
	CHECK(found.reports == 45 && found.gaps == 1 && found.lost_ring == 20 &&
	      !found.lost_unknown);
}

/* perf may write the last samples of a round again in the next round. */
static void repeated_samples_are_skipped(void)
{
	struct recording recording = simple();
	struct findings found;

	put_reports_sample(&recording.records, ID, 0, 10);
	put_reports_sample(&recording.records, ID, 10, 30);
	put_reports_sample(&recording.records, ID, 40, 1);
	put_reports_sample(&recording.records, ID, 40, 1);
	put_reports_sample(&recording.records, ID, 41, 2);
	found = find(&recording);
	CHECK(found.result == 0 && found.reports == 43 && found.in_order);
	CHECK(found.gaps == 0 && !found.lost_ring && !found.lost_unknown);
}

/* A sample with a report that was not read before is not skipped. */
static void partly_repeated_samples_are_read(void)
{
	struct recording recording = simple();
	struct findings found;

	put_reports_sample(&recording.records, ID, 30, 11);
	found = find(&recording);
	CHECK(found.result == 0 && found.reports == 51);
	CHECK(found.gaps == 1 && found.lost_unknown);
}

static void loss_of_other_event_counts_on_same_cpu(void)
{
	for (uint32_t cpu = 0; cpu < 2; cpu++) {
		struct recording recording = simple();
		struct findings found;

		add_event(&recording, TEST_SAMPLE_TYPE, OTHER_ID);
		put_perf_lost(&recording.records, OTHER_ID, cpu, 2);
		put_reports_sample(&recording.records, ID, 40, 5);
		found = find(&recording);
		CHECK(found.reports == 45 && found.lost_ring == 0);
		CHECK(found.lost_unknown == (cpu == 0) && found.gaps == (cpu == 0));
	}
}

static void losses_known_by_sum_are_reported(void)
{
	for (uint64_t sum = 2; sum <= 3; sum++) {
		struct recording recording = simple();
		struct findings found;

		put_perf_lost(&recording.records, ID, 0, 2);
		put_reports_sample(&recording.records, ID, 60, 5);
		put_lost_samples(&recording.records, ID, 0, sum);
		found = find(&recording);
		CHECK(found.lost_ring == 20 && found.lost_unknown == (sum == 3));
	}
}

/* rejected files */

static void other_files_are_rejected(void)
{
	static const char text[] =
		"This is no recording but a text, which is long enough for a header of perf.data, "
		"if it were one, and that it is not.";
	struct bytes file = { (uint8_t *)text, sizeof(text) };
	struct findings found;

	found = find_in(&file);
	CHECK(found.result == -EBADMSG);
	CHECK(strstr(
		found.error,
		": cannot open: not a perf.data file, and not a recording of i915-perf-recorder"));
	file.size = 0;
	CHECK(find_in(&file).result == -EBADMSG);
	file.size = 7;
	CHECK(find_in(&file).result == -EBADMSG);
}

static void open_errors_have_messages(void)
{
	struct gpuoa_reader *reader;
	char error[128];

	CHECK(gpuoa_file_open("/nonexistent/file", &reader, error, sizeof(error)) == -ENOENT);
	CHECK_STRING(error, "/nonexistent/file: cannot open: No such file or directory");
	CHECK(gpuoa_file_open_stream("/nonexistent/file", 3, &reader, error, sizeof(error)) ==
	      -ENOENT);
	CHECK_STRING(error, "/nonexistent/file: cannot open stream 3: No such file or directory");
	CHECK(gpuoa_file_open("/", &reader, error, sizeof(error)) == -ESPIPE);
	CHECK_STRING(error, "/: cannot open: not a regular file");
	CHECK(gpuoa_file_open("/dev/null", &reader, error, sizeof(error)) == -ESPIPE);
	CHECK(gpuoa_file_open("/nonexistent/file", &reader, NULL, 0) == -ENOENT);
}

static void wait_on_a_recording_returns_at_once(void)
{
	char directory[] = "/tmp/gpuoa-perfdata-XXXXXX", path[64];
	struct gpuoa_reader *reader;

	REQUIRE(mkdtemp(directory));
	snprintf(path, sizeof(path), "%s/fifo", directory);
	if (CHECK(!mkfifo(path, 0600))) {
		alarm(60);
		CHECK(gpuoa_file_open(path, &reader, NULL, 0) == -ESPIPE);
		alarm(0);
		unlink(path);
	}
	rmdir(directory);
}

static void error_text_is_not_repeated(void)
{
	struct recording recording = simple();
	struct bytes file = lay_out(&recording);
	struct gpuoa_reader *reader;
	char error[64] = "stale";

	if (CHECK(!open_bytes(&file, &reader, error, sizeof(error))))
		gpuoa_reader_close(reader);
	CHECK_STRING(error, "");
	clear(&file);
	clear(&recording.records);
}

static void other_byte_order_is_rejected(void)
{
	struct recording recording = simple();
	struct bytes file = lay_out(&recording);
	const uint64_t swapped = __builtin_bswap64(PERFDATA_MAGIC);

	memcpy(file.data, &swapped, sizeof(swapped));
	for (int i = 0; i < 2; i++) {
		const struct findings found = find_in(&file);

		CHECK(found.result == -EOPNOTSUPP);
		CHECK(strstr(found.error, "recorded by a machine of the other byte order"));
		file.size = sizeof(swapped);
	}
	file.size--;
	CHECK(find_in(&file).result == -EBADMSG);
	clear(&file);
	clear(&recording.records);
}

/* ---- limits of the header ---- */

/* A file that ends with its table of one event */
static struct bytes with_table_at_end(void)
{
	struct recording recording = simple();
	struct bytes file = lay_out(&recording);
	struct perfdata_header header;

	memcpy(&header, file.data, sizeof(header));
	put(&file, NULL, header.attrs.size);
	memcpy(file.data + file.size - header.attrs.size, file.data + header.attrs.offset,
	       header.attrs.size);
	header.attrs.offset = file.size - header.attrs.size;
	memcpy(file.data, &header, sizeof(header));
	clear(&recording.records);
	return file;
}

/* Check what opening the file with another header returns; 0: all reports can be read. */
static void check_header(const struct bytes *file, struct perfdata_header header, int result,
			 const char *text)
{
	struct bytes changed = { 0 };
	struct findings found;

	put(&changed, file->data, file->size);
	memcpy(changed.data, &header, sizeof(header));
	found = find_in(&changed);
	if (!CHECK(found.result == result) || !CHECK(!text || strstr(found.error, text)))
		printf("# %d, not %d: %s\n", found.result, result, found.error);
	clear(&changed);
}

/* Check that a file with another header, which announces more records, has this many reports. */
static void check_reports(const struct bytes *file, struct perfdata_header header, uint64_t reports)
{
	struct bytes changed = { 0 };
	struct findings found;

	put(&changed, file->data, file->size);
	memcpy(changed.data, &header, sizeof(header));
	found = find_in(&changed);
	CHECK(found.result == -EBADMSG && found.reports == reports && !*found.error);
	clear(&changed);
}

static void header_refers_to_parts_of_the_file(void)
{
	struct bytes file = with_table_at_end();
	struct perfdata_header header, changed;

	memcpy(&header, file.data, sizeof(header));
	check_header(&file, header, 0, NULL);
	changed = header;
	changed.size = PERFDATA_MIN_HEADER;
	check_header(&file, changed, 0, NULL);
	changed.size--;
	check_header(&file, changed, -EBADMSG, "damaged header (too short)");
	changed.size = PERFDATA_PIPE_HEADER + 1;
	check_header(&file, changed, -EBADMSG, "damaged header (too short)");
	/* The table of events */
	changed = header;
	changed.attrs.size++;
	check_header(&file, changed, -EBADMSG, "damaged table of events");
	changed = header;
	changed.attrs.offset++;
	check_header(&file, changed, -EBADMSG, "damaged table of events");
	changed.attrs.offset = file.size + 1;
	check_header(&file, changed, -EBADMSG, "damaged table of events");
	changed.attrs.offset = UINT64_MAX - 8;
	check_header(&file, changed, -EBADMSG, "damaged table of events");
	changed = header;
	changed.attrs.size--;
	check_header(&file, changed, -EBADMSG, "damaged table of events");
	changed = header;
	changed.attr_size++; /* more than the table */
	check_header(&file, changed, -EBADMSG, "damaged table of events");
	changed.attr_size = PERF_ATTR_SIZE_VER0 + sizeof(struct perfdata_section) - 1;
	check_header(&file, changed, -EBADMSG, "damaged table of events");
	changed.attr_size = 0;
	check_header(&file, changed, -EBADMSG, "damaged table of events");
	/* The records */
	changed = header;
	changed.data.offset = file.size + 1;
	check_header(&file, changed, -EBADMSG, "damaged header (records outside of the file)");
	changed.data.offset--;
	changed.data.size = 0;
	check_header(&file, changed, -ENODATA, NULL);
	changed = header;
	changed.data.size = UINT64_MAX - changed.data.offset;
	check_reports(&file, changed, 40);
	changed.data.size++;
	check_header(&file, changed, -EBADMSG, "damaged header (records outside of the file)");
	clear(&file);
}

/* The ids of an event are in another section. */
static void ids_are_parts_of_the_file(void)
{
	struct bytes file = with_table_at_end();
	struct perfdata_section ids;
	uint8_t *at = file.data + file.size - sizeof(ids);
	static const struct {
		int64_t offset, size; /* offset: from the end of the file */
		int result;
	} cases[] = {
		{ -8, 8, 0 }, { -7, 8, -EBADMSG }, { 0, 8, -EBADMSG },	  { 1, 0, -EBADMSG },
		{ 0, 0, 0 },  { -16, 16, 0 },	   { -16, 24, -EBADMSG },
	};

	for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
		ids.offset = file.size + (uint64_t)cases[i].offset;
		ids.size = (uint64_t)cases[i].size;
		memcpy(at, &ids, sizeof(ids));
		/* A single event needs no ids. */
		if (!CHECK(find_in(&file).result == cases[i].result))
			printf("# case %zu\n", i);
	}
	clear(&file);
}

static void shortest_files_are_told_apart(void)
{
	struct recording recording = { .event_count = 0 };
	struct bytes pipe = lay_out_pipe(&recording), file = with_table_at_end();
	struct findings found;

	CHECK(pipe.size == PERFDATA_PIPE_HEADER && find_in(&pipe).result == -ENODATA);
	pipe.size--;
	found = find_in(&pipe);
	CHECK(found.result == -EBADMSG && strstr(found.error, "not a perf.data file"));
	pipe.size++;
	clear(&pipe);
	file.size = PERFDATA_MIN_HEADER - 1;
	found = find_in(&file);
	CHECK(found.result == -EBADMSG && strstr(found.error, "too short"));
	file.size++;
	found = find_in(&file);
	CHECK(found.result == -EBADMSG && strstr(found.error, "records outside of the file"));
	clear(&file);
}

/* In the pipe layout, an event is a record with the size of its attributes. */
static void events_of_a_pipe_are_within_their_records(void)
{
	static const struct {
		uint32_t size; /* as announced */
		size_t body;
		int result;
	} cases[] = {
		{ PERF_ATTR_SIZE_VER0, PERF_ATTR_SIZE_VER0, 0 },
		{ PERF_ATTR_SIZE_VER0, PERF_ATTR_SIZE_VER0 + 8, 0 },
		{ PERF_ATTR_SIZE_VER0 - 8, PERF_ATTR_SIZE_VER0, -EBADMSG },
		{ PERF_ATTR_SIZE_VER0 + 8, PERF_ATTR_SIZE_VER0, -EBADMSG },
		{ PERF_ATTR_SIZE_VER0 + 8, PERF_ATTR_SIZE_VER0 + 8, 0 },
		{ PERF_ATTR_SIZE_VER0, PERF_ATTR_SIZE_VER0 - 8, -EBADMSG },
		{ 256, 256, 0 }, /* of a later kernel */
		{ 257, 256, -EBADMSG },
	};

	for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
		struct recording recording = simple();
		struct bytes file = begin_pipe();
		struct perf_event_attr attr = recording.events[0].attr;
		uint8_t body[256] = { 0 };
		size_t at;

		attr.size = cases[i].size;
		memcpy(body, &attr, sizeof(attr));
		at = begin_record(&file, PERFDATA_ATTR);
		put(&file, body, cases[i].body);
		end_record(&file, at);
		put(&file, recording.records.data, recording.records.size);
		if (!CHECK(find_in(&file).result == cases[i].result))
			printf("# case %zu\n", i);
		clear(&file);
		clear(&recording.records);
	}
}

static void put_event_record(struct bytes *file, const uint64_t *ids, size_t count)
{
	const struct perf_event_attr attr = test_attr(TEST_SAMPLE_TYPE);
	const size_t at = begin_record(file, PERFDATA_ATTR);

	put(file, &attr, sizeof(attr));
	put(file, ids, count * sizeof(*ids));
	end_record(file, at);
}

static const uint64_t first_ids[] = { 50, 7, 30, 90, 12 };
static const uint64_t second_ids[] = { 60, 8 };
static const uint64_t third_ids[] = { 3, 70 };

/* A pipe with two events. An event has an id per CPU, in any order. */
static struct bytes begin_two_events(void)
{
	struct bytes file = begin_pipe();

	put_event_record(&file, first_ids, 5);
	put_event_record(&file, second_ids, 2);
	return file;
}

static void ids_are_found_in_any_order(void)
{
	static const uint64_t ids[] = { 50, 7, 30, 90, 12, 60, 8 };
	const size_t second_at =
		PERFDATA_PIPE_HEADER + 8 + sizeof(struct perf_event_attr) + sizeof(first_ids);

	for (size_t i = 0; i < sizeof(ids) / sizeof(ids[0]); i++)
		for (int later = 0; later < 2; later++) {
			struct bytes file = begin_two_events();
			struct findings found;
			uint64_t word;

			put_first_sample(&file, ids[i]);
			put_reports_sample(&file, ids[i], 0, 10);
			if (later)
				put_event_record(&file, third_ids, 2);
			put_reports_sample(&file, ids[i], 10, 5);
			/* of ids that nothing describes; the second one follows the first list */
			put_reports_sample(&file, 1000, 15, 5);
			memcpy(&word, file.data + second_at, sizeof(word));
			put_reports_sample(&file, word, 20, 5);
			found = find_in(&file);
			if (!CHECK(!found.result && found.reports == 15 && found.in_order))
				printf("# id %u: %u\n", (unsigned int)ids[i],
				       (unsigned int)found.reports);
			clear(&file);
		}
}

/* The only sample is found. */
static void first_sample_belongs_to_its_event(void)
{
	static const uint64_t ids[] = { 50, 7, 30, 90, 12, 60, 8 };

	for (size_t i = 0; i < sizeof(ids) / sizeof(ids[0]); i++) {
		struct bytes file = begin_two_events(), payload = { 0 };

		put_head(&payload);
		put_stream(&payload);
		put_reports(&payload, 0, 3);
		put_sample(&file, ids[i], 0, &payload);
		CHECK(find_in(&file).reports == 3);
		clear(&payload);
		clear(&file);
	}
}

/* Without ids in the samples, they cannot be assigned to one of several events. */
static void samples_without_id_belong_to_no_event(void)
{
	const uint64_t type = TEST_SAMPLE_TYPE & ~(uint64_t)PERF_SAMPLE_IDENTIFIER;

	for (uint64_t events = 1; events <= 2; events++) {
		struct recording recording = { 0 };
		struct bytes payload = { 0 };
		size_t at;

		for (uint64_t id = 0; id < events; id++)
			add_event(&recording, type, id);
		put_head(&payload);
		put_stream(&payload);
		put_reports(&payload, 0, 3);
		at = begin_record(&recording.records, PERF_RECORD_SAMPLE);
		put(&recording.records, NULL, 24); /* TID, TIME, CPU */
		put32(&recording.records, payload.size);
		put(&recording.records, payload.data, payload.size);
		end_record(&recording.records, at);
		clear(&payload);
		CHECK(find(&recording).result == (events == 1 ? 0 : -ENODATA));
	}
}

/* Programs that the process starts do not get its files. */
static void file_is_closed_in_other_programs(void)
{
	struct recording recording = simple();
	struct bytes file = lay_out(&recording);
	struct gpuoa_reader *reader;
	char path[32];
	const int content = file_of(&file, path), fd = failing_file();

	REQUIRE(!gpuoa_file_open(path, &reader, NULL, 0));
	CHECK(fcntl(fd, F_GETFD) == FD_CLOEXEC);
	gpuoa_reader_close(reader);
	CHECK(fcntl(fd, F_GETFD) == -1);
	close(content);
	clear(&file);
	clear(&recording.records);
}

static void event_may_follow_samples_of_others(void)
{
	for (size_t i = 0; i < 2; i++) {
		struct bytes file = begin_two_events();
		struct findings found;

		put_reports_sample(&file, second_ids[0], 0, 10);
		put_event_record(&file, third_ids, 2);
		put_first_sample(&file, third_ids[i]);
		put_reports_sample(&file, third_ids[i], 0, 10);
		found = find_in(&file);
		CHECK(!found.result && found.reports == 10);
		clear(&file);
	}
}

static void compressed_records_are_rejected(void)
{
	struct recording recording = { 0 };
	struct findings found;
	size_t at;

	add_event(&recording, TEST_SAMPLE_TYPE, ID);
	at = begin_record(&recording.records, PERFDATA_COMPRESSED);
	put(&recording.records, NULL, 64);
	end_record(&recording.records, at);
	found = find(&recording);
	CHECK(found.result == -EOPNOTSUPP);
	CHECK(strstr(found.error, ": cannot open: compressed; record without -z"));
}

static void recordings_without_gpu_return_enodata(void)
{
	struct recording recording = { 0 };
	struct bytes payload = { 0 };

	add_event(&recording, TEST_SAMPLE_TYPE, ID);
	CHECK(find(&recording).result == -ENODATA);

	put(&payload, "other raw data", 12);
	put_sample(&recording.records, ID, 0, &payload);
	CHECK(find(&recording).result == -ENODATA);
	clear(&payload);
}

static void recordings_without_description_return_enodata(void)
{
	struct recording recording = { 0 };

	add_event(&recording, TEST_SAMPLE_TYPE, ID);
	put_reports_sample(&recording.records, ID, 0, 10);
	CHECK(find(&recording).result == -ENODATA);
}

static void ambiguous_sample_types_are_rejected(void)
{
	struct recording recording = simple();

	add_event(&recording, PERF_SAMPLE_TYPE_MANY, OTHER_ID);
	CHECK(find(&recording).result == -EOPNOTSUPP);
}

/* damage */

static void truncated_file_is_read_to_last_record(void)
{
	struct recording recording = simple();
	struct bytes file = lay_out(&recording);
	struct findings found;

	file.size -= TEST_REPORT_SIZE;
	found = find_in(&file);
	CHECK(found.result == -EBADMSG && found.reports == 10);
	clear(&file);
	clear(&recording.records);
}

static void unfinished_file_is_read_to_last_record(void)
{
	struct recording recording = simple();
	struct bytes file = lay_out(&recording);
	struct findings found;

	memset(file.data + offsetof(struct perfdata_header, data.size), 0, sizeof(uint64_t));
	file.size -= TEST_REPORT_SIZE;
	found = find_in(&file);
	CHECK(found.result == 0 && found.reports == 10);
	clear(&file);
	clear(&recording.records);
}

static void files_truncated_anywhere_return_error(void)
{
	struct recording recording = { 0 };
	struct bytes layouts[2], file;

	add_event(&recording, TEST_SAMPLE_TYPE, ID);
	add_event(&recording, TEST_SAMPLE_TYPE, OTHER_ID);
	put_first_sample(&recording.records, ID);
	put_reports_sample(&recording.records, ID, 0, 2);
	layouts[0] = lay_out(&recording);
	layouts[1] = lay_out_pipe(&recording);
	for (size_t i = 0; i < 2; i++)
		for (file = layouts[i]; file.size--;) {
			const struct findings found = find_in(&file);

			CHECK(found.result < 0 || (i == 1 && found.reports == 0));
			CHECK(found.reports == 0);
		}
	clear(&layouts[0]);
	clear(&layouts[1]);
	clear(&recording.records);
}

/* Change some bytes at random. In half of the files, change sizes and offsets preferably. */
static void damage(struct bytes *file, uint64_t *state)
{
	const size_t changes = 1 + fixture_random(state) % 4;

	for (size_t i = 0; i < changes; i++) {
		const uint64_t random = fixture_random(state);
		const size_t room = random & 1 ? 512 : file->size;
		const size_t at = (random >> 8) % (room < file->size ? room : file->size);

		file->data[at] = random & 2 ? 0xff : random >> 48;
	}
}

static void damaged_files_never_crash(void)
{
	struct recording recording = simple();
	struct bytes layouts[2] = { lay_out(&recording), lay_out_pipe(&recording) };
	uint64_t state = 1;

	for (int i = 0; i < 4000; i++) {
		struct bytes file = { 0 };
		struct findings found;

		put(&file, layouts[i & 1].data, layouts[i & 1].size);
		damage(&file, &state);
		found = find_in(&file);
		if (!CHECK(found.reports <= 40))
			printf("# damaged file %d\n", i);
		clear(&file);
	}
	clear(&layouts[0]);
	clear(&layouts[1]);
	clear(&recording.records);
}

static void overlapping_tables_use_bounded_memory(void)
{
	struct recording recording = simple();
	struct bytes file = lay_out(&recording);
	struct perfdata_header header;

	/*
	 * Fill the file with event descriptions. Each one claims that the whole file is its list of
	 * ids.
	 */
	memcpy(&header, file.data, sizeof(header));
	header.attr_size = PERF_ATTR_SIZE_VER0 + sizeof(struct perfdata_section);
	header.attrs = (struct perfdata_section){ sizeof(header), file.size - sizeof(header) };
	for (size_t at = sizeof(header); at + header.attr_size <= file.size;
	     at += header.attr_size) {
		const struct perfdata_section ids = { 0, file.size };

		memset(file.data + at, 0, PERF_ATTR_SIZE_VER0);
		memcpy(file.data + at + PERF_ATTR_SIZE_VER0, &ids, sizeof(ids));
	}
	memcpy(file.data, &header, sizeof(header));
	CHECK(find_in(&file).result == -EBADMSG);
	clear(&file);
	clear(&recording.records);
}

/* A sparse file takes no space on disk, and must take none in memory. */
static void huge_event_table_returns_e2big(void)
{
	struct recording recording = simple();
	struct bytes file = lay_out(&recording);
	struct perfdata_header header;
	const uint64_t end = 1ull << 31;
	struct gpuoa_reader *reader;
	char path[32], error[64];
	int fd;

	memcpy(&header, file.data, sizeof(header));
	header.attrs.size = end - header.attrs.offset;
	memcpy(file.data, &header, sizeof(header));
	fd = memfd_create("sparse", MFD_CLOEXEC);
	REQUIRE(fd >= 0);
	CHECK(write(fd, file.data, file.size) == (ssize_t)file.size && !ftruncate(fd, end));
	snprintf(path, sizeof(path), "/proc/self/fd/%d", fd);
	CHECK(gpuoa_file_open(path, &reader, error, sizeof(error)) == -E2BIG);
	CHECK(strstr(error, ": cannot open: more than 1024 events"));
	close(fd);
	clear(&file);
	clear(&recording.records);
}

/* Make a file with @count events in either layout, of which the last one has ten reports. */
static struct bytes with_many_events(size_t count, bool pipe)
{
	const struct perf_event_attr attr = test_attr(TEST_SAMPLE_TYPE);
	struct bytes file = { 0 }, records = { 0 };
	struct perfdata_header header = {
		.magic = PERFDATA_MAGIC,
		.size = sizeof(header),
		.attr_size = sizeof(attr) + 16,
		.attrs = { sizeof(header), count * (sizeof(attr) + 16) },
	};

	if (pipe)
		file = begin_pipe();
	else
		put(&file, &header, sizeof(header));
	for (uint64_t id = 0; id < count; id++) {
		const size_t at = pipe ? begin_record(&file, PERFDATA_ATTR) : 0;

		put(&file, &attr, sizeof(attr));
		if (pipe) {
			put64(&file, id);
			end_record(&file, at);
		} else {
			put64(&file, header.attrs.offset + header.attrs.size + 8 * id);
			put64(&file, 8);
		}
	}
	for (uint64_t id = 0; id < count && !pipe; id++)
		put64(&file, id);
	put_first_sample(&records, count - 1);
	put_reports_sample(&records, count - 1, 0, 10);
	header.data.offset = put(&file, records.data, records.size);
	header.data.size = records.size;
	if (!pipe)
		memcpy(file.data, &header, sizeof(header));
	clear(&records);
	return file;
}

static void more_than_1024_events_return_e2big(void)
{
	for (int pipe = 0; pipe < 2; pipe++)
		for (size_t count = 1023; count <= 1025; count++) {
			struct bytes file = with_many_events(count, pipe);
			const struct findings found = find_in(&file);

			CHECK(found.result == (count <= 1024 ? 0 : -E2BIG));
			CHECK(found.reports == (count <= 1024 ? 10 : 0));
			CHECK(count <= 1024 ||
			      strstr(found.error, ": cannot open: more than 1024 events"));
			clear(&file);
		}
}

/* The lists of ids may overlap, but together have at most as many ids as the file has words. */
static void ids_are_at_most_the_words_of_the_file(void)
{
	for (int lists = 1; lists <= 2; lists++) {
		struct recording recording = simple();
		struct bytes file;
		struct perfdata_header header;
		struct perfdata_section ids;
		size_t end;

		add_event(&recording, TEST_SAMPLE_TYPE, OTHER_ID);
		file = lay_out(&recording);
		put(&file, NULL, -file.size % 8);
		ids = (struct perfdata_section){ 0, file.size };
		memcpy(&header, file.data, sizeof(header));
		end = header.attrs.offset + header.attrs.size;
		/* The last event has the whole file, and the one before it has nothing else. */
		memcpy(file.data + end - sizeof(ids), &ids, sizeof(ids));
		ids.size = lists == 1 ? 0 : 8;
		memcpy(file.data + end - header.attr_size - sizeof(ids), &ids, sizeof(ids));
		CHECK(find_in(&file).result == (lists == 1 ? 0 : -EBADMSG));
		clear(&file);
		clear(&recording.records);
	}
}

static void recording_contains_parent_gpu(void)
{
	struct gpuoa_record_stream stream = test_stream();
	struct recording recording = { 0 };
	struct gpuoa_unit_desc unit;
	struct gpuoa_reader *reader;
	struct bytes payload = { 0 }, file;

	add_event(&recording, TEST_SAMPLE_TYPE, ID);
	strcpy(stream.info.parent, "0000:00:02.0");
	put_head(&payload);
	put(&payload, &stream, sizeof(stream));
	put_sample(&recording.records, ID, 0, &payload);
	file = lay_out(&recording);
	if (CHECK(!open_bytes(&file, &reader, NULL, 0))) {
		gpuoa_reader_describe_unit(reader, &unit, sizeof(unit));
		CHECK_STRING(unit.parent, "0000:00:02.0");
		gpuoa_reader_close(reader);
	}
	clear(&file);
	clear(&payload);
	clear(&recording.records);
}

int main(void)
{
	RUN(recording_describes_itself);
	RUN(recording_rejects_stream_functions);
	RUN(all_reports_are_read);
	RUN(read_after_the_end_returns_the_end);
	RUN(pipe_layout_is_read);
	RUN(attributes_of_other_sizes_are_read);
	RUN(samples_of_other_events_are_skipped);
	RUN(first_unit_is_read_by_default);
	RUN(all_sample_layouts_of_perf_are_read);
	RUN(description_may_follow_reports);
	RUN(first_read_returns_first_clock_pair);
	RUN(records_of_other_kinds_are_skipped);
	RUN(payloads_after_records_are_skipped);
	RUN(largest_samples_are_read);
	RUN(missing_samples_are_a_gap);
	RUN(repeated_samples_are_skipped);
	RUN(partly_repeated_samples_are_read);
	RUN(loss_of_other_event_counts_on_same_cpu);
	RUN(losses_known_by_sum_are_reported);
	RUN(other_files_are_rejected);
	RUN(open_errors_have_messages);
	RUN(other_byte_order_is_rejected);
	RUN(header_refers_to_parts_of_the_file);
	RUN(ids_are_parts_of_the_file);
	RUN(shortest_files_are_told_apart);
	RUN(events_of_a_pipe_are_within_their_records);
	RUN(ids_are_found_in_any_order);
	RUN(first_sample_belongs_to_its_event);
	RUN(samples_without_id_belong_to_no_event);
	RUN(file_is_closed_in_other_programs);
	RUN(event_may_follow_samples_of_others);
	RUN(compressed_records_are_rejected);
	RUN(recordings_without_gpu_return_enodata);
	RUN(recordings_without_description_return_enodata);
	RUN(ambiguous_sample_types_are_rejected);
	RUN(truncated_file_is_read_to_last_record);
	RUN(unfinished_file_is_read_to_last_record);
	RUN(files_truncated_anywhere_return_error);
	RUN(overlapping_tables_use_bounded_memory);
	RUN(huge_event_table_returns_e2big);
	RUN(more_than_1024_events_return_e2big);
	RUN(ids_are_at_most_the_words_of_the_file);
	RUN(wait_on_a_recording_returns_at_once);
	RUN(error_text_is_not_repeated);
	RUN(recording_contains_parent_gpu);
	RUN(damaged_files_never_crash);
	return tap_end();
}
