// SPDX-License-Identifier: MIT
/*
 * guest_stream.c - Test units and streams on a virtual GPU. Must run where gpuoa_sim.ko is loaded.
 */
#include <errno.h>
#include <inttypes.h>
#include <poll.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>
#include <unistd.h>

#include "gpuoa-custom.h"
#include "selftests/wait.h"
#include "sim_unit.h"
#include "tap.h"

#define MAX_REPORTS 256
#define MAX_UNITS 16
#define REPORT_SIZE_MAX 256

static struct gpuoa_unit *unit;
static const struct gpuoa_set *render, *compute;
static char reports[MAX_REPORTS * REPORT_SIZE_MAX];

static struct gpuoa_reader *open_stream_by(enum gpuoa_delivery delivery, uint64_t period_ns)
{
	struct gpuoa_stream_options options = { .size = sizeof(options),
						.period_ns = period_ns,
						.delivery = delivery };
	struct gpuoa_reader *reader = NULL;

	CHECK(!gpuoa_stream_open(unit, render, &options, &reader, NULL, 0));
	return reader;
}

static struct gpuoa_reader *open_stream(uint64_t period_ns)
{
	return open_stream_by(GPUOA_DELIVERY_PREFER_AUX, period_ns);
}

static enum gpuoa_delivery delivery(const struct gpuoa_reader *reader)
{
	struct gpuoa_reader_desc desc;

	gpuoa_reader_describe(reader, &desc, sizeof(desc));
	return desc.delivery;
}

static uint32_t timestamp_of(const void *all, size_t index)
{
	return gpuoa_report_timestamp(GPUOA_REPORT_A45_B8_C8,
				      (const char *)all + index * REPORT_SIZE_MAX);
}

static uint32_t timestamp(size_t index)
{
	return timestamp_of(reports, index);
}

static int read_some(struct gpuoa_reader *reader, struct gpuoa_read_status *status)
{
	int n;

	do {
		if (gpuoa_reader_wait(reader, scaled_ms(10000)))
			return -1;
		n = gpuoa_reader_read(reader, reports, MAX_REPORTS, status);
	} while (!n);
	return n;
}

static void units_are_listed(void)
{
	char names[4][16];

	CHECK(gpuoa_unit_list(NULL, 0) >= 1);
	REQUIRE(gpuoa_unit_list(names, 4) >= 1);
	CHECK_STRING(names[0], "gpuoa0");
}

static void unit_open_accepts_names(void)
{
	struct gpuoa_unit_desc desc;
	struct gpuoa_unit *other;

	gpuoa_unit_describe(unit, &desc, sizeof(desc));
	CHECK_STRING(desc.name, "gpuoa0");
	REQUIRE(!gpuoa_unit_open("gpuoa0", &other, NULL, 0));
	gpuoa_unit_close(other);
	REQUIRE(!gpuoa_unit_open("/dev/gpuoa0", &other, NULL, 0));
	gpuoa_unit_close(other);
	REQUIRE(!gpuoa_unit_open(desc.parent, &other, NULL, 0));
	gpuoa_unit_close(other);
	CHECK(gpuoa_unit_open("gpuoa99", &other, NULL, 0) == -ENOENT);
	CHECK(gpuoa_unit_open("/dev/null", &other, NULL, 0) == -ENOENT);
	CHECK(gpuoa_unit_open("/no/such/node", &other, NULL, 0) == -ENOENT);
}

static void units_have_constants(void)
{
	const struct gpuoa_constants *constants = gpuoa_unit_constants(unit);
	struct gpuoa_unit_desc desc;
	uint64_t value;

	gpuoa_unit_describe(unit, &desc, sizeof(desc));
	REQUIRE(constants);
	CHECK(!gpuoa_constants_get(constants, "EuCoresTotalCount", &value) &&
	      value == desc.eu_count);
	CHECK(!gpuoa_constants_get(constants, "GpuTimestampFrequency", &value) &&
	      value == desc.timestamp_frequency);
}

static void adding_set_twice_returns_same_id(void)
{
	uint32_t first, second, other;

	REQUIRE(!gpuoa_unit_add_set(unit, render, &first, NULL, 0));
	CHECK(!gpuoa_unit_add_set(unit, render, &second, NULL, 0) && first == second);
	CHECK(!gpuoa_unit_add_set(unit, compute, &other, NULL, 0) && first != other);
}

#define CONFIG_UUID "00000000-0000-4000-8000-0000000c0f16"

static bool is_listed(uint32_t id)
{
	struct gpuoa_unit_config configs[64];
	const int count = gpuoa_unit_configs(unit, configs, sizeof(configs[0]), 64);

	CHECK(gpuoa_unit_configs(unit, NULL, sizeof(configs[0]), 0) == count && count <= 64);
	for (int i = 0; i < count && i < 64; i++)
		if (configs[i].id == id)
			return CHECK_STRING(configs[i].uuid, CONFIG_UUID);
	return false;
}

static void configs_are_added_listed_and_removed(void)
{
	static const struct gpuoa_reg mux[] = { { 0x9840, 0x80 }, { 0x25100, 5 } };
	static const struct gpuoa_reg more[] = { { 0x25100, 6 } }, boolean[] = { { 0x2710, 0 } };
	struct gpuoa_register_list lists[] = {
		{ .kind = GPUOA_REGISTER_MUX, .registers = mux, .count = 2 },
		{ .kind = GPUOA_REGISTER_BOOLEAN, .registers = boolean, .count = 1 },
		{ .kind = GPUOA_REGISTER_MUX, .registers = more, .count = 1 },
	};
	char error[256];
	uint32_t id, again;

	REQUIRE(!gpuoa_unit_add_config(unit, CONFIG_UUID, lists, 3, &id, error, sizeof(error)));
	CHECK_STRING(error, "");
	CHECK(is_listed(id));
	CHECK(!gpuoa_unit_add_config(unit, CONFIG_UUID, lists, 3, &again, NULL, 0) && again == id);
	CHECK(gpuoa_unit_add_config(unit, CONFIG_UUID, lists, 2, &again, error, sizeof(error)) ==
	      -EADDRINUSE);
	CHECK_STRING(error, CONFIG_UUID " stands for other registers");
	CHECK(!gpuoa_unit_remove_config(unit, id) && !is_listed(id));
	CHECK(gpuoa_unit_remove_config(unit, id) == -ENOENT);
	lists[0].condition = "1";
	CHECK(gpuoa_unit_add_config(unit, CONFIG_UUID, lists, 3, &id, error, sizeof(error)) ==
	      -EINVAL);
	CHECK_STRING(error, "list 0 has a condition");
	CHECK(gpuoa_unit_add_config(unit, CONFIG_UUID, NULL, 0, &id, error, sizeof(error)) ==
	      -EINVAL);
	CHECK_STRING(error, "invalid UUID, or no registers");
}

/*
 * The error message names the register that is not allowed: a register of a configuration, then one
 * of a set.
 */
static void disallowed_register_is_named(void)
{
	static const struct gpuoa_reg mux[] = { { 0x9840, 0x80 }, { 0x2360, 5 } };
	const struct gpuoa_register_list list = { .kind = GPUOA_REGISTER_MUX,
						  .registers = mux,
						  .count = 2 };
	const struct gpuoa_set_desc desc = { .symbol = "Mine" };
	struct gpuoa_definitions *definitions;
	struct gpuoa_custom *custom;
	const struct gpuoa_set *set;
	char error[256];
	uint32_t id;

	CHECK(gpuoa_unit_add_config(unit, CONFIG_UUID, &list, 1, &id, error, sizeof(error)) ==
	      -EINVAL);
	CHECK_STRING(error, "gpuoa0 does not allow register 0x02360");
	CHECK(id == 0x2360);
	REQUIRE(!gpuoa_custom_new(gpuoa_unit_platform(unit), &custom));
	CHECK(!gpuoa_custom_add_set(custom, &desc, sizeof(desc), &list, 1, render, error,
				    sizeof(error)));
	CHECK_STRING(error, "");
	if (CHECK(!gpuoa_custom_build(custom, &definitions, error, sizeof(error)))) {
		set = gpuoa_platform_find_set(gpuoa_definitions_get_platform(definitions, 0),
					      "Mine", NULL, NULL);
		CHECK(gpuoa_unit_add_set(unit, set, &id, error, sizeof(error)) == -EINVAL);
		CHECK_STRING(error, "gpuoa0 does not allow register 0x02360 of Mine");
		gpuoa_definitions_free(definitions);
	}
	gpuoa_custom_free(custom);
}

static void unit_clock_advances_both_clocks(void)
{
	struct gpuoa_clock_pair before, after;

	REQUIRE(!gpuoa_unit_clock(unit, CLOCK_MONOTONIC, &before));
	usleep(1000);
	REQUIRE(!gpuoa_unit_clock(unit, CLOCK_MONOTONIC, &after));
	CHECK(after.gpu_ticks > before.gpu_ticks && after.cpu_ns > before.cpu_ns);
	CHECK(gpuoa_unit_clock(unit, 4711, &after) == -EINVAL);
}

static void wait_returns_below_watermark_after_disable(void)
{
	struct gpuoa_stream_options options = { .size = sizeof(options),
						.period_ns = 1000000,
						.notify_reports = 500 };
	struct gpuoa_read_status status;
	struct gpuoa_reader *reader;

	REQUIRE(!gpuoa_stream_open(unit, render, &options, &reader, NULL, 0));
	CHECK(gpuoa_reader_wait(reader, virtual_time() ? 100 : scaled_ms(1000)) == 0);
	CHECK(!gpuoa_reader_disable(reader));
	CHECK(gpuoa_reader_wait(reader, -1) == 0);
	CHECK(gpuoa_reader_read(reader, reports, 1, &status) == 1);
	CHECK(gpuoa_reader_wait(reader, -1) == 0);
	while (gpuoa_reader_read(reader, reports, MAX_REPORTS, &status) > 0)
		;
	CHECK(gpuoa_reader_wait(reader, 10) == -ECANCELED);
	gpuoa_reader_close(reader);
}

static void open_returns_actual_options(void)
{
	struct gpuoa_stream_options options = {
		.size = sizeof(options),
		.period_ns = 100000,
		.delivery = GPUOA_DELIVERY_PREFER_AUX,
	};
	struct gpuoa_reader_desc desc;
	struct gpuoa_reader *reader;

	REQUIRE(!gpuoa_stream_open(unit, render, &options, &reader, NULL, 0));
	CHECK(options.period_ns == 81920 && options.format == GPUOA_REPORT_A45_B8_C8);
	CHECK(options.delivery == GPUOA_DELIVERY_AUX && delivery(reader) == GPUOA_DELIVERY_AUX);
	CHECK(options.buffer_size >= 5000000 && options.ring_size == 131072 &&
	      options.notify_reports == 1220);
	gpuoa_reader_describe(reader, &desc, sizeof(desc));
	CHECK(desc.exponent == 9 && desc.report_size == 256 && !desc.context_filter);
	CHECK_STRING(desc.uuid, "a490e9d2-55b3-4db0-8dab-53011032c5f3");
	gpuoa_reader_close(reader);
}

static void raw_open_returns_actual_options(void)
{
	struct gpuoa_stream_options options = {
		.size = sizeof(options),
		.period_ns = 100000,
		.delivery = GPUOA_DELIVERY_RAW,
	};
	struct gpuoa_reader *reader;

	REQUIRE(!gpuoa_stream_open(unit, render, &options, &reader, NULL, 0));
	CHECK(options.delivery == GPUOA_DELIVERY_RAW && delivery(reader) == GPUOA_DELIVERY_RAW);
	CHECK(options.ring_size >= 512 * 1024 && options.notify_reports);
	gpuoa_reader_close(reader);
}

static void options_may_be_null_or_of_newer_version(void)
{
	struct {
		struct gpuoa_stream_options known;
		uint64_t future;
	} newer = { .known = { .size = sizeof(newer) } };
	struct gpuoa_reader *reader;

	REQUIRE(!gpuoa_stream_open(unit, render, NULL, &reader, NULL, 0));
	gpuoa_reader_close(reader);
	REQUIRE(!gpuoa_stream_open(unit, render, &newer.known, &reader, NULL, 0));
	CHECK(newer.known.period_ns == 655360);
	gpuoa_reader_close(reader);
	newer.future = 1;
	CHECK(gpuoa_stream_open(unit, render, &newer.known, &reader, NULL, 0) == -E2BIG);
}

static void reports_come_one_period_apart(void)
{
	struct gpuoa_reader *reader = open_stream(1000000);
	struct gpuoa_read_status status;
	uint32_t last = 0;
	int n, total = 0;

	REQUIRE(reader);
	while (total < 500) {
		n = read_some(reader, &status);
		REQUIRE(n > 0);
		for (int i = 0; i < n; i++) {
			CHECK(!total || status.gap || timestamp(i) - last == 8192);
			last = timestamp(i);
			total++;
		}
		CHECK(!status.gap && !status.lost_ring && !status.lost_unknown);
	}
	gpuoa_reader_close(reader);
}

static void read_returns_at_most_count_reports(void)
{
	struct gpuoa_reader *reader = open_stream(100000);
	struct gpuoa_read_status status;
	uint32_t last;

	REQUIRE(reader && !gpuoa_reader_wait(reader, scaled_ms(10000)));
	REQUIRE(gpuoa_reader_read(reader, reports, 1, &status) == 1);
	last = timestamp(0);
	for (int i = 0; i < 20; i++) {
		REQUIRE(!gpuoa_reader_wait(reader, scaled_ms(10000)));
		REQUIRE(gpuoa_reader_read(reader, reports, 1, &status) == 1);
		CHECK(timestamp(0) - last == 1024 && !status.gap);
		last = timestamp(0);
	}
	gpuoa_reader_close(reader);
}

static void wait_times_out(void)
{
	struct gpuoa_stream_options options = { .size = sizeof(options), .disabled = true };
	struct gpuoa_read_status status;
	struct gpuoa_reader *reader;

	REQUIRE(!gpuoa_stream_open(unit, render, &options, &reader, NULL, 0));
	CHECK(gpuoa_reader_wait(reader, 0) == -ETIMEDOUT);
	CHECK(gpuoa_reader_wait(reader, 50) == -ETIMEDOUT);
	CHECK(gpuoa_reader_read(reader, reports, 1, &status) == 0);
	gpuoa_reader_close(reader);
}

static void poll_reports_readable_stream(void)
{
	struct gpuoa_reader *reader = open_stream(100000);
	struct pollfd pollfd = { .events = POLLIN };

	REQUIRE(reader);
	pollfd.fd = gpuoa_reader_fd(reader);
	CHECK(poll(&pollfd, 1, scaled_ms(10000)) == 1 && pollfd.revents == POLLIN);
	gpuoa_reader_close(reader);
}

static void disable_and_enable_cause_gap(void)
{
	struct gpuoa_reader *reader = open_stream(1000000);
	struct gpuoa_read_status status;
	bool gap = false;
	int n;

	REQUIRE(reader && read_some(reader, &status) > 0);
	for (int pause = 0; pause < 3; pause++) {
		CHECK(!gpuoa_reader_disable(reader));
		CHECK(!gpuoa_reader_enable(reader));
	}
	usleep(300000);
	CHECK(!gpuoa_reader_disable(reader));
	for (;;) {
		n = gpuoa_reader_read(reader, reports, MAX_REPORTS, &status);
		if (n <= 0)
			break;
		gap |= status.gap;
		for (int i = 1; i < n; i++)
			CHECK(timestamp(i) - timestamp(i - 1) == 8192);
	}
	CHECK(n == 0 && gap);
	gpuoa_reader_close(reader);
}

static void slow_reader_gets_exact_loss(void)
{
	struct gpuoa_stream_options options = {
		.size = sizeof(options),
		.period_ns = 100000,
		.ring_size = 64 * 1024,
		.delivery = GPUOA_DELIVERY_RAW,
	};
	struct gpuoa_read_status status;
	struct gpuoa_reader *reader;
	uint64_t lost = 0;
	uint32_t last = 0;
	bool has_last = false;
	int n;

	REQUIRE(!gpuoa_stream_open(unit, render, &options, &reader, NULL, 0));
	CHECK(options.ring_size == 64 * 1024);
	usleep(500000);
	for (int i = 0; i < 10 && !lost; i++) {
		while ((n = gpuoa_reader_read(reader, reports, MAX_REPORTS, &status)) > 0) {
			if (has_last && status.gap)
				CHECK(timestamp(0) - last == 1024 * (1 + status.lost_ring));
			lost += status.lost_ring;
			last = timestamp(n - 1);
			has_last = true;
		}
		REQUIRE(n == 0);
		usleep(100000);
	}
	CHECK(lost > 0);
	gpuoa_reader_close(reader);
}

static void second_configuration_returns_ebusy(void)
{
	struct gpuoa_reader *first = open_stream_by(GPUOA_DELIVERY_RAW, 1000000),
			    *same = open_stream(1000000), *other;
	struct gpuoa_stream_options slower = { .size = sizeof(slower), .period_ns = 50000000 };

	REQUIRE(first && same);
	CHECK(delivery(same) == GPUOA_DELIVERY_RAW);
	CHECK(gpuoa_stream_open(unit, compute, NULL, &other, NULL, 0) == -EBUSY);
	CHECK(gpuoa_stream_open(unit, render, &slower, &other, NULL, 0) == -EBUSY);
	gpuoa_reader_close(first);
	gpuoa_reader_close(same);
	REQUIRE(!gpuoa_stream_open(unit, compute, NULL, &other, NULL, 0));
	gpuoa_reader_close(other);
}

static void unsupported_options_are_rejected(void)
{
	struct gpuoa_stream_options options = { .size = sizeof(options), .period_ns = 159 };
	struct gpuoa_reader *reader;

	CHECK(gpuoa_stream_open(unit, render, &options, &reader, NULL, 0) == -ERANGE);
	options = (struct gpuoa_stream_options){ .size = sizeof(options), .format = 60 };
	CHECK(gpuoa_stream_open(unit, render, &options, &reader, NULL, 0) == -EINVAL);
	options = (struct gpuoa_stream_options){ .size = sizeof(options), .buffer_size = 3 << 20 };
	CHECK(gpuoa_stream_open(unit, render, &options, &reader, NULL, 0) == -EINVAL);
	options = (struct gpuoa_stream_options){ .size = sizeof(options), .buffer_size = 1 << 30 };
	CHECK(gpuoa_stream_open(unit, render, &options, &reader, NULL, 0) == -ERANGE);
	options = (struct gpuoa_stream_options){ .size = sizeof(options),
						 .context_filter = true,
						 .drm_fd = 1 };
	CHECK(gpuoa_stream_open(unit, render, &options, &reader, NULL, 0) < 0);
}

static void recording_equals_stream(void)
{
	struct gpuoa_unit_desc live, recorded;
	char path[] = "/tmp/guest_stream.XXXXXX";
	struct gpuoa_reader *stream = open_stream(200000), *file;
	struct gpuoa_recorder *recorder;
	struct gpuoa_recorder_stats stats;
	struct gpuoa_read_status status;
	uint64_t total = 0;
	int n;

	REQUIRE(stream);
	close(mkstemp(path));
	REQUIRE(!gpuoa_recorder_open(&stream, 1, path, &recorder, NULL, 0));
	for (int i = 0; i < 5; i++) {
		CHECK(!gpuoa_reader_wait(stream, scaled_ms(10000)));
		CHECK(!gpuoa_recorder_write(recorder));
	}
	CHECK(!gpuoa_reader_disable(stream));
	CHECK(!gpuoa_recorder_write(recorder));
	gpuoa_recorder_stats(recorder, &stats, sizeof(stats));
	CHECK(!gpuoa_recorder_close(recorder));
	gpuoa_reader_close(stream);

	REQUIRE(!gpuoa_file_open(path, &file, NULL, 0));
	gpuoa_unit_describe(unit, &live, sizeof(live));
	gpuoa_reader_describe_unit(file, &recorded, sizeof(recorded));
	CHECK(*recorded.parent);
	CHECK_STRING(recorded.parent, live.parent);
	while ((n = gpuoa_reader_read(file, reports, MAX_REPORTS, &status)) > 0) {
		CHECK(!status.gap);
		total += n;
	}
	CHECK(n == 0 && status.end && total == stats.reports && total > 100 && !stats.lost);
	gpuoa_reader_close(file);
	unlink(path);
}

/* AUX mode */

/* A watermark of half a second must not delay a reader that requests reports sooner. */
static void notify_reports_overrides_watermark(void)
{
	struct gpuoa_stream_options options = {
		.size = sizeof(options),
		.period_ns = 10000000,
		.notify_reports = 100000,
		.poll_period_ns = 1000000,
	};
	struct gpuoa_read_status status;
	struct gpuoa_reader *reader;

	REQUIRE(!gpuoa_stream_open(unit, render, &options, &reader, NULL, 0));
	CHECK(!gpuoa_reader_wait(reader, -1));
	CHECK(gpuoa_reader_read(reader, reports, MAX_REPORTS, &status) > 0);
	gpuoa_reader_close(reader);
	options = (struct gpuoa_stream_options){ .size = sizeof(options), .poll_period_ns = 1 };
	CHECK(gpuoa_stream_open(unit, render, &options, &reader, NULL, 0) == -ERANGE);
}

static void streams_share_unit_by_default(void)
{
	struct gpuoa_stream_options options = { .size = sizeof(options) };
	struct gpuoa_reader *first, *other;

	REQUIRE(!gpuoa_stream_open(unit, render, NULL, &first, NULL, 0));
	if (CHECK(!gpuoa_stream_open(unit, render, &options, &other, NULL, 0))) {
		CHECK(options.delivery == GPUOA_DELIVERY_RAW);
		gpuoa_reader_close(other);
	}
	gpuoa_reader_close(first);
}

static void ebusy_message_names_reason(void)
{
	struct gpuoa_stream_options options = {
		.size = sizeof(options),
		.delivery = GPUOA_DELIVERY_AUX,
	};
	struct gpuoa_reader *first, *other;
	char error[256] = "";

	REQUIRE(!gpuoa_stream_open(unit, render, NULL, &first, error, sizeof(error)));
	CHECK_STRING(error, "");
	CHECK(gpuoa_stream_open(unit, compute, NULL, &other, error, sizeof(error)) == -EBUSY);
	CHECK(strstr(error, "gpuoa0 is in use") && strstr(error, "another set"));
	CHECK(gpuoa_stream_open(unit, render, &options, &other, error, sizeof(error)) == -EBUSY);
	CHECK(strstr(error, "gpuoa0 is in use") && strstr(error, "AUX mode needs it alone"));
	gpuoa_reader_close(first);
	options.period_ns = 1;
	CHECK(gpuoa_stream_open(unit, render, &options, &other, error, sizeof(error)) == -ERANGE);
	CHECK(strstr(error, "the shortest period is 160 ns"));
}

static void missing_unit_has_message(void)
{
	struct gpuoa_unit *none;
	char error[256];

	CHECK(gpuoa_unit_open("gpuoa99", &none, error, sizeof(error)) == -ENOENT);
	CHECK_STRING(error, "no OA unit 'gpuoa99': see 'gpuoa list devices'");
}

static void set_of_another_platform_is_rejected(void)
{
	const struct gpuoa_set *other =
		gpuoa_platform_find_set(gpuoa_platform_find("tglgt2"), "RenderBasic", NULL, NULL);
	char error[256];
	uint32_t id;

	CHECK(gpuoa_unit_add_set(unit, other, &id, error, sizeof(error)) == -EINVAL);
	CHECK_STRING(error, "gpuoa0 is of platform hsw, and RenderBasic is a set of tglgt2");
}

static void *disable_soon(void *reader)
{
	usleep(200000);
	return gpuoa_reader_disable(reader) ? reader : NULL;
}

/*
 * One thread waits for reports while another one disables the stream, as a user's stop button
 * would.
 */
static void another_thread_may_stop_a_stream(enum gpuoa_delivery delivery)
{
	struct gpuoa_stream_options options = {
		.size = sizeof(options),
		.period_ns = 100000000,
		.notify_reports = 1000,
		.delivery = delivery,
	};
	struct gpuoa_read_status status;
	struct gpuoa_reader *reader;
	pthread_t thread;
	void *failed;
	int ret, n;

	REQUIRE(!gpuoa_stream_open(unit, render, &options, &reader, NULL, 0));
	REQUIRE(!pthread_create(&thread, NULL, disable_soon, reader));
	while (!(ret = gpuoa_reader_wait(reader, -1))) {
		do
			n = gpuoa_reader_read(reader, reports, MAX_REPORTS, &status);
		while (n > 0);
		REQUIRE(!n);
	}
	CHECK(ret == -ECANCELED);
	CHECK(!pthread_join(thread, &failed) && !failed);
	CHECK(gpuoa_reader_wait(reader, -1) == -ECANCELED);
	CHECK(!gpuoa_reader_enable(reader));
	CHECK(gpuoa_reader_wait(reader, 20) != -ECANCELED);
	gpuoa_reader_close(reader);
}

static void raw_stream_can_be_disabled_by_another_thread(void)
{
	another_thread_may_stop_a_stream(GPUOA_DELIVERY_RAW);
}

static void aux_stream_can_be_disabled_by_another_thread(void)
{
	another_thread_may_stop_a_stream(GPUOA_DELIVERY_AUX);
}

/*
 * Rows of one call never span a discontinuity, and they equal rows that are calculated after a
 * separate read.
 */
static void calc_read_equals_read_and_run(void)
{
	struct gpuoa_reader *reader = open_stream(1000000);
	const size_t max = 64;
	union gpuoa_value *values;
	struct gpuoa_interval intervals[64];
	struct gpuoa_read_status status;
	struct gpuoa_calc *calc;
	size_t rows = 0;

	REQUIRE(reader);
	REQUIRE(!gpuoa_calc_open(render, gpuoa_unit_constants(unit), GPUOA_REPORT_A45_B8_C8, NULL,
				 &calc, NULL, 0));
	values = calloc(max * gpuoa_calc_output_count(calc), sizeof(*values));
	while (values && rows < 300) {
		const int n = gpuoa_calc_read(calc, reader, values, intervals, max, &status);

		if (!CHECK(n >= 0))
			break;
		for (int i = 1; i < n; i++)
			CHECK(intervals[i].begin == intervals[i - 1].end);
		rows += n;
		if (!n && !CHECK(!gpuoa_reader_wait(reader, scaled_ms(10000))))
			break;
	}
	CHECK(rows >= 300);
	free(values);
	gpuoa_calc_close(calc);
	gpuoa_reader_close(reader);
}

static void aux_stream_excludes_other_streams(void)
{
	struct gpuoa_stream_options options = {
		.size = sizeof(options),
		.delivery = GPUOA_DELIVERY_PREFER_AUX,
	};
	struct gpuoa_reader *first, *other;

	REQUIRE(!gpuoa_stream_open(unit, render, &options, &first, NULL, 0));
	CHECK(delivery(first) == GPUOA_DELIVERY_AUX);
	CHECK(gpuoa_stream_open(unit, render, NULL, &other, NULL, 0) == -EBUSY);
	gpuoa_reader_close(first);
	first = open_stream_by(GPUOA_DELIVERY_RAW, 1000000);
	REQUIRE(first);
	options = (struct gpuoa_stream_options){
		.size = sizeof(options),
		.delivery = GPUOA_DELIVERY_AUX,
	};
	CHECK(gpuoa_stream_open(unit, render, &options, &other, NULL, 0) == -EBUSY);
	gpuoa_reader_close(first);
}

static void contradicting_options_return_einval(void)
{
	struct gpuoa_stream_options options = {
		.size = sizeof(options),
		.delivery = GPUOA_DELIVERY_RAW,
		.overwrite = true,
	};
	struct gpuoa_reader *reader;

	CHECK(gpuoa_stream_open(unit, render, &options, &reader, NULL, 0) == -EINVAL);
	options = (struct gpuoa_stream_options){ .size = sizeof(options), .delivery = 4 };
	CHECK(gpuoa_stream_open(unit, render, &options, &reader, NULL, 0) == -EINVAL);
	options = (struct gpuoa_stream_options){ .size = sizeof(options),
						 .dword_mask = { 1 << 20 },
						 .overwrite = true };
	CHECK(gpuoa_stream_open(unit, render, &options, &reader, NULL, 0) == -EINVAL);
	options = (struct gpuoa_stream_options){ .size = sizeof(options),
						 .batch_boundary_reports = true };
	CHECK(gpuoa_stream_open(unit, render, &options, &reader, NULL, 0) == -EINVAL);
	options = (struct gpuoa_stream_options){ .size = sizeof(options), .context_hw_id = true };
	CHECK(gpuoa_stream_open(unit, render, &options, &reader, NULL, 0) == -EINVAL);
}

/* Haswell's hardware compares the context id itself, and does not save OA state per context. */
static void context_filter_accepts_hardware_id(void)
{
	struct gpuoa_stream_options options = {
		.size = sizeof(options),
		.period_ns = 200000,
		.context_filter = true,
		.context_hw_id = true,
		.context = 0xfffff000,
	};
	struct gpuoa_read_status status;
	struct gpuoa_reader_desc desc;
	struct gpuoa_reader *reader;

	REQUIRE(!gpuoa_stream_open(unit, render, &options, &reader, NULL, 0));
	gpuoa_reader_describe(reader, &desc, sizeof(desc));
	CHECK(desc.context_filter);
	usleep(100000);
	CHECK(!gpuoa_reader_disable(reader));
	CHECK(gpuoa_reader_read(reader, reports, MAX_REPORTS, &status) == 0);
	CHECK(!status.lost_unknown && !status.lost_hardware);
	gpuoa_reader_close(reader);
}

/*
 * Counts of all reports read in place. @periods: number of periods of 1024 ticks from the first to
 * the last report
 */
struct seen {
	uint64_t reports, lost, periods;
	uint64_t coming; /* number of reports lost since the last report that was read */
	uint32_t last;
	bool unknown;
};

static int see_all(struct gpuoa_reader *reader, struct seen *seen)
{
	struct gpuoa_read_status status;
	const void *there;
	int n;

	do {
		n = gpuoa_reader_peek(reader, &there, MAX_REPORTS, &status);
		seen->unknown |= status.lost_unknown;
		seen->coming += status.lost_overflow + status.lost_hardware + status.lost_ring;
		if (n > 0) {
			seen->lost += seen->coming;
			seen->coming = 0;
		}
		for (int i = 0; i < n; i++) {
			const uint32_t time = timestamp_of(there, i);

			if (seen->reports)
				seen->periods += (time - seen->last) / 1024;
			CHECK(!i || time - seen->last == 1024);
			seen->last = time;
			seen->reports++;
		}
	} while (n > 0);
	return n;
}

/*
 * Returns whether reports were lost because the machine was busy, and the loss was reported. This
 * does not happen in virtual time.
 */
static bool was_held_up(const struct seen *seen)
{
	return !virtual_time() && (seen->lost || seen->unknown);
}

/* Returns whether every missing report was reported as lost. */
static bool adds_up(const struct seen *seen)
{
	if (seen->unknown || seen->periods == seen->reports + seen->lost - 1)
		return true;
	printf("# %" PRIu64 " periods, %" PRIu64 " reports, %" PRIu64 " lost\n", seen->periods,
	       seen->reports, seen->lost);
	return false;
}

static void peek_returns_all_reports(void)
{
	struct gpuoa_reader *reader = open_stream(100000);
	struct seen seen = { 0 };

	REQUIRE(reader && delivery(reader) == GPUOA_DELIVERY_AUX);
	while (seen.reports < 5000) {
		REQUIRE(!gpuoa_reader_wait(reader, scaled_ms(10000)));
		REQUIRE(!see_all(reader, &seen));
	}
	CHECK(was_held_up(&seen) || (!seen.lost && !seen.unknown));
	CHECK(adds_up(&seen));
	gpuoa_reader_close(reader);
}

static void slow_aux_reader_gets_exact_loss(void)
{
	struct gpuoa_stream_options options = {
		.size = sizeof(options),
		.period_ns = 100000,
		.buffer_size = 128 * 1024,
		.delivery = GPUOA_DELIVERY_AUX,
	};
	struct gpuoa_reader *reader;
	struct seen seen = { 0 };

	REQUIRE(!gpuoa_stream_open(unit, render, &options, &reader, NULL, 0));
	CHECK(options.buffer_size == 128 * 1024);
	for (int i = 0; i < 3; i++) {
		usleep(200000);
		CHECK(!see_all(reader, &seen));
		gpuoa_reader_consume(reader);
	}
	/*
	 * Read several times without delay, so that the last item read is a report and not a loss.
	 */
	for (int i = 0; i < 10; i++) {
		CHECK(!gpuoa_reader_wait(reader, scaled_ms(10000)));
		CHECK(!see_all(reader, &seen));
	}
	CHECK(seen.lost > 1000 && (!seen.unknown || !virtual_time()));
	CHECK(adds_up(&seen));
	gpuoa_reader_close(reader);
}

/* Read until an injected fault has taken effect and 2000 more reports have arrived. */
static bool see_fault(struct gpuoa_reader *reader, const struct sim_unit *unit, const char *fault,
		      struct seen *seen)
{
	uint64_t enough = seen->reports + 2000, left;

	do {
		if (!sim_unit_number(unit, fault, &left))
			return false;
		if (left)
			enough = seen->reports + 2000;
		if (gpuoa_reader_wait(reader, scaled_ms(10000)) || see_all(reader, seen))
			return false;
	} while (left || seen->reports < enough);
	return true;
}

/* Inject a fault that drops @count reports, three times. */
static void faults_in_place_are_counted(const char *fault, uint64_t count)
{
	struct gpuoa_reader *reader = open_stream_by(GPUOA_DELIVERY_AUX, 100000);
	struct sim_unit units[MAX_UNITS];
	const size_t n = sim_units_open(units, MAX_UNITS);
	struct seen seen = { 0 };
	char value[16];

	REQUIRE(reader && n);
	snprintf(value, sizeof(value), "%" PRIu64, count);
	for (int i = 0; i < 3; i++) {
		CHECK(sim_unit_switch(&units[0], fault, value));
		REQUIRE(see_fault(reader, &units[0], fault, &seen));
	}
	CHECK(seen.unknown ? was_held_up(&seen) : adds_up(&seen));
	CHECK(seen.lost == 3 * count || (seen.lost > 3 * count && !virtual_time()));
	gpuoa_reader_close(reader);
	sim_units_close(units, n);
}

/*
 * The GPU writes the reports directly into the reader's memory, so the kernel cannot skip the
 * invalid ones; only the reader can.
 */
static void peek_skips_invalid_reports(void)
{
	faults_in_place_are_counted("zero_ids", 5);
}

static void missing_report_is_counted_once(void)
{
	faults_in_place_are_counted("missing", 2);
}

/*
 * If many reports are pending after a reported loss, the kernel examines each of them. Reports that
 * are missing among them must be counted either by the kernel or by the reader, not by both.
 */
static void missing_reports_among_many_are_counted_once(void)
{
	struct gpuoa_stream_options options = {
		.size = sizeof(options),
		.period_ns = 100000,
		.notify_reports = 2000,
		.delivery = GPUOA_DELIVERY_AUX,
	};
	struct sim_unit units[MAX_UNITS];
	const size_t n = sim_units_open(units, MAX_UNITS);
	struct gpuoa_reader *reader;
	struct seen seen = { 0 };

	REQUIRE(n && !gpuoa_stream_open(unit, render, &options, &reader, NULL, 0));
	while (seen.reports < 2000) {
		REQUIRE(!gpuoa_reader_wait(reader, scaled_ms(10000)));
		REQUIRE(!see_all(reader, &seen));
	}
	CHECK(sim_unit_switch(&units[0], "missing", "2"));
	usleep(40000);
	CHECK(sim_unit_switch(&units[0], "lose_reports", "3"));
	REQUIRE(see_fault(reader, &units[0], "lose_reports", &seen));
	CHECK(seen.unknown ? was_held_up(&seen) : adds_up(&seen));
	CHECK(seen.lost == 5 || (seen.lost > 5 && !virtual_time()));
	gpuoa_reader_close(reader);
	sim_units_close(units, n);
}

static void invalid_reports_are_not_recorded(void)
{
	char path[] = "/tmp/guest_invalid.XXXXXX";
	struct gpuoa_reader *stream = open_stream_by(GPUOA_DELIVERY_AUX, 100000), *file;
	struct sim_unit units[MAX_UNITS];
	const size_t n = sim_units_open(units, MAX_UNITS);
	struct gpuoa_recorder_stats stats;
	struct gpuoa_recorder *recorder;
	struct seen seen = { 0 };

	REQUIRE(stream && n);
	close(mkstemp(path));
	REQUIRE(!gpuoa_recorder_open(&stream, 1, path, &recorder, NULL, 0));
	usleep(50000);
	CHECK(sim_unit_switch(&units[0], "zero_ids", "7"));
	usleep(50000);
	CHECK(!gpuoa_reader_disable(stream));
	CHECK(!gpuoa_recorder_write(recorder));
	gpuoa_recorder_stats(recorder, &stats, sizeof(stats));
	CHECK(stats.lost == 7 || (stats.lost > 7 && !virtual_time()));
	CHECK(!gpuoa_recorder_close(recorder));
	gpuoa_reader_close(stream);

	REQUIRE(!gpuoa_file_open(path, &file, NULL, 0));
	CHECK(!see_all(file, &seen) && seen.reports == stats.reports && seen.lost == stats.lost);
	CHECK(adds_up(&seen));
	gpuoa_reader_close(file);
	sim_units_close(units, n);
	unlink(path);
}

static void flight_recorder_keeps_newest_reports(void)
{
	struct gpuoa_stream_options options = {
		.size = sizeof(options),
		.period_ns = 100000,
		.buffer_size = 1 << 20, /* 4096 reports, 0.3 s */
		.overwrite = true,
	};
	struct gpuoa_read_status status;
	struct gpuoa_clock_pair now;
	struct seen first = { 0 }, second = { 0 };
	struct gpuoa_reader *reader;
	uint32_t end;

	REQUIRE(!gpuoa_stream_open(unit, render, &options, &reader, NULL, 0));
	usleep(700000);
	CHECK(gpuoa_reader_read(reader, reports, 1, &status) == 0);
	REQUIRE(!gpuoa_unit_clock(unit, CLOCK_MONOTONIC, &now));
	REQUIRE(!gpuoa_reader_disable(reader));
	REQUIRE(!see_all(reader, &first));
	CHECK(was_held_up(&first) || (first.reports >= 4094 && first.reports < 4096 &&
				      !first.lost && first.periods == first.reports - 1));
	/*
	 * The last report dates from the time of the stop request: no report before it is missing.
	 */
	CHECK((int32_t)(first.last - (uint32_t)now.gpu_ticks) >= -2 * 1024);

	end = first.last;
	REQUIRE(!gpuoa_reader_enable(reader));
	usleep(20000);
	REQUIRE(!gpuoa_reader_disable(reader));
	REQUIRE(gpuoa_reader_read(reader, reports, 1, &status) == 1);
	CHECK(status.gap && !status.lost_ring && !status.lost_unknown &&
	      (int32_t)(timestamp(0) - end) > 0);
	REQUIRE(!see_all(reader, &second));
	CHECK(second.reports > 50 && (!second.lost || was_held_up(&second)));
	gpuoa_reader_close(reader);
}

static void flight_recorder_is_recorded_after_disable(void)
{
	char path[] = "/tmp/guest_flight.XXXXXX";
	struct gpuoa_stream_options options = {
		.size = sizeof(options),
		.period_ns = 100000,
		.buffer_size = 1 << 20, /* 4096 reports, 0.3 s */
		.overwrite = true,
	};
	struct gpuoa_reader *stream, *file;
	struct gpuoa_recorder_stats stats;
	struct gpuoa_recorder *recorder;
	struct seen seen = { 0 };

	REQUIRE(!gpuoa_stream_open(unit, render, &options, &stream, NULL, 0));
	close(mkstemp(path));
	REQUIRE(!gpuoa_recorder_open(&stream, 1, path, &recorder, NULL, 0));
	usleep(700000);
	CHECK(!gpuoa_recorder_write(recorder));
	gpuoa_recorder_stats(recorder, &stats, sizeof(stats));
	CHECK(!stats.reports);
	CHECK(!gpuoa_reader_disable(stream));
	CHECK(!gpuoa_recorder_write(recorder));
	gpuoa_recorder_stats(recorder, &stats, sizeof(stats));
	CHECK((stats.reports >= 4094 && !stats.lost && !stats.lost_unknown) || !virtual_time());
	CHECK(!gpuoa_recorder_close(recorder));
	gpuoa_reader_close(stream);

	REQUIRE(!gpuoa_file_open(path, &file, NULL, 0));
	CHECK(delivery(file) == GPUOA_DELIVERY_AUX);
	CHECK(!see_all(file, &seen) && seen.reports == stats.reports);
	CHECK(seen.lost == stats.lost && seen.unknown == (stats.lost_unknown != 0));
	CHECK(adds_up(&seen));
	gpuoa_reader_close(file);
	unlink(path);
}

int main(void)
{
	const struct gpuoa_platform *platform;

	if (gpuoa_unit_open(NULL, &unit, NULL, 0))
		return tap_skip("no OA unit");
	platform = gpuoa_unit_platform(unit);
	render = platform ? gpuoa_platform_find_set(platform, "RenderBasic", NULL, NULL) : NULL;
	compute = platform ? gpuoa_platform_find_set(platform, "ComputeBasic", NULL, NULL) : NULL;
	if (!render || !compute)
		return tap_skip("the unit is no Haswell");
	RUN(units_are_listed);
	RUN(unit_open_accepts_names);
	RUN(units_have_constants);
	RUN(adding_set_twice_returns_same_id);
	RUN(configs_are_added_listed_and_removed);
	RUN(disallowed_register_is_named);
	RUN(unit_clock_advances_both_clocks);
	RUN(wait_returns_below_watermark_after_disable);
	RUN(open_returns_actual_options);
	RUN(raw_open_returns_actual_options);
	RUN(options_may_be_null_or_of_newer_version);
	RUN(reports_come_one_period_apart);
	RUN(read_returns_at_most_count_reports);
	RUN(wait_times_out);
	RUN(poll_reports_readable_stream);
	RUN(disable_and_enable_cause_gap);
	RUN(slow_reader_gets_exact_loss);
	RUN(second_configuration_returns_ebusy);
	RUN(unsupported_options_are_rejected);
	RUN(recording_equals_stream);
	RUN(notify_reports_overrides_watermark);
	RUN(streams_share_unit_by_default);
	RUN(ebusy_message_names_reason);
	RUN(missing_unit_has_message);
	RUN(set_of_another_platform_is_rejected);
	RUN(raw_stream_can_be_disabled_by_another_thread);
	RUN(aux_stream_can_be_disabled_by_another_thread);
	RUN(calc_read_equals_read_and_run);
	RUN(aux_stream_excludes_other_streams);
	RUN(contradicting_options_return_einval);
	RUN(context_filter_accepts_hardware_id);
	RUN(peek_returns_all_reports);
	RUN(slow_aux_reader_gets_exact_loss);
	RUN(peek_skips_invalid_reports);
	RUN(missing_report_is_counted_once);
	RUN(missing_reports_among_many_are_counted_once);
	RUN(invalid_reports_are_not_recorded);
	RUN(flight_recorder_keeps_newest_reports);
	RUN(flight_recorder_is_recorded_after_disable);
	gpuoa_unit_close(unit);
	return tap_end();
}
