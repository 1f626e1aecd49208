// SPDX-License-Identifier: MIT
/*
 * constants_test.c - Test constants of a GPU: derived from facts about the GPU, assumed, or read
 * from a text.
 */
#include <errno.h>
#include <stdlib.h>

#include "fixture.h"
#include "gpu/platforms.h"
#include "gpu/rules.h"
#include "tap.h"
#include "gpu/topology.h"

#define PLATFORM(name) "platform " name " \"Test\"\n"
#define CONSTANT(name) "constant " name " \"Some fact.\"\n"
#define SET                                                            \
	"info X \"X\" \"X.\" = TIMESTAMP uint64 ns timestamp\n"        \
	"metric M \"M\" \"M.\" = TIMESTAMP uint64 ticks event\n"       \
	"set S \"S\" { uuid \"00000000-0000-4000-8000-000000000001\" " \
	"format A45_B8_C8 on IO metrics { M } boolean { 2724=00800000 } }\n"

static struct gpuoa_constants *open_constants(struct fixture *fixture, const char *text)
{
	struct gpuoa_constants *constants;

	if (!CHECK(!fixture_compile(fixture, text))) {
		printf("# %s\n", fixture->diagnostic.text);
		return NULL;
	}
	if (!CHECK(!gpuoa_constants_new(fixture_platform(fixture), &constants)))
		return NULL;
	return constants;
}

static void close_constants(struct fixture *fixture, struct gpuoa_constants *constants)
{
	gpuoa_constants_free(constants);
	fixture_free(fixture);
}

static bool is(const struct gpuoa_constants *constants, const char *name, uint64_t expected)
{
	uint64_t value;

	if (gpuoa_constants_get(constants, name, &value)) {
		printf("# %s has no value\n", name);
		return false;
	}
	if (value != expected)
		printf("# %s is %llu\n", name, (unsigned long long)value);
	return value == expected;
}

static bool is_unknown(const struct gpuoa_constants *constants, const char *name)
{
	uint64_t value;

	return gpuoa_constants_get(constants, name, &value) == -ENODATA;
}

static enum gpuoa_provenance provenance(const struct gpuoa_constants *constants, const char *name)
{
	struct gpuoa_constant_desc desc;

	for (size_t i = 0; i < gpuoa_constants_count(constants); i++)
		if (!gpuoa_constants_describe(constants, i, &desc, sizeof(desc)) &&
		    !strcmp(desc.name, name))
			return desc.provenance;
	return GPUOA_PROVENANCE_NONE;
}

/* ---- names ---- */

static void names_used_by_equations_have_rules(void)
{
	/*
	 * The names come from reference tables of 29 platforms; a number in a name represents a
	 * family of symbols.
	 */
	static const char *const names[] = {
		"ColorPipeTotalCount",
		"ComputeEngineTotalCount",
		"CopyEngineTotalCount",
		"DepthPipeTotalCount",
		"DualSubsliceMask",
		"EuCoresTotalCount",
		"EuSlicesTotalCount",
		"EuSubslicesTotalCount",
		"EuThreadsCount",
		"GeometryPipeTotalCount",
		"GpuMaxFrequency",
		"GpuMinFrequency",
		"GpuTimestampFrequency",
		"GtSlice0",
		"GtSlice1",
		"GtSlice0XeCore0",
		"GtSlice1XeCore3",
		"GtXeCore0",
		"GtXeCore28",
		"L3BankTotalCount",
		"L3NodeTotalCount",
		"QueryMode",
		"SkuRevisionId",
		"SliceMask",
		"SliceTotalCount",
		"SqidiTotalCount",
		"SubsliceMask",
		"VectorEngineGrfBlocksCount",
		"VectorEngineTotalCount",
		"VectorEngineThreadsCount",
		"XeCoreMask",
		"XeCoreTotalCount",
	};

	for (size_t i = 0; i < sizeof(names) / sizeof(names[0]); i++)
		if (!CHECK(rule_find(names[i]).kind != RULE_UNKNOWN))
			printf("# %s\n", names[i]);
}

static void other_names_have_no_rule(void)
{
	static const char *const names[] = {
		"",
		"Slice",
		"slicemask",
		"SliceMask ",
		"GtSlice",
		"GtSlice00",
		"GtSlice64",
		"GtSlice1x",
		"GtSlice-1",
		"GtSlice1XeCore",
		"GtXeCore4294967296",
		"GtL3Bank64",
		"EuCoresTotal",
	};

	for (size_t i = 0; i < sizeof(names) / sizeof(names[0]); i++)
		if (!CHECK(rule_find(names[i]).kind == RULE_UNKNOWN))
			printf("# '%s'\n", names[i]);
}

static void old_and_new_names_share_a_rule(void)
{
	static const char *const same[][2] = {
		{ "EuCoresTotalCount", "VectorEngineTotalCount" },
		{ "EuCoresPerSubsliceCount", "VectorEnginePerXeCoreCount" },
		{ "EuSlicesTotalCount", "SliceTotalCount" },
		{ "EuThreadsCount", "VectorEngineThreadsCount" },
		{ "EuSubslicesTotalCount", "XeCoreTotalCount" },
		{ "EuDualSubslicesTotalCount", "XeCoreTotalCount" },
		{ "GtSubsliceMask", "GtXeCoreMask" },
		{ "GtDualSubsliceMask", "GtXeCoreMask" },
		{ "DualSubsliceMask", "SubsliceMask" },
		{ "SliceMask", "GtSliceMask" },
		{ "L3BankMask", "GtL3BankMask" },
		{ "GtSlice1DualSubslice2", "GtSlice1XeCore2" },
	};

	for (size_t i = 0; i < sizeof(same) / sizeof(same[0]); i++)
		CHECK(rule_same(rule_find(same[i][0]), rule_find(same[i][1])));
	CHECK(!rule_same(rule_find("GtSlice1"), rule_find("GtSlice2")));
	CHECK(!rule_same(rule_find("Mine"), rule_find("Mine")));
}

/* ---- derived constants ---- */

static void slices_derive_from_slice_mask(void)
{
	struct fixture fixture;
	struct gpuoa_constants *constants = open_constants(
		&fixture, PLATFORM("mtlgt3") CONSTANT("GtSlice0") CONSTANT("GtSlice1")
				  CONSTANT("GtSlice0XeCore0") CONSTANT("GtSlice1XeCore3")
					  CONSTANT("SliceTotalCount") SET);

	REQUIRE(constants);
	CHECK(is_unknown(constants, "GtSlice0"));
	CHECK(!gpuoa_constants_set(constants, "SliceMask", 2));
	CHECK(is(constants, "GtSlice0", 0) && is(constants, "GtSlice1", 1));
	CHECK(is(constants, "SliceTotalCount", 1));
	CHECK(is(constants, "EuSlicesTotalCount", 1));
	CHECK(is_unknown(constants, "GtSlice1XeCore3"));
	CHECK(provenance(constants, "GtSlice1") == GPUOA_PROVENANCE_DERIVED);

	CHECK(!gpuoa_constants_set(constants, "XeCoreMask", 0x81));
	CHECK(is(constants, "GtSlice0XeCore0", 1));
	CHECK(is(constants, "GtSlice1XeCore3", 1));
	CHECK(is(constants, "XeCoreTotalCount", 2));
	CHECK(is(constants, "GtSlice1XeCore2", 0));
	CHECK(is(constants, "GtXeCore7", 1));
	/*
	 * This test has set the slice mask itself, so deriving constants does not change the mask.
	 */
	CHECK(is(constants, "SliceMask", 2));
	close_constants(&fixture, constants);
}

static void slices_derive_from_subslice_mask(void)
{
	struct fixture fixture;
	struct gpuoa_constants *constants =
		open_constants(&fixture, PLATFORM("sklgt4") CONSTANT("SliceMask") SET);

	REQUIRE(constants);
	CHECK(!gpuoa_constants_set(constants, "SubsliceMask", 0x1c0 | 0x7));
	CHECK(is(constants, "SliceMask", 5));
	CHECK(is(constants, "EuSlicesTotalCount", 2));
	CHECK(is(constants, "EuSubslicesTotalCount", 6));
	close_constants(&fixture, constants);
}

static void explicit_values_are_not_derived(void)
{
	struct fixture fixture;
	struct gpuoa_constants *constants =
		open_constants(&fixture, PLATFORM("mtlgt3") CONSTANT("GtSlice0")
						 CONSTANT("EuSlicesTotalCount") SET);

	REQUIRE(constants);
	CHECK(!gpuoa_constants_set(constants, "GtSlice0", 0));
	CHECK(!gpuoa_constants_set(constants, "SliceTotalCount", 7));
	CHECK(!gpuoa_constants_set(constants, "SliceMask", 3));
	CHECK(is(constants, "GtSlice0", 0) && is(constants, "GtSlice1", 1));
	CHECK(is(constants, "EuSlicesTotalCount", 7));
	CHECK(is(constants, "SliceTotalCount", 7));
	CHECK(provenance(constants, "GtSlice0") == GPUOA_PROVENANCE_GIVEN);
	/* No equation uses GtSlice1, and no constant is derived from it, so it cannot be set. */
	CHECK(gpuoa_constants_set(constants, "GtSlice1", 1) == -ENOENT);
	close_constants(&fixture, constants);
}

static void xe2_constants_derive_from_masks(void)
{
	struct fixture fixture;
	struct gpuoa_constants *constants = open_constants(&fixture, PLATFORM("bmg") SET);

	REQUIRE(constants);
	CHECK(!gpuoa_constants_set(constants, "XeCoreMask", 0xf0ff));
	CHECK(!gpuoa_constants_set(constants, "L3BankMask", 0x7770f));
	CHECK(!gpuoa_constants_set(constants, "VectorEngineThreadsCount", 8));
	CHECK(is(constants, "XeCoreTotalCount", 12));
	CHECK(is(constants, "SliceTotalCount", 3));
	CHECK(is(constants, "L3BankTotalCount", 13));
	CHECK(is(constants, "L3NodeTotalCount", 4));
	CHECK(is(constants, "SqidiTotalCount", 4));
	CHECK(is(constants, "CopyEngineTotalCount", 3));
	CHECK(is(constants, "GtL3Bank8", 1) && is(constants, "GtL3Bank7", 0));
	CHECK(is(constants, "GtL3Node1", 0) && is(constants, "GtL3Node4", 1));
	CHECK(is(constants, "GtL3NodeMask", 0x1d));
	CHECK(is(constants, "GeometryPipeTotalCount", 3));
	CHECK(is(constants, "ColorPipeTotalCount", 6));
	CHECK(is(constants, "DepthPipeTotalCount", 6));
	CHECK(is(constants, "VectorEngineGrfBlocksCount", 64));
	CHECK(!gpuoa_constants_set(constants, "EuThreadsCount", 10));
	CHECK(is(constants, "VectorEngineGrfBlocksCount", 32));
	CHECK(is_unknown(constants, "ComputeEngineTotalCount"));
	CHECK(is_unknown(constants, "VectorEngineTotalCount"));
	close_constants(&fixture, constants);
}

/* Each name has a kind; the values of several GPUs are added or not, depending on it. */
static void kinds_and_totals_follow_from_names(void)
{
	static const struct {
		const char *name;
		enum gpuoa_constant_kind kind;
		bool total;
	} names[] = {
		{ "ColorPipeTotalCount", GPUOA_CONSTANT_COUNT, true },
		{ "ComputeEngineTotalCount", GPUOA_CONSTANT_COUNT, true },
		{ "CopyEngineMask", GPUOA_CONSTANT_MASK, false },
		{ "CopyEngineTotalCount", GPUOA_CONSTANT_COUNT, true },
		{ "EuCoresPerSubsliceCount", GPUOA_CONSTANT_COUNT, false },
		{ "EuCoresTotalCount", GPUOA_CONSTANT_COUNT, true },
		{ "EuSlicesTotalCount", GPUOA_CONSTANT_COUNT, true },
		{ "EuThreadsCount", GPUOA_CONSTANT_COUNT, false },
		{ "GeometryPipeTotalCount", GPUOA_CONSTANT_COUNT, true },
		{ "GpuMaxFrequency", GPUOA_CONSTANT_FREQUENCY, false },
		{ "GpuMaxFrequencyMHz", GPUOA_CONSTANT_NUMBER, false },
		{ "GpuMinFrequency", GPUOA_CONSTANT_FREQUENCY, false },
		{ "GpuTimestampFrequency", GPUOA_CONSTANT_FREQUENCY, false },
		{ "GtL3NodeMask", GPUOA_CONSTANT_MASK, false },
		{ "GtSqidiMask", GPUOA_CONSTANT_MASK, false },
		{ "L3BankMask", GPUOA_CONSTANT_MASK, false },
		{ "L3NodeTotalCount", GPUOA_CONSTANT_COUNT, true },
		{ "L3Size", GPUOA_CONSTANT_NUMBER, false },
		{ "MaxTimestamp", GPUOA_CONSTANT_NUMBER, false },
		{ "MediaOABufferMaxSize", GPUOA_CONSTANT_NUMBER, false },
		{ "MediaOABufferMinSize", GPUOA_CONSTANT_NUMBER, false },
		{ "OABufferMaxSize", GPUOA_CONSTANT_NUMBER, false },
		{ "OABufferMinSize", GPUOA_CONSTANT_NUMBER, false },
		{ "NumberOfRenderOutputUnits", GPUOA_CONSTANT_COUNT, false },
		{ "PciDeviceId", GPUOA_CONSTANT_NUMBER, false },
		{ "QueryMode", GPUOA_CONSTANT_NUMBER, false },
		{ "SkuRevisionId", GPUOA_CONSTANT_NUMBER, false },
		{ "SliceMask", GPUOA_CONSTANT_MASK, false },
		{ "SqidiTotalCount", GPUOA_CONSTANT_COUNT, true },
		{ "SubsliceMask", GPUOA_CONSTANT_MASK, false },
		{ "GtCopyEngine1", GPUOA_CONSTANT_FLAG, false },
		{ "GtL3Bank1", GPUOA_CONSTANT_FLAG, false },
		{ "GtL3Node1", GPUOA_CONSTANT_FLAG, false },
		{ "GtSlice1", GPUOA_CONSTANT_FLAG, false },
		{ "GtSlice1XeCore2", GPUOA_CONSTANT_FLAG, false },
		{ "GtSqidi1", GPUOA_CONSTANT_FLAG, false },
		{ "GtXeCore1", GPUOA_CONSTANT_FLAG, false },
		{ "Mine", GPUOA_CONSTANT_NUMBER, false },
	};

	for (size_t i = 0; i < sizeof(names) / sizeof(names[0]); i++) {
		const struct rule rule = rule_find(names[i].name);

		if (!CHECK(rule_constant_kind(rule) == names[i].kind) ||
		    !CHECK(rule_is_total(rule) == names[i].total))
			printf("# %s\n", names[i].name);
	}
}

static void frequencies_and_units_derive_from_facts(void)
{
	struct fixture fixture;
	struct gpuoa_constants *constants = open_constants(&fixture, PLATFORM("bmg") SET);

	REQUIRE(constants);
	CHECK(!gpuoa_constants_set(constants, "GpuMaxFrequency", 2850000000));
	CHECK(!gpuoa_constants_set(constants, "GpuMinFrequency", 399999999));
	CHECK(is(constants, "GpuMaxFrequencyMHz", 2850));
	CHECK(is(constants, "GpuMinFrequencyMHz", 399));
	CHECK(is_unknown(constants, "NumberOfRenderOutputUnits"));
	CHECK(!gpuoa_constants_set(constants, "SliceMask", 0x1f));
	CHECK(is(constants, "NumberOfRenderOutputUnits", 20));
	CHECK(!gpuoa_constants_set(constants, "L3BankMask", 0x7770f));
	CHECK(is(constants, "L3NodeMask", 0x1d) && is(constants, "GtCopyEngineMask", 7));
	CHECK(is(constants, "GtCopyEngine2", 1) && is(constants, "GtCopyEngine3", 0));
	close_constants(&fixture, constants);
}

static void pipe_counts_depend_on_platform(void)
{
	struct fixture fixture;
	struct gpuoa_constants *constants = open_constants(&fixture, PLATFORM("nvlp") SET);

	REQUIRE(constants);
	CHECK(!gpuoa_constants_set(constants, "SliceMask", 3));
	CHECK(is(constants, "GeometryPipeTotalCount", 4));
	close_constants(&fixture, constants);

	constants = open_constants(&fixture, PLATFORM("nvl") SET);
	REQUIRE(constants);
	CHECK(!gpuoa_constants_set(constants, "L3BankMask", 0xffff));
	CHECK(is(constants, "SqidiTotalCount", 2));
	CHECK(is(constants, "L3NodeTotalCount", 4));
	close_constants(&fixture, constants);
}

static void query_mode_rejects_unknown_values(void)
{
	struct gpuoa_constants *constants = haswell_gt2(), *copy;

	REQUIRE(constants);
	CHECK(is(constants, "QueryMode", GPUOA_QUERY_NONE));
	CHECK(gpuoa_constants_set(constants, "QueryMode", GPUOA_QUERY_GLOBAL + 1) == -EINVAL);
	CHECK(is(constants, "QueryMode", GPUOA_QUERY_NONE));
	CHECK(gpuoa_constants_set(constants, "QueryMode", GPUOA_QUERY_GLOBAL) == 0);
	CHECK(is(constants, "QueryMode", GPUOA_QUERY_GLOBAL));
	REQUIRE(!gpuoa_constants_copy(constants, &copy));
	CHECK(is(copy, "QueryMode", GPUOA_QUERY_GLOBAL));
	gpuoa_constants_free(copy);
	gpuoa_constants_free(constants);
}

static void unknown_names_have_no_derived_value(void)
{
	struct fixture fixture;
	struct gpuoa_constants *constants =
		open_constants(&fixture, PLATFORM("mine") CONSTANT("Flavour") SET);

	REQUIRE(constants);
	CHECK(is_unknown(constants, "Flavour"));
	CHECK(!gpuoa_constants_set(constants, "Flavour", 3));
	CHECK(!gpuoa_constants_set(constants, "SliceMask", 1));
	CHECK(is(constants, "Flavour", 3));
	CHECK(gpuoa_constants_assume(constants) == -ENODATA);
	CHECK(!gpuoa_constants_part(constants));
	close_constants(&fixture, constants);
}

/* ---- description ---- */

static void describe_returns_description_and_provenance(void)
{
	struct gpuoa_constants *constants = haswell_gt2();
	struct gpuoa_constant_desc desc;
	bool mask = false, frequency = false;
	size_t count;

	REQUIRE(constants);
	count = gpuoa_constants_count(constants);
	for (size_t i = 0; i < count; i++) {
		CHECK(!gpuoa_constants_describe(constants, i, &desc, sizeof(desc)));
		CHECK_STRING(desc.name, gpuoa_constants_name(constants, i));
		CHECK(strlen(desc.description) > 10);
		CHECK(desc.provenance == GPUOA_PROVENANCE_GIVEN && desc.value);
		mask = mask ||
		       (desc.kind == GPUOA_CONSTANT_MASK && !strcmp(desc.name, "SubsliceMask"));
		frequency = frequency ||
			    (desc.kind == GPUOA_CONSTANT_FREQUENCY && desc.value == 12500000);
	}
	CHECK(mask && frequency);
	CHECK(gpuoa_constants_describe(constants, count, &desc, sizeof(desc)) == -ERANGE);
	gpuoa_constants_free(constants);
}

/* ---- assumptions ---- */

static void assume_uses_usual_part(void)
{
	struct fixture fixture;
	struct gpuoa_constants *constants =
		open_constants(&fixture, PLATFORM("tglgt2") CONSTANT("EuCoresTotalCount") CONSTANT(
						 "SliceMask") CONSTANT("EuThreadsCount") SET);

	REQUIRE(constants);
	CHECK(is_unknown(constants, "EuCoresTotalCount"));
	CHECK_STRING(gpuoa_constants_part(constants), "Tiger Lake GT2");
	CHECK(!gpuoa_constants_assume(constants));
	CHECK(is(constants, "EuCoresTotalCount", 96));
	CHECK(is(constants, "DualSubsliceMask", 0x3f));
	CHECK(is(constants, "EuSubslicesTotalCount", 6));
	CHECK(is(constants, "GpuTimestampFrequency", 19200000));
	CHECK(provenance(constants, "SliceMask") == GPUOA_PROVENANCE_ASSUMED);
	CHECK(!gpuoa_constants_set(constants, "EuThreadsCount", 6));
	CHECK(is(constants, "EuThreadsCount", 6));
	CHECK(provenance(constants, "EuThreadsCount") == GPUOA_PROVENANCE_GIVEN);
	close_constants(&fixture, constants);
}

static void assume_matches_given_constants(void)
{
	struct fixture fixture;
	struct gpuoa_constants *constants =
		open_constants(&fixture, PLATFORM("tglgt2") CONSTANT("EuCoresTotalCount") SET);

	REQUIRE(constants);
	CHECK(!gpuoa_constants_assume(constants));
	CHECK(!gpuoa_constants_set(constants, "DualSubsliceMask", 0x1f));
	CHECK(is(constants, "EuCoresTotalCount", 80));
	CHECK(provenance(constants, "EuCoresTotalCount") == GPUOA_PROVENANCE_ASSUMED);
	close_constants(&fixture, constants);

	constants = open_constants(&fixture, PLATFORM("mtlgt3") SET);
	REQUIRE(constants);
	CHECK(!gpuoa_constants_set(constants, "SliceMask", 1));
	CHECK(!gpuoa_constants_assume(constants));
	CHECK(is(constants, "XeCoreMask", 0xf));
	close_constants(&fixture, constants);

	constants = open_constants(&fixture, PLATFORM("mtlgt3") SET);
	REQUIRE(constants);
	CHECK(!gpuoa_constants_set(constants, "SliceMask", 2));
	CHECK(!gpuoa_constants_assume(constants));
	CHECK(is(constants, "XeCoreMask", 0xf0));
	CHECK(is(constants, "VectorEngineTotalCount", 64));
	CHECK(is(constants, "GtSlice0XeCore0", 0));
	close_constants(&fixture, constants);
}

static void parts_are_consistent(void)
{
	const struct gpu_platform *part;

	for (size_t i = 0; (part = gpu_platform_get(i)); i++) {
		struct gpu gpu = { .platform = part };
		int subslices;

		if (!*part->part)
			continue;
		subslices = __builtin_popcountll(part->facts[GPU_SUBSLICES]);
		CHECK(part->facts[GPU_EUS] % subslices == 0);
		CHECK(part->facts[GPU_MIN_FREQUENCY] < part->facts[GPU_MAX_FREQUENCY]);
		/* The mask of slices consists of the slices that have subslices. */
		gpu_give(&gpu, GPU_SUBSLICES, part->facts[GPU_SUBSLICES]);
		gpu_complete(&gpu, false);
		CHECK(gpu.facts[GPU_SLICES] == part->facts[GPU_SLICES]);
	}
}

static void assume_sets_all_constants_of_each_platform(void)
{
	for (size_t p = 0; p < gpuoa_platform_count(); p++) {
		const struct gpuoa_platform *platform = gpuoa_platform_get(p);
		struct gpuoa_constants *constants;
		struct gpuoa_constant_desc desc;

		REQUIRE(!gpuoa_constants_new(platform, &constants));
		CHECK(!gpuoa_constants_assume(constants));
		for (size_t i = 0; i < gpuoa_constants_count(constants); i++) {
			gpuoa_constants_describe(constants, i, &desc, sizeof(desc));
			if (!CHECK(desc.provenance == GPUOA_PROVENANCE_ASSUMED))
				printf("# %s of %s\n", desc.name, gpuoa_platform_name(platform));
			/*
			 * Only a flag can be 0, if the part is absent; all other values are above
			 * 0.
			 */
			CHECK(desc.value || desc.kind == GPUOA_CONSTANT_FLAG);
		}
		gpuoa_constants_free(constants);
	}
}

/* ---- text ---- */

static void parse_sets_constants(void)
{
	struct gpuoa_constants *constants = haswell_gt2();

	REQUIRE(constants);
	CHECK(!gpuoa_constants_parse(constants,
				     "# GT3\nSubsliceMask=0x1B, "
				     "EuCoresTotalCount=40 # all of them\n",
				     NULL, 0));
	CHECK(is(constants, "SubsliceMask", 0x1b));
	CHECK(is(constants, "EuCoresTotalCount", 40));
	CHECK(!gpuoa_constants_parse(constants, "", NULL, 0));
	CHECK(!gpuoa_constants_parse(constants, "SliceMask=18446744073709551615", NULL, 0));
	CHECK(is(constants, "SliceMask", UINT64_MAX));
	gpuoa_constants_free(constants);
}

static void parse_error_has_message_and_sets_nothing(void)
{
	static const struct {
		const char *text;
		int error;
		const char *message;
	} wrong[] = {
		{ "EuCoresTotalCount=40\n  Nonsense=1", -ENOENT,
		  "2:3: hsw's equations use no Nonsense" },
		{ "EuCoresTotalCount=40 SliceMask", -EINVAL, "1:22: expected NAME=NUMBER" },
		{ "EuCoresTotalCount=40 =1", -EINVAL, "1:22: expected NAME=NUMBER" },
		{ "EuCoresTotalCount=forty", -EINVAL, "1:19: expected a number, 42 or 0x2a" },
		{ "EuCoresTotalCount=4a", -EINVAL, "1:20: expected a number, 42 or 0x2a" },
		{ "EuCoresTotalCount=", -EINVAL, "1:19: expected a number, 42 or 0x2a" },
		{ "EuCoresTotalCount=0x", -EINVAL, "1:21: expected a number, 42 or 0x2a" },
		{ "SliceMask=18446744073709551616", -ERANGE,
		  "1:30: a constant has 64 bits at most" },
		{ "EuCoresTotalCount=40 QueryMode=4", -EINVAL,
		  "1:22: QueryMode can't have this value" },
	};
	struct gpuoa_constants *constants = haswell_gt2();
	char message[128];

	REQUIRE(constants);
	for (size_t i = 0; i < sizeof(wrong) / sizeof(wrong[0]); i++) {
		CHECK(gpuoa_constants_parse(constants, wrong[i].text, message, sizeof(message)) ==
		      wrong[i].error);
		CHECK_STRING(message, wrong[i].message);
		CHECK(is(constants, "EuCoresTotalCount", 20));
	}
	CHECK(gpuoa_constants_parse(constants, "x", message, 3) == -EINVAL);
	CHECK(!gpuoa_constants_parse(constants, "", message, sizeof(message)));
	CHECK_STRING(message, "");
	gpuoa_constants_free(constants);
}

static void check_number(const char *text, int err, uint64_t expected)
{
	struct gpuoa_constants *constants;
	uint64_t value = 0;

	REQUIRE(!gpuoa_constants_new(gpuoa_platform_find("hsw"), &constants));
	if (!CHECK(gpuoa_constants_parse(constants, text, NULL, 0) == err))
		printf("# %s\n", text);
	if (!err)
		CHECK(!gpuoa_constants_get(constants, "SliceMask", &value) && value == expected);
	gpuoa_constants_free(constants);
}

static void parse_reads_decimal_and_hexadecimal_numbers(void)
{
	check_number("SliceMask=0123456789", 0, 123456789);
	check_number("SliceMask=0x0123456789abcdef", 0, 0x0123456789abcdef);
	check_number("SliceMask=0XFEDCBA9876543210", 0, 0xfedcba9876543210);
	check_number("SliceMask=0xffffffffffffffff", 0, UINT64_MAX);
	check_number("SliceMask=18446744073709551615", 0, UINT64_MAX);
	check_number("SliceMask=18446744073709551616", -ERANGE, 0);
	check_number("SliceMask=0x10000000000000000", -ERANGE, 0);
	check_number("SliceMask=0", 0, 0);
	check_number("SliceMask=0x0", 0, 0);
	for (const char *wrong = "/:@G`g xX-+."; *wrong; wrong++) {
		char text[] = "SliceMask=0x1?", decimal[] = "SliceMask=1?";

		text[strlen(text) - 1] = decimal[strlen(decimal) - 1] = *wrong;
		check_number(text, *wrong == ' ' ? 0 : -EINVAL, 1);
		check_number(decimal, *wrong == ' ' ? 0 : -EINVAL, 1);
	}
	check_number("SliceMask=a", -EINVAL, 0);
	check_number("SliceMask=1a", -EINVAL, 0);
	check_number("SliceMask=1x1", -EINVAL, 0);
	check_number("SliceMask=0x", -EINVAL, 0);
	check_number("SliceMask=x1", -EINVAL, 0);
	check_number("SliceMask=", -EINVAL, 0);
	check_number("=1", -EINVAL, 0);
}

/* Names have 63 letters at most. */
static void parse_reads_long_names(void)
{
	char text[] = "SSSSSSSSSSSSSSSSSSSSSSSSSSSSSSSSSSSSSSSSSSSSSSSSSSSSSSSSSSSSSSSS=1",
	     message[128];
	struct gpuoa_constants *constants;

	REQUIRE(!gpuoa_constants_new(gpuoa_platform_find("hsw"), &constants));
	CHECK(strlen(text) == 64 + 2);
	CHECK(gpuoa_constants_parse(constants, text, message, sizeof(message)) == -ENOENT);
	CHECK_STRING(message, "1:1: no constant has such a long name");
	CHECK(gpuoa_constants_parse(constants, text + 1, message, sizeof(message)) == -ENOENT);
	CHECK(strstr(message, "1:1: hsw's equations use no SSS"));
	gpuoa_constants_free(constants);
}

static struct gpuoa_constants *parsed(const char *platform, const char *text)
{
	struct gpuoa_constants *constants = NULL;

	CHECK(!gpuoa_constants_new(gpuoa_platform_find(platform), &constants));
	CHECK(constants && !gpuoa_constants_parse(constants, text, NULL, 0));
	return constants;
}

/* Of two GPUs, totals are added, and all else is that of the first one. */
static void add_adds_totals_only(void)
{
	struct gpuoa_constants *sum =
		parsed("hsw", "EuCoresTotalCount=20 GpuTimestampFrequency=12500000");
	struct gpuoa_constants *other =
		parsed("hsw", "EuCoresTotalCount=24 GpuTimestampFrequency=19200000");
	struct gpuoa_constants *unknown = parsed("hsw", "GpuTimestampFrequency=19200000");
	struct gpuoa_constants *stranger = parsed("bdw", "EuCoresTotalCount=24");
	struct gpuoa_constant_desc desc;
	uint64_t value;

	REQUIRE(sum && other && unknown && stranger);
	CHECK(gpuoa_constants_add(sum, stranger) == -EINVAL);
	CHECK(!gpuoa_constants_add(sum, other) && is(sum, "EuCoresTotalCount", 44));
	CHECK(is(sum, "GpuTimestampFrequency", 12500000));
	CHECK(is(other, "EuCoresTotalCount", 24));
	CHECK(!gpuoa_constants_add(sum, unknown));
	CHECK(gpuoa_constants_get(sum, "EuCoresTotalCount", &value) == -ENODATA);
	for (size_t i = 0; !gpuoa_constants_describe(sum, i, &desc, sizeof(desc)); i++)
		if (!strcmp(desc.name, "EuCoresTotalCount"))
			CHECK(desc.provenance == GPUOA_PROVENANCE_NONE && !desc.value);
	/* It stays unknown. */
	CHECK(!gpuoa_constants_add(sum, other));
	CHECK(gpuoa_constants_get(sum, "EuCoresTotalCount", &value) == -ENODATA);
	gpuoa_constants_free(stranger);
	gpuoa_constants_free(unknown);
	gpuoa_constants_free(other);
	gpuoa_constants_free(sum);
}

static void add_sums_the_first_and_the_last_constant(void)
{
	struct gpuoa_constants *sum, *other;
	struct fixture fixture;

	sum = open_constants(&fixture, PLATFORM("sklgt2") CONSTANT("EuCoresTotalCount")
					       CONSTANT("Own") CONSTANT("EuSlicesTotalCount") SET);
	REQUIRE(sum);
	CHECK(!gpuoa_constants_parse(sum, "EuCoresTotalCount=24 Own=5 SliceMask=1", NULL, 0));
	REQUIRE(!gpuoa_constants_copy(sum, &other));
	CHECK(!gpuoa_constants_add(sum, other));
	CHECK(is(sum, "EuCoresTotalCount", 48) && is(sum, "EuSlicesTotalCount", 2));
	CHECK(is(sum, "Own", 5));
	gpuoa_constants_free(other);
	close_constants(&fixture, sum);
}

#define OWN CONSTANT("Own") CONSTANT("Other") CONSTANT("SliceMask")

static void transfer_copies_given_values(void)
{
	struct gpuoa_constants *from, *to;
	struct fixture fixture, other;

	from = open_constants(&fixture, PLATFORM("sklgt2") OWN SET);
	to = open_constants(&other, PLATFORM("sklgt2") CONSTANT("Other") CONSTANT("Own") SET);
	REQUIRE(from && to);
	CHECK(!gpuoa_constants_set(from, "Own", 5));
	CHECK(!gpuoa_constants_set(from, "GpuTimestampFrequency", 7));
	CHECK(!gpuoa_constants_set(from, "SubsliceMask", 0x3f));
	gpuoa_constants_transfer(to, from);
	CHECK(is(to, "Own", 5) && is_unknown(to, "Other"));
	CHECK(is(to, "GpuTimestampFrequency", 7));
	CHECK(is(to, "SubsliceMask", 0x3f) && is(to, "SliceMask", 3));
	/* Assumed values are transferred as an assumption only, and given values prevail. */
	CHECK(is_unknown(to, "EuCoresTotalCount"));
	CHECK(!gpuoa_constants_assume(from));
	gpuoa_constants_transfer(to, from);
	CHECK(is(from, "EuCoresTotalCount", 48) && is(to, "EuCoresTotalCount", 48));
	CHECK(!gpuoa_constants_set(to, "EuCoresTotalCount", 50));
	gpuoa_constants_transfer(to, from);
	CHECK(is(to, "EuCoresTotalCount", 50));
	close_constants(&other, to);
	to = open_constants(&other, PLATFORM("sklgt2") OWN SET);
	REQUIRE(to);
	gpuoa_constants_transfer(from, to);
	CHECK(is(from, "EuCoresTotalCount", 48) && is(from, "Own", 5));
	close_constants(&other, to);
	close_constants(&fixture, from);
}

/* No values are assumed for a GPU of which the library does not know a usual part. */
static void transfer_to_unknown_platform_assumes_nothing(void)
{
	struct gpuoa_constants *from, *to;
	struct fixture fixture, other;

	from = open_constants(&fixture, PLATFORM("sklgt2") OWN SET);
	to = open_constants(&other, PLATFORM("none") OWN SET);
	REQUIRE(from && to);
	CHECK(!gpuoa_constants_assume(from));
	CHECK(gpuoa_constants_assume(to) == -ENODATA);
	gpuoa_constants_transfer(to, from);
	CHECK(is_unknown(to, "SliceMask") && is_unknown(to, "EuCoresTotalCount"));
	close_constants(&other, to);
	close_constants(&fixture, from);
}

static void query_mode_is_transferred_if_given(void)
{
	struct gpuoa_constants *from, *to;
	struct fixture fixture;

	from = open_constants(&fixture, PLATFORM("sklgt2") OWN SET);
	REQUIRE(from && !gpuoa_constants_copy(from, &to));
	CHECK(!gpuoa_constants_set(to, "QueryMode", GPUOA_QUERY_RENDER));
	gpuoa_constants_transfer(to, from);
	CHECK(is(to, "QueryMode", GPUOA_QUERY_RENDER));
	CHECK(!gpuoa_constants_set(from, "QueryMode", GPUOA_QUERY_NONE));
	gpuoa_constants_transfer(to, from);
	CHECK(is(to, "QueryMode", GPUOA_QUERY_NONE));
	gpuoa_constants_free(to);
	close_constants(&fixture, from);
}

static void name_and_description_end_with_last_constant(void)
{
	struct gpuoa_constants *constants;
	struct gpuoa_constant_desc desc;
	struct fixture fixture;

	constants = open_constants(&fixture, PLATFORM("none") OWN SET);
	REQUIRE(constants);
	CHECK(gpuoa_constants_count(constants) == 3);
	CHECK_STRING(gpuoa_constants_name(constants, 0), "Own");
	CHECK_STRING(gpuoa_constants_name(constants, 2), "SliceMask");
	CHECK(!gpuoa_constants_name(constants, 3));
	CHECK(!gpuoa_constants_describe(constants, 2, &desc, sizeof(desc)));
	CHECK_STRING(desc.name, "SliceMask");
	CHECK(gpuoa_constants_describe(constants, 3, &desc, sizeof(desc)) == -ERANGE);
	close_constants(&fixture, constants);
}

static void new_constants_have_derived_values(void)
{
	struct gpuoa_constants *constants;
	struct gpuoa_constant_desc desc;
	struct fixture fixture;

	constants = open_constants(&fixture, PLATFORM("bmg") CONSTANT("PlatformIndex") SET);
	REQUIRE(constants);
	CHECK(!gpuoa_constants_describe(constants, 0, &desc, sizeof(desc)));
	CHECK(desc.provenance == GPUOA_PROVENANCE_DERIVED);
	CHECK(desc.value && is(constants, "PlatformIndex", desc.value));
	/* A PCI device ID is never assumed. */
	CHECK(!gpuoa_constants_assume(constants));
	CHECK(is_unknown(constants, "PciDeviceId") && is(constants, "PlatformIndex", desc.value));
	close_constants(&fixture, constants);
}

static void first_constant_is_found_by_other_names(void)
{
	struct gpuoa_constants *constants;
	struct fixture fixture;

	constants = open_constants(&fixture, PLATFORM("bmg") CONSTANT("EuSubslicesTotalCount") SET);
	REQUIRE(constants);
	CHECK(!gpuoa_constants_set(constants, "EuSubslicesTotalCount", 5));
	CHECK(is(constants, "XeCoreTotalCount", 5));
	CHECK(!gpuoa_constants_set(constants, "SamplersTotalCount", 6));
	CHECK(is(constants, "EuSubslicesTotalCount", 6));
	close_constants(&fixture, constants);
}

/* Check the subslices assumed for slices. The usual part has subslices 0xff00, four per slice. */
static void check_assumed_subslices(const char *slices, uint64_t expected)
{
	struct gpuoa_constants *constants = parsed("acmgt1", slices);

	REQUIRE(constants);
	CHECK(!gpuoa_constants_assume(constants));
	CHECK(is(constants, "SubsliceMask", expected));
	gpuoa_constants_free(constants);
}

static void assumed_subslices_are_those_of_slices(void)
{
	const struct gpuoa_unit_desc desc = { .slice_mask = 1, .subslice_stride = 64 };
	struct gpuoa_constants *constants;

	check_assumed_subslices("SliceMask=0x3", 0);
	check_assumed_subslices("SliceMask=0x4", 0xf00);
	check_assumed_subslices("SliceMask=0x9", 0xf000);
	check_assumed_subslices("SliceMask=0x10008", 0xf000);
	check_assumed_subslices("SliceMask=0x10000", 0);
	check_assumed_subslices("SliceMask=0x100000", 0);
	REQUIRE(!gpuoa_constants_of_unit(&desc, sizeof(desc), gpuoa_platform_find("acmgt1"),
					 &constants));
	CHECK(!gpuoa_constants_assume(constants));
	CHECK(is(constants, "SubsliceMask", 0xff00));
	gpuoa_constants_free(constants);
}

/* Slices beyond the mask of 64 subslices have none in it. */
static void no_subslices_are_assumed_beyond_the_mask(void)
{
	const struct gpu_platform *part;

	for (size_t i = 0; (part = gpu_platform_get(i)); i++) {
		struct gpu usual = { .platform = part };

		gpu_complete(&usual, true);
		for (uint64_t n = 0; n < 2 && *part->part; n++) {
			const uint64_t stride = usual.facts[GPU_SUBSLICE_STRIDE];
			const uint64_t slice = (64 + stride - 1) / stride + n;
			struct gpu gpu = { .platform = part };

			if (slice > 63)
				continue;
			gpu_give(&gpu, GPU_SLICES, UINT64_C(1) << slice);
			gpu_complete(&gpu, true);
			CHECK(gpu.provenances[GPU_SUBSLICES] == GPUOA_PROVENANCE_ASSUMED);
			CHECK(!gpu.facts[GPU_SUBSLICES] && !gpu.facts[GPU_EUS]);
		}
	}
}

static void numbers_in_names_are_limited(void)
{
	CHECK(rule_find("GtXeCore127").number == 127);
	CHECK(rule_find("GtXeCore128").kind == RULE_UNKNOWN);
	CHECK(rule_find("GtXeCore1270").kind == RULE_UNKNOWN);
	CHECK(rule_find("GtSlice63XeCore0").slice == 63);
	CHECK(rule_find("GtSlice64XeCore0").kind == RULE_UNKNOWN);
	CHECK(rule_find("GtSlice63").number == 63 && !rule_find("GtSlice63").slice);
	CHECK(rule_find("GtSlice64").kind == RULE_UNKNOWN);
	CHECK(rule_find("GtL3Bank00").kind == RULE_UNKNOWN);
}

/* A flag of a subslice that the masks have no bit for is 0. */
static void flags_beyond_masks_are_0(void)
{
	const struct gpuoa_unit_desc desc = {
		.subslice_mask = 0x11,
		.subslice_mask_high = 0x8000000000000001,
		.subslice_stride = 4,
	};
	const struct gpuoa_unit_desc wide = { .subslice_mask = 1,
					      .subslice_mask_high = 1,
					      .subslice_stride = 64 };
	struct gpuoa_constants *constants;

	REQUIRE(!topology_constants(&desc, gpuoa_platform_find("bmg"), &constants));
	CHECK(is(constants, "GtSlice0XeCore0", 1) && is(constants, "GtSlice1XeCore0", 1));
	CHECK(is(constants, "GtSlice0XeCore4", 0) && is(constants, "GtSlice0XeCore64", 0));
	CHECK(is(constants, "GtSlice31XeCore3", 1) && is(constants, "GtSlice32XeCore0", 0));
	CHECK(is(constants, "GtSlice63XeCore3", 0));
	gpuoa_constants_free(constants);
	REQUIRE(!topology_constants(&wide, gpuoa_platform_find("bmg"), &constants));
	CHECK(is(constants, "GtSlice1XeCore0", 1) && is(constants, "GtSlice2XeCore0", 0));
	CHECK(is(constants, "GtSlice3XeCore1", 0));
	gpuoa_constants_free(constants);
	CHECK(!topology_constants(&wide, NULL, &constants) && !constants);
}

static void check_max_timestamp(uint32_t bits, uint64_t frequency, uint64_t expected)
{
	const struct gpuoa_unit_desc desc = { .timestamp_bits = bits,
					      .timestamp_frequency = frequency };
	struct gpuoa_constants *constants;

	REQUIRE(!topology_constants(&desc, gpuoa_platform_find("bmg"), &constants));
	CHECK(is(constants, "MaxTimestamp", expected));
	gpuoa_constants_free(constants);
}

static void largest_timestamp_has_64_bits(void)
{
	check_max_timestamp(32, 1000000000, UINT64_C(1) << 32);
	check_max_timestamp(32, 12500000, UINT64_C(343597383680));
	check_max_timestamp(56, 19200000, UINT64_C(3752999689475413333));
	check_max_timestamp(63, 1000000000, UINT64_C(1) << 63);
	check_max_timestamp(63, 1000000, UINT64_MAX);
	check_max_timestamp(64, 1000000000000, UINT64_MAX);
}

static void masks_of_l3_banks_are_grouped(void)
{
	struct gpuoa_constants *constants = parsed("bmg", "L3BankMask=0xf0f0");

	REQUIRE(constants);
	CHECK(is(constants, "L3NodeMask", 0xa) && is(constants, "L3NodeTotalCount", 2));
	CHECK(is(constants, "CopyEngineMask", 0x3) && is(constants, "CopyEngineTotalCount", 2));
	CHECK(!gpuoa_constants_parse(constants, "L3BankMask=0x1", NULL, 0));
	CHECK(is(constants, "L3NodeMask", 0x1) && is(constants, "CopyEngineMask", 0x1));
	CHECK(!gpuoa_constants_parse(constants, "L3BankMask=0", NULL, 0));
	CHECK(is(constants, "L3NodeMask", 0) && is(constants, "L3NodeTotalCount", 0));
	CHECK(!gpuoa_constants_parse(constants, "XeCoreMask=0 VectorEngineTotalCount=8", NULL, 0));
	CHECK(is(constants, "VectorEnginePerXeCoreCount", 0));
	CHECK(!gpuoa_constants_parse(constants, "XeCoreMask=0x1000000000000001", NULL, 0));
	CHECK(is(constants, "VectorEnginePerXeCoreCount", 4));
	gpuoa_constants_free(constants);
}

static void platforms_are_found_by_name(void)
{
	const struct gpu_platform *platform;

	for (size_t i = 0; (platform = gpu_platform_get(i)); i++) {
		CHECK(gpu_platform_find(platform->name) == platform);
		CHECK(gpu_generation(platform->name) == platform->generation);
	}
	CHECK(!gpu_platform_find("none") && !gpu_generation("none"));
}

/* An error text is as long as its room allows, and terminated. */
static void parse_error_fits_its_room(void)
{
	static const char expected[] = "1:1: expected NAME=NUMBER";
	struct gpuoa_constants *constants;

	REQUIRE(!gpuoa_constants_new(gpuoa_platform_find("hsw"), &constants));
	for (size_t size = 0; size <= sizeof(expected); size++) {
		char *text = malloc(size + 1);

		REQUIRE(text);
		memset(text, '~', size + 1);
		CHECK(gpuoa_constants_parse(constants, "x", text, size) == -EINVAL);
		CHECK(text[size] == '~');
		CHECK(!size || strnlen(text, size) < size);
		CHECK(!size || !strncmp(text, expected, strlen(text)));
		/* The position is there completely, or cut like all of the text. */
		CHECK(!size ||
		      strlen(text) == (size < sizeof(expected) ? size - 1 : sizeof(expected) - 1));
		free(text);
	}
	CHECK(gpuoa_constants_parse(constants, "x", NULL, 100) == -EINVAL);
	gpuoa_constants_free(constants);
}

/* ---- units ---- */

static void unit_desc_sets_constants(void)
{
	const struct gpuoa_unit_desc desc = {
		.timestamp_frequency = 19200000,
		.gt_max_frequency = 2850000000,
		.slice_mask = 0x3,
		.subslice_mask = 0x7f,
		.slice_count = 2,
		.subslice_count = 7,
		.eu_count = 56,
		.threads_per_eu = 8,
		.l3_bank_mask = 0xff,
		.compute_engine_count = 1,
	};
	struct gpuoa_constants *constants;
	struct fixture fixture;

	REQUIRE(!fixture_compile(&fixture, PLATFORM("bmg") SET));
	REQUIRE(!topology_constants(&desc, fixture_platform(&fixture), &constants));
	CHECK(is(constants, "GpuTimestampFrequency", 19200000));
	CHECK(is(constants, "VectorEngineTotalCount", 56));
	CHECK(is(constants, "XeCoreTotalCount", 7));
	CHECK(is(constants, "GtSlice1XeCore3", 0));
	CHECK(is(constants, "GtXeCore6", 1) && is(constants, "GtXeCore7", 0));
	CHECK(is(constants, "L3NodeTotalCount", 2));
	CHECK(is(constants, "ComputeEngineTotalCount", 1));
	CHECK(is(constants, "GeometryPipeTotalCount", 2));
	CHECK(is(constants, "SkuRevisionId", 0));
	/*
	 * If the driver did not report a fact, its constants have the usual value, or are unknown.
	 */
	CHECK(is(constants, "GtSlice1XeCore2", 1));
	CHECK(is_unknown(constants, "GpuMinFrequency"));
	close_constants(&fixture, constants);
}

/* The limits of the buffer of a render unit and of a media unit are different constants. */
static void buffer_sizes_are_those_of_the_unit(void)
{
	static const char *const names[] = { "OABufferMinSize", "MediaOABufferMinSize" };
	struct gpuoa_unit_desc desc = { .buffer_size_min = 1 << 17 };
	struct gpuoa_constants *constants;
	struct fixture fixture;

	for (int media = 0; media < 2; media++) {
		strcpy(desc.domain, media ? "OAMG" : "OA");
		REQUIRE(!fixture_compile(&fixture, PLATFORM("bmg") SET));
		REQUIRE(!topology_constants(&desc, fixture_platform(&fixture), &constants));
		CHECK(is(constants, names[media], 1 << 17));
		CHECK(is_unknown(constants, names[!media]));
		close_constants(&fixture, constants);
	}
}

static void subslices_above_64_are_counted(void)
{
	const struct gpuoa_unit_desc desc = {
		.subslice_mask = 0xf,
		.subslice_mask_high = 0x80000001,
		.subslice_stride = 4,
		.eu_count = 48,
	};
	struct gpuoa_constants *constants;
	struct fixture fixture;

	REQUIRE(!fixture_compile(&fixture, PLATFORM("bmg") SET));
	REQUIRE(!topology_constants(&desc, fixture_platform(&fixture), &constants));
	CHECK(is(constants, "XeCoreMask", 0xf));
	CHECK(is(constants, "XeCoreTotalCount", 6));
	CHECK(is(constants, "GtXeCore3", 1) && is(constants, "GtXeCore4", 0));
	CHECK(is(constants, "GtXeCore64", 1) && is(constants, "GtXeCore65", 0));
	CHECK(is(constants, "GtSlice16XeCore0", 1) && is(constants, "GtSlice23XeCore3", 1));
	CHECK(is(constants, "GtSlice23XeCore2", 0));
	CHECK(is(constants, "SliceMask", 0x810001));
	close_constants(&fixture, constants);
}

/* A slice mask has 64 bits. */
static void slices_above_64_are_ignored(void)
{
	const struct gpuoa_unit_desc desc = {
		.subslice_mask = 0x2,
		.subslice_mask_high = 0x1,
		.subslice_stride = 1,
	};
	struct gpuoa_constants *constants;
	struct fixture fixture;

	REQUIRE(!fixture_compile(&fixture, PLATFORM("bmg") SET));
	REQUIRE(!topology_constants(&desc, fixture_platform(&fixture), &constants));
	CHECK(is(constants, "SliceMask", 0x2));
	close_constants(&fixture, constants);
}

static void unit_desc_sets_symbols_unused_by_equations(void)
{
	struct gpuoa_unit_desc desc = {
		.domain = "OA",
		.timestamp_frequency = 12500000,
		.timestamp_bits = 32,
		.device_id = 0xe20b,
		.l3_bank_mask = 0xf0f0f, /* nodes 0, 2 and 4 */
		.buffer_size_min = 128 << 10,
		.buffer_size_max = 16 << 20,
	};
	struct gpuoa_constants *constants;
	struct fixture fixture;

	REQUIRE(!fixture_compile(&fixture, PLATFORM("lnl") SET));
	REQUIRE(!topology_constants(&desc, fixture_platform(&fixture), &constants));
	CHECK(is(constants, "PciDeviceId", 0xe20b));
	CHECK(is(constants, "OABufferMinSize", 128 << 10));
	CHECK(is(constants, "OABufferMaxSize", 16 << 20));
	CHECK(is_unknown(constants, "MediaOABufferMinSize"));
	CHECK(is(constants, "MaxTimestamp", 343597383680)); /* 2^32 * 80 ns */
	CHECK(is(constants, "GtCopyEngineMask", 0x7));
	CHECK(is(constants, "CopyEngineMask", 0x7));
	CHECK(is(constants, "GtCopyEngine2", 1) && is(constants, "GtCopyEngine3", 0));
	gpuoa_constants_free(constants);

	strcpy(desc.domain, "OAM0");
	desc.timestamp_bits = 56;
	desc.timestamp_frequency = 19200000;
	REQUIRE(!topology_constants(&desc, fixture_platform(&fixture), &constants));
	CHECK(is(constants, "MediaOABufferMaxSize", 16 << 20));
	CHECK(is_unknown(constants, "OABufferMaxSize"));
	/* 2^56 ticks of 19.2 MHz are more than 2^61 ns. */
	CHECK(is(constants, "MaxTimestamp", 3752999689475413333));
	close_constants(&fixture, constants);
}

static void sqidis_derive_from_l3_nodes_or_count(void)
{
	struct gpuoa_unit_desc desc = { .domain = "OA", .l3_bank_mask = 0xf0f };
	struct gpuoa_constants *constants;
	struct fixture fixture;
	uint64_t count, mask;

	REQUIRE(!fixture_compile(&fixture, PLATFORM("ptl") SET));
	REQUIRE(!topology_constants(&desc, fixture_platform(&fixture), &constants));
	CHECK(!gpuoa_constants_get(constants, "SqidiTotalCount", &count));
	CHECK(!gpuoa_constants_get(constants, "GtSqidiMask", &mask));
	CHECK(count && (uint64_t)__builtin_popcountll(mask) == count);
	CHECK(is(constants, "GtSqidi0", 1));
	CHECK(is(constants, "GtSqidi63", 0));
	close_constants(&fixture, constants);
}

/* All these symbols are known, but no backend provides a value for them. */
static void symbols_without_provider_return_enodata(void)
{
	static const char *const names[] = {
		"ApertureSize",
		"Capabilities",
		"EdramSize",
		"GpuCurrentFrequencyMHz",
		"GpuFrequencyOverrideEnabled",
		"L3Size",
		"LLCSize",
		"MemoryPeakThroghputMB",
		"PavpDisabled",
	};
	const struct gpuoa_unit_desc desc = { .domain = "OA", .device_id = 1 };
	struct gpuoa_constants *constants;
	struct fixture fixture;
	uint64_t value;

	REQUIRE(!fixture_compile(&fixture,
				 PLATFORM("bmg") CONSTANT("LLCSize") CONSTANT("L3Size") SET));
	REQUIRE(!topology_constants(&desc, fixture_platform(&fixture), &constants));
	for (size_t i = 0; i < sizeof(names) / sizeof(names[0]); i++)
		CHECK(gpuoa_constants_get(constants, names[i], &value) == -ENODATA);
	CHECK(gpuoa_constants_get(constants, "NoSymbol", &value) == -ENOENT);
	/* Defining one MDAPI symbol must not set another one. */
	CHECK(!gpuoa_constants_set(constants, "LLCSize", 5));
	CHECK(is(constants, "LLCSize", 5));
	CHECK(gpuoa_constants_get(constants, "L3Size", &value) == -ENODATA);
	CHECK(gpuoa_constants_get(constants, "EdramSize", &value) == -ENODATA);
	close_constants(&fixture, constants);
}

/* The expected values are those that Metrics Discovery computes on Linux. */
static void mdapi_symbols_equal_those_of_metrics_discovery(void)
{
	static const struct {
		const char *platform;
		uint32_t device;
		uint64_t index, version, eus_per_subslice, samplers, outputs, shading;
	} known[] = {
		{ "hsw", 0x0412, 5, 0, 10, 2, 4, 28 },	   { "sklgt4", 0x193a, 7, 0, 8, 9, 12, 28 },
		{ "bxt", 0x5a84, 10, 0, 6, 3, 4, 24 },	   { "icl", 0x8a52, 14, 0, 8, 8, 4, 28 },
		{ "tglgt2", 0x9a49, 17, 0, 8, 6, 4, 28 },  { "rkl", 0x4c8a, 23, 0, 16, 2, 4, 28 },
		{ "dg1", 0x4905, 21, 0, 8, 6, 4, 28 },	   { "adl", 0x46a6, 26, 0, 8, 6, 4, 28 },
		{ "adls", 0x4680, 29, 0, 8, 2, 4, 28 },	   { "adln", 0x46d0, 30, 0, 8, 2, 4, 28 },
		{ "mtlgt2", 0x7d40, 27, 0, 16, 4, 4, 32 }, { "lnl", 0x64a0, 31, 0, 8, 8, 8, 32 },
		{ "bmg", 0xe20b, 28, 2, 8, 20, 20, 32 },   { "bmg", 0xe221, 28, 3, 8, 20, 20, 32 },
		{ "ptl", 0xb0a0, 32, 2, 8, 12, 8, 40 },	   { "ptl", 0xb080, 32, 1, 8, 12, 8, 40 },
		{ "nvl", 0xd745, 36, 2, 8, 4, 4, 40 },	   { "nvl", 0xd743, 36, 1, 8, 2, 4, 40 },
		{ "nvlp", 0xd750, 37, 1, 8, 12, 8, 40 },
	};

	for (size_t i = 0; i < sizeof(known) / sizeof(known[0]); i++) {
		const struct gpuoa_unit_desc desc = { .domain = "OA",
						      .device_id = known[i].device };
		struct gpuoa_constants *constants;

		REQUIRE(!topology_constants(&desc, gpuoa_platform_find(known[i].platform),
					    &constants));
		CHECK(!gpuoa_constants_assume(constants));
		printf("# %s\n", known[i].platform);
		CHECK(is(constants, "PlatformIndex", known[i].index));
		CHECK(is(constants, "PlatformVersion", known[i].version));
		CHECK(is(constants, "EuCoresPerSubsliceCount", known[i].eus_per_subslice));
		CHECK(is(constants, "VectorEnginePerXeCoreCount", known[i].eus_per_subslice));
		CHECK(is(constants, "SamplersTotalCount", known[i].samplers));
		CHECK(is(constants, "NumberOfRenderOutputUnits", known[i].outputs));
		CHECK(is(constants, "NumberOfShadingUnits", known[i].shading));
		gpuoa_constants_free(constants);
	}
}

/*
 * The expected values are those of Metrics Discovery, for symbols that depend on the topology: the
 * masks of Xe cores and L3 banks.
 */
static void totals_equal_those_of_metrics_discovery(void)
{
	static const struct {
		const char *platform;
		uint32_t device;
		uint64_t cores, banks;
		uint64_t slices, xe_cores, nodes, sqidis, copies, geometry, color, grf;
	} known[] = {
		{ "lnl", 0x64a0, 0xff, 0xff, 2, 8, 2, 2, 1, 2, 4, 64 },
		{ "lnl", 0x64a0, 0xf, 0xf, 1, 4, 1, 1, 1, 1, 2, 64 },
		{ "bmg", 0xe20b, 0xfffff, 0xffffff, 5, 20, 6, 6, 3, 5, 10, 64 },
		{ "bmg", 0xe20b, 0xff0f7, 0xf0f0f, 4, 15, 3, 3, 3, 4, 8, 64 },
		{ "ptl", 0xb080, 0xfff, 0xff, 2, 12, 2, 2, 1, 2, 4, 32 },
		{ "ptl", 0xb080, 0x7, 0xf, 1, 3, 1, 1, 1, 1, 2, 32 },
		{ "ptl", 0xb0a0, 0xf, 0xf, 1, 4, 1, 2, 1, 1, 2, 32 },
		{ "ptl", 0xfd80, 0x3, 0xf, 1, 2, 1, 2, 1, 1, 2, 32 },
		{ "nvl", 0xd745, 0xf, 0xf, 1, 4, 1, 2, 1, 1, 2, 32 },
		{ "nvl", 0xd743, 0x3, 0x3, 1, 2, 1, 2, 1, 1, 1, 32 },
		{ "nvl", 0xd743, 0x1, 0xf, 1, 1, 2, 2, 1, 1, 1, 32 },
		{ "nvlp", 0xd750, 0xfff, 0xffff, 2, 12, 4, 4, 2, 4, 4, 32 },
		{ "cri", 0x674c, 0xffffffff, 0xffffffff, 4, 32, 8, 8, 4, 4, 8, 64 },
	};

	for (size_t i = 0; i < sizeof(known) / sizeof(known[0]); i++) {
		const struct gpuoa_unit_desc desc = {
			.domain = "OA",
			.device_id = known[i].device,
			.subslice_mask = known[i].cores,
			.l3_bank_mask = known[i].banks,
		};
		struct gpuoa_constants *constants;

		REQUIRE(!topology_constants(&desc, gpuoa_platform_find(known[i].platform),
					    &constants));
		CHECK(!gpuoa_constants_assume(constants));
		printf("# %s %x\n", known[i].platform, known[i].device);
		CHECK(is(constants, "SliceTotalCount", known[i].slices));
		CHECK(is(constants, "XeCoreTotalCount", known[i].xe_cores));
		CHECK(is(constants, "SamplersTotalCount", known[i].xe_cores));
		CHECK(is(constants, "VectorEngineTotalCount", 8 * known[i].xe_cores));
		CHECK(is(constants, "L3NodeTotalCount", known[i].nodes));
		CHECK(is(constants, "SqidiTotalCount", known[i].sqidis));
		CHECK(is(constants, "CopyEngineTotalCount", known[i].copies));
		CHECK(is(constants, "GeometryPipeTotalCount", known[i].geometry));
		CHECK(is(constants, "ColorPipeTotalCount", known[i].color));
		CHECK(is(constants, "DepthPipeTotalCount", known[i].color));
		CHECK(is(constants, "VectorEngineGrfBlocksCount", known[i].grf));
		gpuoa_constants_free(constants);
	}
}

/*
 * Each row lists platforms, with the platform index and the number of threads per EU that Metrics
 * Discovery has for them.
 */
static void numbers_of_each_platform_equal_those_of_metrics_discovery(void)
{
	static const struct {
		const char *platforms;
		uint64_t index, threads;
	} known[] = {
		{ " hsw ", 5, 7 },
		{ " bdw ", 6, 7 },
		{ " sklgt2 sklgt3 sklgt4 ", 7, 7 },
		{ " bxt ", 10, 6 },
		{ " kblgt2 kblgt3 ", 12, 7 },
		{ " glk ", 13, 6 },
		{ " icl ", 14, 7 },
		{ " tglgt1 tglgt2 ", 17, 7 },
		{ " cflgt2 cflgt3 ", 18, 7 },
		{ " ehl ", 19, 7 },
		{ " dg1 ", 21, 7 },
		{ " rkl ", 23, 7 },
		{ " acmgt1 acmgt2 acmgt3 ", 24, 8 },
		{ " pvc ", 25, 8 },
		{ " adl ", 26, 7 },
		{ " mtlgt2 mtlgt3 ", 27, 8 },
		{ " bmg ", 28, 8 },
		{ " adls ", 29, 7 },
		{ " adln ", 30, 7 },
		{ " lnl ", 31, 8 },
		{ " ptl ", 32, 10 },
		{ " arlgt1 arlgt2 ", 34, 8 },
		{ " nvl ", 36, 10 },
		{ " nvlp ", 37, 10 },
		{ " cri ", 38, 8 },
		{ " chv cnl ", 0, 7 }, /* without a number */
	};
	size_t found = 0;

	for (size_t i = 0; i < gpuoa_platform_count(); i++) {
		const struct gpuoa_platform *platform = gpuoa_platform_get(i);
		struct gpuoa_constants *constants;
		uint64_t slices, subslices;
		char word[16];
		size_t k = 0;

		snprintf(word, sizeof(word), " %s ", gpuoa_platform_name(platform));
		while (k < sizeof(known) / sizeof(known[0]) && !strstr(known[k].platforms, word))
			k++;
		if (k == sizeof(known) / sizeof(known[0]))
			continue;
		found++;
		REQUIRE(!gpuoa_constants_new(platform, &constants));
		REQUIRE(!gpuoa_constants_assume(constants));
		printf("#%s\n", word);
		CHECK(known[k].index ? is(constants, "PlatformIndex", known[k].index) :
				       is_unknown(constants, "PlatformIndex"));
		CHECK(is(constants, "EuThreadsCount", known[k].threads));
		CHECK(is(constants, "NumberOfShadingUnits", 4 * known[k].threads));
		CHECK(!gpuoa_constants_get(constants, "EuSlicesTotalCount", &slices));
		CHECK(!gpuoa_constants_get(constants, "EuDualSubslicesTotalCount", &subslices));
		CHECK(is(constants, "NumberOfRenderOutputUnits", 4 * slices));
		CHECK(is(constants, "SamplersTotalCount", subslices));
		gpuoa_constants_free(constants);
	}
	CHECK(found == 36);
}

/* Without a PCI id, only values that depend on the platform alone are known. */
static void mdapi_symbols_require_pci_id_if_device_specific(void)
{
	struct gpuoa_constants *constants;
	uint64_t value;

	REQUIRE(!gpuoa_constants_new(gpuoa_platform_find("bmg"), &constants));
	CHECK(is(constants, "PlatformIndex", 28));
	CHECK(gpuoa_constants_get(constants, "PlatformVersion", &value) == -ENODATA);
	gpuoa_constants_free(constants);
	REQUIRE(!gpuoa_constants_new(gpuoa_platform_find("chv"), &constants));
	CHECK(gpuoa_constants_get(constants, "PlatformIndex", &value) == -ENODATA);
	CHECK(is(constants, "PlatformVersion", 0));
	gpuoa_constants_free(constants);
}

int main(void)
{
	RUN(names_used_by_equations_have_rules);
	RUN(other_names_have_no_rule);
	RUN(old_and_new_names_share_a_rule);
	RUN(slices_derive_from_slice_mask);
	RUN(slices_derive_from_subslice_mask);
	RUN(explicit_values_are_not_derived);
	RUN(xe2_constants_derive_from_masks);
	RUN(kinds_and_totals_follow_from_names);
	RUN(frequencies_and_units_derive_from_facts);
	RUN(pipe_counts_depend_on_platform);
	RUN(query_mode_rejects_unknown_values);
	RUN(unknown_names_have_no_derived_value);
	RUN(describe_returns_description_and_provenance);
	RUN(assume_uses_usual_part);
	RUN(assume_matches_given_constants);
	RUN(parts_are_consistent);
	RUN(assume_sets_all_constants_of_each_platform);
	RUN(parse_sets_constants);
	RUN(parse_reads_decimal_and_hexadecimal_numbers);
	RUN(parse_reads_long_names);
	RUN(add_adds_totals_only);
	RUN(add_sums_the_first_and_the_last_constant);
	RUN(transfer_copies_given_values);
	RUN(transfer_to_unknown_platform_assumes_nothing);
	RUN(query_mode_is_transferred_if_given);
	RUN(name_and_description_end_with_last_constant);
	RUN(new_constants_have_derived_values);
	RUN(first_constant_is_found_by_other_names);
	RUN(assumed_subslices_are_those_of_slices);
	RUN(no_subslices_are_assumed_beyond_the_mask);
	RUN(numbers_in_names_are_limited);
	RUN(flags_beyond_masks_are_0);
	RUN(largest_timestamp_has_64_bits);
	RUN(masks_of_l3_banks_are_grouped);
	RUN(platforms_are_found_by_name);
	RUN(parse_error_fits_its_room);
	RUN(parse_error_has_message_and_sets_nothing);
	RUN(unit_desc_sets_constants);
	RUN(buffer_sizes_are_those_of_the_unit);
	RUN(subslices_above_64_are_counted);
	RUN(slices_above_64_are_ignored);
	RUN(unit_desc_sets_symbols_unused_by_equations);
	RUN(sqidis_derive_from_l3_nodes_or_count);
	RUN(symbols_without_provider_return_enodata);
	RUN(mdapi_symbols_equal_those_of_metrics_discovery);
	RUN(totals_equal_those_of_metrics_discovery);
	RUN(numbers_of_each_platform_equal_those_of_metrics_discovery);
	RUN(mdapi_symbols_require_pci_id_if_device_specific);
	return tap_end();
}
