/* SPDX-License-Identifier: MIT */
/* uapi.h - convert structs between the kernel's and the library's API */
#ifndef GPUOA_LIB_READER_UAPI_H
#define GPUOA_LIB_READER_UAPI_H

#include "gpuoa-time.h"

struct gpuoa_clock;
struct gpuoa_marker;
struct gpuoa_record_clock;
struct gpuoa_unit_info;

/*
 * Convert the kernel's description of a unit to that of the library. .parent is not set, because
 * the kernel's struct does not have it.
 */
void uapi_unit_desc(struct gpuoa_unit_desc *desc, const struct gpuoa_unit_info *info);

/*
 * Convert the library's description of a unit to the kernel's struct, for drivers that do not
 * provide this struct.
 */
void uapi_unit_info(struct gpuoa_unit_info *info, const struct gpuoa_unit_desc *desc);

void uapi_clock_pair(struct gpuoa_clock_pair *pair, const struct gpuoa_clock *clock);

/* Make the record of a clock pair. */
void uapi_clock_record(struct gpuoa_record_clock *record, const struct gpuoa_clock_pair *pair);

void uapi_marker(struct gpuoa_stream_marker *to, const struct gpuoa_marker *marker);

/* Copy a string that may not be NUL-terminated in a damaged file. */
void uapi_string(char *to, size_t to_size, const char *from, size_t from_size);

#endif /* GPUOA_LIB_READER_UAPI_H */
