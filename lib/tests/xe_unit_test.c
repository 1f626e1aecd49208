// SPDX-License-Identifier: MIT
/*
 * xe_unit_test.c - Test descriptions of xe's units with a simulated kernel (fake_xe.h): GPUs of
 * several tiles and many cores, and kernels whose answers end early or that fail.
 */
#define _GNU_SOURCE
#include <sys/mman.h>
#include <time.h>

#include "failing_memory.h"
#include "fake_files.h"
#include "fake_xe.h"

#include "base/complaint.h"
#include "gpuoa-stream.h"
#include "gpuoa-time.h"
#include "reader/backends/backends.h"
#include "reader/stream/unit.h"
#include "reader/xe/xe.h"

static const struct complaint quiet;
static struct gpuoa_unit_desc desc;

/* Open a unit, describe it in @desc, and close it. Returns 0 or -errno. */
static int describe(const char *name)
{
	struct gpuoa_unit *unit;
	const int err = backend_open(&xe_backend, name, &unit, &quiet);

	memset(&desc, 0, sizeof(desc));
	if (err)
		return err;
	gpuoa_unit_describe(unit, &desc, sizeof(desc));
	gpuoa_unit_close(unit);
	return 0;
}

static void unit_has_the_clock_and_the_tile_of_its_gt(void)
{
	xe_begin();
	CHECK(!describe("xe:0") && desc.gt == 0 && desc.tile == 0);
	CHECK(desc.cs_timestamp_frequency == XE_HZ && desc.timestamp_frequency == XE_HZ);
	CHECK(desc.cs_timestamp_bits == 64);
	CHECK(!describe("xe:0.1") && desc.gt == 1 && desc.tile == 1);
	CHECK(desc.cs_timestamp_frequency == XE_MEDIA_HZ && desc.timestamp_frequency == XE_HZ);
	CHECK(desc.cs_timestamp_bits == 64);
}

static void clock_pair_is_the_fastest_of_three(void)
{
	static const char *const names[] = { "xe:0", "xe:0.1" };
	struct gpuoa_clock_pair pair;
	struct gpuoa_unit *unit;

	/* If all take the same time, the first one is used. */
	xe_begin();
	REQUIRE(!backend_open(&xe_backend, "xe:0", &unit, &quiet));
	xe.clock_step = 3;
	CHECK(!gpuoa_unit_clock(unit, CLOCK_MONOTONIC, &pair));
	CHECK(pair.gpu_ticks == XE_CYCLES && pair.cpu_ns == 1000250);
	gpuoa_unit_close(unit);
	for (unsigned int fastest = 0; fastest < 6; fastest++) {
		const unsigned int n = fastest % 3, ratio = 1 + fastest / 3;

		xe_begin();
		REQUIRE(!backend_open(&xe_backend, names[fastest / 3], &unit, &quiet));
		xe.clock_step = 3;
		for (unsigned int i = 0; i < 3; i++)
			xe.delays[i] = i == n ? 40 : 60;
		CHECK(!gpuoa_unit_clock(unit, CLOCK_MONOTONIC, &pair));
		CHECK(xe.clock_reads == 3 && xe.clock.clockid == CLOCK_MONOTONIC);
		/* the first engine of the unit */
		CHECK(xe.clock.eci.engine_class ==
		      (ratio == 1 ? DRM_XE_ENGINE_CLASS_RENDER : DRM_XE_ENGINE_CLASS_VIDEO_DECODE));
		CHECK(xe.clock.eci.engine_instance == 0 && xe.clock.eci.gt_id == ratio - 1);
		CHECK(pair.gpu_ticks == ratio * (UINT64_C(1) * XE_CYCLES + 3 * n));
		CHECK(pair.cpu_ns == 1000000 + 3 * n + 270);
		CHECK(pair.error_ns == 270 + 1000000000 / XE_HZ + 1);
		gpuoa_unit_close(unit);
	}
}

static void cores_beyond_64_are_described(void)
{
	static const uint16_t core_types[] = { DRM_XE_TOPO_DSS_GEOMETRY, DRM_XE_TOPO_DSS_COMPUTE };
	static const uint16_t eu_types[] = { DRM_XE_TOPO_EU_PER_DSS,
					     DRM_XE_TOPO_SIMD16_EU_PER_DSS };

	for (unsigned int i = 0; i < 4; i++) {
		xe_begin();
		xe.core_type = core_types[i / 2];
		xe.eu_type = eu_types[i % 2];
		xe.cores[0] = UINT64_C(0x8000000000000011);
		xe.cores[1] = UINT64_C(0x4000000000000003);
		CHECK(!describe("xe:0"));
		CHECK(desc.subslice_mask == xe.cores[0] && desc.subslice_mask_high == xe.cores[1]);
		CHECK(desc.subslice_count == 6 && desc.eu_count == 48);
		/* cores 0, 4, 63, 64, 65 and 126, 4 in each slice */
		CHECK(desc.subslice_stride == 4 && desc.slice_count == 5);
		CHECK(desc.slice_mask ==
		      (1ull << 0 | 1ull << 1 | 1ull << 15 | 1ull << 16 | 1ull << 31));
		CHECK(desc.l3_bank_mask == 3);
	}
}

static void engines_beyond_the_maximum_are_omitted(void)
{
	for (uint32_t engines = 1; engines < GPUOA_UNIT_ENGINES + 3; engines++) {
		xe_begin();
		xe.engines = engines;
		CHECK(!describe("xe:0.1"));
		CHECK(desc.engine_count ==
		      (engines < GPUOA_UNIT_ENGINES ? engines : GPUOA_UNIT_ENGINES));
		for (uint32_t i = 0; i < desc.engine_count; i++)
			CHECK(desc.engines[i].kind == GPUOA_ENGINE_VIDEO &&
			      desc.engines[i].instance == i);
	}
}

#define UNIT_TYPE_OAM_SAG 2 /* DRM_XE_OA_UNIT_TYPE_OAM_SAG of later kernels */

static const char *domain_of(const char *name)
{
	return describe(name) ? "none" : desc.domain;
}

/* The shared unit may have no engines, and be listed before or after the others. */
static void media_units_are_numbered_if_there_is_a_shared_one(void)
{
	for (unsigned int last = 0; last < 2; last++) {
		xe_begin();
		xe.media_units = 2;
		xe.engines = 2;
		if (last)
			xe.last_type = UNIT_TYPE_OAM_SAG;
		else
			xe.idle_type = UNIT_TYPE_OAM_SAG;
		CHECK_STRING(domain_of("xe:0"), "OA");
		CHECK_STRING(domain_of("xe:0.1"), "OAM0");
		CHECK_STRING(domain_of("xe:0.2"), "OAM1");
		CHECK(xe_driver.count_units("", "card0") == 3);
	}
	xe.last_type = 0;
	CHECK_STRING(domain_of("xe:0.1"), "OAMG");
}

/* The answer of xe may have more bytes than the units that it counts. */
static void uncounted_units_are_ignored(void)
{
	xe_begin();
	xe.media_units = 2;
	xe.uncounted = 1;
	CHECK(xe_driver.count_units("", "card0") == 2);
	CHECK_STRING(domain_of("xe:0.1"), "OAMG");
	CHECK(describe("xe:0.2") == -ENOENT);
	xe.last_type = UNIT_TYPE_OAM_SAG;
	CHECK_STRING(domain_of("xe:0.1"), "OAMG");
	xe.uncounted = 5;
	CHECK(xe_driver.count_units("", "card0") == 0);
}

/* Number of bytes of a unit with @engines engines in the answer of xe */
static size_t unit_bytes(uint32_t engines)
{
	return sizeof(struct drm_xe_oa_unit) +
	       engines * sizeof(struct drm_xe_engine_class_instance);
}

static void incomplete_units_are_not_found(void)
{
	const size_t first = sizeof(struct drm_xe_query_oa_units) + unit_bytes(1);
	const size_t last = first + unit_bytes(0) + unit_bytes(3);

	for (size_t cut = sizeof(struct drm_xe_query_oa_units); cut <= last; cut++) {
		xe_begin();
		xe.engines = 3;
		xe.cut_query = DRM_XE_DEVICE_QUERY_OA_UNITS;
		xe.cut = cut;
		CHECK(describe("xe:0") == (cut < first ? -ENOENT : 0));
		CHECK(describe("xe:0.1") == (cut < last ? -ENOENT : 0));
		CHECK(xe_driver.count_units("", "card0") == (cut >= first) + (cut >= last));
	}
}

static void incomplete_masks_are_ignored(void)
{
	const size_t head = sizeof(struct drm_xe_query_topology_mask);
	const size_t cores = head + 16, eus = cores + head + 4, banks = eus + head + 4;

	for (size_t cut = 1; cut <= banks; cut++) {
		xe_begin();
		xe.cut_query = DRM_XE_DEVICE_QUERY_GT_TOPOLOGY;
		xe.cut = cut;
		CHECK(describe("xe:0") == (cut < cores ? -ENODATA : 0));
		if (cut < cores)
			continue;
		CHECK(desc.subslice_count == 8 && desc.eu_count == (cut < eus ? 0 : 64));
		CHECK(desc.l3_bank_mask == (cut < banks ? 0 : 3));
	}
}

/* ---- files of the kernel --------------------------------------------------------------------- */

#define CARD0 "sys/class/drm/card0"
#define UUID "00000000-0000-4000-8000-00000000c057"

static void put_node(const char *node, const char *device)
{
	char name[128], target[128];

	snprintf(name, sizeof(name), "sys/devices/%s/x", device);
	tree_file(name, "");
	snprintf(target, sizeof(target), "sys/devices/%s", device);
	snprintf(name, sizeof(name), "sys/class/drm/%s/device", node);
	tree_link(name, target);
}

/* A GPU of two tiles, another one of the same driver, and one of another driver */
static void begin_cards(void)
{
	xe_begin();
	tree_begin();
	put_node("card0", "0000:03:00.0");
	put_node("card1", "0000:04:00.0");
	put_node("card10", "0000:00:02.0");
	put_node("renderD128", "0000:00:02.0");
	put_node("renderD129", "0000:04:00.0");
	put_node("renderD130", "0000:03:00.0");
	put_node("renderD131x", "0000:03:00.0");
	tree_file("sys/drivers/xe/x", "");
	tree_file("sys/drivers/i915/x", "");
	tree_link("sys/devices/0000:03:00.0/driver", "sys/drivers/xe");
	tree_link("sys/devices/0000:04:00.0/driver", "sys/drivers/xe");
	tree_link("sys/devices/0000:00:02.0/driver", "sys/drivers/i915");
	tree_file(CARD0 "/metrics/x", "");
	tree_file("sys/class/drm/card1/metrics/x", "");
	tree_file("sys/class/drm/card10/metrics/x", "");
}

static void units_of_all_cards_are_listed(void)
{
	char names[8][UNIT_NAME_SIZE] = { "", "", "", "", "unchanged" };

	begin_cards();
	CHECK(xe_backend.list(names, 8) == 4);
	CHECK_STRING(names[0], "xe:0");
	CHECK_STRING(names[1], "xe:0.1");
	CHECK_STRING(names[2], "xe:1");
	CHECK_STRING(names[3], "xe:1.1");
	CHECK_STRING(names[4], "unchanged");
	strcpy(names[3], "unchanged");
	CHECK(xe_backend.list(names, 3) == 4);
	CHECK_STRING(names[3], "unchanged");
	CHECK(xe_backend.list(NULL, 0) == 4);
	tree_end();
}

static void unit_is_opened_through_the_render_node(void)
{
	char node[DRM_NODE_SIZE], parent[sizeof(desc.parent)];

	begin_cards();
	CHECK(!describe("xe:0.1"));
	CHECK_STRING(xe.node, "/dev/dri/renderD130");
	CHECK(xe.node_flags == (O_RDWR | O_CLOEXEC));
	xe.node_flags = 0;
	CHECK(xe_driver.count_units("", "card1") == 2);
	CHECK_STRING(xe.node, "/dev/dri/renderD129");
	CHECK(xe.node_flags == (O_RDWR | O_CLOEXEC));
	CHECK_STRING(desc.parent, "0000:03:00.0");
	CHECK(!describe("xe:1"));
	CHECK_STRING(xe.node, "/dev/dri/renderD129");
	CHECK_STRING(desc.parent, "0000:04:00.0");
	xe_backend.find_node("xe:10", node, sizeof(node));
	CHECK_STRING(node, "/dev/dri/renderD128");
	xe_backend.find_parent("xe:10.1", parent, sizeof(parent));
	CHECK_STRING(parent, "0000:00:02.0");
	tree_end();
	/* A GPU without a render node has a card node. */
	xe_backend.find_node("xe:10.1", node, sizeof(node));
	CHECK_STRING(node, "/dev/dri/card10");
	strcpy(parent, "unchanged");
	xe_backend.find_parent("xe:77", parent, sizeof(parent));
	CHECK_STRING(parent, "");
}

static void frequencies_are_those_of_the_gt(void)
{
	begin_cards();
	tree_file(CARD0 "/device/tile0/gt0/freq0/rpn_freq", "1\n");
	tree_file(CARD0 "/device/tile0/gt0/freq0/rp0_freq", "2050\n");
	tree_file(CARD0 "/device/tile1/gt1/freq0/rpn_freq", "-100\n");
	tree_file(CARD0 "/device/tile1/gt1/freq0/rp0_freq", "1500\n");
	CHECK(!describe("xe:0"));
	CHECK(desc.gt_min_frequency == 1000000 && desc.gt_max_frequency == 2050000000);
	CHECK(!describe("xe:0.1"));
	CHECK(desc.gt_min_frequency == 0 && desc.gt_max_frequency == 1500000000);
	CHECK(!describe("xe:1") && !desc.gt_min_frequency && !desc.gt_max_frequency);
	tree_end();
}

static int add_config(struct gpuoa_unit *unit, const char *uuid, uint32_t *id)
{
	const struct unit_config config = { .uuid = uuid };

	return xe_backend.add_config(unit, &config, id);
}

/* xe does not return the id of a configuration that exists, but sysfs has it. */
static void id_of_an_added_config_is_found(void)
{
	struct registered_config *configs;
	struct gpuoa_unit *unit;
	uint32_t id = 1;

	begin_cards();
	REQUIRE(!backend_open(&xe_backend, "xe:0", &unit, &quiet));
	CHECK(add_config(unit, "short", &id) == -EINVAL && !id);
	CHECK(!add_config(unit, UUID, &id) && id == XE_CONFIG && !xe.n_registers);
	xe.config = 1;
	CHECK(!add_config(unit, UUID, &id) && id == 1);
	xe.config = 0;
	CHECK(add_config(unit, UUID, &id) == -EIO && !id);
	xe.add_error = EADDRINUSE;
	CHECK(add_config(unit, UUID, &id) == -EADDRINUSE && !id);
	CHECK(xe_backend.list_configs(unit, &configs) == 0);
	free(configs);
	tree_file(CARD0 "/metrics/" UUID "/id", "0\n");
	CHECK(add_config(unit, UUID, &id) == -EADDRINUSE && !id);
	tree_file(CARD0 "/metrics/" UUID "/id", "1\n");
	CHECK(add_config(unit, UUID, &id) == -EEXIST && id == 1);
	REQUIRE(xe_backend.list_configs(unit, &configs) == 1);
	CHECK(configs[0].id == 1);
	CHECK_STRING(configs[0].uuid, UUID);
	free(configs);
	xe.add_error = EPERM;
	CHECK(add_config(unit, UUID, &id) == -EPERM && !id);
	CHECK(!xe_backend.remove_config(unit, 12) && xe.removed == 12);
	xe.gone = true;
	CHECK(xe_backend.remove_config(unit, 13) == -ENODEV);
	gpuoa_unit_close(unit);
	tree_end();
}

/* The registers of all kinds are one list: multiplexers, boolean ones, and those of the EUs. */
static void registers_of_all_kinds_are_one_list(void)
{
	static const struct gpuoa_register mux[] = { { 0x9888, 1 }, { 0x9840, 2 } };
	static const struct gpuoa_register boolean[] = { { 0x2710, 3 } };
	static const struct gpuoa_register flex[] = { { 0xe458, 4 }, { 0xe558, 5 }, { 0xe658, 6 } };
	static const uint32_t expected[][2] = { { 0x9888, 1 }, { 0x9840, 2 }, { 0x2710, 3 },
						{ 0xe458, 4 }, { 0xe558, 5 }, { 0xe658, 6 } };
	struct unit_config config = {
		.uuid = UUID,
		.registers = { [GPUOA_REGISTER_MUX] = mux,
			       [GPUOA_REGISTER_BOOLEAN] = boolean,
			       [GPUOA_REGISTER_FLEX] = flex },
		.counts = { [GPUOA_REGISTER_MUX] = 2,
			    [GPUOA_REGISTER_BOOLEAN] = 1,
			    [GPUOA_REGISTER_FLEX] = 3 },
	};
	struct gpuoa_unit *unit;
	uint32_t id;

	xe_begin();
	REQUIRE(!backend_open(&xe_backend, "xe:0", &unit, &quiet));
	CHECK(!xe_backend.add_config(unit, &config, &id) && xe.n_registers == 6);
	CHECK(!memcmp(xe.registers, expected, sizeof(expected)));
	CHECK_STRING(xe.uuid, UUID);
	config.counts[GPUOA_REGISTER_MUX] = 0;
	CHECK(!xe_backend.add_config(unit, &config, &id) && xe.n_registers == 4);
	CHECK(!memcmp(xe.registers, expected[2], sizeof(expected) - sizeof(mux)));
	gpuoa_unit_close(unit);
}

/* A process that has closed its standard input gets 0 for a file. */
static void units_may_have_file_0(void)
{
	const int input = dup(STDIN_FILENO);
	struct gpuoa_unit *unit;

	xe_begin();
	close(STDIN_FILENO);
	xe.media_units = 2;
	CHECK(xe_driver.count_units("", "card0") == 3);
	CHECK(failing_file() == STDIN_FILENO); /* it has been closed */
	if (CHECK(!backend_open(&xe_backend, "xe:0", &unit, &quiet))) {
		CHECK(unit->fd == STDIN_FILENO);
		gpuoa_unit_close(unit);
	}
	CHECK(failing_file() == STDIN_FILENO);
	if (input >= 0) {
		dup2(input, STDIN_FILENO);
		close(input);
	}
}

static void interrupted_calls_are_repeated(void)
{
	xe_begin();
	xe.interruptions = 4;
	CHECK(!describe("xe:0") && desc.eu_count == 64 && !xe.interruptions);
}

static void check_fails_after_removal_only(void)
{
	struct gpuoa_unit *unit;

	xe_begin();
	REQUIRE(!backend_open(&xe_backend, "xe:0", &unit, &quiet));
	CHECK(!unit_check(unit));
	calls.left = 0;
	CHECK(!unit_check(unit) && calls.left == -1);
	xe.gone = true;
	CHECK(unit_check(unit) == -ENODEV);
	gpuoa_unit_close(unit);
}

/* ---- failures ------------------------------------------------------------------------------- */

/* Open a unit and describe it completely. */
static int open_unit(void)
{
	int err;

	xe_begin();
	err = describe("xe:0.1");
	if (!err && (strcmp(desc.driver, "xe") || desc.tile != 1 || desc.eu_count != 64 ||
		     desc.compute_engine_count != 1))
		err = -EBADMSG;
	return err;
}

static char path[32];

/* Record reports of a stream. */
static int record(void)
{
	struct gpuoa_stream_options options = { .size = sizeof(options),
						.use_exponent = true,
						.exponent = 5 };
	uint64_t report[XE_REPORT_SIZE / sizeof(uint64_t)] = { 1 << 19 };
	struct gpuoa_recorder *recorder;
	struct gpuoa_reader *reader;
	struct gpuoa_unit *unit;
	char error[512];
	int err;

	xe_begin();
	err = backend_open(&xe_backend, "xe:0", &unit, &quiet);
	if (err)
		return err;
	err = gpuoa_stream_open(unit,
				gpuoa_platform_find_set(gpuoa_unit_platform(unit), "RenderBasic",
							"OA", gpuoa_unit_constants(unit)),
				&options, &reader, error, sizeof(error));
	if (!err) {
		err = gpuoa_recorder_open(&reader, 1, path, &recorder, error, sizeof(error));
		if (!err) {
			int end;

			for (report[1] = 64; report[1] <= 640; report[1] += 64)
				xe_write(&xe.streams[0], report, sizeof(report));
			err = gpuoa_recorder_write(recorder);
			end = gpuoa_recorder_close(recorder);
			err = err ? err : end;
		}
		gpuoa_reader_close(reader);
	}
	gpuoa_unit_close(unit);
	return err;
}

static int list_units(void)
{
	char names[4][UNIT_NAME_SIZE];
	const int count = drm_unit_list(&xe_driver, "", names, 4);

	return count < 0 ? count : 0;
}

static void unit_survives_failures(void)
{
	fail_each(&calls, EIO, open_unit);
	fail_each(&allocations, ENOMEM, open_unit);
	fail_each(&allocations, ENOMEM, list_units);
}

static void stream_survives_failures(void)
{
	const int file = memfd_create("recording", MFD_CLOEXEC);

	snprintf(path, sizeof(path), "/proc/self/fd/%d", file);
	fail_each(&calls, EIO, record);
	fail_each(&allocations, ENOMEM, record);
	close(file);
}

int main(void)
{
	RUN(unit_has_the_clock_and_the_tile_of_its_gt);
	RUN(clock_pair_is_the_fastest_of_three);
	RUN(cores_beyond_64_are_described);
	RUN(engines_beyond_the_maximum_are_omitted);
	RUN(media_units_are_numbered_if_there_is_a_shared_one);
	RUN(uncounted_units_are_ignored);
	RUN(incomplete_units_are_not_found);
	RUN(incomplete_masks_are_ignored);
	RUN(units_of_all_cards_are_listed);
	RUN(unit_is_opened_through_the_render_node);
	RUN(frequencies_are_those_of_the_gt);
	RUN(id_of_an_added_config_is_found);
	RUN(registers_of_all_kinds_are_one_list);
	RUN(units_may_have_file_0);
	RUN(interrupted_calls_are_repeated);
	RUN(check_fails_after_removal_only);
	RUN(unit_survives_failures);
	RUN(stream_survives_failures);
	return tap_end();
}
