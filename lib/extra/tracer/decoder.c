// SPDX-License-Identifier: MIT
/*
 * decoder.c - decode a tracer's raw data to entries sorted by time
 *
 * Rows of values are merged rather than reports, so that each scope can calculate many rows at
 * once. Each scope has its own position in the data; data that all scopes have passed is consumed.
 */
#include "extra/tracer/decoder.h"

#include <errno.h>
#include <limits.h>

#include "base/sized.h"

/* The data of a call and the destination of its entries. */
struct run {
	const void *raw;
	size_t size;
	bool last;
	struct gpuoa_entry *entries;
	int max;
	int count;
	struct gpuoa_decoded decoded;
};

static bool in_range(const struct gpuoa_decoder *decoder, const struct scope *scope)
{
	return scope->end_ns >= decoder->from_ns && scope->end_ns < decoder->until_ns;
}

/* Write the entries of the current row. Returns false if not all of them fit. */
static bool put_row(struct gpuoa_decoder *decoder, struct run *run)
{
	struct scope *scope = decoder->current;
	const union gpuoa_value *values = scope->values + scope->row * scope->stride;
	const union gpuoa_value *valid = values + scope->columns;
	const uint32_t left = scope->columns - decoder->column;
	const uint32_t room = run->max - run->count;
	const uint32_t n = left < room ? left : room;
	struct gpuoa_entry *entry = run->entries + run->count;

	for (uint32_t i = decoder->column; i < decoder->column + n; i++)
		*entry++ = (struct gpuoa_entry){
			.value = values[i],
			.timestamp_ns = scope->end_ns,
			.duration_ns = scope->end_ns - scope->begin_ns,
			.metric = scope->metrics[i],
			.scope = scope->number,
			.valid = i >= scope->metric_count || valid[i].u64,
		};
	run->count += n;
	run->decoded.counts[scope->number] += n;
	decoder->column += n;
	return n == left;
}

/* Write the next row, which is one of @scope. Returns false if it does not fit. */
static bool give(struct gpuoa_decoder *decoder, struct scope *scope, struct run *run)
{
	if (!decoder->current) {
		decoder->current = scope;
		decoder->column = 0;
	}
	if (in_range(decoder, scope) && !put_row(decoder, run))
		return false;
	decoder->current = NULL;
	scope_step(scope);
	return true;
}

/* Where the scopes stopped. */
struct stops {
	struct scope *oldest; /* the scope with the oldest row, if .rows */
	bool rows; /* at least one scope has rows */
	bool out;
	bool damaged;
};

static int fill(struct gpuoa_decoder *decoder, struct run *run, struct stops *stops)
{
	*stops = (struct stops){ 0 };
	for (uint32_t i = 0; i < decoder->chosen_count; i++) {
		struct scope *scope = decoder->chosen[i];
		const int stop = scope_fill(scope, run->raw, run->size, &run->decoded.status);

		if (stop < 0)
			return stop;
		stops->out |= stop == SCOPE_OUT;
		stops->damaged |= stop == SCOPE_DAMAGED;
		if (stop == SCOPE_ROWS && (!stops->rows || scope->end_ns < stops->oldest->end_ns))
			stops->oldest = scope;
		stops->rows |= stop == SCOPE_ROWS;
	}
	return 0;
}

/* All scopes have reached an end-of-data frame: skip it. */
static void pass_end(struct gpuoa_decoder *decoder, struct run *run)
{
	for (uint32_t i = 0; i < decoder->chosen_count; i++)
		decoder->chosen[i]->at += FRAME_END_SIZE;
	run->decoded.status.end = true;
}

/* Write all entries that are available or fit. Returns 0 or a negative errno. */
static int give_all(struct gpuoa_decoder *decoder, struct run *run)
{
	struct stops stops;
	int err;

	if (decoder->current && !give(decoder, decoder->current, run))
		return 0;
	while (!(err = fill(decoder, run, &stops))) {
		if (stops.rows && stops.out && !run->last)
			return 0;
		if (!stops.rows && stops.damaged)
			return -EBADMSG;
		if (!stops.rows && stops.out)
			return 0;
		if (!stops.rows)
			pass_end(decoder, run);
		else if (!give(decoder, stops.oldest, run))
			return 0;
	}
	return err;
}

/* Returns the number of bytes that all scopes have passed, which the caller can discard. */
static size_t take_used(struct gpuoa_decoder *decoder)
{
	size_t used = SIZE_MAX;

	for (uint32_t i = 0; i < decoder->chosen_count; i++)
		if (decoder->chosen[i]->at < used)
			used = decoder->chosen[i]->at;
	for (uint32_t i = 0; i < decoder->chosen_count; i++)
		decoder->chosen[i]->at -= used;
	return used;
}

static int count_entries(const struct gpuoa_decoder *decoder, const void *raw, size_t size)
{
	size_t entries = 0;

	for (uint32_t i = 0; i < decoder->chosen_count; i++) {
		const struct scope *scope = decoder->chosen[i];

		entries += scope_count(scope, raw, size) * scope->columns;
	}
	return entries < INT_MAX ? (int)entries : INT_MAX;
}

int gpuoa_decoder_run(struct gpuoa_decoder *decoder, const void *raw, size_t size, bool last,
		      struct gpuoa_entry *entries, int max, struct gpuoa_decoded *decoded,
		      size_t decoded_size)
{
	struct run run = { .raw = raw, .size = size, .last = last, .entries = entries, .max = max };
	int ret;

	if (max < 0)
		run.max = 0;
	if (entries) {
		const int err = give_all(decoder, &run);

		run.decoded.used = take_used(decoder);
		ret = run.count ? run.count : err;
	} else {
		ret = count_entries(decoder, raw, size);
	}
	if (decoded)
		sized_give(decoded, decoded_size, &run.decoded, sizeof(run.decoded));
	return ret;
}
