/* SPDX-License-Identifier: MIT */
/* commands.h - encode the GPU commands of queries */
#ifndef GPUOA_LIB_EXTRA_QUERY_COMMANDS_H
#define GPUOA_LIB_EXTRA_QUERY_COMMANDS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* A command buffer. */
struct commands {
	uint32_t *dwords; /* NULL: only count the dwords */
	size_t count;
	uint8_t address_dwords;
	bool ggtt; /* addresses are in the global GTT */
	bool compute; /* run on a compute engine */
};

/* Wait for preceding work, flush caches, then write the timestamp (or @value) to @address. */
void command_flush_timestamp(struct commands *commands, uint64_t address);
void command_flush_value(struct commands *commands, uint64_t address, uint64_t value);

/* Write a report with this id; @address must be a multiple of 64. */
void command_report(struct commands *commands, uint64_t address, uint32_t id);

void command_store(struct commands *commands, uint64_t address, uint32_t value);
void command_store_register(struct commands *commands, uint64_t address, uint32_t reg);

#endif /* GPUOA_LIB_EXTRA_QUERY_COMMANDS_H */
