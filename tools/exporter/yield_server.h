/* SPDX-License-Identifier: MIT */
/*
 * yield_server.h - releases OA units to programs that request them
 */
#ifndef GPUOA_EXPORTER_YIELD_SERVER_H
#define GPUOA_EXPORTER_YIELD_SERVER_H

#include <stdbool.h>
#include <stddef.h>
#include <sys/types.h>

enum yield_to {
	YIELD_TO_ROOT, /* and to the exporter's own user */
	YIELD_TO_ALL, /* users of the machine */
	YIELD_TO_NONE,
};

#define YIELDS_MAX 32 /* connections at a time */

/* A program that has requested a unit. */
struct yield {
	int fd;
	pid_t process;
	char unit[16]; /* or YIELD_ALL_UNITS; "": not named yet */
};

struct yield_server {
	int fd; /* -1: none */
	enum yield_to to;
	struct yield list[YIELDS_MAX];
	size_t count;
};

/* Listen. Returns a negative errno; without a server, yield_server_wait() only sleeps. */
int yield_server_open(struct yield_server *server, enum yield_to to);

/*
 * Sleep for @timeout_ms or until a request comes or ends.
 *
 * @release: called for each unit that is requested, before the reply is sent
 *
 * Returns whether a program has returned its unit.
 */
bool yield_server_wait(struct yield_server *server, int timeout_ms,
		       void (*release)(void *context, const struct yield *yield), void *context);

/* Return whether a program has requested the unit of that name. */
bool yield_server_has(const struct yield_server *server, const char *unit);

/* Return whether a request is for the unit of that name. */
bool yield_is_for(const struct yield *yield, const char *unit);

void yield_server_close(struct yield_server *server);

#endif /* GPUOA_EXPORTER_YIELD_SERVER_H */
