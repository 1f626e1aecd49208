/* SPDX-License-Identifier: MIT */
/* hardware.h - what queries must know of each generation: formats, registers, width of addresses.
 */
#ifndef GPUOA_LIB_QUERY_HARDWARE_H
#define GPUOA_LIB_QUERY_HARDWARE_H

#include "gpuoa-query.h"

/* How a register shows the frequency of the GPU's clock. */
struct query_frequency {
	uint32_t reg; /* 0: there is none that batches can read */
	uint8_t shift;
	uint16_t mask; /* after shifting */
	uint8_t divisor; /* of steps of 50 MHz */
};

struct query_hardware {
	uint8_t address_dwords; /* of an address in a command */
	bool own_counters; /* reports are of counters of the batch's context */
	bool has_compute; /* compute engines, which batches can use, too */
	uint32_t format; /* enum gpuoa_report_format of batches' reports; 0: as the stream's */
	uint32_t perfcnt; /* first of two counters of 44 bits, in 64 each; 0: there are none */
	uint32_t a36; /* counter of 32 bits, and 8 bytes behind it A37; 0: no need for them */
	uint32_t status; /* of the OA unit */
	struct query_frequency frequency;
};

/* NULL: no reports of batches are known for this platform. */
const struct query_hardware *query_hardware_find(const char *platform);

/* Bits of the status register that say that reports are missing. */
#define QUERY_STATUS_OVERRUN 0x3u

#define QUERY_PERFCNT_COUNT 2
#define QUERY_PERFCNT_BITS 44

#define QUERY_A36_COUNT 2
#define QUERY_A36_STRIDE 8 /* bytes from one to the next */

#endif /* GPUOA_LIB_QUERY_HARDWARE_H */
