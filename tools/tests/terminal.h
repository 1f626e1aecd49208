/* SPDX-License-Identifier: MIT */
/*
 * terminal.h - terminal emulator of tests: picture of its screen
 */
#ifndef GPUOA_TESTS_TERMINAL_H
#define GPUOA_TESTS_TERMINAL_H

#include <stdbool.h>
#include <vterm.h>

/* Write a PNG of the screen, with a light or dark background. Returns 0 or -1. */
int terminal_picture(VTermScreen *screen, int rows, int columns, bool light, const char *path);

#endif /* GPUOA_TESTS_TERMINAL_H */
