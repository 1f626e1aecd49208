/* SPDX-License-Identifier: MIT */
/*
 * complaint.h - one line for the user that says what is wrong
 */
#ifndef GPUOA_LIB_BASE_COMPLAINT_H
#define GPUOA_LIB_BASE_COMPLAINT_H

#include <stddef.h>

/* Room that a caller of the library gave; @text may be NULL. */
struct complaint {
	char *text;
	size_t size;
};

__attribute__((format(printf, 2, 3))) void complaint_print(const struct complaint *complaint,
							   const char *format, ...);

/* The caller's room, empty. */
struct complaint complaint_begin(char *text, size_t size);

/* Say what @err means in general if nobody has complained. Returns @err. */
int complaint_end(const struct complaint *complaint, int err);

/*
 * Fill in the complaint. The value is @err, so that a function can complain and return in one
 * statement.
 */
#define COMPLAIN(complaint, err, ...) (complaint_print(complaint, __VA_ARGS__), (err))

#endif /* GPUOA_LIB_BASE_COMPLAINT_H */
