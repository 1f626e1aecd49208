// SPDX-License-Identifier: MIT
/*
 * programmable_test.c - metrics of events that counters are programmed to count: what can be, how
 * options change registers and equations, and how instances share sets.
 */
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "gpuoa-programmable.h"
#include "tap.h"

static char error[256];

static struct gpuoa_custom *begin(const char *platform)
{
	struct gpuoa_custom *custom = NULL;

	CHECK(!gpuoa_custom_new(gpuoa_platform_find(platform), &custom));
	return custom;
}

static size_t find(const struct gpuoa_custom *custom, const char *symbol)
{
	const size_t count = gpuoa_custom_prototype_count(custom);
	struct gpuoa_prototype_desc desc;

	for (size_t i = 0; i < count; i++) {
		CHECK(!gpuoa_custom_describe_prototype(custom, i, &desc, sizeof(desc)));
		if (!strcmp(desc.symbol, symbol))
			return i;
	}
	return count;
}

static int add(struct gpuoa_custom *custom, const char *prototype,
	       const struct gpuoa_option_value *options, size_t count, uint64_t *id)
{
	const struct gpuoa_instance instance = {
		.size = sizeof(instance),
		.options = options,
		.option_count = count,
	};

	return gpuoa_custom_instantiate(custom, find(custom, prototype), &instance, id, error,
					sizeof(error));
}

/* An instance with one option. */
static uint64_t add_with(struct gpuoa_custom *custom, const char *prototype,
			 enum gpuoa_option option, uint64_t value)
{
	const struct gpuoa_option_value given = { option, value };
	uint64_t id = 0;

	if (!CHECK(!add(custom, prototype, &given, 1, &id)))
		printf("# %s: %s\n", prototype, error);
	return id;
}

static uint64_t add_plain(struct gpuoa_custom *custom, const char *prototype)
{
	uint64_t id = 0;

	CHECK(!add(custom, prototype, NULL, 0, &id));
	return id;
}

static const struct gpuoa_platform *build(struct gpuoa_custom *custom,
					  struct gpuoa_definitions **definitions)
{
	*definitions = NULL;
	if (CHECK(!gpuoa_custom_build(custom, definitions, error, sizeof(error))))
		return gpuoa_definitions_get_platform(*definitions, 0);
	printf("# %s\n", error);
	return NULL;
}

static const struct gpuoa_metric *placed(const struct gpuoa_custom *custom, uint64_t id,
					 const struct gpuoa_platform *platform)
{
	const char *symbol, *metric;
	const struct gpuoa_set *set;

	if (!CHECK(!gpuoa_custom_placed(custom, id, &symbol, &metric)) || !platform)
		return NULL;
	set = gpuoa_platform_find_set(platform, symbol, NULL, NULL);
	return CHECK(set) ? gpuoa_set_find_metric(set, metric) : NULL;
}

/* ---- prototypes ---- */

static void check_option(const struct gpuoa_custom *custom, size_t prototype, size_t option)
{
	struct gpuoa_option_desc desc;
	bool has_default = false;

	CHECK(!gpuoa_custom_describe_option(custom, prototype, option, &desc, sizeof(desc)));
	CHECK(desc.choice_count > 1 && *desc.symbol && *desc.description);
	for (size_t i = 0; i < desc.choice_count; i++)
		has_default |= desc.choices[i].value == desc.default_value;
	CHECK(has_default);
}

static void check_prototypes(const char *platform, size_t least)
{
	struct gpuoa_custom *custom = begin(platform);
	const size_t count = gpuoa_custom_prototype_count(custom);
	struct gpuoa_prototype_desc desc;
	struct gpuoa_option_desc option;

	if (!CHECK(least ? count >= least : !count))
		printf("# %s: %zu\n", platform, count);
	for (size_t i = 0; i < count; i++) {
		CHECK(!gpuoa_custom_describe_prototype(custom, i, &desc, sizeof(desc)));
		CHECK(find(custom, desc.symbol) == i);
		CHECK(*desc.name && *desc.description && *desc.units && *desc.group);
		for (size_t k = 0; k < desc.option_count; k++)
			check_option(custom, i, k);
		CHECK(gpuoa_custom_describe_option(custom, i, desc.option_count, &option,
						   sizeof(option)) == -ERANGE);
	}
	CHECK(gpuoa_custom_describe_prototype(custom, count, &desc, sizeof(desc)) == -ERANGE);
	CHECK(gpuoa_custom_describe_option(custom, count, 0, &option, sizeof(option)) == -ERANGE);
	gpuoa_custom_free(custom);
}

static void platforms_have_prototypes(void)
{
	check_prototypes("hsw", 0);
	check_prototypes("bdw", 7);
	check_prototypes("sklgt2", 9);
	check_prototypes("icl", 7);
	check_prototypes("tglgt2", 7);
	check_prototypes("mtlgt2", 19);
	check_prototypes("lnl", 50);
	check_prototypes("bmg", 50);
}

/* ---- options ---- */

static void check_refused(const char *prototype, const struct gpuoa_option_value *options,
			  size_t count, const char *expected)
{
	struct gpuoa_custom *custom = begin("sklgt2");
	uint64_t id = 77;

	CHECK(add(custom, prototype, options, count, &id) == -EINVAL);
	CHECK_STRING(error, expected);
	CHECK(id == 77);
	gpuoa_custom_free(custom);
}

static void wrong_options_are_refused(void)
{
	const struct gpuoa_option_value bad[][2] = {
		{ { GPUOA_OPTION_UTILIZATION, 1 }, { GPUOA_OPTION_RATE, 1 } },
		{ { GPUOA_OPTION_THREADS, 1 }, { GPUOA_OPTION_ROW, 1 } },
		{ { GPUOA_OPTION_EU, 1 }, { GPUOA_OPTION_INSTRUCTIONS, 1 } },
		{ { GPUOA_OPTION_THREADS, 1 }, { GPUOA_OPTION_THREADS, 2 } },
	};
	const struct gpuoa_option_value value = { GPUOA_OPTION_THREADS, 7 };
	const struct gpuoa_option_value byte = { GPUOA_OPTION_BYTE, 1 };
	const struct gpuoa_option_value none = { (enum gpuoa_option)99, 1 };

	check_refused("EuAnyActive", bad[0], 2,
		      "utilization and rate are normalizations: one is possible");
	check_refused("EuAnyActive", bad[1], 2,
		      "threads and row are one field of the event: one is possible");
	check_refused("EuAnyActive", bad[2], 2,
		      "eu and instructions are one field of the event: one is possible");
	check_refused("EuAnyActive", bad[3], 2, "option threads is here twice");
	check_refused("EuAnyActive", &value, 1, "option threads of EuAnyActive has no value 7");
	check_refused("EuAnyActive", &byte, 1, "EuAnyActive has no option byte");
	check_refused("EuAnyActive", &none, 1, "there is no option of number 99");
}

static void names_of_instances_can_be_given(void)
{
	const struct gpuoa_instance instance = {
		.size = sizeof(instance),
		.symbol = "Mine",
		.name = "My own",
		.description = "What I want.",
		.units = "beats",
	};
	struct gpuoa_instance wrong = instance;
	struct gpuoa_custom *custom = begin("sklgt2");
	struct gpuoa_definitions *definitions;
	const struct gpuoa_metric *metric;
	struct gpuoa_metric_desc desc;
	uint64_t id, other;

	CHECK(!gpuoa_custom_instantiate(custom, find(custom, "EuStalled"), &instance, &id, NULL,
					0));
	CHECK(!gpuoa_custom_instantiate(custom, find(custom, "EuSendActive"), &instance, &other,
					NULL, 0));
	wrong.symbol = "mine";
	CHECK(gpuoa_custom_instantiate(custom, 0, &wrong, &id, error, sizeof(error)) == -EINVAL);
	CHECK(gpuoa_custom_instantiate(custom, 1000, &instance, &id, error, sizeof(error)) ==
	      -ERANGE);
	CHECK(gpuoa_custom_pack(custom, NULL, error, sizeof(error)) == 1);
	metric = placed(custom, id, build(custom, &definitions));
	REQUIRE(metric);
	gpuoa_metric_describe(metric, &desc, sizeof(desc));
	CHECK_STRING(desc.symbol, "Mine");
	CHECK_STRING(desc.name, "My own");
	CHECK_STRING(desc.description, "What I want.");
	CHECK_STRING(desc.units, "beats");
	CHECK_STRING(desc.alias, "EuStalled");
	metric = placed(custom, other, gpuoa_definitions_get_platform(definitions, 0));
	REQUIRE(metric);
	gpuoa_metric_describe(metric, &desc, sizeof(desc));
	CHECK_STRING(desc.symbol, "Mine_2");
	gpuoa_definitions_free(definitions);
	gpuoa_custom_free(custom);
}

/* ---- equations and registers ---- */

static void check_equation(const char *platform, const char *prototype, enum gpuoa_option option,
			   uint64_t value, const char *equation, const char *units, const char *max)
{
	struct gpuoa_custom *custom = begin(platform);
	const uint64_t id = add_with(custom, prototype, option, value);
	struct gpuoa_definitions *definitions;
	const struct gpuoa_metric *metric;
	struct gpuoa_metric_desc desc;

	CHECK(!gpuoa_custom_place(custom, id, "Mine", error, sizeof(error)));
	metric = placed(custom, id, build(custom, &definitions));
	if (CHECK(metric)) {
		gpuoa_metric_describe(metric, &desc, sizeof(desc));
		CHECK_STRING(desc.equation, equation);
		CHECK_STRING(desc.units, units);
		CHECK_STRING(desc.max, max);
	}
	gpuoa_definitions_free(definitions);
	gpuoa_custom_free(custom);
}

static void normalizations_make_equations(void)
{
	check_equation("sklgt2", "EuAnyActive", GPUOA_OPTION_THREADS, 0, "A7", "cycles", "");
	check_equation("sklgt2", "EuAnyActive", GPUOA_OPTION_UTILIZATION, 1,
		       "A7 * 100 / (GpuCoreClocks * EuCoresTotalCount)", "percent", "100");
	check_equation("sklgt2", "EuAnyActive", GPUOA_OPTION_AVERAGE, 1, "A7 // EuCoresTotalCount",
		       "cycles", "");
	check_equation("sklgt2", "EuAnyActive", GPUOA_OPTION_RATE, 1, "A7 / GpuTime",
		       "cycles per ns", "");
	check_equation("sklgt2", "EuThreadsLoaded", GPUOA_OPTION_UTILIZATION, 1,
		       "A7 * 800 / (GpuCoreClocks * EuCoresTotalCount * EuThreadsCount)", "percent",
		       "100");
	check_equation("sklgt2", "EuThreadsLoaded", GPUOA_OPTION_EU, 2, "A7 * 8", "cycles", "");
	check_equation("sklgt2", "SlmReads", GPUOA_OPTION_BYTE, 1, "A30 * 64", "bytes", "");
	check_equation("sklgt2", "SlmWrites", GPUOA_OPTION_RATE, 1, "A31 * 64 / GpuTime", "gbps",
		       "");
	check_equation("tglgt2", "EuStalled", GPUOA_OPTION_UTILIZATION, 1,
		       "(A7 + A8 + A9 + A10) * 100 / (GpuCoreClocks * EuCoresTotalCount)",
		       "percent", "100");
	check_equation("mtlgt2", "EuXmxActive", GPUOA_OPTION_AVERAGE, 1, "A7 // EuCoresTotalCount",
		       "cycles", "");
}

/* One EU of four is a quarter of them all. */
static void parts_of_EUs_are_related_to_themselves(void)
{
	const struct gpuoa_option_value options[] = { { GPUOA_OPTION_EU, 4 },
						      { GPUOA_OPTION_AVERAGE, 1 } };
	struct gpuoa_custom *custom = begin("tglgt2");
	struct gpuoa_definitions *definitions;
	const struct gpuoa_metric *metric;
	struct gpuoa_metric_desc desc;
	struct gpuoa_reg regs[7];
	uint64_t id;

	CHECK(!add(custom, "EuStalled", options, 2, &id));
	CHECK(gpuoa_custom_pack(custom, NULL, error, sizeof(error)) == 1);
	metric = placed(custom, id, build(custom, &definitions));
	REQUIRE(metric);
	gpuoa_metric_describe(metric, &desc, sizeof(desc));
	CHECK_STRING(desc.equation, "A7 // (EuCoresTotalCount // 4)");
	CHECK(gpuoa_set_registers(desc.set, GPUOA_REGISTER_FLEX, NULL, regs, 7) == 7);
	CHECK(regs[0].address == 0xe458 && regs[0].value == 0xa05);
	gpuoa_definitions_free(definitions);
	gpuoa_custom_free(custom);
}

/* What the public set ComputeBasic programs for the same events. */
static void check_registers(const char *platform, const char *model, const char *const *prototypes,
			    size_t count, size_t registers)
{
	struct gpuoa_custom *custom = begin(platform);
	struct gpuoa_definitions *definitions;
	struct gpuoa_reg mine[8], public[8];
	const struct gpuoa_set *set;

	for (size_t i = 0; i < count; i++)
		add_plain(custom, prototypes[i]);
	CHECK(gpuoa_custom_pack(custom, NULL, error, sizeof(error)) == 1);
	set = gpuoa_platform_find_set(build(custom, &definitions), "Custom1", NULL, NULL);
	REQUIRE(set);
	CHECK(gpuoa_set_registers(set, GPUOA_REGISTER_FLEX, NULL, mine, 8) == 7);
	set = gpuoa_platform_find_set(gpuoa_platform_find(platform), model, NULL, NULL);
	REQUIRE(set);
	CHECK(gpuoa_set_registers(set, GPUOA_REGISTER_FLEX, NULL, public, 8) == 7);
	for (size_t i = 0; i < registers; i++) {
		bool same = false;

		for (size_t k = 0; k < 7; k++)
			same |= mine[i].address == public[k].address &&
				mine[i].value == public[k].value;
		CHECK(same);
	}
	gpuoa_definitions_free(definitions);
	gpuoa_custom_free(custom);
}

static void registers_are_those_of_public_sets(void)
{
	static const char *const gen12[] = { "EuAnyActive", "EuStalled", "EuThreadsLoaded" };
	static const char *const gen9[] = { "EuAnyActive", "EuStalled" };

	check_registers("tglgt2", "RenderBasic", gen12, 3, 6);
	check_registers("sklgt2", "RenderBasic", gen9, 2, 1);
}

/* ---- packing ---- */

#define STAGES 6

/* Seven events for each of six stages: 42 counters, three sets of fourteen. */
static void fill(struct gpuoa_custom *custom, uint64_t *ids)
{
	static const char *const events[] = {
		"EuFpu0Active", "EuFpu1Active", "EuSendActive",	   "EuBothFpusActive",
		"EuAnyActive",	"EuStalled",	"EuThreadsLoaded",
	};

	for (size_t i = 0; i < 7 * STAGES; i++)
		ids[i] = add_with(custom, events[i / STAGES], GPUOA_OPTION_THREADS, 1 + i % STAGES);
}

static void instances_share_sets(void)
{
	struct gpuoa_custom *custom = begin("sklgt2"), *again = begin("sklgt2");
	struct gpuoa_definitions *one, *two;
	const struct gpuoa_platform *platform;
	uint64_t ids[7 * STAGES], same[7 * STAGES];
	const char *set, *metric;

	fill(custom, ids);
	fill(again, same);
	CHECK(gpuoa_custom_placed(custom, ids[0], &set, &metric) == -ENODATA);
	CHECK(gpuoa_custom_pack(custom, NULL, error, sizeof(error)) == 3);
	CHECK(gpuoa_custom_pack(again, NULL, error, sizeof(error)) == 3);
	CHECK(gpuoa_custom_pack(custom, NULL, error, sizeof(error)) == 0);
	platform = build(custom, &one);
	build(again, &two);
	for (size_t i = 0; i < 7 * STAGES; i++) {
		const char *other_set, *other_metric;

		CHECK(placed(custom, ids[i], platform));
		CHECK(!gpuoa_custom_placed(custom, ids[i], &set, &metric));
		CHECK(!gpuoa_custom_placed(again, same[i], &other_set, &other_metric));
		CHECK_STRING(set, other_set);
		CHECK_STRING(metric, other_metric);
	}
	gpuoa_definitions_free(one);
	gpuoa_definitions_free(two);
	gpuoa_custom_free(custom);
	gpuoa_custom_free(again);
}

static void the_same_event_takes_one_counter(void)
{
	struct gpuoa_custom *custom = begin("sklgt2");
	uint64_t ids[7 * STAGES];

	fill(custom, ids);
	for (uint64_t i = 0; i < 20; i++)
		add_with(custom, "EuFpu0Active", GPUOA_OPTION_THREADS, 1);
	CHECK(gpuoa_custom_pack(custom, NULL, error, sizeof(error)) == 3);
	gpuoa_custom_free(custom);
}

static void a_full_set_says_so(void)
{
	const struct gpuoa_pack_options two = { .size = sizeof(two), .max_sets = 2 };
	struct gpuoa_custom *custom = begin("sklgt2");
	uint64_t ids[7 * STAGES];
	const char *set, *metric;

	fill(custom, ids);
	CHECK(gpuoa_custom_pack(custom, &two, error, sizeof(error)) == -ENOSPC);
	CHECK_STRING(error, "2 sets have too few counters for all instances");
	CHECK(gpuoa_custom_placed(custom, ids[0], &set, &metric) == -ENODATA);
	for (size_t i = 0; i < 14; i++)
		CHECK(!gpuoa_custom_place(custom, ids[i], "Mine", error, sizeof(error)));
	CHECK(gpuoa_custom_place(custom, ids[14], "Mine", error, sizeof(error)) == -ENOSPC);
	CHECK_STRING(error, "set Mine has no counters left for EuSendActive: its instances take 15 "
			    "counters with it");
	CHECK(!gpuoa_custom_placed(custom, ids[3], &set, &metric));
	CHECK(!gpuoa_custom_remove(custom, set, metric));
	CHECK(!gpuoa_custom_place(custom, ids[14], "Mine", error, sizeof(error)));
	CHECK(gpuoa_custom_pack(custom, NULL, error, sizeof(error)) == 2);
	gpuoa_custom_free(custom);
}

static void what_is_placed_stays_as_it_is(void)
{
	const struct gpuoa_option_value value = { GPUOA_OPTION_THREADS, 2 };
	const struct gpuoa_option_value rate = { GPUOA_OPTION_RATE, 1 };
	struct gpuoa_custom *custom = begin("sklgt2");
	const uint64_t first = add_plain(custom, "EuAnyActive");
	const uint64_t second = add_with(custom, "EuAnyActive", GPUOA_OPTION_UTILIZATION, 1);
	const char *set, *metric;

	CHECK(first != second);
	CHECK(!gpuoa_custom_set_option(custom, first, value, error, sizeof(error)));
	CHECK(gpuoa_custom_set_option(custom, second, rate, error, sizeof(error)) == -EINVAL);
	CHECK(!gpuoa_custom_place(custom, first, "Mine", error, sizeof(error)));
	CHECK(gpuoa_custom_place(custom, first, "Mine", error, sizeof(error)) == -EBUSY);
	CHECK(gpuoa_custom_set_option(custom, first, value, error, sizeof(error)) == -EBUSY);
	CHECK_STRING(error, "it is in set Mine: remove it there first");
	CHECK(gpuoa_custom_discard(custom, first) == -EBUSY);
	CHECK(gpuoa_custom_place(custom, second, "RenderBasic", error, sizeof(error)) == -EEXIST);
	CHECK_STRING(error, "set RenderBasic has registers of its own");
	CHECK(!gpuoa_custom_remove(custom, "Mine", NULL));
	CHECK(gpuoa_custom_placed(custom, first, &set, &metric) == -ENODATA);
	CHECK(!gpuoa_custom_discard(custom, first));
	CHECK(gpuoa_custom_discard(custom, first) == -ENOENT);
	CHECK(add_plain(custom, "EuAnyActive") != first);
	CHECK(!gpuoa_custom_place(custom, second, "Mine", error, sizeof(error)));
	gpuoa_custom_free(custom);
}

static void dense_counters_are_nowhere(void)
{
	struct gpuoa_pack_options options = { .size = sizeof(options),
					      .counters = GPUOA_COUNTERS_DENSE };
	struct gpuoa_custom *custom = begin("bmg");

	CHECK(gpuoa_custom_pack(custom, &options, error, sizeof(error)) == -EOPNOTSUPP);
	CHECK_STRING(error, "no hardware that is known has dense counters");
	options.counters = (enum gpuoa_counters)7;
	CHECK(gpuoa_custom_pack(custom, &options, error, sizeof(error)) == -EINVAL);
	gpuoa_custom_free(custom);
}

/* ---- Xe2 ---- */

/* The event that a set of the registers @regs has on a PEC counter. */
static uint64_t event_of(const struct gpuoa_set *set, size_t counter)
{
	const uint32_t address =
		(uint32_t)(counter < 32 ? 0x13000 + 8 * counter : 0x13300 + 8 * (counter - 32));
	static struct gpuoa_reg regs[1024];
	const int count = gpuoa_set_registers(set, GPUOA_REGISTER_BOOLEAN, NULL, regs, 1024);
	uint64_t event = UINT64_MAX;

	CHECK(count > 0 && count <= 1024);
	for (int i = 0; i < count; i++)
		if (regs[i].address == address)
			event = regs[i].value;
	return event;
}

static bool has_pec(const struct gpuoa_set *set)
{
	struct gpuoa_set_desc desc;

	gpuoa_set_describe(set, &desc, sizeof(desc));
	return desc.format == GPUOA_REPORT_PEC64U64;
}

static size_t counter_of(const struct gpuoa_metric *metric)
{
	struct gpuoa_equation equation = gpuoa_metric_equation(metric, GPUOA_EQUATION_VALUE);
	struct gpuoa_equation_element element;

	while (gpuoa_equation_next(&equation, &element, sizeof(element)))
		if (element.kind == GPUOA_ELEMENT_COUNTER)
			return element.index;
	return SIZE_MAX;
}

/* Some public set has this event on this counter, and one has a metric of that symbol with it. */
static bool is_public(const struct gpuoa_platform *platform, const char *symbol, size_t counter,
		      uint64_t event)
{
	bool on_counter = false, meant = false;
	const size_t count = gpuoa_platform_set_count(platform);

	for (size_t i = 0; i < count; i++) {
		const struct gpuoa_set *set = gpuoa_platform_get_set(platform, i);
		const struct gpuoa_metric *metric = gpuoa_set_find_metric(set, symbol);

		if (!has_pec(set))
			continue;
		on_counter |= event_of(set, counter) == event;
		meant |= metric && event_of(set, counter_of(metric)) == event;
	}
	return on_counter && meant;
}

static void check_pec(const char *name)
{
	const struct gpuoa_platform *public = gpuoa_platform_find(name), *platform;
	struct gpuoa_custom *custom = begin(name);
	const size_t count = gpuoa_custom_prototype_count(custom);
	struct gpuoa_definitions *definitions;
	uint64_t *ids = calloc(count, sizeof(*ids));
	const struct gpuoa_instance plain = { .size = sizeof(plain) };
	struct gpuoa_prototype_desc desc;
	int sets;

	REQUIRE(ids);
	for (size_t i = 0; i < count; i++)
		CHECK(!gpuoa_custom_instantiate(custom, i, &plain, &ids[i], NULL, 0));
	sets = gpuoa_custom_pack(custom, NULL, error, sizeof(error));
	printf("# %s: %zu events in %d sets\n", name, count, sets);
	CHECK(sets > 1 && (size_t)sets <= count / 16);
	platform = build(custom, &definitions);
	for (size_t i = 0; i < count && platform; i++) {
		const struct gpuoa_metric *metric = placed(custom, ids[i], platform);
		struct gpuoa_metric_desc placed_desc;
		size_t counter;

		if (!CHECK(metric))
			continue;
		CHECK(!gpuoa_custom_describe_prototype(custom, i, &desc, sizeof(desc)));
		gpuoa_metric_describe(metric, &placed_desc, sizeof(placed_desc));
		counter = counter_of(metric);
		if (!CHECK(is_public(public, desc.symbol, counter,
				     event_of(placed_desc.set, counter))))
			printf("# %s on PEC%zu\n", desc.symbol, counter);
	}
	free(ids);
	gpuoa_definitions_free(definitions);
	gpuoa_custom_free(custom);
}

static void events_of_Xe2_are_where_public_sets_have_them(void)
{
	check_pec("lnl");
	check_pec("bmg");
}

static void programmed_sets_can_be_saved(void)
{
	struct gpuoa_custom *custom = begin("tglgt2");
	struct gpuoa_definitions *definitions, *loaded = NULL;
	const struct gpuoa_platform *platform;
	char *text, *again;
	size_t length;

	add_with(custom, "EuAnyActive", GPUOA_OPTION_UTILIZATION, 1);
	add_with(custom, "EuStalled", GPUOA_OPTION_THREADS, 5);
	CHECK(gpuoa_custom_pack(custom, NULL, error, sizeof(error)) == 1);
	platform = build(custom, &definitions);
	REQUIRE(platform);
	length = gpuoa_platform_text(platform, NULL, 0);
	text = malloc(length + 1);
	again = malloc(length + 1);
	REQUIRE(text && again);
	gpuoa_platform_text(platform, text, length + 1);
	CHECK(!gpuoa_definitions_parse("saved", text, length, &loaded, error, sizeof(error)));
	REQUIRE(loaded);
	CHECK(gpuoa_platform_text(gpuoa_definitions_get_platform(loaded, 0), again, length + 1) ==
	      length);
	CHECK_STRING(text, again);
	free(text);
	free(again);
	gpuoa_definitions_free(loaded);
	gpuoa_definitions_free(definitions);
	gpuoa_custom_free(custom);
}

int main(void)
{
	RUN(platforms_have_prototypes);
	RUN(wrong_options_are_refused);
	RUN(names_of_instances_can_be_given);
	RUN(normalizations_make_equations);
	RUN(parts_of_EUs_are_related_to_themselves);
	RUN(registers_are_those_of_public_sets);
	RUN(instances_share_sets);
	RUN(the_same_event_takes_one_counter);
	RUN(a_full_set_says_so);
	RUN(what_is_placed_stays_as_it_is);
	RUN(dense_counters_are_nowhere);
	RUN(events_of_Xe2_are_where_public_sets_have_them);
	RUN(programmed_sets_can_be_saved);
	return tap_end();
}
