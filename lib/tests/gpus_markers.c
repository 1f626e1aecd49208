// SPDX-License-Identifier: MIT
/*
 * gpus_markers.c - Test markers that batches write into streams of virtual GPUs. GPUs that do not
 * support markers must report that.
 */
#include <errno.h>
#include <stdlib.h>

#include "gpuoa-query.h"
#include "gpuoa-time.h"
#include "selftests/batch.h"
#include "selftests/sim.h"
#include "sim_unit.h"
#include "tap.h"

#define UNITS_MAX 32
#define BATCH 0x100000
#define BATCH_SIZE 0x1000
#define MARKS 5
#define REPORTS_MAX 20000
#define PERIOD_NS 1000000
#define WAIT_MS 20000

static struct sim_unit units[UNITS_MAX];
static size_t unit_count;

/* Run a batch that contains all markers while a stream of the unit is open. */
static bool run_batch(const struct sim_unit *unit)
{
	struct gpu gpu = { .wide = true };
	struct gpu_buffer commands;
	struct batch batch;
	uint32_t context;
	bool good;

	gpu.fd = sim_drm_open_number(atoi(strrchr(unit->desc.parent, '.') + 1));
	if (!CHECK(gpu.fd >= 0) || !CHECK(!sim_context_create(gpu.fd, &context)) ||
	    !CHECK(!gpu_buffer_create(&gpu, &commands, BATCH, BATCH_SIZE)))
		return false;
	batch = batch_begin(&gpu, &commands);
	for (uint32_t i = 0; i < MARKS; i++)
		batch.n += gpuoa_marker_commands(&unit->desc, sizeof(unit->desc), 0xabc0 + i,
						 commands.map + batch.n,
						 commands.size / sizeof(uint32_t) - batch.n);
	batch_end(&batch);
	good = CHECK(!gpu_run(&gpu, context, &batch, NULL));
	gpu_buffer_unmap(&commands);
	gpu_close(&gpu);
	return good;
}

/* Find the markers in the reports of the stream. Its rows must contain the same markers. */
static void find_marks(struct gpuoa_reader *reader, const struct gpuoa_set *set,
		       const struct sim_unit *unit)
{
	const struct gpuoa_info *item = gpuoa_set_find_info(set, "StreamMarker");
	struct gpuoa_reader_desc source_desc;
	struct gpuoa_report_desc desc;
	uint32_t found = 0;

	CHECK(item);
	gpuoa_reader_describe(reader, &source_desc, sizeof(source_desc));
	for (int reads = 0; found < MARKS && reads < 100; reads++) {
		struct gpuoa_read_status status;
		const char *reports;
		int n = gpuoa_reader_peek(reader, (const void **)&reports, SIZE_MAX, &status);

		if (!n && gpuoa_reader_wait(reader, WAIT_MS))
			break;
		for (; n > 0; n--, reports += source_desc.report_size) {
			CHECK(!gpuoa_report_describe(set, source_desc.format, reports, &desc,
						     sizeof(desc)));
			if (desc.has_marker)
				CHECK(desc.marker == 0xabc0 + found++);
		}
	}
	if (!CHECK(found == MARKS))
		printf("# %s: %u marks\n", unit->desc.name, found);
}

static void mark(const struct sim_unit *unit)
{
	struct gpuoa_stream_options options = {
		.size = sizeof(options),
		.period_ns = PERIOD_NS,
		.poll_period_ns = PERIOD_NS,
	};
	const struct gpuoa_set *set = sim_unit_any_set(unit);
	struct gpuoa_reader *reader;
	char error[256];

	if (!CHECK(!gpuoa_stream_open(unit->unit, set, &options, &reader, error, sizeof(error)))) {
		puts(error);
		return;
	}
	if (run_batch(unit))
		find_marks(reader, set, unit);
	gpuoa_reader_close(reader);
}

static void batches_insert_markers_if_supported(void)
{
	size_t marked = 0;

	for (size_t i = 0; i < unit_count; i++) {
		const struct gpuoa_unit_desc *desc = &units[i].desc;
		uint32_t dwords[GPUOA_MARKER_DWORDS];

		/* GPUs from DG2 on support markers, on their render units. */
		CHECK(!(desc->features & GPUOA_UNIT_MARKERS) ==
		      !(strstr("acmgt3 mtlgt2 lnl bmg ptl", desc->platform) &&
			!strcmp(desc->domain, "OA")));
		if (desc->features & GPUOA_UNIT_MARKERS) {
			mark(&units[i]);
			marked++;
			continue;
		}
		CHECK(gpuoa_marker_commands(desc, sizeof(*desc), 1, dwords, GPUOA_MARKER_DWORDS) ==
		      -EOPNOTSUPP);
	}
	CHECK(marked > 0);
}

int main(void)
{
	unit_count = sim_units_open(units, UNITS_MAX);
	RUN(batches_insert_markers_if_supported);
	sim_units_close(units, unit_count);
	return tap_end();
}
