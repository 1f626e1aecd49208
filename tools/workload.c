// SPDX-License-Identifier: MIT
/*
 * workload.c - the command that is measured, and the signals that end a measurement
 */
#define _GNU_SOURCE /* pipe2 */
#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <string.h>
#include <sys/signalfd.h>
#include <sys/wait.h>
#include <unistd.h>

#include "tool.h"
#include "workload.h"

static int open_signals(struct workload *workload)
{
	sigset_t wanted;

	sigemptyset(&wanted);
	sigaddset(&wanted, SIGINT);
	sigaddset(&wanted, SIGTERM);
	sigaddset(&wanted, SIGHUP);
	sigaddset(&wanted, SIGCHLD);
	if (sigprocmask(SIG_BLOCK, &wanted, &workload->mask))
		return -errno;
	workload->signals = signalfd(-1, &wanted, SFD_CLOEXEC | SFD_NONBLOCK);
	return workload->signals < 0 ? -errno : 0;
}

/* In the child: wait until sampling has begun, then become the command. */
static _Noreturn void run_child(const struct workload *workload, int start,
				int failed)
{
	char go;
	int err;

	sigprocmask(SIG_SETMASK, &workload->mask, NULL);
	if (read(start, &go, 1) != 1)
		_exit(EXIT_FAILED); /* the parent gave up */
	execvp(workload->argv[0], workload->argv);
	err = errno;
	if (write(failed, &err, sizeof(err)) < 0)
		_exit(EXIT_FAILED);
	_exit(EXIT_FAILED);
}

static int fork_child(struct workload *workload)
{
	int start[2], failed[2];

	if (pipe2(start, O_CLOEXEC))
		return -errno;
	if (pipe2(failed, O_CLOEXEC))
		return -errno;
	workload->pid = fork();
	if (workload->pid < 0)
		return -errno;
	if (!workload->pid) {
		close(start[1]);
		run_child(workload, start[0], failed[1]);
	}
	close(start[0]);
	close(failed[1]);
	workload->start = start[1];
	workload->failed = failed[0];
	return 0;
}

int workload_prepare(struct workload *workload, char **argv)
{
	int err;

	*workload = (struct workload){ .argv = argv };
	err = open_signals(workload);
	if (!err && argv)
		err = fork_child(workload);
	return err ? fail("cannot start the command: %s", strerror(-err)) :
		     EXIT_OK;
}

int workload_start(struct workload *workload)
{
	int err;

	if (!workload->argv)
		return EXIT_OK;
	if (write(workload->start, "", 1) != 1)
		return fail("cannot start %s: %s", workload->argv[0],
			    strerror(errno));
	/* The pipe closes on exec: then there is nothing to read. */
	if (read(workload->failed, &err, sizeof(err)) == (ssize_t)sizeof(err))
		return fail("cannot execute %s: %s", workload->argv[0],
			    strerror(err));
	return EXIT_OK;
}

static void reap(struct workload *workload, int options)
{
	if (workload->argv && !workload->reaped &&
	    waitpid(workload->pid, &workload->status, options) == workload->pid)
		workload->reaped = workload->done = true;
}

static void take_signals(struct workload *workload)
{
	struct signalfd_siginfo info;

	while (read(workload->signals, &info, sizeof(info)) ==
	       (ssize_t)sizeof(info)) {
		if (info.ssi_signo == SIGCHLD)
			reap(workload, WNOHANG);
		else
			workload->done = true;
	}
}

void workload_wait(struct workload *workload, int fd, int timeout_ms)
{
	struct pollfd fds[] = {
		{ .fd = workload->signals, .events = POLLIN },
		{ .fd = fd, .events = POLLIN },
	};

	poll(fds, 2, timeout_ms);
	take_signals(workload);
}

int workload_finish(struct workload *workload)
{
	int status = EXIT_OK;

	if (workload->argv) {
		close(workload->start);
		close(workload->failed);
		if (!workload->reaped)
			kill(workload->pid, SIGTERM);
		reap(workload, 0);
		status = WIFSIGNALED(workload->status) ?
				 128 + WTERMSIG(workload->status) :
				 WEXITSTATUS(workload->status);
	}
	close(workload->signals);
	sigprocmask(SIG_SETMASK, &workload->mask, NULL);
	return status;
}
