// SPDX-License-Identifier: MIT
/*
 * pmu_backend_test.c - Test units and streams of gpuoa.ko with a simulated kernel (fake_pmu.h):
 * requests to the kernel, options that it rejects, and limits of memory.
 */
#define _GNU_SOURCE
#include <time.h>

#include "failing_memory.h"
#include "fake_pmu.h"

#include "base/complaint.h"
#include "gpuoa-custom.h"
#include "gpuoa-device.h"
#include "gpuoa-stream.h"
#include "gpuoa-time.h"
#include "reader/backends/backends.h"
#include "reader/pmu/pmu.h"
#include "reader/stream/stream.h"
#include "reader/stream/stream_choose.h"
#include "tap.h"

#define REPORTS_MAX 64
#define PERIOD_NS 5120 /* of TEST_EXPONENT */

static struct {
	struct gpuoa_unit *unit;
	struct gpuoa_reader *reader;
	struct gpuoa_stream_options options; /* of the stream; after opening, the actual values */
	struct gpuoa_read_status status;
	char error[512];
	uint8_t reports[REPORTS_MAX * TEST_REPORT_SIZE];
} test;

static bool says(const char *words)
{
	const bool does = strstr(test.error, words);

	if (!does)
		printf("# \"%s\" is not in \"%s\"\n", words, test.error);
	return does;
}

static int open_unit(void)
{
	return gpuoa_unit_open("gpuoa0", &test.unit, test.error, sizeof(test.error));
}

static bool begin(void)
{
	memset(&test, 0, sizeof(test));
	ko_begin();
	if (!CHECK(!open_unit()))
		return false;
	test.options.use_exponent = true;
	test.options.exponent = TEST_EXPONENT;
	return true;
}

static const struct gpuoa_set *find_set(void)
{
	return gpuoa_platform_find_set(gpuoa_unit_platform(test.unit), "RenderBasic", "OA",
				       gpuoa_unit_constants(test.unit));
}

/* Open a stream with the test's options. */
static int open_stream(void)
{
	test.options.size = sizeof(test.options);
	return gpuoa_stream_open(test.unit, find_set(), &test.options, &test.reader, test.error,
				 sizeof(test.error));
}

static void close_stream(void)
{
	if (test.reader)
		gpuoa_reader_close(test.reader);
	test.reader = NULL;
	ko.event = ko.stream[0] = -1;
}

static void end(void)
{
	close_stream();
	gpuoa_unit_close(test.unit);
	CHECK(!ko.mappings);
	ko_end();
}

static int take(void)
{
	return gpuoa_reader_read(test.reader, test.reports, REPORTS_MAX, &test.status);
}

/* ---- units ---------------------------------------------------------------------------------- */

static void units_are_listed_by_number(void)
{
	char names[4][UNIT_NAME_SIZE] = { "", "", "", "unchanged" };

	ko_begin();
	tree_file("sys/class/gpuoa/gpuoa10/x", "");
	tree_file("sys/class/gpuoa/gpuoa2/x", "");
	tree_file("sys/class/gpuoa/.hidden/x", "");
	tree_file("sys/class/gpuoa/a-name-that-is-long/x", "");
	tree_file("sys/class/gpuoa/a-name-of-16-chr/x", "");
	CHECK(pmu_list(names, 3) == 3);
	CHECK_STRING(names[0], "gpuoa0");
	CHECK_STRING(names[1], "gpuoa2");
	CHECK_STRING(names[2], "gpuoa10");
	strcpy(names[1], "unchanged");
	CHECK(pmu_list(names, 1) == 3);
	CHECK_STRING(names[1], "unchanged");
	tree_file("sys/class/gpuoa/a-name-of-15-ch/x", "");
	CHECK(pmu_list(NULL, 0) == 4);
	ko_end();
}

static void there_are_no_units_without_gpuoa_ko(void)
{
	char path[PATH_MAX];

	tree_begin();
	CHECK(pmu_list(NULL, 0) == 0);
	tree_file("sys/class/gpuoa/.x", "");
	errno = EIO; /* which is not an error of an empty directory */
	CHECK(pmu_list(NULL, 0) == 0);
	tree_end();
	tree_begin();
	tree_file("sys/class/gpuoa", "");
	CHECK(pmu_list(NULL, 0) == -ENOTDIR);
	tree_path("sys/class/gpuoa", path);
	tree_end();
}

static void unit_describe_returns_values_of_the_kernel(void)
{
	struct gpuoa_unit_desc desc;

	REQUIRE(begin());
	gpuoa_unit_describe(test.unit, &desc, sizeof(desc));
	CHECK_STRING(desc.name, "gpuoa0");
	CHECK_STRING(desc.driver, "gpuoa");
	CHECK_STRING(desc.platform, "hsw");
	CHECK_STRING(desc.domain, "OA");
	CHECK_STRING(desc.parent, "0000:00:02.0");
	CHECK(desc.eu_count == 20 && desc.pmu_type == KO_PMU_TYPE);
	CHECK(desc.timestamp_frequency == 12500000 && desc.buffer_size_max == 16 << 20);
	CHECK(fcntl(ko.node, F_GETFD) >= 0 && ko.node_flags == (O_RDWR | O_CLOEXEC));
	end();
	CHECK(fcntl(ko.node, F_GETFD) < 0);
}

/* Old kernel modules do not report the device of a unit, but sysfs has it. */
static void parent_is_found_in_sysfs(void)
{
	struct gpuoa_unit_desc desc;

	memset(&test, 0, sizeof(test));
	ko_begin();
	*ko.info.parent = '\0';
	tree_file("sys/devices/0000:03:00.0/x", "");
	tree_link("sys/class/gpuoa/gpuoa0/device", "sys/devices/0000:03:00.0");
	REQUIRE(!gpuoa_unit_open("0000:03:00.0", &test.unit, test.error, sizeof(test.error)));
	gpuoa_unit_describe(test.unit, &desc, sizeof(desc));
	CHECK_STRING(desc.parent, "0000:03:00.0");
	end();
}

static void unopenable_unit_is_reported(void)
{
	memset(&test, 0, sizeof(test));
	ko_begin();
	ko.open_error = EACCES;
	CHECK(open_unit() == -EACCES);
	CHECK(says("may not open gpuoa0: check the permissions of /dev/gpuoa*"));
	ko.open_error = EMFILE;
	CHECK(open_unit() == -EMFILE && says("cannot open gpuoa0: Too many open files"));
	ko.open_error = 0;
	ko.info_error = ENODEV;
	CHECK(open_unit() == -ENODEV && says("gpuoa0 was removed"));
	CHECK(fcntl(ko.node, F_GETFD) < 0);
	ko_end();
}

static void check_fails_after_removal_only(void)
{
	REQUIRE(begin());
	CHECK(!unit_check(test.unit));
	ko.info_error = EINTR;
	CHECK(!unit_check(test.unit));
	ko.info_error = ENODEV;
	CHECK(unit_check(test.unit) == -ENODEV);
	end();
}

static void clock_pair_is_that_of_the_kernel(void)
{
	struct gpuoa_clock_pair pair;

	REQUIRE(begin());
	CHECK(!gpuoa_unit_clock(test.unit, CLOCK_BOOTTIME, &pair));
	CHECK(pair.gpu_ticks == 1000 && pair.cpu_ns == 80000 && pair.error_ns == 50);
	CHECK(pair.clock_id == CLOCK_BOOTTIME);
	ko.error = EAGAIN;
	CHECK(gpuoa_unit_clock(test.unit, CLOCK_BOOTTIME, &pair) == -EAGAIN);
	end();
}

static void inserted_marker_has_the_time_of_the_kernel(void)
{
	struct gpuoa_stream_marker marker;

	REQUIRE(begin());
	CHECK(!gpuoa_unit_insert_marker(test.unit, 77, &marker, sizeof(marker)));
	CHECK(marker.value == 77 && marker.gpu_ticks == 2000);
	CHECK(!gpuoa_unit_insert_marker(test.unit, 77, NULL, 0));
	ko.error = ENODATA;
	CHECK(gpuoa_unit_insert_marker(test.unit, 77, NULL, 0) == -ENODATA);
	marker.value = 5;
	CHECK(gpuoa_unit_insert_marker(test.unit, 78, &marker, sizeof(marker)) == -ENODATA);
	CHECK(marker.value == 5);
	end();
}

static void get_user_describes_the_first_stream(void)
{
	struct gpuoa_unit_user use;

	REQUIRE(begin());
	memset(&use, 0x55, sizeof(use));
	CHECK(gpuoa_unit_get_user(test.unit, &use, sizeof(use)) == 0);
	CHECK(use.streams == 0 && use.delivery == GPUOA_DELIVERY_DEFAULT);
	CHECK(!use.process && !*use.uuid && !use.buffer_size);
	ko.user = (struct gpuoa_user){
		.uuid = TEST_UUID,
		.format = GPUOA_FORMAT_A45_B8_C8,
		.exponent = 7,
		.flags = GPUOA_ATTR_CONTEXT,
		.buffer_size = 1 << 20,
		.n_events = 1,
		.pid = 123,
		.comm = "a-long-program-",
	};
	CHECK(gpuoa_unit_get_user(test.unit, &use, sizeof(use)) == 1);
	CHECK_STRING(use.uuid, TEST_UUID);
	CHECK_STRING(use.program, "a-long-program-");
	CHECK(use.format == GPUOA_FORMAT_A45_B8_C8 && use.exponent == 7 && use.process == 123);
	CHECK(use.buffer_size == 1 << 20 && use.streams == 1);
	CHECK(use.delivery == GPUOA_DELIVERY_RAW);
	CHECK(use.context_filter && !use.batch_boundary_reports);
	ko.user.flags = GPUOA_ATTR_AUX | GPUOA_ATTR_BATCH_BOUNDARY_REPORTS;
	CHECK(gpuoa_unit_get_user(test.unit, &use, sizeof(use)) == 1);
	CHECK(use.delivery == GPUOA_DELIVERY_AUX);
	CHECK(!use.context_filter && use.batch_boundary_reports);
	ko.error = ENOTTY;
	CHECK(gpuoa_unit_get_user(test.unit, &use, sizeof(use)) == -EOPNOTSUPP);
	ko.error = ENODEV;
	use.process = 77;
	CHECK(gpuoa_unit_get_user(test.unit, &use, sizeof(use)) == -ENODEV && use.process == 77);
	end();
}

static void context_owner_is_that_of_the_kernel(void)
{
	struct gpuoa_context_owner owner;

	REQUIRE(begin());
	REQUIRE(!open_stream());
	ko.owner = (struct gpuoa_context_owner_info){ .flags = GPUOA_CONTEXT_GONE,
						      .pid = 12,
						      .handle = 3,
						      .client = 44,
						      .comm = "glxgears" };
	CHECK(!gpuoa_reader_context(test.reader, 0x1234, &owner, sizeof(owner)));
	CHECK(ko.owner.id == 0x1234);
	CHECK(owner.process == 12 && owner.handle == 3 && owner.client == 44 && owner.gone);
	CHECK_STRING(owner.program, "glxgears");
	ko.owner.flags = 0;
	CHECK(!gpuoa_reader_context(test.reader, 0x1234, &owner, sizeof(owner)) && !owner.gone);
	ko.owner_error = ENOENT;
	CHECK(gpuoa_reader_context(test.reader, 1, &owner, sizeof(owner)) == -ENOENT);
	ko.owner_error = ENOTTY;
	CHECK(gpuoa_reader_context(test.reader, 1, &owner, sizeof(owner)) == -EOPNOTSUPP);
	end();
}

/* ---- configurations ------------------------------------------------------------------------- */

static void add_set_passes_the_registers_of_each_kind(void)
{
	const enum gpuoa_register_kind kinds[] = { GPUOA_REGISTER_MUX, GPUOA_REGISTER_BOOLEAN,
						   GPUOA_REGISTER_FLEX };
	struct gpuoa_reg regs[1024];
	uint32_t id = 0;

	REQUIRE(begin());
	CHECK(!gpuoa_unit_add_set(test.unit, find_set(), &id, test.error, sizeof(test.error)));
	CHECK(id == KO_CONFIG_ID);
	CHECK_STRING(ko.config.uuid, TEST_UUID);
	for (size_t i = 0; i < 3; i++) {
		const uint32_t counts[] = { ko.config.n_mux, ko.config.n_boolean,
					    ko.config.n_flex };
		const int n = gpuoa_set_registers(find_set(), kinds[i],
						  gpuoa_unit_constants(test.unit), regs, 1024);

		CHECK(n >= 0 && counts[i] == (uint32_t)n);
		CHECK(!n || (ko.registers[i]->address == regs[0].address &&
			     ko.registers[i]->value == regs[0].value));
	}
	CHECK(ko.config.n_mux && ko.config.n_boolean && !ko.config.n_flex && !ko.config.flex);
	end();
}

#define METRICS "sys/class/gpuoa/gpuoa0/metrics/"

static uint32_t added_id;

static int add_set_with(int error)
{
	ko.error = error;
	return gpuoa_unit_add_set(test.unit, find_set(), &added_id, test.error, sizeof(test.error));
}

static void add_set_errors_have_messages(void)
{
	REQUIRE(begin());
	CHECK(add_set_with(EINVAL) == -EINVAL);
	CHECK(says("gpuoa0 does not allow register 0x09888 of RenderBasic"));
	CHECK(!add_set_with(EEXIST));
	CHECK(add_set_with(EACCES) == -EACCES && says("give this program CAP_PERFMON"));
	CHECK(add_set_with(ENOSPC) == -ENOSPC);
	CHECK(says("cannot configure gpuoa0 for RenderBasic: No space left on device"));
	/* root may have registered the set before. */
	tree_file(METRICS TEST_UUID "/id", "12\n");
	CHECK(!add_set_with(EACCES) && added_id == 12);
	tree_file(METRICS TEST_UUID "/id", "0\n");
	tree_file(METRICS "00000000-0000-0000-0000-000000000000/id", "11\n");
	tree_file(METRICS "ffffffff-0000-0000-0000-000000000000/id", "13\n");
	CHECK(add_set_with(EACCES) == -EACCES && says("give this program CAP_PERFMON"));
	tree_file(METRICS TEST_UUID "/id", "14\n");
	CHECK(!add_set_with(EACCES) && added_id == 14);
	end();
}

/* A set of user definitions has the constants of the unit's GPU. */
static void add_set_accepts_sets_of_definitions(void)
{
	static const char text[] =
		"platform hsw \"H\" constant Unknown \"U.\"\n"
		"set Own { uuid \"00000000-0000-4000-8000-00000000c057\" format A45_B8_C8\n"
		"	mux if SubsliceMask & 2 { 9888=1 } else { 9888=2 } metrics { GpuTime } }\n"
		"set Vague { uuid \"00000000-0000-4000-8000-00000000c058\" format A45_B8_C8\n"
		"	mux if Unknown & 2 { 9888=1 } metrics { GpuTime } }\n";
	struct gpuoa_definitions *definitions;
	const struct gpuoa_platform *platform;
	uint32_t id = 0;

	REQUIRE(begin());
	if (!CHECK(!gpuoa_definitions_parse("own", text, strlen(text), &definitions, test.error,
					    sizeof(test.error)))) {
		printf("# %s\n", test.error);
		return;
	}
	platform = gpuoa_definitions_get_platform(definitions, 0);
	CHECK(!gpuoa_unit_add_set(test.unit, gpuoa_platform_find_set(platform, "Own", NULL, NULL),
				  &id, test.error, sizeof(test.error)));
	CHECK(id == KO_CONFIG_ID && ko.config.n_mux == 1);
	CHECK(ko.registers[0]->address == 0x9888 && ko.registers[0]->value == 1);
	CHECK_STRING(ko.config.uuid, "00000000-0000-4000-8000-00000000c057");
	CHECK(gpuoa_unit_add_set(test.unit, gpuoa_platform_find_set(platform, "Vague", NULL, NULL),
				 &id, test.error, sizeof(test.error)) == -ENODATA);
	CHECK(says("the registers of Vague depend on a constant that the driver of gpuoa0 does "
		   "not report"));
	gpuoa_definitions_free(definitions);
	end();
}

/* Return the result of adding a set of @count registers. */
static int add_set_of(unsigned int count)
{
	static char text[16 * (GPUOA_MAX_REGISTERS + 16)];
	struct gpuoa_definitions *definitions;
	uint32_t id;
	size_t n;
	int err;

	n = (size_t)sprintf(text,
			    "platform hsw \"H\" set Own { uuid "
			    "\"00000000-0000-4000-8000-00000000c057\" format A45_B8_C8 mux {");
	for (unsigned int i = 0; i < count; i++)
		n += (size_t)sprintf(text + n, " 9888=%x", i);
	n += (size_t)sprintf(text + n, " } metrics { GpuTime } }\n");
	err = gpuoa_definitions_parse("own", text, n, &definitions, test.error, sizeof(test.error));
	if (!CHECK(!err))
		return err;
	err = gpuoa_unit_add_set(
		test.unit,
		gpuoa_platform_find_set(gpuoa_definitions_get_platform(definitions, 0), "Own", NULL,
					NULL),
		&id, test.error, sizeof(test.error));
	gpuoa_definitions_free(definitions);
	return err;
}

static void sets_have_4096_registers_of_a_kind_at_most(void)
{
	REQUIRE(begin());
	CHECK(!add_set_of(1) && ko.config.n_mux == 1);
	CHECK(!add_set_of(4096) && ko.config.n_mux == 4096);
	ko.config.n_mux = 7;
	CHECK(add_set_of(4097) == -E2BIG && ko.config.n_mux == 7);
	CHECK(says("cannot configure gpuoa0 for Own: Argument list too long"));
	end();
}

/* The fourth list is not passed, and must not be read. */
static void add_config_concatenates_lists_of_a_kind(void)
{
	static const struct gpuoa_reg mux[] = { { 0x9888, 1 }, { 0x9888, 2 } };
	static const struct gpuoa_reg more[] = { { 0x9840, 3 } }, boolean[] = { { 0x2710, 4 } };
	static const struct gpuoa_register expected[] = { { 0x9888, 1 },
							  { 0x9888, 2 },
							  { 0x9840, 3 } };
	const struct gpuoa_register_list lists[] = {
		{ .kind = GPUOA_REGISTER_MUX, .registers = mux, .count = 2 },
		{ .kind = GPUOA_REGISTER_BOOLEAN, .registers = boolean, .count = 1 },
		{ .kind = GPUOA_REGISTER_MUX, .registers = more, .count = 1 },
		{ .kind = GPUOA_REGISTER_FLEX, .registers = boolean, .count = 1 },
	};
	uint32_t id = 0;

	REQUIRE(begin());
	CHECK(!gpuoa_unit_add_config(test.unit, TEST_UUID, lists, 3, &id, test.error,
				     sizeof(test.error)));
	CHECK(id == KO_CONFIG_ID);
	CHECK_STRING(ko.config.uuid, TEST_UUID);
	CHECK(ko.config.n_mux == 3 && ko.config.n_boolean == 1 && !ko.config.n_flex);
	CHECK(!memcmp(ko.registers[0], expected, sizeof(expected)));
	CHECK(ko.registers[1]->address == 0x2710 && ko.registers[1]->value == 4);
	CHECK(!ko.config.flex);
	end();
}

static const struct gpuoa_reg one_register = { 0x9888, 1 };

/* Add a configuration of one list. Returns the error; @id: as of gpuoa_unit_add_config() */
static int add_list(const char *uuid, const struct gpuoa_register_list *list, uint32_t *id)
{
	return gpuoa_unit_add_config(test.unit, uuid, list, 1, id, test.error, sizeof(test.error));
}

static int add_config_with(int error, uint32_t *id)
{
	const struct gpuoa_register_list list = { .registers = &one_register, .count = 1 };

	ko.error = error;
	return add_list(TEST_UUID, &list, id);
}

static void add_config_errors_have_messages(void)
{
	uint32_t id;

	REQUIRE(begin());
	CHECK(!add_config_with(EEXIST, &id) && id == KO_CONFIG_ID);
	CHECK(add_config_with(EINVAL, &id) == -EINVAL && id == 0x9888);
	CHECK(says("gpuoa0 does not allow register 0x09888"));
	CHECK(add_config_with(EACCES, &id) == -EACCES);
	CHECK(says("adding a configuration needs CAP_PERFMON"));
	CHECK(add_config_with(EADDRINUSE, &id) == -EADDRINUSE);
	CHECK(says(TEST_UUID " stands for other registers"));
	CHECK(add_config_with(EOPNOTSUPP, &id) == -EOPNOTSUPP);
	CHECK(says("gpuoa0 has no flexible EU registers"));
	CHECK(add_config_with(ENODEV, &id) == -ENODEV && says("No such device"));
	end();
}

static void invalid_config_is_not_passed_to_the_kernel(void)
{
	const struct gpuoa_register_list good = { .registers = &one_register, .count = 1 };
	struct gpuoa_register_list list = good;
	uint32_t id = 1;

	REQUIRE(begin());
	CHECK(add_list(TEST_UUID "0123", &good, &id) == -EINVAL && says("invalid UUID") && !id);
	list.kind = (enum gpuoa_register_kind)3;
	CHECK(add_list(TEST_UUID, &list, &id) == -EINVAL && says("list 0 is of no kind"));
	list = good;
	list.condition = "1";
	CHECK(add_list(TEST_UUID, &list, &id) == -EINVAL && says("list 0 has a condition"));
	list = good;
	list.count = GPUOA_MAX_REGISTERS + 1;
	CHECK(add_list(TEST_UUID, &list, &id) == -E2BIG);
	CHECK(says("the kernel takes 4096 registers of a kind at most"));
	CHECK(!*ko.config.uuid);
	end();
}

static void configs_of_the_kernel_are_listed(void)
{
	struct gpuoa_unit_config configs[2] = { { .id = 1 }, { .id = 1 } };

	REQUIRE(begin());
	CHECK(gpuoa_unit_configs(test.unit, configs, sizeof(configs[0]), 2) == 0);
	tree_file("sys/class/gpuoa/gpuoa0/metrics/" TEST_UUID "/id", "12\n");
	CHECK(gpuoa_unit_configs(test.unit, configs, sizeof(configs[0]), 2) == 1);
	CHECK(configs[0].id == 12 && configs[1].id == 1);
	CHECK_STRING(configs[0].uuid, TEST_UUID);
	CHECK(gpuoa_unit_configs(test.unit, NULL, sizeof(configs[0]), 0) == 1);
	end();
}

static void configurations_are_listed_and_removed(void)
{
	struct registered_config *configs;

	REQUIRE(begin());
	tree_file(METRICS TEST_UUID "/id", "12\n");
	/* A configuration that is being removed, and files that are no configurations */
	tree_file(METRICS "00000000-0000-0000-0000-000000000000/id", "0\n");
	tree_file(METRICS "00000000-0000-0000-0000-000000000001/x", "");
	tree_file(METRICS "0123456789abcdefABCDEF-0123456789abc/id", "1\n"); /* 36 characters */
	tree_file(METRICS "0123456789abcdefABCDEF-0123456789ab/id", "3\n");
	tree_file(METRICS "0123456789abcdefABCDEF-0123456789abcd/id", "4\n");
	tree_file(METRICS "0123456789abcdefABCDEF-0123456789abg/id", "5\n");
	REQUIRE(pmu_list_configs(test.unit, &configs) == 2);
	CHECK(configs[0].id == 1 && configs[1].id == 12);
	CHECK_STRING(configs[0].uuid, "0123456789abcdefABCDEF-0123456789abc");
	CHECK_STRING(configs[1].uuid, TEST_UUID);
	free(configs);
	strcpy(test.unit->desc.name, "gpuoa1");
	CHECK(pmu_list_configs(test.unit, &configs) == -ENODEV);
	tree_file("sys/class/gpuoa/gpuoa1/metrics", "");
	CHECK(pmu_list_configs(test.unit, &configs) == -ENOTDIR);
	CHECK(!gpuoa_unit_remove_config(test.unit, 12) && ko.id == 12);
	ko.error = EPERM;
	CHECK(gpuoa_unit_remove_config(test.unit, 1) == -EPERM);
	end();
}

/* ---- opening streams ------------------------------------------------------------------------ */

static void stream_open_passes_attributes(void)
{
	REQUIRE(begin());
	REQUIRE(!open_stream());
	CHECK(ko.attr.size == sizeof(ko.attr) && ko.attr.flags == GPUOA_ATTR_EXPONENT);
	CHECK(ko.attr.format == GPUOA_FORMAT_A45_B8_C8 && ko.attr.exponent == TEST_EXPONENT);
	CHECK(ko.attr.metric_set == KO_CONFIG_ID && !ko.attr.buffer_size && !ko.attr.poll_us);
	CHECK(!ko.attr.dword_mask[0] && !ko.attr.drm_fd && !ko.attr.context);
	CHECK(ko.event_attr.type == KO_PMU_TYPE && ko.event_attr.disabled);
	CHECK(ko.event_attr.config == GPUOA_CONFIG_ATTR_ID_MASK);
	CHECK(ko.event_attr.config1 == KO_ATTR_ID && !ko.registered);
	CHECK(ko.pid == -1 && ko.cpu == KO_CPU && ko.group == -1);
	CHECK(ko.flags == PERF_FLAG_FD_CLOEXEC);
	CHECK(ko.event_attr.watermark && !ko.event_attr.aux_watermark);
	/* 100 ms of reports */
	CHECK(ko.event_attr.wakeup_watermark == 100000000 / PERIOD_NS * TEST_REPORT_SIZE);
	CHECK(test.options.notify_reports == 100000000 / PERIOD_NS);
	CHECK(test.options.ring_size == 128 << 20 && test.options.period_ns == PERIOD_NS);
	CHECK(test.options.delivery == GPUOA_DELIVERY_RAW);
	CHECK(stream_from_source(test.reader)->reader.desc.delivery == GPUOA_DELIVERY_RAW);
	CHECK(ko.enabled && !gpuoa_reader_disable(test.reader) && !ko.enabled);
	end();
}

/* A recording contains attributes that describe the event on their own. */
static void attributes_of_the_event_describe_the_stream(void)
{
	const struct stream *stream;

	REQUIRE(begin());
	REQUIRE(!open_stream());
	stream = stream_from_source(test.reader);
	CHECK(stream->id == KO_EVENT_ID && stream->cpu == KO_CPU);
	CHECK(stream->attr.config ==
	      ((uint64_t)KO_CONFIG_ID << GPUOA_CONFIG_METRIC_SET_SHIFT |
	       (uint64_t)GPUOA_FORMAT_A45_B8_C8 << GPUOA_CONFIG_FORMAT_SHIFT |
	       (uint64_t)TEST_EXPONENT << GPUOA_CONFIG_EXPONENT_SHIFT));
	CHECK(!stream->attr.config1);
	close_stream();
	test.options.delivery = GPUOA_DELIVERY_AUX;
	REQUIRE(!open_stream());
	stream = stream_from_source(test.reader);
	CHECK(stream->attr.config ==
	      (GPUOA_CONFIG_AUX_MASK | (uint64_t)KO_CONFIG_ID << GPUOA_CONFIG_METRIC_SET_SHIFT |
	       (uint64_t)GPUOA_FORMAT_A45_B8_C8 << GPUOA_CONFIG_FORMAT_SHIFT |
	       (uint64_t)TEST_EXPONENT << GPUOA_CONFIG_EXPONENT_SHIFT));
	end();
}

static uint32_t poll_us_of(uint64_t ns)
{
	test.options.poll_period_ns = ns;
	CHECK(!open_stream());
	close_stream();
	return ko.attr.poll_us;
}

static void poll_period_is_rounded_down_to_us(void)
{
	REQUIRE(begin());
	CHECK(poll_us_of(0) == 0);
	CHECK(poll_us_of(1) == 1);
	CHECK(poll_us_of(999) == 1);
	CHECK(poll_us_of(2999) == 2);
	CHECK(poll_us_of(UINT32_MAX * UINT64_C(1000)) == UINT32_MAX);
	CHECK(poll_us_of(UINT64_MAX) == UINT32_MAX);
	end();
}

static void context_filter_is_passed(void)
{
	REQUIRE(begin());
	test.options.context_filter = true;
	test.options.drm_fd = 11;
	test.options.context = 22;
	REQUIRE(!open_stream());
	CHECK(ko.attr.flags == (GPUOA_ATTR_EXPONENT | GPUOA_ATTR_CONTEXT));
	CHECK(ko.attr.drm_fd == 11 && ko.attr.context == 22);
	close_stream();
	test.options.context_hw_id = true;
	test.options.batch_boundary_reports = true;
	REQUIRE(!open_stream());
	CHECK(ko.attr.flags == (GPUOA_ATTR_EXPONENT | GPUOA_ATTR_CONTEXT |
				GPUOA_ATTR_CONTEXT_HW_ID | GPUOA_ATTR_BATCH_BOUNDARY_REPORTS));
	close_stream();
	test.options.context_hw_id = test.options.batch_boundary_reports = false;
	test.options.query_only = true;
	REQUIRE(!open_stream());
	CHECK(ko.attr.flags == (GPUOA_ATTR_CONTEXT | GPUOA_ATTR_QUERY_ONLY) && !ko.attr.exponent);
	end();
}

static void dword_mask_is_passed_with_the_header(void)
{
	REQUIRE(begin());
	test.options.dword_mask[0] = 1 << 20;
	test.options.delivery = GPUOA_DELIVERY_PREFER_AUX;
	REQUIRE(!open_stream());
	/* Haswell's header is the id and the timestamp; the number of dwords is even. */
	CHECK(ko.attr.dword_mask[0] & 1 << 20 && (ko.attr.dword_mask[0] & 3) == 3);
	CHECK(test.options.delivery == GPUOA_DELIVERY_RAW);
	CHECK(test.options.notify_reports == 100000000 / PERIOD_NS);
	end();
}

/* Other streams may have chosen the size of the OABUFFER. */
static void actual_buffer_size_is_returned(void)
{
	REQUIRE(begin());
	ko.user = (struct gpuoa_user){ .n_events = 1, .buffer_size = 2 << 20 };
	REQUIRE(!open_stream());
	CHECK(test.options.buffer_size == 2 << 20 && !ko.attr.buffer_size);
	close_stream();
	ko.user.n_events = 0;
	test.options.buffer_size = 4 << 20;
	REQUIRE(!open_stream());
	CHECK(ko.attr.buffer_size == 4 << 20 && test.options.buffer_size == 4 << 20);
	end();
}

static void cpu_of_the_unit_is_required(void)
{
	REQUIRE(begin());
	tree_file("sys/bus/event_source/devices/gpuoa0/cpumask", "");
	CHECK(open_stream() == -EIO && says("cannot sample gpuoa0"));
	tree_file("sys/bus/event_source/devices/gpuoa0/cpumask", "-1\n");
	CHECK(open_stream() == -EIO);
	tree_file("sys/bus/event_source/devices/gpuoa0/cpumask", "0-3\n");
	REQUIRE(!open_stream());
	CHECK(ko.cpu == 0);
	close_stream();
	strcpy(test.unit->desc.name, "gpuoa1");
	CHECK(pmu_find_cpu("gpuoa1") == -ENODEV);
	tree_file("sys/bus/event_source/devices/gpuoa2", "");
	CHECK(pmu_find_cpu("gpuoa2") == -ENOTDIR);
	end();
}

static void default_ring_shrinks_to_the_limit(void)
{
	REQUIRE(begin());
	ko.lockable = 5 << 20;
	ko.mmap_error = EPERM;
	REQUIRE(!open_stream());
	CHECK(test.options.ring_size == 4 << 20);
	CHECK(ko.event_attr.wakeup_watermark == 1 << 20);
	CHECK(test.options.notify_reports == (1 << 20) / TEST_REPORT_SIZE);
	CHECK(ko.opened == 6);
	close_stream();
	ko.mmap_error = ENOMEM;
	test.options.ring_size = 0;
	REQUIRE(!open_stream());
	CHECK(test.options.ring_size == 4 << 20);
	close_stream();
	test.options.ring_size = 0;
	ko.mmap_error = EINVAL;
	ko.opened = 0;
	CHECK(open_stream() == -EINVAL && ko.opened == 1);
	/* The file of a failed attempt is closed. */
	CHECK(fcntl(ko.event, F_GETFD) < 0);
	end();
}

static void ring_that_is_too_large_is_reported(void)
{
	REQUIRE(begin());
	ko.mmap_error = EPERM;
	ko.lockable = RING_SIZE_MIN;
	CHECK(open_stream() == -EPERM && says("raise kernel.perf_event_mlock_kb (now -1)"));
	CHECK(ko.opened == 9);
	ko.lockable = 5 << 20;
	ko.opened = 0;
	test.options.ring_size = 8 << 20;
	CHECK(open_stream() == -EPERM && ko.opened == 1);
	CHECK(says("may not lock the memory for gpuoa0's reports"));
	test.options.ring_size = 4 << 20;
	CHECK(!open_stream() && test.options.ring_size == 4 << 20);
	end();
}

static void aux_area_is_mapped_after_the_ring(void)
{
	REQUIRE(begin());
	test.options.delivery = GPUOA_DELIVERY_AUX;
	REQUIRE(!open_stream());
	CHECK(ko.attr.flags == (GPUOA_ATTR_EXPONENT | GPUOA_ATTR_AUX));
	CHECK(test.options.delivery == GPUOA_DELIVERY_AUX);
	CHECK(test.options.buffer_size == 16 << 20 && test.options.ring_size == AUX_RING_SIZE);
	CHECK(ko.event_attr.wakeup_watermark == AUX_RING_SIZE / 2);
	CHECK(ko.event_attr.aux_watermark == 4 << 20);
	CHECK(test.options.notify_reports == (4 << 20) / TEST_REPORT_SIZE);
	CHECK(ko_tail(offsetof(struct perf_event_mmap_page, aux_offset)) ==
	      AUX_RING_SIZE + (uint64_t)sysconf(_SC_PAGESIZE));
	CHECK(ko_tail(offsetof(struct perf_event_mmap_page, aux_size)) == 16 << 20);
	CHECK(ko.area_protection == (PROT_READ | PROT_WRITE));
	CHECK(stream_from_source(test.reader)->reader.desc.delivery == GPUOA_DELIVERY_AUX);
	close_stream();
	test.options.delivery = GPUOA_DELIVERY_AUX;
	test.options.overwrite = true;
	test.options.buffer_size = 1 << 20;
	test.options.ring_size = 1 << 18;
	REQUIRE(!open_stream());
	CHECK(ko.area_protection == PROT_READ && test.options.buffer_size == 1 << 20);
	CHECK(test.options.ring_size == 1 << 18);
	end();
}

static void default_area_shrinks_to_the_limit(void)
{
	REQUIRE(begin());
	ko.lockable = 1 << 20;
	ko.mmap_error = EPERM;
	test.options.delivery = GPUOA_DELIVERY_AUX;
	REQUIRE(!open_stream());
	CHECK(test.options.buffer_size == 1 << 20);
	close_stream();
	test.options.buffer_size = 2 << 20;
	CHECK(open_stream() == -EPERM);
	test.options.buffer_size = 0;
	ko.lockable = 128 << 10; /* less than the ring */
	CHECK(open_stream() == -EPERM);
	/* The ring fits; the smallest area does not. */
	ko.info.buffer_size_min = 1 << 20;
	gpuoa_unit_close(test.unit);
	REQUIRE(!open_unit());
	ko.lockable = 256 << 10;
	ko.opened = 0;
	CHECK(open_stream() == -EPERM && ko.opened == 5);
	CHECK(fcntl(ko.event, F_GETFD) < 0);
	end();
}

static void preferred_area_is_replaced_by_samples(void)
{
	REQUIRE(begin());
	test.options.delivery = GPUOA_DELIVERY_PREFER_AUX;
	REQUIRE(!open_stream());
	CHECK(test.options.delivery == GPUOA_DELIVERY_AUX);
	close_stream();
	ko.lockable = 600 << 10;
	ko.mmap_error = EPERM;
	test.options.delivery = GPUOA_DELIVERY_PREFER_AUX;
	test.options.buffer_size = 1 << 20;
	test.options.ring_size = 0;
	REQUIRE(!open_stream());
	CHECK(test.options.delivery == GPUOA_DELIVERY_RAW && test.options.ring_size == 512 << 10);
	CHECK(!(ko.attr.flags & GPUOA_ATTR_AUX));
	CHECK(!stream_from_source(test.reader)->area.data && !ko.event_attr.aux_watermark);
	/* Both attempts fail. */
	close_stream();
	ko.opened = 0;
	ko.openable = 1;
	ko.perf_error = EMFILE;
	test.options.delivery = GPUOA_DELIVERY_PREFER_AUX;
	CHECK(open_stream() == -EMFILE && ko.opened == 1 && !ko.mappings);
	ko.perf_error = 0;
	/* A mask needs RAW mode at once. */
	close_stream();
	ko.lockable = SIZE_MAX;
	ko.opened = 0;
	test.options.delivery = GPUOA_DELIVERY_PREFER_AUX;
	test.options.dword_mask[0] = 1 << 20;
	REQUIRE(!open_stream());
	CHECK(test.options.delivery == GPUOA_DELIVERY_RAW && ko.opened == 1);
	end();
}

static int resolve(void)
{
	test.options.size = sizeof(test.options);
	return gpuoa_stream_resolve_options(test.unit, find_set(), &test.options, test.error,
					    sizeof(test.error));
}

/* Options are those of a stream that is opened with them, but nothing is opened. */
static void resolved_options_are_those_of_a_stream(void)
{
	static const enum gpuoa_delivery deliveries[] = { GPUOA_DELIVERY_RAW, GPUOA_DELIVERY_AUX };
	struct gpuoa_stream_options resolved, request;

	REQUIRE(begin());
	for (size_t i = 0; i < 2; i++)
		for (uint32_t exponent = 4; exponent < 20; exponent += 3)
			for (int given = 0; given < 2; given++) {
				test.options = (struct gpuoa_stream_options){
					.use_exponent = true,
					.exponent = exponent,
					.delivery = deliveries[i],
					.ring_size = given ? (1 << 18) - 5 : 0,
					.buffer_size = given && i ? 1 << 21 : 0,
					.notify_reports = given ? 100 : 0,
				};
				request = test.options;
				CHECK(!resolve() && !ko.opened);
				resolved = test.options;
				test.options = request;
				CHECK(!open_stream());
				CHECK(resolved.ring_size == test.options.ring_size);
				CHECK(!i || resolved.buffer_size == test.options.buffer_size);
				CHECK(resolved.notify_reports == test.options.notify_reports);
				CHECK(resolved.period_ns == test.options.period_ns);
				CHECK(resolved.delivery == test.options.delivery);
				close_stream();
				ko.opened = 0;
			}
	test.options = (struct gpuoa_stream_options){ .use_exponent = true };
	CHECK(!resolve() && test.options.delivery == GPUOA_DELIVERY_RAW);
	CHECK(test.options.exponent == 0 && test.options.period_ns == 160);
	test.options = (struct gpuoa_stream_options){ .rounding = 77 };
	CHECK(resolve() == -EINVAL && says("77 is no way to round a period"));
	CHECK(gpuoa_stream_resolve_options(test.unit, find_set(), NULL, test.error,
					   sizeof(test.error)) == -EINVAL);
	CHECK(says("there are no options"));
	test.options.size = 1;
	CHECK(gpuoa_stream_resolve_options(test.unit, find_set(), &test.options, test.error,
					   sizeof(test.error)) == -EINVAL);
	end();
}

static void buffer_size_is_clamped_if_requested(void)
{
	static const uint32_t sizes[][2] = {
		{ 0, 0 },
		{ 1, 128 << 10 },
		{ 128 << 10, 128 << 10 },
		{ (128 << 10) + 1, 256 << 10 },
		{ 3 << 20, 4 << 20 },
		{ 8 << 20, 8 << 20 },
		{ 16 << 20, 16 << 20 },
		{ (16 << 20) + 1, 16 << 20 },
		{ UINT32_MAX, 16 << 20 },
	};

	REQUIRE(begin());
	for (size_t i = 0; i < sizeof(sizes) / sizeof(sizes[0]); i++) {
		test.options = (struct gpuoa_stream_options){ .buffer_size = sizes[i][0] };
		CHECK(!resolve() && test.options.buffer_size == sizes[i][0]);
		test.options.rounding = GPUOA_ROUNDING_CLAMP;
		CHECK(!resolve() && test.options.buffer_size == sizes[i][1]);
	}
	end();
}

/* The ring has space for 2 s of reports, and at most 128 MiB. */
static void default_sizes_are_powers_of_two(void)
{
	static const struct {
		uint64_t hz;
		uint32_t exponent;
		uint64_t ring_size;
	} known[] = {
		{ 12500000, 5, 128 << 20 }, /* 100 MB */
		{ 12500000, 4, 128 << 20 }, /* 200 MB */
		{ 12500000, 6, 64 << 20 }, /* 50 MB */
		{ 1 << 23, 11, 1 << 20 }, /* exactly 4096 reports of 256 bytes */
		{ 1 << 23, 10, 2 << 20 },   { 1 << 23, 12, 512 << 10 }, { 1 << 23, 13, 512 << 10 },
	};

	REQUIRE(begin());
	for (size_t i = 0; i < sizeof(known) / sizeof(known[0]); i++) {
		test.unit->desc.timestamp_frequency = known[i].hz;
		test.options = (struct gpuoa_stream_options){ .use_exponent = true,
							      .exponent = known[i].exponent };
		CHECK(!resolve() && test.options.ring_size == known[i].ring_size);
	}
	/* An area has the sizes of the unit. */
	test.unit->desc.buffer_size_min = 1 << 20;
	test.options = (struct gpuoa_stream_options){ .use_exponent = true,
						      .exponent = 31,
						      .delivery = GPUOA_DELIVERY_AUX };
	CHECK(!resolve() && test.options.buffer_size == 1 << 20);
	CHECK(test.options.ring_size == AUX_RING_SIZE);
	end();
}

static void contradictory_options_are_rejected(void)
{
	REQUIRE(begin());
	test.options.delivery = GPUOA_DELIVERY_RAW;
	test.options.overwrite = true;
	CHECK(open_stream() == -EINVAL && says("options contradict each other"));
	test.options.overwrite = false;
	test.options.delivery = (enum gpuoa_delivery)(GPUOA_DELIVERY_PREFER_AUX + 1);
	CHECK(open_stream() == -EINVAL && says("options contradict each other"));
	test.options.delivery = GPUOA_DELIVERY_AUX;
	test.options.dword_mask[0] = 0xff;
	CHECK(open_stream() == -EINVAL && says("options contradict each other"));
	test.options.delivery = GPUOA_DELIVERY_DEFAULT;
	test.options.dword_mask[1] = 1; /* beyond the report */
	CHECK(open_stream() == -EINVAL && says("have no such dwords"));
	test.options.dword_mask[1] = 0;
	test.options.format = 4711;
	CHECK(open_stream() == -EINVAL && says("report format 4711 is unknown"));
	test.options.format = 0;
	test.options.exponent = 32;
	CHECK(open_stream() == -ERANGE && says("the shortest period is 160 ns"));
	test.options.rounding = GPUOA_ROUNDING_CLAMP;
	CHECK(!open_stream() && test.options.exponent == 31);
	end();
}

/* ---- errors --------------------------------------------------------------------------------- */

static int open_with(int error)
{
	ko.perf_error = error;
	return open_stream();
}

static void stream_open_errors_have_messages(void)
{
	REQUIRE(begin());
	CHECK(open_with(EINVAL) == -EINVAL);
	CHECK(says("the kernel refuses this configuration of gpuoa0: library and gpuoa.ko may be"));
	CHECK(open_with(ENODEV) == -ENODEV && says("gpuoa0 was removed"));
	CHECK(open_with(EOPNOTSUPP) == -EOPNOTSUPP && says("gpuoa0 cannot do this"));
	CHECK(open_with(EBUSY) == -EBUSY && says("stop that program"));
	test.options.delivery = GPUOA_DELIVERY_AUX;
	CHECK(open_with(EOPNOTSUPP) == -EOPNOTSUPP && says("gpuoa0 cannot do this in AUX mode"));
	test.unit->desc.features &= ~(uint64_t)GPUOA_UNIT_AUX;
	CHECK(open_with(EOPNOTSUPP) == -EOPNOTSUPP);
	CHECK(says("gpuoa0 has no AUX area, as its reports go to a buffer of the GPU's driver"));
	test.options.delivery = GPUOA_DELIVERY_RAW;
	CHECK(open_with(EOPNOTSUPP) == -EOPNOTSUPP && says("gpuoa0 cannot do this"));
	CHECK(!test.reader && !ko.registered);
	end();
}

/* The sysctls that grant access depend on the driver of the GPU. */
static void denied_access_names_the_sysctls(void)
{
	REQUIRE(begin());
	tree_file("proc/sys/dev/gpuoa/paranoid", "1\n");
	tree_file("proc/sys/dev/gpuoa/max_sample_rate", "100000\n");
	tree_file("proc/sys/kernel/perf_event_paranoid", "2\n");
	CHECK(open_with(EACCES) == -EACCES && says("set dev.gpuoa.paranoid (now 1) to 0"));
	CHECK(says("kernel.perf_event_paranoid (now 2)") && says("(now 100000 Hz)"));

	tree_file("sys/module/gpuoa_i915/x", "");
	CHECK(open_with(EACCES) == -EACCES && says("set dev.gpuoa.paranoid (now 1) to 0"));
	tree_file("proc/sys/dev/gpuoa/paranoid", "0\n");
	tree_file("proc/sys/dev/i915/perf_stream_paranoid", "1\n");
	CHECK(open_with(EACCES) == -EACCES && says("dev.i915.perf_stream_paranoid (now 1) to 0"));

	tree_file("sys/module/gpuoa_xe/x", "");
	tree_file("proc/sys/dev/xe/observation_paranoid", "0\n");
	CHECK(open_with(EACCES) == -EACCES && says("dev.i915.perf_stream_paranoid (now 1) to 0"));
	tree_file("proc/sys/dev/xe/observation_paranoid", "1\n");
	CHECK(open_with(EACCES) == -EACCES && says("dev.xe.observation_paranoid (now 1)"));
	end();
}

/* ---- unprivileged streams -------------------------------------------------------------------- */

static bool begin_unprivileged(void)
{
	if (!begin())
		return false;
	ko.perf_error = EACCES;
	test.options.context_filter = true;
	test.options.drm_fd = 11;
	test.options.context = 22;
	return true;
}

static void stream_of_a_context_needs_no_privilege(void)
{
	REQUIRE(begin_unprivileged());
	REQUIRE(!open_stream());
	CHECK(ko.attr.flags == (GPUOA_ATTR_EXPONENT | GPUOA_ATTR_CONTEXT));
	CHECK(ko.attr.drm_fd == 11 && ko.attr.context == 22 && !ko.opened);
	CHECK(fcntl(ko.stream[0], F_GETFL) & O_NONBLOCK);
	CHECK(gpuoa_reader_fd(test.reader) == ko.stream[0] && ko.enabled);
	CHECK(!gpuoa_reader_disable(test.reader) && !ko.enabled);
	CHECK(!gpuoa_reader_enable(test.reader) && ko.enabled);
	ko.error = ENODEV;
	CHECK(gpuoa_reader_disable(test.reader) == -ENODEV);
	ko.error = 0;
	end();
}

static void stream_of_all_contexts_needs_privilege(void)
{
	REQUIRE(begin_unprivileged());
	test.options.context_hw_id = true;
	CHECK(open_stream() == -EACCES && says("run as root or with CAP_PERFMON"));
	test.options.context_hw_id = false;
	test.options.delivery = GPUOA_DELIVERY_AUX;
	CHECK(open_stream() == -EACCES);
	test.options.delivery = GPUOA_DELIVERY_RAW;
	test.options.context_filter = false;
	CHECK(open_stream() == -EACCES);
	CHECK(ko.stream[0] < 0);
	end();
}

static void denied_stream_of_a_context_is_explained(void)
{
	REQUIRE(begin_unprivileged());
	ko.stream_error = ENOTTY;
	CHECK(open_stream() == -EACCES && says("set dev.gpuoa.paranoid"));
	ko.stream_error = EACCES;
	test.unit->desc.features |= GPUOA_UNIT_QUERY_ONLY;
	CHECK(open_stream() == -EACCES && says("or ask for query_only and have batches report"));
	test.options.query_only = true;
	CHECK(open_stream() == -EACCES && says("set dev.gpuoa.paranoid"));
	test.options.query_only = test.options.context_filter = false;
	CHECK(open_stream() == -EACCES && says("set dev.gpuoa.paranoid"));
	test.options.query_only = test.options.context_filter = true;
	ko.stream_error = EUSERS;
	CHECK(open_stream() == -EUSERS && says("cannot sample gpuoa0: Too many users"));
	end();
}

/* Write a sample to the unprivileged stream. @wrong: number added to its size */
static void put_stream_sample(const struct bytes *payload, uint32_t wrong)
{
	struct bytes sample = { 0 };

	put32(&sample, (uint32_t)payload->size + wrong);
	put(&sample, payload->data, payload->size);
	CHECK(write(ko.stream[1], sample.data, sample.size) == (ssize_t)sample.size);
	clear(&sample);
}

static void samples_of_an_unprivileged_stream_are_read(void)
{
	struct bytes payload = { 0 };

	REQUIRE(begin_unprivileged());
	REQUIRE(!open_stream());
	CHECK(take() == 0);
	put_head(&payload);
	put_stream(&payload);
	put_clock(&payload, 1000);
	put_stream_sample(&payload, 0);
	clear(&payload);
	put_head(&payload);
	put_reports(&payload, 0, 5);
	put_stream_sample(&payload, 0);
	put_stream_sample(&payload, 8); /* truncated */
	clear(&payload);
	CHECK(take() == 5 && test.status.has_clock && test.status.clock.gpu_ticks == 1000);
	CHECK(report_number(test.reports, 4) == 4);
	CHECK(take() == 0);
	CHECK(!test.status.lost_unknown && !test.status.gap);
	/* Four bytes are no sample, not even an empty one. */
	put_head(&payload);
	put_reports(&payload, 5, 1);
	put_stream_sample(&payload, 0);
	clear(&payload);
	CHECK(write(ko.stream[1], "\0\0\0", 4) == 4);
	CHECK(take() == 1 && report_number(test.reports, 0) == 5 && take() == 0);
	/* The last sample ends with the data. */
	put_head(&payload);
	put_reports(&payload, 6, 1);
	put_stream_sample(&payload, 0);
	clear(&payload);
	CHECK(take() == 1 && report_number(test.reports, 0) == 6 && take() == 0);
	/* The end of the file is no error. */
	close(ko.stream[1]);
	ko.stream[1] = -1;
	CHECK(take() == 0);
	end();
}

/* ---- reading -------------------------------------------------------------------------------- */

/* Append a record with the fields of EMULATED_SAMPLE_TYPE, which are those of the event. */
static void put_event_sample(struct bytes *records, const struct bytes *payload)
{
	const size_t at = begin_record(records, PERF_RECORD_SAMPLE);

	put64(records, KO_EVENT_ID);
	put(records, NULL, 32); /* ip, tid, time, cpu */
	put32(records, (uint32_t)payload->size);
	put(records, payload->data, payload->size);
	end_record(records, at);
}

static void reports_of_the_ring_are_read(void)
{
	struct bytes payload = { 0 }, records = { 0 };

	REQUIRE(begin());
	REQUIRE(!open_stream());
	put_head(&payload);
	put_stream(&payload);
	put_clock(&payload, 1000);
	put_event_sample(&records, &payload);
	clear(&payload);
	put_head(&payload);
	put_reports(&payload, 0, 5);
	put_event_sample(&records, &payload);
	ko_produce(&records);
	CHECK(take() == 5 && test.status.has_clock);
	CHECK(take() == 0);
	CHECK(ko_tail(offsetof(struct perf_event_mmap_page, data_tail)) ==
	      ko_tail(offsetof(struct perf_event_mmap_page, data_head)));
	clear(&payload);
	end();
}

static void reports_of_the_area_are_read(void)
{
	struct bytes records = { 0 }, reports = { 0 };
	size_t at;

	REQUIRE(begin());
	test.options.delivery = GPUOA_DELIVERY_AUX;
	REQUIRE(!open_stream());
	for (uint32_t i = 1; i <= 3; i++)
		put_report(&reports, i);
	put_report(&reports, 3);
	put_report(&reports, 4);
	/* Haswell's invalid reports: one in place of the second one, and one that is additional */
	memset(reports.data + TEST_REPORT_SIZE, 0, 4);
	memset(reports.data + 3 * TEST_REPORT_SIZE, 0, 4);
	ko_put(reports.data, reports.size, AUX_RING_SIZE + (uint64_t)sysconf(_SC_PAGESIZE));
	at = begin_record(&records, PERF_RECORD_AUX);
	put64(&records, 0);
	put64(&records, 5 * TEST_REPORT_SIZE);
	put64(&records, GPUOA_FORMAT_A45_B8_C8 << 8);
	put(&records, NULL, 40);
	end_record(&records, at);
	ko_produce(&records);
	CHECK(take() == 1 && report_number(test.reports, 0) == 1);
	CHECK(take() == 2 && report_number(test.reports, 1) == 4);
	CHECK(test.status.gap && test.status.lost_hardware == 1);
	CHECK(take() == 0);
	CHECK(ko_tail(offsetof(struct perf_event_mmap_page, aux_tail)) == 5 * TEST_REPORT_SIZE);
	clear(&reports);
	end();
}

/* A flight recorder may have run for days, so its end has the time. */
static void disabled_flight_recorder_has_the_time(void)
{
	const struct stream *stream;

	REQUIRE(begin());
	test.options.overwrite = true;
	REQUIRE(!open_stream());
	stream = stream_from_source(test.reader);
	CHECK(!gpuoa_reader_disable(test.reader) && stream->area.clock.gpu_ticks == 1000);
	CHECK(!gpuoa_reader_enable(test.reader));
	close_stream();
	/* Other streams have the time in their records. */
	test.options.overwrite = false;
	test.options.delivery = GPUOA_DELIVERY_AUX;
	REQUIRE(!open_stream());
	stream = stream_from_source(test.reader);
	CHECK(!gpuoa_reader_disable(test.reader) && !stream->area.clock.gpu_ticks);
	end();
}

static void filtered_area_has_no_period(void)
{
	const struct stream *stream;

	REQUIRE(begin());
	test.options.delivery = GPUOA_DELIVERY_AUX;
	REQUIRE(!open_stream());
	stream = stream_from_source(test.reader);
	CHECK(stream->area.period == TEST_TICKS && stream->area.id_is_never_0);
	CHECK(!stream->area.splits);
	close_stream();
	test.unit->desc.features |= GPUOA_UNIT_SPLIT_REPORTS;
	test.options.context_filter = true;
	REQUIRE(!open_stream());
	stream = stream_from_source(test.reader);
	CHECK(!stream->area.period && stream->area.splits);
	end();
}

/* The entries have the size that the caller knows, which may be less than that of the library. */
static void device_list_fills_as_many_entries_as_there_are(void)
{
	static const char *const names[] = { "0000:00:02.0", "0000:03:00.0", "0000:04:00.0" };
	const size_t size = sizeof(struct gpuoa_device_desc) - 8;
	char devices[4][sizeof(struct gpuoa_device_desc)];

	ko_begin();
	for (size_t i = 0; i < 3; i++) {
		char path[128];

		snprintf(path, sizeof(path), "sys/bus/pci/devices/%s/vendor", names[i]);
		tree_file(path, "0x8086\n");
		snprintf(path, sizeof(path), "sys/bus/pci/devices/%s/class", names[i]);
		tree_file(path, "0x030000\n");
	}
	for (size_t max = 0; max <= 4; max++) {
		memset(devices, 0x55, sizeof(devices));
		CHECK(gpuoa_device_list((struct gpuoa_device_desc *)devices, size, max) == 3);
		for (size_t i = 0; i < 4; i++) {
			const char *name = (const char *)devices + i * size +
					   offsetof(struct gpuoa_device_desc, name);

			if (i < max && i < 3)
				CHECK_STRING(name, names[i]);
			else
				CHECK(*name == 0x55);
		}
	}
	ko_end();
}

/* A process that has closed its standard input may get 0 for any file. */
static void units_and_streams_may_have_file_0(void)
{
	const int input = dup(STDIN_FILENO);

	memset(&test, 0, sizeof(test));
	ko_begin();
	ko.moves_node = true;
	CHECK(!open_unit() && test.unit->fd == STDIN_FILENO);
	gpuoa_unit_close(test.unit);
	CHECK(fcntl(STDIN_FILENO, F_GETFD) < 0);
	ko.info_error = EIO;
	CHECK(open_unit() == -EIO && fcntl(STDIN_FILENO, F_GETFD) < 0);
	ko_end();

	REQUIRE(begin());
	ko.moves_stream = true;
	CHECK(!open_stream() && gpuoa_reader_fd(test.reader) == STDIN_FILENO);
	close_stream();
	CHECK(fcntl(STDIN_FILENO, F_GETFD) < 0);
	ko.lockable = 0;
	ko.mmap_error = EINVAL;
	CHECK(open_stream() == -EINVAL && fcntl(STDIN_FILENO, F_GETFD) < 0);
	end();

	REQUIRE(begin_unprivileged());
	ko.moves_stream = true;
	CHECK(!open_stream() && gpuoa_reader_fd(test.reader) == STDIN_FILENO);
	end();
	CHECK(fcntl(STDIN_FILENO, F_GETFD) < 0);
	if (input >= 0) {
		dup2(input, STDIN_FILENO);
		close(input);
	}
}

static int flush(void)
{
	return test.reader->ops->look(test.reader);
}

/* Reading the event makes the kernel poll the hardware. */
static void flush_polls_the_hardware(void)
{
	REQUIRE(begin());
	REQUIRE(!open_stream());
	CHECK(!flush() && ko.polls == 1);
	ko.error = EIO;
	CHECK(flush() == -EIO);
	ko.error = 0;
	CHECK(!gpuoa_reader_disable(test.reader) && !ko.enabled);
	CHECK(!flush() && ko.polls == 2);
	ko.polls = 0;
	end();
	REQUIRE(begin_unprivileged());
	REQUIRE(!open_stream());
	CHECK(!flush() && ko.polls == 1);
	ko.error = EIO;
	CHECK(flush() == -EIO);
	end();
}

static const struct gpuoa_set *other_set(const char *symbol)
{
	return gpuoa_platform_find_set(gpuoa_unit_platform(test.unit), symbol, "OA",
				       gpuoa_unit_constants(test.unit));
}

static int reconfigure_with(int error)
{
	ko.switch_error = error;
	return gpuoa_stream_reconfigure(test.reader, other_set("ComputeBasic"), test.error,
					sizeof(test.error));
}

static void reconfigured_stream_has_the_new_set(void)
{
	struct gpuoa_set_desc set;
	struct gpuoa_reader_desc desc;
	const struct stream *stream;

	REQUIRE(begin());
	REQUIRE(!open_stream());
	stream = stream_from_source(test.reader);
	test.unit->desc.name[5] = '7';
	CHECK_STRING(stream->event_name, "gpuoa0/RenderBasic/");
	ko.config_id = 9;
	CHECK(!reconfigure_with(0) && ko.id == 9);
	gpuoa_set_describe(other_set("ComputeBasic"), &set, sizeof(set));
	gpuoa_reader_describe(test.reader, &desc, sizeof(desc));
	CHECK_STRING(desc.uuid, set.uuid);
	CHECK_STRING(stream->event_name, "gpuoa7/ComputeBasic/");
	CHECK((stream->attr.config & GPUOA_CONFIG_METRIC_SET_MASK) == 9);
	CHECK(stream->set == other_set("ComputeBasic"));
	CHECK(stream->attr.config & GPUOA_CONFIG_FORMAT_MASK);
	end();
}

static void reconfigure_errors_have_messages(void)
{
	REQUIRE(begin());
	REQUIRE(!open_stream());
	ko.user = (struct gpuoa_user){ .n_events = 2, .pid = 123, .comm = "glxgears" };
	CHECK(reconfigure_with(EBUSY) == -EBUSY);
	CHECK(says("gpuoa0 stays as it is: it is in use by glxgears (process 123), and others"));
	ko.user.pid = (uint32_t)getpid();
	CHECK(reconfigure_with(EBUSY) == -EBUSY && says("in use by this process, and"));
	ko.user.pid = 0;
	CHECK(reconfigure_with(EBUSY) == -EBUSY && says("in use by glxgears, and"));
	*ko.user.comm = '\0';
	CHECK(reconfigure_with(EBUSY) == -EBUSY && says("in use, and"));
	CHECK(reconfigure_with(ENOTTY) == -EOPNOTSUPP);
	CHECK(says("a flight recorder of gpuoa0 keeps its set, and so does an old gpuoa.ko"));
	CHECK(reconfigure_with(EIO) == -EIO);
	CHECK(says("gpuoa0 could not be programmed for ComputeBasic"));
	CHECK(reconfigure_with(ENXIO) == -ENXIO);
	CHECK(says("gpuoa0 cannot be changed to ComputeBasic: No such device or address"));
	end();
}

static void busy_unit_is_described(void)
{
	REQUIRE(begin());
	test.options.format = GPUOA_FORMAT_A45_B8_C8;
	ko.user = (struct gpuoa_user){
		.uuid = TEST_UUID,
		.format = GPUOA_FORMAT_A45_B8_C8,
		.exponent = TEST_EXPONENT,
		.buffer_size = 1 << 20,
		.n_events = 1,
		.pid = 123,
		.comm = "perf",
	};
	CHECK(open_with(EBUSY) == -EBUSY);
	CHECK(says("in use by perf (process 123): with another context or other dwords"));
	test.options.buffer_size = 1 << 20;
	CHECK(open_with(EBUSY) == -EBUSY && says("with another context or other dwords"));
	test.options.buffer_size = 2 << 20;
	CHECK(open_with(EBUSY) == -EBUSY && says(": with another buffer size; stop that program"));
	ko.user.flags = GPUOA_ATTR_BATCH_BOUNDARY_REPORTS;
	CHECK(open_with(EBUSY) == -EBUSY && says(": with another context filter; stop"));
	ko.user.flags = GPUOA_ATTR_CONTEXT;
	CHECK(open_with(EBUSY) == -EBUSY && says(": with another context filter; stop"));
	ko.user.exponent++;
	CHECK(open_with(EBUSY) == -EBUSY && says(": with another period; stop"));
	ko.user.format = GPUOA_FORMAT_A13;
	CHECK(open_with(EBUSY) == -EBUSY && says(": with another report format; stop"));
	ko.user.uuid[0]++;
	CHECK(open_with(EBUSY) == -EBUSY && says(": with another set; stop"));
	ko.user.flags = GPUOA_ATTR_AUX;
	CHECK(open_with(EBUSY) == -EBUSY && says(": in AUX mode, which cannot be shared; stop"));
	test.options.delivery = GPUOA_DELIVERY_AUX;
	CHECK(open_with(EBUSY) == -EBUSY && says("(process 123), and AUX mode needs it alone"));
	ko.user.n_events = 0;
	CHECK(open_with(EBUSY) == -EBUSY && says("gpuoa0 is in use by a program that has it from"));
	/* An old gpuoa.ko does not describe the user. */
	ko.user_error = ENOTTY;
	test.options.delivery = GPUOA_DELIVERY_RAW;
	CHECK(open_with(EBUSY) == -EBUSY && says("gpuoa0 is in use: with another context or"));
	end();
}

/* Options that were not specified are those of other streams of the set. */
static void stream_joins_others_of_its_set(void)
{
	REQUIRE(begin());
	test.options.use_exponent = false;
	ko.user = (struct gpuoa_user){
		.uuid = TEST_UUID,
		.format = GPUOA_FORMAT_A13,
		.exponent = 9,
		.n_events = 1,
	};
	REQUIRE(!open_stream());
	CHECK(ko.attr.exponent == 9 && ko.attr.format == GPUOA_FORMAT_A13);
	close_stream();
	test.options = (struct gpuoa_stream_options){ .period_ns = PERIOD_NS,
						      .format = GPUOA_FORMAT_A45_B8_C8 };
	REQUIRE(!open_stream());
	CHECK(ko.attr.exponent == TEST_EXPONENT && ko.attr.format == GPUOA_FORMAT_A45_B8_C8);
	close_stream();
	test.options = (struct gpuoa_stream_options){ .use_exponent = true, .exponent = 4 };
	REQUIRE(!open_stream());
	CHECK(ko.attr.exponent == 4 && ko.attr.format == GPUOA_FORMAT_A13);
	close_stream();
	test.options = (struct gpuoa_stream_options){ .size = 0 };
	ko.user.uuid[0]++;
	REQUIRE(!open_stream());
	CHECK(ko.attr.exponent == 12 && ko.attr.format == GPUOA_FORMAT_A45_B8_C8);
	close_stream();
	test.options = (struct gpuoa_stream_options){ .size = 0 };
	ko.user.uuid[0]--;
	ko.user.flags = GPUOA_ATTR_AUX;
	REQUIRE(!open_stream());
	CHECK(ko.attr.exponent == 12 && ko.attr.format == GPUOA_FORMAT_A45_B8_C8);
	end();
}

/* The longest period up to the default of 1 ms is 0.66 ms. */
static void default_ring_holds_two_seconds(void)
{
	REQUIRE(begin());
	test.options = (struct gpuoa_stream_options){ .size = 0 };
	REQUIRE(!open_stream());
	CHECK(test.options.exponent == 12 && test.options.period_ns == 655360);
	/* 2 s / 655.36 us * 256 bytes = 0.74 MiB */
	CHECK(test.options.ring_size == 1 << 20);
	CHECK(ko.event_attr.wakeup_watermark == 100000000 / 655360 * TEST_REPORT_SIZE);
	close_stream();
	test.options = (struct gpuoa_stream_options){ .use_exponent = true, .exponent = 11 };
	REQUIRE(!open_stream());
	/* 2 s / 327.68 us * 256 bytes = 1.49 MiB */
	CHECK(test.options.ring_size == 2 << 20);
	close_stream();
	test.options = (struct gpuoa_stream_options){ .use_exponent = true, .exponent = 31 };
	REQUIRE(!open_stream());
	CHECK(test.options.ring_size == 512 << 10 && ko.event_attr.wakeup_watermark == 1);
	CHECK(test.options.notify_reports == 0);
	close_stream();
	test.options.notify_reports = 3;
	REQUIRE(!open_stream());
	CHECK(ko.event_attr.wakeup_watermark == 3 * TEST_REPORT_SIZE);
	CHECK(test.options.notify_reports == 3);
	close_stream();
	test.options.notify_reports = UINT32_MAX;
	REQUIRE(!open_stream());
	CHECK(ko.event_attr.wakeup_watermark == 128 << 10);
	end();
}

/* ---- failures ------------------------------------------------------------------------------- */

static enum gpuoa_delivery delivery;

static int use_stream(void)
{
	int err = open_unit();

	if (err)
		return err;
	test.options = (struct gpuoa_stream_options){ .use_exponent = true,
						      .exponent = TEST_EXPONENT,
						      .ring_size = 1 << 20,
						      .buffer_size = 1 << 20,
						      .delivery = delivery,
						      .context_filter = ko.perf_error,
						      .context = 22 };
	err = open_stream();
	if (ko.stream[0] >= 0)
		close(ko.stream[1]);
	close_stream();
	gpuoa_unit_close(test.unit);
	return err;
}

static void use_streams(struct failing *failing, int error)
{
	delivery = GPUOA_DELIVERY_RAW;
	fail_each(failing, error, use_stream);
	delivery = GPUOA_DELIVERY_AUX;
	fail_each(failing, error, use_stream);
	ko.perf_error = EACCES;
	delivery = GPUOA_DELIVERY_RAW;
	fail_each(failing, error, use_stream);
	ko.perf_error = 0;
}

static void stream_survives_failures(void)
{
	REQUIRE(begin());
	gpuoa_unit_close(test.unit);
	use_streams(&allocations, ENOMEM);
	CHECK(!ko.registered && !ko.mappings);
	use_streams(&calls, EIO);
	CHECK(!ko.mappings);
	ko.stream[1] = -1;
	ko_end();
}

int main(void)
{
	RUN(units_are_listed_by_number);
	RUN(there_are_no_units_without_gpuoa_ko);
	RUN(unit_describe_returns_values_of_the_kernel);
	RUN(parent_is_found_in_sysfs);
	RUN(unopenable_unit_is_reported);
	RUN(check_fails_after_removal_only);
	RUN(clock_pair_is_that_of_the_kernel);
	RUN(inserted_marker_has_the_time_of_the_kernel);
	RUN(get_user_describes_the_first_stream);
	RUN(context_owner_is_that_of_the_kernel);
	RUN(add_set_passes_the_registers_of_each_kind);
	RUN(add_set_errors_have_messages);
	RUN(add_set_accepts_sets_of_definitions);
	RUN(sets_have_4096_registers_of_a_kind_at_most);
	RUN(add_config_concatenates_lists_of_a_kind);
	RUN(add_config_errors_have_messages);
	RUN(invalid_config_is_not_passed_to_the_kernel);
	RUN(configs_of_the_kernel_are_listed);
	RUN(configurations_are_listed_and_removed);
	RUN(stream_open_passes_attributes);
	RUN(attributes_of_the_event_describe_the_stream);
	RUN(poll_period_is_rounded_down_to_us);
	RUN(context_filter_is_passed);
	RUN(dword_mask_is_passed_with_the_header);
	RUN(actual_buffer_size_is_returned);
	RUN(cpu_of_the_unit_is_required);
	RUN(default_ring_shrinks_to_the_limit);
	RUN(ring_that_is_too_large_is_reported);
	RUN(aux_area_is_mapped_after_the_ring);
	RUN(default_area_shrinks_to_the_limit);
	RUN(preferred_area_is_replaced_by_samples);
	RUN(resolved_options_are_those_of_a_stream);
	RUN(buffer_size_is_clamped_if_requested);
	RUN(default_sizes_are_powers_of_two);
	RUN(contradictory_options_are_rejected);
	RUN(stream_open_errors_have_messages);
	RUN(denied_access_names_the_sysctls);
	RUN(stream_of_a_context_needs_no_privilege);
	RUN(stream_of_all_contexts_needs_privilege);
	RUN(denied_stream_of_a_context_is_explained);
	RUN(samples_of_an_unprivileged_stream_are_read);
	RUN(reports_of_the_ring_are_read);
	RUN(reports_of_the_area_are_read);
	RUN(disabled_flight_recorder_has_the_time);
	RUN(filtered_area_has_no_period);
	RUN(device_list_fills_as_many_entries_as_there_are);
	RUN(units_and_streams_may_have_file_0);
	RUN(flush_polls_the_hardware);
	RUN(reconfigured_stream_has_the_new_set);
	RUN(reconfigure_errors_have_messages);
	RUN(busy_unit_is_described);
	RUN(stream_joins_others_of_its_set);
	RUN(default_ring_holds_two_seconds);
	RUN(stream_survives_failures);
	return tap_end();
}
