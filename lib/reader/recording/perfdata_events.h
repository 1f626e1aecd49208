/* SPDX-License-Identifier: MIT */
/* perfdata_events.h - the events of a perf.data file, and the mapping of records to events */
#ifndef GPUOA_LIB_READER_RECORDING_PERFDATA_EVENTS_H
#define GPUOA_LIB_READER_RECORDING_PERFDATA_EVENTS_H

#include "reader/recording/perfdata.h"
#include "reader/recording/perfdata_format.h"

/* Read the events from the header's table. */
int perfdata_read_attrs(struct perfdata *data, const struct perfdata_header *header);

/* Pipe layout: if the record at @offset describes an event, add it, unless that has been done. */
int perfdata_note_event(struct perfdata *data, uint64_t offset,
			const struct perf_event_header *record);

void perfdata_free_events(struct perfdata *data);

#endif /* GPUOA_LIB_READER_RECORDING_PERFDATA_EVENTS_H */
