/* SPDX-License-Identifier: MIT */
/* tables.S - the tables that gpuoa-metricsc wrote, as read-only data: table_data[] of table.h */
#ifdef __CET__
#include <cet.h>
#endif

	.section .rodata, "a", %progbits
	.balign 8
	.globl table_data
	.hidden table_data
	.type table_data, %object
table_data:
	.incbin TABLES
	.size table_data, . - table_data

	.section .note.GNU-stack, "", %progbits
