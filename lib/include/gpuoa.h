/* SPDX-License-Identifier: MIT */
/*
 * gpuoa.h - libgpuoa: hardware metrics of Intel GPUs
 *
 * This header includes those that most programs need, here in the order in which they are needed:
 *
 *   gpuoa-metrics.h        platforms, user definitions, metric sets, metrics, equations
 *   gpuoa-constants.h      properties of one GPU that equations use
 *   gpuoa-report.h         report formats and fields, ticks, sampling periods
 *   gpuoa-reader.h         OA units of this machine; streams, recordings, the recorder
 *   gpuoa-calc.h           metric values of each interval between reports, or of fixed windows
 *
 * Other headers of the library:
 *
 *   gpuoa-device.h         list of GPUs, permission checks
 *   gpuoa-stream.h         further operations on streams
 *   gpuoa-time.h           conversion between GPU and CPU time, stream markers
 *
 * Headers of libgpuoa-extra, a second library on top of this one, with the same conventions:
 *
 *   gpuoa-catalog.h        consecutive numbers for all metrics, filters, domains, plans
 *   gpuoa-custom.h         metric sets defined at run time
 *   gpuoa-equation.h       parsing and evaluation of single equations
 *   gpuoa-freq-pin.h       pinning of the GPU's clock
 *   gpuoa-merge.h          several readers in time order
 *   gpuoa-programmable.h   metrics of programmable counters
 *   gpuoa-query.h          commands for batch buffers: begin/end queries, markers
 *   gpuoa-snapshot.h       the newest report of a stream on demand
 *   gpuoa-stalls.h         EU stall sampling: where threads wait, and for what
 *   gpuoa-symbols.h        kernels of GPU programs: from an address to a source line
 *   gpuoa-tracer.h         several sets of a GPU, collected as raw bytes and decoded later
 *   gpuoa-unit-group.h     units that stay programmed for metric sets
 *
 * Results. Functions that can fail return 0 or a count, or a negative errno. If an index is out of
 * range, getters return NULL, and functions that fill in a struct return -ERANGE. Functions with
 * @error and @error_size write one line with the reason and the remedy there, or "" on success.
 *
 * Structs. A struct can grow at its end if the caller passes its size: options begin with @size,
 * and functions that describe an object or read a description have an argument @size. If the caller
 * was built for an older library, fields that its struct does not have are 0 for the library. If it
 * was built for a newer one, the library sets unknown fields of results to 0, and rejects nonzero
 * unknown fields of inputs with -E2BIG. A struct marked "Fixed" never changes. All other structs
 * have reserved words, set to 0 by the library in results; in inputs they must be 0 (-E2BIG). A
 * field for one value of an enumeration has that type; a mask of its values is a uint32_t. A report
 * format is also a uint32_t, because a unit or recording may have one that this library does not
 * know. Strings are UTF-8.
 *
 * Pointers. Pointers must be valid unless the function or struct documents NULL. NULL is also valid
 * for @error, for buffers of size 0, and for the handle of a close or free function, which then
 * does nothing.
 *
 * Ownership. Tables (platforms, sets, metrics, information items and their strings) are constant.
 * They live until the library is unloaded, or until their user definitions are freed. The caller
 * owns each object that has a close or free function.
 *
 * Threads. Any number of threads may use a const handle at the same time as long as none modifies
 * it: two threads may open calculators with the same constants. Any other handle is for one thread
 * at a time; different handles are independent. One exception: gpuoa_reader_disable() may be called
 * while another thread is in gpuoa_reader_wait(), which then returns.
 *
 * The library never prints, has no global state and reads no environment variable. It requires a
 * 64-bit little-endian machine.
 */
#ifndef GPUOA_H
#define GPUOA_H

#include "gpuoa-calc.h"

#ifdef __cplusplus
extern "C" {
#endif

/* ---- version -------------------------------------------------------------------------------- */

/** gpuoa_version() - Return the version of the library, "MAJOR.MINOR.PATCH". Static. */
GPUOA_API const char *gpuoa_version(void);

/**
 * gpuoa_metadata_revision() - Return the revision of the built-in metric definitions.
 *
 * Return: 12 hexadecimal digits, equal for libraries built from the same definitions. Static.
 */
GPUOA_API const char *gpuoa_metadata_revision(void);

/* ---- names of enumerations ------------------------------------------------------------------ */

/**
 * gpuoa_*_name() - Return the name of a value, as the gpuoa command and metric definitions use it:
 * "duration", "io", "subtract".
 *
 * For bit masks, pass one bit.
 *
 * Return: a static string; NULL if the library does not know the value.
 */
GPUOA_API const char *gpuoa_api_name(enum gpuoa_api api);
GPUOA_API const char *gpuoa_category_name(enum gpuoa_category category);
GPUOA_API const char *gpuoa_sampling_name(enum gpuoa_sampling sampling);
GPUOA_API const char *gpuoa_register_kind_name(enum gpuoa_register_kind kind);
GPUOA_API const char *gpuoa_type_name(enum gpuoa_value_type type);
GPUOA_API const char *gpuoa_semantic_name(enum gpuoa_semantic semantic);
GPUOA_API const char *gpuoa_usage_name(enum gpuoa_usage usage);
GPUOA_API const char *gpuoa_watermark_level_name(enum gpuoa_watermark_level level);
GPUOA_API const char *gpuoa_quantity_name(enum gpuoa_quantity quantity);
GPUOA_API const char *gpuoa_info_kind_name(enum gpuoa_info_kind kind);
GPUOA_API const char *gpuoa_constant_kind_name(enum gpuoa_constant_kind kind);
GPUOA_API const char *gpuoa_provenance_name(enum gpuoa_provenance provenance);
GPUOA_API const char *gpuoa_field_name(enum gpuoa_field field);
GPUOA_API const char *gpuoa_reason_name(enum gpuoa_reason reason);
GPUOA_API const char *gpuoa_delivery_name(enum gpuoa_delivery delivery);
GPUOA_API const char *gpuoa_engine_kind_name(enum gpuoa_engine_kind kind);

#ifdef __cplusplus
}
#endif

#endif /* GPUOA_H */
