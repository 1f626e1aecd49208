// SPDX-License-Identifier: MIT
/*
 * definition_test.c - Test the parser of the metric definition language: accepted texts and error
 * messages.
 */
#include <errno.h>
#include <stdlib.h>

#include "definitions/language/parse.h"
#include "fixture.h"
#include "table/table.h"
#include "tap.h"

#define UUID "00000000-0000-4000-8000-000000000001"

/* Text of a definition that has one metric, with the given clauses on line 3 */
#define METRIC(clauses)                                              \
	"platform t \"Test\"\n"                                      \
	"constant K \"A constant.\" constant L \"Another.\"\n"       \
	"metric M \"Metric\" " clauses " \"Text.\" uint64 x event\n" \
	"set S \"Set\" { uuid \"" UUID "\" format A45_B8_C8 metrics { M } }\n"

/* Text of a definition that has one set, with the given metric list on line 5 */
#define LIST(uses)                                                      \
	"platform t \"Test\"\n"                                         \
	"metric One \"1\" \"Text.\" = A0 uint64 x event\n"              \
	"metric Two \"2\" \"Text.\" = One + A1 uint64 x event on OGL\n" \
	"metric Half \"H\" \"Text.\" = A0 / 2 float x event\n"          \
	"set S \"Set\" { uuid \"" UUID "\" format A45_B8_C8\n" uses "\n}\n"

static void check_error(const char *text, const char *expected)
{
	struct fixture fixture;

	CHECK(fixture_compile(&fixture, text) == -EINVAL);
	CHECK_STRING(fixture.diagnostic.text, expected);
	fixture_free(&fixture);
}

static void check_good(const char *text)
{
	struct fixture fixture;

	CHECK(fixture_compile(&fixture, text) == 0);
	CHECK_STRING(fixture.diagnostic.text, "");
	fixture_free(&fixture);
}

static void every_statement_is_parsed(void)
{
	check_good("# comment\n"
		   "platform t \"Test\" # comment\n"
		   "constant Mask \"A mask.\"\n"
		   "info Id \"Id\" \"Text.\" = REPORT_ID uint64 number raw\n"
		   "group \"A/B\" on OGL IO use tier1 overview\n"
		   "metric One \"1\" \"Text \" \"in two.\" = A0 max 100 if Mask & 1\n"
		   "	uint64 \"two words\" event of slice use draw on all\n"
		   "	watermarks 2 2.5 in \"C\"\n"
		   "bundle B { One }\n"
		   "set S \"Set\" { uuid \"" UUID "\" format A45_B8_C8 on VK MEDIA\n"
		   "	mux { } mux if Mask >= 2 { 9888=1 9888=0000ffff }\n"
		   "	boolean { 2710=0 } flex { e458=12 }\n"
		   "	metrics { bundle B } }\n");
}

static void empty_file_error_names_first_statement(void)
{
	check_error("", "test.oa:1:1: expected 'platform', a name and a title "
			"in quotes, found the end of the file");
}

static void platform_without_sets_is_parsed(void)
{
	check_good("platform t \"Test\"");
}

static void errors_have_position_of_token(void)
{
	check_error("platform t Test", "test.oa:1:12: expected the platform's title in quotes, "
				       "found 'Test'");
	check_error("platform t \"T\"\nconstant k \"x\"",
		    "test.oa:2:10: expected the constant's name, found 'k'");
	check_error("platform t \"T\"\nnonsense",
		    "test.oa:2:1: expected include, constant, info, group, metric, "
		    "change, describe, bundle, registers, template or set, found "
		    "'nonsense'");
	check_error("platform t \"T\"\n\n  set S S",
		    "test.oa:3:9: expected the set's name in quotes, "
		    "'like' or '{', found 'S'");
	check_error("platform t \"T\"\nset S \"S\" { uuid \"x\" }",
		    "test.oa:2:18: a UUID has 8-4-4-4-12 hexadecimal digits, "
		    "lower case");
	check_error("platform t \"T\"\nset S \"S\" { format A46 }",
		    "test.oa:2:20: expected the name of a report format, found "
		    "'A46'");
	check_error("platform t \"T\"\nset S \"S\" { metrics M }",
		    "test.oa:2:21: expected '{' and a list of metrics, found "
		    "'M'");
	check_error("platform t \"T\"\nset S \"S\" { mux { 12=34 5g=1 } }",
		    "test.oa:2:25: expected a register (address=value, both "
		    "hexadecimal) or '}', found '5g'");
	check_error("platform t \"T\"\nset S \"S\" { mux { 12 34 } }",
		    "test.oa:2:22: expected '=', found '34'");
	check_error("platform t \"T\"\nset S \"S\" { mux { 12=123456789 } }",
		    "test.oa:2:22: a register address or value has 32 bits");
	check_error("platform t \"T\"\nset S \"S\" { mux { 12=1,g } }",
		    "test.oa:2:24: expected the register's value, hexadecimal, found 'g'");
	check_error("platform t \"T\"\nset S \"S\" { mux { 12=1,2=3 } }",
		    "test.oa:2:25: expected a register (address=value, both "
		    "hexadecimal) or '}', found '='");
	check_error("platform t \"T\"\nset S \"S\" { mux { 12=1",
		    "test.oa:2:23: expected a register (address=value, both "
		    "hexadecimal) or '}', found the end of the file");
}

static void equation_errors_name_expected_tokens(void)
{
	check_error(METRIC("= "), "test.oa:3:22: expected a counter, a name, a number or "
				  "'(', found \"Text.\"");
	check_error(METRIC("= A0 +"), "test.oa:3:26: expected a counter, a name, a number or "
				      "'(', found \"Text.\"");
	check_error(METRIC("= (A0 + 1"),
		    "test.oa:3:29: expected an operator or ')', found \"Text.\"");
	check_error(METRIC("= min(A0)"), "test.oa:3:27: expected an operator or ',', found ')'");
	check_error(METRIC("= A0 A1"), "test.oa:3:24: expected an operator, a clause or the next "
				       "statement, found 'A1'");
	check_error(METRIC("= A0 $ 1"), "test.oa:3:24: '$' has no meaning here");
	check_error(METRIC("= 12x"), "test.oa:3:21: expected a number, found '12x...'");
	check_error(METRIC("= 18446744073709551616"),
		    "test.oa:3:21: this number needs more than 64 bits");
	check_error(METRIC("= 1 < 2 < 3"),
		    "test.oa:3:27: expected no second comparison (use 'and'), "
		    "found '<'");
	check_error(METRIC("= float A0"), "test.oa:3:27: expected '(', found 'A0'");
}

static void unterminated_string_is_rejected(void)
{
	check_error("platform t \"T\n\"", "test.oa:1:12: expected '\"' at the end of this string, "
					  "before the end of the line");
	check_error("platform t \"a\tb\"", "test.oa:1:12: control character in this string");
	check_error("platform t \"T\" \x01", "test.oa:1:16: byte 0x01 has no meaning here");
}

/*
 * The library's own definitions pass this check as well, so no space is missing in their
 * descriptions.
 */
static void joined_strings_require_space(void)
{
	check_error(
		"platform t \"T\"\nmetric M \"M\" \"The GPU's\"\n\"clock.\" = A0 uint64 x event",
		"test.oa:3:1: a space is missing between this string and the one before");
	check_error("platform t \"T\"\nmetric M \"M\" \"The GPU's\" \"clock.\" = A0 uint64 x event",
		    "test.oa:2:26: a space is missing between this string and the one before");
	check_good(
		"platform t \"T\"\nmetric M \"M\" \"Its \"\"clock\"\" here.\" = A0 uint64 x event");
	check_good(
		"platform t \"T\"\nmetric M \"M\" \"Its \" \"clock\" \" here.\" \"\" = A0 uint64 x event");
}

static void incomplete_metric_is_rejected(void)
{
	check_error("platform t \"T\"\nmetric M \"M\" \"D\" uint64 x event",
		    "test.oa:2:8: M lacks an equation");
	check_error("platform t \"T\"\nmetric M \"M\" \"D\" = A0",
		    "test.oa:2:8: M lacks a type, units and a semantic");
	check_error("platform t \"T\"\nmetric M \"M\" uint64 = A0",
		    "test.oa:2:21: expected units (a word, or several in "
		    "quotes), found '='");
	check_error("platform t \"T\"\nmetric M \"M\" uint64 x y",
		    "test.oa:2:23: expected a semantic (duration, event, "
		    "throughput, ratio, timestamp, flag, raw), found 'y'");
}

static void incomplete_set_is_rejected(void)
{
	check_error("platform t \"T\"\nset S \"S\" { }", "test.oa:2:5: set S lacks a uuid");
	check_error("platform t \"T\"\nset S \"S\" { uuid \"" UUID "\" }",
		    "test.oa:2:5: set S lacks a format");
	check_error("platform t \"T\"\nset S \"S\" { uuid \"" UUID "\" format A13 }",
		    "test.oa:2:5: set S lacks metrics");
}

static void repeated_clause_is_rejected(void)
{
	check_error(METRIC("= A0 = A1"), "test.oa:3:24: this clause is here twice");
	check_error(METRIC("= A0 use draw draw"), "test.oa:3:33: this word is here twice");
	check_error(METRIC("= A0 use tier1 draw tier2"),
		    "test.oa:3:45: a metric has one tier at most");
	check_error("platform t \"T\"\nset S \"S\" { format A13 format A13 }",
		    "test.oa:2:24: this clause is here twice");
}

static void duplicate_name_is_rejected(void)
{
	check_error("platform t \"T\"\nconstant K \"1\"\nconstant K \"2\"",
		    "test.oa:3:10: K is there already, in line 2");
	check_error("platform t \"T\"\nconstant M \"K\"\n"
		    "metric M \"M\" \"D\" = 1 uint64 x event",
		    "test.oa:3:8: M is the name of a constant, in line 2");
	check_error("platform t \"T\"\n"
		    "metric M \"M\" \"D\" = 1 uint64 x event\n"
		    "metric M \"M\" \"D\" = 1 uint64 x event",
		    "test.oa:3:8: M is there already, in line 2");
	check_error("platform t \"T\"\nbundle B { M }\nbundle B { M }",
		    "test.oa:3:8: there is a bundle B already");
	check_error(LIST("metrics { One } }\nset S \"2\" { uuid \""
			 "00000000-0000-4000-8000-000000000002"
			 "\" format A13 metrics { One }"),
		    "test.oa:7:5: set S is there already, in line 5");
	check_error(LIST("metrics { One } }\nset T \"2\" { uuid \"" UUID
			 "\" format A13 metrics { One }"),
		    "test.oa:7:5: set T has the same uuid as set S");
	check_error("platform t \"T\"\n"
		    "info I \"I\" \"D\" = 1 uint64 x raw\n"
		    "info I \"I\" \"D\" = 1 uint64 x raw",
		    "test.oa:3:6: I is there already, in line 2");
}

static void reserved_name_is_rejected(void)
{
	check_error("platform t \"T\"\nconstant A7 \"K\"",
		    "test.oa:2:10: this name is one of a hardware counter");
	check_error("platform t \"T\"\nconstant PERFCNT0 \"K\"",
		    "test.oa:2:10: this name is one of a hardware counter");
	check_error("platform t \"T\"\nconstant TIMESTAMP \"K\"",
		    "test.oa:2:10: this name has a meaning of its own in "
		    "equations");
	check_good("platform t \"T\"\nconstant D7 \"K\" constant A7b \"K\" constant Z \"K\"");
}

static void duplicate_metric_in_set_is_rejected(void)
{
	check_error(LIST("metrics {\nOne One }"),
		    "test.oa:7:5: the set has One already, from line 7");
	check_error(LIST("metrics { None }"), "test.oa:6:11: there is no metric 'None'");
	check_error(LIST("metrics { bundle None }"),
		    "test.oa:6:18: there is no bundle 'None' before this line");
}

static void recursive_bundle_is_rejected(void)
{
	check_error("platform t \"T\"\nbundle B { bundle B }\n"
		    "set S \"S\" { uuid \"" UUID "\" format A13 metrics { bundle B } }",
		    "test.oa:2:19: there is no bundle 'B' before this line");
	check_good("platform t \"T\"\n"
		   "metric M \"M\" \"D\" = 1 uint64 x event\n"
		   "bundle B { M } bundle C { bundle B }\n"
		   "set S \"S\" { uuid \"" UUID "\" format A13 metrics { bundle C } }");
}

static void equation_may_refer_to_other_metrics_only(void)
{
	check_error(LIST("metrics { One = One }"), "test.oa:6:17: One is used in its own equation");
	check_error(LIST("metrics { One = Two Two }"),
		    "test.oa:3:26: One uses itself, by way of Two");
	check_error(LIST("metrics { Two }"),
		    "test.oa:3:26: 'One' is neither a constant nor a metric of set S");
	check_good(LIST("metrics { One Two }"));
	check_good(LIST("metrics { Two One }"));
}

/* Write metrics, each of which uses the next one, and a list of them in this order. */
static void add_chain(char *text, char *list, char letter, int count)
{
	for (int i = 0; i < count; i++) {
		sprintf(text + strlen(text), "metric %c%d \"M\" = ", letter, i);
		if (i < count - 1)
			sprintf(text + strlen(text), "%c%d", letter, i + 1);
		else
			strcat(text, "A0");
		strcat(text, " uint64 x event\n");
		sprintf(list + strlen(list), " %c%d", letter, i);
	}
}

static void check_chains(int first, int second, const char *error)
{
	char text[16384] = "platform t \"T\"\n", list[4096] = "";

	add_chain(text, list, 'M', first);
	add_chain(text, list, 'N', second);
	sprintf(text + strlen(text), "set S { uuid \"" UUID "\" format A13 metrics {%s } }", list);
	if (error)
		check_error(text, error);
	else
		check_good(text);
}

static void chain_of_later_metrics_is_limited(void)
{
	check_chains(129, 0, NULL);
	check_chains(
		130, 0,
		"test.oa:130:19: more than 128 metrics use one another before they are listed");
	check_chains(100, 129, NULL);
}

/* A metric is moved before those that use it; the others keep their order. */
static void metrics_keep_their_order_otherwise(void)
{
	static const char expected[][3] = { "A", "C", "B", "D" };
	struct gpuoa_metric_desc desc;
	const struct gpuoa_set *set;
	struct fixture fixture;

	REQUIRE(!fixture_compile(&fixture, "platform t \"T\"\n"
					   "metric A \"A\" = A0 uint64 x event\n"
					   "metric B \"B\" = C + A uint64 x event\n"
					   "metric C \"C\" = A1 uint64 x event\n"
					   "metric D \"D\" = C + B uint64 x event\n"
					   "set S { uuid \"" UUID "\" format A13\n"
					   "metrics { A B C D } }"));
	set = gpuoa_platform_get_set(fixture_platform(&fixture), 0);
	for (size_t i = 0; i < 4; i++) {
		gpuoa_metric_describe(gpuoa_set_get_metric(set, i), &desc, sizeof(desc));
		CHECK_STRING(desc.symbol, expected[i]);
		CHECK(gpuoa_set_find_metric(set, expected[i]) == gpuoa_set_get_metric(set, i));
	}
	fixture_free(&fixture);
}

static void list_may_define_metric(void)
{
	check_good(LIST("metrics { Two metric One \"Own\" = A3 uint64 x event alias \"Uno\" }"));
	check_error(LIST("metrics { metric One \"Own\" = A3 }"),
		    "test.oa:6:18: One lacks a type, units and a semantic");
	check_error(LIST("metrics { metric One \"Own\" uint64 x event }"),
		    "test.oa:6:18: One lacks an equation");
	check_error(LIST("metrics { metric A3 \"Own\" = 1 uint64 x event }"),
		    "test.oa:6:18: this name is one of a hardware counter");
}

static void uuid_has_lower_case_hexadecimal_digits(void)
{
	static const struct {
		const char *uuid;
		bool valid;
	} cases[] = {
		{ "0123456f-789a-4bcd-8eff-000000000009", true },
		{ "0123456g-789a-4bcd-8eff-000000000009", false },
		{ "g123456f-789a-4bcd-8eff-000000000009", false },
		{ "0123456f-789a-4bcd-8eff-00000000000A", false },
		{ "`123456f-789a-4bcd-8eff-000000000009", false },
		{ ":123456f-789a-4bcd-8eff-000000000009", false },
		{ "0123456f.789a-4bcd-8eff-000000000009", false },
		{ "0123456f-789a-4bcd-8eff.000000000009", false },
		{ "0123456f-789a-4bcd-8eff-00000000000", false },
		{ "0123456f-789a-4bcd-8eff-0000000000009", false },
	};

	for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
		char text[256];

		sprintf(text,
			"platform t \"T\"\nmetric Zz09_ \"-\" \"-\" = A0 uint64 x event\n"
			"set Z \"Z\" { uuid \"%s\" format A13 metrics { Zz09_ } }",
			cases[i].uuid);
		if (cases[i].valid)
			check_good(text);
		else
			check_error(text, "test.oa:3:18: a UUID has 8-4-4-4-12 hexadecimal digits, "
					  "lower case");
	}
}

static void shared_uuid_is_accepted(void)
{
	check_good(LIST("metrics { One } }\n"
			"set T \"T\" { uuid \"" UUID "\" shared format A45_B8_C8 metrics { One }"));
	check_error(LIST("metrics { One } }\n"
			 "set T \"T\" { uuid \"" UUID "\" format A45_B8_C8 metrics { One }"),
		    "test.oa:7:5: set T has the same uuid as set S");
}

static void language_version_is_checked(void)
{
	check_good("language 1 platform t \"T\"");
	check_error("language 0 platform t \"T\"",
		    "test.oa:1:10: expected the number of a version, found '0'");
	check_error("language x platform t \"T\"",
		    "test.oa:1:10: expected the number of a version, found 'x'");
}

static void maximum_may_refer_to_any_metric_of_set(void)
{
	check_good(LIST("metrics { One max Two Two max Two }"));
	check_error(LIST("metrics { One max Two }"),
		    "test.oa:6:19: 'Two' is neither a constant nor a metric of "
		    "set S");
}

static void counter_missing_from_format_is_rejected(void)
{
	check_error(METRIC("= A45"), "test.oa:3:21: format A45_B8_C8 of set S "
				     "has no counter A45");
	check_error(METRIC("= B8"), "test.oa:3:21: format A45_B8_C8 of set S "
				    "has no counter B8");
	check_error(METRIC("= A64"), "test.oa:3:21: 'A64' is neither a "
				     "constant nor a metric of set S");
	check_error(METRIC("= A07"), "test.oa:3:21: 'A07' is neither a "
				     "constant nor a metric of set S");
	check_good(METRIC("= A44 + B7 + C7"));
}

static void query_counter_requires_query_mode_condition(void)
{
	check_error(METRIC("= PERFCNT0"), "test.oa:3:21: PERFCNT0 exists in queries only: this "
					  "metric needs 'if QueryMode'");
	check_good(METRIC("= PERFCNT0 if QueryMode"));
	check_good(METRIC("= PERFCNT0 if K and QueryMode"));
	check_error(LIST("metrics { One if QueryMode Two }"),
		    "test.oa:3:26: One exists in queries only: this metric "
		    "needs 'if QueryMode'");
}

static void conditions_accept_constants_only(void)
{
	check_good(METRIC("= A0 if K & 1 and L < 5 or K == 0"));
	check_good(METRIC("= A0 if (K or L) and K"));
	check_error(METRIC("= A0 if A1"), "test.oa:3:27: counters are for metrics, not for "
					  "conditions");
	check_error(METRIC("= A0 if TIMESTAMP"), "test.oa:3:27: TIMESTAMP can't be used here");
	check_error(METRIC("= A0 if M"), "test.oa:3:27: 'M' is not a constant");
	check_error(METRIC("= A0 if K / 2"), "test.oa:3:29: a condition must be an integer");
	check_error(LIST("mux if QueryMode { } metrics { One }"),
		    "test.oa:6:8: registers are written for queries and "
		    "streams alike");
}

static void report_fields_are_for_information_items_only(void)
{
	check_error(METRIC("= REPORT_ID"), "test.oa:3:21: REPORT_ID can't be used here");
	check_error(METRIC("= QueryMode"), "test.oa:3:21: QueryMode can't be used here");
	check_error("platform t \"T\"\n"
		    "info I \"I\" \"D\" = A0 uint64 x raw",
		    "test.oa:2:18: counters are for metrics, not for "
		    "information items");
	check_error("platform t \"T\"\n"
		    "info I \"I\" \"D\" = 1 float x raw",
		    "test.oa:2:6: information items are uint64");
	check_error("platform t \"T\"\n"
		    "info I \"I\" \"D\" = 1 / 2 uint64 x raw",
		    "test.oa:2:20: an information item must be an integer");
}

static void clocks_are_for_metrics_and_information_items(void)
{
	check_good(METRIC("= TIMESTAMP max TIMESTAMP"));
	check_error(METRIC("= CLOCK"), "test.oa:3:21: reports of format A45_B8_C8 have no clock");
	check_error(METRIC("= A0 if CLOCK"), "test.oa:3:27: CLOCK can't be used here");
	check_error(METRIC("= CONTEXT_ID"), "test.oa:3:21: CONTEXT_ID can't be used here");
	check_error(METRIC("= A0 if REPORT_ID"), "test.oa:3:27: REPORT_ID can't be used here");
	check_good("platform t \"T\"\n"
		   "info A \"A\" = CLOCK uint64 x raw info B \"B\" = TIMESTAMP uint64 x raw\n"
		   "info C \"C\" = CONTEXT_ID & REPORT_ID uint64 x raw\n"
		   "metric M \"M\" = CLOCK uint64 x event\n"
		   "set S { uuid \"" UUID "\" format A32u40_A4u32_B8_C8 metrics { M } }");
	check_error("platform t \"T\"\ninfo I \"I\" = QueryMode uint64 x raw",
		    "test.oa:2:14: QueryMode can't be used here");
}

static void integer_operator_rejects_fraction(void)
{
	check_error(METRIC("= A0 / 2 // 3"),
		    "test.oa:3:28: '//' divides integers, and an operand is "
		    "fractional; '/' divides those");
	check_error(METRIC("= float(A0) & 3"),
		    "test.oa:3:31: both operands must be integers, and one is "
		    "fractional");
	check_error(METRIC("= A0 << 1.5"),
		    "test.oa:3:24: both operands must be integers, and one is "
		    "fractional");
	check_error(LIST("metrics { Half Two = Half // 2 }"),
		    "test.oa:6:27: '//' divides integers, and an operand is "
		    "fractional; '/' divides those");
}

/* Return a long equation: "1 + (1 + (... + 1))", or the same sum without parentheses. */
static char *long_metric(int count, bool nested)
{
	char *text = malloc(16 * count + 1024), *out = text;

	out += sprintf(out, "platform t \"T\"\nmetric M \"M\" \"D\" = ");
	for (int i = 0; i < count; i++)
		out += sprintf(out, nested ? "1 + (" : "1 + ");
	*out++ = '1';
	for (int i = 0; nested && i < count; i++)
		*out++ = ')';
	sprintf(out, " uint64 x event\n"
		     "set S \"S\" { uuid \"" UUID "\" format A13 metrics { M } }");
	return text;
}

static void check_long(int count, bool nested, const char *error)
{
	char *text = long_metric(count, nested);

	if (error)
		check_error(text, error);
	else
		check_good(text);
	free(text);
}

/* Parse an equation that begins with @count opening parentheses. */
static void check_nesting(int count, const char *expected)
{
	static const char head[] = "platform t \"T\"\nmetric M \"Metric\" = ";
	char *text = malloc(sizeof(head) + count);

	REQUIRE(text);
	strcpy(text, head);
	memset(text + strlen(head), '(', count);
	text[strlen(head) + count] = '\0';
	check_error(text, expected);
	free(text);
}

static void long_equation_is_rejected(void)
{
	check_long(255, false, NULL);
	check_long(256, false,
		   "test.oa:2:1044: this equation has more than 512 operands "
		   "and operators");
	check_long(15, true, NULL);
	check_long(16, true,
		   "test.oa:2:100: this equation needs more than 16 "
		   "intermediate values");
	check_nesting(256, "test.oa:2:277: expected a counter, a name, a number or '(', found the "
			   "end of the file");
	check_nesting(257, "test.oa:2:278: parentheses are nested more than 256 deep");
	check_nesting(100000, "test.oa:2:278: parentheses are nested more than 256 deep");
}

/* Parentheses after each other are not nested. */
static void number_of_parentheses_is_not_limited(void)
{
	char text[2048] = "platform t \"T\"\nmetric M \"M\" = ((0))";

	for (int i = 0; i < 140; i++)
		strcat(text, " + ((1))");
	strcat(text, " uint64 x event\n"
		     "set S { uuid \"" UUID "\" format A13 metrics { M } }");
	check_good(text);
}

/* Each equation has its own limits. */
static void limits_apply_to_each_equation(void)
{
	char text[8192] = "platform t \"T\"\n";

	for (int metric = 0; metric < 2; metric++) {
		sprintf(text + strlen(text), "metric M%d \"M\" = 0", metric);
		for (int i = 0; i < 200; i++)
			strcat(text, " + 1");
		strcat(text, " uint64 x event\n");
	}
	strcat(text, "set S { uuid \"" UUID "\" format A13 metrics { M0 M1 } }");
	check_good(text);
}

/* The letter of a bank without a number is the name of something else. */
static void bank_without_number_is_a_name(void)
{
	check_good("platform t \"T\" constant A \"A.\" constant PEC \"P.\"\n"
		   "metric M \"M\" = A0 if A and PEC uint64 x event\n"
		   "set S { uuid \"" UUID "\" format A13 metrics { M } }");
	check_error(METRIC("= A"), "test.oa:3:21: 'A' is neither a constant nor a metric of set S");
	check_error(METRIC("= A0x"),
		    "test.oa:3:21: 'A0x' is neither a constant nor a metric of set S");
}

static void describe_returns_equation_as_written(void)
{
	struct gpuoa_metric_desc desc;
	const struct gpuoa_set *set;
	struct fixture fixture;

	REQUIRE(!fixture_compile(&fixture, METRIC("=  A0 +\t# why\n\t(K*2)\n")));
	set = gpuoa_platform_get_set(fixture_platform(&fixture), 0);
	gpuoa_metric_describe(gpuoa_set_get_metric(set, 0), &desc, sizeof(desc));
	CHECK_STRING(desc.equation, "A0 + (K*2)");
	fixture_free(&fixture);
}

static void list_may_override_metric_fields(void)
{
	const struct gpuoa_metric *metric;
	struct gpuoa_metric_desc desc;
	const struct gpuoa_set *set;
	struct fixture fixture;

	REQUIRE(!fixture_compile(&fixture, LIST("metrics on OCL VK { One Two on all name \"II\" "
						"float y ratio = One / 2 of slice }")));
	set = gpuoa_platform_get_set(fixture_platform(&fixture), 0);
	metric = gpuoa_set_find_metric(set, "One");
	REQUIRE(metric);
	gpuoa_metric_describe(metric, &desc, sizeof(desc));
	CHECK(desc.apis == (GPUOA_API_OCL | GPUOA_API_VK));
	CHECK_STRING(desc.equation, "A0");

	metric = gpuoa_set_find_metric(set, "Two");
	REQUIRE(metric);
	gpuoa_metric_describe(metric, &desc, sizeof(desc));
	CHECK(desc.apis == 0);
	CHECK_STRING(desc.name, "II");
	CHECK_STRING(desc.units, "y");
	CHECK_STRING(desc.hw_unit, "slice");
	CHECK_STRING(desc.equation, "One / 2");
	CHECK(desc.type == GPUOA_TYPE_FLOAT);
	CHECK(desc.semantic == GPUOA_SEMANTIC_RATIO);
	fixture_free(&fixture);
}

static void list_overrides_apply_to_bundles(void)
{
	struct gpuoa_metric_desc desc;
	const struct gpuoa_set *set;
	struct fixture fixture;

	REQUIRE(!fixture_compile(&fixture, "platform t \"T\"\n"
					   "metric M \"M\" \"D\" = 1 uint64 x event on OGL\n"
					   "bundle B { M on OCL }\n"
					   "set S \"S\" { uuid \"" UUID "\" format A13\n"
					   "metrics on VK { bundle B of slice } }"));
	set = gpuoa_platform_get_set(fixture_platform(&fixture), 0);
	gpuoa_metric_describe(gpuoa_set_get_metric(set, 0), &desc, sizeof(desc));
	CHECK(desc.apis == GPUOA_API_VK);
	CHECK_STRING(desc.hw_unit, "slice");
	fixture_free(&fixture);
}

static void list_overrides_apply_to_nested_bundles(void)
{
	struct gpuoa_metric_desc desc;
	const struct gpuoa_set *set;
	struct fixture fixture;

	REQUIRE(!fixture_compile(&fixture, "platform t \"T\"\n"
					   "metric M \"M\" = 1 uint64 x event on OGL\n"
					   "metric Q \"Q\" = PERFCNT0 if QueryMode uint64 x event\n"
					   "bundle B { M on OCL } bundle C { bundle B on IO Q }\n"
					   "set S { uuid \"" UUID "\" format A13\n"
					   "metrics on VK { bundle C of slice } }"));
	set = gpuoa_platform_get_set(fixture_platform(&fixture), 0);
	gpuoa_metric_describe(gpuoa_set_get_metric(set, 0), &desc, sizeof(desc));
	CHECK(desc.apis == GPUOA_API_VK && !desc.query_only);
	CHECK_STRING(desc.hw_unit, "slice");
	gpuoa_metric_describe(gpuoa_set_get_metric(set, 1), &desc, sizeof(desc));
	CHECK(desc.apis == GPUOA_API_VK && desc.query_only);
	fixture_free(&fixture);
}

/* A bundle that follows another one is not nested in it. */
static void number_of_bundles_is_not_limited(void)
{
	char text[8192] = "platform t \"T\"\n";

	for (int i = 0; i < 100; i++)
		sprintf(text + strlen(text),
			"metric M%d \"M\" = A0 uint64 x event bundle B%d { M%d }\n", i, i, i);
	strcat(text, "set S { uuid \"" UUID "\" format A13 metrics {");
	for (int i = 0; i < 100; i++)
		sprintf(text + strlen(text), " bundle B%d", i);
	strcat(text, " } }");
	check_good(text);
}

static void group_sets_defaults(void)
{
	struct gpuoa_metric_desc desc;
	const struct gpuoa_set *set;
	struct fixture fixture;

	REQUIRE(!fixture_compile(&fixture,
				 "platform t \"T\"\n"
				 "group \"A/B\" on OGL use tier2 draw watermarks 1 2\n"
				 "metric M \"M\" \"D\" = 1 uint64 x event on OCL\n"
				 "group \"C\"\n"
				 "metric N \"N\" \"D\" = 1 uint64 x event\n"
				 "set S \"S\" { uuid \"" UUID "\" format A13 metrics { M N } }"));
	set = gpuoa_platform_get_set(fixture_platform(&fixture), 0);
	gpuoa_metric_describe(gpuoa_set_get_metric(set, 0), &desc, sizeof(desc));
	CHECK_STRING(desc.group, "A/B");
	CHECK_STRING(desc.hw_unit, "gpu");
	CHECK(desc.apis == GPUOA_API_OCL);
	CHECK(desc.usage == (GPUOA_USAGE_TIER_2 | GPUOA_USAGE_DRAW));
	CHECK(desc.tier == 2);
	CHECK(desc.has_watermarks && desc.low == 1 && desc.high == 2);
	gpuoa_metric_describe(gpuoa_set_get_metric(set, 1), &desc, sizeof(desc));
	CHECK_STRING(desc.group, "C");
	CHECK(desc.apis == 0 && desc.usage == 0 && !desc.has_watermarks);
	fixture_free(&fixture);
}

/* Compile several definitions, of one file each. */
static int compile_all(const char *const *texts, size_t count, struct blob *blob,
		       struct diagnostic *diagnostic)
{
	static const char *const names[] = { "a.oa", "b.oa", "c.oa" };
	static const struct source_file none;
	const struct definition *definitions[3];
	struct arena arena = { 0 };
	int err = 0;

	*blob = (struct blob){ 0 };
	for (size_t i = 0; i < count && !err; i++) {
		struct definition *definition = NULL;

		err = definition_parse(names[i], texts[i], strlen(texts[i]), &none, &arena,
				       &definition, diagnostic);
		definitions[i] = definition;
	}
	CHECK(!err);
	if (!err)
		err = compile_definitions(definitions, count, blob, diagnostic);
	arena_free(&arena);
	return err;
}

static void platform_is_defined_once(void)
{
	static const char *const good[] = { "platform t \"T\"", "platform u \"U\"",
					    "platform v \"V\"" };
	static const char *const first[] = { "platform u \"T\"", "platform t \"U\"",
					     "\n platform u \"V\"" };
	static const char *const second[] = { "platform t \"T\"", "platform u \"U\"",
					      "\n platform u \"V\"" };
	struct diagnostic diagnostic = { .text = "" };
	const struct gpuoa_platform *platforms;
	const struct table_root *root;
	struct blob blob;

	if (CHECK(!compile_all(good, 3, &blob, &diagnostic))) {
		root = (const void *)blob.data;
		platforms = table_follow(&root->platforms);
		CHECK(root->platform_count == 3);
		CHECK_STRING(gpuoa_platform_name(&platforms[0]), "t");
		CHECK_STRING(gpuoa_platform_name(&platforms[1]), "u");
		CHECK_STRING(gpuoa_platform_title(&platforms[2]), "V");
	}
	blob_free(&blob);
	CHECK(compile_all(first, 3, &blob, &diagnostic) == -EINVAL);
	CHECK_STRING(diagnostic.text, "c.oa:2:2: platform u is in a.oa already");
	blob_free(&blob);
	CHECK(compile_all(second, 3, &blob, &diagnostic) == -EINVAL);
	CHECK_STRING(diagnostic.text, "c.oa:2:2: platform u is in b.oa already");
	blob_free(&blob);
}

/* Mutate Haswell's definition: change, drop or repeat some bytes. */
static void damaged_definitions_return_einval(void)
{
	static char original[131072], damaged[131072];
	FILE *file = fopen("lib/metrics/hsw.oa", "r");
	uint64_t state = 9;
	size_t size;

	REQUIRE(file);
	size = fread(original, 1, sizeof(original) - 1, file);
	fclose(file);
	for (int round = 0; round < 500; round++) {
		struct fixture fixture;
		int error;

		memcpy(damaged, original, size + 1);
		for (int i = 0; i < 1 + round % 4; i++) {
			size_t at = fixture_random(&state) % size;
			size_t from = fixture_random(&state) % size;
			size_t length = 1 + fixture_random(&state) % 8;

			if (at + length < size && from + length < size)
				memmove(damaged + at, damaged + from, length);
		}
		error = fixture_compile(&fixture, damaged);
		CHECK(error == 0 || error == -EINVAL);
		CHECK(!error == !fixture.diagnostic.text[0]);
		fixture_free(&fixture);
	}
}

int main(void)
{
	RUN(every_statement_is_parsed);
	RUN(empty_file_error_names_first_statement);
	RUN(platform_without_sets_is_parsed);
	RUN(errors_have_position_of_token);
	RUN(equation_errors_name_expected_tokens);
	RUN(unterminated_string_is_rejected);
	RUN(joined_strings_require_space);
	RUN(incomplete_metric_is_rejected);
	RUN(incomplete_set_is_rejected);
	RUN(repeated_clause_is_rejected);
	RUN(duplicate_name_is_rejected);
	RUN(reserved_name_is_rejected);
	RUN(duplicate_metric_in_set_is_rejected);
	RUN(recursive_bundle_is_rejected);
	RUN(equation_may_refer_to_other_metrics_only);
	RUN(chain_of_later_metrics_is_limited);
	RUN(metrics_keep_their_order_otherwise);
	RUN(list_may_define_metric);
	RUN(uuid_has_lower_case_hexadecimal_digits);
	RUN(shared_uuid_is_accepted);
	RUN(language_version_is_checked);
	RUN(maximum_may_refer_to_any_metric_of_set);
	RUN(counter_missing_from_format_is_rejected);
	RUN(query_counter_requires_query_mode_condition);
	RUN(conditions_accept_constants_only);
	RUN(report_fields_are_for_information_items_only);
	RUN(clocks_are_for_metrics_and_information_items);
	RUN(integer_operator_rejects_fraction);
	RUN(long_equation_is_rejected);
	RUN(number_of_parentheses_is_not_limited);
	RUN(limits_apply_to_each_equation);
	RUN(bank_without_number_is_a_name);
	RUN(describe_returns_equation_as_written);
	RUN(list_may_override_metric_fields);
	RUN(list_overrides_apply_to_bundles);
	RUN(list_overrides_apply_to_nested_bundles);
	RUN(number_of_bundles_is_not_limited);
	RUN(group_sets_defaults);
	RUN(platform_is_defined_once);
	RUN(damaged_definitions_return_einval);
	return tap_end();
}
