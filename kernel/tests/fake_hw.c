// SPDX-License-Identifier: GPL-2.0-only
/*
 * fake_hw.c - fake provider that records all register writes in order.
 */
#include <linux/ktime.h>
#include <linux/sizes.h>
#include <linux/timekeeping.h>

#include "../core/stream/gpuoa_attr.h"
#include "fake_hw.h"

/* Get the address of a register's value. A register that was never written reads as 0. */
u32 *fake_reg(struct fake_hw *fake, u32 reg)
{
	u32 i;

	for (i = 0; i < fake->n_regs; i++)
		if (fake->regs[i].address == reg)
			return &fake->regs[i].value;

	if (WARN_ON(fake->n_regs == FAKE_MAX_REGS))
		return &fake->regs[0].value;
	fake->regs[fake->n_regs].address = reg;

	return &fake->regs[fake->n_regs++].value;
}

static void remember(struct fake_hw *fake, enum fake_how how, u32 reg, u32 value)
{
	if (!WARN_ON(fake->n_events == FAKE_MAX_EVENTS))
		fake->events[fake->n_events++] = (struct fake_event){
			how, reg, value, ktime_get_ns(), fake->reads,
		};
}

static u32 fake_read(void *provider, u32 reg)
{
	struct fake_hw *fake = provider;

	fake->reads++;
	if (reg != fake->slow)
		return *fake_reg(fake, reg);
	if (!fake->slow_reads)
		return 0;
	fake->slow_reads--;

	return fake->slow_value;
}

static void fake_write(void *provider, u32 reg, u32 value)
{
	remember(provider, FAKE_WRITE, reg, value);
	*fake_reg(provider, reg) = value;
}

static void fake_rmw(void *provider, u32 reg, u32 clear, u32 set)
{
	u32 value = (fake_read(provider, reg) & ~clear) | set;

	remember(provider, FAKE_RMW, reg, value);
	*fake_reg(provider, reg) = value;
}

static int fake_contexts_write(void *provider, const struct gpuoa_register *regs,
			       unsigned int count)
{
	struct fake_hw *fake = provider;
	unsigned int i;

	for (i = 0; i < count; i++)
		remember(fake, FAKE_CONTEXTS, regs[i].address, regs[i].value);

	return fake->context_error;
}

static int fake_context_write(void *provider, void *context, const struct gpuoa_register *regs,
			      unsigned int count)
{
	struct fake_hw *fake = provider;
	unsigned int i;

	if (WARN_ON(context != fake))
		return -ENOENT;
	for (i = 0; i < count; i++)
		remember(fake, FAKE_CONTEXT, regs[i].address, regs[i].value);

	return fake->context_error;
}

static const struct gpuoa_provider_ops fake_ops = {
	.read = fake_read,
	.write = fake_write,
	.rmw = fake_rmw,
	.contexts_write = fake_contexts_write,
	.context_write = fake_context_write,
};

/* Create a unit with a 16 MiB buffer at 0x40000000 and exponent 9; stored in test->priv. */
struct fake_hw *fake_hw_new(struct kunit *test, const struct gpuoa_oa_ops *oa, u32 format)
{
	struct fake_hw *fake = kunit_kzalloc(test, sizeof(*fake), GFP_KERNEL);

	KUNIT_ASSERT_NOT_NULL(test, fake);
	fake->hw = (struct gpuoa_hw){
		.oa = oa,
		.ops = &fake_ops,
		.provider = fake,
		.format = gpuoa_attr_format(oa, format),
		.exponent = 9,
		.buffer = 0x40000000,
		.buffer_size = SZ_16M,
		.context_mask = ~0,
		.context_handle = fake,
	};
	KUNIT_ASSERT_NOT_NULL(test, fake->hw.format);
	test->priv = fake;

	return fake;
}

void fake_next(struct kunit *test, const struct fake_event *expected, u32 count)
{
	struct fake_hw *fake = test->priv;
	const struct fake_event *event;
	u32 i;

	KUNIT_ASSERT_LE(test, fake->seen + count, fake->n_events);
	for (i = 0; i < count; i++) {
		event = &fake->events[fake->seen];
		KUNIT_EXPECT_EQ_MSG(test, event->reg, expected[i].reg, "write %u", fake->seen);
		KUNIT_EXPECT_EQ_MSG(test, event->value, expected[i].value, "write %u to %x",
				    fake->seen, event->reg);
		KUNIT_EXPECT_EQ_MSG(test, event->how, expected[i].how, "write %u to %x", fake->seen,
				    event->reg);
		fake->seen++;
	}
}

/* Expect no writes other than those already checked, and clear the record. */
void fake_end(struct kunit *test)
{
	struct fake_hw *fake = test->priv;

	KUNIT_EXPECT_EQ(test, fake->n_events, fake->seen);
	fake->n_events = 0;
	fake->seen = 0;
}
