// SPDX-License-Identifier: MIT
/* occupancy.c - threads on the EUs, from OA reports in a recording of EU stalls */
#include "stalls/occupancy.h"

#include <stdio.h>
#include <string.h>

#include "common/recording.h"
#include "common/scaling.h"
#include "gpuoa-stalls.h"

/* The metrics, in percent of the GPU's clocks, which are the weights of intervals */
enum { CLOCKS, ACTIVE, STALLED, THREADS, METRICS };

static const char *const symbols[METRICS] = {
	[CLOCKS] = "GpuCoreClocks",
	[ACTIVE] = "XVE_ACTIVE",
	[STALLED] = "XVE_STALL",
	[THREADS] = "XVE_THREADS_OCCUPANCY_ALL",
};

#define SYMBOLS "GpuCoreClocks,XVE_ACTIVE,XVE_STALL,XVE_THREADS_OCCUPANCY_ALL"

/* Sums of the intervals: [CLOCKS] the clocks, the others percent times clocks */
struct sums {
	double values[METRICS];
};

/* Find the column of a metric. The evaluation has all of them. */
static const struct column *find(const struct columns *columns, const char *symbol)
{
	const struct column *column = columns->list;

	while (strcmp(column->symbol, symbol))
		column++;
	return column;
}

static void add_rows(void *context, const struct evaluation *evaluation, void *const *columns,
		     const struct gpuoa_interval *intervals, size_t count)
{
	const struct column *clock = find(&evaluation->columns, symbols[CLOCKS]);
	const void *clocks = columns[clock->index];
	struct sums *sums = context;

	(void)intervals;
	for (int m = CLOCKS + 1; m < METRICS; m++) {
		const struct column *column = find(&evaluation->columns, symbols[m]);
		const void *values = columns[column->index];

		for (size_t i = 0; i < count && !column->absent; i++)
			sums->values[m] += scaling_column_value(column, values, i) *
					   scaling_column_value(clock, clocks, i);
	}
	for (size_t i = 0; i < count; i++)
		sums->values[CLOCKS] += scaling_column_value(clock, clocks, i);
}

static bool has_metrics(const struct gpuoa_set *set)
{
	for (int m = 0; m < METRICS; m++)
		if (!gpuoa_set_find_metric(set, symbols[m]))
			return false;
	return true;
}

/* Returns false if an error was printed before any interval. */
static bool add_up(const struct recorded *recorded, const struct tool *tool, struct sums *sums)
{
	const struct evaluation_sink sink = { .take = add_rows, .context = sums };
	struct evaluation_request request = recorded_request(recorded);
	struct evaluation evaluation;

	request.metrics = SYMBOLS;
	request.sink = &sink;
	if (evaluation_open(&evaluation, tool, &request))
		return false;
	evaluation_drain(&evaluation, recorded->reader);
	evaluation_settle(&evaluation);
	evaluation_close(&evaluation);
	return sums->values[CLOCKS] > 0;
}

static void judge(struct occupancy *occupancy, const struct recorded *recorded,
		  const struct tool *tool)
{
	struct sums sums = { { 0 } };
	struct gpuoa_set_desc set;
	double loaded;

	if (!add_up(recorded, tool, &sums))
		return;
	gpuoa_set_describe(recorded->set, &set, sizeof(set));
	snprintf(occupancy->set, sizeof(occupancy->set), "%s", set.symbol);
	occupancy->known = true;
	occupancy->active = sums.values[ACTIVE] / sums.values[CLOCKS];
	occupancy->stalled = sums.values[STALLED] / sums.values[CLOCKS];
	occupancy->threads = sums.values[THREADS] / sums.values[CLOCKS];
	loaded = occupancy->active + occupancy->stalled;
	if (loaded > 0)
		occupancy->loaded_threads = 100 * occupancy->threads / loaded;
	/* Counters are not read at the same instant. */
	if (occupancy->loaded_threads > 100)
		occupancy->loaded_threads = 100;
}

static uint32_t count_streams(const char *file)
{
	struct gpuoa_reader_desc desc;
	struct gpuoa_reader *reader;

	if (gpuoa_file_open(file, &reader, NULL, 0))
		return 0;
	gpuoa_reader_describe(reader, &desc, sizeof(desc));
	gpuoa_reader_close(reader);
	return desc.streams;
}

void occupancy_read(struct occupancy *occupancy, const struct tool *tool, const char *file)
{
	struct gpuoa_stall_file *stalls;
	struct gpuoa_stall_desc desc;
	struct recorded recorded;
	uint32_t streams;

	*occupancy = (struct occupancy){ .known = false };
	/* The file can also be a CSV file, or the standard input. */
	if (!strcmp(file, "-") || gpuoa_stall_file_open(file, &stalls, NULL, 0))
		return;
	gpuoa_stall_file_describe(stalls, &desc, sizeof(desc));
	gpuoa_stall_file_close(stalls);
	streams = count_streams(file);
	for (uint32_t i = 0; i < streams && !occupancy->known; i++) {
		if (recorded_open_stream(&recorded, tool, file, i, NULL))
			continue;
		if (!strcmp(recorded.unit.parent, desc.device) && has_metrics(recorded.set))
			judge(occupancy, &recorded, tool);
		recorded_close(&recorded);
	}
}

/* Shares of occupied thread slots that are few, and almost all */
#define FEW 50.0
#define MOST 75.0

void occupancy_text(const struct occupancy *occupancy, bool stage1, char *text, size_t size)
{
	const char *meaning = "";

	*text = '\0';
	if (!occupancy->known)
		return;
	if (stage1 && occupancy->loaded_threads < FEW)
		meaning =
			" More threads can hide these stalls: more or larger work-groups, and fewer "
			"registers and less local memory per thread.";
	else if (stage1 && occupancy->loaded_threads > MOST)
		meaning = " More threads hardly help.";
	snprintf(text, size,
		 "%s: EUs had threads %.1f %% of the time (active %.1f %%, stalled %.1f %%), and "
		 "then in %.1f %% of their thread slots.%s",
		 occupancy->set, occupancy->active + occupancy->stalled, occupancy->active,
		 occupancy->stalled, occupancy->loaded_threads, meaning);
}
