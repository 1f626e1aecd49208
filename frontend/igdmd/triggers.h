/* SPDX-License-Identifier: MIT */
/* triggers.h - the reports of a stream that batches requested, for queries of Xe2 and later */
#ifndef GPUOA_FRONTEND_IGDMD_TRIGGERS_H
#define GPUOA_FRONTEND_IGDMD_TRIGGERS_H

#include <stdbool.h>
#include <stdint.h>

#include "gpuoa-reader.h"

struct triggers;

/*
 * Create an empty list. @set: any set of the platform, with reports in @format. Returns NULL
 * without memory.
 */
struct triggers *triggers_new(const struct gpuoa_set *set, uint32_t format,
			      const struct gpuoa_unit_desc *unit);
void triggers_free(struct triggers *triggers);

/* Read all reports that a stream has now. */
void triggers_read(struct triggers *triggers, struct gpuoa_reader *stream);
/* Read the last reports before the stream is closed. */
void triggers_finish(struct triggers *triggers, struct gpuoa_reader *stream);

/*
 * Find the report that a batch requested with @value at the time @ticks of the command streamer,
 * or shortly after. @stream: read it until the report is found, at most a second; NULL: do not.
 * Returns NULL if there is none. The report is valid until the next call.
 */
const uint8_t *triggers_find(struct triggers *triggers, struct gpuoa_reader *stream, uint32_t value,
			     uint64_t ticks);

#endif /* GPUOA_FRONTEND_IGDMD_TRIGGERS_H */
