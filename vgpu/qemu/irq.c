// SPDX-License-Identifier: MIT
/*
 * irq.c - interrupts of engines, and the interrupt registers of each generation.
 */
#include "engine.h"
#include "irq.h"
#include "pci.h"
#include "registers.h"
#include "vgpu.h"

/*
 * An interrupt block has four registers: state, mask, identity and enables. An interrupt that is
 * raised and not masked sets its identity bit, which stays set until 1 is written to it. An MSI is
 * sent when an enabled identity bit is set and none was before.
 */
#define ISR 0x0
#define IMR 0x4
#define IIR 0x8
#define IER 0xc

#define MASTER_ENABLE BIT(31)

/* Display and hotplug interrupts, which are never raised. */
#define PCH                              \
	{                                \
		0xc4000, 0xc400c, &block \
	}
#define HOTPLUG                          \
	{                                \
		0x64800, 0x648fc, &block \
	}

/**
 * vgpu_irq_update() - Send an MSI if an interrupt has become asserted.
 * @vgpu: the GPU
 */
void vgpu_irq_update(struct vgpu *vgpu)
{
	bool line = vgpu->irq.ops->asserted(vgpu);

	if (line && !vgpu->irq.line)
		vgpu_pci_interrupt(vgpu);
	vgpu->irq.line = line;
}

/**
 * vgpu_irq_engine() - Raise interrupts of an engine.
 * @engine: the engine
 * @bits: VGPU_IRQ_*
 */
void vgpu_irq_engine(struct vgpu_engine *engine, u32 bits)
{
	engine->vgpu->irq.ops->raise(engine, bits);
	vgpu_irq_update(engine->vgpu);
}

/**
 * vgpu_irq_init() - Register the interrupt registers.
 * @vgpu: the GPU
 *
 * Return: 0 or -ENOSPC
 */
int vgpu_irq_init(struct vgpu *vgpu)
{
	vgpu->irq.ops = vgpu->platform->irq;

	return vgpu_mmio_add_table(vgpu, vgpu->irq.ops->rules);
}

/* ---- blocks ------------------------------------------------------------------------------- */

static void block_write(struct vgpu *vgpu, const struct vgpu_rule *rule, u32 reg, u32 value)
{
	if (reg % 16 == IIR)
		*vgpu_reg(vgpu, reg) &= ~value;
	else
		*vgpu_reg(vgpu, reg) = value;
	vgpu_irq_update(vgpu);
}

static const struct vgpu_behaviour block = { .write = block_write };

static void block_raise(struct vgpu *vgpu, u32 first, u32 bits)
{
	*vgpu_reg(vgpu, first + IIR) |= bits & ~*vgpu_reg(vgpu, first + IMR);
}

static u32 block_asserted(struct vgpu *vgpu, u32 first)
{
	return *vgpu_reg(vgpu, first + IIR) & *vgpu_reg(vgpu, first + IER);
}

static void master_write(struct vgpu *vgpu, const struct vgpu_rule *rule, u32 reg, u32 value)
{
	*vgpu_reg(vgpu, reg) = value & MASTER_ENABLE;
	vgpu_irq_update(vgpu);
}

/* ---- gen7 --------------------------------------------------------------------------------- */

#define GEN7_DE 0x44000
#define GEN7_GT 0x44010
#define GEN7_PM 0x44020

/*
 * Check whether an interrupt is asserted. The master enable is a bit of the display's enable
 * register.
 */
static bool gen7_asserted(struct vgpu *vgpu)
{
	return *vgpu_reg(vgpu, GEN7_DE + IER) & MASTER_ENABLE &&
	       (block_asserted(vgpu, GEN7_GT) || block_asserted(vgpu, GEN7_PM) ||
		block_asserted(vgpu, GEN7_DE) & ~MASTER_ENABLE);
}

static void gen7_raise(struct vgpu_engine *engine, u32 bits)
{
	u32 bit = BIT(engine->class->irq_shift);

	/* The engine's mask has the bit at the same position as the block. */
	if (bits & VGPU_IRQ_USER && !(*vgpu_engine_reg(engine, RING_IMR) & bit))
		block_raise(engine->vgpu, engine->class->irq_block, bit);
}

static const struct vgpu_rule gen7_rules[] = {
	{ GEN7_DE, GEN7_DE + IER, &block },
	{ GEN7_GT, GEN7_GT + IER, &block },
	{ GEN7_PM, GEN7_PM + IER, &block },
	PCH,
	HOTPLUG,
	{},
};

const struct vgpu_irq_ops vgpu_irq_gen7 = { gen7_raise, gen7_asserted, gen7_rules };

/* ---- gen8 and gen9 ------------------------------------------------------------------------ */

#define GEN8_MASTER 0x44200
#define GEN8_GT(which) (0x44300 + 16 * (which))

static u32 gen8_status(struct vgpu *vgpu)
{
	u32 status = 0;
	unsigned int i;

	for (i = 0; i < vgpu->n_engines; i++) {
		const struct vgpu_engine_class *class = vgpu->engines[i].class;

		if (block_asserted(vgpu, GEN8_GT(class->irq_block)) & 0xffffU << class->irq_shift)
			status |= class->master;
	}

	return status;
}

static bool gen8_asserted(struct vgpu *vgpu)
{
	return *vgpu_reg(vgpu, GEN8_MASTER) & MASTER_ENABLE && gen8_status(vgpu);
}

static void gen8_raise(struct vgpu_engine *engine, u32 bits)
{
	/* The engine's mask has the bits at the same positions as the block. */
	bits <<= engine->class->irq_shift;
	block_raise(engine->vgpu, GEN8_GT(engine->class->irq_block),
		    bits & ~*vgpu_engine_reg(engine, RING_IMR));
}

static u32 gen8_master_read(struct vgpu *vgpu, const struct vgpu_rule *rule, u32 reg)
{
	return *vgpu_reg(vgpu, reg) | gen8_status(vgpu);
}

static const struct vgpu_behaviour gen8_master = { gen8_master_read, master_write };

static const struct vgpu_rule gen8_rules[] = {
	{ GEN8_MASTER, GEN8_MASTER, &gen8_master },
	{ GEN8_GT(0), GEN8_GT(3) + IER, &block },
	{ 0x44400, 0x444fc, &block }, /* display: pipes, ports, misc, PCU */
	PCH,
	HOTPLUG,
	{},
};

const struct vgpu_irq_ops vgpu_irq_gen8 = { gen8_raise, gen8_asserted, gen8_rules };

/* ---- gen11 and later ---------------------------------------------------------------------- */

/*
 * Two dwords have one bit per engine, and each dword has a selector. Writing a bit to the selector
 * latches the interrupts raised by that engine in the dword's identity register. Writing the
 * identity register frees it for the next engine.
 */
#define GEN11_MASTER 0x190010
#define GEN11_GT_DWORD(which) (0x190018 + 4 * (which))
#define GEN11_ENABLES 0x190030
#define GEN11_ENABLES_LAST 0x190050
#define GEN11_IDENTITY(which) (0x190060 + 4 * (which))
#define IDENTITY_VALID BIT(31)
#define IDENTITY_CLASS GENMASK(18, 16)
#define IDENTITY_INSTANCE GENMASK(25, 20)
#define GEN11_SELECTOR(which) (0x190070 + 4 * (which))
#define GEN11_MASKS 0x190090
#define GEN11_MASKS_LAST 0x1900f0

static u32 gen11_dword(const struct vgpu *vgpu, unsigned int which)
{
	u32 value = 0;
	unsigned int i;

	for (i = 0; i < 32; i++)
		if (vgpu->irq.gt[32 * which + i])
			value |= BIT(i);

	return value;
}

static u32 gen11_status(const struct vgpu *vgpu)
{
	return (gen11_dword(vgpu, 0) ? BIT(0) : 0) | (gen11_dword(vgpu, 1) ? BIT(1) : 0);
}

static bool gen11_asserted(struct vgpu *vgpu)
{
	return *vgpu_reg(vgpu, GEN11_MASTER) & MASTER_ENABLE && gen11_status(vgpu);
}

static void gen11_raise(struct vgpu_engine *engine, u32 bits)
{
	const struct vgpu_engine_class *class = engine->class;

	bits &= *vgpu_reg(engine->vgpu, class->irq_block) >> class->irq_shift & 0xffff;
	engine->vgpu->irq.gt[class->master] |= bits;
}

/*
 * Interrupts of the GuCs, by GT. They share the enables in the upper half of one register; their
 * masks are in different halves of another register.
 */
#define GEN11_GUC_ENABLE 0x190038
#define GEN11_GUC_MASK 0x1900e8
#define GUC_TO_HOST BIT(15)
#define CLASS_OTHER 4U

static const struct {
	unsigned int bit;
	u32 instance;
	unsigned int mask_shift;
} guc_sources[VGPU_MAX_GUCS] = { { 25, 0, 16 }, { 24, 16, 0 } };

/**
 * vgpu_irq_guc() - Raise the interrupt of a GuC for messages to the host.
 * @vgpu: the GPU
 * @gt: GT of the GuC
 */
void vgpu_irq_guc(struct vgpu *vgpu, unsigned int gt)
{
	u32 masked = *vgpu_reg(vgpu, GEN11_GUC_MASK) >> guc_sources[gt].mask_shift;
	u32 enabled = *vgpu_reg(vgpu, GEN11_GUC_ENABLE) >> 16;

	vgpu->irq.gt[guc_sources[gt].bit] |= enabled & ~masked & GUC_TO_HOST;
	vgpu_irq_update(vgpu);
}

static u32 gen11_master_read(struct vgpu *vgpu, const struct vgpu_rule *rule, u32 reg)
{
	return *vgpu_reg(vgpu, reg) | gen11_status(vgpu);
}

static u32 gen11_dword_read(struct vgpu *vgpu, const struct vgpu_rule *rule, u32 reg)
{
	return gen11_dword(vgpu, (reg - GEN11_GT_DWORD(0)) / sizeof(u32));
}

/* A write to this register has no effect on its bits: only the selector clears them. */
static void gen11_dword_write(struct vgpu *vgpu, const struct vgpu_rule *rule, u32 reg, u32 value)
{
	vgpu_irq_update(vgpu);
}

static u32 gen11_identity_read(struct vgpu *vgpu, const struct vgpu_rule *rule, u32 reg)
{
	return vgpu->irq.identity[(reg - GEN11_IDENTITY(0)) / sizeof(u32)];
}

static void gen11_identity_write(struct vgpu *vgpu, const struct vgpu_rule *rule, u32 reg,
				 u32 value)
{
	if (value & IDENTITY_VALID)
		vgpu->irq.identity[(reg - GEN11_IDENTITY(0)) / sizeof(u32)] = 0;
}

/*
 * Get the class and instance of the source of an interrupt, as in an identity register; 0 if
 * unknown.
 */
static u32 gen11_source(const struct vgpu *vgpu, unsigned int bit)
{
	unsigned int i;

	for (i = 0; i < vgpu->n_engines; i++) {
		const struct vgpu_engine_class *class = vgpu->engines[i].class;

		if (class->master == bit)
			return FIELD_PREP(IDENTITY_CLASS, (u32) class->class) |
			       FIELD_PREP(IDENTITY_INSTANCE, class->instance);
	}
	for (i = 0; i < VGPU_MAX_GUCS; i++)
		if (guc_sources[i].bit == bit)
			return FIELD_PREP(IDENTITY_CLASS, CLASS_OTHER) |
			       FIELD_PREP(IDENTITY_INSTANCE, guc_sources[i].instance);

	return 0;
}

static void gen11_selector_write(struct vgpu *vgpu, const struct vgpu_rule *rule, u32 reg,
				 u32 value)
{
	unsigned int which = (reg - GEN11_SELECTOR(0)) / sizeof(u32), i;

	for (i = 32 * which; i < 32 * which + 32; i++) {
		if (!vgpu->irq.gt[i] || !(value & BIT(i % 32)))
			continue;
		vgpu->irq.identity[which] = IDENTITY_VALID | vgpu->irq.gt[i] |
					    gen11_source(vgpu, i);
		vgpu->irq.gt[i] = 0;
		return;
	}
}

static const struct vgpu_behaviour gen11_master = { gen11_master_read, master_write };
static const struct vgpu_behaviour gen11_dwords = { gen11_dword_read, gen11_dword_write };
static const struct vgpu_behaviour gen11_identity = { gen11_identity_read, gen11_identity_write };
static const struct vgpu_behaviour gen11_selector = { .write = gen11_selector_write };

static const struct vgpu_rule gen11_rules[] = {
	{ GEN11_MASTER, GEN11_MASTER, &gen11_master },
	{ GEN11_GT_DWORD(0), GEN11_GT_DWORD(1), &gen11_dwords },
	{ GEN11_ENABLES, GEN11_ENABLES_LAST, &vgpu_plain },
	{ GEN11_IDENTITY(0), GEN11_IDENTITY(1), &gen11_identity },
	{ GEN11_SELECTOR(0), GEN11_SELECTOR(1), &gen11_selector },
	{ GEN11_MASKS, GEN11_MASKS_LAST, &vgpu_plain },
	{ 0x44200, 0x44200, &vgpu_plain }, /* display's master */
	{ 0x44400, 0x444fc, &block }, /* display: pipes, ports, misc, PCU */
	PCH,
	HOTPLUG,
	{},
};

const struct vgpu_irq_ops vgpu_irq_gen11 = { gen11_raise, gen11_asserted, gen11_rules };

/* ---- Xe_LPG and later --------------------------------------------------------------------- */

/*
 * Master interrupt register of the tile. It has the enable bit; the graphics master register only
 * shows the status.
 */
#define TILE_MASTER 0x190008
#define XE_MASKS_LAST 0x19013c

static bool xe_asserted(struct vgpu *vgpu)
{
	return *vgpu_reg(vgpu, TILE_MASTER) & MASTER_ENABLE && gen11_status(vgpu);
}

static u32 xe_tile_read(struct vgpu *vgpu, const struct vgpu_rule *rule, u32 reg)
{
	return *vgpu_reg(vgpu, reg) | (gen11_status(vgpu) ? BIT(0) : 0);
}

static u32 xe_master_read(struct vgpu *vgpu, const struct vgpu_rule *rule, u32 reg)
{
	return gen11_status(vgpu);
}

static const struct vgpu_behaviour xe_tile = { xe_tile_read, master_write };
static const struct vgpu_behaviour xe_master = { xe_master_read, gen11_dword_write };

static const struct vgpu_rule xe_rules[] = {
	{ TILE_MASTER, TILE_MASTER, &xe_tile },
	{ GEN11_MASTER, GEN11_MASTER, &xe_master },
	{ GEN11_GT_DWORD(0), GEN11_GT_DWORD(1), &gen11_dwords },
	{ GEN11_ENABLES, GEN11_ENABLES_LAST, &vgpu_plain },
	{ GEN11_IDENTITY(0), GEN11_IDENTITY(1), &gen11_identity },
	{ GEN11_SELECTOR(0), GEN11_SELECTOR(1), &gen11_selector },
	{ GEN11_MASKS, XE_MASKS_LAST, &vgpu_plain },
	{ 0x44400, 0x444fc, &block }, /* display: pipes, ports, misc, PCU */
	PCH,
	HOTPLUG,
	{},
};

const struct vgpu_irq_ops vgpu_irq_xe = { gen11_raise, xe_asserted, xe_rules };
