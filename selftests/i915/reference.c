// SPDX-License-Identifier: MIT
/*
 * reference.c - comparison of counters in two reports with the virtual GPU's reference counts.
 */
#include "reference.h"

#include <stdio.h>
#include <stdlib.h>

#include "../vgpu.h"
#include "i915.h"

/* Get the difference of a counter between two reports, gen8 and later. */
static uint64_t counted_gen8(const uint32_t *first, const uint32_t *last, char bank, unsigned int i)
{
	const uint8_t *first_bytes = (const uint8_t *)first, *last_bytes = (const uint8_t *)last;
	uint64_t from, to;

	if (bank == 'B' || bank == 'C')
		return last[(bank == 'B' ? 48 : 56) + i] - first[(bank == 'B' ? 48 : 56) + i];
	if (i >= 32)
		return last[36 + i - 32] - first[36 + i - 32];
	from = first[4 + i] | (uint64_t)first_bytes[160 + i] << 32;
	to = last[4 + i] | (uint64_t)last_bytes[160 + i] << 32;

	return (to - from) & ((1ULL << 40) - 1);
}

static uint64_t counted(const struct i915 *gpu, const uint32_t *first, const uint32_t *last,
			char bank, unsigned int i)
{
	if (gpu->wide)
		return counted_gen8(first, last, bank, i);
	i += bank == 'A' ? 3 : bank == 'B' ? 48 : 56;

	return last[i] - first[i];
}

char *reference_between(uint32_t first, uint32_t last)
{
	uint64_t present = vgpu_timestamp();
	uint64_t to = present - (uint32_t)((uint32_t)present - last);
	uint64_t from = to - (uint32_t)(last - first);
	char question[80];

	snprintf(question, sizeof(question), "reference %llu %llu", (unsigned long long)from,
		 (unsigned long long)to);

	return vgpu_ask(question);
}

int64_t reference_counted(const uint32_t *first, const uint32_t *last, const char *name)
{
	char *answer = reference_between(first[1], last[1]);
	int64_t counted = vgpu_number(answer, name);

	free(answer);

	return counted;
}

unsigned int reference_compare(const struct i915 *gpu, const uint32_t *first, const uint32_t *last)
{
	static const struct {
		char bank;
		unsigned int n[2];
	} banks[] = { { 'A', { 45, 36 } }, { 'B', { 8, 8 } }, { 'C', { 8, 8 } } };
	char *answer = reference_between(first[1], last[1]), name[32];
	unsigned int b, i, right = 0;

	for (b = 0; b < 3; b++)
		for (i = 0; i < banks[b].n[gpu->wide]; i++) {
			uint64_t value = counted(gpu, first, last, banks[b].bank, i);
			int64_t wanted;

			snprintf(name, sizeof(name), "counter %c%u", banks[b].bank, i);
			wanted = vgpu_number(answer, name);
			if (wanted >= 0 && value == (uint64_t)wanted)
				right++;
			else
				printf("# %s: %llu in reports, reference %lld\n", name,
				       (unsigned long long)value, (long long)wanted);
		}
	free(answer);

	return right;
}

unsigned int reference_counters(const struct i915 *gpu)
{
	return gpu->wide ? 36 + 16 : 45 + 16;
}
