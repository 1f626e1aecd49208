/* SPDX-License-Identifier: MIT */
/*
 * child.h - the measured command, and the signals that end a measurement
 */
#ifndef GPUOA_TOOLS_COMMON_CHILD_H
#define GPUOA_TOOLS_COMMON_CHILD_H

#include <signal.h>
#include <stdbool.h>
#include <sys/types.h>

struct child {
	char **argv; /* NULL: no command; Ctrl-C ends the measurement */
	pid_t pid;
	int start; /* pipe on which the child waits */
	int failed; /* pipe that returns the errno of a failed exec */
	int signals;
	sigset_t mask; /* signal mask to restore */
	bool done;
	int signal; /* last signal that requested the end; 0: none */
	int request; /* additional signal to receive; 0: none */
	bool requested; /* the additional signal was received; the caller resets it */
	bool reaped; /* the pid may belong to another process */
	int status; /* exit code, after it is reaped */
};

/*
 * Return EXIT_OK if the command can be executed or @argv is NULL, else 127 or 126, as a shell does.
 */
int child_check(char **argv);

/*
 * Fork the child, which waits. Block the signals, and @request unless it is 0, and read them from a
 * file instead. Returns an exit code.
 */
int child_prepare(struct child *child, char **argv, int request);

/* Start the child. Returns an exit code: 126 or 127 if the command cannot be executed. */
int child_start(struct child *child);

/* Wait until @fd is readable, a signal is received or the timeout expires. Signals set .done. */
void child_wait(struct child *child, int fd, int timeout_ms);

/*
 * Terminate the child if it still runs, with SIGTERM and SIGKILL if necessary. Returns its exit
 * code; 128 + signal if a signal killed it; 0 without a child.
 */
int child_finish(struct child *child);

#endif /* GPUOA_TOOLS_COMMON_CHILD_H */
