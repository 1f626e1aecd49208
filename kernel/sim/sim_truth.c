// SPDX-License-Identifier: GPL-2.0-only
/*
 * sim_truth.c - debugfs `truth`: what a reader of reports should have found between two moments.
 */
#include <linux/debugfs.h>
#include <linux/kernel.h>
#include <linux/module.h>
#include <linux/seq_file.h>
#include <linux/slab.h>
#include <linux/uaccess.h>

#include "sim.h"
#include "sim_debugfs.h"

/**
 * struct sim_query - state of an open `truth`
 * @oa: the OA unit
 * @set: a question has been asked
 * @stream: what is counted
 * @from: tick of its first moment
 * @to: tick of its second moment
 */
struct sim_query {
	struct sim_oa *oa;
	bool set;
	unsigned int stream;
	u64 from;
	u64 to;
};

/**
 * struct sim_truth - what a question is answered from
 * @asked: the question
 * @known: what the counters counted
 * @from: integrals at the first moment
 * @to: integrals at the second moment
 * @delta: what each counter counted in between
 * @cursor: walks through the time in between
 */
struct sim_truth {
	struct sim_query asked;
	struct sim_selection known;
	__uint128_t from[SIM_N_SIGNALS];
	__uint128_t to[SIM_N_SIGNALS];
	u64 delta[SIM_MAX_COUNTERS];
	struct sim_cursor cursor;
};

static void add_deltas(struct sim_truth *truth, const __uint128_t *from, const __uint128_t *to)
{
	const struct sim_oa_ops *ops = truth->asked.oa->ops;
	unsigned int i;

	for (i = 0; i < ops->n_counters; i++)
		truth->delta[i] += sim_counter_value(&truth->known, i, ops->first_b, to) -
				   sim_counter_value(&truth->known, i, ops->first_b, from);
}

/*
 * The counters count for everybody, and what somebody else counted is taken away. So the context
 * has whole events of each of the times in which it ran, and fractions are not carried from one to
 * the next.
 */
static void add_times(struct sim_truth *truth, const struct sim_timeline *timeline)
{
	struct sim_cursor *cursor = &truth->cursor;
	__uint128_t *sum = truth->to;
	u64 end = truth->asked.to;
	unsigned int i;

	sim_cursor_seek(timeline, SIM_GLOBAL, truth->asked.from, cursor);
	for (; cursor->from < end; sim_cursor_next(timeline, cursor)) {
		u64 ticks = min(cursor->to, end) - cursor->from;

		if (cursor->slot != truth->asked.stream)
			continue;
		for (i = 0; i < SIM_N_SIGNALS; i++)
			sum[i] = cursor->sum[i] + (__uint128_t)cursor->rate[i] * ticks;
		add_deltas(truth, cursor->sum, sum);
	}
}

static void find_truth(struct sim_truth *truth)
{
	const struct sim_query *asked = &truth->asked;
	struct sim_oa *oa = asked->oa;
	const struct sim_timeline *timeline = &oa->gpu->timeline;
	unsigned long flags;

	raw_spin_lock_irqsave(&oa->gpu->lock, flags);
	truth->known = *sim_oa_known(oa);
	raw_spin_unlock_irqrestore(&oa->gpu->lock, flags);

	if (asked->stream != SIM_GLOBAL && !oa->ops->filters)
		add_times(truth, timeline);
	sim_timeline_at(timeline, asked->stream, asked->from, truth->from);
	sim_timeline_at(timeline, asked->stream, asked->to, truth->to);
	if (asked->stream == SIM_GLOBAL || oa->ops->filters)
		add_deltas(truth, truth->from, truth->to);
}

static void print_bank(struct seq_file *m, const struct sim_bank *bank, const u64 *delta)
{
	unsigned int i;

	if (bank->n == 1)
		seq_printf(m, "counter %s %llu\n", bank->name, delta[bank->first]);
	else
		for (i = 0; i < bank->n; i++)
			seq_printf(m, "counter %s%u %llu\n", bank->name, i,
				   delta[bank->first + i]);
}

static void print_truth(struct seq_file *m, const struct sim_truth *truth)
{
	const struct sim_oa *oa = truth->asked.oa;
	const struct sim_oa_ops *ops = oa->ops;
	u64 ticks = truth->asked.to - truth->asked.from;
	unsigned int i;

	if (ops->print_metrics)
		ops->print_metrics(m, &oa->gpu->platform->desc, ticks, truth->from, truth->to);
	seq_printf(m, "set %s\n", truth->known.name ?: "unknown");
	seq_printf(m, "ticks %llu\n", ticks);
	for (i = 0; i < ops->n_banks; i++)
		print_bank(m, &ops->banks[i], truth->delta);
}

static int truth_show(struct seq_file *m, void *unused)
{
	struct sim_query *query = m->private;
	struct sim_gpu *gpu = query->oa->gpu;
	struct sim_truth *truth;

	truth = kzalloc(sizeof(*truth), GFP_KERNEL);
	if (!truth)
		return -ENOMEM;
	mutex_lock(&gpu->mutex);
	truth->asked = *query;
	if (truth->asked.set)
		find_truth(truth);
	mutex_unlock(&gpu->mutex);
	if (truth->asked.set)
		print_truth(m, truth);
	kfree(truth);
	return 0;
}

/* A time slot by its number, or a context by its name. */
static int truth_stream(const struct sim_gpu *gpu, u64 name, unsigned int *stream)
{
	int slot = name > U32_MAX ? -1 : sim_slot_find(gpu, name);

	if (slot < 0 && name < SIM_N_SLOTS)
		slot = name;
	if (slot < 0)
		return -ENOENT;
	*stream = slot;
	return 0;
}

static int truth_ask(struct sim_query *query, const char *question)
{
	struct sim_gpu *gpu = query->oa->gpu;
	struct sim_query asked = { .oa = query->oa, .set = true, .stream = SIM_GLOBAL };
	u64 now = sim_now(gpu), from, to, context;
	int n, err;

	n = sscanf(question, "%lli %lli %lli", &from, &to, &context);
	if (n < 2)
		return -EINVAL;
	err = sim_timeline_tick(&gpu->timeline, now, from, &asked.from);
	if (!err)
		err = sim_timeline_tick(&gpu->timeline, now, to, &asked.to);
	if (!err && asked.from > asked.to)
		err = -ERANGE;
	if (!err && n == 3)
		err = truth_stream(gpu, context, &asked.stream);
	if (!err)
		*query = asked;
	return err;
}

/* What is read next begins with the answer's first byte. */
static ssize_t truth_write(struct file *file, const char __user *user, size_t count, loff_t *pos)
{
	struct seq_file *m = file->private_data;
	struct sim_query *query = m->private;
	char question[80];
	int err;

	if (count >= sizeof(question))
		return -EINVAL;
	if (copy_from_user(question, user, count))
		return -EFAULT;
	question[count] = 0;

	mutex_lock(&query->oa->gpu->mutex);
	err = truth_ask(query, question);
	mutex_unlock(&query->oa->gpu->mutex);
	if (err)
		return err;
	*pos = 0;
	return count;
}

static int truth_open(struct inode *inode, struct file *file)
{
	struct sim_query *query = kzalloc(sizeof(*query), GFP_KERNEL);
	int err;

	if (!query)
		return -ENOMEM;
	query->oa = inode->i_private;
	err = single_open(file, truth_show, query);
	if (err)
		kfree(query);
	return err;
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
