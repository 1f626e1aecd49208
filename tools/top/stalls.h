/* SPDX-License-Identifier: MIT */
/*
 * stalls.h - EU stalls of a GPU, sampled while their view is shown
 *
 * One program at a time can sample a GPU, which does not sleep meanwhile. Therefore, the stream is
 * closed with the view.
 */
#ifndef GPUOA_TOOLS_TOP_STALLS_H
#define GPUOA_TOOLS_TOP_STALLS_H

#include "gpuoa-stalls.h"
#include "profile/binds.h"
#include "profile/profile.h"
#include "top/cell_text.h"

/* Maximum number of instructions shown */
#define STALLS_PLACES 32

/* Zero-initialize. */
struct stalls {
	struct profile *kernels; /* in which instructions are looked up; NULL: none are known */
	struct binds *binds; /* finds more kernels; NULL: they are not searched for */
	char device[64]; /* the GPU that is shown; "": none */
	char problem[512]; /* why it cannot be sampled; "": it is sampled */
	struct gpuoa_stall_stream *stream; /* NULL: not open */
	struct gpuoa_stall_desc desc;
	struct gpuoa_stall_sums *sums; /* of the current interval */
	uint32_t losses; /* of the current interval */
	/* The last interval: */
	bool known;
	uint64_t total; /* samples */
	uint32_t lost; /* number of times that records were lost */
	uint64_t counts[GPUOA_STALL_REASONS];
	/* the instructions with the most samples, by descending number; .kernel may be NULL */
	struct profile_place places[STALLS_PLACES];
	size_t place_count;
	struct history histories[GPUOA_STALL_REASONS]; /* shares of samples, in percent */
};

/*
 * Select the GPU to sample, and sample it; this also tries again a GPU that could not be sampled.
 * @device: as for gpuoa_stall_open(); NULL: none, so that other programs can sample
 */
void stalls_select(struct stalls *stalls, const char *device);

/* Try again if the GPU could not be sampled. */
void stalls_look(struct stalls *stalls);

/* Read all available records. */
void stalls_drain(struct stalls *stalls);

/* End the interval. @keep: if false, its samples are discarded */
void stalls_tick(struct stalls *stalls, bool keep);

/* Find the kernels that processes have loaded since the last call. */
void stalls_find_kernels(struct stalls *stalls);

/*
 * Format the place of an instruction: "kernels.cl:6 in scale", "+0x40 in scale" if its line is
 * unknown, or "[unknown]".
 */
void stalls_place_text(const struct profile_place *place, char *text, size_t size);

#endif /* GPUOA_TOOLS_TOP_STALLS_H */
