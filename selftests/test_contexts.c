// SPDX-License-Identifier: MIT
/*
 * test_contexts.c - an event for one context counts exactly that context's work.
 */
#define _GNU_SOURCE
#include <errno.h>
#include <fcntl.h>
#include <linux/capability.h>
#include <stdio.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include "event.h"
#include "gpu_unit.h"
#include "kselftest_harness.h"
#include "shape.h"
#include "sim.h"

FIXTURE(contexts)
{
	const struct shape *shape;
	struct gpu_unit unit;
	int drm;
	struct gpu_context contexts[3];
	struct gpuoa_attr gpuoa;
	struct perf_event_attr attr;
	struct reader reader;
	struct seen seen;
};

FIXTURE_VARIANT(contexts)
{
	const char *platform;
	const struct shape *shape;
	unsigned int exponent; /* period of about 100 us */
	unsigned int media; /* number of media units */
};

#define PLATFORM(name, shape_, exponent_, media_)                                              \
	FIXTURE_VARIANT_ADD(contexts, name)                                                    \
	{                                                                                      \
		.platform = #name, .shape = &(shape_), .exponent = exponent_, .media = media_, \
	}

PLATFORM(hsw, shape_hsw, 10, 0);
PLATFORM(bdw, shape_gen8, 10, 0);
PLATFORM(sklgt2, shape_gen9, 10, 0);
PLATFORM(icl, shape_gen9, 10, 0);
PLATFORM(tglgt2, shape_gen9, 10, 0);
PLATFORM(mtlgt2, shape_mtl, 11, 1);
PLATFORM(lnl, shape_xe2, 10, 2);
PLATFORM(bmg, shape_xe2, 10, 3);

/* Create three contexts in different time slots. The contexts have different loads. */
FIXTURE_SETUP(contexts)
{
	unsigned int i;

	if (!gpu_unit_find(&self->unit, variant->platform, "OA"))
		SKIP(return, "there is no %s", variant->platform);
	self->shape = variant->shape;
	ASSERT_EQ(0, gpu_unit_set(&self->unit, "workload", "frames"));
	self->drm = gpu_unit_drm_open(&self->unit);
	ASSERT_LE(0, self->drm);
	for (i = 0; i < 3; i++)
		ASSERT_EQ(0, gpu_context_create(&self->unit, self->drm, &self->contexts[i]));

	self->gpuoa = test_oa_attr(variant->exponent);
	self->gpuoa.format = variant->shape->format;
	self->attr = extensible_attr(&self->gpuoa);
	self->attr.type = self->unit.pmu_type;
}

FIXTURE_TEARDOWN(contexts)
{
	close(self->drm);
}

static void filter_on(struct gpuoa_attr *gpuoa, const struct gpu_context *context)
{
	gpuoa->flags = GPUOA_ATTR_EXPONENT | GPUOA_ATTR_CONTEXT;
	gpuoa->drm_fd = context->drm;
	gpuoa->context = context->handle;
}

static void filter_on_id(struct gpuoa_attr *gpuoa, uint32_t hw_id)
{
	gpuoa->flags = GPUOA_ATTR_EXPONENT | GPUOA_ATTR_CONTEXT | GPUOA_ATTR_CONTEXT_HW_ID;
	gpuoa->drm_fd = 0;
	gpuoa->context = hw_id;
}

/* Open and enable an event with @attr. @hw_id is the context id expected in reports. */
static int begin(struct reader *reader, struct perf_event_attr *attr, struct seen *seen,
		 const struct shape *shape, unsigned int exponent, uint32_t hw_id)
{
	int error = reader_open(reader, attr, exponent, 9);

	if (error)
		return error;
	*seen = (struct seen){ .shape = shape, .exponent = exponent, .hw_id = hw_id };
	reader->each = seen_report;
	reader->context = seen;
	reader_enable(reader);
	return 0;
}

#define BEGIN(hw_id)                                                             \
	ASSERT_EQ(0, begin(&self->reader, &self->attr, &self->seen, self->shape, \
			   variant->exponent, hw_id))

static void end(struct reader *reader)
{
	reader_disable(reader);
	reader_drain(reader);
}

static bool is_whole(const struct reader *reader)
{
	const struct tally *tally = &reader->tally;

	return !tally->errors && !tally->overflows && !tally->hardware_losses && !tally->ring_lost;
}

/* Check that all counters match the reference between the first and the last report. */
static void expect_reference(struct __test_metadata *_metadata, const struct gpu_unit *unit,
			     const struct seen *seen, unsigned int slot)
{
	static char reference[8192];
	unsigned int moved;

	ASSERT_LT(1, seen->reports);
	ASSERT_EQ(0, gpu_unit_reference(unit, report_timestamp(seen->shape, seen->first),
					report_timestamp(seen->shape, seen->last), slot, reference,
					sizeof(reference)));
	EXPECT_EQ(0, seen_differs(seen, reference, &moved));
	EXPECT_LT(10, moved);
	EXPECT_EQ(0, seen->backwards);
	EXPECT_EQ(0, seen->foreign);
	EXPECT_EQ(0, seen->out_of_step);
}

/* If reports were lost because the guest was delayed, repeat the measurement. */
#define MEASURE(hw_id, ms)                                      \
	do {                                                    \
		unsigned int tries_ = 3;                        \
                                                                \
		do {                                            \
			if (tries_ < 3)                         \
				reader_close(&self->reader);    \
			BEGIN(hw_id);                           \
			reader_run(&self->reader, ms);          \
			end(&self->reader);                     \
		} while (!is_whole(&self->reader) && --tries_); \
		ASSERT_TRUE(is_whole(&self->reader));           \
	} while (0)

TEST_F(contexts, filter_counts_only_its_context)
{
	unsigned int i;

	for (i = 0; i < 3; i++) {
		const struct gpu_context *context = &self->contexts[i];

		filter_on(&self->gpuoa, context);
		MEASURE(context->hw_id, 100);
		expect_reference(_metadata, &self->unit, &self->seen, context->slot);
		/*
		 * There is a report without a context at the end of each slot, or of the work in
		 * it. Haswell writes no such reports.
		 */
		if (self->shape->reasons)
			EXPECT_LT(4, self->seen.nobody);
		EXPECT_EQ(GPUOA_ATTR_CONTEXT, self->reader.tally.stream.flags);
		reader_close(&self->reader);
	}
}

TEST_F(contexts, contexts_have_different_counts)
{
	const char *counter = self->shape->word == 8 ? "PEC0" : "A7";
	static char reference[8192];
	uint64_t counts[3], now;
	unsigned int i;

	self->gpuoa.flags = GPUOA_ATTR_EXPONENT;
	MEASURE(0, 50);
	reader_close(&self->reader);
	now = gpu_unit_tick(&self->unit);
	for (i = 0; i < 3; i++) {
		ASSERT_EQ(0,
			  gpu_unit_reference(&self->unit, now - 400000, now, self->contexts[i].slot,
					     reference, sizeof(reference)));
		counts[i] = gpu_reference_counter(reference, counter);
		EXPECT_LT(0, counts[i]);
	}
	EXPECT_NE(counts[0], counts[1]);
	EXPECT_NE(counts[1], counts[2]);
	EXPECT_NE(counts[0], counts[2]);
}

TEST_F(contexts, unfiltered_event_counts_all_contexts)
{
	MEASURE(0, 100);
	expect_reference(_metadata, &self->unit, &self->seen, GPU_UNIT_GLOBAL);
	EXPECT_LT(100, self->seen.timers);
	if (self->shape->reasons) {
		/* The workload has frames of 16 ms, each with work in eleven time slots. */
		EXPECT_LT(40, self->seen.switches);
		EXPECT_LT(3, self->seen.gos);
		EXPECT_LT(self->seen.gos, self->seen.switches);
		EXPECT_LE(self->seen.reports, self->seen.timers + self->seen.switches);
	}
	/* The clock frequency changes in each frame. */
	if (self->shape->ratio) {
		EXPECT_NE(0, self->seen.ratios[0]);
		EXPECT_NE(0, self->seen.ratios[1]);
	}
	reader_close(&self->reader);
}

TEST_F(contexts, second_context_filter_returns_ebusy)
{
	struct gpuoa_attr other = self->gpuoa;
	struct perf_event_attr attr = extensible_attr(&other);
	int fd;

	attr.type = self->unit.pmu_type;
	filter_on(&self->gpuoa, &self->contexts[0]);
	fd = event_open(&self->attr);
	ASSERT_LE(0, fd);
	EXPECT_EQ(-EBUSY, event_try(&attr));
	filter_on(&other, &self->contexts[1]);
	EXPECT_EQ(-EBUSY, event_try(&attr));
	filter_on(&other, &self->contexts[0]);
	EXPECT_EQ(0, event_try(&attr));
	/* An event by id may share the unit with an event by handle, but not the reverse. */
	filter_on_id(&other, self->contexts[0].hw_id);
	EXPECT_EQ(0, event_try(&attr));
	filter_on_id(&other, self->contexts[1].hw_id);
	EXPECT_EQ(-EBUSY, event_try(&attr));
	close(fd);

	filter_on_id(&other, self->contexts[0].hw_id);
	fd = event_open(&attr);
	ASSERT_LE(0, fd);
	EXPECT_EQ(-EBUSY, event_try(&self->attr));
	close(fd);
}

TEST_F(contexts, destroyed_context_is_kept_by_its_event)
{
	const struct gpu_context *context = &self->contexts[1];

	filter_on(&self->gpuoa, context);
	BEGIN(context->hw_id);
	reader_run(&self->reader, 30);
	ASSERT_EQ(0, sim_context_destroy(context->drm, context->handle));
	reader_run(&self->reader, 50);
	end(&self->reader);
	ASSERT_TRUE(is_whole(&self->reader));
	expect_reference(_metadata, &self->unit, &self->seen, context->slot);
	EXPECT_EQ(-ENOENT, event_try(&self->attr));
	reader_close(&self->reader);
	EXPECT_EQ(-ENOENT, event_try(&self->attr));
}

TEST_F(contexts, filter_excludes_later_contexts)
{
	const struct gpu_context *context = &self->contexts[2];
	struct gpu_context later[2];
	unsigned int i;

	filter_on(&self->gpuoa, context);
	BEGIN(context->hw_id);
	for (i = 0; i < 2; i++) {
		reader_run(&self->reader, 25);
		ASSERT_EQ(0, gpu_context_create(&self->unit, self->drm, &later[i]));
	}
	reader_run(&self->reader, 50);
	for (i = 0; i < 2; i++)
		ASSERT_EQ(0, sim_context_destroy(self->drm, later[i].handle));
	reader_run(&self->reader, 25);
	end(&self->reader);
	ASSERT_TRUE(is_whole(&self->reader));
	expect_reference(_metadata, &self->unit, &self->seen, context->slot);
	reader_close(&self->reader);
}

TEST_F(contexts, hardware_id_and_handle_select_the_same_context)
{
	const struct gpu_context *context = &self->contexts[1];

	filter_on_id(&self->gpuoa, context->hw_id);
	MEASURE(context->hw_id, 100);
	expect_reference(_metadata, &self->unit, &self->seen, context->slot);
	EXPECT_EQ(GPUOA_ATTR_CONTEXT, self->reader.tally.stream.flags);
	reader_close(&self->reader);
}

TEST_F(contexts, destroyed_context_writes_no_reports)
{
	const struct gpu_context *context = &self->contexts[1];
	uint64_t gone;

	filter_on_id(&self->gpuoa, context->hw_id);
	BEGIN(context->hw_id);
	reader_run(&self->reader, 50);
	ASSERT_EQ(0, sim_context_destroy(context->drm, context->handle));
	gone = gpu_unit_tick(&self->unit);
	reader_run(&self->reader, 50);
	end(&self->reader);
	EXPECT_LT(0, (int32_t)(gone - report_timestamp(self->shape, self->seen.last)));
	ASSERT_TRUE(is_whole(&self->reader));
	expect_reference(_metadata, &self->unit, &self->seen, context->slot);
	reader_close(&self->reader);
}

TEST_F(contexts, unused_hardware_id_has_no_reports)
{
	filter_on_id(&self->gpuoa, 0x7ff000);
	BEGIN(0x7ff000);
	reader_run(&self->reader, 50);
	end(&self->reader);
	EXPECT_EQ(0, self->seen.reports);
	EXPECT_EQ(0, self->reader.tally.errors);
	reader_close(&self->reader);
}

static void drop_privileges(void)
{
	struct __user_cap_header_struct header = { .version = _LINUX_CAPABILITY_VERSION_3 };
	struct __user_cap_data_struct data[2] = {};

	syscall(SYS_capset, &header, data);
}

static int ask(const struct gpu_unit *unit, struct gpuoa_context_owner_info *info)
{
	char path[32];
	int fd, error;

	snprintf(path, sizeof(path), "/dev/gpuoa%u", unit->index);
	fd = open(path, O_RDWR | O_CLOEXEC);
	if (fd < 0)
		return -errno;
	error = ioctl(fd, GPUOA_IOC_GET_CONTEXT_OWNER, info) ? -errno : 0;
	close(fd);
	return error;
}

/* Get the DRM client id of the file, or 0 if the kernel does not report it. */
static uint64_t drm_client(int drm)
{
	char path[48], line[128];
	unsigned long long client = 0;
	FILE *file;

	snprintf(path, sizeof(path), "/proc/self/fdinfo/%d", drm);
	file = fopen(path, "r");
	while (file && fgets(line, sizeof(line), file))
		sscanf(line, "drm-client-id: %llu", &client);
	if (file)
		fclose(file);
	return client;
}

TEST_F(contexts, owner_is_the_creating_process)
{
	struct gpuoa_context_owner_info info;
	unsigned int i;

	for (i = 0; i < 3; i++) {
		info = (struct gpuoa_context_owner_info){ .id = self->contexts[i].hw_id };
		ASSERT_EQ(0, ask(&self->unit, &info));
		EXPECT_EQ(self->contexts[i].hw_id, info.id);
		EXPECT_EQ(0, info.flags);
		EXPECT_EQ(getpid(), info.pid);
		EXPECT_EQ(self->contexts[i].handle, info.handle);
		EXPECT_EQ(drm_client(self->drm), info.client);
		EXPECT_EQ(0, strncmp("test_contexts", info.comm, 15));
	}
	info = (struct gpuoa_context_owner_info){ .id = 0x7ff000 };
	EXPECT_EQ(-ENOENT, ask(&self->unit, &info));
	info = (struct gpuoa_context_owner_info){ .id = self->contexts[0].hw_id, .flags = 1 };
	EXPECT_EQ(-EINVAL, ask(&self->unit, &info));
}

/* A process may have exited before its reports are read. */
TEST_F(contexts, owner_is_known_after_destruction)
{
	struct gpuoa_context_owner_info info;
	int to_child[2], from_child[2];
	uint32_t ids[2] = { 0 };
	pid_t child;

	ASSERT_EQ(0, pipe(to_child));
	ASSERT_EQ(0, pipe(from_child));
	child = fork();
	if (!child) {
		int drm = gpu_unit_drm_open(&self->unit);
		struct gpu_context made[2];

		prctl(PR_SET_NAME, "painter");
		gpu_context_create(&self->unit, drm, &made[0]);
		gpu_context_create(&self->unit, drm, &made[1]);
		sim_context_destroy(drm, made[0].handle);
		ids[0] = made[0].hw_id;
		ids[1] = made[1].hw_id;
		if (write(from_child[1], ids, sizeof(ids)) < 0 || read(to_child[0], ids, 1) < 0)
			_exit(1);
		_exit(0);
	}
	ASSERT_EQ(sizeof(ids), read(from_child[0], ids, sizeof(ids)));

	info = (struct gpuoa_context_owner_info){ .id = ids[0] };
	EXPECT_EQ(0, ask(&self->unit, &info));
	EXPECT_EQ(GPUOA_CONTEXT_GONE, info.flags);
	info = (struct gpuoa_context_owner_info){ .id = ids[1] };
	EXPECT_EQ(0, ask(&self->unit, &info));
	EXPECT_EQ(0, info.flags);
	EXPECT_EQ(child, info.pid);

	EXPECT_EQ(1, write(to_child[1], "", 1));
	waitpid(child, NULL, 0);
	info = (struct gpuoa_context_owner_info){ .id = ids[1] };
	EXPECT_EQ(0, ask(&self->unit, &info));
	EXPECT_EQ(GPUOA_CONTEXT_GONE, info.flags);
	EXPECT_EQ(child, info.pid);
	EXPECT_STREQ("painter", info.comm);
	close(to_child[0]);
	close(to_child[1]);
	close(from_child[0]);
	close(from_child[1]);
}

/* The owner of a foreign context is reported only if the user may see its reports. */
TEST_F(contexts, owner_needs_permission_for_reports)
{
	static const char *const levels[] = { "0", "1", "2" };
	static const int wanted[] = { 0, EACCES, EACCES };
	unsigned int i;
	int status;

	for (i = 0; i < 3; i++) {
		ASSERT_EQ(0, file_set("/proc/sys/dev/gpuoa/paranoid", levels[i]));
		if (!fork()) {
			struct gpuoa_context_owner_info info = { .id = self->contexts[0].hw_id };

			drop_privileges();
			_exit(-ask(&self->unit, &info));
		}
		wait(&status);
		EXPECT_EQ(wanted[i], WEXITSTATUS(status));
	}
	file_set("/proc/sys/dev/gpuoa/paranoid", "1");
}

TEST_F(contexts, hardware_id_needs_cap_perfmon)
{
	const char *paranoid = "/proc/sys/kernel/perf_event_paranoid";
	int status, by_handle;
	char old[16];
	pid_t child;

	snprintf(old, sizeof(old), "%d", (int)(int64_t)file_get(paranoid));
	ASSERT_EQ(0, file_set(paranoid, "-1"));
	ASSERT_EQ(0, file_set("/proc/sys/dev/gpuoa/paranoid", "0"));
	filter_on(&self->gpuoa, &self->contexts[0]);
	child = fork();
	if (!child) {
		drop_privileges();
		by_handle = event_try(&self->attr);
		filter_on_id(&self->gpuoa, self->contexts[0].hw_id);
		_exit((by_handle == 0) + 2 * (event_try(&self->attr) == -EACCES));
	}
	waitpid(child, &status, 0);
	file_set(paranoid, old);
	file_set("/proc/sys/dev/gpuoa/paranoid", "1");
	EXPECT_EQ(3, WEXITSTATUS(status));
}

TEST_F(contexts, hardware_id_has_no_file)
{
	filter_on_id(&self->gpuoa, self->contexts[0].hw_id);
	self->gpuoa.drm_fd = self->drm;
	EXPECT_EQ(-EINVAL, event_try(&self->attr));
	self->gpuoa.drm_fd = 0;
	self->gpuoa.flags &= ~GPUOA_ATTR_CONTEXT;
	EXPECT_EQ(-EINVAL, event_try(&self->attr));
}

TEST_F(contexts, media_units_reject_context_filters)
{
	static const char *const types[] = { "OAM0", "OAMG", "OAM1" };
	static const uint32_t selects[] = { 0x394200, 0x393200, 0x394a00 };
	struct gpuoa_register boolean = { 0, 0 };
	struct gpu_unit media;
	unsigned int i;

	if (!variant->media)
		SKIP(return, "there are no media units");
	self->gpuoa.format = GPUOA_FORMAT_DEFAULT;
	self->gpuoa.metric_set = 0;
	self->gpuoa.n_boolean = 1;
	self->gpuoa.boolean = (uintptr_t)&boolean;
	for (i = 0; i < variant->media; i++) {
		ASSERT_TRUE(gpu_unit_find(&media, variant->platform, types[i]));
		boolean.address = variant->media == 1 ? 0x393200 : selects[i];
		self->attr.type = media.pmu_type;
		self->gpuoa.flags = GPUOA_ATTR_EXPONENT;
		self->gpuoa.drm_fd = 0;
		self->gpuoa.context = 0;
		EXPECT_EQ(0, event_try(&self->attr));
		filter_on(&self->gpuoa, &self->contexts[0]);
		EXPECT_EQ(-EOPNOTSUPP, event_try(&self->attr));
		filter_on_id(&self->gpuoa, self->contexts[0].hw_id);
		EXPECT_EQ(-EOPNOTSUPP, event_try(&self->attr));
	}
}

/*
 * A configuration may consist of one list only. The others are empty, so registers of the previous
 * configuration do not remain.
 */
TEST_F(contexts, flexible_eu_registers_alone_are_a_configuration)
{
	const struct gpuoa_register flex[] = { { 0xe458, 0x00005014 }, { 0xe65c, 0x00000024 } };

	if (self->shape->valid != 1U << 16 || self->shape->word == 8)
		SKIP(return, "TestOa is enough here");
	self->gpuoa.metric_set = 0;
	self->gpuoa.n_flex = 2;
	self->gpuoa.flex = (uintptr_t)flex;
	BEGIN(0);
	reader_run(&self->reader, 50);
	EXPECT_EQ(flex[0].value, gpu_unit_register(&self->unit, 0xe458));
	EXPECT_EQ(flex[1].value, gpu_unit_register(&self->unit, 0xe65c));
	EXPECT_EQ(0, gpu_unit_register(&self->unit, 0xe558));
	end(&self->reader);
	ASSERT_TRUE(is_whole(&self->reader));
	expect_reference(_metadata, &self->unit, &self->seen, GPU_UNIT_GLOBAL);
	EXPECT_STREQ("", self->reader.tally.stream.uuid);
	reader_close(&self->reader);
	EXPECT_EQ(0, gpu_unit_register(&self->unit, 0xe458));
}

/* Programs such as shaders may read counters without reports; the unit is configured for them. */
TEST_F(contexts, disabled_event_holds_a_configuration_and_samples_nothing)
{
	const struct gpuoa_register flex[] = { { 0xe458, 0x00005014 } };
	char reports[96], polls[96];
	uint64_t forwarded, polled;
	int fd;

	if (self->shape->valid != 1U << 16 || self->shape->word == 8)
		SKIP(return, "TestOa is enough here");
	snprintf(reports, sizeof(reports), "/sys/class/gpuoa/gpuoa%u/statistics/reports_forwarded",
		 self->unit.index);
	snprintf(polls, sizeof(polls), "/sys/class/gpuoa/gpuoa%u/statistics/polls",
		 self->unit.index);
	self->gpuoa.metric_set = 0;
	self->gpuoa.n_flex = 1;
	self->gpuoa.flex = (uintptr_t)flex;
	self->attr.disabled = 1;
	forwarded = file_get(reports);
	polled = file_get(polls);
	fd = event_open(&self->attr);
	ASSERT_LE(0, fd);
	usleep(20000);
	EXPECT_EQ(flex[0].value, gpu_unit_register(&self->unit, 0xe458));
	EXPECT_EQ(forwarded, file_get(reports));
	EXPECT_EQ(polled, file_get(polls));
	close(fd);
	EXPECT_EQ(0, gpu_unit_register(&self->unit, 0xe458));
}

TEST_F(contexts, inline_configuration_has_all_three_lists)
{
	const struct gpuoa_register mux[] = { { 0x9888, 0x14150001 }, { 0x9888, 0x16150020 } };
	const struct gpuoa_register gen8[] = { { 0x2714, 0xf0800000 }, { 0x2770, 0x00000002 } };
	const struct gpuoa_register gen12[] = { { 0xd904, 0xf0800000 }, { 0xd940, 0x00000002 } };
	const struct gpuoa_register flex[] = { { 0xe558, 0x00005014 } };
	bool old = !strcmp(variant->platform, "sklgt2") || !strcmp(variant->platform, "icl");
	const struct gpuoa_register *boolean = old ? gen8 : gen12;
	const struct field *c = self->shape->fields;

	while (strcmp(c->bank, "C"))
		c++;

	if (self->shape->valid != 1U << 16 || self->shape->word == 8)
		SKIP(return, "TestOa is enough here");
	self->gpuoa.metric_set = 0;
	self->gpuoa.n_mux = 2;
	self->gpuoa.mux = (uintptr_t)mux;
	self->gpuoa.n_boolean = 2;
	self->gpuoa.boolean = (uintptr_t)boolean;
	self->gpuoa.n_flex = 1;
	self->gpuoa.flex = (uintptr_t)flex;
	BEGIN(0);
	reader_run(&self->reader, 50);
	EXPECT_EQ(mux[1].value, gpu_unit_register(&self->unit, 0x9888));
	EXPECT_EQ(boolean[0].value, gpu_unit_register(&self->unit, boolean[0].address));
	EXPECT_EQ(boolean[1].value, gpu_unit_register(&self->unit, boolean[1].address));
	EXPECT_EQ(flex[0].value, gpu_unit_register(&self->unit, 0xe558));
	end(&self->reader);
	ASSERT_TRUE(is_whole(&self->reader));
	/* B and C counters count the signals that these registers select. */
	expect_reference(_metadata, &self->unit, &self->seen, GPU_UNIT_GLOBAL);
	EXPECT_NE(report_counter(c, 0, self->seen.first), report_counter(c, 0, self->seen.last));
	reader_close(&self->reader);
}

TEST_HARNESS_MAIN
