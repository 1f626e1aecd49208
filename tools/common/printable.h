/* SPDX-License-Identifier: MIT */
/*
 * printable.h - escaping of control characters for the terminal
 */
#ifndef GPUOA_PRINTABLE_H
#define GPUOA_PRINTABLE_H

/*
 * Copy @text with control characters written as "\\x1b", because names come from other processes.
 * The caller frees the copy; NULL: no memory.
 */
char *printable(const char *text);

#endif /* GPUOA_PRINTABLE_H */
