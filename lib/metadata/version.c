// SPDX-License-Identifier: MIT
/* version.c - the library's version. */
#include "gpuoa.h"

const char *gpuoa_version(void)
{
	return GPUOA_VERSION;
}
