/* SPDX-License-Identifier: GPL-2.0-only */
/* gpuoa_recovery.h - start and stop of a unit, lost reports, and recovery of a unit. */
#ifndef _GPUOA_RECOVERY_H
#define _GPUOA_RECOVERY_H

#include <linux/irq_work.h>
#include <linux/minmax.h>
#include <linux/types.h>
#include <linux/workqueue.h>

struct gpuoa_hw_status;
struct gpuoa_stream;

/**
 * struct gpuoa_loss - expected timer report and detected losses
 * @last_valid: @last is valid
 * @last: timestamp of the last timer report; extended to 64 bits in AUX mode
 * @reported: number of missing reports after @last whose loss was already reported
 * @pending: record type of a loss that the next timestamp will measure, or 0
 * @latched: the sticky lost bit of the hardware was seen; cleared at the next start
 */
struct gpuoa_loss {
	bool last_valid;
	u64 last;
	u64 reported;
	u32 pending;
	bool latched;
};

/**
 * gpuoa_loss_unreported() - Get the number of missing reports that were not yet reported.
 * @loss: state of the stream
 * @missing: number of missing timer reports, computed from timestamps
 *
 * Inline because RAW mode calls it for each report.
 *
 * Return: number of reports
 */
static inline u64 gpuoa_loss_unreported(struct gpuoa_loss *loss, u64 missing)
{
	u64 reported = min(missing, loss->reported);

	loss->reported = 0;

	return missing - reported;
}

/**
 * gpuoa_loss_before() - Get the number of missing timer reports before a report of another cause.
 * @loss: state of the stream, with a pending loss and a valid timestamp
 * @ticks: time from the last timer report to this one
 * @shift: binary logarithm of the timer period in ticks
 *
 * A timer report that is due at the same time may follow. The next timer report is then compared
 * with the last missing one.
 *
 * Return: number of reports that were not yet reported
 */
static inline u64 gpuoa_loss_before(struct gpuoa_loss *loss, u64 ticks, u32 shift)
{
	u64 missing = ticks ? (ticks - 1) >> shift : 0;
	u64 reported = min(missing, loss->reported);

	loss->last += missing << shift;
	loss->reported -= reported;

	return missing - reported;
}

void gpuoa_stream_report_lost(struct gpuoa_stream *stream, u32 type, u64 count);
void gpuoa_stream_note_loss(struct gpuoa_stream *stream, u32 type);
void gpuoa_stream_report_pending(struct gpuoa_stream *stream);
bool gpuoa_stream_has_lost(struct gpuoa_stream *stream, const struct gpuoa_hw_status *status);
void gpuoa_stream_note_status(struct gpuoa_stream *stream, const struct gpuoa_hw_status *status);
void gpuoa_stream_hw_start(struct gpuoa_stream *stream);
void gpuoa_stream_hw_stop(struct gpuoa_stream *stream);

/**
 * struct gpuoa_recovery - work to do before a unit can be restarted
 *
 * Flags are protected by &gpuoa_stream.lock.
 *
 * @ready: the unit may be started
 * @pending: @work is queued and has not started
 * @linger: announced reports did not land in time; wait longer before the buffer is cleared
 * @program: the unit must be programmed, because its registers were lost or change
 * @programming: the unit is being programmed, or programming failed
 * @cut: reports were lost with the registers, and the loss is not yet reported
 * @gone: the GPU does not respond
 * @suspended: the provider has suspended the GPU
 * @error: error of the provider from programming the unit. After -EBUSY, another user has the unit,
 *	and programming is retried; after other errors, the unit stays off until it is reset or
 *	resumed.
 * @retry_at: time of the next retry, CLOCK_MONOTONIC, ns
 * @kick: queues @work
 * @work: performs the steps that may sleep
 */
struct gpuoa_recovery {
	bool ready;
	bool pending;
	bool linger;
	bool program;
	bool programming;
	bool cut;
	bool gone;
	bool suspended;
	int error;
	u64 retry_at;
	struct irq_work kick;
	struct work_struct work;
};

void gpuoa_recovery_init(struct gpuoa_stream *stream);
void gpuoa_recovery_cancel(struct gpuoa_stream *stream);
void gpuoa_recovery_pause(struct gpuoa_stream *stream);
void gpuoa_recovery_reprogram(struct gpuoa_stream *stream);
int gpuoa_recovery_finish(struct gpuoa_stream *stream);
bool gpuoa_recovery_check(struct gpuoa_stream *stream, const struct gpuoa_hw_status *status);
u64 gpuoa_recovery_wait(struct gpuoa_stream *stream);
void gpuoa_recovery_report(struct gpuoa_stream *stream);
bool gpuoa_recovery_asleep(const struct gpuoa_stream *stream);
bool gpuoa_recovery_await_stop(struct gpuoa_stream *stream);
void gpuoa_recovery_reset(struct gpuoa_stream *stream);
void gpuoa_recovery_suspend(struct gpuoa_stream *stream);
int gpuoa_recovery_resume(struct gpuoa_stream *stream);

#endif /* _GPUOA_RECOVERY_H */
