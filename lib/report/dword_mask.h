/* SPDX-License-Identifier: MIT */
/*
 * dword_mask.h - dword masks: shrink reports to selected dwords and expand them
 *
 * Masks have the layout of gpuoa_stream_options.dword_mask. An all-zero mask selects every dword.
 */
#ifndef GPUOA_LIB_REPORT_DWORD_MASK_H
#define GPUOA_LIB_REPORT_DWORD_MASK_H

#include "gpuoa.h"
#include "report/format.h"

/*
 * Complete a mask in the same way as the kernel: add the report header, and pad the mask to an even
 * number of dwords.
 */
void dword_mask_complete(uint64_t *dword_mask, const struct report_format *format);

/* Add the dwords that contain a field to a mask. If the field is absent, add none. */
void dword_mask_add_field(uint64_t *dword_mask, struct report_field field);

/* Add the whole report header to a mask, including dwords that the format does not use. */
void dword_mask_add_header(uint64_t *dword_mask, const struct report_format *format);

/* True if reports of this format have all dwords that the mask selects. */
bool dword_mask_fits(const uint64_t *dword_mask, const struct report_format *format);

bool dword_mask_is_whole(const uint64_t *dword_mask);

/*
 * Return the size in bytes of a report with the selected dwords only. @dword_mask must not be all
 * zeros.
 */
size_t dword_mask_size(const uint64_t *dword_mask);

/* Copy the selected dwords of one report of @size bytes. */
void dword_mask_shrink(const uint64_t *dword_mask, void *to, size_t size, const void *from);

/*
 * Expand @count reports that have the selected dwords only to reports of @size bytes each. Other
 * dwords are zeroed.
 */
void dword_mask_expand(const uint64_t *dword_mask, void *to, size_t size, const void *from,
		       size_t count);

#endif /* GPUOA_LIB_REPORT_DWORD_MASK_H */
