// SPDX-License-Identifier: GPL-2.0-only
/*
 * call.c - i915's ioctls, called by the kernel.
 */
#include <linux/align.h>
#include <linux/err.h>
#include <linux/file.h>
#include <linux/fs.h>
#include <linux/kthread.h>
#include <linux/mman.h>
#include <linux/mm.h>
#include <linux/mount.h>
#include <linux/pid.h>
#include <linux/sched/mm.h>
#include <linux/sched/task.h>
#include <linux/uaccess.h>

#include "call.h"

/**
 * DOC: How the kernel calls i915
 *
 * i915 exports nothing that would let a module open a stream. Its ioctls do, but they want their
 * structs, and what those point to, in user memory. So a thread of ours makes the calls: for as
 * long as one takes it has the address space of process 1, which is always there and which no user
 * can write to, and a mapping in it that nobody else knows of. The descriptors that ioctls give go
 * into the table that kernel threads share, and out of it at once: user space never sees them.
 *
 * Device nodes are opened by way of devtmpfs itself, whatever is mounted where.
 */

static struct kthread_worker *worker;
static struct vfsmount *devices;

/**
 * struct call_work - a call that the thread is asked for
 * @work: for the thread
 * @function: what it runs
 * @data: its argument
 * @room: bytes of user memory that it needs
 * @ret: what it said
 */
struct call_work {
	struct kthread_work work;
	int (*function)(struct call *call, void *data);
	void *data;
	size_t room;
	int ret;
};

static struct mm_struct *process_1_mm(void)
{
	/* In the namespace of kernel threads, which is the first one */
	struct pid *pid = find_get_pid(1);
	struct task_struct *task = get_pid_task(pid, PIDTYPE_PID);
	struct mm_struct *mm = NULL;

	put_pid(pid);
	if (task) {
		mm = get_task_mm(task);
		put_task_struct(task);
	}

	return mm;
}

static int call_in_mm(struct call_work *work)
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

static void call_thread(struct kthread_work *kthread_work)
{
	struct call_work *work = container_of(kthread_work, struct call_work, work);
	struct mm_struct *mm = process_1_mm();

	if (!mm) {
		work->ret = -ESRCH;
		return;
	}
	kthread_use_mm(mm);
	work->ret = call_in_mm(work);
	kthread_unuse_mm(mm);
	mmput(mm);
}

/**
 * call_run - run a function that calls i915
 * @function: the function; returns 0 or -errno
 * @data: its argument
 * @room: bytes of user memory that it needs for all of its calls
 *
 * Context: may sleep, below any lock but one that i915 takes to serve an ioctl
 * Return: what @function says, or -ENOMEM
 */
int call_run(int (*function)(struct call *call, void *data), void *data, size_t room)
{
	struct call_work work = { .function = function, .data = data, .room = room };

	kthread_init_work(&work.work, call_thread);
	kthread_queue_work(worker, &work.work);
	kthread_flush_work(&work.work);

	return work.ret;
}

/**
 * call_open - open a device node
 * @node: its name below /dev
 *
 * Context: within call_run()
 * Return: the file or an ERR_PTR
 */
struct file *call_open(const char *node)
{
	struct path root = { .mnt = devices, .dentry = devices->mnt_root };

	return file_open_root(&root, node, O_RDWR, 0);
}

/**
 * call_close - close a file; it is closed when this returns, unless somebody else has it
 * @file: the file
 *
 * Context: within call_run()
 */
void call_close(struct file *file)
{
	__fput_sync(file);
}

/**
 * call_put - put something into user memory
 * @call: the call
 * @data: what; NULL: zeros
 * @size: bytes of it
 *
 * Return: where it is, or NULL if there is no room
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

/**
 * call_ioctl - call an ioctl
 * @call: the call
 * @file: whose
 * @cmd: which
 * @arg: its struct, which comes back as the ioctl leaves it; NULL with @size 0: there is none
 * @size: bytes of it
 *
 * Return: what the ioctl says, -ENOMEM or -EFAULT
 */
long call_ioctl(struct call *call, struct file *file, unsigned int cmd, void *arg, size_t size)
{
	void __user *user = call_put(call, arg, size);
	long ret;

	if (!user)
		return -ENOMEM;
	ret = file->f_op->unlocked_ioctl(file, cmd, (unsigned long)user);
	if (ret >= 0 && copy_from_user(arg, user, size))
		ret = -EFAULT;

	return ret;
}

/**
 * call_init - make the thread
 *
 * Return: 0 or -errno
 */
int call_init(void)
{
	struct file_system_type *type = get_fs_type("devtmpfs");

	if (!type)
		return -ENODEV;
	devices = kern_mount(type);
	if (IS_ERR(devices))
		return PTR_ERR(devices);
	worker = kthread_create_worker(0, "gpuoa_i915");
	if (IS_ERR(worker)) {
		kern_unmount(devices);
		return PTR_ERR(worker);
	}

	return 0;
}

/**
 * call_exit - undo call_init()
 */
void call_exit(void)
{
	kthread_destroy_worker(worker);
	kern_unmount(devices);
}
