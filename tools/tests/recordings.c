// SPDX-License-Identifier: MIT
/*
 * recordings.c - generate recordings, for tests of gpuoa report and gpuoa plot
 *
 * Usage: recordings KIND FILE
 */
#define _GNU_SOURCE
#include <stdio.h>
#include <stdlib.h>

#include "recording.h"
#include "reader/rawdata_format.h"

#define ID 42
#define STALLS_ID 43
#define PER_SAMPLE 100
#define CLOCKS 5120 /* number of GPU clocks in an interval, which has 64 ticks, at 1 GHz */

/* Positions of fields in Haswell reports (format A45_B8_C8), in dwords */
#define HSW_TIMESTAMP 1
#define HSW_A(n) (3 + (n))
#define HSW_C(n) (56 + (n))

/* Positions of fields in Tiger Lake reports (format A32u40_A4u32_B8_C8), in dwords */
#define TGL_CONTEXT_VALID (1u << 16)
#define TGL_CONTEXT 2
#define TGL_CLOCK 3
#define TGL_A(n) (4 + (n))
#define TGL_UUID "0fc397c0-4833-492c-9ccd-4929d574d5b8" /* UUID of RenderBasic */

/* Positions of fields in Xe2 reports (format PEC64U64), in 64-bit words */
#define XE2_REPORT_SIZE 576
#define XE2_TIMESTAMP 1
#define XE2_CLOCK 3
#define XE2_PEC(n) (4 + (n))

#define STALLS_DEVICE "0000:00:02.0"

/* A recording to generate */
struct load {
	const char *kind;
	uint32_t count; /* number of reports */
	/* function that returns the busyness in interval @number, in percent */
	uint32_t (*busy)(uint32_t number);
	uint32_t gap_at; /* number of the report before which there is a gap; 0: no gap */
	uint32_t mark_at; /* number of the report before which there is a mark; 0: no mark */
	bool contexts; /* reports contain context IDs; the GPU is a Tiger Lake */
	const char *pmu; /* PMU name; NULL: "gpuoa0" */
	const char *xe2; /* platform of the GPU, if it is an Xe2; otherwise NULL */
	bool stalls; /* EU stalls are recorded as well */
	bool slow; /* the clock is a quarter when the GPU is not busy; the GPU is a Tiger Lake */
};

#define GAP_REPORTS 200

static uint32_t sawtooth(uint32_t number)
{
	return number / 5 % 101;
}

/* Return a pseudorandom number from 0 to 19 for an interval. */
static uint32_t chance(uint32_t number)
{
	uint64_t state = number * 0x9e3779b97f4a7c15ull + 12345;

	state ^= state >> 31;
	state *= 0xbf58476d1ce4e5b9ull;
	return (state >> 40) % 20;
}

static uint32_t calm(uint32_t number)
{
	return 40 + chance(number);
}

static uint32_t calm_again(uint32_t number)
{
	return 40 + chance(number + 1000000);
}

static uint32_t busier(uint32_t number)
{
	return 45 + chance(number + 2000000);
}

/* Return the busyness of a GPU that is busy in two of five intervals. */
static uint32_t now_and_then(uint32_t number)
{
	return number % 5 < 2 ? 90 + chance(number) / 2 : chance(number) / 4;
}

static const struct load loads[] = {
	{ .kind = "game", .count = 3000, .busy = sawtooth, .gap_at = 1500, .mark_at = 500 },
	{ .kind = "long", .count = 60000, .busy = sawtooth, .gap_at = 20000, .mark_at = 1000 },
	{ .kind = "calm", .count = 4000, .busy = calm },
	{ .kind = "calm_again", .count = 4000, .busy = calm_again },
	{ .kind = "busier", .count = 3000, .busy = busier },
	{ .kind = "one", .count = 1, .busy = calm },
	{ .kind = "contexts", .count = 1000, .busy = calm, .contexts = true },
	{ .kind = "clocks", .count = 1000, .busy = now_and_then, .contexts = true, .slow = true },
	{ .kind = "lnl", .count = 500, .busy = calm, .xe2 = "lnl" },
	{ .kind = "bmg", .count = 500, .busy = calm, .xe2 = "bmg" },
	{ .kind = "stalls", .count = 500, .busy = calm, .xe2 = "lnl", .stalls = true },
	{ .kind = "markup", .count = 500, .busy = calm, .pmu = "</script><i>&'\"" },
};

static uint32_t timestamp_of(const struct load *load, uint32_t number)
{
	const uint32_t missing = load->gap_at && number >= load->gap_at ? GAP_REPORTS : 0;

	return 1000 + (number + missing) * TEST_TICKS;
}

/*
 * Increment the counters from which RenderBasic of Xe2 calculates busy, active, stall, occupancy,
 * reads and writes.
 */
static void count_on_xe2(const struct load *load, uint32_t number, uint32_t busy, uint64_t *report)
{
	report[0] = 1u << 19; /* report reason: timer */
	report[XE2_TIMESTAMP] = timestamp_of(load, number);
	report[XE2_CLOCK] += CLOCKS;
	report[XE2_PEC(32)] += busy;
	report[XE2_PEC(24)] += busy * 20;
	report[XE2_PEC(20)] += busy * 10;
	report[XE2_PEC(14)] += busy * 8;
	report[XE2_PEC(57)] += busy * 16;
	report[XE2_PEC(58)] += busy * 4;
}

/* Increment the counters by the events in the interval before report @number. */
static void count_on(const struct load *load, uint32_t number, uint32_t *report)
{
	const uint32_t percent = number ? load->busy(number) : 0;
	const uint32_t clocks = load->slow && percent < 50 ? CLOCKS / 4 : CLOCKS;
	const uint32_t busy = percent * (clocks / 20) / 5;

	if (load->xe2) {
		count_on_xe2(load, number, busy, (uint64_t *)report);
		return;
	}
	report[HSW_TIMESTAMP] = timestamp_of(load, number);
	if (!number)
		return;
	if (load->contexts) {
		report[0] = TEST_REPORT_ID | TGL_CONTEXT_VALID;
		report[TGL_CONTEXT] = 0x100 + (number / 3 + 1) % 2;
		report[TGL_CLOCK] += clocks;
		report[TGL_A(0)] += busy;
		report[TGL_A(7)] += busy * 48;
		report[TGL_A(11)] += (clocks - busy) * 24;
		return;
	}
	report[HSW_A(0)] += busy * 10;
	report[HSW_A(5)] += load->busy(number);
	report[HSW_A(41)] += busy;
	report[HSW_C(2)] += CLOCKS;
	report[HSW_C(6)] += busy / 4;
}

static void put_load(const struct load *load, struct bytes *payload, uint32_t first, uint32_t count,
		     uint32_t *report)
{
	const uint32_t size = load->xe2 ? XE2_REPORT_SIZE : TEST_REPORT_SIZE;
	const struct gpuoa_record_reports record = {
		.record = { GPUOA_RECORD_REPORTS, sizeof(record) + count * size },
		.first = first,
		.report_size = size,
		.count = count,
	};

	put(payload, &record, sizeof(record));
	for (uint32_t i = first; i < first + count; i++) {
		count_on(load, i, report);
		put(payload, report, size);
	}
}

static void describe_xe2(struct gpuoa_record_stream *stream, const char *platform)
{
	struct gpuoa_set_desc set;

	gpuoa_set_describe(gpuoa_platform_find_set(gpuoa_platform_find(platform), "RenderBasic",
						   "OA", NULL),
			   &set, sizeof(set));
	snprintf(stream->uuid, sizeof(stream->uuid), "%s", set.uuid);
	stream->format = GPUOA_FORMAT_PEC64U64;
	stream->report_size = XE2_REPORT_SIZE;
	stream->info.slice_mask = 3;
	stream->info.subslice_mask[0] = 0xff;
	stream->info.subslice_stride = 4;
	stream->info.n_slices = 2;
	stream->info.n_subslices = 8;
	stream->info.n_eus = 64;
	stream->info.l3_bank_mask = 0xff;
	stream->info.n_compute_engines = 1;
	stream->info.threads_per_eu = 8;
	stream->info.timestamp_bits = 56;
	snprintf(stream->info.platform, sizeof(stream->info.platform), "%s", platform);
}

static void put_description(const struct load *load, struct bytes *payload)
{
	struct gpuoa_record_stream stream = test_stream();

	if (load->contexts) {
		memcpy(stream.uuid, TGL_UUID, sizeof(TGL_UUID));
		stream.format = GPUOA_FORMAT_A32U40_A4U32_B8_C8;
		stream.info.timestamp_frequency = 12500000;
		stream.info.n_eus = 96;
		strcpy(stream.info.platform, "tglgt2");
	}
	if (load->xe2)
		describe_xe2(&stream, load->xe2);
	if (load->stalls)
		strcpy(stream.info.parent, STALLS_DEVICE);
	if (load->pmu)
		memcpy(stream.info.pmu, load->pmu, strlen(load->pmu) + 1);
	put(payload, &stream, sizeof(stream));
	put_clock(payload, 1000);
}

/*
 * Write the owner of one of the two contexts. The record is longer than gpuoa knows it, as in a
 * recording by a later version.
 */
static void put_owner(struct bytes *payload)
{
	const struct {
		struct context_record known;
		uint64_t later;
	} record = {
		.known = {
			.record = { CONTEXT_RECORD, sizeof(record) },
			.id = 0x100,
			.process = 4321,
			.handle = 3,
			.client = 9,
			.program = "painter",
		},
		.later = 1,
	};

	put(payload, &record, sizeof(record));
}

/* ---- EU stalls: lib/extra/stalls/recording.c describes the format ---- */

/* Write a record after the magic number of EU stalls. */
static void put_stall_record(struct bytes *records, uint32_t type, const void *data, size_t size)
{
	const struct gpuoa_record record = { type, (uint32_t)(sizeof(record) + size) };
	struct bytes payload = { 0 };

	put(&payload, "Gstl", 4);
	put(&payload, &record, sizeof(record));
	put(&payload, data, size);
	put_sample(records, STALLS_ID, 0, &payload);
	clear(&payload);
}

static void put_stalls_description(struct bytes *records)
{
	static const char text[256] =
		"device=" STALLS_DEVICE
		"\nplatform=lnl\ntitle=Lunar Lake\nlayout=xe2\nperiod=1757\n"
		"frequency=1950000000\nxe_cores=8\nreasons=active scoreboard send\n";

	put_stall_record(records, GPUOA_RECORD_PROGRAM + 3, text, sizeof(text));
}

/* Windows in the time of the reports: two that are adjacent, and one with a loss */
static void put_stalls(struct bytes *records)
{
	static const struct {
		uint64_t begin_ns;
		uint64_t end_ns;
		uint32_t losses;
		uint32_t count;
		uint64_t address;
		uint64_t counts[3];
	} windows[] = {
		{ 100000, 1100000, 0, 1, 0xfffe5040, { 10, 100, 20 } },
		{ 1100000, 2100000, 0, 1, 0xfffe5040, { 30, 200, 0 } },
		{ 2300000, 2500000, 2, 1, 0xfffe5340, { 0, 50, 4 } },
	};

	for (size_t i = 0; i < sizeof(windows) / sizeof(windows[0]); i++)
		put_stall_record(records, GPUOA_RECORD_PROGRAM + 4, &windows[i],
				 sizeof(windows[i]));
}

static struct bytes make(const struct load *load)
{
	_Alignas(uint64_t) uint32_t report[XE2_REPORT_SIZE / 4] = { TEST_REPORT_ID };
	struct recording recording = { 0 };
	struct bytes file;

	if (load->contexts)
		report[0] |= TGL_CONTEXT_VALID;
	add_event(&recording, TEST_SAMPLE_TYPE, ID);
	if (load->stalls) {
		add_event(&recording, TEST_SAMPLE_TYPE, STALLS_ID);
		put_stalls_description(&recording.records);
	}
	for (uint32_t first = 0; first < load->count; first += PER_SAMPLE) {
		const uint32_t left = load->count - first;
		struct bytes payload = { 0 };

		put_head(&payload);
		if (!first)
			put_description(load, &payload);
		if (first && first == load->gap_at)
			put_lost(&payload, GPUOA_RECORD_REPORTS_LOST, GAP_REPORTS);
		if (first && first == load->mark_at)
			put_marker(&payload, 7, timestamp_of(load, first));
		if (load->contexts && first == PER_SAMPLE)
			put_owner(&payload);
		put_load(load, &payload, first, left < PER_SAMPLE ? left : PER_SAMPLE, report);
		put_sample(&recording.records, ID, 0, &payload);
		clear(&payload);
	}
	if (load->stalls)
		put_stalls(&recording.records);
	file = lay_out(&recording);
	clear(&recording.records);
	return file;
}

int main(int argc, char **argv)
{
	for (size_t i = 0; argc == 3 && i < sizeof(loads) / sizeof(loads[0]); i++) {
		struct bytes file;
		bool written;
		FILE *to;

		if (strcmp(loads[i].kind, argv[1]))
			continue;
		file = make(&loads[i]);
		to = fopen(argv[2], "we");
		written = to && fwrite(file.data, file.size, 1, to) == 1;
		if (!to || fclose(to) || !written) {
			perror(argv[2]);
			return 1;
		}
		clear(&file);
		return 0;
	}
	fputs("usage: recordings KIND FILE\n", stderr);
	return 2;
}
