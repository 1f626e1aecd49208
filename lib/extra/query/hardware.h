/* SPDX-License-Identifier: MIT */
/* hardware.h - formats, registers and address widths of queries by GPU generation */
#ifndef GPUOA_LIB_EXTRA_QUERY_HARDWARE_H
#define GPUOA_LIB_EXTRA_QUERY_HARDWARE_H

#include "gpuoa-query.h"

/* How a register encodes the frequency of the GPU's clock */
struct query_frequency {
	uint32_t reg; /* address of the register; 0: batches cannot read the frequency */
	uint8_t shift;
	uint16_t mask; /* applied after the shift */
	uint8_t divisor; /* the frequency is in units of 50 MHz / divisor */
};

struct query_hardware {
	uint8_t address_dwords; /* number of dwords that an address in a command has */
	bool own_counters; /* reports of batches count only the batch's context */
	bool has_compute; /* queries can also be executed by compute engines */
	/* format of reports of batches, enum gpuoa_report_format; 0: that of the stream */
	uint32_t format;
	/* first of two registers of 64 bits that contain 44-bit counters; 0: none */
	uint32_t perfcnt;
	/* register of the 32-bit counter A36, which that of A37 follows; 0: not needed */
	uint32_t a36;
	uint32_t status; /* status register of the OA unit */
	struct query_frequency frequency;
};

/* Returns NULL if query reports of this platform are not supported. */
const struct query_hardware *query_hardware_find(const char *platform);

/* Bits of the OA unit's status register that indicate lost reports */
#define QUERY_STATUS_OVERRUN 0x3u

#define QUERY_PERFCNT_COUNT 2
#define QUERY_PERFCNT_BITS 44

#define QUERY_A36_COUNT 2
#define QUERY_A36_STRIDE 8 /* distance of the registers of A36 and A37, in bytes */

#endif /* GPUOA_LIB_EXTRA_QUERY_HARDWARE_H */
