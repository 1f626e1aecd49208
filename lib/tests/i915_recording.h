/* SPDX-License-Identifier: MIT */
/* i915_recording.h - Files in the format of i915-perf-recorder, built in memory */
#ifndef GPUOA_LIB_TESTS_I915_RECORDING_H
#define GPUOA_LIB_TESTS_I915_RECORDING_H

#include "payload.h"
#include "reader/recording/i915_format.h"

static inline void put_i915(struct bytes *file, uint32_t type, const void *body, size_t size)
{
	const struct i915_head head = { .type = type, .size = sizeof(head) + size };

	put(file, &head, sizeof(head));
	put(file, body, size);
}

static inline void put_i915_version(struct bytes *file, uint32_t version)
{
	put_i915(file, I915_VERSION, &(struct i915_version){ .version = version },
		 sizeof(struct i915_version));
}

/* RenderBasic of Haswell */
static inline struct i915_device_info test_i915_info(void)
{
	return (struct i915_device_info){
		.timestamp_frequency = 12500000,
		.device_id = 0x0412,
		.revision = 6,
		.gt_min_frequency = 350000000,
		.gt_max_frequency = 1200000000,
		.format = 5,
		.set = "RenderBasic",
		.uuid = TEST_UUID,
	};
}

/* Append a topology of one slice, which has two subslices of ten EUs. */
static inline void put_i915_topology(struct bytes *file)
{
	static const struct {
		uint16_t flags, max_slices, max_subslices, max_eus;
		uint16_t subslice_offset, subslice_stride, eu_offset, eu_stride;
		uint8_t slices, subslices, eus[4];
		uint8_t padding[2];
	} topology = { 0, 1, 2, 10, 1, 1, 2, 2, 1, 3, { 0xff, 3, 0xff, 3 }, { 0 } };

	put_i915(file, I915_TOPOLOGY, &topology, sizeof(topology));
}

static inline void put_i915_correlation(struct bytes *file, uint64_t ticks, uint64_t ns)
{
	const struct i915_correlation correlation = { .cpu_ns = ns, .gpu_ticks = ticks };

	put_i915(file, I915_CORRELATION, &correlation, sizeof(correlation));
}

static inline void put_i915_beginning(struct bytes *file)
{
	const struct i915_device_info info = test_i915_info();

	put_i915_version(file, I915_FORMAT_VERSION);
	put_i915(file, I915_DEVICE_INFO, &info, sizeof(info));
	put_i915_topology(file);
}

/* Reports as written by put_report() */
static inline void put_i915_reports(struct bytes *file, uint32_t first, uint32_t count)
{
	for (uint32_t i = 0; i < count; i++) {
		struct bytes report = { 0 };

		put_report(&report, first + i);
		put_i915(file, I915_SAMPLE, report.data, report.size);
		clear(&report);
	}
}

#endif /* GPUOA_LIB_TESTS_I915_RECORDING_H */
