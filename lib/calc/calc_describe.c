// SPDX-License-Identifier: MIT
/* calc_describe.c - describe the outputs of a calculator */
#include <errno.h>

#include "base/sized.h"
#include "calc/calc.h"

size_t gpuoa_calc_output_count(const struct gpuoa_calc *calc)
{
	return calc->program->output_count;
}

static const struct gpuoa_metric *selected(const struct gpuoa_calc *calc, size_t index)
{
	return &set_metrics(calc->set)[calc->selection.metrics[index]];
}

/* Return the role of an output, and change @index to its index within that role. */
static enum gpuoa_output_role role_of(const struct gpuoa_calc *calc, size_t *index)
{
	const struct selection *selection = &calc->selection;
	const size_t counts[] = {
		[GPUOA_OUTPUT_METRIC] = selection->metric_count,
		[GPUOA_OUTPUT_INFO] = selection->infos ? calc->set->info_count : 0,
		[GPUOA_OUTPUT_MAX] = selection->maxima ? selection->metric_count : 0,
	};
	unsigned int role = GPUOA_OUTPUT_METRIC;

	for (; role < GPUOA_OUTPUT_VALID && *index >= counts[role]; role++)
		*index -= counts[role];
	return role;
}

enum gpuoa_value_type gpuoa_calc_output_type(const struct gpuoa_calc *calc, size_t index)
{
	enum gpuoa_output_role role;

	if (index >= gpuoa_calc_output_count(calc))
		return GPUOA_TYPE_UINT64;
	role = role_of(calc, &index);
	if (role == GPUOA_OUTPUT_METRIC || role == GPUOA_OUTPUT_MAX)
		return metric_definition(selected(calc, index))->type;
	return GPUOA_TYPE_UINT64;
}

const struct gpuoa_metric *gpuoa_calc_excluded(const struct gpuoa_calc *calc, size_t index,
					       char *reason, size_t size)
{
	for (size_t i = 0; i < calc->selection.metric_count; i++) {
		if (calc->program->outputs[i].result != RESULT_NONE || index--)
			continue;
		gpuoa_metric_available(selected(calc, i), calc->constants, reason, size);
		return selected(calc, i);
	}
	return NULL;
}

static void describe_metric(const struct gpuoa_metric *metric, struct gpuoa_output_desc *column)
{
	struct gpuoa_metric_desc desc;

	gpuoa_metric_describe(metric, &desc, sizeof(desc));
	*column = (struct gpuoa_output_desc){
		.symbol = desc.symbol,
		.name = desc.name,
		.description = desc.description,
		.units = desc.units,
		.type = desc.type,
		.metric = metric,
	};
}

static void describe_info(const struct gpuoa_info *info, struct gpuoa_output_desc *column)
{
	struct gpuoa_info_desc desc;

	gpuoa_info_describe(info, &desc, sizeof(desc));
	*column = (struct gpuoa_output_desc){
		.symbol = desc.symbol,
		.name = desc.name,
		.description = desc.description,
		.units = desc.units,
		.type = GPUOA_TYPE_UINT64,
		.info = info,
	};
}

int gpuoa_calc_output_describe(const struct gpuoa_calc *calc, size_t index,
			       struct gpuoa_output_desc *desc, size_t size)
{
	struct gpuoa_output_desc known;
	enum gpuoa_output_role role;

	if (index >= gpuoa_calc_output_count(calc))
		return -ERANGE;
	role = role_of(calc, &index);
	if (role == GPUOA_OUTPUT_INFO)
		describe_info(&set_infos(calc->set)[index], &known);
	else
		describe_metric(selected(calc, index), &known);
	known.role = role;
	if (role == GPUOA_OUTPUT_VALID) {
		known.type = GPUOA_TYPE_UINT64;
		known.units = "";
	}
	sized_give(desc, size, &known, sizeof(known));
	return 0;
}
