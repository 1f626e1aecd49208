// SPDX-License-Identifier: MIT
/*
 * test_i915_gpuoa.c - gpuoa on a GPU driven by the stock i915: reports match the reference,
 * i915-perf and gpuoa exclude each other, errors are reported.
 *
 * Needs gpuoa_i915.ko.
 */
#define _GNU_SOURCE
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/wait.h>
#include <unistd.h>

#include "../aux.h"
#include "../aux_copied.h"
#include "../event.h"
#include "../kselftest_harness.h"
#include "../vgpu.h"
#include "i915.h"
#include "leased.h"
#include "perf.h"
#include "reference.h"

#define UUID "7f4a0c1e-3b52-4d6f-9a80-5e2d1c0b9f02"
#define GPUOA_SIM_WORK 0xe0000002
#define STEADY 1
/* Context id in reports at which the filtered context stops running */
#define CONTEXT_NOBODY 0xffffffff
#define GPU "0000:00:02.0"
#define NOBODY 65534
#define PERF_PARANOID "/proc/sys/kernel/perf_event_paranoid"
#define GPUOA_PARANOID "/proc/sys/dev/gpuoa/paranoid"
#define I915_PARANOID "/proc/sys/dev/i915/perf_stream_paranoid"
#define I915_MAX_RATE "/proc/sys/dev/i915/oa_max_sample_rate"
#define OAG_OACONTROL 0xdaf4

FIXTURE(gpuoa)
{
	struct leased event;
};

FIXTURE_SETUP(gpuoa)
{
	ASSERT_EQ(0, leased_begin(&self->event));
}

FIXTURE_TEARDOWN(gpuoa)
{
	leased_end(&self->event);
}

TEST_F(gpuoa, reports_equal_the_reference)
{
	ASSERT_EQ(0, leased_start(&self->event.reader, &self->event.attr));
	ASSERT_TRUE(reader_run_reports(&self->event.reader, 200));
	reader_disable(&self->event.reader);
	reader_drain(&self->event.reader);
	EXPECT_EQ(0, leased_wrong(&self->event.gpu, &self->event.reader.tally));
	EXPECT_EQ(0, self->event.reader.tally.errors);
	EXPECT_EQ(0, reader_lost(&self->event.reader));
	EXPECT_LE(reader_due(&self->event.reader), self->event.reader.tally.reports);
}

/* The tail runs ahead of complete reports: none is read too early. */
TEST_F(gpuoa, tail_ahead_of_data_yields_no_stale_report)
{
	vgpu_request("fault tail_ahead 5");
	ASSERT_EQ(0, leased_start(&self->event.reader, &self->event.attr));
	EXPECT_TRUE(reader_run_reports(&self->event.reader, 200));
	vgpu_request("fault tail_ahead 0");
	EXPECT_EQ(0, leased_wrong(&self->event.gpu, &self->event.reader.tally));
	EXPECT_EQ(0, self->event.reader.tally.errors);
}

TEST_F(gpuoa, buffer_overflow_is_reported)
{
	unsigned int i;

	ASSERT_EQ(0, leased_start(&self->event.reader, &self->event.attr));
	ASSERT_TRUE(reader_run_reports(&self->event.reader, 20));
	vgpu_request("overflow");
	for (i = 0; i < 50 && !self->event.reader.tally.overflows; i++)
		EXPECT_TRUE(reader_run_reports(&self->event.reader, 50));
	EXPECT_EQ(1, self->event.reader.tally.overflows);
	EXPECT_EQ(0, self->event.reader.tally.errors);
}

TEST_F(gpuoa, lost_reports_are_reported)
{
	unsigned int i;

	ASSERT_EQ(0, leased_start(&self->event.reader, &self->event.attr));
	ASSERT_TRUE(reader_run_reports(&self->event.reader, 20));
	vgpu_request("fault lose_reports 3");
	for (i = 0; i < 50 && !reader_lost(&self->event.reader); i++)
		EXPECT_TRUE(reader_run_reports(&self->event.reader, 50));
	/* Only the loss of timer reports is detected. */
	EXPECT_LE(1, reader_lost(&self->event.reader));
	EXPECT_EQ(0, self->event.reader.tally.errors);
}

/* An event can request any OABUFFER size up to that of i915's buffer, and no larger one. */
TEST_F(gpuoa, buffer_is_part_of_i915s_buffer)
{
	self->event.gpuoa.buffer_size = 1 << 24;
	ASSERT_EQ(0, leased_start(&self->event.reader, &self->event.attr));
	EXPECT_TRUE(reader_run_reports(&self->event.reader, 50));
	EXPECT_EQ(0, self->event.reader.tally.errors);
	reader_close(&self->event.reader);
	self->event.reader.fd = -1;
	self->event.gpuoa.buffer_size = 1 << 25;
	EXPECT_EQ(-ERANGE, event_try(&self->event.attr));
}

/* The unit writes to i915's buffer, so reports are copied into AUX areas. */
TEST_F(gpuoa, aux_area_gets_copies)
{
	struct copied copied = { .exponent = LEASED_EXPONENT, .report_size = 256 };
	struct gpuoa_unit_info info;
	int unit = unit_open();

	ASSERT_EQ(0, ioctl(unit, GPUOA_IOC_UNIT_INFO, &info));
	EXPECT_EQ(GPUOA_FEATURE_AUX, info.features & (GPUOA_FEATURE_AUX | GPUOA_FEATURE_ZERO_COPY));
	close(unit);
	copied.format = info.default_format;
	self->event.gpuoa.flags |= GPUOA_ATTR_AUX;
	/* Many seconds of reports, for a slow machine */
	self->event.gpuoa.buffer_size = 1 << 24;
	EXPECT_STREQ("", copied_reports_are_in_order(&self->event.attr, &copied) ?: "");
	EXPECT_STREQ("", copied_area_may_be_full(&self->event.attr, &copied) ?: "");
	EXPECT_STREQ("", copied_flight_recorder_has_newest(&self->event.attr, &copied) ?: "");
}

#define SLOW_EXPONENT 15 /* 65,536 reports of 256 bytes take 2^32 ticks. */

static bool fill_buffer(void)
{
	return vgpu_request("overflow");
}

/* With 32-bit timestamps, the size of a gap is unknown if the buffer holds reports of minutes. */
TEST_F(gpuoa, aux_area_overflow_beyond_a_wrap_has_unknown_size)
{
	struct copied copied = { .exponent = SLOW_EXPONENT, .report_size = 256 };
	struct gpuoa_unit_info info;
	int unit = unit_open();

	ASSERT_EQ(0, ioctl(unit, GPUOA_IOC_UNIT_INFO, &info));
	close(unit);
	copied.format = info.default_format;
	self->event.gpuoa.exponent = SLOW_EXPONENT;
	self->event.gpuoa.flags |= GPUOA_ATTR_AUX;
	self->event.gpuoa.buffer_size = 1 << 24;
	EXPECT_STREQ("",
		     copied_overflow_has_unknown_size(&self->event.attr, &copied, fill_buffer) ?:
												 "");
}

/* The stream holds a reference to the configuration. */
static int i915_perf_open(const struct i915 *gpu)
{
	uint64_t set = perf_add_set(gpu, UUID);
	uint64_t format = gpu->wide ? I915_OA_FORMAT_A32u40_A4u32_B8_C8 : I915_OA_FORMAT_A45_B8_C8;
	uint64_t properties[] = {
		DRM_I915_PERF_PROP_SAMPLE_OA,	   1,
		DRM_I915_PERF_PROP_OA_METRICS_SET, set,
		DRM_I915_PERF_PROP_OA_FORMAT,	   format,
		DRM_I915_PERF_PROP_OA_EXPONENT,	   LEASED_EXPONENT,
	};
	struct drm_i915_perf_open_param open = {
		.flags = I915_PERF_FLAG_FD_CLOEXEC,
		.num_properties = 4,
		.properties_ptr = (uintptr_t)properties,
	};
	int stream = ioctl(gpu->fd, DRM_IOCTL_I915_PERF_OPEN, &open);

	stream = stream < 0 ? -errno : stream;
	ioctl(gpu->fd, DRM_IOCTL_I915_PERF_REMOVE_CONFIG, &set);
	return stream;
}

/* The first user gets the unit; the other gets it after the first has closed it. */
TEST_F(gpuoa, i915_perf_and_gpuoa_exclude_each_other)
{
	int stream = i915_perf_open(&self->event.gpu);

	ASSERT_LE(0, stream);
	EXPECT_EQ(-EBUSY, event_try(&self->event.attr));
	close(stream);
	ASSERT_EQ(0, leased_start(&self->event.reader, &self->event.attr));
	EXPECT_EQ(-EBUSY, i915_perf_open(&self->event.gpu));
	EXPECT_TRUE(reader_run_reports(&self->event.reader, 10));
	reader_close(&self->event.reader);
	self->event.reader.fd = -1;
	stream = i915_perf_open(&self->event.gpu);
	EXPECT_LE(0, stream);
	close(stream);
	EXPECT_EQ(0, event_try(&self->event.attr));
}

static int read_clock(int unit, struct gpuoa_clock *clock)
{
	memset(clock, 0, sizeof(*clock));
	clock->clock_id = CLOCK_MONOTONIC;
	return ioctl(unit, GPUOA_IOC_GET_CLOCK, clock) ? -errno : 0;
}

/* The clock is right while the unit is idle and while i915-perf uses it, and is monotonic. */
TEST_F(gpuoa, get_clock_works_without_a_stream)
{
	struct gpuoa_clock idle, used, shared;
	int unit = unit_open(), stream;
	uint32_t before, after;

	ASSERT_LE(0, unit);
	before = (uint32_t)vgpu_timestamp();
	ASSERT_EQ(0, read_clock(unit, &idle));
	after = (uint32_t)vgpu_timestamp();
	EXPECT_LE((uint32_t)idle.gpu_ticks - before, after - before);
	ASSERT_EQ(0, leased_start(&self->event.reader, &self->event.attr));
	ASSERT_EQ(0, read_clock(unit, &used));
	reader_close(&self->event.reader);
	self->event.reader.fd = -1;
	EXPECT_LT(idle.gpu_ticks, used.gpu_ticks);
	stream = i915_perf_open(&self->event.gpu);
	EXPECT_LE(0, stream);
	ASSERT_EQ(0, read_clock(unit, &shared));
	EXPECT_LT(used.gpu_ticks, shared.gpu_ticks);
	EXPECT_GT(1ULL << 36, shared.gpu_ticks - idle.gpu_ticks);
	close(stream);
	close(unit);
}

/*
 * Count reports of other contexts than that of the first report. Ignore reports at which that
 * context stops running.
 */
struct foreign {
	uint32_t context;
	unsigned int n;
	unsigned int others;
};

static void see(void *context, const uint8_t *report, uint32_t size)
{
	struct foreign *foreign = context;
	uint32_t id = leased_dwords(report)[2];

	if (size < 16 || id == CONTEXT_NOBODY)
		return;
	if (!foreign->n++)
		foreign->context = id;
	foreign->others += id != foreign->context;
}

static void context_on(struct gpuoa_attr *attr, int drm, uint32_t context)
{
	attr->flags |= GPUOA_ATTR_CONTEXT;
	attr->drm_fd = drm;
	attr->context = context;
}

/* An event for one context gets only reports of that context. */
TEST_F(gpuoa, event_filters_one_context)
{
	struct foreign foreign = { 0 };
	struct i915_batch batch;
	uint32_t context;

	if (!self->event.gpu.wide)
		SKIP(return, "the command parser does not know the command that works");
	ASSERT_EQ(0, batch_create(&self->event.gpu, &batch));
	context = i915_context(&self->event.gpu);
	context_on(&self->event.gpuoa, self->event.gpu.fd, context);
	ASSERT_EQ(0, reader_open(&self->event.reader, &self->event.attr, LEASED_EXPONENT,
				 LEASED_RING_ORDER));
	self->event.reader.each = see;
	self->event.reader.context = &foreign;
	reader_enable(&self->event.reader);
	batch_emit(&batch, GPUOA_SIM_WORK);
	batch_emit(&batch, STEADY);
	batch_emit(&batch, 5000000);
	batch_emit(&batch, 0);
	ASSERT_EQ(0, batch_run(&batch, context, I915_EXEC_RENDER));
	/*
	 * Before the context's first report and after its last one, there may be reports without a
	 * context.
	 */
	while (foreign.n < 5 && reader_run_reports(&self->event.reader, 1))
		;
	EXPECT_LE(5, foreign.n);
	EXPECT_EQ(0, foreign.others);
	batch_destroy(&batch);
}

static struct foreign in_area;

static void see_in_area(struct aux_reader *reader, const uint8_t *report)
{
	see(&in_area, report, reader->report_size);
	reader->tally.reports++;
}

/* Reports of other contexts between those of the context are not copied. */
TEST_F(gpuoa, aux_area_gets_reports_of_one_context)
{
	struct gpuoa_unit_info info;
	struct aux_reader reader;
	int unit = unit_open(), i;
	struct i915_batch batch;
	uint32_t context;

	if (!self->event.gpu.wide)
		SKIP(return, "the command parser does not know the command that works");
	ASSERT_EQ(0, batch_create(&self->event.gpu, &batch));
	context = i915_context(&self->event.gpu);
	context_on(&self->event.gpuoa, self->event.gpu.fd, context);
	self->event.gpuoa.flags |= GPUOA_ATTR_AUX;
	ASSERT_EQ(0, ioctl(unit, GPUOA_IOC_UNIT_INFO, &info));
	close(unit);
	in_area = (struct foreign){ 0 };
	ASSERT_EQ(0, aux_open(&reader, &self->event.attr, LEASED_EXPONENT));
	reader.format = info.default_format;
	reader.report_size = 256;
	reader.take = see_in_area;
	ASSERT_EQ(0, aux_map(&reader, 1 << 20, true));
	ASSERT_EQ(0, aux_enable(&reader));
	batch_emit(&batch, GPUOA_SIM_WORK);
	batch_emit(&batch, STEADY);
	batch_emit(&batch, 1000000);
	batch_emit(&batch, 0);
	for (i = 0; i < 8; i++)
		ASSERT_EQ(0, batch_run(&batch, context, I915_EXEC_RENDER));
	EXPECT_EQ(0, aux_disable(&reader));
	aux_drain(&reader);
	printf("# %u reports in %llu records\n", in_area.n,
	       (unsigned long long)reader.tally.records);
	EXPECT_LE(8, in_area.n);
	EXPECT_EQ(0, in_area.others);
	aux_close(&reader);
	batch_destroy(&batch);
}

/* Haswell filters in hardware: if the context never runs, nothing is counted. */
TEST_F(gpuoa, event_counts_one_context_on_each_gpu)
{
	context_on(&self->event.gpuoa, self->event.gpu.fd, i915_context(&self->event.gpu));
	ASSERT_EQ(0, leased_start(&self->event.reader, &self->event.attr));
	/* An event for the same context shares the unit; one for another context does not. */
	EXPECT_EQ(0, event_try(&self->event.attr));
	self->event.gpuoa.context = i915_context(&self->event.gpu);
	EXPECT_EQ(-EBUSY, event_try(&self->event.attr));
	EXPECT_EQ(-EBUSY, i915_perf_open(&self->event.gpu));
}

TEST_F(gpuoa, missing_context_returns_enoent)
{
	int null = open("/dev/null", O_RDWR);

	context_on(&self->event.gpuoa, self->event.gpu.fd, 4711);
	EXPECT_EQ(-ENOENT, event_try(&self->event.attr));
	context_on(&self->event.gpuoa, null, 0);
	EXPECT_EQ(-EXDEV, event_try(&self->event.attr));
	close(null);
}

static int write_to(const char *file, const char *what)
{
	int fd = open(file, O_WRONLY);
	ssize_t size = fd < 0 ? -1 : write(fd, what, strlen(what));

	if (fd >= 0)
		close(fd);
	return size < 0 ? -errno : 0;
}

/* The render node is opened by device number, because its name may belong to another file. */
TEST_F(gpuoa, renamed_node_is_found_by_number)
{
	const char *node = "/dev/dri/renderD128", *away = "/dev/dri/renamed";
	struct gpuoa_clock clock;
	int unit = unit_open();

	ASSERT_EQ(0, rename(node, away));
	close(open(node, O_CREAT | O_WRONLY | O_CLOEXEC, 0666));
	EXPECT_EQ(0, read_clock(unit, &clock));
	EXPECT_EQ(0, event_try(&self->event.attr));
	EXPECT_EQ(0, rename(away, node));
	close(unit);
}

/* Get the number of open DRM files of this process from debugfs. */
static unsigned int count_drm_clients(void)
{
	FILE *clients = fopen("/sys/kernel/debug/dri/0/clients", "r");
	unsigned int n = 0;
	char line[256];
	int pid;

	while (clients && fgets(line, sizeof(line), clients))
		n += sscanf(line, "%*s %d", &pid) == 1 && pid == getpid();
	if (clients)
		fclose(clients);
	return n;
}

/*
 * Use a render node: DRM never changes the owner of a file that has been master, such as the
 * fixture's file of card0.
 */
TEST_F(gpuoa, context_event_keeps_owner_of_drm_file)
{
	struct i915 render = self->event.gpu;
	unsigned int clients;

	render.fd = open("/dev/dri/renderD128", O_RDWR | O_CLOEXEC);
	ASSERT_LE(0, render.fd);
	context_on(&self->event.gpuoa, render.fd, i915_context(&render));
	clients = count_drm_clients();
	ASSERT_LE(2, clients);
	ASSERT_EQ(0, leased_start(&self->event.reader, &self->event.attr));
	EXPECT_EQ(clients, count_drm_clients());
	reader_close(&self->event.reader);
	self->event.reader.fd = -1;
	EXPECT_EQ(clients, count_drm_clients());
	close(render.fd);
}

/* Call a function as a user without capabilities. Return its result, 0 or -errno. */
static int as_nobody(int (*function)(void *data), void *data)
{
	int status = 0;
	pid_t pid = fork();

	if (!pid) {
		if (setresgid(NOBODY, NOBODY, NOBODY) || setresuid(NOBODY, NOBODY, NOBODY))
			_exit(EINVAL);
		_exit(-function(data));
	}
	waitpid(pid, &status, 0);
	return WIFEXITED(status) ? -WEXITSTATUS(status) : -ECHILD;
}

static int try_event(void *attr)
{
	return event_try(attr);
}

/* dev.i915.perf_stream_paranoid applies to gpuoa's events, even if they share the unit. */
TEST_F(gpuoa, i915_paranoid_sysctl_applies)
{
	struct perf_event_attr *attr = &self->event.attr;

	ASSERT_EQ(0, write_to(PERF_PARANOID, "-1"));
	ASSERT_EQ(0, write_to(GPUOA_PARANOID, "0"));
	EXPECT_EQ(-EACCES, as_nobody(try_event, attr));
	EXPECT_EQ(0, write_to(I915_PARANOID, "0"));
	EXPECT_EQ(0, as_nobody(try_event, attr));

	EXPECT_EQ(0, write_to(I915_MAX_RATE, "10"));
	EXPECT_EQ(-EACCES, as_nobody(try_event, attr));
	EXPECT_EQ(0, write_to(I915_MAX_RATE, "100000"));

	EXPECT_EQ(0, leased_start(&self->event.reader, attr));
	EXPECT_EQ(0, as_nobody(try_event, attr));
	EXPECT_EQ(0, write_to(I915_PARANOID, "1"));
	EXPECT_EQ(-EACCES, as_nobody(try_event, attr));
	EXPECT_EQ(0, event_try(attr));
	EXPECT_EQ(0, write_to(GPUOA_PARANOID, "1"));
	EXPECT_EQ(0, write_to(PERF_PARANOID, "2"));
}

struct stream_to_try {
	int unit;
	struct gpuoa_attr attr;
};

static int try_stream(void *data)
{
	const struct stream_to_try *stream = data;
	int fd = ioctl(stream->unit, GPUOA_IOC_OPEN_STREAM, &stream->attr);

	if (fd < 0)
		return -errno;
	close(fd);
	return 0;
}

/* Get the number of MMIO writes that enabled OAG since the query "writes clear". */
static unsigned int count_starts(void)
{
	char *writes = vgpu_ask("writes"), *line;
	unsigned int reg, value, n = 0;

	for (line = writes; line && *line; line += strcspn(line, "\n"), line += *line == '\n')
		n += sscanf(line, "%i %i", &reg, &value) == 2 && reg == OAG_OACONTROL && value & 1;
	free(writes);
	return n;
}

/* On gen12, users may measure their contexts without reports; the unit stays off. */
TEST_F(gpuoa, query_only_stream_leaves_unit_off)
{
	struct stream_to_try stream = { .unit = unit_open(), .attr = self->event.gpuoa };

	if (self->event.gpu.gen < 12)
		SKIP(return, "contexts have no counters of their own");
	context_on(&stream.attr, self->event.gpu.fd, i915_context(&self->event.gpu));
	vgpu_request("writes clear");
	EXPECT_EQ(-EACCES, as_nobody(try_stream, &stream));
	stream.attr.flags = GPUOA_ATTR_CONTEXT | GPUOA_ATTR_QUERY_ONLY;
	stream.attr.exponent = 0;
	EXPECT_EQ(0, as_nobody(try_stream, &stream));
	EXPECT_EQ(0, try_stream(&stream));
	EXPECT_EQ(0, count_starts());
	stream.attr.flags = GPUOA_ATTR_CONTEXT | GPUOA_ATTR_EXPONENT;
	stream.attr.exponent = LEASED_EXPONENT;
	EXPECT_EQ(0, try_stream(&stream));
	EXPECT_LE(1, count_starts());
	close(stream.unit);
}

/* A reset of all engines clears the unit's configuration; the unit is reprogrammed. */
TEST_F(gpuoa, reset_is_reported_and_survived)
{
	ASSERT_EQ(0, leased_start(&self->event.reader, &self->event.attr));
	ASSERT_TRUE(reader_run_reports(&self->event.reader, 20));
	if (write_to("/sys/kernel/debug/dri/0/i915_wedged", "0xffffffff"))
		SKIP(return, "there is no i915_wedged");
	EXPECT_TRUE(reader_run_reports(&self->event.reader, 100));
	EXPECT_EQ(0, self->event.reader.tally.errors);
	EXPECT_EQ(0, self->event.reader.tally.gone);
}

/* i915 is unbound from the GPU while an event is open. */
TEST_F(gpuoa, unbind_ends_event)
{
	ASSERT_EQ(0, leased_start(&self->event.reader, &self->event.attr));
	ASSERT_TRUE(reader_run_reports(&self->event.reader, 20));
	close(self->event.gpu.fd);
	self->event.gpu.fd = -1;
	ASSERT_EQ(0, write_to("/sys/bus/pci/drivers/i915/unbind", GPU));
	reader_drain(&self->event.reader);
	EXPECT_EQ(1, self->event.reader.tally.gone);
	EXPECT_EQ(0, self->event.reader.tally.errors);
	EXPECT_NE(0, access("/sys/bus/pci/drivers/i915/" GPU, F_OK));
	EXPECT_EQ(0, write_to("/sys/bus/pci/drivers/i915/bind", GPU));
}

TEST_HARNESS_MAIN
