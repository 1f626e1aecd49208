// SPDX-License-Identifier: MIT
/*
 * terminal.c - get properties of the terminal, and show the progress of work on it
 */
#include <langinfo.h>
#include <limits.h>
#include <locale.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

#include "common/terminal.h"

#define USUAL_WIDTH 80

int terminal_width(FILE *file)
{
	const char *columns = getenv("COLUMNS");
	struct winsize size;

	if (!ioctl(fileno(file), TIOCGWINSZ, &size) && size.ws_col)
		return size.ws_col;
	return columns && atoi(columns) > 0 ? atoi(columns) : USUAL_WIDTH;
}

int terminal_limit(FILE *file)
{
	return isatty(fileno(file)) || getenv("COLUMNS") ? terminal_width(file) : INT_MAX;
}

bool terminal_has_colours(FILE *file)
{
	const char *no_color = getenv("NO_COLOR"), *term = getenv("TERM");

	if (no_color && *no_color)
		return false;
	return isatty(fileno(file)) && term && strcmp(term, "dumb");
}

bool terminal_is_utf8(void)
{
	locale_t locale = newlocale(LC_CTYPE_MASK, "", (locale_t)0);
	bool utf8;

	if (!locale)
		return false;
	utf8 = !strcmp(nl_langinfo_l(CODESET, locale), "UTF-8");
	freelocale(locale);
	return utf8;
}

#define LOOK_BYTES (1 << 20) /* number of bytes after which the clock is read again */
/* delay of the first update in seconds, so that short work shows no progress */
#define FIRST_SECONDS 1.0
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
	/*
	 * The file may have grown after its size was read, so the number of bytes done can exceed
	 * it.
	 */
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
