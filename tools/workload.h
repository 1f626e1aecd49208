/* SPDX-License-Identifier: MIT */
/*
 * workload.h - the command that is measured, and the signals that end a measurement
 */
#ifndef GPUOA_WORKLOAD_H
#define GPUOA_WORKLOAD_H

#include <signal.h>
#include <stdbool.h>
#include <sys/types.h>

struct workload {
	char **argv; /* NULL: there is no command, only Ctrl-C ends it */
	pid_t pid;
	int start; /* pipe that the child waits on */
	int failed; /* pipe that tells why it could not be executed */
	int signals;
	sigset_t mask; /* as it was before */
	bool done;
	int signal; /* the last one that asked to end, 0 if none did */
	int request; /* another signal to listen to, 0: none */
	bool requested; /* it came; for the user to reset */
	bool reaped; /* then the pid is no longer the child's */
	int status; /* exit code, once it is reaped */
};

/* Return EXIT_OK if the command can be executed, or @argv is NULL; else, as a shell does, 127 or
 * 126. */
int workload_check(char **argv);

/*
 * Fork the child, which waits. From here on signals are read, not delivered; also @request, if not
 * 0. Returns an exit code.
 */
int workload_prepare(struct workload *workload, char **argv, int request);

/* Let the child run. Returns an exit code: 126 or 127 if the command cannot be executed. */
int workload_start(struct workload *workload);

/* Sleep until @fd is readable, a signal came or the timeout is over. Signals set @done. */
void workload_wait(struct workload *workload, int fd, int timeout_ms);

/*
 * End the child if it still runs, if need be with SIGTERM and SIGKILL. Returns its exit code, 128 +
 * signal if one ended it; 0 without a child.
 */
int workload_finish(struct workload *workload);

#endif /* GPUOA_WORKLOAD_H */
