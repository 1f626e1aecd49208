// SPDX-License-Identifier: MIT
/*
 * make_recordings.c - generate recordings of a Tiger Lake GPU, for tests
 *
 * Usage: make_recordings gpuoa|i915 FILE [REPORTS]
 *
 * gpuoa: a perf.data file of two units. The unit gpuoa0 measures RenderBasic: REPORTS reports
 * (default: 200) that are 1 ms apart; seven in the middle are lost, and marks 1 and 2 are at 1/4
 * and 3/4. The unit gpuoa1 measures ComputeBasic, with a quarter as many reports. There are clock
 * pairs of CLOCK_MONOTONIC, CLOCK_BOOTTIME and CLOCK_REALTIME.
 *
 * i915: the reports of gpuoa0 in the format of i915-perf-recorder.
 */
#define _GNU_SOURCE
#include <time.h>

#include "i915_recording.h"
#include "recording.h"

#define FREQUENCY UINT64_C(19200000)
#define PERIOD (FREQUENCY / 1000)
#define REPORT_SIZE 256
#define REPORT_DWORDS (REPORT_SIZE / 4)
#define LOST 7
#define BEGIN (FREQUENCY * 100) /* GPU time of the first report */
#define CLOCKS_PER_PERIOD 1000000

#define RENDER "0fc397c0-4833-492c-9ccd-4929d574d5b8"
#define COMPUTE "397a46d9-03dd-4696-8196-270362e1c575"

#define REASON_TIMER (1u << 19)

static uint64_t ticks_of(uint32_t number)
{
	return BEGIN + number * PERIOD;
}

/*
 * Make a report in format A32u40_A4u32_B8_C8. Each counter has another rate, up to half of the
 * clock's.
 */
static void make_report(uint32_t *report, uint32_t number)
{
	memset(report, 0, REPORT_SIZE);
	report[0] = REASON_TIMER;
	report[1] = ticks_of(number);
	report[3] = number * CLOCKS_PER_PERIOD;
	for (uint32_t i = 4; i < REPORT_DWORDS; i++)
		if (i < 40 || i >= 48) /* dwords 40 to 47 are the upper bytes of A counters */
			report[i] = number * (CLOCKS_PER_PERIOD / 128 * i) + number % 5 * 100;
}

static struct gpuoa_record_stream stream_of(const char *unit, const char *uuid)
{
	struct gpuoa_record_stream stream = {
		.record = { GPUOA_RECORD_STREAM, sizeof(stream) },
		.format = GPUOA_FORMAT_A32U40_A4U32_B8_C8,
		.exponent = 13,
		.report_size = REPORT_SIZE,
		.info = {
			.platform = "tglgt2",
			.parent = "0000:00:02.0",
			.timestamp_frequency = FREQUENCY,
			.gt_min_frequency = 350000000,
			.gt_max_frequency = 1350000000,
			.slice_mask = 1,
			.subslice_mask = { 0x3f },
			.n_slices = 1,
			.n_subslices = 6,
			.n_eus = 96,
			.threads_per_eu = 7,
			.timestamp_bits = 32,
			.device_id = 0x9a49,
			.revision = 1,
		},
	};

	snprintf(stream.info.pmu, sizeof(stream.info.pmu), "%s", unit);
	memcpy(stream.uuid, uuid, strlen(uuid));
	return stream;
}

static void put_pair(struct bytes *payload, int clock_id, uint64_t ticks, uint64_t offset)
{
	const struct gpuoa_record_clock record = {
		.record = { GPUOA_RECORD_CLOCK, sizeof(record) },
		.clock = { .gpu_ticks = ticks,
			   .cpu_ns = ticks * 625 / 12 + offset, /* timestamps count at 19.2 MHz */
			   .clock_id = clock_id,
			   .error_ns = 100 },
	};

	put(payload, &record, sizeof(record));
}

static void put_pairs(struct bytes *payload, uint64_t ticks)
{
	put_pair(payload, CLOCK_MONOTONIC, ticks, 0);
	put_pair(payload, CLOCK_BOOTTIME, ticks, UINT64_C(5000000000));
	put_pair(payload, CLOCK_REALTIME, ticks, UINT64_C(1700000000000000000));
}

/* Write a record of reports. Sequence numbers do not include the lost reports. */
static void put_own_reports(struct bytes *payload, uint32_t first, uint32_t count, uint32_t lost)
{
	const struct gpuoa_record_reports record = {
		.record = { GPUOA_RECORD_REPORTS, sizeof(record) + count * REPORT_SIZE },
		.first = first - lost,
		.report_size = REPORT_SIZE,
		.count = count,
	};
	uint32_t report[REPORT_DWORDS];

	put(payload, &record, sizeof(record));
	for (uint32_t i = 0; i < count; i++) {
		make_report(report, first + i);
		put(payload, report, sizeof(report));
	}
}

/* Write the reports from @first to @end - 1, in records of at most 50 reports. */
static void put_reports_until(struct bytes *records, uint64_t id, uint32_t first, uint32_t end,
			      uint32_t lost)
{
	while (first < end) {
		const uint32_t count = end - first < 50 ? end - first : 50;
		struct bytes payload = { 0 };

		put_head(&payload);
		put_own_reports(&payload, first, count, lost);
		put_sample(records, id, 0, &payload);
		clear(&payload);
		first += count;
	}
}

static void put_beginning(struct bytes *records, uint64_t id, const char *unit, const char *uuid,
			  uint32_t reports)
{
	const struct gpuoa_record_stream stream = stream_of(unit, uuid);
	struct bytes payload = { 0 };

	put_head(&payload);
	put(&payload, &stream, sizeof(stream));
	put_pairs(&payload, ticks_of(0) - 1000);
	put_pairs(&payload, ticks_of(reports));
	put_sample(records, id, 0, &payload);
	clear(&payload);
}

static void put_one(struct bytes *records, uint64_t id,
		    void (*put_it)(struct bytes *payload, uint32_t reports), uint32_t reports)
{
	struct bytes payload = { 0 };

	put_head(&payload);
	put_it(&payload, reports);
	put_sample(records, id, 0, &payload);
	clear(&payload);
}

static void put_marks(struct bytes *payload, uint32_t reports)
{
	put_marker(payload, 1, ticks_of(reports / 4) + 5);
	put_marker(payload, 2, ticks_of(reports / 4 * 3) + 5);
}

static void put_loss(struct bytes *payload, uint32_t reports)
{
	(void)reports;
	put_lost(payload, GPUOA_RECORD_REPORTS_LOST, LOST);
}

static struct bytes own_file(uint32_t reports)
{
	enum { ID_0 = 42, ID_1 };
	struct recording recording = { 0 };
	struct bytes *records = &recording.records, file;

	add_event(&recording, TEST_SAMPLE_TYPE, ID_0);
	add_event(&recording, TEST_SAMPLE_TYPE, ID_1);
	put_beginning(records, ID_0, "gpuoa0", RENDER, reports);
	put_beginning(records, ID_1, "gpuoa1", COMPUTE, reports);
	put_one(records, ID_0, put_marks, reports);
	put_reports_until(records, ID_0, 0, reports / 2, 0);
	put_one(records, ID_0, put_loss, 0);
	put_reports_until(records, ID_0, reports / 2 + LOST, reports, LOST);
	put_reports_until(records, ID_1, 0, reports / 4, 0);
	file = lay_out(&recording);
	clear(records);
	return file;
}

/* Write a file in the same way as i915-perf-recorder. */
static struct bytes i915_file(uint32_t reports)
{
	static const struct {
		uint16_t flags, max_slices, max_subslices, max_eus;
		uint16_t subslice_offset, subslice_stride, eu_offset, eu_stride;
		uint8_t slices, subslices, eus[12], padding[2];
	} topology = { 0,
		       1,
		       6,
		       16,
		       1,
		       1,
		       2,
		       2,
		       1,
		       0x3f,
		       { 255, 255, 255, 255, 255, 255, 255, 255, 255, 255, 255, 255 },
		       { 0 } };
	const struct i915_device_info info = {
		.timestamp_frequency = FREQUENCY,
		.device_id = 0x9a49,
		.revision = 1,
		.gt_min_frequency = 350000000,
		.gt_max_frequency = 1350000000,
		.format = GPUOA_FORMAT_A32U40_A4U32_B8_C8,
		.set = "RenderBasic",
		.uuid = RENDER,
	};
	uint32_t report[REPORT_DWORDS];
	struct bytes file = { 0 };

	put_i915_version(&file, I915_FORMAT_VERSION);
	put_i915(&file, I915_DEVICE_INFO, &info, sizeof(info));
	put_i915(&file, I915_TOPOLOGY, &topology, sizeof(topology));
	put_i915_correlation(&file, ticks_of(0) - 1000, 1000000000);
	for (uint32_t i = 0; i < reports; i++) {
		if (i == reports / 2)
			put_i915(&file, I915_REPORT_LOST, NULL, 0);
		if (i < reports / 2 || i >= reports / 2 + LOST) {
			make_report(report, i);
			put_i915(&file, I915_SAMPLE, report, sizeof(report));
		}
	}
	put_i915_correlation(&file, ticks_of(reports), 1000000000 + reports * UINT64_C(1000000));
	return file;
}

int main(int argc, char **argv)
{
	const uint32_t reports = argc > 3 ? strtoul(argv[3], NULL, 0) : 200;
	struct bytes file;
	FILE *to;

	if (argc < 3 || (strcmp(argv[1], "gpuoa") && strcmp(argv[1], "i915"))) {
		fputs("usage: make_recordings gpuoa|i915 FILE [REPORTS]\n", stderr);
		return 2;
	}
	file = strcmp(argv[1], "gpuoa") ? i915_file(reports) : own_file(reports);
	to = fopen(argv[2], "we");
	if (!to || fwrite(file.data, file.size, 1, to) != 1 || fclose(to)) {
		perror(argv[2]);
		return 1;
	}
	clear(&file);
	return 0;
}
