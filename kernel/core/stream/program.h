/* SPDX-License-Identifier: GPL-2.0-only */
/* program.h - programming a unit for a stream. */
#ifndef _GPUOA_PROGRAM_H
#define _GPUOA_PROGRAM_H

struct gpuoa_request;
struct gpuoa_stream;

int gpuoa_program_begin(struct gpuoa_stream *stream);
int gpuoa_program_join(const struct gpuoa_stream *stream, const struct gpuoa_request *request);
int gpuoa_program_again(struct gpuoa_stream *stream);
void gpuoa_program_suspend(struct gpuoa_stream *stream);
void gpuoa_program_end(struct gpuoa_stream *stream);

#endif /* _GPUOA_PROGRAM_H */
