// SPDX-License-Identifier: MIT
/* plan_test.c - Test domains, and the selection of sets that can be measured together. */
#include <errno.h>

#include "facts.h"
#include "fixture.h"
#include "gpuoa-catalog.h"
#include "tap.h"

static const struct gpuoa_set *find_set(const char *platform, const char *symbol)
{
	return gpuoa_platform_find_set(gpuoa_platform_find(platform), symbol, NULL, NULL);
}

/* Returns whether the reference has a set of the unit. */
static bool is_expected(const struct facts_platform *platform, const char *unit)
{
	for (size_t i = 0; i < platform->set_count; i++)
		if (!strcmp(platform->sets[i].unit, unit))
			return true;
	return false;
}

static bool has_domain(const struct gpuoa_platform *platform, const char *symbol)
{
	struct gpuoa_domain_desc desc;

	for (size_t i = 0; i < gpuoa_platform_domain_count(platform); i++)
		if (!gpuoa_platform_describe_domain(platform, i, &desc, sizeof(desc)) &&
		    !strcmp(desc.symbol, symbol))
			return true;
	return false;
}

/* The domains of a platform are the units of its sets in platforms.facts. */
static void describe_domain_returns_domains_of_sets(void)
{
	struct gpuoa_domain_desc desc;
	struct facts facts;

	facts_read(&facts);
	for (size_t p = 0; p < gpuoa_platform_count(); p++) {
		const struct gpuoa_platform *platform = gpuoa_platform_get(p);
		const struct facts_platform *expected =
			facts_find(&facts, gpuoa_platform_name(platform));
		const size_t count = gpuoa_platform_domain_count(platform);
		size_t sets = 0;

		REQUIRE(expected);
		CHECK(gpuoa_platform_describe_domain(platform, count, &desc, sizeof(desc)) ==
		      -ERANGE);
		for (size_t d = 0; d < count; d++) {
			REQUIRE(!gpuoa_platform_describe_domain(platform, d, &desc, sizeof(desc)));
			CHECK(*desc.symbol && *desc.description);
			CHECK(desc.set_count && desc.formats && desc.sampling);
			CHECK(is_expected(expected, desc.symbol));
			sets += desc.set_count;
		}
		CHECK(sets == gpuoa_platform_set_count(platform));
		for (size_t s = 0; s < expected->set_count; s++)
			CHECK(has_domain(platform, expected->sets[s].unit));
	}
	facts_free(&facts);
}

/* A domain has the triggers and report formats that its sets have, and no others. */
static void domain_has_sampling_and_formats_of_sets(void)
{
	for (size_t p = 0; p < gpuoa_platform_count(); p++) {
		const struct gpuoa_platform *platform = gpuoa_platform_get(p);

		for (size_t d = 0; d < gpuoa_platform_domain_count(platform); d++) {
			struct gpuoa_domain_desc domain;
			struct gpuoa_set_desc set;
			uint32_t sampling = 0;
			uint64_t formats = 0;

			for (size_t s = 0; s < gpuoa_platform_set_count(platform); s++) {
				gpuoa_set_describe(gpuoa_platform_get_set(platform, s), &set,
						   sizeof(set));
				if (set.domain_index != d)
					continue;
				sampling |= set.sampling;
				formats |= UINT64_C(1) << set.format;
			}
			REQUIRE(!gpuoa_platform_describe_domain(platform, d, &domain,
								sizeof(domain)));
			CHECK(domain.sampling == sampling && domain.formats == formats);
		}
	}
}

static void set_describe_returns_domain(void)
{
	for (size_t p = 0; p < gpuoa_platform_count(); p++) {
		const struct gpuoa_platform *platform = gpuoa_platform_get(p);

		for (size_t s = 0; s < gpuoa_platform_set_count(platform); s++) {
			struct gpuoa_domain_desc domain;
			struct gpuoa_set_desc set;

			gpuoa_set_describe(gpuoa_platform_get_set(platform, s), &set, sizeof(set));
			REQUIRE(!gpuoa_platform_describe_domain(platform, set.domain_index, &domain,
								sizeof(domain)));
			CHECK_STRING(domain.symbol, set.domain);
			CHECK(domain.formats >> set.format & 1);
			CHECK(set.index == s);
		}
	}
}

static void sets_of_one_domain_need_separate_passes(void)
{
	const struct gpuoa_set *sets[] = {
		find_set("hsw", "RenderBasic"),
		find_set("hsw", "ComputeBasic"),
		find_set("hsw", "RenderBasic"),
		find_set("hsw", "MemoryReads"),
	};
	size_t pass_of[4];

	CHECK(gpuoa_plan_passes(sets, NULL, 4, pass_of) == 3);
	CHECK(pass_of[0] == 0 && pass_of[1] == 1 && pass_of[2] == 0 && pass_of[3] == 2);
	CHECK(gpuoa_plan_passes(sets, NULL, 1, pass_of) == 1);
	CHECK(gpuoa_plan_passes(sets, NULL, 0, NULL) == 0);
}

static void domains_and_gpus_share_passes(void)
{
	const struct gpuoa_set *sets[] = {
		find_set("bmg", "RenderBasic"),	   find_set("bmg", "OAM0/MediaSet1"),
		find_set("bmg", "ComputeBasic"),   find_set("hsw", "RenderBasic"),
		find_set("tglgt2", "RenderBasic"),
	};
	size_t pass_of[5];

	for (size_t i = 0; i < 5; i++)
		REQUIRE(sets[i]);
	CHECK(gpuoa_plan_passes(sets, NULL, 5, pass_of) == 2);
	CHECK(pass_of[0] == 0 && pass_of[1] == 0 && pass_of[2] == 1 && pass_of[3] == 0 &&
	      pass_of[4] == 0);
}

/*
 * A user's set that extends a built-in one has the same configuration, so both can be measured in
 * one pass.
 */
static void sets_with_equal_registers_share_pass(void)
{
	static const char text[] = "platform hsw \"Haswell\"\n"
				   "set Mine \"Mine\" like RenderBasic { }\n";
	struct gpuoa_definitions *definitions;
	const struct gpuoa_platform *platform;
	const struct gpuoa_set *sets[3];
	size_t pass_of[3];

	REQUIRE(!gpuoa_definitions_parse("mine", text, strlen(text), &definitions, NULL, 0));
	platform = gpuoa_definitions_get_platform(definitions, 0);
	sets[0] = gpuoa_platform_find_set(platform, "ComputeBasic", NULL, NULL);
	sets[1] = gpuoa_platform_find_set(platform, "RenderBasic", NULL, NULL);
	sets[2] = gpuoa_platform_find_set(platform, "Mine", NULL, NULL);
	REQUIRE(sets[0] && sets[1] && sets[2]);
	CHECK(gpuoa_plan_passes(sets, NULL, 3, pass_of) == 2);
	CHECK(pass_of[0] == 0 && pass_of[1] == 1 && pass_of[2] == 1);
	gpuoa_definitions_free(definitions);
}

static bool has(const struct gpuoa_set *set, const char *symbol)
{
	return set && gpuoa_set_find_metric(set, symbol);
}

/* Two GPUs of one platform */
static void equal_gpus_need_separate_passes(void)
{
	const struct gpuoa_platform *platform = gpuoa_platform_find("hsw");
	const struct gpuoa_set *render = gpuoa_platform_get_set(platform, 0);
	const struct gpuoa_set *compute = gpuoa_platform_get_set(platform, 1);
	const struct gpuoa_set *const sets[] = { render, compute, render, compute, render };
	const uint32_t gpus[] = { 7, 7, 9, 9, 7 };
	const uint32_t both[] = { 7, 9, 7, 9, 7 };
	size_t pass_of[5];

	CHECK(gpuoa_plan_passes(sets, gpus, 5, pass_of) == 2);
	CHECK(pass_of[0] == 0 && pass_of[1] == 1 && pass_of[2] == 0 && pass_of[3] == 1);
	CHECK(pass_of[4] == 0);
	CHECK(gpuoa_plan_passes(sets, both, 5, pass_of) == 1);
	CHECK(gpuoa_plan_passes(sets, NULL, 5, pass_of) == 2);
}

/*
 * The planner first selects the set that has most of the missing metrics, regardless of its
 * position.
 */
static void plan_selects_set_with_most_metrics(void)
{
	static const char text[] =
		"platform t \"T\"\n"
		"metric One \"1\" \"D\" = A0 uint64 x event\n"
		"metric Two \"2\" \"D\" = A1 uint64 x event\n"
		"set Poor \"P\" { uuid \"00000000-0000-4000-8000-000000000001\" format A13\n"
		"	metrics { One } }\n"
		"set Rich \"R\" { uuid \"00000000-0000-4000-8000-000000000002\" format A13\n"
		"	metrics { One Two } }\n";
	static const char *const symbols[] = { "One", "Two" };
	struct gpuoa_definitions *definitions;
	const struct gpuoa_platform *platform;
	const struct gpuoa_set *set_of[2];

	REQUIRE(!gpuoa_definitions_parse("test", text, sizeof(text) - 1, &definitions, NULL, 0));
	platform = gpuoa_definitions_get_platform(definitions, 0);
	CHECK(gpuoa_plan_sets(platform, NULL, symbols, 2, set_of) == 1);
	CHECK(set_of[0] == gpuoa_platform_get_set(platform, 1) && set_of[1] == set_of[0]);
	gpuoa_definitions_free(definitions);
}

/* Of sets that have equally many of the missing metrics, the first one that the GPU has is used. */
static void plan_selects_first_of_equal_sets(void)
{
	static const char text[] =
		"platform t \"T\"\n"
		"constant SliceMask \"D\"\n"
		"metric One \"1\" \"D\" = A0 uint64 x event\n"
		"metric Two \"2\" \"D\" = A1 uint64 x event\n"
		"metric Three \"3\" \"D\" = A2 uint64 x event if SliceMask & 2\n"
		"set Some \"S\" { uuid \"00000000-0000-4000-8000-000000000001\" format A13\n"
		"	if SliceMask & 2 metrics { One Two } }\n"
		"set First \"F\" { uuid \"00000000-0000-4000-8000-000000000002\" format A13\n"
		"	metrics { One Three } }\n"
		"set Last \"L\" { uuid \"00000000-0000-4000-8000-000000000003\" format A13\n"
		"	metrics { One Three Two } }\n"
		"set Two \"T\" { uuid \"00000000-0000-4000-8000-000000000004\" format A13\n"
		"	metrics { Two } }\n";
	static const char *const symbols[] = { "One", "Three", "Two" };
	struct gpuoa_definitions *definitions;
	const struct gpuoa_platform *platform;
	struct gpuoa_constants *constants;
	const struct gpuoa_set *set_of[3];

	REQUIRE(!gpuoa_definitions_parse("test", text, sizeof(text) - 1, &definitions, NULL, 0));
	platform = gpuoa_definitions_get_platform(definitions, 0);
	REQUIRE(!gpuoa_constants_new(platform, &constants));
	CHECK(gpuoa_plan_sets(platform, NULL, symbols, 1, set_of) == 1);
	CHECK(set_of[0] == gpuoa_platform_get_set(platform, 0));
	CHECK(!gpuoa_constants_set(constants, "SliceMask", 1));
	CHECK(gpuoa_plan_sets(platform, constants, symbols, 1, set_of) == 1);
	CHECK(set_of[0] == gpuoa_platform_get_set(platform, 1));
	/* One and Two are in the third set; the GPU does not have Three. */
	CHECK(gpuoa_plan_sets(platform, constants, symbols, 3, set_of) == 1);
	CHECK(set_of[0] == gpuoa_platform_get_set(platform, 2) && !set_of[1]);
	CHECK(set_of[2] == set_of[0]);
	CHECK(!gpuoa_constants_set(constants, "SliceMask", 3));
	CHECK(gpuoa_plan_sets(platform, constants, symbols, 2, set_of) == 1);
	CHECK(set_of[0] == gpuoa_platform_get_set(platform, 1) && set_of[1] == set_of[0]);
	gpuoa_constants_free(constants);
	gpuoa_definitions_free(definitions);
}

static void plan_combines_sets(void)
{
	static const char *const symbols[] = {
		"GpuTime", "EuActive", "Sampler0Busy", "TypedBytesRead", "Nonsense",
	};
	const struct gpuoa_platform *platform = gpuoa_platform_find("hsw");
	struct gpuoa_constants *constants = haswell_gt2();
	const struct gpuoa_set *set_of[5];
	size_t pass_of[4];

	REQUIRE(constants);
	CHECK(gpuoa_plan_sets(platform, constants, symbols, 5, set_of) == 2);
	for (size_t i = 0; i < 4; i++)
		CHECK(has(set_of[i], symbols[i]));
	CHECK(!set_of[4]);
	CHECK(!has(set_of[3], "Sampler0Busy"));
	CHECK(gpuoa_plan_passes(set_of, NULL, 4, pass_of) == 2);
	/* If one set contains all requested symbols, only that set is selected. */
	CHECK(gpuoa_plan_sets(platform, NULL, symbols, 3, set_of) == 1);
	CHECK(set_of[0] == set_of[2]);
	CHECK(gpuoa_plan_sets(platform, constants, symbols, 0, NULL) == 0);
	gpuoa_constants_free(constants);
}

static void plan_skips_unavailable_metrics(void)
{
	static const char *const symbols[] = { "Sampler1Busy", "LlcHits" };
	const struct gpuoa_platform *platform = gpuoa_platform_find("hsw");
	struct gpuoa_constants *constants = haswell_gt2();
	const struct gpuoa_set *set_of[2];

	REQUIRE(constants);
	CHECK(gpuoa_plan_sets(platform, constants, symbols, 2, set_of) == 1);
	CHECK(set_of[0] && !set_of[1]);
	CHECK(!gpuoa_constants_set(constants, "SubsliceMask", 1));
	CHECK(gpuoa_plan_sets(platform, constants, symbols, 2, set_of) == 0);
	CHECK(!set_of[0] && !set_of[1]);
	/* Without constants the GPU is unknown, so all sets are considered. */
	CHECK(gpuoa_plan_sets(platform, NULL, symbols, 2, set_of) == 1);
	CHECK(set_of[0] && !set_of[1]);
	gpuoa_constants_free(constants);
}

int main(void)
{
	RUN(describe_domain_returns_domains_of_sets);
	RUN(domain_has_sampling_and_formats_of_sets);
	RUN(set_describe_returns_domain);
	RUN(sets_of_one_domain_need_separate_passes);
	RUN(domains_and_gpus_share_passes);
	RUN(sets_with_equal_registers_share_pass);
	RUN(equal_gpus_need_separate_passes);
	RUN(plan_selects_set_with_most_metrics);
	RUN(plan_selects_first_of_equal_sets);
	RUN(plan_combines_sets);
	RUN(plan_skips_unavailable_metrics);
	return tap_end();
}
