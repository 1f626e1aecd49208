/* SPDX-License-Identifier: MIT */
/*
 * gpuoa-custom.h - metric sets and metrics of one's own: from register lists and equations, and
 * from events that hardware counters can be programmed to count
 *
 * What is made here becomes definitions (gpuoa_definitions_load()), and can be used wherever those
 * can: a stream, a calculator, gpuoa_unit_upload(). Rules of results, structs, ownership and
 * threads are those of gpuoa.h. Documentation/user-definitions.rst tells how the parts belong
 * together.
 */
#ifndef GPUOA_CUSTOM_H
#define GPUOA_CUSTOM_H

#include "gpuoa.h"

#ifdef __cplusplus
extern "C" {
#endif

/* ---- sets and metrics ----------------------------------------------------------------------- */

/** Sets and metrics in the making, for one platform. */
struct gpuoa_custom;

/**
 * Begin with what @platform has, built in or loaded; it must outlive @custom. Sets and metrics
 * are added to that. -ENOMEM.
 */
GPUOA_API int gpuoa_custom_new(const struct gpuoa_platform *platform, struct gpuoa_custom **custom);

/** What was built of it stays. */
GPUOA_API void gpuoa_custom_free(struct gpuoa_custom *custom);

/** Register writes of one kind, in the order in which they are made. */
struct gpuoa_register_list {
	enum gpuoa_register_kind kind;
	const struct gpuoa_reg *registers;
	size_t count;
	const char *condition; /* on the GPU's constants: the list is written if it holds; NULL:
				  always */
	uint64_t reserved[2]; /* must be 0 */
};

/**
 * Add a set.
 *
 * Of @desc count .symbol, .name, .uuid, .apis, .format, .domain and .availability; the rest says
 * what a set is and is not looked at. @size is sizeof(*desc). A string that is NULL and a number
 * that is 0 are those of @base; without a base, the name is the symbol, the domain "OA", the APIs
 * are all, and there must be a format.
 *
 * @lists: @count lists of registers; with none, the set has those of @base and its UUID. Else the
 * UUID, if none is given, follows from format and registers: the same ones have the same UUID.
 * Addresses and values are those of the kernel's lists: NOA of MDAPI is MUX; OA, PM and MERT
 * are BOOLEAN. The kernel says which register it does not allow when the set is uploaded
 * @base: set of the same platform whose metrics are copied; NULL: the set begins without metrics.
 * All sets of a platform have its information items
 *
 * -EEXIST: the platform or @custom has such a set for that domain, or the UUID stands for another
 * set. -EINVAL: a name, UUID, format, kind or condition is none, the base is another platform's, or
 * there are no registers; @error names it, a register by its address. -E2BIG: more registers of a
 * kind than the kernel takes, or @desc or a list has fields that this library does not know and
 * that are not 0. -ENOMEM.
 */
GPUOA_API int gpuoa_custom_add_set(struct gpuoa_custom *custom, const struct gpuoa_set_desc *desc,
				   size_t size, const struct gpuoa_register_list *lists,
				   size_t count, const struct gpuoa_set *base, char *error,
				   size_t error_size);

/**
 * Add a metric to a set: one of @custom, or of its platform, which is then replaced when @custom is
 * built.
 *
 * Of @desc count all fields but .query_only (which follows from the condition), .set and .index.
 * @size is sizeof(*desc). .symbol, .units and .equation must be there; what is NULL or 0 beside is
 * "", but for the name, which is the symbol, and the hardware unit, which is "gpu". Equations are
 * those of Documentation/metric-definitions.rst; they may use metrics that the set gets later.
 *
 * @set: symbol, "Mine", or with its domain, "OAM0/Mine"
 * @error: for equations "equation of SYMBOL:1:COLUMN: what is wrong"
 *
 * -ENOENT: no such set. -EEXIST: the set has a metric, or the platform a constant, of that symbol.
 * -EINVAL: a field is none of its kind, or an equation has a mistake in its form; names in it are
 * looked up when @custom is built. -E2BIG: @desc has fields that this library does not know and
 * that are not 0. -ENOMEM.
 */
GPUOA_API int gpuoa_custom_add_metric(struct gpuoa_custom *custom, const char *set,
				      const struct gpuoa_metric_desc *desc, size_t size,
				      char *error, size_t error_size);

/**
 * Remove a metric of a set, or with NULL the set. What the platform had comes back when the set
 * that replaces it is removed. -ENOENT: @custom has no such set. -ENODATA: the set has no such
 * metric.
 */
GPUOA_API int gpuoa_custom_remove(struct gpuoa_custom *custom, const char *set, const char *metric);

/**
 * Compile all that has been made. @custom can be changed and built again; what was built stays as
 * it is.
 *
 * @definitions: to be freed with gpuoa_definitions_free(); it has one platform
 *
 * -EINVAL: an equation uses a name or a counter that there is not, or itself; a set has no metrics.
 * -ENOMEM.
 */
GPUOA_API int gpuoa_custom_build(struct gpuoa_custom *custom,
				 struct gpuoa_definitions **definitions, char *error,
				 size_t error_size);

/* ---- saving --------------------------------------------------------------------------------- */

/**
 * What a platform has beside the built-in one of its name, as the text of a file that
 * gpuoa_definitions_load() reads: loaded, it gives the same platform again. Of a platform that is
 * built in, or of another name, all of it. Includes, templates and bundles are resolved.
 *
 * @text: room for @size bytes, for as much as fits and a zero; NULL with @size 0 to ask for the
 * length
 *
 * Returns the length that the text has.
 */
GPUOA_API size_t gpuoa_platform_text(const struct gpuoa_platform *platform, char *text,
				     size_t size);

/**
 * Write that text to a file, which is replaced when all of it has been written.
 *
 * -ENOMEM; else as open(2), write(2), fsync(2) and rename(2): the file is then as it was.
 */
GPUOA_API int gpuoa_platform_save(const struct gpuoa_platform *platform, const char *path,
				  char *error, size_t error_size);

/* ---- configurations of a unit --------------------------------------------------------------- */

/** A configuration of registers that the kernel knows. */
struct gpuoa_unit_config {
	uint32_t id; /* metric_set of perf events */
	char uuid[40]; /* 36 characters */
};

/**
 * Make registers known to a unit under a UUID, for perf events of one's own; what a set has,
 * gpuoa_unit_upload() makes known.
 *
 * @uuid: 36 characters
 * @lists: @count lists without conditions; those of one kind are joined
 * @id: out: metric_set of perf events; with -EINVAL, the address of the register that is refused,
 * or
 * 0
 *
 * 0 also if the same registers were known by this UUID. -EACCES: needs CAP_PERFMON. -EADDRINUSE:
 * the UUID stands for other registers. -EINVAL: the UUID is none, a list has a condition or is of
 * no kind, there are no registers, or one is not allowed; @error names it. -E2BIG: more registers
 * of a kind than the kernel takes, or reserved words of a list are not 0. -EOPNOTSUPP: flexible EU
 * registers on hardware without them. -ENODEV: the GPU is gone. -ENOMEM.
 */
GPUOA_API int gpuoa_unit_add_config(struct gpuoa_unit *unit, const char *uuid,
				    const struct gpuoa_register_list *lists, size_t count,
				    uint32_t *id, char *error, size_t error_size);

/**
 * Let the kernel forget a configuration. What measures with it keeps it. -ENOENT: there is none of
 * that id. -EPERM: it is built in. -EACCES: needs CAP_PERFMON. -ENODEV.
 */
GPUOA_API int gpuoa_unit_remove_config(struct gpuoa_unit *unit, uint32_t id);

/**
 * List the configurations that a unit knows.
 *
 * @configs: room for @max of them; NULL with @max 0
 * @size: sizeof(*configs)
 *
 * Returns the number of configurations, which may be more than @max. -ENODEV, -ENOMEM.
 */
GPUOA_API int gpuoa_unit_configs(struct gpuoa_unit *unit, struct gpuoa_unit_config *configs,
				 size_t size, size_t max);

#ifdef __cplusplus
}
#endif

#endif /* GPUOA_CUSTOM_H */
