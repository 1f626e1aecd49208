// SPDX-License-Identifier: MIT
/*
 * programmable_test.c - Test metrics of programmable events: the available event descriptors, the
 * effect of options on registers and equations, and how instances share sets.
 */
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "extra/custom/match.h"
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
	const size_t count = gpuoa_custom_event_count(custom);
	struct gpuoa_event_desc desc;

	for (size_t i = 0; i < count; i++) {
		CHECK(!gpuoa_custom_describe_event(custom, i, &desc, sizeof(desc)));
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

/* Add an instance of an event, with one option. */
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

	if (!CHECK(!gpuoa_custom_get_assignment(custom, id, &symbol, &metric)) || !platform)
		return NULL;
	set = gpuoa_platform_find_set(platform, symbol, NULL, NULL);
	return CHECK(set) ? gpuoa_set_find_metric(set, metric) : NULL;
}

/* ---- event descriptors ---- */

static void check_option(const struct gpuoa_custom *custom, size_t prototype, size_t option)
{
	struct gpuoa_option_desc desc;
	bool has_default = false;

	CHECK(!gpuoa_custom_describe_option(custom, prototype, option, &desc, sizeof(desc)));
	CHECK(desc.choice_count > 1 && *desc.symbol && *desc.description);
	for (size_t i = 0; i < desc.choice_count; i++) {
		CHECK(*desc.choices[i].symbol && *desc.choices[i].description);
		CHECK(!i || desc.choices[i].value > desc.choices[i - 1].value);
	}
	for (size_t i = 0; i < desc.choice_count; i++)
		has_default |= desc.choices[i].value == desc.default_value;
	CHECK(has_default);
}

static void check_prototypes(const char *platform, size_t least)
{
	struct gpuoa_custom *custom = begin(platform);
	const size_t count = gpuoa_custom_event_count(custom);
	struct gpuoa_event_desc desc;
	struct gpuoa_option_desc option;

	if (!CHECK(least ? count >= least : !count))
		printf("# %s: %zu\n", platform, count);
	for (size_t i = 0; i < count; i++) {
		CHECK(!gpuoa_custom_describe_event(custom, i, &desc, sizeof(desc)));
		CHECK(find(custom, desc.symbol) == i);
		CHECK(*desc.name && *desc.description && *desc.units && *desc.group);
		for (size_t k = 0; k < desc.option_count; k++)
			check_option(custom, i, k);
		CHECK(gpuoa_custom_describe_option(custom, i, desc.option_count, &option,
						   sizeof(option)) == -ERANGE);
	}
	CHECK(gpuoa_custom_describe_event(custom, count, &desc, sizeof(desc)) == -ERANGE);
	CHECK(gpuoa_custom_describe_option(custom, count, 0, &option, sizeof(option)) == -ERANGE);
	gpuoa_custom_free(custom);
}

/* Platforms with equal report formats have different events: an unknown platform has none. */
static void unknown_platform_has_no_pec_events(void)
{
	const struct gpuoa_platform *known = gpuoa_platform_find("lnl");
	const size_t size = gpuoa_platform_text(known, NULL, 0) + 1;
	struct gpuoa_definitions *definitions = NULL;
	struct gpuoa_custom *custom;
	char *text = malloc(size), *name;

	REQUIRE(text);
	gpuoa_platform_text(known, text, size);
	name = strstr(text, "platform lnl ");
	REQUIRE(name);
	memcpy(name, "platform new ", strlen("platform new "));
	REQUIRE(!gpuoa_definitions_parse("new", text, size - 1, &definitions, error,
					 sizeof(error)));
	REQUIRE(!gpuoa_custom_new(gpuoa_definitions_get_platform(definitions, 0), &custom));
	CHECK(!gpuoa_custom_event_count(custom));
	gpuoa_custom_free(custom);
	gpuoa_definitions_free(definitions);
	free(text);
}

static void platforms_have_event_descriptors(void)
{
	check_prototypes("hsw", 0);
	check_prototypes("bdw", 7);
	check_prototypes("sklgt2", 9);
	check_prototypes("icl", 7);
	check_prototypes("tglgt2", 7);
	check_prototypes("mtlgt2", 19);
}

/*
 * Number of event descriptors and options that the Metrics Discovery API has for the usual GPU of a
 * platform
 */
struct offered {
	const char *platform;
	size_t prototypes;
	size_t options;
	size_t parts; /* values of the disaggregation option */
	size_t disaggregation, utilization, average, rate, byte;
};

static void check_offered(const struct offered *offered)
{
	struct gpuoa_custom *custom = begin(offered->platform);
	size_t counts[GPUOA_OPTION_BYTE + 1] = { 0 }, options = 0, parts = 0;
	struct gpuoa_event_desc desc;
	struct gpuoa_option_desc option;

	check_prototypes(offered->platform, offered->prototypes);
	CHECK(gpuoa_custom_event_count(custom) == offered->prototypes);
	for (size_t i = 0; i < offered->prototypes; i++) {
		CHECK(!gpuoa_custom_describe_event(custom, i, &desc, sizeof(desc)));
		CHECK(desc.reports & 1u << GPUOA_QUERY_NONE);
		options += desc.option_count;
		for (size_t k = 0; k < desc.option_count; k++) {
			CHECK(!gpuoa_custom_describe_option(custom, i, k, &option, sizeof(option)));
			counts[option.option]++;
			if (option.option == GPUOA_OPTION_DISAGGREGATION)
				parts += option.choice_count - 1;
		}
	}
	if (!CHECK(options == offered->options && parts == offered->parts))
		printf("# %s: %zu options, %zu parts\n", offered->platform, options, parts);
	CHECK(counts[GPUOA_OPTION_DISAGGREGATION] == offered->disaggregation);
	CHECK(counts[GPUOA_OPTION_UTILIZATION] == offered->utilization);
	CHECK(counts[GPUOA_OPTION_AVERAGE] == offered->average);
	CHECK(counts[GPUOA_OPTION_RATE] == offered->rate);
	CHECK(counts[GPUOA_OPTION_BYTE] == offered->byte);
	gpuoa_custom_free(custom);
}

static void xe2_has_all_events_and_options(void)
{
	static const struct offered offered[] = {
		{ "bmg", 282, 617, 3958, 213, 121, 267, 6, 10 },
		{ "lnl", 278, 613, 1600, 213, 121, 267, 6, 6 },
		{ "ptl", 281, 619, 2528, 216, 121, 270, 6, 6 },
		{ "nvl", 281, 619, 914, 216, 121, 270, 6, 6 },
		{ "nvlp", 315, 689, 2968, 251, 129, 295, 8, 6 },
		{ "cri", 124, 272, 3404, 109, 40, 112, 6, 5 },
	};

	for (size_t i = 0; i < sizeof(offered) / sizeof(offered[0]); i++)
		check_offered(&offered[i]);
}

/* ---- platforms of definitions ---- */

#define METRIC(symbol, equation) "metric " symbol " \"N\" \"D\" = " equation " uint64 \"u\" event\n"
#define BASICS METRIC("GpuTime", "TIMESTAMP") METRIC("GpuCoreClocks", "CLOCK")
#define SET(symbol, number, more, metrics, registers)                                         \
	"set " symbol " \"N\" { uuid \"00000000-0000-4000-8000-00000000000" number "\" " more \
	" metrics { " metrics " } " registers " }\n"
#define GEN8 "format A32u40_A4u32_B8_C8 unit OA "
#define EU_CONSTANTS "constant EuCoresTotalCount \"D\"\nconstant EuThreadsCount \"D\"\n"

/* Begin with an own platform that has these constants and sets. */
static struct gpuoa_custom *begin_with(const char *constants, const char *sets,
				       struct gpuoa_definitions **definitions)
{
	struct gpuoa_custom *custom = NULL;
	char text[4096];
	const int length = snprintf(text, sizeof(text), "language 1\nplatform new \"N\"\n%s%s",
				    constants, sets);

	*definitions = NULL;
	if (CHECK(!gpuoa_definitions_parse("new", text, (size_t)length, definitions, error,
					   sizeof(error))))
		CHECK(!gpuoa_custom_new(gpuoa_definitions_get_platform(*definitions, 0), &custom));
	else
		printf("# %s\n", error);
	return custom;
}

/* Write all events with their options: "EuStalled(rate) SlmReads(rate byte)". */
static void list_events(const struct gpuoa_custom *custom, char *text, size_t size)
{
	struct gpuoa_event_desc desc;
	struct gpuoa_option_desc option;
	int length = 0;

	*text = '\0';
	for (size_t i = 0; !gpuoa_custom_describe_event(custom, i, &desc, sizeof(desc)); i++) {
		length +=
			snprintf(text + length, size - length, "%s%s(", i ? " " : "", desc.symbol);
		for (size_t k = 0; k < desc.option_count; k++) {
			CHECK(!gpuoa_custom_describe_option(custom, i, k, &option, sizeof(option)));
			length += snprintf(text + length, size - length, "%s%s", k ? " " : "",
					   option.symbol);
		}
		length += snprintf(text + length, size - length, ")");
	}
}

static void check_events_of(const char *constants, const char *sets, const char *expected)
{
	struct gpuoa_definitions *definitions;
	struct gpuoa_custom *custom = begin_with(constants, sets, &definitions);
	char text[1024];

	REQUIRE(custom);
	list_events(custom, text, sizeof(text));
	CHECK_STRING(text, expected);
	gpuoa_custom_free(custom);
	gpuoa_definitions_free(definitions);
}

/*
 * A platform has those events and filters that the flexible registers of a set select: twelve bits
 * for each of two events, and above them the fifth bit of the first event and of the second.
 */
static void flexible_registers_determine_events_and_options(void)
{
	static const struct {
		const char *registers;
		const char *expected;
	} cases[] = {
		{ "flex { e458=0 }", "" }, /* values of unused counters */
		{ "flex { e458=ffffffff }", "" },
		{ "flex { e458=fcff0ff0 }", "EuFpu0Active(rate)" }, /* filters that do not exist */
		{ "flex { e458=5 }", "EuStalled(rate)" },
		{ "flex { e458=4000 }", "EuAnyActive(rate)" },
		{ "flex { e458=1000000 }", "EuMathActive(rate)" },
		{ "flex { e458=2000000 }", "EuMathActive(rate)" },
		{ "flex { e458=1001002 }", "EuFpu1Active(rate) EuXmxFp16Active(rate)" },
		{ "flex { e458=2001002 }", "EuSendActive(rate) EuControlActive(rate)" },
		{ "flex { e458=3 e65c=8 }", "EuBothFpusActive(rate) EuThreadsLoaded(rate)" },
		{ "flex { e458=6007 }", "EuFp16Active(rate) EuFp32Active(rate)" },
		{ "flex { e458=900a e558=b00c e658=d00e e758=f }",
		  "EuXmxActive(rate) EuFpu0AndXmxActive(rate) EuFp64Active(rate) "
		  "EuInt16Active(rate) EuInt32Active(rate) EuXmxBf16Active(rate) "
		  "EuXmxInt8Active(rate)" },
		{ "boolean { e458=5 } flex { e458=4 }", "EuAnyActive(rate)" },
		{ "flex { e458=5 } flex { e558=4 }", "EuAnyActive(rate) EuStalled(rate)" },
		{ "flex { e458=15 }", "EuStalled(threads rate)" },
		{ "flex { e458=65 }", "EuStalled(threads rate)" },
		{ "flex { e458=75000 }", "EuStalled(row rate)" },
		{ "flex { e458=85 }", "EuStalled(row rate)" },
		{ "flex { e458=95 }", "EuStalled(rate)" },
		{ "flex { e458=105 }", "EuStalled(instructions rate)" },
		{ "flex { e458=405 }", "EuStalled(instructions rate)" },
		{ "flex { e458=505 e558=605 }", "EuStalled(rate)" },
		{ "flex { e458=705 }", "EuStalled(eu rate)" },
		{ "flex { e458=a05000 }", "EuStalled(eu rate)" },
		{ "flex { e458=b05 }", "EuStalled(rate)" },
		{ "flex { e458=705205 }", "EuStalled(eu instructions rate)" },
	};
	char sets[1024];

	for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
		snprintf(sets, sizeof(sets), SET("Set", "1", GEN8, BASICS, "%s"),
			 cases[i].registers);
		check_events_of("", sets, cases[i].expected);
	}
}

/* Utilization and average need the number of EUs and of their threads. */
static void constants_determine_normalizations(void)
{
	static const char set[] = SET("Set", "1", GEN8, BASICS, "flex { e458=5 }");

	check_events_of(EU_CONSTANTS, set, "EuStalled(utilization average rate)");
	check_events_of("constant VectorEngineTotalCount \"D\"\n"
			"constant VectorEngineThreadsCount \"D\"\n",
			set, "EuStalled(utilization average rate)");
	check_events_of("constant EuCoresTotalCount \"D\"\n", set, "EuStalled(rate)");
	check_events_of("constant EuThreadsCount \"D\"\n", set, "EuStalled(rate)");
}

/* Accesses of shared local memory can be counted if a set has the metric of their counter. */
static void fixed_counters_need_a_public_metric(void)
{
	check_events_of("",
			SET("Set", "1", GEN8, METRIC("One", "A30 * 64") METRIC("Two", "A31") BASICS,
			    "flex { e458=5 }"),
			"EuStalled(rate) SlmReads(rate byte)");
	check_events_of("",
			SET("Set", "1", GEN8, BASICS METRIC("One", "A31 * 64"), "flex { e458=5 }"),
			"EuStalled(rate) SlmWrites(rate byte)");
}

/*
 * Only sets of the OA unit with all flexible counters are used. New sets have the APIs of the first
 * of them that has GpuTime and GpuCoreClocks, on all GPUs.
 */
static void new_sets_are_like_first_complete_set(void)
{
	static const char constants[] = "constant SliceMask \"D\"\n";
	static const char others[] = SET("Media", "1", "format MPEC8u64_B8_C8 unit OAM0 on OGL",
					 BASICS, "flex { e458=1 }")
		SET("Short", "2", "format MPEC8u64_B8_C8 unit OA on OGL", BASICS, "flex { e458=2 }")
			SET("Other", "3", "format A32u40_A4u32_B8_C8 unit OAM0 on OGL", BASICS,
			    "flex { e458=3 }");
	static const char sets[] = SET("NoTime", "4", GEN8 "on OGL",
				       METRIC("GpuCoreClocks", "CLOCK"), "flex { e458=4 }")
		SET("NoClock", "5", GEN8 "on OGL", METRIC("GpuTime", "TIMESTAMP"), "")
			SET("Some", "6", GEN8 "on OGL if SliceMask & 1", BASICS, "")
				SET("Good", "7", GEN8 "on VK", BASICS, "")
					SET("Late", "8", GEN8 "on OGL", BASICS, "");
	char text[2048];
	struct gpuoa_definitions *definitions, *built;
	struct gpuoa_custom *custom;
	const struct gpuoa_set *set;
	struct gpuoa_set_desc desc;

	check_events_of(constants, others, "");
	check_events_of(constants,
			SET("Some", "6", GEN8 "if SliceMask & 1", BASICS, "flex { e458=1 }"), "");
	snprintf(text, sizeof(text), "%s%s", others, sets);
	custom = begin_with(constants, text, &definitions);
	REQUIRE(custom);
	list_events(custom, text, sizeof(text));
	CHECK_STRING(text, "EuAnyActive(rate)");
	add_plain(custom, "EuAnyActive");
	CHECK(gpuoa_custom_schedule(custom, NULL, error, sizeof(error)) == 1);
	set = gpuoa_platform_find_set(build(custom, &built), "Custom1", NULL, NULL);
	REQUIRE(set);
	gpuoa_set_describe(set, &desc, sizeof(desc));
	CHECK(desc.apis == GPUOA_API_VK);
	CHECK_STRING(desc.format_name, "A32u40_A4u32_B8_C8");
	CHECK_STRING(desc.domain, "OA");
	CHECK(desc.metric_count == 3);
	gpuoa_definitions_free(built);
	gpuoa_custom_free(custom);
	gpuoa_definitions_free(definitions);
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

static void wrong_options_are_rejected(void)
{
	const struct gpuoa_option_value bad[][2] = {
		{ { GPUOA_OPTION_UTILIZATION, 1 }, { GPUOA_OPTION_RATE, 1 } },
		{ { GPUOA_OPTION_THREADS, 1 }, { GPUOA_OPTION_ROW, 1 } },
		{ { GPUOA_OPTION_EU, 1 }, { GPUOA_OPTION_INSTRUCTIONS, 1 } },
		{ { GPUOA_OPTION_THREADS, 1 }, { GPUOA_OPTION_THREADS, 2 } },
		{ { GPUOA_OPTION_BYTE, 1 }, { GPUOA_OPTION_RATE, 1 } },
		{ { GPUOA_OPTION_AVERAGE, 1 }, { GPUOA_OPTION_UTILIZATION, 1 } },
	};
	const struct gpuoa_option_value value = { GPUOA_OPTION_THREADS, 7 };
	const struct gpuoa_option_value byte = { GPUOA_OPTION_BYTE, 1 };
	const struct gpuoa_option_value none = { (enum gpuoa_option)99, 1 };

	check_refused("EuAnyActive", bad[0], 2,
		      "utilization and rate are normalizations: one is possible");
	check_refused("SlmReads", bad[4], 2, "rate and byte are normalizations: one is possible");
	check_refused("EuAnyActive", bad[5], 2,
		      "utilization and average are normalizations: one is possible");
	check_refused("EuAnyActive", bad[1], 2,
		      "threads and row are one field of the event: one is possible");
	check_refused("EuAnyActive", bad[2], 2,
		      "eu and instructions are one field of the event: one is possible");
	check_refused("EuAnyActive", bad[3], 2, "option threads is here twice");
	check_refused("EuAnyActive", &value, 1, "option threads of EuAnyActive has no value 7");
	check_refused("EuAnyActive", &byte, 1, "EuAnyActive has no option byte");
	check_refused("EuAnyActive", &none, 1, "there is no option of number 99");
}

static void instances_accept_names(void)
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
	char text[64];

	CHECK(!gpuoa_custom_instantiate(custom, find(custom, "EuStalled"), &instance, &id, NULL,
					0));
	CHECK(!gpuoa_custom_instantiate(custom, find(custom, "EuSendActive"), &instance, &other,
					NULL, 0));
	wrong.symbol = "mine";
	CHECK(gpuoa_custom_instantiate(custom, 0, &wrong, &id, error, sizeof(error)) == -EINVAL);
	CHECK(gpuoa_custom_instantiate(custom, gpuoa_custom_event_count(custom), &instance, &id,
				       error, sizeof(error)) == -ERANGE);
	snprintf(text, sizeof(text), "sklgt2 has %zu prototypes", gpuoa_custom_event_count(custom));
	CHECK_STRING(error, text);
	CHECK(gpuoa_custom_schedule(custom, NULL, error, sizeof(error)) == 1);
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

/* A name or a description that is given is used as it is, without words for the options. */
static void pec_instances_accept_names(void)
{
	const struct gpuoa_option_value average = { GPUOA_OPTION_AVERAGE, 1 };
	struct gpuoa_instance instance = {
		.size = sizeof(instance),
		.symbol = "Mine",
		.name = "My own",
		.options = &average,
		.option_count = 1,
	};
	struct gpuoa_custom *custom = begin("lnl");
	struct gpuoa_definitions *definitions;
	const struct gpuoa_metric *metric;
	struct gpuoa_metric_desc desc;
	uint64_t named, described;

	CHECK(!gpuoa_custom_instantiate(custom, find(custom, "L3_READ"), &instance, &named, NULL,
					0));
	instance.symbol = instance.name = NULL;
	instance.description = "What I want.";
	CHECK(!gpuoa_custom_instantiate(custom, find(custom, "L3_READ"), &instance, &described,
					NULL, 0));
	CHECK(gpuoa_custom_schedule(custom, NULL, error, sizeof(error)) == 1);
	metric = placed(custom, named, build(custom, &definitions));
	REQUIRE(metric);
	gpuoa_metric_describe(metric, &desc, sizeof(desc));
	CHECK_STRING(desc.symbol, "Mine");
	CHECK_STRING(desc.name, "My own");
	CHECK(strstr(desc.description, " Average of the L3 banks."));
	metric = placed(custom, described, gpuoa_definitions_get_platform(definitions, 0));
	REQUIRE(metric);
	gpuoa_metric_describe(metric, &desc, sizeof(desc));
	CHECK_STRING(desc.symbol, "L3_READ_AVERAGE");
	CHECK_STRING(desc.name, "L3 Read Average");
	CHECK_STRING(desc.description, "What I want.");
	gpuoa_definitions_free(definitions);
	gpuoa_custom_free(custom);
}

/* The average frequency is found by its name and its alias; the alias is not a separate metric. */
static void assigned_set_has_three_basic_metrics(void)
{
	static const char *const platforms[] = { "sklgt2", "tglgt2", "lnl" };

	for (size_t i = 0; i < sizeof(platforms) / sizeof(platforms[0]); i++) {
		struct gpuoa_custom *custom = begin(platforms[i]);
		struct gpuoa_instance instance = { .size = sizeof(instance), .symbol = "Event" };
		struct gpuoa_definitions *definitions;
		const struct gpuoa_set *set;
		struct gpuoa_set_desc desc;
		uint64_t id;

		CHECK(!gpuoa_custom_instantiate(custom, 0, &instance, &id, error, sizeof(error)));
		CHECK(!gpuoa_custom_assign(custom, id, "Mine", error, sizeof(error)));
		set = gpuoa_platform_find_set(build(custom, &definitions), "Mine", NULL, NULL);
		if (CHECK(set)) {
			gpuoa_set_describe(set, &desc, sizeof(desc));
			CHECK(desc.metric_count == 4);
			CHECK(gpuoa_set_find_metric(set, "AvgGpuCoreFrequencyMHz") ==
			      gpuoa_set_find_metric(set, "AvgGpuCoreFrequency"));
		}
		gpuoa_definitions_free(definitions);
		gpuoa_custom_free(custom);
	}
}

/* ---- equations and registers ---- */

static void check_equation(const char *platform, const char *prototype, enum gpuoa_option option,
			   uint64_t value, const char *equation, const char *units)
{
	const bool utilization = option == GPUOA_OPTION_UTILIZATION && value;
	const bool rate = option == GPUOA_OPTION_RATE && value;
	const bool byte = option == GPUOA_OPTION_BYTE && value;
	struct gpuoa_custom *custom = begin(platform);
	const uint64_t id = add_with(custom, prototype, option, value);
	struct gpuoa_definitions *definitions;
	const struct gpuoa_metric *metric;
	struct gpuoa_metric_desc desc;

	CHECK(!gpuoa_custom_assign(custom, id, "Mine", error, sizeof(error)));
	metric = placed(custom, id, build(custom, &definitions));
	if (CHECK(metric)) {
		gpuoa_metric_describe(metric, &desc, sizeof(desc));
		CHECK_STRING(desc.equation, equation);
		CHECK_STRING(desc.units, units);
		CHECK_STRING(desc.max, utilization ? "100" : "");
		CHECK(desc.type == (utilization || rate ? GPUOA_TYPE_FLOAT : GPUOA_TYPE_UINT64));
		CHECK(desc.semantic == (utilization  ? GPUOA_SEMANTIC_DURATION :
					rate || byte ? GPUOA_SEMANTIC_THROUGHPUT :
						       GPUOA_SEMANTIC_EVENT));
	}
	gpuoa_definitions_free(definitions);
	gpuoa_custom_free(custom);
}

static void normalizations_change_equations(void)
{
	static const struct {
		const char *platform;
		const char *event;
		struct gpuoa_option_value option;
		const char *equation;
		const char *units;
	} cases[] = {
		{ "sklgt2", "EuAnyActive", { GPUOA_OPTION_THREADS, 0 }, "A7", "cycles" },
		{ "sklgt2",
		  "EuAnyActive",
		  { GPUOA_OPTION_UTILIZATION, 1 },
		  "A7 * 100 / (GpuCoreClocks * EuCoresTotalCount)",
		  "percent" },
		{ "sklgt2",
		  "EuAnyActive",
		  { GPUOA_OPTION_AVERAGE, 1 },
		  "A7 // EuCoresTotalCount",
		  "cycles" },
		{ "sklgt2",
		  "EuAnyActive",
		  { GPUOA_OPTION_RATE, 1 },
		  "A7 / GpuTime",
		  "cycles per ns" },
		{ "sklgt2",
		  "EuThreadsLoaded",
		  { GPUOA_OPTION_UTILIZATION, 1 },
		  "A7 * 800 / (GpuCoreClocks * EuCoresTotalCount * EuThreadsCount)",
		  "percent" },
		{ "sklgt2",
		  "EuThreadsLoaded",
		  { GPUOA_OPTION_AVERAGE, 1 },
		  "A7 * 8 // EuCoresTotalCount",
		  "cycles" },
		{ "sklgt2",
		  "EuThreadsLoaded",
		  { GPUOA_OPTION_RATE, 1 },
		  "A7 * 8 / GpuTime",
		  "cycles per ns" },
		{ "sklgt2", "EuThreadsLoaded", { GPUOA_OPTION_EU, 2 }, "A7 * 8", "cycles" },
		{ "sklgt2", "SlmReads", { GPUOA_OPTION_BYTE, 0 }, "A30", "messages" },
		{ "sklgt2", "SlmReads", { GPUOA_OPTION_BYTE, 1 }, "A30 * 64", "bytes" },
		{ "sklgt2", "SlmWrites", { GPUOA_OPTION_RATE, 1 }, "A31 * 64 / GpuTime", "gbps" },
		{ "tglgt2",
		  "EuStalled",
		  { GPUOA_OPTION_UTILIZATION, 1 },
		  "(A7 + A8 + A9 + A10) * 100 / (GpuCoreClocks * EuCoresTotalCount)",
		  "percent" },
		{ "mtlgt2",
		  "EuXmxActive",
		  { GPUOA_OPTION_AVERAGE, 1 },
		  "A7 // EuCoresTotalCount",
		  "cycles" },
	};

	for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++)
		check_equation(cases[i].platform, cases[i].event, cases[i].option.option,
			       cases[i].option.value, cases[i].equation, cases[i].units);
}

/*
 * Assign the instances to one set. Returns the value of its first flexible register; @desc is the
 * metric of instance @id.
 */
static uint32_t first_flex(struct gpuoa_custom *custom, uint64_t id,
			   struct gpuoa_definitions **definitions, struct gpuoa_metric_desc *desc)
{
	const struct gpuoa_metric *metric;
	struct gpuoa_reg regs[7];

	CHECK(gpuoa_custom_schedule(custom, NULL, error, sizeof(error)) == 1);
	metric = placed(custom, id, build(custom, definitions));
	if (!CHECK(metric))
		return 0;
	gpuoa_metric_describe(metric, desc, sizeof(*desc));
	CHECK(gpuoa_set_registers(desc->set, GPUOA_REGISTER_FLEX, NULL, regs, 7) == 7);
	CHECK(regs[0].address == 0xe458);
	return regs[0].value;
}

/* If an event counts in one EU of four only, its metric divides by a quarter of the EUs. */
static void eu_quarter_divides_by_quarter_of_eus(void)
{
	const struct gpuoa_option_value options[] = { { GPUOA_OPTION_EU, 4 },
						      { GPUOA_OPTION_AVERAGE, 1 } };
	struct gpuoa_custom *custom = begin("tglgt2");
	struct gpuoa_definitions *definitions;
	struct gpuoa_metric_desc desc;
	uint64_t id;

	CHECK(!add(custom, "EuStalled", options, 2, &id));
	CHECK(first_flex(custom, id, &definitions, &desc) == 0xa05);
	CHECK_STRING(desc.equation, "A7 // (EuCoresTotalCount // 4)");
	gpuoa_definitions_free(definitions);
	gpuoa_custom_free(custom);
}

/* The fifth bit of the events of A7 and A8 is in bits 24 and 25 of their register. */
static void fifth_bit_of_event_is_above_the_events(void)
{
	struct gpuoa_definitions *definitions, *built;
	struct gpuoa_custom *custom = begin_with(
		"", SET("Set", "1", GEN8, BASICS, "flex { e458=1001002 }"), &definitions);
	struct gpuoa_metric_desc desc;
	uint64_t id;

	REQUIRE(custom);
	id = add_plain(custom, "EuXmxFp16Active");
	CHECK(first_flex(custom, id, &built, &desc) == 0x1000002);
	gpuoa_definitions_free(built);
	CHECK(!gpuoa_custom_remove(custom, "Custom1", NULL));
	CHECK(!gpuoa_custom_destroy(custom, id));
	id = add_plain(custom, "EuFpu1Active");
	add_plain(custom, "EuXmxFp16Active");
	CHECK(first_flex(custom, id, &built, &desc) == 0x2002001);
	gpuoa_definitions_free(built);
	gpuoa_custom_free(custom);
	gpuoa_definitions_free(definitions);
}

/* Bits 11:8 of a flexible counter's event select the kind of instruction. */
static void instruction_kind_is_bits_11_8_of_event(void)
{
	struct gpuoa_custom *custom = begin("sklgt2");
	const uint64_t id = add_with(custom, "EuFpu1Active", GPUOA_OPTION_INSTRUCTIONS, 3);
	const uint64_t other = add_with(custom, "EuFpu1Active", GPUOA_OPTION_INSTRUCTIONS, 4);
	struct gpuoa_definitions *definitions;
	const struct gpuoa_metric *metric;
	struct gpuoa_metric_desc desc;

	CHECK(first_flex(custom, id, &definitions, &desc) == 0x401301);
	CHECK_STRING(desc.equation, "A7");
	metric = placed(custom, other, gpuoa_definitions_get_platform(definitions, 0));
	REQUIRE(metric);
	gpuoa_metric_describe(metric, &desc, sizeof(desc));
	CHECK_STRING(desc.equation, "A8");
	gpuoa_definitions_free(definitions);
	gpuoa_custom_free(custom);
}

/*
 * Bits 7:4 of a flexible counter's event select the rows of EUs, after the stages of threads. A
 * metric of one row divides by half of the EUs, by an eighth if it also counts one EU of four only.
 */
static void row_is_bits_7_4_of_event(void)
{
	for (uint64_t row = 1; row <= 2; row++)
		for (uint64_t eu = 0; eu <= 4; eu += 4) {
			const struct gpuoa_option_value options[] = { { GPUOA_OPTION_ROW, row },
								      { GPUOA_OPTION_AVERAGE, 1 },
								      { GPUOA_OPTION_EU, eu } };
			struct gpuoa_custom *custom = begin("sklgt2");
			struct gpuoa_definitions *definitions;
			struct gpuoa_metric_desc desc;
			uint64_t id;

			CHECK(!add(custom, "EuFpu1Active", options, eu ? 3 : 2, &id));
			CHECK(first_flex(custom, id, &definitions, &desc) ==
			      ((eu ? 0xa00 : 0) | (6 + row) << 4 | 1));
			CHECK_STRING(desc.equation, eu ? "A7 // (EuCoresTotalCount // 8)" :
							 "A7 // (EuCoresTotalCount // 2)");
			gpuoa_definitions_free(definitions);
			gpuoa_custom_free(custom);
		}
}

/* The registers equal those that the public set ComputeBasic programs for the same events. */
static void check_registers(const char *platform, const char *model, const char *const *prototypes,
			    size_t count, size_t registers)
{
	struct gpuoa_custom *custom = begin(platform);
	struct gpuoa_definitions *definitions;
	struct gpuoa_reg mine[8], public[8];
	const struct gpuoa_set *set;

	for (size_t i = 0; i < count; i++)
		add_plain(custom, prototypes[i]);
	CHECK(gpuoa_custom_schedule(custom, NULL, error, sizeof(error)) == 1);
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

static void registers_equal_those_of_public_sets(void)
{
	static const char *const gen12[] = { "EuAnyActive", "EuStalled", "EuThreadsLoaded" };
	static const char *const gen9[] = { "EuAnyActive", "EuStalled" };

	check_registers("tglgt2", "RenderBasic", gen12, 3, 6);
	check_registers("sklgt2", "RenderBasic", gen9, 2, 1);
}

/* ---- scheduling ---- */

#define STAGES 6

/* Add seven events for each of six stages. They need 42 counters, and so three sets of fourteen. */
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
	CHECK(gpuoa_custom_get_assignment(custom, ids[0], &set, &metric) == -ENODATA);
	CHECK(gpuoa_custom_schedule(custom, NULL, error, sizeof(error)) == 3);
	CHECK(gpuoa_custom_schedule(again, NULL, error, sizeof(error)) == 3);
	CHECK(gpuoa_custom_schedule(custom, NULL, error, sizeof(error)) == 0);
	platform = build(custom, &one);
	build(again, &two);
	for (size_t i = 0; i < 7 * STAGES; i++) {
		const char *other_set, *other_metric;

		CHECK(placed(custom, ids[i], platform));
		CHECK(!gpuoa_custom_get_assignment(custom, ids[i], &set, &metric));
		CHECK(!gpuoa_custom_get_assignment(again, same[i], &other_set, &other_metric));
		CHECK_STRING(set, other_set);
		CHECK_STRING(metric, other_metric);
	}
	gpuoa_definitions_free(one);
	gpuoa_definitions_free(two);
	gpuoa_custom_free(custom);
	gpuoa_custom_free(again);
}

/* Each flexible register has the events of two counters, from A7 on. */
static void fourteen_events_fill_the_flexible_registers(void)
{
	struct gpuoa_custom *custom = begin("sklgt2");
	struct gpuoa_definitions *definitions;
	uint64_t ids[7 * STAGES];
	const struct gpuoa_set *set;
	struct gpuoa_reg regs[7];

	fill(custom, ids);
	CHECK(gpuoa_custom_schedule(custom, NULL, error, sizeof(error)) == 3);
	set = gpuoa_platform_find_set(build(custom, &definitions), "Custom1", NULL, NULL);
	REQUIRE(set && gpuoa_set_registers(set, GPUOA_REGISTER_FLEX, NULL, regs, 7) == 7);
	for (uint32_t i = 0; i < 7; i++) {
		const uint32_t first = 2 * i, second = 2 * i + 1;

		/* events 0, 1 and 2, for stages 1 to 6 */
		CHECK(regs[i].value == (first / STAGES | (1 + first % STAGES) << 4 |
					second / STAGES << 12 | (1 + second % STAGES) << 16));
	}
	gpuoa_definitions_free(definitions);
	gpuoa_custom_free(custom);
}

static void check_assignment(const struct gpuoa_custom *custom, uint64_t id,
			     const char *expected_set, const char *expected_metric)
{
	const char *set = NULL, *metric = NULL;

	CHECK(!gpuoa_custom_get_assignment(custom, id, &set, &metric));
	CHECK_STRING(set, expected_set);
	CHECK_STRING(metric, expected_metric);
}

static void new_symbols_avoid_those_in_use(void)
{
	const struct gpuoa_schedule_options media = { .size = sizeof(media), .prefix = "MediaSet" };
	struct gpuoa_custom *custom = begin("lnl");
	uint64_t id;

	for (uint64_t i = 1; i <= 3; i++) /* the same event three times, for one counter */
		CHECK(add_plain(custom, "L3_READ") == i);
	CHECK(gpuoa_custom_schedule(custom, NULL, error, sizeof(error)) == 1);
	check_assignment(custom, 1, "Custom1", "L3_READ");
	check_assignment(custom, 2, "Custom1", "L3_READ_2");
	check_assignment(custom, 3, "Custom1", "L3_READ_3");
	id = add_plain(custom, "L3_READ");
	CHECK(!gpuoa_custom_assign(custom, id, "Custom2", error, sizeof(error)));
	check_assignment(custom, id, "Custom2", "L3_READ");
	id = add_plain(custom, "L3_READ");
	CHECK(gpuoa_custom_schedule(custom, NULL, error, sizeof(error)) == 1);
	check_assignment(custom, id, "Custom3", "L3_READ");
	/* The platform has sets MediaSet1 and MediaSet2. */
	id = add_plain(custom, "L3_READ");
	CHECK(gpuoa_custom_schedule(custom, &media, error, sizeof(error)) == 1);
	check_assignment(custom, id, "MediaSet3", "L3_READ");
	gpuoa_custom_free(custom);
}

/* A symbol is cut so that a number fits into 255 characters. */
static void long_symbols_are_numbered(void)
{
	char symbol[251], second[256];
	const struct gpuoa_instance instance = { .size = sizeof(instance), .symbol = symbol };
	struct gpuoa_custom *custom = begin("sklgt2");
	uint64_t ids[2];

	memset(symbol, 'S', 250);
	symbol[250] = '\0';
	snprintf(second, sizeof(second), "%.240s_2", symbol);
	for (size_t i = 0; i < 2; i++)
		CHECK(!gpuoa_custom_instantiate(custom, 0, &instance, &ids[i], NULL, 0));
	CHECK(gpuoa_custom_schedule(custom, NULL, error, sizeof(error)) == 1);
	check_assignment(custom, ids[0], "Custom1", symbol);
	check_assignment(custom, ids[1], "Custom1", second);
	gpuoa_custom_free(custom);
}

/* A change of an option that is rejected keeps the others. */
static void rejected_option_changes_nothing(void)
{
	const struct gpuoa_option_value bad[] = {
		{ GPUOA_OPTION_RATE, 1 },
		{ GPUOA_OPTION_THREADS, 9 },
		{ GPUOA_OPTION_BYTE, 1 },
	};
	const struct gpuoa_option_value none = { GPUOA_OPTION_UTILIZATION, 0 };
	struct gpuoa_custom *custom = begin("sklgt2");
	const uint64_t id = add_with(custom, "EuAnyActive", GPUOA_OPTION_UTILIZATION, 1);
	struct gpuoa_definitions *definitions;
	struct gpuoa_metric_desc desc;

	for (size_t i = 0; i < sizeof(bad) / sizeof(bad[0]); i++)
		CHECK(gpuoa_custom_set_option(custom, id, bad[i], error, sizeof(error)) == -EINVAL);
	CHECK(first_flex(custom, id, &definitions, &desc) == 4);
	CHECK_STRING(desc.equation, "A7 * 100 / (GpuCoreClocks * EuCoresTotalCount)");
	gpuoa_definitions_free(definitions);
	CHECK(!gpuoa_custom_remove(custom, "Custom1", NULL));
	CHECK(!gpuoa_custom_set_option(custom, id, none, error, sizeof(error)));
	CHECK(!gpuoa_custom_set_option(custom, id, bad[0], error, sizeof(error)));
	CHECK(first_flex(custom, id, &definitions, &desc) == 4);
	CHECK_STRING(desc.equation, "A7 / GpuTime");
	gpuoa_definitions_free(definitions);
	gpuoa_custom_free(custom);
}

/* Sets with equal registers have the same UUID. */
static void equal_programmed_sets_have_equal_uuids(void)
{
	struct gpuoa_custom *custom = begin("sklgt2");
	struct gpuoa_definitions *definitions;
	const struct gpuoa_platform *platform;
	struct gpuoa_set_desc one, two, other;

	CHECK(!gpuoa_custom_assign(custom, add_plain(custom, "EuStalled"), "One", error,
				   sizeof(error)));
	CHECK(!gpuoa_custom_assign(custom, add_plain(custom, "EuStalled"), "Two", error,
				   sizeof(error)));
	CHECK(!gpuoa_custom_assign(custom, add_plain(custom, "EuAnyActive"), "Other", error,
				   sizeof(error)));
	platform = build(custom, &definitions);
	REQUIRE(platform);
	gpuoa_set_describe(gpuoa_platform_find_set(platform, "One", NULL, NULL), &one, sizeof(one));
	gpuoa_set_describe(gpuoa_platform_find_set(platform, "Two", NULL, NULL), &two, sizeof(two));
	gpuoa_set_describe(gpuoa_platform_find_set(platform, "Other", NULL, NULL), &other,
			   sizeof(other));
	CHECK_STRING(one.uuid, two.uuid);
	CHECK(strcmp(one.uuid, other.uuid) != 0);
	CHECK_STRING(one.name, "One");
	gpuoa_definitions_free(definitions);
	gpuoa_custom_free(custom);
}

static void equal_events_share_counter(void)
{
	struct gpuoa_custom *custom = begin("sklgt2");
	uint64_t ids[7 * STAGES];

	fill(custom, ids);
	for (uint64_t i = 0; i < 20; i++)
		add_with(custom, "EuFpu0Active", GPUOA_OPTION_THREADS, 1);
	CHECK(gpuoa_custom_schedule(custom, NULL, error, sizeof(error)) == 3);
	gpuoa_custom_free(custom);
}

static void schedule_above_max_sets_returns_enospc(void)
{
	const struct gpuoa_schedule_options two = { .size = sizeof(two), .max_sets = 2 };
	const struct gpuoa_schedule_options three = { .size = sizeof(three), .max_sets = 3 };
	struct gpuoa_custom *custom = begin("sklgt2"), *enough = begin("sklgt2");
	struct gpuoa_definitions *definitions;
	const struct gpuoa_platform *platform;
	uint64_t ids[7 * STAGES];
	const char *set, *metric;

	fill(enough, ids);
	CHECK(gpuoa_custom_schedule(enough, &two, NULL, 0) == -ENOSPC);
	platform = build(enough, &definitions);
	CHECK(platform && !gpuoa_platform_find_set(platform, "Custom1", NULL, NULL));
	gpuoa_definitions_free(definitions);
	CHECK(gpuoa_custom_schedule(enough, &three, error, sizeof(error)) == 3);
	check_assignment(enough, ids[0], "Custom1", "EuFpu0Active");
	check_assignment(enough, ids[14], "Custom2", "EuSendActive");
	check_assignment(enough, ids[41], "Custom3", "EuThreadsLoaded_6");
	gpuoa_custom_free(enough);
	fill(custom, ids);
	CHECK(gpuoa_custom_schedule(custom, &two, error, sizeof(error)) == -ENOSPC);
	CHECK_STRING(error, "2 sets have too few counters for all instances");
	CHECK(gpuoa_custom_get_assignment(custom, ids[0], &set, &metric) == -ENODATA);
	for (size_t i = 0; i < 14; i++)
		CHECK(!gpuoa_custom_assign(custom, ids[i], "Mine", error, sizeof(error)));
	CHECK(gpuoa_custom_assign(custom, ids[14], "Mine", error, sizeof(error)) == -ENOSPC);
	CHECK_STRING(error, "set Mine has no counters left for EuSendActive: its instances take 15 "
			    "counters with it");
	CHECK(!gpuoa_custom_get_assignment(custom, ids[3], &set, &metric));
	CHECK(!gpuoa_custom_remove(custom, set, metric));
	CHECK(!gpuoa_custom_assign(custom, ids[14], "Mine", error, sizeof(error)));
	CHECK(gpuoa_custom_schedule(custom, NULL, error, sizeof(error)) == 2);
	gpuoa_custom_free(custom);
}

static void assigned_instances_are_immutable(void)
{
	const struct gpuoa_option_value value = { GPUOA_OPTION_THREADS, 2 };
	const struct gpuoa_option_value rate = { GPUOA_OPTION_RATE, 1 };
	const struct gpuoa_set_desc with_base = { .symbol = "Like" };
	const struct gpuoa_set *base =
		gpuoa_platform_find_set(gpuoa_platform_find("sklgt2"), "RenderBasic", NULL, NULL);
	struct gpuoa_custom *custom = begin("sklgt2");
	const uint64_t first = add_plain(custom, "EuAnyActive");
	const uint64_t second = add_with(custom, "EuAnyActive", GPUOA_OPTION_UTILIZATION, 1);
	const char *set, *metric;

	CHECK(first != second);
	CHECK(!gpuoa_custom_set_option(custom, first, value, error, sizeof(error)));
	CHECK(gpuoa_custom_set_option(custom, second, rate, error, sizeof(error)) == -EINVAL);
	CHECK(!gpuoa_custom_assign(custom, first, "Mine", error, sizeof(error)));
	CHECK(gpuoa_custom_assign(custom, first, "Mine", error, sizeof(error)) == -EBUSY);
	CHECK_STRING(error, "it is in set Mine already");
	CHECK(gpuoa_custom_set_option(custom, first, value, error, sizeof(error)) == -EBUSY);
	CHECK_STRING(error, "it is in set Mine: remove it there first");
	CHECK(gpuoa_custom_destroy(custom, first) == -EBUSY);
	CHECK(gpuoa_custom_assign(custom, second, "RenderBasic", error, sizeof(error)) == -EEXIST);
	CHECK_STRING(error, "set RenderBasic has registers of its own");
	CHECK(!gpuoa_custom_add_set(custom, &with_base, sizeof(with_base), NULL, 0, base, error,
				    sizeof(error)));
	CHECK(gpuoa_custom_assign(custom, second, "Like", error, sizeof(error)) == -EEXIST);
	CHECK_STRING(error, "set Like has registers of its own");
	CHECK(!gpuoa_custom_remove(custom, "Mine", NULL));
	CHECK(gpuoa_custom_get_assignment(custom, first, &set, &metric) == -ENODATA);
	CHECK(!gpuoa_custom_destroy(custom, first));
	CHECK(gpuoa_custom_destroy(custom, first) == -ENOENT);
	CHECK(add_plain(custom, "EuAnyActive") != first);
	CHECK(!gpuoa_custom_assign(custom, second, "Mine", error, sizeof(error)));
	gpuoa_custom_free(custom);
}

/* Removing a metric releases only its instance; removing one that is not there releases none. */
static void removed_metric_releases_its_instance(void)
{
	struct gpuoa_custom *custom = begin("sklgt2");
	const uint64_t first = add_plain(custom, "EuStalled");
	const uint64_t second = add_plain(custom, "EuAnyActive");
	struct gpuoa_definitions *definitions;
	const char *set, *metric;

	CHECK(gpuoa_custom_schedule(custom, NULL, error, sizeof(error)) == 1);
	CHECK(gpuoa_custom_remove(custom, "Custom1", "Nothing") == -ENODATA);
	check_assignment(custom, first, "Custom1", "EuStalled");
	check_assignment(custom, second, "Custom1", "EuAnyActive");
	CHECK(!gpuoa_custom_remove(custom, "Custom1", "EuStalled"));
	CHECK(gpuoa_custom_get_assignment(custom, first, &set, &metric) == -ENODATA);
	check_assignment(custom, second, "Custom1", "EuAnyActive");
	CHECK(!gpuoa_custom_destroy(custom, first));
	CHECK(gpuoa_custom_get_assignment(custom, first, &set, &metric) == -ENOENT);
	CHECK(placed(custom, second, build(custom, &definitions)));
	gpuoa_definitions_free(definitions);
	gpuoa_custom_free(custom);
}

/* ---- counters for events ---- */

/* Find counters for events that these can count; returns whether there are enough. */
static bool solve(struct match *match, const uint64_t *counters, uint32_t count)
{
	match->count = 0;
	for (uint32_t i = 0; i < count; i++)
		CHECK(match_add(match, 100 + i, counters[i]));
	return match_solve(match);
}

static void check_solution(const uint64_t *counters, uint32_t count)
{
	struct match match;
	uint64_t used = 0;

	if (!CHECK(solve(&match, counters, count)))
		return;
	for (uint32_t i = 0; i < count; i++) {
		const uint64_t bit = UINT64_C(1) << match_counter(&match, 100 + i);

		CHECK(counters[i] & bit);
		CHECK(!(used & bit));
		used |= bit;
	}
}

/* An event moves to another counter if a later event can only use its own one. */
static void events_move_to_other_counters(void)
{
	static const uint64_t one[] = { 3, 1 };
	static const uint64_t chain[] = { 1 | 2, 2 | 4, 4 | 8, 1 };
	static const uint64_t high[] = { 3ull << 62, 1ull << 63, 1 | 1ull << 62, 1 | 1ull << 9 };
	static const uint64_t too_many[] = { 3, 3, 3 };
	static const uint64_t no_way[] = { 1 | 2, 2 | 4, 1 | 4, 1 };
	static const uint64_t last[] = { 1ull << 63, 1ull << 63 };
	struct match match;

	check_solution(one, 2);
	check_solution(chain, 4);
	check_solution(high, 4);
	CHECK(!solve(&match, too_many, 3));
	CHECK(!solve(&match, no_way, 4));
	CHECK(!solve(&match, last, 2));
}

/* Counters 7 to 20 are flexible, and are left to the events that need one. */
static void flexible_counters_come_last(void)
{
	uint64_t counters[MATCH_MAX];
	struct match match;

	for (uint32_t i = 0; i < MATCH_MAX; i++)
		counters[i] = UINT64_MAX;
	CHECK(solve(&match, counters, MATCH_MAX));
	for (uint32_t i = 0; i < MATCH_MAX; i++) {
		const uint32_t counter = match_counter(&match, 100 + i);

		if (!CHECK(counter == (i < 7		  ? i :
				       i < MATCH_MAX - 14 ? i + 14 :
							    i + 21 - MATCH_MAX)))
			printf("# event %u has counter %u\n", i, counter);
	}
	/* An event that is known needs no other counter, a new one does. */
	CHECK(match_add(&match, 100, 1) && match.count == MATCH_MAX);
	CHECK(!match_add(&match, 99, 1) && match.count == MATCH_MAX);
}

static int schedule(const char *prefix)
{
	const struct gpuoa_schedule_options options = { .size = sizeof(options), .prefix = prefix };
	struct gpuoa_custom *custom = begin("sklgt2");
	const uint64_t id = add_plain(custom, "EuStalled");
	const char *set, *metric;
	int result = gpuoa_custom_schedule(custom, &options, error, sizeof(error));

	if (result == 1 && CHECK(!gpuoa_custom_get_assignment(custom, id, &set, &metric)) && prefix)
		CHECK(!strncmp(set, prefix, strlen(prefix)));
	gpuoa_custom_free(custom);
	return result;
}

static void sets_have_the_prefix(void)
{
	char prefix[242];

	memset(prefix, 'P', sizeof(prefix));
	prefix[241] = '\0';
	CHECK(schedule(prefix) == -EINVAL);
	CHECK_STRING(error, "a set's symbol begins with a capital letter, and has letters, digits "
			    "and '_' only");
	prefix[240] = '\0';
	CHECK(schedule(prefix) == 1);
	CHECK(schedule("Mine") == 1);
	CHECK(schedule(NULL) == 1);
	CHECK(schedule("mine") == -EINVAL && schedule("") == -EINVAL);
}

static void unknown_instances_are_reported(void)
{
	const struct gpuoa_option_value value = { GPUOA_OPTION_THREADS, 2 };
	struct gpuoa_instance instance = { .size = sizeof(instance), .units = "" };
	struct gpuoa_schedule_options options = { .size = 0 };
	struct gpuoa_custom *custom = begin("sklgt2");
	const uint64_t id = add_plain(custom, "EuStalled");
	uint64_t other = 0;

	CHECK(gpuoa_custom_assign(custom, id + 1, "Mine", error, sizeof(error)) == -ENOENT);
	CHECK_STRING(error, "there is no such instance");
	CHECK(gpuoa_custom_set_option(custom, id + 1, value, error, sizeof(error)) == -ENOENT);
	CHECK_STRING(error, "there is no such instance");
	CHECK(gpuoa_custom_assign(custom, id, "mine", error, sizeof(error)) == -EINVAL);
	CHECK(strstr(error, "a set's symbol begins with a capital letter"));
	CHECK(gpuoa_custom_schedule(custom, &options, error, sizeof(error)) == -EINVAL);
	CHECK(gpuoa_custom_instantiate(custom, 0, &instance, &other, error, sizeof(error)) ==
	      -EINVAL);
	CHECK_STRING(error, "the units are empty");
	instance.units = NULL;
	instance.description = "\xff";
	CHECK(gpuoa_custom_instantiate(custom, 0, &instance, &other, error, sizeof(error)) ==
	      -EINVAL);
	CHECK_STRING(error, "the description is not UTF-8");
	CHECK(!other);
	gpuoa_custom_free(custom);
}

/* Events before Xe2 count all parts of the GPU. */
static void old_events_do_not_depend_on_constants(void)
{
	struct gpuoa_custom *custom = begin("sklgt2");
	struct gpuoa_constants *constants;

	REQUIRE(!gpuoa_constants_new(gpuoa_platform_find("sklgt2"), &constants));
	CHECK(!gpuoa_custom_use_constants(custom, constants));
	gpuoa_constants_free(constants);
	gpuoa_custom_free(custom);
}

static void dense_counters_return_eopnotsupp(void)
{
	struct gpuoa_schedule_options options = { .size = sizeof(options),
						  .counters = GPUOA_COUNTERS_DENSE };
	struct gpuoa_custom *custom = begin("bmg");

	CHECK(gpuoa_custom_schedule(custom, &options, error, sizeof(error)) == -EOPNOTSUPP);
	CHECK_STRING(error, "no hardware that is known has dense counters");
	options.counters = (enum gpuoa_counters)7;
	CHECK(gpuoa_custom_schedule(custom, &options, error, sizeof(error)) == -EINVAL);
	gpuoa_custom_free(custom);
}

/* ---- Xe2 ---- */

/* A custom set that contains only one instance, and the metric of this instance */
struct alone {
	struct gpuoa_custom *custom;
	struct gpuoa_definitions *definitions;
	const struct gpuoa_metric *metric;
	struct gpuoa_metric_desc desc;
};

static bool alone_open(struct alone *alone, const char *platform, const char *prototype,
		       struct gpuoa_option_value first, struct gpuoa_option_value second)
{
	const struct gpuoa_option_value options[] = { first, second };
	uint64_t id = 0;
	const size_t count = second.value ? 2 : first.value ? 1 : 0;

	*alone = (struct alone){ .custom = begin(platform) };
	if (!CHECK(!add(alone->custom, prototype, options, count, &id)) ||
	    !CHECK(!gpuoa_custom_assign(alone->custom, id, "Mine", error, sizeof(error)))) {
		printf("# %s: %s\n", prototype, error);
		return false;
	}
	alone->metric = placed(alone->custom, id, build(alone->custom, &alone->definitions));
	if (!CHECK(alone->metric))
		return false;
	gpuoa_metric_describe(alone->metric, &alone->desc, sizeof(alone->desc));
	return true;
}

static void alone_close(struct alone *alone)
{
	gpuoa_definitions_free(alone->definitions);
	gpuoa_custom_free(alone->custom);
}

#define DISAGGREGATION GPUOA_OPTION_DISAGGREGATION
#define UTILIZATION GPUOA_OPTION_UTILIZATION
#define AVERAGE GPUOA_OPTION_AVERAGE
#define RATE GPUOA_OPTION_RATE
#define BYTE GPUOA_OPTION_BYTE

/* Expected results for an event with up to two options. An option with value 0 is not set. */
static const struct xe2_example {
	const char *platform;
	const char *prototype;
	struct gpuoa_option_value first, second;
	const char *symbol;
	const char *equation;
	const char *units;
} xe2_examples[] = {
	{ "lnl", "SAMPLER_2X2_READ", { RATE, 0 }, { RATE, 0 }, "SAMPLER_2X2_READ", "PEC0", "events" },
	{ "lnl",
	  "SAMPLER_ACTIVE_CYCLES",
	  { UTILIZATION, 1 },
	  { RATE, 0 },
	  "SAMPLER_ACTIVE",
	  "PEC0 // XeCoreTotalCount * 100 / GpuCoreClocks",
	  "percent" },
	{ "lnl",
	  "SAMPLER_ACTIVE_CYCLES",
	  { UTILIZATION, 1 },
	  { DISAGGREGATION, 6 },
	  "SAMPLER_ACTIVE_XECORE5",
	  "PEC0 * 100 / GpuCoreClocks",
	  "percent" },
	{ "lnl",
	  "XVE_ACTIVE_CYCLES",
	  { UTILIZATION, 1 },
	  { RATE, 0 },
	  "XVE_ACTIVE",
	  "PEC0 * 100 / (GpuCoreClocks * VectorEngineTotalCount)",
	  "percent" },
	{ "lnl",
	  "XVE_ACTIVE_CYCLES",
	  { AVERAGE, 1 },
	  { DISAGGREGATION, 1 },
	  "XVE_ACTIVE_CYCLES_XECORE0_AVERAGE",
	  "PEC0 // VectorEnginePerXeCoreCount",
	  "cycles" },
	{ "lnl",
	  "XVE_ACTIVE_PS_CYCLES",
	  { UTILIZATION, 1 },
	  { RATE, 0 },
	  "XVE_ACTIVE_PS",
	  "PEC7 * 100 / (GpuCoreClocks * VectorEngineTotalCount)",
	  "percent" },
	{ "lnl",
	  "XVE_THREADS_OCCUPANCY_ALL_CYCLES",
	  { UTILIZATION, 1 },
	  { RATE, 0 },
	  "XVE_THREADS_OCCUPANCY_ALL",
	  "PEC7 * 8 // VectorEngineThreadsCount * 100 / (GpuCoreClocks * VectorEngineTotalCount)",
	  "percent" },
	{ "ptl",
	  "XVE_THREADS_OCCUPANCY_ALL_CYCLES",
	  { AVERAGE, 1 },
	  { RATE, 0 },
	  "XVE_THREADS_OCCUPANCY_ALL_CYCLES_AVERAGE",
	  "PEC0 // VectorEngineTotalCount // VectorEngineThreadsCount",
	  "events" },
	{ "lnl",
	  "XVE_INST_EXECUTED_ALU2_ALL",
	  { UTILIZATION, 1 },
	  { RATE, 0 },
	  "XVE_INST_EXECUTED_ALU2_ALL_UTILIZATION",
	  "PEC0 * 2 * 100 / (GpuCoreClocks * VectorEngineTotalCount)",
	  "percent" },
	{ "bmg",
	  "GPU_MEMORY_BYTE_READ",
	  { RATE, 1 },
	  { RATE, 0 },
	  "GPU_MEMORY_BYTE_READ_RATE",
	  "PEC32 * 2 / GpuTime",
	  "gbps" },
	{ "bmg",
	  "GPU_MEMORY_BYTE_READ",
	  { RATE, 1 },
	  { DISAGGREGATION, 3 },
	  "GPU_MEMORY_BYTE_READ_RATE_SQIDI2",
	  "PEC32 * 2 * 256 / GpuTime",
	  "gbps" },
	{ "bmg",
	  "GPU_MEMORY_BYTE_WRITE",
	  { AVERAGE, 1 },
	  { RATE, 0 },
	  "GPU_MEMORY_BYTE_WRITE_AVERAGE",
	  "PEC32 * 2 // SqidiTotalCount",
	  "bytes" },
	{ "bmg",
	  "SYSMEM_TRANSACTION_READ",
	  { BYTE, 1 },
	  { RATE, 0 },
	  "SYSMEM_TRANSACTION_BYTE_READ",
	  "PEC32 * 64",
	  "bytes" },
	{ "bmg",
	  "L3_READ",
	  { AVERAGE, 1 },
	  { BYTE, 1 },
	  "L3_BYTE_READ_AVERAGE",
	  "PEC32 // L3BankTotalCount * 64",
	  "bytes" },
	{ "bmg",
	  "CLIPPER_INPUT_AVAILABLE_CYCLES",
	  { AVERAGE, 1 },
	  { DISAGGREGATION, 5 },
	  "CLIPPER_INPUT_AVAILABLE_CYCLES_SLICE4_AVERAGE",
	  "PEC32 // (GeometryPipeTotalCount // SliceTotalCount)",
	  "cycles" },
	{ "bmg",
	  "RENDER_CACHE_INPUT_AVAILABLE_CYCLES",
	  { UTILIZATION, 1 },
	  { RATE, 0 },
	  "RENDER_CACHE_INPUT_AVAILABLE",
	  "PEC32 // 2 // L3NodeTotalCount * 100 / GpuCoreClocks",
	  "percent" },
	{ "nvlp",
	  "XVE_GRFBLOCK_OCCUPANCY_ALL_CYCLES",
	  { UTILIZATION, 1 },
	  { RATE, 0 },
	  "XVE_GRFBLOCK_OCCUPANCY_ALL",
	  "PEC0 // (VectorEngineGrfBlocksCount * VectorEngineTotalCount) * 100 / GpuCoreClocks",
	  "percent" },
	{ "cri",
	  "GPU_MEMORY_READ",
	  { AVERAGE, 1 },
	  { DISAGGREGATION, 32 },
	  "GPU_MEMORY_READ_L3BANK31_AVERAGE",
	  "PEC32",
	  "events" },
};

static void xe2_options_change_equations(void)
{
	for (size_t i = 0; i < sizeof(xe2_examples) / sizeof(xe2_examples[0]); i++) {
		const struct xe2_example *example = &xe2_examples[i];
		struct alone alone;

		if (alone_open(&alone, example->platform, example->prototype, example->first,
			       example->second)) {
			CHECK_STRING(alone.desc.symbol, example->symbol);
			CHECK_STRING(alone.desc.equation, example->equation);
			CHECK_STRING(alone.desc.units, example->units);
			CHECK_STRING(alone.desc.max,
				     strcmp(example->units, "percent") ? "" : "100");
			CHECK_STRING(alone.desc.alias, example->prototype);
		}
		alone_close(&alone);
	}
}
/* Return the value that a set writes to a register, or UINT64_MAX if it does not write it. */
static uint64_t register_of(const struct gpuoa_set *set, enum gpuoa_register_kind kind,
			    uint32_t address)
{
	static struct gpuoa_reg regs[1024];
	const int count = gpuoa_set_registers(set, kind, NULL, regs, 1024);
	uint64_t value = UINT64_MAX;

	CHECK(count >= 0 && count <= 1024);
	for (int i = 0; i < count; i++)
		if (regs[i].address == address)
			value = regs[i].value;
	return value;
}

/* Return the event that a set programs for a PEC counter. */
static uint64_t event_of(const struct gpuoa_set *set, size_t counter)
{
	const size_t address = counter < 32 ? 0x13000 + 8 * counter : 0x13300 + 8 * (counter - 32);

	return register_of(set, GPUOA_REGISTER_BOOLEAN, (uint32_t)address);
}

static size_t register_count(const struct gpuoa_set *set, enum gpuoa_register_kind kind)
{
	return (size_t)gpuoa_set_registers(set, kind, NULL, NULL, 0);
}

/*
 * The registers of PEC32 to PEC63 exist three times: for the reports of the GPU, and for those of
 * two kinds of contexts.
 */
static void xe2_events_are_in_registers(void)
{
	const struct gpuoa_option_value bank = { DISAGGREGATION, 22 }, none = { RATE, 0 };
	struct alone alone;

	if (alone_open(&alone, "bmg", "L3_READ", bank, none)) {
		CHECK(register_count(alone.desc.set, GPUOA_REGISTER_BOOLEAN) == 6);
		for (uint32_t address = 0x13300; address < 0x13800; address += 0x200) {
			CHECK(register_of(alone.desc.set, GPUOA_REGISTER_BOOLEAN, address) ==
			      0x0152600f);
			CHECK(!register_of(alone.desc.set, GPUOA_REGISTER_BOOLEAN, address + 4));
		}
	}
	alone_close(&alone);
	if (alone_open(&alone, "lnl", "XVE_STALL_CYCLES",
		       (struct gpuoa_option_value){ DISAGGREGATION, 8 }, none)) {
		CHECK(register_count(alone.desc.set, GPUOA_REGISTER_BOOLEAN) == 2);
		CHECK(event_of(alone.desc.set, 0) == 0x00710606);
		CHECK(register_count(alone.desc.set, GPUOA_REGISTER_FLEX) == 7);
		CHECK(!register_of(alone.desc.set, GPUOA_REGISTER_FLEX, 0xe458));
	}
	alone_close(&alone);
}

static void xe2_filters_are_in_flex_registers(void)
{
	struct gpuoa_custom *custom = begin("lnl");
	struct gpuoa_definitions *definitions;
	const struct gpuoa_set *set;

	add_plain(custom, "XVE_ACTIVE_PS_CYCLES"); /* filter threads=5 */
	add_plain(custom, "XVE_ACTIVE_CYCLES");
	add_plain(custom, "XVE_INST_EXECUTED_SEND_CS"); /* filter threads=6 */
	add_plain(custom, "XVE_STALL_RT_CYCLES"); /* filter threads=12 */
	CHECK(gpuoa_custom_schedule(custom, NULL, error, sizeof(error)) == 1);
	set = gpuoa_platform_find_set(build(custom, &definitions), "Custom1", NULL, NULL);
	REQUIRE(set);
	CHECK(event_of(set, 7) == 0x605 && event_of(set, 8) == 0x601 && event_of(set, 9) == 0x606);
	CHECK(event_of(set, 0) == 0x605);
	CHECK(register_of(set, GPUOA_REGISTER_FLEX, 0xe458) == 0x60050);
	CHECK(register_of(set, GPUOA_REGISTER_FLEX, 0xe558) == 0xc0);
	CHECK(!register_of(set, GPUOA_REGISTER_FLEX, 0xe658));
	gpuoa_definitions_free(definitions);
	gpuoa_custom_free(custom);
}

static bool is_counted(const struct gpuoa_set *set)
{
	struct gpuoa_set_desc desc;

	gpuoa_set_describe(set, &desc, sizeof(desc));
	return desc.format == GPUOA_REPORT_PEC64U64;
}

/* Return the number of a metric's counter; SIZE_MAX if it has none or several. */
static size_t counter_of(const struct gpuoa_metric *metric)
{
	struct gpuoa_equation equation = gpuoa_metric_equation(metric, GPUOA_EQUATION_VALUE);
	struct gpuoa_equation_element element;
	size_t counter = SIZE_MAX;

	while (gpuoa_equation_next(&equation, &element, sizeof(element)))
		if (element.kind == GPUOA_ELEMENT_COUNTER) {
			if (counter != SIZE_MAX && counter != element.index)
				return SIZE_MAX;
			counter = element.index;
		}
	return counter;
}

/*
 * Check that each public set that has a metric with this symbol programs @event for it. Returns the
 * number of metrics compared.
 */
static size_t check_public(const struct gpuoa_platform *public,
			   const struct gpuoa_metric_desc *mine, uint64_t event)
{
	const size_t count = gpuoa_platform_set_count(public);
	size_t compared = 0;

	for (size_t i = 0; i < count; i++) {
		const struct gpuoa_set *set = gpuoa_platform_get_set(public, i);
		const struct gpuoa_metric *metric = gpuoa_set_find_metric(set, mine->symbol);
		const size_t counter = metric ? counter_of(metric) : SIZE_MAX;

		if (counter == SIZE_MAX || !is_counted(set) || event_of(set, counter) == UINT64_MAX)
			continue;
		if (!CHECK(event_of(set, counter) == event))
			printf("# %s on PEC%zu\n", mine->symbol, counter);
		compared++;
	}
	return compared;
}

/* Check all events and utilizations that have the same symbol as a public metric. */
static void check_events(const char *name)
{
	struct gpuoa_custom *custom = begin(name);
	const size_t count = gpuoa_custom_event_count(custom);
	const struct gpuoa_option_value utilization = { UTILIZATION, 1 };
	struct gpuoa_instance instance = { .size = sizeof(instance), .options = &utilization };
	const struct gpuoa_platform *platform;
	struct gpuoa_definitions *definitions;
	uint64_t *ids = calloc(2 * count, sizeof(*ids));
	struct gpuoa_metric_desc desc;
	size_t compared = 0, made = 0;
	int sets;

	REQUIRE(ids);
	for (size_t i = 0; i < 2 * count; i++) {
		instance.option_count = i % 2;
		made += !gpuoa_custom_instantiate(custom, i / 2, &instance, &ids[i], NULL, 0);
	}
	sets = gpuoa_custom_schedule(custom, NULL, error, sizeof(error));
	platform = build(custom, &definitions);
	for (size_t i = 0; i < 2 * count && platform; i++) {
		const struct gpuoa_metric *metric = ids[i] ? placed(custom, ids[i], platform) :
							     NULL;

		if (!metric)
			continue;
		gpuoa_metric_describe(metric, &desc, sizeof(desc));
		compared += check_public(gpuoa_platform_find(name), &desc,
					 event_of(desc.set, counter_of(metric)));
	}
	printf("# %s: %zu instances in %d sets, %zu public metrics\n", name, made, sets, compared);
	CHECK(sets > 1 && (size_t)sets <= count / 16);
	CHECK(compared > 100);
	free(ids);
	gpuoa_definitions_free(definitions);
	gpuoa_custom_free(custom);
}

static void xe2_events_equal_those_of_public_sets(void)
{
	static const char *const platforms[] = { "bmg", "lnl", "ptl", "nvl", "nvlp", "cri" };

	for (size_t i = 0; i < sizeof(platforms) / sizeof(platforms[0]); i++)
		check_events(platforms[i]);
}

/* The public set TestOa counts the test event in each Xe core. */
static void xe2_parts_equal_those_of_public_sets(void)
{
	const struct gpuoa_platform *public = gpuoa_platform_find("lnl");
	const struct gpuoa_option_value none = { RATE, 0 };

	for (uint64_t n = 0; n < 8; n++) {
		const struct gpuoa_option_value core = { DISAGGREGATION, n + 1 };
		struct alone alone;

		if (alone_open(&alone, "lnl", "TEST_EVENT1_CYCLES", core, none))
			CHECK(check_public(public, &alone.desc, event_of(alone.desc.set, 0)) == 1);
		alone_close(&alone);
	}
}

/* Add one instance of each event descriptor that @chosen accepts, for the first @count of them. */
static void add_some(struct gpuoa_custom *custom, bool (*chosen)(const char *symbol), size_t count)
{
	const struct gpuoa_instance plain = { .size = sizeof(plain) };
	struct gpuoa_event_desc desc;
	uint64_t id;

	for (size_t i = 0; count; i++) {
		REQUIRE(!gpuoa_custom_describe_event(custom, i, &desc, sizeof(desc)));
		if (!chosen(desc.symbol))
			continue;
		CHECK(!gpuoa_custom_instantiate(custom, i, &plain, &id, NULL, 0));
		count--;
	}
}

static bool is_of_pixel_shaders(const char *symbol)
{
	return strstr(symbol, "_PS_CYCLES") && !strncmp(symbol, "XVE_", 4);
}

static bool is_of_ray_tracing(const char *symbol)
{
	return !strncmp(symbol, "RT_", 3);
}

static bool is_of_alu(const char *symbol)
{
	return !strncmp(symbol, "XVE_INST_EXECUTED_ALU0_", 23) && !strstr(symbol, "_ALL");
}

static bool is_of_l3(const char *symbol)
{
	return strstr(symbol, "_L3_") || !strncmp(symbol, "L3_", 3);
}

static bool is_of_clipper(const char *symbol)
{
	return !strncmp(symbol, "CLIPPER_", 8);
}

/*
 * The first 32 counters and the last 32 count different groups of events. 14 counters of the first
 * group are flexible: only these can count events with a filter.
 */
static void xe2_set_has_64_counters(void)
{
	struct gpuoa_custom *custom = begin("lnl");
	struct gpuoa_definitions *definitions;

	/* one of these 19 is at first assigned to a flexible counter */
	add_some(custom, is_of_ray_tracing, 19);
	add_some(custom, is_of_l3, 26);
	add_some(custom, is_of_clipper, 6);
	add_some(custom, is_of_alu, 11);
	add_some(custom, is_of_pixel_shaders, 2);
	CHECK(gpuoa_custom_schedule(custom, NULL, error, sizeof(error)) == 1);
	CHECK(build(custom, &definitions));
	gpuoa_definitions_free(definitions);
	add_plain(custom, "XVE_ACTIVE_VS_CYCLES");
	CHECK(gpuoa_custom_schedule(custom, NULL, error, sizeof(error)) == 1);
	gpuoa_custom_free(custom);
}

static size_t parts_of(const struct gpuoa_custom *custom, const char *prototype)
{
	struct gpuoa_option_desc desc;

	CHECK(!gpuoa_custom_describe_option(custom, find(custom, prototype), 0, &desc,
					    sizeof(desc)));
	CHECK(desc.option == DISAGGREGATION);
	CHECK_STRING(desc.symbol, "disaggregation");
	return desc.choice_count - 1;
}

/* This GPU has six Xe cores and one slice less than the platform's usual part. */
static void parts_follow_constants_of_gpu(void)
{
	const struct gpuoa_option_value there = { DISAGGREGATION, 14 };
	const struct gpuoa_option_value absent = { DISAGGREGATION, 20 };
	const struct gpuoa_option_value none = { RATE, 0 };
	const struct gpuoa_platform *platform = gpuoa_platform_find("bmg");
	struct gpuoa_constants *constants;
	struct gpuoa_custom *custom = begin("bmg");
	struct alone alone;
	uint64_t id;

	CHECK(parts_of(custom, "XVE_ACTIVE_CYCLES") == 20);
	CHECK(parts_of(custom, "RASTERIZER_OUTPUT_READY_CYCLES") == 5);
	REQUIRE(!gpuoa_constants_new(platform, &constants));
	CHECK(!gpuoa_custom_use_constants(custom, constants)); /* all constants unknown */
	CHECK(parts_of(custom, "XVE_ACTIVE_CYCLES") == 20);
	CHECK(!gpuoa_constants_set(constants, "XeCoreMask", 0x0fffc));
	CHECK(!gpuoa_custom_use_constants(custom, constants));
	CHECK(parts_of(custom, "XVE_ACTIVE_CYCLES") == 14);
	CHECK(parts_of(custom, "RASTERIZER_OUTPUT_READY_CYCLES") == 4);
	CHECK(parts_of(custom, "L3_BUSY_CYCLES") == 18);
	CHECK(!add(custom, "XVE_ACTIVE_CYCLES", &there, 1, &id));
	CHECK(add(custom, "XVE_ACTIVE_CYCLES", &absent, 1, &id) == -EINVAL);
	CHECK_STRING(error, "option disaggregation of XVE_ACTIVE_CYCLES has no value 20");
	gpuoa_custom_free(custom);
	for (uint64_t n = 14; n <= 20; n += 6) {
		struct gpuoa_constants *own;

		if (alone_open(&alone, "bmg", "XVE_ACTIVE_CYCLES",
			       (struct gpuoa_option_value){ DISAGGREGATION, n }, none)) {
			REQUIRE(!gpuoa_constants_new(
				gpuoa_definitions_get_platform(alone.definitions, 0), &own));
			CHECK(!gpuoa_constants_set(own, "XeCoreMask", 0x0fffc));
			CHECK(gpuoa_metric_available(alone.metric, own, NULL, 0) ==
			      (n == 14 ? 1 : 0));
			gpuoa_constants_free(own);
		}
		alone_close(&alone);
	}
	gpuoa_constants_free(constants);
}

static void xe2_normalizations_exclude_each_other(void)
{
	static const struct gpuoa_option_value bad[][2] = {
		{ { AVERAGE, 1 }, { RATE, 1 } },
		{ { UTILIZATION, 1 }, { AVERAGE, 1 } },
	};
	struct gpuoa_custom *custom = begin("lnl");
	const struct gpuoa_option_value byte = { BYTE, 1 };
	const uint64_t other = add_with(custom, "L3_READ", AVERAGE, 1);
	uint64_t id;

	CHECK(add(custom, "SLM_BYTE_READ", bad[0], 2, &id) == -EINVAL);
	CHECK_STRING(error, "average and rate are normalizations: one is possible");
	CHECK(add(custom, "L3_BUSY_CYCLES", bad[1], 2, &id) == -EINVAL);
	CHECK_STRING(error, "utilization and average are normalizations: one is possible");
	CHECK(add(custom, "IA_VERTEX", &byte, 1, &id) == -EINVAL);
	CHECK_STRING(error, "IA_VERTEX has no option byte");
	CHECK(!gpuoa_custom_set_option(custom, other, byte, error, sizeof(error)));
	gpuoa_custom_free(custom);
}

static void check_saved(struct gpuoa_custom *custom)
{
	struct gpuoa_definitions *definitions, *loaded = NULL;
	const struct gpuoa_platform *platform;
	char *text, *again;
	size_t length;

	CHECK(gpuoa_custom_schedule(custom, NULL, error, sizeof(error)) == 1);
	platform = build(custom, &definitions);
	REQUIRE(platform);
	length = gpuoa_platform_text(platform, NULL, 0);
	text = malloc(length + 1);
	again = malloc(length + 1);
	REQUIRE(text && again);
	gpuoa_platform_text(platform, text, length + 1);
	if (!CHECK(!gpuoa_definitions_parse("saved", text, length, &loaded, error, sizeof(error))))
		printf("# %s\n", error);
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

static void programmed_sets_round_trip(void)
{
	struct gpuoa_custom *custom = begin("tglgt2");

	add_with(custom, "EuAnyActive", UTILIZATION, 1);
	add_with(custom, "EuStalled", GPUOA_OPTION_THREADS, 5);
	check_saved(custom);
	custom = begin("bmg");
	add_with(custom, "XVE_STALL_PS_CYCLES", DISAGGREGATION, 20);
	add_with(custom, "L3_BUSY_CYCLES", UTILIZATION, 1);
	add_with(custom, "COPY_ENGINE_READ_REQUEST", AVERAGE, 1);
	add_with(custom, "XVE_ACTIVE_CYCLES", AVERAGE, 1);
	check_saved(custom);
}

int main(void)
{
	RUN(platforms_have_event_descriptors);
	RUN(unknown_platform_has_no_pec_events);
	RUN(xe2_has_all_events_and_options);
	RUN(flexible_registers_determine_events_and_options);
	RUN(constants_determine_normalizations);
	RUN(fixed_counters_need_a_public_metric);
	RUN(new_sets_are_like_first_complete_set);
	RUN(wrong_options_are_rejected);
	RUN(instances_accept_names);
	RUN(pec_instances_accept_names);
	RUN(assigned_set_has_three_basic_metrics);
	RUN(normalizations_change_equations);
	RUN(eu_quarter_divides_by_quarter_of_eus);
	RUN(fifth_bit_of_event_is_above_the_events);
	RUN(instruction_kind_is_bits_11_8_of_event);
	RUN(row_is_bits_7_4_of_event);
	RUN(registers_equal_those_of_public_sets);
	RUN(instances_share_sets);
	RUN(fourteen_events_fill_the_flexible_registers);
	RUN(new_symbols_avoid_those_in_use);
	RUN(long_symbols_are_numbered);
	RUN(rejected_option_changes_nothing);
	RUN(equal_programmed_sets_have_equal_uuids);
	RUN(equal_events_share_counter);
	RUN(schedule_above_max_sets_returns_enospc);
	RUN(assigned_instances_are_immutable);
	RUN(removed_metric_releases_its_instance);
	RUN(events_move_to_other_counters);
	RUN(flexible_counters_come_last);
	RUN(sets_have_the_prefix);
	RUN(unknown_instances_are_reported);
	RUN(old_events_do_not_depend_on_constants);
	RUN(dense_counters_return_eopnotsupp);
	RUN(xe2_options_change_equations);
	RUN(xe2_events_are_in_registers);
	RUN(xe2_filters_are_in_flex_registers);
	RUN(xe2_events_equal_those_of_public_sets);
	RUN(xe2_parts_equal_those_of_public_sets);
	RUN(xe2_set_has_64_counters);
	RUN(parts_follow_constants_of_gpu);
	RUN(xe2_normalizations_exclude_each_other);
	RUN(programmed_sets_round_trip);
	return tap_end();
}
