/* SPDX-License-Identifier: MIT */
/*
 * recording_options.h - options that select a part of a recording and a clock, shared by report,
 * plot and export
 */
#ifndef GPUOA_TOOLS_COMMON_RECORDING_OPTIONS_H
#define GPUOA_TOOLS_COMMON_RECORDING_OPTIONS_H

#include "common/evaluation.h"
#include "common/recording.h"
#include "common/tool.h"
#include "gpuoa-time.h"

/* The clock selected by the user; no name: GPU time */
struct clock_choice {
	const char *name; /* name of the clock, a static string */
	int id;
};

/*
 * Find the time base that the recording has for the selected clock; *@time is NULL if no clock was
 * selected. Returns an exit code; prints any error.
 */
int clocks_find(const struct clock_choice *clock, const char *file, struct gpuoa_reader *reader,
		const struct gpuoa_time **time);

/* One end of the part selected by --time */
struct time_limit {
	bool ticks; /* @value is GPU time in ticks; otherwise, ns after the first report */
	uint64_t value;
};

struct recording_options {
	const char *file;
	const char *set; /* NULL: the set named by the recording */
	const char *metrics; /* argument of -m; NULL: all metrics */
	struct clock_choice clock;
	bool clock_given;
	bool part; /* --time: only reports from @start to @stop */
	struct time_limit start;
	struct time_limit stop;
};

/* Initial value: the whole recording */
#define RECORDING_WHOLE ((struct recording_options){ .stop.value = UINT64_MAX })

enum {
	RECORDING_CLOCK = 900, /* differs from the options of tool_getopt() */
	RECORDING_TIME,
};

/* For getopt_long(3), alongside the options of the command */
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

/* Both return an exit code and print any error. */

/* Parse one of these options. */
int recording_options_take(struct recording_options *options, const struct tool *tool, int option);

/* Set the file: the operand, or the default recording if there is none. */
int recording_options_take_file(struct recording_options *options, const struct tool *tool,
				int argc, char **argv);

/* Restrict an evaluation of @recorded to the selected part. The caller handles the clock. */
void recording_options_limit(const struct recording_options *options,
			     const struct recorded *recorded, struct evaluation_request *request);

#endif /* GPUOA_TOOLS_COMMON_RECORDING_OPTIONS_H */
