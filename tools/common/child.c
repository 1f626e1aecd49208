// SPDX-License-Identifier: MIT
/*
 * child.c - run the measured command, and handle the signals that end a measurement
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
#include <unistd.h>

#include "common/child.h"
#include "common/clock.h"
#include "common/tool.h"

/* Time to wait for the exit of the child in ms: after Ctrl-C, after SIGTERM and after SIGKILL */
#define INTERRUPT_MS 1000
#define TERM_MS 10000
#define KILL_MS 1000

static int open_signals(struct child *child)
{
	sigset_t wanted;
	int err;

	sigemptyset(&wanted);
	sigaddset(&wanted, SIGINT);
	sigaddset(&wanted, SIGTERM);
	sigaddset(&wanted, SIGHUP);
	sigaddset(&wanted, SIGCHLD);
	if (child->request)
		sigaddset(&wanted, child->request);
	/* If SIGCHLD was inherited as ignored, exit codes of children would be lost. */
	signal(SIGCHLD, SIG_DFL);
	if (sigprocmask(SIG_BLOCK, &wanted, &child->mask))
		return -errno;
	child->signals = signalfd(-1, &wanted, SFD_CLOEXEC | SFD_NONBLOCK);
	if (child->signals >= 0)
		return 0;
	err = -errno;
	sigprocmask(SIG_SETMASK, &child->mask, NULL);
	return err;
}

static void close_signals(struct child *child)
{
	close(child->signals);
	sigprocmask(SIG_SETMASK, &child->mask, NULL);
}

/* Run in the child: wait until sampling has started, then execute the command. */
static _Noreturn void run_child(const struct child *child, int start, int failed)
{
	char go;
	int err;

	sigprocmask(SIG_SETMASK, &child->mask, NULL);
	if (read(start, &go, 1) != 1)
		_exit(EXIT_FAILED); /* the parent has given up */
	execvp(child->argv[0], child->argv);
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

static int fork_child(struct child *child)
{
	int start[2], failed[2], err;

	if (pipe2(start, O_CLOEXEC))
		return -errno;
	if (pipe2(failed, O_CLOEXEC)) {
		err = -errno;
		goto err_start;
	}
	child->pid = fork();
	if (child->pid < 0) {
		err = -errno;
		goto err_failed;
	}
	if (!child->pid) {
		close(start[1]);
		run_child(child, start[0], failed[1]);
	}
	close(start[0]);
	close(failed[1]);
	child->start = start[1];
	child->failed = failed[0];
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

/*
 * Check that the command can be executed. Like execvp(3), search $PATH for a name without a slash.
 */
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

int child_check(char **argv)
{
	const int err = argv ? find_program(argv[0]) : 0;

	return err ? cannot_execute(argv[0], err) : EXIT_OK;
}

int child_prepare(struct child *child, char **argv, int request)
{
	int err;

	*child = (struct child){ .argv = argv, .request = request };
	err = open_signals(child);
	if (!err && argv) {
		err = fork_child(child);
		if (err)
			close_signals(child);
	}
	return err ? fail("cannot start the command: %s", strerror(-err)) : EXIT_OK;
}

int child_start(struct child *child)
{
	int err;

	if (!child->argv)
		return EXIT_OK;
	if (write(child->start, "", 1) != 1)
		return fail("cannot start %s: %s", child->argv[0], strerror(errno));
	/* If the execution succeeds, it closes the pipe, and there is no errno to read. */
	if (read(child->failed, &err, sizeof(err)) == (ssize_t)sizeof(err))
		return cannot_execute(child->argv[0], -err);
	return EXIT_OK;
}

static void reap(struct child *child)
{
	int status;
	pid_t pid;

	if (!child->argv || child->reaped)
		return;
	pid = waitpid(child->pid, &status, WNOHANG);
	if (!pid)
		return;
	/* From here on, the kernel may reuse the pid for another process. */
	child->reaped = child->done = true;
	if (pid < 0)
		child->status = fail("cannot wait for %s: %s", child->argv[0], strerror(errno));
	else if (WIFSIGNALED(status))
		child->status = 128 + WTERMSIG(status);
	else
		child->status = WEXITSTATUS(status);
}

static void take_signals(struct child *child)
{
	struct signalfd_siginfo info;

	while (read(child->signals, &info, sizeof(info)) == (ssize_t)sizeof(info)) {
		if (info.ssi_signo == SIGCHLD) {
			reap(child);
			continue;
		}
		if ((int)info.ssi_signo == child->request) {
			child->requested = true;
			continue;
		}
		child->signal = info.ssi_signo;
		child->done = true;
	}
}

void child_wait(struct child *child, int fd, int timeout_ms)
{
	struct pollfd fds[] = {
		{ .fd = child->signals, .events = POLLIN },
		{ .fd = fd, .events = POLLIN },
	};

	poll(fds, 2, timeout_ms);
	take_signals(child);
}

/*
 * Wait until the child exits, another signal is received or the timeout expires. Returns whether
 * the child has exited.
 */
static bool await_end(struct child *child, int timeout_ms)
{
	const int64_t end = now_ms() + timeout_ms;
	int64_t left = timeout_ms;

	child->signal = 0;
	reap(child);
	while (!child->reaped && !child->signal && left > 0) {
		child_wait(child, -1, (int)left);
		left = end - now_ms();
	}
	return child->reaped;
}

/*
 * Send a signal to the child. Returns false if that is not permitted: the child may run as another
 * user now.
 */
static bool send_signal(const struct child *child, int signal)
{
	if (!kill(child->pid, signal))
		return true;
	print_error("cannot stop %s: %s", child->argv[0], strerror(errno));
	return false;
}

/*
 * Each step is more forceful than the previous one. Another signal from the user skips to the next
 * step.
 */
static void end_child(struct child *child)
{
	/*
	 * The terminal sends the SIGINT of Ctrl-C to the child also, which may need time to clean
	 * up.
	 */
	if (child->signal == SIGINT && await_end(child, INTERRUPT_MS))
		return;
	reap(child);
	if (child->reaped)
		return;
	if (!send_signal(child, SIGTERM) || await_end(child, TERM_MS))
		return;
	if (!child->signal)
		print_error("%s does not exit; killed it", child->argv[0]);
	if (send_signal(child, SIGKILL) && !await_end(child, KILL_MS))
		print_error("%s does not exit even when killed", child->argv[0]);
}

int child_finish(struct child *child)
{
	int status = EXIT_OK;

	if (child->argv) {
		close(child->start);
		close(child->failed);
		if (!child->reaped)
			end_child(child);
		status = child->reaped ? child->status : EXIT_FAILED;
	}
	close_signals(child);
	return status;
}
