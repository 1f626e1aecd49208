// SPDX-License-Identifier: MIT
/*
 * watch.c - measurement of one OA unit, from opening to removal
 */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "common/tool.h"
#include "common/lookup.h"
#include "gpuoa-device.h"
#include "gpuoa-stream.h"
#include "top/watch.h"
#include "top/watch_metrics.h"
#include "common/yield.h"

static int fail_with(struct watch *watch, enum watch_state state, const char *why)
{
	watch->state = state;
	snprintf(watch->problem, sizeof(watch->problem), "%s", why);
	return EXIT_FAILED;
}

static void explain(struct watch *watch, int err)
{
	access_hint(watch->name, err, watch->problem, sizeof(watch->problem));
}

static void close_stream(struct watch *watch)
{
	contexts_end(&watch->contexts);
	gpuoa_calc_close(watch->calc);
	gpuoa_reader_close(watch->reader);
	free(watch->reports);
	free(watch->values);
	for (size_t i = 0; i < watch->metric_count; i++)
		free(watch->metrics[i].column);
	free(watch->columns);
	free(watch->rows);
	free(watch->metrics);
	watch->calc = NULL;
	watch->reader = NULL;
	watch->reports = NULL;
	watch->values = NULL;
	watch->columns = NULL;
	watch->rows = NULL;
	watch->metrics = NULL;
	watch->metric_count = 0;
	watch->covered = 0;
	watch->known = false;
	watch->lost = 0;
	watch->lost_unknown = false;
}

static void close_unit(struct watch *watch)
{
	close_stream(watch);
	gpuoa_constants_free(watch->constants);
	gpuoa_unit_close(watch->unit);
	if (watch->yield >= 0)
		close(watch->yield);
	watch->yield = -1;
	watch->constants = NULL;
	watch->unit = NULL;
}

static int open_stream(struct watch *watch)
{
	struct gpuoa_stream_options options = { .size = sizeof(options) };
	char error[sizeof(watch->problem)];
	int err;

	err = yield_stream_open(watch->unit, watch->set, &options, &watch->reader, &watch->yield,
				error, sizeof(error));
	if (err) {
		fail_with(watch, err == -ENODEV ? WATCH_GONE : WATCH_FAILED, error);
		explain(watch, err);
		return EXIT_FAILED;
	}
	gpuoa_reader_describe(watch->reader, &watch->source_desc, sizeof(watch->source_desc));
	watch->reports = calloc(WATCH_BATCH, watch->source_desc.report_size);
	err = watch->reports ? watch_choose_metrics(watch) : -ENOMEM;
	if (!err) {
		watch->state = WATCH_LIVE;
		watch->problem[0] = '\0';
		if (!watch_shows_any(watch))
			snprintf(watch->problem, sizeof(watch->problem),
				 "no metric of set %s matches -m '%s'", watch->set_desc.symbol,
				 watch->wanted);
		return EXIT_OK;
	}
	snprintf(error, sizeof(error), "cannot evaluate %s: %s", watch->set_desc.symbol,
		 strerror(-err));
	close_stream(watch);
	return fail_with(watch, WATCH_FAILED, error);
}

static int measure(struct watch *watch, const struct gpuoa_set *set)
{
	watch->set = set;
	gpuoa_set_describe(set, &watch->set_desc, sizeof(watch->set_desc));
	return open_stream(watch);
}

/* Prefer the set that another program already measures, because it can be shared. */
static const struct gpuoa_set *find_set(struct watch *watch, const char *symbol)
{
	const struct gpuoa_set *set = NULL;
	struct gpuoa_unit_user use;

	if (symbol)
		return gpuoa_platform_find_set(watch->platform, symbol, watch->desc.domain,
					       watch->constants);
	if (gpuoa_unit_get_user(watch->unit, &use, sizeof(use)) == 1 && *use.uuid)
		set = gpuoa_platform_find_uuid(watch->platform, use.uuid);
	return set ? set : roles_find_set(watch->platform, watch->desc.domain, watch->constants);
}

static int open_unit(struct watch *watch)
{
	char error[sizeof(watch->problem)];
	const int err = gpuoa_unit_open(watch->name, &watch->unit, error, sizeof(error));

	if (err) {
		fail_with(watch, err == -EACCES ? WATCH_FAILED : WATCH_GONE, error);
		explain(watch, err);
		return EXIT_FAILED;
	}
	gpuoa_unit_describe(watch->unit, &watch->desc, sizeof(watch->desc));
	watch->platform = definitions_find(watch->tool, watch->desc.platform);
	if (!watch->platform) {
		snprintf(error, sizeof(error),
			 "it is of platform '%s', which this version has no metrics for: -D FILE "
			 "brings some",
			 watch->desc.platform);
		return fail_with(watch, WATCH_FAILED, error);
	}
	if (gpuoa_constants_of_unit(&watch->desc, sizeof(watch->desc), watch->platform,
				    &watch->constants))
		return fail_with(watch, WATCH_FAILED, "out of memory");
	return EXIT_OK;
}

int watch_open(struct watch *watch, const struct tool *tool, const char *name, const char *symbol,
	       const char *wanted)
{
	const struct gpuoa_set *set;
	char error[sizeof(watch->problem)];
	int ret;

	*watch = (struct watch){ .tool = tool, .wanted = wanted, .yield = -1 };
	snprintf(watch->name, sizeof(watch->name), "%s", name);
	ret = open_unit(watch);
	if (!ret) {
		set = find_set(watch, symbol);
		if (set) {
			ret = measure(watch, set);
		} else {
			snprintf(error, sizeof(error), "no metric set%s%s", symbol ? " " : "",
				 symbol ? symbol : "");
			ret = fail_with(watch, WATCH_FAILED, error);
		}
	}
	if (ret)
		close_unit(watch);
	return ret;
}

void watch_close(struct watch *watch)
{
	close_unit(watch);
}

int watch_set(struct watch *watch, const struct gpuoa_set *set)
{
	const struct gpuoa_set *old = watch->set;
	char why[sizeof(watch->problem)];

	if (!watch->unit)
		return EXIT_FAILED;
	close_stream(watch);
	if (!measure(watch, set))
		return EXIT_OK;
	memcpy(why, watch->problem, sizeof(why));
	if (!measure(watch, old))
		memcpy(watch->problem, why, sizeof(why));
	return EXIT_FAILED;
}

static void feed(struct watch *watch, size_t count, const struct gpuoa_read_status *status)
{
	size_t used, rows;

	watch->lost += status->lost_overflow + status->lost_hardware + status->lost_ring;
	watch->lost_unknown |= status->lost_unknown;
	if (status->gap)
		gpuoa_calc_discontinuity(watch->calc);
	if (status->has_clock)
		gpuoa_calc_set_time_base(watch->calc, status->clock.gpu_ticks);
	rows = gpuoa_calc_run_outputs(watch->calc, watch->reports, count, watch->columns,
				      watch->rows, count, &used);
	watch_add_rows(watch, rows);
	contexts_feed(&watch->contexts, watch->reports, count, status);
}

void watch_drain(struct watch *watch)
{
	struct gpuoa_read_status status;
	char error[sizeof(watch->problem)];
	int n;

	if (watch->state != WATCH_LIVE)
		return;
	do {
		n = gpuoa_reader_read(watch->reader, watch->reports, WATCH_BATCH, &status);
		if (n >= 0)
			feed(watch, (size_t)n, &status);
	} while (n > 0);
	if (!n)
		return;
	close_unit(watch);
	if (n == -ENODEV) {
		fail_with(watch, WATCH_GONE, "it was unplugged");
		return;
	}
	snprintf(error, sizeof(error), "cannot read reports: %s", strerror(-n));
	fail_with(watch, WATCH_FAILED, error);
}
