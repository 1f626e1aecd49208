// SPDX-License-Identifier: MIT
/*
 * compare_igdmd.c - values of another libigdmd.so.1 and of the front end, on the same reports
 *
 * MDAPI_LIBRARY is its path. It is compared for the fake GPU that has the device id of its first
 * adapter; without such a GPU, or without the variable, there is nothing to compare. It prints the
 * number of equal values, and the metrics that differ by more than the rounding of that
 * library.
 */
#include <dlfcn.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "client.h"
#include "fake_gpu.h"

#define REPORTS 50

/* The device of a library */
struct library {
	struct mdapi_adapters *adapters;
	struct mdapi_device *device;
};

/* Values of a set */
struct rows {
	struct mdapi_set *set;
	uint32_t metrics;
	uint32_t columns;
	uint32_t count;
	struct mdapi_value *values;
};

static struct {
	size_t equal;
	/* number of values that differ by at most 8 units in the last place of a float */
	size_t close;
	size_t near; /* within 1e-5 */
	size_t different;
	size_t attributes; /* number of metrics with other units or types */
} totals;

static bool library_open(struct library *library,
			 enum mdapi_result (*open)(struct mdapi_adapters **adapters))
{
	struct mdapi_adapter *adapter;

	if (open(&library->adapters) != MDAPI_OK)
		return false;
	adapter = CALL(library->adapters, get_adapter, 0);
	return adapter && CALL(adapter, open_device_1_13, &library->device) == MDAPI_OK;
}

/* Other libraries also have groups for queries: search all groups for the set. */
static struct mdapi_group *find_group(struct mdapi_device *device)
{
	for (uint32_t i = 0; i < CALL(device, get_params)->group_count; i++) {
		struct mdapi_group *group = CALL(device, get_group, i);

		if (!strcmp(CALL(group, get_params)->symbol, "OA"))
			return group;
	}
	return NULL;
}

static bool rows_make(struct rows *rows, struct mdapi_set *set, const uint8_t *reports,
		      uint32_t size)
{
	*rows = (struct rows){ .set = set };
	if (CALL(set, set_api_filter, MDAPI_API_STREAM) != MDAPI_OK)
		return false;
	rows->metrics = CALL(set, get_params)->base.metric_count;
	rows->columns = rows->metrics + CALL(set, get_params)->base.info_count;
	rows->values = calloc((size_t)REPORTS * rows->columns, sizeof(*rows->values));
	return CALL(set, calculate_1_5, reports, size, rows->values,
		    REPORTS * rows->columns * (uint32_t)sizeof(*rows->values), &rows->count, NULL,
		    0) == MDAPI_OK;
}

static double as_double(const struct mdapi_value *value)
{
	return value->type == MDAPI_VALUE_FLOAT	 ? (double)value->f32 :
	       value->type == MDAPI_VALUE_UINT32 ? (double)value->u32 :
						   (double)value->u64;
}

/* Returns the relative error. */
static double count(double other, double own)
{
	const double greatest = fmax(fabs(other), fabs(own));
	const double error = greatest > 0 ? fabs(other - own) / greatest : 0;

	if (other == own)
		totals.equal++;
	else if (error <= 8 * 0x1p-24)
		totals.close++;
	else if (error <= 1e-5)
		totals.near++;
	else
		totals.different++;
	return error;
}

/* Compare what programs print, or choose a calculation by. Descriptions differ. */
static void compare_attributes(struct mdapi_metric *other, struct mdapi_metric *own)
{
	const struct mdapi_metric_params *a = CALL(other, get_params);
	const struct mdapi_metric_params *b = CALL(own, get_params);

	if (!strcmp(a->units, b->units) && a->result_type == b->result_type && a->type == b->type)
		return;
	totals.attributes++;
	printf("# %s: units %s, type %d, result %d; libgpuoa %s, %d, %d\n", b->symbol, a->units,
	       a->type, a->result_type, b->units, b->type, b->result_type);
}

static void compare_metric(const struct rows *other, uint32_t i, const struct rows *own, uint32_t j)
{
	const char *symbol = CALL(CALL(own->set, get_metric, j), get_params)->symbol;
	double worst = 0, values[2] = { 0 };

	compare_attributes(CALL(other->set, get_metric, i), CALL(own->set, get_metric, j));
	for (uint32_t row = 0; row < own->count; row++) {
		const double a = as_double(&other->values[(size_t)row * other->columns + i]);
		const double b = as_double(&own->values[(size_t)row * own->columns + j]);
		const double error = count(a, b);

		if (error <= worst)
			continue;
		worst = error;
		values[0] = a;
		values[1] = b;
	}
	if (worst > 1e-5)
		printf("# %s.%s: %.9g, libgpuoa %.9g\n", CALL(own->set, get_params)->base.symbol,
		       symbol, values[0], values[1]);
}

static void compare_sets(const struct fake_gpu *gpu, struct mdapi_set *other, struct mdapi_set *own)
{
	const char *symbol = CALL(own, get_params)->base.symbol;
	const struct gpuoa_set *definition =
		gpuoa_platform_find_set(gpuoa_platform_find(gpu->platform), symbol, "OA", NULL);
	const uint32_t size = CALL(own, get_params)->base.report_size;
	uint8_t *reports = calloc(REPORTS, size);
	uint64_t random = 88172645463325252;
	struct rows rows[2] = { 0 };

	for (uint32_t i = 0; i < REPORTS; i++)
		fake_next_report(definition, &random, i ? reports + (i - 1) * size : NULL,
				 reports + i * size, 10000, GPUOA_REASON_TIMER);
	if (CALL(other, get_params)->base.report_size != size ||
	    !rows_make(&rows[0], other, reports, REPORTS * size) ||
	    !rows_make(&rows[1], own, reports, REPORTS * size) || rows[0].count != rows[1].count)
		printf("# %s: cannot be compared\n", symbol);
	else
		for (uint32_t i = 0; i < rows[0].metrics; i++)
			for (uint32_t j = 0; j < rows[1].metrics; j++)
				if (!strcmp(CALL(CALL(other, get_metric, i), get_params)->symbol,
					    CALL(CALL(own, get_metric, j), get_params)->symbol))
					compare_metric(&rows[0], i, &rows[1], j);
	free(rows[0].values);
	free(rows[1].values);
	free(reports);
}

static void compare(const struct fake_gpu *gpu, struct library *other)
{
	struct mdapi_group *groups[2];
	struct library own;
	uint32_t sets = 0;

	fake_begin(gpu, NULL);
	if (!library_open(&own, OpenAdapterGroup))
		abort();
	groups[0] = find_group(other->device);
	groups[1] = find_group(own.device);
	if (!groups[0] || !groups[1])
		abort();
	for (uint32_t i = 0; i < CALL(groups[1], get_params)->set_count; i++) {
		struct mdapi_set *set = CALL(groups[1], get_set, i);
		struct mdapi_set *same = find_set(groups[0], CALL(set, get_params)->base.symbol);

		if (!same)
			continue;
		compare_sets(gpu, same, set);
		sets++;
	}
	printf("# %s: %u sets: %zu values equal, %zu within 8 ulp, %zu within 1e-5, %zu differ\n",
	       gpu->platform, sets, totals.equal, totals.close, totals.near, totals.different);
}

int main(void)
{
	static const struct fake_gpu *const gpus[] = { &fake_hsw, &fake_skl, &fake_tgl, &fake_lnl };
	const char *path = getenv("MDAPI_LIBRARY");
	enum mdapi_result (*open)(struct mdapi_adapters * *adapters);
	struct library other;
	uint32_t id;
	void *handle;

	if (!path)
		return 0;
	handle = dlopen(path, RTLD_NOW | RTLD_LOCAL);
	if (!handle) {
		fprintf(stderr, "%s\n", dlerror());
		return 1;
	}
	*(void **)&open = dlsym(handle, "OpenAdapterGroup");
	if (!open || !library_open(&other, open)) {
		fprintf(stderr, "%s: has no device\n", path);
		return 1;
	}
	id = CALL(CALL(other.adapters, get_adapter, 0), get_params)->device_id;
	for (size_t i = 0; i < sizeof(gpus) / sizeof(gpus[0]); i++)
		if (gpus[i]->device_id == id)
			compare(gpus[i], &other);
	return 0;
}
