/* SPDX-License-Identifier: MIT */
/*
 * gpuoa.h - libgpuoa: hardware metrics of Intel GPUs.
 *
 * The road through this library, each step usable on its own:
 *
 *   platform, set, metric     what can be measured: static tables, no device needed
 *   constants                 what the equations must know of one GPU (EUs, clocks, ...)
 *   unit                      an OA unit of this machine
 *   source                    raw reports: a stream of a unit, or a recording
 *   calc                      raw reports in, values of metrics out
 *   windows                   raw reports in, values of windows of time out
 *
 * Functions that can fail return 0 (or a count) or a negative errno. Handles are opaque. Tables (platform,
 * set, metric, info) are constant and live as long as the library is loaded, or the user definitions that they are
 * of; any number of threads may read them. Every other handle belongs to whoever opened it and may be used by one thread at a time; different
 * handles are independent. The library never prints, has no global state and reads no environment variable.
 */
#ifndef GPUOA_H
#define GPUOA_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

/* version */

/** Version of the library, "MAJOR.MINOR.PATCH". Never NULL; static. */
const char *gpuoa_version(void);

/* platforms */

struct gpuoa_platform;
struct gpuoa_set;
struct gpuoa_metric;
struct gpuoa_info;

/** Number of platforms whose metrics the library knows. */
size_t gpuoa_platform_count(void);

/** Platform @index of 0..gpuoa_platform_count()-1; NULL beyond. */
const struct gpuoa_platform *gpuoa_platform_get(size_t index);

/** Platform by name ("hsw"), exact case; NULL if there is none. */
const struct gpuoa_platform *gpuoa_platform_find(const char *name);

/** Short name, "hsw". */
const char *gpuoa_platform_name(const struct gpuoa_platform *platform);

/** Name for people, "Haswell". */
const char *gpuoa_platform_title(const struct gpuoa_platform *platform);

/* user definitions */

/**
 * Definitions that were loaded at run time: platforms with sets and metrics, which all functions take that take
 * built-in ones. They belong to this handle and are gone with it; until then they are constant, and any number of
 * threads may read them.
 *
 * A platform of the same name as a built-in one continues that: it has all that the built-in one has, and what the
 * file adds; a set of the same symbol and unit, or of the same UUID, replaces the built-in one. It is nevertheless another platform than the
 * built-in one, with constants of its own: gpuoa_constants_of_unit() and gpuoa_constants_transfer() fill them.
 */
struct gpuoa_definitions;

/**
 * Load a file: the language of Documentation/metric-definitions.rst, or the OA metric XML of Mesa and igt-gpu-tools.
 *
 * @error: room for @error_size bytes for one line that says what is wrong, "file:line:column: ..." if that is in the
 * file; may be NULL
 * -EINVAL: the file is malformed or contradicts itself. -EFBIG: it exceeds 16 MiB. -EOPNOTSUPP: it is XML, and the
 * library was built without expat. -ENOMEM; else as open(2) and read(2).
 */
int gpuoa_definitions_load(const char *path, struct gpuoa_definitions **definitions, char *error, size_t error_size);

/**
 * The same from memory: @size bytes at @text, which need not end with a zero. @name stands for the path in @error, and
 * files that @text includes are relative to it.
 */
int gpuoa_definitions_parse(const char *name, const char *text, size_t size, struct gpuoa_definitions **definitions,
			    char *error, size_t error_size);

/** No platform, set, metric or calculator of these definitions may be used any more. NULL is fine. */
void gpuoa_definitions_free(struct gpuoa_definitions *definitions);

/** Number of platforms in them: one, or with XML as many as there are chipsets in the file. */
size_t gpuoa_definitions_platform_count(const struct gpuoa_definitions *definitions);

/** Platform @index of 0..count-1; NULL beyond. */
const struct gpuoa_platform *gpuoa_definitions_platform(const struct gpuoa_definitions *definitions, size_t index);

/** Platform by name, exact case; NULL if there is none. Names of XML's chipsets are made lower case: "SKLGT2", "sklgt2" */
const struct gpuoa_platform *gpuoa_definitions_find(const struct gpuoa_definitions *definitions, const char *name);

/* metric sets */

/** Number of metric sets of a platform. */
size_t gpuoa_platform_set_count(const struct gpuoa_platform *platform);

/** Set @index of 0..count-1; NULL beyond. */
const struct gpuoa_set *gpuoa_platform_set(const struct gpuoa_platform *platform, size_t index);

/**
 * Set by symbol, exact case: "RenderBasic", or with its unit, "OAM0/MediaSet1". NULL if there is none. O(1).
 * A symbol alone can stand for sets of several units, or of GPUs that differ: unit OA comes first, else the first one.
 */
const struct gpuoa_set *gpuoa_platform_find_set(const struct gpuoa_platform *platform, const char *symbol);

struct gpuoa_constants;

/** Likewise, the first that is there on a GPU with these constants; NULL if none is. */
const struct gpuoa_set *gpuoa_platform_find_available_set(const struct gpuoa_platform *platform, const char *symbol,
							  const struct gpuoa_constants *constants);

/**
 * Likewise of one domain only, as a unit needs it (gpuoa_unit_desc.domain): "MediaSet1" of "OAM1". @domain: NULL or "":
 * any; @constants: NULL: on any GPU. A symbol with another unit than this, "OAM0/MediaSet1", is not found.
 */
const struct gpuoa_set *gpuoa_platform_find_domain_set(const struct gpuoa_platform *platform, const char *domain,
						       const char *symbol, const struct gpuoa_constants *constants);

/** Set by the UUID of its register configuration (36 characters, lower case); NULL if there is none. */
const struct gpuoa_set *gpuoa_platform_find_uuid(const struct gpuoa_platform *platform, const char *uuid);

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
	GPUOA_SAMPLING_QUERY = 1 << 1, /* begin/end commands in a batch buffer */
};

/** What a set is. Strings are never NULL, belong to the tables and are UTF-8. */
struct gpuoa_set_desc {
	const char *symbol; /* "RenderBasic" */
	const char *name;   /* "Render Metrics Basic" */
	const char *uuid;   /* of the register configuration, 36 characters */
	const struct gpuoa_platform *platform;
	uint32_t apis; /* enum gpuoa_api */
	uint32_t format; /* enum gpuoa_report_format */
	size_t metric_count;
	size_t info_count;
	const char *unit;	  /* OA unit whose reports it gives: "OA" (render and compute), "OAM0" (media), ... */
	const char *availability; /* condition on the GPU's constants, or "": always */
	enum gpuoa_category category;
	uint32_t sampling;	 /* enum gpuoa_sampling */
	const char *format_name; /* "A45_B8_C8"; "" if the library does not know it */
	size_t report_size;	 /* bytes; 0 likewise */
	size_t register_count;	 /* of all lists, those with a condition included */
	size_t domain;		 /* number of its domain: see gpuoa_platform_domain() */
	size_t index;		 /* number in its platform */
};

/** Describe a set. @size is sizeof(*desc), so that the struct can grow; always succeeds. */
void gpuoa_set_describe(const struct gpuoa_set *set, struct gpuoa_set_desc *desc, size_t size);

/**
 * Is a set there on a GPU with these constants? Returns 1 or 0, or -ENOENT when a constant that its condition needs
 * has no value.
 */
int gpuoa_set_available(const struct gpuoa_set *set, const struct gpuoa_constants *constants);

/**
 * Likewise, and why not: "needs GtSlice1, and GtSlice1 is 0". @reason: room for @size bytes for one line, which is empty
 * if it is there.
 */
int gpuoa_set_available_reason(const struct gpuoa_set *set, const struct gpuoa_constants *constants, char *reason,
			       size_t size);

/**
 * Likewise on a unit of @domain (gpuoa_unit_desc.domain) of that GPU: "is for unit OAM0, not for unit OA". NULL or "":
 * whatever the unit.
 */
int gpuoa_set_available_in_domain(const struct gpuoa_set *set, const char *domain,
				  const struct gpuoa_constants *constants, char *reason, size_t size);

/** Kinds of registers in a configuration. */
enum gpuoa_register_kind {
	GPUOA_REGISTERS_MUX,
	GPUOA_REGISTERS_BOOLEAN,
	GPUOA_REGISTERS_FLEX,
};

/** One register write. */
struct gpuoa_reg {
	uint32_t address;
	uint32_t value;
};

/**
 * Register writes of a set, in the order in which they must be made. Lists of the definition whose
 * availability does not hold for @constants are left out.
 *
 * @regs: room for @max registers; NULL with @max 0 to ask for the number only
 * Returns the number of registers of that kind, which may be more than @max; then nothing is filled in.
 */
size_t gpuoa_set_registers(const struct gpuoa_set *set, enum gpuoa_register_kind kind,
			   const struct gpuoa_constants *constants, struct gpuoa_reg *regs, size_t max);

/* metrics */

enum gpuoa_value_type {
	GPUOA_UINT64, /* union gpuoa_value.u64 */
	GPUOA_FLOAT,  /* union gpuoa_value.f32 */
};

union gpuoa_value {
	uint64_t u64;
	float f32;
};

enum gpuoa_semantic {
	GPUOA_SEMANTIC_DURATION,
	GPUOA_SEMANTIC_EVENT,
	GPUOA_SEMANTIC_THROUGHPUT,
	GPUOA_SEMANTIC_RATIO,
	GPUOA_SEMANTIC_TIMESTAMP,
	GPUOA_SEMANTIC_FLAG,
	GPUOA_SEMANTIC_RAW,
};

/** What a metric is good for: bit mask. The tiers rank metrics, 1 being what to look at first. */
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
};

/** What a metric is. Strings are never NULL ("" where there is nothing to say) and belong to the tables. */
struct gpuoa_metric_desc {
	const char *symbol;	  /* "EuActive"; unique in its set */
	const char *name;	  /* "EU Active" */
	const char *description;  /* one line: what it tells */
	const char *group;	  /* path, "EU Array/Vertex Shader" */
	const char *units;	  /* "percent", "ns", "bytes", ... */
	const char *hw_unit;	  /* what it measures: "gpu", "slice", "subslice", ... */
	const char *equation;	  /* as in the definition, infix */
	const char *max;	  /* equation of the largest possible value, or "" */
	const char *availability; /* condition on the GPU's constants, or "": always */
	enum gpuoa_value_type type;
	enum gpuoa_semantic semantic;
	uint32_t usage; /* enum gpuoa_usage */
	uint32_t apis;	/* enum gpuoa_api; 0: all */
	uint32_t tier;	/* 1..4, 0 if none is given */
	bool query_only; /* needs counters that only begin/end queries have; absent from streams */
	bool has_watermarks;
	double low;  /* watermarks: from here on a hotspot is likely ... */
	double high; /* ... or certain */
	const struct gpuoa_set *set;
	size_t index; /* in its set */
};

/** Metric @index of 0..metric_count-1 of a set; NULL beyond. */
const struct gpuoa_metric *gpuoa_set_metric(const struct gpuoa_set *set, size_t index);

/** Metric by symbol, exact case; NULL if the set has none of that name. O(1). */
const struct gpuoa_metric *gpuoa_set_find_metric(const struct gpuoa_set *set, const char *symbol);

/** Describe a metric. @size is sizeof(*desc); always succeeds. */
void gpuoa_metric_describe(const struct gpuoa_metric *metric, struct gpuoa_metric_desc *desc, size_t size);

/**
 * Is a metric there on a GPU with these constants, in a periodic stream?
 * Returns 1 or 0, or -ENOENT when a constant that its condition needs has no value.
 */
int gpuoa_metric_available(const struct gpuoa_metric *metric, const struct gpuoa_constants *constants);

/** Likewise, and why not: as gpuoa_set_available_reason(). */
int gpuoa_metric_available_reason(const struct gpuoa_metric *metric, const struct gpuoa_constants *constants,
				  char *reason, size_t size);

/** Words of a mask of the dwords of a report. */
#define GPUOA_KEEP_WORDS 3

/**
 * Which dwords of a report does a metric need? For gpuoa_stream_options.keep: a stream of these alone takes less room.
 *
 * @format: enum gpuoa_report_format
 * @keep: GPUOA_KEEP_WORDS words, bit n % 64 of element n / 64 stands for dword n; what the metric needs is added to
 * what is there, and so is the header of reports, which always comes
 * -EINVAL: the format is unknown, or lacks a counter of the metric; @keep is not changed.
 */
int gpuoa_metric_keep(const struct gpuoa_metric *metric, uint32_t format, uint64_t *keep);

/** Can a metric be computed from reports of a format of which @keep (all 0: all dwords) is there? */
bool gpuoa_metric_kept(const struct gpuoa_metric *metric, uint32_t format, const uint64_t *keep);

/**
 * Metric by the symbols of its set and its own: "RenderBasic.EuActive", or with the unit, "OAM0/MediaSet1.GpuTime".
 * Of several sets that have this symbol and unit, the first that is there on a GPU with @constants, or the first of all
 * if that is NULL. NULL if there is none. O(1).
 */
const struct gpuoa_metric *gpuoa_platform_find_metric(const struct gpuoa_platform *platform, const char *name,
						      const struct gpuoa_constants *constants);

/** What a value means where it has watermarks. */
enum gpuoa_mark {
	GPUOA_MARK_NONE,   /* the metric has no watermarks */
	GPUOA_MARK_LOW,	   /* below both: nothing to see here */
	GPUOA_MARK_MEDIUM, /* a hotspot is likely */
	GPUOA_MARK_HIGH,   /* ... or certain */
};

/** Compare a value, in the metric's units, with its watermarks. What is no number is GPUOA_MARK_NONE. */
enum gpuoa_mark gpuoa_metric_classify(const struct gpuoa_metric *metric, double value);

/** A value as a double; integers above 2^53 are rounded. */
double gpuoa_value_to_double(enum gpuoa_value_type type, union gpuoa_value value);

/** What a unit measures. */
enum gpuoa_quantity {
	GPUOA_QUANTITY_COUNT,	  /* of events, threads, cycles, messages, pixels, ... */
	GPUOA_QUANTITY_RATIO,	  /* of a whole */
	GPUOA_QUANTITY_TIME,	  /* s */
	GPUOA_QUANTITY_FREQUENCY, /* Hz */
	GPUOA_QUANTITY_DATA,	  /* B */
	GPUOA_QUANTITY_BANDWIDTH, /* B/s */
};

/** Units in other words. */
struct gpuoa_units_desc {
	enum gpuoa_quantity quantity;
	double scale;	    /* from these units to @symbol: 0.01 for percent, 1e-9 for ns */
	const char *symbol; /* the unit without prefix, "s"; "" for counts and ratios. Static */
	bool relative;	    /* percent: a part of 100 */
};

/** Describe the units of a metric or information item. @size is sizeof(*desc). What is not known is a count. */
void gpuoa_units_describe(const char *units, struct gpuoa_units_desc *desc, size_t size);

/** What kind of information an item is. */
enum gpuoa_info_kind {
	GPUOA_INFO_VALUE,
	GPUOA_INFO_FLAG,
	GPUOA_INFO_TIMESTAMP,
	GPUOA_INFO_REPORT_REASON, /* bits: what triggered the report */
	GPUOA_INFO_CONTEXT_ID,
};

/** What a report tells beside its metrics. */
struct gpuoa_info_desc {
	const char *symbol;
	const char *name;
	const char *description;
	const char *units;
	enum gpuoa_semantic semantic;
	enum gpuoa_info_kind kind;
};

/**
 * Information item @index of 0..info_count-1; NULL beyond. Values are GPUOA_UINT64 and taken from the later
 * report of an interval.
 */
const struct gpuoa_info *gpuoa_set_info(const struct gpuoa_set *set, size_t index);

/** Information item of a set by symbol, exact case; NULL if there is none. */
const struct gpuoa_info *gpuoa_set_find_info(const struct gpuoa_set *set, const char *symbol);

/** Describe an information item. @size is sizeof(*desc); always succeeds. */
void gpuoa_info_describe(const struct gpuoa_info *info, struct gpuoa_info_desc *desc, size_t size);

/* domains */

/**
 * A domain is what only one set can have at a time: an OA unit of the hardware. Sets of different domains can be
 * measured together, as can sets of one UUID, which show different metrics of the same reports.
 */
struct gpuoa_domain_desc {
	const char *symbol;	 /* "OA", "OAM0"; belongs to the tables */
	const char *description; /* one line; static */
	size_t set_count;
	uint64_t formats;  /* of its sets: bit n is enum gpuoa_report_format n */
	uint32_t sampling; /* enum gpuoa_sampling of its sets */
};

/** Number of domains of a platform. */
size_t gpuoa_platform_domain_count(const struct gpuoa_platform *platform);

/** Describe domain @index, numbered as their first sets are. @size is sizeof(*desc). -ERANGE beyond the last one. */
int gpuoa_platform_domain(const struct gpuoa_platform *platform, size_t index, struct gpuoa_domain_desc *desc,
			  size_t size);

/**
 * How often must a workload run so that all these sets are measured?
 *
 * @sets: @count of them, in any order, also twice, or of several platforms (GPUs do not get in each other's way)
 * @pass_of: out: @count numbers from 0: in which run each is measured
 * Returns the number of runs, 0 for no set. It is the least possible.
 */
size_t gpuoa_plan_passes(const struct gpuoa_set *const *sets, size_t count, size_t *pass_of);

/**
 * Choose sets that together have all these metrics.
 *
 * A set has few hardware counters, so what one can't measure, others have to complement. Those are chosen first that
 * have most of what is still missing, and sets that are not there on a GPU with @constants (NULL: all are) are not
 * chosen, nor are metrics that are not there.
 *
 * @symbols: @count symbols of metrics
 * @set_of: out: @count sets, from which to take each metric; NULL where no set has it
 * Returns the number of sets chosen, for gpuoa_plan_passes().
 */
size_t gpuoa_plan_sets(const struct gpuoa_platform *platform, const struct gpuoa_constants *constants,
		       const char *const *symbols, size_t count, const struct gpuoa_set **set_of);

/* equations as data */

/** What an element of an equation is. */
enum gpuoa_element_kind {
	/* operands */
	GPUOA_ELEMENT_INTEGER,	  /* .integer */
	GPUOA_ELEMENT_REAL,	  /* .real */
	GPUOA_ELEMENT_COUNTER,	  /* .bank, .index, .bits: its delta over the interval, modulo 2^bits */
	GPUOA_ELEMENT_TIMESTAMP,  /* delta of the GPU's timestamp, ticks; in information items: the later report's */
	GPUOA_ELEMENT_CLOCK,	  /* likewise the report's clock field, cycles */
	GPUOA_ELEMENT_REPORT_ID,  /* first word of the later report */
	GPUOA_ELEMENT_CONTEXT_ID, /* its context field */
	GPUOA_ELEMENT_CONSTANT,	  /* .name, .index: in the platform's list */
	GPUOA_ELEMENT_METRIC,	  /* .name, .index: in the set */
	GPUOA_ELEMENT_QUERY_MODE, /* 1 in begin/end queries, 0 in streams */
	/* on the last two values */
	GPUOA_ELEMENT_OPERATOR, /* .operation */
};

/** Operators; all but SUBTRACT, DIVIDE, shifts and comparisons commute. Comparisons and logic give 0 or 1. */
enum gpuoa_operation {
	GPUOA_ADD,
	GPUOA_SUBTRACT, /* integers: 0 if the right one is larger */
	GPUOA_MULTIPLY,
	GPUOA_DIVIDE, /* by 0: 0 */
	GPUOA_MINIMUM,
	GPUOA_MAXIMUM,
	GPUOA_BIT_AND,
	GPUOA_SHIFT_LEFT,
	GPUOA_SHIFT_RIGHT,
	GPUOA_EQUAL,
	GPUOA_NOT_EQUAL,
	GPUOA_LESS,
	GPUOA_LESS_EQUAL,
	GPUOA_GREATER,
	GPUOA_GREATER_EQUAL,
	GPUOA_AND,
	GPUOA_OR,
};

/** An element of an equation in postfix order ("reverse Polish"). What its kind does not name is 0. */
struct gpuoa_equation_element {
	enum gpuoa_element_kind kind;
	enum gpuoa_operation operation;
	bool is_real; /* operators: in double, operands that are integers are converted; operands: they are fractional */
	char bank;    /* 'A', 'B', 'C', 'P' for PEC, 'Q' for counters of queries */
	uint32_t bits;
	size_t index;
	uint64_t integer;
	double real;
	const char *name; /* belongs to the tables */
};

/** An equation, as a place to read from: copy it to read it twice. Its members are the library's. */
struct gpuoa_equation {
	const uint32_t *word;
	const uint32_t *end;
	const struct gpuoa_set *set;
};

enum gpuoa_equation_role {
	GPUOA_EQUATION_VALUE,
	GPUOA_EQUATION_MAX,
	GPUOA_EQUATION_AVAILABILITY,
};

/** An equation of a metric; it is empty if the metric has none of that role. */
struct gpuoa_equation gpuoa_metric_equation(const struct gpuoa_metric *metric, enum gpuoa_equation_role role);

/** The condition of a set; empty if it is always there. */
struct gpuoa_equation gpuoa_set_equation(const struct gpuoa_set *set);

/** The equation of one of a set's information items. */
struct gpuoa_equation gpuoa_info_equation(const struct gpuoa_set *set, const struct gpuoa_info *info);

/** Take the next element. @size is sizeof(*element). False at the end: then nothing is filled in. */
bool gpuoa_equation_next(struct gpuoa_equation *equation, struct gpuoa_equation_element *element, size_t size);

/**
 * The rest of an equation as text, in postfix order: "A0 EuCoresTotalCount // 100 * GpuCoreClocks /". "/" and what has
 * a "." behind it ("*.") is on doubles. Returns the length that it has or would have, as snprintf() does.
 */
int gpuoa_equation_text(struct gpuoa_equation equation, char *text, size_t size);

/* views and flat numbers */

/** No metric, set or source has this number. */
#define GPUOA_INDEX_NONE UINT32_MAX

/**
 * A catalog numbers the sets and metrics of one or several platforms (GPUs, units) through: from 0, without holes, the
 * metrics of a set one after the other. What is added gets the next numbers; those given before never change.
 */
struct gpuoa_catalog;

/** An empty catalog. -ENOMEM. */
int gpuoa_catalog_new(struct gpuoa_catalog **catalog);

void gpuoa_catalog_free(struct gpuoa_catalog *catalog);

/**
 * Add all sets of a platform, which must outlive the catalog; one platform may be added several times, as there can be
 * several such GPUs. Returns the number of the source, from 0, or -ENOMEM or -EOVERFLOW; then nothing was added.
 */
int gpuoa_catalog_add(struct gpuoa_catalog *catalog, const struct gpuoa_platform *platform);

/** Numbers of sources, sets and metrics. */
uint32_t gpuoa_catalog_sources(const struct gpuoa_catalog *catalog);
uint32_t gpuoa_catalog_sets(const struct gpuoa_catalog *catalog);
uint32_t gpuoa_catalog_metrics(const struct gpuoa_catalog *catalog);

/** Platform of a source, set, metric by number; NULL beyond the last one. */
const struct gpuoa_platform *gpuoa_catalog_platform(const struct gpuoa_catalog *catalog, uint32_t source);
const struct gpuoa_set *gpuoa_catalog_set(const struct gpuoa_catalog *catalog, uint32_t set);
const struct gpuoa_metric *gpuoa_catalog_metric(const struct gpuoa_catalog *catalog, uint32_t metric);

/** Number of the set that has a metric; GPUOA_INDEX_NONE beyond the last one. */
uint32_t gpuoa_catalog_set_of(const struct gpuoa_catalog *catalog, uint32_t metric);

/** Number of a set's first metric; GPUOA_INDEX_NONE beyond the last set. */
uint32_t gpuoa_catalog_first_metric(const struct gpuoa_catalog *catalog, uint32_t set);

/** How many metrics a set has; 0 beyond the last set. */
uint32_t gpuoa_catalog_metric_count(const struct gpuoa_catalog *catalog, uint32_t set);

/** Number of a metric of a source's platform; GPUOA_INDEX_NONE if the source has no such metric. */
uint32_t gpuoa_catalog_number(const struct gpuoa_catalog *catalog, uint32_t source, const struct gpuoa_metric *metric);

/**
 * Number of a metric within its source, from 0. @source: out: the source; may be NULL. Both are GPUOA_INDEX_NONE beyond
 * the last metric.
 */
uint32_t gpuoa_catalog_to_local(const struct gpuoa_catalog *catalog, uint32_t metric, uint32_t *source);

/** The other way; GPUOA_INDEX_NONE if the source has no such metric, or there is no such source. */
uint32_t gpuoa_catalog_to_global(const struct gpuoa_catalog *catalog, uint32_t source, uint32_t local);

/** What a view lets through. Zero-initialize, then set @size; what else is 0 does not matter. */
struct gpuoa_view_options {
	size_t size;	/* sizeof(struct gpuoa_view_options), must be set */
	uint32_t apis;	/* enum gpuoa_api: for one of these. GPUOA_API_IO: what periodic streams have */
	uint32_t usage; /* enum gpuoa_usage: good for one of these */
	uint32_t tier;	/* of this tier or a better one; metrics without a tier are of none */
	bool queries;	/* also what only begin/end queries have */
	const struct gpuoa_constants *constants; /* what is there on this GPU; a condition that can't be decided holds
						    not */
};

/** Some of the metrics of a set or platform, in their order, numbered from 0. It has no influence on anything else. */
struct gpuoa_view;

/**
 * View a set (gpuoa_view_open) or all sets of a platform. The options' constants are not needed any more afterwards.
 *
 * @options: NULL for all that streams have
 * -EINVAL: @options->size is not set, or the constants are another platform's; -E2BIG: @options is longer than this
 * library knows, and what it does not know is not 0; -ENOMEM.
 */
int gpuoa_view_open(const struct gpuoa_set *set, const struct gpuoa_view_options *options, struct gpuoa_view **view);
int gpuoa_view_open_platform(const struct gpuoa_platform *platform, const struct gpuoa_view_options *options,
			     struct gpuoa_view **view);

void gpuoa_view_close(struct gpuoa_view *view);

/** How many metrics it has. */
size_t gpuoa_view_count(const struct gpuoa_view *view);

/** Metric @index of the view; NULL beyond. Its number in its set is gpuoa_metric_desc.index. */
const struct gpuoa_metric *gpuoa_view_metric(const struct gpuoa_view *view, size_t index);

/** Number that a metric has in the view; GPUOA_INDEX_NONE if it is not in it. O(log n). */
uint32_t gpuoa_view_find(const struct gpuoa_view *view, const struct gpuoa_metric *metric);

/* report formats */

/** Report formats; values as in uapi/gpuoa.h. */
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
const char *gpuoa_format_name(uint32_t format);

/** Bytes of a report in this format, or 0 if the library does not know it. */
size_t gpuoa_format_size(uint32_t format);

/** A report's timestamp, in ticks, as wide as the format has it (32 or 56 bits). */
uint64_t gpuoa_report_timestamp(uint32_t format, const void *report);

/** Raw value of a counter in a report: @bank 'A', 'B', 'C', or 'P' for PEC. -ENOENT if the format lacks it. */
int gpuoa_report_counter(uint32_t format, const void *report, char bank, unsigned int index, uint64_t *value);

/* constants */

/**
 * Constants say what equations must know of one GPU. Whoever has a GPU gets them with values from its unit or
 * recording; else they are set by name. A few facts imply many constants, which follow when those facts are set:
 *
 *   SliceMask                      GtSlice<i>, EuSlicesTotalCount, SliceTotalCount
 *   SubsliceMask, DualSubsliceMask GtXeCore<n>, GtSlice<i>XeCore<j>, EuSubslicesTotalCount, XeCoreTotalCount; and
 *   or XeCoreMask (all the same)   SliceMask: a slice is there if it has one of these
 *   L3BankMask                     GtL3Bank<n>, L3BankTotalCount, L3NodeTotalCount, SqidiTotalCount, CopyEngineTotalCount
 *   EuCoresTotalCount,             are the same and each other's older and newer names, as are EuThreadsCount and
 *   VectorEngineTotalCount         VectorEngineThreadsCount, ...
 *
 * What is set by itself (GtSlice0 = 0) stays so. All these names are understood on all platforms, with "Gt" before
 * masks or without it. Everything is an unsigned integer of 64 bits.
 */

/** What kind of number a constant is. */
enum gpuoa_constant_kind {
	GPUOA_CONSTANT_NUMBER,
	GPUOA_CONSTANT_COUNT,
	GPUOA_CONSTANT_MASK,
	GPUOA_CONSTANT_FREQUENCY, /* Hz */
	GPUOA_CONSTANT_FLAG,	  /* 0 or 1 */
};

/** Where a constant's value is from. */
enum gpuoa_origin {
	GPUOA_ORIGIN_NONE,    /* it has none */
	GPUOA_ORIGIN_GIVEN,   /* gpuoa_constants_set(), or the unit */
	GPUOA_ORIGIN_DERIVED, /* follows from what was given */
	GPUOA_ORIGIN_ASSUMED, /* gpuoa_constants_assume() */
};

/** What a constant is. Strings belong to the platform's tables. */
struct gpuoa_constant_desc {
	const char *name;
	const char *description;
	enum gpuoa_constant_kind kind;
	enum gpuoa_origin origin;
	uint64_t value; /* 0 without one */
};

/** Constants of one GPU for @platform's equations, none with a value yet. -ENOMEM. */
int gpuoa_constants_new(const struct gpuoa_platform *platform, struct gpuoa_constants **constants);

/** Copy, to change some of them. -ENOMEM. */
int gpuoa_constants_copy(const struct gpuoa_constants *constants, struct gpuoa_constants **copy);

void gpuoa_constants_free(struct gpuoa_constants *constants);

/**
 * Give a constant its value, and those their values that follow from it. -ENOENT: neither is it a fact that others
 * follow from nor do the platform's equations use it. -EINVAL: QueryMode is 0, for this library reads streams.
 */
int gpuoa_constants_set(struct gpuoa_constants *constants, const char *name, uint64_t value);

/** Value of a constant. -ENOENT: no such constant; -ENODATA: it has no value. */
int gpuoa_constants_get(const struct gpuoa_constants *constants, const char *name, uint64_t *value);

/**
 * Give constants what was given to those of another platform, and what follows from it. What @to's platform does not
 * know is passed over.
 */
void gpuoa_constants_transfer(struct gpuoa_constants *to, const struct gpuoa_constants *from);

/** Number of constants that the platform's equations use. */
size_t gpuoa_constants_count(const struct gpuoa_constants *constants);

/** Name of constant @index; NULL beyond. */
const char *gpuoa_constants_name(const struct gpuoa_constants *constants, size_t index);

/** Describe constant @index. @size is sizeof(*desc). -ERANGE beyond the last one. */
int gpuoa_constants_describe(const struct gpuoa_constants *constants, size_t index, struct gpuoa_constant_desc *desc,
			     size_t size);

/**
 * Give constants from a text: "Name=value" with spaces, commas or line ends between; "#" begins a comment that lasts
 * to the end of its line; numbers are decimal, or hexadecimal with 0x. Errors as gpuoa_constants_set(); -EINVAL also
 * for what is not of this form, -ERANGE for more than 64 bits. Nothing is set then.
 *
 * @error: room for @error_size bytes for one line, "LINE:COLUMN: what is wrong"; may be NULL
 */
int gpuoa_constants_parse(struct gpuoa_constants *constants, const char *text, char *error, size_t error_size);

/**
 * From here on, what is not known is taken from the platform's usual part: the commonest one that has all its slices
 * and EUs. What is given, before or later, narrows it down: with SliceMask, the subslices and EUs of those slices are
 * assumed. -ENODATA: the library knows no part of this platform.
 */
int gpuoa_constants_assume(struct gpuoa_constants *constants);

/** Name of that part, "Tiger Lake GT2"; NULL if the library knows none. Static. */
const char *gpuoa_constants_part(const struct gpuoa_constants *constants);

/* calculator */

/**
 * A calculator turns consecutive reports into values. Its state is the last report that it saw. A row is
 * the interval between two consecutive reports: the values of all metrics of the set, in the set's order,
 * then those of its information items. Metrics that are not available are 0. Times of reports grow with each other:
 * a timestamp that is not later has wrapped.
 *
 * Arithmetic: integers are 64 bits; a difference below zero is 0; "/" and every operation on a fractional
 * operand are IEEE double; division by 0 gives 0; the result is converted once, to the metric's type.
 */
struct gpuoa_calc;

/**
 * Open a calculator for all metrics and information items of a set.
 *
 * @format: of the reports
 * -ENODATA: a constant that the set needs has no value (gpuoa_set_missing_constant() tells which);
 * -EINVAL: the constants are those of another platform than the set's, the library does not know the format, or it
 * lacks a counter that the set needs; -ENOMEM.
 */
int gpuoa_calc_open(const struct gpuoa_set *set, const struct gpuoa_constants *constants, uint32_t format,
		    struct gpuoa_calc **calc);

/** Options of a calculator. Zero-initialize, then set @size; grows as gpuoa_stream_options does. */
struct gpuoa_calc_options {
	size_t size; /* sizeof(struct gpuoa_calc_options), must be set */
	const struct gpuoa_metric *const *metrics; /* compute these, in this order; NULL: all of the set */
	size_t metric_count;
	uint32_t reasons;    /* take reports with one of these reasons (bits of ReportReason) only; 0: all */
	uint32_t context_id; /* with context_filter: the context, as ContextId has it */
	bool context_filter; /* rows are those intervals only that begin when the context runs. Reports tell which one
				that is; from gen12.5 on those of context switches only, so that there it is not known
				after opening or a gap until the next one */
	bool no_infos;	     /* without the information items */
	const char *vector;  /* vector code: "avx512", "avx2", "sse2", "plain"; NULL: the best. All give the same */
};

/**
 * Open a calculator for a part of a set. What the metrics need besides themselves is computed as well, but not given
 * out; constants that only others need may lack a value.
 *
 * @options: may be NULL
 * As gpuoa_calc_open(); -EINVAL also: one of the metrics is not of this set, or @options->size is not set; -E2BIG:
 * @options is of a newer library, and asks for what this one does not know. -EOPNOTSUPP: reports of this platform tell
 * no reason or context, or this processor cannot run the vector code.
 */
int gpuoa_calc_open_options(const struct gpuoa_set *set, const struct gpuoa_constants *constants, uint32_t format,
			    const struct gpuoa_calc_options *options, struct gpuoa_calc **calc);

/** Name of the first constant that the set's equations need and that has no value; NULL if none is missing. */
const char *gpuoa_set_missing_constant(const struct gpuoa_set *set, const struct gpuoa_constants *constants);

/** The same for a part of the set: what @options select. NULL also where @options are wrong. */
const char *gpuoa_calc_missing_constant(const struct gpuoa_set *set, const struct gpuoa_constants *constants,
					const struct gpuoa_calc_options *options);

void gpuoa_calc_close(struct gpuoa_calc *calc);

/** Values in a row: the metrics, then the information items. */
size_t gpuoa_calc_columns(const struct gpuoa_calc *calc);

/** Type of column @index of 0..gpuoa_calc_columns()-1; GPUOA_UINT64 beyond. */
enum gpuoa_value_type gpuoa_calc_column_type(const struct gpuoa_calc *calc, size_t index);

/** Name of the vector code that the calculator runs, as in gpuoa_calc_options. Static. */
const char *gpuoa_calc_vector(const struct gpuoa_calc *calc);

/** The interval of a row: GPU time of its two reports, in ticks, extended to 64 bits since the anchor. */
struct gpuoa_interval {
	uint64_t begin;
	uint64_t end;
};

/**
 * Calculate.
 *
 * @reports: @count reports back to back, the oldest first
 * @values: room for @max_rows rows of gpuoa_calc_columns() values each
 * @intervals: room for @max_rows intervals, or NULL
 * @used: out: how many reports were taken; fewer than @count only if @max_rows rows are full
 * Returns the number of rows, @used less one for the first report after opening or a gap.
 */
size_t gpuoa_calc_run(struct gpuoa_calc *calc, const void *reports, size_t count, union gpuoa_value *values,
		      struct gpuoa_interval *intervals, size_t max_rows, size_t *used);

/**
 * Calculate, as gpuoa_calc_run() does, but each metric's values side by side: this is faster, and takes less room.
 *
 * @columns: gpuoa_calc_columns() pointers, each to room for @max_rows of float or uint64_t, by
 * gpuoa_calc_column_type(); NULL for columns that are not wanted
 */
size_t gpuoa_calc_run_columns(struct gpuoa_calc *calc, const void *reports, size_t count, void *const *columns,
			      struct gpuoa_interval *intervals, size_t max_rows, size_t *used);

/** What the values of many rows have in common. Values are taken as doubles. */
struct gpuoa_summary {
	uint64_t rows;
	double sum;
	double least;	/* if there are rows */
	double largest; /* likewise */
};

/**
 * Calculate, and keep of the rows only what they have in common.
 *
 * @summaries: gpuoa_calc_columns() of them, zero at first: these rows are added to what they have. That is for rows
 * of one length: gpuoa_calc_total() weighs each by what it is worth.
 * Returns the number of rows.
 */
size_t gpuoa_calc_summarize(struct gpuoa_calc *calc, const void *reports, size_t count,
			    struct gpuoa_summary *summaries);

/** The next report does not follow the last one: forget that one, so that no row bridges the gap. */
void gpuoa_calc_gap(struct gpuoa_calc *calc);

/** Extend timestamps from here: GPU time near that of the next report, in ticks (gpuoa_clock_pair.gpu_ticks). */
void gpuoa_calc_anchor(struct gpuoa_calc *calc, uint64_t gpu_ticks);

/**
 * Values of all rows since opening (or the last call with @restart) taken as one interval: equations over
 * the sums of the deltas, gaps left out. -ENODATA: no row yet.
 *
 * @values: gpuoa_calc_columns() of them
 * @interval: from the first to the last report; may be NULL
 */
int gpuoa_calc_total(struct gpuoa_calc *calc, union gpuoa_value *values, struct gpuoa_interval *interval,
		     bool restart);

/** Largest possible values of the metrics in the last total: as @values there; 0 where there is no maximum. */
int gpuoa_calc_total_max(struct gpuoa_calc *calc, union gpuoa_value *values);

/* windows of time */

/**
 * Windows turn consecutive reports into one row for each window of time: equations over what was counted in the window,
 * as gpuoa_calc_total() has them over everything. Where a window begins or ends between two reports, what they counted
 * is divided as the time is: the part before the edge is rounded down, what follows gets the rest, so that nothing
 * is counted twice or lost. Gaps are not bridged: a row tells how much of its window reports cover.
 *
 * Several inputs (tiles, units) can be brought together. Counters are added up; time and the clock, which run in all of
 * them alike, are the mean over the inputs, rounded down, so that constants have to be those of all inputs together
 * (their EUs added up).
 *
 * Memory is bounded: what the first reports of a run, and the last ones, leave of a window is kept as sums.
 */
struct gpuoa_windows;

/** Options of windows. Zero-initialize, then set @size and one of @period_ticks, @period_ns and @list. */
struct gpuoa_windows_options {
	size_t size; /* sizeof(struct gpuoa_windows_options), must be set; grows as gpuoa_stream_options does */
	uint64_t period_ticks; /* length of each window, one behind the other; UINT64_MAX: one window for everything */
	uint64_t period_ns;    /* likewise. Need not be whole ticks: edges are rounded down, and do not drift */
	uint64_t origin;       /* ticks: where the first one begins; what is before it is left out */
	const struct gpuoa_interval *list; /* windows in ticks: sorted, none empty, none overlapping; is copied */
	size_t list_count;
	const struct gpuoa_calc_options *calc; /* metrics and filters; NULL: all of the set */
	uint32_t inputs; /* 0: one */
	const int64_t *offsets; /* of each input: ticks to be added to its times; NULL: 0 */
};

/** A window, and how much is known of it. */
struct gpuoa_window {
	uint64_t number; /* in the list; of those of one length, from the origin */
	uint64_t begin;	 /* of the window, in ticks */
	uint64_t end;	 /* the first tick that is not in it */
	uint64_t covered; /* ticks of it that intervals of reports cover, of several inputs the mean; 0: there is no
			     data, and values are 0 */
	struct gpuoa_interval data; /* from the first tick that is covered to the end of the last one; 0 and 0 without
				       data */
};

/**
 * Open windows for sets of one kind.
 *
 * As gpuoa_calc_open_options(); -EINVAL also: @options does not say which windows, or in more than one way, or the list
 * is not as it should be. -ERANGE: windows would be shorter than a tick. -ENODATA also: @period_ns is given and
 * GpuTimestampFrequency has no value.
 */
int gpuoa_windows_open(const struct gpuoa_set *set, const struct gpuoa_constants *constants, uint32_t format,
		       const struct gpuoa_windows_options *options, struct gpuoa_windows **windows);

void gpuoa_windows_close(struct gpuoa_windows *windows);

/** Values in a row, and the type of column @index of them: as of a calculator. */
size_t gpuoa_windows_columns(const struct gpuoa_windows *windows);
enum gpuoa_value_type gpuoa_windows_column_type(const struct gpuoa_windows *windows, size_t index);

/**
 * Take reports, and give a row for each window that is over.
 *
 * A window is over when a report at or after its end has come from every input. Windows of a list all get a row, also
 * those without data; of windows of one length, those without data are left out.
 *
 * @input: which one the reports are of, from 0
 * @reports: @count reports back to back, the oldest first
 * @values: room for @max_rows rows of gpuoa_windows_columns() values each. Information items are those of the report
 * that ended the last interval in the window, and times in them are gpuoa_window.data.end
 * @rows: room for @max_rows of them
 * @used: out: how many reports were taken
 * Returns the number of rows. If these are @max_rows, there may be more: call again, with what is left or with no
 * reports. If they are fewer and @used is less than @count, this input is ahead of another one: feed that first.
 */
size_t gpuoa_windows_run(struct gpuoa_windows *windows, uint32_t input, const void *reports, size_t count,
			 union gpuoa_value *values, struct gpuoa_window *rows, size_t max_rows, size_t *used);

/**
 * Give rows also for windows that are not over, with what there is of them; of a list, for all that are left. What comes
 * afterwards of the same window makes another row for it; what is of a window before, or of a list, is left out. Returns
 * the number of rows; as long as these are @max_rows, call again.
 */
size_t gpuoa_windows_flush(struct gpuoa_windows *windows, union gpuoa_value *values, struct gpuoa_window *rows,
			   size_t max_rows);

/** No more reports come from an input: from here on, no window waits for it. */
void gpuoa_windows_end(struct gpuoa_windows *windows, uint32_t input);

/** Of an input, as gpuoa_calc_gap() and gpuoa_calc_anchor(). Ticks are those of the input, without its offset. */
void gpuoa_windows_gap(struct gpuoa_windows *windows, uint32_t input);
void gpuoa_windows_anchor(struct gpuoa_windows *windows, uint32_t input, uint64_t gpu_ticks);

/* units */

struct gpuoa_unit;

/** What a unit is. */
struct gpuoa_unit_desc {
	char name[16];	   /* "gpuoa0": PMU, /dev and sysfs name */
	char platform[16]; /* "hsw" */
	uint64_t timestamp_frequency; /* Hz */
	uint64_t gt_min_frequency;    /* Hz */
	uint64_t gt_max_frequency;    /* Hz */
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
	uint64_t l3_bank_mask;	  /* 0 before Xe2 */
	uint32_t subslice_stride; /* bits of subslice_mask for each slice; 0: what is usual on the platform */
	uint32_t compute_engine_count; /* 0 before gen12.5 */
	char domain[16]; /* whose sets it can measure: "OA", "OAM0", as gpuoa_set_desc.unit; "" if the kernel knows a kind of
			    unit that this library does not */
};

/**
 * Names of this machine's OA units ("gpuoa0"), sorted.
 *
 * @names: array of @max names of 16 bytes; NULL with @max 0
 * Returns the number of units, 0 if gpuoa.ko is not loaded, or a negative errno.
 */
int gpuoa_unit_list(char (*names)[16], size_t max);

/**
 * Open a unit.
 *
 * @name: "gpuoa0" or "/dev/gpuoa0", or the PCI address or DRM node ("/dev/dri/renderD128") of its GPU: that one's
 * first unit; NULL: the first one of all
 * -ENOENT: no such unit, -ENODEV: no unit at all (is gpuoa.ko loaded?), -EACCES, -ENOMEM.
 */
int gpuoa_unit_open(const char *name, struct gpuoa_unit **unit);

void gpuoa_unit_close(struct gpuoa_unit *unit);

/** Describe a unit. @size is sizeof(*desc). */
void gpuoa_unit_describe(const struct gpuoa_unit *unit, struct gpuoa_unit_desc *desc, size_t size);

/**
 * Constants of the GPU that @desc describes, for @platform's equations, to be freed by the caller. For a platform of
 * user definitions; those of the built-in one come with the unit or source. @size is sizeof(*desc). -ENOMEM.
 */
int gpuoa_constants_of_unit(const struct gpuoa_unit_desc *desc, size_t size, const struct gpuoa_platform *platform,
			    struct gpuoa_constants **constants);

/** The unit's platform; NULL if this library has no metrics for it. */
const struct gpuoa_platform *gpuoa_unit_platform(const struct gpuoa_unit *unit);

/** The unit's constants; NULL if it has no platform. They belong to the unit. */
const struct gpuoa_constants *gpuoa_unit_constants(const struct gpuoa_unit *unit);

/**
 * Make sure that the kernel knows a set's configuration, and say under which id (metric_set of perf).
 * Without CAP_PERFMON the set is looked up by its UUID only: nothing compares the registers, and that they are the
 * set's is left to whoever uploaded them (with CAP_PERFMON).
 * -EACCES: the kernel does not know it yet, and needs CAP_PERFMON to be told. -EADDRINUSE: its UUID stands for other
 * registers in this kernel. -EINVAL: the set belongs to a platform of another name than the unit's, or the kernel refused
 * a register. -EXDEV: the set is of another domain than the unit.
 */
int gpuoa_unit_upload(struct gpuoa_unit *unit, const struct gpuoa_set *set, uint32_t *id);

/** GPU and CPU time of one moment. */
struct gpuoa_clock_pair {
	uint64_t gpu_ticks; /* extended to 64 bits */
	uint64_t cpu_ns;
	int32_t clock_id;
	uint32_t error_ns; /* cpu_ns is right to within this */
};

/** Read both clocks now. @clock_id: CLOCK_MONOTONIC, _RAW, _BOOTTIME, _REALTIME or _TAI; else -EINVAL. */
int gpuoa_unit_clock(struct gpuoa_unit *unit, int clock_id, struct gpuoa_clock_pair *pair);

/* sampling period */

enum gpuoa_rounding {
	GPUOA_ROUND_DOWN, /* longest period that is not longer than asked */
	GPUOA_ROUND_UP,	  /* shortest period that is not shorter */
	GPUOA_ROUND_NEAREST,
};

/**
 * Timer exponent for a period, in exact arithmetic.
 *
 * @timestamp_frequency: Hz
 * @period_ns: asked, ns
 * Returns the exponent, 0..@exponent_max, or -ERANGE if no exponent gives such a period.
 */
int gpuoa_period_to_exponent(uint64_t timestamp_frequency, uint32_t exponent_max, uint64_t period_ns,
			     enum gpuoa_rounding rounding);

/** Period of an exponent: 2^(exponent+1) ticks, in ns, rounded to nearest. */
uint64_t gpuoa_exponent_to_period(uint64_t timestamp_frequency, uint32_t exponent);

/* sources of reports */

/** A source gives raw reports: a stream of a unit, or a recording. Reading is the same for all. */
struct gpuoa_source;

/** How reports come from the kernel. They are the same ones either way. */
enum gpuoa_delivery {
	GPUOA_DELIVERY_ANY, /* AUX if it is possible now, else RAW */
	GPUOA_DELIVERY_RAW, /* copied into perf's ring buffer; streams that want the same share the unit */
	GPUOA_DELIVERY_AUX, /* where the GPU put them: nobody copies them; the stream has the unit for itself */
};

/**
 * Options of a stream. Zero-initialize, then set @size; what else is 0 is chosen for you. Actual values come back. As
 * with the kernel's structs, a struct longer than this library's may be given as long as what it does not know is 0.
 */
struct gpuoa_stream_options {
	size_t size;		 /* sizeof(struct gpuoa_stream_options), must be set */
	uint64_t period_ns;	 /* asked; 0: 1 ms. Out: what the hardware does */
	uint32_t format;	 /* enum gpuoa_report_format; 0: the set's */
	uint32_t buffer_size;	 /* OABUFFER, bytes; 0: RAW: the kernel's choice; AUX: for 2 s of reports, and out */
	size_t ring_size;	 /* perf ring buffer, bytes; 0: for 2 s of reports, at least 512 KiB; AUX, where it has no
				    reports: 128 KiB */
	uint32_t notify_reports; /* wait() and poll() wake after this many reports; 0: chosen from the period */
	bool disabled;		 /* start disabled */
	bool context_filter;	 /* count for one context only: */
	int drm_fd;		 /*   an open file of the GPU's DRM node, */
	uint32_t context;	 /*   a handle of a context of that file */
	bool context_hw_id;	 /*   @context is what reports show instead, and @drm_fd 0; needs CAP_PERFMON */
	bool batches;		 /*   reports also where batches begin and end: see "Reports of batches" in uapi/gpuoa.h */
	bool overwrite;		 /* flight recorder, see below */
	uint32_t delivery;	 /* enum gpuoa_delivery. Out: _RAW or _AUX */
	uint64_t keep[GPUOA_KEEP_WORDS]; /* dwords of each report that shall come; all 0: all of them. See
					    gpuoa_metric_keep() */
};

/**
 * Open a stream of a unit: uploads the set's configuration if need be, programs the unit, begins to sample
 * unless @options->disabled. The unit must outlive it.
 *
 * A flight recorder (@options->overwrite, AUX only) runs without anybody who reads: the GPU overwrites the oldest reports.
 * Nothing comes until gpuoa_source_disable(); then the newest reports can be read, as many as the buffer has room for (its
 * size is the largest one if none is asked for), and a clock pair of that moment. After gpuoa_source_enable() it goes on;
 * no report comes twice. What was overwritten was not lost.
 *
 * @options: may be NULL
 * @options->keep is for RAW delivery, where what is not copied need not be: not with @options->overwrite or
 * GPUOA_DELIVERY_AUX (-EINVAL).
 *
 * -EOPNOTSUPP: what was asked for is not possible with the wanted delivery: AUX mode can't have reports of 192 bytes of
 * media units, nor from gen8 on a context filter. -EBUSY, with GPUOA_DELIVERY_AUX: another stream has the unit.
 * -EACCES: needs CAP_PERFMON or a lower kernel.perf_event_paranoid, or the rate is above
 * dev.gpuoa.max_sample_rate; a set that the kernel does not know yet needs CAP_PERFMON to be uploaded (see
 * gpuoa_unit_upload()). -EXDEV: the set is of another domain than the unit. -E2BIG: @options is longer than this library knows, and what it does not know is not 0; -EINVAL:
 * @options->size is not set. -EBUSY: the unit is in use with another configuration. -ERANGE: the hardware
 * has no such period or buffer size. -EINVAL, -ENOMEM, -ENODEV; else as perf_event_open in uapi/gpuoa.h.
 */
int gpuoa_stream_open(struct gpuoa_unit *unit, const struct gpuoa_set *set,
		      struct gpuoa_stream_options *options, struct gpuoa_source **source);

/**
 * Open a recording: perf.data as gpuoa record or the stock perf record -R wrote it. Of several gpuoa events in
 * it, the first one that describes itself is read; other events are skipped.
 *
 * -ENOENT and the like from open(2). -EBADMSG: not perf.data, or damaged. -ENODATA: it has no samples of a
 * gpuoa PMU. -EOPNOTSUPP: perf.data of a kind that can't be read (compressed, other endianness).
 * @error: room for @error_size bytes for one line that says what is wrong; may be NULL.
 */
int gpuoa_file_open(const char *path, struct gpuoa_source **source, char *error, size_t error_size);

void gpuoa_source_close(struct gpuoa_source *source);

/** What a source gives. */
struct gpuoa_source_desc {
	char uuid[40];	   /* of the configuration; "" if it has none */
	uint32_t format;   /* enum gpuoa_report_format */
	uint32_t exponent; /* timer: a report every 2^(exponent+1) ticks */
	size_t report_size; /* bytes */
	bool context_filter;
	uint32_t delivery; /* GPUOA_DELIVERY_RAW or _AUX; of a recording: how its reports came while it was made */
	uint64_t keep[GPUOA_KEEP_WORDS]; /* dwords of each report that there are; reads give whole reports, with zeros
					    for all else. All 0: all of them */
};

/** Describe a source. @size is sizeof(*desc). */
void gpuoa_source_describe(const struct gpuoa_source *source, struct gpuoa_source_desc *desc, size_t size);

/** Describe the unit that a source's reports are of. @size is sizeof(*desc). */
void gpuoa_source_describe_unit(const struct gpuoa_source *source, struct gpuoa_unit_desc *desc, size_t size);

/** Platform of the source's unit; NULL if this library does not know it. */
const struct gpuoa_platform *gpuoa_source_platform(const struct gpuoa_source *source);

/** Constants of the source's GPU; NULL without a platform. They belong to the source. */
const struct gpuoa_constants *gpuoa_source_constants(const struct gpuoa_source *source);

/** What one read found beside reports. Counts are of reports, and of this read only. */
struct gpuoa_read_status {
	bool gap;		   /* reports are missing right before those of this read */
	bool end;		   /* recording: nothing comes any more */
	bool lost_unknown;	   /* something was lost that could not be counted */
	uint64_t lost_overflow;	   /* the OABUFFER was full */
	uint64_t lost_hardware;	   /* the hardware dropped reports */
	uint64_t lost_ring;	   /* the reader was slow: perf's ring buffer was full */
	bool has_clock;		   /* here is a clock pair near the reports of this read; a recording's first read has one
				      if there is any in it: */
	struct gpuoa_clock_pair clock;
};

/**
 * Read reports. A read ends before a gap, so the reports of one read follow each other without one.
 *
 * @reports: room for @max reports of gpuoa_source_desc.report_size bytes
 * @status: filled in; must not be NULL
 * Returns the number of reports, 0 if there are none now (stream) or any more (recording, status->end), or
 * -EBADMSG for a damaged recording, -EIO, -ENODEV for a GPU that is gone.
 */
int gpuoa_source_read(struct gpuoa_source *source, void *reports, size_t max, struct gpuoa_read_status *status);

/**
 * The same without a copy: reports where they are, which is for an AUX stream where the GPU put them. One call gives those
 * that lie in one piece; a gap, a loss, a clock pair or a pause of sampling (a gap with nothing lost) is in the status of the
 * call that gives the reports behind it. Calls of gpuoa_source_read() may come in between.
 *
 * @reports: out: what is there stays until the next call for this source, gpuoa_source_wait() and gpuoa_source_fd()
 * excepted. Until then the GPU can't use its room
 * @max: at most so many
 * Returns as gpuoa_source_read().
 */
int gpuoa_source_next(struct gpuoa_source *source, const void **reports, size_t max, struct gpuoa_read_status *status);

/** Give the reports of the last gpuoa_source_next() back now, for example before a long wait. */
void gpuoa_source_release(struct gpuoa_source *source);

/**
 * Wait until a stream has gpuoa_stream_options.notify_reports reports, or the time is up. @timeout_ms: -1 waits for
 * ever. What is left of the last read, or was there when the stream was disabled, does not have to be waited for.
 * Returns 0: there is something to read, -ETIMEDOUT: there is nothing, -EINTR, -ENODEV. A recording is always ready.
 * Read until gpuoa_source_read() returns 0 before waiting again: else what is there may have to wait for more.
 *
 * When the GPU goes away, both say -ENODEV once all that came before has been read.
 */
int gpuoa_source_wait(struct gpuoa_source *source, int timeout_ms);

/**
 * File descriptor to poll(2) for POLLIN; -EOPNOTSUPP for a recording. It belongs to the source. It becomes ready with
 * gpuoa_stream_options.notify_reports new reports only: read until gpuoa_source_read() returns 0 before polling.
 */
int gpuoa_source_fd(const struct gpuoa_source *source);

/** Stop sampling; what is there can still be read. -EOPNOTSUPP for a recording. */
int gpuoa_source_disable(struct gpuoa_source *source);

/** Sample again; a gap follows. -EOPNOTSUPP for a recording. */
int gpuoa_source_enable(struct gpuoa_source *source);

/* several sources in order of time */

struct gpuoa_merge;

/** Reports of one source that are older than what all others have at hand. */
struct gpuoa_merge_run {
	uint32_t source;     /* which one, from 0 */
	uint32_t count;	     /* reports; 0: a status that no reports follow (yet) */
	const void *reports; /* as gpuoa_source_next() has them: until the next call */
	struct gpuoa_read_status status; /* of what is between this source's last run and this one; @end: of all sources */
};

/**
 * Read several sources, of any units and GPUs, in order of time. Units of one GPU have one clock; other GPUs are related by
 * the clock pairs in the sources, to within their errors. Reports of a source without any clock pair come as they are
 * read. While merged, the sources are read by nobody else; they outlive the merging.
 *
 * -EINVAL: no sources, or one in a format that this library does not know. -ENOMEM.
 */
int gpuoa_merge_open(struct gpuoa_source *const *sources, uint32_t count, struct gpuoa_merge **merge);

void gpuoa_merge_close(struct gpuoa_merge *merge);

/**
 * The next run. What is older than any other report can be given only when every source has some at hand or has ended.
 *
 * @flush: do not wait for sources with nothing at hand, though they might come with older reports: for streams that
 * are disabled, or so quiet that they are not to be waited for
 * @size: sizeof(*run)
 * Returns 1: a run; 0: nothing now: run->source is what to gpuoa_source_wait() for, or run->status.end is set since all
 * have ended; or a negative errno of gpuoa_source_next() of run->source. One that says -ENODEV has ended with that: the
 * others go on.
 */
int gpuoa_merge_next(struct gpuoa_merge *merge, bool flush, struct gpuoa_merge_run *run, size_t size);

/* recording */

struct gpuoa_recorder;

/** What a recorder has written. */
struct gpuoa_recorder_stats {
	uint64_t bytes;
	uint64_t reports;
	uint64_t lost; /* reports known to be lost */
	bool lost_unknown; /* and more, which could not be counted (until now) */
};

/**
 * Record a stream to a file that stock perf can read (perf.data). From here on the stream's data goes to
 * the file only: do not read it. The file is valid perf.data at any moment between two calls.
 * Errors are those of open(2) and write(2); -EOPNOTSUPP: the source is no stream.
 */
int gpuoa_recorder_open(struct gpuoa_source *stream, const char *path, struct gpuoa_recorder **recorder);

/**
 * Write what the stream has. Call whenever gpuoa_source_wait() says that there is something. -ENODEV: the GPU is
 * gone, and the recording is complete: all that it had has been written. Else errors are those of write(2).
 */
int gpuoa_recorder_write(struct gpuoa_recorder *recorder);

/** What was written until now. @size is sizeof(*stats). */
void gpuoa_recorder_stats(const struct gpuoa_recorder *recorder, struct gpuoa_recorder_stats *stats, size_t size);

/** Write the rest, and close. The stream stays open. Returns the first error that any write had. */
int gpuoa_recorder_close(struct gpuoa_recorder *recorder);

#ifdef __cplusplus
}
#endif

#endif /* GPUOA_H */
