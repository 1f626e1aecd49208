// SPDX-License-Identifier: MIT
/*
 * definitions_limits_test.c - Test large definitions and malformed files: the time and memory for
 * parsing are linear in the length of the text, and each error has a position.
 */
#include <errno.h>
#include <stdarg.h>
#include <stdlib.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

#include "gpuoa-custom.h"
#include "gpuoa.h"
#include "tap.h"

#define UUID "00000000-0000-4000-8000-000000000001"

static char message[600];

/* text buffers */

struct text {
	char *bytes;
	size_t length;
	size_t room;
};

__attribute__((format(printf, 2, 3))) static void add(struct text *text, const char *format, ...)
{
	va_list args;

	if (text->room - text->length < 1024) {
		text->room = 2 * text->room + 4096;
		text->bytes = realloc(text->bytes, text->room);
		if (!text->bytes)
			abort();
	}
	va_start(args, format);
	text->length += vsnprintf(text->bytes + text->length, 1024, format, args);
	va_end(args);
}

/* Parse a text. Returns 0, or a negative errno; then @message contains the error. */
static int parse(const struct text *text)
{
	struct gpuoa_definitions *definitions = NULL;
	int err;

	*message = '\0';
	err = gpuoa_definitions_parse("user", text->bytes, text->length, &definitions, message,
				      sizeof(message));
	CHECK(!err == !!definitions && !err == !*message);
	gpuoa_definitions_free(definitions);
	return err;
}

static int parse_and_free(struct text *text)
{
	const int err = parse(text);

	free(text->bytes);
	return err;
}

/* time */

static void add_set_head(struct text *xml, const char *chipset, unsigned int number)
{
	add(xml,
	    "<set chipset=\"%s\" symbol_name=\"S%u\" oa_format=\"A45_B8_C8\""
	    " hw_config_guid=\"%08x-0000-4000-8000-000000000001\">\n",
	    chipset, number, number);
}

static void add_counter(struct text *xml, unsigned int number, const char *equation)
{
	add(xml,
	    "<counter symbol_name=\"M%u\" units=\"x\" data_type=\"uint64\" semantic_type=\"event\""
	    " equation=\"%s\"/>\n",
	    number, equation);
}

/* Sets of two chipsets, alternating */
static struct text many_sets(unsigned int count)
{
	struct text xml = { 0 };

	add(&xml, "<metrics>");
	for (unsigned int i = 0; i < count; i++) {
		add_set_head(&xml, i % 2 ? "T" : "U", i);
		add_counter(&xml, 0, "A 1 READ");
		add(&xml, "</set>\n");
	}
	add(&xml, "</metrics>");
	return xml;
}

/* Write a set in which the equation of each counter refers to the preceding counter. */
static struct text many_counters(unsigned int count)
{
	struct text xml = { 0 };
	char equation[32];

	add(&xml, "<metrics>");
	add_set_head(&xml, "T", 0);
	add_counter(&xml, 0, "A 1 READ");
	for (unsigned int i = 1; i < count; i++) {
		snprintf(equation, sizeof(equation), "$M%u 1 UADD", i - 1);
		add_counter(&xml, i, equation);
	}
	add(&xml, "</set></metrics>");
	return xml;
}

/* Write sets in which each counter uses a different constant, about 8,000 constants in all. */
static struct text many_constants(unsigned int count)
{
	struct text xml = { 0 };
	char equation[64];

	add(&xml, "<metrics>");
	for (unsigned int i = 0; i < count; i++) {
		if (!(i % 1024)) {
			add(&xml, "%s", i ? "</set>\n" : "");
			add_set_head(&xml, "T", i);
		}
		snprintf(equation, sizeof(equation), "$GtSlice%u%s%u", i / 64 % 64,
			 i / 4096 ? "XeCore" : "DualSubslice", i % 64);
		add_counter(&xml, i, equation);
	}
	add(&xml, "</set></metrics>");
	return xml;
}

static double seconds_to_parse(struct text (*write)(unsigned int count), unsigned int count)
{
	struct text text = write(count);
	clock_t begin = clock();

	CHECK(!parse(&text));
	if (*message)
		printf("# %s\n", message);
	free(text.bytes);
	return (double)(clock() - begin) / CLOCKS_PER_SEC;
}

/*
 * Returns whether parsing takes linear time: a text of four times the length must take about four
 * times as long, not sixteen. CPU time is measured, and the best of several attempts counts.
 */
static bool takes_linear_time(struct text (*write)(unsigned int count), unsigned int count)
{
	double best = 1e9;

	for (int i = 0; i < 5 && best > 8; i++) {
		double ratio = seconds_to_parse(write, count) / seconds_to_parse(write, count / 4);

		if (ratio < best)
			best = ratio;
	}
	if (best > 8)
		printf("# 4 times the text takes %.1f times as long\n", best);
	return best <= 8;
}

static void parse_time_is_linear_in_sets(void)
{
	CHECK(takes_linear_time(many_sets, 32000));
}

/*
 * The number of string comparisons. The strcmp() below replaces that of libc, for the library as
 * well.
 */
static unsigned long comparisons;

int strcmp(const char *left, const char *right)
{
	comparisons++;
	while (*left && *left == *right) {
		left++;
		right++;
	}
	return *(const unsigned char *)left - *(const unsigned char *)right;
}

/* Write sets of which every second one has the UUID of the first set. */
static struct text shared_uuids(unsigned int count)
{
	struct text text = { 0 };

	add(&text, "platform t \"T\"\nmetric M \"M\" \"D.\" = 1 uint64 x event\n");
	for (unsigned int i = 0; i < count; i++)
		add(&text,
		    "set S%u \"S\" { uuid \"%08x-0000-4000-8000-000000000001\"%s format A13"
		    " metrics { M } }\n",
		    i, i % 2 ? 0 : i, i % 2 ? " shared" : "");
	return text;
}

static void save_time_is_linear_in_sets(void)
{
	const unsigned int count = 16000;
	struct text text = shared_uuids(count);
	struct gpuoa_definitions *definitions;
	const struct gpuoa_platform *platform;
	unsigned long parsed, saved;
	char *saved_text;
	size_t length;

	comparisons = 0;
	REQUIRE(!gpuoa_definitions_parse("user", text.bytes, text.length, &definitions, message,
					 sizeof(message)));
	parsed = comparisons;
	platform = gpuoa_definitions_get_platform(definitions, 0);
	comparisons = 0;
	length = gpuoa_platform_text(platform, NULL, 0);
	saved = comparisons;
	if (!CHECK(parsed < 100ul * count && saved < 100ul * count))
		printf("# %lu to parse, %lu to save\n", parsed, saved);
	saved_text = malloc(length + 1);
	REQUIRE(saved_text);
	gpuoa_platform_text(platform, saved_text, length + 1);
	CHECK(strstr(saved_text,
		     "set S2 \"S\" {\n\tuuid \"00000002-0000-4000-8000-000000000001\"\n"));
	CHECK(strstr(saved_text, "set S3 \"S\" {\n\tuuid \"00000000-0000-4000-8000-000000000001\""
				 " shared\n"));
	free(saved_text);
	gpuoa_definitions_free(definitions);
	free(text.bytes);
}

static void parse_time_is_linear_in_counters(void)
{
	CHECK(takes_linear_time(many_counters, 32000));
}

static void parse_time_is_linear_in_constants(void)
{
	CHECK(takes_linear_time(many_constants, 8000));
}

/* memory */

static void joined_strings_use_linear_memory(void)
{
	struct gpuoa_definitions *definitions = NULL;
	struct gpuoa_constant_desc desc;
	struct text text = { 0 };
	struct gpuoa_constants *constants;
	struct rusage before, after;

	add(&text, "platform t \"T\" constant K\n");
	for (int i = 0; i < 80000; i++)
		add(&text, "\"a \" # b\n");
	add(&text, "\"b\"\nmetric M \"M\" \"D.\" = K uint64 x event\nset S \"S\" { uuid \"" UUID
		   "\" format A13 metrics { M } }");
	getrusage(RUSAGE_SELF, &before);
	REQUIRE(!gpuoa_definitions_parse("user", text.bytes, text.length, &definitions, message,
					 sizeof(message)));
	getrusage(RUSAGE_SELF, &after);
	CHECK(after.ru_maxrss - before.ru_maxrss < 64 * 1024);
	REQUIRE(!gpuoa_constants_new(gpuoa_definitions_get_platform(definitions, 0), &constants));
	REQUIRE(!gpuoa_constants_describe(constants, 0, &desc, sizeof(desc)));
	CHECK(strlen(desc.description) == 160001);
	CHECK_STRING(desc.description + 159996, "a a b");
	gpuoa_constants_free(constants);
	gpuoa_definitions_free(definitions);
	free(text.bytes);
}

/* limits */

static void chipset_has_at_most_32767_sets(void)
{
	struct text xml = { 0 };

	add(&xml, "<metrics>");
	for (unsigned int i = 0; i <= 32767; i++) {
		add_set_head(&xml, "T", i);
		add_counter(&xml, 0, "1");
		add(&xml, "</set>\n");
	}
	/* The error must be reported before this malformed end of the file is parsed. */
	add(&xml, "<no such text");
	CHECK(parse_and_free(&xml) == -EINVAL);
	CHECK_STRING(message, "user:98302:1: a chipset has 32767 sets at most");
}

static void set_has_at_most_32767_counters(void)
{
	struct text xml = { 0 };

	add(&xml, "<metrics>");
	add_set_head(&xml, "T", 0);
	for (unsigned int i = 0; i <= 32767; i++)
		add_counter(&xml, i, "1");
	add(&xml, "<no such text");
	CHECK(parse_and_free(&xml) == -EINVAL);
	CHECK_STRING(message, "user:32769:1: a set has 32767 counters at most");
}

/* Parse a platform with @count constants, all of which are used. */
static int parse_constants(unsigned int count)
{
	struct text text = { 0 };

	add(&text, "platform t \"T\"\n");
	for (unsigned int i = 0; i < count; i++)
		add(&text, "constant K%u \"D.\"\n", i);
	for (unsigned int i = 0; i < count; i += 128) {
		add(&text, "metric M%u \"M\" \"D.\" = 0", i);
		for (unsigned int k = i; k < count && k < i + 128; k++)
			add(&text, " + K%u", k);
		add(&text, " uint64 x event\n");
	}
	add(&text, "set S \"S\" { uuid \"" UUID "\" format A13 metrics {");
	for (unsigned int i = 0; i < count; i += 128)
		add(&text, " M%u", i);
	add(&text, " } }\n");
	return parse_and_free(&text);
}

static void platform_has_at_most_32767_constants(void)
{
	CHECK(!parse_constants(32767));
	CHECK(parse_constants(32768) == -EINVAL);
	CHECK_STRING(message,
		     "user:32769:10: the equations of a platform use 32767 constants at most");
}

static int parse_sets(unsigned int count)
{
	struct text text = { 0 };

	add(&text, "platform t \"T\"\nmetric M \"M\" \"D.\" = 1 uint64 x event\n");
	for (unsigned int i = 0; i < count; i++)
		add(&text,
		    "set S%u \"S\" { uuid \"%08x-0000-4000-8000-000000000001\" format A13 "
		    "metrics { M } }\n",
		    i, i);
	return parse_and_free(&text);
}

static void platform_has_at_most_32767_sets(void)
{
	CHECK(!parse_sets(32767));
	CHECK(parse_sets(32768) == -EINVAL);
	CHECK_STRING(message, "user:32770:1: a platform has 32767 sets and templates at most");
}

/* files */

static char directory[] = "/tmp/gpuoa-definitions-XXXXXX";

static void write_file(const char *name, const char *bytes, size_t size)
{
	char path[64];
	FILE *file;

	snprintf(path, sizeof(path), "%s/%s", directory, name);
	file = fopen(path, "w");
	CHECK(file && fwrite(bytes, 1, size, file) == size && !fclose(file));
}

/* Load a file. Returns the error message, from which the directory is removed. */
static const char *load(const char *name)
{
	struct gpuoa_definitions *definitions = NULL;
	static char told[600];
	const char *from;
	char path[64], *to = told;

	snprintf(path, sizeof(path), "%s/%s", directory, name);
	*message = '\0';
	gpuoa_definitions_load(path, &definitions, message, sizeof(message));
	gpuoa_definitions_free(definitions);
	for (from = message; *from; from++) {
		if (!strncmp(from, directory, strlen(directory)))
			from += strlen(directory) + 1;
		*to++ = *from;
	}
	*to = '\0';
	return told;
}

#define WRITE(name, text) write_file(name, text, sizeof(text) - 1)

static void included_file_with_invalid_utf_8_is_rejected(void)
{
	WRITE("main.oa", "platform t \"T\"\ninclude \"part.oa\"\n");
	WRITE("part.oa", "# \xc2\xb5\nconstant K \"\xff.\"\n");
	CHECK_STRING(load("main.oa"),
		     "part.oa:2:13: byte 0xff is not UTF-8 (included from main.oa:2:9)");
	WRITE("part.oa", "constant K \"\xc2\xb5.\"\n");
	CHECK_STRING(load("main.oa"), "");
}

static void file_without_token_is_rejected(void)
{
	WRITE("main.oa", "platform t \"T\"\ninclude \"part.oa\"\n");
	WRITE("part.oa", "@\n");
	CHECK_STRING(load("main.oa"),
		     "part.oa:1:1: '@' has no meaning here (included from main.oa:2:9)");
}

static void byte_order_mark_is_skipped(void)
{
	WRITE("part.oa", "\xef\xbb\xbf"
			 "constant K \"K.\"\n");
	WRITE("main.oa", "\xef\xbb\xbf"
			 "platform t \"T\"\ninclude \"part.oa\"\n");
	CHECK_STRING(load("main.oa"), "");
	WRITE("main.oa", "\xef\xbb\xbf"
			 "platform t \"T\" x\n");
	CHECK_STRING(load("main.oa"),
		     "main.oa:1:16: expected include, constant, info, group, metric, change, "
		     "describe, bundle, registers, template or set, found 'x'");
	WRITE("main.xml", "\xef\xbb\xbf <metrics>");
	CHECK(strstr(load("main.xml"), "no element found"));
	WRITE("main.xml", "\xff\xfe<\0m\0/\0>\0");
	CHECK_STRING(load("main.xml"), "main.xml:1:2: expected <metrics>, found <m>");
}

static void error_in_inherited_metrics_has_position(void)
{
	struct text text = { 0 };

	add(&text, "platform hsw \"Haswell\"\n");
	for (unsigned int i = 0; i < 16000; i++)
		add(&text, "set S%u \"S\" like RenderBasic { }\n", i);
	CHECK(parse_and_free(&text) == -EINVAL);
	CHECK(strstr(message, ": all sets of a platform have 1000000 metrics at most"));
	/* RenderBasic has about 70 metrics. */
	CHECK(atoi(message + strlen("user:")) > 10000);
	CHECK(strstr(message, ":21: "));
}

static void conflict_with_built_in_platform_has_position(void)
{
	struct text text = { 0 };

	add(&text, "platform lnl \"Lunar Lake\"\n"
		   "metric M \"M\" \"D.\" = 1 uint64 x event\n"
		   "info ReportId \"R\" \"D.\" = REPORT_ID uint64 x event\n"
		   "set S \"S\" { uuid \"" UUID "\" format A13 metrics { M GpuCoreClocks } }\n");
	CHECK(parse_and_free(&text) == -EINVAL);
	CHECK_STRING(message, "user:4:80: reports of format A13 have no clock");
}

int main(void)
{
	char command[64];

	if (!mkdtemp(directory))
		return tap_skip("no directory for files");
	RUN(joined_strings_use_linear_memory);
	RUN(parse_time_is_linear_in_sets);
	RUN(save_time_is_linear_in_sets);
	RUN(parse_time_is_linear_in_counters);
	RUN(parse_time_is_linear_in_constants);
	RUN(chipset_has_at_most_32767_sets);
	RUN(set_has_at_most_32767_counters);
	RUN(platform_has_at_most_32767_constants);
	RUN(platform_has_at_most_32767_sets);
	RUN(included_file_with_invalid_utf_8_is_rejected);
	RUN(file_without_token_is_rejected);
	RUN(byte_order_mark_is_skipped);
	RUN(error_in_inherited_metrics_has_position);
	RUN(conflict_with_built_in_platform_has_position);
	snprintf(command, sizeof(command), "rm -rf %s", directory);
	CHECK(system(command) != -1);
	return tap_end();
}
