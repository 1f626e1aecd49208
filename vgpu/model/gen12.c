// SPDX-License-Identifier: GPL-2.0-only
/*
 * gen12.c - registers of gen12 to Xe2 OA units, and OAG of gen12.0 and gen12.7.
 */
#include "gen12.h"
#include "gen8.h"
#include "gpu.h"
#include "oa.h"
#include "select.h"

static struct sim_oa_buffer gen12_buffer(const struct sim_oa *oa, u32 value)
{
	const struct gen12_unit *unit = oa->ops->variant;
	bool large = unit->large &&
		     sim_mmio_peek(oa->gpu, unit->debug) & GEN12_5_OA_DEBUG_BUF_SIZE_SELECT;

	return (struct sim_oa_buffer){
		.base = value & GEN12_OABUFFER_BASE,
		.size = (large ? SZ_1M : SZ_128K) << FIELD_GET(GEN12_OABUFFER_SIZE, value),
		.ggtt = value & GEN12_OABUFFER_GGTT,
	};
}

static void gen12_write_control(struct sim_oa *oa, u32 value)
{
	const struct gen12_unit *unit = oa->ops->variant;
	u32 timer = sim_mmio_peek(oa->gpu, unit->timer);
	const struct sim_oa_run run = {
		.format = unit->format(value),
		.timer = timer & GEN12_CTXCTRL_TIMER_ENABLE,
		.exponent = FIELD_GET(GEN12_CTXCTRL_TIMER_PERIOD, timer),
		.stream = SIM_GLOBAL,
	};

	if (value & GEN12_OACONTROL_ENABLE && run.format)
		sim_oa_start(oa, &run);
	else
		sim_oa_stop(oa);
}

#define REPORT_TRIGGER_ENABLE BIT(31)
#define REPORT_TRIGGER_INVERT_D0 BIT(22)

static void gen12_write_report_trigger(struct sim_oa *oa, u32 reason, u32 value, u32 before)
{
	if (value & REPORT_TRIGGER_ENABLE && value & ~before & REPORT_TRIGGER_INVERT_D0)
		sim_oa_trigger(oa, reason, 0);
}

static void gen12_write_mmio_trigger(struct sim_oa *oa, u32 value)
{
	const struct gen12_unit *unit = oa->ops->variant;

	if (sim_mmio_peek(oa->gpu, unit->debug) & GEN12_5_OA_DEBUG_DISABLE_MMIO_TRG)
		return;
	if (oa->faults.lose_triggers) {
		oa->faults.lose_triggers--;
		oa->status |= GEN12_5_OASTATUS_MMIO_TRG_Q_FULL;
		return;
	}
	sim_oa_trigger(oa, SIM_REASON_MMIO, value);
}

/* Handle a write to A18..A20 of gen12.0, which marks a report. A write changes 32 bits. */
static void gen12_write_counter(struct sim_oa *oa, u32 reg, u32 value)
{
	sim_oa_set_counter(oa, GEN8_A + (reg - OAG_COUNTER_A0) / sizeof(u64), value);
}

static void gen12_write_other(struct sim_oa *oa, u32 reg, u32 value, u32 before, u32 flags)
{
	const struct gen12_unit *unit = oa->ops->variant;

	switch (reg) {
	case OAG_REPORTTRIG2:
		gen12_write_report_trigger(oa, SIM_REASON_TRIGGER1, value, before);
		break;
	case OAG_REPORTTRIG6:
		gen12_write_report_trigger(oa, SIM_REASON_TRIGGER2, value, before);
		break;
	case OAG_COUNTER_A0 + 18 * sizeof(u64):
	case OAG_COUNTER_A0 + 19 * sizeof(u64):
	case OAG_COUNTER_A0 + 20 * sizeof(u64):
		gen12_write_counter(oa, reg, value);
		return;
	}
	if (flags & SIM_REG_MUX)
		sim_oa_write_mux(oa, reg, value,
				 reg == unit->noa && !(value & RPM_CONFIG1_NOA_ENABLE));
	oa->stale = true;
}

/**
 * gen12_written() - Implement &sim_oa_ops.written.
 * @oa: the unit
 * @reg: MMIO offset
 * @value: value written by the driver
 * @before: previous value
 * @flags: SIM_REG_*
 */
void gen12_written(struct sim_oa *oa, u32 reg, u32 value, u32 before, u32 flags)
{
	const struct gen12_unit *unit = oa->ops->variant;
	const struct sim_oa_buffer buffer = gen12_buffer(oa, value);

	if (reg == unit->control)
		gen12_write_control(oa, value);
	else if (reg == unit->status)
		oa->status = value & (SIM_STATUS_BITS | GEN12_5_OASTATUS_MMIO_TRG_Q_FULL);
	else if (reg == unit->head)
		sim_oa_write_head(oa, value);
	else if (reg == unit->buffer)
		sim_oa_write_buffer(oa, &buffer);
	else if (reg == unit->tail)
		sim_oa_write_tail(oa, value);
	else if (unit->trigger && reg == unit->trigger)
		gen12_write_mmio_trigger(oa, value);
	else
		gen12_write_other(oa, reg, value, before, flags);
}

/* Registers with the B and C counters of gen12.0, which queries in batches read */
#define OAG_COUNTER_B0 0xda94
#define OAG_COUNTER_C7 0xdad0

static u32 gen12_read_counter(struct sim_oa *oa, u32 reg)
{
	u64 value = sim_oa_counter(oa, GEN8_A + (reg - OAG_COUNTER_A0) / sizeof(u64));

	return reg & 4 ? value >> 32 & 0xff : value;
}

/**
 * gen12_read() - Implement &sim_oa_ops.read.
 * @oa: the unit
 * @reg: MMIO offset
 * @value: value stored there
 *
 * Return: the value that the driver reads
 */
u32 gen12_read(struct sim_oa *oa, u32 reg, u32 value)
{
	const struct gen12_unit *unit = oa->ops->variant;

	if (reg == unit->status)
		return oa->status;
	if (reg == unit->tail)
		return oa->base + sim_oa_tail(oa);
	switch (reg) {
	case RCS_TIMESTAMP:
		return lower_32_bits(sim_oa_timestamp(oa));
	case RCS_TIMESTAMP_UDW:
		return upper_32_bits(sim_oa_timestamp(oa));
	case OAG_COUNTER_A0 ... OAG_COUNTER_A0 + 0xfc:
		return gen12_read_counter(oa, reg);
	case SIM_RPSTAT:
		return sim_rpstat_gen9(oa);
	case SIM_OAG_A36:
		return sim_oa_counter(oa, GEN8_A + 36);
	case SIM_OAG_A37:
		return sim_oa_counter(oa, GEN8_A + 37);
	case OAG_COUNTER_B0 ... OAG_COUNTER_C7:
		return sim_oa_counter(oa, GEN8_B + (reg - OAG_COUNTER_B0) / sizeof(u32));
	default:
		return value;
	}
}

/**
 * gen12_select() - Implement &sim_oa_ops.select.
 * @oa: the unit
 * @selection: set to the sources of the unit's counters
 *
 * The unit's own counters follow their event selects even without a multiplexer configuration.
 */
void gen12_select(struct sim_oa *oa, struct sim_selection *selection)
{
	const struct gen12_unit *unit = oa->ops->variant;

	unit->select(oa, selection);
	sim_select_boolean(oa, &unit->boolean, oa->ops->first_b, selection);
}

/**
 * gen12_reasons() - Implement &sim_oa_ops.reasons.
 * @oa: the unit
 *
 * Return: SIM_REASON_*
 */
u32 gen12_reasons(const struct sim_oa *oa)
{
	const struct gen12_unit *unit = oa->ops->variant;
	u32 debug = sim_mmio_peek(oa->gpu, unit->debug);
	u32 reasons = SIM_REASON_SWITCH | SIM_REASON_GO | SIM_REASON_RATIO;

	if (!unit->sees_contexts)
		return 0;
	if (debug & GEN12_OA_DEBUG_DISABLE_CTX_SWITCH_REPORTS)
		reasons &= ~SIM_REASON_SWITCH;
	if (debug & GEN12_OA_DEBUG_DISABLE_GO_1_0_REPORTS)
		reasons &= ~SIM_REASON_GO;
	if (debug & GEN12_OA_DEBUG_DISABLE_CLK_RATIO_REPORTS)
		reasons &= ~SIM_REASON_RATIO;
	return reasons;
}

static u32 gen12_unslice_ratio(const struct sim_oa *oa)
{
	const struct gen12_unit *unit = oa->ops->variant;

	if (!(sim_mmio_peek(oa->gpu, unit->debug) & GEN12_OA_DEBUG_INCLUDE_CLK_RATIO))
		return 0;
	return FIELD_PREP(REPORT_ID_UNSLICE_RATIO, sim_ratio(oa->cursor.mhz));
}

/**
 * gen12_fill_header() - Implement &sim_oa_ops.fill_header for gen12.0.
 * @oa: the unit
 * @reasons: SIM_REASON_*
 * @context: unused
 *
 * As on gen9, each report has the id of the current context.
 */
void gen12_fill_header(struct sim_oa *oa, u32 reasons, u32 context)
{
	unsigned int slot = oa->cursor.slot;
	u32 ratio = gen12_unslice_ratio(oa);

	oa->report[0] = FIELD_PREP(REPORT_ID_REASON, reasons) | ratio | ratio >> 7 << 9 |
			ratio << 25;
	if (slot < SIM_N_SLOTS)
		oa->report[0] |= REPORT_ID_CONTEXT_VALID;
	oa->report[2] = sim_slot_context(oa->gpu, slot);
}

/**
 * gen12_5_fill_header() - Implement &sim_oa_ops.fill_header for gen12.5 and later.
 * @oa: the unit
 * @reasons: SIM_REASON_*
 * @context: value written to the MMIO trigger
 *
 * As on gen9, bit 16 is set while a context runs. It does not qualify the context field: in the
 * report of an MMIO trigger, that holds the value written.
 */
void gen12_5_fill_header(struct sim_oa *oa, u32 reasons, u32 context)
{
	unsigned int slot = oa->cursor.slot;
	u32 id = FIELD_PREP(GEN12_5_REPORT_ID_REASON, reasons) | gen12_unslice_ratio(oa);
	u32 *field = &oa->report[oa->run.format->word == sizeof(u64) ? 4 : 2];

	*field = reasons & SIM_REASON_MMIO ? context : sim_slot_context(oa->gpu, slot);
	if (reasons & SIM_REASON_SWITCH)
		id |= FIELD_PREP(GEN12_5_REPORT_ID_SOURCE, REPORT_SOURCE_RCS);
	if (slot < SIM_N_SLOTS)
		id |= REPORT_ID_CONTEXT_VALID;
	oa->report[0] = id;
}

/**
 * gen12_event() - Get the counter source of an event select.
 * @low: first register of the event select
 * @high: second register of the event select
 *
 * Return: a share of a signal; none if both registers are 0
 */
struct sim_source gen12_event(u32 low, u32 high)
{
	if (!low && !high)
		return (struct sim_source){};
	return sim_source_of_hash(sim_hash(SIM_HASH_START, low, high), 1);
}

/* Registers common to all OAGs */
const struct sim_register_range sim_ranges_oag[] = {
	{ 0x0d00, 0x0d2c, MUX, ~0 }, /* RPM_CONFIG0, 1, NOA_CONFIG0..8 */
	{ RCS_CONTEXT_CONTROL, RCS_CONTEXT_CONTROL, MASKED, ~0 },
	{ RCS_TIMESTAMP, RCS_TIMESTAMP_UDW, OA, 0 },
	{ RCS_OACTXCONTROL, RCS_OACTXCONTROL, 0, ~0 },
	{ OAR_OACONTROL, OAR_OACONTROL, 0, ~0 },
	{ OAG_OAGLBCTXCTRL, 0x2b2c, LOST, ~0 }, /* and OA_PESS */
	{ SQCNT1, SQCNT1, 0, ~0 },
	{ OA_TLB_INV_CR, OA_TLB_INV_CR, 0, 0 },
	{ 0xd900, 0xd97c, LOST, ~0 }, /* triggers, comparators */
	{ OAG_OACONTROL, OAG_OACONTROL, LOST, ~0 },
	{ OAG_OA_DEBUG, OAG_OA_DEBUG, LOST | MASKED, ~0 },
	{ OAG_OASTATUS, OAG_OABUFFER, LOST, ~0 },
	{ 0xdc00, 0xdc48, LOST, ~0 }, /* SCEC0_0 .. OAA_ENABLE */
	{ EU_PERF_CNTL0, EU_PERF_CNTL4, OA, ~0 },
	{ EU_PERF_CNTL1, EU_PERF_CNTL5, OA, ~0 },
	{ EU_PERF_CNTL2, EU_PERF_CNTL6, OA, ~0 },
	{ EU_PERF_CNTL3, EU_PERF_CNTL3, OA, ~0 },
	{},
};

/* Registers added by gen12.5 */
const struct sim_register_range sim_ranges_oag_gen12_5[] = {
	{ OAG_MMIOTRIGGER, OAG_MMIOTRIGGER, OA, ~0 },
	{ 0xdd00, 0xdd48, LOST, ~0 }, /* LCE0_0 .. OAA_LENABLE */
	{},
};

const struct sim_register_range sim_ranges_gen12[] = {
	{ WAIT_FOR_RC6_EXIT, WAIT_FOR_RC6_EXIT, MASKED, ~0 },
	{ 0x9840, 0x9840, MUX, ~0 }, /* GDT_CHICKEN_BITS */
	{ 0x9884, 0x9888, MUX, ~0 }, /* NOA_WRITE_HIGH, NOA_WRITE */
	{ OAG_COUNTER_A0, OAG_COUNTER_A0 + 0xfc, OA, 0 },
	{ OAG_COUNTER_B0, OAG_COUNTER_C7, OA, 0 },
	{ SIM_RPSTAT, SIM_RPSTAT, OA, 0 },
	{},
};

static const struct sim_format *oag_gen12_format(u32 control)
{
	const struct sim_format *format =
		&gen8_formats[control >> OAG_OACONTROL_FORMAT_SHIFT & 0x7];

	return format->size ? format : NULL;
}

static const struct gen12_unit oag_gen12 = {
	GEN12_OAG,
	.format = oag_gen12_format,
	.select = gen8_select_a,
};

const struct sim_oa_ops sim_oag_gen12 = {
	GEN12_OA,
	.banks = gen8_banks,
	.n_banks = GEN12_N_BANKS,
	.n_counters = GEN12_N_COUNTERS,
	.first_b = GEN8_B,
	.mux_clocks = 4,
	.default_format = &gen8_formats[5],
	.per_context = true,
	.variant = &oag_gen12,
	.fill_header = gen12_fill_header,
};

const struct sim_register_range sim_ranges_dg2[] = {
	{ 0x9840, 0x9840, MUX, ~0 }, /* GDT_CHICKEN_BITS */
	{ 0x9884, 0x9888, MUX, ~0 }, /* NOA_WRITE_HIGH, NOA_WRITE */
	{ SIM_OAG_A36, SIM_OAG_A37, OA, 0 },
	{ ROW_CHICKEN, ROW_CHICKEN2, MASKED, ~0 }, /* clock gating of EUs */
	{},
};

const struct sim_register_range sim_ranges_mtl[] = {
	{ 0x9840, 0x9840, MUX, ~0 }, /* GDT_CHICKEN_BITS */
	{ 0x9884, 0x9888, MUX, ~0 }, /* NOA_WRITE_HIGH, NOA_WRITE */
	{ SIM_OAG_A36, SIM_OAG_A37, OA, 0 },
	{ 0x38d100, 0x38d114, MUX, ~0, 1 }, /* VISACTL, of the media unit */
	{},
};

/* A36 and A37 replace the upper bytes of A0..A3 and A24..A27. */
static const struct sim_format a24u40_a14u32_b8_c8 = {
	.size = 256,
	.word = sizeof(u32),
	.runs = {
		{ GEN8_CLOCK, 1, 32, 12 },
		{ GEN8_A, 4, 32, 16 },
		{ GEN8_A + 4, 20, 40, 32, 164 },
		{ GEN8_A + 24, 4, 32, 112 },
		{ GEN8_A + 28, 4, 40, 128, 188 },
		{ GEN8_A + 32, 5, 32, 144 },
		{ GEN8_A + 37, 1, 32, 184 },
		{ GEN8_B, 16, 32, 192 },
	},
};

static const struct sim_format *oag_mtl_format(u32 control)
{
	return (control >> OAG_OACONTROL_FORMAT_SHIFT & 0x7) == 5 ? &a24u40_a14u32_b8_c8 : NULL;
}

static const struct gen12_unit oag_mtl = {
	GEN12_OAG,
	.trigger = OAG_MMIOTRIGGER,
	.format = oag_mtl_format,
	.select = gen12_5_select_a,
	.large = true,
};

const struct sim_oa_ops sim_oag_mtl = {
	GEN12_OA,
	.banks = gen8_banks,
	.n_banks = GEN12_N_BANKS,
	.n_counters = GEN12_N_COUNTERS,
	.first_b = GEN8_B,
	.mux_clocks = 1,
	.default_format = &a24u40_a14u32_b8_c8,
	.batch_format = &gen8_formats[5],
	.per_context = true,
	.variant = &oag_mtl,
	.fill_header = gen12_5_fill_header,
};
