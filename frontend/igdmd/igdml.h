/* SPDX-License-Identifier: MIT */
/*
 * igdml.h - binary interface of Intel's Metrics Library 1.0 (libigdml.so.1), by which Level Zero's
 * driver makes the commands of begin/end queries and of markers, and reads the results
 *
 * The library has two exported functions. The first one fills in a table of the others. Names here
 * follow those of the interface: ContextCreateData_1_0 is struct igdml_context_data, and so on.
 */
#ifndef GPUOA_FRONTEND_IGDMD_IGDML_H
#define GPUOA_FRONTEND_IGDMD_IGDML_H

#include <stdbool.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

/* Build number of the newest version of Intel's library with this interface */
#define IGDML_BUILD 234

/* ---- values --------------------------------------------------------------------------------- */

enum igdml_result {
	IGDML_OK,
	IGDML_FAILED,
	IGDML_INCORRECT_VERSION,
	IGDML_INCORRECT_PARAMETER,
	IGDML_INCORRECT_SLOT,
	IGDML_INCORRECT_OBJECT,
	IGDML_INSUFFICIENT_SPACE,
	IGDML_NOT_INITIALIZED,
	IGDML_NOT_SUPPORTED,
	IGDML_NOT_IMPLEMENTED,
	IGDML_NULL_POINTER,
	IGDML_NO_MEMORY,
	IGDML_UNKNOWN_GENERATION,
	IGDML_CANNOT_ENABLE_STREAM,
	IGDML_CANNOT_READ_STREAM,
	IGDML_NOT_READY,
	IGDML_LOST,
	IGDML_INCONSISTENT,
	IGDML_CANNOT_OPEN_FILE,
	IGDML_CONTEXT_SWITCH_LOST,
	IGDML_WITHOUT_WORKLOAD,
	IGDML_CONTEXT_MISMATCH,
	IGDML_EMPTY_CONFIGURATION,
	IGDML_MODE_MISMATCH,
};

enum igdml_api {
	IGDML_API_OPENCL = 6,
	IGDML_API_ONEAPI = 9,
};

enum igdml_object {
	IGDML_OBJECT_CONTEXT = 10000,
	IGDML_OBJECT_QUERY = 20000, /* counters of hardware */
	IGDML_OBJECT_QUERY_TIMESTAMPS,
	IGDML_OBJECT_QUERY_COPY,
	IGDML_OBJECT_CONFIGURATION = 30000, /* of the OA unit */
	IGDML_OBJECT_CONFIGURATION_USER,
	IGDML_OBJECT_OVERRIDE = 40000,
	IGDML_OBJECT_OVERRIDE_NULL_HARDWARE,
	IGDML_OBJECT_OVERRIDE_FLUSH_CACHES,
	IGDML_OBJECT_MARKER = 50000,
	IGDML_OBJECT_MARKER_EXTENDED,
};

enum igdml_option_type {
	IGDML_OPTION_SUB_DEVICE = 4,
	IGDML_OPTION_SUB_DEVICE_INDEX,
};

/* Type of a value, stored in one byte */
enum igdml_value_type {
	IGDML_VALUE_UINT32 = 4,
};

enum igdml_activation {
	IGDML_ACTIVATE_ESCAPE,
	IGDML_ACTIVATE_STREAM,
};

/* Engine that executes commands */
enum igdml_engine {
	IGDML_ENGINE_RENDER,
	IGDML_ENGINE_POSH,
	IGDML_ENGINE_TILE,
	IGDML_ENGINE_COMPUTE,
};

enum igdml_parameter {
	IGDML_PARAMETER_API_SIZE, /* of a query's result, bytes */
	IGDML_PARAMETER_GPU_SIZE, /* of a query's memory, bytes */
	IGDML_PARAMETER_TIMESTAMPS_API_SIZE,
	IGDML_PARAMETER_TIMESTAMPS_GPU_SIZE,
	IGDML_PARAMETER_BUILD,
};

/* ---- objects -------------------------------------------------------------------------------- */

/* Each object is passed as a struct with one pointer. */
struct igdml_context {
	void *data;
};

struct igdml_query {
	void *data;
};

struct igdml_override {
	void *data;
};

struct igdml_marker {
	void *data;
};

struct igdml_configuration {
	void *data;
};

struct igdml_value {
	uint8_t type; /* enum igdml_value_type */
	union {
		uint32_t u32;
		uint64_t u64;
	};
};

/* Memory of the GPU that the program has allocated */
struct igdml_memory {
	uint64_t gpu;
	void *cpu;
	void *handle;
};

/* Data to create a query, a configuration, an override or a marker */
struct igdml_create {
	struct igdml_context context;
	uint32_t type; /* enum igdml_object */
	uint32_t slot_count; /* queries only */
};

/* ---- commands ------------------------------------------------------------------------------- */

struct igdml_query_commands {
	struct igdml_query query;
	struct igdml_configuration user;
	uint32_t slot;
	uint64_t marker_user;
	uint64_t marker_driver;
	uint64_t end_tag;
	bool begin;
};

struct igdml_commands {
	struct igdml_context context;
	uint32_t type; /* enum igdml_object */
	uint32_t engine; /* enum igdml_engine */
	struct igdml_memory memory; /* of all slots of the query */
	void *data; /* buffer for the commands */
	uint32_t size; /* of it, bytes */
	uint32_t offset;
	union {
		struct igdml_query_commands query;
		struct {
			uint32_t value;
		} marker;
		uint64_t others[10]; /* size of the largest member, by which reports are copied */
	};
};

struct igdml_commands_size {
	uint32_t size; /* bytes */
	uint32_t patch_count;
};

/* ---- results -------------------------------------------------------------------------------- */

struct igdml_report {
	uint32_t type; /* enum igdml_object */
	struct {
		struct igdml_query query;
		uint32_t slot;
		uint32_t slot_count;
		uint32_t size;
		void *data;
	};
};

/* ---- table of functions --------------------------------------------------------------------- */

struct igdml_activate {
	uint32_t type; /* enum igdml_activation */
};

struct igdml_table {
	enum igdml_result (*get_parameter)(enum igdml_parameter parameter, uint8_t *type,
					   struct igdml_value *value);
	enum igdml_result (*get_commands)(const struct igdml_commands *commands);
	enum igdml_result (*get_commands_size)(const struct igdml_commands *commands,
					       struct igdml_commands_size *size);
	enum igdml_result (*create_query)(const struct igdml_create *create,
					  struct igdml_query *query);
	enum igdml_result (*delete_query)(struct igdml_query query);
	enum igdml_result (*create_override)(const struct igdml_create *create,
					     struct igdml_override *override);
	enum igdml_result (*delete_override)(struct igdml_override override);
	enum igdml_result (*create_marker)(const struct igdml_create *create,
					   struct igdml_marker *marker);
	enum igdml_result (*delete_marker)(struct igdml_marker marker);
	enum igdml_result (*create_configuration)(const struct igdml_create *create,
						  struct igdml_configuration *configuration);
	enum igdml_result (*activate)(struct igdml_configuration configuration,
				      const struct igdml_activate *activate);
	enum igdml_result (*deactivate)(struct igdml_configuration configuration);
	enum igdml_result (*delete_configuration)(struct igdml_configuration configuration);
	enum igdml_result (*get_data)(struct igdml_report *report);
};

/* ---- contexts ------------------------------------------------------------------------------- */

/* API and generation of the caller, passed by value */
struct igdml_client {
	uint32_t api; /* enum igdml_api */
	uint32_t generation;
};

/* DRM file of the program */
struct igdml_adapter {
	uint8_t type; /* 0 */
	int32_t fd;
};

struct igdml_option {
	uint32_t type; /* enum igdml_option_type */
	union {
		bool enabled;
		uint8_t number;
	};
};

struct igdml_client_data {
	void *handle;
	union {
		struct igdml_adapter *adapter;
		void *windows[4];
	};
	struct igdml_option *options;
	uint32_t option_count;
};

struct igdml_context_data {
	struct igdml_client_data *client;
	void *callbacks;
	struct igdml_table *table; /* result */
};

#define IGDML_EXPORT __attribute__((visibility("default")))

IGDML_EXPORT enum igdml_result ContextCreate_1_0(struct igdml_client client,
						 struct igdml_context_data *data,
						 struct igdml_context *context);
IGDML_EXPORT enum igdml_result ContextDelete_1_0(struct igdml_context context);

#ifdef __cplusplus
}
#endif

#endif /* GPUOA_FRONTEND_IGDMD_IGDML_H */
