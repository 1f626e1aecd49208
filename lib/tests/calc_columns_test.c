// SPDX-License-Identifier: MIT
/*
 * calc_columns_test.c - Check that rows, columns and summaries agree for each instruction set, each
 * report format and each batch length.
 */
#include <math.h>
#include <stdlib.h>

#include "calc/calc.h"
#include "fixture.h"
#include "report/format.h"
#include "tap.h"

static const char *const kinds[] = { "plain", "sse2", "avx2", "avx512" };

#define KINDS (sizeof(kinds) / sizeof(kinds[0]))
#define FORMATS 32
#define REPORTS 260
#define ROWS (REPORTS - 1)
#define PIECE_MAX 130
#define COLUMNS_MAX 120
#define REPORT_SIZE_MAX 640

/*
 * Each metric uses one or two counters: sums, products beyond 2^52 and 2^64, quotients, and shares.
 * The second operand is computed last in some. Some metrics are unavailable.
 */
static const char derived[] =
	"metric Sum \"-\" \"-\" = X + Y uint64 x event\n"
	"metric Less \"-\" \"-\" = X - Y uint64 x event\n"
	"metric Product \"-\" \"-\" = X * Y uint64 x event\n"
	"metric Large \"-\" \"-\" = X * 1000000007 // 3 uint64 x event\n"
	"metric Cube \"-\" \"-\" = X * X * X uint64 x event\n"
	"metric Scaled \"-\" \"-\" = (X + Y) * 16777216 // 8388608 uint64 x event\n"
	"metric Reduced \"-\" \"-\" = (X & 65535) * 6000 // 4000 uint64 x event\n"
	"metric Whole \"-\" \"-\" = X // Y uint64 x event\n"
	"metric Part \"-\" \"-\" = X // 1000 uint64 x event\n"
	"metric Share \"-\" \"-\" = X * 100 / Y float x event\n"
	"metric Cut \"-\" \"-\" = X * 100.0 / Y uint64 x event\n"
	"metric Below \"-\" \"-\" = 1.5 * X - Y float x event\n"
	"metric Above \"-\" \"-\" = Y - 1.5 * X float x event\n"
	"metric Turned \"-\" \"-\" = Y + 1.5 * X float x event\n"
	"metric Times \"-\" \"-\" = Y * (1.5 * X) float x event\n"
	"metric Least \"-\" \"-\" = min(X, Y) uint64 x event\n"
	"metric Largest \"-\" \"-\" = max(X, Y * 3) uint64 x event\n"
	"metric Bits \"-\" \"-\" = X & 65535 uint64 x event\n"
	"metric Shifted \"-\" \"-\" = Y << 20 uint64 x event\n"
	"metric Ahead \"-\" \"-\" = X > Y uint64 x event\n"
	"metric Ns \"-\" \"-\" = TIMESTAMP * 1000000000 // 19200000 uint64 x event\n"
	"metric NoInteger \"-\" \"-\" = X + 1 if K uint64 x event\n"
	"metric NoFloat \"-\" \"-\" = X + 0.5 if K float x event\n"
	"metric Leans \"-\" \"-\" = NoInteger + X uint64 x event\n"
	"info Time \"-\" \"-\" = TIMESTAMP * 1000000000 // 19200000 uint64 x raw\n"
	"info Id \"-\" \"-\" = REPORT_ID uint64 x raw\n";

/* Items that exist only in reports of Broadwell and later */
static const char later[] = "metric Clocks \"-\" \"-\" = CLOCK uint64 x event\n"
			    "info Context \"-\" \"-\" = CONTEXT_ID uint64 x raw\n";

static const char derived_list[] =
	"Sum Less Product Large Cube Scaled Reduced Whole Part Share Cut Below Above Turned Times "
	"Least Largest Bits Shifted Ahead Ns NoInteger NoFloat Leans";

/* Patterns by which counters change from report to report */
enum data {
	DATA_WILD, /* counters change by random orders of magnitude */
	DATA_SMALL_DELTA, /* counters change little, except in a few reports */
	DATA_RANDOM, /* reports are random bytes */
	DATA_COUNT,
};

/*
 * A set that has all counters of a format, both directly and in derived metrics, and the reports to
 * calculate from
 */
struct bench {
	uint32_t format;
	enum data data;
	size_t size; /* of a report, bytes */
	size_t counters;
	struct fixture fixture;
	struct gpuoa_constants *constants;
	unsigned char reports[REPORTS * REPORT_SIZE_MAX];
};

/* Values of all rows, calculated in one of several ways that must agree */
struct results {
	size_t columns;
	union gpuoa_value rows[ROWS * COLUMNS_MAX];
	struct gpuoa_interval intervals[ROWS];
};

static struct results expected, got;
static uint64_t columns[COLUMNS_MAX][ROWS];

/* definition and reports */

static const struct {
	char letter;
	const char *name;
} banks[] = { { 'A', "A" }, { 'B', "B" }, { 'C', "C" }, { 'P', "PEC" } };

struct text {
	char bytes[16384];
	size_t length;
};

#define ADD(text, ...)                                              \
	((text)->length += snprintf((text)->bytes + (text)->length, \
				    sizeof((text)->bytes) - (text)->length, __VA_ARGS__))

/*
 * Add metric "N<i>" for each counter. The first and the last counter are also called X and Y in
 * derived metrics. Returns the number of counters.
 */
static size_t add_counters(struct text *text, struct text *list, uint32_t format)
{
	const unsigned char zeros[REPORT_SIZE_MAX] = { 0 };
	char name[16], first[16] = "";
	size_t count = 0;
	uint64_t value;

	for (size_t bank = 0; bank < sizeof(banks) / sizeof(banks[0]); bank++)
		for (unsigned int i = 0; i < 64; i++) {
			if (gpuoa_report_counter(format, zeros, banks[bank].letter, i, &value))
				continue;
			snprintf(name, sizeof(name), "%s%u", banks[bank].name, i);
			if (!*first)
				memcpy(first, name, sizeof(first));
			ADD(text, "metric N%zu \"-\" \"-\" = %s uint64 x event\n", count, name);
			ADD(list, "N%zu ", count++);
		}
	ADD(text, "metric X \"-\" \"-\" = %s uint64 x event\n", first);
	ADD(text, "metric Y \"-\" \"-\" = %s uint64 x event\n", name);
	ADD(list, "X Y ");
	return count;
}

static void make_text(struct text *text, struct bench *bench)
{
	const struct report_format *format = format_get(bench->format);
	static struct text list;

	list.length = text->length = 0;
	ADD(text, "platform t \"Test\"\nconstant K \"-\"\n");
	bench->counters = add_counters(text, &list, bench->format);
	ADD(text, "%s%s", derived, format->context.bits ? later : "");
	ADD(text,
	    "set S \"Set\" { uuid \"00000000-0000-4000-8000-000000000001\" "
	    "format %s metrics { %s %s %s } }\n",
	    format->name, list.bytes, derived_list, format->context.bits ? "Clocks" : "");
}

/* Advance each 64-bit word by a random order of magnitude; sometimes by 0 or by the maximum. */
static void make_wild_reports(struct bench *bench, uint64_t *state)
{
	uint64_t words[REPORT_SIZE_MAX / 8];
	size_t count = bench->size / 8;

	for (size_t i = 0; i < count; i++)
		words[i] = fixture_random(state);
	for (size_t row = 0; row < REPORTS; row++) {
		for (size_t i = 0; i < count; i++) {
			uint64_t random = fixture_random(state);

			words[i] += (random & 15) ? fixture_random(state) >> (random >> 4 & 63) :
				    (random & 16) ? UINT64_MAX :
						    0;
		}
		memcpy(bench->reports + row * bench->size, words, bench->size);
	}
}

static void put_field(unsigned char *report, struct report_field field, uint64_t value)
{
	uint32_t low = (uint32_t)value, high = (uint32_t)((value & field_mask(field)) >> 32);

	memcpy(report + field.offset, &low, sizeof(low));
	if (field.bits == 40)
		report[field.high] = (unsigned char)high;
	else if (field.bits > 32)
		memcpy(report + field.offset + 4, &high, sizeof(high));
}

/*
 * Return the increment of a counter at @row. Each batch of 64 rows tests the conditions of the
 * small-delta fast path: increments are within its limit, and the lower dword does not carry.
 * 1: All counters satisfy both.
 * 2: The lower dword of the last counter carries.
 * 3: The increment of one counter exceeds the limit by one.
 * 4: The increment of that counter equals the limit. The last counter increases by 2^32, so its
 *    lower dword does not change.
 */
static uint64_t small_delta_step(uint64_t *state, size_t row, bool one, bool last)
{
	if (last)
		return row == 230 ? 1ull << 32 : row == 100;
	if (one && (row == 150 || row == 220))
		return (1u << SMALL_DELTA_BITS) - (row == 220);
	return fixture_random(state) >> 44;
}

static void make_small_delta_reports(struct bench *bench, uint64_t *state)
{
	const struct report_format *format = format_get(bench->format);
	uint64_t counters[COUNTER_COUNT], ticks = fixture_random(state);
	uint32_t last = 0;

	for (uint32_t i = 0; i < COUNTER_COUNT; i++) {
		counters[i] = fixture_random(state) & ~(1ull << 31);
		if (format_counter(format, i).bits)
			last = i;
	}
	counters[last] |= UINT32_MAX;
	for (size_t row = 0; row < REPORTS; row++) {
		unsigned char *report = bench->reports + row * bench->size;

		memset(report, 0, bench->size);
		put_field(report, format->report_id, row << 19);
		put_field(report, format->timestamp, ticks += 1000);
		for (uint32_t i = 0; i < COUNTER_COUNT; i++) {
			struct report_field field = format_counter(format, i);

			if (!field.bits)
				continue;
			counters[i] += small_delta_step(state, row, i == last / 2, i == last);
			put_field(report, field, counters[i]);
		}
	}
}

static void make_reports(struct bench *bench, uint64_t *state)
{
	switch (bench->data) {
	case DATA_WILD:
		make_wild_reports(bench, state);
		break;
	case DATA_SMALL_DELTA:
		make_small_delta_reports(bench, state);
		break;
	default:
		for (size_t i = 0; i < REPORTS * bench->size; i++)
			bench->reports[i] = (unsigned char)(fixture_random(state) >> 32);
		break;
	}
}

static bool bench_open(struct bench *bench, uint32_t format, enum data data)
{
	static struct text text;
	uint64_t state = 17 + format;

	bench->format = format;
	bench->data = data;
	bench->size = gpuoa_format_size(format);
	make_text(&text, bench);
	make_reports(bench, &state);
	if (fixture_compile(&bench->fixture, text.bytes)) {
		printf("# %s\n", bench->fixture.diagnostic.text);
		return false;
	}
	return !gpuoa_constants_new(fixture_platform(&bench->fixture), &bench->constants) &&
	       !gpuoa_constants_set(bench->constants, "K", 0);
}

static void bench_close(struct bench *bench)
{
	gpuoa_constants_free(bench->constants);
	fixture_free(&bench->fixture);
}

/*
 * Open a calculator that uses a kind of vector code. Returns NULL if the processor does not support
 * it.
 */
static struct gpuoa_calc *open_kind(const struct bench *bench, const char *kind)
{
	const struct gpuoa_calc_options options = { .size = sizeof(options), .isa = kind };
	struct gpuoa_calc *calc = NULL;

	gpuoa_calc_open(gpuoa_platform_get_set(fixture_platform(&bench->fixture), 0),
			bench->constants, bench->format, &options, &calc, NULL, 0);
	return calc;
}

/* ways to calculate */

static void run_rows(const struct bench *bench, struct gpuoa_calc *calc, size_t piece,
		     struct results *results)
{
	size_t rows = 0, used;

	results->columns = gpuoa_calc_output_count(calc);
	for (size_t at = 0; at < REPORTS; at += piece) {
		size_t count = REPORTS - at < piece ? REPORTS - at : piece;

		rows += gpuoa_calc_run(calc, bench->reports + at * bench->size, count,
				       results->rows + rows * results->columns,
				       results->intervals + rows, ROWS - rows, &used);
		CHECK(used == count);
	}
	CHECK(rows == ROWS);
}

/* Copy columns of both types, float and integer, into rows. */
static void columns_to_rows(struct gpuoa_calc *calc, struct results *results)
{
	for (size_t i = 0; i < results->columns; i++) {
		bool real = gpuoa_calc_output_type(calc, i) == GPUOA_TYPE_FLOAT;

		for (size_t row = 0; row < ROWS; row++) {
			union gpuoa_value *value = &results->rows[row * results->columns + i];

			value->u64 = 0;
			if (real)
				value->f32 = ((float *)columns[i])[row];
			else
				value->u64 = columns[i][row];
		}
	}
}

static void run_columns(const struct bench *bench, struct gpuoa_calc *calc, size_t piece,
			struct results *results)
{
	void *at_row[COLUMNS_MAX];
	size_t rows = 0, used;

	results->columns = gpuoa_calc_output_count(calc);
	memset(columns, 0xff, sizeof(columns));
	for (size_t at = 0; at < REPORTS; at += piece) {
		size_t count = REPORTS - at < piece ? REPORTS - at : piece;

		for (size_t i = 0; i < results->columns; i++)
			at_row[i] = gpuoa_calc_output_type(calc, i) == GPUOA_TYPE_FLOAT ?
					    (void *)((float *)columns[i] + rows) :
					    (void *)(columns[i] + rows);
		rows += gpuoa_calc_run_outputs(calc, bench->reports + at * bench->size, count,
					       at_row, results->intervals + rows, ROWS - rows,
					       &used);
		CHECK(used == count);
	}
	CHECK(rows == ROWS);
	columns_to_rows(calc, results);
}

/* checks */

static bool same(const struct results *a, const struct results *b)
{
	return a->columns == b->columns &&
	       !memcmp(a->rows, b->rows, ROWS * a->columns * sizeof(a->rows[0])) &&
	       !memcmp(a->intervals, b->intervals, sizeof(a->intervals));
}

typedef void run_fn(const struct bench *bench, struct gpuoa_calc *calc, size_t piece,
		    struct results *results);

static void check_run(const struct bench *bench, const char *kind, run_fn *run)
{
	const size_t step = bench->data == DATA_WILD ? 1 : 9;

	for (size_t piece = 1; piece <= PIECE_MAX && tap.good; piece += step) {
		struct gpuoa_calc *calc = open_kind(bench, kind);

		if (!calc)
			return;
		run(bench, calc, piece, &got);
		if (!CHECK(same(&expected, &got)))
			printf("# %s in pieces of %zu\n", kind, piece);
		gpuoa_calc_close(calc);
	}
}

static bool bench_expect(const struct bench *bench)
{
	struct gpuoa_calc *calc = open_kind(bench, "plain");

	if (calc)
		run_rows(bench, calc, REPORTS, &expected);
	gpuoa_calc_close(calc);
	return calc;
}

static void with_format(uint32_t format, enum data data, void (*check)(const struct bench *bench))
{
	static struct bench bench;

	if (CHECK(bench_open(&bench, format, data)) && CHECK(bench_expect(&bench)))
		check(&bench);
	if (!tap.good)
		printf("# %s, data %d\n", gpuoa_format_name(format), data);
	bench_close(&bench);
}

static void with_each_format(void (*check)(const struct bench *bench))
{
	int count = 0;

	for (uint32_t format = 0; format < FORMATS && tap.good; format++) {
		if (!gpuoa_format_size(format))
			continue;
		count++;
		for (unsigned int data = 0; data < DATA_COUNT && tap.good; data++)
			with_format(format, data, check);
	}
	CHECK(count == 24);
}

/* tests */

static void check_rows(const struct bench *bench)
{
	for (size_t i = 0; i < KINDS; i++)
		check_run(bench, kinds[i], run_rows);
}

static void rows_are_equal_for_each_isa(void)
{
	with_each_format(check_rows);
}

static void check_columns(const struct bench *bench)
{
	for (size_t i = 0; i < KINDS; i++)
		check_run(bench, kinds[i], run_columns);
}

static void columns_equal_rows(void)
{
	with_each_format(check_columns);
}

/* Returns the difference of the raw values of a counter in one row. */
static uint64_t difference(const struct bench *bench, size_t row, char letter, unsigned int index)
{
	const unsigned char *last = bench->reports + row * bench->size;
	struct report_field field =
		format_counter(format_get(bench->format),
			       counter_number(letter == 'P' ? BANK_PEC : letter - 'A', index));
	uint64_t a, b;

	gpuoa_report_counter(bench->format, last, letter, index, &a);
	gpuoa_report_counter(bench->format, last + bench->size, letter, index, &b);
	return (b - a) & field_mask(field);
}

static void check_differences(const struct bench *bench)
{
	const unsigned char zeros[REPORT_SIZE_MAX] = { 0 };
	size_t number = 0;
	uint64_t value;

	for (size_t bank = 0; bank < sizeof(banks) / sizeof(banks[0]); bank++)
		for (unsigned int i = 0; i < 64; i++) {
			char letter = banks[bank].letter;

			if (gpuoa_report_counter(bench->format, zeros, letter, i, &value))
				continue;
			for (size_t row = 0; row < ROWS; row++)
				CHECK(expected.rows[row * expected.columns + number].u64 ==
				      difference(bench, row, letter, i));
			number++;
		}
	CHECK(number == bench->counters);
}

static void integer_columns_equal_raw_differences(void)
{
	with_each_format(check_differences);
}

static size_t first_info(const struct bench *bench)
{
	struct gpuoa_set_desc desc;

	gpuoa_set_describe(gpuoa_platform_get_set(fixture_platform(&bench->fixture), 0), &desc,
			   sizeof(desc));
	return desc.metric_count;
}

/* Convert ticks of 19.2 MHz. The result saturates at UINT64_MAX. */
static uint64_t nanoseconds(uint64_t ticks)
{
	unsigned __int128 ns = (unsigned __int128)ticks * 1000000000 / 19200000;

	return ns < UINT64_MAX ? (uint64_t)ns : UINT64_MAX;
}

static void check_times(const struct bench *bench)
{
	const struct report_format *format = format_get(bench->format);
	size_t first = first_info(bench);
	uint64_t mask = field_mask(format->timestamp);
	const unsigned char *report = bench->reports;
	uint64_t ticks = gpuoa_report_timestamp(bench->format, report);

	for (size_t row = 0; row < ROWS; row++) {
		const union gpuoa_value *infos = &expected.rows[row * expected.columns + first];
		uint64_t now;

		CHECK(expected.intervals[row].begin == ticks);
		report += bench->size;
		now = gpuoa_report_timestamp(bench->format, report);
		ticks += (now - ticks) & mask;
		CHECK(expected.intervals[row].end == ticks);
		CHECK(infos[0].u64 == nanoseconds(ticks));
		CHECK(infos[1].u64 == report_read(report, format->report_id));
		CHECK(!format->context.bits ||
		      infos[2].u64 == report_read(report, format->context));
	}
}

static void times_extend_wrapping_timestamps(void)
{
	with_each_format(check_times);
}

static size_t column_of(const struct bench *bench, const char *symbol)
{
	const struct gpuoa_set *set = gpuoa_platform_get_set(fixture_platform(&bench->fixture), 0);
	struct gpuoa_metric_desc desc;

	gpuoa_metric_describe(gpuoa_set_find_metric(set, symbol), &desc, sizeof(desc));
	return desc.index;
}

/* Integers are computed modulo 2^64, products before quotients; a quotient by 0 is 0. */
static void check_integers(const struct bench *bench)
{
	static const char *const symbols[] = { "Sum",	  "Product", "Large", "Cube",  "Scaled",
					       "Reduced", "Whole",   "Part",  "Least", "Largest",
					       "Bits",	  "Shifted", "Ahead", "X",     "Y" };
	const size_t count = sizeof(symbols) / sizeof(symbols[0]);
	size_t at[sizeof(symbols) / sizeof(symbols[0])];

	for (size_t i = 0; i < count; i++)
		at[i] = column_of(bench, symbols[i]);
	for (size_t row = 0; row < ROWS; row++) {
		const union gpuoa_value *values = &expected.rows[row * expected.columns];
		const uint64_t x = values[at[count - 2]].u64, y = values[at[count - 1]].u64;
		const uint64_t right[] = { x + y,
					   x * y,
					   x * 1000000007 / 3,
					   x * x * x,
					   (x + y) * 16777216 / 8388608,
					   (x & 65535) * 3 / 2,
					   y ? x / y : 0,
					   x / 1000,
					   x < y ? x : y,
					   x > y * 3 ? x : y * 3,
					   x & 65535,
					   y << 20,
					   x > y };

		for (size_t i = 0; i < sizeof(right) / sizeof(right[0]); i++)
			CHECK(values[at[i]].u64 == right[i]);
	}
}

static void integers_are_computed_modulo_2_64(void)
{
	with_each_format(check_integers);
}

static void check_absent(const struct bench *bench)
{
	size_t integer = column_of(bench, "NoInteger"), real = column_of(bench, "NoFloat");
	struct gpuoa_summary summaries[COLUMNS_MAX] = { { 0 } };
	struct gpuoa_calc *calc = open_kind(bench, NULL);

	REQUIRE(calc);
	run_columns(bench, calc, 100, &got);
	for (size_t row = 0; row < ROWS; row++) {
		CHECK(columns[integer][row] == 0);
		CHECK(((float *)columns[real])[row] == 0);
	}
	gpuoa_calc_discontinuity(calc);
	CHECK(gpuoa_calc_summarize(calc, bench->reports, REPORTS, summaries) == ROWS);
	for (size_t i = 0; i < 2; i++) {
		const struct gpuoa_summary *summary = &summaries[i ? real : integer];

		CHECK(summary->rows == ROWS && summary->sum == 0 && summary->least == 0 &&
		      summary->largest == 0);
	}
	gpuoa_calc_close(calc);
}

static void absent_metrics_are_0(void)
{
	with_each_format(check_absent);
}

static void check_wanted(const struct bench *bench)
{
	struct gpuoa_calc *calc = open_kind(bench, NULL);
	void *wanted[COLUMNS_MAX] = { NULL };
	size_t product = column_of(bench, "Product"), used;

	REQUIRE(calc);
	wanted[product] = columns[product];
	columns[product][100] = 4711;
	CHECK(gpuoa_calc_run_outputs(calc, bench->reports, REPORTS, wanted, NULL, 100, &used) ==
	      100);
	CHECK(used == 101);
	for (size_t row = 0; row < 100; row++)
		CHECK(columns[product][row] == expected.rows[row * expected.columns + product].u64);
	CHECK(columns[product][100] == 4711);
	gpuoa_calc_close(calc);
}

static void columns_may_be_null_or_short(void)
{
	with_each_format(check_wanted);
}

/* Number of values from which on results are written past the caches */
#define LARGE (1 << 20)

/* Calculate columns of @rows values, in pieces of at most @piece reports. Returns their number. */
static size_t run_large(const struct bench *bench, const char *kind, const unsigned char *reports,
			size_t piece, char *outputs, size_t column_size, size_t shift, size_t *rows)
{
	struct gpuoa_calc *calc = open_kind(bench, kind);
	void *at_row[COLUMNS_MAX];
	size_t count, done = 0, used;

	if (!calc)
		return 0;
	count = gpuoa_calc_output_count(calc);
	/* The last batch is not whole. */
	*rows = (LARGE / count + 63) / 64 * 64 + 40;
	for (size_t at = 0; at < *rows + 1; at += piece) {
		for (size_t i = 0; i < count; i++)
			at_row[i] = outputs + i * column_size + i % 3 * shift +
				    done * (gpuoa_calc_output_type(calc, i) == GPUOA_TYPE_FLOAT ?
						    sizeof(float) :
						    sizeof(uint64_t));
		done += gpuoa_calc_run_outputs(calc, reports + at * bench->size,
					       *rows + 1 - at < piece ? *rows + 1 - at : piece,
					       at_row, NULL, SIZE_MAX, &used);
	}
	CHECK(done == *rows);
	gpuoa_calc_close(calc);
	return count;
}

/*
 * Results beyond the size of the caches equal those of short runs, whether or not columns are
 * aligned to cache lines.
 */
static void check_large(const struct bench *bench)
{
	const size_t column_size = LARGE / 32 * sizeof(uint64_t);
	char *small = aligned_alloc(64, 2 * COLUMNS_MAX * column_size);
	char *large = small + COLUMNS_MAX * column_size;
	unsigned char *reports = malloc((LARGE / 32) * bench->size);

	for (size_t i = 0; i < LARGE / 32; i++)
		memcpy(reports + i * bench->size, bench->reports + i % REPORTS * bench->size,
		       bench->size);
	for (size_t kind = 0; kind < KINDS; kind++) {
		size_t rows, count;

		memset(small, 0xee, 2 * COLUMNS_MAX * column_size);
		run_large(bench, kinds[kind], reports, 500, small, column_size, 0, &rows);
		count = run_large(bench, kinds[kind], reports, LARGE, large, column_size, 8, &rows);
		for (size_t i = 0; i < count; i++)
			CHECK(!memcmp(small + i * column_size, large + i * column_size + i % 3 * 8,
				      column_size - 16));
	}
	free(small);
	free(reports);
}

static void large_columns_equal_small_ones(void)
{
	for (unsigned int data = 0; data < DATA_COUNT; data++)
		with_format(GPUOA_REPORT_A32U40_A4U32_B8_C8, data, check_large);
}

/* Compare a summary of the library with one that is accumulated row by row. */
static void check_summary(const struct gpuoa_summary *summary, size_t column,
			  enum gpuoa_value_type type)
{
	double sum = 0, all = 0, least = INFINITY, largest = -INFINITY;

	for (size_t row = 0; row < ROWS; row++) {
		double value =
			gpuoa_value_to_double(type, expected.rows[row * expected.columns + column]);

		sum += value;
		all += fabs(value);
		least = fmin(least, value);
		largest = fmax(largest, value);
	}
	CHECK(summary->rows == ROWS);
	/* A float is rounded to 32 bits in a row, so the sums may differ slightly. */
	CHECK(fabs(summary->sum - sum) <= all * (type == GPUOA_TYPE_FLOAT ? 1e-7 : 1e-13));
	if (type == GPUOA_TYPE_FLOAT) {
		CHECK((float)summary->least == (float)least);
		CHECK((float)summary->largest == (float)largest);
	} else {
		CHECK(summary->least == least && summary->largest == largest);
	}
}

static void summarize(const struct bench *bench, struct gpuoa_calc *calc, size_t piece,
		      struct gpuoa_summary *summaries)
{
	size_t rows = 0;

	memset(summaries, 0, COLUMNS_MAX * sizeof(*summaries));
	for (size_t at = 0; at < REPORTS; at += piece) {
		size_t count = REPORTS - at < piece ? REPORTS - at : piece;

		rows += gpuoa_calc_summarize(calc, bench->reports + at * bench->size, count,
					     summaries);
	}
	CHECK(rows == ROWS);
}

static void check_summaries(const struct bench *bench)
{
	static struct gpuoa_summary first[COLUMNS_MAX], others[COLUMNS_MAX];
	static const size_t pieces[] = { 1, 3, 16, 64, 65, 129, REPORTS };

	for (size_t i = 0; i < sizeof(pieces) / sizeof(pieces[0]); i++)
		for (size_t kind = 0; kind < KINDS && tap.good; kind++) {
			struct gpuoa_calc *calc = open_kind(bench, kinds[kind]);
			struct gpuoa_summary *to = kind ? others : first;

			if (!calc)
				continue;
			summarize(bench, calc, pieces[i], to);
			for (size_t c = 0; !kind && c < expected.columns; c++)
				check_summary(&first[c], c, gpuoa_calc_output_type(calc, c));
			CHECK(!memcmp(first, to, sizeof(first)));
			gpuoa_calc_close(calc);
		}
}

static void summaries_equal_those_of_rows(void)
{
	with_each_format(check_summaries);
}

static void check_total(const struct bench *bench)
{
	union gpuoa_value total[COLUMNS_MAX];

	for (size_t kind = 0; kind < KINDS; kind++) {
		struct gpuoa_calc *calc = open_kind(bench, kinds[kind]);

		if (!calc)
			continue;
		run_rows(bench, calc, 100, &got);
		CHECK(!gpuoa_calc_total(calc, total, NULL, false));
		for (size_t i = 0; i < bench->counters; i++) {
			uint64_t sum = 0;

			for (size_t row = 0; row < ROWS; row++)
				sum += expected.rows[row * expected.columns + i].u64;
			CHECK(total[i].u64 == sum);
		}
		gpuoa_calc_close(calc);
	}
}

static void totals_equal_sums_of_rows(void)
{
	with_each_format(check_total);
}

/* Check that the calculator used the fast path for these data, and for no others. */
static void check_small_delta(const struct bench *bench)
{
	struct gpuoa_calc *calc = open_kind(bench, NULL);

	REQUIRE(calc);
	run_rows(bench, calc, 1 + COLUMN_ROWS, &got);
	CHECK(!!calc->small_delta[SMALL_DELTA_ROWS] == (bench->data == DATA_SMALL_DELTA));
	CHECK(same(&expected, &got));
	gpuoa_calc_close(calc);
}

static void batches_with_small_deltas_take_fast_path(void)
{
	with_each_format(check_small_delta);
}

int main(void)
{
	RUN(batches_with_small_deltas_take_fast_path);
	RUN(rows_are_equal_for_each_isa);
	RUN(columns_equal_rows);
	RUN(integer_columns_equal_raw_differences);
	RUN(integers_are_computed_modulo_2_64);
	RUN(times_extend_wrapping_timestamps);
	RUN(absent_metrics_are_0);
	RUN(columns_may_be_null_or_short);
	RUN(large_columns_equal_small_ones);
	RUN(summaries_equal_those_of_rows);
	RUN(totals_equal_sums_of_rows);
	return tap_end();
}
