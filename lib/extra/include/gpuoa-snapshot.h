/* SPDX-License-Identifier: MIT */
/*
 * gpuoa-snapshot.h - get the newest report of a stream on demand
 *
 * Part of libgpuoa-extra. Conventions are those of gpuoa.h.
 */
#ifndef GPUOA_SNAPSHOT_H
#define GPUOA_SNAPSHOT_H

#include "gpuoa-stream.h"

#ifdef __cplusplus
extern "C" {
#endif

/* ---- snapshots ------------------------------------------------------------------------------ */

/**
 * gpuoa_stream_snapshot() - Get one report that was written after this call. All older ones are
 * skipped.
 * @report: buffer of gpuoa_reader_desc.report_size bytes
 * @timeout_ms: timeout, ms; -1: none
 * @detail: result; may be NULL
 * @size: sizeof(*detail)
 *
 * Two snapshots and a calculator measure an interval.
 *
 * The report is a timer report. It arrives within two periods, because the kernel delivers a report
 * when the next one shows that it is complete, or later if the CPU is busy. The only access to the
 * GPU reads the time.
 *
 * For a snapshot of an idle unit, open a stream with a short period, take the snapshot, and close
 * it. Counters do not start at 0, therefore only snapshots of one stream can be compared. If other
 * processes have streams of the unit, zero-initialized options share theirs.
 *
 * Return: 0, an error of gpuoa_reader_read_filtered(), or:
 * -ETIMEDOUT: no report in time
 * -EOPNOTSUPP: @stream is a recording, or a flight recorder, which has no reports while it runs
 * -ECANCELED: the stream is disabled
 * -ENODEV: the GPU was removed
 */
GPUOA_API int gpuoa_stream_snapshot(struct gpuoa_reader *stream, void *report, int timeout_ms,
				    struct gpuoa_read_detail *detail, size_t size);

#ifdef __cplusplus
}
#endif

#endif /* GPUOA_SNAPSHOT_H */
