/* SPDX-License-Identifier: GPL-2.0-only */
/* gpuoa_program.h - programming a unit for a stream, and the memory of its OABUFFER. */
#ifndef _GPUOA_PROGRAM_H
#define _GPUOA_PROGRAM_H

#include <linux/sizes.h>

struct gpuoa_request;
struct gpuoa_stream;
struct page;

int gpuoa_program_begin(struct gpuoa_stream *stream);
int gpuoa_program_join(const struct gpuoa_stream *stream, const struct gpuoa_request *request);
int gpuoa_program_again(struct gpuoa_stream *stream);
void gpuoa_program_suspend(struct gpuoa_stream *stream);
void gpuoa_program_end(struct gpuoa_stream *stream);

/* Maximum default size of an OABUFFER. Larger sizes must be requested and need CAP_PERFMON. */
#define GPUOA_BUFFER_COMMON_MAX SZ_16M

/* Maximum default size without CAP_PERFMON */
#define GPUOA_BUFFER_USER_MAX SZ_1M

int gpuoa_buffer_map(struct gpuoa_stream *stream, struct page **pages, unsigned int n_pages);
void gpuoa_buffer_unmap(struct gpuoa_stream *stream);
int gpuoa_buffer_alloc(struct gpuoa_stream *stream);
void gpuoa_buffer_free(struct gpuoa_stream *stream);

#endif /* _GPUOA_PROGRAM_H */
