// SPDX-License-Identifier: GPL-2.0-only
/*
 * test_sim_owner.c - owners of contexts, including contexts that were destroyed recently.
 */
#include <kunit/test.h>
#include <linux/pid.h>
#include <linux/sched.h>
#include <linux/sched/signal.h>

#include "../sim/owner.h"

#define MASK 0xffe0

static int owner_init(struct kunit *test)
{
	struct sim_owners *owners = kunit_kzalloc(test, sizeof(*owners), GFP_KERNEL);

	KUNIT_ASSERT_NOT_NULL(test, owners);
	sim_owners_init(owners);
	test->priv = owners;

	return 0;
}

static void owner_exit(struct kunit *test)
{
	sim_owners_fini(test->priv);
}

static struct sim_owner *add(struct kunit *test, u32 hw_id)
{
	struct sim_owner *owner = sim_owner_create();

	KUNIT_ASSERT_NOT_NULL(test, owner);
	sim_owner_add(test->priv, owner, hw_id);

	return owner;
}

static void creator_owns_context(struct kunit *test)
{
	struct sim_owner *owner = add(test, 0x100);
	bool gone;

	KUNIT_EXPECT_PTR_EQ(test, owner->process, task_tgid(current));
	KUNIT_EXPECT_STREQ(test, owner->comm, current->group_leader->comm);
	KUNIT_EXPECT_PTR_EQ(test, sim_owner_find(test->priv, 0x100, ~0U, &gone), owner);
	KUNIT_EXPECT_FALSE(test, gone);
	KUNIT_EXPECT_NULL(test, sim_owner_find(test->priv, 0x120, ~0U, &gone));
	sim_owner_leave(test->priv, owner);
}

static void owner_ignores_bits_outside_mask(struct kunit *test)
{
	struct sim_owner *owner = add(test, 0x100);
	bool gone;

	KUNIT_EXPECT_PTR_EQ(test, sim_owner_find(test->priv, 0x80000101, MASK, &gone), owner);
	KUNIT_EXPECT_NULL(test, sim_owner_find(test->priv, 0x80000101, ~0U, &gone));
	KUNIT_EXPECT_NULL(test, sim_owner_find(test->priv, 0x120, MASK, &gone));
	sim_owner_leave(test->priv, owner);
}

static void destroyed_context_is_remembered(struct kunit *test)
{
	struct sim_owner *owner = add(test, 0x100);
	bool gone;

	sim_owner_leave(test->priv, owner);
	KUNIT_EXPECT_PTR_EQ(test, sim_owner_find(test->priv, 0x100, MASK, &gone), owner);
	KUNIT_EXPECT_TRUE(test, gone);
}

/* A reused id belongs to the existing context; if there is none, to the last one. */
static void reused_id_belongs_to_newest_context(struct kunit *test)
{
	struct sim_owner *first = add(test, 0x100), *second;
	bool gone;

	sim_owner_leave(test->priv, first);
	second = add(test, 0x100);
	KUNIT_EXPECT_PTR_EQ(test, sim_owner_find(test->priv, 0x100, MASK, &gone), second);
	KUNIT_EXPECT_FALSE(test, gone);
	sim_owner_leave(test->priv, second);
	KUNIT_EXPECT_PTR_EQ(test, sim_owner_find(test->priv, 0x100, MASK, &gone), second);
	KUNIT_EXPECT_TRUE(test, gone);
}

static void oldest_contexts_are_forgotten(struct kunit *test)
{
	struct sim_owners *owners = test->priv;
	struct sim_owner *lives = add(test, 1 << 5);
	unsigned int i;
	bool gone;

	for (i = 2; i < SIM_OWNERS_GONE + 4; i++)
		sim_owner_leave(owners, add(test, i << 5));
	KUNIT_EXPECT_EQ(test, owners->n_gone, SIM_OWNERS_GONE);
	KUNIT_EXPECT_NULL(test, sim_owner_find(owners, 2 << 5, MASK, &gone));
	KUNIT_EXPECT_NULL(test, sim_owner_find(owners, 3 << 5, MASK, &gone));
	for (i = 4; i < SIM_OWNERS_GONE + 4; i++)
		KUNIT_EXPECT_NOT_NULL(test, sim_owner_find(owners, i << 5, MASK, &gone));
	/* An existing context is never forgotten. */
	KUNIT_EXPECT_PTR_EQ(test, sim_owner_find(owners, 1 << 5, MASK, &gone), lives);
	KUNIT_EXPECT_FALSE(test, gone);
	sim_owner_leave(owners, lives);
}

static struct kunit_case owner_cases[] = {
	KUNIT_CASE(creator_owns_context),
	KUNIT_CASE(owner_ignores_bits_outside_mask),
	KUNIT_CASE(destroyed_context_is_remembered),
	KUNIT_CASE(reused_id_belongs_to_newest_context),
	KUNIT_CASE(oldest_contexts_are_forgotten),
	{},
};

static struct kunit_suite owner_suite = {
	.name = "gpuoa_sim_owner",
	.init = owner_init,
	.exit = owner_exit,
	.test_cases = owner_cases,
};

kunit_test_suite(owner_suite);
