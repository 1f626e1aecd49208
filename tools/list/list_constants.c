// SPDX-License-Identifier: MIT
/*
 * list_constants.c - the list of constants that a platform's equations use
 */
#include "list/list.h"

static void print_constant(struct output *output, const struct gpuoa_constant_desc *desc)
{
	const struct field fields[] = {
		FIELD_OF_TEXT("name", "CONSTANT", desc->name),
		{ .name = "value",
		  .heading = "VALUE",
		  .kind = desc->provenance == GPUOA_PROVENANCE_NONE ? FIELD_NONE : FIELD_NUMBER,
		  .number = desc->value },
		FIELD_OF_TEXT("origin", "ORIGIN", gpuoa_provenance_name(desc->provenance)),
		FIELD_OF_TEXT("kind", NULL, gpuoa_constant_kind_name(desc->kind)),
		FIELD_OF_TEXT("description", "DESCRIPTION", desc->description),
	};

	output_record(output, fields, FIELD_COUNT(fields));
}

int list_constants(const struct tool *tool, const struct gpuoa_constants *constants)
{
	struct gpuoa_constant_desc desc;
	struct output output;

	output_begin(&output, tool->format);
	for (size_t i = 0; !gpuoa_constants_describe(constants, i, &desc, sizeof(desc)); i++)
		print_constant(&output, &desc);
	output_end(&output);
	return EXIT_OK;
}
