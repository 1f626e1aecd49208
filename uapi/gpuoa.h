/* SPDX-License-Identifier: GPL-2.0-only WITH Linux-syscall-note */
/*
 * gpuoa.h - user space API of the gpuoa kernel module.
 *
 * An OA unit has four interfaces:
 *
 * 1. perf_event_open(2) on the PMU "gpuoa<N>": raw reports as PERF_SAMPLE_RAW, or in the AUX area,
 *    where the GPU itself writes them. The event is described by the bits of
 *    perf_event_attr.config (GPUOA_CONFIG_*), or by a struct gpuoa_attr that was registered by
 *    GPUOA_IOC_ADD_ATTR and whose id is in perf_event_attr.config1, or by a struct gpuoa_attr that
 *    perf_event_attr.config1 points to. All three describe the same events.
 * 2. ioctl(2) on /dev/gpuoa<N>: properties of the unit, its metric configurations, its clock.
 * 3. GPUOA_IOC_OPEN_STREAM on /dev/gpuoa<N>: a stream for one context, also for users without
 *    permission to use perf.
 * 4. /sys/class/gpuoa/gpuoa<N>/: ids of metric configurations, statistics.
 */
#ifndef _UAPI_GPUOA_H
#define _UAPI_GPUOA_H

#include <linux/ioctl.h>
#include <linux/types.h>

#if defined(__cplusplus)
extern "C" {
#endif

/**
 * DOC: Reports
 *
 * The kernel forwards reports as the hardware wrote them. The report format determines the position
 * of each counter, the metric configuration what it counts. Names are those of the hardware
 * documentation.
 */

/**
 * enum gpuoa_format - report formats
 *
 * Values up to 14 are those of enum drm_i915_oa_format. 15 is not used because it ends i915's list.
 * Values from 16 on are specific to gpuoa. &gpuoa_unit_info.formats is the mask of the formats that
 * a unit supports.
 *
 * @GPUOA_FORMAT_DEFAULT: &gpuoa_unit_info.default_format, the format of most metric sets
 * @GPUOA_FORMAT_A13: 64 bytes, Haswell
 * @GPUOA_FORMAT_A29: 128 bytes, Haswell
 * @GPUOA_FORMAT_A13_B8_C8: 128 bytes, Haswell
 * @GPUOA_FORMAT_B4_C8: 64 bytes, Haswell
 * @GPUOA_FORMAT_A45_B8_C8: 256 bytes, Haswell
 * @GPUOA_FORMAT_B4_C8_A16: 128 bytes, Haswell
 * @GPUOA_FORMAT_C4_B8: 64 bytes, Haswell to gen12.0
 * @GPUOA_FORMAT_A12: 64 bytes, gen8 to gen12.0
 * @GPUOA_FORMAT_A12_B8_C8: 128 bytes, gen8 to gen12.0
 * @GPUOA_FORMAT_A32U40_A4U32_B8_C8: 256 bytes, gen8 to gen12.0
 * @GPUOA_FORMAT_OAR_A32U40_A4U32_B8_C8: 256 bytes, gen12.5 and later, MI_REPORT_PERF_COUNT in a
 *	batch only; not valid for events
 * @GPUOA_FORMAT_A24U40_A14U32_B8_C8: 256 bytes, gen12.5 and later
 * @GPUOA_FORMAT_MPEC8U64_B8_C8: 192 bytes, media unit
 * @GPUOA_FORMAT_MPEC8U32_B8_C8: 128 bytes, media unit
 * @GPUOA_FORMAT_PEC64U64: 576 bytes, Xe2
 * @GPUOA_FORMAT_PEC64U64_B8_C8: 640 bytes, Xe2
 * @GPUOA_FORMAT_PEC64U32: 320 bytes, Xe2
 * @GPUOA_FORMAT_PEC32U64_G1: 320 bytes, Xe2
 * @GPUOA_FORMAT_PEC32U32_G1: 192 bytes, Xe2
 * @GPUOA_FORMAT_PEC32U64_G2: 320 bytes, Xe2
 * @GPUOA_FORMAT_PEC32U32_G2: 192 bytes, Xe2
 * @GPUOA_FORMAT_PEC36U64_G1_32_G2_4: 320 bytes, Xe2
 * @GPUOA_FORMAT_PEC36U64_G1_4_G2_32: 320 bytes, Xe2
 * @GPUOA_FORMAT_MERT_PEC8: 128 bytes, memory unit of Xe3
 */
enum gpuoa_format {
	GPUOA_FORMAT_DEFAULT = 0,
	GPUOA_FORMAT_A13 = 1,
	GPUOA_FORMAT_A29 = 2,
	GPUOA_FORMAT_A13_B8_C8 = 3,
	GPUOA_FORMAT_B4_C8 = 4,
	GPUOA_FORMAT_A45_B8_C8 = 5,
	GPUOA_FORMAT_B4_C8_A16 = 6,
	GPUOA_FORMAT_C4_B8 = 7,
	GPUOA_FORMAT_A12 = 8,
	GPUOA_FORMAT_A12_B8_C8 = 9,
	GPUOA_FORMAT_A32U40_A4U32_B8_C8 = 10,
	GPUOA_FORMAT_OAR_A32U40_A4U32_B8_C8 = 11,
	GPUOA_FORMAT_A24U40_A14U32_B8_C8 = 12,
	GPUOA_FORMAT_MPEC8U64_B8_C8 = 13,
	GPUOA_FORMAT_MPEC8U32_B8_C8 = 14,
	GPUOA_FORMAT_PEC64U64 = 16,
	GPUOA_FORMAT_PEC64U64_B8_C8 = 17,
	GPUOA_FORMAT_PEC64U32 = 18,
	GPUOA_FORMAT_PEC32U64_G1 = 19,
	GPUOA_FORMAT_PEC32U32_G1 = 20,
	GPUOA_FORMAT_PEC32U64_G2 = 21,
	GPUOA_FORMAT_PEC32U32_G2 = 22,
	GPUOA_FORMAT_PEC36U64_G1_32_G2_4 = 23,
	GPUOA_FORMAT_PEC36U64_G1_4_G2_32 = 24,
	GPUOA_FORMAT_MERT_PEC8 = 25,
};

/**
 * enum gpuoa_counter - counters of a report
 *
 * The format of a report determines which counters it has. What a counter counts depends on the
 * metric configuration, except for the timestamp and the clock.
 *
 * @GPUOA_COUNTER_NONE: no counter
 * @GPUOA_COUNTER_TIMESTAMP: ticks of the OA timestamp clock; in every format
 * @GPUOA_COUNTER_CLOCK: ticks of the GPU's clock; not in reports of Haswell
 */
enum gpuoa_counter {
	GPUOA_COUNTER_NONE = 0,
	GPUOA_COUNTER_TIMESTAMP = 1,
	GPUOA_COUNTER_CLOCK = 2,
};

#define GPUOA_COUNTER_A(n) (0x100 + (n))
#define GPUOA_COUNTER_B(n) (0x200 + (n))
#define GPUOA_COUNTER_C(n) (0x300 + (n))
#define GPUOA_COUNTER_PEC(n) (0x400 + (n))
#define GPUOA_COUNTER_MPEC(n) (0x500 + (n))

/**
 * DOC: perf_event_attr.config
 *
 * ============== ======== =====================================================================
 * field          bits     meaning
 * ============== ======== =====================================================================
 * metric_set     0-31     id of a registered configuration (metrics/<uuid>/id in sysfs), never 0
 * format         32-39    enum gpuoa_format, 0 for the unit's default
 * exponent       40-47    timer exponent, 1..exponent_max: a report every 2^(exponent+1) timestamp
 *                         ticks. 0: the longest period that is not longer than sample_period (ns)
 *                         or, with attr.freq, that of sample_freq (Hz). Exponent 0 can be requested
 *                         by such a period, or in struct gpuoa_attr
 * counter        48-59    enum gpuoa_counter of a counting event, see below. 0: a sampling event
 * by_attr_id     62       perf_event_attr.config1 is an id of GPUOA_IOC_ADD_ATTR. All other bits
 *                         must be 0
 * aux            63       reports go to the AUX area, as by GPUOA_ATTR_AUX
 * ============== ======== =====================================================================
 *
 * If bit 62 is 0 and config1 is not 0, config1 is a pointer to struct gpuoa_attr and config must be
 * 0. All other bits and config2 to config4 must be 0.
 */
#define GPUOA_CONFIG_METRIC_SET_SHIFT 0
#define GPUOA_CONFIG_METRIC_SET_MASK 0x00000000ffffffffULL
#define GPUOA_CONFIG_FORMAT_SHIFT 32
#define GPUOA_CONFIG_FORMAT_MASK 0x000000ff00000000ULL
#define GPUOA_CONFIG_EXPONENT_SHIFT 40
#define GPUOA_CONFIG_EXPONENT_MASK 0x0000ff0000000000ULL
#define GPUOA_CONFIG_COUNTER_SHIFT 48
#define GPUOA_CONFIG_COUNTER_MASK 0x0fff000000000000ULL
#define GPUOA_CONFIG_ATTR_ID_SHIFT 62
#define GPUOA_CONFIG_ATTR_ID_MASK 0x4000000000000000ULL
#define GPUOA_CONFIG_AUX_SHIFT 63
#define GPUOA_CONFIG_AUX_MASK 0x8000000000000000ULL

/**
 * DOC: Counting events
 *
 * The value of an event with a counter and no sampling period is the 64-bit sum of that counter. It
 * starts at 0 and never decreases, whatever the width of the counter in a report. events/ of the
 * PMU in sysfs lists the counters of a unit, so that perf knows their names:
 *
 *     perf stat -e '{gpuoa0/a0,metric_set=1/,gpuoa0/timestamp,metric_set=1/}' -I 1000
 *
 * A value is the difference of two reports: the first one after the event was enabled, and the
 * newest one that had landed when the event was read. The latter is at most two timer periods old,
 * plus 5 ms in a unit that writes more than a million reports per second. A counting event
 * therefore misses at most one period at its start and two at its end, and the same around a
 * restart of the unit (buffer overflow, or events that perf unscheduled for a moment). All members
 * of a group use the same two reports: read them with PERF_FORMAT_GROUP.
 *
 * Without an exponent, a counting event takes the exponent of the unit's other users. If there are
 * none, it takes the longest period of at most 250 us. A 32-bit counter must not be able to wrap in
 * a period if each EU counts twice per clock at the maximum frequency.
 *
 * Counting and sampling events with the same configuration share a unit. Open sampling events first
 * unless all events have the same explicit exponent.
 */

/**
 * struct gpuoa_register - one register write of a configuration
 * @address: MMIO offset; must be on the whitelist of its list
 * @value: value to write; the kernel clears bits that users must not change
 */
struct gpuoa_register {
	__u32 address;
	__u32 value;
};

/* gpuoa_attr.flags */
#define GPUOA_ATTR_EXPONENT (1ULL << 0) /* use .exponent instead of the event's sampling period */
#define GPUOA_ATTR_CONTEXT (1ULL << 1) /* one context: .drm_fd and .context are valid */
#define GPUOA_ATTR_AUX (1ULL << 2) /* reports go to the AUX area, see below */
#define GPUOA_ATTR_CONTEXT_HW_ID (1ULL << 3) /* .context is a hardware id; needs _CONTEXT */
/* Bit 4 is unused. The call fails with EINVAL if it or another bit that is not listed is set. */
#define GPUOA_ATTR_BATCH_BOUNDARY_REPORTS (1ULL << 5) /* reports where batches begin, end */
#define GPUOA_ATTR_QUERY_ONLY (1ULL << 6) /* with _CONTEXT: MI_REPORT_PERF_COUNT only */

#define GPUOA_ATTR_MASK_WORDS 3 /* 64 dwords each; covers the longest report */

/**
 * struct gpuoa_attr - extensible description of an event
 *
 * Versioned like struct perf_event_attr: a shorter struct is zero-extended. In a longer struct, the
 * part that the kernel does not know must be zero; else the call fails with E2BIG, and the kernel
 * writes the size that it supports to @size.
 *
 * @size: sizeof(struct gpuoa_attr), at least through @exponent; 0 means GPUOA_ATTR_SIZE_VER0
 * @format: enum gpuoa_format
 * @flags: GPUOA_ATTR_*; unknown bits are EINVAL
 * @metric_set: id of a registered configuration; 0: the three lists below are the configuration
 * @exponent: timer exponent, 0..&gpuoa_unit_info.exponent_max, with GPUOA_ATTR_EXPONENT; else 0
 * @n_mux: number of registers at @mux, at most GPUOA_MAX_REGISTERS as in the other lists
 * @n_boolean: number of registers at @boolean
 * @n_flex: number of registers at @flex
 * @mux: user pointer to struct gpuoa_register: NOA multiplexer, written in order with duplicates
 * @boolean: user pointer to struct gpuoa_register: boolean (B/C) counter logic
 * @flex: user pointer to struct gpuoa_register: flexible EU counters; not on Haswell and media
 *	units. Registers that are not listed are set to event 0; the last of several values is used
 * @drm_fd: with GPUOA_ATTR_CONTEXT: file descriptor of the GPU's own DRM node. Without it, and with
 *	GPUOA_ATTR_CONTEXT_HW_ID, -1 or 0
 * @context: with GPUOA_ATTR_CONTEXT: handle of a context of that file; else 0. With
 *	GPUOA_ATTR_CONTEXT_HW_ID: hardware id of a context, which needs CAP_PERFMON. That is the
 *	context id of reports (gen8 and later; bits outside of the id are ignored) or the GGTT
 *	address of the state page of the ring context (Haswell). The context need not exist, the
 *	event does not hold it, and the hardware may reuse the id after the context is destroyed
 * @buffer_size: size of the OABUFFER, bytes: a power of two from &gpuoa_unit_info.buffer_size_min
 *	to buffer_size_max; 0: the kernel chooses. With GPUOA_ATTR_AUX: required size of the AUX
 *	area; 0: any
 * @counter: enum gpuoa_counter of a counting event; 0: a sampling event
 * @poll_us: maximum polling interval, us, at least GPUOA_POLL_US_MIN. A shared unit uses the
 *	minimum of all enabled events. 0: the kernel chooses, at most 5 ms in RAW mode unless the
 *	period is longer. Each poll costs CPU time
 * @dword_mask: mask of the dwords to forward: dword n is bit n % 64 of element n / 64. All 0:
 *	forward complete reports. See struct gpuoa_record_dword_mask
 */
struct gpuoa_attr {
	__u32 size;
	__u32 format;
	__u64 flags;
	__u32 metric_set;
	__u32 exponent;
	__u32 n_mux;
	__u32 n_boolean;
	__u32 n_flex;
	__s32 drm_fd;
	__u64 mux;
	__u64 boolean;
	__u64 flex;
	__u32 context;
	__u32 buffer_size;
	__u32 counter;
	__u32 poll_us;
	__u64 dword_mask[GPUOA_ATTR_MASK_WORDS];
};

#define GPUOA_ATTR_SIZE_VER0 104
#define GPUOA_POLL_US_MIN 100
#define GPUOA_MAX_REGISTERS 4096

/**
 * DOC: perf_event_open errors
 *
 * gpuoa returns these errors in addition to those of the perf core. Without CAP_PERFMON, an event
 * can be opened only if the sysctl dev.gpuoa.paranoid is 0 (default: 1) and
 * kernel.perf_event_paranoid is at most 0. gpuoa checks its sysctl before it accesses the GPU; the
 * perf core checks its own after the event was created.
 *
 * ============ ====================================================================================
 * errno        meaning
 * ============ ====================================================================================
 * E2BIG        gpuoa_attr is longer than the kernel supports and not zero there; a register list is
 *              longer than GPUOA_MAX_REGISTERS
 * EACCES       no CAP_PERFMON, and: the two sysctls do not allow events; or an inline
 *              configuration, a context by hardware id, an OABUFFER above 16 MiB, or a rate above
 *              the sysctl dev.gpuoa.max_sample_rate
 * EBADF        gpuoa_attr.drm_fd is not an open file
 * EAGAIN       the GPU is suspended; or the process that loaded gpuoa_i915.ko or gpuoa_xe.ko still
 *              runs
 * EBUSY        the unit is in use with a different configuration, format, period, context, buffer
 *              size, GPUOA_ATTR_BATCH_BOUNDARY_REPORTS flag or dword mask; or one of the users is
 *              in AUX mode; or the GPU's own driver uses the unit (i915-perf)
 * EFAULT       gpuoa_attr or a register list cannot be read, or is in a page that is not mapped:
 *              perf_event_open() does not wait for the page, GPUOA_IOC_ADD_ATTR does
 * EINTR        fatal signal while the OABUFFER was allocated
 * EINVAL       a task event (pid != -1) or no CPU; the group leader is an event of another PMU that
 *              is not pinned; an exclude_* flag, exclusive or bp_type is set; sample_type lacks
 *              PERF_SAMPLE_RAW; no sampling period; reserved bits, unknown flags, or fields without
 *              their flag; two forms at once; an unknown format; a register that is not on the
 *              whitelist; neither or both of a registered and an inline configuration; an empty
 *              register list with a pointer; a buffer size that is not a power of two; gpuoa_attr
 *              ends before exponent; dwords beyond the end of the report; a counter together with a
 *              sampling period or a dword mask; PERF_EVENT_IOC_PERIOD
 * ENODATA      the format does not have this counter
 * ENODEV       the unit was removed
 * ENOENT       no configuration with this id; no such context; no registered attributes with this
 *              id, or they belong to another user and the caller has no CAP_PERFMON
 * ENOMEM       out of memory
 * ENOSPC       no room for the OABUFFER in the GPU's address space
 * EOPNOTSUPP   the unit does not support it: flexible EU registers on Haswell and media units; a
 *              context on media units, or one that the GPU's driver cannot identify in reports; AUX
 *              mode with GPUOA_FEATURE_ZERO_COPY for one context where the kernel filters (gen8 and
 *              later); GPUOA_ATTR_BATCH_BOUNDARY_REPORTS where the GPU's driver does not implement
 *              it; GPUOA_ATTR_QUERY_ONLY before gen12. Or no unit supports it:
 *              precise_ip; samples with callchains, registers, stacks, branches, AUX data, data or
 *              code addresses, page sizes, weights, data sources, transactions or cgroups
 * ERANGE       exponent, period, rate or buffer size is out of the hardware's range; poll_us is
 *              below GPUOA_POLL_US_MIN; a counter could wrap in the period
 * EUSERS       64 events and streams already sample the unit
 * EXDEV        gpuoa_attr.drm_fd belongs to another device
 * ============ ====================================================================================
 */

/**
 * DOC: Reports of batches
 *
 * With GPUOA_ATTR_CONTEXT | GPUOA_ATTR_BATCH_BOUNDARY_REPORTS, the GPU also writes a report when a
 * batch of the context begins and when it ends. The difference of the two reports is the work of
 * the batch. They are identified as follows:
 *
 * - Haswell: the timestamp is not one at which the timer fires;
 * - gen8 to gen12.0: the reason has report trigger 1 at the beginning, report trigger 2 at the end;
 * - gen12.5 and later: the reason has the MMIO trigger, and the context id is
 *   GPUOA_MARKER_BATCH_BEGIN or GPUOA_MARKER_BATCH_END.
 */
#define GPUOA_MARKER_BATCH_BEGIN 0xb0000001
#define GPUOA_MARKER_BATCH_END 0xb0000002

/**
 * DOC: No reports
 *
 * With GPUOA_ATTR_CONTEXT | GPUOA_ATTR_QUERY_ONLY, on gen12 and later, the unit is programmed and
 * the counters of the context (OAR) are enabled, but the global unit (OAG) stays disabled and
 * writes nothing. MI_REPORT_PERF_COUNT in batches of the context is the only source of data. The
 * records are GPUOA_RECORD_STREAM, _CLOCK, _ENABLED, _DEVICE_REMOVED, and _REPORTS_LOST after the
 * GPU was reset or suspended, while the counters were disabled. There is no period:
 * GPUOA_ATTR_EXPONENT is EINVAL, as are GPUOA_ATTR_BATCH_BOUNDARY_REPORTS, GPUOA_ATTR_AUX,
 * GPUOA_ATTR_CONTEXT_HW_ID, a counter, a buffer size and a dword mask. EOPNOTSUPP before gen12 and
 * on media units.
 */

/**
 * DOC: AUX mode
 *
 * With GPUOA_ATTR_AUX, the AUX area of the event's ring buffer is the OABUFFER: the GPU writes to
 * the memory that the reader has mapped. Open the event disabled, map the ring, map the AUX area,
 * then enable the event. An event that is enabled without an area enters the error state (read()
 * returns 0).
 *
 * Without GPUOA_FEATURE_ZERO_COPY, the OABUFFER belongs to the GPU's driver, and the kernel copies
 * each report into the area once, without a record per sample. The rules for all AUX areas, below,
 * apply except:
 *
 * - &gpuoa_attr.buffer_size is the size of the OABUFFER. The area may have another size, up to
 *   the maximum of the hardware, which &gpuoa_unit_info.buffer_size_max may be below.
 * - If the area is full, reports stay in the OABUFFER. If that overflows, or the event is disabled,
 *   they are lost.
 * - An event for one context can be opened if the unit has GPUOA_FEATURE_CONTEXT.
 * - Each poll publishes reports, also before the watermark is reached.
 *
 * All AUX areas, with the exceptions above:
 *
 * - The size of the area is a power of two from &gpuoa_unit_info.buffer_size_min to
 *   buffer_size_max. Otherwise mmap() fails: EINVAL if it is not a power of two, else ENOMEM, since
 *   the perf core returns that for every error of a PMU. ENOMEM also means that the area does not
 *   fit into the GPU's address space, or that the event has no GPUOA_ATTR_AUX.
 * - PERF_RECORD_AUX describes a range of consecutive reports, as the hardware wrote them. Bits 15:8
 *   of its flags, PERF_AUX_FLAG_PMU_FORMAT_TYPE_MASK, hold enum gpuoa_format. If the report size
 *   does not divide the size of the area: with GPUOA_FEATURE_SPLIT_REPORTS, a report that crosses
 *   the end of the area continues at its start, as may the range, and reports start at multiples of
 *   their size in the running byte count; otherwise, the last bytes of the area are unused.
 * - The reader sets perf_event_mmap_page.aux_tail to aux_offset + aux_size of the consumed range.
 *   The unit pauses when the area is full. It resumes when the reader has consumed everything, or
 *   when aux_tail has not moved for one second and at least a quarter of the area is free. The
 *   event stays enabled in the meantime; enabling it again, as other PMUs require, is harmless.
 * - perf_event_attr.aux_watermark is the size of N >= 1 reports after which the reader is woken; 0:
 *   half of the area. The polling timer expires when these reports are due, at most every 0.5 ms,
 *   so several short periods are published together. Reports that the OA timer did not trigger may
 *   be published up to one second late.
 * - A report is published when the header of its successor is in memory, because nothing else shows
 *   that it is complete. When the event is disabled, the kernel waits up to 200 us for the last
 *   one.
 * - Haswell occasionally writes invalid reports, with an id of 0. The reader must skip them, as
 *   libgpuoa does; in RAW mode the kernel does. An invalid report can take the place of a timer
 *   report, which the timestamps around it show.
 * - RAW samples in the ring contain everything else: GPUOA_RECORD_STREAM, _CLOCK, _ENABLED,
 *   _BUFFER_OVERFLOW, _REPORTS_LOST and _MARKER, in order with PERF_RECORD_AUX, but never
 *   GPUOA_RECORD_REPORTS.
 * - PERF_AUX_FLAG_TRUNCATED in a PERF_RECORD_AUX means that reports are missing after it. Its
 *   aux_size may be 0. The number is in a struct gpuoa_record_lost before the next PERF_RECORD_AUX
 *   with reports, and in statistics/ in sysfs. Slots that were skipped because they were still
 *   empty are between the end of one PERF_RECORD_AUX and the aux_offset of the next. If hundreds of
 *   reports arrive between two polls, not every slot is checked: a slot that was not written may
 *   hold a report of the previous lap, which is older than its predecessor.
 * - read() of the event returns the number of reports.
 *
 * An area that is mapped read-only is a flight recorder. The hardware overwrites the oldest
 * reports; nothing is published, and no reader is woken, while it runs. When the event is disabled,
 * a PERF_RECORD_AUX with PERF_AUX_FLAG_OVERWRITE describes the window of the newest reports. As
 * with other PMUs, its aux_offset, equal to perf_event_mmap_page.aux_head, is the *end* of the
 * window; it is a running byte count, to be taken modulo the size of the area. The reports of the
 * window are complete and in order. If enough were written, they fill the area except for one
 * report. A slot that the hardware skipped has an id and a timestamp of 0. The window may begin
 * before the event was last enabled, which the timestamps show. TRUNCATED: reports were lost since
 * then. The record needs space in the ring: drain the ring from time to time.
 *
 * An event in AUX mode uses the unit exclusively.
 */

/**
 * DOC: Removal of a unit
 *
 * A GPU may be removed at any time. Enabled events receive the reports written before, and
 * GPUOA_RECORD_DEVICE_REMOVED as their last record. From then on, poll(2) of every open event
 * returns POLLHUP, SIGIO (if enabled) has POLL_HUP, read(2) returns the final count, and the ring
 * buffer can still be read. Enabling an event has no effect. New events and all ioctls fail with
 * ENODEV. The number in the unit's name can be reused once the last event and file of the unit are
 * closed.
 */

/**
 * DOC: RAW samples
 *
 * The payload of PERF_SAMPLE_RAW is: u32 size (perf's), struct gpuoa_raw, then consecutive records,
 * each a struct gpuoa_record header and its body. All are 8-byte aligned in perf's ring. The
 * maximum size of a sample is 32 KiB.
 *
 * Samples are written when the kernel polls for reports (&gpuoa_attr.poll_us). read(2) of an
 * enabled event polls at once, also with an AUX area, and returns the number of reports.
 */
#define GPUOA_RAW_MAGIC 0x31414f47 /* "GOA1", little endian */

/**
 * struct gpuoa_raw - header of every RAW payload
 * @reserved: 0
 * @magic: GPUOA_RAW_MAGIC
 */
struct gpuoa_raw {
	__u8 reserved[8];
	__u32 magic;
};

/**
 * enum gpuoa_record_type - types of records
 *
 * Readers must skip unknown types, except those with the bit GPUOA_RECORD_MUST_KNOW.
 *
 * @GPUOA_RECORD_STREAM: struct gpuoa_record_stream, in the first sample, whenever an event is
 *	enabled, and about once per second
 * @GPUOA_RECORD_CLOCK: struct gpuoa_record_clock, after each GPUOA_RECORD_STREAM
 * @GPUOA_RECORD_REPORTS: struct gpuoa_record_reports, followed by the reports
 * @GPUOA_RECORD_BUFFER_OVERFLOW: struct gpuoa_record_lost: the OABUFFER was full, and the unit was
 *	restarted
 * @GPUOA_RECORD_REPORTS_LOST: struct gpuoa_record_lost: the hardware dropped reports or never wrote
 *	reports that it had announced; or the GPU was reset or suspended; or perf stopped the unit
 *	for a moment to schedule another event
 * @GPUOA_RECORD_ENABLED: struct gpuoa_record_enabled: an event of the stream was enabled
 * @GPUOA_RECORD_DEVICE_REMOVED: struct gpuoa_record without a body, the last record: the unit was
 *	removed
 * @GPUOA_RECORD_DWORD_MASK: struct gpuoa_record_dword_mask, directly after each GPUOA_RECORD_STREAM
 *	of a stream with a dword mask, in the same sample
 * @GPUOA_RECORD_STATUS: struct gpuoa_record_status: hardware status other than a gap
 * @GPUOA_RECORD_MARKER: struct gpuoa_record_marker: a program called GPUOA_IOC_INSERT_MARKER
 */
enum gpuoa_record_type {
	GPUOA_RECORD_STREAM = 1,
	GPUOA_RECORD_CLOCK = 2,
	GPUOA_RECORD_REPORTS = 3,
	GPUOA_RECORD_BUFFER_OVERFLOW = 4,
	GPUOA_RECORD_REPORTS_LOST = 5,
	GPUOA_RECORD_ENABLED = 6,
	GPUOA_RECORD_DEVICE_REMOVED = 7,
	GPUOA_RECORD_DWORD_MASK = 8,
	GPUOA_RECORD_MARKER = 9,
	GPUOA_RECORD_STATUS = 10,
};

/*
 * The kernel does not use types from GPUOA_RECORD_PROGRAM on, so programs that write recordings
 * may. A type with GPUOA_RECORD_MUST_KNOW changes the meaning of other records: a reader that does
 * not know it must stop.
 */
#define GPUOA_RECORD_PROGRAM 0x10000
#define GPUOA_RECORD_MUST_KNOW 0x80000000

/**
 * struct gpuoa_record - header of a record
 * @type: enum gpuoa_record_type
 * @size: size of the record including this header, bytes; a multiple of 8
 */
struct gpuoa_record {
	__u32 type;
	__u32 size;
};

/**
 * struct gpuoa_record_reports - header of consecutive reports, which follow this struct
 * @record: GPUOA_RECORD_REPORTS
 * @first: sequence number of the first report; all forwarded reports are numbered from 0 since the
 *	unit was opened. A gap between two records was lost in perf's ring buffer, unless there is
 *	a struct gpuoa_record_enabled between them
 * @report_size: size of a report, bytes
 * @count: number of reports
 */
struct gpuoa_record_reports {
	struct gpuoa_record record;
	__u64 first;
	__u32 report_size;
	__u32 count;
};

#define GPUOA_LOST_UNKNOWN (~0ULL)

/**
 * struct gpuoa_record_lost - reports are missing at this point of the stream
 * @record: GPUOA_RECORD_BUFFER_OVERFLOW or GPUOA_RECORD_REPORTS_LOST
 * @count: number of missing reports, computed from the timestamps around the gap;
 *	GPUOA_LOST_UNKNOWN with a context filter, or if no report followed the gap
 */
struct gpuoa_record_lost {
	struct gpuoa_record record;
	__u64 count;
};

/* gpuoa_record_status.flags */
#define GPUOA_STATUS_COUNTERS_WRAPPED (1U << 0)
#define GPUOA_STATUS_TRIGGERS_LOST (1U << 1)

/**
 * struct gpuoa_record_status - hardware status between two polls that is not a gap
 * @record: GPUOA_RECORD_STATUS
 * @flags: GPUOA_STATUS_COUNTERS_WRAPPED: a counter has wrapped, so differences must be taken modulo
 *	2^bits (gen8 and later). GPUOA_STATUS_TRIGGERS_LOST: the queue of MMIO triggers was full,
 *	so reports of batches or markers are missing, but no timer reports (gen12.5 and later)
 * @reserved: 0
 */
struct gpuoa_record_status {
	struct gpuoa_record record;
	__u32 flags;
	__u32 reserved;
};

/**
 * struct gpuoa_record_enabled - an event of the stream was enabled
 *
 * The reports before and after this record are not consecutive if @stopped is set, or if their
 * sequence numbers (&gpuoa_record_reports.first) have a gap: in the latter case, other events kept
 * the unit enabled while this event was disabled. The reports in between were not lost.
 *
 * @record: GPUOA_RECORD_ENABLED
 * @stopped: 1 if the unit was disabled before, else 0
 * @reserved: 0
 */
struct gpuoa_record_enabled {
	struct gpuoa_record record;
	__u32 stopped;
	__u32 reserved;
};

/*
 * CPU times are those of the initial time namespace. To compare them with clock_gettime(2) in
 * another namespace, add its offsets of CLOCK_MONOTONIC and CLOCK_BOOTTIME
 * (/proc/self/timens_offsets).
 *
 * GPUOA_CLOCK_PERF is the clock of perf's samples unless perf_event_attr.use_clockid is set. No
 * clock of clock_gettime(2) has this number.
 */
#define GPUOA_CLOCK_PERF 0x100

/**
 * struct gpuoa_clock - GPU and CPU time of one moment
 * @gpu_ticks: OA timestamp clock, ticks, extended to 64 bits beyond the timestamp of reports
 * @cpu_ns: CPU time, ns
 * @clock_id: CLOCK_MONOTONIC, CLOCK_MONOTONIC_RAW, CLOCK_BOOTTIME, CLOCK_REALTIME, CLOCK_TAI or
 *	GPUOA_CLOCK_PERF
 * @error_ns: maximum error of @cpu_ns, ns
 */
struct gpuoa_clock {
	__u64 gpu_ticks;
	__u64 cpu_ns;
	__s32 clock_id;
	__u32 error_ns;
};

/**
 * struct gpuoa_record_clock - GPU and CPU time of one moment
 *
 * Each &gpuoa_record_stream is followed by two: one with CLOCK_MONOTONIC, one with
 * GPUOA_CLOCK_PERF. Readers must skip unknown clocks.
 *
 * @record: GPUOA_RECORD_CLOCK
 * @clock: GPU and CPU time
 */
struct gpuoa_record_clock {
	struct gpuoa_record record;
	struct gpuoa_clock clock;
};

/**
 * struct gpuoa_marker - marker of a program: argument of GPUOA_IOC_INSERT_MARKER, and in the stream
 * @value: in: value chosen by the program
 * @gpu_ticks: out: GPU time of the call, as in struct gpuoa_clock
 * @cpu_ns: out: CPU time of the call, CLOCK_MONOTONIC, ns
 * @error_ns: out: maximum error of @cpu_ns, ns
 * @reserved: must be 0, else EINVAL
 */
struct gpuoa_marker {
	__u64 value;
	__u64 gpu_ticks;
	__u64 cpu_ns;
	__u32 error_ns;
	__u32 reserved;
};

/**
 * struct gpuoa_record_marker - marker of a program
 *
 * The record is written at once, while earlier reports may still be on their way to memory: a
 * report older than &gpuoa_marker.gpu_ticks can follow it, but a newer one never precedes it.
 * Markers are in order of time.
 *
 * @record: GPUOA_RECORD_MARKER
 * @marker: the marker
 */
struct gpuoa_record_marker {
	struct gpuoa_record record;
	struct gpuoa_marker marker;
};

/**
 * enum gpuoa_unit_type - OA units of a GPU, named as in the metric definitions
 * @GPUOA_UNIT_OA: unit of the render and compute engines; the only one before gen12.7
 * @GPUOA_UNIT_OAM0: unit of the first pair of video engines
 * @GPUOA_UNIT_OAM1: unit of the second pair of video engines (Xe2)
 * @GPUOA_UNIT_OAMG: unit of the hardware shared by all media engines (Xe2)
 */
enum gpuoa_unit_type {
	GPUOA_UNIT_OA = 0,
	GPUOA_UNIT_OAM0 = 1,
	GPUOA_UNIT_OAM1 = 2,
	GPUOA_UNIT_OAMG = 3,
};

/**
 * DOC: Features
 *
 * Bits of &gpuoa_unit_info.features: features that not all units and kernels have. The ABI has no
 * version number: structs grow at their end, and a new feature that does not extend a struct gets a
 * bit here.
 *
 * - GPUOA_FEATURE_CONTEXT: GPUOA_ATTR_CONTEXT: measuring one context
 * - GPUOA_FEATURE_BATCH_BOUNDARY_REPORTS: GPUOA_ATTR_BATCH_BOUNDARY_REPORTS: reports at batch
 *   boundaries
 * - GPUOA_FEATURE_FLEX: &gpuoa_config.flex: flexible EU counters
 * - GPUOA_FEATURE_HALF_FULL: the GPU's driver can forward the interrupt of a half-full buffer
 * - GPUOA_FEATURE_OWN_REPORTS: GPUOA_IOC_OPEN_STREAM returns reports of the user's contexts without
 *   CAP_PERFMON
 * - GPUOA_FEATURE_QUERY_ONLY: GPUOA_ATTR_QUERY_ONLY: each context has its own counters
 * - GPUOA_FEATURE_FREQUENCY: GPUOA_IOC_PIN_FREQ
 * - GPUOA_FEATURE_MARKERS: a batch can trigger a report by writing to GPUOA_TRIGGER_REGISTER. The
 *   reason of the report has the MMIO trigger, and the written value replaces the context id.
 *   gen12.5 and later
 * - GPUOA_FEATURE_CONTEXT_NAMES: GPUOA_IOC_GET_CONTEXT_OWNER: owners of contexts
 * - GPUOA_FEATURE_AUX: GPUOA_ATTR_AUX
 * - GPUOA_FEATURE_SPLIT_REPORTS: in AUX mode, a report that crosses the end of the area continues
 *   at its start. Media units from gen12.7 on
 * - GPUOA_FEATURE_ZERO_COPY: in AUX mode, the GPU writes to the AUX area. Not available if the
 *   OABUFFER belongs to the stock driver of the GPU
 */
#define GPUOA_FEATURE_CONTEXT (1ULL << 0)
#define GPUOA_FEATURE_BATCH_BOUNDARY_REPORTS (1ULL << 1)
#define GPUOA_FEATURE_FLEX (1ULL << 2)
#define GPUOA_FEATURE_HALF_FULL (1ULL << 3)
#define GPUOA_FEATURE_OWN_REPORTS (1ULL << 4)
#define GPUOA_FEATURE_QUERY_ONLY (1ULL << 5)
#define GPUOA_FEATURE_FREQUENCY (1ULL << 6)
#define GPUOA_FEATURE_MARKERS (1ULL << 7)
#define GPUOA_FEATURE_CONTEXT_NAMES (1ULL << 8)
#define GPUOA_FEATURE_AUX (1ULL << 9)
#define GPUOA_FEATURE_SPLIT_REPORTS (1ULL << 10)
#define GPUOA_FEATURE_ZERO_COPY (1ULL << 11)

#define GPUOA_TRIGGER_REGISTER 0xdb1c /* OAG_MMIOTRIGGER */

/**
 * enum gpuoa_engine_class - engine classes, with the values of i915 and xe
 * @GPUOA_ENGINE_CLASS_RENDER: render
 * @GPUOA_ENGINE_CLASS_COPY: blitter
 * @GPUOA_ENGINE_CLASS_VIDEO: video codec
 * @GPUOA_ENGINE_CLASS_VIDEO_ENHANCE: video post-processing
 * @GPUOA_ENGINE_CLASS_COMPUTE: compute only
 */
enum gpuoa_engine_class {
	GPUOA_ENGINE_CLASS_RENDER = 0,
	GPUOA_ENGINE_CLASS_COPY = 1,
	GPUOA_ENGINE_CLASS_VIDEO = 2,
	GPUOA_ENGINE_CLASS_VIDEO_ENHANCE = 3,
	GPUOA_ENGINE_CLASS_COMPUTE = 4,
};

/**
 * struct gpuoa_engine_id - engine of a GT
 * @engine_class: enum gpuoa_engine_class
 * @instance: number within the class; the numbers of a GPU may have gaps
 */
struct gpuoa_engine_id {
	__u16 engine_class;
	__u16 instance;
};

#define GPUOA_MAX_ENGINES 16
#define GPUOA_MASK_WORDS 2 /* xe has masks of up to 96 subslices */
#define GPUOA_UUID_SIZE 40 /* 36 characters, NUL and padding */
#define GPUOA_PARENT_SIZE 64

/**
 * struct gpuoa_unit_info - properties of a unit: GPUOA_IOC_UNIT_INFO, and in the stream
 *
 * Metric equations use the topology fields as constants.
 *
 * @platform: platform name of the metric definitions ("hsw"), NUL-terminated
 * @pmu: name of the PMU ("gpuoa0"), NUL-terminated
 * @timestamp_frequency: frequency of the OA timestamp, Hz
 * @gt_min_frequency: minimum GPU frequency, Hz
 * @gt_max_frequency: maximum GPU frequency, Hz
 * @slice_mask: mask of enabled slices
 * @subslice_mask: mask of enabled subslices (dual subslices, Xe cores); the mask of slice n starts
 *	at bit n * @subslice_stride. Bit n is bit n % 64 of element n / 64, also in @formats
 * @formats: mask of the supported formats, bit n for the value n of enum gpuoa_format
 * @device_id: PCI device id
 * @revision: PCI revision
 * @n_slices: number of slices
 * @n_subslices: number of subslices in all slices
 * @n_eus: number of execution units in all subslices
 * @threads_per_eu: number of hardware threads per execution unit
 * @default_format: value of enum gpuoa_format that GPUOA_FORMAT_DEFAULT selects
 * @exponent_max: largest timer exponent; the smallest is 0
 * @buffer_size_min: minimum size of the OABUFFER, bytes
 * @buffer_size_max: maximum size of the OABUFFER, bytes
 * @timestamp_bits: number of valid bits of a report's timestamp
 * @pmu_type: perf_event_attr.type of the PMU
 * @l3_bank_mask: mask of enabled L3 banks; 0 before Xe2, where no equation needs it
 * @subslice_stride: number of bits per slice in @subslice_mask; 0: the platform's default
 * @n_compute_engines: number of compute command streamers; 0 before gen12.5
 * @unit_type: enum gpuoa_unit_type
 * @reserved: 0
 * @parent: name of the GPU's device ("0000:00:02.0"), NUL-terminated, truncated if necessary; the
 *	same for all units of a GPU
 * @cs_timestamp_frequency: frequency of the timestamp that commands write (PIPE_CONTROL,
 *	RING_TIMESTAMP), Hz; 0: unknown
 * @cs_timestamp_bits: number of valid bits of that timestamp; 0: unknown
 * @reserved2: 0
 * @features: GPUOA_FEATURE_*
 * @tile: tile of the GPU that the unit belongs to
 * @gt: GT that the unit belongs to, counted over all tiles as i915 and xe do
 * @n_engines: number of @engines
 * @engines: engines of GT @gt that the unit measures; none if it measures hardware that engines
 *	share, or if the engines are unknown
 */
struct gpuoa_unit_info {
	char platform[16];
	char pmu[16];
	__u64 timestamp_frequency;
	__u64 gt_min_frequency;
	__u64 gt_max_frequency;
	__u64 slice_mask;
	__u64 subslice_mask[GPUOA_MASK_WORDS];
	__u64 formats[GPUOA_MASK_WORDS];
	__u32 device_id;
	__u32 revision;
	__u32 n_slices;
	__u32 n_subslices;
	__u32 n_eus;
	__u32 threads_per_eu;
	__u32 default_format;
	__u32 exponent_max;
	__u32 buffer_size_min;
	__u32 buffer_size_max;
	__u32 timestamp_bits;
	__u32 pmu_type;
	__u64 l3_bank_mask;
	__u32 subslice_stride;
	__u32 n_compute_engines;
	__u32 unit_type;
	__u32 reserved;
	char parent[GPUOA_PARENT_SIZE];
	__u64 cs_timestamp_frequency;
	__u32 cs_timestamp_bits;
	__u32 reserved2;
	__u64 features;
	__u16 tile;
	__u16 gt;
	__u32 n_engines;
	struct gpuoa_engine_id engines[GPUOA_MAX_ENGINES];
};

/**
 * struct gpuoa_record_stream - description of the stream
 *
 * Only @info grows. A new property of a stream gets another record type, which directly
 * follows this record, like struct gpuoa_record_dword_mask.
 *
 * @record: GPUOA_RECORD_STREAM
 * @uuid: UUID of the metric configuration, NUL-terminated; empty for an inline configuration
 * @format: enum gpuoa_format of the reports, never GPUOA_FORMAT_DEFAULT
 * @exponent: timer exponent
 * @report_size: size of a forwarded report, bytes
 * @flags: GPUOA_ATTR_CONTEXT, GPUOA_ATTR_BATCH_BOUNDARY_REPORTS, GPUOA_ATTR_AUX and
 *	GPUOA_ATTR_QUERY_ONLY, if the stream was opened with them
 * @info: properties of the unit
 */
struct gpuoa_record_stream {
	struct gpuoa_record record;
	char uuid[GPUOA_UUID_SIZE];
	__u32 format;
	__u32 exponent;
	__u32 report_size;
	__u32 flags;
	struct gpuoa_unit_info info;
};

/**
 * struct gpuoa_record_dword_mask - mask of the dwords that are forwarded
 *
 * Reports contain only the dwords in @dword_mask, in order, &gpuoa_record_stream.report_size bytes
 * in total. The header is always included: report id and timestamp and, in formats later than
 * Haswell's, context id and clock. The kernel adds a dword if their number would be odd, so that
 * reports stay 8-byte aligned.
 *
 * @record: GPUOA_RECORD_DWORD_MASK
 * @dword_mask: mask: dword n is bit n % 64 of element n / 64
 */
struct gpuoa_record_dword_mask {
	struct gpuoa_record record;
	__u64 dword_mask[GPUOA_ATTR_MASK_WORDS];
};

/**
 * DOC: ioctls of /dev/gpuoa<N>
 *
 * Structs grow at their end. The kernel zero-extends the shorter struct of an older program,
 * rejects unknown nonzero fields of a newer program with E2BIG, and truncates its result to the
 * program's struct. Errors of all ioctls: ENOTTY: unknown number or direction; EINVAL: the
 * struct is shorter than its first version; EFAULT: a pointer cannot be read or written; ENODEV:
 * the GPU was removed.
 */

/**
 * struct gpuoa_config - GPUOA_IOC_ADD_CONFIG: Register a metric configuration.
 *
 * EACCES: no CAP_PERFMON. EINVAL: the UUID is not 8-4-4-4-12 hexadecimal digits, a register is not
 * on the whitelist, an empty list has a pointer, or all lists are empty. E2BIG: a list is longer
 * than GPUOA_MAX_REGISTERS. EOPNOTSUPP: flexible EU registers on hardware without them. EEXIST: the
 * same registers are registered under this UUID; @id is valid. EADDRINUSE: other registers are
 * registered under this UUID. ENOSPC: the unit has 4096 configurations.
 *
 * @uuid: in: identifies the configuration in all kernels and tools, 36 characters and NUL
 * @n_mux: in: number of registers at @mux
 * @n_boolean: in: number of registers at @boolean
 * @n_flex: in: number of registers at @flex
 * @id: out: metric_set of events with this configuration
 * @mux: in: user pointer to struct gpuoa_register
 * @boolean: in: user pointer to struct gpuoa_register
 * @flex: in: user pointer to struct gpuoa_register
 * @rejected: out: with EINVAL, address of the first register that is not on the whitelist, or 0
 * @reserved: must be 0, else EINVAL
 */
struct gpuoa_config {
	char uuid[GPUOA_UUID_SIZE];
	__u32 n_mux;
	__u32 n_boolean;
	__u32 n_flex;
	__u32 id;
	__u64 mux;
	__u64 boolean;
	__u64 flex;
	__u32 rejected;
	__u32 reserved;
};

/**
 * struct gpuoa_attr_handle - GPUOA_IOC_ADD_ATTR: Register the attributes of events under an id.
 *
 * perf_event_open() with GPUOA_CONFIG_ATTR_ID_MASK in perf_event_attr.config and the id in
 * perf_event_attr.config1 then opens an event with these attributes, any number of times. It
 * accesses no user memory: struct gpuoa_attr and its register lists are copied by the ioctl, drm_fd
 * is resolved by the ioctl, and the entry keeps the DRM file open. The metric configuration is the
 * one that was registered under metric_set at the time of the ioctl.
 *
 * The id is valid until GPUOA_IOC_REMOVE_ATTR, or until the open file of /dev/gpuoa<N> that
 * registered it is closed. Events that were opened with it are not affected. The
 * registering user and users with CAP_PERFMON can use it.
 *
 * Errors are those of perf_event_open for these attributes, permissions included, except for those
 * of the sampling period and of a unit in use, and: EINVAL if @reserved is not 0; EPERM: the memory
 * exceeds RLIMIT_MEMLOCK and the sysctl dev.gpuoa.mlock_kb, without CAP_IPC_LOCK; EUSERS: a user
 * without CAP_PERFMON has 64 ids of the unit; ENOSPC: the unit has 4096 ids. perf_event_open()
 * checks the permissions of its caller again.
 *
 * @attr: in: user pointer to struct gpuoa_attr
 * @id: out: the id, never 0
 * @reserved: must be 0
 */
struct gpuoa_attr_handle {
	__u64 attr;
	__u32 id;
	__u32 reserved;
};

#define GPUOA_COMM_SIZE 16

/**
 * struct gpuoa_user - GPUOA_IOC_GET_USER: Describe the current user of the unit.
 *
 * Zeroed if the unit is idle. An event with the same parameters can share the unit, unless it is in
 * AUX mode.
 *
 * @uuid: UUID of the configuration, NUL-terminated; empty for an inline configuration
 * @format: enum gpuoa_format, never GPUOA_FORMAT_DEFAULT
 * @exponent: timer exponent
 * @flags: GPUOA_ATTR_CONTEXT, GPUOA_ATTR_BATCH_BOUNDARY_REPORTS and GPUOA_ATTR_AUX, as the events
 *	were opened
 * @buffer_size: size of the OABUFFER, bytes; 0: an AUX area that is not mapped yet
 * @n_events: number of events that use the unit
 * @pid: process that opened the first event; 0: not visible to the caller
 * @comm: name of that process at that time, NUL-terminated; empty if @pid is 0
 */
struct gpuoa_user {
	char uuid[GPUOA_UUID_SIZE];
	__u32 format;
	__u32 exponent;
	__u32 flags;
	__u32 buffer_size;
	__u32 n_events;
	__u32 pid;
	char comm[GPUOA_COMM_SIZE];
};

#define GPUOA_IOC_UNIT_INFO _IOR('O', 0x40, struct gpuoa_unit_info)
#define GPUOA_IOC_ADD_CONFIG _IOWR('O', 0x41, struct gpuoa_config)

/*
 * Argument: the id. ENOENT: no configuration with this id. EPERM: it is built in. EACCES: no
 * CAP_PERFMON. Events that use the configuration keep it.
 */
#define GPUOA_IOC_REMOVE_CONFIG _IOW('O', 0x42, __u32)

/*
 * struct gpuoa_clock: in: clock_id; out: all fields. EINVAL: unknown clock_id. EAGAIN: the GPU is
 * suspended. The call wakes the GPU if it is runtime-suspended. While the unit is idle, calls of
 * users that may not open an event wait so that they wake the GPU at most every 10 ms.
 */
#define GPUOA_IOC_GET_CLOCK _IOWR('O', 0x44, struct gpuoa_clock)

#define GPUOA_IOC_ADD_ATTR _IOWR('O', 0x46, struct gpuoa_attr_handle)

/* Argument: the id. ENOENT: this open file has not registered it. */
#define GPUOA_IOC_REMOVE_ATTR _IOW('O', 0x47, __u32)

/**
 * DOC: A stream for one context
 *
 * GPUOA_IOC_OPEN_STREAM takes a struct gpuoa_attr and returns a file descriptor (close-on-exec)
 * that behaves like a sampling event in RAW mode, with a queue instead of perf's ring.
 * It requires GPUOA_ATTR_CONTEXT with a handle and GPUOA_ATTR_EXPONENT or GPUOA_ATTR_QUERY_ONLY; it
 * rejects GPUOA_ATTR_AUX and a counter.
 *
 * Users with CAP_PERFMON can always open a stream, and all users if the sysctl dev.gpuoa.paranoid
 * is 0; kernel.perf_event_paranoid is not used. If the sysctl is 1, other users can open a stream
 * where neither reports nor MI_REPORT_PERF_COUNT in a batch reveal other contexts:
 *
 * - Haswell, because the hardware counts for this context only;
 * - gen12 and later with GPUOA_ATTR_QUERY_ONLY, because each context has its own counters.
 *
 * Otherwise EACCES: from gen8 on, while the global unit is enabled, a batch of any context can read
 * its counters, although the kernel removes other contexts from the reports. i915 and xe have the
 * same rule. Media units do not distinguish contexts: EOPNOTSUPP for all users.
 *
 * The stream is opened disabled. Streams and perf events of a unit share it under the same rules as
 * two events: configuration, format, exponent, context and dword mask must be equal, else EBUSY. A
 * stream opened with GPUOA_ATTR_QUERY_ONLY can share the unit only with other such streams.
 *
 * - read(2) returns as many complete samples as fit into the buffer. Each has the layout of
 *   PERF_SAMPLE_RAW: u32 size, struct gpuoa_raw, records; a multiple of 8 bytes. read(2) blocks
 *   until there is a sample, also while the stream is disabled; with O_NONBLOCK it fails with
 *   EAGAIN. EINVAL: the buffer is smaller than GPUOA_STREAM_READ_MIN. EINTR: a signal arrived.
 *   EFAULT: the buffer is not writable; a sample is lost. 0: the unit was removed and the queue is
 *   empty.
 * - poll(2) returns POLLIN when there is a sample, POLLHUP when the unit was removed.
 * - GPUOA_STREAM_IOC_ENABLE and _DISABLE work like those of an event: after _DISABLE, all reports
 *   written before can be read. ENODEV: the unit was removed.
 * - GPUOA_STREAM_IOC_STATUS returns the state of the stream.
 *
 * The queue has the size of the OABUFFER, at least 128 KiB and at most 16 MiB if
 * &gpuoa_attr.buffer_size is set, else at most 512 KiB. A sample that does not fit is lost: it is
 * counted in &gpuoa_stream_status.dropped, and &gpuoa_record_reports.first has a gap.
 *
 * As a ring buffer of perf is, each stream is charged for its memory: queue, 32 KiB, and OABUFFER
 * unless that belongs to the GPU's own driver. Memory beyond the user's allowance (the sysctl
 * dev.gpuoa.mlock_kb per online CPU) counts against RLIMIT_MEMLOCK.
 *
 * Errors are those of perf_event_open, and: EINVAL: no context, AUX mode or a counter; EMFILE and
 * ENFILE as for any file; EPERM: the memory exceeds RLIMIT_MEMLOCK, and no CAP_IPC_LOCK; EUSERS: a
 * user without CAP_PERFMON has 16 streams of the unit.
 */
#define GPUOA_IOC_OPEN_STREAM _IOW('O', 0x48, struct gpuoa_attr)
#define GPUOA_STREAM_READ_MIN 32768 /* maximum size of a sample */

#define GPUOA_STREAM_ENABLED (1U << 0)
#define GPUOA_STREAM_GONE (1U << 1)

/**
 * struct gpuoa_stream_status - GPUOA_STREAM_IOC_STATUS: Return the state of a stream.
 * @flags: GPUOA_STREAM_*
 * @queued: number of bytes in the queue
 * @reports: number of reports that the stream received, including those of lost samples
 * @dropped: number of samples that were lost because the queue was full
 */
struct gpuoa_stream_status {
	__u32 flags;
	__u32 queued;
	__u64 reports;
	__u64 dropped;
};

/* /dev/gpuoa<N> uses the numbers 0x40 to 0x5f, a stream 0x60 to 0x6f. */
#define GPUOA_STREAM_IOC_ENABLE _IO('O', 0x60)
#define GPUOA_STREAM_IOC_DISABLE _IO('O', 0x61)
#define GPUOA_STREAM_IOC_STATUS _IOR('O', 0x62, struct gpuoa_stream_status)

#define GPUOA_IOC_GET_USER _IOR('O', 0x50, struct gpuoa_user)

/*
 * Argument: the id of a configuration. Switch all events of the unit to it without releasing the
 * unit. All events must belong to this process, and be sampling events. The kernel publishes the
 * reports of the old configuration, then GPUOA_RECORD_ENABLED with .stopped set, then
 * GPUOA_RECORD_STREAM with the new UUID. Takes up to 20 ms, the time to program the unit. ENOENT:
 * no configuration with this id. ENXIO: the unit is idle. EBUSY: an event of another process uses
 * the unit or has used it since it was acquired; or a counting event uses it; or, where the GPU's
 * own driver programs the unit, a program took it through that driver: the events then wait for it
 * with the old configuration. EOPNOTSUPP: a flight recorder: its window could mix configurations.
 * EAGAIN: the GPU is suspended. EIO: the unit could not be programmed and keeps the old
 * configuration.
 */
#define GPUOA_IOC_RECONFIGURE _IOW('O', 0x51, __u32)

/*
 * struct gpuoa_marker: write a GPUOA_RECORD_MARKER into the streams of all sampling events. EACCES:
 * needs CAP_PERFMON or a sysctl dev.gpuoa.paranoid of 0, as opening an event does. EINVAL: a
 * reserved field is not 0. ENODATA: no event samples. EOPNOTSUPP: a flight recorder cannot store
 * markers. EAGAIN: the GPU is suspended or does not respond.
 */
#define GPUOA_IOC_INSERT_MARKER _IOWR('O', 0x45, struct gpuoa_marker)

#define GPUOA_PIN_FREQ_SET (1 << 0) /* change the pin; without this flag, only query it */

/**
 * struct gpuoa_freq_pin_arg - GPUOA_IOC_PIN_FREQ: Pin the frequency of the unit's GPU.
 *
 * The pin affects all users of the GPU. It belongs to the open file and is released when the file
 * is closed, also after a crash.
 *
 * EPERM: pinning needs CAP_SYS_ADMIN. ERANGE: the frequency is not between gt_min_frequency and
 * gt_max_frequency of struct gpuoa_unit_info. EBUSY: another file has pinned the frequency.
 * EOPNOTSUPP: the GPU's driver cannot pin it. EINVAL: an unknown flag.
 *
 * @flags: in: GPUOA_PIN_FREQ_SET, or 0
 * @reserved: must be 0, else EINVAL
 * @hz: in: frequency, Hz; 0: release the pin. Out: frequency at which this file has pinned the GPU,
 *	the nearest that the hardware supports; 0: not pinned
 */
struct gpuoa_freq_pin_arg {
	__u32 flags;
	__u32 reserved;
	__u64 hz;
};

#define GPUOA_IOC_PIN_FREQ _IOWR('O', 0x4a, struct gpuoa_freq_pin_arg)

#define GPUOA_CONTEXT_GONE (1U << 0)

/**
 * struct gpuoa_context_owner_info - GPUOA_IOC_GET_CONTEXT_OWNER: Return the owner of a context id.
 *
 * Reports are read after they were written, so the GPU's driver also remembers some destroyed
 * contexts. If an id was reused, the existing context is returned, or else the last one with the
 * id.
 *
 * EACCES: needs CAP_PERFMON or a sysctl dev.gpuoa.paranoid of 0, as opening an event does. ENOENT:
 * no existing or remembered context with this id; contexts of the driver itself have no owner.
 * EINVAL: a field other than @id is not 0. EOPNOTSUPP: the GPU's driver does not provide owners.
 *
 * @id: in: context id of a report (gen8 and later; bits outside of the id are ignored) or GGTT
 *	address of the state page of the ring context (Haswell)
 * @flags: out: GPUOA_CONTEXT_GONE: the context was destroyed
 * @pid: out: process that created the context, which may have exited; 0: not visible to the caller
 * @handle: out: handle in the DRM file that created it; 0: none
 * @client: out: drm-client-id of that file in /proc/<pid>/fdinfo/<fd>; 0: unknown
 * @comm: out: name of the process when it created the context, NUL-terminated; empty if @pid is 0
 */
struct gpuoa_context_owner_info {
	__u32 id;
	__u32 flags;
	__u32 pid;
	__u32 handle;
	__u64 client;
	char comm[GPUOA_COMM_SIZE];
};

#define GPUOA_IOC_GET_CONTEXT_OWNER _IOWR('O', 0x49, struct gpuoa_context_owner_info)

/*
 * The built-in configuration: "TestOa" on most platforms, in which B0..B7 count at 0, 1, 1, 1/2,
 * 1/3, 1/3, 1/6 and 2/3 of the GPU clock (before Xe2). Its id is always 1. Its UUID is that of the
 * metric definitions; on Haswell it is GPUOA_TEST_OA_HSW_UUID.
 */
#define GPUOA_TEST_OA_HSW_UUID "7b3c2f64-1f0b-4a0e-9d57-3f5c1a2e8d46"
#define GPUOA_TEST_OA_ID 1

#if defined(__cplusplus)
}
#endif

#endif /* _UAPI_GPUOA_H */
