// SPDX-License-Identifier: MIT
/*
 * jobs.c - how many threads compute: -j
 */
#define _GNU_SOURCE /* sched_getaffinity */
#include <sched.h>
#include <sys/stat.h>

#include "jobs.h"

#define JOBS_MAX 256

/* What takes some hundredths of a second is not worth it. */
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

/* Those that this program may use; more than a set of the usual size has are enough, too. */
static unsigned int cpus(void)
{
	cpu_set_t set;

	if (sched_getaffinity(0, sizeof(set), &set))
		return JOBS_MAX / 16;
	return CPU_COUNT(&set) < JOBS_MAX ? CPU_COUNT(&set) : JOBS_MAX;
}

/* Of a pipe, rows are to come as its reports do: they don't wait for a piece to be full. */
unsigned int jobs_for(unsigned int asked, const char *path)
{
	struct stat status;

	if (asked)
		return asked;
	if (stat(path, &status) || !S_ISREG(status.st_mode) || status.st_size < BIG_FILE)
		return 1;
	return cpus();
}
