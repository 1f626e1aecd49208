// SPDX-License-Identifier: GPL-2.0-only
/*
 * debugfs.c - /sys/kernel/debug/gpuoa_sim/<n>/: state, truth and faults of a virtual GPU.
 */
#include <linux/debugfs.h>
#include <linux/module.h>
#include <linux/sched/mm.h>
#include <linux/seq_file.h>
#include <linux/slab.h>
#include <linux/string.h>
#include <linux/time64.h>
#include <linux/uaccess.h>

#include "debugfs.h"
#include "drm.h"
#include "instance.h"
#include "pm.h"
#include "vgpu/model/gpu.h"
#include "vgpu/model/oa.h"
#include "vgpu/model/truth.h"

/**
 * sim_add_files - make files
 * @dir: their directory
 * @files: the files; ends with {}
 * @data: what they are about
 */
static void sim_add_files(struct dentry *dir, const struct sim_debugfs_file *files, void *data)
{
	const struct sim_debugfs_file *file;

	for (file = files; file->name; file++) {
		if (file->simple)
			debugfs_create_file_unsafe(file->name, file->mode, dir, data, file->fops);
		else
			debugfs_create_file(file->name, file->mode, dir, data, file->fops);
	}
}

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

#define OA_STATISTIC(name)								\
static int name ## _get(void *data, u64 *value)					\
{											\
	struct sim_oa *oa = data;							\
											\
	*value = statistic(oa, &oa->statistics.name);					\
	return 0;									\
}											\
DEFINE_DEBUGFS_ATTRIBUTE(name ## _fops, name ## _get, NULL, "%llu\n")

OA_STATISTIC(generated);
OA_STATISTIC(written);
OA_STATISTIC(dropped);
OA_STATISTIC(ggtt_faults);
OA_STATISTIC(half_full);

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
static void sim_add_oa_files(struct sim_attached *attached, struct dentry *dir)
{
	attached->debugfs = dir;
	sim_add_files(dir, oa_files, attached->oa);
}

static int truth_show(struct seq_file *m, void *unused)
{
	struct sim_query *query = m->private;
	struct sim_instance *instance = sim_instance_of(query->oa->gpu);
	struct sim_truth *truth = NULL;
	unsigned int nofs;
	bool asked;

	mutex_lock(&instance->mutex);
	/* Fences wait for batches, and those for the lock: no reclaim that would wait for them. */
	nofs = memalloc_nofs_save();
	asked = query->set;
	if (asked)
		truth = sim_truth_find(query);
	memalloc_nofs_restore(nofs);
	mutex_unlock(&instance->mutex);
	if (!asked)
		return 0;
	if (!truth)
		return -ENOMEM;
	sim_truth_print(m, truth);
	sim_truth_free(truth);

	return 0;
}

/* What is read next begins with the answer's first byte. */
static ssize_t truth_write(struct file *file, const char __user *user, size_t count, loff_t *pos)
{
	struct seq_file *m = file->private_data;
	struct sim_query *query = m->private;
	struct sim_instance *instance = sim_instance_of(query->oa->gpu);
	char question[80];
	int ret;

	if (count >= sizeof(question))
		return -EINVAL;
	if (copy_from_user(question, user, count))
		return -EFAULT;
	question[count] = 0;

	mutex_lock(&instance->mutex);
	ret = sim_truth_ask(query, question);
	mutex_unlock(&instance->mutex);
	if (ret)
		return ret;
	*pos = 0;

	return count;
}

static int truth_open(struct inode *inode, struct file *file)
{
	struct sim_query *query = kzalloc(sizeof(*query), GFP_KERNEL);
	int ret;

	if (!query)
		return -ENOMEM;
	query->oa = inode->i_private;
	ret = single_open(file, truth_show, query);
	if (ret)
		kfree(query);

	return ret;
}

static int truth_release(struct inode *inode, struct file *file)
{
	struct seq_file *m = file->private_data;

	kfree(m->private);

	return single_release(inode, file);
}

const struct file_operations sim_truth_fops = {
	.owner = THIS_MODULE,
	.open = truth_open,
	.read = seq_read,
	.write = truth_write,
	.llseek = seq_lseek,
	.release = truth_release,
};

/**
 * DOC: debugfs
 *
 * Below gpuoa_sim/<n>/, numbers in decimal unless they begin with 0x. All switches may be used
 * while a stream runs. Of the GPU:
 *
 * ================ ============================================================================
 * tick             GPU time now, as in &gpuoa_clock.gpu_ticks
 * asleep_accesses  accesses to registers, or to the clock, while nobody kept the GPU awake: a
 *                  bug of the driver
 * unknown_accesses accesses to registers that do not exist: likewise
 * registers        registers that are not 0
 * writes           the last 4096 register writes; anything written clears the list
 * contexts         slots that contexts of ours have, and their names in hardware
 * scene            the load: idle, steady, frames, compute
 * time_offset      GPU time is that of the host's CLOCK_MONOTONIC plus this many ticks, if
 *                  nobody has slowed it down. It can only grow
 * wrap_timestamp   ms: time_offset such that the 32-bit timestamp wraps so soon
 * slowdown         GPU time passes so many times slower than CLOCK_MONOTONIC, up to 1000.
 *                  A batch that works when it gets faster may end late
 * reset            1: the GPU is reset, and gpuoa is not told: the units are off, and what was
 *                  programmed is gone. 2: likewise, and gpuoa is told, unless it is suspended
 * dead             1: the GPU does not answer, as one that is off or has fallen off its bus:
 *                  registers and its clock read as all ones, writes are forgotten. 0: it answers
 *                  again, and has been reset
 * suspend          1: the GPU is suspended, as in a system's suspend: gpuoa is told, and then it is
 *                  dead. 0: it is resumed
 * ================ ============================================================================
 *
 * Of its first OA unit, and of the others in the directories oam0, oam1 and oamg:
 *
 * ================ ============================================================================
 * generated        reports that were due, exactly
 * written          reports written
 * dropped          reports due but not written: lost, or holes
 * ggtt_faults      reports written to addresses where no memory is: a bug of the driver
 * half_full        times that the buffer became half full: interrupts, if the GPU has them
 * mux              hash of the multiplexer configuration, and name of what counters count
 * tail_ahead       the tail runs ahead of memory by this many reports, up to 64
 * land_late_us     each report reaches memory so many us after the tail has passed it, also when
 *                  the unit has been stopped meanwhile; up to 64 are on the way, then the oldest
 *                  arrives. Who waits for one with interrupts off, and reads no register, may
 *                  wait in vain. Excludes torn_us and tail_ahead
 * torn_us          each report's first 64 bytes reach memory at once, with the header, all others
 *                  so many us later. Excludes tail_ahead
 * freeze_tail_us   for so many us the tail register stands still, while reports land
 * holes            for this many due reports the tail moves, but they are never written: what was
 *                  in memory stays there
 * zero_ids         this many due reports have 0 for an id, like the invalid ones of Haswell
 * lose_reports     this many due reports will be dropped, with the report-lost bit set
 * lose_triggers    this many MMIO triggers will find their queue full: no report, and the bit that
 *                  says so; gen12.5 and later
 * lose_interrupts  this many times the buffer becomes half full without an interrupt
 * force_overflow   1: the buffer overflows now; ENODATA if no stream runs
 * wrap_counters    events: the next report shows all counters as many events before their wrap
 * truth            see below
 * ================ ============================================================================
 *
 * `truth`: write "FROM TO" or "FROM TO CONTEXT", then read what has been counted between these
 * two moments. Moments are GPU ticks; one below 2^32 is taken for the latest moment with these
 * low 32 bits, as reports have them. CONTEXT is a slot or a context's name in hardware, as in
 * `contexts`. ERANGE: a moment lies in the future, in a jump of time_offset, or too long ago (the
 * last 64 changes of scene, time_offset and work of batches are remembered). Lines: "set NAME",
 * what was programmed last; "ticks DELTA" and for what was programmed "counter A0 DELTA" and so on.
 * On Haswell also "metric NAME NUMERATOR/DENOMINATOR" for the metrics of RenderBasic, which are
 * told whatever is programmed.
 */

static struct dentry *sim_debugfs;

static int tick_get(void *data, u64 *value)
{
	struct sim_instance *instance = data;

	*value = sim_gpu_timestamp(&instance->gpu);
	return 0;
}
DEFINE_DEBUGFS_ATTRIBUTE(tick_fops, tick_get, NULL, "%llu\n");

#define GPU_STATISTIC(name)								\
static int name ## _get(void *data, u64 *value)					\
{											\
	struct sim_instance *instance = data;						\
											\
	*value = READ_ONCE(instance->gpu.statistics.name);					\
	return 0;									\
}											\
DEFINE_DEBUGFS_ATTRIBUTE(name ## _fops, name ## _get, NULL, "%llu\n")

GPU_STATISTIC(asleep_accesses);
GPU_STATISTIC(unknown_accesses);

static int scene_show(struct seq_file *m, void *unused)
{
	struct sim_instance *instance = m->private;

	mutex_lock(&instance->mutex);
	seq_printf(m, "%s\n", sim_gpu_scene(&instance->gpu));
	mutex_unlock(&instance->mutex);

	return 0;
}

static ssize_t scene_write(struct file *file, const char __user *user, size_t count, loff_t *pos)
{
	struct sim_instance *instance = ((struct seq_file *)file->private_data)->private;
	char name[16];
	int which;

	if (count >= sizeof(name))
		return -EINVAL;
	if (copy_from_user(name, user, count))
		return -EFAULT;
	name[count] = 0;
	which = match_string(sim_scene_names, SIM_N_SCENES, strim(name));
	if (which < 0)
		return which;
	mutex_lock(&instance->mutex);
	sim_gpu_set_scene(&instance->gpu, which);
	mutex_unlock(&instance->mutex);

	return count;
}

static int scene_open(struct inode *inode, struct file *file)
{
	return single_open(file, scene_show, inode->i_private);
}

static const struct file_operations scene_fops = {
	.owner = THIS_MODULE,
	.open = scene_open,
	.read = seq_read,
	.write = scene_write,
	.llseek = seq_lseek,
	.release = single_release,
};

static int time_offset_get(void *data, u64 *value)
{
	struct sim_instance *instance = data;

	mutex_lock(&instance->mutex);
	*value = sim_timeline_last(&instance->gpu.timeline)->offset;
	mutex_unlock(&instance->mutex);

	return 0;
}

static int time_offset_set(void *data, u64 value)
{
	struct sim_instance *instance = data;

	if (value > S64_MAX / 2)
		return -ERANGE;
	mutex_lock(&instance->mutex);
	sim_gpu_set_offset(&instance->gpu, value);
	mutex_unlock(&instance->mutex);

	return 0;
}
DEFINE_DEBUGFS_ATTRIBUTE(time_offset_fops, time_offset_get, time_offset_set, "%llu\n");

static int wrap_timestamp_set(void *data, u64 value)
{
	struct sim_instance *instance = data;

	if (value > 100 * MSEC_PER_SEC)
		return -ERANGE;
	mutex_lock(&instance->mutex);
	sim_gpu_wrap_timestamp(&instance->gpu, value);
	mutex_unlock(&instance->mutex);

	return 0;
}
DEFINE_DEBUGFS_ATTRIBUTE(wrap_timestamp_fops, NULL, wrap_timestamp_set, "%llu\n");

static int slowdown_get(void *data, u64 *value)
{
	struct sim_instance *instance = data;

	*value = READ_ONCE(instance->gpu.clock.slowdown);

	return 0;
}

static int slowdown_set(void *data, u64 value)
{
	struct sim_instance *instance = data;

	if (!value || value > SIM_MAX_SLOWDOWN)
		return -ERANGE;
	sim_gpu_slow(&instance->gpu, value);

	return 0;
}
DEFINE_DEBUGFS_ATTRIBUTE(slowdown_fops, slowdown_get, slowdown_set, "%llu\n");

static int dead_get(void *data, u64 *value)
{
	struct sim_instance *instance = data;

	*value = READ_ONCE(instance->gpu.dead);

	return 0;
}

static int dead_set(void *data, u64 value)
{
	struct sim_instance *instance = data;

	if (value > 1)
		return -EINVAL;
	sim_gpu_set_dead(&instance->gpu, value);

	return 0;
}
DEFINE_DEBUGFS_ATTRIBUTE(dead_fops, dead_get, dead_set, "%llu\n");

static int reset_set(void *data, u64 value)
{
	struct sim_instance *instance = data;

	if (value != 1 && value != 2)
		return -EINVAL;
	if (value == 1)
		sim_gpu_reset(&instance->gpu);
	else
		sim_pm_reset(instance);

	return 0;
}
DEFINE_DEBUGFS_ATTRIBUTE(reset_fops, NULL, reset_set, "%llu\n");

static int suspend_get(void *data, u64 *value)
{
	struct sim_instance *instance = data;

	*value = READ_ONCE(instance->suspended);

	return 0;
}

static int suspend_set(void *data, u64 value)
{
	struct sim_instance *instance = data;

	if (value > 1)
		return -EINVAL;
	if (!value)
		return sim_pm_resume(instance);
	sim_pm_suspend(instance);

	return 0;
}
DEFINE_DEBUGFS_ATTRIBUTE(suspend_fops, suspend_get, suspend_set, "%llu\n");

static int contexts_show(struct seq_file *m, void *unused)
{
	struct sim_instance *instance = m->private;
	const u32 *slots = instance->gpu.slots;
	unsigned int slot;

	mutex_lock(&instance->mutex);
	for (slot = 0; slot < SIM_N_SLOTS; slot++)
		if (slots[slot])
			seq_printf(m, "%u %#x\n", slot, slots[slot]);
	mutex_unlock(&instance->mutex);
	return 0;
}
DEFINE_SHOW_ATTRIBUTE(contexts);

static int registers_show(struct seq_file *m, void *unused)
{
	struct sim_instance *instance = m->private;

	sim_mmio_print(&instance->gpu, m);
	return 0;
}
DEFINE_SHOW_ATTRIBUTE(registers);

static int writes_show(struct seq_file *m, void *unused)
{
	struct sim_instance *instance = m->private;

	return sim_mmio_print_log(&instance->gpu, m);
}

static ssize_t writes_write(struct file *file, const char __user *user, size_t count, loff_t *pos)
{
	struct sim_instance *instance = ((struct seq_file *)file->private_data)->private;

	sim_mmio_clear_log(&instance->gpu);
	return count;
}

static int writes_open(struct inode *inode, struct file *file)
{
	return single_open(file, writes_show, inode->i_private);
}

static const struct file_operations writes_fops = {
	.owner = THIS_MODULE,
	.open = writes_open,
	.read = seq_read,
	.write = writes_write,
	.llseek = seq_lseek,
	.release = single_release,
};

static const struct sim_debugfs_file sim_debugfs_files[] = {
	{ "tick", 0444, &tick_fops, true },
	{ "asleep_accesses", 0444, &asleep_accesses_fops, true },
	{ "unknown_accesses", 0444, &unknown_accesses_fops, true },
	{ "registers", 0444, &registers_fops },
	{ "writes", 0644, &writes_fops },
	{ "contexts", 0444, &contexts_fops },
	{ "scene", 0644, &scene_fops },
	{ "time_offset", 0644, &time_offset_fops, true },
	{ "wrap_timestamp", 0200, &wrap_timestamp_fops, true },
	{ "slowdown", 0644, &slowdown_fops, true },
	{ "reset", 0200, &reset_fops, true },
	{ "dead", 0644, &dead_fops, true },
	{ "suspend", 0644, &suspend_fops, true },
	{},
};

/**
 * sim_debugfs_add - make the directory of an instance
 * @instance: the instance
 *
 * The first unit's files are in the directory of the GPU, those of others in one of their own.
 */
void sim_debugfs_add(struct sim_instance *instance)
{
	static const char *const names[] = {
		[GPUOA_UNIT_OA] = "oa",
		[GPUOA_UNIT_OAM0] = "oam0",
		[GPUOA_UNIT_OAM1] = "oam1",
		[GPUOA_UNIT_OAMG] = "oamg",
	};
	const struct sim_unit *units = instance->gpu.platform->units;
	struct dentry *dir;
	char name[12];
	unsigned int i;

	snprintf(name, sizeof(name), "%u", instance->index);
	dir = debugfs_create_dir(name, sim_debugfs);
	instance->debugfs = dir;
	sim_add_files(dir, sim_debugfs_files, instance);
	sim_add_oa_files(&instance->attached[0], dir);
	for (i = 1; i < instance->gpu.n_oa; i++) {
		dir = debugfs_create_dir(names[units[i].type], instance->debugfs);
		sim_add_oa_files(&instance->attached[i], dir);
	}
}

/**
 * sim_debugfs_init - make the directory of the module
 */
void sim_debugfs_init(void)
{
	sim_debugfs = debugfs_create_dir(SIM_NAME, NULL);
}

/**
 * sim_debugfs_exit - remove the directory of the module
 */
void sim_debugfs_exit(void)
{
	debugfs_remove_recursive(sim_debugfs);
}
