// SPDX-License-Identifier: MIT
/*
 * summary.c - statistics of all intervals of a recording
 */
#include <inttypes.h>
#include <stdlib.h>

#include "report/summary.h"
#include "report/summary_table.h"
#include "common/roles.h"

#define P99 0.99

static bool allocate(struct summary *summary, const struct evaluation *evaluation)
{
	const struct columns *columns = &evaluation->columns;

	summary->count = columns->count;
	summary->scalings = calloc(columns->count + 1, sizeof(*summary->scalings));
	summary->quantiles = calloc(columns->count + 1, sizeof(*summary->quantiles));
	summary->integrals = calloc(columns->count + 1, sizeof(*summary->integrals));
	if (!summary->scalings || !summary->quantiles || !summary->integrals)
		return false;
	for (size_t i = 0; i < columns->count; i++)
		summary->scalings[i] = scaling_of(&columns->list[i]);
	return true;
}

static void take_column(struct summary *summary, size_t number, const struct column *column,
			const void *values, const double *seconds, size_t count)
{
	struct quantile *quantile = &summary->quantiles[number];
	const struct scaling *scaling = &summary->scalings[number];

	for (size_t i = 0; i < count; i++) {
		const double value = scaling_column_value(column, values, i);

		if (!quantile_add(quantile, scaling_value(scaling, value, seconds[i])))
			summary->no_memory = true;
	}
}

static void take_times(struct summary *summary, const struct gpuoa_interval *intervals,
		       size_t count)
{
	for (size_t i = 0; i < count; i++) {
		if (!summary->rows)
			summary->begin = intervals[i].begin;
		else if (summary->end != intervals[i].begin)
			summary->gaps++;
		summary->end = intervals[i].end;
		summary->covered += intervals[i].end - intervals[i].begin;
		summary->rows++;
	}
}

void summary_take(void *context, const struct evaluation *evaluation, void *const *columns,
		  const struct gpuoa_interval *intervals, size_t count)
{
	struct summary *summary = context;
	double seconds[EVALUATION_BATCH];

	if (!summary->scalings && !allocate(summary, evaluation))
		summary->no_memory = true;
	if (summary->no_memory)
		return;
	for (size_t i = 0; i < count; i++)
		seconds[i] =
			(double)(intervals[i].end - intervals[i].begin) / evaluation->frequency;
	take_times(summary, intervals, count);
	for (size_t i = 0; i < summary->count; i++) {
		const struct column *column = &evaluation->columns.list[i];

		if (column->absent)
			continue;
		take_column(summary, i, column, columns[column->index], seconds, count);
		summary->integrals[i] +=
			scaling_integral(column->type, columns[column->index], intervals, count);
	}
}

static bool is_share(const struct column *column)
{
	struct gpuoa_metric_desc desc;

	if (!column->metric)
		return false;
	gpuoa_metric_describe(column->metric, &desc, sizeof(desc));
	return role_is_share(&desc);
}

/* Find the columns with a common metric of the set (enum role), and set their @answers to true. */
static bool find_roles(const struct summary *summary, const struct evaluation *evaluation,
		       bool *answers)
{
	const struct columns *columns = &evaluation->columns;
	bool *available = calloc(evaluation->set.metric_count + 1, sizeof(*available));
	size_t roles[ROLE_COUNT];

	if (!available)
		return false;
	for (size_t i = 0; i < summary->count; i++)
		if (columns->list[i].metric && !columns->list[i].absent)
			available[columns->list[i].index] = true;
	roles_find(evaluation->request.set, available, roles);
	free(available);
	for (size_t i = 0; i < summary->count; i++)
		for (int role = 0; role < ROLE_COUNT; role++)
			answers[i] |= columns->list[i].metric &&
				      columns->list[i].index == roles[role];
	return true;
}

static struct summary_line line_of(struct summary *summary, const struct evaluation *evaluation,
				   size_t number)
{
	const struct column *column = &evaluation->columns.list[number];
	const double seconds = (double)summary->covered / evaluation->frequency;
	const union gpuoa_value *total = evaluation->values + column->index;
	const union gpuoa_value *limit = total + evaluation->row_size;
	const struct scaling *scaling = &summary->scalings[number];
	struct quantile *quantile = &summary->quantiles[number];

	return (struct summary_line){
		.total = gpuoa_value_to_double(column->type, *total) * scaling->factor,
		.least = quantile->least,
		.mean = scaling_value(scaling, gpuoa_value_to_double(column->type, *total),
				      seconds),
		.over_time = summary->covered ? summary->integrals[number] / summary->covered : 0,
		.p99 = quantile_get(quantile, P99),
		.largest = quantile->largest,
		.limit = scaling_value(scaling, gpuoa_value_to_double(column->type, *limit),
				       seconds),
		.has_limit = column->has_max,
		.is_share = is_share(column),
		.is_exact = quantile_is_exact(quantile),
	};
}

int summary_print(struct summary *summary, struct evaluation *evaluation)
{
	const struct column *list = evaluation->columns.list;
	struct summary_table table;
	bool *answers;

	if (summary->no_memory)
		return fail("out of memory");
	if (gpuoa_calc_total(evaluation->calc, evaluation->values, NULL, false))
		return EXIT_OK;
	gpuoa_calc_total_max(evaluation->calc, evaluation->values + evaluation->row_size);
	answers = calloc(summary->count + 1, sizeof(*answers));
	if (!answers || !find_roles(summary, evaluation, answers)) {
		free(answers);
		return fail("out of memory");
	}
	summary_table_begin(&table, summary, evaluation);
	for (size_t i = 0; i < summary->count; i++) {
		struct summary_line line = { 0 };

		if (!list[i].absent)
			line = line_of(summary, evaluation, i);
		line.answers_role = answers[i];
		summary_table_line(&table, &list[i], &summary->scalings[i], &line);
	}
	summary_table_end(&table);
	free(answers);
	return EXIT_OK;
}

void summary_free(struct summary *summary)
{
	for (size_t i = 0; summary->quantiles && i < summary->count; i++)
		quantile_free(&summary->quantiles[i]);
	free(summary->quantiles);
	free(summary->integrals);
	free(summary->scalings);
	*summary = (struct summary){ 0 };
}
