// SPDX-License-Identifier: GPL-2.0-only
/*
 * ids.c - supported GPUs by PCI device id, from platforms/platforms.txt.
 *
 * Cherryview is not supported: there, i915 stops all CPUs for each GGTT entry that it writes, which
 * must not be waited for under locks that CPU hotplug waits for. gen12.5 and later are not known to
 * work.
 */
#include <linux/kernel.h>

#include <gen12_regs.h>
#include <gen7_regs.h>
#include <gen8_regs.h>
#include <uapi/gpuoa.h>

#include "../lease/lease_ids.h"
#include "gpuoa_i915_decode.h"
#include "ids.h"

/*
 * Context id that i915-perf assigns to the context of a stream. i915 does not export it; it is the
 * same in all versions from 6.1 to 6.12.
 */
#define GEN8_CONTEXT GENMASK(20, 0)
#define GEN11_CONTEXT GENMASK(15, 5)
#define GEN11_CONTEXT_LEASED (2046 << 5)

static const struct generation gen7 = {
	.buffer = OABUFFER,
	.control = OACONTROL,
	.tail = OASTATUS1,
	.start_trigger = OASTARTTRIG1,
	.format = GPUOA_FORMAT_A45_B8_C8,
	.pte = &pte_hsw,
	.context_mask = OACONTROL_CONTEXT,
};

static const struct generation gen8 = {
	.buffer = GEN8_OABUFFER,
	.control = GEN8_OACONTROL,
	.tail = GEN8_OATAILPTR,
	.start_trigger = OASTARTTRIG1,
	.format = GPUOA_FORMAT_A32U40_A4U32_B8_C8,
	.pte = &pte_gen8,
	.context_id = GEN8_CONTEXT,
	.context_mask = GEN8_CONTEXT,
};

static const struct generation gen11 = {
	.buffer = GEN8_OABUFFER,
	.control = GEN8_OACONTROL,
	.tail = GEN8_OATAILPTR,
	.start_trigger = OASTARTTRIG1,
	.format = GPUOA_FORMAT_A32U40_A4U32_B8_C8,
	.pte = &pte_gen8,
	.context_id = GEN11_CONTEXT_LEASED,
	.context_mask = GEN11_CONTEXT,
};

static const struct generation gen12 = {
	.buffer = OAG_OABUFFER,
	.control = OAG_OACONTROL,
	.tail = OAG_OATAILPTR,
	.start_trigger = OAG_OASTARTTRIG1,
	.format = GPUOA_FORMAT_A32U40_A4U32_B8_C8,
	.pte = &pte_gen12,
	.context_id = GEN11_CONTEXT_LEASED,
	.context_mask = GEN11_CONTEXT,
};

#include "platforms_i915.h"

/**
 * i915_platform_find() - Find the platform of a GPU.
 * @device: PCI device id
 *
 * Return: the platform, or NULL
 */
const struct platform *i915_platform_find(u16 device)
{
	const struct known_gpu *gpu = known_gpu_find(gpus, ARRAY_SIZE(gpus), device);

	return gpu ? &platforms[gpu->platform] : NULL;
}
