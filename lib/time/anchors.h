/* SPDX-License-Identifier: MIT */
/*
 * anchors.h - moments that are known on two clocks, in order of time, and what follows from them
 */
#ifndef GPUOA_LIB_TIME_ANCHORS_H
#define GPUOA_LIB_TIME_ANCHORS_H

#include <stddef.h>
#include <stdint.h>

/* One moment: @x on the GPU's clock in ticks, @y on the CPU's in ns, right to within @error ns. */
struct anchor {
	uint64_t x;
	uint64_t y;
	uint64_t error;
};

struct anchors {
	uint64_t frequency; /* nominal, ticks per second */
	struct anchor *list; /* by @x, no two alike */
	size_t count;
	size_t room;
	size_t base; /* the rate behind the last anchor is that from this one on, */
	size_t base_ahead; /*   and before the first one that up to this one */
};

void anchors_fini(struct anchors *anchors);

/* Take a moment in, unless it tells nothing new. 0 or -ENOMEM. */
int anchors_add(struct anchors *anchors, struct anchor anchor);

/*
 * The other clock's time of a moment, as precisely as it is known: *value is right to within
 * *error, both in units of the other clock. There is at least one anchor. -ERANGE: it is below 0,
 * or exceeds 64 bits.
 */
int anchors_to_y(const struct anchors *anchors, uint64_t x, uint64_t *value, uint64_t *error);
int anchors_to_x(const struct anchors *anchors, uint64_t y, uint64_t *value, uint64_t *error);

/*
 * The two anchors that the present rate is measured between: the last one, and one before. NULL if
 * there is one only.
 */
const struct anchor *anchors_base(const struct anchors *anchors, const struct anchor **last);

#endif /* GPUOA_LIB_TIME_ANCHORS_H */
