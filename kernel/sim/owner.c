// SPDX-License-Identifier: GPL-2.0-only
/*
 * owner.c - owners of a virtual GPU's live and recently closed contexts.
 *
 * Reports may be read after the context that they name is closed. So the owners of the last
 * SIM_OWNERS_GONE closed contexts are remembered, enough for any reader that keeps up.
 */
#include <linux/pid.h>
#include <linux/sched.h>
#include <linux/sched/signal.h>
#include <linux/slab.h>

#include "owner.h"

/**
 * sim_owners_init() - Initialize the owners of a GPU's contexts.
 * @owners: the owners
 */
void sim_owners_init(struct sim_owners *owners)
{
	INIT_LIST_HEAD(&owners->live);
	INIT_LIST_HEAD(&owners->gone);
	owners->n_gone = 0;
}

/**
 * sim_owner_create() - Create an owner for a context of the current process.
 *
 * Context: may sleep; holds no lock that batches need, since memory reclaim may wait for batches
 *
 * Return: the owner, or NULL if there is no memory
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
 * sim_owner_destroy() - Undo sim_owner_create().
 * @owner: the owner, which is not in a list
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
 * sim_owners_fini() - Forget all owners.
 * @owners: the owners; all contexts are closed
 */
void sim_owners_fini(struct sim_owners *owners)
{
	struct sim_owner *owner, *next;

	list_for_each_entry_safe(owner, next, &owners->gone, link)
		owner_forget(owner);
}

/**
 * sim_owner_add() - Add the owner of a new context.
 * @owners: the owners
 * @owner: owner of the context
 * @hw_id: hardware id of the context
 */
void sim_owner_add(struct sim_owners *owners, struct sim_owner *owner, u32 hw_id)
{
	owner->hw_id = hw_id;
	list_add(&owner->link, &owners->live);
}

/**
 * sim_owner_leave() - Move the owner of a closed context to the list of closed ones.
 * @owners: the owners
 * @owner: owner of the context
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
 * sim_owner_find() - Find the owner of a context.
 * @owners: the owners
 * @hw_id: the context's hardware id
 * @mask: significant bits of @hw_id
 * @gone: set to true if the context is closed
 *
 * Return: its owner, else the owner of the last closed context with this id, else NULL
 */
const struct sim_owner *sim_owner_find(const struct sim_owners *owners, u32 hw_id, u32 mask,
				       bool *gone)
{
	const struct sim_owner *owner = find_in(&owners->live, hw_id, mask);

	*gone = !owner;

	return owner ?: find_in(&owners->gone, hw_id, mask);
}
