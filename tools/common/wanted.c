// SPDX-License-Identifier: MIT
/*
 * wanted.c - options that select parts of a recording
 */
#include <string.h>

#include "common/recording.h"
#include "common/wanted.h"

static int take_tick(struct wanted *wanted, const struct tool *tool, uint64_t *tick)
{
	wanted->part = true;
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

static int take_time(struct wanted *wanted, const struct tool *tool)
{
	const char *comma = strchr(optarg, ',');

	wanted->timed = true;
	if (!comma || !parse_end(optarg, comma - optarg, &wanted->begin_ns) ||
	    !parse_end(comma + 1, strlen(comma + 1), &wanted->end_ns))
		return usage(
			tool,
			"--time: cannot read '%s'; give START,STOP in seconds from the first report, such as 0.5,2 or 250ms,1.5s",
			optarg);
	if (wanted->begin_ns >= wanted->end_ns)
		return usage(tool, "--time: cannot use '%s': the end is before the start", optarg);
	return EXIT_OK;
}

int wanted_option(struct wanted *wanted, const struct tool *tool, int option)
{
	switch (option) {
	case 's':
		wanted->set = optarg;
		return EXIT_OK;
	case 'm':
		wanted->metrics = optarg;
		return EXIT_OK;
	case WANTED_CLOCK:
		wanted->clock_given = true;
		return clocks_parse(tool, optarg, &wanted->clock);
	case WANTED_TIME:
		return take_time(wanted, tool);
	case WANTED_BEGIN_TICK:
		return take_tick(wanted, tool, &wanted->begin_tick);
	default:
		return take_tick(wanted, tool, &wanted->end_tick);
	}
}

int wanted_file(struct wanted *wanted, const struct tool *tool, int argc, char **argv)
{
	if (optind + 1 < argc)
		return usage(tool, "more than one recording; give one");
	if (wanted->timed && wanted->part)
		return usage(tool, "--time and ticks exclude each other");
	wanted->file = optind < argc ? argv[optind] : DEFAULT_RECORDING;
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

void wanted_limit(const struct wanted *wanted, const struct recorded *recorded,
		  struct evaluation_request *request)
{
	const uint64_t frequency = recorded->unit.timestamp_frequency;
	uint64_t first;

	request->metrics = wanted->metrics;
	request->part = wanted->part || wanted->timed;
	request->begin_tick = wanted->begin_tick;
	request->end_tick = wanted->end_tick;
	if (!wanted->timed)
		return;
	first = first_tick(recorded);
	request->begin_tick = tick_after(first, wanted->begin_ns, frequency);
	if (wanted->end_ns < UINT64_MAX)
		request->end_tick = tick_after(first, wanted->end_ns, frequency);
}
