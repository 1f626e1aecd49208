// SPDX-License-Identifier: MIT
/* reasons.c - reasons of EU stalls as text */
#include "profile/reasons.h"

#include <stdio.h>
#include <string.h>

#include "gpuoa-stalls.h"

#define REASONS_SHOWN 3

const char *profile_reason(unsigned int reason)
{
	struct gpuoa_stall_reason_desc desc;

	return gpuoa_stall_describe_reason(reason, &desc, sizeof(desc)) ? "unknown" : desc.name;
}

void reasons_text(char text[REASONS_TEXT], const uint64_t *counts, uint64_t total, bool with_active)
{
	uint64_t left[GPUOA_STALL_REASON_COUNT];
	int length = 0;

	*text = '\0';
	memcpy(left, counts, sizeof(left));
	if (!with_active)
		left[GPUOA_STALL_ACTIVE] = 0;
	for (int i = 0; i < REASONS_SHOWN; i++) {
		unsigned int most = 0;

		for (unsigned int k = 1; k < GPUOA_STALL_REASON_COUNT; k++)
			if (left[k] > left[most])
				most = k;
		if (!left[most])
			return;
		length += snprintf(text + length, REASONS_TEXT - (size_t)length, "%s%s %.0f%%",
				   length ? ", " : "", profile_reason(most),
				   profile_percent(left[most], total));
		left[most] = 0;
	}
}
