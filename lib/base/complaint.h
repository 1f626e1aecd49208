/* SPDX-License-Identifier: MIT */
/* complaint.h - one-line error messages for callers of the library */
#ifndef GPUOA_LIB_BASE_COMPLAINT_H
#define GPUOA_LIB_BASE_COMPLAINT_H

#include <stddef.h>

/* The caller's buffer for an error message; @text may be NULL. */
struct complaint {
	char *text;
	size_t size;
};

__attribute__((format(printf, 2, 3))) void complaint_print(const struct complaint *complaint,
							   const char *format, ...);

/* Wrap the caller's buffer and empty it. */
struct complaint complaint_begin(char *text, size_t size);

/*
 * Write the text of errno -@err as error message, unless there is a message already. Returns @err.
 */
int complaint_end(const struct complaint *complaint, int err);

/*
 * Write an error message. Evaluates to @err, so that a function can complain and return in one
 * statement.
 */
#define COMPLAIN(complaint, err, ...) (complaint_print(complaint, __VA_ARGS__), (err))

#endif /* GPUOA_LIB_BASE_COMPLAINT_H */
