/* SPDX-License-Identifier: MIT */
/*
 * queries.h - a program that has queries by libigdml.so.1, as Level Zero's driver has, for tests in
 * the guest. A test includes it once.
 */
#ifndef GPUOA_IGDMD_TESTS_QUERIES_H
#define GPUOA_IGDMD_TESTS_QUERIES_H

#include <stdlib.h>

#include "client.h"
#include "gpuoa.h"
#include "igdml.h"
#include "lib/tests/tap.h"
#include "second.h"

#define RESULT 1152
#define END 576
#define SLOTS 2

static enum mdapi_result (*open_adapter_group)(struct mdapi_adapters **adapters);
static void (*set_log)(gpuoa_log_function function, void *context);
static typeof(ContextCreate_1_0) *context_create;
static typeof(ContextDelete_1_0) *context_delete;

static char message[256]; /* the last one */

static struct mdapi_adapters *adapters;
static struct mdapi_device *device;
static struct mdapi_set *set;

static struct igdml_table ml;
static struct igdml_context context;
static struct igdml_query query;
static struct igdml_configuration configuration;
static uint8_t results[SLOTS * RESULT];

static void keep_message(void *kept, const char *text)
{
	snprintf(kept, sizeof(message), "%s", text);
	printf("# %s\n", text);
}

/* Load the library by the name that Level Zero's driver uses. */
static bool load(void)
{
	void *library = load_library("libigdml.so.1");

	if (!library)
		return false;
	*(void **)&open_adapter_group = dlsym(library, "OpenAdapterGroup");
	*(void **)&set_log = dlsym(library, "GpuoaSetLog");
	*(void **)&context_create = dlsym(library, "ContextCreate_1_0");
	*(void **)&context_delete = dlsym(library, "ContextDelete_1_0");
	return open_adapter_group && set_log && context_create && context_delete;
}

/* Open the device of a DRM file, a context of the library, and a configuration for a set. */
static bool begin(int fd, const char *symbol)
{
	const struct igdml_client client = { IGDML_API_ONEAPI, 6 };
	struct igdml_adapter adapter = { .fd = fd };
	struct igdml_client_data client_data = { .adapter = &adapter };
	struct igdml_context_data data = { .client = &client_data, .table = &ml };
	struct igdml_create create = { .type = IGDML_OBJECT_QUERY, .slot_count = SLOTS };
	struct mdapi_group *group;

	set_log(keep_message, message);
	*message = '\0';
	if (!CHECK(open_adapter_group(&adapters) == MDAPI_OK) ||
	    !CHECK(CALL(CALL(adapters, get_adapter, 0), open_device_1_13, &device) == MDAPI_OK))
		return false;
	group = CALL(device, get_group, 0);
	for (uint32_t i = 0; i < CALL(group, get_params)->set_count; i++)
		if (!strcmp(params_of(CALL(group, get_set, i))->symbol, symbol))
			set = CALL(group, get_set, i);
	if (!CHECK(set != NULL) || !CHECK(params_of(set)->query_report_size == RESULT) ||
	    !CHECK(context_create(client, &data, &context) == IGDML_OK))
		return false;
	create.context = context;
	CHECK(ml.create_query(&create, &query) == IGDML_OK);
	create.type = IGDML_OBJECT_CONFIGURATION;
	CHECK(CALL(set, activate) == MDAPI_OK);
	CHECK(ml.create_configuration(&create, &configuration) == IGDML_OK);
	return CHECK(CALL(set, deactivate) == MDAPI_OK);
}

static void end(void)
{
	CHECK(context_delete(context) == IGDML_OK);
	CHECK(CALL(CALL(adapters, get_adapter, 0), close_device, device) == MDAPI_OK);
	CHECK(CALL(adapters, close) == MDAPI_OK);
	set = NULL;
}

static enum igdml_result activate(void)
{
	const struct igdml_activate stream = { IGDML_ACTIVATE_STREAM };

	return ml.activate(configuration, &stream);
}

/*
 * Write commands of a query to a batch. Returns their number of dwords. @memory: of all slots; the
 * batch has space for @room dwords
 */
static uint32_t put(struct igdml_memory memory, enum igdml_engine engine, uint32_t slot,
		    bool is_begin, uint32_t *batch, uint32_t room)
{
	struct igdml_commands commands = {
		.context = context,
		.type = IGDML_OBJECT_QUERY,
		.engine = engine,
		.memory = memory,
		.query = { .query = query, .slot = slot, .begin = is_begin },
	};
	struct igdml_commands_size size = { 0 };

	CHECK(ml.get_commands_size(&commands, &size) == IGDML_OK);
	if (!CHECK(size.size / 4 <= room))
		return 0;
	commands.size = size.size;
	commands.data = batch;
	CHECK(ml.get_commands(&commands) == IGDML_OK);
	return size.size / 4;
}

static enum igdml_result get(uint32_t slot, uint32_t count)
{
	struct igdml_report report = {
		.type = IGDML_OBJECT_QUERY,
		.query = query,
		.slot = slot,
		.slot_count = count,
		.size = sizeof(results),
		.data = results,
	};

	return ml.get_data(&report);
}

static const struct mdapi_value *value_of(const struct mdapi_value *row, const char *symbol)
{
	for (uint32_t i = 0; i < params_of(set)->metric_count; i++)
		if (!strcmp(CALL(CALL(set, get_metric, i), get_params)->symbol, symbol))
			return &row[i];
	return NULL;
}

/* Compare a row with libgpuoa's calculation on the two reports of a result. */
static void compare(const uint8_t *result, const struct mdapi_value *row)
{
	const struct gpuoa_set *definition;
	struct gpuoa_set_desc desc;
	union gpuoa_value plain[1024];
	struct gpuoa_unit *unit;
	struct gpuoa_calc *calc;
	uint8_t pair[2 * END];
	uint32_t compared = 0;
	size_t used;

	REQUIRE(!gpuoa_unit_open(NULL, &unit, NULL, 0));
	definition = gpuoa_platform_find_set(gpuoa_unit_platform(unit), params_of(set)->symbol,
					     "OA", gpuoa_unit_constants(unit));
	REQUIRE(definition != NULL);
	gpuoa_set_describe(definition, &desc, sizeof(desc));
	REQUIRE(!gpuoa_calc_open(definition, gpuoa_unit_constants(unit), desc.format, NULL, &calc,
				 NULL, 0));
	memcpy(pair, result, desc.report_size);
	memcpy(pair + desc.report_size, result + END, desc.report_size);
	CHECK(gpuoa_calc_run(calc, pair, 2, plain, NULL, 1, &used) == 1);
	for (uint32_t i = 0; i < params_of(set)->metric_count; i++) {
		const char *symbol = CALL(CALL(set, get_metric, i), get_params)->symbol;
		const struct gpuoa_metric *metric = gpuoa_set_find_metric(definition, symbol);
		struct gpuoa_metric_desc m;

		if (!CHECK(metric != NULL) || !strcmp(symbol, "AvgGpuCoreFrequencyMHz"))
			continue;
		gpuoa_metric_describe(metric, &m, sizeof(m));
		compared++;
		if (m.type == GPUOA_TYPE_FLOAT)
			CHECK(row[i].f32 == plain[m.index].f32);
		else
			CHECK(row[i].u64 == plain[m.index].u64);
	}
	printf("# %u values equal those of libgpuoa\n", compared);
	CHECK(compared > 20);
	gpuoa_calc_close(calc);
	gpuoa_unit_close(unit);
}

/* Calculate all results, and compare the values with libgpuoa's. Slot 0 surrounds slot 1. */
static void check_values(void)
{
	static struct mdapi_value values[SLOTS * 512];
	uint32_t columns, rows = 0;

	CHECK(CALL(set, set_api_filter, MDAPI_API_OCL | MDAPI_API_OGL4) == MDAPI_OK);
	columns = params_of(set)->metric_count + params_of(set)->info_count;
	REQUIRE(columns <= 512);
	CHECK(CALL(set, calculate_1_1, results, sizeof(results), values,
		   SLOTS * columns * (uint32_t)sizeof(values[0]), &rows, false) == MDAPI_OK);
	CHECK(rows == SLOTS);
	compare(results, values);
	compare(results + RESULT, values + columns);
	CHECK(value_of(values + columns, "GpuTime")->u64 > 0);
	CHECK(value_of(values + columns, "GpuCoreClocks")->u64 > 0);
	/* The outer query does not take less. */
	CHECK(value_of(values, "GpuTime")->u64 >= value_of(values + columns, "GpuTime")->u64);
	CHECK(value_of(values, "GpuCoreClocks")->u64 >=
	      value_of(values + columns, "GpuCoreClocks")->u64);
}

/* Try to activate. Returns whether the error names the first process. */
static bool is_told_the_holder(int fd)
{
	return begin(fd, "TestOa") && activate() == IGDML_CANNOT_ENABLE_STREAM &&
	       names_first(message, "guest_igdml");
}

/* Activate in this process and in another one, which inherits the DRM file. */
static void check_second_program(int fd)
{
	struct second second;

	REQUIRE(second_begin(&second, is_told_the_holder, fd));
	REQUIRE(begin(fd, "RenderBasic"));
	CHECK(activate() == IGDML_OK);
	CHECK(second_run(&second));
	end();
}

#endif /* GPUOA_IGDMD_TESTS_QUERIES_H */
