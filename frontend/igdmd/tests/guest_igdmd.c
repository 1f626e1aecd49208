// SPDX-License-Identifier: MIT
/*
 * guest_igdmd.c - libigdmd.so.1 in the guest, loaded as a program loads it, on a virtual GPU of the
 * stock i915 or xe, or of gpuoa.ko
 *
 * The values that it streams and calculates are compared with those of libgpuoa on the same
 * reports.
 */
#include <stdlib.h>
#include <time.h>

#include "client.h"
#include "gpuoa.h"
#include "lib/tests/tap.h"
#include "second.h"

#define REPORTS 64
#define AWAITED 2000 /* reports of the timer, which makes about one per ms */

static enum mdapi_result (*open_adapter_group)(struct mdapi_adapters **adapters);
static void (*set_log)(gpuoa_log_function function, void *context);
static struct mdapi_adapters *adapters;

static bool load(void)
{
	void *library = load_library("libigdmd.so.1");

	if (!library)
		return false;
	*(void **)&open_adapter_group = dlsym(library, "OpenAdapterGroup");
	*(void **)&set_log = dlsym(library, "GpuoaSetLog");
	return open_adapter_group && set_log && dlsym(library, "CloseMetricsDevice");
}

/* Return a set with nonzero values on every virtual GPU. */
static struct mdapi_set *set_of(struct mdapi_group *group)
{
	struct mdapi_set *first = CALL(group, get_set, 0);

	for (uint32_t i = 0; i < CALL(group, get_params)->set_count; i++) {
		struct mdapi_set *set = CALL(group, get_set, i);

		if (!strcmp(params_of(set)->symbol, "TestOa"))
			return set;
	}
	return first;
}

/* Read REPORTS reports of a stream. Returns the number of reports. */
static uint32_t read_reports(struct mdapi_group *group, char *reports, uint32_t size)
{
	struct timespec start, now;
	uint32_t have = 0;

	clock_gettime(CLOCK_MONOTONIC, &start);
	do {
		uint32_t count = REPORTS - have;
		enum mdapi_result result = CALL(group, wait_for_reports, 1000);

		CHECK(result == MDAPI_OK || result == MDAPI_TIMEOUT);
		result = CALL(group, read_stream, &count, reports + (size_t)have * size, 0);
		if (!CHECK(result == MDAPI_OK || result == MDAPI_READ_PENDING))
			break;
		have += count;
		clock_gettime(CLOCK_MONOTONIC, &now);
	} while (have < REPORTS && now.tv_sec - start.tv_sec < 60);
	return have;
}

static const struct gpuoa_set *definition_of(struct gpuoa_unit *unit, const char *symbol,
					     const char *domain)
{
	return gpuoa_platform_find_set(gpuoa_unit_platform(unit), symbol, domain,
				       gpuoa_unit_constants(unit));
}

static bool is_same(const struct mdapi_value *value, const union gpuoa_value *plain,
		    const struct gpuoa_output_desc *desc, const char *symbol)
{
	if (desc->type == GPUOA_TYPE_FLOAT)
		return value->type == MDAPI_VALUE_FLOAT && value->f32 == plain->f32;
	if (!strcmp(symbol, "AvgGpuCoreFrequencyMHz"))
		return value->u64 == plain->u64 / 1000000;
	return value->type == MDAPI_VALUE_UINT64 && value->u64 == plain->u64;
}

/* Compare the metrics of all rows with libgpuoa's. */
static void compare(struct mdapi_set *set, const char *domain, struct gpuoa_unit *unit,
		    const char *reports, uint32_t count, const struct mdapi_value *values)
{
	const uint32_t metrics = params_of(set)->metric_count;
	const uint32_t columns = metrics + params_of(set)->info_count;
	const struct gpuoa_set *definition = definition_of(unit, params_of(set)->symbol, domain);
	const struct gpuoa_metric *list[512];
	const struct gpuoa_calc_options options = {
		.size = sizeof(options), .metrics = list, .metric_count = metrics, .no_infos = true
	};
	struct gpuoa_set_desc desc;
	struct gpuoa_output_desc output;
	union gpuoa_value *plain = calloc((size_t)count * metrics, sizeof(*plain));
	struct gpuoa_calc *calc;
	size_t used, rows;

	REQUIRE(definition && plain && metrics <= 512);
	gpuoa_set_describe(definition, &desc, sizeof(desc));
	for (uint32_t i = 0; i < metrics; i++)
		list[i] = gpuoa_set_find_metric(definition,
						CALL(CALL(set, get_metric, i), get_params)->symbol);
	REQUIRE(!gpuoa_calc_open(definition, gpuoa_unit_constants(unit), desc.format, &options,
				 &calc, NULL, 0));
	rows = gpuoa_calc_run(calc, reports, count, plain, NULL, count, &used);
	CHECK(rows == count - 1);
	for (size_t i = 0; i < rows; i++)
		for (uint32_t j = 0; j < metrics; j++) {
			gpuoa_calc_output_describe(calc, j, &output, sizeof(output));
			CHECK(is_same(&values[i * columns + j], &plain[i * metrics + j], &output,
				      CALL(CALL(set, get_metric, j), get_params)->symbol));
		}
	gpuoa_calc_close(calc);
	free(plain);
}

static struct gpuoa_unit *find_unit(uint32_t index, const char *domain)
{
	char names[64][16];
	int count = gpuoa_unit_list(names, 64);

	for (int i = 0; i < count && i < 64; i++) {
		struct gpuoa_unit *unit;
		struct gpuoa_unit_desc desc;

		if (gpuoa_unit_open(names[i], &unit, NULL, 0))
			continue;
		gpuoa_unit_describe(unit, &desc, sizeof(desc));
		if (!strcmp(desc.domain, domain) && !desc.tile && gpuoa_unit_platform(unit) &&
		    !index--)
			return unit;
		gpuoa_unit_close(unit);
	}
	return NULL;
}

/* Stream reports of the group OA of an adapter, calculate, and compare the values. */
static void use_adapter(struct mdapi_adapter *adapter, uint32_t index)
{
	uint32_t period = 1000000, buffer = 0, size, columns, count, rows = 0, number = 0;
	struct mdapi_device *device;
	struct mdapi_group *group;
	struct gpuoa_unit *unit;
	struct mdapi_value *values;
	struct mdapi_set *set;
	uint64_t gpu[2], cpu[2];
	char *reports;

	REQUIRE(CALL(adapter, open_device_1_13, &device) == MDAPI_OK);
	group = CALL(device, get_group, 0);
	REQUIRE(group != NULL);
	set = set_of(group);
	CHECK(CALL(set, set_api_filter, MDAPI_API_STREAM) == MDAPI_OK);
	size = params_of(set)->report_size;
	columns = params_of(set)->metric_count + params_of(set)->info_count;
	reports = calloc(REPORTS, size);
	values = calloc((size_t)REPORTS * columns, sizeof(*values));
	CHECK(CALL(device, get_timestamps_1_0, &gpu[0], &cpu[0], &number) == MDAPI_OK);
	if (CHECK(CALL(group, open_stream_1_0, set, 0, &period, &buffer) == MDAPI_OK)) {
		CHECK(period > 500000 && period <= 1000000 && buffer > 0);
		CHECK(CALL(group, open_stream_1_0, set, 0, &period, &buffer) == MDAPI_GROUP_LOCKED);
		count = read_reports(group, reports, size);
		CHECK(count == REPORTS);
		CHECK(CALL(group, close_stream) == MDAPI_OK);
		CHECK(CALL(set, calculate_1_1, (uint8_t *)reports, count * size, values,
			   count * columns * (uint32_t)sizeof(*values), &rows, false) == MDAPI_OK);
		CHECK(rows == count - 1);
		/* The first metric of every set is the length of the interval. */
		for (uint32_t i = 0; i < rows; i++)
			CHECK(values[i * columns].u64 > 0);
		unit = find_unit(index, CALL(group, get_params)->symbol);
		if (CHECK(unit != NULL)) {
			compare(set, CALL(group, get_params)->symbol, unit, reports, count, values);
			gpuoa_unit_close(unit);
		}
	}
	CHECK(CALL(device, get_timestamps_1_0, &gpu[1], &cpu[1], &number) == MDAPI_OK);
	CHECK(gpu[1] != gpu[0] && cpu[1] > cpu[0]);
	CHECK(CALL(set, activate) == MDAPI_OK);
	CHECK(params_of(set)->ids.config != 0);
	CHECK(CALL(set, deactivate) == MDAPI_OK);
	CHECK(CALL(adapter, close_device, device) == MDAPI_OK);
	free(reports);
	free(values);
}

static void every_gpu_is_an_adapter_and_streams(void)
{
	uint32_t count;

	REQUIRE(open_adapter_group(&adapters) == MDAPI_OK);
	count = CALL(adapters, get_params)->adapter_count;
	CHECK(count > 0);
	for (uint32_t i = 0; i < count; i++)
		use_adapter(CALL(adapters, get_adapter, i), i);
	CHECK(CALL(adapters, close) == MDAPI_OK);
}

/* i915 ends a wait as soon as there is one report. */
static void wait_ends_when_the_requested_reports_are_there(void)
{
	uint32_t period = 1000000, buffer, size, count = AWAITED;
	struct mdapi_adapter *adapter;
	struct mdapi_device *device;
	struct mdapi_group *group;
	struct mdapi_set *set;
	char *reports;

	REQUIRE(open_adapter_group(&adapters) == MDAPI_OK);
	adapter = CALL(adapters, get_adapter, 0);
	REQUIRE(CALL(adapter, open_device_1_13, &device) == MDAPI_OK);
	group = CALL(device, get_group, 0);
	set = set_of(group);
	size = params_of(set)->report_size;
	reports = calloc(AWAITED, size);
	buffer = 2 * AWAITED * size;
	if (CHECK(CALL(group, open_stream_1_0, set, 0, &period, &buffer) == MDAPI_OK)) {
		CHECK(CALL(group, wait_for_reports, 0) == MDAPI_TIMEOUT);
		CHECK(CALL(group, wait_for_reports, 100) == MDAPI_TIMEOUT);
		CHECK(CALL(group, wait_for_reports, 60000) == MDAPI_OK);
		CHECK(CALL(group, read_stream, &count, reports, 0) == MDAPI_OK);
		CHECK(count == AWAITED);
	}
	free(reports);
	CHECK(CALL(adapter, close_device, device) == MDAPI_OK);
	CHECK(CALL(adapters, close) == MDAPI_OK);
}

static void every_set_can_be_calculated(void)
{
	REQUIRE(open_adapter_group(&adapters) == MDAPI_OK);
	for (uint32_t i = 0; i < CALL(adapters, get_params)->adapter_count; i++) {
		struct mdapi_adapter *adapter = CALL(adapters, get_adapter, i);
		struct mdapi_device *device;

		REQUIRE(CALL(adapter, open_device_1_13, &device) == MDAPI_OK);
		for (uint32_t j = 0; j < CALL(device, get_params)->group_count; j++) {
			struct mdapi_group *group = CALL(device, get_group, j);

			for (uint32_t k = 0; k < CALL(group, get_params)->set_count; k++) {
				struct mdapi_set *set = CALL(group, get_set, k);
				static const uint8_t reports[2048];
				static struct mdapi_value values[1024];
				uint32_t rows, columns;

				CHECK(CALL(set, set_api_filter, MDAPI_API_STREAM) == MDAPI_OK);
				columns = params_of(set)->metric_count + params_of(set)->info_count;
				if (!CHECK(CALL(set, calculate_1_1, reports,
						params_of(set)->report_size, values,
						columns * (uint32_t)sizeof(values[0]), &rows,
						false) == MDAPI_OK))
					printf("# %s\n", params_of(set)->symbol);
			}
		}
		CHECK(CALL(adapter, close_device, device) == MDAPI_OK);
	}
	CHECK(CALL(adapters, close) == MDAPI_OK);
}

static void keep_message(void *context, const char *message)
{
	snprintf(context, 256, "%s", message);
}

static enum mdapi_result open_first_stream(struct mdapi_adapter *adapter,
					   struct mdapi_device **device)
{
	uint32_t period = 1000000, buffer = 0;
	struct mdapi_group *group;

	if (CALL(adapter, open_device_1_13, device) != MDAPI_OK)
		return MDAPI_GENERAL_ERROR;
	group = CALL(*device, get_group, 0);
	return CALL(group, open_stream_1_0, set_of(group), 0, &period, &buffer);
}

/* Try to open a stream. Returns whether the error names the first process. */
static bool is_told_the_holder(int unused)
{
	char message[256] = "";
	struct mdapi_device *device;
	enum mdapi_result result;

	(void)unused;
	set_log(keep_message, message);
	if (open_adapter_group(&adapters) != MDAPI_OK)
		return false;
	result = open_first_stream(CALL(adapters, get_adapter, 0), &device);
	printf("# %s\n", message);
	fflush(stdout);
	return result == MDAPI_GROUP_LOCKED && names_first(message, "guest_igdmd");
}

static void second_program_is_told_which_one_has_the_stream(void)
{
	struct mdapi_adapter *adapter;
	struct mdapi_device *device;
	struct second second;

	REQUIRE(second_begin(&second, is_told_the_holder, -1));
	REQUIRE(open_adapter_group(&adapters) == MDAPI_OK);
	adapter = CALL(adapters, get_adapter, 0);
	CHECK(open_first_stream(adapter, &device) == MDAPI_OK);
	CHECK(second_run(&second));
	CHECK(CALL(adapter, close_device, device) == MDAPI_OK);
	CHECK(CALL(adapters, close) == MDAPI_OK);
}

/* Stream. Returns whether there were reports. */
static bool is_streaming(int unused)
{
	struct mdapi_device *device;
	struct mdapi_group *group;
	uint32_t size, count = 0;
	char *reports;

	(void)unused;
	if (open_adapter_group(&adapters) != MDAPI_OK ||
	    open_first_stream(CALL(adapters, get_adapter, 0), &device) != MDAPI_OK)
		return false;
	group = CALL(device, get_group, 0);
	size = params_of(set_of(group))->report_size;
	reports = calloc(REPORTS, size);
	if (reports)
		count = read_reports(group, reports, size);
	free(reports);
	return count == REPORTS;
}

/* gpuoa.ko shares a unit. Both programs read reports while both streams are open. */
static void two_programs_stream_at_once(void)
{
	struct mdapi_adapter *adapter;
	struct mdapi_device *device;
	struct mdapi_group *group;
	struct second second;
	uint32_t size;
	char *reports;

	REQUIRE(second_begin(&second, is_streaming, -1));
	REQUIRE(open_adapter_group(&adapters) == MDAPI_OK);
	adapter = CALL(adapters, get_adapter, 0);
	CHECK(open_first_stream(adapter, &device) == MDAPI_OK);
	CHECK(second_run(&second));
	group = CALL(device, get_group, 0);
	size = params_of(set_of(group))->report_size;
	reports = calloc(REPORTS, size);
	CHECK(read_reports(group, reports, size) == REPORTS);
	free(reports);
	CHECK(CALL(adapter, close_device, device) == MDAPI_OK);
	CHECK(CALL(adapters, close) == MDAPI_OK);
}

static bool is_shared(void)
{
	struct gpuoa_unit *unit = find_unit(0, "OA");
	struct gpuoa_unit_desc desc = { .driver = "" };

	if (unit) {
		gpuoa_unit_describe(unit, &desc, sizeof(desc));
		gpuoa_unit_close(unit);
	}
	return !strcmp(desc.driver, "gpuoa");
}

int main(void)
{
	if (!load()) {
		printf("Bail out! libigdmd.so.1 cannot be loaded\n");
		return 1;
	}
	if (is_shared())
		RUN(two_programs_stream_at_once);
	else
		RUN(second_program_is_told_which_one_has_the_stream);
	RUN(every_gpu_is_an_adapter_and_streams);
	RUN(wait_ends_when_the_requested_reports_are_there);
	RUN(every_set_can_be_calculated);
	return tap_end();
}
