/* SPDX-License-Identifier: MIT */
/*
 * session.h - what stat and record have in common: a unit, a set, a period, a command
 */
#ifndef GPUOA_SESSION_H
#define GPUOA_SESSION_H

#include "tool.h"
#include "workload.h"

/* What the user asked for. */
struct session_request {
	const char *set;
	uint64_t period_ns; /* 0: the library's */
	uint64_t poll_period_ns; /* 0: the kernel's */
	const char *metrics; /* only what these need of each report; NULL: all of it */
	char **argv; /* the command, or NULL */
	enum gpuoa_delivery delivery;
	bool overwrite; /* flight recorder: SIGUSR2 asks for what it has */
};

struct session {
	const struct tool *tool;
	struct gpuoa_unit *unit;
	const struct gpuoa_set *set;
	struct gpuoa_constants *constants; /* of the set's platform */
	struct gpuoa_source *source;
	struct workload workload;
	struct gpuoa_source_desc desc;
	struct gpuoa_unit_desc unit_desc;
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

/* End sampling; what is there can still be read. */
void session_stop(struct session *session);

/* Close everything. Returns the command's exit code. */
int session_close(struct session *session);

#endif /* GPUOA_SESSION_H */
