// SPDX-License-Identifier: GPL-2.0-only
/*
 * proof.c - is this memory the buffer that a unit has just written to?
 *
 * Pages that were found by a table which was misread would be somebody else's, and are going to be
 * cleared. So they are looked at before: i915 clears its buffer each time that it switches the unit
 * on. What is there then is nothing, or a report, and a report bears the time at which it was
 * written.
 */
#include <linux/errno.h>
#include <linux/minmax.h>
#include <linux/mm.h>
#include <linux/string.h>

#include "proof.h"

/* Where each report has its timestamp, in dwords */
#define PROOF_TIMESTAMP 1

static bool is_report(const struct proof *proof, const u32 *slot)
{
	return slot[PROOF_TIMESTAMP] - proof->from <= proof->to - proof->from;
}

/* Number of reports in a part of the buffer, or -EFAULT for what is not one. */
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
 * proof_check - is this the buffer?
 * @proof: what is known of it
 * @buffer: the memory, page aligned
 * @size: bytes of it, a multiple of a page
 *
 * Return: 0; -EFAULT: there is what the unit has not written; -ENODATA: there is not what it has
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
