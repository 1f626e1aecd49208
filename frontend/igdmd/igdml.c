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
 * Threads: all functions can be called from any thread; a lock serializes them.
 */
#include "igdml.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "gpuoa-query.h"
#include "gpuoa-stream.h"
#include "igdmd.h"

/* Magic numbers of objects, to recognize wrong handles */
#define CONTEXT_MAGIC 0x6f617863u
#define QUERY_MAGIC 0x6f617871u
#define CONFIGURATION_MAGIC 0x6f617866u
#define MARKER_MAGIC 0x6f61786du

/* Size of a query's memory for the largest report, with the values that are stored alongside it */
#define GPU_SIZE 1280

#define CONTEXTS 16 /* contexts of a DRM file that are tried */

struct object {
	uint32_t magic;
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
	struct igdml_memory memory;
};

struct configuration {
	struct object object;
	const struct gpuoa_set *set;
};

struct context {
	uint32_t magic;
	int fd;
	struct gpuoa_unit *unit;
	struct gpuoa_unit_desc desc;
	const struct gpuoa_set *set; /* any set that has queries */
	struct gpuoa_query_desc query;
	uint32_t report_size;
	uint32_t counters; /* offset of the first counter in a report */
	struct object *objects;

	struct gpuoa_reader *stream; /* NULL: no configuration is active */
	const struct configuration *active;
	bool was_active; /* a configuration has been active */
};

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;

/* ---- sets ----------------------------------------------------------------------------------- */

/* Set that the program activated last on each GPU */
static struct selection {
	char parent[64];
	char symbol[64];
	uint32_t tile;
} selections[16];

void igdml_select(const struct gpuoa_unit_desc *unit, const char *symbol)
{
	struct selection *selection = selections;

	pthread_mutex_lock(&lock);
	for (size_t i = 0; i < sizeof(selections) / sizeof(selections[0]); i++) {
		selection = &selections[i];
		if (!*selection->parent ||
		    (!strcmp(selection->parent, unit->parent) && selection->tile == unit->tile))
			break;
	}
	snprintf(selection->parent, sizeof(selection->parent), "%s", unit->parent);
	snprintf(selection->symbol, sizeof(selection->symbol), "%s", symbol);
	selection->tile = unit->tile;
	pthread_mutex_unlock(&lock);
}

static const char *selected(const struct context *context)
{
	for (size_t i = 0; i < sizeof(selections) / sizeof(selections[0]); i++)
		if (!strcmp(selections[i].parent, context->desc.parent) &&
		    selections[i].tile == context->desc.tile)
			return selections[i].symbol;
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
	struct context *context = handle.data;

	return context && context->magic == CONTEXT_MAGIC ? context : NULL;
}

/* Return the object of a handle, or NULL if it is of another type. */
static void *object_of(void *data, uint32_t magic)
{
	struct object *object = data;

	return object && object->magic == magic ? object : NULL;
}

static void *object_new(struct context *context, size_t size, uint32_t magic)
{
	struct object *object = igdmd_alloc(1, size);

	if (!object)
		return NULL;
	object->magic = magic;
	object->context = context;
	object->next = context->objects;
	context->objects = object;
	return object;
}

static void close_stream(struct context *context)
{
	if (context->stream)
		gpuoa_reader_close(context->stream);
	context->stream = NULL;
	context->active = NULL;
}

static void object_free(struct object *object)
{
	struct object **at = &object->context->objects;

	while (*at != object)
		at = &(*at)->next;
	*at = object->next;
	if (object->magic == QUERY_MAGIC)
		gpuoa_query_pool_close(((struct query *)object)->pool);
	if (object == (const struct object *)object->context->active)
		close_stream(object->context);
	object->magic = 0;
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
			return true;
		}
	}
	return false;
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
			return find_set(context) ? IGDML_OK : IGDML_NOT_SUPPORTED;
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
	if (client.api != IGDML_API_ONEAPI)
		return IGDML_NOT_SUPPORTED;
	if (data->client->adapter->type)
		return IGDML_INCORRECT_PARAMETER;
	context = igdmd_alloc(1, sizeof(*context));
	if (!context)
		return IGDML_NO_MEMORY;
	context->magic = CONTEXT_MAGIC;
	context->fd = data->client->adapter->fd;
	result = open_device(context, tile_of(data->client));
	if (result == IGDML_OK) {
		*data->table = table;
		handle->data = context;
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

enum igdml_result ContextDelete_1_0(struct igdml_context handle)
{
	struct context *context = context_of(handle);

	if (!handle.data)
		return IGDML_NULL_POINTER;
	if (!context)
		return IGDML_INCORRECT_OBJECT;
	pthread_mutex_lock(&lock);
	while (context->objects)
		object_free(context->objects);
	close_stream(context);
	gpuoa_unit_close(context->unit);
	context->magic = 0;
	free(context);
	pthread_mutex_unlock(&lock);
	return IGDML_OK;
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
 * Check the arguments of a function that creates an object. Returns IGDML_OK if @create has a
 * context and type @type.
 */
static enum igdml_result check_create(const struct igdml_create *create, const void *result,
				      uint32_t type)
{
	if (!create || !result || !create->context.data)
		return IGDML_NULL_POINTER;
	if (!context_of(create->context))
		return IGDML_INCORRECT_OBJECT;
	return create->type == type ? IGDML_OK : IGDML_NOT_SUPPORTED;
}

static enum igdml_result delete_object(void *data, uint32_t magic)
{
	enum igdml_result result = IGDML_OK;
	struct object *object;

	if (!data)
		return IGDML_NULL_POINTER;
	pthread_mutex_lock(&lock);
	object = object_of(data, magic);
	if (object)
		object_free(object);
	else
		result = IGDML_INCORRECT_OBJECT;
	pthread_mutex_unlock(&lock);
	return result;
}

static enum igdml_result create_object(const struct igdml_create *create, size_t size,
				       uint32_t magic, void **data)
{
	pthread_mutex_lock(&lock);
	*data = object_new(context_of(create->context), size, magic);
	pthread_mutex_unlock(&lock);
	return *data ? IGDML_OK : IGDML_NO_MEMORY;
}

static enum igdml_result create_query(const struct igdml_create *create, struct igdml_query *handle)
{
	enum igdml_result result = check_create(create, handle, IGDML_OBJECT_QUERY);

	if (result == IGDML_OK && !create->slot_count)
		result = IGDML_INCORRECT_PARAMETER;
	if (result == IGDML_OK)
		result = create_object(create, sizeof(struct query), QUERY_MAGIC, &handle->data);
	if (result == IGDML_OK)
		((struct query *)handle->data)->count = create->slot_count;
	return result;
}

static enum igdml_result delete_query(struct igdml_query handle)
{
	return delete_object(handle.data, QUERY_MAGIC);
}

/* No GPU lets a batch of a program switch off its work, and queries flush caches themselves. */
static enum igdml_result create_override(const struct igdml_create *create,
					 struct igdml_override *handle)
{
	const enum igdml_result result = check_create(create, handle, IGDML_OBJECT_OVERRIDE);

	return result == IGDML_OK ? IGDML_NOT_SUPPORTED : result;
}

static enum igdml_result delete_override(struct igdml_override handle)
{
	return handle.data ? IGDML_INCORRECT_OBJECT : IGDML_NULL_POINTER;
}

static enum igdml_result create_marker(const struct igdml_create *create,
				       struct igdml_marker *handle)
{
	const enum igdml_result result = check_create(create, handle, IGDML_OBJECT_MARKER);

	if (result != IGDML_OK)
		return result;
	return create_object(create, sizeof(struct object), MARKER_MAGIC, &handle->data);
}

static enum igdml_result delete_marker(struct igdml_marker handle)
{
	return delete_object(handle.data, MARKER_MAGIC);
}

/* ---- configurations ------------------------------------------------------------------------- */

static enum igdml_result find_selected(const struct context *context, const struct gpuoa_set **set)
{
	const char *symbol = selected(context);

	if (!symbol) {
		igdmd_log("%s: cannot create a configuration: no set has been activated",
			  context->desc.name);
		return IGDML_EMPTY_CONFIGURATION;
	}
	*set = gpuoa_platform_find_set(gpuoa_unit_platform(context->unit), symbol, "OA",
				       gpuoa_unit_constants(context->unit));
	if (*set)
		return IGDML_OK;
	igdmd_log("%s: cannot create a configuration: %s is not a built-in set", context->desc.name,
		  symbol);
	return IGDML_NOT_SUPPORTED;
}

/* Create a configuration for the set that libigdmd activated last on this GPU. */
static enum igdml_result create_configuration(const struct igdml_create *create,
					      struct igdml_configuration *handle)
{
	enum igdml_result result = check_create(create, handle, IGDML_OBJECT_CONFIGURATION);
	const struct gpuoa_set *set = NULL;
	struct configuration *configuration;

	if (result != IGDML_OK)
		return result;
	pthread_mutex_lock(&lock);
	result = find_selected(context_of(create->context), &set);
	if (result == IGDML_OK) {
		configuration = object_new(context_of(create->context), sizeof(*configuration),
					   CONFIGURATION_MAGIC);
		handle->data = configuration;
		if (configuration)
			configuration->set = set;
		else
			result = IGDML_NO_MEMORY;
	}
	pthread_mutex_unlock(&lock);
	return result;
}

static enum igdml_result delete_configuration(struct igdml_configuration handle)
{
	return delete_object(handle.data, CONFIGURATION_MAGIC);
}

/*
 * Open a stream that enables the counters of queries. Nothing reads its reports, so the period is
 * long.
 */
static int open_stream_for(struct context *context, const struct gpuoa_set *set, const uint32_t *id,
			   char *error, size_t error_size)
{
	struct gpuoa_stream_options options = {
		.size = sizeof(options),
		.period_ns = 1000000000,
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
 */
static int open_stream(struct context *context, const struct gpuoa_set *set)
{
	uint32_t ids[CONTEXTS];
	size_t count = 0, i = 0;
	char error[512];
	int err;

	if (!context->query.needs_context) {
		err = open_stream_for(context, set, NULL, error, sizeof(error));
	} else {
		count = drm_contexts(context->fd, ids, CONTEXTS);
		snprintf(error, sizeof(error), "%s: the DRM file has no context",
			 context->desc.name);
		err = -ENOENT;
		for (i = 0; i < count && err && err != -EBUSY && err != -EACCES; i++)
			err = open_stream_for(context, set, &ids[i], error, sizeof(error));
	}
	if (err) {
		context->stream = NULL;
		igdmd_log("%s", error);
	} else if (count > 1) {
		igdmd_log("%s: queries count context %u, one of %zu", context->desc.name,
			  ids[i - 1], count);
	}
	return err;
}

static enum igdml_result activate(struct igdml_configuration handle,
				  const struct igdml_activate *data)
{
	struct configuration *configuration = object_of(handle.data, CONFIGURATION_MAGIC);
	struct context *context;
	int err = 0;

	if (!handle.data || !data)
		return IGDML_NULL_POINTER;
	if (!configuration)
		return IGDML_INCORRECT_OBJECT;
	if (data->type != IGDML_ACTIVATE_STREAM)
		return IGDML_NOT_SUPPORTED;
	pthread_mutex_lock(&lock);
	context = configuration->object.context;
	/* Level Zero's driver activates a configuration before each submission. */
	if (context->active != configuration) {
		close_stream(context);
		err = open_stream(context, configuration->set);
		if (!err) {
			context->active = configuration;
			context->was_active = true;
		}
	}
	pthread_mutex_unlock(&lock);
	return err ? IGDML_CANNOT_ENABLE_STREAM : IGDML_OK;
}

static enum igdml_result deactivate(struct igdml_configuration handle)
{
	struct configuration *configuration = object_of(handle.data, CONFIGURATION_MAGIC);

	if (!handle.data)
		return IGDML_NULL_POINTER;
	if (!configuration)
		return IGDML_INCORRECT_OBJECT;
	pthread_mutex_lock(&lock);
	if (configuration->object.context->active == configuration)
		close_stream(configuration->object.context);
	pthread_mutex_unlock(&lock);
	return IGDML_OK;
}

/* ---- commands ------------------------------------------------------------------------------- */

static enum igdml_result check_commands(const struct igdml_commands *commands,
					struct context **context)
{
	if (!commands || !commands->context.data)
		return IGDML_NULL_POINTER;
	*context = context_of(commands->context);
	if (!*context)
		return IGDML_INCORRECT_OBJECT;
	if (commands->engine != IGDML_ENGINE_RENDER && commands->engine != IGDML_ENGINE_COMPUTE)
		return IGDML_NOT_SUPPORTED;
	return IGDML_OK;
}

static enum igdml_result size_of(const struct context *context,
				 const struct igdml_commands *commands, uint32_t *size)
{
	const struct gpuoa_query_desc *desc = &context->query;

	switch (commands->type) {
	case IGDML_OBJECT_QUERY:
		*size = (commands->query.begin ? desc->begin_dwords : desc->end_dwords) * 4;
		return IGDML_OK;
	case IGDML_OBJECT_MARKER:
		if (!(context->desc.features & GPUOA_UNIT_MARKERS)) {
			igdmd_log("%s: cannot insert a marker: batches cannot request reports",
				  context->desc.name);
			return IGDML_NOT_SUPPORTED;
		}
		*size = GPUOA_MARKER_DWORDS * 4;
		return IGDML_OK;
	default:
		return IGDML_NOT_SUPPORTED;
	}
}

static enum igdml_result get_commands_size(const struct igdml_commands *commands,
					   struct igdml_commands_size *size)
{
	struct context *context;
	enum igdml_result result = check_commands(commands, &context);

	if (!size)
		return IGDML_NULL_POINTER;
	*size = (struct igdml_commands_size){ 0 };
	return result == IGDML_OK ? size_of(context, commands, &size->size) : result;
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

/*
 * Write the commands of a query. A slot whose commands are requested again starts over: the program
 * has to wait for earlier ones.
 */
static enum igdml_result put_query(const struct context *context,
				   const struct igdml_commands *commands)
{
	struct query *query = object_of(commands->query.query.data, QUERY_MAGIC);
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
	if (n >= 0)
		return IGDML_OK;
	igdmd_log("%s: %s", context->desc.name, error);
	return IGDML_FAILED;
}

static enum igdml_result get_commands(const struct igdml_commands *commands)
{
	struct context *context;
	enum igdml_result result = check_commands(commands, &context);
	uint32_t size;

	if (result == IGDML_OK)
		result = size_of(context, commands, &size);
	if (result != IGDML_OK)
		return result;
	if (!commands->data)
		return IGDML_NULL_POINTER;
	if (commands->size < size)
		return IGDML_INSUFFICIENT_SPACE;
	if (commands->type == IGDML_OBJECT_MARKER)
		return gpuoa_marker_commands(&context->desc, sizeof(context->desc),
					     commands->marker.value, commands->data,
					     commands->size / 4) < 0 ?
			       IGDML_FAILED :
			       IGDML_OK;
	pthread_mutex_lock(&lock);
	result = put_query(context, commands);
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
 * Return true if all counters of a context's report are 0: they have not been enabled for this
 * context, or it has done nothing since.
 */
static bool is_empty(const struct context *context, const char *report)
{
	for (uint32_t i = context->counters; i < context->report_size; i++)
		if (report[i])
			return false;
	return context->query.needs_context;
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
	if (n < 0) {
		igdmd_log("%s: %s", context->desc.name, error);
		return result_of(n, &result);
	}
	/* Some GPUs write reports even if the unit does not count. */
	if (!context->was_active) {
		igdmd_log("%s: the query has no values: no configuration has been active",
			  context->desc.name);
		return IGDML_EMPTY_CONFIGURATION;
	}
	memory += (size_t)slot * query->slot_size;
	if (is_empty(context, memory + query->end_offset)) {
		igdmd_log("%s: counters are not enabled for context %u, which executed the query",
			  context->desc.name, result.has_context ? result.context_id : 0);
		return IGDML_LOST;
	}
	memset(data, 0, IGDML_REPORT_SIZE);
	memcpy(data, memory, context->report_size);
	memcpy(data + IGDML_END_OFFSET, memory + query->end_offset, context->report_size);
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
	query = object_of(report->query.data, QUERY_MAGIC);
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
