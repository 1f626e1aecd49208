/* SPDX-License-Identifier: MIT */
/*
 * watches.h - all OA units that are watched, as they come and go
 */
#ifndef GPUOA_TOP_WATCHES_H
#define GPUOA_TOP_WATCHES_H

#include "watch.h"

#define WATCHES_MAX 64

struct watches {
	const struct tool *tool;
	const char *set; /* symbol that the user wants, of those units that have it; or NULL */
	const char *metrics; /* to show, as -m names them; NULL: all */
	struct watch *list[WATCHES_MAX]; /* sorted by name as they were found */
	size_t count;
};

/* Open all units, or those that -d names. Returns an exit code; what is wrong has been said. */
int watches_open(struct watches *watches, const struct tool *tool, const char *set,
		 const char *metrics);
void watches_close(struct watches *watches);

/* Look for units that came, that came back, or can be measured by now. */
void watches_look(struct watches *watches);

/*
 * Sleep until a stream has reports, or @fd (-1: none) can be read, or the time is over. Returns
 * whether @fd can be read.
 */
bool watches_wait(const struct watches *watches, int fd, int timeout_ms);

void watches_drain(struct watches *watches);

#endif /* GPUOA_TOP_WATCHES_H */
