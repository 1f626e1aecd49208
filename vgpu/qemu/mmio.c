// SPDX-License-Identifier: MIT
/*
 * mmio.c - MMIO registers, including display, reset and power management.
 */
#include "device_host.h"
#include "engine.h"
#include "guc.h"
#include "mmio.h"
#include "registers.h"
#include "vgpu.h"
#include "vgpu/model/gpu.h"
#include "vgpu/model/platforms.h"

/*
 * A table maps each register to its rule. A register without a rule is logged once and stores the
 * written value, so that a driver can write an unknown chicken bit, and the log shows which rules
 * are missing.
 */

static u32 constant_read(struct vgpu *vgpu, const struct vgpu_rule *rule, u32 reg)
{
	return rule->value;
}

static void constant_write(struct vgpu *vgpu, const struct vgpu_rule *rule, u32 reg, u32 value)
{
}

static void masked_write(struct vgpu *vgpu, const struct vgpu_rule *rule, u32 reg, u32 value)
{
	u32 *stored = vgpu_reg(vgpu, reg), mask = value >> 16;

	*stored = (*stored & ~mask & 0xffff) | (value & mask);
}

static void write_1_clears(struct vgpu *vgpu, const struct vgpu_rule *rule, u32 reg, u32 value)
{
	*vgpu_reg(vgpu, reg) &= ~value;
}

/*
 * Read a register with pairs of bits: the upper bit is a request, the lower one the resulting
 * state.
 */
static u32 state_below_read(struct vgpu *vgpu, const struct vgpu_rule *rule, u32 reg)
{
	u32 value = *vgpu_reg(vgpu, reg);

	return (value & rule->value) | (value & rule->value) >> 1;
}

static u32 acknowledges_read(struct vgpu *vgpu, const struct vgpu_rule *rule, u32 reg)
{
	return *vgpu_reg(vgpu, reg + rule->value) & 0xffff;
}

const struct vgpu_behaviour vgpu_plain = {};
const struct vgpu_behaviour vgpu_constant = { constant_read, constant_write };
const struct vgpu_behaviour vgpu_masked = { .write = masked_write };
const struct vgpu_behaviour vgpu_write_1_clears = { .write = write_1_clears };
const struct vgpu_behaviour vgpu_done_at_once = { .write = constant_write };
const struct vgpu_behaviour vgpu_state_below = { .read = state_below_read };
const struct vgpu_behaviour vgpu_acknowledges = { acknowledges_read, constant_write };

static const struct vgpu_rule unknown = { 0, VGPU_MMIO_SIZE - 4, &vgpu_plain, 0 };

/**
 * vgpu_mmio_add() - Add a rule, which replaces earlier rules of the same registers.
 * @vgpu: the GPU
 * @rule: the rule; it must remain valid
 *
 * Return: 0 or -ENOSPC
 */
int vgpu_mmio_add(struct vgpu *vgpu, const struct vgpu_rule *rule)
{
	u32 reg;

	if (vgpu->n_rules == VGPU_MAX_RULES)
		return -ENOSPC;
	for (reg = rule->first; reg <= rule->last && reg < VGPU_MMIO_SIZE; reg += sizeof(u32)) {
		vgpu->rule_of[reg / sizeof(u32)] = vgpu->n_rules;
		if (rule->is == &vgpu_constant)
			*vgpu_reg(vgpu, reg) = rule->value;
	}
	vgpu->rules[vgpu->n_rules++] = rule;

	return 0;
}

/**
 * vgpu_mmio_add_table() - Add a table of rules.
 * @vgpu: the GPU
 * @table: ends with {}; it must remain valid
 *
 * Return: 0 or -ENOSPC
 */
int vgpu_mmio_add_table(struct vgpu *vgpu, const struct vgpu_rule *table)
{
	int ret = 0;

	for (; table->is && !ret; table++)
		ret = vgpu_mmio_add(vgpu, table);

	return ret;
}

/* Add a table of the render GT's registers for the media GT, at their offset there. */
static int add_media_table(struct vgpu *vgpu, const struct vgpu_rule *table)
{
	int ret = 0;

	for (; table->is && !ret; table++) {
		struct vgpu_rule *rule = &vgpu->media_rules[vgpu->n_media_rules];

		if (table->last >= MEDIA_GT_END)
			continue;
		if (vgpu->n_media_rules == VGPU_MAX_MEDIA_RULES)
			return -ENOSPC;
		*rule = *table;
		rule->first += MEDIA_GT;
		rule->last += MEDIA_GT;
		vgpu->n_media_rules++;
		ret = vgpu_mmio_add(vgpu, rule);
	}

	return ret;
}

/**
 * vgpu_mmio_init() - Add the rules of the platform.
 * @vgpu: the GPU
 *
 * Return: 0 or -ENOSPC
 */
int vgpu_mmio_init(struct vgpu *vgpu)
{
	int ret = vgpu_mmio_add(vgpu, &unknown);
	unsigned int i;

	if (vgpu->platform->n_gucs > 1) {
		ret = ret ?: add_media_table(vgpu, vgpu_registers_stored);
		ret = ret ?: add_media_table(vgpu, vgpu_registers_gt);
	}
	for (i = 0; i < VGPU_MAX_TABLES && vgpu->platform->tables[i] && !ret; i++)
		ret = vgpu_mmio_add_table(vgpu, vgpu->platform->tables[i]);

	return ret;
}

/* Get the rule of a register. A register without a rule is logged and gets one. */
static const struct vgpu_rule *mmio_rule(struct vgpu *vgpu, u32 reg, const char *access, u32 value)
{
	static const struct vgpu_rule seen = { 0, 0, &vgpu_plain, 0 };
	u16 *rule = &vgpu->rule_of[reg / sizeof(u32)];

	if (*rule)
		return vgpu->rules[*rule];
	vgpu_log(vgpu, "unknown register %#x, %s %#x\n", reg, access, value);
	if (vgpu->rules[vgpu->n_rules - 1] != &seen && vgpu_mmio_add(vgpu, &seen))
		return &unknown;
	*rule = vgpu->n_rules - 1;
	return &seen;
}

/**
 * vgpu_mmio_read() - Read a register for a driver or a batch.
 * @vgpu: the GPU
 * @reg: MMIO offset, a multiple of 4
 *
 * Return: its value
 */
u32 vgpu_mmio_read(struct vgpu *vgpu, u32 reg)
{
	const struct vgpu_rule *rule;

	if (reg >= VGPU_MMIO_SIZE) {
		vgpu_log(vgpu, "register %#x read, where none is\n", reg);
		return 0;
	}
	rule = mmio_rule(vgpu, reg, "read as", *vgpu_reg(vgpu, reg));

	return rule->is->read ? rule->is->read(vgpu, rule, reg) : *vgpu_reg(vgpu, reg);
}

/**
 * vgpu_mmio_write() - Write a register for a driver or a batch.
 * @vgpu: the GPU
 * @reg: MMIO offset, a multiple of 4
 * @value: value to write
 */
void vgpu_mmio_write(struct vgpu *vgpu, u32 reg, u32 value)
{
	const struct vgpu_rule *rule;

	if (reg >= VGPU_MMIO_SIZE) {
		vgpu_log(vgpu, "register %#x written, where none is\n", reg);
		return;
	}
	rule = mmio_rule(vgpu, reg, "written", value);
	if (rule->is->write)
		rule->is->write(vgpu, rule, reg, value);
	else
		*vgpu_reg(vgpu, reg) = value;
}

/**
 * vgpu_mmio_is() - Check the behaviour of a register.
 * @vgpu: the GPU
 * @reg: MMIO offset, a multiple of 4
 * @behaviour: the behaviour
 *
 * Return: true if the register has it
 */
bool vgpu_mmio_is(const struct vgpu *vgpu, u32 reg, const struct vgpu_behaviour *behaviour)
{
	return reg < VGPU_MMIO_SIZE &&
	       vgpu->rules[vgpu->rule_of[reg / sizeof(u32)]]->is == behaviour;
}

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

/*
 * Read the control register of a PLL. The PLL is locked unless it is disabled, and switches to the
 * selected source at once.
 */
static u32 lcpll_read(struct vgpu *vgpu, const struct vgpu_rule *rule, u32 reg)
{
	u32 value = *vgpu_reg(vgpu, reg) & ~(LCPLL_LOCK | LCPLL_SOURCE_FCLK_DONE);

	if (!(value & LCPLL_DISABLE))
		value |= LCPLL_LOCK;
	if (value & LCPLL_SOURCE_FCLK)
		value |= LCPLL_SOURCE_FCLK_DONE;

	return value;
}

/*
 * Start a transfer to a register behind the sideband interface. It succeeds at once, and all these
 * registers read as 0.
 */
static void sbi_write(struct vgpu *vgpu, const struct vgpu_rule *rule, u32 reg, u32 value)
{
	*vgpu_reg(vgpu, reg) = value & ~(SBI_BUSY | SBI_FAILED);
	*vgpu_reg(vgpu, SBI_DATA) = 0;
}

static const struct vgpu_behaviour lcpll = { .read = lcpll_read };
static const struct vgpu_behaviour sbi = { .write = sbi_write };

/* clang-format off: one row per kind of register */
const struct vgpu_rule vgpu_registers_display[] = {
	PLAIN(0x41000, 0x41000), /* VGA */
	{ FUSE_STRAP, FUSE_STRAP, &vgpu_constant, 0 }, /* all pipes, no clock limit */
	PLAIN(0x42020, 0x42020), /* clock gating */
	PLAIN(0x43208, 0x43208), /* frame buffer compression */
	PLAIN(0x44030, 0x44030), /* hotplug */
	{ 0x44040, 0x44040, &vgpu_write_1_clears }, /* GEN7_ERR_INT: no errors */
	PLAIN(0x45100, 0x45260), /* watermarks */
	PLAIN(0x46020, 0x46110), /* SPLL, WRPLL, clock selection */
	PLAIN(0x48250, 0x48350), /* backlight */
	PLAIN(0x60000, 0x647fc), /* pipes, and ports: none detected */
	PLAIN(0x6f000, 0x6f4fc), /* eDP transcoder */
	PLAIN(0x70000, 0x7ffff & ~3U), /* pipes, planes */
	PLAIN(0xc2000, 0xc2010), /* PCH: chicken bits */
	{ SFUSE_STRAP, SFUSE_STRAP, &vgpu_constant, SFUSE_STRAP_LOCKED | SFUSE_STRAP_NO_CRT },
	PLAIN(0xc4030, 0xc4034), /* PCH: hotplug */
	{ 0xc4040, 0xc4040, &vgpu_write_1_clears }, /* SERR_INT */
	PLAIN(0xc5010, 0xc5110), /* GMBUS */
	PLAIN(0xc6000, SBI_DATA),
	{ SBI_CTL_STAT, SBI_CTL_STAT, &sbi },
	PLAIN(0xc6204, 0xc6204), /* PCH: raw clock */
	PLAIN(0xc7200, 0xc7210), /* panel power */
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

#define RC_CONTROL_RC6 BIT(18)
#define RC6_UNIT_NS 1280

static bool anybody_awake(struct vgpu *vgpu)
{
	static const u32 wakes[] = {
		GEN7_FORCEWAKE,
		MEDIA_GT + GEN7_FORCEWAKE,
		MEDIA_GT + GEN11_FORCEWAKE_MEDIA_VDBOX,
		MEDIA_GT + GEN11_FORCEWAKE_MEDIA_VDBOX + 8,
		MEDIA_GT + GEN11_FORCEWAKE_MEDIA_VEBOX,
		MEDIA_GT + GEN11_FORCEWAKE_MEDIA_VEBOX + 4,
		GEN9_FORCEWAKE_MEDIA,
		GEN9_FORCEWAKE_RENDER,
		GEN11_FORCEWAKE_MEDIA_VDBOX,
		GEN11_FORCEWAKE_MEDIA_VDBOX + 4,
		GEN11_FORCEWAKE_MEDIA_VDBOX + 8,
		GEN11_FORCEWAKE_MEDIA_VDBOX + 12,
		GEN11_FORCEWAKE_MEDIA_VEBOX,
		GEN11_FORCEWAKE_MEDIA_VEBOX + 4,
	};
	unsigned int i;

	for (i = 0; i < ARRAY_SIZE(wakes); i++)
		if (*vgpu_reg(vgpu, wakes[i]) & 0xffff)
			return true;
	for (i = 0; i < vgpu->n_engines; i++)
		if (!vgpu_engine_is_idle(&vgpu->engines[i]))
			return true;

	return false;
}

/**
 * vgpu_power_update() - Let the GPU enter or leave RC6.
 * @vgpu: the GPU
 */
void vgpu_power_update(struct vgpu *vgpu)
{
	bool allowed = *vgpu_reg(vgpu, GEN6_RC_CONTROL) & RC_CONTROL_RC6 ||
		       vgpu_guc_allows_rc6(vgpu);
	bool asleep = allowed && !anybody_awake(vgpu);
	struct vgpu_sleep *sleep = &vgpu->sleep;

	if (asleep == sleep->asleep)
		return;
	sleep->asleep = asleep;
	if (asleep) {
		sleep->since = vgpu_time_cpu();
		sim_gpu_put(&vgpu->gpu);
	} else {
		sleep->residency_ns += vgpu_time_cpu() - sleep->since;
		sim_gpu_get(&vgpu->gpu);
	}
}

static u32 residency_read(struct vgpu *vgpu, const struct vgpu_rule *rule, u32 reg)
{
	u64 ns = vgpu->sleep.residency_ns;

	if (vgpu->sleep.asleep)
		ns += vgpu_time_cpu() - vgpu->sleep.since;

	return ns / RC6_UNIT_NS;
}

const struct vgpu_behaviour vgpu_residency = { .read = residency_read };

static unsigned int gt_of(u32 reg)
{
	return reg >= MEDIA_GT;
}

#define GDRST_ALL BIT(0)
#define GDRST_GUC BIT(3)

/* Reset engines. The register has one bit per engine, and all bits read as 0 after the reset. */
static void gdrst_write(struct vgpu *vgpu, const struct vgpu_rule *rule, u32 reg, u32 value)
{
	unsigned int i, gt = gt_of(reg);

	vgpu_log(vgpu, "reset %#x of GT %u\n", value, gt);
	for (i = 0; i < vgpu->n_engines; i++)
		if (vgpu->engines[i].class->gt == gt &&
		    value & (GDRST_ALL | vgpu->engines[i].class->reset))
			vgpu_engine_reset(&vgpu->engines[i]);
	/* On GPUs without a GuC, GDRST_GUC resets another engine instead. */
	if (value & (GDRST_ALL | GDRST_GUC))
		vgpu_guc_reset(vgpu, gt);
	if (value & GDRST_ALL)
		sim_gpu_reset_gt(&vgpu->gpu, gt);
}

const struct vgpu_behaviour vgpu_gdrst = { .write = gdrst_write };

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
/* Rule of a register that acknowledges the requests in another register */
#define ACKNOWLEDGES(reg, request)                                  \
	{                                                           \
		(reg), (reg), &vgpu_acknowledges, (request) - (reg) \
	}
/* Rule of the registers of power wells, which have pairs of request and state bits */
#define WELLS(first, last)                                     \
	{                                                      \
		(first), (last), &vgpu_state_below, 0xaaaaaaaa \
	}

/* Mailbox of the power controller: commands complete at once, without errors. */
#define PCODE_READY BIT(31)
#define PCODE_ERROR GENMASK(7, 0)
#define PCODE_COMMAND GENMASK(7, 0)
#define PCODE_DATA 0x138128
#define DGFX_PCODE_STATUS 0x7e
#define DGFX_INIT_COMPLETE BIT(0)

static void pcode_write(struct vgpu *vgpu, const struct vgpu_rule *rule, u32 reg, u32 value)
{
	*vgpu_reg(vgpu, reg) = value & ~(PCODE_READY | PCODE_ERROR);
	if ((value & PCODE_COMMAND) == DGFX_PCODE_STATUS)
		*vgpu_reg(vgpu, PCODE_DATA) = DGFX_INIT_COMPLETE;
}

static const struct vgpu_behaviour pcode = { .write = pcode_write };

/*
 * Read RPSTAT1. A requested frequency is reached at once, so this is the frequency in RPNSWREQ, in
 * a different field.
 */
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

/* Get the GPU frequency in units of 50/3 MHz; 0 in C6. A requested frequency is reached at once. */
static u32 frequency_ratio(struct vgpu *vgpu, unsigned int gt)
{
	u32 request = *vgpu_reg(vgpu, (gt ? MEDIA_GT : 0) + GEN6_RPNSWREQ);

	return vgpu->sleep.asleep ? 0 : request >> 23 & 0x1ff;
}

#define MIRROR_STATE_SHIFT 9
#define STATE_C6 3

static u32 mirror_read(struct vgpu *vgpu, const struct vgpu_rule *rule, u32 reg)
{
	u32 state = vgpu->sleep.asleep ? STATE_C6 : 0;

	return state << MIRROR_STATE_SHIFT | frequency_ratio(vgpu, gt_of(reg));
}

/* Before Meteor Lake, two registers have the C6 state and the current frequency. */
#define PERF_STATUS_SHIFT 11

static u32 core_status_read(struct vgpu *vgpu, const struct vgpu_rule *rule, u32 reg)
{
	return vgpu->sleep.asleep ? STATE_C6 : 0;
}

static u32 perf_status_read(struct vgpu *vgpu, const struct vgpu_rule *rule, u32 reg)
{
	return frequency_ratio(vgpu, 0) << PERF_STATUS_SHIFT;
}

static u32 mhz_ratio(u64 hz)
{
	return div_u64(hz * 3 + 25 * HZ_PER_MHZ, 50 * HZ_PER_MHZ);
}

/* Read the limits of the GPU frequency, from Meteor Lake on. The media GT has the same limits. */
static u32 mtl_cap_read(struct vgpu *vgpu, const struct vgpu_rule *rule, u32 reg)
{
	const struct gpuoa_unit_desc *desc = &vgpu->gpu.platform->desc;

	return mhz_ratio(desc->gt_min_frequency) << 16 | mhz_ratio(desc->gt_max_frequency);
}

/* Read the most efficient frequency, which is a third of the way from the lowest to the highest. */
static u32 mtl_efficient_read(struct vgpu *vgpu, const struct vgpu_rule *rule, u32 reg)
{
	const struct gpuoa_unit_desc *desc = &vgpu->gpu.platform->desc;

	return mhz_ratio(div_u64(2 * desc->gt_min_frequency + desc->gt_max_frequency, 3));
}

/* GPM counts the crystal clock, which is twice as fast as the timestamp. */
#define GPM_SHIFT 1

static u32 gpm_read(struct vgpu *vgpu, const struct vgpu_rule *rule, u32 reg)
{
	u64 ticks = sim_gpu_read_timestamp(&vgpu->gpu) << GPM_SHIFT;

	return reg & 4 ? upper_32_bits(ticks) : lower_32_bits(ticks);
}

/* Registers with which the driver resets the GPU. Local memory is initialized at once. */
#define GU_CNTL 0x101010
#define GU_CNTL_LMEM_INIT BIT(7)
#define GU_CNTL_DRIVER_FLR BIT(31)
#define GU_DEBUG 0x101018
#define GU_DEBUG_DRIVER_FLR BIT(31)

static u32 gu_cntl_read(struct vgpu *vgpu, const struct vgpu_rule *rule, u32 reg)
{
	return GU_CNTL_LMEM_INIT;
}

static void gu_cntl_write(struct vgpu *vgpu, const struct vgpu_rule *rule, u32 reg, u32 value)
{
	unsigned int gt;

	if (!(value & GU_CNTL_DRIVER_FLR))
		return;
	for (gt = 0; gt < vgpu->platform->n_gucs; gt++)
		vgpu_mmio_write(vgpu, (gt ? MEDIA_GT : 0) + GDRST, GDRST_ALL);
	*vgpu_reg(vgpu, GU_DEBUG) |= GU_DEBUG_DRIVER_FLR;
}

static const struct vgpu_behaviour mirror = { mirror_read, constant_write };
static const struct vgpu_behaviour core_status = { core_status_read, constant_write };
static const struct vgpu_behaviour perf_status = { perf_status_read, constant_write };
static const struct vgpu_behaviour mtl_cap = { mtl_cap_read, constant_write };
static const struct vgpu_behaviour mtl_efficient = { mtl_efficient_read, constant_write };
static const struct vgpu_behaviour gpm = { gpm_read, constant_write };
static const struct vgpu_behaviour gu_cntl = { gu_cntl_read, gu_cntl_write };

/* clang-format off: one row per kind of register */

/* Registers of any generation that only store their value */
const struct vgpu_rule vgpu_registers_stored[] = {
	PLAIN(0x0fdc, 0x0fdc), /* MCR_SELECTOR: steering */
	PLAIN(0x4000, 0x43fc), /* GLOBAL_MOCS, GAC_ECO_BITS, ring faults, status pages */
	PLAIN(0x4800, 0x487c), /* private PAT */
	PLAIN(0x4ab0, 0x4dfc), /* GAM_ECOCHK, GAMT_CHKN */
	PLAIN(0x5200, 0x528c), /* SO_NUM_PRIMS_WRITTEN .. SO_WRITE_OFFSET */
	PLAIN(0x6604, 0x6604), /* FF_MODE2 */
	PLAIN(0x7034, 0x7034), /* L3CNTLREG */
	PLAIN(0x7100, 0x7108),
	PLAIN(0x8000, 0x8010), /* MCFG_MCR, MBC */
	PLAIN(0x9030, 0x9044), /* ARB_MODE */
	PLAIN(0x9118, 0x9118), /* steering fuse */
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
	PLAIN(0xcebc, 0xcec4), /* ring fault, gen12 */
	PLAIN(0xcf68, 0xcf68), /* media GDRST */
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
	PLAIN(0x120010, 0x120010), /* ECOBUS, no EDRAM */
	PLAIN(0x130040, 0x130040), /* second forcewake acknowledgment */
	PLAIN(0x13805c, 0x13805c),
	PLAIN(0x138128, 0x1381a8), /* mailbox data; throttle reasons */
	PLAIN(0x145004, 0x145e04), /* memory controller: no channels */
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
	CONSTANT(RP_STATE_CAP, 0x071016), /* lowest, guaranteed and highest frequency in 50 MHz */
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
	CONSTANT(0x8504, 1), /* RC6_CTX_INFO: context in place */
	CONSTANT(0x9120, BIT(25)), /* FUSE2: slice 0, all subslices */
	CONSTANT(0x9134, 0), /* EU_DISABLE */
	CONSTANT(0x9138, 0),
	CONSTANT(0x913c, 0),
	{ GEN6_RPSTAT1, GEN6_RPSTAT1, &gen7_rpstat },
	{},
};

/* Fuses that disable all pipes of the display, and therefore the display itself, from gen9 on */
#define NO_PIPES (BIT(30) | BIT(28) | BIT(22) | BIT(21))

const struct vgpu_rule vgpu_registers_gen9[] = {
	CONSTANT(0x42000, ~0U), /* FUSE_STATUS: all distributed */
	{ 0x45008, 0x45008, &vgpu_state_below, BIT(31) }, /* DBUF_CTL */
	{ 0x44fe8, 0x44fe8, &vgpu_state_below, BIT(31) },
	CONSTANT(0x51000, NO_PIPES), /* DFSM */
	CONSTANT(0x8504, 1), /* RC6_CTX_INFO: context in place */
	CONSTANT(0x9120, BIT(25) | BIT(23)), /* FUSE2: slice 0, all subslices except 3 */
	CONSTANT(0x9134, 0), /* EU_DISABLE */
	CONSTANT(0xa26c, 2 << 1), /* CTC_MODE: timestamp shift */
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
	CONSTANT(0x9140, 0x000e00fe), /* VEBOX_VDBOX_DISABLE: one of each enabled */
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
	{ GU_CNTL, GU_CNTL, &gu_cntl },
	{ GU_DEBUG, GU_DEBUG, &vgpu_write_1_clears },
	{ 0x138060, 0x138060, &core_status }, /* GT_CORE_STATUS */
	{ 0x1381b4, 0x1381b4, &perf_status }, /* GT_PERF_STATUS */
	{ 0xa500, 0xa504, &gpm },
	CONSTANT(0x913c, 0x3f), /* GEOMETRY_DSS_ENABLE */
	AT_ONCE(0x4208, 0x4208), /* AUX table invalidation, per engine */
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

/* Local memory of 1 GiB; its last parts are the page table and stolen memory. */
#define VRAM_GIB 1
#define GSM_BASE (960U * SZ_1M)
#define DSM_BASE (968U * SZ_1M)
#define WOPCM_BASE (1016U * SZ_1M)
#define FLAT_CCS_BASE(base) ((base) / SZ_64K << 8)

const struct vgpu_rule vgpu_registers_dg2[] = {
	CONSTANT(0x4900, VRAM_GIB << 8), /* TILE0_ADDR_RANGE */
	CONSTANT(0x4910, FLAT_CCS_BASE(GSM_BASE)), /* the driver uses the memory below */
	CONSTANT(0x9118, 0xf), /* L3 */
	CONSTANT(0x9134, 0xff), /* pairs of EUs of an Xe core */
	CONSTANT(0x913c, ~0U), /* Xe cores: geometry */
	CONSTANT(0x9144, ~0U), /* compute */
	CONSTANT(0x9140, 0x00030005), /* two video enhancement engines, video engines 0 and 2 */
	CONSTANT(0xa094, 4 << 16), /* RC_STATE: RC6 is set up */
	CONSTANT(0x1080c0, DSM_BASE),
	CONSTANT(0x108100, GSM_BASE),
	CONSTANT(0x1082c0, WOPCM_BASE | 3 << 7), /* STOLEN_RESERVED: WOPCM of 8 MiB */
	{},
};

const struct vgpu_rule vgpu_registers_gt[] = {
	{ GDRST, GDRST, &vgpu_gdrst },
	{ 0x0c60, 0x0c60, &mirror }, /* MIRROR_TARGET_1 */
	{ 0xa500, 0xa504, &gpm },
	CONSTANT(0x0fd0, 1), /* STEER_SEMAPHORE: available at once */
	PLAIN(0x0fd4, 0x0fe0), /* steering */
	CONSTANT(0x0d00, 2 << 3 | 2 << 1), /* RPM_CONFIG0: crystal frequency and timestamp shift */
	CONSTANT(0xa26c, 0), /* CTC_MODE */
	MASKED(GEN7_FORCEWAKE, GEN7_FORCEWAKE),
	ACKNOWLEDGES(0x0dfc, GEN7_FORCEWAKE),
	CONSTANT(0x9120, BIT(2)), /* FUSE2: production */
	{},
};

#define MEDIA(reg) (MEDIA_GT + (reg))

/* GPUs with a media GT: from Meteor Lake on */
const struct vgpu_rule vgpu_registers_xe[] = {
	{ GU_CNTL, GU_CNTL, &gu_cntl },
	{ GU_DEBUG, GU_DEBUG, &vgpu_write_1_clears },
	{ 0x138048, 0x138048, &vgpu_residency }, /* of the media GT */
	{ 0x138000, 0x138000, &mtl_cap },
	{ 0x13800c, 0x13800c, &mtl_efficient },
	{ 0x138020, 0x138020, &mtl_cap }, /* of the media GT */
	{ 0x13802c, 0x13802c, &mtl_efficient },
	MASKED(GEN9_FORCEWAKE_RENDER, GEN9_FORCEWAKE_RENDER),
	ACKNOWLEDGES(0x0d84, GEN9_FORCEWAKE_RENDER),
	MASKED(MEDIA(0xa618), MEDIA(0xa618)), /* forcewake of the GSC */
	ACKNOWLEDGES(MEDIA(0x0df8), MEDIA(0xa618)),
	MASKED(MEDIA(GEN11_FORCEWAKE_MEDIA_VDBOX), MEDIA(GEN11_FORCEWAKE_MEDIA_VDBOX + 12)),
	MASKED(MEDIA(GEN11_FORCEWAKE_MEDIA_VEBOX), MEDIA(GEN11_FORCEWAKE_MEDIA_VEBOX + 4)),
	ACKNOWLEDGES(MEDIA(0x0d50), MEDIA(GEN11_FORCEWAKE_MEDIA_VDBOX)),
	ACKNOWLEDGES(MEDIA(0x0d58), MEDIA(GEN11_FORCEWAKE_MEDIA_VDBOX + 8)),
	ACKNOWLEDGES(MEDIA(0x0d70), MEDIA(GEN11_FORCEWAKE_MEDIA_VEBOX)),
	ACKNOWLEDGES(MEDIA(0x0d74), MEDIA(GEN11_FORCEWAKE_MEDIA_VEBOX + 4)),
	CONSTANT(0x8800, 0), /* no compression */
	CONSTANT(0x9114, 1 << 16), /* one compute engine */
	CONSTANT(0x108040, 0x01c0), /* GGC: page table of 8 MiB, 32 MiB of stolen memory */
	CONSTANT(0x1082c0, 3 << 7), /* STOLEN_RESERVED: WOPCM of 8 MiB */
	{},
};

#define GMD_ID(major, minor, step) ((major) << 22 | (minor) << 14 | (step))

const struct vgpu_rule vgpu_registers_mtl[] = {
	CONSTANT(0x0d8c, GMD_ID(12, 70, 4)),
	CONSTANT(MEDIA(0x0d8c), GMD_ID(13, 0, 4)),
	AT_ONCE(0x4208, 0x4208), /* AUX table invalidation, per engine */
	AT_ONCE(0x4248, 0x4248),
	AT_ONCE(0x42c8, 0x42c8),
	AT_ONCE(MEDIA(0x4218), MEDIA(0x4218)),
	AT_ONCE(MEDIA(0x4238), MEDIA(0x4238)),
	AT_ONCE(MEDIA(0x4298), MEDIA(0x4298)),
	CONSTANT(0xa094, 4 << 16), /* RC_STATE: RC6 is set up */
	CONSTANT(MEDIA(0xa094), 4 << 16),
	CONSTANT(0x9118, 0x3 << 16 | 0xf << 4), /* L3 */
	CONSTANT(0x9134, 0xff), /* pairs of EUs of an Xe core */
	CONSTANT(0x913c, 0xf), /* Xe cores: geometry */
	CONSTANT(0x9144, 0xf), /* compute */
	CONSTANT(MEDIA(0x9140), 0x00010005), /* video enhancement engine 0, video engines 0 and 2 */
	{},
};

const struct vgpu_rule vgpu_registers_lnl[] = {
	CONSTANT(0x0d8c, GMD_ID(20, 4, 4)),
	CONSTANT(MEDIA(0x0d8c), GMD_ID(20, 0, 4)),
	CONSTANT(0x9118, 0x3 << 16 | 0xf << 4), /* L3 */
	CONSTANT(0x9134, 0xff), /* EUs of an Xe core */
	CONSTANT(0x913c, 0xff), /* Xe cores: geometry */
	CONSTANT(0x9144, 0xff), /* compute */
	CONSTANT(MEDIA(0x9140), 0x00010001), /* one video and one video enhancement engine */
	{},
};

const struct vgpu_rule vgpu_registers_bmg[] = {
	CONSTANT(0x0d8c, GMD_ID(20, 1, 4)),
	CONSTANT(MEDIA(0x0d8c), GMD_ID(13, 1, 4)),
	CONSTANT(0x9118, 0x3f << 16 | 0x7 << 4), /* L3: six nodes with three banks each */
	CONSTANT(0x9134, 0xff), /* EUs of an Xe core */
	CONSTANT(0x913c, 0xfffff), /* Xe cores: geometry */
	CONSTANT(0x9144, 0xfffff), /* compute */
	CONSTANT(MEDIA(0x9140), 0x00030005), /* two video enhancement engines, video engines 0 and 2
					      */
	CONSTANT(0x4900, VRAM_GIB << 8), /* TILE_ADDR_RANGE; Linux 7.3 reads SG_TILE_ADDR_RANGE
					  */
	CONSTANT(0x1083a0, VRAM_GIB << 8),
	CONSTANT(0x108100, GSM_BASE),
	CONSTANT(0x1080c0, DSM_BASE),
	AT_ONCE(0xb404, 0xb404), /* cache flushes */
	AT_ONCE(0xb418, 0xb418),
	{},
};

const struct vgpu_rule vgpu_registers_ptl[] = {
	CONSTANT(0x0d8c, GMD_ID(30, 0, 4)),
	CONSTANT(MEDIA(0x0d8c), GMD_ID(30, 0, 4)),
	CONSTANT(0x9118, 1 << 16), /* L3: one node */
	CONSTANT(0x9130, 0xffff), /* its banks */
	CONSTANT(0x9134, 0xff), /* EUs of an Xe core */
	CONSTANT(0x913c, 0xfff), /* Xe cores: geometry */
	CONSTANT(0x9144, 0xfff), /* compute */
	CONSTANT(MEDIA(0x9140), 0x00010001), /* one video and one video enhancement engine */
	{},
};

/* clang-format on */
