// SPDX-License-Identifier: MIT
/*
 * vendor_ze.c - metrics of Level Zero on gpuoa's libigdmd.so.1: enumerate, stream, query,
 * calculate, and compare the values with libgpuoa's on the same raw data
 *
 * Prints TAP. Run it by `gpuoa run`; it loads the loader of Level Zero that the system has.
 */
#include <stdlib.h>
#include <time.h>
#include <unistd.h>

#include "gpuoa.h"
#include "lib/tests/tap.h"
#include "second.h"

#define FUNCTIONS(F)                                 \
	F(zeDeviceGetProperties)                     \
	F(zetMetricGroupGet)                         \
	F(zetMetricGet)                              \
	F(zetMetricGetProperties)                    \
	F(zetContextActivateMetricGroups)            \
	F(zetMetricStreamerOpen)                     \
	F(zetMetricStreamerClose)                    \
	F(zetMetricStreamerReadData)                 \
	F(zetMetricGroupCalculateMetricValues)       \
	F(zeCommandQueueCreate)                      \
	F(zeCommandQueueExecuteCommandLists)         \
	F(zeCommandQueueSynchronize)                 \
	F(zeCommandQueueDestroy)                     \
	F(zeCommandListCreate)                       \
	F(zeCommandListAppendBarrier)                \
	F(zeCommandListClose)                        \
	F(zeCommandListDestroy)                      \
	F(zetMetricQueryPoolCreate)                  \
	F(zetMetricQueryPoolDestroy)                 \
	F(zetMetricQueryCreate)                      \
	F(zetMetricQueryDestroy)                     \
	F(zetMetricQueryReset)                       \
	F(zetMetricQueryGetData)                     \
	F(zetCommandListAppendMetricQueryBegin)      \
	F(zetCommandListAppendMetricQueryEnd)        \
	F(zetCommandListAppendMetricMemoryBarrier)   \
	F(zetCommandListAppendMetricStreamerMarker)  \
	F(zetMetricProgrammableGetExp)               \
	F(zetMetricCreateFromProgrammableExp2)       \
	F(zetDeviceCreateMetricGroupsFromMetricsExp) \
	F(zetMetricGroupDestroyExp)                  \
	F(zetMetricDestroyExp)

#include "level_zero.h"

#define STREAMED "TestOa" /* set of two programs */

static zet_metric_group_handle_t groups[1024];
static uint32_t group_count;

static const struct gpuoa_unit_desc *unit_desc(void)
{
	static struct gpuoa_unit_desc desc;
	struct gpuoa_unit *unit;

	if (CHECK(!gpuoa_unit_open(NULL, &unit, NULL, 0))) {
		gpuoa_unit_describe(unit, &desc, sizeof(desc));
		gpuoa_unit_close(unit);
	}
	return &desc;
}

/* Name of the driver that reads the unit, without a number: i915, xe or gpuoa */
static const char *unit_driver(void)
{
	return unit_desc()->driver;
}

static void driver_has_a_gpu(void)
{
	ze_device_properties_t properties = { .stype = ZE_STRUCTURE_TYPE_DEVICE_PROPERTIES };

	REQUIRE(open_device());
	CHECK(zeDeviceGetProperties_(device, &properties) == ZE_RESULT_SUCCESS);
	printf("# %s, units of %s\n", properties.name, unit_driver());
}

static bool get_groups(void)
{
	group_count = sizeof(groups) / sizeof(groups[0]);
	return zetMetricGroupGet_(device, &group_count, groups) == ZE_RESULT_SUCCESS;
}

/*
 * Each set has a time-based group, and one for queries. The driver adds a group for EU stalls where
 * the kernel has them.
 */
static void metric_groups_are_the_sets(void)
{
	struct gpuoa_unit *unit;
	uint32_t sets = 0, timed = 0, queried = 0, stalls = 0;

	REQUIRE(device);
	REQUIRE(get_groups());
	REQUIRE(!gpuoa_unit_open(NULL, &unit, NULL, 0));
	for (size_t i = 0; i < gpuoa_platform_set_count(gpuoa_unit_platform(unit)); i++) {
		const struct gpuoa_set *set = gpuoa_platform_get_set(gpuoa_unit_platform(unit), i);

		sets += gpuoa_set_available(set, "OA", gpuoa_unit_constants(unit), NULL, 0) == 1;
	}
	gpuoa_unit_close(unit);
	for (uint32_t i = 0; i < group_count; i++)
		if (!strcmp(properties_of(groups[i]).name, "EuStallSampling"))
			stalls++;
		else if (properties_of(groups[i]).samplingType ==
			 ZET_METRIC_GROUP_SAMPLING_TYPE_FLAG_TIME_BASED)
			timed++;
		else
			queried++;
	printf("# %u time-based groups, %u for queries, %u sets, %u group for EU stalls\n", timed,
	       queried, sets, stalls);
	CHECK(timed == sets && queried == sets && sets > 0 && stalls <= 1);
}

/* Return true if a value equals libgpuoa's. */
static bool is_same(const zet_typed_value_t *value, enum gpuoa_value_type type,
		    union gpuoa_value plain, bool is_mhz)
{
	if (type == GPUOA_TYPE_FLOAT)
		return value->type == ZET_VALUE_TYPE_FLOAT32 && value->value.fp32 == plain.f32;
	return value->value.ui64 == (is_mhz ? plain.u64 / 1000000 : plain.u64);
}

/* Compare values with those that libgpuoa calculates of @data, which are plain reports. */
static void compare(zet_metric_group_handle_t group, const char *symbol, const uint8_t *data,
		    size_t size, const zet_typed_value_t *values, uint32_t value_count,
		    uint32_t expected)
{
	struct gpuoa_unit *unit;
	const struct gpuoa_set *set;
	struct gpuoa_set_desc desc;
	struct gpuoa_calc *calc;
	zet_metric_handle_t metrics[1024];
	uint32_t count = 1024, compared = 0, different = 0;
	union gpuoa_value *plain;
	size_t rows, width, used;

	REQUIRE(zetMetricGet_(group, &count, metrics) == ZE_RESULT_SUCCESS);
	REQUIRE(!gpuoa_unit_open(NULL, &unit, NULL, 0));
	set = gpuoa_platform_find_set(gpuoa_unit_platform(unit), symbol, "OA",
				      gpuoa_unit_constants(unit));
	REQUIRE(set != NULL);
	gpuoa_set_describe(set, &desc, sizeof(desc));
	REQUIRE(!gpuoa_calc_open(set, gpuoa_unit_constants(unit), desc.format, NULL, &calc, NULL,
				 0));
	width = gpuoa_calc_output_count(calc);
	plain = calloc(size / desc.report_size * width, sizeof(*plain));
	rows = gpuoa_calc_run(calc, data, size / desc.report_size, plain, NULL,
			      size / desc.report_size, &used);
	CHECK(value_count == rows * count);
	for (uint32_t i = 0; i < count; i++) {
		zet_metric_properties_t properties = {
			.stype = ZET_STRUCTURE_TYPE_METRIC_PROPERTIES
		};
		const struct gpuoa_metric *metric;
		struct gpuoa_metric_desc m;

		CHECK(zetMetricGetProperties_(metrics[i], &properties) == ZE_RESULT_SUCCESS);
		metric = gpuoa_set_find_metric(set, properties.name);
		if (!metric)
			continue; /* an information item */
		gpuoa_metric_describe(metric, &m, sizeof(m));
		for (size_t row = 0; row < rows; row++, compared++)
			different += !is_same(&values[row * count + i], m.type,
					      plain[row * width + m.index],
					      !strcmp(m.symbol, "AvgGpuCoreFrequency"));
	}
	printf("# %s: %zu reports, %u values compared, %u differ\n", symbol,
	       size / desc.report_size, compared, different);
	CHECK(compared > expected && !different);
	free(plain);
	gpuoa_calc_close(calc);
	gpuoa_unit_close(unit);
}

/* Read for a second. Returns the size of the data. */
static size_t read_data(zet_metric_streamer_handle_t streamer, uint8_t *data, size_t room)
{
	struct timespec begin, now;
	size_t size = 0;

	clock_gettime(CLOCK_MONOTONIC, &begin);
	do {
		size_t part = room - size;
		const ze_result_t result =
			zetMetricStreamerReadData_(streamer, UINT32_MAX, &part, data + size);

		if (!CHECK(result == ZE_RESULT_SUCCESS ||
			   result == ZE_RESULT_WARNING_DROPPED_DATA)) {
			printf("# zetMetricStreamerReadData: 0x%x\n", result);
			break;
		}
		size += part;
		usleep(10000);
		clock_gettime(CLOCK_MONOTONIC, &now);
	} while (now.tv_sec - begin.tv_sec < 3 && size < room / 2);
	return size;
}

static ze_result_t open_streamer(zet_metric_group_handle_t group,
				 zet_metric_streamer_handle_t *streamer)
{
	zet_metric_streamer_desc_t desc = {
		.stype = ZET_STRUCTURE_TYPE_METRIC_STREAMER_DESC,
		.notifyEveryNReports = 16,
		.samplingPeriod = 1000000,
	};
	const ze_result_t result = zetContextActivateMetricGroups_(context, device, 1, &group);

	if (result != ZE_RESULT_SUCCESS)
		return result;
	return zetMetricStreamerOpen_(context, device, group, &desc, NULL, streamer);
}

static void stream_set(zet_metric_group_handle_t group, const char *symbol)
{
	const size_t room = 4 << 20;
	uint8_t *data = malloc(room);
	zet_metric_streamer_handle_t streamer;
	zet_typed_value_t *values;
	uint32_t count = 0;
	ze_result_t result;
	size_t size;

	result = open_streamer(group, &streamer);
	if (!CHECK(result == ZE_RESULT_SUCCESS)) {
		printf("# zetMetricStreamerOpen: 0x%x\n", result);
		free(data);
		return;
	}
	size = read_data(streamer, data, room);
	CHECK(zetMetricStreamerClose_(streamer) == ZE_RESULT_SUCCESS);
	CHECK(zetMetricGroupCalculateMetricValues_(group,
						   ZET_METRIC_GROUP_CALCULATION_TYPE_METRIC_VALUES,
						   size, data, &count, NULL) == ZE_RESULT_SUCCESS);
	values = calloc(count + 1, sizeof(*values));
	CHECK(zetMetricGroupCalculateMetricValues_(
		      group, ZET_METRIC_GROUP_CALCULATION_TYPE_METRIC_VALUES, size, data, &count,
		      values) == ZE_RESULT_SUCCESS);
	compare(group, symbol, data, size, values, count, 1000);
	CHECK(zetContextActivateMetricGroups_(context, device, 0, NULL) == ZE_RESULT_SUCCESS);
	free(values);
	free(data);
}

static void streamed_values_are_those_of_the_library(void)
{
	uint32_t streamed = 0;

	for (uint32_t i = 0; i < group_count; i++) {
		const zet_metric_group_properties_t properties = properties_of(groups[i]);

		if (properties.samplingType != ZET_METRIC_GROUP_SAMPLING_TYPE_FLAG_TIME_BASED ||
		    (strcmp(properties.name, "RenderBasic") && strcmp(properties.name, "TestOa") &&
		     strcmp(properties.name, "ComputeBasic")))
			continue;
		stream_set(groups[i], properties.name);
		streamed++;
	}
	CHECK(streamed >= 2);
}

/* ---- two programs --------------------------------------------------------------------------- */

static zet_metric_group_handle_t find_group(const char *name)
{
	for (uint32_t i = 0; i < group_count; i++) {
		const zet_metric_group_properties_t properties = properties_of(groups[i]);

		if (properties.samplingType == ZET_METRIC_GROUP_SAMPLING_TYPE_FLAG_TIME_BASED &&
		    !strcmp(properties.name, name))
			return groups[i];
	}
	return NULL;
}

/* In the second process: open a streamer as another program does. */
static ze_result_t open_in_second(zet_metric_streamer_handle_t *streamer)
{
	driver_has_a_gpu();
	if (!tap.good || !get_groups())
		return ZE_RESULT_ERROR_UNINITIALIZED;
	return open_streamer(find_group(STREAMED), streamer);
}

/*
 * In the second process: try to open a streamer without and with GPUOA_LOG. Returns true if both
 * fail, and only the latter prints a message, which names the first process.
 */
static bool is_refused(int unused)
{
	char message[2][512] = { "", "" };
	zet_metric_streamer_handle_t streamer;
	ze_result_t result = ZE_RESULT_SUCCESS;
	FILE *file;

	(void)unused;
	for (int i = 0; i < 2; i++) {
		if (i)
			setenv("GPUOA_LOG", "1", 1);
		else
			unsetenv("GPUOA_LOG");
		if (!freopen("/tmp/messages", "w", stderr))
			return false;
		result = open_in_second(&streamer);
		fflush(stderr);
		file = fopen("/tmp/messages", "r");
		if (!file)
			return false;
		message[i][fread(message[i], 1, sizeof(message[i]) - 1, file)] = '\0';
		fclose(file);
		if (result == ZE_RESULT_SUCCESS)
			return false;
	}
	printf("# 0x%x, %s", result, message[1]);
	fflush(stdout);
	return !strstr(message[0], "gpuoa-igdmd") && names_first(message[1], "vendor_ze");
}

/* In the second process: return true if it can stream. */
static bool is_streaming(int unused)
{
	static uint8_t data[1 << 20];
	zet_metric_streamer_handle_t streamer;
	size_t size;

	(void)unused;
	if (open_in_second(&streamer) != ZE_RESULT_SUCCESS)
		return false;
	size = read_data(streamer, data, sizeof(data));
	printf("# second program: %zu bytes\n", size);
	fflush(stdout);
	return tap.good && size > 0;
}

static struct second second;

/* Run the second process while a streamer is open. */
static void stream_beside_second(void)
{
	static uint8_t data[1 << 20];
	zet_metric_group_handle_t group = find_group(STREAMED);
	zet_metric_streamer_handle_t streamer;
	size_t size;

	REQUIRE(group != NULL);
	REQUIRE(open_streamer(group, &streamer) == ZE_RESULT_SUCCESS);
	CHECK(second_run(&second));
	size = read_data(streamer, data, sizeof(data));
	printf("# first program: %zu bytes\n", size);
	CHECK(size > 0);
	CHECK(zetMetricStreamerClose_(streamer) == ZE_RESULT_SUCCESS);
	CHECK(zetContextActivateMetricGroups_(context, device, 0, NULL) == ZE_RESULT_SUCCESS);
}

static void second_program_is_told_which_one_has_the_gpu(void)
{
	stream_beside_second();
}

/* gpuoa.ko shares a unit. */
static void two_programs_stream_at_once(void)
{
	stream_beside_second();
}

/* ---- queries -------------------------------------------------------------------------------- */

#define REPORTS 2 /* of a result: begin and end */
#define END_OFFSET 576
#define RESULT 1152

/* Append a query, with work. */
static void append_query(ze_command_list_handle_t list, void *query)
{
	CHECK(zetCommandListAppendMetricQueryBegin_(list, query) == ZE_RESULT_SUCCESS);
	for (int i = 0; i < 16; i++)
		CHECK(zeCommandListAppendBarrier_(list, NULL, 0, NULL) == ZE_RESULT_SUCCESS);
	CHECK(zetCommandListAppendMetricQueryEnd_(list, query, NULL, 0, NULL) == ZE_RESULT_SUCCESS);
	CHECK(zetCommandListAppendMetricMemoryBarrier_(list) == ZE_RESULT_SUCCESS);
}

/* Record a list, and execute it. */
static void execute(void (*append)(ze_command_list_handle_t list, void *argument), void *argument)
{
	const ze_command_queue_desc_t queue_desc = {
		.stype = ZE_STRUCTURE_TYPE_COMMAND_QUEUE_DESC,
		.mode = ZE_COMMAND_QUEUE_MODE_ASYNCHRONOUS,
	};
	const ze_command_list_desc_t list_desc = { .stype = ZE_STRUCTURE_TYPE_COMMAND_LIST_DESC };
	ze_command_queue_handle_t queue;
	ze_command_list_handle_t list;
	ze_result_t result;

	REQUIRE(zeCommandQueueCreate_(context, device, &queue_desc, &queue) == ZE_RESULT_SUCCESS);
	REQUIRE(zeCommandListCreate_(context, device, &list_desc, &list) == ZE_RESULT_SUCCESS);
	append(list, argument);
	CHECK(zeCommandListClose_(list) == ZE_RESULT_SUCCESS);
	CHECK(zeCommandQueueExecuteCommandLists_(queue, 1, &list, NULL) == ZE_RESULT_SUCCESS);
	result = zeCommandQueueSynchronize_(queue, 30000000000);
	if (!CHECK(result == ZE_RESULT_SUCCESS))
		printf("# zeCommandQueueSynchronize: 0x%x\n", result);
	CHECK(zeCommandListDestroy_(list) == ZE_RESULT_SUCCESS);
	CHECK(zeCommandQueueDestroy_(queue) == ZE_RESULT_SUCCESS);
}

/* @report_size: 0: libgpuoa does not know the set, and values are not compared */
static void calculate_query(zet_metric_group_handle_t group, const char *symbol,
			    const uint8_t *data, size_t report_size)
{
	uint8_t pair[RESULT];
	zet_typed_value_t *values;
	uint32_t count = 0;

	CHECK(zetMetricGroupCalculateMetricValues_(
		      group, ZET_METRIC_GROUP_CALCULATION_TYPE_METRIC_VALUES, RESULT, data, &count,
		      NULL) == ZE_RESULT_SUCCESS);
	values = calloc(count + 1, sizeof(*values));
	CHECK(zetMetricGroupCalculateMetricValues_(
		      group, ZET_METRIC_GROUP_CALCULATION_TYPE_METRIC_VALUES, RESULT, data, &count,
		      values) == ZE_RESULT_SUCCESS);
	memcpy(pair, data, report_size);
	memcpy(pair + report_size, data + END_OFFSET, report_size);
	if (report_size)
		compare(group, symbol, pair, REPORTS * report_size, values, count, 5);
	/* The first metric is the duration. */
	printf("# %s: %llu ns\n", symbol, (unsigned long long)values[0].value.ui64);
	CHECK(values[0].value.ui64 > 0);
	free(values);
}

static size_t report_size_of(const char *symbol)
{
	struct gpuoa_set_desc desc = { 0 };
	const struct gpuoa_set *set;
	struct gpuoa_unit *unit;

	if (!CHECK(!gpuoa_unit_open(NULL, &unit, NULL, 0)))
		return 0;
	set = gpuoa_platform_find_set(gpuoa_unit_platform(unit), symbol, "OA",
				      gpuoa_unit_constants(unit));
	if (set)
		gpuoa_set_describe(set, &desc, sizeof(desc));
	gpuoa_unit_close(unit);
	return desc.report_size;
}

static void query_set(zet_metric_group_handle_t group, const char *symbol)
{
	const zet_metric_query_pool_desc_t desc = {
		.stype = ZET_STRUCTURE_TYPE_METRIC_QUERY_POOL_DESC,
		.type = ZET_METRIC_QUERY_POOL_TYPE_PERFORMANCE,
		.count = 2,
	};
	zet_metric_query_pool_handle_t pool;
	zet_metric_query_handle_t query;
	uint8_t data[RESULT];
	size_t size = 0;
	ze_result_t result;

	CHECK(zetContextActivateMetricGroups_(context, device, 1, &group) == ZE_RESULT_SUCCESS);
	result = zetMetricQueryPoolCreate_(context, device, group, &desc, &pool);
	if (!CHECK(result == ZE_RESULT_SUCCESS)) {
		printf("# zetMetricQueryPoolCreate: 0x%x\n", result);
		return;
	}
	CHECK(zetMetricQueryCreate_(pool, 1, &query) == ZE_RESULT_SUCCESS);
	for (int i = 0; i < 2; i++) {
		execute(append_query, query);
		size = 0;
		CHECK(zetMetricQueryGetData_(query, &size, NULL) == ZE_RESULT_SUCCESS);
		if (!CHECK(size == RESULT))
			break;
		result = zetMetricQueryGetData_(query, &size, data);
		if (CHECK(result == ZE_RESULT_SUCCESS))
			calculate_query(group, symbol, data, report_size_of(symbol));
		else
			printf("# zetMetricQueryGetData: 0x%x\n", result);
		CHECK(zetMetricQueryReset_(query) == ZE_RESULT_SUCCESS);
	}
	CHECK(zetMetricQueryDestroy_(query) == ZE_RESULT_SUCCESS);
	CHECK(zetContextActivateMetricGroups_(context, device, 0, NULL) == ZE_RESULT_SUCCESS);
	CHECK(zetMetricQueryPoolDestroy_(pool) == ZE_RESULT_SUCCESS);
}

static void queried_values_are_those_of_the_library(void)
{
	uint32_t queried = 0;

	for (uint32_t i = 0; i < group_count; i++) {
		const zet_metric_group_properties_t properties = properties_of(groups[i]);

		if (properties.samplingType != ZET_METRIC_GROUP_SAMPLING_TYPE_FLAG_EVENT_BASED ||
		    (strcmp(properties.name, "RenderBasic") &&
		     strcmp(properties.name, "ComputeBasic")))
			continue;
		query_set(groups[i], properties.name);
		queried++;
	}
	CHECK(queried == 2);
}

/* ---- sets that the program adds ------------------------------------------------------------- */

/* Add a set of the first programmable metric, and query it. */
static void added_set_has_queries(void)
{
	zet_metric_programmable_exp_handle_t programmables[1024];
	uint32_t count = 1024, metric_count = 1, added_count = 0, queried = 0;
	zet_metric_group_handle_t added[8];
	zet_metric_handle_t metric;

	/* Old GPUs have none, nor does the driver for these support them. */
	if (zetMetricProgrammableGetExp_(device, &count, programmables) != ZE_RESULT_SUCCESS)
		count = 0;
	printf("# %u programmable metrics\n", count);
	if (!count)
		return;
	REQUIRE(zetMetricCreateFromProgrammableExp2_(programmables[0], 0, NULL, "mine", "",
						     &metric_count, &metric) == ZE_RESULT_SUCCESS);
	CHECK(metric_count == 1);
	CHECK(zetDeviceCreateMetricGroupsFromMetricsExp_(device, 1, &metric, "set", "",
							 &added_count, NULL) == ZE_RESULT_SUCCESS);
	REQUIRE(added_count <= 8);
	CHECK(zetDeviceCreateMetricGroupsFromMetricsExp_(device, 1, &metric, "set", "",
							 &added_count, added) == ZE_RESULT_SUCCESS);
	for (uint32_t i = 0; i < added_count; i++) {
		const zet_metric_group_properties_t properties = properties_of(added[i]);

		if (properties.samplingType == ZET_METRIC_GROUP_SAMPLING_TYPE_FLAG_EVENT_BASED) {
			query_set(added[i], properties.name);
			queried++;
		}
	}
	printf("# %u groups, %u for queries\n", added_count, queried);
	CHECK(queried == 1);
	for (uint32_t i = 0; i < added_count; i++)
		CHECK(zetMetricGroupDestroyExp_(added[i]) == ZE_RESULT_SUCCESS);
	CHECK(zetMetricDestroyExp_(metric) == ZE_RESULT_SUCCESS);
}

/* ---- markers -------------------------------------------------------------------------------- */

#define MARKER 4711

static void append_marker(ze_command_list_handle_t list, void *streamer)
{
	const bool has_markers = unit_desc()->features & GPUOA_UNIT_MARKERS;
	const ze_result_t result =
		zetCommandListAppendMetricStreamerMarker_(list, streamer, MARKER);

	printf("# zetCommandListAppendMetricStreamerMarker: 0x%x\n", result);
	CHECK((result == ZE_RESULT_SUCCESS) == has_markers);
}

/* Count the reports of the set STREAMED that have the marker. */
static uint32_t count_markers(const uint8_t *data, size_t size)
{
	struct gpuoa_report_desc desc;
	struct gpuoa_set_desc set_desc;
	const struct gpuoa_set *set;
	struct gpuoa_unit *unit;
	uint32_t count = 0;

	if (!CHECK(!gpuoa_unit_open(NULL, &unit, NULL, 0)))
		return 0;
	set = gpuoa_platform_find_set(gpuoa_unit_platform(unit), STREAMED, "OA",
				      gpuoa_unit_constants(unit));
	gpuoa_set_describe(set, &set_desc, sizeof(set_desc));
	for (size_t at = 0; at + set_desc.report_size <= size; at += set_desc.report_size)
		count += !gpuoa_report_describe(set, set_desc.format, data + at, &desc,
						sizeof(desc)) &&
			 desc.has_marker && desc.marker == MARKER;
	gpuoa_unit_close(unit);
	return count;
}

/* i915 does not let batches write markers. */
static void marker_is_in_the_stream(void)
{
	static uint8_t data[1 << 20];
	zet_metric_group_handle_t group = find_group(STREAMED);
	zet_metric_streamer_handle_t streamer;
	size_t size;

	REQUIRE(group != NULL);
	REQUIRE(open_streamer(group, &streamer) == ZE_RESULT_SUCCESS);
	execute(append_marker, streamer);
	size = read_data(streamer, data, sizeof(data));
	CHECK(count_markers(data, size) == !!(unit_desc()->features & GPUOA_UNIT_MARKERS));
	CHECK(zetMetricStreamerClose_(streamer) == ZE_RESULT_SUCCESS);
	CHECK(zetContextActivateMetricGroups_(context, device, 0, NULL) == ZE_RESULT_SUCCESS);
}

int main(void)
{
	bool is_shared;

	setbuf(stdout, NULL);
	if (!load())
		return tap_skip("Level Zero cannot be loaded");
	/* A process cannot use Level Zero after a fork. */
	is_shared = !strcmp(unit_driver(), "gpuoa");
	if (!second_begin(&second, is_shared ? is_streaming : is_refused, -1))
		return 1;
	RUN(driver_has_a_gpu);
	RUN(metric_groups_are_the_sets);
	RUN(streamed_values_are_those_of_the_library);
	if (is_shared)
		RUN(two_programs_stream_at_once);
	else
		RUN(second_program_is_told_which_one_has_the_gpu);
	RUN(queried_values_are_those_of_the_library);
	RUN(added_set_has_queries);
	RUN(marker_is_in_the_stream);
	return tap_end();
}
