/* SPDX-License-Identifier: GPL-2.0-only */
/* gpuoa_i915_ioctl.h - ioctl wrapper: calls of i915's ioctls from the kernel. */
#ifndef _GPUOA_I915_IOCTL_H
#define _GPUOA_I915_IOCTL_H

#include <linux/types.h>

struct drm_device;
struct file;
struct kthread_worker;

/**
 * struct call - user memory for a function run by call_run()
 * @memory: user address of the memory; ioctl structs point to it
 * @size: size of the memory, bytes
 * @used: number of used bytes
 */
struct call {
	unsigned long memory;
	size_t size;
	size_t used;
};

int call_init(void);
void call_exit(void);
int call_run(struct kthread_worker *worker, int (*function)(struct call *call, void *data),
	     void *data, size_t room);
void __user *call_put(struct call *call, const void *data, size_t size);

struct file *call_open(const struct drm_device *drm);
void call_close(struct file *file);
bool call_is_file_of(const struct drm_device *drm, const struct file *file);
long call_ioctl(const struct file *file, unsigned int cmd, void *arg);

#endif /* _GPUOA_I915_IOCTL_H */
