// SPDX-License-Identifier: MIT
/*
 * igdml_test.c - the functions of libigdml.so.1, as Level Zero's driver calls them, on fake GPUs
 *
 * An interpreter of the few commands that queries consist of is the GPU.
 */
#include "igdml.h"

#include <dlfcn.h>
#include <errno.h>
#include <pthread.h>
#include <stddef.h>
#include <stdlib.h>

#include "client.h"
#include "fake_gpu.h"
#include "gpuoa-query.h"
#include "lib/tests/tap.h"

/* Programs were compiled with these sizes and offsets, so they must not change. */
_Static_assert(sizeof(struct igdml_value) == 16, "value");
_Static_assert(sizeof(struct igdml_memory) == 24, "memory");
_Static_assert(sizeof(struct igdml_query_commands) == 56, "query");
_Static_assert(offsetof(struct igdml_query_commands, begin) == 48, "query");
_Static_assert(offsetof(struct igdml_commands, query) == 56, "commands");
_Static_assert(sizeof(struct igdml_commands) == 136, "commands");
_Static_assert(offsetof(struct igdml_report, data) == 32, "report");
_Static_assert(sizeof(struct igdml_client_data) == 56, "client");
_Static_assert(sizeof(struct igdml_table) == 14 * 8, "table");

#define SLOTS 4
#define ADDRESS 0x10000
#define TICKS 5000 /* length of a query */

static const struct igdml_client client = { IGDML_API_ONEAPI, 6 };
static struct igdml_adapter adapter;
static struct igdml_option options[2];
static struct igdml_client_data client_data;
static struct igdml_table ml;
static struct igdml_context_data data;
static struct igdml_context context;

static struct mdapi_adapters *adapters;
static struct mdapi_device *device;
static struct mdapi_group *group;

static void fill_data(int fd, bool is_sub_device, uint8_t tile)
{
	adapter = (struct igdml_adapter){ .fd = fd };
	options[0] =
		(struct igdml_option){ .type = IGDML_OPTION_SUB_DEVICE, .enabled = is_sub_device };
	options[1] = (struct igdml_option){ .type = IGDML_OPTION_SUB_DEVICE_INDEX, .number = tile };
	client_data = (struct igdml_client_data){ .adapter = &adapter,
						  .options = options,
						  .option_count = 2 };
	memset(&ml, 0, sizeof(ml));
	data = (struct igdml_context_data){ .client = &client_data, .table = &ml };
}

static bool create_context(int fd)
{
	fill_data(fd, false, 0);
	return CHECK(ContextCreate_1_0(client, &data, &context) == IGDML_OK) &&
	       CHECK(context.data && ml.get_data);
}

static bool begin(const struct fake_gpu *gpu)
{
	fake_begin(gpu, NULL);
	fake.driver = "i915";
	fake.contexts[0] = 3;
	fake.contexts[1] = 5;
	fake.context_count = 2;
	fake.wait_error = -ENODEV; /* no report is going to follow */
	return create_context(FAKE_FD(0));
}

static void end(void)
{
	CHECK(ContextDelete_1_0(context) == IGDML_OK);
	CHECK(!fake.units_open && !fake.streams_open);
}

static bool open_mdapi(void)
{
	struct mdapi_adapter *first;

	if (!CHECK(OpenAdapterGroup(&adapters) == MDAPI_OK))
		return false;
	first = CALL(adapters, get_adapter, 0);
	if (!CHECK(CALL(first, open_device_1_16, &device) == MDAPI_OK))
		return false;
	group = CALL(device, get_group, 0);
	return CHECK(group != NULL);
}

static void close_mdapi(void)
{
	CHECK(CALL(CALL(adapters, get_adapter, 0), close_device, device) == MDAPI_OK);
	CHECK(CALL(adapters, close) == MDAPI_OK);
}

/* Activate a set and create a configuration for it, as Level Zero's driver does. */
static enum igdml_result configure(const char *symbol, struct igdml_configuration *configuration)
{
	const struct igdml_create create = { context, IGDML_OBJECT_CONFIGURATION, 0 };
	enum igdml_result result;

	CHECK(CALL(find_set(group, symbol), activate) == MDAPI_OK);
	result = ml.create_configuration(&create, configuration);
	CHECK(CALL(find_set(group, symbol), deactivate) == MDAPI_OK);
	return result;
}

/* ---- a GPU that executes commands of queries ------------------------------------------------ */

static char memory[SLOTS * 2048] __attribute__((aligned(64)));
static uint32_t dwords[64];
static uint64_t ticks, random_state;
static uint8_t last[1024];
static char *last_at; /* address of the last report that commands wrote */

static char *at(const uint32_t *address)
{
	const uint64_t offset = (address[0] | (uint64_t)address[1] << 32) - ADDRESS;

	return CHECK(offset < sizeof(memory)) ? memory + offset : memory;
}

static void reset_gpu(void)
{
	random_state = 88172645463325252;
	ticks = 0;
	fake.ticks = TICKS / 2;
	memset(last, 0, sizeof(last));
	memset(memory, 0, sizeof(memory));
}

/*
 * Write a report that follows the last one, with an id. The CPU does everything else at a time
 * between two reports.
 */
static void write_report(const struct gpuoa_set *set, char *to, uint32_t id)
{
	struct gpuoa_set_desc desc;
	uint8_t next[1024];

	gpuoa_set_describe(set, &desc, sizeof(desc));
	fake_next_report(set, &random_state, last, next, TICKS, 0);
	ticks += TICKS;
	fake.ticks = ticks + TICKS / 2;
	memcpy(last, next, sizeof(last));
	memcpy(to, next, desc.report_size);
	memcpy(to, &id, sizeof(id));
}

#define TRIGGERS 32

static uint8_t triggered[TRIGGERS * 576]; /* reports of the stream that commands requested */
static uint32_t trigger_count;

/* Write a report that a batch requested to the stream. xe ignores the request without one. */
static void write_trigger(const struct gpuoa_set *set, uint32_t value)
{
	struct gpuoa_field_desc field;
	struct gpuoa_set_desc desc;
	uint8_t *report;

	if (!fake.streams_open)
		return;
	if (!fake.report_count) {
		fake.reports = triggered;
		trigger_count = 0;
	}
	gpuoa_set_describe(set, &desc, sizeof(desc));
	if (!CHECK(trigger_count < TRIGGERS && desc.report_size == 576) ||
	    !CHECK(!gpuoa_report_field(desc.format, GPUOA_FIELD_CONTEXT_ID, 0, &field,
				       sizeof(field))))
		return;
	report = triggered + (size_t)desc.report_size * trigger_count++;
	fake_next_report(set, &random_state, last, report, 1, GPUOA_REASON_MMIO);
	memcpy(report + field.offset, &value, sizeof(value));
	memcpy(last, report, desc.report_size);
	ticks++;
	fake.report_count++;
}

/* Execute commands. Returns the number of reports that they wrote. */
static unsigned int execute(const struct gpuoa_set *set, const uint32_t *at_dword, uint32_t count)
{
	const uint32_t *stop = at_dword + count;
	unsigned int reports = 0;

	while (at_dword < stop) {
		const uint32_t *command = at_dword;

		at_dword += (*command & 0xff) + 2;
		if (*command == 0x7a000004) { /* PIPE_CONTROL */
			CHECK(command[1] & 1u << 20); /* stalls */
			if ((command[1] >> 14 & 3) == 3)
				memcpy(at(command + 2), &ticks, sizeof(ticks));
			else if ((command[1] >> 14 & 3) == 1)
				memcpy(at(command + 2), command + 4, sizeof(uint64_t));
		} else if (*command == 0x10000002) { /* MI_STORE_DATA_IMM */
			memcpy(at(command + 1), command + 3, sizeof(uint32_t));
		} else if (*command == 0x14000002) { /* MI_REPORT_PERF_COUNT */
			last_at = at(command + 1);
			if (set)
				write_report(set, last_at, command[3]);
			reports++;
		} else if (*command == 0x11000001) { /* MI_LOAD_REGISTER_IMM */
			CHECK(command[1] == 0xdb1c);
			if (set)
				write_trigger(set, command[2]);
			at_dword++; /* MI_NOOP */
		} else {
			CHECK(false);
			printf("# command 0x%08x\n", *command);
			break;
		}
	}
	CHECK(at_dword == stop);
	return reports;
}

static bool create_query(struct igdml_query *query)
{
	const struct igdml_create create = { context, IGDML_OBJECT_QUERY, SLOTS };

	return CHECK(ml.create_query(&create, query) == IGDML_OK);
}

static struct igdml_commands commands_of(struct igdml_query query, uint32_t slot, bool is_begin)
{
	return (struct igdml_commands){
		.context = context,
		.type = IGDML_OBJECT_QUERY,
		.engine = IGDML_ENGINE_RENDER,
		.memory = { .gpu = ADDRESS, .cpu = memory },
		.data = dwords,
		.size = sizeof(dwords),
		.query = { .query = query, .slot = slot, .begin = is_begin },
	};
}

/* Get commands of a slot by exactly the size that the library requests, and execute them. */
static bool run(const struct gpuoa_set *set, struct igdml_query query, uint32_t slot, bool is_begin)
{
	struct igdml_commands commands = commands_of(query, slot, is_begin);
	struct igdml_commands_size size;

	if (!CHECK(ml.get_commands_size(&commands, &size) == IGDML_OK) ||
	    !CHECK(size.size && size.size <= sizeof(dwords) && !size.patch_count))
		return false;
	commands.size = size.size;
	return CHECK(ml.get_commands(&commands) == IGDML_OK) &&
	       CHECK(execute(set, dwords, size.size / 4) == 1);
}

static struct igdml_report report_of(struct igdml_query query, uint32_t slot, void *to,
				     uint32_t size)
{
	return (struct igdml_report){
		.type = IGDML_OBJECT_QUERY,
		.query = query,
		.slot = slot,
		.slot_count = 1,
		.size = size,
		.data = to,
	};
}

/* ---- tests ---------------------------------------------------------------------------------- */

static void library_has_both_names(void)
{
	void *igdmd = dlopen(IGDMD_DIR "/libigdmd.so.1", RTLD_NOW);
	void *igdml = dlopen(IGDMD_DIR "/libigdml.so.1", RTLD_NOW);

	REQUIRE(igdmd && igdml);
	CHECK(igdmd == igdml);
	CHECK(dlsym(igdml, "ContextCreate_1_0") && dlsym(igdml, "ContextDelete_1_0"));
	dlclose(igdmd);
	dlclose(igdml);
}

static void context_needs_a_gpu_with_a_unit(void)
{
	const struct igdml_client opencl = { IGDML_API_OPENCL, 6 };
	struct igdml_context none = { &none };

	fake_begin(&fake_tgl, NULL);
	fill_data(FAKE_FD(0), false, 0);
	CHECK(ContextCreate_1_0(client, NULL, &context) == IGDML_NULL_POINTER);
	CHECK(ContextCreate_1_0(client, &data, NULL) == IGDML_NULL_POINTER);
	data.client = NULL;
	CHECK(ContextCreate_1_0(client, &data, &none) == IGDML_NULL_POINTER && !none.data);
	fill_data(FAKE_FD(0), false, 0);
	data.table = NULL;
	CHECK(ContextCreate_1_0(client, &data, &context) == IGDML_NULL_POINTER);
	fill_data(FAKE_FD(0), false, 0);
	client_data.adapter = NULL;
	CHECK(ContextCreate_1_0(client, &data, &context) == IGDML_NULL_POINTER);
	fill_data(FAKE_FD(0), false, 0);
	adapter.type = 1;
	CHECK(ContextCreate_1_0(client, &data, &context) == IGDML_INCORRECT_PARAMETER);
	fill_data(-1, false, 0);
	CHECK(ContextCreate_1_0(client, &data, &context) == IGDML_INCORRECT_PARAMETER);
	fill_data(FAKE_FD(1), false, 0); /* a file of another GPU */
	CHECK(ContextCreate_1_0(client, &data, &context) == IGDML_NOT_SUPPORTED);
	fill_data(FAKE_FD(0), true, 1); /* a tile that does not exist */
	CHECK(ContextCreate_1_0(client, &data, &context) == IGDML_NOT_SUPPORTED);
	fill_data(FAKE_FD(0), false, 0);
	CHECK(ContextCreate_1_0(opencl, &data, &context) == IGDML_NOT_SUPPORTED);
	fake.open_error = -EACCES;
	CHECK(ContextCreate_1_0(client, &data, &context) == IGDML_NOT_SUPPORTED);
	CHECK(!context.data && !ml.get_data && !fake.units_open);

	fake.open_error = 0;
	CHECK(ContextDelete_1_0(context) == IGDML_NULL_POINTER);
	context.data = &data;
	CHECK(ContextDelete_1_0(context) == IGDML_INCORRECT_OBJECT);
}

static void context_is_of_the_gpu_and_tile(void)
{
	struct fake_gpu tiles = fake_tgl;

	tiles.tiles = 2;
	fake_begin(&fake_skl, &tiles);
	REQUIRE(create_context(FAKE_FD(1)));
	CHECK(fake.units_open == 1);
	end();
	fill_data(FAKE_FD(1), true, 1);
	CHECK(ContextCreate_1_0(client, &data, &context) == IGDML_OK);
	end();
	fill_data(FAKE_FD(0), true, 1);
	CHECK(ContextCreate_1_0(client, &data, &context) == IGDML_NOT_SUPPORTED);
}

static void parameters_are_sizes_and_build(void)
{
	struct igdml_value value;
	uint8_t type = 0;

	REQUIRE(begin(&fake_tgl));
	CHECK(ml.get_parameter(IGDML_PARAMETER_API_SIZE, &type, &value) == IGDML_OK);
	CHECK(type == IGDML_VALUE_UINT32 && value.u32 == 1152);
	CHECK(ml.get_parameter(IGDML_PARAMETER_GPU_SIZE, &type, &value) == IGDML_OK);
	CHECK(value.u32 && value.u32 % 64 == 0 && value.u32 * SLOTS <= sizeof(memory));
	CHECK(ml.get_parameter(IGDML_PARAMETER_BUILD, &type, &value) == IGDML_OK);
	CHECK(value.u32 == IGDML_BUILD);
	CHECK(ml.get_parameter(IGDML_PARAMETER_TIMESTAMPS_API_SIZE, &type, &value) ==
	      IGDML_INCORRECT_PARAMETER);
	CHECK(ml.get_parameter(99, &type, &value) == IGDML_INCORRECT_PARAMETER);
	CHECK(ml.get_parameter(IGDML_PARAMETER_BUILD, NULL, &value) == IGDML_NULL_POINTER);
	CHECK(ml.get_parameter(IGDML_PARAMETER_BUILD, &type, NULL) == IGDML_NULL_POINTER);
	end();
}

static void objects_need_a_context_and_a_type(void)
{
	const struct igdml_create none = { { NULL }, IGDML_OBJECT_QUERY, SLOTS };
	const struct igdml_create wrong = { { &ml }, IGDML_OBJECT_QUERY, SLOTS };
	struct igdml_create create = { .type = IGDML_OBJECT_QUERY_TIMESTAMPS, .slot_count = 1 };
	struct igdml_query query;
	struct igdml_override override;
	struct igdml_marker marker;
	struct igdml_configuration configuration;

	REQUIRE(begin(&fake_tgl));
	create.context = context;
	CHECK(ml.create_query(NULL, &query) == IGDML_NULL_POINTER);
	CHECK(ml.create_query(&create, NULL) == IGDML_NULL_POINTER);
	CHECK(ml.create_query(&none, &query) == IGDML_NULL_POINTER);
	CHECK(ml.create_query(&wrong, &query) == IGDML_INCORRECT_OBJECT);
	query.data = &create;
	CHECK(ml.create_query(&create, &query) == IGDML_NOT_SUPPORTED && !query.data);
	create.type = IGDML_OBJECT_QUERY;
	create.slot_count = 0;
	CHECK(ml.create_query(&create, &query) == IGDML_INCORRECT_PARAMETER);
	configuration.data = &create;
	CHECK(ml.create_configuration(&create, &configuration) == IGDML_NOT_SUPPORTED);
	CHECK(!configuration.data);
	CHECK(ml.create_configuration(&wrong, &configuration) == IGDML_INCORRECT_OBJECT);
	marker.data = &create;
	CHECK(ml.create_marker(&create, &marker) == IGDML_NOT_SUPPORTED && !marker.data);
	CHECK(ml.create_override(NULL, &override) == IGDML_NULL_POINTER);
	create.type = IGDML_OBJECT_OVERRIDE;
	CHECK(ml.create_override(&create, &override) == IGDML_NOT_SUPPORTED);
	create.type = IGDML_OBJECT_MARKER;
	CHECK(ml.create_marker(&create, &marker) == IGDML_OK);

	/* handles of another type */
	query.data = marker.data;
	override.data = marker.data;
	configuration.data = marker.data;
	CHECK(ml.delete_query(query) == IGDML_INCORRECT_OBJECT);
	CHECK(ml.delete_override(override) == IGDML_INCORRECT_OBJECT);
	CHECK(ml.delete_configuration(configuration) == IGDML_INCORRECT_OBJECT);
	CHECK(ml.deactivate(configuration) == IGDML_INCORRECT_OBJECT);
	CHECK(ml.delete_marker(marker) == IGDML_OK);
	CHECK(ml.delete_marker(marker) == IGDML_INCORRECT_OBJECT); /* does not exist */
	query.data = override.data = marker.data = configuration.data = NULL;
	CHECK(ml.delete_query(query) == IGDML_NULL_POINTER);
	CHECK(ml.delete_override(override) == IGDML_NULL_POINTER);
	CHECK(ml.delete_marker(marker) == IGDML_NULL_POINTER);
	CHECK(ml.delete_configuration(configuration) == IGDML_NULL_POINTER);
	CHECK(ml.deactivate(configuration) == IGDML_NULL_POINTER);
	end();
}

static void keep_message(void *kept, const char *message)
{
	snprintf(kept, 256, "%s", message);
}

/* A function that does not exist here returns an error, and the message names it. */
static void functions_that_do_not_exist_have_a_message(void)
{
	const struct igdml_client opencl = { IGDML_API_OPENCL, 6 };
	struct igdml_create create = { .type = IGDML_OBJECT_QUERY_TIMESTAMPS, .slot_count = 1 };
	struct igdml_commands commands = { .type = IGDML_OBJECT_QUERY_COPY };
	struct igdml_commands_size size;
	struct igdml_override override;
	struct igdml_query query;
	char message[256] = "", number[16];

	REQUIRE(begin(&fake_tgl));
	create.context = commands.context = context;
	GpuoaSetLog(keep_message, message);
	CHECK(ml.create_query(&create, &query) == IGDML_NOT_SUPPORTED);
	snprintf(number, sizeof(number), "type %d", IGDML_OBJECT_QUERY_TIMESTAMPS);
	CHECK(strstr(message, number) != NULL);
	CHECK(ml.get_commands_size(&commands, &size) == IGDML_NOT_SUPPORTED);
	snprintf(number, sizeof(number), "type %d", IGDML_OBJECT_QUERY_COPY);
	CHECK(strstr(message, number) != NULL);
	create.type = IGDML_OBJECT_OVERRIDE_NULL_HARDWARE;
	CHECK(ml.create_override(&create, &override) == IGDML_NOT_SUPPORTED);
	CHECK(strstr(message, "override") != NULL);
	end();
	fill_data(FAKE_FD(0), false, 0);
	CHECK(ContextCreate_1_0(opencl, &data, &context) == IGDML_NOT_SUPPORTED);
	CHECK(strstr(message, "Level Zero") != NULL);
	GpuoaSetLog(NULL, NULL);
}

/* Compare a row of libigdmd with the calculation by libgpuoa. */
static void compare(struct mdapi_set *set, const struct gpuoa_set *definition,
		    const uint8_t *reports, const struct mdapi_value *values)
{
	const uint32_t metrics = params_of(set)->metric_count;
	struct gpuoa_set_desc desc;
	struct gpuoa_unit *unit;
	struct gpuoa_calc *calc;
	union gpuoa_value row[1024];
	uint8_t pair[2048];
	uint32_t compared = 0;
	size_t used;

	gpuoa_set_describe(definition, &desc, sizeof(desc));
	REQUIRE(!gpuoa_unit_open("fake0.0", &unit, NULL, 0));
	REQUIRE(!gpuoa_calc_open(definition, gpuoa_unit_constants(unit), desc.format, NULL, &calc,
				 NULL, 0));
	memcpy(pair, reports, desc.report_size);
	memcpy(pair + desc.report_size, reports + 576, desc.report_size);
	CHECK(gpuoa_calc_run(calc, pair, 2, row, NULL, 1, &used) == 1);
	for (uint32_t i = 0; i < metrics; i++) {
		const char *symbol = CALL(CALL(set, get_metric, i), get_params)->symbol;
		const struct gpuoa_metric *metric = gpuoa_set_find_metric(definition, symbol);
		struct gpuoa_metric_desc m;

		if (!metric) /* AvgGpuCoreFrequencyMHz */
			continue;
		gpuoa_metric_describe(metric, &m, sizeof(m));
		if (!strcmp(m.symbol, "AvgGpuCoreFrequency"))
			continue;
		compared++;
		if (m.type == GPUOA_TYPE_FLOAT)
			CHECK(values[i].type == MDAPI_VALUE_FLOAT &&
			      values[i].f32 == row[m.index].f32);
		else
			CHECK(values[i].u64 == row[m.index].u64);
	}
	CHECK(compared > 10);
	gpuoa_calc_close(calc);
	gpuoa_unit_close(unit);
}

static void query_on(const struct fake_gpu *gpu, const char *symbol)
{
	const struct igdml_activate stream = { IGDML_ACTIVATE_STREAM };
	struct igdml_configuration configuration;
	const struct gpuoa_set *definition;
	struct igdml_query query;
	struct igdml_report report;
	struct mdapi_value values[1024];
	struct mdapi_set *set;
	uint8_t results[2 * 1152];
	uint32_t columns, rows = 0;

	REQUIRE(begin(gpu) && open_mdapi() && create_query(&query));
	set = find_set(group, symbol);
	REQUIRE(set != NULL);
	CHECK(params_of(set)->query_report_size == 1152);
	CHECK(CALL(group, get_params)->measurements & MDAPI_MEASUREMENT_QUERY);
	definition =
		gpuoa_platform_find_set(gpuoa_platform_find(gpu->platform), symbol, "OA", NULL);
	reset_gpu();

	/* Queries that no configuration counts from begin to end, reports 1 to 4 */
	report = report_of(query, 1, results, sizeof(results));
	CHECK(ml.get_data(&report) == IGDML_NOT_READY);
	CHECK(run(definition, query, 1, true) && run(definition, query, 2, true));
	CHECK(ml.get_data(&report) == IGDML_NOT_READY);
	CHECK(run(definition, query, 1, false));
	CHECK(ml.get_data(&report) == IGDML_EMPTY_CONFIGURATION);
	CHECK(configure(symbol, &configuration) == IGDML_OK);
	CHECK(ml.activate(configuration, &stream) == IGDML_OK);
	CHECK(ml.get_data(&report) == IGDML_EMPTY_CONFIGURATION);
	CHECK(run(definition, query, 2, false));
	report.slot = 2;
	CHECK(ml.get_data(&report) == IGDML_EMPTY_CONFIGURATION);

	/* The same, nested, reports 5 to 8: the result is that of the last run of the commands. */
	CHECK(run(definition, query, 2, true) && run(definition, query, 1, true));
	CHECK(run(definition, query, 1, false) && run(definition, query, 2, false));
	report.slot = 1;
	report.slot_count = 2;
	CHECK(ml.get_data(&report) == IGDML_OK);

	CHECK(CALL(set, set_api_filter, MDAPI_API_OCL | MDAPI_API_OGL4) == MDAPI_OK);
	columns = params_of(set)->metric_count + params_of(set)->info_count;
	CHECK(params_of(set)->info_count == 1);
	CHECK(CALL(set, calculate_1_1, results, 2 * 1152, values,
		   2 * columns * (uint32_t)sizeof(values[0]), &rows, false) == MDAPI_OK);
	CHECK(rows == 2);
	/* The first metric is the duration. QueryBeginTime is the time of the begin. */
	CHECK(values[0].u64 == gpuoa_ticks_to_ns(gpu->timestamp_frequency, TICKS));
	CHECK(values[columns].u64 == gpuoa_ticks_to_ns(gpu->timestamp_frequency, 3 * TICKS));
	compare(set, definition, results, values);
	compare(set, definition, results + 1152, values + columns);
	CHECK(values[columns - 1].u64 == gpuoa_ticks_to_ns(gpu->timestamp_frequency, 6 * TICKS));
	CHECK(values[2 * columns - 1].u64 ==
	      gpuoa_ticks_to_ns(gpu->timestamp_frequency, 5 * TICKS));
	CHECK(CALL(set, calculate_1_1, results, 1152 - 1, values, columns * 16, &rows, false) ==
	      MDAPI_INVALID_PARAMETER);
	CHECK(CALL(set, calculate_1_1, results, 2 * 1152, values, columns * 16, &rows, false) ==
	      MDAPI_INVALID_PARAMETER);
	CHECK(CALL(set, calculate_async, results, 1152, values, columns * 16, &rows, NULL, 0) ==
	      MDAPI_NOT_SUPPORTED);
	CHECK(ml.delete_query(query) == IGDML_OK);
	close_mdapi();
	end();
}

static enum igdml_result result_of(struct igdml_query query, uint32_t slot)
{
	uint8_t result[1152];
	struct igdml_report report = report_of(query, slot, result, sizeof(result));

	return ml.get_data(&report);
}

/* The stream of a configuration enables the counters of queries. */
static void query_is_counted_while_a_configuration_is_active(void)
{
	const struct igdml_activate stream = { IGDML_ACTIVATE_STREAM };
	struct igdml_configuration configurations[2];
	const struct gpuoa_set *set;
	struct igdml_query query;

	REQUIRE(begin(&fake_skl) && open_mdapi() && create_query(&query));
	reset_gpu();
	CHECK(configure("RenderBasic", &configurations[0]) == IGDML_OK);
	CHECK(configure("TestOa", &configurations[1]) == IGDML_OK);
	CHECK(ml.activate(configurations[0], &stream) == IGDML_OK);
	set = fake.set;

	/* The result remains after the configuration is inactive. */
	CHECK(run(set, query, 0, true) && run(set, query, 0, false));
	CHECK(run(set, query, 1, true));
	CHECK(ml.deactivate(configurations[0]) == IGDML_OK);
	CHECK(result_of(query, 0) == IGDML_OK);
	/* A query that ends later, one that runs later, and one that begins earlier */
	CHECK(run(set, query, 1, false));
	CHECK(result_of(query, 1) == IGDML_EMPTY_CONFIGURATION);
	CHECK(run(set, query, 2, true) && run(set, query, 2, false));
	CHECK(result_of(query, 2) == IGDML_EMPTY_CONFIGURATION);
	CHECK(run(set, query, 3, true));
	CHECK(ml.activate(configurations[0], &stream) == IGDML_OK);
	CHECK(run(set, query, 3, false));
	CHECK(result_of(query, 3) == IGDML_EMPTY_CONFIGURATION);
	/* Two configurations do not count one query. */
	CHECK(run(set, query, 1, true));
	CHECK(ml.activate(configurations[1], &stream) == IGDML_OK);
	CHECK(run(set, query, 1, false));
	CHECK(result_of(query, 1) == IGDML_EMPTY_CONFIGURATION);
	CHECK(run(set, query, 1, true) && run(set, query, 1, false));
	CHECK(result_of(query, 1) == IGDML_OK && result_of(query, 0) == IGDML_OK);

	/* 61 more activations are remembered, and the next one replaces the first one. */
	for (int i = 0; i < 61; i++)
		CHECK(ml.activate(configurations[i % 2], &stream) == IGDML_OK);
	CHECK(result_of(query, 0) == IGDML_OK);
	CHECK(ml.activate(configurations[1], &stream) == IGDML_OK);
	CHECK(result_of(query, 0) == IGDML_EMPTY_CONFIGURATION);
	CHECK(result_of(query, 1) == IGDML_OK);

	/* Without a clock, all queries are supposed to be counted. */
	CHECK(result_of(query, 2) == IGDML_EMPTY_CONFIGURATION);
	fake.clock_error = -ENODEV;
	CHECK(ml.activate(configurations[0], &stream) == IGDML_OK);
	CHECK(result_of(query, 2) == IGDML_OK);
	close_mdapi();
	end();
}

/* From gen12 on, counters are 0 in a context for which they have not been enabled. */
static void report_without_counts_is_lost(void)
{
	const struct igdml_activate stream = { IGDML_ACTIVATE_STREAM };
	struct igdml_configuration configuration;
	struct igdml_query query;
	struct igdml_report report;
	uint8_t results[1152];

	for (int i = 0; i < 2; i++) {
		const struct fake_gpu *gpu = i ? &fake_skl : &fake_tgl;
		const struct gpuoa_set *set;

		REQUIRE(begin(gpu) && open_mdapi() && create_query(&query));
		reset_gpu();
		CHECK(configure("RenderBasic", &configuration) == IGDML_OK);
		CHECK(ml.activate(configuration, &stream) == IGDML_OK);
		set = fake.set;
		CHECK(run(set, query, 0, true) && run(set, query, 0, false));
		report = report_of(query, 0, results, sizeof(results));
		CHECK(ml.get_data(&report) == IGDML_OK);
		/* id, timestamp, context and clock remain */
		memset(memory + 320 + 16, 0, 256 - 16);
		CHECK(ml.get_data(&report) == (i ? IGDML_OK : IGDML_LOST));
		close_mdapi();
		end();
	}
}

static enum igdml_result reports_of(struct igdml_query query, uint32_t slot, uint8_t *result)
{
	struct igdml_report report = report_of(query, slot, result, 1152);

	return ml.get_data(&report);
}

/* On Xe2, a batch requests reports of the stream, which count all contexts. */
static void query_of_xe2_has_the_reports_that_it_requested(void)
{
	const struct igdml_activate activation = { IGDML_ACTIVATE_STREAM };
	struct igdml_configuration configuration;
	const struct gpuoa_set *set;
	struct igdml_query query;
	uint8_t result[1152], again[1152];
	char message[256] = "";

	fake_begin(&fake_lnl, NULL);
	fake.features = GPUOA_UNIT_MARKERS | GPUOA_UNIT_QUERY_ONLY;
	fake.driver = "xe";
	fake.wait_error = -ENODEV;
	REQUIRE(create_context(FAKE_FD(0)) && open_mdapi());
	CHECK(create_query(&query));
	CHECK(configure("RenderBasic", &configuration) == IGDML_OK);
	set = gpuoa_platform_find_set(gpuoa_platform_find("lnl"), "RenderBasic", "OA", NULL);
	reset_gpu();
	CHECK(run(set, query, 0, true) && run(set, query, 0, false));
	CHECK(result_of(query, 0) == IGDML_EMPTY_CONFIGURATION);

	CHECK(ml.activate(configuration, &activation) == IGDML_OK);
	CHECK(!fake.options.context_filter && !fake.options.query_only);
	/* Slot 0 surrounds slot 1, and slot 2 overlaps both. */
	CHECK(run(set, query, 0, true) && run(set, query, 1, true) && run(set, query, 2, true));
	CHECK(result_of(query, 1) == IGDML_NOT_READY);
	CHECK(run(set, query, 1, false) && run(set, query, 0, false) && run(set, query, 2, false));
	CHECK(trigger_count == 6);
	CHECK(reports_of(query, 1, result) == IGDML_OK);
	CHECK(!memcmp(result, triggered + 576, 576));
	CHECK(!memcmp(result + 576, triggered + 3 * 576, 576));
	CHECK(reports_of(query, 0, result) == IGDML_OK);
	CHECK(!memcmp(result, triggered, 576) && !memcmp(result + 576, triggered + 4 * 576, 576));
	CHECK(reports_of(query, 2, result) == IGDML_OK);
	CHECK(!memcmp(result, triggered + 2 * 576, 576));

	/* Executed again, the query has the later reports; those of the first time are read. */
	CHECK(run(set, query, 0, true) && run(set, query, 0, false));
	CHECK(ml.activate(configuration, &activation) == IGDML_OK && !fake.report_count);
	CHECK(reports_of(query, 0, again) == IGDML_OK);
	CHECK(!memcmp(again, triggered, 576) && !memcmp(again + 576, triggered + 576, 576));

	/* The reports that the commands write are not needed. */
	CHECK(run(set, query, 0, true) && run(set, query, 0, false));
	memset(last_at, 0, 576);
	CHECK(ml.deactivate(configuration) == IGDML_OK && !fake.report_count);
	CHECK(reports_of(query, 0, again) == IGDML_OK);
	CHECK(!memcmp(again + 576, triggered + 576, 576));

	/* Reports that the unit has not written, and the end of the stream before the query's end
	 */
	GpuoaSetLog(keep_message, message);
	CHECK(ml.activate(configuration, &activation) == IGDML_OK);
	CHECK(run(set, query, 0, true) && run(set, query, 0, false));
	fake.report_count--;
	CHECK(result_of(query, 0) == IGDML_LOST);
	CHECK(strstr(message, "no report of its end") != NULL);
	CHECK(run(set, query, 0, true) && run(set, query, 0, false));
	fake.report_count = 0;
	CHECK(result_of(query, 0) == IGDML_LOST);
	CHECK(strstr(message, "no report of its begin") != NULL);
	CHECK(run(set, query, 0, true));
	CHECK(ml.deactivate(configuration) == IGDML_OK);
	CHECK(ml.activate(configuration, &activation) == IGDML_OK);
	CHECK(run(set, query, 0, false));
	CHECK(result_of(query, 0) == IGDML_EMPTY_CONFIGURATION);
	GpuoaSetLog(NULL, NULL);
	close_mdapi();
	end();
}

/* Add a set with one event. */
static struct mdapi_set *add_set(const char *event)
{
	struct mdapi_enumerator *enumerator = CALL(group, get_enumerator);
	struct mdapi_set *set = CALL(group, add_set_1_16, "mine", "My set", MDAPI_COUNTERS_NORMAL);

	for (uint32_t i = 0; set && i < CALL(enumerator, get_prototype_count); i++) {
		struct mdapi_prototype *prototype = CALL(enumerator, get_prototype, i);

		if (strcmp(CALL(prototype, get_params)->symbol, event))
			continue;
		CHECK(CALL(prototype, get_params)->apis & MDAPI_API_OCL);
		CHECK(CALL(set, open) == MDAPI_OK);
		CHECK(CALL(set, add_prototype, prototype) == MDAPI_OK);
		CHECK(CALL(set, finalize) == MDAPI_OK);
		return set;
	}
	return NULL;
}

static void added_set_has_queries_until_it_is_removed(void)
{
	const struct igdml_activate activation = { IGDML_ACTIVATE_STREAM };
	struct igdml_configuration configurations[2];
	struct mdapi_value values[64];
	struct igdml_query query;
	struct mdapi_set *set;
	uint8_t result[1152];
	char message[256] = "";
	uint32_t columns, rows = 0;

	fake_begin(&fake_lnl, NULL);
	fake.features = GPUOA_UNIT_MARKERS;
	fake.driver = "xe";
	fake.wait_error = -ENODEV;
	REQUIRE(create_context(FAKE_FD(0)) && open_mdapi() && create_query(&query));
	set = add_set("XVE_ACTIVE_CYCLES");
	REQUIRE(set && params_of(set)->query_report_size == 1152);
	CHECK(params_of(set)->apis & MDAPI_API_OCL);
	CHECK(configure("mine", &configurations[0]) == IGDML_OK);
	CHECK(configure("mine", &configurations[1]) == IGDML_OK);
	CHECK(ml.activate(configurations[0], &activation) == IGDML_OK && fake.streams_open == 1);
	reset_gpu();
	CHECK(run(fake.set, query, 0, true) && run(fake.set, query, 0, false));
	CHECK(reports_of(query, 0, result) == IGDML_OK);
	CHECK(CALL(set, set_api_filter, MDAPI_API_OCL | MDAPI_API_OGL4) == MDAPI_OK);
	columns = params_of(set)->metric_count + params_of(set)->info_count;
	REQUIRE(params_of(set)->metric_count > 1 && columns <= 64);
	CHECK(CALL(set, calculate_1_1, result, sizeof(result), values, columns * 16, &rows,
		   false) == MDAPI_OK);
	CHECK(rows == 1);
	CHECK(values[0].u64 == gpuoa_ticks_to_ns(fake_lnl.timestamp_frequency, TICKS + 1));

	/* While the set is changed, it has no queries; a configuration keeps the set as it was. */
	CHECK(CALL(set, open) == MDAPI_OK && !params_of(set)->query_report_size);
	CHECK(CALL(set, finalize) == MDAPI_OK && params_of(set)->query_report_size == 1152);
	CHECK(ml.activate(configurations[1], &activation) == IGDML_OK);

	GpuoaSetLog(keep_message, message);
	CHECK(CALL(group, remove_set_1_16, set) == MDAPI_OK && !fake.streams_open);
	CHECK(ml.activate(configurations[1], &activation) == IGDML_EMPTY_CONFIGURATION);
	CHECK(strstr(message, "removed the set") != NULL);
	CHECK(ml.deactivate(configurations[0]) == IGDML_OK);
	CHECK(ml.create_configuration(&(const struct igdml_create){ context,
								    IGDML_OBJECT_CONFIGURATION, 0 },
				      &configurations[0]) == IGDML_EMPTY_CONFIGURATION);
	CHECK(configure("RenderBasic", &configurations[0]) == IGDML_OK);
	GpuoaSetLog(NULL, NULL);
	close_mdapi();
	end();
}

/* On Xe2, counters of events can all be 0, but not the clock. */
static void idle_context_has_a_clock_on_xe2(void)
{
	const struct igdml_activate stream = { IGDML_ACTIVATE_STREAM };
	struct igdml_configuration configuration;
	struct igdml_query query;

	REQUIRE(begin(&fake_lnl) && open_mdapi() && create_query(&query));
	reset_gpu();
	CHECK(configure("RenderBasic", &configuration) == IGDML_OK);
	CHECK(ml.activate(configuration, &stream) == IGDML_OK);
	CHECK(run(fake.set, query, 0, true) && run(fake.set, query, 0, false));
	memset(last_at + 32, 0, 576 - 32);
	CHECK(result_of(query, 0) == IGDML_OK);
	memset(last_at + 24, 0, sizeof(uint64_t));
	CHECK(result_of(query, 0) == IGDML_LOST);
	close_mdapi();
	end();
}

/* ---- work of other contexts, on GPUs whose counters are global ------------------------------- */

#define OWN 0x55
#define OTHER UINT32_MAX /* i915 replaces ids of other contexts */
#define UNKNOWN 0x66 /* context of a query for which there is no stream */
#define CONTEXT_VALID (1u << 16) /* of report ids on gen9 */

static uint8_t stream[4 * 256]; /* reports of the stream */
static uint32_t stream_count;

/* Write a report of the stream, after which a context runs. */
static void write_switch(const struct gpuoa_set *set, uint32_t id)
{
	uint8_t *report = stream + 256 * stream_count++;
	uint32_t first = GPUOA_REASON_CONTEXT_SWITCH << 19 | CONTEXT_VALID;

	write_report(set, (char *)report, first);
	memcpy(report + 8, &id, sizeof(id));
}

/*
 * Run a query that another context interrupts: B(egin), 0, 1, E(nd), 2, where reports 0 to 2 are of
 * the stream, and the other context runs from 0 to 1.
 */
static void run_interrupted(const struct gpuoa_set *set, struct igdml_query query, uint32_t last_id)
{
	const uint32_t own = OWN;

	stream_count = 0;
	CHECK(run(set, query, 0, true));
	memcpy(memory + 8, &own, sizeof(own));
	write_switch(set, OTHER);
	write_switch(set, last_id);
	CHECK(run(set, query, 0, false));
	memcpy(memory + 320 + 8, &own, sizeof(own));
	write_switch(set, OWN);
	fake.reports = stream;
	fake.report_count = stream_count;
}

static uint64_t field_of(const void *report, enum gpuoa_field field, uint32_t i)
{
	struct gpuoa_field_desc desc;
	uint64_t value = 0;

	if (gpuoa_report_field(GPUOA_REPORT_A32U40_A4U32_B8_C8, field, i, &desc, sizeof(desc)))
		return 0;
	memcpy(&value, (const char *)report + desc.offset, 4);
	if (desc.bits == 40)
		value |= (uint64_t)((const uint8_t *)report)[desc.high] << 32;
	return value;
}

/*
 * Return the number of fields whose difference in a result is that of the query, without what was
 * counted between two reports.
 */
static uint32_t fields_are(const uint8_t *result, const void *from, const void *to)
{
	static const struct {
		enum gpuoa_field field;
		uint32_t count;
		uint64_t mask;
	} fields[] = {
		{ GPUOA_FIELD_TIMESTAMP, 1, UINT32_MAX },
		{ GPUOA_FIELD_CLOCK, 1, UINT32_MAX },
		{ GPUOA_FIELD_COUNTER_A, 32, (UINT64_C(1) << 40) - 1 },
		{ GPUOA_FIELD_COUNTER_B, 8, UINT32_MAX },
		{ GPUOA_FIELD_COUNTER_C, 8, UINT32_MAX },
	};
	uint32_t right = 0;

	for (size_t k = 0; k < sizeof(fields) / sizeof(fields[0]); k++)
		for (uint32_t i = 0; i < fields[k].count; i++) {
			const enum gpuoa_field field = fields[k].field;
			const uint64_t whole =
				field_of(memory + 320, field, i) - field_of(memory, field, i);
			const uint64_t other =
				from ? field_of(to, field, i) - field_of(from, field, i) : 0;
			const uint64_t counted =
				field_of(result + 576, field, i) - field_of(result, field, i);

			right += ((whole - other - counted) & fields[k].mask) == 0;
		}
	return right;
}

#define ALL_FIELDS 50

static void work_of_other_contexts_is_subtracted(void)
{
	const struct igdml_activate activate = { IGDML_ACTIVATE_STREAM };
	struct igdml_configuration configuration;
	const uint32_t unknown = UNKNOWN;
	const struct gpuoa_set *set;
	struct igdml_query query;
	struct igdml_report report;
	uint8_t result[1152];

	REQUIRE(begin(&fake_skl) && open_mdapi() && create_query(&query));
	reset_gpu();
	report = report_of(query, 0, result, sizeof(result));
	CHECK(configure("RenderBasic", &configuration) == IGDML_OK);
	CHECK(ml.activate(configuration, &activate) == IGDML_OK);
	set = fake.set;

	run_interrupted(set, query, OWN);
	CHECK(ml.get_data(&report) == IGDML_OK);
	CHECK(fields_are(result, stream, stream + 256) == ALL_FIELDS);
	CHECK(fields_are(result, NULL, NULL) < ALL_FIELDS / 2);
	/* Results can be read again, also after the stream has been closed. */
	CHECK(ml.get_data(&report) == IGDML_OK);
	CHECK(fields_are(result, stream, stream + 256) == ALL_FIELDS);

	/* The other context runs until the end of the query. */
	run_interrupted(set, query, OTHER);
	CHECK(ml.activate(configuration, &activate) == IGDML_OK); /* reads the stream */
	CHECK(!fake.report_count);
	CHECK(ml.get_data(&report) == IGDML_OK);
	CHECK(fields_are(result, stream, memory + 320) == ALL_FIELDS);

	/* The stream does not show when the context of the query runs: nothing is subtracted. */
	run_interrupted(set, query, OWN);
	memcpy(memory + 8, &unknown, sizeof(unknown));
	memcpy(memory + 320 + 8, &unknown, sizeof(unknown));
	CHECK(ml.get_data(&report) == IGDML_OK);
	CHECK(fields_are(result, NULL, NULL) == ALL_FIELDS);

	/* Reports of the stream are missing. */
	run_interrupted(set, query, OWN);
	fake.status.gap = true;
	CHECK(ml.get_data(&report) == IGDML_OK);
	CHECK(fields_are(result, NULL, NULL) == ALL_FIELDS);
	run_interrupted(set, query, OWN);
	fake.report_count = 2; /* the last one is before the end */
	CHECK(ml.get_data(&report) == IGDML_OK);
	CHECK(fields_are(result, NULL, NULL) == ALL_FIELDS);

	run_interrupted(set, query, OWN);
	fake.ticks = ticks;
	CHECK(ml.deactivate(configuration) == IGDML_OK);
	CHECK(ml.get_data(&report) == IGDML_OK);
	CHECK(fields_are(result, stream, stream + 256) == ALL_FIELDS);
	/* All reports are read before the stream is closed: a later one ends the last interval. */
	CHECK(ml.activate(configuration, &activate) == IGDML_OK);
	run_interrupted(set, query, OWN);
	fake.report_count = 2;
	CHECK(ml.deactivate(configuration) == IGDML_OK);
	CHECK(ml.activate(configuration, &activate) == IGDML_OK);
	fake.report_count = 1;
	CHECK(ml.get_data(&report) == IGDML_OK);
	CHECK(fields_are(result, stream, stream + 256) == ALL_FIELDS);
	close_mdapi();
	end();
}

/* A stream that is never idle does not make the history grow without limit. */
static void history_keeps_the_newest_reports(void)
{
	const struct igdml_activate activate = { IGDML_ACTIVATE_STREAM };
	const size_t many = 40000;
	struct igdml_configuration configuration;
	uint8_t *reports = calloc(many, 256);
	const struct gpuoa_set *set;
	struct igdml_query query;
	struct igdml_report report;
	uint8_t result[1152];

	REQUIRE(reports && begin(&fake_skl) && open_mdapi() && create_query(&query));
	reset_gpu();
	report = report_of(query, 0, result, sizeof(result));
	CHECK(configure("RenderBasic", &configuration) == IGDML_OK);
	CHECK(ml.activate(configuration, &activate) == IGDML_OK);
	set = fake.set;
	fake.read_chunk = 1000;

	run_interrupted(set, query, OWN);
	CHECK(ml.activate(configuration, &activate) == IGDML_OK);
	for (size_t i = 0; i < many; i++)
		write_report(set, (char *)reports + i * 256, 1 << 19);
	fake.reports = reports;
	fake.report_count = many;
	CHECK(ml.activate(configuration, &activate) == IGDML_OK);
	CHECK(!fake.report_count);
	CHECK(ml.get_data(&report) == IGDML_OK);
	CHECK(fields_are(result, NULL, NULL) == ALL_FIELDS);
	run_interrupted(set, query, OWN);
	CHECK(ml.get_data(&report) == IGDML_OK);
	CHECK(fields_are(result, stream, stream + 256) == ALL_FIELDS);
	close_mdapi();
	end();
	free(reports);
}

static void result_is_calculated_by_libigdmd(void)
{
	query_on(&fake_tgl, "RenderBasic");
	query_on(&fake_skl, "RenderBasic");
	query_on(&fake_lnl, "RenderBasic");
}

static void commands_need_valid_arguments(void)
{
	struct igdml_commands commands;
	struct igdml_commands_size size;
	struct igdml_query query, other;
	struct igdml_context first, second;

	REQUIRE(begin(&fake_tgl));
	first = context;
	REQUIRE(create_context(FAKE_FD(0)) && create_query(&other));
	second = context;
	context = first;
	REQUIRE(create_query(&query));

	CHECK(ml.get_commands(NULL) == IGDML_NULL_POINTER);
	CHECK(ml.get_commands_size(NULL, &size) == IGDML_NULL_POINTER);
	commands = commands_of(query, 0, true);
	CHECK(ml.get_commands_size(&commands, NULL) == IGDML_NULL_POINTER);
	commands.context.data = NULL;
	CHECK(ml.get_commands_size(&commands, &size) == IGDML_NULL_POINTER);
	commands.context.data = &ml;
	CHECK(ml.get_commands(&commands) == IGDML_INCORRECT_OBJECT);
	commands = commands_of(query, 0, true);
	commands.engine = IGDML_ENGINE_TILE;
	CHECK(ml.get_commands_size(&commands, &size) == IGDML_NOT_SUPPORTED && !size.size);
	commands = commands_of(query, 0, true);
	commands.type = IGDML_OBJECT_OVERRIDE_NULL_HARDWARE;
	CHECK(ml.get_commands_size(&commands, &size) == IGDML_NOT_SUPPORTED && !size.size);
	CHECK(ml.get_commands(&commands) == IGDML_NOT_SUPPORTED);

	commands = commands_of(query, 0, true);
	CHECK(ml.get_commands_size(&commands, &size) == IGDML_OK);
	commands.size = size.size - 1;
	CHECK(ml.get_commands(&commands) == IGDML_INSUFFICIENT_SPACE);
	commands = commands_of(query, 0, true);
	commands.data = NULL;
	CHECK(ml.get_commands(&commands) == IGDML_NULL_POINTER);
	commands = commands_of((struct igdml_query){ NULL }, 0, true);
	CHECK(ml.get_commands(&commands) == IGDML_NULL_POINTER);
	commands = commands_of((struct igdml_query){ context.data }, 0, true);
	CHECK(ml.get_commands(&commands) == IGDML_INCORRECT_OBJECT);
	commands = commands_of(other, 0, true); /* of another context */
	CHECK(ml.get_commands(&commands) == IGDML_INCORRECT_OBJECT);
	commands = commands_of(query, SLOTS, true);
	CHECK(ml.get_commands(&commands) == IGDML_INCORRECT_SLOT);
	commands = commands_of(query, 0, true);
	commands.memory.cpu = NULL;
	CHECK(ml.get_commands(&commands) == IGDML_NULL_POINTER);
	commands = commands_of(query, 0, true);
	commands.memory.gpu = ADDRESS + 4; /* not aligned */
	CHECK(ml.get_commands(&commands) == IGDML_INCORRECT_PARAMETER);
	commands = commands_of(query, 0, false);
	CHECK(ml.get_commands(&commands) == IGDML_FAILED); /* not begun */
	commands = commands_of(query, 0, true);
	CHECK(ml.get_commands(&commands) == IGDML_OK);
	commands.memory.gpu += 64; /* moved */
	CHECK(ml.get_commands(&commands) == IGDML_INCORRECT_PARAMETER);
	commands = commands_of(query, 1, true);
	commands.engine = IGDML_ENGINE_COMPUTE;
	CHECK(ml.get_commands(&commands) == IGDML_INCORRECT_PARAMETER);
	CHECK(ml.delete_query(other) == IGDML_OK);
	CHECK(ContextDelete_1_0(second) == IGDML_OK);
	CHECK(ContextDelete_1_0(second) == IGDML_INCORRECT_OBJECT);
	CHECK(ml.delete_query(other) == IGDML_INCORRECT_OBJECT);
	commands = commands_of(other, 0, true);
	CHECK(ml.get_commands(&commands) == IGDML_INCORRECT_OBJECT);
	CHECK(fake.units_open == 1);
	end();
}

static void results_need_valid_arguments(void)
{
	struct igdml_query query;
	struct igdml_report report;
	uint8_t results[1152];

	REQUIRE(begin(&fake_tgl) && create_query(&query));
	CHECK(ml.get_data(NULL) == IGDML_NULL_POINTER);
	report = report_of(query, 0, NULL, 1152);
	CHECK(ml.get_data(&report) == IGDML_NULL_POINTER);
	report = report_of((struct igdml_query){ NULL }, 0, results, 1152);
	CHECK(ml.get_data(&report) == IGDML_NULL_POINTER);
	report = report_of((struct igdml_query){ context.data }, 0, results, 1152);
	CHECK(ml.get_data(&report) == IGDML_INCORRECT_OBJECT);
	report = report_of(query, SLOTS, results, 1152);
	CHECK(ml.get_data(&report) == IGDML_INCORRECT_SLOT);
	report = report_of(query, 1, results, 1152);
	report.slot_count = UINT32_MAX;
	CHECK(ml.get_data(&report) == IGDML_INCORRECT_SLOT);
	report.slot_count = 0;
	CHECK(ml.get_data(&report) == IGDML_INCORRECT_SLOT);
	report = report_of(query, 0, results, 1151);
	CHECK(ml.get_data(&report) == IGDML_INSUFFICIENT_SPACE);
	report = report_of(query, 0, results, 1152);
	report.type = IGDML_OBJECT_OVERRIDE;
	CHECK(ml.get_data(&report) == IGDML_NOT_SUPPORTED);

	/* The commands run, but the unit does not count: no report is written. */
	CHECK(run(NULL, query, 0, true) && run(NULL, query, 0, false));
	report = report_of(query, 0, results, 1152);
	CHECK(ml.get_data(&report) == IGDML_LOST);
	end();
}

static void configuration_is_of_the_activated_set(void)
{
	const struct igdml_activate stream = { IGDML_ACTIVATE_STREAM };
	const struct igdml_activate escape = { IGDML_ACTIVATE_ESCAPE };
	struct igdml_configuration first, second;
	struct gpuoa_set_desc desc;

	REQUIRE(begin(&fake_tgl) && open_mdapi());
	REQUIRE(configure("RenderBasic", &first) == IGDML_OK);
	REQUIRE(configure("TestOa", &second) == IGDML_OK);
	CHECK(!fake.streams_open);
	CHECK(ml.activate(first, NULL) == IGDML_NULL_POINTER);
	CHECK(ml.activate((struct igdml_configuration){ NULL }, &stream) == IGDML_NULL_POINTER);
	CHECK(ml.activate((struct igdml_configuration){ context.data }, &stream) ==
	      IGDML_INCORRECT_OBJECT);
	CHECK(ml.activate(first, &escape) == IGDML_NOT_SUPPORTED);
	CHECK(ml.activate(first, &stream) == IGDML_OK && fake.streams_open == 1);
	gpuoa_set_describe(fake.set, &desc, sizeof(desc));
	CHECK(!strcmp(desc.symbol, "RenderBasic"));
	CHECK(ml.activate(first, &stream) == IGDML_OK && fake.streams_open == 1);
	CHECK(ml.activate(second, &stream) == IGDML_OK && fake.streams_open == 1);
	gpuoa_set_describe(fake.set, &desc, sizeof(desc));
	CHECK(!strcmp(desc.symbol, "TestOa"));
	CHECK(ml.deactivate(first) == IGDML_OK && fake.streams_open == 1);
	CHECK(ml.deactivate(second) == IGDML_OK && !fake.streams_open);
	CHECK(ml.activate(second, &stream) == IGDML_OK && fake.streams_open == 1);
	CHECK(ml.delete_configuration(second) == IGDML_OK && !fake.streams_open);
	fake.stream_error = -EBUSY;
	CHECK(ml.activate(first, &stream) == IGDML_CANNOT_ENABLE_STREAM);
	fake.stream_error = 0;
	CHECK(ml.activate(first, &stream) == IGDML_OK && fake.streams_open == 1);
	close_mdapi();
	end(); /* closes the stream */
}

static void configuration_needs_an_activated_set(void)
{
	struct igdml_create create = { .type = IGDML_OBJECT_CONFIGURATION };
	struct igdml_configuration configuration = { &create };
	struct fake_gpu tiles = fake_tgl;

	/* No set has been activated on tile 3 of the second GPU. */
	tiles.tiles = 4;
	fake_begin(&fake_skl, &tiles);
	fill_data(FAKE_FD(1), true, 3);
	REQUIRE(ContextCreate_1_0(client, &data, &context) == IGDML_OK);
	create.context = context;
	CHECK(ml.create_configuration(&create, &configuration) == IGDML_EMPTY_CONFIGURATION);
	CHECK(!configuration.data);
	end();
}

/* Before gen12, only i915's stream of a context is of use, and queries do not need it. */
static void stream_is_of_a_context_before_gen12_if_possible(void)
{
	const struct igdml_activate stream = { IGDML_ACTIVATE_STREAM };
	struct igdml_configuration configuration;

	REQUIRE(begin(&fake_skl) && open_mdapi());
	CHECK(configure("RenderBasic", &configuration) == IGDML_OK);
	CHECK(ml.activate(configuration, &stream) == IGDML_OK);
	CHECK(fake.options.context_filter && fake.options.context == 3);
	CHECK(fake.options.period_ns < 10000000);
	CHECK(ml.deactivate(configuration) == IGDML_OK);
	fake.contexts[0] = 5;
	fake.bad_context = 5;
	CHECK(ml.activate(configuration, &stream) == IGDML_OK);
	CHECK(!fake.options.context_filter);
	CHECK(ml.deactivate(configuration) == IGDML_OK);
	fake.stream_error = -EBUSY;
	CHECK(ml.activate(configuration, &stream) == IGDML_CANNOT_ENABLE_STREAM);
	close_mdapi();
	end();

	REQUIRE(begin(&fake_skl));
	CHECK(ContextDelete_1_0(context) == IGDML_OK);
	fake.driver = "gpuoa";
	REQUIRE(create_context(FAKE_FD(0)) && open_mdapi());
	CHECK(configure("RenderBasic", &configuration) == IGDML_OK);
	CHECK(ml.activate(configuration, &stream) == IGDML_OK);
	CHECK(!fake.options.context_filter);
	close_mdapi();
	end();
}

/* The message of gpuoa_stream_open() does not know that it is for queries. */
static void context_without_streams_has_a_message(void)
{
	const struct igdml_activate stream = { IGDML_ACTIVATE_STREAM };
	struct igdml_configuration configuration;
	char message[256] = "";

	REQUIRE(begin(&fake_lnl));
	CHECK(ContextDelete_1_0(context) == IGDML_OK);
	fake.driver = "gpuoa";
	REQUIRE(create_context(FAKE_FD(0)) && open_mdapi());
	GpuoaSetLog(keep_message, message);
	CHECK(configure("RenderBasic", &configuration) == IGDML_OK);
	fake.stream_error = -EOPNOTSUPP;
	CHECK(ml.activate(configuration, &stream) != IGDML_OK && !fake.streams_open);
	CHECK(strstr(message, "queries") && strstr(message, "gpuoa has no streams"));
	fake.stream_error = 0;
	CHECK(ml.activate(configuration, &stream) == IGDML_OK && fake.streams_open == 1);
	CHECK(ml.deactivate(configuration) == IGDML_OK);
	GpuoaSetLog(NULL, NULL);
	close_mdapi();
	end();
}

static void stream_is_of_a_context_from_gen12_on(void)
{
	const struct igdml_activate stream = { IGDML_ACTIVATE_STREAM };
	struct igdml_configuration configuration;

	REQUIRE(begin(&fake_skl) && open_mdapi());
	CHECK(configure("RenderBasic", &configuration) == IGDML_OK);
	CHECK(ml.activate(configuration, &stream) == IGDML_OK);
	CHECK(!fake.options.query_only);
	close_mdapi();
	end();

	REQUIRE(begin(&fake_tgl) && open_mdapi());
	CHECK(configure("RenderBasic", &configuration) == IGDML_OK);
	CHECK(ml.activate(configuration, &stream) == IGDML_OK);
	CHECK(fake.options.context_filter && !fake.options.query_only);
	CHECK(fake.options.drm_fd == FAKE_FD(0) && fake.options.context == 3);
	CHECK(ml.deactivate(configuration) == IGDML_OK);
	fake.bad_context = 3;
	CHECK(ml.activate(configuration, &stream) == IGDML_OK);
	CHECK(fake.options.context == 5);
	CHECK(ml.deactivate(configuration) == IGDML_OK);
	fake.bad_context = 0;
	fake.context_count = 0;
	CHECK(ml.activate(configuration, &stream) == IGDML_CANNOT_ENABLE_STREAM);
	close_mdapi();
	end();

	fake_begin(&fake_tgl, NULL);
	fake.features = GPUOA_UNIT_QUERY_ONLY;
	fake.contexts[0] = 1;
	fake.context_count = 1;
	REQUIRE(create_context(FAKE_FD(0)) && open_mdapi());
	CHECK(configure("RenderBasic", &configuration) == IGDML_OK);
	CHECK(ml.activate(configuration, &stream) == IGDML_OK && fake.options.query_only);
	close_mdapi();
	end();
}

static void marker_commands_need_a_unit_with_markers(void)
{
	struct igdml_commands commands = {
		.type = IGDML_OBJECT_MARKER,
		.data = dwords,
		.size = sizeof(dwords),
		.marker = { .value = 77 },
	};
	struct igdml_commands_size size;

	REQUIRE(begin(&fake_tgl));
	commands.context = context;
	CHECK(ml.get_commands_size(&commands, &size) == IGDML_NOT_SUPPORTED);
	CHECK(ml.get_commands(&commands) == IGDML_NOT_SUPPORTED);
	end();
	fake_begin(&fake_lnl, NULL);
	fake.features = GPUOA_UNIT_MARKERS;
	REQUIRE(create_context(FAKE_FD(0)));
	commands.context = context;
	CHECK(ml.get_commands_size(&commands, &size) == IGDML_OK);
	CHECK(size.size == GPUOA_MARKER_DWORDS * 4);
	memset(dwords, 0, sizeof(dwords));
	CHECK(ml.get_commands(&commands) == IGDML_OK);
	CHECK(dwords[2] == 77 || dwords[3] == 77);
	CHECK(!dwords[GPUOA_MARKER_DWORDS]);
	end();
}

/* Level Zero's zetCommandListAppendMetricMemoryBarrier() */
static void flush_waits_and_writes_nothing(void)
{
	static const enum igdml_engine engines[] = { IGDML_ENGINE_RENDER, IGDML_ENGINE_COMPUTE };
	const uint32_t pixels = 1u << 12 | 1u << 0, data_cache = 1u << 5;
	struct igdml_commands commands = {
		.type = IGDML_OBJECT_OVERRIDE_FLUSH_CACHES,
		.data = dwords,
		.size = sizeof(dwords),
	};
	struct igdml_commands_size size;

	REQUIRE(begin(&fake_tgl));
	commands.context = context;
	for (size_t i = 0; i < 2; i++) {
		reset_gpu();
		memset(dwords, 0xff, sizeof(dwords));
		commands.engine = engines[i];
		CHECK(ml.get_commands_size(&commands, &size) == IGDML_OK && size.size);
		CHECK(ml.get_commands(&commands) == IGDML_OK);
		CHECK(dwords[size.size / 4] == UINT32_MAX);
		CHECK(dwords[0] == 0x7a000004 && dwords[1] & data_cache);
		CHECK((dwords[1] & pixels) == (i ? 0 : pixels));
		CHECK(execute(NULL, dwords, size.size / 4) == 0);
		CHECK(!memory[0] && !memcmp(memory, memory + 1, sizeof(memory) - 1));
		commands.size = size.size - 1;
		CHECK(ml.get_commands(&commands) == IGDML_INSUFFICIENT_SPACE);
		commands.size = sizeof(dwords);
	}
	end();
}

static void *get_commands_often(void *argument)
{
	struct igdml_commands commands = *(const struct igdml_commands *)argument;
	uint32_t own[64];
	size_t good = 0;

	commands.data = own;
	for (int i = 0; i < 1000; i++) {
		commands.query.begin = true;
		good += ml.get_commands(&commands) == IGDML_OK;
		commands.query.begin = false;
		good += ml.get_commands(&commands) == IGDML_OK;
	}
	return (void *)good;
}

static void threads_can_use_one_query(void)
{
	struct igdml_commands commands[2];
	struct igdml_query query;
	pthread_t threads[2];

	REQUIRE(begin(&fake_tgl) && create_query(&query));
	for (uint32_t i = 0; i < 2; i++) {
		commands[i] = commands_of(query, i, true);
		REQUIRE(!pthread_create(&threads[i], NULL, get_commands_often, &commands[i]));
	}
	for (uint32_t i = 0; i < 2; i++) {
		void *good;

		CHECK(!pthread_join(threads[i], &good));
		CHECK((size_t)good == 2000);
	}
	end();
}

int main(void)
{
	RUN(library_has_both_names);
	RUN(context_needs_a_gpu_with_a_unit);
	RUN(context_is_of_the_gpu_and_tile);
	RUN(parameters_are_sizes_and_build);
	RUN(objects_need_a_context_and_a_type);
	RUN(functions_that_do_not_exist_have_a_message);
	RUN(result_is_calculated_by_libigdmd);
	RUN(query_is_counted_while_a_configuration_is_active);
	RUN(report_without_counts_is_lost);
	RUN(idle_context_has_a_clock_on_xe2);
	RUN(query_of_xe2_has_the_reports_that_it_requested);
	RUN(added_set_has_queries_until_it_is_removed);
	RUN(work_of_other_contexts_is_subtracted);
	RUN(history_keeps_the_newest_reports);
	RUN(commands_need_valid_arguments);
	RUN(results_need_valid_arguments);
	RUN(configuration_is_of_the_activated_set);
	RUN(configuration_needs_an_activated_set);
	RUN(stream_is_of_a_context_before_gen12_if_possible);
	RUN(context_without_streams_has_a_message);
	RUN(stream_is_of_a_context_from_gen12_on);
	RUN(marker_commands_need_a_unit_with_markers);
	RUN(flush_waits_and_writes_nothing);
	RUN(threads_can_use_one_query);
	return tap_end();
}
