/* SPDX-License-Identifier: MIT */
/* uuid.h - generate a UUID for a set */
#ifndef GPUOA_LIB_EXTRA_CUSTOM_UUID_H
#define GPUOA_LIB_EXTRA_CUSTOM_UUID_H

#include "extra/custom/custom.h"

/* Derive a UUID from the format and registers of a set. Returns NULL if out of memory. */
const char *custom_uuid(struct gpuoa_custom *custom, const struct set_definition *set);

#endif /* GPUOA_LIB_EXTRA_CUSTOM_UUID_H */
