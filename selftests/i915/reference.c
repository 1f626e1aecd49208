// SPDX-License-Identifier: MIT
/*
 * reference.c - comparison of counters in two reports with the virtual GPU's reference counts.
 */
#include "reference.h"

#include <stdio.h>
#include <stdlib.h>

#include "../vgpu.h"
#include "i915.h"
#include "perf.h"

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

unsigned int reference_differences(const struct perf_format *format, const void *first,
				   const void *last)
{
	const uint32_t *from = first, *to = last;
	char *answer = reference_between(from[1], to[1]), name[32];
	const struct perf_counters *c;
	unsigned int i, n = 0;

	for (c = format->counters; c->n; c++)
		for (i = 0; i < c->n; i++) {
			uint64_t value = perf_counted(c, i, first, last);
			int64_t wanted;

			snprintf(name, sizeof(name), "counter %c%u", c->bank, c->first + i);
			wanted = vgpu_number(answer, name);
			if (wanted >= 0 && value == (uint64_t)wanted)
				continue;
			printf("# %s: %s: %llu in reports, reference %lld\n", format->name, name,
			       (unsigned long long)value, (long long)wanted);
			n++;
		}
	free(answer);

	return n;
}
