/* SPDX-License-Identifier: MIT */
/*
 * terminal.h - a terminal that tests look at: what its screen shows, as text and as a picture
 */
#ifndef GPUOA_TESTS_TERMINAL_H
#define GPUOA_TESTS_TERMINAL_H

#include <stdbool.h>
#include <vterm.h>

/* A picture of the screen, as a terminal with a dark or light background shows it. 0 or -1. */
int terminal_picture(VTermScreen *screen, int rows, int columns, bool light, const char *path);

#endif /* GPUOA_TESTS_TERMINAL_H */
