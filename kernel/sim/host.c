// SPDX-License-Identifier: GPL-2.0-only
/*
 * host.c - the services that gpuoa.ko asks of the driver of a GPU.
 */
#include <linux/bits.h>
#include <linux/math64.h>
#include <linux/mutex.h>
#include <linux/units.h>

#include "context.h"
#include "host.h"
#include "instance.h"
#include "vgpu/model/gpu.h"

/* @host: the instance */
static struct sim_gpu *host_gpu(void *host)
{
	struct sim_instance *instance = host;

	return &instance->gpu;
}

static u32 host_read(void *host, u32 reg)
{
	return sim_mmio_read(host_gpu(host), reg);
}

static void host_write(void *host, u32 reg, u32 value)
{
	sim_mmio_write(host_gpu(host), reg, value);
}

static void host_rmw(void *host, u32 reg, u32 clear, u32 set)
{
	sim_mmio_rmw(host_gpu(host), reg, clear, set);
}

static u64 host_timestamp(void *host)
{
	return sim_gpu_read_timestamp(host_gpu(host));
}

static s64 host_map(void *host, struct page **pages, unsigned int n_pages)
{
	return sim_ggtt_map(host, pages, n_pages);
}

static void host_unmap(void *host, u64 gpu_address, unsigned int n_pages)
{
	sim_ggtt_unmap(host, gpu_address);
}

static int host_get(void *host)
{
	sim_gpu_get(host_gpu(host));

	return 0;
}

static void host_put(void *host)
{
	sim_gpu_put(host_gpu(host));
}

/*
 * All contexts have the same registers here: what one loads is what the next one finds. So to write
 * them is all there is to it.
 */
static int host_contexts_write(void *host, const struct gpuoa_register *regs, unsigned int count)
{
	unsigned int i;

	for (i = 0; i < count; i++)
		sim_mmio_write(host_gpu(host), regs[i].address, regs[i].value);

	return 0;
}

static int host_context_write(void *host, void *context, const struct gpuoa_register *regs,
			      unsigned int count)
{
	return host_contexts_write(host, regs, count);
}

/* The GTs of a virtual GPU have one clock. */
static int host_frequency(void *host, enum gpuoa_unit_type type, u64 *hz)
{
	struct sim_instance *instance = host;
	u32 mhz = div_u64(*hz, HZ_PER_MHZ);
	int ret;

	ret = sim_gpu_pin_prepare(&instance->gpu, mhz);
	if (ret)
		return ret;

	ret = -EBUSY;
	mutex_lock(&instance->mutex);
	if (!instance->pinned || instance->pinned == BIT(type))
		ret = sim_gpu_pin(&instance->gpu, &mhz);
	if (!ret)
		instance->pinned = mhz ? BIT(type) : 0;
	mutex_unlock(&instance->mutex);
	*hz = (u64)mhz * HZ_PER_MHZ;

	return ret;
}

const struct gpuoa_host_ops sim_host_ops = {
	.read = host_read,
	.write = host_write,
	.rmw = host_rmw,
	.timestamp = host_timestamp,
	.map = host_map,
	.unmap = host_unmap,
	.get = host_get,
	.put = host_put,
	.context_get = sim_context_get,
	.context_put = sim_context_put,
	.contexts_write = host_contexts_write,
	.context_write = host_context_write,
	.context_batches = sim_context_batches,
	.context_owner = sim_context_owner,
	.half_full = sim_half_full_listen,
	.frequency = host_frequency,
};
