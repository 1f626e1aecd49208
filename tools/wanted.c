// SPDX-License-Identifier: MIT
/*
 * wanted.c - what the user wants of a recording: the options that report, plot and export share
 */
#include "wanted.h"

static int take_tick(struct wanted *wanted, const struct tool *tool, uint64_t *tick)
{
	wanted->part = true;
	return parse_number(optarg, tick) ? EXIT_OK :
					    usage(tool, "'%s' is no number of ticks", optarg);
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
	case WANTED_BEGIN_TICK:
		return take_tick(wanted, tool, &wanted->begin_tick);
	default:
		return take_tick(wanted, tool, &wanted->end_tick);
	}
}

int wanted_file(struct wanted *wanted, const struct tool *tool, int argc, char **argv)
{
	if (optind + 1 != argc)
		return usage(tool, optind == argc ? "which recording?" : "one recording at a time");
	wanted->file = argv[optind];
	return EXIT_OK;
}

void wanted_limit(const struct wanted *wanted, struct evaluation_request *request)
{
	request->metrics = wanted->metrics;
	request->part = wanted->part;
	request->begin_tick = wanted->begin_tick;
	request->end_tick = wanted->end_tick;
}
