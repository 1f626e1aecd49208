// SPDX-License-Identifier: MIT
/*
 * guest_igdml.c - queries by libigdml.so.1 in the guest: batches of a program with the commands of
 * the library run on a virtual GPU of the stock i915
 *
 * The values are compared with the work of the batch, with libgpuoa's on the same reports, and
 * where counters are global, with the virtual GPU's reference.
 */
#include "queries.h"
#include "selftests/i915/perf.h"
#include "selftests/i915/reference.h"
#include "selftests/i915/render.h"

/* The rest of the target: the copy writes to its begin. */
#define OFFSET 2048

static struct i915 gpu;
static uint32_t contexts[2]; /* of the DRM file */
static struct i915_batch batch;

/* Address of the target: batch_address() is the only function that knows it. */
static uint64_t address_of_target(void)
{
	uint64_t address;

	batch_reset(&batch);
	batch_address(&batch, batch.target, OFFSET);
	address = batch.dwords[0] | (uint64_t)batch.dwords[1] << 32;
	batch_reset(&batch);
	return address;
}

static void add(uint64_t address, uint32_t slot, bool is_begin)
{
	const struct igdml_memory memory = { .gpu = address, .cpu = batch.data + OFFSET / 4 };

	batch.n += put(memory, IGDML_ENGINE_RENDER, slot, is_begin, batch.dwords + batch.n,
		       I915_PAGE / 4 - (uint32_t)batch.n);
}

/* Record a batch: query 0 around query 1 around a copy. Then activate, and run it. */
static void run(uint32_t handle)
{
	const uint64_t address = address_of_target();

	add(address, 0, true);
	add(address, 1, true);
	render_copy(&batch, 1);
	add(address, 1, false);
	add(address, 0, false);
	CHECK(activate() == IGDML_OK);
	CHECK(batch_run(&batch, handle, I915_EXEC_RENDER) == 0);
}

#define PIXELS (RENDER_WIDTH * RENDER_HEIGHT)
#define A26 (4 + 26) /* dword of the number of samples written, in reports from gen8 on */

static uint32_t samples(const uint8_t *result)
{
	uint32_t first, last;

	memcpy(&first, result + A26 * 4, sizeof(first));
	memcpy(&last, result + END + A26 * 4, sizeof(last));
	return last - first;
}

static void query_counts_the_work_of_a_batch(void)
{
	REQUIRE(begin(gpu.fd, "RenderBasic"));
	run(contexts[0]);
	CHECK(get(0, SLOTS) == IGDML_OK);
	CHECK(render_pixel(&batch, RENDER_LEFT, RENDER_TOP) == 1);
	CHECK(samples(results) == PIXELS && samples(results + RESULT) == PIXELS);
	check_values();
	end();
}

static void values_equal_the_reference(void)
{
	uint32_t reports[2][RESULT / 8];

	REQUIRE(begin(gpu.fd, "RenderBasic"));
	run(contexts[0]);
	CHECK(get(0, 1) == IGDML_OK);
	memcpy(reports[0], results, END);
	memcpy(reports[1], results + END, END);
	CHECK(reference_differences(perf_default_format(&gpu), reports[0], reports[1]) == 0);
	end();
}

/* A query that begins and ends in batches of one context, between which another one has work */
static void work_of_another_context_is_subtracted(void)
{
	const uint64_t address = address_of_target();

	REQUIRE(begin(gpu.fd, "RenderBasic"));
	add(address, 0, true);
	render_copy(&batch, 1);
	CHECK(activate() == IGDML_OK);
	CHECK(batch_run(&batch, contexts[0], I915_EXEC_RENDER) == 0);
	batch_reset(&batch);
	render_copy(&batch, 1);
	CHECK(batch_run(&batch, contexts[1], I915_EXEC_RENDER) == 0);
	batch_reset(&batch);
	render_copy(&batch, 1);
	add(address, 0, false);
	CHECK(batch_run(&batch, contexts[0], I915_EXEC_RENDER) == 0);
	CHECK(get(0, 1) == IGDML_OK);
	printf("# %u of %d samples are of the context\n", samples(results), 3 * PIXELS);
	CHECK(samples(results) == 2 * PIXELS);
	end();
}

/* Before gen12, the stream shows which context runs only if it is that of i915. */
static bool knows_contexts(void)
{
	struct gpuoa_unit_desc desc = { .driver = "" };
	struct gpuoa_unit *unit;

	if (gpu.gen >= 12)
		return true;
	if (CHECK(!gpuoa_unit_open(NULL, &unit, NULL, 0))) {
		gpuoa_unit_describe(unit, &desc, sizeof(desc));
		gpuoa_unit_close(unit);
	}
	return !strcmp(desc.driver, "i915");
}

/* From gen12 on, counters are those of one context, and the first one is chosen. */
static void another_context_has_no_counters(void)
{
	REQUIRE(begin(gpu.fd, "RenderBasic"));
	run(contexts[1]);
	CHECK(get(0, 1) == IGDML_LOST);
	CHECK(strstr(message, "not enabled") != NULL);
	end();
}

static void query_needs_an_active_configuration(void)
{
	const uint64_t address = address_of_target();

	REQUIRE(begin(gpu.fd, "RenderBasic"));
	add(address, 0, true);
	add(address, 0, false);
	CHECK(get(0, 1) == IGDML_NOT_READY);
	CHECK(batch_run(&batch, contexts[0], I915_EXEC_RENDER) == 0);
	CHECK(get(0, 1) == IGDML_EMPTY_CONFIGURATION);
	end();
}

static void second_program_is_told_which_one_has_queries(void)
{
	check_second_program(gpu.fd);
}

int main(void)
{
	setbuf(stdout, NULL);
	if (!load()) {
		printf("Bail out! libigdml.so.1 cannot be loaded\n");
		return 1;
	}
	if (i915_open(&gpu) || batch_create(&gpu, &batch)) {
		printf("Bail out! the GPU cannot be opened\n");
		return 1;
	}
	if (!gpu.wide)
		return tap_skip("Level Zero does not support Haswell");
	contexts[0] = i915_context(&gpu);
	contexts[1] = i915_context(&gpu);
	RUN(second_program_is_told_which_one_has_queries);
	RUN(query_needs_an_active_configuration);
	RUN(query_counts_the_work_of_a_batch);
	if (knows_contexts())
		RUN(work_of_another_context_is_subtracted);
	if (gpu.gen < 12)
		RUN(values_equal_the_reference);
	else
		RUN(another_context_has_no_counters);
	batch_destroy(&batch);
	return tap_end();
}
