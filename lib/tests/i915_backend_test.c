// SPDX-License-Identifier: MIT
/*
 * i915_backend_test.c - Test units of i915-perf with a simulated kernel: open(2) and ioctl(2) are
 * replaced for DRM nodes.
 */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <i915_drm.h>
#include <poll.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <sys/eventfd.h>
#include <sys/ioctl.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

#include "base/complaint.h"
#include "base/nsec.h"
#include "failing_memory.h"
#include "fake_calls.h"
#include "gpu/i915_topology.h"
#include "gpuoa-stream.h"
#include "reader/backends/backends.h"
#include "reader/i915/i915.h"
#include "reader/stream/unit.h"
#include "tap.h"

#define OA_TIMESTAMP_FREQUENCY 57 /* since Linux 6.0 */

static struct {
	int device; /* 0: the GPU was removed */
	int commands_hz;
	/* OA timestamp frequency in Hz; 0: an older kernel that does not have the parameter */
	int reports_hz;
	struct gpuoa_unit_desc gpu; /* subslices and EUs */
	unsigned int topologies; /* number of topologies queried */
	int failing_topology; /* the number of the one whose length is @topology_length */
	int topology_length;
	uint64_t ticks; /* of the command streamer's clock */
	int perf_revision;
	int open_error; /* result of DRM_IOCTL_I915_PERF_OPEN */
	int add_error; /* result of DRM_IOCTL_I915_PERF_ADD_CONFIG */
	struct drm_i915_perf_oa_config config; /* added last */
	uint64_t removed; /* id of the configuration that was removed last */
	uint64_t properties[DRM_I915_PERF_PROP_MAX]; /* of the stream that was opened last; 0: none
						      */
	uint32_t flags;
	int file; /* file through which it was opened */
	int stream[2]; /* pipe */
	bool enabled;
	int waited_ms; /* timeout of the last poll(2) that had one */
	char rate_limit[32]; /* content of the sysctl */
	/* CPU time in ns that reads of the register take; 0: the real clock is used */
	uint64_t delays[3];
	unsigned int reads;
	uint64_t cpu_ns;
} i915;

#define I915_CONFIG 7 /* id of the added configuration */

static int get_param(const struct drm_i915_getparam *get)
{
	switch (get->param) {
	case I915_PARAM_CHIPSET_ID:
		*get->value = i915.device;
		return i915.device ? 0 : -ENODEV;
	case I915_PARAM_REVISION:
		*get->value = 4;
		return 0;
	case I915_PARAM_PERF_REVISION:
		*get->value = i915.perf_revision;
		return 0;
	case I915_PARAM_CS_TIMESTAMP_FREQUENCY:
		*get->value = i915.commands_hz;
		return 0;
	case OA_TIMESTAMP_FREQUENCY:
		*get->value = i915.reports_hz;
		return i915.reports_hz ? 0 : -EINVAL;
	default:
		return -EINVAL;
	}
}

static int get_topology(const struct drm_i915_query *query)
{
	struct drm_i915_query_item *item = (void *)(uintptr_t)query->items_ptr;
	uint8_t topology[1024];

	if (query->num_items != 1 || item->query_id != DRM_I915_QUERY_TOPOLOGY_INFO)
		return -EINVAL;
	item->length = i915_topology_make(&i915.gpu, topology, sizeof(topology));
	if (i915.failing_topology == (int)++i915.topologies)
		item->length = i915.topology_length;
	if (item->data_ptr && item->length > 0)
		memcpy((void *)(uintptr_t)item->data_ptr, topology, (size_t)item->length);
	return 0;
}

static int open_perf(int fd, const struct drm_i915_perf_open_param *param)
{
	const uint64_t *pairs = (const void *)(uintptr_t)param->properties_ptr;

	memset(i915.properties, 0, sizeof(i915.properties));
	for (uint32_t i = 0; i < param->num_properties; i++)
		i915.properties[pairs[2 * i]] = pairs[2 * i + 1];
	i915.file = fd;
	i915.flags = param->flags;
	if (i915.open_error) {
		errno = i915.open_error;
		return -1;
	}
	if (pipe2(i915.stream, O_NONBLOCK))
		abort();
	return i915.stream[0];
}

static int fake_open(const char *path, int flags, int mode)
{
	if (!strncmp(path, "/dev/dri/", 9))
		return eventfd(0, EFD_CLOEXEC);
	return (int)syscall(SYS_openat, AT_FDCWD, path, flags, mode);
}

static int fake_ioctl(int fd, unsigned long request, void *argument)
{
	if (request == DRM_IOCTL_I915_GETPARAM)
		return (int)fake_result(get_param(argument));
	if (request == DRM_IOCTL_I915_QUERY)
		return (int)fake_result(get_topology(argument));
	if (request == DRM_IOCTL_I915_REG_READ) {
		((struct drm_i915_reg_read *)argument)->val = i915.ticks + 1000 * i915.reads;
		i915.cpu_ns += i915.delays[i915.reads++ % 3];
		i915.reads *= i915.delays[0] > 0;
		return 0;
	}
	if (request == DRM_IOCTL_I915_PERF_OPEN)
		return open_perf(fd, argument);
	if (request == DRM_IOCTL_I915_PERF_ADD_CONFIG) {
		i915.config = *(const struct drm_i915_perf_oa_config *)argument;
		return (int)fake_result(i915.add_error ? -i915.add_error : I915_CONFIG);
	}
	if (request == DRM_IOCTL_I915_PERF_REMOVE_CONFIG) {
		i915.removed = *(const uint64_t *)argument;
		return 0;
	}
	if (fd == i915.stream[0] && request == I915_PERF_IOCTL_ENABLE) {
		i915.enabled = true;
		return 0;
	}
	if (fd == i915.stream[0] && request == I915_PERF_IOCTL_DISABLE) {
		i915.enabled = false;
		return 0;
	}
	return (int)syscall(SYS_ioctl, fd, request, argument);
}

/* Return at once. */
int poll(struct pollfd *files, nfds_t count, int timeout)
{
	if (timeout)
		i915.waited_ms = timeout;
	return (int)syscall(SYS_poll, files, count, 0);
}

FILE *fopen(const char *path, const char *mode)
{
	static FILE *(*real)(const char *, const char *);

	if (*i915.rate_limit && !strcmp(path, "/proc/sys/dev/i915/oa_max_sample_rate"))
		return fmemopen(i915.rate_limit, strlen(i915.rate_limit), "r");
	if (!real)
		real = (FILE * (*)(const char *, const char *)) dlsym(RTLD_NEXT, "fopen");
	return real(path, mode);
}

int clock_gettime(clockid_t clock, struct timespec *time)
{
	if (!i915.delays[0] || clock != CLOCK_MONOTONIC)
		return (int)syscall(SYS_clock_gettime, clock, time);
	*time = (struct timespec){ (time_t)(i915.cpu_ns / NSEC_PER_SEC),
				   (long)(i915.cpu_ns % NSEC_PER_SEC) };
	return 0;
}

/*
 * Open i915's unit on a GPU that has one slice, and return its description. @subslices: number of
 * subslices, with 8 EUs each
 */
static struct gpuoa_unit_desc describe(const char *platform, int device, uint32_t subslices)
{
	const struct complaint quiet = { 0 };
	struct gpuoa_unit_desc desc = { 0 };
	struct gpuoa_unit *unit;

	i915.device = device;
	i915.gpu = (struct gpuoa_unit_desc){
		.subslice_mask = (UINT64_C(1) << subslices) - 1,
		.eu_count = 8 * subslices,
	};
	strcpy(i915.gpu.platform, platform);
	if (!CHECK(!backend_open(&i915_backend, "i915:0", &unit, &quiet)))
		return desc;
	gpuoa_unit_describe(unit, &desc, sizeof(desc));
	gpuoa_unit_close(unit);
	return desc;
}

static void unit_describe_returns_values_of_i915(void)
{
	struct gpuoa_unit_desc desc;

	i915.commands_hz = 12500000;
	i915.reports_hz = 0;
	desc = describe("hsw", 0x0412, 2);
	CHECK_STRING(desc.name, "i915:0");
	CHECK_STRING(desc.driver, "i915");
	CHECK_STRING(desc.platform, "hsw");
	CHECK_STRING(desc.domain, "OA");
	CHECK(desc.device_id == 0x0412 && desc.revision == 4);
	CHECK(desc.subslice_count == 2 && desc.eu_count == 16);
	CHECK(desc.default_format == GPUOA_FORMAT_A45_B8_C8);
	CHECK(desc.formats >> GPUOA_FORMAT_A45_B8_C8 & 1);
	CHECK(desc.exponent_max == 31 && desc.buffer_size_min == 16 << 20);
	CHECK(desc.buffer_size_max == 16 << 20);
	CHECK(desc.engine_count == 1 && desc.engines[0].kind == GPUOA_ENGINE_RENDER);
	CHECK(desc.features == (GPUOA_UNIT_CONTEXT | GPUOA_UNIT_OWN_REPORTS));

	desc = describe("sklgt2", 0x1912, 3);
	CHECK(desc.features == (GPUOA_UNIT_CONTEXT | GPUOA_UNIT_FLEX));

	desc = describe("tglgt2", 0x9a49, 6);
	CHECK_STRING(desc.platform, "tglgt2");
	CHECK(desc.default_format == GPUOA_FORMAT_A32U40_A4U32_B8_C8);
	CHECK(desc.features == (GPUOA_UNIT_CONTEXT | GPUOA_UNIT_FLEX | GPUOA_UNIT_QUERY_ONLY));
}

/* Timestamps in i915's report formats have 32 bits, those of command streamers 36 bits. */
static void formats_are_those_of_the_generation(void)
{
#define BIT(format) (UINT64_C(1) << GPUOA_FORMAT_##format)
	const uint64_t haswell = BIT(A13) | BIT(A29) | BIT(A13_B8_C8) | BIT(B4_C8) |
				 BIT(A45_B8_C8) | BIT(B4_C8_A16) | BIT(C4_B8);
	const uint64_t later = BIT(A12) | BIT(A12_B8_C8) | BIT(A32U40_A4U32_B8_C8) | BIT(C4_B8);
	struct gpuoa_unit_desc desc;

	CHECK(describe("hsw", 0x0412, 2).formats == haswell);
	desc = describe("sklgt2", 0x1912, 3);
	CHECK(desc.formats == later && desc.default_format == GPUOA_FORMAT_A32U40_A4U32_B8_C8);
	desc = describe("tglgt2", 0x9a49, 6);
	CHECK(desc.formats == later && desc.default_format == GPUOA_FORMAT_A32U40_A4U32_B8_C8);
#undef BIT
}

static void timestamps_have_32_bits(void)
{
	i915.commands_hz = 19200000;
	i915.reports_hz = 0;
	CHECK(describe("hsw", 0x0412, 2).timestamp_bits == 32);
	CHECK(describe("tglgt2", 0x9a49, 6).timestamp_bits == 32);
	CHECK(describe("dg2", 0x56a0, 32).timestamp_bits == 32);
	CHECK(describe("dg2", 0x56a0, 32).cs_timestamp_bits == 36);
}

static void frequency_of_reports_may_differ(void)
{
	struct gpuoa_unit_desc desc;

	i915.commands_hz = 19200000;
	i915.reports_hz = 0;
	desc = describe("tglgt2", 0x9a49, 6);
	CHECK(desc.timestamp_frequency == 19200000 && desc.cs_timestamp_frequency == 19200000);
	i915.reports_hz = 38400000;
	desc = describe("tglgt2", 0x9a49, 6);
	CHECK(desc.timestamp_frequency == 38400000 && desc.cs_timestamp_frequency == 19200000);
}

/* CLOCK_MONOTONIC_COARSE does not advance while the register is read. */
static void clock_pair_of_a_coarse_clock_has_the_error_of_a_tick(void)
{
	const struct complaint quiet = { 0 };
	struct gpuoa_clock_pair pair;
	struct gpuoa_unit *unit;
	struct timespec now;

	i915.commands_hz = 12500000;
	i915.reports_hz = 0;
	i915.ticks = 12345;
	i915.device = 0x0412;
	strcpy(i915.gpu.platform, "hsw");
	REQUIRE(!backend_open(&i915_backend, "i915:0", &unit, &quiet));
	CHECK(!unit->backend->clock(unit, CLOCK_MONOTONIC_COARSE, &pair));
	clock_gettime(CLOCK_MONOTONIC_COARSE, &now);
	CHECK(pair.gpu_ticks == 12345 && pair.clock_id == CLOCK_MONOTONIC_COARSE);
	CHECK(pair.error_ns == 81);
	CHECK(pair.cpu_ns <= (uint64_t)now.tv_sec * NSEC_PER_SEC + (uint64_t)now.tv_nsec);
	gpuoa_unit_close(unit);
}

static void clock_pair_is_the_fastest_of_three(void)
{
	static const uint64_t delays[][3] = {
		{ 900, 300, 700 }, { 300, 700, 900 }, { 900, 700, 300 }, { 300, 300, 300 }
	};
	static const unsigned int fastest[] = { 1, 0, 2, 0 };
	const struct complaint quiet = { 0 };
	struct gpuoa_clock_pair pair;
	struct gpuoa_unit *unit;

	i915.commands_hz = 12500000;
	i915.reports_hz = 0;
	i915.ticks = 12345;
	i915.device = 0x0412;
	strcpy(i915.gpu.platform, "hsw");
	for (size_t i = 0; i < sizeof(delays) / sizeof(delays[0]); i++) {
		uint64_t before = 5000000000;

		REQUIRE(!backend_open(&i915_backend, "i915:0", &unit, &quiet));
		memcpy(i915.delays, delays[i], sizeof(delays[i]));
		i915.cpu_ns = before;
		i915.reads = 0;
		CHECK(!unit->backend->clock(unit, CLOCK_MONOTONIC, &pair) && i915.reads == 3);
		for (unsigned int k = 0; k < fastest[i]; k++)
			before += delays[i][k];
		CHECK(pair.gpu_ticks == 12345 + 1000 * fastest[i]);
		CHECK(pair.cpu_ns == before + 150 && pair.clock_id == CLOCK_MONOTONIC);
		memset(i915.delays, 0, sizeof(i915.delays));
		i915.reads = 0;
		gpuoa_unit_close(unit);
	}
}

static void unit_of_a_removed_gpu_cannot_be_opened(void)
{
	struct complaint complaint;
	struct gpuoa_unit *unit = NULL;
	char error[128];

	complaint = complaint_begin(error, sizeof(error));
	i915.device = 0;
	CHECK(i915_backend.open("i915:0", &unit, &complaint) == -ENODEV);
	CHECK(!unit);
	CHECK_STRING(error, "i915:0: i915 cannot describe it: No such device");
}

/* i915 returns the length or a negative errno for each item of a query. */
static void unit_without_topology_cannot_be_opened(void)
{
	const struct complaint quiet = { 0 };
	struct gpuoa_unit *unit;

	i915.device = 0x0412;
	for (int n = 1; n <= 2; n++) {
		i915.failing_topology = n;
		i915.topologies = 0;
		i915.topology_length = -EINVAL;
		CHECK(backend_open(&i915_backend, "i915:0", &unit, &quiet) == -EINVAL);
		i915.topologies = 0;
		i915.topology_length = 0;
		CHECK(backend_open(&i915_backend, "i915:0", &unit, &quiet) == -ENODATA);
	}
	i915.failing_topology = 0;
}

/* ---- streams -------------------------------------------------------------------------------- */

#define EXPONENT 5
#define PERIOD_NS 5120

static struct gpuoa_unit *opened;
static struct gpuoa_reader *reader;
static char error[512];

static bool says(const char *words)
{
	const bool does = strstr(error, words);

	if (!does)
		printf("# \"%s\" is not in \"%s\"\n", words, error);
	return does;
}

static void prepare(const char *platform, int device)
{
	memset(&i915, 0, sizeof(i915));
	i915.stream[0] = -1;
	i915.perf_revision = 5;
	i915.commands_hz = 12500000;
	i915.device = device;
	i915.gpu = (struct gpuoa_unit_desc){ .subslice_mask = 3, .eu_count = 16 };
	strcpy(i915.gpu.platform, platform);
	reader = NULL;
}

static bool begin(const char *platform, int device)
{
	const struct complaint complaint = complaint_begin(error, sizeof(error));

	prepare(platform, device);
	return CHECK(!backend_open(&i915_backend, "i915:0", &opened, &complaint));
}

static const struct gpuoa_set *render_basic(void)
{
	return gpuoa_platform_find_set(gpuoa_unit_platform(opened), "RenderBasic", "OA",
				       gpuoa_unit_constants(opened));
}

static int open_stream(struct gpuoa_stream_options *options)
{
	options->size = sizeof(*options);
	options->use_exponent = true;
	options->exponent = EXPONENT;
	return gpuoa_stream_open(opened, render_basic(), options, &reader, error, sizeof(error));
}

static void close_stream(void)
{
	if (reader) {
		gpuoa_reader_close(reader);
		close(i915.stream[1]);
	}
	reader = NULL;
	i915.stream[0] = -1;
}

static void end(void)
{
	close_stream();
	gpuoa_unit_close(opened);
}

static void stream_open_passes_properties(void)
{
	struct gpuoa_stream_options options = { .notify_reports = 100 };

	REQUIRE(begin("hsw", 0x0412));
	REQUIRE(!open_stream(&options));
	CHECK(i915.file == opened->fd && i915.enabled);
	CHECK(i915.flags ==
	      (I915_PERF_FLAG_FD_CLOEXEC | I915_PERF_FLAG_FD_NONBLOCK | I915_PERF_FLAG_DISABLED));
	CHECK(i915.properties[DRM_I915_PERF_PROP_OA_METRICS_SET] == I915_CONFIG);
	CHECK(i915.properties[DRM_I915_PERF_PROP_OA_FORMAT] == GPUOA_FORMAT_A45_B8_C8);
	CHECK(i915.properties[DRM_I915_PERF_PROP_SAMPLE_OA] == 1);
	CHECK(i915.properties[DRM_I915_PERF_PROP_OA_EXPONENT] == EXPONENT);
	CHECK(i915.properties[DRM_I915_PERF_PROP_POLL_OA_PERIOD] == 100 * PERIOD_NS);
	CHECK(!i915.properties[DRM_I915_PERF_PROP_CTX_HANDLE]);
	CHECK(options.delivery == GPUOA_DELIVERY_RAW && options.notify_reports == 100);
	CHECK(options.buffer_size == 16 << 20);
	CHECK(!gpuoa_reader_disable(reader) && !i915.enabled);
	CHECK(!gpuoa_reader_enable(reader) && i915.enabled);
	end();
}

static uint64_t polled_each(uint32_t notify_reports, uint64_t poll_period_ns)
{
	struct gpuoa_stream_options options = { .notify_reports = notify_reports,
						.poll_period_ns = poll_period_ns,
						.ring_size = 32 << 20,
						.disabled = true };

	CHECK(!open_stream(&options) && !i915.enabled);
	close_stream();
	return i915.properties[DRM_I915_PERF_PROP_POLL_OA_PERIOD];
}

static void poll_period_fits_notification_and_buffer(void)
{
	REQUIRE(begin("hsw", 0x0412));
	CHECK(polled_each(1, 0) == I915_POLL_PERIOD_MIN_NS);
	CHECK(polled_each(20, 0) == 20 * PERIOD_NS);
	CHECK(polled_each(1000, 0) == 1000 * PERIOD_NS);
	CHECK(polled_each(1000, 999 * PERIOD_NS) == 999 * PERIOD_NS);
	CHECK(polled_each(1000, 1001 * PERIOD_NS) == 1000 * PERIOD_NS);
	CHECK(polled_each(1000, I915_POLL_PERIOD_MIN_NS) == I915_POLL_PERIOD_MIN_NS);
	/* a quarter of the buffer */
	CHECK(polled_each(30000, 0) == (16 << 20) / 4 / 256 * (uint64_t)PERIOD_NS);
	end();
}

/* Before revision 5, i915 polls every 5 ms. */
static void old_i915_has_no_poll_period(void)
{
	REQUIRE(begin("hsw", 0x0412));
	end();
	i915.perf_revision = 4;
	REQUIRE(!backend_open(&i915_backend, "i915:0", &opened, &(struct complaint){ 0 }));
	CHECK(polled_each(1000, 0) == 0);
	end();
}

static int waits_ms(uint32_t notify_reports)
{
	struct gpuoa_stream_options options = { .notify_reports = notify_reports,
						.ring_size = 32 << 20 };

	CHECK(!open_stream(&options));
	i915.waited_ms = 0;
	CHECK(!gpuoa_reader_disable(reader) && !i915.enabled);
	close_stream();
	return i915.waited_ms;
}

/* i915 returns only reports that it has polled; the next poll is at most two periods later. */
static void disable_waits_for_two_polls(void)
{
	REQUIRE(begin("hsw", 0x0412));
	CHECK(waits_ms(1) == 1);
	CHECK(waits_ms(500) == 2 * 500 * PERIOD_NS / 1000000 + 1);
	CHECK(waits_ms(1000) == 2 * 1000 * PERIOD_NS / 1000000 + 1);
	end();
	prepare("hsw", 0x0412);
	i915.perf_revision = 4;
	REQUIRE(!backend_open(&i915_backend, "i915:0", &opened, &(struct complaint){ 0 }));
	CHECK(waits_ms(1000) == 2 * 5 + 1);
	end();
}

static void stream_of_a_context_uses_the_file_of_the_caller(void)
{
	struct gpuoa_stream_options options = { .context_filter = true, .context = 3 };

	REQUIRE(begin("tglgt2", 0x9a49));
	options.drm_fd = open("/dev/dri/card0", O_RDWR);
	REQUIRE(!open_stream(&options));
	CHECK(i915.file == options.drm_fd);
	CHECK(i915.properties[DRM_I915_PERF_PROP_CTX_HANDLE] == 3);
	CHECK(i915.properties[DRM_I915_PERF_PROP_SAMPLE_OA] == 1);
	close_stream();
	options.query_only = true;
	REQUIRE(!open_stream(&options));
	CHECK(i915.properties[DRM_I915_PERF_PROP_CTX_HANDLE] == 3);
	CHECK(!i915.properties[DRM_I915_PERF_PROP_SAMPLE_OA]);
	CHECK(!i915.properties[DRM_I915_PERF_PROP_OA_EXPONENT]);
	close_stream();
	close(options.drm_fd);
	options.context_filter = false;
	CHECK(open_stream(&options) == -EOPNOTSUPP && says("does without reports on gen12 only"));
	end();
	REQUIRE(begin("hsw", 0x0412));
	options.context_filter = true;
	CHECK(open_stream(&options) == -EOPNOTSUPP && says("does without reports on gen12 only"));
	end();
}

static int open_with(int result)
{
	struct gpuoa_stream_options options = { .context = 12 };

	i915.open_error = result;
	return open_stream(&options);
}

static void stream_open_errors_have_messages(void)
{
	struct gpuoa_stream_options options = { .poll_period_ns = I915_POLL_PERIOD_MIN_NS - 1 };

	REQUIRE(begin("hsw", 0x0412));
	CHECK(open_with(EACCES) == -EACCES && says("dev.i915.perf_stream_paranoid (now "));
	CHECK(open_with(EBUSY) == -EBUSY && says("i915:0 is in use: i915-perf serves one"));
	CHECK(open_with(EINVAL) == -EINVAL && says("i915 refuses this stream of i915:0"));
	CHECK(open_with(EIO) == -EIO && says("i915 cannot program i915:0"));
	CHECK(open_with(ENOENT) == -ENOENT && says("the DRM file has no context 12"));
	CHECK(open_with(ENODEV) == -ENODEV && says("i915 cannot measure i915:0"));
	i915.device = 0;
	CHECK(open_with(ENODEV) == -ENODEV && says("i915:0 was removed"));
	i915.device = 0x0412;
	CHECK(open_with(EMFILE) == -EMFILE && says("cannot sample i915:0"));
	i915.open_error = 0;
	CHECK(open_stream(&options) == -ERANGE && says("100000 ns at the most often"));
	options = (struct gpuoa_stream_options){ .buffer_size = 1 << 20 };
	CHECK(open_stream(&options) == -ERANGE && says("no such period or buffer size"));
	options = (struct gpuoa_stream_options){ .delivery = GPUOA_DELIVERY_AUX };
	CHECK(open_stream(&options) == -EOPNOTSUPP && says("i915-perf has no AUX mode"));
	options.overwrite = true;
	CHECK(open_stream(&options) == -EOPNOTSUPP && says("has no flight recorder"));
	options = (struct gpuoa_stream_options){ .batch_boundary_reports = true };
	CHECK(open_stream(&options) == -EOPNOTSUPP && says("has no reports of batches"));
	end();
}

/* A rate above the sysctl's is refused for that reason, at the sysctl's for another one. */
static void denied_rate_is_told_from_denied_access(void)
{
	struct gpuoa_stream_options options = { 0 };

	REQUIRE(begin("hsw", 0x0412));
	i915.open_error = EACCES;
	strcpy(i915.rate_limit, "195311\n");
	CHECK(open_stream(&options) == -EACCES);
	CHECK(says("may not sample i915:0 195312 times a second") && says("(now 195311 Hz)"));
	strcpy(i915.rate_limit, "0\n");
	CHECK(open_stream(&options) == -EACCES && says("(now 0 Hz)"));
	strcpy(i915.rate_limit, "195312\n");
	CHECK(open_stream(&options) == -EACCES && says("may not sample i915:0: run as root"));
	end();
}

static void add_set_passes_the_registers_of_each_kind(void)
{
	struct gpuoa_set_desc desc;
	uint32_t id = 0;

	REQUIRE(begin("sklgt2", 0x1912));
	gpuoa_set_describe(render_basic(), &desc, sizeof(desc));
	CHECK(!gpuoa_unit_add_set(opened, render_basic(), &id, error, sizeof(error)));
	CHECK(id == I915_CONFIG && !memcmp(i915.config.uuid, desc.uuid, 36));
	for (int kind = GPUOA_REGISTER_MUX; kind <= GPUOA_REGISTER_FLEX; kind++) {
		const uint32_t counts[] = { [GPUOA_REGISTER_MUX] = i915.config.n_mux_regs,
					    [GPUOA_REGISTER_BOOLEAN] = i915.config.n_boolean_regs,
					    [GPUOA_REGISTER_FLEX] = i915.config.n_flex_regs };

		CHECK(counts[kind] ==
		      (uint32_t)gpuoa_set_registers(render_basic(), (enum gpuoa_register_kind)kind,
						    gpuoa_unit_constants(opened), NULL, 0));
	}
	CHECK(i915.config.n_mux_regs && i915.config.n_flex_regs);
	CHECK(!opened->backend->remove_config(opened, 12) && i915.removed == 12);
	i915.add_error = EINVAL;
	CHECK(gpuoa_unit_add_set(opened, render_basic(), &id, error, sizeof(error)) == -EINVAL);
	CHECK(says("rejects a register of RenderBasic; 'dmesg' may name it"));
	i915.add_error = EADDRINUSE; /* but sysfs has no such configuration */
	CHECK(gpuoa_unit_add_set(opened, render_basic(), &id, error, sizeof(error)) == -EADDRINUSE);
	end();
}

/* The register of 36 bits wraps after 1.5 hours at 12.5 MHz. */
static void clock_is_extended_over_wraps(void)
{
	struct gpuoa_clock_pair pair;

	REQUIRE(begin("hsw", 0x0412));
	i915.ticks = (UINT64_C(1) << 36) - 1000;
	CHECK(!gpuoa_unit_clock(opened, CLOCK_MONOTONIC, &pair) && pair.gpu_ticks == i915.ticks);
	i915.ticks = 5000; /* bits above the register are 0 */
	CHECK(!gpuoa_unit_clock(opened, CLOCK_MONOTONIC, &pair));
	CHECK(pair.gpu_ticks == (UINT64_C(1) << 36) + 5000);
	i915.ticks = 1ull << 40 | 6000;
	CHECK(!gpuoa_unit_clock(opened, CLOCK_MONOTONIC, &pair));
	CHECK(pair.gpu_ticks == (UINT64_C(1) << 36) + 6000);
	CHECK(gpuoa_unit_clock(opened, GPUOA_CLOCK_PERF, &pair) == -EINVAL);
	CHECK(gpuoa_unit_clock(opened, 4711, &pair) == -EINVAL);
	end();
}

/* ---- failures ------------------------------------------------------------------------------- */

static int use_stream(void)
{
	const struct complaint complaint = complaint_begin(error, sizeof(error));
	struct gpuoa_stream_options options = { .notify_reports = 100 };
	int err;

	prepare("tglgt2", 0x9a49);
	err = backend_open(&i915_backend, "i915:0", &opened, &complaint);
	if (err)
		return err;
	err = open_stream(&options);
	if (!err)
		gpuoa_reader_close(reader);
	if (i915.stream[0] >= 0)
		close(i915.stream[1]);
	gpuoa_unit_close(opened);
	return err;
}

static void stream_survives_failures(void)
{
	fail_each(&calls, EIO, use_stream);
	fail_each(&allocations, ENOMEM, use_stream);
}

int main(void)
{
	i915.perf_revision = 5;
	RUN(unit_describe_returns_values_of_i915);
	RUN(formats_are_those_of_the_generation);
	RUN(timestamps_have_32_bits);
	RUN(frequency_of_reports_may_differ);
	RUN(clock_pair_of_a_coarse_clock_has_the_error_of_a_tick);
	RUN(clock_pair_is_the_fastest_of_three);
	RUN(unit_of_a_removed_gpu_cannot_be_opened);
	RUN(unit_without_topology_cannot_be_opened);
	RUN(stream_open_passes_properties);
	RUN(poll_period_fits_notification_and_buffer);
	RUN(old_i915_has_no_poll_period);
	RUN(disable_waits_for_two_polls);
	RUN(stream_of_a_context_uses_the_file_of_the_caller);
	RUN(stream_open_errors_have_messages);
	RUN(denied_rate_is_told_from_denied_access);
	RUN(add_set_passes_the_registers_of_each_kind);
	RUN(clock_is_extended_over_wraps);
	RUN(stream_survives_failures);
	return tap_end();
}
