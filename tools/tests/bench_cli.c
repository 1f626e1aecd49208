// SPDX-License-Identifier: MIT
/*
 * bench_cli.c - gpuoa decode of a gigabyte of reports, beside cat of the same file
 *
 * The file is in memory, where it costs least to read. What the programs print goes to /dev/null.
 */
#define _GNU_SOURCE /* memfd_create */
#include <fcntl.h>
#include <spawn.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#define REPORTS (4UL << 20)
#define REPORT_DWORDS 64 /* A32U40_A4U32_B8_C8 */
#define FILE_BYTES (REPORTS * REPORT_DWORDS * 4)
#define ROUNDS 5
#define SYMBOLS                                                                 \
	"GpuTime,GpuCoreClocks,AvgGpuCoreFrequency,GpuBusy,VsThreads,EuActive," \
	"EuStall,GtiReadThroughput,GtiWriteThroughput,SamplersBusy"

extern char **environ;

static char file[64];

static void fail(const char *what)
{
	fprintf(stderr, "bench_cli: %s\n", what);
	exit(1);
}

/* Every dword but id and time counts, up to some ten thousand in 52 us; nothing carries into the
 * upper bytes. */
static void next_report(uint32_t *report, uint32_t *state)
{
	report[0] = 1 << 19;
	report[1] += 1000;
	for (int i = 3; i < REPORT_DWORDS; i++) {
		*state = *state * 1664525 + 1013904223;
		if (i < 40 || i >= 48)
			report[i] = (report[i] + (*state >> 18)) & 0x7fffffff;
	}
}

static void make_file(void)
{
	static uint32_t block[4096][REPORT_DWORDS];
	uint32_t report[REPORT_DWORDS] = { 0 }, state = 1;
	const int fd = memfd_create("reports", 0);

	if (fd < 0)
		fail("no memory for a file");
	snprintf(file, sizeof(file), "/proc/%d/fd/%d", getpid(), fd);
	for (size_t i = 0; i < REPORTS; i += 4096) {
		for (size_t n = 0; n < 4096; n++) {
			next_report(report, &state);
			memcpy(block[n], report, sizeof(report));
		}
		if (write(fd, block, sizeof(block)) != sizeof(block))
			fail("no memory for a file");
	}
}

static double now(void)
{
	struct timespec time;

	clock_gettime(CLOCK_MONOTONIC, &time);
	return time.tv_sec + time.tv_nsec * 1e-9;
}

/* Seconds that a command takes, from start to end. */
static double run(char *const *argv)
{
	posix_spawn_file_actions_t actions;
	const double begin = now();
	int status;
	pid_t pid;

	posix_spawn_file_actions_init(&actions);
	posix_spawn_file_actions_addopen(&actions, STDOUT_FILENO, "/dev/null", O_WRONLY, 0);
	if (posix_spawnp(&pid, argv[0], &actions, NULL, argv, environ) ||
	    waitpid(pid, &status, 0) != pid || status)
		fail(argv[0]);
	posix_spawn_file_actions_destroy(&actions);
	return now() - begin;
}

static int compare_doubles(const void *a, const void *b)
{
	const double *x = a, *y = b;

	return (*x > *y) - (*x < *y);
}

static double median(double *values)
{
	qsort(values, ROUNDS, sizeof(*values), compare_doubles);
	return values[ROUNDS / 2];
}

/* The programs take turns. */
int main(int argc, char **argv)
{
	char tool[4096];
	char *cat[] = { "cat", file, NULL };
	char *totals[] = { tool, "-q", "decode", "-P", "tglgt2", "-s", "RenderBasic", file, NULL };
	char *rows[] = { tool, "-q",	      "--csv", "decode", "-P", "tglgt2",
			 "-s", "RenderBasic", "-m",    SYMBOLS,	 file, NULL };
	double cat_times[ROUNDS], totals_times[ROUNDS], rows_times[ROUNDS], ratios[ROUNDS];

	/* build/tools/tests/bench_cli: the command is one above. */
	if (argc < 1 || snprintf(tool, sizeof(tool), "%.*s../gpuoa",
				 (int)(strrchr(argv[0], '/') + 1 - argv[0]), argv[0]) < 0)
		fail("where am I?");
	make_file();
	for (int i = 0; i < ROUNDS; i++) {
		cat_times[i] = run(cat);
		totals_times[i] = run(totals);
		rows_times[i] = run(rows);
		ratios[i] = totals_times[i] / cat_times[i];
	}
	printf("bench: cli.totals %.0f MB/s\n", FILE_BYTES / median(totals_times) / 1e6);
	printf("bench: cli.totals.time_vs_cat %.2f x\n", median(ratios));
	printf("bench: cli.csv_of_10_metrics %.0f MB/s\n", FILE_BYTES / median(rows_times) / 1e6);
	return 0;
}
