/* SPDX-License-Identifier: MIT */
/*
 * lookup.h - find objects by the names that the user gave, and print hints if there is no such
 * object
 */
#ifndef GPUOA_TOOLS_COMMON_LOOKUP_H
#define GPUOA_TOOLS_COMMON_LOOKUP_H

#include <stddef.h>

#include "common/tool.h"

/*
 * On failure, each lookup function prints the error and returns NULL.
 *
 * @device: argument of -d; NULL: the first unit
 */
struct gpuoa_unit *lookup_unit(const char *device);
const struct gpuoa_platform *lookup_unit_platform(const struct tool *tool,
						  const struct gpuoa_unit *unit);
const struct gpuoa_platform *lookup_platform(const struct tool *tool, const char *name);
/* Create the constants of a unit's GPU for a platform's definitions. The caller frees them. */
struct gpuoa_constants *lookup_constants(const struct gpuoa_platform *platform,
					 const struct gpuoa_unit_desc *unit);
/*
 * Find a set by name. If several sets have the name, return the one that is for a GPU with
 * @constants and a unit of @domain ("": any unit). Fails if all are for other GPUs or units.
 */
const struct gpuoa_set *lookup_set(const struct gpuoa_platform *platform, const char *domain,
				   const char *symbol, const struct gpuoa_constants *constants);

/* Return whether a set belongs to a domain; "" matches every set. */
bool set_is_of_domain(const struct gpuoa_set *set, const char *domain);

/* A search for the valid name that is closest to a mistyped one, for "did you mean" */
struct suggestion {
	const char *wanted;
	const char *best; /* NULL: none is close */
	size_t distance;
};

/* Begin a search. Then pass each valid name to suggest_offer(). */
struct suggestion suggest_begin(const char *wanted);
void suggest_offer(struct suggestion *suggestion, const char *name);

/*
 * Text for a message, to be followed by more text: "; did you mean 'X'? ", or ". " without a
 * suggestion
 */
#define SUGGEST_FORMAT "%s%s%s"
#define SUGGEST_ARGS(s) \
	(s).best ? "; did you mean '" : ". ", (s).best ? (s).best : "", (s).best ? "'? " : ""

/* Maximum number of entries that gpuoa_check_access() returns */
#define ACCESS_CHECKS_MAX 32

/*
 * Describe the first access check that fails for this process, as 'gpuoa doctor' prints it.
 *
 * @unit: name of the unit
 * @err: negative errno of a library function
 * @text: receives "cause -> remedy"; unchanged if @err is not an access error or no check fails
 * @size: size of @text in bytes
 */
void access_hint(const char *unit, int err, char *text, size_t size);

#endif /* GPUOA_TOOLS_COMMON_LOOKUP_H */
