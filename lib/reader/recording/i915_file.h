/* SPDX-License-Identifier: MIT */
/* i915_file.h - read a recording of i915-perf-recorder */
#ifndef GPUOA_LIB_READER_RECORDING_I915_FILE_H
#define GPUOA_LIB_READER_RECORDING_I915_FILE_H

#include "base/complaint.h"
#include "gpuoa.h"

/*
 * Open a recording. Errors are those of gpuoa_file_open(), or of gpuoa_file_open_stream() with
 * @index, which may be NULL: the file has one stream. @complaint gets the reason without the path.
 */
int i915_file_open(const char *path, const uint32_t *index, struct gpuoa_reader **reader,
		   const struct complaint *complaint);

#endif /* GPUOA_LIB_READER_RECORDING_I915_FILE_H */
