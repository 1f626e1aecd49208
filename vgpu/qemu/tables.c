// SPDX-License-Identifier: MIT
/*
 * tables.c - registers beyond engines, interrupts and the OA unit: power, fuses, and what only has
 * to remember what was written.
 */
#include "power.h"
#include "registers.h"
#include "reset.h"
#include "tables.h"
#include "vgpu.h"

#define PLAIN(first, last)                   \
	{                                    \
		(first), (last), &vgpu_plain \
	}
#define MASKED(first, last)                   \
	{                                     \
		(first), (last), &vgpu_masked \
	}
#define CONSTANT(reg, value)                          \
	{                                             \
		(reg), (reg), &vgpu_constant, (value) \
	}
#define AT_ONCE(first, last)                        \
	{                                           \
		(first), (last), &vgpu_done_at_once \
	}
/* A register that acknowledges what has been asked for in another one */
#define ACKNOWLEDGES(reg, request)                                  \
	{                                                           \
		(reg), (reg), &vgpu_acknowledges, (request) - (reg) \
	}
/* Power wells: requests, and states below them */
#define WELLS(first, last)                                     \
	{                                                      \
		(first), (last), &vgpu_state_below, 0xaaaaaaaa \
	}

/* The mailbox of the power controller: it does what it is told at once, and has no errors. */
#define PCODE_READY BIT(31)
#define PCODE_ERROR GENMASK(7, 0)

static void pcode_write(struct vgpu *vgpu, const struct vgpu_rule *rule, u32 reg, u32 value)
{
	*vgpu_reg(vgpu, reg) = value & ~(PCODE_READY | PCODE_ERROR);
}

static const struct vgpu_behaviour pcode = { .write = pcode_write };

/* Requested frequencies are had at once: RPNSWREQ and RPSTAT1, whose fields differ. */
static u32 gen7_rpstat_read(struct vgpu *vgpu, const struct vgpu_rule *rule, u32 reg)
{
	return (*vgpu_reg(vgpu, GEN6_RPNSWREQ) >> 24 & 0x7f) << 7;
}

static u32 gen9_rpstat_read(struct vgpu *vgpu, const struct vgpu_rule *rule, u32 reg)
{
	return (*vgpu_reg(vgpu, GEN6_RPNSWREQ) >> 23 & 0x1ff) << 23;
}

static const struct vgpu_behaviour gen7_rpstat = { .read = gen7_rpstat_read };
static const struct vgpu_behaviour gen9_rpstat = { .read = gen9_rpstat_read };

/* clang-format off: a row for each kind of register */

/* What only has to remember what was written, whichever generation has it */
const struct vgpu_rule vgpu_registers_stored[] = {
	PLAIN(0x0fdc, 0x0fdc), /* MCR_SELECTOR: steering */
	PLAIN(0x4000, 0x43fc), /* GLOBAL_MOCS, GAC_ECO_BITS, faults of rings, status pages */
	PLAIN(0x4800, 0x487c), /* private PAT */
	PLAIN(0x4ab0, 0x4dfc), /* GAM_ECOCHK, GAMT_CHKN */
	PLAIN(0x5200, 0x528c), /* SO_NUM_PRIMS_WRITTEN .. SO_WRITE_OFFSET */
	PLAIN(0x6604, 0x6604), /* FF_MODE2 */
	PLAIN(0x7034, 0x7034), /* L3CNTLREG */
	PLAIN(0x7100, 0x7108),
	PLAIN(0x8000, 0x8010), /* MCFG_MCR, MBC */
	PLAIN(0x9030, 0x9044), /* ARB_MODE */
	PLAIN(0x9118, 0x9118), /* fuse of steering */
	PLAIN(0x9400, 0x9434), /* clock gating: UCGCTL, MISCCPCTL */
	PLAIN(0x94d4, 0x9550), /* clock gating, by unit */
	PLAIN(0xa008, 0xa070), /* frequency: requests, limits, evaluation intervals */
	PLAIN(0xa090, 0xa0c8), /* RC6: control, state, thresholds */
	PLAIN(0xa168, 0xa168), /* PMINTRMSK */
	PLAIN(0xa210, 0xa210), /* power gating */
	PLAIN(0xb000, 0xb140), /* L3 */
	PLAIN(0xb404, 0xb43c), /* L3, by slice */
	PLAIN(0xc050, 0xc050), /* GUC_WOPCM_SIZE */
	PLAIN(0xc340, 0xc340), /* DMA_GUC_WOPCM_OFFSET */
	PLAIN(0xc3e4, 0xc3e8),
	PLAIN(0xc800, 0xccfc), /* MOCS, by engine */
	PLAIN(0xcebc, 0xcec4), /* fault of a ring, gen12 */
	PLAIN(0xcf68, 0xcf68), /* GDRST of media */
	PLAIN(0xe160, 0xe164),
	PLAIN(0x14090, 0x14090),
	PLAIN(0x320f0, 0x320f0),
	PLAIN(0x42080, 0x42300), /* display: chicken bits, clock gating */
	PLAIN(0x44040, 0x44040), /* GEN7_ERR_INT */
	PLAIN(0x45000, 0x45000), /* display arbiter */
	PLAIN(0x46408, 0x46430), /* clock gating */
	PLAIN(0x78000, 0x78004), /* VGA base */
	PLAIN(0xc2014, 0xc2020), /* PCH: chicken bits */
	PLAIN(0xc4040, 0xc4040), /* SERR_INT */
	PLAIN(0xf0060, 0xf0060),
	PLAIN(0x100000, 0x101008), /* fences, GFX_FLSH_CNTL */
	PLAIN(0x120000, 0x120000), /* GTFIFODBG */
	PLAIN(0x120010, 0x120010), /* ECOBUS, EDRAM: none */
	PLAIN(0x130040, 0x130040), /* forcewake's second acknowledgment */
	PLAIN(0x13805c, 0x13805c),
	PLAIN(0x138128, 0x1381a8), /* mailbox: data; reasons of throttling */
	PLAIN(0x145004, 0x145e04), /* memory controller: channels, none */
	PLAIN(0x145ef0, 0x145ef0),
	PLAIN(0x1c3f10, 0x1c3f10), /* video: clock gating */
	PLAIN(0x1cc000, 0x1cc000),
	MASKED(0x7020, 0x7030), /* COMMON_SLICE_CHICKEN */
	MASKED(0x7300, 0x7304),
	MASKED(0xe420, 0xe420), /* samplers and EUs: chicken bits */
	MASKED(0xe48c, 0xe49c),
	MASKED(0xe4f0, 0xe4f4),
	MASKED(0xe5f4, 0xe5f4),
	{},
};

const struct vgpu_rule vgpu_registers_all[] = {
	{ GDRST, GDRST, &vgpu_gdrst },
	{ PCODE_MAILBOX, PCODE_MAILBOX, &pcode },
	{ RC6_RESIDENCY, RC6_RESIDENCY, &vgpu_residency },
	CONSTANT(0x120008, 0x3f), /* GTFIFOCTL: free entries */
	CONSTANT(0x145998, 0x071016), /* RP_STATE_CAP: 50 MHz units: lowest, guaranteed, highest */
	MASKED(GEN7_FORCEWAKE, GEN7_FORCEWAKE),
	ACKNOWLEDGES(GEN7_FORCEWAKE_ACK, GEN7_FORCEWAKE),
	MASKED(0x7000, 0x7018), /* CACHE_MODE_0, COMMON_SLICE_CHICKEN */
	MASKED(0xe100, 0xe100),
	MASKED(0xe180, 0xe194), /* HALF_SLICE_CHICKEN */
	WELLS(0x45400, 0x4545c),
	AT_ONCE(0x4260, 0x4270), /* TLB invalidation */
	{},
};

const struct vgpu_rule vgpu_registers_gen7[] = {
	CONSTANT(0x911c, 0), /* PAVP_FUSE1: ten EUs in a subslice */
	{ GEN6_RPSTAT1, GEN6_RPSTAT1, &gen7_rpstat },
	{},
};

const struct vgpu_rule vgpu_registers_gen8[] = {
	CONSTANT(0x8504, 1), /* RC6_CTX_INFO: its context is in place */
	CONSTANT(0x9120, BIT(25)), /* FUSE2: slice 0, all subslices */
	CONSTANT(0x9134, 0), /* EU_DISABLE */
	CONSTANT(0x9138, 0),
	CONSTANT(0x913c, 0),
	{ GEN6_RPSTAT1, GEN6_RPSTAT1, &gen7_rpstat },
	{},
};

/* From gen9 on, display is off when each of its pipes is. */
#define NO_PIPES (BIT(30) | BIT(28) | BIT(22) | BIT(21))

const struct vgpu_rule vgpu_registers_gen9[] = {
	CONSTANT(0x42000, ~0U), /* FUSE_STATUS: all distributed */
	{ 0x45008, 0x45008, &vgpu_state_below, BIT(31) }, /* DBUF_CTL */
	{ 0x44fe8, 0x44fe8, &vgpu_state_below, BIT(31) },
	CONSTANT(0x51000, NO_PIPES), /* DFSM */
	CONSTANT(0x8504, 1), /* RC6_CTX_INFO: its context is in place */
	CONSTANT(0x9120, BIT(25) | BIT(23)), /* FUSE2: slice 0, all subslices but 3 */
	CONSTANT(0x9134, 0), /* EU_DISABLE */
	CONSTANT(0xa26c, 2 << 1), /* CTC_MODE: the timestamp's shift */
	CONSTANT(0xc000, BIT(0)), /* GUC_STATUS: in reset */
	MASKED(GEN9_FORCEWAKE_MEDIA, GEN9_FORCEWAKE_MEDIA),
	MASKED(GEN9_FORCEWAKE_RENDER, GEN9_FORCEWAKE_RENDER),
	ACKNOWLEDGES(0x0d88, GEN9_FORCEWAKE_MEDIA),
	ACKNOWLEDGES(0x0d84, GEN9_FORCEWAKE_RENDER),
	{ GEN6_RPSTAT1, GEN6_RPSTAT1, &gen9_rpstat },
	{},
};

const struct vgpu_rule vgpu_registers_gen11[] = {
	CONSTANT(0x9138, 1), /* SLICE_ENABLE */
	CONSTANT(0x913c, 0), /* SUBSLICE_DISABLE */
	CONSTANT(0x9140, 0x000e00fe), /* VEBOX_VDBOX_DISABLE: one of each is left */
	MASKED(GEN11_FORCEWAKE_MEDIA_VDBOX, GEN11_FORCEWAKE_MEDIA_VDBOX + 12),
	MASKED(GEN11_FORCEWAKE_MEDIA_VEBOX, GEN11_FORCEWAKE_MEDIA_VEBOX + 4),
	ACKNOWLEDGES(0x0d50, GEN11_FORCEWAKE_MEDIA_VDBOX),
	ACKNOWLEDGES(0x0d54, GEN11_FORCEWAKE_MEDIA_VDBOX + 4),
	ACKNOWLEDGES(0x0d58, GEN11_FORCEWAKE_MEDIA_VDBOX + 8),
	ACKNOWLEDGES(0x0d5c, GEN11_FORCEWAKE_MEDIA_VDBOX + 12),
	ACKNOWLEDGES(0x0d70, GEN11_FORCEWAKE_MEDIA_VEBOX),
	ACKNOWLEDGES(0x0d74, GEN11_FORCEWAKE_MEDIA_VEBOX + 4),
	{},
};

const struct vgpu_rule vgpu_registers_gen12[] = {
	CONSTANT(0x913c, 0x3f), /* GEOMETRY_DSS_ENABLE */
	AT_ONCE(0x4208, 0x4208), /* AUX table invalidation, engine by engine */
	AT_ONCE(0x4218, 0x4218),
	AT_ONCE(0x4238, 0x4238),
	AT_ONCE(0x4248, 0x4248),
	AT_ONCE(0x4298, 0x4298),
	AT_ONCE(0x42c8, 0x42c8),
	AT_ONCE(0xced8, 0xcee4), /* TLB invalidation */
	AT_ONCE(0xceec, 0xceec),
	AT_ONCE(0xcf04, 0xcf04),
	{},
};

/* clang-format on */
