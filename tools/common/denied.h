/* SPDX-License-Identifier: MIT */
/*
 * denied.h - hint for an access error: the cause and the remedy, as 'gpuoa doctor' prints them
 */
#ifndef GPUOA_DENIED_H
#define GPUOA_DENIED_H

#include <stddef.h>

/* Upper bound of the number of entries that gpuoa_check_access() reports */
#define ACCESS_ROOM 32

/*
 * Describe the first access check that fails for this process.
 *
 * @unit: name of the unit
 * @err: error of the library, a negative errno
 * @text: "cause -> remedy"; unchanged if @err is not an access error or no check fails
 * @size: size of @text in bytes
 */
void denied_explain(const char *unit, int err, char *text, size_t size);

#endif /* GPUOA_DENIED_H */
