// SPDX-License-Identifier: MIT
/*
 * export.c - iteration over the units of a recording, calling a format's callbacks
 */
#include <errno.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "export/export.h"
#include "common/thread_pool.h"
#include "common/recording.h"

struct export_time export_time(const struct export *export, uint64_t ticks)
{
	struct export_time time = { .ticks = ticks };

	if (!export->clock.name)
		time.ns = gpuoa_ticks_to_ns(export->evaluation.frequency, ticks);
	else
		gpuoa_time_to_cpu(export->time, export->clock.id, ticks, &time.ns, NULL);
	return time;
}

void export_unit_title(const struct export *export, char *text, size_t size)
{
	const struct recorded *recorded = &export->recorded;

	snprintf(text, size, "%s (%s): %s", recorded->unit.name,
		 gpuoa_platform_title(recorded->platform), export->evaluation.set.symbol);
}

void export_gap_title(const struct export_gap *gap, char *text, size_t size)
{
	if (gap->lost)
		snprintf(text, size, "%s%" PRIu64 " reports lost",
			 gap->lost_unknown ? "more than " : "", gap->lost);
	else
		snprintf(text, size, "%s",
			 gap->lost_unknown ? "an unknown number of reports lost" : "no reports");
}

/* Write the marks up to a time. */
static void tell_marks(struct export *export, uint64_t until)
{
	const struct marks *marks = &export->marks;

	for (; export->marks_told < marks->count; export->marks_told++) {
		const uint64_t ticks = marks->list[export->marks_told].begin;
		struct export_time time;

		/* The first span is the one before any mark. */
		if (!ticks)
			continue;
		if (ticks > until)
			return;
		time = export_time(export, ticks);
		export->options->format->mark(export, &time, marks->values[export->marks_told]);
	}
}

static void tell_gap(struct export *export, struct export_time begin, struct export_time end)
{
	const struct export_format *format = export->options->format;
	const struct evaluation *evaluation = &export->evaluation;
	const struct export_gap gap = {
		.begin = begin,
		.end = end,
		.lost = evaluation->lost - export->lost,
		.lost_unknown = evaluation->lost_unknown,
	};

	if (format->pause)
		format->pause(export, &begin);
	if (format->gap)
		format->gap(export, &gap);
}

/* Report each loss once, at its gap. */
static void note_losses(struct export *export)
{
	export->lost = export->evaluation.lost;
	export->lost_unknown |= export->evaluation.lost_unknown;
	export->evaluation.lost_unknown = false;
}

static void take_rows(void *context, const struct evaluation *evaluation, void *const *columns,
		      const struct gpuoa_interval *intervals, size_t count)
{
	struct export *export = context;

	(void)evaluation;
	for (size_t i = 0; i < count; i++) {
		const struct export_row row = {
			.begin = export_time(export, intervals[i].begin),
			.end = export_time(export, intervals[i].end),
			.resumes = !export->running || intervals[i].begin != export->end,
			.columns = columns,
			.number = i,
		};

		if (export->running && row.resumes)
			tell_gap(export, export_time(export, export->end), row.begin);
		if (export->options->format->mark)
			tell_marks(export, row.begin.ticks);
		note_losses(export);
		export->options->format->row(export, &row);
		export->running = true;
		export->end = row.end.ticks;
		export->rows++;
	}
}

static void end_unit(struct export *export)
{
	const struct export_format *format = export->options->format;
	const struct export_time end = export_time(export, export->end);

	note_losses(export);
	if (export->running && format->pause)
		format->pause(export, &end);
	if (format->mark)
		tell_marks(export, UINT64_MAX);
	if (format->end_unit)
		format->end_unit(export);
	export->evaluation.lost_unknown = export->lost_unknown;
	evaluation_losses(&export->evaluation);
	if (!export->evaluation.intervals_done)
		recorded_note_nothing(&export->recorded, export->tool);
}

/* Without --clock, a format with .cpu_clock uses CLOCK_MONOTONIC if the recording has it. */
static int find_clock(struct export *export)
{
	static const struct clock_choice usual = { "monotonic", CLOCK_MONOTONIC };
	const struct export_options *options = export->options;
	struct gpuoa_reader *reader = export->recorded.reader;
	uint64_t ns;

	export->clock = options->recording.clock;
	if (options->recording.clock_given || !options->format->cpu_clock)
		return clocks_find(&export->clock, options->recording.file, reader, &export->time);
	switch (gpuoa_reader_time(reader, &export->time)) {
	case 0:
		break;
	case -ENOMEM:
		return fail("out of memory");
	default:
		return EXIT_OK;
	}
	if (gpuoa_time_to_cpu(export->time, usual.id, 0, &ns, NULL) != -ENODATA)
		export->clock = usual;
	else
		note(export->tool,
		     "%s: the recording does not relate GPU time to CPU time; writing GPU time",
		     options->recording.file);
	return EXIT_OK;
}

static int find_marks(struct export *export)
{
	const struct recorded *recorded = &export->recorded;

	return export->options->format->mark ? marks_find(&export->marks, recorded->file,
							  recorded->desc.stream, recorded->set) :
					       EXIT_OK;
}

static int open_evaluation(struct export *export, const struct evaluation_sink *sink)
{
	struct evaluation_request request = recorded_request(&export->recorded);

	recording_options_limit(&export->options->recording, &export->recorded, &request);
	if (export->options->format->csv) {
		request.rows = true;
		request.csv = export->file;
		request.time = export->time;
		request.clock_id = export->clock.id;
	} else {
		request.sink = sink;
	}
	request.jobs = jobs_for(export->options->jobs, export->options->recording.file);
	request.progress = &export->progress;
	return evaluation_open(&export->evaluation, export->tool, &request);
}

static int export_rows(struct export *export)
{
	const struct export_format *format = export->options->format;
	const struct evaluation_sink sink = { .take = take_rows, .context = export };
	int ret = open_evaluation(export, &sink);

	if (ret)
		return ret;
	ret = format->begin_unit ? format->begin_unit(export) : EXIT_OK;
	if (!ret) {
		/* Of a damaged file, export the part that could be read. */
		ret = evaluation_drain(&export->evaluation, export->recorded.reader);
		end_unit(export);
	}
	evaluation_close(&export->evaluation);
	return ret;
}

/* Export the open unit. */
static int export_unit(struct export *export)
{
	int ret = find_clock(export);

	if (!ret)
		ret = find_marks(export);
	progress_begin_file(&export->progress, export->tool, export->options->recording.file);
	if (!ret)
		ret = export_rows(export);
	marks_free(&export->marks);
	recorded_close(&export->recorded);
	export->marks = (struct marks){ .count = 0 };
	export->marks_told = 0;
	export->running = false;
	export->rows = 0;
	export->lost = 0;
	export->lost_unknown = false;
	export->units++;
	return ret;
}

static int export_all(struct export *export, uint32_t streams)
{
	const struct export_options *options = export->options;
	int ret, worst = EXIT_OK;

	if (export->tool->device || options->format->one_unit || streams == 1) {
		ret = recorded_open(&export->recorded, export->tool, options->recording.file,
				    options->recording.set);
		return ret ? ret : export_unit(export);
	}
	for (uint32_t i = 0; i < streams; i++) {
		ret = recorded_open_stream(&export->recorded, export->tool, options->recording.file,
					   i, options->recording.set);
		if (!ret)
			ret = export_unit(export);
		if (ret)
			worst = ret;
	}
	return worst;
}

int export_run(const struct tool *tool, const struct export_options *options, FILE *file)
{
	const struct export_format *format = options->format;
	struct export export = { .tool = tool, .options = options, .file = file };
	uint32_t streams;
	int ret;

	if (format->copy)
		return format->copy(&export);
	ret = recording_streams(options->recording.file, &streams);
	if (ret)
		return ret;
	export.state = calloc(1, format->state_size + 1);
	if (!export.state)
		return fail("out of memory");
	ret = format->begin ? format->begin(&export) : EXIT_OK;
	if (!ret) {
		ret = export_all(&export, streams);
		if (format->end && format->end(&export))
			ret = EXIT_FAILED;
	}
	free(export.state);
	return ret;
}
