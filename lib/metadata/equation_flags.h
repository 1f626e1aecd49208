/* SPDX-License-Identifier: MIT */
/* equation_flags.h - bits of .flags in struct gpuoa_equation */
#ifndef GPUOA_LIB_METADATA_EQUATION_FLAGS_H
#define GPUOA_LIB_METADATA_EQUATION_FLAGS_H

/* The elements TIMESTAMP and CLOCK are values of the later report, not differences. */
#define EQUATION_OF_INFO (1u << 0)

/* The equation owns the memory of its code, and gpuoa_equation_free() frees it. */
#define EQUATION_OWNS_CODE (1u << 1)

#endif /* GPUOA_LIB_METADATA_EQUATION_FLAGS_H */
