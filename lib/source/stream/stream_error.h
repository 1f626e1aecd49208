/* SPDX-License-Identifier: MIT */
/*
 * stream_error.h - why a unit's stream could not be opened, in words
 */
#ifndef GPUOA_LIB_SOURCE_STREAM_STREAM_ERROR_H
#define GPUOA_LIB_SOURCE_STREAM_STREAM_ERROR_H

#include "base/complaint.h"
#include "gpuoa.h"

/* The kernel refused with @err what @options ask for. Complains, and returns @err. */
int stream_complain(const struct complaint *complaint, const struct gpuoa_unit_desc *unit,
		    const struct gpuoa_stream_options *options, int err);

#endif /* GPUOA_LIB_SOURCE_STREAM_STREAM_ERROR_H */
