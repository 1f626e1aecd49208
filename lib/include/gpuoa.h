/* SPDX-License-Identifier: MIT */
/*
 * gpuoa.h - libgpuoa: hardware metrics of Intel GPUs
 *
 * The sections of this file, in the order in which a program needs them. Each is usable on its own.
 *
 *   version
 *   platforms, user definitions
 *   metric sets, metrics, information items     what can be measured: tables, no device needed
 *   domains and plans                           which sets can be measured together
 *   equations as data                           what a metric is made of
 *   constants                                   what equations must know of one GPU
 *   reports                                     formats, and what stands where in a report
 *   time                                        ticks, clocks, sampling periods
 *   units                                       the OA units of this machine
 *   sources: streams, recordings                where raw reports come from
 *   merging                                     several sources in order of time
 *   recorder                                    from streams to a file
 *   calculators                                 raw reports in, values of metrics out
 *   windows of time                             raw reports in, values of windows of time out
 *   names of enumerations
 *
 * gpuoa-catalog.h has what lists of metrics in user interfaces need: flat numbers, and views.
 * gpuoa-query.h has begin/end queries in batches of commands.
 * gpuoa-stream.h has what else can be done with streams.
 * gpuoa-time.h relates GPU time to CPU time, and marks moments in streams.
 *
 * Results. A function that can fail returns 0 (or a count) or a negative errno. What is asked for
 * by an index that is too large is NULL, or -ERANGE where a struct is filled in. Functions with
 * @error and @error_size write one line there that says what is wrong and what to do, and "" if
 * nothing is.
 *
 * Structs. A struct can grow at its end if the caller passes its size: options have a @size, and a
 * function that fills in or reads a description has an argument @size. An older program's struct
 * has only the first fields, and those that it lacks are taken as 0. In a newer program's struct,
 * fields that this library does not know are set to 0, or, where the library reads them, must be 0
 * (-E2BIG). A struct whose comment says "Fixed" never changes. All others have reserved words: the
 * library sets them to 0, and where the caller fills in the struct they must be 0 (-E2BIG). A field
 * that holds one value of an enumeration has the type of that enumeration; a mask of its values is
 * a uint32_t, and so is a report format, for a unit or a recording may have one that this library
 * does not know. Strings are UTF-8.
 *
 * Pointers. A pointer must be valid, or the behaviour is undefined, unless the comment of its
 * function or struct says what NULL means. NULL is also possible for @error, for room whose size or
 * number of elements is 0, and for the handle of a close or free function, which does nothing then.
 *
 * Ownership. Tables (platforms, sets, metrics, information items, and their strings) are constant,
 * and live as long as the library is loaded, or the user definitions that they are of. What has a
 * close or free function belongs to the caller.
 *
 * Threads. Handles that are passed as const may be read by any number of threads at a time as long
 * as none changes them: two threads may open calculators with the same constants. Every other
 * handle is for one thread at a time, different handles are independent, with one exception:
 * gpuoa_source_disable() may be called while another thread is in gpuoa_source_wait(), which then
 * returns.
 *
 * The library never prints, has no global state and reads no environment variable. It is for
 * little-endian machines with 64 bits.
 */
#ifndef GPUOA_H
#define GPUOA_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* What the shared library exports, also when it is built with -fvisibility=hidden. */
#define GPUOA_API __attribute__((visibility("default")))

#ifdef __cplusplus
extern "C" {
#endif

/* ---- version -------------------------------------------------------------------------------- */

/** Version of the library, "MAJOR.MINOR.PATCH". Never NULL; static. */
GPUOA_API const char *gpuoa_version(void);

/**
 * Revision of the built-in metric definitions, 12 hexadecimal digits: two libraries have the same
 * if they were built from the same definitions. Never NULL; static.
 */
GPUOA_API const char *gpuoa_metadata_revision(void);

/* ---- platforms ------------------------------------------------------------------------------ */

struct gpuoa_constants;
struct gpuoa_info;
struct gpuoa_metric;
struct gpuoa_platform;
struct gpuoa_set;

/** Number of platforms that are built in. */
GPUOA_API size_t gpuoa_platform_count(void);

/** Built-in platform @index of 0..gpuoa_platform_count()-1; NULL beyond. */
GPUOA_API const struct gpuoa_platform *gpuoa_platform_get(size_t index);

/** Built-in platform by name ("hsw"), exact case; NULL if there is none. */
GPUOA_API const struct gpuoa_platform *gpuoa_platform_find(const char *name);

/** Short name, "hsw". */
GPUOA_API const char *gpuoa_platform_name(const struct gpuoa_platform *platform);

/** Name for people, "Haswell". */
GPUOA_API const char *gpuoa_platform_title(const struct gpuoa_platform *platform);

/* ---- user definitions ----------------------------------------------------------------------- */

/**
 * Definitions that are loaded at run time: platforms with sets and metrics. Whatever takes built-in
 * ones takes these. They belong to this handle and are gone with it; until then they are constant.
 *
 * A platform of the same name as a built-in one continues that: it has all that the built-in one
 * has, and what the file adds. A set of the same symbol and domain, or of the same UUID, replaces
 * the built-in one. It is nevertheless another platform than the built-in one, with constants of
 * its own: gpuoa_constants_of_unit() and gpuoa_constants_transfer() fill them.
 */
struct gpuoa_definitions;

/**
 * Load a file: the language of Documentation/metric-definitions.rst, or the OA metric XML of Mesa
 * and igt-gpu-tools.
 *
 * @error: "file:line:column: ..." if what is wrong is in the file
 *
 * -EINVAL: the file is malformed or contradicts itself. -EFBIG: it exceeds 16 MiB. -EOPNOTSUPP: it
 * is XML, and the library was built without expat. -ENOMEM; else as open(2) and read(2).
 */
GPUOA_API int gpuoa_definitions_load(const char *path, struct gpuoa_definitions **definitions,
				     char *error, size_t error_size);

/**
 * The same from memory: @size bytes at @text, which need not end with a zero. @name stands for the
 * path in @error, and files that @text includes are relative to it.
 */
GPUOA_API int gpuoa_definitions_parse(const char *name, const char *text, size_t size,
				      struct gpuoa_definitions **definitions, char *error,
				      size_t error_size);

/** No platform, set, metric or calculator of these definitions may be used any more. */
GPUOA_API void gpuoa_definitions_free(struct gpuoa_definitions *definitions);

/** Number of platforms in them: one, or with XML as many as there are chipsets in the file. */
GPUOA_API size_t gpuoa_definitions_platform_count(const struct gpuoa_definitions *definitions);

/** Platform @index of 0..count-1; NULL beyond. */
GPUOA_API const struct gpuoa_platform *
gpuoa_definitions_get_platform(const struct gpuoa_definitions *definitions, size_t index);

/**
 * Platform by name, exact case; NULL if there is none. Names of XML's chipsets are made lower case:
 * "sklgt2" for "SKLGT2".
 */
GPUOA_API const struct gpuoa_platform *
gpuoa_definitions_find(const struct gpuoa_definitions *definitions, const char *name);

/* ---- metric sets ---------------------------------------------------------------------------- */

/** Number of metric sets of a platform. */
GPUOA_API size_t gpuoa_platform_set_count(const struct gpuoa_platform *platform);

/** Set @index of 0..gpuoa_platform_set_count()-1; NULL beyond. */
GPUOA_API const struct gpuoa_set *gpuoa_platform_get_set(const struct gpuoa_platform *platform,
							 size_t index);

/**
 * Find a set by its symbol, exact case, in constant time. NULL if there is none.
 *
 * A symbol can stand for several sets, of several units or for GPUs that differ. @domain and
 * @constants say which one is meant. Of those that are left, one of unit OA comes first, else the
 * first one in the platform's order.
 *
 * @symbol: "RenderBasic", or with its unit, "OAM0/MediaSet1"
 * @domain: unit whose set it shall be (gpuoa_unit_desc.domain); NULL or "": of any
 * @constants: of the GPU on which it shall be available; NULL: of any
 */
GPUOA_API const struct gpuoa_set *gpuoa_platform_find_set(const struct gpuoa_platform *platform,
							  const char *symbol, const char *domain,
							  const struct gpuoa_constants *constants);

/** Set by the UUID of its register configuration (36 characters, lower case); NULL: none. */
GPUOA_API const struct gpuoa_set *gpuoa_platform_find_uuid(const struct gpuoa_platform *platform,
							   const char *uuid);

/** APIs that a set or metric is meant for: bit mask. */
enum gpuoa_api {
	GPUOA_API_IO = 1 << 0, /* periodic streams */
	GPUOA_API_BB = 1 << 1, /* begin/end reports from a batch buffer */
	GPUOA_API_OGL = 1 << 2,
	GPUOA_API_OGL4 = 1 << 3,
	GPUOA_API_OCL = 1 << 4,
	GPUOA_API_VK = 1 << 5,
	GPUOA_API_MEDIA = 1 << 6,
};

/** What a set is about, as far as its name and unit tell. */
enum gpuoa_category {
	GPUOA_CATEGORY_GENERIC,
	GPUOA_CATEGORY_RENDER,
	GPUOA_CATEGORY_COMPUTE,
	GPUOA_CATEGORY_MEDIA,
};

/** What can trigger a set's reports: bit mask. */
enum gpuoa_sampling {
	GPUOA_SAMPLING_TIMER = 1 << 0, /* periodic streams */
	GPUOA_SAMPLING_QUERY = 1 << 1, /* begin/end commands in a batch buffer: gpuoa-query.h */
	GPUOA_SAMPLING_TRIGGER = 1 << 2, /* what is in enum gpuoa_reason besides time */
	GPUOA_SAMPLING_TRACER = 1 << 3, /* its reports can be decoded one by one */
	GPUOA_SAMPLING_EU_STALL = 1 << 4, /* EUs that stall, with their instruction: not OA's, and
					     not here: no set or domain has this bit. The xe driver
					     has a stream of it from Xe2 on */
};

/** What a set is. Strings are never NULL. */
struct gpuoa_set_desc {
	const char *symbol; /* "RenderBasic" */
	const char *name; /* "Render Metrics Basic" */
	const char *uuid; /* of the register configuration, 36 characters */
	const struct gpuoa_platform *platform;
	uint32_t apis; /* enum gpuoa_api */
	uint32_t format; /* enum gpuoa_report_format */
	size_t metric_count;
	size_t info_count;
	const char *domain; /* unit that it is for: "OA" (render and compute), "OAM0" (media), ...
			     */
	const char *availability; /* condition on the GPU's constants, or "": always */
	enum gpuoa_category category;
	uint32_t sampling; /* enum gpuoa_sampling */
	const char *format_name; /* "A45_B8_C8"; "" if the library does not know it */
	size_t report_size; /* bytes; 0 likewise */
	size_t register_count; /* of all lists, those with a condition included */
	size_t domain_index; /* of @domain: see gpuoa_platform_describe_domain() */
	size_t index; /* in its platform */
	size_t counter_count; /* counters that its reports have */
	size_t query_report_size; /* bytes of a report that a begin/end command writes; 0: none */
};

/** Describe a set. @size is sizeof(*desc). */
GPUOA_API void gpuoa_set_describe(const struct gpuoa_set *set, struct gpuoa_set_desc *desc,
				  size_t size);

/**
 * Is a set available on a GPU, and if not, why?
 *
 * @domain: unit that is to measure it (gpuoa_unit_desc.domain); NULL or "": any
 * @constants: of the GPU
 * @reason: room for @size bytes for one line, such as "needs GtSlice1, and GtSlice1 is 0"; "" if
 * the set is available; may be NULL with @size 0
 *
 * Returns 1 or 0, or -ENOENT if a constant that its condition needs has no value, or @constants is
 * NULL and it has a condition. -EINVAL: the constants are those of another platform than the set's;
 * a platform of user definitions is another one than the built-in platform of its name.
 */
GPUOA_API int gpuoa_set_available(const struct gpuoa_set *set, const char *domain,
				  const struct gpuoa_constants *constants, char *reason,
				  size_t size);

/** Kinds of registers in a configuration. */
enum gpuoa_register_kind {
	GPUOA_REGISTER_MUX, /* the NOA multiplexer: which signals go to the OA unit */
	GPUOA_REGISTER_BOOLEAN, /* the logic in front of B and C counters */
	GPUOA_REGISTER_FLEX, /* which events of EUs are counted */
};

/** One register write. Fixed. */
struct gpuoa_reg {
	uint32_t address;
	uint32_t value;
};

/**
 * Register writes of a set, in the order in which they must be made. Lists of the definition whose
 * condition does not hold on this GPU are left out.
 *
 * @constants: of the GPU; NULL for a set whose lists have no conditions
 * @regs: room for @max registers; NULL with @max 0 to ask for the number only
 *
 * Returns the number of registers of that kind, which may be more than @max; then nothing is filled
 * in. -ENODATA: a constant that the condition of one of these lists needs has no value. -EINVAL:
 * the constants are those of another platform than the set's.
 */
GPUOA_API int gpuoa_set_registers(const struct gpuoa_set *set, enum gpuoa_register_kind kind,
				  const struct gpuoa_constants *constants, struct gpuoa_reg *regs,
				  size_t max);

/* ---- metrics -------------------------------------------------------------------------------- */

enum gpuoa_value_type {
	GPUOA_TYPE_UINT64, /* union gpuoa_value.u64 */
	GPUOA_TYPE_FLOAT, /* union gpuoa_value.f32 */
};

union gpuoa_value {
	uint64_t u64;
	float f32;
};

/** What kind of number a metric is. */
enum gpuoa_semantic {
	GPUOA_SEMANTIC_DURATION,
	GPUOA_SEMANTIC_EVENT,
	GPUOA_SEMANTIC_THROUGHPUT,
	GPUOA_SEMANTIC_RATIO,
	GPUOA_SEMANTIC_TIMESTAMP,
	GPUOA_SEMANTIC_FLAG,
	GPUOA_SEMANTIC_RAW,
};

/** What a metric is good for: bit mask. Tiers rank metrics: look at tier 1 first. */
enum gpuoa_usage {
	GPUOA_USAGE_OVERVIEW = 1 << 0,
	GPUOA_USAGE_INDICATE = 1 << 1,
	GPUOA_USAGE_CORRELATE = 1 << 2,
	GPUOA_USAGE_SYSTEM = 1 << 3,
	GPUOA_USAGE_FRAME = 1 << 4,
	GPUOA_USAGE_BATCH = 1 << 5,
	GPUOA_USAGE_DRAW = 1 << 6,
	GPUOA_USAGE_TIER_1 = 1 << 7,
	GPUOA_USAGE_TIER_2 = 1 << 8,
	GPUOA_USAGE_TIER_3 = 1 << 9,
	GPUOA_USAGE_TIER_4 = 1 << 10,
	GPUOA_USAGE_GLASS_JAW = 1 << 11, /* warns of what is suddenly expensive */
};

/** What a metric is. Strings are never NULL; "" where there is nothing to say. */
struct gpuoa_metric_desc {
	const char *symbol; /* "EuActive"; unique in its set */
	const char *name; /* "EU Active" */
	const char *description; /* one line: what it tells */
	const char *group; /* path, "EU Array/Vertex Shader" */
	const char *units; /* of measure: "percent", "ns", "bytes", ... */
	const char *hw_unit; /* what it measures: "gpu", "slice", "subslice", ... */
	const char *equation; /* as in the definition, infix */
	const char *max; /* equation of the largest possible value, or "" */
	const char *availability; /* condition on the GPU's constants, or "": always */
	enum gpuoa_value_type type;
	enum gpuoa_semantic semantic;
	uint32_t usage; /* enum gpuoa_usage */
	uint32_t apis; /* enum gpuoa_api; 0: those of its set */
	uint32_t tier; /* 1..4, 0 if none is given */
	bool query_only; /* needs counters that only begin/end queries have; not in streams */
	bool has_watermarks;
	double low; /* watermarks: from here on a hotspot is likely ... */
	double high; /* ... or certain */
	const struct gpuoa_set *set;
	size_t index; /* in its set */
	const char *alias; /* what another API calls it, or ""; its units there may be others:
			      AvgGpuCoreFrequencyMHz is the alias of a metric in Hz */
};

/** Metric @index of 0..gpuoa_set_desc.metric_count-1; NULL beyond. */
GPUOA_API const struct gpuoa_metric *gpuoa_set_get_metric(const struct gpuoa_set *set,
							  size_t index);

/**
 * Metric by symbol, exact case, in constant time; or, if none has that symbol, by alias. NULL if
 * the set has none of that name.
 */
GPUOA_API const struct gpuoa_metric *gpuoa_set_find_metric(const struct gpuoa_set *set,
							   const char *symbol);

/**
 * Metric by the symbols of its set and its own, in constant time: "RenderBasic.EuActive", or with
 * the unit, "OAM0/MediaSet1.GpuTime". NULL if there is none. The set is that of
 * gpuoa_platform_find_set() for any domain.
 */
GPUOA_API const struct gpuoa_metric *
gpuoa_platform_find_metric(const struct gpuoa_platform *platform, const char *name,
			   const struct gpuoa_constants *constants);

/** Describe a metric. @size is sizeof(*desc). */
GPUOA_API void gpuoa_metric_describe(const struct gpuoa_metric *metric,
				     struct gpuoa_metric_desc *desc, size_t size);

/**
 * Is a metric available on a GPU, and if not, why? In periodic streams, or if @constants has
 * another QueryMode than GPUOA_QUERY_NONE, in queries. As gpuoa_set_available(), and on the
 * condition that its set is available.
 */
GPUOA_API int gpuoa_metric_available(const struct gpuoa_metric *metric,
				     const struct gpuoa_constants *constants, char *reason,
				     size_t size);

/** Words of a mask of the dwords of a report. */
#define GPUOA_KEEP_MASK_WORDS 4

/**
 * Which dwords of a report does a metric need? For gpuoa_stream_options.keep: a stream of these
 * alone takes less room.
 *
 * @format: enum gpuoa_report_format
 * @keep: GPUOA_KEEP_MASK_WORDS words; bit n % 64 of element n / 64 stands for dword n. What the
 * metric needs is added to what is there, and so is the header of reports, which always comes
 *
 * -EINVAL: the library does not know the format. -ENOENT: the format lacks a counter of the metric.
 * Then @keep is not changed.
 */
GPUOA_API int gpuoa_metric_keep(const struct gpuoa_metric *metric, uint32_t format, uint64_t *keep);

/** Can a metric be computed from the dwords @keep (all 0: all dwords) of reports in @format? */
GPUOA_API bool gpuoa_metric_kept(const struct gpuoa_metric *metric, uint32_t format,
				 const uint64_t *keep);

/** What a value means where it has watermarks. */
enum gpuoa_mark {
	GPUOA_MARK_NONE, /* the metric has no watermarks, or the value is no number */
	GPUOA_MARK_LOW, /* below both: nothing to see here */
	GPUOA_MARK_MEDIUM, /* a hotspot is likely */
	GPUOA_MARK_HIGH, /* ... or certain */
};

/** Compare a value, in the metric's units, with its watermarks. */
GPUOA_API enum gpuoa_mark gpuoa_metric_classify(const struct gpuoa_metric *metric, double value);

/** A value as a double; integers above 2^53 are rounded. */
GPUOA_API double gpuoa_value_to_double(enum gpuoa_value_type type, union gpuoa_value value);

/** What units of measure are of. */
enum gpuoa_quantity {
	GPUOA_QUANTITY_COUNT, /* of events, threads, cycles, messages, pixels, ... */
	GPUOA_QUANTITY_RATIO, /* of a whole */
	GPUOA_QUANTITY_TIME, /* s */
	GPUOA_QUANTITY_FREQUENCY, /* Hz */
	GPUOA_QUANTITY_DATA, /* B */
	GPUOA_QUANTITY_BANDWIDTH, /* B/s */
};

/** Units of measure in other words. */
struct gpuoa_units_desc {
	enum gpuoa_quantity quantity;
	double scale; /* from these units to @symbol: 0.01 for percent, 1e-9 for ns */
	const char *symbol; /* the unit without prefix, "s"; "" for counts and ratios. Static */
	bool relative; /* percent: a part of 100 */
};

/**
 * Describe units of measure, as metrics and information items have them: "percent", "ns", "gbps"
 * (10^9 bytes a second), "hz", "MHz", ... An unknown one is taken for a count. @size is
 * sizeof(*desc).
 */
GPUOA_API void gpuoa_units_describe(const char *units, struct gpuoa_units_desc *desc, size_t size);

/* ---- information items: what a report tells beside its metrics ------------------------------ */

/** What kind of information an item is. */
enum gpuoa_info_kind {
	GPUOA_INFO_VALUE,
	GPUOA_INFO_FLAG,
	GPUOA_INFO_TIMESTAMP,
	GPUOA_INFO_REPORT_REASON, /* bits: enum gpuoa_reason */
	GPUOA_INFO_CONTEXT_ID,
};

/** What an information item is. Strings are never NULL. */
struct gpuoa_info_desc {
	const char *symbol;
	const char *name;
	const char *description;
	const char *units; /* of measure */
	enum gpuoa_semantic semantic;
	enum gpuoa_info_kind kind;
};

/**
 * Information item @index of 0..gpuoa_set_desc.info_count-1; NULL beyond. Values are of
 * GPUOA_TYPE_UINT64, and taken from the later report of an interval.
 */
GPUOA_API const struct gpuoa_info *gpuoa_set_get_info(const struct gpuoa_set *set, size_t index);

/** Information item of a set by symbol, exact case; NULL if there is none. */
GPUOA_API const struct gpuoa_info *gpuoa_set_find_info(const struct gpuoa_set *set,
						       const char *symbol);

/** Describe an information item. @size is sizeof(*desc). */
GPUOA_API void gpuoa_info_describe(const struct gpuoa_info *info, struct gpuoa_info_desc *desc,
				   size_t size);

/* ---- domains and plans ---------------------------------------------------------------------- */

/**
 * A domain is what only one set can have at a time: an OA unit of the hardware. Sets of different
 * domains can be measured together, as can sets of one UUID, which show different metrics of the
 * same reports.
 */
struct gpuoa_domain_desc {
	const char *symbol; /* "OA", "OAM0" */
	const char *description; /* one line; static */
	size_t set_count;
	uint64_t formats; /* of its sets: bit n is enum gpuoa_report_format n */
	uint32_t sampling; /* enum gpuoa_sampling of its sets */
};

/** Number of domains of a platform. */
GPUOA_API size_t gpuoa_platform_domain_count(const struct gpuoa_platform *platform);

/** Describe domain @index, in the order of their first sets. @size is sizeof(*desc). -ERANGE. */
GPUOA_API int gpuoa_platform_describe_domain(const struct gpuoa_platform *platform, size_t index,
					     struct gpuoa_domain_desc *desc, size_t size);

/**
 * How often must a workload run so that all these sets are measured?
 *
 * @sets: @count of them, in any order, also twice, or of several platforms (GPUs do not get in each
 * other's way)
 * @gpus: on which GPU each is to be measured: @count numbers of the caller's; NULL: there is one
 * GPU of each platform
 * @pass_of: out: @count numbers from 0: in which run each is measured
 *
 * Returns the number of runs, 0 for no set. It is the least possible.
 */
GPUOA_API size_t gpuoa_plan_passes(const struct gpuoa_set *const *sets, const uint32_t *gpus,
				   size_t count, size_t *pass_of);

/**
 * Choose sets that together have all these metrics.
 *
 * A set has few hardware counters, so that several sets may have to complement each other. The set
 * that has most of the metrics that are still missing is chosen next. Sets and metrics that are not
 * available on a GPU with @constants (NULL: all are) are not chosen.
 *
 * @symbols: @count symbols of metrics
 * @set_of: out: @count sets, from which to take each metric; NULL where no set has it
 *
 * Returns the number of sets chosen, for gpuoa_plan_passes().
 */
GPUOA_API size_t gpuoa_plan_sets(const struct gpuoa_platform *platform,
				 const struct gpuoa_constants *constants,
				 const char *const *symbols, size_t count,
				 const struct gpuoa_set **set_of);

/* ---- equations as data ---------------------------------------------------------------------- */

/** What an element of an equation is. */
enum gpuoa_element_kind {
	/* operands */
	GPUOA_ELEMENT_INTEGER, /* .integer */
	GPUOA_ELEMENT_REAL, /* .real */
	GPUOA_ELEMENT_COUNTER, /* .bank, .index, .bits: delta over the interval, modulo 2^bits */
	GPUOA_ELEMENT_TIMESTAMP, /* delta of the GPU's timestamp, ticks; in items the later one */
	GPUOA_ELEMENT_CLOCK, /* likewise the report's clock field, cycles */
	GPUOA_ELEMENT_REPORT_ID, /* first word of the later report */
	GPUOA_ELEMENT_CONTEXT_ID, /* its context field */
	GPUOA_ELEMENT_CONSTANT, /* .name, .index: in the platform's list */
	GPUOA_ELEMENT_METRIC, /* .name, .index: in the set */
	GPUOA_ELEMENT_QUERY_MODE, /* 1 in begin/end queries, 0 in streams */
	/* on the last two values */
	GPUOA_ELEMENT_OPERATOR, /* .operation */
};

/** Operators. Comparisons and logic give 0 or 1. */
enum gpuoa_operation {
	GPUOA_OPERATION_ADD,
	GPUOA_OPERATION_SUBTRACT, /* integers: 0 if the right one is larger */
	GPUOA_OPERATION_MULTIPLY,
	GPUOA_OPERATION_DIVIDE, /* by 0: 0 */
	GPUOA_OPERATION_MINIMUM,
	GPUOA_OPERATION_MAXIMUM,
	GPUOA_OPERATION_BIT_AND,
	GPUOA_OPERATION_SHIFT_LEFT,
	GPUOA_OPERATION_SHIFT_RIGHT,
	GPUOA_OPERATION_EQUAL,
	GPUOA_OPERATION_NOT_EQUAL,
	GPUOA_OPERATION_LESS,
	GPUOA_OPERATION_LESS_EQUAL,
	GPUOA_OPERATION_GREATER,
	GPUOA_OPERATION_GREATER_EQUAL,
	GPUOA_OPERATION_AND,
	GPUOA_OPERATION_OR,
};

/** An element of an equation in postfix order. Fields that its kind does not name are 0. */
struct gpuoa_equation_element {
	enum gpuoa_element_kind kind;
	enum gpuoa_operation operation;
	bool is_real; /* operators: in double, integers are converted; operands: fractional */
	char bank; /* 'A', 'B', 'C', 'P' for PEC, 'Q' for counters of queries */
	uint32_t bits;
	size_t index;
	uint64_t integer;
	double real;
	const char *name;
};

/** An equation, as a place to read from: copy it to read it twice. Members are private. */
struct gpuoa_equation {
	const uint32_t *word;
	const uint32_t *end;
	const struct gpuoa_set *set;
	const uint32_t *code;
	uint32_t flags;
	uint32_t reserved[3];
};

enum gpuoa_equation_role {
	GPUOA_EQUATION_VALUE,
	GPUOA_EQUATION_MAX,
	GPUOA_EQUATION_AVAILABILITY,
};

/** An equation of a metric; it is empty if the metric has none of that role. */
GPUOA_API struct gpuoa_equation gpuoa_metric_equation(const struct gpuoa_metric *metric,
						      enum gpuoa_equation_role role);

/** The condition of a set; empty if it is always available. */
GPUOA_API struct gpuoa_equation gpuoa_set_equation(const struct gpuoa_set *set);

/** The equation of one of a set's information items. */
GPUOA_API struct gpuoa_equation gpuoa_info_equation(const struct gpuoa_set *set,
						    const struct gpuoa_info *info);

/** Take the next element. @size is sizeof(*element). False at the end: nothing is filled in. */
GPUOA_API bool gpuoa_equation_next(struct gpuoa_equation *equation,
				   struct gpuoa_equation_element *element, size_t size);

/**
 * The rest of an equation as text, in postfix order: "A0 EuCoresTotalCount // 100 * GpuCoreClocks
 * /". "/", and operators with a "." behind them ("*."), are on doubles. Returns the length that it
 * has or would have, as snprintf() does.
 */
GPUOA_API int gpuoa_equation_text(struct gpuoa_equation equation, char *text, size_t size);

/* ---- constants ------------------------------------------------------------------------------ */

/**
 * Constants say what equations must know of one GPU. Units and recordings have them with values;
 * without either they are set by name. A few facts imply many constants, which follow when those
 * facts are set:
 *
 *   SliceMask                      GtSlice<i>, EuSlicesTotalCount, SliceTotalCount
 *   SubsliceMask, DualSubsliceMask GtXeCore<n>, GtSlice<i>XeCore<j>, EuSubslicesTotalCount,
 *   or XeCoreMask (all the same)   XeCoreTotalCount; and SliceMask: a slice is there if it has one
 *                                  of these
 *   L3BankMask                     GtL3Bank<n>, L3BankTotalCount, L3NodeTotalCount,
 *                                  SqidiTotalCount, CopyEngineTotalCount
 *   EuCoresTotalCount,             are the same, by older and newer names, as are EuThreadsCount
 *   VectorEngineTotalCount         and VectorEngineThreadsCount, ...
 *
 * All global symbols of the Metrics Discovery API are known by name, also those that no equation
 * uses. Of a unit, gpuoa_constants_get() tells besides:
 *
 *   PciDeviceId                    as gpuoa_unit_desc.device_id
 *   MaxTimestamp                   ns after which the timestamp of reports begins at 0 again
 *   OABufferMinSize, -MaxSize      bytes; of a media unit, MediaOABufferMinSize and -MaxSize
 *   GtSqidiMask, GtSqidi<n>,       from L3BankMask
 *   GtCopyEngineMask, GtCopyEngine<n>
 *   SamplersTotalCount,            as MDAPI derives them: one sampler in each subslice, 4 outputs
 * in NumberOfRenderOutputUnits,     each slice, 4 shading units for each thread of an EU
 *   NumberOfShadingUnits
 *   PlatformIndex, PlatformVersion MDAPI's numbers of the platform; -ENODATA where it has none
 *
 * -ENODATA is the answer for those that no driver of Linux tells: ApertureSize, Capabilities,
 * EdramSize, L3Size, LLCSize, MemoryPeakThroghputMB, PavpDisabled. Constants are a snapshot:
 * GpuCurrentFrequencyMHz and GpuFrequencyOverrideEnabled, which change, are -ENODATA here, and live
 * in gpuoa_override_describe() of gpuoa-device.h.
 *
 * What is set by itself (GtSlice0 = 0) stays so. All these names are understood on all platforms,
 * with "Gt" before masks or without it. Everything is an unsigned integer of 64 bits.
 */
struct gpuoa_constants;

/** What kind of number a constant is. */
enum gpuoa_constant_kind {
	GPUOA_CONSTANT_NUMBER,
	GPUOA_CONSTANT_COUNT,
	GPUOA_CONSTANT_MASK,
	GPUOA_CONSTANT_FREQUENCY, /* Hz */
	GPUOA_CONSTANT_FLAG, /* 0 or 1 */
};

/** Where a constant's value is from. */
enum gpuoa_origin {
	GPUOA_ORIGIN_NONE, /* it has none */
	GPUOA_ORIGIN_GIVEN, /* gpuoa_constants_set(), or the unit */
	GPUOA_ORIGIN_DERIVED, /* follows from what was given */
	GPUOA_ORIGIN_ASSUMED, /* gpuoa_constants_assume() */
};

/**
 * Value of the constant QueryMode: whose counters the reports have that equations are to be
 * computed from. Metrics that only begin/end queries have (gpuoa_metric_desc.query_only) have
 * values in all modes but the first. gpuoa_query_pool_open() sets it in its own copy.
 */
enum gpuoa_query_mode {
	GPUOA_QUERY_NONE, /* a stream's */
	GPUOA_QUERY_RENDER, /* those of a context on the render engine */
	GPUOA_QUERY_COMPUTE, /* those of a context on a compute engine, where there is one */
	GPUOA_QUERY_GLOBAL, /* those of all that runs */
};

/** What a constant is. */
struct gpuoa_constant_desc {
	const char *name;
	const char *description;
	enum gpuoa_constant_kind kind;
	enum gpuoa_origin origin;
	uint64_t value; /* 0 without one */
};

/** Constants of one GPU for @platform's equations, none with a value yet. -ENOMEM. */
GPUOA_API int gpuoa_constants_new(const struct gpuoa_platform *platform,
				  struct gpuoa_constants **constants);

/** Copy, to change some of them. -ENOMEM. */
GPUOA_API int gpuoa_constants_copy(const struct gpuoa_constants *constants,
				   struct gpuoa_constants **copy);

GPUOA_API void gpuoa_constants_free(struct gpuoa_constants *constants);

/**
 * Give a constant its value, and those their values that follow from it.
 *
 * -ENOENT: the platform's equations do not use it, and it is no fact from which others follow.
 * -EINVAL: QueryMode (0 if it was not given) is an enum gpuoa_query_mode.
 */
GPUOA_API int gpuoa_constants_set(struct gpuoa_constants *constants, const char *name,
				  uint64_t value);

/** Value of a constant. -ENOENT: no such constant; -ENODATA: it has no value. */
GPUOA_API int gpuoa_constants_get(const struct gpuoa_constants *constants, const char *name,
				  uint64_t *value);

/**
 * Give constants what was given to those of another platform, and what follows from it. What @to's
 * platform does not know is passed over.
 */
GPUOA_API void gpuoa_constants_transfer(struct gpuoa_constants *to,
					const struct gpuoa_constants *from);

/**
 * Bring two GPUs or tiles together, for windows of time with an input for each: totals (of slices,
 * EUs, pipes, ...) become the sums of both; a total that one of them lacks has no value any more.
 * All else stays what it is in @constants. To be the last change of @constants.
 *
 * -EINVAL: they are of different platforms.
 */
GPUOA_API int gpuoa_constants_add(struct gpuoa_constants *constants,
				  const struct gpuoa_constants *other);

/** Number of constants that the platform's equations use. */
GPUOA_API size_t gpuoa_constants_count(const struct gpuoa_constants *constants);

/** Name of constant @index; NULL beyond. */
GPUOA_API const char *gpuoa_constants_name(const struct gpuoa_constants *constants, size_t index);

/** Describe constant @index. @size is sizeof(*desc). -ERANGE beyond the last one. */
GPUOA_API int gpuoa_constants_describe(const struct gpuoa_constants *constants, size_t index,
				       struct gpuoa_constant_desc *desc, size_t size);

/**
 * Give constants from a text: "Name=value" with spaces, commas or line ends between; "#" begins a
 * comment that lasts to the end of its line; numbers are decimal, or hexadecimal with 0x.
 *
 * @error: "LINE:COLUMN: what is wrong"
 *
 * Errors as gpuoa_constants_set(); -EINVAL also for what is not of this form, -ERANGE for more than
 * 64 bits. Nothing is set then.
 */
GPUOA_API int gpuoa_constants_parse(struct gpuoa_constants *constants, const char *text,
				    char *error, size_t error_size);

/**
 * From here on, what is not known is taken from the platform's usual part: the commonest one that
 * has all its slices and EUs. What is given, before or later, narrows it down: with SliceMask, the
 * subslices and EUs of those slices are assumed. -ENODATA: the library knows no part of this
 * platform.
 */
GPUOA_API int gpuoa_constants_assume(struct gpuoa_constants *constants);

/** Name of that part, "Tiger Lake GT2"; NULL if the library knows none. Static. */
GPUOA_API const char *gpuoa_constants_part(const struct gpuoa_constants *constants);

/* ---- reports: formats, and what stands where in a report ------------------------------------ */

/** Report formats; values as in drm/gpuoa_drm.h. Tables of them: Documentation/reports.rst. */
enum gpuoa_report_format {
	GPUOA_REPORT_A13 = 1,
	GPUOA_REPORT_A29 = 2,
	GPUOA_REPORT_A13_B8_C8 = 3,
	GPUOA_REPORT_B4_C8 = 4,
	GPUOA_REPORT_A45_B8_C8 = 5,
	GPUOA_REPORT_B4_C8_A16 = 6,
	GPUOA_REPORT_C4_B8 = 7,
	GPUOA_REPORT_A12 = 8,
	GPUOA_REPORT_A12_B8_C8 = 9,
	GPUOA_REPORT_A32U40_A4U32_B8_C8 = 10,
	GPUOA_REPORT_OAR_A32U40_A4U32_B8_C8 = 11,
	GPUOA_REPORT_A24U40_A14U32_B8_C8 = 12,
	GPUOA_REPORT_MPEC8U64_B8_C8 = 13,
	GPUOA_REPORT_MPEC8U32_B8_C8 = 14,
	GPUOA_REPORT_PEC64U64 = 16,
	GPUOA_REPORT_PEC64U64_B8_C8 = 17,
	GPUOA_REPORT_PEC64U32 = 18,
	GPUOA_REPORT_PEC32U64_G1 = 19,
	GPUOA_REPORT_PEC32U32_G1 = 20,
	GPUOA_REPORT_PEC32U64_G2 = 21,
	GPUOA_REPORT_PEC32U32_G2 = 22,
	GPUOA_REPORT_PEC36U64_G1_32_G2_4 = 23,
	GPUOA_REPORT_PEC36U64_G1_4_G2_32 = 24,
	GPUOA_REPORT_MERT_PEC8 = 25,
};

/** Name of a format ("A45_B8_C8"), or NULL if the library does not know it. */
GPUOA_API const char *gpuoa_format_name(uint32_t format);

/** Format by name, exact case; 0 if the library knows none of that name. */
GPUOA_API uint32_t gpuoa_format_find(const char *name);

/** Bytes of a report in this format, or 0 if the library does not know it. */
GPUOA_API size_t gpuoa_format_size(uint32_t format);

/** What stands in a report. */
enum gpuoa_field {
	GPUOA_FIELD_REPORT_ID, /* first word: gpuoa_report_describe() tells what is in it */
	GPUOA_FIELD_TIMESTAMP, /* ticks */
	GPUOA_FIELD_CONTEXT_ID,
	GPUOA_FIELD_CLOCK, /* cycles of the GPU's clock */
	GPUOA_FIELD_COUNTER_A,
	GPUOA_FIELD_COUNTER_B,
	GPUOA_FIELD_COUNTER_C,
	GPUOA_FIELD_COUNTER_PEC,
};

/** Where in a report. Little endian. */
struct gpuoa_field_desc {
	uint32_t offset; /* bytes */
	uint32_t bits; /* 32 or 64; 56: of a 64-bit word; 40: a 32-bit word, and a byte at @high */
	uint32_t high; /* of 40 bits: offset of the byte with the upper eight; else 0 */
};

/**
 * Where does a field stand in reports of a format?
 *
 * @index: of a counter; else 0
 * @size: sizeof(*desc)
 *
 * -ENOENT: the format lacks this field, or the library does not know the format.
 */
GPUOA_API int gpuoa_report_field(uint32_t format, enum gpuoa_field field, uint32_t index,
				 struct gpuoa_field_desc *desc, size_t size);

/** A report's timestamp, in ticks, as wide as the format has it; 0 if the format is unknown. */
GPUOA_API uint64_t gpuoa_report_timestamp(uint32_t format, const void *report);

/** Raw value of a counter: @bank 'A', 'B', 'C', or 'P' for PEC. -ENOENT: the format lacks it. */
GPUOA_API int gpuoa_report_counter(uint32_t format, const void *report, char bank,
				   unsigned int index, uint64_t *value);

/** Why the GPU wrote a report: bit mask. */
enum gpuoa_reason {
	GPUOA_REASON_TIMER = 1 << 0,
	GPUOA_REASON_TRIGGER_1 = 1 << 1,
	GPUOA_REASON_TRIGGER_2 = 1 << 2,
	GPUOA_REASON_CONTEXT_SWITCH = 1 << 3,
	GPUOA_REASON_IDLE = 1 << 4, /* the GPU began or ceased to be idle */
	GPUOA_REASON_CLOCK = 1 << 5, /* the GPU's clock changed its frequency */
	GPUOA_REASON_MMIO = 1 << 6, /* a write to the trigger register; from gen12.5 on */
};

/** What the header of a report tells. What it does not tell is 0. */
struct gpuoa_report_desc {
	uint64_t timestamp; /* ticks, as wide as the format has it */
	uint64_t clock; /* cycles of the GPU's clock; with has_clock */
	uint32_t reason; /* enum gpuoa_reason; with has_reason */
	uint32_t context_id; /* of the context that ran, or begins to run; with has_context */
	uint32_t frequency_mhz; /* of the GPU's clock; with has_frequency */
	bool has_clock;
	bool has_reason;
	bool has_context;
	bool has_frequency;
	bool has_marker;
	uint32_t marker; /* what a command wrote to the trigger register; with has_marker */
	bool has_source;
	uint32_t source; /* who had it written: 0 the OA unit itself, 1 the CPU, others as the
			    information item SourceId says; with has_source, from gen12.7 on */
};

/**
 * Read the header of a report, as the platform of @set has it. Haswell's tells the timestamp only.
 *
 * @set: any set of the platform
 * @size: sizeof(*desc)
 *
 * -EINVAL: the library does not know the format.
 */
GPUOA_API int gpuoa_report_describe(const struct gpuoa_set *set, uint32_t format,
				    const void *report, struct gpuoa_report_desc *desc,
				    size_t size);

/** All reasons that reports of a set's unit can tell, enum gpuoa_reason; 0: they tell none. */
GPUOA_API uint32_t gpuoa_report_reasons(const struct gpuoa_set *set);

/* ---- ticks and periods ----------------------------------------------------------------------- */

/** GPU and CPU time of one moment. */
struct gpuoa_clock_pair {
	uint64_t gpu_ticks; /* extended to 64 bits */
	uint64_t cpu_ns;
	int32_t clock_id; /* which CPU clock: CLOCK_MONOTONIC, ... */
	uint32_t error_ns; /* cpu_ns is right to within this */
	uint64_t reserved[2];
};

/**
 * GPU time in ns: ticks of a clock of @timestamp_frequency Hz (gpuoa_unit_desc.timestamp_frequency,
 * or the constant GpuTimestampFrequency), rounded down. UINT64_MAX if that is more than 64 bits; 0
 * for a frequency of 0.
 */
GPUOA_API uint64_t gpuoa_ticks_to_ns(uint64_t timestamp_frequency, uint64_t ticks);

/**
 * GPU time of a report, extended to 64 bits: the time nearest to @near (of another report, or
 * gpuoa_clock_pair.gpu_ticks) at which the GPU's clock showed the report's timestamp.
 */
GPUOA_API uint64_t gpuoa_report_ticks(uint32_t format, const void *report, uint64_t near);

enum gpuoa_rounding {
	GPUOA_ROUNDING_DOWN, /* longest period that is not longer than asked */
	GPUOA_ROUNDING_UP, /* shortest period that is not shorter */
	GPUOA_ROUNDING_NEAREST,
	GPUOA_ROUNDING_CLAMP = 1 << 8, /* or-ed to one of them: if no period is on that side of what
					  was asked, the last one that there is */
};

/**
 * Timer exponent for a sampling period, in exact arithmetic.
 *
 * @timestamp_frequency: Hz
 * @period_ns: asked, ns
 * @rounding: enum gpuoa_rounding
 *
 * Returns the exponent, 0..@exponent_max, or -ERANGE if no exponent gives such a period, or -EINVAL
 * if there is no such @rounding. All the periods that a unit has are those of the exponents
 * 0..gpuoa_unit_desc.exponent_max.
 */
GPUOA_API int gpuoa_period_to_exponent(uint64_t timestamp_frequency, uint32_t exponent_max,
				       uint64_t period_ns, uint32_t rounding);

/** Period of an exponent: 2^(exponent+1) ticks, in ns, rounded to nearest. */
GPUOA_API uint64_t gpuoa_exponent_to_period(uint64_t timestamp_frequency, uint32_t exponent);

/* ---- units ---------------------------------------------------------------------------------- */

/** An OA unit of this machine. */
struct gpuoa_unit;

/** What not every unit can do: bit mask. */
enum gpuoa_unit_feature {
	GPUOA_UNIT_CONTEXT = 1 << 0, /* gpuoa_stream_options.context_filter */
	GPUOA_UNIT_BATCHES = 1 << 1, /* gpuoa_stream_options.batches */
	GPUOA_UNIT_FLEX = 1 << 2, /* sets with flexible EU registers */
	GPUOA_UNIT_HALF_FULL = 1 << 3, /* the host may have the interrupt of a half-full buffer */
	GPUOA_UNIT_OWN_REPORTS = 1 << 4, /* anybody may stream reports of a context of his own */
	GPUOA_UNIT_NO_REPORTS = 1 << 5, /* contexts have counters of their own, for their batches */
	GPUOA_UNIT_FREQUENCY = 1 << 6, /* the host pins the clock: see gpuoa_override_set() */
	GPUOA_UNIT_MARKERS = 1 << 7, /* gpuoa_marker_commands() of gpuoa-time.h */
	GPUOA_UNIT_CONTEXT_NAMES = 1 << 8, /* gpuoa_source_context() of gpuoa-stream.h */
	GPUOA_UNIT_AUX = 1 << 9, /* GPUOA_DELIVERY_AUX */
};

/** Kinds of engines; values as i915 and xe have them, which call them rcs, bcs, vcs, vecs and ccs.
 */
enum gpuoa_engine_kind {
	GPUOA_ENGINE_RENDER,
	GPUOA_ENGINE_COPY,
	GPUOA_ENGINE_VIDEO,
	GPUOA_ENGINE_VIDEO_ENHANCE,
	GPUOA_ENGINE_COMPUTE,
};

/** An engine of a GT. Fixed. */
struct gpuoa_engine {
	uint16_t kind; /* enum gpuoa_engine_kind */
	uint16_t instance;
};

#define GPUOA_UNIT_ENGINES 16

/** What a unit is. */
struct gpuoa_unit_desc {
	char name[16]; /* "gpuoa0": PMU, /dev and sysfs name; "i915:0": of /dev/dri/card0; "xe:0",
			  "xe:0.1" */
	char platform[16]; /* "hsw" */
	uint64_t timestamp_frequency; /* Hz */
	uint64_t gt_min_frequency; /* Hz */
	uint64_t gt_max_frequency; /* Hz */
	uint64_t slice_mask;
	uint64_t subslice_mask;
	uint64_t formats; /* bit n: enum gpuoa_report_format n */
	uint32_t default_format;
	uint32_t device_id;
	uint32_t revision;
	uint32_t slice_count;
	uint32_t subslice_count;
	uint32_t eu_count;
	uint32_t threads_per_eu;
	uint32_t exponent_max;
	uint32_t buffer_size_min; /* bytes */
	uint32_t buffer_size_max; /* bytes */
	uint32_t timestamp_bits;
	uint32_t pmu_type;
	char parent[64]; /* the device that it belongs to: a PCI address, or a platform device */
	uint64_t l3_bank_mask; /* 0 before Xe2 */
	uint32_t subslice_stride; /* bits of subslice_mask for each slice; 0: as usual */
	uint32_t compute_engine_count; /* 0 before gen12.5 */
	char domain[16]; /* whose sets it can measure: "OA", "OAM0", as gpuoa_set_desc.domain;
			    "" if the kernel has a kind of unit that this library does not know */
	uint64_t cs_timestamp_frequency; /* of the timestamp that commands write, Hz; 0: unknown */
	uint32_t cs_timestamp_bits; /* valid bits of that; 0: unknown */
	uint32_t reserved; /* 0 */
	uint64_t features; /* enum gpuoa_unit_feature */
	uint16_t tile; /* of the GPU that it belongs to */
	uint16_t gt; /* GT of the GPU that it belongs to, counted over all tiles */
	uint32_t engine_count;
	struct gpuoa_engine engines[GPUOA_UNIT_ENGINES]; /* whose work it counts, all of @gt. None:
							    what it counts is shared by engines, or
							    the host does not tell */
	char origin[8]; /* the interface of the kernel that offers it: "gpuoa", of gpuoa.ko; "i915",
			   i915-perf of the stock driver; "xe", the observation of the stock driver.
			   In a recording "" */
};

/**
 * Names of this machine's OA units ("gpuoa0", "i915:0", "xe:0"). A GPU that gpuoa.ko serves is
 * listed with those units only; else the stock i915 and xe are asked, which need no module of ours.
 * What these two cannot do is told in Documentation/stock-kernels.rst and gpuoa_stream(3), and by
 * the texts of errors. Whoever may not open a GPU's DRM node sees the first of its units of xe
 * only.
 *
 * @names: array of @max names of 16 bytes; NULL with @max 0
 *
 * Returns the number of units, which may be more than @max, or a negative errno.
 */
GPUOA_API int gpuoa_unit_list(char (*names)[16], size_t max);

/**
 * Open a unit.
 *
 * @name: "gpuoa0", "/dev/gpuoa0", "i915:0" or "xe:0.1", or the PCI address or DRM node ("card0",
 * "/dev/dri/renderD128") of its GPU: that one's first unit of gpuoa.ko, or else of i915 or xe;
 * NULL: the first one of all
 *
 * -ENOENT: no such unit, -ENODEV: no unit at all, -EACCES: its device node is not open to this
 * user, -EOPNOTSUPP: xe drives a GPU that is older than Lunar Lake, -ENOMEM.
 */
GPUOA_API int gpuoa_unit_open(const char *name, struct gpuoa_unit **unit, char *error,
			      size_t error_size);

GPUOA_API void gpuoa_unit_close(struct gpuoa_unit *unit);

/** Describe a unit. @size is sizeof(*desc). */
GPUOA_API void gpuoa_unit_describe(const struct gpuoa_unit *unit, struct gpuoa_unit_desc *desc,
				   size_t size);

/** The unit's built-in platform; NULL if this library has no metrics for it. */
GPUOA_API const struct gpuoa_platform *gpuoa_unit_platform(const struct gpuoa_unit *unit);

/** The unit's constants, for that platform; NULL without one. They belong to the unit. */
GPUOA_API const struct gpuoa_constants *gpuoa_unit_constants(const struct gpuoa_unit *unit);

/**
 * Constants of the GPU that @desc describes, for the equations of a platform of user definitions,
 * to be freed by the caller. @size is sizeof(*desc). -E2BIG: @desc has fields that this library
 * does not know and that are not 0. -ENOMEM.
 */
GPUOA_API int gpuoa_constants_of_unit(const struct gpuoa_unit_desc *desc, size_t size,
				      const struct gpuoa_platform *platform,
				      struct gpuoa_constants **constants);

/**
 * Make sure that the kernel knows a set's configuration, and say under which id (metric_set of
 * perf). Without CAP_PERFMON the set is looked up by its UUID only: nothing compares the registers,
 * and that they are the set's is left to whoever uploaded them (with CAP_PERFMON).
 *
 * -EACCES: the kernel does not know it yet, and needs CAP_PERFMON to be told. -EADDRINUSE: its UUID
 * stands for other registers in this kernel. -EINVAL: the set belongs to a platform of another name
 * than the unit's, or the kernel refused a register. -EXDEV: the set is of another domain than the
 * unit. -ENODATA: which registers the set needs depends on a constant that the unit does not tell.
 * -ENODEV: the GPU is gone. -ENOMEM.
 */
GPUOA_API int gpuoa_unit_upload(struct gpuoa_unit *unit, const struct gpuoa_set *set, uint32_t *id,
				char *error, size_t error_size);

/**
 * Read both clocks now. @clock_id: CLOCK_MONOTONIC, _RAW, _BOOTTIME, _REALTIME or _TAI, or
 * GPUOA_CLOCK_PERF of gpuoa-time.h; else -EINVAL. -ENODEV: the GPU is gone.
 */
GPUOA_API int gpuoa_unit_clock(struct gpuoa_unit *unit, int clock_id,
			       struct gpuoa_clock_pair *pair);

/* ---- sources of reports --------------------------------------------------------------------- */

/** A source gives raw reports: a stream of a unit, or a recording. Reading is the same for all. */
struct gpuoa_source;

/** How reports come from the kernel. Reports are the same either way. */
enum gpuoa_delivery {
	GPUOA_DELIVERY_DEFAULT, /* RAW, but AUX for a flight recorder */
	GPUOA_DELIVERY_RAW, /* copied into perf's ring buffer; streams that want the same share a
			       unit */
	GPUOA_DELIVERY_AUX, /* where the GPU puts them, without a copy; the stream has its unit
			       alone */
	GPUOA_DELIVERY_PREFER_AUX, /* AUX if that is possible now, else RAW */
};

/**
 * Options of a stream. Zero-initialize, then set @size; what else is 0 is chosen by the library.
 * Actual values come back.
 */
struct gpuoa_stream_options {
	size_t size; /* sizeof(struct gpuoa_stream_options), must be set */
	uint64_t period_ns; /* asked; 0: that of streams which have the set on this unit now, else
			       1 ms. Out: what the hardware does */
	uint32_t format; /* enum gpuoa_report_format; 0: likewise, else the set's */
	uint32_t buffer_size; /* OABUFFER, bytes; 0: with RAW the kernel's choice, with AUX for 2 s
				 of reports. Out: what it is */
	size_t ring_size; /* perf's ring buffer, bytes; 0: for 2 s of reports, at least 512 KiB;
			     with AUX, where there are no reports in it, 128 KiB; of a stock
			     driver, whose own buffer it follows, 4 MiB at most unless
			     @notify_reports asks for more */
	uint32_t notify_reports; /* wait() and poll() wake after so many reports; 0: for 100 ms */
	bool disabled; /* start disabled */
	bool context_filter; /* count for one context only: */
	int drm_fd; /*   an open file of the GPU's DRM node, */
	uint32_t context; /*   a handle of a context of that file */
	bool context_hw_id; /*   @context is what reports show instead, and @drm_fd 0; needs
				CAP_PERFMON */
	bool batches; /* reports also where batches of the context begin and end: see "Reports of
			 batches" in drm/gpuoa_drm.h */
	bool overwrite; /* flight recorder, see below */
	enum gpuoa_delivery delivery; /* out: _RAW or _AUX */
	uint64_t keep[GPUOA_KEEP_MASK_WORDS]; /* dwords of each report that shall come; all 0: all
						 of them. See gpuoa_metric_keep() */
	uint64_t poll_period_ns; /* look for reports at least so often, so that none is older than
				    that when it comes, however few there are; at least 100 us. 0:
				    as often as the kernel thinks is needed. Each look costs CPU
				    time */
	uint32_t rounding; /* enum gpuoa_rounding, of the period. With GPUOA_ROUNDING_CLAMP, a
			      buffer size that the hardware does not have becomes the next larger
			      one, or the largest, too */
	uint32_t exponent; /* out: of the timer */
	bool use_exponent; /*   in: @exponent instead of @period_ns */
	bool no_reports; /* with @context_filter: no report comes; the context's own counters are
			    on, for the reports of its batches. Gen12 and later */
};

/**
 * Open a stream of a unit: uploads the set's configuration if need be, programs the unit, begins to
 * sample unless @options->disabled. The unit must outlive it.
 *
 * perf refuses streams to users without CAP_PERFMON. If @options->context_filter names a context of
 * an own DRM file, gpuoa.ko's own door is tried then: what the hardware isolates is open to all
 * users (GPUOA_UNIT_OWN_REPORTS, GPUOA_UNIT_NO_REPORTS; the set must have been uploaded by somebody
 * who may). Such a stream is read, peeked at and recorded as any other; it is RAW.
 *
 * Streams of one unit, of this program or others, can be open at a time if they are RAW, and have
 * the same set, format, period, context filter and buffer size.
 *
 * A flight recorder (@options->overwrite, AUX only) runs without anybody who reads: the GPU
 * overwrites the oldest reports. Nothing comes until gpuoa_source_disable(); then the newest
 * reports can be read, as many as the buffer has room for (its size is the largest one if none is
 * asked for), and a clock pair of that moment. After gpuoa_source_enable() it goes on; no report
 * comes twice. What was overwritten was not lost.
 *
 * @options: may be NULL
 *
 * -EBUSY: the unit is in use with another configuration, or by a stream that has it alone, or this
 * one wants it alone. -EACCES: needs CAP_PERFMON, or lower sysctls dev.gpuoa.paranoid and
 * kernel.perf_event_paranoid, or the rate is above dev.gpuoa.max_sample_rate, or the set must be
 * uploaded, which needs CAP_PERFMON. -EPERM: the process may not lock so much memory. -EXDEV: the
 * set is of another domain than the unit. -ERANGE: the hardware has no such period or buffer size.
 * -EOPNOTSUPP: not possible with this delivery: AUX cannot have reports of 192 bytes of media
 * units, nor from gen8 on a context filter; or not with the unit's origin: @error says so. -EINVAL:
 * the set is of another platform; the options contradict each other (@overwrite or AUX with @keep,
 * @overwrite with RAW), have an unknown format or dwords that it lacks, or no @size. -E2BIG:
 * @options is longer than this library knows, and what it does not know is not 0. -ENODEV: the GPU
 * is gone. -ENOMEM; else as perf_event_open in drm/gpuoa_drm.h.
 */
GPUOA_API int gpuoa_stream_open(struct gpuoa_unit *unit, const struct gpuoa_set *set,
				struct gpuoa_stream_options *options, struct gpuoa_source **source,
				char *error, size_t error_size);

/**
 * Open a recording: perf.data as gpuoa record or the stock perf record -R wrote it, or a file of
 * i915-perf-recorder (intel-gpu-tools). Events that are not gpuoa's are skipped. If it has several
 * streams, the first one that describes itself is read: gpuoa_source_desc.streams says so.
 *
 * -ENOENT and the like from open(2). -ESPIPE: not a plain file. -EBADMSG: neither of both, or
 * damaged. -ENODATA: it has no samples of a gpuoa PMU. -EOPNOTSUPP: perf.data of a kind that cannot
 * be read (compressed, of the other byte order). -E2BIG: more than 1024 events. -ENOMEM.
 */
GPUOA_API int gpuoa_file_open(const char *path, struct gpuoa_source **source, char *error,
			      size_t error_size);

/**
 * Open one of several streams in a recording: each gpuoa event in it is one. Each source reads the
 * file by itself; gpuoa_merge_open() puts them in order of time.
 *
 * @index: from 0, in the order of the file's events, which is that of perf's command line. What has
 * not one sample in the file is not counted
 *
 * Errors are those of gpuoa_file_open(), and -ERANGE: there are no more than
 * gpuoa_source_desc.streams, which is the same in each. -ENODATA: perf lost the samples that
 * describe this one.
 */
GPUOA_API int gpuoa_file_open_stream(const char *path, uint32_t index, struct gpuoa_source **source,
				     char *error, size_t error_size);

GPUOA_API void gpuoa_source_close(struct gpuoa_source *source);

/** What a source gives. */
struct gpuoa_source_desc {
	char uuid[40]; /* of the configuration; "" if it has none */
	uint32_t format; /* enum gpuoa_report_format */
	uint32_t exponent; /* timer: a report every 2^(exponent+1) ticks */
	size_t report_size; /* bytes */
	bool context_filter;
	enum gpuoa_delivery delivery; /* _RAW or _AUX; of a recording: while it was made */
	uint64_t keep[GPUOA_KEEP_MASK_WORDS]; /* dwords of each report that there are; reads give
						 whole reports, with zeros for the rest. All 0: all
					       */
	uint32_t streams; /* in the recording; 0: it is none */
	uint32_t stream; /* which of them: an index of gpuoa_file_open_stream() */
};

/** Describe a source. @size is sizeof(*desc). */
GPUOA_API void gpuoa_source_describe(const struct gpuoa_source *source,
				     struct gpuoa_source_desc *desc, size_t size);

/** Describe the unit that a source's reports are of. @size is sizeof(*desc). */
GPUOA_API void gpuoa_source_describe_unit(const struct gpuoa_source *source,
					  struct gpuoa_unit_desc *desc, size_t size);

/**
 * Platform of the source's unit: the built-in one, or NULL if this library does not know it. A
 * recording of gpuoa carries the definitions of its set: if the library has not the same, the
 * platform is loaded from these, and belongs to the source.
 */
GPUOA_API const struct gpuoa_platform *gpuoa_source_platform(const struct gpuoa_source *source);

/**
 * Constants of the source's GPU; NULL without a platform. They belong to the source. Of a recording
 * of gpuoa: with the values that they had when it was made.
 */
GPUOA_API const struct gpuoa_constants *gpuoa_source_constants(const struct gpuoa_source *source);

/** What one read found beside reports. Counts are of reports, and of this read only. */
struct gpuoa_read_status {
	bool gap; /* reports are missing right before those of this read */
	bool end; /* recording: nothing comes any more */
	bool lost_unknown; /* something was lost that could not be counted */
	bool has_clock; /* there is a clock pair near the reports of this read. A recording's first
			   read has one if there is any in it */
	uint64_t lost_overflow; /* the OABUFFER was full */
	uint64_t lost_hardware; /* the hardware dropped reports, or wrote invalid ones instead */
	uint64_t lost_ring; /* the reader was slow: perf's ring buffer was full */
	struct gpuoa_clock_pair clock;
	uint64_t lost_triggers; /* so many times, the queue of MMIO triggers was full: reports that
				   batches asked for are missing, none of the timer's */
	uint64_t wraps; /* so many times, the hardware said that counters had wrapped. That is no
			   loss: differences of two reports are right, as long as no counter of 32
			   bits wraps twice between them */
	uint64_t damaged; /* recording: reports that were left out because they contradict those
			     around them: their time jumps, or counters go back. A gap is in their
			     place */
	uint64_t reserved[4];
};

/**
 * Read reports. A read ends before a gap, so the reports of one read follow each other without one.
 * gpuoa_calc_read() reads and calculates.
 *
 * @reports: room for @max reports of gpuoa_source_desc.report_size bytes; NULL: they are passed
 * over
 * @status: out; must not be NULL
 *
 * Returns the number of reports, 0 if there are none now (stream; @status may tell of a loss before
 * those that come) or any more (recording: @status->end), or -EBADMSG for a damaged recording,
 * -EIO, -ENODEV for a GPU that is gone, when all that came before has been read.
 */
GPUOA_API int gpuoa_source_read(struct gpuoa_source *source, void *reports, size_t max,
				struct gpuoa_read_status *status);

/**
 * The same without a copy: reports where they are, which is for an AUX stream where the GPU put
 * them. One call gives those that lie in one piece, which ends at a place without a valid report; a
 * gap, a loss, a clock pair or a pause of sampling (a gap with nothing lost) is in the status of
 * the call that gives the reports behind it, or of one that gives none yet. Calls of
 * gpuoa_source_read() may come in between.
 *
 * @reports: out: they stay there until the next call for this source, gpuoa_source_wait() and
 * gpuoa_source_fd() excepted. Until then the GPU can't use their room
 * @max: at most so many
 */
GPUOA_API int gpuoa_source_next(struct gpuoa_source *source, const void **reports, size_t max,
				struct gpuoa_read_status *status);

/** Give back the reports of the last gpuoa_source_next() now, for example before a long wait. */
GPUOA_API void gpuoa_source_release(struct gpuoa_source *source);

/**
 * Wait until a stream has gpuoa_stream_options.notify_reports reports, or the time is up. Read
 * until there is nothing any more before waiting again: what is left has not to be waited for, but
 * new reports are counted from then on. A recording never has to be waited for.
 *
 * @timeout_ms: -1: for ever
 *
 * Returns 0: the next read returns reports, a marker or an error, or reports a loss; or the
 * recording has ended and a read says so. A clock pair alone is not waited for. -ETIMEDOUT: there
 * is nothing. -ECANCELED: gpuoa_source_disable() was called, by this or another thread, and there
 * is nothing left. -EINTR. -ENODEV: the GPU is gone.
 */
GPUOA_API int gpuoa_source_wait(struct gpuoa_source *source, int timeout_ms);

/**
 * File descriptor to poll(2) for POLLIN; -EOPNOTSUPP for a recording. It belongs to the source. It
 * becomes ready with gpuoa_stream_options.notify_reports new reports only: read until there is
 * nothing before polling. POLLHUP: the GPU is gone.
 */
GPUOA_API int gpuoa_source_fd(const struct gpuoa_source *source);

/**
 * Stop sampling; what is there can still be read. Another thread may be in gpuoa_source_wait().
 * -EOPNOTSUPP for a recording.
 */
GPUOA_API int gpuoa_source_disable(struct gpuoa_source *source);

/** Sample again; a gap follows. -EOPNOTSUPP for a recording. */
GPUOA_API int gpuoa_source_enable(struct gpuoa_source *source);

/* ---- merging: several sources in order of time ---------------------------------------------- */

struct gpuoa_merge;

/** Reports of one source that are older than what all others have at hand. */
struct gpuoa_merge_run {
	uint32_t source; /* which one, from 0 */
	uint32_t count; /* reports; 0: a status that no reports follow (yet) */
	const void *reports; /* as gpuoa_source_next() has them: until the next call */
	struct gpuoa_read_status status; /* between this source's last run and this one; @end: of
					    all */
};

/**
 * Read several sources, of any units and GPUs, in order of time. Units of one GPU have one clock;
 * other GPUs are related by the clock pairs in the sources, to within their errors. Reports of a
 * source without any clock pair come as they are read. While merged, the sources are read by nobody
 * else; they outlive the merging. Recordings have to be of one machine and boot: those of units
 * with the same parent are taken for recordings of one GPU.
 *
 * -EINVAL: no sources, one that is NULL or there twice, or one in a format that this library does
 * not know or without the frequency of its GPU's clock. -E2BIG: more than 65,536. -ENOMEM.
 */
GPUOA_API int gpuoa_merge_open(struct gpuoa_source *const *sources, uint32_t count,
			       struct gpuoa_merge **merge, char *error, size_t error_size);

GPUOA_API void gpuoa_merge_close(struct gpuoa_merge *merge);

/**
 * The next run. What is older than any other report can be given only when every source has some at
 * hand or has ended.
 *
 * @flush: do not wait for sources with nothing at hand, though they might come with older reports:
 * for streams that are disabled, or so quiet that they are not to be waited for
 * @size: sizeof(*run)
 *
 * Returns 1: a run; 0: nothing now: run->source is what to gpuoa_source_wait() for, or
 * run->status.end is set since all have ended; or a negative errno of gpuoa_source_next() of
 * run->source. One that says -ENODEV has ended with that: the others go on.
 */
GPUOA_API int gpuoa_merge_next(struct gpuoa_merge *merge, bool flush, struct gpuoa_merge_run *run,
			       size_t size);

/* ---- recorder ------------------------------------------------------------------------------- */

struct gpuoa_recorder;

/** What a recorder has written. */
struct gpuoa_recorder_stats {
	uint64_t bytes;
	uint64_t reports;
	uint64_t lost; /* reports known to be lost */
	bool lost_unknown; /* and more, which could not be counted (until now) */
};

/**
 * Record streams to a file that stock perf can read (perf.data): each is a stream of the file,
 * which gpuoa_file_open_stream() opens by its index in @streams. From here on the streams' data
 * goes to the file only: do not read them. The file is valid perf.data at any moment between two
 * calls.
 *
 * @streams: @count different ones, of any units of any GPUs; must outlive the recorder. The array
 * is copied
 *
 * Errors of open(2) and write(2). -EINVAL: @count is 0, or a stream is there twice. -E2BIG: more
 * than 1024. -EOPNOTSUPP: one is no stream, but a recording or a tracer's. -EBUSY: another recorder
 * has one of them. -ENOMEM. @path is created or truncated when all this has been looked at.
 */
GPUOA_API int gpuoa_recorder_open(struct gpuoa_source *const *streams, uint32_t count,
				  const char *path, struct gpuoa_recorder **recorder, char *error,
				  size_t error_size);

/**
 * Write what the streams have. Call whenever gpuoa_source_wait() says that one of them has
 * something, or poll(2) of their gpuoa_source_fd().
 *
 * -ENODEV: a GPU is gone, and the recording has all that it and the others had; streams of other
 * GPUs go on. Else errors are those of write(2): then the file is as it was before, and the streams
 * have still what could not be written.
 */
GPUOA_API int gpuoa_recorder_write(struct gpuoa_recorder *recorder);

/** What was written until now. @size is sizeof(*stats). */
GPUOA_API void gpuoa_recorder_stats(const struct gpuoa_recorder *recorder,
				    struct gpuoa_recorder_stats *stats, size_t size);

/** Write the rest, and close. The streams stay open. Returns the first error of any write. */
GPUOA_API int gpuoa_recorder_close(struct gpuoa_recorder *recorder);

/** Takes @size bytes; returns 0 or a negative errno. */
typedef int (*gpuoa_write_function)(void *context, const void *data, size_t size);

/**
 * Write what a recording has as i915-perf-recorder would have written it, for programs that read
 * this. It reads on from where @source is read, to its end. Marks are left out, and how many
 * reports were lost; such programs know only metric sets of their own.
 *
 * @write: is called with what comes next, and with @context
 *
 * -EOPNOTSUPP: that format has no words for it: reports of gen12.7 or later, or not all dwords of
 * them, or a set that is not known. -ENODATA: nothing relates GPU time to CPU time. Else errors of
 * @write, gpuoa_source_read() and gpuoa_source_time().
 */
GPUOA_API int gpuoa_source_write_i915(struct gpuoa_source *source, gpuoa_write_function write,
				      void *context, char *error, size_t error_size);

/* ---- calculators ---------------------------------------------------------------------------- */

/**
 * A calculator turns consecutive reports into values. Its state is the last report that it saw. A
 * row is the interval between two consecutive reports: the values of all metrics of the set, in the
 * set's order, then those of its information items. Metrics that are not available are 0. Times of
 * reports grow with each other: a timestamp that is not later has wrapped.
 *
 * Arithmetic: integers are 64 bits; a difference below zero is 0; "/" and every operation on a
 * fractional operand are IEEE double; division by 0 gives 0; the result is converted once, to the
 * metric's type.
 */
struct gpuoa_calc;

/** Options of a calculator. Zero-initialize, then set @size. */
struct gpuoa_calc_options {
	size_t size; /* sizeof(struct gpuoa_calc_options), must be set */
	const struct gpuoa_metric *const *metrics; /* compute these, in this order; NULL: all */
	size_t metric_count;
	uint32_t reasons; /* reports with one of these reasons (enum gpuoa_reason) only; 0: all */
	uint32_t context_id; /* with context_filter: the context, as gpuoa_report_desc has it */
	bool context_filter; /* rows are those intervals only that begin when the context runs. From
				gen12.5 on only reports of context switches tell which one that is,
				so that it is not known after opening or a gap until the next of
				these */
	bool no_infos; /* without the information items */
	const char *vector; /* vector code: "avx512", "avx2", "sse2", "plain"; NULL: the best. All
			       give the same values */
	bool maxima; /* behind metrics and information items, a column for each of the metrics:
			the largest possible value in that interval; 0 where there is no maximum */
	bool validity; /* and one more for each: 1, or 0 if the value means nothing, for the metric
			  is not available, or something in its equation was divided by 0 */
	bool across_gaps; /* a row also for the interval from the last report before a gap to the
			     first one behind it. It is true if nothing was restarted there, and the
			     gap is shorter than the timestamp, and each counter of 32 bits, needs
			     to wrap twice */
};

/**
 * Open a calculator for a set, or for a part of it. What the metrics that are asked for need
 * besides is computed as well, but not given out; constants that only others need may lack a value.
 *
 * @constants: are copied
 * @format: of the reports
 * @options: may be NULL: all metrics and information items
 *
 * -ENODATA: a constant that is needed has no value; gpuoa_calc_missing_constant() tells all of
 * them. -EINVAL: the constants are those of another platform than the set's, the library does not
 * know the format, one of the metrics is not of this set, or @options->size is not set. -ENXIO: the
 * format lacks a counter that is needed. -E2BIG: @options is of a newer library, and asks for what
 * this one does not know; or it asks for more than 65,535 columns, information items included.
 * -EOPNOTSUPP: reports of this platform tell no reason or context, or this processor cannot run the
 * vector code. -EOVERFLOW: the equations have more than 32,767 different values, those between
 * their operators included: a calculator for a part of the set has fewer. -ENOMEM.
 */
GPUOA_API int gpuoa_calc_open(const struct gpuoa_set *set, const struct gpuoa_constants *constants,
			      uint32_t format, const struct gpuoa_calc_options *options,
			      struct gpuoa_calc **calc, char *error, size_t error_size);

/**
 * Name of the @index-th constant, from 0, without a value that a calculator with these arguments
 * needs; NULL beyond the last one, and where @options or the constants' platform are wrong. Of a
 * metric of which nobody can say yet whether it is available, these are the constants of its
 * condition alone.
 */
GPUOA_API const char *gpuoa_calc_missing_constant(const struct gpuoa_set *set,
						  const struct gpuoa_constants *constants,
						  const struct gpuoa_calc_options *options,
						  size_t index);

/**
 * Metric @index, from 0, of those that were asked for and are not available on this GPU, and why;
 * NULL beyond the last one. Their values are 0. @reason as of gpuoa_metric_available().
 */
GPUOA_API const struct gpuoa_metric *gpuoa_calc_excluded(const struct gpuoa_calc *calc,
							 size_t index, char *reason, size_t size);

GPUOA_API void gpuoa_calc_close(struct gpuoa_calc *calc);

/** Values in a row: the metrics, the information items, then what else the options ask for. */
GPUOA_API size_t gpuoa_calc_columns(const struct gpuoa_calc *calc);

/** Type of column @index of 0..gpuoa_calc_columns()-1; GPUOA_TYPE_UINT64 beyond. */
GPUOA_API enum gpuoa_value_type gpuoa_calc_column_type(const struct gpuoa_calc *calc, size_t index);

/** What the columns of rows are, in their order. */
enum gpuoa_column_role {
	GPUOA_COLUMN_METRIC,
	GPUOA_COLUMN_INFO,
	GPUOA_COLUMN_MAX, /* gpuoa_calc_options.maxima, of .metric */
	GPUOA_COLUMN_VALID, /* gpuoa_calc_options.validity, of .metric */
};

/** What a column of rows is. Strings are never NULL. */
struct gpuoa_column_desc {
	const char *symbol;
	const char *name;
	const char *description;
	const char *units; /* of measure */
	enum gpuoa_value_type type;
	const struct gpuoa_metric *metric; /* NULL: it is */
	const struct gpuoa_info *info; /*   this one */
	enum gpuoa_column_role role;
};

/** Describe column @index. @size is sizeof(*desc). -ERANGE beyond the last one. */
GPUOA_API int gpuoa_calc_column_describe(const struct gpuoa_calc *calc, size_t index,
					 struct gpuoa_column_desc *desc, size_t size);

/** Name of the vector code that the calculator runs, as in gpuoa_calc_options. Static. */
GPUOA_API const char *gpuoa_calc_vector(const struct gpuoa_calc *calc);

/** The interval of a row: GPU time of its two reports, in ticks, extended to 64 bits. Fixed. */
struct gpuoa_interval {
	uint64_t begin;
	uint64_t end;
};

/**
 * Read a source and calculate: all that has to be done with gaps and clock pairs is done. No row
 * bridges a gap, unless that was asked for; the rows of one call have none between them.
 *
 * @source: in the calculator's format
 * @values: room for @max_rows rows of gpuoa_calc_columns() values each
 * @intervals: room for @max_rows intervals, or NULL
 * @max_rows: at least 1
 * @status: out: what was found until the last of these rows; may be NULL
 *
 * Returns the number of rows, 0 if there are none now (stream: gpuoa_source_wait() for more) or any
 * more (recording: @status->end), or a negative errno of gpuoa_source_read(). -EINVAL: the source's
 * format is another one than the calculator's. -ENOBUFS: @max_rows is 0.
 */
GPUOA_API int gpuoa_calc_read(struct gpuoa_calc *calc, struct gpuoa_source *source,
			      union gpuoa_value *values, struct gpuoa_interval *intervals,
			      size_t max_rows, struct gpuoa_read_status *status);

/**
 * Calculate. For reports that are read otherwise than by gpuoa_calc_read(): tell gaps and clock
 * pairs by gpuoa_calc_gap() and gpuoa_calc_anchor() before the reports that they precede.
 *
 * @reports: @count reports back to back, the oldest first
 * @values: room for @max_rows rows of gpuoa_calc_columns() values each
 * @intervals: room for @max_rows intervals, or NULL
 * @used: out: how many reports were taken; fewer than @count only if @max_rows rows are full
 *
 * Returns the number of rows: without filters @used, less one for the first report after opening or
 * a gap.
 */
GPUOA_API size_t gpuoa_calc_run(struct gpuoa_calc *calc, const void *reports, size_t count,
				union gpuoa_value *values, struct gpuoa_interval *intervals,
				size_t max_rows, size_t *used);

/**
 * Calculate, as gpuoa_calc_run() does, but each metric's values side by side: this is faster, and
 * takes less room.
 *
 * @columns: gpuoa_calc_columns() pointers, each to room for @max_rows of float or uint64_t, by
 * gpuoa_calc_column_type(); NULL for columns that are not wanted
 */
GPUOA_API size_t gpuoa_calc_run_columns(struct gpuoa_calc *calc, const void *reports, size_t count,
					void *const *columns, struct gpuoa_interval *intervals,
					size_t max_rows, size_t *used);

/** What the values of many rows have in common. Values are taken as doubles. */
struct gpuoa_summary {
	uint64_t rows;
	double sum;
	double least; /* if there are rows */
	double largest; /* likewise */
	uint64_t reserved[2];
};

/**
 * Calculate, and keep of the rows only what they have in common.
 *
 * @summaries: gpuoa_calc_columns() of them, zero at first: these rows are added to what they have.
 * That is for rows of one length: gpuoa_calc_total() weighs each by what it is worth.
 *
 * Returns the number of rows.
 */
GPUOA_API size_t gpuoa_calc_summarize(struct gpuoa_calc *calc, const void *reports, size_t count,
				      struct gpuoa_summary *summaries);

/**
 * The next report does not follow the last one: forget that one, so that no row bridges the gap,
 * unless gpuoa_calc_options.across_gaps.
 */
GPUOA_API void gpuoa_calc_gap(struct gpuoa_calc *calc);

/** GPU time near that of the next report, in ticks: timestamps are extended from here on. */
GPUOA_API void gpuoa_calc_anchor(struct gpuoa_calc *calc, uint64_t gpu_ticks);

/**
 * Values of all rows since opening (or the last call with @restart) taken as one interval:
 * equations over the sums of the deltas, gaps left out. -ENODATA: no row yet.
 *
 * @values: gpuoa_calc_columns() of them
 * @interval: from the first to the last report; may be NULL
 */
GPUOA_API int gpuoa_calc_total(struct gpuoa_calc *calc, union gpuoa_value *values,
			       struct gpuoa_interval *interval, bool restart);

/** Largest possible values of the metrics in the last total; 0 where there is no maximum. -ENODATA
 * before the first total. */
GPUOA_API int gpuoa_calc_total_max(struct gpuoa_calc *calc, union gpuoa_value *values);

/* ---- windows of time ------------------------------------------------------------------------ */

/**
 * Windows turn consecutive reports into one row for each window of time: equations over what was
 * counted in the window, as gpuoa_calc_total() has them over everything. Where a window begins or
 * ends between two reports, what they counted is divided as the time is: the part before the edge
 * is rounded down, what follows gets the rest, so that nothing is counted twice or lost. Gaps are
 * not bridged: a row tells how much of its window reports cover.
 *
 * Several inputs (tiles, units) can be brought together. Counters are added up; time and the clock,
 * which run in all of them alike, are the mean over the inputs, rounded down, so that constants
 * have to be those of all inputs together: gpuoa_constants_add().
 *
 * Memory is bounded: what the first reports of a run, and the last ones, leave of a window is kept
 * as sums.
 */
struct gpuoa_windows;

/**
 * Options of windows. Zero-initialize, set @size and one of @period_ticks, @period_ns, @list or
 * @list_grows.
 */
struct gpuoa_windows_options {
	size_t size; /* sizeof(struct gpuoa_windows_options), must be set */
	uint64_t period_ticks; /* length of each window; UINT64_MAX: one window for everything */
	uint64_t period_ns; /* likewise. Need not be whole ticks: edges are rounded down, and do not
			       drift */
	uint64_t origin; /* ticks: where the first one begins; what is before it is left out */
	const struct gpuoa_interval *list; /* windows in ticks: sorted, none empty, none
					      overlapping; is copied */
	size_t list_count;
	const struct gpuoa_calc_options *calc; /* metrics and filters; NULL: all of the set */
	uint32_t inputs; /* number of inputs, at most 1,024; 0: one */
	const int64_t *offsets; /* of each input: ticks to be added to its times; NULL: 0 */
	bool list_grows; /* windows are added later; @list are the first ones, or NULL */
};

/** A window, and how much is known of it. */
struct gpuoa_window {
	uint64_t number; /* in the list; of those of one length, from the origin */
	uint64_t begin; /* of the window, in ticks */
	uint64_t end; /* the first tick that is not in it */
	uint64_t covered; /* ticks of it that intervals of reports cover, of several inputs the
			     mean; 0: there is no data, and values are 0 */
	struct gpuoa_interval data; /* from the first tick that is covered to the end of the last
				       one; 0 and 0 without data */
	uint64_t reserved[2];
};

/**
 * Open windows for sets of one kind.
 *
 * As gpuoa_calc_open(); -EINVAL also: @options does not say which windows, or in more than
 * one way, or the list is not as it should be. -ERANGE: windows would be shorter than a tick.
 * -ENODATA also: @period_ns is given and GpuTimestampFrequency has no value. -E2BIG also: more than
 * 1,024 inputs.
 */
GPUOA_API int gpuoa_windows_open(const struct gpuoa_set *set,
				 const struct gpuoa_constants *constants, uint32_t format,
				 const struct gpuoa_windows_options *options,
				 struct gpuoa_windows **windows, char *error, size_t error_size);

GPUOA_API void gpuoa_windows_close(struct gpuoa_windows *windows);

/**
 * Add windows to the list while reports are taken (gpuoa_windows_options.list_grows).
 *
 * Of the reports that were taken while no window was known, nothing is left but the last one: what
 * they counted is missing in a window that begins before it, as its @covered tells. Whoever learns
 * of a window only when it is over keeps reports for as long, and lets them be taken then.
 * gpuoa_time_to_gpu() of gpuoa-time.h makes ticks of times on any clock of the CPU.
 *
 * @list: in ticks: sorted, none empty, none overlapping another one nor beginning before the end of
 * the last one that is known; is copied. Windows can be added one at a time: each call takes
 * constant time on average
 *
 * -EINVAL: it is not as it should be; @error says which window is wrong, and how. -EOPNOTSUPP: the
 * windows are not those of a list that grows. -ENOMEM.
 */
GPUOA_API int gpuoa_windows_add(struct gpuoa_windows *windows, const struct gpuoa_interval *list,
				size_t count, char *error, size_t error_size);

/** Values in a row, and what they are: as of a calculator. */
GPUOA_API size_t gpuoa_windows_columns(const struct gpuoa_windows *windows);
GPUOA_API enum gpuoa_value_type gpuoa_windows_column_type(const struct gpuoa_windows *windows,
							  size_t index);
GPUOA_API int gpuoa_windows_column_describe(const struct gpuoa_windows *windows, size_t index,
					    struct gpuoa_column_desc *desc, size_t size);

/**
 * Take reports, and give a row for each window that is over.
 *
 * A window is over when a report at or after its end has come from every input. Windows of a list
 * all get a row, also those without data; of windows of one length, those without data are left
 * out.
 *
 * @input: which one the reports are of, from 0; of one that there is not, none is taken
 * @reports: @count reports back to back, the oldest first
 * @values: room for @max_rows rows of gpuoa_windows_columns() values each. Information items are
 * those of the report that ended the last interval in the window, and times in them are
 * gpuoa_window.data.end
 * @rows: room for @max_rows of them
 * @used: out: how many reports were taken
 *
 * Returns the number of rows. If these are @max_rows, there may be more: call again, with what is
 * left or with no reports. If they are fewer and @used is less than @count, this input is ahead of
 * another one: feed that first.
 */
GPUOA_API size_t gpuoa_windows_run(struct gpuoa_windows *windows, uint32_t input,
				   const void *reports, size_t count, union gpuoa_value *values,
				   struct gpuoa_window *rows, size_t max_rows, size_t *used);

/**
 * Give rows also for windows that are not over, with what there is of them; of a list, for all that
 * are left. What comes afterwards of the same window makes another row for it; what is of a window
 * before, or of a list, is left out. Returns the number of rows; as long as these are @max_rows,
 * call again.
 */
GPUOA_API size_t gpuoa_windows_flush(struct gpuoa_windows *windows, union gpuoa_value *values,
				     struct gpuoa_window *rows, size_t max_rows);

/** No more reports come from an input: from here on, no window waits for it. */
GPUOA_API void gpuoa_windows_end(struct gpuoa_windows *windows, uint32_t input);

/** Of an input, as gpuoa_calc_gap() and gpuoa_calc_anchor(), in ticks without its offset. */
GPUOA_API void gpuoa_windows_gap(struct gpuoa_windows *windows, uint32_t input);
GPUOA_API void gpuoa_windows_anchor(struct gpuoa_windows *windows, uint32_t input,
				    uint64_t gpu_ticks);

/* ---- names of enumerations ------------------------------------------------------------------ */

/**
 * What a value of an enumeration is called in the command's output and in definitions: "duration",
 * "io", "subtract". Static; NULL if the library does not know the value. Where values are bits of a
 * mask, one of them is named at a time.
 */
GPUOA_API const char *gpuoa_api_name(enum gpuoa_api api);
GPUOA_API const char *gpuoa_category_name(enum gpuoa_category category);
GPUOA_API const char *gpuoa_sampling_name(enum gpuoa_sampling sampling);
GPUOA_API const char *gpuoa_register_kind_name(enum gpuoa_register_kind kind);
GPUOA_API const char *gpuoa_type_name(enum gpuoa_value_type type);
GPUOA_API const char *gpuoa_semantic_name(enum gpuoa_semantic semantic);
GPUOA_API const char *gpuoa_usage_name(enum gpuoa_usage usage);
GPUOA_API const char *gpuoa_mark_name(enum gpuoa_mark mark);
GPUOA_API const char *gpuoa_quantity_name(enum gpuoa_quantity quantity);
GPUOA_API const char *gpuoa_info_kind_name(enum gpuoa_info_kind kind);
GPUOA_API const char *gpuoa_element_kind_name(enum gpuoa_element_kind kind);
GPUOA_API const char *gpuoa_operation_name(enum gpuoa_operation operation);
GPUOA_API const char *gpuoa_constant_kind_name(enum gpuoa_constant_kind kind);
GPUOA_API const char *gpuoa_origin_name(enum gpuoa_origin origin);
GPUOA_API const char *gpuoa_field_name(enum gpuoa_field field);
GPUOA_API const char *gpuoa_reason_name(enum gpuoa_reason reason);
GPUOA_API const char *gpuoa_delivery_name(enum gpuoa_delivery delivery);
GPUOA_API const char *gpuoa_engine_kind_name(enum gpuoa_engine_kind kind);
GPUOA_API const char *gpuoa_query_mode_name(enum gpuoa_query_mode mode);

#ifdef __cplusplus
}
#endif

#endif /* GPUOA_H */
