// SPDX-License-Identifier: MIT
/*
 * bench_cli.c - measure the time of gpuoa decode for 1 GiB of reports, relative to cat of the same
 * file
 *
 * The file is in memory, so that reading it is cheap. Output goes to /dev/null.
 */
#define _GNU_SOURCE /* memfd_create, wait4 */
#include <fcntl.h>
#include <spawn.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#define REPORTS (4UL << 20)
#define REPORT_DWORDS 64 /* a report in A32U40_A4U32_B8_C8 */
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

/*
 * Make the next report: increment all dwords except ID and timestamp by up to about 16000 per 52
 * us. The upper bytes of counters do not change.
 */
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

/* Cost of running a command from start to end, in seconds */
struct cost {
	double time; /* wall-clock time */
	double cpu; /* CPU time of all threads, both user and system */
};

static pid_t start(char *const *argv)
{
	posix_spawn_file_actions_t actions;
	pid_t pid;

	posix_spawn_file_actions_init(&actions);
	posix_spawn_file_actions_addopen(&actions, STDOUT_FILENO, "/dev/null", O_WRONLY, 0);
	if (posix_spawnp(&pid, argv[0], &actions, NULL, argv, environ))
		fail(argv[0]);
	posix_spawn_file_actions_destroy(&actions);
	return pid;
}

static double seconds(struct timeval time)
{
	return time.tv_sec + time.tv_usec * 1e-6;
}

/* Run @count instances in parallel. */
static struct cost run(char *const *argv, int count)
{
	struct cost cost = { .time = now() };
	struct rusage usage;
	int status;

	for (int i = 0; i < count; i++)
		start(argv);
	for (int i = 0; i < count; i++) {
		if (wait4(-1, &status, 0, &usage) < 0 || status)
			fail(argv[0]);
		cost.cpu += seconds(usage.ru_utime) + seconds(usage.ru_stime);
	}
	cost.time = now() - cost.time;
	return cost;
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

/* Run the programs alternately, so that a slow phase of the machine affects all of them. */
int main(int argc, char **argv)
{
	char tool[4096];
	char *cat[] = { "cat", file, NULL };
	char *totals[] = { tool, "-q", "decode", "-P", "tglgt2", "-s", "RenderBasic", file, NULL };
	char *rows[] = { tool,	   "-q", "--csv",	"decode", "-j",	   "1",	 "-P",
			 "tglgt2", "-s", "RenderBasic", "-m",	  SYMBOLS, file, NULL };
	double totals_times[ROUNDS], totals_vs_cat[ROUNDS], totals_cpu[ROUNDS];
	double one_times[ROUNDS], one_cpu[ROUNDS], two_times[ROUNDS];
	double two_vs_one[ROUNDS], two_cpu[ROUNDS], processes[ROUNDS];

	/*
	 * This program is build/tools/tests/bench_cli, and gpuoa is in the parent of its directory.
	 */
	if (argc < 1 || snprintf(tool, sizeof(tool), "%.*s../gpuoa",
				 (int)(strrchr(argv[0], '/') + 1 - argv[0]), argv[0]) < 0)
		fail("argv[0] is too long");
	make_file();
	for (int i = 0; i < ROUNDS; i++) {
		const struct cost nothing = run(cat, 1), all = run(totals, 1);
		const struct cost one = run(rows, 1), both = run(rows, 2);
		struct cost two;

		rows[5] = "2";
		two = run(rows, 1);
		rows[5] = "1";
		totals_times[i] = all.time;
		totals_vs_cat[i] = all.time / nothing.time;
		totals_cpu[i] = all.cpu / nothing.cpu;
		one_times[i] = one.time;
		one_cpu[i] = one.cpu;
		two_times[i] = two.time;
		two_vs_one[i] = one.time / two.time;
		two_cpu[i] = two.cpu / one.cpu;
		processes[i] = 2 * one.time / both.time;
	}
	printf("bench: cli.totals %.0f MB/s\n", FILE_BYTES / median(totals_times) / 1e6);
	printf("bench: cli.totals.time_vs_cat %.2f x\n", median(totals_vs_cat));
	printf("bench: cli.totals.cpu_vs_cat %.2f x\n", median(totals_cpu));
	printf("bench: cli.csv_of_10_metrics.j1 %.0f MB/s\n", FILE_BYTES / median(one_times) / 1e6);
	printf("bench: cli.csv_of_10_metrics.j1.of_cpu_time %.0f MB/s\n",
	       FILE_BYTES / median(one_cpu) / 1e6);
	printf("bench: cli.csv_of_10_metrics.j2 %.0f MB/s\n", FILE_BYTES / median(two_times) / 1e6);
	printf("bench: cli.csv_of_10_metrics.j2_vs_j1 %.2f x\n", median(two_vs_one));
	printf("bench: cli.csv_of_10_metrics.j2_vs_j1.of_cpu_time %.2f x\n", median(two_cpu));
	printf("bench: cli.csv_of_10_metrics.two_processes_vs_1 %.2f x\n", median(processes));
	return 0;
}
