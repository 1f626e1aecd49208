// SPDX-License-Identifier: MIT
/*
 * report_html.c - gpuoa report --html: write a page that shows a recording
 */
#define _GNU_SOURCE /* asprintf */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "report/html.h"
#include "report/report_html.h"

/* Maximum number of steps per track: a page with 60 metrics has at most about 4 MB. */
#define STEPS 4096

/* Write the page; delete it if it is incomplete. */
static int write_page(const struct tool *tool, const char *path, const char *recording,
		      const struct timeseries_list *units)
{
	FILE *file = fopen(path, "we");
	int ret, err = 0;

	if (!file)
		return fail("%s: %s", path, strerror(errno));
	ret = html_write(file, recording, units);
	if (ferror(file) || fflush(file))
		err = errno;
	if (fclose(file) && !err)
		err = errno;
	if (err)
		ret = fail("%s: %s", path, strerror(err));
	if (ret)
		unlink(path);
	else
		note(tool, "%s: page written; open it in a browser", path);
	return ret;
}

int report_html(const struct tool *tool, const struct report_options *options)
{
	const struct timeseries_request request = {
		.recording = options->recording,
		.steps = STEPS,
	};
	const char *path = options->output;
	struct timeseries_list units;
	char *beside = NULL;
	int ret = timeseries_read(&units, tool, &request), written;

	if (!path) {
		if (asprintf(&beside, "%s.html", options->recording.file) < 0) {
			timeseries_free(&units);
			return fail("out of memory");
		}
		path = beside;
	}
	if (units.count) {
		written = write_page(tool, path, options->recording.file, &units);
		ret = ret ? ret : written;
	}
	free(beside);
	timeseries_free(&units);
	return ret;
}
