// SPDX-License-Identifier: MIT
/*
 * fuzz_xml.c - Parse XML that has the right structure and random attributes.
 *
 * Few random changes of XML are well-formed, so the input is not XML. It consists of lines, and
 * each line becomes the value of an attribute. Only the last element of the XML receives the rest
 * of the input unchanged.
 */
#include <errno.h>
#include <string.h>

#include "exercise.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

struct text {
	char bytes[65536];
	size_t length;
};

static void put(struct text *text, const char *string)
{
	const size_t room = sizeof(text->bytes) - text->length;

	text->length += snprintf(text->bytes + text->length, room, "%s", string);
	if (text->length >= sizeof(text->bytes))
		text->length = sizeof(text->bytes) - 1;
}

/* Write the next line of the input as the value of an attribute. */
static void put_attribute(struct text *text, const char *name, const uint8_t **data,
			  const uint8_t *end)
{
	put(text, name);
	put(text, "=\"");
	for (; *data < end && **data != '\n'; ++*data) {
		char c[8] = { **data, 0 };

		if (strchr("<>&\"", *c) || (uint8_t)*c < ' ' || (uint8_t)*c > 0x7e)
			snprintf(c, sizeof(c), "&#%u;", **data < ' ' ? ' ' : **data);
		put(text, c);
	}
	*data += *data < end;
	put(text, "\" ");
}

static void put_counters(struct text *text, const uint8_t *data, const uint8_t *end)
{
	for (int i = 0; data < end && i < 8; i++) {
		char symbol[32];

		snprintf(symbol, sizeof(symbol), "<counter symbol_name=\"M%d\" ", i);
		put(text, symbol);
		put_attribute(text, "data_type", &data, end);
		put_attribute(text, "equation", &data, end);
		put_attribute(text, "max_equation", &data, end);
		put_attribute(text, "availability", &data, end);
		put(text, "semantic_type=\"event\"/>");
	}
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	static struct text text;
	const uint8_t *end = data + size;
	struct gpuoa_definitions *definitions;
	const struct gpuoa_platform *platform;
	char error[256] = "";
	int err;

	text.length = 0;
	put(&text, "<metrics><set symbol_name=\"S\" hw_config_guid=\""
		   "00000000-0000-4000-8000-000000000001\" ");
	put_attribute(&text, "chipset", &data, end);
	put_attribute(&text, "oa_format", &data, end);
	put(&text, "><register_config type=\"NOA\" ");
	put_attribute(&text, "availability", &data, end);
	put(&text, "><register ");
	put_attribute(&text, "address", &data, end);
	put(&text, "value=\"1\"/></register_config>");
	put_counters(&text, data, end);
	put(&text, "</set></metrics>");
	err = gpuoa_definitions_parse("fuzz", text.bytes, text.length, &definitions, error,
				      sizeof(error));
	MUST(!err || (err == -EINVAL && *error && !strchr(error, '\n')));
	if (err)
		return 0;
	for (size_t i = 0; (platform = gpuoa_definitions_get_platform(definitions, i)); i++)
		exercise_platform(platform);
	gpuoa_definitions_free(definitions);
	return 0;
}
