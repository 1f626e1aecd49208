/* SPDX-License-Identifier: MIT */
/*
 * complaint.h - one line for the user that says what is wrong
 */
#ifndef GPUOA_LIB_COMPLAINT_H
#define GPUOA_LIB_COMPLAINT_H

#include <stddef.h>

/* Room that a caller of the library gave; @text may be NULL. */
struct gpuoa_complaint {
	char *text;
	size_t size;
};

/* Fill it in; returns @err, so that a function can complain and return in one statement. */
__attribute__((format(printf, 3, 4))) int
gpuoa_complain(const struct gpuoa_complaint *complaint, int err,
	       const char *format, ...);

#endif /* GPUOA_LIB_COMPLAINT_H */
