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
#include "sim_truth.h"

/**
 * struct sim_query - state of an open `truth`
 * @gpu: the GPU
 * @set: a question has been asked
 * @stream: what is counted
 * @from: tick of its first moment
 * @to: tick of its second moment
 */
struct sim_query {
	struct sim_gpu *gpu;
	bool set;
	unsigned int stream;
	u64 from;
	u64 to;
};

static int truth_show(struct seq_file *m, void *unused)
{
	struct sim_query *query = m->private;
	struct sim_gpu *gpu = query->gpu;
	__uint128_t (*sums)[SIM_N_SIGNALS];
	struct sim_query asked;

	mutex_lock(&gpu->mutex);
	asked = *query;
	if (!asked.set) {
		mutex_unlock(&gpu->mutex);
		return 0;
	}
	sums = kcalloc(2, sizeof(*sums), GFP_KERNEL);
	if (!sums) {
		mutex_unlock(&gpu->mutex);
		return -ENOMEM;
	}
	sim_timeline_at(&gpu->timeline, asked.stream, asked.from, sums[0]);
	sim_timeline_at(&gpu->timeline, asked.stream, asked.to, sums[1]);
	mutex_unlock(&gpu->mutex);

	gpu->platform->generation->truth(gpu, m, asked.to - asked.from, sums[0], sums[1]);
	kfree(sums);
	return 0;
}

/* A time slot by its number, or a context by the address of its state page. */
static int truth_stream(const struct sim_gpu *gpu, u64 name, unsigned int *stream)
{
	int slot = name;

	if (name >= SIM_N_SLOTS)
		slot = name > U32_MAX ? -1 : sim_slot_find(gpu, name);
	if (slot < 0)
		return -ENOENT;
	*stream = slot;
	return 0;
}

static int truth_ask(struct sim_query *query, const char *question)
{
	struct sim_gpu *gpu = query->gpu;
	struct sim_query asked = { .gpu = gpu, .set = true, .stream = SIM_GLOBAL };
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

	mutex_lock(&query->gpu->mutex);
	err = truth_ask(query, question);
	mutex_unlock(&query->gpu->mutex);
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
	query->gpu = inode->i_private;
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
