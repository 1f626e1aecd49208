// SPDX-License-Identifier: MIT
/*
 * xe_unit_test.c - Test descriptions of xe's units with a simulated kernel (fake_xe.h): GPUs of
 * several tiles and many cores, and kernels whose answers end early or that fail.
 */
#define _GNU_SOURCE
#include <sys/mman.h>
#include <time.h>

#include "failing_memory.h"
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

	for (unsigned int fastest = 0; fastest < 6; fastest++) {
		const unsigned int n = fastest % 3, ratio = 1 + fastest / 3;

		xe_begin();
		REQUIRE(!backend_open(&xe_backend, names[fastest / 3], &unit, &quiet));
		xe.clock_step = 3;
		for (unsigned int i = 0; i < 3; i++)
			xe.delays[i] = i == n ? 40 : 60;
		CHECK(!gpuoa_unit_clock(unit, CLOCK_MONOTONIC, &pair));
		CHECK(xe.clock_reads == 3);
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
	RUN(incomplete_units_are_not_found);
	RUN(incomplete_masks_are_ignored);
	RUN(unit_survives_failures);
	RUN(stream_survives_failures);
	return tap_end();
}
