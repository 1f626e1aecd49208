/* SPDX-License-Identifier: MIT */
/* program.h - makes the registers and equations of sets whose counters are programmed. */
#ifndef GPUOA_LIB_CUSTOM_PROGRAM_H
#define GPUOA_LIB_CUSTOM_PROGRAM_H

#include "custom/custom.h"

/* Make the registers and equations of programmed sets. */
int custom_program(struct gpuoa_custom *custom, const struct complaint *complaint);

#endif /* GPUOA_LIB_CUSTOM_PROGRAM_H */
