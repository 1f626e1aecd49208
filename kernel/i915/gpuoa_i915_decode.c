// SPDX-License-Identifier: GPL-2.0-only
/*
 * gpuoa_i915_decode.c - meaning of data read from the GPU: page table entries, OABUFFER.
 *
 * Page table entries are those of the PRMs and of i915's intel_gtt.h.
 *
 * The pages found in the GPU's page table will be cleared, so a misinterpreted table would corrupt
 * other memory. They are therefore verified first. i915 clears its buffer each time it enables the
 * unit, so every slot is zero or holds a report, and each report contains the time at which it was
 * written.
 */
#include <linux/bits.h>
#include <linux/errno.h>
#include <linux/mm.h>
#include <linux/string.h>

#include "gpuoa_i915_decode.h"

#define PTE_PRESENT BIT_ULL(0)

/* A Haswell entry has a 39-bit address, with bits 38:32 of it in bits 10:4 of the entry. */
#define HSW_PTE_LOW GENMASK_ULL(31, 12)
#define HSW_PTE_HIGH GENMASK_ULL(10, 4)
#define HSW_PTE_HIGH_SHIFT (32 - 4)

#define GEN8_PTE_ADDRESS GENMASK_ULL(38, 12)

#define GEN12_PTE_ADDRESS GENMASK_ULL(45, 12)
#define GEN12_PTE_LOCAL BIT_ULL(1)

static s64 decode_hsw(u64 pte)
{
	if (!(pte & PTE_PRESENT))
		return -ENXIO;

	return (pte & HSW_PTE_LOW) | (pte & HSW_PTE_HIGH) << HSW_PTE_HIGH_SHIFT;
}

static s64 decode_gen8(u64 pte)
{
	return pte & PTE_PRESENT ? (s64)(pte & GEN8_PTE_ADDRESS) : -ENXIO;
}

static s64 decode_gen12(u64 pte)
{
	if (!(pte & PTE_PRESENT))
		return -ENXIO;

	return pte & GEN12_PTE_LOCAL ? -EREMOTE : (s64)(pte & GEN12_PTE_ADDRESS);
}

const struct pte_layout pte_hsw = { sizeof(u32), decode_hsw };
const struct pte_layout pte_gen8 = { sizeof(u64), decode_gen8 };
const struct pte_layout pte_gen12 = { sizeof(u64), decode_gen12 };

/* Index of the timestamp in each report, in dwords */
#define REPORT_TIMESTAMP 1

static bool is_report(const struct buffer_content *content, const u32 *slot)
{
	return slot[REPORT_TIMESTAMP] - content->from <= content->to - content->from;
}

/*
 * Count the reports in a part of the buffer. Returns their number, or -EFAULT if there is other
 * data.
 */
static int count_reports(const struct buffer_content *content, const void *part, u32 size)
{
	int reports = 0;
	u32 at;

	for (at = 0; at < size; at += content->report_size) {
		if (!memchr_inv(part + at, 0, content->report_size))
			continue;
		if (!is_report(content, part + at))
			return -EFAULT;
		reports++;
	}

	return reports;
}

/**
 * buffer_verify() - Verify a buffer.
 * @content: expected properties
 * @buffer: memory, page aligned
 * @size: size of @buffer, bytes; a multiple of the page size
 *
 * Return: 0; -EFAULT if there is data not written by the unit; -ENODATA if reports of the unit are
 * missing
 */
int buffer_verify(const struct buffer_content *content, const void *buffer, u32 size)
{
	u32 at;
	int n;

	for (at = 0; at < size; at += PAGE_SIZE) {
		n = count_reports(content, buffer + at, PAGE_SIZE);
		if (n < 0)
			return n;
		if (!n && at < content->reports)
			return -ENODATA;
	}

	return 0;
}
