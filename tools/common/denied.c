// SPDX-License-Identifier: MIT
/*
 * denied.c - hint for an access error: the cause and the remedy
 */
#include "common/denied.h"

#include <errno.h>
#include <stdio.h>

#include "gpuoa-device.h"

void denied_explain(const char *unit, int err, char *text, size_t size)
{
	struct gpuoa_access access[ACCESS_ROOM];
	int count = 0;

	if (err == -EACCES || err == -EPERM)
		count = gpuoa_check_access(unit, access, sizeof(access[0]), ACCESS_ROOM);
	for (int i = 0; i < count && i < ACCESS_ROOM; i++) {
		if (access[i].verdict != GPUOA_ACCESS_DENIED)
			continue;
		snprintf(text, size, "%s -> %s", access[i].found, access[i].remedy);
		return;
	}
}
