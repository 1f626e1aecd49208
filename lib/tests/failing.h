/* SPDX-License-Identifier: MIT */
/* failing.h - Repeat an operation, and let another one of the calls that it makes fail each time */
#ifndef GPUOA_LIB_TESTS_FAILING_H
#define GPUOA_LIB_TESTS_FAILING_H

#include <stdbool.h>
#include <unistd.h>

#include "tap.h"

struct failing {
	long left; /* number of calls until one fails; -1: none fails */
	long failed; /* number of calls that failed */
};

#define FAILING_NONE       \
	{                  \
		.left = -1 \
	}

/* Return whether this call fails. */
static inline bool failing_next(struct failing *calls)
{
	if (calls->left < 0 || calls->left--)
		return false;
	calls->failed++;
	return true;
}

/* Return the number of the file that would be opened next. */
static inline int failing_file(void)
{
	const int file = dup(STDOUT_FILENO);

	close(file);
	return file;
}

/*
 * Run an operation once for each call that it makes, and let that one fail with @error. @operation
 * returns 0 if its result is complete, or a negative errno. It leaves no file open.
 */
static inline void fail_each(struct failing *calls, int error, int (*operation)(void))
{
	int file, err = operation();
	long n = 0;

	CHECK(!err);
	file = failing_file();
	do {
		calls->failed = 0;
		calls->left = n++;
		err = operation();
		calls->left = -1;
		if (!CHECK(err == -error || !err) || !CHECK(failing_file() == file))
			printf("# call %ld: %s\n", n, strerror(-err));
	} while (calls->failed && n < 100000);
	CHECK(n > 1);
}

#endif /* GPUOA_LIB_TESTS_FAILING_H */
