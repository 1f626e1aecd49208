/* SPDX-License-Identifier: MIT */
/*
 * session.h - measure one or more units while a command runs, for stat and record
 */
#ifndef GPUOA_SESSION_H
#define GPUOA_SESSION_H

#include "common/tool.h"
#include "common/child.h"

/* Maximum number of units, which is larger than the number of OA units of any machine */
#define SESSION_UNITS_MAX 64

/* Options of stat and record */
struct session_request {
	const char *sets[SESSION_UNITS_MAX]; /* for each unit, a string SET or SET@DEVICE */
	size_t set_count;
	uint64_t period_ns; /* 0: the library's default */
	uint64_t poll_period_ns; /* 0: the kernel's default */
	/* metrics to record: only the report dwords that they need are stored; NULL: all */
	const char *metrics;
	char **argv; /* command to run; NULL: none */
	enum gpuoa_delivery delivery;
	bool overwrite; /* use a flight recorder, which writes its data on SIGUSR2 */
};

/* A unit and its measurement */
struct session_unit {
	struct gpuoa_unit *unit;
	const struct gpuoa_set *set;
	struct gpuoa_constants *constants; /* constants of the set's platform */
	struct gpuoa_reader *reader;
	int yield; /* file descriptor that keeps gpuoa exporter from opening the unit; -1: none */
	struct gpuoa_reader_desc desc;
	struct gpuoa_unit_desc unit_desc;
};

struct session {
	const struct tool *tool;
	struct session_unit units[SESSION_UNITS_MAX];
	size_t count; /* number of sets that the user requested, at least 1 */
	struct child child;
	int fd; /* epoll file descriptor, readable when one of the streams has data */
};

/* Parse one of the options -s, -p, -F and --poll-period. Returns an exit code. */
#define SESSION_SHORTS "+s:p:F:"
#define SESSION_POLL_PERIOD 900 /* larger than any option of tool_getopt() */
int session_option(struct session_request *request, const struct tool *tool, int option);

/*
 * Open all units and fork the command. Sampling is off, and the command is not started. Returns an
 * exit code.
 */
int session_open(struct session *session, const struct tool *tool,
		 const struct session_request *request);

/* Start sampling, and then the command. Returns an exit code. */
int session_start(struct session *session);

/* Resume sampling after session_stop(). Returns an exit code. */
int session_enable(struct session *session);

/* Stop sampling. Data that was sampled before can still be read. */
void session_stop(struct session *session);

/* Terminate the command if it still runs, and close all units. Returns the command's exit code. */
int session_close(struct session *session);

#endif /* GPUOA_SESSION_H */
