// SPDX-License-Identifier: GPL-2.0-only
/*
 * test_sim_select.c - signals that the simulator's counters count: EU events, and hashes.
 */
#include <kunit/test.h>

#include "vgpu/model/oa.h"
#include "vgpu/model/select.h"

/* Expected signal and share of an event */
struct eu_event {
	u32 event;
	int signal;
	int share;
};

/*
 * Bits 3:0 select the event; bits 7:4 the threads: all, vertex, hull, domain, geometry, pixel,
 * compute shaders, two rows of EUs; bits 11:8 the instructions: all, four kinds, two undefined
 * ones, one of four EUs.
 */
static void eu_events_are_filtered(struct kunit *test)
{
	static const struct eu_event events[] = {
		{ 0x004, SIM_EU_ACTIVE, 256 }, { 0x005, SIM_EU_STALL, 256 },
		{ 0x008, SIM_EU_LOADED, 256 }, { 0x000, SIM_EU_ACTIVE, 160 },
		{ 0x014, SIM_STAGE_ACTIVE(SIM_VS), 256 }, { 0x024, SIM_STAGE_ACTIVE(SIM_HS), 256 },
		{ 0x034, SIM_STAGE_ACTIVE(SIM_DS), 256 }, { 0x044, SIM_STAGE_ACTIVE(SIM_GS), 256 },
		{ 0x054, SIM_STAGE_ACTIVE(SIM_PS), 256 }, { 0x064, SIM_STAGE_ACTIVE(SIM_CS), 256 },
		{ 0x045, SIM_STAGE_STALL(SIM_GS), 256 }, { 0x068, SIM_STAGE_LOADED(SIM_CS), 256 },
		{ 0x074, SIM_EU_ACTIVE, 128 }, { 0x085, SIM_EU_STALL, 128 },
		{ 0x704, SIM_EU_ACTIVE, 64 }, { 0x805, SIM_EU_STALL, 64 },
		{ 0x908, SIM_EU_LOADED, 64 }, { 0xa50, SIM_STAGE_ACTIVE(SIM_PS), 40 },
		{ 0x474, SIM_EU_ACTIVE, 24 },
		/* Undefined */
		{ 0xfff, 0, 0 }, { 0x504, SIM_EU_ACTIVE, 0 }, { 0x604, SIM_EU_ACTIVE, 0 },
		{ 0xb04, SIM_EU_ACTIVE, 0 }, { 0x094, 0, 0 }, { 0x0f4, 0, 0 },
	};
	unsigned int i;

	for (i = 0; i < ARRAY_SIZE(events); i++) {
		struct sim_source source = sim_source_of_eu_event(events[i].event);

		KUNIT_EXPECT_EQ_MSG(test, (int)source.share, events[i].share, "event %03x",
				    events[i].event);
		KUNIT_EXPECT_EQ_MSG(test, (int)source.signal, events[i].signal, "event %03x",
				    events[i].event);
	}
}

static unsigned int eu_shares(u32 event, u32 field, u32 first, u32 last)
{
	unsigned int sum = 0;
	u32 i;

	for (i = first; i <= last; i++)
		sum += sim_source_of_eu_event(event | field * i).share;
	return sum;
}

/* Four EUs, or both rows, add up to all EUs. A pipe is no busier than its EU. */
static void filtered_eu_events_add_up_to_total(struct kunit *test)
{
	u32 event;

	for (event = 0; event < 9; event++) {
		unsigned int all = sim_source_of_eu_event(event).share;

		KUNIT_EXPECT_EQ_MSG(test, eu_shares(event, 0x100, 7, 10), all, "event %u", event);
		KUNIT_EXPECT_EQ_MSG(test, eu_shares(event, 0x010, 7, 8), all, "event %u", event);
		KUNIT_EXPECT_LE_MSG(test, eu_shares(event, 0x100, 1, 4), all, "event %u", event);
		KUNIT_EXPECT_LE_MSG(test, all, (unsigned int)SIM_SHARE_ONE, "event %u", event);
	}
	/* Any pipe is active for at least as long as one of the FPUs. */
	KUNIT_EXPECT_GE(test, eu_shares(4, 1, 0, 0) + eu_shares(3, 1, 0, 0),
			eu_shares(0, 1, 0, 1));
}

/* A counter fed by the multiplexer counts something, and at most one event per @clocks clocks. */
static void hashed_signals_respect_limit(struct kunit *test)
{
	unsigned int clocks, i;

	for (clocks = 1; clocks <= 16; clocks *= 2) {
		u64 hash = SIM_HASH_START;

		for (i = 0; i < 1000; i++) {
			struct sim_source source;

			hash = sim_hash(hash, clocks, i);
			source = sim_source_of_hash(hash, clocks);
			KUNIT_EXPECT_GT(test, (int)source.share, 0);
			KUNIT_EXPECT_LE(test, (int)source.share * clocks, (int)SIM_SHARE_ONE);
		}
	}
}

static struct kunit_case select_cases[] = {
	KUNIT_CASE(eu_events_are_filtered),
	KUNIT_CASE(filtered_eu_events_add_up_to_total),
	KUNIT_CASE(hashed_signals_respect_limit),
	{}
};

static struct kunit_suite select_suite = {
	.name = "gpuoa_sim_select",
	.test_cases = select_cases,
};

kunit_test_suite(select_suite);
