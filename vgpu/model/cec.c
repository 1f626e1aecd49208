// SPDX-License-Identifier: GPL-2.0-only
/*
 * cec.c - evaluates the comparators (CEC) in front of the B counters on a clock count: pure
 * arithmetic.
 */
#include "cec.h"

/* CECx_0 */
#define CEC_FUNCTION GENMASK(2, 0)
#define CEC_VALUE GENMASK(18, 3)
#define CEC_SOURCE GENMASK(20, 19)
#define CEC_SOURCE_PREVIOUS 1
/* CECx_1 */
#define CEC_MASK GENMASK(15, 0)

/*
 * What the comparators are shown: bit 3 counts clocks modulo 2, bits 5:4 modulo 3. This is what
 * the test configurations of all generations rely on.
 */
static u16 cec_bus(unsigned int clock)
{
	return (clock % 2) << 3 | (clock % 3) << 4;
}

static bool cec_compare(u32 cec0, u32 cec1, u16 input)
{
	u16 considered = ~FIELD_GET(CEC_MASK, cec1);
	u16 value = FIELD_GET(CEC_VALUE, cec0) & considered;

	input &= considered;
	switch (FIELD_GET(CEC_FUNCTION, cec0)) {
	case 0:
		return considered & ~(input ^ value);
	case 1:
		return input > value;
	case 2:
		return input == value;
	case 3:
		return input >= value;
	case 4:
		return input < value;
	case 5:
		return input != value;
	case 6:
		return input <= value;
	default:
		return true;
	}
}

/**
 * sim_cec_patterns - what comparators say of the clock count
 * @registers: values of CEC0_0, CEC0_1, CEC1_0, ...
 * @patterns: gets a pattern for each of the SIM_N_CECS comparators
 */
void sim_cec_patterns(const u32 *registers, u8 *patterns)
{
	unsigned int clock, i;

	for (i = 0; i < SIM_N_CECS; i++)
		patterns[i] = 0;

	for (clock = 0; clock < SIM_CEC_PERIOD; clock++) {
		bool previous = false;

		for (i = 0; i < SIM_N_CECS; i++) {
			u32 cec0 = registers[2 * i];
			u16 input = cec_bus(clock);

			if (FIELD_GET(CEC_SOURCE, cec0) == CEC_SOURCE_PREVIOUS)
				input = previous;
			previous = cec_compare(cec0, registers[2 * i + 1], input);
			if (previous)
				patterns[i] |= BIT(clock);
		}
	}
}

/* Each function is monotone or asks for equality: it says the same of these if of all inputs. */
static bool cec_is_constant(u32 cec0, u32 cec1)
{
	u16 value = FIELD_GET(CEC_VALUE, cec0);
	const u16 inputs[] = { value, ~value, U16_MAX };
	bool answer = cec_compare(cec0, cec1, 0);
	unsigned int i;

	for (i = 0; i < ARRAY_SIZE(inputs); i++)
		if (cec_compare(cec0, cec1, inputs[i]) != answer)
			return false;

	return true;
}

/**
 * sim_cec_certain - which comparators say the same of each clock, whatever they are shown?
 * @registers: values of CEC0_0, CEC0_1, CEC1_0, ...
 *
 * Those are comparators whose mask leaves nothing to compare or whose value is the least or the
 * greatest one, and those that look at the answer of such a one.
 *
 * Return: bit n: comparator n does
 */
u8 sim_cec_certain(const u32 *registers)
{
	bool certain = false;
	unsigned int i;
	u8 all = 0;

	for (i = 0; i < SIM_N_CECS; i++) {
		u32 cec0 = registers[2 * i], cec1 = registers[2 * i + 1];

		if (FIELD_GET(CEC_SOURCE, cec0) != CEC_SOURCE_PREVIOUS || !certain)
			certain = cec_is_constant(cec0, cec1);
		if (certain)
			all |= BIT(i);
	}

	return all;
}

/**
 * sim_cec_count - how often has a comparator said yes?
 * @pattern: its pattern
 * @clocks: clocks that have passed
 *
 * Return: how many of the clocks 0 .. @clocks - 1 it says yes to
 */
u64 sim_cec_count(u8 pattern, u64 clocks)
{
	u32 rest;
	u64 periods = div_u64_rem(clocks, SIM_CEC_PERIOD, &rest);

	return periods * hweight8(pattern) + hweight8(pattern & (BIT(rest) - 1));
}
