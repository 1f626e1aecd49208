/* SPDX-License-Identifier: MIT */
/*
 * suggest.h - "did you mean": the name closest to a mistyped one
 */
#ifndef GPUOA_SUGGEST_H
#define GPUOA_SUGGEST_H

#include <stddef.h>

/* The closest name that was offered */
struct suggestion {
	const char *wanted;
	const char *best; /* NULL: none is close */
	size_t distance;
};

struct suggestion suggest_begin(const char *wanted);
void suggest_offer(struct suggestion *suggestion, const char *name);

/* For the end of a message: "; did you mean 'X'? " or ". ", followed by more text */
#define SUGGEST_FORMAT "%s%s%s"
#define SUGGEST_ARGS(s) \
	(s).best ? "; did you mean '" : ". ", (s).best ? (s).best : "", (s).best ? "'? " : ""

#endif /* GPUOA_SUGGEST_H */
