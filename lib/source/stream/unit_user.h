/* SPDX-License-Identifier: MIT */
/*
 * unit_user.h - who else uses a unit
 */
#ifndef GPUOA_LIB_SOURCE_STREAM_UNIT_USER_H
#define GPUOA_LIB_SOURCE_STREAM_UNIT_USER_H

#include <stdbool.h>
#include <stddef.h>

/*
 * Name another process that has /dev/@unit open, as programs of this library have: " by gpuoa
 * (process 123)". False if none can be seen: it takes privilege to look at processes of other
 * users.
 */
bool unit_user_find(const char *unit, char *text, size_t size);

#endif /* GPUOA_LIB_SOURCE_STREAM_UNIT_USER_H */
