/* SPDX-License-Identifier: MIT */
/*
 * gpuoa-time.h - GPU time and CPU time: from either to the other, and marks in streams
 *
 * Rules of results, structs, ownership and threads are those of gpuoa.h. Times of reports are ticks
 * of 64 bits (gpuoa_report_ticks(), struct gpuoa_interval); gpuoa_ticks_to_ns() makes a duration of
 * them.
 */
#ifndef GPUOA_TIME_H
#define GPUOA_TIME_H

#include "gpuoa.h"

#ifdef __cplusplus
extern "C" {
#endif

/* ---- clocks --------------------------------------------------------------------------------- */

/*
 * Clocks of the CPU have the numbers of clock_gettime(2): CLOCK_MONOTONIC, CLOCK_MONOTONIC_RAW,
 * CLOCK_BOOTTIME, CLOCK_REALTIME, CLOCK_TAI. This one is the clock that perf gives its samples
 * their time of, unless perf_event_attr.use_clockid asked for another one (perf record -k).
 */
#ifndef GPUOA_CLOCK_PERF
#define GPUOA_CLOCK_PERF 0x100
#endif

/**
 * What is known of a GPU's clock and clocks of the CPU, from pairs (struct gpuoa_clock_pair): those
 * of gpuoa_unit_clock(), of gpuoa_read_status, or of any other origin.
 *
 * Between two pairs, time is interpolated. Before the first one and behind the last one, it goes on
 * at the rate that the clocks have had towards each other. Each result comes with its bound: that
 * of the pairs, plus what clocks may deviate from an even pace on the way from the nearest pair: 2
 * ppm, or, with one pair only, 500 ppm, and what the rate was measured too inexactly by. A pair
 * that is no better than what is known of its moment is left out, so that one with a wide bound
 * does no harm. Where a clock was set or has stopped between two pairs, the bound is as wide as the
 * jump.
 */
struct gpuoa_time;

/**
 * Begin with nothing known.
 *
 * @timestamp_frequency: of the GPU's clock, Hz (gpuoa_unit_desc.timestamp_frequency, or
 * cs_timestamp_frequency for the times that commands write)
 *
 * -EINVAL: the frequency is 0. -ENOMEM.
 */
GPUOA_API int gpuoa_time_open(uint64_t timestamp_frequency, struct gpuoa_time **time);

GPUOA_API void gpuoa_time_close(struct gpuoa_time *time);

/**
 * Take a pair into account. Pairs may come in any order, of any number of clocks. Memory is
 * bounded: when there are 65,536 of one clock, each second one of the older half is forgotten.
 * -ENOMEM; -ENOSPC: pairs of more than 16 clocks.
 */
GPUOA_API int gpuoa_time_add(struct gpuoa_time *time, const struct gpuoa_clock_pair *pair);

/**
 * CPU time of a moment of the GPU.
 *
 * @clock_id: on which clock
 * @gpu_ticks: in 64 bits
 * @error_ns: out: @cpu_ns is right to within this; may be NULL
 *
 * -ENODATA: there is no pair of that clock. -ERANGE: it is before the clock began, or exceeds 64
 * bits.
 */
GPUOA_API int gpuoa_time_to_cpu(const struct gpuoa_time *time, int clock_id, uint64_t gpu_ticks,
				uint64_t *cpu_ns, uint64_t *error_ns);

/** The other way round: the moment of the GPU at a time of the CPU, right to within @error_ticks.
 */
GPUOA_API int gpuoa_time_to_gpu(const struct gpuoa_time *time, int clock_id, uint64_t cpu_ns,
				uint64_t *gpu_ticks, uint64_t *error_ticks);

/**
 * The rate of the GPU's clock by a clock of the CPU, over the last minute of the pairs: Hz, right
 * to within @error_hz. Beside gpuoa_unit_desc.timestamp_frequency it tells the drift.
 *
 * -ENODATA: there are less than two pairs of that clock.
 */
GPUOA_API int gpuoa_time_rate(const struct gpuoa_time *time, int clock_id, double *hz,
			      double *error_hz);

/**
 * Ticks of one clock of a GPU as ticks of another one: of the timestamps that commands write
 * (gpuoa_unit_desc.cs_timestamp_frequency) as those of reports (timestamp_frequency), or the other
 * way round. Both count from the same moment, so that this relates moments as well as durations.
 * Rounded down; UINT64_MAX if that is more than 64 bits, 0 if @from_frequency is 0.
 */
GPUOA_API uint64_t gpuoa_ticks_rescale(uint64_t ticks, uint64_t from_frequency,
				       uint64_t to_frequency);

/**
 * What a source knows of time. It belongs to the source. Of a stream: from what was read until now;
 * reads add to it. Of a recording: from all of it, which the first call goes through.
 *
 * -ENOMEM. -EINVAL: the source does not know its GPU's frequency.
 */
GPUOA_API int gpuoa_source_time(struct gpuoa_source *source, const struct gpuoa_time **time);

/* ---- marks ---------------------------------------------------------------------------------- */

/** A moment that a program has marked. */
struct gpuoa_stream_marker {
	uint64_t value; /* what it means is the program's business */
	uint64_t gpu_ticks; /* when it was, in 64 bits */
	uint64_t cpu_ns; /* the same in CLOCK_MONOTONIC */
	uint32_t error_ns; /* cpu_ns is right to within this */
	uint32_t reserved[3];
};

/**
 * Mark this moment in all that is being sampled by a unit: streams of this and other programs, and
 * recordings that are being made.
 *
 * @marker: out: when it was; may be NULL
 * @size: sizeof(*marker)
 *
 * -EACCES: needs CAP_PERFMON, or a sysctl dev.gpuoa.paranoid of 0. -ENODATA: nobody samples the
 * unit. -EOPNOTSUPP: a flight recorder does, which has no room for marks. -EAGAIN: the GPU is
 * suspended. -ENODEV: it is gone. -ENOTTY: whoever offers the unit takes no marks: a stock driver,
 * or a gpuoa.ko that is too old.
 */
GPUOA_API int gpuoa_unit_mark(struct gpuoa_unit *unit, uint64_t value,
			      struct gpuoa_stream_marker *marker, size_t size);

/**
 * The next mark that reads of a source have come upon. Marks come in order of time. A read may come
 * upon a mark before it gives the reports of that time, never after: compare gpu_ticks with the
 * times of reports or rows. A source keeps 65,536 marks that nobody asks for; of more, the oldest
 * are forgotten.
 *
 * @marker: out
 * @size: sizeof(*marker)
 *
 * Returns 1: a mark; 0: there is none now; -ENOBUFS, once: marks before the next one were
 * forgotten.
 */
GPUOA_API int gpuoa_source_next_marker(struct gpuoa_source *source,
				       struct gpuoa_stream_marker *marker, size_t size);

/** Dwords of gpuoa_marker_commands(). */
#define GPUOA_MARKER_DWORDS 4

/**
 * A mark by the GPU itself: commands that have a report with a number of the caller's written when
 * the command streamer gets to them, into all streams of the unit (gpuoa_report_desc.has_marker;
 * information item StreamMarker). Work that was begun before may still go on: where that matters, a
 * stall stands in front. The command streamer may get there faster than reports can be written;
 * then some are missing, which the stream tells as a loss.
 *
 * @unit: that the mark is for; the render engine or a compute engine of its GPU runs the batch
 * @size: sizeof(*unit)
 * @dwords: where to put the commands
 * @room: dwords there, at least GPUOA_MARKER_DWORDS
 *
 * Returns GPUOA_MARKER_DWORDS. -ENOBUFS: @room is too small. -E2BIG: @unit has fields that this
 * library does not know and that are not 0. -EOPNOTSUPP: the unit has no
 * GPUOA_UNIT_MARKERS. Haswell to gen11 have no register that a batch may write to have a report
 * written with a number; on gen12.0 (and later, with i915) the register is not one that the kernel
 * lets batches of users write. gpuoa_unit_mark(), and reports of whole batches
 * (gpuoa_stream_options.batches), are there for all.
 */
GPUOA_API int gpuoa_marker_commands(const struct gpuoa_unit_desc *unit, size_t size, uint32_t value,
				    uint32_t *dwords, size_t room);

#ifdef __cplusplus
}
#endif

#endif /* GPUOA_TIME_H */
