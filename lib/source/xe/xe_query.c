// SPDX-License-Identifier: MIT
/*
 * xe_query.c - what xe tells of a GPU and of its OA units
 */
#include "source/xe/xe_query.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "gpu/pci_ids.h"
#include "report/format.h"
#include "source/xe/xe_format.h"

/* Later kernels say so of the unit that all media engines share, and have OAM
 * for the others. */
#define UNIT_TYPE_OAM_SAG 2

#define FIRST_VERSION 20 /* of graphics IP: Xe2 */
#define CORES_PER_SLICE 4
#define THREADS_PER_EU 8
#define EXPONENT_MAX 31
#define BUFFER_SIZE (16 << 20) /* Linux 6.12 leaves no choice */

void *xe_query(int fd, uint32_t query, size_t *size, int *err)
{
	struct drm_xe_device_query args = { .query = query };
	void *data;

	*err = xe_ioctl(fd, DRM_IOCTL_XE_DEVICE_QUERY, &args);
	if (*err)
		return NULL;
	data = calloc(1, (size_t)args.size + 1);
	if (!data) {
		*err = -ENOMEM;
		return NULL;
	}
	args.data = (uintptr_t)data;
	*err = xe_ioctl(fd, DRM_IOCTL_XE_DEVICE_QUERY, &args);
	if (*err) {
		free(data);
		return NULL;
	}
	*size = args.size;
	return data;
}

/* ---- OA units
 * -------------------------------------------------------------------------------
 */

/* The unit at @at, or NULL if it is not all there; @at goes on to the next. */
static const struct drm_xe_oa_unit *next_unit(const uint8_t **at, const uint8_t *end)
{
	const struct drm_xe_oa_unit *unit = (const void *)*at;
	const size_t left = (size_t)(end - *at);

	if (left < sizeof(*unit) ||
	    (left - sizeof(*unit)) / sizeof(unit->eci[0]) < unit->num_engines)
		return NULL;
	*at += sizeof(*unit) + unit->num_engines * sizeof(unit->eci[0]);
	return unit;
}

/* The @index-th unit that has engines: of the others no stream can be opened.
 */
static const struct drm_xe_oa_unit *find_unit(const struct drm_xe_query_oa_units *units,
					      size_t size, uint32_t index)
{
	const uint8_t *at = (const uint8_t *)units->oa_units;
	const uint8_t *end = (const uint8_t *)units + size;
	const struct drm_xe_oa_unit *unit;

	for (uint32_t i = 0; i < units->num_oa_units; i++) {
		unit = next_unit(&at, end);
		if (!unit)
			return NULL;
		if (unit->num_engines && !index--)
			return unit;
	}
	return NULL;
}

int xe_query_units(int fd)
{
	size_t size;
	int err, count = 0;
	struct drm_xe_query_oa_units *units =
		xe_query(fd, DRM_XE_DEVICE_QUERY_OA_UNITS, &size, &err);

	if (!units)
		return err;
	while (find_unit(units, size, (uint32_t)count))
		count++;
	free(units);
	return count;
}

/*
 * Where units of the media GT have no type of their own for what they share,
 * there is only that one: Linux 6.12 programs its registers.
 */
static const char *domain_of(const struct drm_xe_query_oa_units *units, size_t size,
			     const struct drm_xe_oa_unit *wanted)
{
	const struct drm_xe_oa_unit *unit;
	bool tells = false, first = true;

	for (uint32_t i = 0; (unit = find_unit(units, size, i)); i++)
		tells |= unit->oa_unit_type == UNIT_TYPE_OAM_SAG;
	if (wanted->oa_unit_type == DRM_XE_OA_UNIT_TYPE_OAG)
		return "OA";
	if (wanted->oa_unit_type == UNIT_TYPE_OAM_SAG || !tells)
		return "OAMG";
	for (uint32_t i = 0; (unit = find_unit(units, size, i)) && unit != wanted; i++)
		first &= unit->oa_unit_type != DRM_XE_OA_UNIT_TYPE_OAM;
	return first ? "OAM0" : "OAM1";
}

static void take_unit(struct xe_unit *unit, const struct drm_xe_oa_unit *from)
{
	struct gpuoa_unit_desc *desc = &unit->unit.desc;

	unit->id = from->oa_unit_id;
	unit->engine = from->eci[0];
	desc->timestamp_frequency = from->oa_timestamp_freq;
	desc->gt = from->eci[0].gt_id;
	for (uint64_t i = 0; i < from->num_engines && i < GPUOA_UNIT_ENGINES; i++)
		desc->engines[desc->engine_count++] = (struct gpuoa_engine){
			from->eci[i].engine_class,
			from->eci[i].engine_instance,
		};
}

static int read_unit(struct xe_unit *unit, uint32_t index)
{
	size_t size;
	int err;
	struct drm_xe_query_oa_units *units =
		xe_query(unit->unit.fd, DRM_XE_DEVICE_QUERY_OA_UNITS, &size, &err);
	const struct drm_xe_oa_unit *from;

	if (!units)
		return err;
	from = find_unit(units, size, index);
	if (from) {
		take_unit(unit, from);
		strcpy(unit->unit.desc.domain, domain_of(units, size, from));
	}
	free(units);
	return from ? 0 : -ENOENT;
}

/* ---- the GPU
 * --------------------------------------------------------------------------------
 */

static int read_config(struct xe_unit *unit)
{
	struct gpuoa_unit_desc *desc = &unit->unit.desc;
	const struct pci_part *part;
	size_t size;
	int err;
	struct drm_xe_query_config *config =
		xe_query(unit->unit.fd, DRM_XE_DEVICE_QUERY_CONFIG, &size, &err);

	if (!config)
		return err;
	desc->device_id = config->info[DRM_XE_QUERY_CONFIG_REV_AND_DEVICE_ID] & 0xffff;
	desc->revision = config->info[DRM_XE_QUERY_CONFIG_REV_AND_DEVICE_ID] >> 16 & 0xff;
	free(config);
	part = pci_part_find((uint16_t)desc->device_id);
	if (part)
		strcpy(desc->platform, part->platform);
	return 0;
}

/* Is it Xe2 or later? Those before are i915's, and xe knows them for
 * experiments only. */
static int read_gts(struct xe_unit *unit)
{
	struct gpuoa_unit_desc *desc = &unit->unit.desc;
	bool known = false;
	size_t size;
	int err;
	struct drm_xe_query_gt_list *list =
		xe_query(unit->unit.fd, DRM_XE_DEVICE_QUERY_GT_LIST, &size, &err);

	if (!list)
		return err;
	for (uint32_t i = 0; i < list->num_gt; i++) {
		const struct drm_xe_gt *gt = &list->gt_list[i];

		known |= gt->type == DRM_XE_QUERY_GT_TYPE_MAIN && gt->ip_ver_major >= FIRST_VERSION;
		if (gt->gt_id != desc->gt)
			continue;
		desc->tile = gt->tile_id;
		desc->cs_timestamp_frequency = gt->reference_clock;
	}
	free(list);
	desc->cs_timestamp_bits = 64;
	return known ? 0 : -EOPNOTSUPP;
}

static uint64_t mask_of(const struct drm_xe_query_topology_mask *mask)
{
	uint64_t value = 0;

	for (uint32_t i = 0; i < mask->num_bytes && i < sizeof(value); i++)
		value |= (uint64_t)mask->mask[i] << 8 * i;
	return value;
}

/* What is told of the GTs that have any: media GTs have none of it. */
static void take_mask(struct gpuoa_unit_desc *desc, const struct drm_xe_query_topology_mask *mask,
		      uint32_t *eus)
{
	const uint64_t value = mask_of(mask);

	switch (mask->type) {
	case DRM_XE_TOPO_DSS_GEOMETRY:
	case DRM_XE_TOPO_DSS_COMPUTE:
		desc->subslice_mask |= value;
		break;
	case DRM_XE_TOPO_L3_BANK:
		desc->l3_bank_mask |= value;
		break;
	case DRM_XE_TOPO_EU_PER_DSS:
	case DRM_XE_TOPO_SIMD16_EU_PER_DSS:
		if (value)
			*eus = (uint32_t)__builtin_popcountll(value);
		break;
	}
}

static int read_topology(struct xe_unit *unit)
{
	struct gpuoa_unit_desc *desc = &unit->unit.desc;
	uint32_t eus = 0;
	size_t size, at = 0;
	int err;
	uint8_t *answer = xe_query(unit->unit.fd, DRM_XE_DEVICE_QUERY_GT_TOPOLOGY, &size, &err);

	if (!answer)
		return err;
	while (size - at >= sizeof(struct drm_xe_query_topology_mask)) {
		const struct drm_xe_query_topology_mask *mask = (const void *)(answer + at);

		at += sizeof(*mask);
		if (mask->num_bytes > size - at)
			break;
		at += mask->num_bytes;
		take_mask(desc, mask, &eus);
	}
	free(answer);

	desc->subslice_stride = CORES_PER_SLICE;
	for (uint32_t i = 0; i < 64 / CORES_PER_SLICE; i++)
		if (desc->subslice_mask >> (i * CORES_PER_SLICE) & ((1 << CORES_PER_SLICE) - 1))
			desc->slice_mask |= UINT64_C(1) << i;
	desc->slice_count = (uint32_t)__builtin_popcountll(desc->slice_mask);
	desc->subslice_count = (uint32_t)__builtin_popcountll(desc->subslice_mask);
	desc->eu_count = desc->subslice_count * eus;
	desc->threads_per_eu = THREADS_PER_EU;
	return desc->subslice_count ? 0 : -ENODATA;
}

static int read_engines(struct xe_unit *unit)
{
	size_t size;
	int err;
	struct drm_xe_query_engines *engines =
		xe_query(unit->unit.fd, DRM_XE_DEVICE_QUERY_ENGINES, &size, &err);

	if (!engines)
		return err;
	for (uint32_t i = 0; i < engines->num_engines; i++)
		if (engines->engines[i].instance.engine_class == DRM_XE_ENGINE_CLASS_COMPUTE)
			unit->unit.desc.compute_engine_count++;
	free(engines);
	return 0;
}

static void describe_reports(struct gpuoa_unit_desc *desc)
{
	const bool media = strcmp(desc->domain, "OA");

	desc->formats = xe_formats(media);
	desc->default_format = media ? GPUOA_FORMAT_MPEC8U64_B8_C8 : GPUOA_FORMAT_PEC64U64;
	desc->timestamp_bits = format_get(desc->default_format)->timestamp.bits;
	desc->exponent_max = EXPONENT_MAX;
	desc->buffer_size_min = BUFFER_SIZE;
	desc->buffer_size_max = BUFFER_SIZE;
	desc->features = media ? 0 : GPUOA_UNIT_FLEX | GPUOA_UNIT_NO_REPORTS;
}

int xe_query_unit(struct xe_unit *unit, uint32_t index)
{
	int err = read_unit(unit, index);

	if (!err)
		err = read_config(unit);
	if (!err)
		err = read_gts(unit);
	if (!err)
		err = read_topology(unit);
	if (!err)
		err = read_engines(unit);
	if (!err)
		describe_reports(&unit->unit.desc);
	return err;
}
