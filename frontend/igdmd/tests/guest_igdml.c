// SPDX-License-Identifier: MIT
/*
 * guest_igdml.c - queries by libigdml.so.1 in the guest: batches of a program with the commands of
 * the library run on a virtual GPU of the stock i915
 *
 * The values are compared with the work of the batch, with libgpuoa's on the same reports, and
 * where counters are global, with the virtual GPU's reference.
 */
#include <stdlib.h>
#include <sys/wait.h>
#include <unistd.h>

#include "client.h"
#include "gpuoa.h"
#include "igdml.h"
#include "lib/tests/tap.h"
#include "selftests/i915/reference.h"
#include "selftests/i915/render.h"

#define RESULT 1152
#define END 576
/* The rest of the target: the copy writes to its begin. */
#define OFFSET 2048
#define SLOTS 2

static enum mdapi_result (*open_adapter_group)(struct mdapi_adapters **adapters);
static void (*set_log)(gpuoa_log_function function, void *context);
static typeof(ContextCreate_1_0) *context_create;
static typeof(ContextDelete_1_0) *context_delete;

static struct i915 gpu;
static uint32_t contexts[2]; /* of the DRM file */
static struct i915_batch batch;
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

/* Open the device of the DRM file, a context of the library, and a configuration for a set. */
static bool begin(const char *symbol)
{
	const struct igdml_client client = { IGDML_API_ONEAPI, 6 };
	struct igdml_adapter adapter = { .fd = gpu.fd };
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

/* Address of the target: batch_address() is the only function that knows it. */
static uint64_t address_of_target(void)
{
	uint64_t address;

	batch_reset(&batch);
	batch_address(&batch, batch.target, OFFSET);
	address = batch.dwords[0] | (uint64_t)batch.dwords[1] << 32;
	batch_reset(&batch);
	return address;
}

static void put(uint64_t address, uint32_t slot, bool is_begin)
{
	struct igdml_commands commands = {
		.context = context,
		.type = IGDML_OBJECT_QUERY,
		.memory = { .gpu = address, .cpu = batch.data + OFFSET / 4 },
		.query = { .query = query, .slot = slot, .begin = is_begin },
	};
	struct igdml_commands_size size = { 0 };

	CHECK(ml.get_commands_size(&commands, &size) == IGDML_OK);
	commands.size = size.size;
	commands.data = batch.dwords + batch.n;
	CHECK(ml.get_commands(&commands) == IGDML_OK);
	batch.n += size.size / 4;
}

/* Record a batch: query 0 around query 1 around a copy. Then activate, and run it. */
static void run(uint32_t handle)
{
	const uint64_t address = address_of_target();

	put(address, 0, true);
	put(address, 1, true);
	render_copy(&batch, 1);
	put(address, 1, false);
	put(address, 0, false);
	CHECK(activate() == IGDML_OK);
	CHECK(batch_run(&batch, handle, I915_EXEC_RENDER) == 0);
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

#define PIXELS (RENDER_WIDTH * RENDER_HEIGHT)
#define A26 (4 + 26) /* dword of the number of samples written, in reports from gen8 on */

static uint32_t samples(const uint8_t *result)
{
	uint32_t first, last;

	memcpy(&first, result + A26 * 4, sizeof(first));
	memcpy(&last, result + END + A26 * 4, sizeof(last));
	return last - first;
}

static void query_counts_the_work_of_a_batch(void)
{
	struct mdapi_value values[1024];
	uint32_t columns, rows = 0;

	REQUIRE(begin("RenderBasic"));
	run(contexts[0]);
	CHECK(get(0, SLOTS) == IGDML_OK);
	CHECK(render_pixel(&batch, RENDER_LEFT, RENDER_TOP) == 1);
	CHECK(samples(results) == PIXELS && samples(results + RESULT) == PIXELS);

	CHECK(CALL(set, set_api_filter, MDAPI_API_OCL | MDAPI_API_OGL4) == MDAPI_OK);
	columns = params_of(set)->metric_count + params_of(set)->info_count;
	REQUIRE(2 * columns <= 1024);
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
	end();
}

static void values_equal_the_reference(void)
{
	uint32_t reports[2][RESULT / 8];
	unsigned int right;

	REQUIRE(begin("RenderBasic"));
	run(contexts[0]);
	CHECK(get(0, 1) == IGDML_OK);
	memcpy(reports[0], results, END);
	memcpy(reports[1], results + END, END);
	right = reference_compare(&gpu, reports[0], reports[1]);
	printf("# %u of %u counters equal the reference\n", right, reference_counters(&gpu));
	CHECK(right == reference_counters(&gpu));
	end();
}

/* From gen12 on, counters are those of one context, and the first one is chosen. */
static void another_context_has_no_counters(void)
{
	REQUIRE(begin("RenderBasic"));
	run(contexts[1]);
	CHECK(get(0, 1) == IGDML_LOST);
	CHECK(strstr(message, "not enabled") != NULL);
	end();
}

static void query_needs_an_active_configuration(void)
{
	const uint64_t address = address_of_target();

	REQUIRE(begin("RenderBasic"));
	put(address, 0, true);
	put(address, 0, false);
	CHECK(get(0, 1) == IGDML_NOT_READY);
	CHECK(batch_run(&batch, contexts[0], I915_EXEC_RENDER) == 0);
	CHECK(get(0, 1) == IGDML_EMPTY_CONFIGURATION);
	end();
}

/* Wait for a byte, then try to activate. Returns whether the error names @holder. */
static bool is_told_the_holder(int from, pid_t holder)
{
	char number[16], byte;

	if (read(from, &byte, 1) != 1 || !begin("TestOa"))
		return false;
	snprintf(number, sizeof(number), "%d", (int)holder);
	return activate() == IGDML_CANNOT_ENABLE_STREAM && strstr(message, "guest_igdml") &&
	       strstr(message, number);
}

static void second_program_is_told_which_one_has_queries(void)
{
	const pid_t self = getpid();
	int ends[2], status = -1;
	pid_t other;

	REQUIRE(!pipe(ends));
	fflush(stdout);
	other = fork();
	if (!other)
		_exit(is_told_the_holder(ends[0], self) ? 0 : 1);
	REQUIRE(begin("RenderBasic"));
	CHECK(activate() == IGDML_OK);
	CHECK(write(ends[1], "", 1) == 1);
	CHECK(waitpid(other, &status, 0) == other);
	CHECK(WIFEXITED(status) && WEXITSTATUS(status) == 0);
	end();
	close(ends[0]);
	close(ends[1]);
}

int main(void)
{
	setbuf(stdout, NULL);
	if (!load()) {
		printf("Bail out! libigdml.so.1 cannot be loaded\n");
		return 1;
	}
	if (i915_open(&gpu) || batch_create(&gpu, &batch)) {
		printf("Bail out! the GPU cannot be opened\n");
		return 1;
	}
	if (!gpu.wide)
		return tap_skip("Level Zero does not support Haswell");
	contexts[0] = i915_context(&gpu);
	contexts[1] = i915_context(&gpu);
	RUN(second_program_is_told_which_one_has_queries);
	RUN(query_needs_an_active_configuration);
	RUN(query_counts_the_work_of_a_batch);
	if (gpu.gen < 12)
		RUN(values_equal_the_reference);
	else
		RUN(another_context_has_no_counters);
	batch_destroy(&batch);
	return tap_end();
}
