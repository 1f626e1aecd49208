// SPDX-License-Identifier: MIT
/*
 * log.c - log of unknown accesses and errors, without repeated lines.
 */
#include <stdarg.h>

#include "vgpu.h"

#define N_LINES 1024

/* Check for a repeated line by its hash; a line is repeated after its entry is overwritten. */
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
 * vgpu_log() - Log a line, unless it was logged before.
 * @vgpu: the GPU
 * @format: printf() format that ends with a newline
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
