/* SPDX-License-Identifier: MIT */
/*
 * programmed.h - whether a unit is programmed for a stream's set. The stream and its query pools
 * share this state by reference count.
 */
#ifndef GPUOA_LIB_READER_STREAM_PROGRAMMED_H
#define GPUOA_LIB_READER_STREAM_PROGRAMMED_H

#include <stdbool.h>
#include <stdint.h>
#include <stdlib.h>

#include "gpuoa.h"

struct programmed {
	_Atomic uint32_t references;
	/* odd if the unit counts the set; the value changes whenever the unit is reprogrammed */
	_Atomic uint64_t state;
	const struct gpuoa_set *_Atomic set;
};

/* Allocate the state; the unit does not count yet. Returns NULL if out of memory. */
static inline struct programmed *programmed_new(const struct gpuoa_set *set)
{
	struct programmed *programmed = calloc(1, sizeof(*programmed));

	if (programmed) {
		programmed->references = 1;
		programmed->set = set;
	}
	return programmed;
}

static inline struct programmed *programmed_get(struct programmed *programmed)
{
	programmed->references++;
	return programmed;
}

static inline void programmed_put(struct programmed *programmed)
{
	if (programmed && !--programmed->references)
		free(programmed);
}

/* Only one thread at a time may call programmed_switch() or programmed_change(). */
static inline void programmed_switch(struct programmed *programmed, bool on)
{
	if ((programmed->state & 1) != on)
		programmed->state++;
}

static inline void programmed_change(struct programmed *programmed, const struct gpuoa_set *set)
{
	programmed->set = set;
	programmed->state += 2;
}

#endif /* GPUOA_LIB_READER_STREAM_PROGRAMMED_H */
