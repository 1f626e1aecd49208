// SPDX-License-Identifier: MIT
/*
 * test_half_full.c - a GPU with a half-full interrupt, and one without.
 */
#define _GNU_SOURCE
#include <poll.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "aux.h"
#include "batch.h"
#include "event.h"
#include "gpu_unit.h"
#include "kselftest_harness.h"
#include "sim.h"

#define NEW_DEVICE "/sys/bus/gpuoa_sim/new_device"
#define DEL_DEVICE "/sys/bus/gpuoa_sim/del_device"
#define INTERRUPTS "/sys/module/gpuoa_sim/parameters/interrupts"
#define WORKERS "/sys/devices/virtual/workqueue/cpumask"

#define KIB (1ULL << 10)

/*
 * Timer exponents: one has a period of 175 ms at 12 MHz, the other one a period so long that the
 * timer writes no report.
 */
#define SKL_FREQUENCY 12000000ULL
#define RARELY 20
#define NEVER 31

#define COMMANDS 0x100000

/* Batches cause a report with each rising edge of the trigger. */
#define OAREPORTTRIG2 0x2744
#define TRIGGER (1U << 31)
#define TRIGGER_EDGE (1U << 22)

/* Skylake GPU that a test has created, idle except for the test's batches */
struct skylake {
	struct gpu_unit unit;
	struct gpu gpu; /* DRM node of the GPU */
	uint32_t context;
	struct gpu_buffer commands;
};

static int skylake_remove(const struct skylake *skylake)
{
	return file_set(DEL_DEVICE, strrchr(skylake->unit.gpu, '/') + 1);
}

static int skylake_add(struct skylake *skylake, bool interrupts)
{
	int error = file_set(INTERRUPTS, interrupts ? "Y" : "N");

	if (!error)
		error = file_set(NEW_DEVICE, "skl_gt2 idle");
	file_set(INTERRUPTS, "Y");
	if (error)
		return error;
	return gpu_unit_find(&skylake->unit, "sklgt2", "OA") ? 0 : -1;
}

static uint64_t skylake_statistic(const struct skylake *skylake, const char *name)
{
	char path[128];

	snprintf(path, sizeof(path), "/sys/class/gpuoa/gpuoa%u/statistics/%s", skylake->unit.index,
		 name);
	return file_get(path);
}

static uint64_t skylake_sim(const struct skylake *skylake, const char *name)
{
	char path[128];

	snprintf(path, sizeof(path), "%s/%s", skylake->unit.debugfs, name);
	return file_get(path);
}

static int skylake_open_drm(struct skylake *skylake)
{
	struct gpu *gpu = &skylake->gpu;

	gpu->wide = true;
	gpu->fd = gpu_unit_drm_open(&skylake->unit);
	if (gpu->fd < 0)
		return gpu->fd;
	if (sim_context_create(gpu->fd, &skylake->context))
		return -1;
	return gpu_buffer_create(gpu, &skylake->commands, COMMANDS, 64 * KIB);
}

static void skylake_close_drm(struct skylake *skylake)
{
	gpu_buffer_unmap(&skylake->commands);
	gpu_close(&skylake->gpu);
}

/* Run a batch that writes @reports reports. */
static int burst(struct skylake *skylake, unsigned int reports)
{
	struct batch batch = batch_begin(&skylake->gpu, &skylake->commands);

	while (reports--) {
		batch_load_register(&batch, OAREPORTTRIG2, TRIGGER);
		batch_load_register(&batch, OAREPORTTRIG2, TRIGGER | TRIGGER_EDGE);
	}
	batch_end(&batch);
	return gpu_run(&skylake->gpu, skylake->context, &batch, NULL);
}

static void take_raw(void *context, const uint8_t *report, uint32_t size)
{
	(void)context, (void)report, (void)size;
}

static void take_aux(struct aux_reader *reader, const uint8_t *report)
{
	(void)report;
	reader->tally.reports++;
}

static int open_raw(const struct skylake *skylake, struct reader *reader, unsigned int exponent,
		    uint32_t size)
{
	struct gpuoa_attr gpuoa = test_oa_attr(exponent);
	struct perf_event_attr attr = extensible_attr(&gpuoa);
	int error;

	gpuoa.buffer_size = size;
	attr.type = skylake->unit.pmu_type;
	error = reader_open(reader, &attr, exponent, 12);
	reader->each = take_raw;
	return error;
}

static int open_aux(const struct skylake *skylake, struct aux_reader *reader, unsigned int exponent,
		    uint64_t size, bool writable)
{
	struct gpuoa_attr gpuoa = aux_attr(exponent);
	struct perf_event_attr attr = extensible_attr(&gpuoa);
	int error;

	attr.type = skylake->unit.pmu_type;
	error = aux_open(reader, &attr, exponent);
	if (error)
		return error;
	reader->format = GPUOA_FORMAT_A32U40_A4U32_B8_C8;
	reader->take = take_aux;
	return aux_map(reader, size, writable);
}

/* poll rate */

enum mode { RAW, AUX, RECORDER };

/* Get the number of polls per second of GPU time, rounded up. */
static uint64_t polls_per_second(const struct skylake *skylake)
{
	uint64_t polls = skylake_statistic(skylake, "polls"), ticks;

	ticks = gpu_unit_tick(&skylake->unit);
	usleep(1000000);
	polls = skylake_statistic(skylake, "polls") - polls;
	ticks = gpu_unit_tick(&skylake->unit) - ticks;
	return polls * SKL_FREQUENCY / ticks + 1;
}

/* Get the number of polls per second if the timer writes a report every 175 ms. */
static uint64_t polls_in(const struct skylake *skylake, enum mode mode)
{
	struct aux_reader aux;
	struct reader raw;
	uint64_t polls = 0;
	int error;

	if (mode == RAW)
		error = open_raw(skylake, &raw, RARELY, 128 * KIB);
	else
		error = open_aux(skylake, &aux, RARELY, 128 * KIB, mode == AUX);
	if (error)
		return UINT64_MAX;
	if (mode == RAW) {
		reader_enable(&raw);
		polls = polls_per_second(skylake);
		reader_disable(&raw);
		reader_drain(&raw);
		error = raw.tally.reports < 4;
		reader_close(&raw);
	} else {
		aux_enable(&aux);
		polls = polls_per_second(skylake);
		aux_disable(&aux);
		aux_drain(&aux);
		error = aux.tally.reports < 4;
		aux_close(&aux);
	}
	return error ? UINT64_MAX : polls;
}

static void polls_less(struct __test_metadata *_metadata, enum mode mode, uint64_t most)
{
	struct skylake skylake;
	uint64_t with, without;

	ASSERT_EQ(0, skylake_add(&skylake, true));
	with = polls_in(&skylake, mode);
	EXPECT_EQ(0, skylake_statistic(&skylake, "interrupts"));
	ASSERT_EQ(0, skylake_remove(&skylake));
	ASSERT_EQ(0, skylake_add(&skylake, false));
	without = polls_in(&skylake, mode);
	ASSERT_EQ(0, skylake_remove(&skylake));

	TH_LOG("%llu looks with the interrupt, %llu without", (unsigned long long)with,
	       (unsigned long long)without);
	EXPECT_GE(most, with);
	/* A busy host may delay the timer. */
	if (virtual_time())
		EXPECT_LT(4 * with, without);
	EXPECT_NE(UINT64_MAX, without);
}

/* Reports not written by the timer are delivered within 40 ms. */
TEST(low_rate_samples_need_few_polls)
{
	polls_less(_metadata, RAW, 45);
}

TEST(low_rate_area_needs_few_polls)
{
	polls_less(_metadata, AUX, 45);
}

TEST(low_rate_flight_recorder_needs_few_polls)
{
	polls_less(_metadata, RECORDER, 5);
}

/*
 * The GPU clock is set to a time less than two timer periods after 0. The first report must not be
 * taken for an overdue one then, because the unit would be polled too often.
 */
TEST(low_timestamp_does_not_shorten_the_poll_period)
{
	struct skylake skylake;
	struct reader reader;
	char offset[24];

	ASSERT_EQ(0, skylake_add(&skylake, true));
	snprintf(offset, sizeof(offset), "%llu", (3ULL << 30) - gpu_unit_tick(&skylake.unit));
	if (gpu_unit_tick(&skylake.unit) < 3ULL << 30)
		ASSERT_EQ(0, gpu_unit_set(&skylake.unit, "time_offset", offset));
	ASSERT_EQ(0, open_raw(&skylake, &reader, NEVER, 128 * KIB));
	reader_enable(&reader);
	EXPECT_GE(45, polls_per_second(&skylake));
	reader_close(&reader);
	EXPECT_EQ(0, skylake_remove(&skylake));
}

/* bursts */

static void set_workers(unsigned long long mask)
{
	char text[24];

	snprintf(text, sizeof(text), "%llx", mask);
	file_set(WORKERS, text);
}

static unsigned int last_cpu(void)
{
	return sysconf(_SC_NPROCESSORS_ONLN) - 1;
}

static unsigned int cpu_of(const struct skylake *skylake)
{
	char path[128];

	snprintf(path, sizeof(path), "/sys/bus/event_source/devices/gpuoa%u/cpumask",
		 skylake->unit.index);
	return file_get(path);
}

/*
 * Batches run on the unit's CPU, so each half-full interrupt preempts them. On another CPU they
 * would continue to write until a busy machine handles the interrupt. Up to Linux 6.8, workers stay
 * on the CPU where they were created.
 */
FIXTURE(bursts)
{
	struct skylake skylake;
};

FIXTURE_SETUP(bursts)
{
	set_workers(1ULL << last_cpu());
	ASSERT_EQ(0, skylake_add(&self->skylake, true));
	ASSERT_EQ(last_cpu(), cpu_of(&self->skylake));
	ASSERT_EQ(0, skylake_open_drm(&self->skylake));
}

FIXTURE_TEARDOWN(bursts)
{
	set_workers((2ULL << last_cpu()) - 1);
	skylake_close_drm(&self->skylake);
	skylake_remove(&self->skylake);
}

/*
 * Number of bursts if timeout_scale() is 1, and number of reports per burst. The buffer holds 512
 * reports.
 */
#define BURSTS 12
#define BURST_REPORTS 2000

/*
 * The interrupt causes a poll during each burst, since the next poll of the timer would be 40 ms
 * later.
 */
TEST_F(bursts, samples_are_complete)
{
	struct skylake *skylake = &self->skylake;
	const unsigned int bursts = scaled_rounds(BURSTS);
	struct reader reader;
	unsigned int i;

	ASSERT_EQ(0, open_raw(skylake, &reader, NEVER, 128 * KIB));
	reader_enable(&reader);
	for (i = 0; i < bursts; i++)
		ASSERT_EQ(0, burst(skylake, BURST_REPORTS));
	reader_disable(&reader);
	reader_drain(&reader);
	TH_LOG("%llu looks, %llu interrupts",
	       (unsigned long long)skylake_statistic(skylake, "polls"),
	       (unsigned long long)skylake_statistic(skylake, "interrupts"));
	EXPECT_LE(bursts * BURST_REPORTS, reader.tally.reports);
	EXPECT_EQ(skylake_sim(skylake, "generated"), reader.tally.reports);
	EXPECT_EQ(0, reader_lost(&reader));
	/* On a slow machine, a batch may not fill half of the buffer in 40 ms. */
	EXPECT_EQ(skylake_sim(skylake, "half_full"), skylake_statistic(skylake, "interrupts"));
	reader_close(&reader);
}

/* Without the interrupt, the unit is polled once a second. */
TEST_F(bursts, flight_recorder_loses_nothing)
{
	struct skylake *skylake = &self->skylake;
	struct aux_reader reader;
	unsigned int i;

	ASSERT_EQ(0, open_aux(skylake, &reader, NEVER, 128 * KIB, false));
	ASSERT_EQ(0, aux_enable(&reader));
	for (i = 0; i < scaled_rounds(BURSTS); i++)
		ASSERT_EQ(0, burst(skylake, BURST_REPORTS));
	ASSERT_EQ(0, aux_disable(&reader));
	aux_drain(&reader);
	EXPECT_EQ(511, reader.tally.reports);
	EXPECT_EQ(0, reader.tally.gaps);
	EXPECT_EQ(0, skylake_sim(skylake, "dropped"));
	EXPECT_EQ(0, skylake_statistic(skylake, "overflows"));
	EXPECT_LT(10, skylake_statistic(skylake, "interrupts"));
	aux_close(&reader);
}

/*
 * A burst of 384 reports fills more than half of the buffer. The reader empties the buffer before
 * the next burst.
 */
TEST_F(bursts, area_is_complete)
{
	struct skylake *skylake = &self->skylake;
	const unsigned int bursts = scaled_rounds(2 * BURSTS);
	struct aux_reader reader;
	unsigned int i;

	ASSERT_EQ(0, open_aux(skylake, &reader, NEVER, 128 * KIB, true));
	ASSERT_EQ(0, aux_enable(&reader));
	for (i = 0; i < bursts; i++) {
		ASSERT_EQ(0, burst(skylake, 384));
		while (reader.tally.reports < 384ULL * (i + 1) && !reader.tally.gaps)
			aux_run(&reader, 1);
	}
	ASSERT_EQ(0, aux_disable(&reader));
	aux_drain(&reader);
	EXPECT_EQ(skylake_sim(skylake, "generated"), reader.tally.reports);
	EXPECT_EQ(0, reader.tally.gaps);
	EXPECT_EQ(0, reader.tally.errors);
	EXPECT_LE(bursts, skylake_statistic(skylake, "interrupts"));
	aux_close(&reader);
}

FIXTURE(half_full)
{
	struct skylake skylake;
};

FIXTURE_VARIANT(half_full)
{
	bool interrupts;
};

FIXTURE_VARIANT_ADD(half_full, with){
	.interrupts = true,
};

FIXTURE_VARIANT_ADD(half_full, without){
	.interrupts = false,
};

FIXTURE_SETUP(half_full)
{
	ASSERT_EQ(0, skylake_add(&self->skylake, variant->interrupts));
	ASSERT_EQ(0, skylake_open_drm(&self->skylake));
}

FIXTURE_TEARDOWN(half_full)
{
	skylake_close_drm(&self->skylake);
	skylake_remove(&self->skylake);
}

/* With a period of 1.3 us and a buffer for 0.7 ms, all losses are announced with their number. */
TEST_F(half_full, fast_timer_in_a_small_buffer_loses_nothing_unreported)
{
	struct skylake *skylake = &self->skylake;
	struct reader reader;

	ASSERT_EQ(0, open_raw(skylake, &reader, 3, 128 * KIB));
	reader.each = NULL;
	reader_enable(&reader);
	usleep(15000);
	EXPECT_TRUE(reader_run_reports(&reader, 1));
	reader_disable(&reader);
	reader_drain(&reader);
	EXPECT_LT(0, reader.tally.reports);
	EXPECT_EQ(0, reader.tally.errors);
	EXPECT_EQ(reader_due(&reader),
		  reader.tally.reports + reader.tally.lost + reader.tally.ring_lost);
	EXPECT_EQ(reader.tally.lost, skylake_statistic(skylake, "reports_lost"));
	reader_close(&reader);
}

/* Reports that the reader has not consumed are not overwritten. */
TEST_F(half_full, unread_aux_area_is_not_overwritten)
{
	struct skylake *skylake = &self->skylake;
	struct aux_reader reader;

	ASSERT_EQ(0, open_aux(skylake, &reader, NEVER, 128 * KIB, true));
	ASSERT_EQ(0, aux_enable(&reader));
	ASSERT_EQ(0, burst(skylake, 2000));
	ASSERT_TRUE(WAIT_UNTIL(aux_head(&reader) >= 256 * 256));
	usleep(100000);
	aux_drain(&reader);
	EXPECT_LE(256, reader.tally.reports);
	EXPECT_GT(512, reader.tally.reports);
	EXPECT_LE(1, reader.tally.gaps);
	/* There is free space again. */
	aux_run(&reader, 20);
	ASSERT_EQ(0, burst(skylake, 300));
	aux_disable(&reader);
	aux_drain(&reader);
	EXPECT_LE(256 + 300, reader.tally.reports);
	EXPECT_EQ(skylake_statistic(skylake, "reports_forwarded"), reader.tally.reports);
	EXPECT_EQ(0, reader.tally.errors);
	aux_close(&reader);
}

/* lost interrupts */

static void lose_interrupts(const struct skylake *skylake, const char *count)
{
	char path[128];

	snprintf(path, sizeof(path), "%s/lose_interrupts", skylake->unit.debugfs);
	file_set(path, count);
}

TEST(lost_interrupt_is_reported_as_overflow)
{
	struct aux_reader reader;
	struct skylake skylake;
	int i;

	ASSERT_EQ(0, skylake_add(&skylake, true));
	ASSERT_EQ(0, skylake_open_drm(&skylake));
	lose_interrupts(&skylake, "1");
	ASSERT_EQ(0, open_aux(&skylake, &reader, NEVER, 128 * KIB, false));
	ASSERT_EQ(0, aux_enable(&reader));
	/* Wait before the burst, because the unit is polled when the event is enabled. */
	usleep(20000);
	ASSERT_EQ(0, burst(&skylake, 600));
	EXPECT_TRUE(WAIT_UNTIL(skylake_statistic(&skylake, "overflows")));
	EXPECT_EQ(1, skylake_statistic(&skylake, "overflows"));
	EXPECT_LT(0, skylake_sim(&skylake, "dropped"));
	/* After a lost interrupt the driver polls as well, so that later reports are delivered. */
	lose_interrupts(&skylake, "1000");
	for (i = 0; i < 5; i++) {
		ASSERT_EQ(0, burst(&skylake, 200));
		usleep(20000);
	}
	EXPECT_EQ(1, skylake_statistic(&skylake, "overflows"));
	ASSERT_EQ(0, aux_disable(&reader));
	aux_drain(&reader);
	EXPECT_EQ(1, reader.tally.gaps);
	EXPECT_EQ(0, reader.tally.errors);
	aux_close(&reader);
	skylake_close_drm(&skylake);
	EXPECT_EQ(0, skylake_remove(&skylake));
}

/* changes during bursts */

/* Submit bursts until the GPU is removed or the process is killed. */
static pid_t start_bursts(struct skylake *skylake)
{
	pid_t child = fork();

	if (!child) {
		while (!burst(skylake, 1000))
			;
		_exit(0);
	}
	return child;
}

static void end_bursts(pid_t child)
{
	kill(child, SIGKILL);
	waitpid(child, NULL, 0);
}

TEST_F_TIMEOUT(half_full, events_start_and_stop_while_interrupts_come, 120)
{
	struct skylake *skylake = &self->skylake;
	pid_t child = start_bursts(skylake);
	struct aux_reader recorder;
	struct reader reader;
	unsigned int i;

	ASSERT_LT(0, child);
	for (i = 0; i < scaled_rounds(20); i++) {
		ASSERT_EQ(0, open_raw(skylake, &reader, NEVER, 128 * KIB));
		reader_enable(&reader);
		reader_run(&reader, i % 10);
		reader_disable(&reader);
		reader_enable(&reader);
		reader_close(&reader);

		ASSERT_EQ(0, open_aux(skylake, &recorder, NEVER, 128 * KIB, i % 2));
		ASSERT_EQ(0, aux_enable(&recorder));
		usleep(i % 10 * 1000);
		aux_close(&recorder);
	}
	end_bursts(child);
	EXPECT_EQ(0, skylake_sim(skylake, "ggtt_faults"));
}

/* The unit and its events migrate to another CPU. */
TEST_F_TIMEOUT(half_full, events_move_while_interrupts_come, 120)
{
	static const char online[] = "/sys/devices/system/cpu/cpu1/online";
	struct skylake *skylake = &self->skylake;
	struct reader reader;
	pid_t child;
	int i;

	if (access(online, W_OK))
		SKIP(return, "there is but one CPU");
	child = start_bursts(skylake);
	ASSERT_LT(0, child);
	ASSERT_EQ(0, open_raw(skylake, &reader, NEVER, 128 * KIB));
	reader_enable(&reader);
	for (i = 0; i < 4; i++) {
		ASSERT_EQ(0, file_set(online, i % 2 ? "1" : "0"));
		reader_run(&reader, 100);
	}
	end_bursts(child);
	reader_disable(&reader);
	reader_drain(&reader);
	EXPECT_EQ(0, reader.tally.errors);
	EXPECT_EQ(skylake_statistic(skylake, "reports_forwarded"),
		  reader.tally.reports + reader.tally.ring_lost);
	reader_close(&reader);
}

TEST(unplug_during_interrupts)
{
	struct skylake skylake;
	struct reader reader;
	pid_t child;
	unsigned int i;

	for (i = 0; i < scaled_rounds(10); i++) {
		ASSERT_EQ(0, skylake_add(&skylake, true));
		ASSERT_EQ(0, skylake_open_drm(&skylake));
		ASSERT_EQ(0, open_raw(&skylake, &reader, NEVER, 128 * KIB));
		reader_enable(&reader);
		child = start_bursts(&skylake);
		ASSERT_LT(0, child);
		reader_run(&reader, 10 + i * 3);
		ASSERT_EQ(0, skylake_remove(&skylake));
		reader_drain(&reader);
		EXPECT_GONE(&reader);
		EXPECT_EQ(0, reader.tally.errors);
		end_bursts(child);
		skylake_close_drm(&skylake);
		reader_close(&reader);
	}
}

TEST_HARNESS_MAIN
