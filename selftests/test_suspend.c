// SPDX-License-Identifier: MIT
/*
 * test_suspend.c - a GPU that is suspended and resumed, or reset by its driver, while in use.
 */
#define _GNU_SOURCE
#include <errno.h>
#include <unistd.h>

#include "event.h"
#include "kselftest_harness.h"
#include "sim.h"

FIXTURE(suspend)
{
	struct perf_event_attr attr;
	struct reader reader;
	uint64_t resets;
};

FIXTURE_SETUP(suspend)
{
	self->attr = flat_attr(9, 1);
	ASSERT_EQ(0, reader_open(&self->reader, &self->attr, 9, 10));
	self->resets = unit_get("statistics/resets");
}

FIXTURE_TEARDOWN(suspend)
{
	sim_set("suspend", "0");
	reader_close(&self->reader);
	EXPECT_EQ(0, sim_get("asleep_accesses"));
	EXPECT_EQ(0, sim_get("unknown_accesses"));
}

static void finish(struct reader *reader)
{
	reader_run(reader, 50);
	reader_disable(reader);
	reader_drain(reader);
}

/* No reports arrive while the GPU is off. The loss is announced once, then the stream continues. */
TEST_F(suspend, stream_continues_after_resume)
{
	struct tally *tally = &self->reader.tally;
	uint64_t generated;

	reader_enable(&self->reader);
	EXPECT_TRUE(reader_run_reports(&self->reader, 100));
	ASSERT_EQ(0, sim_set("suspend", "1"));
	EXPECT_EQ(1, sim_get("suspend"));
	generated = sim_get("generated");
	reader_run(&self->reader, 50);
	EXPECT_EQ(generated, sim_get("generated"));

	ASSERT_EQ(0, sim_set("suspend", "0"));
	EXPECT_TRUE(reader_run_reports(&self->reader, 1000));
	finish(&self->reader);
	EXPECT_EQ(0, tally->errors);
	EXPECT_LE(1, tally->lost_unknown);
	/* A busy host may cause an overflow at the end. */
	if (virtual_time() || !tally->overflows)
		EXPECT_EQ(1, tally->lost_unknown);
}

/* An event enabled while an idle GPU is suspended runs after the resume. */
TEST_F(suspend, event_enabled_during_suspend_starts_at_resume)
{
	ASSERT_EQ(0, sim_set("suspend", "1"));
	reader_enable(&self->reader);
	reader_run(&self->reader, 50);
	EXPECT_EQ(0, self->reader.tally.reports);

	ASSERT_EQ(0, sim_set("suspend", "0"));
	EXPECT_TRUE(reader_run_reports(&self->reader, 100));
	finish(&self->reader);
	EXPECT_EQ(0, self->reader.tally.errors);
}

TEST_F(suspend, open_while_suspended_returns_eagain)
{
	struct reader other;

	reader_close(&self->reader);
	ASSERT_EQ(0, sim_set("suspend", "1"));
	EXPECT_EQ(-EAGAIN, reader_open(&other, &self->attr, 9, 10));
	ASSERT_EQ(0, sim_set("suspend", "0"));
	ASSERT_EQ(0, reader_open(&self->reader, &self->attr, 9, 10));
	reader_enable(&self->reader);
	EXPECT_TRUE(reader_run_reports(&self->reader, 100));
	EXPECT_EQ(0, self->reader.tally.lost_unknown);
}

/* The driver reports the reset, so it need not be detected. */
TEST_F(suspend, reset_is_reported)
{
	struct tally *tally = &self->reader.tally;

	reader_enable(&self->reader);
	EXPECT_TRUE(reader_run_reports(&self->reader, 100));
	ASSERT_EQ(0, sim_set("reset", "2"));
	EXPECT_TRUE(reader_run_reports(&self->reader, 1000));
	finish(&self->reader);
	EXPECT_EQ(0, tally->errors);
	EXPECT_EQ(1, tally->lost_unknown);
	EXPECT_EQ(self->resets + 1, unit_get("statistics/resets"));
}

TEST_HARNESS_MAIN
