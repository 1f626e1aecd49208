/* SPDX-License-Identifier: MIT */
/* aux_samples.h - write the reports of an AUX area to a perf.data file as samples */
#ifndef GPUOA_LIB_READER_RECORDING_AUX_SAMPLES_H
#define GPUOA_LIB_READER_RECORDING_AUX_SAMPLES_H

#include "reader/rawdata.h"
#include "reader/recording/perfdata_writer.h"
#include "reader/sample.h"

/*
 * Size in words of the largest header of a sample: a perf_event_header, fields, the size of the
 * payload, struct gpuoa_raw, and a clock pair
 */
#define AUX_SAMPLES_HEAD_WORDS (1 + SAMPLE_FIELDS_MAX + 2 + 5)
#define AUX_SAMPLES_HEADS 256
#define AUX_SAMPLES_PIECES (3 * AUX_SAMPLES_HEADS)

/* Memory ranges that one writev(2) writes to the file */
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
 * Add existing records, in one or two memory ranges. The memory passed to this function and to
 * aux_samples_add_item() must remain valid until aux_samples_flush().
 */
int aux_samples_add(struct aux_samples *samples, const struct iovec *pieces, int count);

/*
 * Add an item of the AUX area. perf's record @record has described it, and provides event and time
 * of the sample.
 */
int aux_samples_add_item(struct aux_samples *samples, const struct perf_event_header *record,
			 const struct rawdata_item *item);

/* Write everything that was added. */
int aux_samples_flush(struct aux_samples *samples);

#endif /* GPUOA_LIB_READER_RECORDING_AUX_SAMPLES_H */
