// SPDX-License-Identifier: MIT
/*
 * alu.c - MI_MATH: arithmetic with the general purpose registers of an engine.
 */
#include "commands.h"
#include "engine.h"
#include "registers.h"
#include "vgpu.h"

#define OPCODE GENMASK(31, 20)
#define OPERAND1 GENMASK(19, 10)
#define OPERAND2 GENMASK(9, 0)

enum {
	OP_NOOP = 0x000,
	OP_LOAD = 0x080,
	OP_LOAD0 = 0x081,
	OP_ADD = 0x100,
	OP_SUB = 0x101,
	OP_AND = 0x102,
	OP_OR = 0x103,
	OP_XOR = 0x104,
	OP_STORE = 0x180,
	OP_LOADINV = 0x480,
	OP_LOAD1 = 0x481,
	OP_STOREINV = 0x580,
};

#define OPERAND_SRCA 0x20
#define OPERAND_SRCB 0x21
#define OPERAND_ACCU 0x31
#define OPERAND_ZF 0x32
#define OPERAND_CF 0x33

struct alu {
	struct vgpu_engine *engine;
	u64 a;
	u64 b;
	u64 accumulator;
	bool carry;
};

static u64 alu_operand(const struct alu *alu, u32 operand)
{
	const u32 *gpr = vgpu_engine_reg(alu->engine, RING_GPR + 8 * operand);

	switch (operand) {
	case 0 ... RING_N_GPRS - 1:
		return gpr[0] | (u64)gpr[1] << 32;
	case OPERAND_ACCU:
		return alu->accumulator;
	case OPERAND_ZF:
		return alu->accumulator ? 0 : U64_MAX;
	case OPERAND_CF:
		return alu->carry ? U64_MAX : 0;
	default:
		return 0;
	}
}

static void alu_load(struct alu *alu, u32 operand, u64 value)
{
	if (operand == OPERAND_SRCA)
		alu->a = value;
	else if (operand == OPERAND_SRCB)
		alu->b = value;
}

static void alu_store(const struct alu *alu, u32 operand, u64 value)
{
	u32 *gpr = vgpu_engine_reg(alu->engine, RING_GPR + 8 * operand);

	if (operand >= RING_N_GPRS)
		return;
	gpr[0] = lower_32_bits(value);
	gpr[1] = upper_32_bits(value);
}

static bool alu_do(struct alu *alu, u32 instruction)
{
	u32 first = FIELD_GET(OPERAND1, instruction), second = FIELD_GET(OPERAND2, instruction);

	switch (FIELD_GET(OPCODE, instruction)) {
	case OP_NOOP:
		break;
	case OP_LOAD:
		alu_load(alu, first, alu_operand(alu, second));
		break;
	case OP_LOADINV:
		alu_load(alu, first, ~alu_operand(alu, second));
		break;
	case OP_LOAD0:
		alu_load(alu, first, 0);
		break;
	case OP_LOAD1:
		alu_load(alu, first, U64_MAX);
		break;
	case OP_ADD:
		alu->accumulator = alu->a + alu->b;
		alu->carry = alu->accumulator < alu->a;
		break;
	case OP_SUB:
		alu->accumulator = alu->a - alu->b;
		alu->carry = alu->a < alu->b;
		break;
	case OP_AND:
		alu->accumulator = alu->a & alu->b;
		break;
	case OP_OR:
		alu->accumulator = alu->a | alu->b;
		break;
	case OP_XOR:
		alu->accumulator = alu->a ^ alu->b;
		break;
	case OP_STORE:
		alu_store(alu, first, alu_operand(alu, second));
		break;
	case OP_STOREINV:
		alu_store(alu, first, ~alu_operand(alu, second));
		break;
	default:
		return false;
	}

	return true;
}

/**
 * vgpu_math - MI_MATH
 * @cs: the command
 *
 * Return: 0; -EOPNOTSUPP: an instruction is unknown
 */
int vgpu_math(struct sim_cs *cs)
{
	struct alu alu = { .engine = vgpu_engine_of(cs) };
	unsigned int i;

	for (i = 1; i < cs->n; i++)
		if (!alu_do(&alu, cs->command[i]))
			return -EOPNOTSUPP;

	return 0;
}
