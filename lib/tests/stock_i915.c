// SPDX-License-Identifier: MIT
/*
 * stock_i915.c - Test streams and frequency pins on a GPU that is driven by the stock i915, without
 * gpuoa.ko.
 */
#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "gpuoa-device.h"
#include "gpuoa-freq-pin.h"
#include "tap.h"

#define TURNS 12
#define WAIT_MS 20000
#define REPORTS_MAX 4096
#define REPORT_SIZE_MAX 256

static struct gpuoa_unit *unit;
static struct gpuoa_unit_desc desc;
static struct gpuoa_device_desc gpu;

static bool find_gpu(void)
{
	struct gpuoa_device_desc gpus[4];
	const int n = gpuoa_device_list(gpus, sizeof(gpus[0]), 4);

	for (int i = 0; i < n && i < 4; i++)
		if (!strcmp(gpus[i].name, desc.parent)) {
			gpu = gpus[i];
			return true;
		}
	return false;
}

static void wait_returns_when_readable(void)
{
	static uint8_t reports[REPORTS_MAX * REPORT_SIZE_MAX];
	static const uint32_t notify[] = { 0, 1, 100, 10 };
	const struct gpuoa_set *set = gpuoa_platform_find_set(
		gpuoa_unit_platform(unit), "RenderBasic", "OA", gpuoa_unit_constants(unit));

	for (size_t i = 0; i < sizeof(notify) / sizeof(notify[0]); i++) {
		struct gpuoa_stream_options options = {
			.size = sizeof(options),
			.period_ns = 100000,
			.notify_reports = notify[i],
		};
		struct gpuoa_reader *reader;

		REQUIRE(!gpuoa_stream_open(unit, set, &options, &reader, NULL, 0));
		for (int turn = 0; turn < TURNS; turn++) {
			struct gpuoa_read_status status;
			int n;

			CHECK(!gpuoa_reader_wait(reader, WAIT_MS));
			n = gpuoa_reader_read(reader, reports, REPORTS_MAX, &status);
			if (!CHECK(n > 0 || status.lost_hardware || status.lost_overflow ||
				   status.lost_unknown))
				printf("# notify %" PRIu32 ", turn %d: read %d\n", notify[i], turn,
				       n);
		}
		gpuoa_reader_close(reader);
	}
}

static uint64_t sysfs_mhz(const char *name)
{
	char path[128];
	unsigned long mhz = 0;
	FILE *file;

	snprintf(path, sizeof(path), "/sys/class/drm/%s/%s", strrchr(gpu.card, '/') + 1, name);
	file = fopen(path, "r");
	if (file && fscanf(file, "%lu", &mhz) != 1)
		mhz = 0;
	if (file)
		fclose(file);
	return mhz;
}

static void freq_pin_accepts_each_name_of_gpu(void)
{
	const char *const names[] = {
		NULL, desc.name, desc.parent, gpu.card, strrchr(gpu.card, '/') + 1, gpu.render,
	};
	const uint64_t min = sysfs_mhz("gt_min_freq_mhz"), max = sysfs_mhz("gt_max_freq_mhz");

	CHECK(min && max > min);
	for (size_t i = 0; i < sizeof(names) / sizeof(names[0]); i++) {
		struct gpuoa_freq_pin *pin;
		struct gpuoa_freq_pin_desc range;
		char error[256];
		uint64_t hz;

		if (!CHECK(!gpuoa_freq_pin_open(names[i], &pin, error, sizeof(error)))) {
			printf("# %s: %s\n", names[i] ? names[i] : "NULL", error);
			continue;
		}
		gpuoa_freq_pin_describe(pin, &range, sizeof(range));
		CHECK(range.available && range.min_hz && range.max_hz > range.min_hz);
		hz = range.min_hz;
		CHECK(!gpuoa_freq_pin_set(pin, &hz, error, sizeof(error)));
		CHECK(hz == range.min_hz);
		CHECK(sysfs_mhz("gt_min_freq_mhz") * 1000000 == hz);
		CHECK(sysfs_mhz("gt_max_freq_mhz") * 1000000 == hz);
		gpuoa_freq_pin_close(pin);
		CHECK(sysfs_mhz("gt_min_freq_mhz") == min && sysfs_mhz("gt_max_freq_mhz") == max);
	}
}

int main(void)
{
	if (gpuoa_unit_open(NULL, &unit, NULL, 0))
		return tap_skip("no OA unit");
	gpuoa_unit_describe(unit, &desc, sizeof(desc));
	if (!CHECK(!strcmp(desc.driver, "i915")) || !CHECK(find_gpu()))
		return 1;
	RUN(wait_returns_when_readable);
	RUN(freq_pin_accepts_each_name_of_gpu);
	gpuoa_unit_close(unit);
	return tap_end();
}
