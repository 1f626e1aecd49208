// SPDX-License-Identifier: MIT
/* log.c - messages, and translation of results */
#include <errno.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>

#include "igdmd.h"

/* One write, so that lines of several threads are not mixed. */
void igdmd_log(const char *format, ...)
{
	char line[512];
	va_list args;

	if (!getenv("GPUOA_LOG"))
		return;
	va_start(args, format);
	vsnprintf(line, sizeof(line), format, args);
	va_end(args);
	fprintf(stderr, "gpuoa-igdmd: %s\n", line);
}

enum mdapi_result igdmd_result(int err)
{
	switch (-err) {
	case 0:
		return MDAPI_OK;
	case EACCES:
	case EPERM:
		return MDAPI_ACCESS_DENIED;
	case EBUSY:
		return MDAPI_GROUP_LOCKED;
	case EINTR:
		return MDAPI_INTERRUPTED;
	case EAGAIN:
		return MDAPI_TRY_AGAIN;
	case EINVAL:
	case ERANGE:
		return MDAPI_INVALID_PARAMETER;
	case ENODEV:
	case ENOENT:
		return MDAPI_FILE_NOT_FOUND;
	case ENOMEM:
		return MDAPI_NO_MEMORY;
	case EOPNOTSUPP:
		return MDAPI_NOT_SUPPORTED;
	case ETIMEDOUT:
		return MDAPI_TIMEOUT;
	default:
		return MDAPI_GENERAL_ERROR;
	}
}

void *igdmd_alloc(size_t count, size_t size)
{
	return calloc(count ? count : 1, size);
}
