/* SPDX-License-Identifier: MIT */
/*
 * mdapi.h - binary interface of Intel's Metrics Discovery API, version 1.16, for C
 *
 * Programs written for the API call C++ methods through vtables of the Itanium C++ ABI: the first
 * word of an object points to an array of functions, whose first argument is the object. The first
 * two functions are the destructors that a compiler generates. A newer version of an interface
 * appends methods, or changes only the type of a result, so that one table serves programs that
 * were built for any older version: its beginning is their table. The same is true of structs,
 * except where a base class ends with padding; there, the base is a separate struct here.
 *
 * Values of enumerations, layouts and the order of methods are those of the API. Names are gpuoa's:
 * IMetricSet_1_16 is struct mdapi_set, TMetricSetParams_1_16 is struct mdapi_set_params, CC_OK is
 * MDAPI_OK. Where the API has methods of the same name, the name here ends with the first version
 * that has it.
 */
#ifndef GPUOA_FRONTEND_IGDMD_MDAPI_H
#define GPUOA_FRONTEND_IGDMD_MDAPI_H

#include <stdbool.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

#define MDAPI_VERSION_MAJOR 1
#define MDAPI_VERSION_MINOR 16

/* ---- values --------------------------------------------------------------------------------- */

/* Results of methods */
enum mdapi_result {
	MDAPI_OK = 0,
	MDAPI_READ_PENDING = 1, /* fewer reports than requested */
	MDAPI_ALREADY_INITIALIZED = 2, /* opened; it was open already */
	MDAPI_STILL_INITIALIZED = 3, /* reference released; others remain */
	MDAPI_GROUP_LOCKED = 4, /* another user or another set occupies the OA unit */
	MDAPI_TIMEOUT = 5,
	MDAPI_TRY_AGAIN = 6,
	MDAPI_INTERRUPTED = 7,
	MDAPI_NOT_ENOUGH_DATA = 8,
	MDAPI_NO_RESULT = 9,
	MDAPI_INVALID_PARAMETER = 40,
	MDAPI_NO_MEMORY = 41,
	MDAPI_GENERAL_ERROR = 42,
	MDAPI_FILE_NOT_FOUND = 43,
	MDAPI_NOT_SUPPORTED = 44,
	MDAPI_ACCESS_DENIED = 45,
};

enum mdapi_value_type {
	MDAPI_VALUE_UINT32,
	MDAPI_VALUE_UINT64,
	MDAPI_VALUE_FLOAT,
	MDAPI_VALUE_BOOL,
	MDAPI_VALUE_STRING,
	MDAPI_VALUE_BYTES,
	MDAPI_VALUE_UINT32_RANGE,
	MDAPI_VALUE_UINT64_RANGE,
};

struct mdapi_bytes {
	uint32_t size;
	uint8_t *data;
};

struct mdapi_value {
	enum mdapi_value_type type;
	union {
		uint32_t u32;
		uint64_t u64;
		float f32;
		bool boolean;
		char *string;
		struct mdapi_bytes *bytes;
	};
};

/* A property of the GPU */
struct mdapi_symbol {
	const char *name;
	struct mdapi_value value;
};

struct mdapi_version {
	uint32_t major;
	uint32_t minor;
	uint32_t build;
};

/* ---- enumerations --------------------------------------------------------------------------- */

/* APIs for which a set, metric or information item is intended. Bit mask. */
enum mdapi_api {
	MDAPI_API_STREAM = 1 << 0, /* reports of the timer */
	MDAPI_API_DX9 = 1 << 1,
	MDAPI_API_DX10 = 1 << 2,
	MDAPI_API_DX11 = 1 << 3,
	MDAPI_API_OGL = 1 << 4,
	MDAPI_API_OGL4 = 1 << 5,
	MDAPI_API_OCL = 1 << 6,
	MDAPI_API_MEDIA = 1 << 7,
	MDAPI_API_DX12 = 1 << 8,
	MDAPI_API_BATCH = 1 << 9,
	MDAPI_API_VULKAN = 1 << 10,
};
#define MDAPI_API_ALL 0xffffffffu
/* APIs with begin/end queries */
#define MDAPI_API_QUERIES                                                                   \
	(MDAPI_API_DX9 | MDAPI_API_DX10 | MDAPI_API_DX11 | MDAPI_API_OGL | MDAPI_API_OGL4 | \
	 MDAPI_API_OCL | MDAPI_API_DX12 | MDAPI_API_VULKAN)

/* Kinds of measurement that a group supports. Bit mask. */
enum mdapi_measurement {
	MDAPI_MEASUREMENT_STREAM = 1 << 0,
	MDAPI_MEASUREMENT_QUERY_SNAPSHOT = 1 << 1,
	MDAPI_MEASUREMENT_QUERY = 1 << 2,
};

/* Purposes of a metric; a mask */
enum mdapi_usage {
	MDAPI_USAGE_OVERVIEW = 1 << 0,
	MDAPI_USAGE_INDICATE = 1 << 1,
	MDAPI_USAGE_CORRELATE = 1 << 2,
	MDAPI_USAGE_SYSTEM = 1 << 5,
	MDAPI_USAGE_FRAME = 1 << 6,
	MDAPI_USAGE_BATCH = 1 << 7,
	MDAPI_USAGE_DRAW = 1 << 8,
	MDAPI_USAGE_TIER_1 = 1 << 10,
	MDAPI_USAGE_TIER_2 = 1 << 11,
	MDAPI_USAGE_TIER_3 = 1 << 12,
	MDAPI_USAGE_TIER_4 = 1 << 13,
	MDAPI_USAGE_GLASS_JAW = 1 << 14,
};

/* Events that trigger the reports of a stream */
enum mdapi_sampling {
	MDAPI_SAMPLING_OA_TIMER = 1 << 0,
	MDAPI_SAMPLING_OA_EVENT = 1 << 1,
	MDAPI_SAMPLING_QUERY = 1 << 2,
	MDAPI_SAMPLING_DMA_BUFFER = 1 << 3,
	MDAPI_SAMPLING_OAM_TIMER = 1 << 4,
	MDAPI_SAMPLING_OAMERT_TIMER = 1 << 5,
};

/* Part of the GPU or kind of work that a set measures. Bit mask. */
enum mdapi_category {
	MDAPI_CATEGORY_RENDER = 1 << 0,
	MDAPI_CATEGORY_COMPUTE = 1 << 1,
	MDAPI_CATEGORY_MEDIA = 1 << 2,
	MDAPI_CATEGORY_GENERIC = 1 << 3,
};

/* Flags of read_stream */
enum mdapi_read_flag {
	MDAPI_READ_NEWEST = 1 << 0, /* return only the newest reports and skip older ones */
	MDAPI_READ_CONTEXT_TAGS = 1 << 1,
};

/* Scope of an override. Bit mask. */
enum mdapi_override_mode {
	MDAPI_OVERRIDE_GLOBAL = 1 << 0,
	MDAPI_OVERRIDE_LOCAL = 1 << 1,
};

enum mdapi_adapter_capability {
	MDAPI_ADAPTER_RENDERS = 1 << 0,
};

enum mdapi_adapter_type {
	MDAPI_ADAPTER_UNKNOWN,
	MDAPI_ADAPTER_INTEGRATED,
	MDAPI_ADAPTER_DISCRETE,
};

enum mdapi_adapter_id_type {
	MDAPI_ADAPTER_ID_UNKNOWN,
	MDAPI_ADAPTER_ID_LUID,
	MDAPI_ADAPTER_ID_NODE, /* major and minor number of the DRM node */
};

enum mdapi_result_type {
	MDAPI_RESULT_UINT32,
	MDAPI_RESULT_UINT64,
	MDAPI_RESULT_BOOL,
	MDAPI_RESULT_FLOAT,
};

enum mdapi_metric_type {
	MDAPI_METRIC_DURATION,
	MDAPI_METRIC_EVENT,
	MDAPI_METRIC_EVENT_WITH_RANGE,
	MDAPI_METRIC_THROUGHPUT,
	MDAPI_METRIC_TIMESTAMP,
	MDAPI_METRIC_FLAG,
	MDAPI_METRIC_RATIO,
	MDAPI_METRIC_RAW,
};

enum mdapi_info_type {
	MDAPI_INFO_REPORT_REASON, /* mask of enum mdapi_report_reason */
	MDAPI_INFO_VALUE,
	MDAPI_INFO_FLAG,
	MDAPI_INFO_TIMESTAMP,
	MDAPI_INFO_CONTEXT_ID,
	MDAPI_INFO_SAMPLE_PHASE,
	MDAPI_INFO_GPU_NODE,
};

enum mdapi_report_reason {
	MDAPI_REASON_TIMER = 1 << 0,
	MDAPI_REASON_TRIGGER_1 = 1 << 1,
	MDAPI_REASON_TRIGGER_2 = 1 << 2,
	MDAPI_REASON_CONTEXT_SWITCH = 1 << 3,
	MDAPI_REASON_GO = 1 << 4,
	MDAPI_REASON_FREQUENCY_CHANGE = 1 << 5,
	MDAPI_REASON_MMIO_TRIGGER = 1 << 6,
};

enum mdapi_hw_unit {
	MDAPI_UNIT_GPU,
	MDAPI_UNIT_SLICE,
	MDAPI_UNIT_SUBSLICE,
	MDAPI_UNIT_SUBSLICE_BANK,
	MDAPI_UNIT_EU,
	MDAPI_UNIT_UNCORE,
	MDAPI_UNIT_DUALSUBSLICE,
};

enum mdapi_delta_type {
	MDAPI_DELTA_NULL,
	MDAPI_DELTA_BITS, /* difference modulo 2^bits */
	MDAPI_DELTA_OR,
	MDAPI_DELTA_XOR,
	MDAPI_DELTA_PREVIOUS,
	MDAPI_DELTA_LAST,
	MDAPI_DELTA_TIME, /* difference of timestamps, ns */
	MDAPI_DELTA_COUNT,
};

enum mdapi_element_type {
	MDAPI_ELEMENT_OPERATION,
	MDAPI_ELEMENT_READ_BITS,
	MDAPI_ELEMENT_READ_UINT8,
	MDAPI_ELEMENT_READ_UINT16,
	MDAPI_ELEMENT_READ_UINT32,
	MDAPI_ELEMENT_READ_UINT64,
	MDAPI_ELEMENT_READ_FLOAT,
	/* read a 40-bit counter: the lower 32 bits, and the upper 8 bits at another offset */
	MDAPI_ELEMENT_READ_40_BITS,
	MDAPI_ELEMENT_UINT64,
	MDAPI_ELEMENT_FLOAT,
	MDAPI_ELEMENT_SELF, /* the difference that the metric's own read equation yields */
	MDAPI_ELEMENT_SYMBOL, /* property of the GPU */
	/* the difference that the read equation of another metric of the set yields */
	MDAPI_ELEMENT_COUNTER,
	MDAPI_ELEMENT_OTHER_SET_COUNTER,
	MDAPI_ELEMENT_METRIC, /* calculated value of another metric of the set */
	MDAPI_ELEMENT_OTHER_SET_METRIC,
	MDAPI_ELEMENT_INFO,
	MDAPI_ELEMENT_GPU_DURATION,
	MDAPI_ELEMENT_EU_DURATION,
	MDAPI_ELEMENT_MASK,
	MDAPI_ELEMENT_PREVIOUS_METRIC,
	MDAPI_ELEMENT_COUNT,
};

/* Operations on the last two values. U: unsigned integers of 64 bits; F: 32-bit floats */
enum mdapi_operation {
	MDAPI_OPERATION_SHIFT_RIGHT,
	MDAPI_OPERATION_SHIFT_LEFT,
	MDAPI_OPERATION_AND,
	MDAPI_OPERATION_OR,
	MDAPI_OPERATION_XOR,
	MDAPI_OPERATION_XNOR,
	MDAPI_OPERATION_LOGICAL_AND,
	MDAPI_OPERATION_EQUALS,
	MDAPI_OPERATION_UADD,
	MDAPI_OPERATION_USUB,
	MDAPI_OPERATION_UMUL,
	MDAPI_OPERATION_UDIV,
	MDAPI_OPERATION_FADD,
	MDAPI_OPERATION_FSUB,
	MDAPI_OPERATION_FMUL,
	MDAPI_OPERATION_FDIV,
	MDAPI_OPERATION_UGT,
	MDAPI_OPERATION_ULT,
	MDAPI_OPERATION_UGTE,
	MDAPI_OPERATION_ULTE,
	MDAPI_OPERATION_FGT,
	MDAPI_OPERATION_FLT,
	MDAPI_OPERATION_FGTE,
	MDAPI_OPERATION_FLTE,
	MDAPI_OPERATION_UMIN,
	MDAPI_OPERATION_UMAX,
	MDAPI_OPERATION_FMIN,
	MDAPI_OPERATION_FMAX,
	MDAPI_OPERATION_COUNT,
};

/* Options of a prototype */
enum mdapi_option {
	MDAPI_OPTION_DISAGGREGATION,
	MDAPI_OPTION_LATENCY,
	MDAPI_OPTION_UTILIZATION,
	MDAPI_OPTION_AVERAGE,
	MDAPI_OPTION_RATE,
	MDAPI_OPTION_BYTE,
};

/* Parts of the GPU for which a prototype can count separately */
enum mdapi_disaggregation {
	MDAPI_DISAGGREGATION_NONE,
	MDAPI_DISAGGREGATION_XE_CORE,
	MDAPI_DISAGGREGATION_L3_BANK,
	MDAPI_DISAGGREGATION_SLICE,
	MDAPI_DISAGGREGATION_SQIDI,
	MDAPI_DISAGGREGATION_L3_NODE,
	MDAPI_DISAGGREGATION_COPY_ENGINE,
};

/* Kinds of queries with reports that contain a counter. Bit mask. */
enum mdapi_query_mode {
	MDAPI_QUERY_RENDER = 1 << 0,
	MDAPI_QUERY_COMPUTE = 1 << 1,
	MDAPI_QUERY_GLOBAL = 1 << 2,
	MDAPI_QUERY_GLOBAL_EXTENDED = 1 << 3,
};

enum mdapi_stream_state {
	MDAPI_STREAM_DISABLED,
	MDAPI_STREAM_ENABLED,
};

enum mdapi_counters {
	MDAPI_COUNTERS_NORMAL,
	MDAPI_COUNTERS_DENSE,
};

enum mdapi_context_type {
	MDAPI_CONTEXT_STREAM,
	MDAPI_CONTEXT_QUERY,
};

/* ---- equations ------------------------------------------------------------------------------ */

struct mdapi_delta {
	enum mdapi_delta_type type;
	uint32_t bits;
};

struct mdapi_element {
	enum mdapi_element_type type;
	union {
		uint64_t integer;
		float real;
		struct mdapi_bytes mask;
		enum mdapi_operation operation;
		struct {
			uint32_t offset; /* bytes */
			uint32_t bit_offset;
			uint32_t bit_count;
			/* offset of the upper eight bits of a 40-bit counter */
			uint32_t high_offset;
		} read;
	};
	char *name;
};

/* IEquation: an equation in postfix order */
struct mdapi_equation {
	const struct mdapi_equation_table *table;
};

struct mdapi_equation_table {
	void (*destroy)(struct mdapi_equation *equation);
	void (*free)(struct mdapi_equation *equation);
	uint32_t (*get_element_count)(struct mdapi_equation *equation);
	struct mdapi_element *(*get_element)(struct mdapi_equation *equation, uint32_t index);
};

/* ---- information items ---------------------------------------------------------------------- */

struct mdapi_info_params {
	uint32_t index;
	const char *symbol;
	const char *name;
	const char *group;
	const char *description;
	uint32_t apis; /* enum mdapi_api */
	enum mdapi_info_type type;
	const char *units;
	struct mdapi_equation *stream_read;
	struct mdapi_equation *query_read;
	struct mdapi_delta overflow;
};

/* IInformation */
struct mdapi_info {
	const struct mdapi_info_table *table;
};

struct mdapi_info_table {
	void (*destroy)(struct mdapi_info *info);
	void (*free)(struct mdapi_info *info);
	struct mdapi_info_params *(*get_params)(struct mdapi_info *info);
};

/* ---- metrics -------------------------------------------------------------------------------- */

struct mdapi_metric_params {
	uint32_t index; /* index among the metrics that pass the filter of the set */
	uint32_t group_id;
	const char *symbol;
	const char *name;
	const char *group;
	const char *description;
	const char *dx_to_ogl;
	uint32_t usage; /* enum mdapi_usage */
	uint32_t apis; /* enum mdapi_api */
	enum mdapi_result_type result_type;
	const char *units;
	enum mdapi_metric_type type;
	uint64_t low_watermark;
	uint64_t high_watermark;
	enum mdapi_hw_unit hw_unit;
	struct mdapi_equation *stream_read;
	struct mdapi_equation *query_read;
	struct mdapi_delta delta;
	struct mdapi_equation *norm;
	struct mdapi_equation *max;
	uint32_t query_modes; /* enum mdapi_query_mode; 1.13 */
};

/* IMetric */
struct mdapi_metric {
	const struct mdapi_metric_table *table;
};

struct mdapi_metric_table {
	void (*destroy)(struct mdapi_metric *metric);
	void (*free)(struct mdapi_metric *metric);
	struct mdapi_metric_params *(*get_params)(struct mdapi_metric *metric);
};

/* ---- prototypes of metrics, 1.13 ------------------------------------------------------------ */

struct mdapi_valid_value {
	enum mdapi_value_type type;
	union {
		uint32_t u32;
		uint64_t u64;
		struct {
			uint32_t min;
			uint32_t max;
		} u32_range;
		struct {
			uint64_t min;
			uint64_t max;
		} u64_range;
	};
};

struct mdapi_option_params {
	enum mdapi_option type;
	const char *symbol;
	struct mdapi_valid_value *values;
	uint32_t value_count;
};

struct mdapi_prototype_params {
	const char *symbol;
	const char *name;
	const char *group;
	const char *description;
	const char *dx_to_ogl;
	uint32_t usage;
	uint32_t apis;
	enum mdapi_result_type result_type;
	const char *units;
	enum mdapi_metric_type type;
	enum mdapi_hw_unit hw_unit;
	uint32_t option_count;
	enum mdapi_disaggregation disaggregation;
	uint32_t query_modes;
};

/* IMetricPrototype */
struct mdapi_prototype {
	const struct mdapi_prototype_table *table;
};

struct mdapi_prototype_table {
	void (*destroy)(struct mdapi_prototype *prototype);
	void (*free)(struct mdapi_prototype *prototype);
	const struct mdapi_prototype_params *(*get_params)(const struct mdapi_prototype *prototype);
	struct mdapi_prototype *(*clone)(struct mdapi_prototype *prototype);
	const struct mdapi_option_params *(*get_option)(const struct mdapi_prototype *prototype,
							uint32_t index);
	enum mdapi_result (*set_option)(struct mdapi_prototype *prototype, enum mdapi_option option,
					const struct mdapi_value *value);
	enum mdapi_result (*change_names)(struct mdapi_prototype *prototype, const char *symbol,
					  const char *name, const char *description,
					  const char *units);
};

/* IMetricEnumerator */
struct mdapi_enumerator {
	const struct mdapi_enumerator_table *table;
};

struct mdapi_enumerator_table {
	void (*destroy)(struct mdapi_enumerator *enumerator);
	void (*free)(struct mdapi_enumerator *enumerator);
	uint32_t (*get_prototype_count)(struct mdapi_enumerator *enumerator);
	struct mdapi_prototype *(*get_prototype)(struct mdapi_enumerator *enumerator,
						 uint32_t index);
	enum mdapi_result (*get_prototypes)(struct mdapi_enumerator *enumerator, uint32_t index,
					    uint32_t *count, struct mdapi_prototype **prototypes);
	enum mdapi_result (*remove_clone)(struct mdapi_enumerator *enumerator,
					  struct mdapi_prototype *clone);
};

/* ---- metric sets ---------------------------------------------------------------------------- */

/* Identifiers of the set in other APIs */
struct mdapi_api_ids {
	uint32_t d3d9_query;
	uint32_t d3d9_fourcc;
	uint32_t d3d1x_query;
	uint32_t d3d1x_counter;
	const char *d3d1x_name;
	uint32_t ogl_query;
	const char *ogl_name;
	uint32_t ogl_arb_target;
	uint32_t ocl;
	uint32_t config; /* id of the register configuration in the kernel */
	uint32_t reserved;
};

/* TMetricSetParams_1_0, which ends with padding */
struct mdapi_set_params_1_0 {
	const char *symbol;
	const char *name;
	uint32_t apis; /* mask of enum mdapi_api; if a filter is set, the filter */
	uint32_t categories; /* enum mdapi_category */
	uint32_t report_size; /* report of a stream, bytes */
	/* size of a query's result in bytes; 0: the set has no queries */
	uint32_t query_report_size;
	uint32_t metric_count;
	uint32_t info_count;
	uint32_t complementary_count;
	struct mdapi_api_ids ids;
	uint32_t platforms;
};

struct mdapi_set_params {
	struct mdapi_set_params_1_0 base;
	uint32_t gts; /* 1.4 */
	const char *availability; /* 1.11 */
	uint32_t counter_size; /* 1.16 */
	uint32_t counter_count; /* 1.16 */
};

/* IMetricSet */
struct mdapi_set {
	const struct mdapi_set_table *table;
};

struct mdapi_set_table {
	void (*destroy)(struct mdapi_set *set);
	void (*free)(struct mdapi_set *set);
	struct mdapi_set_params *(*get_params)(struct mdapi_set *set);
	struct mdapi_metric *(*get_metric)(struct mdapi_set *set, uint32_t index);
	struct mdapi_info *(*get_info)(struct mdapi_set *set, uint32_t index);
	struct mdapi_set *(*get_complementary)(struct mdapi_set *set, uint32_t index);
	enum mdapi_result (*activate)(struct mdapi_set *set);
	enum mdapi_result (*deactivate)(struct mdapi_set *set);
	struct mdapi_metric *(*add_metric_1_0)(
		struct mdapi_set *set, const char *symbol, const char *name, const char *group,
		const char *description, const char *dx_to_ogl, uint32_t usage, uint32_t apis,
		enum mdapi_result_type result_type, const char *units, enum mdapi_metric_type type,
		int64_t low, int64_t high, enum mdapi_hw_unit hw_unit, const char *stream_read,
		const char *delta, const char *query_read, const char *norm, const char *max,
		const char *signal);
	/* 1.1 */
	enum mdapi_result (*set_api_filter)(struct mdapi_set *set, uint32_t apis);
	enum mdapi_result (*calculate_1_1)(struct mdapi_set *set, const uint8_t *reports,
					   uint32_t size, struct mdapi_value *values,
					   uint32_t values_size, uint32_t *row_count,
					   bool context_filter);
	enum mdapi_result (*calculate_stream_infos)(struct mdapi_set *set,
						    struct mdapi_value *values,
						    uint32_t values_size);
	/* 1.5 */
	enum mdapi_result (*calculate_1_5)(struct mdapi_set *set, const uint8_t *reports,
					   uint32_t size, struct mdapi_value *values,
					   uint32_t values_size, uint32_t *row_count,
					   struct mdapi_value *maxima, uint32_t maxima_size);
	/* 1.13 */
	enum mdapi_result (*open)(struct mdapi_set *set);
	enum mdapi_result (*add_prototype)(struct mdapi_set *set,
					   struct mdapi_prototype *prototype);
	enum mdapi_result (*remove_prototype)(struct mdapi_set *set,
					      struct mdapi_prototype *prototype);
	enum mdapi_result (*finalize)(struct mdapi_set *set);
	struct mdapi_metric *(*add_metric_1_13)(
		struct mdapi_set *set, const char *symbol, const char *name, const char *group,
		const char *description, const char *dx_to_ogl, uint32_t usage, uint32_t apis,
		enum mdapi_result_type result_type, const char *units, enum mdapi_metric_type type,
		int64_t low, int64_t high, enum mdapi_hw_unit hw_unit, const char *stream_read,
		const char *delta, const char *query_read, const char *norm, const char *max,
		const char *signal, uint32_t query_modes);
	/* 1.16 */
	enum mdapi_result (*calculate_async)(struct mdapi_set *set, const uint8_t *reports,
					     uint32_t size, struct mdapi_value *values,
					     uint32_t values_size, uint32_t *row_count,
					     struct mdapi_value *maxima, uint32_t maxima_size);
};

/* ---- concurrent groups ---------------------------------------------------------------------- */

struct mdapi_group_params {
	const char *symbol; /* "OA" */
	const char *description;
	uint32_t measurements; /* enum mdapi_measurement */
	uint32_t set_count;
	uint32_t stream_info_count;
	uint32_t context_info_count;
	const char *event_name; /* 1.13 */
};

/* IConcurrentGroup: an OA unit, its sets and its stream */
struct mdapi_group {
	const struct mdapi_group_table *table;
};

struct mdapi_group_table {
	void (*destroy)(struct mdapi_group *group);
	void (*free)(struct mdapi_group *group);
	struct mdapi_group_params *(*get_params)(struct mdapi_group *group);
	struct mdapi_set *(*get_set)(struct mdapi_group *group, uint32_t index);
	enum mdapi_result (*open_stream_1_0)(struct mdapi_group *group, struct mdapi_set *set,
					     uint32_t process, uint32_t *period_ns,
					     uint32_t *buffer_size);
	enum mdapi_result (*read_stream)(struct mdapi_group *group, uint32_t *count, char *reports,
					 uint32_t flags);
	enum mdapi_result (*close_stream)(struct mdapi_group *group);
	enum mdapi_result (*wait_for_reports)(struct mdapi_group *group, uint32_t timeout_ms);
	struct mdapi_info *(*get_stream_info)(struct mdapi_group *group, uint32_t index);
	struct mdapi_info *(*get_context_info)(struct mdapi_group *group, uint32_t index);
	/* 1.3 */
	enum mdapi_result (*set_sampling_type)(struct mdapi_group *group,
					       enum mdapi_sampling sampling);
	/* 1.13 */
	struct mdapi_enumerator *(*get_enumerator)(struct mdapi_group *group);
	struct mdapi_enumerator *(*get_enumerator_from_file)(struct mdapi_group *group,
							     const char *path);
	struct mdapi_set *(*add_set_1_13)(struct mdapi_group *group, const char *symbol,
					  const char *name);
	enum mdapi_result (*remove_set_1_13)(struct mdapi_group *group, struct mdapi_set *set);
	/* 1.15 */
	enum mdapi_result (*open_stream_1_15)(struct mdapi_group *group, struct mdapi_set *set,
					      uint32_t process, uint32_t *period_ns,
					      uint32_t *buffer_size, enum mdapi_stream_state state);
	enum mdapi_result (*change_stream_state)(struct mdapi_group *group,
						 enum mdapi_stream_state state,
						 uint32_t *period_ns);
	/* 1.16 */
	struct mdapi_set *(*add_set_1_16)(struct mdapi_group *group, const char *symbol,
					  const char *name, enum mdapi_counters counters);
	enum mdapi_result (*remove_set_1_16)(struct mdapi_group *group, struct mdapi_set *set);
};

/* ---- overrides, 1.2 ------------------------------------------------------------------------- */

struct mdapi_override_params {
	const char *symbol;
	const char *description;
	uint32_t apis;
	uint32_t platforms;
	uint32_t modes; /* enum mdapi_override_mode */
};

/* Argument of set_override for "FrequencyOverride" */
struct mdapi_frequency_override {
	bool enable;
	uint32_t mhz;
	uint32_t process;
};

/* IOverride */
struct mdapi_override {
	const struct mdapi_override_table *table;
};

struct mdapi_override_table {
	void (*destroy)(struct mdapi_override *override);
	void (*free)(struct mdapi_override *override);
	struct mdapi_override_params *(*get_params)(struct mdapi_override *override);
	enum mdapi_result (*set_override)(struct mdapi_override *override,
					  struct mdapi_frequency_override *params, uint32_t size);
};

/* ---- metrics devices ------------------------------------------------------------------------ */

struct mdapi_device_params {
	struct mdapi_version version;
	uint32_t group_count;
	uint32_t symbol_count;
	uint32_t delta_count; /* number of delta functions */
	uint32_t element_type_count;
	uint32_t operation_count;
	const char *name;
	uint32_t override_count; /* 1.2 */
};

/* IMetricsDevice: a GPU, or one of its tiles */
struct mdapi_device {
	const struct mdapi_device_table *table;
};

struct mdapi_device_table {
	void (*destroy)(struct mdapi_device *device);
	void (*free)(struct mdapi_device *device);
	struct mdapi_device_params *(*get_params)(struct mdapi_device *device);
	struct mdapi_group *(*get_group)(struct mdapi_device *device, uint32_t index);
	struct mdapi_symbol *(*get_symbol)(struct mdapi_device *device, uint32_t index);
	struct mdapi_value *(*get_symbol_value)(struct mdapi_device *device, const char *name);
	enum mdapi_result (*get_last_error)(struct mdapi_device *device);
	enum mdapi_result (*get_timestamps_1_0)(struct mdapi_device *device, uint64_t *gpu_ns,
						uint64_t *cpu_ns, uint32_t *cpu);
	/* 1.2 */
	struct mdapi_override *(*get_override)(struct mdapi_device *device, uint32_t index);
	struct mdapi_override *(*find_override)(struct mdapi_device *device, const char *symbol);
	/* 1.10 */
	enum mdapi_result (*get_timestamps_1_10)(struct mdapi_device *device, uint64_t *gpu_ns,
						 uint64_t *cpu_ns, uint32_t *cpu,
						 uint64_t *error_ns);
};

/* ---- calculation contexts, 1.16 ------------------------------------------------------------- */

/* GPU time, ns */
struct mdapi_window {
	uint64_t begin;
	uint64_t end;
};

struct mdapi_context_options {
	enum mdapi_context_type type;
	uint32_t input_count;
	struct mdapi_set **sets; /* one per input */
	int64_t *offsets; /* one per input, or NULL */
	/* MDAPI_CONTEXT_STREAM */
	struct mdapi_window *windows; /* may be NULL */
	uint32_t window_count;
	/* length of an interval, in ns; 0: a row for each interval between two timer reports */
	uint64_t period_ns;
};

struct mdapi_context_params {
	uint32_t metric_count;
	uint32_t info_count;
};

/* ICalculationContext */
struct mdapi_context {
	const struct mdapi_context_table *table;
};

struct mdapi_context_table {
	void (*destroy)(struct mdapi_context *context);
	void (*free)(struct mdapi_context *context);
	const struct mdapi_context_params *(*get_params)(const struct mdapi_context *context);
	struct mdapi_metric *(*get_metric)(struct mdapi_context *context, uint32_t index);
	struct mdapi_info *(*get_info)(struct mdapi_context *context, uint32_t index);
	enum mdapi_result (*aggregate)(struct mdapi_context *context, const uint8_t **reports,
				       const uint32_t *sizes, uint8_t *aggregated,
				       uint32_t *aggregated_size, bool last);
	enum mdapi_result (*calculate)(struct mdapi_context *context, const uint8_t *reports,
				       uint32_t size, struct mdapi_value *values,
				       uint32_t values_size, uint32_t *row_count,
				       struct mdapi_value *maxima, uint32_t maxima_size);
	enum mdapi_result (*calculate_window)(struct mdapi_context *context,
					      const uint8_t **reports, const uint32_t *sizes,
					      uint32_t *used, struct mdapi_value *values,
					      uint32_t values_size, struct mdapi_value *maxima,
					      uint32_t maxima_size, bool last);
};

/* ---- adapters, 1.6 -------------------------------------------------------------------------- */

struct mdapi_adapter_id {
	enum mdapi_adapter_id_type type;
	union {
		struct {
			uint32_t low;
			int32_t high;
		} luid;
		struct {
			int32_t major;
			int32_t minor;
		} node;
	};
};

struct mdapi_adapter_params {
	const char *name;
	struct mdapi_adapter_id id;
	uint32_t vendor_id; /* PCI ids */
	uint32_t subvendor_id;
	uint32_t device_id;
	uint32_t platform;
	uint32_t bus;
	uint32_t device;
	uint32_t function;
	enum mdapi_adapter_type type;
	uint32_t capabilities; /* enum mdapi_adapter_capability */
	uint32_t domain; /* 1.8 */
	uint32_t sub_device_count; /* 1.9 */
};

struct mdapi_sub_device_params {
	uint32_t engine_count;
};

struct mdapi_engine_params {
	uint32_t id_type; /* 0: class and instance */
	uint32_t engine_class;
	uint32_t instance;
	uint32_t gt; /* 1.13 */
	uint32_t unit; /* OA unit; 1.13 */
};

/* IAdapter */
struct mdapi_adapter {
	const struct mdapi_adapter_table *table;
};

typedef enum mdapi_result (*mdapi_open_device)(struct mdapi_adapter *adapter,
					       struct mdapi_device **device);
typedef enum mdapi_result (*mdapi_open_device_from_file)(struct mdapi_adapter *adapter,
							 const char *path, void *params,
							 struct mdapi_device **device);
typedef enum mdapi_result (*mdapi_open_sub_device)(struct mdapi_adapter *adapter, uint32_t index,
						   struct mdapi_device **device);
typedef enum mdapi_result (*mdapi_open_sub_device_from_file)(struct mdapi_adapter *adapter,
							     uint32_t index, const char *path,
							     void *params,
							     struct mdapi_device **device);

struct mdapi_adapter_table {
	void (*destroy)(struct mdapi_adapter *adapter);
	void (*free)(struct mdapi_adapter *adapter);
	const struct mdapi_adapter_params *(*get_params)(const struct mdapi_adapter *adapter);
	enum mdapi_result (*reset)(struct mdapi_adapter *adapter);
	mdapi_open_device open_device_1_6;
	mdapi_open_device_from_file open_device_from_file_1_6;
	enum mdapi_result (*close_device)(struct mdapi_adapter *adapter,
					  struct mdapi_device *device);
	enum mdapi_result (*save_device_1_6)(struct mdapi_adapter *adapter, const char *path,
					     void *params, struct mdapi_device *device);
	/* 1.9 */
	const struct mdapi_sub_device_params *(*get_sub_device_params)(
		struct mdapi_adapter *adapter, uint32_t index);
	const struct mdapi_engine_params *(*get_engine_params)(struct mdapi_adapter *adapter,
							       uint32_t index, uint32_t engine);
	mdapi_open_sub_device open_sub_device_1_9;
	mdapi_open_sub_device_from_file open_sub_device_from_file_1_9;
	/* 1.10 */
	mdapi_open_device open_device_1_10;
	mdapi_open_device_from_file open_device_from_file_1_10;
	mdapi_open_sub_device open_sub_device_1_10;
	mdapi_open_sub_device_from_file open_sub_device_from_file_1_10;
	/* 1.11 */
	mdapi_open_device open_device_1_11;
	mdapi_open_device_from_file open_device_from_file_1_11;
	mdapi_open_sub_device open_sub_device_1_11;
	mdapi_open_sub_device_from_file open_sub_device_from_file_1_11;
	enum mdapi_result (*save_device_1_11)(struct mdapi_adapter *adapter, const char *path,
					      void *params, struct mdapi_device *device,
					      uint32_t major, uint32_t minor);
	/* 1.13 */
	mdapi_open_device open_device_1_13;
	mdapi_open_device_from_file open_device_from_file_1_13;
	mdapi_open_sub_device open_sub_device_1_13;
	mdapi_open_sub_device_from_file open_sub_device_from_file_1_13;
	/* 1.15 */
	mdapi_open_device open_device_1_15;
	mdapi_open_device_from_file open_device_from_file_1_15;
	mdapi_open_sub_device open_sub_device_1_15;
	mdapi_open_sub_device_from_file open_sub_device_from_file_1_15;
	/* 1.16 */
	mdapi_open_device open_device_1_16;
	mdapi_open_device_from_file open_device_from_file_1_16;
	mdapi_open_sub_device open_sub_device_1_16;
	mdapi_open_sub_device_from_file open_sub_device_from_file_1_16;
};

/* ---- adapter groups, 1.6 -------------------------------------------------------------------- */

struct mdapi_adapters_params {
	struct mdapi_version version;
	uint32_t adapter_count;
};

/* IAdapterGroup: all GPUs of the machine */
struct mdapi_adapters {
	const struct mdapi_adapters_table *table;
};

typedef enum mdapi_result (*mdapi_open_offline)(struct mdapi_adapters *adapters, uint8_t *buffer,
						uint32_t size, struct mdapi_device **device);
typedef enum mdapi_result (*mdapi_close_offline)(struct mdapi_adapters *adapters,
						 struct mdapi_device *device);
typedef enum mdapi_result (*mdapi_save_to_buffer)(struct mdapi_adapters *adapters,
						  struct mdapi_device *device,
						  struct mdapi_set **sets, uint32_t set_count,
						  uint8_t *buffer, uint32_t *size, uint32_t major,
						  uint32_t minor);

struct mdapi_adapters_table {
	void (*destroy)(struct mdapi_adapters *adapters);
	void (*free)(struct mdapi_adapters *adapters);
	const struct mdapi_adapters_params *(*get_params)(const struct mdapi_adapters *adapters);
	struct mdapi_adapter *(*get_adapter)(struct mdapi_adapters *adapters, uint32_t index);
	enum mdapi_result (*close)(struct mdapi_adapters *adapters);
	/* 1.14 */
	mdapi_open_offline open_offline_1_14;
	mdapi_close_offline close_offline_1_14;
	mdapi_save_to_buffer save_to_buffer_1_14;
	/* 1.15 */
	mdapi_open_offline open_offline_1_15;
	mdapi_close_offline close_offline_1_15;
	mdapi_save_to_buffer save_to_buffer_1_15;
	/* 1.16 */
	mdapi_open_offline open_offline_1_16;
	mdapi_close_offline close_offline_1_16;
	mdapi_save_to_buffer save_to_buffer_1_16;
	enum mdapi_result (*create_context)(struct mdapi_adapters *adapters,
					    struct mdapi_context_options *options,
					    struct mdapi_context **context);
	enum mdapi_result (*destroy_context)(struct mdapi_adapters *adapters,
					     struct mdapi_context *context);
};

/* ---- functions of the library --------------------------------------------------------------- */

#define MDAPI_EXPORT __attribute__((visibility("default")))

MDAPI_EXPORT enum mdapi_result OpenAdapterGroup(struct mdapi_adapters **adapters);
/*
 * Open or close the default adapter, which is the first discrete GPU, or if there is none, the
 * first GPU.
 */
MDAPI_EXPORT enum mdapi_result OpenMetricsDevice(struct mdapi_device **device);
MDAPI_EXPORT enum mdapi_result CloseMetricsDevice(struct mdapi_device *device);
MDAPI_EXPORT enum mdapi_result OpenMetricsDeviceFromFile(const char *path, void *params,
							 struct mdapi_device **device);
MDAPI_EXPORT enum mdapi_result SaveMetricsDeviceToFile(const char *path, void *params,
						       struct mdapi_device *device);

/*
 * Receive error messages, an extension of gpuoa: this function is called with the reason of each
 * error, for example the process that uses an OA unit. The thread whose call failed calls it. It
 * must not call GpuoaSetLog(), and must not use the message after it returns.
 */
typedef void (*gpuoa_log_function)(void *context, const char *message);

/* Set the process's function that receives error messages; NULL: none. */
MDAPI_EXPORT void GpuoaSetLog(gpuoa_log_function function, void *context);

#ifdef __cplusplus
}
#endif

#endif /* GPUOA_FRONTEND_IGDMD_MDAPI_H */
