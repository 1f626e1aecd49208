// SPDX-License-Identifier: MIT
/*
 * device.c - metrics devices (a GPU or one of its tiles), their symbols, and the frequency override
 */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <time.h>

#include "igdmd.h"

static struct device *device_of(struct mdapi_device *base)
{
	return (struct device *)base;
}

static void destroy(struct mdapi_device *base)
{
	(void)base; /* close_device() of the adapter */
}

static struct mdapi_device_params *get_params(struct mdapi_device *base)
{
	return &device_of(base)->params;
}

static struct mdapi_group *get_group(struct mdapi_device *base, uint32_t index)
{
	struct device *device = device_of(base);

	return index < device->params.group_count ? &device->groups[index].base : NULL;
}

/* ---- symbols -------------------------------------------------------------------------------- */

enum symbol_kind {
	SYMBOL_UINT32,
	SYMBOL_UINT64,
	SYMBOL_MASK,
	SYMBOL_CURRENT_FREQUENCY, /* MHz, read by each call */
	/* whether this program has pinned the frequency; read by each call */
	SYMBOL_FREQUENCY_PINNED,
};

/* Symbols of the API, except those that no Linux driver reports */
static const struct {
	const char *name;
	enum symbol_kind kind;
} known_symbols[] = {
	{ "EuCoresTotalCount", SYMBOL_UINT32 },
	{ "EuCoresPerSubsliceCount", SYMBOL_UINT32 },
	{ "EuSubslicesTotalCount", SYMBOL_UINT32 },
	{ "EuDualSubslicesTotalCount", SYMBOL_UINT32 },
	{ "EuSlicesTotalCount", SYMBOL_UINT32 },
	{ "EuThreadsCount", SYMBOL_UINT32 },
	{ "GtSliceMask", SYMBOL_MASK },
	{ "GtSubsliceMask", SYMBOL_MASK },
	{ "GtDualSubsliceMask", SYMBOL_MASK },
	{ "SamplersTotalCount", SYMBOL_UINT32 },
	{ "GpuMinFrequencyMHz", SYMBOL_UINT32 },
	{ "GpuMaxFrequencyMHz", SYMBOL_UINT32 },
	{ "GpuCurrentFrequencyMHz", SYMBOL_CURRENT_FREQUENCY },
	{ "GpuFrequencyOverrideEnabled", SYMBOL_FREQUENCY_PINNED },
	{ "PciDeviceId", SYMBOL_UINT32 },
	{ "SkuRevisionId", SYMBOL_UINT32 },
	{ "PlatformIndex", SYMBOL_UINT32 },
	{ "NumberOfRenderOutputUnits", SYMBOL_UINT32 },
	{ "NumberOfShadingUnits", SYMBOL_UINT32 },
	{ "OABufferMinSize", SYMBOL_UINT32 },
	{ "OABufferMaxSize", SYMBOL_UINT32 },
	{ "MediaOABufferMinSize", SYMBOL_UINT32 },
	{ "MediaOABufferMaxSize", SYMBOL_UINT32 },
	{ "GpuTimestampFrequency", SYMBOL_UINT32 },
	{ "MaxTimestamp", SYMBOL_UINT64 },
	{ "VectorEngineTotalCount", SYMBOL_UINT32 },
	{ "VectorEnginePerXeCoreCount", SYMBOL_UINT32 },
	{ "XeCoreTotalCount", SYMBOL_UINT32 },
	{ "SliceTotalCount", SYMBOL_UINT32 },
	{ "VectorEngineThreadsCount", SYMBOL_UINT32 },
	{ "GtXeCoreMask", SYMBOL_MASK },
	{ "PlatformVersion", SYMBOL_UINT32 },
	{ "L3BankTotalCount", SYMBOL_UINT32 },
	{ "L3NodeTotalCount", SYMBOL_UINT32 },
	{ "SqidiTotalCount", SYMBOL_UINT32 },
	{ "ComputeEngineTotalCount", SYMBOL_UINT32 },
	{ "CopyEngineTotalCount", SYMBOL_UINT32 },
	{ "GtL3BankMask", SYMBOL_MASK },
	{ "GtL3NodeMask", SYMBOL_MASK },
	{ "GtSqidiMask", SYMBOL_MASK },
	{ "GtCopyEngineMask", SYMBOL_MASK },
	{ "ColorPipeTotalCount", SYMBOL_UINT32 },
	{ "DepthPipeTotalCount", SYMBOL_UINT32 },
	{ "GeometryPipeTotalCount", SYMBOL_UINT32 },
	{ "VectorEngineGrfBlocksCount", SYMBOL_UINT32 },
};
#define KNOWN_SYMBOLS (sizeof(known_symbols) / sizeof(known_symbols[0]))

static struct mdapi_symbol *find_symbol(const struct device *device, const char *name)
{
	for (uint32_t i = 0; i < device->params.symbol_count; i++)
		if (!strcmp(device->symbols[i].name, name))
			return &device->symbols[i];
	return NULL;
}

bool device_has_symbol(const void *context, const char *name)
{
	return find_symbol(context, name);
}

/* The upper half of a value is 0, because programs read some 32-bit symbols as 64 bits. */
static void add_symbol(struct device *device, const char *name, uint64_t value,
		       enum mdapi_value_type type)
{
	device->symbols[device->params.symbol_count++] = (struct mdapi_symbol){
		.name = name,
		.value = { .type = type, .u64 = value },
	};
}

static int add_mask(struct device *device, const char *name, uint64_t value)
{
	struct mdapi_bytes *mask = &device->masks[device->params.symbol_count];

	mask->size = sizeof(value);
	mask->data = igdmd_alloc(1, sizeof(value));
	if (!mask->data)
		return -ENOMEM;
	memcpy(mask->data, &value, sizeof(value));
	add_symbol(device, name, 0, MDAPI_VALUE_BYTES);
	device->symbols[device->params.symbol_count - 1].value.bytes = mask;
	return 0;
}

static int add_known_symbol(struct device *device, const char *name, enum symbol_kind kind)
{
	uint64_t value;

	if (kind == SYMBOL_CURRENT_FREQUENCY || kind == SYMBOL_FREQUENCY_PINNED) {
		if (device->unit_count)
			add_symbol(device, name, 0, MDAPI_VALUE_UINT32);
		return 0;
	}
	if (gpuoa_constants_get(device->constants, name, &value))
		return 0;
	if (kind == SYMBOL_MASK)
		return add_mask(device, name, value);
	add_symbol(device, name, kind == SYMBOL_UINT32 ? (uint32_t)value : value,
		   kind == SYMBOL_UINT32 ? MDAPI_VALUE_UINT32 : MDAPI_VALUE_UINT64);
	return 0;
}

/* Add the symbols of the API, then the other ones that equations use, such as GtSlice0. */
static int add_symbols(struct device *device)
{
	const size_t count = gpuoa_constants_count(device->constants);
	int err = 0;

	device->symbols = igdmd_alloc(KNOWN_SYMBOLS + count + 1, sizeof(*device->symbols));
	device->masks = igdmd_alloc(KNOWN_SYMBOLS + count + 1, sizeof(*device->masks));
	if (!device->symbols || !device->masks)
		return -ENOMEM;
	for (size_t i = 0; i < KNOWN_SYMBOLS && !err; i++)
		err = add_known_symbol(device, known_symbols[i].name, known_symbols[i].kind);
	for (size_t i = 0; i < count && !err; i++) {
		const char *name = gpuoa_constants_name(device->constants, i);

		if (!device_has_symbol(device, name))
			err = add_known_symbol(device, name, SYMBOL_UINT32);
	}
	if (!device_has_symbol(device, "QueryMode"))
		add_symbol(device, "QueryMode", 0, MDAPI_VALUE_UINT32);
	return err;
}

static void refresh_symbol(struct device *device, struct mdapi_symbol *symbol)
{
	struct gpuoa_freq_pin_desc desc = { .current_hz = 0 };
	struct gpuoa_freq_pin *pin;

	if (!strcmp(symbol->name, "GpuFrequencyOverrideEnabled")) {
		if (device->override.pin)
			gpuoa_freq_pin_describe(device->override.pin, &desc, sizeof(desc));
		symbol->value.u64 = desc.pinned_hz != 0;
		return;
	}
	if (strcmp(symbol->name, "GpuCurrentFrequencyMHz") ||
	    gpuoa_freq_pin_open(device->name, &pin, NULL, 0))
		return;
	gpuoa_freq_pin_describe(pin, &desc, sizeof(desc));
	gpuoa_freq_pin_close(pin);
	symbol->value.u64 = (uint32_t)(desc.current_hz / 1000000);
}

static struct mdapi_symbol *get_symbol(struct mdapi_device *base, uint32_t index)
{
	struct device *device = device_of(base);

	if (index >= device->params.symbol_count)
		return NULL;
	refresh_symbol(device, &device->symbols[index]);
	return &device->symbols[index];
}

static struct mdapi_value *get_symbol_value(struct mdapi_device *base, const char *name)
{
	struct mdapi_symbol *symbol = name ? find_symbol(device_of(base), name) : NULL;

	if (!symbol)
		return NULL;
	refresh_symbol(device_of(base), symbol);
	return &symbol->value;
}

/* ---- time ----------------------------------------------------------------------------------- */

static enum mdapi_result get_last_error(struct mdapi_device *base)
{
	(void)base; /* each method returns its error */
	return MDAPI_OK;
}

static enum mdapi_result get_timestamps_1_10(struct mdapi_device *base, uint64_t *gpu_ns,
					     uint64_t *cpu_ns, uint32_t *cpu, uint64_t *error_ns)
{
	struct device *device = device_of(base);
	struct gpuoa_unit_desc unit;
	struct gpuoa_clock_pair pair;
	uint64_t ticks;
	int err;

	if (!gpu_ns || !cpu_ns || !cpu)
		return MDAPI_INVALID_PARAMETER;
	if (!device->unit_count)
		return MDAPI_NOT_SUPPORTED; /* an offline device has no clock */
	err = gpuoa_unit_clock(device->units[0], CLOCK_MONOTONIC, &pair);
	if (err)
		return igdmd_result(err);
	gpuoa_unit_describe(device->units[0], &unit, sizeof(unit));
	ticks = pair.gpu_ticks;
	if (unit.timestamp_bits && unit.timestamp_bits < 64)
		ticks &= (1ull << unit.timestamp_bits) - 1;
	*gpu_ns = gpuoa_ticks_to_ns(unit.timestamp_frequency, ticks);
	*cpu_ns = pair.cpu_ns;
	*cpu = 0;
	if (error_ns)
		*error_ns = pair.error_ns;
	return MDAPI_OK;
}

static enum mdapi_result get_timestamps_1_0(struct mdapi_device *base, uint64_t *gpu_ns,
					    uint64_t *cpu_ns, uint32_t *cpu)
{
	return get_timestamps_1_10(base, gpu_ns, cpu_ns, cpu, NULL);
}

/* ---- override ------------------------------------------------------------------------------- */

static void override_destroy(struct mdapi_override *base)
{
	(void)base; /* the device owns it */
}

static struct mdapi_override_params *override_get_params(struct mdapi_override *base)
{
	return &((struct override *)base)->params;
}

static enum mdapi_result set_override(struct mdapi_override *base,
				      struct mdapi_frequency_override *params, uint32_t size)
{
	struct override *override = (struct override *)base;
	char error[256];
	uint64_t hz;
	int err = 0;

	if (!params || size < sizeof(*params))
		return MDAPI_INVALID_PARAMETER;
	if (!override->pin)
		err = gpuoa_freq_pin_open(override->device->name, &override->pin, error,
					  sizeof(error));
	hz = params->mhz * 1000000ull;
	if (!err && params->enable)
		err = gpuoa_freq_pin_set(override->pin, &hz, error, sizeof(error));
	else if (!err)
		err = gpuoa_freq_pin_clear(override->pin, error, sizeof(error));
	if (err)
		igdmd_log("%s", error);
	return igdmd_result(err);
}

static const IGDMD_TABLE(mdapi_override_table) override_table = {
	.functions = {
		.destroy = override_destroy,
		.free = override_destroy,
		.get_params = override_get_params,
		.set_override = set_override,
	},
};

void override_init(struct override *override, struct device *device)
{
	*override = (struct override){
		.base.table = &override_table.functions,
		.params = {
			.symbol = "FrequencyOverride",
			.description = "Pins the frequency of the GPU's clock.",
			.apis = MDAPI_API_ALL,
			.platforms = UINT32_MAX,
			.modes = MDAPI_OVERRIDE_GLOBAL,
		},
		.device = device,
	};
}

void override_deinit(struct override *override)
{
	gpuoa_freq_pin_close(override->pin);
}

static struct mdapi_override *get_override(struct mdapi_device *base, uint32_t index)
{
	struct device *device = device_of(base);

	return index < device->params.override_count ? &device->override.base : NULL;
}

static struct mdapi_override *find_override(struct mdapi_device *base, const char *symbol)
{
	return symbol && !strcmp(symbol, "FrequencyOverride") ? get_override(base, 0) : NULL;
}

static const IGDMD_TABLE(mdapi_device_table) table = {
	.functions = {
		.destroy = destroy,
		.free = destroy,
		.get_params = get_params,
		.get_group = get_group,
		.get_symbol = get_symbol,
		.get_symbol_value = get_symbol_value,
		.get_last_error = get_last_error,
		.get_timestamps_1_0 = get_timestamps_1_0,
		.get_override = get_override,
		.find_override = find_override,
		.get_timestamps_1_10 = get_timestamps_1_10,
	},
};

/* ---- construction --------------------------------------------------------------------------- */

static struct device *new_device(void)
{
	struct device *device = igdmd_alloc(1, sizeof(*device));

	if (!device)
		return NULL;
	device->base.table = &table.functions;
	device->references = 1;
	device->params = (struct mdapi_device_params){
		.version = { MDAPI_VERSION_MAJOR, MDAPI_VERSION_MINOR, 0 },
		.delta_count = MDAPI_DELTA_COUNT,
		.element_type_count = MDAPI_ELEMENT_COUNT,
		.operation_count = MDAPI_OPERATION_COUNT,
		.name = device->title,
	};
	override_init(&device->override, device);
	return device;
}

void device_close(struct device *device)
{
	if (!device)
		return;
	for (uint32_t i = 0; i < device->params.group_count; i++)
		group_deinit(&device->groups[i]);
	override_deinit(&device->override);
	for (uint32_t i = 0; device->masks && i < device->params.symbol_count; i++)
		free(device->masks[i].data);
	for (size_t i = 0; i < device->unit_count; i++)
		gpuoa_unit_close(device->units[i]);
	gpuoa_constants_free(device->constants);
	gpuoa_definitions_free(device->definitions);
	free(device->groups);
	free(device->symbols);
	free(device->masks);
	free(device);
}

static int open_units(struct device *device, const struct gpuoa_device_desc *desc)
{
	int err = -ENODEV;

	for (uint32_t i = 0; i < desc->unit_count && i < GPUOA_DEVICE_UNITS; i++) {
		struct gpuoa_unit_desc unit;
		char error[256];

		err = gpuoa_unit_open(desc->units[i], &device->units[device->unit_count], error,
				      sizeof(error));
		if (err) {
			igdmd_log("%s", error);
			continue;
		}
		gpuoa_unit_describe(device->units[device->unit_count], &unit, sizeof(unit));
		if (unit.tile == device->tile)
			device->unit_count++;
		else
			gpuoa_unit_close(device->units[device->unit_count]);
	}
	return device->unit_count ? 0 : err ? err : -ENODEV;
}

/*
 * Set the constants from the descriptions of all units, because only media units report the sizes
 * of their buffers.
 */
static int set_constants(struct device *device)
{
	struct gpuoa_unit_desc unit;
	int err;

	if (!device->platform)
		return -ENODEV;
	gpuoa_unit_describe(device->units[0], &unit, sizeof(unit));
	err = gpuoa_constants_of_unit(&unit, sizeof(unit), device->platform, &device->constants);
	for (size_t i = 0; i < device->unit_count && !err; i++)
		if (gpuoa_unit_constants(device->units[i]))
			gpuoa_constants_transfer(device->constants,
						 gpuoa_unit_constants(device->units[i]));
	return err;
}

static struct gpuoa_unit *find_unit(const struct device *device, const char *domain)
{
	for (size_t i = 0; i < device->unit_count; i++) {
		struct gpuoa_unit_desc unit;

		gpuoa_unit_describe(device->units[i], &unit, sizeof(unit));
		if (!strcmp(unit.domain, domain))
			return device->units[i];
	}
	return NULL;
}

/* Make a group for each unit, or, if the device is offline, for each domain. */
static int add_groups(struct device *device)
{
	const size_t count = gpuoa_platform_domain_count(device->platform);
	int err = 0;

	device->groups = igdmd_alloc(count, sizeof(*device->groups));
	if (!device->groups)
		return -ENOMEM;
	for (size_t i = 0; i < count && !err; i++) {
		struct gpuoa_domain_desc domain;
		struct gpuoa_unit *unit;

		gpuoa_platform_describe_domain(device->platform, i, &domain, sizeof(domain));
		unit = find_unit(device, domain.symbol);
		if (unit || !device->unit_count)
			err = group_init(&device->groups[device->params.group_count++], device,
					 &domain, unit);
	}
	return err;
}

static int finish(struct device *device, const char *saved, size_t saved_size)
{
	int err;

	gpuoa_constants_get(device->constants, "GpuTimestampFrequency", &device->frequency);
	snprintf(device->title, sizeof(device->title), "%s",
		 gpuoa_platform_title(device->platform));
	device->params.override_count = device->unit_count ? 1 : 0;
	err = add_symbols(device);
	if (!err)
		err = add_groups(device);
	if (!err && saved)
		err = saved_load_sets(device, saved, saved_size);
	return err;
}

static int read_file(const char *path, char **text, size_t *size)
{
	FILE *file = fopen(path, "rbe");
	struct stat stat;
	int err = 0;

	*text = NULL;
	if (!file)
		return -errno;
	if (fstat(fileno(file), &stat))
		err = -errno;
	else if (!S_ISREG(stat.st_mode) || stat.st_size > INT32_MAX)
		err = -EINVAL;
	else
		*text = malloc((size_t)stat.st_size + 1);
	if (!err && !*text)
		err = -ENOMEM;
	if (!err)
		*size = fread(*text, 1, (size_t)stat.st_size, file);
	if (!err && ferror(file))
		err = -EIO;
	fclose(file);
	return err;
}

/* Load the platform from a file: a saved device, or definitions. */
static int load_platform(struct device *device, const char *path, const char *text, size_t size)
{
	const char *name = gpuoa_platform_name(gpuoa_unit_platform(device->units[0]));
	char error[512];
	int err;

	if (saved_is(text, size))
		return saved_load(device, text, size);
	err = gpuoa_definitions_parse(path, text, size, &device->definitions, error, sizeof(error));
	if (err) {
		igdmd_log("%s", error);
		device->definitions = NULL;
		return err;
	}
	device->platform = gpuoa_definitions_find(device->definitions, name);
	if (device->platform)
		return 0;
	igdmd_log("%s: cannot open: it does not define platform %s of this GPU", path, name);
	return -EINVAL;
}

static int open_device(struct device *device, const struct gpuoa_device_desc *desc,
		       const char *path)
{
	char *text = NULL;
	size_t size = 0;
	int err = open_units(device, desc);

	if (!err && !gpuoa_unit_platform(device->units[0]))
		err = -ENODEV;
	if (err)
		return err;
	device->platform = gpuoa_unit_platform(device->units[0]);
	if (path) {
		err = read_file(path, &text, &size);
		if (!err)
			err = load_platform(device, path, text, size);
	}
	if (!err)
		err = set_constants(device);
	if (!err)
		err = finish(device, path && saved_is(text, size) ? text : NULL, size);
	free(text);
	return err;
}

int device_open(const struct gpuoa_device_desc *desc, uint32_t tile, const char *path,
		struct device **result)
{
	struct device *device = new_device();
	int err;

	if (!device)
		return -ENOMEM;
	device->tile = tile;
	snprintf(device->name, sizeof(device->name), "%s", desc->name);
	err = open_device(device, desc, path);
	if (err)
		device_close(device);
	else
		*result = device;
	return err;
}

int device_open_offline(const char *text, size_t size, struct device **result)
{
	struct device *device = new_device();
	int err;

	if (!device)
		return -ENOMEM;
	err = saved_is(text, size) ? saved_load(device, text, size) : -EINVAL;
	if (!err)
		err = finish(device, text, size);
	if (err)
		device_close(device);
	else
		*result = device;
	return err;
}
