// SPDX-License-Identifier: GPL-2.0-only
/*
 * gpuoa_i915_buffer.c - lookup of the pages of i915's OABUFFER in the GPU's page table, and the
 * probe write that verifies them.
 */
#include <linux/device.h>
#include <linux/io-64-nonatomic-lo-hi.h>
#include <linux/iommu.h>
#include <linux/mm.h>
#include <linux/mutex.h>
#include <linux/pci.h>
#include <linux/sizes.h>
#include <linux/slab.h>
#include <linux/vmalloc.h>

#include <gpuoa_provider.h>

#include "gpu.h"
#include "gpuoa_i915_buffer.h"
#include "gpuoa_i915_decode.h"
#include "gpuoa_i915_provider.h"
#include "ids.h"

/* Get the physical address of the DMA address @dma. */
static phys_addr_t physical(const struct gpu *gpu, dma_addr_t dma)
{
	struct iommu_domain *domain = iommu_get_domain_for_dev(&gpu->lease.pdev->dev);

	return domain ? iommu_iova_to_phys(domain, dma) : dma;
}

static int find_page(const struct gpu *gpu, u64 pte, struct page **page)
{
	s64 dma = gpu->platform->generation->pte->decode(pte);
	phys_addr_t address;

	if (dma < 0)
		return dma;
	address = physical(gpu, dma);
	if (!address || !page_is_ram(PHYS_PFN(address)) || !pfn_valid(PHYS_PFN(address)))
		return -EFAULT;
	*page = pfn_to_page(PHYS_PFN(address));

	return 0;
}

/* Unused entries of the GGTT all point to the same scratch page. */
static bool repeats(struct page **pages, unsigned int n_pages)
{
	unsigned int i;

	for (i = 1; i < n_pages; i++)
		if (pages[i] == pages[i - 1])
			return true;

	return false;
}

/* Map the pages read-only, because they may not belong to the buffer. */
static int check_pages(const struct gpu *gpu, struct page **pages, unsigned int n_pages)
{
	const void *memory;
	int ret;

	if (repeats(pages, n_pages))
		return -EFAULT;
	memory = vmap(pages, n_pages, VM_MAP, PAGE_KERNEL_RO);
	if (!memory)
		return -ENOMEM;
	ret = buffer_verify(&gpu->stream.content, memory, n_pages << PAGE_SHIFT);
	vunmap(memory);

	return ret;
}

/**
 * buffer_find() - Find the pages of the buffer and verify them.
 * @gpu: GPU with an open exclusive stream; the unit has written nothing since it was opened
 * @pages: pages, output
 * @n_pages: number of pages, from the start of the buffer
 *
 * Context: may sleep
 * Return: 0; -ENXIO if the buffer is not mapped at its address; -EREMOTE if it is in local memory;
 * -EFAULT if it is not in system memory, or the pages contain data not written by the unit;
 * -ENODATA if reports written by the unit are missing; -ENOMEM
 */
int buffer_find(const struct gpu *gpu, struct page **pages, unsigned int n_pages)
{
	const struct pte_layout *layout = gpu->platform->generation->pte;
	resource_size_t offset = (resource_size_t)PHYS_PFN(gpu->unit.buffer) * layout->size;
	resource_size_t size = (resource_size_t)n_pages * layout->size;
	void __iomem *table;
	unsigned int i;
	int ret = 0;

	if (offset + size > gpu->gtt_size)
		return -ENXIO;
	table = ioremap(gpu->gtt + offset, size);
	if (!table)
		return -ENOMEM;
	for (i = 0; i < n_pages && !ret; i++)
		ret = find_page(gpu,
				layout->size == sizeof(u64) ? readq(table + i * sizeof(u64)) :
							      readl(table + i * sizeof(u32)),
				&pages[i]);
	iounmap(table);

	return ret ?: check_pages(gpu, pages, n_pages);
}

/*
 * Parameters of the probe write: a short timer period, the size of a report, and the size of all
 * reports to wait for, which exceeds one page; sizes in bytes
 */
#define PROBE_EXPONENT 5
#define PROBE_REPORT_SIZE 256
#define PROBE_REPORTS (3 * PAGE_SIZE)

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
 * probe_write() - Let the unit write reports and find them in the buffer's pages.
 * @gpu: GPU without an open stream
 * @why: reason of a failure, output
 *
 * Context: may sleep
 * Return: 0; -EBUSY if the unit is in use, so that nothing was verified; or another -errno, after
 * which pages found in the page table must not be accessed
 */
int probe_write(struct gpu *gpu, const char **why)
{
	const struct generation *generation = gpu->platform->generation;
	/* i915 rejects a configuration without registers. */
	const struct gpuoa_register nothing = { generation->start_trigger, 0 };
	const struct gpuoa_provider_config config = {
		.boolean = { &nothing, 1 },
		.format = generation->format,
		.report_size = PROBE_REPORT_SIZE,
		.exponent = PROBE_EXPONENT,
	};
	const struct i915_stream_request request = {
		.lease = { .unit = &gpu->unit, .config = &config },
		.reports = PROBE_REPORTS,
	};
	int ret;

	lockdep_assert_held(&gpu->unit.lock);

	ret = i915_stream_open(&request);
	if (!ret)
		ret = look(gpu);
	lease_close(&gpu->unit);
	gpu->probed = !ret;
	*why = ret ? reason(ret) : NULL;

	return ret;
}
