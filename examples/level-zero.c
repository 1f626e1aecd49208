// SPDX-License-Identifier: MIT
/*
 * level-zero.c - metrics by Level Zero: list metric groups, stream, calculate
 *
 *   gpuoa run -- level-zero              time-based metric groups of the first GPU
 *   gpuoa run -- level-zero GROUP        stream for SECONDS, and print the mean of each metric
 *
 * Level Zero has metrics only with ZET_ENABLE_METRICS=1, libigdmd.so.1 and libigdml.so.1, which
 * `gpuoa run` sets up. Needs libze-dev.
 */
#include <level_zero/ze_api.h>
#include <level_zero/zet_api.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#define SECONDS 1
#define PERIOD_NS 1000000
#define GROUPS 1024
#define METRICS 1024

static ze_device_handle_t device;
static ze_context_handle_t context;

static int fail(const char *what, ze_result_t result)
{
	fprintf(stderr, "level-zero: %s: 0x%x\n", what, result);
	return 1;
}

static int open_device(void)
{
	const ze_context_desc_t desc = { .stype = ZE_STRUCTURE_TYPE_CONTEXT_DESC };
	ze_driver_handle_t driver;
	uint32_t count = 1;
	ze_result_t result = zeInit(0);

	if (result != ZE_RESULT_SUCCESS)
		return fail("zeInit", result);
	result = zeDriverGet(&count, &driver);
	if (result != ZE_RESULT_SUCCESS || !count)
		return fail("zeDriverGet", result);
	count = 1;
	result = zeDeviceGet(driver, &count, &device);
	if (result != ZE_RESULT_SUCCESS || !count)
		return fail("zeDeviceGet", result);
	result = zeContextCreate(driver, &desc, &context);
	return result == ZE_RESULT_SUCCESS ? 0 : fail("zeContextCreate", result);
}

static zet_metric_group_properties_t describe(zet_metric_group_handle_t group)
{
	zet_metric_group_properties_t properties = {
		.stype = ZET_STRUCTURE_TYPE_METRIC_GROUP_PROPERTIES,
	};

	zetMetricGroupGetProperties(group, &properties);
	return properties;
}

/*
 * Print all metric groups that can be streamed; if @name is not NULL, set @found to the group of
 * this name instead, or to NULL.
 */
static int list_groups(const char *name, zet_metric_group_handle_t *found)
{
	static zet_metric_group_handle_t groups[GROUPS];
	uint32_t count = GROUPS;
	ze_result_t result = zetMetricGroupGet(device, &count, groups);

	*found = NULL;
	if (result != ZE_RESULT_SUCCESS)
		return fail("zetMetricGroupGet", result);
	for (uint32_t i = 0; i < count; i++) {
		const zet_metric_group_properties_t properties = describe(groups[i]);

		if (!(properties.samplingType & ZET_METRIC_GROUP_SAMPLING_TYPE_FLAG_TIME_BASED))
			continue;
		if (name && !strcmp(properties.name, name))
			*found = groups[i];
		if (!name)
			printf("%-24s %3u metrics, %s\n", properties.name, properties.metricCount,
			       properties.description);
	}
	return 0;
}

static double number(const zet_typed_value_t *value)
{
	switch (value->type) {
	case ZET_VALUE_TYPE_UINT32:
		return value->value.ui32;
	case ZET_VALUE_TYPE_UINT64:
		return (double)value->value.ui64;
	case ZET_VALUE_TYPE_FLOAT32:
		return (double)value->value.fp32;
	case ZET_VALUE_TYPE_FLOAT64:
		return value->value.fp64;
	default:
		return value->value.b8;
	}
}

/* Values are rows of all metrics of the group. */
static void print_means(zet_metric_group_handle_t group, const zet_typed_value_t *values,
			uint32_t count)
{
	static zet_metric_handle_t metrics[METRICS];
	uint32_t columns = METRICS, rows;

	if (zetMetricGet(group, &columns, metrics) != ZE_RESULT_SUCCESS || !columns)
		return;
	rows = count / columns;
	printf("# %u intervals\n", rows);
	for (uint32_t i = 0; i < columns; i++) {
		zet_metric_properties_t properties = {
			.stype = ZET_STRUCTURE_TYPE_METRIC_PROPERTIES,
		};
		double sum = 0;

		zetMetricGetProperties(metrics[i], &properties);
		for (uint32_t row = 0; row < rows; row++)
			sum += number(&values[(size_t)row * columns + i]);
		printf("%-32s %14.2f %s\n", properties.name, rows ? sum / rows : 0,
		       properties.resultUnits);
	}
}

static int calculate(zet_metric_group_handle_t group, const uint8_t *data, size_t size)
{
	zet_typed_value_t *values;
	uint32_t count = 0;
	ze_result_t result = zetMetricGroupCalculateMetricValues(
		group, ZET_METRIC_GROUP_CALCULATION_TYPE_METRIC_VALUES, size, data, &count, NULL);

	if (result != ZE_RESULT_SUCCESS)
		return fail("zetMetricGroupCalculateMetricValues", result);
	values = calloc(count, sizeof(*values));
	if (!values)
		return fail("out of memory", ZE_RESULT_ERROR_OUT_OF_HOST_MEMORY);
	result = zetMetricGroupCalculateMetricValues(
		group, ZET_METRIC_GROUP_CALCULATION_TYPE_METRIC_VALUES, size, data, &count, values);
	if (result == ZE_RESULT_SUCCESS)
		print_means(group, values, count);
	free(values);
	return result == ZE_RESULT_SUCCESS ? 0 :
					     fail("zetMetricGroupCalculateMetricValues", result);
}

static int read_and_calculate(zet_metric_group_handle_t group,
			      zet_metric_streamer_handle_t streamer)
{
	size_t size = 0;
	uint8_t *data;
	ze_result_t result = zetMetricStreamerReadData(streamer, UINT32_MAX, &size, NULL);
	int status = 1;

	if (result != ZE_RESULT_SUCCESS)
		return fail("zetMetricStreamerReadData", result);
	data = malloc(size);
	if (!data)
		return fail("out of memory", ZE_RESULT_ERROR_OUT_OF_HOST_MEMORY);
	result = zetMetricStreamerReadData(streamer, UINT32_MAX, &size, data);
	if (result == ZE_RESULT_SUCCESS)
		status = calculate(group, data, size);
	else
		fail("zetMetricStreamerReadData", result);
	free(data);
	return status;
}

static int stream(zet_metric_group_handle_t group)
{
	const struct timespec time = { .tv_sec = SECONDS };
	zet_metric_streamer_desc_t desc = {
		.stype = ZET_STRUCTURE_TYPE_METRIC_STREAMER_DESC,
		.samplingPeriod = PERIOD_NS,
	};
	zet_metric_streamer_handle_t streamer;
	ze_result_t result = zetContextActivateMetricGroups(context, device, 1, &group);
	int status;

	if (result != ZE_RESULT_SUCCESS)
		return fail("zetContextActivateMetricGroups", result);
	result = zetMetricStreamerOpen(context, device, group, &desc, NULL, &streamer);
	if (result != ZE_RESULT_SUCCESS)
		return fail("zetMetricStreamerOpen", result);
	printf("# a report every %u ns\n", desc.samplingPeriod);
	nanosleep(&time, NULL);
	status = read_and_calculate(group, streamer);
	zetMetricStreamerClose(streamer);
	zetContextActivateMetricGroups(context, device, 0, NULL);
	return status;
}

int main(int argc, char **argv)
{
	zet_metric_group_handle_t group;
	int status = open_device();

	if (status)
		return status;
	status = list_groups(argc > 1 ? argv[1] : NULL, &group);
	if (!status && argc > 1)
		status = group ? stream(group) : fail("no such group", ZE_RESULT_ERROR_UNKNOWN);
	zeContextDestroy(context);
	return status;
}
