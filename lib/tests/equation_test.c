// SPDX-License-Identifier: MIT
/* equation_test.c - Test equations of all platforms, as elements and as text. */
#include "fixture.h"
#include "gpuoa-equation.h"
#include "tap.h"

static const struct gpuoa_set *find_set(const char *platform, const char *symbol)
{
	return gpuoa_platform_find_set(gpuoa_platform_find(platform), symbol, NULL, NULL);
}

static const char *text_of(struct gpuoa_equation equation)
{
	static char text[4096];
	int length = gpuoa_equation_text(equation, text, sizeof(text));

	CHECK(length >= 0 && (size_t)length == strlen(text));
	return text;
}

static struct gpuoa_equation value_of(const struct gpuoa_set *set, const char *symbol)
{
	return gpuoa_metric_equation(gpuoa_set_find_metric(set, symbol), GPUOA_EQUATION_VALUE);
}

static void equation_iterates_over_elements(void)
{
	const struct gpuoa_set *set = find_set("hsw", "RenderBasic");
	struct gpuoa_equation equation = value_of(set, "EuActive");
	struct gpuoa_equation_element element;

	/* The expected equation is A0 * 100 / (GpuCoreClocks * EuCoresTotalCount). */
	REQUIRE(gpuoa_equation_next(&equation, &element, sizeof(element)));
	CHECK(element.kind == GPUOA_ELEMENT_COUNTER);
	CHECK(element.bank == 'A' && element.index == 0 && element.bits == 32);
	REQUIRE(gpuoa_equation_next(&equation, &element, sizeof(element)));
	CHECK(element.kind == GPUOA_ELEMENT_INTEGER && element.integer == 100);
	REQUIRE(gpuoa_equation_next(&equation, &element, sizeof(element)));
	CHECK(element.kind == GPUOA_ELEMENT_OPERATOR);
	CHECK(element.operation == GPUOA_OPERATION_MULTIPLY && !element.is_real);
	REQUIRE(gpuoa_equation_next(&equation, &element, sizeof(element)));
	CHECK(element.kind == GPUOA_ELEMENT_METRIC && element.index == 1);
	CHECK_STRING(element.name, "GpuCoreClocks");
	REQUIRE(gpuoa_equation_next(&equation, &element, sizeof(element)));
	CHECK(element.kind == GPUOA_ELEMENT_CONSTANT);
	CHECK_STRING(element.name, "EuCoresTotalCount");
	REQUIRE(gpuoa_equation_next(&equation, &element, sizeof(element)));
	CHECK(element.operation == GPUOA_OPERATION_MULTIPLY && !element.is_real);
	REQUIRE(gpuoa_equation_next(&equation, &element, sizeof(element)));
	CHECK(element.operation == GPUOA_OPERATION_DIVIDE && element.is_real);
	CHECK(!gpuoa_equation_next(&equation, &element, sizeof(element)));
	CHECK(!gpuoa_equation_next(&equation, &element, sizeof(element)));
}

static void real_number_is_a_real_element(void)
{
	struct gpuoa_equation_element element;
	struct gpuoa_equation equation, all;

	REQUIRE(!gpuoa_equation_parse(find_set("hsw", "RenderBasic"), "A0 * 0.5",
				      GPUOA_EQUATION_VALUE, &all, NULL, 0));
	equation = all;
	REQUIRE(gpuoa_equation_next(&equation, &element, sizeof(element)));
	CHECK(element.kind == GPUOA_ELEMENT_COUNTER && !element.is_real);
	REQUIRE(gpuoa_equation_next(&equation, &element, sizeof(element)));
	CHECK(element.kind == GPUOA_ELEMENT_REAL && element.is_real && element.real == 0.5);
	REQUIRE(gpuoa_equation_next(&equation, &element, sizeof(element)));
	CHECK(element.operation == GPUOA_OPERATION_MULTIPLY && element.is_real);
	gpuoa_equation_free(&all);
}

static void equation_text_returns_postfix(void)
{
	const struct gpuoa_set *set = find_set("hsw", "RenderBasic");
	char text[8];

	CHECK_STRING(text_of(value_of(set, "EuActive")),
		     "A0 100 * GpuCoreClocks EuCoresTotalCount * /");
	CHECK(gpuoa_equation_text(value_of(set, "EuActive"), text, sizeof(text)) == 44);
	CHECK_STRING(text, "A0 100 ");
	CHECK(gpuoa_equation_text(value_of(set, "EuActive"), NULL, 0) == 44);
	CHECK_STRING(text_of(value_of(find_set("bmg", "ComputeBasic"), "GpuCoreClocks")), "CLOCK");
}

static void equation_text_fits_in_any_buffer(void)
{
	static const char expected[] = "A0 100 * GpuCoreClocks EuCoresTotalCount * /";
	const struct gpuoa_equation equation = value_of(find_set("hsw", "RenderBasic"), "EuActive");
	char text[sizeof(expected) + 1];

	for (size_t size = 1; size <= sizeof(expected); size++) {
		memset(text, '#', sizeof(text));
		CHECK(gpuoa_equation_text(equation, text, size) == sizeof(expected) - 1);
		CHECK(strlen(text) == size - 1 && !strncmp(text, expected, size - 1));
		CHECK(text[size] == '#');
	}
}

static void metric_equation_returns_each_role(void)
{
	const struct gpuoa_set *set = find_set("hsw", "RenderBasic");
	const struct gpuoa_metric *sampler = gpuoa_set_find_metric(set, "Sampler1Busy");

	CHECK_STRING(text_of(gpuoa_metric_equation(sampler, GPUOA_EQUATION_MAX)), "100");
	CHECK_STRING(text_of(gpuoa_metric_equation(sampler, GPUOA_EQUATION_AVAILABILITY)),
		     "SubsliceMask 2 &");
	CHECK_STRING(text_of(gpuoa_metric_equation(gpuoa_set_find_metric(set, "GpuTime"),
						   GPUOA_EQUATION_AVAILABILITY)),
		     "");
	CHECK_STRING(text_of(gpuoa_set_equation(set)), "");
	CHECK_STRING(text_of(gpuoa_info_equation(set, gpuoa_set_find_info(set, "ReportId"))),
		     "REPORT_ID");
	CHECK_STRING(text_of(gpuoa_info_equation(set, gpuoa_set_find_info(set, "QueryBeginTime"))),
		     "TIMESTAMP 1000000000 * GpuTimestampFrequency //");
}

/* Check that the elements are valid postfix notation and leave one value. */
static void check_postfix(const char *where, struct gpuoa_equation equation)
{
	struct gpuoa_equation_element element;
	int depth = 0, lowest = 1;

	while (gpuoa_equation_next(&equation, &element, sizeof(element))) {
		bool operator= element.kind == GPUOA_ELEMENT_OPERATOR;

		depth += operator? -1 : 1;
		lowest = depth < lowest ? depth : lowest;
		if (element.kind == GPUOA_ELEMENT_COUNTER && element.bank != 'Q')
			CHECK(element.bits == 32 || element.bits == 40 || element.bits == 64);
		if (element.kind == GPUOA_ELEMENT_CONSTANT || element.kind == GPUOA_ELEMENT_METRIC)
			CHECK(element.name && *element.name);
		else
			CHECK(!element.name);
	}
	if (!CHECK(depth == 1 && lowest == 1))
		printf("# %s\n", where);
}

static void check_set(const struct gpuoa_set *set)
{
	struct gpuoa_set_desc desc;
	const struct gpuoa_metric *metric;
	struct gpuoa_metric_desc metric_desc;

	gpuoa_set_describe(set, &desc, sizeof(desc));
	for (size_t i = 0; (metric = gpuoa_set_get_metric(set, i)); i++) {
		gpuoa_metric_describe(metric, &metric_desc, sizeof(metric_desc));
		check_postfix(metric_desc.symbol,
			      gpuoa_metric_equation(metric, GPUOA_EQUATION_VALUE));
		if (*metric_desc.max)
			check_postfix(metric_desc.max,
				      gpuoa_metric_equation(metric, GPUOA_EQUATION_MAX));
		if (*metric_desc.availability && !metric_desc.query_only)
			check_postfix(metric_desc.availability,
				      gpuoa_metric_equation(metric, GPUOA_EQUATION_AVAILABILITY));
	}
	for (size_t i = 0; i < desc.info_count; i++)
		check_postfix("info", gpuoa_info_equation(set, gpuoa_set_get_info(set, i)));
	if (*desc.availability)
		check_postfix(desc.availability, gpuoa_set_equation(set));
}

static void all_equations_are_valid_postfix(void)
{
	for (size_t p = 0; p < gpuoa_platform_count(); p++) {
		const struct gpuoa_platform *platform = gpuoa_platform_get(p);

		for (size_t s = 0; s < gpuoa_platform_set_count(platform); s++)
			check_set(gpuoa_platform_get_set(platform, s));
	}
}

/* Check the elements of an equation that are no operators. */
static void check_metric_element(struct gpuoa_equation equation, size_t index, bool is_real)
{
	struct gpuoa_equation_element element;

	REQUIRE(gpuoa_equation_next(&equation, &element, sizeof(element)));
	CHECK(element.kind == GPUOA_ELEMENT_METRIC && element.index == index);
	CHECK(element.is_real == is_real);
}

static void check_integer_element(struct gpuoa_equation equation, uint64_t integer)
{
	struct gpuoa_equation_element element;

	while (gpuoa_equation_next(&equation, &element, sizeof(element)))
		if (element.kind == GPUOA_ELEMENT_INTEGER && element.integer == integer) {
			CHECK(!element.is_real && !element.index && !element.bits && !element.name);
			return;
		}
	CHECK(false);
}

static void operators_have_is_real_flag(void)
{
	struct fixture fixture;
	const struct gpuoa_set *set;

	REQUIRE(!fixture_compile(&fixture,
				 "platform x \"X\"\n"
				 "metric A \"A\" \"A.\" = A0 float percent ratio\n"
				 "metric B \"B\" \"B.\" = A * 2 + 0.5 - A1 "
				 "float percent ratio\n"
				 "metric C \"C\" \"C.\" = A1 >> 2 & 0x1234567890 "
				 "uint64 events event\n"
				 "metric D \"D\" \"D.\" = C + B1 uint64 events event\n"
				 "set S \"S\" { uuid \"00000000-0000-4000-8000-000000000001\" "
				 "format A45_B8_C8 on IO metrics { A B C D } "
				 "boolean { 2724=00800000 } }\n"));
	set = gpuoa_platform_get_set(fixture_platform(&fixture), 0);
	CHECK_STRING(text_of(value_of(set, "A")), "A0");
	CHECK_STRING(text_of(value_of(set, "B")), "A 2 *. 0.5 +. A1 -.");
	CHECK_STRING(text_of(value_of(set, "C")), "A1 2 >> 78187493520 &");
	CHECK_STRING(text_of(value_of(set, "D")), "C B1 +");
	check_metric_element(value_of(set, "B"), 0, true);
	check_metric_element(value_of(set, "D"), 2, false);
	check_integer_element(value_of(set, "C"), 2);
	check_integer_element(value_of(set, "C"), 78187493520);
	fixture_free(&fixture);
}

int main(void)
{
	RUN(equation_iterates_over_elements);
	RUN(real_number_is_a_real_element);
	RUN(equation_text_returns_postfix);
	RUN(equation_text_fits_in_any_buffer);
	RUN(metric_equation_returns_each_role);
	RUN(all_equations_are_valid_postfix);
	RUN(operators_have_is_real_flag);
	return tap_end();
}
