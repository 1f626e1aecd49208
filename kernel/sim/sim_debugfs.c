// SPDX-License-Identifier: GPL-2.0-only
/*
 * sim_debugfs.c - /sys/kernel/debug/gpuoa_sim/<n>/: what an instance has done, and switches for
 * what it shall do.
 */
#include <linux/debugfs.h>
#include <linux/math64.h>
#include <linux/module.h>
#include <linux/seq_file.h>
#include <linux/string.h>
#include <linux/time64.h>
#include <linux/uaccess.h>

#include "sim.h"
#include "sim_buffer.h"

/**
 * DOC: debugfs
 *
 * Below gpuoa_sim/<n>/, numbers in decimal unless they begin with 0x. All switches may be used
 * while a stream runs.
 *
 * ================ ============================================================================
 * tick             GPU time now, as in &gpuoa_clock.gpu_ticks
 * generated        reports that the timer has demanded, exactly
 * written          reports written
 * dropped          reports demanded but not written
 * asleep_accesses  register accesses while nobody kept the GPU awake: a bug of the driver
 * unknown_accesses accesses to registers that do not exist: likewise
 * ggtt_faults      reports written to addresses where no memory is: likewise
 * registers        registers that are not 0
 * writes           the last 4096 register writes; anything written clears the list
 * mux              hash and name of the multiplexer configuration
 * contexts         time slots in use and the addresses of the contexts' state pages
 * scene            the load: idle, steady, frames, compute
 * tail_ahead       the tail runs ahead of memory by this many reports, up to 64
 * lose_reports     this many due reports will be dropped, with the report-lost bit set
 * force_overflow   1: the buffer overflows now; ENODATA if no stream runs
 * time_offset      GPU time is that of the host's CLOCK_MONOTONIC plus this many ticks. It
 *                  can only grow, and is rounded up to whole cycles of time slots, so that
 *                  the schedule stays
 * wrap_timestamp   ms: time_offset such that the 32-bit timestamp wraps so soon, or up to a
 *                  cycle of time slots later
 * wrap_counters    events: the next report shows all counters as many events before their wrap
 * truth            see below
 * ================ ============================================================================
 *
 * `truth`: write "FROM TO" or "FROM TO CONTEXT", then read what has been counted between these
 * two moments. Moments are GPU ticks; one below 2^32 is taken for the latest moment with these
 * low 32 bits, as reports have them. CONTEXT is a time slot or the address of a state page, as in
 * `contexts`. ERANGE: a moment lies in the future, in a jump of time_offset, or too long ago (the
 * last 32 changes of scene and time_offset are remembered). Lines: "metric NAME
 * NUMERATOR/DENOMINATOR" for the metrics of RenderBasic, which are told whatever is programmed;
 * "set NAME", the last multiplexer configuration that was programmed, and for it "counter A0
 * DELTA" and so on.
 */

static struct dentry *sim_debugfs;

static int tick_get(void *data, u64 *value)
{
	*value = sim_host_ops.timestamp(data);
	return 0;
}
DEFINE_DEBUGFS_ATTRIBUTE(tick_fops, tick_get, NULL, "%llu\n");

/* Statistics are told as of now. */
static u64 statistic(struct sim_gpu *gpu, const u64 *counter)
{
	unsigned long flags;
	u64 value;

	raw_spin_lock_irqsave(&gpu->lock, flags);
	gpu->platform->generation->advance(gpu, sim_now(gpu));
	value = *counter;
	raw_spin_unlock_irqrestore(&gpu->lock, flags);
	return value;
}

#define SIM_STATISTIC(name)								\
static int name ## _get(void *data, u64 *value)					\
{											\
	struct sim_gpu *gpu = data;							\
											\
	*value = statistic(gpu, &gpu->statistics.name);					\
	return 0;									\
}											\
DEFINE_DEBUGFS_ATTRIBUTE(name ## _fops, name ## _get, NULL, "%llu\n")

SIM_STATISTIC(generated);
SIM_STATISTIC(written);
SIM_STATISTIC(dropped);
SIM_STATISTIC(asleep_accesses);
SIM_STATISTIC(unknown_accesses);
SIM_STATISTIC(ggtt_faults);

static void fault_set(struct sim_gpu *gpu, u32 *fault, u32 value)
{
	unsigned long flags;

	raw_spin_lock_irqsave(&gpu->lock, flags);
	gpu->platform->generation->advance(gpu, sim_now(gpu));
	*fault = value;
	raw_spin_unlock_irqrestore(&gpu->lock, flags);
}

static int tail_ahead_get(void *data, u64 *value)
{
	struct sim_gpu *gpu = data;

	*value = READ_ONCE(gpu->faults.tail_ahead);
	return 0;
}

static int tail_ahead_set(void *data, u64 value)
{
	struct sim_gpu *gpu = data;

	if (value > SIM_MAX_TAIL_AHEAD)
		return -ERANGE;
	fault_set(gpu, &gpu->faults.tail_ahead, value);
	return 0;
}
DEFINE_DEBUGFS_ATTRIBUTE(tail_ahead_fops, tail_ahead_get, tail_ahead_set, "%llu\n");

static int lose_reports_get(void *data, u64 *value)
{
	struct sim_gpu *gpu = data;

	*value = READ_ONCE(gpu->faults.lose_reports);
	return 0;
}

static int lose_reports_set(void *data, u64 value)
{
	struct sim_gpu *gpu = data;

	if (value > U32_MAX)
		return -ERANGE;
	fault_set(gpu, &gpu->faults.lose_reports, value);
	return 0;
}
DEFINE_DEBUGFS_ATTRIBUTE(lose_reports_fops, lose_reports_get, lose_reports_set, "%llu\n");

static int force_overflow_set(void *data, u64 value)
{
	struct sim_gpu *gpu = data;
	unsigned long flags;
	int err;

	if (value != 1)
		return -EINVAL;
	raw_spin_lock_irqsave(&gpu->lock, flags);
	gpu->platform->generation->advance(gpu, sim_now(gpu));
	err = gpu->platform->generation->overflow(gpu);
	raw_spin_unlock_irqrestore(&gpu->lock, flags);
	return err;
}
DEFINE_DEBUGFS_ATTRIBUTE(force_overflow_fops, NULL, force_overflow_set, "%llu\n");

static int wrap_counters_set(void *data, u64 value)
{
	struct sim_gpu *gpu = data;
	unsigned long flags;

	if (value > U32_MAX)
		return -ERANGE;
	raw_spin_lock_irqsave(&gpu->lock, flags);
	gpu->platform->generation->advance(gpu, sim_now(gpu));
	gpu->platform->generation->wrap(gpu, value);
	raw_spin_unlock_irqrestore(&gpu->lock, flags);
	return 0;
}
DEFINE_DEBUGFS_ATTRIBUTE(wrap_counters_fops, NULL, wrap_counters_set, "%llu\n");

/* What write begins a new segment of the timeline. */
enum sim_change {
	SIM_CHANGE_SCENE,
	SIM_CHANGE_OFFSET,
	SIM_CHANGE_WRAP,
};

/* Time jumps by whole cycles of time slots, so that each slot stays where it is. */
static u64 offset_at_least(const struct sim_gpu *gpu, u64 offset)
{
	u64 cycle = SIM_N_SLOTS * gpu->timeline.slot_ticks;

	return div64_u64(offset + cycle - 1, cycle) * cycle;
}

/* The last offset with which the 32-bit timestamp does not wrap within @ms from tick @now on. */
static u64 offset_before_wrap(const struct sim_gpu *gpu, u64 now, u64 offset, u64 ms)
{
	u64 cycle = SIM_N_SLOTS * gpu->timeline.slot_ticks;
	u64 ticks = div_u64(gpu->platform->desc.timestamp_frequency * ms, MSEC_PER_SEC);
	u32 jump = -(u32)(now + offset) - ticks;

	return offset + div64_u64(jump, cycle) * cycle;
}

static void change(struct sim_gpu *gpu, enum sim_change what, u64 value)
{
	struct sim_segment next;
	unsigned long flags;

	mutex_lock(&gpu->mutex);
	raw_spin_lock_irqsave(&gpu->lock, flags);
	next = *sim_timeline_present(&gpu->timeline);
	next.start = sim_now(gpu);
	gpu->platform->generation->advance(gpu, next.start);
	switch (what) {
	case SIM_CHANGE_SCENE:
		next.scene = &gpu->scenes[value];
		break;
	case SIM_CHANGE_OFFSET:
		next.offset = max(next.offset, offset_at_least(gpu, value));
		break;
	case SIM_CHANGE_WRAP:
		next.offset = offset_before_wrap(gpu, next.start, next.offset, value);
		break;
	}
	sim_timeline_append(&gpu->timeline, &next);
	gpu->platform->generation->retime(gpu, next.start);
	raw_spin_unlock_irqrestore(&gpu->lock, flags);
	mutex_unlock(&gpu->mutex);
}

static int scene_show(struct seq_file *m, void *unused)
{
	struct sim_gpu *gpu = m->private;

	mutex_lock(&gpu->mutex);
	seq_printf(m, "%s\n", sim_timeline_present(&gpu->timeline)->scene->name);
	mutex_unlock(&gpu->mutex);
	return 0;
}

static ssize_t scene_write(struct file *file, const char __user *user, size_t count, loff_t *pos)
{
	struct sim_gpu *gpu = ((struct seq_file *)file->private_data)->private;
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
	change(gpu, SIM_CHANGE_SCENE, which);
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
	struct sim_gpu *gpu = data;

	mutex_lock(&gpu->mutex);
	*value = sim_timeline_present(&gpu->timeline)->offset;
	mutex_unlock(&gpu->mutex);
	return 0;
}

static int time_offset_set(void *data, u64 value)
{
	if (value > S64_MAX / 2)
		return -ERANGE;
	change(data, SIM_CHANGE_OFFSET, value);
	return 0;
}
DEFINE_DEBUGFS_ATTRIBUTE(time_offset_fops, time_offset_get, time_offset_set, "%llu\n");

static int wrap_timestamp_set(void *data, u64 value)
{
	if (value > 100 * MSEC_PER_SEC)
		return -ERANGE;
	change(data, SIM_CHANGE_WRAP, value);
	return 0;
}
DEFINE_DEBUGFS_ATTRIBUTE(wrap_timestamp_fops, NULL, wrap_timestamp_set, "%llu\n");

static int mux_show(struct seq_file *m, void *unused)
{
	struct sim_gpu *gpu = m->private;
	unsigned long flags;
	const char *name;
	u64 hash;

	raw_spin_lock_irqsave(&gpu->lock, flags);
	name = gpu->platform->generation->mux(gpu, &hash);
	raw_spin_unlock_irqrestore(&gpu->lock, flags);
	seq_printf(m, "%#llx %s\n", hash, name);
	return 0;
}
DEFINE_SHOW_ATTRIBUTE(mux);

static int contexts_show(struct seq_file *m, void *unused)
{
	struct sim_gpu *gpu = m->private;
	unsigned int slot;

	mutex_lock(&gpu->mutex);
	for (slot = 0; slot < SIM_N_SLOTS; slot++)
		if (gpu->slots[slot])
			seq_printf(m, "%u %#x\n", slot, gpu->slots[slot]);
	mutex_unlock(&gpu->mutex);
	return 0;
}
DEFINE_SHOW_ATTRIBUTE(contexts);

static int registers_show(struct seq_file *m, void *unused)
{
	sim_mmio_print(m->private, m);
	return 0;
}
DEFINE_SHOW_ATTRIBUTE(registers);

static int writes_show(struct seq_file *m, void *unused)
{
	return sim_mmio_print_log(m->private, m);
}

static ssize_t writes_write(struct file *file, const char __user *user, size_t count, loff_t *pos)
{
	sim_mmio_clear_log(((struct seq_file *)file->private_data)->private);
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

/**
 * struct sim_debugfs_file - a file of each instance
 * @name: its name
 * @mode: its permissions
 * @fops: its operations
 * @simple: made by DEFINE_DEBUGFS_ATTRIBUTE(), which guards itself against removal
 */
struct sim_debugfs_file {
	const char *name;
	umode_t mode;
	const struct file_operations *fops;
	bool simple;
};

static const struct sim_debugfs_file sim_debugfs_files[] = {
	{ "tick", 0444, &tick_fops, true },
	{ "generated", 0444, &generated_fops, true },
	{ "written", 0444, &written_fops, true },
	{ "dropped", 0444, &dropped_fops, true },
	{ "asleep_accesses", 0444, &asleep_accesses_fops, true },
	{ "unknown_accesses", 0444, &unknown_accesses_fops, true },
	{ "ggtt_faults", 0444, &ggtt_faults_fops, true },
	{ "registers", 0444, &registers_fops },
	{ "writes", 0644, &writes_fops },
	{ "mux", 0444, &mux_fops },
	{ "contexts", 0444, &contexts_fops },
	{ "scene", 0644, &scene_fops },
	{ "tail_ahead", 0644, &tail_ahead_fops, true },
	{ "lose_reports", 0644, &lose_reports_fops, true },
	{ "force_overflow", 0200, &force_overflow_fops, true },
	{ "time_offset", 0644, &time_offset_fops, true },
	{ "wrap_timestamp", 0200, &wrap_timestamp_fops, true },
	{ "wrap_counters", 0200, &wrap_counters_fops, true },
	{ "truth", 0644, &sim_truth_fops },
};

void sim_debugfs_add(struct sim_gpu *gpu)
{
	char name[12];
	unsigned int i;

	snprintf(name, sizeof(name), "%u", gpu->index);
	gpu->debugfs = debugfs_create_dir(name, sim_debugfs);
	for (i = 0; i < ARRAY_SIZE(sim_debugfs_files); i++) {
		const struct sim_debugfs_file *file = &sim_debugfs_files[i];

		if (file->simple)
			debugfs_create_file_unsafe(file->name, file->mode, gpu->debugfs, gpu,
						   file->fops);
		else
			debugfs_create_file(file->name, file->mode, gpu->debugfs, gpu,
					    file->fops);
	}
}

void sim_debugfs_init(void)
{
	sim_debugfs = debugfs_create_dir(SIM_NAME, NULL);
}

void sim_debugfs_exit(void)
{
	debugfs_remove_recursive(sim_debugfs);
}
