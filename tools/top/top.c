// SPDX-License-Identifier: MIT
/*
 * top.c - gpuoa top: watch all units live
 */
#include <inttypes.h>
#include <locale.h>
#include <math.h>
#include <signal.h>
#include <stdio.h>
#include <unistd.h>

#include "common/clock.h"
#include "common/scaling.h"
#include "top/cell_text.h"
#include "top/draw.h"
#include "top/screen.h"
#include "top/top.h"

#define WAIT_MAX_MS 100
/* additional time to wait for the first interval, for units that start slowly */
#define PATIENCE_MS 10000

static const char *const role_names[ROLE_COUNT] = { "busy",	 "active", "stall", "occupancy",
						    "frequency", "read",   "write" };

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

/* Measure one interval. Units that start slowly get additional time. */
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

/* Print one row per metric. There is no column per metric, because sets have different metrics. */
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

/*
 * Measure one interval, and print all metrics of all units. With @contexts, print those of each
 * context instead. Returns an exit code, which is EXIT_FAILED if no unit could be measured.
 */
static int once(struct watches *watches, unsigned int interval_ms, bool contexts)
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

/* Sample the EU stalls of the selected unit's GPU if they are shown. */
static void select_stalls(struct top *top)
{
	const struct watch *watch = top_watch(top);
	const char *device = NULL;

	if (watch && top->view == VIEW_STALLS)
		device = *watch->desc.parent ? watch->desc.parent : watch->name;
	stalls_select(&top->stalls, device);
}

#define STALLS_WAIT_MS 20 /* maximum time between reads of EU stalls */
#define LOOK_MS 1000 /* time between scans for new units, in ms */
#define FIRST_MS 250
#define SILENCES_MAX \
	100 /* after this number of reads without any data, the terminal is considered closed */

static volatile sig_atomic_t asked_to_end;

static void on_signal(int signal)
{
	(void)signal;
	asked_to_end = 1;
}

static void catch_signals(void)
{
	static const int signals[] = { SIGINT, SIGTERM, SIGHUP };
	struct sigaction action = { .sa_handler = on_signal };

	for (size_t i = 0; i < sizeof(signals) / sizeof(signals[0]); i++)
		sigaction(signals[i], &action, NULL);
}

/* Handle all keys that were pressed. Returns false if there were none. */
static bool take_keys(struct top *top)
{
	bool any = false;
	int key;

	while ((key = screen_key()) >= 0) {
		top_key(top, key);
		any = true;
	}
	return any;
}

static void tick(struct top *top)
{
	for (size_t i = 0; i < top->watches->count; i++)
		watch_tick(top->watches->list[i], !top->paused);
	stalls_tick(&top->stalls, !top->paused);
}

static int64_t earlier(int64_t one, int64_t other)
{
	return one < other ? one : other;
}

/* Do the periodic work that is due now. Returns whether any was due. */
static bool run_due(struct top *top, int64_t *due, int64_t *look)
{
	const int64_t now = now_ms();
	const bool looks = now >= *look, ticks = now >= *due;

	if (looks) {
		watches_look(top->watches);
		stalls_look(&top->stalls);
		stalls_find_kernels(&top->stalls);
		*look = now + LOOK_MS;
	}
	if (ticks) {
		tick(top);
		*due += top->interval_ms;
		if (*due <= now)
			*due = now + top->interval_ms;
	}
	return looks || ticks;
}

static void run(struct top *top)
{
	/*
	 * End the first interval early, so that values are shown soon even if intervals are long.
	 */
	int64_t due = now_ms() + earlier(top->interval_ms, FIRST_MS), look = now_ms() + LOOK_MS;
	unsigned int silences = 0;
	bool changed = true;

	while (!top->done && !asked_to_end && silences < SILENCES_MAX) {
		int64_t left;
		bool readable;

		if (changed)
			draw(top);
		left = earlier(due, look) - now_ms();
		if (top->stalls.stream)
			left = earlier(left, STALLS_WAIT_MS);
		readable = watches_wait(top->watches, STDIN_FILENO, left > 0 ? (int)left : 0);
		watches_drain(top->watches);
		stalls_drain(&top->stalls);
		changed = take_keys(top);
		select_stalls(top);
		silences = readable && !changed ? silences + 1 : 0;
		due = earlier(due, now_ms() + top->interval_ms);
		changed |= run_due(top, &due, &look);
	}
}

struct options {
	const char *set;
	const char *metrics;
	unsigned int interval_ms;
	bool once;
	bool contexts;
	struct profile_input kernels;
	const char *zebins[BINDS_FILES_MAX];
	size_t zebin_count;
	bool cache;
};

/* Whether kernels are searched for in the memory of processes */
static bool searches(const struct options *options)
{
	return options->zebin_count || options->cache;
}

/* Read kernels, and begin to search for others. Returns an exit code; prints any error. */
static int open_kernels(struct stalls *stalls, const struct tool *tool,
			const struct options *options, struct profile *kernels, struct binds *binds)
{
	int ret = profile_read_kernels(kernels, tool, &options->kernels);

	if (!ret && searches(options))
		ret = binds_read_files(binds, tool, &kernels->kernels, options->zebins,
				       options->zebin_count, options->cache);
	if (!ret && searches(options))
		ret = binds_begin(binds);
	if (searches(options))
		stalls->binds = binds;
	if (searches(options) || options->kernels.kernels_count)
		stalls->kernels = kernels;
	return ret;
}

/* Show the live view until the user ends it. Returns an exit code. */
static int top_run(struct watches *watches, const struct options *options)
{
	struct binds binds = { .pipe = -1 };
	struct profile kernels;
	struct top top = {
		.watches = watches,
		.view = options->contexts ? VIEW_CONTEXTS : VIEW_METRICS,
		.interval_ms = options->interval_ms,
		.metric = TOP_NOTHING,
		.blocks = text_has_blocks(),
	};
	int ret = open_kernels(&top.stalls, watches->tool, options, &kernels, &binds);

	if (!ret)
		ret = screen_open();
	if (!ret) {
		catch_signals();
		run(&top);
		stalls_select(&top.stalls, NULL);
		screen_close();
	}
	binds_end(&binds);
	profile_free(&kernels);
	return ret;
}

#define INTERVAL_MIN_MS 50
#define INTERVAL_MAX_MS 60000

static const char help[] =
	"Usage: gpuoa top [-s SET] [-m METRIC,...] [-I MS] [-k FILE]... [--contexts] [--once]\n"
	"\n"
	"Watches all OA units live: how busy the GPU and its EUs are, memory traffic, and the metrics\n"
	"above a threshold.\n"
	"\n"
	"  -s, --set SET      start with this metric set, see 'gpuoa list sets'; default: the set that another program\n"
	"                     measures, or else the one with most of the metrics above\n"
	"  -m, --metrics LIST only these metrics in the table and with --once; patterns as in a shell: 'Eu*'\n"
	"  -I, --interval MS  update interval in milliseconds, 50 to 60000 (default 1000), or with a unit: 2s\n"
	"  -k, --kernels FILE name the kernels of EU stalls: CSV or ELF, as for 'gpuoa stalls report'; repeatable\n"
	"      --zebin FILE   name those of the kernels in this file or directory that processes use from then on;\n"
	"                     repeatable; needs root and an integrated GPU\n"
	"      --cache        the same with the cache of the compute runtime, ~/.cache/neo_compiler_cache\n"
	"      --contexts     one row per context of the GPU, if reports have contexts\n"
	"      --once         measure one interval, print all metrics, and end: for scripts, also with --json, --csv\n"
	"\n"
	"Keys: Tab next unit, s next set, o order, c contexts, e EU stalls, space pause, arrows select a\n"
	"metric, ? help, q quit\n"
	"\n"
	"Try it without a GPU, in the source tree: make vm CMD='gpuoa top'\n";

enum { OPTION_ONCE = 900, OPTION_CONTEXTS, OPTION_ZEBIN, OPTION_CACHE };

static int take_option(void *context, const struct tool *tool, int option)
{
	struct options *options = context;
	uint64_t ns;
	int ret;

	switch (option) {
	case 's':
		options->set = optarg;
		return EXIT_OK;
	case 'm':
		options->metrics = optarg;
		return EXIT_OK;
	case 'I':
		ret = option_duration(tool, "-I", optarg, NSEC_PER_MSEC,
				      INTERVAL_MIN_MS * NSEC_PER_MSEC,
				      INTERVAL_MAX_MS * NSEC_PER_MSEC, &ns);
		if (!ret)
			options->interval_ms = (unsigned int)(ns / NSEC_PER_MSEC);
		return ret;
	case 'k':
		return profile_take_option(&options->kernels, tool, option);
	case OPTION_ZEBIN:
		if (options->zebin_count == BINDS_FILES_MAX)
			return usage(tool, "more than %d files with --zebin", BINDS_FILES_MAX);
		options->zebins[options->zebin_count++] = optarg;
		return EXIT_OK;
	case OPTION_CACHE:
		options->cache = true;
		return EXIT_OK;
	case OPTION_ONCE:
		options->once = true;
		return EXIT_OK;
	default:
		options->contexts = true;
		return EXIT_OK;
	}
}

static int check(const struct options *options, const struct tool *tool, const char *operand)
{
	if (operand)
		return usage(tool, "%s: unexpected", operand);
	if (options->once && (options->kernels.kernels_count || searches(options)))
		return usage(tool, "-k, --zebin and --cache are for the view of EU stalls; remove "
				   "--once");
	if (options->once)
		return EXIT_OK;
	if (tool->format != OUTPUT_TABLE)
		return usage(tool, "--json and --csv need --once");
	if (!isatty(STDIN_FILENO) || !isatty(STDOUT_FILENO))
		return usage(tool, "not a terminal; use --once to print values as text");
	return EXIT_OK;
}

static int parse_options(struct options *options, struct tool *tool, int argc, char **argv,
			 int *exit_code)
{
	static const struct option longs[] = {
		{ "set", required_argument, NULL, 's' },
		{ "metrics", required_argument, NULL, 'm' },
		{ "interval", required_argument, NULL, 'I' },
		{ "kernels", required_argument, NULL, 'k' },
		{ "zebin", required_argument, NULL, OPTION_ZEBIN },
		{ "cache", no_argument, NULL, OPTION_CACHE },
		{ "once", no_argument, NULL, OPTION_ONCE },
		{ "contexts", no_argument, NULL, OPTION_CONTEXTS },
		{ 0 },
	};

	if (tool_options(tool, argc, argv, "s:m:I:k:", longs, take_option, options, exit_code) ==
	    TOOL_EXIT)
		return TOOL_EXIT;
	*exit_code = check(options, tool, optind < argc ? argv[optind] : NULL);
	return *exit_code ? TOOL_EXIT : EXIT_OK;
}

static int cmd_top(struct tool *tool, int argc, char **argv)
{
	struct options options = { .interval_ms = 1000 };
	struct watches watches;
	int ret;

	tool->help = help;
	tool->command = "top";
	if (parse_options(&options, tool, argc, argv, &ret) == TOOL_EXIT)
		return ret;
	ret = watches_open(&watches, tool, options.set, options.metrics);
	if (!ret)
		ret = options.once ? once(&watches, options.interval_ms, options.contexts) :
				     top_run(&watches, &options);
	watches_close(&watches);
	return ret;
}

int main(int argc, char **argv)
{
	struct tool tool = { 0 };

	/* Use the user's character encoding. Numbers keep the format of the C locale. */
	setlocale(LC_CTYPE, "");
	return program_run(&tool, argc, argv, cmd_top);
}
