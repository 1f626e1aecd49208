/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * documented_registers.h - registers that a configuration may write, by generation and list: those
 * of the stock drivers (i915_perf.c of Linux 6.12 up to gen12.7, xe_oa.c of Linux 7.3 from Xe2 on).
 *
 * For tests of the kernel's whitelists and of the library's metric sets. The includer defines
 * struct gpuoa_reg_range. Each list is terminated by {}.
 */
#ifndef _GPUOA_DOCUMENTED_REGISTERS_H
#define _GPUOA_DOCUMENTED_REGISTERS_H

static const struct gpuoa_reg_range hsw_mux_doc[] = {
	{ 0x91b8, 0x91cc }, { 0x9800, 0x9888 }, { 0x9e80, 0x9ea4 },
	{ 0x9ec0, 0x9ec0 }, { 0xe180, 0xe180 }, { 0x25100, 0x2ff90 }, {},
};

static const struct gpuoa_reg_range bdw_mux_doc[] = {
	{ 0x0d00, 0x0d2c }, { 0x20cc, 0x20cc }, { 0x91b8, 0x91cc },
	{ 0x9800, 0x9888 }, { 0xe180, 0xe180 }, {},
};

static const struct gpuoa_reg_range chv_mux_doc[] = {
	{ 0x91b8, 0x91cc }, { 0x9800, 0x9888 }, { 0xe180, 0xe180 }, { 0x182300, 0x1823a4 }, {},
};

static const struct gpuoa_reg_range gen11_mux_doc[] = {
	{ 0x0d00, 0x0d2c }, { 0x20cc, 0x20cc }, { 0x91b8, 0x91dc },
	{ 0x9800, 0x9888 }, { 0xe180, 0xe180 }, {},
};

static const struct gpuoa_reg_range gen8_boolean_doc[] = {
	{ 0x2710, 0x272c }, { 0x2740, 0x275c }, { 0x2770, 0x27ac }, {},
};

static const struct gpuoa_reg_range gen12_mux_doc[] = {
	{ 0x0d00, 0x0d04 }, { 0x0d0c, 0x0d2c }, { 0x20cc, 0x20cc },
	{ 0x9840, 0x9840 }, { 0x9884, 0x9888 }, {},
};

static const struct gpuoa_reg_range mtl_mux_doc[] = {
	{ 0x0d00, 0x0d04 }, { 0x0d0c, 0x0d2c },	    { 0x9840, 0x9840 },
	{ 0x9884, 0x9888 }, { 0x38d100, 0x38d114 }, {},
};

static const struct gpuoa_reg_range gen12_boolean_doc[] = {
	{ 0x2b2c, 0x2b2c }, { 0xd900, 0xd97c }, { 0xdc00, 0xdc44 }, {},
};

static const struct gpuoa_reg_range gen12_5_boolean_doc[] = {
	{ 0x2b2c, 0x2b2c }, { 0xd900, 0xd97c }, { 0xdc00, 0xdc48 }, { 0xdd00, 0xdd48 }, {},
};

static const struct gpuoa_reg_range mtl_oam_mux_doc[] = { { 0x38d100, 0x38d114 }, {} };

static const struct gpuoa_reg_range mtl_oam_boolean_doc[] = {
	{ 0x393000, 0x39307c }, { 0x393200, 0x39323c }, {},
};

static const struct gpuoa_reg_range xe2_doc[] = {
	{ 0x2b2c, 0x2b2c }, { 0x5194, 0x5194 }, { 0x8704, 0x8704 }, { 0xb1bc, 0xb1bc },
	{ 0xd0e0, 0xd0f4 }, { 0xd900, 0xd97c }, { 0xdc00, 0xdc48 }, { 0xdd00, 0xdd48 },
	{ 0xe18c, 0xe18c }, { 0xe590, 0xe590 }, { 0x13000, 0x137fc }, {},
};

static const struct gpuoa_reg_range scmi0_doc[] = { { 0x394200, 0x39423c }, {} };
static const struct gpuoa_reg_range scmi1_doc[] = { { 0x394a00, 0x394a3c }, {} };

static const struct gpuoa_reg_range nothing_doc[] = { {} };

/* EU_PERF_CNTL0..6 */
static const struct gpuoa_reg_range flex_doc[] = {
	{ 0xe458, 0xe45c }, { 0xe558, 0xe55c }, { 0xe658, 0xe65c }, { 0xe758, 0xe758 }, {},
};

#endif /* _GPUOA_DOCUMENTED_REGISTERS_H */
