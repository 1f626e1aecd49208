// SPDX-License-Identifier: MIT
/*
 * bench_igdmd.c - values of all metrics by CalculateMetrics() of the front end and by libgpuoa, on
 * the same reports
 *
 * MDAPI_LIBRARY: path of another libigdmd.so.1, which is measured in the same run. Its first
 * adapter must have the device id of one of the fake GPUs.
 */
#include <dlfcn.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "client.h"
#include "fake_gpu.h"

#define REPORTS 1024
#define ROUNDS 200
#define REPEATS 5

static struct mdapi_value *typed;
static union gpuoa_value *plain;
static uint8_t *reports;
static uint32_t report_size;

/* CPU time */
static double seconds(void)
{
	struct timespec now;

	clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &now);
	return (double)now.tv_sec + (double)now.tv_nsec / 1e9;
}

/* duration per value, ns */
static double measure_frontend(struct mdapi_set *set, uint32_t columns)
{
	const double begin = seconds();

	for (int i = 0; i < ROUNDS; i++)
		if (CALL(set, calculate_1_1, reports, REPORTS * report_size, typed,
			 REPORTS * columns * (uint32_t)sizeof(*typed), NULL, false))
			abort();
	return (seconds() - begin) * 1e9 / ROUNDS / REPORTS / columns;
}

static double measure_library(struct gpuoa_calc *calc)
{
	const size_t columns = gpuoa_calc_output_count(calc);
	const double begin = seconds();
	size_t used;

	for (int i = 0; i < ROUNDS; i++)
		gpuoa_calc_run(calc, reports, REPORTS, plain, NULL, REPORTS, &used);
	return (seconds() - begin) * 1e9 / ROUNDS / REPORTS / (double)columns;
}

/* Open the device of the other library. Returns NULL if it is a different GPU. */
static struct mdapi_device *open_other(const struct fake_gpu *gpu)
{
	const char *path = getenv("MDAPI_LIBRARY");
	enum mdapi_result (*open)(struct mdapi_adapters * *adapters) = NULL;
	struct mdapi_adapters *adapters;
	struct mdapi_adapter *adapter;
	struct mdapi_device *device;
	void *library = path ? dlopen(path, RTLD_NOW | RTLD_LOCAL) : NULL;

	if (library)
		*(void **)&open = dlsym(library, "OpenAdapterGroup");
	if (!open || open(&adapters) > MDAPI_ALREADY_INITIALIZED)
		return NULL;
	adapter = CALL(adapters, get_adapter, 0);
	if (!adapter || CALL(adapter, get_params)->device_id != gpu->device_id ||
	    CALL(adapter, open_device_1_13, &device) > MDAPI_ALREADY_INITIALIZED)
		return NULL;
	return device;
}

/* Other libraries also have groups for queries: search all groups for the set. */
static struct mdapi_set *find_basic_set(struct mdapi_device *device)
{
	for (uint32_t i = 0; i < CALL(device, get_params)->group_count; i++) {
		struct mdapi_group *group = CALL(device, get_group, i);
		struct mdapi_set *set = NULL;

		if (!strcmp(CALL(group, get_params)->symbol, "OA"))
			set = find_set(group, "RenderBasic");
		if (set)
			return set;
	}
	return NULL;
}

/* The set of the other library, or NULL, and the number of its columns */
static struct mdapi_set *find_other_set(const struct fake_gpu *gpu, uint32_t *columns)
{
	struct mdapi_device *device = open_other(gpu);
	struct mdapi_set *set = device ? find_basic_set(device) : NULL;

	if (!set || CALL(set, set_api_filter, MDAPI_API_STREAM) != MDAPI_OK ||
	    CALL(set, get_params)->base.report_size != report_size)
		return NULL;
	*columns =
		CALL(set, get_params)->base.metric_count + CALL(set, get_params)->base.info_count;
	return set;
}

static void compare(const struct fake_gpu *gpu)
{
	const struct gpuoa_set *definition = gpuoa_platform_find_set(
		gpuoa_platform_find(gpu->platform), "RenderBasic", "OA", NULL);
	struct mdapi_adapters *adapters;
	struct mdapi_device *device;
	struct mdapi_set *set, *other_set;
	struct gpuoa_set_desc desc;
	struct gpuoa_constants *constants;
	struct gpuoa_calc *calc;
	uint64_t random = 99;
	uint32_t columns, other_columns = 0;
	double frontend = 1e9, library = 1e9, other = 1e9;

	fake_begin(gpu, NULL);
	if (OpenAdapterGroup(&adapters) ||
	    CALL(CALL(adapters, get_adapter, 0), open_device_1_13, &device))
		abort();
	set = find_basic_set(device);
	CALL(set, set_api_filter, MDAPI_API_STREAM);
	columns = CALL(set, get_params)->base.metric_count + CALL(set, get_params)->base.info_count;
	gpuoa_set_describe(definition, &desc, sizeof(desc));
	report_size = (uint32_t)desc.report_size;
	reports = calloc(REPORTS, report_size);
	other_set = find_other_set(gpu, &other_columns);
	typed = calloc((size_t)REPORTS * (columns > other_columns ? columns : other_columns),
		       sizeof(*typed));
	for (uint32_t i = 0; i < REPORTS; i++)
		fake_next_report(definition, &random, i ? reports + (i - 1) * report_size : NULL,
				 reports + i * report_size, 1000, GPUOA_REASON_TIMER);
	if (gpuoa_constants_new(desc.platform, &constants) || gpuoa_constants_assume(constants) ||
	    gpuoa_calc_open(definition, constants, desc.format, NULL, &calc, NULL, 0))
		abort();
	plain = calloc(REPORTS * gpuoa_calc_output_count(calc), sizeof(*plain));
	/* Alternate, so that other load of the machine affects all of them. */
	for (int i = 0; i < REPEATS; i++) {
		frontend = fmin(frontend, measure_frontend(set, columns));
		library = fmin(library, measure_library(calc));
		if (other_set)
			other = fmin(other, measure_frontend(other_set, other_columns));
	}
	printf("bench: igdmd.%s.calculate %.2f ns\n", gpu->platform, frontend);
	printf("bench: igdmd.%s.calculate_to_library %.2f x\n", gpu->platform, frontend / library);
	if (other_set) {
		printf("bench: igdmd.%s.other_calculate %.2f ns\n", gpu->platform, other);
		printf("bench: igdmd.%s.other_to_calculate %.2f x\n", gpu->platform,
		       other / frontend);
	}
	gpuoa_calc_close(calc);
	gpuoa_constants_free(constants);
	free(plain);
	free(typed);
	free(reports);
	CALL(CALL(adapters, get_adapter, 0), close_device, device);
	CALL(adapters, close);
}

int main(void)
{
	compare(&fake_hsw);
	compare(&fake_skl);
	compare(&fake_tgl);
	compare(&fake_lnl);
	return 0;
}
