// SPDX-License-Identifier: MIT
/*
 * record.c - gpuoa record: record raw reports while a command runs
 */
#define _GNU_SOURCE /* asprintf */
#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "common/printable.h"
#include "common/recording.h"
#include "common/session.h"

#define PROGRESS_MS 500

/*
 * Interval at which a running flight recorder checks that the GPU is still present. This is needed,
 * because no event wakes the recorder.
 */
#define GONE_MS 1000

static const char help[] =
	"Usage: gpuoa record [-s SET[@DEVICE]]... [-m METRIC,...] [-p TIME | -F HZ] [-o FILE] [--overwrite | --aux] [-- COMMAND ...]\n"
	"\n"
	"Records raw reports while COMMAND runs, or until Ctrl-C. 'gpuoa report' and the stock perf tool read the file.\n"
	"\n"
	"  -s, --set SET          metric set, see 'gpuoa list sets'; SET@DEVICE: on that device instead of -d's. Repeat it\n"
	"                         for several units in one file; default: the set that 'gpuoa top' starts with\n"
	"  -m, --metrics LIST     only the counters that these metrics need: a fraction of the space and CPU time;\n"
	"                         patterns as in a shell: 'Eu*'\n"
	"  -p, --period TIME      sampling period, in ns or with a unit such as 500us: rounded down to one that the hardware\n"
	"                         supports (default 1ms)\n"
	"  -F, --freq HZ          sampling frequency instead of -p: 500, 10k, 2.5M\n"
	"      --poll-period TIME poll for reports at least this often: earlier results, but more CPU time\n"
	"  -o, --output FILE      output file (default " DEFAULT_RECORDING
	"); an existing file is renamed to FILE.old\n"
	"      --overwrite        flight recorder: keep the newest reports in memory, write them at the end and at each SIGUSR2\n"
	"      --aux              the GPU writes into this program's memory, without a copy; other programs cannot share the unit\n"
	"\n"
	"Examples:\n"
	"  gpuoa record ./app                                          into gpuoa.data, for 'gpuoa report'\n"
	"  gpuoa record -s RenderBasic -F 10k -o app.data -- ./app\n"
	"  gpuoa record -s RenderBasic -m GpuBusy,EuActive -F 50000    until Ctrl-C, in a fraction of the space\n"
	"  gpuoa record -s RenderBasic --overwrite                     'pkill -USR2 gpuoa' writes the newest reports\n";

enum { OPTION_OVERWRITE = 256, OPTION_AUX };

struct record_options {
	struct session_request session;
	const char *file;
};

static int take_option(void *argument, const struct tool *tool, int option)
{
	struct record_options *options = argument;

	switch (option) {
	case 'o':
		options->file = optarg;
		return EXIT_OK;
	case 'm':
		options->session.metrics = optarg;
		return EXIT_OK;
	case OPTION_OVERWRITE:
		options->session.overwrite = true;
		return EXIT_OK;
	case OPTION_AUX:
		options->session.delivery = GPUOA_DELIVERY_AUX;
		return EXIT_OK;
	default:
		return session_option(&options->session, tool, option);
	}
}

static int parse_options(struct record_options *options, struct tool *tool, int argc, char **argv,
			 int *exit_code)
{
	static const struct option longs[] = {
		{ "set", required_argument, NULL, 's' },
		{ "metrics", required_argument, NULL, 'm' },
		{ "period", required_argument, NULL, 'p' },
		{ "freq", required_argument, NULL, 'F' },
		{ "poll-period", required_argument, NULL, SESSION_POLL_PERIOD },
		{ "output", required_argument, NULL, 'o' },
		{ "overwrite", no_argument, NULL, OPTION_OVERWRITE },
		{ "aux", no_argument, NULL, OPTION_AUX },
		{ 0 },
	};

	if (tool_options(tool, argc, argv, SESSION_SHORTS "o:m:", longs, take_option, options,
			 exit_code) == TOOL_EXIT)
		return TOOL_EXIT;
	options->session.argv = optind < argc ? argv + optind : NULL;
	return EXIT_OK;
}

static void print_stats(const char *file, const struct gpuoa_recorder_stats *stats)
{
	char *name = printable(file);

	fprintf(stderr, "gpuoa: %s: %" PRIu64 " reports, %" PRIu64 " bytes, ", name ? name : "",
		stats->reports, stats->bytes);
	free(name);
	if (stats->lost || !stats->lost_unknown)
		fprintf(stderr, "%" PRIu64 " lost", stats->lost);
	if (stats->lost_unknown)
		fputs(stats->lost ? " and more that could not be counted" :
				    "some lost that could not be counted",
		      stderr);
}

/* If stderr is a terminal, print the statistics of the recording so far. */
static void print_progress(const struct tool *tool, const struct gpuoa_recorder *recorder,
			   const char *file)
{
	struct gpuoa_recorder_stats stats;

	if (tool->quiet || !isatty(STDERR_FILENO))
		return;
	gpuoa_recorder_stats(recorder, &stats, sizeof(stats));
	fputc('\r', stderr);
	print_stats(file, &stats);
}

static int write_error(const char *file, int err)
{
	return fail("cannot write %s: %s", file, strerror(-err));
}

/* Write the available data. */
static int record_some(struct gpuoa_recorder *recorder, const char *file)
{
	const int err = gpuoa_recorder_write(recorder);

	if (err == -ENODEV)
		return fail("the GPU was removed; %s has the reports before that", file);
	return err ? write_error(file, err) : EXIT_OK;
}

/* Stop a flight recorder, write the data that it has collected, and start it again. */
static int write_window(struct session *session, struct gpuoa_recorder *recorder, const char *file)
{
	int ret;

	session->child.requested = false;
	session_stop(session);
	ret = record_some(recorder, file);
	if (ret)
		return ret;
	ret = session_enable(session);
	if (ret)
		return ret;
	note(session->tool, "%s: has the reports before SIGUSR2", file);
	return EXIT_OK;
}

static bool is_gone(const struct session *session)
{
	for (size_t i = 0; i < session->count; i++)
		if (gpuoa_reader_wait(session->units[i].reader, 0) == -ENODEV)
			return true;
	return false;
}

/*
 * Record with a flight recorder. It delivers no data while it runs, so wait until a signal requests
 * that its data is written.
 */
static int record_windows(struct session *session, struct gpuoa_recorder *recorder,
			  const char *file)
{
	int ret = EXIT_OK;

	while (!session->child.done && !ret) {
		child_wait(&session->child, -1, GONE_MS);
		if (session->child.requested)
			ret = write_window(session, recorder, file);
		else if (is_gone(session))
			ret = record_some(recorder, file);
	}
	return ret;
}

static int record_all(struct session *session, struct gpuoa_recorder *recorder, const char *file)
{
	int ret = EXIT_OK;

	while (!session->child.done && !ret) {
		child_wait(&session->child, session->fd, PROGRESS_MS);
		ret = record_some(recorder, file);
		print_progress(session->tool, recorder, file);
	}
	return ret;
}

static int record_rest(struct session *session, struct gpuoa_recorder *recorder, const char *file)
{
	session_stop(session);
	return record_some(recorder, file);
}

static void print_summary(const struct tool *tool, const struct gpuoa_recorder *recorder,
			  const char *file)
{
	struct gpuoa_recorder_stats stats;

	if (tool->quiet)
		return;
	gpuoa_recorder_stats(recorder, &stats, sizeof(stats));
	if (isatty(STDERR_FILENO))
		fputc('\r', stderr);
	print_stats(file, &stats);
	fputc('\n', stderr);
}

/* Rename an existing file to FILE.old, as perf does. */
static int keep_old(const char *file)
{
	struct stat status;
	char *old;
	int ret;

	if (stat(file, &status) || !S_ISREG(status.st_mode) || !status.st_size)
		return EXIT_OK;
	if (asprintf(&old, "%s.old", file) < 0)
		return fail("out of memory");
	ret = rename(file, old) ? fail("cannot rename %s to %s: %s", file, old, strerror(errno)) :
				  EXIT_OK;
	free(old);
	return ret;
}

static int run_record(const struct tool *tool, struct session *session,
		      const struct record_options *options)
{
	const char *file = options->file;
	struct gpuoa_reader *readers[SESSION_UNITS_MAX];
	struct gpuoa_recorder *recorder;
	char error[512];
	int err, ret;

	ret = keep_old(file);
	if (ret)
		return ret;
	for (size_t i = 0; i < session->count; i++)
		readers[i] = session->units[i].reader;
	if (gpuoa_recorder_open(readers, session->count, file, &recorder, error, sizeof(error)))
		return fail("%s", error);
	ret = session_start(session);
	if (!ret) {
		ret = options->session.overwrite ? record_windows(session, recorder, file) :
						   record_all(session, recorder, file);
		if (!ret)
			ret = record_rest(session, recorder, file);
		/* After an error, print what was recorded before it as well. */
		print_summary(tool, recorder, file);
	}
	err = gpuoa_recorder_close(recorder);
	return !ret && err ? write_error(file, err) : ret;
}

int cmd_record(struct tool *tool, int argc, char **argv)
{
	struct record_options options = { .file = DEFAULT_RECORDING };
	struct session session;
	int ret, status;

	tool->help = help;
	if (parse_options(&options, tool, argc, argv, &ret) == TOOL_EXIT)
		return ret;
	if (tool->format != OUTPUT_TABLE)
		return usage(tool,
			     "record prints no values; use --json and --csv with 'gpuoa report'");
	if (!strcmp(options.file, "-"))
		return usage(
			tool,
			"-o -: cannot write a recording to standard output: it is not written sequentially; give a file");
	if (options.session.overwrite && options.session.delivery == GPUOA_DELIVERY_AUX)
		return usage(tool, "--overwrite and --aux exclude each other");
	if ((options.session.overwrite || options.session.delivery == GPUOA_DELIVERY_AUX) &&
	    options.session.metrics)
		return usage(
			tool,
			"--metrics excludes --overwrite and --aux, which record whole reports");
	if (options.session.set_count > 1 && options.session.metrics)
		return usage(tool, "--metrics needs a single -s; the sets have different metrics");
	ret = session_open(&session, tool, &options.session);
	if (ret)
		return ret;
	ret = run_record(tool, &session, &options);
	status = session_close(&session);
	return ret ? ret : status;
}
