// SPDX-License-Identifier: MIT
/*
 * decode_oracle_test.c - Compare the output of `gpuoa decode --csv` with text computed from
 * platforms.facts, for reports of each platform.
 *
 * As users do, the test passes the reports in a file.
 */
#include <inttypes.h>
#include <libgen.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

#include "facts.h"
#include "fixture.h"
#include "raw.h"
#include "rpn.h"
#include "tap.h"

#define REPORTS 100
#define BITS 34 /* counters and timestamps advance by less than 2^34 between reports */

static struct facts facts;
static char tool[4096];
static char directory[] = "/tmp/gpuoa-decode-XXXXXX";

/* Current platform and set */
static struct {
	const char *platform;
	const struct facts_set *set;
	struct rpn_constants values;
	struct rpn_set rpn;
} now;

static FILE *open_file(const char *name)
{
	char path[sizeof(directory) + 16];
	FILE *file;

	snprintf(path, sizeof(path), "%s/%s", directory, name);
	file = fopen(path, "w+");
	if (!file) {
		printf("Bail out! %s cannot be made\n", path);
		exit(1);
	}
	return file;
}

/* Constants that the tool assumes */
static void read_constants(void)
{
	struct gpuoa_constants *constants;

	memset(&now.values, 0, sizeof(now.values));
	REQUIRE(!gpuoa_constants_new(gpuoa_platform_find(now.platform), &constants));
	CHECK(!gpuoa_constants_assume(constants));
	for (size_t i = 0; i < gpuoa_constants_count(constants); i++) {
		const char *name = gpuoa_constants_name(constants, i);

		now.values.names[i] = name;
		CHECK(!gpuoa_constants_get(constants, name, &now.values.values[i]));
		now.values.count++;
	}
	gpuoa_constants_free(constants);
}

static uint64_t timestamp_frequency(void)
{
	for (size_t i = 0; i < now.values.count; i++)
		if (!strcmp(now.values.names[i], "GpuTimestampFrequency"))
			return now.values.values[i];
	return 1;
}

static void print_header(FILE *expected)
{
	fprintf(expected, "timestamp_ns");
	for (size_t i = 0; i < now.set->metric_count; i++)
		if (now.rpn.available[i])
			fprintf(expected, ",%s", now.set->metrics[i]->symbol);
	fprintf(expected, "\n");
}

static void print_row(FILE *expected, uint64_t ticks)
{
	fprintf(expected, "%" PRIu64,
		(uint64_t)((unsigned __int128)ticks * 1000000000 / timestamp_frequency()));
	for (size_t i = 0; i < now.set->metric_count; i++) {
		struct rpn_value value = now.rpn.values[i];

		if (!now.rpn.available[i])
			continue;
		if (value.real)
			fprintf(expected, ",%.9g", rpn_float(value));
		else
			fprintf(expected, ",%" PRIu64, rpn_integer(value));
	}
	fprintf(expected, "\n");
}

/* Write raw.bin, and the output that is expected for it. */
static void write_files(FILE *raw, FILE *expected)
{
	const struct raw_format *format = now.rpn.format;
	uint8_t reports[2][RAW_SIZE_MAX] = { { 0 } };
	uint64_t differences[RAW_FIELDS_MAX];
	uint64_t state = 3, ticks = 0;

	print_header(expected);
	for (int i = 0; i < REPORTS; i++) {
		raw_next(format, &state, reports[0], reports[1], BITS);
		raw_differences(format, reports[0], reports[1], differences);
		ticks += differences[raw_find(format, 't', 0)];
		fwrite(reports[1], format->size, 1, raw);
		memcpy(reports[0], reports[1], sizeof(reports[0]));
		if (!i)
			continue;
		rpn_evaluate(&now.rpn, &now.values, differences, rpn_row);
		print_row(expected, ticks);
	}
	fflush(raw);
	rewind(expected);
}

static void compare_lines(FILE *output, FILE *expected)
{
	static char ours[65536], theirs[65536];
	size_t line = 0;

	while (fgets(theirs, sizeof(theirs), expected) && tap.good) {
		line++;
		REQUIRE(fgets(ours, sizeof(ours), output));
		CHECK_STRING(ours, theirs);
	}
	CHECK(line == REPORTS);
	CHECK(!fgets(ours, sizeof(ours), output));
}

static void output_is_as_expected(void)
{
	char command[8192];
	FILE *raw = open_file("raw.bin"), *expected = open_file("expected.csv");
	FILE *output;

	read_constants();
	rpn_open(&now.rpn, now.set, raw_format(now.set->format), &now.values);
	rpn_choose(&now.rpn, &now.values);
	write_files(raw, expected);
	snprintf(command, sizeof(command), "'%s' decode -q -P %s -s %s/%s %s/raw.bin --csv", tool,
		 now.platform, now.set->unit, now.set->symbol, directory);
	output = popen(command, "r");
	if (CHECK(output)) {
		compare_lines(output, expected);
		CHECK(pclose(output) == 0);
	}
	rpn_close(&now.rpn);
	fclose(raw);
	fclose(expected);
}

static void check_set(const struct facts_set *set)
{
	char sentence[128];

	now.set = set;
	snprintf(sentence, sizeof(sentence), "%s: %s/%s", now.platform, set->unit, set->symbol);
	tap_run(output_is_as_expected, sentence);
}

/* Check the first set of each report format: RenderBasic, and one set per media unit. */
static void check_platform(const struct facts_platform *platform)
{
	now.platform = platform->name;
	for (size_t i = 0; i < platform->set_count; i++) {
		const struct facts_set *set = &platform->sets[i];
		bool seen = false;

		for (size_t before = 0; before < i; before++)
			seen |= !strcmp(platform->sets[before].format, set->format);
		if (!seen)
			check_set(set);
	}
}

static void remove_files(void)
{
	char path[sizeof(directory) + 16];

	snprintf(path, sizeof(path), "%s/raw.bin", directory);
	unlink(path);
	snprintf(path, sizeof(path), "%s/expected.csv", directory);
	unlink(path);
	rmdir(directory);
}

int main(int argc, char **argv)
{
	(void)argc;
	/* The gpuoa command is in the same build directory as this test. */
	snprintf(tool, sizeof(tool), "%s/../../tools/gpuoa", dirname(argv[0]));
	if (access(tool, X_OK))
		return tap_skip("the gpuoa command is not built");
	if (!mkdtemp(directory)) {
		printf("Bail out! %s cannot be made\n", directory);
		return 1;
	}
	facts_read(&facts);
	for (size_t i = 0; i < facts.platform_count; i++)
		check_platform(&facts.platforms[i]);
	facts_free(&facts);
	remove_files();
	return tap_end();
}
