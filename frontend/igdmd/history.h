/* SPDX-License-Identifier: MIT */
/* history.h - the last reports of a context's stream, to subtract other contexts' work from queries
 */
#ifndef GPUOA_FRONTEND_IGDMD_HISTORY_H
#define GPUOA_FRONTEND_IGDMD_HISTORY_H

#include <stdbool.h>
#include <stdint.h>

#include "gpuoa-reader.h"

struct history;

/*
 * Create a history without reports for a stream that began at the GPU time @now; UINT64_MAX:
 * unknown. @set: any set of the platform. Returns NULL without memory, or if reports have no
 * context.
 */
struct history *history_new(const struct gpuoa_set *set, uint32_t format, uint64_t now);
void history_free(struct history *history);

/* Read all reports that a stream has now, so that its buffer does not overflow. */
void history_read(struct history *history, struct gpuoa_reader *stream, struct gpuoa_unit *unit);
/* Read until a report is not older than @end, the end report of a query before @now. */
void history_catch_up(struct history *history, struct gpuoa_reader *stream, struct gpuoa_unit *unit,
		      uint64_t now, const uint8_t *end);
/* Read the last reports before the stream is closed. */
void history_finish(struct history *history, struct gpuoa_reader *stream, struct gpuoa_unit *unit);
/* Continue with the reports of another stream, which began at @now. */
void history_resume(struct history *history, uint64_t now);

/*
 * Subtract from the end report of a query what was counted while another context ran. @now: a GPU
 * time after the query. Returns false, and leaves the report unchanged, if the query is not of the
 * stream's context, or reports are missing.
 */
bool history_subtract(struct history *history, uint64_t now, const uint8_t *begin, uint8_t *end);

#endif /* GPUOA_FRONTEND_IGDMD_HISTORY_H */
