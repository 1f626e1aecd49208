// SPDX-License-Identifier: MIT
/*
 * record.c - gpuoa stalls record: record EU stalls while a command runs, with OA reports in the
 * same file
 */
#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <string.h>
#include <time.h>

#include "common/session.h"
#include "gpuoa-stalls.h"
#include "profile/binds.h"
#include "profile/profile.h"
#include "stalls/hook.h"
#include "stalls/launches.h"
#include "stalls/stalls.h"

static const char help[] =
	"Usage: gpuoa stalls record [-p CLOCKS] [-w TIME] [-s SET] [-k FILE] [-o FILE] [-- COMMAND ...]\n"
	"\n"
	"Records EU stalls while COMMAND runs, or until Ctrl-C, and the kernels that COMMAND loads by\n"
	"Level Zero, if it or a plugin is linked with libze_loader.so.1. Kernels of programs that\n"
	"contain the loader statically, as SYCL's adapters of recent intel/llvm do, are not found: give\n"
	"them with -k.\n"
	"\n"
	"  -p, --period CLOCKS    sampling period in GPU clocks (default: the longest)\n"
	"  -w, --window TIME      add up the samples of this time, at least 5ms (default 10ms)\n"
	"  -s, --set SET          also record OA reports of this metric set, every millisecond; SET@UNIT\n"
	"  -k, --kernels FILE     also record these kernels, as for 'gpuoa stalls report'; repeatable\n"
	"      --zebin FILE       find the kernels that this file or directory contains in the memory of all\n"
	"                         processes that use an integrated GPU from then on; repeatable; needs root\n"
	"      --cache            the same with the cache of the compute runtime, ~/.cache/neo_compiler_cache\n"
	"  -g, --call-graph       also record which functions of COMMAND launch its kernels, for flame graphs\n"
	"      --no-hook          do not preload libgpuoa-ze.so, which finds the kernels of COMMAND\n"
	"  -o, --output FILE      default: gpuoa-stalls.data\n"
	"\n"
	"Examples:\n"
	"  gpuoa stalls record -o app.data ./app\n"
	"  gpuoa stalls record -s VectorEngineStalls -o app.data ./app\n"
	"  gpuoa stalls stat -i app.data\n";

#define WINDOW_DEFAULT_NS UINT64_C(10000000)
#define WINDOW_MIN_NS UINT64_C(5000000) /* the driver looks for records this often */

struct options {
	struct session_request session;
	uint64_t period;
	uint64_t window_ns;
	const char *output;
	struct profile_input input; /* kernels */
	bool no_hook;
	bool stacks; /* of launches */
	const char *zebins[BINDS_FILES_MAX];
	size_t zebin_count;
	bool cache;
};

#define OPTION_NO_HOOK 0x5100
#define OPTION_ZEBIN 0x5101
#define OPTION_CACHE 0x5102

static int take_option(void *argument, const struct tool *tool, int option)
{
	struct options *options = argument;

	switch (option) {
	case 'p':
		if (!parse_number(optarg, &options->period) || !options->period ||
		    options->period > UINT32_MAX)
			return usage(tool, "-p: '%s' is not a number of clocks", optarg);
		return EXIT_OK;
	case 'w':
		return option_duration(tool, "-w", optarg, NSEC_PER_MSEC, WINDOW_MIN_NS, INT64_MAX,
				       &options->window_ns);
	case 'o':
		options->output = optarg;
		return EXIT_OK;
	case 'k':
		return profile_take_option(&options->input, tool, option);
	case OPTION_ZEBIN:
		if (options->zebin_count == BINDS_FILES_MAX)
			return usage(tool, "more than %d files with --zebin", BINDS_FILES_MAX);
		options->zebins[options->zebin_count++] = optarg;
		return EXIT_OK;
	case 'g':
		options->stacks = true;
		return EXIT_OK;
	case OPTION_CACHE:
		options->cache = true;
		return EXIT_OK;
	case OPTION_NO_HOOK:
		options->no_hook = true;
		return EXIT_OK;
	default:
		return session_option(&options->session, tool, option);
	}
}

static int parse_options(struct options *options, struct tool *tool, int argc, char **argv,
			 int *exit_code)
{
	static const struct option longs[] = {
		{ "period", required_argument, NULL, 'p' },
		{ "window", required_argument, NULL, 'w' },
		{ "set", required_argument, NULL, 's' },
		{ "output", required_argument, NULL, 'o' },
		{ "kernels", required_argument, NULL, 'k' },
		{ "zebin", required_argument, NULL, OPTION_ZEBIN },
		{ "call-graph", no_argument, NULL, 'g' },
		{ "cache", no_argument, NULL, OPTION_CACHE },
		{ "no-hook", no_argument, NULL, OPTION_NO_HOOK },
		{ 0 },
	};

	*options =
		(struct options){ .window_ns = WINDOW_DEFAULT_NS, .output = "gpuoa-stalls.data" };
	if (tool_options(tool, argc, argv, "+p:w:s:o:k:g", longs, take_option, options,
			 exit_code) == TOOL_EXIT)
		return TOOL_EXIT;
	options->session.argv = optind < argc ? argv + optind : NULL;
	if (options->stacks && (!options->session.argv || options->no_hook)) {
		*exit_code = usage(tool, "-g needs a command, without --no-hook");
		return TOOL_EXIT;
	}
	return EXIT_OK;
}

/* ---- recording ---- */

struct recording {
	struct gpuoa_stall_stream *stream;
	struct gpuoa_stall_desc desc;
	struct gpuoa_stall_recorder *recorder;
	struct kernels kernels;
	struct hook hook;
	size_t stacks; /* number of stacks of launches */
	struct binds binds;
	struct gpuoa_stall_sums *sums; /* of the current window */
	struct gpuoa_stall_window window;
	uint64_t window_ns;
	uint64_t records;
	uint64_t incomplete; /* number of records that were ignored */
	uint64_t losses;
};

static int fail_to_write(int err)
{
	return fail("cannot write the recording: %s", strerror(-err));
}

/* Write the current window, and begin the next one. */
static int flush(struct recording *recording)
{
	const int err = gpuoa_stall_recorder_write(recording->recorder, &recording->window,
						   sizeof(recording->window), recording->sums);

	gpuoa_stall_sums_clear(recording->sums);
	recording->window = (struct gpuoa_stall_window){ 0 };
	return err ? fail_to_write(err) : EXIT_OK;
}

/* Write the OA reports of a part of a window: the buffers can be too small for a whole one. */
static int write_reports(struct recording *recording)
{
	const int err = gpuoa_stall_recorder_write(recording->recorder, NULL, 0, NULL);

	return err ? fail_to_write(err) : EXIT_OK;
}

static int take(struct recording *recording)
{
	struct gpuoa_stall_window *window = &recording->window, read;
	int err = gpuoa_stall_read(recording->stream, &read, sizeof(read));

	if (err)
		return fail("%s: cannot read EU stalls: %s", recording->desc.device,
			    err == -ENODEV ? "the GPU was reset or removed" : strerror(-err));
	err = gpuoa_stall_sums_add(recording->sums, recording->desc.layout, read.records,
				   read.count);
	if (err < 0)
		return fail("cannot add EU stalls: %s", strerror(-err));
	if (!window->begin_ns)
		window->begin_ns = read.begin_ns;
	window->end_ns = read.end_ns;
	window->losses += read.losses;
	recording->records += read.count;
	recording->incomplete += (uint64_t)err;
	recording->losses += read.losses;
	if (window->end_ns - window->begin_ns < recording->window_ns)
		return write_reports(recording);
	return flush(recording);
}

#define WAIT_MS 5
/*
 * The driver looks for records every 5 ms: read what the last instructions of the command have left
 * after some of these periods.
 */
#define SETTLE_ROUNDS 6

static int record(struct recording *recording, struct child *child)
{
	const struct timespec settle = { .tv_nsec = (long)WINDOW_MIN_NS };
	int ret = EXIT_OK, last;

	while (!child->done && !ret) {
		child_wait(child, gpuoa_stall_fd(recording->stream), WAIT_MS);
		ret = take(recording);
		binds_search(&recording->binds, &recording->kernels, false);
	}
	binds_search(&recording->binds, &recording->kernels, true);
	for (int i = 0; i < SETTLE_ROUNDS && !ret; i++) {
		nanosleep(&settle, NULL);
		ret = take(recording);
	}
	last = flush(recording);
	return ret ? ret : last;
}

/* Create the file, record into it, and close it. @session: streams of OA units; NULL: none */
static int record_to(struct recording *recording, const struct tool *tool, const char *path,
		     struct session *session, struct child *child)
{
	struct gpuoa_reader *readers[SESSION_UNITS_MAX];
	const uint32_t count = session ? (uint32_t)session->count : 0;
	char error[512];
	int ret, err;

	for (uint32_t i = 0; i < count; i++)
		readers[i] = session->units[i].reader;
	if (gpuoa_stall_recorder_open(&recording->desc, sizeof(recording->desc), readers, count,
				      path, &recording->recorder, error, sizeof(error)))
		return fail("%s", error);
	err = gpuoa_stall_enable(recording->stream);
	ret = err     ? fail("%s: cannot sample EU stalls: %s", recording->desc.device,
			     strerror(-err)) :
	      session ? session_start(session) :
			child_start(child);
	if (!ret)
		ret = record(recording, child);
	if (session)
		session_stop(session);
	hook_read(&recording->hook, &recording->kernels);
	err = kernels_write(&recording->kernels, tool, recording->recorder);
	if (!err && recording->hook.stacks)
		err = launches_write(recording->hook.directory, tool, recording->recorder,
				     &recording->stacks);
	if (err && !ret)
		ret = fail_to_write(err);
	err = gpuoa_stall_recorder_close(recording->recorder);
	return ret || !err ? ret : fail_to_write(err);
}

/* Read the kernels that the user gives. They are checked before the command is started. */
static int read_kernels(const struct tool *tool, const struct profile_input *input,
			struct kernels *kernels)
{
	struct gpuoa_code_map *map;
	int ret = EXIT_OK;

	for (size_t i = 0; !ret && i < input->kernels_count; i++)
		ret = kernels_read(kernels, input->kernels[i]);
	if (!ret && gpuoa_code_map_new(64, &map))
		return fail("out of memory");
	if (ret)
		return ret;
	ret = kernels_map(kernels, tool, map);
	gpuoa_code_map_free(map);
	return ret;
}

static void note_losses(const struct tool *tool, const struct recording *recording)
{
	if (recording->losses)
		note(tool,
		     "%s: records were lost %" PRIu64
		     " times, because a buffer was full: counts are too low; use a longer period",
		     recording->desc.device, recording->losses);
	if (recording->incomplete)
		note(tool, "%s: %" PRIu64 " incomplete records were ignored",
		     recording->desc.device, recording->incomplete);
}

static int measure(const struct tool *tool, const struct options *options, struct session *session,
		   struct child *child, struct recording *recording)
{
	int ret;

	if (gpuoa_stall_sums_new(&recording->sums))
		return fail("cannot record EU stalls: no memory");
	gpuoa_stall_describe(recording->stream, &recording->desc, sizeof(recording->desc));
	ret = record_to(recording, tool, options->output, session, child);
	note_losses(tool, recording);
	if (!ret && options->stacks)
		note(tool, "%s: kernels were launched from %zu places", options->output,
		     recording->stacks);
	if (!ret)
		note(tool,
		     "%s: %" PRIu64 " records of EU stalls, every %" PRIu32 " clocks; %zu kernels",
		     options->output, recording->records, recording->desc.period_clocks,
		     recording->kernels.load_count);
	gpuoa_stall_sums_free(recording->sums);
	return ret;
}

static int record_alone(const struct tool *tool, const struct options *options,
			struct recording *recording)
{
	struct child child;
	int status, ret = child_check(options->session.argv);

	if (!ret)
		ret = child_prepare(&child, options->session.argv, 0);
	if (ret)
		return ret;
	ret = measure(tool, options, NULL, &child, recording);
	status = child_finish(&child);
	return ret ? ret : status;
}

static int record_with_sets(const struct tool *tool, const struct options *options,
			    struct recording *recording)
{
	struct session session;
	int status, ret = session_open(&session, tool, &options->session);

	if (ret)
		return ret;
	ret = measure(tool, options, &session, &session.child, recording);
	status = session_close(&session);
	return ret ? ret : status;
}

int stalls_record(struct tool *tool, int argc, char **argv)
{
	struct gpuoa_stall_options stream_options = { .size = sizeof(stream_options),
						      .disabled = true };
	struct recording recording = { .stream = NULL };
	struct options options;
	char error[512];
	int ret;

	tool->help = help;
	if (parse_options(&options, tool, argc, argv, &ret) == TOOL_EXIT)
		return ret;
	stream_options.period_clocks = (uint32_t)options.period;
	recording.window_ns = options.window_ns;
	ret = read_kernels(tool, &options.input, &recording.kernels);
	if (!ret && gpuoa_stall_open(tool->device, &stream_options, &recording.stream, error,
				     sizeof(error)))
		ret = fail("%s", error);
	if (!ret)
		ret = binds_read_files(&recording.binds, tool, &recording.kernels, options.zebins,
				       options.zebin_count, options.cache);
	if (!ret && (options.zebin_count || options.cache))
		ret = binds_begin(&recording.binds);
	if (!ret && options.session.argv && !options.no_hook)
		ret = hook_begin(&recording.hook, options.stacks);
	if (!ret)
		ret = options.session.set_count ? record_with_sets(tool, &options, &recording) :
						  record_alone(tool, &options, &recording);
	if (recording.binds.lost)
		note(tool,
		     "%" PRIu64 " buffers were not searched for kernels, because their processes "
		     "had ended",
		     recording.binds.lost);
	if (recording.binds.overwritten)
		note(tool,
		     "%" PRIu64
		     " buffers were not searched for kernels, because the kernel's trace "
		     "buffer was full",
		     recording.binds.overwritten);
	binds_end(&recording.binds);
	hook_end(&recording.hook);
	gpuoa_stall_close(recording.stream);
	kernels_free(&recording.kernels);
	return ret;
}
