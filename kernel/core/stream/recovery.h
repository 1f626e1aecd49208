/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * recovery.h - what a unit needs in process context before it can be started again.
 */
#ifndef _GPUOA_RECOVERY_H
#define _GPUOA_RECOVERY_H

#include <linux/irq_work.h>
#include <linux/types.h>
#include <linux/workqueue.h>

struct gpuoa_hw_status;
struct gpuoa_stream;

/**
 * struct gpuoa_recovery - what a unit needs before it can be started again
 *
 * Flags are protected by &gpuoa_stream.lock.
 *
 * @ready: nothing: it may be started
 * @pending: @work has to do something that it has not begun yet
 * @linger: reports that had been announced did not land in time: they may land until later
 * @program: the unit's registers were lost, or are to be others
 * @programming: that is under way, or has failed
 * @cut: reports were lost with them, and the reader was not told yet
 * @gone: the GPU does not answer
 * @suspended: the host said so
 * @error: the host could not program the unit: -errno. With -EBUSY, somebody else has taken it, and
 *	it is tried again; else it stays off until it is reset or resumed
 * @retry_at: CLOCK_MONOTONIC, ns: when, then
 * @kick: queues @work
 * @work: does what may sleep
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
