// SPDX-License-Identifier: MIT
/*
 * prototypes.c - events that a platform's counters can be programmed to count: the flexible EU
 * counters of gen8 to gen12.7
 *
 * The fields of an event select (event, coarse and fine filter) are described in the volumes
 * "Observability" of the programmer's reference manuals. The registers of a platform's public
 * metric sets determine what it supports: an event or filter that no set programs is not offered.
 */
#include "extra/custom/prototypes.h"

#include <errno.h>
#include <string.h>

#include "extra/custom/flex.h"
#include "table/table.h"

#define UNUSED 0xffffffff
#define ALL_REPORTS                                                                      \
	(1u << GPUOA_QUERY_NONE | 1u << GPUOA_QUERY_RENDER | 1u << GPUOA_QUERY_COMPUTE | \
	 1u << GPUOA_QUERY_GLOBAL)
#define EU_FINE_KINDS 4 /* hybrid, ternary, binary, move */
#define EU_STAGES 6

const uint32_t flex_registers[FLEX_REGISTERS] = {
	0xe458, 0xe558, 0xe658, 0xe758, 0xe45c, 0xe55c, 0xe65c,
};

#define CYCLES "cycles"

/*
 * EU events, indexed by number. Event 8 and events 0 to 5 exist on all these GPUs, the others since
 * gen12.5.
 */
static const struct eu_event {
	const char *symbol;
	const char *name;
	const char *description;
} eu_events[] = {
	{ "EuFpu0Active", "EU FPU0 Pipe Active",
	  "Cycles in which the first pipe of an EU worked." },
	{ "EuFpu1Active", "EU FPU1 Pipe Active",
	  "Cycles in which the second pipe of an EU worked." },
	{ "EuSendActive", "EU Send Pipe Active",
	  "Cycles in which an EU sent messages to fixed functions or memory." },
	{ "EuBothFpusActive", "EU Both FPU Pipes Active",
	  "Cycles in which both pipes of an EU worked." },
	{ "EuAnyActive", "EU Active", "Cycles in which an EU executed instructions." },
	{ "EuStalled", "EU Stall",
	  "Cycles in which threads were loaded on an EU, and all of them waited." },
	{ "EuFp16Active", "EU FP16 Instructions", "Cycles with instructions on 16-bit reals." },
	{ "EuFp32Active", "EU FP32 Instructions", "Cycles with instructions on 32-bit reals." },
	{ "EuThreadsLoaded", "EU Threads Loaded",
	  "Cycles that threads were loaded on EUs, of all threads." },
	{ "EuXmxActive", "EU XMX Pipe Active", "Cycles in which the matrix pipe of an EU worked." },
	{ "EuFpu0AndXmxActive", "EU FPU0 And XMX Pipes Active",
	  "Cycles in which the first pipe and the matrix pipe of an EU worked." },
	{ "EuFp64Active", "EU FP64 Instructions", "Cycles with instructions on 64-bit reals." },
	{ "EuInt16Active", "EU INT16 Instructions",
	  "Cycles with instructions on 16-bit integers." },
	{ "EuInt32Active", "EU INT32 Instructions",
	  "Cycles with instructions on 32-bit integers." },
	{ "EuXmxBf16Active", "EU XMX BF16 Instructions",
	  "Cycles with matrix instructions on 16-bit brain floats." },
	{ "EuXmxInt8Active", "EU XMX INT8 Instructions",
	  "Cycles with matrix instructions on 8-bit integers." },
	{ "EuMathActive", "EU Math Instructions", "Cycles with instructions such as sin or sqrt." },
	{ "EuControlActive", "EU Control Instructions", "Cycles with branches and other control." },
	{ "EuXmxFp16Active", "EU XMX FP16 Instructions",
	  "Cycles with matrix instructions on 16-bit reals." },
};

#define EU_EVENTS (sizeof(eu_events) / sizeof(eu_events[0]))
#define EU_EVENT_THREADS_LOADED 8

/* Counters with a fixed event: the EUs' accesses of 64 bytes to shared local memory */
static const struct fixed {
	const char *symbol;
	const char *name;
	const char *description;
	const char *counter;
	/*
	 * equation of the counter's public metric; the event exists if the platform has that metric
	 */
	const char *equation;
} fixed[] = {
	{ "SlmReads", "SLM Reads", "Reads of 64 bytes of shared local memory.", "A30", "A30 * 64" },
	{ "SlmWrites", "SLM Writes", "Writes of 64 bytes of shared local memory.", "A31",
	  "A31 * 64" },
};

#define FIXED (sizeof(fixed) / sizeof(fixed[0]))

/* Events and filters in the flexible EU registers of all sets, as bit masks */
struct used {
	uint32_t events;
	uint32_t coarse;
	uint32_t fine;
	uint32_t fixed;
};

static void use_select(struct used *used, uint32_t select, bool upper)
{
	if (!select && !upper) /* value of unused counters */
		return;
	used->events |= 1u << ((select & 0xf) | (upper ? 1u << EU_EVENT_BITS : 0));
	used->coarse |= 1u << (select >> EU_COARSE_SHIFT & 0xf);
	used->fine |= 1u << (select >> EU_FINE_SHIFT & 0xf);
}

static void use_registers(struct used *used, const struct table_registers *list)
{
	const struct gpuoa_reg *registers = table_follow(&list->registers);

	for (uint32_t i = 0; i < list->count; i++) {
		const uint32_t value = registers[i].value;

		if (value == UNUSED)
			continue;
		use_select(used, value & 0xfff, value >> FLEX_UPPER_BIT & 1);
		use_select(used, value >> FLEX_EVENT_BITS & 0xfff, value >> FLEX_UPPER_BIT & 2);
	}
}

static void use_fixed(struct used *used, const struct gpuoa_set *set)
{
	for (uint32_t i = 0; i < set->metric_count; i++) {
		const struct table_metric *metric = metric_definition(&set_metrics(set)[i]);

		for (size_t k = 0; k < FIXED; k++)
			if (!strcmp(table_string(&metric->equation), fixed[k].equation))
				used->fixed |= 1u << k;
	}
}

static bool has_flexible_counters(const struct gpuoa_set *set)
{
	const uint32_t last = counter_number(BANK_A, EU_COUNTER_FIRST + EU_COUNTERS - 1);

	return format_counter(format_get(set->format), last).bits &&
	       !strcmp(table_string(&set->unit), "OA");
}

/*
 * True if a set can be the model for sets of programmable counters: it has all metrics that the
 * equations of events use.
 */
static bool is_model(const struct gpuoa_set *set)
{
	return gpuoa_set_find_metric(set, "GpuTime") &&
	       gpuoa_set_find_metric(set, "GpuCoreClocks") &&
	       !*table_string(&set->availability_text);
}

static void use_set(struct used *used, const struct gpuoa_set *set, struct prototypes *prototypes)
{
	const struct table_registers *lists = table_follow(&set->register_lists);

	if (!has_flexible_counters(set))
		return;
	if (!prototypes->model && is_model(set))
		prototypes->model = set;
	for (uint32_t i = 0; i < set->register_list_count; i++)
		if (lists[i].kind == GPUOA_REGISTER_FLEX)
			use_registers(used, &lists[i]);
	use_fixed(used, set);
}

static uint32_t options_of(const struct used *used, const struct prototypes *prototypes)
{
	const uint32_t stages = ((1u << EU_STAGES) - 1) << 1, rows = 3u << EU_ROW0;
	const uint32_t quarters = 15u << EU_QUARTER0, kinds = ((1u << EU_FINE_KINDS) - 1) << 1;
	uint32_t options = 1u << GPUOA_OPTION_RATE;

	if (used->coarse & stages)
		options |= 1u << GPUOA_OPTION_THREADS;
	if (used->coarse & rows)
		options |= 1u << GPUOA_OPTION_ROW;
	if (used->fine & quarters)
		options |= 1u << GPUOA_OPTION_EU;
	if (used->fine & kinds)
		options |= 1u << GPUOA_OPTION_INSTRUCTIONS;
	if (prototypes->eu_count && prototypes->eu_threads)
		options |= 1u << GPUOA_OPTION_UTILIZATION | 1u << GPUOA_OPTION_AVERAGE;
	return options;
}

static const struct prototype flexible = {
	.group = "EU Array",
	.units = CYCLES,
	.hw_unit = "eu",
	.type = GPUOA_TYPE_UINT64,
	.semantic = GPUOA_SEMANTIC_EVENT,
	.reports = ALL_REPORTS,
	.counters = ((UINT64_C(1) << EU_COUNTERS) - 1) << EU_COUNTER_FIRST,
};

static void add_events(const struct used *used, struct prototypes *prototypes)
{
	const uint32_t options = options_of(used, prototypes);

	for (uint32_t i = 0; i < EU_EVENTS; i++) {
		struct prototype *prototype = &prototypes->all[prototypes->count];

		if (!(used->events & 1u << i))
			continue;
		*prototype = flexible;
		prototype->symbol = eu_events[i].symbol;
		prototype->name = eu_events[i].name;
		prototype->description = eu_events[i].description;
		prototype->options = options;
		prototype->select = (i & 0xf) | (uint64_t)(i >> EU_EVENT_BITS) << EU_UPPER_SHIFT;
		prototype->of_threads = i == EU_EVENT_THREADS_LOADED;
		prototypes->count++;
	}
}

static void add_fixed(const struct used *used, struct prototypes *prototypes)
{
	for (uint32_t i = 0; i < FIXED; i++) {
		if (!(used->fixed & 1u << i))
			continue;
		prototypes->all[prototypes->count++] = (struct prototype){
			.symbol = fixed[i].symbol,
			.name = fixed[i].name,
			.description = fixed[i].description,
			.group = "L3/Data Port/SLM",
			.units = "messages",
			.hw_unit = "subslice",
			.type = GPUOA_TYPE_UINT64,
			.semantic = GPUOA_SEMANTIC_EVENT,
			.options = 1u << GPUOA_OPTION_RATE | 1u << GPUOA_OPTION_BYTE,
			.reports = ALL_REPORTS,
			.fixed = fixed[i].counter,
		};
	}
}

/* Returns the first of these names that is a constant of the platform, or NULL. */
static const char *find_constant(const struct gpuoa_platform *platform, const char *const *names)
{
	const struct table_constant *constants = table_follow(&platform->constants);

	for (; *names; names++)
		for (uint32_t i = 0; i < platform->constant_count; i++)
			if (!strcmp(table_string(&constants[i].name), *names))
				return *names;
	return NULL;
}

int prototypes_find(const struct gpuoa_platform *platform, struct arena *arena,
		    struct prototypes *prototypes)
{
	static const char *const counts[] = { "EuCoresTotalCount", "VectorEngineTotalCount", NULL };
	static const char *const threads[] = { "EuThreadsCount", "VectorEngineThreadsCount", NULL };
	const uint32_t quarters = 15u << EU_QUARTER0;
	struct used used = { 0 };

	prototypes->eu_count = find_constant(platform, counts);
	prototypes->eu_threads = find_constant(platform, threads);
	for (uint32_t i = 0; i < platform->set_count; i++)
		use_set(&used, &platform_sets(platform)[i], prototypes);
	if (!prototypes->model || !used.events) {
		prototypes->model = NULL;
		return prototypes_find_pec(platform, arena, prototypes);
	}
	prototypes->bank = BANK_A;
	prototypes->by_quarters = !(used.fine & ~quarters);
	prototypes->all = arena_alloc(arena, (EU_EVENTS + FIXED) * sizeof(*prototypes->all));
	if (!prototypes->all)
		return -ENOMEM;
	add_events(&used, prototypes);
	add_fixed(&used, prototypes);
	return 0;
}
