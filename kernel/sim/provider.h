/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * provider.h - provider of gpuoa.ko for a virtual GPU, and the half-full interrupt.
 */
#ifndef _SIM_PROVIDER_H
#define _SIM_PROVIDER_H

#include <linux/hrtimer.h>
#include <linux/irq_work.h>
#include <gpuoa_provider.h>

#include "uapi/gpuoa.h"

struct gpuoa_unit;
struct sim_attached;
struct sim_oa;

/**
 * struct sim_half_full - the half-full interrupt; all under &sim_gpu.lock
 * @listener: the unit to notify, or NULL
 * @work: the interrupt itself
 * @timer: expires at the earliest time at which the buffer can be half full
 */
struct sim_half_full {
	struct gpuoa_unit *listener;
	struct irq_work work;
	struct hrtimer timer;
};

void sim_half_full_init(struct sim_attached *attached);
void sim_half_full_exit(struct sim_attached *attached);
void sim_half_full_expect(struct sim_oa *oa);
void sim_half_full_interrupt(struct sim_oa *oa);

extern const struct gpuoa_provider_ops sim_provider_ops;

#endif /* _SIM_PROVIDER_H */
