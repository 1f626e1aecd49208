// SPDX-License-Identifier: MIT
/*
 * fake_library.c - a GPU in a libigdmd.so.1 for tests of programs that load the library
 *
 * The stream of every set has 64 reports.
 */
#include <stdlib.h>

#include "fake_gpu.h"

#define REPORTS 64

__attribute__((constructor)) static void begin(void)
{
	const struct gpuoa_set *set =
		gpuoa_platform_find_set(gpuoa_platform_find("tglgt2"), "RenderBasic", "OA", NULL);
	uint64_t random = 88172645463325252;
	struct gpuoa_set_desc desc;
	uint8_t *reports;

	fake_begin(&fake_tgl, NULL);
	gpuoa_set_describe(set, &desc, sizeof(desc));
	reports = calloc(REPORTS, desc.report_size);
	for (size_t i = 0; i < REPORTS; i++)
		fake_next_report(set, &random, i ? reports + (i - 1) * desc.report_size : NULL,
				 reports + i * desc.report_size, 19200, GPUOA_REASON_TIMER);
	fake.reports = reports;
	fake.report_count = REPORTS;
}
