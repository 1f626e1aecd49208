// SPDX-License-Identifier: MIT
/*
 * i915_backend_test.c - Test units of i915-perf with a simulated kernel: open(2) and ioctl(2) are
 * replaced for DRM nodes.
 */
#define _GNU_SOURCE
#include <errno.h>
#include <fcntl.h>
#include <i915_drm.h>
#include <stdarg.h>
#include <stdint.h>
#include <string.h>
#include <sys/eventfd.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "base/complaint.h"
#include "gpu/i915_topology.h"
#include "gpuoa-stream.h"
#include "reader/backends/backends.h"
#include "reader/i915/i915.h"
#include "reader/stream/unit.h"
#include "tap.h"

#define OA_TIMESTAMP_FREQUENCY 57 /* since Linux 6.0 */

static struct {
	int device;
	int commands_hz;
	/* OA timestamp frequency in Hz; 0: an older kernel that does not have the parameter */
	int reports_hz;
	struct gpuoa_unit_desc gpu; /* subslices and EUs */
} i915;

static int get_param(const struct drm_i915_getparam *get)
{
	switch (get->param) {
	case I915_PARAM_CHIPSET_ID:
		*get->value = i915.device;
		return 0;
	case I915_PARAM_REVISION:
		*get->value = 4;
		return 0;
	case I915_PARAM_PERF_REVISION:
		*get->value = 5;
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
	if (item->data_ptr && item->length > 0)
		memcpy((void *)(uintptr_t)item->data_ptr, topology, (size_t)item->length);
	return 0;
}

static int result_of(int error)
{
	if (!error)
		return 0;
	errno = -error;
	return -1;
}

int open(const char *path, int flags, ...)
{
	va_list arguments;
	int mode;

	va_start(arguments, flags);
	mode = flags & O_CREAT ? va_arg(arguments, int) : 0;
	va_end(arguments);
	if (!strncmp(path, "/dev/dri/", 9))
		return eventfd(0, EFD_CLOEXEC);
	return (int)syscall(SYS_openat, AT_FDCWD, path, flags, mode);
}

int ioctl(int fd, unsigned long request, ...)
{
	va_list arguments;
	void *argument;

	va_start(arguments, request);
	argument = va_arg(arguments, void *);
	va_end(arguments);
	if (request == DRM_IOCTL_I915_GETPARAM)
		return result_of(get_param(argument));
	if (request == DRM_IOCTL_I915_QUERY)
		return result_of(get_topology(argument));
	return (int)syscall(SYS_ioctl, fd, request, argument);
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

	desc = describe("tglgt2", 0x9a49, 6);
	CHECK_STRING(desc.platform, "tglgt2");
	CHECK(desc.default_format == GPUOA_FORMAT_A32U40_A4U32_B8_C8);
	CHECK(desc.features == (GPUOA_UNIT_CONTEXT | GPUOA_UNIT_FLEX | GPUOA_UNIT_QUERY_ONLY));
}

/* Timestamps in i915's report formats have 32 bits, those of command streamers 36 bits. */
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

int main(void)
{
	RUN(unit_describe_returns_values_of_i915);
	RUN(timestamps_have_32_bits);
	RUN(frequency_of_reports_may_differ);
	return tap_end();
}
