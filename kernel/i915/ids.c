// SPDX-License-Identifier: GPL-2.0-only
/*
 * ids.c - supported GPUs by PCI device id.
 *
 * The ids are from Linux 6.12 (include/drm/intel/i915_pciids.h). Cherryview is not supported:
 * there, i915 stops all CPUs for each GGTT entry that it writes, which must not be waited for under
 * locks that CPU hotplug waits for. gen12.5 and later are not known to work.
 */
#include <linux/bsearch.h>
#include <linux/kernel.h>

#include <gen12_regs.h>
#include <gen7_regs.h>
#include <gen8_regs.h>
#include <uapi/gpuoa.h>

#include "ids.h"
#include "pte.h"

/*
 * Context id that i915-perf assigns to the context of a stream. i915 does not export it; it is the
 * same in all versions from 6.1 to 6.12.
 */
#define GEN8_CONTEXT GENMASK(20, 0)
#define GEN11_CONTEXT GENMASK(15, 5)
#define GEN11_CONTEXT_LEASED (2046 << 5)

static const struct generation hsw = {
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

enum {
	HSW,
	BDW,
	SKLGT2,
	SKLGT3,
	SKLGT4,
	BXT,
	KBLGT2,
	KBLGT3,
	GLK,
	CFLGT2,
	CFLGT3,
	ICL,
	EHL,
	TGLGT1,
	TGLGT2,
	RKL,
	ADL,
	ADLS,
	ADLN,
};

/* clang-format off */
static const struct platform platforms[] = {
	[HSW] = { "hsw", &hsw },
	[BDW] = { "bdw", &gen8 },
	[SKLGT2] = { "sklgt2", &gen8 },
	[SKLGT3] = { "sklgt3", &gen8 },
	[SKLGT4] = { "sklgt4", &gen8 },
	[BXT] = { "bxt", &gen8, true },
	[KBLGT2] = { "kblgt2", &gen8 },
	[KBLGT3] = { "kblgt3", &gen8 },
	[GLK] = { "glk", &gen8, true },
	[CFLGT2] = { "cflgt2", &gen8 },
	[CFLGT3] = { "cflgt3", &gen8 },
	[ICL] = { "icl", &gen11 },
	[EHL] = { "ehl", &gen11 },
	[TGLGT1] = { "tglgt1", &gen12 },
	[TGLGT2] = { "tglgt2", &gen12 },
	[RKL] = { "rkl", &gen12 },
	[ADL] = { "adl", &gen12 },
	[ADLS] = { "adls", &gen12 },
	[ADLN] = { "adln", &gen12 },
};

/* clang-format on */

struct known_gpu {
	u16 device;
	u8 platform;
};

/* Sorted by id */
/* clang-format off */
static const struct known_gpu known[] = {
	{ 0x0402, HSW }, { 0x0406, HSW }, { 0x040a, HSW }, { 0x040b, HSW }, { 0x040e, HSW },
	{ 0x0412, HSW }, { 0x0416, HSW }, { 0x041a, HSW }, { 0x041b, HSW }, { 0x041e, HSW },
	{ 0x0422, HSW }, { 0x0426, HSW }, { 0x042a, HSW }, { 0x042b, HSW }, { 0x042e, HSW },
	{ 0x0a02, HSW }, { 0x0a06, HSW }, { 0x0a0a, HSW }, { 0x0a0b, HSW }, { 0x0a0e, HSW },
	{ 0x0a12, HSW }, { 0x0a16, HSW }, { 0x0a1a, HSW }, { 0x0a1b, HSW }, { 0x0a1e, HSW },
	{ 0x0a22, HSW }, { 0x0a26, HSW }, { 0x0a2a, HSW }, { 0x0a2b, HSW }, { 0x0a2e, HSW },
	{ 0x0a84, BXT }, { 0x0c02, HSW }, { 0x0c06, HSW }, { 0x0c0a, HSW }, { 0x0c0b, HSW },
	{ 0x0c0e, HSW }, { 0x0c12, HSW }, { 0x0c16, HSW }, { 0x0c1a, HSW }, { 0x0c1b, HSW },
	{ 0x0c1e, HSW }, { 0x0c22, HSW }, { 0x0c26, HSW }, { 0x0c2a, HSW }, { 0x0c2b, HSW },
	{ 0x0c2e, HSW }, { 0x0d02, HSW }, { 0x0d06, HSW }, { 0x0d0a, HSW }, { 0x0d0b, HSW },
	{ 0x0d0e, HSW }, { 0x0d12, HSW }, { 0x0d16, HSW }, { 0x0d1a, HSW }, { 0x0d1b, HSW },
	{ 0x0d1e, HSW }, { 0x0d22, HSW }, { 0x0d26, HSW }, { 0x0d2a, HSW }, { 0x0d2b, HSW },
	{ 0x0d2e, HSW }, { 0x1602, BDW }, { 0x1606, BDW }, { 0x160a, BDW }, { 0x160b, BDW },
	{ 0x160d, BDW }, { 0x160e, BDW }, { 0x1612, BDW }, { 0x1616, BDW }, { 0x161a, BDW },
	{ 0x161b, BDW }, { 0x161d, BDW }, { 0x161e, BDW }, { 0x1622, BDW }, { 0x1626, BDW },
	{ 0x162a, BDW }, { 0x162b, BDW }, { 0x162d, BDW }, { 0x162e, BDW }, { 0x1632, BDW },
	{ 0x1636, BDW }, { 0x163a, BDW }, { 0x163b, BDW }, { 0x163d, BDW }, { 0x163e, BDW },
	{ 0x1912, SKLGT2 }, { 0x1913, SKLGT2 }, { 0x1915, SKLGT2 }, { 0x1916, SKLGT2 },
	{ 0x1917, SKLGT2 }, { 0x191a, SKLGT2 }, { 0x191b, SKLGT2 }, { 0x191d, SKLGT2 },
	{ 0x191e, SKLGT2 }, { 0x1921, SKLGT2 }, { 0x1923, SKLGT3 }, { 0x1926, SKLGT3 },
	{ 0x1927, SKLGT3 }, { 0x192a, SKLGT4 }, { 0x192b, SKLGT3 }, { 0x192d, SKLGT3 },
	{ 0x1932, SKLGT4 }, { 0x193a, SKLGT4 }, { 0x193b, SKLGT4 }, { 0x193d, SKLGT4 },
	{ 0x1a84, BXT }, { 0x1a85, BXT }, { 0x3184, GLK }, { 0x3185, GLK }, { 0x3e91, CFLGT2 },
	{ 0x3e92, CFLGT2 }, { 0x3e94, CFLGT2 }, { 0x3e96, CFLGT2 }, { 0x3e98, CFLGT2 },
	{ 0x3e9a, CFLGT2 }, { 0x3e9b, CFLGT2 }, { 0x3ea0, CFLGT2 }, { 0x3ea2, CFLGT3 },
	{ 0x3ea3, CFLGT2 }, { 0x3ea5, CFLGT3 }, { 0x3ea6, CFLGT3 }, { 0x3ea7, CFLGT3 },
	{ 0x3ea8, CFLGT3 }, { 0x3ea9, CFLGT2 }, { 0x4541, EHL }, { 0x4551, EHL },
	{ 0x4555, EHL }, { 0x4557, EHL }, { 0x4570, EHL }, { 0x4571, EHL }, { 0x4626, ADL },
	{ 0x4628, ADL }, { 0x462a, ADL }, { 0x4680, ADLS }, { 0x4682, ADLS }, { 0x4688, ADLS },
	{ 0x468a, ADLS }, { 0x468b, ADLS }, { 0x4690, ADLS }, { 0x4692, ADLS },
	{ 0x4693, ADLS }, { 0x46a0, ADL }, { 0x46a1, ADL }, { 0x46a2, ADL }, { 0x46a3, ADL },
	{ 0x46a6, ADL }, { 0x46a8, ADL }, { 0x46aa, ADL }, { 0x46b0, ADL }, { 0x46b1, ADL },
	{ 0x46b2, ADL }, { 0x46b3, ADL }, { 0x46c0, ADL }, { 0x46c1, ADL }, { 0x46c2, ADL },
	{ 0x46c3, ADL }, { 0x46d0, ADLN }, { 0x46d1, ADLN }, { 0x46d2, ADLN },
	{ 0x46d3, ADLN }, { 0x46d4, ADLN }, { 0x4c80, RKL }, { 0x4c8a, RKL }, { 0x4c8b, RKL },
	{ 0x4c8c, RKL }, { 0x4c90, RKL }, { 0x4c9a, RKL }, { 0x4e51, EHL }, { 0x4e55, EHL },
	{ 0x4e57, EHL }, { 0x4e61, EHL }, { 0x4e71, EHL }, { 0x5912, KBLGT2 },
	{ 0x5913, KBLGT2 }, { 0x5915, KBLGT2 }, { 0x5916, KBLGT2 }, { 0x5917, KBLGT2 },
	{ 0x591a, KBLGT2 }, { 0x591b, KBLGT2 }, { 0x591c, KBLGT2 }, { 0x591d, KBLGT2 },
	{ 0x591e, KBLGT2 }, { 0x5921, KBLGT2 }, { 0x5923, KBLGT3 }, { 0x5926, KBLGT3 },
	{ 0x5927, KBLGT3 }, { 0x5a84, BXT }, { 0x5a85, BXT }, { 0x87c0, KBLGT2 },
	{ 0x87ca, CFLGT2 }, { 0x8a50, ICL }, { 0x8a51, ICL }, { 0x8a52, ICL }, { 0x8a53, ICL },
	{ 0x8a54, ICL }, { 0x8a56, ICL }, { 0x8a57, ICL }, { 0x8a58, ICL }, { 0x8a59, ICL },
	{ 0x8a5a, ICL }, { 0x8a5b, ICL }, { 0x8a5c, ICL }, { 0x8a5d, ICL }, { 0x8a70, ICL },
	{ 0x8a71, ICL }, { 0x9a40, TGLGT2 }, { 0x9a49, TGLGT2 }, { 0x9a59, TGLGT2 },
	{ 0x9a60, TGLGT1 }, { 0x9a68, TGLGT1 }, { 0x9a70, TGLGT1 }, { 0x9a78, TGLGT2 },
	{ 0x9ac0, TGLGT2 }, { 0x9ac9, TGLGT2 }, { 0x9ad9, TGLGT2 }, { 0x9af8, TGLGT2 },
	{ 0x9b41, CFLGT2 }, { 0x9bc2, CFLGT2 }, { 0x9bc4, CFLGT2 }, { 0x9bc5, CFLGT2 },
	{ 0x9bc6, CFLGT2 }, { 0x9bc8, CFLGT2 }, { 0x9bca, CFLGT2 }, { 0x9bcc, CFLGT2 },
	{ 0x9be6, CFLGT2 }, { 0x9bf6, CFLGT2 }, { 0xa720, ADL }, { 0xa721, ADL },
	{ 0xa780, ADLS }, { 0xa781, ADLS }, { 0xa782, ADLS }, { 0xa783, ADLS },
	{ 0xa788, ADLS }, { 0xa789, ADLS }, { 0xa78a, ADLS }, { 0xa78b, ADLS },
	{ 0xa7a0, ADL }, { 0xa7a1, ADL }, { 0xa7a8, ADL }, { 0xa7a9, ADL }, { 0xa7aa, ADL },
	{ 0xa7ab, ADL }, { 0xa7ac, ADL }, { 0xa7ad, ADL },
};

/* clang-format on */

static int compare_device(const void *key, const void *gpu)
{
	return (int)*(const u16 *)key - (int)((const struct known_gpu *)gpu)->device;
}

/**
 * platform_find() - Find the platform of a GPU.
 * @device: PCI device id
 *
 * Return: the platform, or NULL
 */
const struct platform *platform_find(u16 device)
{
	const struct known_gpu *gpu =
		bsearch(&device, known, ARRAY_SIZE(known), sizeof(*known), compare_device);

	return gpu ? &platforms[gpu->platform] : NULL;
}
