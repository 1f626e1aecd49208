// SPDX-License-Identifier: MIT
/* open.c - open query pools: check the options and select the hardware description */
#include <errno.h>
#include <inttypes.h>
#include <math.h>
#include <stdlib.h>

#include "base/sized.h"
#include "extra/query/emit.h"
#include "extra/query/pool.h"
#include "reader/stream/stream_private.h"

void gpuoa_query_pool_close(struct gpuoa_query_pool *pool)
{
	if (!pool)
		return;
	programmed_put(pool->programmed);
	gpuoa_calc_close(pool->calc);
	free(pool->longest);
	free(pool->queries);
	free(pool->scratch);
	free(pool->row);
	free(pool);
}

void gpuoa_query_pool_describe(const struct gpuoa_query_pool *pool, struct gpuoa_query_desc *desc,
			       size_t size)
{
	sized_give(desc, size, &pool->desc, sizeof(pool->desc));
}

const struct gpuoa_calc *gpuoa_query_calc(const struct gpuoa_query_pool *pool)
{
	return pool->calc;
}

int query_check(const struct gpuoa_query_pool *pool, uint32_t query,
		const struct complaint *complaint)
{
	if (query >= pool->options.count)
		return COMPLAIN(complaint, -ERANGE, "there is no query %u: the pool has %u", query,
				pool->options.count);
	return 0;
}

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

/*
 * Add a counter that is stored alongside the report to the pool's format, so that the calculator
 * can read it.
 */
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

/*
 * Fill in the pool's description and format. The format is @format, extended by the values stored
 * alongside a report.
 */
static void query_lay_out(struct gpuoa_query_pool *pool, const struct report_format *format)
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

/* Upper bounds for all GPUs, used where the values of the GPU are unknown */
#define EUS_MAX 4096
#define FREQUENCY_MAX 5000000000ull

/*
 * Maximum number of events per clock that a counter counts, for counters that no metric limits.
 * Like the kernel, assume two per EU for a counter of bank A. Since gen8, counters from A32 on,
 * which have 32 bits instead of 40, count messages of subslices (L3 accesses, atomics, barriers):
 * assume two per subslice. The boolean logic that feeds the counters of banks B and C adds at most
 * two.
 */
#define EVENTS_MAX 2
#define A_OF_SUBSLICES 32

/* Number of clock cycles at which metrics are evaluated: large, so that rounding is negligible */
#define PROBE_CLOCKS 256
#define PROBE_ERROR 0.001

static uint64_t known_or(const struct gpuoa_constants *constants, const char *name,
			 uint64_t unknown)
{
	uint64_t value;

	return gpuoa_constants_get(constants, name, &value) || !value ? unknown : value;
}

/*
 * Metrics are evaluated for a hypothetical second at the maximum frequency in which only one
 * counter advances.
 */
struct probe {
	const struct gpuoa_set *set;
	const struct gpuoa_constants *constants;
	uint64_t hz; /* frequency of the GPU's clock */
	uint64_t a_sources; /* number of EUs whose events a counter of bank A adds up */
	/* number of subslices whose events a counter from A32 on adds up */
	uint64_t late_a_sources;
	uint64_t ticks_per_second;
	/* counter that counts clock cycles, as on Haswell; COUNTER_COUNT: none */
	uint32_t clock_counter;
	bool *limited; /* for each metric of the set: whether it is available and has a maximum */
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

/*
 * Return the number of subslices. The constant that has it differs between gen8 to gen11, gen12.0,
 * and gen12.5 and later.
 */
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
 * Evaluate all metrics with @counter at @count and all other counters at 0. @values, @maxima:
 * results for metrics that have a maximum
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
 * Return the maximum rate of a counter in events per second. If a metric is proportional to the
 * counter, the maximum of the metric limits the rate.
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

/*
 * Return the number of ticks after which a counter of @bits bits can wrap, if it advances at @rate
 * events per second.
 */
static uint64_t ticks_to_fill(uint32_t bits, double rate, uint64_t ticks_per_second)
{
	const double ticks = ldexp((double)ticks_per_second, (int)bits) / rate;

	return bits >= 64 || ticks >= 0x1p64 ? UINT64_MAX : (uint64_t)ticks;
}

/*
 * Compute how long a query can last before a counter of its metrics may wrap twice. Returns 0 or
 * -ENOMEM.
 */
static int query_measure(struct gpuoa_query_pool *pool)
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
		 * The timestamp of the command streamer, which detects a wrap of reports'
		 * timestamps, may run at half their rate.
		 */
		longest[i] = ticks_to_fill(input->field.bits - (input->source == SOURCE_TIMESTAMP),
					   rate, pool->timestamp_frequency);
		if (longest[i] < pool->desc.longest_ticks)
			pool->desc.longest_ticks = longest[i];
	}
	probe_end(&probe);
	return err;
}

#define COUNT_MAX (1u << 20)
#define REPORT_ALIGN 64 /* required by MI_REPORT_PERF_COUNT */

/* Size of the options in the first version of the library. */
#define OPTIONS_SIZE_MIN sizeof(struct gpuoa_query_options)

static int check_metrics(const struct gpuoa_set *set, const struct gpuoa_calc_options *calc,
			 const struct complaint *complaint)
{
	if (!calc)
		return 0;
	if (calc->reasons || calc->context_filter)
		return COMPLAIN(complaint, -EINVAL,
				"a query has no reports that could be filtered");
	for (size_t i = 0; calc->metrics && i < calc->metric_count; i++)
		if (!calc->metrics[i] || metric_set(calc->metrics[i]) != set)
			return COMPLAIN(complaint, -EINVAL, "metric %zu is not one of %s", i,
					table_string(&set->symbol));
	return 0;
}

static int take_options(struct gpuoa_query_pool *pool, const struct gpuoa_query_options *options,
			const struct complaint *complaint)
{
	struct gpuoa_query_options *known = &pool->options;
	int err;

	if (!options)
		return COMPLAIN(complaint, -EINVAL, "there are no options");
	err = sized_take(known, sizeof(*known), options, OPTIONS_SIZE_MIN, "the options",
			 complaint);
	if (err)
		return err;
	if (!known->count || known->count > COUNT_MAX)
		return COMPLAIN(complaint, -E2BIG, "a pool has 1 to %u queries, not %u", COUNT_MAX,
				known->count);
	if (!known->mode)
		known->mode = GPUOA_QUERY_RENDER;
	if (known->null_hardware)
		return COMPLAIN(complaint, -EOPNOTSUPP,
				"no GPU lets a user's batch switch off its work: leave it out of "
				"the batch");
	return check_metrics(pool->set, known->calc, complaint);
}

static int check_mode(const struct gpuoa_query_pool *pool, const char *platform,
		      const struct complaint *complaint)
{
	switch (pool->options.mode) {
	case GPUOA_QUERY_NONE:
	case GPUOA_QUERY_RENDER:
		return 0;
	case GPUOA_QUERY_COMPUTE:
		/*
		 * Generations with a separate format for batches also have compute engines, but
		 * some of these have no usable format.
		 */
		if (pool->hardware->format && !pool->hardware->has_compute)
			return COMPLAIN(complaint, -EOPNOTSUPP,
					"reports of %s's compute engines lack counters of every "
					"set: run the batch on the render engine",
					platform);
		return 0;
	case GPUOA_QUERY_GLOBAL:
		if (pool->hardware->own_counters)
			return COMPLAIN(complaint, -EOPNOTSUPP,
					"batches of %s show what their own context does: use a "
					"stream to see all",
					platform);
		return 0;
	}
	return COMPLAIN(complaint, -EINVAL, "there is no query mode %d", (int)pool->options.mode);
}

static int find_hardware(struct gpuoa_query_pool *pool, const struct complaint *complaint)
{
	const struct gpuoa_set *set = pool->set;
	const char *platform = gpuoa_platform_name(set_platform(set));
	const char *unit = table_string(&set->unit);

	pool->hardware = query_hardware_find(platform);
	if (!pool->hardware)
		return COMPLAIN(complaint, -EOPNOTSUPP, "nothing is known of batches of %s",
				platform);
	if (strcmp(unit, "OA") != 0)
		return COMPLAIN(complaint, -EOPNOTSUPP,
				"%s is a set of unit %s, which batches have no reports of",
				table_string(&set->symbol), unit);
	return check_mode(pool, platform, complaint);
}

static int choose_format(struct gpuoa_query_pool *pool, const struct complaint *complaint)
{
	const uint32_t own = pool->hardware->format, asked = pool->options.format;
	const struct report_format *format;

	if (own && asked && own != asked)
		return COMPLAIN(complaint, -EOPNOTSUPP, "batches have reports of format %s only",
				gpuoa_format_name(own));
	pool->desc.needs_context = pool->hardware->own_counters;
	pool->desc.format = own ? own : asked ? asked : pool->set->format;
	format = format_get(pool->desc.format);
	if (!format)
		return COMPLAIN(complaint, -EINVAL, "there is no format %u", pool->desc.format);
	query_lay_out(pool, format);
	return 0;
}

/* If the additional registers are not stored, a query has only the counters that streams have. */
static enum gpuoa_query_mode mode_of_constants(const struct gpuoa_query_pool *pool)
{
	bool all = pool->desc.registers & GPUOA_QUERY_REGISTER_PERFCNT || !pool->hardware->perfcnt;

	return all ? pool->options.mode : GPUOA_QUERY_NONE;
}

static int open_calc(struct gpuoa_query_pool *pool, const struct gpuoa_constants *constants,
		     const struct complaint *complaint)
{
	const struct gpuoa_calc_options *options = pool->options.calc;
	struct gpuoa_constants *own;
	int err = gpuoa_constants_copy(constants, &own);

	if (err)
		return err;
	err = gpuoa_constants_set(own, "QueryMode", mode_of_constants(pool));
	if (!err)
		err = calc_open_format(pool->set, own, &pool->format, options, &pool->calc,
				       complaint);
	gpuoa_constants_free(own);
	if (err == -ENXIO)
		return COMPLAIN(complaint, err, "reports of batches (%s) lack a counter of %s",
				pool->format.name, table_string(&pool->set->symbol));
	return err;
}

static int alloc_queries(struct gpuoa_query_pool *pool)
{
	pool->queries = calloc(pool->options.count, sizeof(*pool->queries));
	pool->scratch = aligned_alloc(REPORT_ALIGN, pool->format.size);
	pool->row = calloc(gpuoa_calc_output_count(pool->calc) + 1, sizeof(*pool->row));
	return pool->queries && pool->scratch && pool->row ? 0 : -ENOMEM;
}

static int pool_init(struct gpuoa_query_pool *pool, const struct gpuoa_constants *constants,
		     const struct gpuoa_query_options *options, const struct complaint *complaint)
{
	int err = take_options(pool, options, complaint);

	if (!err)
		err = find_hardware(pool, complaint);
	if (!err)
		err = choose_format(pool, complaint);
	if (!err)
		err = open_calc(pool, constants, complaint);
	if (!err)
		err = alloc_queries(pool);
	if (err)
		return err;
	/*
	 * Forget the calculator's options, which the caller owns and which are valid only during
	 * this call.
	 */
	pool->options.calc = NULL;
	if (gpuoa_constants_get(constants, "GpuTimestampFrequency", &pool->timestamp_frequency))
		pool->timestamp_frequency = 0;
	return query_measure(pool);
}

/* Create a pool without memory. */
static int pool_new(const struct gpuoa_set *set, const struct gpuoa_constants *constants,
		    const struct gpuoa_query_options *options, struct gpuoa_query_pool **pool,
		    const struct complaint *complaint)
{
	struct gpuoa_query_pool *new;
	int err;

	if (!set || !constants)
		return COMPLAIN(complaint, -EINVAL, "there is no %s", set ? "constants" : "set");
	if (!constants_fit(constants, set_platform(set)))
		return COMPLAIN(complaint, -EINVAL, "the constants are not those of %s",
				gpuoa_platform_name(set_platform(set)));
	new = calloc(1, sizeof(*new));
	if (!new)
		return -ENOMEM;
	new->set = set;
	err = pool_init(new, constants, options, complaint);
	if (err) {
		gpuoa_query_pool_close(new);
		return err;
	}
	*pool = new;
	return 0;
}

int gpuoa_query_describe(const struct gpuoa_set *set, const struct gpuoa_constants *constants,
			 const struct gpuoa_query_options *options, struct gpuoa_query_desc *desc,
			 size_t size, char *error, size_t error_size)
{
	const struct complaint complaint = complaint_begin(error, error_size);
	struct gpuoa_query_pool *pool;
	int err = pool_new(set, constants, options, &pool, &complaint);

	if (err)
		return complaint_end(&complaint, err);
	sized_give(desc, size, &pool->desc, sizeof(pool->desc));
	gpuoa_query_pool_close(pool);
	return 0;
}

/* Check the address: since gen8, addresses have 48 bits and are sign-extended. */
static bool reaches(const struct gpuoa_query_pool *pool, uint64_t address)
{
	const uint64_t upper = address >> 47;

	if (pool->hardware->address_dwords == 1)
		return address <= UINT32_MAX;
	return upper <= 1 || upper == UINT64_MAX >> 47;
}

static int attach(struct gpuoa_query_pool *pool, void *memory, size_t size, uint64_t address,
		  const struct complaint *complaint)
{
	const uint64_t wanted = pool->desc.memory_size;

	if (size < wanted)
		return COMPLAIN(complaint, -ENOBUFS, "%u queries need %" PRIu64 " bytes, not %zu",
				pool->options.count, wanted, size);
	if (address % REPORT_ALIGN || (uintptr_t)memory % REPORT_ALIGN)
		return COMPLAIN(complaint, -EDOM, "memory and address must be multiples of %d",
				REPORT_ALIGN);
	if (!reaches(pool, address) || !reaches(pool, address + wanted - 1) ||
	    address + wanted < address)
		return COMPLAIN(complaint, -EOVERFLOW,
				"no command reaches 0x%" PRIx64 " and %" PRIu64 " bytes there",
				address, wanted);
	pool->memory = memory;
	pool->address = address;
	return gpuoa_query_reset(pool, 0, pool->options.count, NULL, 0);
}

static int open_attached(const struct gpuoa_set *set, const struct gpuoa_constants *constants,
			 const struct gpuoa_query_options *options, void *memory,
			 size_t memory_size, uint64_t address, struct gpuoa_query_pool **pool,
			 const struct complaint *complaint)
{
	struct gpuoa_query_pool *new;
	int err = pool_new(set, constants, options, &new, complaint);

	if (err)
		return err;
	err = attach(new, memory, memory_size, address, complaint);
	if (err)
		gpuoa_query_pool_close(new);
	else
		*pool = new;
	return err;
}

int query_pool_open(struct programmed *programmed, const struct gpuoa_constants *constants,
		    const struct gpuoa_query_options *options, void *memory, size_t memory_size,
		    uint64_t address, struct gpuoa_query_pool **pool,
		    const struct complaint *complaint)
{
	int err = open_attached(programmed->set, constants, options, memory, memory_size, address,
				pool, complaint);

	if (!err)
		(*pool)->programmed = programmed_get(programmed);
	return err;
}

int gpuoa_query_pool_open_set(const struct gpuoa_set *set, const struct gpuoa_constants *constants,
			      const struct gpuoa_query_options *options, void *memory,
			      size_t memory_size, uint64_t address, struct gpuoa_query_pool **pool,
			      char *error, size_t error_size)
{
	const struct complaint complaint = complaint_begin(error, error_size);

	return complaint_end(&complaint, open_attached(set, constants, options, memory, memory_size,
						       address, pool, &complaint));
}

/*
 * Set the format of query reports: that of the stream, unless the hardware has a separate one.
 * Returns 0 or a negative errno.
 */
static int take_format(const struct gpuoa_reader_desc *desc, struct gpuoa_query_options *options,
		       const struct query_hardware *hardware, const struct complaint *complaint)
{
	if (options->format && !hardware->format && options->format != desc->format)
		return COMPLAIN(
			complaint, -EINVAL,
			"queries have reports of format %s: the stream of the pool has them",
			gpuoa_format_name(desc->format));
	if (!hardware->format)
		options->format = desc->format;
	if (!hardware->own_counters || desc->context_filter)
		return 0;
	return COMPLAIN(complaint, -ENOTCONN,
			"the stream of the pool has no context filter: set .context_filter to the "
			"context of the batches");
}

int gpuoa_query_pool_open(struct gpuoa_reader *stream, const struct gpuoa_query_options *options,
			  void *memory, size_t memory_size, uint64_t address,
			  struct gpuoa_query_pool **pool, char *error, size_t error_size)
{
	const struct complaint complaint = complaint_begin(error, error_size);
	struct programmed *programmed = stream_programmed(stream);
	const struct gpuoa_constants *constants = gpuoa_reader_constants(stream);
	const struct query_hardware *hardware;
	struct gpuoa_query_options actual;
	struct gpuoa_reader_desc desc;
	struct gpuoa_unit_desc unit;
	int err;

	if (!options)
		return COMPLAIN(&complaint, -EINVAL, "there are no options");
	if (!programmed || !constants)
		return COMPLAIN(&complaint, -EOPNOTSUPP,
				"only a stream of a unit has that count for queries");
	err = sized_take(&actual, sizeof(actual), options, sizeof(actual), "the options",
			 &complaint);
	if (err)
		return err;
	actual.size = sizeof(actual);
	gpuoa_reader_describe(stream, &desc, sizeof(desc));
	gpuoa_reader_describe_unit(stream, &unit, sizeof(unit));
	hardware = query_hardware_find(unit.platform);
	if (hardware)
		err = take_format(&desc, &actual, hardware, &complaint);
	if (!err)
		err = query_pool_open(programmed, constants, &actual, memory, memory_size, address,
				      pool, &complaint);
	return complaint_end(&complaint, err);
}
