// SPDX-License-Identifier: MIT
/*
 * rpn_oracle_test.c - Compare each metric of each platform, bit by bit, with an independent
 * implementation.
 *
 * Each round tests another GPU, with different constants, topology and reports.
 */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>

#include "facts.h"
#include "fixture.h"
#include "raw.h"
#include "rpn.h"
#include "tap.h"

/*
 * ROUNDS: number of GPUs per platform. PAIRS: number of pairs of reports per set and GPU. TOTALS:
 * number of totals. Compile with -DPAIRS=... to test more.
 */
#ifdef __SANITIZE_ADDRESS__
#define ROUNDS 4
#else
#define ROUNDS 10
#endif
#ifdef PAIRS
#define TOTALS (PAIRS - 4)
#elif defined(__SANITIZE_ADDRESS__)
#define PAIRS 50
#define TOTALS 5
#else
#define PAIRS 300
#define TOTALS 50
#endif

/* Width of the counters in tests of totals, so that sums of several intervals fit into 64 bits */
#define TOTAL_BITS 48

static struct facts facts;

/* The current platform, and its GPU in this round */
static struct {
	const struct facts_platform *facts;
	const struct gpuoa_platform *platform;
	struct gpuoa_constants *constants;
	struct rpn_constants values;
	const struct gpuoa_set **sets; /* sets of the library, in the order of facts->sets */
	const struct gpuoa_set *set; /* the set under test */
	int round;
} gpu;

/* Reports of one format, and the differences between them, which the evaluator uses */
static struct {
	const struct raw_format *format;
	uint64_t state;
	uint8_t *reports; /* PAIRS + 1 */
	uint64_t *differences; /* for each of the PAIRS pairs, the differences of all fields */
} input;

/*
 * All conditions. held[0]: whether the condition has been false; held[1]: whether it has been true
 */
static struct {
	const char *condition;
	bool held[2];
} conditions[256];

static size_t condition_count;

static bool note_condition(const char *condition, bool holds)
{
	size_t i = 0;

	while (i < condition_count && conditions[i].condition != condition)
		i++;
	if (i == condition_count) {
		if (i == sizeof(conditions) / sizeof(conditions[0])) {
			printf("Bail out! too many conditions\n");
			exit(1);
		}
		conditions[condition_count++].condition = condition;
	}
	conditions[i].held[holds] = true;
	return holds;
}

static bool holds(const char *condition)
{
	return !*condition || note_condition(condition, rpn_holds(condition, &gpu.values));
}

/* ---- words ---- */

struct word {
	const char *word;
	uint32_t bit;
};

static const struct word apis[] = {
	{ "IO", GPUOA_API_IO },	      { "BB", GPUOA_API_BB },
	{ "OGL", GPUOA_API_OGL },     { "OGL4", GPUOA_API_OGL4 },
	{ "OCL", GPUOA_API_OCL },     { "VK", GPUOA_API_VK },
	{ "MEDIA", GPUOA_API_MEDIA }, { 0 },
};

static const struct word usages[] = {
	{ "Overview", GPUOA_USAGE_OVERVIEW },	{ "Indicate", GPUOA_USAGE_INDICATE },
	{ "Correlate", GPUOA_USAGE_CORRELATE }, { "System", GPUOA_USAGE_SYSTEM },
	{ "Frame", GPUOA_USAGE_FRAME },		{ "Batch", GPUOA_USAGE_BATCH },
	{ "Draw", GPUOA_USAGE_DRAW },		{ "Tier1", GPUOA_USAGE_TIER_1 },
	{ "Tier2", GPUOA_USAGE_TIER_2 },	{ "Tier3", GPUOA_USAGE_TIER_3 },
	{ "Tier4", GPUOA_USAGE_TIER_4 },	{ 0 },
};

static const struct word semantics[] = {
	{ "duration", GPUOA_SEMANTIC_DURATION },
	{ "event", GPUOA_SEMANTIC_EVENT },
	{ "throughput", GPUOA_SEMANTIC_THROUGHPUT },
	{ "ratio", GPUOA_SEMANTIC_RATIO },
	{ 0 },
};

/* Returns -1 if unknown. */
static long find_word(const struct word *words, const char *text)
{
	for (; words->word; words++)
		if (!strcmp(words->word, text))
			return words->bit;
	return -1;
}

/* Return the bit mask of the words in a text, which are separated by spaces; "-" means none. */
static long find_words(const struct word *words, const char *text)
{
	char copy[256], *rest = copy, *word;
	long mask = 0;

	if (!strcmp(text, "-"))
		return 0;
	snprintf(copy, sizeof(copy), "%s", text);
	while ((word = strsep(&rest, " "))) {
		long bit = find_word(words, word);

		if (bit < 0)
			return -1;
		mask |= bit;
	}
	return mask;
}

/* ---- metadata ---- */

static bool is_claimed(const struct gpuoa_set *set)
{
	for (size_t i = 0; i < gpu.facts->set_count; i++)
		if (gpu.sets[i] == set)
			return true;
	return false;
}

/*
 * Find the library's set. Several sets can have the same symbol, because they are for other units
 * or have other conditions.
 */
static const struct gpuoa_set *find_set(const struct facts_set *set)
{
	for (size_t i = 0; i < gpuoa_platform_set_count(gpu.platform); i++) {
		const struct gpuoa_set *known = gpuoa_platform_get_set(gpu.platform, i);
		struct gpuoa_set_desc desc;

		gpuoa_set_describe(known, &desc, sizeof(desc));
		if (!strcmp(desc.symbol, set->symbol) && !strcmp(desc.domain, set->unit) &&
		    !is_claimed(known) && (set->uuid[0] == '-' || !strcmp(desc.uuid, set->uuid)))
			return known;
	}
	printf("# unit %s has no set %s with UUID %s\n", set->unit, set->symbol, set->uuid);
	return NULL;
}

static void find_sets(void)
{
	CHECK(gpuoa_platform_set_count(gpu.platform) == gpu.facts->set_count);
	for (size_t i = 0; i < gpu.facts->set_count; i++) {
		gpu.sets[i] = find_set(&gpu.facts->sets[i]);
		REQUIRE(gpu.sets[i]);
	}
}

static void check_watermarks(const struct facts_kind *kind, const struct gpuoa_metric_desc *desc)
{
	CHECK(desc->has_watermarks == (kind->low[0] != '-'));
	if (!desc->has_watermarks)
		return;
	CHECK(desc->low == strtod(kind->low, NULL));
	CHECK(desc->high == strtod(kind->high, NULL));
}

static uint32_t tier_of(uint32_t usage)
{
	for (uint32_t tier = 1; tier <= 4; tier++)
		if (usage & GPUOA_USAGE_TIER_1 << (tier - 1))
			return tier;
	return 0;
}

static void check_metric(const struct facts_metric *fact, const struct gpuoa_metric *metric)
{
	const struct facts_kind *kind = fact->kind;
	struct gpuoa_metric_desc desc;

	gpuoa_metric_describe(metric, &desc, sizeof(desc));
	CHECK_STRING(desc.symbol, fact->symbol);
	CHECK_STRING(desc.name, fact->name);
	CHECK_STRING(desc.group, kind->group);
	CHECK_STRING(desc.units, kind->units);
	CHECK_STRING(desc.hw_unit, kind->part);
	CHECK_STRING(desc.type == GPUOA_TYPE_FLOAT ? "float" : "uint64", kind->type);
	CHECK((long)desc.semantic == find_word(semantics, kind->semantic));
	CHECK((long)desc.usage == find_words(usages, kind->usage));
	CHECK(desc.tier == tier_of(desc.usage));
	CHECK((long)desc.apis == find_words(apis, kind->apis));
	CHECK(!*desc.max == !*fact->max);
	CHECK(!*desc.availability == !*fact->availability);
	CHECK(desc.query_only == !!strstr(fact->availability, "$QueryMode"));
	CHECK(*desc.description);
	check_watermarks(kind, &desc);
	if (!tap.good)
		printf("# ... of %s\n", fact->symbol);
}

/* All sets of all platforms, to compare their UUIDs */
static struct {
	const struct facts_set *facts;
	const char *uuid;
} sets[4096];

static size_t set_count;

static void note_set(const struct facts_set *fact, const char *uuid)
{
	REQUIRE(set_count < sizeof(sets) / sizeof(sets[0]));
	sets[set_count].facts = fact;
	sets[set_count++].uuid = uuid;
}

static bool same_registers(const struct facts_set *a, const struct facts_set *b)
{
	if (strcmp(a->format, b->format) || a->register_lists != b->register_lists)
		return false;
	for (size_t i = 0; i < a->register_lists; i++)
		if (strcmp(a->registers[i].list, b->registers[i].list) ||
		    a->registers[i].availability != b->registers[i].availability ||
		    a->registers[i].count != b->registers[i].count ||
		    a->registers[i].hash != b->registers[i].hash)
			return false;
	return true;
}

/* Equal UUIDs are compared on all platforms together, because recordings are decoded by UUID. */
static void equal_uuids_have_equal_registers(void)
{
	for (size_t i = 0; i < set_count; i++)
		for (size_t k = 0; k < i; k++)
			if (!strcmp(sets[i].uuid, sets[k].uuid) &&
			    !CHECK(same_registers(sets[i].facts, sets[k].facts)))
				printf("# %s and %s\n", sets[i].facts->symbol,
				       sets[k].facts->symbol);
}

/* Returns whether a UUID is a random one (version 4) according to RFC 9562. */
static bool uuid_is_valid(const char *text)
{
	for (size_t i = 0; i < 36; i++)
		if (i == 8 || i == 13 || i == 18 || i == 23 ?
			    text[i] != '-' :
			    !text[i] || !strchr("0123456789abcdef", text[i]))
			return false;
	return !text[36] && text[14] == '4' && strchr("89ab", text[19]);
}

static void check_set(const struct facts_set *fact, const struct gpuoa_set *set)
{
	struct gpuoa_set_desc desc;

	gpuoa_set_describe(set, &desc, sizeof(desc));
	note_set(fact, desc.uuid);
	CHECK(uuid_is_valid(desc.uuid));
	CHECK_STRING(desc.name, fact->name);
	CHECK_STRING(gpuoa_format_name(desc.format), fact->format);
	CHECK((long)desc.apis == find_words(apis, fact->apis));
	CHECK(!*desc.availability == !*fact->availability);
	CHECK(gpuoa_platform_find_uuid(gpu.platform, desc.uuid) == set);
	if (!CHECK(desc.metric_count == fact->metric_count))
		printf("# ... of %s\n", fact->symbol);
	for (size_t i = 0; i < fact->metric_count && tap.good; i++)
		check_metric(fact->metrics[i], gpuoa_set_get_metric(set, i));
	if (!tap.good)
		printf("# ... in %s\n", fact->symbol);
}

static void metadata(void)
{
	for (size_t i = 0; i < gpu.facts->set_count && tap.good; i++)
		check_set(&gpu.facts->sets[i], gpu.sets[i]);
}

/* ---- GPUs ---- */

static bool begins(const char *text, const char *with)
{
	return !strncmp(text, with, strlen(with));
}

static bool contains(const char *text, const char *what)
{
	return strstr(text, what);
}

/* Return a plausible value for the constant of this name. */
static uint64_t likely_value(const char *name, uint64_t random)
{
	static const uint64_t frequencies[] = { 12000000, 12500000, 19200000,
						24000000, 25000000, 38400000 };
	static const uint64_t threads[] = { 6, 7, 8, 10 };

	if (!strcmp(name, "GpuTimestampFrequency"))
		return frequencies[random % 6];
	if (contains(name, "Frequency"))
		return 200000000 + random % 2800 * 1000000;
	if (contains(name, "Mask"))
		return random >> random % 64;
	if (contains(name, "Threads"))
		return threads[random % 4];
	if (begins(name, "GtSlice") || begins(name, "GtXeCore"))
		return random & 1;
	return contains(name, "EuCores") ? 1 + random % 1024 : 1 + random % 64;
}

/*
 * Choose the value of a constant. The first GPU has all parts; on the second GPU, all numbers are
 * 0.
 */
static uint64_t choose_value(const char *name, uint64_t random)
{
	/*
	 * Use every third revision, to cover early steppings and the revisions that conditions use.
	 */
	if (!strcmp(name, "SkuRevisionId"))
		return gpu.round * 3 % 8;
	if (gpu.round == 1)
		return 0;
	if (gpu.round == 0 && contains(name, "Mask"))
		return UINT64_MAX;
	/*
	 * In every second round, the GPU has only one part of each kind, a different one each time.
	 */
	if (gpu.round % 2 && contains(name, "Mask"))
		return 1 << (gpu.round + 1) / 2;
	if (gpu.round == 0 && begins(name, "Gt") && !contains(name, "Count"))
		return 1;
	return likely_value(name, random);
}

static void choose_gpu(int round)
{
	uint64_t state = 0x9e3779b97f4a7c15ull + round;

	gpu.round = round;
	gpu.values.count = gpuoa_constants_count(gpu.constants);
	REQUIRE(gpu.values.count <= RPN_CONSTANTS_MAX);
	for (size_t i = 0; i < gpu.values.count; i++) {
		const char *name = gpuoa_constants_name(gpu.constants, i);

		gpu.values.names[i] = name;
		gpu.values.values[i] = choose_value(name, fixture_random(&state));
		CHECK(!gpuoa_constants_set(gpu.constants, name, gpu.values.values[i]));
	}
	/*
	 * Set all constants. Some names are aliases of one constant; the last value that is set
	 * applies.
	 */
	for (size_t i = 0; i < gpu.values.count; i++)
		CHECK(!gpuoa_constants_get(gpu.constants, gpu.values.names[i],
					   &gpu.values.values[i]));
}

/* ---- registers ---- */

/*
 * Return the kind of a register list. Registers that select events of the MERT unit are in the list
 * of boolean registers.
 */
static enum gpuoa_register_kind kind_of(const char *list)
{
	if (!strcmp(list, "noa"))
		return GPUOA_REGISTER_MUX;
	if (!strcmp(list, "flex"))
		return GPUOA_REGISTER_FLEX;
	return GPUOA_REGISTER_BOOLEAN;
}

/* Compare the registers of a kind: the concatenation of all lists with a true condition. */
static void check_registers(const struct facts_set *fact, const struct gpuoa_set *set,
			    enum gpuoa_register_kind kind)
{
	static struct gpuoa_reg regs[4096];
	size_t count =
		gpuoa_set_registers(set, kind, gpu.constants, regs, sizeof(regs) / sizeof(regs[0]));
	size_t taken = 0;

	for (size_t i = 0; i < fact->register_lists; i++) {
		const struct facts_registers *list = &fact->registers[i];
		uint64_t hash = FACTS_HASH;

		if (kind_of(list->list) != kind || !holds(list->availability))
			continue;
		REQUIRE(taken + list->count <= count);
		for (size_t end = taken + list->count; taken < end; taken++) {
			hash = facts_hash(hash, regs[taken].address);
			hash = facts_hash(hash, regs[taken].value);
		}
		CHECK(hash == list->hash);
	}
	CHECK(taken == count);
}

static void registers(void)
{
	for (int round = 0; round < ROUNDS; round++) {
		choose_gpu(round);
		for (size_t i = 0; i < gpu.facts->set_count && tap.good; i++) {
			const struct facts_set *set = &gpu.facts->sets[i];

			CHECK(gpuoa_set_available(gpu.sets[i], NULL, gpu.constants, NULL, 0) ==
			      holds(set->availability));
			check_registers(set, gpu.sets[i], GPUOA_REGISTER_MUX);
			check_registers(set, gpu.sets[i], GPUOA_REGISTER_BOOLEAN);
			check_registers(set, gpu.sets[i], GPUOA_REGISTER_FLEX);
			if (!tap.good)
				printf("# ... in %s\n", set->symbol);
		}
	}
}

/* ---- values ---- */

static uint8_t *report(size_t index)
{
	return input.reports + index * input.format->size;
}

/* Make reports. All sets of a platform that have the same format use them. */
static void make_reports(const char *format, unsigned int bits)
{
	input.format = raw_format(format);
	for (size_t i = 0; i < PAIRS; i++) {
		raw_next(input.format, &input.state, report(i), report(i + 1), bits);
		raw_differences(input.format, report(i), report(i + 1),
				input.differences + i * input.format->count);
	}
}

static bool same(const struct facts_metric *metric, const char *what, struct rpn_value expected,
		 union gpuoa_value value)
{
	union gpuoa_value wanted = { .u64 = 0 };

	if (metric->kind->type[0] == 'f')
		wanted.f32 = rpn_float(expected);
	else
		wanted.u64 = rpn_integer(expected);
	if (wanted.u64 == value.u64)
		return true;
	printf("# %s of %s: %#llx, but should be %#llx\n", what, metric->symbol,
	       (unsigned long long)value.u64, (unsigned long long)wanted.u64);
	return false;
}

static void check_values(const struct rpn_set *set, const char *what,
			 const union gpuoa_value *values)
{
	for (size_t i = 0; i < set->facts->metric_count; i++)
		CHECK(same(set->facts->metrics[i], what, set->values[i], values[i]));
}

/* Check that the vector code of each ISA of this processor calculates the same rows. */
static void check_vector_code(const char *name, const union gpuoa_value *values, size_t columns)
{
	const struct gpuoa_calc_options options = {
		.size = sizeof(options),
		.isa = name,
	};
	union gpuoa_value *same = calloc(PAIRS * columns, sizeof(*same));
	struct gpuoa_calc *calc;
	size_t used;
	int error =
		gpuoa_calc_open(gpu.set, gpu.constants, input.format->id, &options, &calc, NULL, 0);

	if (!error && CHECK(same)) {
		gpuoa_calc_run(calc, input.reports, PAIRS + 1, same, NULL, PAIRS, &used);
		if (!CHECK(!memcmp(same, values, PAIRS * columns * sizeof(*same))))
			printf("# ... with %s\n", name);
	}
	if (!error)
		gpuoa_calc_close(calc);
	else
		CHECK(error == -EOPNOTSUPP);
	free(same);
}

/* Choose every third metric, in reverse order. */
static size_t choose_metrics(const struct rpn_set *set, size_t *numbers,
			     const struct gpuoa_metric **metrics)
{
	size_t count = 0;

	for (size_t i = set->facts->metric_count; i--;) {
		if ((i + gpu.round) % 3)
			continue;
		numbers[count] = i;
		metrics[count++] = gpuoa_set_get_metric(gpu.set, i);
	}
	return count;
}

/*
 * Check that selected metrics, calculated alone and in columns, have the same values as in rows of
 * all metrics.
 */
static void check_selection(const struct rpn_set *set, const union gpuoa_value *values,
			    size_t columns)
{
	const struct gpuoa_metric *metrics[FACTS_METRICS_MAX];
	size_t numbers[FACTS_METRICS_MAX], used;
	static uint64_t room[FACTS_METRICS_MAX][PAIRS];
	void *chosen[FACTS_METRICS_MAX];
	struct gpuoa_calc_options options = {
		.size = sizeof(options),
		.metrics = metrics,
		.metric_count = choose_metrics(set, numbers, metrics),
		.no_infos = true,
	};
	struct gpuoa_calc *calc;

	for (size_t i = 0; i < options.metric_count; i++)
		chosen[i] = room[i];
	REQUIRE(!gpuoa_calc_open(gpu.set, gpu.constants, input.format->id, &options, &calc, NULL,
				 0));
	CHECK(gpuoa_calc_output_count(calc) == options.metric_count);
	CHECK(gpuoa_calc_run_outputs(calc, input.reports, PAIRS + 1, chosen, NULL, PAIRS, &used) ==
	      PAIRS);
	for (size_t i = 0; i < options.metric_count; i++) {
		bool real = gpuoa_calc_output_type(calc, i) == GPUOA_TYPE_FLOAT;

		for (size_t row = 0; row < PAIRS; row++) {
			union gpuoa_value value = values[row * columns + numbers[i]];

			CHECK(real ? ((float *)room[i])[row] == value.f32 :
				     room[i][row] == value.u64);
		}
	}
	gpuoa_calc_close(calc);
}

/* ---- maxima and validity of rows ---- */

#define EXTRA_ROUNDS 3
#define EXTRA_ROWS (PAIRS < 90 ? PAIRS : 90) /* number of rows: a full batch and a partial one */

static uint64_t valid_seen[2];

/* Calculate one operation as rows do, and note whether the result depends on a division by 0. */
static struct rpn_value noting_row(enum rpn_operation operation, struct rpn_value a,
				   struct rpn_value b)
{
	struct rpn_value result = rpn_row(operation, a, b);

	result.notes = a.notes | b.notes;
	if (operation == UDIV || operation == FDIV)
		result.notes |= rpn_number(b) == 0;
	return result;
}

/*
 * Evaluate all metrics. A metric that has a note is not valid; unavailable metrics are among these.
 */
static void evaluate_noting(struct rpn_set *set, const uint64_t *differences)
{
	for (size_t i = 0; i < set->facts->metric_count; i++) {
		if (set->available[i])
			rpn_evaluate_metric(set, i, &gpu.values, differences, noting_row);
		else
			set->values[i] = (struct rpn_value){ .notes = 1 };
	}
}

/* Check one row. @values: the values of all metrics, then their maxima, then their validity */
static void check_extra_row(struct rpn_set *set, size_t row, const union gpuoa_value *values)
{
	const uint64_t *differences = input.differences + row * input.format->count;
	const size_t count = set->facts->metric_count;

	evaluate_noting(set, differences);
	check_values(set, "row", values);
	for (size_t i = 0; i < count; i++) {
		const uint64_t valid = !set->values[i].notes;

		valid_seen[valid]++;
		if (!CHECK(values[2 * count + i].u64 == valid))
			printf("# %s is valid: %llu\n", set->facts->metrics[i]->symbol,
			       (unsigned long long)valid);
		if (set->available[i])
			CHECK(same(set->facts->metrics[i], "maximum of a row",
				   rpn_maximum(set, i, &gpu.values, differences, rpn_row),
				   values[count + i]));
	}
}

static void check_extras(struct rpn_set *set, const char *vector)
{
	const struct gpuoa_calc_options options = {
		.size = sizeof(options),
		.no_infos = true,
		.isa = vector,
		.maxima = true,
		.validity = true,
	};
	const size_t columns = 3 * set->facts->metric_count;
	union gpuoa_value *values = calloc(EXTRA_ROWS * columns, sizeof(*values));
	struct gpuoa_calc *calc;
	size_t used;

	REQUIRE(values);
	REQUIRE(!gpuoa_calc_open(gpu.set, gpu.constants, input.format->id, &options, &calc, NULL,
				 0));
	CHECK(gpuoa_calc_output_count(calc) == columns);
	CHECK(gpuoa_calc_run(calc, input.reports, EXTRA_ROWS + 1, values, NULL, EXTRA_ROWS,
			     &used) == (size_t)EXTRA_ROWS);
	for (size_t row = 0; row < (size_t)EXTRA_ROWS && tap.good; row++)
		check_extra_row(set, row, values + row * columns);
	gpuoa_calc_close(calc);
	free(values);
}

/* the sanitizer is slow, so with it only a part of the sets is checked */
#ifndef __SANITIZE_ADDRESS__
static void valid_and_invalid_values_occur(void)
{
	CHECK(valid_seen[0] > 1000 && valid_seen[1] > 1000);
}
#endif

/* ---- rows ---- */

static void check_rows(struct rpn_set *set, struct gpuoa_calc *calc)
{
	static const char *const names[] = { "avx512", "avx2", "sse2", "plain" };
	size_t columns = gpuoa_calc_output_count(calc), used;
	union gpuoa_value *values = calloc(PAIRS * columns, sizeof(*values));

	REQUIRE(values);
	CHECK(gpuoa_calc_run(calc, input.reports, PAIRS + 1, values, NULL, PAIRS, &used) == PAIRS);
	for (size_t row = 0; row < PAIRS && tap.good; row++) {
		rpn_evaluate(set, &gpu.values, input.differences + row * input.format->count,
			     rpn_row);
		check_values(set, "row", values + row * columns);
	}
	for (size_t i = 0; i < sizeof(names) / sizeof(names[0]); i++)
		check_vector_code(names[i], values, columns);
	check_selection(set, values, columns);
	free(values);
	if (gpu.round < EXTRA_ROUNDS)
		check_extras(set, gpu.round ? "plain" : NULL);
}

/* Check the total of @count reports. @first: index of the first one */
static void check_total(struct rpn_set *set, struct gpuoa_calc *calc, size_t first, size_t count)
{
	union gpuoa_value values[FACTS_METRICS_MAX + 16];
	uint64_t sums[RAW_FIELDS_MAX] = { 0 };
	size_t fields = input.format->count, used;

	gpuoa_calc_discontinuity(calc);
	for (size_t i = first; i < first + count; i++)
		gpuoa_calc_run(calc, report(i), 1, values, NULL, 1, &used);
	for (size_t i = first; i < first + count - 1; i++)
		for (size_t field = 0; field < fields; field++)
			sums[field] += input.differences[i * fields + field];
	rpn_evaluate(set, &gpu.values, sums, rpn_total);
	REQUIRE(!gpuoa_calc_total(calc, values, NULL, true));
	check_values(set, "total", values);
	REQUIRE(!gpuoa_calc_total_max(calc, values));
	for (size_t i = 0; i < set->facts->metric_count; i++)
		CHECK(same(set->facts->metrics[i], "maximum",
			   rpn_maximum(set, i, &gpu.values, sums, rpn_total), values[i]));
}

static void check_totals(struct rpn_set *set, struct gpuoa_calc *calc)
{
	REQUIRE(gpuoa_calc_output_count(calc) <= FACTS_METRICS_MAX + 16);
	for (size_t i = 0; i < TOTALS && tap.good; i++)
		check_total(set, calc, i, 2 + i % 4);
}

static void check_available(const struct rpn_set *set, const struct gpuoa_set *known)
{
	for (size_t i = 0; i < set->facts->metric_count; i++) {
		const char *condition = set->facts->metrics[i]->availability;

		if (*condition)
			note_condition(condition, set->available[i]);
		CHECK(gpuoa_metric_available(gpuoa_set_get_metric(known, i), gpu.constants, NULL,
					     0) == set->available[i]);
	}
}

/* Check which metrics are available. Then call @check to test their values. */
static void check_calc(const struct facts_set *fact, const struct gpuoa_set *known,
		       void (*check)(struct rpn_set *set, struct gpuoa_calc *calc))
{
	static struct rpn_set set;
	struct gpuoa_calc *calc;

	gpu.set = known;
	rpn_open(&set, fact, input.format, &gpu.values);
	rpn_choose(&set, &gpu.values);
	check_available(&set, known);
	if (CHECK(!gpuoa_calc_open(known, gpu.constants, input.format->id, NULL, &calc, NULL, 0))) {
		check(&set, calc);
		gpuoa_calc_close(calc);
	}
	rpn_close(&set);
	if (!tap.good)
		printf("# ... in %s, round %d\n", fact->symbol, gpu.round);
}

static void check_calcs(unsigned int bits,
			void (*check)(struct rpn_set *set, struct gpuoa_calc *calc))
{
	const char *format = "";

	for (int round = 0; round < ROUNDS && tap.good; round++) {
		choose_gpu(round);
		for (size_t i = 0; i < gpu.facts->set_count && tap.good; i++) {
			const struct facts_set *set = &gpu.facts->sets[i];

			if (strcmp(format, set->format))
				make_reports(set->format, bits);
			format = set->format;
			check_calc(set, gpu.sets[i], check);
		}
		format = "";
	}
}

static void rows(void)
{
	check_calcs(64, check_rows);
}

static void totals_and_maxima(void)
{
	check_calcs(TOTAL_BITS, check_totals);
}

/* Check that every constant was used by an equation. */
static void constants(void)
{
	for (size_t i = 0; i < gpu.values.count; i++)
		if (!CHECK(gpu.values.used[i] ||
			   !strcmp(gpu.values.names[i], "GpuTimestampFrequency")))
			printf("# nothing uses %s\n", gpu.values.names[i]);
}

/* ---- platforms ---- */

static void run(void (*test)(void), const char *name)
{
	char sentence[128];

	snprintf(sentence, sizeof(sentence), "%s: %s", gpu.facts->name, name);
	tap_run(test, sentence);
}

static void there_is_such_a_platform(void)
{
	gpu.platform = gpuoa_platform_find(gpu.facts->name);
	CHECK(gpu.platform);
}

static void check_platform(const struct facts_platform *platform)
{
	memset(&gpu, 0, sizeof(gpu));
	gpu.facts = platform;
	run(there_is_such_a_platform, "there is such a platform");
	if (!gpu.platform)
		return;
	gpu.sets = calloc(platform->set_count, sizeof(*gpu.sets));
	if (!gpu.sets || gpuoa_constants_new(gpu.platform, &gpu.constants)) {
		printf("Bail out! no memory\n");
		exit(1);
	}
	run(find_sets, "sets are known by symbol and UUID");
	if (tap.good) {
		run(metadata, "sets and metrics are what they should be");
		run(registers, "registers are written in this order");
		run(rows, "rows are the same to the last bit");
		run(totals_and_maxima, "totals and maxima are the same to the last bit");
		run(constants, "equations use all constants");
	}
	gpuoa_constants_free(gpu.constants);
	free(gpu.sets);
}

static void facts_have_all_platforms(void)
{
	for (size_t i = 0; i < gpuoa_platform_count(); i++) {
		const char *name = gpuoa_platform_name(gpuoa_platform_get(i));

		if (!CHECK(facts_find(&facts, name)))
			printf("# nothing is known of %s\n", name);
	}
}

#ifndef __SANITIZE_ADDRESS__
/*
 * Check that each condition was both true and false on some GPU. A condition on $QueryMode is
 * exempt: it never holds here, since the reports are those of a stream.
 */
static void every_condition_was_true_and_false(void)
{
	CHECK(condition_count);
	for (size_t i = 0; i < condition_count; i++)
		if (!strstr(conditions[i].condition, "$QueryMode") &&
		    !CHECK(conditions[i].held[0] && conditions[i].held[1]))
			printf("# always %d: %s\n", conditions[i].held[1], conditions[i].condition);
}
#endif

/* ---- reports ---- */

static void check_report(const struct raw_format *format, const uint8_t *report)
{
	uint64_t value;

	CHECK(gpuoa_report_timestamp(format->id, report) ==
	      raw_get(&format->fields[raw_find(format, 't', 0)], report));
	for (size_t i = 0; i < format->count; i++) {
		const struct raw_field *field = &format->fields[i];

		if (field->bank == 't' || field->bank == 'k')
			continue;
		CHECK(!gpuoa_report_counter(format->id, report, field->bank, field->index,
					    &value) &&
		      value == raw_get(field, report));
	}
}

static void formats_equal_those_of_reference(void)
{
	for (uint32_t id = 0; id < 64; id++) {
		input.format = raw_format_of_id(id);
		CHECK(!input.format == !gpuoa_format_name(id));
		if (!input.format)
			continue;
		CHECK(gpuoa_format_size(id) == input.format->size);
		CHECK_STRING(gpuoa_format_name(id), input.format->name);
		for (int k = 0; k < PAIRS && k < 100; k++) {
			raw_next(input.format, &input.state, report(k), report(k + 1), 64);
			check_report(input.format, report(k + 1));
		}
	}
}

int main(int argc, char **argv)
{
	facts_read(&facts);
	input.state = 1;
	input.reports = calloc(PAIRS + 1, RAW_SIZE_MAX);
	input.differences = calloc(PAIRS, RAW_FIELDS_MAX * sizeof(*input.differences));
	if (!input.reports || !input.differences) {
		printf("Bail out! no memory\n");
		return 1;
	}
	RUN(formats_equal_those_of_reference);
	/* The named platforms, or all */
	for (size_t i = 0; i < facts.platform_count; i++) {
		bool chosen = argc == 1;

		for (int arg = 1; arg < argc; arg++)
			chosen |= !strcmp(argv[arg], facts.platforms[i].name);
		if (chosen)
			check_platform(&facts.platforms[i]);
	}
	RUN(facts_have_all_platforms);
	RUN(equal_uuids_have_equal_registers);
#ifndef __SANITIZE_ADDRESS__
	RUN(valid_and_invalid_values_occur);
	if (argc == 1)
		RUN(every_condition_was_true_and_false);
#endif
	free(input.reports);
	free(input.differences);
	facts_free(&facts);
	return tap_end();
}
