// SPDX-License-Identifier: MIT
/*
 * yield_server.c - release OA units to programs that request them
 */
#define _GNU_SOURCE /* struct ucred, accept4 */
#include "exporter/yield_server.h"

#include <errno.h>
#include <poll.h>
#include <stddef.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/un.h>
#include <unistd.h>

#include "common/yield.h"

int yield_server_open(struct yield_server *server, enum yield_to to)
{
	struct sockaddr_un address = { .sun_family = AF_UNIX };
	const socklen_t size = offsetof(struct sockaddr_un, sun_path) + 1 + strlen(YIELD_ADDRESS);
	int err;

	*server = (struct yield_server){ .fd = -1, .to = to };
	if (to == YIELD_TO_NONE)
		return 0;
	memcpy(address.sun_path + 1, YIELD_ADDRESS, strlen(YIELD_ADDRESS));
	server->fd = socket(AF_UNIX, SOCK_SEQPACKET | SOCK_CLOEXEC | SOCK_NONBLOCK, 0);
	if (server->fd < 0)
		return -errno;
	if (!bind(server->fd, (const struct sockaddr *)&address, size) &&
	    !listen(server->fd, YIELDS_MAX))
		return 0;
	err = -errno;
	close(server->fd);
	server->fd = -1;
	return err;
}

static bool may_request(const struct yield_server *server, const struct ucred *user)
{
	return server->to == YIELD_TO_ALL || !user->uid || user->uid == geteuid();
}

static void reply(int fd, char answer)
{
	if (send(fd, &answer, 1, MSG_NOSIGNAL | MSG_DONTWAIT) < 0)
		return; /* if the program has exited, the next poll() will report that */
}

static void accept_one(struct yield_server *server)
{
	struct ucred user = { .uid = (uid_t)-1 };
	socklen_t size = sizeof(user);
	const int fd = accept4(server->fd, NULL, NULL, SOCK_CLOEXEC | SOCK_NONBLOCK);

	if (fd < 0)
		return;
	if (getsockopt(fd, SOL_SOCKET, SO_PEERCRED, &user, &size) || !may_request(server, &user) ||
	    server->count == YIELDS_MAX) {
		reply(fd, YIELD_DENIED);
		close(fd);
		return;
	}
	server->list[server->count++] = (struct yield){ .fd = fd, .process = user.pid };
}

/* Read a program's request. Returns false if the program has closed its connection. */
static bool read_request(struct yield *yield, void (*release)(void *, const struct yield *),
			 void *context)
{
	char name[sizeof(yield->unit)] = "";
	const ssize_t n = recv(yield->fd, name, sizeof(name) - 1, 0);

	if (n < 0)
		return errno == EAGAIN || errno == EINTR;
	/* Reject a second request, because only one per connection is allowed. */
	if (!n || *yield->unit)
		return false;
	memcpy(yield->unit, name, sizeof(name));
	release(context, yield);
	reply(yield->fd, YIELD_GRANTED);
	return true;
}

bool yield_server_wait(struct yield_server *server, int timeout_ms,
		       void (*release)(void *context, const struct yield *yield), void *context)
{
	struct pollfd polls[YIELDS_MAX + 1] = { { .fd = server->fd, .events = POLLIN } };
	const size_t count = server->count;
	bool returned = false;

	for (size_t i = 0; i < count; i++)
		polls[i + 1] = (struct pollfd){ .fd = server->list[i].fd, .events = POLLIN };
	if (poll(polls, count + 1, timeout_ms) <= 0)
		return false;
	/* Iterate backwards, because a removed entry is replaced by the last one. */
	for (size_t i = count; i-- > 0;) {
		struct yield *yield = &server->list[i];

		if (!polls[i + 1].revents || read_request(yield, release, context))
			continue;
		returned |= *yield->unit;
		close(yield->fd);
		*yield = server->list[--server->count];
	}
	if (polls[0].revents)
		accept_one(server);
	return returned;
}

bool yield_is_for(const struct yield *yield, const char *unit)
{
	return !strcmp(yield->unit, unit) || !strcmp(yield->unit, YIELD_ALL_UNITS);
}

bool yield_server_has(const struct yield_server *server, const char *unit)
{
	for (size_t i = 0; i < server->count; i++)
		if (yield_is_for(&server->list[i], unit))
			return true;
	return false;
}

void yield_server_close(struct yield_server *server)
{
	for (size_t i = 0; i < server->count; i++)
		close(server->list[i].fd);
	if (server->fd >= 0)
		close(server->fd);
	*server = (struct yield_server){ .fd = -1 };
}
