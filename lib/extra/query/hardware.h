/* SPDX-License-Identifier: MIT */
/* hardware.h - formats, registers and address widths of queries by GPU generation */
#ifndef GPUOA_LIB_EXTRA_QUERY_HARDWARE_H
#define GPUOA_LIB_EXTRA_QUERY_HARDWARE_H

#include "gpuoa-query.h"

/* How a register encodes the frequency of the GPU's clock. */
struct query_frequency {
	uint32_t reg; /* 0: batches cannot read the frequency */
	uint8_t shift;
	uint16_t mask; /* applied after the shift */
	uint8_t divisor; /* the unit is 50 MHz / divisor */
};

struct query_hardware {
	uint8_t address_dwords; /* number of dwords of an address in a command */
	bool own_counters; /* reports count only the batch's context */
	bool has_compute; /* batches can also use compute engines */
	uint32_t format; /* enum gpuoa_report_format of batches' reports; 0: same as the stream's */
	uint32_t perfcnt; /* first of two 44-bit counters in 64-bit registers; 0: none */
	uint32_t a36; /* register of 32-bit counter A36, followed by A37; 0: not needed */
	uint32_t status; /* status register of the OA unit */
	struct query_frequency frequency;
};

/* Returns NULL if query reports of this platform are not supported. */
const struct query_hardware *query_hardware_find(const char *platform);

/* Bits of the status register that indicate lost reports. */
#define QUERY_STATUS_OVERRUN 0x3u

#define QUERY_PERFCNT_COUNT 2
#define QUERY_PERFCNT_BITS 44

#define QUERY_A36_COUNT 2
#define QUERY_A36_STRIDE 8 /* distance of A36 and A37 in bytes */

#endif /* GPUOA_LIB_EXTRA_QUERY_HARDWARE_H */
