// SPDX-License-Identifier: GPL-2.0-only
/*
 * vgpu_test.c - gpuoa-vgpu without a guest: the test plays a driver that loads the GuC, registers
 * contexts and runs batches on the engines of the GPUs that need one.
 */
#include <fcntl.h>
#include <sys/mman.h>
#include <sys/socket.h>
#include <unistd.h>

#include "vgpu/model/platforms.h"
#include "vgpu/qemu/device_host.h"
#include "vgpu/qemu/irq.h"
#include "vgpu/qemu/mmio.h"
#include "vgpu/qemu/pci.h"
#include "vgpu/qemu/registers.h"
#include "vgpu/qemu/vgpu.h"
#include "tap.h"

#define MEMORY_SIZE SZ_16M

/* Addresses in the GGTT. Its first pages map the memory at the same addresses. */
#define GGTT_PAGES 1024
#define TO_GUC_DESCRIPTOR 0x1000
#define TO_HOST_DESCRIPTOR 0x1040
#define TO_GUC 0x2000
#define TO_HOST 0x3000
#define RING_DWORDS 512
#define IMAGE(n) (0x100000 + (n) * 0x8000)
#define RING(n) (0x200000 + (n) * 0x1000)
#define HWCONFIG 0x300000
#define TABLES 0x400000

/*
 * Addresses in memory, and in the contexts' address spaces. Each has one page of batches and one of
 * data; all other pages are not mapped.
 */
#define BATCH 0x600000
#define DATA 0x601000
#define BATCH_AT 0x123450000000
#define DATA_AT 0x123450001000
#define UNMAPPED_AT 0x123450002000

#define GUC_EVENT 0x90000000
#define FAST 0x20000000

#define MI_USER_INTERRUPT 0x01000000
#define MI_SET_PREDICATE 0x00800000
#define MI_END 0x05000000
#define MI_STORE(dwords) (0x10000001 + (dwords))
#define MI_UPDATE_GTT(dwords) (0x11800000 + (dwords))
#define MI_LOAD_REGISTER 0x11000001
#define MI_STORE_REGISTER 0x12000002
#define MI_BATCH_START 0x18800101
#define MI_CONDITIONAL_END 0x1b200002
#define MI_WAIT_EQUAL 0x0e00c003
#define MI_LOAD_IMM(n) (0x11080000 + 2 * (n) - 1)

#define TRIGGER 0xdb1c

/* MMIO offsets of the registers that interrupt a GuC, and of those with its messages */
static const u32 notify_at[] = { 0x1901f0, 0x190304 };
static const u32 flags_at[] = { 0x190240, 0x190310 };

static struct vgpu *gpu;
static u8 *memory;

static u32 *dword(u32 address)
{
	return (u32 *)(memory + address);
}

static void map_memory(void)
{
	struct vgpu_region region = { .size = MEMORY_SIZE };
	unsigned int i;

	region.fd = vgpu_memory_create("vgpu_test", MEMORY_SIZE);
	memory = mmap(NULL, MEMORY_SIZE, PROT_READ | PROT_WRITE, MAP_SHARED, region.fd, 0);
	if (memory == MAP_FAILED)
		abort();
	vgpu_memory_add(gpu, &region);
	for (i = 0; i < GGTT_PAGES; i++) {
		u64 entry = (u64)i << 12 | 1;

		memcpy(gpu->gtt + i * sizeof(entry), &entry, sizeof(entry));
	}
}

/* Create a GPU as main.c does. */
static void gpu_create(const char *name)
{
	int ret;

	gpu = kvcalloc(1, sizeof(*gpu), GFP_KERNEL);
	if (!gpu)
		abort();
	gpu->platform = vgpu_platform_find(name);
	gpu->log = fopen(getenv("VGPU_TEST_LOG") ?: "/dev/null", "w");
	gpu->pci.messages = open("/dev/null", O_WRONLY);
	if (!gpu->platform || !gpu->log)
		abort();
	ret = vgpu_ggtt_bar_open(gpu, vgpu_memory_create("gtt", gpu->platform->bar0 -
							 gpu->platform->gtt));
	ret = ret ?: vgpu_vram_open(gpu, vgpu_memory_create("vram", gpu->platform->vram));
	ret = ret ?: vgpu_mmio_init(gpu);
	ret = ret ?: vgpu_engines_init(gpu);
	ret = ret ?: vgpu_irq_init(gpu);
	ret = ret ?: vgpu_device_host_init(gpu, 0);
	ret = ret ?: vgpu_guc_init(gpu);
	ret = ret ?: vgpu_eu_stall_init(gpu);
	ret = ret ?: vgpu_mmio_add_table(gpu, gpu->platform->overrides);
	if (ret)
		abort();
	map_memory();
}

static void gpu_free(void)
{
	unsigned int i;

	for (i = 0; i < gpu->platform->n_gucs; i++)
		vgpu_guc_reset(gpu, i);
	vgpu_device_host_destroy(gpu);
	vgpu_memory_clear(gpu);
	munmap(memory, MEMORY_SIZE);
	munmap(gpu->gtt, gpu->gtt_size);
	if (gpu->platform->vram) {
		munmap(gpu->vram.memory, gpu->vram.size);
		close(gpu->vram.fd);
	}
	close(gpu->pci.messages);
	fclose(gpu->log);
	kvfree(gpu);
}

static void run(void)
{
	unsigned int i;

	for (i = 0; i < 100; i++)
		vgpu_engines_run(gpu);
}

/* ---- page tables -------------------------------------------------------------------------- */

/* Page tables are in local memory if the GPU has its own. */
static u64 *table(u64 address)
{
	return (u64 *)((gpu->platform->discrete ? gpu->vram.memory : memory) + address);
}

static u64 map_flags;

/* Map a page of system memory, or of local memory if map_flags selects it. */
static void map_page(u64 virtual, u64 physical)
{
	unsigned int levels = gpu->platform->levels ?: 4, shift;
	u64 at = TABLES, *entry;
	static u64 next;

	/* If the root table is empty, all tables can be allocated again. */
	if (!*table(TABLES + SZ_64K))
		next = TABLES + SZ_4K;
	*table(TABLES + SZ_64K) = 1;
	for (shift = 12 + 9 * (levels - 1); shift > 12; shift -= 9) {
		entry = table(at) + (virtual >> shift & 0x1ff);
		if (!*entry) {
			*entry = next | 1;
			next += SZ_4K;
		}
		at = *entry & ~(u64)(SZ_4K - 1);
	}
	table(at)[virtual >> 12 & 0x1ff] = physical | map_flags | 1;
}

static void map_space(void)
{
	map_flags = 0;
	map_page(BATCH_AT, BATCH);
	map_page(DATA_AT, DATA);
}

/* ---- the GuC ------------------------------------------------------------------------------ */

static u32 in_registers(unsigned int gt, u32 a, u32 b, u32 c)
{
	vgpu_mmio_write(gpu, flags_at[gt], a);
	vgpu_mmio_write(gpu, flags_at[gt] + 4, b);
	vgpu_mmio_write(gpu, flags_at[gt] + 8, c);
	vgpu_mmio_write(gpu, notify_at[gt], 1);

	return vgpu_mmio_read(gpu, flags_at[gt]);
}

static void load_guc(unsigned int gt)
{
	u32 base = gt ? 0x380000 : 0;

	CHECK(vgpu_mmio_read(gpu, base + 0xc000) == BIT(0));
	vgpu_mmio_write(gpu, base + 0xc314, 0x00110011);
	CHECK(vgpu_mmio_read(gpu, base + 0xc314) == 0);
	CHECK(vgpu_mmio_read(gpu, base + 0xc000) >> 8 == 0x8001f0);
	in_registers(gt, 0x0508, 0x0902 << 16 | 1, TO_GUC);
	in_registers(gt, 0x0508, 0x0903 << 16 | 1, TO_GUC_DESCRIPTOR);
	in_registers(gt, 0x0508, 0x0904 << 16 | 1, RING_DWORDS * 4);
	in_registers(gt, 0x0508, 0x0905 << 16 | 1, TO_HOST);
	in_registers(gt, 0x0508, 0x0906 << 16 | 1, TO_HOST_DESCRIPTOR);
	in_registers(gt, 0x0508, 0x0907 << 16 | 1, RING_DWORDS * 4);
	CHECK(in_registers(gt, 0x4509, 1, 0) == 0xf0000000);
}

static void put(u32 value)
{
	u32 *tail = dword(TO_GUC_DESCRIPTOR) + 1;

	*dword(TO_GUC + *tail * sizeof(u32)) = value;
	*tail = (*tail + 1) % RING_DWORDS;
}

static void send_dwords(unsigned int gt, const u32 *message, unsigned int n)
{
	unsigned int i;

	put(n);
	for (i = 0; i < n; i++)
		put(message[i]);
	vgpu_mmio_write(gpu, notify_at[gt], 1);
}

#define SEND(gt, ...)                                               \
	do {                                                        \
		const u32 message_[] = { __VA_ARGS__ };             \
		send_dwords(gt, message_, ARRAY_SIZE(message_));    \
	} while (0)

static u32 take_dword(void)
{
	u32 *head = dword(TO_HOST_DESCRIPTOR);
	u32 value = *dword(TO_HOST + *head * sizeof(u32));

	*head = (*head + 1) % RING_DWORDS;
	return value;
}

/* Receive messages until one has this action. Return its first data dword, or -1. */
static s64 take_event(u32 action)
{
	u32 *descriptor = dword(TO_HOST_DESCRIPTOR), header, n, datum, i;

	while (descriptor[0] != descriptor[1]) {
		n = take_dword() & 0xff;
		header = take_dword();
		datum = n > 1 ? take_dword() : 0;
		for (i = 2; i < n; i++)
			take_dword();
		if (header == (GUC_EVENT | action))
			return datum;
	}

	return -1;
}

/* ---- contexts ----------------------------------------------------------------------------- */

static u32 batch_dwords;

static void emit(const u32 *commands, unsigned int n)
{
	memcpy(memory + BATCH + batch_dwords * sizeof(u32), commands, n * sizeof(u32));
	batch_dwords += n;
}

#define EMIT(...)                                             \
	do {                                                  \
		const u32 commands_[] = { __VA_ARGS__ };      \
		emit(commands_, ARRAY_SIZE(commands_));       \
	} while (0)
#define LOW(at) lower_32_bits(at)
#define HIGH(at) upper_32_bits(at)

/* Write an image as drivers do, with a ring that calls the batch at @batch. */
static void make_context(unsigned int n, u64 batch)
{
	const u32 image[] = {
		0, MI_LOAD_IMM(8), 0x244, 0x00010001, 0x34, 0, 0x30, 0, 0x38, RING(n), 0x3c, 1,
		0x168, 0, 0x140, 0, 0x110, 0, MI_LOAD_IMM(2), 0x274, 0, 0x270, TABLES, MI_END,
	};
	const u32 ring[] = { MI_BATCH_START, LOW(batch), HIGH(batch), MI_USER_INTERRUPT };

	memcpy(memory + IMAGE(n) + SZ_4K, image, sizeof(image));
	memcpy(memory + RING(n), ring, sizeof(ring));
	*dword(IMAGE(n) + SZ_4K + 7 * 4) = sizeof(ring);
}

static void start_context(unsigned int n, unsigned int gt, u32 class, u32 mask)
{
	SEND(gt, FAST | 0x4502, 0, n, class, mask, 0, 0, 0, 0, 0, IMAGE(n) | 0x19, 0);
	SEND(gt, FAST | 0x1001, n, 1);
}

static void begin(const char *name)
{
	gpu_create(name);
	map_space();
	load_guc(0);
	batch_dwords = 0;
}

static void run_batch(unsigned int n)
{
	EMIT(MI_END);
	make_context(n, BATCH_AT);
	start_context(n, 0, 0, 1);
	run();
	batch_dwords = 0;
}

/* ---- tests -------------------------------------------------------------------------------- */

static const char *const names[] = { "tgl", "dg2", "mtl", "lnl", "bmg", "ptl" };

static void batches_run_on_each_engine(void)
{
	unsigned int i, k;

	for (i = 0; i < ARRAY_SIZE(names); i++) {
		gpu_create(names[i]);
		map_space();
		for (k = 0; k < gpu->n_engines; k++) {
			const struct vgpu_engine_class *class = gpu->engines[k].class;
			u32 guc_class = class->class < 4 ? class->class : 9 - class->class;
			unsigned int mask = 1, other;

			for (other = 0; other < k; other++)
				if (gpu->engines[other].class->class == class->class)
					mask <<= 1;
			/* For each engine, reset its GuC and set up the rings again. */
			vgpu_guc_reset(gpu, class->gt);
			memset(dword(TO_GUC_DESCRIPTOR), 0, 0x80);
			load_guc(class->gt);
			batch_dwords = 0;
			EMIT(MI_STORE(1), LOW(DATA_AT), HIGH(DATA_AT), 0xcafe0000 + k, MI_END);
			make_context(k, BATCH_AT);
			start_context(k, class->gt, guc_class, mask);
			run();
			if (!CHECK(*dword(DATA) == 0xcafe0000 + k))
				printf("# on %s of %s\n", class->name, names[i]);
			CHECK(vgpu_engine_is_idle(&gpu->engines[k]));
			CHECK(!sim_guc_is_busy(&gpu->guc[class->gt].guc));
			CHECK(*dword(IMAGE(k) + SZ_4K + 5 * 4) == 16);
		}
		CHECK(gpu->statistics.faults == 0);
		gpu_free();
	}
}

/* Submit a context as a driver does without the GuC: by the queue, or by the port up to gen9. */
static void submit(const struct vgpu_engine *engine, unsigned int n)
{
	u32 descriptor = IMAGE(n) | 0x19, base = engine->base;

	if (gpu->platform->gen >= 11) {
		vgpu_mmio_write(gpu, base + 0x510, descriptor);
		vgpu_mmio_write(gpu, base + 0x514, n + 1);
		vgpu_mmio_write(gpu, base + 0x518, 0);
		vgpu_mmio_write(gpu, base + 0x51c, 0);
		vgpu_mmio_write(gpu, base + 0x550, 1);
	} else {
		vgpu_mmio_write(gpu, base + 0x230, 0);
		vgpu_mmio_write(gpu, base + 0x230, 0);
		vgpu_mmio_write(gpu, base + 0x230, n + 1);
		vgpu_mmio_write(gpu, base + 0x230, descriptor);
	}
}

static void batches_run_without_the_guc(void)
{
	static const char *const others[] = { "bdw", "skl", "icl", "tgl", "rkl" };
	unsigned int i, k;

	for (i = 0; i < ARRAY_SIZE(others); i++) {
		gpu_create(others[i]);
		map_space();
		for (k = 0; k < gpu->n_engines; k++) {
			batch_dwords = 0;
			EMIT(MI_STORE(1), LOW(DATA_AT), HIGH(DATA_AT), 0xcafe0000 + k, MI_END);
			make_context(k, BATCH_AT);
			submit(&gpu->engines[k], k);
			run();
			if (!CHECK(*dword(DATA) == 0xcafe0000 + k))
				printf("# on %s of %s\n", gpu->engines[k].class->name, others[i]);
			CHECK(vgpu_engine_is_idle(&gpu->engines[k]));
		}
		CHECK(gpu->statistics.faults == 0);
		/* An unmapped address is logged, and the write is lost. */
		EMIT(MI_STORE(1), LOW(UNMAPPED_AT), HIGH(UNMAPPED_AT), 1);
		memmove(memory + BATCH, memory + BATCH + 20, 16);
		make_context(0, BATCH_AT);
		submit(&gpu->engines[0], 0);
		run();
		CHECK(gpu->statistics.faults == 1 && gpu->statistics.page_faults == 0);
		CHECK(vgpu_engine_is_idle(&gpu->engines[0]));
		gpu_free();
	}
}

static void rings_of_haswell_run(void)
{
	static const u32 ring[] = { 0x10400002, 0, DATA, 77, 0, 0 };
	const struct vgpu_engine *engine;
	u64 page;

	gpu_create("hsw");
	for (page = 0; page < GGTT_PAGES * SZ_4K; page += SZ_4K)
		*(u32 *)(gpu->gtt + page / SZ_4K * 4) = page | 1;
	for (page = DATA & ~0xfffU; page < DATA + SZ_4K; page += SZ_4K)
		*(u32 *)(gpu->gtt + page / SZ_4K * 4) = page | 1;
	engine = &gpu->engines[0];
	memcpy(memory + RING(0), ring, sizeof(ring));
	vgpu_mmio_write(gpu, engine->base + 0x38, RING(0));
	vgpu_mmio_write(gpu, engine->base + 0x3c, 1);
	vgpu_mmio_write(gpu, engine->base + 0x30, sizeof(ring));
	run();
	CHECK(*dword(DATA) == 77);
	CHECK(vgpu_engine_is_idle(engine));
	gpu_free();
}

static void waiting_context_yields_to_another_one(void)
{
	begin("lnl");
	EMIT(MI_WAIT_EQUAL, 1, LOW(DATA_AT), HIGH(DATA_AT), 0, MI_END);
	make_context(0, BATCH_AT);
	make_context(1, BATCH_AT + batch_dwords * sizeof(u32));
	EMIT(MI_STORE(1), LOW(DATA_AT), HIGH(DATA_AT), 1, MI_END);
	start_context(0, 0, 0, 1);
	run();
	CHECK(sim_guc_is_busy(&gpu->guc[0].guc));
	/*
	 * Preempt the context by one with a higher priority. Waiting for the end of a quantum would
	 * take time.
	 */
	SEND(0, FAST | 0x4502, 0, 1, 0, 1, 0, 0, 0, 0, 0, IMAGE(1) | 0x19, 0);
	SEND(0, FAST | 0x100b, 1, 0x2003 << 16 | 1, 0);
	SEND(0, FAST | 0x1001, 1, 1);
	run();
	CHECK(*dword(DATA) == 1);
	CHECK(!sim_guc_is_busy(&gpu->guc[0].guc));
	CHECK(gpu->statistics.resets == 0);
	gpu_free();
}

static void page_fault_is_repeated_after_the_answer(void)
{
	begin("lnl");
	EMIT(MI_STORE(1), LOW(DATA_AT), HIGH(DATA_AT), 5);
	EMIT(MI_STORE(1), LOW(UNMAPPED_AT), HIGH(UNMAPPED_AT), 6);
	run_batch(0);
	CHECK(*dword(DATA) == 5);
	CHECK(take_event(0x6002) == 0);
	CHECK(sim_guc_is_busy(&gpu->guc[0].guc));
	map_page(UNMAPPED_AT, DATA + SZ_4K);
	SEND(0, FAST | 0x6003, 1, 0);
	run();
	CHECK(*dword(DATA + SZ_4K) == 6);
	CHECK(!sim_guc_is_busy(&gpu->guc[0].guc));
	CHECK(gpu->statistics.page_faults == 1 && gpu->statistics.faults == 0);

	/* The driver cannot resolve this page fault. */
	EMIT(MI_STORE(1), LOW(UNMAPPED_AT + SZ_4K), HIGH(UNMAPPED_AT + SZ_4K), 6);
	run_batch(1);
	CHECK(take_event(0x6002) == 0);
	SEND(0, FAST | 0x6003, 3, 0);
	run();
	CHECK(take_event(0x6000) == 1);
	CHECK(take_event(0x1008) == 1);
	CHECK(gpu->statistics.resets == 1);
	gpu_free();
}

static void unmapped_address_resets_the_context_before_xe2(void)
{
	begin("mtl");
	EMIT(MI_STORE(1), LOW(UNMAPPED_AT), HIGH(UNMAPPED_AT), 6);
	run_batch(3);
	CHECK(take_event(0x6000) == 3);
	CHECK(take_event(0x1008) == 3);
	CHECK(gpu->statistics.page_faults == 0 && gpu->statistics.faults == 1);
	EMIT(MI_STORE(1), LOW(DATA_AT), HIGH(DATA_AT), 7);
	run_batch(4);
	CHECK(*dword(DATA) == 7);
	gpu_free();
}

static void local_memory_is_selected_by_page_table_entries(void)
{
	const u64 entry = 0x700000 | BIT(1) | 1;

	begin("bmg");
	map_flags = BIT(11);
	map_page(UNMAPPED_AT, 0x700000);
	EMIT(MI_STORE(1), LOW(UNMAPPED_AT), HIGH(UNMAPPED_AT), 8);
	run_batch(0);
	CHECK(*table(0x700000) == 8);
	CHECK(*dword(0x700000) == 0);
	memcpy(gpu->gtt + 8 * 0x7ff, &entry, sizeof(entry));
	CHECK(*vgpu_ggtt(gpu, 0x7ff000) == 8);
	gpu_free();
}

static void compact_page_tables_map_64_kib(void)
{
	const u64 address = UNMAPPED_AT / SZ_2M * SZ_2M + SZ_64K + 0x8000;
	u64 at = TABLES, *entry = NULL;
	unsigned int shift;

	begin("dg2");
	map_page(address, 0x700000);
	for (shift = 12 + 9 * 3; shift > 12; shift -= 9) {
		entry = table(at) + (address >> shift & 0x1ff);
		at = *entry & ~(u64)(SZ_4K - 1);
	}
	*entry |= BIT(6);
	table(at)[1] = 0x710000 | BIT(11) | 1;
	EMIT(MI_STORE(1), LOW(address), HIGH(address), 9);
	run_batch(0);
	CHECK(*table(0x718000) == 9);
	CHECK(gpu->statistics.faults == 0);
	gpu_free();
}

static void guc_interrupts_have_an_identity(void)
{
	static const u32 bits[] = { 25, 24 }, instances[] = { 0, 16 };
	unsigned int gt;

	for (gt = 0; gt < 2; gt++) {
		gpu_create("lnl");
		load_guc(gt);
		vgpu_mmio_write(gpu, 0x190008, BIT(31));
		vgpu_mmio_write(gpu, 0x190038, BIT(31));
		SEND(gt, FAST | 0x7000, 1, 0);
		CHECK(vgpu_mmio_read(gpu, 0x190018) == BIT(bits[gt]));
		CHECK(vgpu_mmio_read(gpu, 0x190008) == (BIT(31) | BIT(0)));
		CHECK(gpu->irq.line);
		vgpu_mmio_write(gpu, 0x190070, BIT(bits[gt]));
		CHECK(vgpu_mmio_read(gpu, 0x190060) ==
		      (BIT(31) | instances[gt] << 20 | 4 << 16 | BIT(15)));
		CHECK(vgpu_mmio_read(gpu, 0x190018) == 0);
		CHECK(take_event(0x7001) == 1);
		/* Each GuC has half of the mask register. A masked interrupt is not raised. */
		vgpu_mmio_write(gpu, 0x1900e8, gt ? 0x8000 : 0x80000000);
		SEND(gt, FAST | 0x7000, 2, 0);
		CHECK(vgpu_mmio_read(gpu, 0x190018) == 0);
		gpu_free();
	}
}

static void reset_affects_its_gt_alone(void)
{
	gpu_create("lnl");
	load_guc(0);
	memset(dword(TO_GUC_DESCRIPTOR), 0, 0x80);
	load_guc(1);
	vgpu_mmio_write(gpu, 0x380000 + 0x941c, BIT(0));
	CHECK(gpu->guc[0].guc.loaded && !gpu->guc[1].guc.loaded);
	vgpu_mmio_write(gpu, 0x941c, BIT(3));
	CHECK(!gpu->guc[0].guc.loaded);
	gpu_free();
}

/* Ask for the table that describes the hardware. Return its size in bytes. */
static u32 get_hwconfig(void)
{
	vgpu_mmio_write(gpu, flags_at[0] + 12, SZ_4K);

	return in_registers(0, 0x4100, HWCONFIG, 0) & 0xfffffff;
}

/* Find a key in the table. Return its value, or 0. */
static u32 hwconfig_value(u32 key, u32 size)
{
	const u32 *entry = dword(HWCONFIG), *end = entry + size / sizeof(u32);

	while (entry < end && *entry != key)
		entry += 2 + entry[1];

	return entry < end ? entry[2] : 0;
}

/*
 * igt-gpu-tools knows the keys up to 83, and fails if there are others. The number of L3 banks,
 * which two later keys define, is in fuses.
 */
static void hwconfig_describes_the_gpu(void)
{
	static const char *const gpus[] = { "dg2", "mtl", "lnl", "bmg", "ptl" };
	u32 i, key, size;

	for (i = 0; i < ARRAY_SIZE(gpus); i++) {
		const struct gpuoa_unit_desc *desc;

		gpu_create(gpus[i]);
		desc = &gpu->gpu.platform->desc;
		load_guc(0);
		size = get_hwconfig();
		CHECK(size && size % sizeof(u32) == 0 && size <= SZ_4K);
		CHECK(hwconfig_value(1, size) == desc->n_slices);
		CHECK(hwconfig_value(15, size) == desc->threads_per_eu);
		CHECK(hwconfig_value(70, size) == desc->n_subslices);
		for (key = 84; key < 128; key++)
			CHECK(!hwconfig_value(key, size));
		gpu_free();
	}
}

static void wopcm_registers_are_locked_by_the_first_write(void)
{
	gpu_create("tgl");
	vgpu_mmio_write(gpu, 0xc340, 0x4000);
	vgpu_mmio_write(gpu, 0xc340, 0x8000);
	CHECK(vgpu_mmio_read(gpu, 0xc340) == 0x4001);
	gpu_free();
	/* By the machine's firmware */
	gpu_create("mtl");
	vgpu_mmio_write(gpu, 0x380000 + 0xc340, 0x4000);
	CHECK(vgpu_mmio_read(gpu, 0x380000 + 0xc340) == (SZ_1M | 3));
	gpu_free();
}

static void forcewake_and_frequencies_are_those_of_each_gt(void)
{
	gpu_create("lnl");
	vgpu_mmio_write(gpu, 0x380000 + 0xa188, 0x00010001);
	CHECK(vgpu_mmio_read(gpu, 0x380000 + 0xdfc) == 1);
	CHECK(vgpu_mmio_read(gpu, 0xdfc) == 0);
	CHECK(vgpu_mmio_read(gpu, 0x138000) == (6 << 16 | 117));
	load_guc(1);
	SEND(1, FAST | 0x3003, 2, 0x5000, 0);
	SEND(1, FAST | 0x3003, 6 << 8 | 2, 6, 1000);
	CHECK((vgpu_mmio_read(gpu, 0x380c60) & 0x1ff) == 60);
	CHECK((vgpu_mmio_read(gpu, 0xc60) & 0x1ff) == 0);
	gpu_free();
}

/* Batches can have commands of any length, conditions and predicates. */
static void commands_of_drivers_have_their_effect(void)
{
	unsigned int i;

	begin("mtl");
	EMIT(MI_STORE(400), LOW(DATA_AT), HIGH(DATA_AT));
	for (i = 0; i < 400; i++)
		EMIT(1000 + i);
	run_batch(0);
	for (i = 0; i < 400; i++)
		CHECK(*dword(DATA + 4 * i) == 1000 + i);

	/* Write 300 GGTT entries, from page 4096 on. */
	EMIT(MI_UPDATE_GTT(600), 4096 << 12);
	for (i = 0; i < 300; i++)
		EMIT(DATA | 1, 0);
	run_batch(1);
	CHECK(vgpu_ggtt(gpu, (4096 + 299) << 12) == (u32 *)(gpu->memory.regions[0].memory + DATA));
	CHECK(!vgpu_ggtt(gpu, (4096 + 300) << 12));

	/*
	 * The first condition (1000 is less than 1001) is true, the second one (1000 is greater
	 * than 1000) is false.
	 */
	EMIT(MI_CONDITIONAL_END | 2 << 12, 1001, LOW(DATA_AT), HIGH(DATA_AT));
	EMIT(MI_STORE(1), LOW(DATA_AT + 4), HIGH(DATA_AT + 4), 1);
	EMIT(MI_CONDITIONAL_END, 1000, LOW(DATA_AT), HIGH(DATA_AT));
	EMIT(MI_STORE(1), LOW(DATA_AT + 8), HIGH(DATA_AT + 8), 1);
	run_batch(2);
	CHECK(*dword(DATA + 4) == 1);
	CHECK(*dword(DATA + 8) == 1002);

	EMIT(MI_SET_PREDICATE | 15, MI_STORE(1), LOW(DATA_AT + 12), HIGH(DATA_AT + 12), 1);
	EMIT(MI_SET_PREDICATE, MI_STORE(1), LOW(DATA_AT + 16), HIGH(DATA_AT + 16), 1);
	run_batch(3);
	CHECK(*dword(DATA + 12) == 1003);
	CHECK(*dword(DATA + 16) == 1);
	gpu_free();
}

static void batch_triggers_a_report_if_the_driver_lets_it(void)
{
	static const u32 slots[] = { 0, TRIGGER | NONPRIV_DENY, TRIGGER | NONPRIV_READ, TRIGGER };
	u32 *slot;
	unsigned int i;

	begin("bmg");
	slot = vgpu_reg(gpu, 0x2000 + RING_FORCE_TO_NONPRIV) + NONPRIV_SLOTS - 1;
	for (i = 0; i < ARRAY_SIZE(slots); i++) {
		*slot = slots[i];
		EMIT(MI_LOAD_REGISTER, TRIGGER, 4711 + i);
		EMIT(MI_STORE_REGISTER, TRIGGER, LOW(DATA_AT), HIGH(DATA_AT));
		run_batch(i);
		CHECK(*dword(DATA) == (i == 3 ? 4711 + i : 0));
	}
	gpu_free();
}

static void blits_cross_pages(void)
{
	u64 at = DATA_AT + SZ_4K - 8;

	begin("bmg");
	map_page(UNMAPPED_AT, DATA + SZ_4K);
	/*
	 * Set 16 bytes by MEM_SET, copy them by MEM_COPY, and fill two lines of two pixels by
	 * XY_FAST_COLOR.
	 */
	EMIT(0x56c00005, 15, 0, 15, LOW(at), HIGH(at), 0xab000000);
	EMIT(0x56800008, 15, 0, 15, 15, LOW(at), HIGH(at), LOW(DATA_AT), HIGH(DATA_AT), 0);
	EMIT(0x5110000e, 63, 0, 2 << 16 | 2, LOW(DATA_AT + 64), HIGH(DATA_AT + 64), 0, 0x12345678);
	EMIT(0, 0, 0, 0, 0, 0, 0, 0);
	run_batch(0);
	CHECK(*dword(DATA + SZ_4K - 12) == 0);
	CHECK(*dword(DATA + SZ_4K - 8) == 0xabababab);
	CHECK(*dword(DATA + SZ_4K + 4) == 0xabababab);
	CHECK(*dword(DATA + SZ_4K + 8) == 0);
	CHECK(*dword(DATA) == 0xabababab && *dword(DATA + 12) == 0xabababab);
	CHECK(*dword(DATA + 16) == 0);
	CHECK(*dword(DATA + 64) == 0x12345678 && *dword(DATA + 68) == 0x12345678);
	CHECK(*dword(DATA + 72) == 0);
	CHECK(*dword(DATA + 128) == 0x12345678 && *dword(DATA + 132) == 0x12345678);
	gpu_free();
}

/* ---- EU stall sampling -------------------------------------------------------------------- */

#define STALL_BASE 0xe520
#define STALL_REPORT 0xe528
#define STALL_REPORT1 0xe52c
#define STALL_CTRL 0xe53c
#define STALL_PART SZ_256K
#define STALL_BUFFER 0x800000
#define SELECTOR 0xfd4
#define MULTICAST BIT(31)

/* As xe steers: a read leaves multicast on, a write turns it off until it is done. */
static u32 read_core(unsigned int core, unsigned int per_group, u32 reg)
{
	vgpu_mmio_write(gpu, SELECTOR, MULTICAST | core / per_group << 8 | core % per_group);
	return vgpu_mmio_read(gpu, reg);
}

static void write_core(unsigned int core, unsigned int per_group, u32 reg, u32 value)
{
	vgpu_mmio_write(gpu, SELECTOR, core / per_group << 8 | core % per_group);
	vgpu_mmio_write(gpu, reg, value);
	vgpu_mmio_write(gpu, SELECTOR, MULTICAST);
}

/* Run a kernel of three instructions, at an offset of 0x40 from the instruction base. */
static void run_walker(unsigned int n, u32 groups)
{
	const u32 kernel[] = { 0x8361, 0, 0, 0, 0x38, 0, 0, 0, 0x31, 4, 0, 0 };
	u32 walker[40] = { 0x72080026 };
	unsigned int i;

	memcpy(memory + DATA + 0x40, kernel, sizeof(kernel));
	EMIT(0x61010014, 0, 0, 0, 0, 0, 0, 0, 0, 0, LOW(DATA_AT) | 1, HIGH(DATA_AT), 0, 0, 0);
	EMIT(0, 0, 0, 0, 0, 0, 0);
	walker[7] = groups;
	walker[8] = 1;
	walker[9] = 1;
	walker[19] = 0x40;
	emit(walker, ARRAY_SIZE(walker));
	run_batch(n);
	for (i = 0; i < 5000 && gpu->engines[0].work; i++) {
		usleep(1000);
		vgpu_engines_run(gpu);
	}
	CHECK(!gpu->engines[0].work);
}

static unsigned int begin_stalls(const char *name, unsigned int *per_group)
{
	u64 page, entry;
	u32 base;

	begin(name);
	for (page = 0; page < 20 * STALL_PART; page += SZ_4K) {
		entry = ((STALL_BUFFER + page) & 0xffffff) | 1;
		memcpy(gpu->gtt + (STALL_BUFFER + page) / SZ_4K * 8, &entry, sizeof(entry));
	}
	base = STALL_BUFFER | 1 << 3 | BIT(1);
	vgpu_mmio_write(gpu, STALL_CTRL, 7 << 16 | 1);
	vgpu_mmio_write(gpu, STALL_BASE, base);
	*per_group = gpu->eu_stall.cores_per_group;
	CHECK(read_core(0, *per_group, STALL_BASE) == base);
	return gpu->eu_stall.unit.n_cores;
}

static void walker_is_sampled_on_each_xe_core(void)
{
	static const char *const gpus[] = { "lnl", "bmg", "ptl" };
	static const unsigned int cores[] = { 8, 20, 12 };
	unsigned int i, core, per_group;

	for (i = 0; i < ARRAY_SIZE(gpus); i++) {
		u64 records = 0;

		CHECK(begin_stalls(gpus[i], &per_group) == cores[i]);
		run_walker(0, 1000);
		for (core = 0; core < cores[i]; core++) {
			u32 written = read_core(core, per_group, STALL_REPORT) >> 2;
			const u8 *part = memory + ((STALL_BUFFER + core * STALL_PART) & 0xffffff);

			CHECK(written >= 3);
			CHECK((*(const u32 *)part & 0x1fffffff) == 8); /* the first instruction */
			CHECK(part[14] == 1); /* the end flag */
			records += written;
			write_core(core, per_group, STALL_REPORT1, 0xfffc0000 | written << 2);
			CHECK(read_core(core, per_group, STALL_REPORT1) == written << 2);
		}
		CHECK(read_core(cores[i], per_group, STALL_BASE) == 0);
		for (core = 0; core < cores[i]; core++)
			records -= gpu->eu_stall.unit.cores[core].written;
		CHECK(!records);
		CHECK(gpu->statistics.faults == 0);
		gpu_free();
	}
}

static void stall_registers_are_zero_after_a_reset(void)
{
	static const struct {
		u32 bit;
		bool affects;
	} resets[] = { { BIT(0), true }, { BIT(1), true }, { BIT(4), true }, { BIT(2), false } };
	unsigned int i, per_group;

	for (i = 0; i < ARRAY_SIZE(resets); i++) {
		begin_stalls("lnl", &per_group);
		vgpu_mmio_write(gpu, 0x941c, resets[i].bit);
		CHECK(!read_core(3, per_group, STALL_BASE) == resets[i].affects);
		gpu_free();
	}
}

static void stall_requests_inject_faults(void)
{
	struct seq_file m = { .file = fopen("/dev/null", "w") };
	unsigned int per_group;

	begin_stalls("lnl", &per_group);
	CHECK(!vgpu_eu_stall_request(gpu, "lose 2", &m));
	run_walker(0, 1000);
	CHECK(gpu->eu_stall.unit.cores[0].dropped == 2);
	CHECK(read_core(0, per_group, STALL_REPORT) & BIT(1));
	CHECK(!vgpu_eu_stall_request(gpu, "clear", &m));
	CHECK(!gpu->eu_stall.unit.cores[0].dropped);
	CHECK(!vgpu_eu_stall_request(gpu, "pause 1", &m));
	run_walker(1, 1000);
	CHECK(!gpu->eu_stall.unit.cores[1].written && gpu->eu_stall.unit.kernels == 1);
	CHECK(!vgpu_eu_stall_request(gpu, "pause 0", &m));
	run_walker(2, 1000);
	CHECK(gpu->eu_stall.unit.cores[1].written);
	CHECK(!vgpu_eu_stall_request(gpu, "reset", &m));
	CHECK(!read_core(0, per_group, STALL_BASE));
	CHECK(vgpu_eu_stall_request(gpu, "no such request", &m) == -EINVAL);
	gpu_free();
	gpu_create("mtl");
	CHECK(vgpu_eu_stall_request(gpu, "", &m) == -ENODEV);
	gpu_free();
	fclose(m.file);
}

/* ---- configuration space ------------------------------------------------------------------ */

enum { CONFIG_WRITE = 2, CONFIG_READ, BAR_WRITE, BAR_READ, BUS_RESET = 7 };

/* Send a message of QEMU, and return the answer. */
static u64 proxy(int command, const void *payload, u64 size)
{
	const struct {
		s32 command;
		u32 pad;
		u64 size;
	} header = { .command = command, .size = size };
	u64 answer[3] = {};
	int pair[2];

	if (socketpair(AF_UNIX, SOCK_STREAM, 0, pair))
		abort();
	CHECK(write(pair[0], &header, sizeof(header)) == sizeof(header));
	CHECK(write(pair[0], payload, size) == (ssize_t)size);
	CHECK(!vgpu_proxy_serve(gpu, pair[1]));
	CHECK(read(pair[0], answer, sizeof(answer)) == sizeof(answer));
	close(pair[0]);
	close(pair[1]);

	return answer[2];
}

static void config_write(u32 at, u32 value)
{
	const u32 message[] = { at, value, 4 };

	proxy(CONFIG_WRITE, message, sizeof(message));
}

static u32 config_read(u32 at)
{
	const u32 message[] = { at, 0, 4 };

	return proxy(CONFIG_READ, message, sizeof(message));
}

static u64 bar_read(u64 address)
{
	const u64 message[] = { address, 0, 4 };

	return proxy(BAR_READ, message, sizeof(message));
}

/* Return what the GPU wrote to QEMU's test protocol. */
static const char *written_to_qemu(int qtest)
{
	static char text[512];
	ssize_t size = read(qtest, text, sizeof(text) - 1);

	text[size > 0 ? size : 0] = '\0';

	return text;
}

/* The sizes are those that QEMU and then the guest find by writing ones. */
static void local_memory_has_a_64_bit_bar_that_qemu_does_not_see(void)
{
	int qtest[2];

	gpu_create("bmg");
	vgpu_pci_init(gpu);
	config_write(0x18, ~0U);
	config_write(0x1c, ~0U);
	CHECK(!config_read(0x18) && !config_read(0x1c));
	proxy(BUS_RESET, NULL, 0);
	config_write(0x18, ~0U);
	config_write(0x1c, ~0U);
	CHECK(config_read(0x18) == (0xc0000000 | 0xc) && config_read(0x1c) == ~0U);

	if (pipe2(qtest, O_NONBLOCK))
		abort();
	close(gpu->pci.messages);
	gpu->pci.messages = qtest[1];
	config_write(0x10, 0xc0000000);
	config_write(0x18, 0x40000000);
	config_write(0x1c, 0x2);
	bar_read(0xc0000000);
	CHECK(!written_to_qemu(qtest[0])[0]); /* the guest has not enabled its BARs yet */
	config_write(0x4, 0x2);
	CHECK(!written_to_qemu(qtest[0])[0]);
	bar_read(0xc0000000);
	CHECK(!strcmp(written_to_qemu(qtest[0]), "writew 0xb0008004 0\n"
						 "writel 0xb0008018 0x40000000\n"
						 "writel 0xb000801c 0x2\n"
						 "writew 0xb0008004 0x2\n"));
	bar_read(0xc0000000);
	CHECK(!written_to_qemu(qtest[0])[0]);
	close(qtest[0]);
	gpu_free();

	/* Stolen memory has a BAR that QEMU sees at once. */
	gpu_create("lnl");
	vgpu_pci_init(gpu);
	config_write(0x18, ~0U);
	config_write(0x1c, ~0U);
	CHECK(config_read(0x18) == (0xf0000000 | 0x8) && !config_read(0x1c));
	proxy(BUS_RESET, NULL, 0);
	CHECK(config_read(0x18) == (0xf0000000 | 0x8));
	gpu_free();
}

/* Find a capability in the configuration space. Return its offset, or 0. */
static u32 find_capability(u32 id)
{
	u32 at = config_read(0x34) & 0xff;

	while (at && (config_read(at) & 0xff) != id)
		at = config_read(at) >> 8 & 0xff;

	return at;
}

static void xe2_gpus_enter_d3hot(void)
{
	static const char *const gpus[] = { "lnl", "bmg", "ptl" };
	u32 i, at;

	for (i = 0; i < ARRAY_SIZE(gpus); i++) {
		gpu_create(gpus[i]);
		vgpu_pci_init(gpu);
		at = find_capability(1);
		CHECK(find_capability(5) && at && config_read(at) >> 16 == 3);
		CHECK(config_read(at + 4) == 8); /* D0, without a reset when it leaves D3hot */
		config_write(at + 4, ~0U);
		CHECK(config_read(at + 4) == (8 | 3));
		config_write(at + 4, 0);
		CHECK(config_read(at + 4) == 8);
		config_write(at + 4, 3);
		proxy(BUS_RESET, NULL, 0);
		CHECK(config_read(at + 4) == 8);
		gpu_free();
	}
	gpu_create("tgl");
	vgpu_pci_init(gpu);
	CHECK(find_capability(5) && !find_capability(1));
	gpu_free();
}

int main(void)
{
	RUN(batches_run_on_each_engine);
	RUN(batches_run_without_the_guc);
	RUN(rings_of_haswell_run);
	RUN(waiting_context_yields_to_another_one);
	RUN(page_fault_is_repeated_after_the_answer);
	RUN(unmapped_address_resets_the_context_before_xe2);
	RUN(local_memory_is_selected_by_page_table_entries);
	RUN(compact_page_tables_map_64_kib);
	RUN(guc_interrupts_have_an_identity);
	RUN(reset_affects_its_gt_alone);
	RUN(hwconfig_describes_the_gpu);
	RUN(wopcm_registers_are_locked_by_the_first_write);
	RUN(forcewake_and_frequencies_are_those_of_each_gt);
	RUN(commands_of_drivers_have_their_effect);
	RUN(batch_triggers_a_report_if_the_driver_lets_it);
	RUN(blits_cross_pages);
	RUN(walker_is_sampled_on_each_xe_core);
	RUN(stall_registers_are_zero_after_a_reset);
	RUN(stall_requests_inject_faults);
	RUN(local_memory_has_a_64_bit_bar_that_qemu_does_not_see);
	RUN(xe2_gpus_enter_d3hot);
	return tap_end();
}
