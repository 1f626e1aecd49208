/* SPDX-License-Identifier: MIT */
/*
 * recording_options.h - the options of report, plot and export that select a part of a recording
 * and a clock
 */
#ifndef GPUOA_TOOLS_COMMON_RECORDING_OPTIONS_H
#define GPUOA_TOOLS_COMMON_RECORDING_OPTIONS_H

#include "common/evaluation.h"
#include "common/recording.h"
#include "common/tool.h"
#include "gpuoa-time.h"

/* The clock that the user selected. Without a name, it is GPU time. */
struct clock_choice {
	const char *name; /* name of the clock, which is a static string */
	int id;
};

/*
 * Find the time base of the selected clock in the recording. *@time is NULL if no clock was
 * selected. Returns an exit code; prints any error.
 */
int clocks_find(const struct clock_choice *clock, const char *file, struct gpuoa_reader *reader,
		const struct gpuoa_time **time);

/* START or STOP of the option --time */
struct time_limit {
	/* whether @value is a GPU time in ticks; otherwise it is in ns after the first report */
	bool ticks;
	uint64_t value;
};

struct recording_options {
	const char *file;
	const char *set; /* symbol of the set; NULL: the set that the recording names */
	const char *metrics; /* argument of -m; NULL: all metrics */
	struct clock_choice clock;
	bool clock_given;
	bool part; /* --time was given: use only the reports from @start to @stop */
	struct time_limit start;
	struct time_limit stop;
};

/* Initial value: the whole recording */
#define RECORDING_WHOLE ((struct recording_options){ .stop.value = UINT64_MAX })

enum {
	RECORDING_CLOCK = 900, /* larger than any option of tool_getopt() */
	RECORDING_TIME,
};

/* Arguments for getopt_long(3), to be listed with the options of the command */
#define RECORDING_SHORTS "s:m:"
#define RECORDING_LONGS                                                                       \
	{ "set", required_argument, NULL, 's' }, { "metrics", required_argument, NULL, 'm' }, \
	{                                                                                     \
		"time", required_argument, NULL, RECORDING_TIME                               \
	}
#define RECORDING_TIME_HELP                                                                      \
	"      --time START,STOP  only this part: seconds from the first report (0.5,2), with\n" \
	"                         a unit (250ms,1.5s), or ticks of GPU time (1000t,2000t);\n"    \
	"                         START or STOP may be omitted\n"
#define RECORDING_LONG_CLOCK                                      \
	{                                                         \
		"clock", required_argument, NULL, RECORDING_CLOCK \
	}

/* The two functions below return an exit code and print any error. */

/* Parse one of these options. */
int recording_options_take(struct recording_options *options, const struct tool *tool, int option);

/* Set the file to the operand of the command; without an operand, to the default recording. */
int recording_options_take_file(struct recording_options *options, const struct tool *tool,
				int argc, char **argv);

/*
 * Restrict the evaluation of @recorded to the selected part. The selected clock is not handled
 * here.
 */
void recording_options_limit(const struct recording_options *options,
			     const struct recorded *recorded, struct evaluation_request *request);

#endif /* GPUOA_TOOLS_COMMON_RECORDING_OPTIONS_H */
