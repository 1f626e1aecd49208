/* SPDX-License-Identifier: MIT */
/* source.h - the operations that each kind of stream or recording implements */
#ifndef GPUOA_LIB_SOURCE_SOURCE_H
#define GPUOA_LIB_SOURCE_SOURCE_H

#include "gpuoa-stream.h"
#include "source/notes.h"

/* Implementations of the public functions of these names. NULL: not supported, -EOPNOTSUPP. */
struct source_ops {
	int (*read)(struct gpuoa_source *source, void *reports, size_t max,
		    struct gpuoa_read_status *status);
	int (*next)(struct gpuoa_source *source, const void **reports, size_t max,
		    struct gpuoa_read_status *status);
	void (*release)(struct gpuoa_source *source); /* NULL: nothing to release */
	int (*wait)(struct gpuoa_source *source, int timeout_ms); /* NULL: always ready */
	int (*fd)(const struct gpuoa_source *source);
	int (*enable)(struct gpuoa_source *source);
	int (*disable)(struct gpuoa_source *source);
	int (*find_pairs)(struct gpuoa_source *source); /* NULL: reads find them */
	int (*context)(struct gpuoa_source *source, uint32_t id, struct gpuoa_context_owner *owner);
	/*
	 * Flush reports from the hardware to the ring; NULL: not needed. Returns 0 or a negative
	 * errno
	 */
	int (*look)(struct gpuoa_source *source);
	/* Reads until look_back() do not consume anything. Returns 0 or -ENOMEM */
	int (*look_ahead)(struct gpuoa_source *source);
	void (*look_back)(struct gpuoa_source *source);
	bool (*outstanding)(const struct gpuoa_source *source); /* NULL: true until the end */
	void (*close)(struct gpuoa_source *source);
};

/* State of gpuoa_source_read_some() between calls. */
struct source_memory {
	bool has_last;
	uint64_t last; /* GPU time of the last report in ticks */
	bool has_frequency;
	uint32_t frequency_mhz;
	bool in_context; /* the context of the filter was running */
};

/* Base of each implementation's struct. */
struct gpuoa_source {
	const struct source_ops *ops;
	struct gpuoa_source_desc desc;
	struct gpuoa_unit_desc unit;
	const struct gpuoa_platform *platform;
	const struct gpuoa_constants *constants;
	struct notes notes;
	struct source_memory memory;
};

/* Accumulate the status of another read in @sum. */
void status_add(struct gpuoa_read_status *sum, const struct gpuoa_read_status *found);

#endif /* GPUOA_LIB_SOURCE_SOURCE_H */
