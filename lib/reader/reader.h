/* SPDX-License-Identifier: MIT */
/* reader.h - the operations that each kind of stream or recording implements */
#ifndef GPUOA_LIB_READER_READER_H
#define GPUOA_LIB_READER_READER_H

#include "gpuoa-stream.h"
#include "reader/side_data.h"

/*
 * Operations of a reader, which implement the public functions of the same names. If a function is
 * NULL, the operation is not supported, and callers return -EOPNOTSUPP.
 */
struct reader_ops {
	int (*read)(struct gpuoa_reader *reader, void *reports, size_t max,
		    struct gpuoa_read_status *status);
	int (*next)(struct gpuoa_reader *reader, const void **reports, size_t max,
		    struct gpuoa_read_status *status);
	void (*release)(struct gpuoa_reader *reader); /* NULL: nothing to release */
	int (*wait)(struct gpuoa_reader *reader, int timeout_ms); /* NULL: always ready */
	int (*fd)(const struct gpuoa_reader *reader);
	int (*enable)(struct gpuoa_reader *reader);
	int (*disable)(struct gpuoa_reader *reader);
	int (*find_pairs)(struct gpuoa_reader *reader); /* NULL: reads find them */
	int (*context)(struct gpuoa_reader *reader, uint32_t id, struct gpuoa_context_owner *owner);
	/*
	 * Flush reports from the hardware to the ring; NULL: this is not needed. Returns 0 or a
	 * negative errno.
	 */
	int (*look)(struct gpuoa_reader *reader);
	/*
	 * Begin to look ahead: until look_back(), reads do not consume what they return. Returns 0
	 * or -ENOMEM.
	 */
	int (*look_ahead)(struct gpuoa_reader *reader);
	void (*look_back)(struct gpuoa_reader *reader);
	bool (*outstanding)(const struct gpuoa_reader *reader); /* NULL: true until the end */
	void (*close)(struct gpuoa_reader *reader);
};

/* State of gpuoa_reader_read_filtered() between calls. */
struct reader_memory {
	bool has_last;
	uint64_t last; /* GPU time of the last report in ticks */
	bool has_frequency;
	uint32_t frequency_mhz;
	bool in_context; /* the context that the filter selects was running after the last report */
};

/* Base of each implementation's struct. */
struct gpuoa_reader {
	const struct reader_ops *ops;
	struct gpuoa_reader_desc desc;
	struct gpuoa_unit_desc unit;
	const struct gpuoa_platform *platform;
	const struct gpuoa_constants *constants;
	struct side_data side_data;
	struct reader_memory memory;
};

#endif /* GPUOA_LIB_READER_READER_H */
