/* SPDX-License-Identifier: MIT */
/*
 * yield_server.h - release OA units to programs that request them
 */
#ifndef GPUOA_EXPORTER_YIELD_SERVER_H
#define GPUOA_EXPORTER_YIELD_SERVER_H

#include <stdbool.h>
#include <stddef.h>
#include <sys/types.h>

enum yield_to {
	YIELD_TO_ROOT, /* root and the exporter's user */
	YIELD_TO_ALL, /* all local users */
	YIELD_TO_NONE,
};

#define YIELDS_MAX 32 /* maximum number of connections */

/* A program that has requested a unit */
struct yield {
	int fd;
	pid_t process;
	char unit[16]; /* name of the requested unit, or YIELD_ALL_UNITS; "": no request yet */
};

struct yield_server {
	int fd; /* listening socket; -1: none */
	enum yield_to to;
	struct yield list[YIELDS_MAX];
	size_t count;
};

/*
 * Start to listen. Returns 0 or a negative errno. After an error, yield_server_wait() can be used,
 * but it only sleeps.
 */
int yield_server_open(struct yield_server *server, enum yield_to to);

/*
 * Sleep for @timeout_ms. Return earlier if a request arrives or ends.
 *
 * @release: called for each requested unit before the reply is sent
 *
 * Returns whether a program has returned its unit.
 */
bool yield_server_wait(struct yield_server *server, int timeout_ms,
		       void (*release)(void *context, const struct yield *yield), void *context);

/* Return whether a program has requested the unit of this name. */
bool yield_server_has(const struct yield_server *server, const char *unit);

/* Return whether a request is for the unit of this name. */
bool yield_is_for(const struct yield *yield, const char *unit);

void yield_server_close(struct yield_server *server);

#endif /* GPUOA_EXPORTER_YIELD_SERVER_H */
