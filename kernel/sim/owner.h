/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * owner.h - whose the contexts of a virtual GPU are, and whose those were that are gone.
 */
#ifndef _SIM_OWNER_H
#define _SIM_OWNER_H

#include <linux/list.h>
#include <linux/sched.h>
#include <linux/types.h>

struct pid;

/* So many contexts that are gone are remembered. */
#define SIM_OWNERS_GONE 64

/**
 * struct sim_owner - whose a context is
 * @link: in one of the lists of &struct sim_owners
 * @hw_id: the context's name in hardware
 * @handle: the context's handle in its file; 0: it has none, or not yet
 * @client: the file's number as a DRM client; 0: it has none, or not yet
 * @process: who made the context
 * @comm: the name of that process then
 */
struct sim_owner {
	struct list_head link;
	u32 hw_id;
	u32 handle;
	u64 client;
	struct pid *process;
	char comm[TASK_COMM_LEN];
};

/**
 * struct sim_owners - owners of contexts, the newest first
 * @live: of those that there are
 * @gone: of those that were given up
 * @n_gone: number of @gone, at most SIM_OWNERS_GONE
 */
struct sim_owners {
	struct list_head live;
	struct list_head gone;
	unsigned int n_gone;
};

void sim_owners_init(struct sim_owners *owners);
void sim_owners_fini(struct sim_owners *owners);
struct sim_owner *sim_owner_create(void);
void sim_owner_destroy(struct sim_owner *owner);
void sim_owner_add(struct sim_owners *owners, struct sim_owner *owner, u32 hw_id);
void sim_owner_leave(struct sim_owners *owners, struct sim_owner *owner);
const struct sim_owner *sim_owner_find(const struct sim_owners *owners, u32 hw_id, u32 mask,
				       bool *gone);

#endif /* _SIM_OWNER_H */
