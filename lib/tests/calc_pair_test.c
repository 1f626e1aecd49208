// SPDX-License-Identifier: MIT
/*
 * calc_pair_test.c - A row calculated from a single pair of reports equals the row calculated in a
 * batch, bit by bit, for each metric, information item, maximum and validity of each set.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "calc/calc.h"
#include "fixture.h"
#include "tap.h"

#define PAIRS 24
#define REPORT_SIZE_MAX 1024

static uint64_t state = 1;

/*
 * Make two reports. @kind selects their difference: random words, small differences as between
 * consecutive reports, no difference, or all bits set.
 */
static void make_pair(char *begin, char *end, size_t size, int kind)
{
	for (size_t i = 0; i < size; i += sizeof(uint32_t)) {
		const uint32_t first = (uint32_t)fixture_random(&state);
		const uint32_t any = (uint32_t)fixture_random(&state);
		uint32_t second = any;

		if (kind == 1)
			second = first + (any >> (any & 31));
		else if (kind == 2)
			second = first;
		else if (kind == 3)
			second = first - 1; /* the largest difference */
		memcpy(begin + i, &first, sizeof(first));
		memcpy(end + i, &second, sizeof(second));
	}
}

static bool set_agrees(const struct gpuoa_set *set, const struct gpuoa_constants *constants,
		       uint32_t format)
{
	const struct gpuoa_calc_options options = { .size = sizeof(options),
						    .maxima = true,
						    .validity = true };
	static char reports[2 * REPORT_SIZE_MAX];
	union gpuoa_value *alone, *columns;
	struct gpuoa_calc *calc;
	bool agrees = true;
	size_t size, count;

	if (!CHECK(!gpuoa_calc_open(set, constants, format, &options, &calc, NULL, 0)))
		return false;
	size = calc->format->size;
	count = gpuoa_calc_output_count(calc);
	alone = calloc(count, sizeof(*alone));
	columns = calloc(count, sizeof(*columns));
	for (int i = 0; i < PAIRS; i++) {
		const uint64_t near = i % 2 ? fixture_random(&state) >> 8 : 0;

		make_pair(reports, reports + size, size, i % 4);
		calc_run_pairs(calc, reports, 1, near, columns);
		memset(alone, 0xff, count * sizeof(*alone));
		agrees &= calc_run_pair(calc, reports, reports + size, near, alone) &&
			  !memcmp(alone, columns, count * sizeof(*alone));
	}
	free(alone);
	free(columns);
	gpuoa_calc_close(calc);
	return agrees;
}

static void calc_pair_equals_calc_run_for_every_set(void)
{
	uint32_t sets = 0;

	for (size_t p = 0; p < gpuoa_platform_count(); p++) {
		const struct gpuoa_platform *platform = gpuoa_platform_get(p);
		struct gpuoa_constants *constants;

		REQUIRE(!gpuoa_constants_new(platform, &constants));
		REQUIRE(!gpuoa_constants_assume(constants));
		for (size_t s = 0; s < gpuoa_platform_set_count(platform); s++) {
			const struct gpuoa_set *set = gpuoa_platform_get_set(platform, s);
			struct gpuoa_set_desc desc;

			gpuoa_set_describe(set, &desc, sizeof(desc));
			if (!CHECK(set_agrees(set, constants, desc.format)))
				printf("# %s: %s\n", gpuoa_platform_name(platform), desc.symbol);
			sets++;
		}
		gpuoa_constants_free(constants);
	}
	CHECK(sets > 1000);
}

/* More pairs than fit in a batch: 32 */
#define MANY 100

static void many_pairs_equal_single_pairs(void)
{
	const struct gpuoa_platform *platform = gpuoa_platform_find("sklgt2");
	const struct gpuoa_set *set = gpuoa_platform_find_set(platform, "RenderBasic", "OA", NULL);
	const struct gpuoa_calc_options options = { .size = sizeof(options) };
	static char reports[2 * MANY * REPORT_SIZE_MAX];
	struct gpuoa_constants *constants;
	union gpuoa_value *alone, *all;
	struct gpuoa_calc *calc;
	struct gpuoa_set_desc desc;
	size_t size, count;

	gpuoa_set_describe(set, &desc, sizeof(desc));
	REQUIRE(!gpuoa_constants_new(platform, &constants));
	REQUIRE(!gpuoa_constants_assume(constants));
	REQUIRE(!gpuoa_calc_open(set, constants, desc.format, &options, &calc, NULL, 0));
	size = calc->format->size;
	count = gpuoa_calc_output_count(calc);
	alone = calloc(MANY * count, sizeof(*alone));
	all = calloc(MANY * count, sizeof(*all));
	for (int i = 0; i < MANY; i++) {
		make_pair(reports + 2 * i * size, reports + (2 * i + 1) * size, size, i % 4);
		calc_run_pairs(calc, reports + 2 * i * size, 1, 5, alone + i * count);
	}
	for (size_t pairs = 30; pairs <= MANY; pairs += pairs == 34 ? 66 : 1) {
		memset(all, 0xff, MANY * count * sizeof(*all));
		calc_run_pairs(calc, reports, pairs, 5, all);
		CHECK(!memcmp(alone, all, pairs * count * sizeof(*all)));
	}
	free(alone);
	free(all);
	gpuoa_calc_close(calc);
	gpuoa_constants_free(constants);
}

int main(void)
{
	RUN(many_pairs_equal_single_pairs);
	RUN(calc_pair_equals_calc_run_for_every_set);
	return tap_end();
}
