// SPDX-License-Identifier: MIT
/*
 * custom_test.c - Test custom sets and metrics: all fields are kept, values are calculated, error
 * messages name the cause, and saved definitions can be loaded again.
 */
#include <errno.h>
#include <fcntl.h>
#include <math.h>
#include <signal.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <unistd.h>

#include "gpuoa-catalog.h"
#include "gpuoa-custom.h"
#include "tap.h"

#define UUID "00000000-0000-4000-8000-00000000c057"
#define REPORT_SIZE 256 /* bytes, of A32u40_A4u32_B8_C8 */
#define OFFSET_B0 0xc0
#define OFFSET_C0 0xe0

static const struct gpuoa_reg mux[] = { { 0x9888, 0x166c01e0 }, { 0x9888, 0x12170280 } };
static const struct gpuoa_reg boolean[] = { { 0x2744, 0x00800000 } };
static const struct gpuoa_reg flex[] = { { 0xe458, 0x00005004 } };

static const struct gpuoa_register_list lists[] = {
	{ .kind = GPUOA_REGISTER_MUX, .registers = mux, .count = 2 },
	{ .kind = GPUOA_REGISTER_BOOLEAN,
	  .registers = boolean,
	  .count = 1,
	  .condition = "SubsliceMask & 1" },
	{ .kind = GPUOA_REGISTER_FLEX, .registers = flex, .count = 1 },
};

static char error[256];

static struct gpuoa_custom *begin(void)
{
	struct gpuoa_custom *custom = NULL;

	CHECK(!gpuoa_custom_new(gpuoa_platform_find("sklgt2"), &custom));
	return custom;
}

static const struct gpuoa_set *builtin(const char *symbol)
{
	return gpuoa_platform_find_set(gpuoa_platform_find("sklgt2"), symbol, NULL, NULL);
}

static int add_set(struct gpuoa_custom *custom, const char *symbol, const struct gpuoa_set *base)
{
	const struct gpuoa_set_desc desc = {
		.symbol = symbol,
		.format = GPUOA_REPORT_A32U40_A4U32_B8_C8,
	};

	return gpuoa_custom_add_set(custom, &desc, sizeof(desc), lists, 3, base, error,
				    sizeof(error));
}

static int add_metric(struct gpuoa_custom *custom, const char *set, const char *symbol,
		      const char *equation)
{
	const struct gpuoa_metric_desc desc = {
		.symbol = symbol,
		.units = "events",
		.equation = equation,
		.semantic = GPUOA_SEMANTIC_EVENT,
	};

	return gpuoa_custom_add_metric(custom, set, &desc, sizeof(desc), error, sizeof(error));
}

/* Build the platform of custom sets. The caller frees @definitions. */
static const struct gpuoa_platform *build(struct gpuoa_custom *custom,
					  struct gpuoa_definitions **definitions)
{
	*definitions = NULL;
	if (!CHECK(!gpuoa_custom_build(custom, definitions, error, sizeof(error)))) {
		printf("# %s\n", error);
		return NULL;
	}
	CHECK_STRING(error, "");
	return gpuoa_definitions_get_platform(*definitions, 0);
}

static const struct gpuoa_set *find(const struct gpuoa_platform *platform, const char *symbol)
{
	return platform ? gpuoa_platform_find_set(platform, symbol, NULL, NULL) : NULL;
}

static void check_build_error(struct gpuoa_custom *custom, const char *expected)
{
	struct gpuoa_definitions *definitions = NULL;

	CHECK(gpuoa_custom_build(custom, &definitions, error, sizeof(error)) == -EINVAL);
	CHECK_STRING(error, expected);
	CHECK(!definitions);
}

/* ---- sets ---- */

static void add_set_stores_registers(void)
{
	struct gpuoa_custom *custom = begin();
	struct gpuoa_definitions *definitions;
	struct gpuoa_constants *constants;
	const struct gpuoa_platform *platform;
	const struct gpuoa_set *set;
	struct gpuoa_set_desc desc;
	struct gpuoa_reg regs[4];

	CHECK(!add_set(custom, "Mine", NULL));
	CHECK(!add_metric(custom, "Mine", "Ticks", "C0"));
	platform = build(custom, &definitions);
	set = find(platform, "Mine");
	REQUIRE(set);
	gpuoa_set_describe(set, &desc, sizeof(desc));
	CHECK_STRING(desc.name, "Mine");
	CHECK_STRING(desc.domain, "OA");
	CHECK(strlen(desc.uuid) == 36 && desc.uuid[14] == '8');
	CHECK(desc.metric_count == 1 && desc.register_count == 4 && desc.apis == 0);
	CHECK(desc.info_count > 0 && gpuoa_set_find_info(set, "ReportReason"));
	REQUIRE(!gpuoa_constants_new(platform, &constants));
	CHECK(!gpuoa_constants_set(constants, "SubsliceMask", 6));
	CHECK(gpuoa_set_registers(set, GPUOA_REGISTER_BOOLEAN, constants, regs, 4) == 0);
	CHECK(!gpuoa_constants_set(constants, "SubsliceMask", 7));
	CHECK(gpuoa_set_registers(set, GPUOA_REGISTER_BOOLEAN, constants, regs, 4) == 1);
	CHECK(!memcmp(regs, boolean, sizeof(boolean)));
	CHECK(gpuoa_set_registers(set, GPUOA_REGISTER_MUX, constants, regs, 4) == 2);
	CHECK(!memcmp(regs, mux, sizeof(mux)));
	CHECK(gpuoa_set_registers(set, GPUOA_REGISTER_FLEX, constants, regs, 4) == 1);
	CHECK(!memcmp(regs, flex, sizeof(flex)));
	gpuoa_constants_free(constants);
	gpuoa_definitions_free(definitions);
	gpuoa_custom_free(custom);
}

static void equal_registers_have_equal_uuids(void)
{
	const struct gpuoa_register_list other[] = { lists[0], lists[2] };
	const struct gpuoa_set_desc less = { .symbol = "Less",
					     .format = GPUOA_REPORT_A32U40_A4U32_B8_C8 };
	struct gpuoa_custom *custom = begin();
	struct gpuoa_definitions *definitions;
	const struct gpuoa_platform *platform;
	struct gpuoa_set_desc one, same, two;

	CHECK(!add_set(custom, "One", builtin("RenderBasic")));
	CHECK(!add_set(custom, "Same", builtin("ComputeBasic")));
	CHECK(!gpuoa_custom_add_set(custom, &less, sizeof(less), other, 2, builtin("RenderBasic"),
				    NULL, 0));
	platform = build(custom, &definitions);
	REQUIRE(platform);
	gpuoa_set_describe(find(platform, "One"), &one, sizeof(one));
	gpuoa_set_describe(find(platform, "Same"), &same, sizeof(same));
	gpuoa_set_describe(find(platform, "Less"), &two, sizeof(two));
	CHECK_STRING(one.uuid, same.uuid);
	CHECK(strcmp(one.uuid, two.uuid) != 0);
	gpuoa_definitions_free(definitions);
	gpuoa_custom_free(custom);
}

/*
 * The UUID of registers is the same in all versions: FNV-1a of 64 bits, computed twice, of the
 * format and of kind, condition, addresses and values of each list, lowest byte first.
 */
static void uuid_of_registers_is_stable(void)
{
	struct gpuoa_custom *custom = begin();
	struct gpuoa_definitions *definitions;
	struct gpuoa_set_desc desc;

	CHECK(!add_set(custom, "Mine", builtin("RenderBasic")));
	gpuoa_set_describe(find(build(custom, &definitions), "Mine"), &desc, sizeof(desc));
	CHECK_STRING(desc.uuid, "5e53e484-0616-85b8-a419-f743cc4f032d");
	gpuoa_definitions_free(definitions);
	gpuoa_custom_free(custom);
}

/* All other variants differ from the first one in one respect. */
static void different_registers_have_different_uuids(void)
{
	static const struct gpuoa_reg one[] = { { 0x2740, 1 }, { 0x2744, 2 } };
	static const struct gpuoa_reg first_address[] = { { 0x2748, 1 }, { 0x2744, 2 } };
	static const struct gpuoa_reg first_value[] = { { 0x2740, 3 }, { 0x2744, 2 } };
	static const struct gpuoa_reg last_address[] = { { 0x2740, 1 }, { 0x2748, 2 } };
	static const struct gpuoa_reg last_value[] = { { 0x2740, 1 }, { 0x2744, 3 } };
	static const struct {
		uint32_t format;
		enum gpuoa_register_kind kind;
		const struct gpuoa_reg *registers;
		size_t count;
		const char *condition;
	} variants[] = {
		{ GPUOA_REPORT_A32U40_A4U32_B8_C8, GPUOA_REGISTER_BOOLEAN, one, 2, NULL },
		{ GPUOA_REPORT_C4_B8, GPUOA_REGISTER_BOOLEAN, one, 2, NULL },
		{ GPUOA_REPORT_A32U40_A4U32_B8_C8, GPUOA_REGISTER_FLEX, one, 2, NULL },
		{ GPUOA_REPORT_A32U40_A4U32_B8_C8, GPUOA_REGISTER_BOOLEAN, one, 2,
		  "SubsliceMask & 1" },
		{ GPUOA_REPORT_A32U40_A4U32_B8_C8, GPUOA_REGISTER_BOOLEAN, one, 1, NULL },
		{ GPUOA_REPORT_A32U40_A4U32_B8_C8, GPUOA_REGISTER_BOOLEAN, first_address, 2, NULL },
		{ GPUOA_REPORT_A32U40_A4U32_B8_C8, GPUOA_REGISTER_BOOLEAN, first_value, 2, NULL },
		{ GPUOA_REPORT_A32U40_A4U32_B8_C8, GPUOA_REGISTER_BOOLEAN, last_address, 2, NULL },
		{ GPUOA_REPORT_A32U40_A4U32_B8_C8, GPUOA_REGISTER_BOOLEAN, last_value, 2, NULL },
	};
	const size_t count = sizeof(variants) / sizeof(variants[0]);
	struct gpuoa_set_desc descs[sizeof(variants) / sizeof(variants[0])];
	struct gpuoa_custom *custom = begin();
	struct gpuoa_definitions *definitions;
	const struct gpuoa_platform *platform;
	char symbol[16];

	for (size_t i = 0; i < count; i++) {
		const struct gpuoa_set_desc desc = { .symbol = symbol,
						     .format = variants[i].format };
		const struct gpuoa_register_list list = { .kind = variants[i].kind,
							  .registers = variants[i].registers,
							  .count = variants[i].count,
							  .condition = variants[i].condition };

		snprintf(symbol, sizeof(symbol), "Set%zu", i);
		CHECK(!gpuoa_custom_add_set(custom, &desc, sizeof(desc), &list, 1, NULL, error,
					    sizeof(error)));
		CHECK(!add_metric(custom, symbol, "Ticks", "C0"));
	}
	platform = build(custom, &definitions);
	REQUIRE(platform);
	for (size_t i = 0; i < count; i++) {
		snprintf(symbol, sizeof(symbol), "Set%zu", i);
		gpuoa_set_describe(find(platform, symbol), &descs[i], sizeof(descs[i]));
		for (size_t k = 0; k < i; k++)
			if (!CHECK(strcmp(descs[i].uuid, descs[k].uuid) != 0))
				printf("# Set%zu and Set%zu\n", i, k);
	}
	gpuoa_definitions_free(definitions);
	gpuoa_custom_free(custom);
}

static void set_without_registers_uses_those_of_base(void)
{
	const struct gpuoa_set_desc desc = { .symbol = "Mine", .name = "My own" };
	struct gpuoa_custom *custom = begin();
	struct gpuoa_definitions *definitions;
	const struct gpuoa_platform *platform;
	struct gpuoa_set_desc mine, base;
	const struct gpuoa_set *both[2];
	size_t passes[2];

	CHECK(!gpuoa_custom_add_set(custom, &desc, sizeof(desc), NULL, 0, builtin("RenderBasic"),
				    error, sizeof(error)));
	CHECK(!add_metric(custom, "Mine", "Quarter", "C0 // 4"));
	platform = build(custom, &definitions);
	REQUIRE(platform);
	both[0] = find(platform, "Mine");
	both[1] = find(platform, "RenderBasic");
	REQUIRE(both[0] && both[1]);
	gpuoa_set_describe(both[0], &mine, sizeof(mine));
	gpuoa_set_describe(both[1], &base, sizeof(base));
	CHECK_STRING(mine.name, "My own");
	CHECK_STRING(mine.uuid, base.uuid);
	CHECK(mine.metric_count == base.metric_count + 1);
	CHECK(mine.register_count == base.register_count && mine.apis == base.apis);
	CHECK(gpuoa_plan_passes(both, NULL, 2, passes) == 1);
	gpuoa_definitions_free(definitions);
	gpuoa_custom_free(custom);
}

static void duplicates_return_eexist(void)
{
	struct gpuoa_set_desc desc = { .symbol = "Other",
				       .format = GPUOA_REPORT_A32U40_A4U32_B8_C8 };
	struct gpuoa_custom *custom = begin();
	struct gpuoa_set_desc base;

	gpuoa_set_describe(builtin("RenderBasic"), &base, sizeof(base));
	CHECK(add_set(custom, "RenderBasic", NULL) == -EEXIST);
	CHECK_STRING(error, "OA has a set RenderBasic already");
	CHECK(!add_set(custom, "Mine", NULL));
	CHECK(add_set(custom, "Mine", NULL) == -EEXIST);
	desc.uuid = base.uuid;
	CHECK(gpuoa_custom_add_set(custom, &desc, sizeof(desc), lists, 3, NULL, error,
				   sizeof(error)) == -EEXIST);
	CHECK_STRING(error, "set RenderBasic has this UUID");
	CHECK(!add_metric(custom, "Mine", "Ticks", "C0"));
	CHECK(add_metric(custom, "Mine", "Ticks", "C1") == -EEXIST);
	CHECK_STRING(error, "Mine has a metric Ticks already");
	CHECK(add_metric(custom, "Mine", "SubsliceMask", "C1") == -EEXIST);
	CHECK_STRING(error, "SubsliceMask is a constant of sklgt2");
	CHECK(add_metric(custom, "Mine", "GpuTimestampFrequency", "C1") == -EEXIST);
	CHECK(add_metric(custom, "Mine", "SliceMask", "C1") == -EEXIST);
	CHECK(add_metric(custom, "RenderBasic", "GpuTime", "C1") == -EEXIST);
	gpuoa_custom_free(custom);
}

static void check_set(struct gpuoa_set_desc desc, const struct gpuoa_register_list *list,
		      size_t count, int err, const char *expected)
{
	struct gpuoa_custom *custom = begin();

	*error = '\0';
	CHECK(gpuoa_custom_add_set(custom, &desc, sizeof(desc), list, count, NULL, error,
				   sizeof(error)) == err);
	CHECK_STRING(error, expected);
	gpuoa_custom_free(custom);
}

static void invalid_sets_are_rejected(void)
{
	static const struct gpuoa_reg odd[] = { { 0x9888, 1 }, { 0x9889, 1 } };
	const struct gpuoa_register_list bad[] = {
		{ .kind = GPUOA_REGISTER_MUX, .registers = odd, .count = 2 },
		{ .kind = (enum gpuoa_register_kind)9, .registers = odd, .count = 1 },
		{ .kind = GPUOA_REGISTER_MUX,
		  .registers = odd,
		  .count = 1,
		  .condition = "SubsliceMask &" },
		{ .kind = GPUOA_REGISTER_MUX, .registers = odd, .count = SIZE_MAX },
	};
	const struct gpuoa_set_desc good = { .symbol = "Mine",
					     .format = GPUOA_REPORT_A32U40_A4U32_B8_C8 };
	struct gpuoa_set_desc desc = good;
	char symbol[254];

	desc.symbol = "mine";
	check_set(desc, lists, 3, -EINVAL,
		  "a set's symbol begins with a capital letter, and has letters, digits and '_' "
		  "only");
	desc = good;
	desc.format = 99;
	check_set(desc, lists, 3, -EINVAL, "99 is no report format");
	desc.format = 0;
	check_set(desc, lists, 3, -EINVAL, "set Mine lacks a report format");
	check_set(good, NULL, 0, -EINVAL, "set Mine lacks registers");
	check_set(good, &bad[0], 1, -EINVAL, "0x9889 is no register: 4 does not divide it");
	check_set(good, &bad[1], 1, -EINVAL, "list 0 is of no kind");
	check_set(good, &bad[2], 1, -EINVAL,
		  "condition of registers:1:15: expected a counter, a name, a number or '(', found "
		  "the end of the file");
	check_set(good, &bad[3], 1, -E2BIG, "the kernel takes 4096 registers of a kind at most");
	desc = good;
	desc.uuid = "x";
	check_set(desc, lists, 3, -EINVAL, "a UUID has 8-4-4-4-12 hexadecimal digits, lower case");
	desc = good;
	desc.name = "My \"own\"";
	check_set(desc, lists, 3, -EINVAL, "the name has a quote or a control character in it");
	desc.name = "\xff";
	check_set(desc, lists, 3, -EINVAL, "the name is not UTF-8");
	desc = good;
	desc.apis = UINT32_C(1) << 31;
	check_set(desc, lists, 3, -EINVAL, "the mask of APIs has unknown bits");
	desc = good;
	desc.domain = "oa";
	check_set(desc, lists, 3, -EINVAL, "a domain is the name of an OA unit: OA, OAM0");
	desc = good;
	desc.availability = "SubsliceMask &";
	check_set(desc, lists, 3, -EINVAL,
		  "condition of the set:1:15: expected a counter, a name, a number or '(', found "
		  "the end of the file");
	/* "OA/", the symbol and the terminator have 256 bytes. */
	memset(symbol, 'S', sizeof(symbol));
	symbol[253] = '\0';
	desc = good;
	desc.symbol = symbol;
	check_set(desc, lists, 3, -EINVAL, "the set's symbol is too long");
	symbol[252] = '\0';
	check_set(desc, lists, 3, 0, "");
}

static int add_lists(struct gpuoa_custom *custom, const struct gpuoa_register_list *list,
		     size_t count)
{
	static unsigned int number;
	char symbol[16];
	const struct gpuoa_set_desc desc = { .symbol = symbol,
					     .format = GPUOA_REPORT_A32U40_A4U32_B8_C8 };

	snprintf(symbol, sizeof(symbol), "Set%u", ++number);
	return gpuoa_custom_add_set(custom, &desc, sizeof(desc), list, count, NULL, error,
				    sizeof(error));
}

/* The kernel takes 4096 registers of each kind. */
static void registers_are_limited_by_kind(void)
{
	static struct gpuoa_reg many[4097];
	struct gpuoa_register_list list[] = {
		{ .kind = GPUOA_REGISTER_MUX, .registers = many, .count = 4095 },
		{ .kind = GPUOA_REGISTER_BOOLEAN, .registers = many, .count = 4096 },
		{ .kind = GPUOA_REGISTER_MUX, .registers = many, .count = 1 },
		{ .kind = GPUOA_REGISTER_FLEX, .count = 0 },
	};
	struct gpuoa_custom *custom = begin();

	for (size_t i = 0; i < 4097; i++)
		many[i].address = 4 * (uint32_t)i;
	CHECK(!add_lists(custom, list, 4));
	list[2].count = 2;
	CHECK(add_lists(custom, list, 4) == -E2BIG);
	CHECK_STRING(error, "the kernel takes 4096 registers of a kind at most");
	list[2].count = 1;
	list[1].count = 4097;
	CHECK(add_lists(custom, list, 4) == -E2BIG);
	list[1].count = 1;
	list[3].kind = (enum gpuoa_register_kind)(GPUOA_REGISTER_FLEX + 1);
	CHECK(add_lists(custom, list, 4) == -EINVAL);
	CHECK_STRING(error, "list 3 is of no kind");
	gpuoa_custom_free(custom);
}

static void set_has_properties_given_or_those_of_base(void)
{
	const uint32_t all_apis = GPUOA_API_IO | GPUOA_API_BB | GPUOA_API_OGL | GPUOA_API_OGL4 |
				  GPUOA_API_OCL | GPUOA_API_VK | GPUOA_API_MEDIA;
	const struct gpuoa_platform *lnl = gpuoa_platform_find("lnl");
	const struct gpuoa_set *base = gpuoa_platform_find_set(lnl, "OAMG/MediaSet1", NULL, NULL);
	struct gpuoa_set_desc desc = { .symbol = "Own",
				       .uuid = UUID,
				       .format = GPUOA_REPORT_A32U40_A4U32_B8_C8,
				       .domain = "OAM1",
				       .apis = all_apis,
				       .availability = "SubsliceMask & 4" };
	const struct gpuoa_set_desc like = { .symbol = "Like" };
	struct gpuoa_custom *custom = begin();
	struct gpuoa_definitions *definitions;
	const struct gpuoa_platform *platform;
	struct gpuoa_set_desc found, of_base;

	CHECK(!gpuoa_custom_add_set(custom, &desc, sizeof(desc), lists, 3, NULL, error,
				    sizeof(error)));
	CHECK(!add_metric(custom, "Own", "Ticks", "C0"));
	/* A unit of another name may have a set of the same symbol, but not of the same UUID. */
	desc.domain = "OAM0";
	CHECK(gpuoa_custom_add_set(custom, &desc, sizeof(desc), lists, 3, NULL, error,
				   sizeof(error)) == -EEXIST);
	CHECK_STRING(error, "set Own has this UUID");
	desc.symbol = "RenderBasic";
	desc.uuid = "";
	CHECK(!gpuoa_custom_add_set(custom, &desc, sizeof(desc), lists, 3, NULL, error,
				    sizeof(error)));
	CHECK(gpuoa_custom_add_set(custom, &desc, sizeof(desc), lists, 3, NULL, error,
				   sizeof(error)) == -EEXIST);
	CHECK_STRING(error, "OAM0 has a set RenderBasic already");
	CHECK(gpuoa_custom_add_set(custom, &like, sizeof(like), NULL, 0, base, error,
				   sizeof(error)) == -EINVAL);
	CHECK_STRING(error, "the base of Like is of another platform");
	CHECK(!gpuoa_custom_remove(custom, "OAM0/RenderBasic", NULL));
	platform = build(custom, &definitions);
	REQUIRE(find(platform, "OAM1/Own"));
	gpuoa_set_describe(find(platform, "OAM1/Own"), &found, sizeof(found));
	CHECK_STRING(found.uuid, UUID);
	CHECK_STRING(found.availability, "SubsliceMask & 4");
	CHECK(found.apis == all_apis);
	gpuoa_definitions_free(definitions);
	gpuoa_custom_free(custom);

	REQUIRE(base && !gpuoa_custom_new(lnl, &custom));
	CHECK(!gpuoa_custom_add_set(custom, &like, sizeof(like), NULL, 0, base, error,
				    sizeof(error)));
	platform = build(custom, &definitions);
	REQUIRE(find(platform, "Like"));
	gpuoa_set_describe(find(platform, "Like"), &found, sizeof(found));
	gpuoa_set_describe(base, &of_base, sizeof(of_base));
	CHECK_STRING(found.name, "Like");
	CHECK_STRING(found.domain, "OAMG");
	CHECK_STRING(found.uuid, of_base.uuid);
	CHECK(found.apis == of_base.apis && found.format == of_base.format);
	CHECK(found.metric_count == of_base.metric_count);
	gpuoa_definitions_free(definitions);
	gpuoa_custom_free(custom);
}

/* ---- metrics ---- */

static const struct gpuoa_metric_desc full = {
	.symbol = "Share",
	.name = "Share of ticks",
	.description = "~ What part \xc3\xa9 of all ticks.",
	.group = "My/Group",
	.units = "percent",
	.hw_unit = "slice",
	.equation = "C0 * 100 / Ticks",
	.max = "100",
	.availability = "SubsliceMask & 1",
	.type = GPUOA_TYPE_FLOAT,
	.semantic = GPUOA_SEMANTIC_RATIO,
	.usage = GPUOA_USAGE_OVERVIEW | GPUOA_USAGE_GLASS_JAW,
	.apis = GPUOA_API_IO | GPUOA_API_OCL,
	.tier = 2,
	.has_watermarks = true,
	.low = 12.5,
	.high = 60,
	.alias = "ShareOfTicks",
};

static void check_full(const struct gpuoa_set *set)
{
	const struct gpuoa_metric *metric = set ? gpuoa_set_find_metric(set, "Share") : NULL;
	struct gpuoa_metric_desc desc;

	REQUIRE(metric);
	gpuoa_metric_describe(metric, &desc, sizeof(desc));
	CHECK_STRING(desc.name, full.name);
	CHECK_STRING(desc.description, full.description);
	CHECK_STRING(desc.group, full.group);
	CHECK_STRING(desc.units, full.units);
	CHECK_STRING(desc.hw_unit, full.hw_unit);
	CHECK_STRING(desc.equation, full.equation);
	CHECK_STRING(desc.max, full.max);
	CHECK_STRING(desc.availability, full.availability);
	CHECK_STRING(desc.alias, full.alias);
	CHECK(desc.type == full.type && desc.semantic == full.semantic);
	CHECK(desc.usage == (full.usage | GPUOA_USAGE_TIER_2) && desc.tier == 2);
	CHECK(desc.apis == full.apis && desc.has_watermarks);
	CHECK(desc.low == full.low && desc.high == full.high);
	CHECK(desc.set == set && gpuoa_set_get_metric(set, desc.index) == metric);
}

static void add_metric_stores_all_fields(void)
{
	struct gpuoa_custom *custom = begin();
	struct gpuoa_definitions *definitions;

	CHECK(!add_set(custom, "Mine", NULL));
	CHECK(!gpuoa_custom_add_metric(custom, "OA/Mine", &full, sizeof(full), error,
				       sizeof(error)));
	CHECK(!add_metric(custom, "Mine", "Ticks", "B0"));
	check_full(find(build(custom, &definitions), "Mine"));
	gpuoa_definitions_free(definitions);
	gpuoa_custom_free(custom);
}

static void add_metric_has_defaults(void)
{
	const struct gpuoa_metric_desc least = {
		.symbol = "Least", .name = "", .units = "ticks", .equation = "C0"
	};
	struct gpuoa_custom *custom = begin();
	struct gpuoa_definitions *definitions;
	const struct gpuoa_set *set;
	struct gpuoa_metric_desc desc;

	CHECK(!add_set(custom, "Mine", NULL));
	CHECK(!gpuoa_custom_add_metric(custom, "Mine", &least, sizeof(least), error,
				       sizeof(error)));
	set = find(build(custom, &definitions), "Mine");
	REQUIRE(set && gpuoa_set_find_metric(set, "Least"));
	gpuoa_metric_describe(gpuoa_set_find_metric(set, "Least"), &desc, sizeof(desc));
	CHECK_STRING(desc.name, "Least");
	CHECK_STRING(desc.hw_unit, "gpu");
	CHECK(!*desc.description && !*desc.group && !*desc.max && !*desc.availability);
	CHECK(!*desc.alias && !desc.usage && !desc.tier && !desc.apis && !desc.has_watermarks);
	gpuoa_definitions_free(definitions);
	gpuoa_custom_free(custom);
}

/* Return the number of sets with this metric. */
static size_t sets_with(const struct gpuoa_platform *platform, const char *metric)
{
	size_t count = 0;

	for (size_t i = 0; i < gpuoa_platform_set_count(platform); i++)
		count += gpuoa_set_find_metric(gpuoa_platform_get_set(platform, i), metric) != NULL;
	return count;
}

/* The sets of one symbol in one unit, of which a GPU has one, all get a metric. */
static void metric_extends_all_sets_of_the_name(void)
{
	static const struct {
		const char *platform, *set, *added, *symbol;
		size_t sets;
	} cases[] = {
		{ "mtlgt2", "SLMProfile", "SLMProfile", "SLMProfile", 2 },
		{ "lnl", "OAM0/MediaSet1", "OAM0/MediaSet1", "MediaSet1", 1 },
		{ "lnl", "MediaSet1", "OAM0/MediaSet1", "MediaSet1", 1 },
		{ "lnl", "OAMG/MediaSet1", "OAMG/MediaSet1", "MediaSet1", 1 },
	};

	for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
		const struct gpuoa_platform *platform = gpuoa_platform_find(cases[i].platform);
		struct gpuoa_definitions *definitions;
		struct gpuoa_custom *custom;
		const struct gpuoa_set *set;
		struct gpuoa_set_desc desc;

		REQUIRE(!gpuoa_custom_new(platform, &custom));
		CHECK(!add_metric(custom, cases[i].set, "Mine", "GpuCoreClocks // 2"));
		CHECK(add_metric(custom, cases[i].set, "Mine", "GpuTime") == -EEXIST);
		platform = build(custom, &definitions);
		CHECK(platform && sets_with(platform, "Mine") == cases[i].sets);
		set = find(platform, cases[i].added);
		REQUIRE(set && gpuoa_set_find_metric(set, "Mine"));
		gpuoa_set_describe(set, &desc, sizeof(desc));
		CHECK_STRING(desc.symbol, cases[i].symbol);
		CHECK(!gpuoa_custom_remove(custom, cases[i].set, "Mine"));
		gpuoa_definitions_free(definitions);
		platform = build(custom, &definitions);
		CHECK(platform && !sets_with(platform, "Mine"));
		gpuoa_definitions_free(definitions);
		gpuoa_custom_free(custom);
	}
}

static void put(unsigned char *report, size_t offset, uint32_t value)
{
	memcpy(report + offset, &value, sizeof(value));
}

/* Calculate the values of the metrics in an interval in which B0 counts @b0 and C0 counts @c0. */
static void calculate(const struct gpuoa_set *set, uint32_t b0, uint32_t c0,
		      union gpuoa_value *values)
{
	unsigned char reports[2 * REPORT_SIZE] = { 0 };
	struct gpuoa_constants *constants;
	struct gpuoa_set_desc desc;
	struct gpuoa_calc *calc;
	size_t used;

	gpuoa_set_describe(set, &desc, sizeof(desc));
	REQUIRE(!gpuoa_constants_new(desc.platform, &constants));
	CHECK(!gpuoa_constants_assume(constants));
	put(reports + REPORT_SIZE, 4, 1000);
	put(reports + REPORT_SIZE, OFFSET_B0, b0);
	put(reports + REPORT_SIZE, OFFSET_C0, c0);
	if (CHECK(!gpuoa_calc_open(set, constants, desc.format, NULL, &calc, NULL, 0))) {
		CHECK(gpuoa_calc_run(calc, reports, 2, values, NULL, 1, &used) == 1);
		gpuoa_calc_close(calc);
	}
	gpuoa_constants_free(constants);
}

static void equations_may_refer_to_later_metrics(void)
{
	struct gpuoa_custom *custom = begin();
	struct gpuoa_definitions *definitions;
	union gpuoa_value values[16] = { { 0 } };
	const struct gpuoa_set *set;

	CHECK(!add_set(custom, "Mine", NULL));
	CHECK(!add_metric(custom, "Mine", "First", "B0"));
	CHECK(!add_metric(custom, "Mine", "Sum", "Double + Triple"));
	CHECK(!add_metric(custom, "Mine", "Triple", "Double + First"));
	CHECK(!add_metric(custom, "Mine", "Double", "First * 2"));
	set = find(build(custom, &definitions), "Mine");
	REQUIRE(set);
	calculate(set, 7, 0, values);
	/*
	 * Metrics are sorted only as far as their dependencies require: First, Double, Triple, Sum
	 */
	CHECK(gpuoa_set_get_metric(set, 1) == gpuoa_set_find_metric(set, "Double"));
	CHECK(gpuoa_set_get_metric(set, 3) == gpuoa_set_find_metric(set, "Sum"));
	CHECK(values[0].u64 == 7 && values[1].u64 == 14 && values[2].u64 == 21);
	CHECK(values[3].u64 == 35);
	gpuoa_definitions_free(definitions);
	gpuoa_custom_free(custom);
}

static void recursive_equations_are_rejected(void)
{
	struct gpuoa_custom *custom = begin();

	CHECK(!add_set(custom, "Mine", NULL));
	CHECK(!add_metric(custom, "Mine", "Self", "B0 + Self"));
	check_build_error(custom, "equation of Self:1:6: Self is used in its own equation");
	CHECK(!gpuoa_custom_remove(custom, "Mine", "Self"));
	CHECK(!add_metric(custom, "Mine", "One", "Two + 1"));
	CHECK(!add_metric(custom, "Mine", "Two", "Three + 1"));
	CHECK(!add_metric(custom, "Mine", "Three", "2 * One"));
	check_build_error(custom, "equation of Three:1:5: One uses itself, by way of Three");
	gpuoa_custom_free(custom);
}

static void equation_errors_have_position(void)
{
	struct gpuoa_custom *custom = begin();

	CHECK(!add_set(custom, "Mine", NULL));
	CHECK(add_metric(custom, "Mine", "Bad", "C0 * (C1 + ") == -EINVAL);
	CHECK_STRING(error, "equation of Bad:1:12: expected a counter, a name, a number or '(', "
			    "found the end of the file");
	CHECK(add_metric(custom, "Mine", "Bad", "C0 C1") == -EINVAL);
	CHECK_STRING(error, "equation of Bad:1:4: expected an operator or the end of the equation, "
			    "found 'C1'");
	check_build_error(custom, "set Mine has no metrics");
	CHECK(!add_metric(custom, "Mine", "Unknown", "C0 + Nothing"));
	check_build_error(custom, "equation of Unknown:1:6: 'Nothing' is neither a constant nor a "
				  "metric of set Mine");
	CHECK(!gpuoa_custom_remove(custom, "Mine", "Unknown"));
	CHECK(!add_metric(custom, "Mine", "Unknown", "PEC3"));
	check_build_error(custom, "equation of Unknown:1:1: format A32u40_A4u32_B8_C8 of set Mine "
				  "has no counter PEC3");
	gpuoa_custom_free(custom);
}

static void check_metric(struct gpuoa_metric_desc desc, const char *expected)
{
	struct gpuoa_custom *custom = begin();

	CHECK(!add_set(custom, "Mine", NULL));
	CHECK(gpuoa_custom_add_metric(custom, "Mine", &desc, sizeof(desc), error, sizeof(error)) ==
	      -EINVAL);
	CHECK_STRING(error, expected);
	gpuoa_custom_free(custom);
}

static void symbols_begin_with_a_capital_letter(void)
{
	static const char *const good[] = { "Aa", "Z", "Zz_9" };
	static const char *const bad[] = { "[", "@A", "z", "Z-", "Z{", "", "9", "_A", "A7" };
	struct gpuoa_metric_desc desc = full;

	for (size_t i = 0; i < sizeof(good) / sizeof(good[0]); i++) {
		struct gpuoa_custom *custom = begin();

		REQUIRE(!add_set(custom, "Mine", NULL));
		desc.symbol = good[i];
		CHECK(!gpuoa_custom_add_metric(custom, "Mine", &desc, sizeof(desc), error,
					       sizeof(error)));
		gpuoa_custom_free(custom);
	}
	for (size_t i = 0; i < sizeof(bad) / sizeof(bad[0]); i++) {
		desc.symbol = bad[i];
		check_metric(desc, "a metric's symbol begins with a capital letter, has letters, "
				   "digits and '_' only, and is no hardware counter");
	}
}

static void invalid_metrics_are_rejected(void)
{
	struct gpuoa_metric_desc desc = full;
	struct gpuoa_custom *custom = begin();

	CHECK(add_metric(custom, "Nowhere", "Ticks", "C0") == -ENOENT);
	CHECK_STRING(error, "sklgt2 has no set Nowhere");
	gpuoa_custom_free(custom);
	desc.symbol = "A12";
	check_metric(desc,
		     "a metric's symbol begins with a capital letter, has letters, digits and "
		     "'_' only, and is no hardware counter");
	desc = full;
	desc.units = "";
	check_metric(desc, "Share lacks units");
	desc.units = NULL;
	check_metric(desc, "Share lacks units");
	desc = full;
	desc.equation = NULL;
	check_metric(desc, "Share lacks an equation");
	desc.equation = "";
	check_metric(desc, "Share lacks an equation");
	desc = full;
	desc.symbol = NULL;
	check_metric(desc,
		     "a metric's symbol begins with a capital letter, has letters, digits and "
		     "'_' only, and is no hardware counter");
	desc = full;
	desc.max = "100 +";
	check_metric(desc, "maximum of Share:1:6: expected a counter, a name, a number or '(', "
			   "found the end of the file");
	desc = full;
	desc.availability = "1 +";
	check_metric(desc, "condition of Share:1:4: expected a counter, a name, a number or '(', "
			   "found the end of the file");
	desc = full;
	desc.usage = GPUOA_USAGE_TIER_1;
	check_metric(desc, "a metric has one tier at most");
	desc = full;
	desc.type = 77;
	check_metric(desc, "77 is no type of values");
	desc = full;
	desc.low = -1;
	check_metric(desc, "watermarks are numbers from 0 on, of 15 digits at most, the lower one "
			   "first");
	desc = full;
	desc.name = "\"";
	check_metric(desc, "the name has a quote or a control character in it");
	desc = full;
	desc.group = "a\x7f";
	check_metric(desc, "the group has a quote or a control character in it");
	desc = full;
	desc.units = "\x1f";
	check_metric(desc, "the units has a quote or a control character in it");
	desc = full;
	desc.hw_unit = "\xc3";
	check_metric(desc, "the hardware unit is not UTF-8");
	desc = full;
	desc.alias = "\x01";
	check_metric(desc, "the alias has a quote or a control character in it");
	desc = full;
	desc.description = "two\nlines";
	check_metric(desc, "the description has a quote or a control character in it");
	desc = full;
	desc.tier = 5;
	check_metric(desc, "tiers are 1 to 4");
	desc = full;
	desc.usage = UINT32_C(1) << 31;
	check_metric(desc, "the mask of usages has unknown bits");
	desc = full;
	desc.apis = UINT32_C(1) << 31;
	check_metric(desc, "the mask of APIs has unknown bits");
	desc = full;
	desc.semantic = 77;
	check_metric(desc, "77 is no kind of values");
}

static void check_marks(double low, double high, bool good)
{
	struct gpuoa_custom *custom = begin();
	struct gpuoa_metric_desc desc = full;

	desc.low = low;
	desc.high = high;
	CHECK(!add_set(custom, "Mine", NULL));
	if (!CHECK(gpuoa_custom_add_metric(custom, "Mine", &desc, sizeof(desc), error,
					   sizeof(error)) == (good ? 0 : -EINVAL)))
		printf("# %g to %g\n", low, high);
	gpuoa_custom_free(custom);
}

static void watermarks_are_writable_numbers(void)
{
	check_marks(0, 0, true);
	check_marks(5, 5, true);
	check_marks(5.5, 5, false);
	check_marks(1, 999999999999999, true);
	check_marks(1, 1e15, false);
	check_marks(0.5, 99999999999999.5, true);
	check_marks(0.5, 999999999999999.5, false);
	check_marks(1.0 / 3, 5, false);
	check_marks(-1, 5, false);
	check_marks(NAN, 5, false);
	check_marks(1, NAN, false);
	check_marks(1, INFINITY, false);
}

static void tiers_are_usages(void)
{
	for (uint32_t tier = 1; tier <= 4; tier++) {
		struct gpuoa_custom *custom = begin();
		struct gpuoa_definitions *definitions;
		struct gpuoa_metric_desc desc = full;
		const struct gpuoa_set *set;

		/* A tier is given by its number or by its usage. */
		desc.tier = tier;
		desc.usage = 0;
		CHECK(!add_set(custom, "Mine", NULL));
		CHECK(!add_metric(custom, "Mine", "Ticks", "B0"));
		CHECK(!gpuoa_custom_add_metric(custom, "Mine", &desc, sizeof(desc), error,
					       sizeof(error)));
		desc.symbol = "Other";
		desc.alias = NULL;
		desc.tier = 0;
		desc.usage = GPUOA_USAGE_TIER_1 << (tier - 1);
		CHECK(!gpuoa_custom_add_metric(custom, "Mine", &desc, sizeof(desc), error,
					       sizeof(error)));
		set = find(build(custom, &definitions), "Mine");
		REQUIRE(set);
		for (int i = 0; i < 2; i++) {
			gpuoa_metric_describe(gpuoa_set_find_metric(set, i ? "Other" : "Share"),
					      &desc, sizeof(desc));
			CHECK(desc.tier == tier && desc.usage == (uint32_t)GPUOA_USAGE_TIER_1
									 << (tier - 1));
		}
		gpuoa_definitions_free(definitions);
		gpuoa_custom_free(custom);
	}
}

static void sets_are_removed_in_any_order(void)
{
	static const char *const symbols[] = { "First", "Second", "Third" };

	for (size_t i = 0; i < 3; i++) {
		struct gpuoa_custom *custom = begin();
		struct gpuoa_definitions *definitions;
		const struct gpuoa_platform *platform;

		for (size_t k = 0; k < 3; k++) {
			struct gpuoa_reg own = { 0x9888, (uint32_t)k };
			const struct gpuoa_register_list list = { .kind = GPUOA_REGISTER_MUX,
								  .registers = &own,
								  .count = 1 };
			const struct gpuoa_set_desc desc = {
				.symbol = symbols[k],
				.format = GPUOA_REPORT_A32U40_A4U32_B8_C8,
			};

			CHECK(!gpuoa_custom_add_set(custom, &desc, sizeof(desc), &list, 1, NULL,
						    error, sizeof(error)));
			CHECK(!add_metric(custom, symbols[k], "Ticks", "B0"));
		}
		CHECK(!gpuoa_custom_remove(custom, symbols[i], NULL));
		CHECK(gpuoa_custom_remove(custom, symbols[i], NULL) == -ENOENT);
		platform = build(custom, &definitions);
		for (size_t k = 0; k < 3; k++)
			CHECK(!find(platform, symbols[k]) == (k == i));
		gpuoa_definitions_free(definitions);
		gpuoa_custom_free(custom);
	}
}

static void metric_extends_built_in_set(void)
{
	struct gpuoa_custom *custom = begin();
	struct gpuoa_definitions *definitions, *without;
	const struct gpuoa_set *set;
	struct gpuoa_set_desc before, after;

	gpuoa_set_describe(builtin("RenderBasic"), &before, sizeof(before));
	CHECK(!add_metric(custom, "RenderBasic", "Eighth", "GpuCoreClocks // 8"));
	set = find(build(custom, &definitions), "RenderBasic");
	REQUIRE(set);
	gpuoa_set_describe(set, &after, sizeof(after));
	CHECK(after.metric_count == before.metric_count + 1);
	CHECK_STRING(after.uuid, before.uuid);
	CHECK(gpuoa_platform_set_count(after.platform) ==
	      gpuoa_platform_set_count(before.platform));

	CHECK(gpuoa_custom_remove(custom, "RenderBasic", "Nothing") == -ENODATA);
	CHECK(!gpuoa_custom_remove(custom, "RenderBasic", NULL));
	CHECK(gpuoa_custom_remove(custom, "RenderBasic", NULL) == -ENOENT);
	set = find(build(custom, &without), "RenderBasic");
	CHECK(set && !gpuoa_set_find_metric(set, "Eighth"));
	gpuoa_definitions_free(without);
	CHECK(gpuoa_set_find_metric(
		find(gpuoa_definitions_get_platform(definitions, 0), "RenderBasic"), "Eighth"));
	gpuoa_definitions_free(definitions);
	gpuoa_custom_free(custom);
}

/* ---- saving ---- */

static char *text_of(const struct gpuoa_platform *platform)
{
	const size_t length = gpuoa_platform_text(platform, NULL, 0);
	char *text = malloc(length + 1);

	if (text)
		CHECK(gpuoa_platform_text(platform, text, length + 1) == length);
	CHECK(text && strlen(text) == length);
	return text;
}

static struct gpuoa_definitions *load_text(const char *text)
{
	struct gpuoa_definitions *definitions = NULL;

	if (!CHECK(!gpuoa_definitions_parse("saved", text, strlen(text), &definitions, error,
					    sizeof(error))))
		printf("# %s\n", error);
	return definitions;
}

static bool same_metrics(const struct gpuoa_metric *one, const struct gpuoa_metric *two)
{
	struct gpuoa_metric_desc a, b;

	gpuoa_metric_describe(one, &a, sizeof(a));
	gpuoa_metric_describe(two, &b, sizeof(b));
	return CHECK_STRING(a.symbol, b.symbol) && CHECK_STRING(a.name, b.name) &&
	       CHECK_STRING(a.description, b.description) && CHECK_STRING(a.group, b.group) &&
	       CHECK_STRING(a.units, b.units) && CHECK_STRING(a.hw_unit, b.hw_unit) &&
	       CHECK_STRING(a.equation, b.equation) && CHECK_STRING(a.max, b.max) &&
	       CHECK_STRING(a.availability, b.availability) && CHECK_STRING(a.alias, b.alias) &&
	       CHECK(a.type == b.type && a.semantic == b.semantic && a.usage == b.usage &&
		     a.apis == b.apis && a.tier == b.tier && a.query_only == b.query_only &&
		     a.has_watermarks == b.has_watermarks && a.low == b.low && a.high == b.high);
}

static bool same_sets(const struct gpuoa_set *one, const struct gpuoa_set *two)
{
	struct gpuoa_set_desc a, b;
	bool same;

	gpuoa_set_describe(one, &a, sizeof(a));
	gpuoa_set_describe(two, &b, sizeof(b));
	same = CHECK_STRING(a.symbol, b.symbol) && CHECK_STRING(a.name, b.name) &&
	       CHECK_STRING(a.uuid, b.uuid) && CHECK_STRING(a.domain, b.domain) &&
	       CHECK_STRING(a.availability, b.availability) &&
	       CHECK(a.apis == b.apis && a.format == b.format && a.index == b.index &&
		     a.info_count == b.info_count && a.metric_count == b.metric_count &&
		     a.register_count == b.register_count);
	for (size_t i = 0; same && i < a.metric_count; i++)
		same = same_metrics(gpuoa_set_get_metric(one, i), gpuoa_set_get_metric(two, i));
	return same;
}

/* Check that the public interface describes both platforms identically. */
static void check_same(const struct gpuoa_platform *one, const struct gpuoa_platform *two)
{
	const size_t count = gpuoa_platform_set_count(one);
	bool same = CHECK_STRING(gpuoa_platform_title(one), gpuoa_platform_title(two)) &&
		    CHECK(count == gpuoa_platform_set_count(two));

	for (size_t i = 0; same && i < count; i++)
		same = same_sets(gpuoa_platform_get_set(one, i), gpuoa_platform_get_set(two, i));
}

/* Check that saving a platform as text, loading the text and saving it again changes nothing. */
static void check_round_trip(const struct gpuoa_platform *platform)
{
	char *text = text_of(platform), *again;
	struct gpuoa_definitions *definitions = load_text(text);

	REQUIRE(definitions);
	check_same(platform, gpuoa_definitions_get_platform(definitions, 0));
	again = text_of(gpuoa_definitions_get_platform(definitions, 0));
	CHECK(!strcmp(text, again));
	gpuoa_definitions_free(definitions);
	free(text);
	free(again);
}

static void saved_sets_load_equal(void)
{
	const struct gpuoa_set_desc like = { .symbol = "Like" };
	struct gpuoa_custom *custom = begin();
	struct gpuoa_definitions *definitions;
	const struct gpuoa_platform *platform;

	CHECK(!add_set(custom, "Mine", NULL));
	CHECK(!add_set(custom, "Same", builtin("RenderBasic")));
	CHECK(!gpuoa_custom_add_set(custom, &like, sizeof(like), NULL, 0, builtin("ComputeBasic"),
				    error, sizeof(error)));
	CHECK(!gpuoa_custom_add_metric(custom, "Mine", &full, sizeof(full), NULL, 0));
	CHECK(!add_metric(custom, "Mine", "Ticks", "B0"));
	CHECK(!add_metric(custom, "RenderBasic", "Eighth", "GpuCoreClocks // 8"));
	platform = build(custom, &definitions);
	REQUIRE(platform);
	check_round_trip(platform);
	gpuoa_definitions_free(definitions);
	gpuoa_custom_free(custom);
}

static void saved_files_load_equal(void)
{
	static const char *const files[] = { "lib/tests/definitions/basic.oa",
					     "lib/tests/definitions/basic.xml" };

	for (size_t i = 0; i < 2; i++) {
		struct gpuoa_definitions *definitions = NULL;
		const struct gpuoa_platform *platform;
		int err = gpuoa_definitions_load(files[i], &definitions, error, sizeof(error));

		if (err == -EOPNOTSUPP)
			continue;
		REQUIRE(!err);
		for (size_t p = 0; (platform = gpuoa_definitions_get_platform(definitions, p)); p++)
			check_round_trip(platform);
		gpuoa_definitions_free(definitions);
	}
}

/* A built-in platform can be written in the definition language without loss. */
static void saved_built_in_platforms_load_equal(void)
{
	for (size_t i = 0; i < gpuoa_platform_count(); i++) {
		const struct gpuoa_platform *platform = gpuoa_platform_get(i);
		char *text = text_of(platform);
		struct gpuoa_definitions *definitions = load_text(text);

		if (definitions)
			check_same(platform, gpuoa_definitions_get_platform(definitions, 0));
		gpuoa_definitions_free(definitions);
		free(text);
	}
}

static void loaded_platform_can_be_extended(void)
{
	struct gpuoa_custom *custom = begin(), *more = NULL;
	struct gpuoa_definitions *loaded, *extended;
	const struct gpuoa_platform *platform;

	CHECK(!add_set(custom, "Mine", NULL));
	CHECK(!add_metric(custom, "Mine", "Ticks", "B0"));
	platform = build(custom, &loaded);
	REQUIRE(platform && !gpuoa_custom_new(platform, &more));
	CHECK(add_set(more, "Mine", NULL) == -EEXIST);
	CHECK(add_metric(more, "Mine", "Ticks", "B1") == -EEXIST);
	CHECK(!add_metric(more, "Mine", "Tocks", "B1"));
	CHECK(add_set(more, "Other", builtin("RenderBasic")) == -EINVAL);
	platform = build(more, &extended);
	REQUIRE(platform);
	CHECK(gpuoa_set_find_metric(find(platform, "Mine"), "Ticks"));
	CHECK(gpuoa_set_find_metric(find(platform, "Mine"), "Tocks"));
	check_round_trip(platform);
	gpuoa_definitions_free(extended);
	gpuoa_custom_free(more);
	gpuoa_definitions_free(loaded);
	gpuoa_custom_free(custom);
}

static void save_replaces_file_or_returns_error(void)
{
	char path[] = "/tmp/gpuoa-custom-XXXXXX", wrong[64];
	struct gpuoa_custom *custom = begin();
	struct gpuoa_definitions *definitions, *loaded = NULL;
	const struct gpuoa_platform *platform;
	const int fd = mkstemp(path);

	REQUIRE(fd >= 0);
	close(fd);
	CHECK(!add_set(custom, "Mine", NULL));
	CHECK(!add_metric(custom, "Mine", "Ticks", "B0"));
	platform = build(custom, &definitions);
	REQUIRE(platform);
	CHECK(!gpuoa_platform_save(platform, path, error, sizeof(error)));
	CHECK(!gpuoa_definitions_load(path, &loaded, error, sizeof(error)));
	if (loaded)
		check_same(platform, gpuoa_definitions_get_platform(loaded, 0));
	snprintf(wrong, sizeof(wrong), "%s/below", path);
	CHECK(gpuoa_platform_save(platform, wrong, error, sizeof(error)) == -ENOTDIR);
	CHECK(strstr(error, "Not a directory"));
	gpuoa_definitions_free(loaded);
	gpuoa_definitions_free(definitions);
	gpuoa_custom_free(custom);
	unlink(path);
}

/* Neither a link nor a pipe is replaced by a file. */
static void save_writes_to_what_a_path_leads_to(void)
{
	char directory[] = "/tmp/gpuoa-custom-XXXXXX", text[4096] = "";
	struct gpuoa_custom *custom = begin();
	struct gpuoa_definitions *definitions;
	const struct gpuoa_platform *platform;
	struct stat status;
	const int back = open(".", O_RDONLY | O_DIRECTORY | O_CLOEXEC);
	size_t size;
	int fd;

	REQUIRE(back >= 0 && mkdtemp(directory) && !chdir(directory));
	CHECK(!add_set(custom, "Mine", NULL));
	CHECK(!add_metric(custom, "Mine", "Ticks", "B0"));
	platform = build(custom, &definitions);
	REQUIRE(platform);
	size = gpuoa_platform_text(platform, NULL, 0);
	REQUIRE(!mkfifo("pipe", 0600) && !symlink("file", "link") && !symlink("pipe", "to_pipe"));
	fd = open("pipe", O_RDWR | O_CLOEXEC | O_NONBLOCK);
	REQUIRE(fd >= 0 && size < sizeof(text));
	CHECK(!gpuoa_platform_save(platform, "pipe", error, sizeof(error)));
	CHECK(read(fd, text, sizeof(text)) == (ssize_t)size && strstr(text, "Mine"));
	CHECK(!gpuoa_platform_save(platform, "to_pipe", error, sizeof(error)));
	CHECK(read(fd, text, sizeof(text)) == (ssize_t)size);
	close(fd);
	CHECK(!lstat("pipe", &status) && S_ISFIFO(status.st_mode));
	REQUIRE(!gpuoa_platform_save(platform, "file", error, sizeof(error)));
	CHECK(!truncate("file", 0));
	CHECK(!gpuoa_platform_save(platform, "link", error, sizeof(error)));
	CHECK(!lstat("link", &status) && S_ISLNK(status.st_mode));
	CHECK(!stat("file", &status) && status.st_size == (off_t)size);
	gpuoa_definitions_free(definitions);
	gpuoa_custom_free(custom);
	unlink("pipe");
	unlink("to_pipe");
	unlink("link");
	unlink("file");
	CHECK(!fchdir(back) && !rmdir(directory));
	close(back);
}

/* A file that cannot be written or replaced is left as it was, without temporary files. */
static void failed_save_changes_nothing(void)
{
	char directory[] = "/tmp/gpuoa-custom-XXXXXX", path[64];
	struct gpuoa_custom *custom = begin();
	struct gpuoa_definitions *definitions;
	const struct gpuoa_platform *platform;
	struct rlimit limit, small;
	struct stat status;
	FILE *file;

	REQUIRE(mkdtemp(directory));
	snprintf(path, sizeof(path), "%s/file", directory);
	file = fopen(path, "w");
	REQUIRE(file);
	fputs("old", file);
	fclose(file);
	CHECK(!add_set(custom, "Mine", NULL));
	CHECK(!add_metric(custom, "Mine", "Ticks", "B0"));
	platform = build(custom, &definitions);
	REQUIRE(platform && !getrlimit(RLIMIT_FSIZE, &limit));
	small = limit;
	small.rlim_cur = 100;
	CHECK(signal(SIGXFSZ, SIG_IGN) != SIG_ERR && !setrlimit(RLIMIT_FSIZE, &small));
	CHECK(gpuoa_platform_save(platform, path, error, sizeof(error)) == -EFBIG);
	CHECK(!setrlimit(RLIMIT_FSIZE, &limit));
	CHECK(strstr(error, "File too large"));
	CHECK(!stat(path, &status) && status.st_size == 3);
	CHECK(!unlink(path));
	CHECK(gpuoa_platform_save(platform, directory, error, sizeof(error)) == -EISDIR);
	CHECK(!rmdir(directory)); /* it is empty */
	gpuoa_definitions_free(definitions);
	gpuoa_custom_free(custom);
}

static void newer_language_is_rejected(void)
{
	static const char newer[] = "language 2\nplatform t \"T\"\n";
	static const char same[] = "language 1\nplatform t \"T\"\n";
	struct gpuoa_definitions *definitions = NULL;

	CHECK(gpuoa_definitions_parse("file", newer, sizeof(newer) - 1, &definitions, error,
				      sizeof(error)) == -EINVAL);
	CHECK_STRING(error,
		     "file:1:10: this file is of version 2 of the language, and this library "
		     "knows version 1");
	CHECK(!gpuoa_definitions_parse("file", same, sizeof(same) - 1, &definitions, error,
				       sizeof(error)));
	gpuoa_definitions_free(definitions);
}

int main(void)
{
	RUN(add_set_stores_registers);
	RUN(equal_registers_have_equal_uuids);
	RUN(uuid_of_registers_is_stable);
	RUN(different_registers_have_different_uuids);
	RUN(set_without_registers_uses_those_of_base);
	RUN(duplicates_return_eexist);
	RUN(invalid_sets_are_rejected);
	RUN(registers_are_limited_by_kind);
	RUN(set_has_properties_given_or_those_of_base);
	RUN(add_metric_stores_all_fields);
	RUN(add_metric_has_defaults);
	RUN(metric_extends_all_sets_of_the_name);
	RUN(equations_may_refer_to_later_metrics);
	RUN(recursive_equations_are_rejected);
	RUN(equation_errors_have_position);
	RUN(symbols_begin_with_a_capital_letter);
	RUN(invalid_metrics_are_rejected);
	RUN(watermarks_are_writable_numbers);
	RUN(tiers_are_usages);
	RUN(sets_are_removed_in_any_order);
	RUN(metric_extends_built_in_set);
	RUN(saved_sets_load_equal);
	RUN(saved_files_load_equal);
	RUN(saved_built_in_platforms_load_equal);
	RUN(loaded_platform_can_be_extended);
	RUN(save_replaces_file_or_returns_error);
	RUN(save_writes_to_what_a_path_leads_to);
	RUN(failed_save_changes_nothing);
	RUN(newer_language_is_rejected);
	return tap_end();
}
