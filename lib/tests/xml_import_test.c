// SPDX-License-Identifier: MIT
/*
 * xml_import_test.c - Test the import of metric definitions from XML: the text of the platforms
 * that result, operators, names of formats, and positions of errors.
 */
#include <errno.h>
#include <stdlib.h>

#include "gpuoa.h"
#include "tap.h"

#define UUID "00000000-0000-4000-8000-000000000001"

static char message[600];

static struct gpuoa_definitions *parse(const char *text)
{
	struct gpuoa_definitions *definitions = NULL;

	*message = '\0';
	gpuoa_definitions_parse("user", text, strlen(text), &definitions, message, sizeof(message));
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

/* ---- all elements and attributes ---- */

static const char all_attributes[] =
	"<?xml version=\"1.0\"?>\n"
	"<metrics version='1'>\n"
	"<set chipset=\"SKLGT2x\" symbol_name=\"First\" name=\"The "
	"&quot;first&quot;&#10;set\" mdapi_supported_apis=\"ogl  VK nonsense\n"
	"   ocl\" hw_config_guid=\"ABCDEF00-0000-4000-8000-00000000000A\" "
	"oa_format=\"A45_B8_C8\">\n"
	"<counter symbol_name=\"Int\" name=\"I\" underscore_name=\"i\" description=\"D "
	"&quot;d&quot;\" mdapi_group=\"A/B\" units=\"two words\" "
	"mdapi_hw_unit_type=\"slice\" data_type=\"uint32\" semantic_type=\"duration\" "
	"equation=\"B 1 READ\" max_equation=\"$Real 2 UMUL\" "
	"availability=\"$SubsliceMask 2 AND $SkuRevisionId 1 UGT &amp;&amp;\" "
	"mdapi_supported_apis=\"IO\" mdapi_usage_flags=\"Draw tier3 TIER2 Frame "
	"tier4\" low_watermark=\"1\" high_watermark=\"2.5\"/>\n"
	"<counter symbol_name=\"Real\" data_type=\"double\" units=\"x\" "
	"semantic_type=\"ratio\" equation=\"$Int $EuDualSubslicesSlice0123Count "
	"FDIV\" name=\"\" low_watermark=\"\" mdapi_usage_flags=\"Tier1\"/>\n"
	"<counter symbol_name=\"Flag\" data_type=\"bool32\" units=\"x\" "
	"semantic_type=\"flag\" equation=\"PERFCNT 0 READ\" "
	"availability=\"$QueryMode 1 ==\" mdapi_usage_flags=\"Tier4\"/>\n"
	"<register_config type=\"NOA\" availability=\"$SubsliceMask 0x1 "
	"AND\"><register address=\"0x9888\" value=\"0x1\"/><register "
	"address=\"0xffffffff\" value=\"0xffffffff\"/></register_config>\n"
	"<register_config type=\"OA\"><register address=\"10000\" "
	"value=\"0\"/></register_config>\n"
	"<register_config type=\"FLEX\"/>\n"
	"</set>\n"
	"<set chipset=\"Other_1\" symbol_name=\"M\" "
	"hw_config_guid=\"00000000-0000-4000-8000-000000000001\" "
	"oa_format=\"128B_MPEC8_NOA16\">\n"
	"<counter symbol_name=\"N\" data_type=\"float\" units=\"x\" "
	"semantic_type=\"raw\" equation=\"1\"/>\n"
	"</set>\n"
	"<set chipset=\"sklgt2X\" symbol_name=\"Second\" "
	"hw_config_guid=\"00000000-0000-4000-8000-000000000002\" oa_format=\"A13\">\n"
	"<counter symbol_name=\"N\" data_type=\"uint64\" units=\"x\" "
	"semantic_type=\"event\" equation=\"$EuCoresTotalCount $SliceMask UADD\"/>\n"
	"</set>\n"
	"</metrics>\n";

/* Text of the first platform; its second set follows a set of another platform. */
static const char first_platform[] = "language 1\n"
				     "platform sklgt2x \"SKLGT2x\"\n"
				     "\n"
				     "constant SubsliceMask \"\"\n"
				     "constant SkuRevisionId \"\"\n"
				     "constant EuDualSubslicesSlice0123Count \"\"\n"
				     "constant EuCoresTotalCount \"\"\n"
				     "constant SliceMask \"\"\n"
				     "\n"
				     "set First \"The 'first' set\" {\n"
				     "\tuuid \"abcdef00-0000-4000-8000-00000000000a\"\n"
				     "\tformat A45_B8_C8\n"
				     "\tunit OA\n"
				     "\ton OGL OCL VK\n"
				     "\tmetrics {\n"
				     "\t\tmetric Int \"I\"\n"
				     "\t\t\t\"D 'd'\"\n"
				     "\t\t\tin \"A/B\"\n"
				     "\t\t\t= B1\n"
				     "\t\t\tuint64 \"two words\" duration\n"
				     "\t\t\tmax Real * 2\n"
				     "\t\t\tif SubsliceMask & 2 and SkuRevisionId > 1\n"
				     "\t\t\tof \"slice\"\n"
				     "\t\t\tuse frame draw tier2\n"
				     "\t\t\ton IO\n"
				     "\t\t\twatermarks 1 2.5\n"
				     "\t\tmetric Real \"\"\n"
				     "\t\t\t= Int / EuDualSubslicesSlice0123Count\n"
				     "\t\t\tfloat \"x\" ratio\n"
				     "\t\t\tof \"\"\n"
				     "\t\t\tuse tier1\n"
				     "\t\tmetric Flag \"\"\n"
				     "\t\t\t= PERFCNT0\n"
				     "\t\t\tuint64 \"x\" flag\n"
				     "\t\t\tif QueryMode == 1\n"
				     "\t\t\tof \"\"\n"
				     "\t\t\tuse tier4\n"
				     "\t}\n"
				     "\tmux if SubsliceMask & 1 {\n"
				     "\t\t09888=00000001  ffffffff=ffffffff\n"
				     "\t}\n"
				     "\tboolean {\n"
				     "\t\t02710=00000000\n"
				     "\t}\n"
				     "\tflex {\n"
				     "\t}\n"
				     "}\n"
				     "\n"
				     "set Second \"\" {\n"
				     "\tuuid \"00000000-0000-4000-8000-000000000002\"\n"
				     "\tformat A13\n"
				     "\tunit OA\n"
				     "\ton all\n"
				     "\tmetrics {\n"
				     "\t\tmetric N \"\"\n"
				     "\t\t\t= EuCoresTotalCount + SliceMask\n"
				     "\t\t\tuint64 \"x\" event\n"
				     "\t\t\tof \"\"\n"
				     "\t}\n"
				     "}\n";

static const char second_platform[] = "language 1\n"
				      "platform other_1 \"Other_1\"\n"
				      "\n"
				      "\n"
				      "set M \"\" {\n"
				      "\tuuid \"00000000-0000-4000-8000-000000000001\"\n"
				      "\tformat MPEC8u32_B8_C8\n"
				      "\tunit OAM0\n"
				      "\ton all\n"
				      "\tmetrics {\n"
				      "\t\tmetric N \"\"\n"
				      "\t\t\t= 1\n"
				      "\t\t\tfloat \"x\" raw\n"
				      "\t\t\tof \"\"\n"
				      "\t}\n"
				      "}\n";

static void check_text(const struct gpuoa_platform *platform, const char *expected)
{
	static char text[8192];

	REQUIRE(platform);
	CHECK(gpuoa_platform_text(platform, text, sizeof(text)) == strlen(expected));
	CHECK_STRING(text, expected);
}

static void all_attributes_are_converted(void)
{
	struct gpuoa_definitions *definitions = parse(all_attributes);

	REQUIRE(definitions);
	check_text(gpuoa_definitions_get_platform(definitions, 0), first_platform);
	check_text(gpuoa_definitions_get_platform(definitions, 1), second_platform);
	CHECK(!gpuoa_definitions_get_platform(definitions, 2));
	gpuoa_definitions_free(definitions);
}

/* ---- equations ---- */

/* An XML document with one counter, which has this equation, on line 3 */
#define HEAD                                                         \
	"<metrics><set chipset=\"T\" symbol_name=\"S\" name=\"S\"\n" \
	" hw_config_guid=\"" UUID "\" oa_format=\"A32u40_A4u32_B8_C8\">\n"
#define TAIL "</set></metrics>"

static const struct gpuoa_metric *parse_counter(const char *equation, const char *availability,
						struct gpuoa_definitions **definitions)
{
	static char text[65536];

	snprintf(text, sizeof(text),
		 HEAD "<counter symbol_name=\"M\" data_type=\"float\" units=\"x\""
		      " semantic_type=\"event\"\n equation=\"%s\" availability=\"%s\"/>" TAIL,
		 equation, availability);
	*definitions = NULL;
	*message = '\0';
	if (gpuoa_definitions_parse("user", text, strlen(text), definitions, message,
				    sizeof(message)))
		return NULL;
	return gpuoa_set_get_metric(
		gpuoa_platform_get_set(gpuoa_definitions_get_platform(*definitions, 0), 0), 0);
}

/* Check an equation. If it is wrong, @expected is the message without its position. */
static void check_equation(const char *equation, const char *expected)
{
	struct gpuoa_definitions *definitions;
	const struct gpuoa_metric *metric = parse_counter(equation, "", &definitions);
	struct gpuoa_metric_desc desc = { .equation = "" };

	if (metric)
		gpuoa_metric_describe(metric, &desc, sizeof(desc));
	if (strncmp(message, "user:4:12: ", 11))
		CHECK_STRING(metric ? desc.equation : message, expected);
	else
		CHECK_STRING(message + 11, expected);
	gpuoa_definitions_free(definitions);
}

static void check_condition(const char *condition, const char *expected)
{
	struct gpuoa_definitions *definitions;
	const struct gpuoa_metric *metric = parse_counter("1", condition, &definitions);
	struct gpuoa_metric_desc desc = { .availability = "" };

	if (metric)
		gpuoa_metric_describe(metric, &desc, sizeof(desc));
	CHECK_STRING(metric ? desc.availability : message, expected);
	gpuoa_definitions_free(definitions);
}

static void operators_of_integers_convert_to_infix(void)
{
	check_equation("A 1 READ 2 UADD", "A1 + 2");
	check_equation("A 1 READ 2 USUB", "A1 - 2");
	check_equation("A 1 READ 2 UMUL", "A1 * 2");
	check_equation("A 1 READ 2 UDIV", "A1 // 2");
	check_equation("A 1 READ 2 UMIN", "min(A1, 2)");
	check_equation("A 1 READ 2 UMAX", "max(A1, 2)");
	check_equation("A 1 READ 2 AND", "A1 & 2");
	check_equation("A 1 READ 2 &lt;&lt;", "A1 << 2");
	check_equation("A 1 READ 2 &gt;&gt;", "A1 >> 2");
	check_equation("A 1 READ 2 &amp;&amp;", "A1 and 2");
	check_equation("A 1 READ 2 ||", "A1 or 2");
	check_equation("A 1 READ 2 ==", "A1 == 2");
	check_equation("A 1 READ 2 ULT", "A1 < 2");
	check_equation("A 1 READ 2 ULTE", "A1 <= 2");
	check_equation("A 1 READ 2 UGT", "A1 > 2");
	check_equation("A 1 READ 2 UGTE", "A1 >= 2");
}

static void operators_of_reals_convert_to_infix(void)
{
	check_equation("A 1 READ 2 FADD", "float(A1) + 2");
	check_equation("A 1 READ 2 FSUB", "float(A1) - 2");
	check_equation("A 1 READ 2 FMUL", "float(A1) * 2");
	check_equation("A 1 READ 2 FDIV", "A1 / 2");
	check_equation("A 1 READ 2 FMIN", "min(float(A1), 2)");
	check_equation("A 1 READ 2 FMAX", "max(float(A1), 2)");
	check_equation("A 1 READ 0.5 FADD", "A1 + 0.5");
	check_equation("0.5 A 1 READ FSUB", "0.5 - A1");
	check_equation("A 1 READ 0.5 UDIV", "A1 / 0.5");
	check_equation("0.5 A 1 READ UDIV", "0.5 / A1");
	check_equation("A 1 READ 0.5 UMIN", "min(A1, 0.5)");
	/* The result of each of them is real, so that it needs no conversion. */
	check_equation("A 1 READ 2 FADD 3 FADD", "float(A1) + 2 + 3");
	check_equation("A 1 READ 2 FDIV 3 UDIV", "A1 / 2 / 3");
	check_equation("A 1 READ 2.0 UMUL 3 FADD", "A1 * 2.0 + 3");
	check_equation("A 1 READ 2 UMUL 3 FADD", "float(A1 * 2) + 3");
	check_equation("A 1 READ 1.5 AND", "AND of a fractional number");
	check_equation("1.5 A 1 READ &amp;&amp;", "&& of a fractional number");
	check_equation("1.5 1 ULT", "ULT of a fractional number");
}

static void infix_has_necessary_parentheses_only(void)
{
	check_equation("1 2 UADD 3 4 UMUL UADD", "1 + 2 + 3 * 4");
	check_equation("1 2 USUB 3 4 USUB USUB", "1 - 2 - (3 - 4)");
	check_equation("1 2 UADD 3 4 UADD UMUL", "(1 + 2) * (3 + 4)");
	check_equation("1 2 UMUL 3 4 UDIV UDIV", "1 * 2 // (3 // 4)");
	check_equation("1 2 &lt;&lt; 3 4 UADD &gt;&gt;", "1 << 2 >> 3 + 4");
	check_equation("1 2 AND 3 &lt;&lt;", "(1 & 2) << 3");
	check_equation("1 2 AND 3 4 AND ==", "1 & 2 == 3 & 4");
	check_equation("1 2 == 3 ==", "(1 == 2) == 3");
	check_equation("1 2 3 == ==", "1 == (2 == 3)");
	check_equation("1 2 &amp;&amp; 3 4 &amp;&amp; &amp;&amp;", "1 and 2 and (3 and 4)");
	check_equation("1 2 &amp;&amp; 3 4 &amp;&amp; ||", "1 and 2 or 3 and 4");
	check_equation("1 2 || 3 4 || &amp;&amp;", "(1 or 2) and (3 or 4)");
	check_equation("1 2 UADD 3 UMAX 4 UMUL", "max(1 + 2, 3) * 4");
	check_equation("1 2 UADD 3 FMUL", "float(1 + 2) * 3");
}

static void operands_are_numbers_counters_and_names(void)
{
	check_equation("0", "0");
	check_equation("0x10", "16");
	check_equation("18446744073709551615", "18446744073709551615");
	check_equation("0.25", "0.25");
	check_equation("true", "1");
	check_equation("false", "0");
	check_equation(" \tA\r\n35\tREAD ", "A35");
	check_equation("B 7 READ", "B7");
	check_equation("C 0 READ", "C0");
	check_equation("GPU_TIME 0 READ", "TIMESTAMP");
	check_equation("GPU_CLOCK 0 READ", "CLOCK");
	check_equation("$EuDualSubslicesSlice0123Count", "EuDualSubslicesSlice0123Count");
	check_equation("$GtSlice3", "GtSlice3");
	check_equation("A 36 READ", "format A32u40_A4u32_B8_C8 of set S has no counter A36");
	check_equation("PEC 0 READ", "format A32u40_A4u32_B8_C8 of set S has no counter PEC0");
	check_equation("PERFCNT 1 READ",
		       "PERFCNT1 exists in queries only: this metric needs 'if QueryMode'");
}

static void wrong_equations_are_rejected(void)
{
	check_equation("A 63 READ", "format A32u40_A4u32_B8_C8 of set S has no counter A63");
	check_equation("A 64 READ", "there is no A 64");
	check_equation("A 1.0 READ", "expected the number of a counter behind A");
	check_equation("A x READ", "expected the number of a counter behind A");
	check_equation("GPU_TIME 1 READ", "there is no GPU_TIME 1");
	check_equation("GPU_CLOCK 0 WRITE", "expected READ behind GPU_CLOCK 0");
	check_equation("1 UADD", "UADD lacks an operand");
	check_equation("UADD", "UADD lacks an operand");
	check_equation("1 2 3", "expected an operator at the end: 3 values are left");
	check_equation("1 2 OR", "OR is understood in conditions only");
	check_equation("1 2 OR 3 UADD", "UADD of a result of OR");
	check_equation("1 2 3 OR UADD", "UADD of a result of OR");
	check_equation("1 2 OR 3 ||", "1 or 2 or 3");
	check_equation("1 2 OR 3 4 OR &amp;&amp;", "(1 or 2) and (3 or 4)");
	check_equation("1#2", "expected a number, $NAME, a counter or an operator, found '1#2'");
	check_equation("truE", "expected a number, $NAME, a counter or an operator, found 'truE'");
	check_equation("1 Uadd",
		       "expected a number, $NAME, a counter or an operator, found 'Uadd'");
	check_equation("$M", "M is used in its own equation");
	check_equation("$QueryMode", "QueryMode can't be used here");
	check_equation(
		"$Abcdefghijklmnopqrstuvwxyzabcdefghijklmnopqrs",
		"'$Abcdefghijklmnopqrstuvwxyzabcdefghijklm' is neither a counter of this set "
		"nor a constant of a GPU");
	check_equation("0000000000000000000000000000001", "1");
	check_equation("00000000000000000000000000000001",
		       "expected a number, $NAME, a counter or an operator, found "
		       "'00000000000000000000000000000001'");
	check_equation("000000000000000000000000000000001",
		       "expected a number, $NAME, a counter or an operator, found "
		       "'000000000000000000000000000000001'");
}

static void conditions_may_use_or(void)
{
	check_condition("$SliceMask 1 AND $GtSlice1 OR", "SliceMask & 1 or GtSlice1");
	check_condition("$QueryMode 2 ==", "QueryMode == 2");
	check_condition("true", "1");
	check_condition("$SliceMask $GtSlice1 OR 1 AND", "user:4:29: AND of a result of OR");
	check_condition("$Nothing", "user:4:29: '$Nothing' is neither a counter of this set nor a "
				    "constant of a GPU");
	check_condition("$SliceMask 0.5 FMUL", "user:4:29: a condition must be an integer");
}

static void number_of_operands_and_operators_is_limited(void)
{
	static char equation[8192];
	char *end = equation + sprintf(equation, "1 2 UADD");

	for (int i = 0; i < 254; i++)
		end += sprintf(end, " 3 UADD");
	sprintf(end, " 4"); /* one operand more than is used: 512 nodes */
	check_equation(equation, "expected an operator at the end: 2 values are left");
	sprintf(end, " 4 UADD");
	check_equation(equation, "this equation has more than 512 operands and operators");
	end = equation;
	for (int i = 0; i < 16; i++)
		end += sprintf(end, "%d ", i);
	check_equation(equation, "expected an operator at the end: 16 values are left");
	sprintf(end, "16");
	check_equation(equation, "this equation needs more than 16 intermediate values");
}

/* ---- formats and chipsets ---- */

/* Check the format and the unit of a set; @oa_format is its attribute, or "". */
static void check_format(const char *chipset, const char *oa_format, uint32_t format,
			 const char *unit)
{
	struct gpuoa_definitions *definitions;
	struct gpuoa_set_desc desc = { .domain = "" };
	const struct gpuoa_set *set;
	char text[512];

	snprintf(text, sizeof(text),
		 "<metrics><set chipset=\"%s\" symbol_name=\"Unlike\" oa_format=\"%s\""
		 " hw_config_guid=\"" UUID "\"><counter symbol_name=\"M\" data_type=\"float\""
		 " units=\"x\" semantic_type=\"event\" equation=\"1\"/></set></metrics>",
		 chipset, oa_format);
	definitions = parse(text);
	REQUIRE(definitions);
	set = gpuoa_platform_find_set(gpuoa_definitions_get_platform(definitions, 0), "Unlike",
				      NULL, NULL);
	REQUIRE(set);
	gpuoa_set_describe(set, &desc, sizeof(desc));
	CHECK(desc.format == format);
	CHECK_STRING(desc.domain, unit);
	gpuoa_definitions_free(definitions);
}

static void set_has_format_and_unit(void)
{
	check_format("T", "A45_B8_C8", GPUOA_REPORT_A45_B8_C8, "OA");
	check_format("T", "256B_GENERIC_NOA16", GPUOA_REPORT_A24U40_A14U32_B8_C8, "OA");
	check_format("T", "128B_MPEC8_NOA16", GPUOA_REPORT_MPEC8U32_B8_C8, "OAM0");
	check_format("T", "192B_MPEC8LL_NOA16", GPUOA_REPORT_MPEC8U64_B8_C8, "OAM0");
	check_format("T", "576B_PEC64LL", GPUOA_REPORT_PEC64U64, "OA");
	check_format("T", "640B_PEC64LL_NOA16", GPUOA_REPORT_PEC64U64_B8_C8, "OA");
	check_format("T", "128B_MERT_PEC8", GPUOA_REPORT_MERT_PEC8, "OAMERT");
	/* Files of older GPUs do not name the format. */
	check_format("HSW", "", GPUOA_REPORT_A45_B8_C8, "OA");
	check_format("BDW", "", GPUOA_REPORT_A32U40_A4U32_B8_C8, "OA");
	check_format("SklGt1", "", GPUOA_REPORT_A32U40_A4U32_B8_C8, "OA");
	check_format("DG1", "", GPUOA_REPORT_A32U40_A4U32_B8_C8, "OA");
	check_format("ACMGT1", "", GPUOA_REPORT_A24U40_A14U32_B8_C8, "OA");
	check_error("<metrics><set chipset=\"LNL\" symbol_name=\"S\" hw_config_guid=\"" UUID
		    "\"/></metrics>",
		    "user:1:10: expected the name of a report format, oa_format=\"...\": none is "
		    "known for chipset 'lnl'");
	check_error("<metrics><set chipset=\"SNB\" symbol_name=\"S\" hw_config_guid=\"" UUID
		    "\"/></metrics>",
		    "user:1:10: expected the name of a report format, oa_format=\"...\": none is "
		    "known for chipset 'snb'");
}

/* Check whether a chipset's name is accepted: then another attribute is missing. */
static void check_chipset(const char *chipset, bool good)
{
	char text[512], expected[256];

	snprintf(text, sizeof(text), "<metrics><set chipset='%s'/></metrics>", chipset);
	if (good)
		snprintf(expected, sizeof(expected),
			 "user:1:10: expected the set's symbol: symbol_name=\"...\"");
	else
		snprintf(expected, sizeof(expected),
			 "user:1:24: expected the chipset's name (letters, digits and '_'), found "
			 "'%.40s'",
			 chipset);
	check_error(text, expected);
}

static void chipset_has_letters_digits_and_underscores(void)
{
	check_chipset("Az_09", true);
	check_chipset("_", true);
	check_chipset("9a", false);
	check_chipset("a-b", false);
	check_chipset("ab ", false);
	check_chipset("a\xc3\xa4", false);
}

/* ---- positions ---- */

static void attributes_have_positions(void)
{
	check_error("<metrics>\n\n <set chipset = '\xc3\xa4'/></metrics>",
		    "user:3:18: expected the chipset's name (letters, digits and '_'), found "
		    "'\xc3\xa4'");
	check_error(
		"<metrics a='\xc3\xa4\n'><set x=\"'\xc3\xa4'\" y='\"'\n\tchipset='-'/></metrics>",
		"user:3:11: expected the chipset's name (letters, digits and '_'), found '-'");
	check_error("<metrics><set chipset='T' symbol_name='\xc3\xa4' /></metrics>",
		    "user:1:40: expected the set's symbol (a capital letter, then letters, digits "
		    "and '_'; no hardware counter), found '\xc3\xa4'");
	check_error("<metrics><set a='\xe2\x82\xac\xe2\x82\xac' chipset='-' /></metrics>",
		    "user:1:31: expected the chipset's name (letters, digits and '_'), found '-'");
	check_error("<?xml version='1.0' encoding='ISO-8859-1'?>\n"
		    "<metrics><set a='\xe4' chipset='-' /></metrics>",
		    "user:2:30: expected the chipset's name (letters, digits and '_'), found '-'");
}

/* Parse a text of ASCII characters in UTF-16, and check the error. */
static void check_utf16(const char *text, bool little, const char *expected)
{
	struct gpuoa_definitions *definitions = NULL;
	char wide[512] = { little ? '\xff' : '\xfe', little ? '\xfe' : '\xff' };
	const size_t length = strlen(text);

	REQUIRE(2 * length + 2 <= sizeof(wide));
	for (size_t i = 0; i < length; i++)
		wide[2 + 2 * i + !little] = text[i];
	CHECK(gpuoa_definitions_parse("user", wide, 2 * length + 2, &definitions, message,
				      sizeof(message)) == -EINVAL);
	CHECK_STRING(message, expected);
}

static void attributes_in_utf16_have_position_of_element(void)
{
	static const char text[] = "<metrics>\n <set a='' b='1' chipset='-' c=''/></metrics>";
	static const char expected[] =
		"user:2:2: expected the chipset's name (letters, digits and '_'), found '-'";

	check_utf16(text, true, expected);
	check_utf16(text, false, expected);
	check_utf16("", true, "user:1:2: no element found");
	check_utf16("", false, "user:1:2: no element found");
}

static void missing_attributes_are_reported(void)
{
#define SET "<metrics><set chipset='SKLGT1' symbol_name='S' hw_config_guid='" UUID "'>\n"
#define M " <counter symbol_name='M' "
	check_error(SET M "/>" TAIL, "user:2:2: expected the counter's type: data_type=\"...\"");
	check_error(SET M "data_type='float'/>" TAIL,
		    "user:2:2: expected the counter's kind of value: semantic_type=\"...\"");
	check_error(SET M "data_type='float' semantic_type='raw'/>" TAIL,
		    "user:2:2: expected the counter's equation: equation=\"...\"");
	check_error(SET " <counter/>" TAIL,
		    "user:2:2: expected the counter's symbol: symbol_name=\"...\"");
	check_error(SET M "data_type='float' semantic_type='raw' high_watermark='1'/>" TAIL,
		    "user:2:2: expected both watermarks: low_watermark=\"...\"");
	check_error(SET M "data_type='float' semantic_type='raw' low_watermark='1 2'"
			  " high_watermark='1'/>" TAIL,
		    "user:2:80: expected a number, found '1 2'");
	check_error(SET " <register_config/>" TAIL,
		    "user:2:2: expected the registers' type: type=\"...\"");
	check_error(SET " <register_config type='OA'><register value='1'/>" TAIL,
		    "user:2:29: expected the register's address: address=\"...\"");
	check_error(SET
		    " <register_config type='OA'><register address='1' value='4294967296'/>" TAIL,
		    "user:2:58: expected the register's value, 32 bits, found '4294967296'");
	check_error(SET " <register_config type='OA'><register address='1.5' value='1'/>" TAIL,
		    "user:2:48: expected the register's address, 32 bits, found '1.5'");
	check_error(SET " <register_config type='OA' availability='1 2'/>" TAIL,
		    "user:2:43: expected an operator at the end: 2 values are left");
	check_error("<metrics><set chipset='SKLGT1' symbol_name='S'/></metrics>",
		    "user:1:10: expected the set's UUID: hw_config_guid=\"...\"");
#undef M
#undef SET
}

static void elements_are_nested_in_order(void)
{
#define SET "<metrics><set chipset='SKLGT1' symbol_name='S' hw_config_guid='" UUID "'>\n"
#define M "<counter symbol_name='M' data_type='float' semantic_type='raw' equation='1'"
	check_error(SET M "><counter/></counter>" TAIL,
		    "user:2:77: expected </counter>, found <counter>");
	check_error(SET M ">text</counter>" TAIL, "user:2:77: expected </counter>, found text");
	check_error(SET "<register_config type='OA'><counter/>" TAIL,
		    "user:2:28: expected <register>, found <counter>");
	check_error(SET "<register_config type='OA'><register address='1' value='2'>x" TAIL,
		    "user:2:60: expected </register>, found text");
	check_error(SET "<metrics/>" TAIL,
		    "user:2:1: expected <counter> or <register_config>, found <metrics>");
	check_error("<set/>", "user:1:1: expected <metrics>, found <set>");
	check_error("<metrics><metrics/></metrics>", "user:1:10: expected <set>, found <metrics>");
	check_error("<metrics>\t\r\n \v</metrics>", "user:2:2: not well-formed (invalid token)");
#undef M
#undef SET
}

static void element_may_have_32_attributes(void)
{
	static char text[1024];
	char *end = text + sprintf(text, "<metrics><set");

	for (int i = 0; i < 31; i++)
		end += sprintf(end, " a%d=''", i);
	sprintf(end, " chipset='-'/></metrics>");
	check_error(text,
		    "user:1:231: expected the chipset's name (letters, digits and '_'), found "
		    "'-'");
}

int main(void)
{
	if (gpuoa_definitions_parse("user", "<", 1, NULL, NULL, 0) == -EOPNOTSUPP)
		return tap_skip("the library was built without expat");
	RUN(all_attributes_are_converted);
	RUN(operators_of_integers_convert_to_infix);
	RUN(operators_of_reals_convert_to_infix);
	RUN(infix_has_necessary_parentheses_only);
	RUN(operands_are_numbers_counters_and_names);
	RUN(wrong_equations_are_rejected);
	RUN(conditions_may_use_or);
	RUN(number_of_operands_and_operators_is_limited);
	RUN(set_has_format_and_unit);
	RUN(chipset_has_letters_digits_and_underscores);
	RUN(attributes_have_positions);
	RUN(attributes_in_utf16_have_position_of_element);
	RUN(missing_attributes_are_reported);
	RUN(elements_are_nested_in_order);
	RUN(element_may_have_32_attributes);
	return tap_end();
}
