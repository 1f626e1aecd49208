// SPDX-License-Identifier: MIT
/* time.c - relate a GPU's clock to several clocks of the CPU */
#include <errno.h>
#include <stdlib.h>

#include "base/nsec.h"
#include "gpuoa-time.h"
#include "time/anchors.h"

#define CLOCKS_MAX 16

struct series {
	int32_t clock_id;
	struct anchors anchors;
};

struct gpuoa_time {
	uint64_t frequency;
	uint32_t count;
	struct series series[CLOCKS_MAX];
};

int gpuoa_time_open(uint64_t timestamp_frequency, struct gpuoa_time **time)
{
	struct gpuoa_time *new;

	if (!timestamp_frequency)
		return -EINVAL;
	new = calloc(1, sizeof(*new));
	if (!new)
		return -ENOMEM;
	new->frequency = timestamp_frequency;
	*time = new;
	return 0;
}

void gpuoa_time_close(struct gpuoa_time *time)
{
	if (!time)
		return;
	for (uint32_t i = 0; i < time->count; i++)
		anchors_fini(&time->series[i].anchors);
	free(time);
}

static const struct anchors *find(const struct gpuoa_time *time, int clock_id)
{
	for (uint32_t i = 0; i < time->count; i++)
		if (time->series[i].clock_id == clock_id)
			return &time->series[i].anchors;
	return NULL;
}

int gpuoa_time_add(struct gpuoa_time *time, const struct gpuoa_clock_pair *pair)
{
	/*
	 * A GPU time is a whole number of ticks, so that it may be up to one tick less than the
	 * actual time.
	 */
	const uint64_t tick = (NSEC_PER_SEC + time->frequency - 1) / time->frequency;
	const struct anchor anchor = {
		.x = pair->gpu_ticks,
		.y = pair->cpu_ns,
		.error = pair->error_ns + tick,
	};
	struct anchors *anchors = (struct anchors *)find(time, pair->clock_id);

	if (!anchors) {
		if (time->count == CLOCKS_MAX)
			return -ENOSPC;
		time->series[time->count].clock_id = pair->clock_id;
		anchors = &time->series[time->count++].anchors;
		anchors->frequency = time->frequency;
	}
	return anchors_add(anchors, anchor);
}

/* Returns the anchors of a CPU clock, or NULL if it has none. */
static const struct anchors *find_known(const struct gpuoa_time *time, int clock_id)
{
	const struct anchors *anchors = find(time, clock_id);

	return anchors && anchors->count ? anchors : NULL;
}

int gpuoa_time_to_cpu(const struct gpuoa_time *time, int clock_id, uint64_t gpu_ticks,
		      uint64_t *cpu_ns, uint64_t *error_ns)
{
	const struct anchors *anchors = find_known(time, clock_id);
	uint64_t error;
	int err;

	if (!anchors)
		return -ENODATA;
	err = anchors_to_y(anchors, gpu_ticks, cpu_ns, &error);
	if (error_ns)
		*error_ns = error;
	return err;
}

int gpuoa_time_to_gpu(const struct gpuoa_time *time, int clock_id, uint64_t cpu_ns,
		      uint64_t *gpu_ticks, uint64_t *error_ticks)
{
	const struct anchors *anchors = find_known(time, clock_id);
	uint64_t error;
	int err;

	if (!anchors)
		return -ENODATA;
	err = anchors_to_x(anchors, cpu_ns, gpu_ticks, &error);
	if (error_ticks)
		*error_ticks = error;
	return err;
}

int gpuoa_time_rate(const struct gpuoa_time *time, int clock_id, double *hz, double *error_hz)
{
	const struct anchors *anchors = find_known(time, clock_id);
	const struct anchor *last, *first = anchors ? anchors_base(anchors, &last) : NULL;
	double ns;

	if (!first || last->y <= first->y)
		return -ENODATA;
	ns = (double)(last->y - first->y);
	*hz = (double)(last->x - first->x) * NSEC_PER_SEC / ns;
	if (error_hz)
		*error_hz = *hz * (double)(first->error + last->error) / ns;
	return 0;
}
