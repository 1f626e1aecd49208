// SPDX-License-Identifier: MIT
/* wait.c - waiting for the reports of a stream */
#include <errno.h>
#include <time.h>

#include "gpuoa-reader.h"
#include "igdmd.h"

#define SETTLE_MS 20 /* after which the driver has found all reports that the GPU has written */
#define POLL_MS 10

int64_t wait_now_ms(void)
{
	struct timespec now;

	clock_gettime(CLOCK_MONOTONIC, &now);
	return (int64_t)now.tv_sec * 1000 + now.tv_nsec / 1000000;
}

bool wait_for_more(struct gpuoa_reader *stream, int64_t deadline)
{
	int err;

	if (wait_now_ms() >= deadline)
		return false;
	err = gpuoa_reader_wait(stream, POLL_MS);
	return !err || err == -ETIMEDOUT || err == -EINTR;
}

void wait_settled(void)
{
	const struct timespec pause = { .tv_nsec = SETTLE_MS * 1000000 };

	nanosleep(&pause, NULL);
}
