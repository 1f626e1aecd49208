// SPDX-License-Identifier: MIT
/*
 * wait.c - find what an instruction waits for, from the code of its kernel
 *
 * An instruction has 16 bytes, or 8 if it is compacted. Both have the opcode in bits 0 to 6, the
 * software scoreboard in bits 8 to 17, and bit 29 set if compacted. An instruction sets one of 32
 * tokens if its result arrives at an unknown time, as that of a send. Instructions that need the
 * result wait for the token. Others wait for one a fixed distance before them in an in-order pipe.
 *
 * Source: SWSB::decode<FourDistPipe>() in visa/iga/IGALibrary/api/iga_types_swsb.cpp of Intel's
 * graphics compiler.
 */
#include "stalls/wait.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#define COMPACTED (UINT64_C(1) << 29)
#define FULL_SIZE 16
#define COMPACT_SIZE 8

#define OPCODE_SEND 0x31
#define OPCODE_SENDC 0x32
#define OPCODE_MATH 0x38
#define OPCODE_DPAS 0x59

#define SWSB_NO_ACCUMULATOR 0xf0 /* no dependency */
#define SWSB_BOTH 0x300 /* a token and a distance; the value depends on the opcode */
#define SWSB_BOTH_SOURCES 0x200
#define SWSB_BOTH_ALL 0x300
#define SWSB_KIND 0xe0 /* of a token alone */
#define SWSB_RESULT 0x80
#define SWSB_SOURCES 0xa0
#define SWSB_SET 0xc0
#define SWSB_TOKEN 0x1f
#define SWSB_DISTANCE 0x07
#define SWSB_DISTANCES 0x40 /* values below are distances alone */

struct instruction {
	uint64_t size;
	uint32_t opcode;
	uint32_t swsb;
};

/* Returns false at the end of the code. */
static bool decode(const uint8_t *code, uint64_t size, uint64_t at, struct instruction *decoded)
{
	uint64_t word;

	if (size < sizeof(word) || at > size - sizeof(word))
		return false;
	memcpy(&word, code + at, sizeof(word));
	decoded->size = word & COMPACTED ? COMPACT_SIZE : FULL_SIZE;
	decoded->opcode = word & 0x7f;
	decoded->swsb = word >> 8 & 0x3ff;
	return true;
}

static bool is_send(uint32_t opcode)
{
	return opcode == OPCODE_SEND || opcode == OPCODE_SENDC;
}

/* Whether a field with a token and a distance sets the token. The value 0x100 has two meanings. */
static bool sets_both(const struct instruction *instruction)
{
	return is_send(instruction->opcode) ||
	       (instruction->opcode == OPCODE_DPAS && (instruction->swsb & SWSB_BOTH) == 0x100);
}

static bool sets_token(const struct instruction *instruction, uint32_t token)
{
	if ((instruction->swsb & SWSB_TOKEN) != token || instruction->swsb == SWSB_NO_ACCUMULATOR)
		return false;
	if (instruction->swsb & SWSB_BOTH)
		return sets_both(instruction);
	return (instruction->swsb & SWSB_KIND) == SWSB_SET;
}

static const char *name_of(uint32_t opcode)
{
	switch (opcode) {
	case OPCODE_SEND:
	case OPCODE_SENDC:
		return "send";
	case OPCODE_MATH:
		return "math";
	case OPCODE_DPAS:
		return "dpas";
	default:
		return "instruction";
	}
}

/* Pipes by bits 3 to 5 of a distance alone; the first one is that of the instruction itself. */
static const char *const pipes[8] = { "same", "any", "float", "int", "long", "math", "scalar" };

/* Set the distance of a field that has a token as well. */
static void take_both(struct wait *wait, const struct instruction *instruction)
{
	static const char *const of_send[] = { "", "any", "float", "int" };
	const uint32_t kind = instruction->swsb & SWSB_BOTH;

	wait->distance = instruction->swsb >> 5 & SWSB_DISTANCE;
	wait->pipe = is_send(instruction->opcode) ? of_send[kind >> 8] :
		     instruction->opcode != OPCODE_DPAS && kind == SWSB_BOTH_ALL ? "any" :
										   "same";
	wait->token = !sets_both(instruction);
	wait->sources = wait->token && kind == SWSB_BOTH_SOURCES;
}

static void take(struct wait *wait, const struct instruction *instruction)
{
	const uint32_t swsb = instruction->swsb, kind = swsb & SWSB_KIND;

	wait->number = swsb & SWSB_TOKEN;
	if (swsb & SWSB_BOTH) {
		take_both(wait, instruction);
	} else if (swsb < SWSB_RESULT) {
		wait->pipe = pipes[swsb >> 3 & 7];
		wait->distance = wait->pipe && swsb < SWSB_DISTANCES ? swsb & SWSB_DISTANCE : 0;
	} else {
		wait->token = kind == SWSB_RESULT || kind == SWSB_SOURCES;
		wait->sources = kind == SWSB_SOURCES;
	}
}

/* Find the last instruction before @offset that sets the token, or else the last one after it. */
static void find_producer(struct wait *wait, const uint8_t *code, uint64_t size, uint64_t offset)
{
	struct instruction instruction;

	for (uint64_t at = 0; decode(code, size, at, &instruction); at += instruction.size) {
		if (at >= offset && wait->found && !wait->later)
			return;
		if (!sets_token(&instruction, wait->number))
			continue;
		wait->found = true;
		wait->later = at >= offset;
		wait->producer = at;
		wait->operation = name_of(instruction.opcode);
	}
}

bool wait_find(struct wait *wait, const void *code, uint64_t size, uint64_t offset)
{
	struct instruction instruction = { .size = FULL_SIZE };
	uint64_t at = 0;

	*wait = (struct wait){ .token = false };
	/* The offset is that of an instruction only if those before it end there. */
	while (decode(code, size, at, &instruction) && at < offset)
		at += instruction.size;
	if (at != offset || !decode(code, size, at, &instruction) ||
	    instruction.swsb == SWSB_NO_ACCUMULATOR)
		return false;
	take(wait, &instruction);
	if (wait->token)
		find_producer(wait, code, size, offset);
	return wait->token || wait->distance;
}

void wait_text(const struct wait *wait, const char *line, char text[WAIT_TEXT])
{
	int length = 0;

	*text = '\0';
	if (wait->token && wait->found)
		length = snprintf(text, WAIT_TEXT, "%s of %s at +0x%" PRIx64 "%s%s%.200s",
				  wait->sources ? "sources" : "result", wait->operation,
				  wait->producer, wait->later ? " of an earlier iteration" : "",
				  line ? ", " : "", line ? line : "");
	else if (wait->token)
		length = snprintf(text, WAIT_TEXT, "%s of token %" PRIu32,
				  wait->sources ? "sources" : "result", wait->number);
	if (wait->distance)
		snprintf(text + length, WAIT_TEXT - (size_t)length,
			 "%sinstruction %" PRIu32 " before it (%s pipe)", length ? "; " : "",
			 wait->distance, wait->pipe);
}
