/* SPDX-License-Identifier: MIT */
/* custom.h - sets and metrics in the making. */
#ifndef GPUOA_LIB_CUSTOM_CUSTOM_H
#define GPUOA_LIB_CUSTOM_CUSTOM_H

#include "base/arena.h"
#include "base/complaint.h"
#include "base/name_map.h"
#include "definitions/language/definition.h"
#include "gpuoa-custom.h"

/* A set that was added, or one of the platform to which something was. */
struct custom_set {
	struct custom_set *next;
	struct set_definition *definition;
};

struct gpuoa_custom {
	const struct gpuoa_platform *platform;
	struct arena arena; /* all that is made, also what was removed again */
	struct definition definition; /* .sets are those of .sets, but for the links between them */
	struct custom_set *sets;
	struct diagnostic diagnostic;
};

/*
 * The next set behind @after that @name means, "Mine" or "OAM0/Mine"; NULL: there is none. The
 * first one: @after is NULL.
 */
struct custom_set *custom_find(const struct gpuoa_custom *custom, const struct custom_set *after,
			       const char *name);

/* Sets keep the order in which they are added. */
void custom_append(struct gpuoa_custom *custom, struct custom_set *set);

/* Zero-terminated copy that lives as long as @custom. NULL: no memory. */
const char *custom_string(struct gpuoa_custom *custom, const char *text);

/* Is it a text that definitions can have: UTF-8 on one line, without quotes? -EINVAL, complained.
 */
int custom_check_text(const char *text, const char *what, const struct complaint *complaint);

/* Read an equation of @what, "equation of Mine". NULL or "": there is none. */
int custom_equation(struct gpuoa_custom *custom, const char *text, const char *what,
		    struct equation *equation, const struct complaint *complaint);

/* The use of a metric in a set, or NULL. */
struct metric_use *custom_find_use(const struct custom_set *set, const char *symbol);

#endif /* GPUOA_LIB_CUSTOM_CUSTOM_H */
