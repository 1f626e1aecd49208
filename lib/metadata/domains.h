/* SPDX-License-Identifier: MIT */
/* domains.h - domains: the OA units of a platform, each of which measures one set at a time. */
#ifndef GPUOA_LIB_METADATA_DOMAINS_H
#define GPUOA_LIB_METADATA_DOMAINS_H

#include "gpuoa.h"
#include "table/table.h"

/* Return the events that can trigger a set's reports, enum gpuoa_sampling. */
uint32_t set_sampling(const struct gpuoa_set *set);

#endif /* GPUOA_LIB_METADATA_DOMAINS_H */
