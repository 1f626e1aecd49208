/* SPDX-License-Identifier: MIT */
/*
 * fake_calls.h - open(2) and ioctl(2) of a simulated kernel
 *
 * Replaces both in the program that includes it, which defines the functions declared here. Also
 * lets fcntl(2) fail.
 */
#ifndef GPUOA_LIB_TESTS_FAKE_CALLS_H
#define GPUOA_LIB_TESTS_FAKE_CALLS_H

#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <stdarg.h>
#include <sys/ioctl.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "failing.h"

/* Calls that a test lets fail with EIO */
static struct failing calls = FAILING_NONE;

static int fake_open(const char *path, int flags, int mode);
static int fake_ioctl(int fd, unsigned long request, void *argument);

/* Return the result of a system call that returns @result, or a negative errno. */
static long fake_result(long result)
{
	if (result >= 0)
		return result;
	errno = (int)-result;
	return -1;
}

int open(const char *path, int flags, ...)
{
	va_list arguments;
	int mode;

	va_start(arguments, flags);
	mode = flags & O_CREAT ? va_arg(arguments, int) : 0;
	va_end(arguments);
	return failing_next(&calls) ? (int)fake_result(-EIO) : fake_open(path, flags, mode);
}

int ioctl(int fd, unsigned long request, ...)
{
	va_list arguments;
	void *argument;

	va_start(arguments, request);
	argument = va_arg(arguments, void *);
	va_end(arguments);
	return failing_next(&calls) ? (int)fake_result(-EIO) : fake_ioctl(fd, request, argument);
}

int fcntl(int fd, int command, ...)
{
	static int (*real)(int, int, long);
	va_list arguments;
	long argument;

	va_start(arguments, command);
	argument = va_arg(arguments, long);
	va_end(arguments);
	if (!real)
		real = (int (*)(int, int, long))dlsym(RTLD_NEXT, "fcntl");
	return failing_next(&calls) ? (int)fake_result(-EIO) : real(fd, command, argument);
}

/*
 * Return the number of a new file: @fd, or 0 if @moves. A process that has closed its standard
 * input gets 0 for a file.
 */
static inline int fake_file(int fd, bool moves)
{
	if (!moves || fd < 0)
		return fd;
	dup2(fd, STDIN_FILENO);
	close(fd);
	return STDIN_FILENO;
}

#endif /* GPUOA_LIB_TESTS_FAKE_CALLS_H */
