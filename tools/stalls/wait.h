/* SPDX-License-Identifier: MIT */
/* wait.h - find what an instruction waits for, from the code of its kernel */
#ifndef GPUOA_TOOLS_STALLS_WAIT_H
#define GPUOA_TOOLS_STALLS_WAIT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* A dependency that the compiler encoded in the instruction (software scoreboard) */
struct wait {
	bool token; /* waits for the instruction that has this token */
	bool sources; /* until its sources have been read; otherwise, until its result is written */
	uint32_t number; /* of the token */
	bool found; /* the instruction with the token is known */
	bool later; /* it is at a higher offset: it ran in an earlier iteration of a loop */
	uint64_t producer; /* its offset */
	const char *operation; /* its name; static */
	/* waits for the instruction this number of instructions before it in a pipe; 0: none */
	uint32_t distance;
	const char *pipe; /* name of that pipe; static */
};

/*
 * Find what the instruction at @offset waits for.
 *
 * @code: @size bytes, of Ponte Vecchio to Xe3
 *
 * Returns false if it waits for no instruction, or if no instruction is at @offset.
 */
bool wait_find(struct wait *wait, const void *code, uint64_t size, uint64_t offset);

/* Format a wait: "result of send at +0x2d0, scale.cl:6". @line: of the producer; NULL: unknown */
#define WAIT_TEXT 384
void wait_text(const struct wait *wait, const char *line, char text[WAIT_TEXT]);

#endif /* GPUOA_TOOLS_STALLS_WAIT_H */
