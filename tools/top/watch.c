// SPDX-License-Identifier: MIT
/*
 * watch.c - measure all OA units, including ones that are added or removed: their streams and the
 * values of their metrics
 */
#include <errno.h>
#include <math.h>
#include <poll.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "common/columns.h"
#include "common/lookup.h"
#include "common/scaling.h"
#include "common/tool.h"
#include "common/yield.h"
#include "gpuoa-device.h"
#include "gpuoa-stream.h"
#include "top/watch.h"

uint64_t choose_rank(const struct gpuoa_metric_desc *metric)
{
	uint64_t depth = 0;

	for (const char *at = metric->group; (at = strchr(at, '/')); at++)
		depth++;
	return (uint64_t) !(metric->usage & GPUOA_USAGE_OVERVIEW) << 40 |
	       (uint64_t)(metric->tier ? metric->tier : 9) << 36 | (depth & 0xf) << 32 |
	       (metric->index & 0xffffffff);
}

bool choose_is_gauge(const struct gpuoa_metric_desc *metric)
{
	struct gpuoa_measure_desc units;

	gpuoa_measure_describe(metric->units, &units, sizeof(units));
	return units.quantity == GPUOA_QUANTITY_FREQUENCY ||
	       units.quantity == GPUOA_QUANTITY_BANDWIDTH ||
	       units.quantity == GPUOA_QUANTITY_DATA || role_is_share(metric) || *metric->max;
}

bool choose_is_rate(const struct gpuoa_metric *metric)
{
	struct gpuoa_metric_desc desc;
	struct gpuoa_measure_desc units;

	gpuoa_metric_describe(metric, &desc, sizeof(desc));
	gpuoa_measure_describe(desc.units, &units, sizeof(units));
	return units.quantity != GPUOA_QUANTITY_TIME && metric_is_count(metric);
}

/* List the metrics that this GPU has and that can be calculated from reports of a stream. */
static void list_metrics(struct watch *watch)
{
	for (size_t i = 0; i < watch->set_desc.metric_count; i++) {
		const struct gpuoa_metric *metric = gpuoa_set_get_metric(watch->set, i);
		struct watched *watched = &watch->metrics[watch->metric_count];

		if (gpuoa_metric_available(metric, watch->constants, NULL, 0) == 0)
			continue;
		*watched = (struct watched){ .metric = metric, .value = NAN };
		gpuoa_metric_describe(metric, &watched->desc, sizeof(watched->desc));
		gpuoa_measure_describe(watched->desc.units, &watched->units,
				       sizeof(watched->units));
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

/* Return whether at least one metric is shown. */
static bool watch_shows_any(const struct watch *watch)
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

/*
 * List the metrics of the unit's set that the GPU has, assign roles, and create the calculator.
 * Returns 0 or a negative errno. Closing the stream frees everything, even after an error.
 */
static int watch_choose_metrics(struct watch *watch)
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

/* Add the ratios in the columns, multiplied by the length of their rows, to the integrals. */
static void watch_add_rows(struct watch *watch, size_t count)
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

/* Return the time that reports cover in seconds; gaps are excluded. */
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

/*
 * Find the set to measure. Without the user's choice, prefer the set that another program already
 * measures, because it can be shared.
 */
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

/*
 * Maximum number of reads in a row. A busy machine may read slower than the unit writes reports;
 * keys and other units must not wait for it.
 */
#define READS_MAX 64

void watch_drain(struct watch *watch)
{
	struct gpuoa_read_status status;
	char error[sizeof(watch->problem)];
	int n, reads = 0;

	if (watch->state != WATCH_LIVE)
		return;
	do {
		n = gpuoa_reader_read(watch->reader, watch->reports, WATCH_BATCH, &status);
		if (n >= 0)
			feed(watch, (size_t)n, &status);
	} while (n > 0 && ++reads < READS_MAX);
	if (n >= 0)
		return;
	close_unit(watch);
	if (n == -ENODEV) {
		fail_with(watch, WATCH_GONE, "it was unplugged");
		return;
	}
	snprintf(error, sizeof(error), "cannot read reports: %s", strerror(-n));
	fail_with(watch, WATCH_FAILED, error);
}

struct names {
	char (*list)[sizeof(((struct gpuoa_unit_desc *)0)->name)];
	int count;
};

static struct names list_units(void)
{
	struct names names = { .count = gpuoa_unit_list(NULL, 0) };

	if (names.count <= 0)
		return (struct names){ 0 };
	names.list = calloc((size_t)names.count, sizeof(*names.list));
	if (names.list) {
		const int found = gpuoa_unit_list(names.list, (size_t)names.count);

		if (found < names.count)
			names.count = found;
	} else {
		names.count = 0;
	}
	return names;
}

/* Return whether the user selected this unit by -d, which names the unit or its GPU. */
static bool is_wanted(const char *device, const char *name)
{
	struct gpuoa_unit_desc desc, wanted;
	struct gpuoa_unit *unit;

	if (!device || !strcmp(device, name))
		return true;
	if (gpuoa_unit_open(device, &unit, NULL, 0))
		return false;
	gpuoa_unit_describe(unit, &wanted, sizeof(wanted));
	gpuoa_unit_close(unit);
	if (!strcmp(wanted.name, name) || strstr(device, wanted.name))
		return !strcmp(wanted.name, name);
	if (gpuoa_unit_open(name, &unit, NULL, 0))
		return false;
	gpuoa_unit_describe(unit, &desc, sizeof(desc));
	gpuoa_unit_close(unit);
	return !strcmp(desc.parent, wanted.parent);
}

static struct watch *find(const struct watches *watches, const char *name)
{
	for (size_t i = 0; i < watches->count; i++)
		if (!strcmp(watches->list[i]->name, name))
			return watches->list[i];
	return NULL;
}

/* Open a unit, with the set that the user named if the unit has that set. */
static void open_one(const struct watches *watches, struct watch *watch, const char *name)
{
	watch_open(watch, watches->tool, name, watches->set, watches->metrics);
	/*
	 * A unit such as a media unit may not have the set that the user named; then it is opened
	 * with its default set.
	 */
	if (watches->set && watch->platform && !watch->set)
		watch_open(watch, watches->tool, name, NULL, watches->metrics);
}

static void add(struct watches *watches, const char *name)
{
	struct watch *watch;

	if (watches->count == WATCHES_MAX || !is_wanted(watches->tool->device, name))
		return;
	watch = calloc(1, sizeof(*watch));
	if (!watch)
		return;
	open_one(watches, watch, name);
	watches->list[watches->count++] = watch;
}

/* Open a unit again, with the set that it had before if possible. */
static void try_again(const struct watches *watches, struct watch *watch)
{
	char name[sizeof(watch->name)], set[64] = "";

	memcpy(name, watch->name, sizeof(name));
	if (watch->set)
		snprintf(set, sizeof(set), "%s", watch->set_desc.symbol);
	watch_close(watch);
	if (*set && !watch_open(watch, watches->tool, name, set, watches->metrics))
		return;
	open_one(watches, watch, name);
}

void watches_look(struct watches *watches)
{
	struct names names = list_units();

	for (int i = 0; i < names.count; i++) {
		struct watch *watch = find(watches, names.list[i]);

		if (!watch)
			add(watches, names.list[i]);
		else if (watch->state != WATCH_LIVE)
			try_again(watches, watch);
	}
	free(names.list);
}

/* Print the same hints as 'gpuoa doctor'. */
static int explain_none(const struct tool *tool)
{
	struct gpuoa_access access[ACCESS_CHECKS_MAX];
	char error[512];
	struct gpuoa_unit *unit;
	int count;

	if (!gpuoa_unit_open(tool->device, &unit, error, sizeof(error))) {
		gpuoa_unit_close(unit);
		return fail("out of memory");
	}
	count = gpuoa_check_access(tool->device, access, sizeof(access[0]), ACCESS_CHECKS_MAX);
	for (int i = 0; i < count && i < ACCESS_CHECKS_MAX; i++)
		if (access[i].verdict == GPUOA_ACCESS_DENIED)
			return fail("%s -> %s (see 'gpuoa doctor')", access[i].found,
				    access[i].remedy);
	return fail("%s", error);
}

/*
 * Check that each entry of -m matches a metric of some unit that is measured. Returns an exit code.
 */
static int check_metrics(const struct watches *watches)
{
	struct columns_scope scopes[WATCHES_MAX];
	size_t count = 0;

	for (size_t i = 0; i < watches->count; i++)
		if (watches->list[i]->state == WATCH_LIVE)
			scopes[count++] = (struct columns_scope){ watches->list[i]->set,
								  watches->list[i]->constants };
	return count && watches->metrics ?
		       columns_check(watches->tool, scopes, count, watches->metrics) :
		       EXIT_OK;
}

int watches_open(struct watches *watches, const struct tool *tool, const char *set,
		 const char *metrics)
{
	bool wanted = false;

	*watches = (struct watches){ .tool = tool, .set = set, .metrics = metrics };
	watches_look(watches);
	if (!watches->count)
		return explain_none(tool);
	for (size_t i = 0; i < watches->count && set; i++) {
		const struct watch *watch = watches->list[i];

		wanted |= watch->set && !strcmp(watch->set_desc.symbol, set);
		/* the platform of this unit is unknown, so it may have the set */
		wanted |= !watch->platform;
	}
	if (set && !wanted)
		return fail("no unit has a metric set '%s'. See 'gpuoa list sets'", set);
	return check_metrics(watches);
}

void watches_close(struct watches *watches)
{
	for (size_t i = 0; i < watches->count; i++) {
		watch_close(watches->list[i]);
		free(watches->list[i]);
	}
	watches->count = 0;
}

bool watches_wait(const struct watches *watches, int fd, int timeout_ms)
{
	struct pollfd polls[WATCHES_MAX + 1];
	nfds_t count = 0;

	polls[count++] = (struct pollfd){ .fd = fd, .events = POLLIN };
	for (size_t i = 0; i < watches->count; i++) {
		if (watches->list[i]->state != WATCH_LIVE)
			continue;
		polls[count++] = (struct pollfd){
			.fd = gpuoa_reader_fd(watches->list[i]->reader),
			.events = POLLIN,
		};
	}
	return poll(polls, count, timeout_ms) > 0 && polls[0].revents;
}

void watches_drain(struct watches *watches)
{
	for (size_t i = 0; i < watches->count; i++)
		watch_drain(watches->list[i]);
}
