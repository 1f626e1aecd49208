// SPDX-License-Identifier: MIT
/*
 * collector.c - what one OA unit, or a recording of one, has come to
 */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "definitions.h"
#include "denied.h"
#include "exporter/collector.h"
#include "exporter/names.h"
#include "lookup.h"

#define BATCH 512

void collector_begin(struct collector *collector, const struct tool *tool, const char *name,
		     const char *set, uint64_t period_ns)
{
	*collector = (struct collector){
		.tool = tool,
		.set_wanted = set,
		.period_ns = period_ns,
	};
	snprintf(collector->name, sizeof(collector->name), "%s", name);
}

/* Stop measuring. Sums stay: what comes later is added. */
static void close_unit(struct collector *collector)
{
	gpuoa_source_close(collector->source);
	gpuoa_calc_close(collector->calc);
	gpuoa_unit_close(collector->unit);
	collector->source = NULL;
	collector->calc = NULL;
	collector->unit = NULL;
	collector->has_values = false;
}

static void free_rows(struct collector *collector)
{
	free(collector->no_columns);
	free(collector->intervals);
	free(collector->values);
	free(collector->available);
	free(collector->sums);
	collector->no_columns = NULL;
	collector->intervals = NULL;
	collector->values = NULL;
	collector->available = NULL;
	collector->sums = NULL;
}

void collector_end(struct collector *collector)
{
	if (collector->recorded.source)
		collector->source = NULL; /* which is the recording's */
	close_unit(collector);
	free_rows(collector);
	recorded_close(&collector->recorded);
}

/* Room for the metrics, as long as the set is the same one. */
static bool make_room(struct collector *collector)
{
	const size_t count = collector->set.metric_count;

	if (collector->sums)
		return true;
	collector->no_columns = calloc(count + 1, sizeof(*collector->no_columns));
	collector->intervals = calloc(BATCH, sizeof(*collector->intervals));
	collector->values = calloc(count + 1, sizeof(*collector->values));
	collector->available = calloc(count + 1, sizeof(*collector->available));
	collector->sums = calloc(count + 1, sizeof(*collector->sums));
	if (collector->no_columns && collector->intervals && collector->values &&
	    collector->available && collector->sums)
		return true;
	free_rows(collector);
	return false;
}

static int open_calc(struct collector *collector, const struct gpuoa_constants *constants,
		     uint32_t format)
{
	const struct gpuoa_calc_options options = { .size = sizeof(options), .no_infos = true };
	int err;

	gpuoa_set_describe(collector->what, &collector->set, sizeof(collector->set));
	if (!make_room(collector))
		return -ENOMEM;
	for (size_t i = 0; i < collector->set.metric_count; i++)
		collector->available[i] =
			gpuoa_metric_available(gpuoa_set_get_metric(collector->what, i), constants,
					       NULL, 0) != 0;
	err = gpuoa_calc_open(collector->what, constants, format, &options, &collector->calc, NULL,
			      0);
	return err;
}

/* The set that was asked for, or the first one for the unit's timer. */
static const struct gpuoa_set *find_set(const struct collector *collector,
					const struct gpuoa_platform *platform)
{
	const struct gpuoa_constants *constants = gpuoa_unit_constants(collector->unit);
	const size_t count = gpuoa_platform_set_count(platform);

	if (collector->set_wanted)
		return gpuoa_platform_find_set(platform, collector->set_wanted,
					       collector->desc.domain, constants);
	for (size_t i = 0; i < count; i++) {
		const struct gpuoa_set *set = gpuoa_platform_get_set(platform, i);
		struct gpuoa_set_desc desc;

		gpuoa_set_describe(set, &desc, sizeof(desc));
		if ((desc.sampling & GPUOA_SAMPLING_TIMER) &&
		    set_is_of_domain(set, collector->desc.domain) &&
		    gpuoa_set_available(set, collector->desc.domain, constants, NULL, 0) != 0)
			return set;
	}
	return NULL;
}

static void complain(struct collector *collector, const char *text)
{
	/* The same trouble is told once. */
	if (strcmp(collector->trouble, text))
		note(collector->tool, "%s: %s", collector->name, text);
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
		complain(collector, platform ? "it has no such metric set" :
					       "there are no metrics for its platform");
		return false;
	}
	err = gpuoa_stream_open(collector->unit, collector->what, &options, &collector->source,
				error, sizeof(error));
	if (err) {
		denied_explain(collector->name, err, error, sizeof(error));
		complain(collector, error);
		return false;
	}
	if (open_calc(collector, gpuoa_unit_constants(collector->unit), options.format)) {
		complain(collector, "its metrics cannot be calculated");
		return false;
	}
	return true;
}

void collector_open(struct collector *collector)
{
	char error[512] = "";
	int err;

	if (collector->source)
		return;
	err = gpuoa_unit_open(collector->name, &collector->unit, error, sizeof(error));
	if (err) {
		denied_explain(collector->name, err, error, sizeof(error));
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
			     const struct recorded *recorded)
{
	collector_begin(collector, tool, recorded->unit.name, NULL, 0);
	collector->recorded = *recorded;
	collector->desc = recorded->unit;
	collector->what = recorded->set;
	collector->source = recorded->source;
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
		gpuoa_calc_gap(collector->calc);
	if (status->has_clock)
		gpuoa_calc_anchor(collector->calc, status->clock.gpu_ticks);
}

static void take_reports(struct collector *collector, const char *reports, size_t count)
{
	struct gpuoa_source_desc desc;

	gpuoa_source_describe(collector->source, &desc, sizeof(desc));
	collector->reports += count;
	while (count) {
		size_t used;
		const size_t rows = gpuoa_calc_run_columns(collector->calc, reports, count,
							   collector->no_columns,
							   collector->intervals, BATCH, &used);

		for (size_t i = 0; i < rows; i++)
			collector->covered +=
				collector->intervals[i].end - collector->intervals[i].begin;
		reports += used * desc.report_size;
		count -= used;
	}
}

void collector_read(struct collector *collector)
{
	struct gpuoa_read_status status;
	const void *reports;
	int n;

	if (!collector->source)
		return;
	do {
		n = gpuoa_source_next(collector->source, &reports, SIZE_MAX, &status);
		if (n < 0)
			break;
		take_status(collector, &status);
		take_reports(collector, reports, n);
	} while (n > 0);
	gpuoa_source_release(collector->source);
	if (n >= 0 || collector->recorded.source)
		return;
	complain(collector, n == -ENODEV ? "the GPU is gone" : strerror(-n));
	close_unit(collector);
}

double collector_seconds(const struct collector *collector, uint64_t ticks)
{
	const uint64_t frequency = collector->desc.timestamp_frequency;

	return frequency ? (double)ticks / frequency : 0;
}

void collector_refresh(struct collector *collector)
{
	const double seconds = collector_seconds(collector, collector->covered);

	if (!collector->calc || gpuoa_calc_total(collector->calc, collector->values, NULL, true))
		return;
	for (size_t i = 0; i < collector->set.metric_count; i++) {
		struct gpuoa_metric_desc metric;
		struct family families[2];
		double value;

		if (!collector->available[i])
			continue;
		gpuoa_metric_describe(gpuoa_set_get_metric(collector->what, i), &metric,
				      sizeof(metric));
		family_of_metric(gpuoa_set_get_metric(collector->what, i), families);
		value = gpuoa_value_to_double(metric.type, collector->values[i]);
		collector->sums[i] += families[0].counter ? value : value * seconds;
	}
	collector->covered_total += collector->covered;
	collector->covered = 0;
	collector->has_values = true;
}
