// SPDX-License-Identifier: MIT
/*
 * course.c - the data of plots and HTML reports
 */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "common/course.h"
#include "common/recording.h"

static int evaluate(struct course *course, const struct tool *tool,
		    const struct course_request *asked)
{
	struct evaluation_request request = recorded_request(&course->recorded);
	struct progress progress;
	int ret;

	course->series.room = asked->steps;
	course->sink = (struct evaluation_sink){ .take = series_take, .context = &course->series };
	request.sink = &course->sink;
	recording_options_limit(&asked->recording, &course->recorded, &request);
	request.progress = &progress;
	ret = evaluation_open(&course->evaluation, tool, &request);
	if (ret)
		return ret;
	course->evaluated = true;
	progress_begin_file(&progress, tool, asked->recording.file);
	/* Of a damaged file, show the part that could be read. */
	ret = evaluation_drain(&course->evaluation, course->recorded.reader);
	evaluation_losses(&course->evaluation);
	series_finish(&course->series, &course->evaluation);
	return course->series.no_memory ? fail("out of memory") : ret;
}

static void close_course(struct course *course)
{
	series_free(&course->series);
	marks_free(&course->marks);
	if (course->evaluated)
		evaluation_close(&course->evaluation);
	recorded_close(&course->recorded);
}

/* Read an open stream. */
static int read_course(struct courses *courses, const struct tool *tool,
		       const struct course_request *request)
{
	struct course *course = &courses->list[courses->count];
	int ret = marks_find(&course->marks, request->recording.file, course->recorded.desc.stream,
			     course->recorded.set);

	if (!ret)
		ret = evaluate(course, tool, request);
	if (course->series.count) {
		courses->count++;
		return ret;
	}
	if (!ret)
		recorded_note_nothing(&course->recorded, tool);
	close_course(course);
	return ret;
}

static int read_stream(struct courses *courses, const struct tool *tool,
		       const struct course_request *request, uint32_t stream)
{
	struct course *course = &courses->list[courses->count];
	int ret;

	*course = (struct course){ .evaluated = false };
	ret = tool->device ? recorded_open(&course->recorded, tool, request->recording.file,
					   request->recording.set) :
			     recorded_open_stream(&course->recorded, tool, request->recording.file,
						  stream, request->recording.set);
	return ret ? ret : read_course(courses, tool, request);
}

int courses_read(struct courses *courses, const struct tool *tool,
		 const struct course_request *request)
{
	uint32_t streams;
	int ret, one;

	*courses = (struct courses){ .count = 0 };
	ret = recording_streams(request->recording.file, &streams);
	if (ret)
		return ret;
	if (tool->device)
		streams = 1;
	courses->list = calloc(streams + 1, sizeof(*courses->list));
	if (!courses->list)
		return fail("out of memory");
	for (uint32_t i = 0; i < streams; i++) {
		one = read_stream(courses, tool, request, i);
		ret = ret ? ret : one;
	}
	return ret || courses->count ? ret : EXIT_FAILED;
}

void courses_free(struct courses *courses)
{
	for (size_t i = 0; i < courses->count; i++)
		close_course(&courses->list[i]);
	free(courses->list);
	*courses = (struct courses){ 0 };
}

double course_seconds(const struct course *course, uint64_t ticks)
{
	return (double)ticks / course->series.frequency;
}

void courses_span(const struct courses *courses, double *begin, double *end)
{
	*begin = INFINITY;
	*end = -INFINITY;
	for (size_t i = 0; i < courses->count; i++) {
		const struct course *course = &courses->list[i];
		const struct series *series = &course->series;

		*begin = fmin(*begin, course_seconds(course, series->steps[0].begin));
		*end = fmax(*end, course_seconds(course, series->steps[series->count - 1].end));
	}
}
