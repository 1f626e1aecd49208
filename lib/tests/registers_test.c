// SPDX-License-Identifier: MIT
/*
 * registers_test.c - Check that the platform's stock driver accepts each register of each set, in
 * the list in which the set has it, even if a condition excludes the register on some GPUs; and
 * that gpuoa.ko's built-in sets equal the definitions.
 */
#include "gpu/platforms.h"
#include "gpuoa.h"
#include "table/table.h"
#include "tap.h"
#include "uapi/gpuoa.h"

/* Types of the kernel's headers that the following tables use */
struct gpuoa_reg_range {
	uint32_t first;
	uint32_t last;
};

struct gpuoa_reg_list {
	const struct gpuoa_register *regs;
	uint32_t count;
};

struct gpuoa_builtin_set {
	const char *uuid;
	struct gpuoa_reg_list mux;
	struct gpuoa_reg_list boolean;
	struct gpuoa_reg_list flex;
};

#define ARRAY_SIZE(array) (sizeof(array) / sizeof((array)[0]))

#include "kernel/core/oa/test_sets.h"
#include "kernel/tests/documented_registers.h"

/* The unit for memory traffic of Crescent Island; other units have the registers of Xe2. */
static const struct gpuoa_reg_range mert_doc[] = {
	{ 0x145194, 0x145194 },
	{ 0x145340, 0x14537c },
	{},
};

/* The compiler warns if a built-in set is not in this list. */
static const struct {
	const char *platform;
	const struct gpuoa_builtin_set *set;
} builtin[] = {
	{ "hsw", &test_set_hsw },	{ "bdw", &test_set_bdw },
	{ "chv", &test_set_chv },	{ "sklgt2", &test_set_sklgt2 },
	{ "sklgt3", &test_set_sklgt3 }, { "sklgt4", &test_set_sklgt4 },
	{ "kblgt2", &test_set_kblgt2 }, { "kblgt3", &test_set_kblgt3 },
	{ "cflgt2", &test_set_cflgt2 }, { "cflgt3", &test_set_cflgt3 },
	{ "bxt", &test_set_bxt },	{ "glk", &test_set_glk },
	{ "icl", &test_set_icl },	{ "ehl", &test_set_ehl },
	{ "tglgt1", &test_set_tglgt1 }, { "tglgt2", &test_set_tglgt2 },
	{ "rkl", &test_set_rkl },	{ "dg1", &test_set_dg1 },
	{ "adl", &test_set_adl },	{ "adls", &test_set_adls },
	{ "adln", &test_set_adln },	{ "mtlgt2", &test_set_mtlgt2 },
	{ "mtlgt3", &test_set_mtlgt3 }, { "lnl", &test_set_lnl },
	{ "bmg", &test_set_bmg },	{ "ptl", &test_set_ptl },
};

/*
 * The documented registers, by list. i915 checks each list separately; xe does not distinguish the
 * lists.
 */
static const struct {
	unsigned int since; /* generation, times 10 */
	/* the only platform of this entry; "": all platforms from that generation on */
	const char *platform;
	const char *unit;
	const struct gpuoa_reg_range *mux;
	const struct gpuoa_reg_range *boolean;
	const struct gpuoa_reg_range *flex;
} documented[] = {
	{ 200, "cri", "OAMERT", mert_doc, mert_doc, nothing_doc },
	{ 200, "", "OA", xe2_doc, xe2_doc, flex_doc },
	{ 200, "", "OAMG", mtl_oam_boolean_doc, mtl_oam_boolean_doc, nothing_doc },
	{ 200, "", "OAM0", scmi0_doc, scmi0_doc, nothing_doc },
	{ 200, "", "OAM1", scmi1_doc, scmi1_doc, nothing_doc },
	{ 127, "", "OA", mtl_mux_doc, gen12_5_boolean_doc, flex_doc },
	{ 127, "", "OAM0", mtl_oam_mux_doc, mtl_oam_boolean_doc, nothing_doc },
	{ 125, "", "OA", gen12_mux_doc, gen12_5_boolean_doc, flex_doc },
	{ 120, "", "OA", gen12_mux_doc, gen12_boolean_doc, flex_doc },
	{ 110, "", "OA", gen11_mux_doc, gen8_boolean_doc, flex_doc },
	{ 80, "chv", "OA", chv_mux_doc, gen8_boolean_doc, flex_doc },
	{ 80, "", "OA", bdw_mux_doc, gen8_boolean_doc, flex_doc },
	{ 75, "", "OA", hsw_mux_doc, gen8_boolean_doc, nothing_doc },
};

static bool contains(const struct gpuoa_reg_range *ranges, uint32_t address)
{
	for (; ranges->last; ranges++)
		if (address >= ranges->first && address <= ranges->last)
			return !(address % 4);
	return false;
}

/* On Crescent Island, registers of the OA unit also select events of the memory traffic unit. */
static bool is_accepted(const char *platform, const char *unit, uint32_t kind, uint32_t address)
{
	const unsigned int generation = gpu_generation(platform);

	for (size_t i = 0; i < ARRAY_SIZE(documented); i++) {
		if (generation < documented[i].since || strcmp(unit, documented[i].unit) != 0 ||
		    (*documented[i].platform && strcmp(platform, documented[i].platform) != 0))
			continue;
		if (!strcmp(platform, "cri") && contains(mert_doc, address))
			return true;
		switch (kind) {
		case GPUOA_REGISTER_MUX:
			return contains(documented[i].mux, address);
		case GPUOA_REGISTER_BOOLEAN:
			return contains(documented[i].boolean, address);
		case GPUOA_REGISTER_FLEX:
			return contains(documented[i].flex, address);
		default:
			return false;
		}
	}
	return false;
}

static size_t sets, writes;

static void check_list(const struct gpuoa_set *set, const struct table_registers *list)
{
	const struct gpuoa_reg *regs = table_follow(&list->registers);
	const char *platform = gpuoa_platform_name(set_platform(set));
	const char *unit = table_string(&set->unit);

	for (uint32_t i = 0; i < list->count; i++)
		if (!CHECK(is_accepted(platform, unit, list->kind, regs[i].address)))
			printf("# %s/%s of %s: %s %x\n", unit, table_string(&set->symbol), platform,
			       gpuoa_register_kind_name(list->kind), regs[i].address);
	writes += list->count;
}

static const struct gpuoa_platform *platform;

static void registers_are_accepted_by_stock_driver(void)
{
	for (size_t i = 0; i < gpuoa_platform_set_count(platform); i++) {
		const struct gpuoa_set *set = gpuoa_platform_get_set(platform, i);
		const struct table_registers *lists = table_follow(&set->register_lists);

		for (uint32_t k = 0; k < set->register_list_count; k++)
			check_list(set, &lists[k]);
		sets++;
	}
}

static void other_registers_are_rejected(void)
{
	/*
	 * Rejected registers belong to another generation, unit or list, are unaligned, or are
	 * written by the driver itself.
	 */
	CHECK(is_accepted("tglgt2", "OA", GPUOA_REGISTER_MUX, 0x9888));
	CHECK(!is_accepted("hsw", "OA", GPUOA_REGISTER_MUX, 0x9884 + 8));
	CHECK(!is_accepted("hsw", "OA", GPUOA_REGISTER_FLEX, 0xe458));
	CHECK(!is_accepted("tglgt2", "OA", GPUOA_REGISTER_MUX, 0x9800));
	CHECK(!is_accepted("tglgt2", "OA", GPUOA_REGISTER_BOOLEAN, 0xdc48));
	CHECK(!is_accepted("tglgt2", "OA", GPUOA_REGISTER_BOOLEAN, 0x9888));
	CHECK(!is_accepted("tglgt2", "OAM0", GPUOA_REGISTER_MUX, 0x9888));
	CHECK(!is_accepted("tglgt2", "OA", GPUOA_REGISTER_MUX, 0x9889));
	CHECK(!is_accepted("bmg", "OAM0", GPUOA_REGISTER_BOOLEAN, 0x394a00));
	CHECK(!is_accepted("bmg", "OA", GPUOA_REGISTER_BOOLEAN, 0x145340));
	CHECK(!is_accepted("bmg", "OA", GPUOA_REGISTER_BOOLEAN, 0xdaf8));
	CHECK(!is_accepted("mine", "OA", GPUOA_REGISTER_MUX, 0x9888));
}

static bool lists_are_equal(const struct gpuoa_set *set, enum gpuoa_register_kind kind,
			    const struct gpuoa_reg_list *list)
{
	struct gpuoa_reg regs[256];

	if (gpuoa_set_registers(set, kind, NULL, regs, ARRAY_SIZE(regs)) != (int)list->count)
		return false;
	for (uint32_t i = 0; i < list->count; i++)
		if (regs[i].address != list->regs[i].address ||
		    regs[i].value != list->regs[i].value)
			return false;
	return true;
}

/* The kernel rejects a definition that has the UUID of a built-in set and other registers. */
static void builtin_sets_equal_definitions(void)
{
	for (size_t i = 0; i < ARRAY_SIZE(builtin); i++) {
		const struct gpuoa_builtin_set *expected = builtin[i].set;
		const struct gpuoa_set *set = gpuoa_platform_find_uuid(
			gpuoa_platform_find(builtin[i].platform), expected->uuid);

		/* Haswell's set is in no definition. */
		if (!strcmp(builtin[i].platform, "hsw")) {
			CHECK(!set);
			continue;
		}
		REQUIRE(set);
		if (!CHECK(lists_are_equal(set, GPUOA_REGISTER_MUX, &expected->mux) &&
			   lists_are_equal(set, GPUOA_REGISTER_BOOLEAN, &expected->boolean) &&
			   lists_are_equal(set, GPUOA_REGISTER_FLEX, &expected->flex)))
			printf("# ... of %s\n", builtin[i].platform);
	}
}

int main(void)
{
	char sentence[96];

	RUN(builtin_sets_equal_definitions);
	RUN(other_registers_are_rejected);
	for (size_t i = 0; i < gpuoa_platform_count(); i++) {
		platform = gpuoa_platform_get(i);
		snprintf(sentence, sizeof(sentence), "%s: registers are accepted by stock driver",
			 gpuoa_platform_name(platform));
		tap_run(registers_are_accepted_by_stock_driver, sentence);
	}
	printf("# %zu writes in %zu sets\n", writes, sets);
	return tap_end();
}
