/* SPDX-License-Identifier: MIT */
/*
 * source.h - what every origin of reports implements
 */
#ifndef GPUOA_LIB_SOURCE_SOURCE_H
#define GPUOA_LIB_SOURCE_SOURCE_H

#include "gpuoa-stream.h"
#include "source/notes.h"

/* The public functions of these names. NULL: the origin does not have it, -EOPNOTSUPP. */
struct source_ops {
	int (*read)(struct gpuoa_source *source, void *reports, size_t max,
		    struct gpuoa_read_status *status);
	int (*next)(struct gpuoa_source *source, const void **reports, size_t max,
		    struct gpuoa_read_status *status);
	void (*release)(struct gpuoa_source *source); /* NULL: there is nothing to give back */
	int (*wait)(struct gpuoa_source *source, int timeout_ms); /* NULL: always ready */
	int (*fd)(const struct gpuoa_source *source);
	int (*enable)(struct gpuoa_source *source);
	int (*disable)(struct gpuoa_source *source);
	int (*find_pairs)(struct gpuoa_source *source); /* NULL: reads find them */
	int (*context)(struct gpuoa_source *source, uint32_t id, struct gpuoa_context_owner *owner);
	/* Have the kernel hand on what has landed; NULL: reads do. 0 or a negative errno */
	int (*look)(struct gpuoa_source *source);
	/* Reads from here to look_back() take nothing. -ENOMEM */
	int (*look_ahead)(struct gpuoa_source *source);
	void (*look_back)(struct gpuoa_source *source);
	bool (*outstanding)(const struct gpuoa_source *source); /* NULL: until the end, always */
	void (*close)(struct gpuoa_source *source);
};

/* What gpuoa_source_read_some() knows of what it gave before. */
struct source_memory {
	bool has_last;
	uint64_t last; /* GPU time of the last report, in ticks */
	bool has_frequency;
	uint32_t frequency_mhz;
	bool in_context; /* the filter's context ran */
};

/* Head of each origin's own struct. */
struct gpuoa_source {
	const struct source_ops *ops;
	struct gpuoa_source_desc desc;
	struct gpuoa_unit_desc unit;
	const struct gpuoa_platform *platform;
	const struct gpuoa_constants *constants;
	struct notes notes;
	struct source_memory memory;
};

/* Add to @sum what another read found. */
void status_add(struct gpuoa_read_status *sum, const struct gpuoa_read_status *found);

#endif /* GPUOA_LIB_SOURCE_SOURCE_H */
