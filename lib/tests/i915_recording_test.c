// SPDX-License-Identifier: MIT
/*
 * i915_recording_test.c - Test reading and writing of recordings in the format of
 * i915-perf-recorder.
 */
#define _GNU_SOURCE
#include <errno.h>
#include <fcntl.h>
#include <time.h>

#include "failing.h"
#include "failing_reads.h"
#include "gpu/i915_topology.h"
#include "gpu/platforms.h"
#include "gpuoa-time.h"
#include "i915_recording.h"
#include "recording.h"
#include "reader/recording/i915_file.h"
#include "report/dword_mask.h"
#include "tap.h"

#define TICK_NS 80
#define BASE_NS UINT64_C(5000000000)

/* Write a recording: ten reports between two clock correlations, a loss, and 100 more reports. */
static struct bytes whole_file(void)
{
	struct bytes file = { 0 };

	put_i915_beginning(&file);
	put_i915_correlation(&file, 0, BASE_NS);
	put_i915_reports(&file, 1, 10);
	put_i915_correlation(&file, 12 * TEST_TICKS, BASE_NS + 12 * TEST_TICKS * TICK_NS);
	put_i915(&file, I915_REPORT_LOST, NULL, 0);
	put_i915_reports(&file, 20, 100);
	put_i915_correlation(&file, 130 * TEST_TICKS, BASE_NS + 130 * TEST_TICKS * TICK_NS);
	return file;
}

static void i915_recording_describes_itself(void)
{
	struct bytes file = whole_file();
	struct gpuoa_reader_desc desc;
	struct gpuoa_reader *reader;
	struct gpuoa_unit_desc unit;
	uint64_t value = 0;

	REQUIRE(!open_bytes(&file, &reader, NULL, 0));
	gpuoa_reader_describe(reader, &desc, sizeof(desc));
	CHECK_STRING(desc.uuid, TEST_UUID);
	CHECK(desc.format == GPUOA_REPORT_A45_B8_C8 && desc.report_size == TEST_REPORT_SIZE);
	CHECK(desc.streams == 1 && desc.stream == 0 && !desc.dword_mask[0]);
	gpuoa_reader_describe_unit(reader, &unit, sizeof(unit));
	CHECK_STRING(unit.platform, "hsw");
	CHECK_STRING(unit.domain, "OA");
	CHECK(unit.device_id == 0x0412 && unit.revision == 6);
	CHECK(unit.timestamp_frequency == 12500000);
	CHECK(unit.gt_min_frequency == 350000000 && unit.gt_max_frequency == 1200000000);
	CHECK(unit.slice_mask == 1 && unit.subslice_mask == 3 && unit.eu_count == 20);
	CHECK(unit.slice_count == 1 && unit.subslice_count == 2);
	CHECK(gpuoa_reader_platform(reader) == gpuoa_platform_find("hsw"));
	CHECK(!gpuoa_constants_get(gpuoa_reader_constants(reader), "EuCoresTotalCount", &value) &&
	      value == 20);
	CHECK(!gpuoa_constants_get(gpuoa_reader_constants(reader), "EuThreadsCount", &value) &&
	      value == 7);
	gpuoa_reader_close(reader);
	clear(&file);
}

static void read_returns_all_reports_and_gap(void)
{
	struct bytes file = whole_file();
	const struct findings findings = find_in(&file);

	CHECK(!findings.result && findings.reports == 110 && findings.in_order);
	CHECK(findings.gaps == 1 && findings.lost_unknown && !findings.lost_ring);
	clear(&file);
}

static void peek_returns_all_reports(void)
{
	struct bytes file = whole_file();
	struct gpuoa_read_status status;
	struct gpuoa_reader *reader;
	const void *reports;
	uint64_t count = 0;
	int n;

	REQUIRE(!open_bytes(&file, &reader, NULL, 0));
	while ((n = gpuoa_reader_peek(reader, &reports, SIZE_MAX, &status)) > 0) {
		CHECK(count || (status.has_clock && status.clock.cpu_ns == BASE_NS));
		CHECK(report_number(reports, n - 1) ==
		      (count + n <= 10 ? count + n : count + n + 9));
		count += n;
	}
	CHECK(!n && status.end && count == 110);
	gpuoa_reader_close(reader);
	clear(&file);
}

static void times_follow_correlations(void)
{
	struct bytes file = whole_file();
	const struct gpuoa_time *time;
	struct gpuoa_reader *reader;
	uint64_t ns;

	REQUIRE(!open_bytes(&file, &reader, NULL, 0));
	REQUIRE(!gpuoa_reader_time(reader, &time));
	CHECK(!gpuoa_time_to_cpu(time, CLOCK_MONOTONIC, 64 * TEST_TICKS, &ns, NULL) &&
	      ns == BASE_NS + 64 * TEST_TICKS * TICK_NS);
	CHECK(gpuoa_time_to_cpu(time, CLOCK_BOOTTIME, 64 * TEST_TICKS, &ns, NULL) == -ENODATA);
	gpuoa_reader_close(reader);
	clear(&file);
}

/* Times are interpolated between all correlations of the file, also those that were not read. */
static void times_are_interpolated_between_correlations(void)
{
	const uint64_t ticks = 1000000000, drift_ns = 1000000;
	const struct gpuoa_time *time;
	struct gpuoa_reader *reader;
	struct bytes file = { 0 };
	uint64_t ns;

	put_i915_beginning(&file);
	put_i915_correlation(&file, 0, BASE_NS);
	put_i915_reports(&file, 0, 3);
	put_i915_correlation(&file, ticks, BASE_NS + ticks * TICK_NS + drift_ns);
	REQUIRE(!open_bytes(&file, &reader, NULL, 0));
	REQUIRE(!gpuoa_reader_time(reader, &time));
	CHECK(!gpuoa_time_to_cpu(time, CLOCK_MONOTONIC, ticks / 2, &ns, NULL));
	CHECK(ns == BASE_NS + ticks / 2 * TICK_NS + drift_ns / 2);
	CHECK(!gpuoa_time_to_cpu(time, CLOCK_MONOTONIC, ticks, &ns, NULL));
	CHECK(ns == BASE_NS + ticks * TICK_NS + drift_ns);
	gpuoa_reader_close(reader);
	clear(&file);
}

static void first_read_returns_correlation(void)
{
	struct bytes file = { 0 };
	struct gpuoa_read_status status;
	struct gpuoa_reader *reader;
	const void *reports;

	put_i915_correlation(&file, 5, BASE_NS);
	clear(&file);
	put_i915_beginning(&file);
	put_i915_reports(&file, 1, 100);
	put_i915_correlation(&file, 1000, BASE_NS);
	REQUIRE(!open_bytes(&file, &reader, NULL, 0));
	CHECK(gpuoa_reader_peek(reader, &reports, SIZE_MAX, &status) > 0);
	CHECK(status.has_clock && status.clock.gpu_ticks == 1000);
	gpuoa_reader_close(reader);
	clear(&file);
}

static void correlations_extend_wrapping_timestamps(void)
{
	const uint64_t top = UINT64_C(1) << I915_TIMESTAMP_BITS;
	const struct i915_correlation correlations[] = { { 1, top - 10 }, { 2, 20 }, { 3, 5 } };
	struct i915_clock clock = { 0 };

	CHECK(i915_clock_pair(&clock, &correlations[0]).gpu_ticks == top - 10);
	CHECK(i915_clock_pair(&clock, &correlations[1]).gpu_ticks == top + 20);
	CHECK(i915_clock_pair(&clock, &correlations[2]).gpu_ticks == top + 5);
}

static void clock_shift_detects_slower_command_streamer(void)
{
	const struct i915_correlation first = { 1000000, 5000000 };
	struct i915_correlation second = { 1001000000, 5000000 + 19200000 };
	struct i915_clock clock = { 0 };

	CHECK(i915_clock_shift(&first, &second, 19200000) == 0);
	CHECK(i915_clock_shift(&first, &second, 38400000) == 1);
	CHECK(i915_clock_shift(&first, &second, 8 * 19200000) == 3);
	CHECK(i915_clock_shift(&first, &second, 16 * 19200000) == 0);
	CHECK(i915_clock_shift(&first, &second, 25000000) == 0);
	CHECK(i915_clock_shift(&first, &first, 38400000) == 0);
	second.cpu_ns = 1500000;
	CHECK(i915_clock_shift(&first, &second, 38400000) == 0);
	clock.shift = 1;
	CHECK(i915_clock_pair(&clock, &first).gpu_ticks == 10000000);
}

static bool fails(struct bytes *file, int expected, const char *words)
{
	struct gpuoa_reader *reader = NULL;
	char error[128] = "";
	const int ret = open_bytes(file, &reader, error, sizeof(error));

	clear(file);
	gpuoa_reader_close(ret ? NULL : reader);
	if (ret != expected || !strstr(error, words))
		printf("# %d: %s\n", ret, error);
	return ret == expected && strstr(error, words);
}

static void unreadable_files_have_messages(void)
{
	struct i915_device_info info = test_i915_info();
	struct bytes file = { 0 };

	put_i915_version(&file, 2);
	CHECK(fails(&file, -EOPNOTSUPP, "version 2"));
	put_i915_version(&file, 1);
	CHECK(fails(&file, -EBADMSG, ": cannot open: damaged (no description of the GPU)"));
	put_i915_version(&file, 1);
	put_i915(&file, I915_DEVICE_INFO, &info, sizeof(info) - 1);
	CHECK(fails(&file, -EBADMSG, "damaged description of the GPU"));
	info.format = 200;
	put_i915_version(&file, 1);
	put_i915(&file, I915_DEVICE_INFO, &info, sizeof(info));
	CHECK(fails(&file, -EOPNOTSUPP, "format 200"));
	info.timestamp_frequency = 0;
	put_i915_version(&file, 1);
	put_i915(&file, I915_DEVICE_INFO, &info, sizeof(info));
	CHECK(fails(&file, -EBADMSG, "frequency"));
	put_i915_beginning(&file);
	file.data[file.size - 16 - 8 + 12] = 200; /* offset of the EU masks */
	CHECK(fails(&file, -EBADMSG, "damaged topology"));
}

static void unknown_gpu_has_no_platform(void)
{
	struct i915_device_info info = test_i915_info();
	struct bytes file = { 0 };
	struct gpuoa_reader *reader;
	struct gpuoa_unit_desc unit;

	info.device_id = 0xffff;
	put_i915_version(&file, 1);
	put_i915(&file, I915_DEVICE_INFO, &info, sizeof(info));
	put_i915_topology(&file);
	REQUIRE(!open_bytes(&file, &reader, NULL, 0));
	gpuoa_reader_describe_unit(reader, &unit, sizeof(unit));
	CHECK_STRING(unit.platform, "8086:ffff");
	CHECK(!gpuoa_reader_platform(reader) && !gpuoa_reader_constants(reader));
	gpuoa_reader_close(reader);
	clear(&file);
}

static void second_stream_returns_erange(void)
{
	struct bytes file = whole_file();
	struct gpuoa_reader *reader;
	char error[128];

	CHECK(open_stream_of(&file, 1, &reader, error, sizeof(error)) == -ERANGE);
	CHECK(strstr(error, ": cannot open stream 1: it has only stream 0"));
	REQUIRE(!open_stream_of(&file, 0, &reader, error, sizeof(error)));
	gpuoa_reader_close(reader);
	clear(&file);
}

static void damaged_record_ends_recording(void)
{
	struct bytes file = whole_file();
	struct findings findings;

	/* The last report */
	memset(file.data + file.size - 24 - 264, 0, 8);
	findings = find_in(&file);
	CHECK(findings.result == -EBADMSG && findings.reports == 109);
	clear(&file);

	put_i915_beginning(&file);
	put_i915_reports(&file, 1, 3);
	put_i915(&file, I915_SAMPLE, NULL, 100);
	findings = find_in(&file);
	CHECK(findings.result == -EBADMSG && findings.reports == 3);
	clear(&file);
}

/*
 * Append a record with @size bytes after its head. The head announces @more bytes more than that,
 * as if the recorder was killed or the disk was full.
 */
static struct findings find_with_record(uint32_t type, size_t size, int more)
{
	struct bytes file = whole_file();
	const struct i915_head head = { .type = type,
					.size = (uint16_t)((int)(sizeof(head) + size) + more) };
	struct findings findings;

	put(&file, &head, sizeof(head));
	put(&file, NULL, size);
	findings = find_in(&file);
	clear(&file);
	return findings;
}

static void sizes_of_records_are_checked(void)
{
	struct findings found;

	CHECK(find_with_record(I915_SAMPLE, TEST_REPORT_SIZE - 1, 0).result == -EBADMSG);
	CHECK(find_with_record(I915_SAMPLE, TEST_REPORT_SIZE + 1, 0).result == -EBADMSG);
	CHECK(!find_with_record(I915_SAMPLE, TEST_REPORT_SIZE, 0).result);
	CHECK(find_with_record(I915_CORRELATION, sizeof(struct i915_correlation) - 1, 0).result ==
	      -EBADMSG);
	CHECK(!find_with_record(I915_CORRELATION, sizeof(struct i915_correlation), 0).result);
	/* A record cannot be smaller than its head; an unknown one can be anything else. */
	CHECK(find_with_record(9999, 0, -1).result == -EBADMSG);
	CHECK(!find_with_record(9999, 0, 0).result && !find_with_record(9999, 60000, 0).result);
	/* The last record is not complete. */
	found = find_with_record(I915_SAMPLE, TEST_REPORT_SIZE - 1, 1);
	CHECK(!found.result && found.reports == 110);
}

/* A record that is not known has no effect, whatever precedes it. */
static void unknown_records_are_skipped(void)
{
	for (int i = 0; i < 3; i++) {
		struct gpuoa_read_status status;
		struct gpuoa_reader *reader;
		struct bytes file = { 0 };
		const void *reports;

		put_i915_beginning(&file);
		put_i915_reports(&file, 0, 2);
		if (i == 1)
			put_i915(&file, I915_BUFFER_LOST, NULL, 0);
		if (i == 2)
			put_i915_correlation(&file, 5, BASE_NS);
		put_i915_reports(&file, 2, 3);
		put_i915(&file, 9999, NULL, 16);
		put_i915_reports(&file, 5, 3);
		REQUIRE(!open_bytes(&file, &reader, NULL, 0));
		if (i)
			CHECK(gpuoa_reader_peek(reader, &reports, SIZE_MAX, &status) == 2);
		CHECK(gpuoa_reader_peek(reader, &reports, SIZE_MAX, &status) == (i ? 6 : 8));
		CHECK(status.gap == (i == 1) && status.lost_unknown == (i == 1));
		CHECK(gpuoa_reader_peek(reader, &reports, SIZE_MAX, &status) == 0 && status.end);
		gpuoa_reader_close(reader);
		clear(&file);
	}
}

/* Reports are collected in batches, which end at another record. */
static void batches_keep_the_order_of_records(void)
{
	static const uint32_t counts[] = { 1, 63, 64, 65, 127, 128, 129 };

	for (size_t i = 0; i < sizeof(counts) / sizeof(counts[0]); i++) {
		struct bytes file = { 0 };
		struct gpuoa_read_status status;
		struct gpuoa_reader *reader;
		const void *reports;
		uint32_t count = 0;
		int n;

		put_i915_beginning(&file);
		put_i915_reports(&file, 0, counts[i]);
		put_i915(&file, I915_BUFFER_LOST, NULL, 0);
		put_i915_reports(&file, counts[i] + 5, 1);
		REQUIRE(!open_bytes(&file, &reader, NULL, 0));
		while ((n = gpuoa_reader_peek(reader, &reports, SIZE_MAX, &status)) > 0) {
			CHECK(report_number(reports, 0) == (count < counts[i] ? count : count + 5));
			CHECK(status.gap == (count == counts[i]));
			count += (uint32_t)n;
			CHECK(count <= counts[i] || n == 1);
		}
		CHECK(!n && count == counts[i] + 1);
		gpuoa_reader_close(reader);
		clear(&file);
	}
}

static unsigned int shift_of(double ratio, uint64_t ns)
{
	const struct i915_correlation first = { .cpu_ns = 5000000, .gpu_ticks = 70000 };
	struct i915_correlation second = { .cpu_ns = 5000000 + ns, .gpu_ticks = 70000 };

	second.gpu_ticks += (uint64_t)(12500000.0 * (double)ns / 1e9 / ratio + 0.5);
	return i915_clock_shift(&first, &second, 12500000);
}

/* The clock of commands is slower by a power of two, which is measured with a tolerance of 5 %. */
static void clock_shift_is_a_power_of_two(void)
{
	const struct i915_correlation pair = { .cpu_ns = 5000000, .gpu_ticks = 70000 };
	struct i915_correlation other = { .cpu_ns = 5000000, .gpu_ticks = 82500 };

	for (unsigned int shift = 0; shift <= 3; shift++) {
		const double ratio = 1 << shift;

		CHECK(shift_of(ratio, 1000000000) == shift);
		CHECK(shift_of(ratio * 1.049, 1000000000) == shift);
		CHECK(shift_of(ratio * 0.951, 1000000000) == shift);
		CHECK(shift_of(ratio * 1.051, 1000000000) == 0);
		CHECK(shift_of(ratio * 0.949, 1000000000) == 0);
	}
	CHECK(shift_of(16, 1000000000) == 0);
	/* The correlations must be 1 ms apart. */
	CHECK(shift_of(2, 1000000) == 1 && shift_of(2, 999999) == 0);
	CHECK(i915_clock_shift(&pair, &other, 12500000) == 0);
	other = (struct i915_correlation){ .cpu_ns = 7000000, .gpu_ticks = 70000 };
	CHECK(i915_clock_shift(&pair, &other, 12500000) == 0);
	/* Time went back. */
	other = (struct i915_correlation){ .cpu_ns = 3000000, .gpu_ticks = 82500 };
	CHECK(i915_clock_shift(&pair, &other, 12500000) == 0);
}

static void truncated_files_are_read_to_last_record(void)
{
	struct bytes file = whole_file();
	uint64_t last = 0;

	for (size_t size = 0; size < file.size; size += size < 1000 ? 1 : 97) {
		const struct bytes cut = { file.data, size };
		const struct findings findings = find_in(&cut);

		CHECK(!findings.result || *findings.error);
		CHECK(findings.reports >= last && findings.in_order);
		last = findings.reports;
	}
	CHECK(last >= 109);
	clear(&file);
}

/* ---- all of the description ----------------------------------------------------------------- */

/* Engines with media units, and others */
static void unit_is_that_of_the_engine(void)
{
	static const char *const domains[] = { "OA", "OA", "OAM0", "OAM0", "OA" };

	for (uint32_t class = 0; class < 5; class ++) {
		struct i915_device_info info = test_i915_info();
		struct bytes file = { 0 };
		struct gpuoa_unit_desc unit;
		struct gpuoa_reader_desc desc;
		struct gpuoa_reader *reader;

		info.engine_class = class;
		info.device_id = 0x9a49;
		info.revision = 3;
		memset(info.uuid, 'u', sizeof(info.uuid)); /* without a NUL */
		put_i915_version(&file, 1);
		put_i915(&file, I915_DEVICE_INFO, &info, sizeof(info));
		put_i915_topology(&file);
		REQUIRE(!open_bytes(&file, &reader, NULL, 0));
		gpuoa_reader_describe_unit(reader, &unit, sizeof(unit));
		CHECK_STRING(unit.domain, domains[class]);
		CHECK_STRING(unit.name, "i915-perf");
		CHECK_STRING(unit.parent, "8086:9a49");
		CHECK_STRING(unit.platform, "tglgt2");
		CHECK(unit.formats == 1 << 5 && unit.default_format == 5);
		CHECK(unit.device_id == 0x9a49 && unit.revision == 3);
		gpuoa_reader_describe(reader, &desc, sizeof(desc));
		CHECK(strlen(desc.uuid) == sizeof(desc.uuid) - 1 ||
		      strlen(desc.uuid) == sizeof(info.uuid));
		CHECK(desc.uuid[0] == 'u' && desc.delivery == GPUOA_DELIVERY_RAW);
		CHECK(!desc.exponent && !desc.context_filter);
		gpuoa_reader_close(reader);
		clear(&file);
	}
}

static void all_formats_of_i915_are_read(void)
{
	for (uint32_t format = 0; format <= 20; format++) {
		const size_t size = gpuoa_format_size(format);
		struct i915_device_info info = test_i915_info();
		struct bytes file = { 0 };
		char words[64];

		info.format = format;
		put_i915_version(&file, 1);
		put_i915(&file, I915_DEVICE_INFO, &info, sizeof(info));
		put_i915_topology(&file);
		if (format <= 14 && size) {
			CHECK(!find_in(&file).result);
			clear(&file);
		} else {
			snprintf(words, sizeof(words), ": cannot open: unknown report format %u",
				 format);
			CHECK(fails(&file, -EOPNOTSUPP, words));
		}
	}
}

/* A topology before the device cannot be interpreted. Without a description, nothing is read. */
static void description_is_complete(void)
{
	const struct i915_device_info info = test_i915_info();
	static const char missing[] = "damaged (no description of the GPU)";
	struct bytes file = { 0 };

	put_i915_version(&file, 1);
	put_i915_topology(&file);
	put_i915(&file, I915_DEVICE_INFO, &info, sizeof(info));
	CHECK(fails(&file, -EBADMSG, missing));
	put_i915_version(&file, 1);
	put_i915_topology(&file);
	CHECK(fails(&file, -EBADMSG, missing));
	put_i915_version(&file, 1);
	put_i915(&file, I915_DEVICE_INFO, &info, sizeof(info));
	put_i915(&file, I915_DEVICE_INFO, &info, sizeof(info));
	CHECK(fails(&file, -EBADMSG, missing));
	put_i915_version(&file, 1);
	put_i915_topology(&file);
	put_i915(&file, I915_DEVICE_INFO, &info, sizeof(info));
	put_i915_reports(&file, 1, 5);
	put_i915_topology(&file);
	CHECK(find_in(&file).reports == 5);
	clear(&file);
}

/* A file that begins differently is read as a perf.data file. */
static void beginning_identifies_the_format(void)
{
	static const char other[] = "not a recording of i915-perf-recorder";
	const struct i915_version version = { .version = I915_FORMAT_VERSION };

	for (uint32_t type = I915_VERSION - 1; type <= I915_VERSION + 1; type++)
		for (size_t size = 7; size <= 9; size++) {
			struct bytes file = whole_file(), begin = { 0 };

			put_i915(&begin, type, &version, sizeof(version));
			begin.data[6] = (uint8_t)(size + 8);
			memcpy(file.data, begin.data, begin.size);
			if (type == I915_VERSION && size == 8) {
				CHECK(!find_in(&file).result);
				clear(&file);
			} else {
				CHECK(fails(&file, -EBADMSG, other));
			}
			clear(&begin);
		}
	for (size_t size = 0; size < 16; size++) {
		struct bytes file = whole_file();

		file.size = size;
		CHECK(fails(&file, -EBADMSG, other));
	}
}

/* ---- clocks of the file --------------------------------------------------------------------- */

/*
 * The timestamps of correlations have 36 bits, and count half as fast as those of reports. The rate
 * follows from the first two correlations.
 */
static void correlations_are_scaled(void)
{
	const uint64_t top = UINT64_C(1) << I915_TIMESTAMP_BITS;
	static uint8_t reports[8 * TEST_REPORT_SIZE];
	const struct gpuoa_time *time;
	struct gpuoa_read_status status;
	struct gpuoa_reader *reader;
	struct bytes file = { 0 };
	uint64_t ns;

	put_i915_beginning(&file);
	/* 1 s is 6250000 ticks. */
	put_i915_correlation(&file, top - 6250000, BASE_NS);
	put_i915_reports(&file, 0, 4);
	put_i915_correlation(&file, 0, BASE_NS + 1000000000);
	put_i915_reports(&file, 4, 4);
	put_i915_correlation(&file, 6250000, BASE_NS + 2000000000);
	REQUIRE(!open_bytes(&file, &reader, NULL, 0));
	CHECK(gpuoa_reader_read(reader, reports, 8, &status) == 4);
	CHECK(status.has_clock && status.clock.gpu_ticks == 2 * (top - 6250000));
	CHECK(status.clock.cpu_ns == BASE_NS && status.clock.clock_id == CLOCK_MONOTONIC);
	CHECK(status.clock.error_ns == 100000);
	CHECK(!gpuoa_reader_time(reader, &time));
	for (uint64_t s = 0; s <= 8; s++) {
		CHECK(!gpuoa_time_to_cpu(time, CLOCK_MONOTONIC,
					 2 * top - 12500000 + s * 12500000 / 4, &ns, NULL));
		CHECK(ns == BASE_NS + s * 250000000);
	}
	/* Times have no effect on reads. */
	CHECK(gpuoa_reader_read(reader, reports, 8, &status) == 4);
	CHECK(status.has_clock && status.clock.gpu_ticks == 2 * top && !status.gap);
	CHECK(report_number(reports, 0) == 4);
	CHECK(gpuoa_reader_read(reader, reports, 8, &status) == 0);
	CHECK(status.has_clock && status.clock.gpu_ticks == 2 * top + 12500000 && status.end);
	gpuoa_reader_close(reader);
	clear(&file);
}

static void file_without_correlations_has_no_times(void)
{
	static uint8_t reports[8 * TEST_REPORT_SIZE];
	const struct gpuoa_time *time;
	struct gpuoa_read_status status;
	struct gpuoa_reader *reader;
	struct bytes file = { 0 };
	uint64_t ns;

	put_i915_beginning(&file);
	put_i915_reports(&file, 0, 4);
	REQUIRE(!open_bytes(&file, &reader, NULL, 0));
	CHECK(gpuoa_reader_read(reader, reports, 8, &status) == 4 && !status.has_clock);
	CHECK(!gpuoa_reader_time(reader, &time));
	CHECK(gpuoa_time_to_cpu(time, CLOCK_MONOTONIC, 0, &ns, NULL) == -ENODATA);
	gpuoa_reader_close(reader);
	clear(&file);
}

/* ---- reads of the file ---------------------------------------------------------------------- */

static struct bytes large_file(uint32_t reports)
{
	struct bytes file = { 0 };

	put_i915_beginning(&file);
	put_i915_correlation(&file, 0, BASE_NS);
	put_i915_correlation(&file, 12500000, BASE_NS + 1000000000);
	put_i915_reports(&file, 0, reports);
	return file;
}

static void each_failed_read_is_reported(void)
{
	struct bytes file = large_file(3000);
	unsigned int n;

	for (n = 1; n < 100; n++) {
		struct findings found = { .in_order = true };
		struct gpuoa_reader *reader;
		bool opened;

		reads.fail_at = n;
		found.result = open_bytes(&file, &reader, found.error, sizeof(found.error));
		if (found.result) {
			/* A file that cannot be read is not recognized at first. */
			CHECK(found.result == (n < 3 ? -EBADMSG : -EIO));
			continue;
		}
		opened = !reads.fail_at;
		for (int i = 0; i < 2; i++) {
			read_all(reader, &found);
			CHECK(found.result == (opened || reads.fail_at ? 0 : -EIO));
		}
		CHECK(found.in_order && !found.gaps);
		CHECK((found.reports == 3000) == !found.result);
		gpuoa_reader_close(reader);
		if (reads.fail_at)
			break;
	}
	if (!CHECK(n == 8))
		printf("# %u calls\n", n);
	reads.fail_at = 0;
	clear(&file);
}

static void short_reads_are_continued(void)
{
	struct bytes file = large_file(1500);
	static const size_t sizes[] = { 16, 100, 4096, 262143 };

	for (size_t i = 0; i < sizeof(sizes) / sizeof(sizes[0]); i++) {
		struct findings found;

		reads.most = sizes[i];
		found = find_in(&file);
		CHECK(!found.result && found.reports == 1500 && found.in_order && !found.gaps);
	}
	reads.most = 0;
	/* The file was truncated after it was opened: as if the recorder was killed */
	reads.end = (off_t)(file.size - 1);
	CHECK(find_in(&file).reports == 1499 && !find_in(&file).result);
	reads.end = 0;
	clear(&file);
}

/* The recorder was killed while it wrote the head of a record. */
static void incomplete_head_ends_the_file(void)
{
	static const uint8_t head[] = { I915_SAMPLE, 0, 0, 0, 0, 0, 8, 1 };

	for (size_t size = 0; size < sizeof(head); size++) {
		struct bytes file = whole_file();
		struct findings found;

		put(&file, head, size);
		found = find_in(&file);
		CHECK(!found.result && found.reports == 110);
		clear(&file);
	}
}

static void only_regular_files_are_opened(void)
{
	struct bytes file = whole_file();
	const int input = dup(0);
	struct i915_records records;
	char path[32], error[64];
	const struct complaint complaint = complaint_begin(error, sizeof(error));
	const int fd = file_of(&file, path), next = failing_file();

	CHECK(i915_records_open(&records, "/dev/zero", &complaint) == -ESPIPE);
	CHECK_STRING(error, "not a regular file");
	CHECK(i915_records_open(&records, "/nonexistent/file", &complaint) == -ENOENT);
	CHECK(i915_records_open(&records, "/", &complaint) < 0);
	CHECK(failing_file() == next);
	/* A process without standard input uses descriptor 0. Other programs do not get it. */
	close(0);
	CHECK(i915_records_recognise(path) && fcntl(0, F_GETFD) == -1);
	CHECK(!i915_records_open(&records, path, &complaint) && records.fd == 0);
	CHECK(fcntl(0, F_GETFD) == FD_CLOEXEC);
	i915_records_close(&records);
	CHECK(fcntl(0, F_GETFD) == -1);
	dup2(input, 0);
	close(input);
	close(fd);
	clear(&file);
}

/* All correlations are found, wherever the file is being read, and reading continues there. */
static void times_leave_the_position(void)
{
	const uint64_t ticks = 1000000000, drift_ns = 1000000;

	for (uint32_t before = 0; before <= 2000; before += 500) {
		static uint8_t reports[500 * TEST_REPORT_SIZE];
		const struct gpuoa_time *time;
		struct gpuoa_read_status status;
		struct gpuoa_reader *reader;
		struct bytes file = { 0 };
		uint64_t ns;

		put_i915_beginning(&file);
		put_i915_correlation(&file, 0, BASE_NS);
		put_i915_reports(&file, 0, 2500);
		put_i915_correlation(&file, ticks, BASE_NS + ticks * TICK_NS + drift_ns);
		put_i915_correlation(&file, 2 * ticks, BASE_NS + 2 * ticks * TICK_NS);
		put(&file, "damaged", 8);
		REQUIRE(!open_bytes(&file, &reader, NULL, 0));
		for (uint32_t n = 0; n < before; n += 500)
			CHECK(gpuoa_reader_read(reader, reports, 500, &status) == 500);
		REQUIRE(!gpuoa_reader_time(reader, &time));
		CHECK(!gpuoa_time_to_cpu(time, CLOCK_MONOTONIC, ticks / 2, &ns, NULL));
		CHECK(ns == BASE_NS + ticks / 2 * TICK_NS + drift_ns / 2);
		CHECK(!gpuoa_time_to_cpu(time, CLOCK_MONOTONIC, ticks * 3 / 2, &ns, NULL));
		CHECK(ns == BASE_NS + ticks * 3 / 2 * TICK_NS + drift_ns / 2);
		for (uint32_t n = before; n < 2500; n += 500) {
			CHECK(gpuoa_reader_read(reader, reports, 500, &status) == 500);
			CHECK(report_number(reports, 0) == n && !status.gap);
			CHECK(report_number(reports, 499) == n + 499);
		}
		gpuoa_reader_close(reader);
		clear(&file);
	}
}

/* Timestamps of 36 bits wrap twice. Searching for all pairs has no effect on those of reads. */
static void wraps_are_counted_from_the_beginning(void)
{
	const uint64_t top = UINT64_C(1) << I915_TIMESTAMP_BITS, step = top / 5 * 2;

	for (uint64_t before = 0; before <= 6; before++) {
		static uint8_t reports[8 * TEST_REPORT_SIZE];
		const struct gpuoa_time *time = NULL;
		struct gpuoa_read_status status;
		struct gpuoa_reader *reader;
		struct bytes file = { 0 };
		uint64_t ns;

		put_i915_beginning(&file);
		for (uint64_t i = 0; i < 6; i++) {
			put_i915_correlation(&file, i * step % top, BASE_NS + i * step * TICK_NS);
			put_i915_reports(&file, (uint32_t)(i * step / TEST_TICKS), 1);
		}
		REQUIRE(!open_bytes(&file, &reader, NULL, 0));
		for (uint64_t i = 0; i < 6; i++) {
			if (i == before)
				CHECK(!gpuoa_reader_time(reader, &time));
			/* The jumps of the timestamps appear as damage, which is not of interest.
			 */
			if (gpuoa_reader_read(reader, reports, 8, &status) < 0)
				break;
			if (status.has_clock && status.clock.gpu_ticks)
				CHECK(status.clock.gpu_ticks % step == 0 &&
				      status.clock.cpu_ns ==
					      BASE_NS + status.clock.gpu_ticks * TICK_NS);
		}
		if (!time)
			CHECK(!gpuoa_reader_time(reader, &time));
		for (uint64_t i = 0; i < 6 && time; i++) {
			CHECK(!gpuoa_time_to_cpu(time, CLOCK_MONOTONIC, i * step, &ns, NULL));
			CHECK(ns == BASE_NS + i * step * TICK_NS);
		}
		gpuoa_reader_close(reader);
		clear(&file);
	}
}

/* The part of the file that is in memory ends at any position of a record. */
static void records_are_read_across_the_window(void)
{
	for (size_t shift = 0; shift <= 264; shift += 3) {
		struct bytes file = { 0 };
		struct findings found;

		put_i915_beginning(&file);
		put_i915(&file, 9999, NULL, shift);
		put_i915_reports(&file, 0, 1100);
		found = find_in(&file);
		CHECK(!found.result && found.reports == 1100 && found.in_order && !found.gaps);
		clear(&file);
	}
}

/* ---- writing -------------------------------------------------------------------------------- */

static int write_bytes(void *context, const void *data, size_t size)
{
	put(context, data, size);
	return 0;
}

static int write_nothing(void *context, const void *data, size_t size)
{
	(void)context, (void)data, (void)size;
	return -ENOSPC;
}

/* Convert @file to the format of i915-perf-recorder. */
static int rewrite(const struct bytes *file, struct bytes *to, char *error, size_t error_size)
{
	struct gpuoa_reader *reader;
	int err = open_bytes(file, &reader, error, error_size);

	*to = (struct bytes){ 0 };
	if (err)
		return err;
	err = gpuoa_reader_write_i915(reader, write_bytes, to, error, error_size);
	gpuoa_reader_close(reader);
	return err;
}

static void rewritten_file_is_equal(void)
{
	struct bytes file = whole_file(), again;

	REQUIRE(!rewrite(&file, &again, NULL, 0));
	CHECK(again.size >= file.size);
	/*
	 * The written topology is that of a Haswell with up to three subslices, so it is not
	 * compared.
	 */
	CHECK(!memcmp(file.data, again.data, 16 + 8 + sizeof(struct i915_device_info)));
	CHECK(!memcmp(file.data + file.size - 100 * 264 - 24,
		      again.data + again.size - 100 * 264 - 24, 100 * 264 + 24));
	clear(&again);
	clear(&file);
}

/* Write a perf.data file of a Haswell with @count reports. @first: number of the first report */
static struct bytes perf_data(uint32_t first, uint32_t count, uint64_t ticks, uint32_t device_id)
{
	struct gpuoa_record_stream stream = test_stream();
	struct recording recording = { 0 };
	struct bytes payload = { 0 }, file;

	stream.info.device_id = device_id;
	add_event(&recording, TEST_SAMPLE_TYPE, 7);
	put_head(&payload);
	put(&payload, &stream, sizeof(stream));
	if (ticks)
		put_clock(&payload, ticks);
	put_sample(&recording.records, 7, 0, &payload);
	put_reports_sample(&recording.records, 7, first, count);
	file = lay_out(&recording);
	clear(&payload);
	clear(&recording.records);
	return file;
}

/* i915-perf-reader requires each report to be between two correlations with increasing values. */
static void check_correlations(const struct bytes *file, uint32_t reports)
{
	struct i915_correlation correlation = { 0 };
	struct i915_records records;
	struct i915_record record;
	uint64_t last = 0, previous = 0;
	uint32_t count = 0, found = 0;
	char path[32];
	const int fd = file_of(file, path);

	REQUIRE(!i915_records_open(&records, path, &(struct complaint){ 0 }));
	close(fd);
	while (i915_records_next(&records, &record) > 0) {
		if (record.type == I915_SAMPLE) {
			uint32_t timestamp;

			memcpy(&timestamp, record.body + 4, sizeof(timestamp));
			CHECK(found && timestamp >= (uint32_t)previous);
			previous = timestamp;
			count++;
		}
		if (record.type != I915_CORRELATION)
			continue;
		memcpy(&correlation, record.body, sizeof(correlation));
		CHECK(!found++ || correlation.gpu_ticks > last);
		if (correlation.gpu_ticks >> 32 != last >> 32 && found > 1)
			CHECK(!(uint32_t)correlation.gpu_ticks && (uint32_t)last == UINT32_MAX);
		if ((uint32_t)correlation.gpu_ticks < previous)
			previous = 0; /* after a wrap */
		last = correlation.gpu_ticks;
	}
	CHECK(count == reports && found >= 2 && (uint32_t)last > (uint32_t)previous);
	i915_records_close(&records);
}

static void gpuoa_recordings_convert_to_i915(void)
{
	static const struct {
		uint32_t first, count;
		uint64_t ticks; /* of the clock pair */
	} cases[] = {
		{ 100, 50, 100 * TEST_TICKS - 5 }, /* pair before the first report */
		{ 100, 50, 120 * TEST_TICKS }, /* between reports */
		{ 100, 50, 1000 * TEST_TICKS }, /* after the last report */
		{ UINT32_MAX / TEST_TICKS - 10, 20, UINT32_MAX - 12 * TEST_TICKS }, /* wraps */
	};

	for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
		struct bytes file =
			perf_data(cases[i].first, cases[i].count, cases[i].ticks, 0x412);
		struct bytes written;
		struct findings findings;
		char error[128] = "";

		if (!CHECK(!rewrite(&file, &written, error, sizeof(error))))
			printf("# %s\n", error);
		findings = find_in(&written);
		CHECK(!findings.result && findings.reports == cases[i].count && findings.in_order);
		check_correlations(&written, cases[i].count);
		clear(&written);
		clear(&file);
	}
}

static bool is_refused(struct bytes file, int expected, const char *words)
{
	struct bytes written;
	char error[128] = "";
	const int ret = rewrite(&file, &written, error, sizeof(error));

	if (ret != expected || !strstr(error, words))
		printf("# %d: %s\n", ret, error);
	clear(&written);
	clear(&file);
	return ret == expected && strstr(error, words);
}

static void write_without_pci_id_or_time_returns_enodata(void)
{
	CHECK(is_refused(perf_data(1, 10, 5, 0), -ENODATA, "PCI id"));
	CHECK(is_refused(perf_data(1, 10, 0, 0x412), -ENODATA, "CPU time"));
}

static void write_i915_returns_error_of_callback(void)
{
	struct bytes file = whole_file();
	struct gpuoa_reader *reader;
	char error[128] = "";

	REQUIRE(!open_bytes(&file, &reader, NULL, 0));
	CHECK(gpuoa_reader_write_i915(reader, write_nothing, NULL, error, sizeof(error)) ==
	      -ENOSPC);
	CHECK(*error);
	gpuoa_reader_close(reader);
	clear(&file);
}

/* ---- conversion of all records -------------------------------------------------------------- */

/*
 * Make a perf.data file of a Haswell from a description: "r NUMBER COUNT" are reports, "g" as well,
 * after a loss of three reports; "c TICKS" is a clock pair; "o" and "h" are losses of the buffer
 * and of the hardware; "u" is a loss at the end; "n" begins another sample.
 */
static struct bytes described_file(const char *description,
				   const struct gpuoa_record_stream *stream)
{
	struct recording recording = { 0 };
	struct bytes payload = { 0 }, file;
	uint64_t first = 0;
	int used;

	add_event(&recording, TEST_SAMPLE_TYPE, 7);
	put_head(&payload);
	put(&payload, stream, sizeof(*stream));
	for (; *description; description += used) {
		unsigned long long number = 0;
		unsigned int count = 0;
		char kind;

		if (sscanf(description, " %c%n", &kind, &used) != 1)
			break;
		description += used;
		used = 0;
		if (strchr("rgc", kind))
			CHECK(sscanf(description, "%llu%n", &number, &used) == 1);
		if (strchr("rg", kind)) {
			description += used;
			CHECK(sscanf(description, "%u%n", &count, &used) == 1);
			first += kind == 'g' ? 3 : 0;
			put_reports_at(&payload, first, (uint32_t)number, count);
			first += count;
		}
		if (kind == 'c')
			put_clock(&payload, number);
		if (kind == 'o' || kind == 'h')
			put_lost(&payload,
				 kind == 'o' ? GPUOA_RECORD_BUFFER_OVERFLOW :
					       GPUOA_RECORD_REPORTS_LOST,
				 2);
		if (kind == 'n' || kind == 'u') {
			put_sample(&recording.records, 7, 0, &payload);
			clear(&payload);
			put_head(&payload);
		}
		if (kind == 'u')
			put_perf_lost(&recording.records, 7, 0, 1);
	}
	put_sample(&recording.records, 7, 0, &payload);
	file = lay_out(&recording);
	clear(&payload);
	clear(&recording.records);
	return file;
}

/*
 * Describe the records of a file: "C<ticks>" are correlations, "S<count>" reports, "L" and "B" lost
 * reports. Times must be those of put_clock().
 */
static void describe_records(const struct bytes *file, char *text, size_t room)
{
	static const char beginning[] = "VIT";
	unsigned int samples = 0;
	size_t length = 0;

	*text = '\0';
	for (size_t at = 0, size; at < file->size && length < room; at += size) {
		struct i915_correlation correlation;
		struct i915_head head;

		memcpy(&head, file->data + at, sizeof(head));
		size = head.size;
		REQUIRE(size >= sizeof(head) && at + size <= file->size);
		CHECK(!head.pad);
		if (samples && head.type != I915_SAMPLE) {
			length += snprintf(text + length, room - length, " S%u", samples);
			samples = 0;
		}
		switch (head.type) {
		case I915_SAMPLE:
			CHECK(size == sizeof(head) + TEST_REPORT_SIZE);
			samples++;
			break;
		case I915_CORRELATION:
			CHECK(size == sizeof(head) + sizeof(correlation));
			memcpy(&correlation, file->data + at + sizeof(head), sizeof(correlation));
			CHECK(correlation.cpu_ns == 80 * correlation.gpu_ticks);
			length += snprintf(text + length, room - length, " C%llu",
					   (unsigned long long)correlation.gpu_ticks);
			break;
		case I915_REPORT_LOST:
		case I915_BUFFER_LOST:
			CHECK(size == sizeof(head));
			length += snprintf(text + length, room - length, "%s",
					   head.type == I915_REPORT_LOST ? " L" : " B");
			break;
		default:
			REQUIRE(head.type >= I915_VERSION && head.type <= I915_TOPOLOGY);
			length += snprintf(text + length, room - length, "%c",
					   beginning[head.type - I915_VERSION]);
		}
	}
	if (samples && length < room)
		snprintf(text + length, room - length, " S%u", samples);
}

static struct gpuoa_record_stream haswell(void)
{
	struct gpuoa_record_stream stream = test_stream();

	stream.info.device_id = 0x412;
	return stream;
}

static void records_are_written_in_order(void)
{
	/* Report 67108864 is that at which the timestamp wraps. */
	static const struct {
		const char *description, *records;
	} cases[] = {
		{ "c6400 n r100 10", "VIT C6400 S10 C6977" },
		{ "c6399 r100 10", "VIT C6399 S10 C6977" },
		{ "r100 10 c6401", "VIT C6400 C6401 S10 C6977" },
		{ "r100 10 n c7000", "VIT C6400 C7000 S10" },
		{ "r100 10 n c6976", "VIT C6400 C6976 S10 C6977" },
		{ "r100 10 n c6977", "VIT C6400 C6977 S10" },
		{ "c6400 r100 5 c6720 r105 5", "VIT C6400 S5 C6720 S5 C6977" },
		{ "c6400 r100 5 c6400 r105 5", "VIT C6400 S10 C6977" },
		{ "c6400 r100 5 c6300 r105 5", "VIT C6400 S10 C6977" },
		{ "c6400 r100 5 c6401 r105 5", "VIT C6400 S5 C6401 S5 C6977" },
		{ "c6400", "VIT C6400" },
		/* losses */
		{ "c6400 r100 5 o r110 5 h r120 5", "VIT C6400 S5 B S5 L S5 C7937" },
		{ "c6400 r100 5 n g110 5", "VIT C6400 S5 L S5 C7297" },
		{ "c6400 r100 5 u", "VIT C6400 S5 L C6657" },
		{ "c6400 r100 5 o h r120 5", "VIT C6400 S5 B S5 C7937" },
		{ "c6400 o r100 5", "VIT B C6400 S5 C6657" },
		/* wraps */
		{ "c4294967168 r67108862 4",
		  "VIT C4294967168 S2 C4294967295 C4294967296 S2 C4294967361" },
		{ "c4294967360 r67108865 1", "VIT C4294967360 S1 C4294967361" },
		{ "c4294967296 r67108864 1", "VIT C4294967296 S1 C4294967297" },
		{ "c4294967168 r67108862 2", "VIT C4294967168 S2 C4294967233" },
		{ "c4294967168 r67108862 3",
		  "VIT C4294967168 S2 C4294967295 C4294967296 S1 C4294967297" },
		{ "c4294967168 r67108862 2 c4294967296 r67108864 1",
		  "VIT C4294967168 S2 C4294967295 C4294967296 S1 C4294967297" },
		{ "c4294967168 r67108862 2 c4294967295 r67108864 1",
		  "VIT C4294967168 S2 C4294967295 C4294967296 S1 C4294967297" },
		{ "c4294967168 r67108862 2 c4294967297 r67108865 1",
		  "VIT C4294967168 S2 C4294967295 C4294967296 C4294967297 S1 C4294967361" },
		{ "c4294967168 r67108862 1 c21474836500 r1 2",
		  "VIT C4294967168 S1 C21474836479 C21474836480 C21474836500 S2 C21474836609" },
		{ "r67108862 4 n c4294967360",
		  "VIT C4294967168 C4294967295 C4294967296 C4294967360 S4 C4294967361" },
	};
	const struct gpuoa_record_stream stream = haswell();

	for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
		struct bytes file = described_file(cases[i].description, &stream), written;
		char error[128] = "", text[256];

		if (!CHECK(!rewrite(&file, &written, error, sizeof(error))))
			printf("# %s: %s\n", cases[i].description, error);
		describe_records(&written, text, sizeof(text));
		if (!CHECK_STRING(text, cases[i].records))
			printf("# %s\n", cases[i].description);
		CHECK(!*error);
		clear(&written);
		clear(&file);
	}
}

/* The first records: version, device and topology */
static void device_is_written(void)
{
	struct gpuoa_record_stream stream = haswell();

	for (uint32_t type = GPUOA_UNIT_OA; type <= GPUOA_UNIT_OAM1; type++) {
		struct i915_device_info info, expected = test_i915_info();
		struct gpuoa_unit_desc unit = { .platform = "hsw" };
		struct i915_version version;
		struct i915_head head;
		struct bytes file, written;
		size_t at = 8;

		stream.info.revision = 6;
		stream.info.gt_min_frequency = 350000000;
		stream.info.unit_type = type;
		file = described_file("c6400 r100 1", &stream);
		REQUIRE(!rewrite(&file, &written, NULL, 0));
		memcpy(&version, written.data + at, sizeof(version));
		CHECK(version.version == 1 && !version.pad);
		at += sizeof(version);
		memcpy(&head, written.data + at, sizeof(head));
		CHECK(head.type == I915_DEVICE_INFO && head.size == 8 + sizeof(info));
		at += sizeof(head);
		memcpy(&info, written.data + at, sizeof(info));
		expected.engine_class = type == GPUOA_UNIT_OA ? 0 : 2;
		CHECK(!memcmp(&info, &expected, sizeof(info)));
		at += sizeof(info);
		memcpy(&head, written.data + at, sizeof(head));
		CHECK(head.type == I915_TOPOLOGY && head.size % 8 == 0);
		CHECK(!i915_topology_take(written.data + at + 8, head.size - 8u, &unit));
		CHECK(unit.slice_mask == 1 && unit.subslice_mask == 3 && unit.eu_count == 20);
		clear(&written);
		clear(&file);
	}
}

/* Calls of a callback, of which one fails */
struct calls {
	struct bytes bytes;
	unsigned int count, fail_at;
	size_t largest;
};

static int count_bytes(void *context, const void *data, size_t size)
{
	struct calls *calls = context;

	if (++calls->count == calls->fail_at)
		return -EDQUOT;
	if (size > calls->largest)
		calls->largest = size;
	put(&calls->bytes, data, size);
	return 0;
}

/* The callback gets whole records, at most 64 KiB at a time, until it fails. */
static void records_are_written_in_blocks(void)
{
	const struct gpuoa_record_stream stream = haswell();
	struct bytes file =
		described_file("c6400 n r100 200 n r300 200 n r500 200 n r700 100", &stream);
	struct calls whole = { .fail_at = 0 };

	for (unsigned int n = 0; n <= 4; n++) {
		struct calls calls = { .fail_at = n };
		struct gpuoa_reader *reader;
		char error[128] = "", text[128];

		REQUIRE(!open_bytes(&file, &reader, NULL, 0));
		CHECK(gpuoa_reader_write_i915(reader, count_bytes, &calls, error, sizeof(error)) ==
		      (n && n <= 3 ? -EDQUOT : 0));
		CHECK(calls.count == (n && n <= 3 ? n : 3));
		CHECK(!*error == !(n && n <= 3));
		gpuoa_reader_close(reader);
		if (!n) {
			describe_records(&calls.bytes, text, sizeof(text));
			CHECK_STRING(text, "VIT C6400 S700 C51137");
			CHECK(calls.largest <= 65536 && calls.largest > 65536 - 264);
			whole = calls;
			continue;
		}
		CHECK(!calls.bytes.size ||
		      !memcmp(calls.bytes.data, whole.bytes.data, calls.bytes.size));
		clear(&calls.bytes);
	}
	clear(&whole.bytes);
	clear(&file);
}

static void damage_ends_the_conversion(void)
{
	const struct gpuoa_record_stream stream = haswell();
	struct bytes file = described_file("c6400 r100 5 n r105 5", &stream);

	file.size -= 10;
	CHECK(is_refused(file, -EBADMSG, ""));
}

/* GPU time 0 was before CPU time 0. */
static void time_0_need_not_exist(void)
{
	const struct gpuoa_record_clock clock = {
		.record = { GPUOA_RECORD_CLOCK, sizeof(clock) },
		.clock = { .gpu_ticks = 6400, .cpu_ns = 1000, .clock_id = CLOCK_MONOTONIC },
	};
	const struct gpuoa_record_stream stream = haswell();
	struct recording recording = { 0 };
	struct bytes payload = { 0 }, file, written;

	add_event(&recording, TEST_SAMPLE_TYPE, 7);
	put_head(&payload);
	put(&payload, &stream, sizeof(stream));
	put(&payload, &clock, sizeof(clock));
	put_reports(&payload, 100, 5);
	put_sample(&recording.records, 7, 0, &payload);
	file = lay_out(&recording);
	CHECK(!rewrite(&file, &written, NULL, 0));
	CHECK(find_in(&written).reports == 5);
	clear(&written);
	clear(&file);
	clear(&payload);
	clear(&recording.records);
}

static void recordings_that_i915_cannot_represent_are_rejected(void)
{
	const struct report_format *a45 = format_get(GPUOA_FORMAT_A45_B8_C8);
	struct gpuoa_record_dword_mask mask = { { GPUOA_RECORD_DWORD_MASK, sizeof(mask) },
						.dword_mask = { 0 } };
	struct gpuoa_record_stream streams[4];
	uint64_t dword_mask[GPUOA_DWORD_MASK_WORDS] = { 0 };
	struct recording recording = { 0 };
	struct bytes payload = { 0 };

	for (size_t i = 0; i < 4; i++)
		streams[i] = haswell();
	streams[0].format = GPUOA_FORMAT_PEC64U64;
	streams[0].report_size = format_get(GPUOA_FORMAT_PEC64U64)->size;
	CHECK(is_refused(described_file("c6400", &streams[0]), -EOPNOTSUPP,
			 "i915-perf has no reports in format PEC64u64"));
	streams[1].uuid[0] ^= 1;
	CHECK(is_refused(described_file("c6400", &streams[1]), -EOPNOTSUPP,
			 "its metric set is not known by name, which i915-perf needs"));
	memset(streams[1].uuid, 0, sizeof(streams[1].uuid));
	CHECK(is_refused(described_file("c6400", &streams[1]), -EOPNOTSUPP,
			 "its metric set is not known by name, which i915-perf needs"));
	strcpy(streams[1].info.platform, "future");
	CHECK(is_refused(described_file("c6400", &streams[1]), -EOPNOTSUPP,
			 "its metric set is not known by name, which i915-perf needs"));
	streams[1] = haswell();
	strcpy(streams[1].info.platform, "future");
	CHECK(is_refused(described_file("c6400", &streams[1]), -EOPNOTSUPP,
			 "its metric set is not known by name, which i915-perf needs"));
	streams[2].info.n_eus = 5000;
	CHECK(is_refused(described_file("c6400", &streams[2]), -EBADMSG, "damaged topology"));
	/* Only the header and some counters of each report are stored. */
	dword_mask_add_header(dword_mask, a45);
	dword_mask_add_field(dword_mask, format_counter(a45, 40));
	dword_mask_complete(dword_mask, a45);
	memcpy(mask.dword_mask, dword_mask, sizeof(mask.dword_mask));
	streams[3].report_size = dword_mask_size(dword_mask);
	add_event(&recording, TEST_SAMPLE_TYPE, 7);
	put_head(&payload);
	put(&payload, &streams[3], sizeof(streams[3]));
	put(&payload, &mask, sizeof(mask));
	put_clock(&payload, 6400);
	put_sample(&recording.records, 7, 0, &payload);
	CHECK(is_refused(lay_out(&recording), -EOPNOTSUPP,
			 "it has only some dwords of each report (-m), i915-perf has all"));
	clear(&payload);
	clear(&recording.records);
}

/* ---- topology ------------------------------------------------------------------------------- */

static void topologies_round_trip(void)
{
	for (size_t i = 0; i < gpuoa_platform_count(); i++) {
		const char *name = gpuoa_platform_name(gpuoa_platform_get(i));
		const struct gpu_platform *part = gpu_platform_find(name);
		struct gpuoa_unit_desc desc = { 0 }, back = { 0 };
		uint8_t topology[1024];
		int size;

		REQUIRE(part);
		strcpy(desc.platform, name);
		strcpy(back.platform, name);
		desc.slice_mask = part->facts[GPU_SLICES];
		desc.subslice_mask = part->facts[GPU_SUBSLICES];
		desc.eu_count = part->facts[GPU_EUS];
		size = i915_topology_make(&desc, topology, sizeof(topology));
		if (!CHECK(size > 0 && size % 8 == 0 &&
			   !i915_topology_take(topology, size, &back)) ||
		    !CHECK(back.slice_mask == desc.slice_mask &&
			   back.subslice_mask == desc.subslice_mask &&
			   back.eu_count == desc.eu_count &&
			   back.threads_per_eu == part->facts[GPU_THREADS]))
			printf("# %s\n", name);
		CHECK(i915_topology_make(&desc, topology, 20) == -ENOBUFS);
	}
}

static void subslices_may_have_different_numbers_of_eus(void)
{
	struct gpuoa_unit_desc desc = { .platform = "tglgt2", .subslice_mask = 0x3f };
	uint8_t topology[1024];
	int size;

	for (desc.eu_count = 1; desc.eu_count <= 96; desc.eu_count++) {
		struct gpuoa_unit_desc back = { .platform = "tglgt2" };

		size = i915_topology_make(&desc, topology, sizeof(topology));
		CHECK(size > 0 && !i915_topology_take(topology, size, &back));
		CHECK(back.eu_count == desc.eu_count && back.subslice_mask == 0x3f);
	}
}

static void impossible_topologies_return_einval(void)
{
	struct gpuoa_unit_desc desc = { .platform = "hsw", .subslice_mask = 1, .eu_count = 1000 };
	uint8_t topology[64];

	CHECK(i915_topology_make(&desc, topology, sizeof(topology)) == -EINVAL);
	desc.eu_count = 10;
	desc.subslice_stride = 1000;
	CHECK(i915_topology_make(&desc, topology, sizeof(topology)) == -EINVAL);
}

/* Every byte up to the EUs of the last subslice is necessary. */
static void incomplete_topologies_are_damaged(void)
{
	const struct gpuoa_unit_desc desc = { .platform = "tglgt2",
					      .subslice_mask = 0x3f,
					      .eu_count = 96 };
	uint16_t topology[512] = { 0 };
	const int size = i915_topology_make(&desc, topology, sizeof(topology));
	/* offset and stride of the masks of EUs */
	const size_t last = 8 * sizeof(topology[0]) + topology[6] + 6 * topology[7];

	REQUIRE(size > 0 && (size_t)size >= last);
	for (size_t n = 0; n <= (size_t)size; n++) {
		struct gpuoa_unit_desc back = { .platform = "tglgt2" };

		CHECK(i915_topology_take(topology, n, &back) == (n < last ? -EBADMSG : 0));
	}
}

static void topologies_have_at_most_64_of_each_part(void)
{
	static const struct {
		size_t member; /* slices, subslices or EUs */
		uint16_t value;
		bool good;
	} parts[] = { { 1, 0, false }, { 1, 1, true },	{ 1, 64, true }, { 1, 65, false },
		      { 2, 0, false }, { 2, 1, true },	{ 2, 64, true }, { 2, 65, false },
		      { 3, 0, true },  { 3, 64, true }, { 3, 65, false } };

	for (size_t i = 0; i < sizeof(parts) / sizeof(parts[0]); i++) {
		struct gpuoa_unit_desc back = { .platform = "tglgt2" };
		uint16_t topology[2048] = { 0, 1, 1, 1, 8, 8, 1024, 8 };

		topology[parts[i].member] = parts[i].value;
		/* the first slice has the first and the last subslice, with all EUs */
		topology[8] = 1;
		topology[8 + 4] = 1;
		memset(topology + 8 + 512, 0xff, 64 * 8);
		CHECK(i915_topology_take(topology, sizeof(topology), &back) ==
		      (parts[i].good ? 0 : -EBADMSG));
		CHECK(!parts[i].good || (back.slice_count == 1 && back.subslice_count == 1));
		CHECK(!parts[i].good || back.eu_count == topology[3]);
	}
}

int main(void)
{
	RUN(i915_recording_describes_itself);
	RUN(read_returns_all_reports_and_gap);
	RUN(peek_returns_all_reports);
	RUN(times_follow_correlations);
	RUN(times_are_interpolated_between_correlations);
	RUN(first_read_returns_correlation);
	RUN(correlations_extend_wrapping_timestamps);
	RUN(clock_shift_detects_slower_command_streamer);
	RUN(unreadable_files_have_messages);
	RUN(unknown_gpu_has_no_platform);
	RUN(second_stream_returns_erange);
	RUN(damaged_record_ends_recording);
	RUN(sizes_of_records_are_checked);
	RUN(unknown_records_are_skipped);
	RUN(batches_keep_the_order_of_records);
	RUN(clock_shift_is_a_power_of_two);
	RUN(truncated_files_are_read_to_last_record);
	RUN(unit_is_that_of_the_engine);
	RUN(all_formats_of_i915_are_read);
	RUN(description_is_complete);
	RUN(beginning_identifies_the_format);
	RUN(correlations_are_scaled);
	RUN(file_without_correlations_has_no_times);
	RUN(each_failed_read_is_reported);
	RUN(short_reads_are_continued);
	RUN(incomplete_head_ends_the_file);
	RUN(only_regular_files_are_opened);
	RUN(times_leave_the_position);
	RUN(wraps_are_counted_from_the_beginning);
	RUN(records_are_read_across_the_window);
	RUN(rewritten_file_is_equal);
	RUN(gpuoa_recordings_convert_to_i915);
	RUN(write_without_pci_id_or_time_returns_enodata);
	RUN(write_i915_returns_error_of_callback);
	RUN(records_are_written_in_order);
	RUN(device_is_written);
	RUN(records_are_written_in_blocks);
	RUN(damage_ends_the_conversion);
	RUN(time_0_need_not_exist);
	RUN(recordings_that_i915_cannot_represent_are_rejected);
	RUN(topologies_round_trip);
	RUN(subslices_may_have_different_numbers_of_eus);
	RUN(impossible_topologies_return_einval);
	RUN(incomplete_topologies_are_damaged);
	RUN(topologies_have_at_most_64_of_each_part);
	return tap_end();
}
