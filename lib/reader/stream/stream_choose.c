// SPDX-License-Identifier: MIT
/* stream_choose.c - choose a stream's options from the request and the hardware's capabilities */
#include "reader/stream/stream_choose.h"

#include <errno.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "base/nsec.h"
#include "base/sized.h"
#include "gpuoa-stream.h"
#include "gpuoa.h"
#include "reader/stream/stream_error.h"
#include "reader/stream/unit.h"
#include "report/dword_mask.h"

/*
 * Functions that compare periods with exponents. Exponent e means a report every 2^(e+1) timestamp
 * ticks. A period of P ns is P * frequency / 10^9 ticks. To compare both without rounding, they are
 * multiplied by 10^9, which takes up to 94 bits.
 */

/* maximum exponent: with a larger one, a period would exceed any 64-bit timestamp */
#define EXPONENT_LIMIT 63

typedef unsigned __int128 uint128;

static uint128 scaled_period(uint32_t exponent)
{
	return ((uint128)NSEC_PER_SEC << exponent) << 1;
}

static int round_to_nearest(int below, uint32_t exponent_max, uint128 asked)
{
	if (below < 0)
		return 0;
	if ((uint32_t)below == exponent_max)
		return below;
	return asked - scaled_period(below) <= scaled_period(below + 1) - asked ? below : below + 1;
}

int gpuoa_period_to_exponent(uint64_t timestamp_frequency, uint32_t exponent_max,
			     uint64_t period_ns, uint32_t rounding)
{
	const uint128 asked = (uint128)period_ns * timestamp_frequency;
	const bool clamp = rounding & GPUOA_ROUNDING_CLAMP;
	/* Return the exponent of the longest period that is not longer than requested. */
	int below = -1;

	if (!timestamp_frequency)
		return -ERANGE;
	if (exponent_max > EXPONENT_LIMIT)
		exponent_max = EXPONENT_LIMIT;
	while (below < (int)exponent_max && scaled_period(below + 1) <= asked)
		below++;

	switch (rounding & ~(uint32_t)GPUOA_ROUNDING_CLAMP) {
	case GPUOA_ROUNDING_DOWN:
		return below >= 0 ? below : clamp ? 0 : -ERANGE;
	case GPUOA_ROUNDING_UP:
		if (below >= 0 && scaled_period(below) == asked)
			return below;
		if (below < (int)exponent_max)
			return below + 1;
		return clamp ? (int)exponent_max : -ERANGE;
	case GPUOA_ROUNDING_NEAREST:
		return round_to_nearest(below, exponent_max, asked);
	}
	return -EINVAL;
}

uint64_t gpuoa_exponent_to_period(uint64_t timestamp_frequency, uint32_t exponent)
{
	uint128 ns;

	if (!timestamp_frequency)
		return 0;
	if (exponent > EXPONENT_LIMIT)
		return UINT64_MAX;
	ns = (scaled_period(exponent) + timestamp_frequency / 2) / timestamp_frequency;
	return ns > UINT64_MAX ? UINT64_MAX : (uint64_t)ns;
}

#define DEFAULT_PERIOD_NS NSEC_PER_MSEC
#define RING_TIME_NS (2 * NSEC_PER_SEC)
#define RING_SIZE_MAX (128UL * 1024 * 1024) /* maximum default size */
#define NOTIFY_TIME_NS (100 * NSEC_PER_MSEC)

/* Return the size in bytes of the reports that are written in @ns; 0 if the period is unknown. */
static uint64_t bytes_in(const struct stream *stream, uint64_t period_ns, uint64_t ns)
{
	return period_ns ? ns / period_ns * stream->wire_size : 0;
}

static bool is_clamped(const struct gpuoa_stream_options *options)
{
	return options->rounding & GPUOA_ROUNDING_CLAMP;
}

/*
 * Returns the exponent that the caller requested, or that for the requested period, or -ERANGE or
 * -EINVAL.
 */
static int find_exponent(const struct gpuoa_unit_desc *unit,
			 const struct gpuoa_stream_options *options)
{
	if (!options->use_exponent)
		return gpuoa_period_to_exponent(unit->timestamp_frequency, unit->exponent_max,
						options->period_ns ? options->period_ns :
								     DEFAULT_PERIOD_NS,
						options->rounding);
	if (options->exponent <= unit->exponent_max)
		return (int)options->exponent;
	return is_clamped(options) ? (int)unit->exponent_max : -ERANGE;
}

static int choose_period(struct stream *stream, struct gpuoa_stream_options *options)
{
	const struct gpuoa_unit_desc *unit = &stream->unit->desc;
	const int exponent = find_exponent(unit, options);

	if (exponent < 0)
		return exponent;
	stream->reader.desc.exponent = exponent;
	options->exponent = exponent;
	options->period_ns = gpuoa_exponent_to_period(unit->timestamp_frequency, exponent);
	return 0;
}

/* Round the size of the OABUFFER to a supported one, if the caller requested clamping. */
static void round_buffer(const struct gpuoa_unit_desc *unit, struct gpuoa_stream_options *options)
{
	uint32_t size = unit->buffer_size_min;

	if (!options->buffer_size || !is_clamped(options))
		return;
	while (size < options->buffer_size && size < unit->buffer_size_max)
		size *= 2;
	options->buffer_size = size;
}

uint64_t choose_watermark(const struct stream *stream, const struct gpuoa_stream_options *options,
			  uint64_t room)
{
	uint64_t bytes = bytes_in(stream, options->period_ns, NOTIFY_TIME_NS);

	if (options->notify_reports)
		bytes = (uint64_t)options->notify_reports * stream->wire_size;
	if (bytes > room / 4)
		bytes = room / 4;
	return bytes ? bytes : 1;
}

uint64_t choose_ring_size(const struct stream *stream, const struct gpuoa_stream_options *options)
{
	const uint64_t bytes = bytes_in(stream, options->period_ns, RING_TIME_NS);
	uint64_t size = RING_SIZE_MIN;

	while (size < bytes && size < RING_SIZE_MAX)
		size *= 2;
	return size;
}

/* Set the dword mask of the stream's reports, and their size. */
static int choose_dwords(struct stream *stream, const struct gpuoa_stream_options *options)
{
	const struct report_format *format = format_get(options->format);
	uint64_t *dword_mask = stream->reader.desc.dword_mask;

	if (!format || !dword_mask_fits(options->dword_mask, format))
		return -EINVAL;
	memcpy(dword_mask, options->dword_mask, sizeof(options->dword_mask));
	dword_mask_complete(dword_mask, format);
	stream->reader.desc.report_size = format->size;
	stream->wire_size = dword_mask_is_whole(dword_mask) ? format->size :
							      dword_mask_size(dword_mask);
	return 0;
}

uint64_t choose_area_size(const struct stream *stream, const struct gpuoa_stream_options *options)
{
	const struct gpuoa_unit_desc *unit = &stream->unit->desc;
	uint64_t size = choose_ring_size(stream, options);

	if (size < unit->buffer_size_min)
		size = unit->buffer_size_min;
	return size > unit->buffer_size_max || options->overwrite ? unit->buffer_size_max : size;
}

/*
 * Choose AUX mode for a flight recorder, and by default RAW mode for other streams, so that they
 * can share the unit.
 */
static void choose_delivery(struct gpuoa_stream_options *options)
{
	if (options->overwrite && options->delivery != GPUOA_DELIVERY_RAW)
		options->delivery = GPUOA_DELIVERY_AUX;
	else if (options->delivery == GPUOA_DELIVERY_DEFAULT)
		options->delivery = GPUOA_DELIVERY_RAW;
}

/*
 * Check that the options do not contradict each other: a flight recorder needs an AUX area, and an
 * AUX area contains whole reports.
 */
static bool is_consistent(const struct gpuoa_stream_options *options)
{
	return (uint32_t)options->delivery <= GPUOA_DELIVERY_PREFER_AUX &&
	       !(options->overwrite && options->delivery == GPUOA_DELIVERY_RAW) &&
	       (dword_mask_is_whole(options->dword_mask) ||
		options->delivery != GPUOA_DELIVERY_AUX);
}

/* Check the options, as far as this is possible without the kernel. */
static int check_options(struct stream *stream, const struct gpuoa_stream_options *options,
			 const struct complaint *complaint)
{
	if (!is_consistent(options))
		return COMPLAIN(
			complaint, -EINVAL,
			"options contradict each other: a flight recorder needs AUX mode, and AUX mode has all dwords");
	if (choose_dwords(stream, options))
		return COMPLAIN(complaint, -EINVAL,
				"report format %" PRIu32
				" is unknown, or its reports have no such dwords",
				options->format);
	return 0;
}

/*
 * For options that the caller did not specify, use those of other streams that measure the same set
 * on this unit.
 */
static void choose_as_others(const struct stream *stream, struct gpuoa_stream_options *options)
{
	struct gpuoa_unit_user use;

	if (gpuoa_unit_get_user(stream->unit, &use, sizeof(use)) <= 0 ||
	    strcmp(use.uuid, stream->reader.desc.uuid) || use.delivery != GPUOA_DELIVERY_RAW)
		return;
	if (!options->format)
		options->format = use.format;
	if (!options->period_ns && !options->use_exponent) {
		options->use_exponent = true;
		options->exponent = use.exponent;
	}
}

int choose_options(struct stream *stream, const struct gpuoa_set *set,
		   struct gpuoa_stream_options *options, const struct complaint *complaint)
{
	const struct gpuoa_unit_desc *unit = &stream->unit->desc;
	struct gpuoa_set_desc desc;
	int err;

	gpuoa_set_describe(set, &desc, sizeof(desc));
	strcpy(stream->reader.desc.uuid, desc.uuid);
	choose_as_others(stream, options);
	if (!options->format)
		options->format = desc.format;
	stream->reader.desc.format = options->format;
	stream->reader.desc.context_filter = options->context_filter;
	choose_delivery(options);
	err = check_options(stream, options, complaint);
	if (err)
		return err;
	round_buffer(unit, options);
	err = choose_period(stream, options);
	if (err == -EINVAL)
		return COMPLAIN(complaint, err, "%" PRIu32 " is no way to round a period",
				options->rounding);
	return err ? stream_complain(complaint, stream, options, err) : 0;
}

/* Choose sizes that the caller did not specify, in the same way as when a stream is opened. */
static void quantize_sizes(const struct stream *stream, struct gpuoa_stream_options *options)
{
	uint64_t room;

	if (options->delivery == GPUOA_DELIVERY_AUX) {
		if (!options->buffer_size)
			options->buffer_size = choose_area_size(stream, options);
		if (!options->ring_size)
			options->ring_size = AUX_RING_SIZE;
		room = options->buffer_size;
	} else {
		if (!options->ring_size)
			options->ring_size = choose_ring_size(stream, options);
		room = options->ring_size;
	}
	options->ring_size = ring_round(options->ring_size);
	options->notify_reports = choose_watermark(stream, options, room) / stream->wire_size;
}

int gpuoa_stream_resolve_options(struct gpuoa_unit *unit, const struct gpuoa_set *set,
				 struct gpuoa_stream_options *options, char *error,
				 size_t error_size)
{
	const struct complaint complaint = complaint_begin(error, error_size);
	struct gpuoa_stream_options actual;
	struct stream *stream;
	int err;

	if (!options)
		return COMPLAIN(&complaint, -EINVAL, "there are no options to quantize");
	err = sized_take(&actual, sizeof(actual), options, OPTIONS_SIZE_MIN, "the options",
			 &complaint);
	if (err)
		return complaint_end(&complaint, err);
	stream = calloc(1, sizeof(*stream));
	if (!stream)
		return complaint_end(&complaint, -ENOMEM);
	stream->unit = unit;
	err = choose_options(stream, set, &actual, &complaint);
	if (!err)
		quantize_sizes(stream, &actual);
	free(stream);
	if (err)
		return complaint_end(&complaint, err);
	sized_give(options, options->size, &actual, sizeof(actual));
	return 0;
}
