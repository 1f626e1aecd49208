// SPDX-License-Identifier: MIT
/*
 * gpus_query.c - Test queries in batches on virtual GPUs of all kinds: the results equal the
 * simulator's true counts while a stream of the same set is open.
 */
#include "gpuoa-query.h"

#include <errno.h>
#include <inttypes.h>
#include <stdlib.h>
#include <unistd.h>

#include "selftests/batch.h"
#include "selftests/sim.h"
#include "sim_unit.h"
#include "tap.h"

#define UNITS_MAX 32
#define BATCH 0x100000
#define BATCH_SIZE 0x100000
#define POOL 0x400000
#define QUERIES 20
#define CLOCKS 1000000ULL
#define PERIOD_NS 100000
#define COLUMNS 512
#define REPORTS 20000
#define SLOW_MS 20000

static struct sim_unit units[UNITS_MAX];
static size_t unit_count;

/* A unit, and the state of its queries */
static struct {
	const struct sim_unit *unit;
	const struct gpuoa_set *set;
	struct gpu gpu;
	uint32_t context;
	struct gpu_buffer commands, memory;
	struct batch batch;
	struct gpuoa_reader *stream;
	struct gpuoa_query_pool *pool;
	struct gpuoa_query_desc desc;
	struct gpuoa_query_result result;
	union gpuoa_value values[COLUMNS];
	char error[256];
} m;

static bool has_own_counters(void)
{
	return strstr("tglgt2 acmgt3 mtlgt2 lnl bmg ptl", m.unit->desc.platform);
}

/*
 * Open a stream, so that the unit counts the events of the set. On gen12 and later, the stream is
 * filtered to the context.
 */
static bool open_stream(void)
{
	struct gpuoa_stream_options options = {
		.size = sizeof(options),
		.period_ns = PERIOD_NS,
		.delivery = GPUOA_DELIVERY_RAW,
		.context_filter = has_own_counters(),
		.drm_fd = has_own_counters() ? m.gpu.fd : 0,
		.context = has_own_counters() ? m.context : 0,
	};

	return CHECK(!gpuoa_stream_open(m.unit->unit, m.set, &options, &m.stream, m.error,
					sizeof(m.error)));
}

static bool open_pool(void)
{
	const struct gpuoa_query_options options = { .size = sizeof(options), .count = QUERIES };
	const struct gpuoa_constants *constants = gpuoa_unit_constants(m.unit->unit);

	if (!CHECK(!gpuoa_query_describe(m.set, constants, &options, &m.desc, sizeof(m.desc),
					 m.error, sizeof(m.error))) ||
	    !CHECK(!gpu_buffer_create(&m.gpu, &m.memory, POOL, m.desc.memory_size)))
		return false;
	return CHECK(!gpuoa_query_pool_open(m.stream, &options, m.memory.map, m.memory.size, POOL,
					    &m.pool, m.error, sizeof(m.error))) &&
	       CHECK(gpuoa_calc_output_count(gpuoa_query_calc(m.pool)) <= COLUMNS);
}

static bool begin_with(const struct sim_unit *unit, const char *set)
{
	memset(&m, 0, sizeof(m));
	m.unit = unit;
	m.set = gpuoa_platform_find_set(unit->platform, set, "OA",
					gpuoa_unit_constants(unit->unit));
	m.gpu.fd = sim_drm_open_number(atoi(strrchr(unit->desc.parent, '.') + 1));
	m.gpu.wide = strcmp(unit->desc.platform, "hsw");
	if (!CHECK(m.set && m.gpu.fd >= 0) || !CHECK(!sim_context_create(m.gpu.fd, &m.context)) ||
	    !CHECK(!gpu_buffer_create(&m.gpu, &m.commands, BATCH, BATCH_SIZE)))
		return false;
	m.batch = batch_begin(&m.gpu, &m.commands);
	return CHECK(sim_unit_switch(unit, "workload", "idle")) && open_stream() && open_pool();
}

static void end_of(void)
{
	if (*m.error)
		printf("# %s: %s\n", m.unit->desc.name, m.error);
	gpuoa_query_pool_close(m.pool);
	gpuoa_reader_close(m.stream);
	gpu_buffer_unmap(&m.commands);
	gpu_buffer_unmap(&m.memory);
	gpu_close(&m.gpu);
	CHECK(sim_unit_switch(m.unit, "workload", "frames"));
}

/* Write the commands directly into the batch. */
static void emit(uint32_t query, bool end)
{
	uint32_t *dwords = m.commands.map + m.batch.n;
	const size_t room = m.commands.size / sizeof(*dwords) - m.batch.n;
	int n = end ? gpuoa_query_end(m.pool, query, dwords, room, m.error, sizeof(m.error)) :
		      gpuoa_query_begin(m.pool, query, dwords, room, m.error, sizeof(m.error));

	if (CHECK(n > 0))
		m.batch.n += n;
}

static bool run(void)
{
	int err;

	batch_end(&m.batch);
	err = gpu_run(&m.gpu, m.context, &m.batch, NULL);
	m.batch.n = 0;
	return CHECK(!err);
}

static bool get(uint32_t query, const struct gpuoa_query_hints *hints)
{
	return CHECK(gpuoa_query_get(m.pool, query, 1, hints, m.values, &m.result, sizeof(m.result),
				     m.error, sizeof(m.error)) == 1);
}

static uint64_t integer(const char *symbol)
{
	const struct gpuoa_calc *calc = gpuoa_query_calc(m.pool);
	struct gpuoa_output_desc column;

	for (size_t i = 0; !gpuoa_calc_output_describe(calc, i, &column, sizeof(column)); i++)
		if (!strcmp(column.symbol, symbol))
			return m.values[i].u64;
	CHECK(!"there is such a metric");
	return 0;
}

/*
 * No other context runs, so the counts of the whole GPU are those of the context, except for
 * rounding: the query accumulates fractions of events from the start of the context, the reference
 * from the start of the GPU.
 */
static void check_counters(uint32_t query)
{
	const struct raw_format *format = raw_format_of_id(m.desc.format);
	const uint8_t *report = (uint8_t *)m.memory.map + query * m.desc.slot_size;
	uint64_t reference[RAW_FIELDS_MAX], differences[RAW_FIELDS_MAX];
	const uint64_t slack = has_own_counters();
	size_t moved = 0;

	REQUIRE(format && sim_unit_reference(m.unit, format, m.result.interval.begin,
					     m.result.interval.end, reference));
	raw_differences(format, report, report + m.desc.end_offset, differences);
	for (size_t i = 0; i < format->count; i++) {
		const struct raw_field *field = &format->fields[i];
		const uint64_t mask = field->bits < 64 ? (1ull << field->bits) - 1 : UINT64_MAX;
		const uint64_t apart = (differences[i] - reference[i] + slack) & mask;

		if (!CHECK(apart <= 2 * slack))
			printf("# %s: %c%u: %" PRIu64 ", not %" PRIu64 "\n", m.unit->desc.platform,
			       field->bank, field->index, differences[i], reference[i]);
		moved += differences[i] > 0;
	}
	CHECK(moved > 20);
}

/* Run @test on each unit of render engines. */
static void on_each(void (*test)(void), const char *platforms)
{
	for (size_t i = 0; i < unit_count; i++) {
		if (strcmp(units[i].desc.domain, "OA") != 0 ||
		    (platforms && !strstr(platforms, units[i].desc.platform)))
			continue;
		if (begin_with(&units[i], "RenderBasic"))
			test();
		end_of();
	}
}

static void count_the_work(void)
{
	uint64_t ticks;

	for (uint32_t query = 0; query < QUERIES; query++) {
		emit(query, false);
		batch_work(&m.batch, GPUOA_SIM_WORKLOAD_STEADY, CLOCKS / 100 * (1 + query));
		emit(query, true);
	}
	CHECK(gpuoa_query_ready(m.pool, 0) == 0);
	if (!run())
		return;
	for (uint32_t query = 0; query < QUERIES; query++) {
		const uint64_t clocks = CLOCKS / 100 * (1 + query);

		CHECK(gpuoa_query_ready(m.pool, query) == 1);
		if (!get(query, NULL))
			return;
		/* On a slow machine, the commands may take so long that a counter wraps. */
		if (!CHECK(!(m.result.flags & ~(GPUOA_QUERY_OVERRUN | GPUOA_QUERY_WRAP))))
			printf("# flags %#x\n", m.result.flags);
		ticks = m.result.interval.end - m.result.interval.begin;
		CHECK(integer("GpuTime") == (uint64_t)((unsigned __int128)ticks * 1000000000 /
						       m.unit->desc.timestamp_frequency));
		/*
		 * The commands add to the GPU time, because this CPU executes them in place of the
		 * GPU.
		 */
		CHECK(integer("GpuCoreClocks") >= clocks);
		if (query % 9 == 0)
			check_counters(query);
	}
}

static void queries_count_work(void)
{
	on_each(count_the_work, NULL);
}

static int begin_at_start(void)
{
	return gpuoa_query_begin(m.pool, 1, m.commands.map, m.commands.size / sizeof(uint32_t),
				 m.error, sizeof(m.error));
}

static void lose_the_stream(void)
{
	const struct gpuoa_query_options options = { .size = sizeof(options), .count = 1 };
	struct gpuoa_stream_options unfiltered = { .size = sizeof(unfiltered) };
	struct gpuoa_query_pool *pool = NULL;
	int err;

	emit(0, false);
	batch_work(&m.batch, GPUOA_SIM_WORKLOAD_STEADY, CLOCKS);
	emit(0, true);
	CHECK(!gpuoa_reader_disable(m.stream));
	CHECK(begin_at_start() == -ESHUTDOWN && *m.error);
	/* If the unit is off, or counts another set, every result must have a flag. */
	if (!run())
		return;
	err = gpuoa_query_get(m.pool, 0, 1,
			      &(struct gpuoa_query_hints){ .size = sizeof(struct gpuoa_query_hints),
							   .executed = true },
			      m.values, &m.result, sizeof(m.result), m.error, sizeof(m.error));
	CHECK(err == 1 || err == -ENODATA);
	CHECK(m.result.flags & GPUOA_QUERY_UNPROGRAMMED && m.result.severity);
	CHECK(!gpuoa_reader_enable(m.stream));
	CHECK(begin_at_start() > 0);
	CHECK(!gpuoa_query_reset(m.pool, 1, 1, NULL, 0));
	gpuoa_reader_close(m.stream);
	CHECK(begin_at_start() == -ESHUTDOWN);

	REQUIRE(!gpuoa_stream_open(m.unit->unit, m.set, &unfiltered, &m.stream, NULL, 0));
	err = gpuoa_query_pool_open(m.stream, &options, m.memory.map, m.memory.size, POOL, &pool,
				    m.error, sizeof(m.error));
	CHECK(err == (has_own_counters() ? -ENOTCONN : 0));
	gpuoa_query_pool_close(pool);
	*m.error = '\0';
}

static void query_of_unprogrammed_unit_is_flagged(void)
{
	on_each(lose_the_stream, NULL);
}

static int open_beside(const char *set)
{
	const struct gpuoa_set *other = gpuoa_platform_find_set(m.unit->platform, set, "OA",
								gpuoa_unit_constants(m.unit->unit));
	struct gpuoa_stream_options options = {
		.size = sizeof(options),
		.period_ns = PERIOD_NS,
		.delivery = GPUOA_DELIVERY_RAW,
		.context_filter = has_own_counters(),
		.drm_fd = has_own_counters() ? m.gpu.fd : 0,
		.context = has_own_counters() ? m.context : 0,
	};
	struct gpuoa_reader *reader;
	int err =
		gpuoa_stream_open(m.unit->unit, other, &options, &reader, m.error, sizeof(m.error));

	if (!err)
		gpuoa_reader_close(reader);
	return err;
}

static void share_the_unit(void)
{
	char report[1024];
	struct gpuoa_read_status status;
	int n;

	emit(0, false);
	batch_work(&m.batch, GPUOA_SIM_WORKLOAD_STEADY, 10 * CLOCKS);
	emit(0, true);
	if (!run())
		return;
	CHECK(open_beside("ComputeBasic") == -EBUSY && *m.error);
	CHECK(open_beside("RenderBasic") == 0);
	if (get(0, NULL))
		check_counters(0);
	/* The stream continues. */
	while (!(n = gpuoa_reader_read(m.stream, report, 1, &status)))
		if (!CHECK(!gpuoa_reader_wait(m.stream, scaled_ms(SLOW_MS))))
			return;
	CHECK(n == 1);
}

static void query_and_stream_share_unit(void)
{
	on_each(share_the_unit, "hsw sklgt2 tglgt2 lnl");
}

static char reports[REPORTS * 256];

/* Read all reports of the stream until after the end of the query. */
static struct gpuoa_query_hints read_stream(void)
{
	struct gpuoa_query_hints hints = { .size = sizeof(hints),
					   .reports = reports,
					   .report_format = m.desc.format };
	const size_t size = gpuoa_format_size(m.desc.format);
	struct gpuoa_read_status status;
	uint32_t last;

	do {
		int n = gpuoa_reader_read(m.stream, reports + hints.report_count * size,
					  REPORTS - hints.report_count, &status);

		if (n < 0 || (!n && !CHECK(!gpuoa_reader_wait(m.stream, scaled_ms(SLOW_MS)))))
			break;
		hints.report_count += n;
		last = hints.report_count ?
			       gpuoa_report_timestamp(m.desc.format,
						      reports + (hints.report_count - 1) * size) :
			       0;
	} while (!hints.report_count || (int32_t)(last - (uint32_t)m.result.interval.end) <= 0);
	CHECK(hints.report_count < REPORTS);
	return hints;
}

/* Number of GPU clocks in which the query's context ran */
static uint64_t clocks_of_context(void)
{
	char text[4096], *line;
	int n = snprintf(text, sizeof(text), "%" PRIu64 " %" PRIu64 " %u", m.result.interval.begin,
			 m.result.interval.end, m.result.context_id);

	if (!CHECK(write(m.unit->reference, text, n) == n))
		return 0;
	n = read(m.unit->reference, text, sizeof(text) - 1);
	text[n > 0 ? n : 0] = '\0';
	line = strstr(text, "counter clock ");
	return CHECK(line) ? strtoull(line + strlen("counter clock "), NULL, 10) : 0;
}

/* Other contexts use the GPU between the batch that begins the query and the one that ends it. */
static void span_two_batches(void)
{
	struct gpuoa_query_hints hints;
	uint64_t all, own, reference;

	CHECK(sim_unit_switch(m.unit, "workload", "frames"));
	emit(0, false);
	batch_work(&m.batch, GPUOA_SIM_WORKLOAD_STEADY, CLOCKS);
	if (!run())
		return;
	usleep(20000);
	batch_work(&m.batch, GPUOA_SIM_WORKLOAD_STEADY, CLOCKS);
	emit(0, true);
	if (!run() || !get(0, NULL))
		return;
	all = integer("GpuCoreClocks");
	CHECK(!(m.result.flags & GPUOA_QUERY_CONTEXT_SWITCH));
	hints = read_stream();
	if (!get(0, &hints))
		return;
	own = integer("GpuCoreClocks");
	CHECK(m.result.flags & GPUOA_QUERY_CONTEXT_SWITCH && m.result.flags & GPUOA_QUERY_SPLIT);
	CHECK(!(m.result.flags & GPUOA_QUERY_OTHERS));
	CHECK(m.result.reasons & GPUOA_REASON_TIMER && m.result.reports_between > 100);
	reference = clocks_of_context();
	if (!CHECK(own + 2 >= reference && own <= reference + 2))
		printf("# %" PRIu64 " clocks, not %" PRIu64 "\n", own, reference);
	CHECK(own >= 2 * CLOCKS && own < all / 2);
}

static void query_subtracts_work_of_other_contexts(void)
{
	on_each(span_two_batches, "sklgt2 icl");
}

int main(void)
{
	unit_count = sim_units_open(units, UNITS_MAX);
	RUN(queries_count_work);
	RUN(query_of_unprogrammed_unit_is_flagged);
	RUN(query_and_stream_share_unit);
	RUN(query_subtracts_work_of_other_contexts);
	sim_units_close(units, unit_count);
	return tap_end();
}
