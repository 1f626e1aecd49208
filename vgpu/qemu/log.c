// SPDX-License-Identifier: MIT
/*
 * log.c - the log: what is unknown, and what goes wrong; each line once.
 */
#include <stdarg.h>

#include "vgpu.h"

#define N_LINES 1024

/* Lines that have been written, by their hashes; when there are too many they come again. */
static bool seen_before(const char *line)
{
	static u32 lines[N_LINES];
	u32 hash = 2166136261U;

	for (; *line; line++)
		hash = (hash ^ (u8)*line) * 16777619;
	if (lines[hash % N_LINES] == hash)
		return true;
	lines[hash % N_LINES] = hash;

	return false;
}

/**
 * vgpu_log - write a line into the log, unless it has been written before
 * @vgpu: the GPU
 * @format: as of printf(), with a line feed
 */
void vgpu_log(struct vgpu *vgpu, const char *format, ...)
{
	char line[256];
	va_list args;

	if (!vgpu->log)
		return;
	va_start(args, format);
	vsnprintf(line, sizeof(line), format, args);
	va_end(args);
	if (!vgpu->trace && seen_before(line))
		return;
	if (vgpu->trace)
		fprintf(vgpu->log, "%llu.%06llu ", vgpu->time.ns / NSEC_PER_SEC,
			vgpu->time.ns % NSEC_PER_SEC / 1000);
	fputs(line, vgpu->log);
	fflush(vgpu->log);
}
