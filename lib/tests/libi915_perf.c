// SPDX-License-Identifier: MIT
/* libi915_perf.c - binding to the library that intel-gpu-tools installs, for comparison only. */
#include "libi915_perf.h"

#include <dlfcn.h>
#include <stdlib.h>
#include <string.h>

#define LIBRARY "libi915_perf.so.1.5"

/* It does not give back all that it takes: the leak checker, where there is one, looks at ours only. */
const char *__lsan_default_suppressions(void);

const char *__lsan_default_suppressions(void)
{
	return "leak:libi915_perf";
}

#if defined(__x86_64__)
_Static_assert(offsetof(struct peer_counter, storage) == 32, "layout");
_Static_assert(offsetof(struct peer_counter, max_uint64) == 48, "layout");
_Static_assert(sizeof(struct peer_counter) == 80, "layout");
_Static_assert(offsetof(struct peer_set, link) == 128, "layout");
_Static_assert(sizeof(struct peer_set) == 144, "layout");
#endif

const struct peer_gpu peer_haswell_gt2 = {
	.device_id = 0x0412,
	.timestamp_frequency = 12500000,
	.min_frequency = 200000000,
	.max_frequency = 1250000000,
	.slices = 1,
	.subslices_per_slice = 2,
	.eus_per_subslice = 10,
};

/* Where struct intel_perf keeps the head of its list of sets. */
#define PERF_SETS 16

/* drm_i915_query_topology_info of the kernel's uapi, and the masks behind it */
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

static void set_bits(uint8_t *mask, uint32_t count)
{
	for (uint32_t i = 0; i < count; i++)
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
	set_bits(topology->masks, gpu->slices);
	for (uint32_t slice = 0; slice < gpu->slices; slice++)
		set_bits(topology->masks + 1 + slice, gpu->subslices_per_slice);
	for (uint32_t i = 0; i < gpu->slices * gpu->subslices_per_slice; i++)
		set_bits(topology->masks + topology->eu_offset + i * stride,
			 gpu->eus_per_subslice);
}

static struct peer_link *sets(const struct peer *peer)
{
	return (struct peer_link *)((char *)peer->perf + PERF_SETS);
}

static const struct peer_set *set_of(const struct peer_link *link)
{
	return (const void *)((const char *)link -
			      offsetof(struct peer_set, link));
}

/* A build with another layout has something else where these names should be. */
static bool layout_is_known(const struct peer *peer)
{
	const struct peer_set *set = peer_find_set(peer, "RenderBasic");

	return set && set->counter_count == 67 &&
	       !strcmp(set->counters[0].symbol, "AlphaTestFails") &&
	       peer_find_counter(set, "GpuTime");
}

bool peer_open(struct peer *peer, const struct peer_gpu *gpu)
{
	struct peer_perf *(*open_perf)(uint32_t, uint32_t, uint64_t, uint64_t,
				       uint64_t, const struct topology *);
	struct topology topology;

	*peer = (struct peer){ .library = dlopen(LIBRARY, RTLD_NOW) };
	if (!peer->library) {
		peer->problem = LIBRARY " (intel-gpu-tools) is not installed";
		return false;
	}
	*(void **)&open_perf = dlsym(peer->library, "intel_perf_for_devinfo");
	*(void **)&peer->free_perf = dlsym(peer->library, "intel_perf_free");
	*(void **)&peer->accumulate =
		dlsym(peer->library, "intel_perf_accumulate_reports");
	fill_topology(&topology, gpu);
	if (open_perf && peer->free_perf && peer->accumulate)
		peer->perf = open_perf(gpu->device_id, 0,
				       gpu->timestamp_frequency,
				       gpu->min_frequency, gpu->max_frequency,
				       &topology);
	if (peer->perf && layout_is_known(peer))
		return true;
	peer_close(peer);
	peer->problem = LIBRARY " is not the one that is known here";
	return false;
}

const struct peer_set *peer_find_set(const struct peer *peer,
				     const char *symbol)
{
	for (struct peer_link *link = sets(peer)->next; link != sets(peer);
	     link = link->next)
		if (!strcmp(set_of(link)->symbol, symbol))
			return set_of(link);
	return NULL;
}

const struct peer_counter *peer_find_counter(const struct peer_set *set,
					     const char *symbol)
{
	for (int32_t i = 0; i < set->counter_count; i++)
		if (!strcmp(set->counters[i].symbol, symbol))
			return &set->counters[i];
	return NULL;
}

void peer_close(struct peer *peer)
{
	if (peer->perf && peer->free_perf)
		peer->free_perf(peer->perf);
	*peer = (struct peer){ 0 };
}
