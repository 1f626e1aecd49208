// SPDX-License-Identifier: GPL-2.0-only
/*
 * trial.c - does the unit write where the page table says that its buffer is?
 */
#include <linux/mm.h>
#include <linux/mutex.h>
#include <linux/sizes.h>
#include <linux/slab.h>

#include <gpuoa_host.h>

#include "buffer.h"
#include "gpu.h"
#include "ids.h"
#include "lease.h"
#include "trial.h"

/* Some millions of reports a second, for as long as it takes to fill more pages than one */
#define TRIAL_EXPONENT 5
#define TRIAL_REPORT_SIZE 256
#define TRIAL_REPORTS (3 * PAGE_SIZE)

static const char *reason(int error)
{
	switch (error) {
	case -EFAULT:
	case -EREMOTE:
	case -ENODATA:
	case -ENXIO:
		return "the OA unit does not write where the GPU's page table seems to say";
	case -ETIMEDOUT:
		return "the OA unit writes no reports";
	case -ENOMEM:
		return "no memory";
	default:
		return "i915 does not open a stream";
	}
}

static int look(struct gpu *gpu)
{
	unsigned int n_pages = SZ_16M >> PAGE_SHIFT;
	struct page **pages = kvcalloc(n_pages, sizeof(*pages), GFP_KERNEL);
	int ret;

	if (!pages)
		return -ENOMEM;
	ret = buffer_find(gpu, pages, n_pages);
	kvfree(pages);

	return ret;
}

/**
 * trial_run - have the unit write some reports, and look for them
 * @gpu: the GPU, whose unit is not ours
 * @why: out: what was wrong
 *
 * Context: may sleep
 * Return: 0; -EBUSY: somebody has the unit, and nothing is known; or another -errno: pages that are
 * found by the page table must not be touched
 */
int trial_run(struct gpu *gpu, const char **why)
{
	const struct generation *generation = gpu->platform->generation;
	/* i915 takes no configuration without registers. */
	const struct gpuoa_register nothing = { generation->start_trigger, 0 };
	const struct gpuoa_host_config config = {
		.boolean = { &nothing, 1 },
		.format = generation->format,
		.report_size = TRIAL_REPORT_SIZE,
		.exponent = TRIAL_EXPONENT,
	};
	const struct lease_request request = { .config = &config, .reports = TRIAL_REPORTS };
	int ret;

	lockdep_assert_held(&gpu->lock);

	ret = lease_open(gpu, &request);
	if (!ret)
		ret = look(gpu);
	lease_close(gpu);
	gpu->tried = !ret;
	*why = ret ? reason(ret) : NULL;

	return ret;
}
