/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * loss.h - gaps in a stream: where the unit starts, stops, and drops reports.
 */
#ifndef _GPUOA_LOSS_H
#define _GPUOA_LOSS_H

#include <linux/types.h>

struct gpuoa_hw_status;
struct gpuoa_stream;

/**
 * struct gpuoa_loss - which report comes next, and what is known to be missing
 * @last_valid: @last holds a timestamp
 * @last: timestamp of the last timer report; in AUX mode, extended to 64 bits
 * @told: so many reports that are missing behind @last were reported already
 * @pending: type of a loss that the next report's timestamp will measure, or 0
 * @latched: the hardware's report-lost bit was seen, and stays until the next start
 */
struct gpuoa_loss {
	bool last_valid;
	u64 last;
	u64 told;
	u32 pending;
	bool latched;
};

void gpuoa_stream_report_lost(struct gpuoa_stream *stream, u32 type, u64 count);
void gpuoa_stream_note_loss(struct gpuoa_stream *stream, u32 type);
void gpuoa_stream_report_pending(struct gpuoa_stream *stream);
u64 gpuoa_stream_not_told(struct gpuoa_stream *stream, u64 missing);
bool gpuoa_stream_has_lost(struct gpuoa_stream *stream, const struct gpuoa_hw_status *status);
void gpuoa_stream_hw_start(struct gpuoa_stream *stream);
void gpuoa_stream_hw_stop(struct gpuoa_stream *stream);

#endif /* _GPUOA_LOSS_H */
