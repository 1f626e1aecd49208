// SPDX-License-Identifier: GPL-2.0-only
/*
 * owner.c - whose the contexts of a virtual GPU are, and whose those were that are gone.
 *
 * Reports that name a context may be read when it is gone. So some that are gone are remembered:
 * as many as any reader that keeps up will ask for.
 */
#include <linux/pid.h>
#include <linux/sched.h>
#include <linux/sched/signal.h>
#include <linux/slab.h>

#include "owner.h"

/**
 * sim_owners_init - there are no contexts yet
 * @owners: the owners
 */
void sim_owners_init(struct sim_owners *owners)
{
	INIT_LIST_HEAD(&owners->live);
	INIT_LIST_HEAD(&owners->gone);
	owners->n_gone = 0;
}

/**
 * sim_owner_create - this process is about to make a context
 *
 * Context: may sleep, without locks that batches need: memory may be reclaimed by waiting for them
 * Return: its owner, or NULL if there is no memory
 */
struct sim_owner *sim_owner_create(void)
{
	struct sim_owner *owner = kzalloc(sizeof(*owner), GFP_KERNEL_ACCOUNT);

	if (!owner)
		return NULL;
	owner->process = get_pid(task_tgid(current));
	get_task_comm(owner->comm, current->group_leader);

	return owner;
}

/**
 * sim_owner_destroy - undo sim_owner_create()
 * @owner: the owner, which is in no list
 */
void sim_owner_destroy(struct sim_owner *owner)
{
	put_pid(owner->process);
	kfree(owner);
}

static void owner_forget(struct sim_owner *owner)
{
	list_del(&owner->link);
	sim_owner_destroy(owner);
}

/**
 * sim_owners_fini - forget all
 * @owners: the owners; none of their contexts is left
 */
void sim_owners_fini(struct sim_owners *owners)
{
	struct sim_owner *owner, *next;

	list_for_each_entry_safe(owner, next, &owners->gone, link)
		owner_forget(owner);
}

/**
 * sim_owner_add - there is a context
 * @owners: the owners
 * @owner: its owner
 * @hw_id: its name in hardware
 */
void sim_owner_add(struct sim_owners *owners, struct sim_owner *owner, u32 hw_id)
{
	owner->hw_id = hw_id;
	list_add(&owner->link, &owners->live);
}

/**
 * sim_owner_leave - a context is no more
 * @owners: the owners
 * @owner: its owner, which is remembered for a while
 */
void sim_owner_leave(struct sim_owners *owners, struct sim_owner *owner)
{
	list_move(&owner->link, &owners->gone);
	if (owners->n_gone == SIM_OWNERS_GONE)
		owner_forget(list_last_entry(&owners->gone, struct sim_owner, link));
	else
		owners->n_gone++;
}

static const struct sim_owner *find_in(const struct list_head *list, u32 hw_id, u32 mask)
{
	const struct sim_owner *owner;

	list_for_each_entry(owner, list, link)
		if (!((owner->hw_id ^ hw_id) & mask))
			return owner;

	return NULL;
}

/**
 * sim_owner_find - whose is a context?
 * @owners: the owners
 * @hw_id: the context's name in hardware
 * @mask: bits of @hw_id that count
 * @gone: out: the context is no more
 *
 * Return: its owner; else the last one whose context had the name; else NULL
 */
const struct sim_owner *sim_owner_find(const struct sim_owners *owners, u32 hw_id, u32 mask,
				       bool *gone)
{
	const struct sim_owner *owner = find_in(&owners->live, hw_id, mask);

	*gone = !owner;

	return owner ?: find_in(&owners->gone, hw_id, mask);
}
