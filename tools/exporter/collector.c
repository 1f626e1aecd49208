// SPDX-License-Identifier: MIT
/*
 * collector.c - collect values and sums of metrics from an OA unit or a recording
 */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "common/tool.h"
#include "common/lookup.h"
#include "exporter/collector.h"
#include "gpuoa-device.h"
#include "common/scaling.h"
#include "common/yield.h"

#define BATCH 512

/*
 * Find the GPU of a unit, for the labels. This does not need permission to open the unit, so the
 * labels stay the same when the unit can be opened later.
 */
static void find_gpu(struct collector *collector)
{
	const int most = gpuoa_device_list(NULL, sizeof(struct gpuoa_device_desc), 0);
	struct gpuoa_device_desc *gpus = calloc(most > 0 ? most : 1, sizeof(*gpus));
	const int count = gpus && most > 0 ? gpuoa_device_list(gpus, sizeof(*gpus), most) : 0;

	for (int i = 0; i < count && i < most; i++) {
		bool found = !strcmp(gpus[i].name, collector->name);

		for (uint32_t k = 0; k < gpus[i].unit_count; k++)
			found |= !strcmp(gpus[i].units[k], collector->name);
		if (!found)
			continue;
		snprintf(collector->desc.parent, sizeof(collector->desc.parent), "%s",
			 gpus[i].name);
		snprintf(collector->desc.platform, sizeof(collector->desc.platform), "%s",
			 gpus[i].platform);
	}
	free(gpus);
}

void collector_begin(struct collector *collector, const struct tool *tool, const char *name,
		     const char *set, const char *metrics, uint64_t period_ns)
{
	*collector = (struct collector){
		.tool = tool,
		.set_wanted = set,
		.metrics_wanted = metrics,
		.period_ns = period_ns,
		.yield = -1,
	};
	snprintf(collector->name, sizeof(collector->name), "%s", name);
	find_gpu(collector);
}

/* Stop measuring a unit. Its sums are kept, so that values measured later are added to them. */
static void close_unit(struct collector *collector)
{
	gpuoa_reader_close(collector->reader);
	gpuoa_calc_close(collector->calc);
	gpuoa_unit_close(collector->unit);
	if (collector->yield >= 0)
		close(collector->yield);
	collector->yield = -1;
	collector->reader = NULL;
	collector->calc = NULL;
	collector->unit = NULL;
	collector->has_values = false;
}

static void free_tallies(struct collector *collector)
{
	for (size_t i = 0; collector->tallies && i < collector->set.metric_count; i++)
		free(collector->tallies[i].column);
	free(collector->columns);
	free(collector->intervals);
	free(collector->values);
	free(collector->tallies);
	free(collector->series);
	collector->columns = NULL;
	collector->intervals = NULL;
	collector->values = NULL;
	collector->tallies = NULL;
	collector->series = NULL;
	collector->series_count = 0;
	collector->tallied = NULL;
}

void collector_end(struct collector *collector)
{
	if (collector->recorded.reader)
		collector->reader = NULL; /* owned by the recording */
	close_unit(collector);
	free_tallies(collector);
	recorded_close(&collector->recorded);
}

/*
 * Add the metric as a series of each family. For integrals and averages, allocate a column for the
 * metric's values.
 */
static bool add_series(struct collector *collector, size_t metric, bool is_role,
		       const struct family *families, size_t count)
{
	struct tally *tally = &collector->tallies[metric];

	for (size_t i = 0; i < count; i++) {
		const enum family_kind kind = families[i].kind;

		if ((kind == FAMILY_INTEGRAL || kind == FAMILY_MEAN) && !tally->column)
			tally->column = calloc(BATCH, sizeof(union gpuoa_value));
		if ((kind == FAMILY_INTEGRAL || kind == FAMILY_MEAN) && !tally->column)
			return false;
		collector->series[collector->series_count++] = (struct series){
			.family = families[i],
			.metric = metric,
			.is_role = is_role,
		};
	}
	collector->columns[metric] = tally->column;
	return true;
}

/* Return whether -m selects a metric. Metrics that have a role are always exported. */
static bool is_wanted(const struct collector *collector, const struct gpuoa_metric *metric)
{
	struct gpuoa_metric_desc desc;

	gpuoa_metric_describe(metric, &desc, sizeof(desc));
	return columns_match(collector->metrics_wanted, desc.symbol);
}

static bool add_all_series(struct collector *collector, const struct gpuoa_set *set)
{
	const size_t count = collector->set.metric_count;
	bool *available = calloc(count + 1, sizeof(*available));
	struct family families[2];
	size_t roles[ROLE_COUNT];
	bool ok = available;

	for (size_t i = 0; ok && i < count; i++) {
		available[i] = collector->tallies[i].available;
		if (!available[i] || !is_wanted(collector, gpuoa_set_get_metric(set, i)))
			continue;
		ok = add_series(collector, i, false, families,
				family_of_metric(gpuoa_set_get_metric(set, i), families));
	}
	if (ok)
		roles_find(set, available, roles);
	for (int role = 0; ok && role < ROLE_COUNT; role++) {
		const size_t metric = roles[role];

		if (metric != ROLES_NO_METRIC)
			ok = add_series(collector, metric, true, families,
					family_of_role(role, gpuoa_set_get_metric(set, metric),
						       families));
	}
	free(available);
	return ok;
}

/*
 * Create the tallies for a set. The sums are kept if the set is the same as before; it can differ
 * if the GPU was replaced by one of the same name.
 */
static bool make_tallies(struct collector *collector, const struct gpuoa_set *set,
			 const struct gpuoa_constants *constants)
{
	size_t count;

	if (collector->tallied == set)
		return true;
	free_tallies(collector);
	gpuoa_set_describe(set, &collector->set, sizeof(collector->set));
	count = collector->set.metric_count;
	collector->columns = calloc(count + 1, sizeof(*collector->columns));
	collector->intervals = calloc(BATCH, sizeof(*collector->intervals));
	collector->values = calloc(count + 1, sizeof(*collector->values));
	collector->tallies = calloc(count + 1, sizeof(*collector->tallies));
	collector->series = calloc(2 * (count + ROLE_COUNT), sizeof(*collector->series));
	if (!collector->columns || !collector->intervals || !collector->values ||
	    !collector->tallies || !collector->series)
		goto err;
	for (size_t i = 0; i < count; i++) {
		const struct gpuoa_metric *metric = gpuoa_set_get_metric(set, i);
		struct gpuoa_metric_desc desc;

		gpuoa_metric_describe(metric, &desc, sizeof(desc));
		collector->tallies[i].type = desc.type;
		collector->tallies[i].available =
			gpuoa_metric_available(metric, constants, NULL, 0) != 0;
	}
	if (!add_all_series(collector, set))
		goto err;
	collector->tallied = set;
	return true;

err:
	free_tallies(collector);
	return false;
}

static int open_calc(struct collector *collector, const struct gpuoa_constants *constants,
		     uint32_t format)
{
	const struct gpuoa_calc_options options = { .size = sizeof(options), .no_infos = true };

	if (!make_tallies(collector, collector->what, constants))
		return -ENOMEM;
	return gpuoa_calc_open(collector->what, constants, format, &options, &collector->calc, NULL,
			       0);
}

/* Return the set that the user named, otherwise the set with the most roles. */
static const struct gpuoa_set *find_set(const struct collector *collector,
					const struct gpuoa_platform *platform)
{
	const struct gpuoa_constants *constants = gpuoa_unit_constants(collector->unit);

	if (collector->set_wanted)
		return gpuoa_platform_find_set(platform, collector->set_wanted,
					       collector->desc.domain, constants);
	return roles_find_set(platform, collector->desc.domain, constants);
}

static void complain(struct collector *collector, const char *text)
{
	/* Print a problem only if it is not the same as the last one. */
	if (strcmp(collector->trouble, text))
		note_of(collector->tool, collector->name, text);
	snprintf(collector->trouble, sizeof(collector->trouble), "%s", text);
}

static bool open_stream(struct collector *collector)
{
	struct gpuoa_stream_options options = {
		.size = sizeof(options),
		.period_ns = collector->period_ns,
		.rounding = GPUOA_ROUNDING_CLAMP,
	};
	const struct gpuoa_platform *platform = gpuoa_unit_platform(collector->unit);
	char error[512] = "";
	int err;

	collector->what = platform ? find_set(collector, platform) : NULL;
	if (!collector->what) {
		complain(collector,
			 platform ? "no such metric set" : "no metrics for its platform");
		return false;
	}
	if (collector->requests)
		err = yield_stream_open(collector->unit, collector->what, &options,
					&collector->reader, &collector->yield, error,
					sizeof(error));
	else
		err = gpuoa_stream_open(collector->unit, collector->what, &options,
					&collector->reader, error, sizeof(error));
	if (collector->yield >= 0)
		note(collector->tool, YIELD_NOTE, collector->name);
	if (err) {
		access_hint(collector->name, err, error, sizeof(error));
		complain(collector, error);
		return false;
	}
	if (open_calc(collector, gpuoa_unit_constants(collector->unit), options.format)) {
		complain(collector, "cannot calculate its metrics");
		return false;
	}
	return true;
}

void collector_open(struct collector *collector)
{
	char error[512] = "";
	int err;

	if (collector->reader || collector->yielded)
		return;
	collector->resting = false;
	err = gpuoa_unit_open(collector->name, &collector->unit, error, sizeof(error));
	if (err) {
		access_hint(collector->name, err, error, sizeof(error));
		complain(collector, error);
		return;
	}
	gpuoa_unit_describe(collector->unit, &collector->desc, sizeof(collector->desc));
	if (open_stream(collector))
		*collector->trouble = '\0';
	else
		close_unit(collector);
}

int collector_begin_recorded(struct collector *collector, const struct tool *tool,
			     const struct recorded *recorded, const char *metrics)
{
	collector_begin(collector, tool, recorded->unit.name, NULL, metrics, 0);
	collector->recorded = *recorded;
	collector->desc = recorded->unit;
	collector->what = recorded->set;
	collector->reader = recorded->reader;
	if (open_calc(collector, recorded->constants, recorded->desc.format))
		return fail("%s: cannot evaluate it as %s", recorded->file, collector->set.symbol);
	return EXIT_OK;
}

static void take_status(struct collector *collector, const struct gpuoa_read_status *status)
{
	struct losses *losses = &collector->losses;

	losses->overflow += status->lost_overflow;
	losses->hardware += status->lost_hardware;
	losses->ring += status->lost_ring;
	losses->unknown += status->lost_unknown;
	collector->gaps += status->gap;
	if (status->gap)
		gpuoa_calc_discontinuity(collector->calc);
	if (status->has_clock)
		gpuoa_calc_set_time_base(collector->calc, status->clock.gpu_ticks);
}

/*
 * Integrate over time, one interval after the other, because the clock is nearly constant within an
 * interval.
 */
static void take_rows(struct collector *collector, size_t rows)
{
	for (size_t i = 0; i < rows; i++)
		collector->covered += collector->intervals[i].end - collector->intervals[i].begin;
	for (size_t i = 0; i < collector->set.metric_count; i++) {
		struct tally *tally = &collector->tallies[i];

		if (tally->column)
			tally->pending += scaling_integral(tally->type, tally->column,
							   collector->intervals, rows);
	}
}

static void take_reports(struct collector *collector, const char *reports, size_t count)
{
	struct gpuoa_reader_desc desc;

	gpuoa_reader_describe(collector->reader, &desc, sizeof(desc));
	collector->reports += count;
	while (count) {
		size_t used;
		const size_t rows = gpuoa_calc_run_outputs(collector->calc, reports, count,
							   collector->columns, collector->intervals,
							   BATCH, &used);

		take_rows(collector, rows);
		reports += used * desc.report_size;
		count -= used;
	}
}

void collector_read(struct collector *collector)
{
	struct gpuoa_read_status status;
	const void *reports;
	int n;

	if (!collector->reader)
		return;
	do {
		n = gpuoa_reader_peek(collector->reader, &reports, SIZE_MAX, &status);
		if (n < 0)
			break;
		take_status(collector, &status);
		take_reports(collector, reports, n);
	} while (n > 0);
	gpuoa_reader_consume(collector->reader);
	if (n >= 0 || collector->recorded.reader)
		return;
	complain(collector, n == -ENODEV ? "the GPU was removed" : strerror(-n));
	collector_refresh(collector);
	close_unit(collector);
}

double collector_seconds(const struct collector *collector, uint64_t ticks)
{
	const uint64_t frequency = collector->desc.timestamp_frequency;

	return frequency ? (double)ticks / frequency : 0;
}

void collector_refresh(struct collector *collector)
{
	if (!collector->calc || gpuoa_calc_total(collector->calc, collector->values, NULL, true))
		return;
	for (size_t i = 0; i < collector->set.metric_count; i++) {
		struct tally *tally = &collector->tallies[i];

		tally->value = gpuoa_value_to_double(tally->type, collector->values[i]);
		tally->sum += tally->value;
		tally->mean = collector->covered ? tally->pending / collector->covered : 0;
		tally->integral += tally->pending / collector->desc.timestamp_frequency;
		tally->pending = 0;
	}
	collector->covered_total += collector->covered;
	collector->covered = 0;
	collector->has_values = true;
}

void collector_yield(struct collector *collector)
{
	if (collector->reader) {
		collector_read(collector);
		collector_refresh(collector);
	}
	close_unit(collector);
	collector->yielded = true;
	collector->resting = false;
}

void collector_rest(struct collector *collector)
{
	const bool has_values = collector->has_values;

	if (!collector->reader)
		return;
	close_unit(collector);
	collector->has_values = has_values;
	collector->resting = true;
}

double collector_value(const struct collector *collector, const struct series *series)
{
	const struct tally *tally = &collector->tallies[series->metric];

	switch (series->family.kind) {
	case FAMILY_VALUE:
		return tally->value * series->family.scale;
	case FAMILY_MEAN:
		return tally->mean * series->family.scale;
	case FAMILY_SUM:
		return tally->sum * series->family.scale;
	default:
		return tally->integral * series->family.scale;
	}
}
