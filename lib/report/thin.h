/* SPDX-License-Identifier: MIT */
/*
 * thin.h - reports of which only some dwords are kept
 *
 * Masks are as in gpuoa_stream_options.keep. One of zeros stands for all dwords.
 */
#ifndef GPUOA_LIB_REPORT_THIN_H
#define GPUOA_LIB_REPORT_THIN_H

#include "gpuoa.h"
#include "report/format.h"

/* The mask that the kernel makes of @keep: with the header, and an even number of dwords. */
void thin_complete(uint64_t *keep, const struct report_format *format);

/* Add the dwords that @field is in; a field without bits is in none. */
void thin_add_field(uint64_t *keep, struct report_field field);

/* Add the whole header, including dwords of it that the format does not use. */
void thin_add_header(uint64_t *keep, const struct report_format *format);

/* Does the mask have only dwords that reports of this format have? */
bool thin_fits(const uint64_t *keep, const struct report_format *format);

bool thin_is_whole(const uint64_t *keep);

/* Bytes of a report of which @keep is there, not all zeros. */
size_t thin_size(const uint64_t *keep);

/* Make a thin report of a whole one of @size bytes. */
void thin_shrink(const uint64_t *keep, void *to, size_t size, const void *from);

/* Make whole reports of @size bytes from @count thin ones. Dwords that were not kept become 0. */
void thin_expand(const uint64_t *keep, void *to, size_t size, const void *from, size_t count);

#endif /* GPUOA_LIB_REPORT_THIN_H */
