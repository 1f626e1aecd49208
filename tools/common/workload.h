/* SPDX-License-Identifier: MIT */
/*
 * workload.h - the measured command, and the signals that end a measurement
 */
#ifndef GPUOA_WORKLOAD_H
#define GPUOA_WORKLOAD_H

#include <signal.h>
#include <stdbool.h>
#include <sys/types.h>

struct workload {
	char **argv; /* NULL: no command; Ctrl-C ends the measurement */
	pid_t pid;
	int start; /* pipe on which the child waits */
	int failed; /* pipe that returns the errno of a failed exec */
	int signals;
	sigset_t mask; /* signal mask to restore */
	bool done;
	int signal; /* last signal that requested the end; 0: none */
	int request; /* additional signal to receive; 0: none */
	bool requested; /* that signal was received; the caller resets it */
	bool reaped; /* the pid may belong to another process */
	int status; /* exit code, after it is reaped */
};

/*
 * Return EXIT_OK if the command can be executed or @argv is NULL, else 127 or 126, as a shell does.
 */
int workload_check(char **argv);

/*
 * Fork the child, which waits. Block the signals, and @request unless it is 0, and read them from a
 * file instead. Returns an exit code.
 */
int workload_prepare(struct workload *workload, char **argv, int request);

/* Start the child. Returns an exit code: 126 or 127 if the command cannot be executed. */
int workload_start(struct workload *workload);

/* Wait until @fd is readable, a signal is received or the timeout expires. Signals set .done. */
void workload_wait(struct workload *workload, int fd, int timeout_ms);

/*
 * Terminate the child if it still runs, with SIGTERM and SIGKILL if necessary. Returns its exit
 * code; 128 + signal if a signal killed it; 0 without a child.
 */
int workload_finish(struct workload *workload);

#endif /* GPUOA_WORKLOAD_H */
