// SPDX-License-Identifier: GPL-2.0-only
/*
 * select.c - counter sources selected by multiplexer, event and comparator registers.
 */
#include "oa.h"
#include "select.h"

/**
 * DOC: Hashes instead of networks
 *
 * The NOA multiplexer is a network of hundreds of register fields, and most events of PEC counters
 * are undocumented numbers; xe2.c has those that an overview needs. The others are not simulated: a
 * hash of the configuration selects a signal and a share of it. Counts are as exact as with the
 * real meaning and differ between sets, and a driver that writes a wrong value or uses a wrong
 * order gets other counts. Shares are so small that no metric exceeds its maximum.
 */

/**
 * sim_hash() - Add a register write to a hash (FNV-1a).
 * @hash: hash of the preceding writes
 * @reg: MMIO offset
 * @value: written value
 *
 * Return: the new hash
 */
u64 sim_hash(u64 hash, u32 reg, u32 value)
{
	const u64 prime = 0x100000001b3;

	return ((hash ^ reg) * prime ^ value) * prime;
}

/*
 * Signals with at most one event per clock, so that a metric in percent of clocks stays below 100
 * %.
 */
static const u8 unit_signals[] = {
	SIM_GPU_BUSY,
	SIM_SAMPLER0_BUSY,
	SIM_SAMPLER1_BUSY,
	SIM_SAMPLER0_BOTTLENECK,
	SIM_SAMPLER1_BOTTLENECK,
	SIM_SAMPLER0_TEXELS,
	SIM_SAMPLER1_TEXELS,
	SIM_SAMPLER0_L3,
	SIM_GTI_DEPTH,
	SIM_GTI_VF,
	SIM_GTI_RCC,
	SIM_GTI_L3,
	SIM_GTI_READS,
	SIM_GTI_WRITES,
	SIM_UNTYPED_READS,
	SIM_SLM_READS,
};

/**
 * sim_source_of_hash() - Derive the source of a counter with an unknown configuration.
 * @hash: hash of the configuration
 * @clocks: number of clocks in which it counts at most one event
 *
 * Return: a share of a signal: at most one event in @clocks clocks, and at least a sixteenth of
 * that maximum
 */
struct sim_source sim_source_of_hash(u64 hash, unsigned int clocks)
{
	const unsigned int whole = SIM_SHARE_ONE / clocks;

	hash ^= hash >> 29;
	return (struct sim_source){
		.signal = unit_signals[hash % ARRAY_SIZE(unit_signals)],
		.share = whole / 16 + (hash >> 16) % (whole * 15 / 16),
	};
}

/* Fields of the event select of a flexible EU counter */
#define EU_EVENT GENMASK(3, 0)
#define EU_COARSE_FILTER GENMASK(7, 4)
#define EU_FINE_FILTER GENMASK(11, 8)

/* Events */
enum {
	EU_FPU0,
	EU_FPU1,
	EU_SEND,
	EU_BOTH_FPUS,
	EU_ANY_PIPE,
	EU_STALL,
	EU_FP16,
	EU_FP32,
	EU_LOADED,
	EU_XMX,
	EU_FPU0_AND_XMX,
	EU_FP64,
	EU_INT16,
	EU_INT32,
	EU_XMX_BF16,
	EU_XMX_INT8,
	EU_MATH,
	EU_CONTROL,
	EU_XMX_FP16,
	EU_N_EVENTS,
};

/*
 * Share of each event in the cycles in which threads execute, in 1/SIM_SHARE_ONE. FPU0 is at least
 * as busy as all its number types together, and so is XMX.
 */
static const u16 eu_shares[EU_N_EVENTS] = {
	[EU_FPU0] = 160,
	[EU_FPU1] = 96,
	[EU_SEND] = 40,
	[EU_BOTH_FPUS] = 64,
	[EU_ANY_PIPE] = SIM_SHARE_ONE,
	[EU_STALL] = SIM_SHARE_ONE, /* all cycles in which threads wait */
	[EU_FP16] = 12,
	[EU_FP32] = 80,
	[EU_LOADED] = SIM_SHARE_ONE, /* of the resident threads */
	[EU_XMX] = 48,
	[EU_FPU0_AND_XMX] = 24,
	[EU_FP64] = 4,
	[EU_INT16] = 16,
	[EU_INT32] = 40,
	[EU_XMX_BF16] = 16,
	[EU_XMX_INT8] = 12,
	[EU_MATH] = 24,
	[EU_CONTROL] = 32,
	[EU_XMX_FP16] = 20,
};

/* Coarse filters: none, a shader stage, one of the two rows of EUs */
#define EU_ALL_STAGES 0
#define EU_ROW0 7
#define EU_ROW1 8

static const u8 eu_stages[EU_ROW0] = {
	[1] = SIM_VS, [2] = SIM_HS, [3] = SIM_DS, [4] = SIM_GS, [5] = SIM_PS, [6] = SIM_CS,
};

/*
 * Fine filters, in sixteenths: none; hybrid, three-operand, two-operand or move instructions; one
 * of four EUs
 */
#define EU_SIXTEENTHS 16

static const u8 eu_fine_filters[EU_SIXTEENTHS] = {
	[0] = EU_SIXTEENTHS,
	[1] = 1,
	[2] = 5,
	[3] = 7,
	[4] = 3,
	[7] = 4,
	[8] = 4,
	[9] = 4,
	[10] = 4,
};

/**
 * sim_source_of_eu_event() - Get the source of a flexible EU counter.
 * @event: event select of the counter
 *
 * The volumes "Observability" of the programmer's reference manuals describe the event selects: an
 * event, a filter of threads, and a filter of instructions or EUs. Metric sets of gen12.0 add up
 * four counters, one per EU in a group of four. The meaning of the higher event numbers of gen12.5
 * and the position of their fifth bit are inferred from the names in the public metric sets.
 * Unknown numbers count nothing.
 *
 * Return: a share of a signal
 */
struct sim_source sim_source_of_eu_event(u32 event)
{
	unsigned int what = FIELD_GET(EU_EVENT, event) | FIELD_GET(SIM_EU_EVENT_UPPER, event) << 4;
	unsigned int whose = FIELD_GET(EU_COARSE_FILTER, event);
	unsigned int share, stage;

	if (what >= EU_N_EVENTS || whose > EU_ROW1)
		return (struct sim_source){};
	share = eu_shares[what] * eu_fine_filters[FIELD_GET(EU_FINE_FILTER, event)] / EU_SIXTEENTHS;
	if (whose == EU_ALL_STAGES || whose >= EU_ROW0)
		return (struct sim_source){
			.signal = what == EU_STALL  ? SIM_EU_STALL :
				  what == EU_LOADED ? SIM_EU_LOADED :
						      SIM_EU_ACTIVE,
			.share = whose >= EU_ROW0 ? share / 2 : share,
		};
	stage = eu_stages[whose];
	return (struct sim_source){
		.signal = what == EU_STALL  ? SIM_STAGE_STALL(stage) :
			  what == EU_LOADED ? SIM_STAGE_LOADED(stage) :
					      SIM_STAGE_ACTIVE(stage),
		.share = share,
	};
}

/**
 * sim_cec_is_test() - Check whether the comparators have the program of a test configuration.
 * @registers: values of CEC0_0, CEC0_1, CEC1_0, ...
 *
 * The test configurations of all generations have the same program, except for masks that make no
 * difference. They make the multiplexer output the clock count.
 *
 * Return: true if they do
 */
bool sim_cec_is_test(const u32 *registers)
{
	static const u32 test[SIM_N_CECS] = {
		0x000004, 0x000003, 0x000007, 0x100002, 0x100002, 0x100082, 0x1000c2, 0x100001,
	};
	unsigned int i;

	for (i = 0; i < SIM_N_CECS; i++)
		if (registers[2 * i] != test[i])
			return false;
	return true;
}

/* CECx_0 */
#define CEC_FUNCTION GENMASK(2, 0)
#define CEC_VALUE GENMASK(18, 3)
#define CEC_SOURCE GENMASK(20, 19)
#define CEC_SOURCE_PREVIOUS 1
/* CECx_1 */
#define CEC_MASK GENMASK(15, 0)

/*
 * Input of the comparators: bit 3 is the clock count modulo 2, bits 5:4 modulo 3. The test
 * configurations of all generations rely on this.
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
 * sim_cec_patterns() - Compute the comparators' results for the clock count.
 * @registers: values of CEC0_0, CEC0_1, CEC1_0, ...
 * @patterns: set to a pattern for each of the SIM_N_CECS comparators
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

/*
 * Each function is monotone or a test for equality. So if these inputs have the same result, all
 * inputs have it.
 */
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
 * sim_cec_certain() - Find the comparators with a constant result.
 * @registers: values of CEC0_0, CEC0_1, CEC1_0, ...
 *
 * The result is constant if the mask excludes all bits, if the value is the minimum or maximum, or
 * if the input is the result of such a comparator.
 *
 * Return: bit n is set if the result of comparator n is constant
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
 * sim_cec_count() - Count the positive results of a comparator.
 * @pattern: pattern of the comparator's results
 * @clocks: number of clocks
 *
 * Return: number of positive results in clocks 0 .. @clocks - 1
 */
u64 sim_cec_count(u8 pattern, u64 clocks)
{
	u32 rest;
	u64 periods = div_u64_rem(clocks, SIM_CEC_PERIOD, &rest);

	return periods * hweight8(pattern) + hweight8(pattern & (BIT(rest) - 1));
}
