/* SPDX-License-Identifier: MIT */
/*
 * watches.h - all OA units being measured, with hotplug
 */
#ifndef GPUOA_TOP_WATCHES_H
#define GPUOA_TOP_WATCHES_H

#include "top/watch.h"

#define WATCHES_MAX 64

struct watches {
	const struct tool *tool;
	const char *set; /* symbol of the set, for units that have it; or NULL */
	const char *metrics; /* argument of -m; NULL: all */
	struct watch *list[WATCHES_MAX]; /* in order of discovery, new ones by name */
	size_t count;
};

/* Open all units, or those named by -d. Returns an exit code; prints any error. */
int watches_open(struct watches *watches, const struct tool *tool, const char *set,
		 const char *metrics);
void watches_close(struct watches *watches);

/* Find new units, and retry those that were removed or failed. */
void watches_look(struct watches *watches);

/*
 * Wait until a stream has reports, @fd (-1: none) is readable, or the timeout expires. Returns
 * whether @fd is readable.
 */
bool watches_wait(const struct watches *watches, int fd, int timeout_ms);

void watches_drain(struct watches *watches);

#endif /* GPUOA_TOP_WATCHES_H */
