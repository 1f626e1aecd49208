// SPDX-License-Identifier: MIT
/*
 * progress.c - progress display on the terminal: part done, rate, time left
 */
#include <stdio.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

#include "common/progress.h"

#define LOOK_BYTES (1 << 20) /* bytes between reads of the clock */
#define FIRST_SECONDS 1.0 /* delay of the first update: short work shows nothing */
#define SECONDS 0.2 /* time between updates */

static double now(void)
{
	struct timespec time;

	clock_gettime(CLOCK_MONOTONIC, &time);
	return time.tv_sec + 1e-9 * time.tv_nsec;
}

void progress_begin(struct progress *progress, const struct tool *tool, uint64_t total)
{
	*progress = (struct progress){
		.shown = !tool->quiet && isatty(STDERR_FILENO),
		.total = total,
	};
	if (!progress->shown)
		return;
	progress->begin = now();
	progress->next = progress->begin + FIRST_SECONDS;
}

void progress_begin_file(struct progress *progress, const struct tool *tool, const char *path)
{
	struct stat status;

	progress_begin(progress, tool, stat(path, &status) ? 0 : status.st_size);
}

static void draw_left(double seconds)
{
	const unsigned long whole = seconds + 0.5;

	if (whole < 60)
		fprintf(stderr, ", %lu s left", whole);
	else
		fprintf(stderr, ", %lu:%02lu left", whole / 60, whole % 60);
}

static void draw(struct progress *progress, double seconds)
{
	const double rate = progress->done / seconds;
	/* The file may have grown since its size was read. */
	const uint64_t total = progress->total > progress->done ? progress->total : progress->done;

	fprintf(stderr, "\r\033[K");
	if (progress->total)
		fprintf(stderr, "%3.0f %% of %.0f MB", 100.0 * progress->done / total, total / 1e6);
	else
		fprintf(stderr, "%.0f MB", progress->done / 1e6);
	fprintf(stderr, ", %.0f MB/s", rate / 1e6);
	if (progress->total && rate > 0)
		draw_left((total - progress->done) / rate);
	fflush(stderr);
	progress->drawn = true;
}

void progress_add(struct progress *progress, uint64_t bytes)
{
	double time;

	if (!progress || !progress->shown)
		return;
	progress->done += bytes;
	if (progress->done - progress->looked < LOOK_BYTES)
		return;
	progress->looked = progress->done;
	time = now();
	if (time < progress->next)
		return;
	progress->next = time + SECONDS;
	draw(progress, time - progress->begin);
}

void progress_end(struct progress *progress)
{
	if (progress && progress->drawn)
		fprintf(stderr, "\r\033[K");
	if (progress)
		*progress = (struct progress){ 0 };
}
