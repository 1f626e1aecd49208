// SPDX-License-Identifier: MIT
/*
 * mdapi.c - Intel's Metrics Discovery API from C: list sets and metrics, stream, calculate
 *
 *   mdapi              sets of the first GPU
 *   mdapi SET          metrics of a set
 *   mdapi SET REPORTS  stream this number of reports, and print the mean of each metric
 *
 * It loads libigdmd.so.1 as other programs do: gpuoa's (`gpuoa run -- mdapi`) or another one.
 */
#include <dlfcn.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "mdapi.h"

/* Call a method of an object through the object's table of functions. */
#define CALL(object, method, ...) (object)->table->method(object, ##__VA_ARGS__)

#define PERIOD_NS 1000000

/*
 * Interfaces and methods have a different name for each API version. A program uses the oldest
 * version that is sufficient.
 */
static struct mdapi_adapters *adapters;
static struct mdapi_adapter *adapter;
static struct mdapi_device *device;

static int fail(const char *what)
{
	fprintf(stderr, "mdapi: %s\n", what);
	return 1;
}

static int open_device(void)
{
	enum mdapi_result (*open)(struct mdapi_adapters * *adapters);
	void *library = dlopen("libigdmd.so.1", RTLD_NOW);
	enum mdapi_result result;

	if (!library)
		return fail(dlerror());
	*(void **)&open = dlsym(library, "OpenAdapterGroup");
	if (!open || open(&adapters) > MDAPI_ALREADY_INITIALIZED)
		return fail("the library cannot be opened");
	adapter = CALL(adapters, get_adapter, 0);
	if (!adapter)
		return fail("there is no GPU");
	result = CALL(adapter, open_device_1_6, &device);
	if (result == MDAPI_ACCESS_DENIED)
		return fail("no permission to measure; see `gpuoa doctor`");
	return result > MDAPI_ALREADY_INITIALIZED ? fail("the GPU cannot be opened") : 0;
}

static void list_sets(void)
{
	for (uint32_t i = 0; i < CALL(device, get_params)->group_count; i++) {
		struct mdapi_group *group = CALL(device, get_group, i);
		const struct mdapi_group_params *params = CALL(group, get_params);

		for (uint32_t j = 0; j < params->set_count; j++) {
			struct mdapi_set *set = CALL(group, get_set, j);
			const struct mdapi_set_params_1_0 *each = &CALL(set, get_params)->base;

			printf("%-6s %-24s %3u metrics, %s\n", params->symbol, each->symbol,
			       each->metric_count, each->name);
		}
	}
}

static struct mdapi_set *find_set(const char *symbol, struct mdapi_group **group)
{
	for (uint32_t i = 0; i < CALL(device, get_params)->group_count; i++) {
		*group = CALL(device, get_group, i);
		for (uint32_t j = 0; j < CALL(*group, get_params)->set_count; j++) {
			struct mdapi_set *set = CALL(*group, get_set, j);

			if (!strcmp(CALL(set, get_params)->base.symbol, symbol))
				return set;
		}
	}
	return NULL;
}

static void list_metrics(struct mdapi_set *set)
{
	for (uint32_t i = 0; i < CALL(set, get_params)->base.metric_count; i++) {
		const struct mdapi_metric_params *params =
			CALL(CALL(set, get_metric, i), get_params);

		printf("%-32s %-12s %s\n", params->symbol, params->units, params->name);
	}
}

static double number(const struct mdapi_value *value)
{
	switch (value->type) {
	case MDAPI_VALUE_FLOAT:
		return (double)value->f32;
	case MDAPI_VALUE_UINT32:
		return value->u32;
	default:
		return (double)value->u64;
	}
}

/*
 * Read @count reports. Returns the number of reports read, which is lower if none arrived for a
 * second.
 */
static uint32_t read_reports(struct mdapi_group *group, char *reports, uint32_t count,
			     uint32_t size)
{
	uint32_t have = 0;

	while (have < count && CALL(group, wait_for_reports, 1000) == MDAPI_OK) {
		uint32_t more = count - have;

		if (CALL(group, read_stream, &more, reports + (size_t)have * size, 0) >
		    MDAPI_READ_PENDING)
			break;
		have += more;
	}
	return have;
}

/* A set calculates the metrics and items that pass its filter. */
static int print_means(struct mdapi_set *set, const char *reports, uint32_t count)
{
	const struct mdapi_set_params_1_0 *params = &CALL(set, get_params)->base;
	const uint32_t columns = params->metric_count + params->info_count;
	struct mdapi_value *values = calloc((size_t)count * columns, sizeof(*values));
	uint32_t rows = 0;

	if (!values)
		return fail("out of memory");
	if (CALL(set, calculate_1_1, (const uint8_t *)reports, count * params->report_size, values,
		 count * columns * (uint32_t)sizeof(*values), &rows, false) != MDAPI_OK) {
		free(values);
		return fail("the reports cannot be calculated");
	}
	printf("# %u reports, %u intervals\n", count, rows);
	for (uint32_t i = 0; i < params->metric_count; i++) {
		const struct mdapi_metric_params *metric =
			CALL(CALL(set, get_metric, i), get_params);
		double sum = 0;

		for (uint32_t row = 0; row < rows; row++)
			sum += number(&values[(size_t)row * columns + i]);
		printf("%-32s %14.2f %s\n", metric->symbol, rows ? sum / rows : 0, metric->units);
	}
	free(values);
	return 0;
}

static int stream(struct mdapi_group *group, struct mdapi_set *set, uint32_t count)
{
	uint32_t period = PERIOD_NS, buffer = 0, size;
	char *reports;
	int status = 1;

	if (CALL(set, set_api_filter, MDAPI_API_STREAM) != MDAPI_OK)
		return fail("the set has no streams");
	size = CALL(set, get_params)->base.report_size;
	reports = malloc((size_t)count * size);
	if (!reports)
		return fail("out of memory");
	if (CALL(group, open_stream_1_0, set, 0, &period, &buffer) == MDAPI_OK) {
		printf("# a report every %u ns\n", period);
		count = read_reports(group, reports, count, size);
		CALL(group, close_stream);
		status = print_means(set, reports, count);
	} else {
		fail("the stream cannot be opened; GPUOA_LOG=1 shows the reason");
	}
	free(reports);
	return status;
}

int main(int argc, char **argv)
{
	struct mdapi_group *group;
	struct mdapi_set *set;
	int status = open_device();

	if (status)
		return status;
	set = argc > 1 ? find_set(argv[1], &group) : NULL;
	if (argc == 1)
		list_sets();
	else if (!set)
		status = fail("the GPU has no such set");
	else if (argc == 2)
		list_metrics(set);
	else
		status = stream(group, set, (uint32_t)strtoul(argv[2], NULL, 0));
	CALL(adapter, close_device, device);
	CALL(adapters, close);
	return status;
}
