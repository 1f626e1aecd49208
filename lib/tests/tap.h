/* SPDX-License-Identifier: MIT */
/*
 * tap.h - Test programs: one function for each behaviour, and one line of TAP output for each
 * function
 *
 * The name of a test is subject_verb_condition in the words of the API. If the condition is false,
 * CHECK() records a failure and continues; REQUIRE() returns from the test.
 */
#ifndef GPUOA_LIB_TESTS_TAP_H
#define GPUOA_LIB_TESTS_TAP_H

#include <stdbool.h>
#include <stdio.h>
#include <string.h>

static struct {
	unsigned int count;
	unsigned int failed;
	bool good; /* the current test */
} tap = { .good = true };

#define CHECK(condition) tap_check(condition, __FILE__, __LINE__, #condition)

#define REQUIRE(condition)             \
	do {                           \
		if (!CHECK(condition)) \
			return;        \
	} while (0)

#define CHECK_STRING(left, right) tap_check_string(left, right, __FILE__, __LINE__)

#define RUN(test) tap_run(test, #test)

static inline bool tap_check(bool condition, const char *file, int line, const char *what)
{
	if (!condition) {
		printf("# %s:%d: %s\n", file, line, what);
		tap.good = false;
	}
	return condition;
}

static inline bool tap_check_string(const char *left, const char *right, const char *file, int line)
{
	if (left && right && !strcmp(left, right))
		return true;
	printf("# %s:%d: \"%s\" is not \"%s\"\n", file, line, left ? left : "(null)",
	       right ? right : "(null)");
	return tap.good = false;
}

static inline void tap_run(void (*test)(void), const char *name)
{
	tap.good = true;
	test();
	printf("%sok %u - ", tap.good ? "" : "not ", ++tap.count);
	for (; *name; name++)
		putchar(*name == '_' ? ' ' : *name);
	putchar('\n');
	tap.failed += !tap.good;
}

/* Print the plan; returns the exit status of the program. */
static inline int tap_end(void)
{
	printf("1..%u\n", tap.count);
	return tap.failed != 0;
}

/* Print that the tests cannot run on this machine; returns the exit status of the program. */
static inline int tap_skip(const char *reason)
{
	printf("1..0 # SKIP %s\n", reason);
	return 0;
}

#endif /* GPUOA_LIB_TESTS_TAP_H */
