// SPDX-License-Identifier: MIT
/*
 * recording_options.c - options that select a part of a recording and a clock, shared by report,
 * plot and export
 */
#include <errno.h>
#include <string.h>
#include <time.h>

#include "common/recording.h"
#include "common/recording_options.h"

/* Parse the argument of --clock. Returns an exit code; prints any error. */
static int clocks_parse(const struct tool *tool, const char *text, struct clock_choice *clock)
{
	static const struct clock_choice clocks[] = {
		{ "monotonic", CLOCK_MONOTONIC },
		{ "raw", CLOCK_MONOTONIC_RAW },
		{ "boottime", CLOCK_BOOTTIME },
		{ "realtime", CLOCK_REALTIME },
		{ "tai", CLOCK_TAI },
		{ "perf", GPUOA_CLOCK_PERF },
	};

	*clock = (struct clock_choice){ .name = NULL };
	if (!strcmp(text, "gpu"))
		return EXIT_OK;
	for (size_t i = 0; i < sizeof(clocks) / sizeof(clocks[0]); i++) {
		if (strcmp(text, clocks[i].name))
			continue;
		*clock = clocks[i];
		return EXIT_OK;
	}
	return usage(
		tool,
		"--clock: unknown clock '%s'; give gpu, monotonic, raw, boottime, realtime, tai or perf",
		text);
}

int clocks_find(const struct clock_choice *clock, const char *file, struct gpuoa_reader *reader,
		const struct gpuoa_time **time)
{
	uint64_t ns;

	*time = NULL;
	if (!clock->name)
		return EXIT_OK;
	if (gpuoa_reader_time(reader, time))
		return fail("out of memory");
	if (gpuoa_time_to_cpu(*time, clock->id, 0, &ns, NULL) == -ENODATA)
		return fail(
			"%s: cannot convert GPU time to the clock '%s': the recording does not relate the two; use --clock gpu",
			file, clock->name);
	return EXIT_OK;
}

static int take_tick(struct recording_options *options, const struct tool *tool, uint64_t *tick)
{
	options->part = true;
	return parse_number(optarg, tick) ? EXIT_OK :
					    usage(tool, "'%s' is not a number of ticks", optarg);
}

/* Parse one end of START,STOP, in seconds by default; empty: unlimited. */
static bool parse_end(const char *text, size_t length, uint64_t *ns)
{
	char end[64];

	if (!length)
		return true;
	if (length >= sizeof(end))
		return false;
	memcpy(end, text, length);
	end[length] = '\0';
	return parse_duration(end, NSEC_PER_SEC, ns);
}

static int take_time(struct recording_options *options, const struct tool *tool)
{
	const char *comma = strchr(optarg, ',');

	options->timed = true;
	if (!comma || !parse_end(optarg, comma - optarg, &options->begin_ns) ||
	    !parse_end(comma + 1, strlen(comma + 1), &options->end_ns))
		return usage(
			tool,
			"--time: cannot read '%s'; give START,STOP in seconds from the first report, such as 0.5,2 or 250ms,1.5s",
			optarg);
	if (options->begin_ns >= options->end_ns)
		return usage(tool, "--time: cannot use '%s': the end is before the start", optarg);
	return EXIT_OK;
}

int recording_options_take(struct recording_options *options, const struct tool *tool, int option)
{
	switch (option) {
	case 's':
		options->set = optarg;
		return EXIT_OK;
	case 'm':
		options->metrics = optarg;
		return EXIT_OK;
	case RECORDING_CLOCK:
		options->clock_given = true;
		return clocks_parse(tool, optarg, &options->clock);
	case RECORDING_TIME:
		return take_time(options, tool);
	case RECORDING_BEGIN_TICK:
		return take_tick(options, tool, &options->begin_tick);
	default:
		return take_tick(options, tool, &options->end_tick);
	}
}

int recording_options_take_file(struct recording_options *options, const struct tool *tool,
				int argc, char **argv)
{
	if (optind + 1 < argc)
		return usage(tool, "more than one recording; give one");
	if (options->timed && options->part)
		return usage(tool, "--time and ticks exclude each other");
	options->file = optind < argc ? argv[optind] : DEFAULT_RECORDING;
	return EXIT_OK;
}

/* Return the GPU time of the first report, in ticks; 0 if none can be read. */
static uint64_t first_tick(const struct recorded *recorded)
{
	struct gpuoa_read_status status;
	struct gpuoa_reader *reader;
	uint64_t tick = 0;
	const void *reports;
	int n;

	if (gpuoa_file_open_stream(recorded->file, recorded->desc.stream, &reader, NULL, 0))
		return 0;
	do {
		n = gpuoa_reader_peek(reader, &reports, SIZE_MAX, &status);
		if (n >= 0 && status.has_clock)
			tick = status.clock.gpu_ticks;
	} while (!n && status.has_clock);
	if (n > 0)
		tick = gpuoa_report_ticks(recorded->desc.format, reports, tick);
	gpuoa_reader_close(reader);
	return tick;
}

/* Return the tick @ns nanoseconds after tick @first, rounded up. */
static uint64_t tick_after(uint64_t first, uint64_t ns, uint64_t frequency)
{
	const unsigned __int128 tick =
		first + ((unsigned __int128)ns * frequency + NSEC_PER_SEC - 1) / NSEC_PER_SEC;

	return tick < UINT64_MAX ? (uint64_t)tick : UINT64_MAX;
}

void recording_options_limit(const struct recording_options *options,
			     const struct recorded *recorded, struct evaluation_request *request)
{
	const uint64_t frequency = recorded->unit.timestamp_frequency;
	uint64_t first;

	request->metrics = options->metrics;
	request->part = options->part || options->timed;
	request->begin_tick = options->begin_tick;
	request->end_tick = options->end_tick;
	if (!options->timed)
		return;
	first = first_tick(recorded);
	request->begin_tick = tick_after(first, options->begin_ns, frequency);
	if (options->end_ns < UINT64_MAX)
		request->end_tick = tick_after(first, options->end_ns, frequency);
}
