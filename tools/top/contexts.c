// SPDX-License-Identifier: MIT
/*
 * contexts.c - values of each GPU context, selected by the context IDs in reports
 */
#include <math.h>
#include <string.h>

#include "top/contexts.h"
#include "top/watch.h"

/* number of consecutive ticks after which a context that did not run is dropped */
#define STILL_MAX 30

static int open_calc(const struct contexts *contexts, uint32_t id, struct gpuoa_calc **calc)
{
	const struct gpuoa_calc_options options = {
		.size = sizeof(options),
		.metrics = contexts->metrics,
		.metric_count = contexts->metric_count,
		.context_id = id,
		.context_filter = true,
		.no_infos = true,
	};

	return gpuoa_calc_open(contexts->set, contexts->constants, contexts->format, &options, calc,
			       NULL, 0);
}

void contexts_begin(struct contexts *contexts, struct gpuoa_reader *reader,
		    const struct gpuoa_set *set, const struct gpuoa_constants *constants,
		    uint32_t format, const struct gpuoa_metric *const *metrics)
{
	const struct gpuoa_metric *time;
	struct gpuoa_calc *calc;

	*contexts = (struct contexts){
		.reader = reader,
		.set = set,
		.constants = constants,
		.format = format,
	};
	for (int role = 0; role < ROLE_COUNT; role++) {
		if (!metrics[role])
			continue;
		contexts->roles[contexts->metric_count] = role;
		contexts->metrics[contexts->metric_count++] = metrics[role];
	}
	time = gpuoa_set_find_metric(set, CHOOSE_TIME);
	if (!time)
		return;
	contexts->roles[contexts->metric_count] = ROLE_NONE;
	contexts->metrics[contexts->metric_count++] = time;
	contexts->told = !open_calc(contexts, 0, &calc);
	if (contexts->told)
		gpuoa_calc_close(calc);
}

void contexts_end(struct contexts *contexts)
{
	for (size_t i = 0; i < contexts->count; i++)
		gpuoa_calc_close(contexts->list[i].calc);
	*contexts = (struct contexts){ 0 };
}

static bool is_known(const struct contexts *contexts, uint32_t id)
{
	for (size_t i = 0; i < contexts->count; i++)
		if (contexts->list[i].id == id)
			return true;
	return false;
}

static void add(struct contexts *contexts, uint32_t id)
{
	struct context *context = &contexts->list[contexts->count];

	contexts->full = contexts->count == CONTEXTS_MAX;
	if (contexts->full)
		return;
	*context = (struct context){ .id = id, .share = NAN };
	if (open_calc(contexts, id, &context->calc))
		return;
	context->owned = !gpuoa_reader_context(contexts->reader, id, &context->owner,
					       sizeof(context->owner));
	if (contexts->anchor)
		gpuoa_calc_set_time_base(context->calc, contexts->anchor);
	contexts->count++;
}

/*
 * Consecutive reports are often of the same context, so look up an ID only if it differs from the
 * last one.
 */
static void find_new(struct contexts *contexts, const char *reports, size_t count)
{
	const size_t size = gpuoa_format_size(contexts->format);
	struct gpuoa_report_desc desc;
	bool any = false;
	uint32_t last = 0;

	for (size_t i = 0; i < count; i++) {
		if (gpuoa_report_describe(contexts->set, contexts->format, reports + i * size,
					  &desc, sizeof(desc)) ||
		    !desc.has_context || (any && desc.context_id == last))
			continue;
		any = true;
		last = desc.context_id;
		if (!is_known(contexts, last))
			add(contexts, last);
	}
}

void contexts_feed(struct contexts *contexts, const void *reports, size_t count,
		   const struct gpuoa_read_status *status)
{
	void *columns[ROLE_COUNT + 1] = { NULL };
	size_t used;

	if (!contexts->told)
		return;
	if (status->has_clock)
		contexts->anchor = status->clock.gpu_ticks;
	for (size_t i = 0; i < contexts->count; i++) {
		if (status->gap)
			gpuoa_calc_discontinuity(contexts->list[i].calc);
		if (status->has_clock)
			gpuoa_calc_set_time_base(contexts->list[i].calc, contexts->anchor);
	}
	find_new(contexts, reports, count);
	for (size_t i = 0; i < contexts->count; i++)
		gpuoa_calc_run_outputs(contexts->list[i].calc, reports, count, columns, NULL, count,
				       &used);
}

static double value_of(const struct contexts *contexts, size_t index,
		       const union gpuoa_value *values)
{
	struct gpuoa_metric_desc desc;

	gpuoa_metric_describe(contexts->metrics[index], &desc, sizeof(desc));
	return gpuoa_value_to_double(desc.type, values[index]);
}

static void take_total(const struct contexts *contexts, struct context *context, double ns)
{
	union gpuoa_value values[ROLE_COUNT + 1];

	for (int role = 0; role < ROLE_COUNT; role++)
		context->values[role] = NAN;
	context->share = ns > 0 ? 0 : NAN;
	context->still++;
	if (gpuoa_calc_total(context->calc, values, NULL, true))
		return;
	for (size_t i = 0; i < contexts->metric_count; i++) {
		const double value = value_of(contexts, i, values);

		if (contexts->roles[i] != ROLE_NONE)
			context->values[contexts->roles[i]] = value;
		else if (ns > 0)
			context->share = value * 100 / ns;
	}
	if (context->share > 0)
		context->still = 0;
}

void contexts_tick(struct contexts *contexts, double ns)
{
	size_t kept = 0;

	for (size_t i = 0; i < contexts->count; i++) {
		struct context *context = &contexts->list[i];

		take_total(contexts, context, ns);
		history_add(&context->history, context->share);
		if (context->still > STILL_MAX) {
			gpuoa_calc_close(context->calc);
			continue;
		}
		if (kept != i)
			contexts->list[kept] = *context;
		kept++;
	}
	contexts->count = kept;
}
