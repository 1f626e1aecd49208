// SPDX-License-Identifier: GPL-2.0-only
/*
 * truth_debugfs.c - debugfs `truth`: asks what a reader of reports should have found.
 */
#include <linux/debugfs.h>
#include <linux/module.h>
#include <linux/sched/mm.h>
#include <linux/seq_file.h>
#include <linux/slab.h>
#include <linux/uaccess.h>

#include "instance.h"
#include "vgpu/model/truth.h"
#include "truth_debugfs.h"

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
