/* SPDX-License-Identifier: MIT */
/*
 * gpuoa-constants.h - properties of one GPU that equations use
 *
 * Conventions are those of gpuoa.h, which includes this header.
 */
#ifndef GPUOA_CONSTANTS_H
#define GPUOA_CONSTANTS_H

#include "gpuoa-metrics.h"

#ifdef __cplusplus
extern "C" {
#endif

/* ---- constants ------------------------------------------------------------------------------ */

/**
 * struct gpuoa_constants - Properties of one GPU that equations use.
 *
 * The constants of a unit or recording have the values of its GPU; otherwise set them by name. All
 * are 64-bit unsigned integers. Setting some of them also sets others, unless those were set
 * explicitly:
 *
 *   SliceMask                      GtSlice<i>, EuSlicesTotalCount, SliceTotalCount
 *   SubsliceMask, DualSubsliceMask GtXeCore<n>, GtSlice<i>XeCore<j>, EuSubslicesTotalCount,
 *   or XeCoreMask (synonyms)       XeCoreTotalCount; and SliceMask: a slice is present if it has
 *                                  one of these
 *   L3BankMask                     GtL3Bank<n>, L3BankTotalCount, L3NodeTotalCount,
 *                                  SqidiTotalCount, CopyEngineTotalCount
 *   EuCoresTotalCount,             the same value: older and newer names. Also EuThreadsCount
 *   VectorEngineTotalCount         and VectorEngineThreadsCount, ...
 *
 * All global symbols of the Metrics Discovery API (MDAPI) are known by name on all platforms, with
 * or without "Gt" before masks. Constants of a unit also have:
 *
 *   PciDeviceId                    gpuoa_unit_desc.device_id
 *   MaxTimestamp                   ns after which the timestamp of reports wraps
 *   OABufferMinSize, -MaxSize      bytes; of a media unit, MediaOABufferMinSize and -MaxSize
 *   GtSqidiMask, GtSqidi<n>,       from L3BankMask
 *   GtCopyEngineMask, GtCopyEngine<n>
 *   SamplersTotalCount,            as MDAPI derives them: one sampler per subslice, 4 outputs
 *   NumberOfRenderOutputUnits,     per slice, 4 shading units per thread of an EU
 *   NumberOfShadingUnits
 *   PlatformIndex, PlatformVersion MDAPI's numbers of the platform; -ENODATA if it has none
 *
 * No Linux driver reports ApertureSize, Capabilities, EdramSize, L3Size, LLCSize,
 * MemoryPeakThroghputMB and PavpDisabled: they are -ENODATA. Constants are a snapshot, therefore
 * GpuCurrentFrequencyMHz and GpuFrequencyOverrideEnabled are also -ENODATA: see
 * gpuoa_freq_pin_describe() in gpuoa-freq-pin.h.
 */
struct gpuoa_constants;

/** enum gpuoa_constant_kind - Whether a constant is a mask, a total, or another kind of number. */
enum gpuoa_constant_kind {
	GPUOA_CONSTANT_NUMBER,
	GPUOA_CONSTANT_COUNT,
	GPUOA_CONSTANT_MASK,
	GPUOA_CONSTANT_FREQUENCY, /* Hz */
	GPUOA_CONSTANT_FLAG, /* 0 or 1 */
};

/** enum gpuoa_provenance - Where the value of a constant comes from. */
enum gpuoa_provenance {
	GPUOA_PROVENANCE_NONE, /* no value */
	GPUOA_PROVENANCE_GIVEN, /* set by gpuoa_constants_set(), or reported by the unit */
	GPUOA_PROVENANCE_DERIVED, /* derived from other constants */
	GPUOA_PROVENANCE_ASSUMED, /* assumed by gpuoa_constants_assume() */
};

/**
 * enum gpuoa_query_mode - Value of the constant QueryMode: the counters that reports contain.
 *
 * Metrics with gpuoa_metric_desc.query_only have values in all modes except GPUOA_QUERY_NONE.
 * gpuoa_query_pool_open() sets the mode in its copy of the constants.
 */
enum gpuoa_query_mode {
	GPUOA_QUERY_NONE, /* stream */
	GPUOA_QUERY_RENDER, /* reports count events of one context on the render engine */
	GPUOA_QUERY_COMPUTE, /* reports count events of one context on a compute engine */
	GPUOA_QUERY_GLOBAL, /* counters of all contexts */
};

/** struct gpuoa_constant_desc - Description of a constant. */
struct gpuoa_constant_desc {
	const char *name;
	const char *description;
	enum gpuoa_constant_kind kind;
	enum gpuoa_provenance provenance;
	uint64_t value; /* 0 if it has none */
};

/**
 * gpuoa_constants_new() - Create constants without values for the equations of @platform. -ENOMEM.
 */
GPUOA_API int gpuoa_constants_new(const struct gpuoa_platform *platform,
				  struct gpuoa_constants **constants);

/** gpuoa_constants_copy() - Copy constants, so that they can be modified. -ENOMEM. */
GPUOA_API int gpuoa_constants_copy(const struct gpuoa_constants *constants,
				   struct gpuoa_constants **copy);

GPUOA_API void gpuoa_constants_free(struct gpuoa_constants *constants);

/**
 * gpuoa_constants_set() - Set a constant, and those derived from it.
 *
 * Return: 0, or:
 * -ENOENT: the platform's equations do not use it, and no other constant is derived from it
 * -EINVAL: @name is QueryMode (default 0), and @value is not an enum gpuoa_query_mode
 */
GPUOA_API int gpuoa_constants_set(struct gpuoa_constants *constants, const char *name,
				  uint64_t value);

/**
 * gpuoa_constants_get() - Get the value of a constant. -ENOENT: no such constant. -ENODATA: no
 * value.
 */
GPUOA_API int gpuoa_constants_get(const struct gpuoa_constants *constants, const char *name,
				  uint64_t *value);

/**
 * gpuoa_constants_transfer() - Copy the explicitly set values of @from to constants of another
 * platform.
 *
 * Derived constants follow. Values that @to's platform does not use are ignored.
 */
GPUOA_API void gpuoa_constants_transfer(struct gpuoa_constants *to,
					const struct gpuoa_constants *from);

/**
 * gpuoa_constants_add() - Add the totals of another GPU or tile, to resample several inputs.
 *
 * Totals (of slices, EUs, pipes, ...) become sums; a total without a value in either loses its
 * value. All other constants are unchanged. Do not modify @constants after this call.
 *
 * Return: 0. -EINVAL: the platforms differ.
 */
GPUOA_API int gpuoa_constants_add(struct gpuoa_constants *constants,
				  const struct gpuoa_constants *other);

/** gpuoa_constants_count() - Return the number of constants that the platform's equations use. */
GPUOA_API size_t gpuoa_constants_count(const struct gpuoa_constants *constants);

/** gpuoa_constants_name() - Return the name of constant @index, or NULL if out of range. */
GPUOA_API const char *gpuoa_constants_name(const struct gpuoa_constants *constants, size_t index);

/**
 * gpuoa_constants_describe() - Describe constant @index. @size is sizeof(*desc). -ERANGE if out of
 * range.
 */
GPUOA_API int gpuoa_constants_describe(const struct gpuoa_constants *constants, size_t index,
				       struct gpuoa_constant_desc *desc, size_t size);

/**
 * gpuoa_constants_parse() - Set constants from text.
 * @text: "Name=value" items separated by spaces, commas or newlines; "#" begins a comment until the
 *   end of its line. Values are decimal, or hexadecimal with 0x
 * @error: "LINE:COLUMN: reason"
 *
 * Return: 0, or with @constants unchanged, an error of gpuoa_constants_set(). -EINVAL: syntax
 * error. -ERANGE: a value exceeds 64 bits. -ENOMEM: out of memory.
 */
GPUOA_API int gpuoa_constants_parse(struct gpuoa_constants *constants, const char *text,
				    char *error, size_t error_size);

/**
 * gpuoa_constants_assume() - Use values of the platform's usual part for unknown constants.
 *
 * The usual part is the most common one with all slices and EUs. Constants that are set, before or
 * later, restrict it: if SliceMask is set, the subslices and EUs of those slices are assumed.
 *
 * Return: 0. -ENODATA: the library knows no part of this platform.
 */
GPUOA_API int gpuoa_constants_assume(struct gpuoa_constants *constants);

/**
 * gpuoa_constants_part() - Return the name of the part that gpuoa_constants_assume() assumes, for
 * example "Tiger Lake GT2"; NULL if unknown. The string is static.
 */
GPUOA_API const char *gpuoa_constants_part(const struct gpuoa_constants *constants);

#ifdef __cplusplus
}
#endif

#endif /* GPUOA_CONSTANTS_H */
