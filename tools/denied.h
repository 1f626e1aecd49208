/* SPDX-License-Identifier: MIT */
/*
 * denied.h - why a unit refuses, and what to do about it, as 'gpuoa doctor' says it
 */
#ifndef GPUOA_DENIED_H
#define GPUOA_DENIED_H

#include <stddef.h>

/* Room for what gpuoa_check_access() looks at */
#define ACCESS_ROOM 32

/*
 * The first thing that is denied to this process.
 *
 * @unit: its name
 * @err: what the library returned, a negative errno
 * @text: "what was found -> what to do"; left as it is if @err is no refusal, or nothing is denied
 */
void denied_explain(const char *unit, int err, char *text, size_t size);

#endif /* GPUOA_DENIED_H */
