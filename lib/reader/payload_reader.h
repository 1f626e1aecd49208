/* SPDX-License-Identifier: MIT */
/*
 * payload_reader.h - a reader of RAW payloads that its caller has stored, such as the raw data of a
 * tracer
 */
#ifndef GPUOA_LIB_READER_PAYLOAD_READER_H
#define GPUOA_LIB_READER_PAYLOAD_READER_H

#include <stdbool.h>
#include <stddef.h>

#include "base/private.h"
#include "gpuoa.h"

/*
 * The payload of a sample, as the kernel wrote it. If .data is NULL, perf lost a record at this
 * point.
 */
struct payload {
	const void *data;
	size_t size;
};

/*
 * Callback that gets the next payload, which is valid until the next call. Returns 1, 0 if there is
 * none, or -errno.
 */
typedef int (*payload_next)(void *ctx, struct payload *payload);

/*
 * Get the description of a stream and its unit from a payload. Returns 1, 0 if the payload has
 * none, or -EBADMSG.
 */
int payload_describe(const struct payload *payload, struct gpuoa_reader_desc *desc,
		     struct gpuoa_unit_desc *unit) GPUOA_PRIVATE(payload_describe);

/*
 * Open a reader of payloads.
 * @desc, @unit: descriptions of the stream
 * @ends: true if no more payloads follow after @next has returned 0
 * @release: called with @ctx when the reader is closed; may be NULL
 *
 * Returns 0 or -ENOMEM. Reads return -EBADMSG if a payload is damaged.
 */
int payload_reader_open(const struct gpuoa_reader_desc *desc, const struct gpuoa_unit_desc *unit,
			payload_next next, void *ctx, bool ends, void (*release)(void *ctx),
			struct gpuoa_reader **reader) GPUOA_PRIVATE(payload_reader_open);

#endif /* GPUOA_LIB_READER_PAYLOAD_READER_H */
