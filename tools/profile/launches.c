// SPDX-License-Identifier: MIT
/* launches.c - from where kernels were launched */
#include "profile/launches.h"

#include <stdlib.h>
#include <string.h>

#include "common/tool.h"

static int compare(const void *a, const void *b)
{
	const struct launch *one = a, *other = b;

	if (one->address != other->address)
		return one->address < other->address ? -1 : 1;
	if (one->pid != other->pid)
		return one->pid < other->pid ? -1 : 1;
	return strcmp(one->stack, other->stack);
}

/* Separate the frames by NULs. Those after the maximum number become one. */
static size_t split(char *stack)
{
	size_t count = 0;

	for (char *c = stack; *c; c++)
		if (*c == '\n' && ++count < LAUNCH_FRAMES_MAX)
			*c = '\0';
	return count < LAUNCH_FRAMES_MAX ? count : LAUNCH_FRAMES_MAX;
}

void launches_take(struct launches *launches, const struct gpuoa_stall_file *file)
{
	struct gpuoa_stall_launch launch;

	for (uint32_t i = 0; !gpuoa_stall_file_get_launch(file, i, &launch, sizeof(launch)); i++) {
		const size_t length = strlen(launch.stack);
		struct launch *grown =
			realloc(launches->list, (launches->count + 1) * sizeof(*launches->list));
		struct launch new = {
			.address = launch.address,
			.count = launch.count,
			.groups = launch.groups,
			.stack = malloc(length + 2),
			.pid = launch.pid,
		};

		if (grown)
			launches->list = grown;
		if (!grown || !new.stack)
			die_of_memory();
		memcpy(new.stack, launch.stack, length);
		/* The last newline can be missing in a damaged record. */
		strcpy(new.stack + length, launch.stack[length - 1] == '\n' ? "" : "\n");
		new.frame_count = split(new.stack);
		launches->list[launches->count++] = new;
	}
	if (launches->count)
		qsort(launches->list, launches->count, sizeof(*launches->list), compare);
}

/* Return the index of the first launch that is not before a kernel and process. */
static size_t find_first(const struct launches *launches, uint64_t address, uint32_t pid)
{
	size_t low = 0, high = launches->count;

	while (low < high) {
		const size_t middle = low + (high - low) / 2;
		const struct launch *at = &launches->list[middle];

		if (at->address < address || (at->address == address && at->pid < pid))
			low = middle + 1;
		else
			high = middle;
	}
	return low;
}

const struct launch *launches_find(const struct launches *launches, uint64_t address, uint32_t pid,
				   size_t *count)
{
	const size_t first = find_first(launches, address, pid);
	size_t end = first;

	while (end < launches->count && launches->list[end].address == address &&
	       (!pid || launches->list[end].pid == pid))
		end++;
	*count = end - first;
	return *count ? &launches->list[first] : NULL;
}

void launches_free(struct launches *launches)
{
	for (size_t i = 0; i < launches->count; i++)
		free(launches->list[i].stack);
	free(launches->list);
	*launches = (struct launches){ .list = NULL };
}
