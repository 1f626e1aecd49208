/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * guc_schedule.h - contexts of the GuC and their scheduling, for guc.c only.
 */
#ifndef _SIM_GUC_SCHEDULE_H
#define _SIM_GUC_SCHEDULE_H

#include "env.h"

struct sim_guc;

/* Error codes in answers of the GuC */
enum sim_guc_error {
	SIM_GUC_OK = 0,
	SIM_GUC_UNKNOWN_ACTION = 0x30,
	SIM_GUC_ABORTED = 0x31,
	SIM_GUC_INVALID_KLV = 0x50,
	SIM_GUC_INVALID_PARAMS = 0x60,
	SIM_GUC_INVALID_SIZE = 0x102,
};

/* Actions: messages with a context's state, from the driver and to it */
enum sim_guc_action {
	SIM_GUC_SCHED_CONTEXT = 0x1000,
	SIM_GUC_SCHED_CONTEXT_MODE_SET = 0x1001,
	SIM_GUC_SCHED_CONTEXT_MODE_DONE = 0x1002,
	SIM_GUC_CONTEXT_RESET_NOTIFICATION = 0x1008,
	SIM_GUC_UPDATE_CONTEXT_POLICIES = 0x100b,
	SIM_GUC_REGISTER_CONTEXT = 0x4502,
	SIM_GUC_DEREGISTER_CONTEXT = 0x4503,
	SIM_GUC_DEREGISTER_CONTEXT_DONE = 0x4600,
	SIM_GUC_REGISTER_CONTEXT_MULTI_LRC = 0x4601,
	SIM_GUC_NOTIFY_MEMORY_CAT_ERROR = 0x6000,
};

/* Handlers of actions, with the arguments of &struct guc_handler.run */
enum sim_guc_error sim_guc_register(struct sim_guc *guc, const u32 *message, unsigned int n,
				    u32 *data);
enum sim_guc_error sim_guc_register_parallel(struct sim_guc *guc, const u32 *message,
					     unsigned int n, u32 *data);
enum sim_guc_error sim_guc_deregister(struct sim_guc *guc, const u32 *message, unsigned int n,
				      u32 *data);
enum sim_guc_error sim_guc_policies(struct sim_guc *guc, const u32 *message, unsigned int n,
				    u32 *data);
enum sim_guc_error sim_guc_sched(struct sim_guc *guc, const u32 *message, unsigned int n,
				 u32 *data);
enum sim_guc_error sim_guc_set_mode(struct sim_guc *guc, const u32 *message, unsigned int n,
				    u32 *data);

void sim_guc_forget_contexts(struct sim_guc *guc);

/* Provided by guc.c */
u32 sim_guc_memory_read(struct sim_guc *guc, u32 address);
void sim_guc_memory_write(struct sim_guc *guc, u32 address, u32 value);
void sim_guc_event(struct sim_guc *guc, u32 action, const u32 *data, unsigned int n);
void sim_guc_write_activity(struct sim_guc *guc, unsigned int engine);

#endif /* _SIM_GUC_SCHEDULE_H */
