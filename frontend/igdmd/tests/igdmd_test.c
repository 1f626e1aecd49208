// SPDX-License-Identifier: MIT
/* igdmd_test.c - the interfaces of libigdmd.so.1, as a program calls them, on fake GPUs */
#include <errno.h>
#include <math.h>
#include <pthread.h>
#include <stddef.h>
#include <stdlib.h>
#include <unistd.h>

#include "client.h"
#include "fake_gpu.h"
#include "gpuoa-equation.h"
#include "lib/tests/tap.h"

/* Programs were compiled with these sizes and offsets, so they must not change. */
_Static_assert(sizeof(struct mdapi_value) == 16, "value");
_Static_assert(sizeof(struct mdapi_element) == 32, "element");
_Static_assert(offsetof(struct mdapi_element, name) == 24, "element");
_Static_assert(sizeof(struct mdapi_device_params) == 48, "device");
_Static_assert(sizeof(struct mdapi_adapter_params) == 64, "adapter");
_Static_assert(offsetof(struct mdapi_adapter_params, sub_device_count) == 60, "adapter");
_Static_assert(sizeof(struct mdapi_set_params_1_0) == 112, "set");
_Static_assert(offsetof(struct mdapi_set_params, gts) == 112, "set");
_Static_assert(offsetof(struct mdapi_set_params, availability) == 120, "set");
_Static_assert(sizeof(struct mdapi_set_params) == 136, "set");
_Static_assert(sizeof(struct mdapi_metric_params) == 152, "metric");
_Static_assert(offsetof(struct mdapi_metric_params, query_modes) == 144, "metric");
_Static_assert(sizeof(struct mdapi_info_params) == 80, "info");
_Static_assert(sizeof(struct mdapi_context_options) == 48, "context");
_Static_assert(sizeof(struct mdapi_adapter_table) == 33 * 8, "adapter");
_Static_assert(sizeof(struct mdapi_adapters_table) == 16 * 8, "adapters");
_Static_assert(sizeof(struct mdapi_set_table) == 19 * 8, "set");
_Static_assert(sizeof(struct mdapi_group_table) == 19 * 8, "group");
_Static_assert(sizeof(struct mdapi_device_table) == 11 * 8, "device");
_Static_assert(sizeof(struct mdapi_context_table) == 8 * 8, "context");

/* ---- a machine and its first device --------------------------------------------------------- */

static struct mdapi_adapters *adapters;
static struct mdapi_adapter *adapter;
static struct mdapi_device *device;
static struct mdapi_group *group;

static bool begin(const struct fake_gpu *gpu)
{
	fake_begin(gpu, NULL);
	if (!CHECK(OpenAdapterGroup(&adapters) == MDAPI_OK))
		return false;
	adapter = CALL(adapters, get_adapter, 0);
	if (!CHECK(CALL(adapter, open_device_1_16, &device) == MDAPI_OK))
		return false;
	group = CALL(device, get_group, 0);
	return CHECK(group != NULL);
}

/* Close everything, and check that no object of the library remains open. */
static void end(void)
{
	CHECK(CALL(adapter, close_device, device) == MDAPI_OK);
	CHECK(CALL(adapters, close) == MDAPI_OK);
	CHECK(!fake.units_open);
	CHECK(!fake.streams_open);
	for (size_t i = 0; i < 4; i++)
		CHECK(!fake.configs[i].id);
}

/*
 * Return the index of a metric or information item in a row; items follow the metrics that pass the
 * filter.
 */
static uint32_t find_column(struct mdapi_set *set, const char *symbol)
{
	const struct mdapi_set_params_1_0 *params = params_of(set);

	for (uint32_t i = 0; i < params->metric_count; i++)
		if (!strcmp(CALL(CALL(set, get_metric, i), get_params)->symbol, symbol))
			return i;
	for (uint32_t i = 0; i < params->info_count; i++)
		if (!strcmp(CALL(CALL(set, get_info, i), get_params)->symbol, symbol))
			return params->metric_count + i;
	return UINT32_MAX;
}

static const struct gpuoa_set *definition_of(const struct fake_gpu *gpu, struct mdapi_set *set)
{
	return gpuoa_platform_find_set(gpuoa_platform_find(gpu->platform), params_of(set)->symbol,
				       "OA", NULL);
}

#define REPORT_MAX 1024

/*
 * Make @count reports of a set, 1,000 ticks apart; every @other-th report is of a context switch.
 */
static uint8_t *make_reports(const struct gpuoa_set *set, size_t count, size_t other)
{
	struct gpuoa_set_desc desc;
	uint64_t random = 88172645463325252;
	uint8_t *reports;

	gpuoa_set_describe(set, &desc, sizeof(desc));
	reports = calloc(count, desc.report_size);
	for (size_t i = 0; i < count; i++)
		fake_next_report(set, &random, i ? reports + (i - 1) * desc.report_size : NULL,
				 reports + i * desc.report_size, 1000,
				 other && i % other == other - 1 ? GPUOA_REASON_CONTEXT_SWITCH :
								   GPUOA_REASON_TIMER);
	return reports;
}

/* ---- adapters ------------------------------------------------------------------------------- */

static void adapter_group_is_opened_once(void)
{
	struct mdapi_adapters *first, *second;

	fake_begin(&fake_tgl, &fake_lnl);
	REQUIRE(OpenAdapterGroup(&first) == MDAPI_OK);
	CHECK(OpenAdapterGroup(&second) == MDAPI_ALREADY_INITIALIZED);
	CHECK(first == second);
	CHECK(CALL(first, get_params)->adapter_count == 2);
	CHECK(CALL(first, get_params)->version.major == 1);
	CHECK(CALL(first, get_params)->version.minor == 16);
	CHECK(CALL(first, get_adapter, 1) != NULL);
	CHECK(CALL(first, get_adapter, 2) == NULL);
	CHECK(CALL(first, close) == MDAPI_STILL_INITIALIZED);
	CHECK(CALL(first, close) == MDAPI_OK);
	CHECK(OpenAdapterGroup(NULL) == MDAPI_INVALID_PARAMETER);
}

static void adapter_describes_its_gpu(void)
{
	const struct mdapi_adapter_params *params;
	struct fake_gpu gpu = fake_tgl;

	gpu.type = GPUOA_DEVICE_DISCRETE;
	fake_begin(&fake_skl, &gpu);
	REQUIRE(OpenAdapterGroup(&adapters) == MDAPI_OK);
	params = CALL(CALL(adapters, get_adapter, 1), get_params);
	CHECK_STRING(params->name, "Fake tglgt2");
	CHECK(params->vendor_id == 0x8086 && params->device_id == 0x9a49);
	CHECK(params->subvendor_id == 0x1234);
	CHECK(params->domain == 1 && params->bus == 1);
	CHECK(params->device == 2 && params->function == 3);
	CHECK(params->type == MDAPI_ADAPTER_DISCRETE);
	CHECK(params->capabilities == MDAPI_ADAPTER_RENDERS);
	CHECK(params->id.type == MDAPI_ADAPTER_ID_NODE);
	CHECK(params->id.node.major == 226 && params->id.node.minor == 1);
	CHECK(params->sub_device_count == 0);
	CHECK(CALL(adapters, close) == MDAPI_OK);
}

static void gpus_that_cannot_be_measured_are_no_adapters(void)
{
	struct fake_gpu gpu = fake_tgl;

	gpu.state = GPUOA_DEVICE_NO_DRIVER;
	fake_begin(&gpu, NULL);
	REQUIRE(OpenAdapterGroup(&adapters) == MDAPI_OK);
	CHECK(CALL(adapters, get_params)->adapter_count == 0);
	CHECK(CALL(adapters, get_adapter, 0) == NULL);
	CHECK(OpenMetricsDevice(&device) == MDAPI_NOT_SUPPORTED);
	CHECK(CALL(adapters, close) == MDAPI_OK);
}

static void device_has_one_object_for_all_versions(void)
{
	struct mdapi_device *other = NULL;

	if (!begin(&fake_tgl))
		return;
	CHECK(CALL(adapter, reset) == MDAPI_GENERAL_ERROR);
	CHECK(CALL(adapter, open_device_1_6, &other) == MDAPI_ALREADY_INITIALIZED);
	CHECK(other == device);
	CHECK(CALL(adapter, open_device_1_13, &other) == MDAPI_ALREADY_INITIALIZED);
	CHECK(CALL(adapter, open_sub_device_1_9, 0, &other) == MDAPI_ALREADY_INITIALIZED);
	CHECK(other == device);
	for (int i = 0; i < 3; i++)
		CHECK(CALL(adapter, close_device, device) == MDAPI_STILL_INITIALIZED);
	CHECK(CALL(adapter, open_sub_device_1_16, 1, &other) == MDAPI_NOT_SUPPORTED);
	CHECK(CALL(adapter, open_device_1_16, NULL) == MDAPI_INVALID_PARAMETER);
	CHECK(CALL(adapter, close_device, NULL) == MDAPI_INVALID_PARAMETER);
	end();
	REQUIRE(OpenAdapterGroup(&adapters) == MDAPI_OK);
	adapter = CALL(adapters, get_adapter, 0);
	CHECK(CALL(adapter, reset) == MDAPI_OK);
	CHECK(CALL(adapter, close_device, (struct mdapi_device *)&other) == MDAPI_GENERAL_ERROR);
	fake.open_error = -EACCES;
	CHECK(CALL(adapter, open_device_1_16, &device) == MDAPI_ACCESS_DENIED);
	CHECK(CALL(adapters, close) == MDAPI_OK);
}

static void legacy_functions_use_the_discrete_gpu(void)
{
	struct fake_gpu gpu = fake_lnl;

	gpu.type = GPUOA_DEVICE_DISCRETE;
	fake_begin(&fake_tgl, &gpu);
	CHECK(CloseMetricsDevice(device) == MDAPI_NOT_SUPPORTED);
	REQUIRE(OpenMetricsDevice(&device) == MDAPI_OK);
	CHECK_STRING(CALL(device, get_params)->name,
		     gpuoa_platform_title(gpuoa_platform_find("lnl")));
	CHECK(OpenMetricsDevice(&device) == MDAPI_ALREADY_INITIALIZED);
	CHECK(CloseMetricsDevice(device) == MDAPI_STILL_INITIALIZED);
	CHECK(CloseMetricsDevice(device) == MDAPI_OK);
	CHECK(!fake.units_open);
	CHECK(OpenMetricsDevice(NULL) == MDAPI_INVALID_PARAMETER);
	CHECK(CloseMetricsDevice(NULL) == MDAPI_INVALID_PARAMETER);
	CHECK(OpenMetricsDeviceFromFile(NULL, NULL, &device) == MDAPI_INVALID_PARAMETER);
	CHECK(SaveMetricsDeviceToFile("x", NULL, NULL) == MDAPI_INVALID_PARAMETER);
	/* Closing the last device has also closed the adapter group, so it can be opened again. */
	REQUIRE(OpenAdapterGroup(&adapters) == MDAPI_OK);
	CHECK(CALL(adapters, close) == MDAPI_OK);
}

static void tiles_are_sub_devices(void)
{
	struct fake_gpu gpu = fake_lnl;
	const struct mdapi_engine_params *engine;
	struct mdapi_device *tiles[2];

	gpu.tiles = 2;
	gpu.media = true;
	fake_begin(&gpu, NULL);
	REQUIRE(OpenAdapterGroup(&adapters) == MDAPI_OK);
	adapter = CALL(adapters, get_adapter, 0);
	CHECK(CALL(adapter, get_params)->sub_device_count == 2);
	CHECK(CALL(adapter, get_sub_device_params, 0)->engine_count == 3);
	CHECK(CALL(adapter, get_sub_device_params, 1)->engine_count == 1);
	CHECK(CALL(adapter, get_sub_device_params, 2) == NULL);
	engine = CALL(adapter, get_engine_params, 0, 2);
	REQUIRE(engine != NULL);
	CHECK(engine->id_type == 0 && engine->engine_class == GPUOA_ENGINE_VIDEO_ENHANCE);
	CHECK(engine->instance == 0 && engine->gt == 1 && engine->unit == 2);
	CHECK(CALL(adapter, get_engine_params, 0, 3) == NULL);
	CHECK(CALL(adapter, get_engine_params, 2, 0) == NULL);
	for (uint32_t i = 0; i < 2; i++)
		REQUIRE(CALL(adapter, open_sub_device_1_13, i, &tiles[i]) == MDAPI_OK);
	CHECK(CALL(tiles[0], get_params)->group_count == 2);
	CHECK(CALL(tiles[1], get_params)->group_count == 1);
	CHECK(CALL(adapter, open_sub_device_1_13, 2, &device) == MDAPI_INVALID_PARAMETER);
	CHECK(CALL(adapter, close_device, tiles[1]) == MDAPI_OK);
	device = tiles[0];
	end();
}

/* ---- devices -------------------------------------------------------------------------------- */

static void symbols_have_the_types_of_the_api(void)
{
	static const struct {
		const char *name;
		uint64_t value;
		enum mdapi_value_type type;
	} expected[] = {
		{ "EuCoresTotalCount", 96, MDAPI_VALUE_UINT32 },
		{ "EuThreadsCount", 7, MDAPI_VALUE_UINT32 },
		{ "EuSlicesTotalCount", 1, MDAPI_VALUE_UINT32 },
		{ "GpuTimestampFrequency", 19200000, MDAPI_VALUE_UINT32 },
		{ "GpuMinFrequencyMHz", 300, MDAPI_VALUE_UINT32 },
		{ "GpuMaxFrequencyMHz", 1300, MDAPI_VALUE_UINT32 },
		{ "GpuCurrentFrequencyMHz", 555, MDAPI_VALUE_UINT32 },
		{ "GpuFrequencyOverrideEnabled", 0, MDAPI_VALUE_UINT32 },
		{ "PciDeviceId", 0x9a49, MDAPI_VALUE_UINT32 },
		{ "SkuRevisionId", 3, MDAPI_VALUE_UINT32 },
		{ "OABufferMaxSize", 16 << 20, MDAPI_VALUE_UINT32 },
		{ "MaxTimestamp", 223696213333, MDAPI_VALUE_UINT64 },
		{ "QueryMode", 0, MDAPI_VALUE_UINT32 },
	};
	const struct mdapi_value *mask;
	uint32_t count;

	if (!begin(&fake_tgl))
		return;
	for (size_t i = 0; i < sizeof(expected) / sizeof(expected[0]); i++) {
		const struct mdapi_value *value = CALL(device, get_symbol_value, expected[i].name);

		if (!CHECK(value != NULL) || !CHECK(value->type == expected[i].type) ||
		    !CHECK(value->u64 == expected[i].value))
			printf("# %s: %llu\n", expected[i].name,
			       value ? (unsigned long long)value->u64 : 0);
	}
	mask = CALL(device, get_symbol_value, "GtDualSubsliceMask");
	if (CHECK(mask && mask->type == MDAPI_VALUE_BYTES))
		CHECK(mask->bytes->size == 8 && mask->bytes->data[0] == 0x3f);
	count = CALL(device, get_params)->symbol_count;
	for (uint32_t i = 0; i < count; i++) {
		const struct mdapi_symbol *symbol = CALL(device, get_symbol, i);

		CHECK(CALL(device, get_symbol_value, symbol->name) == &symbol->value);
	}
	CHECK(CALL(device, get_symbol, count) == NULL);
	CHECK(CALL(device, get_symbol_value, "NoSuchSymbol") == NULL);
	CHECK(CALL(device, get_symbol_value, NULL) == NULL);
	end();
}

static void device_counts_what_the_interface_has(void)
{
	const struct mdapi_device_params *params;

	if (!begin(&fake_tgl))
		return;
	params = CALL(device, get_params);
	CHECK(params->version.major == 1 && params->version.minor == 16);
	CHECK(params->group_count == 1 && params->override_count == 1);
	CHECK(params->delta_count == 7 && params->element_type_count == 21);
	CHECK(params->operation_count == 28);
	CHECK(CALL(device, get_group, 1) == NULL);
	CHECK(CALL(device, get_last_error) == MDAPI_OK);
	end();
}

static void timestamps_wrap_with_the_hardware(void)
{
	uint64_t gpu, cpu, error;
	uint32_t index = 9;

	if (!begin(&fake_tgl))
		return;
	CHECK(CALL(device, get_timestamps_1_10, &gpu, &cpu, &index, &error) == MDAPI_OK);
	CHECK(gpu == FAKE_TICKS * 1000000000ull / 19200000);
	CHECK(cpu == FAKE_CPU_NS && index == 0 && error == 42);
	CHECK(CALL(device, get_timestamps_1_0, &gpu, &cpu, &index) == MDAPI_OK);
	CHECK(CALL(device, get_timestamps_1_0, NULL, &cpu, &index) == MDAPI_INVALID_PARAMETER);
	CHECK(CALL(device, get_timestamps_1_0, &gpu, NULL, &index) == MDAPI_INVALID_PARAMETER);
	CHECK(CALL(device, get_timestamps_1_0, &gpu, &cpu, NULL) == MDAPI_INVALID_PARAMETER);
	end();
}

static void override_pins_the_frequency(void)
{
	struct mdapi_frequency_override params = { .enable = true, .mhz = 700 };
	struct mdapi_override *override;

	if (!begin(&fake_tgl))
		return;
	override = CALL(device, get_override, 0);
	CHECK(override && CALL(device, get_override, 1) == NULL);
	CHECK(CALL(device, find_override, "FrequencyOverride") == override);
	CHECK(CALL(device, find_override, "Other") == NULL);
	CHECK(CALL(device, find_override, NULL) == NULL);
	CHECK_STRING(CALL(override, get_params)->symbol, "FrequencyOverride");
	CHECK(CALL(override, get_params)->modes == MDAPI_OVERRIDE_GLOBAL);
	CHECK(CALL(override, set_override, &params, sizeof(params)) == MDAPI_OK);
	CHECK(fake.pinned_hz == 700000000);
	CHECK(CALL(device, get_symbol_value, "GpuFrequencyOverrideEnabled")->u32 == 1);
	CHECK(CALL(device, get_symbol_value, "GpuCurrentFrequencyMHz")->u32 == 700);
	params.enable = false;
	CHECK(CALL(override, set_override, &params, sizeof(params)) == MDAPI_OK);
	CHECK(!fake.pinned_hz);
	CHECK(CALL(device, get_symbol_value, "GpuFrequencyOverrideEnabled")->u32 == 0);
	CHECK(CALL(override, set_override, NULL, sizeof(params)) == MDAPI_INVALID_PARAMETER);
	CHECK(CALL(override, set_override, &params, 4) == MDAPI_INVALID_PARAMETER);
	params.enable = true;
	fake.pin_error = -EPERM;
	CHECK(CALL(override, set_override, &params, sizeof(params)) == MDAPI_ACCESS_DENIED);
	fake.pin_error = 0;
	CHECK(CALL(override, set_override, &params, sizeof(params)) == MDAPI_OK);
	end(); /* closing the device undoes it */
	CHECK(!fake.pinned_hz);
}

/* ---- sets, metrics, filters ----------------------------------------------------------------- */

static void groups_have_the_sets_of_their_unit(void)
{
	struct fake_gpu gpu = fake_lnl;
	const struct gpuoa_platform *platform = gpuoa_platform_find("lnl");
	size_t sets = 0;

	gpu.media = true;
	if (!begin(&gpu))
		return;
	CHECK(CALL(device, get_params)->group_count == 2);
	for (uint32_t i = 0; i < 2; i++) {
		struct mdapi_group *each = CALL(device, get_group, i);
		const struct mdapi_group_params *params = CALL(each, get_params);

		/* Only the unit OA has queries. */
		CHECK(params->measurements ==
		      (i ? MDAPI_MEASUREMENT_STREAM :
			   MDAPI_MEASUREMENT_STREAM | MDAPI_MEASUREMENT_QUERY));
		CHECK(params->stream_info_count == 3 && params->context_info_count == 0);
		CHECK(CALL(each, get_set, params->set_count) == NULL);
		CHECK(CALL(each, get_context_info, 0) == NULL);
		for (uint32_t j = 0; j < params->set_count; j++) {
			struct mdapi_set *set = CALL(each, get_set, j);

			CHECK(gpuoa_platform_find_set(platform, params_of(set)->symbol,
						      params->symbol, NULL) != NULL);
			CHECK(CALL(set, get_complementary, 0) == NULL);
			sets++;
		}
	}
	CHECK_STRING(CALL(group, get_params)->symbol, "OA");
	CHECK(sets > 10 && sets <= gpuoa_platform_set_count(platform));
	end();
}

static void set_describes_its_reports(void)
{
	const struct mdapi_set_params *params;
	struct mdapi_set *set;

	if (!begin(&fake_tgl))
		return;
	set = find_set(group, "RenderBasic");
	REQUIRE(set != NULL);
	params = CALL(set, get_params);
	CHECK(params->base.apis == (MDAPI_API_STREAM | MDAPI_API_OCL | MDAPI_API_OGL4));
	CHECK(params->base.report_size == 256 && params->base.query_report_size == 1152);
	CHECK(params->base.categories == MDAPI_CATEGORY_RENDER);
	CHECK(params->counter_size == 32 && params->counter_count == 38);
	CHECK(params->base.metric_count > 30 && params->base.info_count >= 4);
	CHECK(params->base.complementary_count == 0);
	CHECK(CALL(set, get_metric, params->base.metric_count) == NULL);
	CHECK(CALL(set, get_info, params->base.info_count) == NULL);
	end();
}

static void metrics_are_those_of_the_library(void)
{
	static const struct fake_gpu *const gpus[] = { &fake_tgl, &fake_skl, &fake_lnl };

	for (size_t k = 0; k < 3; k++) {
		if (!begin(gpus[k]))
			return;
		for (uint32_t i = 0; i < CALL(group, get_params)->set_count; i++) {
			struct mdapi_set *set = CALL(group, get_set, i);
			const struct gpuoa_set *definition = definition_of(gpus[k], set);

			for (uint32_t j = 0; j < params_of(set)->metric_count; j++) {
				const struct mdapi_metric_params *params =
					CALL(CALL(set, get_metric, j), get_params);
				const struct gpuoa_metric *metric =
					gpuoa_set_find_metric(definition, params->symbol);
				struct gpuoa_metric_desc desc;

				REQUIRE(metric != NULL);
				gpuoa_metric_describe(metric, &desc, sizeof(desc));
				CHECK_STRING(params->name, desc.name);
				CHECK_STRING(params->description, desc.description);
				CHECK_STRING(params->group, desc.group);
				CHECK(params->index == j);
				CHECK((params->result_type == MDAPI_RESULT_FLOAT) ==
				      (desc.type == GPUOA_TYPE_FLOAT));
				CHECK(!params->max == !*desc.max);
				CHECK(!(params->apis & MDAPI_API_STREAM) ==
				      (desc.apis && !(desc.apis & GPUOA_API_IO)));
				CHECK(!params->query_read && !params->query_modes);
			}
		}
		end();
	}
}

static void average_frequency_has_the_name_and_unit_of_the_api(void)
{
	if (!begin(&fake_skl))
		return;
	for (uint32_t i = 0; i < CALL(group, get_params)->set_count; i++) {
		struct mdapi_set *set = CALL(group, get_set, i);
		const uint32_t index = find_column(set, "AvgGpuCoreFrequencyMHz");

		REQUIRE(index < params_of(set)->metric_count);
		CHECK_STRING(CALL(CALL(set, get_metric, index), get_params)->units, "MHz");
		CHECK(find_column(set, "AvgGpuCoreFrequency") == UINT32_MAX);
	}
	end();
}

/* Return the units of a metric of a GPU, or "". */
static const char *units_on(const struct fake_gpu *gpu, const char *set, const char *symbol)
{
	static char units[64];
	uint32_t index;

	*units = '\0';
	if (!begin(gpu))
		return units;
	index = find_column(find_set(group, set), symbol);
	if (CHECK(index < params_of(find_set(group, set))->metric_count))
		snprintf(units, sizeof(units), "%s",
			 CALL(CALL(find_set(group, set), get_metric, index), get_params)->units);
	end();
	return units;
}

static void units_are_spelled_as_in_the_api(void)
{
	CHECK_STRING(units_on(&fake_lnl, "RenderBasic", "GPU_MEMORY_BYTE_READ_RATE"), "GBpS");
	CHECK_STRING(units_on(&fake_lnl, "RenderBasic", "GPU_MEMORY_BYTE_READ"), "bytes");
	CHECK_STRING(units_on(&fake_skl, "RenderBasic", "GtiL3Throughput"), "bytes");
	CHECK_STRING(units_on(&fake_skl, "ComputeExtended", "TypedReadsPerCacheLine"),
		     "EU sends to L3 cache lines");
}

static void filter_accepts_streams_or_queries(void)
{
	static const struct {
		uint32_t apis;
		enum mdapi_result result;
	} cases[] = {
		{ 0, MDAPI_OK },
		{ MDAPI_API_ALL, MDAPI_OK },
		{ MDAPI_API_STREAM, MDAPI_OK },
		{ MDAPI_API_OCL, MDAPI_OK },
		{ MDAPI_API_OCL | MDAPI_API_VULKAN, MDAPI_OK },
		{ MDAPI_API_STREAM | MDAPI_API_MEDIA, MDAPI_OK },
		{ MDAPI_API_STREAM | MDAPI_API_OCL, MDAPI_INVALID_PARAMETER },
		{ MDAPI_API_MEDIA, MDAPI_INVALID_PARAMETER },
		{ MDAPI_API_BATCH, MDAPI_INVALID_PARAMETER },
	};

	if (!begin(&fake_tgl))
		return;
	for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++)
		if (!CHECK(CALL(find_set(group, "RenderBasic"), set_api_filter, cases[i].apis) ==
			   cases[i].result))
			printf("# 0x%x\n", cases[i].apis);
	end();
}

static void filter_selects_metrics_by_their_apis(void)
{
	struct mdapi_set_params *all, *filtered;
	struct mdapi_set *set;
	uint32_t count = 0;

	if (!begin(&fake_tgl))
		return;
	set = find_set(group, "RenderBasic");
	all = CALL(set, get_params);
	CHECK(CALL(set, set_api_filter, MDAPI_API_OCL) == MDAPI_OK);
	filtered = CALL(set, get_params);
	CHECK(filtered != all);
	CHECK(filtered->base.apis == MDAPI_API_OCL && all->base.apis != MDAPI_API_OCL);
	CHECK(filtered->base.info_count == 1); /* other items are of streams */
	CHECK(!strcmp(CALL(CALL(set, get_info, 0), get_params)->symbol, "QueryBeginTime"));
	CHECK(CALL(set, get_info, 1) == NULL);
	CHECK(filtered->base.metric_count < all->base.metric_count);
	for (uint32_t i = 0; i < filtered->base.metric_count; i++) {
		const struct mdapi_metric_params *params =
			CALL(CALL(set, get_metric, i), get_params);

		CHECK(params->apis & MDAPI_API_OCL);
		CHECK(params->index == i);
	}
	CHECK(CALL(set, set_api_filter, 0) == MDAPI_OK);
	CHECK(CALL(set, get_params) == all);
	for (uint32_t i = 0; i < all->base.metric_count; i++) {
		const struct mdapi_metric_params *params =
			CALL(CALL(set, get_metric, i), get_params);

		CHECK(params->index == i);
		count += !!(params->apis & MDAPI_API_OCL);
	}
	CHECK(count == filtered->base.metric_count && count > 0);
	end();
}

/* ---- equations, by an evaluation of their elements ------------------------------------------ */

struct number {
	bool real;
	uint64_t integer;
	double value;
};

static struct number integer(uint64_t value)
{
	return (struct number){ .integer = value, .value = (double)value };
}

static struct number real(double value)
{
	return (struct number){ .real = true, .integer = (uint64_t)value, .value = value };
}

static struct number operate(enum mdapi_operation operation, struct number a, struct number b)
{
	const uint64_t x = a.integer, y = b.integer;

	switch (operation) {
	case MDAPI_OPERATION_SHIFT_RIGHT:
		return integer(x >> y);
	case MDAPI_OPERATION_SHIFT_LEFT:
		return integer(x << y);
	case MDAPI_OPERATION_AND:
		return integer(x & y);
	case MDAPI_OPERATION_OR:
		return integer(x | y);
	case MDAPI_OPERATION_LOGICAL_AND:
		return integer(x && y);
	case MDAPI_OPERATION_EQUALS:
		return integer(x == y);
	case MDAPI_OPERATION_UADD:
		return integer(x + y);
	case MDAPI_OPERATION_USUB: /* libgpuoa saturates, MDAPI wraps */
		return integer(x > y ? x - y : 0);
	case MDAPI_OPERATION_UMUL:
		return integer(x * y);
	case MDAPI_OPERATION_UDIV:
		return integer(y ? x / y : 0);
	case MDAPI_OPERATION_FADD:
		return real(a.value + b.value);
	case MDAPI_OPERATION_FSUB:
		return real(a.value - b.value);
	case MDAPI_OPERATION_FMUL:
		return real(a.value * b.value);
	case MDAPI_OPERATION_FDIV:
		return real(b.value != 0 ? a.value / b.value : 0);
	case MDAPI_OPERATION_UGT:
		return integer(x > y);
	case MDAPI_OPERATION_ULT:
		return integer(x < y);
	case MDAPI_OPERATION_UGTE:
		return integer(x >= y);
	case MDAPI_OPERATION_ULTE:
		return integer(x <= y);
	case MDAPI_OPERATION_UMIN:
		return integer(x < y ? x : y);
	case MDAPI_OPERATION_UMAX:
		return integer(x > y ? x : y);
	case MDAPI_OPERATION_FMIN:
		return real(fmin(a.value, b.value));
	case MDAPI_OPERATION_FMAX:
		return real(fmax(a.value, b.value));
	default:
		CHECK(!"an operation that the library does not emit");
		return integer(0);
	}
}

struct evaluation {
	struct mdapi_set *set;
	const uint8_t *first, *last; /* reports */
	const uint8_t *report; /* of read elements */
	uint64_t self;
	uint32_t timestamp_bits;
};

static double value_of_metric(const struct evaluation *evaluation, const char *symbol);

static uint64_t read_element(const struct mdapi_element *element, const uint8_t *report)
{
	uint64_t value = 0;

	memcpy(&value, report + element->read.offset,
	       element->type == MDAPI_ELEMENT_READ_UINT64 ? 8 : 4);
	if (element->type == MDAPI_ELEMENT_READ_40_BITS)
		value |= (uint64_t)report[element->read.high_offset] << 32;
	return value;
}

static struct number value_of_symbol(const char *name)
{
	const struct mdapi_value *value = CALL(device, get_symbol_value, name);
	uint64_t mask = 0;

	if (!CHECK(value != NULL)) {
		printf("# %s\n", name);
		return integer(0);
	}
	if (value->type != MDAPI_VALUE_BYTES)
		return integer(value->u64);
	memcpy(&mask, value->bytes->data, sizeof(mask));
	return integer(mask);
}

static struct number evaluate(const struct evaluation *evaluation, struct mdapi_equation *equation)
{
	const uint32_t count = CALL(equation, get_element_count);
	struct number stack[64];
	size_t depth = 0;

	for (uint32_t i = 0; i < count; i++) {
		const struct mdapi_element *element = CALL(equation, get_element, i);
		double value;

		switch (element->type) {
		case MDAPI_ELEMENT_OPERATION:
			if (!CHECK(depth >= 2))
				return integer(0);
			depth--;
			stack[depth - 1] =
				operate(element->operation, stack[depth - 1], stack[depth]);
			break;
		case MDAPI_ELEMENT_READ_UINT32:
		case MDAPI_ELEMENT_READ_UINT64:
		case MDAPI_ELEMENT_READ_40_BITS:
			stack[depth++] = integer(read_element(element, evaluation->report));
			break;
		case MDAPI_ELEMENT_UINT64:
			stack[depth++] = integer(element->integer);
			break;
		case MDAPI_ELEMENT_FLOAT:
			stack[depth++] = real(element->real);
			break;
		case MDAPI_ELEMENT_SELF:
			stack[depth++] = integer(evaluation->self);
			break;
		case MDAPI_ELEMENT_SYMBOL:
			stack[depth++] = value_of_symbol(element->name);
			break;
		case MDAPI_ELEMENT_METRIC:
			value = value_of_metric(evaluation, element->name);
			stack[depth++] = value == floor(value) ? integer((uint64_t)value) :
								 real(value);
			break;
		default:
			CHECK(!"an element that the library does not emit");
		}
	}
	CHECK(CALL(equation, get_element, count) == NULL);
	return CHECK(depth == 1) ? stack[0] : integer(0);
}

static uint64_t difference(const struct evaluation *evaluation,
			   const struct mdapi_metric_params *params)
{
	struct evaluation at = *evaluation;
	const uint32_t bits = params->delta.type == MDAPI_DELTA_TIME ? evaluation->timestamp_bits :
								       params->delta.bits;
	uint64_t first, last;

	at.report = evaluation->first;
	first = evaluate(&at, params->stream_read).integer;
	at.report = evaluation->last;
	last = evaluate(&at, params->stream_read).integer;
	return bits && bits < 64 ? (last - first) & ((1ull << bits) - 1) : last - first;
}

static double value_of(const struct evaluation *evaluation,
		       const struct mdapi_metric_params *params)
{
	struct evaluation at = *evaluation;
	struct number number;

	if (params->stream_read)
		at.self = difference(evaluation, params);
	if (!params->norm)
		return (double)at.self;
	number = evaluate(&at, params->norm);
	return params->result_type == MDAPI_RESULT_FLOAT ? number.value : (double)number.integer;
}

static double value_of_metric(const struct evaluation *evaluation, const char *symbol)
{
	const uint32_t index = find_column(evaluation->set, symbol);

	if (!CHECK(index < params_of(evaluation->set)->metric_count))
		return 0;
	return value_of(evaluation, CALL(CALL(evaluation->set, get_metric, index), get_params));
}

static bool has_operation(struct mdapi_equation *equation, enum mdapi_operation operation)
{
	for (uint32_t i = 0; i < CALL(equation, get_element_count); i++) {
		const struct mdapi_element *element = CALL(equation, get_element, i);

		if (element->type == MDAPI_ELEMENT_OPERATION && element->operation == operation)
			return true;
	}
	return false;
}

static bool is_near(double left, double right)
{
	return fabs(left - right) <= 1e-5 * fmax(1e-3, fmax(fabs(left), fabs(right)));
}

static double as_double(const struct mdapi_value *value)
{
	return value->type == MDAPI_VALUE_FLOAT ? value->f32 :
	       value->type == MDAPI_VALUE_BOOL	? value->boolean :
						  (double)value->u64;
}

static void equations_give_the_values_of_a_set(const struct fake_gpu *gpu, struct mdapi_set *set,
					       size_t *compared, size_t *without)
{
	const uint32_t size = params_of(set)->report_size;
	uint8_t *reports = make_reports(definition_of(gpu, set), 2, 0);
	struct evaluation evaluation = {
		.set = set,
		.first = reports,
		.last = reports + size,
		.timestamp_bits = gpu->timestamp_bits,
	};
	struct mdapi_value *values, *maxima;
	uint32_t metrics, columns, rows;

	CHECK(CALL(set, set_api_filter, MDAPI_API_STREAM) == MDAPI_OK);
	metrics = params_of(set)->metric_count;
	columns = metrics + params_of(set)->info_count;
	values = calloc(columns, sizeof(*values));
	maxima = calloc(metrics, sizeof(*maxima));
	CHECK(CALL(set, calculate_1_5, reports, 2 * size, values,
		   columns * (uint32_t)sizeof(*values), &rows, maxima,
		   metrics * (uint32_t)sizeof(*maxima)) == MDAPI_OK);
	CHECK(rows == 1);
	for (uint32_t i = 0; i < metrics; i++) {
		const struct mdapi_metric_params *params =
			CALL(CALL(set, get_metric, i), get_params);
		double expected;

		if (!params->stream_read && !params->norm) {
			(*without)++;
			continue;
		}
		/*
		 * Skip equations with subtractions: a negative difference wraps in MDAPI and is 0
		 * in libgpuoa.
		 */
		if (params->stream_read && has_operation(params->stream_read, MDAPI_OPERATION_USUB))
			continue;
		expected = value_of(&evaluation, params);
		if (!CHECK(is_near(as_double(&values[i]), expected)))
			printf("# %s.%s: %.9g, by its equation %.9g\n", params_of(set)->symbol,
			       params->symbol, as_double(&values[i]), expected);
		if (params->max && !CHECK(is_near(as_double(&maxima[i]),
						  evaluate(&evaluation, params->max).value)))
			printf("# %s.%s: maximum %.9g, by its equation %.9g\n",
			       params_of(set)->symbol, params->symbol, as_double(&maxima[i]),
			       evaluate(&evaluation, params->max).value);
		if (!params->max)
			CHECK(!memcmp(&maxima[i], &values[i], sizeof(maxima[i])));
		(*compared)++;
	}
	evaluation.report = evaluation.last;
	for (uint32_t i = 0; i < columns - metrics; i++) {
		const struct mdapi_info_params *params = CALL(CALL(set, get_info, i), get_params);
		double expected;

		if (!strcmp(params->symbol, "PreviousContextId"))
			continue; /* of the report before */
		expected = evaluate(&evaluation, params->stream_read).value;
		if (!CHECK(as_double(&values[metrics + i]) == expected))
			printf("# %s.%s: %.9g, by its equation %.9g\n", params_of(set)->symbol,
			       params->symbol, as_double(&values[metrics + i]), expected);
	}
	CHECK(CALL(set, set_api_filter, 0) == MDAPI_OK);
	free(values);
	free(maxima);
	free(reports);
}

static void equations_give_the_values_that_are_calculated(void)
{
	static const struct fake_gpu *const gpus[] = { &fake_tgl, &fake_skl, &fake_lnl };

	for (size_t k = 0; k < 3; k++) {
		size_t compared = 0, without = 0;

		if (!begin(gpus[k]))
			return;
		for (uint32_t i = 0; i < CALL(group, get_params)->set_count; i++)
			equations_give_the_values_of_a_set(gpus[k], CALL(group, get_set, i),
							   &compared, &without);
		printf("# %s: %zu metrics, %zu without an equation\n", gpus[k]->platform, compared,
		       without);
		CHECK(compared > 200 && without < compared / 20);
		end();
	}
}

/* ---- calculation ---------------------------------------------------------------------------- */

struct rows {
	struct mdapi_set *set;
	uint32_t columns;
	uint32_t metrics;
	uint32_t size; /* of a row, bytes */
	uint32_t report_size;
	const struct gpuoa_set *definition;
	uint8_t *reports;
	struct mdapi_value *values;
	struct mdapi_value *maxima;
	uint32_t count;
};

/* Filter a set for metrics of streams, and allocate reports and buffers for their rows. */
static bool rows_begin(struct rows *rows, const struct fake_gpu *gpu, const char *symbol,
		       uint32_t reports, size_t other)
{
	if (!begin(gpu))
		return false;
	*rows = (struct rows){ .set = find_set(group, symbol) };
	if (!CHECK(rows->set != NULL) ||
	    !CHECK(CALL(rows->set, set_api_filter, MDAPI_API_STREAM) == MDAPI_OK))
		return false;
	rows->metrics = params_of(rows->set)->metric_count;
	rows->columns = rows->metrics + params_of(rows->set)->info_count;
	rows->size = rows->columns * (uint32_t)sizeof(struct mdapi_value);
	rows->report_size = params_of(rows->set)->report_size;
	rows->definition = definition_of(gpu, rows->set);
	rows->reports = make_reports(rows->definition, reports, other);
	rows->values = calloc(reports, rows->size);
	rows->maxima = calloc(reports, rows->size);
	return true;
}

static void rows_end(struct rows *rows)
{
	free(rows->reports);
	free(rows->values);
	free(rows->maxima);
	end();
}

static enum mdapi_result calculate(struct rows *rows, uint32_t from, uint32_t count, uint32_t space)
{
	return CALL(rows->set, calculate_1_1, rows->reports + (size_t)from * rows->report_size,
		    count * rows->report_size, rows->values, space * rows->size, &rows->count,
		    false);
}

static void values_are_those_of_the_library(void)
{
	const uint32_t count = 1000; /* more than one batch */
	struct gpuoa_metric_desc desc;
	union gpuoa_value *expected;
	struct gpuoa_unit_desc unit;
	struct gpuoa_calc *calc;
	struct gpuoa_constants *constants;
	struct rows rows;
	size_t width, used;

	if (!rows_begin(&rows, &fake_tgl, "RenderBasic", count, 7))
		return;
	unit = (struct gpuoa_unit_desc){
		.timestamp_frequency = 19200000,
		.gt_min_frequency = 300000000,
		.gt_max_frequency = 1300000000,
		.slice_mask = 1,
		.subslice_mask = 0x3f,
		.eu_count = 96,
		.threads_per_eu = 7,
		.slice_count = 1,
		.subslice_count = 6,
		.device_id = 0x9a49,
		.revision = 3,
		.timestamp_bits = 32,
	};
	REQUIRE(!gpuoa_constants_of_unit(&unit, sizeof(unit), gpuoa_platform_find("tglgt2"),
					 &constants));
	gpuoa_set_describe(rows.definition, &(struct gpuoa_set_desc){ 0 }, 0);
	REQUIRE(!gpuoa_calc_open(rows.definition, constants, GPUOA_REPORT_A24U40_A14U32_B8_C8, NULL,
				 &calc, NULL, 0) ||
		!gpuoa_calc_open(rows.definition, constants, GPUOA_REPORT_A32U40_A4U32_B8_C8, NULL,
				 &calc, NULL, 0));
	width = gpuoa_calc_output_count(calc);
	expected = calloc(count * width, sizeof(*expected));
	CHECK(gpuoa_calc_run(calc, rows.reports, count, expected, NULL, count, &used) == count - 1);
	CHECK(calculate(&rows, 0, count, count) == MDAPI_OK);
	CHECK(rows.count == count - 1);
	for (uint32_t j = 0; j < rows.metrics; j++) {
		const struct mdapi_metric_params *params =
			CALL(CALL(rows.set, get_metric, j), get_params);
		const struct gpuoa_metric *metric =
			gpuoa_set_find_metric(rows.definition, params->symbol);

		gpuoa_metric_describe(metric, &desc, sizeof(desc));
		for (uint32_t i = 0; i < rows.count; i++) {
			const struct mdapi_value *value = &rows.values[i * rows.columns + j];
			const union gpuoa_value plain = expected[i * width + desc.index];

			if (desc.type == GPUOA_TYPE_FLOAT)
				REQUIRE(value->type == MDAPI_VALUE_FLOAT &&
					value->f32 == plain.f32);
			else if (!strcmp(params->symbol, "AvgGpuCoreFrequencyMHz"))
				REQUIRE(value->u64 == plain.u64 / 1000000);
			else
				REQUIRE(value->type == MDAPI_VALUE_UINT64 &&
					value->u64 == plain.u64);
		}
	}
	free(expected);
	gpuoa_calc_close(calc);
	gpuoa_constants_free(constants);
	rows_end(&rows);
}

static void calculation_continues_after_the_last_report(void)
{
	struct mdapi_value *whole;
	struct rows rows;

	if (!rows_begin(&rows, &fake_tgl, "RenderBasic", 10, 0))
		return;
	CHECK(calculate(&rows, 0, 10, 9) == MDAPI_OK && rows.count == 9);
	whole = malloc(9 * rows.size);
	memcpy(whole, rows.values, 9 * rows.size);
	/* Setting another filter in between discards the last report. */
	CHECK(CALL(rows.set, set_api_filter, MDAPI_API_OCL) == MDAPI_OK);
	CHECK(CALL(rows.set, set_api_filter, MDAPI_API_STREAM) == MDAPI_OK);
	CHECK(calculate(&rows, 0, 1, 1) == MDAPI_OK && rows.count == 0);
	CHECK(calculate(&rows, 1, 1, 1) == MDAPI_OK && rows.count == 1);
	CHECK(!memcmp(rows.values, whole, rows.size));
	/* with maxima, then without */
	CHECK(CALL(rows.set, calculate_1_5, rows.reports + 2 * rows.report_size,
		   4 * rows.report_size, rows.values, 4 * rows.size, &rows.count, rows.maxima,
		   4 * rows.metrics * (uint32_t)sizeof(struct mdapi_value)) == MDAPI_OK);
	CHECK(rows.count == 4 && !memcmp(rows.values, (uint8_t *)whole + rows.size, 4 * rows.size));
	/* The filter can be removed and set again without losing the last report. */
	CHECK(CALL(rows.set, set_api_filter, MDAPI_API_ALL) == MDAPI_OK);
	CHECK(CALL(rows.set, set_api_filter, MDAPI_API_STREAM) == MDAPI_OK);
	CHECK(calculate(&rows, 6, 4, 4) == MDAPI_OK && rows.count == 4);
	CHECK(!memcmp(rows.values, (uint8_t *)whole + 5 * rows.size, 4 * rows.size));
	free(whole);
	rows_end(&rows);
}

static void calculation_rejects_wrong_arguments(void)
{
	struct rows rows;
	uint32_t count = 9;

	if (!rows_begin(&rows, &fake_tgl, "RenderBasic", 10, 0))
		return;
	CHECK(CALL(rows.set, calculate_1_1, NULL, rows.report_size, rows.values, rows.size, &count,
		   false) == MDAPI_INVALID_PARAMETER);
	CHECK(CALL(rows.set, calculate_1_1, rows.reports, rows.report_size, NULL, rows.size, &count,
		   false) == MDAPI_INVALID_PARAMETER);
	CHECK(CALL(rows.set, calculate_1_1, rows.reports, rows.report_size, rows.values, rows.size,
		   &count, true) == MDAPI_NOT_SUPPORTED);
	CHECK(CALL(rows.set, calculate_1_1, rows.reports, rows.report_size + 1, rows.values,
		   rows.size, &count, false) == MDAPI_INVALID_PARAMETER);
	CHECK(CALL(rows.set, calculate_1_1, rows.reports, rows.report_size, rows.values,
		   rows.size - 1, &count, false) == MDAPI_INVALID_PARAMETER);
	CHECK(calculate(&rows, 0, 3, 1) == MDAPI_INVALID_PARAMETER);
	CHECK(CALL(rows.set, calculate_1_5, rows.reports, 3 * rows.report_size, rows.values,
		   2 * rows.size, &count, rows.maxima,
		   rows.metrics * (uint32_t)sizeof(struct mdapi_value)) == MDAPI_INVALID_PARAMETER);
	count = 9;
	CHECK(CALL(rows.set, calculate_1_1, rows.reports, 0, rows.values, rows.size, &count,
		   false) == MDAPI_OK);
	CHECK(count == 0);
	/* The failed calls above have consumed no report. */
	CHECK(calculate(&rows, 0, 3, 2) == MDAPI_OK && rows.count == 2);
	CHECK(CALL(rows.set, calculate_1_1, rows.reports, rows.report_size, rows.values, rows.size,
		   NULL, false) == MDAPI_OK);
	/* Reports of a stream are not results of queries. */
	CHECK(CALL(rows.set, set_api_filter, MDAPI_API_OCL) == MDAPI_OK);
	CHECK(calculate(&rows, 0, 3, 3) == MDAPI_INVALID_PARAMETER);
	CHECK(CALL(rows.set, set_api_filter, 0) == MDAPI_OK);
	CHECK(calculate(&rows, 0, 3, 3) == MDAPI_GENERAL_ERROR);
	rows_end(&rows);
}

static void begin_time_wraps_with_the_hardware(void)
{
	uint32_t column, last;
	struct rows rows;

	if (!rows_begin(&rows, &fake_skl, "RenderBasic", 3, 0))
		return;
	column = find_column(rows.set, "QueryBeginTime");
	REQUIRE(column != UINT32_MAX);
	/* Change the last report so that its 32-bit timestamp has wrapped. */
	last = 500;
	memcpy(rows.reports + 2 * rows.report_size + 4, &last, sizeof(last));
	CHECK(calculate(&rows, 0, 3, 2) == MDAPI_OK && rows.count == 2);
	CHECK(rows.values[column].u64 == 2000 * 1000000000ull / 12000000);
	CHECK(rows.values[rows.columns + column].u64 == 500 * 1000000000ull / 12000000);
	rows_end(&rows);
}

static void set_context(struct rows *rows, uint32_t report, uint32_t context)
{
	uint8_t *begin = rows->reports + (size_t)report * rows->report_size;

	begin[2] |= 1; /* the context is valid */
	memcpy(begin + 8, &context, sizeof(context));
}

static void previous_context_is_that_of_the_report_before(void)
{
	const uint32_t count = 150; /* more than two batches */
	const struct mdapi_info_params *params;
	uint32_t column, current;
	struct rows rows;

	if (!rows_begin(&rows, &fake_skl, "RenderBasic", count, 0))
		return;
	for (uint32_t i = 0; i < count; i++)
		set_context(&rows, i, 1000 + i);
	column = find_column(rows.set, "PreviousContextId");
	current = find_column(rows.set, "ContextId");
	REQUIRE(column != UINT32_MAX && current != UINT32_MAX);
	params = CALL(CALL(rows.set, get_info, column - rows.metrics), get_params);
	CHECK(params->type == MDAPI_INFO_CONTEXT_ID);
	CHECK(CALL(params->stream_read, get_element_count) == 1);
	CHECK(CALL(params->stream_read, get_element, 0)->type == MDAPI_ELEMENT_INFO);
	CHECK_STRING(CALL(params->stream_read, get_element, 0)->name, "PreviousContextId");
	CHECK(calculate(&rows, 0, 100, count) == MDAPI_OK && rows.count == 99);
	for (uint32_t i = 0; i < 99; i++) {
		CHECK(rows.values[i * rows.columns + column].u64 == 1000 + i);
		CHECK(rows.values[i * rows.columns + current].u64 == 1001 + i);
	}
	/* Calculate with maxima; the last report of the previous call begins the first row. */
	CHECK(CALL(rows.set, calculate_1_5, rows.reports + (size_t)100 * rows.report_size,
		   50 * rows.report_size, rows.values, count * rows.size, &rows.count, rows.maxima,
		   count * rows.metrics * 16) == MDAPI_OK);
	CHECK(rows.count == 50);
	for (uint32_t i = 0; i < 50; i++)
		CHECK(rows.values[i * rows.columns + column].u64 == 1099 + i);
	rows_end(&rows);
	/* Only context-switch reports of Xe2 have a context. */
	if (!rows_begin(&rows, &fake_lnl, "RenderBasic", 2, 0))
		return;
	CHECK(find_column(rows.set, "ContextId") != UINT32_MAX);
	CHECK(find_column(rows.set, "PreviousContextId") == UINT32_MAX);
	rows_end(&rows);
}

static void asynchronous_rows_end_with_other_reports_than_the_timers(void)
{
	uint32_t time, reason;
	struct rows rows;

	/* Reports 2, 5 and 8 are of context switches; the others are of the timer. */
	if (!rows_begin(&rows, &fake_tgl, "RenderBasic", 10, 3))
		return;
	time = find_column(rows.set, "GpuTime");
	reason = find_column(rows.set, "ReportReason");
	REQUIRE(time != UINT32_MAX && reason != UINT32_MAX);
	CHECK(CALL(rows.set, calculate_async, rows.reports, 10 * rows.report_size, rows.values,
		   3 * rows.size, &rows.count, rows.maxima,
		   3 * rows.metrics * (uint32_t)sizeof(struct mdapi_value)) == MDAPI_OK);
	REQUIRE(rows.count == 3);
	for (uint32_t i = 0; i < 3; i++) {
		const struct mdapi_value *row = &rows.values[i * rows.columns];

		CHECK(row[time].u64 == (i ? 3000 * 1000000000ull / 19200000 : 0));
		CHECK(row[reason].u64 == MDAPI_REASON_CONTEXT_SWITCH);
	}
	CHECK(rows.maxima[time].u64 == 0);
	CHECK(CALL(rows.set, calculate_async, rows.reports, 10 * rows.report_size, rows.values,
		   2 * rows.size, &rows.count, NULL, 0) == MDAPI_INVALID_PARAMETER);
	rows_end(&rows);
}

/* ---- streams -------------------------------------------------------------------------------- */

static enum mdapi_result open_stream(const char *symbol, uint32_t *period, uint32_t *buffer)
{
	return CALL(group, open_stream_1_0, find_set(group, symbol), 0, period, buffer);
}

static void stream_is_opened_with_what_the_hardware_has(void)
{
	uint32_t period = 1000000, buffer = 10 * 256 * 2, zero = 0;

	if (!begin(&fake_tgl))
		return;
	CHECK(open_stream("RenderBasic", &period, &buffer) == MDAPI_OK);
	CHECK(period == 853333); /* 2^14 ticks */
	CHECK(buffer == 16 << 20);
	CHECK(fake.options.notify_reports == 10);
	CHECK(fake.options.rounding == (GPUOA_ROUNDING_DOWN | GPUOA_ROUNDING_CLAMP));
	CHECK(fake.set == definition_of(&fake_tgl, find_set(group, "RenderBasic")));
	CHECK(fake.enabled);
	CHECK(open_stream("TestOa", &period, &buffer) == MDAPI_GROUP_LOCKED);
	CHECK(CALL(group, close_stream) == MDAPI_OK);
	CHECK(CALL(group, close_stream) == MDAPI_GENERAL_ERROR);
	CHECK(open_stream("TestOa", &zero, &zero) == MDAPI_OK);
	CHECK(fake.options.notify_reports == 0); /* left to the library */
	CHECK(CALL(group, close_stream) == MDAPI_OK);
	buffer = 1;
	CHECK(open_stream("TestOa", &period, &buffer) == MDAPI_OK);
	CHECK(fake.options.notify_reports == 1);
	end(); /* closes it */
}

static void keep_message(void *context, const char *message)
{
	snprintf(context, 256, "%s", message);
}

static void stream_reports_why_it_cannot_be_opened(void)
{
	char message[256] = "";
	struct fake_gpu gpu = fake_lnl;
	uint32_t period = 1000000, buffer = 0;
	struct mdapi_group *media;

	gpu.media = true;
	if (!begin(&gpu))
		return;
	CHECK(CALL(group, open_stream_1_0, NULL, 0, &period, &buffer) == MDAPI_INVALID_PARAMETER);
	CHECK(open_stream("TestOa", NULL, &buffer) == MDAPI_INVALID_PARAMETER);
	CHECK(open_stream("TestOa", &period, NULL) == MDAPI_INVALID_PARAMETER);
	CHECK(CALL(group, open_stream_1_0, find_set(group, "TestOa"), 1, &period, &buffer) ==
	      MDAPI_NOT_SUPPORTED);
	media = CALL(device, get_group, 1);
	CHECK(CALL(media, open_stream_1_0, find_set(group, "TestOa"), 0, &period, &buffer) ==
	      MDAPI_INVALID_PARAMETER);
	fake.stream_error = -EBUSY;
	CHECK(open_stream("TestOa", &period, &buffer) == MDAPI_GROUP_LOCKED);
	GpuoaSetLog(keep_message, message);
	CHECK(open_stream("TestOa", &period, &buffer) == MDAPI_GROUP_LOCKED);
	CHECK_STRING(message, "fake0.0: cannot open: for a test");
	GpuoaSetLog(NULL, NULL);
	*message = '\0';
	CHECK(open_stream("TestOa", &period, &buffer) == MDAPI_GROUP_LOCKED);
	CHECK_STRING(message, "");
	fake.stream_error = -EACCES;
	CHECK(open_stream("TestOa", &period, &buffer) == MDAPI_ACCESS_DENIED);
	CHECK(CALL(group, set_sampling_type, MDAPI_SAMPLING_OA_TIMER) == MDAPI_OK);
	CHECK(CALL(group, set_sampling_type, MDAPI_SAMPLING_OAM_TIMER) == MDAPI_NOT_SUPPORTED);
	CHECK(CALL(media, set_sampling_type, MDAPI_SAMPLING_OAM_TIMER) == MDAPI_OK);
	end();
}

static void read_returns_reports_across_gaps(void)
{
	uint32_t period = 1000000, buffer = 0, count;
	struct mdapi_value infos[3];
	struct rows rows;
	char *read;

	if (!rows_begin(&rows, &fake_tgl, "RenderBasic", 20, 0))
		return;
	read = malloc(20 * rows.report_size);
	count = 5;
	CHECK(CALL(group, read_stream, &count, read, 0) == MDAPI_GENERAL_ERROR && !count);
	CHECK(CALL(group, wait_for_reports, 0) == MDAPI_GENERAL_ERROR);
	REQUIRE(open_stream("RenderBasic", &period, &buffer) == MDAPI_OK);
	fake.reports = rows.reports;
	fake.report_count = 12;
	fake.read_chunk = 5;
	fake.frequency_mhz = 800;
	fake.status.lost_overflow = 3;
	count = 10;
	CHECK(CALL(group, wait_for_reports, 10) == MDAPI_OK);
	CHECK(CALL(group, read_stream, &count, read, 0) == MDAPI_OK && count == 10);
	CHECK(!memcmp(read, rows.reports, 10 * rows.report_size));
	CHECK(CALL(rows.set, calculate_stream_infos, infos, sizeof(infos)) == MDAPI_OK);
	CHECK(infos[0].type == MDAPI_VALUE_UINT64 && infos[0].u64 == 800);
	CHECK(infos[1].type == MDAPI_VALUE_BOOL && !infos[1].boolean);
	CHECK(infos[2].type == MDAPI_VALUE_BOOL && infos[2].boolean);
	fake.status.lost_hardware = 1;
	count = 10;
	CHECK(CALL(group, read_stream, &count, read, 0) == MDAPI_READ_PENDING && count == 2);
	CHECK(!memcmp(read, rows.reports + 10 * rows.report_size, 2 * rows.report_size));
	CHECK(CALL(rows.set, calculate_stream_infos, infos, sizeof(infos)) == MDAPI_OK);
	CHECK(infos[0].u64 == 800 && infos[1].boolean && !infos[2].boolean);
	count = 10;
	CHECK(CALL(group, read_stream, &count, read, 0) == MDAPI_READ_PENDING && !count);
	fake.wait_error = -ETIMEDOUT;
	CHECK(CALL(group, wait_for_reports, 0) == MDAPI_TIMEOUT);
	fake.wait_error = -ECANCELED;
	CHECK(CALL(group, wait_for_reports, 0) == MDAPI_TIMEOUT);
	fake.read_error = -ENODEV;
	count = 10;
	CHECK(CALL(group, read_stream, &count, read, 0) == MDAPI_FILE_NOT_FOUND && !count);
	CHECK(CALL(rows.set, calculate_stream_infos, infos, 32) == MDAPI_INVALID_PARAMETER);
	CHECK(CALL(rows.set, calculate_stream_infos, NULL, 48) == MDAPI_INVALID_PARAMETER);
	CHECK(CALL(group, read_stream, NULL, read, 0) == MDAPI_INVALID_PARAMETER);
	CHECK(CALL(group, read_stream, &count, NULL, 0) == MDAPI_INVALID_PARAMETER);
	free(read);
	rows_end(&rows);
}

static void read_skips_old_reports(void)
{
	uint32_t period = 1000000, buffer = 0, count = 4;
	struct rows rows;
	char *read;

	if (!rows_begin(&rows, &fake_tgl, "RenderBasic", 20, 0))
		return;
	read = malloc(20 * rows.report_size);
	REQUIRE(open_stream("RenderBasic", &period, &buffer) == MDAPI_OK);
	fake.reports = rows.reports;
	fake.report_count = 20;
	CHECK(CALL(group, read_stream, &count, read, MDAPI_READ_NEWEST) == MDAPI_OK);
	CHECK(count == 4 &&
	      !memcmp(read, rows.reports + 16 * rows.report_size, 4 * rows.report_size));
	free(read);
	rows_end(&rows);
}

/* Some drivers end a wait as soon as there is one report. */
static void wait_counts_the_reports_that_were_requested(void)
{
	uint32_t period = 1000000, buffer, count;
	struct mdapi_value infos[3];
	struct rows rows;
	char *read;

	if (!rows_begin(&rows, &fake_tgl, "RenderBasic", 20, 0))
		return;
	read = malloc(20 * rows.report_size);
	buffer = 2 * 8 * (uint32_t)rows.report_size;
	REQUIRE(open_stream("RenderBasic", &period, &buffer) == MDAPI_OK);
	CHECK(fake.options.notify_reports == 8);
	fake.reports = rows.reports;
	fake.report_count = 5;
	fake.read_chunk = 3;
	fake.frequency_mhz = 700;
	fake.status.lost_hardware = 1;
	fake.wait_error = -ETIMEDOUT;
	CHECK(CALL(group, wait_for_reports, 0) == MDAPI_TIMEOUT && !fake.report_count);
	CHECK(CALL(group, wait_for_reports, 5) == MDAPI_TIMEOUT);
	fake.report_count = 15;
	CHECK(CALL(group, wait_for_reports, 0) == MDAPI_OK && fake.report_count == 12);
	CHECK(CALL(group, wait_for_reports, UINT32_MAX) == MDAPI_OK && fake.report_count == 12);
	count = 3;
	CHECK(CALL(group, read_stream, &count, read, 0) == MDAPI_OK && count == 3);
	CHECK(!memcmp(read, rows.reports, 3 * rows.report_size) && fake.report_count == 12);
	CHECK(CALL(rows.set, calculate_stream_infos, infos, sizeof(infos)) == MDAPI_OK);
	CHECK(infos[0].u64 == 700 && infos[1].boolean && !infos[2].boolean);

	/* five in the queue, and one that is not */
	count = 6;
	CHECK(CALL(group, read_stream, &count, read, 0) == MDAPI_OK && count == 6);
	CHECK(!memcmp(read, rows.reports + 3 * rows.report_size, 6 * rows.report_size));
	CHECK(CALL(rows.set, calculate_stream_infos, infos, sizeof(infos)) == MDAPI_OK);
	CHECK(!infos[1].boolean);

	/* the newest ones: one of those in the queue, and two that are not */
	fake.report_count = 6;
	CHECK(CALL(group, wait_for_reports, 0) == MDAPI_TIMEOUT && !fake.report_count);
	fake.report_count = 2;
	count = 3;
	CHECK(CALL(group, read_stream, &count, read, MDAPI_READ_NEWEST) == MDAPI_OK && count == 3);
	CHECK(!memcmp(read, rows.reports + 14 * rows.report_size, 3 * rows.report_size));
	count = 20;
	CHECK(CALL(group, read_stream, &count, read, MDAPI_READ_NEWEST) == MDAPI_READ_PENDING);
	CHECK(!count);

	/* the last reports of a GPU that was removed */
	fake.report_count = 3;
	fake.read_error = fake.wait_error = -ENODEV;
	CHECK(CALL(group, wait_for_reports, 50) == MDAPI_OK);
	CHECK(CALL(group, read_stream, &count, read, 0) == MDAPI_OK && !count);
	count = 20;
	CHECK(CALL(group, read_stream, &count, read, 0) == MDAPI_READ_PENDING && count == 3);
	CHECK(CALL(group, wait_for_reports, 0) == MDAPI_FILE_NOT_FOUND);
	CHECK(CALL(group, close_stream) == MDAPI_OK);

	/* reports that were waited for are not those of the next stream */
	buffer = 2 * 8 * (uint32_t)rows.report_size;
	fake.read_error = 0;
	fake.wait_error = -ECANCELED;
	REQUIRE(open_stream("RenderBasic", &period, &buffer) == MDAPI_OK);
	fake.reports = rows.reports;
	fake.report_count = 4;
	CHECK(CALL(group, wait_for_reports, 10) == MDAPI_TIMEOUT && !fake.report_count);
	CHECK(CALL(group, close_stream) == MDAPI_OK);
	REQUIRE(open_stream("RenderBasic", &period, &buffer) == MDAPI_OK);
	count = 20;
	CHECK(CALL(group, read_stream, &count, read, 0) == MDAPI_READ_PENDING && !count);
	free(read);
	rows_end(&rows);
}

static void stream_can_be_disabled(void)
{
	uint32_t period = 1000000, buffer = 0;
	struct mdapi_set *set;

	if (!begin(&fake_tgl))
		return;
	set = find_set(group, "TestOa");
	CHECK(CALL(group, change_stream_state, MDAPI_STREAM_ENABLED, &period) ==
	      MDAPI_FILE_NOT_FOUND);
	CHECK(CALL(group, open_stream_1_15, set, 0, &period, &buffer, MDAPI_STREAM_DISABLED) ==
	      MDAPI_OK);
	CHECK(!fake.enabled);
	CHECK(CALL(group, change_stream_state, MDAPI_STREAM_ENABLED, &period) == MDAPI_OK);
	CHECK(fake.enabled);
	CHECK(CALL(group, change_stream_state, MDAPI_STREAM_DISABLED, &period) == MDAPI_OK);
	CHECK(!fake.enabled);
	CHECK(CALL(group, change_stream_state, MDAPI_STREAM_DISABLED, NULL) ==
	      MDAPI_INVALID_PARAMETER);
	CHECK(CALL(group, change_stream_state, 2, &period) == MDAPI_INVALID_PARAMETER);
	end();
}

static void opening_a_stream_forgets_the_last_report(void)
{
	uint32_t period = 1000000, buffer = 0;
	struct rows rows;

	if (!rows_begin(&rows, &fake_tgl, "RenderBasic", 4, 0))
		return;
	CHECK(calculate(&rows, 0, 2, 2) == MDAPI_OK && rows.count == 1);
	REQUIRE(open_stream("RenderBasic", &period, &buffer) == MDAPI_OK);
	CHECK(calculate(&rows, 2, 2, 2) == MDAPI_OK && rows.count == 1);
	rows_end(&rows);
}

static void stream_infos_are_equations_of_one_number(void)
{
	static const char *const symbols[] = { "CoreFrequencyMHz", "ReportLost", "BufferOverflow" };

	if (!begin(&fake_tgl))
		return;
	for (uint32_t i = 0; i < 3; i++) {
		const struct mdapi_info_params *params =
			CALL(CALL(group, get_stream_info, i), get_params);

		CHECK_STRING(params->symbol, symbols[i]);
		CHECK(CALL(params->stream_read, get_element_count) == 1);
		CHECK(CALL(params->stream_read, get_element, 0)->type == MDAPI_ELEMENT_UINT64);
		CHECK(CALL(params->stream_read, get_element, 1) == NULL);
	}
	CHECK(CALL(group, get_stream_info, 3) == NULL);
	end();
}

/* ---- activation ----------------------------------------------------------------------------- */

static void activation_adds_the_configuration_for_queries(void)
{
	struct mdapi_set *set, *other;

	if (!begin(&fake_tgl))
		return;
	set = find_set(group, "RenderBasic");
	other = find_set(group, "TestOa");
	CHECK(CALL(set, deactivate) == MDAPI_OK);
	CHECK(CALL(set, activate) == MDAPI_OK);
	CHECK(params_of(set)->ids.config == 7 && fake.configs[0].id == 7);
	CHECK(fake.configs[0].registers > 10);
	CHECK_STRING(fake.configs[0].uuid, "2f01b241-7014-42a7-9eb6-a925cad3daba");
	/* Activating another set replaces the configuration, because all sets use the same UUID. */
	CHECK(CALL(other, activate) == MDAPI_OK);
	CHECK(params_of(other)->ids.config == 8 && fake.configs[0].id == 8);
	CHECK(CALL(set, deactivate) == MDAPI_OK);
	CHECK(params_of(set)->ids.config == 0 && fake.configs[0].id == 8);
	CHECK(CALL(set, activate) == MDAPI_OK);
	end(); /* closing the device deactivates it */
}

/* ---- metrics and sets of the program -------------------------------------------------------- */

static struct mdapi_metric *add_metric(struct mdapi_set *set, const char *symbol, const char *norm,
				       const char *max)
{
	return CALL(set, add_metric_1_13, symbol, "My metric", "Mine", "A metric of a test.", NULL,
		    MDAPI_USAGE_FRAME, MDAPI_API_STREAM, MDAPI_RESULT_UINT64, "events",
		    MDAPI_METRIC_EVENT, 10, 20, MDAPI_UNIT_SLICE, "dw@0x04", "DELTA 32", "", norm,
		    max, NULL, 0);
}

static void metric_of_the_program_is_calculated(void)
{
	struct mdapi_metric *first, *added;
	struct mdapi_metric_params *params;
	uint32_t column, metrics;
	struct rows rows;

	if (!rows_begin(&rows, &fake_tgl, "RenderBasic", 3, 0))
		return;
	metrics = rows.metrics;
	first = CALL(rows.set, get_metric, 0);
	added = add_metric(rows.set, "MyTicks", "$Self 3 UMUL", "1000000");
	REQUIRE(added != NULL);
	CHECK(add_metric(rows.set, "MyTicks", "", "") == NULL); /* exists */
	CHECK(add_metric(rows.set, "Other", "$NoSuchThing", "") == NULL);
	CHECK(add_metric(rows.set, "Other", "$Self 3", "") == NULL);
	CHECK(add_metric(rows.set, "MyTicks2", "$Self $$MyTicks UADD", NULL) != NULL);
	CHECK(CALL(rows.set, get_metric, 0) == first);
	CHECK(params_of(rows.set)->metric_count == metrics + 2);
	params = CALL(added, get_params);
	CHECK_STRING(params->symbol, "MyTicks");
	CHECK_STRING(params->units, "events");
	CHECK(params->low_watermark == 10 && params->high_watermark == 20);
	CHECK(params->hw_unit == MDAPI_UNIT_SLICE && params->usage == MDAPI_USAGE_FRAME);
	CHECK(params->index == metrics && params->max != NULL);
	rows.columns += 2;
	rows.size = rows.columns * (uint32_t)sizeof(struct mdapi_value);
	free(rows.values);
	rows.values = calloc(3, rows.size);
	CHECK(calculate(&rows, 0, 3, 2) == MDAPI_OK && rows.count == 2);
	column = find_column(rows.set, "MyTicks");
	CHECK(rows.values[column].u64 == 3000);
	CHECK(rows.values[rows.columns + column + 1].u64 == 4000);
	column = find_column(rows.set, "GpuTime");
	CHECK(rows.values[column].u64 == 1000 * 1000000000ull / 19200000);
	rows_end(&rows);
}

static void metric_of_the_program_needs_names_and_apis(void)
{
	struct mdapi_set *set;

	if (!begin(&fake_tgl))
		return;
	set = find_set(group, "TestOa");
	CHECK(add_metric(set, NULL, "", "") == NULL);
	CHECK(CALL(set, add_metric_1_0, "A", "B", "C", "D", NULL, 0, MDAPI_API_STREAM,
		   MDAPI_RESULT_UINT64, "", MDAPI_METRIC_EVENT, 0, 0, MDAPI_UNIT_GPU, "dw@4",
		   "DELTA 32", NULL, NULL, NULL, NULL) == NULL);
	CHECK(CALL(set, add_metric_1_0, "A", "B", "C", "D", NULL, MDAPI_USAGE_FRAME, MDAPI_API_OCL,
		   MDAPI_RESULT_UINT64, "", MDAPI_METRIC_EVENT, 0, 0, MDAPI_UNIT_GPU, "dw@4",
		   "DELTA 32", NULL, NULL, NULL, NULL) == NULL);
	CHECK(CALL(set, add_metric_1_0, "A", "B", "C", "D", NULL, MDAPI_USAGE_FRAME,
		   MDAPI_API_STREAM, MDAPI_RESULT_UINT64, "", MDAPI_METRIC_EVENT, 0, 0,
		   MDAPI_UNIT_GPU, "dw@4", "DELTA 32", NULL, NULL, NULL, NULL) != NULL);
	end();
}

static struct mdapi_prototype *find_prototype(struct mdapi_enumerator *enumerator,
					      const char *symbol)
{
	for (uint32_t i = 0; i < CALL(enumerator, get_prototype_count); i++) {
		struct mdapi_prototype *prototype = CALL(enumerator, get_prototype, i);

		if (!strcmp(CALL(prototype, get_params)->symbol, symbol))
			return prototype;
	}
	return NULL;
}

static void prototypes_are_the_events_of_the_hardware(void)
{
	struct mdapi_enumerator *enumerator;
	struct mdapi_prototype *some[4] = { NULL };
	uint32_t count, total, options = 0;

	if (!begin(&fake_lnl))
		return;
	enumerator = CALL(group, get_enumerator);
	REQUIRE(enumerator != NULL);
	CHECK(CALL(group, get_enumerator) == enumerator);
	CHECK(CALL(group, get_enumerator_from_file, "events") == NULL);
	count = total = CALL(enumerator, get_prototype_count);
	CHECK(count > 150);
	CHECK(CALL(enumerator, get_prototype, count) == NULL);
	for (uint32_t i = 0; i < count; i++) {
		struct mdapi_prototype *prototype = CALL(enumerator, get_prototype, i);
		const struct mdapi_prototype_params *params = CALL(prototype, get_params);

		CHECK(*params->symbol && (params->apis || params->query_modes));
		CHECK(CALL(prototype, get_option, params->option_count) == NULL);
		for (uint32_t j = 0; j < params->option_count; j++, options++) {
			const struct mdapi_option_params *option = CALL(prototype, get_option, j);

			CHECK(option->value_count > 0);
			CHECK(option->values[0].type == MDAPI_VALUE_UINT32);
			CHECK(option->values[0].u32 ==
			      (option->type == MDAPI_OPTION_DISAGGREGATION ? 0 : 1));
			if (option->type == MDAPI_OPTION_DISAGGREGATION)
				CHECK(params->disaggregation != MDAPI_DISAGGREGATION_NONE);
		}
	}
	CHECK(options > count / 2);
	count = 4;
	CHECK(CALL(enumerator, get_prototypes, 1, &count, some) == MDAPI_OK && count == 4);
	CHECK(some[0] == CALL(enumerator, get_prototype, 1));
	count = 4;
	CHECK(CALL(enumerator, get_prototypes, total - 2, &count, some) == MDAPI_OK && count == 2);
	CHECK(CALL(enumerator, get_prototypes, 0, NULL, some) == MDAPI_INVALID_PARAMETER);
	CHECK(CALL(enumerator, get_prototypes, 1000, &count, some) == MDAPI_INVALID_PARAMETER);
	end();
}

/* Level Zero passes the names that a program chooses. */
static void set_of_prototypes_has_any_symbol(void)
{
	static const char set_symbol[] = "group of mine 0", symbol[] = "busy \xc3\xa9\xa7 %";
	struct mdapi_prototype *clone;
	struct mdapi_set *set;

	if (!begin(&fake_lnl))
		return;
	set = CALL(group, add_set_1_16, set_symbol, "My set", MDAPI_COUNTERS_NORMAL);
	clone = CALL(find_prototype(CALL(group, get_enumerator), "XVE_ACTIVE_CYCLES"), clone);
	REQUIRE(set && clone);
	CHECK(CALL(clone, change_names, symbol, "Busy", "How busy.", "cycles") == MDAPI_OK);
	CHECK(CALL(set, open) == MDAPI_OK && CALL(set, add_prototype, clone) == MDAPI_OK);
	REQUIRE(CALL(set, finalize) == MDAPI_OK);
	CHECK(CALL(set, set_api_filter, MDAPI_API_STREAM) == MDAPI_OK);
	CHECK_STRING(params_of(set)->symbol, set_symbol);
	CHECK(find_set(group, set_symbol) == set);
	CHECK(find_column(set, symbol) != UINT32_MAX);
	/* also after the set has been compiled again */
	CHECK(CALL(set, open) == MDAPI_OK && CALL(set, finalize) == MDAPI_OK);
	CHECK(find_column(set, symbol) != UINT32_MAX);
	CHECK(CALL(group, remove_set_1_16, set) == MDAPI_OK);
	end();
}

static void set_of_prototypes_is_calculated(void)
{
	const struct mdapi_value one = { .type = MDAPI_VALUE_UINT32, .u32 = 1 };
	const struct mdapi_value two = { .type = MDAPI_VALUE_UINT64, .u64 = 2 };
	const struct mdapi_value none = { .type = MDAPI_VALUE_FLOAT, .f32 = 2 };
	struct mdapi_enumerator *enumerator;
	struct mdapi_prototype *prototype, *clone;
	uint32_t period = 1000000, buffer = 0, sets, columns, rows;
	struct mdapi_value *values;
	struct mdapi_set *set;
	uint8_t *reports;

	if (!begin(&fake_lnl))
		return;
	enumerator = CALL(group, get_enumerator);
	sets = CALL(group, get_params)->set_count;
	CHECK(CALL(group, add_set_1_16, "Mine", "My set", MDAPI_COUNTERS_DENSE) == NULL);
	CHECK(CALL(group, add_set_1_13, NULL, "My set") == NULL);
	set = CALL(group, add_set_1_16, "Mine", "My set", MDAPI_COUNTERS_NORMAL);
	REQUIRE(set != NULL);
	CHECK(CALL(group, get_params)->set_count == sets + 1 && find_set(group, "Mine") == set);
	CHECK(params_of(set)->metric_count == 0);
	CHECK(open_stream("Mine", &period, &buffer) == MDAPI_GENERAL_ERROR);
	CHECK(CALL(set, activate) == MDAPI_GENERAL_ERROR);
	prototype = find_prototype(enumerator, "XVE_ACTIVE_CYCLES");
	REQUIRE(prototype != NULL);
	clone = CALL(prototype, clone);
	CHECK(clone && clone != prototype);
	CHECK(CALL(clone, set_option, MDAPI_OPTION_LATENCY, &one) == MDAPI_INVALID_PARAMETER);
	CHECK(CALL(clone, set_option, MDAPI_OPTION_UTILIZATION, &two) == MDAPI_INVALID_PARAMETER);
	CHECK(CALL(clone, set_option, MDAPI_OPTION_UTILIZATION, NULL) == MDAPI_GENERAL_ERROR);
	CHECK(CALL(clone, set_option, MDAPI_OPTION_UTILIZATION, &one) == MDAPI_OK);
	CHECK(CALL(clone, set_option, MDAPI_OPTION_UTILIZATION, &one) == MDAPI_GENERAL_ERROR);
	CHECK(CALL(prototype, set_option, MDAPI_OPTION_DISAGGREGATION, &none) ==
	      MDAPI_INVALID_PARAMETER);
	CHECK(CALL(prototype, set_option, MDAPI_OPTION_DISAGGREGATION, &two) == MDAPI_OK);
	CHECK(CALL(clone, change_names, "Busy", "XVE busy", "How busy.", "percent") == MDAPI_OK);
	CHECK_STRING(CALL(clone, get_params)->symbol, "Busy");
	CHECK_STRING(CALL(prototype, get_params)->symbol, "XVE_ACTIVE_CYCLES");
	CHECK(CALL(set, add_prototype, clone) == MDAPI_GENERAL_ERROR); /* not open */
	CHECK(CALL(find_set(group, "TestOa"), open) == MDAPI_NOT_SUPPORTED);
	CHECK(CALL(find_set(group, "TestOa"), add_prototype, clone) == MDAPI_NOT_SUPPORTED);
	CHECK(CALL(set, open) == MDAPI_OK);
	CHECK(CALL(set, set_api_filter, MDAPI_API_STREAM) == MDAPI_GENERAL_ERROR);
	CHECK(CALL(group, remove_set_1_16, set) == MDAPI_INVALID_PARAMETER);
	CHECK(CALL(set, add_prototype, NULL) == MDAPI_INVALID_PARAMETER);
	CHECK(CALL(set, add_prototype, prototype) == MDAPI_OK);
	CHECK(CALL(set, add_prototype, clone) == MDAPI_OK);
	CHECK(CALL(set, add_prototype, clone) == MDAPI_ALREADY_INITIALIZED);
	CHECK(CALL(clone, change_names, "X", NULL, NULL, NULL) == MDAPI_GENERAL_ERROR);
	CHECK(CALL(enumerator, remove_clone, clone) == MDAPI_GENERAL_ERROR);
	CHECK(CALL(set, remove_prototype, prototype) == MDAPI_OK);
	CHECK(CALL(set, remove_prototype, prototype) == MDAPI_INVALID_PARAMETER);
	CHECK(CALL(set, add_prototype, prototype) == MDAPI_OK);
	CHECK(CALL(set, finalize) == MDAPI_OK);
	CHECK(CALL(set, set_api_filter, MDAPI_API_STREAM) == MDAPI_OK);
	CHECK(find_column(set, "GpuTime") != UINT32_MAX);
	CHECK(find_column(set, "XVE_ACTIVE_CYCLES_XECORE2") != UINT32_MAX);
	CHECK(params_of(set)->metric_count == 5);
	REQUIRE(find_column(set, "Busy") != UINT32_MAX);
	CHECK_STRING(CALL(CALL(set, get_metric, find_column(set, "Busy")), get_params)->units,
		     "percent");
	CHECK_STRING(params_of(set)->symbol, "Mine");
	CHECK(params_of(set)->report_size == 576);
	CHECK(open_stream("Mine", &period, &buffer) == MDAPI_OK);
	CHECK(CALL(group, remove_set_1_13, set) == MDAPI_INVALID_PARAMETER); /* in use */
	reports = make_reports(fake.set, 3, 0);
	CHECK(CALL(group, close_stream) == MDAPI_OK);
	columns = params_of(set)->metric_count + params_of(set)->info_count;
	values = calloc(2 * columns, sizeof(*values));
	CHECK(CALL(set, calculate_1_1, reports, 3 * 576, values,
		   2 * columns * (uint32_t)sizeof(*values), &rows, false) == MDAPI_OK);
	CHECK(rows == 2);
	CHECK(values[find_column(set, "XVE_ACTIVE_CYCLES_XECORE2")].u64 > 0);
	CHECK(values[find_column(set, "Busy")].f32 > 0);
	/* the set can be opened and finalized again */
	CHECK(CALL(set, open) == MDAPI_OK);
	CHECK(CALL(set, remove_prototype, prototype) == MDAPI_OK);
	CHECK(CALL(set, finalize) == MDAPI_OK);
	CHECK(find_column(set, "XVE_ACTIVE_CYCLES_XECORE2") == UINT32_MAX);
	CHECK(find_column(set, "Busy") != UINT32_MAX);
	CHECK(CALL(set, open) == MDAPI_OK);
	CHECK(CALL(set, remove_prototype, clone) == MDAPI_OK);
	CHECK(CALL(set, finalize) == MDAPI_GENERAL_ERROR); /* empty */
	CHECK(CALL(group, remove_set_1_16, set) == MDAPI_OK);
	CHECK(CALL(group, remove_set_1_16, set) == MDAPI_INVALID_PARAMETER);
	CHECK(CALL(group, remove_set_1_16, find_set(group, "TestOa")) == MDAPI_INVALID_PARAMETER);
	CHECK(CALL(group, get_params)->set_count == sets);
	CHECK(CALL(enumerator, remove_clone, clone) == MDAPI_OK);
	CHECK(CALL(enumerator, remove_clone, prototype) == MDAPI_INVALID_PARAMETER);
	free(values);
	free(reports);
	end();
}

/* ---- saved devices -------------------------------------------------------------------------- */

/* Compare the sets, metrics and values of two devices. */
static void compare_sets(struct mdapi_device *left, struct mdapi_set *right)
{
	struct mdapi_group *groups = CALL(left, get_group, 0);
	struct mdapi_set *set = NULL;

	for (uint32_t i = 0; i < CALL(groups, get_params)->set_count; i++) {
		set = CALL(groups, get_set, i);
		if (!strcmp(params_of(set)->symbol, params_of(right)->symbol))
			break;
		set = NULL;
	}
	REQUIRE(set != NULL);
	CHECK(params_of(set)->metric_count == params_of(right)->metric_count);
	CHECK(params_of(set)->report_size == params_of(right)->report_size);
	for (uint32_t i = 0; i < params_of(right)->metric_count; i++)
		CHECK_STRING(CALL(CALL(set, get_metric, i), get_params)->symbol,
			     CALL(CALL(right, get_metric, i), get_params)->symbol);
}

static void saved_device_calculates_offline(void)
{
	struct mdapi_set *sets[2], *set;
	struct mdapi_device *offline;
	uint32_t size = 0, needed, period = 1000000, buffer = 0, count;
	uint64_t gpu, cpu;
	uint32_t index;
	struct mdapi_value *values;
	struct rows rows;
	uint8_t *text;

	if (!rows_begin(&rows, &fake_tgl, "RenderBasic", 5, 0))
		return;
	CHECK(add_metric(rows.set, "MyTicks", "", "") != NULL);
	CHECK(CALL(rows.set, set_api_filter, 0) == MDAPI_OK);
	sets[0] = rows.set;
	sets[1] = find_set(group, "TestOa");
	CHECK(CALL(adapters, save_to_buffer_1_16, device, sets, 2, NULL, &size, 1, 13) == MDAPI_OK);
	REQUIRE(size > 1000);
	text = malloc(size);
	needed = size;
	size--;
	CHECK(CALL(adapters, save_to_buffer_1_14, device, sets, 2, text, &size, 1, 13) ==
	      MDAPI_INVALID_PARAMETER);
	size = needed;
	CHECK(CALL(adapters, save_to_buffer_1_15, device, sets, 2, text, &size, 1, 13) == MDAPI_OK);
	CHECK(size == needed);
	CHECK(CALL(adapters, save_to_buffer_1_16, NULL, sets, 2, text, &size, 1, 13) ==
	      MDAPI_INVALID_PARAMETER);
	CHECK(CALL(adapters, open_offline_1_14, NULL, size, &offline) == MDAPI_INVALID_PARAMETER);
	CHECK(CALL(adapters, open_offline_1_14, (uint8_t *)"something else", 14, &offline) ==
	      MDAPI_INVALID_PARAMETER);
	CHECK(CALL(adapters, open_offline_1_14, text, size / 2, &offline) ==
	      MDAPI_INVALID_PARAMETER);
	REQUIRE(CALL(adapters, open_offline_1_16, text, size, &offline) == MDAPI_OK);
	CHECK(CALL(CALL(offline, get_group, 0), get_params)->set_count == 2);
	compare_sets(offline, sets[0]);
	compare_sets(offline, sets[1]);
	CHECK(CALL(offline, get_symbol_value, "EuCoresTotalCount")->u32 == 96);
	CHECK(CALL(offline, get_symbol_value, "PciDeviceId")->u32 == 0x9a49);
	CHECK(CALL(offline, get_override, 0) == NULL);
	CHECK(CALL(offline, get_timestamps_1_0, &gpu, &cpu, &index) == MDAPI_NOT_SUPPORTED);
	group = CALL(offline, get_group, 0);
	set = find_set(group, "RenderBasic");
	REQUIRE(set != NULL);
	CHECK(CALL(group, open_stream_1_0, set, 0, &period, &buffer) == MDAPI_NOT_SUPPORTED);
	CHECK(CALL(set, activate) == MDAPI_NOT_SUPPORTED);
	CHECK(CALL(set, set_api_filter, MDAPI_API_STREAM) == MDAPI_OK);
	CHECK(CALL(rows.set, set_api_filter, MDAPI_API_STREAM) == MDAPI_OK);
	rows.size += sizeof(struct mdapi_value);
	free(rows.values);
	rows.values = calloc(5, rows.size);
	values = calloc(5, rows.size);
	CHECK(calculate(&rows, 0, 5, 4) == MDAPI_OK && rows.count == 4);
	CHECK(CALL(set, calculate_1_1, rows.reports, 5 * rows.report_size, values, 4 * rows.size,
		   &count, false) == MDAPI_OK);
	CHECK(count == 4 && !memcmp(values, rows.values, 4 * rows.size));
	CHECK(CALL(adapters, close_offline_1_14, NULL) == MDAPI_INVALID_PARAMETER);
	CHECK(CALL(adapters, close_offline_1_14, offline) == MDAPI_OK);
	CHECK(CALL(adapters, close_offline_1_15, offline) == MDAPI_INVALID_PARAMETER);
	/* An offline device that is left open is closed with the adapter group. */
	CHECK(CALL(adapters, open_offline_1_15, text, size, &offline) == MDAPI_OK);
	free(values);
	free(text);
	rows_end(&rows);
}

static void device_is_saved_to_a_file_and_opened_again(void)
{
	char path[] = "/tmp/gpuoa-igdmd-XXXXXX";
	struct mdapi_set *set;
	uint32_t sets;

	close(mkstemp(path));
	if (!begin(&fake_tgl))
		return;
	set = find_set(group, "TestOa");
	CHECK(add_metric(set, "MyTicks", "", "") != NULL);
	sets = CALL(group, get_params)->set_count;
	CHECK(CALL(adapter, save_device_1_11, path, NULL, device, 1, 11) == MDAPI_OK);
	CHECK(CALL(adapter, save_device_1_6, NULL, NULL, device) == MDAPI_INVALID_PARAMETER);
	CHECK(CALL(adapter, save_device_1_6, path, NULL, (void *)path) == MDAPI_GENERAL_ERROR);
	CHECK(CALL(adapter, save_device_1_6, "/nonexistent/file", NULL, device) ==
	      MDAPI_FILE_NOT_FOUND);
	CHECK(CALL(adapter, close_device, device) == MDAPI_OK);
	CHECK(CALL(adapter, open_device_from_file_1_16, "/nonexistent/file", NULL, &device) ==
	      MDAPI_FILE_NOT_FOUND);
	CHECK(CALL(adapter, open_device_from_file_1_16, NULL, NULL, &device) ==
	      MDAPI_INVALID_PARAMETER);
	REQUIRE(CALL(adapter, open_device_from_file_1_6, path, NULL, &device) == MDAPI_OK);
	group = CALL(device, get_group, 0);
	CHECK(CALL(group, get_params)->set_count == sets);
	set = find_set(group, "TestOa");
	REQUIRE(set != NULL);
	CHECK(find_column(set, "MyTicks") != UINT32_MAX);
	CHECK(CALL(device, get_params)->override_count == 1); /* it has its hardware */
	end();
	fake_begin(&fake_lnl, NULL); /* another GPU */
	CHECK(OpenMetricsDeviceFromFile(path, NULL, &device) == MDAPI_INVALID_PARAMETER);
	unlink(path);
}

static bool open_with_definitions(const char *text)
{
	char path[] = "/tmp/gpuoa-igdmd-XXXXXX";
	int fd = mkstemp(path);
	enum mdapi_result result;

	CHECK(write(fd, text, strlen(text)) == (ssize_t)strlen(text));
	close(fd);
	fake_begin(&fake_tgl, NULL);
	result = OpenMetricsDeviceFromFile(path, NULL, &device);
	unlink(path);
	CHECK(result == MDAPI_OK || result == MDAPI_INVALID_PARAMETER);
	return result == MDAPI_OK;
}

static void device_is_opened_with_definitions_of_the_user(void)
{
	static const char text[] =
		"platform tglgt2 \"Mine\"\n"
		"metric Ticks \"Ticks\" \"Ticks.\" = TIMESTAMP uint64 ticks duration\n"
		"set Mine \"My set\" {\n"
		"	uuid \"12345678-1234-4234-8234-123456789abc\"\n"
		"	format A32u40_A4u32_B8_C8\n"
		"	mux { 9888=1 }\n"
		"	metrics { Ticks }\n"
		"}\n";

	CHECK(!open_with_definitions("set Nothing\n"));
	CHECK(!open_with_definitions("platform other \"Other\"\n"));
	REQUIRE(open_with_definitions(text));
	group = CALL(device, get_group, 0);
	REQUIRE(find_set(group, "Mine") != NULL);
	CHECK(find_column(find_set(group, "Mine"), "Ticks") == 0);
	CHECK(find_set(group, "RenderBasic") != NULL); /* those of the library remain */
	CHECK(CloseMetricsDevice(device) == MDAPI_OK);
}

/* ---- threads -------------------------------------------------------------------------------- */

static void *use_a_gpu(void *argument)
{
	const uint32_t index = *(uint32_t *)argument;
	uint64_t random = 5 + index;
	bool good = true;

	for (int i = 0; i < 20; i++) {
		struct mdapi_adapters *own_adapters;
		struct mdapi_adapter *own_adapter;
		struct mdapi_device *own_device;
		struct mdapi_set *set;
		struct mdapi_value *values;
		uint8_t *reports;
		uint32_t columns, size, rows = 0;

		if (OpenAdapterGroup(&own_adapters) % 40 > MDAPI_ALREADY_INITIALIZED)
			return NULL;
		own_adapter = CALL(own_adapters, get_adapter, index);
		good &= CALL(own_adapter, open_device_1_13, &own_device) == MDAPI_OK;
		set = CALL(CALL(own_device, get_group, 0), get_set, (uint32_t)i % 3);
		good &= CALL(set, set_api_filter, MDAPI_API_STREAM) == MDAPI_OK;
		for (uint32_t j = 0; j < params_of(set)->metric_count; j++)
			good &= CALL(CALL(set, get_metric, j), get_params)->index == j;
		columns = params_of(set)->metric_count + params_of(set)->info_count;
		size = params_of(set)->report_size;
		reports = calloc(2, size);
		values = calloc(columns, sizeof(*values));
		fake_next_report(definition_of(index ? &fake_lnl : &fake_tgl, set), &random, NULL,
				 reports, 10, GPUOA_REASON_TIMER);
		fake_next_report(definition_of(index ? &fake_lnl : &fake_tgl, set), &random,
				 reports, reports + size, 10, GPUOA_REASON_TIMER);
		good &= CALL(set, calculate_1_1, reports, 2 * size, values,
			     columns * (uint32_t)sizeof(*values), &rows, false) == MDAPI_OK;
		good &= rows == 1;
		free(values);
		free(reports);
		good &= CALL(own_adapter, close_device, own_device) == MDAPI_OK;
		CALL(own_adapters, close);
	}
	return good ? argument : NULL;
}

static void two_threads_use_two_gpus(void)
{
	uint32_t indices[2] = { 0, 1 };
	pthread_t threads[2];
	void *result;

	fake_begin(&fake_tgl, &fake_lnl);
	for (size_t i = 0; i < 2; i++)
		pthread_create(&threads[i], NULL, use_a_gpu, &indices[i]);
	for (size_t i = 0; i < 2; i++) {
		pthread_join(threads[i], &result);
		CHECK(result == &indices[i]);
	}
	CHECK(!fake.units_open);
}

int main(void)
{
	RUN(adapter_group_is_opened_once);
	RUN(adapter_describes_its_gpu);
	RUN(gpus_that_cannot_be_measured_are_no_adapters);
	RUN(device_has_one_object_for_all_versions);
	RUN(legacy_functions_use_the_discrete_gpu);
	RUN(tiles_are_sub_devices);
	RUN(symbols_have_the_types_of_the_api);
	RUN(device_counts_what_the_interface_has);
	RUN(timestamps_wrap_with_the_hardware);
	RUN(override_pins_the_frequency);
	RUN(groups_have_the_sets_of_their_unit);
	RUN(set_describes_its_reports);
	RUN(metrics_are_those_of_the_library);
	RUN(average_frequency_has_the_name_and_unit_of_the_api);
	RUN(units_are_spelled_as_in_the_api);
	RUN(filter_accepts_streams_or_queries);
	RUN(filter_selects_metrics_by_their_apis);
	RUN(equations_give_the_values_that_are_calculated);
	RUN(values_are_those_of_the_library);
	RUN(calculation_continues_after_the_last_report);
	RUN(calculation_rejects_wrong_arguments);
	RUN(begin_time_wraps_with_the_hardware);
	RUN(previous_context_is_that_of_the_report_before);
	RUN(asynchronous_rows_end_with_other_reports_than_the_timers);
	RUN(stream_is_opened_with_what_the_hardware_has);
	RUN(stream_reports_why_it_cannot_be_opened);
	RUN(read_returns_reports_across_gaps);
	RUN(read_skips_old_reports);
	RUN(wait_counts_the_reports_that_were_requested);
	RUN(stream_can_be_disabled);
	RUN(opening_a_stream_forgets_the_last_report);
	RUN(stream_infos_are_equations_of_one_number);
	RUN(activation_adds_the_configuration_for_queries);
	RUN(metric_of_the_program_is_calculated);
	RUN(metric_of_the_program_needs_names_and_apis);
	RUN(prototypes_are_the_events_of_the_hardware);
	RUN(set_of_prototypes_has_any_symbol);
	RUN(set_of_prototypes_is_calculated);
	RUN(saved_device_calculates_offline);
	RUN(device_is_saved_to_a_file_and_opened_again);
	RUN(device_is_opened_with_definitions_of_the_user);
	RUN(two_threads_use_two_gpus);
	return tap_end();
}
