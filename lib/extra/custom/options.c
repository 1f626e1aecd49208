// SPDX-License-Identifier: MIT
/* options.c - the options of event descriptors' instances */
#include "extra/custom/prototypes.h"

static const struct gpuoa_option_choice threads[] = {
	{ 0, "all", "of all stages" },	    { 1, "vs", "of vertex shaders" },
	{ 2, "hs", "of hull shaders" },	    { 3, "ds", "of domain shaders" },
	{ 4, "gs", "of geometry shaders" }, { 5, "ps", "of pixel shaders" },
	{ 6, "cs", "of compute shaders" },
};

static const struct gpuoa_option_choice rows[] = {
	{ 0, "all", "of all rows" },
	{ 1, "row0", "of the first row of each subslice" },
	{ 2, "row1", "of the second row of each subslice" },
};

static const struct gpuoa_option_choice eus[] = {
	{ 0, "all", "of all EUs" },
	{ 1, "eu0", "of the first of four EUs" },
	{ 2, "eu1", "of the second of four EUs" },
	{ 3, "eu2", "of the third of four EUs" },
	{ 4, "eu3", "of the fourth of four EUs" },
};

static const struct gpuoa_option_choice instructions[] = {
	{ 0, "all", "of all instructions" },
	{ 1, "hybrid", "of hybrid instructions" },
	{ 2, "ternary", "of instructions with three operands" },
	{ 3, "binary", "of instructions with two operands" },
	{ 4, "move", "of moves" },
};

static const struct gpuoa_option_choice flags[] = {
	{ 0, "no", "as it is" },
	{ 1, "yes", "normalized" },
};

#define CHOICES(array) .choices = array, .choice_count = sizeof(array) / sizeof((array)[0])

static const struct gpuoa_option_desc descs[] = {
	{ .option = GPUOA_OPTION_THREADS,
	  .symbol = "threads",
	  .description = "Whose threads count.",
	  CHOICES(threads) },
	{ .option = GPUOA_OPTION_ROW,
	  .symbol = "row",
	  .description = "The row of EUs that counts.",
	  CHOICES(rows) },
	{ .option = GPUOA_OPTION_EU,
	  .symbol = "eu",
	  .description = "The EU of each four that counts.",
	  CHOICES(eus) },
	{ .option = GPUOA_OPTION_INSTRUCTIONS,
	  .symbol = "instructions",
	  .description = "The kind of instructions that counts.",
	  CHOICES(instructions) },
	{ .option = GPUOA_OPTION_DISAGGREGATION,
	  .symbol = "disaggregation",
	  /* prototypes_set_parts() adds the choices */
	  .description = "The part of the GPU that counts." },
	{ .option = GPUOA_OPTION_UTILIZATION,
	  .symbol = "utilization",
	  .description = "Percent of the most that the units that count could do.",
	  CHOICES(flags),
	  .normalization = true },
	{ .option = GPUOA_OPTION_AVERAGE,
	  .symbol = "average",
	  .description = "Of one of the units that count, on average.",
	  CHOICES(flags),
	  .normalization = true },
	{ .option = GPUOA_OPTION_RATE,
	  .symbol = "rate",
	  .description = "Per nanosecond; of bytes, 10^9 bytes a second.",
	  CHOICES(flags),
	  .normalization = true },
	{ .option = GPUOA_OPTION_BYTE,
	  .symbol = "byte",
	  .description = "In bytes, of which each event moves 64.",
	  CHOICES(flags),
	  .normalization = true },
};

const struct gpuoa_option_desc *option_desc(enum gpuoa_option option)
{
	return (size_t)option < sizeof(descs) / sizeof(descs[0]) ? &descs[option] : NULL;
}

const struct gpuoa_option_desc *prototype_find_option(const struct prototypes *prototypes,
						      const struct prototype *prototype,
						      enum gpuoa_option option)
{
	return option == GPUOA_OPTION_DISAGGREGATION && prototype->part != PART_NONE ?
		       &prototypes->parts[prototype->part] :
		       option_desc(option);
}

const struct gpuoa_option_desc *prototype_option(const struct prototypes *prototypes,
						 const struct prototype *prototype, size_t index)
{
	for (size_t i = 0; i < sizeof(descs) / sizeof(descs[0]); i++)
		if (prototype->options & 1u << descs[i].option && !index--)
			return prototype_find_option(prototypes, prototype, descs[i].option);
	return NULL;
}
