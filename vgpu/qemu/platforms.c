// SPDX-License-Identifier: MIT
/*
 * platforms.c - table of the GPUs that can be served to a guest, from platforms/platforms.txt.
 */
#include "commands.h"
#include "context.h"
#include "engine.h"
#include "irq.h"
#include "platform.h"
#include "mmio.h"

/*
 * Columns: name, class, first register, status page register, interrupts, bit in the master
 * register, reset bit, instance, GT
 */
static const struct vgpu_engine_class gen7_engines[] = {
	{ "rcs0", VGPU_RENDER, 0x2000, 0x4080, 0x44010, 0, 0, BIT(1) },
	{ "vcs0", VGPU_VIDEO, 0x12000, 0x4180, 0x44010, 12, 0, BIT(2) },
	{ "bcs0", VGPU_COPY, 0x22000, 0x4280, 0x44010, 22, 0, BIT(3) },
	{ "vecs0", VGPU_ENHANCE, 0x1a000, 0x4380, 0x44020, 10, 0, BIT(4) },
	{},
};

static const struct vgpu_engine_class gen8_engines[] = {
	{ "rcs0", VGPU_RENDER, 0x2000, 0x2080, 0, 0, BIT(0), BIT(1) },
	{ "vcs0", VGPU_VIDEO, 0x12000, 0x12080, 1, 0, BIT(2), BIT(2) },
	{ "bcs0", VGPU_COPY, 0x22000, 0x22080, 0, 16, BIT(1), BIT(3) },
	{ "vecs0", VGPU_ENHANCE, 0x1a000, 0x1a080, 3, 0, BIT(6), BIT(4) },
	{},
};

static const struct vgpu_engine_class gen11_engines[] = {
	{ "rcs0", VGPU_RENDER, 0x2000, 0x2080, 0x190030, 16, 0, BIT(1) },
	{ "vcs0", VGPU_VIDEO, 0x1c0000, 0x1c0080, 0x190034, 16, 32, BIT(5) },
	{ "bcs0", VGPU_COPY, 0x22000, 0x22080, 0x190030, 0, 15, BIT(2) },
	{ "vecs0", VGPU_ENHANCE, 0x1c8000, 0x1c8080, 0x190034, 0, 63, BIT(13) },
	{},
};

static const struct vgpu_engine_class dg2_engines[] = {
	{ "rcs0", VGPU_RENDER, 0x2000, 0x2080, 0x190030, 16, 0, BIT(1) },
	{ "bcs0", VGPU_COPY, 0x22000, 0x22080, 0x190030, 0, 15, BIT(2) },
	{ "ccs0", VGPU_COMPUTE, 0x1a000, 0x1a080, 0x190048, 16, 4, BIT(4) },
	{ "vcs0", VGPU_VIDEO, 0x1c0000, 0x1c0080, 0x190034, 16, 32, BIT(5) },
	{ "vcs2", VGPU_VIDEO, 0x1d0000, 0x1d0080, 0x190034, 16, 34, BIT(7), 2 },
	{ "vecs0", VGPU_ENHANCE, 0x1c8000, 0x1c8080, 0x190034, 0, 63, BIT(13) },
	{ "vecs1", VGPU_ENHANCE, 0x1d8000, 0x1d8080, 0x190034, 0, 62, BIT(14), 1 },
	{},
};

static const struct vgpu_engine_class mtl_engines[] = {
	{ "rcs0", VGPU_RENDER, 0x2000, 0x2080, 0x190030, 16, 0, BIT(1), 0, 0 },
	{ "bcs0", VGPU_COPY, 0x22000, 0x22080, 0x190030, 0, 15, BIT(2), 0, 0 },
	{ "ccs0", VGPU_COMPUTE, 0x1a000, 0x1a080, 0x190048, 16, 4, BIT(4), 0, 0 },
	{ "vcs0", VGPU_VIDEO, 0x1c0000, 0x1c0080, 0x190034, 16, 32, BIT(5), 0, 1 },
	{ "vcs2", VGPU_VIDEO, 0x1d0000, 0x1d0080, 0x190034, 16, 34, BIT(7), 2, 1 },
	{ "vecs0", VGPU_ENHANCE, 0x1c8000, 0x1c8080, 0x190034, 0, 63, BIT(13), 0, 1 },
	{},
};

static const struct vgpu_engine_class lnl_engines[] = {
	{ "rcs0", VGPU_RENDER, 0x2000, 0x2080, 0x190030, 16, 0, BIT(1), 0, 0 },
	{ "bcs0", VGPU_COPY, 0x22000, 0x22080, 0x190030, 0, 15, BIT(2), 0, 0 },
	{ "bcs8", VGPU_COPY, 0x3ee000, 0x3ee080, 0x190030, 0, 23, BIT(29), 8, 0 },
	{ "ccs0", VGPU_COMPUTE, 0x1a000, 0x1a080, 0x190048, 16, 4, BIT(4), 0, 0 },
	{ "vcs0", VGPU_VIDEO, 0x1c0000, 0x1c0080, 0x190034, 16, 32, BIT(5), 0, 1 },
	{ "vecs0", VGPU_ENHANCE, 0x1c8000, 0x1c8080, 0x190034, 0, 63, BIT(13), 0, 1 },
	{ "gsccs0", VGPU_OTHER, 0x11a000, 0x11a080, 0x190044, 0, 31, 0, 6, 1 },
	{},
};

static const struct vgpu_engine_class bmg_engines[] = {
	{ "rcs0", VGPU_RENDER, 0x2000, 0x2080, 0x190030, 16, 0, BIT(1), 0, 0 },
	{ "bcs0", VGPU_COPY, 0x22000, 0x22080, 0x190030, 0, 15, BIT(2), 0, 0 },
	{ "bcs8", VGPU_COPY, 0x3ee000, 0x3ee080, 0x190030, 0, 23, BIT(29), 8, 0 },
	{ "ccs0", VGPU_COMPUTE, 0x1a000, 0x1a080, 0x190048, 16, 4, BIT(4), 0, 0 },
	{ "vcs0", VGPU_VIDEO, 0x1c0000, 0x1c0080, 0x190034, 16, 32, BIT(5), 0, 1 },
	{ "vcs2", VGPU_VIDEO, 0x1d0000, 0x1d0080, 0x190034, 16, 34, BIT(7), 2, 1 },
	{ "vecs0", VGPU_ENHANCE, 0x1c8000, 0x1c8080, 0x190034, 0, 63, BIT(13), 0, 1 },
	{ "vecs1", VGPU_ENHANCE, 0x1d8000, 0x1d8080, 0x190034, 0, 62, BIT(14), 1, 1 },
	{},
};

static const struct vgpu_rule no_overrides[] = { {} };

/* RPM_CONFIG0: crystal frequency and timestamp shift */
static const struct vgpu_rule gen11_overrides[] = {
	{ 0xd00, 0xd00, &vgpu_constant, 2 << 1 },
	{},
};
static const struct vgpu_rule gen12_overrides[] = {
	{ 0xd00, 0xd00, &vgpu_constant, 2 << 3 | 2 << 1 },
	{},
};

/* GEOMETRY_DSS_ENABLE: two of six enabled */
static const struct vgpu_rule gen12_gt1_overrides[] = {
	{ 0xd00, 0xd00, &vgpu_constant, 2 << 3 | 2 << 1 },
	{ 0x913c, 0x913c, &vgpu_constant, 0x3 },
	{},
};

/* Properties of each generation; the macros are named in platforms/platforms.txt. */
#define VGPU_GEN7                                                                   \
	.bar0 = SZ_4M, .gtt = SZ_2M, .gmch = 1 << 8,                                \
	.tables = { vgpu_registers_stored, vgpu_registers_all, vgpu_registers_gen7, \
		    vgpu_registers_display },                                       \
	.overrides = no_overrides, .engines = gen7_engines, .irq = &vgpu_irq_gen7,  \
	.submission = &vgpu_ring, .cs = &vgpu_cs_gen7, .layout = &vgpu_layout_gen7

/* The upper half of the first BAR is the page table. */
#define GEN8_COMMON                                                                  \
	.bar0 = SZ_16M, .gtt = SZ_8M, .gmch = 1 << 6, .submission = &vgpu_execlists, \
	.cs = &vgpu_cs_gen8

#define VGPU_GEN8                                                                           \
	GEN8_COMMON,                                                                        \
		.tables = { vgpu_registers_stored, vgpu_registers_all, vgpu_registers_gen8, \
			    vgpu_registers_display },                                       \
		.overrides = no_overrides, .engines = gen8_engines, .irq = &vgpu_irq_gen8,  \
		.layout = &vgpu_layout_gen8

#define VGPU_GEN9                                                                                  \
	GEN8_COMMON, .tables = { vgpu_registers_stored, vgpu_registers_all, vgpu_registers_gen9 }, \
		     .overrides = no_overrides, .engines = gen8_engines, .irq = &vgpu_irq_gen8,    \
		     .layout = &vgpu_layout_gen9

#define VGPU_GEN11                                                                              \
	GEN8_COMMON,                                                                            \
		.tables = { vgpu_registers_stored, vgpu_registers_all, vgpu_registers_gen9,     \
			    vgpu_registers_gen11 },                                             \
		.overrides = gen11_overrides, .engines = gen11_engines, .irq = &vgpu_irq_gen11, \
		.layout = &vgpu_layout_gen11

#define GEN12_COMMON                                                                            \
	GEN8_COMMON,                                                                            \
		.tables = { vgpu_registers_stored, vgpu_registers_all, vgpu_registers_gen9,     \
			    vgpu_registers_gen11, vgpu_registers_gen12 },                       \
		.engines = gen11_engines, .irq = &vgpu_irq_gen11, .layout = &vgpu_layout_gen12, \
		.n_gucs = 1

#define VGPU_GEN12 GEN12_COMMON, .overrides = gen12_overrides
#define VGPU_GEN12_GT1 GEN12_COMMON, .overrides = gen12_gt1_overrides

#define VGPU_DG2                                                                               \
	GEN8_COMMON,                                                                           \
		.tables = { vgpu_registers_stored, vgpu_registers_all,	 vgpu_registers_gen9,  \
			    vgpu_registers_gen11,  vgpu_registers_gen12, vgpu_registers_dg2 }, \
		.overrides = gen12_overrides, .engines = dg2_engines, .irq = &vgpu_irq_xe,     \
		.layout = &vgpu_layout_xe, .n_gucs = 1, .vram = SZ_1G, .discrete = true

/* GPUs with a media GT, which need a separate table of registers */
#define XE_COMMON(registers)                                                                  \
	GEN8_COMMON,                                                                          \
		.tables = { vgpu_registers_stored, vgpu_registers_all, vgpu_registers_gt,     \
			    vgpu_registers_xe, registers },                                   \
		.overrides = gen12_overrides, .irq = &vgpu_irq_xe, .layout = &vgpu_layout_xe, \
		.n_gucs = 2

#define VGPU_MTL XE_COMMON(vgpu_registers_mtl), .engines = mtl_engines, .vram = 256 * SZ_1M
#define VGPU_LNL \
	XE_COMMON(vgpu_registers_lnl), .engines = lnl_engines, .levels = 5, .vram = 256 * SZ_1M
#define VGPU_PTL \
	XE_COMMON(vgpu_registers_ptl), .engines = lnl_engines, .levels = 5, .vram = 256 * SZ_1M
#define VGPU_BMG                                                                           \
	XE_COMMON(vgpu_registers_bmg), .engines = bmg_engines, .levels = 5, .vram = SZ_1G, \
				       .discrete = true

#include "platforms_vgpu.h"

/**
 * vgpu_platform_find() - Find a platform.
 * @name: name of the platform
 *
 * Return: the platform, or NULL
 */
const struct vgpu_platform *vgpu_platform_find(const char *name)
{
	unsigned int i;

	for (i = 0; i < ARRAY_SIZE(platforms); i++)
		if (!strcmp(platforms[i].name, name))
			return &platforms[i];

	return NULL;
}

/**
 * vgpu_platform_name() - Get the name of a platform.
 * @index: index of the platform
 *
 * Return: its name, or NULL if there are fewer platforms
 */
const char *vgpu_platform_name(unsigned int index)
{
	return index < ARRAY_SIZE(platforms) ? platforms[index].name : NULL;
}
