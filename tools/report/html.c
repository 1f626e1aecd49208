// SPDX-License-Identifier: MIT
/*
 * html.c - gpuoa report --html: write a self-contained HTML page that shows a recording
 */
#define _GNU_SOURCE /* asprintf */
#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "common/default_metrics.h"
#include "report/html.h"
#include "report/html_text.h"

#define SHOWN 8 /* number of tracks shown initially */

/* Constant parts of the page, which the build generates from the files in report/page */
static const char style[] =
#include "page_css.inc"
	;
static const char body[] =
#include "page_html.inc"
	;
static const char script[] =
#include "page_js.inc"
	;

static void put_key(FILE *file, const char *key)
{
	fprintf(file, ",\"%s\":", key);
}

static void put_string(FILE *file, const char *key, const char *text)
{
	put_key(file, key);
	html_put_string(file, text);
}

static void put_number(FILE *file, const char *key, double number)
{
	put_key(file, key);
	html_put_number(file, number);
}

static void put_truth(FILE *file, const char *key, bool truth)
{
	put_key(file, key);
	fputs(truth ? "true" : "false", file);
}

enum times { BEGINS, ENDS };

static int put_times(FILE *file, const char *key, const struct timeseries *unit, enum times which)
{
	const struct series *series = &unit->series;
	double *times = malloc((series->count + 1) * sizeof(*times));

	if (!times)
		return fail("out of memory");
	for (size_t i = 0; i < series->count; i++)
		times[i] = timeseries_seconds(unit, which == BEGINS ? series->steps[i].begin :
								      series->steps[i].end);
	put_key(file, key);
	html_put_bytes(file, times, series->count * sizeof(*times));
	free(times);
	return EXIT_OK;
}

static int put_means(FILE *file, const struct series *series, const struct series_track *track)
{
	float *means = malloc((series->count + 1) * sizeof(*means));

	if (!means)
		return fail("out of memory");
	for (size_t i = 0; i < series->count; i++)
		means[i] = series_mean(series, track, i);
	put_key(file, "mean");
	html_put_bytes(file, means, series->count * sizeof(*means));
	free(means);
	return EXIT_OK;
}

/* Write a track. The steps are left out if the metric is constant. */
static int put_track(FILE *file, const struct series *series, const struct series_track *track)
{
	const size_t size = series->count * sizeof(float);

	put_number(file, "lowest", track->lowest);
	put_number(file, "highest", track->highest);
	put_number(file, "average", track->average);
	if (track->lowest == track->highest)
		return EXIT_OK;
	if (series->stride > 1) {
		put_key(file, "least");
		html_put_bytes(file, track->least, size);
		put_key(file, "largest");
		html_put_bytes(file, track->largest, size);
	}
	return put_means(file, series, track);
}

static int put_metric(FILE *file, const struct timeseries *unit, size_t number, bool shown)
{
	const struct column *column = &unit->evaluation.columns.list[number];
	const struct series_track *track = &unit->series.tracks[number];
	struct gpuoa_metric_desc desc;

	gpuoa_metric_describe(column->metric, &desc, sizeof(desc));
	fputs("{\"symbol\":", file);
	html_put_string(file, desc.symbol);
	put_string(file, "name", desc.name);
	put_string(file, "description", desc.description);
	put_string(file, "group", desc.group);
	put_string(file, "unit", track->scaling.unit);
	put_truth(file, "word", track->scaling.is_word);
	put_truth(file, "relative", track->scaling.relative);
	put_truth(file, "shown", shown);
	if (put_track(file, &unit->series, track))
		return EXIT_FAILED;
	fputs("}\n", file);
	return EXIT_OK;
}

static bool is_chosen(size_t number, const size_t *chosen, size_t count)
{
	for (size_t i = 0; i < count; i++)
		if (chosen[i] == number)
			return true;
	return false;
}

/*
 * Write the metrics that the GPU has. Columns of information items are skipped, because they are
 * not metrics.
 */
static int put_metrics(FILE *file, const struct timeseries *unit)
{
	const struct columns *columns = &unit->evaluation.columns;
	const bool asked = unit->evaluation.request.metrics;
	size_t chosen[SHOWN], count = default_metrics_select(columns, &unit->series, chosen, SHOWN);
	const char *separator = "";

	put_key(file, "metrics");
	fputs("[", file);
	for (size_t i = 0; i < columns->count; i++) {
		if (!columns->list[i].metric || columns->list[i].absent)
			continue;
		fputs(separator, file);
		separator = ",";
		if (put_metric(file, unit, i, asked || is_chosen(i, chosen, count)))
			return EXIT_FAILED;
	}
	fputs("]", file);
	return EXIT_OK;
}

static void put_gaps(FILE *file, const struct timeseries *unit)
{
	const struct series *series = &unit->series;

	put_key(file, "gaps");
	for (size_t i = 0; i < series->gap_count; i++) {
		fprintf(file, "%c[", i ? ',' : '[');
		html_put_number(file, timeseries_seconds(unit, series->gaps[i].begin));
		putc(',', file);
		html_put_number(file, timeseries_seconds(unit, series->gaps[i].end));
		fprintf(file, ",%" PRIu64 "]", series->gaps[i].lost);
	}
	fputs(series->gap_count ? "]" : "[]", file);
	put_number(file, "gapCount", series->gap_count + series->gaps_left_out);
	put_number(file, "lost", unit->evaluation.lost);
}

/* Write the values as text, because a JavaScript number cannot hold 64 bits. */
static void put_marks(FILE *file, const struct timeseries *unit)
{
	const char *separator = "";

	put_key(file, "marks");
	putc('[', file);
	for (size_t i = 1; i < unit->marks.count; i++) {
		fprintf(file, "%s[", separator);
		separator = ",";
		html_put_number(file, timeseries_seconds(unit, unit->marks.list[i].begin));
		fprintf(file, ",\"%" PRIu64 "\"]", unit->marks.values[i]);
	}
	putc(']', file);
}

static int put_unit(FILE *file, const struct timeseries *unit)
{
	const struct series *series = &unit->series;
	char title[512];

	snprintf(title, sizeof(title), "%s, %s: %s (%s)", unit->recorded.unit.name,
		 gpuoa_platform_title(unit->recorded.platform), unit->evaluation.set.name,
		 unit->evaluation.set.symbol);
	fputs("{\"title\":", file);
	html_put_string(file, title);
	put_string(file, "name", unit->recorded.unit.name);
	put_string(file, "set", unit->evaluation.set.symbol);
	put_number(file, "covered", series_covered(series));
	put_number(file, "rows", series->rows);
	put_number(file, "stride", series->stride);
	put_gaps(file, unit);
	put_marks(file, unit);
	if (put_times(file, "begin", unit, BEGINS) || put_times(file, "end", unit, ENDS) ||
	    put_metrics(file, unit))
		return EXIT_FAILED;
	fputs("}", file);
	return EXIT_OK;
}

/* A security policy that allows the inline style and script only */
static const char policy[] =
	"<meta http-equiv=\"Content-Security-Policy\" "
	"content=\"default-src 'none'; style-src 'unsafe-inline'; script-src 'unsafe-inline'\">\n";

static void put_head(FILE *file, const char *recording)
{
	fputs("<!DOCTYPE html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n", file);
	fputs(policy, file);
	fputs("<meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n<title>",
	      file);
	html_put_text(file, recording);
	fputs(" - gpuoa</title>\n<style>\n", file);
	fputs(style, file);
	fputs("</style>\n</head>\n", file);
	fputs(body, file);
}

/*
 * Write the page. Returns an exit code; prints any error except write errors. The caller must check
 * for these with ferror().
 */
static int html_write(FILE *file, const char *recording, const struct timeseries_list *units)
{
	const char *slash = strrchr(recording, '/');
	const char *name = slash ? slash + 1 : recording;

	put_head(file, name);
	fputs("<script type=\"application/json\" id=\"data\">\n{\"file\":", file);
	html_put_string(file, name);
	put_string(file, "version", gpuoa_version());
	put_key(file, "units");
	for (size_t i = 0; i < units->count; i++) {
		putc(i ? ',' : '[', file);
		if (put_unit(file, &units->list[i]))
			return EXIT_FAILED;
	}
	fputs("]}\n</script>\n<script>\n", file);
	fputs(script, file);
	fputs("</script>\n</body>\n</html>\n", file);
	return EXIT_OK;
}

/* Maximum number of steps per track. It limits a page with 60 metrics to about 4 MB. */
#define STEPS 4096

/* Write the page to a file. If the page is incomplete, delete the file. */
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
