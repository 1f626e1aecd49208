/* SPDX-License-Identifier: MIT */
/* text.h - texts of stall profiles */
#ifndef GPUOA_TOOLS_STALLS_TEXT_H
#define GPUOA_TOOLS_STALLS_TEXT_H

#include "profile/profile.h"
#include "stalls/occupancy.h"

/* Print the totals of a profile. */
void profile_print_totals(const struct profile *profile, const struct occupancy *occupancy);

#endif /* GPUOA_TOOLS_STALLS_TEXT_H */
