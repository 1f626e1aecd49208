/* SPDX-License-Identifier: MIT */
/* anchors.h - convert between two clocks by interpolation between anchors */
#ifndef GPUOA_LIB_TIME_ANCHORS_H
#define GPUOA_LIB_TIME_ANCHORS_H

#include <stddef.h>
#include <stdint.h>

/*
 * A moment on both clocks: @x in ticks of the GPU, @y in ns of the CPU. The error of @y is at most
 * @error ns.
 */
struct anchor {
	uint64_t x;
	uint64_t y;
	uint64_t error;
};

struct anchors {
	uint64_t frequency; /* nominal, in Hz */
	struct anchor *list; /* sorted by @x, without duplicates */
	size_t count;
	size_t room;
	/* the rate after the last anchor is measured from this anchor to the last one */
	size_t base;
	/* the rate before the first anchor is measured from the first anchor to this one */
	size_t base_ahead;
};

void anchors_fini(struct anchors *anchors);

/* Add an anchor, unless it is redundant. Returns 0 or -ENOMEM. */
int anchors_add(struct anchors *anchors, struct anchor anchor);

/*
 * Convert a time to the other clock. There must be at least one anchor. The error of *value is at
 * most *error; both are in units of the other clock. Returns -ERANGE if the result is negative or
 * exceeds 64 bits.
 */
int anchors_to_y(const struct anchors *anchors, uint64_t x, uint64_t *value, uint64_t *error);
int anchors_to_x(const struct anchors *anchors, uint64_t y, uint64_t *value, uint64_t *error);

/*
 * Return the anchors between which the current rate is measured: the last anchor in *last, and as
 * return value an earlier one. Returns NULL if there are fewer than two anchors.
 */
const struct anchor *anchors_base(const struct anchors *anchors, const struct anchor **last);

#endif /* GPUOA_LIB_TIME_ANCHORS_H */
