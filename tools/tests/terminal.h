/* SPDX-License-Identifier: MIT */
/*
 * terminal.h - write a picture of the screen of the terminal emulator that tests use
 */
#ifndef GPUOA_TESTS_TERMINAL_H
#define GPUOA_TESTS_TERMINAL_H

#include <stdbool.h>
#include <vterm.h>

/* Write the screen to a PNG file, on a light or dark background. Returns 0, or -1 on failure. */
int terminal_picture(VTermScreen *screen, int rows, int columns, bool light, const char *path);

#endif /* GPUOA_TESTS_TERMINAL_H */
