/* SPDX-License-Identifier: MIT */
/*
 * wanted.h - options that select parts of a recording, shared by report, plot and export
 */
#ifndef GPUOA_WANTED_H
#define GPUOA_WANTED_H

#include "common/clocks.h"
#include "common/evaluation.h"
#include "common/recording.h"

struct wanted {
	const char *file;
	const char *set; /* NULL: the set named by the recording */
	const char *metrics; /* argument of -m; NULL: all metrics */
	struct clock_choice clock;
	bool clock_given;
	bool part; /* only reports from begin_tick to end_tick */
	uint64_t begin_tick;
	uint64_t end_tick;
	bool timed; /* only reports from begin_ns to end_ns after the first one */
	uint64_t begin_ns;
	uint64_t end_ns;
};

/* Initial value: the whole recording */
#define WANTED_ALL ((struct wanted){ .end_tick = UINT64_MAX, .end_ns = UINT64_MAX })

enum {
	WANTED_CLOCK = 900, /* differs from the options of tool_getopt() */
	WANTED_BEGIN_TICK,
	WANTED_END_TICK,
	WANTED_TIME,
};

/* For getopt_long(3), alongside the options of the command */
#define WANTED_SHORTS "s:m:"
#define WANTED_LONGS                                                                          \
	{ "set", required_argument, NULL, 's' }, { "metrics", required_argument, NULL, 'm' }, \
		{ "time", required_argument, NULL, WANTED_TIME },                             \
		{ "begin-tick", required_argument, NULL, WANTED_BEGIN_TICK },                 \
	{                                                                                     \
		"end-tick", required_argument, NULL, WANTED_END_TICK                          \
	}
#define WANTED_LONG_CLOCK                                      \
	{                                                      \
		"clock", required_argument, NULL, WANTED_CLOCK \
	}

/* Both return an exit code and print any error. */

/* Parse one of these options. */
int wanted_option(struct wanted *wanted, const struct tool *tool, int option);

/* Set the file: the operand, or the default recording if there is none. */
int wanted_file(struct wanted *wanted, const struct tool *tool, int argc, char **argv);

/* Restrict an evaluation of @recorded to the selected part. The caller handles the clock. */
void wanted_limit(const struct wanted *wanted, const struct recorded *recorded,
		  struct evaluation_request *request);

#endif /* GPUOA_WANTED_H */
