/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * loss.h - gaps in a stream: where the unit starts, stops, and drops reports.
 */
#ifndef _GPUOA_LOSS_H
#define _GPUOA_LOSS_H

#include <linux/minmax.h>
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

/**
 * gpuoa_loss_not_told - how many of the missing reports is the reader to be told of?
 * @loss: the stream's
 * @missing: number of the timer's reports that are missing before this one
 *
 * Inline, since RAW mode asks before each report.
 *
 * Return: the number without those that were known to be lost before a timestamp told
 */
static inline u64 gpuoa_loss_not_told(struct gpuoa_loss *loss, u64 missing)
{
	u64 told = min(missing, loss->told);

	loss->told = 0;

	return missing - told;
}

void gpuoa_stream_report_lost(struct gpuoa_stream *stream, u32 type, u64 count);
void gpuoa_stream_note_loss(struct gpuoa_stream *stream, u32 type);
void gpuoa_stream_report_pending(struct gpuoa_stream *stream);
bool gpuoa_stream_has_lost(struct gpuoa_stream *stream, const struct gpuoa_hw_status *status);
void gpuoa_stream_note_status(struct gpuoa_stream *stream, const struct gpuoa_hw_status *status);
void gpuoa_stream_hw_start(struct gpuoa_stream *stream);
void gpuoa_stream_hw_stop(struct gpuoa_stream *stream);

#endif /* _GPUOA_LOSS_H */
