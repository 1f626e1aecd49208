// SPDX-License-Identifier: GPL-2.0-only
/*
 * proof.c - verification of the OABUFFER's pages.
 *
 * The pages found in the GPU's page table will be cleared, so a misinterpreted table would corrupt
 * other memory. They are therefore verified first. i915 clears its buffer each time it enables the
 * unit, so every slot is zero or holds a report, and each report contains the time at which it was
 * written.
 */
#include <linux/errno.h>
#include <linux/minmax.h>
#include <linux/mm.h>
#include <linux/string.h>

#include "proof.h"

/* Index of the timestamp in each report, in dwords */
#define PROOF_TIMESTAMP 1

static bool is_report(const struct proof *proof, const u32 *slot)
{
	return slot[PROOF_TIMESTAMP] - proof->from <= proof->to - proof->from;
}

/* Returns the number of reports in a part of the buffer, or -EFAULT for other data. */
static int count_reports(const struct proof *proof, const void *part, u32 size)
{
	int reports = 0;
	u32 at;

	for (at = 0; at < size; at += proof->report_size) {
		if (!memchr_inv(part + at, 0, proof->report_size))
			continue;
		if (!is_report(proof, part + at))
			return -EFAULT;
		reports++;
	}

	return reports;
}

/**
 * proof_check() - Verify a buffer.
 * @proof: expected properties
 * @buffer: memory, page aligned
 * @size: size of @buffer, bytes; a multiple of the page size
 *
 * Return: 0; -EFAULT if there is data not written by the unit; -ENODATA if reports of the unit are
 * missing
 */
int proof_check(const struct proof *proof, const void *buffer, u32 size)
{
	u32 at;
	int n;

	for (at = 0; at < size; at += PAGE_SIZE) {
		n = count_reports(proof, buffer + at, PAGE_SIZE);
		if (n < 0)
			return n;
		if (!n && at < proof->reports)
			return -ENODATA;
	}

	return 0;
}
