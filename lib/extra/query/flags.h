/* SPDX-License-Identifier: MIT */
/* flags.h - names and severities of result flags */
#ifndef GPUOA_LIB_EXTRA_QUERY_FLAGS_H
#define GPUOA_LIB_EXTRA_QUERY_FLAGS_H

#include "gpuoa-query.h"

/* Returns the severity of the worst of these flags. */
enum gpuoa_severity query_severity(uint32_t flags);

#endif /* GPUOA_LIB_EXTRA_QUERY_FLAGS_H */
