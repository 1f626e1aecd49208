// SPDX-License-Identifier: MIT
/*
 * gpus_merge.c - Merge all units of all virtual GPUs. Reports of one GPU must be ordered exactly by
 * its clock, those of different GPUs by CPU time.
 */
#include <string.h>

#include "gpuoa-merge.h"
#include "sim_unit.h"
#include "tap.h"

#define UNITS_MAX 32
#define PERIOD_NS 5000000
#define REPORTS 100 /* per unit */
#define NSEC_PER_SEC 1e9

static struct sim_unit units[UNITS_MAX];
static size_t unit_count;

/* Input from one unit */
static struct input {
	struct gpuoa_reader *reader;
	struct gpuoa_reader_desc desc;
	uint64_t mask; /* width of timestamps */
	uint64_t reports;
	uint64_t time; /* timestamp of the last report */
	struct gpuoa_clock_pair pair; /* newest clock pair */
} inputs[UNITS_MAX];

static uint64_t error_max; /* largest error bound of all clock pairs that were read, in ns */

static bool open_all(struct gpuoa_reader **readers)
{
	for (size_t i = 0; i < unit_count; i++) {
		struct gpuoa_stream_options options = {
			.size = sizeof(options),
			.period_ns = PERIOD_NS,
			.notify_reports = 1,
			.delivery = GPUOA_DELIVERY_PREFER_AUX,
		};
		struct input *input = &inputs[i];
		const uint32_t bits = units[i].desc.timestamp_bits;

		if (!CHECK(!gpuoa_stream_open(units[i].unit, sim_unit_any_set(&units[i]), &options,
					      &input->reader, NULL, 0)))
			return false;
		gpuoa_reader_describe(input->reader, &input->desc, sizeof(input->desc));
		input->mask = bits < 64 ? (1ull << bits) - 1 : UINT64_MAX;
		readers[i] = input->reader;
	}
	return true;
}

/* Returns the CPU time of an input's last report, in ns. */
static double cpu_time(const struct sim_unit *unit, const struct input *input)
{
	const uint64_t since = (input->time - input->pair.gpu_ticks) & input->mask;
	const double ticks = since > input->mask / 2 ? -(double)(input->mask - since + 1) :
						       (double)since;

	return (double)input->pair.cpu_ns + ticks * NSEC_PER_SEC / unit->desc.timestamp_frequency;
}

/* Returns whether the last reports of two inputs are in order of time. */
static bool in_order(size_t before, size_t after)
{
	const struct input *a = &inputs[before], *b = &inputs[after];
	double error;

	if (!strcmp(units[before].desc.parent, units[after].desc.parent))
		return ((b->time - a->time) & b->mask) <= b->mask / 2;
	/*
	 * The merge may have used older clock pairs than this comparison, or those of another unit.
	 */
	error = 4.0 * error_max + 100000;
	return cpu_time(&units[before], a) <= cpu_time(&units[after], b) + error;
}

static void take(const struct gpuoa_merge_run *run, size_t *last)
{
	struct input *input = &inputs[run->reader];
	bool ordered = true;

	if (run->status.has_clock) {
		input->pair = run->status.clock;
		if (input->pair.error_ns > error_max)
			error_max = input->pair.error_ns;
	}
	CHECK(!run->status.lost_unknown && !run->status.lost_ring);
	for (uint32_t i = 0; i < run->count; i++) {
		input->time = gpuoa_report_timestamp(input->desc.format,
						     (const char *)run->reports +
							     i * input->desc.report_size);
		if (*last < unit_count)
			ordered &= in_order(*last, run->reader);
		*last = run->reader;
		input->reports++;
	}
	CHECK(ordered);
}

static bool all_came(void)
{
	for (size_t i = 0; i < unit_count; i++)
		if (inputs[i].reports < REPORTS)
			return false;
	return true;
}

static void merge_returns_reports_of_all_units_in_time_order(void)
{
	struct gpuoa_reader *readers[UNITS_MAX];
	struct gpuoa_merge_run run;
	struct gpuoa_merge *merge;
	size_t last = unit_count;

	REQUIRE(open_all(readers));
	REQUIRE(!gpuoa_merge_open(readers, unit_count, &merge, NULL, 0));
	while (!all_came()) {
		const int ret = gpuoa_merge_next(merge, false, &run, sizeof(run));

		REQUIRE(ret >= 0);
		if (ret)
			take(&run, &last);
		else
			REQUIRE(!gpuoa_reader_wait(readers[run.reader], 20000));
	}
	gpuoa_merge_close(merge);
	for (size_t i = 0; i < unit_count; i++)
		gpuoa_reader_close(readers[i]);
}

int main(void)
{
	unit_count = sim_units_open(units, UNITS_MAX);
	if (unit_count < 2)
		return tap_skip("less than two OA units");
	RUN(merge_returns_reports_of_all_units_in_time_order);
	sim_units_close(units, unit_count);
	return tap_end();
}
