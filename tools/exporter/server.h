/* SPDX-License-Identifier: MIT */
/*
 * server.h - HTTP server of a text that is updated periodically
 */
#ifndef GPUOA_EXPORTER_SERVER_H
#define GPUOA_EXPORTER_SERVER_H

#include "exporter/exposition.h"

struct server;

/*
 * Start to listen. The server answers GET and HEAD of / and /metrics only, with the text that was
 * last published, and at most 50 requests per second.
 *
 * @address: such as "127.0.0.1:9845", "[::1]:9845" or "0.0.0.0:0"; port 0 means any free port
 *
 * On failure, prints the error and returns NULL.
 */
struct server *server_open(const char *address);

/* Return the address on which the server listens, such as "127.0.0.1:9845". */
const char *server_address(const struct server *server);

/*
 * Replace the texts that are served; there is one for each format. The server becomes their owner.
 */
void server_publish(struct server *server, char *texts[EXPOSITION_FORMATS]);

void server_close(struct server *server);

#endif /* GPUOA_EXPORTER_SERVER_H */
