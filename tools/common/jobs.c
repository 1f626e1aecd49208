// SPDX-License-Identifier: MIT
/*
 * jobs.c - option -j: number of threads that compute rows
 */
#define _GNU_SOURCE /* sched_getaffinity */
#include <sched.h>
#include <sys/stat.h>

#include "common/jobs.h"

#define JOBS_MAX 256

/* A smaller file takes only tens of ms, so threads would not help. */
#define BIG_FILE (8 << 20)

int jobs_parse(const struct tool *tool, const char *text, unsigned int *jobs)
{
	uint64_t number;

	if (!parse_number(text, &number) || !number || number > JOBS_MAX)
		return usage(tool, "-j: cannot use '%s'; give a number of threads from 1 to %d",
			     text, JOBS_MAX);
	*jobs = (unsigned int)number;
	return EXIT_OK;
}

/*
 * Return the number of CPUs that this process may use. A machine with more CPUs than a cpu_set_t
 * holds makes the call fail; then use a fixed number.
 */
static unsigned int cpus(void)
{
	cpu_set_t set;

	if (sched_getaffinity(0, sizeof(set), &set))
		return JOBS_MAX / 16;
	return CPU_COUNT(&set) < JOBS_MAX ? CPU_COUNT(&set) : JOBS_MAX;
}

/*
 * Rows of a pipe are printed as its reports arrive, by one thread: several would wait for full
 * pieces.
 */
unsigned int jobs_for(unsigned int asked, const char *path)
{
	struct stat status;

	if (asked)
		return asked;
	if (stat(path, &status) || !S_ISREG(status.st_mode) || status.st_size < BIG_FILE)
		return 1;
	return cpus();
}
