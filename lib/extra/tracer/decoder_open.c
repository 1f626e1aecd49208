// SPDX-License-Identifier: MIT
/* decoder_open.c - open and describe decoders of tracers and of raw data */
#include <errno.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "base/complaint.h"
#include "base/sized.h"
#include "extra/tracer/decoder.h"
#include "extra/tracer/tracer.h"

/* Size of the options in the first version of the library. */
#define OPTIONS_SIZE_MIN (offsetof(struct gpuoa_decoder_options, set_count) + sizeof(size_t))

/* The inputs for the scopes of a decoder. A scope without data has no reader. */
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
 * Collect the requested metrics that belong to @set and their indexes in the request. Returns the
 * number of them.
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

/* Returns an earlier scope with the same set, and therefore the same metrics, or NULL. */
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

/* Check that each requested metric belongs to a scope. */
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

/* Count the scopes in the data: the highest scope number + 1. */
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

/* Open a reader for each scope; NULL for scopes without data. */
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
