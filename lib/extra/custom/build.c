// SPDX-License-Identifier: MIT
/* build.c - compile the added sets and metrics together with the platform's own */
#include <errno.h>

#include "definitions/language/lexer.h"
#include "definitions/load/extend.h"
#include "definitions/load/load.h"
#include "extra/custom/program.h"

/* Add the constants of assigned instances' equations; the compiler drops unused ones. */
static int add_constants(const struct gpuoa_custom *custom, struct definition *definition,
			 struct arena *arena)
{
	bool good = true;

	if (custom->prototypes.bank != BANK_PEC)
		return 0;
	for (const struct instance *i = custom->instances; i && good; i = i->next)
		good = !i->set ||
		       pec_add_flag(i->prototype, i->values, &definition->constants, arena);
	return good && pec_add_constants(&definition->constants, arena) ? 0 : -ENOMEM;
}

/* The definitions begin with the platform's own sets, so the list is linked anew for each build. */
int gpuoa_custom_build(struct gpuoa_custom *custom, struct gpuoa_definitions **definitions,
		       char *error, size_t error_size)
{
	const struct complaint complaint = complaint_begin(error, error_size);
	struct definition definition = custom->definition;
	const struct definition *const list[] = { &definition };
	struct set_definition **tail = &definition.sets;
	struct arena arena = { 0 };
	int err;

	custom->diagnostic.text[0] = '\0';
	err = custom_program(custom, &complaint);
	for (struct custom_set *set = custom->sets; set && !err; set = set->next) {
		*tail = set->definition;
		set->definition->next = NULL;
		tail = &set->definition->next;
		if (!set->definition->uses)
			err = COMPLAIN(&complaint, -EINVAL, "set %s has no metrics",
				       set->definition->symbol);
	}
	if (err)
		return complaint_end(&complaint, err);
	err = add_constants(custom, &definition, &arena);
	if (!err)
		err = definition_extend(&definition, custom->platform, &arena, &custom->diagnostic);
	if (!err)
		err = definitions_compile(list, 1, definitions, &custom->diagnostic);
	if (err)
		diagnostic_complain(&complaint, err, definition.name, &custom->diagnostic);
	arena_free(&arena);
	return err;
}
