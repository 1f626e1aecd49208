// SPDX-License-Identifier: MIT
/* calc_open.c - open and close calculators, and build their programs */
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "base/sized.h"
#include "calc/calc.h"

/* The number of outputs is limited, because operations of a program have 16-bit output numbers. */
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
 * Mark the metrics that needed metrics refer to, transitively. Chains of references are short, so
 * that a few iterations suffice.
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

/* Constants that only unavailable metrics use are not needed. */
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
 * Returns the information item for the reason of a report, or NULL if every report identifies its
 * context. Platforms since gen12.5, which have the item SourceId, identify the context only in
 * context-switch reports, for which the reason is needed.
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

/* Size of the options in the first version of the library. */
#define OPTIONS_SIZE_MIN (offsetof(struct gpuoa_calc_options, isa) + sizeof(const char *))

static int read_options(struct gpuoa_calc_options *known, const struct gpuoa_calc_options *options,
			const struct complaint *complaint)
{
	const int err = sized_take(known, sizeof(*known), options, OPTIONS_SIZE_MIN,
				   "the calculator's options", complaint);

	known->size = sizeof(*known);
	return err;
}

/*
 * Returns the name of a constant: @index counts only those set in @missing. NULL if there are
 * fewer.
 */
static const char *marked_constant(const struct gpuoa_constants *constants, const bool *missing,
				   size_t index)
{
	for (size_t i = 0; i < gpuoa_constants_count(constants); i++)
		if (missing[i] && !index--)
			return gpuoa_constants_name(constants, i);
	return NULL;
}

const char *gpuoa_calc_missing_constant(const struct gpuoa_set *set,
					const struct gpuoa_constants *constants,
					const struct gpuoa_calc_options *options, size_t index)
{
	struct gpuoa_calc_options known;
	struct selection selection;
	const struct complaint quiet = { 0 };
	const char *name = NULL;
	bool *missing;

	if (!constants_fit(constants, set_platform(set)) || read_options(&known, options, &quiet) ||
	    selection_make(&selection, set, &known))
		return NULL;
	missing = calloc(gpuoa_constants_count(constants) + 1, sizeof(*missing));
	if (missing && selection_lacks(&selection, set, constants, missing))
		name = marked_constant(constants, missing, index);
	free(missing);
	selection_free(&selection);
	return name;
}

static int make_program(const struct gpuoa_calc *calc, const struct vector_ops *vector,
			enum small_delta_purpose small_delta, struct program **program)
{
	const struct program_request request = {
		.set = calc->set,
		.constants = calc->constants,
		.format = calc->format,
		.vector = vector,
		.metrics = calc->selection.metrics,
		.metric_count = calc->selection.metric_count,
		.needed = calc->selection.needed,
		.infos = calc->selection.infos,
		.maxima = calc->selection.maxima,
		.validity = calc->selection.validity,
		.small_delta = small_delta,
	};

	return vector ? program_new(&request, program) : -EOPNOTSUPP;
}

bool calc_make_small_delta(struct gpuoa_calc *calc, enum small_delta_purpose purpose)
{
	struct program *small_delta;

	if (make_program(calc, calc->program->vector, purpose, &small_delta))
		return false;
	if (program_make_chains(small_delta, calc->lanes, calc->summaries)) {
		program_free(small_delta);
		return false;
	}
	for (uint32_t i = 0; purpose == SMALL_DELTA_ROWS && i < small_delta->output_count; i++)
		small_delta->small_delta.slots[i].values =
			(char *)(calc->results + i * COLUMN_ROWS);
	program_begin_linears(small_delta);
	calc->small_delta[purpose] = small_delta;
	return true;
}

/* Allocate zeroed, cache-line-aligned memory for @count elements. */
static void *alloc_lines(size_t count, size_t size)
{
	size_t bytes = (count * size + 63) & -(size_t)64;
	void *memory = aligned_alloc(64, bytes ? bytes : 64);

	return memory ? memset(memory, 0, bytes) : NULL;
}

static int alloc_batch(struct gpuoa_calc *calc)
{
	const struct program *program = calc->program;
	const size_t lanes = program->block_count * LANE_BLOCK;

	calc->lanes = alloc_lines(lanes, sizeof(*calc->lanes));
	if (calc->filter.reason)
		calc->apart = alloc_lines(COLUMN_ROWS, calc->format->size);
	calc->small_delta_batch.totals = alloc_lines(lanes, sizeof(uint32_t));
	calc->small_delta_batch.least = alloc_lines(lanes, sizeof(uint32_t));
	calc->small_delta_batch.largest = alloc_lines(lanes, sizeof(uint32_t));
	calc->small_delta_run.sums = alloc_lines(lanes, sizeof(uint64_t));
	calc->small_delta_run.least = alloc_lines(lanes, sizeof(uint32_t));
	calc->small_delta_run.largest = alloc_lines(lanes, sizeof(uint32_t));
	calc->last_report = alloc_lines(calc->format->size, 1);
	calc->results = alloc_lines(program->output_count * COLUMN_ROWS, sizeof(*calc->results));
	calc->summaries = alloc_lines(program->output_count, sizeof(*calc->summaries));
	calc->batch_sums = alloc_lines(program->input_count, sizeof(*calc->batch_sums));
	calc->sums = calloc(program->input_count, sizeof(*calc->sums));
	calc->total_sums = calloc(program->input_count, sizeof(*calc->total_sums));
	calc->total = calloc(calc->set->metric_count + 1, sizeof(*calc->total));
	calc->total_max = calloc(calc->set->metric_count + 1, sizeof(*calc->total_max));
	calc->total_valid = calloc(calc->set->metric_count + 1, sizeof(*calc->total_valid));
	return calc->lanes && calc->small_delta_batch.totals && calc->small_delta_batch.least &&
			       calc->small_delta_batch.largest && calc->small_delta_run.sums &&
			       calc->small_delta_run.least && calc->small_delta_run.largest &&
			       (calc->apart || !calc->filter.reason) && calc->last_report &&
			       calc->results && calc->summaries && calc->batch_sums && calc->sums &&
			       calc->total_sums && calc->total && calc->total_max &&
			       calc->total_valid ?
		       0 :
		       -ENOMEM;
}

static const char *symbol_of(const struct gpuoa_set *set)
{
	return table_string(&set->symbol);
}

static int make_selection(struct gpuoa_calc *calc, const struct gpuoa_constants *constants,
			  const struct gpuoa_calc_options *options,
			  const struct complaint *complaint)
{
	const char *symbol = symbol_of(calc->set);
	const int err = selection_make(&calc->selection, calc->set, options);

	if (err == -EINVAL)
		return COMPLAIN(complaint, err, "one of the metrics is not of set %s", symbol);
	if (err == -E2BIG)
		return COMPLAIN(complaint, err, "so many metrics no calculator has columns for");
	if (err || !selection_lacks(&calc->selection, calc->set, constants, NULL))
		return err;
	return COMPLAIN(complaint, -ENODATA, "constant %s, which set %s needs, has no value",
			gpuoa_calc_missing_constant(calc->set, constants, options, 0), symbol);
}

static int make_filter(struct gpuoa_calc *calc, const struct gpuoa_calc_options *options,
		       const struct complaint *complaint)
{
	const int err = filter_make(&calc->filter, calc->set, options);

	if (!err)
		return 0;
	return COMPLAIN(complaint, err, "reports of %s do not contain their %s",
			gpuoa_platform_title(set_platform(calc->set)),
			options->reasons && !calc->filter.reason ? "reason" : "context");
}

static int make_main_program(struct gpuoa_calc *calc, const struct gpuoa_calc_options *options,
			     const struct complaint *complaint)
{
	const struct vector_ops *vector = vector_ops_get(options->isa);
	int err;

	if (!vector)
		return COMPLAIN(complaint, -EOPNOTSUPP,
				"there is no vector code '%s' that this processor runs",
				options->isa);
	err = make_program(calc, vector, SMALL_DELTA_NONE, &calc->program);
	if (err == -ENXIO)
		return COMPLAIN(complaint, err, "format %s lacks a counter that set %s needs",
				calc->format->name, symbol_of(calc->set));
	if (err == -EOVERFLOW)
		return COMPLAIN(complaint, err,
				"the equations of set %s have too many values: ask for a part of "
				"its metrics",
				symbol_of(calc->set));
	return err;
}

static int calc_init(struct gpuoa_calc *calc, const struct gpuoa_constants *constants,
		     const struct gpuoa_calc_options *options, const struct complaint *complaint)
{
	int err = make_selection(calc, constants, options, complaint);

	if (!err)
		err = make_filter(calc, options, complaint);
	calc->across_gaps = options->across_gaps;
	if (!err)
		err = gpuoa_constants_copy(constants, &calc->constants);
	if (!err)
		err = make_main_program(calc, options, complaint);
	return err ? err : alloc_batch(calc);
}

int calc_open_format(const struct gpuoa_set *set, const struct gpuoa_constants *constants,
		     const struct report_format *format, const struct gpuoa_calc_options *options,
		     struct gpuoa_calc **calc, const struct complaint *complaint)
{
	struct gpuoa_calc_options known;
	struct gpuoa_calc *new;
	int err = read_options(&known, options, complaint);

	if (err)
		return err;
	if (!constants_fit(constants, set_platform(set)))
		return COMPLAIN(complaint, -EINVAL, "the constants are not those of %s",
				gpuoa_platform_title(set_platform(set)));
	new = calloc(1, sizeof(*new));
	if (!new)
		return -ENOMEM;
	new->set = set;
	new->format = format;
	err = calc_init(new, constants, &known, complaint);
	if (err) {
		gpuoa_calc_close(new);
		return err;
	}
	*calc = new;
	return 0;
}

int calc_open(const struct gpuoa_set *set, const struct gpuoa_constants *constants, uint32_t format,
	      const struct gpuoa_calc_options *options, struct gpuoa_calc **calc,
	      const struct complaint *complaint)
{
	const struct report_format *known = format_get(format);

	if (!known)
		return COMPLAIN(complaint, -EINVAL, "there is no report format %u", format);
	return calc_open_format(set, constants, known, options, calc, complaint);
}

int gpuoa_calc_open(const struct gpuoa_set *set, const struct gpuoa_constants *constants,
		    uint32_t format, const struct gpuoa_calc_options *options,
		    struct gpuoa_calc **calc, char *error, size_t error_size)
{
	const struct complaint complaint = complaint_begin(error, error_size);
	const int err = calc_open(set, constants, format, options, calc, &complaint);

	return err ? complaint_end(&complaint, err) : 0;
}

void gpuoa_calc_close(struct gpuoa_calc *calc)
{
	if (!calc)
		return;
	selection_free(&calc->selection);
	gpuoa_constants_free(calc->constants);
	program_free(calc->program);
	for (int i = 0; i < SMALL_DELTA_PURPOSES; i++)
		program_free(calc->small_delta[i]);
	free(calc->lanes);
	free(calc->apart);
	free(calc->pair);
	free(calc->small_delta_batch.totals);
	free(calc->small_delta_batch.least);
	free(calc->small_delta_batch.largest);
	free(calc->small_delta_run.sums);
	free(calc->small_delta_run.least);
	free(calc->small_delta_run.largest);
	free(calc->last_report);
	free(calc->results);
	free(calc->summaries);
	free(calc->batch_sums);
	free(calc->sums);
	free(calc->total_sums);
	free(calc->total);
	free(calc->total_max);
	free(calc->total_valid);
	free(calc);
}
