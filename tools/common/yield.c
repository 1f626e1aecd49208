// SPDX-License-Identifier: MIT
/*
 * yield.c - request that gpuoa exporter releases an OA unit
 */
#include "common/yield.h"

#include <errno.h>
#include <stddef.h>
#include <stdio.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/time.h>
#include <sys/un.h>
#include <unistd.h>

/* longer than the time in which the exporter replies, because it sleeps for at most 0.2 s */
#define TIMEOUT_S 5

int yield_request(const char *unit)
{
	const struct timeval timeout = { .tv_sec = TIMEOUT_S };
	struct sockaddr_un address = { .sun_family = AF_UNIX };
	const socklen_t size = offsetof(struct sockaddr_un, sun_path) + 1 + strlen(YIELD_ADDRESS);
	char reply = 0;
	ssize_t n;
	int fd, err;

	memcpy(address.sun_path + 1, YIELD_ADDRESS, strlen(YIELD_ADDRESS));
	fd = socket(AF_UNIX, SOCK_SEQPACKET | SOCK_CLOEXEC, 0);
	if (fd < 0)
		return -errno;
	setsockopt(fd, SOL_SOCKET, SO_RCVTIMEO, &timeout, sizeof(timeout));
	setsockopt(fd, SOL_SOCKET, SO_SNDTIMEO, &timeout, sizeof(timeout));
	if (connect(fd, (const struct sockaddr *)&address, size) ||
	    send(fd, unit, strlen(unit), MSG_NOSIGNAL) < 0) {
		err = -errno;
		goto err;
	}
	n = recv(fd, &reply, sizeof(reply), 0);
	if (n == 1 && reply == YIELD_GRANTED)
		return fd;
	err = n < 0 ? -errno : n == 1 && reply == YIELD_DENIED ? -EPERM : -ECONNRESET;
err:
	close(fd);
	return err;
}

/* Return whether the exporter uses the unit. @request: return value of yield_request() */
static bool exporter_uses(struct gpuoa_unit *unit, int request)
{
	struct gpuoa_unit_user use;

	return request == -EPERM || (gpuoa_unit_get_user(unit, &use, sizeof(use)) > 0 &&
				     !strcmp(use.program, "gpuoa-exporter"));
}

int yield_stream_open(struct gpuoa_unit *unit, const struct gpuoa_set *set,
		      struct gpuoa_stream_options *options, struct gpuoa_reader **reader,
		      int *yield, char *error, size_t error_size)
{
	const struct gpuoa_stream_options requested = *options;
	int err = gpuoa_stream_open(unit, set, options, reader, error, error_size);
	struct gpuoa_unit_desc desc;
	size_t length;
	int request;

	if (err != -EBUSY || *yield >= 0)
		return err;
	gpuoa_unit_describe(unit, &desc, sizeof(desc));
	request = yield_request(desc.name);
	if (request >= 0) {
		*yield = request;
		*options = requested;
		return gpuoa_stream_open(unit, set, options, reader, error, error_size);
	}
	length = strlen(error);
	if (exporter_uses(unit, request))
		snprintf(error + length, error_size - length,
			 ", or start gpuoa exporter with --yield all");
	return err;
}
