/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * sim_bench.h - virtual GPU, time and report checks of the simulator's test suites.
 */
#ifndef _SIM_BENCH_H
#define _SIM_BENCH_H

#include <kunit/test.h>

#include "vgpu/model/gpu.h"
#include "vgpu/model/oa.h"
#include "vgpu/model/platforms.h"
#include "vgpu/model/select.h"

#define BENCH_FREQUENCY 12500000ULL
#define BENCH_TICK_NS 80
#define BENCH_START 1000000ULL
#define BENCH_EXPONENT 5
#define BENCH_PERIOD (2ULL << BENCH_EXPONENT)

/* Workload numbers */
#define BENCH_STEADY 1
#define BENCH_FRAMES 2

/* The GPU under test has memory at one address. On Haswell, it has one context. */
#define SIM_TEST_BUFFER 0x2000000
#define SIM_TEST_BUFFER_SIZE SZ_128K
#define SIM_TEST_CONTEXT 0x1234000
#define SIM_TEST_SLOT 2

extern u64 sim_test_now;
extern u8 *sim_test_memory;

/* Number of half-full interrupts */
extern unsigned int sim_test_interrupts;

struct gpuoa_builtin_set;

/**
 * struct bench - GPU under test
 * @gpu: the GPU
 * @sums: scratch space for integrals of signals
 */
struct bench {
	struct sim_gpu gpu;
	__uint128_t sums[SIM_N_SIGNALS];
};

/**
 * struct bench_field - documented position of counters in a report
 * @bank: name of the counter bank
 * @first: index of the first counter in the bank
 * @n: number of counters
 * @bits: counter width: 32, 40 or 64 bits
 * @offset: offset of the first counter, bytes
 * @high: offset of the upper 8 bits of the first 40-bit counter, bytes
 */
struct bench_field {
	const char *bank;
	unsigned int first;
	unsigned int n;
	unsigned int bits;
	unsigned int offset;
	unsigned int high;
};

#define BENCH_MAX_FIELDS 11

/**
 * struct bench_format - documented report format
 * @name: name used in messages
 * @control: value of the control register that selects the format
 * @size: report size, bytes
 * @fields: positions of counters, including the clock in the header
 */
struct bench_format {
	const char *name;
	u32 control;
	u32 size;
	struct bench_field fields[BENCH_MAX_FIELDS];
};

int bench_init(struct kunit *test, const char *platform);
void bench_exit(struct kunit *test);
struct sim_gpu *bench_gpu(struct kunit *test);
void bench_advance(struct sim_gpu *gpu);
void bench_play(struct kunit *test, unsigned int workload);
void bench_work(struct kunit *test, unsigned int slot, u64 start, u64 end);
const __uint128_t *bench_sums(struct kunit *test, unsigned int stream, u64 tick);
unsigned int bench_counter(const struct sim_oa_ops *ops, const char *bank, unsigned int n);
void bench_write_list(struct sim_gpu *gpu, const struct gpuoa_register *regs, size_t n);
void bench_write_set(struct sim_gpu *gpu, const struct gpuoa_builtin_set *set);

void bench_expect_layout(struct kunit *test, const struct sim_oa_ops *ops,
			 const struct bench_format *format, const struct sim_format *found);
void bench_expect_values(struct kunit *test, const struct sim_oa *oa,
			 const struct bench_format *format, const void *report);
void bench_expect_test_oa(struct kunit *test, const u32 *b, u32 clock);

/* State of workload "frames", which begins at BENCH_START */
unsigned int bench_frames_slot(u64 tick);
unsigned int bench_frames_mhz(u64 tick);
u32 bench_frames_events(u64 tick);

#endif /* _SIM_BENCH_H */
