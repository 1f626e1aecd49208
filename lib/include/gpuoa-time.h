/* SPDX-License-Identifier: MIT */
/*
 * gpuoa-time.h - conversion between GPU and CPU time, and stream markers
 *
 * Times of reports are ticks of 64 bits (gpuoa_report_ticks(), struct gpuoa_interval);
 * gpuoa_ticks_to_ns() converts durations. Conventions are those of gpuoa.h.
 */
#ifndef GPUOA_TIME_H
#define GPUOA_TIME_H

#include "gpuoa.h"

#ifdef __cplusplus
extern "C" {
#endif

/* ---- clocks --------------------------------------------------------------------------------- */

/*
 * CPU clocks are identified as in clock_gettime(2): CLOCK_MONOTONIC, CLOCK_MONOTONIC_RAW,
 * CLOCK_BOOTTIME, CLOCK_REALTIME, CLOCK_TAI. GPUOA_CLOCK_PERF is the clock of perf's samples,
 * unless perf_event_attr.use_clockid selects another one (perf record -k).
 */
#ifndef GPUOA_CLOCK_PERF
#define GPUOA_CLOCK_PERF 0x100
#endif

/**
 * struct gpuoa_time - Relation of a GPU's clock to CPU clocks, from clock pairs.
 *
 * Pairs (struct gpuoa_clock_pair) are those of gpuoa_unit_clock(), of gpuoa_read_status, or others.
 * Time between two pairs is interpolated; before the first and after the last one, it is
 * extrapolated with the measured rate.
 *
 * Each result has an error bound: the errors of the pairs, plus the possible drift since the
 * nearest pair: 2 ppm and the uncertainty of the measured rate, or with a single pair 500 ppm. A
 * pair that is less accurate than the current estimate is ignored. If a clock was set or stopped
 * between two pairs, the bound includes the jump.
 */
struct gpuoa_time;

/**
 * gpuoa_time_open() - Create a relation without pairs.
 * @timestamp_frequency: frequency of the GPU's clock, Hz: gpuoa_unit_desc.timestamp_frequency, or
 *   cs_timestamp_frequency for timestamps written by commands
 * @time: result; close with gpuoa_time_close()
 *
 * Return: 0. -EINVAL: the frequency is 0. -ENOMEM: out of memory.
 */
GPUOA_API int gpuoa_time_open(uint64_t timestamp_frequency, struct gpuoa_time **time);

GPUOA_API void gpuoa_time_close(struct gpuoa_time *time);

/**
 * gpuoa_time_add() - Add a clock pair, in any order, of any clock.
 *
 * Memory is bounded: when a clock has 65,536 pairs, every second pair of the older half is dropped.
 *
 * Return: 0. -ENOSPC: pairs of more than 16 clocks. -ENOMEM: out of memory.
 */
GPUOA_API int gpuoa_time_add(struct gpuoa_time *time, const struct gpuoa_clock_pair *pair);

/**
 * gpuoa_time_to_cpu() - Convert GPU time to CPU time.
 * @clock_id: CPU clock
 * @gpu_ticks: 64 bits
 * @cpu_ns: result, ns
 * @error_ns: result: maximum error of @cpu_ns, ns; may be NULL
 *
 * Return: 0. -ENODATA: there is no pair of this clock. -ERANGE: the result is before the clock
 * began, or exceeds 64 bits.
 */
GPUOA_API int gpuoa_time_to_cpu(const struct gpuoa_time *time, int clock_id, uint64_t gpu_ticks,
				uint64_t *cpu_ns, uint64_t *error_ns);

/**
 * gpuoa_time_to_gpu() - Convert CPU time to GPU time, ticks, with the maximum error @error_ticks,
 * which may be NULL. Errors are those of gpuoa_time_to_cpu().
 */
GPUOA_API int gpuoa_time_to_gpu(const struct gpuoa_time *time, int clock_id, uint64_t cpu_ns,
				uint64_t *gpu_ticks, uint64_t *error_ticks);

/**
 * gpuoa_time_rate() - Measure the rate of the GPU's clock by a CPU clock, over the last minute of
 * the pairs.
 * @hz: result, Hz; the difference from gpuoa_unit_desc.timestamp_frequency is the drift
 * @error_hz: result: maximum error of @hz, Hz; may be NULL
 *
 * Return: 0. -ENODATA: there are fewer than two pairs of this clock.
 */
GPUOA_API int gpuoa_time_rate(const struct gpuoa_time *time, int clock_id, double *hz,
			      double *error_hz);

/**
 * gpuoa_reader_time() - Get the clock relation of a reader, which owns it.
 *
 * For a stream, it has the clock pairs read so far; later reads add to it. For a recording, it has
 * all pairs of the file, which the first call scans.
 *
 * Return: 0. -EINVAL: the frequency of the GPU's clock is unknown. -ENOMEM: out of memory.
 */
GPUOA_API int gpuoa_reader_time(struct gpuoa_reader *reader, const struct gpuoa_time **time);

/* ---- marks: stream markers ------------------------------------------------------------------ */

/** struct gpuoa_stream_marker - A point in time that a program has marked. */
struct gpuoa_stream_marker {
	uint64_t value; /* chosen by the program */
	uint64_t gpu_ticks; /* GPU time, 64 bits */
	uint64_t cpu_ns; /* CPU time of the marker in CLOCK_MONOTONIC, ns */
	uint32_t error_ns; /* maximum error of cpu_ns, ns */
	uint32_t reserved[3];
};

/**
 * gpuoa_unit_insert_marker() - Insert a marker of the current time into all streams and recordings
 * of a unit, including those of other programs.
 * @value: chosen by the program
 * @marker: result: the marker; may be NULL
 * @size: sizeof(*marker)
 *
 * Return: 0, or:
 * -EACCES: CAP_PERFMON or a dev.gpuoa.paranoid of 0 is needed
 * -ENODATA: the unit has no stream
 * -EOPNOTSUPP: the unit has a flight recorder, which has no markers
 * -EAGAIN: the GPU is suspended
 * -ENODEV: the GPU was removed
 * -ENOTTY: the unit's driver has no markers: a stock driver, or an old gpuoa.ko
 */
GPUOA_API int gpuoa_unit_insert_marker(struct gpuoa_unit *unit, uint64_t value,
				       struct gpuoa_stream_marker *marker, size_t size);

/**
 * gpuoa_reader_next_marker() - Get the next marker that reads of a reader have found.
 * @marker: result
 * @size: sizeof(*marker)
 *
 * Markers are in time order. A read may find a marker before it returns the reports of that time,
 * never after: compare gpu_ticks with times of reports or rows. A reader stores up to 65,536
 * markers; beyond that, it drops the oldest.
 *
 * Return: 1: a marker. 0: none now. -ENOBUFS, once: markers before the next one were dropped.
 */
GPUOA_API int gpuoa_reader_next_marker(struct gpuoa_reader *reader,
				       struct gpuoa_stream_marker *marker, size_t size);

#ifdef __cplusplus
}
#endif

#endif /* GPUOA_TIME_H */
