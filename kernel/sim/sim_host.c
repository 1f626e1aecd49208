// SPDX-License-Identifier: GPL-2.0-only
/*
 * sim_host.c - the services that gpuoa.ko asks of the driver of a GPU.
 */
#include "sim.h"

static u32 host_read(void *host, u32 reg)
{
	return sim_mmio_read(host, reg);
}

static void host_write(void *host, u32 reg, u32 value)
{
	sim_mmio_write(host, reg, value);
}

static u64 host_timestamp(void *host)
{
	struct sim_gpu *gpu = host;
	unsigned long flags;
	u64 timestamp;

	raw_spin_lock_irqsave(&gpu->lock, flags);
	timestamp = sim_oa_timestamp(&gpu->oa[0]);
	raw_spin_unlock_irqrestore(&gpu->lock, flags);
	return timestamp;
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
	struct sim_gpu *gpu = host;
	unsigned long flags;

	raw_spin_lock_irqsave(&gpu->lock, flags);
	gpu->awake++;
	raw_spin_unlock_irqrestore(&gpu->lock, flags);
	return 0;
}

/* Reports that were due until now are written before the lights go out. */
static void host_put(void *host)
{
	struct sim_gpu *gpu = host;
	unsigned long flags;
	unsigned int i;

	raw_spin_lock_irqsave(&gpu->lock, flags);
	if (!--gpu->awake) {
		sim_gpu_advance(gpu);
		sim_mmio_sleep(gpu);
		for (i = 0; i < gpu->n_oa; i++)
			sim_oa_sleep(&gpu->oa[i]);
	}
	raw_spin_unlock_irqrestore(&gpu->lock, flags);
}

/*
 * All contexts have the same registers here: what one loads is what the next one finds. So to write
 * them is all there is to it.
 */
static int host_contexts_write(void *host, const struct gpuoa_register *regs, unsigned int count)
{
	unsigned int i;

	for (i = 0; i < count; i++)
		sim_mmio_write(host, regs[i].address, regs[i].value);
	return 0;
}

static int host_context_write(void *host, void *context, const struct gpuoa_register *regs,
			      unsigned int count)
{
	return host_contexts_write(host, regs, count);
}

const struct gpuoa_host_ops sim_host_ops = {
	.read = host_read,
	.write = host_write,
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
	.half_full = sim_half_full_listen,
};
