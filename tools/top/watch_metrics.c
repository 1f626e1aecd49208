// SPDX-License-Identifier: MIT
/*
 * watch_metrics.c - the metrics of the set being measured, and their values
 */
#include <errno.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "common/scaling.h"
#include "top/watch_metrics.h"

/* List the metrics that this GPU has and that can be computed from a stream. */
static void list_metrics(struct watch *watch)
{
	for (size_t i = 0; i < watch->set_desc.metric_count; i++) {
		const struct gpuoa_metric *metric = gpuoa_set_get_metric(watch->set, i);
		struct watched *watched = &watch->metrics[watch->metric_count];

		if (gpuoa_metric_available(metric, watch->constants, NULL, 0) == 0)
			continue;
		*watched = (struct watched){ .metric = metric, .value = NAN };
		gpuoa_metric_describe(metric, &watched->desc, sizeof(watched->desc));
		gpuoa_measure_describe(watched->desc.units, &watched->units, sizeof(watched->units));
		watched->rate = choose_is_rate(metric);
		watched->gauge = choose_is_gauge(&watched->desc);
		watched->share = role_is_share(&watched->desc);
		watched->hidden = !columns_match(watch->wanted, watched->desc.symbol);
		if (!watched->desc.query_only)
			watch->metric_count++;
	}
}

static void find_roles(struct watch *watch)
{
	for (int role = 0; role < ROLE_COUNT; role++) {
		unsigned int best = 0;

		watch->roles[role] = WATCH_NO_METRIC;
		for (size_t i = 0; i < watch->metric_count; i++) {
			const unsigned int fit = role_fit(&watch->metrics[i].desc, role);

			if (fit <= best)
				continue;
			best = fit;
			watch->roles[role] = i;
		}
	}
}

bool watch_shows_any(const struct watch *watch)
{
	for (size_t i = 0; i < watch->metric_count; i++)
		if (!watch->metrics[i].hidden)
			return true;
	return false;
}

static int open_calc(struct watch *watch)
{
	const struct gpuoa_metric **metrics = calloc(watch->metric_count + 1, sizeof(*metrics));
	const struct gpuoa_calc_options options = {
		.size = sizeof(options),
		.metrics = metrics,
		.metric_count = watch->metric_count,
		.no_infos = true,
	};
	int err;

	if (!metrics)
		return -ENOMEM;
	for (size_t i = 0; i < watch->metric_count; i++)
		metrics[i] = watch->metrics[i].metric;
	err = gpuoa_calc_open(watch->set, watch->constants, watch->source_desc.format, &options,
			      &watch->calc, NULL, 0);
	free(metrics);
	return err;
}

static void begin_contexts(struct watch *watch)
{
	const struct gpuoa_metric *metrics[ROLE_COUNT] = { NULL };

	for (int role = 0; role < ROLE_COUNT; role++)
		if (watch->roles[role] != WATCH_NO_METRIC)
			metrics[role] = watch->metrics[watch->roles[role]].metric;
	contexts_begin(&watch->contexts, watch->reader, watch->set, watch->constants,
		       watch->source_desc.format, metrics);
}

static bool make_columns(struct watch *watch)
{
	watch->columns = calloc(watch->metric_count + 1, sizeof(*watch->columns));
	watch->rows = calloc(WATCH_BATCH, sizeof(*watch->rows));
	for (size_t i = 0; watch->columns && i < watch->metric_count; i++) {
		struct watched *metric = &watch->metrics[i];

		if (!metric->share)
			continue;
		metric->column = calloc(WATCH_BATCH, sizeof(union gpuoa_value));
		if (!metric->column)
			return false;
		watch->columns[i] = metric->column;
	}
	return watch->columns && watch->rows;
}

int watch_choose_metrics(struct watch *watch)
{
	int err;

	watch->metrics = calloc(watch->set_desc.metric_count + 1, sizeof(*watch->metrics));
	if (!watch->metrics)
		return -ENOMEM;
	list_metrics(watch);
	find_roles(watch);
	watch->values = calloc(2 * watch->metric_count + 1, sizeof(*watch->values));
	if (!watch->values || !make_columns(watch))
		return -ENOMEM;
	err = open_calc(watch);
	if (!err)
		begin_contexts(watch);
	return err;
}

void watch_add_rows(struct watch *watch, size_t count)
{
	for (size_t i = 0; i < count; i++)
		watch->covered += watch->rows[i].end - watch->rows[i].begin;
	for (size_t i = 0; i < watch->metric_count; i++) {
		struct watched *metric = &watch->metrics[i];

		if (metric->share)
			metric->integral += scaling_integral(metric->desc.type, metric->column,
							     watch->rows, count);
	}
}

/* Reset the integrals for the next interval. */
static void restart(struct watch *watch)
{
	watch->covered = 0;
	for (size_t i = 0; i < watch->metric_count; i++)
		watch->metrics[i].integral = 0;
}

/* Return the time covered by reports, in seconds, without gaps. */
static double covered(const struct watch *watch)
{
	for (size_t i = 0; i < watch->metric_count; i++) {
		const struct watched *metric = &watch->metrics[i];

		if (!strcmp(metric->desc.symbol, CHOOSE_TIME))
			return metric->value * metric->units.scale;
	}
	return (double)(watch->interval.end - watch->interval.begin) /
	       (double)watch->desc.timestamp_frequency;
}

static void take_values(struct watch *watch)
{
	const union gpuoa_value *values = watch->values;
	const union gpuoa_value *max = values + watch->metric_count;

	for (size_t i = 0; i < watch->metric_count; i++) {
		struct watched *metric = &watch->metrics[i];

		metric->raw = values[i];
		metric->raw_max = max[i];
		metric->value = gpuoa_value_to_double(metric->desc.type, values[i]);
		if (metric->share && watch->covered)
			metric->value = metric->integral / watch->covered;
		metric->max = gpuoa_value_to_double(metric->desc.type, max[i]);
		if (!metric->max && metric->units.relative)
			metric->max = 100;
		metric->mark = gpuoa_metric_classify(metric->metric, metric->value);
	}
	watch->seconds = covered(watch);
	for (size_t i = 0; i < watch->metric_count; i++)
		history_add(&watch->metrics[i].history, watched_shown(watch, &watch->metrics[i]));
}

static void take_nothing(struct watch *watch)
{
	for (size_t i = 0; i < watch->metric_count; i++) {
		watch->metrics[i].value = NAN;
		watch->metrics[i].mark = GPUOA_WATERMARK_NONE;
		history_add(&watch->metrics[i].history, NAN);
	}
	watch->seconds = 0;
}

bool watch_tick(struct watch *watch, bool dword_mask)
{
	int err;

	if (watch->state != WATCH_LIVE)
		return false;
	err = gpuoa_calc_total(watch->calc, watch->values, &watch->interval, true);
	if (!err)
		gpuoa_calc_total_max(watch->calc, watch->values + watch->metric_count);
	watch->known |= !err;
	if (dword_mask && err)
		take_nothing(watch);
	else if (dword_mask)
		take_values(watch);
	if (!err)
		restart(watch);
	if (!dword_mask)
		return !err;
	contexts_tick(&watch->contexts, watch->seconds * 1e9);
	return !err;
}

double watched_shown(const struct watch *watch, const struct watched *metric)
{
	if (!metric->rate)
		return metric->value;
	return watch->seconds > 0 ? metric->value / watch->seconds : NAN;
}

double watched_fraction(const struct watched *metric)
{
	return metric->max > 0 ? metric->value / metric->max : NAN;
}
