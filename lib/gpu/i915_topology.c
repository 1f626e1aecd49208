// SPDX-License-Identifier: MIT
/*
 * i915_topology.c - slices, subslices and EUs in i915's format (DRM_I915_QUERY_TOPOLOGY_INFO)
 *
 * i915 has a mask of subslices per slice. desc->subslice_mask concatenates these masks, each with
 * the platform's number of bits. From gen12.5 on, i915 reports one slice with all subslices: the
 * bits are the same, and slices are derived from them.
 */
#include "gpu/i915_topology.h"

#include <errno.h>
#include <string.h>

#include "gpu/platforms.h"

#define MASK_BITS 64

/* struct drm_i915_query_topology_info, followed by the masks. */
struct topology {
	uint16_t flags;
	uint16_t max_slices;
	uint16_t max_subslices;
	uint16_t max_eus; /* of a subslice */
	uint16_t subslice_offset;
	uint16_t subslice_stride; /* bytes */
	uint16_t eu_offset;
	uint16_t eu_stride;
};

/* Result of the query, and whether it was read beyond its end */
struct masks {
	struct topology head;
	const uint8_t *data;
	size_t size;
	bool torn; /* a part of the data is beyond its end */
};

static size_t bytes_of(size_t bits)
{
	return (bits + 7) / 8;
}

static bool bit(struct masks *masks, size_t offset, size_t index)
{
	const size_t at = offset + index / 8;

	if (at >= masks->size) {
		masks->torn = true;
		return false;
	}
	return masks->data[at] >> index % 8 & 1;
}

/* Return a fact that all GPUs of a platform share; 0 if unknown. */
static uint64_t usual(const struct gpuoa_unit_desc *desc, enum gpu_fact fact)
{
	const struct gpu_platform *platform = gpu_platform_find(desc->platform);

	return platform ? platform->facts[fact] : 0;
}

static uint32_t usual_stride(const struct gpuoa_unit_desc *desc, uint32_t otherwise)
{
	const uint32_t stride = usual(desc, GPU_SUBSLICE_STRIDE);

	return stride ? stride : otherwise;
}

static void take_subslice(struct masks *masks, struct gpuoa_unit_desc *desc, size_t slice,
			  size_t subslice)
{
	const struct topology *head = &masks->head;
	const size_t place = slice * desc->subslice_stride + subslice;
	const size_t eus =
		head->eu_offset + (slice * head->max_subslices + subslice) * head->eu_stride;

	if (place < MASK_BITS && place / desc->subslice_stride < MASK_BITS) {
		desc->subslice_mask |= UINT64_C(1) << place;
		desc->slice_mask |= UINT64_C(1) << place / desc->subslice_stride;
	}
	for (size_t eu = 0; eu < head->max_eus; eu++)
		desc->eu_count += bit(masks, eus, eu);
}

int i915_topology_take(const void *topology, size_t size, struct gpuoa_unit_desc *desc)
{
	struct masks masks = { .torn = size < sizeof(masks.head) };
	const struct topology *head = &masks.head;

	if (masks.torn)
		return -EBADMSG;
	memcpy(&masks.head, topology, sizeof(masks.head));
	masks.data = (const uint8_t *)topology + sizeof(masks.head);
	masks.size = size - sizeof(masks.head);
	if (!head->max_slices || head->max_slices > MASK_BITS || !head->max_subslices ||
	    head->max_subslices > MASK_BITS || head->max_eus > MASK_BITS)
		return -EBADMSG;
	desc->subslice_stride = usual_stride(desc, head->max_subslices);
	desc->threads_per_eu = usual(desc, GPU_THREADS);
	desc->compute_engine_count = usual(desc, GPU_COMPUTE_ENGINES);
	for (size_t slice = 0; slice < head->max_slices; slice++) {
		if (!bit(&masks, 0, slice))
			continue;
		for (size_t subslice = 0; subslice < head->max_subslices; subslice++)
			if (bit(&masks, head->subslice_offset + slice * head->subslice_stride,
				subslice))
				take_subslice(&masks, desc, slice, subslice);
	}
	desc->slice_count = __builtin_popcountll(desc->slice_mask);
	desc->subslice_count = __builtin_popcountll(desc->subslice_mask);
	return masks.torn ? -EBADMSG : 0;
}

/* Return the number of bits up to the highest bit that is set, but at least 1. */
static uint16_t width(uint64_t mask)
{
	return mask ? MASK_BITS - __builtin_clzll(mask) : 1;
}

/*
 * Returns whether i915 reports slices: up to gen12.4. GPUs of gen12.5 and later, which are those
 * with compute engines, have none.
 */
static bool has_slices(const struct gpuoa_unit_desc *desc)
{
	return !usual(desc, GPU_COMPUTE_ENGINES);
}

/*
 * Lay out the masks of the query result. @stride: number of subslices per slice; 0: the GPU has no
 * slices
 */
static void lay_out(struct topology *head, uint64_t subslices, uint32_t stride, uint32_t eus)
{
	const uint16_t bits = width(subslices);

	*head = (struct topology){
		.max_slices = stride ? (bits + stride - 1) / stride : 1,
		.max_subslices = stride ? stride : bits,
		.max_eus = eus,
	};
	head->subslice_offset = bytes_of(head->max_slices);
	head->subslice_stride = bytes_of(head->max_subslices);
	head->eu_offset = head->subslice_offset + head->max_slices * head->subslice_stride;
	head->eu_stride = bytes_of(head->max_eus);
}

static void set_bit(uint8_t *data, size_t offset, size_t index)
{
	data[offset + index / 8] |= 1 << index % 8;
}

static void make_subslice(const struct topology *head, uint8_t *data, size_t slice, size_t subslice,
			  uint32_t eus)
{
	const size_t eu_mask =
		head->eu_offset + (slice * head->max_subslices + subslice) * head->eu_stride;

	set_bit(data, 0, slice);
	set_bit(data, head->subslice_offset + slice * head->subslice_stride, subslice);
	for (uint32_t eu = 0; eu < eus; eu++)
		set_bit(data, eu_mask, eu);
}

static void make_subslices(const struct topology *head, uint8_t *data, uint64_t subslices,
			   uint32_t stride, uint32_t eus)
{
	uint32_t left = __builtin_popcountll(subslices);

	for (size_t place = 0; place < MASK_BITS; place++) {
		uint32_t share;

		if (!(subslices >> place & 1))
			continue;
		share = (eus + left - 1) / left;
		left--;
		make_subslice(head, data, stride ? place / stride : 0,
			      stride ? place % stride : place, share);
		eus -= share;
	}
}

int i915_topology_make(const struct gpuoa_unit_desc *desc, void *topology, size_t room)
{
	const uint32_t count = __builtin_popcountll(desc->subslice_mask);
	uint32_t stride = desc->subslice_stride ? desc->subslice_stride : usual_stride(desc, 8);
	const uint64_t eus = count ? ((uint64_t)desc->eu_count + count - 1) / count : 0;
	struct topology head;
	size_t size;

	if (eus > MASK_BITS || stride > MASK_BITS)
		return -EINVAL;
	stride = has_slices(desc) ? stride : 0;
	lay_out(&head, desc->subslice_mask, stride, eus);
	size = sizeof(head) + head.eu_offset +
	       (size_t)head.max_slices * head.max_subslices * head.eu_stride;
	size = (size + 7) / 8 * 8;
	if (size > room)
		return -ENOBUFS;
	memset(topology, 0, size);
	memcpy(topology, &head, sizeof(head));
	make_subslices(&head, (uint8_t *)topology + sizeof(head), desc->subslice_mask, stride,
		       desc->eu_count);
	return size;
}
