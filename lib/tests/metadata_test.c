// SPDX-License-Identifier: MIT
/*
 * metadata_test.c - Test the public functions that describe platforms, sets, metrics and constants.
 */
#include <errno.h>

#include "facts.h"
#include "fixture.h"
#include "gpuoa-catalog.h"
#include "gpuoa-equation.h"
#include "gpuoa.h"
#include "table/table.h"
#include "tap.h"

static const struct gpuoa_platform *haswell(void)
{
	return gpuoa_platform_find("hsw");
}

static const struct gpuoa_set *haswell_set(const char *symbol)
{
	return gpuoa_platform_find_set(haswell(), symbol, NULL, NULL);
}

static struct gpuoa_metric_desc describe_metric(const struct gpuoa_set *set, const char *symbol)
{
	const struct gpuoa_metric *metric = gpuoa_set_find_metric(set, symbol);
	struct gpuoa_metric_desc desc = { .symbol = NULL };

	if (CHECK(metric))
		gpuoa_metric_describe(metric, &desc, sizeof(desc));
	return desc;
}

static void metadata_revision_is_12_hex_digits(void)
{
	const char *revision = gpuoa_metadata_revision();

	CHECK(strlen(revision) == 12);
	CHECK(strspn(revision, "0123456789abcdef") == 12);
}

static void set_describe_returns_report_sizes(void)
{
	struct gpuoa_set_desc desc;

	gpuoa_set_describe(haswell_set("RenderBasic"), &desc, sizeof(desc));
	CHECK(desc.counter_count == 45 + 8 + 8 && desc.report_size == 256);
	CHECK(desc.query_report_size == (desc.sampling & GPUOA_SAMPLING_QUERY ? 256 : 0));
	CHECK(desc.sampling & GPUOA_SAMPLING_QUERY);
}

static void the_version_has_three_numbers(void)
{
	unsigned int numbers[3];
	char rest;

	CHECK(sscanf(gpuoa_version(), "%u.%u.%u%c", &numbers[0], &numbers[1], &numbers[2], &rest) ==
	      3);
}

static void platform_find_returns_platform_by_name(void)
{
	const struct gpuoa_platform *platform = haswell();
	bool listed = false;

	REQUIRE(platform);
	CHECK_STRING(gpuoa_platform_name(platform), "hsw");
	CHECK_STRING(gpuoa_platform_title(platform), "Haswell");
	for (size_t i = 0; i < gpuoa_platform_count(); i++)
		listed = listed || gpuoa_platform_get(i) == platform;
	CHECK(listed);
	CHECK(!gpuoa_platform_get(gpuoa_platform_count()));
	CHECK(!gpuoa_platform_find("HSW"));
	CHECK(!gpuoa_platform_find(""));
}

static void find_set_returns_set_by_symbol_and_uuid(void)
{
	CHECK(gpuoa_platform_set_count(haswell()) == 6);
	for (size_t i = 0; i < 6; i++) {
		const struct gpuoa_set *set = gpuoa_platform_get_set(haswell(), i);
		struct gpuoa_set_desc desc;

		REQUIRE(set);
		gpuoa_set_describe(set, &desc, sizeof(desc));
		CHECK(gpuoa_platform_find_set(haswell(), desc.symbol, NULL, NULL) == set);
		CHECK(gpuoa_platform_find_uuid(haswell(), desc.uuid) == set);
		CHECK(desc.platform == haswell());
		CHECK(desc.format == GPUOA_REPORT_A45_B8_C8);
	}
	CHECK(!gpuoa_platform_get_set(haswell(), 6));
	CHECK(!gpuoa_platform_find_set(haswell(), "renderbasic", NULL, NULL));
	CHECK(!gpuoa_platform_find_set(haswell(), "", NULL, NULL));
	CHECK(!gpuoa_platform_find_uuid(haswell(), "RenderBasic"));
}

/* The remark of these sets is that they may be out of date (see accuracy.rst). */
static void set_describe_returns_remark(void)
{
	static const struct {
		const char *platform;
		size_t count;
	} expected[] = { { "mtlgt3", 22 }, { "acmgt1", 8 }, { "acmgt2", 14 },
			 { "acmgt3", 35 }, { "mtlgt2", 0 }, { "hsw", 0 } };

	for (size_t i = 0; i < sizeof(expected) / sizeof(expected[0]); i++) {
		const struct gpuoa_platform *platform = gpuoa_platform_find(expected[i].platform);
		const struct gpuoa_set *set;
		size_t count = 0;

		REQUIRE(platform);
		for (size_t s = 0; (set = gpuoa_platform_get_set(platform, s)); s++) {
			struct gpuoa_set_desc desc;

			gpuoa_set_describe(set, &desc, sizeof(desc));
			count += *desc.remark != '\0';
			CHECK(!*desc.remark || strstr(desc.remark, "Meteor Lake GT2"));
		}
		if (!CHECK(count == expected[i].count))
			printf("# %s: %zu\n", expected[i].platform, count);
	}
}

static void set_describe_returns_RenderBasic(void)
{
	struct gpuoa_set_desc desc;

	gpuoa_set_describe(haswell_set("RenderBasic"), &desc, sizeof(desc));
	CHECK_STRING(desc.symbol, "RenderBasic");
	CHECK_STRING(desc.name, "Render Metrics Basic set");
	CHECK_STRING(desc.uuid, "a490e9d2-55b3-4db0-8dab-53011032c5f3");
	CHECK(desc.apis == (GPUOA_API_OGL | GPUOA_API_OCL | GPUOA_API_IO | GPUOA_API_BB));
	CHECK(desc.metric_count == 70);
	CHECK(desc.info_count == 2);
}

/* Check that a description is one line of readable text and ends with a full stop. */
static bool is_description(const char *text)
{
	size_t length = strlen(text);

	return length > 20 && !strpbrk(text, "\n\t{}") && text[length - 1] == '.';
}

static void check_explained(const struct gpuoa_set *set, const struct gpuoa_metric *metric)
{
	struct gpuoa_metric_desc desc;

	gpuoa_metric_describe(metric, &desc, sizeof(desc));
	CHECK(gpuoa_set_find_metric(set, desc.symbol) == metric);
	CHECK(*desc.name && *desc.group && *desc.units && *desc.hw_unit);
	if (!CHECK(is_description(desc.description)))
		printf("# %s: \"%s\"\n", desc.symbol, desc.description);
}

static void check_set_explained(const struct gpuoa_set *set)
{
	const struct gpuoa_metric *metric;
	struct gpuoa_info_desc info;
	size_t i = 0;

	for (; (metric = gpuoa_set_get_metric(set, i)); i++)
		check_explained(set, metric);
	CHECK(i);
	CHECK(!gpuoa_set_find_metric(set, "gputime"));
	CHECK(!gpuoa_set_find_metric(set, ""));
	for (i = 0; gpuoa_set_get_info(set, i); i++) {
		gpuoa_info_describe(gpuoa_set_get_info(set, i), &info, sizeof(info));
		CHECK(is_description(info.description));
		CHECK(*info.name && *info.units);
	}
	CHECK(i >= 2);
}

static void every_metric_is_found_and_described(void)
{
	for (size_t p = 0; p < gpuoa_platform_count(); p++) {
		const struct gpuoa_platform *platform = gpuoa_platform_get(p);
		const struct gpuoa_set *set;

		for (size_t s = 0; (set = gpuoa_platform_get_set(platform, s)); s++) {
			check_set_explained(set);
		}
	}
}

static size_t count_metrics(const struct gpuoa_platform *platform)
{
	const struct gpuoa_set *set;
	size_t metrics = 0;

	for (size_t i = 0; (set = gpuoa_platform_get_set(platform, i)); i++) {
		struct gpuoa_set_desc desc;

		gpuoa_set_describe(set, &desc, sizeof(desc));
		metrics += desc.metric_count;
	}
	return metrics;
}

/* The library has as many platforms, sets and metrics as platforms.facts. */
static void library_has_all_platforms_sets_and_metrics(void)
{
	struct facts facts;

	facts_read(&facts);
	CHECK(gpuoa_platform_count() == facts.platform_count);
	for (size_t i = 0; i < facts.platform_count; i++) {
		const struct facts_platform *expected = &facts.platforms[i];
		const struct gpuoa_platform *platform = gpuoa_platform_find(expected->name);
		size_t metrics = 0;

		REQUIRE(platform);
		for (size_t s = 0; s < expected->set_count; s++)
			metrics += expected->sets[s].metric_count;
		if (!CHECK(gpuoa_platform_set_count(platform) == expected->set_count) ||
		    !CHECK(count_metrics(platform) == metrics))
			printf("# %s\n", expected->name);
	}
	facts_free(&facts);
}

/* Compare all register lists and their conditions with those of the definition. */
static bool same_registers(const struct gpuoa_set *one, const struct gpuoa_set *two)
{
	const struct table_registers *a = table_follow(&one->register_lists);
	const struct table_registers *b = table_follow(&two->register_lists);

	if (one->register_list_count != two->register_list_count)
		return false;
	for (uint32_t i = 0; i < one->register_list_count; i++)
		if (a[i].kind != b[i].kind || a[i].count != b[i].count ||
		    table_follow(&a[i].registers) != table_follow(&b[i].registers) ||
		    !table_follow(&a[i].condition) != !table_follow(&b[i].condition))
			return false;
	return true;
}

/*
 * Sets with equal UUIDs have equal registers, because recordings are decoded by UUID. The compiler
 * ensures this within each platform, this test across all platforms.
 */
static void equal_uuids_have_equal_registers(void)
{
	size_t shared = 0;

	for (size_t p = 0; p < gpuoa_platform_count(); p++) {
		const struct gpuoa_platform *platform = gpuoa_platform_get(p);

		for (size_t s = 0; s < platform->set_count; s++) {
			const struct gpuoa_set *set = gpuoa_platform_get_set(platform, s);

			CHECK(gpuoa_platform_find_uuid(platform, table_string(&set->uuid)) == set);
			for (size_t o = 0; o < p; o++) {
				const struct gpuoa_set *other = gpuoa_platform_find_uuid(
					gpuoa_platform_get(o), table_string(&set->uuid));

				if (!other)
					continue;
				shared++;
				CHECK(same_registers(set, other));
			}
		}
	}
	CHECK(shared > 0);
}

static void find_set_selects_by_domain(void)
{
	const struct gpuoa_platform *bmg = gpuoa_platform_find("bmg");
	const struct gpuoa_set *oam0, *oam1;
	struct gpuoa_set_desc desc;

	REQUIRE(bmg);
	oam0 = gpuoa_platform_find_set(bmg, "OAM0/MediaSet1", NULL, NULL);
	oam1 = gpuoa_platform_find_set(bmg, "OAM1/MediaSet1", NULL, NULL);
	REQUIRE(oam0 && oam1);
	CHECK(oam0 != oam1);
	CHECK(gpuoa_platform_find_set(bmg, "MediaSet1", NULL, NULL) == oam0);
	CHECK(!gpuoa_platform_find_set(bmg, "OA/MediaSet1", NULL, NULL));
	gpuoa_set_describe(oam1, &desc, sizeof(desc));
	CHECK_STRING(desc.domain, "OAM1");
	CHECK(desc.format == GPUOA_REPORT_MPEC8U64_B8_C8);
}

static void find_set_selects_by_constants(void)
{
	const struct gpuoa_platform *arl = gpuoa_platform_find("arlgt1");
	struct gpuoa_constants *constants;
	const struct gpuoa_set *first, *set;

	REQUIRE(arl && !gpuoa_constants_new(arl, &constants));
	first = gpuoa_platform_find_set(arl, "SLMProfile", NULL, NULL);
	CHECK(gpuoa_set_available(first, NULL, constants, NULL, 0) == -ENOENT);
	for (uint64_t core = 0; core < 2; core++) {
		CHECK(!gpuoa_constants_set(constants, "GtSlice0XeCore0", 1));
		CHECK(!gpuoa_constants_set(constants, "GtSlice0XeCore3", core));
		set = gpuoa_platform_find_set(arl, "SLMProfile", NULL, constants);
		CHECK(set && gpuoa_set_available(set, NULL, constants, NULL, 0) == 1);
	}
	gpuoa_constants_set(constants, "GtSlice0XeCore0", 0);
	set = gpuoa_platform_find_set(arl, "SLMProfile", NULL, constants);
	CHECK(set && set != first);
	gpuoa_constants_free(constants);
}

static void metric_describe_returns_EuActive(void)
{
	const struct gpuoa_set *set = haswell_set("RenderBasic");
	struct gpuoa_metric_desc desc = describe_metric(set, "EuActive");

	CHECK_STRING(desc.name, "EU Active");
	CHECK_STRING(desc.group, "EU Array");
	CHECK_STRING(desc.units, "percent");
	CHECK_STRING(desc.hw_unit, "gpu");
	CHECK_STRING(desc.equation, "A0 * 100 / (GpuCoreClocks * EuCoresTotalCount)");
	CHECK_STRING(desc.max, "100");
	CHECK_STRING(desc.availability, "");
	CHECK(desc.type == GPUOA_TYPE_FLOAT);
	CHECK(desc.semantic == GPUOA_SEMANTIC_DURATION);
	CHECK(desc.tier == 2);
	CHECK(desc.usage == (GPUOA_USAGE_TIER_2 | GPUOA_USAGE_OVERVIEW | GPUOA_USAGE_SYSTEM |
			     GPUOA_USAGE_FRAME | GPUOA_USAGE_BATCH | GPUOA_USAGE_DRAW));
	CHECK(desc.apis == 0);
	CHECK(!desc.query_only && !desc.has_watermarks);

	desc = describe_metric(set, "Sampler1Bottleneck");
	CHECK(desc.has_watermarks && desc.low == 5 && desc.high == 15);
	CHECK_STRING(desc.hw_unit, "subslice");
	CHECK_STRING(desc.availability, "SubsliceMask & 0x2");

	desc = describe_metric(set, "LlcHits");
	CHECK(desc.query_only);
}

static void equations_differ_between_sets(void)
{
	CHECK_STRING(describe_metric(haswell_set("RenderBasic"), "GpuCoreClocks").equation, "C2");
	CHECK_STRING(describe_metric(haswell_set("MemoryReads"), "GpuCoreClocks").equation, "C7");
	CHECK_STRING(describe_metric(haswell_set("SamplerBalance"), "GpuCoreClocks").equation,
		     "B7");
	CHECK(describe_metric(haswell_set("ComputeBasic"), "VsThreads").apis ==
	      (GPUOA_API_OGL4 | GPUOA_API_IO | GPUOA_API_BB));
}

static void availability_depends_on_constants(void)
{
	const struct gpuoa_set *set = haswell_set("RenderBasic");
	const struct gpuoa_metric *sampler1 = gpuoa_set_find_metric(set, "Sampler1Busy");
	struct gpuoa_constants *constants;

	REQUIRE(!gpuoa_constants_new(haswell(), &constants));
	CHECK(gpuoa_metric_available(sampler1, constants, NULL, 0) == -ENOENT);
	CHECK(gpuoa_metric_available(gpuoa_set_find_metric(set, "GpuTime"), constants, NULL, 0) ==
	      1);
	CHECK(gpuoa_metric_available(gpuoa_set_find_metric(set, "LlcHits"), constants, NULL, 0) ==
	      0);
	gpuoa_constants_set(constants, "SubsliceMask", 1);
	CHECK(gpuoa_metric_available(sampler1, constants, NULL, 0) == 0);
	gpuoa_constants_set(constants, "SubsliceMask", 3);
	CHECK(gpuoa_metric_available(sampler1, constants, NULL, 0) == 1);
	gpuoa_constants_free(constants);
}

static void info_describe_returns_items(void)
{
	const struct gpuoa_set *set = haswell_set("ComputeExtended");
	struct gpuoa_info_desc desc;

	REQUIRE(gpuoa_set_get_info(set, 0) && gpuoa_set_get_info(set, 1));
	CHECK(!gpuoa_set_get_info(set, 2));
	gpuoa_info_describe(gpuoa_set_get_info(set, 0), &desc, sizeof(desc));
	CHECK_STRING(desc.symbol, "QueryBeginTime");
	CHECK_STRING(desc.units, "ns");
	CHECK(desc.semantic == GPUOA_SEMANTIC_TIMESTAMP);
	CHECK(*desc.name && *desc.description);
	gpuoa_info_describe(gpuoa_set_get_info(set, 1), &desc, sizeof(desc));
	CHECK_STRING(desc.symbol, "ReportId");
}

/* EU stall sampling must not be offered by any domain. */
static void no_domain_samples_stalls_of_EUs(void)
{
	struct gpuoa_domain_desc desc;

	for (size_t i = 0; i < gpuoa_platform_count(); i++)
		for (size_t k = 0;
		     !gpuoa_platform_describe_domain(gpuoa_platform_get(i), k, &desc, sizeof(desc));
		     k++)
			CHECK(desc.sampling && !(desc.sampling & GPUOA_SAMPLING_EU_STALL));
}

static void set_describe_returns_category_and_sampling(void)
{
	struct gpuoa_set_desc desc;

	gpuoa_set_describe(haswell_set("RenderBasic"), &desc, sizeof(desc));
	CHECK(desc.category == GPUOA_CATEGORY_RENDER);
	CHECK(desc.sampling ==
	      (GPUOA_SAMPLING_TIMER | GPUOA_SAMPLING_QUERY | GPUOA_SAMPLING_TRACER));
	CHECK_STRING(desc.format_name, "A45_B8_C8");
	CHECK(desc.report_size == 256);
	CHECK(desc.register_count == 62 + 4);
	CHECK_STRING(desc.domain, "OA");
	CHECK(desc.index == 0);
	gpuoa_set_describe(haswell_set("ComputeExtended"), &desc, sizeof(desc));
	CHECK(desc.category == GPUOA_CATEGORY_COMPUTE);
	gpuoa_set_describe(haswell_set("MemoryReads"), &desc, sizeof(desc));
	CHECK(desc.category == GPUOA_CATEGORY_GENERIC);
	gpuoa_set_describe(gpuoa_platform_find_set(gpuoa_platform_find("bmg"), "OAM0/MediaSet1",
						   NULL, NULL),
			   &desc, sizeof(desc));
	CHECK(desc.category == GPUOA_CATEGORY_MEDIA);
	CHECK_STRING(desc.domain, "OAM0");
	CHECK(desc.domain_index == 1);
	/*
	 * Reports of later platforms contain their reason. Batches cannot write the reports of
	 * media units.
	 */
	gpuoa_set_describe(gpuoa_platform_find_set(gpuoa_platform_find("lnl"), "RenderBasic", NULL,
						   NULL),
			   &desc, sizeof(desc));
	CHECK(desc.sampling == (GPUOA_SAMPLING_TIMER | GPUOA_SAMPLING_QUERY |
				GPUOA_SAMPLING_TRIGGER | GPUOA_SAMPLING_TRACER));
	gpuoa_set_describe(gpuoa_platform_find_set(gpuoa_platform_find("lnl"), "MediaSet1", "OAM0",
						   NULL),
			   &desc, sizeof(desc));
	CHECK(desc.sampling & GPUOA_SAMPLING_TIMER && !(desc.sampling & GPUOA_SAMPLING_QUERY));
}

static void find_metric_accepts_set_and_symbol(void)
{
	const struct gpuoa_platform *bmg = gpuoa_platform_find("bmg");
	struct gpuoa_metric_desc desc;
	const struct gpuoa_metric *metric =
		gpuoa_platform_find_metric(haswell(), "RenderBasic.EuActive", NULL);

	CHECK(metric == gpuoa_set_find_metric(haswell_set("RenderBasic"), "EuActive"));
	gpuoa_metric_describe(metric, &desc, sizeof(desc));
	CHECK(desc.set == haswell_set("RenderBasic"));
	CHECK(gpuoa_set_get_metric(desc.set, desc.index) == metric);

	metric = gpuoa_platform_find_metric(bmg, "OAM1/MediaSet1.GpuTime", NULL);
	REQUIRE(metric);
	gpuoa_metric_describe(metric, &desc, sizeof(desc));
	CHECK(desc.set == gpuoa_platform_find_set(bmg, "OAM1/MediaSet1", NULL, NULL));

	CHECK(!gpuoa_platform_find_metric(haswell(), "EuActive", NULL));
	CHECK(!gpuoa_platform_find_metric(haswell(), "RenderBasic.", NULL));
	CHECK(!gpuoa_platform_find_metric(haswell(), ".EuActive", NULL));
	CHECK(!gpuoa_platform_find_metric(haswell(), "", NULL));
	CHECK(!gpuoa_platform_find_metric(haswell(), "OAM0/RenderBasic.EuActive", NULL));
}

/* Find sets that have the same symbol but are for different GPUs of a platform. */
static void find_metric_selects_set_of_gpu(void)
{
	const struct gpuoa_platform *arl = gpuoa_platform_find("arlgt1");
	struct gpuoa_constants *constants;
	size_t several = 0;

	REQUIRE(!gpuoa_constants_new(arl, &constants));
	REQUIRE(!gpuoa_constants_assume(constants));
	for (size_t i = 0; i < gpuoa_platform_set_count(arl); i++) {
		const struct gpuoa_set *set = gpuoa_platform_get_set(arl, i);
		struct gpuoa_set_desc desc, found;
		struct gpuoa_metric_desc metric;
		char name[128];

		gpuoa_set_describe(set, &desc, sizeof(desc));
		if (!*desc.availability)
			continue;
		several++;
		snprintf(name, sizeof(name), "%s/%s.GpuTime", desc.domain, desc.symbol);
		REQUIRE(gpuoa_platform_find_metric(arl, name, constants));
		gpuoa_metric_describe(gpuoa_platform_find_metric(arl, name, constants), &metric,
				      sizeof(metric));
		gpuoa_set_describe(metric.set, &found, sizeof(found));
		CHECK_STRING(found.symbol, desc.symbol);
		CHECK(gpuoa_set_available(metric.set, NULL, constants, NULL, 0) == 1);
	}
	CHECK(several == 4);
	gpuoa_constants_free(constants);
}

static void unavailable_metric_has_reason(void)
{
	const struct gpuoa_set *set = haswell_set("RenderBasic");
	const struct gpuoa_metric *sampler1 = gpuoa_set_find_metric(set, "Sampler1Busy");
	struct gpuoa_constants *constants;
	char why[128] = "x", small[10];

	REQUIRE(!gpuoa_constants_new(haswell(), &constants));
	CHECK(gpuoa_metric_available(sampler1, constants, why, sizeof(why)) == -ENOENT);
	CHECK_STRING(why, "needs SubsliceMask & 0x2, and SubsliceMask has no value");
	CHECK(gpuoa_metric_available(sampler1, NULL, why, sizeof(why)) == -ENOENT);
	CHECK_STRING(why, "needs SubsliceMask & 0x2, and no constants are given");
	gpuoa_constants_set(constants, "SubsliceMask", 1);
	CHECK(gpuoa_metric_available(sampler1, constants, why, sizeof(why)) == 0);
	CHECK_STRING(why, "needs SubsliceMask & 0x2, and SubsliceMask is 0x1");
	CHECK(gpuoa_metric_available(sampler1, constants, small, sizeof(small)) == 0);
	CHECK_STRING(small, "needs Sub");
	gpuoa_constants_set(constants, "SubsliceMask", 2);
	CHECK(gpuoa_metric_available(sampler1, constants, why, sizeof(why)) == 1);
	CHECK_STRING(why, "");
	CHECK(gpuoa_metric_available(gpuoa_set_find_metric(set, "LlcHits"), constants, why,
				     sizeof(why)) == 0);
	CHECK_STRING(why, "only begin/end queries have it");
	CHECK(gpuoa_set_available(set, NULL, constants, why, sizeof(why)) == 1);
	CHECK_STRING(why, "");
	gpuoa_constants_free(constants);
}

/* Compile a platform called hsw with metric M of set S, which depends on constants K and L. */
static const struct gpuoa_metric *compile_metric(struct fixture *fixture)
{
	const struct gpuoa_set *set;

	if (!CHECK(!fixture_compile(fixture,
				    "platform hsw \"H\" constant K \"-\" constant L \"-\"\n"
				    "metric M \"-\" \"-\" = A0 uint64 x event "
				    "if K > 5 and L and K < 9 and L != 4\n"
				    "set S \"S\" { uuid \"00000000-0000-4000-8000-000000000001\" "
				    "format A45_B8_C8 metrics { M } }\n")))
		return NULL;
	set = gpuoa_platform_get_set(fixture_platform(fixture), 0);
	return gpuoa_set_get_metric(set, 0);
}

static void reason_has_each_constant_once(void)
{
	struct gpuoa_constants *constants;
	struct fixture fixture;
	const struct gpuoa_metric *metric = compile_metric(&fixture);
	char why[128];

	REQUIRE(metric);
	REQUIRE(!gpuoa_constants_new(fixture_platform(&fixture), &constants));
	CHECK(gpuoa_metric_available(metric, constants, why, sizeof(why)) == -ENOENT);
	CHECK_STRING(why, "needs K > 5 and L and K < 9 and L != 4, and K has no value, "
			  "and L has no value");
	gpuoa_constants_set(constants, "K", 7);
	CHECK(gpuoa_metric_available(metric, constants, why, sizeof(why)) == -ENOENT);
	CHECK_STRING(why, "needs K > 5 and L and K < 9 and L != 4, and L has no value");
	gpuoa_constants_set(constants, "L", 4);
	CHECK(gpuoa_metric_available(metric, constants, why, sizeof(why)) == 0);
	CHECK_STRING(why, "needs K > 5 and L and K < 9 and L != 4, and K is 7, and L is 4");
	CHECK(gpuoa_metric_available(metric, constants, why, 60) == 0);
	CHECK_STRING(why, "needs K > 5 and L and K < 9 and L != 4, and K is 7, and L i");
	CHECK(gpuoa_metric_available(metric, constants, why, 1) == 0);
	CHECK_STRING(why, "");
	gpuoa_constants_set(constants, "L", 1);
	CHECK(gpuoa_metric_available(metric, constants, why, sizeof(why)) == 1);
	gpuoa_constants_free(constants);
	fixture_free(&fixture);
}

static void constants_of_other_platform_have_reason(void)
{
	const struct gpuoa_set *set = gpuoa_platform_get_set(gpuoa_platform_find("bdw"), 0);
	struct gpuoa_constants *constants;
	struct fixture fixture;
	const struct gpuoa_metric *metric = compile_metric(&fixture);
	char why[128];

	REQUIRE(metric);
	REQUIRE(!gpuoa_constants_new(haswell(), &constants));
	CHECK(gpuoa_metric_available(metric, constants, why, sizeof(why)) == -EINVAL);
	CHECK_STRING(why, "the constants are those of another platform called hsw, not of hsw");
	CHECK(gpuoa_set_available(set, NULL, constants, why, sizeof(why)) == -EINVAL);
	CHECK_STRING(why, "the constants are those of hsw, not of bdw");
	CHECK(gpuoa_set_available(set, NULL, constants, NULL, 0) == -EINVAL);
	gpuoa_constants_free(constants);
	fixture_free(&fixture);
}

static void unavailable_set_has_reason(void)
{
	const struct gpuoa_platform *arl = gpuoa_platform_find("arlgt1");
	struct gpuoa_constants *constants;
	size_t absent = 0;
	char why[256];

	REQUIRE(!gpuoa_constants_new(arl, &constants));
	gpuoa_constants_set(constants, "XeCoreMask", 0x8);
	for (size_t i = 0; i < gpuoa_platform_set_count(arl); i++) {
		if (gpuoa_set_available(gpuoa_platform_get_set(arl, i), NULL, constants, why,
					sizeof(why)))
			continue;
		absent++;
		CHECK(strstr(why, "GtSlice0XeCore0 is 0") && strstr(why, "GtSlice0XeCore3 is 1"));
	}
	CHECK(absent == 2);
	gpuoa_constants_free(constants);
}

static void unit_has_sets_of_its_domain_only(void)
{
	const struct gpuoa_platform *bmg = gpuoa_platform_find("bmg");
	const struct gpuoa_set *media = gpuoa_platform_find_set(bmg, "MediaSet1", "OAM1", NULL);
	struct gpuoa_set_desc desc;
	char why[256];

	REQUIRE(media);
	gpuoa_set_describe(media, &desc, sizeof(desc));
	CHECK_STRING(desc.domain, "OAM1");
	CHECK(media == gpuoa_platform_find_set(bmg, "OAM1/MediaSet1", "OAM1", NULL));
	CHECK(media == gpuoa_platform_find_set(bmg, "OAM1/MediaSet1", NULL, NULL));
	CHECK(media != gpuoa_platform_find_set(bmg, "MediaSet1", "", NULL));
	CHECK(!gpuoa_platform_find_set(bmg, "OAM0/MediaSet1", "OAM1", NULL));
	CHECK(!gpuoa_platform_find_set(bmg, "OAM1/MediaSet1", "OAM", NULL));
	CHECK(!gpuoa_platform_find_set(bmg, "MediaSet2", "OAMG", NULL));
	CHECK(!gpuoa_platform_find_set(bmg, "RenderBasic", "OAM1", NULL));

	CHECK(gpuoa_set_available(media, "OAM1", NULL, why, sizeof(why)) == 1);
	CHECK_STRING(why, "");
	CHECK(gpuoa_set_available(media, "", NULL, why, sizeof(why)) == 1);
	CHECK(gpuoa_set_available(media, "OA", NULL, why, sizeof(why)) == 0);
	CHECK_STRING(why, "is for unit OAM1, not for unit OA");
	CHECK(gpuoa_set_available(media, "OAM0", NULL, NULL, 0) == 0);
}

static void set_of_domain_may_be_unavailable(void)
{
	const struct gpuoa_platform *arl = gpuoa_platform_find("arlgt1");
	const struct gpuoa_set *set = gpuoa_platform_find_set(arl, "SLMProfile", NULL, NULL);
	struct gpuoa_constants *constants;
	char why[256];

	REQUIRE(!gpuoa_constants_new(arl, &constants));
	gpuoa_constants_set(constants, "XeCoreMask", 0x8);
	CHECK(gpuoa_set_available(set, "OA", constants, why, sizeof(why)) == 0);
	CHECK(strstr(why, "GtSlice0XeCore0 is 0"));
	CHECK(gpuoa_platform_find_set(arl, "SLMProfile", "OA", constants) != set);
	gpuoa_constants_free(constants);
}

static void watermarks_classify_values(void)
{
	const struct gpuoa_set *set = haswell_set("RenderBasic");
	const struct gpuoa_metric *metric = gpuoa_set_find_metric(set, "Sampler1Bottleneck");

	CHECK(gpuoa_metric_classify(metric, 0) == GPUOA_WATERMARK_LOW);
	CHECK(gpuoa_metric_classify(metric, 4.99) == GPUOA_WATERMARK_LOW);
	CHECK(gpuoa_metric_classify(metric, 5) == GPUOA_WATERMARK_MEDIUM);
	CHECK(gpuoa_metric_classify(metric, 15) == GPUOA_WATERMARK_HIGH);
	CHECK(gpuoa_metric_classify(metric, 0.0 / 0.0) == GPUOA_WATERMARK_NONE);
	CHECK(gpuoa_metric_classify(gpuoa_set_find_metric(set, "GpuTime"), 100) ==
	      GPUOA_WATERMARK_NONE);
}

static struct gpuoa_measure_desc units(const char *text)
{
	struct gpuoa_measure_desc desc;

	gpuoa_measure_describe(text, &desc, sizeof(desc));
	return desc;
}

static void measure_describes_units(void)
{
	CHECK(units("percent").quantity == GPUOA_QUANTITY_RATIO);
	CHECK(units("percent").relative && units("percent").scale == 0.01);
	CHECK(units("ns").quantity == GPUOA_QUANTITY_TIME);
	CHECK(units("ns").scale == 1e-9);
	CHECK_STRING(units("ns").symbol, "s");
	CHECK(units("hz").quantity == GPUOA_QUANTITY_FREQUENCY);
	CHECK(units("MHz").scale == 1e6);
	CHECK(units("bytes").quantity == GPUOA_QUANTITY_DATA);
	CHECK(units("gbps").quantity == GPUOA_QUANTITY_BANDWIDTH);
	CHECK(units("gbps").scale == 1e9);
	CHECK(units("utilization").quantity == GPUOA_QUANTITY_RATIO);
	CHECK(units("utilization").scale == 1 && !units("utilization").relative);
	CHECK(units("eu requests to l3 cache lines").quantity == GPUOA_QUANTITY_RATIO);
	CHECK(units("eu atomic requests to l3 cache lines").quantity == GPUOA_QUANTITY_RATIO);
	CHECK(units("eu bytes per l3 cache line").quantity == GPUOA_QUANTITY_RATIO);
	CHECK(units("messages").quantity == GPUOA_QUANTITY_COUNT);
	CHECK(units("messages").scale == 1 && !units("messages").relative);
}

static bool is_countable(const char *units)
{
	static const char *const countable[] = { "cycles", "events", "messages", "number",
						 "pixels", "texels", "threads" };

	for (size_t i = 0; i < sizeof(countable) / sizeof(countable[0]); i++)
		if (!strcmp(units, countable[i]))
			return true;
	return false;
}

/*
 * Check that the unit of each metric is known: a metric with an unknown unit would be treated as a
 * count.
 */
static void units_of_all_metrics_have_a_quantity(void)
{
	size_t ratios = 0;

	for (size_t p = 0; p < gpuoa_platform_count(); p++) {
		const struct gpuoa_platform *platform = gpuoa_platform_get(p);
		const struct gpuoa_set *set;

		for (size_t s = 0; (set = gpuoa_platform_get_set(platform, s)); s++) {
			const struct gpuoa_metric *metric;
			struct gpuoa_metric_desc desc;

			for (size_t m = 0; (metric = gpuoa_set_get_metric(set, m)); m++) {
				gpuoa_metric_describe(metric, &desc, sizeof(desc));
				if (!CHECK((units(desc.units).quantity == GPUOA_QUANTITY_COUNT) ==
					   is_countable(desc.units)))
					printf("# %s: %s\n", desc.symbol, desc.units);
				ratios += units(desc.units).quantity == GPUOA_QUANTITY_RATIO;
			}
		}
	}
	CHECK(ratios > 10000);
}

static void value_to_double_converts_types(void)
{
	CHECK(gpuoa_value_to_double(GPUOA_TYPE_UINT64, (union gpuoa_value){ .u64 = 7 }) == 7);
	CHECK(gpuoa_value_to_double(GPUOA_TYPE_FLOAT, (union gpuoa_value){ .f32 = 0.5f }) == 0.5);
}

static void info_describe_returns_kinds(void)
{
	static const struct {
		const char *symbol;
		enum gpuoa_info_kind kind;
	} items[] = {
		{ "QueryBeginTime", GPUOA_INFO_TIMESTAMP },
		{ "ReportReason", GPUOA_INFO_REPORT_REASON },
		{ "ContextIdValid", GPUOA_INFO_FLAG },
		{ "ContextId", GPUOA_INFO_CONTEXT_ID },
		{ "SourceId", GPUOA_INFO_VALUE },
	};
	const struct gpuoa_set *set =
		gpuoa_platform_find_set(gpuoa_platform_find("bmg"), "RenderBasic", NULL, NULL);

	for (size_t i = 0; i < sizeof(items) / sizeof(items[0]); i++) {
		const struct gpuoa_info *info = gpuoa_set_find_info(set, items[i].symbol);
		struct gpuoa_info_desc desc;

		REQUIRE(info);
		gpuoa_info_describe(info, &desc, sizeof(desc));
		CHECK_STRING(desc.symbol, items[i].symbol);
		CHECK(desc.kind == items[i].kind);
	}
	CHECK(!gpuoa_set_find_info(set, "reportreason"));
}

static void registers_follow_order_of_definition(void)
{
	const struct gpuoa_set *set = haswell_set("RenderBasic");
	struct gpuoa_reg regs[62];

	CHECK(gpuoa_set_registers(set, GPUOA_REGISTER_MUX, NULL, NULL, 0) == 62);
	CHECK(gpuoa_set_registers(set, GPUOA_REGISTER_MUX, NULL, regs, 62) == 62);
	CHECK(regs[0].address == 0x9840 && regs[0].value == 0x80);
	CHECK(regs[1].address == 0x253a4 && regs[1].value == 0x1600000);
	CHECK(gpuoa_set_registers(set, GPUOA_REGISTER_BOOLEAN, NULL, regs, 62) == 4);
	CHECK(regs[0].address == 0x2724 && regs[0].value == 0x800000);
	CHECK(gpuoa_set_registers(set, GPUOA_REGISTER_FLEX, NULL, regs, 62) == 0);
}

static void registers_without_room_write_nothing(void)
{
	const struct gpuoa_set *set = haswell_set("RenderBasic");
	struct gpuoa_reg regs[3] = { { 1, 2 } };

	CHECK(gpuoa_set_registers(set, GPUOA_REGISTER_BOOLEAN, NULL, regs, 3) == 4);
	CHECK(regs[0].address == 1 && regs[0].value == 2);
}

static void descriptions_support_other_struct_sizes(void)
{
	struct {
		struct gpuoa_set_desc desc;
		char more[16];
	} newer;
	struct gpuoa_set_desc older;
	const char *name = "untouched";

	memset(&newer, 0x55, sizeof(newer));
	gpuoa_set_describe(haswell_set("RenderBasic"), &newer.desc, sizeof(newer));
	CHECK(newer.desc.info_count == 2);
	for (size_t i = 0; i < sizeof(newer.more); i++)
		CHECK(newer.more[i] == 0);

	older.name = name;
	gpuoa_set_describe(haswell_set("RenderBasic"), &older, sizeof(older.symbol));
	CHECK_STRING(older.symbol, "RenderBasic");
	CHECK(older.name == name);
}

/* ---- constants ---- */

static void constants_have_names_used_by_equations(void)
{
	struct gpuoa_constants *constants;
	bool found = false;

	REQUIRE(!gpuoa_constants_new(haswell(), &constants));
	for (size_t i = 0; i < gpuoa_constants_count(constants); i++)
		found = found || !strcmp(gpuoa_constants_name(constants, i), "EuCoresTotalCount");
	CHECK(found);
	CHECK(!gpuoa_constants_name(constants, gpuoa_constants_count(constants)));
	gpuoa_constants_free(constants);
}

static void constants_get_returns_value_set(void)
{
	struct gpuoa_constants *constants;
	uint64_t value = 1;

	REQUIRE(!gpuoa_constants_new(haswell(), &constants));
	CHECK(gpuoa_constants_get(constants, "SubsliceMask", &value) == -ENODATA);
	CHECK(value == 1);
	CHECK(!gpuoa_constants_set(constants, "SubsliceMask", UINT64_MAX));
	CHECK(!gpuoa_constants_get(constants, "SubsliceMask", &value));
	CHECK(value == UINT64_MAX);
	CHECK(!gpuoa_constants_set(constants, "SubsliceMask", 0));
	CHECK(!gpuoa_constants_get(constants, "SubsliceMask", &value));
	CHECK(value == 0);
	gpuoa_constants_free(constants);
}

static void unknown_constants_return_enoent(void)
{
	struct gpuoa_constants *constants;
	uint64_t value;

	REQUIRE(!gpuoa_constants_new(haswell(), &constants));
	CHECK(gpuoa_constants_set(constants, "Nonsense", 1) == -ENOENT);
	CHECK(gpuoa_constants_get(constants, "Nonsense", &value) == -ENOENT);
	CHECK(gpuoa_constants_set(constants, "subslicemask", 1) == -ENOENT);
	gpuoa_constants_free(constants);
}

static void copy_of_constants_is_independent(void)
{
	struct gpuoa_constants *constants, *copy;
	uint64_t value;

	REQUIRE(!gpuoa_constants_new(haswell(), &constants));
	gpuoa_constants_set(constants, "SubsliceMask", 3);
	REQUIRE(!gpuoa_constants_copy(constants, &copy));
	gpuoa_constants_set(copy, "SubsliceMask", 7);
	gpuoa_constants_set(copy, "EuCoresTotalCount", 10);
	CHECK(!gpuoa_constants_get(constants, "SubsliceMask", &value) && value == 3);
	CHECK(gpuoa_constants_get(constants, "EuCoresTotalCount", &value) == -ENODATA);
	gpuoa_constants_free(constants);
	CHECK(!gpuoa_constants_get(copy, "SubsliceMask", &value) && value == 7);
	gpuoa_constants_free(copy);
	gpuoa_constants_free(NULL);
}

static void enumerations_have_names(void)
{
	CHECK_STRING(gpuoa_api_name(GPUOA_API_OGL4), "ogl4");
	CHECK_STRING(gpuoa_category_name(GPUOA_CATEGORY_MEDIA), "media");
	CHECK_STRING(gpuoa_sampling_name(GPUOA_SAMPLING_QUERY), "query");
	CHECK_STRING(gpuoa_sampling_name(GPUOA_SAMPLING_EU_STALL), "eu stall");
	CHECK_STRING(gpuoa_register_kind_name(GPUOA_REGISTER_FLEX), "flex");
	CHECK_STRING(gpuoa_type_name(GPUOA_TYPE_FLOAT), "float");
	CHECK_STRING(gpuoa_semantic_name(GPUOA_SEMANTIC_RATIO), "ratio");
	CHECK_STRING(gpuoa_usage_name(GPUOA_USAGE_TIER_4), "tier4");
	CHECK_STRING(gpuoa_watermark_level_name(GPUOA_WATERMARK_MEDIUM), "medium");
	CHECK_STRING(gpuoa_quantity_name(GPUOA_QUANTITY_DATA), "data");
	CHECK_STRING(gpuoa_info_kind_name(GPUOA_INFO_REPORT_REASON), "report_reason");
	CHECK_STRING(gpuoa_element_kind_name(GPUOA_ELEMENT_METRIC), "metric");
	CHECK_STRING(gpuoa_operation_name(GPUOA_OPERATION_GREATER_EQUAL), "greater_equal");
	CHECK_STRING(gpuoa_constant_kind_name(GPUOA_CONSTANT_MASK), "mask");
	CHECK_STRING(gpuoa_provenance_name(GPUOA_PROVENANCE_DERIVED), "derived");
	CHECK_STRING(gpuoa_field_name(GPUOA_FIELD_CLOCK), "clock");
	CHECK_STRING(gpuoa_reason_name(GPUOA_REASON_CONTEXT_SWITCH), "context_switch");
	CHECK_STRING(gpuoa_delivery_name(GPUOA_DELIVERY_AUX), "aux");
}

/*
 * A newer library or kernel may have values that this library has no name for. In a mask, only
 * single bits have names.
 */
static void unknown_values_have_no_names(void)
{
	CHECK(!gpuoa_semantic_name((enum gpuoa_semantic)99));
	CHECK(!gpuoa_api_name((enum gpuoa_api)(GPUOA_API_IO | GPUOA_API_BB)));
	CHECK(!gpuoa_api_name((enum gpuoa_api)0));
	CHECK(!gpuoa_reason_name((enum gpuoa_reason)(1 << 20)));
}

static void metrics_are_found_by_alias(void)
{
	size_t found = 0;

	for (size_t p = 0; gpuoa_platform_get(p); p++)
		for (size_t s = 0; gpuoa_platform_get_set(gpuoa_platform_get(p), s); s++) {
			const struct gpuoa_set *set =
				gpuoa_platform_get_set(gpuoa_platform_get(p), s);
			const struct gpuoa_metric *metric =
				gpuoa_set_find_metric(set, "AvgGpuCoreFrequency");

			CHECK(gpuoa_set_find_metric(set, "AvgGpuCoreFrequencyMHz") == metric);
			CHECK(!gpuoa_set_find_metric(set, ""));
			CHECK(!gpuoa_set_find_metric(set, "NoMetric"));
			found += metric != NULL;
		}
	CHECK(found > 100);
}

int main(void)
{
	RUN(the_version_has_three_numbers);
	RUN(metadata_revision_is_12_hex_digits);
	RUN(set_describe_returns_report_sizes);
	RUN(platform_find_returns_platform_by_name);
	RUN(find_set_returns_set_by_symbol_and_uuid);
	RUN(set_describe_returns_remark);
	RUN(set_describe_returns_RenderBasic);
	RUN(every_metric_is_found_and_described);
	RUN(library_has_all_platforms_sets_and_metrics);
	RUN(equal_uuids_have_equal_registers);
	RUN(find_set_selects_by_domain);
	RUN(find_set_selects_by_constants);
	RUN(metric_describe_returns_EuActive);
	RUN(equations_differ_between_sets);
	RUN(availability_depends_on_constants);
	RUN(info_describe_returns_items);
	RUN(set_describe_returns_category_and_sampling);
	RUN(no_domain_samples_stalls_of_EUs);
	RUN(find_metric_accepts_set_and_symbol);
	RUN(find_metric_selects_set_of_gpu);
	RUN(unavailable_metric_has_reason);
	RUN(reason_has_each_constant_once);
	RUN(constants_of_other_platform_have_reason);
	RUN(unavailable_set_has_reason);
	RUN(unit_has_sets_of_its_domain_only);
	RUN(set_of_domain_may_be_unavailable);
	RUN(watermarks_classify_values);
	RUN(measure_describes_units);
	RUN(units_of_all_metrics_have_a_quantity);
	RUN(value_to_double_converts_types);
	RUN(info_describe_returns_kinds);
	RUN(registers_follow_order_of_definition);
	RUN(registers_without_room_write_nothing);
	RUN(descriptions_support_other_struct_sizes);
	RUN(constants_have_names_used_by_equations);
	RUN(constants_get_returns_value_set);
	RUN(unknown_constants_return_enoent);
	RUN(copy_of_constants_is_independent);
	RUN(enumerations_have_names);
	RUN(unknown_values_have_no_names);
	RUN(metrics_are_found_by_alias);
	return tap_end();
}
