/* SPDX-License-Identifier: MIT */
/* program.h - generate registers and equations of sets with programmed counters */
#ifndef GPUOA_LIB_EXTRA_CUSTOM_PROGRAM_H
#define GPUOA_LIB_EXTRA_CUSTOM_PROGRAM_H

#include "extra/custom/custom.h"

/* Generate registers and equations of all programmed sets. Returns 0 or a negative errno. */
int custom_program(struct gpuoa_custom *custom, const struct complaint *complaint);

#endif /* GPUOA_LIB_EXTRA_CUSTOM_PROGRAM_H */
