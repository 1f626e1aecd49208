// SPDX-License-Identifier: MIT
/* adapter.c - the GPUs of the machine, offline devices, and the functions of the library */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "igdmd.h"

pthread_mutex_t igdmd_lock = PTHREAD_MUTEX_INITIALIZER;

#define ADAPTERS_MAX 32

struct adapter {
	struct mdapi_adapter base;
	struct mdapi_adapter_params params;
	struct gpuoa_device_desc desc;
	struct device **devices; /* one per tile; NULL: not open */
	uint32_t tile_count;
	/* results of get_sub_device_params() and get_engine_params() */
	struct mdapi_sub_device_params sub_device;
	struct mdapi_engine_params engine;
};

struct offline_device {
	struct offline_device *next;
	struct device *device;
};

struct adapters {
	struct mdapi_adapters base;
	struct mdapi_adapters_params params;
	uint32_t references;
	struct adapter *adapters;
	struct offline_device *offline;
};

static struct adapters *opened; /* NULL: none */

/* ---- adapters ------------------------------------------------------------------------------- */

static struct adapter *adapter_of(struct mdapi_adapter *base)
{
	return (struct adapter *)base;
}

static void adapter_destroy(struct mdapi_adapter *base)
{
	(void)base; /* the adapter group owns it */
}

static const struct mdapi_adapter_params *adapter_get_params(const struct mdapi_adapter *base)
{
	return &((const struct adapter *)base)->params;
}

/*
 * Implement the API's reset, which has nothing to do, because drivers need no preparation for
 * metrics.
 */
static enum mdapi_result reset(struct mdapi_adapter *base)
{
	struct adapter *adapter = adapter_of(base);
	enum mdapi_result result = MDAPI_OK;

	pthread_mutex_lock(&igdmd_lock);
	for (uint32_t i = 0; i < adapter->tile_count; i++)
		if (adapter->devices[i])
			result = MDAPI_GENERAL_ERROR; /* in use */
	pthread_mutex_unlock(&igdmd_lock);
	return result;
}

static enum mdapi_result open_tile(struct adapter *adapter, uint32_t tile, const char *path,
				   struct mdapi_device **result)
{
	struct device **device = &adapter->devices[tile];
	int err = 0;
	bool was_open;

	pthread_mutex_lock(&igdmd_lock);
	was_open = *device;
	if (was_open)
		(*device)->references++;
	else
		err = device_open(&adapter->desc, tile, path, device);
	if (!err)
		*result = &(*device)->base;
	pthread_mutex_unlock(&igdmd_lock);
	if (err)
		return igdmd_result(err);
	return was_open ? MDAPI_ALREADY_INITIALIZED : MDAPI_OK;
}

static enum mdapi_result open_sub_device(struct mdapi_adapter *base, uint32_t index,
					 struct mdapi_device **device)
{
	struct adapter *adapter = adapter_of(base);

	if (!device)
		return MDAPI_INVALID_PARAMETER;
	if (index && adapter->tile_count == 1)
		return MDAPI_NOT_SUPPORTED;
	if (index >= adapter->tile_count)
		return MDAPI_INVALID_PARAMETER;
	return open_tile(adapter, index, NULL, device);
}

static enum mdapi_result open_device(struct mdapi_adapter *base, struct mdapi_device **device)
{
	return open_sub_device(base, 0, device);
}

/* @params, which has names that Intel's library assigns to sets, is ignored. */
static enum mdapi_result open_sub_device_from_file(struct mdapi_adapter *base, uint32_t index,
						   const char *path, void *params,
						   struct mdapi_device **device)
{
	struct adapter *adapter = adapter_of(base);

	(void)params;
	if (!path || !device)
		return MDAPI_INVALID_PARAMETER;
	if (index && adapter->tile_count == 1)
		return MDAPI_NOT_SUPPORTED;
	if (index >= adapter->tile_count)
		return MDAPI_INVALID_PARAMETER;
	return open_tile(adapter, index, path, device);
}

static enum mdapi_result open_device_from_file(struct mdapi_adapter *base, const char *path,
					       void *params, struct mdapi_device **device)
{
	return open_sub_device_from_file(base, 0, path, params, device);
}

/* Returns the entry of an open device, or NULL if the device does not belong to the adapter. */
static struct device **find_device(struct adapter *adapter, const struct mdapi_device *device)
{
	for (uint32_t i = 0; i < adapter->tile_count; i++)
		if (adapter->devices[i] && &adapter->devices[i]->base == device)
			return &adapter->devices[i];
	return NULL;
}

static enum mdapi_result close_device(struct mdapi_adapter *base, struct mdapi_device *closed)
{
	enum mdapi_result result = MDAPI_GENERAL_ERROR;
	struct device **device;

	if (!closed)
		return MDAPI_INVALID_PARAMETER;
	pthread_mutex_lock(&igdmd_lock);
	device = find_device(adapter_of(base), closed);
	if (device && --(*device)->references) {
		result = MDAPI_STILL_INITIALIZED;
	} else if (device) {
		device_close(*device);
		*device = NULL;
		result = MDAPI_OK;
	}
	pthread_mutex_unlock(&igdmd_lock);
	return result;
}

static int save(const struct device *device, const char *path)
{
	const int64_t length = saved_print(device, NULL, 0, NULL, 0);
	char *text;
	FILE *file;
	int err = 0;

	if (length < 0)
		return (int)length;
	text = malloc((size_t)length + 1);
	if (!text)
		return -ENOMEM;
	saved_print(device, NULL, 0, text, (size_t)length + 1);
	file = fopen(path, "wbe");
	if (!file || fwrite(text, 1, (size_t)length, file) != (size_t)length)
		err = -errno;
	if (file && fclose(file) && !err)
		err = -errno;
	free(text);
	return err;
}

/*
 * @major and @minor are the minimum library version that must be able to read the file. They are
 * ignored, because the file contains a version.
 */
static enum mdapi_result save_device_1_11(struct mdapi_adapter *base, const char *path,
					  void *params, struct mdapi_device *saved, uint32_t major,
					  uint32_t minor)
{
	struct device **device;
	int err = -EIO;

	(void)params, (void)major, (void)minor;
	if (!path || !saved)
		return MDAPI_INVALID_PARAMETER;
	pthread_mutex_lock(&igdmd_lock);
	device = find_device(adapter_of(base), saved);
	if (device)
		err = save(*device, path);
	pthread_mutex_unlock(&igdmd_lock);
	return igdmd_result(err);
}

static enum mdapi_result save_device_1_6(struct mdapi_adapter *base, const char *path, void *params,
					 struct mdapi_device *device)
{
	return save_device_1_11(base, path, params, device, 0, 0);
}

/* Call @use for each engine of a tile until @use returns false. */
static void for_each_engine(const struct adapter *adapter, uint32_t tile,
			    bool (*use)(void *context, const struct gpuoa_engine *engine,
					const struct gpuoa_unit_desc *unit, uint32_t unit_index),
			    void *context)
{
	const struct gpuoa_device_desc *desc = &adapter->desc;

	for (uint32_t i = 0; i < desc->unit_count && i < GPUOA_DEVICE_UNITS; i++) {
		struct gpuoa_unit_desc unit;
		struct gpuoa_unit *handle;
		bool more = true;

		if (gpuoa_unit_open(desc->units[i], &handle, NULL, 0))
			continue;
		gpuoa_unit_describe(handle, &unit, sizeof(unit));
		gpuoa_unit_close(handle);
		for (uint32_t j = 0;
		     unit.tile == tile && more && j < unit.engine_count && j < GPUOA_UNIT_ENGINES;
		     j++)
			more = use(context, &unit.engines[j], &unit, i);
		if (!more)
			return;
	}
}

static bool count_engine(void *context, const struct gpuoa_engine *engine,
			 const struct gpuoa_unit_desc *unit, uint32_t unit_index)
{
	(void)engine, (void)unit, (void)unit_index;
	(*(uint32_t *)context)++;
	return true;
}

static const struct mdapi_sub_device_params *get_sub_device_params(struct mdapi_adapter *base,
								   uint32_t index)
{
	struct adapter *adapter = adapter_of(base);

	if (index >= adapter->tile_count)
		return NULL;
	adapter->sub_device.engine_count = 0;
	for_each_engine(adapter, index, count_engine, &adapter->sub_device.engine_count);
	return &adapter->sub_device;
}

struct wanted_engine {
	uint32_t left; /* number of engines before it */
	bool found;
	struct mdapi_engine_params *params;
};

static bool take_engine(void *context, const struct gpuoa_engine *engine,
			const struct gpuoa_unit_desc *unit, uint32_t unit_index)
{
	struct wanted_engine *wanted = context;

	if (wanted->left--)
		return true;
	*wanted->params = (struct mdapi_engine_params){
		.engine_class = engine->kind,
		.instance = engine->instance,
		.gt = unit->gt,
		.unit = unit_index,
	};
	wanted->found = true;
	return false;
}

static const struct mdapi_engine_params *get_engine_params(struct mdapi_adapter *base,
							   uint32_t index, uint32_t engine)
{
	struct adapter *adapter = adapter_of(base);
	struct wanted_engine wanted = { .left = engine, .params = &adapter->engine };

	if (index < adapter->tile_count)
		for_each_engine(adapter, index, take_engine, &wanted);
	return wanted.found ? &adapter->engine : NULL;
}

static const IGDMD_TABLE(mdapi_adapter_table) adapter_table = {
	.functions = {
		.destroy = adapter_destroy,
		.free = adapter_destroy,
		.get_params = adapter_get_params,
		.reset = reset,
		.open_device_1_6 = open_device,
		.open_device_from_file_1_6 = open_device_from_file,
		.close_device = close_device,
		.save_device_1_6 = save_device_1_6,
		.get_sub_device_params = get_sub_device_params,
		.get_engine_params = get_engine_params,
		.open_sub_device_1_9 = open_sub_device,
		.open_sub_device_from_file_1_9 = open_sub_device_from_file,
		.open_device_1_10 = open_device,
		.open_device_from_file_1_10 = open_device_from_file,
		.open_sub_device_1_10 = open_sub_device,
		.open_sub_device_from_file_1_10 = open_sub_device_from_file,
		.open_device_1_11 = open_device,
		.open_device_from_file_1_11 = open_device_from_file,
		.open_sub_device_1_11 = open_sub_device,
		.open_sub_device_from_file_1_11 = open_sub_device_from_file,
		.save_device_1_11 = save_device_1_11,
		.open_device_1_13 = open_device,
		.open_device_from_file_1_13 = open_device_from_file,
		.open_sub_device_1_13 = open_sub_device,
		.open_sub_device_from_file_1_13 = open_sub_device_from_file,
		.open_device_1_15 = open_device,
		.open_device_from_file_1_15 = open_device_from_file,
		.open_sub_device_1_15 = open_sub_device,
		.open_sub_device_from_file_1_15 = open_sub_device_from_file,
		.open_device_1_16 = open_device,
		.open_device_from_file_1_16 = open_device_from_file,
		.open_sub_device_1_16 = open_sub_device,
		.open_sub_device_from_file_1_16 = open_sub_device_from_file,
	},
};

/*
 * Level Zero identifies an adapter by the minor number of its card node, or by that of its render
 * node minus 128.
 */
static struct mdapi_adapter_id id_of(const struct gpuoa_device_desc *desc)
{
	struct mdapi_adapter_id id = { .type = MDAPI_ADAPTER_ID_UNKNOWN };

	if (*desc->render) {
		id.type = MDAPI_ADAPTER_ID_NODE;
		id.node.major = (int32_t)desc->render_major;
		id.node.minor = (int32_t)desc->render_minor - 128;
	} else if (*desc->card) {
		id.type = MDAPI_ADAPTER_ID_NODE;
		id.node.major = (int32_t)desc->card_major;
		id.node.minor = (int32_t)desc->card_minor;
	}
	return id;
}

static enum mdapi_adapter_type type_of(enum gpuoa_device_type type)
{
	switch (type) {
	case GPUOA_DEVICE_INTEGRATED:
		return MDAPI_ADAPTER_INTEGRATED;
	case GPUOA_DEVICE_DISCRETE:
		return MDAPI_ADAPTER_DISCRETE;
	default:
		return MDAPI_ADAPTER_UNKNOWN;
	}
}

static int adapter_init(struct adapter *adapter, const struct gpuoa_device_desc *desc)
{
	struct mdapi_adapter_params *params = &adapter->params;

	adapter->base.table = &adapter_table.functions;
	adapter->desc = *desc;
	adapter->tile_count = desc->tile_count ? desc->tile_count : 1;
	adapter->devices = igdmd_alloc(adapter->tile_count, sizeof(*adapter->devices));
	*params = (struct mdapi_adapter_params){
		.name = adapter->desc.title,
		.id = id_of(desc),
		.vendor_id = desc->vendor_id,
		.subvendor_id = desc->subvendor_id,
		.device_id = desc->device_id,
		.type = type_of(desc->type),
		.capabilities = *desc->render ? MDAPI_ADAPTER_RENDERS : 0,
		.sub_device_count = adapter->tile_count > 1 ? adapter->tile_count : 0,
	};
	sscanf(desc->name, "%x:%x:%x.%x", &params->domain, &params->bus, &params->device,
	       &params->function);
	return adapter->devices ? 0 : -ENOMEM;
}

static void adapter_deinit(struct adapter *adapter)
{
	for (uint32_t i = 0; adapter->devices && i < adapter->tile_count; i++)
		device_close(adapter->devices[i]);
	free(adapter->devices);
}

/* ---- the adapter group ---------------------------------------------------------------------- */

static struct adapters *adapters_of(struct mdapi_adapters *base)
{
	return (struct adapters *)base;
}

static void destroy(struct mdapi_adapters *base)
{
	(void)base; /* close() */
}

static const struct mdapi_adapters_params *get_params(const struct mdapi_adapters *base)
{
	return &((const struct adapters *)base)->params;
}

static struct mdapi_adapter *get_adapter(struct mdapi_adapters *base, uint32_t index)
{
	struct adapters *adapters = adapters_of(base);

	return index < adapters->params.adapter_count ? &adapters->adapters[index].base : NULL;
}

static void free_adapters(struct adapters *adapters)
{
	for (uint32_t i = 0; i < adapters->params.adapter_count; i++)
		adapter_deinit(&adapters->adapters[i]);
	while (adapters->offline) {
		struct offline_device *next = adapters->offline->next;

		device_close(adapters->offline->device);
		free(adapters->offline);
		adapters->offline = next;
	}
	free(adapters->adapters);
	free(adapters);
}

static enum mdapi_result close_adapters(struct mdapi_adapters *base)
{
	struct adapters *adapters = adapters_of(base);
	enum mdapi_result result = MDAPI_OK;

	pthread_mutex_lock(&igdmd_lock);
	if (--adapters->references) {
		result = MDAPI_STILL_INITIALIZED;
	} else {
		opened = NULL;
		free_adapters(adapters);
	}
	pthread_mutex_unlock(&igdmd_lock);
	return result;
}

static enum mdapi_result open_offline(struct mdapi_adapters *base, uint8_t *buffer, uint32_t size,
				      struct mdapi_device **result)
{
	struct adapters *adapters = adapters_of(base);
	struct offline_device *offline;
	int err;

	if (!buffer || !result)
		return MDAPI_INVALID_PARAMETER;
	offline = igdmd_alloc(1, sizeof(*offline));
	if (!offline)
		return MDAPI_NO_MEMORY;
	pthread_mutex_lock(&igdmd_lock);
	err = device_open_offline((const char *)buffer, size, &offline->device);
	if (!err) {
		offline->next = adapters->offline;
		adapters->offline = offline;
		*result = &offline->device->base;
	}
	pthread_mutex_unlock(&igdmd_lock);
	if (err)
		free(offline);
	return igdmd_result(err);
}

static enum mdapi_result close_offline(struct mdapi_adapters *base, struct mdapi_device *closed)
{
	struct adapters *adapters = adapters_of(base);
	enum mdapi_result result = MDAPI_INVALID_PARAMETER;

	pthread_mutex_lock(&igdmd_lock);
	for (struct offline_device **at = &adapters->offline; *at; at = &(*at)->next) {
		struct offline_device *offline = *at;

		if (&offline->device->base != closed)
			continue;
		*at = offline->next;
		device_close(offline->device);
		free(offline);
		result = MDAPI_OK;
		break;
	}
	pthread_mutex_unlock(&igdmd_lock);
	return result;
}

/* If @size is 0 or there is no buffer, only the required size is returned. */
static enum mdapi_result save_to_buffer(struct mdapi_adapters *base, struct mdapi_device *device,
					struct mdapi_set **sets, uint32_t set_count,
					uint8_t *buffer, uint32_t *size, uint32_t major,
					uint32_t minor)
{
	int64_t length;

	(void)base, (void)major, (void)minor;
	if (!device || !sets || !size)
		return MDAPI_INVALID_PARAMETER;
	/* The text ends with a 0, so that the buffer can be used as a string. */
	length = saved_print((struct device *)device, (struct set **)sets, set_count,
			     *size ? (char *)buffer : NULL, buffer ? *size : 0);
	if (length < 0)
		return igdmd_result((int)length);
	if (length >= UINT32_MAX)
		return MDAPI_GENERAL_ERROR;
	if (buffer && *size && *size <= length)
		return MDAPI_INVALID_PARAMETER;
	*size = (uint32_t)length + 1;
	return MDAPI_OK;
}

/*
 * The program owns calculation contexts. It must keep their sets open while it uses the contexts.
 */
static enum mdapi_result create_context(struct mdapi_adapters *base,
					struct mdapi_context_options *options,
					struct mdapi_context **context)
{
	(void)base;
	return options && context ? context_new(options, context) : MDAPI_INVALID_PARAMETER;
}

static enum mdapi_result destroy_context(struct mdapi_adapters *base, struct mdapi_context *context)
{
	(void)base;
	if (!context)
		return MDAPI_INVALID_PARAMETER;
	context_free(context);
	return MDAPI_OK;
}

static const IGDMD_TABLE(mdapi_adapters_table) table = {
	.functions = {
		.destroy = destroy,
		.free = destroy,
		.get_params = get_params,
		.get_adapter = get_adapter,
		.close = close_adapters,
		.open_offline_1_14 = open_offline,
		.close_offline_1_14 = close_offline,
		.save_to_buffer_1_14 = save_to_buffer,
		.open_offline_1_15 = open_offline,
		.close_offline_1_15 = close_offline,
		.save_to_buffer_1_15 = save_to_buffer,
		.open_offline_1_16 = open_offline,
		.close_offline_1_16 = close_offline,
		.save_to_buffer_1_16 = save_to_buffer,
		.create_context = create_context,
		.destroy_context = destroy_context,
	},
};

static int new_adapters(struct adapters **result)
{
	struct gpuoa_device_desc devices[ADAPTERS_MAX];
	int count = gpuoa_device_list(devices, sizeof(devices[0]), ADAPTERS_MAX);
	struct adapters *adapters;
	int err = 0;

	if (count < 0)
		return count;
	if (count > ADAPTERS_MAX)
		count = ADAPTERS_MAX;
	adapters = igdmd_alloc(1, sizeof(*adapters));
	if (!adapters)
		return -ENOMEM;
	adapters->base.table = &table.functions;
	adapters->references = 1;
	adapters->params.version =
		(struct mdapi_version){ MDAPI_VERSION_MAJOR, MDAPI_VERSION_MINOR, 0 };
	adapters->adapters = igdmd_alloc((size_t)count, sizeof(*adapters->adapters));
	if (!adapters->adapters)
		err = -ENOMEM;
	for (int i = 0; i < count && !err; i++) {
		if (devices[i].state != GPUOA_DEVICE_READY) {
			igdmd_log("%s: cannot be measured: %s", devices[i].name, devices[i].reason);
			continue;
		}
		err = adapter_init(&adapters->adapters[adapters->params.adapter_count++],
				   &devices[i]);
	}
	if (err)
		free_adapters(adapters);
	else
		*result = adapters;
	return err;
}

/* ---- functions of the library --------------------------------------------------------------- */

/*
 * Get a reference to the adapter group, and open the group if it is not open. Returns 0 with
 * *result set, or a negative errno.
 */
static int open_adapters(struct adapters **result, bool *was_open)
{
	int err = 0;

	pthread_mutex_lock(&igdmd_lock);
	*was_open = opened;
	if (opened)
		opened->references++;
	else
		err = new_adapters(&opened);
	if (!err)
		*result = opened;
	pthread_mutex_unlock(&igdmd_lock);
	return err;
}

enum mdapi_result OpenAdapterGroup(struct mdapi_adapters **result)
{
	struct adapters *adapters;
	bool was_open;
	int err;

	if (!result)
		return MDAPI_INVALID_PARAMETER;
	err = open_adapters(&adapters, &was_open);
	if (err)
		return igdmd_result(err);
	*result = &adapters->base;
	return was_open ? MDAPI_ALREADY_INITIALIZED : MDAPI_OK;
}

static struct mdapi_adapter *default_adapter(struct adapters *adapters)
{
	for (uint32_t i = 0; i < adapters->params.adapter_count; i++)
		if (adapters->adapters[i].params.type == MDAPI_ADAPTER_DISCRETE)
			return &adapters->adapters[i].base;
	return get_adapter(&adapters->base, 0);
}

/* Open the default adapter's device; its adapter group stays open until CloseMetricsDevice(). */
static enum mdapi_result open_default(const char *path, struct mdapi_device **device)
{
	struct adapters *adapters;
	struct mdapi_adapter *adapter;
	enum mdapi_result result;
	bool was_open;
	int err = open_adapters(&adapters, &was_open);

	if (err)
		return igdmd_result(err);
	adapter = default_adapter(adapters);
	if (!adapter)
		result = MDAPI_NOT_SUPPORTED;
	else if (path)
		result = open_device_from_file(adapter, path, NULL, device);
	else
		result = open_device(adapter, device);
	if (result != MDAPI_OK && result != MDAPI_ALREADY_INITIALIZED)
		close_adapters(&adapters->base);
	return result;
}

enum mdapi_result OpenMetricsDevice(struct mdapi_device **device)
{
	return device ? open_default(NULL, device) : MDAPI_INVALID_PARAMETER;
}

enum mdapi_result OpenMetricsDeviceFromFile(const char *path, void *params,
					    struct mdapi_device **device)
{
	(void)params;
	return path && device ? open_default(path, device) : MDAPI_INVALID_PARAMETER;
}

/* Returns the adapter group with a reference, or NULL if none is open. */
static struct adapters *get_opened(void)
{
	struct adapters *adapters;

	pthread_mutex_lock(&igdmd_lock);
	adapters = opened;
	if (adapters)
		adapters->references++;
	pthread_mutex_unlock(&igdmd_lock);
	return adapters;
}

enum mdapi_result CloseMetricsDevice(struct mdapi_device *device)
{
	struct adapters *adapters;
	struct mdapi_adapter *adapter;
	enum mdapi_result result;

	if (!device)
		return MDAPI_INVALID_PARAMETER;
	adapters = get_opened();
	if (!adapters)
		return MDAPI_NOT_SUPPORTED;
	adapter = default_adapter(adapters);
	result = adapter ? close_device(adapter, device) : MDAPI_NOT_SUPPORTED;
	if (result == MDAPI_OK || result == MDAPI_STILL_INITIALIZED)
		close_adapters(&adapters->base);
	close_adapters(&adapters->base);
	return result;
}

enum mdapi_result SaveMetricsDeviceToFile(const char *path, void *params,
					  struct mdapi_device *device)
{
	struct adapters *adapters;
	struct mdapi_adapter *adapter;
	enum mdapi_result result;

	if (!path || !device)
		return MDAPI_INVALID_PARAMETER;
	adapters = get_opened();
	if (!adapters)
		return MDAPI_NOT_SUPPORTED;
	adapter = default_adapter(adapters);
	result = adapter ? save_device_1_6(adapter, path, params, device) : MDAPI_NOT_SUPPORTED;
	close_adapters(&adapters->base);
	return result;
}
