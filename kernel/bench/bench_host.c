// SPDX-License-Identifier: GPL-2.0-only
/*
 * bench_host.c - registers the bench unit with gpuoa.ko as a Skylake OA unit, with provider
 * callbacks that cost next to nothing.
 */
#include <linux/bitfield.h>
#include <linux/err.h>
#include <linux/module.h>
#include <linux/sizes.h>
#include <linux/vmalloc.h>

#include <gen8_regs.h>
#include <gpuoa_host.h>

#include "bench.h"

/* GPU address of the OA buffer */
#define BENCH_ADDRESS SZ_256M

static struct gpuoa_unit *bench_registered;
static u32 bench_control;

static u32 host_read(void *host, u32 reg)
{
	struct bench_unit *unit = host;

	switch (reg) {
	case GEN8_OASTATUS:
		bench_cost_looked();
		return unit->full ? GEN8_OASTATUS_BUFFER_OVERFLOW : 0;
	case GEN8_OATAILPTR:
		return BENCH_ADDRESS + unit->tail;
	case GEN8_OACONTROL:
		return bench_control;
	default:
		return 0;
	}
}

static void host_write_control(u32 value)
{
	bench_control = value;
	if (value & GEN8_OACONTROL_COUNTER_ENABLE)
		bench_unit_start();
	else
		bench_unit_stop();
}

static void host_write(void *host, u32 reg, u32 value)
{
	struct bench_unit *unit = host;

	switch (reg) {
	case GEN8_OAHEADPTR:
		unit->head = value - BENCH_ADDRESS;
		break;
	case GEN8_OATAILPTR:
		unit->tail = value - BENCH_ADDRESS;
		break;
	case GEN8_OACONTROL:
		host_write_control(value);
		break;
	}
}

static u64 host_timestamp(void *host)
{
	struct bench_unit *unit = host;

	return READ_ONCE(unit->now);
}

static s64 host_map(void *host, struct page **pages, unsigned int n_pages)
{
	struct bench_unit *unit = host;

	unit->memory = vmap(pages, n_pages, VM_MAP, PAGE_KERNEL);
	if (!unit->memory)
		return -ENOMEM;
	unit->size = n_pages << PAGE_SHIFT;

	return BENCH_ADDRESS;
}

static void host_unmap(void *host, u64 gpu_address, unsigned int n_pages)
{
	struct bench_unit *unit = host;

	vunmap(unit->memory);
}

static int host_get(void *host)
{
	return bench_unit_take();
}

static void host_put(void *host)
{
	bench_unit_release();
}

static int host_context_get(void *host, struct file *file, u32 handle, u64 *hw_id, void **context)
{
	return -ENOENT;
}

static void host_context_put(void *host, void *context)
{
}

static int host_contexts_write(void *host, const struct gpuoa_register *regs, unsigned int count)
{
	struct bench_unit *unit = host;

	for (; count--; regs++)
		if (regs->address == GEN8_OACTXCONTROL)
			unit->exponent = FIELD_GET(GEN8_OACTXCONTROL_TIMER_PERIOD, regs->value);

	return 0;
}

static void host_rmw(void *host, u32 reg, u32 clear, u32 set)
{
	host_write(host, reg, (host_read(host, reg) & ~clear) | set);
}

static const struct gpuoa_host_ops bench_host_ops = {
	.read = host_read,
	.write = host_write,
	.rmw = host_rmw,
	.timestamp = host_timestamp,
	.map = host_map,
	.unmap = host_unmap,
	.get = host_get,
	.put = host_put,
	.context_get = host_context_get,
	.context_put = host_context_put,
	.contexts_write = host_contexts_write,
};

int bench_host_init(struct device *parent)
{
	static const struct gpuoa_unit_desc desc = {
		.platform = "sklgt2",
		.unit_type = GPUOA_UNIT_OA,
		.timestamp_frequency = BENCH_FREQUENCY,
		.gt_min_frequency = 350000000,
		.gt_max_frequency = 1150000000,
		.slice_mask = 1,
		.subslice_mask = { 7 },
		.n_slices = 1,
		.n_subslices = 3,
		.n_eus = 24,
		.threads_per_eu = 7,
		.subslice_stride = 3,
	};

	bench_registered =
		gpuoa_unit_register(parent, &desc, &bench_host_ops, &bench_unit, THIS_MODULE);

	return PTR_ERR_OR_ZERO(bench_registered);
}

void bench_host_exit(void)
{
	gpuoa_unit_unregister(bench_registered);
}
