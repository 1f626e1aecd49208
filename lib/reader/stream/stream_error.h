/* SPDX-License-Identifier: MIT */
/* stream_error.h - describe why a stream cannot be opened */
#ifndef GPUOA_LIB_READER_STREAM_STREAM_ERROR_H
#define GPUOA_LIB_READER_STREAM_STREAM_ERROR_H

#include "base/complaint.h"
#include "gpuoa-stream.h"
#include "reader/stream/stream.h"

/* Write a message for the error @err that the kernel returned for @options. Returns @err. */
int stream_complain(const struct complaint *complaint, const struct stream *stream,
		    const struct gpuoa_stream_options *options, int err);

/* Returns the value of a sysctl, or -1 if it cannot be read. */
long stream_sysctl(const char *path);

/*
 * Describe the user of a unit, for example " by gpuoa (process 123)". Parts that the kernel does
 * not provide, or that this process may not access, are omitted.
 */
void stream_user(const struct gpuoa_unit_user *use, char *text, size_t size);

#endif /* GPUOA_LIB_READER_STREAM_STREAM_ERROR_H */
