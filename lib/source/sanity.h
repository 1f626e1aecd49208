/* SPDX-License-Identifier: MIT */
/*
 * sanity.h - finds damaged reports of a recording: those that contradict the reports around them
 *
 * From one report to the next, time does not jump, the clock is not faster than any GPU, and no
 * counter goes back. A report that does not follow from the last good one is a suspect, and is left
 * out. It was damaged if a later report follows from the good one. If a later report follows from
 * the suspect instead, the stream itself jumped, which leaves a gap.
 */
#ifndef GPUOA_LIB_SOURCE_SANITY_H
#define GPUOA_LIB_SOURCE_SANITY_H

#include "gpuoa.h"
#include "report/format.h"

#define SANITY_DWORDS (GPUOA_KEEP_MASK_WORDS * 64)

struct sanity {
	/* All of reports as they are stored, of which dwords may be left out. */
	size_t size; /* bytes; 0: the format is unknown, and every report is good */
	struct report_field timestamp;
	struct report_field clock;
	uint32_t narrow[SANITY_DWORDS]; /* sign bits of counters of 32 bits, */
	uint32_t wide[SANITY_DWORDS]; /*   of more, in their upper dword, */
	uint32_t bytes[SANITY_DWORDS]; /*   of 40 bits, in the byte with the upper eight */

	uint64_t ticks_max; /* from a report to the next */
	uint64_t narrow_ticks; /* in less, no counter of 32 bits moves by half its range */
	uint64_t cycles_per_tick; /* at most */

	bool has_last;
	uint8_t last[4 * SANITY_DWORDS]; /* the last good report */
	uint8_t suspect[4 * SANITY_DWORDS]; /* the last suspect */
	uint64_t suspects; /* number of them since the last good report */
};

/* Begin with reports of this stream. */
void sanity_init(struct sanity *sanity, const struct gpuoa_source_desc *desc,
		 const struct gpuoa_unit_desc *unit);

/*
 * Begin anew after a gap. Returns the number of suspects, which no report has cleared: they are
 * damaged.
 */
uint64_t sanity_restart(struct sanity *sanity);

/* Does @report follow from the last good one? */
bool sanity_follows(const struct sanity *sanity, const void *report);

/*
 * Number of suspects at the beginning of @count reports. The report after them is good, and the
 * number of earlier suspects that it proves damaged is added to @damaged.
 */
size_t sanity_skip(struct sanity *sanity, const void *reports, size_t count, uint64_t *damaged);

/* Number of good reports at the beginning of @count. */
size_t sanity_accept(struct sanity *sanity, const void *reports, size_t count);

#endif /* GPUOA_LIB_SOURCE_SANITY_H */
