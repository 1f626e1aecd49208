// SPDX-License-Identifier: MIT
/* stalls.c - EU stalls of a GPU, sampled while their view is shown */
#include "top/stalls.h"

#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "profile/profile.h"

static void stop(struct stalls *stalls)
{
	gpuoa_stall_close(stalls->stream);
	gpuoa_stall_sums_free(stalls->sums);
	stalls->stream = NULL;
	stalls->sums = NULL;
	stalls->losses = 0;
}

static void start(struct stalls *stalls)
{
	*stalls->problem = '\0';
	if (gpuoa_stall_open(stalls->device, NULL, &stalls->stream, stalls->problem,
			     sizeof(stalls->problem)))
		stalls->stream = NULL;
	else if (gpuoa_stall_sums_new(&stalls->sums))
		stop(stalls);
	if (stalls->stream)
		gpuoa_stall_describe(stalls->stream, &stalls->desc, sizeof(stalls->desc));
	else if (!*stalls->problem)
		snprintf(stalls->problem, sizeof(stalls->problem), "out of memory");
}

void stalls_select(struct stalls *stalls, const char *device)
{
	if (!strcmp(stalls->device, device ? device : ""))
		return;
	stop(stalls);
	*stalls = (struct stalls){ .kernels = stalls->kernels, .binds = stalls->binds };
	if (!device)
		return;
	snprintf(stalls->device, sizeof(stalls->device), "%s", device);
	start(stalls);
}

void stalls_look(struct stalls *stalls)
{
	if (*stalls->device && !stalls->stream)
		start(stalls);
}

static void fail_with(struct stalls *stalls, int err)
{
	stop(stalls);
	snprintf(stalls->problem, sizeof(stalls->problem), "cannot read EU stalls: %s",
		 err == -ENODEV ? "the GPU was reset or removed" : strerror(-err));
}

void stalls_drain(struct stalls *stalls)
{
	struct gpuoa_stall_window window;
	int err;

	if (!stalls->stream)
		return;
	err = gpuoa_stall_read(stalls->stream, &window, sizeof(window));
	if (!err) {
		stalls->losses += window.losses;
		err = gpuoa_stall_sums_add(stalls->sums, stalls->desc.layout, window.records,
					   window.count);
	}
	if (err < 0)
		fail_with(stalls, err);
}

static int compare(const void *a, const void *b)
{
	const struct profile_place *one = a, *other = b;

	if (one->total != other->total)
		return one->total > other->total ? -1 : 1;
	return one->address < other->address ? -1 : one->address > other->address;
}

/* Find the instructions with the most samples, and their kernels. */
static void rank(struct stalls *stalls)
{
	const uint32_t count = gpuoa_stall_sums_count(stalls->sums);
	struct profile_place *list = calloc((size_t)count + 1, sizeof(*list));

	stalls->place_count = 0;
	if (!list)
		return;
	for (uint32_t i = 0; i < count; i++) {
		struct gpuoa_stall_sum sum;

		gpuoa_stall_sums_get(stalls->sums, i, &sum, sizeof(sum));
		list[i].address = sum.address;
		for (unsigned int k = 0; k < GPUOA_STALL_REASON_COUNT; k++) {
			list[i].counts[k] = sum.counts[k];
			list[i].total += sum.counts[k];
		}
	}
	qsort(list, count, sizeof(*list), compare);
	if (stalls->kernels)
		profile_free_texts(stalls->kernels);
	while (stalls->place_count < count && stalls->place_count < STALLS_PLACES) {
		struct profile_place *place = &stalls->places[stalls->place_count];

		*place = list[stalls->place_count++];
		if (stalls->kernels)
			profile_locate(stalls->kernels, place);
	}
	free(list);
}

void stalls_find_kernels(struct stalls *stalls)
{
	/* Notes would be printed on the screen. */
	const struct tool tool = { .quiet = true };
	struct kernels *kernels;
	size_t before;

	if (!stalls->binds)
		return;
	kernels = &stalls->kernels->kernels;
	before = kernels->load_count;
	binds_search(stalls->binds, kernels, false);
	if (kernels->load_count > before)
		kernels_map(kernels, &tool, stalls->kernels->map);
}

void stalls_place_text(const struct profile_place *place, char *text, size_t size)
{
	if (place->file)
		snprintf(text, size, "%s:%" PRIu32 " in %s", profile_base_name(place->file),
			 place->line, place->kernel);
	else if (place->known)
		snprintf(text, size, "+0x%" PRIx64 " in %s", place->offset, place->kernel);
	else
		snprintf(text, size, "%s", place->kernel ? place->kernel : "");
}

void stalls_tick(struct stalls *stalls, bool keep)
{
	if (!stalls->stream)
		return;
	if (keep) {
		gpuoa_stall_sums_total(stalls->sums, stalls->counts);
		stalls->total = 0;
		for (unsigned int k = 0; k < GPUOA_STALL_REASON_COUNT; k++)
			stalls->total += stalls->counts[k];
		for (unsigned int k = 0; k < GPUOA_STALL_REASON_COUNT; k++)
			history_add(&stalls->histories[k],
				    profile_percent(stalls->counts[k], stalls->total));
		stalls->lost = stalls->losses;
		stalls->known = true;
		rank(stalls);
	}
	stalls->losses = 0;
	gpuoa_stall_sums_clear(stalls->sums);
}
