// SPDX-License-Identifier: MIT
/*
 * definitions_test.c - Test definitions that are loaded at run time: from files, from XML, and as
 * extensions of built-in platforms.
 */
#include <errno.h>
#include <stdint.h>
#include <stdlib.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "failing.h"
#include "fixture.h"
#include "gpuoa-custom.h"
#include "tap.h"

#define UUID "00000000-0000-4000-8000-000000000001"
#define OWN_FILE "lib/tests/definitions/basic.oa"
#define XML_FILE "lib/tests/definitions/basic.xml"

static char message[600];

/* Parse valid definitions. */
static struct gpuoa_definitions *parse(const char *text)
{
	struct gpuoa_definitions *definitions = NULL;

	strcpy(message, "what was wrong before");
	gpuoa_definitions_parse("user", text, strlen(text), &definitions, message, sizeof(message));
	CHECK_STRING(message, "");
	return definitions;
}

static struct gpuoa_definitions *load(const char *path)
{
	struct gpuoa_definitions *definitions = NULL;

	*message = '\0';
	gpuoa_definitions_load(path, &definitions, message, sizeof(message));
	CHECK_STRING(message, "");
	return definitions;
}

static void check_error(const char *text, const char *expected)
{
	struct gpuoa_definitions *definitions = NULL;

	*message = '\0';
	CHECK(gpuoa_definitions_parse("user", text, strlen(text), &definitions, message,
				      sizeof(message)) == -EINVAL);
	CHECK_STRING(message, expected);
	CHECK(!definitions);
}

/* files */

/* The errno of an earlier call must not matter. */
static void load_ignores_an_old_errno(void)
{
	struct gpuoa_definitions *definitions;

	errno = EINTR;
	definitions = load(OWN_FILE);
	CHECK(definitions);
	gpuoa_definitions_free(definitions);
}

/* How read(2) behaves in a test */
static struct {
	size_t most; /* bytes that a call returns; 0: no limit */
	size_t left; /* bytes that are left of the file, if it has become shorter */
	int error; /* of the next call */
} reading = { .left = SIZE_MAX };

ssize_t read(int fd, void *to, size_t size)
{
	ssize_t got;

	if (reading.error) {
		errno = reading.error;
		reading.error = 0;
		return -1;
	}
	if (reading.most && size > reading.most)
		size = reading.most;
	got = syscall(SYS_read, fd, to, size < reading.left ? size : reading.left);
	if (got > 0 && reading.left != SIZE_MAX)
		reading.left -= (size_t)got;
	return got;
}

static int load_with_error(const char *path)
{
	struct gpuoa_definitions *definitions = NULL;
	int err;

	*message = '\0';
	err = gpuoa_definitions_load(path, &definitions, message, sizeof(message));
	gpuoa_definitions_free(definitions);
	return err;
}

static void load_reads_in_pieces(void)
{
	const int file = failing_file();
	struct gpuoa_definitions *definitions;

	reading.most = 7;
	definitions = load(OWN_FILE);
	reading.most = 0;
	REQUIRE(definitions);
	CHECK_STRING(gpuoa_platform_name(gpuoa_definitions_get_platform(definitions, 0)), "test1");
	gpuoa_definitions_free(definitions);
	reading.error = EINTR;
	CHECK(!load_with_error(OWN_FILE) && !reading.error);
	reading.error = EIO;
	CHECK(load_with_error(OWN_FILE) == -EIO);
	CHECK_STRING(message, OWN_FILE ": Input/output error");
	/* The file becomes shorter while it is read. */
	reading.left = 100;
	CHECK(load_with_error(OWN_FILE) == -EIO);
	reading.left = SIZE_MAX;
	CHECK(load_with_error("lib/tests/definitions") == -ESPIPE);
	CHECK(failing_file() == file);
}

static void load_returns_platforms_of_file(void)
{
	struct gpuoa_definitions *definitions = load(OWN_FILE);
	const struct gpuoa_platform *platform;

	REQUIRE(definitions);
	platform = gpuoa_definitions_get_platform(definitions, 0);
	CHECK(platform == gpuoa_definitions_find(definitions, "test1"));
	CHECK(!gpuoa_definitions_get_platform(definitions, 1));
	CHECK(!gpuoa_definitions_find(definitions, "hsw"));
	CHECK_STRING(gpuoa_platform_title(platform), "TEST1");
	CHECK(gpuoa_platform_set_count(platform) == 2);
	gpuoa_definitions_free(definitions);
	gpuoa_definitions_free(NULL);
}

static void load_of_unreadable_file_returns_error(void)
{
	struct gpuoa_definitions *definitions = NULL;

	CHECK(gpuoa_definitions_load("/no/such/file", &definitions, message, sizeof(message)) ==
	      -ENOENT);
	CHECK_STRING(message, "/no/such/file: No such file or directory");
	CHECK(gpuoa_definitions_load("/", &definitions, message, sizeof(message)) == -ESPIPE);
	CHECK_STRING(message, "/: not a regular file");
	CHECK(gpuoa_definitions_parse("x.oa", "platform x \"X\"\n\ninclude \"/\"", 27, &definitions,
				      message, sizeof(message)) == -EINVAL);
	CHECK_STRING(message, "x.oa:3:9: /: not a regular file");
	CHECK(gpuoa_definitions_load("/no/such/file", &definitions, NULL, 0) == -ENOENT);
	CHECK(!definitions);
}

static void file_above_16_MiB_returns_efbig(void)
{
	const size_t size = (16 << 20) + 1;
	char path[] = "/tmp/gpuoa-definitions-XXXXXX";
	struct gpuoa_definitions *definitions = NULL;
	int fd = mkstemp(path);

	REQUIRE(fd >= 0);
	CHECK(!ftruncate(fd, size));
	CHECK(gpuoa_definitions_load(path, &definitions, message, sizeof(message)) == -EFBIG);
	CHECK(strstr(message, "File too large"));
	CHECK(!ftruncate(fd, size - 1));
	CHECK(gpuoa_definitions_load(path, &definitions, message, sizeof(message)) == -EINVAL);
	close(fd);
	unlink(path);
}

static void text_above_16_MiB_returns_efbig(void)
{
	struct gpuoa_definitions *definitions = NULL;
	const size_t size = 16 << 20;
	char *text = calloc(1, size);

	REQUIRE(text);
	CHECK(gpuoa_definitions_parse("user", text, size + 1, &definitions, message,
				      sizeof(message)) == -EFBIG);
	CHECK_STRING(message, "user: File too large");
	CHECK(gpuoa_definitions_parse("user", text, size, &definitions, message, sizeof(message)) ==
	      -EINVAL);
	CHECK_STRING(message, "user:1:1: byte 0x00 has no meaning here");
	CHECK(!definitions);
	free(text);
}

/* What follows a text in memory does not matter. */
static void text_ends_after_its_size(void)
{
	struct gpuoa_definitions *definitions;

	CHECK(gpuoa_definitions_parse("user", "\xef\xbb\xbf<", 3, &definitions, message,
				      sizeof(message)) == -EINVAL);
	CHECK(strstr(message, "expected 'platform', a name and a title in quotes"));
	CHECK(gpuoa_definitions_parse("user", " <", 1, &definitions, message, sizeof(message)) ==
	      -EINVAL);
	CHECK(strstr(message, "expected 'platform', a name and a title in quotes"));
}

static void text_without_nul_is_parsed(void)
{
	struct gpuoa_definitions *definitions;
	static const char text[] = {
		'p', 'l', 'a', 't', 'f', 'o', 'r', 'm', ' ', 't', '"', 'T', '"'
	};

	REQUIRE(!gpuoa_definitions_parse("user", text, sizeof(text), &definitions, NULL, 0));
	gpuoa_definitions_free(definitions);
}

static void invalid_utf_8_is_rejected(void)
{
	struct gpuoa_definitions *definitions =
		parse("platform t \"\xc2\xb5 \xe2\x82\xac \xf0\x9f\x98\x80\"");

	gpuoa_definitions_free(definitions);
	check_error("platform t\n\"ab\xff\"", "user:2:4: byte 0xff is not UTF-8");
	/* invalid UTF-8: truncated, overlong, a surrogate, above U+10FFFF, and truncated again */
	check_error("platform t \"\xc2\"", "user:1:13: byte 0xc2 is not UTF-8");
	check_error("platform t \"\xc0\xaf\"", "user:1:13: byte 0xc0 is not UTF-8");
	check_error("platform t \"\xed\xa0\x80\"", "user:1:13: byte 0xed is not UTF-8");
	check_error("platform t \"\xf4\x90\x80\x80\"", "user:1:13: byte 0xf4 is not UTF-8");
	check_error("platform t \"\xe2\x82", "user:1:13: byte 0xe2 is not UTF-8");
}

static void messages_have_one_line(void)
{
	check_error("<metrics>\n<set chipset=\"&#10;&#9;\"", "user:2:1: unclosed token");
	check_error("<metrics>\n<set chipset=\"A&#10;\"></set></metrics>",
		    "user:2:15: expected the chipset's name (letters, digits and '_'), found 'A?'");
}

static void include_path_is_relative_to_file(void)
{
	struct gpuoa_definitions *definitions = load("lib/tests/definitions/including.oa");

	REQUIRE(definitions);
	CHECK_STRING(gpuoa_platform_name(gpuoa_definitions_get_platform(definitions, 0)), "test2");
	CHECK(gpuoa_definitions_load("lib/tests/definitions/itself.oa", &definitions, message,
				     sizeof(message)) == -EINVAL);
	CHECK_STRING(message, "lib/tests/definitions/itself.oa:5:9: "
			      "lib/tests/definitions/itself.oa includes itself");
	gpuoa_definitions_free(definitions);
}

/* ---- XML compared with the definition language ---- */

static struct gpuoa_constants *constants_of(const struct gpuoa_platform *platform)
{
	struct gpuoa_constants *constants;

	if (gpuoa_constants_new(platform, &constants))
		return NULL;
	gpuoa_constants_set(constants, "GpuTimestampFrequency", 12500000);
	gpuoa_constants_set(constants, "EuCoresTotalCount", 20);
	gpuoa_constants_set(constants, "SubsliceMask", 3);
	gpuoa_constants_set(constants, "SkuRevisionId", 1);
	return constants;
}

static void check_same_metric(const struct gpuoa_metric *one, const struct gpuoa_metric *other)
{
	struct gpuoa_metric_desc a, b;

	gpuoa_metric_describe(one, &a, sizeof(a));
	gpuoa_metric_describe(other, &b, sizeof(b));
	CHECK_STRING(a.symbol, b.symbol);
	CHECK_STRING(a.name, b.name);
	CHECK_STRING(a.description, b.description);
	CHECK_STRING(a.group, b.group);
	CHECK_STRING(a.units, b.units);
	CHECK_STRING(a.hw_unit, b.hw_unit);
	CHECK_STRING(a.equation, b.equation);
	CHECK_STRING(a.max, b.max);
	CHECK_STRING(a.availability, b.availability);
	CHECK(a.type == b.type && a.semantic == b.semantic);
	CHECK(a.usage == b.usage && a.tier == b.tier && a.apis == b.apis);
	CHECK(a.query_only == b.query_only);
	CHECK(a.has_watermarks == b.has_watermarks);
	CHECK(a.low == b.low && a.high == b.high);
}

static void check_same_registers(const struct gpuoa_set *one,
				 const struct gpuoa_constants *constants,
				 const struct gpuoa_set *other,
				 const struct gpuoa_constants *other_constants)
{
	static struct gpuoa_reg a[4096], b[4096];

	for (int kind = GPUOA_REGISTER_MUX; kind <= GPUOA_REGISTER_FLEX; kind++) {
		int count = gpuoa_set_registers(one, kind, constants, a, 4096);

		REQUIRE(count <= 4096);
		REQUIRE(count == gpuoa_set_registers(other, kind, other_constants, b, 4096));
		CHECK(count < 0 || !memcmp(a, b, count * sizeof(*a)));
	}
}

static void check_same_values(const struct gpuoa_set *one, const struct gpuoa_constants *constants,
			      const struct gpuoa_set *other,
			      const struct gpuoa_constants *other_constants, uint32_t format)
{
	enum { REPORTS = 20 };
	static char reports[REPORTS * 1024];
	const size_t size = gpuoa_format_size(format);
	struct gpuoa_calc *calc = NULL, *other_calc = NULL;
	union gpuoa_value *a, *b;
	uint64_t state = 7;
	size_t used;
	int err;

	for (size_t i = 0; i < REPORTS * size; i++)
		reports[i] = fixture_random(&state) >> 40;
	err = gpuoa_calc_open(one, constants, format, NULL, &calc, NULL, 0);
	CHECK(gpuoa_calc_open(other, other_constants, format, NULL, &other_calc, NULL, 0) == err);
	if (err)
		return;
	REQUIRE(gpuoa_calc_output_count(calc) == gpuoa_calc_output_count(other_calc));
	a = calloc(REPORTS * gpuoa_calc_output_count(calc), sizeof(*a));
	b = calloc(REPORTS * gpuoa_calc_output_count(calc), sizeof(*b));
	CHECK(gpuoa_calc_run(calc, reports, REPORTS, a, NULL, REPORTS, &used) == REPORTS - 1);
	CHECK(gpuoa_calc_run(other_calc, reports, REPORTS, b, NULL, REPORTS, &used) == REPORTS - 1);
	CHECK(!memcmp(a, b, REPORTS * gpuoa_calc_output_count(calc) * sizeof(*a)));
	CHECK(!gpuoa_calc_total(calc, a, NULL, true));
	CHECK(!gpuoa_calc_total(other_calc, b, NULL, true));
	CHECK(!memcmp(a, b, gpuoa_calc_output_count(calc) * sizeof(*a)));
	CHECK(!gpuoa_calc_total_max(calc, a));
	CHECK(!gpuoa_calc_total_max(other_calc, b));
	CHECK(!memcmp(a, b, gpuoa_calc_output_count(calc) * sizeof(*a)));
	free(a);
	free(b);
	gpuoa_calc_close(calc);
	gpuoa_calc_close(other_calc);
}

static void check_same_set(const struct gpuoa_set *one, const struct gpuoa_constants *constants,
			   const struct gpuoa_set *other,
			   const struct gpuoa_constants *other_constants)
{
	struct gpuoa_set_desc a, b;

	gpuoa_set_describe(one, &a, sizeof(a));
	gpuoa_set_describe(other, &b, sizeof(b));
	CHECK_STRING(a.symbol, b.symbol);
	CHECK_STRING(a.name, b.name);
	CHECK_STRING(a.uuid, b.uuid);
	CHECK(a.apis == b.apis && a.format == b.format);
	CHECK(a.info_count == b.info_count);
	REQUIRE(a.metric_count == b.metric_count);
	for (size_t i = 0; i < a.metric_count; i++)
		check_same_metric(gpuoa_set_get_metric(one, i), gpuoa_set_get_metric(other, i));
	check_same_registers(one, constants, other, other_constants);
	check_same_values(one, constants, other, other_constants, a.format);
}

static void check_same_platform(const struct gpuoa_platform *one, struct gpuoa_constants *constants,
				const struct gpuoa_platform *other,
				struct gpuoa_constants *other_constants)
{
	CHECK_STRING(gpuoa_platform_name(one), gpuoa_platform_name(other));
	REQUIRE(gpuoa_platform_set_count(one) == gpuoa_platform_set_count(other));
	for (size_t i = 0; i < gpuoa_platform_set_count(one); i++)
		check_same_set(gpuoa_platform_get_set(one, i), constants,
			       gpuoa_platform_get_set(other, i), other_constants);
	gpuoa_constants_free(constants);
	gpuoa_constants_free(other_constants);
}

static void xml_equals_definition_language(void)
{
	struct gpuoa_definitions *own = load(OWN_FILE), *xml = load(XML_FILE);
	const struct gpuoa_platform *one, *other;

	REQUIRE(own && xml);
	one = gpuoa_definitions_get_platform(own, 0);
	other = gpuoa_definitions_get_platform(xml, 0);
	CHECK_STRING(gpuoa_platform_title(one), gpuoa_platform_title(other));
	check_same_platform(one, constants_of(one), other, constants_of(other));
	gpuoa_definitions_free(own);
	gpuoa_definitions_free(xml);
}

/* XML */

#define SET_HEAD_OF(chipset)                                                   \
	"<metrics><set chipset=\"" chipset "\" symbol_name=\"S\" name=\"S\"\n" \
	" hw_config_guid=\"" UUID "\" oa_format=\"A45_B8_C8\">\n"
#define SET_HEAD SET_HEAD_OF("T")
#define SET_TAIL "</set></metrics>"
#define COUNTER(symbol, type, equation, more)                          \
	"<counter symbol_name=\"" symbol "\" data_type=\"" type "\"\n" \
	" units=\"x\" semantic_type=\"event\" equation=\"" equation "\" " more "/>\n"
#define EQUATION(equation) SET_HEAD COUNTER("M", "float", equation, "") SET_TAIL

/* Compare the compiled equation of metric M with @expected. */
static void check_equation(const char *text, const char *expected)
{
	struct gpuoa_definitions *definitions = parse(text);
	const struct gpuoa_set *set;
	struct gpuoa_metric_desc desc;

	REQUIRE(definitions);
	set = gpuoa_platform_get_set(gpuoa_definitions_get_platform(definitions, 0), 0);
	gpuoa_metric_describe(gpuoa_set_find_metric(set, "M"), &desc, sizeof(desc));
	CHECK_STRING(desc.equation, expected);
	gpuoa_definitions_free(definitions);
}

static void xml_equations_convert_to_infix(void)
{
	check_equation(EQUATION("A 7 READ"), "A7");
	check_equation(EQUATION("A 7 READ B 1 READ UADD C 2 READ UMUL"), "(A7 + B1) * C2");
	check_equation(EQUATION("A 7 READ B 1 READ C 2 READ UADD UADD"), "A7 + (B1 + C2)");
	check_equation(EQUATION("A 1 READ 2 FMUL"), "float(A1) * 2");
	check_equation(EQUATION("A 1 READ 0.5 FMUL"), "A1 * 0.5");
	check_equation(EQUATION("A 1 READ 0.5 UDIV"), "A1 / 0.5");
	check_equation(EQUATION("A 1 READ 2 FDIV 3 UDIV"), "A1 / 2 / 3");
	check_equation(EQUATION("1.0 A 1 READ FMAX"), "max(1.0, A1)");
	check_equation(EQUATION("A 1 READ 2 UMAX 3 FMIN"), "min(float(max(A1, 2)), 3)");
	check_equation(EQUATION("A 1 READ 2 UGT 3 ULTE 4 =="), "((A1 > 2) <= 3) == 4");
	check_equation(EQUATION("A 1 READ 2 || 3 &amp;&amp; false ULT"), "((A1 or 2) and 3) < 0");
	check_equation(EQUATION("A 1 READ 18446744073709551615 AND"), "A1 & 18446744073709551615");
}

#define CONDITION(condition) \
	SET_HEAD COUNTER("M", "float", "1", "availability=\"" condition "\"") SET_TAIL

static void xml_or_is_accepted_in_conditions_only(void)
{
	struct gpuoa_definitions *definitions =
		parse(CONDITION("$SliceMask 1 AND $GtSlice1 OR $SkuRevisionId OR"));
	struct gpuoa_metric_desc desc;

	REQUIRE(definitions);
	gpuoa_metric_describe(
		gpuoa_set_get_metric(
			gpuoa_platform_get_set(gpuoa_definitions_get_platform(definitions, 0), 0),
			0),
		&desc, sizeof(desc));
	CHECK_STRING(desc.availability, "SliceMask & 1 or GtSlice1 or SkuRevisionId");
	gpuoa_definitions_free(definitions);
	check_error(CONDITION("$SliceMask 1 OR 2 AND"), "user:4:61: AND of a result of OR");
	check_error(EQUATION("A 1 READ 2 OR"), "user:4:44: OR is understood in conditions only");
}

static void xml_errors_have_position_of_attribute(void)
{
	check_error(EQUATION("A 7"), "user:4:44: expected READ behind A 7");
	check_error(EQUATION("A 64 READ"), "user:4:44: there is no A 64");
	check_error(EQUATION("GPU_TIME 1 READ"), "user:4:44: there is no GPU_TIME 1");
	check_error(EQUATION("A READ"), "user:4:44: expected the number of a counter behind A");
	check_error(EQUATION("A 1 READ UADD"), "user:4:44: UADD lacks an operand");
	check_error(EQUATION("1 2"), "user:4:44: expected an operator at the end: 2 values are "
				     "left");
	check_error(EQUATION("  "), "user:4:44: expected an equation, found nothing");
	check_error(EQUATION("1 1 FADD 3 AND"), "user:4:44: AND of a fractional number");
	check_error(EQUATION("1 2 XOR"), "user:4:44: expected a number, $NAME, a counter or an "
					 "operator, found 'XOR'");
	check_error(EQUATION("$Nonsense"),
		    "user:4:44: '$Nonsense' is neither a counter of this set "
		    "nor a constant of a GPU");
	check_error(EQUATION("$"), "user:4:44: '$' is neither a counter of this set nor a "
				   "constant of a GPU");
}

static void xml_equations_may_refer_to_later_counters(void)
{
	struct gpuoa_definitions *definitions = parse(
		SET_HEAD COUNTER("M", "uint64", "$N", "") COUNTER("N", "uint64", "1", "") SET_TAIL);

	gpuoa_definitions_free(definitions);
	check_error(EQUATION("$M"), "user:4:44: M is used in its own equation");
}

static void xml_long_equation_is_rejected(void)
{
	static char text[65536];
	char *end = text;

	end += sprintf(end, SET_HEAD "<counter symbol_name=\"M\" data_type="
				     "\"uint64\" semantic_type=\"event\" "
				     "equation=\"");
	for (int i = 0; i < 17; i++)
		end += sprintf(end, "1 ");
	strcpy(end, "\"/>" SET_TAIL);
	check_error(text, "user:3:77: this equation needs more than 16 "
			  "intermediate values");
	*end++ = ' ';
	end = strstr(text, "1 1");
	end += sprintf(end, "1 ");
	for (int i = 0; i < 256; i++)
		end += sprintf(end, "1 UADD ");
	strcpy(end, "\"/>" SET_TAIL);
	check_error(text, "user:3:77: this equation has more than 512 "
			  "operands and operators");
}

/* Space and a UTF-8 byte order mark may precede the first element. */
static void xml_begins_with_any_space(void)
{
	check_equation(" " EQUATION("A 7 READ"), "A7");
	check_equation("\t" EQUATION("A 7 READ"), "A7");
	check_equation("\r" EQUATION("A 7 READ"), "A7");
	check_equation("\n" EQUATION("A 7 READ"), "A7");
	check_equation("\xef\xbb\xbf" EQUATION("A 7 READ"), "A7");
	check_equation("\r\n \t" EQUATION("A 7 READ"), "A7");
	check_error("\v" EQUATION("A 7 READ"), "user:1:1: byte 0x0b has no meaning here");
	check_error(" ", "user:1:2: expected 'platform', a name and a title in quotes, found the "
			 "end of the file");
}

static void xml_platform_is_the_chipset_in_lower_case(void)
{
	struct gpuoa_definitions *definitions =
		parse(SET_HEAD_OF("AMYZ_amyz09") COUNTER("M", "float", "A 0 READ", "") SET_TAIL);
	const struct gpuoa_platform *platform;

	REQUIRE(definitions);
	platform = gpuoa_definitions_get_platform(definitions, 0);
	CHECK_STRING(gpuoa_platform_name(platform), "amyz_amyz09");
	CHECK_STRING(gpuoa_platform_title(platform), "AMYZ_amyz09");
	gpuoa_definitions_free(definitions);
}

#define SET_OF_CHIPSET(chipset)                                                       \
	"<set chipset=\"" chipset "\" symbol_name=\"S\" hw_config_guid=\"" UUID "\" " \
	"oa_format=\"A45_B8_C8\">" COUNTER("M", "float", "1", "") "</set>"

static void xml_chipsets_are_limited(void)
{
	char text[32768] = "<metrics>";
	struct gpuoa_definitions *definitions;
	size_t size = strlen(text);

	for (int i = 0; i < 64; i++) {
		char set[] = SET_OF_CHIPSET("T00");
		char *name = strstr(set, "T00");

		name[1] += (char)(i / 10);
		name[2] += (char)(i % 10);
		strcpy(text + size, set);
		size += strlen(set);
	}
	strcpy(text + size, "</metrics>");
	definitions = parse(text);
	REQUIRE(definitions);
	CHECK(gpuoa_definitions_get_platform(definitions, 63));
	CHECK(!gpuoa_definitions_get_platform(definitions, 64));
	gpuoa_definitions_free(definitions);
	strcpy(text + size, SET_OF_CHIPSET("X") "</metrics>");
	*message = '\0';
	CHECK(gpuoa_definitions_parse("user", text, strlen(text), &definitions, message,
				      sizeof(message)) == -EINVAL);
	CHECK(strstr(message, ": a file has 64 chipsets at most"));
}

/* Each unit has its own report formats. */
static void xml_unit_is_that_of_the_format(void)
{
	static const char *const units[][2] = {
		{ "A45_B8_C8", "OA" },
		{ "MPEC8u32_B8_C8", "OAM0" },
		{ "MPEC8u64_B8_C8", "OAM0" },
		{ "MERT_PEC8", "OAMERT" },
	};

	for (size_t i = 0; i < sizeof(units) / sizeof(units[0]); i++) {
		struct gpuoa_definitions *definitions;
		struct gpuoa_set_desc desc;
		char text[1024];

		snprintf(text, sizeof(text),
			 "<metrics><set chipset=\"T\" symbol_name=\"S\" hw_config_guid="
			 "\"ABCDEF00-0000-4000-8000-0000000000EF\" oa_format=\"%s\">" COUNTER(
				 "M", "float", "1", "") "</set></metrics>",
			 units[i][0]);
		definitions = parse(text);
		REQUIRE(definitions);
		gpuoa_set_describe(
			gpuoa_platform_get_set(gpuoa_definitions_get_platform(definitions, 0), 0),
			&desc, sizeof(desc));
		CHECK_STRING(desc.domain, units[i][1]);
		CHECK_STRING(desc.format_name, units[i][0]);
		CHECK_STRING(desc.uuid, "abcdef00-0000-4000-8000-0000000000ef");
		gpuoa_definitions_free(definitions);
	}
}

/* More registers than any first allocation has room for */
static void xml_registers_keep_their_order(void)
{
	struct gpuoa_definitions *definitions;
	struct gpuoa_reg registers[101];
	char text[8192] = SET_HEAD "<register_config type=\"NOA\">";
	size_t size = strlen(text);

	for (int i = 0; i < 100; i++)
		size += (size_t)snprintf(text + size, sizeof(text) - size,
					 "<register address=\"0x%x\" value=\"0x%x\"/>",
					 0x9000 + 4 * i, 0xfffffff0u + (unsigned int)i % 16);
	strcpy(text + size, "</register_config>" COUNTER("M", "float", "1", "") SET_TAIL);
	definitions = parse(text);
	REQUIRE(definitions);
	CHECK(gpuoa_set_registers(
		      gpuoa_platform_get_set(gpuoa_definitions_get_platform(definitions, 0), 0),
		      GPUOA_REGISTER_MUX, NULL, registers, 101) == 100);
	for (uint32_t i = 0; i < 100; i++)
		CHECK(registers[i].address == 0x9000 + 4 * i &&
		      registers[i].value == 0xfffffff0u + i % 16);
	gpuoa_definitions_free(definitions);
}

static void xml_attributes_are_checked(void)
{
	check_error("<metrics><set/></metrics>",
		    "user:1:10: expected the chipset's name: chipset=\"...\"");
	check_error("<metrics><set chipset=\"\"/></metrics>",
		    "user:1:10: expected the chipset's name: chipset=\"...\"");
	check_error("<metrics><set chipset=\"T\"/></metrics>",
		    "user:1:10: expected the set's symbol: "
		    "symbol_name=\"...\"");
	check_error("<metrics><set chipset=\"T\" symbol_name=\"s\"/></metrics>",
		    "user:1:40: expected the set's symbol (a capital letter, "
		    "then letters, digits and '_'; no hardware counter), "
		    "found 's'");
	check_error("<metrics><set chipset=\"T\" symbol_name=\"S\""
		    " hw_config_guid=\"1\"/></metrics>",
		    "user:1:59: a UUID has 8-4-4-4-12 hexadecimal digits, "
		    "found '1'");
	check_error("<metrics><set chipset=\"T\" symbol_name=\"S\""
		    " hw_config_guid=\"" UUID "\"/></metrics>",
		    "user:1:10: expected the name of a report format, "
		    "oa_format=\"...\": none is known for chipset 't'");
	check_error("<metrics><set chipset=\"T\" symbol_name=\"S\""
		    " hw_config_guid=\"" UUID "\" oa_format=\"Z\"/></metrics>",
		    "user:1:108: expected the name of a report format, found "
		    "'Z'");
	check_error(SET_HEAD SET_TAIL, "user:1:10: set S lacks counters");
	check_error(SET_HEAD COUNTER("M", "float", "1", "low_watermark=\"1\" high_watermark=\"x\"")
			    SET_TAIL,
		    "user:4:81: expected a number, found 'x'");
	check_error(SET_HEAD "<counter symbol_name=\"M\" data_type=\"float\" units=\"x\" "
			     "semantic_type=\"what\" equation=\"1\"/>" SET_TAIL,
		    "user:3:69: expected a semantic (duration, event, throughput, ratio, "
		    "timestamp, flag, raw), found 'what'");
	check_error(SET_HEAD COUNTER("A7", "uint64", "1", "") SET_TAIL,
		    "user:3:23: expected the counter's symbol (a capital "
		    "letter, then letters, digits and '_'; no hardware "
		    "counter), found 'A7'");
	check_error(SET_HEAD COUNTER("M", "int", "1", "") SET_TAIL,
		    "user:3:37: expected a type (uint64, float), found 'int'");
	check_error(SET_HEAD COUNTER("M", "float", "1", "low_watermark=\"1\"") SET_TAIL,
		    "user:3:1: expected both watermarks: "
		    "high_watermark=\"...\"");
	check_error(SET_HEAD COUNTER("M", "float", "1", "") COUNTER("M", "float", "1", "") SET_TAIL,
		    "user:5:1: the set has M already, from line 3");
	check_error(SET_HEAD "<register_config type=\"X\"/>" SET_TAIL,
		    "user:3:24: expected a type of registers (NOA, OA, FLEX), "
		    "found 'X'");
	check_error(SET_HEAD "<register_config type=\"OA\">"
			     "<register address=\"0x100000000\"/>"
			     "</register_config>" SET_TAIL,
		    "user:3:47: expected the register's address, 32 bits, "
		    "found '0x100000000'");
	check_error(SET_HEAD "<register_config type=\"OA\">"
			     "<register address=\"1\"/>"
			     "</register_config>" SET_TAIL,
		    "user:3:28: expected the register's value: value=\"...\"");
}

static void xml_misplaced_element_is_rejected(void)
{
	check_error("<metrics/>", "user:1:11: expected <set>, found the end of <metrics>");
	check_error("<other/>", "user:1:1: expected <metrics>, found <other>");
	check_error("<metrics><counter/></metrics>", "user:1:10: expected <set>, found <counter>");
	check_error("<metrics>\n x</metrics>", "user:2:1: expected <set>, found text");
	check_error(SET_HEAD "<set/>" SET_TAIL,
		    "user:3:1: expected <counter> or <register_config>, found "
		    "<set>");
	check_error("<metrics>", "user:1:10: no element found");
	check_error("<metrics></set>", "user:1:12: mismatched tag");
	check_error("<metrics a='1' a='2'/>", "user:1:16: duplicate attribute");
}

static void xml_element_has_at_most_32_attributes(void)
{
	static char text[1024];
	char *end = text + sprintf(text, "<metrics");

	for (int i = 0; i < 33; i++)
		end += sprintf(end, " a%d=''", i);
	strcpy(end, "/>");
	check_error(text, "user:1:1: <metrics> has more than 32 attributes");
}

static void xml_entities_are_rejected(void)
{
	check_error("<!DOCTYPE metrics [<!ENTITY a \"ha\">\n"
		    "<!ENTITY b \"&a;&a;&a;&a;&a;&a;&a;&a;&a;&a;\">\n"
		    "<!ENTITY c \"&b;&b;&b;&b;&b;&b;&b;&b;&b;&b;\">]>\n"
		    "<metrics version=\"&c;\"/>",
		    "user:1:19: expected <metrics>, found a declaration of the "
		    "document type 'metrics'");
	check_error("<!DOCTYPE metrics SYSTEM \"file:///etc/passwd\">"
		    "<metrics/>",
		    "user:1:46: expected <metrics>, found a declaration of the "
		    "document type 'metrics'");
	check_error("<metrics a=\"&b;\"/>", "user:1:1: undefined entity");
}

static void xml_in_latin1_is_parsed(void)
{
	static const char latin1[] =
		"<?xml version=\"1.0\" encoding=\"ISO-8859-1\"?>" SET_HEAD COUNTER(
			"M", "float", "1", "name=\"\xb5s\"") SET_TAIL;
	struct gpuoa_definitions *definitions = parse(latin1);
	struct gpuoa_metric_desc desc;

	REQUIRE(definitions);
	gpuoa_metric_describe(
		gpuoa_set_get_metric(
			gpuoa_platform_get_set(gpuoa_definitions_get_platform(definitions, 0), 0),
			0),
		&desc, sizeof(desc));
	CHECK_STRING(desc.name, "\xc2\xb5s");
	gpuoa_definitions_free(definitions);
}

static void xml_may_have_several_chipsets(void)
{
	struct gpuoa_definitions *definitions =
		parse("<metrics>"
		      "<set chipset=\"SKLGT1\" symbol_name=\"S\" hw_config_guid="
		      "\"" UUID
		      "\">" COUNTER("M", "float", "A 35 READ",
				    "") "</set>"
					"<set chipset=\"LNL9\" symbol_name=\"S\" hw_config_guid="
					"\"" UUID "\" oa_format=\"576B_PEC64LL\">" COUNTER(
						"M", "float", "PEC 63 READ GPU_CLOCK 0 READ FDIV",
						"") "</set></metrics>");
	struct gpuoa_set_desc desc;

	REQUIRE(definitions);
	CHECK(!gpuoa_definitions_get_platform(definitions, 2));
	REQUIRE(gpuoa_definitions_find(definitions, "sklgt1"));
	REQUIRE(gpuoa_definitions_find(definitions, "lnl9"));
	gpuoa_set_describe(gpuoa_platform_get_set(gpuoa_definitions_get_platform(definitions, 0),
						  0),
			   &desc, sizeof(desc));
	CHECK(desc.format == GPUOA_REPORT_A32U40_A4U32_B8_C8);
	gpuoa_set_describe(gpuoa_platform_get_set(gpuoa_definitions_get_platform(definitions, 1),
						  0),
			   &desc, sizeof(desc));
	CHECK(desc.format == GPUOA_REPORT_PEC64U64);
	gpuoa_definitions_free(definitions);
}

/* extensions of built-in platforms */

static struct gpuoa_constants *haswell_constants(const struct gpuoa_platform *platform)
{
	struct gpuoa_constants *builtin = haswell_gt2(), *constants = NULL;

	if (!gpuoa_constants_new(platform, &constants))
		gpuoa_constants_transfer(constants, builtin);
	gpuoa_constants_free(builtin);
	return constants;
}

static void empty_extension_equals_platform(void)
{
	for (size_t i = 0; i < gpuoa_platform_count(); i++) {
		const struct gpuoa_platform *builtin = gpuoa_platform_get(i);
		struct gpuoa_constants *constants, *others;
		struct gpuoa_definitions *definitions;
		const struct gpuoa_platform *platform;
		char text[128];

		snprintf(text, sizeof(text), "platform %s \"X\"", gpuoa_platform_name(builtin));
		definitions = parse(text);
		REQUIRE(definitions);
		platform = gpuoa_definitions_get_platform(definitions, 0);
		REQUIRE(!gpuoa_constants_new(builtin, &constants));
		for (size_t k = 0; k < gpuoa_constants_count(constants); k++)
			gpuoa_constants_set(constants, gpuoa_constants_name(constants, k),
					    k * 8 + 3);
		REQUIRE(!gpuoa_constants_new(platform, &others));
		gpuoa_constants_transfer(others, constants);
		CHECK(gpuoa_constants_count(constants) == gpuoa_constants_count(others));
		check_same_platform(builtin, constants, platform, others);
		gpuoa_definitions_free(definitions);
	}
}

static const char continuation[] =
	"platform hsw \"Haswell, and mine\"\n"
	"constant Mine \"A constant.\"\n"
	"metric PerThread \"Per thread\" \"Text.\" = A2 / VsThreads + Mine float x event\n"
	"set MySet \"My set\" like RenderBasic { metrics { PerThread } }\n"
	"set ComputeBasic \"Mine instead\" { uuid \"" UUID "\" format A45_B8_C8\n"
	"	mux { 9888=1 } metrics { GpuTime } }\n";

static void extension_may_list_built_in_metrics(void)
{
	struct gpuoa_definitions *definitions = parse(continuation);
	const struct gpuoa_platform *platform, *builtin = gpuoa_platform_find("hsw");
	const struct gpuoa_set *set, *like;
	struct gpuoa_constants *constants, *builtin_constants = haswell_gt2();
	struct gpuoa_set_desc desc, other;

	REQUIRE(definitions);
	platform = gpuoa_definitions_find(definitions, "hsw");
	CHECK_STRING(gpuoa_platform_title(platform), "Haswell, and mine");
	CHECK(gpuoa_platform_set_count(platform) == gpuoa_platform_set_count(builtin) + 1);
	set = gpuoa_platform_find_set(platform, "MySet", NULL, NULL);
	like = gpuoa_platform_find_set(builtin, "RenderBasic", NULL, NULL);
	REQUIRE(set);
	gpuoa_set_describe(set, &desc, sizeof(desc));
	gpuoa_set_describe(like, &other, sizeof(other));
	CHECK_STRING(desc.uuid, other.uuid);
	CHECK(desc.format == other.format && desc.apis == other.apis);
	CHECK(desc.info_count == other.info_count);
	REQUIRE(desc.metric_count == other.metric_count + 1);
	CHECK(gpuoa_set_get_metric(set, other.metric_count) ==
	      gpuoa_set_find_metric(set, "PerThread"));
	check_same_metric(gpuoa_set_find_metric(set, "GpuCoreClocks"),
			  gpuoa_set_find_metric(like, "GpuCoreClocks"));

	constants = haswell_constants(platform);
	CHECK_STRING(gpuoa_calc_missing_constant(set, constants, NULL, 0), "Mine");
	CHECK(!gpuoa_constants_set(constants, "Mine", 1));
	CHECK(!gpuoa_calc_missing_constant(set, constants, NULL, 0));
	check_same_registers(set, constants, like, builtin_constants);
	gpuoa_constants_free(builtin_constants);
	gpuoa_constants_free(constants);
	gpuoa_definitions_free(definitions);
}

static void register_list_shares_address_of_several_values(void)
{
	static const struct gpuoa_reg expected[] = {
		{ 0x9888, 1 }, { 0x9888, 2 }, { 0x9888, 3 }, { 0x9884, 4 }
	};
	struct gpuoa_definitions *definitions =
		parse("platform hsw \"Haswell\"\n"
		      "set S \"S\" { uuid \"" UUID "\" format A45_B8_C8\n"
		      "	mux { 9888=1,00000002, 3  9884=4 } metrics { GpuTime } }\n");
	struct gpuoa_reg regs[8];
	const struct gpuoa_set *set;

	REQUIRE(definitions);
	set = gpuoa_platform_find_set(gpuoa_definitions_find(definitions, "hsw"), "S", NULL, NULL);
	REQUIRE(set);
	REQUIRE(gpuoa_set_registers(set, GPUOA_REGISTER_MUX, NULL, regs, 8) == 4);
	CHECK(!memcmp(regs, expected, sizeof(expected)));
	gpuoa_definitions_free(definitions);
}

static void unit_constants_apply_to_loaded_platform(void)
{
	struct gpuoa_definitions *definitions = parse(continuation);
	const struct gpuoa_unit_desc desc = {
		.platform = "hsw",
		.timestamp_frequency = 12500000,
		.subslice_mask = 3,
		.subslice_stride = 3,
		.eu_count = 20,
	};
	struct gpuoa_constants *constants;
	uint64_t value = 0;

	REQUIRE(definitions);
	REQUIRE(!gpuoa_constants_of_unit(&desc, sizeof(desc),
					 gpuoa_definitions_find(definitions, "hsw"), &constants));
	CHECK(!gpuoa_constants_get(constants, "GpuTimestampFrequency", &value));
	CHECK(value == 12500000);
	CHECK(!gpuoa_constants_get(constants, "EuCoresTotalCount", &value));
	CHECK(value == 20);
	CHECK(gpuoa_constants_get(constants, "Mine", &value) == -ENODATA);
	gpuoa_constants_free(constants);
	gpuoa_definitions_free(definitions);
}

static void copy_constants_transfers_and_derives(void)
{
	const struct gpuoa_platform *platform = gpuoa_platform_find("tglgt2");
	struct gpuoa_definitions *definitions = parse("platform tglgt2 \"T\" constant Mine \"x\"");
	struct gpuoa_constants *from, *to;
	uint64_t value = 0;

	REQUIRE(definitions && platform);
	REQUIRE(!gpuoa_constants_new(platform, &from));
	REQUIRE(!gpuoa_constants_new(gpuoa_definitions_get_platform(definitions, 0), &to));
	CHECK(!gpuoa_constants_set(to, "Mine", 5));
	CHECK(!gpuoa_constants_set(from, "SubsliceMask", 0x3f));
	gpuoa_constants_transfer(to, from);
	CHECK(!gpuoa_constants_get(to, "DualSubsliceMask", &value));
	CHECK(value == 0x3f);
	CHECK(!gpuoa_constants_get(to, "Mine", &value));
	CHECK(value == 5);
	CHECK(gpuoa_constants_get(to, "GpuTimestampFrequency", &value) == -ENODATA);
	CHECK(!gpuoa_constants_assume(from));
	gpuoa_constants_transfer(to, from);
	CHECK(!gpuoa_constants_get(to, "GpuTimestampFrequency", &value));
	CHECK(!gpuoa_constants_set(to, "QueryMode", GPUOA_QUERY_RENDER));
	gpuoa_constants_transfer(to, from);
	CHECK(!gpuoa_constants_get(to, "QueryMode", &value) && value == GPUOA_QUERY_RENDER);
	CHECK(!gpuoa_constants_set(from, "QueryMode", GPUOA_QUERY_NONE));
	gpuoa_constants_transfer(to, from);
	CHECK(!gpuoa_constants_get(to, "QueryMode", &value) && value == GPUOA_QUERY_NONE);
	CHECK(!gpuoa_constants_set(from, "QueryMode", GPUOA_QUERY_GLOBAL));
	gpuoa_constants_transfer(to, from);
	CHECK(!gpuoa_constants_get(to, "QueryMode", &value) && value == GPUOA_QUERY_GLOBAL);
	gpuoa_constants_free(from);
	gpuoa_constants_free(to);
	gpuoa_definitions_free(definitions);
}

static void shared_uuid_finds_built_in_set(void)
{
	struct gpuoa_definitions *definitions = parse(continuation);
	const struct gpuoa_platform *platform;
	struct gpuoa_set_desc desc;

	REQUIRE(definitions);
	platform = gpuoa_definitions_get_platform(definitions, 0);
	gpuoa_set_describe(gpuoa_platform_find_set(platform, "MySet", NULL, NULL), &desc,
			   sizeof(desc));
	gpuoa_set_describe(gpuoa_platform_find_uuid(platform, desc.uuid), &desc, sizeof(desc));
	CHECK_STRING(desc.symbol, "RenderBasic");
	gpuoa_definitions_free(definitions);
}

static void set_with_same_symbol_replaces_built_in(void)
{
	struct gpuoa_definitions *definitions = parse(continuation);
	struct gpuoa_set_desc desc;

	REQUIRE(definitions);
	gpuoa_set_describe(gpuoa_platform_find_set(gpuoa_definitions_get_platform(definitions, 0),
						   "ComputeBasic", NULL, NULL),
			   &desc, sizeof(desc));
	CHECK_STRING(desc.name, "Mine instead");
	CHECK(desc.metric_count == 1);
	gpuoa_definitions_free(definitions);
}

static void set_with_same_uuid_replaces_built_in(void)
{
	struct gpuoa_definitions *definitions;
	struct gpuoa_set_desc desc;
	char text[256];

	gpuoa_set_describe(gpuoa_platform_get_set(gpuoa_platform_find("hsw"), 1), &desc,
			   sizeof(desc));
	snprintf(text, sizeof(text),
		 "platform hsw \"H\" set Mine { uuid \"%s\" "
		 "format A45_B8_C8 metrics { GpuTime } }",
		 desc.uuid);
	definitions = parse(text);
	REQUIRE(definitions);
	CHECK(!gpuoa_platform_find_set(gpuoa_definitions_get_platform(definitions, 0), desc.symbol,
				       NULL, NULL));
	gpuoa_set_describe(gpuoa_platform_find_uuid(gpuoa_definitions_get_platform(definitions, 0),
						    desc.uuid),
			   &desc, sizeof(desc));
	CHECK_STRING(desc.symbol, "Mine");
	gpuoa_definitions_free(definitions);
}

/* A set has the properties of its template that it does not define. */
static void set_has_the_properties_of_its_template(void)
{
	struct gpuoa_definitions *definitions;
	const struct gpuoa_platform *platform;
	struct gpuoa_set_desc base, first, second;
	const char *like = NULL;
	char text[256];

	/* A set that has a remark */
	platform = gpuoa_platform_find("acmgt1");
	for (size_t i = 0; !like && i < gpuoa_platform_set_count(platform); i++) {
		gpuoa_set_describe(gpuoa_platform_get_set(platform, i), &base, sizeof(base));
		like = *base.remark ? base.symbol : NULL;
	}
	REQUIRE(like);
	snprintf(text, sizeof(text),
		 "platform acmgt1 \"A\"\nset First like %s { }\n"
		 "set Second \"Name\" like %s { remark \"Mine.\" }\n",
		 like, like);
	definitions = parse(text);
	REQUIRE(definitions);
	platform = gpuoa_definitions_get_platform(definitions, 0);
	gpuoa_set_describe(gpuoa_platform_find_set(platform, "First", NULL, NULL), &first,
			   sizeof(first));
	gpuoa_set_describe(gpuoa_platform_find_set(platform, "Second", NULL, NULL), &second,
			   sizeof(second));
	CHECK_STRING(first.remark, base.remark);
	CHECK_STRING(first.name, "First");
	CHECK_STRING(first.uuid, base.uuid);
	CHECK_STRING(first.domain, base.domain);
	CHECK_STRING(first.availability, base.availability);
	CHECK(first.format == base.format && first.apis == base.apis);
	CHECK_STRING(second.remark, "Mine.");
	CHECK_STRING(second.name, "Name");
	gpuoa_definitions_free(definitions);
}

#define HSW "platform hsw \"H\"\n"

static struct gpuoa_metric_desc describe_metric_of(const struct gpuoa_definitions *definitions,
						   const char *set, const char *symbol)
{
	const struct gpuoa_platform *platform = gpuoa_definitions_get_platform(definitions, 0);
	const struct gpuoa_set *found = gpuoa_platform_find_set(platform, set, NULL, NULL);
	const struct gpuoa_metric *metric = found ? gpuoa_set_find_metric(found, symbol) : NULL;
	struct gpuoa_metric_desc desc = { .symbol = "" };

	if (CHECK(metric))
		gpuoa_metric_describe(metric, &desc, sizeof(desc));
	return desc;
}

static struct gpuoa_set_desc describe_set_of(const struct gpuoa_definitions *definitions,
					     const char *symbol)
{
	const struct gpuoa_platform *platform = gpuoa_definitions_get_platform(definitions, 0);
	const struct gpuoa_set *set = gpuoa_platform_find_set(platform, symbol, NULL, NULL);
	struct gpuoa_set_desc desc = { .symbol = "" };

	if (CHECK(set))
		gpuoa_set_describe(set, &desc, sizeof(desc));
	return desc;
}

/* Lists, bundles and templates may change metrics of the built-in platform, or define others. */
static void built_in_metrics_are_completed_where_they_are_used(void)
{
	struct gpuoa_definitions *definitions = parse(
		HSW "bundle B { GpuTime name \"In a bundle\" } bundle C { VsThreads }\n"
		    "template T { format A45_B8_C8 metrics { bundle B PsThreads of slice } }\n"
		    "template U like T { metrics { HsThreads } }\n"
		    "set S like U { uuid \"" UUID "\" metrics { bundle C on IO\n"
		    "	metric DsThreads \"Mine\" = A0 uint64 x event } }\n");
	struct gpuoa_metric_desc desc;

	REQUIRE(definitions);
	desc = describe_metric_of(definitions, "S", "GpuTime");
	CHECK_STRING(desc.name, "In a bundle");
	CHECK_STRING(desc.units, "ns");
	CHECK(*desc.description && *desc.equation && desc.semantic == GPUOA_SEMANTIC_DURATION);
	desc = describe_metric_of(definitions, "S", "PsThreads");
	CHECK_STRING(desc.hw_unit, "slice");
	CHECK(*desc.description && *desc.name);
	CHECK(*describe_metric_of(definitions, "S", "HsThreads").description);
	desc = describe_metric_of(definitions, "S", "VsThreads");
	CHECK(*desc.description && desc.apis == GPUOA_API_IO);
	/* A metric that the list defines has nothing of the built-in one. */
	desc = describe_metric_of(definitions, "S", "DsThreads");
	CHECK_STRING(desc.name, "Mine");
	CHECK_STRING(desc.description, "");
	CHECK_STRING(desc.equation, "A0");
	CHECK_STRING(desc.group, "");
	gpuoa_definitions_free(definitions);
}

static void own_constants_and_items_replace_built_in_ones(void)
{
	const struct gpuoa_platform *builtin = gpuoa_platform_find("hsw"), *platform;
	const struct gpuoa_set *base = gpuoa_platform_get_set(builtin, 0), *set;
	struct gpuoa_definitions *definitions =
		parse(HSW "info ReportId \"Mine\" = TIMESTAMP uint64 x raw\n"
			  "info Last \"L\" = REPORT_ID uint64 x raw\n"
			  "constant EuCoresTotalCount \"Mine.\" constant Own \"Own.\"\n");
	struct gpuoa_constants *constants, *builtin_constants;
	struct gpuoa_constant_desc constant = { .name = "" };
	struct gpuoa_set_desc desc, base_desc;
	struct gpuoa_info_desc info;
	size_t mine = 0;

	REQUIRE(definitions);
	platform = gpuoa_definitions_get_platform(definitions, 0);
	set = gpuoa_platform_get_set(platform, 0);
	gpuoa_set_describe(set, &desc, sizeof(desc));
	gpuoa_set_describe(base, &base_desc, sizeof(base_desc));
	CHECK(desc.info_count == base_desc.info_count + 1);
	gpuoa_info_describe(gpuoa_set_find_info(set, "ReportId"), &info, sizeof(info));
	CHECK_STRING(info.name, "Mine");
	CHECK(gpuoa_set_find_info(set, "Last"));
	for (size_t i = 0; i < base_desc.info_count; i++) {
		struct gpuoa_info_desc other;

		gpuoa_info_describe(gpuoa_set_get_info(base, i), &other, sizeof(other));
		if (!strcmp(other.symbol, "ReportId"))
			continue;
		gpuoa_info_describe(gpuoa_set_find_info(set, other.symbol), &info, sizeof(info));
		CHECK_STRING(info.name, other.name);
		CHECK_STRING(info.description, other.description);
		CHECK_STRING(info.units, other.units);
		CHECK(info.semantic == other.semantic);
	}
	REQUIRE(!gpuoa_constants_new(platform, &constants) &&
		!gpuoa_constants_new(builtin, &builtin_constants));
	CHECK(gpuoa_constants_count(constants) == gpuoa_constants_count(builtin_constants) + 1);
	for (size_t i = 0; !gpuoa_constants_describe(constants, i, &constant, sizeof(constant));
	     i++) {
		mine += !strcmp(constant.description, "Mine.");
		CHECK(strcmp(constant.description, "Mine.") ||
		      !strcmp(constant.name, "EuCoresTotalCount"));
		CHECK(*constant.description);
	}
	CHECK(mine == 1);
	gpuoa_constants_free(constants);
	gpuoa_constants_free(builtin_constants);
	gpuoa_definitions_free(definitions);
}

/* A set of another unit or with a shared UUID does not replace a built-in one. */
static void similar_sets_do_not_replace_built_in_ones(void)
{
	const struct gpuoa_platform *builtin = gpuoa_platform_find("hsw"), *platform;
	const size_t count = gpuoa_platform_set_count(builtin);
	struct gpuoa_definitions *definitions;
	struct gpuoa_set_desc desc;
	char text[512];

	gpuoa_set_describe(gpuoa_platform_find_set(builtin, "RenderBasic", NULL, NULL), &desc,
			   sizeof(desc));
	snprintf(text, sizeof(text),
		 HSW "set RenderBasic { unit OAM0 uuid \"" UUID
		     "\" format A13 metrics { GpuTime } }\n"
		     "set Shared { uuid \"%s\" shared format A13 metrics { GpuTime } }\n",
		 desc.uuid);
	definitions = parse(text);
	REQUIRE(definitions);
	platform = gpuoa_definitions_get_platform(definitions, 0);
	CHECK(gpuoa_platform_set_count(platform) == count + 2);
	CHECK(describe_set_of(definitions, "RenderBasic").metric_count == desc.metric_count);
	CHECK(describe_set_of(definitions, "OAM0/RenderBasic").metric_count == 1);
	gpuoa_definitions_free(definitions);
}

/* Find a built-in set of unit OAM0 that has no namesake of unit OA. */
static const struct gpuoa_platform *find_media_set(struct gpuoa_set_desc *desc)
{
	const struct gpuoa_platform *platform;
	char name[64];

	for (size_t i = 0; (platform = gpuoa_platform_get(i)); i++)
		for (size_t k = 0; k < gpuoa_platform_set_count(platform); k++) {
			gpuoa_set_describe(gpuoa_platform_get_set(platform, k), desc,
					   sizeof(*desc));
			snprintf(name, sizeof(name), "OA/%s", desc->symbol);
			if (!strcmp(desc->domain, "OAM0") &&
			    !gpuoa_platform_find_set(platform, name, NULL, NULL))
				return platform;
		}
	return NULL;
}

static void set_has_unit_and_condition_of_its_template(void)
{
	struct gpuoa_definitions *definitions;
	const struct gpuoa_platform *platform;
	struct gpuoa_set_desc base, desc;
	char text[512];

	platform = find_media_set(&base);
	REQUIRE(platform);
	snprintf(text, sizeof(text),
		 "platform %s \"P\" constant Own \"O.\"\n"
		 "set First like %s { uuid \"00000000-0000-4000-8000-000000000001\" }\n"
		 "set Second like %s { uuid \"00000000-0000-4000-8000-000000000002\" unit OAM1\n"
		 "	if Own == 2 on IO }\n",
		 gpuoa_platform_name(platform), base.symbol, base.symbol);
	definitions = parse(text);
	REQUIRE(definitions);
	desc = describe_set_of(definitions, "First");
	CHECK_STRING(desc.domain, "OAM0");
	CHECK_STRING(desc.availability, base.availability);
	CHECK(desc.apis == base.apis && desc.metric_count == base.metric_count);
	desc = describe_set_of(definitions, "Second");
	CHECK_STRING(desc.domain, "OAM1");
	CHECK_STRING(desc.availability, "Own == 2");
	CHECK(desc.apis == GPUOA_API_IO);
	gpuoa_definitions_free(definitions);
}

static void errors_in_extension_have_position(void)
{
	check_error(HSW "set S \"S\" like Nothing { metrics { GpuTime } }",
		    "user:2:16: there is no template 'Nothing' before this "
		    "line, and hsw has no such set");
	check_error("platform t \"T\" set S like Nothing { }",
		    "user:1:27: there is no template 'Nothing' before this "
		    "line");
	check_error(HSW "template T like RenderBasic { }",
		    "user:2:17: there is no template 'RenderBasic' before "
		    "this line");
	check_error(HSW "set S like RenderBasic { mux { 1=1 } }",
		    "user:2:5: set S has registers of its own: it needs a "
		    "uuid of its own");
	check_error(HSW "set S { uuid \"" UUID "\" format A45_B8_C8 metrics { GpuCoreClocks } }",
		    "user:2:80: sets of hsw have different metrics of the name "
		    "GpuCoreClocks: take after one of them, or give it an "
		    "equation");
	check_error(HSW "set S { uuid \"" UUID "\" format A45_B8_C8 metrics { Nothing } }",
		    "user:2:80: there is no metric 'Nothing'");
	check_error(HSW "set S { uuid \"" UUID "\" format A13 metrics { PsThreads } }",
		    "user:2:74: format A13 of set S has no counter A30");
	check_error(HSW "metric SubsliceMask \"S\" \"x\" = A0 uint64 x event",
		    "user:2:8: SubsliceMask is the name of a constant of hsw");
	/* Equations of a template have the position of its name. */
	check_error(HSW "\nset S\n like RenderBasic { uuid \"" UUID "\" format C4_B8 }",
		    "user:4:7: format C4_B8 of set S has no counter A5");
	check_error(HSW "set S like RenderBasic {\n metrics { GpuTime } }",
		    "user:3:12: the set has GpuTime already, from line 2");
	check_error(HSW "set RenderBasic like ComputeBasic { }"
			"set RenderBasic like ComputeBasic { }",
		    "user:2:42: set RenderBasic is there already, in line 2");
}

/* An inherited equation has the position of the line that uses it. */
static void errors_of_inherited_equations_are_in_the_users_line(void)
{
	static const char *const formats[] = { "A13", "B4_C8", "B4_C8_A16", "C4_B8" };
	const struct gpuoa_platform *base = gpuoa_platform_find("hsw");
	const struct gpuoa_metric *metric;
	struct gpuoa_metric_desc desc;
	size_t errors = 0;

	for (size_t i = 0; i < gpuoa_platform_set_count(base); i++)
		for (size_t k = 0;
		     (metric = gpuoa_set_get_metric(gpuoa_platform_get_set(base, i), k)); k++) {
			struct gpuoa_definitions *definitions = NULL;
			char text[256];

			gpuoa_metric_describe(metric, &desc, sizeof(desc));
			snprintf(text, sizeof(text),
				 HSW "set S { uuid \"" UUID "\" format %s metrics { %s } }",
				 formats[k % 4], desc.symbol);
			*message = '\0';
			if (gpuoa_definitions_parse("user", text, strlen(text), &definitions,
						    message, sizeof(message))) {
				errors++;
				if (!CHECK(!strncmp(message, "user:2:", 7)))
					printf("# %s\n", message);
			}
			gpuoa_definitions_free(definitions);
		}
	CHECK(errors > 20);
}

static void set_with_own_uuid_may_add_registers(void)
{
	struct gpuoa_definitions *definitions = parse(HSW "set S like RenderBasic { uuid \"" UUID
							  "\""
							  " flex { 1234=5678 } }");
	const struct gpuoa_platform *platform;
	struct gpuoa_constants *constants;
	struct gpuoa_reg reg;
	int count;

	REQUIRE(definitions);
	platform = gpuoa_definitions_get_platform(definitions, 0);
	constants = haswell_constants(platform);
	count = gpuoa_set_registers(gpuoa_platform_find_set(platform, "RenderBasic", NULL, NULL),
				    GPUOA_REGISTER_FLEX, constants, NULL, 0);
	CHECK(gpuoa_set_registers(gpuoa_platform_find_set(platform, "S", NULL, NULL),
				  GPUOA_REGISTER_FLEX, constants, &reg, 1) == count + 1);
	CHECK(!gpuoa_set_registers(gpuoa_platform_find_set(platform, "S", NULL, NULL),
				   GPUOA_REGISTER_MUX, constants, NULL, 0) ==
	      !gpuoa_set_registers(gpuoa_platform_find_set(platform, "RenderBasic", NULL, NULL),
				   GPUOA_REGISTER_MUX, constants, NULL, 0));
	gpuoa_constants_free(constants);
	gpuoa_definitions_free(definitions);
}

/* Each statement expects its own fields. */
static void statements_are_checked(void)
{
#define BEGIN "platform t \"T\"\n"
#define METRIC BEGIN "metric M \"M\" \"T\" = 1 uint64 x event "
	check_error(BEGIN "constant C 5", "user:2:12: expected a description in quotes, found '5'");
	check_error(BEGIN "constant C",
		    "user:2:11: expected a description in quotes, found the end of the file");
	check_error(BEGIN "metric M \"M\" \"T\" = 1 uint64",
		    "user:2:28: expected units (a word, or several in quotes), found the "
		    "end of the file");
	check_error(BEGIN "metric M \"M\" \"T\" = 1 uint64 x",
		    "user:2:30: expected a semantic (duration, event, throughput, ratio, "
		    "timestamp, flag, raw), found the end of the file");
	check_error(METRIC "name 5", "user:2:37: this clause is here twice");
	check_error(METRIC "in 5", "user:2:40: expected a group in quotes, found '5'");
	check_error(METRIC "max",
		    "user:2:40: expected a counter, a name, a number or '(', found the end "
		    "of the file");
	check_error(METRIC "if",
		    "user:2:39: expected a counter, a name, a number or '(', found the end "
		    "of the file");
	check_error(METRIC "of 5",
		    "user:2:40: expected a part of the GPU (gpu, slice, subslice, ...), found '5'");
	check_error(METRIC "of",
		    "user:2:39: expected a part of the GPU (gpu, slice, subslice, ...), "
		    "found the end of the file");
	check_error(METRIC "use",
		    "user:2:40: expected a usage (overview, indicate, correlate, system, "
		    "frame, batch, draw, glassjaw, tier1..tier4), found the end of the file");
	check_error(METRIC "use what",
		    "user:2:41: expected a usage (overview, indicate, correlate, system, "
		    "frame, batch, draw, glassjaw, tier1..tier4), found 'what'");
	check_error(METRIC "use frame frame", "user:2:47: this word is here twice");
	check_error(METRIC "on",
		    "user:2:39: expected an API (IO, BB, OGL, OGL4, OCL, VK, MEDIA) or "
		    "'all', found the end of the file");
	check_error(METRIC "on what",
		    "user:2:40: expected an API (IO, BB, OGL, OGL4, OCL, VK, MEDIA) or "
		    "'all', found 'what'");
	check_error(METRIC "watermarks", "user:2:47: expected a number, found the end of the file");
	check_error(METRIC "watermarks 1 x", "user:2:50: expected a number, found 'x'");
	check_error(METRIC "alias 5", "user:2:43: expected a name in quotes, found '5'");
	check_error(METRIC "uint64 x event", "user:2:37: this clause is here twice");
	check_error(METRIC "name \"A\" name \"B\"", "user:2:37: this clause is here twice");
	check_error(BEGIN "metric M \"M\" \"T\" = 1.2345678901234567 uint64 x event",
		    "user:2:20: a fractional number has 15 digits at most");
	check_error(BEGIN "group 5", "user:2:7: expected the group's path in quotes, found '5'");
	check_error(BEGIN "set S { format",
		    "user:2:15: expected the name of a report format, found the end of the file");
	check_error(BEGIN "set S { format 5",
		    "user:2:16: expected the name of a report format, found '5'");
	check_error(BEGIN "set S { uuid 5", "user:2:14: expected a UUID in quotes, found '5'");
	check_error(BEGIN "set S { on",
		    "user:2:11: expected an API (IO, BB, OGL, OGL4, OCL, VK, MEDIA) or "
		    "'all', found the end of the file");
	check_error(BEGIN "set S { unit 5",
		    "user:2:14: expected the name of an OA unit, found '5'");
	check_error(BEGIN "registers R 5",
		    "user:2:13: expected '{' and a list of registers, found '5'");
	check_error(BEGIN "registers 5",
		    "user:2:11: expected the name of a list of registers, found '5'");
	check_error(BEGIN "registers R { 5", "user:2:16: expected '=', found the end of the file");
	check_error(BEGIN "bundle B",
		    "user:2:9: expected '{' and a list of metrics, found the end of the file");
	check_error(BEGIN "bundle B { }", "user:2:8: bundle B is empty");
	check_error(BEGIN "describe",
		    "user:2:9: expected a pattern of symbols in quotes, found the end of the file");
	check_error(BEGIN "describe \"A{}\" 5",
		    "user:2:16: expected a description in quotes, found '5'");
	check_error(BEGIN "change",
		    "user:2:7: expected a metric's symbol, found the end of the file");
	check_error(BEGIN "change M", "user:2:8: there is no metric 'M' before this line");
	check_error(BEGIN "include 5", "user:2:9: expected a file's name in quotes, found '5'");
	check_error(BEGIN "language 5",
		    "user:2:1: expected include, constant, info, group, metric, change, "
		    "describe, bundle, registers, template or set, found 'language'");
	check_error("language x", "user:1:10: expected the number of a version, found 'x'");
	check_error("language 0", "user:1:10: expected the number of a version, found '0'");
	check_error("platform",
		    "user:1:9: expected the platform's name, found the end of the file");
	check_error(
		"platform t",
		"user:1:11: expected the platform's title in quotes, found the end of the file");
	check_error(BEGIN "platform t \"T\"",
		    "user:2:1: expected include, constant, info, group, metric, change, "
		    "describe, bundle, registers, template or set, found 'platform'");
#undef METRIC
#undef BEGIN
}

/* alternatives */

/*
 * Check the register of this kind that set S has if constant Mask is @mask. Its value must be
 * @value; -1: there is no such register.
 */
static void check_register(const struct gpuoa_platform *platform, enum gpuoa_register_kind kind,
			   uint64_t mask, int64_t value)
{
	const struct gpuoa_set *set = gpuoa_platform_find_set(platform, "S", NULL, NULL);
	struct gpuoa_constants *constants;
	struct gpuoa_reg regs[2];
	int count;

	REQUIRE(set && !gpuoa_constants_new(platform, &constants));
	CHECK(!gpuoa_constants_set(constants, "Mask", mask));
	count = gpuoa_set_registers(set, kind, constants, regs, 2);
	CHECK(count == (value >= 0));
	CHECK(count != 1 || regs[0].value == value);
	gpuoa_constants_free(constants);
}

static const char alternatives[] =
	"platform t \"T\" constant Mask \"M.\"\n"
	"registers Third { 9888=3 }\n"
	"metric One \"1\" \"Text.\" = A0 uint64 x event\n"
	"set S \"S\" { uuid \"" UUID "\" format A45_B8_C8 metrics { One }\n"
	"	mux if Mask & 1 { 9888=1 } else if Mask & 4 or Mask & 8 { 9888=2 } else if Mask & 2 Third\n"
	"	boolean if Mask & 1 { 2710=1 } else { 2710=2 }\n"
	"	flex if Mask & 1 { e458=1 } flex if Mask == 4 { e458=4 }\n"
	"}\n";

static void check_alternatives(const struct gpuoa_platform *platform)
{
	/* index: the value of constant Mask; element: the value of the selected alternative */
	static const int mux[16] = { -1, 1, 3, 1, 2, 1, 2, 1, 2, 1, 2, 1, 2, 1, 2, 1 };

	for (int mask = 0; mask < 16; mask++) {
		check_register(platform, GPUOA_REGISTER_MUX, mask, mux[mask]);
		check_register(platform, GPUOA_REGISTER_BOOLEAN, mask, (mask & 1 ? 1 : 2));
	}
	check_register(platform, GPUOA_REGISTER_FLEX, 4, 4);
}

static void first_true_alternative_is_used(void)
{
	struct gpuoa_definitions *definitions = parse(alternatives);
	const struct gpuoa_platform *platform;
	char text[4096];

	REQUIRE(definitions);
	platform = gpuoa_definitions_get_platform(definitions, 0);
	check_alternatives(platform);
	REQUIRE(gpuoa_platform_text(platform, text, sizeof(text)) < sizeof(text));
	gpuoa_definitions_free(definitions);
	definitions = parse(text);
	REQUIRE(definitions);
	check_alternatives(gpuoa_definitions_get_platform(definitions, 0));
	gpuoa_definitions_free(definitions);
}

static void else_requires_preceding_condition(void)
{
#define SET_OF(lists)                                                                            \
	"platform t \"T\" constant Mask \"M.\" metric One \"1\" \"Text.\" = A0 uint64 x event\n" \
	"set S \"S\" { uuid \"" UUID "\" format A45_B8_C8 metrics { One }\n" lists "\n}\n"
	check_error(
		SET_OF("mux { 9888=1 } else { 9888=2 }"),
		"user:3:16: expected uuid, format, on, unit, if, remark, mux, boolean, flex, metrics, "
		"change or '}', found 'else'");
	check_error(
		SET_OF("mux if Mask { } else { } else { }"),
		"user:3:26: expected uuid, format, on, unit, if, remark, mux, boolean, flex, metrics, "
		"change or '}', found 'else'");
	check_error(SET_OF("mux if Mask { } else metrics { One }"),
		    "user:3:22: expected '{' and a list of registers, or the name of one, found "
		    "'metrics'");
#undef SET_OF
}

/* limits */

static void bundles_nest_at_most_32_deep(void)
{
	static char text[65536];
	char *end = text + sprintf(text, "platform t \"T\"\n"
					 "metric M \"M\" \"x\" = A0 uint64 x event\n"
					 "bundle B0 { M }\n");

	for (int i = 1; i < 40; i++)
		end += sprintf(end, "bundle B%d { bundle B%d }\n", i, i - 1);
	sprintf(end, "set S \"S\" { uuid \"" UUID "\" format A45_B8_C8 metrics { bundle B39 } }");
	check_error(text, "user:11:20: bundles are nested more than 32 deep");
}

static void platform_has_at_most_256_information_items(void)
{
	static char text[65536];
	char *end = text + sprintf(text, "platform t \"T\"\n");

	for (int i = 0; i < 257; i++)
		end += sprintf(end, "info I%d \"x\" \"x\" = 1 uint64 x raw\n", i);
	check_error(text, "user:258:6: a platform has 256 information items "
			  "at most");
}

static bool has_xml(void)
{
	return gpuoa_definitions_parse("user", "<", 1, NULL, NULL, 0) != -EOPNOTSUPP;
}

static void xml_without_expat_is_rejected(void)
{
	gpuoa_definitions_parse("user", "<", 1, NULL, message, sizeof(message));
	CHECK_STRING(message,
		     "user: this is XML, and libgpuoa was built without expat, which reads it");
}

int main(void)
{
	RUN(load_ignores_an_old_errno);
	RUN(load_reads_in_pieces);
	RUN(load_returns_platforms_of_file);
	RUN(load_of_unreadable_file_returns_error);
	RUN(file_above_16_MiB_returns_efbig);
	RUN(text_above_16_MiB_returns_efbig);
	RUN(text_ends_after_its_size);
	RUN(text_without_nul_is_parsed);
	RUN(invalid_utf_8_is_rejected);
	RUN(empty_extension_equals_platform);
	RUN(extension_may_list_built_in_metrics);
	RUN(register_list_shares_address_of_several_values);
	RUN(unit_constants_apply_to_loaded_platform);
	RUN(copy_constants_transfers_and_derives);
	RUN(shared_uuid_finds_built_in_set);
	RUN(set_with_same_symbol_replaces_built_in);
	RUN(set_with_same_uuid_replaces_built_in);
	RUN(set_has_the_properties_of_its_template);
	RUN(built_in_metrics_are_completed_where_they_are_used);
	RUN(own_constants_and_items_replace_built_in_ones);
	RUN(similar_sets_do_not_replace_built_in_ones);
	RUN(set_has_unit_and_condition_of_its_template);
	RUN(errors_in_extension_have_position);
	RUN(errors_of_inherited_equations_are_in_the_users_line);
	RUN(set_with_own_uuid_may_add_registers);
	RUN(include_path_is_relative_to_file);
	RUN(bundles_nest_at_most_32_deep);
	RUN(platform_has_at_most_256_information_items);
	if (!has_xml()) {
		RUN(xml_without_expat_is_rejected);
		return tap_end();
	}
	RUN(messages_have_one_line);
	RUN(xml_equals_definition_language);
	RUN(xml_equations_convert_to_infix);
	RUN(statements_are_checked);
	RUN(first_true_alternative_is_used);
	RUN(else_requires_preceding_condition);
	RUN(xml_or_is_accepted_in_conditions_only);
	RUN(xml_errors_have_position_of_attribute);
	RUN(xml_equations_may_refer_to_later_counters);
	RUN(xml_long_equation_is_rejected);
	RUN(xml_begins_with_any_space);
	RUN(xml_platform_is_the_chipset_in_lower_case);
	RUN(xml_chipsets_are_limited);
	RUN(xml_unit_is_that_of_the_format);
	RUN(xml_registers_keep_their_order);
	RUN(xml_attributes_are_checked);
	RUN(xml_misplaced_element_is_rejected);
	RUN(xml_element_has_at_most_32_attributes);
	RUN(xml_entities_are_rejected);
	RUN(xml_in_latin1_is_parsed);
	RUN(xml_may_have_several_chipsets);
	return tap_end();
}
