// SPDX-License-Identifier: MIT
/* log.c - messages, and translation of results */
#include <errno.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>

#include "igdmd.h"

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static gpuoa_log_function callback; /* NULL: none */
static void *callback_context;

void GpuoaSetLog(gpuoa_log_function function, void *context)
{
	pthread_mutex_lock(&lock);
	callback = function;
	callback_context = context;
	pthread_mutex_unlock(&lock);
}

/* Use a single write, so that lines of several threads are not mixed. */
void igdmd_log(const char *format, ...)
{
	char line[512];
	va_list args;

	va_start(args, format);
	vsnprintf(line, sizeof(line), format, args);
	va_end(args);
	pthread_mutex_lock(&lock);
	if (callback)
		callback(callback_context, line);
	pthread_mutex_unlock(&lock);
	if (getenv("GPUOA_LOG"))
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
