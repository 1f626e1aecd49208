// SPDX-License-Identifier: MIT
/*
 * profiler.c - a live profiler with an event loop: poll(2) waits for reports and for Ctrl-C
 *
 *   profiler [SET [METRIC]]     default: RenderBasic and GpuBusy
 *
 * Prints a line for each interval between two reports: CPU time (CLOCK_MONOTONIC, in s), to align
 * the lines with other traces, and the metric.
 */
#include <errno.h>
#include <gpuoa-time.h>
#include <poll.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/signalfd.h>
#include <time.h>
#include <unistd.h>

#define PERIOD_NS 10000000
#define MAX_ROWS 256

struct profiler {
	struct gpuoa_unit *unit;
	struct gpuoa_unit_desc desc;
	struct gpuoa_reader *reader;
	struct gpuoa_calc *calc; /* of one metric */
	const struct gpuoa_time *time; /* relation of GPU time to CPU time */
	union gpuoa_value values[MAX_ROWS];
	struct gpuoa_interval intervals[MAX_ROWS];
	unsigned long long lost;
};

static int fail(const char *what)
{
	fprintf(stderr, "profiler: %s\n", what);
	return 1;
}

/* The stream is opened disabled; run() enables it. */
static int open_stream(struct profiler *profiler, const struct gpuoa_set *set)
{
	struct gpuoa_stream_options options = {
		.size = sizeof(options),
		.period_ns = PERIOD_NS,
		.disabled = true,
	};
	char error[512];

	if (gpuoa_stream_open(profiler->unit, set, &options, &profiler->reader, error,
			      sizeof(error)))
		return fail(error);
	return 0;
}

static int open_calc(struct profiler *profiler, const struct gpuoa_set *set, const char *symbol)
{
	const struct gpuoa_metric *metric = gpuoa_set_find_metric(set, symbol);
	const struct gpuoa_calc_options options = {
		.size = sizeof(options),
		.metrics = &metric,
		.metric_count = 1,
		.no_infos = true,
	};
	struct gpuoa_reader_desc desc;

	if (!metric)
		return fail("the set has no such metric");
	gpuoa_reader_describe(profiler->reader, &desc, sizeof(desc));
	if (gpuoa_calc_open(set, gpuoa_unit_constants(profiler->unit), desc.format, &options,
			    &profiler->calc, NULL, 0))
		return fail("the metric cannot be calculated");
	return 0;
}

static int open_all(struct profiler *profiler, const char *symbol, const char *metric)
{
	const struct gpuoa_platform *platform;
	const struct gpuoa_set *set;
	char error[256];

	if (gpuoa_unit_open(NULL, &profiler->unit, error, sizeof(error)))
		return fail(error);
	gpuoa_unit_describe(profiler->unit, &profiler->desc, sizeof(profiler->desc));
	platform = gpuoa_unit_platform(profiler->unit);
	if (!platform)
		return fail("this library has no metrics for the GPU");
	set = gpuoa_platform_find_set(platform, symbol, profiler->desc.domain,
				      gpuoa_unit_constants(profiler->unit));
	if (!set)
		return fail("the GPU has no such set");
	if (open_stream(profiler, set))
		return 1;
	if (gpuoa_reader_time(profiler->reader, &profiler->time))
		return fail("out of memory");
	return open_calc(profiler, set, metric);
}

static void print_row(const struct profiler *profiler, int row)
{
	const enum gpuoa_value_type type = gpuoa_calc_output_type(profiler->calc, 0);
	uint64_t ns = 0;

	gpuoa_time_to_cpu(profiler->time, CLOCK_MONOTONIC, profiler->intervals[row].end, &ns, NULL);
	printf("%.6f %g\n", (double)ns / 1e9, gpuoa_value_to_double(type, profiler->values[row]));
}

/* Print all available rows. Returns 0, or a negative errno. */
static int drain(struct profiler *profiler)
{
	struct gpuoa_read_status status;
	int rows;

	do {
		rows = gpuoa_calc_read(profiler->calc, profiler->reader, profiler->values,
				       profiler->intervals, MAX_ROWS, &status);
		profiler->lost += status.lost_overflow + status.lost_hardware + status.lost_ring;
		for (int i = 0; i < rows; i++)
			print_row(profiler, i);
	} while (rows > 0);
	fflush(stdout);
	return rows;
}

/* Measure until a signal arrives. Returns 0, or a negative errno. */
static int run(struct profiler *profiler, int signals)
{
	struct pollfd fds[] = {
		{ .fd = gpuoa_reader_fd(profiler->reader), .events = POLLIN },
		{ .fd = signals, .events = POLLIN },
	};
	int err = gpuoa_reader_enable(profiler->reader);

	while (!err && !fds[1].revents) {
		if (poll(fds, 2, -1) < 0)
			return -errno;
		err = drain(profiler);
	}
	if (err)
		return err;
	err = gpuoa_reader_disable(profiler->reader);
	return err ? err : drain(profiler);
}

static void close_all(struct profiler *profiler)
{
	gpuoa_calc_close(profiler->calc);
	gpuoa_reader_close(profiler->reader);
	gpuoa_unit_close(profiler->unit);
}

int main(int argc, char **argv)
{
	static struct profiler profiler;
	sigset_t set;
	int status;

	sigemptyset(&set);
	sigaddset(&set, SIGINT);
	sigaddset(&set, SIGTERM);
	sigprocmask(SIG_BLOCK, &set, NULL);
	status = open_all(&profiler, argc > 1 ? argv[1] : "RenderBasic",
			  argc > 2 ? argv[2] : "GpuBusy");
	if (!status) {
		const int err = run(&profiler, signalfd(-1, &set, SFD_CLOEXEC));

		if (err)
			status = fail(strerror(-err));
		if (profiler.lost)
			fprintf(stderr, "profiler: %llu reports were lost\n", profiler.lost);
	}
	close_all(&profiler);
	return status;
}
