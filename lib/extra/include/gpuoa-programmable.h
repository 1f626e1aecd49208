/* SPDX-License-Identifier: MIT */
/*
 * gpuoa-programmable.h - metrics of events that hardware counters can be programmed to count
 *
 * An event is something that EUs do (gen8 to gen12.7: fourteen flexible counters), or an event of
 * the 64 PEC counters (Xe2 and later). It is described by an event descriptor, which the API calls
 * a prototype. Instances of it are metrics with different options: threads, part of the GPU,
 * normalization. Instances are assigned to as few sets as possible; gpuoa_custom_build() then
 * generates registers and equations. Documentation/user/user-definitions.rst lists counters,
 * options and equations of each kind of GPU.
 *
 * Part of libgpuoa-extra.
 */
#ifndef GPUOA_PROGRAMMABLE_H
#define GPUOA_PROGRAMMABLE_H

#include "gpuoa-custom.h"

#ifdef __cplusplus
extern "C" {
#endif

/* ---- prototypes: event descriptors ---------------------------------------------------------- */

/**
 * struct gpuoa_event_desc - Description of an event. Strings are never NULL, and live as long
 * as the platform.
 */
struct gpuoa_event_desc {
	const char *symbol; /* "EuActive"; unique in the platform */
	const char *name;
	const char *description;
	const char *group;
	const char *units; /* unit of measure without options */
	const char *hw_unit;
	const char *domain; /* unit with the counters: "OA" */
	enum gpuoa_value_type type; /* without options */
	enum gpuoa_semantic semantic; /* without options */
	size_t option_count;
	uint32_t reports; /* reports that can have the event: mask of 1 << enum gpuoa_query_mode */
	uint32_t reserved;
};

/** enum gpuoa_option - Options of instances. An instance can have each option once. */
enum gpuoa_option {
	GPUOA_OPTION_THREADS, /* count only threads of one shader stage */
	GPUOA_OPTION_ROW, /* count only EUs of one row; cannot be combined with THREADS */
	GPUOA_OPTION_EU, /* count one EU of four */
	/* count only one kind of instructions; cannot be combined with EU */
	GPUOA_OPTION_INSTRUCTIONS,
	/* count only one part of the GPU: an Xe core, L3 bank, slice, ... */
	GPUOA_OPTION_DISAGGREGATION,
	/* Normalizations: an instance can have one of them, or both AVERAGE and BYTE. */
	GPUOA_OPTION_UTILIZATION, /* percent of the maximum */
	GPUOA_OPTION_AVERAGE, /* divide by the number of EUs, Xe cores, L3 banks, ... */
	/* divide by the time, in ns; with BYTE, the unit is 10^9 bytes per second */
	GPUOA_OPTION_RATE,
	GPUOA_OPTION_BYTE, /* count bytes, for events that each move 64 bytes */
};

/** struct gpuoa_option_choice - A valid value of an option. Fixed: the struct never changes. */
struct gpuoa_option_choice {
	uint64_t value;
	const char *symbol; /* "ps" */
	const char *description;
};

/**
 * struct gpuoa_option_desc - Description of an option of an event.
 *
 * Strings and choices are static; those of GPUOA_OPTION_DISAGGREGATION live as long as @custom.
 */
struct gpuoa_option_desc {
	enum gpuoa_option option;
	const char *symbol; /* "threads" */
	const char *description;
	uint64_t default_value;
	size_t choice_count;
	const struct gpuoa_option_choice *choices; /* valid values, in ascending order */
	bool normalization;
};

/**
 * gpuoa_custom_event_count() - Return the number of programmable events; 0 without programmable
 * counters.
 */
GPUOA_API size_t gpuoa_custom_event_count(const struct gpuoa_custom *custom);

/**
 * gpuoa_custom_describe_event() - Describe event @index. @size is sizeof(*desc). -ERANGE if out
 * of range.
 */
GPUOA_API int gpuoa_custom_describe_event(const struct gpuoa_custom *custom, size_t index,
					  struct gpuoa_event_desc *desc, size_t size);

/**
 * gpuoa_custom_describe_option() - Describe option @option of event @index. @size is sizeof(*desc).
 * -ERANGE if either is out of range.
 */
GPUOA_API int gpuoa_custom_describe_option(const struct gpuoa_custom *custom, size_t index,
					   size_t option, struct gpuoa_option_desc *desc,
					   size_t size);

/**
 * gpuoa_custom_use_constants() - Set the parts of the GPU that GPUOA_OPTION_DISAGGREGATION offers.
 * @constants: constants of the GPU, for any platform of that name; kinds of parts that they do not
 *   have are unchanged
 *
 * The default is the platform's usual part. Instances keep their options. A metric of a part that a
 * GPU does not have is not available on that GPU.
 *
 * Return: 0. -ENOMEM: out of memory.
 */
GPUOA_API int gpuoa_custom_use_constants(struct gpuoa_custom *custom,
					 const struct gpuoa_constants *constants);

/* ---- instances ------------------------------------------------------------------------------ */

/** struct gpuoa_option_value - A value for an option. Fixed: the struct never changes. */
struct gpuoa_option_value {
	enum gpuoa_option option;
	uint64_t value; /* one of its choices */
};

/**
 * struct gpuoa_instance - An instance to create. Zero-initialize, then set @size.
 *
 * If a string is NULL, that of the event is used. For PEC counters, the options are appended to it:
 * XVE_ACTIVE_XECORE5.
 */
struct gpuoa_instance {
	size_t size; /* sizeof(struct gpuoa_instance), mandatory */
	/*
	 * symbol of the metric; if the set already has a metric of this symbol, a number is
	 * appended
	 */
	const char *symbol;
	const char *name;
	const char *description;
	const char *units;
	/* values of the options that differ from their defaults */
	const struct gpuoa_option_value *options;
	size_t option_count;
};

/**
 * gpuoa_custom_instantiate() - Create an instance of an event. An event can have any number of
 * instances.
 * @event: index of the event
 * @id: result: identifies the instance as long as @custom exists; never reused
 *
 * Return: 0, or:
 * -ERANGE: no such event
 * -EINVAL: a name is invalid; an option is unknown for the event, duplicate or has an invalid
 *   value; there are two normalizations other than AVERAGE and BYTE; or two options exclude each
 *   other
 * -E2BIG: @instance has nonzero fields that this library does not know
 * -ENOMEM: out of memory
 */
GPUOA_API int gpuoa_custom_instantiate(struct gpuoa_custom *custom, size_t event,
				       const struct gpuoa_instance *instance, uint64_t *id,
				       char *error, size_t error_size);

/**
 * gpuoa_custom_set_option() - Change an option of an instance.
 *
 * Return: as gpuoa_custom_instantiate(). -ENOENT: no such instance. -EBUSY: it is assigned to a
 * set.
 */
GPUOA_API int gpuoa_custom_set_option(struct gpuoa_custom *custom, uint64_t id,
				      struct gpuoa_option_value value, char *error,
				      size_t error_size);

/**
 * gpuoa_custom_destroy() - Destroy an instance. Ids of others do not change.
 *
 * Return: 0. -ENOENT: no such instance. -EBUSY: it is assigned to a set; use gpuoa_custom_remove()
 * for its metric or set first.
 */
GPUOA_API int gpuoa_custom_destroy(struct gpuoa_custom *custom, uint64_t id);

/**
 * gpuoa_custom_assign() - Assign an instance to a set.
 * @set: symbol of a set of programmable counters; created if necessary, with GpuTime, GpuCoreClocks
 *   and the platform's average frequency
 *
 * Instances with the same event and options share one counter.
 *
 * Return: 0, or:
 * -ENOENT: no such instance
 * -EBUSY: it is already assigned
 * -EEXIST: the set exists, and was not created by this function or by gpuoa_custom_schedule()
 * -ENOSPC: the set has no free counters
 * -EINVAL: the symbol is invalid
 * -ENOMEM: out of memory
 */
GPUOA_API int gpuoa_custom_assign(struct gpuoa_custom *custom, uint64_t id, const char *set,
				  char *error, size_t error_size);

/** enum gpuoa_counters - Width of programmable counters. */
enum gpuoa_counters {
	GPUOA_COUNTERS_NORMAL,
	/* twice as many counters, each of half the width; no known hardware supports this */
	GPUOA_COUNTERS_DENSE,
};

/** struct gpuoa_schedule_options - Options for scheduling. Zero-initialize, then set @size. */
struct gpuoa_schedule_options {
	size_t size; /* sizeof(struct gpuoa_schedule_options), mandatory */
	/* beginning of the sets' symbols, to which a number is appended; NULL: "Custom" */
	const char *prefix;
	uint32_t max_sets; /* 0: no limit */
	enum gpuoa_counters counters;
};

/**
 * gpuoa_custom_schedule() - Schedule all instances that are not assigned yet: assign them to new
 * sets.
 * @options: may be NULL
 *
 * Each instance, in order of creation, is assigned to the first new set with free counters. The
 * result is deterministic. Existing sets are not changed, also if it is called again.
 *
 * Return: the number of sets created, or, with nothing assigned:
 * -ENOSPC: more than @max_sets sets are needed
 * -EOPNOTSUPP: dense counters
 * -EINVAL: @options or the prefix is invalid
 * -E2BIG: @options has nonzero fields that this library does not know
 * -ENOMEM: out of memory
 */
GPUOA_API int gpuoa_custom_schedule(struct gpuoa_custom *custom,
				    const struct gpuoa_schedule_options *options, char *error,
				    size_t error_size);

/**
 * gpuoa_custom_get_assignment() - Get the assignment of an instance.
 * @set: result: symbol of the set; lives as long as @custom
 * @metric: result: symbol of the metric; lives as long as @custom
 *
 * Return: 0. -ENOENT: no such instance. -ENODATA: it is not assigned.
 */
GPUOA_API int gpuoa_custom_get_assignment(const struct gpuoa_custom *custom, uint64_t id,
					  const char **set, const char **metric);

#ifdef __cplusplus
}
#endif

#endif /* GPUOA_PROGRAMMABLE_H */
