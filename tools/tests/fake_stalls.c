// SPDX-License-Identifier: MIT
/*
 * fake_stalls.c - a GPU with EU stall sampling for gpuoa stalls, to be preloaded
 *
 * Replaces the functions of libgpuoa-extra that need a GPU. The first read of a stream returns the
 * records of the file $FAKE_STALLS (layout xe2), the others none. A line is appended to the file
 * $FAKE_STALLS_LOG for each call of gpuoa_stall_recorder_write(): "window" or "reports". If
 * $FAKE_STALLS_ERROR is set, opening a stream returns this errno.
 *
 * mkdir() of an instance in a directory "instances" also makes files as tracefs does: trace_pipe is
 * a copy of $FAKE_TRACE.
 */
#define _GNU_SOURCE /* RTLD_NEXT */
#include <dlfcn.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <time.h>

#include "gpuoa-stalls.h"

#define RECORD_SIZE 64
#define RECORDS_MAX 1024

static uint8_t records[RECORDS_MAX * RECORD_SIZE];
static uint64_t read_ns;
static bool was_read;

static uint64_t now_ns(void)
{
	struct timespec now;

	clock_gettime(CLOCK_MONOTONIC, &now);
	return (uint64_t)now.tv_sec * 1000000000 + (uint64_t)now.tv_nsec;
}

int gpuoa_stall_open(const char *device, struct gpuoa_stall_options *options,
		     struct gpuoa_stall_stream **stream, char *error, size_t error_size)
{
	const char *code = getenv("FAKE_STALLS_ERROR");

	(void)device;
	if (code) {
		snprintf(error, error_size, "the GPU is in use; stop it");
		return -atoi(code);
	}
	options->period_clocks = 1757;
	*stream = (void *)records;
	return 0;
}

void gpuoa_stall_close(struct gpuoa_stall_stream *stream)
{
	(void)stream;
}

void gpuoa_stall_describe(const struct gpuoa_stall_stream *stream, struct gpuoa_stall_desc *desc,
			  size_t size)
{
	const struct gpuoa_stall_desc found = {
		.device = "0000:00:02.0",
		.platform = "lnl",
		.title = "Lunar Lake",
		.layout = gpuoa_stall_layout_by_name("xe2"),
		.period_clocks = 1757,
		.xe_core_count = 8,
		.frequency = 1950000000,
	};

	(void)stream;
	if (size == sizeof(found))
		memcpy(desc, &found, size);
}

int gpuoa_stall_enable(struct gpuoa_stall_stream *stream)
{
	(void)stream;
	read_ns = now_ns();
	return 0;
}

int gpuoa_stall_fd(const struct gpuoa_stall_stream *stream)
{
	(void)stream;
	return -1;
}

int gpuoa_stall_read(struct gpuoa_stall_stream *stream, struct gpuoa_stall_window *window,
		     size_t size)
{
	struct gpuoa_stall_window found = { .begin_ns = read_ns, .end_ns = now_ns() };
	FILE *file = was_read ? NULL : fopen(getenv("FAKE_STALLS"), "r");

	(void)stream;
	was_read = true;
	read_ns = found.end_ns;
	if (file) {
		found.records = records;
		found.count = fread(records, RECORD_SIZE, RECORDS_MAX, file);
		fclose(file);
	}
	if (size != sizeof(found))
		return -EINVAL;
	memcpy(window, &found, size);
	return 0;
}

int gpuoa_stall_recorder_write(struct gpuoa_stall_recorder *recorder,
			       const struct gpuoa_stall_window *window, size_t size,
			       const struct gpuoa_stall_sums *sums)
{
	int (*real)(struct gpuoa_stall_recorder *, const struct gpuoa_stall_window *, size_t,
		    const struct gpuoa_stall_sums *) =
		dlsym(RTLD_NEXT, "gpuoa_stall_recorder_write");
	FILE *log = getenv("FAKE_STALLS_LOG") ? fopen(getenv("FAKE_STALLS_LOG"), "a") : NULL;

	if (log) {
		fprintf(log, "%s\n", window ? "window" : "reports");
		fclose(log);
	}
	return real(recorder, window, size, sums);
}

static void copy_file(const char *from, const char *to)
{
	FILE *in = from ? fopen(from, "r") : NULL, *out = fopen(to, "w");
	int c;

	while (in && out && (c = getc(in)) != EOF)
		putc(c, out);
	if (in)
		fclose(in);
	if (out)
		fclose(out);
}

int mkdir(const char *path, mode_t mode)
{
	static const char *const directories[] = { "events", "events/xe", "events/xe/xe_vma_bind" };
	int (*real)(const char *, mode_t) = dlsym(RTLD_NEXT, "mkdir");
	const int ret = real(path, mode);
	char name[4096];

	if (ret || !strstr(path, "/instances/"))
		return ret;
	for (size_t i = 0; i < sizeof(directories) / sizeof(directories[0]); i++) {
		snprintf(name, sizeof(name), "%s/%s", path, directories[i]);
		real(name, mode);
	}
	snprintf(name, sizeof(name), "%s/events/xe/xe_vma_bind/enable", path);
	copy_file(NULL, name);
	snprintf(name, sizeof(name), "%s/trace_pipe", path);
	copy_file(getenv("FAKE_TRACE"), name);
	return 0;
}
