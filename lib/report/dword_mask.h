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

/* Complete a mask as the kernel does: add the header, and pad to an even number of dwords. */
void dword_mask_complete(uint64_t *dword_mask, const struct report_format *format);

/* Add the dwords that contain @field; none if the field is absent. */
void dword_mask_add_field(uint64_t *dword_mask, struct report_field field);

/* Add the whole header, including dwords that the format does not use. */
void dword_mask_add_header(uint64_t *dword_mask, const struct report_format *format);

/* True if every selected dword exists in reports of this format. */
bool dword_mask_fits(const uint64_t *dword_mask, const struct report_format *format);

bool dword_mask_is_whole(const uint64_t *dword_mask);

/* Size in bytes of a shrunk report; @dword_mask must not be all zeros. */
size_t dword_mask_size(const uint64_t *dword_mask);

/* Shrink one report of @size bytes. */
void dword_mask_shrink(const uint64_t *dword_mask, void *to, size_t size, const void *from);

/* Expand @count shrunk reports to @size bytes each. Dwords that were not selected are zeroed. */
void dword_mask_expand(const uint64_t *dword_mask, void *to, size_t size, const void *from,
		       size_t count);

#endif /* GPUOA_LIB_REPORT_DWORD_MASK_H */
