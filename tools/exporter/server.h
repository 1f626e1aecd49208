/* SPDX-License-Identifier: MIT */
/*
 * server.h - HTTP server of a periodically updated text
 */
#ifndef GPUOA_EXPORTER_SERVER_H
#define GPUOA_EXPORTER_SERVER_H

#include "exporter/exposition.h"

struct server;

/*
 * Start to listen. Only GET and HEAD of / and /metrics are served, with the last published text, at
 * most 50 requests per second.
 *
 * @address: "127.0.0.1:9845", "[::1]:9845", "0.0.0.0:0"; port 0: any free port
 *
 * Returns NULL on failure, after printing the error.
 */
struct server *server_open(const char *address);

/* Return the address in use, such as "127.0.0.1:9845". */
const char *server_address(const struct server *server);

/* Replace the served texts, one per format. The server becomes their owner. */
void server_publish(struct server *server, char *texts[EXPOSITION_FORMATS]);

void server_close(struct server *server);

#endif /* GPUOA_EXPORTER_SERVER_H */
