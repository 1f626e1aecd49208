// SPDX-License-Identifier: MIT
/*
 * decoder.c - decode a tracer's raw data to entries sorted by time
 *
 * Rows of values are merged rather than reports, so that each scope can calculate many rows at
 * once. Each scope has its own position in the data; data that all scopes have passed is consumed.
 */
#include <errno.h>
#include <inttypes.h>
#include <limits.h>
#include <stdlib.h>
#include <string.h>

#include "base/complaint.h"
#include "base/sized.h"
#include "extra/tracer/scope.h"
#include "extra/tracer/tracer.h"

/* A metric that can be decoded: an output of a scope's calculator */
struct decodable {
	const struct scope *scope;
	uint32_t column;
};

struct gpuoa_decoder {
	uint64_t from_ns;
	uint64_t until_ns;
	struct decodable *metrics;
	uint32_t metric_count;

	struct scope *current; /* the scope of which a row has been written partly; NULL: none */
	uint32_t column; /* next output of that row */

	uint32_t scope_count;
	uint32_t chosen_count;
	struct scope *chosen[GPUOA_TRACER_SCOPES]; /* scopes selected for decoding */
	struct scope scopes[]; /* all scopes; only selected ones have a calculator */
};

/* The raw data that a call decodes, and the buffer for its entries */
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

/*
 * Write the entries of the current row. Returns false if the buffer has no space for all of them.
 */
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

/* Write the entries of the next row of @scope. Returns false if they do not fit. */
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
	struct scope *oldest; /* the scope with the oldest row; valid if .rows */
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

/* Skip the end-of-data frame that all scopes have reached. */
static void pass_end(struct gpuoa_decoder *decoder, struct run *run)
{
	for (uint32_t i = 0; i < decoder->chosen_count; i++)
		decoder->chosen[i]->at += FRAME_END_SIZE;
	run->decoded.status.end = true;
}

/*
 * Write entries until the buffer is full or no more are available. Returns 0 or a negative errno.
 */
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

/* Returns the number of bytes that no scope needs again, which the caller can discard. */
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

/* Size of the options in the first version of the library. */
#define OPTIONS_SIZE_MIN (offsetof(struct gpuoa_decoder_options, set_count) + sizeof(size_t))

/* The readers and sets of a decoder's scopes. A scope without data has no reader. */
struct scopes {
	struct gpuoa_reader *readers[GPUOA_TRACER_SCOPES];
	const struct gpuoa_set *sets[GPUOA_TRACER_SCOPES];
	uint32_t count;
	struct gpuoa_decoder_options options;
	const struct complaint *complaint;
};

static const struct gpuoa_set *find_set(const struct scopes *scopes,
					const struct gpuoa_reader *reader, const char *uuid)
{
	const struct gpuoa_platform *platform = gpuoa_reader_platform(reader);
	struct gpuoa_set_desc desc;

	for (size_t i = 0; i < scopes->options.set_count; i++) {
		gpuoa_set_describe(scopes->options.sets[i], &desc, sizeof(desc));
		if (!strcmp(desc.uuid, uuid))
			return scopes->options.sets[i];
	}
	return platform ? gpuoa_platform_find_uuid(platform, uuid) : NULL;
}

static bool is_chosen(const struct scopes *scopes, uint32_t number)
{
	return scopes->readers[number] &&
	       (!scopes->options.scopes || scopes->options.scopes >> number & 1);
}

static const struct gpuoa_set *set_of(const struct gpuoa_metric *metric)
{
	struct gpuoa_metric_desc desc;

	gpuoa_metric_describe(metric, &desc, sizeof(desc));
	return desc.set;
}

/*
 * Collect the requested metrics that belong to @set, with their indexes in the request. Returns
 * their number.
 */
static size_t choose_metrics(const struct scopes *scopes, const struct gpuoa_set *set,
			     const struct gpuoa_metric **chosen, uint32_t *numbers)
{
	size_t count = 0;

	for (size_t i = 0; i < scopes->options.metric_count; i++) {
		if (set_of(scopes->options.metrics[i]) != set)
			continue;
		chosen[count] = scopes->options.metrics[i];
		numbers[count++] = i;
	}
	return count;
}

/* Returns an earlier scope that has the same set and therefore the same metrics, or NULL. */
static const struct scope *find_same(const struct gpuoa_decoder *decoder, const struct scope *scope)
{
	for (uint32_t i = 0; i < decoder->chosen_count; i++)
		if (decoder->chosen[i]->desc.set == scope->desc.set)
			return decoder->chosen[i];
	return NULL;
}

/* Append the outputs of a scope, from @first on, to the list of metrics. */
static int append_metrics(struct gpuoa_decoder *decoder, struct scope *scope, size_t first)
{
	const size_t count = decoder->metric_count + scope->columns - first;
	struct decodable *metrics = realloc(decoder->metrics, (count + 1) * sizeof(*metrics));

	if (!metrics)
		return -ENOMEM;
	decoder->metrics = metrics;
	for (size_t i = first; i < scope->columns; i++) {
		scope->metrics[i] = decoder->metric_count;
		metrics[decoder->metric_count++] = (struct decodable){ scope, i };
	}
	return 0;
}

static int list_metrics(struct gpuoa_decoder *decoder, struct scope *scope, const uint32_t *numbers,
			size_t count)
{
	const struct scope *same = find_same(decoder, scope);

	if (same) {
		memcpy(scope->metrics, same->metrics, scope->columns * sizeof(*scope->metrics));
		return 0;
	}
	for (size_t i = 0; i < count; i++) {
		scope->metrics[i] = numbers[i];
		decoder->metrics[numbers[i]] = (struct decodable){ scope, i };
	}
	return append_metrics(decoder, scope, count);
}

static int init_chosen(struct gpuoa_decoder *decoder, const struct scopes *scopes,
		       struct scope *scope, uint32_t number)
{
	const size_t wanted = scopes->options.metrics ? scopes->options.metric_count : 0;
	const struct gpuoa_metric **chosen = calloc(wanted + 1, sizeof(const void *));
	uint32_t *numbers = calloc(wanted + 1, sizeof(*numbers));
	struct gpuoa_calc_options options = {
		.size = sizeof(options),
		.no_infos = scopes->options.no_infos,
		.validity = true,
	};
	int err = -ENOMEM;

	if (chosen && numbers) {
		options.metrics = wanted ? chosen : NULL;
		options.metric_count =
			wanted ? choose_metrics(scopes, scopes->sets[number], chosen, numbers) : 0;
		err = scope_init(scope, number, scopes->readers[number], scopes->sets[number],
				 &options);
	}
	if (!err)
		err = list_metrics(decoder, scope, numbers, options.metric_count);
	free(chosen);
	free(numbers);
	return err;
}

static int init_scope(struct gpuoa_decoder *decoder, struct scopes *scopes, uint32_t number)
{
	struct scope *scope = &decoder->scopes[number];
	const struct gpuoa_reader *reader = scopes->readers[number];
	struct gpuoa_reader_desc desc;
	int err;

	if (reader)
		gpuoa_reader_describe_unit(reader, &scope->desc.unit, sizeof(scope->desc.unit));
	if (!is_chosen(scopes, number))
		return 0;
	gpuoa_reader_describe(reader, &desc, sizeof(desc));
	if (!scopes->sets[number])
		scopes->sets[number] = find_set(scopes, reader, desc.uuid);
	if (!scopes->sets[number] && !gpuoa_reader_platform(reader))
		return COMPLAIN(scopes->complaint, -EOPNOTSUPP,
				"this library has no metrics for platform '%s'",
				scope->desc.unit.platform);
	if (!scopes->sets[number])
		return COMPLAIN(scopes->complaint, -ENOENT, "no set has the UUID '%s'", desc.uuid);
	err = init_chosen(decoder, scopes, scope, number);
	if (!err)
		decoder->chosen[decoder->chosen_count++] = scope;
	return err;
}

/* Check that each requested metric belongs to one of the scopes. */
static int check_metrics(const struct gpuoa_decoder *decoder, const struct scopes *scopes)
{
	for (size_t i = 0; scopes->options.metrics && i < scopes->options.metric_count; i++)
		if (!decoder->metrics[i].scope)
			return COMPLAIN(scopes->complaint, -EINVAL,
					"metric %zu is of no set of these scopes", i);
	return 0;
}

static int check_options(const struct scopes *scopes)
{
	const struct gpuoa_decoder_options *options = &scopes->options;
	bool some = false;

	for (uint32_t i = 0; i < scopes->count; i++)
		some |= is_chosen(scopes, i);
	if (!some || (scopes->count < GPUOA_TRACER_SCOPES && options->scopes >> scopes->count))
		return COMPLAIN(scopes->complaint, -EINVAL,
				"scopes are 0 to %" PRIu32 " here: mask 0x%" PRIx64 " has others",
				scopes->count - 1, options->scopes);
	if (options->until_ns && options->until_ns <= options->from_ns)
		return COMPLAIN(scopes->complaint, -EINVAL, "the range of time is empty");
	return 0;
}

static int decoder_init(struct gpuoa_decoder *decoder, struct scopes *scopes)
{
	const size_t wanted = scopes->options.metrics ? scopes->options.metric_count : 0;
	int err = 0;

	decoder->from_ns = scopes->options.from_ns;
	decoder->until_ns = scopes->options.until_ns ? scopes->options.until_ns : UINT64_MAX;
	decoder->scope_count = scopes->count;
	decoder->metrics = calloc(wanted + 1, sizeof(*decoder->metrics));
	decoder->metric_count = wanted;
	if (!decoder->metrics)
		return -ENOMEM;
	for (uint32_t i = 0; i < scopes->count && !err; i++)
		err = init_scope(decoder, scopes, i);
	return err ? err : check_metrics(decoder, scopes);
}

static int decoder_new(struct scopes *scopes, struct gpuoa_decoder **decoder)
{
	struct gpuoa_decoder *new;
	int err = check_options(scopes);

	if (err)
		return err;
	new = calloc(1, sizeof(*new) + scopes->count * sizeof(new->scopes[0]));
	if (!new)
		return -ENOMEM;
	err = decoder_init(new, scopes);
	if (err) {
		gpuoa_decoder_close(new);
		return err;
	}
	*decoder = new;
	return 0;
}

static int read_options(struct scopes *scopes, const struct gpuoa_decoder_options *options)
{
	return sized_take(&scopes->options, sizeof(scopes->options), options, OPTIONS_SIZE_MIN,
			  "the options", scopes->complaint);
}

int gpuoa_decoder_open(const struct gpuoa_tracer *tracer,
		       const struct gpuoa_decoder_options *options, struct gpuoa_decoder **decoder,
		       char *error, size_t error_size)
{
	const struct complaint complaint = complaint_begin(error, error_size);
	struct scopes scopes = { .count = tracer->count, .complaint = &complaint };
	int err = read_options(&scopes, options);

	for (uint32_t i = 0; i < tracer->count; i++) {
		scopes.readers[i] = tracer->readers[i];
		scopes.sets[i] = tracer->groups[i].set;
	}
	if (!err)
		err = decoder_new(&scopes, decoder);
	return err ? complaint_end(&complaint, err) : 0;
}

/* Return the number of scopes in the data: the highest scope number, plus one. */
static int count_scopes(const void *raw, size_t size, uint32_t *count)
{
	struct frame_view view;
	size_t at = 0;
	int ret;

	*count = 0;
	while ((ret = frame_get(raw, size, at, &view)) > 0) {
		if (view.head.scope >= *count)
			*count = view.head.scope + 1u;
		at += view.head.size;
	}
	return ret;
}

/* Open a reader for each scope that has data; the others are NULL. */
static int open_sources(struct scopes *scopes, const void *raw, size_t size)
{
	const struct complaint *complaint = scopes->complaint;
	int err = count_scopes(raw, size, &scopes->count);
	bool some = false;

	if (err)
		return COMPLAIN(complaint, err, "this is no raw data of a tracer, or damaged");
	for (uint32_t i = 0; i < scopes->count; i++) {
		err = gpuoa_tracer_reader_open(raw, size, i, &scopes->readers[i], complaint->text,
					       complaint->size);
		if (err && err != -ENODATA)
			return err;
		some |= !err;
	}
	return some ? 0 : COMPLAIN(complaint, -ENODATA, "nothing says what the scopes are");
}

int gpuoa_decoder_open_raw(const void *raw, size_t size,
			   const struct gpuoa_decoder_options *options,
			   struct gpuoa_decoder **decoder, char *error, size_t error_size)
{
	const struct complaint complaint = complaint_begin(error, error_size);
	struct scopes scopes = { .complaint = &complaint };
	int err = read_options(&scopes, options);

	if (!err)
		err = open_sources(&scopes, raw, size);
	if (!err)
		err = decoder_new(&scopes, decoder);
	for (uint32_t i = 0; i < scopes.count; i++)
		gpuoa_reader_close(scopes.readers[i]);
	return err ? complaint_end(&complaint, err) : 0;
}

void gpuoa_decoder_close(struct gpuoa_decoder *decoder)
{
	if (!decoder)
		return;
	for (uint32_t i = 0; i < decoder->scope_count; i++)
		scope_fini(&decoder->scopes[i]);
	free(decoder->metrics);
	free(decoder);
}

uint32_t gpuoa_decoder_scope_count(const struct gpuoa_decoder *decoder)
{
	return decoder->scope_count;
}

int gpuoa_decoder_describe_scope(const struct gpuoa_decoder *decoder, uint32_t index,
				 struct gpuoa_scope_desc *desc, size_t size)
{
	if (index >= decoder->scope_count)
		return -ERANGE;
	sized_give(desc, size, &decoder->scopes[index].desc, sizeof(*desc));
	return 0;
}

uint32_t gpuoa_decoder_metric_count(const struct gpuoa_decoder *decoder)
{
	return decoder->metric_count;
}

int gpuoa_decoder_describe_metric(const struct gpuoa_decoder *decoder, uint32_t index,
				  struct gpuoa_output_desc *desc, size_t size)
{
	const struct decodable *metric;

	if (index >= decoder->metric_count)
		return -ERANGE;
	metric = &decoder->metrics[index];
	return gpuoa_calc_output_describe(metric->scope->calc, metric->column, desc, size);
}
