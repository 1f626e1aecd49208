/* SPDX-License-Identifier: MIT */
/*
 * igdmd.h - objects that implement the interfaces of mdapi.h
 *
 * Each object begins with its interface. Adapters own devices, devices own groups and symbols,
 * groups own sets, sets own metrics and information items; a child lives as long as its parent.
 *
 * Threads. Opening and closing of adapter groups and devices is serialized by igdmd_lock.
 * Everything below a group is for one thread at a time, as in Intel's library; different groups are
 * independent. Equations of metrics are made when they are first requested, under the same lock.
 */
#ifndef GPUOA_FRONTEND_IGDMD_IGDMD_H
#define GPUOA_FRONTEND_IGDMD_IGDMD_H

#include <pthread.h>
#include <stddef.h>

#include "gpuoa-catalog.h"
#include "gpuoa-device.h"
#include "gpuoa-freq-pin.h"
#include "mdapi.h"

extern pthread_mutex_t igdmd_lock;

/* An information item that libgpuoa does not have: set.c adds it. */
#define PREVIOUS_CONTEXT_ID "PreviousContextId"

/* ---- messages and results ------------------------------------------------------------------- */

/*
 * Pass a message to the function set with GpuoaSetLog(). If the environment variable GPUOA_LOG is
 * set, also print it to standard error.
 */
__attribute__((format(printf, 1, 2))) void igdmd_log(const char *format, ...);

/* Translate a result of libgpuoa. */
enum mdapi_result igdmd_result(int err);

/* Allocate zeroed memory like calloc(), but never return NULL for an empty array. */
void *igdmd_alloc(size_t count, size_t size);

/*
 * Declare a table of functions as a C++ compiler lays it out. Objects point to @functions. Only
 * dynamic_cast and typeid use the words before it; they are 0 in libraries built without RTTI.
 */
#define IGDMD_TABLE(type)              \
	struct {                       \
		intptr_t offset;       \
		const void *rtti;      \
		struct type functions; \
	}

/* ---- waiting -------------------------------------------------------------------------------- */

/* Maximum time to wait for a report that a query needs */
#define QUERY_WAIT_MS 1000

/* Return the time of CLOCK_MONOTONIC in ms. */
int64_t wait_now_ms(void);

/*
 * Wait for a moment until a stream may have more reports. Returns false from @deadline on, as of
 * wait_now_ms(), and after an error.
 */
bool wait_for_more(struct gpuoa_reader *stream, int64_t deadline);

/* Wait until the driver has found all reports that the GPU has written. */
void wait_settled(void);

/* ---- equations ------------------------------------------------------------------------------ */

struct equation {
	struct mdapi_equation base;
	struct mdapi_element *elements;
	uint32_t count;
	char *names; /* strings of the elements */
};

/* Create an equation that consists of one number, which can be changed later in .elements. */
struct equation *equation_new_number(uint64_t value);

/* Create an equation that consists of one information item. */
struct equation *equation_new_info(const char *symbol);

/*
 * Create an equation from MDAPI's notation in reverse Polish order. @is_symbol: returns whether
 * @context has a symbol of this name. Returns NULL if @text is empty or there is no memory.
 */
struct equation *equation_new_text(const char *text,
				   bool (*is_symbol)(const void *context, const char *name),
				   const void *context);

/* Convert an equation of libgpuoa to one of the API, for reports in @format. */
struct equation *equation_new_gpuoa(struct gpuoa_equation equation, uint32_t format);

void equation_free(struct equation *equation);

/* ---- information items ---------------------------------------------------------------------- */

struct info {
	struct mdapi_info base;
	struct mdapi_info_params params;
	struct equation *read;
};

extern const struct mdapi_info_table *const info_table;

/* ---- metrics -------------------------------------------------------------------------------- */

struct set;

struct metric {
	struct mdapi_metric base;
	struct mdapi_metric_params params;
	const struct gpuoa_metric *metric;
	struct set *set;
	/*
	 * The value of libgpuoa is divided by this number, because the API has frequencies in MHz.
	 */
	uint32_t divisor;
	bool has_max;
	bool has_equations; /* those in params are made */
	struct equation *equations[3];
};

struct metric *metric_new(struct set *set, const struct gpuoa_metric *definition);
void metric_free(struct metric *metric);

/* Type and units of metrics and prototypes */
enum mdapi_metric_type metric_type_of(enum gpuoa_semantic semantic);
const char *units_of(const char *units);

/* ---- metric sets ---------------------------------------------------------------------------- */

struct device;
struct group;

/*
 * Definitions that a set uses instead of those of the device, because the program has added metrics
 * to it. Older definitions are not freed, because they own the strings of earlier metrics.
 */
struct set_definitions {
	struct set_definitions *older;
	struct gpuoa_definitions *definitions;
	struct gpuoa_constants *constants;
};

struct set {
	struct mdapi_set base;
	struct group *group;
	/* NULL: the program has created the set and added no metrics yet */
	const struct gpuoa_set *set;
	struct gpuoa_set_desc desc; /* of .set */
	const struct gpuoa_constants *constants;
	char *availability;

	/* all metrics and information items, and those that pass the filter */
	struct metric **metrics;
	struct info *infos; /* .desc.info_count, then maybe PreviousContextId */
	struct mdapi_set_params params;
	struct mdapi_set_params filtered_params;
	struct metric **filtered_metrics;
	struct info **filtered_infos;
	bool filtered;

	struct calculation *calculation; /* NULL: none yet */
	uint32_t config; /* id of the register configuration that activate() added; 0: none */

	/* what the program has added */
	struct gpuoa_custom *custom; /* NULL: nothing */
	struct set_definitions *definitions;
	bool flexible; /* the program has added this set to the group */
	bool open; /* prototypes can be added */
	char *symbol; /* of a flexible set */
	char *name;
	struct prototype **prototypes;
	uint32_t prototype_count;
};

/* Create a set with this definition; if it is NULL, an empty set. */
int set_new(struct group *group, const struct gpuoa_set *definition, struct set **set);
void set_free(struct set *set);

/* Return the information item of libgpuoa with this symbol, or NULL. */
const struct info *set_find_info(const struct set *set, const char *symbol);

/*
 * Replace the definition of a set by another one, which has the same metrics and possibly more.
 * @definitions: owns @definition; the set takes ownership of it
 */
int set_redefine(struct set *set, const struct gpuoa_set *definition,
		 struct set_definitions *definitions);

/* ---- metrics and sets of the program -------------------------------------------------------- */

struct mdapi_metric *custom_add_metric(struct set *set, const char *symbol, const char *name,
				       const char *group, const char *description, uint32_t usage,
				       uint32_t apis, enum mdapi_result_type result_type,
				       const char *units, enum mdapi_metric_type type, int64_t low,
				       int64_t high, enum mdapi_hw_unit hw_unit,
				       const char *stream_read, const char *delta, const char *norm,
				       const char *max);

enum mdapi_result custom_open(struct mdapi_set *set);
enum mdapi_result custom_add_prototype(struct mdapi_set *set, struct mdapi_prototype *prototype);
enum mdapi_result custom_remove_prototype(struct mdapi_set *set, struct mdapi_prototype *prototype);
enum mdapi_result custom_finalize(struct mdapi_set *set);
void custom_free(struct set *set);

/* Prototypes for the events that the programmable counters of a group support, and their clones */
struct enumerator;

/* Returns NULL if the group has no programmable counters or there is no memory. */
struct enumerator *enumerator_new(struct group *group);
struct mdapi_enumerator *enumerator_interface(struct enumerator *enumerator);
void enumerator_free(struct enumerator *enumerator);

/* ---- calculation ---------------------------------------------------------------------------- */

/*
 * Calculation of the metrics and information items that pass the filter of a set, and the last
 * report
 */
struct calculation;

/* Returns MDAPI_OK, or an error with @calculation unchanged. */
enum mdapi_result calculation_new(const struct set *set, struct calculation **calculation);
void calculation_free(struct calculation *calculation);

/* Forget the last report. */
void calculation_restart(struct calculation *calculation);
bool calculation_has_last(const struct calculation *calculation);

struct calculation_buffers {
	const uint8_t *reports;
	uint32_t size;
	struct mdapi_value *values;
	uint32_t values_size;
	uint32_t *row_count; /* may be NULL */
	struct mdapi_value *maxima; /* may be NULL */
	uint32_t maxima_size;
};

/*
 * Calculate a row for each interval between reports. With @async, skip timer reports, and begin
 * with a row of a zero-length interval at the first report.
 */
enum mdapi_result calculation_run(struct calculation *calculation,
				  const struct calculation_buffers *buffers, bool async);

/* ---- queries -------------------------------------------------------------------------------- */

/*
 * A query's result, as libigdml returns it and libigdmd calculates it: the report of the begin, and
 * at IGDML_END_OFFSET that of the end. The size is that of the largest reports, because programs
 * request it without naming a GPU.
 */
#define IGDML_END_OFFSET 576
#define IGDML_REPORT_SIZE (2 * IGDML_END_OFFSET)

struct gpuoa_query_desc;

/*
 * Describe queries of a set. Returns false if it has none, for example because reports of batches
 * have another format than those of streams.
 */
bool igdml_describe(const struct gpuoa_set *set, const struct gpuoa_constants *constants,
		    struct gpuoa_query_desc *desc);

/*
 * Note that the program has activated a set on this unit: the next configuration is for that.
 * @added: NULL, or the set if the program has added it
 */
void igdml_select(const struct gpuoa_unit_desc *unit, const char *symbol, const struct set *added);

/* APIs for which libigdml has queries: Level Zero's driver requests these. */
#define QUERY_APIS (MDAPI_API_OCL | MDAPI_API_OGL4)

/* Note that a set that the program has added is removed. */
void igdml_forget(const struct set *added);

/* Get the device number of a file. Returns 0 or a negative errno. */
int drm_node(int fd, uint32_t *major_number, uint32_t *minor_number);

/*
 * List contexts (i915) or exec queues (xe) that were created with a DRM file, in the order of their
 * ids, without those of low priority. Returns their number, at most @max.
 */
size_t drm_contexts(int fd, uint32_t *ids, size_t max);

/* ---- calculation contexts ------------------------------------------------------------------- */

enum mdapi_result context_new(const struct mdapi_context_options *options,
			      struct mdapi_context **context);
void context_free(struct mdapi_context *context);

/* ---- concurrent groups ---------------------------------------------------------------------- */

enum stream_info {
	STREAM_INFO_FREQUENCY,
	STREAM_INFO_LOST,
	STREAM_INFO_OVERFLOW,
	STREAM_INFOS,
};

/* Losses between reports, and the newest frequency */
struct findings {
	bool lost;
	bool overflow;
	uint32_t frequency_mhz; /* 0: unknown */
};

/* Reports that wait_for_reports() has read, and the next read_stream() returns */
struct queue {
	char *reports;
	uint32_t count;
	struct findings findings;
};

struct group {
	struct mdapi_group base;
	struct mdapi_group_params params;
	struct device *device;
	struct gpuoa_unit *unit; /* NULL if the device is offline */
	struct set **sets;
	struct enumerator *enumerator; /* NULL: none yet */
	struct info stream_infos[STREAM_INFOS];
	uint32_t query_format; /* of sets that have queries; 0: none has */

	struct gpuoa_reader *stream; /* NULL: not open */
	struct set *streamed;
	uint32_t report_size;
	uint64_t period_ns; /* of .stream */
	uint32_t notify_reports; /* that the program waits for; 0: the library's choice */
	struct queue queue;
};

int group_init(struct group *group, struct device *device, const struct gpuoa_domain_desc *domain,
	       struct gpuoa_unit *unit);
void group_deinit(struct group *group);

/* ---- devices -------------------------------------------------------------------------------- */

struct override {
	struct mdapi_override base;
	struct mdapi_override_params params;
	struct device *device;
	struct gpuoa_freq_pin *pin;
};

void override_init(struct override *override, struct device *device);
void override_deinit(struct override *override);

struct device {
	struct mdapi_device base;
	struct mdapi_device_params params;
	char name[64]; /* of the GPU, for gpuoa_freq_pin_open() */
	char title[64];
	uint32_t references;
	uint32_t tile;
	struct gpuoa_unit *units[GPUOA_DEVICE_UNITS];
	size_t unit_count; /* 0: offline */
	/* definitions that own .platform; NULL: the platform is built in */
	struct gpuoa_definitions *definitions;
	const struct gpuoa_platform *platform;
	struct gpuoa_constants *constants;
	uint64_t frequency; /* of timestamps, Hz */
	struct group *groups;
	struct mdapi_symbol *symbols;
	struct mdapi_bytes *masks; /* of symbols */
	struct override override;
};

/* Open the units of a tile. @path: file with definitions or with a saved device; NULL: none */
int device_open(const struct gpuoa_device_desc *desc, uint32_t tile, const char *path,
		struct device **device);
void device_close(struct device *device);

/* Returns whether the device has a symbol of this name. */
bool device_has_symbol(const void *device, const char *name);

/* ---- saved devices -------------------------------------------------------------------------- */

/*
 * Print a device with @count sets @sets (NULL: all) to @text, which is NUL-terminated if @size is
 * not 0. Returns the length of the whole text, or a negative errno.
 */
int64_t saved_print(const struct device *device, struct set *const *sets, size_t count, char *text,
		    size_t size);

/* Returns whether the text is one that saved_print() wrote. */
bool saved_is(const char *text, size_t size);

/*
 * Load the platform of a device that has none, and if the device has no units, its constants. Sets
 * with separate definitions are loaded by saved_load_sets().
 */
int saved_load(struct device *device, const char *text, size_t size);

/*
 * Load the sets of a saved device: remove all sets from its groups that the text does not list, and
 * add those that have separate definitions.
 */
int saved_load_sets(struct device *device, const char *text, size_t size);

/*
 * Create an offline device from a saved one. Returns -EINVAL if the text is not one that
 * saved_print() wrote.
 */
int device_open_offline(const char *text, size_t size, struct device **device);

#endif /* GPUOA_FRONTEND_IGDMD_IGDMD_H */
