// SPDX-License-Identifier: MIT
/*
 * once.c - gpuoa top --once: print the values of one interval
 */
#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <time.h>

#include "common/scaling.h"
#include "top/once.h"

#define NSEC_PER_MSEC 1000000LL
#define NSEC_PER_SEC 1000000000LL
#define WAIT_MAX_MS 100
#define PATIENCE_MS 10000 /* timeout of the first interval, in addition to its length */

static const char *const role_names[ROLE_COUNT] = { "busy",	 "active", "stall", "occupancy",
						    "frequency", "read",   "write" };

static int64_t now_ms(void)
{
	struct timespec now;

	clock_gettime(CLOCK_MONOTONIC, &now);
	return (now.tv_sec * NSEC_PER_SEC + now.tv_nsec) / NSEC_PER_MSEC;
}

static bool any_live(const struct watches *watches)
{
	for (size_t i = 0; i < watches->count; i++)
		if (watches->list[i]->state == WATCH_LIVE)
			return true;
	return false;
}

static void collect(struct watches *watches, int64_t until)
{
	while (any_live(watches) && now_ms() < until) {
		const int64_t left = until - now_ms();

		watches_wait(watches, -1, left < WAIT_MAX_MS ? (int)left : WAIT_MAX_MS);
		watches_drain(watches);
	}
}

/* Wait longer than the interval for units that start slowly. */
static void measure(struct watches *watches, unsigned int interval_ms)
{
	const int64_t patience = now_ms() + interval_ms + PATIENCE_MS;
	bool missing;

	collect(watches, now_ms() + interval_ms);
	do {
		missing = false;
		for (size_t i = 0; i < watches->count; i++) {
			struct watch *watch = watches->list[i];

			if (watch->state == WATCH_LIVE && !watch->known)
				missing |= !watch_tick(watch, true);
		}
		if (missing)
			collect(watches, now_ms() + WAIT_MAX_MS);
	} while (missing && now_ms() < patience);
}

static struct field value_field(const char *name, const char *heading, const struct watched *metric,
				union gpuoa_value value)
{
	struct field field = { .name = name, .heading = heading };

	if (metric->desc.type == GPUOA_TYPE_FLOAT) {
		field.kind = FIELD_FLOAT;
		field.real = value.f32;
	} else {
		field.kind = FIELD_NUMBER;
		field.number = value.u64;
	}
	return field;
}

static struct field real_field(const char *name, const char *heading, double value)
{
	struct field field = { .name = name, .heading = heading };

	if (!isnan(value)) {
		field.kind = FIELD_FLOAT;
		field.real = (float)value;
	}
	return field;
}

/* Print one row per metric, because several sets have no common columns. */
static void print_metrics(struct output *output, const struct watch *watch)
{
	for (size_t i = 0; i < watch->metric_count; i++) {
		const struct watched *metric = &watch->metrics[i];
		struct field fields[] = {
			FIELD_OF_TEXT("unit", "DEVICE", watch->name),
			FIELD_OF_TEXT("set", "SET", watch->set_desc.symbol),
			FIELD_OF_NUMBER("begin_ticks", NULL, watch->interval.begin),
			FIELD_OF_NUMBER("end_ticks", NULL, watch->interval.end),
			FIELD_OF_NUMBER("lost", NULL, watch->lost),
			FIELD_OF_TEXT("symbol", "METRIC", metric->desc.symbol),
			value_field("value", "VALUE", metric, metric->raw),
			value_field("limit", "MAX", metric, metric->raw_max),
			FIELD_OF_TEXT("units", "UNIT", scaling_units(metric->desc.units)),
			FIELD_OF_TEXT("name", "NAME", metric->desc.name),
			real_field("over_time", NULL, metric->share ? metric->value : NAN),
		};

		if (metric->hidden)
			continue;
		if (!*metric->desc.max)
			fields[7].kind = FIELD_NONE;
		output_record(output, fields, FIELD_COUNT(fields));
	}
}

static void print_contexts(struct output *output, const struct watch *watch)
{
	for (size_t i = 0; i < watch->contexts.count; i++) {
		const struct context *context = &watch->contexts.list[i];
		struct field fields[6 + ROLE_COUNT] = {
			FIELD_OF_TEXT("unit", "unit", watch->name),
			FIELD_OF_TEXT("set", NULL, watch->set_desc.symbol),
			FIELD_OF_NUMBER("context_id", "context", context->id),
			real_field("time_percent", "time_percent", context->share),
			FIELD_OF_TEXT("program", "program", context->owner.program),
			FIELD_OF_NUMBER("process", "process", context->owner.process),
		};

		if (!context->owned)
			fields[4].kind = FIELD_NONE;
		if (!context->owner.process)
			fields[5].kind = FIELD_NONE;

		for (int role = 0; role < ROLE_COUNT; role++)
			fields[6 + role] = real_field(role_names[role], role_names[role],
						      context->values[role]);
		output_record(output, fields, FIELD_COUNT(fields));
	}
}

static bool print_one(struct output *output, const struct watch *watch, bool contexts)
{
	if (watch->state != WATCH_LIVE || !watch->known) {
		print_error_of(watch->name, *watch->problem ? watch->problem : "no report arrived");
		return false;
	}
	if (*watch->problem)
		note_of(watch->tool, watch->name, watch->problem);
	if (watch->lost || watch->lost_unknown)
		note(watch->tool, "%s: reports were lost; no interval bridges a gap", watch->name);
	if (contexts && !watch->contexts.told)
		note(watch->tool, "%s: reports of this platform have no contexts", watch->name);
	else if (contexts)
		print_contexts(output, watch);
	else
		print_metrics(output, watch);
	return true;
}

int once(struct watches *watches, unsigned int interval_ms, bool contexts)
{
	int ret = EXIT_FAILED;
	struct output output;

	measure(watches, interval_ms);
	output_begin(&output, watches->tool->format);
	for (size_t i = 0; i < watches->count; i++)
		if (print_one(&output, watches->list[i], contexts))
			ret = EXIT_OK;
	output_end(&output);
	return ret;
}
