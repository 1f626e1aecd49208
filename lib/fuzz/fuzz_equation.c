// SPDX-License-Identifier: MIT
/*
 * fuzz_equation.c - equations of the caller's, in our notation or in MDAPI's: parsed, evaluated,
 * restated, and made metrics of a set of one's own.
 */
#include <errno.h>
#include <string.h>

#include "exercise.h"
#include "gpuoa-custom.h"
#include "gpuoa-equation.h"

#define TEXTS 5
#define TEXT_SIZE 512
#define RESTATED_SIZE 65536

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

/* What an input says: a byte that chooses the set, then texts, each ended by a newline. */
struct input {
	const struct gpuoa_platform *platform;
	const struct gpuoa_set *set;
	struct gpuoa_constants *constants;
	char texts[TEXTS][TEXT_SIZE];
};

enum text { EQUATION, MAXIMUM, CONDITION, READ, DELTA };

/* An error has one line that says what is wrong; success has none. */
static void check_error(int err, const char *error)
{
	MUST(err || !*error);
	MUST(!err || (*error && !strchr(error, '\n')));
}

/* What is restated for MDAPI is read again. */
static void restate(const struct input *input, const struct gpuoa_equation *equation)
{
	static char text[RESTATED_SIZE], back[RESTATED_SIZE];
	struct gpuoa_mdapi_equation mdapi;
	char error[256] = "";
	int err =
		gpuoa_equation_to_mdapi(equation, &mdapi, text, sizeof(text), error, sizeof(error));

	if (err) {
		MUST(err == -ENOENT || err == -ENOSPC || err == -EOPNOTSUPP);
		return;
	}
	err = gpuoa_equation_from_mdapi(input->set, &mdapi, back, sizeof(back), error,
					sizeof(error));
	if (err < 0) {
		fprintf(stderr, "%s | %s | %s: %s\n", mdapi.read, mdapi.delta, mdapi.norm, error);
		abort();
	}
}

static void parse(const struct input *input, enum text which, enum gpuoa_equation_role role)
{
	static uint8_t reports[2][1024];
	struct gpuoa_equation equation;
	struct gpuoa_typed_value value;
	char error[256] = "";
	const int err = gpuoa_equation_parse(input->set, input->texts[which], role, &equation,
					     error, sizeof(error));

	check_error(err, error);
	if (err) {
		MUST(err == -EINVAL);
		return;
	}
	memset(reports[1], 0x5a, sizeof(reports[1]));
	gpuoa_equation_evaluate(&equation, input->constants, NULL, NULL, &value);
	gpuoa_equation_evaluate(&equation, input->constants, reports[0], reports[1], &value);
	if (role == GPUOA_EQUATION_VALUE)
		restate(input, &equation);
	gpuoa_equation_free(&equation);
}

/* What MDAPI says and we accept, we parse. */
static void from_mdapi(const struct input *input)
{
	static char text[RESTATED_SIZE];
	const struct gpuoa_mdapi_equation mdapi = {
		.read = input->texts[READ],
		.delta = input->texts[DELTA],
		.norm = input->texts[EQUATION],
	};
	struct gpuoa_equation equation;
	char error[256] = "";
	const int length = gpuoa_equation_from_mdapi(input->set, &mdapi, text, sizeof(text), error,
						     sizeof(error));

	check_error(length < 0 ? length : 0, error);
	if (length < 0 || (size_t)length >= sizeof(text) || !length)
		return;
	MUST(strlen(text) == (size_t)length);
	if (gpuoa_equation_parse(input->set, text, GPUOA_EQUATION_VALUE, &equation, error,
				 sizeof(error))) {
		fprintf(stderr, "%s: %s\n", text, error);
		abort();
	}
	gpuoa_equation_free(&equation);
}

static void add_metrics(const struct input *input, struct gpuoa_custom *custom)
{
	struct gpuoa_metric_desc desc = {
		.symbol = "First",
		.units = "events",
		.equation = input->texts[EQUATION],
		.max = input->texts[MAXIMUM],
		.availability = input->texts[CONDITION],
	};
	char error[256] = "";

	check_error(gpuoa_custom_add_metric(custom, "Mine", &desc, sizeof(desc), error,
					    sizeof(error)),
		    error);
	desc.symbol = "Second";
	desc.equation = "First + 1";
	*error = '\0';
	check_error(gpuoa_custom_add_metric(custom, "Mine", &desc, sizeof(desc), error,
					    sizeof(error)),
		    error);
}

/* A set with these metrics, if they are any good, calculates as all sets do. */
static void build(const struct input *input)
{
	static const struct gpuoa_reg reg = { 0x9888, 0x14150001 };
	const struct gpuoa_register_list list = { GPUOA_REGISTER_MUX, &reg, 1, NULL };
	struct gpuoa_set_desc base, desc = { .symbol = "Mine" };
	struct gpuoa_definitions *definitions;
	struct gpuoa_custom *custom;
	char error[256] = "";
	int err;

	gpuoa_set_describe(input->set, &base, sizeof(base));
	desc.format = base.format;
	desc.domain = base.domain;
	MUST(!gpuoa_custom_new(input->platform, &custom));
	MUST(!gpuoa_custom_add_set(custom, &desc, sizeof(desc), &list, 1, NULL, error,
				   sizeof(error)));
	add_metrics(input, custom);
	*error = '\0';
	err = gpuoa_custom_build(custom, &definitions, error, sizeof(error));
	check_error(err, error);
	if (!err) {
		exercise_platform(gpuoa_definitions_get_platform(definitions, 0));
		gpuoa_definitions_free(definitions);
	}
	gpuoa_custom_free(custom);
}

static void take_texts(struct input *input, const uint8_t *data, size_t size)
{
	size_t text = 0, length = 0;

	for (size_t i = 0; i < size && text < TEXTS; i++)
		if (data[i] == '\n') {
			text++;
			length = 0;
		} else if (data[i] && length < TEXT_SIZE - 1) {
			input->texts[text][length++] = (char)data[i];
		}
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	struct input input = { .platform = NULL };

	if (size < 2)
		return 0;
	input.platform = gpuoa_platform_get(data[0] % gpuoa_platform_count());
	input.set = gpuoa_platform_get_set(input.platform,
					   data[1] % gpuoa_platform_set_count(input.platform));
	take_texts(&input, data + 2, size - 2);
	MUST(!gpuoa_constants_new(input.platform, &input.constants));
	exercise_constants(input.constants, 1);
	parse(&input, EQUATION, GPUOA_EQUATION_VALUE);
	parse(&input, MAXIMUM, GPUOA_EQUATION_MAX);
	parse(&input, CONDITION, GPUOA_EQUATION_AVAILABILITY);
	from_mdapi(&input);
	build(&input);
	gpuoa_constants_free(input.constants);
	return 0;
}
