// SPDX-License-Identifier: MIT
/*
 * views_test.cc - C++ programs built for versions 1.6, 1.9 and 1.13 of the interfaces
 *
 * The classes are declared as such programs see them, so that the compiler makes the calls: a newer
 * version inherits from an older one, and appends methods.
 */
extern "C" {
#include "fake_gpu.h"
}
#include "mdapi.h"
#pragma GCC diagnostic ignored "-Wmissing-field-initializers"
#include "lib/tests/tap.h"

using result = mdapi_result;

/* Not anonymous: the objects are defined elsewhere. */
namespace views
{

/* ---- metrics of 1.0 and 1.13; sets, groups and devices of 1.5 ------------------------------- */

struct metric_params_1_0 {
	uint32_t index;
	uint32_t group_id;
	const char *symbol;
	const char *strings[4];
	uint32_t masks[2];
	mdapi_result_type result_type;
	const char *units;
	mdapi_metric_type type;
	uint64_t watermarks[2];
	mdapi_hw_unit hw_unit;
	mdapi_equation *reads[2];
	mdapi_delta delta;
	mdapi_equation *norm;
	mdapi_equation *max;
};

struct metric_params_1_13 : metric_params_1_0 {
	uint32_t query_modes;
};

class metric_1_0 {
    public:
	virtual ~metric_1_0();
	virtual metric_params_1_0 *get_params();
};

class metric_1_13 : public metric_1_0 {
    public:
	virtual ~metric_1_13();
	virtual metric_params_1_13 *get_params();
};

struct set_params_1_4 : mdapi_set_params_1_0 {
	uint32_t gts;
};

struct set_params_1_11 : set_params_1_4 {
	const char *availability;
};

class set_1_0 {
    public:
	virtual ~set_1_0();
	virtual mdapi_set_params_1_0 *get_params();
	virtual metric_1_0 *get_metric(uint32_t index);
	virtual mdapi_info *get_info(uint32_t index);
	virtual set_1_0 *get_complementary(uint32_t index);
	virtual result activate();
	virtual result deactivate();
	virtual metric_1_0 *add_metric(const char *, const char *, const char *, const char *,
				       const char *, uint32_t, uint32_t, mdapi_result_type,
				       const char *, mdapi_metric_type, int64_t, int64_t,
				       mdapi_hw_unit, const char *, const char *, const char *,
				       const char *, const char *, const char *);
};

class set_1_5 : public set_1_0 {
    public:
	virtual ~set_1_5();
	virtual result set_api_filter(uint32_t apis);
	virtual result calculate(const uint8_t *reports, uint32_t size, mdapi_value *values,
				 uint32_t values_size, uint32_t *rows, bool context_filter);
	virtual result calculate_stream_infos(mdapi_value *values, uint32_t size);
	virtual set_params_1_4 *get_params();
	virtual set_1_5 *get_complementary(uint32_t index);
	virtual result calculate(const uint8_t *reports, uint32_t size, mdapi_value *values,
				 uint32_t values_size, uint32_t *rows, mdapi_value *maxima,
				 uint32_t maxima_size);
};

struct group_params_1_0 {
	const char *symbol;
	const char *description;
	uint32_t numbers[4];
};

struct group_params_1_13 : group_params_1_0 {
	const char *event_name;
};

class group_1_5 {
    public:
	virtual ~group_1_5();
	virtual group_params_1_0 *get_params();
	virtual set_1_5 *get_set(uint32_t index);
	virtual result open_stream(set_1_0 *set, uint32_t process, uint32_t *period,
				   uint32_t *buffer);
	virtual result read_stream(uint32_t *count, char *reports, uint32_t flags);
	virtual result close_stream();
	virtual result wait_for_reports(uint32_t timeout);
	virtual mdapi_info *get_stream_info(uint32_t index);
	virtual mdapi_info *get_context_info(uint32_t index);
	virtual result set_sampling_type(mdapi_sampling sampling);
};

struct device_params_1_0 {
	uint32_t version[3];
	uint32_t group_count;
	uint32_t symbol_count;
	uint32_t counts[3];
	const char *name;
};

struct device_params_1_2 : device_params_1_0 {
	uint32_t override_count;
};

class device_1_0 {
    public:
	virtual ~device_1_0();
	virtual device_params_1_0 *get_params();
	virtual group_1_5 *get_group(uint32_t index);
	virtual mdapi_symbol *get_symbol(uint32_t index);
	virtual mdapi_value *get_symbol_value(const char *name);
	virtual result get_last_error();
	virtual result get_timestamps(uint64_t *gpu, uint64_t *cpu, uint32_t *index);
};

class device_1_5 : public device_1_0 {
    public:
	virtual device_params_1_2 *get_params();
	virtual void *get_override(uint32_t index);
	virtual void *find_override(const char *symbol);
};

/* ---- 1.6: adapters -------------------------------------------------------------------------- */

struct adapter_params_1_6 {
	const char *name;
	mdapi_adapter_id id;
	uint32_t numbers[9];
};

class adapter_1_6 {
    public:
	virtual ~adapter_1_6();
	virtual const adapter_params_1_6 *get_params() const;
	virtual result reset();
	virtual result open_device(device_1_5 **device);
	virtual result open_device_from_file(const char *path, void *params, device_1_5 **device);
	virtual result close_device(device_1_5 *device);
	virtual result save_device(const char *path, void *params, device_1_5 *device);
};

struct adapters_params_1_6 {
	uint32_t version[3];
	uint32_t adapter_count;
};

class adapters_1_6 {
    public:
	virtual ~adapters_1_6();
	virtual const adapters_params_1_6 *get_params() const;
	virtual adapter_1_6 *get_adapter(uint32_t index);
	virtual result close();
};

/* ---- 1.9: sub-devices ----------------------------------------------------------------------- */

struct adapter_params_1_8 : adapter_params_1_6 {
	uint32_t domain;
};

struct adapter_params_1_9 : adapter_params_1_8 {
	uint32_t sub_device_count;
};

struct engine_params_1_9 {
	uint32_t id[3];
};

class adapter_1_8 : public adapter_1_6 {
    public:
	virtual const adapter_params_1_8 *get_params() const;
};

class adapter_1_9 : public adapter_1_8 {
    public:
	virtual const adapter_params_1_9 *get_params() const;
	virtual const mdapi_sub_device_params *get_sub_device_params(const uint32_t index);
	virtual const engine_params_1_9 *get_engine_params(const uint32_t index,
							   const uint32_t engine);
	virtual result open_sub_device(const uint32_t index, device_1_5 **device);
};

class adapters_1_9 : public adapters_1_6 {
    public:
	virtual adapter_1_9 *get_adapter(uint32_t index);
};

/* ---- 1.13: sets and groups ------------------------------------------------------------------ */

class set_1_13 : public set_1_5 {
    public:
	virtual ~set_1_13();
	virtual set_params_1_11 *get_params();
	virtual result open();
	virtual result add_prototype(mdapi_prototype *prototype);
	virtual result remove_prototype(mdapi_prototype *prototype);
	virtual result finalize();
	virtual metric_1_13 *get_metric(uint32_t index);
};

class group_1_13 : public group_1_5 {
    public:
	virtual group_params_1_13 *get_params();
	virtual set_1_13 *get_set(uint32_t index);
	virtual mdapi_enumerator *get_enumerator();
	virtual mdapi_enumerator *get_enumerator_from_file(const char *path);
};

class device_1_13 : public device_1_0 {
    public:
	virtual device_params_1_2 *get_params();
	virtual group_1_13 *get_group(uint32_t index);
	virtual void *get_override(uint32_t index);
	virtual void *find_override(const char *symbol);
	using device_1_0::get_timestamps;
	virtual result get_timestamps(uint64_t *gpu, uint64_t *cpu, uint32_t *index,
				      uint64_t *error);
};

template <class adapters> adapters *open_adapters()
{
	mdapi_adapters *opened = nullptr;

	CHECK(OpenAdapterGroup(&opened) == MDAPI_OK);
	return reinterpret_cast<adapters *>(opened);
}

void program_of_1_6_opens_a_device()
{
	fake_begin(&fake_tgl, nullptr);
	adapters_1_6 *adapters = open_adapters<adapters_1_6>();
	device_1_5 *device = nullptr;

	CHECK(adapters->get_params()->adapter_count == 1);
	adapter_1_6 *adapter = adapters->get_adapter(0);
	CHECK_STRING(adapter->get_params()->name, "Fake tglgt2");
	CHECK(adapter->get_params()->id.node.major == 226);
	CHECK(adapter->reset() == MDAPI_OK);
	REQUIRE(adapter->open_device(&device) == MDAPI_OK);
	CHECK(device->get_params()->group_count == 1);
	CHECK(device->get_params()->override_count == 1);
	CHECK(device->get_override(0) == device->find_override("FrequencyOverride"));
	CHECK(device->get_symbol_value("EuCoresTotalCount")->u32 == 96);
	group_1_5 *group = device->get_group(0);
	CHECK_STRING(group->get_params()->symbol, "OA");
	CHECK(group->set_sampling_type(MDAPI_SAMPLING_OA_TIMER) == MDAPI_OK);
	set_1_5 *set = group->get_set(0);
	CHECK(set->get_params()->gts == UINT32_MAX);
	CHECK(set->set_api_filter(MDAPI_API_STREAM) == MDAPI_OK);
	CHECK(set->calculate(nullptr, 0, nullptr, 0, nullptr, true) == MDAPI_NOT_SUPPORTED);
	CHECK(set->calculate(nullptr, 0, nullptr, 0, nullptr, nullptr, 0) ==
	      MDAPI_INVALID_PARAMETER);
	CHECK(adapter->close_device(device) == MDAPI_OK);
	CHECK(adapters->close() == MDAPI_OK);
}

void program_of_1_9_opens_a_sub_device()
{
	fake_gpu gpu = fake_lnl;

	gpu.tiles = 2;
	fake_begin(&gpu, nullptr);
	adapters_1_9 *adapters = open_adapters<adapters_1_9>();
	adapter_1_9 *adapter = adapters->get_adapter(0);
	device_1_5 *device = nullptr;

	CHECK(adapter->get_params()->domain == 1);
	CHECK(adapter->get_params()->sub_device_count == 2);
	CHECK(adapter->get_sub_device_params(1)->engine_count == 1);
	CHECK(adapter->get_engine_params(1, 0)->id[1] == GPUOA_ENGINE_RENDER);
	REQUIRE(adapter->open_sub_device(1, &device) == MDAPI_OK);
	CHECK(adapter->close_device(device) == MDAPI_OK);
	CHECK(adapters->close() == MDAPI_OK);
}

void program_of_1_13_calculates_metrics()
{
	fake_begin(&fake_tgl, nullptr);
	adapters_1_6 *adapters = open_adapters<adapters_1_6>();
	adapter_1_6 *adapter = adapters->get_adapter(0);
	device_1_5 *opened = nullptr;
	uint32_t period = 1000000, buffer = 0, count = 2;
	static uint8_t reports[2][256];
	static mdapi_value values[200];
	uint64_t random = 7, gpu, cpu, error;
	char read[2 * 256];
	uint32_t index;

	REQUIRE(adapter->open_device(&opened) == MDAPI_OK);
	device_1_13 *device = reinterpret_cast<device_1_13 *>(opened);
	CHECK(device->get_timestamps(&gpu, &cpu, &index, &error) == MDAPI_OK && error == 42);
	group_1_13 *group = device->get_group(0);
	CHECK(group->get_params()->event_name == nullptr);
	CHECK(group->get_enumerator_from_file("none") == nullptr);
	set_1_13 *set = group->get_set(0);
	CHECK(set->open() == MDAPI_NOT_SUPPORTED);
	CHECK(set->get_params()->availability == nullptr);
	CHECK(set->set_api_filter(MDAPI_API_STREAM) == MDAPI_OK);
	CHECK_STRING(set->get_metric(0)->get_params()->symbol, "GpuTime");
	CHECK(set->get_metric(0)->get_params()->query_modes == 0);
	CHECK(set->get_metric(0)->get_params()->norm->table->get_element_count(
		      set->get_metric(0)->get_params()->norm) == 5);
	REQUIRE(group->open_stream(set, 0, &period, &buffer) == MDAPI_OK);
	fake_next_report(fake.set, &random, nullptr, reports[0], 100, GPUOA_REASON_TIMER);
	fake_next_report(fake.set, &random, reports[0], reports[1], 192, GPUOA_REASON_TIMER);
	fake.reports = reports[0];
	fake.report_count = 2;
	CHECK(group->wait_for_reports(1) == MDAPI_OK);
	CHECK(group->read_stream(&count, read, 0) == MDAPI_OK && count == 2);
	const uint32_t columns = set->get_params()->metric_count + set->get_params()->info_count;
	CHECK(set->calculate(reinterpret_cast<uint8_t *>(read), sizeof(read), values,
			     columns * sizeof(values[0]), &count, nullptr, 0) == MDAPI_OK);
	CHECK(count == 1 && values[0].u64 == 10000);
	CHECK(group->close_stream() == MDAPI_OK);
	CHECK(adapter->close_device(opened) == MDAPI_OK);
	CHECK(adapters->close() == MDAPI_OK);
}

} // namespace views

int main()
{
	using namespace views;

	RUN(program_of_1_6_opens_a_device);
	RUN(program_of_1_9_opens_a_sub_device);
	RUN(program_of_1_13_calculates_metrics);
	return tap_end();
}
