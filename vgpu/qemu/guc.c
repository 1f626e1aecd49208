// SPDX-License-Identifier: MIT
/*
 * guc.c - the GuCs of the GPU: their registers, and their connection to the engines.
 */
#include "device_host.h"
#include "engine.h"
#include "execlists.h"
#include "guc.h"
#include "irq.h"
#include "memory.h"
#include "registers.h"
#include "vgpu.h"
#include "vgpu/model/platforms.h"

/* Registers, as offsets in the GT; names are those of i915. */
#define GUC_STATUS 0xc000
#define GUC_SOFT_SCRATCH 0xc180
#define GUC_FEATURES (GUC_SOFT_SCRATCH + 3 * sizeof(u32)) /* GUC_CTL_FEATURE, for the firmware */
#define HUC_KERNEL_LOAD_INFO 0xc1dc
#define UOS_RSA_SCRATCH 0xc200
#define DMA_ADDRESS_LOW 0xc300
#define DMA_SIZE 0xc310
#define DMA_CTRL 0xc314
#define DMA_UOS_MOVE BIT(4)
#define DMA_START BIT(0)
#define GUC_WOPCM_SIZE 0xc050
#define DMA_GUC_WOPCM_OFFSET 0xc340
#define WOPCM_HUC_LOADING_AGENT_GUC BIT(1)
#define WOPCM_LOCKED BIT(0)

/* MMIO offsets of the register that interrupts each GuC, and of the registers with its messages */
static const u32 notify_at[VGPU_MAX_GUCS] = { 0x1901f0, 0x190304 };
static const u32 flags_at[VGPU_MAX_GUCS] = { 0x190240, 0x190310 };

static struct vgpu_guc *guc_of(struct sim_guc *guc)
{
	return container_of(guc, struct vgpu_guc, guc);
}

static u32 gt_base(const struct vgpu_guc *guc)
{
	return guc->index ? MEDIA_GT : 0;
}

/* ---- environment of the model ------------------------------------------------------------- */

static u32 *guc_memory(struct sim_guc *guc, u32 address)
{
	return vgpu_ggtt(guc_of(guc)->vgpu, address);
}

static u64 guc_now(struct sim_guc *guc)
{
	return vgpu_time_cpu();
}

static u32 guc_ticks(struct sim_guc *guc)
{
	return lower_32_bits(sim_gpu_read_timestamp(&guc_of(guc)->vgpu->gpu));
}

static void guc_interrupt(struct sim_guc *guc)
{
	vgpu_irq_guc(guc_of(guc)->vgpu, guc_of(guc)->index);
}

static bool guc_is_idle(struct sim_guc *guc, unsigned int engine)
{
	return vgpu_engine_is_idle(guc_of(guc)->engine[engine]);
}

static void guc_submit(struct sim_guc *guc, unsigned int engine, u64 descriptor)
{
	vgpu_execlists_submit(guc_of(guc)->engine[engine], descriptor);
}

static bool guc_preempt(struct sim_guc *guc, unsigned int engine)
{
	return vgpu_execlists_preempt(guc_of(guc)->engine[engine]);
}

static void guc_engine_reset(struct sim_guc *guc, unsigned int engine)
{
	vgpu_engine_reset(guc_of(guc)->engine[engine]);
}

static void engine_fails(struct vgpu_guc *guc, unsigned int number)
{
	struct vgpu_engine *engine = guc->engine[number];

	guc->vgpu->statistics.faults++;
	vgpu_log(guc->vgpu, "%s: no memory at context's address %#llx\n", engine->class->name,
		 (unsigned long long)engine->fault.address);
	engine->failed = true;
	sim_guc_engine_failed(&guc->guc, number);
}

static void guc_fault_done(struct sim_guc *guc, unsigned int number, bool failed)
{
	struct vgpu_engine *engine = guc_of(guc)->engine[number];

	if (!engine->fault.pending)
		return;
	if (failed)
		engine_fails(guc_of(guc), number);
	engine->fault.pending = false;
}

/* In units of 50/3 MHz */
static void guc_set_frequency(struct sim_guc *guc, u32 mhz)
{
	*vgpu_reg(guc_of(guc)->vgpu, gt_base(guc_of(guc)) + GEN6_RPNSWREQ) = (mhz * 3 + 25) / 50
									     << 23;
}

static void guc_log(struct sim_guc *guc, const char *what, u32 value)
{
	vgpu_log(guc_of(guc)->vgpu, "guc%u: %s %#x\n", guc_of(guc)->index, what, value);
}

static const struct sim_guc_ops guc_ops = {
	.memory = guc_memory,
	.now = guc_now,
	.ticks = guc_ticks,
	.interrupt = guc_interrupt,
	.is_idle = guc_is_idle,
	.submit = guc_submit,
	.preempt = guc_preempt,
	.reset = guc_engine_reset,
	.fault_done = guc_fault_done,
	.set_frequency = guc_set_frequency,
	.log = guc_log,
};

/* ---- registers ---------------------------------------------------------------------------- */

static struct vgpu_guc *guc_of_rule(struct vgpu *vgpu, const struct vgpu_rule *rule)
{
	return &vgpu->guc[rule->value];
}

static u32 status_read(struct vgpu *vgpu, const struct vgpu_rule *rule, u32 reg)
{
	return sim_guc_status(&guc_of_rule(vgpu, rule)->guc);
}

static u32 huc_read(struct vgpu *vgpu, const struct vgpu_rule *rule, u32 reg)
{
	return guc_of_rule(vgpu, rule)->guc.huc_loaded;
}

static void read_only(struct vgpu *vgpu, const struct vgpu_rule *rule, u32 reg, u32 value)
{
}

/* Start a copy of firmware. It completes at once, so the bits of a running copy read as 0. */
static void dma_write(struct vgpu *vgpu, const struct vgpu_rule *rule, u32 reg, u32 value)
{
	struct vgpu_guc *guc = guc_of_rule(vgpu, rule);
	u32 set = value & value >> 16;

	if (!(set & DMA_START))
		return;
	vgpu_log(vgpu, "guc%u: firmware %#x of %u bytes\n", guc->index, set,
		 *vgpu_reg(vgpu, gt_base(guc) + DMA_SIZE));
	if (set & DMA_UOS_MOVE)
		sim_guc_load(&guc->guc, *vgpu_reg(vgpu, gt_base(guc) + GUC_FEATURES));
}

/*
 * Write a register of the WOPCM, a memory range reserved for the GuC. The first write locks the
 * register.
 */
static void wopcm_write(struct vgpu *vgpu, const struct vgpu_rule *rule, u32 reg, u32 value)
{
	u32 *stored = vgpu_reg(vgpu, reg);

	if (!(*stored & WOPCM_LOCKED))
		*stored = value | WOPCM_LOCKED;
}

static void notify_write(struct vgpu *vgpu, const struct vgpu_rule *rule, u32 reg, u32 value)
{
	struct vgpu_guc *guc = guc_of_rule(vgpu, rule);

	sim_guc_notify(&guc->guc, vgpu_reg(vgpu, flags_at[guc->index]));
	sim_guc_run(&guc->guc);
}

static const struct vgpu_behaviour status_register = { status_read, read_only };
static const struct vgpu_behaviour huc_register = { huc_read, read_only };
static const struct vgpu_behaviour dma_register = { .write = dma_write };
static const struct vgpu_behaviour wopcm_register = { .write = wopcm_write };
static const struct vgpu_behaviour notify_register = { .write = notify_write };

static int add(struct vgpu_guc *guc, u32 first, u32 last, const struct vgpu_behaviour *is)
{
	struct vgpu_rule *rule = &guc->rules[guc->n_rules++];

	*rule = (struct vgpu_rule){ first, last, is, guc->index };

	return vgpu_mmio_add(guc->vgpu, rule);
}

static int add_registers(struct vgpu_guc *guc)
{
	u32 gt = gt_base(guc), flags = flags_at[guc->index], notify = notify_at[guc->index];
	int ret;

	ret = add(guc, gt + GUC_STATUS, gt + GUC_STATUS, &status_register);
	ret = ret ?: add(guc, gt + 0xc010, gt + 0xc07c, &vgpu_plain);
	ret = ret ?: add(guc, gt + GUC_WOPCM_SIZE, gt + GUC_WOPCM_SIZE, &wopcm_register);
	ret = ret ?: add(guc, gt + GUC_SOFT_SCRATCH, gt + GUC_SOFT_SCRATCH + 0x3c, &vgpu_plain);
	ret = ret ?: add(guc, gt + HUC_KERNEL_LOAD_INFO, gt + HUC_KERNEL_LOAD_INFO, &huc_register);
	ret = ret ?: add(guc, gt + UOS_RSA_SCRATCH, gt + DMA_SIZE, &vgpu_plain);
	ret = ret ?: add(guc, gt + DMA_CTRL, gt + DMA_CTRL, &dma_register);
	ret = ret   ?:
		      add(guc, gt + DMA_GUC_WOPCM_OFFSET, gt + DMA_GUC_WOPCM_OFFSET,
			  &wopcm_register);
	ret = ret ?: add(guc, notify, notify, &notify_register);

	return ret ?: add(guc, flags, flags + 4 * (SIM_GUC_N_FLAGS - 1), &vgpu_plain);
}

/* ---- creation ----------------------------------------------------------------------------- */

static u32 guc_class(enum vgpu_class class)
{
	switch (class) {
	case VGPU_COMPUTE:
		return 4;
	case VGPU_OTHER:
		return 5;
	default:
		return class;
	}
}

static void add_engines(struct vgpu_guc *guc)
{
	struct vgpu *vgpu = guc->vgpu;
	unsigned int i, n = 0, in_class[6] = {};

	for (i = 0; i < vgpu->n_engines; i++) {
		const struct vgpu_engine_class *class = vgpu->engines[i].class;
		u32 number = guc_class(class->class);

		if (class->gt != guc->index)
			continue;
		guc->engine[n] = &vgpu->engines[i];
		guc->engines[n++] = (struct sim_guc_engine_id){
			.class = number,
			.instance = in_class[number]++,
			.hw_instance = class->instance,
		};
	}
	guc->config.engines = guc->engines;
	guc->config.n_engines = n;
}

/*
 * Keys of the table that describes the hardware to drivers. Intel's compute runtime needs more of
 * them than the kernel's drivers: without the size of the memory for preemption it aborts. The
 * number of L3 banks is not in the table: drivers read it from fuses.
 */
enum {
	HWCONFIG_SLICES = 1,
	HWCONFIG_SUBSLICES = 2,
	HWCONFIG_EUS_PER_SUBSLICE = 3,
	HWCONFIG_THREADS_PER_EU = 15,
	HWCONFIG_RENDER_ENGINES = 23,
	HWCONFIG_COMPUTE_ENGINES = 24,
	HWCONFIG_CSR_MIB = 62, /* memory for the state of a preempted context */
	HWCONFIG_L3_BANK_KIB = 64,
	HWCONFIG_SLM_KIB_PER_DSS = 65, /* shared local memory */
	HWCONFIG_SUBSLICES_TOTAL = 70,
	HWCONFIG_EUS_PER_SUBSLICE_MAX = 71,
	HWCONFIG_SLM_KIB_PER_SS = 73,
};

static void describe(struct vgpu_guc *guc)
{
	const struct gpuoa_unit_desc *desc = &guc->vgpu->gpu.platform->desc;
	const u32 values[][2] = {
		{ HWCONFIG_SLICES, desc->n_slices },
		{ HWCONFIG_SUBSLICES, desc->n_subslices },
		{ HWCONFIG_EUS_PER_SUBSLICE, desc->n_eus / desc->n_subslices },
		{ HWCONFIG_THREADS_PER_EU, desc->threads_per_eu },
		{ HWCONFIG_RENDER_ENGINES, 1 },
		{ HWCONFIG_COMPUTE_ENGINES, 1 },
		{ HWCONFIG_CSR_MIB, 8 },
		{ HWCONFIG_L3_BANK_KIB, 1024 },
		{ HWCONFIG_SLM_KIB_PER_DSS, 128 },
		{ HWCONFIG_SUBSLICES_TOTAL, desc->n_subslices },
		{ HWCONFIG_EUS_PER_SUBSLICE_MAX, desc->n_eus / desc->n_subslices },
		{ HWCONFIG_SLM_KIB_PER_SS, 128 },
	};
	unsigned int i;

	_Static_assert(VGPU_HWCONFIG_DWORDS == 3 * ARRAY_SIZE(values) + 1, "size of the table");
	for (i = 0; i < ARRAY_SIZE(values); i++) {
		guc->hwconfig[3 * i] = values[i][0];
		guc->hwconfig[3 * i + 1] = 1;
		guc->hwconfig[3 * i + 2] = values[i][1];
	}
	/* Drivers expect the table that describes the hardware only from Xe_HP on. */
	if (guc->vgpu->platform->version >= 1250)
		guc->config.hwconfig = guc->hwconfig;
}

/*
 * Set the limits of the GPU frequency. Before Meteor Lake, drivers read them from RP_STATE_CAP, in
 * units of 50 MHz.
 */
static void limit(struct vgpu_guc *guc)
{
	const struct gpuoa_unit_desc *desc = &guc->vgpu->gpu.platform->desc;
	u32 cap = *vgpu_reg(guc->vgpu, RP_STATE_CAP);
	bool has_cap = guc->vgpu->platform->version < 1270;

	guc->config.min_mhz = has_cap ? (cap >> 16 & 0xff) * 50 :
					div_u64(desc->gt_min_frequency, HZ_PER_MHZ);
	guc->config.max_mhz = has_cap ? (cap & 0xff) * 50 :
					div_u64(desc->gt_max_frequency, HZ_PER_MHZ);
	guc->config.tick_hz = desc->timestamp_frequency;
}

/**
 * vgpu_guc_init() - Create the GuCs of the platform.
 * @vgpu: the GPU, with its engines and its device model
 *
 * Return: 0 or -ENOSPC
 */
int vgpu_guc_init(struct vgpu *vgpu)
{
	unsigned int i;
	int ret = 0;

	for (i = 0; i < vgpu->platform->n_gucs && !ret; i++) {
		struct vgpu_guc *guc = &vgpu->guc[i];

		guc->vgpu = vgpu;
		guc->index = i;
		add_engines(guc);
		describe(guc);
		limit(guc);
		sim_guc_init(&guc->guc, &guc_ops, &guc->config);
		ret = add_registers(guc);
		if (vgpu->platform->n_gucs < 2 && !vgpu->platform->discrete)
			continue;
		/* On DG2, and from Meteor Lake on, the machine's firmware partitions the WOPCM. */
		*vgpu_reg(vgpu, gt_base(guc) + DMA_GUC_WOPCM_OFFSET) =
			SZ_1M | WOPCM_HUC_LOADING_AGENT_GUC | WOPCM_LOCKED;
		*vgpu_reg(vgpu, gt_base(guc) + GUC_WOPCM_SIZE) = SZ_1M | WOPCM_LOCKED;
	}

	return ret;
}

/**
 * vgpu_guc_reset() - Reset the GuC of a GT, if there is one.
 * @vgpu: the GPU
 * @index: the GT
 */
void vgpu_guc_reset(struct vgpu *vgpu, unsigned int index)
{
	if (index < vgpu->platform->n_gucs)
		sim_guc_reset(&vgpu->guc[index].guc);
}

/**
 * vgpu_guc_run() - Schedule contexts.
 * @vgpu: the GPU
 *
 * Return: true if a context was submitted to an engine
 */
bool vgpu_guc_run(struct vgpu *vgpu)
{
	bool submitted = false;
	unsigned int i;

	for (i = 0; i < vgpu->platform->n_gucs; i++)
		submitted |= sim_guc_run(&vgpu->guc[i].guc);

	return submitted;
}

/**
 * vgpu_guc_is_busy() - Check whether a GuC must run soon.
 * @vgpu: the GPU
 *
 * Return: true if it must
 */
bool vgpu_guc_is_busy(const struct vgpu *vgpu)
{
	unsigned int i;

	for (i = 0; i < vgpu->platform->n_gucs; i++)
		if (sim_guc_is_busy(&vgpu->guc[i].guc))
			return true;

	return false;
}

/**
 * vgpu_guc_allows_rc6() - Check whether the GuC of the render GT lets the GPU sleep.
 * @vgpu: the GPU
 *
 * Return: true if it does
 */
bool vgpu_guc_allows_rc6(const struct vgpu *vgpu)
{
	return vgpu->platform->n_gucs && sim_guc_allows_rc6(&vgpu->guc[0].guc);
}

/**
 * vgpu_guc_schedules() - Check whether the contexts of an engine are submitted by a GuC.
 * @engine: the engine
 *
 * Return: true if they are
 */
bool vgpu_guc_schedules(const struct vgpu_engine *engine)
{
	const struct vgpu *vgpu = engine->vgpu;

	return engine->class->gt < vgpu->platform->n_gucs &&
	       sim_guc_schedules(&vgpu->guc[engine->class->gt].guc);
}

/* Get the number of an engine in the model of its GuC. */
static unsigned int number_of(const struct vgpu_guc *guc, const struct vgpu_engine *engine)
{
	unsigned int i = 0;

	while (guc->engine[i] != engine)
		i++;

	return i;
}

/**
 * vgpu_guc_releases() - Check whether a GuC ends a wait for a semaphore.
 * @engine: the engine that waits
 * @address: GGTT address of the semaphore
 *
 * Return: true if it does
 */
bool vgpu_guc_releases(struct vgpu_engine *engine, u64 address)
{
	struct vgpu_guc *guc = &engine->vgpu->guc[engine->class->gt];

	return vgpu_guc_schedules(engine) &&
	       sim_guc_releases(&guc->guc, number_of(guc, engine), address);
}

/**
 * vgpu_guc_page_fault() - Report the page fault of an engine to its GuC.
 * @engine: the engine
 *
 * The driver may map the page from Xe2 on. Earlier, the context is lost.
 */
void vgpu_guc_page_fault(struct vgpu_engine *engine)
{
	struct vgpu_guc *guc = &engine->vgpu->guc[engine->class->gt];
	const struct sim_guc_fault fault = {
		.engine = number_of(guc, engine),
		.asid = *vgpu_engine_reg(engine, RING_CTX_ASID),
		.address = engine->fault.address,
	};

	if (engine->vgpu->platform->levels == 5) {
		engine->vgpu->statistics.page_faults++;
		sim_guc_page_fault(&guc->guc, &fault);
		return;
	}
	engine_fails(guc, fault.engine);
	engine->fault.pending = false;
}
