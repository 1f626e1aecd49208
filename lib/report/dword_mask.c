// SPDX-License-Identifier: MIT
/* dword_mask.c - dword masks: shrink reports to selected dwords and expand them */
#include "report/dword_mask.h"

#include <string.h>

#define DWORD_SIZE 4
#define KEEP_DWORDS (GPUOA_DWORD_MASK_WORDS * 64)

static bool keeps(const uint64_t *dword_mask, size_t dword)
{
	return dword_mask[dword / 64] >> dword % 64 & 1;
}

static void add_dword(uint64_t *dword_mask, size_t dword)
{
	dword_mask[dword / 64] |= 1ull << dword % 64;
}

void dword_mask_add_field(uint64_t *dword_mask, struct report_field field)
{
	if (!field.bits)
		return;
	add_dword(dword_mask, field.offset / DWORD_SIZE);
	if (field.bits == 40)
		add_dword(dword_mask, field.high / DWORD_SIZE);
	else if (field.bits > 32)
		add_dword(dword_mask, field.offset / DWORD_SIZE + 1);
}

void dword_mask_add_header(uint64_t *dword_mask, const struct report_format *format)
{
	const size_t words = format->context.bits ? 4 : 2;
	const size_t end = words * format->timestamp.offset / DWORD_SIZE;

	for (size_t i = 0; i < end; i++)
		add_dword(dword_mask, i);
}

bool dword_mask_is_whole(const uint64_t *dword_mask)
{
	for (size_t i = 0; i < GPUOA_DWORD_MASK_WORDS; i++)
		if (dword_mask[i])
			return false;
	return true;
}

bool dword_mask_fits(const uint64_t *dword_mask, const struct report_format *format)
{
	for (size_t i = format->size / DWORD_SIZE; i < KEEP_DWORDS; i++)
		if (keeps(dword_mask, i))
			return false;
	return true;
}

size_t dword_mask_size(const uint64_t *dword_mask)
{
	size_t dwords = 0;

	for (size_t i = 0; i < KEEP_DWORDS; i++)
		dwords += keeps(dword_mask, i);
	return dwords * DWORD_SIZE;
}

void dword_mask_complete(uint64_t *dword_mask, const struct report_format *format)
{
	size_t dword = 0;

	if (dword_mask_is_whole(dword_mask))
		return;
	dword_mask_add_header(dword_mask, format);
	if (dword_mask_size(dword_mask) % 8) {
		while (keeps(dword_mask, dword))
			dword++;
		add_dword(dword_mask, dword);
	}
	if (dword_mask_size(dword_mask) == format->size)
		memset(dword_mask, 0, GPUOA_DWORD_MASK_WORDS * sizeof(*dword_mask));
}

void dword_mask_expand(const uint64_t *dword_mask, void *to, size_t size, const void *from,
		       size_t count)
{
	const char *dword = from;
	char *report = to;

	for (; count--; report += size) {
		memset(report, 0, size);
		for (size_t i = 0; i < size / DWORD_SIZE; i++) {
			if (!keeps(dword_mask, i))
				continue;
			memcpy(report + i * DWORD_SIZE, dword, DWORD_SIZE);
			dword += DWORD_SIZE;
		}
	}
}

void dword_mask_shrink(const uint64_t *dword_mask, void *to, size_t size, const void *from)
{
	char *dword = to;

	for (size_t i = 0; i < size / DWORD_SIZE; i++) {
		if (!keeps(dword_mask, i))
			continue;
		memcpy(dword, (const char *)from + i * DWORD_SIZE, DWORD_SIZE);
		dword += DWORD_SIZE;
	}
}
