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
	bool programmed; /* counters are programmed for assigned instances */
};

#define OPTION_COUNT (GPUOA_OPTION_BYTE + 1)

/* An instance of an event descriptor. */
struct instance {
	struct instance *next;
	uint64_t id;
	const struct prototype *prototype;
	const char *symbol; /* these four strings: NULL to use the event descriptor's */
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
	/* contains the sets of .sets; its list is linked by each build */
	struct definition definition;
	struct custom_set *sets;
	struct diagnostic diagnostic;
	struct prototypes prototypes;
	struct instance *instances; /* in order of creation */
	uint64_t last_id;
};

/*
 * Find the next set after @after (NULL: the first set) that matches @name, "Mine" or "OAM0/Mine".
 * Returns NULL if there is none.
 */
struct custom_set *custom_find(const struct gpuoa_custom *custom, const struct custom_set *after,
			       const char *name);

/* Append a set; sets keep this order. */
void custom_append(struct gpuoa_custom *custom, struct custom_set *set);

/* Unassign the instances of a set, or of one metric in it. */
void custom_displace(struct gpuoa_custom *custom, const struct custom_set *set,
		     const struct metric_use *use);

/* Copy a string; the copy lives as long as @custom. Returns NULL if out of memory. */
const char *custom_string(struct gpuoa_custom *custom, const char *text);

/*
 * Check that definitions can contain the text: UTF-8 on one line, without quotes. Returns 0, or
 * -EINVAL with an error message.
 */
int custom_check_text(const char *text, const char *what, const struct complaint *complaint);

/* Parse an equation; @what names it in messages, "equation of Mine". NULL or "" is no equation. */
int custom_equation(struct gpuoa_custom *custom, const char *text, const char *what,
		    struct equation *equation, const struct complaint *complaint);

/* Find a metric in a set. Returns NULL if there is none. */
struct metric_use *custom_find_use(const struct custom_set *set, const char *symbol);

#endif /* GPUOA_LIB_EXTRA_CUSTOM_CUSTOM_H */
