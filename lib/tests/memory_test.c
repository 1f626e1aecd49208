// SPDX-License-Identifier: MIT
/*
 * memory_test.c - Each allocation of an operation fails once: the operation returns -ENOMEM, or
 * works without the memory, and leaks nothing.
 */
#define _GNU_SOURCE
#include <errno.h>
#include <stdlib.h>

#include "failing_memory.h"

#include "gpuoa-stream.h"
#include "gpuoa-time.h"
#include "gpuoa.h"
#include "recording.h"
#include "tap.h"

/* ---- definitions ---------------------------------------------------------------------------- */

static const char *text;
static uint64_t expected; /* contents of @text; 0: unknown */

static uint64_t hash(uint64_t hash, const char *string)
{
	do
		hash = (hash ^ (uint8_t)*string) * 0x100000001b3;
	while (*string++);
	return hash;
}

/* Returns a hash of the contents of the first platform. */
static uint64_t contents(const struct gpuoa_definitions *definitions)
{
	const struct gpuoa_platform *platform = gpuoa_definitions_get_platform(definitions, 0);
	uint64_t all = 0xcbf29ce484222325;

	for (size_t i = 0; i < gpuoa_platform_set_count(platform); i++) {
		const struct gpuoa_set *set = gpuoa_platform_get_set(platform, i);
		struct gpuoa_metric_desc metric;
		struct gpuoa_set_desc desc;

		gpuoa_set_describe(set, &desc, sizeof(desc));
		all = hash(hash(hash(all, desc.symbol), desc.name), desc.uuid);
		all += (uint64_t)gpuoa_set_registers(set, GPUOA_REGISTER_FLEX, NULL, NULL, 0);
		for (size_t m = 0; m < desc.metric_count; m++) {
			gpuoa_metric_describe(gpuoa_set_get_metric(set, m), &metric,
					      sizeof(metric));
			all = hash(hash(hash(all, metric.symbol), metric.equation), metric.group);
		}
	}
	return all;
}

static int parse(void)
{
	struct gpuoa_definitions *definitions;
	char error[256];
	int err = gpuoa_definitions_parse("test.oa", text, strlen(text), &definitions, error,
					  sizeof(error));

	if (err) {
		if (err != -ENOMEM)
			printf("# %s\n", error);
		return err;
	}
	if (!expected)
		expected = contents(definitions);
	err = contents(definitions) == expected ? 0 : -EIO;
	gpuoa_definitions_free(definitions);
	return err;
}

static void parse_each(const char *definitions)
{
	text = definitions;
	expected = 0;
	fail_each(&allocations, ENOMEM, parse);
}

static void parse_survives_missing_memory(void)
{
	parse_each(
		"platform t \"Test\"\n"
		"constant K \"K.\"\n"
		"group \"One group\"\n"
		"metric One \"1\" \"First.\" = A0 + K uint64 x event on OGL\n"
		"metric Two \"2\" \"Second.\" = One * 2 / A1 max 100 if K & 1\n"
		"float percent duration use tier1 overview watermarks 5 10.5\n"
		"metric Three \"3\" \"Third.\" = (One & 255) - min(A1, 7) uint64 x event\n"
		"info Id \"Id\" \"Id.\" = REPORT_ID uint64 number raw\n"
		"registers R { 10=1 14=2 }\n"
		"template T \"Name\" { format A13 on VK unit OAM0 metrics { One } flex R }\n"
		"template U like T { metrics { Two } change on OCL { One = A2 } }\n"
		"set S like U { uuid \"00000000-0000-4000-8000-000000000001\" }\n"
		"set V \"Other\" like T { uuid \"00000000-0000-4000-8000-000000000002\" if K & 2\n"
		"change { One = A3 } mux if K & 1 { 18=3 } mux if K & 2 R metrics { Three } }");
}

/* Bundles, descriptions of families, and alternatives of registers */
static void parse_of_alternatives_survives_missing_memory(void)
{
	parse_each(
		"platform t \"Test\"\n"
		"constant K \"K.\"\n"
		"metric One1 \"1\" \"First.\" = A0 uint64 x event alias \"First\" of slice\n"
		"metric One2 \"2\" \"Second.\" = max(A1, One1) uint64 x event if K == 2\n"
		"describe \"One{}\" \"Number {1}\" \" of two.\"\n"
		"bundle B { One1 } bundle C { bundle B One2 }\n"
		"registers R { 9888=1 }\n"
		"template T \"Name\" { format A45_B8_C8 metrics { bundle C }\n"
		"mux if K & 1 { 9888=2 } else if K & 4 or K & 8 R else { 9888=3 }\n"
		"boolean if K & 1 { 2710=1 } flex if K == 4 { e458=4 } }\n"
		"set S like T { uuid \"00000000-0000-4000-8000-000000000001\" remark \"R.\" }\n");
}

/* A set that is derived from a built-in one */
static void extension_survives_missing_memory(void)
{
	parse_each("platform hsw \"Haswell\"\n"
		   "metric Mine \"Mine\" \"Of the user.\" = GpuTime + 1 uint64 ns event\n"
		   "bundle B { Mine }\n"
		   "set Mine \"Mine\" like RenderBasic { metrics { bundle B } }\n");
	/* The registers of these sets depend on the GPU. */
	parse_each("platform sklgt2 \"Skylake\"\n"
		   "constant Own \"O.\"\n"
		   "template T \"T\" { format A32u40_A4u32_B8_C8 metrics { GpuTime } }\n"
		   "set Mine \"Mine\" like ComputeBasic { remark \"Mine.\" }\n"
		   "set Other \"O\" like T { uuid \"00000000-0000-4000-8000-000000000001\" "
		   "mux if Own { 9888=1 } }\n");
}

static char *read_file(const char *path)
{
	FILE *file = fopen(path, "r");
	char *bytes = calloc(1, 1 << 16);

	if (CHECK(file)) {
		CHECK(fread(bytes, 1, (1 << 16) - 1, file));
		fclose(file);
	}
	return bytes;
}

static void parse_files(const char *path)
{
	char *bytes = read_file(path);

	parse_each(bytes);
	free(bytes);
}

static void parse_of_all_features_survives_missing_memory(void)
{
	parse_files("lib/tests/definitions/basic.oa");
}

static void import_of_xml_survives_missing_memory(void)
{
	parse_files("lib/tests/definitions/basic.xml");
	parse_each("<metrics><set chipset=\"T\" symbol_name=\"S\" name=\"S\" oa_format=\"A13\" "
		   "hw_config_guid=\"00000000-0000-4000-8000-00000000000A\">"
		   "<counter symbol_name=\"M\" data_type=\"float\" units=\"x\" "
		   "semantic_type=\"event\" low_watermark=\"1\" high_watermark=\"2\" "
		   "equation=\"$N 2 UMUL A 1 READ 0.5 FMUL FADD\" "
		   "availability=\"$SubsliceMask 1 AND $QueryMode 2 == ||\"/>"
		   "<counter symbol_name=\"N\" data_type=\"uint64\" units=\"x\" "
		   "semantic_type=\"event\" equation=\"A 1 READ\"/>"
		   "<register_config type=\"NOA\" availability=\"$SubsliceMask true &amp;&amp;\">"
		   "<register address=\"0x9888\" value=\"0x1\"/></register_config>"
		   "</set></metrics>");
}

/* ---- calculators and recordings ------------------------------------------------------------- */

#define RUN_REPORTS 601 /* several batches of rows */
#define OUTPUTS_MAX 1000

/* Use all buffers of a calculator. */
static void run(struct gpuoa_calc *calc)
{
	static union gpuoa_value values[(RUN_REPORTS - 1) * OUTPUTS_MAX];
	static struct gpuoa_summary summaries[OUTPUTS_MAX];
	uint32_t reports[RUN_REPORTS][TEST_REPORT_SIZE / 4] = { { 0 } };
	struct gpuoa_interval intervals[RUN_REPORTS];
	size_t used;

	for (uint32_t i = 0; i < RUN_REPORTS; i++)
		for (uint32_t k = 1; k < TEST_REPORT_SIZE / 4; k++)
			reports[i][k] = i * k; /* small, for the fast path */
	REQUIRE(gpuoa_calc_output_count(calc) <= OUTPUTS_MAX);
	CHECK(gpuoa_calc_run(calc, reports, RUN_REPORTS, values, intervals, RUN_REPORTS - 1,
			     &used) == RUN_REPORTS - 1);
	gpuoa_calc_discontinuity(calc);
	CHECK(gpuoa_calc_summarize(calc, reports, RUN_REPORTS, summaries) == RUN_REPORTS - 1);
	CHECK(!gpuoa_calc_total(calc, values, &intervals[0], true));
	CHECK(!gpuoa_calc_total_max(calc, values));
}

static int calculate(void)
{
	const struct gpuoa_platform *platform = gpuoa_platform_find("hsw");
	const struct gpuoa_set *set = gpuoa_platform_find_uuid(platform, TEST_UUID);
	const struct gpuoa_calc_options calc_options = { .size = sizeof(calc_options),
							 .maxima = true,
							 .validity = true };
	const struct gpuoa_resampler_options options = {
		.size = sizeof(options), .inputs = 2, .period_ticks = 100, .calc = &calc_options
	};
	struct gpuoa_constants *constants, *copy = NULL;
	struct gpuoa_resampler *resampler;
	struct gpuoa_calc *calc;
	char error[256];
	int err = gpuoa_constants_new(platform, &constants);

	if (err)
		return err;
	gpuoa_constants_assume(constants);
	err = gpuoa_constants_copy(constants, &copy);
	if (!err)
		err = gpuoa_constants_parse(copy, "EuCoresTotalCount=20", error, sizeof(error));
	if (!err)
		err = gpuoa_calc_open(set, copy, GPUOA_REPORT_A45_B8_C8, &calc_options, &calc,
				      error, sizeof(error));
	if (!err) {
		run(calc);
		gpuoa_calc_close(calc);
		err = gpuoa_resampler_open(set, copy, GPUOA_REPORT_A45_B8_C8, &options, &resampler,
					   error, sizeof(error));
		if (!err)
			gpuoa_resampler_close(resampler);
	}
	gpuoa_constants_free(copy);
	gpuoa_constants_free(constants);
	return err;
}

static void calculator_survives_missing_memory(void)
{
	fail_each(&allocations, ENOMEM, calculate);
}

static char path[32];

static int read_recording(void)
{
	static uint8_t reports[32 * TEST_REPORT_SIZE];
	struct gpuoa_read_status status;
	struct gpuoa_reader *reader;
	char error[256];
	int n, err = gpuoa_file_open(path, &reader, error, sizeof(error));

	if (err)
		return err;
	n = gpuoa_reader_read(reader, reports, 32, &status);
	err = n < 0 ? n : n == 10 ? 0 : -EIO;
	gpuoa_reader_close(reader);
	return err;
}

static void reader_survives_missing_memory(void)
{
	struct recording recording = { 0 };
	struct bytes bytes;
	int file;

	add_event(&recording, TEST_SAMPLE_TYPE, 7);
	put_first_sample(&recording.records, 7);
	put_reports_sample(&recording.records, 7, 0, 10);
	bytes = lay_out(&recording);
	file = file_of(&bytes, path);
	fail_each(&allocations, ENOMEM, read_recording);
	close(file);
	clear(&bytes);
	clear(&recording.records);
}

static int convert_times(void)
{
	struct gpuoa_time *time;
	int err = gpuoa_time_open(12500000, &time);

	for (uint64_t i = 0; !err && i < 100; i++) {
		/* The clocks drift, so that each pair is needed. */
		const struct gpuoa_clock_pair pair = { .gpu_ticks = i * 12500000,
						       .cpu_ns = i * 1000000000 + i * i * 20000 };

		err = gpuoa_time_add(time, &pair);
		if (err) {
			gpuoa_time_close(time);
			return err;
		}
	}
	if (!err)
		gpuoa_time_close(time);
	return err;
}

static void clock_pairs_survive_missing_memory(void)
{
	fail_each(&allocations, ENOMEM, convert_times);
}

int main(void)
{
	RUN(parse_survives_missing_memory);
	RUN(parse_of_alternatives_survives_missing_memory);
	RUN(extension_survives_missing_memory);
	RUN(parse_of_all_features_survives_missing_memory);
	RUN(import_of_xml_survives_missing_memory);
	RUN(calculator_survives_missing_memory);
	RUN(reader_survives_missing_memory);
	RUN(clock_pairs_survive_missing_memory);
	return tap_end();
}
