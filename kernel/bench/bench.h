/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * bench.h - declarations shared by the files of gpuoa_bench.ko.
 */
#ifndef _BENCH_H
#define _BENCH_H

#include <linux/types.h>

struct dentry;
struct device;
struct page;

#define BENCH_NAME "gpuoa_bench"

/*
 * Timestamp frequency, in Hz. With timer exponent e, a report is written every 2^(e+1) ticks:
 * 10,000 per second with e = 9.
 */
#define BENCH_FREQUENCY 10240000

#define BENCH_REPORT_SIZE 256

/**
 * struct bench_unit - an OA unit that writes reports outside of the measured time
 *
 * The unit is started, stopped and polled on @cpu with interrupts off. Its time advances only at
 * the start of a timer interrupt on @cpu. Other CPUs also access the members marked (any CPU).
 *
 * @memory: the OA buffer
 * @size: size of the buffer in bytes, a power of two
 * @exponent: timer exponent
 * @cpu: the CPU that uses the unit, valid while it is @running
 * @running: the unit writes reports
 * @full: the buffer has overflowed
 * @now: current time of the unit, in ticks (any CPU)
 * @due: time of the next report, in ticks
 * @tail: offset of the next report (any CPU)
 * @head: offset of the first unread report (any CPU)
 */
struct bench_unit {
	u8 *memory;
	u32 size;
	u32 exponent;
	int cpu;
	bool running;
	bool full;
	u64 now;
	u64 due;
	u32 tail;
	u32 head;
};

/* bench_unit.c */
extern struct bench_unit bench_unit;
int bench_unit_take(void);
void bench_unit_release(void);
void bench_unit_start(void);
void bench_unit_stop(void);
void bench_unit_advance(void);

/* bench_host.c */
int bench_host_init(struct device *parent);
void bench_host_exit(void);

/* bench_copy.c */
void bench_copy_init(struct dentry *dir);

/* bench_cost.c */
int bench_cost_init(struct dentry *dir);
void bench_cost_exit(void);
void bench_cost_looked(void);

#endif /* _BENCH_H */
