// SPDX-License-Identifier: MIT
/*
 * windows.c - export EU stalls over time, alongside the metrics of the same recording, or alone as
 * CSV
 */
#include <errno.h>
#include <inttypes.h>
#include <string.h>

#include "export/export.h"
#include "gpuoa-stalls.h"

/* A recording returns a window with many addresses in parts, with the same times. */
struct window {
	struct export_window sums;
	bool begun;
	uint64_t previous_ns; /* end of the previous window; 0: this is the first one */
};

static void flush(struct export *export, struct window *window)
{
	const struct export_format *format = export->options->format;

	if (!window->begun)
		return;
	window->begun = false;
	if (format->window) {
		format->window(export, &window->sums);
		return;
	}
	/* Windows without samples are not in the recording. */
	if (window->previous_ns && window->previous_ns < window->sums.begin_ns)
		format->rates(export, window->previous_ns, NULL);
	format->rates(export, window->sums.begin_ns, &window->sums);
	if (window->sums.losses)
		format->lost_records(export, &window->sums);
}

static void finish(struct export *export, struct window *window)
{
	const struct export_format *format = export->options->format;

	flush(export, window);
	if (format->rates && window->sums.end_ns)
		format->rates(export, window->sums.end_ns, NULL);
}

static void add(struct export *export, struct window *window, const struct gpuoa_stall_window *read,
		struct gpuoa_stall_sums *sums)
{
	uint64_t counts[GPUOA_STALL_REASONS];

	if (!window->begun || window->sums.begin_ns != read->begin_ns) {
		flush(export, window);
		window->begun = true;
		window->previous_ns = window->sums.end_ns;
		window->sums = (struct export_window){
			.begin_ns = read->begin_ns,
			.end_ns = read->end_ns,
		};
	}
	window->sums.losses += read->losses;
	gpuoa_stall_sums_total(sums, counts);
	for (unsigned int k = 0; k < GPUOA_STALL_REASONS; k++)
		window->sums.counts[k] += counts[k];
	gpuoa_stall_sums_clear(sums);
}

double export_window_rate(const struct export_window *window, unsigned int reason)
{
	if (!window || window->end_ns <= window->begin_ns)
		return 0;
	return (double)window->counts[reason] * NSEC_PER_MSEC /
	       (double)(window->end_ns - window->begin_ns);
}

void export_stalls_title(const struct gpuoa_stall_desc *desc, char *text, size_t size)
{
	snprintf(text, size, "%s (%s): EU stalls", desc->device, desc->title);
}

bool export_has_windows(const struct export_options *options)
{
	struct gpuoa_stall_file *file;

	if (!options->format->begin_windows ||
	    gpuoa_stall_file_open(options->recording.file, &file, NULL, 0))
		return false;
	gpuoa_stall_file_close(file);
	return true;
}

bool export_has_streams(const struct export_options *options)
{
	struct gpuoa_reader *reader;
	const int err = gpuoa_file_open(options->recording.file, &reader, NULL, 0);

	if (!err)
		gpuoa_reader_close(reader);
	return err != -ENODATA;
}

int export_windows(struct export *export)
{
	const struct recording_options *options = &export->options->recording;
	struct gpuoa_stall_window read;
	struct gpuoa_stall_sums *sums;
	struct gpuoa_stall_file *file;
	struct window window = { .begun = false };
	struct gpuoa_stall_desc desc;
	char error[512];
	int err;

	if (options->clock_given || options->part) {
		note(export->tool,
		     "%s: EU stalls are left out: --clock and --time do not apply to them",
		     options->file);
		return EXIT_OK;
	}
	if (export->units && export->options->format->cpu_clock && !export->clock.name) {
		note(export->tool,
		     "%s: EU stalls are left out: the other times are GPU time, which the recording "
		     "does not relate to CPU time",
		     options->file);
		return EXIT_OK;
	}
	if (gpuoa_stall_file_open(options->file, &file, error, sizeof(error)))
		return fail("%s", error);
	if (gpuoa_stall_sums_new(&sums)) {
		gpuoa_stall_file_close(file);
		return fail("out of memory");
	}
	gpuoa_stall_file_describe(file, &desc, sizeof(desc));
	export->in_windows = true;
	export->options->format->begin_windows(export, &desc);
	while ((err = gpuoa_stall_file_next(file, &read, sizeof(read), sums)) > 0)
		add(export, &window, &read, sums);
	finish(export, &window);
	gpuoa_stall_sums_free(sums);
	gpuoa_stall_file_close(file);
	return err ? fail("%s: cannot read EU stalls: %s", options->file,
			  err == -EBADMSG ? "the file is damaged" : strerror(-err)) :
		     EXIT_OK;
}

/* ---- CSV: a row per window ---- */

static void put_header(struct export *export, const struct gpuoa_stall_desc *desc)
{
	(void)desc;
	fputs("begin_ns,end_ns,losses", export->file);
	for (unsigned int k = 0; k < GPUOA_STALL_REASON_COUNT; k++)
		fprintf(export->file, ",%s", profile_reason(k));
	fputc('\n', export->file);
}

static void put_counts(struct export *export, const struct export_window *window)
{
	fprintf(export->file, "%" PRIu64 ",%" PRIu64 ",%" PRIu32, window->begin_ns, window->end_ns,
		window->losses);
	for (unsigned int k = 0; k < GPUOA_STALL_REASON_COUNT; k++)
		fprintf(export->file, ",%" PRIu64, window->counts[k]);
	fputc('\n', export->file);
}

const struct export_format export_stalls_csv = {
	.name = "stalls",
	.suffixes = ".stalls.csv",
	.only_windows = true,
	.begin_windows = put_header,
	.window = put_counts,
};
