/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * owner.h - owners of a virtual GPU's live and recently closed contexts.
 */
#ifndef _SIM_OWNER_H
#define _SIM_OWNER_H

#include <linux/list.h>
#include <linux/sched.h>
#include <linux/types.h>

struct pid;

/* Number of closed contexts to remember */
#define SIM_OWNERS_GONE 64

/**
 * struct sim_owner - the owner of a context
 * @link: entry in one of the lists of &struct sim_owners
 * @hw_id: the context's hardware id
 * @handle: the context's handle in its file; 0 if none yet
 * @client: the file's DRM client id; 0 if none yet
 * @process: the process that created the context
 * @comm: name of that process at that time
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
 * struct sim_owners - owners of contexts, newest first
 * @live: owners of live contexts
 * @gone: owners of closed contexts
 * @n_gone: length of @gone, at most SIM_OWNERS_GONE
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
