// SPDX-License-Identifier: GPL-2.0-only
/*
 * select.c - what counters count, as the registers of the MUX and of the boolean counters select
 * it.
 */
#include "oa.h"
#include "select.h"

/**
 * DOC: Hashes instead of networks
 *
 * The NOA multiplexer is a network of hundreds of register fields, and most events that PEC
 * counters count are numbers without names; xe2_oa.c knows those that an overview needs. The others
 * are not simulated: a hash of the programmed values selects a signal and a share of it. That is as
 * exact as any other meaning, it differs between sets, and a driver that programs something else,
 * or in another order, gets other counts. Shares are small enough that no metric exceeds its
 * maximum.
 */

/**
 * sim_hash - hash a register write, by FNV-1a
 * @hash: of the writes before
 * @reg: MMIO offset
 * @value: what was written
 *
 * Return: hash of all of them
 */
u64 sim_hash(u64 hash, u32 reg, u32 value)
{
	const u64 prime = 0x100000001b3;

	return ((hash ^ reg) * prime ^ value) * prime;
}

/*
 * Signals that go up at most once in a clock, so that what a metric shows as a share of clocks
 * stays one.
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
 * sim_source_of_hash - what a counter counts whose configuration means nothing to us
 * @hash: hash of the configuration
 * @clocks: clocks in which it gets one event at most
 *
 * A signal and a share of it, so that a counter gets at most one event in @clocks clocks, and at
 * least a sixteenth of what it may get.
 *
 * Return: a share of a signal
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

/* What a flexible EU counter counts: fields of its event */
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
 * Of the cycles in which threads execute, those with this event, in 1/SIM_SHARE_ONE. FPU0 is never
 * busy for less than all kinds of numbers, nor XMX for less than all that it multiplies.
 */
static const u16 eu_shares[EU_N_EVENTS] = {
	[EU_FPU0] = 160,
	[EU_FPU1] = 96,
	[EU_SEND] = 40,
	[EU_BOTH_FPUS] = 64,
	[EU_ANY_PIPE] = SIM_SHARE_ONE,
	[EU_STALL] = SIM_SHARE_ONE, /* of those in which they wait */
	[EU_FP16] = 12,
	[EU_FP32] = 80,
	[EU_LOADED] = SIM_SHARE_ONE, /* of the threads */
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

/* Coarse filters: none, those of these stages, the one or the other row of EUs */
#define EU_ALL_STAGES 0
#define EU_ROW0 7
#define EU_ROW1 8

static const u8 eu_stages[EU_ROW0] = {
	[1] = SIM_VS, [2] = SIM_HS, [3] = SIM_DS, [4] = SIM_GS, [5] = SIM_PS, [6] = SIM_CS,
};

/*
 * Fine filters, in sixteenths: none; instructions that are hybrid, have three operands, two, or
 * move; one of four EUs
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
 * sim_source_of_eu_event - what a flexible EU counter counts
 * @event: its event select
 *
 * Events of flexible EU counters, as the volumes "Observability" of the programmer's reference
 * manuals describe them: an event, which threads it is counted for, and which instructions or EUs.
 * Sets of gen12.0 add up four counters, one for each EU of four. What the upper numbers of events
 * mean on gen12.5, and where their fifth bit is, follows from what the public metric sets call
 * them. Numbers without a meaning count nothing; nor do stages that no scene has.
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
 * sim_cec_is_test - are comparators programmed as by a test configuration?
 * @registers: values of CEC0_0, CEC0_1, CEC1_0, ...
 *
 * Are the comparators (CEC0_0, CEC0_1, CEC1_0, ...) programmed as the test configurations of all
 * generations do it, but for masks that make no difference? These make the multiplexer show them
 * the clock count.
 *
 * Return: true if they are
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
