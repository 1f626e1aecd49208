// SPDX-License-Identifier: MIT
/*
 * pec_events_test.c - Compare all events of PEC counters, with their options, registers and
 * equations, with the vendor's list in pec_events.facts
 */
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "gpuoa-programmable.h"
#include "tap.h"

#define FILE_NAME "lib/tests/pec_events.facts"
#define FACTS_MAX 512
#define KINDS 7 /* kinds of parts, and 0 for none */
#define COLUMNS 14
#define INSTANCES_MAX 4096
#define NOT_PROGRAMMED UINT64_MAX

/* One line of the list. Strings are stored as in the file. */
struct fact {
	const char *symbol;
	const char *name;
	const char *group;
	const char *counted; /* unit that has the event: "xecore" */
	const char *units;
	const char *hw_unit;
	uint32_t encoding;
	uint32_t filter;
	char counters;
	const char *reports;
	uint32_t kind;
	const char *normalizations;
	const char *corrections;
	const char *platforms;
};

static struct fact facts[FACTS_MAX];
static size_t fact_count;

/* The parts that the usual GPU of a platform has, as masks, by kind */
static const struct gpu {
	const char *name;
	uint64_t parts[KINDS];
} gpus[] = {
	{ "bmg", { 0, 0xfffff, 0x777777, 0x1f, 0x3f, 0x3f, 7 } },
	{ "lnl", { 0, 0xff, 0xff, 3, 3, 3, 1 } },
	{ "ptl", { 0, 0xfff, 0xffff, 3, 0xf, 0xf, 3 } },
	{ "nvl", { 0, 0xf, 0xff, 1, 3, 3, 1 } },
	{ "nvlp", { 0, 0xfff, 0xffff, 3, 0, 0, 3 } },
	{ "cri", { 0, 0xffffffff, 0xffffffff, 0, 0, 0, 0xf } },
};

/* Names of a part of each kind: in the symbol of an option's value, and in a description */
static const struct {
	const char *symbol;
	const char *name;
	const char *flag; /* constant that is 1 if the part exists, without its number */
} kinds[KINDS] = {
	{ "", "", "" },
	{ "xecore", "Xe core", "GtXeCore" },
	{ "l3bank", "L3 bank", "GtL3Bank" },
	{ "slice", "slice", "GtSlice" },
	{ "sqidi", "SQIDI", "GtSqidi" },
	{ "l3node", "L3 node", "GtL3Node" },
	{ "copyengine", "copy engine", "GtCopyEngine" },
};

/* The number of units by which an average is divided: if the whole GPU is counted, or one part. */
static const struct {
	const char *counted;
	const char *whole;
	const char *part;
	bool by_engines; /* the utilization of the whole GPU is that of the vector engines */
} divisors[] = {
	{ "-", "", "", false },
	{ "ccs", " // ComputeEngineTotalCount", "", false },
	{ "copyengine", " // CopyEngineTotalCount", "", false },
	{ "eu", " // VectorEngineTotalCount", " // VectorEnginePerXeCoreCount", true },
	{ "geompipe", " // GeometryPipeTotalCount",
	  " // (GeometryPipeTotalCount // SliceTotalCount)", false },
	{ "grfblock", " // (VectorEngineGrfBlocksCount * VectorEngineTotalCount)",
	  " // (VectorEngineGrfBlocksCount * VectorEnginePerXeCoreCount)", false },
	{ "l3bank", " // L3BankTotalCount", "", false },
	{ "l3node", " // L3NodeTotalCount", "", false },
	{ "pixpipe", " // ColorPipeTotalCount", " // (ColorPipeTotalCount // SliceTotalCount)",
	  false },
	{ "slice", " // SliceTotalCount", "", false },
	{ "sqidi", " // SqidiTotalCount", "", false },
	{ "thread", " // VectorEngineTotalCount // VectorEngineThreadsCount",
	  " // VectorEnginePerXeCoreCount // VectorEngineThreadsCount", true },
	{ "xecore", " // XeCoreTotalCount", "", false },
	{ "zpipe", " // DepthPipeTotalCount", " // (DepthPipeTotalCount // SliceTotalCount)",
	  false },
};

#define DIVISORS (sizeof(divisors) / sizeof(divisors[0]))

static void give_up(const char *what)
{
	printf("Bail out! %s: %s\n", FILE_NAME, what);
	exit(1);
}

static void add_fact(char *line)
{
	char *column[COLUMNS];

	for (size_t i = 0; i < COLUMNS; i++) {
		column[i] = strsep(&line, "\t");
		if (!column[i])
			give_up("a line has too few columns");
	}
	if (fact_count == FACTS_MAX)
		give_up("too many lines");
	facts[fact_count++] = (struct fact){
		.symbol = column[0],
		.name = column[1],
		.group = column[2],
		.counted = column[3],
		.units = column[4],
		.hw_unit = column[5],
		.encoding = (uint32_t)strtoul(column[6], NULL, 16),
		.filter = (uint32_t)strtoul(column[7], NULL, 10),
		.counters = *column[8],
		.reports = column[9],
		.kind = (uint32_t)strtoul(column[10], NULL, 10),
		.normalizations = column[11],
		.corrections = column[12],
		.platforms = column[13],
	};
}

static void read_facts(void)
{
	FILE *file = fopen(FILE_NAME, "r");
	char *line = NULL;
	size_t size = 0;

	if (!file)
		give_up("run from the top of the tree");
	while (getline(&line, &size, file) > 0) {
		line[strcspn(line, "\n")] = '\0';
		if (*line == '#')
			continue;
		add_fact(line);
		line = NULL; /* the facts refer to it until the program ends */
		size = 0;
	}
	free(line);
	fclose(file);
}

/* True if a list of words separated by spaces has this word. */
static bool has_word(const char *list, const char *word)
{
	const size_t length = strlen(word);

	for (const char *at = strstr(list, word); at; at = strstr(at + 1, word))
		if ((at == list || at[-1] == ' ') && (!at[length] || at[length] == ' '))
			return true;
	return false;
}

/* Find the fact of an event of a platform. */
static const struct fact *find_fact(const char *platform, const char *symbol)
{
	for (size_t i = 0; i < fact_count; i++)
		if (!strcmp(facts[i].symbol, symbol) && has_word(facts[i].platforms, platform))
			return &facts[i];
	return NULL;
}

static struct gpuoa_custom *begin(const char *platform)
{
	struct gpuoa_custom *custom = NULL;

	CHECK(!gpuoa_custom_new(gpuoa_platform_find(platform), &custom));
	return custom;
}

/* ---- descriptors ---- */

static uint32_t reports_of(const char *text)
{
	uint32_t reports = 1u << GPUOA_QUERY_NONE;

	for (; *text; text++)
		reports |= 1u << (*text == 'R' ? GPUOA_QUERY_RENDER :
				  *text == 'C' ? GPUOA_QUERY_COMPUTE :
						 GPUOA_QUERY_GLOBAL);
	return reports;
}

/* Check the values of the option that selects one part of the GPU: all of them, or each part. */
static void check_parts(const struct gpuoa_option_desc *option, uint32_t kind, uint64_t mask)
{
	const struct gpuoa_option_choice *choice = option->choices;
	char text[64];

	CHECK(!option->default_value && !option->normalization);
	REQUIRE(option->choice_count == 1 + (size_t)__builtin_popcountll(mask));
	CHECK(!choice->value);
	CHECK_STRING(choice->symbol, "all");
	snprintf(text, sizeof(text), "of all %ss", kinds[kind].name);
	CHECK_STRING(choice->description, text);
	for (unsigned int n = 0; n < 64; n++) {
		if (!(mask >> n & 1))
			continue;
		choice++;
		CHECK(choice->value == n + 1);
		snprintf(text, sizeof(text), "%s%u", kinds[kind].symbol, n);
		CHECK_STRING(choice->symbol, text);
		snprintf(text, sizeof(text), "of %s %u alone", kinds[kind].name, n);
		CHECK_STRING(choice->description, text);
	}
}

static void check_options(const struct gpuoa_custom *custom, size_t event, const struct gpu *gpu,
			  const struct fact *fact)
{
	static const char normalizations[] = "UARB";
	struct gpuoa_option_desc option;
	size_t count = 0;

	if (fact->kind &&
	    CHECK(!gpuoa_custom_describe_option(custom, event, count++, &option, sizeof(option)))) {
		CHECK(option.option == GPUOA_OPTION_DISAGGREGATION);
		check_parts(&option, fact->kind, gpu->parts[fact->kind]);
	}
	for (int i = 0; normalizations[i]; i++) {
		if (!strchr(fact->normalizations, normalizations[i]))
			continue;
		CHECK(!gpuoa_custom_describe_option(custom, event, count++, &option,
						    sizeof(option)));
		CHECK((int)option.option == GPUOA_OPTION_UTILIZATION + i && option.normalization);
		CHECK(option.choice_count == 2 && !option.default_value);
	}
	CHECK(gpuoa_custom_describe_option(custom, event, count, &option, sizeof(option)) ==
	      -ERANGE);
}

static void check_descriptors(const struct gpu *gpu)
{
	struct gpuoa_custom *custom = begin(gpu->name);
	const size_t count = gpuoa_custom_event_count(custom);
	struct gpuoa_event_desc desc;
	size_t expected = 0;

	for (size_t i = 0; i < fact_count; i++)
		expected += has_word(facts[i].platforms, gpu->name);
	CHECK(expected && count == expected);
	for (size_t i = 0; i < count; i++) {
		const struct fact *fact;

		CHECK(!gpuoa_custom_describe_event(custom, i, &desc, sizeof(desc)));
		fact = find_fact(gpu->name, desc.symbol);
		if (!CHECK(fact))
			continue;
		CHECK_STRING(desc.name, fact->name);
		CHECK_STRING(desc.group, fact->group);
		CHECK_STRING(desc.units, fact->units);
		CHECK_STRING(desc.hw_unit, fact->hw_unit);
		CHECK_STRING(desc.domain, "OA");
		CHECK(desc.type == GPUOA_TYPE_UINT64 && desc.semantic == GPUOA_SEMANTIC_EVENT);
		CHECK(desc.reports == reports_of(fact->reports));
		check_options(custom, i, gpu, fact);
	}
	gpuoa_custom_free(custom);
}

static void descriptors_equal_the_list(void)
{
	for (size_t i = 0; i < sizeof(gpus) / sizeof(gpus[0]); i++)
		check_descriptors(&gpus[i]);
}

/* ---- equations and registers ---- */

/* An instance of an event, and the normalizations and the part that it has */
struct made {
	const struct fact *fact;
	uint64_t id;
	char normalizations[3];
	uint64_t part; /* number + 1, or 0 */
};

static struct made all[INSTANCES_MAX];
static size_t all_count;

static void make(struct gpuoa_custom *custom, size_t event, const struct fact *fact,
		 const char *normalizations, uint64_t part)
{
	struct gpuoa_option_value options[3] = { { GPUOA_OPTION_DISAGGREGATION, part } };
	struct gpuoa_instance instance = {
		.size = sizeof(instance),
		.options = options,
		.option_count = fact->kind ? 1 : 0,
	};
	struct made *made = &all[all_count];

	REQUIRE(all_count < INSTANCES_MAX);
	*made = (struct made){ .fact = fact, .part = part };
	snprintf(made->normalizations, sizeof(made->normalizations), "%s", normalizations);
	for (; *normalizations; normalizations++)
		options[instance.option_count++] =
			(struct gpuoa_option_value){ *normalizations == 'U' ?
							     GPUOA_OPTION_UTILIZATION :
						     *normalizations == 'A' ? GPUOA_OPTION_AVERAGE :
						     *normalizations == 'R' ? GPUOA_OPTION_RATE :
									      GPUOA_OPTION_BYTE,
						     1 };
	if (CHECK(!gpuoa_custom_instantiate(custom, event, &instance, &made->id, NULL, 0)))
		all_count++;
}

/*
 * Make an instance in a set without other events, where it has the first of the counters that
 * support it.
 */
static void make_alone(struct gpuoa_custom *custom, size_t event, const struct fact *fact)
{
	const size_t count = all_count;
	char symbol[32];

	snprintf(symbol, sizeof(symbol), "Alone%zu", event);
	make(custom, event, fact, "", 0);
	if (all_count > count)
		CHECK(!gpuoa_custom_assign(custom, all[count].id, symbol, NULL, 0));
}

/* Make instances with all normalizations, without and with the last part of the GPU. */
static void make_instances(struct gpuoa_custom *custom, size_t event, const struct gpu *gpu,
			   const struct fact *fact)
{
	static const char *const normalizations[] = { "", "U", "A", "R", "B", "AB" };
	const uint64_t mask = gpu->parts[fact->kind];
	const uint64_t last = mask ? 64 - (uint64_t)__builtin_clzll(mask) : 0;

	if (fact->counters == 'F' && !fact->filter)
		make_alone(custom, event, fact);
	for (size_t i = 0; i < sizeof(normalizations) / sizeof(normalizations[0]); i++) {
		if (strspn(normalizations[i], fact->normalizations) != strlen(normalizations[i]))
			continue;
		make(custom, event, fact, normalizations[i], 0);
		if (last)
			make(custom, event, fact, normalizations[i], last);
	}
}

/* Write the equation that an instance should have if PEC @counter counts it. */
static void expected_equation(const struct made *made, unsigned int counter, char *text,
			      size_t size)
{
	const bool utilization = strchr(made->normalizations, 'U');
	const bool average = strchr(made->normalizations, 'A');
	const char *divisor = "", *engines = "";
	char corrections[64], *correction, *rest = corrections;
	int length;
	size_t i = 0;

	while (i < DIVISORS - 1 && strcmp(divisors[i].counted, made->fact->counted))
		i++;
	CHECK_STRING(divisors[i].counted, made->fact->counted);
	length = snprintf(text, size, "PEC%u", counter);
	snprintf(corrections, sizeof(corrections), "%s", made->fact->corrections);
	while ((correction = strsep(&rest, ","))) {
		correction += *correction == ' ';
		if (!strncmp(correction, "part ", 5))
			correction = made->part ? correction + 5 : "-";
		else if (!strncmp(correction, "utilization ", 12))
			correction = utilization ? correction + 12 : "-";
		if (strcmp(correction, "-"))
			length += snprintf(text + length, size - length, " %s", correction);
	}
	if (utilization && divisors[i].by_engines && !made->part) {
		divisor = strstr(divisors[i].whole, " // VectorEngineThreadsCount");
		engines = " * VectorEngineTotalCount)";
	} else if (utilization || average) {
		divisor = made->part ? divisors[i].part : divisors[i].whole;
	}
	length += snprintf(text + length, size - length, "%s", divisor ? divisor : "");
	if (utilization)
		length += snprintf(text + length, size - length, " * 100 / %sGpuCoreClocks%s",
				   *engines ? "(" : "", engines);
	if (strchr(made->normalizations, 'R'))
		length += snprintf(text + length, size - length, " / GpuTime");
	if (strchr(made->normalizations, 'B'))
		snprintf(text + length, size - length, " * 64");
}

/* Return the value that a set writes to a register, or NOT_PROGRAMMED. */
static uint64_t register_of(const struct gpuoa_set *set, enum gpuoa_register_kind kind,
			    uint32_t address)
{
	static struct gpuoa_reg regs[512];
	const int count = gpuoa_set_registers(set, kind, NULL, regs, 512);
	uint64_t value = NOT_PROGRAMMED;

	CHECK(count >= 0 && count <= 512);
	for (int i = 0; i < count; i++)
		if (regs[i].address == address)
			value = regs[i].value;
	return value;
}

/* Check that the counter that was assigned supports the event, and its registers. */
static void check_registers(const struct made *made, const struct gpuoa_set *set,
			    unsigned int counter)
{
	static const uint32_t flexible[] = {
		0xe458, 0xe558, 0xe658, 0xe758, 0xe45c, 0xe55c, 0xe65c
	};
	const struct fact *fact = made->fact;
	const uint32_t first = counter < 32 ? 0x13000 + 8 * counter : 0x13300 + 8 * (counter - 32);
	const uint64_t part = made->part ? fact->kind << 16 | (made->part - 1) << 20 : 0;
	const bool is_flexible = counter >= 7 && counter <= 20;
	uint64_t filter = 0;

	CHECK(fact->counters == '2' ? counter >= 32 && counter < 64 : counter < 32);
	CHECK(fact->counters != 'F' || is_flexible);
	for (uint32_t copy = 0; copy < (counter < 32 ? 1 : 3); copy++) {
		const uint32_t address = first + 0x200 * copy;

		CHECK(register_of(set, GPUOA_REGISTER_BOOLEAN, address) == (fact->encoding | part));
		CHECK(!register_of(set, GPUOA_REGISTER_BOOLEAN, address + 4));
	}
	if (is_flexible)
		filter = register_of(set, GPUOA_REGISTER_FLEX, flexible[(counter - 7) / 2]) >>
				 (counter % 2 ? 0 : 12) &
			 0xfff;
	CHECK(filter == fact->filter << 4);
}

/* Check units and type of a metric, and when it is available. */
static void check_metric(const struct made *made, const struct gpuoa_metric_desc *desc)
{
	const struct fact *fact = made->fact;
	const char *normalization = made->normalizations;
	char text[64];

	if (*normalization == 'R' && strcmp(fact->units, "bytes"))
		snprintf(text, sizeof(text), "%s per ns", fact->units);
	else
		snprintf(text, sizeof(text), "%s",
			 *normalization == 'U'	    ? "percent" :
			 *normalization == 'R'	    ? "gbps" :
			 strchr(normalization, 'B') ? "bytes" :
						      fact->units);
	CHECK_STRING(desc->units, text);
	CHECK_STRING(desc->alias, fact->symbol);
	CHECK_STRING(desc->max, *normalization == 'U' ? "100" : "");
	CHECK_STRING(desc->group, fact->group);
	CHECK_STRING(desc->hw_unit, fact->hw_unit);
	CHECK(desc->type == (*normalization == 'U' || *normalization == 'R' ? GPUOA_TYPE_FLOAT :
									      GPUOA_TYPE_UINT64));
	CHECK(desc->semantic == (*normalization == 'U' ? GPUOA_SEMANTIC_DURATION :
				 *normalization == 'R' ? GPUOA_SEMANTIC_THROUGHPUT :
							 GPUOA_SEMANTIC_EVENT));
	*text = '\0';
	if (made->part)
		snprintf(text, sizeof(text), "%s%u", kinds[fact->kind].flag,
			 (unsigned int)made->part - 1);
	CHECK_STRING(desc->availability, text);
}

static void check_instance(const struct made *made, const struct gpuoa_custom *custom,
			   const struct gpuoa_platform *platform)
{
	const struct gpuoa_metric *metric;
	const struct gpuoa_set *set;
	struct gpuoa_metric_desc desc;
	const char *symbol, *name;
	unsigned int counter = 0;
	char equation[256];

	REQUIRE(!gpuoa_custom_get_assignment(custom, made->id, &symbol, &name));
	set = gpuoa_platform_find_set(platform, symbol, NULL, NULL);
	REQUIRE(set);
	metric = gpuoa_set_find_metric(set, name);
	REQUIRE(metric);
	gpuoa_metric_describe(metric, &desc, sizeof(desc));
	if (!CHECK(sscanf(desc.equation, "PEC%u", &counter) == 1))
		return;
	expected_equation(made, counter, equation, sizeof(equation));
	CHECK_STRING(desc.equation, equation);
	check_registers(made, set, counter);
	check_metric(made, &desc);
}

static void check_instances(const struct gpu *gpu)
{
	struct gpuoa_custom *custom = begin(gpu->name);
	struct gpuoa_definitions *definitions = NULL;
	const struct gpuoa_platform *platform;
	struct gpuoa_event_desc desc;
	char error[256] = "";
	int sets;

	all_count = 0;
	for (size_t i = 0; !gpuoa_custom_describe_event(custom, i, &desc, sizeof(desc)); i++) {
		const struct fact *fact = find_fact(gpu->name, desc.symbol);

		if (CHECK(fact))
			make_instances(custom, i, gpu, fact);
	}
	sets = gpuoa_custom_schedule(custom, NULL, error, sizeof(error));
	printf("# %s: %zu instances in %d sets\n", gpu->name, all_count, sets);
	if (CHECK(sets > 0) &&
	    CHECK(!gpuoa_custom_build(custom, &definitions, error, sizeof(error)))) {
		platform = gpuoa_definitions_get_platform(definitions, 0);
		for (size_t i = 0; i < all_count; i++)
			check_instance(&all[i], custom, platform);
	}
	gpuoa_definitions_free(definitions);
	gpuoa_custom_free(custom);
}

static void registers_and_equations_equal_the_list(void)
{
	for (size_t i = 0; i < sizeof(gpus) / sizeof(gpus[0]); i++)
		check_instances(&gpus[i]);
}

/* ---- names ---- */

/* The texts of a metric: symbol, name, and the end of its description */
static const struct named {
	const char *platform;
	const char *event;
	const char *normalizations;
	uint64_t part; /* number + 1, or 0 */
	const char *symbol;
	const char *name;
	const char *end;
} named[] = {
	{ "lnl", "XVE_ACTIVE_CYCLES", "", 0, "XVE_ACTIVE_CYCLES", "XVE Active Cycles", "" },
	{ "lnl", "XVE_ACTIVE_CYCLES", "U", 0, "XVE_ACTIVE", "XVE Active",
	  " Percent of the most that is possible." },
	{ "lnl", "XVE_INST_EXECUTED_ALU2_ALL", "U", 8,
	  "XVE_INST_EXECUTED_ALU2_ALL_UTILIZATION_XECORE7",
	  "XVE Inst Executed ALU2 All Utilization Xecore7",
	  " Percent of the most that is possible. Only of Xe core 7." },
	{ "bmg", "SYSMEM_TRANSACTION_WRITE", "B", 0, "SYSMEM_TRANSACTION_BYTE_WRITE",
	  "SysMem Transaction Byte Write", " In bytes." },
	{ "bmg", "GPU_MEMORY_BYTE_READ", "R", 3, "GPU_MEMORY_BYTE_READ_RATE_SQIDI2",
	  "GPU Memory Byte Read Rate Sqidi2", " Per nanosecond. Only of SQIDI 2." },
	{ "bmg", "L3_READ", "AB", 23, "L3_BYTE_READ_L3BANK22_AVERAGE",
	  "L3 Byte Read L3bank22 Average",
	  " Average of the L3 banks. In bytes. Only of L3 bank 22." },
	{ "bmg", "CLIPPER_INPUT_AVAILABLE_CYCLES", "A", 1,
	  "CLIPPER_INPUT_AVAILABLE_CYCLES_SLICE0_AVERAGE",
	  "Clipper Input Available Cycles Slice0 Average",
	  " Average of the geometry pipes. Only of slice 0." },
	{ "ptl", "RENDER_CACHE_OUTPUT_READY_CYCLES", "U", 4, "RENDER_CACHE_OUTPUT_READY_L3NODE3",
	  "Render Cache Output Ready L3node3",
	  " Percent of the most that is possible. Only of L3 node 3." },
	{ "cri", "COPY_ENGINE_READ_REQUEST", "A", 4, "COPY_ENGINE_READ_REQUEST_COPYENGINE3_AVERAGE",
	  "Copy Engine Read Request Copyengine3 Average",
	  " Average of the copy engines. Only of copy engine 3." },
};

/* Find an event and its description. */
static size_t find_event(const struct gpuoa_custom *custom, const char *symbol,
			 struct gpuoa_event_desc *desc)
{
	size_t i = 0;

	while (CHECK(!gpuoa_custom_describe_event(custom, i, desc, sizeof(*desc))) &&
	       strcmp(desc->symbol, symbol))
		i++;
	return i;
}

static void check_named(const struct named *one)
{
	struct gpuoa_custom *custom = begin(one->platform);
	struct gpuoa_definitions *definitions = NULL;
	struct gpuoa_event_desc event;
	struct gpuoa_metric_desc desc;
	const struct gpuoa_set *set;
	const size_t index = find_event(custom, one->event, &event);
	char text[512];

	all_count = 0;
	make(custom, index, find_fact(one->platform, one->event), one->normalizations, one->part);
	REQUIRE(all_count == 1);
	CHECK(!gpuoa_custom_assign(custom, all[0].id, "Mine", NULL, 0));
	REQUIRE(!gpuoa_custom_build(custom, &definitions, text, sizeof(text)));
	set = gpuoa_platform_find_set(gpuoa_definitions_get_platform(definitions, 0), "Mine", NULL,
				      NULL);
	REQUIRE(set && gpuoa_set_find_metric(set, one->symbol));
	gpuoa_metric_describe(gpuoa_set_find_metric(set, one->symbol), &desc, sizeof(desc));
	CHECK_STRING(desc.name, one->name);
	snprintf(text, sizeof(text), "%s%s", event.description, one->end);
	CHECK_STRING(desc.description, text);
	gpuoa_definitions_free(definitions);
	gpuoa_custom_free(custom);
}

static void options_change_names_and_descriptions(void)
{
	for (size_t i = 0; i < sizeof(named) / sizeof(named[0]); i++)
		check_named(&named[i]);
}

/* Return the description of a constant; "": the platform does not have it. */
static const char *constant_description(const struct gpuoa_constants *constants, const char *name)
{
	static struct gpuoa_constant_desc desc;

	for (size_t i = 0; i < gpuoa_constants_count(constants); i++)
		if (!strcmp(gpuoa_constants_name(constants, i), name) &&
		    CHECK(!gpuoa_constants_describe(constants, i, &desc, sizeof(desc))))
			return desc.description;
	return "";
}

/* Equations and conditions of parts use constants that the platform itself does not have. */
static void built_platform_describes_new_constants(void)
{
	struct gpuoa_custom *custom = begin("bmg");
	struct gpuoa_definitions *definitions = NULL;
	const struct gpuoa_platform *platform;
	struct gpuoa_constants *constants;
	struct gpuoa_event_desc event;
	const size_t active = find_event(custom, "XVE_ACTIVE_CYCLES", &event);
	const size_t read = find_event(custom, "L3_READ", &event);

	all_count = 0;
	make(custom, active, find_fact("bmg", "XVE_ACTIVE_CYCLES"), "A", 8);
	make(custom, read, find_fact("bmg", "L3_READ"), "", 23);
	make(custom, read, find_fact("bmg", "L3_READ"), "A", 23); /* the same constant again */
	make(custom, read, find_fact("bmg", "L3_READ"), "", 21); /* is in no set */
	for (size_t i = 0; i < 3; i++)
		CHECK(!gpuoa_custom_assign(custom, all[i].id, "Mine", NULL, 0));
	REQUIRE(!gpuoa_custom_build(custom, &definitions, NULL, 0));
	platform = gpuoa_definitions_get_platform(definitions, 0);
	REQUIRE(!gpuoa_constants_new(platform, &constants));
	CHECK_STRING(constant_description(constants, "GtL3Bank22"), "Is L3 bank 22 there?");
	CHECK_STRING(constant_description(constants, "VectorEnginePerXeCoreCount"),
		     "Vector engines of each Xe core.");
	CHECK_STRING(constant_description(constants, "GtL3Bank20"), "");
	gpuoa_constants_free(constants);
	gpuoa_definitions_free(definitions);
	gpuoa_custom_free(custom);
}

int main(void)
{
	read_facts();
	RUN(descriptors_equal_the_list);
	RUN(registers_and_equations_equal_the_list);
	RUN(options_change_names_and_descriptions);
	RUN(built_platform_describes_new_constants);
	return tap_end();
}
