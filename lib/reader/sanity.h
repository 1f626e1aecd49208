/* SPDX-License-Identifier: MIT */
/*
 * sanity.h - detect damaged reports of a recording by comparison with adjacent reports
 *
 * From one report to the next, time does not jump, the clock is not faster than any GPU, and no
 * counter decreases. A report that contradicts the last good one is a suspect and is dropped. It
 * was damaged if a later report is consistent with the good one. If a later report is consistent
 * with the suspect instead, the stream itself jumped, which is reported as a gap.
 */
#ifndef GPUOA_LIB_READER_SANITY_H
#define GPUOA_LIB_READER_SANITY_H

#include "gpuoa.h"
#include "report/format.h"

#define SANITY_DWORDS (GPUOA_DWORD_MASK_WORDS * 64)

struct sanity {
	/*
	 * These sizes and positions are those of reports as stored, which may have only some
	 * dwords.
	 */
	/*
	 * size of a stored report in bytes; 0: the format is unknown, and every report is accepted
	 */
	size_t size;
	struct report_field timestamp;
	struct report_field clock;
	uint32_t narrow[SANITY_DWORDS]; /* sign bits of 32-bit counters */
	/* masks of the sign bits of wider counters, in their upper dword */
	uint32_t wide[SANITY_DWORDS];
	/* masks of the sign bits of 40-bit counters, in the byte that has their upper eight bits */
	uint32_t bytes[SANITY_DWORDS];

	uint64_t ticks_max; /* maximum time between two reports in ticks */
	/* minimum time in ticks in which a 32-bit counter can advance by half of its range */
	uint64_t narrow_ticks;
	uint64_t cycles_per_tick; /* maximum number of clock cycles per tick */

	bool has_last;
	uint8_t last[4 * SANITY_DWORDS]; /* the last good report */
	uint8_t suspect[4 * SANITY_DWORDS]; /* the last suspect */
	uint64_t suspects; /* number of suspects since the last good report */
};

/* Initialize the checks for the reports of a stream. */
void sanity_init(struct sanity *sanity, const struct gpuoa_reader_desc *desc,
		 const struct gpuoa_unit_desc *unit);

/* Restart the checks after a gap. Returns the number of suspects, all of which count as damaged. */
uint64_t sanity_restart(struct sanity *sanity);

/* True if @report is consistent with the last good one. */
bool sanity_follows(const struct sanity *sanity, const void *report);

/*
 * Returns the number of reports to skip at the beginning of @count reports, because they are
 * suspects. The report after them is good. The number of earlier suspects that this report proves
 * damaged is added to @damaged.
 */
size_t sanity_skip(struct sanity *sanity, const void *reports, size_t count, uint64_t *damaged);

/* Returns the number of good reports at the beginning of @count reports. */
size_t sanity_accept(struct sanity *sanity, const void *reports, size_t count);

#endif /* GPUOA_LIB_READER_SANITY_H */
