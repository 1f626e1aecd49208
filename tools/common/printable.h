/* SPDX-License-Identifier: MIT */
/*
 * printable.h - escape control characters in text for the terminal
 */
#ifndef GPUOA_PRINTABLE_H
#define GPUOA_PRINTABLE_H

/*
 * Return a copy of @text in which control characters are written like "\\x1b". This is necessary
 * because names come from other processes. The caller frees the copy; NULL: no memory.
 */
char *printable(const char *text);

#endif /* GPUOA_PRINTABLE_H */
