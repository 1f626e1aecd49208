/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * lease.h - GPUs driven by a stock driver, with gpuoa attached by exclusive streams of that driver.
 *
 * The files of kernel/lease are compiled into each module that attaches gpuoa to a stock driver.
 * The module defines lease_driver, with the parts that differ between these drivers.
 */
#ifndef _GPUOA_LEASE_H
#define _GPUOA_LEASE_H

#include <linux/io.h>
#include <linux/mutex.h>
#include <linux/types.h>

#include <gpuoa_provider.h>

#include "lease_clock.h"

struct cred;
struct drm_device;
struct file;
struct ioctl_args;
struct kthread_worker;
struct lease_gpu;
struct pci_dev;

#define LEASE_UNITS 4

/**
 * struct lease_properties - properties of an exclusive stream that do not change while it is open
 * @format: enum gpuoa_format
 * @exponent: timer exponent
 * @buffer_size: requested size of the buffer, bytes
 */
struct lease_properties {
	u32 format;
	u32 exponent;
	u32 buffer_size;
};

/**
 * struct lease_unit - OA unit
 * @gpu: GPU
 * @unit: unit registered with gpuoa
 * @frequency: frequency of the unit's clock, Hz
 * @clock: MMIO offset of the lower 32 bits of the unit's clock
 * @clock_is_64: the next register has the upper 32 bits; else they are computed from @anchor
 * @cred: credentials of the unit's opener, NULL while it is idle; access is serialized by the core
 * @lock: protects the members after it
 * @stream: file of the exclusive stream, which gives gpuoa control of the unit; NULL if there is
 *	none
 * @properties: properties of the stream
 * @buffer: GPU address of the stream's OABUFFER
 * @buffer_size: size of that buffer, bytes
 * @pages: buffer pages passed to the core
 * @leaked: the unit did not stop, so the stream is never closed
 * @anchor: time base of the clock; constant while a stream is open
 */
struct lease_unit {
	struct lease_gpu *gpu;
	struct gpuoa_unit *unit;
	u64 frequency;
	u32 clock;
	bool clock_is_64;
	const struct cred *cred;

	struct mutex lock; /* see above */
	struct file *stream;
	struct lease_properties properties;
	u32 buffer;
	u32 buffer_size;
	struct page **pages;
	bool leaked;
	struct clock_anchor anchor;
};

/**
 * struct lease_gpu - GPU, the first member of the driver's own struct
 * @pdev: PCI device, bound to the stock driver
 * @drm: DRM device
 * @worker: thread that calls the stock driver for this GPU
 * @regs: mapped registers
 * @n_units: number of @units
 * @units: OA units registered with gpuoa
 */
struct lease_gpu {
	struct pci_dev *pdev;
	struct drm_device *drm;
	struct kthread_worker *worker;
	void __iomem *regs;
	unsigned int n_units;
	struct lease_unit *units[LEASE_UNITS];
};

/**
 * struct lease_request - request for an exclusive stream; drivers may add members
 * @unit: unit
 * @config: configuration of the unit
 * @cred: credentials that the driver checks; NULL for those of the kernel
 */
struct lease_request {
	struct lease_unit *unit;
	const struct gpuoa_provider_config *config;
	const struct cred *cred;
};

/**
 * struct lease_driver - parts that depend on the stock driver
 * @name: name of the PCI driver
 * @regs_size: size of the mapped registers, which are in the lower half of BAR 0, bytes
 * @gpu_size: size of the module's struct, which begins with a struct lease_gpu, bytes
 */
struct lease_driver {
	const char *name;
	size_t regs_size;
	size_t gpu_size;

	/**
	 * @check: check whether a GPU of the driver is supported; only @pdev is set. @why: reason
	 * of a failure. Return: 0 or -errno
	 */
	int (*check)(struct lease_gpu *gpu, const char **why);

	/**
	 * @attach: describe the GPU and call lease_register() for its units; all members of @gpu
	 * are set. @why: reason of a failure. Return: 0 or -errno
	 */
	int (*attach)(struct lease_gpu *gpu, const char **why);

	/**
	 * @read_clock: read the unit's clock by the driver, which wakes the GPU if it sleeps. Only
	 * the lower 32 bits are used unless &lease_unit.clock_is_64 is set. Return: 0 or -errno
	 */
	int (*read_clock)(struct lease_unit *unit, u64 *clock);

	/**
	 * @open: open an exclusive stream, by lease_stream_open() with a request of the driver. The
	 * unit is stopped. Return: 0; -EBUSY if the unit is in use; or another -errno
	 */
	int (*open)(struct lease_unit *unit, struct gpuoa_provider_config *config,
		    const struct cred *cred);

	/** @permits: call lease_stream_permits() with a request of the driver */
	int (*permits)(struct lease_unit *unit, const struct gpuoa_provider_config *config,
		       const struct cred *cred);

	/**
	 * @add_config: add a configuration with the name @uuid to the driver. @node: open render
	 * node. Return: its id or -errno
	 */
	long (*add_config)(struct ioctl_args *args, struct file *node, const char *uuid,
			   const struct gpuoa_provider_config *config);

	/** @remove_config: undo @add_config */
	void (*remove_config)(struct ioctl_args *args, struct file *node, u64 id);

	/**
	 * @open_stream: open a disabled stream with the configuration @id, in a context with the
	 * credentials of the request. Return: its descriptor or -errno
	 */
	long (*open_stream)(struct ioctl_args *args, struct file *node,
			    const struct lease_request *request, u64 id);

	/**
	 * @try_stream: request a stream that the driver rejects after it has checked permissions,
	 * in the same context; @id is not used. Return: 0 if it permits the stream; or its error
	 */
	long (*try_stream)(struct ioctl_args *args, struct file *node,
			   const struct lease_request *request, u64 id);

	/**
	 * @run_once: enable and disable the stream once, which makes the driver clear its buffer
	 * and set OABUFFER, and set @buffer and @buffer_size of the unit. Return: 0 or -errno
	 */
	int (*run_once)(struct ioctl_args *args, struct file *stream,
			const struct lease_request *request);

	/**
	 * @change_stream: let the unit's open stream write the configuration @id, and restore the
	 * registers that the driver writes only when it opens a stream: a reset of the GPU has
	 * cleared them. The unit is stopped. NULL: a new stream is opened instead. Return: 0 or
	 * -errno
	 */
	int (*change_stream)(struct ioctl_args *args, struct lease_unit *unit, u64 id);

	/** @find_buffer: get the first @n_pages pages of the buffer. Return: 0 or -errno */
	int (*find_buffer)(struct lease_unit *unit, struct page **pages, unsigned int n_pages);
};

extern const struct lease_driver lease_driver;

static inline u32 lease_read(const struct lease_gpu *gpu, u32 reg)
{
	return readl(gpu->regs + reg);
}

static inline void lease_write(const struct lease_gpu *gpu, u32 reg, u32 value)
{
	writel(value, gpu->regs + reg);
}

/* lease_main.c */
void lease_unit_init(struct lease_unit *unit, struct lease_gpu *gpu);
int lease_register(struct lease_unit *unit, const struct gpuoa_unit_desc *desc,
		   const struct gpuoa_provider_ops *ops);

/* lease_stream.c */
int lease_stream_open(const struct lease_request *request);
int lease_stream_change(const struct lease_request *request);
int lease_stream_permits(const struct lease_request *request);

/* lease_provider.c */
void lease_close(struct lease_unit *unit);
u32 lease_provider_read(void *provider, u32 reg);
void lease_provider_write(void *provider, u32 reg, u32 value);
u64 lease_provider_timestamp(void *provider);
int lease_provider_clock(void *provider, u64 *ticks);
int lease_provider_get(void *provider);
void lease_provider_put(void *provider);
int lease_provider_configure(void *provider, struct gpuoa_provider_config *config);
int lease_provider_join(void *provider, const struct gpuoa_provider_config *config);
void lease_provider_unconfigure(void *provider);
int lease_provider_buffer_get(void *provider, u32 size, struct gpuoa_provider_buffer *buffer);
void lease_provider_buffer_put(void *provider, bool leak);

/* Callbacks of all drivers; the provider is a struct lease_unit. */
#define LEASE_PROVIDER_OPS                              \
	.read = lease_provider_read,                    \
	.write = lease_provider_write,                  \
	.timestamp = lease_provider_timestamp,          \
	.clock = lease_provider_clock,                  \
	.get = lease_provider_get,                      \
	.put = lease_provider_put,                      \
	.configure = lease_provider_configure,          \
	.join = lease_provider_join,                    \
	.unconfigure = lease_provider_unconfigure,      \
	.buffer_get = lease_provider_buffer_get,        \
	.buffer_put = lease_provider_buffer_put

#endif /* _GPUOA_LEASE_H */
