// SPDX-License-Identifier: MIT
/*
 * marks.c - divide a recording into the spans between marks
 */
#include <stdlib.h>
#include <string.h>

#include "common/marks.h"
#include "common/recording.h"

struct mark {
	uint64_t ticks;
	uint64_t value;
	size_t number; /* order of discovery; of several marks with one time, the last one counts */
};

/* Marks found while a recording is read */
struct search {
	struct mark *marks;
	size_t count;
	size_t room;
	bool no_memory;
};

static void add(struct search *search, uint64_t ticks, uint64_t value)
{
	if (search->count == search->room) {
		const size_t room = search->room ? 2 * search->room : 64;
		struct mark *marks = reallocarray(search->marks, room, sizeof(*marks));

		if (!marks) {
			search->no_memory = true;
			return;
		}
		search->marks = marks;
		search->room = room;
	}
	search->marks[search->count] = (struct mark){ ticks, value, search->count };
	search->count++;
}

/* Find the reports that a GPU command triggered. Such a report contains the value of a mark. */
static void look_at_reports(struct search *search, const struct gpuoa_set *set,
			    const struct gpuoa_reader_desc *desc, const char *reports, int count,
			    uint64_t *now)
{
	struct gpuoa_report_desc report;

	for (int i = 0; i < count; i++, reports += desc->report_size) {
		*now = gpuoa_report_ticks(desc->format, reports, *now);
		if (!gpuoa_report_describe(set, desc->format, reports, &report, sizeof(report)) &&
		    report.has_marker)
			add(search, *now, report.marker);
	}
}

static int search_source(struct search *search, struct gpuoa_reader *reader,
			 const struct gpuoa_set *set)
{
	struct gpuoa_stream_marker marker;
	struct gpuoa_read_status status;
	struct gpuoa_reader_desc desc;
	const void *reports;
	uint64_t now = 0;
	int n;

	gpuoa_reader_describe(reader, &desc, sizeof(desc));
	do {
		n = gpuoa_reader_peek(reader, &reports, SIZE_MAX, &status);
		if (n >= 0 && status.has_clock)
			now = status.clock.gpu_ticks;
		if (n > 0)
			look_at_reports(search, set, &desc, reports, n, &now);
		while (gpuoa_reader_next_marker(reader, &marker, sizeof(marker)))
			add(search, marker.gpu_ticks, marker.value);
	} while (n > 0);
	/* Damaged reports are not counted here, because the evaluation reports them. */
	return search->no_memory ? fail("out of memory") : EXIT_OK;
}

static int compare(const void *a, const void *b)
{
	const struct mark *left = a, *right = b;

	if (left->ticks != right->ticks)
		return left->ticks < right->ticks ? -1 : 1;
	return left->number < right->number ? -1 : 1;
}

/* Convert marks to spans. If several marks have the same time, the last one counts. */
static int make_list(struct marks *marks, const struct search *search)
{
	uint64_t begin = 0, value = 0;

	marks->list = calloc(search->count + 1, sizeof(*marks->list));
	marks->values = calloc(search->count + 1, sizeof(*marks->values));
	if (!marks->list || !marks->values)
		return fail("out of memory");
	for (size_t i = 0; i <= search->count; i++) {
		const uint64_t end = i < search->count ? search->marks[i].ticks : UINT64_MAX;

		if (begin < end) {
			marks->list[marks->count] = (struct gpuoa_interval){ begin, end };
			marks->values[marks->count++] = value;
		}
		begin = end;
		value = i < search->count ? search->marks[i].value : 0;
	}
	return EXIT_OK;
}

int marks_find(struct marks *marks, const char *file, uint32_t stream, const struct gpuoa_set *set)
{
	struct search search = { 0 };
	struct gpuoa_reader *reader;
	char error[RECORDING_ERROR_SIZE];
	int ret;

	*marks = (struct marks){ 0 };
	if (gpuoa_file_open_stream(file, stream, &reader, error, sizeof(error)))
		return fail("%s", error);
	ret = search_source(&search, reader, set);
	gpuoa_reader_close(reader);
	if (search.count)
		qsort(search.marks, search.count, sizeof(*search.marks), compare);
	if (!ret)
		ret = make_list(marks, &search);
	free(search.marks);
	return ret;
}

void marks_free(struct marks *marks)
{
	free(marks->list);
	free(marks->values);
}

struct field marks_field(const struct marks *marks, uint64_t number)
{
	struct field field = { .name = "mark", .kind = FIELD_NONE };

	if (number && number < marks->count) {
		field.kind = FIELD_NUMBER;
		field.number = marks->values[number];
	}
	return field;
}
