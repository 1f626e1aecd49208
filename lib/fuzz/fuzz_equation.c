// SPDX-License-Identifier: MIT
/*
 * fuzz_equation.c - Parse, evaluate and convert custom equations in this library's notation or
 * MDAPI's, and add them as metrics of a new set.
 *
 * Most inputs use a small platform: building a set recompiles all sets of its platform, which takes
 * 0.1 s for a built-in one.
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

/*
 * A small platform that has operands of each kind: counters, constants, metrics of both types, and
 * a condition
 */
static const char definition[] =
	"platform small \"Small\"\n"
	"constant EuCoresTotalCount \"-\" constant SliceMask \"-\"\n"
	"constant GpuTimestampFrequency \"-\"\n"
	"metric GpuTime \"-\" \"-\" = TIMESTAMP * 1000000000 // GpuTimestampFrequency\n"
	"	uint64 ns duration\n"
	"metric GpuCoreClocks \"-\" \"-\" = CLOCK uint64 cycles event\n"
	"metric GpuBusy \"-\" \"-\" = A0 * 100 / GpuCoreClocks float percent ratio max 100\n"
	"metric Slice \"-\" \"-\" = B0 + C7 uint64 events event max SliceMask * GpuCoreClocks\n"
	"	if SliceMask & 1 and EuCoresTotalCount > 1\n"
	"info Reason \"-\" \"-\" = REPORT_ID >> 19 & 63 uint64 x raw\n"
	"set S \"S\" { uuid \"00000000-0000-4000-8000-000000000001\" format A32u40_A4u32_B8_C8\n"
	"	mux { 9888=1 } metrics { GpuTime GpuCoreClocks GpuBusy Slice } }\n"
	"set T \"T\" { uuid \"00000000-0000-4000-8000-000000000002\" format A45_B8_C8\n"
	"	metrics { GpuTime } }\n";

/*
 * An input is two bytes, followed by texts that each end with a newline. The first byte selects the
 * platform: a built-in one from BUILT_IN on, else the small one above. The second byte selects the
 * set.
 */
#define BUILT_IN 192

struct input {
	const struct gpuoa_platform *platform;
	const struct gpuoa_set *set;
	struct gpuoa_constants *constants;
	bool is_small;
	char texts[TEXTS][TEXT_SIZE];
};

enum text { EQUATION, MAXIMUM, CONDITION, READ, DELTA };

/* After an error, the message must be one line of text; after success, it must be empty. */
static void check_error(int err, const char *error)
{
	MUST(err || !*error);
	MUST(!err || (*error && !strchr(error, '\n')));
}

/* Convert an equation to MDAPI's notation. The result can be parsed again. */
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

/*
 * Write an equation as text. The text must have as many words as the equation has elements, and the
 * length that is returned.
 */
static void check_text(struct gpuoa_equation equation)
{
	static char text[RESTATED_SIZE], shorter[RESTATED_SIZE];
	struct gpuoa_equation_element element;
	const int length = gpuoa_equation_text(equation, text, sizeof(text));
	size_t elements = 0, words = 0;

	MUST(length >= 0 && (size_t)length < sizeof(text) && strlen(text) == (size_t)length);
	MUST(gpuoa_equation_text(equation, shorter, (size_t)length / 2 + 1) == length);
	MUST(!strncmp(text, shorter, (size_t)length / 2) && strlen(shorter) == (size_t)length / 2);
	for (const char *at = text; *at; at++)
		words += *at != ' ' && (at == text || at[-1] == ' ');
	while (gpuoa_equation_next(&equation, &element, sizeof(element)))
		elements++;
	MUST(elements == words);
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
	check_text(equation);
	if (role == GPUOA_EQUATION_VALUE)
		restate(input, &equation);
	gpuoa_equation_free(&equation);
}

/* Parse an equation in MDAPI's notation and convert it. The result can be parsed again. */
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

/* Build a set with these metrics and calculate with it, if the metrics are valid. */
static void build(const struct input *input)
{
	static const struct gpuoa_reg reg = { 0x9888, 0x14150001 };
	const struct gpuoa_register_list list = {
		.kind = GPUOA_REGISTER_MUX,
		.registers = &reg,
		.count = 1,
	};
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

static const struct gpuoa_platform *small_platform(void)
{
	static struct gpuoa_definitions *definitions;
	char error[256];

	if (!definitions && gpuoa_definitions_parse("small", definition, sizeof(definition) - 1,
						    &definitions, error, sizeof(error))) {
		fprintf(stderr, "%s\n", error);
		abort();
	}
	return gpuoa_definitions_get_platform(definitions, 0);
}

/* Constants of each platform; all inputs share them. */
static struct gpuoa_constants *constants_of(const struct gpuoa_platform *platform, uint8_t number)
{
	static struct gpuoa_constants *all[UINT8_MAX + 1];

	if (!all[number]) {
		MUST(!gpuoa_constants_new(platform, &all[number]));
		exercise_constants(all[number], 1);
	}
	return all[number];
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	struct input input = { .platform = NULL };
	uint8_t number = 0;

	if (size < 2)
		return 0;
	input.platform = small_platform();
	input.is_small = data[0] < BUILT_IN;
	if (!input.is_small) {
		number = BUILT_IN + (data[0] - BUILT_IN) % gpuoa_platform_count();
		input.platform = gpuoa_platform_get(number - BUILT_IN);
	}
	input.set = gpuoa_platform_get_set(input.platform,
					   data[1] % gpuoa_platform_set_count(input.platform));
	input.constants = constants_of(input.platform, number);
	take_texts(&input, data + 2, size - 2);
	parse(&input, EQUATION, GPUOA_EQUATION_VALUE);
	parse(&input, MAXIMUM, GPUOA_EQUATION_MAX);
	parse(&input, CONDITION, GPUOA_EQUATION_AVAILABILITY);
	from_mdapi(&input);
	if (input.is_small)
		build(&input);
	return 0;
}
