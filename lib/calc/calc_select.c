// SPDX-License-Identifier: MIT
/* calc_select.c - select the metrics to calculate and the reports to calculate from */
#include <errno.h>
#include <stdlib.h>

#include "calc/calc.h"

/* Operations of a program have 16-bit output numbers. */
#define COLUMNS_MAX UINT16_MAX

static void need_metrics_of(struct selection *selection, const uint32_t *code, bool *more)
{
	const uint32_t *word, *end;

	if (!code)
		return;
	end = code + 1 + code_length(code);
	for (word = code + 1; word < end; word += code_words(code_op(*word))) {
		enum code_op op = code_op(*word);

		if ((op != CODE_METRIC && op != CODE_METRIC_REAL) ||
		    selection->needed[code_argument(*word)])
			continue;
		selection->needed[code_argument(*word)] = true;
		*more = true;
	}
}

/*
 * Mark the metrics that needed metrics refer to, transitively. References are not deep, so a few
 * iterations suffice.
 */
static void need_all(struct selection *selection, const struct gpuoa_set *set)
{
	const struct gpuoa_metric *metrics = set_metrics(set);
	bool more = true;

	while (more) {
		more = false;
		for (uint32_t i = set->metric_count; i-- > 0;) {
			if (!selection->needed[i])
				continue;
			need_metrics_of(selection, table_follow(&metrics[i].equation), &more);
			need_metrics_of(selection, table_follow(&metrics[i].max), &more);
		}
	}
}

static int select_metrics(struct selection *selection, const struct gpuoa_set *set,
			  const struct gpuoa_calc_options *options)
{
	const struct gpuoa_metric *first = set_metrics(set);

	for (uint32_t i = 0; i < selection->metric_count; i++) {
		uint32_t number = i;

		if (options && options->metrics) {
			const struct gpuoa_metric *metric = options->metrics[i];

			if (!metric || table_follow(&metric->set) != set)
				return -EINVAL;
			number = metric - first;
		}
		selection->metrics[i] = number;
		selection->needed[number] = true;
	}
	need_all(selection, set);
	return 0;
}

int selection_make(struct selection *selection, const struct gpuoa_set *set,
		   const struct gpuoa_calc_options *options)
{
	const size_t count = options && options->metrics ? options->metric_count :
							   set->metric_count;
	const bool no_infos = options && options->no_infos;
	const bool maxima = options && options->maxima, validity = options && options->validity;
	int err = -ENOMEM;

	if (count > COLUMNS_MAX ||
	    count * (1 + maxima + validity) + (no_infos ? 0 : set->info_count) > COLUMNS_MAX)
		return -E2BIG;
	*selection = (struct selection){
		.metrics = calloc(count + 1, sizeof(*selection->metrics)),
		.metric_count = count,
		.needed = calloc(set->metric_count + 1, sizeof(*selection->needed)),
		.infos = !no_infos,
		.maxima = maxima,
		.validity = validity,
	};
	if (selection->metrics && selection->needed)
		err = select_metrics(selection, set, options);
	if (err)
		selection_free(selection);
	return err;
}

void selection_free(struct selection *selection)
{
	free(selection->metrics);
	free(selection->needed);
	*selection = (struct selection){ 0 };
}

static bool lacks(const struct table_link *link, const struct gpuoa_constants *constants,
		  bool *missing)
{
	const uint32_t *code = table_follow(link);

	return code && evaluate_lacks_constants(code, constants, missing);
}

/* Constants of an unavailable metric are not needed. */
static bool metric_lacks(const struct gpuoa_metric *metric, const struct gpuoa_constants *constants,
			 bool *missing)
{
	bool equation, max;

	switch (gpuoa_metric_available(metric, constants, NULL, 0)) {
	case 0:
		return false;
	case 1:
		equation = lacks(&metric->equation, constants, missing);
		max = lacks(&metric->max, constants, missing);
		return equation || max;
	default:
		return lacks(&metric->availability, constants, missing);
	}
}

bool selection_lacks(const struct selection *selection, const struct gpuoa_set *set,
		     const struct gpuoa_constants *constants, bool *missing)
{
	bool some = false;

	for (uint32_t i = 0; i < set->metric_count; i++)
		if (selection->needed[i])
			some |= metric_lacks(&set_metrics(set)[i], constants, missing);
	for (uint32_t i = 0; selection->infos && i < set->info_count; i++)
		some |= lacks(&set_infos(set)[i].equation, constants, missing);
	return some;
}

static const uint32_t *info_code(const struct gpuoa_set *set, const char *symbol)
{
	const struct gpuoa_info *infos = set_infos(set);

	for (uint32_t i = 0; i < set->info_count; i++)
		if (!strcmp(table_string(&infos[i].symbol), symbol))
			return table_follow(&infos[i].equation);
	return NULL;
}

/*
 * Returns the information item for the reason of a report, which includes context switches, or NULL
 * if every report identifies its context. Platforms since gen12.5, which have the item SourceId,
 * identify the context only in context-switch reports.
 */
static const uint32_t *switches_of(const struct gpuoa_set *set)
{
	return info_code(set, "SourceId") ? info_code(set, "ReportReason") : NULL;
}

int filter_make(struct filter *filter, const struct gpuoa_set *set,
		const struct gpuoa_calc_options *options)
{
	*filter = (struct filter){ 0 };
	if (options && options->reasons) {
		filter->reason = info_code(set, "ReportReason");
		filter->reasons = options->reasons;
		if (!filter->reason)
			return -EOPNOTSUPP;
	}
	if (options && options->context_filter) {
		filter->context = info_code(set, "ContextId");
		filter->context_valid = info_code(set, "ContextIdValid");
		filter->context_id = options->context_id;
		filter->switches = switches_of(set);
		if (!filter->context || !filter->context_valid)
			return -EOPNOTSUPP;
	}
	return 0;
}

struct evaluation calc_header(const struct report_format *format,
			      const struct gpuoa_constants *constants, const void *report)
{
	return (struct evaluation){
		.constants = constants,
		.timestamp = report_read(report, format->timestamp),
		.clock = report_read(report, format->clock),
		.report_id = report_read(report, format->report_id),
		.context_id = report_read(report, format->context),
	};
}

bool filter_takes(const struct filter *filter, const struct report_format *format,
		  const struct gpuoa_constants *constants, const void *report)
{
	struct evaluation header = calc_header(format, constants, report);

	return evaluate(filter->reason, &header, GPUOA_TYPE_UINT64).integer & filter->reasons;
}

/* Bit of ReportReason. */
#define REASON_CONTEXT_SWITCH 8

bool filter_keeps(const struct filter *filter, const struct report_format *format,
		  const struct gpuoa_constants *constants, const void *report, bool before)
{
	struct evaluation header = calc_header(format, constants, report);

	if (evaluate(filter->context_valid, &header, GPUOA_TYPE_UINT64).integer)
		return evaluate(filter->context, &header, GPUOA_TYPE_UINT64).integer ==
		       filter->context_id;
	return before && filter->switches &&
	       !(evaluate(filter->switches, &header, GPUOA_TYPE_UINT64).integer &
		 REASON_CONTEXT_SWITCH);
}
