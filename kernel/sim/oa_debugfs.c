// SPDX-License-Identifier: GPL-2.0-only
/*
 * oa_debugfs.c - debugfs: what an OA unit has done, and switches for what it shall do; see
 * debugfs.c.
 */
#include <linux/debugfs.h>
#include <linux/seq_file.h>
#include <linux/time64.h>

#include "debugfs_files.h"
#include "instance.h"
#include "vgpu/model/oa.h"
#include "vgpu/model/gpu.h"
#include "oa_debugfs.h"
#include "truth_debugfs.h"

/* Statistics are told as of now. */
static u64 statistic(struct sim_oa *oa, const u64 *counter)
{
	unsigned long flags;
	u64 value;

	raw_spin_lock_irqsave(&oa->gpu->lock, flags);
	sim_oa_advance(oa, sim_now(oa->gpu));
	value = *counter;
	raw_spin_unlock_irqrestore(&oa->gpu->lock, flags);
	return value;
}

#define SIM_STATISTIC(name)								\
static int name ## _get(void *data, u64 *value)					\
{											\
	struct sim_oa *oa = data;							\
											\
	*value = statistic(oa, &oa->statistics.name);					\
	return 0;									\
}											\
DEFINE_DEBUGFS_ATTRIBUTE(name ## _fops, name ## _get, NULL, "%llu\n")

SIM_STATISTIC(generated);
SIM_STATISTIC(written);
SIM_STATISTIC(dropped);
SIM_STATISTIC(ggtt_faults);
SIM_STATISTIC(half_full);

static void fault_set(struct sim_oa *oa, u32 *fault, u32 value)
{
	unsigned long flags;

	raw_spin_lock_irqsave(&oa->gpu->lock, flags);
	sim_oa_advance(oa, sim_now(oa->gpu));
	*fault = value;
	raw_spin_unlock_irqrestore(&oa->gpu->lock, flags);
}

/* A fault that stays on, or happens so many times: a field of struct sim_faults, up to @most */
#define SIM_FAULT(name, most)								\
static int name ## _get(void *data, u64 *value)					\
{											\
	struct sim_oa *oa = data;							\
											\
	*value = READ_ONCE(oa->faults.name);						\
											\
	return 0;									\
}											\
											\
static int name ## _set(void *data, u64 value)						\
{											\
	struct sim_oa *oa = data;							\
											\
	if (value > (most))								\
		return -ERANGE;								\
	fault_set(oa, &oa->faults.name, value);						\
											\
	return 0;									\
}											\
DEFINE_DEBUGFS_ATTRIBUTE(name ## _fops, name ## _get, name ## _set, "%llu\n")

SIM_FAULT(tail_ahead, SIM_MAX_TAIL_AHEAD);
SIM_FAULT(land_late_us, USEC_PER_SEC);
SIM_FAULT(torn_us, USEC_PER_SEC);
SIM_FAULT(holes, U32_MAX);
SIM_FAULT(zero_ids, U32_MAX);
SIM_FAULT(lose_reports, U32_MAX);
SIM_FAULT(lose_triggers, U32_MAX);
SIM_FAULT(lose_interrupts, U32_MAX);

static int freeze_tail_us_set(void *data, u64 value)
{
	struct sim_oa *oa = data;
	unsigned long flags;

	if (value > USEC_PER_SEC)
		return -ERANGE;
	raw_spin_lock_irqsave(&oa->gpu->lock, flags);
	sim_oa_advance(oa, sim_now(oa->gpu));
	sim_oa_freeze_tail(oa, value);
	raw_spin_unlock_irqrestore(&oa->gpu->lock, flags);

	return 0;
}
DEFINE_DEBUGFS_ATTRIBUTE(freeze_tail_us_fops, NULL, freeze_tail_us_set, "%llu\n");

static int force_overflow_set(void *data, u64 value)
{
	struct sim_oa *oa = data;
	unsigned long flags;
	int ret;

	if (value != 1)
		return -EINVAL;
	raw_spin_lock_irqsave(&oa->gpu->lock, flags);
	sim_oa_advance(oa, sim_now(oa->gpu));
	ret = sim_oa_overflow(oa);
	raw_spin_unlock_irqrestore(&oa->gpu->lock, flags);
	return ret;
}
DEFINE_DEBUGFS_ATTRIBUTE(force_overflow_fops, NULL, force_overflow_set, "%llu\n");

static int wrap_counters_set(void *data, u64 value)
{
	struct sim_oa *oa = data;
	unsigned long flags;

	if (value > U32_MAX)
		return -ERANGE;
	raw_spin_lock_irqsave(&oa->gpu->lock, flags);
	sim_oa_advance(oa, sim_now(oa->gpu));
	oa->wrap = value;
	raw_spin_unlock_irqrestore(&oa->gpu->lock, flags);
	return 0;
}
DEFINE_DEBUGFS_ATTRIBUTE(wrap_counters_fops, NULL, wrap_counters_set, "%llu\n");

static int mux_show(struct seq_file *m, void *unused)
{
	struct sim_oa *oa = m->private;
	const struct sim_selection *selection;
	unsigned long flags;
	const char *name;
	u64 hash;

	raw_spin_lock_irqsave(&oa->gpu->lock, flags);
	selection = sim_oa_selection(oa);
	name = selection->name;
	hash = selection->hash;
	raw_spin_unlock_irqrestore(&oa->gpu->lock, flags);
	seq_printf(m, "%#llx %s\n", hash, name ?: "unknown");
	return 0;
}
DEFINE_SHOW_ATTRIBUTE(mux);

static const struct sim_debugfs_file oa_files[] = {
	{ "generated", 0444, &generated_fops, true },
	{ "written", 0444, &written_fops, true },
	{ "dropped", 0444, &dropped_fops, true },
	{ "ggtt_faults", 0444, &ggtt_faults_fops, true },
	{ "half_full", 0444, &half_full_fops, true },
	{ "mux", 0444, &mux_fops },
	{ "tail_ahead", 0644, &tail_ahead_fops, true },
	{ "land_late_us", 0644, &land_late_us_fops, true },
	{ "torn_us", 0644, &torn_us_fops, true },
	{ "freeze_tail_us", 0200, &freeze_tail_us_fops, true },
	{ "holes", 0644, &holes_fops, true },
	{ "zero_ids", 0644, &zero_ids_fops, true },
	{ "lose_reports", 0644, &lose_reports_fops, true },
	{ "lose_triggers", 0644, &lose_triggers_fops, true },
	{ "lose_interrupts", 0644, &lose_interrupts_fops, true },
	{ "force_overflow", 0200, &force_overflow_fops, true },
	{ "wrap_counters", 0200, &wrap_counters_fops, true },
	{ "truth", 0644, &sim_truth_fops },
	{},
};

/**
 * sim_oa_debugfs_add - make the files of an OA unit
 * @attached: the unit
 * @dir: their directory
 */
void sim_oa_debugfs_add(struct sim_attached *attached, struct dentry *dir)
{
	attached->debugfs = dir;
	sim_debugfs_add_files(dir, oa_files, attached->oa);
}
