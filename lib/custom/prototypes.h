/* SPDX-License-Identifier: MIT */
/* prototypes.h - the events that a platform's counters can be programmed to count. */
#ifndef GPUOA_LIB_CUSTOM_PROTOTYPES_H
#define GPUOA_LIB_CUSTOM_PROTOTYPES_H

#include "base/arena.h"
#include "definitions/language/definition.h"
#include "gpuoa-programmable.h"
#include "report/format.h"

/* Fields of the event that a flexible EU counter counts, as select; from gen12.5 on with bit 12 */
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

/* The event select of PEC counters: a part of the GPU, its number; as select, also the filter. */
#define PEC_PART_SHIFT 16
#define PEC_PART_NUMBER_SHIFT 20
#define PEC_FILTER_SHIFT 32

#define BYTES_OF_EVENT 64
#define PEC_NAME_SIZE 128

struct pec_event;

/* Parts of the GPU of which one alone can be counted; numbers of the event select. */
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
	uint32_t options; /* bits: enum gpuoa_option */
	uint32_t reports; /* bits: enum gpuoa_query_mode */
	uint64_t select; /* of the event; flexible EU counters: the event alone */
	uint64_t counters; /* bits: which can count it */
	const char *fixed; /* the counter that always counts it, or NULL */
	bool of_threads; /* counts threads in steps of eight, not cycles */
	/* of PEC counters: */
	enum part part; /* of which one alone can be counted */
	const struct pec_event *event;
};

/* What a platform can count, and by what. */
struct prototypes {
	struct prototype *all;
	size_t count;
	const struct gpuoa_set *model; /* whose format, APIs and basic metrics programmed sets have
					*/
	enum counter_bank bank;
	bool by_quarters; /* events are counted for one of four EUs only, and have to be added up */
	const char *eu_count; /* constants; NULL: the platform has none */
	const char *eu_threads;
	/* of PEC counters: */
	uint32_t platform; /* bit in the table of events */
	struct gpuoa_option_desc parts[PARTS];
};

/* Find out; memory is that of @arena. -ENOMEM. */
int prototypes_find(const struct gpuoa_platform *platform, struct arena *arena,
		    struct prototypes *prototypes);

/* An option by its number among those of a prototype; NULL beyond. */
const struct gpuoa_option_desc *prototype_option(const struct prototypes *prototypes,
						 const struct prototype *prototype, size_t index);

/* An option as a prototype has it; NULL if there is no option of that number at all. */
const struct gpuoa_option_desc *prototype_find_option(const struct prototypes *prototypes,
						      const struct prototype *prototype,
						      enum gpuoa_option option);

/* By what it is; static. */
const struct gpuoa_option_desc *option_desc(enum gpuoa_option option);

/* ---- PEC counters ---- */

int prototypes_find_pec(const struct gpuoa_platform *platform, struct arena *arena,
			struct prototypes *prototypes);

/* Offer the parts of a kind that @mask has a bit of. -ENOMEM. */
int prototypes_set_parts(struct prototypes *prototypes, enum part part, uint64_t mask,
			 struct arena *arena);

/* The constant that is a mask of the parts of a kind. */
const char *part_mask_constant(enum part part);

/* The event with the part that the options @values choose. */
uint64_t pec_select(const struct prototype *prototype, const uint64_t *values);

/* The equation of an event that @counter counts. */
void pec_equation(const struct prototypes *prototypes, const struct prototype *prototype,
		  const uint64_t *values, uint32_t counter, char *text, size_t size);

/* The condition under which the part is there, or "". */
void pec_availability(const struct prototype *prototype, const uint64_t *values, char *text,
		      size_t size);

/* Symbol, name and description of a metric with these options. @size: PEC_NAME_SIZE, but for the
 * description. */
void pec_symbol(const struct prototype *prototype, const uint64_t *values, char *text, size_t size);
void pec_name(const struct prototype *prototype, const uint64_t *values, char *text, size_t size);
void pec_description(const struct prototype *prototype, const uint64_t *values, char *text,
		     size_t size);

/*
 * Define the constants that equations use, and that of the condition, as far as @list does not have
 * them. False: no memory.
 */
bool pec_add_constants(struct constant_definition **list, struct arena *arena);
bool pec_add_flag(const struct prototype *prototype, const uint64_t *values,
		  struct constant_definition **list, struct arena *arena);

#endif /* GPUOA_LIB_CUSTOM_PROTOTYPES_H */
