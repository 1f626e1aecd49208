/* SPDX-License-Identifier: MIT */
/* prototypes.h - events that a platform's counters can be programmed to count */
#ifndef GPUOA_LIB_EXTRA_CUSTOM_PROTOTYPES_H
#define GPUOA_LIB_EXTRA_CUSTOM_PROTOTYPES_H

#include "base/arena.h"
#include "definitions/language/definition.h"
#include "gpuoa-programmable.h"
#include "report/format.h"

/* Fields of the event select of a flexible EU counter. Bit 12 exists since gen12.5. */
#define EU_EVENT_BITS 4
#define EU_COARSE_SHIFT 4
#define EU_FINE_SHIFT 8
#define EU_UPPER_SHIFT 12
#define EU_ROW0 7
#define EU_QUARTER0 7
#define EU_QUARTERS 4

/* Flexible EU counters are A7 to A20. */
#define EU_COUNTER_FIRST 7
#define EU_COUNTERS 14

/*
 * Fields of the event select of a PEC counter: kind and number of the part of the GPU, and filter
 */
#define PEC_PART_SHIFT 16
#define PEC_PART_NUMBER_SHIFT 20
#define PEC_FILTER_SHIFT 32

#define BYTES_OF_EVENT 64
#define PEC_NAME_SIZE 128

struct pec_event;

/* Kinds of parts of the GPU that can be counted separately, with their values in event selects */
enum part {
	PART_NONE,
	PART_XECORE,
	PART_L3_BANK,
	PART_SLICE,
	PART_SQIDI,
	PART_L3_NODE,
	PART_COPY_ENGINE,
	PARTS,
};

struct prototype {
	const char *symbol;
	const char *name;
	const char *description;
	const char *group;
	const char *units;
	const char *hw_unit;
	enum gpuoa_value_type type;
	enum gpuoa_semantic semantic;
	uint32_t options; /* bit mask of enum gpuoa_option */
	uint32_t reports; /* bit mask of enum gpuoa_query_mode */
	uint64_t select; /* event select; that of a flexible EU counter is without filters */
	uint64_t counters; /* bit mask of the counters that support the event */
	const char *fixed; /* name of the counter that always counts this event; NULL: none */
	bool of_threads; /* the event counts threads in units of eight, not cycles */
	/* for PEC counters: */
	enum part part; /* the kind of part for which the event can be counted separately */
	const struct pec_event *event;
};

/* The events and counters of a platform. */
struct prototypes {
	struct prototype *all;
	size_t count;
	/* set from which sets of programmable counters copy format, APIs and basic metrics */
	const struct gpuoa_set *model;
	enum counter_bank bank;
	/* a counter covers only a quarter of the EUs, so that four counters are added up */
	bool by_quarters;
	/* name of the constant with the number of EUs; NULL: the platform has none */
	const char *eu_count;
	const char *eu_threads;
	/* for PEC counters: */
	uint32_t platform; /* bit of the platform in the table of events */
	struct gpuoa_option_desc parts[PARTS];
};

/*
 * Find the events that the counters of a platform support. Memory is allocated from @arena. Returns
 * 0 or -ENOMEM.
 */
int prototypes_find(const struct gpuoa_platform *platform, struct arena *arena,
		    struct prototypes *prototypes);

/* Returns the option at @index of an event descriptor, or NULL after the last one. */
const struct gpuoa_option_desc *prototype_option(const struct prototypes *prototypes,
						 const struct prototype *prototype, size_t index);

/*
 * Returns the description of an option of an event, or NULL if the event does not have the option.
 */
const struct gpuoa_option_desc *prototype_find_option(const struct prototypes *prototypes,
						      const struct prototype *prototype,
						      enum gpuoa_option option);

/* Returns the static description of an option. */
const struct gpuoa_option_desc *option_desc(enum gpuoa_option option);

/* PEC counters */

int prototypes_find_pec(const struct gpuoa_platform *platform, struct arena *arena,
			struct prototypes *prototypes);

/* Offer those parts of the GPU of a kind that are set in @mask as choices. Returns 0 or -ENOMEM. */
int prototypes_set_parts(struct prototypes *prototypes, enum part part, uint64_t mask,
			 struct arena *arena);

/* Return the name of the constant that is the mask of all parts of a kind. */
const char *part_mask_constant(enum part part);

/* Return the event select of an event, for the part of the GPU that the options @values select. */
uint64_t pec_select(const struct prototype *prototype, const uint64_t *values);

/* Write the equation of an event that is counted by @counter. */
void pec_equation(const struct prototypes *prototypes, const struct prototype *prototype,
		  const uint64_t *values, uint32_t counter, char *text, size_t size);

/*
 * Write the condition under which the part of the GPU selected by GPUOA_OPTION_DISAGGREGATION
 * exists, or "" if the event counts the whole GPU.
 */
void pec_availability(const struct prototype *prototype, const uint64_t *values, char *text,
		      size_t size);

/*
 * Write symbol, name or description of an event's metric with these options. @size must be at least
 * PEC_NAME_SIZE, except for the description.
 */
void pec_symbol(const struct prototype *prototype, const uint64_t *values, char *text, size_t size);
void pec_name(const struct prototype *prototype, const uint64_t *values, char *text, size_t size);
void pec_description(const struct prototype *prototype, const uint64_t *values, char *text,
		     size_t size);

/*
 * Add a constant to @list unless it is in it: the only one that equations of PEC counters use and
 * that platforms do not have (pec_add_constant()), or the condition of this metric
 * (pec_add_flag()). Returns false if out of memory.
 */
bool pec_add_constant(struct constant_definition **list, struct arena *arena);
bool pec_add_flag(const struct prototype *prototype, const uint64_t *values,
		  struct constant_definition **list, struct arena *arena);

#endif /* GPUOA_LIB_EXTRA_CUSTOM_PROTOTYPES_H */
