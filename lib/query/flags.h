/* SPDX-License-Identifier: MIT */
/* flags.h - what flags of results are called, and how bad they are. */
#ifndef GPUOA_LIB_QUERY_FLAGS_H
#define GPUOA_LIB_QUERY_FLAGS_H

#include "gpuoa-query.h"

/* Of the worst of these flags. */
enum gpuoa_severity query_severity(uint32_t flags);

#endif /* GPUOA_LIB_QUERY_FLAGS_H */
