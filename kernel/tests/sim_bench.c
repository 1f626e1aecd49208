// SPDX-License-Identifier: GPL-2.0-only
/*
 * sim_bench.c - virtual GPU and report checks shared by the simulator's test suites.
 */
#include <linux/math64.h>

#include "../core/oa/gpuoa_metric_set.h"
#include "sim_bench.h"
#include "vgpu/model/gpu.h"

u64 sim_test_now;
u8 *sim_test_memory;
unsigned int sim_test_interrupts;

static u64 bench_clock(const struct sim_gpu *gpu)
{
	return sim_test_now * BENCH_TICK_NS;
}

static u8 *bench_memory(const struct sim_gpu *gpu, u64 address, u64 size)
{
	return address == SIM_TEST_BUFFER && size <= SIM_TEST_BUFFER_SIZE ? sim_test_memory : NULL;
}

static void bench_half_full(struct sim_oa *oa)
{
	sim_test_interrupts++;
}

static const struct sim_device_host bench_device_host = {
	.clock = bench_clock,
	.memory = bench_memory,
	.half_full = bench_half_full,
};

static void *bench_alloc(struct kunit *test, size_t size)
{
	void *memory = kunit_kzalloc(test, size, GFP_KERNEL);

	KUNIT_ASSERT_NOT_ERR_OR_NULL(test, memory);
	return memory;
}

/* Give GPUs of all platforms the same clock and the same workloads. */
static void bench_init_load(struct sim_gpu *gpu)
{
	unsigned int i;

	gpu->world = (struct sim_world){
		.frequency = BENCH_FREQUENCY,
		.slot_ticks = BENCH_FREQUENCY / 1000,
		.max_mhz = 1200,
		.n_eus = 20,
	};
	for (i = 0; i < SIM_N_WORKLOADS; i++) {
		sim_workload_build(&gpu->workloads[i], i, &gpu->world);
		sim_work_build(&gpu->work[i], i, &gpu->world);
	}
	sim_clock_init(&gpu->clock, BENCH_FREQUENCY);
	sim_timeline_init(&gpu->timeline, BENCH_START, &gpu->workloads[BENCH_STEADY]);
}

/* Create one context on Haswell, and one for each time slot on other platforms. */
static void bench_init_contexts(struct sim_gpu *gpu)
{
	unsigned int i;

	if (gpu->platform->named_by_address)
		gpu->slots[SIM_TEST_SLOT] = SIM_TEST_CONTEXT;
	else
		for (i = 0; i < SIM_N_SLOTS; i++)
			gpu->slots[i] = (i + 1) << 7;
}

/* Create a GPU of this platform, awake, with workload "steady": one phase at 80 clocks per tick. */
int bench_init(struct kunit *test, const char *platform)
{
	struct bench *bench = bench_alloc(test, sizeof(*bench));
	const struct sim_platform *what = sim_platform_find(platform);
	struct sim_gpu *gpu = &bench->gpu;

	test->priv = bench;
	sim_test_now = BENCH_START;
	sim_test_memory = bench_alloc(test, SIM_TEST_BUFFER_SIZE);
	KUNIT_ASSERT_NOT_NULL(test, what);
	KUNIT_ASSERT_EQ(test, sim_gpu_create(gpu, what, &bench_device_host, BENCH_STEADY), 0);
	bench_init_load(gpu);
	bench_init_contexts(gpu);
	sim_gpu_get(gpu);

	return 0;
}

void bench_exit(struct kunit *test)
{
	struct bench *bench = test->priv;

	if (bench)
		sim_gpu_destroy(&bench->gpu);
}

struct sim_gpu *bench_gpu(struct kunit *test)
{
	return &((struct bench *)test->priv)->gpu;
}

void bench_advance(struct sim_gpu *gpu)
{
	unsigned long flags;

	raw_spin_lock_irqsave(&gpu->lock, flags);
	sim_gpu_advance(gpu);
	raw_spin_unlock_irqrestore(&gpu->lock, flags);
}

/* ---- load --------------------------------------------------------------------------------- */

/* Replace the workload from the beginning of the timeline. */
void bench_play(struct kunit *test, unsigned int workload)
{
	struct sim_gpu *gpu = bench_gpu(test);

	sim_timeline_init(&gpu->timeline, BENCH_START, &gpu->workloads[workload]);
}

/* Let the context in @slot use the GPU alone from @start to @end; then the workload continues. */
void bench_work(struct kunit *test, unsigned int slot, u64 start, u64 end)
{
	struct sim_gpu *gpu = bench_gpu(test);
	struct sim_segment after = *sim_timeline_last(&gpu->timeline), work = after;
	unsigned long flags;

	work.start = start;
	work.workload = &gpu->work[BENCH_STEADY];
	work.skip = 0;
	work.owner = slot;
	after.skip = sim_segment_skip(&after, start);
	after.start = end;
	raw_spin_lock_irqsave(&gpu->lock, flags);
	sim_gpu_change(gpu, &work);
	sim_gpu_change(gpu, &after);
	raw_spin_unlock_irqrestore(&gpu->lock, flags);
}

const __uint128_t *bench_sums(struct kunit *test, unsigned int stream, u64 tick)
{
	struct bench *bench = test->priv;

	sim_timeline_at(&bench->gpu.timeline, stream, tick, bench->sums);
	return bench->sums;
}

/*
 * The workload "frames" has frames of 16 ms. The GPU is busy for the first 10.75 ms of each.
 * Contexts have time slots of 1 ms.
 */
#define FRAME_TICKS (BENCH_FREQUENCY / 1000 * 16)
#define FRAME_BUSY_TICKS (BENCH_FREQUENCY / 4000 * 43)

static u64 frame_tick(u64 tick)
{
	return (tick - BENCH_START) % FRAME_TICKS;
}

unsigned int bench_frames_slot(u64 tick)
{
	u64 in_frame = frame_tick(tick);

	if (in_frame >= FRAME_BUSY_TICKS)
		return SIM_NOBODY;
	return in_frame / (BENCH_FREQUENCY / 1000) % SIM_N_SLOTS;
}

unsigned int bench_frames_mhz(u64 tick)
{
	return frame_tick(tick) < FRAME_BUSY_TICKS ? 1150 : 600;
}

/* Get the reasons for a report at @tick, except the timer. */
u32 bench_frames_events(u64 tick)
{
	unsigned int before = bench_frames_slot(tick - 1), now = bench_frames_slot(tick);
	u32 events = 0;

	if (now != before)
		events |= SIM_REASON_SWITCH;
	if (now == SIM_NOBODY && before != SIM_NOBODY)
		events |= SIM_REASON_GO;
	if (bench_frames_mhz(tick) != bench_frames_mhz(tick - 1))
		events |= SIM_REASON_RATIO;
	return events;
}

/* ---- configurations ----------------------------------------------------------------------- */

void bench_write_list(struct sim_gpu *gpu, const struct gpuoa_register *regs, size_t n)
{
	size_t i;

	for (i = 0; i < n; i++)
		sim_mmio_write(gpu, regs[i].address, regs[i].value);
}

void bench_write_set(struct sim_gpu *gpu, const struct gpuoa_builtin_set *set)
{
	bench_write_list(gpu, set->mux.regs, set->mux.count);
	bench_write_list(gpu, set->boolean.regs, set->boolean.count);
	bench_write_list(gpu, set->flex.regs, set->flex.count);
}

/* ---- reports ------------------------------------------------------------------------------ */

/* Get the index of a counter among all counters of a unit. */
unsigned int bench_counter(const struct sim_oa_ops *ops, const char *bank, unsigned int n)
{
	unsigned int i;

	for (i = 0; i < ops->n_banks; i++)
		if (!strcmp(ops->banks[i].name, bank) && n < ops->banks[i].n)
			return ops->banks[i].first + n;
	return SIM_MAX_COUNTERS;
}

/* Position of a counter in a report */
struct place {
	unsigned int bits;
	unsigned int offset;
	unsigned int high;
};

static void add_place(struct place *places, unsigned int counter, const struct place *place)
{
	if (counter < SIM_MAX_COUNTERS)
		places[counter] = *place;
}

static void places_as_documented(const struct sim_oa_ops *ops, const struct bench_format *format,
				 struct place *places)
{
	const struct bench_field *field;
	unsigned int i;

	for (field = format->fields; field->n; field++)
		for (i = 0; i < field->n; i++)
			add_place(places, bench_counter(ops, field->bank, field->first + i),
				  &(struct place){
				.bits = field->bits,
				.offset = field->offset + i * (field->bits == 64 ? 8 : 4),
				.high = field->bits == 40 ? field->high + i : 0,
			});
}

static void places_as_simulated(const struct sim_format *format, struct place *places)
{
	unsigned int r, i;

	for (r = 0; r < SIM_MAX_RUNS && format->runs[r].n; r++) {
		const struct sim_run *run = &format->runs[r];

		for (i = 0; i < run->n; i++)
			add_place(places, run->first + i, &(struct place){
				.bits = run->bits,
				.offset = run->offset + i * (run->bits == 64 ? 8 : 4),
				.high = run->bits == 40 ? run->high + i : 0,
			});
	}
}

/* Mark @n bytes of a report as used. Return false if they exceed the report or are already used. */
static bool cover(u8 *covered, u32 size, unsigned int offset, unsigned int n)
{
	bool free = offset + n <= size;

	for (; free && n; n--)
		free = !covered[offset + n - 1]++;
	return free;
}

static void expect_room(struct kunit *test, const struct bench_format *format, u32 word,
			const struct place *places)
{
	u8 *covered = bench_alloc(test, format->size);
	unsigned int i;

	KUNIT_EXPECT_TRUE(test, cover(covered, format->size, 0, 3 * word));
	for (i = 0; i < SIM_MAX_COUNTERS; i++) {
		const struct place *place = &places[i];

		if (place->bits)
			KUNIT_EXPECT_TRUE_MSG(test, cover(covered, format->size, place->offset,
							  place->bits == 64 ? 8 : 4),
					      "%s, counter %u", format->name, i);
		if (place->bits == 40)
			KUNIT_EXPECT_TRUE_MSG(test, cover(covered, format->size, place->high, 1),
					      "%s, upper byte of counter %u", format->name, i);
	}
	kunit_kfree(test, covered);
}

/*
 * Check that @found has the documented size and counter offsets, and that no counters overlap or
 * exceed the report.
 */
void bench_expect_layout(struct kunit *test, const struct sim_oa_ops *ops,
			 const struct bench_format *format, const struct sim_format *found)
{
	struct place *documented = bench_alloc(test, SIM_MAX_COUNTERS * sizeof(*documented));
	struct place *simulated = bench_alloc(test, SIM_MAX_COUNTERS * sizeof(*simulated));
	unsigned int i;

	KUNIT_ASSERT_NOT_NULL(test, found);
	KUNIT_EXPECT_EQ_MSG(test, found->size, format->size, "%s", format->name);
	places_as_documented(ops, format, documented);
	places_as_simulated(found, simulated);
	for (i = 0; i < SIM_MAX_COUNTERS; i++)
		KUNIT_EXPECT_EQ_MSG(test, 0, memcmp(&documented[i], &simulated[i],
						    sizeof(*documented)),
				    "%s, counter %u: %u bits at %u, %u", format->name, i,
				    simulated[i].bits, simulated[i].offset, simulated[i].high);
	expect_room(test, format, found->word, documented);
	kunit_kfree(test, simulated);
	kunit_kfree(test, documented);
}

static u64 field_value(const struct bench_field *field, unsigned int i, const u8 *report)
{
	if (field->bits == 64)
		return *(u64 *)(report + field->offset + i * sizeof(u64));
	if (field->bits == 40)
		return *(u32 *)(report + field->offset + i * sizeof(u32)) |
		       (u64)report[field->high + i] << 32;
	return *(u32 *)(report + field->offset + i * sizeof(u32));
}

/* Check that all counters of @report have the values that the load implies for the whole GPU. */
void bench_expect_values(struct kunit *test, const struct sim_oa *oa,
			 const struct bench_format *format, const void *report)
{
	u32 timestamp = ((const u32 *)report)[oa->run.format->word / sizeof(u32)];
	const __uint128_t *sums = bench_sums(test, SIM_GLOBAL, timestamp);
	const struct bench_field *field;
	unsigned int i;

	for (field = format->fields; field->n; field++) {
		for (i = 0; i < field->n; i++) {
			unsigned int counter = bench_counter(oa->ops, field->bank,
							     field->first + i);
			u64 value = sim_counter_value(&oa->selection, counter, oa->ops->first_b,
						      sums);

			KUNIT_EXPECT_EQ_MSG(test, field_value(field, i, report),
					    value & GENMASK_ULL(field->bits - 1, 0), "%s, %s%u",
					    format->name, field->bank, field->first + i);
		}
	}
}

/*
 * Check whether a B counter of TestOa counts in this clock. Bit 3 of the counter's input counts
 * clocks modulo 2, bits 5:4 count them modulo 3.
 */
static bool test_oa_counts(unsigned int b, unsigned int clock)
{
	switch (b) {
	case 0:
		return false;
	case 1:
	case 2:
		return true;
	case 3:
		return clock % 2 == 0;
	case 4:
		return clock % 3 == 0;
	case 5:
		return clock % 3 == 1;
	case 6:
		return clock % 3 == 1 && clock % 2 == 1;
	default:
		return clock % 3 == 1 || clock % 2 == 1;
	}
}

/* Check the eight B counters after @clock clocks of TestOa. */
void bench_expect_test_oa(struct kunit *test, const u32 *b, u32 clock)
{
	unsigned int i, c;

	for (i = 0; i < SIM_N_B; i++) {
		u32 in_six = 0, in_rest = 0;

		for (c = 0; c < 6; c++) {
			in_six += test_oa_counts(i, c);
			in_rest += c < clock % 6 && test_oa_counts(i, c);
		}
		KUNIT_EXPECT_EQ_MSG(test, b[i], clock / 6 * in_six + in_rest, "B%u", i);
	}
}
