// SPDX-License-Identifier: MIT
/*
 * names.c - metrics of OA units as Prometheus has them: a family's name, unit and type
 *
 * What is counted is a counter, in base units: seconds, bytes. A share of the whole is a gauge,
 * from 0 to 1, and besides a counter of the seconds that it stands for, whose rate() is its exact
 * mean over any time. All else is a gauge.
 */
#include "exporter/names.h"

#include <ctype.h>
#include <stdio.h>
#include <string.h>

#define PREFIX "gpuoa_"

/* "EuActive" to "eu_active", "GtiL3Reads" to "gti_l3_reads", "GPUBusy" to "gpu_busy". */
static void make_name(char *name, const char *symbol)
{
	size_t n = strlen(PREFIX);

	memcpy(name, PREFIX, n);
	for (size_t i = 0; symbol[i] && n < FAMILY_NAME / 2; i++) {
		const bool begins = isupper((unsigned char)symbol[i]) && i &&
				    (!isupper((unsigned char)symbol[i - 1]) ||
				     islower((unsigned char)symbol[i + 1]));

		if (begins && name[n - 1] != '_')
			name[n++] = '_';
		name[n++] = isalnum((unsigned char)symbol[i]) ? tolower((unsigned char)symbol[i]) :
								'_';
	}
	name[n] = '\0';
}

static void add_suffix(struct family *family, const char *unit)
{
	const size_t length = strlen(family->name), size = strlen(unit);

	family->unit = unit;
	/* Not twice, where the symbol ends so. */
	if (*unit && (length <= size || strcmp(family->name + length - size, unit)))
		snprintf(family->name + length, FAMILY_NAME - length, "_%s", unit);
}

static const char *base_unit(enum gpuoa_quantity quantity)
{
	switch (quantity) {
	case GPUOA_QUANTITY_RATIO:
		return "ratio";
	case GPUOA_QUANTITY_TIME:
		return "seconds";
	case GPUOA_QUANTITY_FREQUENCY:
		return "hertz";
	case GPUOA_QUANTITY_DATA:
		return "bytes";
	case GPUOA_QUANTITY_BANDWIDTH:
		return "bytes_per_second";
	default:
		return "";
	}
}

/* Is it what was counted, so that two intervals of it can be added? */
static bool is_count(const struct gpuoa_metric_desc *metric, enum gpuoa_quantity quantity)
{
	return (quantity == GPUOA_QUANTITY_COUNT || quantity == GPUOA_QUANTITY_TIME ||
		quantity == GPUOA_QUANTITY_DATA) &&
	       (metric->semantic == GPUOA_SEMANTIC_DURATION ||
		metric->semantic == GPUOA_SEMANTIC_EVENT ||
		metric->semantic == GPUOA_SEMANTIC_THROUGHPUT ||
		metric->semantic == GPUOA_SEMANTIC_RAW);
}

size_t family_of_metric(const struct gpuoa_metric *metric, struct family families[2])
{
	struct gpuoa_metric_desc desc;
	struct gpuoa_units_desc units;

	gpuoa_metric_describe(metric, &desc, sizeof(desc));
	gpuoa_units_describe(desc.units, &units, sizeof(units));
	families[0] = (struct family){ .scale = units.scale };
	make_name(families[0].name, desc.symbol);
	families[0].counter = is_count(&desc, units.quantity);
	if (units.quantity != GPUOA_QUANTITY_RATIO) {
		add_suffix(&families[0], base_unit(units.quantity));
		return 1;
	}
	families[1] = families[0];
	add_suffix(&families[0], "ratio");
	families[1].counter = families[1].integral = true;
	add_suffix(&families[1], "seconds");
	return 2;
}
