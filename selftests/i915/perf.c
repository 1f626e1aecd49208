// SPDX-License-Identifier: MIT
/*
 * perf.c - streams of the stock i915-perf: configurations, opening, formats.
 */
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>

#include "perf.h"

#define NOA_WRITE 0x9888
#define GEN7_OASTARTTRIG2 0x2714
#define GEN12_OASTARTTRIG2 0xd904

/* Newer than the header of Debian 12 */
#define OA_FORMAT_A24U40_A14U32_B8_C8 12

/* clang-format off: one row per format */
static const struct perf_format gen7_formats[] = {
	{ I915_OA_FORMAT_A13, "A13", 64, { { 'A', 0, 13, 3, 0 } } },
	{ I915_OA_FORMAT_A29, "A29", 128, { { 'A', 0, 29, 3, 0 } } },
	{ I915_OA_FORMAT_A13_B8_C8,
	  "A13_B8_C8",
	  128,
	  { { 'A', 0, 13, 3, 0 }, { 'B', 0, 8, 16, 0 }, { 'C', 0, 8, 24, 0 } } },
	{ I915_OA_FORMAT_B4_C8, "B4_C8", 64, { { 'B', 0, 4, 4, 0 }, { 'C', 0, 8, 8, 0 } } },
	{ I915_OA_FORMAT_A45_B8_C8,
	  "A45_B8_C8",
	  256,
	  { { 'A', 0, 45, 3, 0 }, { 'B', 0, 8, 48, 0 }, { 'C', 0, 8, 56, 0 } } },
	{ I915_OA_FORMAT_B4_C8_A16,
	  "B4_C8_A16",
	  128,
	  { { 'B', 0, 4, 4, 0 }, { 'C', 0, 8, 8, 0 }, { 'A', 29, 16, 16, 0 } } },
	{ I915_OA_FORMAT_C4_B8, "C4_B8", 64, { { 'C', 0, 4, 4, 0 }, { 'B', 0, 8, 8, 0 } } },
	{},
};

static const struct perf_format gen8_formats[] = {
	{ I915_OA_FORMAT_A12, "A12", 64, { { 'A', 7, 12, 4, 0 } } },
	{ I915_OA_FORMAT_A12_B8_C8,
	  "A12_B8_C8",
	  128,
	  { { 'A', 7, 12, 4, 0 }, { 'B', 0, 8, 16, 0 }, { 'C', 0, 8, 24, 0 } } },
	{ I915_OA_FORMAT_A32u40_A4u32_B8_C8,
	  "A32u40_A4u32_B8_C8",
	  256,
	  { { 'A', 0, 32, 4, 160 },
	    { 'A', 32, 4, 36, 0 },
	    { 'B', 0, 8, 48, 0 },
	    { 'C', 0, 8, 56, 0 } } },
	{ I915_OA_FORMAT_C4_B8, "C4_B8", 64, { { 'C', 0, 4, 4, 0 }, { 'B', 0, 8, 8, 0 } } },
	{},
};

/* The only format that OAG of DG2 and Meteor Lake writes */
static const struct perf_format dg2_formats[] = {
	{ OA_FORMAT_A24U40_A14U32_B8_C8,
	  "A24u40_A14u32_B8_C8",
	  256,
	  { { 'A', 0, 4, 4, 0 },
	    { 'A', 4, 20, 8, 164 },
	    { 'A', 24, 4, 28, 0 },
	    { 'A', 28, 4, 32, 188 },
	    { 'A', 32, 4, 36, 0 },
	    { 'A', 36, 1, 40, 0 },
	    { 'A', 37, 1, 46, 0 },
	    { 'B', 0, 8, 48, 0 },
	    { 'C', 0, 8, 56, 0 } } },
	{},
};
/* clang-format on */

const struct perf_format *perf_formats(const struct i915 *gpu)
{
	return gpu->a24u40 ? dg2_formats : gpu->wide ? gen8_formats : gen7_formats;
}

const struct perf_format *perf_default_format(const struct i915 *gpu)
{
	const uint64_t id = gpu->a24u40 ? OA_FORMAT_A24U40_A14U32_B8_C8 :
			    gpu->wide	? I915_OA_FORMAT_A32u40_A4u32_B8_C8 :
					  I915_OA_FORMAT_A45_B8_C8;
	const struct perf_format *format = perf_formats(gpu);

	while (format->id != id)
		format++;

	return format;
}

/* Add a configuration with one MUX register, whose B and C counters count without a trigger. */
int64_t perf_add_set(const struct i915 *gpu, const char *uuid)
{
	uint32_t trigger = gpu->gen >= 12 ? GEN12_OASTARTTRIG2 : GEN7_OASTARTTRIG2;
	uint32_t mux[] = { NOA_WRITE, 0x141a0001, NOA_WRITE, 0x16240017 };
	uint32_t boolean[] = { trigger, 0x800000, trigger + 16, 0x800000 };
	struct drm_i915_perf_oa_config config = {
		.n_mux_regs = 2,
		.n_boolean_regs = 2,
		.mux_regs_ptr = (uintptr_t)mux,
		.boolean_regs_ptr = (uintptr_t)boolean,
	};
	int id;

	memcpy(config.uuid, uuid, sizeof(config.uuid));
	id = ioctl(gpu->fd, DRM_IOCTL_I915_PERF_ADD_CONFIG, &config);

	return id < 0 ? -errno : id;
}

void perf_property(struct perf_open *open, uint64_t id, uint64_t value)
{
	if (open->n == PERF_MAX_PROPERTIES)
		abort();
	open->properties[2 * open->n] = id;
	open->properties[2 * open->n++ + 1] = value;
}

struct perf_open perf_usual(const struct i915 *gpu, uint64_t set, unsigned int exponent)
{
	struct perf_open open = { .flags = I915_PERF_FLAG_FD_CLOEXEC | I915_PERF_FLAG_FD_NONBLOCK };

	perf_property(&open, DRM_I915_PERF_PROP_SAMPLE_OA, 1);
	perf_property(&open, DRM_I915_PERF_PROP_OA_METRICS_SET, set);
	perf_property(&open, DRM_I915_PERF_PROP_OA_FORMAT, perf_default_format(gpu)->id);
	perf_property(&open, DRM_I915_PERF_PROP_OA_EXPONENT, exponent);

	return open;
}

int perf_open(const struct i915 *gpu, const struct perf_open *open)
{
	struct drm_i915_perf_open_param param = {
		.flags = open->flags,
		.num_properties = open->n,
		.properties_ptr = (uintptr_t)open->properties,
	};
	int stream = ioctl(gpu->fd, DRM_IOCTL_I915_PERF_OPEN, &param);

	return stream < 0 ? -errno : stream;
}

static uint64_t counter(const struct perf_counters *counters, unsigned int i, const uint8_t *report)
{
	uint32_t low;

	memcpy(&low, report + 4 * (counters->dword + i), sizeof(low));

	return counters->byte ? low | (uint64_t)report[counters->byte + i] << 32 : low;
}

uint64_t perf_counted(const struct perf_counters *counters, unsigned int i, const uint8_t *first,
		      const uint8_t *last)
{
	uint64_t count = counter(counters, i, last) - counter(counters, i, first);

	return count & (counters->byte ? (1ULL << 40) - 1 : UINT32_MAX);
}
