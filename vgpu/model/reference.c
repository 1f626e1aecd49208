// SPDX-License-Identifier: GPL-2.0-only
/*
 * reference.c - exact reference values of counters between two points in time.
 */
#include "gpu.h"
#include "oa.h"
#include "platforms.h"
#include "reference.h"

/**
 * struct sim_reference - reference values, and the data to compute them
 * @asked: the query
 * @known: sources of the counters
 * @from: integrals at the first point in time
 * @to: integrals at the second point in time
 * @delta: difference of each counter
 * @cursor: iterates over the time in between
 */
struct sim_reference {
	struct sim_query asked;
	struct sim_selection known;
	__uint128_t from[SIM_N_SIGNALS];
	__uint128_t to[SIM_N_SIGNALS];
	u64 delta[SIM_MAX_COUNTERS];
	struct sim_cursor cursor;
};

static void add_deltas(struct sim_reference *reference, const __uint128_t *from,
		       const __uint128_t *to)
{
	const struct sim_oa_ops *ops = reference->asked.oa->ops;
	unsigned int i;

	for (i = 0; i < ops->n_counters; i++)
		reference->delta[i] += sim_counter_value(&reference->known, i, ops->first_b, to) -
				       sim_counter_value(&reference->known, i, ops->first_b, from);
}

/*
 * A unit without a context filter counts for all contexts. A reader adds up the differences over
 * those intervals in which the context ran. These are integers, so do the same here instead of
 * rounding only the sum.
 */
static void add_times(struct sim_reference *reference, const struct sim_timeline *timeline)
{
	struct sim_cursor *cursor = &reference->cursor;
	__uint128_t *sum = reference->to;
	u64 end = reference->asked.to;
	unsigned int i;

	sim_cursor_seek(timeline, SIM_GLOBAL, reference->asked.from, cursor);
	for (; cursor->from < end; sim_cursor_next(timeline, cursor)) {
		u64 ticks = min(cursor->to, end) - cursor->from;

		if (cursor->slot != reference->asked.stream)
			continue;
		for (i = 0; i < SIM_N_SIGNALS; i++)
			sum[i] = cursor->sum[i] + (__uint128_t)cursor->rate[i] * ticks;
		add_deltas(reference, cursor->sum, sum);
	}
}

/**
 * sim_reference_compute() - Compute reference values.
 * @query: the query, set by sim_reference_parse()
 *
 * Context: the device host excludes changes of the timeline; the GPU is not locked
 *
 * Return: the values, to be freed by sim_reference_free(); NULL if there is no memory
 */
struct sim_reference *sim_reference_compute(const struct sim_query *query)
{
	struct sim_reference *reference = kvcalloc(1, sizeof(*reference), GFP_KERNEL);
	struct sim_oa *oa = query->oa;
	const struct sim_timeline *timeline = &oa->gpu->timeline;
	unsigned long flags;

	if (!reference)
		return NULL;
	reference->asked = *query;
	raw_spin_lock_irqsave(&oa->gpu->lock, flags);
	reference->known = *sim_oa_known(oa);
	raw_spin_unlock_irqrestore(&oa->gpu->lock, flags);

	if (query->stream != SIM_GLOBAL && !oa->ops->filters)
		add_times(reference, timeline);
	sim_timeline_at(timeline, query->stream, query->from, reference->from);
	sim_timeline_at(timeline, query->stream, query->to, reference->to);
	if (query->stream == SIM_GLOBAL || oa->ops->filters)
		add_deltas(reference, reference->from, reference->to);

	return reference;
}

/**
 * sim_reference_free() - Free reference values.
 * @reference: the values
 */
void sim_reference_free(struct sim_reference *reference)
{
	kvfree(reference);
}

static void print_bank(struct seq_file *m, const struct sim_bank *bank, const u64 *delta)
{
	unsigned int i;

	if (bank->n == 1)
		seq_printf(m, "counter %s %llu\n", bank->name, delta[bank->first]);
	else
		for (i = 0; i < bank->n; i++)
			seq_printf(m, "counter %s%u %llu\n", bank->name, i, delta[bank->first + i]);
}

/**
 * sim_reference_print() - Print reference values.
 * @m: output file
 * @reference: the values
 */
void sim_reference_print(struct seq_file *m, const struct sim_reference *reference)
{
	const struct sim_oa *oa = reference->asked.oa;
	const struct sim_oa_ops *ops = oa->ops;
	unsigned int i;

	seq_printf(m, "set %s\n", reference->known.name ?: "unknown");
	seq_printf(m, "ticks %llu\n", reference->asked.to - reference->asked.from);
	for (i = 0; i < ops->n_banks; i++)
		print_bank(m, &ops->banks[i], reference->delta);
}

/* Get a time slot by its number, or by the hardware id of its context. */
static int reference_stream(const struct sim_gpu *gpu, u64 name, unsigned int *stream)
{
	int slot = name > U32_MAX ? -1 : sim_slot_find(gpu, name);

	if (slot < 0 && name < SIM_N_SLOTS)
		slot = name;
	if (slot < 0)
		return -ENOENT;
	*stream = slot;
	return 0;
}

/**
 * sim_reference_parse() - Parse a query.
 * @query: set to the query; &sim_query.oa is already set
 * @question: "FROM TO" or "FROM TO CONTEXT"
 *
 * Context: the device host excludes changes of the timeline
 *
 * Return: 0, -EINVAL for a syntax error, -ERANGE if a time is in the future, in a jump of the
 * visible timestamp or too long ago, or if they are in the wrong order, -ENOENT if there is no such
 * context
 */
int sim_reference_parse(struct sim_query *query, const char *question)
{
	struct sim_gpu *gpu = query->oa->gpu;
	struct sim_query asked = { .oa = query->oa, .set = true, .stream = SIM_GLOBAL };
	u64 now = sim_now(gpu), from, to, context;
	int n, ret;

	n = sscanf(question, "%lli %lli %lli", &from, &to, &context);
	if (n < 2)
		return -EINVAL;
	ret = sim_timeline_tick(&gpu->timeline, now, from, &asked.from);
	if (!ret)
		ret = sim_timeline_tick(&gpu->timeline, now, to, &asked.to);
	if (!ret && asked.from > asked.to)
		ret = -ERANGE;
	if (!ret && n == 3)
		ret = reference_stream(gpu, context, &asked.stream);
	if (!ret)
		*query = asked;

	return ret;
}
