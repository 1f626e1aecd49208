/* SPDX-License-Identifier: MIT */
/*
 * libi915_perf.h - Binding to the libi915_perf of intel-gpu-tools, used for comparison only
 *
 * The library has no installed header. The layout below is that of libi915_perf.so.1.5 on x86-64;
 * peer_open() rejects any other.
 */
#ifndef GPUOA_LIB_TESTS_LIBI915_PERF_H
#define GPUOA_LIB_TESTS_LIBI915_PERF_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* Start or end of an interval: a record header of 8 bytes, and the report */
struct peer_record {
	uint32_t type;
	uint16_t pad;
	uint16_t size;
	uint32_t report[64];
};

#define PEER_RECORD_SAMPLE 1

struct peer_accumulator {
	uint64_t deltas[64];
};

enum peer_storage {
	PEER_UINT64,
	PEER_UINT32,
	PEER_DOUBLE,
	PEER_FLOAT,
	PEER_BOOL32,
};

struct peer_perf;
struct peer_set;

typedef uint64_t (*peer_read_uint64)(const struct peer_perf *perf, const struct peer_set *set,
				     uint64_t *deltas);
typedef double (*peer_read_float)(const struct peer_perf *perf, const struct peer_set *set,
				  uint64_t *deltas);

struct peer_counter {
	char unknown0[16];
	const char *symbol;
	char unknown24[8];
	int32_t storage; /* enum peer_storage */
	char unknown36[12];
	union {
		peer_read_uint64 max_uint64;
		peer_read_float max_float;
	};
	union {
		peer_read_uint64 read_uint64;
		peer_read_float read_float;
	};
	char unknown64[16];
};

struct peer_register {
	uint32_t address;
	uint32_t value;
};

struct peer_link {
	struct peer_link *next;
	struct peer_link *previous;
};

struct peer_set {
	const char *name;
	const char *symbol;
	const char *uuid;
	const struct peer_counter *counters;
	int32_t counter_count;
	char unknown36[12];
	int32_t format; /* as in uapi/drm/i915_drm.h, and in this library */
	int32_t report_size;
	char unknown56[24];
	const struct peer_register *boolean;
	uint32_t boolean_count;
	const struct peer_register *mux;
	uint32_t mux_count;
	const struct peer_register *flex;
	uint32_t flex_count;
	struct peer_link link;
};

struct peer {
	void *library;
	struct peer_perf *perf;
	void (*free_perf)(struct peer_perf *perf);
	void (*accumulate)(struct peer_accumulator *accumulator, const struct peer_perf *perf,
			   const struct peer_set *set, const struct peer_record *from,
			   const struct peer_record *to);
	const char *problem; /* why the peer cannot be used */
};

/* Properties of the GPU passed to the peer */
struct peer_gpu {
	const char *platform;
	uint32_t device_id;
	uint32_t revision;
	uint64_t timestamp_frequency;
	uint64_t min_frequency;
	uint64_t max_frequency;
	uint32_t slices;
	uint32_t subslices_per_slice;
	uint32_t eus_per_subslice;
	uint32_t missing_subslices; /* mask, equal for all slices */
};

/* Haswell GT2 with the constants of haswell_gt2() */
extern const struct peer_gpu peer_haswell_gt2;

/* A complete GPU of each platform that the peer supports; the last entry has .platform NULL. */
extern const struct peer_gpu peer_gpus[];

/* Returns false with .problem set on failure. */
bool peer_open(struct peer *peer, const struct peer_gpu *gpu);

/* Get the peer's value of a constant. Returns false if it is unknown to the peer. */
bool peer_constant(const struct peer *peer, const char *name, uint64_t *value);

/* Iterate over the sets in the peer's order; NULL starts, and is returned at the end. */
const struct peer_set *peer_next_set(const struct peer *peer, const struct peer_set *set);

/* Returns NULL if there is none with this name. */
const struct peer_set *peer_find_set(const struct peer *peer, const char *symbol);

const struct peer_counter *peer_find_counter(const struct peer_set *set, const char *symbol);

/* The library stays loaded, because the leak checker needs it to attribute blocks. */
void peer_close(struct peer *peer);

#endif /* GPUOA_LIB_TESTS_LIBI915_PERF_H */
