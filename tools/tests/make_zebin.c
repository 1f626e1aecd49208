// SPDX-License-Identifier: MIT
/*
 * make_zebin.c - write the ELF files of kernels that tests use: make_zebin DIRECTORY
 *
 *   kernels.zebin   kernels scale and copy, relocatable, with the faults of Intel's compiler
 *   placed.zebin    the same at GPU address 0x8001fffe5000, as Level Zero returns it
 *   kernels.cl      their source
 *   stalls.data     a recording of EU stalls: 100 samples in scale, 30 in copy, in three windows
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
	const struct zebin_kernel kernels[] = {
		{ .name = "scale",
		  .size = 0x80,
		  .address = address,
		  .rows = scale_rows,
		  .row_count = 4,
		  .symbol = ZEBIN_NAMED,
		  .function = "multiply",
		  .function_offset = 0x60,
		  .function_size = 0x20 },
		{ .name = "copy",
		  .size = 0x40,
		  .address = address ? address + 0x300 : 0,
		  .rows = copy_rows,
		  .row_count = 3,
		  .symbol = ZEBIN_NAMELESS },
	};
	struct bytes file = zebin_make(kernels, 2, 205);

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
	return 0;
}
