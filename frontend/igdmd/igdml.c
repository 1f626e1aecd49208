// SPDX-License-Identifier: MIT
/*
 * igdml.c - libigdml.so.1: commands and results of begin/end queries, and commands of markers
 *
 * It is the same library as libigdmd.so.1, under a second name, because both are needed for a
 * query: the program activates a set with libigdmd, then creates a configuration here, and
 * calculates the result with libigdmd.
 *
 * A query's memory and commands are those of libgpuoa-extra. They do not depend on the set, so that
 * the program can record commands before it activates a configuration. An active configuration has
 * a stream, which enables the counters.
 *
 * On Xe2 and later, the reports that commands write have counters only if a stream is opened for
 * their exec queue. xe of Linux 6.12 does not enable those of long-running exec queues, which Level
 * Zero's driver has, and that of 7.3 can wait for such a queue forever. There, the commands also
 * request reports of the stream, and a query has these as its result (triggers.c).
 *
 * Threads: all functions can be called from any thread; a lock serializes them. Handles are only
 * valid if they are in a list, so that one that another thread has deleted is an error.
 */
#include "igdml.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "gpuoa-query.h"
#include "gpuoa-stream.h"
#include "history.h"
#include "igdmd.h"
#include "triggers.h"

/* Size of a query's memory for the largest report, with the values that are stored alongside it */
#define GPU_SIZE 1280

#define CONTEXTS 16 /* contexts of a DRM file that are tried */
#define WINDOWS 64 /* remembered activations of a context */

enum object_type {
	QUERY,
	CONFIGURATION,
	MARKER,
};

struct object {
	enum object_type type;
	struct context *context;
	struct object *next; /* in the list of the context */
};

struct query {
	struct object object;
	uint32_t count; /* of slots */
	struct gpuoa_query_pool *pool; /* NULL: no commands yet */
	uint32_t engine; /* of .pool */
	uint32_t slot_size;
	uint32_t end_offset;
	uint32_t first_trigger; /* value of the begin of slot 0; those of other edges follow */
	struct igdml_memory memory;
};

struct configuration {
	struct object object;
	const struct gpuoa_set *set; /* NULL: the program has removed the set */
	const struct set *added; /* the set that owns .set; NULL: it is built in */
};

/* GPU time during which the counters were enabled for one configuration, ticks */
struct window {
	uint64_t begin;
	uint64_t end;
};

struct context {
	struct context *next;
	int fd;
	struct gpuoa_unit *unit;
	struct gpuoa_unit_desc desc;
	const struct gpuoa_set *set; /* any set that has queries */
	struct gpuoa_query_desc query;
	uint32_t report_size;
	uint32_t counters; /* offset of the first counter in a report */
	uint32_t clock; /* offset of the clock if it is one of the context's counters, or 0 */
	struct object *objects;

	struct gpuoa_reader *stream; /* NULL: no configuration is active */
	const struct configuration *active;
	/* reports of the stream if it shows which context runs; NULL: no such stream yet */
	struct history *history;
	bool has_history; /* the reports of .stream are added to .history */
	struct triggers *triggers; /* NULL: results are the reports that commands write */
	struct window windows[WINDOWS]; /* the newest one replaces the oldest one */
	uint64_t window_count; /* of all windows */
};

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static struct context *contexts;

/* ---- sets ----------------------------------------------------------------------------------- */

#define SELECTIONS 16

/* Set that the program activated last on each GPU */
static struct selection {
	char parent[64];
	char symbol[64];
	uint32_t tile;
	const struct gpuoa_set *set; /* that the program has added; NULL: it is built in */
	const struct set *added; /* owns .set */
} selections[SELECTIONS];

void igdml_select(const struct gpuoa_unit_desc *unit, const char *symbol, const struct set *added)
{
	struct selection *selection = selections;

	pthread_mutex_lock(&lock);
	for (size_t i = 0; i < SELECTIONS; i++) {
		selection = &selections[i];
		if (!*selection->parent ||
		    (!strcmp(selection->parent, unit->parent) && selection->tile == unit->tile))
			break;
	}
	snprintf(selection->parent, sizeof(selection->parent), "%s", unit->parent);
	snprintf(selection->symbol, sizeof(selection->symbol), "%s", symbol);
	selection->tile = unit->tile;
	selection->added = added;
	selection->set = added ? added->set : NULL;
	pthread_mutex_unlock(&lock);
}

static const struct selection *selected(const struct context *context)
{
	for (size_t i = 0; i < SELECTIONS; i++)
		if (!strcmp(selections[i].parent, context->desc.parent) &&
		    selections[i].tile == context->desc.tile)
			return &selections[i];
	return NULL;
}

/* Registers that are stored alongside reports are left out, because results do not have them. */
static struct gpuoa_query_options options_of(uint32_t count, uint32_t engine)
{
	return (struct gpuoa_query_options){
		.size = sizeof(struct gpuoa_query_options),
		.count = count,
		.mode = engine == IGDML_ENGINE_COMPUTE ? GPUOA_QUERY_COMPUTE : GPUOA_QUERY_RENDER,
		.leave_out = GPUOA_QUERY_REGISTER_PERFCNT | GPUOA_QUERY_REGISTER_FREQUENCY |
			     GPUOA_QUERY_REGISTER_STATUS | GPUOA_QUERY_REGISTER_A36_A37,
	};
}

bool igdml_describe(const struct gpuoa_set *set, const struct gpuoa_constants *constants,
		    struct gpuoa_query_desc *desc)
{
	const struct gpuoa_query_options options = options_of(1, IGDML_ENGINE_RENDER);
	struct gpuoa_set_desc plain;

	gpuoa_set_describe(set, &plain, sizeof(plain));
	return !gpuoa_query_describe(set, constants, &options, desc, sizeof(*desc), NULL, 0) &&
	       desc->format == plain.format && plain.report_size <= IGDML_END_OFFSET &&
	       desc->slot_size <= GPU_SIZE;
}

/* ---- contexts ------------------------------------------------------------------------------- */

static struct context *context_of(struct igdml_context handle)
{
	struct context *context = contexts;

	while (context && context != handle.data)
		context = context->next;
	return context;
}

/* Return the object of a handle, or NULL if it does not exist or is of another type. */
static void *object_of(const void *data, enum object_type type)
{
	for (const struct context *context = contexts; context; context = context->next)
		for (struct object *object = context->objects; object; object = object->next)
			if (object == data)
				return object->type == type ? object : NULL;
	return NULL;
}

static void *object_new(struct context *context, size_t size, enum object_type type)
{
	struct object *object = igdmd_alloc(1, size);

	if (!object)
		return NULL;
	object->type = type;
	object->context = context;
	object->next = context->objects;
	context->objects = object;
	return object;
}

/* Return the GPU's time, or @otherwise if it cannot be read. */
static uint64_t gpu_time(const struct context *context, uint64_t otherwise)
{
	struct gpuoa_clock_pair pair;

	return gpuoa_unit_clock(context->unit, CLOCK_MONOTONIC, &pair) ? otherwise : pair.gpu_ticks;
}

static void close_stream(struct context *context)
{
	if (context->stream) {
		context->windows[(context->window_count - 1) % WINDOWS].end =
			gpu_time(context, UINT64_MAX);
		if (context->has_history)
			history_finish(context->history, context->stream, context->unit);
		if (context->triggers)
			triggers_finish(context->triggers, context->stream);
		gpuoa_reader_close(context->stream);
	}
	context->stream = NULL;
	context->active = NULL;
}

static void object_free(struct object *object)
{
	struct object **at = &object->context->objects;

	while (*at != object)
		at = &(*at)->next;
	*at = object->next;
	if (object->type == QUERY)
		gpuoa_query_pool_close(((struct query *)object)->pool);
	if (object == (const struct object *)object->context->active)
		close_stream(object->context);
	free(object);
}

static uint32_t first_counter(uint32_t format)
{
	struct gpuoa_field_desc field;

	if (gpuoa_report_field(format, GPUOA_FIELD_COUNTER_A, 0, &field, sizeof(field)) &&
	    gpuoa_report_field(format, GPUOA_FIELD_COUNTER_PEC, 0, &field, sizeof(field)))
		return 0;
	return field.offset;
}

/* From Xe2 on, the clock of 64 bits is one of the counters of the context. */
static uint32_t counted_clock(uint32_t format)
{
	struct gpuoa_field_desc field;

	if (gpuoa_report_field(format, GPUOA_FIELD_CLOCK, 0, &field, sizeof(field)) ||
	    field.bits < 64)
		return 0;
	return field.offset;
}

/* Find a set that has queries, as an example for the layout of their memory. */
static bool find_set(struct context *context)
{
	const struct gpuoa_platform *platform = gpuoa_unit_platform(context->unit);
	const struct gpuoa_constants *constants = gpuoa_unit_constants(context->unit);

	for (size_t i = 0; platform && i < gpuoa_platform_set_count(platform); i++) {
		const struct gpuoa_set *set = gpuoa_platform_get_set(platform, i);

		if (gpuoa_set_available(set, "OA", constants, NULL, 0) == 1 &&
		    igdml_describe(set, constants, &context->query)) {
			struct gpuoa_set_desc desc;

			gpuoa_set_describe(set, &desc, sizeof(desc));
			context->set = set;
			context->report_size = (uint32_t)desc.report_size;
			context->counters = first_counter(desc.format);
			context->clock = counted_clock(desc.format);
			return true;
		}
	}
	return false;
}

/* Find a set, and prepare for reports that batches request if queries need them. */
static enum igdml_result use_unit(struct context *context)
{
	if (!find_set(context))
		return IGDML_NOT_SUPPORTED;
	if (!context->query.needs_context || !(context->desc.features & GPUOA_UNIT_MARKERS))
		return IGDML_OK;
	context->triggers = triggers_new(context->set, context->query.format, &context->desc);
	return context->triggers ? IGDML_OK : IGDML_NO_MEMORY;
}

/* Open the unit OA of a tile. */
static enum igdml_result open_unit(struct context *context, const struct gpuoa_device_desc *device,
				   uint32_t tile)
{
	for (uint32_t i = 0; i < device->unit_count && i < GPUOA_DEVICE_UNITS; i++) {
		char error[256];

		if (gpuoa_unit_open(device->units[i], &context->unit, error, sizeof(error))) {
			igdmd_log("%s", error);
			continue;
		}
		gpuoa_unit_describe(context->unit, &context->desc, sizeof(context->desc));
		if (context->desc.tile == tile && !strcmp(context->desc.domain, "OA"))
			return use_unit(context);
		gpuoa_unit_close(context->unit);
		context->unit = NULL;
	}
	return IGDML_NOT_SUPPORTED;
}

#define DEVICES 64

static enum igdml_result open_device(struct context *context, uint32_t tile)
{
	struct gpuoa_device_desc *devices = igdmd_alloc(DEVICES, sizeof(*devices));
	int count = devices ? gpuoa_device_list(devices, sizeof(*devices), DEVICES) : -ENOMEM;
	enum igdml_result result = count < 0 ? IGDML_NO_MEMORY : IGDML_NOT_SUPPORTED;
	uint32_t major, minor;

	if (drm_node(context->fd, &major, &minor))
		result = IGDML_INCORRECT_PARAMETER;
	else
		for (int i = 0; i < count && i < DEVICES; i++)
			if ((devices[i].card_major == major && devices[i].card_minor == minor) ||
			    (devices[i].render_major == major && devices[i].render_minor == minor))
				result = open_unit(context, &devices[i], tile);
	free(devices);
	return result;
}

static uint32_t tile_of(const struct igdml_client_data *client)
{
	bool is_sub_device = false;
	uint32_t tile = 0;

	for (uint32_t i = 0; client->options && i < client->option_count; i++) {
		const struct igdml_option *option = &client->options[i];

		if (option->type == IGDML_OPTION_SUB_DEVICE)
			is_sub_device = option->enabled;
		else if (option->type == IGDML_OPTION_SUB_DEVICE_INDEX)
			tile = option->number;
	}
	return is_sub_device ? tile : 0;
}

static const struct igdml_table table;

enum igdml_result ContextCreate_1_0(struct igdml_client client, struct igdml_context_data *data,
				    struct igdml_context *handle)
{
	enum igdml_result result;
	struct context *context;

	if (!handle)
		return IGDML_NULL_POINTER;
	handle->data = NULL;
	if (!data || !data->client || !data->client->adapter || !data->table)
		return IGDML_NULL_POINTER;
	if (client.api != IGDML_API_ONEAPI) {
		igdmd_log(
			"queries are not available: the program's API is number %u, not Level Zero",
			client.api);
		return IGDML_NOT_SUPPORTED;
	}
	if (data->client->adapter->type)
		return IGDML_INCORRECT_PARAMETER;
	context = igdmd_alloc(1, sizeof(*context));
	if (!context)
		return IGDML_NO_MEMORY;
	context->fd = data->client->adapter->fd;
	result = open_device(context, tile_of(data->client));
	if (result == IGDML_OK) {
		*data->table = table;
		handle->data = context;
		pthread_mutex_lock(&lock);
		context->next = contexts;
		contexts = context;
		pthread_mutex_unlock(&lock);
		return IGDML_OK;
	}
	igdmd_log("queries are not available: %s",
		  context->unit ? "batches of this GPU have other reports than streams" :
				  "the DRM file is not of a GPU with a unit OA");
	if (context->unit)
		gpuoa_unit_close(context->unit);
	free(context);
	return result;
}

static void context_delete(struct context *context)
{
	struct context **at = &contexts;

	while (*at != context)
		at = &(*at)->next;
	*at = context->next;
	close_stream(context);
	while (context->objects)
		object_free(context->objects);
	history_free(context->history);
	triggers_free(context->triggers);
	gpuoa_unit_close(context->unit);
	free(context);
}

enum igdml_result ContextDelete_1_0(struct igdml_context handle)
{
	struct context *context;

	if (!handle.data)
		return IGDML_NULL_POINTER;
	pthread_mutex_lock(&lock);
	context = context_of(handle);
	if (context)
		context_delete(context);
	pthread_mutex_unlock(&lock);
	return context ? IGDML_OK : IGDML_INCORRECT_OBJECT;
}

/* ---- creation and deletion ------------------------------------------------------------------ */

static enum igdml_result get_parameter(enum igdml_parameter parameter, uint8_t *type,
				       struct igdml_value *value)
{
	if (!type || !value)
		return IGDML_NULL_POINTER;
	switch (parameter) {
	case IGDML_PARAMETER_API_SIZE:
		value->u32 = IGDML_REPORT_SIZE;
		break;
	case IGDML_PARAMETER_GPU_SIZE:
		value->u32 = GPU_SIZE;
		break;
	case IGDML_PARAMETER_BUILD:
		value->u32 = IGDML_BUILD;
		break;
	default:
		return IGDML_INCORRECT_PARAMETER;
	}
	*type = IGDML_VALUE_UINT32;
	return IGDML_OK;
}

/*
 * Create an object of a context, and store its address in @data, the handle; NULL after an error.
 * @type: type that @create must have. Called with the lock held.
 */
static enum igdml_result create_locked(const struct igdml_create *create, uint32_t type,
				       size_t size, enum object_type object_type, void **data)
{
	struct context *context = context_of(create->context);

	if (!context)
		return IGDML_INCORRECT_OBJECT;
	if (create->type != type) {
		igdmd_log("%s: there are no objects of type %u", context->desc.name, create->type);
		return IGDML_NOT_SUPPORTED;
	}
	*data = object_new(context, size, object_type);
	return *data ? IGDML_OK : IGDML_NO_MEMORY;
}

static enum igdml_result delete_object(void *data, enum object_type type)
{
	struct object *object;

	if (!data)
		return IGDML_NULL_POINTER;
	pthread_mutex_lock(&lock);
	object = object_of(data, type);
	if (object)
		object_free(object);
	pthread_mutex_unlock(&lock);
	return object ? IGDML_OK : IGDML_INCORRECT_OBJECT;
}

/* Initialize a query, with trigger values that other queries of this process do not have. */
static void init_query(struct query *query, uint32_t count)
{
	static uint32_t next_trigger;

	if (!next_trigger)
		next_trigger = (uint32_t)getpid() << 12;
	query->count = count;
	query->first_trigger = next_trigger;
	next_trigger += 2 * count;
}

static enum igdml_result create_query(const struct igdml_create *create, struct igdml_query *handle)
{
	enum igdml_result result;

	if (!handle)
		return IGDML_NULL_POINTER;
	handle->data = NULL;
	if (!create || !create->context.data)
		return IGDML_NULL_POINTER;
	if (create->type == IGDML_OBJECT_QUERY && !create->slot_count)
		return IGDML_INCORRECT_PARAMETER;
	pthread_mutex_lock(&lock);
	result = create_locked(create, IGDML_OBJECT_QUERY, sizeof(struct query), QUERY,
			       &handle->data);
	if (result == IGDML_OK)
		init_query(handle->data, create->slot_count);
	pthread_mutex_unlock(&lock);
	return result;
}

static enum igdml_result delete_query(struct igdml_query handle)
{
	return delete_object(handle.data, QUERY);
}

/*
 * No GPU lets a batch of a program disable its work. Level Zero's driver gets commands that flush
 * caches without an object.
 */
static enum igdml_result create_override(const struct igdml_create *create,
					 struct igdml_override *handle)
{
	bool has_context;

	if (!handle)
		return IGDML_NULL_POINTER;
	handle->data = NULL;
	if (!create || !create->context.data)
		return IGDML_NULL_POINTER;
	pthread_mutex_lock(&lock);
	has_context = context_of(create->context);
	if (has_context)
		igdmd_log("there are no overrides: batches of programs cannot disable their work");
	pthread_mutex_unlock(&lock);
	return has_context ? IGDML_NOT_SUPPORTED : IGDML_INCORRECT_OBJECT;
}

static enum igdml_result delete_override(struct igdml_override handle)
{
	return handle.data ? IGDML_INCORRECT_OBJECT : IGDML_NULL_POINTER;
}

static enum igdml_result create_marker(const struct igdml_create *create,
				       struct igdml_marker *handle)
{
	enum igdml_result result;

	if (!handle)
		return IGDML_NULL_POINTER;
	handle->data = NULL;
	if (!create || !create->context.data)
		return IGDML_NULL_POINTER;
	pthread_mutex_lock(&lock);
	result = create_locked(create, IGDML_OBJECT_MARKER, sizeof(struct object), MARKER,
			       &handle->data);
	pthread_mutex_unlock(&lock);
	return result;
}

static enum igdml_result delete_marker(struct igdml_marker handle)
{
	return delete_object(handle.data, MARKER);
}

/* ---- configurations ------------------------------------------------------------------------- */

static void forget_of(struct context *context, const struct set *added)
{
	for (struct object *object = context->objects; object; object = object->next) {
		struct configuration *configuration = (struct configuration *)object;

		if (object->type != CONFIGURATION || configuration->added != added)
			continue;
		if (context->active == configuration)
			close_stream(context);
		configuration->added = NULL;
		configuration->set = NULL;
	}
}

void igdml_forget(const struct set *added)
{
	pthread_mutex_lock(&lock);
	for (size_t i = 0; i < SELECTIONS; i++)
		if (selections[i].added == added)
			selections[i] = (struct selection){ 0 };
	for (struct context *context = contexts; context; context = context->next)
		forget_of(context, added);
	pthread_mutex_unlock(&lock);
}

/* Find the set that a new configuration is for. */
static enum igdml_result find_selected(const struct context *context,
				       struct configuration *configuration)
{
	const struct selection *selection = selected(context);

	if (!selection) {
		igdmd_log("%s: cannot create a configuration: no set has been activated",
			  context->desc.name);
		return IGDML_EMPTY_CONFIGURATION;
	}
	configuration->added = selection->added;
	configuration->set = selection->set;
	if (!selection->added)
		configuration->set = gpuoa_platform_find_set(gpuoa_unit_platform(context->unit),
							     selection->symbol, "OA",
							     gpuoa_unit_constants(context->unit));
	if (configuration->set)
		return IGDML_OK;
	igdmd_log("%s: cannot create a configuration: %s is not a set of this GPU",
		  context->desc.name, selection->symbol);
	return IGDML_NOT_SUPPORTED;
}

static enum igdml_result configure(const struct igdml_create *create,
				   struct igdml_configuration *handle)
{
	const struct context *context = context_of(create->context);
	struct configuration found = { .set = NULL }, *configuration;
	enum igdml_result result;

	if (context && create->type == IGDML_OBJECT_CONFIGURATION) {
		result = find_selected(context, &found);
		if (result != IGDML_OK)
			return result;
	}
	result = create_locked(create, IGDML_OBJECT_CONFIGURATION, sizeof(struct configuration),
			       CONFIGURATION, &handle->data);
	if (result != IGDML_OK)
		return result;
	configuration = handle->data;
	configuration->set = found.set;
	configuration->added = found.added;
	return IGDML_OK;
}

/* Create a configuration for the set that libigdmd activated last on this GPU. */
static enum igdml_result create_configuration(const struct igdml_create *create,
					      struct igdml_configuration *handle)
{
	enum igdml_result result;

	if (!handle)
		return IGDML_NULL_POINTER;
	handle->data = NULL;
	if (!create || !create->context.data)
		return IGDML_NULL_POINTER;
	pthread_mutex_lock(&lock);
	result = configure(create, handle);
	pthread_mutex_unlock(&lock);
	return result;
}

static enum igdml_result delete_configuration(struct igdml_configuration handle)
{
	return delete_object(handle.data, CONFIGURATION);
}

/*
 * Return true if counters are global, and a stream of a context shows when the context runs: i915
 * gives it a fixed id. Other contexts have one only while they run, so that the same id can be that
 * of another context later.
 */
static bool has_switches(const struct context *context)
{
	return !context->query.needs_context && !strcmp(context->desc.driver, "i915");
}

/* Return true if the stream has to be opened for the context of queries. */
static bool needs_context(const struct context *context)
{
	return context->query.needs_context && !context->triggers;
}

/*
 * Open a stream that enables the counters of queries. Its reports are only read if they show which
 * context runs. The period is then so short that the result of a query does not wait for long.
 */
static int open_stream_for(struct context *context, const struct gpuoa_set *set, const uint32_t *id,
			   char *error, size_t error_size)
{
	struct gpuoa_stream_options options = {
		.size = sizeof(options),
		.period_ns = id && has_switches(context) ? 5000000 : 1000000000,
		.notify_reports = 1,
		.rounding = GPUOA_ROUNDING_CLAMP,
	};

	if (id) {
		options.context_filter = true;
		options.drm_fd = context->fd;
		options.context = *id;
		options.query_only = context->desc.features & GPUOA_UNIT_QUERY_ONLY;
	}
	return gpuoa_stream_open(context->unit, set, &options, &context->stream, error, error_size);
}

/*
 * From gen12 on, the counters of queries are those of one context, and the interface does not name
 * it. Use the first context of the DRM file for which a stream can be opened: Level Zero's driver
 * creates that of the default engine, which executes the command lists, before all others.
 * Before gen12, the work of other contexts is subtracted from queries of this context.
 */
static int open_stream(struct context *context, const struct gpuoa_set *set)
{
	uint32_t ids[CONTEXTS];
	size_t count = 0, i = 0;
	char error[512];
	int err;

	snprintf(error, sizeof(error), "%s: the DRM file has no context", context->desc.name);
	err = -ENOENT;
	if (needs_context(context) || has_switches(context))
		count = drm_contexts(context->fd, ids, CONTEXTS);
	for (i = 0; i < count && err && err != -EBUSY && err != -EACCES; i++)
		err = open_stream_for(context, set, &ids[i], error, sizeof(error));
	context->has_history = !err && has_switches(context);
	if (err && !needs_context(context) && err != -EBUSY && err != -EACCES)
		err = open_stream_for(context, set, NULL, error, sizeof(error));
	if (err == -EOPNOTSUPP && needs_context(context)) {
		context->stream = NULL;
		igdmd_log("%s: cannot enable the counters of a context, which queries need: %s has "
			  "no streams of one context on this GPU",
			  context->desc.name, context->desc.driver);
	} else if (err) {
		context->stream = NULL;
		igdmd_log("%s", error);
	} else if (count > 1 && needs_context(context)) {
		igdmd_log("%s: queries count context %u, one of %zu", context->desc.name,
			  ids[i - 1], count);
	}
	return err;
}

/* Begin to keep the reports of the stream, which has just been opened. */
static void begin_history(struct context *context)
{
	struct gpuoa_set_desc desc;

	if (!context->has_history)
		return;
	if (context->history) {
		history_resume(context->history, gpu_time(context, UINT64_MAX));
		return;
	}
	gpuoa_set_describe(context->set, &desc, sizeof(desc));
	context->history = history_new(context->set, desc.format, gpu_time(context, UINT64_MAX));
	context->has_history = context->history;
}

/* Open a stream for a configuration, unless it has one already. */
static enum igdml_result activate_locked(const struct configuration *configuration)
{
	struct context *context = configuration->object.context;

	/* Level Zero's driver activates a configuration before each submission. */
	if (context->active == configuration) {
		if (context->has_history)
			history_read(context->history, context->stream, context->unit);
		if (context->triggers)
			triggers_read(context->triggers, context->stream);
		return IGDML_OK;
	}
	close_stream(context);
	if (!configuration->set) {
		igdmd_log("%s: cannot activate: the program has removed the set",
			  context->desc.name);
		return IGDML_EMPTY_CONFIGURATION;
	}
	if (open_stream(context, configuration->set))
		return IGDML_CANNOT_ENABLE_STREAM;
	context->active = configuration;
	context->windows[context->window_count++ % WINDOWS] =
		(struct window){ .begin = gpu_time(context, 0), .end = UINT64_MAX };
	begin_history(context);
	return IGDML_OK;
}

static enum igdml_result activate(struct igdml_configuration handle,
				  const struct igdml_activate *data)
{
	enum igdml_result result = IGDML_INCORRECT_OBJECT;
	const struct configuration *configuration;

	if (!handle.data || !data)
		return IGDML_NULL_POINTER;
	pthread_mutex_lock(&lock);
	configuration = object_of(handle.data, CONFIGURATION);
	if (configuration)
		result = data->type == IGDML_ACTIVATE_STREAM ? activate_locked(configuration) :
							       IGDML_NOT_SUPPORTED;
	pthread_mutex_unlock(&lock);
	return result;
}

static enum igdml_result deactivate(struct igdml_configuration handle)
{
	const struct configuration *configuration;

	if (!handle.data)
		return IGDML_NULL_POINTER;
	pthread_mutex_lock(&lock);
	configuration = object_of(handle.data, CONFIGURATION);
	if (configuration && configuration->object.context->active == configuration)
		close_stream(configuration->object.context);
	pthread_mutex_unlock(&lock);
	return configuration ? IGDML_OK : IGDML_INCORRECT_OBJECT;
}

/* ---- commands ------------------------------------------------------------------------------- */

#define FLUSH_DWORDS 6

/*
 * Write a PIPE_CONTROL of gen8 and later that waits for preceding work and flushes the caches to
 * memory. Compute engines have no pixel pipeline to flush.
 */
static void put_flush(uint32_t engine, uint32_t *dwords)
{
	const uint32_t stall = 1u << 20, flush_enable = 1u << 7, data = 1u << 5;
	const uint32_t pixels = 1u << 12 | 1u << 0; /* colour and depth */

	memset(dwords, 0, FLUSH_DWORDS * sizeof(*dwords));
	dwords[0] = 0x7a000000u | (FLUSH_DWORDS - 2);
	dwords[1] = stall | flush_enable | data | (engine == IGDML_ENGINE_RENDER ? pixels : 0);
}

/* Return the size of commands in bytes. Called with the lock held. */
static enum igdml_result size_of(const struct igdml_commands *commands,
				 const struct context **context, uint32_t *size)
{
	*context = context_of(commands->context);
	if (!*context)
		return IGDML_INCORRECT_OBJECT;
	if (commands->engine != IGDML_ENGINE_RENDER && commands->engine != IGDML_ENGINE_COMPUTE)
		return IGDML_NOT_SUPPORTED;
	switch (commands->type) {
	case IGDML_OBJECT_QUERY:
		*size = (commands->query.begin ? (*context)->query.begin_dwords :
						 (*context)->query.end_dwords) *
			4;
		if ((*context)->triggers)
			*size += GPUOA_MARKER_DWORDS * 4;
		return IGDML_OK;
	case IGDML_OBJECT_MARKER:
		if (!((*context)->desc.features & GPUOA_UNIT_MARKERS)) {
			igdmd_log("%s: cannot insert a marker: batches cannot request reports",
				  (*context)->desc.name);
			return IGDML_NOT_SUPPORTED;
		}
		*size = GPUOA_MARKER_DWORDS * 4;
		return IGDML_OK;
	case IGDML_OBJECT_OVERRIDE_FLUSH_CACHES:
		*size = FLUSH_DWORDS * 4;
		return IGDML_OK;
	default:
		igdmd_log("%s: there are no commands of type %u", (*context)->desc.name,
			  commands->type);
		return IGDML_NOT_SUPPORTED;
	}
}

static enum igdml_result get_commands_size(const struct igdml_commands *commands,
					   struct igdml_commands_size *size)
{
	const struct context *context;
	enum igdml_result result;

	if (!commands || !commands->context.data || !size)
		return IGDML_NULL_POINTER;
	*size = (struct igdml_commands_size){ 0 };
	pthread_mutex_lock(&lock);
	result = size_of(commands, &context, &size->size);
	pthread_mutex_unlock(&lock);
	return result;
}

/* Open the pool of a query in the memory that its first commands have. */
static enum igdml_result use_memory(struct query *query, const struct igdml_commands *commands)
{
	const struct context *context = query->object.context;
	const struct gpuoa_query_options options = options_of(query->count, commands->engine);
	struct gpuoa_query_desc desc;
	char error[256];
	int err;

	if (!commands->memory.cpu || !commands->memory.gpu)
		return IGDML_NULL_POINTER;
	if (query->pool) {
		if (query->engine == commands->engine &&
		    query->memory.cpu == commands->memory.cpu &&
		    query->memory.gpu == commands->memory.gpu)
			return IGDML_OK;
		igdmd_log("%s: a query cannot change its memory or engine", context->desc.name);
		return IGDML_INCORRECT_PARAMETER;
	}
	err = gpuoa_query_pool_open_set(context->set, gpuoa_unit_constants(context->unit), &options,
					commands->memory.cpu, (size_t)query->count * GPU_SIZE,
					commands->memory.gpu, &query->pool, error, sizeof(error));
	if (err) {
		igdmd_log("%s: %s", context->desc.name, error);
		query->pool = NULL;
		return err == -ENOMEM	  ? IGDML_NO_MEMORY :
		       err == -EOPNOTSUPP ? IGDML_NOT_SUPPORTED :
					    IGDML_INCORRECT_PARAMETER;
	}
	gpuoa_query_pool_describe(query->pool, &desc, sizeof(desc));
	query->slot_size = desc.slot_size;
	query->end_offset = desc.end_offset;
	query->engine = commands->engine;
	query->memory = commands->memory;
	return IGDML_OK;
}

static uint32_t trigger_of(const struct query *query, uint32_t slot, bool is_end)
{
	return query->first_trigger + 2 * slot + is_end;
}

/*
 * Write the commands of a query. A slot whose commands are requested again starts over: the program
 * has to wait for earlier ones.
 */
static enum igdml_result put_query(const struct context *context,
				   const struct igdml_commands *commands)
{
	struct query *query = object_of(commands->query.query.data, QUERY);
	const size_t room = commands->size / 4;
	const uint32_t slot = commands->query.slot;
	enum igdml_result result;
	char error[256];
	int n;

	if (!commands->query.query.data)
		return IGDML_NULL_POINTER;
	if (!query || query->object.context != context)
		return IGDML_INCORRECT_OBJECT;
	if (slot >= query->count)
		return IGDML_INCORRECT_SLOT;
	result = use_memory(query, commands);
	if (result != IGDML_OK)
		return result;
	if (commands->query.begin) {
		gpuoa_query_reset(query->pool, slot, 1, NULL, 0);
		n = gpuoa_query_begin(query->pool, slot, commands->data, room, error,
				      sizeof(error));
	} else {
		n = gpuoa_query_end(query->pool, slot, commands->data, room, error, sizeof(error));
	}
	if (n < 0) {
		igdmd_log("%s: %s", context->desc.name, error);
		return IGDML_FAILED;
	}
	if (context->triggers)
		gpuoa_marker_commands(&context->desc, sizeof(context->desc),
				      trigger_of(query, slot, !commands->query.begin),
				      (uint32_t *)commands->data + n, room - (size_t)n);
	return IGDML_OK;
}

static enum igdml_result put_commands(const struct igdml_commands *commands)
{
	const struct context *context;
	uint32_t size;
	const enum igdml_result result = size_of(commands, &context, &size);

	if (result != IGDML_OK)
		return result;
	if (!commands->data)
		return IGDML_NULL_POINTER;
	if (commands->size < size)
		return IGDML_INSUFFICIENT_SPACE;
	if (commands->type == IGDML_OBJECT_QUERY)
		return put_query(context, commands);
	if (commands->type == IGDML_OBJECT_OVERRIDE_FLUSH_CACHES) {
		put_flush(commands->engine, commands->data);
		return IGDML_OK;
	}
	return gpuoa_marker_commands(&context->desc, sizeof(context->desc), commands->marker.value,
				     commands->data, commands->size / 4) < 0 ?
		       IGDML_FAILED :
		       IGDML_OK;
}

static enum igdml_result get_commands(const struct igdml_commands *commands)
{
	enum igdml_result result;

	if (!commands || !commands->context.data)
		return IGDML_NULL_POINTER;
	pthread_mutex_lock(&lock);
	result = put_commands(commands);
	pthread_mutex_unlock(&lock);
	return result;
}

/* ---- results -------------------------------------------------------------------------------- */

static enum igdml_result result_of(int err, const struct gpuoa_query_result *result)
{
	switch (err) {
	case -EAGAIN:
	case -ENOENT:
		return IGDML_NOT_READY;
	case -ENODATA:
		return result->flags & GPUOA_QUERY_LOST ? IGDML_LOST : IGDML_NOT_READY;
	case -EREMCHG:
		return IGDML_CONTEXT_MISMATCH;
	case -EBADMSG:
	case -EILSEQ:
		return IGDML_INCONSISTENT;
	default:
		return IGDML_FAILED;
	}
}

/*
 * Return true if a query began and ended while one configuration was active. Times of reports have
 * the width of the format, so that a window that is longer than a timestamp takes to wrap (minutes,
 * with 32 bits) covers all queries that are not longer.
 */
static bool is_counted(const struct context *context, const struct gpuoa_interval *interval)
{
	const uint32_t bits = context->desc.timestamp_bits;
	const uint64_t mask = bits && bits < 64 ? (UINT64_C(1) << bits) - 1 : UINT64_MAX;
	const uint64_t length = (interval->end - interval->begin) & mask;

	for (uint64_t i = 0; i < context->window_count && i < WINDOWS; i++) {
		const struct window *window = &context->windows[i];
		const bool is_open = context->stream && i == (context->window_count - 1) % WINDOWS;
		const uint64_t end = is_open ? gpu_time(context, UINT64_MAX) : window->end;
		const uint64_t room = end - window->begin;

		if (length <= room && ((end - length - interval->begin) & mask) <= room - length)
			return true;
	}
	return false;
}

static enum igdml_result complain_of_windows(const struct context *context)
{
	igdmd_log("%s: the query has no values: no configuration was active all the time",
		  context->desc.name);
	return IGDML_EMPTY_CONFIGURATION;
}

/*
 * Return true if all counters of a context's report are 0: they have not been enabled for this
 * context, or it has done nothing since.
 */
static bool is_empty(const struct context *context, const char *report)
{
	uint64_t clock = 0;

	if (context->clock)
		memcpy(&clock, report + context->clock, sizeof(clock));
	for (uint32_t i = context->counters; i < context->report_size; i++)
		if (report[i])
			return false;
	return !clock && context->query.needs_context;
}

/* Subtract from the end report what other contexts did meanwhile, if that is known. */
static void subtract_others(const struct context *context, const uint8_t *begin, uint8_t *end)
{
	const uint64_t now = gpu_time(context, UINT64_MAX);

	if (!context->history)
		return;
	if (context->has_history && context->stream)
		history_catch_up(context->history, context->stream, context->unit, now, end);
	if (!history_subtract(context->history, now, begin, end))
		igdmd_log("%s: the query also counts the work of other contexts: it is not one of "
			  "the DRM file's first context, or reports of the stream are missing",
			  context->desc.name);
}

/* Copy the reports that the commands of a slot requested. */
static enum igdml_result get_triggered(const struct query *query, uint32_t slot,
				       const struct gpuoa_query_result *result, uint8_t *data)
{
	const struct context *context = query->object.context;
	const uint64_t ticks[] = { result->begin_command_ticks, result->end_command_ticks };
	const uint32_t format = context->query.format;
	struct gpuoa_interval interval;

	if (!context->window_count)
		return complain_of_windows(context);
	for (int i = 0; i < 2; i++) {
		const uint8_t *report = triggers_find(context->triggers, context->stream,
						      trigger_of(query, slot, i), ticks[i]);

		if (!report) {
			igdmd_log("%s: the query has no values: the stream has no report of its %s",
				  context->desc.name, i ? "end" : "begin");
			return IGDML_LOST;
		}
		memcpy(data + (size_t)i * IGDML_END_OFFSET, report, context->report_size);
	}
	interval.begin = gpuoa_report_timestamp(format, data);
	interval.end = gpuoa_report_timestamp(format, data + IGDML_END_OFFSET);
	return is_counted(context, &interval) ? IGDML_OK : complain_of_windows(context);
}

/* Copy the reports of a slot. Other values that it has are for the checks of libgpuoa-extra. */
static enum igdml_result get_slot(const struct query *query, uint32_t slot, uint8_t *data)
{
	const struct context *context = query->object.context;
	const char *memory = query->memory.cpu;
	struct gpuoa_query_result result = { 0 };
	char error[256] = "";
	int n;

	if (!query->pool)
		return IGDML_NOT_READY;
	n = gpuoa_query_get(query->pool, slot, 1, NULL, NULL, &result, sizeof(result), error,
			    sizeof(error));
	memset(data, 0, IGDML_REPORT_SIZE);
	if (context->triggers && (n > 0 || result.flags & GPUOA_QUERY_LOST))
		return get_triggered(query, slot, &result, data);
	if (n < 0) {
		igdmd_log("%s: %s", context->desc.name, error);
		return result_of(n, &result);
	}
	/* Some GPUs write reports even if the unit does not count. */
	if (!is_counted(context, &result.interval))
		return complain_of_windows(context);
	memory += (size_t)slot * query->slot_size;
	if (is_empty(context, memory + query->end_offset)) {
		igdmd_log("%s: counters are not enabled for context %u, which executed the query",
			  context->desc.name, result.has_context ? result.context_id : 0);
		return IGDML_LOST;
	}
	memcpy(data, memory, context->report_size);
	memcpy(data + IGDML_END_OFFSET, memory + query->end_offset, context->report_size);
	subtract_others(context, data, data + IGDML_END_OFFSET);
	return IGDML_OK;
}

static enum igdml_result get_data(struct igdml_report *report)
{
	enum igdml_result result = IGDML_OK;
	struct query *query;

	if (!report || !report->data || !report->query.data)
		return IGDML_NULL_POINTER;
	if (report->type != IGDML_OBJECT_QUERY)
		return IGDML_NOT_SUPPORTED;
	pthread_mutex_lock(&lock);
	query = object_of(report->query.data, QUERY);
	if (!query)
		result = IGDML_INCORRECT_OBJECT;
	else if (!report->slot_count || report->slot >= query->count ||
		 report->slot_count > query->count - report->slot)
		result = IGDML_INCORRECT_SLOT;
	else if (report->size / IGDML_REPORT_SIZE < report->slot_count)
		result = IGDML_INSUFFICIENT_SPACE;
	for (uint32_t i = 0; result == IGDML_OK && i < report->slot_count; i++)
		result = get_slot(query, report->slot + i,
				  (uint8_t *)report->data + (size_t)i * IGDML_REPORT_SIZE);
	pthread_mutex_unlock(&lock);
	return result;
}

static const struct igdml_table table = {
	.get_parameter = get_parameter,
	.get_commands = get_commands,
	.get_commands_size = get_commands_size,
	.create_query = create_query,
	.delete_query = delete_query,
	.create_override = create_override,
	.delete_override = delete_override,
	.create_marker = create_marker,
	.delete_marker = delete_marker,
	.create_configuration = create_configuration,
	.activate = activate,
	.deactivate = deactivate,
	.delete_configuration = delete_configuration,
	.get_data = get_data,
};
