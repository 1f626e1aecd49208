// SPDX-License-Identifier: MIT
/*
 * families.c - Prometheus metric families of OA metrics: name, unit and type
 *
 * A count is exported as a counter in base units, such as seconds or bytes. A ratio is exported as
 * a gauge from 0 to 1, and in addition as a counter, which is the integral of the ratio over time,
 * in seconds. Everything else is a gauge.
 *
 * The GPU weighs a ratio by its clocks: GpuBusy is busy clocks divided by all clocks, even if the
 * clock varies within the interval. Other tools weigh by time, and so do the integrals.
 */
#include "exporter/families.h"

#include <ctype.h>
#include <stdio.h>
#include <string.h>

#include "common/scaling.h"

#define PREFIX "gpuoa_"

/*
 * Convert a symbol: "EuActive" becomes "eu_active", "GtiL3Reads" becomes "gti_l3_reads", and
 * "GPUBusy" becomes "gpu_busy".
 */
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
	/* Do not append a unit if the symbol already ends with it. */
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

size_t family_of_metric(const struct gpuoa_metric *metric, struct family families[2])
{
	struct gpuoa_metric_desc desc;
	struct gpuoa_measure_desc units;

	gpuoa_metric_describe(metric, &desc, sizeof(desc));
	gpuoa_measure_describe(desc.units, &units, sizeof(units));
	families[0] = (struct family){ .scale = units.scale };
	make_name(families[0].name, desc.symbol);
	families[0].kind = metric_is_count(metric) ? FAMILY_SUM : FAMILY_VALUE;
	if (units.quantity != GPUOA_QUANTITY_RATIO) {
		add_suffix(&families[0], base_unit(units.quantity));
		return 1;
	}
	families[1] = families[0];
	add_suffix(&families[0], "ratio");
	families[1].kind = FAMILY_INTEGRAL;
	add_suffix(&families[1], "seconds");
	return 2;
}

/* Names, units and help texts of the families for a role */
struct role_families {
	const char *name;
	const char *gauge_unit; /* NULL: no gauge */
	const char *gauge_help;
	const char *counter_unit;
	const char *counter_help;
};

#define MEAN_OF_TIME "Share of the time of the last interval in which "

static const struct role_families role_families[ROLE_COUNT] = {
	[ROLE_BUSY] = { "busy", "ratio", MEAN_OF_TIME "the GPU had work.", "seconds",
			"Time in which the GPU had work." },
	[ROLE_ACTIVE] = { "active", "ratio",
			  MEAN_OF_TIME "an average execution unit executed instructions.",
			  "seconds",
			  "Time in which an average execution unit executed instructions." },
	[ROLE_STALL] = { "stall", "ratio",
			 MEAN_OF_TIME
			 "an average execution unit had threads and all of them waited.",
			 "seconds",
			 "Time in which an average execution unit had threads and all of them "
			 "waited." },
	[ROLE_OCCUPANCY] = { "occupancy", "ratio",
			     "Share of the thread slots that threads held, in the last interval.",
			     "seconds",
			     "Integral over time of the share of the thread slots that threads "
			     "held." },
	[ROLE_FREQUENCY] = { "clock", "hertz", "Frequency of the GPU's clock in the last interval.",
			     "cycles", "Cycles of the GPU's clock." },
	[ROLE_READ] = { "memory_read", NULL, NULL, "bytes", "Bytes read from memory." },
	[ROLE_WRITE] = { "memory_write", NULL, NULL, "bytes", "Bytes written to memory." },
};

static struct family role_family(const char *name, const char *unit, const char *help,
				 enum family_kind kind, double scale)
{
	struct family family = { .help = help, .kind = kind, .scale = scale };

	snprintf(family.name, sizeof(family.name), PREFIX "%s", name);
	add_suffix(&family, unit);
	return family;
}

size_t family_of_role(enum role role, const struct gpuoa_metric *metric, struct family families[2])
{
	const struct role_families *names = &role_families[role];
	struct gpuoa_metric_desc desc;
	struct gpuoa_measure_desc units;
	size_t count = 0;

	gpuoa_metric_describe(metric, &desc, sizeof(desc));
	gpuoa_measure_describe(desc.units, &units, sizeof(units));
	if (names->gauge_unit)
		families[count++] = role_family(names->name, names->gauge_unit, names->gauge_help,
						FAMILY_MEAN, units.scale);
	families[count++] = role_family(names->name, names->counter_unit, names->counter_help,
					metric_is_count(metric) ? FAMILY_SUM : FAMILY_INTEGRAL,
					units.scale);
	return count;
}
