/* SPDX-License-Identifier: MIT */
/*
 * i915_format.h - the file format of i915-perf-recorder (intel-gpu-tools)
 *
 * A file is the data that read(2) returns for a stream of i915-perf, records with struct
 * drm_i915_perf_record_header, mixed with records of the recorder. All data are little-endian.
 */
#ifndef GPUOA_LIB_READER_RECORDING_I915_FORMAT_H
#define GPUOA_LIB_READER_RECORDING_I915_FORMAT_H

#include <stdint.h>

enum i915_record_type {
	/* written by the kernel */
	I915_SAMPLE = 1, /* a report */
	I915_REPORT_LOST = 2, /* reports are missing here */
	I915_BUFFER_LOST = 3, /* reports are missing at this point, because the OABUFFER was full */
	/* written by the recorder */
	I915_VERSION = 0x10000, /* struct i915_version; the first record */
	I915_DEVICE_INFO, /* struct i915_device_info */
	I915_TOPOLOGY, /* struct drm_i915_query_topology_info, padded to 8 bytes */
	I915_CORRELATION, /* struct i915_correlation */
};

struct i915_head {
	uint32_t type;
	uint16_t pad;
	uint16_t size; /* size of the whole record */
};

#define I915_FORMAT_VERSION 1

struct i915_version {
	uint32_t version;
	uint32_t pad;
};

struct i915_device_info {
	uint64_t timestamp_frequency; /* frequency of timestamps in reports, in Hz */
	uint32_t device_id; /* PCI device id */
	uint32_t revision;
	uint32_t gt_min_frequency; /* in Hz */
	uint32_t gt_max_frequency; /* in Hz */
	uint32_t engine_class; /* enum drm_i915_gem_engine_class */
	uint32_t engine_instance;
	uint32_t format; /* enum drm_i915_oa_format */
	char set[256]; /* symbol of the metric set */
	char uuid[40];
	uint32_t pad;
} __attribute__((packed));

struct i915_correlation {
	/* CPU time: CLOCK_MONOTONIC, unless -k of the recorder selected another clock */
	uint64_t cpu_ns;
	uint64_t gpu_ticks; /* the render engine's TIMESTAMP register */
};

/* Width of the register. */
#define I915_TIMESTAMP_BITS 36

/* Up to this value, enum drm_i915_oa_format has the same values as enum gpuoa_report_format. */
#define I915_FORMAT_MAX 14

#define I915_ENGINE_RENDER 0
#define I915_ENGINE_VIDEO 2
#define I915_ENGINE_VIDEO_ENHANCE 3

#endif /* GPUOA_LIB_READER_RECORDING_I915_FORMAT_H */
