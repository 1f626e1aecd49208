// SPDX-License-Identifier: MIT
/*
 * gpus_device.c - Test the list of all virtual GPUs and their units, with the engines that each
 * unit measures. One GPU of each kind is required.
 */
#include <errno.h>
#include <inttypes.h>
#include <math.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <sys/sysmacros.h>

#include "gpuoa-device.h"
#include "gpuoa-freq-pin.h"
#include "sim_unit.h"
#include "tap.h"

#define UNITS_MAX 32
#define GPUS_MAX 16

static struct sim_unit units[UNITS_MAX];
static size_t unit_count;
static struct gpuoa_device_desc gpus[GPUS_MAX];
static int gpu_count;

static const struct gpuoa_device_desc *gpu_of(const struct sim_unit *unit)
{
	for (int i = 0; i < gpu_count; i++)
		if (!strcmp(gpus[i].name, unit->desc.parent))
			return &gpus[i];
	return NULL;
}

static void each_unit_belongs_to_a_gpu(void)
{
	uint32_t listed = 0;

	for (size_t i = 0; i < unit_count; i++) {
		const struct gpuoa_device_desc *gpu = gpu_of(&units[i]);
		bool found = false;

		if (!CHECK(gpu))
			continue;
		for (uint32_t u = 0; u < gpu->unit_count; u++)
			found |= !strcmp(gpu->units[u], units[i].desc.name);
		CHECK(found);
		CHECK_STRING(gpu->platform, units[i].desc.platform);
		CHECK(units[i].desc.tile < gpu->tile_count);
	}
	for (int i = 0; i < gpu_count; i++)
		listed += gpus[i].unit_count;
	CHECK(listed == unit_count);
}

static void device_list_describes_gpus(void)
{
	for (int i = 0; i < gpu_count; i++) {
		struct stat st = { 0 };

		/* without units, the GPU is not virtual but one of the host machine */
		if (!gpus[i].unit_count)
			continue;
		CHECK_STRING(gpus[i].driver, "gpuoa_sim");
		CHECK(gpus[i].state == GPUOA_DEVICE_READY);
		CHECK_STRING(gpus[i].reason, "");
		CHECK_STRING(gpus[i].title,
			     gpuoa_platform_title(gpuoa_platform_find(gpus[i].platform)));
		CHECK(gpus[i].type == (strstr("acmgt3 bmg", gpus[i].platform) ?
					       GPUOA_DEVICE_DISCRETE :
					       GPUOA_DEVICE_INTEGRATED));
		CHECK(!stat(gpus[i].render, &st));
		CHECK(major(st.st_rdev) == gpus[i].render_major);
		CHECK(minor(st.st_rdev) == gpus[i].render_minor);
	}
}

/* Compare the engines of each OA unit with the assignment that i915 and xe use. */
static void units_list_their_engines(void)
{
	/* clang-format off */
	static const struct {
		const char *platform;
		const char *domain;
		uint16_t gt;
		const char *engines;
	} known[] = {
		{ "hsw", "OA", 0, "rcs0" },
		{ "bdw", "OA", 0, "rcs0" },
		{ "sklgt2", "OA", 0, "rcs0" },
		{ "icl", "OA", 0, "rcs0" },
		{ "tglgt2", "OA", 0, "rcs0" },
		{ "acmgt3", "OA", 0, "rcs0 ccs0" },
		{ "mtlgt2", "OA", 0, "rcs0 ccs0" },
		{ "mtlgt2", "OAM0", 1, "vcs0 vcs2 vecs0" },
		{ "lnl", "OA", 0, "rcs0 ccs0" },
		{ "lnl", "OAM0", 1, "vcs0 vecs0" },
		{ "lnl", "OAMG", 1, "" },
		{ "bmg", "OA", 0, "rcs0 ccs0" },
		{ "bmg", "OAM0", 1, "vcs0 vecs0" },
		{ "bmg", "OAMG", 1, "" },
		{ "bmg", "OAM1", 1, "vcs2 vecs1" },
		{ "ptl", "OA", 0, "rcs0 ccs0" },
		{ "ptl", "OAM0", 1, "vcs0 vecs0" },
		{ "ptl", "OAMG", 1, "" },
	};
	/* clang-format on */
	const size_t count = sizeof(known) / sizeof(known[0]);
	size_t checked = 0;

	for (size_t i = 0; i < unit_count; i++) {
		const struct gpuoa_unit_desc *desc = &units[i].desc;
		char engines[128] = "";
		size_t k = 0;

		for (uint32_t e = 0; e < desc->engine_count; e++)
			sprintf(engines + strlen(engines), "%s%s%u", e ? " " : "",
				gpuoa_engine_kind_name(desc->engines[e].kind),
				desc->engines[e].instance);
		while (k < count && (strcmp(known[k].platform, desc->platform) ||
				     strcmp(known[k].domain, desc->domain)))
			k++;
		if (!CHECK(k < count))
			continue;
		CHECK_STRING(engines, known[k].engines);
		CHECK(desc->gt == known[k].gt);
		checked++;
	}
	CHECK(checked == unit_count);
}

/*
 * On DG2 and Meteor Lake, the OA clock runs at the crystal's frequency; the timestamps of commands
 * run at half of it.
 */
static void units_report_command_streamer_clock(void)
{
	for (size_t i = 0; i < unit_count; i++) {
		const struct gpuoa_unit_desc *desc = &units[i].desc;
		const unsigned int divisor = strstr("acmgt3 mtlgt2", desc->platform) ? 2 : 1;

		CHECK(desc->cs_timestamp_frequency * divisor == desc->timestamp_frequency);
		CHECK(desc->cs_timestamp_bits == 36);
	}
}

/* Media units cannot filter by context. Only GPUs of gen8 and later have flexible EU counters. */
static void units_report_optional_features(void)
{
	for (size_t i = 0; i < unit_count; i++) {
		const struct gpuoa_unit_desc *desc = &units[i].desc;
		const bool render = !strcmp(desc->domain, "OA");

		CHECK(!!(desc->features & GPUOA_UNIT_CONTEXT) == render);
		CHECK(!!(desc->features & GPUOA_UNIT_FLEX) ==
		      (render && strcmp(desc->platform, "hsw")));
		CHECK(desc->features & GPUOA_UNIT_BATCH_BOUNDARY_REPORTS);
	}
}

/* Find the metric of a unit's set that is the average GPU frequency in Hz. */
static const struct gpuoa_metric *clock_metric(const struct sim_unit *unit)
{
	const struct gpuoa_constants *constants = gpuoa_unit_constants(unit->unit);
	const struct gpuoa_metric *metric = NULL;
	const struct gpuoa_set *set;

	for (size_t i = 0; !metric && (set = gpuoa_platform_get_set(unit->platform, i)); i++)
		if (gpuoa_set_available(set, unit->desc.domain, constants, NULL, 0) == 1)
			metric = gpuoa_set_find_metric(set, "AvgGpuCoreFrequency");
	return metric;
}

/*
 * Measure the average GPU frequency, in Hz, in each of INTERVALS intervals. Returns false on
 * failure.
 */
#define INTERVALS 4
static bool measure_clock(const struct sim_unit *unit, double *clocks,
			  struct gpuoa_interval *intervals)
{
	const struct gpuoa_metric *metric = clock_metric(unit);
	struct gpuoa_stream_options stream = { .size = sizeof(stream),
					       .period_ns = 1000000,
					       .notify_reports = 1 };
	struct gpuoa_calc_options options = { .size = sizeof(options),
					      .metrics = &metric,
					      .metric_count = 1 };
	struct gpuoa_reader *reader = NULL;
	struct gpuoa_metric_desc measured;
	struct gpuoa_reader_desc desc;
	struct gpuoa_calc *calc = NULL;
	union gpuoa_value values[INTERVALS * 64];
	int rows = 0, n;

	if (!metric)
		return false;
	gpuoa_metric_describe(metric, &measured, sizeof(measured));
	if (gpuoa_stream_open(unit->unit, measured.set, &stream, &reader, NULL, 0))
		return false;
	gpuoa_reader_describe(reader, &desc, sizeof(desc));
	if (gpuoa_calc_open(measured.set, gpuoa_unit_constants(unit->unit), desc.format, &options,
			    &calc, NULL, 0) ||
	    gpuoa_calc_output_count(calc) > 64)
		goto out;
	while (rows < INTERVALS && !gpuoa_reader_wait(reader, 10000)) {
		n = gpuoa_calc_read(calc, reader, values, &intervals[rows], INTERVALS - rows, NULL);
		for (int i = 0; i < n; i++)
			clocks[rows++] = gpuoa_value_to_double(
				gpuoa_calc_output_type(calc, 0),
				values[(size_t)i * gpuoa_calc_output_count(calc)]);
		if (n < 0)
			break;
	}
out:
	gpuoa_calc_close(calc);
	gpuoa_reader_close(reader);
	return rows == INTERVALS;
}

/*
 * The measured frequency may differ from the pinned one by one tick and one cycle per interval,
 * because an interval that ends with a context switch is short.
 */
static void pinned_clock_equals_measured_clock(void)
{
	for (size_t i = 0; i < unit_count; i++) {
		const struct gpuoa_unit_desc *desc = &units[i].desc;
		const double frequency = desc->timestamp_frequency;
		struct gpuoa_interval intervals[INTERVALS];
		struct gpuoa_freq_pin *pin;
		double clocks[INTERVALS];
		uint64_t hz = 750000000;

		if (strcmp(desc->domain, "OA"))
			continue;
		if (!CHECK(!gpuoa_freq_pin_open(desc->parent, &pin, NULL, 0)))
			continue;
		CHECK(!gpuoa_freq_pin_set(pin, &hz, NULL, 0));
		CHECK(hz == 750000000);
		if (CHECK(measure_clock(&units[i], clocks, intervals)))
			for (int n = 0; n < INTERVALS; n++) {
				const uint64_t ticks = intervals[n].end - intervals[n].begin;
				const double cycles = (clocks[n] - 750e6) * ticks / frequency;

				if (!CHECK(fabs(cycles) <= 1 + 750e6 / frequency))
					printf("# %s: %f Hz, %f cycles off in %" PRIu64 " ticks\n",
					       desc->platform, clocks[n], cycles, ticks);
			}
		hz = 0;
		CHECK(!gpuoa_freq_pin_set(pin, &hz, NULL, 0));
		CHECK(hz == desc->gt_max_frequency);
		gpuoa_freq_pin_close(pin);
		/* Without a pin, the load runs at another frequency. */
		if (CHECK(measure_clock(&units[i], clocks, intervals)))
			CHECK(clocks[0] < 748e6 || clocks[0] > 752e6);
	}
}

/* All units of a GPU share one clock, and so one pin. */
static void units_of_gpu_share_one_pin(void)
{
	struct gpuoa_freq_pin *first, *second;
	uint64_t hz = 600000000, other = 700000000;
	char error[256];

	for (int i = 0; i < gpu_count; i++) {
		if (!gpus[i].unit_count)
			continue;
		REQUIRE(!gpuoa_freq_pin_open(gpus[i].units[0], &first, NULL, 0));
		REQUIRE(!gpuoa_freq_pin_open(gpus[i].render, &second, NULL, 0));
		CHECK(!gpuoa_freq_pin_set(first, &hz, NULL, 0));
		CHECK(gpuoa_freq_pin_set(second, &other, error, sizeof(error)) == -EBUSY);
		CHECK(strstr(error, "another process"));
		CHECK(!gpuoa_freq_pin_clear(first, NULL, 0));
		CHECK(!gpuoa_freq_pin_set(second, &other, NULL, 0));
		gpuoa_freq_pin_close(second);
		gpuoa_freq_pin_close(first);
	}
}

int main(void)
{
	gpu_count = gpuoa_device_list(gpus, sizeof(gpus[0]), GPUS_MAX);
	unit_count = sim_units_open(units, UNITS_MAX);
	if (!unit_count)
		return tap_skip("no OA unit");
	RUN(each_unit_belongs_to_a_gpu);
	RUN(device_list_describes_gpus);
	RUN(units_list_their_engines);
	RUN(units_report_command_streamer_clock);
	RUN(units_report_optional_features);
	RUN(pinned_clock_equals_measured_clock);
	RUN(units_of_gpu_share_one_pin);
	sim_units_close(units, unit_count);
	return tap_end();
}
