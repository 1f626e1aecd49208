// SPDX-License-Identifier: MIT
/*
 * merge.c - merge the reports of several streams and recordings by time
 *
 * Units of one GPU share a clock, so their reports are compared by ticks. Reports of different GPUs
 * are compared by CPU time, which follows from all clock pairs of each GPU. Reports are not copied;
 * a run ends where another reader has an older report.
 */
#include <errno.h>
#include <limits.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "base/complaint.h"
#include "base/sized.h"
#include "base/ticks.h"
#include "gpuoa-merge.h"
#include "gpuoa-time.h"
#include "report/format.h"

/* Maximum number of readers. No machine has that many OA units, so a larger number is an error. */
#define SOURCES_MAX 65536u

struct merge_input {
	struct gpuoa_reader *reader;
	struct report_field timestamp;
	size_t report_size;
	uint32_t clock; /* index of its GPU's clock */

	const uint8_t *reports; /* available reports */
	size_t count;
	uint64_t ticks; /* time of the first report in .reports, which has not been returned */
	bool anchored; /* .ticks is a 64-bit GPU time; false: no clock pair has been read yet */
	/*
	 * .ticks is the time of a clock pair, which can be before or after that of the next report
	 */
	bool at_pair;
	struct gpuoa_read_status status; /* status of the read that returned .reports */
	bool has_status; /* .status has not been returned yet */
	bool ended;
};

struct gpuoa_merge {
	uint32_t count;
	/* clocks of the GPUs; the number of GPUs is at most .count, and unused entries are NULL */
	struct gpuoa_time **clocks;
	struct merge_input inputs[];
};

static bool same_gpu(const struct gpuoa_unit_desc *unit, const struct gpuoa_reader *other)
{
	struct gpuoa_unit_desc desc;

	gpuoa_reader_describe_unit(other, &desc, sizeof(desc));
	return *unit->parent && !strcmp(unit->parent, desc.parent) &&
	       unit->timestamp_frequency == desc.timestamp_frequency;
}

static int init_input(struct gpuoa_merge *merge, uint32_t index, struct gpuoa_reader *reader,
		      const struct complaint *complaint)
{
	const struct report_format *format;
	struct merge_input *input = &merge->inputs[index];
	struct gpuoa_reader_desc desc;
	struct gpuoa_unit_desc unit;
	uint32_t clock = 0;
	int err = 0;

	if (!reader)
		return COMPLAIN(complaint, -EINVAL, "there is no source %u", index);
	gpuoa_reader_describe(reader, &desc, sizeof(desc));
	gpuoa_reader_describe_unit(reader, &unit, sizeof(unit));
	format = format_get(desc.format);
	if (!format)
		return COMPLAIN(complaint, -EINVAL,
				"source %u has reports of format %u, which this library does not "
				"know",
				index, desc.format);
	if (!unit.timestamp_frequency)
		return COMPLAIN(complaint, -EINVAL,
				"source %u does not know how fast its GPU's clock is", index);
	for (uint32_t i = 0; i < index; i++)
		if (merge->inputs[i].reader == reader)
			return COMPLAIN(complaint, -EINVAL, "sources %u and %u are the same", i,
					index);
	while (clock < index && !same_gpu(&unit, merge->inputs[clock].reader))
		clock++;
	if (!merge->clocks[clock])
		err = gpuoa_time_open(unit.timestamp_frequency, &merge->clocks[clock]);
	*input = (struct merge_input){
		.reader = reader,
		.timestamp = format->timestamp,
		.report_size = desc.report_size,
		.clock = clock,
	};
	return err;
}

static int merge_open(struct gpuoa_reader *const *readers, uint32_t count,
		      struct gpuoa_merge **merge, const struct complaint *complaint)
{
	struct gpuoa_merge *new;
	int err = 0;

	if (!count)
		return COMPLAIN(complaint, -EINVAL, "there are no sources to merge");
	if (count > SOURCES_MAX)
		return COMPLAIN(complaint, -E2BIG, "%u sources are too many: %u can be merged",
				count, SOURCES_MAX);
	new = calloc(1, sizeof(*new) + count * sizeof(new->inputs[0]));
	if (!new)
		return -ENOMEM;
	new->count = count;
	new->clocks = calloc(count, sizeof(*new->clocks));
	if (!new->clocks)
		err = -ENOMEM;
	for (uint32_t i = 0; i < count && !err; i++)
		err = init_input(new, i, readers[i], complaint);
	if (err) {
		gpuoa_merge_close(new);
		return err;
	}
	*merge = new;
	return 0;
}

int gpuoa_merge_open(struct gpuoa_reader *const *readers, uint32_t count,
		     struct gpuoa_merge **merge, char *error, size_t error_size)
{
	const struct complaint complaint = complaint_begin(error, error_size);

	return complaint_end(&complaint, merge_open(readers, count, merge, &complaint));
}

void gpuoa_merge_close(struct gpuoa_merge *merge)
{
	if (!merge)
		return;
	for (uint32_t i = 0; merge->clocks && i < merge->count; i++)
		gpuoa_time_close(merge->clocks[i]);
	free(merge->clocks);
	free(merge);
}

static uint64_t first_timestamp(const struct merge_input *input)
{
	return report_read(input->reports, input->timestamp);
}

static int take_clock(struct gpuoa_merge *merge, struct merge_input *input)
{
	if (!input->status.has_clock)
		return 0;
	input->ticks = input->status.clock.gpu_ticks;
	input->anchored = true;
	input->at_pair = true;
	return gpuoa_time_add(merge->clocks[input->clock], &input->status.clock);
}

/* Compute the time of the first report that has been read but not returned. */
static void take_time(struct merge_input *input)
{
	const uint64_t mask = field_mask(input->timestamp);
	const uint64_t timestamp = first_timestamp(input);

	input->ticks = input->at_pair ? ticks_near(input->ticks, timestamp, mask) :
					ticks_after(input->ticks, timestamp, mask);
	input->at_pair = false;
}

/* Return the CPU time in ns of the first report in .reports; .anchored must be true. */
static uint64_t cpu_time(const struct gpuoa_merge *merge, const struct merge_input *input)
{
	uint64_t ns = 0;

	gpuoa_time_to_cpu(merge->clocks[input->clock], CLOCK_MONOTONIC, input->ticks, &ns, NULL);
	return ns;
}

/*
 * True if the first report of @a goes before that of @b: it is older, or equally old and @a has the
 * lower index.
 */
static bool goes_first(const struct gpuoa_merge *merge, const struct merge_input *a,
		       const struct merge_input *b)
{
	/* A report of unknown time goes first, so that the other readers need not wait for it. */
	if (!a->anchored || !b->anchored)
		return a->anchored == b->anchored ? a < b : !a->anchored;
	if (a->clock == b->clock)
		return a->ticks != b->ticks ? a->ticks < b->ticks : a < b;
	const uint64_t time_a = cpu_time(merge, a), time_b = cpu_time(merge, b);

	return time_a != time_b ? time_a < time_b : a < b;
}

static bool tells_something(const struct gpuoa_read_status *status)
{
	return status->gap || status->lost_unknown || status->lost_overflow ||
	       status->lost_hardware || status->lost_ring || status->damaged || status->has_clock;
}

/*
 * Read more reports if none are left. Returns 1 if there are reports or a status, 0 if not, or a
 * negative errno.
 */
static int refill(struct gpuoa_merge *merge, struct merge_input *input)
{
	const void *reports;
	int n, err;

	if (input->count || input->ended)
		return !input->ended;
	n = gpuoa_reader_peek(input->reader, &reports, SIZE_MAX, &input->status);
	if (n < 0) {
		input->ended = n == -ENODEV;
		return n;
	}
	err = take_clock(merge, input);
	if (err)
		return err;
	input->ended = input->status.end;
	input->has_status = n || tells_something(&input->status);
	input->reports = reports;
	input->count = n;
	if (n)
		take_time(input);
	return input->has_status;
}

/* Advance from the first available report to the next one. */
static void step(struct merge_input *input)
{
	input->reports += input->report_size;
	input->count--;
	if (input->count)
		input->ticks = ticks_after(input->ticks, first_timestamp(input),
					   field_mask(input->timestamp));
}

static bool is_oldest(const struct gpuoa_merge *merge, const struct merge_input *input)
{
	for (uint32_t i = 0; i < merge->count; i++)
		if (merge->inputs[i].count && &merge->inputs[i] != input &&
		    goes_first(merge, &merge->inputs[i], input))
			return false;
	return true;
}

/* Return the status that belongs to the available reports, unless it has been returned already. */
static void tell_status(struct merge_input *input, struct gpuoa_merge_run *run)
{
	if (input->has_status)
		run->status = input->status;
	input->has_status = false;
}

static void take_run(const struct gpuoa_merge *merge, struct merge_input *input,
		     struct gpuoa_merge_run *run)
{
	run->reader = input - merge->inputs;
	run->reports = input->reports;
	tell_status(input, run);
	do {
		step(input);
		run->count++;
	} while (input->count && run->count < INT_MAX && is_oldest(merge, input));
}

static struct merge_input *find_oldest(struct gpuoa_merge *merge)
{
	for (uint32_t i = 0; i < merge->count; i++)
		if (merge->inputs[i].count && is_oldest(merge, &merge->inputs[i]))
			return &merge->inputs[i];
	return NULL;
}

enum refilled {
	NOT_YET, /* a reader has no reports: the caller has to wait for run->reader */
	STATUS_ALONE, /* a reader has a status but no reports: the run has only that status */
	ALL_AT_HAND,
};

/*
 * Read from the readers of which no reports are left. Returns enum refilled, or a negative errno.
 */
static int refill_all(struct gpuoa_merge *merge, bool flush, struct gpuoa_merge_run *run)
{
	bool ended = true, wait = false;

	for (uint32_t i = 0; i < merge->count; i++) {
		struct merge_input *input = &merge->inputs[i];
		const int ret = refill(merge, input);

		if (ret < 0) {
			run->reader = i;
			return ret;
		}
		ended &= input->ended;
		if (!input->count && input->has_status) {
			run->reader = i;
			tell_status(input, run);
			return STATUS_ALONE;
		}
		if (!input->count && !input->ended && !wait) {
			run->reader = i;
			wait = true;
		}
	}
	run->status.end = ended;
	return wait && !flush ? NOT_YET : ALL_AT_HAND;
}

int gpuoa_merge_next(struct gpuoa_merge *merge, bool flush, struct gpuoa_merge_run *run,
		     size_t size)
{
	struct gpuoa_merge_run found = { 0 };
	struct merge_input *oldest = NULL;
	const int ret = refill_all(merge, flush, &found);

	if (ret == ALL_AT_HAND)
		oldest = find_oldest(merge);
	if (oldest)
		take_run(merge, oldest, &found);
	sized_give(run, size, &found, sizeof(found));
	if (ret < 0)
		return ret;
	return oldest || ret == STATUS_ALONE;
}
