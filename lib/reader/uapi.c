// SPDX-License-Identifier: MIT
/* uapi.c - convert structs between the kernel's and the library's API */
#include "reader/uapi.h"

#include <string.h>

#include "uapi/gpuoa.h"

void uapi_string(char *to, size_t to_size, const char *from, size_t from_size)
{
	size_t length = strnlen(from, from_size);

	if (length >= to_size)
		length = to_size - 1;
	memcpy(to, from, length);
	memset(to + length, 0, to_size - length);
}

_Static_assert((int)GPUOA_FEATURE_CONTEXT == (int)GPUOA_UNIT_CONTEXT &&
		       (int)GPUOA_FEATURE_BATCH_BOUNDARY_REPORTS ==
			       (int)GPUOA_UNIT_BATCH_BOUNDARY_REPORTS &&
		       (int)GPUOA_FEATURE_FLEX == (int)GPUOA_UNIT_FLEX &&
		       (int)GPUOA_FEATURE_MARKERS == (int)GPUOA_UNIT_MARKERS &&
		       (int)GPUOA_FEATURE_AUX == (int)GPUOA_UNIT_AUX &&
		       (int)GPUOA_FEATURE_SPLIT_REPORTS == (int)GPUOA_UNIT_SPLIT_REPORTS &&
		       (int)GPUOA_FEATURE_ZERO_COPY == (int)GPUOA_UNIT_ZERO_COPY &&
		       (int)GPUOA_FEATURE_HALF_FULL == (int)GPUOA_UNIT_HALF_FULL &&
		       (int)GPUOA_FEATURE_OWN_REPORTS == (int)GPUOA_UNIT_OWN_REPORTS &&
		       (int)GPUOA_FEATURE_QUERY_ONLY == (int)GPUOA_UNIT_QUERY_ONLY &&
		       (int)GPUOA_FEATURE_CONTEXT_NAMES == (int)GPUOA_UNIT_CONTEXT_NAMES &&
		       (int)GPUOA_FEATURE_FREQUENCY == (int)GPUOA_UNIT_FREQUENCY,
	       "bits are handed on as they are");
_Static_assert((int)GPUOA_ENGINE_CLASS_COMPUTE == (int)GPUOA_ENGINE_COMPUTE,
	       "kinds of engines are numbered alike");

/* Domain that metric definitions use for each unit type, indexed by enum gpuoa_unit_type */
static const char *const domains[] = {
	[GPUOA_UNIT_OA] = "OA",
	[GPUOA_UNIT_OAM0] = "OAM0",
	[GPUOA_UNIT_OAM1] = "OAM1",
	[GPUOA_UNIT_OAMG] = "OAMG",
};

/* Returns the domain of a unit type, or "" if the type is newer than this library. */
static const char *domain_from_uapi(uint32_t unit_type)
{
	if (unit_type >= sizeof(domains) / sizeof(domains[0]))
		return "";
	return domains[unit_type];
}

void uapi_unit_desc(struct gpuoa_unit_desc *desc, const struct gpuoa_unit_info *info)
{
	*desc = (struct gpuoa_unit_desc){
		.timestamp_frequency = info->timestamp_frequency,
		.gt_min_frequency = info->gt_min_frequency,
		.gt_max_frequency = info->gt_max_frequency,
		.slice_mask = info->slice_mask,
		.subslice_mask = info->subslice_mask[0],
		.subslice_mask_high = info->subslice_mask[1],
		/*
		 * The other words are not needed, because the library has no formats with higher
		 * numbers.
		 */
		.formats = info->formats[0],
		.default_format = info->default_format,
		.device_id = info->device_id,
		.revision = info->revision,
		.slice_count = info->n_slices,
		.subslice_count = info->n_subslices,
		.eu_count = info->n_eus,
		.threads_per_eu = info->threads_per_eu,
		.exponent_max = info->exponent_max,
		.buffer_size_min = info->buffer_size_min,
		.buffer_size_max = info->buffer_size_max,
		.timestamp_bits = info->timestamp_bits,
		.pmu_type = info->pmu_type,
		.l3_bank_mask = info->l3_bank_mask,
		.subslice_stride = info->subslice_stride,
		.compute_engine_count = info->n_compute_engines,
		.cs_timestamp_frequency = info->cs_timestamp_frequency,
		.cs_timestamp_bits = info->cs_timestamp_bits,
		.features = info->features,
		.tile = info->tile,
		.gt = info->gt,
		.engine_count = info->n_engines < GPUOA_UNIT_ENGINES ? info->n_engines :
								       GPUOA_UNIT_ENGINES,
	};
	for (uint32_t i = 0; i < desc->engine_count; i++)
		desc->engines[i] = (struct gpuoa_engine){ info->engines[i].engine_class,
							  info->engines[i].instance };
	uapi_string(desc->name, sizeof(desc->name), info->pmu, sizeof(info->pmu));
	uapi_string(desc->platform, sizeof(desc->platform), info->platform, sizeof(info->platform));
	uapi_string(desc->parent, sizeof(desc->parent), info->parent, sizeof(info->parent));
	strcpy(desc->domain, domain_from_uapi(info->unit_type));
}

static uint32_t domain_to_uapi(const char *domain)
{
	uint32_t unit_type = 0;

	while (unit_type < sizeof(domains) / sizeof(domains[0]) &&
	       strcmp(domains[unit_type], domain))
		unit_type++;
	return unit_type;
}

void uapi_unit_info(struct gpuoa_unit_info *info, const struct gpuoa_unit_desc *desc)
{
	*info = (struct gpuoa_unit_info){
		.timestamp_frequency = desc->timestamp_frequency,
		.gt_min_frequency = desc->gt_min_frequency,
		.gt_max_frequency = desc->gt_max_frequency,
		.slice_mask = desc->slice_mask,
		.subslice_mask = { desc->subslice_mask, desc->subslice_mask_high },
		.formats = { desc->formats },
		.default_format = desc->default_format,
		.device_id = desc->device_id,
		.revision = desc->revision,
		.n_slices = desc->slice_count,
		.n_subslices = desc->subslice_count,
		.n_eus = desc->eu_count,
		.threads_per_eu = desc->threads_per_eu,
		.exponent_max = desc->exponent_max,
		.buffer_size_min = desc->buffer_size_min,
		.buffer_size_max = desc->buffer_size_max,
		.timestamp_bits = desc->timestamp_bits,
		.pmu_type = desc->pmu_type,
		.l3_bank_mask = desc->l3_bank_mask,
		.subslice_stride = desc->subslice_stride,
		.n_compute_engines = desc->compute_engine_count,
		.unit_type = domain_to_uapi(desc->domain),
		.cs_timestamp_frequency = desc->cs_timestamp_frequency,
		.cs_timestamp_bits = desc->cs_timestamp_bits,
		.features = desc->features,
		.tile = desc->tile,
		.gt = desc->gt,
		.n_engines = desc->engine_count,
	};
	for (uint32_t i = 0; i < desc->engine_count && i < GPUOA_MAX_ENGINES; i++)
		info->engines[i] = (struct gpuoa_engine_id){ desc->engines[i].kind,
							     desc->engines[i].instance };
	uapi_string(info->pmu, sizeof(info->pmu), desc->name, sizeof(desc->name));
	uapi_string(info->platform, sizeof(info->platform), desc->platform, sizeof(desc->platform));
	uapi_string(info->parent, sizeof(info->parent), desc->parent, sizeof(desc->parent));
}

void uapi_clock_pair(struct gpuoa_clock_pair *pair, const struct gpuoa_clock *clock)
{
	*pair = (struct gpuoa_clock_pair){
		.gpu_ticks = clock->gpu_ticks,
		.cpu_ns = clock->cpu_ns,
		.clock_id = clock->clock_id,
		.error_ns = clock->error_ns,
	};
}

void uapi_clock_record(struct gpuoa_record_clock *record, const struct gpuoa_clock_pair *pair)
{
	*record = (struct gpuoa_record_clock){
		.record = { GPUOA_RECORD_CLOCK, sizeof(*record) },
		.clock = {
			.gpu_ticks = pair->gpu_ticks,
			.cpu_ns = pair->cpu_ns,
			.clock_id = pair->clock_id,
			.error_ns = pair->error_ns,
		},
	};
}

void uapi_marker(struct gpuoa_stream_marker *to, const struct gpuoa_marker *marker)
{
	*to = (struct gpuoa_stream_marker){
		.value = marker->value,
		.gpu_ticks = marker->gpu_ticks,
		.cpu_ns = marker->cpu_ns,
		.error_ns = marker->error_ns,
	};
}
