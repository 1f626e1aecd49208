/* SPDX-License-Identifier: MIT */
/* value.h - what else there is to know of a struct gpuoa_equation: bits of .flags */
#ifndef GPUOA_LIB_METADATA_VALUE_H
#define GPUOA_LIB_METADATA_VALUE_H

/* TIMESTAMP and CLOCK are those of the later report, not differences. */
#define EQUATION_OF_INFO (1u << 0)

/* .code is memory of the equation's own. */
#define EQUATION_OWNS_CODE (1u << 1)

#endif /* GPUOA_LIB_METADATA_VALUE_H */
