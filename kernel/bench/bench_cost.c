// SPDX-License-Identifier: GPL-2.0-only
/*
 * bench_cost.c - measures CPU time spent on reports in interrupts, with the kernel's tracepoints.
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
 * DOC: Measured time
 *
 * The module measures timer interrupts that poll the unit, from entry to exit. They include the
 * poll, perf's writes and the restart of the timer. It adds the irq_work interrupts on the same
 * CPU, in which perf wakes up readers.
 *
 * Due reports are written at the start of a timer interrupt, before the measurement begins.
 *
 * Interrupts during the reader's execution are excluded, because the reader's CPU time includes
 * them (Debian's kernels have no separate accounting of interrupts). No reports are written in
 * them.
 */

/**
 * struct bench_cost - the measurement
 * @begin: local_clock() at the start of the current interrupt, in ns; 0 if it is not measured
 * @ours: the current interrupt works for the unit
 * @ns: total time of finished interrupts, in ns
 * @reader: TGID of the process during which interrupts are excluded
 */
struct bench_cost {
	u64 begin;
	bool ours;
	u64 ns;
	u32 reader;
};

static struct bench_cost bench_cost = { .reader = U32_MAX };

/* Called at each poll of the unit: count the current interrupt. */
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
 * struct bench_probe - a probe on a tracepoint
 * @name: name of the tracepoint
 * @function: probe function
 * @tracepoint: the tracepoint, or NULL before it is found
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
