// SPDX-License-Identifier: MIT
/*
 * leased.c - gpuoa event on a busy GPU driven by the stock i915.
 */
#include "leased.h"

#include <stdlib.h>
#include <unistd.h>

#include "../vgpu.h"
#include "perf.h"
#include "reference.h"

int leased_begin(struct leased *leased)
{
	int ret = i915_open(&leased->gpu);

	if (ret)
		return ret;
	leased->gpuoa = test_oa_attr(LEASED_EXPONENT);
	leased->attr = extensible_attr(&leased->gpuoa);
	leased->reader.fd = -1;
	vgpu_request("workload frames");
	return 0;
}

void leased_end(struct leased *leased)
{
	vgpu_request("workload idle");
	if (leased->reader.fd >= 0)
		reader_close(&leased->reader);
	close(leased->gpu.fd);
}

int leased_start(struct reader *reader, struct perf_event_attr *attr)
{
	int ret = reader_open(reader, attr, LEASED_EXPONENT, LEASED_RING_ORDER);

	/*
	 * From gen8 on, the unit writes reports of context switches in addition to timer reports.
	 */
	reader->batches = reader->filtered = true;
	if (!ret)
		reader_enable(reader);
	return ret;
}

const uint32_t *leased_dwords(const uint8_t *report)
{
	return (const uint32_t *)(const void *)report;
}

unsigned int leased_wrong(const struct i915 *gpu, const struct tally *tally)
{
	return reference_differences(perf_default_format(gpu), tally->first_report,
				     tally->last_report);
}
