// SPDX-License-Identifier: MIT
/*
 * prototypes_pec.c - the events of the PEC counters of Xe2 and later: event descriptors, options,
 * equations and names
 *
 * The events come from events_xe2.def. For given options, equations, register values and symbols
 * are the same as in the Metrics Discovery API.
 */
#include <errno.h>
#include <inttypes.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include "extra/custom/prototypes.h"
#include "gpu/rules.h"
#include "table/table.h"

#define ENCODING_GROUP2 0x4000 /* lowest number of an event in the second group */
#define PECS_GROUP1 UINT64_C(0x00000000ffffffff)
#define PECS_GROUP2 UINT64_C(0xffffffff00000000)
#define PECS_FLEXIBLE UINT64_C(0x00000000001fff80) /* PEC7 to PEC20 */

/* Platforms and combinations of them, as used in events_xe2.def. */
enum {
	BMG = 1 << 0,
	LNL = 1 << 1,
	PTL = 1 << 2,
	NVL = 1 << 3,
	NVLP = 1 << 4,
	CRI = 1 << 5,
	XE2 = BMG | LNL,
	XE2_XE3 = XE2 | PTL | NVL,
	RENDER = XE2_XE3 | NVLP,
	ALL = RENDER | CRI,
};

static const struct {
	char name[8];
	uint8_t bit;
} platforms[] = {
#include "platforms_pec.h"
};

enum {
	UTILIZATION = 1 << GPUOA_OPTION_UTILIZATION,
	AVERAGE = 1 << GPUOA_OPTION_AVERAGE,
	RATE = 1 << GPUOA_OPTION_RATE,
	BYTE = 1 << GPUOA_OPTION_BYTE,
};

enum {
	REPORTS_G = 1 << GPUOA_QUERY_NONE | 1 << GPUOA_QUERY_GLOBAL,
	REPORTS_RG = REPORTS_G | 1 << GPUOA_QUERY_RENDER,
	REPORTS_CG = REPORTS_G | 1 << GPUOA_QUERY_COMPUTE,
	REPORTS_RCG = REPORTS_RG | REPORTS_CG,
};

enum group {
	GROUP_AMFS,
	GROUP_COLOR_PIPE,
	GROUP_COPY_ENGINE,
	GROUP_DEPTH_PIPE,
	GROUP_DEVICE_CACHE,
	GROUP_FRONT_END,
	GROUP_GEOMETRY,
	GROUP_L1_CACHE,
	GROUP_MEMORY,
	GROUP_RASTERIZER,
	GROUP_RAY_TRACING,
	GROUP_SAMPLER,
	GROUP_TEST,
	GROUP_THREAD_DISPATCHER,
	GROUP_URB,
	GROUP_VECTOR_ENGINE,
};

static const char groups[][20] = {
	[GROUP_AMFS] = "AMFS",
	[GROUP_COLOR_PIPE] = "Color Pipe",
	[GROUP_COPY_ENGINE] = "Copy Engine",
	[GROUP_DEPTH_PIPE] = "Depth Pipe",
	[GROUP_DEVICE_CACHE] = "Device Cache",
	[GROUP_FRONT_END] = "Front End",
	[GROUP_GEOMETRY] = "Geometry",
	[GROUP_L1_CACHE] = "L1 Cache",
	[GROUP_MEMORY] = "Memory",
	[GROUP_RASTERIZER] = "Rasterizer",
	[GROUP_RAY_TRACING] = "Ray Tracing",
	[GROUP_SAMPLER] = "Sampler",
	[GROUP_TEST] = "Test",
	[GROUP_THREAD_DISPATCHER] = "Thread Dispatcher",
	[GROUP_URB] = "URB",
	[GROUP_VECTOR_ENGINE] = "Vector Engine",
};

/* Kinds of units of which a GPU has several, each with its own event */
enum instance_kind {
	INSTANCE_WHOLE, /* one per GPU */
	INSTANCE_COLOR_PIPE,
	INSTANCE_COMPUTE_ENGINE,
	INSTANCE_COPY_ENGINE,
	INSTANCE_DEPTH_PIPE,
	INSTANCE_ENGINE,
	INSTANCE_GEOMETRY_PIPE,
	INSTANCE_GRF_BLOCK,
	INSTANCE_L3_BANK,
	INSTANCE_L3_NODE,
	INSTANCE_SLICE,
	INSTANCE_SQIDI,
	INSTANCE_THREAD,
	INSTANCE_XECORE,
};

/*
 * Text that divides a count by the number of units: .all if the whole GPU is counted, .part if only
 * one part of it is. Utilizations of vector engines and threads use .engines instead of .all,
 * because they are divided by the cycles of all vector engines.
 */
static const struct {
	char plural[20];
	char hw_unit[16];
	char all[60];
	char part[70];
	bool by_engines;
	char engines[32];
} instances[] = {
	[INSTANCE_WHOLE] = { "parts", "gpu", "", "", false, "" },
	[INSTANCE_COLOR_PIPE] = { "color pipes", "gpu", " // ColorPipeTotalCount",
				  " // (ColorPipeTotalCount // SliceTotalCount)", false, "" },
	[INSTANCE_COMPUTE_ENGINE] = { "compute engines", "gpu", " // ComputeEngineTotalCount", "",
				      false, "" },
	[INSTANCE_COPY_ENGINE] = { "copy engines", "gpu", " // CopyEngineTotalCount", "", false,
				   "" },
	[INSTANCE_DEPTH_PIPE] = { "depth pipes", "gpu", " // DepthPipeTotalCount",
				  " // (DepthPipeTotalCount // SliceTotalCount)", false, "" },
	[INSTANCE_ENGINE] = { "vector engines", "eu", " // VectorEngineTotalCount",
			      " // VectorEnginePerXeCoreCount", true, "" },
	[INSTANCE_GEOMETRY_PIPE] = { "geometry pipes", "gpu", " // GeometryPipeTotalCount",
				     " // (GeometryPipeTotalCount // SliceTotalCount)", false, "" },
	[INSTANCE_GRF_BLOCK] = { "register blocks", "gpu",
				 " // (VectorEngineGrfBlocksCount * VectorEngineTotalCount)",
				 " // (VectorEngineGrfBlocksCount * VectorEnginePerXeCoreCount)",
				 false, "" },
	[INSTANCE_L3_BANK] = { "L3 banks", "subslice_bank", " // L3BankTotalCount", "", false, "" },
	[INSTANCE_L3_NODE] = { "L3 nodes", "gpu", " // L3NodeTotalCount", "", false, "" },
	[INSTANCE_SLICE] = { "slices", "slice", " // SliceTotalCount", "", false, "" },
	[INSTANCE_SQIDI] = { "SQIDIs", "gpu", " // SqidiTotalCount", "", false, "" },
	[INSTANCE_THREAD] = { "thread slots", "gpu",
			      " // VectorEngineTotalCount // VectorEngineThreadsCount",
			      " // VectorEnginePerXeCoreCount // VectorEngineThreadsCount", true,
			      " // VectorEngineThreadsCount" },
	[INSTANCE_XECORE] = { "Xe cores", "subslice", " // XeCoreTotalCount", "", false, "" },
};

/*
 * Kinds of parts of the GPU that can be counted separately, indexed by their values in event
 * selects
 */
static const struct {
	char name[12];
	char choice[12]; /* symbol of an option's value, without the number of the part */
	char symbol[12]; /* in the symbol of a metric */
	char title[12]; /* in the name of a metric */
	char mask[20]; /* constant: mask of existing parts */
	char flag[20]; /* name of the constant that is 1 if part n exists, without n */
} parts[PARTS] = {
	[PART_XECORE] = { "Xe core", "xecore", "XECORE", "Xecore", "GtXeCoreMask", "GtXeCore" },
	[PART_L3_BANK] = { "L3 bank", "l3bank", "L3BANK", "L3bank", "GtL3BankMask", "GtL3Bank" },
	[PART_SLICE] = { "slice", "slice", "SLICE", "Slice", "GtSliceMask", "GtSlice" },
	[PART_SQIDI] = { "SQIDI", "sqidi", "SQIDI", "Sqidi", "GtSqidiMask", "GtSqidi" },
	[PART_L3_NODE] = { "L3 node", "l3node", "L3NODE", "L3node", "GtL3NodeMask", "GtL3Node" },
	[PART_COPY_ENGINE] = { "copy engine", "copyengine", "COPYENGINE", "Copyengine",
			       "GtCopyEngineMask", "GtCopyEngine" },
};

/*
 * Each text is a member of a struct, so that the table refers to it by offset, without a
 * relocation.
 */
#define FIELD_OF(kind, line) kind##line
#define FIELD(kind, line) FIELD_OF(kind, line)

static const struct {
#define EVENT(encoding, filter, symbol, name, group, instance, part, units, options, reports, on, \
	      description)                                                                        \
	char FIELD(symbol_, __LINE__)[sizeof(#symbol)];                                           \
	char FIELD(name_, __LINE__)[sizeof(name)];                                                \
	char FIELD(description_, __LINE__)[sizeof(description)];
#include "extra/custom/events_xe2.def"
#undef EVENT
} texts = {
#define EVENT(encoding, filter, symbol, name, group, instance, part, units, options, reports, on, \
	      description)                                                                        \
#symbol, name, description,
#include "extra/custom/events_xe2.def"
#undef EVENT
};

static const struct pec_event {
	uint32_t symbol; /* offsets in texts */
	uint32_t name;
	uint32_t description;
	uint32_t options; /* bit mask of enum gpuoa_option */
	uint16_t encoding;
	uint8_t filter;
	uint8_t group;
	uint8_t instance;
	uint8_t part;
	uint8_t reports; /* bit mask of enum gpuoa_query_mode */
	uint8_t platforms;
	char units[12];
} events[] = {
#define EVENT(encoding, filter, symbol, name, group, instance, part, units, options, reports, on, \
	      description)                                                                        \
	{ offsetof(typeof(texts), FIELD(symbol_, __LINE__)),                                      \
	  offsetof(typeof(texts), FIELD(name_, __LINE__)),                                        \
	  offsetof(typeof(texts), FIELD(description_, __LINE__)),                                 \
	  options,                                                                                \
	  encoding,                                                                               \
	  filter,                                                                                 \
	  GROUP_##group,                                                                          \
	  INSTANCE_##instance,                                                                    \
	  PART_##part,                                                                            \
	  REPORTS_##reports,                                                                      \
	  on,                                                                                     \
	  #units },
#include "extra/custom/events_xe2.def"
#undef EVENT
};

#define EVENTS (sizeof(events) / sizeof(events[0]))

static const char *text_at(uint32_t offset)
{
	return (const char *)&texts + offset;
}

/*
 * Corrections for events whose counts are not single events, and for events that only flexible
 * counters support although their filter is 0
 */
enum correction {
	MULTIPLY,
	DIVIDE,
	MULTIPLY_PART, /* if one part is counted */
	MULTIPLY_UTILIZATION, /* only for utilizations */
	FLEXIBLE_ONLY,
};

static const struct {
	uint16_t encoding;
	uint8_t platforms;
	uint8_t correction;
	uint16_t factor;
} corrections[] = {
	{ 0x0601, XE2_XE3, FLEXIBLE_ONLY, 1 }, /* XVE_INST_EXECUTED_SEND_* */
	{ 0x0604, XE2, FLEXIBLE_ONLY, 1 }, /* XVE_THREADS_OCCUPANCY_* */
	{ 0x0604, XE2, MULTIPLY, 8 },
	{ 0x0614, ALL, MULTIPLY_UTILIZATION, 2 }, /* XVE_INST_EXECUTED_ALU2_ALL */
	{ 0x0a0c, NVLP | CRI, MULTIPLY, 4 }, /* LOAD_STORE_CACHE_NUMBER_OF_BANK_ACCESS_COUNT */
	{ 0x4007, RENDER, DIVIDE, 2 }, /* RENDER_CACHE_INPUT_AVAILABLE_CYCLES */
	{ 0x4008, RENDER, DIVIDE, 2 }, /* RENDER_CACHE_OUTPUT_READY_CYCLES */
	{ 0x5e0a, XE2, MULTIPLY, 2 }, /* GPU_MEMORY_BYTE_READ */
	{ 0x5e0a, XE2, MULTIPLY_PART, 256 },
	{ 0x5e0b, XE2, MULTIPLY, 2 }, /* GPU_MEMORY_BYTE_WRITE */
	{ 0x5e0b, XE2, MULTIPLY_PART, 256 },
};

#define CORRECTIONS (sizeof(corrections) / sizeof(corrections[0]))

static bool is_corrected(size_t i, const struct pec_event *event, uint32_t platform)
{
	return corrections[i].encoding == event->encoding && corrections[i].platforms & platform;
}

static uint32_t platform_bit(const struct gpuoa_platform *platform)
{
	for (size_t i = 0; i < sizeof(platforms) / sizeof(platforms[0]); i++)
		if (!strcmp(platforms[i].name, table_string(&platform->name)))
			return platforms[i].bit;
	return 0;
}

static uint64_t counters_of(const struct pec_event *event, uint32_t platform)
{
	if (event->encoding >= ENCODING_GROUP2)
		return PECS_GROUP2;
	for (size_t i = 0; i < CORRECTIONS; i++)
		if (is_corrected(i, event, platform) && corrections[i].correction == FLEXIBLE_ONLY)
			return PECS_FLEXIBLE;
	return event->filter ? PECS_FLEXIBLE : PECS_GROUP1;
}

static void add_event(struct prototypes *prototypes, const struct pec_event *event)
{
	prototypes->all[prototypes->count++] = (struct prototype){
		.symbol = text_at(event->symbol),
		.name = text_at(event->name),
		.description = text_at(event->description),
		.group = groups[event->group],
		.units = event->units,
		.hw_unit = instances[event->instance].hw_unit,
		.type = GPUOA_TYPE_UINT64,
		.semantic = GPUOA_SEMANTIC_EVENT,
		.options = event->options | (event->part ? 1u << GPUOA_OPTION_DISAGGREGATION : 0),
		.reports = event->reports,
		.select = event->encoding | (uint64_t)event->filter << PEC_FILTER_SHIFT,
		.counters = counters_of(event, prototypes->platform),
		.part = (enum part)event->part,
		.event = event,
	};
}

int prototypes_find_pec(const struct gpuoa_platform *platform, struct arena *arena,
			struct prototypes *prototypes)
{
	int err = 0;

	prototypes->platform = platform_bit(platform);
	if (!prototypes->platform)
		return 0;
	/*
	 * The first set of these platforms has the counters and the basic metrics, because
	 * definitions of users are added after the built-in sets of the same platform.
	 */
	prototypes->model = platform_sets(platform);
	prototypes->bank = BANK_PEC;
	prototypes->all = arena_alloc(arena, EVENTS * sizeof(*prototypes->all));
	if (!prototypes->all)
		return -ENOMEM;
	for (size_t i = 0; i < EVENTS; i++)
		if (events[i].platforms & prototypes->platform)
			add_event(prototypes, &events[i]);
	for (int part = PART_XECORE; part < PARTS && !err; part++)
		err = prototypes_set_parts(
			prototypes, (enum part)part,
			rule_usual_value(table_string(&platform->name), parts[part].mask), arena);
	return err;
}

const char *part_mask_constant(enum part part)
{
	return parts[part].mask;
}

__attribute__((format(printf, 2, 3))) static const char *print(struct arena *arena,
							       const char *format, ...)
{
	char text[64];
	va_list arguments;

	va_start(arguments, format);
	vsnprintf(text, sizeof(text), format, arguments);
	va_end(arguments);
	return arena_string(arena, text, strlen(text));
}

int prototypes_set_parts(struct prototypes *prototypes, enum part part, uint64_t mask,
			 struct arena *arena)
{
	const size_t count = 1 + (size_t)__builtin_popcountll(mask);
	struct gpuoa_option_choice *choices = arena_alloc(arena, count * sizeof(*choices));
	struct gpuoa_option_choice *choice = choices;
	bool good = choices;

	if (good)
		*choice++ = (struct gpuoa_option_choice){
			0, "all", print(arena, "of all %ss", parts[part].name)
		};
	for (unsigned int n = 0; n < 64 && good; n++) {
		if (!(mask >> n & 1))
			continue;
		*choice = (struct gpuoa_option_choice){
			.value = n + 1,
			.symbol = print(arena, "%s%u", parts[part].choice, n),
			.description = print(arena, "of %s %u alone", parts[part].name, n),
		};
		good = choice->symbol && choice->description;
		choice++;
	}
	if (!good || !choices->description)
		return -ENOMEM;
	prototypes->parts[part] = *option_desc(GPUOA_OPTION_DISAGGREGATION);
	prototypes->parts[part].choice_count = count;
	prototypes->parts[part].choices = choices;
	return 0;
}

uint64_t pec_select(const struct prototype *prototype, const uint64_t *values)
{
	const uint64_t number = values[GPUOA_OPTION_DISAGGREGATION];

	return prototype->select | (number ? (uint64_t)prototype->part << PEC_PART_SHIFT |
						     (number - 1) << PEC_PART_NUMBER_SHIFT :
					     0);
}

__attribute__((format(printf, 3, 4))) static void append(char *text, size_t size,
							 const char *format, ...)
{
	const size_t length = strlen(text);
	va_list arguments;

	va_start(arguments, format);
	vsnprintf(text + length, size - length, format, arguments);
	va_end(arguments);
}

static void append_corrections(const struct prototypes *prototypes,
			       const struct prototype *prototype, const uint64_t *values,
			       char *text, size_t size)
{
	for (size_t i = 0; i < CORRECTIONS; i++) {
		const enum correction correction = (enum correction)corrections[i].correction;
		const bool applies =
			correction == MULTIPLY || correction == DIVIDE ||
			(correction == MULTIPLY_PART && values[GPUOA_OPTION_DISAGGREGATION]) ||
			(correction == MULTIPLY_UTILIZATION && values[GPUOA_OPTION_UTILIZATION]);

		if (applies && is_corrected(i, prototype->event, prototypes->platform))
			append(text, size, " %s %u", correction == DIVIDE ? "//" : "*",
			       (unsigned int)corrections[i].factor);
	}
}

void pec_equation(const struct prototypes *prototypes, const struct prototype *prototype,
		  const uint64_t *values, uint32_t counter, char *text, size_t size)
{
	const enum instance_kind kind = (enum instance_kind)prototype->event->instance;
	const bool part = values[GPUOA_OPTION_DISAGGREGATION];
	const bool utilization = values[GPUOA_OPTION_UTILIZATION];
	const bool by_engines = utilization && !part && instances[kind].by_engines;

	snprintf(text, size, "PEC%" PRIu32, counter);
	append_corrections(prototypes, prototype, values, text, size);
	if (utilization || values[GPUOA_OPTION_AVERAGE])
		append(text, size, "%s",
		       by_engines ? instances[kind].engines :
		       part	  ? instances[kind].part :
				    instances[kind].all);
	if (by_engines)
		append(text, size, " * 100 / (GpuCoreClocks * VectorEngineTotalCount)");
	else if (utilization)
		append(text, size, " * 100 / GpuCoreClocks");
	if (values[GPUOA_OPTION_RATE])
		append(text, size, " / GpuTime");
	if (values[GPUOA_OPTION_BYTE])
		append(text, size, " * %d", BYTES_OF_EVENT);
}

void pec_availability(const struct prototype *prototype, const uint64_t *values, char *text,
		      size_t size)
{
	const unsigned int number = (unsigned int)values[GPUOA_OPTION_DISAGGREGATION];

	*text = '\0';
	if (number)
		snprintf(text, size, "%s%u", parts[prototype->part].flag, number - 1);
}

/*
 * Insert @byte before the last word of a name, which is "read" or "write" for all events that can
 * be counted in bytes.
 */
static void insert_byte(char *text, size_t size, char separator, const char *byte)
{
	char word[PEC_NAME_SIZE];
	char *last = strrchr(text, separator);

	snprintf(word, sizeof(word), "%s", last);
	snprintf(last, size - (size_t)(last - text), "%s%s", byte, word);
}

/*
 * Make the symbol or the name of a metric. @symbol: true: upper case with '_' between words; false:
 * a readable name
 */
static void make_name(const struct prototype *prototype, const uint64_t *values, bool symbol,
		      char *text, size_t size)
{
	const unsigned int number = (unsigned int)values[GPUOA_OPTION_DISAGGREGATION];
	char *cycles;

	snprintf(text, size, "%s", symbol ? prototype->symbol : prototype->name);
	cycles = strstr(text, symbol ? "_CYCLES" : " Cycles"); /* can only be the last word */
	if (values[GPUOA_OPTION_UTILIZATION] && cycles)
		*cycles = '\0';
	else if (values[GPUOA_OPTION_UTILIZATION])
		append(text, size, "%s", symbol ? "_UTILIZATION" : " Utilization");
	if (values[GPUOA_OPTION_BYTE])
		insert_byte(text, size, symbol ? '_' : ' ', symbol ? "_BYTE" : " Byte");
	if (values[GPUOA_OPTION_RATE])
		append(text, size, "%s", symbol ? "_RATE" : " Rate");
	if (number && symbol)
		append(text, size, "_%s%u", parts[prototype->part].symbol, number - 1);
	else if (number)
		append(text, size, " %s%u", parts[prototype->part].title, number - 1);
	if (values[GPUOA_OPTION_AVERAGE])
		append(text, size, "%s", symbol ? "_AVERAGE" : " Average");
}

void pec_symbol(const struct prototype *prototype, const uint64_t *values, char *text, size_t size)
{
	make_name(prototype, values, true, text, size);
}

void pec_name(const struct prototype *prototype, const uint64_t *values, char *text, size_t size)
{
	make_name(prototype, values, false, text, size);
}

void pec_description(const struct prototype *prototype, const uint64_t *values, char *text,
		     size_t size)
{
	const unsigned int number = (unsigned int)values[GPUOA_OPTION_DISAGGREGATION];

	snprintf(text, size, "%s", prototype->description);
	if (values[GPUOA_OPTION_UTILIZATION])
		append(text, size, " Percent of the most that is possible.");
	if (values[GPUOA_OPTION_AVERAGE])
		append(text, size, " Average of the %s.",
		       instances[prototype->event->instance].plural);
	if (values[GPUOA_OPTION_BYTE])
		append(text, size, " In bytes.");
	if (values[GPUOA_OPTION_RATE])
		append(text, size, " Per nanosecond.");
	if (number)
		append(text, size, " Only of %s %u.", parts[prototype->part].name, number - 1);
}

static bool add_constant(struct constant_definition **list, const char *name,
			 const char *description, struct arena *arena)
{
	struct constant_definition *constant = *list;

	while (constant && name && strcmp(constant->name, name))
		constant = constant->next;
	if (constant)
		return true;
	constant = arena_alloc(arena, sizeof(*constant));
	if (!constant || !name || !description)
		return false;
	constant->name = name;
	constant->description = description;
	constant->next = *list;
	*list = constant;
	return true;
}

bool pec_add_constant(struct constant_definition **list, struct arena *arena)
{
	return add_constant(list, "VectorEnginePerXeCoreCount", "Vector engines of each Xe core.",
			    arena);
}

bool pec_add_flag(const struct prototype *prototype, const uint64_t *values,
		  struct constant_definition **list, struct arena *arena)
{
	const unsigned int number = (unsigned int)values[GPUOA_OPTION_DISAGGREGATION];
	const enum part part = prototype->part;

	return !number ||
	       add_constant(list, print(arena, "%s%u", parts[part].flag, number - 1),
			    print(arena, "Is %s %u there?", parts[part].name, number - 1), arena);
}
