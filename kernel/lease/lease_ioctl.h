/* SPDX-License-Identifier: GPL-2.0-only */
/* lease_ioctl.h - ioctl wrapper: calls of the stock driver's ioctls from the kernel. */
#ifndef _GPUOA_LEASE_IOCTL_H
#define _GPUOA_LEASE_IOCTL_H

#include <linux/types.h>

struct drm_device;
struct file;
struct kthread_worker;
struct lease_gpu;

/**
 * struct ioctl_args - user memory for a function run by ioctl_run()
 * @memory: user address of the memory; ioctl structs point to it
 * @size: size of the memory, bytes
 * @used: number of used bytes
 */
struct ioctl_args {
	unsigned long memory;
	size_t size;
	size_t used;
};

int ioctl_init(void);
void ioctl_exit(void);
int ioctl_run(struct kthread_worker *worker, int (*function)(struct ioctl_args *args, void *data),
	      void *data, size_t room);
int ioctl_ready(void);
void __user *ioctl_put(struct ioctl_args *args, const void *data, size_t size);

int node_run(const struct lease_gpu *gpu,
	     int (*function)(struct ioctl_args *args, struct file *node, void *data), void *data,
	     size_t room);
struct file *node_open(const struct drm_device *drm);
void node_close(struct file *file);
struct file *node_take_file(unsigned int fd);
bool node_has_file(const struct drm_device *drm, const struct file *file);
long node_call(struct ioctl_args *args, struct file *file, unsigned int cmd, void *arg,
	       size_t size);
long node_ioctl(const struct file *file, unsigned int cmd, void *arg);

#endif /* _GPUOA_LEASE_IOCTL_H */
