/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * call.h - i915's ioctls, called by the kernel.
 */
#ifndef _GPUOA_I915_CALL_H
#define _GPUOA_I915_CALL_H

#include <linux/types.h>

struct file;

/**
 * struct call - a call that is under way
 * @memory: user memory for structs of ioctls
 * @size: bytes of it
 * @used: bytes that are taken
 */
struct call {
	unsigned long memory;
	size_t size;
	size_t used;
};

int call_init(void);
void call_exit(void);
int call_run(int (*function)(struct call *call, void *data), void *data, size_t room);

struct file *call_open(const char *node);
void call_close(struct file *file);
void __user *call_put(struct call *call, const void *data, size_t size);
long call_ioctl(struct call *call, struct file *file, unsigned int cmd, void *arg, size_t size);

#endif /* _GPUOA_I915_CALL_H */
