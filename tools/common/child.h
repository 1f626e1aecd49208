/* SPDX-License-Identifier: MIT */
/*
 * child.h - run the measured command, and handle the signals that end a measurement
 */
#ifndef GPUOA_TOOLS_COMMON_CHILD_H
#define GPUOA_TOOLS_COMMON_CHILD_H

#include <signal.h>
#include <stdbool.h>
#include <sys/types.h>

struct child {
	char **argv; /* the command; NULL: there is none, and Ctrl-C ends the measurement */
	pid_t pid;
	int start; /* pipe on which the child waits until sampling has started */
	int failed; /* pipe by which the child returns the errno of a failed exec */
	int signals;
	sigset_t mask; /* signal mask to restore */
	bool done;
	int signal; /* last signal that requested the end of the measurement; 0: none */
	int request; /* an additional signal to receive; 0: none */
	bool requested; /* the additional signal was received; the caller resets it */
	bool reaped; /* the child's status was read, so its pid may belong to another process */
	int status; /* exit code of the child; valid if .reaped is set */
};

/*
 * Check that the command can be executed. Returns EXIT_OK if it can or @argv is NULL, else 127 or
 * 126 as a shell does.
 */
int child_check(char **argv);

/*
 * Fork the child, which waits for child_start(). Block the signals that end a measurement, and
 * @request unless it is 0; they are read from a file descriptor instead. Returns an exit code.
 */
int child_prepare(struct child *child, char **argv, int request);

/*
 * Let the child execute the command. Returns an exit code, which is 126 or 127 if the command
 * cannot be executed.
 */
int child_start(struct child *child);

/* Wait until @fd is readable, a signal is received or the timeout expires. A signal sets .done. */
void child_wait(struct child *child, int fd, int timeout_ms);

/*
 * Terminate the child if it still runs, with SIGTERM and SIGKILL if necessary. Returns the child's
 * exit code; 128 + signal if a signal killed it; 0 if there is no child.
 */
int child_finish(struct child *child);

#endif /* GPUOA_TOOLS_COMMON_CHILD_H */
