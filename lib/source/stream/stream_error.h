/* SPDX-License-Identifier: MIT */
/*
 * stream_error.h - why a unit's stream could not be opened, in words
 */
#ifndef GPUOA_LIB_SOURCE_STREAM_STREAM_ERROR_H
#define GPUOA_LIB_SOURCE_STREAM_STREAM_ERROR_H

#include "base/complaint.h"
#include "gpuoa-stream.h"
#include "source/stream/stream.h"

/* The kernel refused with @err what @options ask for. Complains, and returns @err. */
int stream_complain(const struct complaint *complaint, const struct stream *stream,
		    const struct gpuoa_stream_options *options, int err);

/* Value of a sysctl, -1 if it can't be read. */
long stream_sysctl(const char *path);

/*
 * Who has a unit: " by gpuoa (process 123)". What the kernel does not tell, or this process must
 * not know, is left out.
 */
void stream_user(const struct gpuoa_unit_use *use, char *text, size_t size);

#endif /* GPUOA_LIB_SOURCE_STREAM_STREAM_ERROR_H */
