// SPDX-License-Identifier: MIT
/* text.c - texts of stall profiles */
#include <inttypes.h>
#include <stdio.h>

#include "stalls/text.h"

#define REASONS_SHOWN 3

void reasons_text(char text[REASONS_TEXT], const uint64_t *counts, uint64_t total)
{
	bool used[GPUOA_STALL_REASONS] = { [GPUOA_STALL_ACTIVE] = true };
	int length = 0;

	*text = '\0';
	for (int i = 0; i < REASONS_SHOWN; i++) {
		unsigned int most = GPUOA_STALL_ACTIVE;

		for (unsigned int k = 0; k < GPUOA_STALL_REASON_COUNT; k++)
			if (!used[k] && counts[k] &&
			    (most == GPUOA_STALL_ACTIVE || counts[k] > counts[most]))
				most = k;
		if (most == GPUOA_STALL_ACTIVE)
			return;
		used[most] = true;
		length += snprintf(text + length, REASONS_TEXT - (size_t)length, "%s%s %.0f%%",
				   length ? ", " : "", profile_reason(most),
				   profile_percent(counts[most], total));
	}
}

void profile_print_totals(const struct profile *profile)
{
	char text[REASONS_TEXT];

	reasons_text(text, profile->counts, profile->total);
	printf("%" PRIu64 " samples at %zu addresses, %.1f %% in known kernels; "
	       "%.1f %% stalled%s%s\n\n",
	       profile->total, profile->count, profile_percent(profile->known, profile->total),
	       profile_percent(profile_stalled(profile->counts, profile->total), profile->total),
	       *text ? ": " : "", text);
}
