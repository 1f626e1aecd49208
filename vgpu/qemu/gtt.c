// SPDX-License-Identifier: MIT
/*
 * gtt.c - page tables: where an address of the GPU leads in the guest's memory.
 */
#include "gtt.h"
#include "memory.h"
#include "registers.h"
#include "vgpu.h"

/*
 * Entries of gen6 to Haswell have 32 bits: valid, and bits 39:32 of the address in 11:4. Later ones
 * have 64 bits: present, and the address in place. The global page table lies in the first BAR.
 *
 * Haswell's other address space is a table of a table, whose upper one is part of the global page
 * table. Later, each context has one with four levels. A directory may point to a page of 2 MiB, or
 * to a table of pages of 64 KiB.
 */
#define PTE_VALID BIT(0)
#define ADDRESS_MASK GENMASK_ULL(46, 12)

#define N_GLOBAL_PAGES 0x100000000ULL >> 12

static void *gen7_page(struct vgpu *vgpu, u32 pte, u32 offset)
{
	if (!(pte & PTE_VALID))
		return NULL;
	return vgpu_memory_at(vgpu, (pte & GENMASK(31, 12)) | (u64)(pte & 0x7f0) << 28 | offset, 4);
}

static u64 global_entry(struct vgpu *vgpu, u64 page)
{
	u32 size = vgpu->gtt_size;
	u64 pte = 0;

	if (vgpu->platform->gen < 8) {
		if (page < size / sizeof(u32))
			memcpy(&pte, vgpu->gtt + page * sizeof(u32), sizeof(u32));
	} else if (page < size / sizeof(u64)) {
		memcpy(&pte, vgpu->gtt + page * sizeof(u64), sizeof(u64));
	}

	return pte;
}

/**
 * vgpu_ggtt - where an address of the global address space leads
 * @vgpu: the GPU
 * @address: of a dword
 *
 * Return: the dword; NULL: nothing is there
 */
u32 *vgpu_ggtt(struct vgpu *vgpu, u64 address)
{
	u64 pte = global_entry(vgpu, address >> 12);
	u32 offset = address & 0xffc;

	if (vgpu->platform->gen < 8)
		return gen7_page(vgpu, pte, offset);
	if (!(pte & PTE_VALID))
		return NULL;
	return vgpu_memory_at(vgpu, (pte & ADDRESS_MASK) | offset, 4);
}

static u32 *gen7_ppgtt(struct vgpu_engine *engine, u64 address)
{
	struct vgpu *vgpu = engine->vgpu;
	u32 base = *vgpu_reg(vgpu, engine->base + RING_PP_DIR_BASE) >> 16;
	u32 pde = global_entry(vgpu, base * (64 / sizeof(u32)) + (address >> 22)), *pte;

	if (address >> 31 || !(pde & PTE_VALID))
		return NULL;
	pte = vgpu_memory_at(
		vgpu, (pde & GENMASK(31, 12)) | (u64)(pde & 0xff0) << 28 | (address >> 10 & 0xffc),
		4);

	return pte ? gen7_page(vgpu, *pte, address & 0xffc) : NULL;
}

#define PDE_LARGE BIT(7)
#define PDE_64K BIT(11)

static u64 table_entry(struct vgpu *vgpu, u64 table, unsigned int index)
{
	const u64 *entry =
		vgpu_memory_at(vgpu, (table & ADDRESS_MASK) | index * sizeof(u64), sizeof(u64));

	return entry && *entry & PTE_VALID ? *entry : 0;
}

static u32 *gen8_ppgtt(struct vgpu_engine *engine, u64 address)
{
	struct vgpu *vgpu = engine->vgpu;
	u64 entry = engine->page_table, in_page = SZ_4K - 4;
	unsigned int shift, index;

	for (shift = 39; shift >= 12; shift -= 9) {
		index = address >> shift & 0x1ff;
		if (shift == 12 && entry & PDE_64K) {
			in_page = SZ_64K - 4;
			index &= ~15U;
		}
		entry = table_entry(vgpu, entry, index);
		if (!entry)
			return NULL;
		if (shift == 21 && entry & PDE_LARGE) {
			in_page = SZ_2M - 4;
			break;
		}
	}

	return vgpu_memory_at(vgpu, (entry & ADDRESS_MASK & ~in_page) | (address & in_page), 4);
}

/**
 * vgpu_ppgtt - where an address of the present context's own address space leads
 * @engine: the engine that it runs on
 * @address: of a dword
 *
 * Return: the dword; NULL: nothing is there
 */
u32 *vgpu_ppgtt(struct vgpu_engine *engine, u64 address)
{
	if (engine->vgpu->platform->gen < 8)
		return gen7_ppgtt(engine, address);

	return gen8_ppgtt(engine, address & GENMASK_ULL(47, 0));
}
