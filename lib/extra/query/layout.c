// SPDX-License-Identifier: MIT
/* layout.c - compute a pool's sizes, command counts and the maximum duration of a query */
#include "extra/query/layout.h"

#include <errno.h>
#include <math.h>
#include <stdlib.h>

#include "extra/query/emit.h"

#define LINE 64 /* alignment of reports in bytes */

static uint32_t round_up(uint32_t size)
{
	return (size + LINE - 1) / LINE * LINE;
}

static uint32_t registers_of(const struct gpuoa_query_pool *pool)
{
	const struct query_hardware *hardware = pool->hardware;
	uint32_t registers = 0;

	if (hardware->perfcnt)
		registers |= GPUOA_QUERY_REGISTER_PERFCNT;
	if (hardware->frequency.reg)
		registers |= GPUOA_QUERY_REGISTER_FREQUENCY;
	if (hardware->status)
		registers |= GPUOA_QUERY_REGISTER_STATUS;
	if (hardware->a36)
		registers |= GPUOA_QUERY_REGISTER_A36_A37;
	return registers & ~pool->options.leave_out;
}

/* Add a note to the format, so that the calculator reads it like a counter of the report. */
static void add_counter(struct gpuoa_query_pool *pool, enum counter_bank bank, uint8_t index,
			uint8_t bits, size_t note)
{
	struct report_range *range = pool->format.ranges;

	while (range->count)
		range++;
	*range = (struct report_range){
		.bank = bank,
		.first = index,
		.count = 1,
		.field = { .bits = bits, .offset = (uint16_t)(pool->notes_offset + note) },
	};
}

static void add_counters(struct gpuoa_query_pool *pool)
{
	const uint32_t registers = pool->desc.registers;

	for (uint8_t i = 0; registers & GPUOA_QUERY_REGISTER_PERFCNT && i < QUERY_PERFCNT_COUNT;
	     i++)
		add_counter(pool, BANK_PERFCNT, i, QUERY_PERFCNT_BITS,
			    offsetof(struct query_notes, perfcnt[i]));
	for (uint8_t i = 0; registers & GPUOA_QUERY_REGISTER_A36_A37 && i < QUERY_A36_COUNT; i++)
		add_counter(pool, BANK_A, 36 + i, 32, offsetof(struct query_notes, a36[i]));
}

void query_lay_out(struct gpuoa_query_pool *pool, const struct report_format *format)
{
	struct gpuoa_query_desc *desc = &pool->desc;

	pool->notes_offset = round_up(format->size);
	pool->format = *format;
	pool->format.size = (uint16_t)(pool->notes_offset + sizeof(struct query_notes));
	desc->registers = registers_of(pool);
	add_counters(pool);
	desc->alignment = LINE;
	desc->end_offset = pool->format.size;
	desc->slot_size = 2 * desc->end_offset;
	desc->memory_size = (uint64_t)desc->slot_size * pool->options.count;
	desc->begin_dwords = (uint32_t)query_emit_begin(pool, 0, 0, NULL);
	desc->end_dwords = (uint32_t)query_emit_end(pool, 0, 0, NULL);
}

/* Limits that no GPU exceeds, for GPUs with unknown values */
#define EUS_MAX 4096
#define FREQUENCY_MAX 5000000000ull

/*
 * Maximum number of events per clock if no metric limits a counter. Like the kernel, assume two per
 * EU for a counter of bank A. Since gen8, counters from A32 on, which have 32 bits instead of 40,
 * count messages of subslices (L3 accesses, atomics, barriers): assume two per subslice. The
 * boolean logic that feeds B and C adds at most two.
 */
#define EVENTS_MAX 2
#define A_OF_SUBSLICES 32

/* Clocks at which metrics are evaluated: large, so that rounding is negligible */
#define PROBE_CLOCKS 256
#define PROBE_ERROR 0.001

static uint64_t known_or(const struct gpuoa_constants *constants, const char *name,
			 uint64_t unknown)
{
	uint64_t value;

	return gpuoa_constants_get(constants, name, &value) || !value ? unknown : value;
}

/* A hypothetical second at the maximum frequency in which only one counter advances */
struct probe {
	const struct gpuoa_set *set;
	const struct gpuoa_constants *constants;
	uint64_t hz; /* frequency of the GPU's clock */
	uint64_t a_sources; /* number of units that a counter of bank A sums up */
	uint64_t late_a_sources; /* number of units for counters from A32 on */
	uint64_t ticks_per_second;
	uint32_t clock_counter; /* counter of clocks, as on Haswell; COUNTER_COUNT: none */
	bool *limited; /* metrics that are available and have a maximum */
	bool *available;
	union number *values; /* values of all metrics */
};

static uint32_t find_clock_counter(const struct gpuoa_set *set)
{
	const struct gpuoa_metric *metric = gpuoa_set_find_metric(set, "GpuCoreClocks");
	const uint32_t *code = metric ? table_follow(&metric->equation) : NULL;

	if (!code || code_length(code) != 1 || code_op(code[1]) != CODE_COUNTER)
		return COUNTER_COUNT;
	return code_argument(code[1]);
}

/* The constants of gen8 to gen11, of gen12.0, and of gen12.5 and later */
static uint64_t subslices(const struct gpuoa_constants *constants, uint64_t unknown)
{
	const uint64_t xe_cores = known_or(constants, "XeCoreTotalCount", unknown);
	const uint64_t dual = known_or(constants, "EuDualSubslicesTotalCount", xe_cores);

	return known_or(constants, "EuSubslicesTotalCount", dual);
}

static int probe_begin(struct probe *probe, const struct gpuoa_query_pool *pool)
{
	const struct gpuoa_metric *metrics = set_metrics(pool->set);
	const uint32_t count = pool->set->metric_count;

	*probe = (struct probe){
		.set = pool->set,
		.constants = pool->calc->constants,
		.hz = known_or(pool->calc->constants, "GpuMaxFrequency", FREQUENCY_MAX),
		.ticks_per_second = pool->timestamp_frequency,
		.clock_counter = find_clock_counter(pool->set),
		.limited = calloc(count, sizeof(*probe->limited)),
		.available = calloc(count, sizeof(*probe->available)),
		.values = calloc(count, sizeof(*probe->values)),
	};
	probe->a_sources = known_or(probe->constants, "EuCoresTotalCount", EUS_MAX);
	probe->late_a_sources = probe->a_sources;
	if (format_counter(&pool->format, counter_number(BANK_A, 0)).bits > 32)
		probe->late_a_sources = subslices(probe->constants, probe->a_sources);
	if (!probe->limited || !probe->available || !probe->values)
		return -ENOMEM;
	for (uint32_t i = 0; i < count; i++) {
		probe->available[i] =
			gpuoa_metric_available(&metrics[i], probe->constants, NULL, 0) > 0;
		probe->limited[i] = probe->available[i] && table_follow(&metrics[i].max);
	}
	return 0;
}

static void probe_end(struct probe *probe)
{
	free(probe->limited);
	free(probe->available);
	free(probe->values);
}

static double as_real(union number value, enum gpuoa_value_type type)
{
	return type == GPUOA_TYPE_FLOAT ? value.real : (double)value.integer;
}

/*
 * Evaluate all metrics with @counter at @count. @values and @maxima receive those with a maximum.
 */
static void probe_at(struct probe *probe, uint32_t counter, uint64_t count, double *values,
		     double *maxima)
{
	const struct gpuoa_metric *metrics = set_metrics(probe->set);
	uint64_t counters[COUNTER_COUNT] = { 0 };
	const struct evaluation evaluation = {
		.constants = probe->constants,
		.counters = counters,
		.timestamp = probe->ticks_per_second,
		.clock = probe->hz,
		.metrics = probe->values,
	};

	if (probe->clock_counter < COUNTER_COUNT)
		counters[probe->clock_counter] = probe->hz;
	counters[counter] = count;
	for (uint32_t i = 0; i < probe->set->metric_count; i++) {
		const enum gpuoa_value_type type = metric_definition(&metrics[i])->type;

		probe->values[i] = (union number){ .integer = 0 };
		if (probe->available[i])
			probe->values[i] =
				evaluate(table_follow(&metrics[i].equation), &evaluation, type);
		if (!probe->limited[i])
			continue;
		values[i] = as_real(probe->values[i], type);
		maxima[i] =
			as_real(evaluate(table_follow(&metrics[i].max), &evaluation, type), type);
	}
}

static bool about(double a, double b)
{
	return fabs(a - b) <= PROBE_ERROR * fabs(b);
}

static double rate_without_maximum(const struct probe *probe, uint32_t counter)
{
	const double rate = (double)probe->hz * EVENTS_MAX;

	if (counter / BANK_SIZE != BANK_A)
		return rate;
	return rate * (double)(counter % BANK_SIZE < A_OF_SUBSLICES ? probe->a_sources :
								      probe->late_a_sources);
}

/*
 * Maximum rate of a counter in events per second. If a metric is proportional to the counter, its
 * maximum limits the rate.
 */
static double counter_rate(struct probe *probe, uint32_t counter)
{
	const uint32_t n = probe->set->metric_count;
	const uint64_t count = PROBE_CLOCKS * probe->hz;
	double rate = INFINITY, *room;

	if (counter == probe->clock_counter)
		return (double)probe->hz;
	room = calloc(n, 6 * sizeof(*room));
	if (!room)
		return rate_without_maximum(probe, counter);
	probe_at(probe, counter, 0, room, room + n);
	probe_at(probe, counter, count, room + 2 * n, room + 3 * n);
	probe_at(probe, counter, 2 * count, room + 4 * n, room + 5 * n);
	for (uint32_t i = 0; i < n; i++) {
		const double value = room[2 * n + i], max = room[3 * n + i];
		const bool linear = probe->limited[i] && !room[i] && value > 0 && max > 0 &&
				    about(room[4 * n + i], 2 * value) && max == room[n + i] &&
				    max == room[5 * n + i];

		if (linear && (double)count * max / value < rate)
			rate = (double)count * max / value;
	}
	free(room);
	return rate < INFINITY ? rate : rate_without_maximum(probe, counter);
}

/* Ticks until a counter of @bits bits that advances at @rate per second can wrap. */
static uint64_t ticks_to_fill(uint32_t bits, double rate, uint64_t ticks_per_second)
{
	const double ticks = ldexp((double)ticks_per_second, (int)bits) / rate;

	return bits >= 64 || ticks >= 0x1p64 ? UINT64_MAX : (uint64_t)ticks;
}

int query_measure(struct gpuoa_query_pool *pool)
{
	const struct program *program = pool->calc->program;
	uint64_t *longest = calloc(program->input_count, sizeof(*longest));
	struct probe probe = { 0 };
	int err = longest ? probe_begin(&probe, pool) : -ENOMEM;

	pool->longest = longest;
	pool->desc.longest_ticks = UINT64_MAX;
	for (uint32_t i = 0; !err && i < program->input_count; i++) {
		const struct program_input *input = &program->inputs[i];
		double rate = (double)probe.hz;

		longest[i] = UINT64_MAX;
		if (input->absolute || input->field.bits >= 64)
			continue;
		if (input->source < COUNTER_COUNT)
			rate = counter_rate(&probe, input->source);
		else if (input->source == SOURCE_TIMESTAMP && pool->timestamp_frequency)
			rate = (double)pool->timestamp_frequency;
		/*
		 * The command streamer's timestamp, which detects the wrap, may run at half the
		 * rate.
		 */
		longest[i] = ticks_to_fill(input->field.bits - (input->source == SOURCE_TIMESTAMP),
					   rate, pool->timestamp_frequency);
		if (longest[i] < pool->desc.longest_ticks)
			pool->desc.longest_ticks = longest[i];
	}
	probe_end(&probe);
	return err;
}
