/* SPDX-License-Identifier: MIT */
/*
 * fake_gpu.h - GPUs for tests of the front end on the host
 *
 * The test is linked with --wrap, so that the functions of libgpuoa that need hardware are those of
 * fake_gpu.c. Everything else is the library.
 */
#ifndef GPUOA_FRONTEND_IGDMD_TESTS_FAKE_GPU_H
#define GPUOA_FRONTEND_IGDMD_TESTS_FAKE_GPU_H

#include "gpuoa-device.h"

#define FAKE_TICKS 12345678 /* GPU time of gpuoa_unit_clock(), modulo 2^40 */
#define FAKE_CPU_NS 987654321

struct fake_gpu {
	const char *platform; /* "tglgt2" */
	uint32_t tiles; /* each with a unit OA */
	bool media; /* and a unit OAM0 */
	uint64_t slice_mask;
	uint64_t subslice_mask;
	uint64_t l3_bank_mask;
	uint32_t eu_count;
	uint32_t timestamp_bits;
	uint64_t timestamp_frequency;
	uint32_t device_id;
	enum gpuoa_device_type type;
	enum gpuoa_device_state state;
};

/* File descriptor of a DRM node of GPU @index */
#define FAKE_FD(index) (1000 + (index))

/* Fake GPUs: Haswell GT2, Tiger Lake GT2, Skylake GT2, Lunar Lake */
extern const struct fake_gpu fake_hsw, fake_tgl, fake_skl, fake_lnl;

/* Results that the faked functions return, and the arguments with which they were called */
extern struct fake {
	struct fake_gpu gpus[2];
	int gpu_count;
	int open_error; /* of gpuoa_unit_open() */
	int units_open;
	uint64_t features; /* of units, enum gpuoa_unit_feature */
	const char *driver; /* of units; NULL: none */

	/* contexts of DRM files */
	uint32_t contexts[4];
	size_t context_count;
	uint32_t bad_context; /* gpuoa_stream_open() returns -EINVAL for it; 0: none */

	/* stream */
	int stream_error; /* of gpuoa_stream_open() */
	int streams_open;
	struct gpuoa_stream_options options;
	const struct gpuoa_set *set;
	bool enabled;
	const uint8_t *reports; /* that reads return */
	size_t report_count;
	/* number of reports that one read returns; the read after it reports a gap */
	size_t read_chunk;
	struct gpuoa_read_status status; /* of the next read */
	int read_error; /* of reads without reports */
	int wait_error;
	uint32_t frequency_mhz;

	/* gpuoa_unit_clock(): the GPU's time, and result */
	uint64_t ticks;
	int clock_error;

	/* configurations */
	struct {
		uint32_t id;
		char uuid[40];
		size_t registers;
	} configs[4];
	uint32_t next_config;

	/* frequency pin */
	uint64_t pinned_hz;
	int pin_error;
} fake;

/* Simulate a machine with these two GPUs; the second one may be NULL. */
void fake_begin(const struct fake_gpu *first, const struct fake_gpu *second);

/*
 * Make the next report of a set, @ticks after @last (NULL: none), with random counts. @reason: enum
 * gpuoa_reason
 */
void fake_next_report(const struct gpuoa_set *set, uint64_t *random, const uint8_t *last,
		      uint8_t *next, uint64_t ticks, uint32_t reason);

#endif /* GPUOA_FRONTEND_IGDMD_TESTS_FAKE_GPU_H */
