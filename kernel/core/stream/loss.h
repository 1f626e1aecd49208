/* SPDX-License-Identifier: GPL-2.0-only */
/* loss.h - start and stop of the unit, and lost reports. */
#ifndef _GPUOA_LOSS_H
#define _GPUOA_LOSS_H

#include <linux/minmax.h>
#include <linux/types.h>

struct gpuoa_hw_status;
struct gpuoa_stream;

/**
 * struct gpuoa_loss - expected timer report and detected losses
 * @last_valid: @last is valid
 * @last: timestamp of the last timer report; extended to 64 bits in AUX mode
 * @told: number of missing reports after @last that were already reported
 * @pending: record type of a loss that the next timestamp will measure, or 0
 * @latched: the sticky lost bit of the hardware was seen; cleared at the next start
 */
struct gpuoa_loss {
	bool last_valid;
	u64 last;
	u64 told;
	u32 pending;
	bool latched;
};

/**
 * gpuoa_loss_not_told() - Get the number of missing reports that were not yet reported.
 * @loss: state of the stream
 * @missing: number of missing timer reports, computed from timestamps
 *
 * Inline because RAW mode calls it for each report.
 *
 * Return: number of reports
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
