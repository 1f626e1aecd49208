// SPDX-License-Identifier: MIT
/* hardware.c - formats, registers and address widths of queries by GPU generation */
#include "extra/query/hardware.h"

#include <string.h>

/*
 * The addresses of registers, and which of them batches may read, are taken from the public
 * drivers: the kernel's i915_perf_oa_regs.h and intel_gt_regs.h, and Mesa's intel_perf_regs.h.
 */
#define PERFCNT1 0x91b8
#define RPSTAT 0xa01c

/*
 * Encoding of frequencies in register RPSTAT: units of 50 MHz up to gen8, of a third of that since
 * gen9.
 */
#define RPSTAT_GEN8                                                   \
	{                                                             \
		.reg = RPSTAT, .shift = 7, .mask = 0x7f, .divisor = 1 \
	}
#define RPSTAT_GEN9                                                     \
	{                                                               \
		.reg = RPSTAT, .shift = 23, .mask = 0x1ff, .divisor = 3 \
	}

static const struct query_hardware haswell = {
	.address_dwords = 1,
	.perfcnt = PERFCNT1,
	.status = 0x2364,
};

static const struct query_hardware gen8 = {
	.address_dwords = 2,
	.perfcnt = PERFCNT1,
	.status = 0x2b08,
	.frequency = RPSTAT_GEN8,
};

/* On Cherryview, the frequency cannot be read from this register. */
static const struct query_hardware cherryview = {
	.address_dwords = 2,
	.perfcnt = PERFCNT1,
	.status = 0x2b08,
};

static const struct query_hardware gen9 = {
	.address_dwords = 2,
	.perfcnt = PERFCNT1,
	.status = 0x2b08,
	.frequency = RPSTAT_GEN9,
};

static const struct query_hardware gen12 = {
	.address_dwords = 2,
	.own_counters = true,
	.status = 0xdafc,
	.frequency = RPSTAT_GEN9,
};

/*
 * Queries on compute engines are not supported, because all formats of their unit, OAC, lack
 * counters that every set needs.
 */
static const struct query_hardware gen12_7 = {
	.address_dwords = 2,
	.own_counters = true,
	.format = GPUOA_REPORT_OAR_A32U40_A4U32_B8_C8,
	.a36 = 0xdb20,
	.status = 0xdafc,
};

static const struct query_hardware xe2 = {
	.address_dwords = 2,
	.own_counters = true,
	.has_compute = true,
	.format = GPUOA_REPORT_PEC64U64,
	.status = 0xdafc,
};

static const struct {
	char platform[8];
	const struct query_hardware *hardware;
} platforms[] = {
#include "platforms_query.h"
};

const struct query_hardware *query_hardware_find(const char *platform)
{
	for (size_t i = 0; i < sizeof(platforms) / sizeof(platforms[0]); i++)
		if (!strcmp(platform, platforms[i].platform))
			return platforms[i].hardware;
	return NULL;
}
