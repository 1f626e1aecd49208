// SPDX-License-Identifier: GPL-2.0-only
/*
 * program.c - a unit is programmed for what a stream measures, by its backend or by its host.
 */
#include <linux/delay.h>

#include "mode.h"
#include "oa/metric_set.h"
#include "oa/oa.h"
#include "oa/report.h"
#include "program.h"
#include "stream.h"
#include "unit/unit.h"

/* What was written last takes effect; i915 and xe wait as long after a whole configuration. */
#define GPUOA_NOA_SETTLE_US 500

/* The backend writes the registers. */
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

static struct gpuoa_host_config host_config(const struct gpuoa_request *request)
{
	return (struct gpuoa_host_config){
		.mux = request->set->mux,
		.boolean = request->set->boolean,
		.format = request->format->id,
		.report_size = request->format->size,
		.exponent = request->exponent,
		.query_only = request->mode->flags & GPUOA_ATTR_NO_REPORTS,
		.context = request->context,
	};
}

/* The host does it, and knows only then what a context's reports bear. */
static int program_by_host(struct gpuoa_stream *stream)
{
	struct gpuoa_host_config config = host_config(&stream->request);
	const struct gpuoa_metric_set *set = stream->request.set;
	struct gpuoa_register flex[GPUOA_FLEX_REGS];
	struct gpuoa_unit *unit = stream->unit;
	int ret;

	if (unit->oa->flex) {
		gpuoa_flex_values(set, flex);
		config.flex = (struct gpuoa_reg_list){ flex, GPUOA_FLEX_REGS };
	}
	ret = unit->ops->configure(unit->host, &config);
	if (ret || !config.context)
		return ret;
	stream->hw.context_mask = config.context_mask;
	stream->hw.context = config.context_id & config.context_mask;
	stream->request.context_id = stream->hw.context;

	return 0;
}

static int program(struct gpuoa_stream *stream)
{
	return stream->unit->ops->configure ? program_by_host(stream) : program_by_backend(stream);
}

static void unprogram(struct gpuoa_stream *stream)
{
	struct gpuoa_unit *unit = stream->unit;

	if (unit->ops->unconfigure)
		unit->ops->unconfigure(unit->host);
	else if (!stream->recovery.suspended)
		/* A GPU that sleeps has forgotten all of it. */
		unit->oa->disable_metrics(&stream->hw);
}

/**
 * gpuoa_program_begin - program a unit
 * @stream: the stream
 *
 * Context: may sleep
 * Return: 0, or what the host says; then nothing is left of it
 */
int gpuoa_program_begin(struct gpuoa_stream *stream)
{
	const struct gpuoa_request *request = &stream->request;
	struct gpuoa_unit *unit = stream->unit;
	int ret;

	ret = program(stream);
	if (ret || !request->batches)
		return ret;
	ret = unit->ops->context_batches(unit->host, request->context, true);
	if (ret)
		unprogram(stream);

	return ret;
}

/**
 * gpuoa_program_join - check that another event may use what is programmed
 * @stream: the stream
 * @request: the request of the event, which fits the stream
 *
 * Context: may sleep
 * Return: 0, or the host's -errno
 */
int gpuoa_program_join(const struct gpuoa_stream *stream, const struct gpuoa_request *request)
{
	const struct gpuoa_host_config config = host_config(request);
	struct gpuoa_unit *unit = stream->unit;

	return unit->ops->join ? unit->ops->join(unit->host, &config) : 0;
}

/* A host's own buffer comes and goes with what it programs. */
static bool program_moves_buffer(const struct gpuoa_stream *stream)
{
	return stream->unit->ops->buffer_get && stream->mode->alloc_buffer;
}

/**
 * gpuoa_program_again - program a unit that has lost its registers, or for something else
 * @stream: the stream, which does not run
 *
 * A host's own buffer may be another one afterwards.
 *
 * Context: may sleep
 * Return: 0, or what the host says; then nothing is left of what was programmed
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
 * gpuoa_program_suspend - the GPU will sleep: let the host have what is its own
 * @stream: the stream, which does not run until gpuoa_program_again()
 *
 * Context: may sleep
 */
void gpuoa_program_suspend(struct gpuoa_stream *stream)
{
	struct gpuoa_unit *unit = stream->unit;

	if (program_moves_buffer(stream))
		stream->mode->free_buffer(stream);
	if (unit->ops->unconfigure)
		unit->ops->unconfigure(unit->host);
}

/**
 * gpuoa_program_end - undo gpuoa_program_begin()
 * @stream: the stream
 *
 * Context: may sleep
 */
void gpuoa_program_end(struct gpuoa_stream *stream)
{
	const struct gpuoa_request *request = &stream->request;
	struct gpuoa_unit *unit = stream->unit;

	if (request->batches)
		unit->ops->context_batches(unit->host, request->context, false);
	unprogram(stream);
}
