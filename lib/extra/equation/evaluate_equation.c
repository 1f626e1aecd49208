// SPDX-License-Identifier: MIT
/* evaluate_equation.c - value of one equation, including all metrics that it depends on */
#include "metadata/equation_flags.h"

#include <errno.h>
#include <stdlib.h>

#include "gpuoa-equation.h"
#include "metadata/evaluate.h"
#include "report/format.h"
#include "table/table.h"

/* An equation that is being evaluated. */
struct valuation {
	const struct gpuoa_set *set;
	const struct gpuoa_constants *constants;
	bool *needed; /* one flag per metric of the set */
	bool needs_reports;
	bool lacks; /* a constant has no value */
	bool needs_query; /* uses counters that no report has */
};

/* Note the operands that an equation uses. */
static void look_at(struct valuation *valuation, const uint32_t *code)
{
	const uint32_t *end = code + 1 + code_length(code);

	valuation->lacks |= evaluate_lacks_constants(code, valuation->constants, NULL);
	for (const uint32_t *word = code + 1; word < end; word += code_words(code_op(*word))) {
		switch (code_op(*word)) {
		case CODE_COUNTER:
			valuation->needs_query |= code_argument(*word) / BANK_SIZE == BANK_PERFCNT;
			valuation->needs_reports = true;
			break;
		case CODE_TIMESTAMP:
		case CODE_CLOCK:
		case CODE_REPORT_ID:
		case CODE_CONTEXT_ID:
			valuation->needs_reports = true;
			break;
		case CODE_METRIC:
		case CODE_METRIC_REAL:
			valuation->needed[code_argument(*word)] = true;
			break;
		default:
			break;
		}
	}
}

/* Backward, because metrics depend on earlier ones only. */
static void look_at_metrics(struct valuation *valuation)
{
	for (uint32_t i = valuation->set->metric_count; i--;) {
		const struct gpuoa_metric *metric = &set_metrics(valuation->set)[i];
		const uint32_t *condition = table_follow(&metric->availability);
		const uint32_t *code = table_follow(&metric->equation);

		if (!valuation->needed[i] || !code)
			continue;
		look_at(valuation, code);
		if (condition)
			look_at(valuation, condition);
	}
}

static uint64_t difference(struct report_field field, const void *first, const void *last)
{
	const struct gpuoa_delta delta = { .kind = GPUOA_DELTA_BITS, .bits = field.bits };

	return gpuoa_delta_value(delta, report_read(first, field), report_read(last, field));
}

/* Read differences of two reports; for information items, values of the later one. */
static void read_reports(const struct report_format *format, const void *first, const void *last,
			 bool of_info, uint64_t *counters, struct evaluation *evaluation)
{
	for (uint32_t i = 0; i < COUNTER_COUNT; i++)
		counters[i] = difference(format_counter(format, i), first, last);
	evaluation->timestamp = of_info ? report_read(last, format->timestamp) :
					  difference(format->timestamp, first, last);
	evaluation->clock = of_info ? report_read(last, format->clock) :
				      difference(format->clock, first, last);
	evaluation->report_id = report_read(last, format->report_id);
	evaluation->context_id = report_read(last, format->context);
	evaluation->counters = counters;
}

static void evaluate_metrics(const struct valuation *valuation, const struct evaluation *evaluation,
			     union number *metrics)
{
	for (uint32_t i = 0; i < valuation->set->metric_count; i++) {
		const struct gpuoa_metric *metric = &set_metrics(valuation->set)[i];
		const uint32_t *condition = table_follow(&metric->availability);
		const uint32_t *code = table_follow(&metric->equation);

		if (!valuation->needed[i] || !code ||
		    (condition && evaluate_condition(condition, valuation->constants) <= 0))
			continue;
		metrics[i] = evaluate(code, evaluation, metric_definition(metric)->type);
	}
}

static struct gpuoa_typed_value value_of(const uint32_t *code, const struct evaluation *evaluation)
{
	struct gpuoa_typed_value value = {
		.type = code_is_real(code) ? GPUOA_TYPE_FLOAT : GPUOA_TYPE_UINT64,
	};
	const union number number = evaluate(code, evaluation, value.type);

	if (value.type == GPUOA_TYPE_FLOAT)
		value.value.f32 = real_to_float(number.real);
	else
		value.value.u64 = number.integer;
	return value;
}

static int check(const struct valuation *valuation, const struct report_format *format,
		 const void *first, const void *last)
{
	if (valuation->needs_query || (valuation->needs_reports && !format))
		return -EOPNOTSUPP;
	if (valuation->needs_reports && (!first || !last))
		return -EFAULT;
	return valuation->lacks ? -ENODATA : 0;
}

int gpuoa_equation_evaluate(const struct gpuoa_equation *equation,
			    const struct gpuoa_constants *constants, const void *first,
			    const void *last, struct gpuoa_typed_value *value)
{
	const struct gpuoa_set *set = equation->set;
	const struct report_format *format = format_get(set->format);
	struct valuation valuation = { .set = set, .constants = constants };
	struct evaluation evaluation = { .constants = constants };
	uint64_t counters[COUNTER_COUNT];
	union number *metrics;
	int err = -ENOMEM;

	if (!equation->code)
		return -ENOENT;
	if (equation->word != equation->code + 1)
		return -EALREADY;
	if (!constants_fit(constants, set_platform(set)))
		return -EINVAL;
	valuation.needed = calloc(set->metric_count + 1, sizeof(*valuation.needed));
	metrics = calloc(set->metric_count + 1, sizeof(*metrics));
	if (valuation.needed && metrics) {
		look_at(&valuation, equation->code);
		look_at_metrics(&valuation);
		err = check(&valuation, format, first, last);
	}
	if (!err) {
		if (valuation.needs_reports)
			read_reports(format, first, last, equation->flags & EQUATION_OF_INFO,
				     counters, &evaluation);
		evaluation.metrics = metrics;
		evaluate_metrics(&valuation, &evaluation, metrics);
		*value = value_of(equation->code, &evaluation);
	}
	free(valuation.needed);
	free(metrics);
	return err;
}

void gpuoa_equation_free(struct gpuoa_equation *equation)
{
	if (!equation)
		return;
	if (equation->flags & EQUATION_OWNS_CODE)
		free((void *)equation->code);
	*equation = (struct gpuoa_equation){ .set = equation->set };
}
