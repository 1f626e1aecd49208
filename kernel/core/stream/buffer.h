/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * buffer.h - memory of the OABUFFER.
 */
#ifndef _GPUOA_BUFFER_H
#define _GPUOA_BUFFER_H

struct gpuoa_stream;
struct page;

int gpuoa_buffer_map(struct gpuoa_stream *stream, struct page **pages, unsigned int n_pages);
void gpuoa_buffer_unmap(struct gpuoa_stream *stream);
int gpuoa_buffer_alloc(struct gpuoa_stream *stream);
void gpuoa_buffer_free(struct gpuoa_stream *stream);

#endif /* _GPUOA_BUFFER_H */
