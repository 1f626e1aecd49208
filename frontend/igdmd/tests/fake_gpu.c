// SPDX-License-Identifier: MIT
/* fake_gpu.c - functions of libgpuoa that need hardware, for tests on the host */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "fake_gpu.h"
#include "gpuoa-custom.h"
#include "gpuoa-device.h"
#include "gpuoa-freq-pin.h"
#include "gpuoa-stream.h"

const struct fake_gpu fake_hsw = {
	.platform = "hsw",
	.tiles = 1,
	.slice_mask = 1,
	.subslice_mask = 3,
	.eu_count = 20,
	.timestamp_bits = 32,
	.timestamp_frequency = 12500000,
	.device_id = 0x0412,
	.type = GPUOA_DEVICE_INTEGRATED,
};

const struct fake_gpu fake_tgl = {
	.platform = "tglgt2",
	.tiles = 1,
	.slice_mask = 1,
	.subslice_mask = 0x3f,
	.eu_count = 96,
	.timestamp_bits = 32,
	.timestamp_frequency = 19200000,
	.device_id = 0x9a49,
	.type = GPUOA_DEVICE_INTEGRATED,
};

const struct fake_gpu fake_skl = {
	.platform = "sklgt2",
	.tiles = 1,
	.slice_mask = 1,
	.subslice_mask = 7,
	.eu_count = 24,
	.timestamp_bits = 32,
	.timestamp_frequency = 12000000,
	.device_id = 0x1912,
	.type = GPUOA_DEVICE_INTEGRATED,
};

const struct fake_gpu fake_lnl = {
	.platform = "lnl",
	.tiles = 1,
	.slice_mask = 3,
	.subslice_mask = 0xff,
	.l3_bank_mask = 0xff,
	.eu_count = 64,
	.timestamp_bits = 56,
	.timestamp_frequency = 19200000,
	.device_id = 0x64a0,
	.type = GPUOA_DEVICE_INTEGRATED,
};

struct fake fake;

struct gpuoa_unit {
	struct gpuoa_unit_desc desc;
	const struct gpuoa_platform *platform;
	struct gpuoa_constants *constants;
};

struct gpuoa_reader {
	struct gpuoa_unit *unit;
};

struct gpuoa_freq_pin {
	uint64_t hz; /* pinned frequency in Hz; 0: this handle has not pinned it */
};

void fake_begin(const struct fake_gpu *first, const struct fake_gpu *second)
{
	fake = (struct fake){
		.gpus = { *first },
		.gpu_count = second ? 2 : 1,
		.next_config = 7,
		.ticks = (1ull << 40) + FAKE_TICKS,
		.read_chunk = SIZE_MAX,
	};
	if (second)
		fake.gpus[1] = *second;
}

/* ---- devices and units ---------------------------------------------------------------------- */

int __wrap_gpuoa_device_list(struct gpuoa_device_desc *devices, size_t size, size_t max);
int __wrap_gpuoa_device_list(struct gpuoa_device_desc *devices, size_t size, size_t max)
{
	for (int i = 0; i < fake.gpu_count && (size_t)i < max; i++) {
		const struct fake_gpu *gpu = &fake.gpus[i];
		struct gpuoa_device_desc desc = {
			.vendor_id = 0x8086,
			.device_id = gpu->device_id,
			.subvendor_id = 0x1234,
			.driver = "fake",
			.card_major = 226,
			.card_minor = (uint32_t)i,
			.render_major = 226,
			.render_minor = 128 + (uint32_t)i,
			.type = gpu->type,
			.tile_count = gpu->tiles,
			.state = gpu->state,
			.reason = "for a test",
		};

		if (size != sizeof(desc))
			abort();
		snprintf(desc.name, sizeof(desc.name), "0001:%02x:02.3", (unsigned int)i);
		snprintf(desc.card, sizeof(desc.card), "/dev/dri/card%d", i);
		snprintf(desc.render, sizeof(desc.render), "/dev/dri/renderD%d", 128 + i);
		snprintf(desc.platform, sizeof(desc.platform), "%s", gpu->platform);
		snprintf(desc.title, sizeof(desc.title), "Fake %s", gpu->platform);
		for (uint32_t tile = 0; tile < gpu->tiles; tile++)
			snprintf(desc.units[desc.unit_count++], 16, "fake%d.%u", i & 1, tile & 7);
		if (gpu->media)
			snprintf(desc.units[desc.unit_count++], 16, "fake%d.m", i & 1);
		devices[i] = desc;
	}
	return fake.gpu_count;
}

int __wrap_gpuoa_unit_open(const char *name, struct gpuoa_unit **unit, char *error,
			   size_t error_size);
int __wrap_gpuoa_unit_open(const char *name, struct gpuoa_unit **result, char *error,
			   size_t error_size)
{
	const int index = name[4] - '0';
	const bool media = name[6] == 'm';
	const struct fake_gpu *gpu = &fake.gpus[index];
	struct gpuoa_unit *unit;

	if (error_size)
		snprintf(error, error_size, "%s: cannot open: for a test", name);
	if (fake.open_error)
		return fake.open_error;
	unit = calloc(1, sizeof(*unit));
	if (!unit)
		return -ENOMEM;
	unit->platform = gpuoa_platform_find(gpu->platform);
	unit->desc = (struct gpuoa_unit_desc){
		.timestamp_frequency = gpu->timestamp_frequency,
		.cs_timestamp_frequency = gpu->timestamp_frequency,
		.gt_min_frequency = 300000000,
		.gt_max_frequency = 1300000000,
		.slice_mask = gpu->slice_mask,
		.subslice_mask = gpu->subslice_mask,
		.l3_bank_mask = gpu->l3_bank_mask,
		.device_id = gpu->device_id,
		.revision = 3,
		.slice_count = (uint32_t)__builtin_popcountll(gpu->slice_mask),
		.subslice_count = (uint32_t)__builtin_popcountll(gpu->subslice_mask),
		.eu_count = gpu->eu_count,
		.threads_per_eu = gpu->l3_bank_mask ? 8 : 7,
		.compute_engine_count = gpu->l3_bank_mask ? 1 : 0,
		.exponent_max = 31,
		.buffer_size_min = 128 << 10,
		.buffer_size_max = 16 << 20,
		.timestamp_bits = gpu->timestamp_bits,
		.tile = media ? 0 : (uint16_t)(name[6] - '0'),
		.gt = media ? 1 : 0,
		.engine_count = media ? 2 : 1,
		.engines = { { media ? GPUOA_ENGINE_VIDEO : GPUOA_ENGINE_RENDER, 0 },
			     { GPUOA_ENGINE_VIDEO_ENHANCE, 0 } },
	};
	unit->desc.features = fake.features;
	if (fake.driver)
		snprintf(unit->desc.driver, sizeof(unit->desc.driver), "%s", fake.driver);
	snprintf(unit->desc.name, sizeof(unit->desc.name), "%s", name);
	snprintf(unit->desc.parent, sizeof(unit->desc.parent), "0001:%02x:02.3", index & 0xff);
	snprintf(unit->desc.platform, sizeof(unit->desc.platform), "%s", gpu->platform);
	snprintf(unit->desc.domain, sizeof(unit->desc.domain), "%s", media ? "OAM0" : "OA");
	if (gpuoa_constants_of_unit(&unit->desc, sizeof(unit->desc), unit->platform,
				    &unit->constants))
		abort();
	fake.units_open++;
	*result = unit;
	return 0;
}

void __wrap_gpuoa_unit_close(struct gpuoa_unit *unit);
void __wrap_gpuoa_unit_close(struct gpuoa_unit *unit)
{
	gpuoa_constants_free(unit->constants);
	free(unit);
	fake.units_open--;
}

void __wrap_gpuoa_unit_describe(const struct gpuoa_unit *unit, struct gpuoa_unit_desc *desc,
				size_t size);
void __wrap_gpuoa_unit_describe(const struct gpuoa_unit *unit, struct gpuoa_unit_desc *desc,
				size_t size)
{
	memcpy(desc, &unit->desc, size);
}

const struct gpuoa_platform *__wrap_gpuoa_unit_platform(const struct gpuoa_unit *unit);
const struct gpuoa_platform *__wrap_gpuoa_unit_platform(const struct gpuoa_unit *unit)
{
	return unit->platform;
}

const struct gpuoa_constants *__wrap_gpuoa_unit_constants(const struct gpuoa_unit *unit);
const struct gpuoa_constants *__wrap_gpuoa_unit_constants(const struct gpuoa_unit *unit)
{
	return unit->constants;
}

int __wrap_gpuoa_unit_clock(struct gpuoa_unit *unit, int clock_id, struct gpuoa_clock_pair *pair);
int __wrap_gpuoa_unit_clock(struct gpuoa_unit *unit, int clock_id, struct gpuoa_clock_pair *pair)
{
	(void)unit;
	if (fake.clock_error)
		return fake.clock_error;
	*pair = (struct gpuoa_clock_pair){
		.gpu_ticks = fake.ticks,
		.cpu_ns = FAKE_CPU_NS,
		.clock_id = clock_id,
		.error_ns = 42,
	};
	return 0;
}

/* ---- DRM files ------------------------------------------------------------------------------ */

int __wrap_drm_node(int fd, uint32_t *major_number, uint32_t *minor_number);
int __wrap_drm_node(int fd, uint32_t *major_number, uint32_t *minor_number)
{
	if (fd < FAKE_FD(0))
		return -EBADF;
	*major_number = 226;
	*minor_number = 128 + (uint32_t)(fd - FAKE_FD(0));
	return 0;
}

size_t __wrap_drm_contexts(int fd, uint32_t *ids, size_t max);
size_t __wrap_drm_contexts(int fd, uint32_t *ids, size_t max)
{
	(void)fd;
	if (fake.context_count > max)
		abort();
	memcpy(ids, fake.contexts, fake.context_count * sizeof(*ids));
	return fake.context_count;
}

/* ---- configurations ------------------------------------------------------------------------- */

#define CONFIGS (sizeof(fake.configs) / sizeof(fake.configs[0]))

int __wrap_gpuoa_unit_add_config(struct gpuoa_unit *unit, const char *uuid,
				 const struct gpuoa_register_list *lists, size_t count,
				 uint32_t *id, char *error, size_t error_size);
int __wrap_gpuoa_unit_add_config(struct gpuoa_unit *unit, const char *uuid,
				 const struct gpuoa_register_list *lists, size_t count,
				 uint32_t *id, char *error, size_t error_size)
{
	(void)unit;
	if (error_size)
		*error = '\0';
	for (size_t i = 0; i < CONFIGS; i++)
		if (fake.configs[i].id && !strcmp(fake.configs[i].uuid, uuid))
			return -EADDRINUSE;
	for (size_t i = 0; i < CONFIGS; i++) {
		if (fake.configs[i].id)
			continue;
		fake.configs[i].id = *id = fake.next_config++;
		snprintf(fake.configs[i].uuid, sizeof(fake.configs[i].uuid), "%s", uuid);
		for (size_t j = 0; j < count; j++)
			fake.configs[i].registers += lists[j].count;
		return 0;
	}
	return -ENOMEM;
}

int __wrap_gpuoa_unit_remove_config(struct gpuoa_unit *unit, uint32_t id);
int __wrap_gpuoa_unit_remove_config(struct gpuoa_unit *unit, uint32_t id)
{
	(void)unit;
	for (size_t i = 0; i < CONFIGS; i++) {
		if (fake.configs[i].id != id)
			continue;
		memset(&fake.configs[i], 0, sizeof(fake.configs[i]));
		return 0;
	}
	return -ENOENT;
}

int __wrap_gpuoa_unit_configs(struct gpuoa_unit *unit, struct gpuoa_unit_config *configs,
			      size_t size, size_t max);
int __wrap_gpuoa_unit_configs(struct gpuoa_unit *unit, struct gpuoa_unit_config *configs,
			      size_t size, size_t max)
{
	int count = 0;

	(void)unit, (void)size;
	for (size_t i = 0; i < CONFIGS && (size_t)count < max; i++) {
		if (!fake.configs[i].id)
			continue;
		configs[count].id = fake.configs[i].id;
		memcpy(configs[count++].uuid, fake.configs[i].uuid, sizeof(configs[0].uuid));
	}
	return count;
}

/* ---- streams -------------------------------------------------------------------------------- */

int __wrap_gpuoa_stream_open(struct gpuoa_unit *unit, const struct gpuoa_set *set,
			     struct gpuoa_stream_options *options, struct gpuoa_reader **reader,
			     char *error, size_t error_size);
int __wrap_gpuoa_stream_open(struct gpuoa_unit *unit, const struct gpuoa_set *set,
			     struct gpuoa_stream_options *options, struct gpuoa_reader **reader,
			     char *error, size_t error_size)
{
	int exponent;

	if (error_size)
		snprintf(error, error_size, "%s: cannot open: for a test", unit->desc.name);
	if (fake.stream_error)
		return fake.stream_error;
	if (options->context_filter && options->context == fake.bad_context)
		return -EINVAL;
	exponent = gpuoa_period_to_exponent(unit->desc.timestamp_frequency, unit->desc.exponent_max,
					    options->period_ns, options->rounding);
	if (exponent < 0)
		return exponent;
	fake.options = *options;
	fake.set = set;
	fake.enabled = !options->disabled;
	fake.streams_open++;
	options->period_ns =
		gpuoa_exponent_to_period(unit->desc.timestamp_frequency, (uint32_t)exponent);
	options->buffer_size = 16 << 20;
	*reader = calloc(1, sizeof(**reader));
	(*reader)->unit = unit;
	return 0;
}

void __wrap_gpuoa_reader_close(struct gpuoa_reader *reader);
void __wrap_gpuoa_reader_close(struct gpuoa_reader *reader)
{
	fake.streams_open--;
	free(reader);
}

int __wrap_gpuoa_reader_read_filtered(struct gpuoa_reader *reader, void *reports, size_t max,
				      const struct gpuoa_read_options *options,
				      struct gpuoa_read_detail *detail, size_t size);
int __wrap_gpuoa_reader_read_filtered(struct gpuoa_reader *reader, void *reports, size_t max,
				      const struct gpuoa_read_options *options,
				      struct gpuoa_read_detail *detail, size_t size)
{
	struct gpuoa_set_desc set;
	size_t count = fake.report_count;

	(void)reader;
	gpuoa_set_describe(fake.set, &set, sizeof(set));
	memset(detail, 0, size);
	detail->status = fake.status;
	fake.status = (struct gpuoa_read_status){ .gap = false };
	if (options->newest && count > options->newest) {
		detail->dropped = count - options->newest;
		fake.reports += detail->dropped * set.report_size;
		fake.report_count -= detail->dropped;
		count = options->newest;
	}
	if (!count)
		return fake.read_error;
	if (count > max)
		count = max;
	if (count > fake.read_chunk)
		count = fake.read_chunk;
	memcpy(reports, fake.reports, count * set.report_size);
	fake.reports += count * set.report_size;
	fake.report_count -= count;
	detail->outstanding = fake.report_count;
	detail->has_frequency = fake.frequency_mhz;
	detail->frequency_mhz = fake.frequency_mhz;
	return (int)count;
}

int __wrap_gpuoa_reader_wait(struct gpuoa_reader *reader, int timeout_ms);
int __wrap_gpuoa_reader_wait(struct gpuoa_reader *reader, int timeout_ms)
{
	(void)reader, (void)timeout_ms;
	return fake.report_count ? 0 : fake.wait_error;
}

int __wrap_gpuoa_reader_enable(struct gpuoa_reader *reader);
int __wrap_gpuoa_reader_enable(struct gpuoa_reader *reader)
{
	(void)reader;
	fake.enabled = true;
	return 0;
}

int __wrap_gpuoa_reader_disable(struct gpuoa_reader *reader);
int __wrap_gpuoa_reader_disable(struct gpuoa_reader *reader)
{
	(void)reader;
	fake.enabled = false;
	return 0;
}

/* ---- frequency pin -------------------------------------------------------------------------- */

int __wrap_gpuoa_freq_pin_open(const char *device, struct gpuoa_freq_pin **pin, char *error,
			       size_t error_size);
int __wrap_gpuoa_freq_pin_open(const char *device, struct gpuoa_freq_pin **pin, char *error,
			       size_t error_size)
{
	(void)error, (void)error_size;
	if (strncmp(device, "0001:0", 6))
		return -ENOENT;
	*pin = calloc(1, sizeof(**pin));
	return *pin ? 0 : -ENOMEM;
}

void __wrap_gpuoa_freq_pin_close(struct gpuoa_freq_pin *pin);
void __wrap_gpuoa_freq_pin_close(struct gpuoa_freq_pin *pin)
{
	if (pin && pin->hz)
		fake.pinned_hz = 0;
	free(pin);
}

void __wrap_gpuoa_freq_pin_describe(const struct gpuoa_freq_pin *pin,
				    struct gpuoa_freq_pin_desc *desc, size_t size);
void __wrap_gpuoa_freq_pin_describe(const struct gpuoa_freq_pin *pin,
				    struct gpuoa_freq_pin_desc *desc, size_t size)
{
	memset(desc, 0, size);
	desc->pinned_hz = pin->hz;
	desc->current_hz = fake.pinned_hz ? fake.pinned_hz : 555000000;
}

int __wrap_gpuoa_freq_pin_set(struct gpuoa_freq_pin *pin, uint64_t *hz, char *error,
			      size_t error_size);
int __wrap_gpuoa_freq_pin_set(struct gpuoa_freq_pin *pin, uint64_t *hz, char *error,
			      size_t error_size)
{
	if (error_size)
		*error = '\0';
	if (fake.pin_error)
		return fake.pin_error;
	pin->hz = fake.pinned_hz = *hz;
	return 0;
}

int __wrap_gpuoa_freq_pin_clear(struct gpuoa_freq_pin *pin, char *error, size_t error_size);
int __wrap_gpuoa_freq_pin_clear(struct gpuoa_freq_pin *pin, char *error, size_t error_size)
{
	(void)error, (void)error_size;
	pin->hz = fake.pinned_hz = 0;
	return 0;
}

/* ---- reports -------------------------------------------------------------------------------- */

static uint64_t next_random(uint64_t *state)
{
	*state ^= *state << 13;
	*state ^= *state >> 7;
	*state ^= *state << 17;
	return *state;
}

static uint64_t get_field(const uint8_t *report, const struct gpuoa_field_desc *field)
{
	uint64_t value = 0;

	if (!report)
		return 0;
	memcpy(&value, report + field->offset, field->bits == 32 || field->bits == 40 ? 4 : 8);
	if (field->bits == 40)
		value |= (uint64_t)report[field->high] << 32;
	return value;
}

static void put_field(uint8_t *report, const struct gpuoa_field_desc *field, uint64_t value)
{
	if (field->bits == 56)
		value &= (1ull << 56) - 1;
	memcpy(report + field->offset, &value, field->bits == 32 || field->bits == 40 ? 4 : 8);
	if (field->bits == 40)
		report[field->high] = (uint8_t)(value >> 32);
}

static void advance(uint32_t format, enum gpuoa_field field, uint32_t index, const uint8_t *last,
		    uint8_t *next, uint64_t by)
{
	struct gpuoa_field_desc desc;

	if (!gpuoa_report_field(format, field, index, &desc, sizeof(desc)))
		put_field(next, &desc, get_field(last, &desc) + by);
}

void fake_next_report(const struct gpuoa_set *set, uint64_t *random, const uint8_t *last,
		      uint8_t *next, uint64_t ticks, uint32_t reason)
{
	static const enum gpuoa_field banks[] = { GPUOA_FIELD_COUNTER_A, GPUOA_FIELD_COUNTER_B,
						  GPUOA_FIELD_COUNTER_C, GPUOA_FIELD_COUNTER_PEC };
	struct gpuoa_set_desc desc;
	struct gpuoa_field_desc field;

	gpuoa_set_describe(set, &desc, sizeof(desc));
	memset(next, 0, desc.report_size);
	for (size_t i = 0; i < sizeof(banks) / sizeof(banks[0]); i++)
		for (uint32_t j = 0;
		     !gpuoa_report_field(desc.format, banks[i], j, &field, sizeof(field)); j++)
			/*
			 * Counters advance by up to 2^20, because MDAPI's floats have only 24
			 * significant bits.
			 */
			advance(desc.format, banks[i], j, last, next, next_random(random) >> 44);
	advance(desc.format, GPUOA_FIELD_TIMESTAMP, 0, last, next, ticks);
	advance(desc.format, GPUOA_FIELD_CLOCK, 0, last, next, ticks * 50);
	if (!gpuoa_report_field(desc.format, GPUOA_FIELD_REPORT_ID, 0, &field, sizeof(field)))
		put_field(next, &field, (uint64_t)reason << 19);
}
