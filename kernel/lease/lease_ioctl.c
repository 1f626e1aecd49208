// SPDX-License-Identifier: GPL-2.0-only
/* lease_ioctl.c - ioctl wrapper: calls of the stock driver's ioctls from the kernel. */
#include <linux/align.h>
#include <linux/cred.h>
#include <linux/dcache.h>
#include <linux/device.h>
#include <linux/err.h>
#include <linux/fdtable.h>
#include <linux/file.h>
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

#include "lease.h"
#include "lease_ioctl.h"

/**
 * DOC: Calling the stock driver from the kernel
 *
 * i915 and xe export no symbols to open a stream, but their ioctls can. Those of i915 are called
 * through the ioctl table of the DRM driver, with structs in kernel memory. drm_ioctl() is
 * bypassed, because it would make the caller the new owner of the DRM file (drm_file_update_pid()).
 * Those of xe are called through its file operations, on files that this module has opened.
 *
 * Arrays referenced by the structs must be in user memory. Calls with such arrays are made by one
 * kernel thread per GPU, in the address space of the process that loaded the module. After that
 * process has exited, no process can access the address space, and the next call unmaps all
 * mappings of the process. No stream is opened before that: a call waits for the address space's
 * mmap_lock, which the process holds while it maps the ring of an event and waits for locks of the
 * core, under which calls are made.
 *
 * File descriptors returned by ioctls are in the table shared by all kernel threads and are removed
 * at once, so they are never visible to user space.
 *
 * The render node is opened by its device number, through an inode of this module's internal file
 * system, so no path name is resolved.
 */

#define CALL_FS_MAGIC 0x6f614750

static struct vfsmount *nodes;
static struct mm_struct *memory;
/* This lock is held for writing while @memory is unmapped, so that no call uses the memory. */
static DECLARE_RWSEM(memory_sem);
static bool memory_unmapped;

/**
 * struct ioctl_work - function call queued to the thread
 * @work: work item
 * @function: function
 * @data: argument of @function
 * @room: size of the user memory for @function, bytes
 * @ret: return value of @function, output
 */
struct ioctl_work {
	struct kthread_work work;
	int (*function)(struct ioctl_args *args, void *data);
	void *data;
	size_t room;
	int ret;
};

static int call_in_memory(struct ioctl_work *work)
{
	struct ioctl_args args = { .size = PAGE_ALIGN(work->room) };
	int ret;

	args.memory =
		vm_mmap(NULL, 0, args.size, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, 0);
	if (IS_ERR_VALUE(args.memory))
		return (int)args.memory;
	ret = work->function(&args, work->data);
	vm_munmap(args.memory, args.size);

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

/* Unmap the mappings of the process that loaded the module, after it has exited. */
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
	struct ioctl_work *work = container_of(kthread_work, struct ioctl_work, work);

	kthread_use_mm(memory);
	unmap_memory();
	down_read(&memory_sem);
	work->ret = call_in_memory(work);
	up_read(&memory_sem);
	kthread_unuse_mm(memory);
}

/**
 * ioctl_run() - Run a function in a thread with user memory.
 * @worker: thread of the GPU
 * @function: function; returns 0 or -errno
 * @data: argument of @function
 * @room: size of the user memory for all calls of @function, bytes
 *
 * Context: may sleep; the caller must not hold a lock that the driver takes in an ioctl
 * Return: return value of @function, or -ENOMEM
 */
int ioctl_run(struct kthread_worker *worker, int (*function)(struct ioctl_args *args, void *data),
	      void *data, size_t room)
{
	struct ioctl_work work = { .function = function, .data = data, .room = room };

	kthread_init_work(&work.work, call_thread);
	kthread_queue_work(worker, &work.work);
	kthread_flush_work(&work.work);

	return work.ret;
}

/**
 * ioctl_ready() - Check whether the process that loaded the module has exited.
 *
 * Return: 0 or -EAGAIN
 */
int ioctl_ready(void)
{
	return READ_ONCE(memory_unmapped) || atomic_read(&memory->mm_users) <= 1 ? 0 : -EAGAIN;
}

/**
 * ioctl_put() - Copy data to the user memory.
 * @args: user memory
 * @data: data; NULL for zeros
 * @size: size of the data, bytes
 *
 * Context: within ioctl_run()
 * Return: user address of the copy, or NULL if there is no space
 */
void __user *ioctl_put(struct ioctl_args *args, const void *data, size_t size)
{
	void __user *to = (void __user *)(args->memory + args->used);

	if (size > args->size - args->used)
		return NULL;
	args->used = min(ALIGN(args->used + size, sizeof(u64)), args->size);
	if (data ? copy_to_user(to, data, size) : clear_user(to, size))
		return NULL;

	return to;
}

/* Create a path to a character device, through an inode of this module. */
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
 * node_open() - Open the render node of a GPU.
 * @drm: DRM device
 *
 * Context: within ioctl_run(), with the credentials of the thread
 * Return: the file or an ERR_PTR
 */
struct file *node_open(const struct drm_device *drm)
{
	struct file *file;
	struct path path;
	int ret;

	ret = node_path(drm->render->kdev->devt, &path);
	if (ret)
		return ERR_PTR(ret);
	file = dentry_open(&path, O_RDWR, current_cred());
	dput(path.dentry);
	if (!IS_ERR(file) && !node_has_file(drm, file)) {
		node_close(file);
		file = ERR_PTR(-ENODEV);
	}

	return file;
}

/**
 * node_close() - Close a file synchronously, unless it has other users.
 * @file: file
 *
 * Context: within ioctl_run()
 */
void node_close(struct file *file)
{
	__fput_sync(file);
}

/**
 * struct node_work - function call with an open render node
 * @gpu: GPU
 * @function: function
 * @data: argument of @function
 */
struct node_work {
	const struct lease_gpu *gpu;
	int (*function)(struct ioctl_args *args, struct file *node, void *data);
	void *data;
};

static int run_with_node(struct ioctl_args *args, void *data)
{
	const struct node_work *work = data;
	struct file *node = node_open(work->gpu->drm);
	int ret;

	if (IS_ERR(node))
		return PTR_ERR(node);
	ret = work->function(args, node, work->data);
	node_close(node);

	return ret;
}

/**
 * node_run() - Run a function in a thread with user memory and an open render node.
 * @gpu: GPU
 * @function: function; returns 0 or -errno
 * @data: last argument of @function
 * @room: size of the user memory for all calls of @function, bytes
 *
 * Context: as ioctl_run()
 * Return: return value of @function, or the error that prevented the call
 */
int node_run(const struct lease_gpu *gpu,
	     int (*function)(struct ioctl_args *args, struct file *node, void *data), void *data,
	     size_t room)
{
	struct node_work work = { .gpu = gpu, .function = function, .data = data };

	return ioctl_run(gpu->worker, run_with_node, &work, room);
}

/**
 * node_take_file() - Get a file and remove its descriptor from the table of kernel threads.
 * @fd: descriptor, returned by an ioctl
 *
 * Context: within ioctl_run()
 * Return: the file or an ERR_PTR
 */
struct file *node_take_file(unsigned int fd)
{
	struct file *file = fget(fd);

	close_fd(fd);

	return file ?: ERR_PTR(-EBADF);
}

static const struct drm_file *drm_file_of(const struct file *file)
{
	return file->private_data;
}

/**
 * node_has_file() - Check whether a file is an open DRM node of a GPU.
 * @drm: DRM device
 * @file: file
 *
 * Return: true if it is
 */
bool node_has_file(const struct drm_device *drm, const struct file *file)
{
	return file->f_op == drm->driver->fops && drm_file_of(file)->minor->dev == drm;
}

/**
 * node_ioctl() - Call an ioctl of the driver, with the struct in kernel memory.
 * @file: DRM file of a GPU bound to the driver, see node_has_file()
 * @cmd: ioctl number
 * @arg: ioctl struct in kernel memory; may be modified
 *
 * Context: may sleep; within ioctl_run() if the struct points to user memory
 * Return: return value of the ioctl; -ENOTTY if the driver has no such ioctl
 */
long node_ioctl(const struct file *file, unsigned int cmd, void *arg)
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

/**
 * node_call() - Call an ioctl of a file, with the struct in user memory.
 * @args: user memory
 * @file: file that has ioctls
 * @cmd: ioctl number
 * @arg: ioctl struct in kernel memory; may be modified
 * @size: size of the struct, bytes
 *
 * Unlike node_ioctl(), this runs the driver's own entry function. With xe, this function wakes the
 * GPU. DRM makes the caller the owner of a DRM file, so do not call it for files of users.
 *
 * Context: within ioctl_run()
 * Return: return value of the ioctl; -ENOMEM if there is no space; -EFAULT
 */
long node_call(struct ioctl_args *args, struct file *file, unsigned int cmd, void *arg, size_t size)
{
	void __user *user = ioctl_put(args, arg, size);
	long ret;

	if (!user)
		return -ENOMEM;
	ret = file->f_op->unlocked_ioctl(file, cmd, (unsigned long)user);
	if (ret >= 0 && copy_from_user(arg, user, size))
		return -EFAULT;

	return ret;
}

static int call_init_fs(struct fs_context *fc)
{
	return init_pseudo(fc, CALL_FS_MAGIC) ? 0 : -ENOMEM;
}

/*
 * The file system has no .owner, because kern_mount() would then hold a reference to this module,
 * which could not be removed.
 */
static struct file_system_type call_fs_type = {
	.name = KBUILD_MODNAME,
	.init_fs_context = call_init_fs,
	.kill_sb = kill_anon_super,
};

/**
 * ioctl_init() - Mount the file system for device nodes and take the loader's address space.
 *
 * Context: process that loads the module
 * Return: 0 or -errno
 */
int ioctl_init(void)
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
 * ioctl_exit() - Undo ioctl_init().
 */
void ioctl_exit(void)
{
	mmput(memory);
	kern_unmount(nodes);
}
