// SPDX-License-Identifier: GPL-2.0-only
/* trial.c - probe write: verify the buffer address from the page table. */
#include <linux/mm.h>
#include <linux/mutex.h>
#include <linux/sizes.h>
#include <linux/slab.h>

#include <gpuoa_provider.h>

#include "buffer.h"
#include "gpu.h"
#include "ids.h"
#include "lease.h"
#include "trial.h"

/* Timer with a short period, and size of the reports to wait for: more than one page, bytes */
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
 * trial_run() - Let the unit write reports and find them in the buffer's pages.
 * @gpu: GPU without an open stream
 * @why: reason of a failure, output
 *
 * Context: may sleep
 * Return: 0; -EBUSY if the unit is in use, so that nothing was verified; or another -errno, after
 * which pages found in the page table must not be accessed
 */
int trial_run(struct gpu *gpu, const char **why)
{
	const struct generation *generation = gpu->platform->generation;
	/* i915 rejects a configuration without registers. */
	const struct gpuoa_register nothing = { generation->start_trigger, 0 };
	const struct gpuoa_provider_config config = {
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
