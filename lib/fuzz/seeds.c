// SPDX-License-Identifier: MIT
/*
 * seeds.c - Write those initial inputs of the fuzzers that are not stored in the tree: seeds
 * DIRECTORY
 */
#define _GNU_SOURCE
#include <sys/stat.h>

#include "i915_recording.h"
#include "recording.h"
#include "reader/rawdata_format.h"
#include "zebin.h"

#define ID 42

static const char *directory;

static void write_seed(const char *fuzzer, const char *name, const void *data, size_t size)
{
	char path[4096];
	FILE *file;

	snprintf(path, sizeof(path), "%s/%s", directory, fuzzer);
	mkdir(path, 0777);
	snprintf(path, sizeof(path), "%s/%s/%s", directory, fuzzer, name);
	file = fopen(path, "w");
	if (!file || fwrite(data, 1, size, file) != size || fclose(file)) {
		perror(path);
		exit(1);
	}
}

static void write_recordings(void)
{
	struct recording recording = { 0 };
	struct bytes file;

	add_event(&recording, TEST_SAMPLE_TYPE, ID);
	put_first_sample(&recording.records, ID);
	put_reports_sample(&recording.records, ID, 0, 3);
	put_reports_sample(&recording.records, ID, 5, 2);
	file = lay_out(&recording);
	write_seed("recording", "file", file.data, file.size);
	clear(&file);
	file = lay_out_pipe(&recording);
	write_seed("recording", "pipe", file.data, file.size);
	clear(&file);
	clear(&recording.records);
}

/* Write a recording of two units, which also has perf's dummy event. */
static void write_units(void)
{
	struct recording recording = { 0 };
	struct bytes file;

	for (uint64_t id = ID; id < ID + 3; id++)
		add_event(&recording, TEST_SAMPLE_TYPE, id);
	recording.events[2].attr.type = PERF_TYPE_SOFTWARE;
	for (uint64_t id = ID; id < ID + 2; id++) {
		put_first_sample(&recording.records, id);
		put_reports_sample(&recording.records, id, 0, 2);
	}
	file = lay_out(&recording);
	write_seed("recording", "units", file.data, file.size);
	clear(&file);
	clear(&recording.records);
}

/*
 * Write a recording with the records that gpuoa's recorder adds: metadata, pairs of other clocks,
 * and markers.
 */
static void write_own_recording(void)
{
	static const char text[] = "platform hsw \"H\" constant X \"x\"  ";
	const struct text_record head = {
		.record = { TEXT_RECORD, sizeof(head) + sizeof(text) / 8 * 8 },
		.size = sizeof(text) / 8 * 8,
		.total = sizeof(text) / 8 * 8,
	};
	struct recording recording = { 0 };
	struct bytes payload = { 0 }, file;

	add_event(&recording, TEST_SAMPLE_TYPE, ID);
	put_head(&payload);
	put(&payload, &head, sizeof(head));
	put(&payload, text, head.size);
	put_stream(&payload);
	put_clock(&payload, 1000);
	put_clock_of(&payload, 7, 1000);
	put_reports(&payload, 0, 3);
	put_marker(&payload, 5, 2000);
	put_clock(&payload, 5000);
	put_sample(&recording.records, ID, 0, &payload);
	file = lay_out(&recording);
	write_seed("recording", "own", file.data, file.size);
	clear(&payload);
	clear(&file);
	clear(&recording.records);
}

static void write_i915_recording(void)
{
	struct bytes file = { 0 };

	put_i915_beginning(&file);
	put_i915_correlation(&file, 0, 1000);
	put_i915_reports(&file, 1, 3);
	put_i915(&file, I915_BUFFER_LOST, NULL, 0);
	put_i915_reports(&file, 8, 2);
	put_i915_correlation(&file, 1000, 81000);
	write_seed("recording", "i915", file.data, file.size);
	clear(&file);
}

static void write_payloads(void)
{
	struct bytes payload = { 0 }, all = { 0 };
	uint8_t size[2];

	put_head(&payload);
	put_stream(&payload);
	put_reports(&payload, 0, 3);
	size[0] = payload.size;
	size[1] = payload.size >> 8;
	put(&all, size, 2);
	put(&all, payload.data, payload.size);
	put(&all, NULL, 2);
	write_seed("payload", "reports", all.data, all.size);
	clear(&payload);
	clear(&all);
}

/* Write reports of one set of each platform. */
static void write_reports(void)
{
	for (size_t i = 0; i < gpuoa_platform_count(); i++) {
		static uint8_t data[8 + 6 * 640];
		char name[32];

		snprintf(name, sizeof(name), "platform%zu", i);
		for (size_t k = 0; k < sizeof(data); k++)
			data[k] = k * k * (i + 1) >> 3;
		data[0] = i;
		data[1] = data[2] = data[3] = 0;
		data[4] = 2;
		data[5] = 1;
		write_seed("decode", name, data, sizeof(data));
	}
}

static void write_xml(void)
{
	static const char text[] =
		"TEST1\nA45_B8_C8\n$SubsliceMask 1 AND $SkuRevisionId 2 ULT &&\n0x9888\n"
		"uint64\nC 2 READ\n\n\n"
		"float\nA 0 READ $EuCoresTotalCount UDIV 100 UMUL $M0 FDIV\n100\n$SliceMask 3 0 2 UMUL << AND\n"
		"float\n100 $M1 FSUB B 0 READ FMAX\n$M0 64 UMUL\n\n"
		"uint64\nGPU_TIME 0 READ 1000000000 UMUL $GpuTimestampFrequency UDIV\n\n\n"
		"float\nPERFCNT 0 READ\n\ntrue $QueryMode &&\n";

	write_seed("xml", "counters", text, sizeof(text) - 1);
}

/*
 * Write equations. Each input has two bytes that select the set, and then five lines of text:
 * value, maximum, condition, and MDAPI's read and delta equations.
 */
static void write_equations(void)
{
	static const char own[] = "A0 // EuCoresTotalCount * 0.1 + max(GpuCoreClocks, 1)\n"
				  "100\nEuCoresTotalCount > 1\nrd40@0x10:0xa0\nDELTA 40\n";
	static const char mdapi[] = "$Self $$GpuCoreClocks FDIV\n100\n1\n"
				    "rd40@0x10:0xa0 dw@0x04 UADD\nDELTA 32\n";
	static const char operators[] =
		"(B0 - C7 & 3) << 2 >> 1 * min(GpuBusy, 1e3) / TIMESTAMP\n"
		"SliceMask * GpuCoreClocks\n"
		"SliceMask & 1 and QueryMode == 0 or EuCoresTotalCount <= 8\n"
		"dw@0x04\nDELTA 32\n";
	static const struct {
		const char *name, *text;
	} seeds[] = { { "own", own }, { "mdapi", mdapi }, { "operators", operators } };

	for (size_t i = 0; i < sizeof(seeds) / sizeof(seeds[0]); i++) {
		char data[512], name[32];
		const int length = snprintf(data + 2, sizeof(data) - 2, "%s", seeds[i].text);

		data[0] = data[1] = 0; /* the small platform */
		write_seed("equation", seeds[i].name, data, 2 + length);
		data[0] = (char)197; /* a built-in one */
		data[1] = 1;
		snprintf(name, sizeof(name), "%s_builtin", seeds[i].name);
		write_seed("equation", name, data, 2 + length);
	}
}

/* Write zebins: relocatable ones with and without the faults of the compiler, and a loaded one. */
static void write_zebins(void)
{
	static const struct zebin_row rows[] = { { 0, 3, 0, 0 }, { 16, 5, 9, 1 }, { 48, 0, 0, 0 } };
	static const char *const names[] = { "relocatable", "named", "nameless", "placed" };

	for (uint32_t i = 0; i < 4; i++) {
		const uint64_t address = i == 3 ? 0x8001fffe5000 : 0;
		const struct zebin_kernel kernels[] = {
			{ .name = "one",
			  .size = 64,
			  .address = address,
			  .rows = rows,
			  .row_count = 3,
			  .symbol = i % 3,
			  .function = "helper",
			  .function_offset = 16,
			  .function_size = 32 },
			{ .name = "two",
			  .size = 48,
			  .address = address ? address + 64 : 0,
			  .rows = rows,
			  .row_count = 3 },
		};
		struct bytes file = zebin_make(kernels, 2, 205);

		write_seed("zebin", names[i], file.data, file.size);
		clear(&file);
	}
}

int main(int argc, char **argv)
{
	if (argc != 2) {
		fprintf(stderr, "usage: seeds DIRECTORY\n");
		return 2;
	}
	directory = argv[1];
	write_recordings();
	write_units();
	write_own_recording();
	write_i915_recording();
	write_payloads();
	write_reports();
	write_xml();
	write_equations();
	write_zebins();
	return 0;
}
