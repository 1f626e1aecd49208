// SPDX-License-Identifier: GPL-2.0-only
/*
 * bench_cost.c - what the CPU spends on reports in interrupts, by the kernel's own tracepoints.
 */
#include <linux/debugfs.h>
#include <linux/errno.h>
#include <linux/limits.h>
#include <linux/preempt.h>
#include <linux/sched.h>
#include <linux/sched/clock.h>
#include <linux/smp.h>
#include <linux/string.h>
#include <linux/tracepoint.h>

#include "bench.h"

/**
 * DOC: What is measured
 *
 * Timer interrupts in which the unit is looked at, from the first to the last that the kernel does
 * in them: the poll itself, what perf writes, and that the timer is set again. Then, on the same
 * CPU, the interrupts in which perf wakes readers.
 *
 * Reports that are due are written when such an interrupt begins, and not on its time.
 *
 * An interrupt that comes while the reader runs is on the reader's own time, which it knows itself
 * (Debian's kernels do not account for interrupts apart). It is left out here, and no reports come
 * with it.
 */

/**
 * struct bench_cost - what was measured
 * @begin: when the interrupt began, local_clock(); 0: none of ours
 * @ours: it has to do with the unit
 * @ns: of all that are over
 * @reader: process on whose time interrupts are not measured
 */
struct bench_cost {
	u64 begin;
	bool ours;
	u64 ns;
	u32 reader;
};

static struct bench_cost bench_cost = { .reader = U32_MAX };

/* Somebody looks at the unit. */
void bench_cost_looked(void)
{
	if (in_hardirq())
		bench_cost.ours = true;
}

static bool cost_is_here(void)
{
	return bench_unit.running && smp_processor_id() == bench_unit.cpu &&
	       current->tgid != READ_ONCE(bench_cost.reader);
}

static void cost_begin(bool ours)
{
	bench_cost.ours = ours;
	bench_cost.begin = local_clock();
}

static void timer_entry(void *data, int vector)
{
	if (!cost_is_here())
		return;
	bench_unit_advance();
	cost_begin(false);
}

static void wake_entry(void *data, int vector)
{
	if (cost_is_here())
		cost_begin(true);
}

static void cost_end(void *data, int vector)
{
	u64 end = local_clock();

	if (!cost_is_here())
		return;
	if (bench_cost.begin && bench_cost.ours)
		WRITE_ONCE(bench_cost.ns, bench_cost.ns + end - bench_cost.begin);
	bench_cost.begin = 0;
}

/**
 * struct bench_probe - a place where the kernel tells us something
 * @name: name of the tracepoint
 * @function: what to call
 * @tracepoint: the tracepoint, once it is found
 */
struct bench_probe {
	const char *name;
	void (*function)(void *data, int vector);
	struct tracepoint *tracepoint;
};

static struct bench_probe bench_probes[] = {
	{ "local_timer_entry", timer_entry },
	{ "local_timer_exit", cost_end },
	{ "irq_work_entry", wake_entry },
	{ "irq_work_exit", cost_end },
};

static void probe_find(struct tracepoint *tracepoint, void *data)
{
	unsigned int i;

	for (i = 0; i < ARRAY_SIZE(bench_probes); i++)
		if (!strcmp(tracepoint->name, bench_probes[i].name))
			bench_probes[i].tracepoint = tracepoint;
}

static void probes_remove(unsigned int n)
{
	while (n--)
		tracepoint_probe_unregister(bench_probes[n].tracepoint, bench_probes[n].function,
					    NULL);
	tracepoint_synchronize_unregister();
}

static int probes_add(void)
{
	unsigned int i;
	int ret;

	for_each_kernel_tracepoint(probe_find, NULL);
	for (i = 0; i < ARRAY_SIZE(bench_probes); i++) {
		ret = bench_probes[i].tracepoint ?
			      tracepoint_probe_register(bench_probes[i].tracepoint,
							bench_probes[i].function, NULL) :
			      -ENOENT;
		if (ret) {
			probes_remove(i);
			return ret;
		}
	}

	return 0;
}

int bench_cost_init(struct dentry *dir)
{
	debugfs_create_u64("cost_ns", 0444, dir, &bench_cost.ns);
	debugfs_create_u32("reader", 0644, dir, &bench_cost.reader);

	return probes_add();
}

void bench_cost_exit(void)
{
	probes_remove(ARRAY_SIZE(bench_probes));
}
