// SPDX-License-Identifier: GPL-2.0-only
/* program.c - programming a unit for a stream, by its backend or by the provider. */
#include <linux/delay.h>

#include "mode.h"
#include "oa/gpuoa_report.h"
#include "oa/metric_set.h"
#include "oa/oa.h"
#include "program.h"
#include "stream.h"
#include "unit/gpuoa_unit.h"

/* Time until the last writes take effect; i915 and xe wait as long after a configuration. */
#define GPUOA_NOA_SETTLE_US 500

/* Program the unit by the backend. */
static int program_by_backend(struct gpuoa_stream *stream)
{
	struct gpuoa_unit *unit = stream->unit;
	int ret;

	ret = unit->oa->enable_metrics(&stream->hw, stream->request.set);
	if (ret)
		unit->oa->disable_metrics(&stream->hw);
	else
		usleep_range(GPUOA_NOA_SETTLE_US, 2 * GPUOA_NOA_SETTLE_US);

	return ret;
}

static struct gpuoa_provider_config provider_config(const struct gpuoa_request *request)
{
	return (struct gpuoa_provider_config){
		.mux = request->set->mux,
		.boolean = request->set->boolean,
		.format = request->format->id,
		.report_size = request->format->size,
		.exponent = request->exponent,
		.query_only = request->mode->flags & GPUOA_ATTR_QUERY_ONLY,
		.context = request->context,
	};
}

/* Program the unit by the provider, which then returns the context id that reports carry. */
static int program_by_provider(struct gpuoa_stream *stream)
{
	struct gpuoa_provider_config config = provider_config(&stream->request);
	const struct gpuoa_metric_set *set = stream->request.set;
	struct gpuoa_register flex[GPUOA_FLEX_REGS];
	struct gpuoa_unit *unit = stream->unit;
	int ret;

	if (unit->oa->flex) {
		gpuoa_flex_values(set, flex);
		config.flex = (struct gpuoa_reg_list){ flex, GPUOA_FLEX_REGS };
	}
	ret = unit->ops->configure(unit->provider, &config);
	if (ret || !config.context)
		return ret;
	stream->hw.context_mask = config.context_mask;
	stream->hw.context = config.context_id & config.context_mask;
	stream->request.context_id = stream->hw.context;

	return 0;
}

static int program(struct gpuoa_stream *stream)
{
	return stream->unit->ops->configure ? program_by_provider(stream) : program_by_backend(stream);
}

static void unprogram(struct gpuoa_stream *stream)
{
	struct gpuoa_unit *unit = stream->unit;

	if (unit->ops->unconfigure)
		unit->ops->unconfigure(unit->provider);
	else if (!stream->recovery.suspended)
		/* A suspended GPU has lost its registers. */
		unit->oa->disable_metrics(&stream->hw);
}

/**
 * gpuoa_program_begin() - Program a unit.
 * @stream: stream
 *
 * Context: may sleep
 * Return: 0, or an error of the provider, with all changes undone
 */
int gpuoa_program_begin(struct gpuoa_stream *stream)
{
	const struct gpuoa_request *request = &stream->request;
	struct gpuoa_unit *unit = stream->unit;
	int ret;

	ret = program(stream);
	if (ret || !request->batches)
		return ret;
	ret = unit->ops->context_batches(unit->provider, request->context, true);
	if (ret)
		unprogram(stream);

	return ret;
}

/**
 * gpuoa_program_join() - Check whether another event may share the programmed unit.
 * @stream: stream
 * @request: request of the event, compatible with the stream
 *
 * Context: may sleep
 * Return: 0 or an error of the provider
 */
int gpuoa_program_join(const struct gpuoa_stream *stream, const struct gpuoa_request *request)
{
	const struct gpuoa_provider_config config = provider_config(request);
	struct gpuoa_unit *unit = stream->unit;

	return unit->ops->join ? unit->ops->join(unit->provider, &config) : 0;
}

/* True if the provider allocates and frees the buffer together with the configuration. */
static bool program_moves_buffer(const struct gpuoa_stream *stream)
{
	return stream->unit->ops->buffer_get && stream->mode->alloc_buffer;
}

/**
 * gpuoa_program_again() - Reprogram a unit, after it lost its registers or for a new configuration.
 * @stream: stream, not running
 *
 * A buffer of the provider may be replaced by another one.
 *
 * Context: may sleep
 * Return: 0, or an error of the provider, after which nothing is programmed
 */
int gpuoa_program_again(struct gpuoa_stream *stream)
{
	bool moves = program_moves_buffer(stream);
	int ret;

	if (moves)
		stream->mode->free_buffer(stream);
	ret = program(stream);
	if (!ret && moves)
		ret = stream->mode->alloc_buffer(stream);

	return ret;
}

/**
 * gpuoa_program_suspend() - Return resources to the provider before the GPU is suspended.
 * @stream: stream, which does not run until gpuoa_program_again()
 *
 * Context: may sleep
 */
void gpuoa_program_suspend(struct gpuoa_stream *stream)
{
	struct gpuoa_unit *unit = stream->unit;

	if (program_moves_buffer(stream))
		stream->mode->free_buffer(stream);
	if (unit->ops->unconfigure)
		unit->ops->unconfigure(unit->provider);
}

/**
 * gpuoa_program_end() - Undo gpuoa_program_begin().
 * @stream: stream
 *
 * Context: may sleep
 */
void gpuoa_program_end(struct gpuoa_stream *stream)
{
	const struct gpuoa_request *request = &stream->request;
	struct gpuoa_unit *unit = stream->unit;

	if (request->batches)
		unit->ops->context_batches(unit->provider, request->context, false);
	unprogram(stream);
}
