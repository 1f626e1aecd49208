// SPDX-License-Identifier: MIT
/*
 * i915_backend_test.c - Test units of i915-perf with a simulated kernel: open(2) and ioctl(2) are
 * replaced for DRM nodes.
 */
#define _GNU_SOURCE
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
#include "fake_files.h"
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
	uint64_t offset; /* of the register that was read last */
	int perf_revision; /* 0: an older kernel that does not have the parameter */
	int open_error; /* result of DRM_IOCTL_I915_PERF_OPEN */
	int add_error; /* result of DRM_IOCTL_I915_PERF_ADD_CONFIG */
	int config_id; /* of the added configuration */
	struct drm_i915_perf_oa_config config; /* added last */
	uint64_t removed; /* id of the configuration that was removed last */
	/* of the stream that was opened last; 0: none */
	uint64_t properties[DRM_I915_PERF_PROP_MAX];
	uint32_t given; /* mask of the properties that the request had */
	uint32_t n_properties;
	uint32_t flags;
	int file; /* file through which it was opened */
	int stream[2]; /* pipe */
	bool moves_stream; /* the next stream has file 0 */
	bool enabled;
	int waited_ms; /* timeout of the last poll(2) that had one */
	uint32_t timestamp; /* of the last report */
	uint32_t late_reports; /* number of reports that arrive during that poll(2) */
	/*
	 * CPU time in ns that reads of the register take. If the first one is 0, the real clock is
	 * used.
	 */
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
		return i915.perf_revision ? 0 : -EINVAL;
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
	i915.given = 0;
	i915.n_properties = param->num_properties;
	for (uint32_t i = 0; i < param->num_properties; i++) {
		i915.properties[pairs[2 * i]] = pairs[2 * i + 1];
		i915.given |= 1u << pairs[2 * i];
	}
	i915.file = fd;
	i915.flags = param->flags;
	if (i915.open_error) {
		errno = i915.open_error;
		return -1;
	}
	if (pipe2(i915.stream, O_NONBLOCK))
		abort();
	return i915.stream[0] = fake_file(i915.stream[0], i915.moves_stream);
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
		i915.offset = ((const struct drm_i915_reg_read *)argument)->offset;
		((struct drm_i915_reg_read *)argument)->val = i915.ticks + 1000 * i915.reads;
		i915.cpu_ns += i915.delays[i915.reads++ % 3];
		i915.reads *= i915.delays[0] > 0;
		return 0;
	}
	if (request == DRM_IOCTL_I915_PERF_OPEN)
		return open_perf(fd, argument);
	if (request == DRM_IOCTL_I915_PERF_ADD_CONFIG) {
		i915.config = *(const struct drm_i915_perf_oa_config *)argument;
		return (int)fake_result(i915.add_error ? -i915.add_error : i915.config_id);
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

/* Let i915 return reports, which are 64 ticks apart. */
static void put_reports(uint32_t count)
{
	struct {
		struct drm_i915_perf_record_header header;
		uint32_t report[64];
	} record = { { DRM_I915_PERF_RECORD_SAMPLE, 0, sizeof(record) }, { 1 << 19 } };

	while (count--) {
		record.report[1] = i915.timestamp += 64;
		CHECK(write(i915.stream[1], &record, sizeof(record)) == sizeof(record));
	}
}

/* Return at once. */
int poll(struct pollfd *files, nfds_t count, int timeout)
{
	if (timeout) {
		i915.waited_ms = timeout;
		put_reports(i915.late_reports);
		i915.late_reports = 0;
	}
	return (int)syscall(SYS_poll, files, count, 0);
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
	CHECK(desc.engines[0].instance == 0);
	CHECK(desc.features == (GPUOA_UNIT_CONTEXT | GPUOA_UNIT_OWN_REPORTS));

	desc = describe("sklgt2", 0x1912, 3);
	CHECK(desc.features == (GPUOA_UNIT_CONTEXT | GPUOA_UNIT_FLEX));

	desc = describe("icl", 0x8a52, 8);
	CHECK_STRING(desc.platform, "icl");
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
	desc = describe("dg2", 0x56a0, 32);
	CHECK(desc.formats == BIT(A24U40_A14U32_B8_C8));
	CHECK(desc.default_format == GPUOA_FORMAT_A24U40_A14U32_B8_C8);
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

static int open_with_clocks(int commands_hz, int reports_hz)
{
	const struct complaint quiet = { 0 };
	struct gpuoa_unit *unit;
	int err;

	i915.commands_hz = commands_hz;
	i915.reports_hz = reports_hz;
	err = backend_open(&i915_backend, "i915:0", &unit, &quiet);
	if (!err)
		gpuoa_unit_close(unit);
	return err;
}

static void unit_without_a_clock_cannot_be_opened(void)
{
	i915.device = 0x0412;
	strcpy(i915.gpu.platform, "hsw");
	CHECK(!open_with_clocks(1, 1));
	CHECK(!open_with_clocks(1, 0)); /* 0: there is no such parameter */
	CHECK(open_with_clocks(0, 0) == -ENODATA);
	CHECK(open_with_clocks(0, 1) == -ENODATA);
	CHECK(open_with_clocks(-1, 1) == -ENODATA);
	CHECK(open_with_clocks(1, -1) == -ENODATA);
}

#define CARD "sys/class/drm/card0"
#define DEVICE "sys/devices/0000:00:02.0"

static void frequencies_are_those_of_the_hardware_or_configured(void)
{
	struct gpuoa_unit_desc desc;

	i915.commands_hz = 12500000;
	i915.reports_hz = 0;
	tree_begin();
	tree_file(CARD "/gt_min_freq_mhz", "350\n");
	tree_file(CARD "/gt_max_freq_mhz", "1150\n");
	desc = describe("hsw", 0x0412, 2);
	CHECK(desc.gt_min_frequency == 350000000 && desc.gt_max_frequency == 1150000000);
	tree_file(CARD "/gt_RPn_freq_mhz", "200\n");
	desc = describe("hsw", 0x0412, 2);
	CHECK(desc.gt_min_frequency == 200000000 && desc.gt_max_frequency == 1150000000);
	tree_file(CARD "/gt_RP0_freq_mhz", "1250\n");
	desc = describe("hsw", 0x0412, 2);
	CHECK(desc.gt_min_frequency == 200000000 && desc.gt_max_frequency == 1250000000);
	tree_end();
	desc = describe("hsw", 0x0412, 2);
	CHECK(!desc.gt_min_frequency && !desc.gt_max_frequency);
}

static void units_are_cards_of_i915(void)
{
	char names[2][UNIT_NAME_SIZE] = { "", "unchanged" }, text[64];

	tree_begin();
	tree_file(DEVICE "/x", "");
	tree_file("sys/drivers/i915/x", "");
	tree_link(DEVICE "/driver", "sys/drivers/i915");
	tree_link(CARD "/device", DEVICE);
	CHECK(i915_backend.list(names, 2) == 0);
	tree_file(CARD "/metrics/x", "");
	CHECK(i915_backend.list(names, 2) == 1);
	CHECK_STRING(names[0], "i915:0");
	CHECK_STRING(names[1], "unchanged");
	i915_backend.find_parent("i915:0", text, sizeof(text));
	CHECK_STRING(text, "0000:00:02.0");
	i915_backend.find_node("i915:0", text, sizeof(text));
	CHECK_STRING(text, "/dev/dri/card0");
	tree_end();
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
	CHECK(pair.error_ns == 81 && i915.offset == (0x2358 | I915_REG_READ_8B_WA));
	CHECK(pair.cpu_ns <= (uint64_t)now.tv_sec * NSEC_PER_SEC + (uint64_t)now.tv_nsec);
	gpuoa_unit_close(unit);
}

static void clock_pair_is_the_fastest_of_three(void)
{
	static const uint64_t delays[][3] = {
		{ 900, 300, 700 },
		{ 300, 700, 900 },
		{ 900, 700, 300 },
		{ 300, 300, 300 },
		/* A clock may be set back. */
		{ (uint64_t)-500, 300, 700 },
		{ 900, (uint64_t)-1, 300 },
	};
	static const unsigned int fastest[] = { 1, 0, 2, 0, 1, 2 };
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
		CHECK(pair.error_ns == 231); /* half of 300 ns, and a tick of 80 ns */
		memset(i915.delays, 0, sizeof(i915.delays));
		i915.reads = 0;
		gpuoa_unit_close(unit);
	}
}

static void clock_pair_of_a_clock_set_back_has_no_bound(void)
{
	const struct complaint quiet = { 0 };
	struct gpuoa_clock_pair pair;
	struct gpuoa_unit *unit;

	i915.commands_hz = 12500000;
	i915.ticks = 12345;
	i915.device = 0x0412;
	REQUIRE(!backend_open(&i915_backend, "i915:0", &unit, &quiet));
	i915.cpu_ns = 5000000000;
	i915.reads = 0;
	i915.delays[0] = i915.delays[1] = i915.delays[2] = (uint64_t)-1;
	CHECK(!unit->backend->clock(unit, CLOCK_MONOTONIC, &pair) && i915.reads == 3);
	CHECK(pair.gpu_ticks == 12345 && pair.error_ns == UINT32_MAX);
	memset(i915.delays, 0, sizeof(i915.delays));
	i915.reads = 0;
	gpuoa_unit_close(unit);
}

static void clock_error_is_half_of_the_time_and_a_tick(void)
{
	CHECK(drm_clock_error(0, 12500000) == 81);
	CHECK(drm_clock_error(1001, NSEC_PER_SEC) == 502);
	CHECK(drm_clock_error(2 * (uint64_t)(UINT32_MAX - 2), NSEC_PER_SEC) == UINT32_MAX);
	CHECK(drm_clock_error(2 * (uint64_t)(UINT32_MAX - 3), NSEC_PER_SEC) == UINT32_MAX - 1);
	CHECK(drm_clock_error(2 * (uint64_t)UINT32_MAX + 2, NSEC_PER_SEC) == UINT32_MAX);
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
	/* One byte is no topology. */
	i915.topologies = 0;
	i915.topology_length = 1;
	CHECK(backend_open(&i915_backend, "i915:0", &unit, &quiet) == -EBADMSG);
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
	i915.config_id = I915_CONFIG;
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
	CHECK(i915.n_properties == 5 && !(i915.given >> DRM_I915_PERF_PROP_CTX_HANDLE & 1));
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
	CHECK(polled_each(1000, 0) == 0 && i915.n_properties == 4);
	end();
	i915.perf_revision = 0;
	REQUIRE(!backend_open(&i915_backend, "i915:0", &opened, &(struct complaint){ 0 }));
	CHECK(polled_each(1000, 0) == 0 && i915.n_properties == 4);
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

/* Read all reports, and check that they are 64 ticks apart. Returns their number. */
static int take_rest(uint32_t *timestamp, struct gpuoa_read_status *status)
{
	static uint32_t reports[256][64];
	int n, total = 0;

	while ((n = gpuoa_reader_read(reader, reports, 256, status)) > 0) {
		CHECK(!status->lost_unknown && !status->lost_overflow && !status->lost_hardware);
		for (int i = 0; i < n; i++)
			CHECK(reports[i][1] == (*timestamp += 64));
		total += n;
	}
	CHECK(!n);
	return total;
}

/* i915 discards unread reports when the stream is disabled, so they are read before. */
static void disable_reads_the_reports_of_the_last_poll(void)
{
	struct gpuoa_stream_options options = { .notify_reports = 100, .ring_size = 256 << 10 };
	struct gpuoa_read_status status;
	uint32_t timestamp = 0;

	REQUIRE(begin("hsw", 0x0412));
	REQUIRE(!open_stream(&options));
	CHECK(fcntl(i915.stream[1], F_SETPIPE_SZ, 1 << 20) >= 1 << 20);
	/* Together, these are more than the ring has space for. A read of a pipe has 992 at most.
	 */
	put_reports(500);
	i915.late_reports = 900;
	CHECK(!gpuoa_reader_disable(reader) && !i915.late_reports && !i915.enabled);
	CHECK(take_rest(&timestamp, &status) == 1400 && timestamp == i915.timestamp);
	/* The kept reports are gone; the stream continues as usual. */
	i915.waited_ms = 0;
	CHECK(!gpuoa_reader_enable(reader) && !gpuoa_reader_enable(reader) && !i915.waited_ms);
	put_reports(3);
	CHECK(take_rest(&timestamp, &status) == 3);
	/* A stream that is disabled has nothing to read. */
	CHECK(!gpuoa_reader_disable(reader) && i915.waited_ms);
	i915.waited_ms = 0;
	CHECK(!gpuoa_reader_disable(reader) && !i915.waited_ms);
	CHECK(take_rest(&timestamp, &status) == 0);
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
	CHECK(i915.properties[DRM_I915_PERF_PROP_SAMPLE_OA] == 1 && i915.n_properties == 6);
	close_stream();
	options.query_only = true;
	REQUIRE(!open_stream(&options));
	CHECK(i915.properties[DRM_I915_PERF_PROP_CTX_HANDLE] == 3);
	CHECK(i915.given ==
	      (1u << DRM_I915_PERF_PROP_CTX_HANDLE | 1u << DRM_I915_PERF_PROP_OA_METRICS_SET |
	       1u << DRM_I915_PERF_PROP_OA_FORMAT));
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
	tree_begin();
	tree_file("proc/sys/dev/i915/perf_stream_paranoid", "1\n");
	CHECK(open_with(EACCES) == -EACCES && says("dev.i915.perf_stream_paranoid (now 1) to 0"));
	tree_end();
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

#define RATE_LIMIT "proc/sys/dev/i915/oa_max_sample_rate"

/* A rate above the sysctl's is refused for that reason, at the sysctl's for another one. */
static void denied_rate_is_told_from_denied_access(void)
{
	struct gpuoa_stream_options options = { 0 };

	REQUIRE(begin("hsw", 0x0412));
	i915.open_error = EACCES;
	tree_begin();
	tree_file(RATE_LIMIT, "195311\n");
	CHECK(open_stream(&options) == -EACCES);
	CHECK(says("may not sample i915:0 195312 times a second") && says("(now 195311 Hz)"));
	tree_file(RATE_LIMIT, "0\n");
	CHECK(open_stream(&options) == -EACCES && says("(now 0 Hz)"));
	tree_file(RATE_LIMIT, "195312\n");
	CHECK(open_stream(&options) == -EACCES && says("may not sample i915:0: run as root"));
	tree_end();
	/* Without the sysctl, any rate is allowed. */
	CHECK(open_stream(&options) == -EACCES && says("may not sample i915:0: run as root"));
	end();
}

static void add_set_passes_the_registers_of_each_kind(void)
{
	struct gpuoa_set_desc desc;
	uint32_t id = 0;
	char path[128];

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
	tree_begin();
	snprintf(path, sizeof(path), CARD "/metrics/%s/id", desc.uuid);
	tree_file(path, "12\n");
	CHECK(!gpuoa_unit_add_set(opened, render_basic(), &id, error, sizeof(error)) && id == 12);
	tree_end();
	end();
}

/* The registers are passed in lists of the caller. */
static void add_config_passes_the_lists(void)
{
	static const struct gpuoa_register mux, boolean, flex;
	const struct unit_config config = {
		.uuid = "00000000-0000-4000-8000-00000000c057",
		.registers = { [GPUOA_REGISTER_MUX] = &mux,
			       [GPUOA_REGISTER_BOOLEAN] = &boolean,
			       [GPUOA_REGISTER_FLEX] = &flex },
		.counts = { [GPUOA_REGISTER_MUX] = 1,
			    [GPUOA_REGISTER_BOOLEAN] = 2,
			    [GPUOA_REGISTER_FLEX] = 3 },
	};
	uint32_t id;

	REQUIRE(begin("sklgt2", 0x1912));
	CHECK(!opened->backend->add_config(opened, &config, &id) && id == I915_CONFIG);
	CHECK(i915.config.mux_regs_ptr == (uintptr_t)&mux && i915.config.n_mux_regs == 1);
	CHECK(i915.config.boolean_regs_ptr == (uintptr_t)&boolean);
	CHECK(i915.config.n_boolean_regs == 2);
	CHECK(i915.config.flex_regs_ptr == (uintptr_t)&flex && i915.config.n_flex_regs == 3);
	end();
}

static void check_fails_after_removal_only(void)
{
	REQUIRE(begin("hsw", 0x0412));
	CHECK(!unit_check(opened));
	calls.left = 0;
	CHECK(!unit_check(opened) && calls.left == -1);
	i915.device = 0;
	CHECK(unit_check(opened) == -ENODEV);
	end();
}

/* A process that has closed its standard input may get 0 for the file of a stream. */
static void streams_may_have_file_0(void)
{
	struct gpuoa_stream_options options = { .notify_reports = 100 };
	const int input = dup(STDIN_FILENO);

	REQUIRE(begin("hsw", 0x0412));
	i915.moves_stream = true;
	REQUIRE(!open_stream(&options));
	CHECK(gpuoa_reader_fd(reader) == STDIN_FILENO);
	CHECK(!gpuoa_reader_disable(reader) && !i915.enabled);
	close_stream();
	CHECK(fcntl(STDIN_FILENO, F_GETFD) < 0);
	end();
	if (input >= 0) {
		dup2(input, STDIN_FILENO);
		close(input);
	}
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

#define WRAP (UINT64_C(1) << 36) /* ticks */

/* Return the extended clock when the CPU's clock is @cpu_ns and the register is @ticks. */
static uint64_t clock_at(uint64_t cpu_ns, uint64_t ticks)
{
	struct gpuoa_clock_pair pair = { 0 };

	i915.cpu_ns = cpu_ns;
	i915.ticks = ticks % WRAP;
	i915.reads = 0;
	CHECK(!gpuoa_unit_clock(opened, CLOCK_MONOTONIC, &pair));
	return pair.gpu_ticks;
}

/* The CPU's clock shows how often the register has wrapped, although both clocks drift. */
static void clock_is_extended_over_hours(void)
{
	uint64_t ns = 2000000000, ticks = 4711;

	REQUIRE(begin("hsw", 0x0412));
	for (int i = 0; i < 3; i++)
		i915.delays[i] = 1; /* use the simulated clock */
	CHECK(clock_at(ns, ticks) == ticks);
	for (unsigned int i = 0; i < 12; i++) {
		/* 0.3, 0.6, 0.9 ... wraps, and 1 s more or less by the clock of the CPU */
		const uint64_t passed = WRAP * 3 * (1 + i) / 10;

		ticks += passed;
		ns += 80 * passed;
		CHECK(clock_at(i % 2 ? ns + 1000000000 : ns - 1000000000, ticks) == ticks);
	}
	memset(i915.delays, 0, sizeof(i915.delays));
	i915.reads = 0;
	end();
}

/* Since gen12.5, reports have a faster clock that begins with the same bit. */
static void clock_of_reports_is_a_multiple_of_that_of_commands(void)
{
	static const struct {
		int reports_hz;
		uint64_t ratio;
	} known[] = { { 0, 1 }, { 12500000, 1 }, { 25000000, 2 }, { 50000000, 4 }, { 6250000, 1 } };
	struct gpuoa_clock_pair pair;

	for (size_t i = 0; i < sizeof(known) / sizeof(known[0]); i++) {
		const struct complaint quiet = { 0 };

		prepare("dg2", 0x56a0);
		i915.reports_hz = known[i].reports_hz;
		i915.ticks = 1000;
		REQUIRE(!backend_open(&i915_backend, "i915:0", &opened, &quiet));
		CHECK(!gpuoa_unit_clock(opened, CLOCK_MONOTONIC, &pair));
		CHECK(pair.gpu_ticks == 1000 * known[i].ratio);
		end();
	}
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
	RUN(unit_without_a_clock_cannot_be_opened);
	RUN(frequencies_are_those_of_the_hardware_or_configured);
	RUN(units_are_cards_of_i915);
	RUN(clock_pair_of_a_coarse_clock_has_the_error_of_a_tick);
	RUN(clock_pair_is_the_fastest_of_three);
	RUN(clock_pair_of_a_clock_set_back_has_no_bound);
	RUN(clock_error_is_half_of_the_time_and_a_tick);
	RUN(unit_of_a_removed_gpu_cannot_be_opened);
	RUN(unit_without_topology_cannot_be_opened);
	RUN(stream_open_passes_properties);
	RUN(poll_period_fits_notification_and_buffer);
	RUN(old_i915_has_no_poll_period);
	RUN(disable_waits_for_two_polls);
	RUN(disable_reads_the_reports_of_the_last_poll);
	RUN(stream_of_a_context_uses_the_file_of_the_caller);
	RUN(stream_open_errors_have_messages);
	RUN(denied_rate_is_told_from_denied_access);
	RUN(add_set_passes_the_registers_of_each_kind);
	RUN(add_config_passes_the_lists);
	RUN(check_fails_after_removal_only);
	RUN(streams_may_have_file_0);
	RUN(clock_is_extended_over_wraps);
	RUN(clock_is_extended_over_hours);
	RUN(clock_of_reports_is_a_multiple_of_that_of_commands);
	RUN(stream_survives_failures);
	return tap_end();
}
