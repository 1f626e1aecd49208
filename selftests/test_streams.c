// SPDX-License-Identifier: MIT
/*
 * test_streams.c - streams of /dev/gpuoa<N>: unprivileged users can measure their contexts, and
 * nothing else.
 */
#define _GNU_SOURCE
#include <errno.h>
#include <grp.h>
#include <linux/capability.h>
#include <poll.h>
#include <signal.h>
#include <stdio.h>
#include <sys/ioctl.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include "batch.h"
#include "event.h"
#include "gpu_unit.h"
#include "kselftest_harness.h"
#include "shape.h"
#include "sim.h"

#define NOBODY_UID 65534
#define PARANOID "/proc/sys/dev/gpuoa/paranoid"
#define MAX_SAMPLE_RATE "/proc/sys/dev/gpuoa/max_sample_rate"

#define OAG_OACONTROL 0xdaf4
#define OAR_OACONTROL 0x2960
#define OAR_ENABLE 1

#define BATCH 0x100000
#define DATA 0x300000
#define CLOCKS 2000000
#define OLD_REPORTS 64

/* Results of the unprivileged child, in memory shared with the parent, which checks them */
struct witness {
	int opened;
	int ended;
	int errors[24];
	struct reader reader;
	struct seen seen;
	struct gpuoa_stream_status status;
	uint32_t reports[2][256]; /* reports of a batch */
};

FIXTURE(streams)
{
	struct gpu_unit unit;
	int drm; /* DRM file of the user */
	int other_drm; /* DRM file of another user */
	struct gpu_context own;
	struct gpu_context others[2];
	struct gpuoa_attr reports; /* attributes of a stream with reports */
	struct gpuoa_attr none; /* attributes of a stream without reports */
	struct witness *witness;
};

/*
 * Streams that unprivileged users may open: none, those with reports of their contexts, or only
 * those where batches read the counters
 */
enum isolation { NOTHING, REPORTS, BATCHES };

FIXTURE_VARIANT(streams)
{
	const char *platform;
	const struct shape *shape;
	unsigned int exponent; /* period of about 100 us */
	enum isolation isolation;
};

#define PLATFORM(name, shape_, exponent_, isolation_)                         \
	FIXTURE_VARIANT_ADD(streams, name)                                    \
	{                                                                     \
		.platform = #name, .shape = &(shape_), .exponent = exponent_, \
		.isolation = isolation_,                                      \
	}

PLATFORM(hsw, shape_hsw, 10, REPORTS);
PLATFORM(sklgt2, shape_gen9, 10, NOTHING);
PLATFORM(tglgt2, shape_gen9, 10, BATCHES);
PLATFORM(mtlgt2, shape_mtl, 11, BATCHES);
PLATFORM(lnl, shape_xe2, 10, BATCHES);

FIXTURE_SETUP(streams)
{
	unsigned int i;
	char node[32];

	if (!gpu_unit_find(&self->unit, variant->platform, "OA"))
		SKIP(return, "there is no %s", variant->platform);
	/*
	 * Make the unit's node accessible, as udev would; the guest has no udev. modules.sh does
	 * this only for GPUs that it creates, and a preceding test may have replaced them.
	 */
	snprintf(node, sizeof(node), "/dev/gpuoa%u", self->unit.index);
	ASSERT_EQ(0, chown(node, -1, NOBODY_UID));
	ASSERT_EQ(0, gpu_unit_set(&self->unit, "workload", "frames"));
	self->drm = gpu_unit_drm_open(&self->unit);
	ASSERT_LE(0, self->drm);
	self->other_drm = gpu_unit_drm_open(&self->unit);
	ASSERT_LE(0, self->other_drm);
	ASSERT_EQ(0, gpu_context_create(&self->unit, self->drm, &self->own));
	for (i = 0; i < 2; i++)
		ASSERT_EQ(0, gpu_context_create(&self->unit, self->other_drm, &self->others[i]));

	self->reports = test_oa_attr(variant->exponent);
	self->reports.format = variant->shape->format;
	self->reports.flags |= GPUOA_ATTR_CONTEXT;
	self->reports.drm_fd = self->drm;
	self->reports.context = self->own.handle;
	self->none = self->reports;
	self->none.flags = GPUOA_ATTR_CONTEXT | GPUOA_ATTR_QUERY_ONLY;
	self->none.exponent = 0;

	self->witness = mmap(NULL, sizeof(*self->witness), PROT_READ | PROT_WRITE,
			     MAP_SHARED | MAP_ANONYMOUS, -1, 0);
	ASSERT_NE(MAP_FAILED, (void *)self->witness);
}

FIXTURE_TEARDOWN(streams)
{
	file_set(PARANOID, "1");
	close(self->drm);
	close(self->other_drm);
}

/* Drop user, groups and capabilities permanently. */
static bool become_nobody(void)
{
	struct __user_cap_header_struct header = { .version = _LINUX_CAPABILITY_VERSION_3 };
	struct __user_cap_data_struct data[2] = {};

	return !setgroups(0, NULL) && !setresgid(NOBODY_UID, NOBODY_UID, NOBODY_UID) &&
	       !setresuid(NOBODY_UID, NOBODY_UID, NOBODY_UID) &&
	       !syscall(SYS_capset, &header, data) && !prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0);
}

/* Run statements in an unprivileged child and wait for it. */
#define AS_NOBODY(...)                                           \
	do {                                                     \
		pid_t child_ = fork();                           \
		int status_;                                     \
                                                                 \
		if (!child_) {                                   \
			if (!become_nobody())                    \
				_exit(1);                        \
			__VA_ARGS__;                             \
			_exit(0);                                \
		}                                                \
		ASSERT_EQ(child_, waitpid(child_, &status_, 0)); \
		ASSERT_EQ(0, status_);                           \
	} while (0)

TEST_F(streams, unprivileged_stream_needs_isolated_contexts)
{
	struct perf_event_attr attr = extensible_attr(&self->reports);
	const unsigned int unit = self->unit.index;
	struct witness *witness = self->witness;
	const enum isolation may = variant->isolation;

	attr.type = self->unit.pmu_type;
	AS_NOBODY(witness->errors[0] = unit_try_stream(unit, &self->reports);
		  witness->errors[1] = unit_try_stream(unit, &self->none);
		  witness->errors[2] = event_try(&attr));
	EXPECT_EQ(may == REPORTS ? 0 : -EACCES, witness->errors[0]);
	EXPECT_EQ(may == BATCHES ? 0 : -EOPNOTSUPP, witness->errors[1]);
	EXPECT_EQ(-EACCES, witness->errors[2]);

	ASSERT_EQ(0, file_set(PARANOID, "0"));
	AS_NOBODY(witness->errors[0] = unit_try_stream(unit, &self->reports);
		  witness->errors[1] = unit_try_stream(unit, &self->none));
	EXPECT_EQ(0, witness->errors[0]);
	EXPECT_EQ(may == BATCHES ? 0 : -EOPNOTSUPP, witness->errors[1]);

	ASSERT_EQ(0, file_set(PARANOID, "2"));
	AS_NOBODY(witness->errors[0] = unit_try_stream(unit, &self->reports);
		  witness->errors[1] = unit_try_stream(unit, &self->none));
	EXPECT_EQ(-EACCES, witness->errors[0]);
	EXPECT_EQ(-EACCES, witness->errors[1]);
	/* Users with access to all contexts can measure single ones as well. */
	EXPECT_EQ(0, unit_try_stream(unit, &self->reports));
}

/* Read the stream in the unprivileged child for @ms. */
static void watch(struct witness *witness, const struct gpu_unit *unit, struct gpuoa_attr *attr,
		  const struct shape *shape, uint32_t hw_id, unsigned int ms)
{
	int fd = unit_open_stream(unit->index, attr);

	witness->opened = fd < 0 ? fd : 0;
	if (fd < 0)
		return;
	stream_reader(&witness->reader, fd, attr->exponent);
	witness->seen = (struct seen){ .shape = shape, .exponent = attr->exponent, .hw_id = hw_id };
	witness->reader.each = seen_report;
	witness->reader.context = &witness->seen;
	if (ioctl(fd, GPUOA_STREAM_IOC_ENABLE))
		witness->opened = -errno;
	stream_run(&witness->reader, ms);
	ioctl(fd, GPUOA_STREAM_IOC_DISABLE);
	witness->ended = stream_drain(&witness->reader);
	ioctl(fd, GPUOA_STREAM_IOC_STATUS, &witness->status);
	close(fd);
}

/* Measure the whole GPU as a privileged user, so that memory and counters contain old data. */
static int measure_all(const struct gpu_unit *unit, const struct shape *shape,
		       unsigned int exponent)
{
	struct gpuoa_attr gpuoa = test_oa_attr(exponent);
	struct perf_event_attr attr = extensible_attr(&gpuoa);
	struct reader reader;
	int err;

	gpuoa.format = shape->format;
	attr.type = unit->pmu_type;
	err = reader_open(&reader, &attr, exponent, 8);
	if (err)
		return err;
	reader_enable(&reader);
	err = reader_run_reports(&reader, OLD_REPORTS) ? 0 : -ENODATA;
	reader_close(&reader);
	return err;
}

TEST_F(streams, unprivileged_stream_counts_only_its_context)
{
	struct witness *witness = self->witness;
	const struct tally *tally = &witness->reader.tally;
	const struct seen *seen = &witness->seen;
	const struct field *field;
	static char reference[8192];
	unsigned int moved, i;

	ASSERT_EQ(0, measure_all(&self->unit, variant->shape, variant->exponent));
	/*
	 * Where the kernel filters, only privileged users may open the stream. Permit it to all
	 * users to check that the filter works correctly.
	 */
	if (variant->isolation != REPORTS)
		ASSERT_EQ(0, file_set(PARANOID, "0"));
	AS_NOBODY(
		watch(witness, &self->unit, &self->reports, variant->shape, self->own.hw_id, 100));
	ASSERT_EQ(0, witness->opened);
	EXPECT_EQ(1, witness->ended);

	/* Records are known and in order, and describe the stream correctly. */
	EXPECT_EQ(0, tally->errors);
	EXPECT_EQ(0, tally->overflows + tally->hardware_losses + tally->ring_lost);
	EXPECT_EQ(1, tally->resumes);
	EXPECT_LE(1, tally->streams);
	EXPECT_EQ(tally->streams, tally->clocks);
	EXPECT_EQ(GPUOA_ATTR_CONTEXT, tally->stream.flags);
	EXPECT_EQ(0, tally->gone);
	EXPECT_EQ(0, witness->status.queued);
	EXPECT_EQ(0, witness->status.flags);
	EXPECT_EQ(0, witness->status.dropped);
	EXPECT_EQ(tally->reports, witness->status.reports);

	/* Reports contain no data of earlier users, and exactly the work of the context. */
	ASSERT_LT(1, seen->reports);
	for (field = variant->shape->fields; field->n; field++)
		for (i = 0; i < field->n; i++)
			EXPECT_EQ(0, report_counter(field, i, seen->first));
	ASSERT_EQ(0, gpu_unit_reference(&self->unit, report_timestamp(variant->shape, seen->first),
					report_timestamp(variant->shape, seen->last),
					self->own.slot, reference, sizeof(reference)));
	EXPECT_EQ(0, seen_differs(seen, reference, &moved));
	EXPECT_LT(10, moved);
	EXPECT_EQ(0, seen->foreign);
	EXPECT_EQ(0, seen->backwards);
	EXPECT_EQ(0, seen->out_of_step);
}

/* Run a batch that writes reports before and after work of the user's context. */
static void run_batch(struct witness *witness, const char *platform, int drm, uint32_t context)
{
	struct gpu gpu = { .fd = drm, .wide = strcmp(platform, "hsw") };
	struct gpu_buffer commands, data;
	struct batch batch;
	unsigned int i;

	witness->opened = gpu_buffer_create(&gpu, &commands, BATCH, 4096);
	if (!witness->opened)
		witness->opened = gpu_buffer_create(&gpu, &data, DATA, 4096);
	if (witness->opened)
		return;
	batch = batch_begin(&gpu, &commands);
	batch_report(&batch, DATA, 1);
	batch_work(&batch, GPUOA_SIM_WORKLOAD_STEADY, CLOCKS);
	batch_report(&batch, DATA + 1024, 2);
	batch_end(&batch);
	witness->ended = gpu_run(&gpu, context, &batch, NULL);
	for (i = 0; i < 2; i++)
		memcpy(witness->reports[i], data.map + 256 * i, sizeof(witness->reports[i]));
}

TEST_F(streams, unprivileged_query_only_stream_enables_batch_reports)
{
	struct witness *witness = self->witness;
	const struct tally *tally = &witness->reader.tally;
	static char reference[8192];
	uint64_t first, last, counted, should;
	int fd;

	if (variant->isolation != BATCHES)
		SKIP(return, "contexts have no counters of their own");
	fd = unit_open_stream(self->unit.index, &self->none);
	ASSERT_LE(0, fd);
	ASSERT_EQ(0, ioctl(fd, GPUOA_STREAM_IOC_ENABLE));
	/* OAG is off, so work of other contexts cannot be read. */
	EXPECT_EQ(0, gpu_unit_register(&self->unit, OAG_OACONTROL));
	EXPECT_EQ(OAR_ENABLE, gpu_unit_register(&self->unit, OAR_OACONTROL) & OAR_ENABLE);
	close(fd);
	EXPECT_EQ(0, gpu_unit_register(&self->unit, OAR_OACONTROL) & OAR_ENABLE);

	AS_NOBODY(fd = unit_open_stream(self->unit.index, &self->none);
		  stream_reader(&witness->reader, fd, 0); ioctl(fd, GPUOA_STREAM_IOC_ENABLE);
		  run_batch(witness, variant->platform, self->drm, self->own.handle);
		  ioctl(fd, GPUOA_STREAM_IOC_DISABLE);
		  witness->errors[0] = stream_drain(&witness->reader));
	ASSERT_EQ(0, witness->opened);
	ASSERT_EQ(0, witness->ended);
	EXPECT_EQ(1, witness->errors[0]);
	EXPECT_EQ(0, tally->errors);
	EXPECT_EQ(0, tally->reports);
	EXPECT_LE(1, tally->streams);
	EXPECT_EQ(GPUOA_ATTR_CONTEXT | GPUOA_ATTR_QUERY_ONLY, tally->stream.flags);

	/* Check one counter only, because test_commands checks all counts of OAR. */
	first = report_timestamp(variant->shape, (uint8_t *)witness->reports[0]);
	last = report_timestamp(variant->shape, (uint8_t *)witness->reports[1]);
	ASSERT_LT(first, last);
	ASSERT_EQ(0, gpu_unit_reference(&self->unit, first, last, self->own.slot, reference,
					sizeof(reference)));
	if (variant->shape->word == 8) {
		counted = witness->reports[1][8] - witness->reports[0][8];
		should = gpu_reference_counter(reference, "PEC0");
	} else {
		counted = witness->reports[1][4] - witness->reports[0][4];
		should = gpu_reference_counter(reference, "A0");
	}
	EXPECT_LE(should, counted + 1);
	EXPECT_LE(counted, should + 1);
	EXPECT_LT(0, counted);
}

TEST_F(streams, stream_shares_the_unit_as_events_do)
{
	struct gpuoa_attr all = test_oa_attr(variant->exponent);
	struct gpuoa_attr other = self->reports;
	struct perf_event_attr same = extensible_attr(&self->reports);
	struct perf_event_attr whole = extensible_attr(&all);
	const unsigned int unit = self->unit.index;
	struct reader event, stream, late;
	int fd;

	same.type = self->unit.pmu_type;
	whole.type = self->unit.pmu_type;
	all.format = variant->shape->format;
	other.drm_fd = self->other_drm;
	other.context = self->others[0].handle;

	/* The first user gets the unit; incompatible ones get EBUSY. */
	fd = event_open(&whole);
	ASSERT_LE(0, fd);
	EXPECT_EQ(-EBUSY, unit_try_stream(unit, &self->reports));
	close(fd);
	fd = unit_open_stream(unit, &self->reports);
	ASSERT_LE(0, fd);
	EXPECT_EQ(-EBUSY, event_try(&whole));
	EXPECT_EQ(-EBUSY, unit_try_stream(unit, &other));
	if (variant->isolation == BATCHES) {
		EXPECT_EQ(-EBUSY, unit_try_stream(unit, &self->none));
		close(fd);
		fd = unit_open_stream(unit, &self->none);
		ASSERT_LE(0, fd);
		EXPECT_EQ(-EBUSY, unit_try_stream(unit, &self->reports));
		EXPECT_EQ(-EBUSY, event_try(&same));
		EXPECT_EQ(0, unit_try_stream(unit, &self->none));
		close(fd);
		fd = unit_open_stream(unit, &self->reports);
		ASSERT_LE(0, fd);
	}

	/* An event with the same attributes shares the unit, and both can be read. */
	ASSERT_EQ(0, reader_open(&event, &same, variant->exponent, 8));
	event.filtered = true;
	event.each = seen_report;
	event.context = &(struct seen){ .shape = variant->shape, .exponent = variant->exponent };
	stream_reader(&stream, fd, variant->exponent);
	stream.each = event.each;
	stream.context = &(struct seen){ .shape = variant->shape, .exponent = variant->exponent };
	ASSERT_EQ(0, ioctl(fd, GPUOA_STREAM_IOC_ENABLE));
	reader_enable(&event);
	stream_run(&stream, 50);
	reader_disable(&event);
	stream_reader(&late, unit_open_stream(unit, &self->reports), variant->exponent);
	ASSERT_LE(0, late.fd);
	late.each = event.each;
	late.context = &(struct seen){ .shape = variant->shape, .exponent = variant->exponent };
	ASSERT_EQ(0, ioctl(late.fd, GPUOA_STREAM_IOC_ENABLE));
	stream_run(&late, 30);
	close(late.fd);
	ASSERT_EQ(0, ioctl(fd, GPUOA_STREAM_IOC_DISABLE));
	EXPECT_EQ(1, stream_drain(&stream));
	reader_drain(&event);
	EXPECT_LT(0, event.tally.reports);
	EXPECT_LT(event.tally.reports, stream.tally.reports);
	EXPECT_LT(0, late.tally.reports);
	EXPECT_EQ(0, event.tally.errors + stream.tally.errors + late.tally.errors);
	reader_close(&event);
	close(fd);
}

TEST_F(streams, bad_or_forbidden_attributes_return_errors)
{
	const unsigned int unit = self->unit.index;
	const bool may = variant->isolation == REPORTS;
	struct gpuoa_register boolean = { 0x2710, 0 };
	struct witness *witness = self->witness;
	struct gpuoa_attr attr, *none = &self->none;
	int *error = witness->errors;
	unsigned int i, n = 0;

#define TRY(change)                                        \
	do {                                               \
		attr = self->reports;                      \
		change;                                    \
		error[n++] = unit_try_stream(unit, &attr); \
	} while (0)
	AS_NOBODY(TRY(attr.flags = GPUOA_ATTR_EXPONENT; attr.drm_fd = 0; attr.context = 0);
		  TRY(attr.flags |= GPUOA_ATTR_CONTEXT_HW_ID; attr.drm_fd = 0);
		  TRY(attr.flags |= GPUOA_ATTR_AUX); TRY(attr.counter = GPUOA_COUNTER_TIMESTAMP);
		  attr = *none; attr.flags = GPUOA_ATTR_QUERY_ONLY;
		  error[n++] = unit_try_stream(unit, &attr);
		  TRY(attr.flags |= GPUOA_ATTR_QUERY_ONLY); attr = *none;
		  attr.buffer_size = 1 << 20; error[n++] = unit_try_stream(unit, &attr);
		  attr = *none; attr.dword_mask[0] = 1; error[n++] = unit_try_stream(unit, &attr));
	for (i = 0; i < 8; i++)
		EXPECT_EQ(-EINVAL, error[i]);

	/* Other attributes are rejected as for events. */
	AS_NOBODY(n = 0; TRY(attr.drm_fd = 4711); TRY(attr.drm_fd = 0); TRY(attr.context = 4711);
		  TRY(attr.context = self->others[0].handle + 1000); TRY(attr.metric_set = 4711);
		  TRY(attr.metric_set = 0; attr.n_boolean = 1; attr.boolean = (uintptr_t)&boolean);
		  TRY(attr.exponent = 2);
		  TRY(attr.flags &= ~GPUOA_ATTR_EXPONENT; attr.exponent = 0));
	EXPECT_EQ(may ? -EBADF : -EACCES, error[0]);
	EXPECT_EQ(may ? -EXDEV : -EACCES, error[1]);
	EXPECT_EQ(may ? -ENOENT : -EACCES, error[2]);
	EXPECT_EQ(may ? -ENOENT : -EACCES, error[3]);
	EXPECT_EQ(may ? -ENOENT : -EACCES, error[4]);
	EXPECT_EQ(-EACCES, error[5]);
	EXPECT_EQ(-EACCES, error[6]);
	EXPECT_EQ(may ? -EINVAL : -EACCES, error[7]);
#undef TRY
}

/* Open streams until one fails. Return its errno; @n is the number of open streams. */
static int open_all_streams(unsigned int unit, struct gpuoa_attr *attr, int *n)
{
	int fd;

	for (*n = 0; *n < 10000; ++*n) {
		fd = unit_open_stream(unit, attr);
		if (fd < 0)
			return fd;
	}
	return 0;
}

static void limit(int resource, rlim_t value)
{
	const struct rlimit limits = { value, value };

	setrlimit(resource, &limits);
}

TEST_F(streams, memory_is_limited_by_rlimit_memlock)
{
	const unsigned int unit = self->unit.index;
	const rlim_t perf = (512 + 4) * 1024 * sysconf(_SC_NPROCESSORS_ONLN);
	struct witness *witness = self->witness;
	struct gpuoa_attr large = self->reports;
	int *error = witness->errors;
	int *n = witness->errors + 8;

	if (variant->isolation == NOTHING)
		SKIP(return, "users without privileges have no stream");
	ASSERT_EQ(0, file_set(PARANOID, "0"));
	large.buffer_size = 4 << 20;
	self->reports.buffer_size = 128 << 10;

	/* The queue, the OABUFFER (128 KiB each) and 32 KiB are charged for each stream. */
	limit(RLIMIT_NOFILE, 20000);
	AS_NOBODY(limit(RLIMIT_MEMLOCK, 65536);
		  error[0] = open_all_streams(unit, &self->reports, &n[0]));
	EXPECT_EQ(-EPERM, error[0]);
	EXPECT_EQ((perf + 65536) / (288 << 10), n[0]);
	/* Closed streams are uncharged. */
	AS_NOBODY(limit(RLIMIT_MEMLOCK, 65536);
		  error[0] = open_all_streams(unit, &self->reports, &n[0]));
	EXPECT_EQ((perf + 65536) / (288 << 10), n[0]);

	/* A larger size is rejected unless the limit or a capability allows it. */
	AS_NOBODY(limit(RLIMIT_MEMLOCK, 4 << 20); error[0] = unit_try_stream(unit, &large);
		  error[1] = unit_try_stream(unit, &self->reports));
	EXPECT_EQ(-EPERM, error[0]);
	EXPECT_EQ(0, error[1]);
	AS_NOBODY(limit(RLIMIT_MEMLOCK, 16 << 20); error[0] = unit_try_stream(unit, &large));
	EXPECT_EQ(0, error[0]);
	EXPECT_EQ(0, unit_try_stream(unit, &large));

	/* With two CPUs, perf's allowance alone suffices for one stream of the default size. */
	self->reports.buffer_size = 0;
	self->reports.exponent = 15;
	AS_NOBODY(limit(RLIMIT_MEMLOCK, perf < (1 << 20) ? 1 << 20 : 0);
		  error[0] = unit_try_stream(unit, &self->reports));
	EXPECT_EQ(0, error[0]);

	/* The number of streams is limited regardless of RLIMIT_MEMLOCK. */
	self->reports.buffer_size = 128 << 10;
	AS_NOBODY(limit(RLIMIT_MEMLOCK, RLIM_INFINITY);
		  error[0] = open_all_streams(unit, &self->reports, &n[0]));
	EXPECT_EQ(-EUSERS, error[0]);
	EXPECT_EQ(16, n[0]);
	if (variant->isolation == BATCHES) {
		AS_NOBODY(limit(RLIMIT_MEMLOCK, RLIM_INFINITY);
			  error[0] = open_all_streams(unit, &self->none, &n[0]));
		EXPECT_EQ(-EUSERS, error[0]);
		EXPECT_EQ(16, n[0]);
	}
}

/* Each reader takes time with interrupts off, so their number is limited. */
TEST_F(streams, unit_has_at_most_64_readers)
{
	struct witness *witness = self->witness;
	pid_t child;
	int status;

	self->reports.buffer_size = 128 << 10;
	child = fork();
	if (!child) {
		witness->errors[0] =
			open_all_streams(self->unit.index, &self->reports, &witness->errors[1]);
		_exit(0);
	}
	ASSERT_EQ(child, waitpid(child, &status, 0));
	ASSERT_EQ(0, status);
	EXPECT_EQ(-EUSERS, witness->errors[0]);
	EXPECT_EQ(64, witness->errors[1]);
	EXPECT_EQ(0, unit_try_stream(self->unit.index, &self->reports));
}

TEST_F(streams, read_returns_whole_samples)
{
	static uint8_t samples[2 * GPUOA_STREAM_READ_MIN];
	struct gpuoa_stream_status status;
	struct pollfd pollfd = { .events = POLLIN };
	struct reader reader;
	void *forbidden;
	uint64_t before;
	int fd;

	/* With the shortest period and the smallest queue, the queue overflows at once. */
	self->reports.exponent = 3;
	self->reports.buffer_size = 128 << 10;
	if (variant->shape->word == 8)
		self->reports.exponent = 5;
	fd = unit_open_stream(self->unit.index, &self->reports);
	ASSERT_LE(0, fd);
	pollfd.fd = fd;
	EXPECT_EQ(0, poll(&pollfd, 1, 0));
	EXPECT_EQ(-1, read(fd, samples, sizeof(samples)));
	EXPECT_EQ(EAGAIN, errno);
	EXPECT_EQ(-1, read(fd, samples, GPUOA_STREAM_READ_MIN - 1));
	EXPECT_EQ(EINVAL, errno);
	EXPECT_EQ(-1, ioctl(fd, GPUOA_IOC_UNIT_INFO, samples));
	EXPECT_EQ(ENOTTY, errno);

	ASSERT_EQ(0, ioctl(fd, GPUOA_STREAM_IOC_ENABLE));
	ASSERT_EQ(0, ioctl(fd, GPUOA_STREAM_IOC_STATUS, &status));
	EXPECT_EQ(GPUOA_STREAM_ENABLED, status.flags);
	EXPECT_EQ(1, poll(&pollfd, 1, scaled_ms(1000)));
	EXPECT_EQ(POLLIN, pollfd.revents);
	EXPECT_TRUE(WAIT_UNTIL(!ioctl(fd, GPUOA_STREAM_IOC_STATUS, &status) && status.dropped));

	/* A sample that cannot be copied to the user is lost; later samples are complete. */
	forbidden = mmap(NULL, sizeof(samples), PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
	ASSERT_NE(MAP_FAILED, forbidden);
	EXPECT_EQ(-1, read(fd, forbidden, sizeof(samples)));
	EXPECT_EQ(EFAULT, errno);
	stream_reader(&reader, fd, self->reports.exponent);
	reader.filtered = true;
	reader.each = seen_report;
	reader.context =
		&(struct seen){ .shape = variant->shape, .exponent = self->reports.exponent };
	EXPECT_EQ(1, stream_drain(&reader));
	/* The gap shows in report numbers, or as a pause if the unit overflowed. */
	before = reader.tally.reports;
	EXPECT_TRUE(WAIT_UNTIL(stream_drain(&reader) == 1 && reader.tally.reports > before));
	ASSERT_EQ(0, ioctl(fd, GPUOA_STREAM_IOC_DISABLE));
	EXPECT_EQ(1, stream_drain(&reader));
	EXPECT_EQ(0, reader.tally.errors);
	EXPECT_EQ(0, poll(&pollfd, 1, 0));
	close(fd);
}

/* A process that is killed or exits leaves the unit unchanged. */
TEST_F(streams, killed_user_releases_everything)
{
	struct gpuoa_attr all = test_oa_attr(variant->exponent);
	struct perf_event_attr attr = extensible_attr(&all);
	pid_t child;
	int status;

	attr.type = self->unit.pmu_type;
	child = fork();
	if (!child) {
		int fd = unit_open_stream(self->unit.index, &self->reports);

		ioctl(fd, GPUOA_STREAM_IOC_ENABLE);
		self->witness->opened = fd < 0 ? fd : 1;
		for (;;)
			pause();
	}
	EXPECT_TRUE(WAIT_UNTIL(self->witness->opened));
	EXPECT_EQ(1, self->witness->opened);
	EXPECT_EQ(-EBUSY, event_try(&attr));
	kill(child, SIGKILL);
	ASSERT_EQ(child, waitpid(child, &status, 0));
	EXPECT_TRUE(WAIT_UNTIL(event_try(&attr) == 0));
}

TEST_HARNESS_MAIN
