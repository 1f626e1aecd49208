// SPDX-License-Identifier: MIT
/*
 * program_test.c - Check the programs that equations compile to: a longer program has the same
 * results, but is slower.
 *
 * Programs are compared as text. An operation is "c3=add(c1,c2)": it writes column 3. A column that
 * no operation writes is a literal, of which the value is shown. "c1=A0" loads an input, "c1=@A0"
 * the value of a report instead of a difference, and "out0=c1" writes output 0. Operations on
 * integers that may not fit in doubles have upper-case names. A chain is "{A0+A1 put0}": it loads
 * the lane of A0, adds the lane of A1, and writes output 0. "?{...}" is a checked chain, "w{...}"
 * one that is only run if its column is not wide, and "lin0=A0+A1*3" a linear output.
 */
#include <inttypes.h>
#include <math.h>
#include <stdarg.h>
#include <stdlib.h>

#include "calc/calc.h"
#include "fixture.h"
#include "tap.h"

#define UUID "00000000-0000-4000-8000-000000000001"

struct listing {
	const struct gpuoa_calc *calc;
	const struct program *program;
	char text[4096];
	size_t length;
};

static void add(struct listing *listing, const char *format, ...)
	__attribute__((format(printf, 2, 3)));

static void add(struct listing *listing, const char *format, ...)
{
	va_list arguments;

	va_start(arguments, format);
	listing->length += vsnprintf(listing->text + listing->length,
				     sizeof(listing->text) - listing->length, format, arguments);
	va_end(arguments);
}

/* Inputs and columns */

static void add_input(struct listing *listing, const struct program_input *input)
{
	static const char *const headers[] = { "T", "CLOCK", "ID", "CONTEXT" };

	if (input->absolute)
		add(listing, "@");
	if (input->source < COUNTER_COUNT)
		add(listing, "%c%u", "ABCP"[input->source / BANK_SIZE],
		    input -> source % BANK_SIZE);
	else
		add(listing, "%s", headers[input->source - COUNTER_COUNT]);
}

static bool is_written(const struct program *program, uint32_t column)
{
	for (uint32_t i = 0; i < program->operation_count; i++)
		if (program->operations[i].kind != OPERATION_OUTPUT &&
		    program->operations[i].out == column)
			return true;
	return false;
}

static void add_column(struct listing *listing, uint32_t column)
{
	const struct program *program = listing->program;

	if (is_written(program, column))
		add(listing, "c%u", column);
	else if (program->wide[column])
		add(listing, "%" PRIu64 "w", program->columns[column].wide[0]);
	else
		add(listing, "%.4g", program->columns[column].reals[0]);
}

/* Operations */

/* Names of steps, and the operands that they use */
static const struct {
	const char *name;
	const char *operands;
} steps[STEP_COUNT] = {
	[STEP_ADD] = { "add", "ab" },
	[STEP_SUBTRACT] = { "sub", "ab" },
	[STEP_REAL_SUBTRACT] = { "rsub", "ab" },
	[STEP_MULTIPLY] = { "mul", "ab" },
	[STEP_MINIMUM] = { "min", "ab" },
	[STEP_MAXIMUM] = { "max", "ab" },
	[STEP_RECIPROCAL] = { "inv", "a" },
	[STEP_RECIPROCAL_WHOLE] = { "winv", "a" },
	[STEP_DIVIDE] = { "div", "ab" },
	[STEP_DIVIDE_WITH] = { "divwith", "abc" },
	[STEP_DIVIDE_WHOLE] = { "wdivwith", "abc" },
	[STEP_QUOTIENT] = { "quo", "ab" },
	[STEP_QUOTIENT_WITH] = { "quowith", "abc" },
	[STEP_QUOTIENT_WHOLE] = { "wquowith", "ac" },
};

static const char *const integers[] = {
	[CODE_ADD] = "ADD",	   [CODE_SUBTRACT] = "SUB",   [CODE_MULTIPLY] = "MUL",
	[CODE_DIVIDE] = "DIV",	   [CODE_MINIMUM] = "MIN",    [CODE_MAXIMUM] = "MAX",
	[CODE_BIT_AND] = "BITAND", [CODE_SHIFT_LEFT] = "SHL", [CODE_SHIFT_RIGHT] = "SHR",
	[CODE_EQUAL] = "EQ",	   [CODE_NOT_EQUAL] = "NE",   [CODE_LESS] = "LT",
	[CODE_LESS_EQUAL] = "LE",  [CODE_GREATER] = "GT",     [CODE_GREATER_EQUAL] = "GE",
	[CODE_AND] = "AND",	   [CODE_OR] = "OR",
};

static void add_call(struct listing *listing, const char *name, const char *operands,
		     const struct program_operation *operation)
{
	add(listing, "c%u=%s(", operation->out, name);
	for (const char *at = operands; *at; at++) {
		if (at != operands)
			add(listing, ",");
		add_column(listing, *at == 'a' ? operation->a :
				    *at == 'b' ? operation->b :
						 operation->c);
	}
	add(listing, ") ");
}

static void add_operation(struct listing *listing, const struct program_operation *operation)
{
	switch (operation->kind) {
	case OPERATION_LOAD:
		add(listing, "c%u=", operation->out);
		add_input(listing, &listing->program->inputs[operation->a]);
		add(listing, " ");
		break;
	case OPERATION_OUTPUT:
		add(listing, "out%u=", operation->out);
		add_column(listing, operation->a);
		add(listing, " ");
		break;
	case OPERATION_STEP:
		add_call(listing, steps[operation->op].name, steps[operation->op].operands,
			 operation);
		break;
	case OPERATION_INTEGER:
		add_call(listing, integers[operation->op],
			 operation->c != operation->b ? "abc" : "ab", operation);
		break;
	case OPERATION_SCALE:
		add_call(listing, "SCALE", "abc", operation);
		break;
	case OPERATION_TO_REAL:
		add_call(listing, "REAL", "a", operation);
		break;
	default: /* OPERATION_TO_INTEGER */
		add_call(listing, "INTEGER", "a", operation);
		break;
	}
}

/* Chains */

static void add_lane(struct listing *listing, const void *dwords)
{
	const struct program *program = listing->program;

	for (uint32_t i = 0; i < program->input_count; i++)
		if (!program->inputs[i].absolute &&
		    dwords == listing->calc->lanes[program->inputs[i].low].dwords + LANE_FIRST) {
			add_input(listing, &program->inputs[i]);
			return;
		}
	add(listing, "(no lane)");
}

static void add_operand(struct listing *listing, const void *column)
{
	add_column(listing, (const union column *)column - listing->program->columns);
}

static void add_slot(struct listing *listing, const char *name, const void *slot)
{
	add(listing, " %s%td", name,
	    (const struct op_chain_slot *)slot - listing->program->small_delta.slots);
}

static enum op_chain_task task_of(const struct program *program, const struct op_chain_link *link)
{
	unsigned int task = 0;

	while (task < OP_CHAIN_TASK_COUNT && program->vector->chain->task[task] != link->run)
		task++;
	return task;
}

static void add_step_link(struct listing *listing, const struct op_chain_link *link)
{
	const struct op_chain_ops *chain = listing->program->vector->chain;

	for (size_t step = 0; step < STEP_COUNT; step++)
		if (chain->step[step] == link->run) {
			add(listing, " %s", steps[step].name);
			if (strchr(steps[step].operands, 'b')) {
				add(listing, " ");
				add_operand(listing, link->b);
			}
			if (strchr(steps[step].operands, 'c')) {
				add(listing, " ");
				add_operand(listing, link->c);
			}
		}
}

/* Add one link. Returns false after the last one of the chain. */
static bool add_link(struct listing *listing, const struct op_chain_link *link)
{
	switch (task_of(listing->program, link)) {
	case OP_CHAIN_WIDEN:
		add_lane(listing, link->b);
		break;
	case OP_CHAIN_LOAD:
		add_operand(listing, link->b);
		break;
	case OP_CHAIN_ADD_LANE:
		add(listing, "+");
		add_lane(listing, link->b);
		break;
	case OP_CHAIN_ADD_FITS:
		add(listing, " +?");
		add_operand(listing, link->b);
		break;
	case OP_CHAIN_MULTIPLY_FITS:
		add(listing, " *?");
		add_operand(listing, link->b);
		break;
	case OP_CHAIN_STORE:
		add(listing, "=>");
		add_operand(listing, link->out);
		break;
	case OP_CHAIN_SUMMARIZE:
		add(listing, " sum%td",
		    (struct column_summary *)link->out - listing->calc->summaries);
		break;
	case OP_CHAIN_PUT_FLOATS:
		add_slot(listing, "float", link->out);
		break;
	case OP_CHAIN_PUT_FLOAT_WORDS:
		add_slot(listing, "word", link->out);
		break;
	case OP_CHAIN_PUT_INTEGERS:
		add_slot(listing, "put", link->out);
		break;
	case OP_CHAIN_FETCH: /* Another value is loaded. */
		add(listing, listing->text[listing->length - 1] == '{' ? "" : "; ");
		break;
	case OP_CHAIN_END:
		return false;
	default:
		add_step_link(listing, link);
		break;
	}
	return true;
}

static void add_chain(struct listing *listing, const char *kind, uint32_t number)
{
	const struct op_chain_link *link = &listing->program->small_delta.links[number];

	add(listing, "%s{", kind);
	while (add_link(listing, link))
		link++;
	add(listing, "} ");
}

static void add_step(struct listing *listing, const struct small_delta_step *step)
{
	const struct program_operation *operations = listing->program->operations;

	switch (step->kind) {
	case SMALL_DELTA_CHAIN:
		add_chain(listing, "", step->link);
		break;
	case SMALL_DELTA_CHECKED:
		add_chain(listing, "?", step->link);
		add(listing, "c%u else ", step->column);
		for (uint32_t i = step->operation; i < step->end; i++)
			add_operation(listing, &operations[i]);
		break;
	case SMALL_DELTA_OUTPUT:
		add(listing, "c%u", step->column);
		add_chain(listing, " narrow ", step->link);
		add(listing, "else ");
		add_operation(listing, &operations[step->operation]);
		break;
	default: /* SMALL_DELTA_OPERATION */
		add_operation(listing, &operations[step->operation]);
		break;
	}
}

static void add_linear(struct listing *listing, const struct linear_output *linear)
{
	add(listing, "%s%u=", linear->bounds ? "bounds" : "lin", linear->output);
	if (linear->sum.count > 20)
		add(listing, "%u lanes", linear->sum.count);
	for (uint32_t i = 0; linear->sum.count <= 20 && i < linear->sum.count; i++) {
		add(listing, i ? "+" : "");
		add_lane(listing, listing->calc->lanes[linear->sum.numbers[i]].dwords + LANE_FIRST);
	}
	add(listing, "*%u ", linear->sum.factor);
}

/* A calculator for some metrics */

#define FORMAT GPUOA_REPORT_A32U40_A4U32_B8_C8

struct bench {
	struct fixture fixture;
	struct gpuoa_constants *constants;
	struct gpuoa_calc *calc;
};

static void bench_close(struct bench *bench)
{
	gpuoa_calc_close(bench->calc);
	gpuoa_constants_free(bench->constants);
	fixture_free(&bench->fixture);
}

/*
 * Open a calculator for metrics M0, M1, ... @equations: "TYPE EQUATION [max EQUATION]|...";
 * TYPE: u or f for a metric, i for an information item, r for ReportReason
 */
static bool bench_open(struct bench *bench, const struct report_format *format,
		       const char *equations, bool validity)
{
	const struct gpuoa_calc_options options = {
		.size = sizeof(options),
		.isa = "plain",
		.maxima = validity,
		.validity = validity,
	};
	char text[4096], list[256] = "", name[16];
	size_t length = 0, count = 0;

	memset(bench, 0, sizeof(*bench));
	length = snprintf(text, sizeof(text), "platform t \"T\"\n");
	while (*equations) {
		const bool real = *equations == 'f', reason = *equations == 'r';
		const bool info = *equations == 'i' || reason;
		const size_t size = strcspn(equations, "|");
		const char *end = equations + size, *max = strstr(equations, " max ");
		const char *value = equations + 2, *value_end = max && max < end ? max : end;

		snprintf(name, sizeof(name), "%c%zu", info ? 'I' : 'M', count);
		length += snprintf(text + length, sizeof(text) - length,
				   "%s %s \"-\" \"-\" = %.*s %s x %s%.*s\n",
				   info ? "info" : "metric", reason ? "ReportReason" : name,
				   (int)(value_end - value), value, real ? "float" : "uint64",
				   info ? "raw" : "event", (int)(end - value_end), value_end);
		if (!info)
			snprintf(list + strlen(list), sizeof(list) - strlen(list), " %s", name);
		count++;
		equations += size + (equations[size] == '|');
	}
	snprintf(text + length, sizeof(text) - length,
		 "set S \"Set\" { uuid \"" UUID "\" format %s metrics {%s } }\n", format->name,
		 list);
	if (fixture_compile(&bench->fixture, text)) {
		printf("# %s\n", bench->fixture.diagnostic.text);
		return false;
	}
	return !gpuoa_constants_new(fixture_platform(&bench->fixture), &bench->constants) &&
	       !gpuoa_calc_open(gpuoa_platform_get_set(fixture_platform(&bench->fixture), 0),
				bench->constants, format->id, &options, &bench->calc, NULL, 0);
}

static void list_program(struct listing *listing, const struct bench *bench)
{
	*listing = (struct listing){ .calc = bench->calc, .program = bench->calc->program };
	for (uint32_t i = 0; i < listing->program->operation_count; i++)
		add_operation(listing, &listing->program->operations[i]);
}

static void list_fast(struct listing *listing, const struct bench *bench,
		      enum small_delta_purpose purpose)
{
	const struct program *program = bench->calc->small_delta[purpose];
	uint32_t turned = 0;

	*listing = (struct listing){ .calc = bench->calc, .program = program };
	for (uint32_t i = 0; i < program->small_delta.linear_count; i++)
		add_linear(listing, &program->small_delta.linears[i]);
	for (uint32_t i = 0; i < program->small_delta.step_count; i++)
		add_step(listing, &program->small_delta.steps[i]);
	for (uint32_t i = 0; i < program->quad_count; i++)
		turned += program->quads[i].turn;
	add(listing, "%u of %u", turned, program->quad_count);
}

/*
 * Results: the fast path computes whole batches, the other program single rows, and the evaluator
 * of totals shares no code with them.
 */

#define REPORTS (1 + 2 * COLUMN_ROWS + 20)
#define REPORT_DWORDS 64
#define OUTPUTS_MAX 16

/* Products of four increments fit in 64 bits, except in these rows. Some increments are 0. */
static bool is_large(size_t row)
{
	return row % 5 == 0;
}

static void make_reports(uint32_t reports[REPORTS][REPORT_DWORDS])
{
	const struct report_format *format = format_get(FORMAT);
	uint64_t state = 23;

	memset(reports, 0, REPORTS * sizeof(reports[0]));
	for (size_t row = 1; row < REPORTS; row++) {
		memcpy(reports[row], reports[row - 1], sizeof(reports[row]));
		reports[row][format->timestamp.offset / 4] += 1000 + row;
		reports[row][format->clock.offset / 4] += 2000 + row;
		reports[row][format->report_id.offset / 4] = row << 19;
		reports[row][format->context.offset / 4] = row * 0x1000001;
		for (uint32_t i = 0; i < COUNTER_COUNT; i++) {
			const struct report_field field = format_counter(format, i);

			if (field.bits && (row + i) % 7)
				reports[row][field.offset / 4] += fixture_random(&state) >>
								  (is_large(row) ? 40 : 51);
		}
	}
}

static size_t run(struct gpuoa_calc *calc, const uint32_t *reports, size_t count,
		  union gpuoa_value *values)
{
	size_t used;

	gpuoa_calc_discontinuity(calc);
	gpuoa_calc_set_time_base(calc, reports[1]);
	return gpuoa_calc_run(calc, reports, count, values, NULL, SIZE_MAX, &used);
}

/* True if a double is equal to the result of floats, which may overflow or underflow. */
static bool near(double a, double b)
{
	return isinf(b) || fabs(a - b) <= 1e-7 * fabs(b) + 1e-37;
}

static void check_summary(const struct gpuoa_calc *calc, size_t output,
			  const struct gpuoa_summary *summary, const union gpuoa_value *rows)
{
	const size_t outputs = gpuoa_calc_output_count(calc);
	double sum = 0, least = INFINITY, largest = -INFINITY;

	for (size_t row = 0; row + 1 < REPORTS; row++) {
		const double value = gpuoa_value_to_double(gpuoa_calc_output_type(calc, output),
							   rows[row * outputs + output]);

		sum += value;
		least = fmin(least, value);
		largest = fmax(largest, value);
	}
	CHECK(summary->rows == REPORTS - 1);
	CHECK(near(summary->sum, sum));
	CHECK(near(summary->least, least) && near(summary->largest, largest));
}

static void run_columns(struct gpuoa_calc *calc, const uint32_t reports[][REPORT_DWORDS],
			void *const *columns, struct gpuoa_interval *intervals)
{
	size_t used;

	gpuoa_calc_discontinuity(calc);
	gpuoa_calc_set_time_base(calc, reports[0][1]);
	CHECK(gpuoa_calc_run_outputs(calc, reports, REPORTS, columns, intervals, SIZE_MAX, &used) ==
	      REPORTS - 1);
}

/* Columns are stored by other chains than rows. Every third column is not requested. */
static void check_columns(struct gpuoa_calc *calc, const uint32_t reports[][REPORT_DWORDS],
			  const union gpuoa_value *rows)
{
	static union gpuoa_value memory[OUTPUTS_MAX][REPORTS];
	struct gpuoa_interval intervals[REPORTS - 1];
	const size_t outputs = gpuoa_calc_output_count(calc);
	void **columns = calloc(outputs, sizeof(*columns));
	union gpuoa_value total[OUTPUTS_MAX], sums[OUTPUTS_MAX];
	const struct program *program = calc->small_delta[SMALL_DELTA_COLUMNS];
	struct gpuoa_interval interval;

	REQUIRE(columns);
	gpuoa_calc_total(calc, total, NULL, true);
	/* Without columns, inputs are only added up. */
	run_columns(calc, reports, columns, NULL);
	CHECK(calc->small_delta[SMALL_DELTA_SUMS]);
	CHECK(calc->small_delta[SMALL_DELTA_COLUMNS] == program);
	CHECK(!gpuoa_calc_total(calc, sums, &interval, true));
	CHECK(interval.begin == reports[0][1] && interval.end == reports[REPORTS - 1][1]);
	memset(memory, 0xee, sizeof(memory));
	for (size_t i = 0; i < outputs; i++)
		columns[i] = i % 3 < 2 ? memory[i] : NULL;
	run_columns(calc, reports, columns, intervals);
	for (size_t row = 0; row + 1 < REPORTS; row++) {
		CHECK(intervals[row].begin == reports[row][1]);
		CHECK(intervals[row].end == reports[row + 1][1]);
		for (size_t i = 0; i < outputs; i++) {
			const union gpuoa_value value = rows[row * outputs + i];

			if (!columns[i])
				continue;
			if (gpuoa_calc_output_type(calc, i) == GPUOA_TYPE_FLOAT)
				CHECK(((float *)columns[i])[row] == value.f32);
			else
				CHECK(((uint64_t *)columns[i])[row] == value.u64);
		}
	}
	CHECK(!gpuoa_calc_total(calc, total, NULL, true));
	CHECK(!memcmp(total, sums, outputs * sizeof(total[0])));
	free(columns);
}

static void check_summaries(struct gpuoa_calc *calc, const uint32_t reports[][REPORT_DWORDS],
			    const union gpuoa_value *rows)
{
	static const struct gpuoa_summary zero;
	struct gpuoa_summary summaries[OUTPUTS_MAX] = { { 0 } }, more[OUTPUTS_MAX];
	const size_t outputs = gpuoa_calc_output_count(calc), half = REPORTS / 2;

	gpuoa_calc_discontinuity(calc);
	gpuoa_calc_set_time_base(calc, reports[0][1]);
	CHECK(gpuoa_calc_summarize(calc, reports, 1, summaries) == 0);
	for (size_t i = 0; i < outputs; i++)
		CHECK(!memcmp(&summaries[i], &zero, sizeof(zero)));
	CHECK(gpuoa_calc_summarize(calc, reports + 1, REPORTS - 1, summaries) == REPORTS - 1);
	for (size_t i = 0; i < outputs; i++)
		check_summary(calc, i, &summaries[i], rows);
	/* Add the second half again. */
	memcpy(more, summaries, sizeof(more));
	gpuoa_calc_discontinuity(calc);
	gpuoa_calc_set_time_base(calc, reports[half][1]);
	CHECK(gpuoa_calc_summarize(calc, reports + half, REPORTS - half, more) ==
	      REPORTS - 1 - half);
	for (size_t i = 0; i < outputs; i++) {
		double sum = summaries[i].sum;

		for (size_t row = half; row + 1 < REPORTS; row++)
			sum += gpuoa_value_to_double(gpuoa_calc_output_type(calc, i),
						     rows[row * outputs + i]);
		CHECK(more[i].rows == 2 * (REPORTS - 1) - half && near(more[i].sum, sum));
		CHECK(more[i].least == summaries[i].least);
		CHECK(more[i].largest == summaries[i].largest);
	}
}

/* The maxima of the last total are also among its outputs, if they were requested. */
static void check_maxima(struct gpuoa_calc *calc)
{
	union gpuoa_value total[OUTPUTS_MAX], maxima[OUTPUTS_MAX];
	const size_t outputs = gpuoa_calc_output_count(calc);
	const size_t metrics = calc->selection.metric_count;

	memset(maxima, 0xee, sizeof(maxima));
	CHECK(!gpuoa_calc_total(calc, total, NULL, false));
	CHECK(!gpuoa_calc_total_max(calc, maxima));
	if (calc->selection.maxima)
		CHECK(!memcmp(maxima, total + outputs - 2 * metrics, metrics * sizeof(total[0])));
	for (size_t i = metrics; i < outputs; i++)
		CHECK(!maxima[i].u64);
}

static void check_reports(const struct bench *bench, const uint32_t reports[][REPORT_DWORDS])
{
	union gpuoa_value fast[(REPORTS - 1) * OUTPUTS_MAX], one[OUTPUTS_MAX];
	union gpuoa_value pair[OUTPUTS_MAX], total[OUTPUTS_MAX];
	const size_t outputs = gpuoa_calc_output_count(bench->calc);
	const size_t size = outputs * sizeof(one[0]);

	CHECK(run(bench->calc, reports[0], REPORTS, fast) == REPORTS - 1);
	for (size_t row = 0; row + 1 < REPORTS; row += 3) {
		/* Begin the total anew. */
		gpuoa_calc_total(bench->calc, total, NULL, true);
		CHECK(run(bench->calc, reports[row], 2, one) == 1);
		CHECK(!memcmp(one, fast + row * outputs, size));
		/* Calculate single values, not columns. */
		CHECK(calc_run_pair(bench->calc, (const char *)reports[row],
				    (const char *)reports[row + 1], 0, pair));
		CHECK(!memcmp(one, pair, size));
		CHECK(!gpuoa_calc_total(bench->calc, total, NULL, true));
		CHECK(is_large(row + 1) || !memcmp(one, total, size));
	}
	check_summaries(bench->calc, reports, fast);
	check_maxima(bench->calc);
	check_columns(bench->calc, reports, fast);
}

static void check_results(const struct bench *bench)
{
	static const uint32_t zeros[REPORTS][REPORT_DWORDS];
	static uint32_t reports[REPORTS][REPORT_DWORDS];

	make_reports(reports);
	check_reports(bench, (const uint32_t(*)[REPORT_DWORDS])reports);
	check_reports(bench, zeros);
}

/* 10^100; a fraction has up to 15 digits */
#define E10 "10000000000.0"
#define E50 E10 " * " E10 " * " E10 " * " E10 " * " E10
#define E100 E50 " * " E50

struct expected {
	const char *equations;
	const char *program; /* for any batch */
	/* for batches with small deltas; "2 of 3": number of transposed quads and of quads */
	const char *rows;
	const char *summaries; /* NULL: as .rows, but with additions to summaries */
};

/* Replace the links that store results of rows. Returns a static buffer. */
static const char *with_summaries(const char *rows)
{
	static char text[4096];
	char *to = text;

	while (*rows) {
		const size_t name = !strncmp(rows, " put", 4)  ? 4 :
				    !strncmp(rows, " word", 5) ? 5 :
								 0;

		if (name)
			to += sprintf(to, " sum");
		else
			*to++ = *rows;
		rows += name ? name : 1;
	}
	*to = 0;
	return text;
}

static void check(const struct expected *expected, bool validity)
{
	static struct listing listing;
	struct bench bench;

	if (CHECK(bench_open(&bench, format_get(FORMAT), expected->equations, validity)) &&
	    CHECK(calc_make_small_delta(bench.calc, SMALL_DELTA_ROWS)) &&
	    CHECK(calc_make_small_delta(bench.calc, SMALL_DELTA_SUMMARIES))) {
		list_program(&listing, &bench);
		CHECK_STRING(listing.text, expected->program);
		list_fast(&listing, &bench, SMALL_DELTA_ROWS);
		CHECK_STRING(listing.text, expected->rows);
		list_fast(&listing, &bench, SMALL_DELTA_SUMMARIES);
		CHECK_STRING(listing.text, expected->summaries ? expected->summaries :
								 with_summaries(expected->rows));
		check_results(&bench);
	}
	if (!tap.good)
		printf("# %s\n", expected->equations);
	bench_close(&bench);
}

static void equations_compile_to_short_programs(void)
{
	static const struct expected all[] = {
		{ "u A0", "c0=T c1=A0 out0=c1 ", "lin0=A0*1 2 of 3", "lin0=A0*1 1 of 3" },
		{ "u A0 + A1", "c0=T c1=A0 c2=A1 c3=add(c1,c2) out0=c3 ", "lin0=A0+A1*1 2 of 3",
		  "bounds0=A0+A1*1 2 of 3" },
		{ "u A0 - A1", "c0=T c1=A0 c2=A1 c3=sub(c1,c2) out0=c3 ",
		  "{A1=>c2; A0 sub c2 put0} 2 of 3", NULL },
		{ "u A0 * A1", "c0=T c1=A0 c2=A1 c3=MUL(c1,c2) out0=c3 ",
		  "{A1=>c2; A0 mul c2 put0} 2 of 3", NULL },
		{ "u A32 * 1000", "c0=T c2=A32 c3=mul(c2,1000) out0=c3 ", "lin0=A32*1000 2 of 2",
		  "lin0=A32*1000 1 of 2" },
		{ "u 1000 * A32", "c0=T c2=A32 c3=mul(c2,1000) out0=c3 ", "lin0=A32*1000 2 of 2",
		  "lin0=A32*1000 1 of 2" },
		{ "u A0 * 2048", "c0=T c2=A0 c3=mul(c2,2048) out0=c3 ", "lin0=A0*2048 2 of 3",
		  "lin0=A0*2048 1 of 3" },
		{ "u A0 * 4096", "c0=T c2=A0 c3=MUL(c2,4096) out0=c3 ", "lin0=A0*4096 2 of 3",
		  "lin0=A0*4096 1 of 3" },
		{ "u A0 * 1", "c0=T c2=A0 out0=c2 ", "lin0=A0*1 2 of 3", "lin0=A0*1 1 of 3" },
		{ "u A0 // 1", "c0=T c2=A0 out0=c2 ", "lin0=A0*1 2 of 3", "lin0=A0*1 1 of 3" },
		{ "u A0 + 2 * 3", "c0=T c4=A0 c5=add(c4,6) out0=c5 ", "{A0 add 6 put0} 2 of 3",
		  NULL },
		{ "u A0 // 1000", "c0=T c3=A0 c4=wquowith(c3,0.001) out0=c4 ",
		  "{A0 wquowith 0.001 put0} 2 of 3", NULL },
		{ "u A32 * 131073 // 7",
		  "c0=T c4=A32 c5=mul(c4,1.311e+05) c4=wquowith(c5,0.1429) out0=c4 ",
		  "{A32 mul 1.311e+05 wquowith 0.1429 put0} 2 of 2", NULL },
		{ "u A32 * 262145 // 7",
		  "c0=T c4=A32 c5=mul(c4,2.621e+05) c4=quowith(c5,7,0.1429) out0=c4 ",
		  "{A32 mul 2.621e+05 wquowith 0.1429 put0} 2 of 2", NULL },
		{ "u A0 // A1", "c0=T c1=A0 c2=A1 c3=quo(c1,c2) out0=c3 ",
		  "{A1=>c2; A0 quo c2 put0} 2 of 3", NULL },
		{ "u A0 // A2|u A1 // A2",
		  "c0=T c1=A2 c2=winv(c1) c3=A0 c4=wquowith(c3,c2) out0=c4 c4=A1 "
		  "c3=wquowith(c4,c2) out1=c3 ",
		  "{A2 winv=>c2; A0 wquowith c2 put0; A1 wquowith c2 put1} 2 of 3", NULL },
		{ "f A0 / A2|f A1 / A2",
		  "c0=T c1=A2 c2=winv(c1) c3=A0 c4=wdivwith(c3,c1,c2) out0=c4 c4=A1 "
		  "c3=wdivwith(c4,c1,c2) out1=c3 ",
		  "{A2=>c1 winv=>c2; A0 wdivwith c1 c2 word0; A1 wdivwith c1 c2 word1} 2 of 3",
		  NULL },
		{ "f A0 / A1", "c0=T c1=A1 c2=A0 c3=div(c2,c1) out0=c3 ",
		  "{A1=>c1; A0 div c1 word0} 2 of 3", NULL },
		{ "f A0 * 100 / A1", "c0=T c2=A1 c3=A0 c4=mul(c3,100) c3=div(c4,c2) out0=c3 ",
		  "{A1=>c2; A0 mul 100 div c2 word0} 2 of 3", NULL },
		{ "f A0 * 1.5", "c0=T c2=A0 c3=mul(c2,1.5) out0=c3 ", "{A0 mul 1.5 word0} 2 of 3",
		  NULL },
		{ "f A1 + A0 * 1.5", "c0=T c2=A0 c3=mul(c2,1.5) c2=A1 c4=add(c2,c3) out0=c4 ",
		  "{A0 mul 1.5+A1 word0} 2 of 3", NULL },
		{ "f A1 * (A0 * 1.5)", "c0=T c2=A0 c3=mul(c2,1.5) c2=A1 c4=mul(c2,c3) out0=c4 ",
		  "{A0 mul 1.5=>c3; A1 mul c3 word0} 2 of 3", NULL },
		{ "f A1 - A0 * 1.5", "c0=T c2=A0 c3=mul(c2,1.5) c2=A1 c4=rsub(c2,c3) out0=c4 ",
		  "{A0 mul 1.5=>c3; A1 rsub c3 word0} 2 of 3", NULL },
		{ "f A0 / 3", "c0=T c4=A0 c5=wdivwith(c4,3,0.3333) out0=c5 ",
		  "{A0 wdivwith 3 0.3333 word0} 2 of 3", NULL },
		{ "f A0 / 0.3", "c0=T c3=A0 c4=divwith(c3,0.3,3.333) out0=c4 ",
		  "{A0 divwith 0.3 3.333 word0} 2 of 3", NULL },
		{ "f A0 / (A1 * 0.3)|f A1 / (A1 * 0.3)",
		  "c0=T c2=A1 c3=mul(c2,0.3) c4=inv(c3) c5=A0 c6=divwith(c5,c3,c4) out0=c6 "
		  "c6=divwith(c2,c3,c4) out1=c6 ",
		  "{A1 mul 0.3=>c3 inv=>c4; A0 divwith c3 c4 word0; A1 divwith c3 c4 word1} 2 of 3",
		  NULL },
		{ "f (A0 + A1) / (A2 + A3)|u A0 // (A2 + A3)",
		  "c0=T c1=A2 c2=A3 c3=add(c1,c2) c2=A0 c1=A1 c4=add(c2,c1) c1=div(c4,c3) "
		  "out0=c1 c1=quo(c2,c3) out1=c1 ",
		  "{A2+A3=>c3; A0+A1 div c3 word0; A0 quo c3 put1} 2 of 3", NULL },
		{ "f A0 / (A1 * A2)|f A1 / (A1 * A2)",
		  "c0=T c1=A1 c2=A2 c3=MUL(c1,c2) c2=REAL(c3) c3=inv(c2) c4=A0 "
		  "c5=divwith(c4,c2,c3) out0=c5 c5=divwith(c1,c2,c3) out1=c5 ",
		  "{A2=>c2; A1 mul c2=>c3 inv=>c4; A0 divwith c3 c4 word0; A1 divwith c3 c4 "
		  "word1} 2 of 3",
		  NULL },
		{ "u min(A0, A1)", "c0=T c1=A0 c2=A1 c3=min(c1,c2) out0=c3 ",
		  "{A1=>c2; A0 min c2 put0} 2 of 3", NULL },
		{ "u max(A0, A1)", "c0=T c1=A0 c2=A1 c3=max(c1,c2) out0=c3 ",
		  "{A1=>c2; A0 max c2 put0} 2 of 3", NULL },
		{ "f min(A0 * 1.5, A1)", "c0=T c2=A1 c3=A0 c4=mul(c3,1.5) c3=min(c4,c2) out0=c3 ",
		  "{A1=>c2; A0 mul 1.5 min c2 word0} 2 of 3", NULL },
		{ "f max(A0 * 1.5, A1)", "c0=T c2=A1 c3=A0 c4=mul(c3,1.5) c3=max(c4,c2) out0=c3 ",
		  "{A1=>c2; A0 mul 1.5 max c2 word0} 2 of 3", NULL },
		{ "u A0 & 255", "c0=T c2=A0 c3=BITAND(c2,255) out0=c3 ",
		  "{A0=>c2} c3=BITAND(c2,255) c3 narrow {c3 put0} else out0=c3 2 of 3", NULL },
		{ "u A32 << 4", "c0=T c2=A32 c3=SHL(c2,4) out0=c3 ",
		  "{A32=>c2} c3=SHL(c2,4) c3 narrow {c3 put0} else out0=c3 2 of 2", NULL },
		{ "u A0 >> 4", "c0=T c2=A0 c3=SHR(c2,4) out0=c3 ",
		  "{A0=>c2} c3=SHR(c2,4) c3 narrow {c3 put0} else out0=c3 2 of 3", NULL },
		{ "u A0 > A1", "c0=T c1=A0 c2=A1 c3=GT(c1,c2) out0=c3 ",
		  "{A0=>c1; A1=>c2} c3=GT(c1,c2) c3 narrow {c3 put0} else out0=c3 2 of 3", NULL },
		{ "u A0 == A1", "c0=T c1=A0 c2=A1 c3=EQ(c1,c2) out0=c3 ",
		  "{A0=>c1; A1=>c2} c3=EQ(c1,c2) c3 narrow {c3 put0} else out0=c3 2 of 3", NULL },
		{ "u (A0 > A1) + (A1 > A0)",
		  "c0=T c1=A1 c2=A0 c3=GT(c1,c2) c4=GT(c2,c1) c1=add(c4,c3) out0=c1 ",
		  "{A1=>c1; A0=>c2} c3=GT(c1,c2) c4=GT(c2,c1) {c4 add c3 put0} 2 of 3", NULL },
		{ "u A32 * 6000 // 4000", "c0=T c6=A32 c7=mul(c6,3) c6=wquowith(c7,0.5) out0=c6 ",
		  "{A32 mul 3 wquowith 0.5 put0} 2 of 2", NULL },
		{ "u A32 * 10 // 10", "c0=T c3=A32 out0=c3 ", "lin0=A32*1 2 of 2",
		  "lin0=A32*1 1 of 2" },
		{ "u A32 * 10 // 5", "c0=T c5=A32 c6=mul(c5,2) out0=c6 ", "lin0=A32*2 2 of 2",
		  "lin0=A32*2 1 of 2" },
		{ "u A32 * 5 // 10", "c0=T c6=A32 c7=wquowith(c6,0.5) out0=c7 ",
		  "{A32 wquowith 0.5 put0} 2 of 2", NULL },
		{ "u A0 * A1 * 6 // 4",
		  "c0=T c4=A0 c5=A1 c6=MUL(c4,c5) c5=MUL(c6,6) c6=DIV(c5,4,0.25) out0=c6 ",
		  "{A1=>c7; A0 mul c7=>c8} ?{c8 *?3 quowith 2 0.5=>c10} c10 else "
		  "c9=MUL(c8,3) c10=DIV(c9,2,0.5) c10 narrow {c10 put0} else out0=c10 2 of 3",
		  NULL },
		{ "u A0 + A1|u (A0 + A1) * 2",
		  "c0=T c2=A0 c3=A1 c4=add(c2,c3) out0=c4 c3=mul(c4,2) out1=c3 ",
		  "lin0=A0+A1*1 lin1=A0+A1*2 2 of 3", "bounds0=A0+A1*1 bounds1=A0+A1*2 2 of 3" },
		{ "u A0 + A1|u A0 + A1", "c0=T c1=A0 c2=A1 c3=add(c1,c2) out0=c3 out1=c3 ",
		  "lin0=A0+A1*1 lin1=A0+A1*1 2 of 3", "bounds0=A0+A1*1 bounds1=A0+A1*1 2 of 3" },
		{ "u A0 * 1.5", "c0=T c2=A0 c3=mul(c2,1.5) c2=INTEGER(c3) out0=c2 ",
		  "{A0 mul 1.5=>c3} c4=INTEGER(c3) c4 narrow {c4 put0} else out0=c4 2 of 3", NULL },
		{ "f A0 * A1", "c0=T c1=A0 c2=A1 c3=MUL(c1,c2) c2=REAL(c3) out0=c2 ",
		  "{A1=>c2; A0 mul c2 word0} 2 of 3", NULL },
		{ "f A0 + A1", "c0=T c1=A0 c2=A1 c3=add(c1,c2) out0=c3 ", "{A0+A1 word0} 2 of 3",
		  "bounds0=A0+A1*1 2 of 3" },
		{ "u A0|u M0 + A1|f M1 / M0",
		  "c0=T c1=A0 out0=c1 c2=A1 c3=add(c1,c2) out1=c3 c2=div(c3,c1) out2=c2 ",
		  "lin0=A0*1 lin1=A0+A1*1 {A0=>c1+A1 div c1 word2} 2 of 3",
		  "lin0=A0*1 bounds1=A0+A1*1 {A0=>c1+A1 div c1 sum2} 2 of 3" },
		{ "u A0 + A1 + A2", "c0=T c1=A0 c2=A1 c3=add(c1,c2) c2=A2 c1=add(c3,c2) out0=c1 ",
		  "lin0=A0+A1+A2*1 2 of 3", "bounds0=A0+A1+A2*1 2 of 3" },
		{ "u A0 * 2 + A1 * 2",
		  "c0=T c2=A1 c3=mul(c2,2) c2=A0 c4=mul(c2,2) c2=add(c4,c3) out0=c2 ",
		  "lin0=A0+A1*2 2 of 3", "bounds0=A0+A1*2 2 of 3" },
		{ "u A0 * 2 + A1 * 3",
		  "c0=T c3=A1 c4=mul(c3,3) c3=A0 c5=mul(c3,2) c3=add(c5,c4) out0=c3 ",
		  "{A1 mul 3=>c4; A0 mul 2 add c4 put0} 2 of 3", NULL },
		{ "u A0 + 5", "c0=T c2=A0 c3=add(c2,5) out0=c3 ", "{A0 add 5 put0} 2 of 3", NULL },
		{ "u 5 + A0", "c0=T c2=A0 c3=add(5,c2) out0=c3 ", "{5+A0 put0} 2 of 3", NULL },
		{ "u (A0 + A1) * 3", "c0=T c2=A0 c3=A1 c4=add(c2,c3) c3=mul(c4,3) out0=c3 ",
		  "lin0=A0+A1*3 2 of 3", "bounds0=A0+A1*3 2 of 3" },
		{ "f (A0 + A1) * 3", "c0=T c2=A0 c3=A1 c4=add(c2,c3) c3=mul(c4,3) out0=c3 ",
		  "{A0+A1 mul 3 word0} 2 of 3", "bounds0=A0+A1*3 2 of 3" },
		{ "u A0 * A0", "c0=T c1=A0 c2=MUL(c1,c1) out0=c2 ", "{A0=>c1 mul c1 put0} 2 of 3",
		  NULL },
		{ "u A0 + A0", "c0=T c1=A0 c2=add(c1,c1) out0=c2 ", "lin0=A0+A0*1 2 of 3",
		  "bounds0=A0+A0*1 2 of 3" },
		{ "u A32 * A32 * A32", "c0=T c1=A32 c2=MUL(c1,c1) c3=MUL(c2,c1) out0=c3 ",
		  "{A32=>c1 mul c1=>c2} ?{c2 *?c1=>c3} c3 else c3=MUL(c2,c1) c3 narrow {c3 "
		  "put0} else out0=c3 2 of 2",
		  NULL },
		{ "u A0 * A1 + A2", "c0=T c1=A0 c2=A1 c3=MUL(c1,c2) c2=A2 c1=ADD(c3,c2) out0=c1 ",
		  "{A1=>c2; A2=>c4; A0 mul c2=>c3} ?{c3 +?c4=>c5} c5 else c5=ADD(c3,c4) c5 "
		  "narrow {c5 put0} else out0=c5 2 of 3",
		  NULL },
		{ "u A0 * A1 // A2", "c0=T c1=A0 c2=A1 c3=MUL(c1,c2) c2=A2 c1=DIV(c3,c2) out0=c1 ",
		  "{A1=>c2; A2=>c4; A0 mul c2 quo c4 put0} 2 of 3", NULL },
		{ "u min(A0 * A1, A2)",
		  "c0=T c1=A0 c2=A1 c3=MUL(c1,c2) c2=A2 c1=MIN(c3,c2) out0=c1 ",
		  "{A1=>c2; A2=>c4; A0 mul c2 min c4 put0} 2 of 3", NULL },
		{ "u A0 * A1 * (A2 * A3)",
		  "c0=T c1=A2 c2=A3 c3=MUL(c1,c2) c2=A0 c1=A1 c4=MUL(c2,c1) c1=MUL(c4,c3) out0=c1 ",
		  "{A3=>c2; A1=>c5; A2 mul c2=>c3; A0 mul c5=>c6} ?{c6 *?c3=>c7} c7 else "
		  "c7=MUL(c6,c3) c7 narrow {c7 put0} else out0=c7 2 of 3",
		  NULL },
		{ "u A0 * A1|u A0 * A1 + A2",
		  "c0=T c1=A0 c2=A1 c3=MUL(c1,c2) out0=c3 c2=A2 c1=ADD(c3,c2) out1=c1 ",
		  "{A1=>c2; A2=>c4; A0 mul c2 put0=>c3} ?{c3 +?c4=>c5} c5 else c5=ADD(c3,c4) "
		  "c5 narrow {c5 put1} else out1=c5 2 of 3",
		  NULL },
		{ "u A0 * A1 * A2|u A3 * A4 * A5",
		  "c0=T c1=A0 c2=A1 c3=MUL(c1,c2) c2=A2 c1=MUL(c3,c2) out0=c1 c1=A3 c2=A4 "
		  "c3=MUL(c1,c2) c2=A5 c1=MUL(c3,c2) out1=c1 ",
		  "{A1=>c2; A2=>c4; A4=>c7; A5=>c9; A0 mul c2=>c3} ?{c3 *?c4=>c5} c5 else "
		  "c5=MUL(c3,c4) c5 narrow {c5 put0} else out0=c5 {A3 mul c7=>c8} ?{c8 "
		  "*?c9=>c10} c10 else c10=MUL(c8,c9) c10 narrow {c10 put1} else out1=c10 3 "
		  "of 4",
		  NULL },
		{ "f A0 * A1 / A2",
		  "c0=T c1=A2 c2=A0 c3=A1 c4=MUL(c2,c3) c3=REAL(c4) c4=div(c3,c1) out0=c4 ",
		  "{A1=>c3; A2=>c1; A0 mul c3 div c1 word0} 2 of 3", NULL },
		{ "f A0 * A1 / A2|f A3 * A1 / A2",
		  "c0=T c1=A2 c2=winv(c1) c3=A0 c4=A1 c5=MUL(c3,c4) c3=REAL(c5) "
		  "c5=wdivwith(c3,c1,c2) out0=c5 c5=A3 c3=MUL(c5,c4) c4=REAL(c3) "
		  "c3=wdivwith(c4,c1,c2) out1=c3 ",
		  "{A1=>c4; A2=>c1 winv=>c2; A0 mul c4 wdivwith c1 c2 word0; A3 mul c4 "
		  "wdivwith c1 c2 word1} 2 of 3",
		  NULL },
		{ "u TIMESTAMP", "c0=T out0=c0 ", "lin0=T*1 1 of 1", NULL },
		{ "u TIMESTAMP * 1000000000 // 12500000", "c0=T c5=mul(c0,80) out0=c5 ",
		  "lin0=T*80 1 of 1", NULL },
		{ "f A0 * 1000000000 / TIMESTAMP|u CLOCK * 1000000000 // TIMESTAMP",
		  "c0=T c2=A0 c3=MUL(c2,1e+09) c2=REAL(c3) c3=div(c2,c0) out0=c3 c3=CLOCK "
		  "c2=MUL(c3,1e+09) c3=DIV(c2,c0) out1=c3 ",
		  "{A0=>c2; T=>c0; CLOCK=>c6} ?{A0 *?1e+09=>c3} c3 else c3=MUL(c2,1e+09) "
		  "c4=REAL(c3) {c4 div c0 word0} ?{CLOCK *?1e+09 quo c0=>c8} c8 else "
		  "c7=MUL(c6,1e+09) c8=DIV(c7,c0) c8 narrow {c8 put1} else out1=c8 2 of 3",
		  NULL },
		{ "i REPORT_ID|u A0", "c0=T c1=A0 out0=c1 c1=@ID out1=c1 ",
		  "lin0=A0*1 c1=@ID c1 narrow {c1 put1} else out1=c1 2 of 3",
		  "lin0=A0*1 c1=@ID c1 narrow {c1 sum1} else out1=c1 1 of 3" },
		{ "i TIMESTAMP * 1000000000 // 12500000|i CONTEXT_ID|i CLOCK|u A0 * 2 + A1",
		  "c0=T c6=A0 c7=mul(c6,2) c6=A1 c8=add(c7,c6) out0=c8 c8=@T "
		  "c6=SCALE(c8,80,1) out1=c6 c6=@CONTEXT out2=c6 c6=@CLOCK out3=c6 ",
		  "{A0 mul 2+A1 put0} c10=@T c11=SCALE(c10,80,1) c11 narrow {c11 put1} else "
		  "out1=c11 c12=@CONTEXT c12 narrow {c12 put2} else out2=c12 c13=@CLOCK c13 "
		  "narrow {c13 put3} else out3=c13 2 of 3",
		  NULL },
		{ "f A0 / 2 + A1 / 2|f A0 / 2 - A1 / 2",
		  "c0=T c4=A1 c5=wdivwith(c4,2,0.5) c4=A0 c6=wdivwith(c4,2,0.5) "
		  "c4=add(c6,c5) out0=c4 c4=rsub(c6,c5) out1=c4 ",
		  "{A1 wdivwith 2 0.5=>c5; A0 wdivwith 2 0.5=>c7 add c5 word0; c7 rsub c5 "
		  "word1} 2 of 3",
		  NULL },
		{ "f (A0 + 0.5) * (A1 + 0.5)",
		  "c0=T c2=A1 c3=add(c2,0.5) c2=A0 c4=add(c2,0.5) c2=mul(c4,c3) out0=c2 ",
		  "{A1 add 0.5=>c3; A0 add 0.5 mul c3 word0} 2 of 3", NULL },
		{ "f (A0 + 0.5) / (A1 + 0.5)",
		  "c0=T c2=A1 c3=add(c2,0.5) c2=A0 c4=add(c2,0.5) c2=div(c4,c3) out0=c2 ",
		  "{A1 add 0.5=>c3; A0 add 0.5 div c3 word0} 2 of 3", NULL },
		{ "f (A0 + 0.5) - (A1 + 0.5)",
		  "c0=T c2=A1 c3=add(c2,0.5) c2=A0 c4=add(c2,0.5) c2=rsub(c4,c3) out0=c2 ",
		  "{A1 add 0.5=>c3; A0 add 0.5 rsub c3 word0} 2 of 3", NULL },
		{ "u A0 - (A1 - A2)", "c0=T c1=A1 c2=A2 c3=sub(c1,c2) c2=A0 c1=sub(c2,c3) out0=c1 ",
		  "{A2=>c2; A1 sub c2=>c3; A0 sub c3 put0} 2 of 3", NULL },
		{ "u A0 * 2 - A1 * 2",
		  "c0=T c2=A1 c3=mul(c2,2) c2=A0 c4=mul(c2,2) c2=sub(c4,c3) out0=c2 ",
		  "{A1 mul 2=>c3; A0 mul 2 sub c3 put0} 2 of 3", NULL },
		{ "u (A0 - A1) * (A0 - A1)",
		  "c0=T c1=A0 c2=A1 c3=sub(c1,c2) c2=MUL(c3,c3) out0=c2 ",
		  "{A1=>c2; A0 sub c2=>c3 mul c3 put0} 2 of 3", NULL },
		{ "u A0 // 1000|u A1 // 1000",
		  "c0=T c3=A0 c4=wquowith(c3,0.001) out0=c4 c4=A1 c3=wquowith(c4,0.001) out1=c3 ",
		  "{A0 wquowith 0.001 put0; A1 wquowith 0.001 put1} 2 of 3", NULL },
		{ "f A0 / 3.5", "c0=T c3=A0 c4=divwith(c3,3.5,0.2857) out0=c4 ",
		  "{A0 divwith 3.5 0.2857 word0} 2 of 3", NULL },
		{ "f A0 / 1125899906842623",
		  "c0=T c4=A0 c5=wdivwith(c4,1.126e+15,8.882e-16) out0=c5 ",
		  "{A0 wdivwith 1.126e+15 8.882e-16 word0} 2 of 3", NULL },
		{ "f A0 / 1125899906842624",
		  "c0=T c4=A0 c5=divwith(c4,1.126e+15,8.882e-16) out0=c5 ",
		  "{A0 divwith 1.126e+15 8.882e-16 word0} 2 of 3", NULL },
		{ "f A0 / A1 * A2 / A1",
		  "c0=T c1=A1 c2=winv(c1) c3=A2 c4=A0 c5=wdivwith(c4,c1,c2) c4=mul(c5,c3) "
		  "c3=wdivwith(c4,c1,c2) out0=c3 ",
		  "{A1=>c1; A2=>c3; A1 winv=>c2; A0 wdivwith c1 c2 mul c3 wdivwith c1 c2 "
		  "word0} 2 of 3",
		  NULL },
		{ "u A0 * 0", "c0=T c2=A0 c3=mul(c2,0) out0=c3 ", "{A0 mul 0 put0} 2 of 3", NULL },
		{ "u A0 * 0 // 7", "c0=T c4=A0 c5=mul(c4,0) c4=wquowith(c5,0.1429) out0=c4 ",
		  "{A0 mul 0 wquowith 0.1429 put0} 2 of 3", NULL },
		{ "u A0 * 5 // 0", "c0=T c4=A0 c5=mul(c4,5) c4=wquowith(c5,0) out0=c4 ",
		  "{A0 mul 5 wquowith 0 put0} 2 of 3", NULL },
		{ "u (A0 - 1) * 3", "c0=T c3=A0 c4=sub(c3,1) c3=mul(c4,3) out0=c3 ",
		  "{A0 sub 1 mul 3 put0} 2 of 3", NULL },
		{ "u 3 * (1 + A0)", "c0=T c3=A0 c4=add(1,c3) c3=mul(c4,3) out0=c3 ",
		  "{1+A0 mul 3 put0} 2 of 3", NULL },
		{ "u A0 * A1 * A2 - A3",
		  "c0=T c1=A0 c2=A1 c3=MUL(c1,c2) c2=A2 c1=MUL(c3,c2) c2=A3 c3=SUB(c1,c2) out0=c3 ",
		  "{A1=>c2; A2=>c4; A3=>c6; A0 mul c2=>c3} ?{c3 *?c4 sub c6=>c7} c7 else "
		  "c5=MUL(c3,c4) c6=A3 c7=SUB(c5,c6) c7 narrow {c7 put0} else out0=c7 2 of 3",
		  NULL },
		{ "u A3 - A0 * A1 * A2",
		  "c0=T c1=A0 c2=A1 c3=MUL(c1,c2) c2=A2 c1=MUL(c3,c2) c2=A3 c3=SUB(c2,c1) out0=c3 ",
		  "{A1=>c2; A2=>c4; A3=>c6; A0 mul c2=>c3} ?{c3 *?c4=>c5} c5 else "
		  "c5=MUL(c3,c4) c7=SUB(c6,c5) c7 narrow {c7 put0} else out0=c7 2 of 3",
		  NULL },
		{ "u A0 * A1 * A2 // A3",
		  "c0=T c1=A0 c2=A1 c3=MUL(c1,c2) c2=A2 c1=MUL(c3,c2) c2=A3 c3=DIV(c1,c2) out0=c3 ",
		  "{A1=>c2; A2=>c4; A3=>c6; A0 mul c2=>c3} ?{c3 *?c4 quo c6=>c7} c7 else "
		  "c5=MUL(c3,c4) c6=A3 c7=DIV(c5,c6) c7 narrow {c7 put0} else out0=c7 2 of 3",
		  NULL },
		{ "u min(A0 * A1 * A2, A3)",
		  "c0=T c1=A0 c2=A1 c3=MUL(c1,c2) c2=A2 c1=MUL(c3,c2) c2=A3 c3=MIN(c1,c2) out0=c3 ",
		  "{A1=>c2; A2=>c4; A3=>c6; A0 mul c2=>c3} ?{c3 *?c4 min c6=>c7} c7 else "
		  "c5=MUL(c3,c4) c6=A3 c7=MIN(c5,c6) c7 narrow {c7 put0} else out0=c7 2 of 3",
		  NULL },
		{ "u max(A0 * A1 * A2, A3)",
		  "c0=T c1=A0 c2=A1 c3=MUL(c1,c2) c2=A2 c1=MUL(c3,c2) c2=A3 c3=MAX(c1,c2) out0=c3 ",
		  "{A1=>c2; A2=>c4; A3=>c6; A0 mul c2=>c3} ?{c3 *?c4 max c6=>c7} c7 else "
		  "c5=MUL(c3,c4) c6=A3 c7=MAX(c5,c6) c7 narrow {c7 put0} else out0=c7 2 of 3",
		  NULL },
		{ "u A0 * A1 * A2 * A3",
		  "c0=T c1=A0 c2=A1 c3=MUL(c1,c2) c2=A2 c1=MUL(c3,c2) c2=A3 c3=MUL(c1,c2) out0=c3 ",
		  "{A1=>c2; A2=>c4; A3=>c6; A0 mul c2=>c3} ?{c3 *?c4 *?c6=>c7} c7 else "
		  "c5=MUL(c3,c4) c6=A3 c7=MUL(c5,c6) c7 narrow {c7 put0} else out0=c7 2 of 3",
		  NULL },
		{ "u A0 * A1 + A2 + A3",
		  "c0=T c1=A0 c2=A1 c3=MUL(c1,c2) c2=A2 c1=ADD(c3,c2) c2=A3 c3=ADD(c1,c2) out0=c3 ",
		  "{A1=>c2; A2=>c4; A3=>c6; A0 mul c2=>c3} ?{c3 +?c4 +?c6=>c7} c7 else "
		  "c5=ADD(c3,c4) c6=A3 c7=ADD(c5,c6) c7 narrow {c7 put0} else out0=c7 2 of 3",
		  NULL },
		{ "u A0 * A1 + A2|u (A0 * A1 + A2) * A3",
		  "c0=T c1=A0 c2=A1 c3=MUL(c1,c2) c2=A2 c1=ADD(c3,c2) out0=c1 c2=A3 "
		  "c3=MUL(c1,c2) out1=c3 ",
		  "{A1=>c2; A2=>c4; A3=>c6; A0 mul c2=>c3} ?{c3 +?c4=>c5} c5 else "
		  "c5=ADD(c3,c4) c5 narrow {c5 put0} else out0=c5 c7=MUL(c5,c6) c7 narrow "
		  "{c7 put1} else out1=c7 2 of 3",
		  NULL },
		{ "u (A0 * A1) * (A0 * A1)",
		  "c0=T c1=A0 c2=A1 c3=MUL(c1,c2) c2=MUL(c3,c3) out0=c2 ",
		  "{A1=>c2; A0 mul c2=>c3} c4=MUL(c3,c3) c4 narrow {c4 put0} else out0=c4 2 of 3",
		  NULL },
		{ "u A0 * A1 * A2 // 1000",
		  "c0=T c3=A0 c4=A1 c5=MUL(c3,c4) c4=A2 c3=MUL(c5,c4) c4=DIV(c3,1000,0.001) "
		  "out0=c4 ",
		  "{A1=>c4; A2=>c6; A0 mul c4=>c5} ?{c5 *?c6 quowith 1000 0.001=>c8} c8 else "
		  "c7=MUL(c5,c6) c8=DIV(c7,1000,0.001) c8 narrow {c8 put0} else out0=c8 2 of "
		  "3",
		  NULL },
		{ "u A0 * A1 // 1000|u A0 // (A1 * A2)|u A3 // (A1 * A2)",
		  "c0=T c3=A0 c4=A1 c5=MUL(c3,c4) c6=DIV(c5,1000,0.001) out0=c6 c6=A2 "
		  "c5=MUL(c4,c6) c6=DIV(c3,c5) out1=c6 c6=A3 c3=DIV(c6,c5) out2=c3 ",
		  "{A1=>c4; A2=>c7; A0 mul c4 quowith 1000 0.001 put0; A1 mul c7 inv=>c9; A0 "
		  "wquowith c9 put1; A3 wquowith c9 put2} 2 of 3",
		  NULL },
		{ "u (A0 * A1 > A2) * A3",
		  "c0=T c1=A0 c2=A1 c3=MUL(c1,c2) c2=A2 c1=GT(c3,c2) c2=A3 c3=mul(c1,c2) out0=c3 ",
		  "{A1=>c2; A2=>c4; A3=>c6; A0 mul c2=>c3} c5=GT(c3,c4) {c5 mul c6 put0} 2 of 3",
		  NULL },
		{ "f A0 * A1 * A2 / 7",
		  "c0=T c4=A0 c5=A1 c6=MUL(c4,c5) c5=A2 c4=MUL(c6,c5) c5=REAL(c4) "
		  "c4=wdivwith(c5,7,0.1429) out0=c4 ",
		  "{A1=>c5; A2=>c7; A0 mul c5=>c6} ?{c6 *?c7=>c8} c8 else c8=MUL(c6,c7) "
		  "c9=REAL(c8) {c9 wdivwith 7 0.1429 word0} 2 of 3",
		  NULL },
		{ "u A0 >= A1", "c0=T c1=A0 c2=A1 c3=GE(c1,c2) out0=c3 ",
		  "{A0=>c1; A1=>c2} c3=GE(c1,c2) c3 narrow {c3 put0} else out0=c3 2 of 3", NULL },
		{ "u A0 <= A1", "c0=T c1=A0 c2=A1 c3=LE(c1,c2) out0=c3 ",
		  "{A0=>c1; A1=>c2} c3=LE(c1,c2) c3 narrow {c3 put0} else out0=c3 2 of 3", NULL },
		{ "u A0 < A1", "c0=T c1=A0 c2=A1 c3=LT(c1,c2) out0=c3 ",
		  "{A0=>c1; A1=>c2} c3=LT(c1,c2) c3 narrow {c3 put0} else out0=c3 2 of 3", NULL },
		{ "u A0 + A1 + A2 + A3 + A4 + A5 + A6 + A7 + A8 + A9 + A10 + A11 + A12 + A13 "
		  "+ A14 + A15 + A16",
		  "c0=T c1=A0 c2=A1 c3=add(c1,c2) c2=A2 c1=add(c3,c2) c2=A3 c3=add(c1,c2) "
		  "c2=A4 c1=add(c3,c2) c2=A5 c3=add(c1,c2) c2=A6 c1=add(c3,c2) c2=A7 "
		  "c3=add(c1,c2) c2=A8 c1=add(c3,c2) c2=A9 c3=add(c1,c2) c2=A10 "
		  "c1=add(c3,c2) c2=A11 c3=add(c1,c2) c2=A12 c1=add(c3,c2) c2=A13 "
		  "c3=ADD(c1,c2) c2=A14 c1=ADD(c3,c2) c2=A15 c3=ADD(c1,c2) c2=A16 "
		  "c1=ADD(c3,c2) out0=c1 ",
		  "lin0=A0+A1+A2+A3+A4+A5+A6+A7+A8+A9+A10+A11+A12+A13+A14+A15+A16*1 6 of 8",
		  "bounds0=A0+A1+A2+A3+A4+A5+A6+A7+A8+A9+A10+A11+A12+A13+A14+A15+A16*1 6 of 8" },
		{ "u A0 + A1 + A2 + A3 + A4 + A5 + A6 + A7 + A8 + A9 + A10 + A11 + A12 + A13 "
		  "+ A14 + A15 + A16 + A17",
		  "c0=T c1=A0 c2=A1 c3=add(c1,c2) c2=A2 c1=add(c3,c2) c2=A3 c3=add(c1,c2) "
		  "c2=A4 c1=add(c3,c2) c2=A5 c3=add(c1,c2) c2=A6 c1=add(c3,c2) c2=A7 "
		  "c3=add(c1,c2) c2=A8 c1=add(c3,c2) c2=A9 c3=add(c1,c2) c2=A10 "
		  "c1=add(c3,c2) c2=A11 c3=add(c1,c2) c2=A12 c1=add(c3,c2) c2=A13 "
		  "c3=ADD(c1,c2) c2=A14 c1=ADD(c3,c2) c2=A15 c3=ADD(c1,c2) c2=A16 "
		  "c1=ADD(c3,c2) c2=A17 c3=ADD(c1,c2) out0=c3 ",
		  "{A0+A1+A2+A3+A4+A5+A6+A7+A8+A9+A10+A11+A12+A13+A14+A15+A16+A17 put0} 6 of 8",
		  NULL },
		{ "f A0 + A1|u A0 + A1", "c0=T c1=A0 c2=A1 c3=add(c1,c2) out1=c3 out0=c3 ",
		  "lin1=A0+A1*1 {A0+A1 word0} 2 of 3", "bounds0=A0+A1*1 bounds1=A0+A1*1 2 of 3" },
		{ "f A0 * 2 + 0.5", "c0=T c3=A0 c4=mul(c3,2) c3=add(c4,0.5) out0=c3 ",
		  "{A0 mul 2 add 0.5 word0} 2 of 3", NULL },
		{ "f A0 / A1 / A1",
		  "c0=T c1=A1 c2=winv(c1) c3=A0 c4=wdivwith(c3,c1,c2) c3=wdivwith(c4,c1,c2) "
		  "out0=c3 ",
		  "{A1=>c1 winv=>c2; A0 wdivwith c1 c2 wdivwith c1 c2 word0} 2 of 3", NULL },
		{ "u A4|f A8 / A12", "c0=T c1=A4 out0=c1 c1=A12 c2=A8 c3=div(c2,c1) out1=c3 ",
		  "lin0=A4*1 {A12=>c1; A8 div c1 word1} 4 of 5",
		  "lin0=A4*1 {A12=>c1; A8 div c1 sum1} 3 of 5" },
		{ "u B0 + C7", "c0=T c1=B0 c2=C7 c3=add(c1,c2) out0=c3 ", "lin0=B0+C7*1 3 of 3",
		  "bounds0=B0+C7*1 3 of 3" },
		{ "f A33 / A34|u A35 * 3",
		  "c0=T c2=A34 c3=A33 c4=div(c3,c2) out0=c4 c4=A35 c2=mul(c4,3) out1=c2 ",
		  "lin1=A35*3 {A34=>c2; A33 div c2 word0} 2 of 2", NULL },
		{ "u A0 * 4194304", "c0=T c2=A0 c3=MUL(c2,4.194e+06) out0=c3 ",
		  "lin0=A0*4194304 2 of 3", "lin0=A0*4194304 1 of 3" },
		{ "u A0 * 67108863", "c0=T c2=A0 c3=MUL(c2,6.711e+07) out0=c3 ",
		  "lin0=A0*67108863 2 of 3", "lin0=A0*67108863 1 of 3" },
		{ "u A0 * 67108864", "c0=T c2=A0 c3=MUL(c2,6.711e+07) out0=c3 ",
		  "{A0=>c2} ?{A0 *?6.711e+07=>c3} c3 else c3=MUL(c2,6.711e+07) c3 narrow {c3 "
		  "put0} else out0=c3 2 of 3",
		  NULL },
		{ "f A32 * 1048575 / A1",
		  "c0=T c2=A1 c3=A32 c4=mul(c3,1.049e+06) c3=div(c4,c2) out0=c3 ",
		  "{A1=>c2; A32 mul 1.049e+06 div c2 word0} 3 of 4", NULL },
		{ "f A0 - 0.5", "c0=T c2=A0 c3=rsub(c2,0.5) out0=c3 ", "{A0 rsub 0.5 word0} 2 of 3",
		  NULL },
		{ "f 0.5 - A0", "c0=T c2=A0 c3=rsub(0.5,c2) out0=c3 ",
		  "{A0=>c2; 0.5 rsub c2 word0} 2 of 3", NULL },
		{ "u 1000 - A0", "c0=T c2=A0 c3=sub(1000,c2) out0=c3 ",
		  "{A0=>c2; 1000 sub c2 put0} 2 of 3", NULL },
		{ "u A0 max A2 + A3", "c0=T c1=A0 out0=c1 c1=A2 c1=A3 ", "lin0=A0*1 2 of 3",
		  "lin0=A0*1 1 of 3" },
		{ "f A0 / A2|f A1 / A2|u A3 + A4|u A5 + A6",
		  "c0=T c1=A2 c2=winv(c1) c3=A0 c4=wdivwith(c3,c1,c2) out0=c4 c4=A1 "
		  "c3=wdivwith(c4,c1,c2) out1=c3 c3=A3 c2=A4 c1=add(c3,c2) out2=c1 c1=A5 "
		  "c2=A6 c3=add(c1,c2) out3=c3 ",
		  "lin2=A3+A4*1 lin3=A5+A6*1 {A2=>c1 winv=>c2; A0 wdivwith c1 c2 word0; A1 "
		  "wdivwith c1 c2 word1} 3 of 4",
		  "bounds2=A3+A4*1 bounds3=A5+A6*1 {A2=>c1 winv=>c2; A0 wdivwith c1 c2 sum0; "
		  "A1 wdivwith c1 c2 sum1} 3 of 4" },
		{ "u A0 + 9007199254740993", "c0=T c2=A0 c3=ADD(c2,9007199254740993w) out0=c3 ",
		  "{A0=>c2} c3=ADD(c2,9007199254740993w) c3 narrow {c3 put0} else out0=c3 2 of 3",
		  NULL },
		{ "u A0 + 4503599627370495", "c0=T c2=A0 c3=ADD(c2,4.504e+15) out0=c3 ",
		  "{A0=>c2} ?{A0 +?4.504e+15=>c3} c3 else c3=ADD(c2,4.504e+15) c3 narrow {c3 "
		  "put0} else out0=c3 2 of 3",
		  NULL },
		{ "u A0 + 4503599627370496", "c0=T c2=A0 c3=ADD(c2,4503599627370496w) out0=c3 ",
		  "{A0=>c2} c3=ADD(c2,4503599627370496w) c3 narrow {c3 put0} else out0=c3 2 of 3",
		  NULL },
		{ "u A0 + A1|u M0 + M0|u M1 + M1|u M2 + M2|u M3 + M3|u M4 + M3 + M2 + M1 + M0 + A0",
		  "c0=T c1=A0 c2=A1 c3=add(c1,c2) out0=c3 c2=add(c3,c3) out1=c2 "
		  "c4=add(c2,c2) out2=c4 c5=add(c4,c4) out3=c5 c6=add(c5,c5) out4=c6 "
		  "c7=add(c6,c5) c5=add(c7,c4) c4=add(c5,c2) c2=add(c4,c3) c3=add(c2,c1) "
		  "out5=c3 ",
		  "lin0=A0+A1*1 lin1=A0+A1+A0+A1*1 lin2=A0+A1+A0+A1+A0+A1+A0+A1*1 "
		  "lin3=A0+A1+A0+A1+A0+A1+A0+A1+A0+A1+A0+A1+A0+A1+A0+A1*1 lin4=32 lanes*1 "
		  "lin5=63 lanes*1 2 of 3",
		  "bounds0=A0+A1*1 bounds1=A0+A1+A0+A1*1 bounds2=A0+A1+A0+A1+A0+A1+A0+A1*1 "
		  "bounds3=A0+A1+A0+A1+A0+A1+A0+A1+A0+A1+A0+A1+A0+A1+A0+A1*1 bounds4=32 "
		  "lanes*1 bounds5=63 lanes*1 2 of 3" },
		{ "u A0 + A1|u M0 + M0|u M1 + M1|u M2 + M2|u M3 + M3|u M4 + M4",
		  "c0=T c1=A0 c2=A1 c3=add(c1,c2) out0=c3 c2=add(c3,c3) out1=c2 "
		  "c3=add(c2,c2) out2=c3 c2=add(c3,c3) out3=c2 c3=add(c2,c2) out4=c3 "
		  "c2=add(c3,c3) out5=c2 ",
		  "lin0=A0+A1*1 lin1=A0+A1+A0+A1*1 lin2=A0+A1+A0+A1+A0+A1+A0+A1*1 "
		  "lin3=A0+A1+A0+A1+A0+A1+A0+A1+A0+A1+A0+A1+A0+A1+A0+A1*1 lin4=32 lanes*1 "
		  "{A0+A1=>c3 add c3=>c4 add c4=>c5 add c5=>c6 add c6=>c7 add c7 put5} 2 of 3",
		  "bounds0=A0+A1*1 bounds1=A0+A1+A0+A1*1 bounds2=A0+A1+A0+A1+A0+A1+A0+A1*1 "
		  "bounds3=A0+A1+A0+A1+A0+A1+A0+A1+A0+A1+A0+A1+A0+A1+A0+A1*1 bounds4=32 "
		  "lanes*1 {A0+A1=>c3 add c3=>c4 add c4=>c5 add c5=>c6 add c6=>c7 add c7 "
		  "sum5} 2 of 3" },
		{ "u A0 * 2 * 2 * 2 * 2 * 2 * 2 * 2 * 2 * 2 * 2 * 2 * 2 * 2",
		  "c0=T c2=A0 c3=mul(c2,2) c2=mul(c3,2) c3=mul(c2,2) c2=mul(c3,2) "
		  "c3=mul(c2,2) c2=mul(c3,2) c3=MUL(c2,2) c2=MUL(c3,2) c3=MUL(c2,2) "
		  "c2=MUL(c3,2) c3=MUL(c2,2) c2=MUL(c3,2) c3=MUL(c2,2) out0=c3 ",
		  "lin0=A0*8192 2 of 3", "lin0=A0*8192 1 of 3" },
		{ "u A0 * 0 + A1 * 0",
		  "c0=T c2=A1 c3=mul(c2,0) c2=A0 c4=mul(c2,0) c2=add(c4,c3) out0=c2 ",
		  "{A1 mul 0=>c3; A0 mul 0 add c3 put0} 2 of 3", NULL },
		{ "u A0 // 2 + A1 // 2 + (A2 // 2 + A3 // 2)|u A4 + A5",
		  "c0=T c3=A3 c4=wquowith(c3,0.5) c3=A2 c5=wquowith(c3,0.5) c3=add(c5,c4) "
		  "c4=A1 c5=wquowith(c4,0.5) c4=A0 c6=wquowith(c4,0.5) c4=add(c6,c5) "
		  "c5=add(c4,c3) out0=c5 c5=A4 c3=A5 c4=add(c5,c3) out1=c4 ",
		  "lin1=A4+A5*1 {A3 wquowith 0.5=>c4; A2 wquowith 0.5 add c4=>c7; A1 "
		  "wquowith 0.5=>c9; A0 wquowith 0.5 add c9 add c7 put0} 3 of 4",
		  "bounds1=A4+A5*1 {A3 wquowith 0.5=>c4; A2 wquowith 0.5 add c4=>c7; A1 "
		  "wquowith 0.5=>c9; A0 wquowith 0.5 add c9 add c7 sum0} 3 of 4" },
		{ "f A32 * 1125899906 / 3|f A32 * 3 / 1125899906",
		  "c0=T c7=A32 c8=MUL(c7,1.126e+09) c9=REAL(c8) c8=wdivwith(c9,3,0.3333) "
		  "out0=c8 c8=mul(c7,3) c7=wdivwith(c8,1.126e+09,8.882e-10) out1=c7 ",
		  "{A32=>c7} ?{A32 *?1.126e+09=>c8} c8 else c8=MUL(c7,1.126e+09) c9=REAL(c8) "
		  "{c9 wdivwith 3 0.3333 word0; A32 mul 3 wdivwith 1.126e+09 8.882e-10 "
		  "word1} 2 of 2",
		  NULL },
		{ "u 9007199254740993|f 9007199254740993",
		  "c0=T out0=9007199254740993w out1=9.007e+15 ",
		  "c1 narrow {9007199254740993w put0} else out0=9007199254740993w {9.007e+15 "
		  "word1} 1 of 1",
		  NULL },
		{ "u min(A0, 9007199254740993)", "c0=T c2=A0 c3=MIN(c2,9007199254740993w) out0=c3 ",
		  "{A0=>c2} c3=MIN(c2,9007199254740993w) c3 narrow {c3 put0} else out0=c3 2 of 3",
		  NULL },
		{ "u A0 & 18446744073709551615",
		  "c0=T c2=A0 c3=BITAND(c2,18446744073709551615w) out0=c3 ",
		  "{A0=>c2} c3=BITAND(c2,18446744073709551615w) c3 narrow {c3 put0} else "
		  "out0=c3 2 of 3",
		  NULL },
		{ "u A0 * A1 * A2 // A3|u A4 * A5 * A6 // A3",
		  "c0=T c1=A3 c2=winv(c1) c3=A0 c4=A1 c5=MUL(c3,c4) c4=A2 c3=MUL(c5,c4) "
		  "c4=DIV(c3,c1,c2) out0=c4 c4=A4 c3=A5 c5=MUL(c4,c3) c3=A6 c4=MUL(c5,c3) "
		  "c3=DIV(c4,c1,c2) out1=c3 ",
		  "{A1=>c4; A2=>c6; A3=>c1; A5=>c10; A6=>c12; A3 winv=>c2; A0 mul c4=>c5} "
		  "?{c5 *?c6 quowith c1 c2=>c8} c8 else c7=MUL(c5,c6) c8=DIV(c7,c1,c2) c8 "
		  "narrow {c8 put0} else out0=c8 {A4 mul c10=>c11} ?{c11 *?c12 quowith c1 "
		  "c2=>c14} c14 else c13=MUL(c11,c12) c14=DIV(c13,c1,c2) c14 narrow {c14 "
		  "put1} else out1=c14 3 of 4",
		  NULL },
		{ "u (A3 * 3) & (A0 * A1 * A2)",
		  "c0=T c2=A0 c3=A1 c4=MUL(c2,c3) c3=A2 c2=MUL(c4,c3) c3=A3 c4=mul(c3,3) "
		  "c3=BITAND(c4,c2) out0=c3 ",
		  "{A1=>c3; A2=>c5; A0 mul c3=>c4} ?{c4 *?c5=>c6} c6 else c6=MUL(c4,c5) {A3 "
		  "mul 3=>c8} c9=BITAND(c8,c6) c9 narrow {c9 put0} else out0=c9 2 of 3",
		  NULL },
		{ "u A0 * A1 * A2 + A3 // 7|u A3 // 7 + A4",
		  "c0=T c3=A3 c4=wquowith(c3,0.1429) c3=A0 c5=A1 c6=MUL(c3,c5) c5=A2 "
		  "c3=MUL(c6,c5) c5=ADD(c3,c4) out0=c5 c5=A4 c3=add(c4,c5) out1=c3 ",
		  "{A1=>c6; A2=>c8; A3 wquowith 0.1429=>c4; A0 mul c6=>c7} ?{c7 *?c8 "
		  "+?c4=>c10} c10 else c9=MUL(c7,c8) c10=ADD(c9,c4) c10 narrow {c10 put0} "
		  "else out0=c10 {c4+A4 put1} 3 of 4",
		  NULL },
		{ "f A0 * 1.5|f A1 + A0 * 1.5|f A0 * 1.5 + A2",
		  "c0=T c2=A0 c3=mul(c2,1.5) out0=c3 c2=A1 c4=add(c2,c3) out1=c4 c4=A2 "
		  "c2=add(c3,c4) out2=c2 ",
		  "{A0 mul 1.5 word0=>c3+A1 word1; c3+A2 word2} 2 of 3", NULL },
		{ "f A0 * 1.5 + A0 * 1.5", "c0=T c2=A0 c3=mul(c2,1.5) c2=add(c3,c3) out0=c2 ",
		  "{A0 mul 1.5=>c3 add c3 word0} 2 of 3", NULL },
		{ "f A1 * (A0 * 1.5)|f A1 / A2",
		  "c0=T c2=A0 c3=mul(c2,1.5) c2=A1 c4=mul(c2,c3) out0=c4 c4=A2 c3=div(c2,c4) "
		  "out1=c3 ",
		  "{A2=>c6; A0 mul 1.5=>c3; A1 mul c3 word0; A1 div c6 word1} 2 of 3", NULL },
		{ "u min(A0 * A1 * A2, A0 * A1 * A2 + 1)",
		  "c0=T c2=A0 c3=A1 c4=MUL(c2,c3) c3=A2 c2=MUL(c4,c3) c3=ADD(c2,1) "
		  "c4=MIN(c2,c3) out0=c4 ",
		  "{A1=>c3; A2=>c5; A0 mul c3=>c4} ?{c4 *?c5=>c6} c6 else c6=MUL(c4,c5) "
		  "c7=ADD(c6,1) c8=MIN(c6,c7) c8 narrow {c8 put0} else out0=c8 2 of 3",
		  NULL },
		{ "u A0 * A1 * A2 * 0|u A3 & A4|u A3 & A5",
		  "c0=T c2=A0 c3=A1 c4=MUL(c2,c3) c3=A2 c2=MUL(c4,c3) c3=MUL(c2,0) out0=c3 "
		  "c3=A3 c2=A4 c4=BITAND(c3,c2) out1=c4 c4=A5 c2=BITAND(c3,c4) out2=c2 ",
		  "{A1=>c3; A2=>c5; A3=>c8; A4=>c9; A5=>c11; A0 mul c3=>c4} ?{c4 *?c5 "
		  "*?0=>c7} c7 else c6=MUL(c4,c5) c7=MUL(c6,0) c7 narrow {c7 put0} else "
		  "out0=c7 c10=BITAND(c8,c9) c10 narrow {c10 put1} else out1=c10 "
		  "c12=BITAND(c8,c11) c12 narrow {c12 put2} else out2=c12 3 of 4",
		  NULL },
		{ "f (A0 & A1) * 1.5|u A0 * A1 * (A2 & A3)",
		  "c0=T c2=A0 c3=A1 c4=BITAND(c2,c3) c5=mul(c4,1.5) out0=c5 c5=A2 c4=A3 "
		  "c6=BITAND(c5,c4) c4=MUL(c2,c3) c3=MUL(c4,c6) out1=c3 ",
		  "{A0=>c2; A1=>c3; A2=>c6; A3=>c7} c4=BITAND(c2,c3) {c4 mul 1.5 word0} "
		  "c8=BITAND(c6,c7) {A0 mul c3=>c9} c10=MUL(c9,c8) c10 narrow {c10 put1} "
		  "else out1=c10 2 of 3",
		  NULL },
		{ "f A0 / 0", "c0=T c4=A0 c5=wdivwith(c4,0,0) out0=c5 ",
		  "{A0 wdivwith 0 0 word0} 2 of 3", NULL },
		{ "f A0 / 0.0", "c0=T c3=A0 c4=wdivwith(c3,0,0) out0=c4 ",
		  "{A0 wdivwith 0 0 word0} 2 of 3", NULL },
		{ "f A0 / (A32 * 131072)|f A1 / (A32 * 131072)",
		  "c0=T c2=A32 c3=mul(c2,1.311e+05) c2=winv(c3) c4=A0 c5=wdivwith(c4,c3,c2) "
		  "out0=c5 c5=A1 c4=wdivwith(c5,c3,c2) out1=c4 ",
		  "{A32 mul 1.311e+05=>c3 winv=>c4; A0 wdivwith c3 c4 word0; A1 wdivwith c3 "
		  "c4 word1} 3 of 4",
		  NULL },
		{ "f A0 / (A32 * 262144)|f A1 / (A32 * 262144)",
		  "c0=T c2=A32 c3=mul(c2,2.621e+05) c2=inv(c3) c4=A0 c5=divwith(c4,c3,c2) "
		  "out0=c5 c5=A1 c4=divwith(c5,c3,c2) out1=c4 ",
		  "{A32 mul 2.621e+05=>c3 winv=>c4; A0 wdivwith c3 c4 word0; A1 wdivwith c3 "
		  "c4 word1} 3 of 4",
		  NULL },
		{ "u A0 // (A32 * 131072)|u A1 // (A32 * 131072)",
		  "c0=T c2=A32 c3=mul(c2,1.311e+05) c2=winv(c3) c4=A0 c5=wquowith(c4,c2) "
		  "out0=c5 c5=A1 c4=wquowith(c5,c2) out1=c4 ",
		  "{A32 mul 1.311e+05 winv=>c4; A0 wquowith c4 put0; A1 wquowith c4 put1} 3 of 4",
		  NULL },
		{ "u A0 // (A32 * 262144)|u A1 // (A32 * 262144)",
		  "c0=T c2=A32 c3=mul(c2,2.621e+05) c2=inv(c3) c4=A0 c5=wquowith(c4,c2) "
		  "out0=c5 c5=A1 c4=wquowith(c5,c2) out1=c4 ",
		  "{A32 mul 2.621e+05 winv=>c4; A0 wquowith c4 put0; A1 wquowith c4 put1} 3 of 4",
		  NULL },
		{ "u (A0 // 3 + A1) * (A2 - A3) // 5",
		  "c0=T c5=A2 c6=A3 c7=sub(c5,c6) c6=A0 c5=wquowith(c6,0.3333) c6=A1 "
		  "c8=add(c5,c6) c6=MUL(c8,c7) c7=DIV(c6,5,0.2) out0=c7 ",
		  "{A3=>c6; A2 sub c6=>c7; A0 wquowith 0.3333+A1=>c11} ?{c11 *?c7 quowith 5 "
		  "0.2=>c13} c13 else c12=MUL(c11,c7) c13=DIV(c12,5,0.2) c13 narrow {c13 "
		  "put0} else out0=c13 2 of 3",
		  NULL },
		{ "u min(A0 * A1, A2 * A3)|u max(A0 * A1, A2 * A3)",
		  "c0=T c1=A2 c2=A3 c3=MUL(c1,c2) c2=A0 c1=A1 c4=MUL(c2,c1) c1=MIN(c4,c3) "
		  "out0=c1 c1=MAX(c4,c3) out1=c1 ",
		  "{A3=>c2; A1=>c5; A2 mul c2=>c3; A0 mul c5=>c6 min c3 put0; c6 max c3 "
		  "put1} 2 of 3",
		  NULL },
		{ "f 3.0 - A0 / 7|f A0 / 7 + 0",
		  "c0=T c7=A0 c8=wdivwith(c7,7,0.1429) c7=rsub(3,c8) out0=c7 c7=add(c8,0) out1=c7 ",
		  "{A0 wdivwith 7 0.1429=>c8; 3 rsub c8 word0; c8 add 0 word1} 2 of 3", NULL },
		{ "u A0 * 2251799813685247", "c0=T c2=A0 c3=MUL(c2,2.252e+15) out0=c3 ",
		  "{A0=>c2} ?{A0 *?2.252e+15=>c3} c3 else c3=MUL(c2,2.252e+15) c3 narrow {c3 "
		  "put0} else out0=c3 2 of 3",
		  NULL },
		{ "f A0 / A1 + A2 / A1|f A0 / A2 + A2 / A1",
		  "c0=T c1=A1 c2=winv(c1) c3=A2 c4=wdivwith(c3,c1,c2) c5=A0 "
		  "c6=wdivwith(c5,c1,c2) c2=add(c6,c4) out0=c2 c2=div(c5,c3) c3=add(c2,c4) "
		  "out1=c3 ",
		  "{A1=>c1; A2=>c3; A1 winv=>c2; A2 wdivwith c1 c2=>c4; A0 wdivwith c1 c2 "
		  "add c4 word0; A0 div c3 add c4 word1} 2 of 3",
		  NULL },
		{ "f A1 * (A0 * 1.5)|f A2 / A1",
		  "c0=T c2=A0 c3=mul(c2,1.5) c2=A1 c4=mul(c2,c3) out0=c4 c4=A2 c3=div(c4,c2) "
		  "out1=c3 ",
		  "{A1=>c4; A0 mul 1.5 mul c4 word0; A2 div c4 word1} 2 of 3", NULL },
		{ "u min(A0 * A1 * A2, A3) + A4",
		  "c0=T c1=A0 c2=A1 c3=MUL(c1,c2) c2=A2 c1=MUL(c3,c2) c2=A3 c3=MIN(c1,c2) "
		  "c2=A4 c1=add(c3,c2) out0=c1 ",
		  "{A1=>c2; A2=>c4; A3=>c6; A0 mul c2=>c3} ?{c3 *?c4 min c6=>c7} c7 else "
		  "c5=MUL(c3,c4) c6=A3 c7=MIN(c5,c6) {c7+A4 put0} 3 of 4",
		  NULL },
		{ "f min(A0 * A1 * A2, A3) * 1.5",
		  "c0=T c2=A0 c3=A1 c4=MUL(c2,c3) c3=A2 c2=MUL(c4,c3) c3=A3 c4=MIN(c2,c3) "
		  "c3=mul(c4,1.5) out0=c3 ",
		  "{A1=>c3; A2=>c5; A3=>c7; A0 mul c3=>c4} ?{c4 *?c5 min c7=>c8} c8 else "
		  "c6=MUL(c4,c5) c7=A3 c8=MIN(c6,c7) {c8 mul 1.5 word0} 2 of 3",
		  NULL },
		{ "u A3 + A0 * A1 * A2",
		  "c0=T c1=A0 c2=A1 c3=MUL(c1,c2) c2=A2 c1=MUL(c3,c2) c2=A3 c3=ADD(c1,c2) out0=c3 ",
		  "{A1=>c2; A2=>c4; A3=>c6; A0 mul c2=>c3} ?{c3 *?c4 +?c6=>c7} c7 else "
		  "c5=MUL(c3,c4) c6=A3 c7=ADD(c5,c6) c7 narrow {c7 put0} else out0=c7 2 of 3",
		  NULL },
		{ "u A3 * (A0 * A1 * A2)",
		  "c0=T c1=A0 c2=A1 c3=MUL(c1,c2) c2=A2 c1=MUL(c3,c2) c2=A3 c3=MUL(c1,c2) out0=c3 ",
		  "{A1=>c2; A2=>c4; A3=>c6; A0 mul c2=>c3} ?{c3 *?c4 *?c6=>c7} c7 else "
		  "c5=MUL(c3,c4) c6=A3 c7=MUL(c5,c6) c7 narrow {c7 put0} else out0=c7 2 of 3",
		  NULL },
		{ "u A1 + A0 // 3",
		  "c0=T c3=A0 c4=wquowith(c3,0.3333) c3=A1 c5=add(c4,c3) out0=c5 ",
		  "{A0 wquowith 0.3333+A1 put0} 2 of 3", NULL },
		{ "u A1 * (A0 // 3)",
		  "c0=T c3=A0 c4=wquowith(c3,0.3333) c3=A1 c5=MUL(c4,c3) out0=c5 ",
		  "{A1=>c5; A0 wquowith 0.3333 mul c5 put0} 2 of 3", NULL },
		{ "f A0 * 1.5|u 9007199254740993|f M0 + A1",
		  "c0=T c3=A0 c4=mul(c3,1.5) out0=c4 out1=9007199254740993w c3=A1 "
		  "c5=add(c4,c3) out2=c5 ",
		  "{A0 mul 1.5 word0=>c4} c2 narrow {9007199254740993w put1} else "
		  "out1=9007199254740993w {c4+A1 word2} 2 of 3",
		  NULL },
		{ "u (A0 > A1) * A2|u (A0 > A1) * A3",
		  "c0=T c1=A0 c2=A1 c3=GT(c1,c2) c2=A2 c1=mul(c3,c2) out0=c1 c1=A3 "
		  "c2=mul(c3,c1) out1=c2 ",
		  "{A0=>c1; A1=>c2; A2=>c4; A3=>c6} c3=GT(c1,c2) {c3 mul c4 put0; c3 mul c6 "
		  "put1} 2 of 3",
		  NULL },
		{ "i CLOCK|u CLOCK|u A0 * CLOCK",
		  "c0=T c1=CLOCK out0=c1 c2=A0 c3=MUL(c2,c1) out1=c3 c3=@CLOCK out2=c3 ",
		  "lin0=CLOCK*1 {CLOCK=>c2; A0 mul c2 put1} c4=@CLOCK c4 narrow {c4 put2} "
		  "else out2=c4 2 of 3",
		  NULL },
		{ "i CLOCK + TIMESTAMP|i CLOCK|u A0",
		  "c0=T c1=A0 out0=c1 c1=@CLOCK c2=@T c3=ADD(c1,c2) out1=c3 out2=c1 ",
		  "lin0=A0*1 c1=@CLOCK c2=@T c3=ADD(c1,c2) c3 narrow {c3 put1} else out1=c3 "
		  "c1 narrow {c1 put2} else out2=c1 2 of 3",
		  "lin0=A0*1 c1=@CLOCK c2=@T c3=ADD(c1,c2) c3 narrow {c3 sum1} else out1=c3 "
		  "c1 narrow {c1 sum2} else out2=c1 1 of 3" },
		{ "u A0 * 2048 * 0", "c0=T c3=A0 c4=mul(c3,2048) c3=mul(c4,0) out0=c3 ",
		  "{A0 mul 2048 mul 0 put0} 2 of 3", NULL },
		{ "u (A0 & 255) * 8796093022208",
		  "c0=T c3=A0 c4=BITAND(c3,255) c3=mul(c4,8.796e+12) out0=c3 ",
		  "{A0=>c3} c4=BITAND(c3,255) {c4 mul 8.796e+12 put0} 2 of 3", NULL },
		{ "u (A0 & 255) * 17592186044416",
		  "c0=T c3=A0 c4=BITAND(c3,255) c3=MUL(c4,1.759e+13) out0=c3 ",
		  "{A0=>c3} c4=BITAND(c3,255) c5=MUL(c4,1.759e+13) c5 narrow {c5 put0} else "
		  "out0=c5 2 of 3",
		  NULL },
		{ "u (A0 >> 8) * 2048", "c0=T c3=A0 c4=SHR(c3,8) c3=mul(c4,2048) out0=c3 ",
		  "{A0=>c3} c4=SHR(c3,8) {c4 mul 2048 put0} 2 of 3", NULL },
		{ "u (A0 >> 8) * 4096", "c0=T c3=A0 c4=SHR(c3,8) c3=MUL(c4,4096) out0=c3 ",
		  "{A0=>c3} c4=SHR(c3,8) {c4 mul 4096 put0} 2 of 3", NULL },
		{ "u (A32 << 1) + 1", "c0=T c2=A32 c3=SHL(c2,1) c2=ADD(c3,1) out0=c2 ",
		  "{A32=>c2} c3=SHL(c2,1) c4=ADD(c3,1) c4 narrow {c4 put0} else out0=c4 2 of 2",
		  NULL },
		{ "u (A0 - A1) * 2048", "c0=T c2=A0 c3=A1 c4=sub(c2,c3) c3=mul(c4,2048) out0=c3 ",
		  "{A1=>c3; A0 sub c3 mul 2048 put0} 2 of 3", NULL },
		{ "u (A0 - A1) * 4096", "c0=T c2=A0 c3=A1 c4=sub(c2,c3) c3=MUL(c4,4096) out0=c3 ",
		  "{A1=>c3; A0 sub c3 mul 4096 put0} 2 of 3", NULL },
		{ "u (A0 // 5) * 2048", "c0=T c4=A0 c5=wquowith(c4,0.2) c4=mul(c5,2048) out0=c4 ",
		  "{A0 wquowith 0.2 mul 2048 put0} 2 of 3", NULL },
		{ "u (A0 // 5) * 4096", "c0=T c4=A0 c5=wquowith(c4,0.2) c4=MUL(c5,4096) out0=c4 ",
		  "{A0 wquowith 0.2 mul 4096 put0} 2 of 3", NULL },
		{ "u min(A0, A32) * 1048575",
		  "c0=T c2=A0 c3=A32 c4=min(c2,c3) c3=mul(c4,1.049e+06) out0=c3 ",
		  "{A32=>c3; A0 min c3 mul 1.049e+06 put0} 3 of 4", NULL },
		{ "u min(A32, A0) * 1048576",
		  "c0=T c2=A32 c3=A0 c4=min(c2,c3) c3=MUL(c4,1.049e+06) out0=c3 ",
		  "{A0=>c3; A32 min c3 mul 1.049e+06 put0} 3 of 4", NULL },
		{ "u max(A0, A32) * 2048",
		  "c0=T c2=A0 c3=A32 c4=max(c2,c3) c3=mul(c4,2048) out0=c3 ",
		  "{A32=>c3; A0 max c3 mul 2048 put0} 3 of 4", NULL },
		{ "u max(A32, A0) * 4096",
		  "c0=T c2=A32 c3=A0 c4=max(c2,c3) c3=MUL(c4,4096) out0=c3 ",
		  "{A0=>c3; A32 max c3 mul 4096 put0} 3 of 4", NULL },
		{ "u (A0 > A1) * 2251799813685247",
		  "c0=T c2=A0 c3=A1 c4=GT(c2,c3) c3=mul(c4,2.252e+15) out0=c3 ",
		  "{A0=>c2; A1=>c3} c4=GT(c2,c3) {c4 mul 2.252e+15 put0} 2 of 3", NULL },
		{ "u (A0 > A1) * 2251799813685248",
		  "c0=T c2=A0 c3=A1 c4=GT(c2,c3) c3=MUL(c4,2.252e+15) out0=c3 ",
		  "{A0=>c2; A1=>c3} c4=GT(c2,c3) c5=MUL(c4,2.252e+15) c5 narrow {c5 put0} "
		  "else out0=c5 2 of 3",
		  NULL },
		{ "u (A32 + A33) * 524287",
		  "c0=T c2=A32 c3=A33 c4=add(c2,c3) c3=mul(c4,5.243e+05) out0=c3 ",
		  "lin0=A32+A33*524287 2 of 2", "bounds0=A32+A33*524287 2 of 2" },
		{ "u (A32 + A33) * 524288",
		  "c0=T c2=A32 c3=A33 c4=add(c2,c3) c3=MUL(c4,5.243e+05) out0=c3 ",
		  "lin0=A32+A33*524288 2 of 2", "bounds0=A32+A33*524288 2 of 2" },
		{ "u A0 * 16777215 // 15", "c0=T c5=A0 c6=MUL(c5,1.118e+06) out0=c6 ",
		  "lin0=A0*1118481 2 of 3", "lin0=A0*1118481 1 of 3" },
		{ "u A0 * 16777216 // 16",
		  "c0=T c4=A0 c5=MUL(c4,1.678e+07) c4=DIV(c5,16,0.0625) out0=c4 ",
		  "lin0=A0*1048576 2 of 3", "lin0=A0*1048576 1 of 3" },
		{ "i REPORT_ID * 6 // 4|u A0",
		  "c0=T c6=A0 out0=c6 c6=@ID c7=mul(c6,3) c6=wquowith(c7,0.5) out1=c6 ",
		  "lin0=A0*1 c6=@ID {c6 mul 3 wquowith 0.5 put1} 2 of 3",
		  "lin0=A0*1 c6=@ID {c6 mul 3 wquowith 0.5 sum1} 1 of 3" },
		{ "i CLOCK * 4294967295 // 7|u A0",
		  "c0=T c4=A0 out0=c4 c4=@CLOCK c5=MUL(c4,4.295e+09) c4=DIV(c5,7,0.1429) out1=c4 ",
		  "lin0=A0*1 c4=@CLOCK c5=MUL(c4,4.295e+09) c6=DIV(c5,7,0.1429) c6 narrow "
		  "{c6 put1} else out1=c6 2 of 3",
		  "lin0=A0*1 c4=@CLOCK c5=MUL(c4,4.295e+09) c6=DIV(c5,7,0.1429) c6 narrow "
		  "{c6 sum1} else out1=c6 1 of 3" },
		{ "i CLOCK * 4294967296 // 7|u A0",
		  "c0=T c3=A0 out0=c3 c3=@CLOCK c4=SCALE(c3,4.295e+09,7) out1=c4 ",
		  "lin0=A0*1 c3=@CLOCK c4=SCALE(c3,4.295e+09,7) c4 narrow {c4 put1} else "
		  "out1=c4 2 of 3",
		  "lin0=A0*1 c3=@CLOCK c4=SCALE(c3,4.295e+09,7) c4 narrow {c4 sum1} else "
		  "out1=c4 1 of 3" },
		{ "i CLOCK * 0 // 7|u A0",
		  "c0=T c4=A0 out0=c4 c4=@CLOCK c5=mul(c4,0) c4=wquowith(c5,0.1429) out1=c4 ",
		  "lin0=A0*1 c4=@CLOCK {c4 mul 0 wquowith 0.1429 put1} 2 of 3",
		  "lin0=A0*1 c4=@CLOCK {c4 mul 0 wquowith 0.1429 sum1} 1 of 3" },
		{ "u A32 * 6 // 0", "c0=T c4=A32 c5=mul(c4,6) c4=wquowith(c5,0) out0=c4 ",
		  "{A32 mul 6 wquowith 0 put0} 2 of 2", NULL },
		{ "f A0 / (" E100 " * " E10 " * " E10 ")",
		  "c0=T c14=A0 c15=divwith(c14,1e+120,1e-120) out0=c15 ",
		  "{A0 divwith 1e+120 1e-120 word0} 2 of 3", NULL },
		{ "f A0 / (" E100 " * " E10 " * " E10 " * 1.5)",
		  "c0=T c15=A0 c16=div(c15,1.5e+120) out0=c16 ", "{A0 div 1.5e+120 word0} 2 of 3",
		  NULL },
		{ "f A0 / (1.0 / (" E100 "))",
		  "c0=T c14=A0 c15=divwith(c14,1e-100,1e+100) out0=c15 ",
		  "{A0 divwith 1e-100 1e+100 word0} 2 of 3", NULL },
		{ "f A0 / (1.0 / (" E100 " * 10.0))", "c0=T c15=A0 c16=div(c15,1e-101) out0=c16 ",
		  "{A0 div 1e-101 word0} 2 of 3", NULL },
		{ "f A0 * (" E100 " * 10.0) / 3",
		  "c0=T c16=A0 c17=mul(c16,1e+101) c16=wdivwith(c17,3,0.3333) out0=c16 ",
		  "{A0 mul 1e+101 wdivwith 3 0.3333 word0} 2 of 3", NULL },
		{ "f A0 * (" E100 " * 10.0 * 2.0) / 3",
		  "c0=T c17=A0 c18=mul(c17,2e+101) c17=div(c18,3) out0=c17 ",
		  "{A0 mul 2e+101 div 3 word0} 2 of 3", NULL },
		{ "f (A0 * (" E100 ") + A1) / 3",
		  "c0=T c14=A1 c15=A0 c16=mul(c15,1e+100) c15=add(c16,c14) "
		  "c14=wdivwith(c15,3,0.3333) out0=c14 ",
		  "{A0 mul 1e+100+A1 wdivwith 3 0.3333 word0} 2 of 3", NULL },
		{ "f (A0 * (" E100 " * 10.0) + A1) / 3",
		  "c0=T c15=A1 c16=A0 c17=mul(c16,1e+101) c16=add(c17,c15) c15=div(c16,3) "
		  "out0=c15 ",
		  "{A0 mul 1e+101+A1 div 3 word0} 2 of 3", NULL },
		{ "f (A0 * (1.0 / (" E100 " * 1000.0)) - A1) / 3",
		  "c0=T c18=A1 c19=A0 c20=mul(c19,1e-103) c19=rsub(c20,c18) "
		  "c18=wdivwith(c19,3,0.3333) out0=c18 ",
		  "{A1=>c18; A0 mul 1e-103 rsub c18 wdivwith 3 0.3333 word0} 2 of 3", NULL },
		{ "f (A0 * (1.0 / (" E100 " * 10000.0)) - A1) / 3",
		  "c0=T c17=A1 c18=A0 c19=mul(c18,1e-104) c18=rsub(c19,c17) c17=div(c18,3) "
		  "out0=c17 ",
		  "{A1=>c17; A0 mul 1e-104 rsub c17 div 3 word0} 2 of 3", NULL },
		{ "f min(A0 * (" E100 " * 10.0), A1) / 3",
		  "c0=T c16=A1 c17=A0 c18=mul(c17,1e+101) c17=min(c18,c16) "
		  "c16=wdivwith(c17,3,0.3333) out0=c16 ",
		  "{A1=>c16; A0 mul 1e+101 min c16 wdivwith 3 0.3333 word0} 2 of 3", NULL },
		{ "f max(A0 * (" E100 " * 10.0 * 2.0), A1) / 3",
		  "c0=T c17=A1 c18=A0 c19=mul(c18,2e+101) c18=max(c19,c17) c17=div(c18,3) "
		  "out0=c17 ",
		  "{A1=>c17; A0 mul 2e+101 max c17 div 3 word0} 2 of 3", NULL },
		{ "u 1000 // A0", "c0=T c2=A0 c3=quo(1000,c2) out0=c3 ",
		  "{A0=>c2; 1000 quo c2 put0} 2 of 3", NULL },
		{ "f 1000 / A0", "c0=T c3=A0 c4=div(1000,c3) out0=c4 ",
		  "{A0=>c3; 1000 div c3 word0} 2 of 3", NULL },
	};

	for (size_t i = 0; i < sizeof(all) / sizeof(all[0]); i++)
		check(&all[i], false);
}

static void validity_compiles_to_short_programs(void)
{
	static const struct expected all[] = {
		{ "u A0", "c0=T c2=A0 out0=c2 out2=1 ", "lin0=A0*1 {1 put2} 2 of 3",
		  "lin0=A0*1 {1 sum2} 1 of 3" },
		{ "u A0 // A1", "c0=T c2=A0 c3=A1 c4=quo(c2,c3) out0=c4 c4=min(1,c3) out2=c4 ",
		  "{A1=>c3; A0 quo c3 put0; 1 min c3 put2} 2 of 3", NULL },
		{ "f A0 / A1", "c0=T c2=A1 c3=A0 c4=div(c3,c2) out0=c4 c4=min(1,c2) out2=c4 ",
		  "{A1=>c2; A0 div c2 word0; 1 min c2 put2} 2 of 3", NULL },
		{ "f A0 / (A1 * 0.5)",
		  "c0=T c3=A1 c4=mul(c3,0.5) c3=inv(c4) c5=A0 c6=divwith(c5,c4,c3) out0=c6 "
		  "c6=divwith(c4,c4,c3) c3=INTEGER(c6) c6=MIN(1,c3) out2=c6 ",
		  "{A1 mul 0.5=>c4 inv=>c5; A0 divwith c4 c5 word0; c4 divwith c4 c5=>c8} "
		  "c9=INTEGER(c8) c10=MIN(1,c9) c10 narrow {c10 put2} else out2=c10 2 of 3",
		  NULL },
		{ "u A0 // A1 + A2 // A1",
		  "c0=T c2=A1 c3=winv(c2) c4=A2 c5=wquowith(c4,c3) c4=A0 c6=wquowith(c4,c3) "
		  "c3=add(c6,c5) out0=c3 c3=min(1,c2) c5=min(c3,c2) out2=c5 ",
		  "{A1=>c2 winv=>c3; A2 wquowith c3=>c5; A0 wquowith c3 add c5 put0; 1 min "
		  "c2 min c2 put2} 2 of 3",
		  NULL },
		{ "u A0 max A2|f A1 / A0 max M0 * 2 + 0.5|u A3 // A2",
		  "c0=T c4=A0 out0=c4 c5=A1 c6=div(c5,c4) out1=c6 c6=A3 c5=A2 c7=quo(c6,c5) "
		  "out2=c7 out3=c5 c7=mul(c4,2) c6=add(c7,0.5) out4=c6 out6=1 c6=min(1,c4) "
		  "out7=c6 c6=min(1,c5) out8=c6 ",
		  "lin0=A0*1 lin3=A2*1 {A0=>c4; A2=>c8; A1 div c4 word1; A3 quo c8 put2; A0 "
		  "mul 2 add 0.5 word4; 1 put6 min c4 put7; 1 min c8 put8} 2 of 3",
		  NULL },
		{ "u A0 // A1|u M0 + 1",
		  "c0=T c2=A0 c3=A1 c4=quo(c2,c3) out0=c4 c2=add(c4,1) out1=c2 c2=min(1,c3) "
		  "out4=c2 c3=min(1,c2) out5=c3 ",
		  "{A1=>c3; A0 quo c3 put0 add 1 put1; 1 min c3 put4=>c6; 1 min c6 put5} 2 of 3",
		  NULL },
		{ "u A0 // 5", "c0=T c4=A0 c5=wquowith(c4,0.2) out0=c5 out2=1 ",
		  "{A0 wquowith 0.2 put0; 1 put2} 2 of 3", NULL },
	};

	for (size_t i = 0; i < sizeof(all) / sizeof(all[0]); i++)
		check(&all[i], true);
}

/* The small-delta fast path */

static void put_field(unsigned char *report, struct report_field field, uint64_t value)
{
	const uint64_t masked = value & field_mask(field);
	const uint32_t low = (uint32_t)masked, high = (uint32_t)(masked >> 32);

	memcpy(report + field.offset, &low, sizeof(low));
	if (field.bits == 40)
		report[field.high] = (unsigned char)high;
	else if (field.bits > 32)
		memcpy(report + field.offset + 4, &high, sizeof(high));
}

/*
 * Run one batch in which the counter advances by 1, in the middle by @step. Returns whether the
 * fast path computed it.
 */
static bool run_step(const struct bench *bench, const struct report_format *format,
		     struct report_field field, uint64_t start, uint64_t step)
{
	static unsigned char reports[(1 + COLUMN_ROWS) * 640];
	union gpuoa_value values[COLUMN_ROWS];
	uint64_t counter = start;
	size_t used;

	memset(reports, 0, sizeof(reports));
	for (size_t row = 0; row <= COLUMN_ROWS; row++) {
		put_field(reports + row * format->size, format->timestamp, 1000 * row);
		put_field(reports + row * format->size, field, counter);
		counter += row == 29 ? step : 1;
	}
	calc_settle(bench->calc);
	/* Forget earlier batches with large deltas, after which the fast path pauses. */
	bench->calc->missed = false;
	bench->calc->cold = 0;
	gpuoa_calc_discontinuity(bench->calc);
	CHECK(gpuoa_calc_run(bench->calc, reports, 1 + COLUMN_ROWS, values, NULL, COLUMN_ROWS,
			     &used) == COLUMN_ROWS);
	for (size_t row = 0; row < COLUMN_ROWS; row++)
		CHECK(values[row].u64 == (row == 29 ? step & field_mask(field) : 1));
	return bench->calc->small_delta_batches;
}

static void check_limits(const struct report_format *format, const char *name, uint32_t counter,
			 unsigned int bits)
{
	const struct report_field field = format_counter(format, counter);
	const uint64_t limit = 1u << SMALL_DELTA_BITS;
	struct bench bench;
	char equation[16];

	snprintf(equation, sizeof(equation), "u %s", name);
	if (!CHECK(bench_open(&bench, format, equation, false)))
		return;
	CHECK(field.bits == bits);
	CHECK(run_step(&bench, format, field, 0, limit - 1));
	CHECK(!run_step(&bench, format, field, 0, limit));
	CHECK(run_step(&bench, format, field, 0, 0));
	CHECK(!run_step(&bench, format, field, 7, UINT32_MAX));
	/* The lower dword wraps. The fast path adds no carry. */
	CHECK(run_step(&bench, format, field, UINT32_MAX - 30, 2) == (bits == 32));
	if (bits > 32) {
		CHECK(!run_step(&bench, format, field, 0, 1ull << 32));
		CHECK(run_step(&bench, format, field, 5ull << 32, 2));
		CHECK(!run_step(&bench, format, field, (1ull << (bits - 1)) * 2 - 32, 5));
	}
	if (!tap.good)
		printf("# %s of %s\n", name, format->name);
	bench_close(&bench);
}

static void fast_path_takes_batches_with_small_deltas(void)
{
	const struct report_format *narrow = format_get(GPUOA_REPORT_A24U40_A14U32_B8_C8);
	const struct report_format *wide = format_get(GPUOA_REPORT_PEC64U64_B8_C8);

	check_limits(narrow, "A0", counter_number(BANK_A, 0), 32);
	check_limits(narrow, "A5", counter_number(BANK_A, 5), 40);
	check_limits(narrow, "A31", counter_number(BANK_A, 31), 40);
	check_limits(narrow, "A37", counter_number(BANK_A, 37), 32);
	check_limits(narrow, "C7", counter_number(BANK_C, 7), 32);
	check_limits(wide, "PEC0", counter_number(BANK_PEC, 0), 64);
	check_limits(wide, "PEC63", counter_number(BANK_PEC, 63), 64);
	check_limits(wide, "B3", counter_number(BANK_B, 3), 32);
}

/* Run batches, of which the first @large ones have large deltas. Returns the number on the fast
 * path. */
static uint64_t run_batches(const struct bench *bench, const struct report_format *format,
			    size_t large, size_t batches)
{
	const struct report_field field = format_counter(format, counter_number(BANK_A, 32));
	const size_t count = 1 + batches * COLUMN_ROWS;
	unsigned char *reports = calloc(count, format->size);
	union gpuoa_value *values = calloc(count, sizeof(*values));
	uint64_t counter = 0, wrong = 0;
	size_t used;

	if (!CHECK(reports && values))
		return 0;
	for (size_t row = 0; row < count; row++) {
		put_field(reports + row * format->size, format->timestamp, 1000 * row);
		put_field(reports + row * format->size, field, counter);
		counter += row / COLUMN_ROWS < large ? 1u << SMALL_DELTA_BITS : 1;
	}
	calc_settle(bench->calc);
	gpuoa_calc_discontinuity(bench->calc);
	CHECK(gpuoa_calc_run(bench->calc, reports, count, values, NULL, count, &used) == count - 1);
	for (size_t row = 0; row + 1 < count; row++)
		wrong += values[row].u64 !=
			 (row / COLUMN_ROWS < large ? 1u << SMALL_DELTA_BITS : 1);
	CHECK(!wrong);
	free(reports);
	free(values);
	return bench->calc->small_delta_batches;
}

/* An attempt costs time. After two in a row that failed, the next one is 16 batches later. */
static void fast_path_pauses_after_two_batches_with_large_deltas(void)
{
	const struct report_format *format = format_get(FORMAT);
	struct bench bench;

	REQUIRE(bench_open(&bench, format, "u A32", false));
	CHECK(run_batches(&bench, format, 0, 20) == 20);
	CHECK(run_batches(&bench, format, 1, 20) == 19);
	CHECK(run_batches(&bench, format, 2, 20) == 2);
	CHECK(run_batches(&bench, format, 0, 3) == 3);
	CHECK(run_batches(&bench, format, 18, 40) == 22);
	CHECK(run_batches(&bench, format, 0, 3) == 3);
	CHECK(run_batches(&bench, format, 19, 40) == 5);
	bench_close(&bench);
}

/* Reports that a filter selects are not contiguous. */
static void fast_path_takes_filtered_reports(void)
{
	const struct gpuoa_calc_options options = { .size = sizeof(options), .reasons = 1 };
	const struct report_format *format = format_get(FORMAT);
	static uint32_t reports[2 * REPORTS][REPORT_DWORDS];
	static union gpuoa_value values[2 * REPORTS][2];
	uint32_t selected[REPORTS];
	size_t used, count = 0;
	struct bench bench;

	REQUIRE(bench_open(&bench, format, "r REPORT_ID >> 19|u A32", false));
	gpuoa_calc_close(bench.calc);
	REQUIRE(!gpuoa_calc_open(gpuoa_platform_get_set(fixture_platform(&bench.fixture), 0),
				 bench.constants, format->id, &options, &bench.calc, NULL, 0));
	for (uint32_t i = 0; i < 2 * REPORTS; i++) {
		const bool take = i % 2;

		reports[i][0] = take ? 1u << 19 : 2u << 19;
		reports[i][1] = i * 10;
		reports[i][36] = i * i; /* A32 */
		if (take)
			selected[count++] = i;
	}
	CHECK(count == REPORTS);
	CHECK(gpuoa_calc_run(bench.calc, reports, 2 * REPORTS, values[0], NULL, SIZE_MAX, &used) ==
	      REPORTS - 1);
	CHECK(used == 2 * REPORTS);
	CHECK(bench.calc->small_delta_batches == 2);
	for (size_t row = 0; row + 1 < REPORTS; row++) {
		const uint32_t begin = selected[row], end = selected[row + 1];

		CHECK(values[row][0].u64 == end * end - begin * begin);
		CHECK(values[row][1].u64 == 1);
	}
	bench_close(&bench);
}

/*
 * The last row of a run and the first one of the next run are longer than half the range of the
 * timestamps.
 */
static void times_go_on_after_any_number_of_rows(void)
{
	static uint32_t reports[2 * COLUMN_ROWS][REPORT_DWORDS];
	const struct report_format *format = format_get(FORMAT);
	const uint64_t step = 3000000000;
	struct bench bench;

	REQUIRE(bench_open(&bench, format, "u A32|i TIMESTAMP", false));
	for (size_t rows = 1; rows < 2 * COLUMN_ROWS - 1; rows++) {
		union gpuoa_value values[2 * COLUMN_ROWS][2];
		struct gpuoa_interval intervals[2 * COLUMN_ROWS];
		const uint64_t before = 1000 * (rows - 1);
		size_t used;

		for (size_t i = 0; i <= rows + 1; i++)
			reports[i][1] =
				(uint32_t)(i < rows ? 1000 * i : before + (i - rows + 1) * step);
		gpuoa_calc_discontinuity(bench.calc);
		gpuoa_calc_set_time_base(bench.calc, 0);
		CHECK(gpuoa_calc_run(bench.calc, reports[0], rows + 1, values[0], intervals, rows,
				     &used) == rows);
		CHECK(intervals[rows - 1].begin == before);
		CHECK(intervals[rows - 1].end == before + step);
		CHECK(values[rows - 1][1].u64 == before + step);
		CHECK(gpuoa_calc_run(bench.calc, reports[rows + 1], 1, values[0], intervals, 1,
				     &used) == 1);
		CHECK(intervals[0].begin == before + step);
		CHECK(intervals[0].end == before + 2 * step &&
		      values[0][1].u64 == intervals[0].end);
	}
	bench_close(&bench);
}

/* With 1,000 other values */
static void equal_values_are_computed_once(void)
{
	static char text[65536];
	const size_t count = 500;
	struct fixture fixture;
	struct gpuoa_constants *constants;
	struct gpuoa_calc *calc;
	size_t length = snprintf(text, sizeof(text), "platform t \"T\"\n");

	for (size_t i = 0; i < 2 * count; i++)
		length += snprintf(
			text + length, sizeof(text) - length,
			i < count ? "metric M%zu \"-\" \"-\" = A0 + %zu uint64 x event\n" :
				    "metric M%zu \"-\" \"-\" = (A0 + %zu) * 3 uint64 x event\n",
			i, 1 + i % count);
	length += snprintf(text + length, sizeof(text) - length,
			   "set S \"Set\" { uuid \"" UUID "\" format A32u40_A4u32_B8_C8 metrics {");
	for (size_t i = 0; i < 2 * count; i++)
		length += snprintf(text + length, sizeof(text) - length, " M%zu", i);
	snprintf(text + length, sizeof(text) - length, " } }\n");
	REQUIRE(!fixture_compile(&fixture, text));
	REQUIRE(!gpuoa_constants_new(fixture_platform(&fixture), &constants));
	REQUIRE(!gpuoa_calc_open(gpuoa_platform_get_set(fixture_platform(&fixture), 0), constants,
				 FORMAT, NULL, &calc, NULL, 0));
	/* Two loads, and one addition, one product and two outputs of each number */
	CHECK(calc->program->operation_count == 2 + 4 * count);
	gpuoa_calc_close(calc);
	gpuoa_constants_free(constants);
	fixture_free(&fixture);
}

int main(void)
{
	RUN(equations_compile_to_short_programs);
	RUN(validity_compiles_to_short_programs);
	RUN(equal_values_are_computed_once);
	RUN(times_go_on_after_any_number_of_rows);
	RUN(fast_path_takes_batches_with_small_deltas);
	RUN(fast_path_pauses_after_two_batches_with_large_deltas);
	RUN(fast_path_takes_filtered_reports);
	return tap_end();
}
