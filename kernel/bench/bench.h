/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * bench.h - what the files of gpuoa_bench.ko share.
 */
#ifndef _BENCH_H
#define _BENCH_H

#include <linux/types.h>

struct dentry;
struct device;
struct page;

#define BENCH_NAME "gpuoa_bench"

/* With timer exponent e, a report comes every 2^(e+1) ticks: 10,000 a second with e = 9. */
#define BENCH_FREQUENCY 10240000

#define BENCH_REPORT_SIZE 256

/**
 * struct bench_unit - an OA unit whose reports cost nothing
 *
 * It is started, stopped and looked at on @cpu with interrupts off, and time passes for it only
 * when a timer interrupt begins there. What is marked so is looked at on other CPUs, too.
 *
 * @memory: the OABUFFER
 * @size: bytes of it, a power of two
 * @exponent: timer exponent
 * @cpu: the CPU it is used on, while it is @running
 * @running: it writes reports
 * @full: it had no room for one
 * @now: the time, ticks (any CPU)
 * @due: when to write the next report
 * @tail: offset where it goes (any CPU)
 * @head: offset of the first one that was not read (any CPU)
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
