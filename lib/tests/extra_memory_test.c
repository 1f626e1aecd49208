// SPDX-License-Identifier: MIT
/*
 * extra_memory_test.c - Each allocation of an operation of libgpuoa-extra fails once: the operation
 * returns -ENOMEM, and leaks nothing.
 */
#define _GNU_SOURCE
#include <errno.h>
#include <stdlib.h>

#include "failing_memory.h"

#include "extra/query/pool.h"
#include "extra/tracer/tracer.h"
#include "gpuoa-catalog.h"
#include "gpuoa-custom.h"
#include "gpuoa-equation.h"
#include "gpuoa-merge.h"
#include "gpuoa-programmable.h"
#include "gpuoa-symbols.h"
#include "played_hsw.h"
#include "recording.h"
#include "zebin.h"

#define UUID "00000000-0000-4000-8000-00000000c057"

static char error[256];

static const struct gpuoa_platform *platform(const char *name)
{
	return gpuoa_platform_find(name);
}

static const struct gpuoa_set *find_set(const char *name, const char *symbol)
{
	return gpuoa_platform_find_set(platform(name), symbol, NULL, NULL);
}

/* ---- catalogs, views and equations ---------------------------------------------------------- */

static int fill_catalog(void)
{
	static const char *const names[] = { "hsw", "bdw", "hsw", "sklgt2" };
	struct gpuoa_catalog *catalog;
	int err = gpuoa_catalog_new(&catalog);

	if (err)
		return err;
	for (int i = 0; !err && i < 4; i++) {
		const int member = gpuoa_catalog_add(catalog, platform(names[i]));

		err = member < 0 ? member : member == i ? 0 : -ERANGE;
	}
	if (!err)
		err = gpuoa_catalog_add_missing(catalog, 0, platform("hsw"));
	gpuoa_catalog_free(catalog);
	return err < 0 ? err : 0;
}

static void catalog_survives_missing_memory(void)
{
	fail_each(&allocations, ENOMEM, fill_catalog);
}

static int open_views(void)
{
	struct gpuoa_view *view, *whole;
	int err =
		gpuoa_view_open(find_set("hsw", "RenderBasic"), NULL, &view, error, sizeof(error));

	if (err)
		return err;
	err = gpuoa_view_open_platform(platform("hsw"), NULL, &whole, error, sizeof(error));
	if (!err)
		gpuoa_view_close(whole);
	gpuoa_view_close(view);
	return err;
}

static void view_survives_missing_memory(void)
{
	fail_each(&allocations, ENOMEM, open_views);
}

static int parse_equation(void)
{
	struct gpuoa_mdapi_equation mdapi;
	struct gpuoa_equation equation;
	char text[256], other[256];
	int err = gpuoa_equation_parse(find_set("hsw", "RenderBasic"), "A0 * 5 + A1",
				       GPUOA_EQUATION_VALUE, &equation, error, sizeof(error));

	if (err)
		return err;
	err = gpuoa_equation_to_mdapi(&equation, &mdapi, text, sizeof(text), error, sizeof(error));
	if (err >= 0)
		err = gpuoa_equation_from_mdapi(find_set("hsw", "RenderBasic"), &mdapi, other,
						sizeof(other), error, sizeof(error));
	gpuoa_equation_free(&equation);
	return err < 0 ? err : 0;
}

static void equation_survives_missing_memory(void)
{
	fail_each(&allocations, ENOMEM, parse_equation);
}

/* ---- custom sets ---------------------------------------------------------------------------- */

static int add_custom(struct gpuoa_custom *custom)
{
	static const struct gpuoa_reg mux[] = { { 0x9888, 0x166c01e0 }, { 0x9888, 0x12170280 } };
	static const struct gpuoa_register_list list = { .kind = GPUOA_REGISTER_MUX,
							 .registers = mux,
							 .count = 2,
							 .condition = "SubsliceMask & 1" };
	const struct gpuoa_set_desc set = { .symbol = "Mine",
					    .uuid = UUID,
					    .format = GPUOA_REPORT_A32U40_A4U32_B8_C8 };
	const struct gpuoa_metric_desc metric = { .symbol = "Sum",
						  .units = "events",
						  .equation = "A0 + A1 * 2",
						  .semantic = GPUOA_SEMANTIC_EVENT };
	int err = gpuoa_custom_add_set(custom, &set, sizeof(set), &list, 1,
				       find_set("sklgt2", "RenderBasic"), error, sizeof(error));

	if (!err)
		err = gpuoa_custom_add_metric(custom, "Mine", &metric, sizeof(metric), error,
					      sizeof(error));
	return err;
}

/* Add instances of all events, and assign them to sets. */
static int add_instances(struct gpuoa_custom *custom)
{
	const struct gpuoa_instance instance = { .size = sizeof(instance) };
	int err = 0;

	for (size_t i = 0; !err && i < gpuoa_custom_event_count(custom); i++) {
		uint64_t id;

		err = gpuoa_custom_instantiate(custom, i, &instance, &id, error, sizeof(error));
	}
	if (!err)
		err = gpuoa_custom_schedule(custom, NULL, error, sizeof(error));
	return err < 0 ? err : 0;
}

static int build(const char *name, int (*add)(struct gpuoa_custom *custom))
{
	struct gpuoa_definitions *definitions;
	struct gpuoa_custom *custom;
	int err = gpuoa_custom_new(platform(name), &custom);

	if (err)
		return err;
	err = add(custom);
	if (!err)
		err = gpuoa_custom_build(custom, &definitions, error, sizeof(error));
	if (!err)
		gpuoa_definitions_free(definitions);
	gpuoa_custom_free(custom);
	return err;
}

static int build_custom(void)
{
	return build("sklgt2", add_custom);
}

static int build_programmable(void)
{
	return build("sklgt2", add_instances);
}

static int build_programmable_of_xe2(void)
{
	struct gpuoa_definitions *definitions;
	const struct gpuoa_instance instance = { .size = sizeof(instance) };
	struct gpuoa_custom *custom;
	uint64_t id;
	int err = gpuoa_custom_new(platform("lnl"), &custom);

	if (err)
		return err;
	for (size_t i = 0; !err && i < 3; i++)
		err = gpuoa_custom_instantiate(custom, i, &instance, &id, error, sizeof(error));
	if (!err)
		err = gpuoa_custom_schedule(custom, NULL, error, sizeof(error));
	if (err >= 0)
		err = gpuoa_custom_build(custom, &definitions, error, sizeof(error));
	if (!err)
		gpuoa_definitions_free(definitions);
	gpuoa_custom_free(custom);
	return err;
}

static void custom_set_survives_missing_memory(void)
{
	fail_each(&allocations, ENOMEM, build_custom);
}

static void instances_survive_missing_memory(void)
{
	fail_each(&allocations, ENOMEM, build_programmable);
	fail_each(&allocations, ENOMEM, build_programmable_of_xe2);
}

static char saved[] = "/tmp/gpuoa-extra-memory-XXXXXX";

static int save(void)
{
	return gpuoa_platform_save(platform("hsw"), saved, error, sizeof(error));
}

static void saving_survives_missing_memory(void)
{
	close(mkstemp(saved));
	fail_each(&allocations, ENOMEM, save);
	unlink(saved);
}

/* ---- queries -------------------------------------------------------------------------------- */

static int open_pool(void)
{
	static char memory[0x40000] __attribute__((aligned(64)));
	const struct complaint complaint = complaint_begin(error, sizeof(error));
	const struct gpuoa_query_options options = { .size = sizeof(options), .count = 4 };
	struct programmed *programmed = programmed_new(find_set("tglgt2", "RenderBasic"));
	struct gpuoa_constants *constants;
	struct gpuoa_query_pool *pool;
	int err = programmed ? gpuoa_constants_new(platform("tglgt2"), &constants) : -ENOMEM;

	if (!err) {
		gpuoa_constants_assume(constants);
		programmed_switch(programmed, true);
		err = query_pool_open(programmed, constants, &options, memory, sizeof(memory),
				      0x40000, &pool, &complaint);
		if (!err)
			gpuoa_query_pool_close(pool);
		gpuoa_constants_free(constants);
	}
	programmed_put(programmed);
	return err;
}

static void query_pool_survives_missing_memory(void)
{
	fail_each(&allocations, ENOMEM, open_pool);
}

/* ---- merging and tracing -------------------------------------------------------------------- */

static struct gpuoa_reader *recorded(uint32_t first)
{
	struct recording recording = { 0 };

	add_event(&recording, TEST_SAMPLE_TYPE, 7);
	put_first_sample(&recording.records, 7);
	put_reports_sample(&recording.records, 7, first, 10);
	return open_laid_out(&recording);
}

static struct gpuoa_reader *readers[2];

static int merge(void)
{
	struct gpuoa_merge_run run;
	struct gpuoa_merge *merge;
	int ret = gpuoa_merge_open(readers, 2, &merge, error, sizeof(error));

	if (ret)
		return ret;
	do
		ret = gpuoa_merge_next(merge, false, &run, sizeof(run));
	while (ret > 0);
	gpuoa_merge_close(merge);
	return ret;
}

static void merging_survives_missing_memory(void)
{
	readers[0] = recorded(0);
	readers[1] = recorded(10);
	if (CHECK(readers[0] && readers[1]))
		fail_each(&allocations, ENOMEM, merge);
	gpuoa_reader_close(readers[0]);
	gpuoa_reader_close(readers[1]);
}

static struct played played;

static int open_tracer(void)
{
	const struct gpuoa_set *set = played_hsw_set();
	struct gpuoa_reader *reader = &played.stream.reader;
	struct gpuoa_tracer *tracer;
	int err = tracer_new(&reader, &set, 1, &tracer);

	if (!err)
		gpuoa_tracer_close(tracer);
	return err;
}

static void tracer_survives_missing_memory(void)
{
	const struct gpuoa_record_stream stream = test_stream();
	struct gpuoa_constants *constants;
	struct gpuoa_unit_desc unit;

	uapi_unit_desc(&unit, &stream.info);
	REQUIRE(!gpuoa_constants_of_unit(&unit, sizeof(unit), platform("hsw"), &constants));
	played_hsw_begin(&played, &played_hsw_ops, constants);
	fail_each(&allocations, ENOMEM, open_tracer);
	played_hsw_end(&played);
	gpuoa_constants_free(constants);
}

/* ---- symbols -------------------------------------------------------------------------------- */

static struct gpuoa_symbols *symbols;

static int map_code(void)
{
	struct gpuoa_code_map *map;
	int err = gpuoa_code_map_new(48, &map);

	if (err)
		return err;
	for (uint32_t i = 0; !err && i < 40; i++) {
		const struct gpuoa_code_load load = { .pid = i % 3,
						      .address = 0x10000 * (i / 2),
						      .size = 0x80,
						      .kernel = i % 5 ? "scale" : "other",
						      .symbols = i % 5 ? symbols : NULL };

		if (load.address)
			err = gpuoa_code_map_add(map, &load, sizeof(load), error, sizeof(error));
	}
	gpuoa_code_map_free(map);
	return err;
}

static void code_map_survives_missing_memory(void)
{
	static const struct zebin_row rows[] = { { 0x00, 3, 0, 0 }, { 0x40, 0, 0, 0 } };
	const struct zebin_kernel kernel = {
		.name = "scale", .size = 0x80, .rows = rows, .row_count = 2, .symbol = ZEBIN_SECTION
	};
	struct bytes file = zebin_make(&kernel, 1, 205);

	REQUIRE(!gpuoa_symbols_open(file.data, file.size, &symbols, error, sizeof(error)));
	fail_each(&allocations, ENOMEM, map_code);
	gpuoa_symbols_close(symbols);
	clear(&file);
}

int main(void)
{
	RUN(catalog_survives_missing_memory);
	RUN(view_survives_missing_memory);
	RUN(equation_survives_missing_memory);
	RUN(custom_set_survives_missing_memory);
	RUN(instances_survive_missing_memory);
	RUN(saving_survives_missing_memory);
	RUN(query_pool_survives_missing_memory);
	RUN(merging_survives_missing_memory);
	RUN(tracer_survives_missing_memory);
	RUN(code_map_survives_missing_memory);
	return tap_end();
}
