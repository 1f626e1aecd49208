// SPDX-License-Identifier: MIT
/*
 * catalog_test.c - Test the catalog, which numbers the sets and metrics of several platforms
 * consecutively, and views, which show some of a set's metrics.
 */
#include <errno.h>
#include <stdlib.h>

#include "fixture.h"
#include "gpuoa-catalog.h"
#include "gpuoa-programmable.h"
#include "tap.h"

#define NONE GPUOA_INDEX_NONE

static const struct gpuoa_platform *find(const char *name)
{
	return gpuoa_platform_find(name);
}

static const struct gpuoa_set *find_set(const char *platform, const char *symbol)
{
	return gpuoa_platform_find_set(find(platform), symbol, NULL, NULL);
}

/* ---- catalogs ---- */

static void new_catalog_is_empty(void)
{
	struct gpuoa_catalog *catalog;
	uint32_t source = 0;

	REQUIRE(!gpuoa_catalog_new(&catalog));
	CHECK(!gpuoa_catalog_member_count(catalog) && !gpuoa_catalog_set_count(catalog) &&
	      !gpuoa_catalog_metric_count(catalog));
	CHECK(!gpuoa_catalog_get_metric(catalog, 0));
	CHECK(!gpuoa_catalog_get_set(catalog, 0));
	CHECK(!gpuoa_catalog_get_platform(catalog, 0));
	CHECK(gpuoa_catalog_set_of(catalog, 0) == NONE);
	CHECK(gpuoa_catalog_to_local(catalog, 0, &source) == NONE);
	CHECK(source == NONE);
	CHECK(gpuoa_catalog_to_global(catalog, 0, 0) == NONE);
	gpuoa_catalog_free(catalog);
	gpuoa_catalog_free(NULL);
}

/*
 * The numbers are consecutive, follow the order of the sets, and can be converted back, as GPA's
 * IMetricsSource requires.
 */
static void check_numbers(const struct gpuoa_catalog *catalog)
{
	const uint32_t sets = gpuoa_catalog_set_count(catalog);
	uint32_t metric = 0;

	for (uint32_t s = 0; s < sets; s++) {
		const struct gpuoa_set *set = gpuoa_catalog_get_set(catalog, s);
		const uint32_t count = gpuoa_catalog_metrics_of(catalog, s);

		CHECK(gpuoa_catalog_first_metric(catalog, s) == metric);
		CHECK(!gpuoa_set_get_metric(set, count));
		for (uint32_t i = 0; i < count; i++, metric++) {
			const struct gpuoa_metric *found =
				gpuoa_catalog_get_metric(catalog, metric);
			uint32_t source, local;

			CHECK(found == gpuoa_set_get_metric(set, i));
			CHECK(gpuoa_catalog_set_of(catalog, metric) == s);
			local = gpuoa_catalog_to_local(catalog, metric, &source);
			CHECK(gpuoa_catalog_to_global(catalog, source, local) == metric);
			CHECK(gpuoa_catalog_find(catalog, source, found) == metric);
		}
	}
	CHECK(metric == gpuoa_catalog_metric_count(catalog));
	CHECK(!gpuoa_catalog_get_metric(catalog, metric));
	CHECK(!gpuoa_catalog_get_metric(catalog, NONE));
	CHECK(!gpuoa_catalog_get_set(catalog, sets));
	CHECK(gpuoa_catalog_set_of(catalog, metric) == NONE);
	CHECK(gpuoa_catalog_first_metric(catalog, sets) == NONE);
	CHECK(gpuoa_catalog_metrics_of(catalog, sets) == 0);
}

static void metrics_are_numbered_across_platforms(void)
{
	struct gpuoa_catalog *catalog;
	uint32_t set = 0;

	REQUIRE(!gpuoa_catalog_new(&catalog));
	for (size_t p = 0; p < gpuoa_platform_count(); p++)
		REQUIRE(gpuoa_catalog_add(catalog, gpuoa_platform_get(p)) == (int)p);
	CHECK(gpuoa_catalog_member_count(catalog) == gpuoa_platform_count());
	check_numbers(catalog);
	/* The sets of each platform follow, in their order. */
	for (size_t p = 0; p < gpuoa_platform_count(); p++)
		for (size_t s = 0; s < gpuoa_platform_set_count(gpuoa_platform_get(p)); s++)
			CHECK(gpuoa_catalog_get_set(catalog, set++) ==
			      gpuoa_platform_get_set(gpuoa_platform_get(p), s));
	CHECK(gpuoa_catalog_set_count(catalog) == set);
	gpuoa_catalog_free(catalog);
}

static void adding_platform_keeps_numbers(void)
{
	struct gpuoa_catalog *catalog;
	const struct gpuoa_metric *busy;
	uint32_t number, source;

	REQUIRE(!gpuoa_catalog_new(&catalog));
	REQUIRE(gpuoa_catalog_add(catalog, find("hsw")) == 0);
	busy = gpuoa_set_find_metric(find_set("hsw", "ComputeBasic"), "GpuBusy");
	number = gpuoa_catalog_find(catalog, 0, busy);
	REQUIRE(number != NONE);
	REQUIRE(gpuoa_catalog_add(catalog, find("bdw")) == 1);
	REQUIRE(gpuoa_catalog_add(catalog, find("hsw")) == 2);
	CHECK(gpuoa_catalog_find(catalog, 0, busy) == number);
	CHECK(gpuoa_catalog_get_metric(catalog, number) == busy);
	check_numbers(catalog);

	/* Adding the same platform again assigns new numbers. */
	number = gpuoa_catalog_find(catalog, 2, busy);
	CHECK(gpuoa_catalog_get_metric(catalog, number) == busy);
	CHECK(gpuoa_catalog_to_local(catalog, number, &source) ==
	      gpuoa_catalog_find(catalog, 0, busy));
	CHECK(source == 2);
	CHECK(gpuoa_catalog_find(catalog, 1, busy) == NONE);
	CHECK(gpuoa_catalog_find(catalog, 3, busy) == NONE);
	for (uint32_t i = 0; i < 3; i++) {
		const uint32_t begin = gpuoa_catalog_to_global(catalog, i, 0);
		const uint32_t end = i < 2 ? gpuoa_catalog_to_global(catalog, i + 1, 0) :
					     gpuoa_catalog_metric_count(catalog);

		CHECK(gpuoa_catalog_to_global(catalog, i, end - begin - 1) == end - 1);
		CHECK(gpuoa_catalog_to_global(catalog, i, end - begin) == NONE);
		CHECK(gpuoa_catalog_to_local(catalog, end - 1, NULL) == end - begin - 1);
	}
	CHECK(gpuoa_catalog_to_global(catalog, 3, 0) == NONE);
	CHECK(gpuoa_catalog_get_platform(catalog, 1) == find("bdw"));
	gpuoa_catalog_free(catalog);
}

/* ---- views ---- */

static bool shows(const struct gpuoa_view *view, const struct gpuoa_set *set, const char *symbol)
{
	const struct gpuoa_metric *metric = gpuoa_set_find_metric(set, symbol);
	uint32_t index;

	if (!CHECK(metric))
		return false;
	index = gpuoa_view_find(view, metric);
	CHECK(index == NONE || gpuoa_view_get_metric(view, index) == metric);
	return index != NONE;
}

static void check_view(const struct gpuoa_view *view)
{
	size_t count = gpuoa_view_count(view);

	for (size_t i = 0; i < count; i++)
		CHECK(gpuoa_view_find(view, gpuoa_view_get_metric(view, i)) == i);
	CHECK(!gpuoa_view_get_metric(view, count));
}

static void view_contains_stream_metrics(void)
{
	const struct gpuoa_set *set = find_set("hsw", "RenderBasic");
	struct gpuoa_view *view;

	REQUIRE(!gpuoa_view_open(set, NULL, &view, NULL, 0));
	CHECK(gpuoa_view_count(view) > 50);
	CHECK(shows(view, set, "EuActive"));
	CHECK(shows(view, set, "Sampler1Busy"));
	CHECK(!shows(view, set, "LlcHits"));
	check_view(view);
	CHECK(gpuoa_view_find(view, gpuoa_set_find_metric(find_set("hsw", "ComputeBasic"),
							  "GpuTime")) == NONE);
	gpuoa_view_close(view);
	gpuoa_view_close(NULL);
}

static void query_view_contains_all_metrics(void)
{
	const struct gpuoa_set *set = find_set("hsw", "RenderBasic");
	const struct gpuoa_view_options options = { .size = sizeof(options), .queries = true };
	struct gpuoa_set_desc desc;
	struct gpuoa_view *view;

	gpuoa_set_describe(set, &desc, sizeof(desc));
	REQUIRE(!gpuoa_view_open(set, &options, &view, NULL, 0));
	CHECK(gpuoa_view_count(view) == desc.metric_count);
	CHECK(shows(view, set, "LlcHits"));
	gpuoa_view_close(view);
}

static void view_filters_by_constants_of_gpu(void)
{
	const struct gpuoa_set *set = find_set("hsw", "RenderBasic");
	struct gpuoa_constants *constants = haswell_gt2(), *other;
	struct gpuoa_view_options options = { .size = sizeof(options) };
	struct gpuoa_view *view;
	char error[128];

	REQUIRE(constants);
	REQUIRE(!gpuoa_constants_new(find("bdw"), &other));
	options.constants = constants;
	gpuoa_constants_set(constants, "SubsliceMask", 1);
	REQUIRE(!gpuoa_view_open(set, &options, &view, NULL, 0));
	/* A view filters metrics when it is opened: later changes of constants have no effect. */
	gpuoa_constants_set(constants, "SubsliceMask", 3);
	CHECK(shows(view, set, "Sampler0Busy"));
	CHECK(!shows(view, set, "Sampler1Busy"));
	check_view(view);
	gpuoa_view_close(view);
	options.constants = other;
	CHECK(gpuoa_view_open(set, &options, &view, error, sizeof(error)) == -EINVAL);
	CHECK_STRING(error, "the constants are not those of Haswell");
	options.constants = constants;
	REQUIRE(!gpuoa_view_open(set, &options, &view, NULL, 0));
	CHECK(shows(view, set, "Sampler1Busy"));
	CHECK(!shows(view, set, "LlcHits")); /* is only in queries */
	gpuoa_view_close(view);
	gpuoa_constants_free(constants);
	gpuoa_constants_free(other);
}

static void view_filters_by_api_usage_and_tier(void)
{
	const struct gpuoa_set *set = find_set("hsw", "ComputeBasic");
	struct gpuoa_view_options options = { .size = sizeof(options) };
	struct gpuoa_metric_desc desc;
	struct gpuoa_view *view;

	/*
	 * The metric VsThreads is for the OpenGL 4 API and for streams, so a view for OpenCL does
	 * not show it.
	 */
	options.apis = GPUOA_API_OCL;
	REQUIRE(!gpuoa_view_open(set, &options, &view, NULL, 0));
	CHECK(shows(view, set, "EuActive"));
	CHECK(!shows(view, set, "VsThreads"));
	gpuoa_view_close(view);

	options.apis = GPUOA_API_IO;
	options.usage = GPUOA_USAGE_SYSTEM;
	options.tier = 1;
	REQUIRE(!gpuoa_view_open(set, &options, &view, NULL, 0));
	CHECK(gpuoa_view_count(view) > 0);
	CHECK(shows(view, set, "GpuTime"));
	for (size_t i = 0; i < gpuoa_view_count(view); i++) {
		gpuoa_metric_describe(gpuoa_view_get_metric(view, i), &desc, sizeof(desc));
		CHECK(desc.tier == 1 && (desc.usage & GPUOA_USAGE_SYSTEM));
	}
	gpuoa_view_close(view);

	options.apis = GPUOA_API_VK; /* Vulkan is newer than this GPU. */
	REQUIRE(!gpuoa_view_open(set, &options, &view, NULL, 0));
	CHECK(gpuoa_view_count(view) == 0);
	CHECK(!gpuoa_view_get_metric(view, 0));
	gpuoa_view_close(view);
}

static bool is_expected(const struct gpuoa_set *set, const struct gpuoa_metric *metric,
			const struct gpuoa_view_options *options)
{
	struct gpuoa_metric_desc desc;
	struct gpuoa_set_desc set_desc;

	gpuoa_metric_describe(metric, &desc, sizeof(desc));
	gpuoa_set_describe(set, &set_desc, sizeof(set_desc));
	if (options->apis && set_desc.apis && !(set_desc.apis & options->apis))
		return false;
	if (options->apis && desc.apis && !(desc.apis & options->apis))
		return false;
	if (options->usage && !(desc.usage & options->usage))
		return false;
	if (options->tier && (desc.tier == 0 || desc.tier > options->tier))
		return false;
	return options->queries || !desc.query_only;
}

/* Check that a view has the metrics with properties that the options require, and no others. */
static void check_options(const struct gpuoa_platform *platform,
			  const struct gpuoa_view_options *options)
{
	const struct gpuoa_metric *metric;
	const struct gpuoa_set *set;
	struct gpuoa_view *view;
	size_t count = 0;

	REQUIRE(!gpuoa_view_open_platform(platform, options, &view, NULL, 0));
	for (size_t s = 0; (set = gpuoa_platform_get_set(platform, s)); s++)
		for (size_t i = 0; (metric = gpuoa_set_get_metric(set, i)); i++) {
			const bool expected = is_expected(set, metric, options);

			CHECK((gpuoa_view_find(view, metric) == NONE) == !expected);
			if (expected)
				CHECK(gpuoa_view_get_metric(view, count++) == metric);
		}
	CHECK(gpuoa_view_count(view) == count);
	gpuoa_view_close(view);
}

static void view_contains_metrics_that_pass_all_filters(void)
{
	static const uint32_t apis[] = { 0, GPUOA_API_IO, GPUOA_API_OGL4,
					 GPUOA_API_BB | GPUOA_API_VK };
	static const uint32_t usages[] = { 0, GPUOA_USAGE_SYSTEM,
					   GPUOA_USAGE_FRAME | GPUOA_USAGE_TIER_3 };
	const struct gpuoa_platform *platform = find("hsw");
	struct gpuoa_view *all, *view;

	for (size_t i = 0; i < 4 * 3 * 5 * 2; i++) {
		const struct gpuoa_view_options options = {
			.size = sizeof(options),
			.apis = apis[i % 4],
			.usage = usages[i / 4 % 3],
			.tier = (uint32_t)(i / 12 % 5),
			.queries = i / 60,
		};

		check_options(platform, &options);
	}
	/* Without options, a view has the metrics of streams. */
	const struct gpuoa_view_options stream = { .size = sizeof(stream), .apis = GPUOA_API_IO };

	REQUIRE(!gpuoa_view_open_platform(platform, &stream, &view, NULL, 0));
	REQUIRE(!gpuoa_view_open_platform(platform, NULL, &all, NULL, 0));
	CHECK(gpuoa_view_count(all) == gpuoa_view_count(view));
	for (size_t i = 0; i < gpuoa_view_count(view); i++)
		CHECK(gpuoa_view_get_metric(all, i) == gpuoa_view_get_metric(view, i));
	/* A metric of another platform is not found, even if it has the same position. */
	CHECK(gpuoa_view_find(view, gpuoa_set_get_metric(gpuoa_platform_get_set(find("bdw"), 0),
							 0)) == NONE);
	gpuoa_view_close(view);
	gpuoa_view_close(all);
}

static void platform_view_contains_all_sets(void)
{
	struct gpuoa_view_options options = { .size = sizeof(options) };
	const struct gpuoa_platform *platform = find("arlgt1");
	struct gpuoa_constants *constants;
	struct gpuoa_metric_desc desc;
	struct gpuoa_view *view;

	REQUIRE(!gpuoa_constants_new(platform, &constants));
	REQUIRE(!gpuoa_constants_assume(constants));
	options.constants = constants;
	REQUIRE(!gpuoa_view_open_platform(platform, &options, &view, NULL, 0));
	CHECK(gpuoa_view_count(view) > 1000);
	check_view(view);
	for (size_t i = 0; i < gpuoa_view_count(view); i++) {
		const struct gpuoa_metric *metric = gpuoa_view_get_metric(view, i);

		gpuoa_metric_describe(metric, &desc, sizeof(desc));
		CHECK(gpuoa_set_available(desc.set, NULL, constants, NULL, 0) == 1);
		CHECK(gpuoa_metric_available(metric, constants, NULL, 0) == 1);
		CHECK(gpuoa_set_get_metric(desc.set, desc.index) == metric);
	}
	gpuoa_view_close(view);
	gpuoa_constants_free(constants);
}

static void view_open_checks_options(void)
{
	struct {
		struct gpuoa_view_options options;
		char more[8];
	} newer = { .options.size = sizeof(newer) };
	const struct gpuoa_set *set = find_set("hsw", "ComputeBasic");
	struct gpuoa_view_options options = { .size = 0 };
	struct gpuoa_view *view;

	CHECK(gpuoa_view_open(set, &options, &view, NULL, 0) == -EINVAL);
	REQUIRE(!gpuoa_view_open(set, &newer.options, &view, NULL, 0));
	gpuoa_view_close(view);
	newer.more[7] = 1;
	CHECK(gpuoa_view_open(set, &newer.options, &view, NULL, 0) == -E2BIG);
}

/*
 * Adding a platform again numbers only its new sets, as GPA's IMetricsSource does: existing metrics
 * keep their numbers.
 */
static void add_missing_adds_new_sets_only(void)
{
	const struct gpuoa_platform *platform = find("lnl"), *built;
	const struct gpuoa_schedule_options options = { .size = sizeof(options), .prefix = "Mine" };
	struct gpuoa_instance instance = { .size = sizeof(instance) };
	const struct gpuoa_metric *metric = NULL;
	struct gpuoa_definitions *definitions;
	const char *set_symbol, *symbol;
	struct gpuoa_catalog *catalog;
	struct gpuoa_custom *custom;
	uint32_t sets, metrics;
	uint64_t id = 0;
	int groups;

	REQUIRE(!gpuoa_catalog_new(&catalog) && !gpuoa_custom_new(platform, &custom));
	CHECK(gpuoa_catalog_add_missing(catalog, 0, platform) == -ERANGE);
	REQUIRE(gpuoa_catalog_add(catalog, platform) == 0);
	REQUIRE(gpuoa_catalog_add(catalog, platform) == 1);
	sets = gpuoa_catalog_set_count(catalog);
	metrics = gpuoa_catalog_metric_count(catalog);
	for (size_t i = 0; i < 3; i++)
		CHECK(!gpuoa_custom_instantiate(custom, i, &instance, &id, NULL, 0));
	groups = gpuoa_custom_schedule(custom, &options, NULL, 0);
	CHECK(groups > 0);
	REQUIRE(!gpuoa_custom_build(custom, &definitions, NULL, 0));
	built = gpuoa_definitions_get_platform(definitions, 0);

	CHECK(gpuoa_catalog_add_missing(catalog, 1, built) == 2);
	CHECK(gpuoa_catalog_set_count(catalog) == sets + (uint32_t)groups);
	CHECK(gpuoa_catalog_metric_count(catalog) < metrics + 100);
	for (uint32_t i = 0; i < metrics; i++)
		CHECK(gpuoa_catalog_set_of(catalog, i) < sets);
	if (CHECK(!gpuoa_custom_get_assignment(custom, id, &set_symbol, &symbol)))
		metric = gpuoa_set_find_metric(
			gpuoa_platform_find_set(built, set_symbol, NULL, NULL), symbol);
	if (CHECK(metric)) {
		const uint32_t number = gpuoa_catalog_find(catalog, 2, metric);

		CHECK(number >= metrics && gpuoa_catalog_get_metric(catalog, number) == metric);
	}
	/* Member 0 of the catalog already has this set, so it is not in the new member. */
	metric = gpuoa_set_get_metric(gpuoa_platform_find_set(built, "RenderBasic", "OA", NULL), 0);
	CHECK(gpuoa_catalog_find(catalog, 2, metric) == GPUOA_INDEX_NONE);
	/* Add the built platform for the second GPU of the catalog, then again for both members. */
	CHECK(gpuoa_catalog_add_missing(catalog, 1, built) == 3);
	CHECK(gpuoa_catalog_add_missing(catalog, 2, built) == 4);
	CHECK(gpuoa_catalog_set_count(catalog) == sets + (uint32_t)groups);
	CHECK(gpuoa_catalog_add_missing(catalog, 0, built) == 5);
	CHECK(gpuoa_catalog_set_count(catalog) == sets + 2 * (uint32_t)groups);
	gpuoa_catalog_free(catalog);
	gpuoa_definitions_free(definitions);
	gpuoa_custom_free(custom);
}

int main(void)
{
	RUN(new_catalog_is_empty);
	RUN(metrics_are_numbered_across_platforms);
	RUN(adding_platform_keeps_numbers);
	RUN(add_missing_adds_new_sets_only);
	RUN(view_contains_stream_metrics);
	RUN(query_view_contains_all_metrics);
	RUN(view_filters_by_constants_of_gpu);
	RUN(view_filters_by_api_usage_and_tier);
	RUN(view_contains_metrics_that_pass_all_filters);
	RUN(platform_view_contains_all_sets);
	RUN(view_open_checks_options);
	return tap_end();
}
