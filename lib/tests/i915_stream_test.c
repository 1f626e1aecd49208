// SPDX-License-Identifier: MIT
/*
 * i915_stream_test.c - Test a stream of i915-perf. The test takes the place of the kernel: it
 * writes records to a pipe, and the library reads them.
 */
#define _GNU_SOURCE /* F_SETPIPE_SZ */
#include <errno.h>
#include <fcntl.h>
#include <i915_drm.h>
#include <limits.h>
#include <unistd.h>

#include "reader/i915/i915.h"
#include "reader/i915/i915_ring.h"
#include "reader/stream/unit.h"
#include "tap.h"

#define EXPONENT 5 /* 64 ticks */
#define PERIOD 64
#define REPORT_SIZE 256
#define RING_SIZE (1 << 20)

static struct {
	struct stream stream;
	struct gpuoa_unit unit;
	int pipe[2];
	uint32_t timestamp; /* of the last report written */
	struct gpuoa_read_status status;
	uint8_t reports[4096 * REPORT_SIZE];
} test;

static int test_clock(struct gpuoa_unit *unit, int clock_id, struct gpuoa_clock_pair *pair)
{
	(void)unit;
	*pair = (struct gpuoa_clock_pair){
		.gpu_ticks = 0x700000000,
		.cpu_ns = 123456789,
		.clock_id = clock_id,
		.error_ns = 500,
	};
	return 0;
}

static int test_check(const struct gpuoa_unit *unit)
{
	(void)unit;
	return 0;
}

static const struct backend test_backend = { .clock = test_clock, .check = test_check };

static void begin(bool context_filter, const uint64_t *dword_mask)
{
	struct gpuoa_reader_desc *desc = &test.stream.reader.desc;
	struct emulated_ring *emulated;

	memset(&test, 0, sizeof(test));
	test.unit.backend = &test_backend;
	strcpy(test.unit.desc.name, "i915:0");
	strcpy(test.unit.desc.platform, "tglgt2");
	strcpy(test.unit.desc.domain, "OA");
	test.stream.unit = &test.unit;
	test.stream.wire_size = REPORT_SIZE;
	desc->format = GPUOA_FORMAT_A32U40_A4U32_B8_C8;
	desc->exponent = EXPONENT;
	desc->report_size = REPORT_SIZE;
	desc->context_filter = context_filter;
	if (dword_mask) {
		memcpy(desc->dword_mask, dword_mask, sizeof(desc->dword_mask));
		test.stream.wire_size = 4 * sizeof(uint32_t);
	}
	test.stream.layout = (struct sample_layout){ .sample_type = EMULATED_SAMPLE_TYPE };
	REQUIRE(!pipe(test.pipe) && !fcntl(test.pipe[0], F_SETFL, O_NONBLOCK));
	fcntl(test.pipe[1], F_SETPIPE_SZ, 1 << 20);
	test.stream.fd = test.pipe[0];
	REQUIRE(!i915_ring_new(&emulated, &test.stream, test.pipe[0], 5000000));
	REQUIRE(!ring_make(&test.stream.ring, emulated, RING_SIZE));
	event_reader_init(&test.stream.events, stream_next_event, &test.stream, REPORT_SIZE);
	REQUIRE(!event_reader_set_mask(&test.stream.events, desc->dword_mask));
	i915_ring_switch(emulated, true);
}

static void end(void)
{
	event_reader_fini(&test.stream.events);
	ring_unmap(&test.stream.ring);
	close(test.pipe[0]);
	close(test.pipe[1]);
}

static void put(uint32_t type, uint16_t size, const void *body)
{
	const struct drm_i915_perf_record_header header = { type, 0, sizeof(header) + size };

	CHECK(write(test.pipe[1], &header, sizeof(header)) == sizeof(header));
	if (size)
		CHECK(write(test.pipe[1], body, size) == size);
}

/*
 * Append at most 900 reports, which the library reads at once. A pipe would split longer data; i915
 * does not.
 */
static void put_reports(uint32_t count)
{
	uint32_t report[REPORT_SIZE / sizeof(uint32_t)] = { 1 << 19 };

	while (count--) {
		test.timestamp += PERIOD;
		report[1] = test.timestamp;
		report[3] = test.timestamp * 3;
		report[40] = ~test.timestamp;
		put(DRM_I915_PERF_RECORD_SAMPLE, sizeof(report), report);
	}
}

static void put_lost(uint32_t type)
{
	put(type, 0, NULL);
}

/* Read once. The first read of a stream returns a clock pair. */
static int take(void)
{
	const int n = event_reader_read(&test.stream.events, test.reports,
					sizeof(test.reports) / REPORT_SIZE, &test.status);

	ring_release(&test.stream.ring);
	return n;
}

static uint32_t dword(size_t report, size_t at)
{
	uint32_t value;

	memcpy(&value, test.reports + report * REPORT_SIZE + at * sizeof(value), sizeof(value));
	return value;
}

static void read_returns_reports_unchanged(void)
{
	begin(false, NULL);
	put_reports(900);
	CHECK(take() == 900);
	CHECK(test.status.has_clock && test.status.clock.gpu_ticks == 0x700000000);
	CHECK(!test.status.lost_unknown && !test.status.lost_overflow);
	for (uint32_t i = 0; i < 900; i++)
		CHECK(dword(i, 1) == (i + 1) * PERIOD && dword(i, 40) == ~((i + 1) * PERIOD));
	put_reports(3);
	CHECK(take() == 3 && !test.status.gap);
	CHECK(take() == 0);
	end();
}

/* Read two reports, then lose @missing reports, and check that the loss is reported. */
static void lose(uint32_t type, uint32_t missing)
{
	put_reports(2);
	CHECK(take() == 2);
	put_lost(type);
	test.timestamp += missing * PERIOD;
	put_reports(2);
	CHECK(take() == 2);
	CHECK(test.status.gap);
}

static void losses_are_counted_from_timestamps(void)
{
	begin(false, NULL);
	lose(DRM_I915_PERF_RECORD_OA_BUFFER_LOST, 70);
	CHECK(test.status.lost_overflow == 70 && !test.status.lost_hardware);
	lose(DRM_I915_PERF_RECORD_OA_REPORT_LOST, 3);
	CHECK(test.status.lost_hardware == 3 && !test.status.lost_overflow);
	end();
}

static void losses_with_context_filter_are_unknown(void)
{
	begin(true, NULL);
	lose(DRM_I915_PERF_RECORD_OA_REPORT_LOST, 3);
	CHECK(test.status.lost_unknown && !test.status.lost_hardware);
	end();
}

static void unknown_records_are_skipped(void)
{
	static const uint8_t body[24];

	begin(false, NULL);
	put_reports(1);
	put(77, sizeof(body), body);
	put_reports(1);
	CHECK(take() == 2 && !test.status.gap);
	end();
}

/* A report needs its whole size; the rest of a larger record is not used. */
static void records_of_other_sizes_are_skipped(void)
{
	static const struct {
		uint16_t size; /* of the body of a record with a report */
		int reports;
	} known[] = {
		{ 0, 2 },
		{ REPORT_SIZE - 1, 2 },
		{ REPORT_SIZE, 3 },
		{ REPORT_SIZE + 1, 3 },
		{ REPORT_SIZE + 8, 3 },
	};
	static const uint32_t report[REPORT_SIZE / sizeof(uint32_t) + 2] = { 1 << 19, 96 };

	for (size_t i = 0; i < sizeof(known) / sizeof(known[0]); i++) {
		begin(false, NULL);
		put_reports(1);
		put(DRM_I915_PERF_RECORD_SAMPLE, known[i].size, report);
		put_reports(1);
		CHECK(take() == known[i].reports && !test.status.gap);
		CHECK(dword(0, 1) == 64 && dword((size_t)known[i].reports - 1, 1) == 128);
		CHECK(known[i].reports == 2 || dword(1, 1) == 96);
		end();
	}
}

/* A record that is shorter than its header, or longer than the data, ends the read. */
static void damaged_record_ends_read(void)
{
	static const uint16_t sizes[] = { 0, 3, 7, 8 + REPORT_SIZE, 0xffff };
	static const struct drm_i915_perf_record_header lost = {
		DRM_I915_PERF_RECORD_OA_REPORT_LOST, 0, 9
	};

	for (size_t i = 0; i < sizeof(sizes) / sizeof(sizes[0]); i++) {
		const struct drm_i915_perf_record_header header = { DRM_I915_PERF_RECORD_SAMPLE, 0,
								    sizes[i] };

		begin(false, NULL);
		put_reports(1);
		CHECK(write(test.pipe[1], &header, sizeof(header)) == sizeof(header));
		CHECK(take() == 1);
		put_reports(1);
		CHECK(take() == 1 && !test.status.gap);
		end();
	}
	/* One byte of the record is missing, and part of a header follows reports. */
	begin(false, NULL);
	put_reports(1);
	CHECK(write(test.pipe[1], &lost, sizeof(lost)) == sizeof(lost));
	CHECK(take() == 1);
	put_reports(1);
	CHECK(write(test.pipe[1], &lost, 7) == 7);
	CHECK(take() == 1 && !test.status.gap);
	put_reports(1);
	CHECK(take() == 1 && !test.status.gap);
	end();
}

/* A poll of i915 is at most two periods later. */
static void time_of_polls_is_rounded_up_to_ms(void)
{
	static const struct {
		uint64_t ns;
		int ms;
	} known[] = {
		{ 0, 1 },
		{ 499999, 1 },
		{ 500000, 2 },
		{ 5000000, 11 },
		{ (INT_MAX - 2) * UINT64_C(500000), INT_MAX - 1 },
		{ (INT_MAX - 1) * UINT64_C(500000), INT_MAX },
		{ INT_MAX * UINT64_C(500000), INT_MAX },
		{ UINT64_C(1) << 60, INT_MAX },
	};
	struct emulated_ring *emulated;

	begin(false, NULL);
	for (size_t i = 0; i < sizeof(known) / sizeof(known[0]); i++) {
		REQUIRE(!i915_ring_new(&emulated, &test.stream, test.pipe[0], known[i].ns));
		CHECK(i915_ring_poll_ms(emulated) == known[i].ms);
		emulated_free(emulated);
	}
	end();
}

static void dword_mask_limits_stored_dwords(void)
{
	/* dwords 0 to 3, which are the report header */
	const uint64_t dword_mask[GPUOA_DWORD_MASK_WORDS] = { 0xf };

	begin(false, dword_mask);
	put_reports(500);
	CHECK(take() == 500);
	CHECK(dword(499, 1) == 500 * PERIOD && dword(499, 3) == 1500 * PERIOD);
	CHECK(dword(499, 40) == 0);
	end();
}

/* Reports that had no space when the stream was disabled are reported as lost. */
static void reports_beyond_ring_are_lost_at_disable(void)
{
	bool told = false;
	int n, total = 0;

	begin(false, NULL);
	for (int i = 0; i < 6; i++) {
		put_reports(900);
		ring_end(&test.stream.ring);
	}
	i915_ring_switch(test.stream.ring.emulated, false);
	while ((n = take()) > 0) {
		total += n;
		told |= test.status.lost_unknown;
	}
	CHECK(total > 3000 && total < 5400);
	CHECK(told || test.status.lost_unknown);
	end();
}

/* Read everything, and check that reports are one period apart. */
static int take_all(void)
{
	int n, total = 0;

	while ((n = take()) > 0) {
		CHECK(!test.status.lost_unknown && !test.status.lost_overflow);
		CHECK(!total || !test.status.gap);
		for (int i = 0; i < n; i++)
			CHECK(dword(i, 1) == (uint32_t)++total * PERIOD);
	}
	return total;
}

/* i915 discards unread reports when the stream is disabled. */
static void disable_keeps_unread_reports(void)
{
	begin(false, NULL);
	test.unit.desc.buffer_size_max = 2 << 20;
	i915_ring_drain(test.stream.ring.emulated, true);
	for (int i = 0; i < 9; i++) {
		put_reports(900);
		ring_end(&test.stream.ring);
	}
	i915_ring_drain(test.stream.ring.emulated, false);
	i915_ring_switch(test.stream.ring.emulated, false);
	CHECK(ring_has_rest(&test.stream.ring));
	CHECK(take_all() == 8100);
	CHECK(!ring_has_rest(&test.stream.ring) && !test.stream.ring.emulated->rest.data);

	/*
	 * Reports that are written after the stream was enabled again follow those that were kept.
	 */
	i915_ring_switch(test.stream.ring.emulated, true);
	put_reports(2);
	CHECK(take() == 2 && dword(0, 1) == 8101 * PERIOD && test.status.gap);
	end();
}

/* The stream is disabled twice before any read: all reports must be kept, in order. */
static void kept_reports_precede_new_reports(void)
{
	int gaps = 0, n, total = 0;
	uint32_t last = 0;

	begin(false, NULL);
	test.unit.desc.buffer_size_max = 2 << 20;
	for (int round = 0; round < 2; round++) {
		i915_ring_switch(test.stream.ring.emulated, true);
		i915_ring_drain(test.stream.ring.emulated, true);
		for (int i = 0; i < 6; i++) {
			put_reports(900);
			ring_end(&test.stream.ring);
		}
		i915_ring_drain(test.stream.ring.emulated, false);
		i915_ring_switch(test.stream.ring.emulated, false);
	}
	while ((n = take()) > 0) {
		for (int i = 0; i < n; i++, last += PERIOD)
			CHECK(dword(i, 1) == last + PERIOD);
		gaps += test.status.gap && total;
		CHECK(!test.status.lost_unknown);
		total += n;
	}
	CHECK(total == 10800 && gaps == 1);
	end();
}

/* Reports beyond the limit of kept reports are lost, and the loss is reported. */
static void kept_reports_are_limited(void)
{
	bool told = false;
	int n, total = 0;

	begin(false, NULL);
	test.unit.desc.buffer_size_max = 1 << 19;
	i915_ring_drain(test.stream.ring.emulated, true);
	for (int i = 0; i < 12; i++) {
		put_reports(900);
		ring_end(&test.stream.ring);
	}
	i915_ring_drain(test.stream.ring.emulated, false);
	i915_ring_switch(test.stream.ring.emulated, false);
	while ((n = take()) > 0) {
		total += n;
		told |= test.status.lost_unknown;
	}
	CHECK(total > 6000 && total < 10800);
	CHECK(told || test.status.lost_unknown);
	end();
}

static void disable_and_enable_cause_gap(void)
{
	begin(false, NULL);
	put_reports(2);
	CHECK(take() == 2);
	i915_ring_switch(test.stream.ring.emulated, false);
	CHECK(take() == 0);
	i915_ring_switch(test.stream.ring.emulated, true);
	put_reports(2);
	CHECK(take() == 2);
	CHECK(test.status.gap && !test.status.lost_unknown && !test.status.lost_hardware);
	end();
}

/* The error message is about i915's poll period, not about the report period. */
static void unsupported_poll_period_is_named(void)
{
	struct gpuoa_stream_options options = { .poll_period_ns = I915_POLL_PERIOD_MIN_NS - 1 };
	char error[256];
	const struct complaint complaint = complaint_begin(error, sizeof(error));

	begin(false, NULL);
	CHECK(i915_backend.open_stream(&test.stream, 1, &options) == -ERANGE);
	CHECK(i915_complain(&complaint, &test.stream, &options, -ERANGE));
	CHECK(strstr(error, "i915:0 each 100000 ns") && strstr(error, "poll_period_ns"));
	options.poll_period_ns = I915_POLL_PERIOD_MIN_NS;
	CHECK(!i915_complain(&complaint, &test.stream, &options, -ERANGE));
	end();
}

int main(void)
{
	RUN(read_returns_reports_unchanged);
	RUN(losses_are_counted_from_timestamps);
	RUN(losses_with_context_filter_are_unknown);
	RUN(unknown_records_are_skipped);
	RUN(records_of_other_sizes_are_skipped);
	RUN(damaged_record_ends_read);
	RUN(time_of_polls_is_rounded_up_to_ms);
	RUN(dword_mask_limits_stored_dwords);
	RUN(reports_beyond_ring_are_lost_at_disable);
	RUN(disable_keeps_unread_reports);
	RUN(kept_reports_precede_new_reports);
	RUN(kept_reports_are_limited);
	RUN(disable_and_enable_cause_gap);
	RUN(unsupported_poll_period_is_named);
	return tap_end();
}
