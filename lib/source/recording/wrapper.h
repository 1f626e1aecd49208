/* SPDX-License-Identifier: MIT */
/*
 * wrapper.h - reports of an AUX area into a perf.data file as samples: heads are made, reports are
 * written from where they are
 */
#ifndef GPUOA_LIB_WRAPPER_H
#define GPUOA_LIB_WRAPPER_H

#include "source/recording/perfdata_writer.h"
#include "source/rawdata.h"
#include "source/sample.h"

/*
 * Of the largest head: a perf_event_header, fields, the size of the payload and gpuoa_raw, a clock
 * pair.
 */
#define GPUOA_WRAPPER_HEAD_WORDS (1 + GPUOA_SAMPLE_FIELDS_MAX + 2 + 5)
#define GPUOA_WRAPPER_HEADS 256
#define GPUOA_WRAPPER_PIECES (3 * GPUOA_WRAPPER_HEADS)

/* Pieces that are to be written at once. */
struct gpuoa_wrapper {
	struct gpuoa_perfdata_writer *writer;
	struct gpuoa_sample_layout layout;
	struct iovec pieces[GPUOA_WRAPPER_PIECES];
	int count;
	uint64_t heads[GPUOA_WRAPPER_HEADS][GPUOA_WRAPPER_HEAD_WORDS];
	int head_count;
};

void gpuoa_wrapper_init(struct gpuoa_wrapper *wrapper, struct gpuoa_perfdata_writer *writer,
			const struct gpuoa_sample_layout *layout);

/*
 * Add records as they are: at most two pieces. What they point to, here and below, must stay until
 * the flush.
 */
int gpuoa_wrapper_add(struct gpuoa_wrapper *wrapper, const struct iovec *pieces, int count);

/* Add an item that @record, of perf, tells of. */
int gpuoa_wrapper_add_item(struct gpuoa_wrapper *wrapper, const struct perf_event_header *record,
			   const struct gpuoa_rawdata_item *item);

/* Write what was added. */
int gpuoa_wrapper_flush(struct gpuoa_wrapper *wrapper);

#endif /* GPUOA_LIB_WRAPPER_H */
