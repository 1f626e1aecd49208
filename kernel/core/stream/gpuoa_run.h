/* SPDX-License-Identifier: GPL-2.0-only */
/* gpuoa_run.h - starting, polling and stopping a stream. */
#ifndef _GPUOA_RUN_H
#define _GPUOA_RUN_H

#include <linux/list.h>
#include <linux/time64.h>
#include <linux/types.h>

struct gpuoa_count;
struct gpuoa_marker;
struct gpuoa_stream;

/**
 * struct gpuoa_runner - user that has started a stream
 * @node: entry in &gpuoa_stream.runners
 * @poll_ns: maximum time between polls, ns; U64_MAX for no limit
 */
struct gpuoa_runner {
	struct list_head node;
	u64 poll_ns;
};

/* Interval of the stream's announcements, for readers that start late. */
#define GPUOA_ANNOUNCE_NS NSEC_PER_SEC

/*
 * Time until the next poll if a poll has left reports, and minimum time between a poll and the next
 * poll if the half-full interrupt causes it
 */
#define GPUOA_POLL_BUSY_NS (100 * NSEC_PER_USEC)

void gpuoa_stream_init_run(struct gpuoa_stream *stream);
void gpuoa_stream_set_name(struct gpuoa_stream *stream, const char *uuid);
void gpuoa_stream_set_dword_mask(struct gpuoa_stream *stream, const u64 *dword_mask);
int gpuoa_stream_start(struct gpuoa_stream *stream, struct gpuoa_runner *runner);
void gpuoa_stream_stop(struct gpuoa_stream *stream, struct gpuoa_runner *runner);
void gpuoa_stream_end(struct gpuoa_stream *stream);
void gpuoa_stream_poll_now(struct gpuoa_stream *stream);
int gpuoa_stream_mark(struct gpuoa_stream *stream, struct gpuoa_marker *mark);
void gpuoa_stream_add_count(struct gpuoa_stream *stream, struct gpuoa_count *count);
void gpuoa_stream_remove_count(struct gpuoa_stream *stream, struct gpuoa_count *count);

#endif /* _GPUOA_RUN_H */
