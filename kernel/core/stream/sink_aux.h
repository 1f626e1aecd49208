/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * sink_aux.h - reports that stay where the hardware put them: the AUX area of a perf event.
 */
#ifndef _GPUOA_SINK_AUX_H
#define _GPUOA_SINK_AUX_H

#include <linux/perf_event.h>

struct gpuoa_format_desc;
struct gpuoa_stream;
struct page;

/**
 * struct gpuoa_aux_area - the pages of an AUX area, mapped for the GPU; perf's aux_priv
 * @stream: what they are the OABUFFER of; held
 * @memory: the pages as the CPU sees them; perf's
 * @pages: the same
 * @n_pages: number of them, a power of two
 * @ring: perf's ring buffer that the area is part of; only to be compared
 * @overwrite: mapped read-only: a flight recorder, whose reader says nothing of its progress
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
 * struct gpuoa_sink_aux - perf's side of an AUX area
 *
 * While @open, neither the area nor its pages go away.
 *
 * @event: the event; one only, for there is one OABUFFER
 * @area: its AUX area, if it is mapped
 * @format: format of the reports, as PERF_RECORD_AUX tells it
 * @report_size: bytes of a report
 * @used: bytes of the area that can hold reports
 * @handle: perf's transaction, if @open
 * @open: the hardware may write
 * @truncated: something was lost, and the next record shall say so
 * @window: bytes that a flight recorder's reader can read back from the head
 */
struct gpuoa_sink_aux {
	struct perf_event *event;
	struct gpuoa_aux_area *area;
	u64 format;
	u32 report_size;
	u32 used;
	struct perf_output_handle handle;
	bool open;
	bool truncated;
	u64 window;
};

void gpuoa_sink_aux_init(struct gpuoa_sink_aux *sink, struct perf_event *event,
			 const struct gpuoa_format_desc *format);
void gpuoa_sink_aux_attach(struct gpuoa_sink_aux *sink, struct gpuoa_aux_area *area);
bool gpuoa_sink_aux_open(struct gpuoa_sink_aux *sink);
void gpuoa_sink_aux_close(struct gpuoa_sink_aux *sink);
bool gpuoa_sink_aux_publish(struct gpuoa_sink_aux *sink, u32 count);
bool gpuoa_sink_aux_refresh(struct gpuoa_sink_aux *sink);
bool gpuoa_sink_aux_skip(struct gpuoa_sink_aux *sink, u32 count);
bool gpuoa_sink_aux_passed(const struct gpuoa_sink_aux *sink, unsigned long head);
u32 gpuoa_sink_aux_offset(const struct gpuoa_sink_aux *sink);
u32 gpuoa_sink_aux_reader(const struct gpuoa_sink_aux *sink);
u32 gpuoa_sink_aux_room(const struct gpuoa_sink_aux *sink);
u32 gpuoa_sink_aux_wanted(const struct gpuoa_sink_aux *sink);

#endif /* _GPUOA_SINK_AUX_H */
