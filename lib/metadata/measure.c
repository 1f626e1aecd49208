// SPDX-License-Identifier: MIT
/* measure.c - units of measure: quantity and scale of each, and values as doubles */
#include <strings.h>

#include "base/sized.h"
#include "gpuoa.h"

static const struct {
	const char *units;
	struct gpuoa_measure_desc desc;
} known_units[] = {
	{ "percent", { GPUOA_QUANTITY_RATIO, 0.01, "", true } },
	{ "utilization", { GPUOA_QUANTITY_RATIO, 1, "", false } },
	{ "eu requests to l3 cache lines", { GPUOA_QUANTITY_RATIO, 1, "", false } },
	{ "eu sends to l3 cache lines", { GPUOA_QUANTITY_RATIO, 1, "", false } },
	{ "eu atomic requests to l3 cache lines", { GPUOA_QUANTITY_RATIO, 1, "", false } },
	{ "eu bytes per l3 cache line", { GPUOA_QUANTITY_RATIO, 1, "", false } },
	{ "ns", { GPUOA_QUANTITY_TIME, 1e-9, "s", false } },
	{ "us", { GPUOA_QUANTITY_TIME, 1e-6, "s", false } },
	{ "ms", { GPUOA_QUANTITY_TIME, 1e-3, "s", false } },
	{ "s", { GPUOA_QUANTITY_TIME, 1, "s", false } },
	{ "hz", { GPUOA_QUANTITY_FREQUENCY, 1, "Hz", false } },
	{ "mhz", { GPUOA_QUANTITY_FREQUENCY, 1e6, "Hz", false } },
	{ "bytes", { GPUOA_QUANTITY_DATA, 1, "B", false } },
	{ "gbps", { GPUOA_QUANTITY_BANDWIDTH, 1e9, "B/s", false } },
};

void gpuoa_measure_describe(const char *units, struct gpuoa_measure_desc *desc, size_t size)
{
	struct gpuoa_measure_desc known = { GPUOA_QUANTITY_COUNT, 1, "", false };

	for (size_t i = 0; i < sizeof(known_units) / sizeof(known_units[0]); i++)
		if (!strcasecmp(known_units[i].units, units))
			known = known_units[i].desc;
	sized_give(desc, size, &known, sizeof(known));
}

double gpuoa_value_to_double(enum gpuoa_value_type type, union gpuoa_value value)
{
	return type == GPUOA_TYPE_FLOAT ? (double)value.f32 : (double)value.u64;
}
