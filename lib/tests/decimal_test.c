// SPDX-License-Identifier: MIT
/*
 * decimal_test.c - Check that fractional numbers in definitions are written as they were read, in
 * any locale.
 */
#include <inttypes.h>
#include <locale.h>
#include <stdlib.h>
#include <unistd.h>

#include "base/decimal.h"
#include "definitions/language/definition.h"
#include "definitions/language/postfix.h"
#include "fixture.h"
#include "gpuoa.h"
#include "tap.h"

static void check_number(const char *number, const char *expected)
{
	struct expression expression;
	char text[DECIMAL_SIZE];

	REQUIRE(!postfix_read_number(number, &expression));
	decimal_print(text, expression.real);
	CHECK_STRING(text, expected);
}

static void print_returns_shortest_digits(void)
{
	check_number("1.5", "1.5");
	check_number("3.0", "3.0");
	check_number("3.000", "3.0");
	check_number("0.0", "0.0");
	check_number("0.1", "0.1");
	check_number("0.30", "0.3");
	check_number("0.0000000001", "0.0000000001");
	check_number("0.00000000000001", "0.00000000000001");
	check_number("0.99999999999999", "0.99999999999999");
	check_number("99999999999999.9", "99999999999999.9");
	check_number("12345678.0000001", "12345678.0000001");
}

static void numbers_of_15_digits_round_trip(void)
{
	uint64_t state = 1;

	for (int i = 0; i < 200000; i++) {
		const int digits = 1 + (int)(fixture_random(&state) % 14);
		uint64_t scale = 1, mantissa = fixture_random(&state) % UINT64_C(1000000000000000);
		struct expression first, second;
		char text[DECIMAL_SIZE];

		for (int k = 0; k < digits; k++)
			scale *= 10;
		mantissa >>= fixture_random(&state) % 50;
		snprintf(text, sizeof(text), "%" PRIu64 ".%0*" PRIu64, mantissa / scale, digits,
			 mantissa % scale);
		REQUIRE(!postfix_read_number(text, &first) && first.kind == EXPRESSION_REAL);
		decimal_print(text, first.real);
		if (!CHECK(!postfix_read_number(text, &second) && second.real == first.real)) {
			printf("# %s\n", text);
			return;
		}
	}
}

static void large_numbers_print_with_point(void)
{
	char text[DECIMAL_SIZE];

	decimal_print(text, 0x1p60);
	CHECK_STRING(text, "1152921504606846976.0");
	decimal_print(text, 1.0 / 3);
	CHECK_STRING(text, "0.333333333333333");
	decimal_print(text, 1e300);
	CHECK_STRING(text, "18446744073709551616.0");
}

/* Parse a definition of a metric with these watermarks, and return the metric. */
static const struct gpuoa_metric *parse_watermarks(const char *low, const char *high,
						   struct gpuoa_definitions **definitions)
{
	char text[256], message[256] = "";

	snprintf(text, sizeof(text),
		 "platform t \"T\" metric M \"M\" = A0 float x event watermarks %s %s\n"
		 "set S { uuid \"00000000-0000-4000-8000-000000000001\" format A13 metrics { M } }",
		 low, high);
	if (gpuoa_definitions_parse("user", text, strlen(text), definitions, message,
				    sizeof(message))) {
		CHECK_STRING(message, "");
		return NULL;
	}
	return gpuoa_set_get_metric(
		gpuoa_platform_get_set(gpuoa_definitions_get_platform(*definitions, 0), 0), 0);
}

/* Check that the platform's text has the watermarks @low and @high and can be parsed again. */
static void check_watermarks(const char *low, const char *high, double low_value, double high_value)
{
	struct gpuoa_definitions *definitions, *again = NULL;
	const struct gpuoa_metric *metric = parse_watermarks(low, high, &definitions);
	struct gpuoa_metric_desc desc;
	char text[1024], clause[128];

	REQUIRE(metric);
	gpuoa_metric_describe(metric, &desc, sizeof(desc));
	CHECK(desc.has_watermarks && desc.low == low_value && desc.high == high_value);
	gpuoa_platform_text(gpuoa_definitions_get_platform(definitions, 0), text, sizeof(text));
	snprintf(clause, sizeof(clause), "\t\t\twatermarks %s %s\n", low, high);
	CHECK(strstr(text, clause));
	CHECK(!gpuoa_definitions_parse("again", text, strlen(text), &again, NULL, 0));
	gpuoa_definitions_free(again);
	gpuoa_definitions_free(definitions);
}

static void watermarks_of_any_size_are_written_and_read(void)
{
	check_watermarks("0", "0.5", 0, 0.5);
	check_watermarks("1", "2.25", 1, 2.25);
	check_watermarks("99999999999999.5", "999999999999999", 99999999999999.5, 999999999999999);
	check_watermarks("9007199254740992", "9223372036854775808", 0x1p53, 0x1p63);
	check_watermarks("18446744073709549568", "18446744073709551615", 0x1p64 - 0x1p11, 0x1p64);
}

#define XML                                                                                  \
	"<metrics><set chipset=\"T\" symbol_name=\"S\" name=\"S\""                           \
	" hw_config_guid=\"00000000-0000-4000-8000-000000000001\" oa_format=\"A45_B8_C8\">"  \
	"<counter symbol_name=\"M\" data_type=\"float\" units=\"x\" semantic_type=\"event\"" \
	" equation=\"B 0 READ 0.0000000001 FMUL 1.5 FADD 3.0 FADD\"/></set></metrics>"
#define INFIX "B0 * 0.0000000001 + 1.5 + 3.0"
#define POSTFIX "B0 0.0000000001 *. 1.5 +. 3.0 +."

/* Compare the equation of the platform's only metric with @text. */
static void check_texts(const char *text)
{
	struct gpuoa_definitions *definitions;
	const struct gpuoa_metric *metric;
	struct gpuoa_metric_desc desc;
	char message[256] = "", postfix[256];

	if (!CHECK(!gpuoa_definitions_parse("user", text, strlen(text), &definitions, message,
					    sizeof(message)))) {
		printf("# %s\n", message);
		return;
	}
	metric = gpuoa_set_get_metric(
		gpuoa_platform_get_set(gpuoa_definitions_get_platform(definitions, 0), 0), 0);
	gpuoa_metric_describe(metric, &desc, sizeof(desc));
	CHECK_STRING(desc.equation, INFIX);
	gpuoa_equation_text(gpuoa_metric_equation(metric, GPUOA_EQUATION_VALUE), postfix,
			    sizeof(postfix));
	CHECK_STRING(postfix, POSTFIX);
	gpuoa_definitions_free(definitions);
}

static void equations_print_in_definition_language(void)
{
	check_texts(XML);
	check_texts("platform t \"T\" metric M \"M\" \"D.\" = " INFIX " float x event\n"
		    "set S \"S\" { uuid \"00000000-0000-4000-8000-000000000001\"\n"
		    "format A45_B8_C8 metrics { M } }");
}

/* Generate and activate a locale with a decimal comma. */
static bool take_comma_locale(const char *directory)
{
	char command[256];

	snprintf(command, sizeof(command),
		 "localedef -i de_DE -f UTF-8 %s/de_DE.UTF-8 >/dev/null 2>&1", directory);
	if (system(command) == -1 || setenv("LOCPATH", directory, 1))
		return false;
	return setlocale(LC_ALL, "de_DE.UTF-8") && *localeconv()->decimal_point == ',';
}

int main(void)
{
	char directory[] = "/tmp/gpuoa-locale-XXXXXX", command[64];
	bool comma = mkdtemp(directory) && take_comma_locale(directory);

	RUN(print_returns_shortest_digits);
	RUN(numbers_of_15_digits_round_trip);
	RUN(large_numbers_print_with_point);
	RUN(watermarks_of_any_size_are_written_and_read);
	RUN(equations_print_in_definition_language);
	if (!comma)
		puts("ok 5 - all of this where numbers have a comma # SKIP no localedef of de_DE");
	else
		puts("ok 5 - all of this where numbers have a comma");
	tap.count++;
	snprintf(command, sizeof(command), "rm -rf %s", directory);
	CHECK(system(command) != -1);
	return tap_end();
}
