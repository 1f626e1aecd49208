/* SPDX-License-Identifier: MIT */
/*
 * printable.h - text that a terminal does not take for commands
 */
#ifndef GPUOA_PRINTABLE_H
#define GPUOA_PRINTABLE_H

/*
 * A copy of @text with control characters written as "\\x1b": names may be anybody's. To be freed;
 * NULL: no memory.
 */
char *printable(const char *text);

#endif /* GPUOA_PRINTABLE_H */
