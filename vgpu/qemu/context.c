// SPDX-License-Identifier: MIT
/*
 * context.c - context images: saving and restoring the state of an engine's context.
 */
#include "context.h"
#include "engine.h"
#include "guc.h"
#include "memory.h"
#include "vgpu/model/platforms.h"
#include "registers.h"
#include "execlists.h"
#include "vgpu.h"

/*
 * An image of gen8 and later begins with a status page. The ring's registers follow, as
 * MI_LOAD_REGISTER_IMM commands in an order known to the driver, because it writes the initial
 * image. These commands are executed as they are, for all registers that they name. After their end
 * comes the remaining state, with a layout unknown to the driver except for the OA registers and,
 * from DG2 on, the first general purpose register, which are at the offsets that the driver
 * expects.
 *
 * If an engine is in a batch when its context is saved, it continues there after the restore: the
 * registers with the batch's address are part of the image.
 */
#define LOAD_REGISTER_IMM (0x22U << 23)
#define LOAD_MASK GENMASK(31, 23)
#define LOAD_CS_MMIO BIT(19)
#define BATCH_BUFFER_END (0x0aU << 23)

#define STATE_DWORDS 1024
#define STATE_TAIL 7 /* value of RING_TAIL, at a fixed index */

#define ALL_CLASSES ~0U
#define RENDER BIT(VGPU_RENDER)

/* State of every engine */
static const struct vgpu_context_range common[] = {
	{ RING_GPR, RING_GPR + 8 * RING_N_GPRS - 4, 4, true },
	{ RING_SBB_ADDR, RING_SBB_ADDR_UDW, 4, true },
	{},
};

/*
 * State of the 3D pipeline: predicates, parameters of draws and walkers, statistics, and the
 * chicken bits that contexts may set
 */
static const struct vgpu_context_range render[] = {
	{ RING_CS_DEBUG_MODE2, RING_CS_DEBUG_MODE2, 4, true },
	{ RING_PREDICATE_RESULT_2, RING_PREDICATE_RESULT_2, 4, true },
	{ RING_PREDICATE_SRC0, RING_PREDICATE_RESULT_1, 4, true },
	{ 0x2420, 0x2440, 4, false }, /* 3DPRIM_END_OFFSET .. 3DPRIM_BASE_VERTEX */
	{ 0x2500, 0x2508, 4, false }, /* GPGPU_DISPATCHDIM */
	{ 0x2290, 0x2294, 4, false }, /* CS_INVOCATION_COUNT */
	{ 0x2300, 0x2354, 4, false }, /* HS_INVOCATION_COUNT .. PS_DEPTH_COUNT */
	{ 0x2580, 0x2580, 4, false }, /* CS_CHICKEN1 */
	{ 0x5200, 0x525c, 4, false }, /* SO_NUM_PRIMS_WRITTEN .. SO_PRIM_STORAGE_NEEDED */
	{ 0x5280, 0x528c, 4, false }, /* SO_WRITE_OFFSET */
	{ 0x7000, 0x7018, 4, false }, /* CACHE_MODE_0, COMMON_SLICE_CHICKEN */
	{ 0x7034, 0x7034, 4, false }, /* L3CNTLREG */
	{ 0x7300, 0x7304, 4, false },
	{ 0xe100, 0xe100, 4, false },
	{ 0xe180, 0xe194, 4, false }, /* HALF_SLICE_CHICKEN */
	{},
};

/*
 * Registers of the OA unit in a context image: OACTXCONTROL, and the flexible EU counters in the
 * order of the image
 */
static const struct vgpu_context_range oa_control[] = { { 0x2360, 0x2360, 4, false }, {} };
static const struct vgpu_context_range oa_flexible[] = {
	{ 0xe458, 0xe458, 4, false }, { 0xe558, 0xe558, 4, false },
	{ 0xe658, 0xe658, 4, false }, { 0xe758, 0xe758, 4, false },
	{ 0xe45c, 0xe45c, 4, false }, { 0xe55c, 0xe55c, 4, false },
	{ 0xe65c, 0xe65c, 4, false }, {},
};
static const struct vgpu_context_range gen12_oa[] = {
	{ 0x2360, 0x2360, 4, false },
	{ OAR_CONTROL, OAR_CONTROL, 4, false },
	{},
};

static const struct vgpu_context_block gen7_blocks[] = {
	{ 0x040, RENDER, render },
	{ 0x140, RENDER, common },
	{},
};

static const struct vgpu_context_block gen8_blocks[] = {
	{ 0x200, ALL_CLASSES, common },
	{ 0x11f, RENDER, oa_control },
	{ 0x2cd, RENDER, oa_flexible },
	{ 0x400, RENDER, render },
	{},
};

static const struct vgpu_context_block gen9_blocks[] = {
	{ 0x200, ALL_CLASSES, common },
	{ 0x127, RENDER, oa_control },
	{ 0x3dd, RENDER, oa_flexible },
	{ 0x400, RENDER, render },
	{},
};

static const struct vgpu_context_block gen11_blocks[] = {
	{ 0x200, ALL_CLASSES, common },
	{ 0x123, RENDER, oa_control },
	{ 0x400, RENDER, render },
	{ 0x78d, RENDER, oa_flexible },
	{},
};

static const struct vgpu_context_block gen12_blocks[] = {
	{ 0x200, ALL_CLASSES, common },
	{ 0x300, RENDER, gen12_oa },
	{ 0x400, RENDER, render },
	{},
};

static const struct vgpu_context_range oac[] = {
	{ 0x360, 0x360, 4, true }, /* OACTXCONTROL */
	{ OAC_CONTROL, OAC_CONTROL, 4, false },
	{},
};

static const struct vgpu_context_block xe_blocks[] = {
	{ 0x083, ALL_CLASSES, common },
	{ 0x300, RENDER, gen12_oa },
	{ 0x300, BIT(VGPU_COMPUTE), oac },
	{ 0x400, RENDER, render },
	{},
};

const struct vgpu_context_layout vgpu_layout_gen7 = { 0, gen7_blocks };
const struct vgpu_context_layout vgpu_layout_gen8 = { SZ_4K, gen8_blocks };
const struct vgpu_context_layout vgpu_layout_gen9 = { SZ_4K, gen9_blocks };
const struct vgpu_context_layout vgpu_layout_gen11 = { SZ_4K, gen11_blocks };
const struct vgpu_context_layout vgpu_layout_gen12 = { SZ_4K, gen12_blocks };
const struct vgpu_context_layout vgpu_layout_xe = { SZ_4K, xe_blocks };

/**
 * struct image - an image being read or written
 * @engine: the engine
 * @state: global address of the register state
 */
struct image {
	struct vgpu_engine *engine;
	u64 state;
};

static u32 *image_dword(const struct image *image, unsigned int i)
{
	return vgpu_ggtt(image->engine->vgpu, image->state + i * sizeof(u32));
}

static u32 image_read(const struct image *image, unsigned int i)
{
	const u32 *dword = image_dword(image, i);

	return dword ? *dword : 0;
}

static void image_write(const struct image *image, unsigned int i, u32 value)
{
	u32 *dword = image_dword(image, i);

	if (dword)
		*dword = value;
}

/*
 * Get the value of a register to save. If the register has write enables, they are all set in the
 * saved value.
 */
static u32 register_save(struct vgpu_engine *engine, u32 reg)
{
	struct vgpu *vgpu = engine->vgpu;
	u32 value = vgpu_mmio_read(vgpu, reg);

	switch (reg - engine->base) {
	case RING_CONTEXT_CONTROL:
		return (value & ~CONTEXT_CONTROL_RESTORE_INHIBIT) | GENMASK(31, 16);
	case RING_MODE:
	case RING_MI_MODE:
	case RING_INSTPM:
	case RING_CS_CHICKEN1:
	case RING_CS_DEBUG_MODE2:
		return value | GENMASK(31, 16);
	default:
		return vgpu_mmio_is(vgpu, reg, &vgpu_masked) ? value | GENMASK(31, 16) : value;
	}
}

/*
 * Execute or update the register loads at the start of the image. RING_TAIL is not saved, because
 * the driver changes it in the image while the context runs.
 */
static void image_loads(const struct image *image, bool save)
{
	struct vgpu_engine *engine = image->engine;
	unsigned int i = 0, n;

	while (i < STATE_DWORDS) {
		u32 header = image_read(image, i++);

		if ((header & LOAD_MASK) == BATCH_BUFFER_END)
			return;
		if ((header & LOAD_MASK) != LOAD_REGISTER_IMM)
			continue;
		for (n = ((header & 0xff) + 1) / 2; n && i < STATE_DWORDS; n--, i += 2) {
			u32 reg = image_read(image, i) & GENMASK(22, 2);

			if (header & LOAD_CS_MMIO)
				reg = engine->base + (reg & (SZ_4K - 1));
			if (!save)
				vgpu_mmio_write(engine->vgpu, reg, image_read(image, i + 1));
			else if (reg - engine->base != RING_TAIL)
				image_write(image, i + 1, register_save(engine, reg));
		}
	}
}

static unsigned int range_count(const struct vgpu_context_range *range)
{
	unsigned int n = 0;

	for (; range->last; range++)
		n += (range->last - range->first) / range->stride + 1;

	return n;
}

static void block_save(const struct image *image, const struct vgpu_context_block *block)
{
	const struct vgpu_context_range *range = block->ranges;
	struct vgpu_engine *engine = image->engine;
	unsigned int i = block->at;
	u32 reg;

	image_write(image, i++, LOAD_REGISTER_IMM | (2 * range_count(range) - 1));
	for (; range->last; range++)
		for (reg = range->first; reg <= range->last; reg += range->stride, i += 2) {
			u32 which = range->relative ? engine->base + reg : reg;

			image_write(image, i, which);
			image_write(image, i + 1, register_save(engine, which));
		}
}

static void block_restore(const struct image *image, const struct vgpu_context_block *block)
{
	u32 header = image_read(image, block->at);
	unsigned int i, n = ((header & 0xff) + 1) / 2;

	if ((header & LOAD_MASK) != LOAD_REGISTER_IMM)
		return;
	for (i = block->at + 1; n; n--, i += 2)
		vgpu_mmio_write(image->engine->vgpu, image_read(image, i) & GENMASK(22, 2),
				image_read(image, i + 1));
}

/*
 * Save or restore the state of the 3D pipeline that is not in registers. An image that was never
 * saved does not contain this state, so the reset state is restored.
 */
#define PIPELINE_AT 0x800
#define PIPELINE_HEADER 0x00403d00 /* MI_NOOP with an identification number */
#define PIPELINE_DWORDS (sizeof(struct vgpu_draw_state) / sizeof(u32))

static void pipeline_save(const struct image *image)
{
	u32 state[PIPELINE_DWORDS];
	unsigned int i;

	memcpy(state, &image->engine->state, sizeof(state));
	image_write(image, PIPELINE_AT, PIPELINE_HEADER);
	for (i = 0; i < PIPELINE_DWORDS; i++)
		image_write(image, PIPELINE_AT + 1 + i, state[i]);
}

static void pipeline_restore(const struct image *image)
{
	u32 state[PIPELINE_DWORDS] = {};
	unsigned int i;

	if (image_read(image, PIPELINE_AT) == PIPELINE_HEADER)
		for (i = 0; i < PIPELINE_DWORDS; i++)
			state[i] = image_read(image, PIPELINE_AT + 1 + i);
	memcpy(&image->engine->state, state, sizeof(state));
}

/* Save or restore the registers that are not in the driver's initial image. */
static void image_blocks(const struct image *image, bool save)
{
	const struct vgpu_context_block *block = image->engine->vgpu->platform->layout->blocks;

	for (; block->ranges; block++) {
		if (!(block->classes & BIT(image->engine->class->class)))
			continue;
		if (save)
			block_save(image, block);
		else
			block_restore(image, block);
	}
	if (image->engine->class->class != VGPU_RENDER)
		return;
	if (save)
		pipeline_save(image);
	else
		pipeline_restore(image);
}

/* ---- position of the engine in a batch ---------------------------------------------------- */

static void batch_save(struct vgpu_engine *engine, unsigned int depth, u32 low, u32 high, u32 state)
{
	u64 at = depth == engine->depth ? engine->cs.at : engine->place[depth].at;
	bool valid = depth <= engine->depth;

	*vgpu_engine_reg(engine, low) = valid ? lower_32_bits(at) | BB_ADDR_VALID : 0;
	*vgpu_engine_reg(engine, high) = valid ? upper_32_bits(at) : 0;
	*vgpu_engine_reg(engine, state) = engine->place[depth].ppgtt ? BB_STATE_PPGTT : 0;
}

static void batches_save(struct vgpu_engine *engine)
{
	batch_save(engine, 1, RING_BB_ADDR, RING_BB_ADDR_UDW, RING_BB_STATE);
	batch_save(engine, 2, RING_SBB_ADDR, RING_SBB_ADDR_UDW, RING_SBB_STATE);
}

static bool batch_restore(struct vgpu_engine *engine, unsigned int depth, u32 low, u32 high,
			  u32 state)
{
	u32 value = *vgpu_engine_reg(engine, low);

	if (!(value & BB_ADDR_VALID))
		return false;
	engine->cs.at = (value & ~3U) | (u64)(*vgpu_engine_reg(engine, high) & 0xffff) << 32;
	engine->place[depth].at = engine->cs.at;
	engine->place[depth].ppgtt = *vgpu_engine_reg(engine, state) & BB_STATE_PPGTT;
	engine->depth = depth;

	return true;
}

static void batches_restore(struct vgpu_engine *engine)
{
	engine->depth = 0;
	if (batch_restore(engine, 1, RING_BB_ADDR, RING_BB_ADDR_UDW, RING_BB_STATE))
		batch_restore(engine, 2, RING_SBB_ADDR, RING_SBB_ADDR_UDW, RING_SBB_STATE);
}

/* ---- gen8 and later ----------------------------------------------------------------------- */

static struct image image_of(struct vgpu_engine *engine)
{
	return (struct image){
		.engine = engine,
		.state = (engine->execlists.port[0] & GENMASK(31, 12)) +
			 engine->vgpu->platform->layout->state,
	};
}

/* Ids that the GuC chooses have 16 bits, from bit 39 of the descriptor. */
#define GUC_CONTEXT_MASK GENMASK(22, 7)

/* Get the id that the context has in reports of the OA unit. */
static u32 context_hw_id(const struct vgpu_engine *engine)
{
	u32 mask = vgpu_guc_schedules(engine) ? GUC_CONTEXT_MASK :
						engine->vgpu->gpu.platform->desc.context_mask;

	return upper_32_bits(engine->execlists.port[0]) & mask;
}

#define CACHE_LINE 64
#define INDIRECT_LINES GENMASK(5, 0)
#define PER_CTX_VALID BIT(0)

/* Execute the commands that the driver has set up to run at each context restore. */
static int context_calls(struct vgpu_engine *engine)
{
	u32 indirect = *vgpu_engine_reg(engine, RING_INDIRECT_CTX);
	u32 last = *vgpu_engine_reg(engine, RING_BB_PER_CTX_PTR);
	int ret = 0;

	if (indirect & INDIRECT_LINES)
		ret = vgpu_engine_call(engine, indirect & ~INDIRECT_LINES,
				       (indirect & INDIRECT_LINES) * (CACHE_LINE / sizeof(u32)));
	if (!ret && last & PER_CTX_VALID)
		ret = vgpu_engine_call(engine, last & GENMASK(31, 12), 0);

	return ret;
}

/**
 * vgpu_context_restore() - Restore the context in the first port.
 * @engine: the engine
 *
 * Return: 0, or a negative errno if the image is not mapped or has invalid commands
 */
int vgpu_context_restore(struct vgpu_engine *engine)
{
	const struct image image = image_of(engine);

	if (!image_dword(&image, 0))
		return -EFAULT;
	vgpu_clock_goes_on(engine);
	engine->no_switch = false;
	engine->predicate = 0;
	image_loads(&image, false);
	if (!(*vgpu_engine_reg(engine, RING_CONTEXT_CONTROL) & CONTEXT_CONTROL_RESTORE_INHIBIT))
		image_blocks(&image, false);
	engine->page_table = (u64)*vgpu_engine_reg(engine, RING_PDP_UDW(0)) << 32 |
			     *vgpu_engine_reg(engine, RING_PDP_LDW(0));
	batches_restore(engine);
	vgpu_engine_runs(engine, context_hw_id(engine));

	return context_calls(engine);
}

/**
 * vgpu_context_save() - Save the current context.
 * @engine: the engine
 */
void vgpu_context_save(struct vgpu_engine *engine)
{
	const struct image image = image_of(engine);

	batches_save(engine);
	image_loads(&image, true);
	image_blocks(&image, true);
	vgpu_engine_stops(engine);
	engine->depth = 0;
}

/**
 * vgpu_context_new_tail() - Load the tail of the current context's ring after a resubmission.
 * @engine: the engine
 */
void vgpu_context_new_tail(struct vgpu_engine *engine)
{
	const struct image image = image_of(engine);

	*vgpu_engine_reg(engine, RING_TAIL) = image_read(&image, STATE_TAIL);
}

/* ---- Haswell ------------------------------------------------------------------------------ */

/**
 * vgpu_context_switch() - Execute MI_SET_CONTEXT.
 * @engine: Haswell's render engine
 * @ccid: global address of the new image, and flags
 * @inhibit: do not restore the new image
 */
void vgpu_context_switch(struct vgpu_engine *engine, u32 ccid, bool inhibit)
{
	u32 *present = vgpu_reg(engine->vgpu, GEN7_CCID);
	const struct image before = { engine, *present & GENMASK(31, 12) };
	const struct image after = { engine, ccid & GENMASK(31, 12) };

	if (*present & BIT(0)) {
		image_blocks(&before, true);
		vgpu_engine_stops(engine);
	}
	*present = after.state | BIT(0);
	if (!inhibit)
		image_blocks(&after, false);
	vgpu_engine_runs(engine, after.state);
}
