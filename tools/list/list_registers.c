// SPDX-License-Identifier: MIT
/*
 * list_registers.c - the list of registers that are written to the GPU for a metric set
 */
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>

#include "list/list.h"

/* Registers are printed as in metric definitions. */
#define HEX_SIZE 11

static void print_register(struct output *output, enum gpuoa_register_kind kind,
			   const struct gpuoa_reg *reg)
{
	char address[HEX_SIZE], value[HEX_SIZE];

	snprintf(address, sizeof(address), "0x%05" PRIx32, reg->address);
	snprintf(value, sizeof(value), "0x%08" PRIx32, reg->value);
	const struct field fields[] = {
		FIELD_OF_TEXT("kind", "KIND", gpuoa_register_kind_name(kind)),
		FIELD_OF_TEXT("address", "ADDRESS", address),
		FIELD_OF_TEXT("value", "VALUE", value),
	};
	output_record(output, fields, FIELD_COUNT(fields));
}

/* Print the registers of a kind. Returns their number, or a negative errno. */
static int print_kind(struct output *output, const struct gpuoa_set *set,
		      enum gpuoa_register_kind kind, const struct gpuoa_constants *constants)
{
	const int count = gpuoa_set_registers(set, kind, constants, NULL, 0);
	struct gpuoa_reg *regs = count > 0 ? calloc((size_t)count, sizeof(*regs)) : NULL;

	if (regs)
		gpuoa_set_registers(set, kind, constants, regs, (size_t)count);
	for (int i = 0; regs && i < count; i++)
		print_register(output, kind, &regs[i]);
	free(regs);
	return count > 0 && !regs ? -1 : count;
}

int list_registers(const struct tool *tool, const struct gpuoa_set *set,
		   const struct gpuoa_constants *constants)
{
	static const enum gpuoa_register_kind kinds[] = {
		GPUOA_REGISTER_MUX,
		GPUOA_REGISTER_BOOLEAN,
		GPUOA_REGISTER_FLEX,
	};
	struct output output;
	int count = 0;

	output_begin(&output, tool->format);
	for (size_t i = 0; i < sizeof(kinds) / sizeof(kinds[0]) && count >= 0; i++)
		count = print_kind(&output, set, kinds[i], constants);
	output_end(&output);
	return count >= 0 ? EXIT_OK :
			    fail("the set's registers depend on a constant that "
				 "this GPU does not report");
}
