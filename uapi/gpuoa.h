/* SPDX-License-Identifier: GPL-2.0-only WITH Linux-syscall-note */
/*
 * gpuoa.h - all that the gpuoa kernel module and user space share.
 *
 * Four doors lead to an OA unit:
 *
 * 1. perf_event_open(2) on the PMU "gpuoa<N>": raw reports as PERF_SAMPLE_RAW or in the AUX area,
 *    where the GPU itself writes them. The event is described by the bits of
 *    perf_event_attr.config (GPUOA_CONFIG_*), or by a struct gpuoa_attr that was registered by
 *    GPUOA_IOC_ADD_ATTR and whose id is in perf_event_attr.config1, or by a struct gpuoa_attr that
 *    perf_event_attr.config1 points to. All three describe the same events.
 * 2. ioctl(2) on /dev/gpuoa<N>: what the unit is, its metric configurations, its clock.
 * 3. GPUOA_IOC_OPEN_STREAM on /dev/gpuoa<N>: a stream for one context, also for users whom perf
 *    refuses.
 * 4. /sys/class/gpuoa/gpuoa<N>/ for people and scripts.
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
 * The kernel forwards reports as the hardware wrote them. Which counter stands where is a matter of
 * the report format; what it counts is a matter of the metric configuration. Names are the hardware
 * documentation's.
 */

/**
 * enum gpuoa_format - report formats
 *
 * The values are those of enum drm_i915_oa_format where i915 knows the format; those from 16 on are
 * ours, and 15, with which i915 ends its list, is not used. A unit says which of them it has in
 * &gpuoa_unit_info.formats.
 *
 * @GPUOA_FORMAT_DEFAULT: the one that most metric sets of the unit need,
 *	&gpuoa_unit_info.default_format
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
 * @GPUOA_FORMAT_OAR_A32U40_A4U32_B8_C8: 256 bytes, gen12.5 and later: of MI_REPORT_PERF_COUNT in a
 *	batch; no event has it
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
 * enum gpuoa_counter - what stands in a report, by name
 *
 * Which of them a report has depends on its format. What a counter counts depends on the metric
 * configuration, but for the first two.
 *
 * @GPUOA_COUNTER_NONE: none
 * @GPUOA_COUNTER_TIMESTAMP: ticks of the OA timestamp clock, in each format
 * @GPUOA_COUNTER_CLOCK: ticks of the GPU's clock; Haswell's reports do not have it
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
 *                         ticks. 0: the period follows from sample_period (ns) or, with attr.freq,
 *                         sample_freq (Hz): the longest period that is not longer than asked.
 *                         Exponent 0 itself is reached by such a period, or by struct gpuoa_attr.
 * counter        48-59    enum gpuoa_counter: makes the event a counting one, see below. 0: it
 *                         samples
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
 * An event with a counter and no sampling period has the sum of that counter as its value, in 64
 * bits. It begins at 0 and never goes backwards, however narrow the counter is in a report. sysfs
 * lists the counters of a unit in events/ of the PMU, so that perf knows them by name:
 *
 *     perf stat -e '{gpuoa0/a0,metric_set=1/,gpuoa0/timestamp,metric_set=1/}' -I 1000
 *
 * A value is what was counted between two reports: the first that came after the event was
 * enabled, and the newest one that has landed when the event is read. That one is at most two
 * periods of the timer old; in a unit that writes more than a million reports a second, another 5
 * ms. So a counting event misses up to two periods at its end and one at its begin, and likewise
 * when the unit was restarted: when its buffer overflowed, or perf took it away for a moment. All
 * members of a group are of the same two reports: read them with PERF_FORMAT_GROUP.
 *
 * If no exponent is given, a counting event takes that of the unit's other users; if there are
 * none, the longest period of at most 250 us. A period must be so short that no counter of 32 bits
 * can wrap within: each EU counting twice in each clock, at the fastest clock.
 *
 * Counting and sampling events of the same configuration share a unit. The sampling ones have to be
 * opened first unless the exponent is given, and the same.
 */

/**
 * struct gpuoa_register - one register write of a configuration
 * @address: MMIO offset, on the whitelist of its list
 * @value: what is written; the kernel masks bits that are not the user's to change
 */
struct gpuoa_register {
	__u32 address;
	__u32 value;
};

/* gpuoa_attr.flags */
#define GPUOA_ATTR_EXPONENT (1ULL << 0) /* .exponent is given; else as if it were 0 in config */
#define GPUOA_ATTR_CONTEXT (1ULL << 1) /* for one context only: .drm_fd and .context are given */
#define GPUOA_ATTR_AUX (1ULL << 2) /* reports go to the AUX area: see below */
#define GPUOA_ATTR_CONTEXT_HW_ID (1ULL << 3) /* with _CONTEXT: .context is a hardware id */
/* bit 4 has no meaning: EINVAL, as all bits that are not listed */
#define GPUOA_ATTR_BATCHES (1ULL << 5) /* also reports where batches of .context begin or end */
#define GPUOA_ATTR_NO_REPORTS (1ULL << 6) /* with _CONTEXT: only the context's batches report */

#define GPUOA_KEEP_WORDS 3 /* room for the dwords of the longest report */

/**
 * struct gpuoa_attr - the extensible description of an event
 *
 * Versioned as struct perf_event_attr is: a shorter struct is extended by zeros; a longer one must
 * be zero beyond what the kernel knows, else E2BIG, and the kernel writes the size that it knows to
 * @size.
 *
 * @size: sizeof(struct gpuoa_attr), at least through @exponent; 0 stands for GPUOA_ATTR_SIZE_VER0
 * @format: enum gpuoa_format
 * @flags: GPUOA_ATTR_*; unknown bits are EINVAL
 * @metric_set: id of a registered configuration, or 0: then the three lists below are the
 *	configuration
 * @exponent: timer exponent, 0..&gpuoa_unit_info.exponent_max, with GPUOA_ATTR_EXPONENT; else 0
 * @n_mux: number of registers at @mux; at most GPUOA_MAX_REGISTERS in each list
 * @n_boolean: number of registers at @boolean
 * @n_flex: number of registers at @flex
 * @mux: user pointer to struct gpuoa_register: the NOA multiplexer, in this order, duplicates kept
 * @boolean: user pointer to struct gpuoa_register: boolean (B/C) counter logic
 * @flex: user pointer to struct gpuoa_register: flexible EU counters; Haswell and media units have
 *	none. Those that are not listed are set to event 0; of several values the last counts
 * @drm_fd: with GPUOA_ATTR_CONTEXT: an open file of the GPU's own DRM node. Without it, and with
 *	GPUOA_ATTR_CONTEXT_HW_ID, -1 or 0
 * @context: with GPUOA_ATTR_CONTEXT: handle of a context of that file; else 0. With
 *	GPUOA_ATTR_CONTEXT_HW_ID: hardware id of a context: the context id of reports (gen8 and
 *	later; bits that name no context are ignored) or the GGTT address of its ring context's
 *	state page (Haswell). Needs CAP_PERFMON. There need not be such a context, now or ever; it
 *	is not kept, and when it is gone the hardware may give the id to another one
 * @buffer_size: bytes of the OABUFFER: a power of two between &gpuoa_unit_info.buffer_size_min and
 *	buffer_size_max, or 0 for a size that the kernel chooses. With GPUOA_ATTR_AUX: the size that
 *	the AUX area must have, or 0 for any
 * @counter: enum gpuoa_counter, makes the event a counting one; 0: it samples
 * @poll_us: longest time between two looks for reports, us, at least GPUOA_POLL_US_MIN. Of the
 *	events that share a unit, the shortest time of those that are enabled holds. 0: the kernel
 *	chooses, in RAW mode at most 5 ms where reports come as fast. Each look costs CPU time
 * @keep: which dwords of each report are forwarded: bit n % 64 of element n / 64 stands for dword
 *	n. All 0: all of them. See struct gpuoa_record_thin
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
	__u64 keep[GPUOA_KEEP_WORDS];
};

#define GPUOA_ATTR_SIZE_VER0 104
#define GPUOA_POLL_US_MIN 100
#define GPUOA_MAX_REGISTERS 4096

/**
 * DOC: perf_event_open errors
 *
 * Beyond those of core perf. Without CAP_PERFMON an event can be opened only if two sysctls allow
 * it: dev.gpuoa.paranoid must be 0 (it is 1) and kernel.perf_event_paranoid at most 0. The first
 * one is asked before anything is done to the GPU; core asks its own only when the event is there.
 *
 * ============ ====================================================================================
 * errno        meaning
 * ============ ====================================================================================
 * E2BIG        gpuoa_attr is longer than the kernel knows and not zero there; a register list of
 *              more than GPUOA_MAX_REGISTERS
 * EACCES       without CAP_PERFMON: any event, as the two sysctls say; an inline configuration, a
 *              context by its hardware id, an OABUFFER of more than 16 MiB, or a rate above the
 *              sysctl dev.gpuoa.max_sample_rate
 * EBADF        gpuoa_attr.drm_fd is not an open file
 * EAGAIN       the GPU is suspended
 * EBUSY        the unit is in use with another configuration, format, period, context or buffer
 *              size, or with and without reports of batches; it samples other dwords; or one of
 *              the two would be in AUX mode. Or the interface of the GPU's own driver has it
 *              (i915-perf)
 * EFAULT       gpuoa_attr or a register list cannot be read, or is in a page that is not mapped:
 *              perf_event_open() does not wait for the page. GPUOA_IOC_ADD_ATTR does
 * EINTR        a fatal signal came while the OABUFFER was allocated
 * EINVAL       a task event (pid != -1) or no CPU; a group whose leader is another PMU's event and
 *              not pinned; any exclude_* flag, exclusive or bp_type; a
 *              sample type without PERF_SAMPLE_RAW; no sampling period; reserved bits, unknown
 *              flags or fields without their flag; two forms at once; an unknown format; a
 *              register that is not on the whitelist; a registered and an inline configuration, or
 *              none; an empty register list with a pointer; a buffer size that is no power of two;
 *              a gpuoa_attr that ends before exponent; dwords that the report does not have; a
 *              counter together with a sampling period or with dwords; PERF_EVENT_IOC_PERIOD
 * ENODATA      reports of this format have no such counter
 * ENODEV       the unit is gone
 * ENOENT       no configuration with this id; no such context; no registered attributes with this
 *              id, or they belong to another user and the caller has no CAP_PERFMON
 * ENOMEM       out of memory
 * ENOSPC       no room for the OABUFFER in the GPU's address space
 * EOPNOTSUPP   this unit has no such feature: flexible EU registers on Haswell and media units, a
 *              context on media units; AUX mode for one context where the kernel filters (gen8 and
 *              later), or with reports that meet the end of the buffer (those of 192 bytes of media
 *              units), or where the OABUFFER is the driver's; reports of batches where the GPU's
 *              driver can't have them written; a context whose reports it cannot tell; no
 *              reports before gen12. Or no GPU has it: precise_ip; samples with callchains,
 *              registers, stacks, branches, AUX data, addresses of data or code, sizes of
 *              pages, weights, data sources, transactions or cgroups
 * ERANGE       exponent, period, rate or buffer size outside of what the hardware can do; poll_us
 *              below GPUOA_POLL_US_MIN; a counter with a period in which it could wrap
 * EUSERS       64 events and streams sample the unit already
 * EXDEV        gpuoa_attr.drm_fd belongs to another device
 * ============ ====================================================================================
 */

/**
 * DOC: Reports of batches
 *
 * With GPUOA_ATTR_CONTEXT | GPUOA_ATTR_BATCHES, the GPU writes a report, besides those of the
 * timer, when a batch of the context begins and when it ends, so that what a batch has done is the
 * difference of two reports. How it is known from others:
 *
 * - Haswell: its timestamp is none at which the timer fires;
 * - gen8 to gen12.0: the reason has report trigger 1 at the begin, report trigger 2 at the end;
 * - gen12.5 and later: the reason has the MMIO trigger, and in the place of the context id stands
 *   GPUOA_MARKER_BATCH_BEGIN or GPUOA_MARKER_BATCH_END.
 */
#define GPUOA_MARKER_BATCH_BEGIN 0xb0000001
#define GPUOA_MARKER_BATCH_END 0xb0000002

/**
 * DOC: No reports
 *
 * With GPUOA_ATTR_CONTEXT | GPUOA_ATTR_NO_REPORTS, from gen12 on, the unit is programmed and the
 * context's own counters (OAR) are on, but the unit that counts for all (OAG) stays off and writes
 * nothing: what the context does is told by MI_REPORT_PERF_COUNT in its own batches alone. Of
 * records there are GPUOA_RECORD_STREAM, _CLOCK, _RESUME, _GONE, and _REPORTS_LOST when the GPU was
 * reset or had slept: the counters were off then. There is no period:
 * GPUOA_ATTR_EXPONENT is EINVAL with it, as are GPUOA_ATTR_BATCHES, GPUOA_ATTR_AUX,
 * GPUOA_ATTR_CONTEXT_HW_ID, a counter, a buffer size and a choice of dwords. EOPNOTSUPP before
 * gen12 and on media units.
 */

/**
 * DOC: AUX mode
 *
 * With GPUOA_ATTR_AUX, the AUX area of the event's ring buffer is the OABUFFER: the GPU writes
 * where the reader reads. The event is opened disabled; then the ring is mapped, then the AUX area;
 * then the event is enabled. To enable it without an area puts it into error state (read() gives
 * 0).
 *
 * - Size of the area: a power of two from &gpuoa_unit_info.buffer_size_min to buffer_size_max.
 *   mmap() of another one fails: EINVAL if it is no power of two, else ENOMEM, for core perf makes
 *   that of whatever a PMU refuses; so does one that does not fit into the GPU's address space, or
 *   for an event without GPUOA_ATTR_AUX.
 * - PERF_RECORD_AUX tells of reports, back to back, as the hardware wrote them. Bits 15:8 of its
 *   flags, PERF_AUX_FLAG_PMU_FORMAT_TYPE_MASK, hold enum gpuoa_format. No report is in two pieces:
 *   if their size does not divide the area, what is left at the end of the area is skipped.
 * - The reader sets perf_event_mmap_page.aux_tail to aux_offset + aux_size of what it is done with.
 *   When there is no room the unit pauses, and goes on when the reader is done with all of it; or
 *   when aux_tail has not moved for a second, and at least a quarter of the area is free.
 *   The event stays enabled (what other PMUs need, to enable it again, does no harm).
 * - perf_event_attr.aux_watermark is the size of the N reports, N >= 1, after which the reader is
 *   woken; 0: half of the area. The timer that looks for reports looks when they must be there, and
 *   no more often than each 0.5 ms: what comes at shorter intervals is told of together. Reports
 *   that the OA timer did not make may be told of a second later.
 * - A report is told of when the header of the next one is in memory: nothing else says that all of
 *   it is. The last one before the event is disabled is waited for, up to 200 us.
 * - Haswell writes reports with an id of 0 now and then. They are invalid, and for the reader to
 *   leave out; in RAW mode, the kernel does that. An invalid report may stand in place of a report
 *   of the timer: timestamps before and after it tell. libgpuoa leaves out all that is no report.
 * - RAW samples in the ring say the rest: GPUOA_RECORD_STREAM, _CLOCK, _RESUME, _BUFFER_OVERFLOW,
 *   _REPORTS_LOST, _MARKER, in order with PERF_RECORD_AUX; never GPUOA_RECORD_REPORTS.
 * - A loss is a PERF_RECORD_AUX that is PERF_AUX_FLAG_TRUNCATED: behind it, reports are missing.
 *   Its aux_size may be 0. How many are missing comes as struct gpuoa_record_lost, before the next
 *   PERF_RECORD_AUX with reports, and in statistics/ in sysfs. Slots that were passed over, being
 *   still empty, are between the end of one PERF_RECORD_AUX and the aux_offset of the next. Where
 *   hundreds of reports come between two looks, not each slot is looked at: one that was not
 *   written to may hold the report of a turn ago, which is older than the one before it.
 * - read() of the event gives the number of reports.
 *
 * An area that is mapped read-only is a flight recorder. The hardware overwrites the oldest
 * reports; nothing is told, and nobody is woken, while it runs. When the event is disabled, a
 * PERF_RECORD_AUX with PERF_AUX_FLAG_OVERWRITE tells of the window of the newest reports. As with
 * other PMUs, its aux_offset, which is perf_event_mmap_page.aux_head, is where the window *ends*;
 * it counts bytes on and on, and is an offset modulo the size of the area. The window's reports
 * are complete, in order, and as many as the area has room for, less one, if so many were written.
 * A slot that the hardware passed without writing to it has an id and a timestamp of 0.
 * They may go back to before the event was last enabled; timestamps tell. TRUNCATED: some were
 * lost since then. The record needs room in the ring: read that now and then, or enable the event
 * rarely.
 *
 * An event in AUX mode has the unit for itself.
 */

/**
 * DOC: A unit that goes away
 *
 * A GPU may be removed at any time. Events that are enabled get what was reported until then, and
 * GPUOA_RECORD_GONE as their last record. For all that are open, poll(2) says POLLHUP from then on,
 * SIGIO (if asked for) comes with POLL_HUP, read(2) gives the final count, and the ring buffer can
 * still be read. Enabling them has no effect. New events and all ioctls get ENODEV. The number in
 * the unit's name is free for another unit when the last event and file of it are closed.
 */

/**
 * DOC: RAW samples
 *
 * The payload of PERF_SAMPLE_RAW is: u32 size (perf's), struct gpuoa_raw, then records back to
 * back, each a struct gpuoa_record header and its body, all 8-byte aligned as perf lays samples
 * out. A sample is at most 32 KiB.
 *
 * Samples come when the kernel has looked for reports (&gpuoa_attr.poll_us). read(2) of an event
 * that is enabled has it look at once, with an AUX area too; the value is the number of reports.
 */
#define GPUOA_RAW_MAGIC 0x31414f47 /* "GOA1", little endian */

/**
 * struct gpuoa_raw - head of each RAW payload
 * @reserved: 0
 * @magic: GPUOA_RAW_MAGIC
 */
struct gpuoa_raw {
	__u8 reserved[8];
	__u32 magic;
};

/**
 * enum gpuoa_record_type - what a record tells; skip types that you do not know, unless they have
 *	the bit GPUOA_RECORD_MUST_KNOW
 * @GPUOA_RECORD_STREAM: struct gpuoa_record_stream; comes with the first sample, whenever an event
 *	is enabled, and about once a second
 * @GPUOA_RECORD_CLOCK: struct gpuoa_record_clock; likewise
 * @GPUOA_RECORD_REPORTS: struct gpuoa_record_reports, then the reports
 * @GPUOA_RECORD_BUFFER_OVERFLOW: struct gpuoa_record_lost: the OABUFFER was full, the unit was
 *	restarted
 * @GPUOA_RECORD_REPORTS_LOST: struct gpuoa_record_lost: the hardware dropped reports, or announced
 *	some that never came to memory; or the GPU was reset or suspended; or perf had the unit
 *	stopped for a moment to let another event in
 * @GPUOA_RECORD_RESUME: struct gpuoa_record_resume: sampling begins, for one event of the stream
 * @GPUOA_RECORD_GONE: struct gpuoa_record alone: the unit is no more, and this is the last record
 * @GPUOA_RECORD_THIN: struct gpuoa_record_thin; right behind each GPUOA_RECORD_STREAM, in the same
 *	sample, of a stream that forwards some dwords only
 * @GPUOA_RECORD_STATUS: struct gpuoa_record_status: the hardware said something that is no gap
 * @GPUOA_RECORD_MARKER: struct gpuoa_record_marker: a program marked this moment
 */
enum gpuoa_record_type {
	GPUOA_RECORD_STREAM = 1,
	GPUOA_RECORD_CLOCK = 2,
	GPUOA_RECORD_REPORTS = 3,
	GPUOA_RECORD_BUFFER_OVERFLOW = 4,
	GPUOA_RECORD_REPORTS_LOST = 5,
	GPUOA_RECORD_RESUME = 6,
	GPUOA_RECORD_GONE = 7,
	GPUOA_RECORD_THIN = 8,
	GPUOA_RECORD_MARKER = 9,
	GPUOA_RECORD_STATUS = 10,
};

/*
 * Types from here on are not the kernel's: programs that write recordings may use them. And a type
 * with this bit changes what other records mean: who does not know it must not read on.
 */
#define GPUOA_RECORD_PROGRAM 0x10000
#define GPUOA_RECORD_MUST_KNOW 0x80000000

/**
 * struct gpuoa_record - head of a record
 * @type: enum gpuoa_record_type
 * @size: bytes to the next record, this head included; a multiple of 8
 */
struct gpuoa_record {
	__u32 type;
	__u32 size;
};

/**
 * struct gpuoa_record_reports - reports, back to back, behind this struct
 * @record: GPUOA_RECORD_REPORTS
 * @first: number of the first of them, counted from 0 at the opening of the unit over all reports
 *	that were handed on: what is missing between two records was lost in perf's own ring
 *	buffer, unless a struct gpuoa_record_resume stands between them
 * @report_size: bytes of each
 * @count: how many
 */
struct gpuoa_record_reports {
	struct gpuoa_record record;
	__u64 first;
	__u32 report_size;
	__u32 count;
};

#define GPUOA_LOST_UNKNOWN (~0ULL)

/**
 * struct gpuoa_record_lost - a gap: reports are missing between those before and those after
 * @record: GPUOA_RECORD_BUFFER_OVERFLOW or GPUOA_RECORD_REPORTS_LOST
 * @count: how many are missing, from the timestamps around the gap; GPUOA_LOST_UNKNOWN when that
 *	can't be known (context filter, or no report came after the gap)
 */
struct gpuoa_record_lost {
	struct gpuoa_record record;
	__u64 count;
};

/* gpuoa_record_status.flags */
#define GPUOA_STATUS_COUNTERS_WRAPPED (1U << 0)
#define GPUOA_STATUS_TRIGGERS_LOST (1U << 1)

/**
 * struct gpuoa_record_status - what the hardware said between two polls, and is no gap
 * @record: GPUOA_RECORD_STATUS
 * @flags: GPUOA_STATUS_COUNTERS_WRAPPED: a counter has gone past the end of its bits, so that
 *	differences are to be taken modulo 2^bits (gen8 and later). GPUOA_STATUS_TRIGGERS_LOST: the
 *	queue of MMIO triggers was full; reports that batches or markers asked for are missing, but
 *	none of the timer's (gen12.5 and later)
 * @reserved: 0
 */
struct gpuoa_record_status {
	struct gpuoa_record record;
	__u32 flags;
	__u32 reserved;
};

/**
 * struct gpuoa_record_resume - an event of the stream was enabled
 *
 * Reports before and after do not follow each other, and what lies between was not lost, if
 * @stopped is set, or if their numbers (&gpuoa_record_reports.first) do not join: then others had
 * the unit on while the event that this is read from was off.
 *
 * @record: GPUOA_RECORD_RESUME
 * @stopped: 1 if the unit was off until now, else 0
 * @reserved: 0
 */
struct gpuoa_record_resume {
	struct gpuoa_record record;
	__u32 stopped;
	__u32 reserved;
};

/*
 * Clocks are those of the host, also in a time namespace: add its offsets of CLOCK_MONOTONIC and
 * CLOCK_BOOTTIME (/proc/self/timens_offsets) to compare with clock_gettime(2) there.
 *
 * The clock that perf gives its samples their time of, unless perf_event_attr.use_clockid asks for
 * another one. No clock of clock_gettime(2) has this number.
 */
#define GPUOA_CLOCK_PERF 0x100

/**
 * struct gpuoa_clock - one moment on two clocks
 * @gpu_ticks: the OA timestamp clock, in ticks, extended to 64 bits: it counts on where the
 *	reports' own timestamp wraps
 * @cpu_ns: CPU time, ns
 * @clock_id: CLOCK_MONOTONIC, CLOCK_MONOTONIC_RAW, CLOCK_BOOTTIME, CLOCK_REALTIME, CLOCK_TAI or
 *	GPUOA_CLOCK_PERF
 * @error_ns: @cpu_ns is right to within this many ns
 */
struct gpuoa_clock {
	__u64 gpu_ticks;
	__u64 cpu_ns;
	__s32 clock_id;
	__u32 error_ns;
};

/**
 * struct gpuoa_record_clock - GPU/CPU clock pair
 *
 * There are two after each &gpuoa_record_stream: one in CLOCK_MONOTONIC, then one in
 * GPUOA_CLOCK_PERF. Skip those of clocks that you do not know.
 *
 * @record: GPUOA_RECORD_CLOCK
 * @clock: the pair
 */
struct gpuoa_record_clock {
	struct gpuoa_record record;
	struct gpuoa_clock clock;
};

/**
 * struct gpuoa_marker - GPUOA_IOC_MARKER, and in the stream: a moment that a program has marked
 * @value: in: what it means
 * @gpu_ticks: out: the moment on the GPU's clock, as in struct gpuoa_clock
 * @cpu_ns: out: the same moment in CLOCK_MONOTONIC, ns
 * @error_ns: out: @cpu_ns is right to within this many ns
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
 * struct gpuoa_record_marker - a mark
 *
 * It comes as soon as it is made, while reports that were written before may still be on their way
 * to memory: reports with a time before &gpuoa_marker.gpu_ticks can come after it, those with a
 * later one never come before it. Marks come in the order of their times.
 *
 * @record: GPUOA_RECORD_MARKER
 * @marker: when it was, and what it means
 */
struct gpuoa_record_marker {
	struct gpuoa_record record;
	struct gpuoa_marker marker;
};

/**
 * enum gpuoa_unit_type - which of a GPU's OA units; names as in the metric definitions
 * @GPUOA_UNIT_OA: that of the render engine, and of compute engines: the only one before gen12.7
 * @GPUOA_UNIT_OAM0: that of the first pair of video engines
 * @GPUOA_UNIT_OAM1: that of the second pair (Xe2)
 * @GPUOA_UNIT_OAMG: that of what all media engines share (Xe2)
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
 * Bits of &gpuoa_unit_info.features: abilities that not all units and kernels have. The ABI has no
 * version number: structs grow at their end, and a new ability that needs no larger struct gets a
 * bit here.
 *
 * - GPUOA_FEATURE_CONTEXT: GPUOA_ATTR_CONTEXT: hardware and host can count for one context
 * - GPUOA_FEATURE_BATCHES: GPUOA_ATTR_BATCHES: the host reports batches
 * - GPUOA_FEATURE_FLEX: &gpuoa_config.flex: there are flexible EU counters
 * - GPUOA_FEATURE_HALF_FULL: the host may have the interrupt of a half-full buffer
 * - GPUOA_FEATURE_OWN_REPORTS: GPUOA_IOC_OPEN_STREAM returns reports of the user's contexts without
 *   CAP_PERFMON
 * - GPUOA_FEATURE_NO_REPORTS: GPUOA_ATTR_NO_REPORTS: each context has a set of counters
 * - GPUOA_FEATURE_FREQUENCY: GPUOA_IOC_FREQUENCY
 * - GPUOA_FEATURE_MARKERS: a batch can trigger a report by a write to GPUOA_TRIGGER_REGISTER: its
 *   reason has the MMIO trigger, and the value that was written replaces the context id. gen12.5
 *   and later
 * - GPUOA_FEATURE_CONTEXT_NAMES: GPUOA_IOC_CONTEXT: the host knows the owner of a context
 * - GPUOA_FEATURE_AUX: GPUOA_ATTR_AUX: the GPU can write to pages of perf. Not available if the
 *   OABUFFER belongs to the stock driver of the GPU
 */
#define GPUOA_FEATURE_CONTEXT (1ULL << 0)
#define GPUOA_FEATURE_BATCHES (1ULL << 1)
#define GPUOA_FEATURE_FLEX (1ULL << 2)
#define GPUOA_FEATURE_HALF_FULL (1ULL << 3)
#define GPUOA_FEATURE_OWN_REPORTS (1ULL << 4)
#define GPUOA_FEATURE_NO_REPORTS (1ULL << 5)
#define GPUOA_FEATURE_FREQUENCY (1ULL << 6)
#define GPUOA_FEATURE_MARKERS (1ULL << 7)
#define GPUOA_FEATURE_CONTEXT_NAMES (1ULL << 8)
#define GPUOA_FEATURE_AUX (1ULL << 9)

#define GPUOA_TRIGGER_REGISTER 0xdb1c /* OAG_MMIOTRIGGER */

/**
 * enum gpuoa_engine_class - kinds of engines; values as i915 and xe have them
 * @GPUOA_ENGINE_CLASS_RENDER: render
 * @GPUOA_ENGINE_CLASS_COPY: blitter
 * @GPUOA_ENGINE_CLASS_VIDEO: video codec
 * @GPUOA_ENGINE_CLASS_VIDEO_ENHANCE: video post-processing
 * @GPUOA_ENGINE_CLASS_COMPUTE: compute alone
 */
enum gpuoa_engine_class {
	GPUOA_ENGINE_CLASS_RENDER = 0,
	GPUOA_ENGINE_CLASS_COPY = 1,
	GPUOA_ENGINE_CLASS_VIDEO = 2,
	GPUOA_ENGINE_CLASS_VIDEO_ENHANCE = 3,
	GPUOA_ENGINE_CLASS_COMPUTE = 4,
};

/**
 * struct gpuoa_engine_id - names an engine of a GT
 * @engine_class: enum gpuoa_engine_class
 * @instance: which of its class; not all numbers exist on each GPU
 */
struct gpuoa_engine_id {
	__u16 engine_class;
	__u16 instance;
};

#define GPUOA_MAX_ENGINES 16
#define GPUOA_MASK_WORDS 2 /* xe has masks of up to 96 subslices */
#define GPUOA_UUID_SIZE 40 /* 36 characters, NUL, and padding */
#define GPUOA_PARENT_SIZE 64

/**
 * struct gpuoa_unit_info - what a unit is: GPUOA_IOC_UNIT_INFO, and in the stream
 *
 * The topology fields are the constants that metric equations use.
 *
 * @platform: name as in the metric definitions ("hsw"), NUL-terminated
 * @pmu: name of the PMU ("gpuoa0"), NUL-terminated
 * @timestamp_frequency: of the OA timestamp, Hz
 * @gt_min_frequency: slowest GPU clock, Hz
 * @gt_max_frequency: fastest GPU clock, Hz
 * @slice_mask: slices that are there
 * @subslice_mask: subslices (dual subslices, Xe cores) that are there; the mask of slice n starts
 *	at bit n * @subslice_stride. Bit n is bit n % 64 of element n / 64, also in @formats
 * @formats: bit n stands for enum gpuoa_format n
 * @device_id: PCI device id
 * @revision: PCI revision
 * @n_slices: number of slices
 * @n_subslices: number of subslices in all slices
 * @n_eus: number of execution units in all subslices
 * @threads_per_eu: hardware threads of an execution unit
 * @default_format: what GPUOA_FORMAT_DEFAULT stands for
 * @exponent_max: largest timer exponent; the smallest is 0
 * @buffer_size_min: smallest OABUFFER, bytes
 * @buffer_size_max: largest OABUFFER, bytes
 * @timestamp_bits: valid bits of a report's timestamp
 * @pmu_type: perf_event_attr.type of the PMU
 * @l3_bank_mask: banks of the L3 cache that are there; 0 before Xe2, where no equation needs them
 * @subslice_stride: bits of @subslice_mask that each slice has; 0: what is usual on the platform
 * @n_compute_engines: compute command streamers; 0 before gen12.5
 * @unit_type: enum gpuoa_unit_type
 * @reserved: 0
 * @parent: name of the device that the unit belongs to ("0000:00:02.0"), NUL-terminated, cut off if
 *	it is longer: units of one GPU have the same
 *
 * @cs_timestamp_frequency: of the timestamp that commands write (PIPE_CONTROL, RING_TIMESTAMP), Hz;
 *	0: the host does not tell
 * @cs_timestamp_bits: valid bits of that; 0 likewise
 * @reserved2: 0
 * @features: GPUOA_FEATURE_*
 * @tile: tile of the GPU that the unit belongs to
 * @gt: GT of the GPU that the unit belongs to, counted over all tiles as i915 and xe do
 * @n_engines: number of @engines
 * @engines: those whose work the unit counts, all of GT @gt. None: what it counts is shared by
 *	engines, or the host does not tell
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
 * struct gpuoa_record_stream - makes a recording describe itself
 *
 * Only @info grows. Other new properties of a stream get another record type, which follows this
 * record immediately, as struct gpuoa_record_thin does.
 *
 * @record: GPUOA_RECORD_STREAM
 * @uuid: UUID of the metric configuration, NUL-terminated; empty for an inline configuration
 * @format: enum gpuoa_format of the reports, never GPUOA_FORMAT_DEFAULT
 * @exponent: timer exponent
 * @report_size: bytes of a report, as it is forwarded
 * @flags: GPUOA_ATTR_CONTEXT if the stream is for one context, GPUOA_ATTR_BATCHES if it has reports
 *	of that one's batches, GPUOA_ATTR_AUX if the reports are in the AUX area,
 *	GPUOA_ATTR_NO_REPORTS if there are none
 * @info: the unit
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
 * struct gpuoa_record_thin - which dwords of each report are forwarded
 *
 * Reports are then shorter than their format is: their dwords are those of @keep, in order,
 * &gpuoa_record_stream.report_size bytes in all. The header is always among them: report id and
 * timestamp, and what formats later than Haswell's have of context id and clock. The kernel adds a
 * dword if there would else be an odd number of them, so that reports stay 8-byte aligned.
 *
 * @record: GPUOA_RECORD_THIN
 * @keep: bit n % 64 of element n / 64 stands for dword n
 */
struct gpuoa_record_thin {
	struct gpuoa_record record;
	__u64 keep[GPUOA_KEEP_WORDS];
};

/**
 * DOC: ioctls of /dev/gpuoa<N>
 *
 * Structs grow at their end: the kernel zero-extends what an older program passes, refuses with
 * E2BIG what a newer one passes and is not zero, and fills in no more than the program has room
 * for. ENOTTY: no such ioctl (number and direction). EINVAL: the struct is shorter than its first
 * version. EFAULT: a pointer cannot be read or written. ENODEV: the GPU is gone.
 */

/**
 * struct gpuoa_config - GPUOA_IOC_ADD_CONFIG: register a metric configuration
 *
 * Fails with EACCES without CAP_PERFMON; EINVAL for a UUID that is not 8-4-4-4-12 hexadecimal
 * digits, a register that is not on the whitelist, an empty list with a pointer or three empty
 * lists; E2BIG for a list longer
 * than GPUOA_MAX_REGISTERS; EOPNOTSUPP for flexible EU registers on hardware without them; EEXIST
 * if this UUID already stands for these same registers (@id is filled in: use it); EADDRINUSE if it
 * stands for others; ENOSPC if the unit has 4096 configurations.
 *
 * @uuid: in: names the configuration across kernels and tools, 36 characters and NUL
 * @n_mux: in: number of registers at @mux
 * @n_boolean: in: number of registers at @boolean
 * @n_flex: in: number of registers at @flex
 * @id: out: metric_set of the events that use it
 * @mux: in: user pointer to struct gpuoa_register
 * @boolean: in: user pointer to struct gpuoa_register
 * @flex: in: user pointer to struct gpuoa_register
 * @refused: out: with EINVAL, the address of the first register that is not on the whitelist, or 0
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
	__u32 refused;
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
 * registered it is closed. Events that were opened with it are not affected. It can be used by
 * the user who registered it, and by users with CAP_PERFMON.
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
 * struct gpuoa_use - GPUOA_IOC_USE: who has the unit, and for what
 *
 * All 0 if nobody has. An event that asks for the same can be opened beside those that there are,
 * unless they are in AUX mode.
 *
 * @uuid: UUID of the configuration, NUL-terminated; empty for an inline configuration
 * @format: enum gpuoa_format, never GPUOA_FORMAT_DEFAULT
 * @exponent: timer exponent
 * @flags: GPUOA_ATTR_CONTEXT, GPUOA_ATTR_BATCHES and GPUOA_ATTR_AUX, if the events were opened so
 * @buffer_size: bytes of the OABUFFER; 0: an AUX area that was not mapped yet
 * @n_events: how many events have the unit
 * @pid: the process that opened the first of them; 0: the caller cannot see it
 * @comm: its name, NUL-terminated, when it did; empty if @pid is 0
 */
struct gpuoa_use {
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
 * Argument: the id. ENOENT: no configuration has it. EPERM: it is built in. EACCES: no CAP_PERFMON.
 * Events that use the configuration keep it.
 */
#define GPUOA_IOC_REMOVE_CONFIG _IOW('O', 0x42, __u32)

/*
 * struct gpuoa_clock: in: clock_id (else EINVAL), the rest is ignored; out: the pair. The GPU is
 * woken up for that if it sleeps: at most every 10 ms for callers who may not open an event, while
 * no event has the unit; the call waits for its turn. EAGAIN: it is suspended.
 */
#define GPUOA_IOC_CLOCK _IOWR('O', 0x44, struct gpuoa_clock)

#define GPUOA_IOC_ADD_ATTR _IOWR('O', 0x46, struct gpuoa_attr_handle)

/* Argument: the id. ENOENT: this open file has not registered it. */
#define GPUOA_IOC_REMOVE_ATTR _IOW('O', 0x47, __u32)

/**
 * DOC: A stream for one context
 *
 * GPUOA_IOC_OPEN_STREAM takes a struct gpuoa_attr, as perf_event_attr.config1 would point to, and
 * returns a file descriptor (close-on-exec) that is what a sampling event in RAW mode is to perf,
 * with a queue of its own in place of perf's ring. It needs GPUOA_ATTR_CONTEXT by handle; neither
 * GPUOA_ATTR_AUX nor a counter goes with it, and the period is given by GPUOA_ATTR_EXPONENT.
 *
 * Who may: users with CAP_PERFMON, and all if the sysctl dev.gpuoa.paranoid is 0, as for events
 * (kernel.perf_event_paranoid has no say here). Others too, unless the sysctl is 2, where nothing
 * of other contexts can be seen, be it by reports or by MI_REPORT_PERF_COUNT in a batch:
 *
 * - Haswell, where the hardware counts for this context only;
 * - gen12 and later with GPUOA_ATTR_NO_REPORTS: the context's counters are its own.
 *
 * Elsewhere EACCES: from gen8 on, while the unit that counts for all is on, a batch of any context
 * can read its counters, though the kernel leaves others out of the reports. i915 and xe have the
 * same rule. Media units do not tell contexts apart: EOPNOTSUPP for everybody.
 *
 * The stream is disabled at first. It and perf events of the unit share the unit, or keep each
 * other out (EBUSY), as two events would: configuration, format, exponent, context and dwords are
 * the same, or it is busy. One without reports shares with its like only.
 *
 * - read(2) gives whole samples, one behind the other, as many as there is room for: each is what
 *   PERF_SAMPLE_RAW holds: u32 size, struct gpuoa_raw, records; a multiple of 8 bytes.
 *   It waits for one, unless O_NONBLOCK (EAGAIN), also while the stream is disabled. The room is at
 *   least GPUOA_STREAM_READ_MIN bytes (else EINVAL). 0: the unit is gone, and all has been read. A
 *   signal: EINTR. EFAULT: @buf can't be written, and a sample is lost.
 * - poll(2) says POLLIN when there is a sample, POLLHUP when the unit is gone.
 * - GPUOA_STREAM_IOC_ENABLE and _DISABLE as those of an event: once disabled, all that was written
 *   until then can be read. ENODEV: the unit is gone.
 * - GPUOA_STREAM_IOC_STATUS tells how it goes.
 *
 * The queue has the size of the OABUFFER, at least 128 KiB, and at most 16 MiB if
 * &gpuoa_attr.buffer_size is given, else 512 KiB. A sample that it has no room for is lost:
 * &gpuoa_stream_status.dropped, and a gap in &gpuoa_record_reports.first.
 *
 * Each stream is charged for its queue, for 32 KiB and for the OABUFFER (not if that is memory of
 * the GPU's own driver), as a ring buffer of perf is: what exceeds the user's allowance, the sysctl
 * dev.gpuoa.mlock_kb for each online CPU, counts against RLIMIT_MEMLOCK.
 *
 * Errors are those of perf_event_open, and: EINVAL for no context, AUX mode or a counter; EMFILE
 * and ENFILE as for any file; EPERM: the memory exceeds RLIMIT_MEMLOCK, without CAP_IPC_LOCK;
 * EUSERS also if a user without CAP_PERFMON has 16 streams of the unit.
 */
#define GPUOA_IOC_OPEN_STREAM _IOW('O', 0x48, struct gpuoa_attr)
#define GPUOA_STREAM_READ_MIN 32768 /* the longest sample */

#define GPUOA_STREAM_ENABLED (1U << 0)
#define GPUOA_STREAM_GONE (1U << 1)

/**
 * struct gpuoa_stream_status - GPUOA_STREAM_IOC_STATUS
 * @flags: GPUOA_STREAM_*
 * @queued: bytes that can be read now
 * @reports: how many reports were handed to the stream, those of lost samples included
 * @dropped: how many of the samples were lost, since the queue had no room
 */
struct gpuoa_stream_status {
	__u32 flags;
	__u32 queued;
	__u64 reports;
	__u64 dropped;
};

/* Numbers of /dev/gpuoa<N> are 0x40 to 0x5f, those of a stream 0x60 to 0x6f. */
#define GPUOA_STREAM_IOC_ENABLE _IO('O', 0x60)
#define GPUOA_STREAM_IOC_DISABLE _IO('O', 0x61)
#define GPUOA_STREAM_IOC_STATUS _IOR('O', 0x62, struct gpuoa_stream_status)

#define GPUOA_IOC_USE _IOR('O', 0x50, struct gpuoa_use)

/*
 * Argument: the id of a configuration that the events of the unit get instead of theirs, in place:
 * no other event can have the unit in between. All of them have to be this process's, and to
 * sample. All that was reported until then is published; then come GPUOA_RECORD_RESUME, as of a
 * unit that was off, and GPUOA_RECORD_STREAM with the new UUID; no later report is of the old
 * configuration. Takes as long as to program the unit, up to 20 ms. ENOENT: no configuration has
 * the id. ENXIO: no event has the unit. EBUSY: events of another process have it, too, or had since
 * it was acquired; or one of them counts; or a program that uses the GPU's own driver has taken the
 * unit, which is possible where that driver programs it: the events wait for it then, with the old
 * configuration. EOPNOTSUPP: a flight recorder, whose window may reach back. EAGAIN: the GPU is
 * suspended. EIO: the host could not program the unit; it has the old configuration then.
 */
#define GPUOA_IOC_RECONFIGURE _IOW('O', 0x51, __u32)

/*
 * struct gpuoa_marker: all events that sample the unit now get a GPUOA_RECORD_MARKER. EACCES: needs
 * what opening an event needs, CAP_PERFMON or a sysctl dev.gpuoa.paranoid of 0. EINVAL: a reserved
 * field is not 0. ENODATA: nobody samples. EOPNOTSUPP: a flight recorder has no room for marks.
 * EAGAIN: the GPU is suspended, or does not answer.
 */
#define GPUOA_IOC_MARKER _IOWR('O', 0x45, struct gpuoa_marker)

#define GPUOA_FREQUENCY_PIN (1 << 0) /* else the file's pin is only asked for */

/**
 * struct gpuoa_frequency - GPUOA_IOC_FREQUENCY: pin the clock of the unit's GPU
 *
 * The pin belongs to the open file: it is let go when that is closed, also by a crash. All who use
 * the GPU feel it.
 *
 * EPERM: to pin takes CAP_SYS_ADMIN. ERANGE: the clock is not between gt_min_frequency and
 * gt_max_frequency of struct gpuoa_unit_info. EBUSY: another file has pinned it. EOPNOTSUPP: the
 * host cannot. EINVAL: an unknown flag.
 *
 * @flags: in: GPUOA_FREQUENCY_PIN, or 0
 * @reserved: must be 0, else EINVAL
 * @hz: in: the clock, Hz; 0: let it go. Out: the nearest that the hardware has, at which this file
 *	has pinned it; 0: it has not
 */
struct gpuoa_frequency {
	__u32 flags;
	__u32 reserved;
	__u64 hz;
};

#define GPUOA_IOC_FREQUENCY _IOWR('O', 0x4a, struct gpuoa_frequency)

#define GPUOA_CONTEXT_GONE (1U << 0)

/**
 * struct gpuoa_context_info - GPUOA_IOC_CONTEXT: whose a context is that reports name
 *
 * Also of contexts that are gone, for reports are read later than they are written: a host
 * remembers some of them. An id may be used again: then the answer is about the context that has it
 * now, else about the last one that had it.
 *
 * EACCES: needs what opening an event needs, CAP_PERFMON or a sysctl dev.gpuoa.paranoid of 0.
 * ENOENT: no context has this id, or had it that the host remembers; contexts of the driver itself
 * are nobody's. EINVAL: another field than @id is not 0. EOPNOTSUPP: the host does not tell.
 *
 * @id: in: context id of a report (gen8 and later; bits that name no context are ignored) or the
 *	GGTT address of the ring context's state page (Haswell)
 * @flags: out: GPUOA_CONTEXT_GONE: it is no more
 * @pid: out: the process that made the context, which may have ended; 0: the caller cannot see it
 * @handle: out: its handle in the DRM file that it was made by; 0: it has none
 * @client: out: number of that file, as drm-client-id in /proc/<pid>/fdinfo/<fd>; 0: not known
 * @comm: out: name of the process when it made the context, NUL-terminated; empty if @pid is 0
 */
struct gpuoa_context_info {
	__u32 id;
	__u32 flags;
	__u32 pid;
	__u32 handle;
	__u64 client;
	char comm[GPUOA_COMM_SIZE];
};

#define GPUOA_IOC_CONTEXT _IOWR('O', 0x49, struct gpuoa_context_info)

/*
 * The one configuration that the kernel has itself, if any: "TestOa" of most platforms, which makes
 * B0..B7 count at 0, 1, 1, 1/2, 1/3, 1/3, 1/6 and 2/3 of the GPU clock (before Xe2). Its id is 1,
 * which no other one gets; its UUID is that of the metric definitions, and on Haswell this one.
 */
#define GPUOA_TEST_OA_HSW_UUID "7b3c2f64-1f0b-4a0e-9d57-3f5c1a2e8d46"
#define GPUOA_TEST_OA_ID 1

#if defined(__cplusplus)
}
#endif

#endif /* _UAPI_GPUOA_H */
