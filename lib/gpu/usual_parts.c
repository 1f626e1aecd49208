// SPDX-License-Identifier: MIT
/*
 * usual_parts.c - GPU to assume for a platform if the actual GPU is unknown
 *
 * The table has the most common part of each platform with all its slices, subslices and EUs.
 * Topology and threads are those of Mesa's src/intel/dev/intel_device_info.c up to Arrow Lake, and
 * those published by Intel for later parts. Clocks are those of the data sheets.
 *
 * The timestamp frequency is fixed up to gen8. On gen9 and later it is that of the usual crystal
 * (Linux, i915/gt/intel_gt_clock_utils.c), and twice that on Meteor Lake and Arrow Lake, where the
 * OA unit counts the undivided crystal (Wa_14015846243). L3 banks are used from Xe2 on only: one
 * per MiB. The clock of cnl is not published (no part was sold with its GPU enabled), and little is
 * known of nvl, nvlp and cri: their values are derived from the names of their metrics.
 */
#include <string.h>

#include "gpu/gpu.h"

#define MHZ UINT64_C(1000000)
#define KHZ UINT64_C(1000)

/* Clocks in MHz; masks of slices and subslices; bits of the subslice mask per slice. */
#define PART_OF(name_, title_, timestamp_khz, min, max, slices, subslices, stride, eus, threads, \
		engines, banks, pipes, sqidis)                                                   \
	{                                                                                        \
		.platform = name_, .title = title_, .facts = {                                   \
			[GPU_TIMESTAMP_FREQUENCY] = timestamp_khz * KHZ,                         \
			[GPU_MIN_FREQUENCY] = min * MHZ,                                         \
			[GPU_MAX_FREQUENCY] = max * MHZ,                                         \
			[GPU_SLICES] = slices,                                                   \
			[GPU_SUBSLICES] = subslices,                                             \
			[GPU_SUBSLICE_STRIDE] = stride,                                          \
			[GPU_EUS] = eus,                                                         \
			[GPU_THREADS] = threads,                                                 \
			[GPU_COMPUTE_ENGINES] = engines,                                         \
			[GPU_L3_BANKS] = banks,                                                  \
			[GPU_REVISION] = LAST_STEPPING,                                          \
			[GPU_GEOMETRY_PIPES] = pipes,                                            \
			[GPU_SQIDIS] = sqidis                                                    \
		}                                                                                \
	}

/* Equations only test for early steppings. */
#define LAST_STEPPING 0x0f

#define PART(...) PART_OF(__VA_ARGS__, 0, 0, 0, 0)

/* Parts with a compute engine, and parts with facts that only equations from Xe2 on use. */
#define XE_PART(...) PART_OF(__VA_ARGS__, 1, 0, 0, 0)
#define XE2_PART(name, title, max, slices, xe_cores, stride, eus, threads, banks, pipes, sqidis) \
	PART_OF(name, title, 19200, 400, max, slices, xe_cores, stride, eus, threads, 1, banks,  \
		pipes, sqidis)

/* clang-format off */
static const struct gpu_part parts[] = {
	PART("hsw",    "Haswell GT2",          12500, 350, 1200, 1, 0x3, 3, 20, 7),
	PART("bdw",    "Broadwell GT2",        12500, 300,  950, 1, 0x7, 3, 24, 7),
	PART("chv",    "Cherryview",           12500, 200,  600, 1, 0x3, 3, 16, 7),
	PART("sklgt2", "Skylake GT2",          12000, 350, 1150, 1, 0x7, 3, 24, 7),
	PART("sklgt3", "Skylake GT3",          12000, 300, 1050, 3, 0x3f, 3, 48, 7),
	PART("sklgt4", "Skylake GT4",          12000, 350, 1050, 7, 0x1ff, 3, 72, 7),
	PART("bxt",    "Broxton",              19200, 200,  750, 1, 0x7, 3, 18, 6),
	PART("glk",    "Gemini Lake",          19200, 200,  800, 1, 0x7, 3, 18, 6),
	PART("kblgt2", "Kaby Lake GT2",        12000, 350, 1150, 1, 0x7, 3, 24, 7),
	PART("kblgt3", "Kaby Lake GT3",        12000, 300, 1100, 3, 0x3f, 3, 48, 7),
	PART("cflgt2", "Coffee Lake GT2",      12000, 350, 1200, 1, 0x7, 3, 24, 7),
	PART("cflgt3", "Coffee Lake GT3",      12000, 300, 1200, 3, 0x3f, 3, 48, 7),
	PART("cnl",    "Cannon Lake GT2",      19200, 300, 1000, 3, 0x1f, 3, 40, 7),
	PART("icl",    "Ice Lake GT2",         12000, 300, 1100, 1, 0xff, 8, 64, 7),
	PART("ehl",    "Elkhart Lake",         19200, 350,  900, 1, 0xf, 8, 32, 7),
	PART("tglgt1", "Tiger Lake GT1",       19200, 350, 1450, 1, 0x3, 6, 32, 7),
	PART("tglgt2", "Tiger Lake GT2",       19200, 400, 1350, 1, 0x3f, 6, 96, 7),
	PART("rkl",    "Rocket Lake GT1",      19200, 350, 1300, 1, 0x3, 6, 32, 7),
	PART("dg1",    "Iris Xe MAX",          19200, 300, 1650, 1, 0x3f, 6, 96, 7),
	PART("adl",    "Alder Lake P GT2",     19200, 300, 1450, 1, 0x3f, 6, 96, 7),
	PART("adls",   "Alder Lake S",         19200, 300, 1550, 1, 0x3, 6, 32, 7),
	PART("adln",   "Alder Lake N",         19200, 300, 1250, 1, 0x3, 6, 32, 7),
	XE_PART("mtlgt2", "Meteor Lake, 4 Xe cores", 38400, 300, 2000, 1, 0xf, 4, 64, 8),
	XE_PART("mtlgt3", "Meteor Lake, 8 Xe cores", 38400, 300, 2350, 3, 0xff, 4, 128, 8),
	XE_PART("arlgt1", "Arrow Lake, 4 Xe cores", 38400, 300, 2000, 1, 0xf, 4, 64, 8),
	/*
	 * masks, EUs, threads; L3 banks; geometry pipes per slice; SQIDIs if not derived from the
	 * banks
	 */
	XE2_PART("lnl",  "Lunar Lake, 8 Xe cores", 2050, 0x3, 0xff, 4, 64, 8, 0xff, 1, 0),
	XE2_PART("bmg",  "Arc B580, 20 Xe cores", 2850, 0x1f, 0xfffff, 4, 160, 8, 0x777777, 1, 0),
	XE2_PART("ptl",  "Panther Lake, 12 Xe cores", 2500, 0x3, 0xfff, 6, 96, 10, 0xffff, 1, 0),
	XE2_PART("nvl",  "Nova Lake, 4 Xe cores", 2500, 0x1, 0xf, 4, 32, 10, 0xff, 1, 2),
	XE2_PART("nvlp", "Nova Lake P, 12 Xe cores", 2500, 0x3, 0xfff, 6, 96, 10, 0xffff, 2, 0),
	XE2_PART("cri",  "Crescent Island, 32 Xe cores", 2500, 0xf, 0xffffffff, 8, 256, 8, 0xffffffff, 1, 0),
};
/* clang-format on */

const struct gpu_part *gpu_part_find(const char *platform)
{
	for (size_t i = 0; i < sizeof(parts) / sizeof(parts[0]); i++)
		if (!strcmp(parts[i].platform, platform))
			return &parts[i];
	return NULL;
}
