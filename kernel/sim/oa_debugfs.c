// SPDX-License-Identifier: GPL-2.0-only
/*
 * oa_debugfs.c - debugfs: what an OA unit has done, and switches for what it shall do; see
 * debugfs.c.
 */
#include <linux/debugfs.h>
#include <linux/seq_file.h>

#include "debugfs_files.h"
#include "instance.h"
#include "model/tick.h"
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

static int tail_ahead_get(void *data, u64 *value)
{
	struct sim_oa *oa = data;

	*value = READ_ONCE(oa->faults.tail_ahead);
	return 0;
}

static int tail_ahead_set(void *data, u64 value)
{
	struct sim_oa *oa = data;

	if (value > SIM_MAX_TAIL_AHEAD)
		return -ERANGE;
	fault_set(oa, &oa->faults.tail_ahead, value);
	return 0;
}
DEFINE_DEBUGFS_ATTRIBUTE(tail_ahead_fops, tail_ahead_get, tail_ahead_set, "%llu\n");

static int lose_reports_get(void *data, u64 *value)
{
	struct sim_oa *oa = data;

	*value = READ_ONCE(oa->faults.lose_reports);
	return 0;
}

static int lose_reports_set(void *data, u64 value)
{
	struct sim_oa *oa = data;

	if (value > U32_MAX)
		return -ERANGE;
	fault_set(oa, &oa->faults.lose_reports, value);
	return 0;
}
DEFINE_DEBUGFS_ATTRIBUTE(lose_reports_fops, lose_reports_get, lose_reports_set, "%llu\n");

static int lose_interrupts_get(void *data, u64 *value)
{
	struct sim_oa *oa = data;

	*value = READ_ONCE(oa->faults.lose_interrupts);
	return 0;
}

static int lose_interrupts_set(void *data, u64 value)
{
	struct sim_oa *oa = data;

	if (value > U32_MAX)
		return -ERANGE;
	fault_set(oa, &oa->faults.lose_interrupts, value);
	return 0;
}
DEFINE_DEBUGFS_ATTRIBUTE(lose_interrupts_fops, lose_interrupts_get, lose_interrupts_set, "%llu\n");

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
	{ "lose_reports", 0644, &lose_reports_fops, true },
	{ "lose_interrupts", 0644, &lose_interrupts_fops, true },
	{ "force_overflow", 0200, &force_overflow_fops, true },
	{ "wrap_counters", 0200, &wrap_counters_fops, true },
	{ "truth", 0644, &sim_truth_fops },
	{},
};

/**
 * sim_oa_debugfs_add() - make the files of an OA unit
 * @attached: the unit
 * @dir: their directory
 */
void sim_oa_debugfs_add(struct sim_attached *attached, struct dentry *dir)
{
	attached->debugfs = dir;
	sim_debugfs_add_files(dir, oa_files, attached->oa);
}
