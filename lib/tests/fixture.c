// SPDX-License-Identifier: MIT
/* fixture.c - definitions, constants and reports that several tests use */
#include "fixture.h"

#include <string.h>

#include "definitions/language/parse.h"
#include "table/table.h"

/* Compile a definition: @text, under the name "test.oa", or the file at @path if @text is NULL. */
static int compile(struct fixture *fixture, const char *path, const char *text)
{
	static const struct source_file none;
	struct definition *definition;
	struct arena arena = { 0 };
	int error;

	memset(fixture, 0, sizeof(*fixture));
	if (text)
		error = definition_parse(path, text, strlen(text), &none, &arena, &definition,
					 &fixture->diagnostic);
	else
		error = definition_parse_file(path, &arena, &definition, &fixture->diagnostic);
	if (!error)
		error = compile_definitions((const struct definition *const *)&definition, 1,
					    &fixture->blob, &fixture->diagnostic);
	arena_free(&arena);
	return error;
}

int fixture_compile(struct fixture *fixture, const char *text)
{
	return compile(fixture, "test.oa", text);
}

int fixture_compile_file(struct fixture *fixture, const char *path)
{
	return compile(fixture, path, NULL);
}

const struct gpuoa_platform *fixture_platform(const struct fixture *fixture)
{
	const struct table_root *root = (const void *)fixture->blob.data;

	return table_follow(&root->platforms);
}

void fixture_free(struct fixture *fixture)
{
	blob_free(&fixture->blob);
}

struct gpuoa_constants *haswell_gt2(void)
{
	struct gpuoa_constants *constants;

	if (gpuoa_constants_new(gpuoa_platform_find("hsw"), &constants))
		return NULL;
	gpuoa_constants_set(constants, "GpuTimestampFrequency", 12500000);
	gpuoa_constants_set(constants, "GpuMaxFrequency", 1250000000);
	gpuoa_constants_set(constants, "EuCoresTotalCount", 20);
	gpuoa_constants_set(constants, "EuSlicesTotalCount", 1);
	gpuoa_constants_set(constants, "SubsliceMask", 3);
	return constants;
}

/* xorshift64* */
uint64_t fixture_random(uint64_t *state)
{
	*state ^= *state >> 12;
	*state ^= *state << 25;
	*state ^= *state >> 27;
	return *state * 0x2545f4914f6cdd1dull;
}

void fixture_next_report(uint64_t *state, const uint32_t *last, uint32_t *next)
{
	next[0] = 1 + (uint32_t)(fixture_random(state) >> 33);
	for (int i = 1; i < REPORT_WORDS; i++) {
		uint64_t random = fixture_random(state);
		uint32_t delta = (uint32_t)(random >> 32) >> (random & 31);

		/* In one of 16 cases the counter does not advance, or advances by the maximum. */
		if ((random >> 8 & 15) == 0)
			delta = (random >> 12 & 7) ? 0 : UINT32_MAX;
		next[i] = last[i] + delta;
	}
}
