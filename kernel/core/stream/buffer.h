/* SPDX-License-Identifier: GPL-2.0-only */
/* buffer.h - memory of the OABUFFER. */
#ifndef _GPUOA_BUFFER_H
#define _GPUOA_BUFFER_H

#include <linux/sizes.h>

struct gpuoa_stream;
struct page;

/* Maximum default size of an OABUFFER. Larger sizes must be requested and need CAP_PERFMON. */
#define GPUOA_BUFFER_COMMON_MAX SZ_16M

/* Maximum default size without CAP_PERFMON */
#define GPUOA_BUFFER_USER_MAX SZ_1M

int gpuoa_buffer_map(struct gpuoa_stream *stream, struct page **pages, unsigned int n_pages);
void gpuoa_buffer_unmap(struct gpuoa_stream *stream);
int gpuoa_buffer_alloc(struct gpuoa_stream *stream);
void gpuoa_buffer_free(struct gpuoa_stream *stream);

#endif /* _GPUOA_BUFFER_H */
