/* SPDX-License-Identifier: MIT */
/*
 * gpuoa-metrics.h - platforms, metric sets and metrics: names, units, equations, registers
 *
 * Nothing here needs a device. Conventions are those of gpuoa.h, which includes this header.
 */
#ifndef GPUOA_METRICS_H
#define GPUOA_METRICS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/*
 * These functions are exported by the shared library, even if it is built with -fvisibility=hidden.
 */
#define GPUOA_API __attribute__((visibility("default")))

#ifdef __cplusplus
extern "C" {
#endif

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

/** gpuoa_platform_name() - Return the short name of a platform, "hsw". */
GPUOA_API const char *gpuoa_platform_name(const struct gpuoa_platform *platform);

/** gpuoa_platform_title() - Return the display name of a platform, "Haswell". */
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
 * gpuoa_definitions_get_platform() - Return platform @index, or NULL if out of range. A file has
 * one, an XML file one per chipset.
 */
GPUOA_API const struct gpuoa_platform *
gpuoa_definitions_get_platform(const struct gpuoa_definitions *definitions, size_t index);

/**
 * gpuoa_definitions_find() - Find a platform by name (case-sensitive); NULL if none. Chipset names
 * of XML files are converted to lower case: "sklgt2" for "SKLGT2".
 */
GPUOA_API const struct gpuoa_platform *
gpuoa_definitions_find(const struct gpuoa_definitions *definitions, const char *name);

/**
 * gpuoa_platform_text() - Print the definition of a platform, in the language that
 * gpuoa_definitions_load() reads.
 * @text: buffer of @size bytes, always terminated; NULL with @size 0 to query the length
 *
 * If there is a built-in platform of the same name, the text has only the differences; the text of
 * a built-in platform itself is complete. Includes, templates and bundles are expanded.
 *
 * Return: the length of the whole text.
 */
GPUOA_API size_t gpuoa_platform_text(const struct gpuoa_platform *platform, char *text,
				     size_t size);

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
 * Several sets can have the same symbol, for different units or variants of the GPU. The first
 * match in the platform's order is returned, but a set of unit OA is preferred.
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
	GPUOA_API_BB = 1 << 1, /* reports at the begin and end of a part of a batch buffer */
	GPUOA_API_OGL = 1 << 2,
	GPUOA_API_OGL4 = 1 << 3,
	GPUOA_API_OCL = 1 << 4,
	GPUOA_API_VK = 1 << 5,
	GPUOA_API_MEDIA = 1 << 6,
};

/** enum gpuoa_category - What a set measures, according to its name and unit. */
enum gpuoa_category {
	GPUOA_CATEGORY_GENERIC,
	GPUOA_CATEGORY_RENDER,
	GPUOA_CATEGORY_COMPUTE,
	GPUOA_CATEGORY_MEDIA,
};

/** enum gpuoa_sampling - Events that can trigger a set's reports. Bit mask. */
enum gpuoa_sampling {
	GPUOA_SAMPLING_TIMER = 1 << 0, /* periodic streams */
	/* commands in a batch buffer that begin and end a query: gpuoa-query.h */
	GPUOA_SAMPLING_QUERY = 1 << 1,
	GPUOA_SAMPLING_TRIGGER = 1 << 2, /* events of enum gpuoa_reason, except the timer */
	GPUOA_SAMPLING_TRACER = 1 << 3, /* reports can be decoded one by one */
	/*
	 * EU stall sampling. No set has this bit, because the OA unit does not provide it; from Xe2
	 * on, xe has a separate stream for it.
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
	/* Name of the unit that measures the set: "OA" (render and compute), "OAM0" (media), ... */
	const char *domain;
	/* condition on the GPU's constants under which the set is available; "": always */
	const char *availability;
	enum gpuoa_category category;
	uint32_t sampling; /* enum gpuoa_sampling */
	/* name of the report format, "A45_B8_C8"; "" if the library does not know it */
	const char *format_name;
	size_t report_size; /* size of a report, bytes; 0 if the library does not know the format */
	/* total number of registers in all lists, including conditional lists */
	size_t register_count;
	size_t domain_index; /* index of @domain: see gpuoa_platform_describe_domain() */
	size_t index; /* index in its platform */
	size_t counter_count; /* number of counters in reports of the set */
	/* size of the report that a begin or end command writes, bytes; 0: none */
	size_t query_report_size;
	/*
	 * Reason why the definition may be wrong, for example because it may be out of date; "":
	 * none.
	 */
	const char *remark;
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
	/* registers of the NOA multiplexer, which routes signals to the OA unit */
	GPUOA_REGISTER_MUX,
	GPUOA_REGISTER_BOOLEAN, /* registers of the boolean logic for the B and C counters */
	GPUOA_REGISTER_FLEX, /* flexible EU counters: event selection */
};

/** struct gpuoa_reg - One register write. Fixed: the struct never changes. */
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

/** enum gpuoa_semantic - Meaning of a metric's value: duration, ratio, event count, and others. */
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
	const char *units; /* unit of measure of the value: "percent", "ns", "bytes", ... */
	/* part of the GPU that the metric measures: "gpu", "slice", "subslice", ... */
	const char *hw_unit;
	const char *equation; /* as in the definition, infix */
	const char *max; /* equation of the metric's maximum; "": none */
	/* condition on the GPU's constants under which the metric is available; "": always */
	const char *availability;
	enum gpuoa_value_type type;
	enum gpuoa_semantic semantic;
	uint32_t usage; /* enum gpuoa_usage */
	uint32_t apis; /* mask of enum gpuoa_api; 0: the APIs of the metric's set */
	uint32_t tier; /* 1..4; 0: none */
	/* the metric needs counters that begin/end queries have, but streams do not */
	bool query_only;
	bool has_watermarks;
	double low; /* lower watermark; at this value, a hotspot is likely */
	double high; /* upper watermark; at this value, a hotspot is certain */
	const struct gpuoa_set *set;
	size_t index; /* index in its set */
	/*
	 * Name of the metric in another API, or "". Its unit of measure may differ there:
	 * AvgGpuCoreFrequencyMHz is the alias of a metric in Hz.
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

/** GPUOA_DWORD_MASK_WORDS - Number of 64-bit words in a mask that selects dwords of a report. */
#define GPUOA_DWORD_MASK_WORDS 4

/**
 * gpuoa_metric_dword_mask() - Add the dwords that a metric needs to a dword mask, for
 * gpuoa_stream_options.dword_mask.
 * @format: enum gpuoa_report_format
 * @dword_mask: dword mask of GPUOA_DWORD_MASK_WORDS words: bit n % 64 of word n / 64 selects dword
 *   n. The report header is always added
 *
 * Return: 0, or with @dword_mask unchanged:
 * -EINVAL: the library does not know the format
 * -ENOENT: the format does not have a counter of the metric
 */
GPUOA_API int gpuoa_metric_dword_mask(const struct gpuoa_metric *metric, uint32_t format,
				      uint64_t *dword_mask);

/**
 * gpuoa_metric_in_dword_mask() - Check whether a metric can be computed from the dwords of a report
 * that @dword_mask selects. A mask of all 0 selects every dword. @format: enum gpuoa_report_format
 */
GPUOA_API bool gpuoa_metric_in_dword_mask(const struct gpuoa_metric *metric, uint32_t format,
					  const uint64_t *dword_mask);

/** enum gpuoa_watermark_level - Watermark level of a value. */
enum gpuoa_watermark_level {
	GPUOA_WATERMARK_NONE, /* the metric has no watermarks, or its value is NaN */
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

/** enum gpuoa_quantity - Physical quantities that units of measure are for. */
enum gpuoa_quantity {
	GPUOA_QUANTITY_COUNT, /* number of events, threads, cycles, messages, pixels, ... */
	GPUOA_QUANTITY_RATIO, /* fraction of a whole */
	GPUOA_QUANTITY_TIME, /* s */
	GPUOA_QUANTITY_FREQUENCY, /* Hz */
	GPUOA_QUANTITY_DATA, /* B */
	GPUOA_QUANTITY_BANDWIDTH, /* B/s */
};

/** struct gpuoa_measure_desc - Unit of measure, in terms of its base unit. */
struct gpuoa_measure_desc {
	enum gpuoa_quantity quantity;
	/* factor that converts a value to the base unit: 0.01 for percent, 1e-9 for ns */
	double scale;
	/* base unit, for example "s"; "" for counts and ratios. The string is static. */
	const char *symbol;
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

/* ---- equations as data ---------------------------------------------------------------------- */

/** enum gpuoa_element_kind - Kind of an element of an equation. */
enum gpuoa_element_kind {
	/* operands */
	GPUOA_ELEMENT_INTEGER, /* .integer */
	GPUOA_ELEMENT_REAL, /* .real */
	/* counter .index of .bank; the difference between two reports, modulo 2^.bits */
	GPUOA_ELEMENT_COUNTER,
	/* difference of GPU timestamps, ticks; in information items, the later timestamp */
	GPUOA_ELEMENT_TIMESTAMP,
	/* difference of the clock field, cycles; in information items, the later value */
	GPUOA_ELEMENT_CLOCK,
	GPUOA_ELEMENT_REPORT_ID, /* first dword of the later of two reports */
	GPUOA_ELEMENT_CONTEXT_ID, /* context field of the later of two reports */
	/* constant with this .name and this .index in the platform's list */
	GPUOA_ELEMENT_CONSTANT,
	GPUOA_ELEMENT_METRIC, /* .name, .index in the set */
	GPUOA_ELEMENT_QUERY_MODE, /* 1 in queries by begin/end commands, 0 in streams */
	/* operator, applied to the last two values */
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
	bool is_real; /* operator: it converts its operands to double; operand: it is a double */
	/* bank of a counter: 'A', 'B', 'C', 'P' (PEC), or 'Q' (counters that only queries have) */
	char bank;
	uint32_t bits;
	size_t index;
	uint64_t integer;
	double real;
	const char *name;
};

/**
 * struct gpuoa_equation - Read position in an equation. To read an equation twice, copy this
 * struct. Its members are private.
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

#ifdef __cplusplus
}
#endif

#endif /* GPUOA_METRICS_H */
