// SPDX-License-Identifier: MIT
/*
 * table_test.c - Check that the compiled definitions are self-contained and position-independent.
 */
#include <stdlib.h>

#include "table/code.h"
#include "fixture.h"
#include "report/format.h"
#include "table/table.h"
#include "table/words.h"
#include "tap.h"

/* The block being checked */
static const char *begin, *end;

static bool inside(const void *record, size_t size)
{
	const char *first = record;

	return first >= begin && first <= end && size <= (size_t)(end - first);
}

static const void *linked(const struct table_link *link, size_t size)
{
	const void *record = table_follow(link);

	CHECK(inside(link, sizeof(*link)));
	if (!CHECK(record && inside(record, size)))
		return NULL;
	return record;
}

static void check_string(const struct table_link *link, bool may_be_empty)
{
	const char *string = table_string(link);

	CHECK(may_be_empty || *string);
	if (*string)
		CHECK(inside(string, 1) && memchr(string, '\0', end - string) != NULL);
}

/* Check compiled code: all operands exist, the stack never underflows, and one value remains. */
static void check_code(const struct table_link *link, uint32_t constants, uint32_t metrics)
{
	const uint32_t *code = table_follow(link), *word, *last;
	uint32_t depth = 0, deepest = 0;

	if (!code)
		return;
	REQUIRE(inside(code, sizeof(*code)));
	REQUIRE(inside(code, (1 + code_length(code)) * sizeof(*code)));
	word = code + 1;
	last = word + code_length(code);
	for (; word < last; word += code_words(code_op(*word))) {
		enum code_op op = code_op(*word);
		uint32_t argument = code_argument(*word);

		CHECK(op <= CODE_TO_REAL_BELOW);
		if (op == CODE_CONSTANT)
			CHECK(argument < constants);
		if (op == CODE_METRIC || op == CODE_METRIC_REAL)
			CHECK(argument < metrics);
		if (op == CODE_COUNTER)
			CHECK(argument < COUNTER_COUNT);
		if (op < CODE_ADD)
			depth++;
		else if (op < CODE_TO_REAL)
			CHECK(depth-- >= 2);
		else
			CHECK(depth >= (op == CODE_TO_REAL ? 1 : 2));
		deepest = depth > deepest ? depth : deepest;
	}
	CHECK(word == last);
	CHECK(depth == 1);
	CHECK(deepest == (code[0] >> 16 & 0xff));
	CHECK(deepest <= CODE_DEPTH_MAX);
}

/*
 * Check the index of an array of @count elements. @names: number of elements that have their own
 * name
 */
static void check_index(const struct table_link *link, uint32_t count, uint32_t names)
{
	const struct table_index *index = linked(link, sizeof(*index));
	uint32_t used = 0;

	REQUIRE(index);
	REQUIRE(inside(index, sizeof(*index) + (index->mask + 1) * sizeof(uint16_t)));
	CHECK(!(index->mask & (index->mask + 1)));
	for (uint32_t i = 0; i <= index->mask; i++) {
		CHECK(index->slots[i] <= count);
		used += index->slots[i] != 0;
	}
	CHECK(used == names);
	CHECK(2 * count < index->mask + 1);
}

static void check_metric(const struct gpuoa_platform *platform, const struct gpuoa_set *set,
			 uint32_t number)
{
	const struct gpuoa_metric *metric = &set_metrics(set)[number];
	const struct table_metric *definition = linked(&metric->definition, sizeof(*definition));

	REQUIRE(definition);
	CHECK(table_follow(&metric->set) == set);
	check_string(&definition->symbol, false);
	check_string(&definition->name, false);
	check_string(&definition->description, false);
	check_string(&definition->units, false);
	check_string(&definition->hw_unit, false);
	check_string(&definition->equation, false);
	check_string(&definition->group, true);
	check_string(&definition->max, true);
	check_string(&definition->availability, true);
	CHECK(table_follow(&metric->equation) != NULL);
	check_code(&metric->equation, platform->constant_count, number);
	check_code(&metric->max, platform->constant_count, set->metric_count);
	check_code(&metric->availability, platform->constant_count, 0);
}

static void check_set(const struct gpuoa_platform *platform, const struct gpuoa_set *set)
{
	const struct table_registers *lists;

	CHECK(table_follow(&set->platform) == platform);
	check_string(&set->symbol, false);
	check_string(&set->name, false);
	check_string(&set->uuid, false);
	CHECK(strlen(table_string(&set->uuid)) == 36);
	check_string(&set->unit, false);
	check_string(&set->availability_text, true);
	check_code(&set->availability, platform->constant_count, 0);
	REQUIRE(linked(&set->metrics, set->metric_count * sizeof(struct gpuoa_metric)));
	for (uint32_t i = 0; i < set->metric_count; i++)
		check_metric(platform, set, i);
	check_index(&set->metric_symbols, set->metric_count, set->metric_count);
	for (uint32_t i = 0; i < set->info_count; i++)
		check_code(&set_infos(set)[i].equation, platform->constant_count, 0);
	lists = linked(&set->register_lists, set->register_list_count * sizeof(*lists));
	REQUIRE(lists);
	for (uint32_t i = 0; i < set->register_list_count; i++) {
		CHECK(lists[i].kind <= GPUOA_REGISTER_FLEX);
		CHECK(linked(&lists[i].registers, lists[i].count * sizeof(struct gpuoa_reg)));
		check_code(&lists[i].condition, platform->constant_count, 0);
	}
}

/*
 * Count the symbols of sets. Several sets can have the same symbol; they form a chain, which starts
 * at the first set.
 */
static uint32_t count_symbols(const struct gpuoa_platform *platform)
{
	const struct gpuoa_set *sets = table_follow(&platform->sets);
	uint32_t count = platform->set_count;

	for (uint32_t i = 0; i < platform->set_count; i++) {
		const struct gpuoa_set *other = table_follow(&sets[i].same_symbol);

		if (!other)
			continue;
		CHECK(other >= sets && other < sets + platform->set_count);
		CHECK_STRING(table_string(&other->symbol), table_string(&sets[i].symbol));
		count--;
	}
	return count;
}

static void check_root(const struct table_root *root)
{
	const struct gpuoa_platform *platforms;

	begin = (const char *)root;
	end = begin + root->size;
	platforms = linked(&root->platforms, root->platform_count * sizeof(*platforms));
	REQUIRE(platforms);
	for (uint32_t p = 0; p < root->platform_count; p++) {
		const struct gpuoa_set *sets =
			linked(&platforms[p].sets, platforms[p].set_count * sizeof(*sets));

		REQUIRE(sets);
		check_string(&platforms[p].name, false);
		check_string(&platforms[p].title, false);
		check_index(&platforms[p].set_symbols, platforms[p].set_count,
			    count_symbols(&platforms[p]));
		check_index(&platforms[p].set_uuids, platforms[p].set_count,
			    platforms[p].set_count);
		check_index(&platforms[p].constant_names, platforms[p].constant_count,
			    platforms[p].constant_count);
		for (uint32_t i = 0; i < platforms[p].set_count; i++)
			check_set(&platforms[p], &sets[i]);
	}
}

static void all_links_are_inside_table(void)
{
	check_root(table_builtin());
}

static void copied_table_works(void)
{
	const struct table_root *builtin = table_builtin();
	struct table_root *copy = malloc(builtin->size);
	const struct gpuoa_set *set;

	REQUIRE(copy);
	memcpy(copy, builtin, builtin->size);
	check_root(copy);
	set = gpuoa_platform_find_set(table_follow(&copy->platforms), "RenderBasic", NULL, NULL);
	CHECK(set && inside(set, sizeof(*set)));
	CHECK(set && gpuoa_set_find_metric(set, "GpuTime"));
	free(copy);
}

static void compiler_output_is_reproducible(void)
{
	static const char text[] = "platform t \"T\"\n"
				   "metric M \"M\" \"D\" = A0 / 3.5 uint64 x event\n"
				   "set S \"S\" { uuid \"00000000-0000-4000-8000-000000000001\"\n"
				   "format A13 mux { 1=2 } metrics { M } }";
	struct fixture one, two;

	REQUIRE(!fixture_compile(&one, text) && !fixture_compile(&two, text));
	CHECK(one.blob.size == two.blob.size);
	CHECK(!memcmp(one.blob.data, two.blob.data, one.blob.size));
	check_root((const void *)one.blob.data);
	fixture_free(&one);
	fixture_free(&two);
}

static void shared_metrics_are_stored_once(void)
{
	const struct gpuoa_platform *platform = gpuoa_platform_find("hsw");
	const struct gpuoa_metric *one = gpuoa_set_find_metric(
		gpuoa_platform_find_set(platform, "RenderBasic", NULL, NULL), "EuActive");
	const struct gpuoa_metric *two = gpuoa_set_find_metric(
		gpuoa_platform_find_set(platform, "MemoryReads", NULL, NULL), "EuActive");

	REQUIRE(one && two);
	CHECK(one != two);
	CHECK(metric_definition(one) == metric_definition(two));
}

/*
 * Convert each value to a word and back, until there is no word for a value. With @bits, convert
 * single bits. Returns the number of words.
 */
static size_t words_there_and_back(enum word_kind kind, bool bits)
{
	size_t count = 0;
	const char *word;
	uint32_t value;

	while ((word = word_of(kind, bits ? 1u << count : (uint32_t)count))) {
		CHECK(word_find(kind, word, strlen(word), &value));
		CHECK(value == (bits ? 1u << count : count));
		count++;
	}
	return count;
}

static void every_enum_value_has_a_word(void)
{
	uint32_t value = 77;

	CHECK(words_there_and_back(WORD_API, true) == 7);
	CHECK(words_there_and_back(WORD_USAGE, true) == 12);
	CHECK(words_there_and_back(WORD_SEMANTIC, false) == GPUOA_SEMANTIC_RAW + 1);
	CHECK(words_there_and_back(WORD_TYPE, false) == 2);
	CHECK(words_there_and_back(WORD_REGISTERS, false) == GPUOA_REGISTER_FLEX + 1);
	CHECK(words_there_and_back(WORD_CATEGORY, false) == GPUOA_CATEGORY_MEDIA + 1);
	CHECK(words_there_and_back(WORD_SAMPLING, true) == 5);
	CHECK(words_there_and_back(WORD_QUANTITY, false) == GPUOA_QUANTITY_BANDWIDTH + 1);
	CHECK(words_there_and_back(WORD_CONSTANT, false) == GPUOA_CONSTANT_FLAG + 1);
	CHECK(words_there_and_back(WORD_ORIGIN, false) == GPUOA_PROVENANCE_ASSUMED + 1);
	CHECK(words_there_and_back(WORD_MARK, false) == GPUOA_WATERMARK_HIGH + 1);
	CHECK(words_there_and_back(WORD_INFO, false) == GPUOA_INFO_CONTEXT_ID + 1);
	CHECK(words_there_and_back(WORD_ELEMENT, false) == GPUOA_ELEMENT_OPERATOR + 1);
	CHECK(words_there_and_back(WORD_OPERATION, false) == GPUOA_OPERATION_OR + 1);
	CHECK(words_there_and_back(WORD_FIELD, false) == GPUOA_FIELD_COUNTER_PEC + 1);
	CHECK(words_there_and_back(WORD_REASON, true) == 7);
	CHECK(words_there_and_back(WORD_DELIVERY, false) == GPUOA_DELIVERY_PREFER_AUX + 1);
	CHECK(words_there_and_back(WORD_ENGINE, false) == GPUOA_ENGINE_COMPUTE + 1);
	CHECK(words_there_and_back(WORD_QUERY_MODE, false) == GPUOA_QUERY_GLOBAL + 1);
	CHECK(!word_find(WORD_API, "OGL", 3, &value) && value == 77);
	CHECK(!word_find(WORD_API, "og", 2, &value) && !word_find(WORD_TYPE, "ogl", 3, &value));
	CHECK(word_find_any_case(WORD_API, "OgL4", 4, &value) && value == GPUOA_API_OGL4);
	CHECK(!word_find_any_case(WORD_API, "a word of more letters", 22, &value));
}

int main(void)
{
	RUN(all_links_are_inside_table);
	RUN(copied_table_works);
	RUN(compiler_output_is_reproducible);
	RUN(shared_metrics_are_stored_once);
	RUN(every_enum_value_has_a_word);
	return tap_end();
}
