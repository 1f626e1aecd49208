/* SPDX-License-Identifier: MIT */
/*
 * aux_samples.h - writes the reports of an AUX area to a perf.data file as samples
 */
#ifndef GPUOA_LIB_SOURCE_RECORDING_AUX_SAMPLES_H
#define GPUOA_LIB_SOURCE_RECORDING_AUX_SAMPLES_H

#include "source/rawdata.h"
#include "source/recording/perfdata_writer.h"
#include "source/sample.h"

/*
 * Of the largest head: a perf_event_header, fields, the size of the payload and gpuoa_raw, a clock
 * pair.
 */
#define AUX_SAMPLES_HEAD_WORDS (1 + SAMPLE_FIELDS_MAX + 2 + 5)
#define AUX_SAMPLES_HEADS 256
#define AUX_SAMPLES_PIECES (3 * AUX_SAMPLES_HEADS)

/* Pieces that are to be written at once. */
struct aux_samples {
	struct perfdata_writer *writer;
	struct sample_layout layout;
	struct iovec pieces[AUX_SAMPLES_PIECES];
	int count;
	uint64_t heads[AUX_SAMPLES_HEADS][AUX_SAMPLES_HEAD_WORDS];
	int head_count;
};

void aux_samples_init(struct aux_samples *samples, struct perfdata_writer *writer,
		      const struct sample_layout *layout);

/*
 * Add records as they are: at most two pieces. What they point to, here and below, must stay until
 * the flush.
 */
int aux_samples_add(struct aux_samples *samples, const struct iovec *pieces, int count);

/* Add an item that @record, of perf, tells of. */
int aux_samples_add_item(struct aux_samples *samples, const struct perf_event_header *record,
			 const struct rawdata_item *item);

/* Write what was added. */
int aux_samples_flush(struct aux_samples *samples);

#endif /* GPUOA_LIB_SOURCE_RECORDING_AUX_SAMPLES_H */
