// SPDX-License-Identifier: MIT
/*
 * stall_stream_test.c - Test streams of EU stall sampling with a simulated xe driver: this file
 * replaces open(2), ioctl(2) and read(2) for one render node, and fopen(3) for one file.
 */
#define _GNU_SOURCE /* RTLD_NEXT */
#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <stdarg.h>
#include <stdlib.h>
#include <sys/eventfd.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <sys/utsname.h>
#include <unistd.h>

#include "extra/stalls/stream.h"
#include "extra/stalls/xe_eu_stall.h"
#include "tap.h"

#define NODE "/dev/dri/renderD200"
#define FREQUENCY_FILE "/sys/class/drm/card7/device/tile0/gt0/freq0/act_freq"
#define RECORD 64
#define CORES 8
#define PART 8192 /* bytes of each Xe core's buffer */
#define RESULTS 16
#define PERIODS 20 /* more than a description has room for */

/* A part of the topology of the GPU */
struct part {
	struct drm_xe_query_topology_mask head;
	uint8_t mask[4];
};

static struct {
	int open_error; /* of the node */
	int query_error; /* of the query about EU stall sampling */
	uint64_t record_size, buffer_size, period_count;
	const struct part *topology; /* NULL: the query fails */
	size_t topology_size; /* bytes */
	const char *frequency; /* content of the file; NULL: there is no file */
	unsigned int interruptions; /* number of next calls of ioctl(2) that fail with EINTR */
	unsigned int switches; /* number of times that the stream was enabled or disabled */
	int switch_error; /* of enabling and disabling */
	int stream_error; /* of opening a stream */
	bool close_input; /* descriptor 0 is closed before a stream is opened */
	uint64_t properties[4]; /* of the last stream, by number */
	int fd; /* of the stream */
	bool enabled;
	/* results of reads: a number of records, or a negative errno */
	int results[RESULTS];
	unsigned int n_results, next;
	size_t room; /* of the last read */
} fake;

static const struct part topology[] = {
	{ { .gt_id = 0, .type = DRM_XE_TOPO_DSS_GEOMETRY, .num_bytes = 4 }, { 0x0f } },
	{ { .gt_id = 0, .type = DRM_XE_TOPO_DSS_COMPUTE, .num_bytes = 4 }, { 0xfc, 0 } },
	{ { .gt_id = 0, .type = DRM_XE_TOPO_EU_PER_DSS, .num_bytes = 4 }, { 0xff, 0xff } },
	{ { .gt_id = 1, .type = DRM_XE_TOPO_DSS_COMPUTE, .num_bytes = 4 }, { 0, 0xff } },
};

static void fake_begin(void)
{
	memset(&fake, 0, sizeof(fake));
	fake.topology = topology;
	fake.topology_size = sizeof(topology);
	fake.record_size = RECORD;
	fake.buffer_size = PART;
	fake.period_count = 3;
	fake.fd = -1;
}

int open(const char *path, int flags, ...)
{
	va_list arguments;
	mode_t mode;

	va_start(arguments, flags);
	mode = va_arg(arguments, mode_t);
	va_end(arguments);
	if (strcmp(path, NODE))
		return (int)syscall(SYS_openat, AT_FDCWD, path, flags, mode);
	if (fake.open_error) {
		errno = fake.open_error;
		return -1;
	}
	CHECK((flags & O_ACCMODE) == O_RDWR && flags & O_CLOEXEC);
	return eventfd(0, EFD_CLOEXEC);
}

FILE *fopen(const char *path, const char *mode)
{
	FILE *(*real)(const char *, const char *) = (FILE * (*)(const char *, const char *))
		dlsym(RTLD_NEXT, "fopen");

	if (!strcmp(path, FREQUENCY_FILE) && fake.frequency)
		return fmemopen((char *)fake.frequency, strlen(fake.frequency), "r");
	return real(path, mode);
}

static int answer(struct drm_xe_device_query *query, const void *data, size_t size)
{
	if (query->size)
		memcpy((void *)(uintptr_t)query->data, data, size);
	query->size = (uint32_t)size;
	return 0;
}

static int answer_stalls(struct drm_xe_device_query *query)
{
	static const uint64_t periods[PERIODS] = { 251,	 502,  1757, 1758, 1759, 1760, 1761,
						   1762, 1763, 1764, 1765, 1766, 1767, 1768,
						   1769, 1770, 1771, 1772, 1773, 1774 };
	const size_t count = fake.period_count > 4 ? fake.period_count : 3;
	struct {
		struct xe_eu_stall_info head;
		uint64_t periods[PERIODS];
	} info = {
		.head = { .capabilities = 1,
			  .record_size = fake.record_size,
			  .buffer_size = fake.buffer_size,
			  .period_count = fake.period_count },
	};

	memcpy(info.periods, periods, sizeof(periods));
	return fake.query_error ? fake.query_error :
				  answer(query, &info, sizeof(info.head) + count * 8);
}

static int open_fake(const struct drm_xe_observation_param *args)
{
	const struct drm_xe_ext_set_property *property = (const void *)(uintptr_t)args->param;

	if (args->observation_type != 1 ||
	    args->observation_op != DRM_XE_OBSERVATION_OP_STREAM_OPEN)
		return -EINVAL;
	for (; property; property = (const void *)(uintptr_t)property->base.next_extension)
		fake.properties[property->property & 3] = property->value;
	if (fake.stream_error)
		return fake.stream_error;
	if (fake.close_input)
		close(0);
	fake.fd = eventfd(0, 0);
	return fake.fd;
}

static int do_ioctl(int fd, unsigned long request, void *argument)
{
	struct drm_xe_device_query *query = argument;

	if (request == DRM_IOCTL_XE_OBSERVATION)
		return open_fake(argument);
	if (fd == fake.fd) {
		fake.switches++;
		if (!fake.switch_error)
			fake.enabled = request == DRM_XE_OBSERVATION_IOCTL_ENABLE;
		return fake.switch_error;
	}
	if (request != DRM_IOCTL_XE_DEVICE_QUERY)
		return -ENOTTY;
	if (query->query == DRM_XE_DEVICE_QUERY_GT_TOPOLOGY && fake.topology)
		return answer(query, fake.topology, fake.topology_size);
	return query->query == 10 ? answer_stalls(query) : -EINVAL;
}

int ioctl(int fd, unsigned long request, ...)
{
	va_list arguments;
	int result;

	if (fake.interruptions) {
		fake.interruptions--;
		errno = EINTR;
		return -1;
	}
	va_start(arguments, request);
	result = do_ioctl(fd, request, va_arg(arguments, void *));
	va_end(arguments);
	if (result >= 0)
		return result;
	errno = -result;
	return -1;
}

ssize_t read(int fd, void *to, size_t size)
{
	int result;

	if (fd != fake.fd)
		return syscall(SYS_read, fd, to, size);
	fake.room = size;
	result = fake.next < fake.n_results ? fake.results[fake.next++] : -EAGAIN;
	if (result >= 0) {
		memset(to, result, (size_t)result * RECORD);
		return (ssize_t)result * RECORD;
	}
	errno = -result;
	return -1;
}

static void add_result(int result)
{
	fake.results[fake.n_results++] = result;
}

/* ---- GPUs ---- */

static struct gpuoa_device_desc lnl = {
	.name = "0000:00:02.0",
	.driver = "xe",
	.card = "/dev/dri/card7",
	.render = NODE,
	.platform = "lnl",
	.title = "Lunar Lake",
	.units = { "xe:7" },
	.unit_count = 1,
};

static char error[512];

static int open_on(const struct gpuoa_device_desc *gpus, size_t count, const char *name,
		   struct gpuoa_stall_options *options, struct gpuoa_stall_stream **stream)
{
	const struct complaint complaint = complaint_begin(error, sizeof(error));
	const struct stall_machine machine = { gpus, count };

	return stall_open_on(&machine, name, options, stream, &complaint);
}

static int open_lnl(struct gpuoa_stall_options *options, struct gpuoa_stall_stream **stream)
{
	return open_on(&lnl, 1, NULL, options, stream);
}

/* ---- tests ---- */

static void open_passes_options_and_returns_actual_values(void)
{
	struct gpuoa_stall_options options = { .size = sizeof(options), .period_clocks = 800 };
	struct gpuoa_stall_desc desc;
	struct gpuoa_stall_stream *stream;

	fake_begin();
	REQUIRE(!open_lnl(&options, &stream));
	CHECK(options.period_clocks == 502 && fake.properties[2] == 502);
	CHECK(options.notify_records == PART / RECORD / 4);
	CHECK(fake.properties[3] == options.notify_records && fake.properties[1] == 0);
	CHECK(fake.enabled);
	gpuoa_stall_describe(stream, &desc, sizeof(desc));
	CHECK_STRING(desc.device, "0000:00:02.0");
	CHECK_STRING(desc.platform, "lnl");
	CHECK_STRING(desc.title, "Lunar Lake");
	CHECK(desc.layout == gpuoa_stall_layout_by_name("xe2"));
	CHECK(desc.period_clocks == 502 && desc.period_count == 3 && desc.periods[2] == 1757);
	CHECK(desc.xe_core_count == CORES && desc.buffer_size == PART && !desc.frequency);
	CHECK(gpuoa_stall_fd(stream) == fake.fd);
	CHECK(fcntl(fake.fd, F_GETFD) == FD_CLOEXEC);
	CHECK(fcntl(fake.fd, F_GETFL) & O_NONBLOCK);
	CHECK(!gpuoa_stall_wait(stream, 0));
	eventfd_write(fake.fd, 1);
	CHECK(gpuoa_stall_wait(stream, 0) == 1);
	gpuoa_stall_close(stream);
	gpuoa_stall_close(NULL);
	CHECK(fcntl(fake.fd, F_GETFD) < 0);
}

static void period_is_the_longest_by_default_and_checked(void)
{
	/* Requested period, and the one that it is rounded down to */
	static const uint32_t periods[][2] = {
		{ 251, 251 }, { 501, 251 }, { 502, 502 }, { 1756, 502 }, { 1757, 1757 }
	};
	struct gpuoa_stall_options options = { .size = sizeof(options), .period_clocks = 250 };
	struct gpuoa_stall_stream *stream;

	fake_begin();
	CHECK(open_lnl(&options, &stream) == -ERANGE);
	CHECK(strstr(error, "251 to 1757 clocks"));
	options.period_clocks = 1758;
	CHECK(open_lnl(&options, &stream) == -ERANGE);
	for (size_t i = 0; i < sizeof(periods) / sizeof(periods[0]); i++) {
		options.period_clocks = periods[i][0];
		REQUIRE(!open_lnl(&options, &stream));
		CHECK(options.period_clocks == periods[i][1]);
		gpuoa_stall_close(stream);
	}
	options = (struct gpuoa_stall_options){ 0 };
	CHECK(open_lnl(&options, &stream) == -EINVAL);
	REQUIRE(!open_lnl(NULL, &stream));
	CHECK(fake.properties[2] == 1757);
	gpuoa_stall_close(stream);
}

static void read_returns_records_and_counts_losses(void)
{
	struct gpuoa_stall_options options = { .size = sizeof(options), .disabled = true };
	struct gpuoa_stall_stream *stream;
	struct gpuoa_stall_window window, next;

	fake_begin();
	REQUIRE(!open_lnl(&options, &stream));
	CHECK(!fake.enabled);
	CHECK(gpuoa_stall_read(stream, &window, sizeof(window)) == -EINVAL);
	CHECK(!gpuoa_stall_enable(stream) && fake.enabled);
	add_result(3);
	REQUIRE(!gpuoa_stall_read(stream, &window, sizeof(window)));
	CHECK(window.count == 3 && !window.losses && window.records);
	CHECK(((const uint8_t *)window.records)[3 * RECORD - 1] == 3);
	CHECK(fake.room >= CORES * PART);
	CHECK(window.begin_ns && window.end_ns >= window.begin_ns);
	add_result(-EINTR);
	add_result(-EIO);
	add_result(5);
	REQUIRE(!gpuoa_stall_read(stream, &next, sizeof(next)));
	CHECK(next.count == 5 && next.losses == 1 && next.begin_ns == window.end_ns);
	/* A loss without records, then nothing */
	add_result(-EIO);
	REQUIRE(!gpuoa_stall_read(stream, &next, sizeof(next)));
	CHECK(!next.count && !next.records && next.losses == 1);
	REQUIRE(!gpuoa_stall_read(stream, &next, sizeof(next)));
	CHECK(!next.count && !next.losses);
	add_result(-EINTR);
	add_result(0);
	add_result(1);
	REQUIRE(!gpuoa_stall_read(stream, &next, sizeof(next)));
	CHECK(!next.count && !next.records && !next.losses);
	REQUIRE(!gpuoa_stall_read(stream, &next, sizeof(next)));
	CHECK(next.count == 1 && next.records == window.records);
	/* A reset ends the stream. */
	add_result(-ENODEV);
	CHECK(gpuoa_stall_read(stream, &next, sizeof(next)) == -ENODEV);
	CHECK(!gpuoa_stall_disable(stream) && !fake.enabled);
	CHECK(gpuoa_stall_read(stream, &next, sizeof(next)) == -EINVAL);
	gpuoa_stall_close(stream);
	/* The memory of the records is unmapped. */
	CHECK(msync((void *)window.records, PART, MS_ASYNC) < 0 && errno == ENOMEM);
}

/* A read reports at most four losses. */
static void endless_losses_do_not_block_a_read(void)
{
	struct gpuoa_stall_stream *stream;
	struct gpuoa_stall_window window;

	fake_begin();
	REQUIRE(!open_lnl(NULL, &stream));
	for (int i = 0; i < 7; i++)
		add_result(-EIO);
	add_result(2);
	REQUIRE(!gpuoa_stall_read(stream, &window, sizeof(window)));
	CHECK(window.losses == 4 && !window.count && !window.records);
	REQUIRE(!gpuoa_stall_read(stream, &window, sizeof(window)));
	CHECK(window.losses == 3 && window.count == 2);
	gpuoa_stall_close(stream);
}

static void enable_and_disable_happen_once(void)
{
	struct gpuoa_stall_options options = { .size = sizeof(options), .disabled = true };
	struct gpuoa_stall_stream *stream;
	struct gpuoa_stall_window window;

	fake_begin();
	fake.interruptions = 1;
	REQUIRE(!open_lnl(&options, &stream));
	CHECK(!gpuoa_stall_disable(stream) && fake.switches == 0);
	fake.interruptions = 2;
	CHECK(!gpuoa_stall_enable(stream) && fake.switches == 1 && fake.enabled);
	CHECK(!gpuoa_stall_enable(stream) && fake.switches == 1);
	REQUIRE(!gpuoa_stall_read(stream, &window, sizeof(window)));
	fake.switch_error = -ETIMEDOUT;
	CHECK(gpuoa_stall_disable(stream) == -ETIMEDOUT && fake.switches == 2);
	CHECK(!gpuoa_stall_read(stream, &window, sizeof(window)));
	fake.switch_error = 0;
	CHECK(!gpuoa_stall_disable(stream) && fake.switches == 3 && !fake.enabled);
	CHECK(!gpuoa_stall_disable(stream) && fake.switches == 3);
	fake.switch_error = -ETIMEDOUT;
	CHECK(gpuoa_stall_enable(stream) == -ETIMEDOUT && fake.switches == 4);
	CHECK(gpuoa_stall_read(stream, &window, sizeof(window)) == -EINVAL);
	gpuoa_stall_close(stream);
}

static void describe_returns_the_current_frequency(void)
{
	static const struct {
		const char *content;
		uint64_t hz;
	} cases[] = { { "1950\n", 1950000000 }, { "0\n", 0 }, { "1\n", 1000000 }, { "?\n", 0 } };
	struct gpuoa_stall_stream *stream;
	struct gpuoa_stall_desc desc;

	fake_begin();
	REQUIRE(!open_lnl(NULL, &stream));
	for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
		fake.frequency = cases[i].content;
		gpuoa_stall_describe(stream, &desc, sizeof(desc));
		CHECK(desc.frequency == cases[i].hz);
	}
	gpuoa_stall_close(stream);
}

/* Cores of the geometry and the compute pipes are counted once; damaged parts are not read. */
static void describe_counts_cores_of_the_topology(void)
{
	static const struct part few[] = {
		{ { .gt_id = 0, .type = DRM_XE_TOPO_DSS_GEOMETRY, .num_bytes = 4 },
		  { 0, 0, 0, 6 } },
		{ { .gt_id = 0, .type = DRM_XE_TOPO_DSS_COMPUTE, .num_bytes = 4 },
		  { 0, 0, 0, 10 } },
	};
	static const struct part one[] = {
		{ { .gt_id = 0, .type = DRM_XE_TOPO_DSS_GEOMETRY, .num_bytes = 4 }, { 1 } },
		{ { .gt_id = 1, .type = DRM_XE_TOPO_DSS_GEOMETRY, .num_bytes = 4 }, { 0xff } },
	};
	static const struct part none[] = {
		{ { .gt_id = 0, .type = DRM_XE_TOPO_EU_PER_DSS, .num_bytes = 4 }, { 0xff } },
		{ { .gt_id = 1, .type = DRM_XE_TOPO_DSS_GEOMETRY, .num_bytes = 4 }, { 0xff } },
	};
	static struct {
		struct drm_xe_query_topology_mask head;
		uint8_t mask[70];
	} many = { .head = { .type = DRM_XE_TOPO_DSS_COMPUTE, .num_bytes = 70 } };
	const struct {
		const void *parts;
		size_t size;
		uint32_t cores;
	} cases[] = {
		{ topology, sizeof(topology), CORES },
		{ topology, sizeof(topology[0]), 4 },
		{ topology, sizeof(topology[0]) + 1, 4 },
		{ topology, 2 * sizeof(topology[0]) - 1, 4 },
		{ topology, sizeof(topology[0]) - 1, 0 },
		{ topology, 4, 0 },
		{ few, sizeof(few), 3 },
		{ one, sizeof(one), 1 },
		{ none, sizeof(none), 0 },
		{ &many, sizeof(many.head) + 70, 64 * 8 },
		{ NULL, 0, 0 },
	};
	struct gpuoa_stall_stream *stream;
	struct gpuoa_stall_window window;
	struct gpuoa_stall_desc desc;

	memset(many.mask, 0xff, sizeof(many.mask));
	for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
		fake_begin();
		fake.topology = cases[i].parts;
		fake.topology_size = cases[i].size;
		REQUIRE(!open_lnl(NULL, &stream));
		gpuoa_stall_describe(stream, &desc, sizeof(desc));
		if (!CHECK(desc.xe_core_count == cases[i].cores))
			printf("# case %zu: %u cores\n", i, desc.xe_core_count);
		/* The buffer has room for those of all cores; at least one. */
		CHECK(!gpuoa_stall_read(stream, &window, sizeof(window)));
		CHECK(fake.room == PART * (size_t)(cases[i].cores ? cases[i].cores : 1));
		gpuoa_stall_close(stream);
	}
}

static void description_has_the_first_periods(void)
{
	struct gpuoa_stall_options options = { .size = sizeof(options) };
	struct gpuoa_stall_stream *stream;
	struct gpuoa_stall_desc desc;

	for (uint32_t count = 16; count < 18; count++) {
		fake_begin();
		fake.period_count = count;
		options.period_clocks = 0;
		REQUIRE(!open_lnl(&options, &stream));
		gpuoa_stall_describe(stream, &desc, sizeof(desc));
		CHECK(desc.period_count == GPUOA_STALL_PERIODS && desc.periods[15] == 1770);
		CHECK(options.period_clocks == 1770);
		gpuoa_stall_close(stream);
	}
}

static void nodes_of_the_gpu_are_the_render_node_or_the_card(void)
{
	struct gpuoa_device_desc gpu = lnl;
	struct gpuoa_stall_stream *stream;
	struct gpuoa_stall_desc desc;

	fake_begin();
	*gpu.render = '\0';
	CHECK(open_on(&gpu, 1, NULL, NULL, &stream) == -ENOENT);
	CHECK(strstr(error, "0000:00:02.0: cannot open /dev/dri/card7: "));
	CHECK(!strstr(error, "group"));
	gpu = lnl;
	*gpu.card = '\0';
	fake.frequency = "1950\n";
	REQUIRE(!open_on(&gpu, 1, NULL, NULL, &stream));
	gpuoa_stall_describe(stream, &desc, sizeof(desc));
	CHECK(!desc.frequency);
	gpuoa_stall_close(stream);
}

/* A program may have closed its standard input. */
static void descriptor_0_is_valid(void)
{
	const struct complaint complaint = complaint_begin(error, sizeof(error));
	const struct stall_machine machine = { &lnl, 1 };
	struct gpuoa_stall_stream *stream;
	struct gpuoa_stall_desc desc;

	/* of the node */
	fake_begin();
	close(0);
	CHECK(!stall_check_on(&machine, NULL, &desc, sizeof(desc), &complaint));
	CHECK(fcntl(0, F_GETFD) < 0 && desc.xe_core_count == CORES);
	REQUIRE(!open_lnl(NULL, &stream));
	CHECK(fcntl(0, F_GETFD) < 0 && fake.fd > 0);
	gpuoa_stall_close(stream);
	/* of the stream */
	CHECK(!eventfd(0, 0));
	fake_begin();
	fake.close_input = true;
	REQUIRE(!open_lnl(NULL, &stream));
	CHECK(gpuoa_stall_fd(stream) == 0 && fake.fd == 0 && fake.enabled);
	CHECK_STRING(error, "");
	gpuoa_stall_close(stream);
	CHECK(fcntl(0, F_GETFD) < 0);
	CHECK(!open("/dev/null", O_RDONLY));
}

/* Return the descriptor that a file would get. */
static int next_descriptor(void)
{
	const int fd = dup(0);

	close(fd);
	return fd;
}

static void failures_leave_no_descriptor_open(void)
{
	const struct complaint complaint = complaint_begin(error, sizeof(error));
	const struct stall_machine machine = { &lnl, 1 };
	struct gpuoa_stall_options options = { .size = sizeof(options), .period_clocks = 1 };
	struct gpuoa_stall_stream *stream;
	struct gpuoa_stall_desc desc;
	const int next = next_descriptor();

	fake_begin();
	CHECK(!stall_check_on(&machine, NULL, &desc, sizeof(desc), &complaint));
	CHECK(next_descriptor() == next);
	CHECK(stall_check_on(&machine, "none", &desc, sizeof(desc), &complaint) == -ENOENT);
	CHECK(open_lnl(&options, &stream) == -ERANGE && next_descriptor() == next);
	fake.switch_error = -ETIMEDOUT;
	CHECK(open_lnl(NULL, &stream) == -ETIMEDOUT && next_descriptor() == next);
	fake.stream_error = -ENOSPC;
	CHECK(open_lnl(NULL, &stream) == -ENOSPC && next_descriptor() == next);
	fake.query_error = -EINVAL;
	CHECK(open_lnl(NULL, &stream) == -EOPNOTSUPP && next_descriptor() == next);
	fake.query_error = -EIO;
	CHECK(open_lnl(NULL, &stream) == -EIO && next_descriptor() == next);
	CHECK(open_on(&lnl, 1, "none", NULL, &stream) == -ENOENT && next_descriptor() == next);
}

static void gpus_without_stall_sampling_are_refused_by_name(void)
{
	static const struct {
		const char *platform, *title, *driver, *expected;
	} cases[] = {
		{ "acmgt1", "DG2", "xe", "DG2 has no EU stall sampling" },
		{ "mtlgt3", "Meteor Lake", "i915", "Meteor Lake has no EU stall sampling" },
		{ "tglgt2", "Tiger Lake GT2", "i915", "Tiger Lake GT2 has no EU stall sampling" },
		{ "", "", "", "unknown GPU has no EU stall sampling" },
		{ "lnl", "Lunar Lake", "", "Lunar Lake is driven by no driver" },
		{ "lnl", "Lunar Lake", "i915", "Lunar Lake is driven by i915" },
	};
	struct gpuoa_stall_stream *stream;
	struct utsname kernel;
	char linux_release[80];

	fake_begin();
	REQUIRE(!uname(&kernel));
	snprintf(linux_release, sizeof(linux_release), "Linux %s", kernel.release);
	for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
		struct gpuoa_device_desc gpu = lnl;

		snprintf(gpu.platform, sizeof(gpu.platform), "%s", cases[i].platform);
		snprintf(gpu.title, sizeof(gpu.title), "%s", cases[i].title);
		snprintf(gpu.driver, sizeof(gpu.driver), "%s", cases[i].driver);
		CHECK(open_on(&gpu, 1, NULL, NULL, &stream) == -EOPNOTSUPP);
		if (!CHECK(strstr(error, cases[i].expected) && strstr(error, linux_release)))
			printf("# %s\n", error);
	}
	CHECK(fake.fd < 0);
}

static void kernels_without_stall_sampling_are_refused_by_name(void)
{
	static const struct {
		uint64_t record_size, buffer_size, period_count;
	} unknown[] = {
		{ 128, PART, 3 },    { RECORD, 0, 3 },	  { RECORD, PART + RECORD / 2, 3 },
		{ RECORD, PART, 0 }, { RECORD, PART, 4 }, /* more than there are */
	};
	struct gpuoa_stall_stream *stream;

	fake_begin();
	fake.query_error = -EINVAL;
	CHECK(open_lnl(NULL, &stream) == -EOPNOTSUPP);
	CHECK(strstr(error, "Lunar Lake") && strstr(error, "Linux 6.15 or later is needed"));
	fake.query_error = -ENODEV;
	CHECK(open_lnl(NULL, &stream) == -EOPNOTSUPP);
	for (size_t i = 0; i < sizeof(unknown) / sizeof(unknown[0]); i++) {
		fake_begin();
		fake.record_size = unknown[i].record_size;
		fake.buffer_size = unknown[i].buffer_size;
		fake.period_count = unknown[i].period_count;
		CHECK(open_lnl(NULL, &stream) == -EOPNOTSUPP);
		CHECK(strstr(error, "records that this library does not know"));
	}
}

static void errors_of_the_kernel_have_a_remedy(void)
{
	struct gpuoa_stall_options options = { .size = sizeof(options),
					       .notify_records = CORES * PART / RECORD + 1 };
	struct gpuoa_stall_stream *stream;

	fake_begin();
	fake.stream_error = -EACCES;
	CHECK(open_lnl(NULL, &stream) == -EACCES);
	CHECK(strstr(error, "CAP_PERFMON") && strstr(error, "dev.xe.observation_paranoid"));
	fake.stream_error = -EBUSY;
	CHECK(open_lnl(NULL, &stream) == -EBUSY);
	CHECK(strstr(error, "another program does"));
	fake.stream_error = -EINVAL;
	CHECK(open_lnl(&options, &stream) == -EINVAL);
	CHECK(strstr(error, "notify_records is 1025, but the buffers have room for 1024"));
	options.notify_records--;
	CHECK(open_lnl(&options, &stream) == -EINVAL);
	CHECK_STRING(error, "0000:00:02.0: cannot sample EU stalls: Invalid argument");
	/* The number of cores and so the size of the buffers are unknown. */
	options.notify_records++;
	fake.topology = NULL;
	CHECK(open_lnl(&options, &stream) == -EINVAL);
	CHECK_STRING(error, "0000:00:02.0: cannot sample EU stalls: Invalid argument");
	fake.stream_error = -ENOSPC;
	CHECK(open_lnl(NULL, &stream) == -ENOSPC);
	CHECK_STRING(error, "0000:00:02.0: cannot sample EU stalls: No space left on device");
	fake.open_error = EACCES;
	CHECK(open_lnl(NULL, &stream) == -EACCES);
	CHECK(strstr(error, NODE) && strstr(error, "group"));
}

static void gpu_is_found_by_each_of_its_names(void)
{
	static const char *const good[] = { "0000:00:02.0", "xe:7", NODE, "card7", NULL };
	struct gpuoa_device_desc gpus[2] = { lnl, lnl };
	struct gpuoa_stall_stream *stream;
	struct gpuoa_stall_desc desc;
	const struct stall_machine machine = { gpus, 2 };
	const struct complaint complaint = complaint_begin(error, sizeof(error));

	fake_begin();
	/* The first GPU has no EU stall sampling; the second one is taken without a name. */
	gpus[0] = (struct gpuoa_device_desc){ .name = "0000:00:01.0",
					      .driver = "i915",
					      .platform = "tglgt2" };
	for (size_t i = 0; i < sizeof(good) / sizeof(good[0]); i++) {
		REQUIRE(!stall_check_on(&machine, good[i], &desc, sizeof(desc), &complaint));
		CHECK_STRING(desc.device, "0000:00:02.0");
		CHECK(!desc.period_clocks && desc.period_count == 3);
	}
	CHECK(open_on(gpus, 2, "0000:00:01.0", NULL, &stream) == -EOPNOTSUPP);
	CHECK(open_on(gpus, 2, "card8", NULL, &stream) == -ENOENT);
	CHECK_STRING(error, "no GPU card8: see 'gpuoa list gpus'");
	CHECK(open_on(gpus, 0, NULL, NULL, &stream) == -ENODEV);
	CHECK_STRING(error, "no GPU on this machine: see 'gpuoa list gpus'");
	/* If none has EU stall sampling, the message is about the first GPU. */
	strcpy(gpus[1].driver, "i915");
	CHECK(open_on(gpus, 2, NULL, NULL, &stream) == -EOPNOTSUPP);
	CHECK(strstr(error, "0000:00:01.0: "));
}

/* This asks the machine that runs the test, which may have GPUs. */
static void missing_gpu_is_named(void)
{
	static const char expected[] = "no GPU none: see 'gpuoa list gpus'";
	struct gpuoa_stall_stream *stream;
	struct gpuoa_stall_desc desc;
	int err = gpuoa_stall_check("none", &desc, sizeof(desc), error, sizeof(error));

	CHECK(err == -ENODEV || err == -ENOENT);
	CHECK_STRING(error, expected);
	*error = '\0';
	CHECK(gpuoa_stall_open("none", NULL, &stream, error, sizeof(error)) == err);
	CHECK_STRING(error, expected);
}

int main(void)
{
	RUN(open_passes_options_and_returns_actual_values);
	RUN(period_is_the_longest_by_default_and_checked);
	RUN(read_returns_records_and_counts_losses);
	RUN(endless_losses_do_not_block_a_read);
	RUN(enable_and_disable_happen_once);
	RUN(describe_returns_the_current_frequency);
	RUN(describe_counts_cores_of_the_topology);
	RUN(description_has_the_first_periods);
	RUN(nodes_of_the_gpu_are_the_render_node_or_the_card);
	RUN(descriptor_0_is_valid);
	RUN(failures_leave_no_descriptor_open);
	RUN(gpus_without_stall_sampling_are_refused_by_name);
	RUN(kernels_without_stall_sampling_are_refused_by_name);
	RUN(errors_of_the_kernel_have_a_remedy);
	RUN(gpu_is_found_by_each_of_its_names);
	RUN(missing_gpu_is_named);
	return tap_end();
}
