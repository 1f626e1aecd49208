/* SPDX-License-Identifier: MIT */
/*
 * fake_calls.h - open(2) and ioctl(2) of a simulated kernel
 *
 * Replaces both in the program that includes it, which defines the functions declared here.
 */
#ifndef GPUOA_LIB_TESTS_FAKE_CALLS_H
#define GPUOA_LIB_TESTS_FAKE_CALLS_H

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

#endif /* GPUOA_LIB_TESTS_FAKE_CALLS_H */
