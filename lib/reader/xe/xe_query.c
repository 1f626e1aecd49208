// SPDX-License-Identifier: MIT
/* xe_query.c - query xe for the OA units of a GPU */
#include "reader/xe/xe_query.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "report/format.h"
#include "reader/xe/xe_format.h"

/* Later kernels: unit shared by all media engines; OAM is used for the others. */
#define UNIT_TYPE_OAM_SAG 2

#define EXPONENT_MAX 31
#define BUFFER_SIZE (16 << 20) /* fixed in Linux 6.12 */

void *xe_query(int fd, uint32_t query, size_t *size, int *err)
{
	struct drm_xe_device_query args = { .query = query };
	void *data;

	*err = drm_ioctl(fd, DRM_IOCTL_XE_DEVICE_QUERY, &args);
	if (*err)
		return NULL;
	data = calloc(1, (size_t)args.size + 1);
	if (!data) {
		*err = -ENOMEM;
		return NULL;
	}
	args.data = (uintptr_t)data;
	*err = drm_ioctl(fd, DRM_IOCTL_XE_DEVICE_QUERY, &args);
	if (*err) {
		free(data);
		return NULL;
	}
	*size = args.size;
	return data;
}

/* Returns the unit at *@at and advances *@at, or NULL if the unit is incomplete. */
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

/* Find the unit at @index among those with engines; streams cannot be opened on others. */
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
 * If no unit has the type of a shared media unit, the media unit is the shared one: Linux 6.12
 * programs its registers.
 */
static const char *domain_of(const struct drm_xe_query_oa_units *units, size_t size,
			     const struct drm_xe_oa_unit *wanted)
{
	const uint8_t *at = (const uint8_t *)units->oa_units;
	const uint8_t *end = (const uint8_t *)units + size;
	const struct drm_xe_oa_unit *unit;
	bool has_sag = false, first = true;

	/* On Lunar Lake, the shared unit has no engines in Linux 7.3. */
	for (uint32_t i = 0; i < units->num_oa_units && (unit = next_unit(&at, end)); i++)
		has_sag |= unit->oa_unit_type == UNIT_TYPE_OAM_SAG;
	if (wanted->oa_unit_type == DRM_XE_OA_UNIT_TYPE_OAG)
		return "OA";
	if (wanted->oa_unit_type == UNIT_TYPE_OAM_SAG || !has_sag)
		return "OAMG";
	for (uint32_t i = 0; (unit = find_unit(units, size, i)) && unit != wanted; i++)
		first &= unit->oa_unit_type != DRM_XE_OA_UNIT_TYPE_OAM;
	return first ? "OAM0" : "OAM1";
}

static void take_unit(struct xe_unit *unit, const struct drm_xe_oa_unit *from)
{
	struct gpuoa_unit_desc *desc = &unit->drm.unit.desc;

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

static int read_unit(struct xe_unit *unit)
{
	size_t size;
	int err;
	struct drm_xe_query_oa_units *units =
		xe_query(unit->drm.unit.fd, DRM_XE_DEVICE_QUERY_OA_UNITS, &size, &err);
	const struct drm_xe_oa_unit *from;

	if (!units)
		return err;
	from = find_unit(units, size, unit->drm.index);
	if (from) {
		take_unit(unit, from);
		strcpy(unit->drm.unit.desc.domain, domain_of(units, size, from));
	}
	free(units);
	return from ? 0 : -ENOENT;
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
	desc->features = media ? 0 : GPUOA_UNIT_FLEX | GPUOA_UNIT_QUERY_ONLY;
}

int xe_query_unit(struct xe_unit *unit)
{
	const int err = read_unit(unit);

	if (!err)
		describe_reports(&unit->drm.unit.desc);
	return err;
}
