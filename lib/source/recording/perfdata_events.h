/* SPDX-License-Identifier: MIT */
/*
 * perfdata_events.h - the events of a perf.data file, and which of them a record belongs to
 */
#ifndef GPUOA_LIB_PERFDATA_EVENTS_H
#define GPUOA_LIB_PERFDATA_EVENTS_H

#include "source/recording/perfdata.h"
#include "source/recording/perfdata_format.h"

/* Read the events from the header's table. */
int gpuoa_perfdata_read_attrs(struct gpuoa_perfdata *data,
			      const struct gpuoa_perfdata_header *header);

/* In a pipe's layout: if the record at @offset describes an event, take note of it, once. */
int gpuoa_perfdata_note_event(struct gpuoa_perfdata *data, uint64_t offset,
			      const struct perf_event_header *record);

void gpuoa_perfdata_free_events(struct gpuoa_perfdata *data);

#endif /* GPUOA_LIB_PERFDATA_EVENTS_H */
