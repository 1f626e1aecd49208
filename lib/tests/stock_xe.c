// SPDX-License-Identifier: MIT
/*
 * stock_xe.c - Test units, streams and frequency pins on a GPU of gpuoa-vgpu that is driven by the
 * stock xe, without gpuoa.ko: descriptions, losses, permissions, queries of an exec queue,
 * unbinding of the driver. Values of counters and metrics are tested by gpus_reference.
 */
#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <stdlib.h>
#include <sys/ioctl.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "gpuoa-device.h"
#include "gpuoa-freq-pin.h"
#include "gpuoa.h"
#include "selftests/vgpu.h"
#include "selftests/xe/xe.h"
#include "tap.h"

#define UNITS_MAX 4
#define WAIT_MS 20000
#define TURNS 2000 /* reads until an event is missed */
#define REPORTS_MAX 4096
#define REPORT_SIZE_MAX 576
#define EXPONENT 15 /* 3.4 ms: the buffer of 16 MiB holds the reports of 99 s */
#define PERIOD (UINT64_C(2) << EXPONENT) /* ticks */
#define LOST 3
#define UNREAD_US 100000 /* some 30 reports are written meanwhile */
#define SMALL_BUFFER (128 << 10)
#define NOBODY 65534
#define PARANOID "/proc/sys/dev/xe/observation_paranoid"
#define DRIVER "/sys/bus/pci/drivers/xe/"
#define SIZE 0x10000 /* smallest buffer on each GPU */
#define BATCH_AT 0x100000
#define DATA_AT 0x200000
#define FIRST_REPORT 0x1000 /* offsets in the buffer of data */
#define SECOND_REPORT 0x2000
#define MI_END 0x05000000
#define MI_REPORT 0x14000002

static struct gpuoa_unit *units[UNITS_MAX];
static struct gpuoa_unit_desc descs[UNITS_MAX];
static size_t unit_count;
static uint8_t reports[REPORTS_MAX * REPORT_SIZE_MAX];
static char error[512];

static bool says(const char *words)
{
	const bool does = strstr(error, words);

	if (!does)
		printf("# \"%s\" is not in \"%s\"\n", words, error);
	return does;
}

/* Cause an event of a unit. */
static bool cause(const char *event, size_t unit, const char *values)
{
	char request[64];

	snprintf(request, sizeof(request), "%s %s%s", event, descs[unit].domain, values);
	return vgpu_request(request);
}

/* ---- descriptions --------------------------------------------------------------------------- */

/* Numbers of the virtual GPUs, from platforms.txt */
static const struct gpu {
	uint32_t device;
	uint32_t revision;
	const char *platform;
	uint32_t slices;
	uint32_t cores;
	uint32_t eus;
	uint32_t threads_per_eu;
	uint64_t l3_banks;
	uint32_t media_engines;
} gpus[] = {
	{ 0x64a0, 4, "lnl", 2, 8, 64, 8, 0xff, 2 },
	{ 0xe20b, 0, "bmg", 5, 20, 160, 8, 0x777777, 4 },
	{ 0xb080, 4, "ptl", 2, 12, 96, 10, 0xffff, 2 },
};

static void unit_describe_returns_numbers_of_the_gpu(void)
{
	const struct gpu *gpu = &gpus[0];
	uint32_t media = 0;

	for (size_t i = 0; i < sizeof(gpus) / sizeof(gpus[0]); i++)
		if (gpus[i].device == descs[0].device_id)
			gpu = &gpus[i];
	for (size_t i = 0; i < unit_count; i++) {
		const struct gpuoa_unit_desc *desc = &descs[i];

		CHECK(desc->device_id == gpu->device && desc->revision == gpu->revision);
		CHECK_STRING(desc->platform, gpu->platform);
		CHECK_STRING(desc->driver, "xe");
		CHECK(desc->slice_count == gpu->slices && desc->subslice_count == gpu->cores);
		CHECK(desc->eu_count == gpu->eus && desc->threads_per_eu == gpu->threads_per_eu);
		CHECK(desc->l3_bank_mask == gpu->l3_banks && desc->compute_engine_count == 1);
		CHECK(desc->timestamp_frequency == 19200000 && desc->timestamp_bits == 56);
		CHECK(desc->cs_timestamp_frequency == 19200000 && desc->cs_timestamp_bits == 64);
		CHECK(desc->gt == (i ? 1 : 0) && desc->tile == 0);
		media += i ? desc->engine_count : 0;
	}
	CHECK_STRING(descs[0].domain, "OA");
	CHECK(descs[0].engine_count == 2);
	CHECK(descs[0].engines[0].kind == GPUOA_ENGINE_RENDER);
	CHECK(descs[0].engines[1].kind == GPUOA_ENGINE_COMPUTE);
	CHECK(media == gpu->media_engines);
}

static void clock_is_that_of_the_gpu(void)
{
	for (size_t i = 0; i < unit_count; i++) {
		const uint64_t before = vgpu_timestamp();
		struct gpuoa_clock_pair first, second;
		uint64_t after;
		double ticks, ns;

		CHECK(!gpuoa_unit_clock(units[i], CLOCK_MONOTONIC, &first));
		usleep(20000);
		CHECK(!gpuoa_unit_clock(units[i], CLOCK_MONOTONIC, &second));
		after = vgpu_timestamp();
		CHECK(before <= first.gpu_ticks && first.gpu_ticks < second.gpu_ticks &&
		      second.gpu_ticks <= after);
		ticks = (double)(second.gpu_ticks - first.gpu_ticks) / 19.2e6 * 1e9;
		ns = (double)(second.cpu_ns - first.cpu_ns);
		if (!CHECK(ticks - ns <= (double)(first.error_ns + second.error_ns) &&
			   ns - ticks <= (double)(first.error_ns + second.error_ns)))
			printf("# %.0f ns by the GPU's clock, %.0f by that of the CPU\n", ticks,
			       ns);
	}
}

/* ---- sets and streams ----------------------------------------------------------------------- */

static const struct gpuoa_set *set_of(size_t unit)
{
	return gpuoa_platform_find_set(gpuoa_unit_platform(units[unit]),
				       unit ? "MediaSet1" : "RenderBasic", descs[unit].domain,
				       gpuoa_unit_constants(units[unit]));
}

static int open_unit_stream(size_t unit, struct gpuoa_reader **reader)
{
	struct gpuoa_stream_options options = {
		.size = sizeof(options),
		.use_exponent = true,
		.exponent = EXPONENT,
		.notify_reports = 1,
	};

	return gpuoa_stream_open(units[unit], set_of(unit), &options, reader, error, sizeof(error));
}

/* xe stores a set under its UUID. */
static void set_is_added_once(void)
{
	struct gpuoa_set_desc desc;
	char path[256];
	FILE *file;

	for (size_t i = 0; i < unit_count; i++) {
		uint32_t first = 0, second = 0, stored = 0;

		CHECK(!gpuoa_unit_add_set(units[i], set_of(i), &first, NULL, 0));
		CHECK(!gpuoa_unit_add_set(units[i], set_of(i), &second, NULL, 0));
		CHECK(first && first == second);
		gpuoa_set_describe(set_of(i), &desc, sizeof(desc));
		snprintf(path, sizeof(path), "/sys/class/drm/card%.*s/metrics/%s/id",
			 (int)strcspn(descs[i].name + 3, "."), descs[i].name + 3, desc.uuid);
		file = fopen(path, "re");
		CHECK(file && fscanf(file, "%" SCNu32, &stored) == 1 && stored == first);
		if (file)
			fclose(file);
	}
}

struct seen {
	uint64_t reports;
	uint64_t overflow;
	uint64_t hardware;
	bool unknown;
};

/* Wait for reports and read them. Returns their number or -errno. */
static int take(struct gpuoa_reader *reader, struct seen *seen)
{
	struct gpuoa_read_status status;
	int n = gpuoa_reader_wait(reader, WAIT_MS);

	if (n && n != -ETIMEDOUT)
		return n;
	n = gpuoa_reader_read(reader, reports, REPORTS_MAX, &status);
	if (n < 0)
		return n;
	seen->reports += (uint64_t)n;
	seen->overflow += status.lost_overflow;
	seen->hardware += status.lost_hardware;
	seen->unknown |= status.lost_unknown;
	return n;
}

/* Check the distance of the timer's reports, which are in one read and thus contiguous. */
static unsigned int check_periods(size_t unit, int count, size_t size)
{
	uint64_t last = 0;
	unsigned int checked = 0;

	for (int i = 0; i < count; i++) {
		struct gpuoa_report_desc desc;

		CHECK(!gpuoa_report_describe(set_of(unit), descs[unit].default_format,
					     reports + (size_t)i * size, &desc, sizeof(desc)));
		if (!(desc.reason & GPUOA_REASON_TIMER))
			continue;
		if (last && CHECK(desc.timestamp - last == PERIOD))
			checked++;
		last = desc.timestamp;
	}
	return checked;
}

static void reports_have_the_period(void)
{
	for (size_t i = 0; i < unit_count; i++) {
		struct gpuoa_reader *reader;
		struct gpuoa_reader_desc desc;
		struct seen seen = { 0 };
		unsigned int checked = 0;

		REQUIRE(!open_unit_stream(i, &reader));
		gpuoa_reader_describe(reader, &desc, sizeof(desc));
		CHECK(desc.report_size == (i ? 192 : 576) && desc.exponent == EXPONENT);
		for (int turn = 0; turn < TURNS && checked < 8; turn++) {
			const int n = take(reader, &seen);

			if (!CHECK(n >= 0))
				break;
			checked += check_periods(i, n, desc.report_size);
		}
		CHECK(checked >= 8);
		gpuoa_reader_close(reader);
	}
}

/*
 * Without switches of contexts, only the timer's reports are due. Others that are dropped cannot be
 * counted.
 */
static void dropped_reports_are_counted(void)
{
	REQUIRE(vgpu_request("workload idle"));
	for (size_t i = 0; i < unit_count; i++) {
		struct gpuoa_reader *reader;
		struct seen seen = { 0 };

		REQUIRE(!open_unit_stream(i, &reader));
		for (int turn = 0; turn < TURNS && seen.reports < 2; turn++)
			if (!CHECK(take(reader, &seen) >= 0))
				break;
		CHECK(cause("fault", i, " lose_reports 3"));
		for (int turn = 0; turn < TURNS && !seen.hardware; turn++)
			if (!CHECK(take(reader, &seen) >= 0))
				break;
		if (!CHECK(seen.hardware == LOST && !seen.overflow && !seen.unknown))
			printf("# %s: %" PRIu64 " lost by the hardware, %" PRIu64
			       " by an overflow%s\n",
			       descs[i].domain, seen.hardware, seen.overflow,
			       seen.unknown ? ", an unknown number otherwise" : "");
		gpuoa_reader_close(reader);
	}
}

/*
 * The library reads the full buffer, then restarts the stream. xe finds an overflow only if there
 * are unread reports, as there are in a buffer that is really full.
 */
static void overflow_is_reported_and_the_stream_continues(void)
{
	for (size_t i = 0; i < unit_count; i++) {
		struct gpuoa_reader *reader;
		struct seen seen = { 0 };

		REQUIRE(!open_unit_stream(i, &reader));
		CHECK(take(reader, &seen) >= 0);
		usleep(UNREAD_US);
		CHECK(cause("overflow", i, ""));
		/* Reports are due before the stream is restarted. */
		usleep(UNREAD_US);
		for (int turn = 0; turn < TURNS && !seen.overflow; turn++)
			if (!CHECK(take(reader, &seen) >= 0))
				break;
		CHECK(seen.overflow > 0);
		printf("# %s: %" PRIu64 " reports, %" PRIu64 " lost\n", descs[i].domain,
		       seen.reports, seen.overflow);
		seen.reports = 0;
		for (int turn = 0; turn < TURNS && seen.reports < 4; turn++)
			if (!CHECK(take(reader, &seen) >= 0))
				break;
		CHECK(seen.reports >= 4);
		gpuoa_reader_close(reader);
	}
}

/* A small buffer is full before the stream is read. The kernel may support only one size. */
static void buffer_has_the_requested_size(void)
{
	for (size_t i = 0; i < unit_count; i++) {
		const uint32_t size = SMALL_BUFFER;
		struct gpuoa_stream_options options = {
			.size = sizeof(options),
			.use_exponent = true,
			.exponent = EXPONENT,
			.buffer_size = size,
		};
		const uint64_t fit = size / (i ? 192 : 576);
		uint64_t before = 0;
		struct gpuoa_reader *reader;
		struct seen seen = { 0 };
		const int err = gpuoa_stream_open(units[i], set_of(i), &options, &reader, error,
						  sizeof(error));

		if (descs[i].buffer_size_min == descs[i].buffer_size_max) {
			CHECK(err == -ERANGE && says("buffer size"));
			continue;
		}
		REQUIRE(!err);
		CHECK(options.buffer_size == size);
		usleep((useconds_t)(2 * fit * PERIOD * 10 / 192));
		/* The read that finds the loss also returns reports after it. */
		for (int turn = 0; turn < TURNS && !seen.overflow; turn++) {
			before = seen.reports;
			if (!CHECK(take(reader, &seen) >= 0))
				break;
		}
		if (!CHECK(seen.overflow && before >= fit / 2 && before <= fit))
			printf("# %s: %" PRIu64 " reports of %" PRIu64 ", %" PRIu64 " lost\n",
			       descs[i].domain, seen.reports, fit, seen.overflow);
		gpuoa_reader_close(reader);
	}
}

static void second_stream_is_rejected_with_the_user_of_the_unit(void)
{
	for (size_t i = 0; i < unit_count; i++) {
		struct gpuoa_reader *first, *second;

		REQUIRE(!open_unit_stream(i, &first));
		CHECK(open_unit_stream(i, &second) == -EBUSY);
		CHECK(says("in use by this process") && says(descs[i].name));
		gpuoa_reader_close(first);
		CHECK(!open_unit_stream(i, &second));
		gpuoa_reader_close(second);
	}
}

static bool write_to(const char *path, const char *text)
{
	const int fd = open(path, O_WRONLY | O_CLOEXEC);
	const bool written = fd >= 0 && write(fd, text, strlen(text)) == (ssize_t)strlen(text);

	if (fd >= 0)
		close(fd);
	return written;
}

/* Open a stream as a user without privileges. Return whether the result and the message fit. */
static bool nobody_gets(int result, const char *words)
{
	struct gpuoa_reader *reader = NULL;
	int status;
	pid_t child;

	fflush(stdout);
	child = fork();
	if (!child) {
		if (setgid(NOBODY) || setuid(NOBODY))
			_exit(2);
		*error = '\0';
		_exit(open_unit_stream(0, &reader) != result || !strstr(error, words));
	}
	return waitpid(child, &status, 0) == child && !status;
}

static void paranoid_decides_about_unprivileged_streams(void)
{
	CHECK(nobody_gets(-EACCES, "dev.xe.observation_paranoid (now 1)"));
	CHECK(write_to(PARANOID, "0"));
	CHECK(nobody_gets(0, ""));
	CHECK(write_to(PARANOID, "1"));
	CHECK(nobody_gets(-EACCES, "dev.xe.observation_paranoid (now 1)"));
}

/* ---- queries of an exec queue --------------------------------------------------------------- */

static struct {
	int fd;
	uint32_t vm;
	uint32_t *batch;
	uint8_t *data;
} client;

static bool begin_client(void)
{
	struct drm_xe_vm_create vm = { 0 };

	client.fd = xe_open();
	if (!CHECK(client.fd >= 0) || !CHECK(!ioctl(client.fd, DRM_IOCTL_XE_VM_CREATE, &vm)))
		return false;
	client.vm = vm.vm_id;
	client.batch = xe_create_at(client.fd, client.vm, BATCH_AT, SIZE);
	client.data = xe_create_at(client.fd, client.vm, DATA_AT, SIZE);
	return CHECK((void *)client.batch != MAP_FAILED && (void *)client.data != MAP_FAILED);
}

static void end_client(void)
{
	munmap(client.batch, SIZE);
	munmap(client.data, SIZE);
	close(client.fd);
}

static int open_query(uint16_t engine_class, uint32_t *queue, struct gpuoa_reader **reader)
{
	const struct drm_xe_engine_class_instance engine = { .engine_class = engine_class };
	struct gpuoa_stream_options options = {
		.size = sizeof(options),
		.context_filter = true,
		.query_only = true,
		.drm_fd = client.fd,
	};
	int err = xe_create_queue(client.fd, client.vm, engine, queue);

	options.context = *queue;
	return err ? err :
		     gpuoa_stream_open(units[0], set_of(0), &options, reader, error, sizeof(error));
}

static uint64_t field(size_t at, size_t index)
{
	uint64_t value;

	memcpy(&value, client.data + at + index * sizeof(value), sizeof(value));
	return value;
}

/* Let a batch write two reports. Their counters are those of the queue's context. */
static void run_query(uint32_t queue)
{
	const uint32_t commands[] = {
		MI_REPORT, DATA_AT + FIRST_REPORT,  0, 0x77,
		MI_REPORT, DATA_AT + SECOND_REPORT, 0, 0x78,
		MI_END,
	};
	int done;

	memcpy(client.batch, commands, sizeof(commands));
	done = xe_submit(client.fd, queue, BATCH_AT, 0);
	REQUIRE(done > 0 && !xe_wait(client.fd, (uint32_t)done));
	CHECK((uint32_t)field(FIRST_REPORT, 0) == 0x77);
	CHECK((uint32_t)field(SECOND_REPORT, 0) == 0x78);
	/* The model may execute both commands within a tick. */
	CHECK(field(FIRST_REPORT, 1) && field(FIRST_REPORT, 1) <= field(SECOND_REPORT, 1));
}

/* The queue is that of the caller, so no privilege is needed. */
static void batches_of_an_exec_queue_report(void)
{
	static const uint16_t classes[] = { DRM_XE_ENGINE_CLASS_RENDER,
					    DRM_XE_ENGINE_CLASS_COMPUTE };
	uint32_t id;

	CHECK(!gpuoa_unit_add_set(units[0], set_of(0), &id, NULL, 0));
	REQUIRE(begin_client());
	for (size_t i = 0; i < 2; i++) {
		struct gpuoa_reader *reader;
		uint32_t queue;
		int err;

		REQUIRE(!seteuid(NOBODY));
		err = open_query(classes[i], &queue, &reader);
		REQUIRE(!seteuid(0));
		if (!CHECK(!err)) {
			printf("# class %u: %s\n", classes[i], error);
			continue;
		}
		run_query(queue);
		gpuoa_reader_close(reader);
	}
	end_client();
}

/* No unit measures the copy engine, and the queue must be one of the file. */
static void exec_queues_without_counters_are_rejected(void)
{
	struct gpuoa_stream_options options = {
		.size = sizeof(options),
		.context_filter = true,
		.query_only = true,
		.context = 999,
	};
	struct gpuoa_reader *reader;
	uint32_t queue;

	REQUIRE(begin_client());
	CHECK(open_query(DRM_XE_ENGINE_CLASS_COPY, &queue, &reader) == -EINVAL);
	CHECK(says("counts nothing for the exec queue"));
	options.drm_fd = client.fd;
	CHECK(gpuoa_stream_open(units[0], set_of(0), &options, &reader, error, sizeof(error)) ==
	      -ENOENT);
	CHECK(says("no exec queue 999"));
	end_client();
}

/* ---- frequency ------------------------------------------------------------------------------ */

static uint64_t freq_mhz(const char *name)
{
	char path[128];
	unsigned long mhz = 0;
	FILE *file;

	snprintf(path, sizeof(path), "/sys/bus/pci/devices/%s/tile0/gt0/freq0/%s", descs[0].parent,
		 name);
	file = fopen(path, "re");
	if (file && fscanf(file, "%lu", &mhz) != 1)
		mhz = 0;
	if (file)
		fclose(file);
	return mhz;
}

static void freq_pin_sets_the_limits_of_xe(void)
{
	const uint64_t min = freq_mhz("min_freq"), max = freq_mhz("max_freq");
	struct gpuoa_freq_pin_desc range;
	struct gpuoa_freq_pin *pin;
	uint64_t hz;

	CHECK(min && max > min);
	REQUIRE(!gpuoa_freq_pin_open(descs[0].parent, &pin, error, sizeof(error)));
	gpuoa_freq_pin_describe(pin, &range, sizeof(range));
	CHECK(range.available && range.min_hz == freq_mhz("rpn_freq") * 1000000 &&
	      range.max_hz == freq_mhz("rp0_freq") * 1000000);
	hz = range.min_hz;
	CHECK(!gpuoa_freq_pin_set(pin, &hz, error, sizeof(error)) && hz == range.min_hz);
	CHECK(freq_mhz("min_freq") * 1000000 == hz && freq_mhz("max_freq") * 1000000 == hz);
	gpuoa_freq_pin_close(pin);
	CHECK(freq_mhz("min_freq") == min && freq_mhz("max_freq") == max);
}

/* ---- the end -------------------------------------------------------------------------------- */

/*
 * The driver is unbound while units are open, and bound again. No stream is open: with one, xe of
 * 6.12 accesses the removed GPU in its timer, and the kernel crashes.
 */
static void unbound_gpu_returns_enodev(void)
{
	struct gpuoa_reader *reader;
	struct gpuoa_clock_pair pair;
	struct seen seen = { 0 };
	uint32_t id;

	REQUIRE(write_to(DRIVER "unbind", descs[0].parent));
	for (size_t i = 0; i < unit_count; i++) {
		CHECK(gpuoa_unit_clock(units[i], CLOCK_MONOTONIC, &pair) == -ENODEV);
		CHECK(open_unit_stream(i, &reader) == -ENODEV && says("was removed"));
		CHECK(gpuoa_unit_add_set(units[i], set_of(i), &id, error, sizeof(error)) ==
		      -ENODEV);
		CHECK(says("was removed"));
		gpuoa_unit_close(units[i]);
	}
	CHECK(gpuoa_unit_open(NULL, &units[0], error, sizeof(error)) == -ENODEV);
	REQUIRE(write_to(DRIVER "bind", descs[0].parent));
	REQUIRE(!gpuoa_unit_open(descs[0].parent, &units[0], error, sizeof(error)));
	CHECK(!open_unit_stream(0, &reader));
	CHECK(take(reader, &seen) >= 0);
	gpuoa_reader_close(reader);
	gpuoa_unit_close(units[0]);
}

static bool open_units(void)
{
	char names[UNITS_MAX][16];
	const int n = gpuoa_unit_list(names, UNITS_MAX);

	for (int i = 0; i < n && i < UNITS_MAX; i++) {
		if (gpuoa_unit_open(names[i], &units[i], error, sizeof(error))) {
			printf("Bail out! %s\n", error);
			return false;
		}
		gpuoa_unit_describe(units[i], &descs[i], sizeof(descs[i]));
		unit_count++;
	}
	if (unit_count < 2)
		printf("Bail out! there are %d units\n", n);
	return unit_count >= 2;
}

int main(void)
{
	if (!getenv("GPUOA_VGPU"))
		return tap_skip("no GPU of gpuoa-vgpu");
	if (!open_units())
		return 1;
	setvbuf(stdout, NULL, _IOLBF, 0);
	RUN(unit_describe_returns_numbers_of_the_gpu);
	RUN(clock_is_that_of_the_gpu);
	RUN(set_is_added_once);
	RUN(reports_have_the_period);
	RUN(dropped_reports_are_counted);
	RUN(overflow_is_reported_and_the_stream_continues);
	RUN(buffer_has_the_requested_size);
	RUN(second_stream_is_rejected_with_the_user_of_the_unit);
	RUN(paranoid_decides_about_unprivileged_streams);
	RUN(batches_of_an_exec_queue_report);
	RUN(exec_queues_without_counters_are_rejected);
	RUN(freq_pin_sets_the_limits_of_xe);
	RUN(unbound_gpu_returns_enodev);
	return tap_end();
}
