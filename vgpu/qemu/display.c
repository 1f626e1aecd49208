// SPDX-License-Identifier: MIT
/*
 * display.c - the display of Haswell and Broadwell: pipes without an output.
 *
 * The driver of these two takes it for granted, when the GPU suspends, that there is a display; one
 * that is fused off makes it fail there. What it finds here is off, and nothing is plugged in. Its
 * clocks and the side band of the other chip (PCH) do at once what they are told.
 */
#include "registers.h"
#include "tables.h"
#include "vgpu.h"

#define PLAIN(first, last)                   \
	{                                    \
		(first), (last), &vgpu_plain \
	}

#define LCPLL_CTL 0x130040
#define LCPLL_DISABLE BIT(31)
#define LCPLL_LOCK BIT(30)
#define LCPLL_SOURCE_FCLK BIT(21)
#define LCPLL_SOURCE_FCLK_DONE BIT(19)

#define SBI_DATA 0xc6004
#define SBI_CTL_STAT 0xc6008
#define SBI_BUSY BIT(0)
#define SBI_FAILED BIT(1)

#define FUSE_STRAP 0x42014
#define SFUSE_STRAP 0xc2014
#define SFUSE_STRAP_LOCKED BIT(13)
#define SFUSE_STRAP_NO_CRT BIT(6)

/* The clock is locked unless it is off, and has the source that it was told to have. */
static u32 lcpll_read(struct vgpu *vgpu, const struct vgpu_rule *rule, u32 reg)
{
	u32 value = *vgpu_reg(vgpu, reg) & ~(LCPLL_LOCK | LCPLL_SOURCE_FCLK_DONE);

	if (!(value & LCPLL_DISABLE))
		value |= LCPLL_LOCK;
	if (value & LCPLL_SOURCE_FCLK)
		value |= LCPLL_SOURCE_FCLK_DONE;

	return value;
}

/* A transfer succeeds at once; all registers at its other end read as 0. */
static void sbi_write(struct vgpu *vgpu, const struct vgpu_rule *rule, u32 reg, u32 value)
{
	*vgpu_reg(vgpu, reg) = value & ~(SBI_BUSY | SBI_FAILED);
	*vgpu_reg(vgpu, SBI_DATA) = 0;
}

static const struct vgpu_behaviour lcpll = { .read = lcpll_read };
static const struct vgpu_behaviour sbi = { .write = sbi_write };

/* clang-format off: a row for each kind of register */
const struct vgpu_rule vgpu_registers_display[] = {
	PLAIN(0x41000, 0x41000), /* VGA */
	{ FUSE_STRAP, FUSE_STRAP, &vgpu_constant, 0 }, /* all pipes, no limit of clocks */
	PLAIN(0x42020, 0x42020), /* clock gating */
	PLAIN(0x43208, 0x43208), /* compression of the frame buffer */
	PLAIN(0x44030, 0x44030), /* hotplug */
	{ 0x44040, 0x44040, &vgpu_write_1_clears }, /* GEN7_ERR_INT: there are none */
	PLAIN(0x45100, 0x45260), /* watermarks */
	PLAIN(0x46020, 0x46110), /* SPLL, WRPLL, selection of clocks */
	PLAIN(0x48250, 0x48350), /* backlight */
	PLAIN(0x60000, 0x647fc), /* pipes, and ports: none has been detected */
	PLAIN(0x6f000, 0x6f4fc), /* the transcoder of eDP */
	PLAIN(0x70000, 0x7ffff & ~3U), /* pipes, planes */
	PLAIN(0xc2000, 0xc2010), /* PCH: chicken bits */
	{ SFUSE_STRAP, SFUSE_STRAP, &vgpu_constant, SFUSE_STRAP_LOCKED | SFUSE_STRAP_NO_CRT },
	PLAIN(0xc4030, 0xc4034), /* PCH: hotplug */
	{ 0xc4040, 0xc4040, &vgpu_write_1_clears }, /* SERR_INT */
	PLAIN(0xc5010, 0xc5110), /* GMBUS */
	PLAIN(0xc6000, SBI_DATA),
	{ SBI_CTL_STAT, SBI_CTL_STAT, &sbi },
	PLAIN(0xc6204, 0xc6204), /* PCH: raw clock */
	PLAIN(0xc7200, 0xc7210), /* panel's power */
	PLAIN(0xc8250, 0xc8254), /* PCH: backlight */
	PLAIN(0xe1100, 0xe1100), /* CRT */
	PLAIN(0xe7000, 0xe7000), /* GTC */
	PLAIN(0xf000c, 0xf000c), /* FDI */
	{ LCPLL_CTL, LCPLL_CTL, &lcpll },
	PLAIN(0x138144, 0x138144), /* D_COMP */
	PLAIN(0x145f0c, 0x145f0c),
	{},
};
/* clang-format on */
