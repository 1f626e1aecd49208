// SPDX-License-Identifier: MIT
/*
 * fuzz_recording.c - Read random bytes as a recording: perf.data, or a file of i915-perf-recorder.
 */
#define _GNU_SOURCE
#include <errno.h>
#include <sys/mman.h>
#include <time.h>
#include <unistd.h>

#include "exercise.h"
#include "gpuoa-time.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

#define REPORTS 16

/*
 * Convert times. Clock pairs can have any values, but conversion must neither overflow nor divide
 * by 0.
 */
static void convert(struct gpuoa_reader *reader, uint64_t ticks)
{
	const struct gpuoa_time *time;
	uint64_t ns, ns_error, back, back_error;

	if (gpuoa_reader_time(reader, &time) ||
	    gpuoa_time_to_cpu(time, CLOCK_MONOTONIC, ticks, &ns, &ns_error))
		return;
	gpuoa_time_to_gpu(time, CLOCK_MONOTONIC, ns, &back, &back_error);
}

static void take_markers(struct gpuoa_reader *reader)
{
	struct gpuoa_stream_marker marker;
	int ret;

	while ((ret = gpuoa_reader_next_marker(reader, &marker, sizeof(marker)))) {
		MUST(ret == 1 || ret == -ENOBUFS);
		if (ret == 1)
			convert(reader, marker.gpu_ticks);
	}
}

static void read_all(struct gpuoa_reader *reader)
{
	struct gpuoa_read_status status;
	struct gpuoa_reader_desc desc;
	struct gpuoa_unit_desc unit;
	uint64_t reports = 0;
	uint8_t *room;
	int n;

	gpuoa_reader_describe(reader, &desc, sizeof(desc));
	gpuoa_reader_describe_unit(reader, &unit, sizeof(unit));
	gpuoa_reader_platform(reader);
	MUST(desc.report_size && desc.report_size <= UINT16_MAX);
	room = malloc(REPORTS * desc.report_size);
	MUST(room);
	while ((n = gpuoa_reader_read(reader, room, REPORTS, &status)) > 0) {
		MUST(n <= REPORTS);
		reports += n;
	}
	/* The number of reports in a file is limited by the file's size. */
	MUST(n < 0 || status.end);
	MUST(reports <= 1 << 20);
	convert(reader, 0);
	convert(reader, reports << 20);
	convert(reader, UINT64_MAX);
	take_markers(reader);
	free(room);
}

static int count_bytes(void *context, const void *data, size_t size)
{
	MUST(data && size);
	*(uint64_t *)context += size;
	return 0;
}

/*
 * Convert the recording to the format of i915-perf-recorder. If it is rejected, there must be a
 * message.
 */
static void write_i915(const char *path, uint32_t index)
{
	struct gpuoa_reader *reader;
	char error[128] = "";
	uint64_t bytes = 0;
	int err;

	if (gpuoa_file_open_stream(path, index, &reader, NULL, 0))
		return;
	err = gpuoa_reader_write_i915(reader, count_bytes, &bytes, error, sizeof(error));
	MUST(!err == !*error && (err || bytes));
	gpuoa_reader_close(reader);
}

/* Read all streams of a file, and also the default one. */
static void read_streams(const char *path)
{
	struct gpuoa_reader *reader;
	struct gpuoa_reader_desc desc;
	char error[128] = "";
	uint32_t count;

	if (gpuoa_file_open(path, &reader, error, sizeof(error))) {
		MUST(*error);
		return;
	}
	MUST(!*error);
	gpuoa_reader_describe(reader, &desc, sizeof(desc));
	gpuoa_reader_close(reader);
	count = desc.streams;
	MUST(desc.stream < count);
	for (uint32_t i = 0; i <= count; i++) {
		const int err = gpuoa_file_open_stream(path, i, &reader, error, sizeof(error));

		MUST(!err == !*error && (err || i < count) && (!err || i != desc.stream));
		if (err)
			continue;
		read_all(reader);
		gpuoa_reader_close(reader);
		write_i915(path, i);
	}
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	const int fd = memfd_create("recording", MFD_CLOEXEC);
	char path[32];

	MUST(fd >= 0 && write(fd, data, size) == (ssize_t)size);
	snprintf(path, sizeof(path), "/proc/self/fd/%d", fd);
	read_streams(path);
	close(fd);
	return 0;
}
