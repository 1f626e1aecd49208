// SPDX-License-Identifier: GPL-2.0-only
/*
 * debugfs.c - /sys/kernel/debug/gpuoa_sim/<n>/: state, exact counts and fault injection.
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
#include "vgpu/model/reference.h"

/**
 * sim_add_files() - Create files in a directory.
 * @dir: the directory
 * @files: the files; ends with {}
 * @data: private data of the files
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

/* Simulate up to the present first, so that the counter is current. */
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

/*
 * Define the file of a fault: a field of struct sim_faults with a level or a remaining count, at
 * most @most.
 */
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
SIM_FAULT(missing, U32_MAX);
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
	{ "missing", 0644, &missing_fops, true },
	{ "zero_ids", 0644, &zero_ids_fops, true },
	{ "lose_reports", 0644, &lose_reports_fops, true },
	{ "lose_triggers", 0644, &lose_triggers_fops, true },
	{ "lose_interrupts", 0644, &lose_interrupts_fops, true },
	{ "force_overflow", 0200, &force_overflow_fops, true },
	{ "wrap_counters", 0200, &wrap_counters_fops, true },
	{ "reference", 0644, &sim_reference_fops },
	{},
};

/**
 * sim_add_oa_files() - Create the files of an OA unit.
 * @attached: the unit
 * @dir: directory of the files
 */
static void sim_add_oa_files(struct sim_attached *attached, struct dentry *dir)
{
	attached->debugfs = dir;
	sim_add_files(dir, oa_files, attached->oa);
}

static int reference_show(struct seq_file *m, void *unused)
{
	struct sim_query *query = m->private;
	struct sim_instance *instance = sim_instance_of(query->oa->gpu);
	struct sim_reference *reference = NULL;
	unsigned int nofs;
	bool asked;

	mutex_lock(&instance->mutex);
	/*
	 * Prevent memory reclaim, because it may wait for the fences of batches, which wait for
	 * this lock.
	 */
	nofs = memalloc_nofs_save();
	asked = query->set;
	if (asked)
		reference = sim_reference_compute(query);
	memalloc_nofs_restore(nofs);
	mutex_unlock(&instance->mutex);
	if (!asked)
		return 0;
	if (!reference)
		return -ENOMEM;
	sim_reference_print(m, reference);
	sim_reference_free(reference);

	return 0;
}

/*
 * Parse a query, and rewind the file so that the next read starts at the first byte of the answer.
 */
static ssize_t reference_write(struct file *file, const char __user *user, size_t count,
			       loff_t *pos)
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
	ret = sim_reference_parse(query, question);
	mutex_unlock(&instance->mutex);
	if (ret)
		return ret;
	*pos = 0;

	return count;
}

static int reference_open(struct inode *inode, struct file *file)
{
	struct sim_query *query = kzalloc(sizeof(*query), GFP_KERNEL);
	int ret;

	if (!query)
		return -ENOMEM;
	query->oa = inode->i_private;
	ret = single_open(file, reference_show, query);
	if (ret)
		kfree(query);

	return ret;
}

static int reference_release(struct inode *inode, struct file *file)
{
	struct seq_file *m = file->private_data;

	kfree(m->private);

	return single_release(inode, file);
}

const struct file_operations sim_reference_fops = {
	.owner = THIS_MODULE,
	.open = reference_open,
	.read = seq_read,
	.write = reference_write,
	.llseek = seq_lseek,
	.release = reference_release,
};

/**
 * DOC: debugfs
 *
 * Files below gpuoa_sim/<n>/. Numbers are decimal unless they begin with 0x. All files may be
 * written while a stream runs. Files of the GPU:
 *
 * ================ ============================================================================
 * tick             GPU time now, as in &gpuoa_clock.gpu_ticks
 * asleep_accesses  number of accesses to registers or the clock without a wake reference: a
 *                  driver bug
 * unknown_accesses number of accesses to registers that do not exist: a driver bug
 * registers        all registers that are not 0
 * writes           the last 4096 register writes; writing anything clears the list
 * contexts         the time slots in use, and the hardware ids of their contexts
 * workload         the workload: idle, steady, frames, compute
 * time_offset      GPU time minus the host's CLOCK_MONOTONIC, in ticks, if slowdown has never
 *                  been used. It can only grow
 * wrap_timestamp   set time_offset so that the 32-bit timestamp wraps in this many ms
 * slowdown         factor by which GPU time is slower than CLOCK_MONOTONIC, at most 1000.
 *                  Batches in progress when it is reduced may end late
 * reset            1: reset the GPU without a notification to gpuoa: the units are off and have
 *                  lost their configuration. 2: reset it and notify gpuoa; ignored while suspended
 * dead             1: the GPU does not respond, as if powered off or unplugged: registers and
 *                  clock read as all ones, and writes are ignored. 0: it responds again, and
 *                  has been reset
 * suspend          1: suspend the GPU as in a system suspend: notify gpuoa, then set dead.
 *                  0: resume it
 * ================ ============================================================================
 *
 * Files of the first OA unit, and of the others in the directories oam0, oam1 and oamg:
 *
 * ================ ============================================================================
 * generated        exact number of reports due
 * written          number of reports written
 * dropped          number of reports due but not written: lost, or left out by `missing`
 * ggtt_faults      number of reports written to unmapped addresses: a driver bug
 * half_full        number of times the buffer became half full (interrupts, if the GPU has them)
 * mux              hash of the multiplexer configuration, and the name of the counter selection
 * tail_ahead       number of reports by which the tail runs ahead of memory, at most 64
 * land_late_us     delay in us from the tail's move to the report's arrival in memory; it also
 *                  applies after the unit is stopped. At most 64 reports are pending, then the
 *                  oldest arrives. A reader that waits for a report with interrupts off and
 *                  reads no register may wait forever. Excludes torn_us and tail_ahead
 * torn_us          delay in us of all but a report's first 64 bytes, which include its header.
 *                  Excludes tail_ahead
 * freeze_tail_us   time in us for which the tail register is frozen while reports arrive
 * missing          number of due reports for which the tail moves but nothing is written: memory
 *                  keeps its old content
 * zero_ids         number of due reports with an id of 0, like the invalid ones of Haswell
 * lose_reports     number of due reports to drop, with the report-lost bit set
 * lose_triggers    number of MMIO triggers that find their queue full: no report is written, and
 *                  the queue-full bit is set; gen12.5 and later
 * lose_interrupts  number of half-full events without an interrupt
 * force_overflow   1: overflow the buffer now; ENODATA if no stream runs
 * wrap_counters    set all counters to this many events before their wrap in the next report
 * reference        see below
 * ================ ============================================================================
 *
 * `reference`: write "FROM TO" or "FROM TO CONTEXT", then read the exact counts between these two
 * times. Times are GPU ticks; a value below 2^32 means the latest time with these low 32 bits, as
 * in reports. CONTEXT is a time slot or a hardware id, as in `contexts`. ERANGE: a time is in the
 * future, in a jump of time_offset, or too long ago (the last 64 changes of workload, time_offset
 * and batch work are kept). Output lines: "set NAME", the counter selection programmed last; "ticks
 * DELTA"; "counter A0 DELTA" and so on for each programmed counter.
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

static int workload_show(struct seq_file *m, void *unused)
{
	struct sim_instance *instance = m->private;

	mutex_lock(&instance->mutex);
	seq_printf(m, "%s\n", sim_gpu_workload(&instance->gpu));
	mutex_unlock(&instance->mutex);

	return 0;
}

static ssize_t workload_write(struct file *file, const char __user *user, size_t count, loff_t *pos)
{
	struct sim_instance *instance = ((struct seq_file *)file->private_data)->private;
	char name[16];
	int which;

	if (count >= sizeof(name))
		return -EINVAL;
	if (copy_from_user(name, user, count))
		return -EFAULT;
	name[count] = 0;
	which = match_string(sim_workload_names, SIM_N_WORKLOADS, strim(name));
	if (which < 0)
		return which;
	mutex_lock(&instance->mutex);
	sim_gpu_set_workload(&instance->gpu, which);
	mutex_unlock(&instance->mutex);

	return count;
}

static int workload_open(struct inode *inode, struct file *file)
{
	return single_open(file, workload_show, inode->i_private);
}

static const struct file_operations workload_fops = {
	.owner = THIS_MODULE,
	.open = workload_open,
	.read = seq_read,
	.write = workload_write,
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
	{ "workload", 0644, &workload_fops },
	{ "time_offset", 0644, &time_offset_fops, true },
	{ "wrap_timestamp", 0200, &wrap_timestamp_fops, true },
	{ "slowdown", 0644, &slowdown_fops, true },
	{ "reset", 0200, &reset_fops, true },
	{ "dead", 0644, &dead_fops, true },
	{ "suspend", 0644, &suspend_fops, true },
	{},
};

/**
 * sim_debugfs_add() - Create the directory of an instance.
 * @instance: the instance
 *
 * The first unit's files are in the GPU's directory; each other unit has a subdirectory.
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
 * sim_debugfs_init() - Create the directory of the module.
 */
void sim_debugfs_init(void)
{
	sim_debugfs = debugfs_create_dir(SIM_NAME, NULL);
}

/**
 * sim_debugfs_exit() - Remove the directory of the module.
 */
void sim_debugfs_exit(void)
{
	debugfs_remove_recursive(sim_debugfs);
}
