/* SPDX-License-Identifier: MIT */
/* custom.h - user-defined sets and metrics */
#ifndef GPUOA_LIB_EXTRA_CUSTOM_CUSTOM_H
#define GPUOA_LIB_EXTRA_CUSTOM_CUSTOM_H

#include "base/arena.h"
#include "base/complaint.h"
#include "base/name_map.h"
#include "definitions/language/definition.h"
#include "extra/custom/prototypes.h"
#include "gpuoa-programmable.h"

/* A new set, or a changed set of the platform. */
struct custom_set {
	struct custom_set *next;
	struct set_definition *definition;
	/* the set has programmable counters, which are assigned to instances of events */
	bool programmed;
};

#define OPTION_COUNT (GPUOA_OPTION_BYTE + 1)

/* An instance of an event descriptor, that is, an event with certain options. */
struct instance {
	struct instance *next;
	uint64_t id;
	const struct prototype *prototype;
	/* this string and the next three: NULL to use that of the event descriptor */
	const char *symbol;
	const char *name;
	const char *description;
	const char *units;
	uint64_t values[OPTION_COUNT]; /* indexed by option */
	struct custom_set *set; /* the assigned set, or NULL */
	struct metric_use *use; /* the metric in that set */
};

struct gpuoa_custom {
	const struct gpuoa_platform *platform;
	struct arena arena; /* memory of all objects, including removed ones */
	/* definition to compile; each build links the sets of .sets to its list */
	struct definition definition;
	struct custom_set *sets;
	struct diagnostic diagnostic;
	struct prototypes prototypes;
	struct instance *instances; /* in order of creation */
	uint64_t last_id;
};

/*
 * Find the next set after @after (NULL: from the first set on) with the name @name, "Mine" or
 * "OAM0/Mine". Returns NULL if there is none.
 */
struct custom_set *custom_find(const struct gpuoa_custom *custom, const struct custom_set *after,
			       const char *name);

/* Append a set to the list of sets, which keeps the order in which sets were added. */
void custom_append(struct gpuoa_custom *custom, struct custom_set *set);

/* Undo the assignment of all instances of a set or, if @use is not NULL, of one metric in it. */
void custom_displace(struct gpuoa_custom *custom, const struct custom_set *set,
		     const struct metric_use *use);

/* Copy a string; the copy lives as long as @custom. Returns NULL if out of memory. */
const char *custom_string(struct gpuoa_custom *custom, const char *text);

/*
 * Check that definitions can contain a text: one line of UTF-8 without quotes. Returns 0, or
 * -EINVAL with an error message.
 */
int custom_check_text(const char *text, const char *what, const struct complaint *complaint);

/*
 * Parse an equation. @what describes it in messages: "equation of Mine". NULL and "" mean that
 * there is none.
 */
int custom_equation(struct gpuoa_custom *custom, const char *text, const char *what,
		    struct equation *equation, const struct complaint *complaint);

/* Find a metric in a set. Returns NULL if there is none. */
struct metric_use *custom_find_use(const struct custom_set *set, const char *symbol);

#endif /* GPUOA_LIB_EXTRA_CUSTOM_CUSTOM_H */
