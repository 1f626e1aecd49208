// SPDX-License-Identifier: MIT
/*
 * xe_format.c - report formats in xe's encoding
 *
 * xe encodes a format as its type, counter select, counter size and a flag for B and C counters, as
 * in the hardware's documentation.
 */
#include "reader/xe/xe_format.h"

#include <stddef.h>

#include <xe_drm.h>
#include "uapi/gpuoa.h"

#define VALUE(type, select, wide, bc) \
	((type) | (uint32_t)(select) << 8 | (uint32_t)(wide) << 16 | (uint32_t)(bc) << 24)
#define PEC(select, wide, bc) VALUE(DRM_XE_OA_FMT_TYPE_PEC, select, wide, bc)
#define MPEC(select) VALUE(DRM_XE_OA_FMT_TYPE_OAM_MPEC, select, 0, 0)

static const struct {
	uint32_t format;
	uint32_t value;
} formats[] = {
	{ GPUOA_FORMAT_PEC64U64, PEC(1, 1, 0) },
	{ GPUOA_FORMAT_PEC64U64_B8_C8, PEC(1, 1, 1) },
	{ GPUOA_FORMAT_PEC64U32, PEC(1, 0, 0) },
	{ GPUOA_FORMAT_PEC32U64_G1, PEC(5, 1, 0) },
	{ GPUOA_FORMAT_PEC32U32_G1, PEC(5, 0, 0) },
	{ GPUOA_FORMAT_PEC32U64_G2, PEC(6, 1, 0) },
	{ GPUOA_FORMAT_PEC32U32_G2, PEC(6, 0, 0) },
	{ GPUOA_FORMAT_PEC36U64_G1_32_G2_4, PEC(3, 1, 0) },
	{ GPUOA_FORMAT_PEC36U64_G1_4_G2_32, PEC(4, 1, 0) },
	{ GPUOA_FORMAT_MPEC8U64_B8_C8, MPEC(1) },
	{ GPUOA_FORMAT_MPEC8U32_B8_C8, MPEC(2) },
};

#define N_FORMATS (sizeof(formats) / sizeof(formats[0]))

uint64_t xe_formats(bool media)
{
	const uint32_t type = media ? DRM_XE_OA_FMT_TYPE_OAM_MPEC : DRM_XE_OA_FMT_TYPE_PEC;
	uint64_t mask = 0;

	for (size_t i = 0; i < N_FORMATS; i++)
		if ((formats[i].value & DRM_XE_OA_FORMAT_MASK_FMT_TYPE) == type)
			mask |= UINT64_C(1) << formats[i].format;
	return mask;
}

bool xe_format(uint32_t format, uint64_t *value)
{
	for (size_t i = 0; i < N_FORMATS; i++) {
		if (formats[i].format != format)
			continue;
		*value = formats[i].value;
		return true;
	}
	return false;
}
