/* SPDX-License-Identifier: MIT */
/*
 * stall_reference.h - Compare sums of EU stalls with the reference of a GPU of gpuoa-vgpu
 */
#ifndef GPUOA_LIB_TESTS_STALL_REFERENCE_H
#define GPUOA_LIB_TESTS_STALL_REFERENCE_H

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "gpuoa-stalls.h"
#include "selftests/vgpu.h"

/* The reasons in the order of a record on Xe2, which is that of the reference */
static const enum gpuoa_stall_reason stall_reference_order[] = {
	GPUOA_STALL_PS_ORDER, GPUOA_STALL_OTHER,    GPUOA_STALL_CONTROL,    GPUOA_STALL_PIPE,
	GPUOA_STALL_SEND,     GPUOA_STALL_DISTANCE, GPUOA_STALL_SCOREBOARD, GPUOA_STALL_SYNC,
	GPUOA_STALL_FETCH,    GPUOA_STALL_ACTIVE,
};

#define STALL_REFERENCE_REASONS (sizeof(stall_reference_order) / sizeof(stall_reference_order[0]))

struct stall_reference {
	uint64_t written; /* records */
	uint64_t dropped;
	uint64_t samples;
	uint32_t addresses;
	unsigned int cores; /* that have written records */
	unsigned int wrong;
	unsigned int compared;
};

static inline void stall_reference_compare_address(const char *line,
						   const struct gpuoa_stall_sums *sums,
						   struct stall_reference *sum)
{
	struct gpuoa_stall_sum found = { 0 };
	uint64_t samples = 0;
	char *at;
	const uint32_t ip = (uint32_t)strtoul(line + 3, &at, 16);

	gpuoa_stall_sums_find(sums, (uint64_t)ip << 3, &found, sizeof(found));
	at += strlen(" written");
	for (size_t r = 0; r < STALL_REFERENCE_REASONS; r++) {
		const uint64_t expected = strtoull(at, &at, 10);
		const uint64_t count = found.counts[stall_reference_order[r]];

		sum->compared++;
		samples += expected;
		if (count != expected && sum->wrong++ < 4)
			printf("# %#x, reason %zu: read %" PRIu64 ", reference %" PRIu64 "\n", ip,
			       r, count, expected);
	}
	sum->samples += samples;
	sum->addresses += samples > 0;
}

/* Compare all values with the reference, and print the first wrong ones. */
static inline struct stall_reference stall_reference_compare(const struct gpuoa_stall_sums *sums)
{
	struct stall_reference sum = { 0 };
	char *answer = vgpu_ask("stalls");
	const char *line = answer;
	uint64_t written, dropped;

	for (; line && *line; line = strchr(line, '\n') ? strchr(line, '\n') + 1 : NULL) {
		if (sscanf(line, "core %*u written %" SCNu64 " dropped %" SCNu64, &written,
			   &dropped) == 2) {
			sum.written += written;
			sum.dropped += dropped;
			sum.cores += written > 0;
		} else if (!strncmp(line, "ip ", 3)) {
			stall_reference_compare_address(line, sums, &sum);
		}
	}
	free(answer);
	return sum;
}

#endif /* GPUOA_LIB_TESTS_STALL_REFERENCE_H */
