/* SPDX-License-Identifier: MIT */
/* custom.h - sets and metrics in the making. */
#ifndef GPUOA_LIB_CUSTOM_CUSTOM_H
#define GPUOA_LIB_CUSTOM_CUSTOM_H

#include "base/arena.h"
#include "base/complaint.h"
#include "base/name_map.h"
#include "custom/prototypes.h"
#include "definitions/language/definition.h"
#include "gpuoa-programmable.h"

/* A set that was added, or one of the platform to which something was. */
struct custom_set {
	struct custom_set *next;
	struct set_definition *definition;
	bool programmed; /* its counters count what its instances want */
};

#define OPTION_COUNT (GPUOA_OPTION_BYTE + 1)

/* An instance of a prototype. */
struct instance {
	struct instance *next;
	uint64_t id;
	const struct prototype *prototype;
	const char *symbol; /* these may be NULL: those of the prototype */
	const char *name;
	const char *description;
	const char *units;
	uint64_t values[OPTION_COUNT]; /* by option */
	struct custom_set *set; /* where it has been placed, or NULL */
	struct metric_use *use; /* there */
};

struct gpuoa_custom {
	const struct gpuoa_platform *platform;
	struct arena arena; /* all that is made, also what was removed again */
	struct definition definition; /* .sets are those of .sets, but for the links between them */
	struct custom_set *sets;
	struct diagnostic diagnostic;
	struct prototypes prototypes;
	struct instance *instances; /* in the order in which they were made */
	uint64_t last_id;
};

/*
 * The next set behind @after that @name means, "Mine" or "OAM0/Mine"; NULL: there is none. The
 * first one: @after is NULL.
 */
struct custom_set *custom_find(const struct gpuoa_custom *custom, const struct custom_set *after,
			       const char *name);

/* Sets keep the order in which they are added. */
void custom_append(struct gpuoa_custom *custom, struct custom_set *set);

/* Instances of a set, or of a metric of it, are not placed any more. */
void custom_displace(struct gpuoa_custom *custom, const struct custom_set *set,
		     const struct metric_use *use);

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
