// SPDX-License-Identifier: MIT
/*
 * test_xe_oa.c - OA configurations, streams, errors and report contents of the emulated xe device,
 * as documented by xe.
 */
#define _GNU_SOURCE
#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/mman.h>
#include <unistd.h>

#include "../kselftest_harness.h"
#include "../wait.h"
#include "xe.h"

#define EXPONENT 13 /* 0.85 ms */
#define BUFFER (16 << 20)
#define N_REPORTS 8
#define TIMER (1 << 19)
#define MAX_REPORT XE_REPORT_OAG

/* Arbitrary selections for the PEC counters of OAG and the MPEC counters of OAM */
static const uint32_t registers[] = {
	0x13000, 0x00001234, 0x13004, 0x00005678, 0xd900, 0, 0x393200, 0x11, 0x393204, 0x22,
};

FIXTURE(oa)
{
	int fd;
	int set;
	int stream;
	uint8_t *reports;
};

FIXTURE_VARIANT(oa)
{
	unsigned int gpu;
	uint32_t unit;
	size_t size;
	const char *dir;
	const char *counter;
};

FIXTURE_VARIANT_ADD(oa, lnl_oag){
	.gpu = 0,
	.unit = 0,
	.size = XE_REPORT_OAG,
	.dir = "",
	.counter = "PEC%u",
};

FIXTURE_VARIANT_ADD(oa, lnl_oam){
	.gpu = 0,
	.unit = 1,
	.size = XE_REPORT_OAM,
	.dir = "oamg/",
	.counter = "MPEC%u",
};

FIXTURE_VARIANT_ADD(oa, bmg_oag){
	.gpu = 1,
	.unit = 0,
	.size = XE_REPORT_OAG,
	.dir = "",
	.counter = "PEC%u",
};

FIXTURE_VARIANT_ADD(oa, bmg_oam){
	.gpu = 1,
	.unit = 1,
	.size = XE_REPORT_OAM,
	.dir = "oamg/",
	.counter = "MPEC%u",
};

FIXTURE_SETUP(oa)
{
	self->stream = -1;
	self->reports = malloc(N_REPORTS * MAX_REPORT);
	ASSERT_NE(NULL, self->reports);
	self->fd = xe_open(variant->gpu);
	ASSERT_GE(self->fd, 0);
	self->set = xe_add_config(self->fd, XE_UUID, registers, 5);
	ASSERT_LT(0, self->set);
}

FIXTURE_TEARDOWN(oa)
{
	if (self->stream >= 0)
		close(self->stream);
	EXPECT_EQ(0, xe_remove_config(self->fd, self->set));
	EXPECT_EQ(0, xe_sim_get(variant->gpu, "asleep_accesses"));
	EXPECT_EQ(0, xe_sim_get(variant->gpu, "unknown_accesses"));
	close(self->fd);
	free(self->reports);
}

static uint64_t field(const uint8_t *report, unsigned int i)
{
	uint64_t value;

	memcpy(&value, report + 8 * i, sizeof(value));
	return value;
}

#define OPEN(disabled)                                                                            \
	do {                                                                                      \
		self->stream =                                                                    \
			xe_stream_simple(self->fd, variant->unit, self->set, EXPONENT, disabled); \
		ASSERT_GE(self->stream, 0);                                                       \
	} while (0)

#define READ()                                      \
	ASSERT_EQ((int)(N_REPORTS * variant->size), \
		  xe_read_all(self->stream, self->reports, N_REPORTS * variant->size))

static void nonblocking(int fd)
{
	fcntl(fd, F_SETFL, O_NONBLOCK);
}

TEST_F(oa, reports_equal_the_reference)
{
	const unsigned int n = variant->unit ? 8 : 64;
	unsigned int i, last = 0;
	const uint8_t *to;
	char name[16];

	OPEN(0);
	READ();
	for (i = 1; i < N_REPORTS; i++) {
		const uint8_t *report = self->reports + i * variant->size;

		EXPECT_LT(field(report - variant->size, 1), field(report, 1));
		if (field(report, 0) & TIMER)
			last = i;
	}
	ASSERT_LT(0, last);
	to = self->reports + last * variant->size;
	for (i = 0; i < n; i++) {
		const uint64_t is = field(to, 4 + i) - field(self->reports, 4 + i);

		snprintf(name, sizeof(name), variant->counter, i);
		EXPECT_EQ(xe_reference(variant->gpu, variant->dir, field(self->reports, 1),
				       field(to, 1), name),
			  is);
	}
}

TEST_F(oa, timer_reports_have_the_period)
{
	uint64_t before = 0, now;

	OPEN(0);
	READ();
	for (unsigned int i = 0; i < N_REPORTS; i++) {
		if (!(field(self->reports + i * variant->size, 0) & TIMER))
			continue;
		now = field(self->reports + i * variant->size, 1);
		if (before)
			EXPECT_EQ(2 << EXPONENT, now - before);
		before = now;
	}
}

TEST_F(oa, status_is_told_once_as_eio)
{
	struct drm_xe_oa_stream_status status = { 0 };
	char file[32];

	OPEN(0);
	READ();
	snprintf(file, sizeof(file), "%slose_reports", variant->dir);
	ASSERT_EQ(0, xe_sim_set(variant->gpu, file, "3"));
	ASSERT_TRUE(WAIT_UNTIL(xe_sim_get(variant->gpu, file) == 0 ||
			       xe_sim_get(variant->gpu, file) == UINT64_MAX));
	nonblocking(self->stream);
	ASSERT_TRUE(
		WAIT_UNTIL(read(self->stream, self->reports, variant->size) < 0 && errno == EIO));
	ASSERT_EQ(0, ioctl(self->stream, DRM_XE_OBSERVATION_IOCTL_STATUS, &status));
	EXPECT_EQ(DRM_XE_OASTATUS_REPORT_LOST, status.oa_status);
	ASSERT_TRUE(WAIT_UNTIL(read(self->stream, self->reports, variant->size) > 0));
	ASSERT_EQ(0, ioctl(self->stream, DRM_XE_OBSERVATION_IOCTL_STATUS, &status));
	EXPECT_EQ(0, status.oa_status);
}

TEST_F(oa, overflow_ends_with_disable_and_enable)
{
	struct drm_xe_oa_stream_status status = { 0 };
	char file[32];

	OPEN(0);
	READ();
	snprintf(file, sizeof(file), "%sforce_overflow", variant->dir);
	ASSERT_EQ(0, xe_sim_set(variant->gpu, file, "1"));
	nonblocking(self->stream);
	ASSERT_TRUE(
		WAIT_UNTIL(read(self->stream, self->reports, variant->size) < 0 && errno == EIO));
	ASSERT_EQ(0, ioctl(self->stream, DRM_XE_OBSERVATION_IOCTL_STATUS, &status));
	EXPECT_EQ(DRM_XE_OASTATUS_BUFFER_OVERFLOW, status.oa_status);
	ASSERT_EQ(0, ioctl(self->stream, DRM_XE_OBSERVATION_IOCTL_DISABLE, 0));
	ASSERT_EQ(0, ioctl(self->stream, DRM_XE_OBSERVATION_IOCTL_ENABLE, 0));
	EXPECT_TRUE(WAIT_UNTIL(read(self->stream, self->reports, variant->size) > 0));
}

TEST_F(oa, poll_and_blocking_read)
{
	struct pollfd fd;

	OPEN(1);
	fd = (struct pollfd){ .fd = self->stream, .events = POLLIN };
	EXPECT_EQ(0, poll(&fd, 1, 0));
	ASSERT_EQ(0, ioctl(self->stream, DRM_XE_OBSERVATION_IOCTL_ENABLE, 0));
	ASSERT_EQ(1, poll(&fd, 1, scaled_ms(WAIT_LIMIT_MS)));
	READ();
	nonblocking(self->stream);
	EXPECT_EQ(-1, read(self->stream, self->reports, variant->size - 1));
	EXPECT_TRUE(errno == ENOSPC || errno == EAGAIN);
	ASSERT_EQ(0, ioctl(self->stream, DRM_XE_OBSERVATION_IOCTL_DISABLE, 0));
	while (read(self->stream, self->reports, variant->size) > 0)
		;
	EXPECT_EQ(EAGAIN, errno);
}

TEST_F(oa, configurations)
{
	const uint32_t refused[] = { 0xdaf4, 1 };
	char node[256], card[256], path[512];
	struct xe_property change = { DRM_XE_OA_PROPERTY_OA_METRIC_SET, 0 };
	struct drm_xe_oa_stream_status status = { 0 };
	int other, i;

	EXPECT_EQ(-EADDRINUSE, xe_add_config(self->fd, XE_UUID, registers, 5));
	EXPECT_EQ(-EINVAL,
		  xe_add_config(self->fd, "b3c2b1f0-5d4e-4c3b-8a29-180716253445", refused, 1));
	EXPECT_EQ(-EINVAL,
		  xe_add_config(self->fd, "no uuid at all, but long enough for it", registers, 5));
	EXPECT_EQ(-EINVAL, xe_add_config(self->fd, XE_UUID, registers, 0));
	EXPECT_EQ(-ENOENT, xe_remove_config(self->fd, 999));
	ASSERT_EQ(0, xe_find(variant->gpu, node, card, sizeof(card)));
	snprintf(path, sizeof(path), "%s/metrics/" XE_UUID "/id", card);
	EXPECT_EQ(0, access(path, R_OK));

	other = xe_add_config(self->fd, "b3c2b1f0-5d4e-4c3b-8a29-180716253445", registers, 1);
	ASSERT_LT(0, other);
	OPEN(0);
	EXPECT_EQ(-ENODEV, xe_stream_config(self->stream, &change, 1));
	change.value = other;
	EXPECT_EQ(self->set, xe_stream_config(self->stream, &change, 1));
	EXPECT_EQ(0, xe_remove_config(self->fd, other));
	/* A guest that waits for files of the host can lose reports; EIO says so once. */
	for (i = 0; i < N_REPORTS;) {
		if (read(self->stream, self->reports, variant->size) > 0) {
			i++;
			continue;
		}
		ASSERT_EQ(EIO, errno);
		ASSERT_EQ(0, ioctl(self->stream, DRM_XE_OBSERVATION_IOCTL_STATUS, &status));
	}
}

TEST_F(oa, refusals)
{
	struct xe_property bad[] = {
		{ DRM_XE_OA_PROPERTY_OA_UNIT_ID, variant->unit },
		{ DRM_XE_OA_PROPERTY_SAMPLE_OA, 1 },
		{ DRM_XE_OA_PROPERTY_OA_METRIC_SET, 999 },
		{ DRM_XE_OA_PROPERTY_OA_FORMAT, variant->unit ? XE_MPEC8U64 : XE_PEC64U64 },
		{ DRM_XE_OA_PROPERTY_OA_PERIOD_EXPONENT, EXPONENT },
	};
	struct xe_property many[17];
	int status;

	EXPECT_EQ(-EINVAL, xe_stream_open(self->fd, bad, 5));
	bad[2].value = self->set;
	bad[3].value = variant->unit ? XE_PEC64U64 : XE_MPEC8U64;
	EXPECT_EQ(-EINVAL, xe_stream_open(self->fd, bad, 5));
	bad[3].value = variant->unit ? XE_MPEC8U64 : XE_PEC64U64;
	bad[4].value = 32;
	EXPECT_EQ(-EINVAL, xe_stream_open(self->fd, bad, 5));
	bad[4].value = EXPONENT;
	bad[1].value = 0;
	EXPECT_EQ(-EINVAL, xe_stream_open(self->fd, bad, 5));
	bad[0] = (struct xe_property){ DRM_XE_OA_PROPERTY_EXEC_QUEUE_ID, 77 };
	EXPECT_EQ(-ENOENT, xe_stream_open(self->fd, bad, 5));
	for (unsigned int i = 0; i < 17; i++)
		many[i] = bad[1];
	EXPECT_EQ(-E2BIG, xe_stream_open(self->fd, many, 17));

	OPEN(0);
	status = xe_stream_simple(self->fd, variant->unit, self->set, EXPONENT, 0);
	EXPECT_EQ(-EBUSY, status);
	EXPECT_EQ(-1, ioctl(self->stream, _IO('i', 5), 0));
	EXPECT_EQ(EINVAL, errno);
}

TEST_F(oa, buffer_is_mapped_read_only)
{
	struct drm_xe_oa_stream_info info = { 0 };
	const uint8_t *buffer;

	OPEN(0);
	ASSERT_EQ(0, ioctl(self->stream, DRM_XE_OBSERVATION_IOCTL_INFO, &info));
	EXPECT_EQ(BUFFER, info.oa_buf_size);
	EXPECT_EQ(MAP_FAILED, mmap(NULL, BUFFER, PROT_READ, MAP_SHARED, self->stream, 0));
	EXPECT_EQ(MAP_FAILED,
		  mmap(NULL, BUFFER, PROT_READ | PROT_WRITE, MAP_PRIVATE, self->stream, 0));
	EXPECT_EQ(MAP_FAILED, mmap(NULL, BUFFER / 2, PROT_READ, MAP_PRIVATE, self->stream, 0));
	buffer = mmap(NULL, BUFFER, PROT_READ, MAP_PRIVATE, self->stream, 0);
	ASSERT_NE(MAP_FAILED, buffer);
	EXPECT_EQ(-1, mprotect((void *)buffer, BUFFER, PROT_READ | PROT_WRITE));
	/* Nothing has been read, so the first report is at the start of the buffer. */
	EXPECT_TRUE(WAIT_UNTIL(field(buffer + variant->size, 1)));
	READ();
	EXPECT_EQ(0, field(buffer, 1));
	EXPECT_NE(0, field(self->reports, 1));
	munmap((void *)buffer, BUFFER);
}

TEST_F(oa, without_rights)
{
	pid_t pid = fork();
	int status;

	ASSERT_GE(pid, 0);
	if (!pid) {
		int bad = 0, fd;

		if (setresuid(65534, 65534, 65534))
			_exit(99);
		fd = xe_stream_simple(self->fd, variant->unit, self->set, EXPONENT, 0);
		bad |= (fd != -EACCES) << 0;
		bad |= (xe_remove_config(self->fd, self->set) != -EACCES) << 1;
		bad |= (xe_add_config(self->fd, XE_UUID, registers, 5) != -EACCES) << 2;
		_exit(bad);
	}
	ASSERT_EQ(pid, waitpid(pid, &status, 0));
	EXPECT_EQ(0, status);
}

TEST_F(oa, gpu_that_is_pulled_out)
{
	char number[8];
	int fd = open("/sys/bus/gpuoa_sim/new_device", O_WRONLY);
	struct pollfd poll_fd;
	int drm, set, stream;

	ASSERT_GE(fd, 0);
	ASSERT_EQ(3, write(fd, "lnl", 3));
	close(fd);
	drm = xe_open(2);
	ASSERT_GE(drm, 0);
	set = xe_add_config(drm, XE_UUID, registers, 5);
	ASSERT_LT(0, set);
	stream = xe_stream_simple(drm, variant->unit, set, EXPONENT, 0);
	ASSERT_GE(stream, 0);
	poll_fd = (struct pollfd){ .fd = stream, .events = POLLIN };
	ASSERT_EQ(1, poll(&poll_fd, 1, scaled_ms(WAIT_LIMIT_MS)));
	fd = open("/sys/bus/gpuoa_sim/del_device", O_WRONLY);
	ASSERT_GE(fd, 0);
	snprintf(number, sizeof(number), "2");
	ASSERT_EQ(1, write(fd, number, 1));
	close(fd);
	EXPECT_EQ(-ENODEV, xe_remove_config(drm, set));
	nonblocking(stream);
	EXPECT_EQ(-1, read(stream, self->reports, variant->size));
	EXPECT_EQ(EIO, errno);
	close(drm);
	close(stream);
}

TEST_HARNESS_MAIN
