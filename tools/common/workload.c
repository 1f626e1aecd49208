// SPDX-License-Identifier: MIT
/*
 * workload.c - the measured command, and the signals that end a measurement
 */
#define _GNU_SOURCE /* pipe2 */
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <poll.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/signalfd.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "common/tool.h"
#include "common/workload.h"

/* Time to wait for the child's exit after Ctrl-C, after SIGTERM and after SIGKILL, in ms */
#define INTERRUPT_MS 1000
#define TERM_MS 10000
#define KILL_MS 1000

static int64_t now_ms(void)
{
	struct timespec now;

	clock_gettime(CLOCK_MONOTONIC, &now);
	return now.tv_sec * 1000LL + now.tv_nsec / 1000000;
}

static int open_signals(struct workload *workload)
{
	sigset_t wanted;
	int err;

	sigemptyset(&wanted);
	sigaddset(&wanted, SIGINT);
	sigaddset(&wanted, SIGTERM);
	sigaddset(&wanted, SIGHUP);
	sigaddset(&wanted, SIGCHLD);
	if (workload->request)
		sigaddset(&wanted, workload->request);
	/* SIGCHLD may be inherited as ignored; exit codes of children would then be lost. */
	signal(SIGCHLD, SIG_DFL);
	if (sigprocmask(SIG_BLOCK, &wanted, &workload->mask))
		return -errno;
	workload->signals = signalfd(-1, &wanted, SFD_CLOEXEC | SFD_NONBLOCK);
	if (workload->signals >= 0)
		return 0;
	err = -errno;
	sigprocmask(SIG_SETMASK, &workload->mask, NULL);
	return err;
}

static void close_signals(struct workload *workload)
{
	close(workload->signals);
	sigprocmask(SIG_SETMASK, &workload->mask, NULL);
}

/* In the child: wait until sampling has started, then execute the command. */
static _Noreturn void run_child(const struct workload *workload, int start, int failed)
{
	char go;
	int err;

	sigprocmask(SIG_SETMASK, &workload->mask, NULL);
	if (read(start, &go, 1) != 1)
		_exit(EXIT_FAILED); /* the parent has given up */
	execvp(workload->argv[0], workload->argv);
	err = errno;
	if (write(failed, &err, sizeof(err)) < 0)
		_exit(EXIT_FAILED);
	_exit(EXIT_NOT_EXECUTABLE);
}

static void close_pipe(const int pipe[2])
{
	close(pipe[0]);
	close(pipe[1]);
}

static int fork_child(struct workload *workload)
{
	int start[2], failed[2], err;

	if (pipe2(start, O_CLOEXEC))
		return -errno;
	if (pipe2(failed, O_CLOEXEC)) {
		err = -errno;
		goto err_start;
	}
	workload->pid = fork();
	if (workload->pid < 0) {
		err = -errno;
		goto err_failed;
	}
	if (!workload->pid) {
		close(start[1]);
		run_child(workload, start[0], failed[1]);
	}
	close(start[0]);
	close(failed[1]);
	workload->start = start[1];
	workload->failed = failed[0];
	return 0;

err_failed:
	close_pipe(failed);
err_start:
	close_pipe(start);
	return err;
}

/* Return 0 if @path is an executable program, else a negative errno. */
static int check_program(const char *path)
{
	struct stat status;

	if (stat(path, &status))
		return -errno;
	if (!S_ISREG(status.st_mode))
		return -EACCES;
	return access(path, X_OK) ? -errno : 0;
}

/* Check a name as execvp(3) resolves it, by PATH. */
static int find_program(const char *name)
{
	const char *directory = getenv("PATH");
	int err, result = -ENOENT;
	char path[PATH_MAX];
	size_t length;

	if (!*name)
		return -ENOENT;
	if (strchr(name, '/'))
		return check_program(name);
	if (!directory)
		return 0; /* execvp() has a default path */
	for (;; directory += length + 1) {
		length = strcspn(directory, ":");
		if ((size_t)snprintf(path, sizeof(path), "%.*s%s%s", (int)length, directory,
				     length ? "/" : "", name) < sizeof(path)) {
			err = check_program(path);
			if (!err)
				return 0;
			if (err == -EACCES)
				result = err;
		}
		if (!directory[length])
			return result;
	}
}

static int cannot_execute(const char *name, int err)
{
	print_error("cannot execute %s: %s", name, strerror(-err));
	return err == -ENOENT ? EXIT_NOT_FOUND : EXIT_NOT_EXECUTABLE;
}

int workload_check(char **argv)
{
	const int err = argv ? find_program(argv[0]) : 0;

	return err ? cannot_execute(argv[0], err) : EXIT_OK;
}

int workload_prepare(struct workload *workload, char **argv, int request)
{
	int err;

	*workload = (struct workload){ .argv = argv, .request = request };
	err = open_signals(workload);
	if (!err && argv) {
		err = fork_child(workload);
		if (err)
			close_signals(workload);
	}
	return err ? fail("cannot start the command: %s", strerror(-err)) : EXIT_OK;
}

int workload_start(struct workload *workload)
{
	int err;

	if (!workload->argv)
		return EXIT_OK;
	if (write(workload->start, "", 1) != 1)
		return fail("cannot start %s: %s", workload->argv[0], strerror(errno));
	/* exec closes the pipe: on success there is nothing to read. */
	if (read(workload->failed, &err, sizeof(err)) == (ssize_t)sizeof(err))
		return cannot_execute(workload->argv[0], -err);
	return EXIT_OK;
}

static void reap(struct workload *workload)
{
	int status;
	pid_t pid;

	if (!workload->argv || workload->reaped)
		return;
	pid = waitpid(workload->pid, &status, WNOHANG);
	if (!pid)
		return;
	/* The pid may be reused from here on. */
	workload->reaped = workload->done = true;
	if (pid < 0)
		workload->status =
			fail("cannot wait for %s: %s", workload->argv[0], strerror(errno));
	else if (WIFSIGNALED(status))
		workload->status = 128 + WTERMSIG(status);
	else
		workload->status = WEXITSTATUS(status);
}

static void take_signals(struct workload *workload)
{
	struct signalfd_siginfo info;

	while (read(workload->signals, &info, sizeof(info)) == (ssize_t)sizeof(info)) {
		if (info.ssi_signo == SIGCHLD) {
			reap(workload);
			continue;
		}
		if ((int)info.ssi_signo == workload->request) {
			workload->requested = true;
			continue;
		}
		workload->signal = info.ssi_signo;
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

/*
 * Wait until the child exits, another signal is received or the timeout expires. Returns whether
 * the child has exited.
 */
static bool await_end(struct workload *workload, int timeout_ms)
{
	const int64_t end = now_ms() + timeout_ms;
	int64_t left = timeout_ms;

	workload->signal = 0;
	reap(workload);
	while (!workload->reaped && !workload->signal && left > 0) {
		workload_wait(workload, -1, (int)left);
		left = end - now_ms();
	}
	return workload->reaped;
}

/* Returns false if the signal cannot be sent: the child may run as another user now. */
static bool send_signal(const struct workload *workload, int signal)
{
	if (!kill(workload->pid, signal))
		return true;
	print_error("cannot stop %s: %s", workload->argv[0], strerror(errno));
	return false;
}

/*
 * Each step is more forceful than the previous one; another signal from the user skips to the next.
 */
static void end_child(struct workload *workload)
{
	/* Ctrl-C also reaches the child, which may need time to clean up. */
	if (workload->signal == SIGINT && await_end(workload, INTERRUPT_MS))
		return;
	reap(workload);
	if (workload->reaped)
		return;
	if (!send_signal(workload, SIGTERM) || await_end(workload, TERM_MS))
		return;
	if (!workload->signal)
		print_error("%s does not exit; killed it", workload->argv[0]);
	if (send_signal(workload, SIGKILL) && !await_end(workload, KILL_MS))
		print_error("%s does not exit even when killed", workload->argv[0]);
}

int workload_finish(struct workload *workload)
{
	int status = EXIT_OK;

	if (workload->argv) {
		close(workload->start);
		close(workload->failed);
		if (!workload->reaped)
			end_child(workload);
		status = workload->reaped ? workload->status : EXIT_FAILED;
	}
	close_signals(workload);
	return status;
}
