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

__attribute__((format(printf, 2, 3))) void
gpuoa_complaint_print(const struct gpuoa_complaint *complaint, const char *format, ...);

/* Fill it in, and be err: a function can complain and return in one statement. */
#define gpuoa_complain(complaint, err, ...) (gpuoa_complaint_print(complaint, __VA_ARGS__), (err))

#endif /* GPUOA_LIB_COMPLAINT_H */
