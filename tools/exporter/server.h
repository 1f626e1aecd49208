/* SPDX-License-Identifier: MIT */
/*
 * server.h - serves a text over HTTP, which is made anew from time to time
 */
#ifndef GPUOA_EXPORTER_SERVER_H
#define GPUOA_EXPORTER_SERVER_H

#include "exporter/exposition.h"

struct server;

/*
 * Listen. It answers GET and HEAD of / and /metrics, and nothing else; what it serves is what was
 * published last, so that a request costs next to nothing, and there are at most fifty a second.
 *
 * @address: "127.0.0.1:9845", "[::1]:9845", "0.0.0.0:0"; port 0: any that is free
 *
 * NULL after having said what is wrong.
 */
struct server *server_open(const char *address);

/* "127.0.0.1:9845" */
const char *server_address(const struct server *server);

/* Serve this from now on: texts of each format, which become the server's. */
void server_publish(struct server *server, char *texts[EXPOSITION_FORMATS]);

void server_close(struct server *server);

#endif /* GPUOA_EXPORTER_SERVER_H */
