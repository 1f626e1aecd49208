// SPDX-License-Identifier: MIT
/* text.c - texts of stall profiles */
#include <inttypes.h>
#include <stdio.h>

#include "stalls/text.h"
#include "stalls/verdict.h"

void profile_print_totals(const struct profile *profile, const struct occupancy *occupancy)
{
	const struct verdict verdict = verdict_of(profile->counts);
	char text[REASONS_TEXT], advice[VERDICT_TEXT];

	reasons_text(text, profile->counts, profile->total, false);
	printf("%" PRIu64 " samples at %zu addresses, %.1f %% in known kernels; "
	       "%.1f %% stalled%s%s\n\n",
	       profile->total, profile->count, profile_percent(profile->known, profile->total),
	       profile_percent(profile_stalled(profile->counts, profile->total), profile->total),
	       *text ? ": " : "", text);
	verdict_text(&verdict, occupancy, advice);
	printf("%s\n\n", advice);
}
