// SPDX-License-Identifier: MIT
/* libi915_perf.c - Binding to the libi915_perf of intel-gpu-tools, used for comparison only */
#include "libi915_perf.h"

#include <dlfcn.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define LIBRARY "libi915_perf.so.1.5"

/*
 * libi915_perf leaks memory, so the leak checker must ignore leaks in it. The checker finds this
 * function by name, so the name must be visible.
 */
__attribute__((visibility("default"))) const char *__lsan_default_suppressions(void);

const char *__lsan_default_suppressions(void)
{
	return "leak:libi915_perf";
}

#if defined(__x86_64__)
_Static_assert(offsetof(struct peer_set, format) == 48, "layout");
_Static_assert(offsetof(struct peer_set, boolean) == 80, "layout");
_Static_assert(offsetof(struct peer_set, link) == 128, "layout");
_Static_assert(sizeof(struct peer_set) == 144, "layout");
#endif

/* The library's struct of a counter: its size, and offsets in it */
struct peer_layout {
	size_t size;
	size_t storage;
	size_t max;
	size_t read;
};

#define COUNTER_SYMBOL 16

/* 2.0 has a group and a function for the availability before the storage. */
static const struct peer_layout layouts[] = {
	{ .size = 80, .storage = 32, .max = 48, .read = 56 }, /* 1.27 */
	{ .size = 96, .storage = 48, .max = 64, .read = 72 }, /* 2.0 */
};

#define GPU(name, id, hz, slices_, subslices, eus)                                          \
	{                                                                                   \
		.platform = name, .device_id = id, .timestamp_frequency = hz,               \
		.min_frequency = 200000000, .max_frequency = 1250000000, .slices = slices_, \
		.subslices_per_slice = subslices, .eus_per_subslice = eus                   \
	}

const struct peer_gpu peer_haswell_gt2 = GPU("hsw", 0x0412, 12500000, 1, 2, 10);

const struct peer_gpu peer_gpus[] = {
	GPU("hsw", 0x0412, 12500000, 1, 2, 10),
	GPU("bdw", 0x1626, 12500000, 2, 3, 8),
	GPU("chv", 0x22b1, 12500000, 1, 2, 8),
	GPU("sklgt2", 0x1912, 12000000, 1, 3, 8),
	GPU("sklgt3", 0x1926, 12000000, 2, 3, 8),
	GPU("sklgt4", 0x193b, 12000000, 3, 3, 8),
	GPU("bxt", 0x5a84, 19200000, 1, 3, 6),
	GPU("kblgt2", 0x5912, 12000000, 1, 3, 8),
	GPU("kblgt3", 0x5927, 12000000, 2, 3, 8),
	GPU("glk", 0x3184, 19200000, 1, 3, 6),
	GPU("cflgt2", 0x3e92, 12000000, 1, 3, 8),
	GPU("cflgt3", 0x3ea5, 12000000, 2, 3, 8),
	GPU("cnl", 0x5a52, 12000000, 3, 3, 8),
	GPU("icl", 0x8a52, 12000000, 1, 8, 8),
	GPU("ehl", 0x4571, 19200000, 1, 4, 8),
	GPU("tglgt1", 0x9a60, 19200000, 1, 2, 16),
	GPU("tglgt2", 0x9a49, 19200000, 1, 6, 16),
	GPU("rkl", 0x4c8a, 19200000, 1, 2, 16),
	GPU("dg1", 0x4905, 19200000, 1, 6, 16),
	GPU("adl", 0x4680, 19200000, 1, 2, 16),
	GPU("mtlgt2", 0x7d45, 19200000, 1, 4, 16),
	GPU("mtlgt3", 0x7d55, 19200000, 2, 4, 16),
	{ 0 },
};

/* Offsets in struct intel_perf of the list of sets and of the device information */
#define PERF_SETS 16
#define PERF_DEVINFO 32

/* The kernel's struct drm_i915_query_topology_info, followed by the masks */
struct topology {
	uint16_t flags;
	uint16_t max_slices;
	uint16_t max_subslices;
	uint16_t max_eus_per_subslice;
	uint16_t subslice_offset;
	uint16_t subslice_stride;
	uint16_t eu_offset;
	uint16_t eu_stride;
	uint8_t masks[1 + 8 + 8 * 8 * 2];
};

static void set_bits(uint8_t *mask, uint32_t count, uint32_t missing)
{
	for (uint32_t i = 0; i < count; i++)
		if (!(missing >> i & 1))
			mask[i / 8] |= 1 << i % 8;
}

static void fill_topology(struct topology *topology, const struct peer_gpu *gpu)
{
	uint32_t stride = (gpu->eus_per_subslice + 7) / 8;

	*topology = (struct topology){
		.max_slices = gpu->slices,
		.max_subslices = gpu->subslices_per_slice,
		.max_eus_per_subslice = gpu->eus_per_subslice,
		.subslice_offset = 1,
		.subslice_stride = 1,
		.eu_offset = 1 + gpu->slices,
		.eu_stride = stride,
	};
	set_bits(topology->masks, gpu->slices, 0);
	for (uint32_t slice = 0; slice < gpu->slices; slice++)
		set_bits(topology->masks + 1 + slice, gpu->subslices_per_slice,
			 gpu->missing_subslices);
	for (uint32_t i = 0; i < gpu->slices * gpu->subslices_per_slice; i++)
		set_bits(topology->masks + topology->eu_offset + i * stride, gpu->eus_per_subslice,
			 0);
}

static struct peer_link *sets(const struct peer *peer)
{
	return (struct peer_link *)((char *)peer->perf + PERF_SETS);
}

static const struct peer_set *set_of(const struct peer_link *link)
{
	return (const void *)((const char *)link - offsetof(struct peer_set, link));
}

static struct peer_perf *open_gpu(const struct peer *peer, const struct peer_gpu *gpu)
{
	struct peer_perf *(*open_perf)(uint32_t, uint32_t, uint64_t, uint64_t, uint64_t,
				       const struct topology *);
	struct topology topology;

	*(void **)&open_perf = dlsym(peer->library, "intel_perf_for_devinfo");
	if (!open_perf)
		return NULL;
	fill_topology(&topology, gpu);
	return open_perf(gpu->device_id, gpu->revision, gpu->timestamp_frequency,
			 gpu->min_frequency, gpu->max_frequency, &topology);
}

/*
 * Find the layout by the first two counters of a known set: each counter begins with a pointer to
 * its set, which no other word of a counter equals.
 */
static const struct peer_layout *find_layout(const struct peer_set *set)
{
	const size_t count = sizeof(layouts) / sizeof(layouts[0]);
	const void *of_set;

	for (const struct peer_layout *layout = layouts; layout < layouts + count; layout++) {
		memcpy(&of_set, (const char *)set->counters + layout->size, sizeof(of_set));
		if (of_set == set)
			return layout;
	}
	return NULL;
}

/*
 * Returns whether libi915_perf has a known layout: in any other build, the known names are not at
 * these offsets.
 */
static bool layout_is_known(struct peer *peer)
{
	const struct peer_set *set;
	struct peer_counter time;
	bool known;

	peer->perf = open_gpu(peer, &peer_haswell_gt2);
	if (!peer->perf)
		return false;
	set = peer_find_set(peer, "RenderBasic");
	peer->layout = set && set->counter_count == 67 ? find_layout(set) : NULL;
	known = peer->layout && !strcmp(peer_counter(peer, set, 0).symbol, "AlphaTestFails") &&
		peer_find_counter(peer, set, "GpuTime", &time);
	peer->free_perf(peer->perf);
	return known;
}

bool peer_open(struct peer *peer, const struct peer_gpu *gpu)
{
	*peer = (struct peer){ .library = dlopen(LIBRARY, RTLD_NOW) };
	if (!peer->library) {
		peer->problem = LIBRARY " (intel-gpu-tools) is not installed";
		return false;
	}
	*(void **)&peer->free_perf = dlsym(peer->library, "intel_perf_free");
	*(void **)&peer->accumulate = dlsym(peer->library, "intel_perf_accumulate_reports");
	if (peer->free_perf && peer->accumulate && layout_is_known(peer)) {
		peer->perf = open_gpu(peer, gpu);
		peer->is_2_0 = peer->layout == &layouts[1];
		if (peer->perf)
			return true;
	}
	*peer = (struct peer){ .problem = LIBRARY " is not the one that is known here" };
	return false;
}

#define PERF_SUBSLICES 208

/* Values that equations use, and their offsets in struct intel_perf_devinfo */
static const struct {
	const char *name;
	size_t offset;
} devinfo[] = {
	{ "GpuTimestampFrequency", 152 },
	{ "GpuMinFrequency", 160 },
	{ "GpuMaxFrequency", 168 },
	{ "EuCoresTotalCount", 176 },
	{ "VectorEngineTotalCount", 176 },
	{ "EuSlicesTotalCount", 184 },
	{ "SliceTotalCount", 184 },
	{ "EuSubslicesTotalCount", 192 },
	{ "XeCoreTotalCount", 192 },
	{ "SubsliceMask", PERF_SUBSLICES },
	{ "DualSubsliceMask", PERF_SUBSLICES },
	{ "SliceMask", 216 },
	{ "EuThreadsCount", 224 },
	{ "VectorEngineThreadsCount", 224 },
};

static uint64_t read_devinfo(const struct peer *peer, size_t offset)
{
	uint64_t value;

	memcpy(&value, (const char *)peer->perf + PERF_DEVINFO + offset, sizeof(value));
	return value;
}

bool peer_constant(const struct peer *peer, const char *name, uint64_t *value)
{
	unsigned int slice, core, end = 0;

	for (size_t i = 0; i < sizeof(devinfo) / sizeof(devinfo[0]); i++) {
		if (strcmp(devinfo[i].name, name))
			continue;
		*value = read_devinfo(peer, devinfo[i].offset);
		return true;
	}
	/* In libi915_perf, metrics that depend on XeCoreMask are always available. */
	if (!strcmp(name, "XeCoreMask")) {
		*value = UINT64_MAX;
		return true;
	}
	/* libi915_perf tests a slice mask that it never sets. */
	if (sscanf(name, "GtSlice%u%n", &slice, &end) == 1 && !name[end]) {
		*value = 0;
		return true;
	}
	/* libi915_perf uses the cores of the first slice for every slice. */
	if (sscanf(name, "GtSlice%uXeCore%u", &slice, &core) != 2)
		return false;
	*value = read_devinfo(peer, PERF_SUBSLICES) >> core & 1;
	return true;
}

const struct peer_set *peer_next_set(const struct peer *peer, const struct peer_set *set)
{
	const struct peer_link *next = set ? set->link.next : sets(peer)->next;

	return next == sets(peer) ? NULL : set_of(next);
}

const struct peer_set *peer_find_set(const struct peer *peer, const char *symbol)
{
	const struct peer_set *set = NULL;

	while ((set = peer_next_set(peer, set)))
		if (!strcmp(set->symbol, symbol))
			return set;
	return NULL;
}

struct peer_counter peer_counter(const struct peer *peer, const struct peer_set *set, int32_t index)
{
	const struct peer_layout *layout = peer->layout;
	const char *theirs = (const char *)set->counters + (size_t)index * layout->size;
	struct peer_counter counter = { 0 };

	memcpy(&counter.symbol, theirs + COUNTER_SYMBOL, sizeof(counter.symbol));
	memcpy(&counter.storage, theirs + layout->storage, sizeof(counter.storage));
	memcpy(&counter.max_uint64, theirs + layout->max, sizeof(counter.max_uint64));
	memcpy(&counter.read_uint64, theirs + layout->read, sizeof(counter.read_uint64));
	return counter;
}

bool peer_find_counter(const struct peer *peer, const struct peer_set *set, const char *symbol,
		       struct peer_counter *counter)
{
	for (int32_t i = 0; i < set->counter_count; i++) {
		*counter = peer_counter(peer, set, i);
		if (!strcmp(counter->symbol, symbol))
			return true;
	}
	return false;
}

void peer_close(struct peer *peer)
{
	if (peer->perf && peer->free_perf)
		peer->free_perf(peer->perf);
	*peer = (struct peer){ 0 };
}
