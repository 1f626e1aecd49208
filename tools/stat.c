// SPDX-License-Identifier: MIT
/*
 * stat.c - gpuoa stat: measure while a command runs, and print the totals
 */
#include <inttypes.h>
#include <stdio.h>

#include "common/clock.h"
#include "common/evaluation.h"
#include "common/session.h"

#define WAIT_MAX_MS 1000 /* maximum time between checks that the GPU is still present */

static const char help[] =
	"Usage: gpuoa stat [-s SET] [-p TIME | -F HZ] [-I MS] [-m METRIC,...] [-- COMMAND ...]\n"
	"\n"
	"Measures while COMMAND runs, or until Ctrl-C, and prints the totals.\n"
	"\n"
	"  -s, --set SET          metric set, see 'gpuoa list sets'; default: the one that 'gpuoa top' starts with\n"
	"  -p, --period TIME      sampling period, in ns or with a unit such as 500us: rounded down to one that the hardware\n"
	"                         supports (default 1ms)\n"
	"  -F, --freq HZ          sampling frequency instead of -p: 500, 10k, 2.5M\n"
	"      --poll-period TIME poll for reports at least this often: earlier results, but more CPU time\n"
	"  -I, --interval MS      print totals every MS milliseconds; other units: 2s\n"
	"  -m, --metrics LIST     only these metrics; patterns as in a shell: 'Eu*,GpuBusy'\n"
	"\n"
	"Examples:\n"
	"  gpuoa stat ./app\n"
	"  gpuoa stat -s RenderBasic -I 1000 -m GpuBusy,EuActive,EuStall\n"
	"  gpuoa stat -s ComputeBasic -I 100 --csv >course.csv           until Ctrl-C\n";

struct stat_options {
	struct session_request session;
	const char *metrics;
	uint64_t interval_ns;
};

static int take_option(void *argument, const struct tool *tool, int option)
{
	struct stat_options *options = argument;

	switch (option) {
	case 'I':
		return option_duration(tool, "-I", optarg, NSEC_PER_MSEC, NSEC_PER_MSEC, INT64_MAX,
				       &options->interval_ns);
	case 'm':
		options->metrics = optarg;
		return EXIT_OK;
	default:
		return session_option(&options->session, tool, option);
	}
}

static int parse_options(struct stat_options *options, struct tool *tool, int argc, char **argv,
			 int *exit_code)
{
	static const struct option longs[] = {
		{ "set", required_argument, NULL, 's' },
		{ "period", required_argument, NULL, 'p' },
		{ "freq", required_argument, NULL, 'F' },
		{ "poll-period", required_argument, NULL, SESSION_POLL_PERIOD },
		{ "interval", required_argument, NULL, 'I' },
		{ "metrics", required_argument, NULL, 'm' },
		{ 0 },
	};

	if (tool_options(tool, argc, argv, SESSION_SHORTS "I:m:", longs, take_option, options,
			 exit_code) == TOOL_EXIT)
		return TOOL_EXIT;
	options->session.argv = optind < argc ? argv + optind : NULL;
	return EXIT_OK;
}

/* Return the time until the interval ends in ms, rounded up. */
static int time_left_ms(int64_t due)
{
	const int64_t left = due - now_ns();

	if (left <= 0)
		return 0;
	return left / NSEC_PER_MSEC >= WAIT_MAX_MS ? WAIT_MAX_MS : (int)(left / NSEC_PER_MSEC) + 1;
}

/*
 * Return the time at which the next interval ends. Intervals that passed while this program was
 * suspended are skipped.
 */
static int64_t next_due(int64_t due, int64_t interval_ns)
{
	const int64_t now = now_ns();

	due += interval_ns;
	return due > now ? due : now + interval_ns;
}

static int measure(struct session *session, struct evaluation *evaluation, uint64_t interval_ns)
{
	int64_t due = interval_ns ? now_ns() + (int64_t)interval_ns : INT64_MAX;
	int ret = EXIT_OK;

	while (!session->child.done && !ret) {
		child_wait(&session->child, session->fd, time_left_ms(due));
		ret = evaluation_drain(evaluation, session->units[0].reader);
		if (now_ns() < due)
			continue;
		evaluation_totals(evaluation);
		due = next_due(due, (int64_t)interval_ns);
	}
	session_stop(session);
	return ret ? ret : evaluation_drain(evaluation, session->units[0].reader);
}

static void summarize(const struct tool *tool, const struct session *session,
		      struct evaluation *evaluation, int64_t elapsed_ns)
{
	const struct session_unit *unit = &session->units[0];

	evaluation_losses(evaluation);
	if (!evaluation_totals(evaluation) && !evaluation->intervals_done)
		note(tool,
		     "no interval: the measurement was shorter than two periods of %" PRIu64 " ns",
		     gpuoa_exponent_to_period(unit->unit_desc.timestamp_frequency,
					      unit->desc.exponent));
	else if (tool->format == OUTPUT_TABLE && !evaluation->request.repeated)
		printf("\n%.6f s elapsed\n", (double)elapsed_ns / NSEC_PER_SEC);
}

static int run_stat(const struct tool *tool, const struct stat_options *options,
		    struct session *session)
{
	const struct session_unit *unit = &session->units[0];
	const struct evaluation_request request = {
		.set = unit->set,
		.constants = unit->constants,
		.metrics = options->metrics,
		.format = unit->desc.format,
		.origin = unit->unit_desc.name,
		.totals = TOTALS_INTERVAL,
		.unit = unit->unit_desc.name,
		.repeated = options->interval_ns,
	};
	struct evaluation evaluation;
	int64_t begin;
	int ret;

	ret = evaluation_open(&evaluation, tool, &request);
	if (ret)
		return ret;
	begin = now_ns();
	ret = session_start(session);
	if (!ret) {
		/* After an error, print what was measured before it as well. */
		ret = measure(session, &evaluation, options->interval_ns);
		summarize(tool, session, &evaluation, now_ns() - begin);
	}
	evaluation_close(&evaluation);
	return ret;
}

int cmd_stat(struct tool *tool, int argc, char **argv)
{
	struct stat_options options = { 0 };
	struct session session;
	int ret, status;

	tool->help = help;
	if (parse_options(&options, tool, argc, argv, &ret) == TOOL_EXIT)
		return ret;
	if (options.session.set_count > 1)
		return usage(tool, "stat measures one set; use 'gpuoa record' for several");
	ret = session_open(&session, tool, &options.session);
	if (ret)
		return ret;
	ret = run_stat(tool, &options, &session);
	status = session_close(&session);
	return ret ? ret : status;
}
