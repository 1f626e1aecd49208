// SPDX-License-Identifier: MIT
/*
 * exporter.c - gpuoa exporter: export metrics of OA units to Prometheus
 */
#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "common/clock.h"
#include "common/columns.h"
#include "exporter/collector.h"
#include "exporter/exposition.h"
#include "exporter/server.h"
#include "exporter/yield_server.h"
#include "common/recording.h"
#include "common/yield.h"

static const char help[] =
	"Usage: gpuoa exporter [-d DEVICE] [-s SET] [-m METRIC,...] [--listen ADDRESS:PORT] [--interval MS | --duty ON/PERIOD]\n"
	"                      [-p PERIOD] [--yield USERS] [--once] [--text] [FILE]\n"
	"       gpuoa exporter --pause [-d UNIT] [-- COMMAND ...]\n"
	"\n"
	"Measures all OA units and serves their metrics, or those of a recording, at http://127.0.0.1:9845/metrics for Prometheus.\n"
	"\n"
	"  -s, --set SET          metric set of each unit; default: the one with most metrics that all GPUs have\n"
	"  -m, --metrics LIST     only these metrics, and those that all GPUs have; patterns as in a shell: 'Eu*'\n"
	"  -p, --period TIME      sampling period, in ns or with a unit such as 500us; default: 1ms\n"
	"      --listen A:PORT    address and port, as 127.0.0.1:9845 or [::1]:9845; port 0: any\n"
	"      --interval MS      update interval, in ms or with a unit such as 15s; default: 1s\n"
	"      --duty ON/PERIOD   measure for ON in each PERIOD, such as 1s/15s, and let the GPU enter RC6 in between; a unit\n"
	"                         that is measured keeps its GPU out of RC6, the idle state that saves power\n"
	"      --yield USERS      release a unit to other gpuoa commands while they run: of root (default), all, none\n"
	"      --pause            make a running exporter release its units while COMMAND runs, or until Ctrl-C\n"
	"      --once             measure for one interval, print, and end\n"
	"      --text             with --once: in Prometheus' text format instead of OpenMetrics\n"
	"\n"
	"Examples:\n"
	"  gpuoa exporter --once | grep eu_active               print the metrics, without a server\n"
	"  gpuoa exporter & curl http://127.0.0.1:9845/metrics  as Prometheus does\n"
	"  systemctl enable --now gpuoa-exporter                as a service that has only CAP_PERFMON\n";

#define INTERVAL_MIN_NS NSEC_PER_MSEC
#define DUTY_MIN_NS (10 * NSEC_PER_MSEC)
#define INTERVAL_MAX_NS (3600 * NSEC_PER_SEC)
/* time between attempts to find new units and to open those that failed, in ms */
#define REOPEN_MS 5000

struct options {
	const char *set;
	const char *metrics;
	const char *listen;
	const char *file; /* path of a recording to read; NULL: measure units */
	uint64_t period_ns;
	uint64_t interval_ms;
	uint64_t duty_ns; /* 0: measure continuously */
	uint64_t duty_period_ns;
	enum yield_to yield_to;
	bool interval_given;
	bool pause;
	bool once;
	bool text;
};

enum {
	OPTION_LISTEN = 'z' + 1,
	OPTION_INTERVAL,
	OPTION_DUTY,
	OPTION_YIELD,
	OPTION_PAUSE,
	OPTION_ONCE,
	OPTION_TEXT,
};

static volatile sig_atomic_t stopped;

static void stop(int signal)
{
	(void)signal;
	stopped = 1;
}

/* Parse ON/PERIOD. */
static int take_duty(struct options *options, const struct tool *tool)
{
	char on[32];
	const char *slash = strchr(optarg, '/');
	int ret;

	if (!slash || slash - optarg >= (ptrdiff_t)sizeof(on))
		return usage(tool, "--duty: cannot read '%s'; give ON/PERIOD, such as 1s/15s",
			     optarg);
	snprintf(on, sizeof(on), "%.*s", (int)(slash - optarg), optarg);
	ret = option_duration(tool, "--duty", on, NSEC_PER_SEC, DUTY_MIN_NS, INTERVAL_MAX_NS,
			      &options->duty_ns);
	if (!ret)
		ret = option_duration(tool, "--duty", slash + 1, NSEC_PER_SEC, DUTY_MIN_NS,
				      INTERVAL_MAX_NS, &options->duty_period_ns);
	if (!ret && options->duty_period_ns <= options->duty_ns)
		return usage(tool, "--duty: cannot use '%s': the period must be longer than %s",
			     optarg, on);
	return ret;
}

static int take_yield(struct options *options, const struct tool *tool)
{
	static const char *const names[] = {
		[YIELD_TO_ROOT] = "root",
		[YIELD_TO_ALL] = "all",
		[YIELD_TO_NONE] = "none",
	};

	for (size_t i = 0; i < sizeof(names) / sizeof(names[0]); i++) {
		options->yield_to = i;
		if (!strcmp(optarg, names[i]))
			return EXIT_OK;
	}
	return usage(tool, "--yield: cannot use '%s'; give root, all or none", optarg);
}

static int take_option(void *context, const struct tool *tool, int option)
{
	struct options *options = context;
	uint64_t ns = 0;
	int ret;

	switch (option) {
	case 's':
		options->set = optarg;
		return EXIT_OK;
	case 'm':
		options->metrics = optarg;
		return EXIT_OK;
	case 'p':
		return option_duration(tool, "-p", optarg, 1, 1, INT64_MAX, &options->period_ns);
	case OPTION_LISTEN:
		options->listen = optarg;
		return EXIT_OK;
	case OPTION_INTERVAL:
		ret = option_duration(tool, "--interval", optarg, NSEC_PER_MSEC, INTERVAL_MIN_NS,
				      INTERVAL_MAX_NS, &ns);
		options->interval_ms = ns / NSEC_PER_MSEC;
		options->interval_given = true;
		return ret;
	case OPTION_DUTY:
		return take_duty(options, tool);
	case OPTION_YIELD:
		return take_yield(options, tool);
	case OPTION_PAUSE:
		options->pause = true;
		return EXIT_OK;
	case OPTION_ONCE:
		options->once = true;
		return EXIT_OK;
	default:
		options->text = true;
		return EXIT_OK;
	}
}

static int parse_options(struct options *options, struct tool *tool, int argc, char **argv,
			 int *exit_code)
{
	static const struct option longs[] = {
		{ "set", required_argument, NULL, 's' },
		{ "metrics", required_argument, NULL, 'm' },
		{ "period", required_argument, NULL, 'p' },
		{ "listen", required_argument, NULL, OPTION_LISTEN },
		{ "interval", required_argument, NULL, OPTION_INTERVAL },
		{ "duty", required_argument, NULL, OPTION_DUTY },
		{ "yield", required_argument, NULL, OPTION_YIELD },
		{ "pause", no_argument, NULL, OPTION_PAUSE },
		{ "once", no_argument, NULL, OPTION_ONCE },
		{ "text", no_argument, NULL, OPTION_TEXT },
		{ 0 },
	};

	if (tool_options(tool, argc, argv, "s:m:p:", longs, take_option, options, exit_code) ==
	    TOOL_EXIT)
		return TOOL_EXIT;
	options->file = argv[optind];
	if (options->pause)
		return EXIT_OK;
	if (argc - optind > 1)
		*exit_code = usage(tool, "more than one recording; give one");
	else if (options->duty_ns && (options->interval_given || options->once || options->file))
		*exit_code = usage(
			tool, "--duty excludes --interval, --once and a recording; remove one");
	return *exit_code ? TOOL_EXIT : EXIT_OK;
}

/* All collectors */
struct units {
	const struct tool *tool;
	struct collector *list;
	size_t count;
	bool metrics_checked; /* the argument of -m */
	struct yield_server yields;
};

static void close_units(struct units *units)
{
	for (size_t i = 0; i < units->count; i++)
		collector_end(&units->list[i]);
	free(units->list);
	yield_server_close(&units->yields);
}

static bool has_unit(const struct units *units, const char *name)
{
	for (size_t i = 0; i < units->count; i++)
		if (!strcmp(units->list[i].name, name))
			return true;
	return false;
}

static int add_unit(struct units *units, const struct tool *tool, const struct options *options,
		    const char *name)
{
	struct collector *list = realloc(units->list, (units->count + 1) * sizeof(*list));

	if (!list)
		return fail("out of memory");
	units->list = list;
	collector_begin(&list[units->count], tool, name, options->set, options->metrics,
			options->period_ns);
	list[units->count++].requests = options->once;
	return EXIT_OK;
}

/*
 * Add those units of this machine that are not in the list. With -d, add only the unit that it
 * names.
 */
static int find_units(struct units *units, const struct tool *tool, const struct options *options)
{
	const int most = tool->device ? 0 : gpuoa_unit_list(NULL, 0);
	char(*names)[16];
	int found, ret = EXIT_OK;

	if (most < 0)
		return fail("cannot list the OA units: %s", strerror(-most));
	if (tool->device)
		return has_unit(units, tool->device) ? EXIT_OK :
						       add_unit(units, tool, options, tool->device);
	names = calloc(most + 1, sizeof(*names));
	if (!names)
		return fail("out of memory");
	/* If a unit was added to the machine since the first call, it will be found next time. */
	found = gpuoa_unit_list(names, most);
	for (int i = 0; i < found && i < most && !ret; i++)
		if (!has_unit(units, names[i]))
			ret = add_unit(units, tool, options, names[i]);
	free(names);
	return ret;
}

static int open_units(struct units *units, const struct tool *tool, const struct options *options)
{
	const int ret = find_units(units, tool, options);

	for (size_t i = 0; i < units->count; i++) {
		struct collector *collector = &units->list[i];

		collector->yielded = yield_server_has(&units->yields, collector->name);
		collector_open(collector);
	}
	return ret;
}

static int open_recording(struct units *units, const struct tool *tool,
			  const struct options *options)
{
	uint32_t streams = 1;
	int ret = recording_streams(options->file, &streams);

	if (ret)
		return ret;
	units->list = calloc(streams, sizeof(*units->list));
	if (!units->list)
		return fail("out of memory");
	for (uint32_t i = 0; i < streams && !ret; i++) {
		struct recorded recorded;

		ret = recorded_open_stream(&recorded, tool, options->file, i, options->set);
		if (!ret)
			ret = collector_begin_recorded(&units->list[units->count++], tool,
						       &recorded, options->metrics);
	}
	return ret;
}

/*
 * Check that each entry of -m matches a metric of some open unit. If an entry does not, it is an
 * error only if all units are open, because a unit that is not may have the metric. Returns an exit
 * code.
 */
static int check_metrics(struct units *units, const struct options *options)
{
	struct columns_scope *scopes = calloc(units->count + 1, sizeof(*scopes));
	size_t count = 0;
	int ret = EXIT_OK;

	if (!scopes)
		return fail("out of memory");
	for (size_t i = 0; i < units->count; i++) {
		const struct collector *collector = &units->list[i];

		if (collector->reader)
			scopes[count++] = (struct columns_scope){
				collector->what,
				collector->unit ? gpuoa_unit_constants(collector->unit) :
						  collector->recorded.constants,
			};
	}
	if (count && options->metrics && !units->metrics_checked) {
		ret = columns_check(units->tool, scopes, count, options->metrics);
		units->metrics_checked = true;
	}
	free(scopes);
	return count == units->count || options->once ? ret : EXIT_OK;
}

static void refresh(struct units *units)
{
	for (size_t i = 0; i < units->count; i++) {
		collector_read(&units->list[i]);
		collector_refresh(&units->list[i]);
	}
}

static char *make_text(const struct units *units, enum exposition_format format)
{
	char *text = NULL;
	size_t size;
	FILE *file = open_memstream(&text, &size);

	if (!file)
		return NULL;
	exposition_write(file, format, units->list, units->count);
	if (!fclose(file))
		return text;
	free(text);
	return NULL;
}

static void publish(const struct units *units, struct server *server)
{
	char *texts[EXPOSITION_FORMATS];

	for (int i = 0; i < EXPOSITION_FORMATS; i++)
		texts[i] = make_text(units, i);
	server_publish(server, texts);
}

static void yield_units(void *context, const struct yield *yield)
{
	struct units *units = context;

	for (size_t i = 0; i < units->count; i++) {
		struct collector *collector = &units->list[i];

		if (!yield_is_for(yield, collector->name))
			continue;
		collector_yield(collector);
		note(units->tool, "%s: released to process %ld", collector->name,
		     (long)yield->process);
	}
}

/*
 * Read reports every 200 ms until the time @until; buffers have space for two seconds. @reopen:
 * open units again after other programs have returned them
 */
static void wait_until(struct units *units, const struct options *options, int64_t until,
		       bool reopen)
{
	while (!stopped && now_ms() < until) {
		const int64_t left = until - now_ms();

		if (yield_server_wait(&units->yields, left < 200 ? (int)left : 200, yield_units,
				      units) &&
		    reopen)
			open_units(units, units->tool, options);
		for (size_t i = 0; i < units->count; i++)
			collector_read(&units->list[i]);
	}
}

static void measure_interval(struct units *units, const struct options *options)
{
	if (!options->file)
		wait_until(units, options, now_ms() + options->interval_ms, true);
	refresh(units);
}

/*
 * Measure for a part of each period. In the rest of the period, the units are closed, so that GPUs
 * can sleep.
 */
static void measure_duty(struct units *units, const struct options *options, struct server *server)
{
	const int64_t begin = now_ms();

	open_units(units, units->tool, options);
	wait_until(units, options, begin + options->duty_ns / NSEC_PER_MSEC, true);
	refresh(units);
	for (size_t i = 0; i < units->count; i++)
		collector_rest(&units->list[i]);
	publish(units, server);
	wait_until(units, options, begin + options->duty_period_ns / NSEC_PER_MSEC, false);
}

static int print_once(struct units *units, const struct options *options)
{
	size_t measured = 0;

	measure_interval(units, options);
	exposition_write(stdout, options->text ? EXPOSITION_TEXT : EXPOSITION_OPENMETRICS,
			 units->list, units->count);
	for (size_t i = 0; i < units->count; i++)
		measured += units->list[i].has_values;
	if (!units->count)
		return fail("no OA unit: see 'gpuoa doctor'");
	return measured ? EXIT_OK : fail("nothing was measured");
}

static int serve(struct units *units, const struct tool *tool, const struct options *options)
{
	const struct sigaction action = { .sa_handler = stop };
	struct server *server = server_open(options->listen);
	int64_t reopen = now_ms() + REOPEN_MS;
	int err;

	if (!server)
		return EXIT_FAILED;
	sigaction(SIGINT, &action, NULL);
	sigaction(SIGTERM, &action, NULL);
	err = yield_server_open(&units->yields, options->file ? YIELD_TO_NONE : options->yield_to);
	if (err)
		note(tool, "cannot yield units to other programs: %s; is another exporter running?",
		     strerror(-err));
	publish(units, server);
	note(tool, "metrics are at http://%s/metrics", server_address(server));
	if (!units->count)
		note(tool, "no OA unit: waiting for one; see 'gpuoa doctor'");
	if (!options->file && !options->duty_ns)
		note(tool,
		     "a GPU that is measured does not enter RC6, its idle state; --duty 1s/15s measures for a part of the time");
	/* Read a recording only once. */
	if (options->file) {
		refresh(units);
		publish(units, server);
	}
	while (!stopped) {
		if (options->file) {
			poll(NULL, 0, 200);
			continue;
		}
		if (options->duty_ns) {
			measure_duty(units, options, server);
			continue;
		}
		measure_interval(units, options);
		publish(units, server);
		if (now_ms() < reopen)
			continue;
		reopen = now_ms() + REOPEN_MS;
		open_units(units, tool, options);
		check_metrics(units, options);
	}
	server_close(server);
	return EXIT_OK;
}

/* Make a running exporter release its units while a command runs, or until a signal is received. */
static int pause_exporter(const struct tool *tool, char **command)
{
	const struct sigaction action = { .sa_handler = stop };
	const int fd = yield_request(tool->device ? tool->device : YIELD_ALL_UNITS);
	const bool until_signal = !*command;

	if (fd == -EPERM)
		return fail(
			"exporter: cannot pause it: it yields to root only; run this as root, or start it with --yield all");
	if (fd < 0 && (fd != -ECONNREFUSED || until_signal))
		return fail("exporter: cannot pause it: %s; does it run, and without --yield none?",
			    strerror(-fd));
	if (until_signal) {
		sigaction(SIGINT, &action, NULL);
		sigaction(SIGTERM, &action, NULL);
		note(tool, "the exporter is paused until Ctrl-C");
		while (!stopped)
			pause();
		close(fd);
		return EXIT_OK;
	}
	if (fd < 0)
		note(tool, "no exporter runs");
	else
		/*
		 * the command inherits the file, so the pause lasts until the command and its
		 * children exit
		 */
		fcntl(fd, F_SETFD, 0);
	execvp(*command, command);
	print_error("cannot execute %s: %s", *command, strerror(errno));
	return errno == ENOENT ? EXIT_NOT_FOUND : EXIT_NOT_EXECUTABLE;
}

static int run(struct tool *tool, int argc, char **argv)
{
	struct options options = {
		.listen = "127.0.0.1:9845",
		.period_ns = NSEC_PER_MSEC,
		.interval_ms = 1000,
	};
	struct units units = { .tool = tool, .yields = { .fd = -1 } };
	int ret = EXIT_OK;

	tool->command = "exporter";
	tool->help = help;
	if (parse_options(&options, tool, argc, argv, &ret) == TOOL_EXIT)
		return ret;
	if (options.pause)
		return pause_exporter(tool, argv + optind);
	ret = options.file ? open_recording(&units, tool, &options) :
			     open_units(&units, tool, &options);
	if (!ret)
		ret = check_metrics(&units, &options);
	if (!ret)
		ret = options.once ? print_once(&units, &options) : serve(&units, tool, &options);
	close_units(&units);
	return ret;
}

int main(int argc, char **argv)
{
	struct tool tool = { .help = help };

	return program_run(&tool, argc, argv, run);
}
