/* SPDX-License-Identifier: MIT */
/*
 * session.h - measurement of one or more units while a command runs, for stat and record
 */
#ifndef GPUOA_SESSION_H
#define GPUOA_SESSION_H

#include "common/tool.h"
#include "common/child.h"

/* Larger than the number of OA units of any machine */
#define SESSION_UNITS_MAX 64

/* Options of stat and record */
struct session_request {
	const char *sets[SESSION_UNITS_MAX]; /* SET or SET@DEVICE for each unit */
	size_t set_count;
	uint64_t period_ns; /* 0: the library's default */
	uint64_t poll_period_ns; /* 0: the kernel's default */
	const char *metrics; /* record only the report dwords that these need; NULL: all */
	char **argv; /* command to run; NULL: none */
	enum gpuoa_delivery delivery;
	bool overwrite; /* flight recorder: SIGUSR2 makes it write its data */
};

/* A unit and its measurement */
struct session_unit {
	struct gpuoa_unit *unit;
	const struct gpuoa_set *set;
	struct gpuoa_constants *constants; /* constants of the set's platform */
	struct gpuoa_reader *reader;
	int yield; /* file that keeps gpuoa exporter from opening the unit; -1: none */
	struct gpuoa_reader_desc desc;
	struct gpuoa_unit_desc unit_desc;
};

struct session {
	const struct tool *tool;
	struct session_unit units[SESSION_UNITS_MAX];
	size_t count; /* number of sets requested, at least 1 */
	struct child child;
	int fd; /* epoll file: readable when one of the streams has data */
};

/* Parse one of the options -s, -p, -F and --poll-period. Returns an exit code. */
#define SESSION_SHORTS "+s:p:F:"
#define SESSION_POLL_PERIOD 900 /* differs from the options of tool_getopt() */
int session_option(struct session_request *request, const struct tool *tool, int option);

/* Open everything, with sampling off and the command not started. Returns an exit code. */
int session_open(struct session *session, const struct tool *tool,
		 const struct session_request *request);

/* Start sampling, then the command. Returns an exit code. */
int session_start(struct session *session);

/* Resume sampling. Returns an exit code. */
int session_enable(struct session *session);

/* Stop sampling; data that was sampled can still be read. */
void session_stop(struct session *session);

/* Close everything. Returns the command's exit code. */
int session_close(struct session *session);

#endif /* GPUOA_SESSION_H */
