// SPDX-License-Identifier: MIT
/* hardware.c - formats, registers and address widths of queries by GPU generation */
#include "query/hardware.h"

#include <string.h>

/*
 * The registers, and which of them batches may read, come from the public drivers: the kernel's
 * i915_perf_oa_regs.h and intel_gt_regs.h, and Mesa's intel_perf_regs.h.
 */
#define PERFCNT1 0x91b8
#define RPSTAT 0xa01c

/* In units of 50 MHz up to gen8, a third of that since gen9. */
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

/* Cherryview's frequency cannot be read from this register. */
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
 * OAC, for compute engines, only has formats without some of the counters that every set needs.
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

/* By prefix of the platform's name. */
static const struct {
	char beginning[4];
	const struct query_hardware *hardware;
} platforms[] = {
	{ "hsw", &haswell }, { "bdw", &gen8 },	{ "chv", &cherryview }, { "skl", &gen9 },
	{ "bxt", &gen9 },    { "kbl", &gen9 },	{ "glk", &gen9 },	{ "cfl", &gen9 },
	{ "cnl", &gen9 },    { "icl", &gen9 },	{ "ehl", &gen9 },	{ "tgl", &gen12 },
	{ "rkl", &gen12 },   { "dg1", &gen12 }, { "adl", &gen12 },	{ "mtl", &gen12_7 },
	{ "arl", &gen12_7 }, { "lnl", &xe2 },	{ "bmg", &xe2 },	{ "ptl", &xe2 },
	{ "nvl", &xe2 },     { "cri", &xe2 },
};

const struct query_hardware *query_hardware_find(const char *platform)
{
	for (size_t i = 0; i < sizeof(platforms) / sizeof(platforms[0]); i++)
		if (!strncmp(platform, platforms[i].beginning, strlen(platforms[i].beginning)))
			return platforms[i].hardware;
	return NULL;
}
