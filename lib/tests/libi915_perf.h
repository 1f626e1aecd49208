/* SPDX-License-Identifier: MIT */
/*
 * libi915_perf.h - Binding to the libi915_perf of intel-gpu-tools, used for comparison only
 *
 * The library has no installed header. The layouts are those of libi915_perf.so.1.5 of
 * intel-gpu-tools 1.27 and 2.0 on x86-64, which have the same soname; peer_open() rejects any
 * other.
 */
#ifndef GPUOA_LIB_TESTS_LIBI915_PERF_H
#define GPUOA_LIB_TESTS_LIBI915_PERF_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* The start or end of an interval: a record header of 8 bytes, and a report */
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

/* The functions are the library's. */
struct peer_counter {
	const char *symbol;
	enum peer_storage storage;
	union {
		peer_read_uint64 max_uint64;
		peer_read_float max_float;
	};
	union {
		peer_read_uint64 read_uint64;
		peer_read_float read_float;
	};
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
	const void *counters; /* see peer_counter() */
	int32_t counter_count;
	char unknown36[12];
	/* number of the format in uapi/drm/i915_drm.h; libgpuoa uses the same numbers */
	int32_t format;
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
	const struct peer_layout *layout;
	bool is_2_0; /* of intel-gpu-tools 2.0 */
	const char *problem; /* reason why libi915_perf cannot be used */
};

/* Properties of the GPU passed to libi915_perf */
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

/* Properties of a Haswell GT2 that has the constants of haswell_gt2() */
extern const struct peer_gpu peer_haswell_gt2;

/*
 * Properties of a complete GPU of each platform that libi915_perf supports. The last entry has
 * .platform NULL.
 */
extern const struct peer_gpu peer_gpus[];

/* Load libi915_perf. Returns false on failure, with .problem set. */
bool peer_open(struct peer *peer, const struct peer_gpu *gpu);

/* Get libi915_perf's value of a constant. Returns false if it is unknown to libi915_perf. */
bool peer_constant(const struct peer *peer, const char *name, uint64_t *value);

/*
 * Iterate over the sets, in libi915_perf's order. @set: the last set, or NULL to start. Returns
 * NULL after the last set.
 */
const struct peer_set *peer_next_set(const struct peer *peer, const struct peer_set *set);

/* Find a set of libi915_perf by its symbol; NULL: there is none. */
const struct peer_set *peer_find_set(const struct peer *peer, const char *symbol);

/* @index: below set->counter_count */
struct peer_counter peer_counter(const struct peer *peer, const struct peer_set *set,
				 int32_t index);

/* Returns false if the set has no such counter. */
bool peer_find_counter(const struct peer *peer, const struct peer_set *set, const char *symbol,
		       struct peer_counter *counter);

/*
 * Free libi915_perf's objects. The library stays loaded, because the leak checker needs it to
 * attribute blocks.
 */
void peer_close(struct peer *peer);

#endif /* GPUOA_LIB_TESTS_LIBI915_PERF_H */
