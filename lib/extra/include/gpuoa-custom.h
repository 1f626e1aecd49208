/* SPDX-License-Identifier: MIT */
/*
 * gpuoa-custom.h - metric sets and metrics defined by the program, from register lists and
 * equations
 *
 * The result is a struct gpuoa_definitions, which can be used for streams, calculators and
 * gpuoa_unit_add_set(). Part of libgpuoa-extra. Conventions are those of gpuoa.h.
 * Documentation/user/user-definitions.rst is an overview. gpuoa-programmable.h adds metrics of
 * programmable counters.
 */
#ifndef GPUOA_CUSTOM_H
#define GPUOA_CUSTOM_H

#include "gpuoa.h"

#ifdef __cplusplus
extern "C" {
#endif

/* ---- sets and metrics ----------------------------------------------------------------------- */

/** struct gpuoa_custom - Builder of sets and metrics for one platform. */
struct gpuoa_custom;

/**
 * gpuoa_custom_new() - Create a builder.
 * @platform: built-in or loaded platform, to which sets and metrics are added; must outlive @custom
 *
 * Return: 0. -ENOMEM: out of memory.
 */
GPUOA_API int gpuoa_custom_new(const struct gpuoa_platform *platform, struct gpuoa_custom **custom);

/** gpuoa_custom_free() - Free a builder. Definitions built from it remain valid. */
GPUOA_API void gpuoa_custom_free(struct gpuoa_custom *custom);

/**
 * struct gpuoa_register_list - Register writes of one kind, in the order in which they are made.
 */
struct gpuoa_register_list {
	enum gpuoa_register_kind kind;
	const struct gpuoa_reg *registers;
	size_t count;
	/* Condition on the GPU's constants under which the registers are written; NULL: always. */
	const char *condition;
	uint64_t reserved[2]; /* must be 0 */
};

/**
 * gpuoa_custom_add_set() - Add a set.
 * @desc: .symbol, .name, .uuid, .apis, .format, .domain and .availability are used; NULL and 0 mean
 *   the value of @base. Without @base, .format is mandatory, and the defaults are the symbol as
 *   name, domain "OA" and all APIs
 * @size: sizeof(*desc)
 * @lists: @count lists of registers. Addresses and values are those of the kernel's lists; MDAPI's
 *   NOA is MUX, its OA, PM and MERT are BOOLEAN. If there are none, registers and UUID are those of
 *   @base
 * @base: set of the same platform to copy the metrics from; NULL: no metrics. The set always has
 *   the platform's information items
 *
 * If .uuid is not set, the UUID is derived from format and registers: equal ones have the same
 * UUID, in all versions of the library. The kernel checks registers when the set's configuration is
 * added.
 *
 * Return: 0, or:
 * -EEXIST: the platform or @custom has a set of this symbol for the domain, or the UUID is that of
 *   another set
 * -EINVAL: name, UUID, format, kind or condition is invalid, @base is of another platform, or there
 *   are no registers; @error has the name, or the address of the register
 * -E2BIG: more registers of a kind than the kernel accepts, or @desc or a list has nonzero fields
 *   that this library does not know
 * -ENOMEM: out of memory
 */
GPUOA_API int gpuoa_custom_add_set(struct gpuoa_custom *custom, const struct gpuoa_set_desc *desc,
				   size_t size, const struct gpuoa_register_list *lists,
				   size_t count, const struct gpuoa_set *base, char *error,
				   size_t error_size);

/**
 * gpuoa_custom_add_metric() - Add a metric to a set.
 * @set: symbol of a set of @custom or of its platform, "Mine", or with its domain, "OAM0/Mine"
 * @desc: all fields are used except .query_only (derived from the condition), .set and .index.
 *   .symbol, .units and .equation are mandatory; the name defaults to the symbol, the hardware unit
 *   to "gpu", other strings to ""
 * @size: sizeof(*desc)
 * @error: for equations, "equation of SYMBOL:1:COLUMN: reason"
 *
 * A set of the platform is replaced by the extended one in the built definitions. Equations are in
 * the language of Documentation/reference/metric-definitions.rst, and may use metrics that are
 * added later: names are resolved by gpuoa_custom_build().
 *
 * Return: 0, or:
 * -ENOENT: no such set
 * -EEXIST: the set has a metric, or the platform a constant, of this symbol
 * -EINVAL: a field is invalid, or an equation has a syntax error
 * -E2BIG: @desc has nonzero fields that this library does not know
 * -ENOMEM: out of memory
 */
GPUOA_API int gpuoa_custom_add_metric(struct gpuoa_custom *custom, const char *set,
				      const struct gpuoa_metric_desc *desc, size_t size,
				      char *error, size_t error_size);

/**
 * gpuoa_custom_remove() - Remove a metric of a set, or with NULL the set.
 *
 * If the set replaced one of the platform, the original reappears.
 *
 * Return: 0. -ENOENT: @custom has no such set. -ENODATA: the set has no such metric.
 */
GPUOA_API int gpuoa_custom_remove(struct gpuoa_custom *custom, const char *set, const char *metric);

/**
 * gpuoa_custom_build() - Compile all sets.
 * @definitions: result, with one platform; release with gpuoa_definitions_free()
 *
 * @custom can be modified and built again. This does not change the results of earlier calls.
 *
 * Return: 0, or:
 * -EINVAL: an equation uses an unknown name or counter, or depends on itself; or a set has no
 *   metrics
 * -ENOMEM: out of memory
 */
GPUOA_API int gpuoa_custom_build(struct gpuoa_custom *custom,
				 struct gpuoa_definitions **definitions, char *error,
				 size_t error_size);

/* ---- saving --------------------------------------------------------------------------------- */

/**
 * gpuoa_platform_save() - Write the text of gpuoa_platform_text() to a file, which is replaced
 * atomically.
 *
 * A symbolic link stays, and its target is replaced. A device or pipe is not replaced: the text is
 * written to it, and after an error a part of the text may have been written.
 *
 * Return: 0, or with a regular file unchanged, -ENOMEM or an error of open(2), write(2), fsync(2)
 * or rename(2).
 */
GPUOA_API int gpuoa_platform_save(const struct gpuoa_platform *platform, const char *path,
				  char *error, size_t error_size);

/* ---- configurations of a unit --------------------------------------------------------------- */

/** struct gpuoa_unit_config - A register configuration that the kernel knows. */
struct gpuoa_unit_config {
	uint32_t id; /* metric_set of perf events */
	char uuid[40]; /* 36 characters */
};

/**
 * gpuoa_unit_add_config() - Add a register configuration to a unit, for perf events of the program.
 * For sets, use gpuoa_unit_add_set().
 * @uuid: 36 characters
 * @lists: @count lists without conditions; lists of the same kind are concatenated
 * @id: result: metric_set of perf events; on -EINVAL, the address of the rejected register, or 0
 *
 * Return: 0, also if the unit has the same configuration already, or:
 * -EACCES: CAP_PERFMON is needed
 * -EADDRINUSE: the unit has the UUID with other registers
 * -EINVAL: the UUID or the kind of a list is invalid, a list has a condition, there are no
 *   registers, or one is not allowed; @error has the reason
 * -E2BIG: more registers of a kind than the kernel accepts, or reserved words of a list are not 0
 * -EOPNOTSUPP: the hardware has no flexible EU registers
 * -ENODEV: the GPU was removed
 * -ENOMEM: out of memory
 */
GPUOA_API int gpuoa_unit_add_config(struct gpuoa_unit *unit, const char *uuid,
				    const struct gpuoa_register_list *lists, size_t count,
				    uint32_t *id, char *error, size_t error_size);

/**
 * gpuoa_unit_remove_config() - Remove a configuration from the kernel. Open streams continue to use
 * it.
 *
 * Return: 0. -ENOENT: no such id. -EPERM: the configuration is built in. -EACCES: CAP_PERFMON is
 * needed. -ENODEV: the GPU was removed.
 */
GPUOA_API int gpuoa_unit_remove_config(struct gpuoa_unit *unit, uint32_t id);

/**
 * gpuoa_unit_configs() - List the configurations that a unit knows.
 * @configs: buffer for @max of them; NULL with @max 0
 * @size: sizeof(*configs)
 *
 * Return: the number of configurations, which may exceed @max, or -ENODEV or -ENOMEM.
 */
GPUOA_API int gpuoa_unit_configs(struct gpuoa_unit *unit, struct gpuoa_unit_config *configs,
				 size_t size, size_t max);

#ifdef __cplusplus
}
#endif

#endif /* GPUOA_CUSTOM_H */
