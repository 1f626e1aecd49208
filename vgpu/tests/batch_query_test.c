// SPDX-License-Identifier: GPL-2.0-only
/*
 * batch_query_test.c - library queries in batches that the device model executes: each platform and
 * command, checked against reference values.
 */
#include "vgpu/model/env.h"

#include <gen7_regs.h>
#include <gpuoa_provider.h>

#include "tap.h"
#include "uapi/gpuoa_sim.h"
#include "vgpu/model/cs.h"
#include "vgpu/model/gpu.h"
#include "vgpu/model/oa.h"
#include "vgpu/model/platforms.h"
#include "vgpu/model/reference.h"

/*
 * The kernel's headers and the library's headers, which only this file includes together, each have
 * a struct gpuoa_unit_desc.
 */
#define gpuoa_unit_desc library_unit_desc
#include "extra/query/pool.h"
#undef gpuoa_unit_desc

#define CONTEXT 0 /* time slot */
#define BATCH 0x100000
#define BATCH_DWORDS 65536
#define POOL 0x7fff0000ULL
#define POOL_SIZE SZ_16M
#define CLOCKS 3000000ULL
#define COLUMNS 512

static u64 time_ns;

static u64 device_host_clock(const struct sim_gpu *gpu)
{
	return time_ns;
}

static u8 *device_host_memory(const struct sim_gpu *gpu, u64 address, u64 size)
{
	return NULL;
}

static const struct sim_device_host device_host = {
	.clock = device_host_clock,
	.memory = device_host_memory,
};

/* The machine under test: a GPU, a batch and its memory, and a query pool in that memory */
static struct {
	struct sim_gpu gpu;
	struct sim_cs cs;
	u32 gpr[2 * SIM_CS_N_GPRS];
	u32 batch[BATCH_DWORDS];
	size_t n;
	u8 *memory;
	const struct gpuoa_set *set;
	struct gpuoa_constants *constants;
	struct gpuoa_query_desc desc;
	struct gpuoa_query_pool *pool;
	union gpuoa_value values[COLUMNS];
	struct gpuoa_query_result result;
	char error[200];
} m;

static int cs_stopped(struct sim_cs *cs)
{
	return 0;
}

static u32 *cs_memory(u64 address)
{
	if (address >= BATCH && address < BATCH + sizeof(m.batch))
		return &m.batch[(address - BATCH) / sizeof(u32)];
	if (address >= POOL && address < POOL + POOL_SIZE)
		return (u32 *)(m.memory + (address - POOL));
	return NULL;
}

static int cs_read(struct sim_cs *cs, u64 address, u32 *value)
{
	const u32 *memory = cs_memory(address);

	if (!memory)
		return -EFAULT;
	*value = *memory;
	return 0;
}

static int cs_write(struct sim_cs *cs, u64 address, u32 value)
{
	u32 *memory = cs_memory(address);

	if (!memory)
		return -EFAULT;
	*memory = value;
	return 0;
}

static u32 cs_register_read(struct sim_cs *cs, u32 reg)
{
	return sim_mmio_read(&m.gpu, reg);
}

static u64 cs_timestamp(struct sim_cs *cs)
{
	return sim_gpu_timestamp(&m.gpu);
}

static u32 cs_report(struct sim_cs *cs, u32 id, u32 *report)
{
	return sim_gpu_snapshot(&m.gpu, CONTEXT, id, report);
}

static void wait_until(u64 tick)
{
	u64 ns;

	while ((ns = sim_gpu_wait(&m.gpu, tick)))
		time_ns += ns;
}

static int cs_work(struct sim_cs *cs, unsigned int workload, u64 clocks)
{
	u64 end;
	int ret = sim_work(&m.gpu, CONTEXT, workload, clocks, &end);

	if (!ret)
		wait_until(end);
	return ret;
}

static const struct sim_cs_ops cs_ops = {
	.stopped = cs_stopped,
	.read = cs_read,
	.write = cs_write,
	.register_read = cs_register_read,
	.timestamp = cs_timestamp,
	.report = cs_report,
	.work = cs_work,
};

/* ---- program the metric set, as far as the model needs it ---------------------------------- */

static void program_list(enum gpuoa_register_kind kind)
{
	struct gpuoa_reg regs[4096];
	int i, n = gpuoa_set_registers(m.set, kind, m.constants, regs, ARRAY_SIZE(regs));

	CHECK(n >= 0);
	for (i = 0; i < n; i++)
		sim_mmio_write(&m.gpu, regs[i].address, regs[i].value);
}

static void program_set(void)
{
	if (!strcmp(m.gpu.platform->desc.platform, "hsw")) {
		sim_mmio_write(&m.gpu, UCGCTL1, CS_UNIT_CLOCK_GATE_DISABLE);
		sim_mmio_write(&m.gpu, MISCCPCTL, 0);
	}
	program_list(GPUOA_REGISTER_MUX);
	program_list(GPUOA_REGISTER_BOOLEAN);
	program_list(GPUOA_REGISTER_FLEX);
}

static void give(const char *name, u64 value)
{
	CHECK(!gpuoa_constants_set(m.constants, name, value));
}

static void give_constants(const struct gpuoa_platform *platform)
{
	const struct gpuoa_unit_desc *desc = &m.gpu.platform->desc;

	CHECK(!gpuoa_constants_new(platform, &m.constants));
	give("GpuTimestampFrequency", desc->timestamp_frequency);
	give("GpuMinFrequency", desc->gt_min_frequency);
	give("GpuMaxFrequency", desc->gt_max_frequency);
	give("SliceMask", desc->slice_mask);
	give("SubsliceMask", desc->subslice_mask[0]);
	give("EuCoresTotalCount", desc->n_eus);
	give("EuThreadsCount", desc->threads_per_eu);
	give("SkuRevisionId", desc->revision);
	if (desc->l3_bank_mask)
		give("L3BankMask", desc->l3_bank_mask);
	gpuoa_constants_assume(m.constants);
}

/* ---- the GPU and its query pool ------------------------------------------------------------- */

static bool machine_begin(const char *name, const char *set)
{
	const struct sim_platform *what = sim_platform_find(name);
	const struct gpuoa_platform *platform;

	memset(&m, 0, sizeof(m));
	time_ns = NSEC_PER_SEC;
	m.memory = aligned_alloc(4096, POOL_SIZE);
	if (!CHECK(what && m.memory &&
		   !sim_gpu_create(&m.gpu, what, &device_host, GPUOA_SIM_WORKLOAD_IDLE)))
		return false;
	sim_gpu_get(&m.gpu);
	sim_slot_set(&m.gpu, CONTEXT, 0x30 << what->context_shift);
	platform = gpuoa_platform_find(what->desc.platform);
	give_constants(platform);
	m.set = gpuoa_platform_find_set(platform, set, "OA", m.constants);
	if (!CHECK(m.set))
		return false;
	program_set();
	return true;
}

static void machine_end(void)
{
	CHECK(m.gpu.statistics.unknown_accesses == 0);
	gpuoa_query_pool_close(m.pool);
	gpuoa_constants_free(m.constants);
	sim_gpu_put(&m.gpu);
	sim_gpu_destroy(&m.gpu);
	free(m.memory);
}

static bool open_pool(const struct gpuoa_query_options *options)
{
	const struct complaint complaint = complaint_begin(m.error, sizeof(m.error));
	struct programmed *programmed = programmed_new(m.set);
	int err;

	if (!CHECK(programmed))
		return false;
	programmed_switch(programmed, true);
	err = query_pool_open(programmed, m.constants, options, m.memory, POOL_SIZE, POOL, &m.pool,
			      &complaint);
	programmed_put(programmed);
	if (err)
		printf("# %s\n", m.error);
	if (!CHECK(!err))
		return false;
	gpuoa_query_pool_describe(m.pool, &m.desc, sizeof(m.desc));
	CHECK(gpuoa_calc_output_count(gpuoa_query_calc(m.pool)) <= COLUMNS);
	return true;
}

static bool open_queries(u32 count)
{
	const struct gpuoa_query_options options = { .size = sizeof(options), .count = count };

	return open_pool(&options);
}

static void begin(u32 query)
{
	int n = gpuoa_query_begin(m.pool, query, m.batch + m.n, BATCH_DWORDS - m.n, NULL, 0);

	CHECK(n == (int)m.desc.begin_dwords);
	m.n += n > 0 ? n : 0;
}

static void end(u32 query)
{
	int n = gpuoa_query_end(m.pool, query, m.batch + m.n, BATCH_DWORDS - m.n, NULL, 0);

	CHECK(n == (int)m.desc.end_dwords);
	m.n += n > 0 ? n : 0;
}

static void work(u32 workload, u64 clocks)
{
	const u32 command[] = { GPUOA_SIM_WORK, workload, clocks, clocks >> 32 };

	memcpy(m.batch + m.n, command, sizeof(command));
	m.n += ARRAY_SIZE(command);
}

/* Execute the emitted commands; the next ones begin another batch. */
static int run_for(unsigned int slot)
{
	u64 start = sim_batch_begin(&m.gpu, slot);
	int ret;

	m.batch[m.n] = 0x05000000; /* MI_BATCH_BUFFER_END */
	m.n = 0;
	wait_until(start + 1);
	m.cs = (struct sim_cs){
		.model = m.gpu.platform->cs, .ops = &cs_ops, .gpr = m.gpr, .batch = BATCH
	};
	ret = sim_cs_run(&m.cs);
	sim_batch_end(&m.gpu, false);
	if (ret)
		printf("# batch: %d at %u: %#llx\n", m.cs.fault.reason, m.cs.fault.offset,
		       m.cs.fault.value);
	return ret;
}

static int run(void)
{
	return run_for(CONTEXT);
}

static int get(u32 query)
{
	int n = gpuoa_query_get(m.pool, query, 1, NULL, m.values, &m.result, sizeof(m.result),
				m.error, sizeof(m.error));

	if (n != 1)
		printf("# %s\n", m.error);
	return n == 1 ? 0 : n;
}

static int column_of(const char *symbol)
{
	const struct gpuoa_calc *calc = gpuoa_query_calc(m.pool);
	struct gpuoa_output_desc desc;
	size_t i;

	for (i = 0; !gpuoa_calc_output_describe(calc, i, &desc, sizeof(desc)); i++)
		if (!strcmp(desc.symbol, symbol))
			return i;
	return -1;
}

static u64 integer(const char *symbol)
{
	int column = column_of(symbol);

	return CHECK(column >= 0) ? m.values[column].u64 : U64_MAX;
}

static double real(const char *symbol)
{
	int column = column_of(symbol);

	return CHECK(column >= 0) ? m.values[column].f32 : -1;
}

/* ---- reference values ----------------------------------------------------------------------- */

static char *reference;

static void find_reference(u64 from, u64 to, bool of_context)
{
	struct sim_query query = { .oa = &m.gpu.oa[0] };
	char question[80];
	struct sim_reference *found;
	struct seq_file file;
	size_t size;

	snprintf(question, sizeof(question), of_context ? "%llu %llu %u" : "%llu %llu", from, to,
		 CONTEXT);
	REQUIRE(!sim_reference_parse(&query, question));
	found = sim_reference_compute(&query);
	REQUIRE(found);
	free(reference);
	file.file = open_memstream(&reference, &size);
	sim_reference_print(&file, found);
	fclose(file.file);
	sim_reference_free(found);
}

static u64 told(const char *name)
{
	const char *line = reference ? strstr(reference, name) : NULL;

	return line ? strtoull(line + strlen(name), NULL, 10) : U64_MAX;
}

static u64 told_counter(char bank, unsigned int index)
{
	char name[32];

	snprintf(name, sizeof(name), "counter %s%u ", bank == 'P' ? "PEC" : (char[]){ bank, 0 },
		 index);
	return told(name);
}

static const char *report_of(u32 query, bool of_end)
{
	return (char *)m.memory + query * m.desc.slot_size + (of_end ? m.desc.end_offset : 0);
}

static bool has_own_counters(void)
{
	return strstr("tgl_gt2 mtl_gt2 lnl bmg", m.gpu.platform->name);
}

/*
 * Compare the differences of all counters with the reference values. With per-context counters, the
 * fraction of an event is counted from the creation of the context, but in the reference from that
 * of the GPU, so a counter may differ by one.
 */
static unsigned int counters_that_are_true(u32 query)
{
	const u64 slack = has_own_counters();
	unsigned int i, n = 0;
	const char *bank;

	for (bank = "ABCP"; *bank; bank++) {
		for (i = 0; i < 64; i++) {
			struct gpuoa_field_desc field;
			uint64_t from, to, delta, should = told_counter(*bank, i);

			if (should == U64_MAX ||
			    gpuoa_report_counter(m.desc.format, report_of(query, false), *bank, i,
						 &from) ||
			    gpuoa_report_counter(m.desc.format, report_of(query, true), *bank, i,
						 &to))
				continue;
			gpuoa_report_field(m.desc.format,
					   *bank == 'P' ? GPUOA_FIELD_COUNTER_PEC :
							  GPUOA_FIELD_COUNTER_A + (*bank - 'A'),
					   i, &field, sizeof(field));
			delta = to - from;
			if (field.bits < 64)
				delta &= (1ULL << field.bits) - 1;
			if (delta + slack < should || delta > should + slack) {
				printf("# %c%u: %llu, not %llu\n", *bank, i, (u64)delta,
				       (u64)should);
				return 0;
			}
			n++;
		}
	}
	return n;
}

/* ---- tests ---------------------------------------------------------------------------------- */

static const struct {
	const char *name;
	const char *set;
	u32 counters; /* at least */
} platforms[] = {
	{ "hsw_gt2", "RenderBasic", 45 }, { "bdw_gt2", "RenderBasic", 36 },
	{ "skl_gt2", "RenderBasic", 36 }, { "icl_gt2", "RenderBasic", 36 },
	{ "tgl_gt2", "RenderBasic", 36 }, { "mtl_gt2", "RenderBasic", 36 },
	{ "lnl", "RenderBasic", 60 },	  { "bmg", "RenderBasic", 60 },
};

static void what_a_query_counts_is_true_on(const char *name, const char *set, u32 counters)
{
	u64 ticks;

	if (!machine_begin(name, set) || !open_queries(3))
		return;
	begin(1);
	work(GPUOA_SIM_WORKLOAD_STEADY, CLOCKS);
	end(1);
	CHECK(gpuoa_query_ready(m.pool, 1) == 0);
	CHECK(gpuoa_query_get(m.pool, 1, 1, NULL, m.values, NULL, 0, NULL, 0) == -EAGAIN);
	REQUIRE(!run());
	CHECK(gpuoa_query_ready(m.pool, 1) == 1);
	REQUIRE(!get(1));

	CHECK(m.result.severity == GPUOA_SEVERITY_INFO && m.result.flags == 0);
	CHECK(m.result.end_id == m.result.begin_id + 1);
	ticks = m.result.interval.end - m.result.interval.begin;
	find_reference(m.result.interval.begin, m.result.interval.end, has_own_counters());
	CHECK(counters_that_are_true(1) >= counters);
	CHECK(told("ticks ") == ticks);
	CHECK(integer("GpuTime") ==
	      ticks * NSEC_PER_SEC / m.gpu.platform->desc.timestamp_frequency);
	CHECK(m.result.gpu_time_ns == integer("GpuTime"));
	/* The workload runs at the maximum clock, and only commands take additional time. */
	CHECK(integer("GpuCoreClocks") >= CLOCKS &&
	      integer("GpuCoreClocks") < CLOCKS + CLOCKS / 1000);
	CHECK(m.result.end_command_ticks - m.result.begin_command_ticks >= ticks);
	machine_end();
}

static void query_counts_equal_the_reference(void)
{
	size_t i;

	for (i = 0; i < ARRAY_SIZE(platforms); i++)
		what_a_query_counts_is_true_on(platforms[i].name, platforms[i].set,
					       platforms[i].counters);
}

/* Counters that are not in reports */
static void query_only_metrics_equal_the_reference(void)
{
	u64 clocks;

	if (!machine_begin("hsw_gt2", "SamplerBalance") || !open_queries(1))
		return;
	begin(0);
	work(GPUOA_SIM_WORKLOAD_STEADY, CLOCKS);
	end(0);
	REQUIRE(!run() && !get(0));
	find_reference(m.result.interval.begin, m.result.interval.end, false);
	/* The counters' registers are stored by the command before or after that of the report. */
	CHECK(told("counter PERFCNT0 ") > 0 && told("counter PERFCNT1 ") > 0);
	CHECK(integer("LlcAccesses") == told("counter PERFCNT0 "));
	CHECK(integer("LlcHits") == told("counter PERFCNT1 "));
	machine_end();

	if (!machine_begin("skl_gt2", "TDL_2") || !open_queries(1))
		return;
	begin(0);
	work(GPUOA_SIM_WORKLOAD_STEADY, CLOCKS);
	end(0);
	REQUIRE(!run() && !get(0));
	find_reference(m.result.interval.begin, m.result.interval.end, false);
	clocks = integer("GpuCoreClocks");
	CHECK(told("counter PERFCNT0 ") > clocks / 100);
	CHECK(real("GTRequestQueueFull") > 99.99 * told("counter PERFCNT0 ") / clocks &&
	      real("GTRequestQueueFull") < 100.01 * told("counter PERFCNT0 ") / clocks);
	machine_end();
}

static void query_reports_frequencies(void)
{
	static const char *const with[] = { "bdw_gt2", "skl_gt2", "icl_gt2", "tgl_gt2" };
	size_t i;

	for (i = 0; i < ARRAY_SIZE(with); i++) {
		u64 hz, step = i ? 100000000 / 6 : 50000000;

		if (!machine_begin(with[i], "RenderBasic") || !open_queries(1))
			return;
		begin(0);
		work(GPUOA_SIM_WORKLOAD_STEADY, CLOCKS);
		end(0);
		REQUIRE(!run() && !get(0));
		/* The GPU is idle before and after the work. */
		hz = sim_oa_mhz(&m.gpu.oa[0]) * 1000000ULL;
		CHECK(hz > 0 && m.result.begin_hz == m.result.end_hz);
		CHECK(m.result.end_hz + step > hz && m.result.end_hz < hz + step);
		machine_end();
	}
}

/* Each query counts the work between its begin and its end. */
static void queries_overlap(void)
{
	u64 outer, first, second;

	if (!machine_begin("tgl_gt2", "RenderBasic") || !open_queries(3))
		return;
	begin(0);
	work(GPUOA_SIM_WORKLOAD_STEADY, CLOCKS);
	begin(1);
	work(GPUOA_SIM_WORKLOAD_STEADY, 2 * CLOCKS);
	begin(2);
	work(GPUOA_SIM_WORKLOAD_STEADY, CLOCKS);
	end(1);
	work(GPUOA_SIM_WORKLOAD_STEADY, CLOCKS);
	end(2);
	end(0);
	REQUIRE(!run());
	REQUIRE(!get(0));
	outer = integer("GpuCoreClocks");
	REQUIRE(!get(1));
	first = integer("GpuCoreClocks");
	REQUIRE(!get(2));
	second = integer("GpuCoreClocks");
	CHECK(outer / (CLOCKS / 10) == 50);
	CHECK(first / (CLOCKS / 10) == 30);
	CHECK(second / (CLOCKS / 10) == 20);
	machine_end();
}

/* With per-context counters, the work of other contexts is not counted. */
static void query_spans_batches(void)
{
	static const char *const names[] = { "skl_gt2", "tgl_gt2", "lnl" };
	size_t i;

	for (i = 0; i < ARRAY_SIZE(names); i++) {
		if (!machine_begin(names[i], "RenderBasic") || !open_queries(1))
			return;
		begin(0);
		work(GPUOA_SIM_WORKLOAD_STEADY, CLOCKS);
		REQUIRE(!run());
		work(GPUOA_SIM_WORKLOAD_STEADY, 5 * CLOCKS);
		REQUIRE(!run_for(CONTEXT + 1) || true);
		CHECK(gpuoa_query_ready(m.pool, 0) == -ENOENT);
		end(0);
		REQUIRE(!run() && !get(0));
		find_reference(m.result.interval.begin, m.result.interval.end, has_own_counters());
		CHECK(counters_that_are_true(0) >= 36);
		machine_end();
	}
}

#define MANY 10000

static void ten_thousand_queries_are_in_flight(void)
{
	u32 i;

	if (!machine_begin("lnl", "RenderBasic") || !open_queries(MANY))
		return;
	for (i = 0; i < MANY; i++) {
		begin(i);
		work(GPUOA_SIM_WORKLOAD_STEADY, 1000 * (1 + i % 7));
		end(i);
		if (m.n > BATCH_DWORDS - 100)
			REQUIRE(!run());
	}
	REQUIRE(!run());
	for (i = 0; i < MANY; i++) {
		u64 clocks, least = 1000 * (1 + i % 7);

		REQUIRE(!get(i));
		clocks = integer("GpuCoreClocks");
		if (!CHECK(clocks >= least && clocks < least + 500))
			break;
	}
	machine_end();
}

static void query_can_be_reused(void)
{
	u64 ids[2];
	int i;

	if (!machine_begin("skl_gt2", "RenderBasic") || !open_queries(1))
		return;
	for (i = 0; i < 2; i++) {
		begin(0);
		work(GPUOA_SIM_WORKLOAD_STEADY, CLOCKS * (i + 1));
		end(0);
		CHECK(gpuoa_query_ready(m.pool, 0) == 0);
		REQUIRE(!run() && !get(0));
		CHECK(integer("GpuCoreClocks") / CLOCKS == (u64)i + 1);
		ids[i] = m.result.begin_id;
		CHECK(!gpuoa_query_reset(m.pool, 0, 1, NULL, 0));
		CHECK(gpuoa_query_ready(m.pool, 0) == -ENOENT);
	}
	CHECK(ids[0] != ids[1]);
	machine_end();
}

/* Commands with global addresses are privileged: the streamer rejects them on every platform. */
static void commands_for_the_ggtt_are_privileged(void)
{
	const struct gpuoa_query_options options = { .size = sizeof(options),
						     .count = 1,
						     .ggtt = true };
	size_t i;

	for (i = 0; i < ARRAY_SIZE(platforms); i++) {
		if (!machine_begin(platforms[i].name, platforms[i].set) || !open_pool(&options))
			return;
		begin(0);
		m.batch[m.n] = 0x05000000;
		CHECK(run() == -EPERM);
		CHECK(m.cs.fault.reason == GPUOA_SIM_FAULT_PRIVILEGED);
		machine_end();
	}
}

static void unfinished_batches_are_reported(void)
{
	const struct gpuoa_query_hints hints = { .size = sizeof(hints), .executed = true };

	if (!machine_begin("lnl", "RenderBasic") || !open_queries(2))
		return;
	/*
	 * The commands that end the query did not run, because the batch was stopped at an invalid
	 * workload.
	 */
	begin(0);
	work(0xbad, CLOCKS);
	end(0);
	CHECK(run() == -EINVAL);
	CHECK(gpuoa_query_get(m.pool, 0, 1, NULL, m.values, &m.result, sizeof(m.result), NULL, 0) ==
	      -EAGAIN);
	CHECK(gpuoa_query_get(m.pool, 0, 1, &hints, m.values, &m.result, sizeof(m.result), m.error,
			      sizeof(m.error)) == -ENODATA);
	CHECK_STRING(m.error, "query 0: its end did not run");
	CHECK(m.result.flags == GPUOA_QUERY_NOT_EXECUTED);

	/* The commands that begin the query were never in a batch. */
	begin(1);
	m.n = 0;
	end(1);
	REQUIRE(!run());
	CHECK(get(1) == -ENODATA);
	CHECK_STRING(m.error, "query 1: its begin did not run");
	machine_end();
}

int main(void)
{
	RUN(query_counts_equal_the_reference);
	RUN(query_only_metrics_equal_the_reference);
	RUN(query_reports_frequencies);
	RUN(queries_overlap);
	RUN(query_spans_batches);
	RUN(ten_thousand_queries_are_in_flight);
	RUN(query_can_be_reused);
	RUN(commands_for_the_ggtt_are_privileged);
	RUN(unfinished_batches_are_reported);
	free(reference);
	return tap_end();
}
