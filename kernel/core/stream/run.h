/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * run.h - a stream runs: started, polled, kicked, stopped.
 */
#ifndef _GPUOA_RUN_H
#define _GPUOA_RUN_H

#include <linux/list.h>
#include <linux/time64.h>
#include <linux/types.h>

struct gpuoa_count;
struct gpuoa_marker;
struct gpuoa_stream;

/**
 * struct gpuoa_runner - a user of a stream that has started it
 * @node: in &gpuoa_stream.runners
 * @poll_ns: how long reports may wait for a poll at most; U64_MAX: as long as they keep
 */
struct gpuoa_runner {
	struct list_head node;
	u64 poll_ns;
};

/* How often a stream describes itself to those who begin to listen late. */
#define GPUOA_ANNOUNCE_NS NSEC_PER_SEC

/*
 * When a tick of the poll timer has left work, or a kick comes early, the next one comes so soon.
 */
#define GPUOA_POLL_BUSY_NS (100 * NSEC_PER_USEC)

void gpuoa_stream_init_run(struct gpuoa_stream *stream);
void gpuoa_stream_set_name(struct gpuoa_stream *stream, const char *uuid);
void gpuoa_stream_set_keep(struct gpuoa_stream *stream, const u64 *keep);
int gpuoa_stream_start(struct gpuoa_stream *stream, struct gpuoa_runner *runner);
void gpuoa_stream_stop(struct gpuoa_stream *stream, struct gpuoa_runner *runner);
void gpuoa_stream_end(struct gpuoa_stream *stream);
void gpuoa_stream_poll_now(struct gpuoa_stream *stream);
int gpuoa_stream_mark(struct gpuoa_stream *stream, struct gpuoa_marker *mark);
void gpuoa_stream_add_count(struct gpuoa_stream *stream, struct gpuoa_count *count);
void gpuoa_stream_remove_count(struct gpuoa_stream *stream, struct gpuoa_count *count);

#endif /* _GPUOA_RUN_H */
