// SPDX-License-Identifier: GPL-2.0-only
/*
 * call.c - i915's ioctls, called by the kernel.
 */
#include <linux/align.h>
#include <linux/cred.h>
#include <linux/dcache.h>
#include <linux/device.h>
#include <linux/err.h>
#include <linux/fs.h>
#include <linux/kthread.h>
#include <linux/mm.h>
#include <linux/mman.h>
#include <linux/mount.h>
#include <linux/pseudo_fs.h>
#include <linux/rwsem.h>
#include <linux/sched/mm.h>
#include <linux/uaccess.h>

#include <drm/drm_device.h>
#include <drm/drm_drv.h>
#include <drm/drm_file.h>
#include <drm/drm_ioctl.h>

#include "call.h"

/**
 * DOC: How the kernel calls i915
 *
 * i915 exports nothing that would let a module open a stream, but its ioctls do. They are called by
 * the table of the DRM driver, with structs in kernel memory. drm_ioctl() is not involved, which
 * would take the caller for the new owner of the DRM file (drm_file_update_pid()).
 *
 * Arrays that the structs point to have to be in user memory. Calls that need some are made by a
 * kernel thread, one for each GPU, in the address space of the process that loaded the module. When
 * that process has exited, no process has access to that address space, and the next call unmaps
 * all that the process had mapped. The descriptors that ioctls return are in the table that all
 * kernel threads share, and are removed from it at once: user space never sees them.
 *
 * The render node is opened by its device number, through an inode of this module: no file system
 * and no name in it is involved.
 */

#define CALL_FS_MAGIC 0x6f614750

static struct vfsmount *nodes;
static struct mm_struct *memory;
/* Taken for writing while @memory is unmapped: no call uses it then. */
static DECLARE_RWSEM(memory_sem);
static bool memory_unmapped;

/**
 * struct call_work - a function that the thread runs
 * @work: for the thread
 * @function: the function
 * @data: its argument
 * @room: bytes of user memory that it needs
 * @ret: out: return value of the function
 */
struct call_work {
	struct kthread_work work;
	int (*function)(struct call *call, void *data);
	void *data;
	size_t room;
	int ret;
};

static int call_in_memory(struct call_work *work)
{
	struct call call = { .size = PAGE_ALIGN(work->room) };
	int ret;

	call.memory =
		vm_mmap(NULL, 0, call.size, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, 0);
	if (IS_ERR_VALUE(call.memory))
		return (int)call.memory;
	ret = work->function(&call, work->data);
	vm_munmap(call.memory, call.size);

	return ret;
}

static unsigned long first_mapping(void)
{
	struct vm_area_struct *vma;
	unsigned long start;

	mmap_read_lock(memory);
	vma = find_vma(memory, 0);
	start = vma ? vma->vm_start : TASK_SIZE_MAX;
	mmap_read_unlock(memory);

	return start;
}

/* Unmap the mappings of the process that loaded the module, when it has exited. */
static void unmap_memory(void)
{
	unsigned long start;

	if (READ_ONCE(memory_unmapped) || atomic_read(&memory->mm_users) > 1 ||
	    !down_write_trylock(&memory_sem))
		return;
	start = first_mapping();
	if (start < TASK_SIZE_MAX)
		vm_munmap(start, TASK_SIZE_MAX - start);
	WRITE_ONCE(memory_unmapped, true);
	up_write(&memory_sem);
}

static void call_thread(struct kthread_work *kthread_work)
{
	struct call_work *work = container_of(kthread_work, struct call_work, work);

	kthread_use_mm(memory);
	unmap_memory();
	down_read(&memory_sem);
	work->ret = call_in_memory(work);
	up_read(&memory_sem);
	kthread_unuse_mm(memory);
}

/**
 * call_run - run a function in a thread that has user memory
 * @worker: the GPU's thread
 * @function: the function; returns 0 or -errno
 * @data: its argument
 * @room: bytes of user memory that it needs for all of its calls
 *
 * Context: may sleep, below any lock but one that i915 takes to serve an ioctl
 * Return: the return value of @function, or -ENOMEM
 */
int call_run(struct kthread_worker *worker, int (*function)(struct call *call, void *data),
	     void *data, size_t room)
{
	struct call_work work = { .function = function, .data = data, .room = room };

	kthread_init_work(&work.work, call_thread);
	kthread_queue_work(worker, &work.work);
	kthread_flush_work(&work.work);

	return work.ret;
}

/**
 * call_put - copy data into user memory
 * @call: the call
 * @data: the data; NULL: zeros
 * @size: bytes of it
 *
 * Context: within call_run()
 * Return: its address, or NULL if there is no room
 */
void __user *call_put(struct call *call, const void *data, size_t size)
{
	void __user *to = (void __user *)(call->memory + call->used);

	if (size > call->size - call->used)
		return NULL;
	call->used = min(ALIGN(call->used + size, sizeof(u64)), call->size);
	if (data ? copy_to_user(to, data, size) : clear_user(to, size))
		return NULL;

	return to;
}

/* A path to a character device, through an inode of this module */
static int node_path(dev_t device, struct path *path)
{
	struct inode *inode = new_inode(nodes->mnt_sb);
	struct dentry *dentry;

	if (!inode)
		return -ENOMEM;
	inode->i_ino = get_next_ino();
	init_special_inode(inode, S_IFCHR | 0600, device);
	dentry = d_obtain_alias(inode);
	if (IS_ERR(dentry))
		return PTR_ERR(dentry);
	*path = (struct path){ .mnt = nodes, .dentry = dentry };

	return 0;
}

/**
 * call_open - open the render node of a GPU
 * @drm: the GPU's DRM device
 *
 * Context: within call_run(), with the thread's own credentials
 * Return: the file or an ERR_PTR
 */
struct file *call_open(const struct drm_device *drm)
{
	struct file *file;
	struct path path;
	int ret;

	ret = node_path(drm->render->kdev->devt, &path);
	if (ret)
		return ERR_PTR(ret);
	file = dentry_open(&path, O_RDWR, current_cred());
	dput(path.dentry);
	if (!IS_ERR(file) && !call_is_file_of(drm, file)) {
		call_close(file);
		file = ERR_PTR(-ENODEV);
	}

	return file;
}

/**
 * call_close - close a file; it is closed when this returns, unless it has other users
 * @file: the file
 *
 * Context: within call_run()
 */
void call_close(struct file *file)
{
	__fput_sync(file);
}

static const struct drm_file *drm_file_of(const struct file *file)
{
	return file->private_data;
}

/**
 * call_is_file_of - check that a file is an open DRM node of a GPU
 * @drm: the GPU's DRM device
 * @file: the file
 *
 * Return: true if it is
 */
bool call_is_file_of(const struct drm_device *drm, const struct file *file)
{
	return file->f_op == drm->driver->fops && drm_file_of(file)->minor->dev == drm;
}

/**
 * call_ioctl - call an ioctl of i915
 * @file: a DRM file of a GPU that i915 is bound to, see call_is_file_of()
 * @cmd: the ioctl
 * @arg: its struct, in kernel memory; the ioctl may write to it
 *
 * Context: may sleep; within call_run() if the struct points to user memory
 * Return: the return value of the ioctl; -ENOTTY: i915 has no such ioctl
 */
long call_ioctl(const struct file *file, unsigned int cmd, void *arg)
{
	struct drm_file *client = file->private_data;
	struct drm_device *drm = client->minor->dev;
	unsigned int nr = _IOC_NR(cmd) - DRM_COMMAND_BASE;
	const struct drm_ioctl_desc *desc;

	if (nr >= drm->driver->num_ioctls)
		return -ENOTTY;
	desc = &drm->driver->ioctls[nr];
	if (desc->cmd != cmd || !desc->func)
		return -ENOTTY;

	return desc->func(drm, arg, client);
}

static int call_init_fs(struct fs_context *fc)
{
	return init_pseudo(fc, CALL_FS_MAGIC) ? 0 : -ENOMEM;
}

/* It has no .owner: kern_mount() would hold a reference to this module until rmmod. */
static struct file_system_type call_fs_type = {
	.name = "gpuoa_i915",
	.init_fs_context = call_init_fs,
	.kill_sb = kill_anon_super,
};

/**
 * call_init - prepare for calls
 *
 * Context: in the process that loads the module
 * Return: 0 or -errno
 */
int call_init(void)
{
	if (!current->mm)
		return -EINVAL;
	nodes = kern_mount(&call_fs_type);
	if (IS_ERR(nodes))
		return PTR_ERR(nodes);
	memory = current->mm;
	mmget(memory);

	return 0;
}

/**
 * call_exit - undo call_init()
 */
void call_exit(void)
{
	mmput(memory);
	kern_unmount(nodes);
}
