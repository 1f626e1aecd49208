// SPDX-License-Identifier: MIT
/* open.c - open query pools: check the options and select the hardware description */
#include <errno.h>
#include <inttypes.h>
#include <stdlib.h>

#include "base/sized.h"
#include "extra/query/layout.h"
#include "extra/query/pool.h"
#include "reader/stream/stream_private.h"

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
		 * Generations with a format for batches also have compute engines, some without a
		 * usable format.
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

/* Without its registers, a query has only the counters of a stream. */
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
	/* Owned by the caller, valid only during this call. */
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

/* Since gen8, addresses have 48 bits and are sign-extended. */
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

int query_pool_open(struct programmed *programmed, const struct gpuoa_constants *constants,
		    const struct gpuoa_query_options *options, void *memory, size_t memory_size,
		    uint64_t address, struct gpuoa_query_pool **pool,
		    const struct complaint *complaint)
{
	struct gpuoa_query_pool *new;
	int err = pool_new(programmed->set, constants, options, &new, complaint);

	if (err)
		return err;
	err = attach(new, memory, memory_size, address, complaint);
	if (err) {
		gpuoa_query_pool_close(new);
		return err;
	}
	new->programmed = programmed_get(programmed);
	*pool = new;
	return 0;
}

/*
 * Set the format of query reports to the stream's, unless the hardware has a separate one. Returns
 * 0 or a negative errno.
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
