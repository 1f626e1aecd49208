// SPDX-License-Identifier: MIT
/*
 * make_zebin.c - write the ELF files of kernels that tests use: make_zebin DIRECTORY
 *
 *   kernels.zebin   kernels scale and copy, relocatable, with the faults of Intel's compiler
 *   placed.zebin    the same at GPU address 0x8001fffe5000, as Level Zero returns it
 *   kernels.cl      their source
 *   stalls.data     a recording of EU stalls: 100 samples in scale, 30 in copy, in three windows
 *   stalls.raw      the same samples as records of the layout xe2, and an incomplete record
 */
#include <stdio.h>
#include <stdlib.h>

#include "gpuoa-stalls.h"
#include "zebin.h"

static const char source[] = "/* kernels.cl */\n"
			     "\n"
			     "__kernel void scale(__global float *x, float a)\n"
			     "{\n"
			     "\tsize_t i = get_global_id(0);\n"
			     "\tx[i] *= a;\n"
			     "}\n"
			     "\n"
			     "\n"
			     "__kernel void copy(__global float *to, __global const float *from)\n"
			     "{\n"
			     "\tto[get_global_id(0)] = from[get_global_id(0)];\n"
			     "}\n";

static const struct zebin_row scale_rows[] = {
	{ 0x00, 3, 0, 0 },
	{ 0x20, 5, 13, 0 },
	{ 0x40, 6, 7, 0 },
	{ 0x80, 0, 0, 0 },
};

static const struct zebin_row copy_rows[] = {
	{ 0x00, 10, 0, 0 },
	{ 0x20, 12, 23, 0 },
	{ 0x40, 0, 0, 0 },
};

/* ---- code: tools/stalls/wait.c describes the fields ---- */

#define MOV 0x61
#define SEND 0x31
#define SYNC 0x01

struct instruction {
	uint32_t size; /* 16, or 8: compacted */
	uint32_t opcode;
	uint32_t swsb;
};

static const struct instruction scale_code[] = {
	{ 16, SEND, 0xc3 }, /* +0x00: sets token 3 */
	{ 16, MOV, 0 },	     { 16, MOV, 0x19 }, /* +0x20: distance 1, int pipe */
	{ 16, MOV, 0xf0 }, /* +0x30: no dependency */
	{ 16, MOV, 0x83 }, /* +0x40: result of token 3 */
	{ 16, MOV, 0xa2 }, /* +0x50: sources of token 2 */
	{ 8, MOV, 0 },	     { 8, SYNC, 0xa7 }, /* +0x68: sources of token 7, which nothing sets */
	{ 16, SEND, 0x122 }, /* +0x70: sets token 2; distance 1, any pipe */
};

static const struct instruction copy_code[] = {
	{ 16, MOV, 0 }, { 16, MOV, 0 },
	{ 8, MOV, 0 },	{ 8, SEND, 0x325 }, /* +0x28: sets token 5; distance 1, int pipe */
	{ 8, MOV, 0 },	{ 8, MOV, 0x145 }, /* +0x38: result of token 5; distance 2 */
};

static void put_code(uint8_t *code, const struct instruction *instructions, size_t count)
{
	for (size_t i = 0; i < count; i++) {
		const uint64_t word = instructions[i].opcode | instructions[i].swsb << 8 |
				      (instructions[i].size == 8 ? 1u << 29 : 0);

		memcpy(code, &word, sizeof(word));
		code += instructions[i].size;
	}
}

static void write_file(const char *directory, const char *name, const void *data, size_t size)
{
	char path[4096];
	FILE *file;

	snprintf(path, sizeof(path), "%s/%s", directory, name);
	file = fopen(path, "w");
	if (!file || fwrite(data, 1, size, file) != size || fclose(file)) {
		perror(path);
		exit(1);
	}
}

static void write_zebin(const char *directory, const char *name, uint64_t address)
{
	uint8_t scale[0x80] = { 0 }, copy[0x40] = { 0 };
	const struct zebin_kernel kernels[] = {
		{ .name = "scale",
		  .size = sizeof(scale),
		  .code = scale,
		  .address = address,
		  .rows = scale_rows,
		  .row_count = 4,
		  .symbol = ZEBIN_NAMED,
		  .function = "multiply",
		  .function_offset = 0x60,
		  .function_size = 0x20 },
		{ .name = "copy",
		  .size = sizeof(copy),
		  .code = copy,
		  .address = address ? address + 0x300 : 0,
		  .rows = copy_rows,
		  .row_count = 3,
		  .symbol = ZEBIN_NAMELESS },
	};
	struct bytes file;

	put_code(scale, scale_code, sizeof(scale_code) / sizeof(scale_code[0]));
	put_code(copy, copy_code, sizeof(copy_code) / sizeof(copy_code[0]));
	file = zebin_make(kernels, 2, 205);
	write_file(directory, name, file.data, file.size);
	clear(&file);
}

static void check(bool good, const char *what)
{
	if (good)
		return;
	fprintf(stderr, "%s\n", what);
	exit(1);
}

static void write_window(struct gpuoa_stall_recorder *recorder, uint64_t begin, uint64_t address,
			 enum gpuoa_stall_reason reason, uint64_t samples)
{
	const struct gpuoa_stall_window window = { .begin_ns = begin, .end_ns = begin + 10000000 };
	struct gpuoa_stall_sum sum = { .address = address };
	struct gpuoa_stall_sums *sums;

	sum.counts[reason] = samples;
	check(!gpuoa_stall_sums_new(&sums) && !gpuoa_stall_sums_add_sum(sums, &sum, sizeof(sum)) &&
		      !gpuoa_stall_recorder_write(recorder, &window, sizeof(window), sums),
	      "cannot write the recording");
	gpuoa_stall_sums_free(sums);
}

static void write_recording(const char *directory)
{
	const struct gpuoa_stall_desc desc = {
		.device = "0000:00:02.0",
		.platform = "lnl",
		.title = "Lunar Lake",
		.layout = gpuoa_stall_layout_by_name("xe2"),
		.period_clocks = 1757,
		.xe_core_count = 8,
	};
	struct gpuoa_stall_recorder *recorder;
	char path[4096], error[512];

	snprintf(path, sizeof(path), "%s/stalls.data", directory);
	check(!gpuoa_stall_recorder_open(&desc, sizeof(desc), NULL, 0, path, &recorder, error,
					 sizeof(error)),
	      error);
	write_window(recorder, 10000000, 0xfffe5040, GPUOA_STALL_SCOREBOARD, 60);
	write_window(recorder, 20000000, 0xfffe5040, GPUOA_STALL_SCOREBOARD, 40);
	write_window(recorder, 30000000, 0xfffe5338, GPUOA_STALL_SEND, 30);
	check(!gpuoa_stall_recorder_close(recorder), "cannot write the recording");
}

/* Set a field of at most 57 bits in a record of the layout xe2. */
static void set_field(uint8_t *record, const struct gpuoa_stall_field *field, uint64_t value)
{
	for (unsigned int bit = 0; bit < field->bits; bit++)
		record[(field->bit + bit) / 8] |=
			(uint8_t)((value >> bit & 1) << (field->bit + bit) % 8);
}

static void write_raw(const char *directory)
{
	static const struct {
		uint64_t address;
		enum gpuoa_stall_reason reason;
		uint32_t samples;
		bool complete;
	} samples[] = {
		{ 0xfffe5040, GPUOA_STALL_SCOREBOARD, 60, true },
		{ 0xfffe5040, GPUOA_STALL_SCOREBOARD, 40, true },
		{ 0xfffe5338, GPUOA_STALL_SEND, 30, true },
		{ 0xfffe5338, GPUOA_STALL_SEND, 1, false },
	};
	struct gpuoa_stall_layout_desc layout;
	uint8_t records[4][64] = { { 0 } };

	gpuoa_stall_layout_describe(gpuoa_stall_layout_by_name("xe2"), &layout, sizeof(layout));
	for (size_t i = 0; i < 4; i++) {
		set_field(records[i], &layout.address, samples[i].address / 8);
		set_field(records[i], &layout.reasons[samples[i].reason], samples[i].samples);
		set_field(records[i], &layout.end_flag, samples[i].complete);
	}
	write_file(directory, "stalls.raw", records, sizeof(records));
}

int main(int argc, char **argv)
{
	if (argc != 2) {
		fprintf(stderr, "usage: make_zebin DIRECTORY\n");
		return 2;
	}
	write_zebin(argv[1], "kernels.zebin", 0);
	write_zebin(argv[1], "placed.zebin", 0x8001fffe5000);
	write_file(argv[1], "kernels.cl", source, sizeof(source) - 1);
	write_recording(argv[1]);
	write_raw(argv[1]);
	return 0;
}
