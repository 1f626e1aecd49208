// SPDX-License-Identifier: MIT
/* version.c - versions of the library and of its metric definitions */
#include "gpuoa.h"

const char *gpuoa_version(void)
{
	return GPUOA_VERSION;
}

const char *gpuoa_metadata_revision(void)
{
	return GPUOA_METADATA_REVISION;
}
