/* SPDX-License-Identifier: GPL-2.0-only */
/* gpuoa_aux.h - AUX mode: the reader's AUX area is the OABUFFER, or reports are copied into it. */
#ifndef _GPUOA_AUX_H
#define _GPUOA_AUX_H

#include <linux/perf_event.h>

struct gpuoa_format_desc;
struct gpuoa_stream;
struct page;

/**
 * struct gpuoa_aux_area - pages of an AUX area; perf's aux_priv
 * @stream: stream that uses the pages, with a reference
 * @memory: CPU mapping of the pages, owned by perf
 * @pages: struct page of each of them
 * @n_pages: number of @pages, a power of two
 * @ring: perf ring buffer with this area; only used for comparison
 * @overwrite: flight recorder: mapped read-only, so that the reader's position is not known
 */
struct gpuoa_aux_area {
	struct gpuoa_stream *stream;
	void **memory;
	struct page **pages;
	unsigned int n_pages;
	const struct perf_buffer *ring;
	bool overwrite;
};

/**
 * struct gpuoa_sink_aux - state of perf's AUX ring
 *
 * While @open, the area and its pages stay allocated.
 *
 * @event: event that owns the area
 * @area: AUX area, or NULL if none is mapped
 * @format: report format, for PERF_RECORD_AUX
 * @report_size: size of a report, bytes
 * @split: a report that crosses the end of the area continues at its start
 * @used: size of the area used for reports, bytes
 * @handle: perf transaction, if @open
 * @open: a transaction is open, and the hardware may write
 * @truncated: reports were lost, and the next record must be marked as truncated
 * @window: number of valid bytes before the head of a flight recorder
 */
struct gpuoa_sink_aux {
	struct perf_event *event;
	struct gpuoa_aux_area *area;
	u64 format;
	u32 report_size;
	bool split;
	u32 used;
	struct perf_output_handle handle;
	bool open;
	bool truncated;
	u64 window;
};

void gpuoa_sink_aux_init(struct gpuoa_sink_aux *sink, struct perf_event *event,
			 const struct gpuoa_format_desc *format, bool splits);

bool gpuoa_aux_can_run(const struct gpuoa_stream *stream);
bool gpuoa_aux_overwrite(const struct gpuoa_stream *stream);
u32 gpuoa_aux_copy_room(struct gpuoa_stream *stream);
bool gpuoa_aux_copy(struct gpuoa_stream *stream, const void *reports, u32 count);
bool gpuoa_aux_copy_lose(struct gpuoa_stream *stream);
void gpuoa_aux_copy_close(struct gpuoa_stream *stream);

void gpuoa_mode_aux_attach(struct gpuoa_stream *stream, struct gpuoa_aux_area *area);
void gpuoa_mode_aux_detach(struct gpuoa_stream *stream);

#endif /* _GPUOA_AUX_H */
