// SPDX-License-Identifier: MIT
/*
 * mmio.c - registers: finds what an access does, and does it.
 */
#include "mmio.h"
#include "vgpu.h"

/*
 * Rules are found by a table with an entry for each register. A register without a rule is logged,
 * once, and stores what is written: a driver that writes a chicken bit that no table knows goes on,
 * and whoever extends the tables learns of it.
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

/* Bits in pairs: the upper one of each requests, the lower one tells that it is so. */
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
 * vgpu_mmio_add - make registers known; they replace what was known of them
 * @vgpu: the GPU
 * @rule: the registers; it stays where it is
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
 * vgpu_mmio_add_table - make the registers of a table known
 * @vgpu: the GPU
 * @table: ends with {}; it stays where it is
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

/**
 * vgpu_mmio_init - make the registers of the platform known
 * @vgpu: the GPU
 *
 * Return: 0 or -ENOSPC
 */
int vgpu_mmio_init(struct vgpu *vgpu)
{
	int ret = vgpu_mmio_add(vgpu, &unknown);
	unsigned int i;

	for (i = 0; i < VGPU_MAX_TABLES && vgpu->platform->tables[i] && !ret; i++)
		ret = vgpu_mmio_add_table(vgpu, vgpu->platform->tables[i]);

	return ret;
}

/* The rule of a register. One that is unknown is told of, and known from then on. */
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
 * vgpu_mmio_read - read a register as a driver does, or a batch
 * @vgpu: the GPU
 * @reg: MMIO offset, a multiple of 4
 *
 * Return: what it shows
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
 * vgpu_mmio_write - write a register as a driver does, or a batch
 * @vgpu: the GPU
 * @reg: MMIO offset, a multiple of 4
 * @value: what is written
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
 * vgpu_mmio_is - does a register behave so?
 * @vgpu: the GPU
 * @reg: MMIO offset, a multiple of 4
 * @behaviour: how
 *
 * Return: true if it does
 */
bool vgpu_mmio_is(const struct vgpu *vgpu, u32 reg, const struct vgpu_behaviour *behaviour)
{
	return reg < VGPU_MMIO_SIZE &&
	       vgpu->rules[vgpu->rule_of[reg / sizeof(u32)]]->is == behaviour;
}
