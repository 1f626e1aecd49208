// SPDX-License-Identifier: MIT
/*
 * test_i915_uapi.c - uAPI of the stock i915-perf on the virtual GPU: formats, properties,
 * configurations, reads, permissions, resets.
 */
#define _GNU_SOURCE
#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "../kselftest_harness.h"
#include "../vgpu.h"
#include "i915.h"
#include "perf.h"
#include "reference.h"

#define UUID "7f4a0c1e-3b52-4d6f-9a80-5e2d1c0b9f02"
#define EXPONENT 12
#define BUFFER_SIZE (1 << 20)
#define NOBODY 65534
#define PARANOID "/proc/sys/dev/i915/perf_stream_paranoid"
#define MAX_RATE "/proc/sys/dev/i915/oa_max_sample_rate"

FIXTURE(uapi)
{
	struct i915 gpu;
	uint64_t set;
	uint32_t context;
	int stream;
	uint8_t *buffer;
};

FIXTURE_SETUP(uapi)
{
	ASSERT_EQ(0, i915_open(&self->gpu));
	self->context = i915_context(&self->gpu);
	self->stream = -1;
	self->set = perf_add_set(&self->gpu, UUID);
	ASSERT_GT(1000, self->set);
	self->buffer = malloc(BUFFER_SIZE);
	ASSERT_NE(NULL, self->buffer);
}

FIXTURE_TEARDOWN(uapi)
{
	if (self->stream >= 0)
		close(self->stream);
	EXPECT_EQ(0, ioctl(self->gpu.fd, DRM_IOCTL_I915_PERF_REMOVE_CONFIG, &self->set));
	free(self->buffer);
	close(self->gpu.fd);
}

/* Summary of a stream: first and last report, and the shortest period in between */
struct course {
	unsigned int n;
	unsigned int wrong_sizes;
	uint32_t shortest;
	uint8_t first[256];
	uint8_t last[256];
};

static uint32_t timestamp(const uint8_t *report)
{
	uint32_t value;

	memcpy(&value, report + 4, sizeof(value));

	return value;
}

static void take(struct course *course, const uint8_t *record, unsigned int size)
{
	struct drm_i915_perf_record_header header;
	const uint8_t *report = record + sizeof(header);
	uint32_t since;

	memcpy(&header, record, sizeof(header));
	if (header.type != DRM_I915_PERF_RECORD_SAMPLE)
		return;
	if (header.size != sizeof(header) + size) {
		course->wrong_sizes++;
		return;
	}
	if (!course->n++) {
		memcpy(course->first, report, size);
	} else {
		since = timestamp(report) - timestamp(course->last);
		if (!course->shortest || since < course->shortest)
			course->shortest = since;
	}
	memcpy(course->last, report, size);
}

/* Read until there are @n reports, or for ten seconds. */
static struct course follow(int stream, uint8_t *buffer, unsigned int size, unsigned int n)
{
	struct course course = { 0 };
	time_t end = time(NULL) + 10;

	while (course.n < n && time(NULL) < end) {
		struct pollfd fd = { stream, POLLIN, 0 };
		struct drm_i915_perf_record_header header;
		ssize_t got, i;

		if (poll(&fd, 1, 1000) <= 0)
			continue;
		got = read(stream, buffer, BUFFER_SIZE);
		for (i = 0; i < got; i += header.size) {
			memcpy(&header, buffer + i, sizeof(header));
			take(&course, buffer + i, size);
		}
	}

	return course;
}

TEST_F(uapi, each_format_equals_the_reference)
{
	const struct perf_format *format = perf_formats(&self->gpu);
	struct perf_open open = perf_usual(&self->gpu, self->set, EXPONENT);
	struct course course;

	vgpu_request("workload frames");
	for (; format->id; format++) {
		open.properties[5] = format->id;
		self->stream = perf_open(&self->gpu, &open);
		ASSERT_LE(0, self->stream);
		course = follow(self->stream, self->buffer, format->size, 50);
		EXPECT_LE(50, course.n);
		EXPECT_EQ(0, course.wrong_sizes);
		EXPECT_EQ(0, reference_differences(format, course.first, course.last));
		EXPECT_EQ(0, close(self->stream));
	}
	self->stream = -1;
	vgpu_request("workload idle");
}

TEST_F(uapi, formats_of_other_gpus_return_einval)
{
	const struct perf_format *known, *formats = perf_formats(&self->gpu);
	struct perf_open open = perf_usual(&self->gpu, self->set, EXPONENT);

	for (open.properties[5] = 0; open.properties[5] < 40; open.properties[5]++) {
		for (known = formats; known->id && known->id != open.properties[5]; known++)
			;
		if (!known->id)
			EXPECT_EQ(-EINVAL, perf_open(&self->gpu, &open));
	}
}

/* Timer reports are 2^(exponent + 1) ticks apart; others in between have other reasons. */
TEST_F(uapi, exponent_sets_period)
{
	const unsigned int size = 256;
	struct perf_open open;
	struct course course;
	unsigned int exponent;

	for (exponent = 10; exponent <= 16; exponent += 3) {
		open = perf_usual(&self->gpu, self->set, exponent);
		self->stream = perf_open(&self->gpu, &open);
		ASSERT_LE(0, self->stream);
		course = follow(self->stream, self->buffer, size, 20);
		EXPECT_LE(20, course.n);
		EXPECT_EQ(2U << exponent, course.shortest);
		close(self->stream);
	}
	self->stream = -1;
	open = perf_usual(&self->gpu, self->set, 32);
	EXPECT_EQ(-EINVAL, perf_open(&self->gpu, &open));
}

static int open_with(const struct i915 *gpu, uint64_t set, uint64_t property, uint64_t value)
{
	struct perf_open open = perf_usual(gpu, set, EXPONENT);

	perf_property(&open, property, value);

	return perf_open(gpu, &open);
}

TEST_F(uapi, bad_properties_return_errors)
{
	const struct i915 *gpu = &self->gpu;
	struct perf_open open = perf_usual(gpu, self->set, EXPONENT);

	EXPECT_EQ(-EINVAL, open_with(gpu, self->set, 0, 1));
	EXPECT_EQ(-EINVAL, open_with(gpu, self->set, 1000, 1));
	EXPECT_EQ(-EINVAL, perf_open(gpu, &(struct perf_open){ 0 }));
	EXPECT_EQ(-EINVAL, open_with(gpu, 0, DRM_I915_PERF_PROP_OA_EXPONENT, EXPONENT));
	EXPECT_EQ(-EINVAL, open_with(gpu, 12345, DRM_I915_PERF_PROP_OA_EXPONENT, EXPONENT));
	EXPECT_EQ(-ENOENT, open_with(gpu, self->set, DRM_I915_PERF_PROP_CTX_HANDLE, 12345));
	EXPECT_EQ(-EINVAL, open_with(gpu, self->set, DRM_I915_PERF_PROP_POLL_OA_PERIOD, 99999));
	EXPECT_EQ(-EFAULT, open_with(gpu, self->set, DRM_I915_PERF_PROP_GLOBAL_SSEU, 8));
	/* Preemption can only be disabled in a stream for one context, which this one is not. */
	EXPECT_EQ(-EINVAL, open_with(gpu, self->set, DRM_I915_PERF_PROP_HOLD_PREEMPTION, 1));
	open.flags = 1U << 31;
	EXPECT_EQ(-EINVAL, perf_open(gpu, &open));
}

TEST_F(uapi, poll_period_is_honoured)
{
	struct course course;

	self->stream = open_with(&self->gpu, self->set, DRM_I915_PERF_PROP_POLL_OA_PERIOD, 100000);
	ASSERT_LE(0, self->stream);
	course = follow(self->stream, self->buffer, 256, 20);
	EXPECT_LE(20, course.n);
}

TEST_F(uapi, hold_preemption_is_accepted)
{
	struct perf_open open = perf_usual(&self->gpu, self->set, EXPONENT);

	perf_property(&open, DRM_I915_PERF_PROP_CTX_HANDLE, self->context);
	perf_property(&open, DRM_I915_PERF_PROP_HOLD_PREEMPTION, 1);
	self->stream = perf_open(&self->gpu, &open);
	EXPECT_LE(0, self->stream);
}

/* A stream may request all slices, the default of contexts. Only gen11 accepts fewer. */
TEST_F(uapi, sseu_property_selects_slices)
{
	struct drm_i915_gem_context_param_sseu sseu = { 0 };
	struct drm_i915_gem_context_param param = {
		.ctx_id = self->context,
		.param = I915_CONTEXT_PARAM_SSEU,
		.size = sizeof(sseu),
		.value = (uintptr_t)&sseu,
	};

	if (self->gpu.gen < 8)
		SKIP(return, "contexts of gen7 say nothing of slices");
	ASSERT_EQ(0, ioctl(self->gpu.fd, DRM_IOCTL_I915_GEM_CONTEXT_GETPARAM, &param));
	self->stream =
		open_with(&self->gpu, self->set, DRM_I915_PERF_PROP_GLOBAL_SSEU, (uintptr_t)&sseu);
	EXPECT_LE(0, self->stream);
}

/* ---- configurations ----------------------------------------------------------------------- */

static int add(const struct i915 *gpu, const char *uuid, uint32_t reg)
{
	uint32_t boolean[] = { reg, 0 };
	struct drm_i915_perf_oa_config config = {
		.n_boolean_regs = 1,
		.boolean_regs_ptr = (uintptr_t)boolean,
	};
	int id;

	memcpy(config.uuid, uuid, sizeof(config.uuid));
	id = ioctl(gpu->fd, DRM_IOCTL_I915_PERF_ADD_CONFIG, &config);

	return id < 0 ? -errno : id;
}

TEST_F(uapi, configurations_are_added_and_removed)
{
	const char *file = "/sys/class/drm/card0/metrics/" UUID "/id";
	uint32_t trigger = self->gpu.gen >= 12 ? 0xd904 : 0x2714;
	uint64_t unknown = 12345;
	uint64_t set = self->set;

	EXPECT_EQ(0, access(file, R_OK));
	EXPECT_EQ(-EADDRINUSE, add(&self->gpu, UUID, trigger));
	EXPECT_EQ(-EINVAL, add(&self->gpu, "7f4a0c1e+3b52-4d6f-9a80-5e2d1c0b9f02", trigger));
	EXPECT_EQ(-EINVAL, add(&self->gpu, "7f4a0c1e-3b52-4d6f-9a80-5e2d1c0b9f03", 0x2000));
	EXPECT_EQ(-1, ioctl(self->gpu.fd, DRM_IOCTL_I915_PERF_REMOVE_CONFIG, &unknown));
	EXPECT_EQ(ENOENT, errno);
	EXPECT_EQ(0, ioctl(self->gpu.fd, DRM_IOCTL_I915_PERF_REMOVE_CONFIG, &set));
	EXPECT_NE(0, access(file, R_OK));
	self->set = perf_add_set(&self->gpu, UUID);
	EXPECT_EQ(0, access(file, R_OK));
}

/* A stream changes its configuration; the ioctl returns the old one. */
TEST_F(uapi, stream_changes_its_set)
{
	int64_t other = perf_add_set(&self->gpu, "7f4a0c1e-3b52-4d6f-9a80-5e2d1c0b9f04");
	struct perf_open open = perf_usual(&self->gpu, self->set, EXPONENT);

	ASSERT_LT(0, other);
	self->stream = perf_open(&self->gpu, &open);
	ASSERT_LE(0, self->stream);
	EXPECT_EQ(self->set, ioctl(self->stream, I915_PERF_IOCTL_CONFIG, other));
	EXPECT_EQ(other, ioctl(self->stream, I915_PERF_IOCTL_CONFIG, self->set));
	EXPECT_EQ(-1, ioctl(self->stream, I915_PERF_IOCTL_CONFIG, 12345L));
	EXPECT_EQ(EINVAL, errno);
	EXPECT_EQ(0, ioctl(self->gpu.fd, DRM_IOCTL_I915_PERF_REMOVE_CONFIG, &other));
}

/* ---- reading ------------------------------------------------------------------------------ */

/* With a long timer period, there is nothing to read. */
TEST_F(uapi, read_without_reports_returns_eagain)
{
	struct perf_open open = perf_usual(&self->gpu, self->set, 30);
	struct pollfd fd = { .events = POLLIN };

	self->stream = perf_open(&self->gpu, &open);
	ASSERT_LE(0, self->stream);
	fd.fd = self->stream;
	while (read(self->stream, self->buffer, BUFFER_SIZE) > 0)
		;
	EXPECT_EQ(EAGAIN, errno);
	EXPECT_EQ(0, poll(&fd, 1, 50));
}

TEST_F(uapi, stream_opens_disabled)
{
	struct perf_open open = perf_usual(&self->gpu, self->set, EXPONENT);
	struct course course;

	open.flags |= I915_PERF_FLAG_DISABLED;
	self->stream = perf_open(&self->gpu, &open);
	ASSERT_LE(0, self->stream);
	EXPECT_EQ(-1, read(self->stream, self->buffer, BUFFER_SIZE));
	EXPECT_EQ(EIO, errno);
	EXPECT_EQ(0, ioctl(self->stream, I915_PERF_IOCTL_ENABLE, 0));
	course = follow(self->stream, self->buffer, 256, 10);
	EXPECT_LE(10, course.n);
	EXPECT_EQ(0, ioctl(self->stream, I915_PERF_IOCTL_DISABLE, 0));
	EXPECT_EQ(-1, read(self->stream, self->buffer, BUFFER_SIZE));
	EXPECT_EQ(EIO, errno);
}

/* A blocking read waits for reports; reports that do not fit into the buffer are not lost. */
TEST_F(uapi, read_blocks_until_reports_land)
{
	struct perf_open open = perf_usual(&self->gpu, self->set, EXPONENT);
	const int record = 256 + sizeof(struct drm_i915_perf_record_header);
	ssize_t got;

	open.flags &= ~I915_PERF_FLAG_FD_NONBLOCK;
	self->stream = perf_open(&self->gpu, &open);
	ASSERT_LE(0, self->stream);
	got = read(self->stream, self->buffer, 2 * record + 8);
	EXPECT_TRUE(got == record || got == 2 * record);
	EXPECT_EQ(record, read(self->stream, self->buffer, record));
	EXPECT_EQ(-1, read(self->stream, self->buffer, record - 1));
	EXPECT_EQ(ENOSPC, errno);
}

/* ---- permissions -------------------------------------------------------------------------- */

static void set_sysctl(const char *path, const char *value)
{
	FILE *file = fopen(path, "w");

	if (file) {
		fputs(value, file);
		fclose(file);
	}
}

/* Open a stream as an unprivileged user. Return 0 or -errno. */
static int open_as_nobody(const struct i915 *gpu, const struct perf_open *open)
{
	int status = 0;
	pid_t child = fork();

	if (!child) {
		if (setresgid(NOBODY, NOBODY, NOBODY) || setresuid(NOBODY, NOBODY, NOBODY))
			_exit(255);
		_exit(perf_open(gpu, open) < 0 ? errno : 0);
	}
	waitpid(child, &status, 0);

	return WIFEXITED(status) ? -WEXITSTATUS(status) : -EINTR;
}

TEST_F(uapi, open_without_permission_returns_eacces)
{
	struct perf_open open = perf_usual(&self->gpu, self->set, EXPONENT);
	struct perf_open own = open;

	EXPECT_EQ(-EACCES, open_as_nobody(&self->gpu, &open));
	/* Haswell filters in hardware, so a context's owner may measure it without privilege. */
	perf_property(&own, DRM_I915_PERF_PROP_CTX_HANDLE, self->context);
	EXPECT_EQ(self->gpu.gen == 7 ? 0 : -EACCES, open_as_nobody(&self->gpu, &own));
	set_sysctl(PARANOID, "0");
	EXPECT_EQ(0, open_as_nobody(&self->gpu, &open));
	set_sysctl(MAX_RATE, "100");
	EXPECT_EQ(-EACCES, open_as_nobody(&self->gpu, &open));
	set_sysctl(MAX_RATE, "100000");
	set_sysctl(PARANOID, "1");
}

/* ---- resets ------------------------------------------------------------------------------- */

/* A context hangs and its engine is reset: the stream continues. */
TEST_F(uapi, stream_survives_a_reset)
{
	struct perf_open open = perf_usual(&self->gpu, self->set, EXPONENT);
	struct i915_batch batch;
	struct course course;

	if (!self->gpu.wide)
		SKIP(return, "the command parser refuses what makes this GPU hang");
	ASSERT_EQ(0, batch_create(&self->gpu, &batch));
	self->stream = perf_open(&self->gpu, &open);
	ASSERT_LE(0, self->stream);
	set_sysctl("/sys/class/drm/card0/engine/rcs0/heartbeat_interval_ms", "50");
	batch_emit(&batch, 0x80000000);
	ASSERT_EQ(0, batch_submit(&batch, self->context, I915_EXEC_RENDER));
	EXPECT_EQ(0, batch_wait(&batch, 30));
	set_sysctl("/sys/class/drm/card0/engine/rcs0/heartbeat_interval_ms", "2500");
	while (read(self->stream, self->buffer, BUFFER_SIZE) > 0)
		;
	course = follow(self->stream, self->buffer, 256, 20);
	EXPECT_LE(20, course.n);
	batch_destroy(&batch);
}

TEST_HARNESS_MAIN
