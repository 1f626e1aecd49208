// SPDX-License-Identifier: MIT
/*
 * vendor_stalls.c - EU stalls of Level Zero and of gpuoa: both must equal the reference of the
 * virtual GPU, while another program runs the same kernels
 *
 * Level Zero samples EU stalls without libigdmd.so.1. Prints TAP. It loads the loader of Level Zero
 * that the system has. The argument is the path of stock_xe_stalls, which runs the kernels.
 */
#include <sys/wait.h>
#include <unistd.h>

#include "lib/tests/stall_reference.h"
#include "lib/tests/tap.h"

#define FUNCTIONS(F)                      \
	F(zetDeviceEnableMetricsExp)      \
	F(zetMetricGroupGet)              \
	F(zetMetricGet)                   \
	F(zetMetricGetProperties)         \
	F(zetContextActivateMetricGroups) \
	F(zetMetricStreamerOpen)          \
	F(zetMetricStreamerClose)         \
	F(zetMetricStreamerReadData)      \
	F(zetMetricGroupCalculateMultipleMetricValuesExp)

#include "level_zero.h"

#define GROUPS_MAX 1024
#define METRICS_MAX 32
#define RAW_MAX (64U << 20)
#define IDLE_READS 10
#define READ_US 10000
#define IS_ADDRESS GPUOA_STALL_REASON_COUNT

static zet_metric_group_handle_t group; /* EuStallSampling */
static int reasons[METRICS_MAX]; /* of each metric of the group; IS_ADDRESS: the address; -1 */
static uint32_t metric_count;
static const char *program;

/* ---- the group ---- */

static void level_zero_has_a_gpu(void)
{
	REQUIRE(open_device());
	CHECK(zetDeviceEnableMetricsExp_(device) == ZE_RESULT_SUCCESS);
}

/* Return the reason of a metric by Level Zero's name of it, IS_ADDRESS, or -1. */
static int reason_of(const char *name)
{
	struct gpuoa_stall_reason_desc desc;

	if (!strcmp(name, "IP"))
		return IS_ADDRESS;
	for (int i = 0; !gpuoa_stall_describe_reason((unsigned int)i, &desc, sizeof(desc)); i++)
		if (!strcmp(desc.level_zero, name))
			return i;
	return -1;
}

static void level_zero_has_a_metric_for_each_reason(void)
{
	static zet_metric_group_handle_t groups[GROUPS_MAX];
	zet_metric_handle_t metrics[METRICS_MAX];
	uint32_t count = GROUPS_MAX, found = 0;

	REQUIRE(zetMetricGroupGet_(device, &count, groups) == ZE_RESULT_SUCCESS);
	for (uint32_t i = 0; i < count; i++)
		if (!strcmp(properties_of(groups[i]).name, "EuStallSampling"))
			group = groups[i];
	REQUIRE(group);
	metric_count = METRICS_MAX;
	REQUIRE(zetMetricGet_(group, &metric_count, metrics) == ZE_RESULT_SUCCESS);
	for (uint32_t i = 0; i < metric_count; i++) {
		zet_metric_properties_t properties = {
			.stype = ZET_STRUCTURE_TYPE_METRIC_PROPERTIES
		};

		CHECK(zetMetricGetProperties_(metrics[i], &properties) == ZE_RESULT_SUCCESS);
		reasons[i] = reason_of(properties.name);
		found |= reasons[i] < 0 ? 0 : UINT32_C(1) << reasons[i];
		if (!CHECK(reasons[i] >= 0))
			printf("# %s\n", properties.name);
	}
	CHECK(found == (UINT32_C(2) << GPUOA_STALL_REASON_COUNT) - 1);
}

/* ---- sampling ---- */

static pid_t start_program(void)
{
	const pid_t pid = fork();

	if (!pid) {
		execl(program, program, "--work", "3", (char *)NULL);
		_exit(127);
	}
	return pid;
}

/*
 * Run the program, and call @read until it has ended and nothing arrives any more. @read returns
 * the number of bytes or records, or a negative number on failure.
 */
static bool run_program(long (*read)(void *context), void *argument)
{
	const pid_t pid = start_program();
	int status = 0, idle = 0;
	bool ended = false;
	long size;

	while (pid > 0 && idle < IDLE_READS) {
		size = read(argument);
		if (!CHECK(size >= 0))
			break;
		idle = size || !ended ? 0 : idle + 1;
		usleep(READ_US);
		ended = ended || waitpid(pid, &status, WNOHANG) == pid;
	}
	if (pid > 0 && !ended)
		waitpid(pid, &status, 0);
	return CHECK(pid > 0 && WIFEXITED(status) && !WEXITSTATUS(status)) && idle == IDLE_READS;
}

static void check_equal(const struct gpuoa_stall_sums *sums)
{
	const struct stall_reference reference = stall_reference_compare(sums);

	printf("# %" PRIu64 " samples at %" PRIu32 " addresses, %" PRIu64
	       " records dropped; %u values compared, %u wrong\n",
	       reference.samples, reference.addresses, reference.dropped, reference.compared,
	       reference.wrong);
	CHECK(reference.samples && !reference.dropped && !reference.wrong);
	CHECK(reference.addresses == gpuoa_stall_sums_count(sums));
}

struct raw {
	zet_metric_streamer_handle_t streamer;
	uint8_t data[RAW_MAX];
	size_t size;
};

static long read_level_zero(void *argument)
{
	struct raw *raw = argument;
	size_t size = RAW_MAX - raw->size;

	if (zetMetricStreamerReadData_(raw->streamer, UINT32_MAX, &size, raw->data + raw->size) !=
	    ZE_RESULT_SUCCESS)
		return -1;
	raw->size += size;
	return (long)size;
}

/* Calculate values, and add them to sums. */
static void add_values(const struct raw *raw, struct gpuoa_stall_sums *sums)
{
	const zet_metric_group_calculation_type_t type =
		ZET_METRIC_GROUP_CALCULATION_TYPE_METRIC_VALUES;
	uint32_t sets = 0, count = 0, *counts;
	zet_typed_value_t *values;

	REQUIRE(zetMetricGroupCalculateMultipleMetricValuesExp_(group, type, raw->size, raw->data,
								&sets, &count, NULL,
								NULL) == ZE_RESULT_SUCCESS);
	counts = calloc(sets + 1, sizeof(*counts));
	values = calloc(count + 1, sizeof(*values));
	if (CHECK(counts && values &&
		  zetMetricGroupCalculateMultipleMetricValuesExp_(group, type, raw->size, raw->data,
								  &sets, &count, counts,
								  values) == ZE_RESULT_SUCCESS)) {
		for (uint32_t i = 0; i + metric_count <= count; i += metric_count) {
			struct gpuoa_stall_sum sum = { 0 };

			for (uint32_t k = 0; k < metric_count; k++) {
				const uint64_t value = values[i + k].value.ui64;

				if (reasons[k] == IS_ADDRESS)
					sum.address = value << 3;
				else if (reasons[k] >= 0)
					sum.counts[reasons[k]] = value;
			}
			CHECK(!gpuoa_stall_sums_add_sum(sums, &sum, sizeof(sum)));
		}
	}
	free(counts);
	free(values);
}

static void level_zero_reads_the_reference(void)
{
	zet_metric_streamer_desc_t desc = {
		.stype = ZET_STRUCTURE_TYPE_METRIC_STREAMER_DESC,
		.notifyEveryNReports = 100,
		.samplingPeriod = 100000,
	};
	static struct raw raw;
	struct gpuoa_stall_sums *sums;

	REQUIRE(group && !gpuoa_stall_sums_new(&sums));
	REQUIRE(zetContextActivateMetricGroups_(context, device, 1, &group) == ZE_RESULT_SUCCESS);
	vgpu_request("stalls clear");
	REQUIRE(zetMetricStreamerOpen_(context, device, group, &desc, NULL, &raw.streamer) ==
		ZE_RESULT_SUCCESS);
	if (run_program(read_level_zero, &raw)) {
		add_values(&raw, sums);
		check_equal(sums);
	}
	CHECK(zetMetricStreamerClose_(raw.streamer) == ZE_RESULT_SUCCESS);
	gpuoa_stall_sums_free(sums);
}

struct gpuoa {
	struct gpuoa_stall_stream *stream;
	struct gpuoa_stall_sums *sums;
	const struct gpuoa_stall_layout *layout;
};

static long read_gpuoa(void *argument)
{
	struct gpuoa *gpuoa = argument;
	struct gpuoa_stall_window window;

	if (gpuoa_stall_read(gpuoa->stream, &window, sizeof(window)) < 0 ||
	    gpuoa_stall_sums_add(gpuoa->sums, gpuoa->layout, window.records, window.count) < 0)
		return -1;
	return (long)window.count;
}

static void gpuoa_reads_the_reference_of_the_same_kernels(void)
{
	struct gpuoa_stall_desc desc;
	struct gpuoa gpuoa;
	char error[512];

	REQUIRE(!gpuoa_stall_sums_new(&gpuoa.sums));
	vgpu_request("stalls clear");
	if (!CHECK(!gpuoa_stall_open(NULL, NULL, &gpuoa.stream, error, sizeof(error)))) {
		printf("# %s\n", error);
		return;
	}
	gpuoa_stall_describe(gpuoa.stream, &desc, sizeof(desc));
	gpuoa.layout = desc.layout;
	if (run_program(read_gpuoa, &gpuoa))
		check_equal(gpuoa.sums);
	gpuoa_stall_close(gpuoa.stream);
	gpuoa_stall_sums_free(gpuoa.sums);
}

int main(int argc, char **argv)
{
	char error[512];

	if (argc != 2)
		return tap_skip("no program to run");
	program = argv[1];
	if (gpuoa_stall_check(NULL, NULL, 0, error, sizeof(error)))
		return tap_skip(error);
	if (!load()) {
		printf("Bail out! the loader of Level Zero has no metrics\n");
		return 1;
	}
	RUN(level_zero_has_a_gpu);
	RUN(level_zero_has_a_metric_for_each_reason);
	RUN(level_zero_reads_the_reference);
	RUN(gpuoa_reads_the_reference_of_the_same_kernels);
	return tap_end();
}
