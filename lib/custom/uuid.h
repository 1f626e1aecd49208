/* SPDX-License-Identifier: MIT */
/* uuid.h - a UUID for a set that has none. */
#ifndef GPUOA_LIB_CUSTOM_UUID_H
#define GPUOA_LIB_CUSTOM_UUID_H

#include "custom/custom.h"

/* A UUID that follows from format and registers. NULL: no memory. */
const char *custom_uuid(struct gpuoa_custom *custom, const struct set_definition *set);

#endif /* GPUOA_LIB_CUSTOM_UUID_H */
