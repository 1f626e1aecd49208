// SPDX-License-Identifier: MIT
/*
 * test_i915_exec.c - the stock i915 on the virtual GPU: batches on each engine, contexts,
 * preemption, copies, a hang.
 */
#define _GNU_SOURCE
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <sys/ioctl.h>
#include <unistd.h>

#include "../kselftest_harness.h"
#include "i915.h"
#include "render.h"

#define N_ELEMENTS(array) (sizeof(array) / sizeof(*(array)))
#define RCS_GPR0 0x2600
#define RCS_TIMESTAMP 0x2358
#define RPSTAT1 0xa01c
#define RCS_DISPATCH_X 0x2500
#define RCS_START_VERTEX 0x2430
#define RCS_VERTICES 0x2434
#define RCS_INSTANCES 0x2438
#define RCS_PREDICATE_SRC0 0x2400
#define RCS_PREDICATE_SRC1 0x2408
#define PREDICATE_LOAD_EQUAL (MI(0x0c) | 2 << 6 | 2)

FIXTURE(i915)
{
	struct i915 gpu;
	struct i915_batch batch;
	struct i915_batch other;
	uint32_t contexts[2];
};

FIXTURE_SETUP(i915)
{
	ASSERT_EQ(0, i915_open(&self->gpu));
	ASSERT_EQ(0, batch_create(&self->gpu, &self->batch));
	ASSERT_EQ(0, batch_create(&self->gpu, &self->other));
	self->contexts[0] = i915_context(&self->gpu);
	self->contexts[1] = i915_context(&self->gpu);
	ASSERT_NE(0, self->contexts[0]);
	ASSERT_NE(0, self->contexts[1]);
}

FIXTURE_TEARDOWN(i915)
{
	batch_destroy(&self->batch);
	batch_destroy(&self->other);
	close(self->gpu.fd);
}

TEST_F(i915, each_engine_stores)
{
	static const unsigned int engines[] = {
		I915_EXEC_RENDER,
		I915_EXEC_BSD,
		I915_EXEC_BLT,
		I915_EXEC_VEBOX,
	};
	unsigned int i;

	for (i = 0; i < N_ELEMENTS(engines); i++) {
		batch_reset(&self->batch);
		batch_store(&self->batch, 4 * i, 0xcafe0000 + i);
		EXPECT_EQ(0, batch_run(&self->batch, 0, engines[i]));
		EXPECT_EQ(0xcafe0000 + i, self->batch.data[i]);
	}
}

/* On Haswell, i915's parser does not reject unlisted registers; the batch runs unprivileged. */
TEST_F(i915, batch_may_access_any_register)
{
	batch_store_register(&self->batch, RPSTAT1, 0);
	batch_store(&self->batch, 4, 0xcafe);
	EXPECT_EQ(0, batch_run(&self->batch, 0, I915_EXEC_RENDER));
	EXPECT_EQ(0xcafe, self->batch.data[1]);
}

/*
 * Each context has separate general purpose registers and separate parameters of walkers and draws,
 * even if there are more contexts than the model of the OA unit stores.
 */
TEST_F(i915, context_keeps_its_registers)
{
	static const uint32_t regs[] = { RCS_GPR0, RCS_DISPATCH_X, RCS_START_VERTEX };
	uint32_t contexts[12];
	unsigned int i, r;

	for (i = 0; i < N_ELEMENTS(contexts); i++) {
		contexts[i] = i915_context(&self->gpu);
		ASSERT_NE(0, contexts[i]);
		batch_reset(&self->batch);
		for (r = 0; r < N_ELEMENTS(regs); r++)
			batch_load_register(&self->batch, regs[r], 0x1000 * (r + 1) + i);
		ASSERT_EQ(0, batch_run(&self->batch, contexts[i], I915_EXEC_RENDER));
	}
	for (i = 0; i < N_ELEMENTS(contexts); i++) {
		batch_reset(&self->batch);
		for (r = 0; r < N_ELEMENTS(regs); r++)
			batch_store_register(&self->batch, regs[r], 64 * i + 4 * r);
		ASSERT_EQ(0, batch_run(&self->batch, contexts[i], I915_EXEC_RENDER));
		for (r = 0; r < N_ELEMENTS(regs); r++)
			EXPECT_EQ(0x1000 * (r + 1) + i, self->batch.data[16 * i + r]);
	}
}

/* Another context draws between the first context's state and its draw. */
TEST_F(i915, context_keeps_its_3d_state)
{
	const uint32_t value = 0xabc00000, other = 0xdef00000;

	render_state(&self->batch, value);
	ASSERT_EQ(0, batch_run(&self->batch, self->contexts[0], I915_EXEC_RENDER));
	render_copy(&self->other, other);
	ASSERT_EQ(0, batch_run(&self->other, self->contexts[1], I915_EXEC_RENDER));
	EXPECT_EQ(0, render_pixel(&self->batch, RENDER_LEFT, RENDER_TOP));
	EXPECT_EQ(other, render_pixel(&self->other, RENDER_LEFT, RENDER_TOP));
	memset(self->other.data, 0, I915_PAGE);
	batch_reset(&self->batch);
	render_rectangle(&self->batch);
	ASSERT_EQ(0, batch_run(&self->batch, self->contexts[0], I915_EXEC_RENDER));
	EXPECT_EQ(value, render_pixel(&self->batch, RENDER_LEFT, RENDER_TOP));
	EXPECT_EQ(0, render_pixel(&self->other, RENDER_LEFT, RENDER_TOP));
}

static long residency_ms(void)
{
	FILE *file = fopen("/sys/class/drm/card0/gt/gt0/rc6_residency_ms", "r");
	long ms = -1;

	if (file) {
		if (fscanf(file, "%ld", &ms) != 1)
			ms = -1;
		fclose(file);
	}

	return ms;
}

/* The GPU enters RC6 when forcewake is released. */
TEST_F(i915, rc6_is_entered_only_when_idle)
{
	int awake = open("/sys/kernel/debug/dri/0/i915_forcewake_user", O_RDONLY);
	long before = residency_ms();
	unsigned int i;

	ASSERT_LE(0, awake);
	ASSERT_LE(0, before);
	usleep(100000);
	EXPECT_EQ(before, residency_ms());
	close(awake);
	for (i = 0; i < 400 && residency_ms() < before + 20; i++)
		usleep(50000);
	EXPECT_LE(before + 20, residency_ms());
}

/* A burst of commands takes no time: 16 readings of the timestamp differ by less than 2 us. */
TEST_F(i915, timestamps_of_a_burst_are_close)
{
	unsigned int i;

	for (i = 0; i < 16; i++)
		batch_store_register(&self->batch, RCS_TIMESTAMP, 4 * i);
	ASSERT_EQ(0, batch_run(&self->batch, 0, I915_EXEC_RENDER));
	for (i = 1; i < 16; i++)
		EXPECT_LE(self->batch.data[i - 1], self->batch.data[i]);
	EXPECT_LE(self->batch.data[15] - self->batch.data[0], 40);
	EXPECT_NE(0, self->batch.data[0]);
}

/* Emit a batch that loops until its first dword is changed, and that can be preempted. */
static void emit_spinner(struct i915_batch *batch)
{
	batch_reset(batch);
	batch_emit(batch, MI_ARB_CHECK);
	batch_emit(batch, MI(0x31) | (batch->gpu->wide ? 1 << 8 | 1 : 0));
	batch_address(batch, batch->handle, 0);
}

TEST_F(i915, context_is_preempted)
{
	/* i915 preempts from gen9 on. On older GPUs, a missed heartbeat resets the spinner. */
	if (!(i915_param(&self->gpu, I915_PARAM_HAS_SCHEDULER) & I915_SCHEDULER_CAP_PREEMPTION))
		SKIP(return, "i915 does not preempt on this GPU");
	emit_spinner(&self->other);
	ASSERT_EQ(0, batch_submit(&self->other, self->contexts[0], I915_EXEC_RENDER));
	EXPECT_EQ(-ETIME, batch_wait(&self->other, 0.05));

	ASSERT_EQ(0, i915_context_priority(&self->gpu, self->contexts[1], 512));
	batch_store(&self->batch, 0, 0x1234);
	EXPECT_EQ(0, batch_run(&self->batch, self->contexts[1], I915_EXEC_RENDER));
	EXPECT_EQ(0x1234, self->batch.data[0]);
	EXPECT_EQ(-ETIME, batch_wait(&self->other, 0));

	*(volatile uint32_t *)self->other.dwords = MI_BATCH_END;
	EXPECT_EQ(0, batch_wait(&self->other, 10));
}

/* A rectangle of 8 by 2 pixels is copied from the batch's page to the target's. */
TEST_F(i915, blitter_copies)
{
	const unsigned int pattern = 512;
	struct i915_batch *batch = &self->batch;
	unsigned int i, line, x;

	for (i = 0; i < 32; i++)
		batch->dwords[pattern + i] = 0xabc00000 + i;
	batch_emit(batch, 2U << 29 | 0x53 << 22 | 3 << 20 | (batch->gpu->wide ? 8 : 6));
	batch_emit(batch, 3 << 24 | 0xcc << 16 | 64);
	batch_emit(batch, 1 << 16 | 2);
	batch_emit(batch, 3 << 16 | 10);
	batch_address(batch, batch->target, 0);
	batch_emit(batch, 0 << 16 | 1);
	batch_emit(batch, 64);
	batch_address(batch, batch->handle, pattern * sizeof(uint32_t));
	ASSERT_EQ(0, batch_run(batch, 0, I915_EXEC_BLT));
	for (line = 0; line < 4; line++)
		for (x = 0; x < 16; x++)
			EXPECT_EQ(line >= 1 && line < 3 && x >= 2 && x < 10 ?
					  0xabc00000 + (line - 1) * 16 + x - 1 :
					  0,
				  batch->data[line * 16 + x]);
}

/* The 3D pipeline copies a rectangle to a tiled surface. */
TEST_F(i915, render_engine_copies)
{
	const uint32_t value = 0xdef00000;
	unsigned int x, y;

	render_copy(&self->batch, value);
	ASSERT_EQ(0, batch_run(&self->batch, self->contexts[0], I915_EXEC_RENDER));
	for (y = 0; y < 2 * RENDER_HEIGHT; y++)
		for (x = 0; x < 2 * RENDER_WIDTH; x++)
			EXPECT_EQ(y - RENDER_TOP < RENDER_HEIGHT && x - RENDER_LEFT < RENDER_WIDTH ?
					  value + (y - RENDER_TOP) * RENDER_WIDTH + x -
						  RENDER_LEFT :
					  0,
				  render_pixel(&self->batch, x, y));
}

/* Parameters of a draw may be in registers. */
TEST_F(i915, indirect_draw_copies)
{
	const uint32_t value = 0xabc00000;

	render_state(&self->batch, value);
	batch_load_register(&self->batch, RCS_START_VERTEX, 0);
	batch_load_register(&self->batch, RCS_VERTICES, 3);
	batch_load_register(&self->batch, RCS_INSTANCES, 1);
	render_rectangle_with(&self->batch, RENDER_INDIRECT);
	ASSERT_EQ(0, batch_run(&self->batch, self->contexts[0], I915_EXEC_RENDER));
	EXPECT_EQ(value, render_pixel(&self->batch, RENDER_LEFT, RENDER_TOP));
}

/* Set the predicate's result to the equality of two registers. */
static void emit_predicate(struct i915_batch *batch, uint32_t first, uint32_t second)
{
	batch_load_register(batch, RCS_PREDICATE_SRC0, first);
	batch_load_register(batch, RCS_PREDICATE_SRC0 + 4, 0);
	batch_load_register(batch, RCS_PREDICATE_SRC1, second);
	batch_load_register(batch, RCS_PREDICATE_SRC1 + 4, 0);
	batch_emit(batch, PREDICATE_LOAD_EQUAL);
}

TEST_F(i915, false_predicate_skips_draw)
{
	const uint32_t value = 0xabc00000;

	render_state(&self->batch, value);
	emit_predicate(&self->batch, 1, 2);
	render_rectangle_with(&self->batch, RENDER_PREDICATED);
	ASSERT_EQ(0, batch_run(&self->batch, self->contexts[0], I915_EXEC_RENDER));
	EXPECT_EQ(0, render_pixel(&self->batch, RENDER_LEFT, RENDER_TOP));
	batch_reset(&self->batch);
	emit_predicate(&self->batch, 2, 2);
	render_rectangle_with(&self->batch, RENDER_PREDICATED);
	ASSERT_EQ(0, batch_run(&self->batch, self->contexts[0], I915_EXEC_RENDER));
	EXPECT_EQ(value, render_pixel(&self->batch, RENDER_LEFT, RENDER_TOP));
}

static void set_heartbeat(const char *ms)
{
	FILE *file = fopen("/sys/class/drm/card0/engine/rcs0/heartbeat_interval_ms", "w");

	if (file) {
		fputs(ms, file);
		fclose(file);
	}
}

/* After an invalid command, i915 bans the context; other contexts continue. */
TEST_F(i915, hang_is_recovered)
{
	struct drm_i915_reset_stats stats = { .ctx_id = self->contexts[0] };

	if (!self->gpu.wide)
		SKIP(return, "the command parser refuses what makes this GPU hang");
	set_heartbeat("50");
	batch_emit(&self->other, 0x80000000);
	ASSERT_EQ(0, batch_submit(&self->other, self->contexts[0], I915_EXEC_RENDER));
	EXPECT_EQ(0, batch_wait(&self->other, 30));
	ASSERT_EQ(0, ioctl(self->gpu.fd, DRM_IOCTL_I915_GET_RESET_STATS, &stats));
	EXPECT_EQ(1, stats.batch_active);

	batch_store(&self->batch, 0, 0x4321);
	EXPECT_EQ(0, batch_run(&self->batch, self->contexts[1], I915_EXEC_RENDER));
	EXPECT_EQ(0x4321, self->batch.data[0]);
	set_heartbeat("2500");
}

TEST_HARNESS_MAIN
