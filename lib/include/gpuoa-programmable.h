/* SPDX-License-Identifier: MIT */
/*
 * gpuoa-programmable.h - metrics of events that hardware counters can be programmed to count
 *
 * A prototype is such an event: what the EUs do (from gen8 to gen12.7, by fourteen flexible
 * counters), or an event of the 64 PEC counters (Xe2 and later). It is instantiated as often as
 * wanted, each time with other options: the threads, the part of the GPU, the normalization.
 * Instances are placed in sets, each into as few as the hardware allows; gpuoa_custom_build() then
 * makes registers and equations. Documentation/user-definitions.rst lists the counters, options and
 * equations of each kind of GPU.
 */
#ifndef GPUOA_PROGRAMMABLE_H
#define GPUOA_PROGRAMMABLE_H

#include "gpuoa-custom.h"

#ifdef __cplusplus
extern "C" {
#endif

/* ---- prototypes ----------------------------------------------------------------------------- */

/** What a prototype counts. Strings are never NULL; those of the platform live as long as it. */
struct gpuoa_prototype_desc {
	const char *symbol; /* "EuActive"; unique among them */
	const char *name;
	const char *description;
	const char *group;
	const char *units; /* without options */
	const char *hw_unit;
	const char *domain; /* unit whose counters count it: "OA" */
	enum gpuoa_value_type type; /* without options */
	enum gpuoa_semantic semantic; /* likewise */
	size_t option_count;
	uint32_t reports; /* bits: 1 << enum gpuoa_query_mode: reports that have the event */
	uint32_t reserved;
};

/** Options of instances. Each can be given once. */
enum gpuoa_option {
	GPUOA_OPTION_THREADS, /* whose threads count: a shader stage's */
	GPUOA_OPTION_ROW, /* which EUs count: those of a row; not together with THREADS */
	GPUOA_OPTION_EU, /* which EUs count: one of four */
	GPUOA_OPTION_INSTRUCTIONS, /* which kind of instructions counts; not together with EU */
	GPUOA_OPTION_DISAGGREGATION, /* one part of the GPU: Xe core, L3 bank, slice, ... */
	/* normalizations: one, or AVERAGE with BYTE */
	GPUOA_OPTION_UTILIZATION, /* percent of the most that is possible */
	GPUOA_OPTION_AVERAGE, /* of an EU, Xe core, L3 bank, ... */
	GPUOA_OPTION_RATE, /* per ns; with bytes, 10^9 bytes a second */
	GPUOA_OPTION_BYTE, /* events that move 64 bytes, in bytes */
};

/** A value that an option can have. Fixed. */
struct gpuoa_option_choice {
	uint64_t value;
	const char *symbol; /* "ps" */
	const char *description;
};

/**
 * An option of a prototype. Strings and choices are static; those of GPUOA_OPTION_DISAGGREGATION
 * live as long as @custom.
 */
struct gpuoa_option_desc {
	enum gpuoa_option option;
	const char *symbol; /* "threads" */
	const char *description;
	uint64_t default_value;
	size_t choice_count;
	const struct gpuoa_option_choice *choices; /* in order of their values */
	bool normalization;
};

/** How many events can be programmed: 0 where no counters can be. */
GPUOA_API size_t gpuoa_custom_prototype_count(const struct gpuoa_custom *custom);

/** Describe prototype @index. @size is sizeof(*desc). -ERANGE beyond the last one. */
GPUOA_API int gpuoa_custom_describe_prototype(const struct gpuoa_custom *custom, size_t index,
					      struct gpuoa_prototype_desc *desc, size_t size);

/** Describe option @option of prototype @index. @size is sizeof(*desc). -ERANGE. */
GPUOA_API int gpuoa_custom_describe_option(const struct gpuoa_custom *custom, size_t index,
					   size_t option, struct gpuoa_option_desc *desc,
					   size_t size);

/**
 * Offer the parts of one GPU as choices of GPUOA_OPTION_DISAGGREGATION. Before that, they are those
 * of the platform's usual part. Instances keep their options. A metric of a part that a GPU does
 * not have is not available on that GPU.
 *
 * @constants: of the GPU, of any platform of that name; kinds of parts that they do not know stay
 * as they are
 *
 * -ENOMEM.
 */
GPUOA_API int gpuoa_custom_use_constants(struct gpuoa_custom *custom,
					 const struct gpuoa_constants *constants);

/* ---- instances ------------------------------------------------------------------------------ */

/** A value for an option. Fixed. */
struct gpuoa_option_value {
	enum gpuoa_option option;
	uint64_t value; /* of its choices */
};

/**
 * An instance to be made. Zero-initialize, then set @size. Names that are NULL are the prototype's;
 * those of PEC counters also contain the options: XVE_ACTIVE_XECORE5.
 */
struct gpuoa_instance {
	size_t size; /* sizeof(struct gpuoa_instance), must be set */
	const char *symbol; /* of the metric; a number follows where its set has that already */
	const char *name;
	const char *description;
	const char *units;
	const struct gpuoa_option_value *options; /* the others have their default values */
	size_t option_count;
};

/**
 * Make an instance of a prototype, as often as wanted.
 *
 * @id: out: stands for it as long as @custom is there, and for no other one later
 *
 * -ERANGE: no such prototype. -EINVAL: a name is none, an option is unknown here, is given twice or
 * has no such value, there are two normalizations other than AVERAGE and BYTE, or two options
 * exclude each other. -E2BIG, -ENOMEM.
 */
GPUOA_API int gpuoa_custom_instantiate(struct gpuoa_custom *custom, size_t prototype,
				       const struct gpuoa_instance *instance, uint64_t *id,
				       char *error, size_t error_size);

/**
 * Give an option of an instance another value. Errors as gpuoa_custom_instantiate(); -ENOENT: no
 * such instance; -EBUSY: it has been placed.
 */
GPUOA_API int gpuoa_custom_set_option(struct gpuoa_custom *custom, uint64_t id,
				      struct gpuoa_option_value value, char *error,
				      size_t error_size);

/**
 * Remove an instance. The ids of others stay. -ENOENT: no such instance; -EBUSY: it has been
 * placed; gpuoa_custom_remove() takes its metric or its set away again.
 */
GPUOA_API int gpuoa_custom_discard(struct gpuoa_custom *custom, uint64_t id);

/**
 * Place an instance in a set of programmed counters, which is made if there is none of that symbol:
 * with GpuTime, GpuCoreClocks and the platform's average frequency. Events that are the same with
 * all options take one counter together.
 *
 * -ENOENT: no such instance. -EBUSY: it has been placed. -EEXIST: there is a set of that symbol
 * whose counters are not programmed so. -ENOSPC: the set has no counters left for it. -EINVAL: the
 * symbol is none. -ENOMEM.
 */
GPUOA_API int gpuoa_custom_place(struct gpuoa_custom *custom, uint64_t id, const char *set,
				 char *error, size_t error_size);

/** How wide programmed counters are. */
enum gpuoa_counters {
	GPUOA_COUNTERS_NORMAL,
	GPUOA_COUNTERS_DENSE, /* twice as many of half the bits: no hardware that is known */
};

/** How to place what has not been placed. Zero-initialize, then set @size. */
struct gpuoa_pack_options {
	size_t size; /* sizeof(struct gpuoa_pack_options), must be set */
	const char *prefix; /* of the sets' symbols, a number follows; NULL: "Custom" */
	uint32_t max_sets; /* 0: as many as needed */
	enum gpuoa_counters counters;
};

/**
 * Place all instances that are not: in the order in which they were made, each in the first new set
 * that has counters left. The same instances always get the same sets. Can be called again; sets
 * that were made before stay as they are.
 *
 * @options: may be NULL
 *
 * Returns the number of sets that were made. -ENOSPC: more than @max_sets would be needed; nothing
 * is placed then. -EOPNOTSUPP: dense counters. -EINVAL, -E2BIG, -ENOMEM.
 */
GPUOA_API int gpuoa_custom_pack(struct gpuoa_custom *custom,
				const struct gpuoa_pack_options *options, char *error,
				size_t error_size);

/**
 * Where has an instance been placed? @set, @metric: out: symbols; they live as long as @custom.
 * -ENOENT: no such instance; -ENODATA: nowhere.
 */
GPUOA_API int gpuoa_custom_placed(const struct gpuoa_custom *custom, uint64_t id, const char **set,
				  const char **metric);

#ifdef __cplusplus
}
#endif

#endif /* GPUOA_PROGRAMMABLE_H */
