// SPDX-License-Identifier: GPL-2.0-only
/*
 * buffer.c - the pages of i915's OABUFFER, found by the GPU's page table.
 */
#include <linux/device.h>
#include <linux/io-64-nonatomic-lo-hi.h>
#include <linux/iommu.h>
#include <linux/mm.h>
#include <linux/pci.h>

#include "buffer.h"
#include "gpu.h"
#include "ids.h"
#include "pte.h"

/* The CPU's address of what the GPU reaches at @dma */
static phys_addr_t physical(const struct gpu *gpu, dma_addr_t dma)
{
	struct iommu_domain *domain = iommu_get_domain_for_dev(&gpu->pdev->dev);

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

/**
 * buffer_find - find pages of the buffer
 * @gpu: the GPU, whose unit is ours
 * @pages: out
 * @n_pages: how many, from the beginning of the buffer
 *
 * Context: may sleep
 * Return: 0; -ENXIO: i915's buffer is not where it seemed to be; -EREMOTE: it is in the GPU's own
 * memory; -EFAULT: it is not in the CPU's
 */
int buffer_find(const struct gpu *gpu, struct page **pages, unsigned int n_pages)
{
	const struct pte_layout *layout = gpu->platform->generation->pte;
	resource_size_t offset = (resource_size_t)PHYS_PFN(gpu->lease.buffer) * layout->size;
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

	return ret;
}
