// SPDX-License-Identifier: MIT
/*
 * bench_startup.c - Measure the startup cost of the library in a new process: the CPU time to list
 * all sets of a platform, and the memory
 *
 * This program is linked with the shared library. It executes itself again for each measurement, so
 * that no page is mapped in advance. The "resident" size includes pages that the kernel maps around
 * those that are used.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <time.h>

#include "gpuoa.h"

#define ROUNDS 21

static double now(void)
{
	struct timespec time;

	clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &time);
	return time.tv_sec + time.tv_nsec * 1e-9;
}

/*
 * Open a platform and describe each of its sets. The return value prevents the compiler from
 * optimising the calls away.
 */
static size_t list_sets(const char *name)
{
	const struct gpuoa_platform *platform = gpuoa_platform_find(name);
	size_t count = gpuoa_platform_set_count(platform), length = 0;

	for (size_t i = 0; i < count; i++) {
		struct gpuoa_set_desc desc;

		gpuoa_set_describe(gpuoa_platform_get_set(platform, i), &desc, sizeof(desc));
		length += strlen(desc.symbol);
	}
	return length;
}

/*
 * Returns the resident size of the shared library in KiB. @path: receives the path of the library
 */
static long resident(char *path, size_t size)
{
	static const char key[] = "Rss:";
	FILE *maps = fopen("/proc/self/smaps", "r");
	char line[512];
	bool inside = false;
	long total = 0;

	while (maps && fgets(line, sizeof(line), maps)) {
		if (strchr("0123456789abcdef", line[0])) {
			const char *name = strchr(line, '/');

			inside = name && strstr(name, "libgpuoa.so");
			if (inside)
				snprintf(path, size, "%.*s", (int)strcspn(name, "\n"), name);
		} else if (inside && !strncmp(line, key, sizeof(key) - 1)) {
			total += strtol(line + sizeof(key) - 1, NULL, 10);
		}
	}
	if (maps)
		fclose(maps);
	return total;
}

/*
 * Run in a new process: print the number of sets, the time in us, the memory in KiB, and the size
 * of the library.
 */
static int measure(const char *platform)
{
	double begin = now(), microseconds;
	struct stat file = { 0 };
	size_t length = list_sets(platform);
	char path[512] = "";
	long kib;

	microseconds = (now() - begin) * 1e6;
	kib = resident(path, sizeof(path));
	stat(path, &file);
	printf("%zu %.1f %ld %ld\n", gpuoa_platform_set_count(gpuoa_platform_find(platform)),
	       microseconds, kib, (long)file.st_size);
	return !length;
}

struct result {
	long sets;
	double microseconds;
	long resident;
	long bytes;
};

static int compare(const void *a, const void *b)
{
	const struct result *x = a, *y = b;

	return (x->microseconds > y->microseconds) - (x->microseconds < y->microseconds);
}

/* Returns the fastest of ROUNDS runs: other work on the machine can only slow them down. */
static struct result run(const char *self, const char *platform)
{
	struct result results[ROUNDS] = { 0 };
	char command[512];

	snprintf(command, sizeof(command), "'%s' %s", self, platform);
	for (int i = 0; i < ROUNDS; i++) {
		FILE *child = popen(command, "r");

		if (!child ||
		    fscanf(child, "%ld %lf %ld %ld", &results[i].sets, &results[i].microseconds,
			   &results[i].resident, &results[i].bytes) != 4)
			exit(1);
		pclose(child);
	}
	qsort(results, ROUNDS, sizeof(results[0]), compare);
	return results[0];
}

int main(int argc, char **argv)
{
	static const char *const platforms[] = { "hsw", "tglgt2", "mtlgt3", "acmgt3" };
	struct result result = { 0 };

	if (argc > 1)
		return measure(argv[1]);
	for (size_t i = 0; i < sizeof(platforms) / sizeof(platforms[0]); i++) {
		result = run(argv[0], platforms[i]);
		printf("bench: startup.%s.list_sets %.1f us\n", platforms[i], result.microseconds);
		printf("bench: startup.%s.per_set %.2f us\n", platforms[i],
		       result.microseconds / (double)result.sets);
		printf("bench: startup.%s.resident %ld KiB\n", platforms[i], result.resident);
	}
	printf("bench: startup.library_file %ld KiB\n", result.bytes / 1024);
	return 0;
}
