// SPDX-License-Identifier: MIT
/*
 * bench_record.c - Measure the cost of a recorder, compared with write(2) of the same bytes; both
 * write to memory
 *
 * Memory is the fastest disk, so any overhead of the recorder is visible. The stream uses AUX mode,
 * with the largest area that most hardware has. This program takes the place of the kernel and
 * writes AUX records only.
 */
#define _GNU_SOURCE /* memfd_create */
#include <stdio.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <time.h>

#include "played.h"
#include "reader/recording/recorder.h"

#define AREA_SIZE (16UL << 20)
#define PIECE_SIZE (1UL << 20) /* bytes per AUX record */
#define FILE_BYTES (256UL << 20)
#define ROUNDS 7

static uint8_t *area;

static double now(void)
{
	struct timespec time;

	clock_gettime(CLOCK_MONOTONIC, &time);
	return time.tv_sec + time.tv_nsec * 1e-9;
}

static void fail(const char *what)
{
	fprintf(stderr, "bench_record: %s\n", what);
	exit(1);
}

static int memory_file(void)
{
	const int fd = memfd_create("recorded", MFD_CLOEXEC);

	if (fd < 0)
		fail("no memory for a file");
	return fd;
}

static void begin(struct played *played)
{
	struct bytes records = { 0 };

	played_begin(played);
	/* The timestamp period is not set, because timestamps repeat in each lap of the area. */
	played->stream.area = (struct area){
		.page = played->page,
		.data = area,
		.size = AREA_SIZE,
		.report_size = TEST_REPORT_SIZE,
		.timestamp = { .bits = 32, .offset = 4 },
	};
	put_first_sample(&records, PLAYED_ID);
	played_produce(played, &records);
}

/* Return the time in seconds that the recorder takes for the file. */
static double record_file(void)
{
	struct gpuoa_recorder_stats stats;
	struct gpuoa_recorder *recorder;
	struct bytes records = { 0 };
	const int fd = memory_file();
	struct played played;
	double time = 0;
	char path[32];

	begin(&played);
	snprintf(path, sizeof(path), "/proc/self/fd/%d", fd);
	if (played_record(&played, path, &recorder))
		fail("no recorder");
	for (uint64_t at = 0; at < FILE_BYTES; at += PIECE_SIZE) {
		double start;

		played.page->aux_head = at + PIECE_SIZE;
		put_aux_reports(&records, at / TEST_REPORT_SIZE, PIECE_SIZE / TEST_REPORT_SIZE);
		played_produce(&played, &records);
		start = now();
		if (gpuoa_recorder_write(recorder))
			fail("not written");
		time += now() - start;
	}
	gpuoa_recorder_stats(recorder, &stats, sizeof(stats));
	if (stats.reports != FILE_BYTES / TEST_REPORT_SIZE || stats.lost)
		fail("not all was recorded");
	gpuoa_recorder_close(recorder);
	played_end(&played);
	close(fd);
	return time;
}

/* Return the time in seconds that write(2) takes for the same reports. */
static double write_file(void)
{
	const int fd = memory_file();
	const double start = now();
	double time;

	for (uint64_t at = 0; at < FILE_BYTES; at += PIECE_SIZE)
		if (write(fd, area + at % AREA_SIZE, PIECE_SIZE) != (ssize_t)PIECE_SIZE)
			fail("not written");
	time = now() - start;
	close(fd);
	return time;
}

static int compare(const void *a, const void *b)
{
	const double x = *(const double *)a, y = *(const double *)b;

	return (x > y) - (x < y);
}

static double median(double *values)
{
	qsort(values, ROUNDS, sizeof(*values), compare);
	return values[ROUNDS / 2];
}

int main(void)
{
	double record[ROUNDS], plain[ROUNDS], ratio[ROUNDS];

	area = malloc(AREA_SIZE);
	if (!area)
		fail("no memory");
	memset(area, 1, AREA_SIZE);
	for (int i = 0; i < ROUNDS; i++) {
		record[i] = record_file();
		plain[i] = write_file();
		ratio[i] = plain[i] / record[i];
	}
	printf("bench: record.reports_per_second %.0f reports/s\n",
	       FILE_BYTES / TEST_REPORT_SIZE / median(record));
	printf("bench: record.bytes_per_second %.0f MB/s\n", FILE_BYTES / 1e6 / median(record));
	printf("bench: record.of_write %.2f x\n", median(ratio));
	free(area);
	return 0;
}
