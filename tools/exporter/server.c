// SPDX-License-Identifier: MIT
/*
 * server.c - HTTP server of a text that is updated periodically
 */
#include "exporter/server.h"

#include <arpa/inet.h>
#include <errno.h>
#include <microhttpd.h>
#include <netdb.h>
#include <pthread.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#define CONNECTIONS_MAX 32
#define TIMEOUT_S 10
#define REQUESTS_PER_SECOND 50

struct server {
	struct MHD_Daemon *daemon;
	char address[INET6_ADDRSTRLEN + 16];
	pthread_mutex_t lock; /* protects the following members */
	char *texts[EXPOSITION_FORMATS];
	time_t second; /* second for which .requests counts the requests */
	unsigned int requests;
};

static const char landing[] =
	"<!DOCTYPE html>\n"
	"<html lang=\"en\"><head><meta charset=\"utf-8\"><title>gpuoa exporter</title></head>\n"
	"<body><h1>gpuoa exporter</h1><p>Hardware metrics of Intel GPUs, for Prometheus: "
	"<a href=\"/metrics\">/metrics</a></p></body></html>\n";

static const char *const types[EXPOSITION_FORMATS] = {
	[EXPOSITION_TEXT] = "text/plain; version=0.0.4; charset=utf-8",
	[EXPOSITION_OPENMETRICS] = "application/openmetrics-text; version=1.0.0; charset=utf-8",
};

/*
 * Send a response. @text: static text, used if @copy is NULL. @copy: text that is freed after the
 * response
 */
static enum MHD_Result answer(struct MHD_Connection *connection, unsigned int status,
			      const char *type, const char *text, char *copy)
{
	const char *const body = copy ? copy : text;
	struct MHD_Response *response = MHD_create_response_from_buffer(
		strlen(body), (void *)body, copy ? MHD_RESPMEM_MUST_FREE : MHD_RESPMEM_PERSISTENT);
	enum MHD_Result result;

	if (!response) {
		free(copy);
		return MHD_NO;
	}
	MHD_add_response_header(response, MHD_HTTP_HEADER_CONTENT_TYPE, type);
	MHD_add_response_header(response, "X-Content-Type-Options", "nosniff");
	if (status == MHD_HTTP_METHOD_NOT_ALLOWED)
		MHD_add_response_header(response, MHD_HTTP_HEADER_ALLOW, "GET, HEAD");
	if (status == MHD_HTTP_TOO_MANY_REQUESTS)
		MHD_add_response_header(response, MHD_HTTP_HEADER_RETRY_AFTER, "1");
	result = MHD_queue_response(connection, status, response);
	MHD_destroy_response(response);
	return result;
}

static enum MHD_Result refuse(struct MHD_Connection *connection, unsigned int status,
			      const char *text)
{
	return answer(connection, status, "text/plain; charset=utf-8", text, NULL);
}

/* Select the text format that the client wants according to its Accept header. */
static enum exposition_format wanted_format(struct MHD_Connection *connection)
{
	const char *accept =
		MHD_lookup_connection_value(connection, MHD_HEADER_KIND, MHD_HTTP_HEADER_ACCEPT);

	return accept && strstr(accept, "application/openmetrics-text") ? EXPOSITION_OPENMETRICS :
									  EXPOSITION_TEXT;
}

static bool is_too_often(struct server *server)
{
	const time_t now = time(NULL);

	if (now != server->second)
		server->requests = 0;
	server->second = now;
	return server->requests++ >= REQUESTS_PER_SECOND;
}

static enum MHD_Result serve_metrics(struct server *server, struct MHD_Connection *connection)
{
	const enum exposition_format format = wanted_format(connection);
	bool often;
	char *text;

	pthread_mutex_lock(&server->lock);
	often = is_too_often(server);
	text = !often && server->texts[format] ? strdup(server->texts[format]) : NULL;
	pthread_mutex_unlock(&server->lock);
	if (often)
		return refuse(connection, MHD_HTTP_TOO_MANY_REQUESTS, "too many requests\n");
	if (!text)
		return refuse(connection, MHD_HTTP_SERVICE_UNAVAILABLE, "nothing yet\n");
	return answer(connection, MHD_HTTP_OK, types[format], NULL, text);
}

static enum MHD_Result handle(void *context, struct MHD_Connection *connection, const char *url,
			      const char *method, const char *version, const char *upload,
			      size_t *upload_size, void **state)
{
	(void)version, (void)upload, (void)upload_size, (void)state;
	if (strcmp(method, MHD_HTTP_METHOD_GET) && strcmp(method, MHD_HTTP_METHOD_HEAD))
		return refuse(connection, MHD_HTTP_METHOD_NOT_ALLOWED, "only GET and HEAD\n");
	if (!strcmp(url, "/metrics"))
		return serve_metrics(context, connection);
	if (!strcmp(url, "/"))
		return answer(connection, MHD_HTTP_OK, "text/html; charset=utf-8", landing, NULL);
	return refuse(connection, MHD_HTTP_NOT_FOUND, "see /metrics\n");
}

/* Check the port number here, because getaddrinfo(3) accepts any number modulo 65536. */
static bool is_port(const char *text)
{
	uint64_t port;

	return parse_number(text, &port) && port <= UINT16_MAX;
}

/* Split an address such as "127.0.0.1:9845" or "[::1]:9845" into host and port. */
static bool split_address(const char *address, char *host, size_t size, const char **port)
{
	const char *colon = strrchr(address, ':');
	size_t length;

	if (!colon || !colon[1])
		return false;
	length = colon - address;
	if (length >= 2 && address[0] == '[' && address[length - 1] == ']') {
		address++;
		length -= 2;
	}
	*port = colon + 1;
	if (!is_port(*port))
		return false;
	return (size_t)snprintf(host, size, "%.*s", (int)length, address) < size && *host;
}

static int bind_to(const struct addrinfo *info)
{
	const int yes = 1;
	const int fd = socket(info->ai_family, info->ai_socktype | SOCK_CLOEXEC, 0);

	if (fd < 0)
		return -1;
	setsockopt(fd, SOL_SOCKET, SO_REUSEADDR, &yes, sizeof(yes));
	if (!bind(fd, info->ai_addr, info->ai_addrlen) && !listen(fd, CONNECTIONS_MAX))
		return fd;
	close(fd);
	return -1;
}

/* Open a listening socket. On failure, print the error and return -1. */
static int listen_at(const char *address)
{
	const struct addrinfo hints = {
		.ai_socktype = SOCK_STREAM,
		.ai_flags = AI_NUMERICHOST | AI_NUMERICSERV | AI_PASSIVE,
	};
	struct addrinfo *info;
	char host[INET6_ADDRSTRLEN + 16];
	const char *port;
	int fd;

	if (!split_address(address, host, sizeof(host), &port) ||
	    getaddrinfo(host, port, &hints, &info)) {
		print_error(
			"'%s' is not an address to listen at; give one as 127.0.0.1:9845 or [::1]:9845, with a port up to 65535",
			address);
		return -1;
	}
	fd = bind_to(info);
	freeaddrinfo(info);
	if (fd < 0)
		print_error("cannot listen at %s: %s", address, strerror(errno));
	return fd;
}

/* Get the address of the listening socket, which has the port that the kernel selected. */
static void find_address(struct server *server, int fd)
{
	struct sockaddr_storage address = { 0 };
	socklen_t size = sizeof(address);
	char host[INET6_ADDRSTRLEN], port[8];

	if (getsockname(fd, (struct sockaddr *)&address, &size) ||
	    getnameinfo((struct sockaddr *)&address, size, host, sizeof(host), port, sizeof(port),
			NI_NUMERICHOST | NI_NUMERICSERV))
		return;
	snprintf(server->address, sizeof(server->address),
		 address.ss_family == AF_INET6 ? "[%s]:%s" : "%s:%s", host, port);
}

struct server *server_open(const char *address)
{
	struct server *server = calloc(1, sizeof(*server));
	int fd;

	if (!server) {
		print_error("out of memory");
		return NULL;
	}
	fd = listen_at(address);
	if (fd < 0) {
		free(server);
		return NULL;
	}
	pthread_mutex_init(&server->lock, NULL);
	find_address(server, fd);
	server->daemon = MHD_start_daemon(MHD_USE_INTERNAL_POLLING_THREAD | MHD_USE_POLL, 0, NULL,
					  NULL, handle, server, MHD_OPTION_LISTEN_SOCKET, fd,
					  MHD_OPTION_CONNECTION_LIMIT, CONNECTIONS_MAX,
					  MHD_OPTION_CONNECTION_TIMEOUT, TIMEOUT_S, MHD_OPTION_END);
	if (server->daemon)
		return server;
	print_error("cannot serve at %s", address);
	close(fd);
	free(server);
	return NULL;
}

const char *server_address(const struct server *server)
{
	return server->address;
}

void server_publish(struct server *server, char *texts[EXPOSITION_FORMATS])
{
	pthread_mutex_lock(&server->lock);
	for (int i = 0; i < EXPOSITION_FORMATS; i++) {
		free(server->texts[i]);
		server->texts[i] = texts[i];
	}
	pthread_mutex_unlock(&server->lock);
}

void server_close(struct server *server)
{
	MHD_stop_daemon(server->daemon);
	for (int i = 0; i < EXPOSITION_FORMATS; i++)
		free(server->texts[i]);
	pthread_mutex_destroy(&server->lock);
	free(server);
}
