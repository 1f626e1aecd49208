// SPDX-License-Identifier: MIT
/* commands.c - encode the GPU commands of queries */
#include "extra/query/commands.h"

/*
 * Encodings are those of the programmer's reference manuals and of the kernel's
 * intel_gpu_commands.h. Bits 7:0 of the first dword are the number of dwords after the second one.
 */
#define MI_STORE_DATA_IMM 0x10000002u
#define MI_STORE_REGISTER_MEM 0x12000001u
#define MI_REPORT_PERF_COUNT 0x14000001u
#define PIPE_CONTROL 0x7a000003u

#define MI_GLOBAL_GTT (1u << 22)
#define REPORT_GLOBAL_GTT (1u << 0) /* a bit of the address */

/* Second dword of PIPE_CONTROL */
#define PIPE_DEPTH_FLUSH (1u << 0)
#define PIPE_DC_FLUSH (1u << 5)
#define PIPE_FLUSH_ENABLE (1u << 7)
#define PIPE_RENDER_FLUSH (1u << 12)
#define PIPE_WRITE_VALUE (1u << 14)
#define PIPE_WRITE_TIMESTAMP (3u << 14)
#define PIPE_CS_STALL (1u << 20)
#define PIPE_GLOBAL_GTT (1u << 24)

/* Compute engines have no pixel pipeline to flush. */
#define PIPE_FLUSH_COMPUTE (PIPE_CS_STALL | PIPE_FLUSH_ENABLE | PIPE_DC_FLUSH)
#define PIPE_FLUSH_RENDER (PIPE_FLUSH_COMPUTE | PIPE_RENDER_FLUSH | PIPE_DEPTH_FLUSH)

static void put(struct commands *commands, uint32_t dword)
{
	if (commands->dwords)
		commands->dwords[commands->count] = dword;
	commands->count++;
}

static void put_address(struct commands *commands, uint64_t address)
{
	put(commands, (uint32_t)address);
	if (commands->address_dwords > 1)
		put(commands, (uint32_t)(address >> 32));
}

/* The lengths in the opcodes above are for addresses of one dword. */
static void put_header(struct commands *commands, uint32_t header)
{
	put(commands, header + commands->address_dwords - 1);
}

static void flush(struct commands *commands, uint32_t operation, uint64_t address, uint64_t value)
{
	put_header(commands, PIPE_CONTROL);
	put(commands, operation | (commands->compute ? PIPE_FLUSH_COMPUTE : PIPE_FLUSH_RENDER) |
			      (commands->ggtt ? PIPE_GLOBAL_GTT : 0));
	put_address(commands, address);
	put(commands, (uint32_t)value);
	put(commands, (uint32_t)(value >> 32));
}

void command_flush_timestamp(struct commands *commands, uint64_t address)
{
	flush(commands, PIPE_WRITE_TIMESTAMP, address, 0);
}

void command_flush_value(struct commands *commands, uint64_t address, uint64_t value)
{
	flush(commands, PIPE_WRITE_VALUE, address, value);
}

void command_report(struct commands *commands, uint64_t address, uint32_t id)
{
	put_header(commands, MI_REPORT_PERF_COUNT);
	put_address(commands, address | (commands->ggtt ? REPORT_GLOBAL_GTT : 0));
	put(commands, id);
}

/* Haswell has a reserved dword before the address instead of its upper half. */
void command_store(struct commands *commands, uint64_t address, uint32_t value)
{
	put(commands, MI_STORE_DATA_IMM | (commands->ggtt ? MI_GLOBAL_GTT : 0));
	if (commands->address_dwords == 1)
		put(commands, 0);
	put_address(commands, address);
	put(commands, value);
}

void command_store_register(struct commands *commands, uint64_t address, uint32_t reg)
{
	put_header(commands, MI_STORE_REGISTER_MEM | (commands->ggtt ? MI_GLOBAL_GTT : 0));
	put(commands, reg);
	put_address(commands, address);
}
