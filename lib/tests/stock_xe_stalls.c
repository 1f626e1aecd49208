// SPDX-License-Identifier: MIT
/*
 * stock_xe_stalls.c - Test streams of EU stall sampling of the stock xe driver on a GPU of
 * gpuoa-vgpu: kernels run on the compute engine, and each value that the library reads must equal
 * the virtual GPU's reference.
 *
 * Before Linux 6.15, only the refusal is tested. "stock_xe_stalls --work N" only runs kernels, N
 * times each, for tests of the command.
 */
#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <stdlib.h>
#include <sys/ioctl.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <sys/utsname.h>
#include <sys/wait.h>
#include <unistd.h>

#include "gpuoa-stalls.h"
#include "selftests/vgpu.h"
#include "selftests/xe/xe.h"
#include "stall_reference.h"
#include "tap.h"

#define TIMEOUT_S 120 /* an emulated guest on a busy machine is slow */
#define BATCH_AT 0x100000
#define KERNELS_AT UINT64_C(0x200000000000) /* instruction base, a multiple of 4 GiB */
#define SIZE 0x10000
#define FIRST_KERNEL 0x100 /* offsets from the instruction base */
#define SECOND_KERNEL 0x1000
#define LARGE_KERNEL 0x4000
#define LARGE_INSTRUCTIONS 1500
#define GROUPS 40000 /* so many that the model lets a kernel run as long as it can */

static struct {
	int fd;
	uint32_t vm;
	uint32_t queue;
	uint32_t *batch;
	uint32_t *code;
} gpu;

static char error[512];

/* ---- kernels ---- */

#define OP_SYNC 0x01
#define OP_WHILE 0x27
#define OP_SEND 0x31
#define OP_MATH 0x38
#define OP_MOV 0x61
#define OP_MAD 0x5b
#define TOKEN 0x8300 /* waits for a token */
#define DISTANCE 0x0100
#define END_OF_THREAD 4 /* in the second dword */

static uint32_t *emit_instruction(uint32_t *at, uint32_t low, uint32_t high, uint32_t last)
{
	const uint32_t words[] = { low, high, 0, last };

	memcpy(at, words, sizeof(words));
	return at + 4;
}

static void write_kernels(void)
{
	uint32_t *at = gpu.code + FIRST_KERNEL / 4;

	at = emit_instruction(at, OP_MOV, 0, 0);
	at = emit_instruction(at, OP_SEND, 0, 0);
	at = emit_instruction(at, OP_MAD | TOKEN, 0, 0);
	at = emit_instruction(at, OP_MATH | DISTANCE, 0, 0);
	at = emit_instruction(at, OP_WHILE, 0, (uint32_t)-48);
	emit_instruction(at, OP_SEND, END_OF_THREAD, 0);
	at = gpu.code + SECOND_KERNEL / 4;
	at = emit_instruction(at, OP_SYNC, 0, 0);
	at = emit_instruction(at, OP_MOV | TOKEN, 0, 0);
	emit_instruction(at, OP_SEND, END_OF_THREAD, 0);
	at = gpu.code + LARGE_KERNEL / 4;
	for (int i = 0; i < LARGE_INSTRUCTIONS; i++)
		at = emit_instruction(at, OP_MOV, 0, 0);
	emit_instruction(at, OP_SEND, END_OF_THREAD, 0);
}

/* ---- xe ---- */

static bool open_queue(void)
{
	const struct drm_xe_engine_class_instance compute = { DRM_XE_ENGINE_CLASS_COMPUTE, 0, 0,
							      0 };

	return !xe_create_queue(gpu.fd, gpu.vm, compute, &gpu.queue);
}

static bool open_gpu(void)
{
	struct drm_xe_vm_create vm = { 0 };

	gpu.fd = xe_open();
	if (gpu.fd < 0 || ioctl(gpu.fd, DRM_IOCTL_XE_VM_CREATE, &vm))
		return false;
	gpu.vm = vm.vm_id;
	gpu.batch = xe_create_at(gpu.fd, gpu.vm, BATCH_AT, SIZE);
	gpu.code = xe_create_at(gpu.fd, gpu.vm, KERNELS_AT, SIZE);
	if (gpu.batch == MAP_FAILED || gpu.code == MAP_FAILED || !open_queue())
		return false;
	write_kernels();
	return true;
}

/* Write STATE_BASE_ADDRESS with the instruction base, and COMPUTE_WALKER of Xe2. */
static void write_batch(uint32_t kernel)
{
	uint32_t *at = gpu.batch;

	memset(at, 0, 0x400);
	at[0] = 0x61010014;
	at[10] = (uint32_t)KERNELS_AT | 1;
	at[11] = (uint32_t)(KERNELS_AT >> 32);
	at += 22;
	at[0] = 0x72080026;
	at[7] = GROUPS;
	at[8] = at[9] = 1;
	at[19] = kernel;
	at[40] = 0x05000000;
}

/* Run a kernel, and wait for its end. */
static bool run(uint32_t kernel)
{
	int done;

	write_batch(kernel);
	done = xe_submit(gpu.fd, gpu.queue, BATCH_AT, 0);
	return done > 0 && !xe_wait(gpu.fd, (uint32_t)done);
}

/* ---- reading ---- */

struct result {
	struct gpuoa_stall_sums *sums;
	uint64_t records;
	uint32_t losses;
};

static bool begin(uint32_t period, struct gpuoa_stall_stream **stream, struct result *result)
{
	struct gpuoa_stall_options options = { .size = sizeof(options), .period_clocks = period };

	*result = (struct result){ NULL };
	vgpu_request("stalls clear");
	if (gpuoa_stall_sums_new(&result->sums))
		return false;
	if (!gpuoa_stall_open(NULL, &options, stream, error, sizeof(error)))
		return CHECK(options.period_clocks == period);
	printf("# %s\n", error);
	return false;
}

static void end(struct gpuoa_stall_stream *stream, struct result *result)
{
	gpuoa_stall_close(stream);
	gpuoa_stall_sums_free(result->sums);
}

/* Read what there is. Returns the number of records, or a negative errno. */
static int take(struct gpuoa_stall_stream *stream, struct result *result)
{
	struct gpuoa_stall_desc desc;
	struct gpuoa_stall_window window;
	const int err = gpuoa_stall_read(stream, &window, sizeof(window));

	if (err)
		return err;
	gpuoa_stall_describe(stream, &desc, sizeof(desc));
	result->losses += window.losses;
	result->records += window.count;
	CHECK(window.end_ns >= window.begin_ns);
	CHECK(!gpuoa_stall_sums_add(result->sums, desc.layout, window.records, window.count));
	return (int)window.count;
}

/* Read until nothing arrives for ten polls of the driver. */
static void drain(struct gpuoa_stall_stream *stream, struct result *result)
{
	for (int idle = 0; idle < 10; idle++) {
		if (take(stream, result) > 0)
			idle = 0;
		usleep(10000);
	}
}

/* Compare all values with the reference. */
static struct stall_reference compare(const struct result *result)
{
	const struct stall_reference sum = stall_reference_compare(result->sums);

	printf("# %" PRIu64 " records read, %" PRIu64 " written, %" PRIu64 " dropped, %" PRIu32
	       " losses; %" PRIu64 " samples, %u values compared, %u wrong\n",
	       result->records, sum.written, sum.dropped, result->losses, sum.samples, sum.compared,
	       sum.wrong);
	return sum;
}

static void check_equal(const struct result *result)
{
	const struct stall_reference reference = compare(result);

	CHECK(reference.compared && !reference.wrong && reference.samples);
	CHECK(reference.written == result->records);
	CHECK(reference.addresses == gpuoa_stall_sums_count(result->sums));
	CHECK(!reference.dropped == !result->losses);
}

/* ---- tests ---- */

static struct gpuoa_stall_desc desc;

static uint32_t core_count(void)
{
	return !strcmp(desc.platform, "lnl") ? 8 : !strcmp(desc.platform, "ptl") ? 12 : 20;
}

static void check_describes_the_gpu(void)
{
	CHECK(desc.layout == gpuoa_stall_layout_by_name("xe2"));
	CHECK(desc.period_count == 7 && desc.periods[0] == 251 && desc.periods[6] == 1757);
	CHECK(desc.xe_core_count == core_count());
	CHECK(desc.buffer_size == 512 << 10);
	CHECK(strlen(desc.title) > 0);
}

static void values_equal_the_reference_at_each_period(void)
{
	for (uint32_t p = 0; p < desc.period_count; p++) {
		struct gpuoa_stall_stream *stream;
		struct result result;

		REQUIRE(begin(desc.periods[p], &stream, &result));
		for (int i = 0; i < 3; i++) {
			REQUIRE(run(FIRST_KERNEL));
			take(stream, &result);
			REQUIRE(run(SECOND_KERNEL));
			take(stream, &result);
		}
		drain(stream, &result);
		check_equal(&result);
		CHECK(gpuoa_stall_sums_count(result.sums) == 9);
		end(stream, &result);
	}
}

static void stream_of_a_sleeping_gpu_has_no_records(void)
{
	struct gpuoa_stall_stream *stream;
	struct result result;

	REQUIRE(begin(251, &stream, &result));
	drain(stream, &result);
	CHECK(!result.records && !result.losses);
	CHECK(!gpuoa_stall_wait(stream, 20));
	REQUIRE(run(LARGE_KERNEL));
	CHECK(gpuoa_stall_wait(stream, 10000) == 1);
	end(stream, &result);
}

static void dropped_records_are_reported(void)
{
	struct gpuoa_stall_stream *stream;
	struct result result;

	REQUIRE(begin(251, &stream, &result));
	REQUIRE(run(FIRST_KERNEL));
	drain(stream, &result);
	CHECK(!result.losses);
	vgpu_request("stalls lose 7");
	REQUIRE(run(FIRST_KERNEL));
	drain(stream, &result);
	CHECK(result.losses > 0);
	check_equal(&result);
	end(stream, &result);
}

/* Check whether a Xe core has dropped records because its buffer is full. */
static bool a_buffer_is_full(void)
{
	char *answer = vgpu_ask("stalls");
	const bool full = answer && strstr(answer, " written 8192 dropped ");

	free(answer);
	return full;
}

static void full_buffers_are_reported_and_read(void)
{
	struct gpuoa_stall_stream *stream;
	struct result result;
	const uint32_t room = (uint32_t)(desc.buffer_size / 64) * desc.xe_core_count;

	REQUIRE(begin(251, &stream, &result));
	for (int i = 0; i < 100 && !a_buffer_is_full(); i++)
		REQUIRE(run(LARGE_KERNEL));
	REQUIRE(run(LARGE_KERNEL));
	/* On a busy host, the driver polls late, so that a single read may not return all of them.
	 */
	for (int i = 0; i < TIMEOUT_S * 100 && !take(stream, &result); i++)
		usleep(10000);
	drain(stream, &result);
	CHECK(result.records == room);
	CHECK(result.losses > 0);
	check_equal(&result);
	end(stream, &result);
}

static void reset_ends_the_stream(void)
{
	struct gpuoa_stall_stream *stream;
	struct result result;
	int err = 0;

	REQUIRE(begin(1757, &stream, &result));
	REQUIRE(run(FIRST_KERNEL));
	vgpu_request("stalls reset");
	for (int i = 0; i < TIMEOUT_S * 100 && err >= 0; i++) {
		usleep(10000);
		err = take(stream, &result);
	}
	CHECK(err == -ENODEV);
	CHECK(gpuoa_stall_wait(stream, 0) == 1);
	end(stream, &result);
	/* A new stream works. */
	REQUIRE(begin(1757, &stream, &result));
	REQUIRE(run(FIRST_KERNEL));
	drain(stream, &result);
	check_equal(&result);
	end(stream, &result);
}

static void second_stream_is_refused_with_the_name_of_the_first(void)
{
	struct gpuoa_stall_stream *first, *second;
	struct result result;

	REQUIRE(begin(1757, &first, &result));
	CHECK(gpuoa_stall_open(NULL, NULL, &second, error, sizeof(error)) == -EBUSY);
	if (!CHECK(strstr(error, "stock_xe_stalls") && strstr(error, "process ")))
		printf("# %s\n", error);
	end(first, &result);
}

static void unprivileged_process_is_refused(void)
{
	struct gpuoa_stall_stream *stream;
	int status;
	pid_t child;

	fflush(stdout);
	child = fork();
	if (!child) {
		bool good;

		if (setgid(65534) || setuid(65534))
			_exit(2);
		good = gpuoa_stall_open(NULL, NULL, &stream, error, sizeof(error)) == -EACCES &&
		       strstr(error, xe_node());
		_exit(!good);
	}
	CHECK(waitpid(child, &status, 0) == child && !status);
	/* The node is accessible, but the process has no CAP_PERFMON. */
	CHECK(!chmod(xe_node(), 0666));
	child = fork();
	if (!child) {
		bool good;

		if (setgid(65534) || setuid(65534))
			_exit(2);
		good = gpuoa_stall_open(NULL, NULL, &stream, error, sizeof(error)) == -EACCES &&
		       strstr(error, "CAP_PERFMON");
		_exit(!good);
	}
	CHECK(waitpid(child, &status, 0) == child && !status);
	CHECK(!chmod(xe_node(), 0600));
}

static void old_kernel_is_refused_by_its_name(void)
{
	struct gpuoa_stall_stream *stream;
	struct utsname kernel;

	uname(&kernel);
	CHECK(gpuoa_stall_open(NULL, NULL, &stream, error, sizeof(error)) == -EOPNOTSUPP);
	if (!CHECK(strstr(error, kernel.release) && strstr(error, "6.15")))
		printf("# %s\n", error);
}

/* Linux 6.15 and later have EU stall sampling, and 7.3 and later report a reset. */
static bool is_at_least(int major, int minor)
{
	struct utsname kernel;
	int have[2] = { 0, 0 };

	uname(&kernel);
	sscanf(kernel.release, "%d.%d", &have[0], &have[1]);
	return have[0] > major || (have[0] == major && have[1] >= minor);
}

static int work(int count)
{
	if (!open_gpu())
		return 1;
	for (int i = 0; i < count; i++)
		if (!run(FIRST_KERNEL) || !run(SECOND_KERNEL))
			return 1;
	return 0;
}

int main(int argc, char **argv)
{
	if (argc == 3 && !strcmp(argv[1], "--work"))
		return work(atoi(argv[2]));
	if (!getenv("GPUOA_VGPU"))
		return tap_skip("no GPU of gpuoa-vgpu");
	if (!is_at_least(6, 15)) {
		RUN(old_kernel_is_refused_by_its_name);
		return tap_end();
	}
	if (gpuoa_stall_check(NULL, &desc, sizeof(desc), error, sizeof(error))) {
		printf("Bail out! %s\n", error);
		return 1;
	}
	if (!open_gpu()) {
		printf("Bail out! cannot run kernels: %s\n", strerror(errno));
		return 1;
	}
	RUN(check_describes_the_gpu);
	RUN(values_equal_the_reference_at_each_period);
	RUN(stream_of_a_sleeping_gpu_has_no_records);
	RUN(dropped_records_are_reported);
	RUN(full_buffers_are_reported_and_read);
	if (is_at_least(7, 3))
		RUN(reset_ends_the_stream);
	RUN(second_stream_is_refused_with_the_name_of_the_first);
	RUN(unprivileged_process_is_refused);
	return tap_end();
}
