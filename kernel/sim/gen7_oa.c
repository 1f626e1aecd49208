// SPDX-License-Identifier: GPL-2.0-only
/*
 * gen7_oa.c - Haswell's OA unit: what its registers do.
 */
#include <drm/drm_managed.h>
#include <linux/bitfield.h>
#include <linux/bits.h>
#include <linux/kernel.h>
#include <linux/mm.h>
#include <linux/sizes.h>
#include <linux/slab.h>
#include <linux/string.h>

#include "gen7_oa.h"
#include "gen7_truth.h"

/**
 * DOC: A lazy unit
 *
 * Nothing runs between two register accesses. Each access to the unit first brings it up to the
 * present: all reports that the timer has demanded since the last one are written, with the
 * timestamps and counter values of the moment that they stand for. To a driver this looks as if
 * the unit had worked all the time, no matter how late the host is.
 *
 * Where the driver breaks a rule of the hardware, the unit behaves as hardware that is treated so:
 *
 * - B and C counters stand still with clock gating on, with NOA off, or under an unknown
 *   multiplexer configuration;
 * - buffer registers set up in the wrong order give a buffer overflow bit that means nothing;
 * - reports for an address where no memory is get lost.
 *
 * When a report does not fit between tail and head, the overflow bit goes up and nothing is
 * written any more until the driver sets up the buffer again. (Real hardware can also be told to
 * overwrite; no driver does.)
 *
 * Status bits stay up until OASTATUS1 is written. The counter overflow bit goes up when a 32-bit
 * counter of the report format wraps.
 */

static const struct sim_register_range gen7_ranges[] = {
	{ 0x20cc, 0x20cc, SIM_REG_MASKED, ~0 },			/* WAIT_FOR_RC6_EXIT */
	{ RCS_TIMESTAMP, RCS_TIMESTAMP_UDW, SIM_REG_OA, 0 },
	{ OACONTROL, OASTATUS1, SIM_REG_OA | SIM_REG_VOLATILE, ~0 },
	{ OASTATUS2, OASTATUS2, SIM_REG_OA | SIM_REG_VOLATILE, OASTATUS2_HEAD | OASTATUS2_GGTT },
	{ OABUFFER, OABUFFER, SIM_REG_OA | SIM_REG_VOLATILE, OABUFFER_BASE | GENMASK(3, 0) },
	{ 0x2710, 0x2710, SIM_REG_OA | SIM_REG_VOLATILE, GENMASK(15, 0) },	/* STARTTRIG1 */
	{ OASTARTTRIG2, OASTARTTRIG2, SIM_REG_OA | SIM_REG_VOLATILE, (u32)~BIT(24) },
	{ 0x2718, 0x271c, SIM_REG_OA | SIM_REG_VOLATILE, ~0 },
	{ 0x2720, 0x2720, SIM_REG_OA | SIM_REG_VOLATILE, GENMASK(15, 0) },	/* STARTTRIG5 */
	{ OASTARTTRIG6, OASTARTTRIG6, SIM_REG_OA | SIM_REG_VOLATILE, (u32)~BIT(24) },
	{ 0x2728, 0x272c, SIM_REG_OA | SIM_REG_VOLATILE, ~0 },
	{ 0x2740, 0x275c, SIM_REG_OA | SIM_REG_VOLATILE, ~0 },	/* REPORTTRIG1..8 */
	{ CEC0_0, 0x27ac, SIM_REG_OA | SIM_REG_VOLATILE, ~0 },
	{ 0x91b8, 0x91cc, SIM_REG_MUX | SIM_REG_OA, ~0 },	/* OA_PERFCNT1..3 */
	{ UCGCTL1, UCGCTL1, SIM_REG_OA, ~0 },
	{ MISCCPCTL, MISCCPCTL, SIM_REG_OA, ~0 },
	{ 0x9800, 0x9888, SIM_REG_MUX | SIM_REG_OA, ~0 },	/* MICRO_BP0_0 .. NOA_WRITE */
	{ 0x9e80, 0x9ea4, SIM_REG_MUX | SIM_REG_OA, ~0 },	/* HSW_MBVID2_NOA0..9 */
	{ 0x9ec0, 0x9ec0, SIM_REG_MUX | SIM_REG_OA, ~0 },	/* HSW_MBVID2_MISR0 */
	{ 0xe180, 0xe180, SIM_REG_MASKED, ~0 },			/* HALF_SLICE_CHICKEN2 */
	{ 0x25100, 0x2ff90, SIM_REG_MUX | SIM_REG_OA, ~0 },	/* render NOA */
};

/*
 * Clock gating is on. Each of these two registers also has a bit that is not the OA driver's
 * business, so that one that forgets to preserve it is seen.
 */
static const struct sim_register_value gen7_reset[] = {
	{ UCGCTL1, BIT(5) },
	{ MISCCPCTL, DOP_CLOCK_GATE_ENABLE | BIT(1) },
};

/*
 * Find the memory behind the buffer registers. Without the GGTT bit the unit would need a
 * context's page tables.
 */
static void gen7_attach(struct sim_oa *oa)
{
	struct sim_gpu *gpu = oa->gpu;
	u32 oastatus1 = sim_mmio_peek(gpu, OASTATUS1), oastatus2 = sim_mmio_peek(gpu, OASTATUS2);
	u32 base = sim_mmio_peek(gpu, OABUFFER) & OABUFFER_BASE;
	struct sim_buffer *buffer = &oa->buffer;

	buffer->size = SZ_128K << FIELD_GET(OASTATUS1_BUFFER_SIZE, oastatus1);
	base &= ~(buffer->size - 1);
	buffer->memory = NULL;
	if (oastatus2 & OASTATUS2_GGTT)
		buffer->memory = sim_ggtt_find(gpu, base, buffer->size);
	buffer->head = (oastatus2 & OASTATUS2_HEAD) & (buffer->size - 1);
	buffer->tail = (oastatus1 & OASTATUS1_TAIL) & (buffer->size - 1);
}

static void gen7_write_tail(struct sim_oa *oa, u32 value)
{
	sim_buffer_land(&oa->buffer);
	oa->status = value & OASTATUS1_STATUS;
	if (oa->setup != GEN7_SETUP_BUFFER)
		oa->status |= OASTATUS1_BUFFER_OVERFLOW;
	oa->setup = GEN7_SETUP_NONE;
	oa->full = false;
	gen7_attach(oa);
}

static void gen7_write_buffer(struct sim_oa *oa)
{
	sim_buffer_land(&oa->buffer);
	if (oa->setup != GEN7_SETUP_HEAD)
		oa->status |= OASTATUS1_BUFFER_OVERFLOW;
	oa->setup = oa->setup == GEN7_SETUP_HEAD ? GEN7_SETUP_BUFFER : GEN7_SETUP_NONE;
	gen7_attach(oa);
}

/* While the unit runs, a new head is the reader's progress, not the beginning of a setup. */
static void gen7_write_head(struct sim_oa *oa, u32 value)
{
	if (!(sim_mmio_peek(oa->gpu, OACONTROL) & OACONTROL_ENABLE))
		oa->setup = GEN7_SETUP_HEAD;
	oa->buffer.head = (value & OASTATUS2_HEAD) & (oa->buffer.size - 1);
}

/* The next report is the first one that is due after @now. */
static void gen7_schedule(struct sim_oa *oa, u64 now)
{
	oa->next = sim_stream_due(&oa->gpu->timeline, oa->stream, now + 1, oa->exponent);
}

static void gen7_write_control(struct sim_oa *oa, u32 value)
{
	int slot = SIM_GLOBAL;

	sim_buffer_land(&oa->buffer);
	oa->next = GEN7_NEVER;
	oa->cursor.to = 0;
	if (!(value & OACONTROL_ENABLE) || !(value & OACONTROL_TIMER_ENABLE))
		return;

	/* A context that doesn't exist never runs. */
	if (value & OACONTROL_PER_CONTEXT_ENABLE)
		slot = sim_slot_find(oa->gpu, value & OACONTROL_CONTEXT);
	if (slot < 0)
		return;
	oa->stream = slot;
	oa->format = &gen7_formats[FIELD_GET(OACONTROL_FORMAT, value)];
	oa->exponent = FIELD_GET(OACONTROL_TIMER_PERIOD, value);
	memset(oa->report, 0, sizeof(oa->report));
	gen7_attach(oa);
	gen7_schedule(oa, sim_now(oa->gpu));
}

/* Each configuration begins by switching NOA on, so that is where its hash begins. */
static void gen7_write_mux(struct sim_oa *oa, u32 reg, u32 value)
{
	if (reg == GDT_CHICKEN_BITS)
		oa->mux = value & GT_NOA_ENABLE ? GEN7_HASH_START : 0;
	if (oa->mux)
		oa->mux = gen7_hash(oa->mux, reg, value);
	oa->stale = true;
}

static void gen7_written(struct sim_gpu *gpu, u32 reg, u32 value, u32 flags)
{
	struct sim_oa *oa = gpu->oa;

	if (flags & SIM_REG_MUX) {
		gen7_write_mux(oa, reg, value);
		return;
	}
	switch (reg) {
	case OACONTROL:
		gen7_write_control(oa, value);
		break;
	case OASTATUS1:
		gen7_write_tail(oa, value);
		break;
	case OASTATUS2:
		gen7_write_head(oa, value);
		break;
	case OABUFFER:
		gen7_write_buffer(oa);
		break;
	default:
		oa->stale = true;
	}
}

static u32 gen7_read(struct sim_gpu *gpu, u32 reg, u32 value)
{
	struct sim_oa *oa = gpu->oa;
	u64 now;

	switch (reg) {
	case OASTATUS1:
		return (sim_mmio_peek(gpu, OABUFFER) & OABUFFER_BASE & ~(oa->buffer.size - 1)) |
		       oa->buffer.tail | (value & OASTATUS1_BUFFER_SIZE) | oa->status;
	case RCS_TIMESTAMP:
	case RCS_TIMESTAMP_UDW:
		now = sim_now(gpu) + sim_timeline_present(&gpu->timeline)->offset;
		return reg == RCS_TIMESTAMP ? lower_32_bits(now) : upper_32_bits(now);
	default:
		return value;
	}
}

static void gen7_sleep(struct sim_gpu *gpu)
{
	struct sim_oa *oa = gpu->oa;

	sim_buffer_land(&oa->buffer);
	oa->next = GEN7_NEVER;
	oa->setup = GEN7_SETUP_NONE;
	oa->status = 0;
	oa->full = false;
	oa->stale = true;
	gen7_attach(oa);
}

static void gen7_retime(struct sim_gpu *gpu, u64 now)
{
	struct sim_oa *oa = gpu->oa;

	oa->cursor.to = 0;
	if (oa->next != GEN7_NEVER)
		gen7_schedule(oa, now);
}

static void gen7_unmapped(struct sim_gpu *gpu, u64 address, u64 size)
{
	struct sim_oa *oa = gpu->oa;
	u64 base = sim_mmio_peek(gpu, OABUFFER) & OABUFFER_BASE & ~(oa->buffer.size - 1);

	if (base >= address && base < address + size) {
		sim_buffer_land(&oa->buffer);
		oa->buffer.memory = NULL;
	}
}

static int gen7_overflow(struct sim_gpu *gpu)
{
	struct sim_oa *oa = gpu->oa;

	if (oa->next == GEN7_NEVER)
		return -ENODATA;
	oa->full = true;
	oa->status |= OASTATUS1_BUFFER_OVERFLOW;
	return 0;
}

static void gen7_wrap(struct sim_gpu *gpu, u32 events)
{
	gpu->oa->wrap = events;
}

static const char *gen7_mux(struct sim_gpu *gpu, u64 *hash)
{
	struct sim_oa *oa = gpu->oa;

	gen7_reselect(oa);
	*hash = oa->mux;
	return oa->selection.set ? oa->selection.set->name : "unknown";
}

static void gen7_truth(struct sim_gpu *gpu, struct seq_file *m, u64 ticks, const __uint128_t *from,
		       const __uint128_t *to)
{
	struct gen7_selection known;
	unsigned long flags;

	raw_spin_lock_irqsave(&gpu->lock, flags);
	known = gpu->oa->known;
	raw_spin_unlock_irqrestore(&gpu->lock, flags);
	gen7_print_truth(m, &gpu->platform->desc, &known, ticks, from, to);
}

static void gen7_destroy(struct drm_device *drm, void *oa)
{
	kvfree(oa);
}

static int gen7_create(struct sim_gpu *gpu)
{
	struct sim_oa *oa = kvzalloc(sizeof(*oa), GFP_KERNEL);

	if (!oa)
		return -ENOMEM;
	oa->gpu = gpu;
	oa->next = GEN7_NEVER;
	oa->stale = true;
	/*
	 * Before anything has been programmed, the truth is told for the set that everybody
	 * begins with.
	 */
	oa->known.set = &gen7_sets[0];
	oa->known.direct = ~0;
	gpu->oa = oa;
	gen7_attach(oa);
	return drmm_add_action_or_reset(&gpu->drm, gen7_destroy, oa);
}

const struct sim_generation sim_gen7 = {
	.ranges = gen7_ranges,
	.n_ranges = ARRAY_SIZE(gen7_ranges),
	.reset = gen7_reset,
	.n_reset = ARRAY_SIZE(gen7_reset),
	.create = gen7_create,
	.advance = gen7_advance,
	.read = gen7_read,
	.written = gen7_written,
	.sleep = gen7_sleep,
	.retime = gen7_retime,
	.unmapped = gen7_unmapped,
	.overflow = gen7_overflow,
	.wrap = gen7_wrap,
	.mux = gen7_mux,
	.truth = gen7_truth,
};
