// SPDX-License-Identifier: GPL-2.0-only
/*
 * bench_unit.c - an OA unit that writes reports outside of the measured time.
 */
#include <linux/atomic.h>
#include <linux/bitfield.h>
#include <linux/bits.h>
#include <linux/errno.h>
#include <linux/ktime.h>
#include <linux/math64.h>
#include <linux/smp.h>
#include <linux/time64.h>

#include <gpuoa_regs.h>

#include "bench.h"

struct bench_unit bench_unit;
static atomic_t bench_taken;

/* An OA unit has one user at a time. Returns 0, or -EBUSY if it is in use. */
int bench_unit_take(void)
{
	return atomic_cmpxchg(&bench_taken, 0, 1) ? -EBUSY : 0;
}

void bench_unit_release(void)
{
	atomic_set(&bench_taken, 0);
}

static u64 bench_clock(void)
{
	return mul_u64_u64_div_u64(ktime_get_ns(), BENCH_FREQUENCY, NSEC_PER_SEC);
}

/* Write reports from the tail on. The first is due when bit @exponent of the timestamp rises. */
void bench_unit_start(void)
{
	struct bench_unit *unit = &bench_unit;
	u64 half = BIT_ULL(unit->exponent);

	unit->cpu = smp_processor_id();
	unit->now = bench_clock();
	unit->due = ((unit->now + half) | (2 * half - 1)) - half + 1;
	unit->full = false;
	unit->running = true;
}

void bench_unit_stop(void)
{
	bench_unit.running = false;
}

/* Write ID, timestamp, context ID and clock. The counters are not needed and stay unchanged. */
static void bench_write_report(u32 *report, u64 timestamp)
{
	report[0] = FIELD_PREP(REPORT_ID_REASON, BIT(0)) | REPORT_ID_CONTEXT_VALID;
	report[1] = timestamp;
	report[2] = 1;
	report[3] = timestamp;
}

/* Set the unit's time to the current time and write all reports that are due. */
void bench_unit_advance(void)
{
	struct bench_unit *unit = &bench_unit;
	u32 head, tail = unit->tail, next;
	u64 now = bench_clock();

	/* Do not overwrite unread reports. Pairs with the release in copy_all(). */
	head = smp_load_acquire(&unit->head);
	for (; unit->due <= now && !unit->full; unit->due += 2ULL << unit->exponent) {
		next = (tail + BENCH_REPORT_SIZE) & (unit->size - 1);
		unit->full = next == head;
		if (unit->full)
			break;
		bench_write_report((u32 *)(unit->memory + tail), unit->due);
		tail = next;
	}
	/* Publish the reports after they were written. Pairs with the acquire in copy_check(). */
	smp_store_release(&unit->tail, tail);
	WRITE_ONCE(unit->now, now);
}
