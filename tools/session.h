/* SPDX-License-Identifier: MIT */
/*
 * session.h - what stat and record have in common: units, sets, a period, a command
 */
#ifndef GPUOA_SESSION_H
#define GPUOA_SESSION_H

#include "tool.h"
#include "workload.h"

/* More than a machine has OA units. */
#define SESSION_UNITS_MAX 64

/* What the user asked for. */
struct session_request {
	const char *sets[SESSION_UNITS_MAX]; /* SET or SET@DEVICE */
	size_t set_count;
	uint64_t period_ns; /* 0: the library's */
	uint64_t poll_period_ns; /* 0: the kernel's */
	const char *metrics; /* only what these need of each report; NULL: all of it */
	char **argv; /* the command, or NULL */
	enum gpuoa_delivery delivery;
	bool overwrite; /* flight recorder: SIGUSR2 asks for what it has */
};

/* A unit, and what it measures. */
struct session_unit {
	struct gpuoa_unit *unit;
	const struct gpuoa_set *set;
	struct gpuoa_constants *constants; /* of the set's platform */
	struct gpuoa_source *source;
	int yield; /* file that keeps gpuoa exporter from opening the unit; -1: none */
	struct gpuoa_source_desc desc;
	struct gpuoa_unit_desc unit_desc;
};

struct session {
	const struct tool *tool;
	struct session_unit units[SESSION_UNITS_MAX];
	size_t count; /* as many as sets were asked for, at least one */
	struct workload workload;
	int fd; /* readable when one of the streams has something */
};

/* Take one of the options -s, -p, -F and --poll-period. Returns an exit code. */
#define SESSION_SHORTS "+s:p:F:"
#define SESSION_POLL_PERIOD 900 /* other than those of tool_getopt() */
int session_option(struct session_request *request, const struct tool *tool, int option);

/* Open everything, with sampling off and the command waiting. Returns an exit code. */
int session_open(struct session *session, const struct tool *tool,
		 const struct session_request *request);

/* Begin to sample, then let the command run. Returns an exit code. */
int session_start(struct session *session);

/* Begin to sample, again. Returns an exit code. */
int session_enable(struct session *session);

/* End sampling; what is there can still be read. */
void session_stop(struct session *session);

/* Close everything. Returns the command's exit code. */
int session_close(struct session *session);

#endif /* GPUOA_SESSION_H */
