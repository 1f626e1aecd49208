// SPDX-License-Identifier: MIT
/*
 * recording_options.c - the options of report, plot and export that select a part of a recording
 * and a clock
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
		"--clock: unknown clock '%s'; give gpu, monotonic, raw, boottime, realtime, tai or "
		"perf",
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
			"%s: cannot convert GPU time to the clock '%s': the recording does not relate the "
			"two; use --clock gpu",
			file, clock->name);
	return EXIT_OK;
}

/*
 * Parse START or STOP of the argument START,STOP: a duration, by default in seconds, or a number of
 * ticks with the suffix t. An empty text means no limit.
 */
static bool parse_limit(const char *text, size_t length, struct time_limit *limit)
{
	char copy[64];

	if (!length)
		return true;
	if (length >= sizeof(copy))
		return false;
	memcpy(copy, text, length);
	copy[length] = '\0';
	limit->ticks = copy[length - 1] == 't';
	if (!limit->ticks)
		return parse_duration(copy, NSEC_PER_SEC, &limit->value);
	copy[length - 1] = '\0';
	return parse_number(copy, &limit->value);
}

/* Parse the argument of --time. */
static int take_time(struct recording_options *options, const struct tool *tool)
{
	const struct recording_options whole = RECORDING_WHOLE;
	struct time_limit *start = &options->start, *stop = &options->stop;
	const char *comma = strchr(optarg, ',');

	options->part = true;
	*start = whole.start;
	*stop = whole.stop;
	if (!comma || !parse_limit(optarg, comma - optarg, start) ||
	    !parse_limit(comma + 1, strlen(comma + 1), stop))
		return usage(
			tool,
			"--time: cannot read '%s'; give START,STOP in seconds from the first report, "
			"such as 0.5,2 or 250ms,1.5s, or in ticks, such as 1000t,2000t",
			optarg);
	if (start->ticks == stop->ticks && start->value >= stop->value)
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
	default:
		return take_time(options, tool);
	}
}

int recording_options_take_file(struct recording_options *options, const struct tool *tool,
				int argc, char **argv)
{
	if (optind + 1 < argc)
		return usage(tool, "more than one recording; give one");
	options->file = optind < argc ? argv[optind] : DEFAULT_RECORDING;
	return EXIT_OK;
}

/* Return the GPU time of the recording's first report, in ticks; 0: no report can be read. */
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

/*
 * Convert a limit to ticks, rounded up. Returns UINT64_MAX if there is no limit. @first: time of
 * the first report, in ticks
 */
static uint64_t tick_of(const struct recorded *recorded, uint64_t first,
			const struct time_limit *limit)
{
	const uint64_t frequency = recorded->unit.timestamp_frequency;
	unsigned __int128 tick;

	if (limit->ticks || limit->value == UINT64_MAX)
		return limit->value;
	tick = first +
	       ((unsigned __int128)limit->value * frequency + NSEC_PER_SEC - 1) / NSEC_PER_SEC;
	return tick < UINT64_MAX ? (uint64_t)tick : UINT64_MAX;
}

void recording_options_limit(const struct recording_options *options,
			     const struct recorded *recorded, struct evaluation_request *request)
{
	uint64_t first = 0;

	request->metrics = options->metrics;
	request->part = options->part;
	if (options->part && !(options->start.ticks && options->stop.ticks))
		first = first_tick(recorded);
	request->begin_tick = tick_of(recorded, first, &options->start);
	request->end_tick = tick_of(recorded, first, &options->stop);
}
