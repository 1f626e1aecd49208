/* SPDX-License-Identifier: MIT */
/*
 * legend.h - what a recording carries so that it is read anywhere as where it was made: the
 * definitions of its set, and the constants of its GPU
 *
 * Both are text, cut into records of samples that come before all others of their event. In the
 * samples of the stock perf tool they are not: then the library's own tables have to do.
 */
#ifndef GPUOA_LIB_SOURCE_RECORDING_LEGEND_H
#define GPUOA_LIB_SOURCE_RECORDING_LEGEND_H

#include "source/rawdata.h"
#include "source/recording/perfdata_writer.h"
#include "source/sample.h"

/* Where samples of a stream go, and what they look like. */
struct legend_target {
	struct perfdata_writer *writer;
	const struct sample_layout *layout;
	uint64_t id; /* of the event */
	uint32_t cpu; /* that its samples are made on */
};

/* A sample with one record of @size bytes, 8-byte aligned. Errors are those of write(2). */
int legend_write_sample(const struct legend_target *target, const void *record, size_t size);

/* Write the legend of a set on a GPU; @constants may be NULL. -ENOMEM; else as write(2). */
int legend_write(const struct legend_target *target, const struct gpuoa_set *set,
		 const struct gpuoa_constants *constants);

/* A legend that is read. */
struct legend {
	char *texts[RAWDATA_TEXTS]; /* by enum rawdata_text_kind, zero-terminated */
	size_t sizes[RAWDATA_TEXTS]; /* what there is of them, */
	size_t totals[RAWDATA_TEXTS]; /*   and what there should be */
	struct gpuoa_definitions *definitions; /* loaded from one; NULL: the built-in ones do */
};

/* Take in an item of RAWDATA_TEXT. -EBADMSG: it does not go with the last one; -ENOMEM. */
int legend_take(struct legend *legend, const struct rawdata_text *text);

/*
 * The platform that a recording of @unit, of configuration @uuid, was made with: the built-in one
 * if it says the same of the set. NULL: there is none.
 */
const struct gpuoa_platform *legend_platform(struct legend *legend,
					     const struct gpuoa_unit_desc *unit, const char *uuid);

/* Give @constants the values that they had. */
void legend_constants(const struct legend *legend, struct gpuoa_constants *constants);

void legend_fini(struct legend *legend);

#endif /* GPUOA_LIB_SOURCE_RECORDING_LEGEND_H */
