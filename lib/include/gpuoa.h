/* SPDX-License-Identifier: MIT */
/*
 * gpuoa.h - libgpuoa: hardware metrics of Intel GPUs
 *
 * Sections of this file, in the order in which a program needs them. Each is usable alone.
 *
 *   version
 *   platforms, user definitions
 *   metric sets, metrics, information items     tables of metrics; no device is needed
 *   domains and plans                           sets that can be measured together
 *   equations as data                           compiled equations of metrics
 *   constants                                   properties of one GPU that equations use
 *   reports                                     report formats and fields
 *   time                                        ticks, clocks, sampling periods
 *   units                                       the OA units of this machine
 *   readers: streams, recordings                readers of raw reports
 *   merging                                     several readers in time order
 *   recorder                                    streams written to a file
 *   calculators                                 metric values of each interval between reports
 *   resampling into windows of time             metric values of fixed intervals
 *   names of enumerations
 *
 * Other headers:
 *
 *   gpuoa-catalog.h        consecutive numbers for all metrics, and filters, for user interfaces
 *   gpuoa-custom.h         metric sets defined at run time
 *   gpuoa-device.h         list of GPUs, permission checks, pinning of the clock
 *   gpuoa-equation.h       parsing and evaluation of single equations
 *   gpuoa-programmable.h   metrics of programmable counters
 *   gpuoa-query.h          begin/end queries in batch buffers
 *   gpuoa-stream.h         further operations on streams
 *   gpuoa-time.h           conversion between GPU and CPU time, stream markers
 *   gpuoa-tracer.h         several sets of a GPU, collected as raw bytes and decoded later
 *
 * Results. Functions that can fail return 0 or a count, or a negative errno. If an index is out of
 * range, getters return NULL, and functions that fill in a struct return -ERANGE. Functions with
 * @error and @error_size write one line with the reason and the remedy there, or "" on success.
 *
 * Structs. A struct can grow at its end if the caller passes its size: options begin with @size,
 * and functions that describe an object or read a description have an argument @size. If the caller
 * was built for an older library, fields that its struct does not have are 0 for the library. If it
 * was built for a newer one, the library sets unknown fields of results to 0, and rejects nonzero
 * unknown fields of inputs with -E2BIG. A struct marked "Fixed" never changes. All other structs
 * have reserved words, set to 0 by the library in results; in inputs they must be 0 (-E2BIG). A
 * field for one value of an enumeration has that type; a mask of its values is a uint32_t. A report
 * format is also a uint32_t, because a unit or recording may have one that this library does not
 * know. Strings are UTF-8.
 *
 * Pointers. Pointers must be valid unless the function or struct documents NULL. NULL is also valid
 * for @error, for buffers of size 0, and for the handle of a close or free function, which then
 * does nothing.
 *
 * Ownership. Tables (platforms, sets, metrics, information items and their strings) are constant.
 * They live until the library is unloaded, or until their user definitions are freed. The caller
 * owns each object that has a close or free function.
 *
 * Threads. Any number of threads may use a const handle at the same time as long as none modifies
 * it: two threads may open calculators with the same constants. Any other handle is for one thread
 * at a time; different handles are independent. One exception: gpuoa_reader_disable() may be called
 * while another thread is in gpuoa_reader_wait(), which then returns.
 *
 * The library never prints, has no global state and reads no environment variable. It requires a
 * 64-bit little-endian machine.
 */
#ifndef GPUOA_H
#define GPUOA_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* Exported by the shared library, even if built with -fvisibility=hidden. */
#define GPUOA_API __attribute__((visibility("default")))

#ifdef __cplusplus
extern "C" {
#endif

/* ---- version -------------------------------------------------------------------------------- */

/** gpuoa_version() - Return the version of the library, "MAJOR.MINOR.PATCH". Static. */
GPUOA_API const char *gpuoa_version(void);

/**
 * gpuoa_metadata_revision() - Return the revision of the built-in metric definitions.
 *
 * Return: 12 hexadecimal digits, equal for libraries built from the same definitions. Static.
 */
GPUOA_API const char *gpuoa_metadata_revision(void);

/* ---- platforms ------------------------------------------------------------------------------ */

struct gpuoa_constants;
struct gpuoa_info;
struct gpuoa_metric;
struct gpuoa_platform;
struct gpuoa_set;

/** gpuoa_platform_count() - Return the number of built-in platforms. */
GPUOA_API size_t gpuoa_platform_count(void);

/** gpuoa_platform_get() - Return built-in platform @index, or NULL if out of range. */
GPUOA_API const struct gpuoa_platform *gpuoa_platform_get(size_t index);

/**
 * gpuoa_platform_find() - Find a built-in platform by name ("hsw", case-sensitive); NULL if none.
 */
GPUOA_API const struct gpuoa_platform *gpuoa_platform_find(const char *name);

/** gpuoa_platform_name() - Return the short name, "hsw". */
GPUOA_API const char *gpuoa_platform_name(const struct gpuoa_platform *platform);

/** gpuoa_platform_title() - Return the display name, "Haswell". */
GPUOA_API const char *gpuoa_platform_title(const struct gpuoa_platform *platform);

/* ---- user definitions ----------------------------------------------------------------------- */

/**
 * struct gpuoa_definitions - Platforms with sets and metrics, loaded at run time.
 *
 * They can be used like the built-in ones until they are freed.
 *
 * A platform with the name of a built-in one extends it: it has all sets of the built-in platform
 * and those of the file. A set with the same symbol and domain, or with the same UUID, replaces the
 * built-in set. The result is a separate platform object, which needs separate constants:
 * gpuoa_constants_of_unit() or gpuoa_constants_transfer().
 */
struct gpuoa_definitions;

/**
 * gpuoa_definitions_load() - Load metric definitions from a file.
 * @path: file in the language of Documentation/reference/metric-definitions.rst, or OA metric XML
 *   of Mesa and igt-gpu-tools
 * @definitions: result; release with gpuoa_definitions_free()
 * @error: "file:line:column: ..." for errors in the file
 *
 * Return: 0, an error of open(2) or read(2), or:
 * -ESPIPE: not a regular file
 * -EINVAL: the file is malformed or contradicts itself
 * -EFBIG: the file exceeds 16 MiB
 * -EOPNOTSUPP: the file is XML, and the library was built without expat
 * -ENOMEM: out of memory
 */
GPUOA_API int gpuoa_definitions_load(const char *path, struct gpuoa_definitions **definitions,
				     char *error, size_t error_size);

/**
 * gpuoa_definitions_parse() - Load metric definitions from memory.
 * @name: path used in @error; files that @text includes are relative to it
 * @text: @size bytes, which need not be terminated
 *
 * Return: as gpuoa_definitions_load().
 */
GPUOA_API int gpuoa_definitions_parse(const char *name, const char *text, size_t size,
				      struct gpuoa_definitions **definitions, char *error,
				      size_t error_size);

/**
 * gpuoa_definitions_free() - Free definitions. Their platforms, sets, metrics and calculators
 * become invalid.
 */
GPUOA_API void gpuoa_definitions_free(struct gpuoa_definitions *definitions);

/**
 * gpuoa_definitions_platform_count() - Return the number of platforms: one, or one per chipset of
 * an XML file.
 */
GPUOA_API size_t gpuoa_definitions_platform_count(const struct gpuoa_definitions *definitions);

/** gpuoa_definitions_get_platform() - Return platform @index, or NULL if out of range. */
GPUOA_API const struct gpuoa_platform *
gpuoa_definitions_get_platform(const struct gpuoa_definitions *definitions, size_t index);

/**
 * gpuoa_definitions_find() - Find a platform by name (case-sensitive); NULL if none. Chipset names
 * of XML files are converted to lower case: "sklgt2" for "SKLGT2".
 */
GPUOA_API const struct gpuoa_platform *
gpuoa_definitions_find(const struct gpuoa_definitions *definitions, const char *name);

/* ---- metric sets ---------------------------------------------------------------------------- */

/** gpuoa_platform_set_count() - Return the number of metric sets of a platform. */
GPUOA_API size_t gpuoa_platform_set_count(const struct gpuoa_platform *platform);

/** gpuoa_platform_get_set() - Return set @index, or NULL if out of range. */
GPUOA_API const struct gpuoa_set *gpuoa_platform_get_set(const struct gpuoa_platform *platform,
							 size_t index);

/**
 * gpuoa_platform_find_set() - Find a set by symbol (case-sensitive), in constant time.
 * @symbol: "RenderBasic", or with its unit, "OAM0/MediaSet1"
 * @domain: domain of the unit (gpuoa_unit_desc.domain); NULL or "": any
 * @constants: constants of the GPU on which the set must be available; NULL: any GPU
 *
 * Several sets can have the same symbol, for different units or variants of the GPU. Of those that
 * match, the first one in the platform's order is returned, a set of unit OA preferred.
 *
 * Return: the set, or NULL if none matches.
 */
GPUOA_API const struct gpuoa_set *gpuoa_platform_find_set(const struct gpuoa_platform *platform,
							  const char *symbol, const char *domain,
							  const struct gpuoa_constants *constants);

/**
 * gpuoa_platform_find_uuid() - Find a set by the UUID of its register configuration (36 characters,
 * lower case); NULL if none.
 */
GPUOA_API const struct gpuoa_set *gpuoa_platform_find_uuid(const struct gpuoa_platform *platform,
							   const char *uuid);

/** enum gpuoa_api - APIs that a set or metric is meant for. Bit mask. */
enum gpuoa_api {
	GPUOA_API_IO = 1 << 0, /* periodic streams */
	GPUOA_API_BB = 1 << 1, /* begin/end reports in a batch buffer */
	GPUOA_API_OGL = 1 << 2,
	GPUOA_API_OGL4 = 1 << 3,
	GPUOA_API_OCL = 1 << 4,
	GPUOA_API_VK = 1 << 5,
	GPUOA_API_MEDIA = 1 << 6,
};

/** enum gpuoa_category - Subject of a set, derived from its name and unit. */
enum gpuoa_category {
	GPUOA_CATEGORY_GENERIC,
	GPUOA_CATEGORY_RENDER,
	GPUOA_CATEGORY_COMPUTE,
	GPUOA_CATEGORY_MEDIA,
};

/** enum gpuoa_sampling - Events that can trigger a set's reports. Bit mask. */
enum gpuoa_sampling {
	GPUOA_SAMPLING_TIMER = 1 << 0, /* periodic streams */
	GPUOA_SAMPLING_QUERY = 1 << 1, /* begin/end commands in a batch buffer: gpuoa-query.h */
	GPUOA_SAMPLING_TRIGGER = 1 << 2, /* events of enum gpuoa_reason other than the timer */
	GPUOA_SAMPLING_TRACER = 1 << 3, /* reports can be decoded one by one */
	/*
	 * EU stall sampling, which OA does not provide: no set has this bit. xe has a stream of it
	 * from Xe2 on.
	 */
	GPUOA_SAMPLING_EU_STALL = 1 << 4,
};

/** struct gpuoa_set_desc - Description of a metric set. Strings are never NULL. */
struct gpuoa_set_desc {
	const char *symbol; /* "RenderBasic" */
	const char *name; /* "Render Metrics Basic" */
	const char *uuid; /* UUID of the register configuration, 36 characters */
	const struct gpuoa_platform *platform;
	uint32_t apis; /* enum gpuoa_api */
	uint32_t format; /* enum gpuoa_report_format */
	size_t metric_count;
	size_t info_count;
	/* Unit that measures it: "OA" (render and compute), "OAM0" (media), ... */
	const char *domain;
	const char *availability; /* condition on the GPU's constants; "": always available */
	enum gpuoa_category category;
	uint32_t sampling; /* enum gpuoa_sampling */
	const char *format_name; /* "A45_B8_C8"; "" if the library does not know it */
	size_t report_size; /* bytes; 0 if the library does not know the format */
	size_t register_count; /* total of all lists, including conditional ones */
	size_t domain_index; /* index of @domain: see gpuoa_platform_describe_domain() */
	size_t index; /* index in its platform */
	size_t counter_count; /* number of counters in its reports */
	size_t query_report_size; /* size of a begin/end command's report, bytes; 0: none */
};

/** gpuoa_set_describe() - Describe a set. @size is sizeof(*desc). */
GPUOA_API void gpuoa_set_describe(const struct gpuoa_set *set, struct gpuoa_set_desc *desc,
				  size_t size);

/**
 * gpuoa_set_available() - Check whether a set is available on a GPU, and if not, why.
 * @domain: domain of the unit that will measure it (gpuoa_unit_desc.domain); NULL or "": any
 * @constants: constants of the GPU
 * @reason: buffer of @size bytes for one line, such as "needs GtSlice1, and GtSlice1 is 0"; "" if
 *   the set is available. NULL with @size 0: not wanted
 *
 * Return: 1 if available, 0 if not, or:
 * -ENOENT: the set has a condition, and @constants is NULL or has no value for one of its constants
 * -EINVAL: @constants belong to another platform. User definitions and the built-in platform of the
 *   same name are different platforms
 */
GPUOA_API int gpuoa_set_available(const struct gpuoa_set *set, const char *domain,
				  const struct gpuoa_constants *constants, char *reason,
				  size_t size);

/** enum gpuoa_register_kind - Kinds of registers in a configuration. */
enum gpuoa_register_kind {
	GPUOA_REGISTER_MUX, /* NOA multiplexer: routes signals to the OA unit */
	GPUOA_REGISTER_BOOLEAN, /* boolean logic of the B and C counters */
	GPUOA_REGISTER_FLEX, /* flexible EU counters: event selection */
};

/** struct gpuoa_reg - One register write. Fixed. */
struct gpuoa_reg {
	uint32_t address;
	uint32_t value;
};

/**
 * gpuoa_set_registers() - Get the register writes of a set, in the order in which they must be
 * made.
 * @constants: constants of the GPU; may be NULL for a set without conditional lists
 * @regs: buffer for @max registers; NULL with @max 0 to query the number only
 *
 * Lists with a condition that is false on this GPU are left out.
 *
 * Return: the number of registers of this kind; if it exceeds @max, nothing is written. -ENODATA:
 * the condition of a list needs a constant that has no value. -EINVAL: @constants belong to another
 * platform.
 */
GPUOA_API int gpuoa_set_registers(const struct gpuoa_set *set, enum gpuoa_register_kind kind,
				  const struct gpuoa_constants *constants, struct gpuoa_reg *regs,
				  size_t max);

/* ---- metrics -------------------------------------------------------------------------------- */

/** enum gpuoa_value_type - Type of a value: the valid member of union gpuoa_value. */
enum gpuoa_value_type {
	GPUOA_TYPE_UINT64, /* union gpuoa_value.u64 */
	GPUOA_TYPE_FLOAT, /* union gpuoa_value.f32 */
};

union gpuoa_value {
	uint64_t u64;
	float f32;
};

/** enum gpuoa_semantic - Kind of number that a metric is. */
enum gpuoa_semantic {
	GPUOA_SEMANTIC_DURATION,
	GPUOA_SEMANTIC_EVENT,
	GPUOA_SEMANTIC_THROUGHPUT,
	GPUOA_SEMANTIC_RATIO,
	GPUOA_SEMANTIC_TIMESTAMP,
	GPUOA_SEMANTIC_FLAG,
	GPUOA_SEMANTIC_RAW,
};

/** enum gpuoa_usage - Purposes of a metric. Bit mask. Tiers rank metrics: look at tier 1 first. */
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
	GPUOA_USAGE_GLASS_JAW = 1 << 11, /* warns of performance cliffs */
};

/** struct gpuoa_metric_desc - Description of a metric. Strings are never NULL, but may be "". */
struct gpuoa_metric_desc {
	const char *symbol; /* "EuActive"; unique in its set */
	const char *name; /* "EU Active" */
	const char *description; /* one line */
	const char *group; /* path, "EU Array/Vertex Shader" */
	const char *units; /* unit of measure: "percent", "ns", "bytes", ... */
	const char *hw_unit; /* part of the GPU that is measured: "gpu", "slice", "subslice", ... */
	const char *equation; /* as in the definition, infix */
	const char *max; /* equation of the maximum, or "" */
	const char *availability; /* condition on the GPU's constants; "": always available */
	enum gpuoa_value_type type;
	enum gpuoa_semantic semantic;
	uint32_t usage; /* enum gpuoa_usage */
	uint32_t apis; /* enum gpuoa_api; 0: the APIs of its set */
	uint32_t tier; /* 1..4; 0: none */
	bool query_only; /* needs counters that only begin/end queries have, not streams */
	bool has_watermarks;
	double low; /* lower watermark: a hotspot is likely */
	double high; /* upper watermark: a hotspot is certain */
	const struct gpuoa_set *set;
	size_t index; /* index in its set */
	/*
	 * Name in another API, or "". Its unit of measure may differ there: AvgGpuCoreFrequencyMHz
	 * is the alias of a metric in Hz.
	 */
	const char *alias;
};

/** gpuoa_set_get_metric() - Return metric @index of a set, or NULL if out of range. */
GPUOA_API const struct gpuoa_metric *gpuoa_set_get_metric(const struct gpuoa_set *set,
							  size_t index);

/**
 * gpuoa_set_find_metric() - Find a metric by symbol, in constant time, or else by alias.
 * Case-sensitive. NULL if the set has neither.
 */
GPUOA_API const struct gpuoa_metric *gpuoa_set_find_metric(const struct gpuoa_set *set,
							   const char *symbol);

/**
 * gpuoa_platform_find_metric() - Find a metric by the symbols of set and metric, in constant time.
 * @name: "RenderBasic.EuActive", or with the unit, "OAM0/MediaSet1.GpuTime"
 * @constants: as in gpuoa_platform_find_set(), which chooses the set, in any domain
 *
 * Return: the metric, or NULL if there is none.
 */
GPUOA_API const struct gpuoa_metric *
gpuoa_platform_find_metric(const struct gpuoa_platform *platform, const char *name,
			   const struct gpuoa_constants *constants);

/** gpuoa_metric_describe() - Describe a metric. @size is sizeof(*desc). */
GPUOA_API void gpuoa_metric_describe(const struct gpuoa_metric *metric,
				     struct gpuoa_metric_desc *desc, size_t size);

/**
 * gpuoa_metric_available() - Check whether a metric is available on a GPU, and if not, why.
 *
 * The result is for streams, or for queries if the constant QueryMode is not GPUOA_QUERY_NONE. It
 * assumes that the set is available. Parameters and result are those of gpuoa_set_available().
 */
GPUOA_API int gpuoa_metric_available(const struct gpuoa_metric *metric,
				     const struct gpuoa_constants *constants, char *reason,
				     size_t size);

/** GPUOA_DWORD_MASK_WORDS - 64-bit words of a dword mask of a report. */
#define GPUOA_DWORD_MASK_WORDS 4

/**
 * gpuoa_metric_dword_mask() - Add the dwords that a metric needs to a dword mask, for
 * gpuoa_stream_options.dword_mask.
 * @format: enum gpuoa_report_format
 * @dword_mask: dword mask of GPUOA_DWORD_MASK_WORDS words: bit n % 64 of word n / 64 selects dword
 * n. The report header is always added
 *
 * Return: 0, or with @dword_mask unchanged:
 * -EINVAL: the library does not know the format
 * -ENOENT: the format does not have a counter of the metric
 */
GPUOA_API int gpuoa_metric_dword_mask(const struct gpuoa_metric *metric, uint32_t format,
				      uint64_t *dword_mask);

/**
 * gpuoa_metric_in_dword_mask() - Check whether the dwords in @dword_mask (all 0: every dword) of
 * reports in
 * @format suffice to compute a metric.
 */
GPUOA_API bool gpuoa_metric_in_dword_mask(const struct gpuoa_metric *metric, uint32_t format,
					  const uint64_t *dword_mask);

/** enum gpuoa_watermark_level - Watermark level of a value. */
enum gpuoa_watermark_level {
	GPUOA_WATERMARK_NONE, /* the metric has no watermarks, or the value is NaN */
	GPUOA_WATERMARK_LOW, /* below both watermarks */
	GPUOA_WATERMARK_MEDIUM, /* a hotspot is likely */
	GPUOA_WATERMARK_HIGH, /* a hotspot is certain */
};

/**
 * gpuoa_metric_classify() - Compare a value, in the metric's unit of measure, with its watermarks.
 */
GPUOA_API enum gpuoa_watermark_level gpuoa_metric_classify(const struct gpuoa_metric *metric,
							   double value);

/** gpuoa_value_to_double() - Convert a value to double. Integers above 2^53 are rounded. */
GPUOA_API double gpuoa_value_to_double(enum gpuoa_value_type type, union gpuoa_value value);

/** enum gpuoa_quantity - Quantity that a unit of measure is for. */
enum gpuoa_quantity {
	GPUOA_QUANTITY_COUNT, /* events, threads, cycles, messages, pixels, ... */
	GPUOA_QUANTITY_RATIO, /* fraction of a whole */
	GPUOA_QUANTITY_TIME, /* s */
	GPUOA_QUANTITY_FREQUENCY, /* Hz */
	GPUOA_QUANTITY_DATA, /* B */
	GPUOA_QUANTITY_BANDWIDTH, /* B/s */
};

/** struct gpuoa_measure_desc - Unit of measure, in terms of its base unit. */
struct gpuoa_measure_desc {
	enum gpuoa_quantity quantity;
	double scale; /* factor to @symbol: 0.01 for percent, 1e-9 for ns */
	const char *symbol; /* base unit, "s"; "" for counts and ratios. Static */
	bool relative; /* true for percent only */
};

/**
 * gpuoa_measure_describe() - Describe a unit of measure of a metric or information item.
 * @units: "percent", "ns", "gbps" (10^9 bytes per second), "hz", "MHz", ..., case-insensitive. An
 *   unknown one is described as a count
 * @size: sizeof(*desc)
 */
GPUOA_API void gpuoa_measure_describe(const char *units, struct gpuoa_measure_desc *desc,
				      size_t size);

/* ---- information items: properties of single reports ---------------------------------------- */

/** enum gpuoa_info_kind - Kind of an information item. */
enum gpuoa_info_kind {
	GPUOA_INFO_VALUE,
	GPUOA_INFO_FLAG,
	GPUOA_INFO_TIMESTAMP,
	GPUOA_INFO_REPORT_REASON, /* bit mask of enum gpuoa_reason */
	GPUOA_INFO_CONTEXT_ID,
};

/** struct gpuoa_info_desc - Description of an information item. Strings are never NULL. */
struct gpuoa_info_desc {
	const char *symbol;
	const char *name;
	const char *description;
	const char *units; /* unit of measure */
	enum gpuoa_semantic semantic;
	enum gpuoa_info_kind kind;
};

/**
 * gpuoa_set_get_info() - Return information item @index of a set, or NULL if out of range.
 *
 * Its values are of GPUOA_TYPE_UINT64, from the later report of an interval.
 */
GPUOA_API const struct gpuoa_info *gpuoa_set_get_info(const struct gpuoa_set *set, size_t index);

/** gpuoa_set_find_info() - Find an information item by symbol (case-sensitive); NULL if none. */
GPUOA_API const struct gpuoa_info *gpuoa_set_find_info(const struct gpuoa_set *set,
						       const char *symbol);

/** gpuoa_info_describe() - Describe an information item. @size is sizeof(*desc). */
GPUOA_API void gpuoa_info_describe(const struct gpuoa_info *info, struct gpuoa_info_desc *desc,
				   size_t size);

/* ---- domains and plans ---------------------------------------------------------------------- */

/**
 * struct gpuoa_domain_desc - Description of a domain.
 *
 * A domain is an OA unit of the hardware, which measures one set at a time. Sets of different
 * domains can be measured together, as can sets with the same UUID, which are different metrics of
 * the same reports.
 */
struct gpuoa_domain_desc {
	const char *symbol; /* "OA", "OAM0" */
	const char *description; /* one line; static */
	size_t set_count;
	uint64_t formats; /* formats of its sets: bit n is enum gpuoa_report_format n */
	uint32_t sampling; /* enum gpuoa_sampling of its sets */
};

/** gpuoa_platform_domain_count() - Return the number of domains of a platform. */
GPUOA_API size_t gpuoa_platform_domain_count(const struct gpuoa_platform *platform);

/**
 * gpuoa_platform_describe_domain() - Describe domain @index. @size is sizeof(*desc). -ERANGE if out
 * of range.
 */
GPUOA_API int gpuoa_platform_describe_domain(const struct gpuoa_platform *platform, size_t index,
					     struct gpuoa_domain_desc *desc, size_t size);

/**
 * gpuoa_plan_passes() - Compute the least number of runs of a workload that measure all given sets.
 * @sets: @count sets in any order, of any platforms, duplicates allowed
 * @gpus: @count numbers chosen by the caller: the GPU on which each set is measured; NULL: one GPU
 *   per platform
 * @pass_of: result: the run, from 0, in which each of the @count sets is measured
 *
 * Return: the number of runs; 0 for no sets.
 */
GPUOA_API size_t gpuoa_plan_passes(const struct gpuoa_set *const *sets, const uint32_t *gpus,
				   size_t count, size_t *pass_of);

/**
 * gpuoa_plan_sets() - Choose sets that together have all given metrics.
 * @constants: constants of the GPU: sets and metrics that are not available on it are not chosen;
 *   NULL: all are available
 * @symbols: @count symbols of metrics
 * @set_of: result: for each metric, the set to measure it with, or NULL if no set has it
 *
 * The set with most of the metrics not yet covered is chosen repeatedly.
 *
 * Return: the number of chosen sets, for gpuoa_plan_passes().
 */
GPUOA_API size_t gpuoa_plan_sets(const struct gpuoa_platform *platform,
				 const struct gpuoa_constants *constants,
				 const char *const *symbols, size_t count,
				 const struct gpuoa_set **set_of);

/* ---- equations as data ---------------------------------------------------------------------- */

/** enum gpuoa_element_kind - Kind of an element of an equation. */
enum gpuoa_element_kind {
	/* operands */
	GPUOA_ELEMENT_INTEGER, /* .integer */
	GPUOA_ELEMENT_REAL, /* .real */
	GPUOA_ELEMENT_COUNTER, /* .bank, .index, .bits: difference modulo 2^bits */
	GPUOA_ELEMENT_TIMESTAMP, /* difference of GPU timestamps, ticks; in information items the
				    later timestamp */
	GPUOA_ELEMENT_CLOCK, /* difference of the clock field, cycles; in information items the
				later value */
	GPUOA_ELEMENT_REPORT_ID, /* first dword of the later report */
	GPUOA_ELEMENT_CONTEXT_ID, /* context field of the later report */
	GPUOA_ELEMENT_CONSTANT, /* .name, .index in the platform's list */
	GPUOA_ELEMENT_METRIC, /* .name, .index in the set */
	GPUOA_ELEMENT_QUERY_MODE, /* 1 in begin/end queries, 0 in streams */
	/* applied to the last two values */
	GPUOA_ELEMENT_OPERATOR, /* .operation */
};

/** enum gpuoa_operation - Operators. Comparisons and logical operators yield 0 or 1. */
enum gpuoa_operation {
	GPUOA_OPERATION_ADD,
	GPUOA_OPERATION_SUBTRACT, /* integers: saturates at 0 */
	GPUOA_OPERATION_MULTIPLY,
	GPUOA_OPERATION_DIVIDE, /* division by 0 yields 0 */
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

/**
 * struct gpuoa_equation_element - Element of an equation in postfix order. Fields that its kind
 * does not use are 0.
 */
struct gpuoa_equation_element {
	enum gpuoa_element_kind kind;
	enum gpuoa_operation operation;
	bool is_real; /* operators: in double, integers are converted; operands: fractional */
	char bank; /* 'A', 'B', 'C'; 'P': PEC; 'Q': counters that only queries have */
	uint32_t bits;
	size_t index;
	uint64_t integer;
	double real;
	const char *name;
};

/**
 * struct gpuoa_equation - Read position in an equation. Copy it to read twice. Members are private.
 */
struct gpuoa_equation {
	const uint32_t *word;
	const uint32_t *end;
	const struct gpuoa_set *set;
	const uint32_t *code;
	uint32_t flags;
	uint32_t reserved[3];
};

/** enum gpuoa_equation_role - Equations of a metric. */
enum gpuoa_equation_role {
	GPUOA_EQUATION_VALUE,
	GPUOA_EQUATION_MAX,
	GPUOA_EQUATION_AVAILABILITY,
};

/** gpuoa_metric_equation() - Return an equation of a metric; empty if it has none of this role. */
GPUOA_API struct gpuoa_equation gpuoa_metric_equation(const struct gpuoa_metric *metric,
						      enum gpuoa_equation_role role);

/** gpuoa_set_equation() - Return the condition of a set; empty if it is always available. */
GPUOA_API struct gpuoa_equation gpuoa_set_equation(const struct gpuoa_set *set);

/** gpuoa_info_equation() - Return the equation of an information item of a set. */
GPUOA_API struct gpuoa_equation gpuoa_info_equation(const struct gpuoa_set *set,
						    const struct gpuoa_info *info);

/**
 * gpuoa_equation_next() - Read the next element. @size is sizeof(*element).
 *
 * Return: false at the end; @element is then unchanged.
 */
GPUOA_API bool gpuoa_equation_next(struct gpuoa_equation *equation,
				   struct gpuoa_equation_element *element, size_t size);

/**
 * gpuoa_equation_text() - Print the rest of an equation in postfix order.
 *
 * Example: "A0 EuCoresTotalCount // 100 * GpuCoreClocks /". "/", and operators with a "." suffix
 * ("*."), operate on doubles.
 *
 * Return: the length of the whole text, as snprintf() does.
 */
GPUOA_API int gpuoa_equation_text(struct gpuoa_equation equation, char *text, size_t size);

/* ---- constants ------------------------------------------------------------------------------ */

/**
 * struct gpuoa_constants - Properties of one GPU that equations use.
 *
 * Constants of units and recordings have their values; otherwise they are set by name. All are
 * 64-bit unsigned integers. Setting some of them also sets others, unless those were set
 * explicitly:
 *
 *   SliceMask                      GtSlice<i>, EuSlicesTotalCount, SliceTotalCount
 *   SubsliceMask, DualSubsliceMask GtXeCore<n>, GtSlice<i>XeCore<j>, EuSubslicesTotalCount,
 *   or XeCoreMask (synonyms)       XeCoreTotalCount; and SliceMask: a slice is present if it has
 *                                  one of these
 *   L3BankMask                     GtL3Bank<n>, L3BankTotalCount, L3NodeTotalCount,
 *                                  SqidiTotalCount, CopyEngineTotalCount
 *   EuCoresTotalCount,             the same value: older and newer names. Also EuThreadsCount
 *   VectorEngineTotalCount         and VectorEngineThreadsCount, ...
 *
 * All global symbols of the Metrics Discovery API (MDAPI) are known by name on all platforms, with
 * or without "Gt" before masks. Constants of a unit also have:
 *
 *   PciDeviceId                    gpuoa_unit_desc.device_id
 *   MaxTimestamp                   ns after which the timestamp of reports wraps
 *   OABufferMinSize, -MaxSize      bytes; of a media unit, MediaOABufferMinSize and -MaxSize
 *   GtSqidiMask, GtSqidi<n>,       from L3BankMask
 *   GtCopyEngineMask, GtCopyEngine<n>
 *   SamplersTotalCount,            as MDAPI derives them: one sampler per subslice, 4 outputs
 *   NumberOfRenderOutputUnits,     per slice, 4 shading units per thread of an EU
 *   NumberOfShadingUnits
 *   PlatformIndex, PlatformVersion MDAPI's numbers of the platform; -ENODATA if it has none
 *
 * No Linux driver reports ApertureSize, Capabilities, EdramSize, L3Size, LLCSize,
 * MemoryPeakThroghputMB and PavpDisabled: they are -ENODATA. Constants are a snapshot, therefore
 * GpuCurrentFrequencyMHz and GpuFrequencyOverrideEnabled are also -ENODATA: see
 * gpuoa_freq_pin_describe() in gpuoa-device.h.
 */
struct gpuoa_constants;

/** enum gpuoa_constant_kind - Kind of number that a constant is. */
enum gpuoa_constant_kind {
	GPUOA_CONSTANT_NUMBER,
	GPUOA_CONSTANT_COUNT,
	GPUOA_CONSTANT_MASK,
	GPUOA_CONSTANT_FREQUENCY, /* Hz */
	GPUOA_CONSTANT_FLAG, /* 0 or 1 */
};

/** enum gpuoa_provenance - Provenance of a constant's value. */
enum gpuoa_provenance {
	GPUOA_PROVENANCE_NONE, /* no value */
	GPUOA_PROVENANCE_GIVEN, /* set by gpuoa_constants_set(), or reported by the unit */
	GPUOA_PROVENANCE_DERIVED, /* derived from other constants */
	GPUOA_PROVENANCE_ASSUMED, /* assumed by gpuoa_constants_assume() */
};

/**
 * enum gpuoa_query_mode - Value of the constant QueryMode: the counters that reports contain.
 *
 * Metrics with gpuoa_metric_desc.query_only have values in all modes except GPUOA_QUERY_NONE.
 * gpuoa_query_pool_open() sets the mode in its copy of the constants.
 */
enum gpuoa_query_mode {
	GPUOA_QUERY_NONE, /* stream */
	GPUOA_QUERY_RENDER, /* counters of a context on the render engine */
	GPUOA_QUERY_COMPUTE, /* counters of a context on a compute engine */
	GPUOA_QUERY_GLOBAL, /* counters of all contexts */
};

/** struct gpuoa_constant_desc - Description of a constant. */
struct gpuoa_constant_desc {
	const char *name;
	const char *description;
	enum gpuoa_constant_kind kind;
	enum gpuoa_provenance provenance;
	uint64_t value; /* 0 if it has none */
};

/**
 * gpuoa_constants_new() - Create constants without values for the equations of @platform. -ENOMEM.
 */
GPUOA_API int gpuoa_constants_new(const struct gpuoa_platform *platform,
				  struct gpuoa_constants **constants);

/** gpuoa_constants_copy() - Copy constants, so that they can be modified. -ENOMEM. */
GPUOA_API int gpuoa_constants_copy(const struct gpuoa_constants *constants,
				   struct gpuoa_constants **copy);

GPUOA_API void gpuoa_constants_free(struct gpuoa_constants *constants);

/**
 * gpuoa_constants_set() - Set a constant, and those derived from it.
 *
 * Return: 0, or:
 * -ENOENT: the platform's equations do not use it, and no other constant is derived from it
 * -EINVAL: @name is QueryMode (default 0), and @value is not an enum gpuoa_query_mode
 */
GPUOA_API int gpuoa_constants_set(struct gpuoa_constants *constants, const char *name,
				  uint64_t value);

/**
 * gpuoa_constants_get() - Get the value of a constant. -ENOENT: no such constant. -ENODATA: no
 * value.
 */
GPUOA_API int gpuoa_constants_get(const struct gpuoa_constants *constants, const char *name,
				  uint64_t *value);

/**
 * gpuoa_constants_transfer() - Copy the explicitly set values of @from to constants of another
 * platform.
 *
 * Derived constants follow. Values that @to's platform does not use are ignored.
 */
GPUOA_API void gpuoa_constants_transfer(struct gpuoa_constants *to,
					const struct gpuoa_constants *from);

/**
 * gpuoa_constants_add() - Add the totals of another GPU or tile, to resample several inputs.
 *
 * Totals (of slices, EUs, pipes, ...) become sums; a total without a value in either loses its
 * value. All other constants are unchanged. Must be the last modification of @constants.
 *
 * Return: 0. -EINVAL: the platforms differ.
 */
GPUOA_API int gpuoa_constants_add(struct gpuoa_constants *constants,
				  const struct gpuoa_constants *other);

/** gpuoa_constants_count() - Return the number of constants that the platform's equations use. */
GPUOA_API size_t gpuoa_constants_count(const struct gpuoa_constants *constants);

/** gpuoa_constants_name() - Return the name of constant @index, or NULL if out of range. */
GPUOA_API const char *gpuoa_constants_name(const struct gpuoa_constants *constants, size_t index);

/**
 * gpuoa_constants_describe() - Describe constant @index. @size is sizeof(*desc). -ERANGE if out of
 * range.
 */
GPUOA_API int gpuoa_constants_describe(const struct gpuoa_constants *constants, size_t index,
				       struct gpuoa_constant_desc *desc, size_t size);

/**
 * gpuoa_constants_parse() - Set constants from text.
 * @text: "Name=value" items separated by spaces, commas or newlines; "#" begins a comment until the
 *   end of its line. Values are decimal, or hexadecimal with 0x
 * @error: "LINE:COLUMN: reason"
 *
 * Return: 0, or with @constants unchanged, an error of gpuoa_constants_set(). -EINVAL: syntax
 * error. -ERANGE: a value exceeds 64 bits. -ENOMEM: out of memory.
 */
GPUOA_API int gpuoa_constants_parse(struct gpuoa_constants *constants, const char *text,
				    char *error, size_t error_size);

/**
 * gpuoa_constants_assume() - Use values of the platform's usual part for unknown constants.
 *
 * The usual part is the most common one with all slices and EUs. Constants that are set, before or
 * later, restrict it: if SliceMask is set, the subslices and EUs of those slices are assumed.
 *
 * Return: 0. -ENODATA: the library knows no part of this platform.
 */
GPUOA_API int gpuoa_constants_assume(struct gpuoa_constants *constants);

/**
 * gpuoa_constants_part() - Return the name of the usual part, "Tiger Lake GT2"; NULL if unknown.
 * Static.
 */
GPUOA_API const char *gpuoa_constants_part(const struct gpuoa_constants *constants);

/* ---- reports: formats and fields ------------------------------------------------------------ */

/**
 * enum gpuoa_report_format - Report formats, with the values of drm/gpuoa_drm.h. See
 * Documentation/reference/reports.rst.
 */
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

/** gpuoa_format_name() - Return the name of a format ("A45_B8_C8"), or NULL if unknown. */
GPUOA_API const char *gpuoa_format_name(uint32_t format);

/** gpuoa_format_find() - Find a format by name (case-sensitive); 0 if unknown. */
GPUOA_API uint32_t gpuoa_format_find(const char *name);

/** gpuoa_format_size() - Return the size of a report in bytes, or 0 if the format is unknown. */
GPUOA_API size_t gpuoa_format_size(uint32_t format);

/** enum gpuoa_field - Fields of a report. */
enum gpuoa_field {
	GPUOA_FIELD_REPORT_ID, /* first dword: see gpuoa_report_describe() */
	GPUOA_FIELD_TIMESTAMP, /* ticks */
	GPUOA_FIELD_CONTEXT_ID,
	GPUOA_FIELD_CLOCK, /* cycles of the GPU's clock */
	GPUOA_FIELD_COUNTER_A,
	GPUOA_FIELD_COUNTER_B,
	GPUOA_FIELD_COUNTER_C,
	GPUOA_FIELD_COUNTER_PEC,
};

/** struct gpuoa_field_desc - Position of a field in a report. Little endian. */
struct gpuoa_field_desc {
	uint32_t offset; /* bytes */
	/* 32 or 64; 56: part of a 64-bit word; 40: a 32-bit word and a byte at @high. */
	uint32_t bits;
	uint32_t high; /* 40-bit fields: offset of the byte with the upper eight bits; else 0 */
};

/**
 * gpuoa_report_field() - Get the position of a field in reports of a format.
 * @index: index of a counter; else 0
 * @size: sizeof(*desc)
 *
 * Return: 0. -ENOENT: the format does not have this field, or the library does not know the format.
 */
GPUOA_API int gpuoa_report_field(uint32_t format, enum gpuoa_field field, uint32_t index,
				 struct gpuoa_field_desc *desc, size_t size);

/**
 * gpuoa_report_timestamp() - Return a report's timestamp in ticks, with the width that the format
 * has; 0 if the format is unknown.
 */
GPUOA_API uint64_t gpuoa_report_timestamp(uint32_t format, const void *report);

/**
 * gpuoa_report_counter() - Get the raw value of a counter.
 * @bank: 'A', 'B', 'C', or 'P' for PEC
 *
 * Return: 0. -ENOENT: the format does not have this counter, or is unknown.
 */
GPUOA_API int gpuoa_report_counter(uint32_t format, const void *report, char bank,
				   unsigned int index, uint64_t *value);

/** enum gpuoa_reason - Reasons for which the GPU writes a report. Bit mask. */
enum gpuoa_reason {
	GPUOA_REASON_TIMER = 1 << 0,
	GPUOA_REASON_TRIGGER_1 = 1 << 1,
	GPUOA_REASON_TRIGGER_2 = 1 << 2,
	GPUOA_REASON_CONTEXT_SWITCH = 1 << 3,
	GPUOA_REASON_IDLE = 1 << 4, /* the GPU became idle or active */
	GPUOA_REASON_CLOCK = 1 << 5, /* the GPU's clock frequency changed */
	GPUOA_REASON_MMIO = 1 << 6, /* write to the trigger register; gen12.5 and later */
};

/**
 * struct gpuoa_report_desc - Decoded header of a report. Fields that the report does not have are
 * 0.
 */
struct gpuoa_report_desc {
	uint64_t timestamp; /* ticks, with the width that the format has */
	uint64_t clock; /* cycles of the GPU's clock; valid if has_clock */
	uint32_t reason; /* enum gpuoa_reason; valid if has_reason */
	uint32_t context_id; /* context that ran or begins to run; valid if has_context */
	uint32_t frequency_mhz; /* frequency of the GPU's clock, MHz; valid if has_frequency */
	bool has_clock;
	bool has_reason;
	bool has_context;
	bool has_frequency;
	bool has_marker;
	uint32_t marker; /* value written to the trigger register; valid if has_marker */
	bool has_trigger;
	/*
	 * Trigger of the report: 0: OA unit, 1: CPU, others as in the information item SourceId;
	 * valid if has_trigger, on gen12.7 and later.
	 */
	uint32_t trigger;
};

/**
 * gpuoa_report_describe() - Decode the header of a report, as the platform of @set defines it.
 * @set: any set of the platform
 * @size: sizeof(*desc)
 *
 * On Haswell, the header has only the timestamp.
 *
 * Return: 0. -EINVAL: the library does not know the format.
 */
GPUOA_API int gpuoa_report_describe(const struct gpuoa_set *set, uint32_t format,
				    const void *report, struct gpuoa_report_desc *desc,
				    size_t size);

/**
 * gpuoa_report_reasons() - Return all reasons that reports of a set's unit can have (mask of enum
 * gpuoa_reason); 0 if reports have no reason.
 */
GPUOA_API uint32_t gpuoa_report_reasons(const struct gpuoa_set *set);

/* ---- ticks and periods ----------------------------------------------------------------------- */

/** struct gpuoa_clock_pair - GPU and CPU time of the same moment. */
struct gpuoa_clock_pair {
	uint64_t gpu_ticks; /* extended to 64 bits */
	uint64_t cpu_ns;
	int32_t clock_id; /* CPU clock: CLOCK_MONOTONIC, ... */
	uint32_t error_ns; /* maximum error of cpu_ns, ns */
	uint64_t reserved[2];
};

/**
 * gpuoa_ticks_to_ns() - Convert ticks to ns, rounded down.
 * @timestamp_frequency: Hz: gpuoa_unit_desc.timestamp_frequency, or constant GpuTimestampFrequency
 *
 * Return: ns. UINT64_MAX if the result exceeds 64 bits; 0 if the frequency is 0.
 */
GPUOA_API uint64_t gpuoa_ticks_to_ns(uint64_t timestamp_frequency, uint64_t ticks);

/**
 * gpuoa_report_ticks() - Return the GPU time of a report, extended to 64 bits.
 * @near: GPU time near that of the report, ticks: of another report, or gpuoa_clock_pair.gpu_ticks
 *
 * Return: of the times with the report's timestamp, the one nearest to @near.
 */
GPUOA_API uint64_t gpuoa_report_ticks(uint32_t format, const void *report, uint64_t near);

/** enum gpuoa_rounding - Rounding of a requested period to one of the hardware. */
enum gpuoa_rounding {
	GPUOA_ROUNDING_DOWN, /* the longest period that is not longer than requested */
	GPUOA_ROUNDING_UP, /* the shortest period that is not shorter than requested */
	GPUOA_ROUNDING_NEAREST,
	/*
	 * Flag, added to one of the others: instead of failing, use the nearest period that the
	 * hardware has.
	 */
	GPUOA_ROUNDING_CLAMP = 1 << 8,
};

/**
 * gpuoa_period_to_exponent() - Convert a sampling period to a timer exponent, in exact arithmetic.
 * @timestamp_frequency: Hz
 * @exponent_max: largest exponent of the unit: gpuoa_unit_desc.exponent_max
 * @period_ns: requested period, ns
 * @rounding: enum gpuoa_rounding
 *
 * Return: the exponent, 0..@exponent_max. -ERANGE: no exponent has such a period, or
 * @timestamp_frequency is 0. -EINVAL: @rounding is invalid.
 */
GPUOA_API int gpuoa_period_to_exponent(uint64_t timestamp_frequency, uint32_t exponent_max,
				       uint64_t period_ns, uint32_t rounding);

/**
 * gpuoa_exponent_to_period() - Return the period of an exponent, 2^(exponent+1) ticks, in ns,
 * rounded to nearest.
 */
GPUOA_API uint64_t gpuoa_exponent_to_period(uint64_t timestamp_frequency, uint32_t exponent);

/* ---- units ---------------------------------------------------------------------------------- */

/** struct gpuoa_unit - An open OA unit of this machine. */
struct gpuoa_unit;

/** enum gpuoa_unit_feature - Optional capabilities of a unit. Bit mask. */
enum gpuoa_unit_feature {
	GPUOA_UNIT_CONTEXT = 1 << 0, /* gpuoa_stream_options.context_filter */
	GPUOA_UNIT_BATCH_BOUNDARY_REPORTS = 1 << 1, /* gpuoa_stream_options.batch_boundary_reports
						     */
	GPUOA_UNIT_FLEX = 1 << 2, /* sets with flexible EU registers */
	GPUOA_UNIT_HALF_FULL = 1 << 3, /* the provider may have a half-full interrupt */
	GPUOA_UNIT_OWN_REPORTS = 1 << 4, /* unprivileged streams of the user's contexts */
	GPUOA_UNIT_QUERY_ONLY = 1 << 5, /* gpuoa_stream_options.query_only */
	GPUOA_UNIT_FREQUENCY = 1 << 6, /* the provider can pin the clock: gpuoa_freq_pin_set() */
	GPUOA_UNIT_MARKERS = 1 << 7, /* gpuoa_marker_commands() of gpuoa-time.h */
	GPUOA_UNIT_CONTEXT_NAMES = 1 << 8, /* gpuoa_reader_context() of gpuoa-stream.h */
	GPUOA_UNIT_AUX = 1 << 9, /* GPUOA_DELIVERY_AUX */
};

/**
 * enum gpuoa_engine_kind - Kinds of engines, with the values of i915 and xe: rcs, bcs, vcs, vecs,
 * ccs.
 */
enum gpuoa_engine_kind {
	GPUOA_ENGINE_RENDER,
	GPUOA_ENGINE_COPY,
	GPUOA_ENGINE_VIDEO,
	GPUOA_ENGINE_VIDEO_ENHANCE,
	GPUOA_ENGINE_COMPUTE,
};

/** struct gpuoa_engine - An engine of a GT. Fixed. */
struct gpuoa_engine {
	uint16_t kind; /* enum gpuoa_engine_kind */
	uint16_t instance;
};

#define GPUOA_UNIT_ENGINES 16

/** struct gpuoa_unit_desc - Description of an OA unit. */
struct gpuoa_unit_desc {
	/* "gpuoa0": name of PMU, /dev and sysfs; "i915:0": of /dev/dri/card0; "xe:0", "xe:0.1". */
	char name[16];
	char platform[16]; /* "hsw" */
	uint64_t timestamp_frequency; /* Hz */
	uint64_t gt_min_frequency; /* Hz */
	uint64_t gt_max_frequency; /* Hz */
	uint64_t slice_mask;
	uint64_t subslice_mask; /* its first 64 bits */
	uint64_t subslice_mask_high; /* bits 64 to 127 */
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
	char parent[64]; /* device that it belongs to: a PCI address or platform device */
	uint64_t l3_bank_mask; /* 0 before Xe2 */
	uint32_t subslice_stride; /* bits of subslice_mask per slice; 0: platform default */
	uint32_t compute_engine_count; /* 0 before gen12.5 */
	/*
	 * Domain of the sets that it can measure, gpuoa_set_desc.domain: "OA", "OAM0"; "" if the
	 * library does not know this kind of unit.
	 */
	char domain[16];
	uint64_t cs_timestamp_frequency; /* timestamp written by commands, Hz; 0: unknown */
	uint32_t cs_timestamp_bits; /* valid bits of that timestamp; 0: unknown */
	uint32_t reserved; /* 0 */
	uint64_t features; /* enum gpuoa_unit_feature */
	uint16_t tile; /* tile of the GPU */
	uint16_t gt; /* GT of the GPU, counted over all tiles */
	uint32_t engine_count;
	/*
	 * Engines that it counts, all of @gt; none if its counters are shared by engines, or the
	 * driver does not report them.
	 */
	struct gpuoa_engine engines[GPUOA_UNIT_ENGINES];
	/*
	 * Driver that provides it: "gpuoa": gpuoa.ko; "i915": i915-perf of the stock driver; "xe":
	 * observation of the stock driver; "" in a recording.
	 */
	char driver[8];
};

/**
 * gpuoa_unit_list() - List the names of this machine's OA units ("gpuoa0", "i915:0", "xe:0").
 * @names: array of @max names of 16 bytes; NULL with @max 0 to query the number only
 *
 * Units of a GPU that gpuoa.ko serves are listed with these names only. Units of other GPUs are
 * those of the stock i915 and xe drivers, which need no module of gpuoa; for their limits see
 * Documentation/user/stock-kernels.rst and gpuoa_stream(3). If the process may not open the DRM
 * node of a GPU, only its first unit of xe is listed.
 *
 * Return: the number of units, which may exceed @max, or a negative errno.
 */
GPUOA_API int gpuoa_unit_list(char (*names)[16], size_t max);

/**
 * gpuoa_unit_open() - Open an OA unit.
 * @name: "gpuoa0", "/dev/gpuoa0", "i915:0" or "xe:0.1"; or PCI address or DRM node ("card0",
 *   "/dev/dri/renderD128") of a GPU, for its first unit; NULL: the first unit of all
 * @unit: result; close with gpuoa_unit_close()
 *
 * If several drivers provide units of the GPU, gpuoa.ko is preferred, then i915, then xe.
 *
 * Return: 0, or:
 * -ENOENT: no such unit
 * -ENODEV: no OA unit on this machine
 * -EACCES: no permission to open its device node
 * -EOPNOTSUPP: the GPU is driven by xe and older than Lunar Lake
 * -ENOMEM: out of memory
 */
GPUOA_API int gpuoa_unit_open(const char *name, struct gpuoa_unit **unit, char *error,
			      size_t error_size);

/** gpuoa_unit_close() - Close a unit. Close its streams first. */
GPUOA_API void gpuoa_unit_close(struct gpuoa_unit *unit);

/** gpuoa_unit_describe() - Describe a unit. @size is sizeof(*desc). */
GPUOA_API void gpuoa_unit_describe(const struct gpuoa_unit *unit, struct gpuoa_unit_desc *desc,
				   size_t size);

/**
 * gpuoa_unit_platform() - Return the unit's built-in platform; NULL if the library has no metrics
 * for it.
 */
GPUOA_API const struct gpuoa_platform *gpuoa_unit_platform(const struct gpuoa_unit *unit);

/**
 * gpuoa_unit_constants() - Return the constants of the unit's GPU, for that platform; NULL without
 * a platform. The unit owns them.
 */
GPUOA_API const struct gpuoa_constants *gpuoa_unit_constants(const struct gpuoa_unit *unit);

/**
 * gpuoa_constants_of_unit() - Create constants of the GPU that @desc describes, for a platform of
 * user definitions.
 * @size: sizeof(*desc)
 * @constants: result; release with gpuoa_constants_free()
 *
 * Return: 0. -E2BIG: @desc has nonzero fields that this library does not know. -ENOMEM: out of
 * memory.
 */
GPUOA_API int gpuoa_constants_of_unit(const struct gpuoa_unit_desc *desc, size_t size,
				      const struct gpuoa_platform *platform,
				      struct gpuoa_constants **constants);

/**
 * gpuoa_unit_add_set() - Make a set's configuration known to the kernel, if it is not yet.
 * @id: result: id of the configuration in the kernel, metric_set of perf events
 *
 * With CAP_PERFMON, the kernel compares the registers. Without it, the set is found by its UUID
 * only, and the registers are those of the privileged process that uploaded it.
 *
 * Return: 0, or:
 * -EACCES: the kernel does not know the configuration, and adding it needs CAP_PERFMON
 * -EADDRINUSE: the kernel knows the UUID with other registers
 * -EINVAL: the set is for a platform of another name, or the kernel rejected a register
 * -EMEDIUMTYPE: the set is of another domain than the unit
 * -ENODATA: a condition in the set needs a constant that the unit does not report
 * -ENODEV: the GPU was removed
 * -ENOMEM: out of memory
 */
GPUOA_API int gpuoa_unit_add_set(struct gpuoa_unit *unit, const struct gpuoa_set *set, uint32_t *id,
				 char *error, size_t error_size);

/**
 * gpuoa_unit_clock() - Read GPU and CPU clock at the same time.
 * @clock_id: CLOCK_MONOTONIC, _RAW, _BOOTTIME, _REALTIME or _TAI, or GPUOA_CLOCK_PERF of
 *   gpuoa-time.h
 *
 * Return: 0. -EINVAL: unknown @clock_id. -ENODEV: the GPU was removed.
 */
GPUOA_API int gpuoa_unit_clock(struct gpuoa_unit *unit, int clock_id,
			       struct gpuoa_clock_pair *pair);

/* ---- readers of reports --------------------------------------------------------------------- */

/** struct gpuoa_reader - Reader of raw reports: a stream of a unit, or a recording. */
struct gpuoa_reader;

/** enum gpuoa_delivery - How the kernel delivers reports. Their content is the same. */
enum gpuoa_delivery {
	GPUOA_DELIVERY_DEFAULT, /* RAW; AUX for a flight recorder */
	GPUOA_DELIVERY_RAW, /* copied into perf's ring buffer; streams with equal parameters share a
			       unit */
	GPUOA_DELIVERY_AUX, /* zero-copy from the GPU's buffer; exclusive use of the unit */
	GPUOA_DELIVERY_PREFER_AUX, /* AUX if possible now, else RAW */
};

/**
 * struct gpuoa_stream_options - Options of a stream.
 *
 * Zero-initialize, then set @size. The library chooses values for other fields that are 0, and
 * writes back the actual values.
 */
struct gpuoa_stream_options {
	size_t size; /* sizeof(struct gpuoa_stream_options), mandatory */
	/*
	 * Sampling period, ns. 0: the period of streams with the same set on this unit, else 1 ms.
	 * Out: the actual period.
	 */
	uint64_t period_ns;
	uint32_t format; /* enum gpuoa_report_format. 0: as for the period, else the set's format */
	/*
	 * OABUFFER, bytes. 0: with RAW, chosen by the kernel; with AUX, enough for 2 s of reports.
	 * Out: the actual size.
	 */
	uint32_t buffer_size;
	/*
	 * perf's ring buffer, bytes. 0: enough for 2 s of reports, at least 512 KiB; 128 KiB with
	 * AUX, where it has no reports; at most 4 MiB with a stock driver, which has a buffer in
	 * addition, unless @notify_reports needs more.
	 */
	size_t ring_size;
	/* Number of reports after which wait() and poll() wake. 0: 100 ms of reports. */
	uint32_t notify_reports;
	bool disabled; /* start disabled */
	bool context_filter; /* count for one context only: @context of @drm_fd */
	int drm_fd; /* open file of the GPU's DRM node */
	uint32_t context; /* handle of a context of that file */
	/* True if @context is the id that reports have, and @drm_fd is 0; needs CAP_PERFMON. */
	bool context_hw_id;
	/*
	 * Also report at the begin and end of the context's batches: see "Reports of batches" in
	 * drm/gpuoa_drm.h.
	 */
	bool batch_boundary_reports;
	bool overwrite; /* flight recorder: see gpuoa_stream_open() */
	enum gpuoa_delivery delivery; /* out: _RAW or _AUX */
	/* Dword mask of each report to deliver; all 0: every dword. See gpuoa_metric_dword_mask().
	 */
	uint64_t dword_mask[GPUOA_DWORD_MASK_WORDS];
	/*
	 * Poll interval, ns, at least 100 us: the maximum age of a report when it is delivered,
	 * even if it is the only one. 0: chosen by the kernel. Each poll costs CPU time.
	 */
	uint64_t poll_period_ns;
	/*
	 * Rounding of the period, enum gpuoa_rounding. With GPUOA_ROUNDING_CLAMP, also round the
	 * buffer size up to one that the hardware has, or to the largest.
	 */
	uint32_t rounding;
	uint32_t exponent; /* timer exponent; out: always set */
	bool use_exponent; /* in: use @exponent instead of @period_ns */
	/*
	 * Requires @context_filter: deliver no reports, but enable the context's counters for the
	 * reports of its batches. Gen12 and later.
	 */
	bool query_only;
};

/**
 * gpuoa_stream_open() - Open a stream of a unit.
 * @unit: must outlive the stream
 * @options: may be NULL; out: actual values
 * @reader: result; close with gpuoa_reader_close()
 *
 * Uploads the set's configuration if necessary, programs the unit, and starts sampling unless
 * @options->disabled.
 *
 * Several streams of a unit, of this and other processes, can be open at the same time if they are
 * RAW and have the same set, format, period, context filter and buffer size.
 *
 * Unprivileged users. perf requires CAP_PERFMON. For a context filter on a context of the caller's
 * DRM file, gpuoa.ko also has an unprivileged stream fd, which is tried next
 * (GPUOA_UNIT_OWN_REPORTS, GPUOA_UNIT_QUERY_ONLY). A privileged user must have uploaded the set.
 * Such a stream is RAW, and can be read, peeked at and recorded like any other.
 *
 * Flight recorder (@options->overwrite). The GPU overwrites the oldest reports, and no reader is
 * needed. It uses AUX and by default the largest buffer. Reports become readable after
 * gpuoa_reader_disable(): the newest ones that fit into the buffer, and a clock pair of that
 * moment. gpuoa_reader_enable() resumes; no report is delivered twice. Overwritten reports are not
 * counted as lost.
 *
 * Return: 0, an error of perf_event_open() in drm/gpuoa_drm.h, or:
 * -EBUSY: the unit is in use with another configuration or exclusively, or this stream needs it
 *   exclusively
 * -EACCES: CAP_PERFMON is needed, to sample or to upload the set; or sysctl dev.gpuoa.paranoid or
 *   kernel.perf_event_paranoid is too high; or the rate exceeds dev.gpuoa.max_sample_rate
 * -EPERM: the ring buffer exceeds the limit of locked memory
 * -EMEDIUMTYPE: the set is of another domain than the unit
 * -ERANGE: the hardware does not have this period or buffer size, or @options->poll_period_ns is
 *   below 100 us
 * -EOPNOTSUPP: not possible with AUX (192-byte reports of media units; from gen8 on, a context
 *   filter) or with the unit's driver; @error has the reason
 * -EINVAL: the set is of another platform; the options are inconsistent (@overwrite or AUX with
 *   @dword_mask, @overwrite with RAW); the format is unknown or does not have the dwords in
 * @dword_mask; or
 *   @options->size is not set
 * -E2BIG: @options has nonzero fields that this library does not know
 * -ENODEV: the GPU was removed
 * -ENOMEM: out of memory
 */
GPUOA_API int gpuoa_stream_open(struct gpuoa_unit *unit, const struct gpuoa_set *set,
				struct gpuoa_stream_options *options, struct gpuoa_reader **reader,
				char *error, size_t error_size);

/**
 * gpuoa_file_open() - Open a recording.
 * @path: perf.data of gpuoa record or of perf record -R, or a file of i915-perf-recorder
 *   (intel-gpu-tools)
 * @reader: result; close with gpuoa_reader_close()
 * @error: "path: cannot open: reason"
 *
 * Events of other PMUs are skipped. Of several streams (gpuoa_reader_desc.streams), the first one
 * that describes itself is read.
 *
 * Return: 0, an error of open(2), or:
 * -ESPIPE: not a regular file
 * -EBADMSG: not a recording, or damaged
 * -ENODATA: no samples of a gpuoa PMU
 * -EOPNOTSUPP: unsupported perf.data: compressed, or of the other byte order
 * -E2BIG: more than 1024 events
 * -ENOMEM: out of memory
 */
GPUOA_API int gpuoa_file_open(const char *path, struct gpuoa_reader **reader, char *error,
			      size_t error_size);

/**
 * gpuoa_file_open_stream() - Open one of several streams in a recording.
 * @index: number of the stream, from 0, in the order of the file's events, which is that of perf's
 *   command line. Events without samples are not counted
 * @reader: result; close with gpuoa_reader_close()
 * @error: "path: cannot open stream N: reason"
 *
 * Each gpuoa event in a recording is a stream. Each reader reads the file independently;
 * gpuoa_merge_open() reads several in time order.
 *
 * Return: 0, an error of gpuoa_file_open(), or:
 * -ERANGE: @index is not below gpuoa_reader_desc.streams
 * -ENODATA: perf lost the samples that describe this stream
 */
GPUOA_API int gpuoa_file_open_stream(const char *path, uint32_t index, struct gpuoa_reader **reader,
				     char *error, size_t error_size);

/** gpuoa_reader_close() - Close a stream or recording. Objects that it owns become invalid. */
GPUOA_API void gpuoa_reader_close(struct gpuoa_reader *reader);

/** struct gpuoa_reader_desc - Description of a reader. */
struct gpuoa_reader_desc {
	char uuid[40]; /* UUID of the configuration; "" if none */
	uint32_t format; /* enum gpuoa_report_format */
	uint32_t exponent; /* timer: one report every 2^(exponent+1) ticks */
	size_t report_size; /* bytes */
	bool context_filter;
	enum gpuoa_delivery delivery; /* _RAW or _AUX; in a recording: of the recorded stream */
	/*
	 * Dword mask of the available dwords; others are 0 in the reports that reads return. All 0:
	 * every dword.
	 */
	uint64_t dword_mask[GPUOA_DWORD_MASK_WORDS];
	uint32_t streams; /* number of streams in the recording; 0: not a recording */
	uint32_t stream; /* index of this one: see gpuoa_file_open_stream() */
};

/** gpuoa_reader_describe() - Describe a reader. @size is sizeof(*desc). */
GPUOA_API void gpuoa_reader_describe(const struct gpuoa_reader *reader,
				     struct gpuoa_reader_desc *desc, size_t size);

/**
 * gpuoa_reader_describe_unit() - Describe the unit that wrote a reader's reports. @size is
 * sizeof(*desc).
 */
GPUOA_API void gpuoa_reader_describe_unit(const struct gpuoa_reader *reader,
					  struct gpuoa_unit_desc *desc, size_t size);

/**
 * gpuoa_reader_platform() - Return the platform of the reader's unit; NULL if unknown.
 *
 * A recording of gpuoa contains the definition of its set. If it differs from the library's, the
 * platform is loaded from the recording, and the reader owns it; else it is the built-in one.
 */
GPUOA_API const struct gpuoa_platform *gpuoa_reader_platform(const struct gpuoa_reader *reader);

/**
 * gpuoa_reader_constants() - Return the constants of the reader's GPU; NULL without a platform. The
 * reader owns them. A recording of gpuoa has their values at the time of recording.
 */
GPUOA_API const struct gpuoa_constants *gpuoa_reader_constants(const struct gpuoa_reader *reader);

/** struct gpuoa_read_status - Events found by one read. Counts are per read. */
struct gpuoa_read_status {
	bool gap; /* reports are missing before the first report of this read */
	bool end; /* end of a recording */
	bool lost_unknown; /* reports were lost and could not be counted */
	/*
	 * True if @clock is a clock pair near the reports of this read. The first read of a
	 * recording has one if the recording has any.
	 */
	bool has_clock;
	uint64_t lost_overflow; /* reports lost because the OABUFFER was full */
	uint64_t lost_hardware; /* reports that the hardware dropped or wrote invalid */
	uint64_t lost_ring; /* reports lost because perf's ring buffer was full */
	struct gpuoa_clock_pair clock;
	/*
	 * Number of times that the queue of MMIO triggers was full: reports requested by batches
	 * are missing, none of the timer.
	 */
	uint64_t lost_triggers;
	/*
	 * Number of times that the hardware reported a counter wrap. This is no loss: differences
	 * of two reports are right unless a 32-bit counter wraps twice between them.
	 */
	uint64_t wraps;
	/*
	 * Recording: reports dropped because they contradict adjacent ones: their time jumps, or
	 * counters decrease. A gap takes their place.
	 */
	uint64_t damaged;
	uint64_t reserved[4];
};

/**
 * gpuoa_reader_read() - Read reports.
 * @reports: buffer for @max reports of gpuoa_reader_desc.report_size bytes; NULL: skip them
 * @status: result, mandatory
 *
 * A read ends before a gap: the reports of one read are contiguous. gpuoa_calc_read() combines
 * reading and calculation.
 *
 * Return: the number of reports. 0: a stream has none now, and @status may report a loss that
 * precedes the next ones; a recording has ended (@status->end). Or:
 * -EBADMSG: the recording is damaged
 * -EIO: perf's ring buffer is damaged
 * -ENODEV: the GPU was removed, and all reports have been read
 */
GPUOA_API int gpuoa_reader_read(struct gpuoa_reader *reader, void *reports, size_t max,
				struct gpuoa_read_status *status);

/**
 * gpuoa_reader_peek() - Read reports in place, without a copy.
 * @reports: result: reports, valid until the next call for this reader other than
 *   gpuoa_reader_wait() and gpuoa_reader_fd(). Reports of an AUX stream are in the GPU's buffer,
 *   and block their space there until that call
 * @max: maximum number of reports
 *
 * One call returns contiguous reports in memory, which end at a slot without a valid report. A gap,
 * a loss, a clock pair or a pause of sampling (a gap without loss) is in the status of the call
 * that returns the reports after it, or of an earlier call without reports. Calls can be mixed with
 * gpuoa_reader_read().
 *
 * Return: as gpuoa_reader_read().
 */
GPUOA_API int gpuoa_reader_peek(struct gpuoa_reader *reader, const void **reports, size_t max,
				struct gpuoa_read_status *status);

/**
 * gpuoa_reader_consume() - Release the reports of the last gpuoa_reader_peek() now, for example
 * before a long wait.
 */
GPUOA_API void gpuoa_reader_consume(struct gpuoa_reader *reader);

/**
 * gpuoa_reader_wait() - Wait until a stream has gpuoa_stream_options.notify_reports reports.
 * @timeout_ms: timeout, ms; -1: none
 *
 * Read until no report is left before waiting again: only new reports are counted. The call returns
 * at once if data is left. A recording never waits.
 *
 * Return: 0: the next read returns reports, a marker, a loss or an error, or the end of a
 * recording. A clock pair alone does not end the wait. Or:
 * -ETIMEDOUT: no data
 * -ECANCELED: sampling was disabled, by this or another thread, and no data is left
 * -EINTR: interrupted by a signal
 * -ENODEV: the GPU was removed
 */
GPUOA_API int gpuoa_reader_wait(struct gpuoa_reader *reader, int timeout_ms);

/**
 * gpuoa_reader_fd() - Return a file descriptor for poll(2), owned by the reader.
 *
 * POLLIN: gpuoa_stream_options.notify_reports new reports. Read until no report is left before
 * polling. POLLHUP: the GPU was removed. -EOPNOTSUPP for a recording.
 */
GPUOA_API int gpuoa_reader_fd(const struct gpuoa_reader *reader);

/**
 * gpuoa_reader_disable() - Stop sampling. Existing reports can still be read. May be called while
 * another thread is in gpuoa_reader_wait(). -EOPNOTSUPP for a recording.
 */
GPUOA_API int gpuoa_reader_disable(struct gpuoa_reader *reader);

/** gpuoa_reader_enable() - Resume sampling, after a gap. -EOPNOTSUPP for a recording. */
GPUOA_API int gpuoa_reader_enable(struct gpuoa_reader *reader);

/* ---- merging: several readers in time order ------------------------------------------------- */

/** struct gpuoa_merge - Several readers, read in time order. */
struct gpuoa_merge;

/**
 * struct gpuoa_merge_run - Consecutive reports of one reader that are older than those of all
 * others.
 */
struct gpuoa_merge_run {
	uint32_t reader; /* index of the reader, from 0 */
	uint32_t count; /* number of reports; 0: only a status */
	const void *reports; /* reports, valid until the next call */
	/* Events since this reader's last run; @end: all readers have ended. */
	struct gpuoa_read_status status;
};

/**
 * gpuoa_merge_open() - Read several readers in time order.
 * @readers: @count readers of any units and GPUs, which must outlive the merge. Meanwhile only the
 *   merge may read them
 * @merge: result; close with gpuoa_merge_close()
 *
 * Units of one GPU (the same parent) have one clock. Different GPUs are aligned by clock pairs, to
 * within their errors. Reports of a reader without any clock pair are returned as they are read.
 * Recordings must be of the same machine and boot.
 *
 * Return: 0, or:
 * -EINVAL: no readers; one is NULL, duplicate, in an unknown format, or without clock frequency
 * -E2BIG: more than 65,536 readers
 * -ENOMEM: out of memory
 */
GPUOA_API int gpuoa_merge_open(struct gpuoa_reader *const *readers, uint32_t count,
			       struct gpuoa_merge **merge, char *error, size_t error_size);

GPUOA_API void gpuoa_merge_close(struct gpuoa_merge *merge);

/**
 * gpuoa_merge_next() - Get the next run.
 * @flush: do not wait for readers without data, although they may have older reports: for streams
 *   that are disabled or too slow to wait for
 * @size: sizeof(*run)
 *
 * A run can be returned only if every reader has reports or has ended.
 *
 * Return: 1: a run. 0: none now: call gpuoa_reader_wait() for reader run->reader, or all have ended
 * (run->status.end). Or a negative errno of gpuoa_reader_peek() of reader run->reader. After
 * -ENODEV that reader has ended, and the others continue.
 */
GPUOA_API int gpuoa_merge_next(struct gpuoa_merge *merge, bool flush, struct gpuoa_merge_run *run,
			       size_t size);

/* ---- recorder ------------------------------------------------------------------------------- */

/** struct gpuoa_recorder - Streams being recorded to a file. */
struct gpuoa_recorder;

/** struct gpuoa_recorder_stats - Totals of a recording. */
struct gpuoa_recorder_stats {
	uint64_t bytes;
	uint64_t reports;
	uint64_t lost; /* reports known to be lost */
	bool lost_unknown; /* further losses could not be counted (yet) */
};

/**
 * gpuoa_recorder_open() - Record streams to a perf.data file.
 * @streams: @count different streams of any units and GPUs, which must outlive the recorder. The
 *   array is copied
 * @path: file, created or truncated after all other checks
 * @recorder: result; close with gpuoa_recorder_close()
 *
 * Each stream becomes a stream of the file: see gpuoa_file_open_stream(). Do not read the streams
 * while they are recorded. The file is valid perf.data between any two calls.
 *
 * Return: 0, an error of open(2) or write(2), or:
 * -EINVAL: @count is 0, or a stream is duplicate
 * -E2BIG: more than 1024 streams
 * -EOPNOTSUPP: one is a recording or a stream of a tracer
 * -EBUSY: one is being recorded by another recorder
 * -ENOMEM: out of memory
 */
GPUOA_API int gpuoa_recorder_open(struct gpuoa_reader *const *streams, uint32_t count,
				  const char *path, struct gpuoa_recorder **recorder, char *error,
				  size_t error_size);

/**
 * gpuoa_recorder_write() - Write the available data of all streams.
 *
 * Call it after gpuoa_reader_wait() of one of the streams, or poll(2) of their gpuoa_reader_fd().
 *
 * Return: 0, an error of write(2) (the file is then unchanged, and the streams still have the
 * data), or:
 * -ENODEV: a GPU was removed. All data has been written, and streams of other GPUs continue
 */
GPUOA_API int gpuoa_recorder_write(struct gpuoa_recorder *recorder);

/** gpuoa_recorder_stats() - Get the current totals. @size is sizeof(*stats). */
GPUOA_API void gpuoa_recorder_stats(const struct gpuoa_recorder *recorder,
				    struct gpuoa_recorder_stats *stats, size_t size);

/**
 * gpuoa_recorder_close() - Write the remaining data, and close the file. The streams stay open.
 *
 * Return: 0, or the first error of any write.
 */
GPUOA_API int gpuoa_recorder_close(struct gpuoa_recorder *recorder);

/** gpuoa_write_function - Callback that writes @size bytes. Returns 0 or a negative errno. */
typedef int (*gpuoa_write_function)(void *context, const void *data, size_t size);

/**
 * gpuoa_reader_write_i915() - Convert a recording to the format of i915-perf-recorder.
 * @reader: recording, read from its current position to its end
 * @write: called with consecutive data, and with @context
 *
 * The format has no markers and no counts of lost reports. Its readers know only their built-in
 * metric sets.
 *
 * Return: 0, an error of @write, gpuoa_reader_read() or gpuoa_reader_time(), or:
 * -EOPNOTSUPP: the format cannot represent it: reports of gen12.7 or later, with a dword mask, or
 *   of an unknown set
 * -ENODATA: no clock pair relates GPU time to CPU time
 */
GPUOA_API int gpuoa_reader_write_i915(struct gpuoa_reader *reader, gpuoa_write_function write,
				      void *context, char *error, size_t error_size);

/* ---- calculators ---------------------------------------------------------------------------- */

/**
 * struct gpuoa_calc - Calculator: turns consecutive reports into values.
 *
 * A row has the values of one interval between two consecutive reports: all metrics of the set, in
 * the set's order, then its information items. Metrics that are not available are 0. The state is
 * the last report. Timestamps are monotonic: one that is not later than the last one has wrapped.
 *
 * Arithmetic. Integers have 64 bits. Negative differences saturate at 0. "/" and operations with a
 * fractional operand are IEEE double. Division by 0 yields 0. The result is converted once, to the
 * metric's type.
 */
struct gpuoa_calc;

/** struct gpuoa_calc_options - Options of a calculator. Zero-initialize, then set @size. */
struct gpuoa_calc_options {
	size_t size; /* sizeof(struct gpuoa_calc_options), mandatory */
	const struct gpuoa_metric *const *metrics; /* metrics to compute, in order; NULL: all */
	size_t metric_count;
	/* Use only reports with one of these reasons (enum gpuoa_reason); 0: all. */
	uint32_t reasons;
	uint32_t context_id; /* context, as in gpuoa_report_desc; valid if context_filter */
	/*
	 * Only intervals that begin while the context runs. From gen12.5 on, only reports of
	 * context switches identify the context: it is unknown after opening or a gap until the
	 * next switch.
	 */
	bool context_filter;
	bool no_infos; /* no outputs for information items */
	/*
	 * Instruction set: "avx512", "avx2", "sse2", "plain"; NULL: the best. All give the same
	 * values.
	 */
	const char *isa;
	/*
	 * After metrics and information items, one output per metric: its maximum in that interval;
	 * 0 if it has none.
	 */
	bool maxima;
	/*
	 * Then one more per metric: 1, or 0 if the value is not valid, because the metric is not
	 * available or its equation divided by 0.
	 */
	bool validity;
	/*
	 * Also a row for the interval across a gap. It is correct if nothing was restarted in the
	 * gap, and neither the timestamp nor a 32-bit counter wrapped twice.
	 */
	bool across_gaps;
};

/**
 * gpuoa_calc_open() - Open a calculator for a set, or for some of its metrics.
 * @constants: constants of the GPU; copied
 * @format: report format
 * @options: NULL: all metrics and information items
 * @calc: result; close with gpuoa_calc_close()
 *
 * Metrics that the requested ones depend on are computed internally. Constants that only other
 * metrics need may be without value.
 *
 * Return: 0, or:
 * -ENODATA: a needed constant has no value: see gpuoa_calc_missing_constant()
 * -EINVAL: the constants are of another platform, the format is unknown, a metric is not of this
 *   set, or @options->size is not set
 * -ENXIO: the format does not have a needed counter
 * -E2BIG: @options has nonzero fields that this library does not know, or more than 65,535 outputs
 * -EOPNOTSUPP: reports of this platform have no reason or context, or the processor does not
 *   support @options->isa
 * -EOVERFLOW: the equations have more than 32,767 different values and intermediate results; use
 *   several calculators for parts of the set
 * -ENOMEM: out of memory
 */
GPUOA_API int gpuoa_calc_open(const struct gpuoa_set *set, const struct gpuoa_constants *constants,
			      uint32_t format, const struct gpuoa_calc_options *options,
			      struct gpuoa_calc **calc, char *error, size_t error_size);

/**
 * gpuoa_calc_missing_constant() - Return the name of a constant without value that a calculator
 * with these arguments needs.
 * @index: number among these constants, from 0
 *
 * If the availability of a metric is unknown, only the constants of its condition are included.
 *
 * Return: the name; NULL if @index is out of range, or if @options or the platform of the constants
 * is wrong.
 */
GPUOA_API const char *gpuoa_calc_missing_constant(const struct gpuoa_set *set,
						  const struct gpuoa_constants *constants,
						  const struct gpuoa_calc_options *options,
						  size_t index);

/**
 * gpuoa_calc_excluded() - Return a requested metric that is not available on this GPU.
 * @index: number among these metrics, from 0
 * @reason: buffer of @size bytes, as in gpuoa_metric_available()
 *
 * Return: the metric (its values are 0); NULL if @index is out of range.
 */
GPUOA_API const struct gpuoa_metric *gpuoa_calc_excluded(const struct gpuoa_calc *calc,
							 size_t index, char *reason, size_t size);

GPUOA_API void gpuoa_calc_close(struct gpuoa_calc *calc);

/**
 * gpuoa_calc_output_count() - Return the number of outputs in a row: metrics, information items,
 * then those of @maxima and @validity.
 */
GPUOA_API size_t gpuoa_calc_output_count(const struct gpuoa_calc *calc);

/**
 * gpuoa_calc_output_type() - Return the type of output @index; GPUOA_TYPE_UINT64 if out of range.
 */
GPUOA_API enum gpuoa_value_type gpuoa_calc_output_type(const struct gpuoa_calc *calc, size_t index);

/** enum gpuoa_output_role - Roles of outputs, in their order in a row. */
enum gpuoa_output_role {
	GPUOA_OUTPUT_METRIC,
	GPUOA_OUTPUT_INFO,
	GPUOA_OUTPUT_MAX, /* gpuoa_calc_options.maxima of .metric */
	GPUOA_OUTPUT_VALID, /* gpuoa_calc_options.validity of .metric */
};

/** struct gpuoa_output_desc - Description of an output. Strings are never NULL. */
struct gpuoa_output_desc {
	const char *symbol;
	const char *name;
	const char *description;
	const char *units; /* unit of measure */
	enum gpuoa_value_type type;
	const struct gpuoa_metric *metric; /* NULL for an information item */
	const struct gpuoa_info *info; /* NULL unless it is an information item */
	enum gpuoa_output_role role;
};

/**
 * gpuoa_calc_output_describe() - Describe output @index. @size is sizeof(*desc). -ERANGE if out of
 * range.
 */
GPUOA_API int gpuoa_calc_output_describe(const struct gpuoa_calc *calc, size_t index,
					 struct gpuoa_output_desc *desc, size_t size);

/**
 * gpuoa_calc_isa() - Return the instruction set that the calculator uses, as in
 * gpuoa_calc_options.isa. Static.
 */
GPUOA_API const char *gpuoa_calc_isa(const struct gpuoa_calc *calc);

/** struct gpuoa_interval - GPU time of two reports, ticks, extended to 64 bits. Fixed. */
struct gpuoa_interval {
	uint64_t begin;
	uint64_t end;
};

/**
 * gpuoa_calc_read() - Read reports and calculate. Handles gaps and clock pairs.
 * @reader: reader of the calculator's format
 * @values: buffer for @max_rows rows of gpuoa_calc_output_count() values each
 * @intervals: buffer for @max_rows intervals, or NULL
 * @max_rows: at least 1
 * @status: result: events up to the last of these rows; may be NULL
 *
 * The rows of one call are contiguous. No row spans a gap, unless gpuoa_calc_options.across_gaps is
 * set.
 *
 * Return: the number of rows. 0: a stream has none now (gpuoa_reader_wait()), or a recording has
 * ended (@status->end). Or an error of gpuoa_reader_read(). -EINVAL: the reader has another format.
 * -ENOBUFS: @max_rows is 0.
 */
GPUOA_API int gpuoa_calc_read(struct gpuoa_calc *calc, struct gpuoa_reader *reader,
			      union gpuoa_value *values, struct gpuoa_interval *intervals,
			      size_t max_rows, struct gpuoa_read_status *status);

/**
 * gpuoa_calc_run() - Calculate from reports that were not read with gpuoa_calc_read().
 * @reports: @count reports without padding, the oldest first
 * @values: buffer for @max_rows rows of gpuoa_calc_output_count() values each
 * @intervals: buffer for @max_rows intervals, or NULL
 * @used: result: number of reports consumed; less than @count only if @max_rows rows are full
 *
 * Pass gaps and clock pairs to gpuoa_calc_discontinuity() and gpuoa_calc_set_time_base() before the
 * reports that follow them.
 *
 * Return: the number of rows: without filters @used, minus one for the first report after opening
 * or a gap.
 */
GPUOA_API size_t gpuoa_calc_run(struct gpuoa_calc *calc, const void *reports, size_t count,
				union gpuoa_value *values, struct gpuoa_interval *intervals,
				size_t max_rows, size_t *used);

/**
 * gpuoa_calc_run_outputs() - Calculate, storing each output as an array. Faster than
 * gpuoa_calc_run(), and needs less memory.
 * @outputs: gpuoa_calc_output_count() pointers to arrays of @max_rows float or uint64_t, according
 * to gpuoa_calc_output_type(); NULL for outputs that are not needed
 *
 * Other parameters and result are those of gpuoa_calc_run().
 */
GPUOA_API size_t gpuoa_calc_run_outputs(struct gpuoa_calc *calc, const void *reports, size_t count,
					void *const *outputs, struct gpuoa_interval *intervals,
					size_t max_rows, size_t *used);

/** struct gpuoa_summary - Summary of an output over many rows. Values are converted to double. */
struct gpuoa_summary {
	uint64_t rows;
	double sum;
	double least; /* minimum; valid if rows > 0 */
	double largest; /* maximum; valid if rows > 0 */
	uint64_t reserved[2];
};

/**
 * gpuoa_calc_summarize() - Calculate, and store only a summary of each output.
 * @summaries: gpuoa_calc_output_count() summaries, zero-initialized before the first call; rows are
 *   added
 *
 * Rows have equal weight, so that they should be of equal length; gpuoa_calc_total() weighs them by
 * length. Other parameters are those of gpuoa_calc_run().
 *
 * Return: the number of rows.
 */
GPUOA_API size_t gpuoa_calc_summarize(struct gpuoa_calc *calc, const void *reports, size_t count,
				      struct gpuoa_summary *summaries);

/**
 * gpuoa_calc_discontinuity() - Mark a discontinuity: the next report does not follow the last one.
 *
 * No row spans it, unless gpuoa_calc_options.across_gaps is set.
 */
GPUOA_API void gpuoa_calc_discontinuity(struct gpuoa_calc *calc);

/**
 * gpuoa_calc_set_time_base() - Set the time base: a GPU time near that of the next report, ticks.
 * Timestamps are extended to 64 bits from there.
 */
GPUOA_API void gpuoa_calc_set_time_base(struct gpuoa_calc *calc, uint64_t gpu_ticks);

/**
 * gpuoa_calc_total() - Calculate all rows since opening, or since the last call with @restart, as
 * one interval.
 * @values: buffer for gpuoa_calc_output_count() values
 * @interval: result: from the first to the last report; may be NULL
 * @restart: begin a new total
 *
 * Equations are applied to the sums of the differences, without gaps.
 *
 * Return: 0. -ENODATA: there is no row.
 */
GPUOA_API int gpuoa_calc_total(struct gpuoa_calc *calc, union gpuoa_value *values,
			       struct gpuoa_interval *interval, bool restart);

/**
 * gpuoa_calc_total_max() - Get the maxima of the metrics in the last total.
 * @values: buffer for gpuoa_calc_output_count() values; outputs without a maximum are set to 0
 *
 * Return: 0. -ENODATA: no total has been calculated.
 */
GPUOA_API int gpuoa_calc_total_max(struct gpuoa_calc *calc, union gpuoa_value *values);

/* ---- resampling into windows of time ------------------------------------------------------- */

/**
 * struct gpuoa_resampler - Resampler: turns consecutive reports into one row per window of time.
 *
 * Equations are applied to the counts of a window, as gpuoa_calc_total() does for all reports. If a
 * window edge is between two reports, their difference is split in proportion to time, rounded down
 * before the edge, so that nothing is counted twice or lost. Gaps are not interpolated: each row
 * has the part of its window that reports cover.
 *
 * Several inputs (tiles, units) can be combined. Counters are added; time and clock are the mean of
 * the inputs, rounded down. Constants must be those of all inputs together: gpuoa_constants_add().
 *
 * Memory use is bounded: partial windows are stored as sums.
 */
struct gpuoa_resampler;

/**
 * struct gpuoa_resampler_options - Options of a resampler.
 *
 * Zero-initialize, then set @size, and one of @period_ticks, @period_ns, or @list (with or without
 * @list_grows; with it, @list may be NULL).
 */
struct gpuoa_resampler_options {
	size_t size; /* sizeof(struct gpuoa_resampler_options), mandatory */
	uint64_t period_ticks; /* length of a window, ticks; UINT64_MAX: one unbounded window */
	/*
	 * Length of a window, ns; UINT64_MAX as above. Need not be whole ticks: edges are rounded
	 * down, without drift.
	 */
	uint64_t period_ns;
	uint64_t start; /* start of the first window, ticks; earlier data is ignored */
	/* Windows, in ticks: sorted, not empty, not overlapping; copied. */
	const struct gpuoa_interval *list;
	size_t list_count;
	const struct gpuoa_calc_options *calc; /* metrics and filters; NULL: all of the set */
	uint32_t inputs; /* number of inputs, at most 1,024; 0: one */
	const int64_t *offsets; /* offset of each input, ticks, added to its times; NULL: 0 */
	bool list_grows; /* windows can be added later; @list has the first ones, or is NULL */
};

/** struct gpuoa_window - A window, and the part of it that reports cover. */
struct gpuoa_window {
	uint64_t number; /* index in the list; for windows of one length, number from the start */
	uint64_t begin; /* first tick */
	uint64_t end; /* first tick after the window */
	/*
	 * Number of ticks covered by intervals of reports, the mean of several inputs; 0: no data,
	 * and values are 0.
	 */
	uint64_t covered;
	struct gpuoa_interval data; /* from the first to the last covered tick; 0, 0: no data */
	uint64_t reserved[2];
};

/**
 * gpuoa_resampler_open() - Open a resampler for a set.
 * @format: report format of all inputs
 * @options: mandatory
 * @resampler: result; close with gpuoa_resampler_close()
 *
 * Return: 0, an error of gpuoa_calc_open(), or:
 * -EINVAL: @options has no windows, or several kinds of them, or an invalid list
 * -ERANGE: windows would be shorter than one tick
 * -ENODATA: @period_ns is set, and GpuTimestampFrequency has no value
 * -E2BIG: more than 1,024 inputs
 */
GPUOA_API int gpuoa_resampler_open(const struct gpuoa_set *set,
				   const struct gpuoa_constants *constants, uint32_t format,
				   const struct gpuoa_resampler_options *options,
				   struct gpuoa_resampler **resampler, char *error,
				   size_t error_size);

GPUOA_API void gpuoa_resampler_close(struct gpuoa_resampler *resampler);

/**
 * gpuoa_resampler_add() - Add windows to the list, if gpuoa_resampler_options.list_grows.
 * @list: @count windows in ticks: sorted, not empty, not overlapping, and after all previous ones;
 *   copied
 *
 * Takes constant time per window on average. Of reports that were consumed while no window was
 * known, only the last one is stored: a window that begins before it has no earlier data
 * (@covered). A caller that learns of windows late should hold back reports accordingly.
 * gpuoa_time_to_gpu() of gpuoa-time.h converts CPU time to ticks.
 *
 * Return: 0, or:
 * -EINVAL: the list is invalid; @error has the window and the reason
 * -EOPNOTSUPP: the resampler was opened without list_grows
 * -ENOMEM: out of memory
 */
GPUOA_API int gpuoa_resampler_add(struct gpuoa_resampler *resampler,
				  const struct gpuoa_interval *list, size_t count, char *error,
				  size_t error_size);

/**
 * gpuoa_resampler_output_count() - Return the number of outputs in a row; their types and
 * descriptions are those of a calculator.
 */
GPUOA_API size_t gpuoa_resampler_output_count(const struct gpuoa_resampler *resampler);
GPUOA_API enum gpuoa_value_type gpuoa_resampler_output_type(const struct gpuoa_resampler *resampler,
							    size_t index);
GPUOA_API int gpuoa_resampler_output_describe(const struct gpuoa_resampler *resampler, size_t index,
					      struct gpuoa_output_desc *desc, size_t size);

/**
 * gpuoa_resampler_run() - Consume reports, and produce a row for each finished window.
 * @input: index of the input, from 0; if out of range, no report is consumed
 * @reports: @count reports without padding, the oldest first
 * @values: buffer for @max_rows rows of gpuoa_resampler_output_count() values each
 * @rows: buffer for @max_rows windows
 * @used: result: number of reports consumed
 *
 * A window is finished when every input has a report at or after its end. Windows of a list always
 * produce a row; windows of one length only if they have data. Information items are those of the
 * report that ended the last interval in the window; times among them are gpuoa_window.data.end.
 *
 * Return: the number of rows. If it is @max_rows, there may be more: call again with the remaining
 * reports, or with none. If it is less and @used is less than @count, this input is ahead of
 * another one: feed that one first.
 */
GPUOA_API size_t gpuoa_resampler_run(struct gpuoa_resampler *resampler, uint32_t input,
				     const void *reports, size_t count, union gpuoa_value *values,
				     struct gpuoa_window *rows, size_t max_rows, size_t *used);

/**
 * gpuoa_resampler_flush() - Produce rows for unfinished windows from the available data; for a
 * list, for all remaining windows.
 *
 * Later data of the same window produces another row; data before it, or of a list, is ignored.
 *
 * Return: the number of rows. If it is @max_rows, call again.
 */
GPUOA_API size_t gpuoa_resampler_flush(struct gpuoa_resampler *resampler, union gpuoa_value *values,
				       struct gpuoa_window *rows, size_t max_rows);

/** gpuoa_resampler_end() - Mark an input as ended: windows no longer wait for it. */
GPUOA_API void gpuoa_resampler_end(struct gpuoa_resampler *resampler, uint32_t input);

/**
 * gpuoa_resampler_discontinuity() - Mark a discontinuity of an input, or set its time base, in
 * ticks without its offset: see gpuoa_calc_discontinuity() and gpuoa_calc_set_time_base().
 */
GPUOA_API void gpuoa_resampler_discontinuity(struct gpuoa_resampler *resampler, uint32_t input);
GPUOA_API void gpuoa_resampler_set_time_base(struct gpuoa_resampler *resampler, uint32_t input,
					     uint64_t gpu_ticks);

/* ---- names of enumerations ------------------------------------------------------------------ */

/**
 * gpuoa_*_name() - Return the name of a value, as the gpuoa command and metric definitions use it:
 * "duration", "io", "subtract".
 *
 * For bit masks, pass one bit.
 *
 * Return: a static string; NULL if the library does not know the value.
 */
GPUOA_API const char *gpuoa_api_name(enum gpuoa_api api);
GPUOA_API const char *gpuoa_category_name(enum gpuoa_category category);
GPUOA_API const char *gpuoa_sampling_name(enum gpuoa_sampling sampling);
GPUOA_API const char *gpuoa_register_kind_name(enum gpuoa_register_kind kind);
GPUOA_API const char *gpuoa_type_name(enum gpuoa_value_type type);
GPUOA_API const char *gpuoa_semantic_name(enum gpuoa_semantic semantic);
GPUOA_API const char *gpuoa_usage_name(enum gpuoa_usage usage);
GPUOA_API const char *gpuoa_watermark_level_name(enum gpuoa_watermark_level level);
GPUOA_API const char *gpuoa_quantity_name(enum gpuoa_quantity quantity);
GPUOA_API const char *gpuoa_info_kind_name(enum gpuoa_info_kind kind);
GPUOA_API const char *gpuoa_element_kind_name(enum gpuoa_element_kind kind);
GPUOA_API const char *gpuoa_operation_name(enum gpuoa_operation operation);
GPUOA_API const char *gpuoa_constant_kind_name(enum gpuoa_constant_kind kind);
GPUOA_API const char *gpuoa_provenance_name(enum gpuoa_provenance provenance);
GPUOA_API const char *gpuoa_field_name(enum gpuoa_field field);
GPUOA_API const char *gpuoa_reason_name(enum gpuoa_reason reason);
GPUOA_API const char *gpuoa_delivery_name(enum gpuoa_delivery delivery);
GPUOA_API const char *gpuoa_engine_kind_name(enum gpuoa_engine_kind kind);
GPUOA_API const char *gpuoa_query_mode_name(enum gpuoa_query_mode mode);

#ifdef __cplusplus
}
#endif

#endif /* GPUOA_H */
