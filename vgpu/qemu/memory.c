// SPDX-License-Identifier: MIT
/*
 * memory.c - guest memory, local memory, the GGTT and its sharing with QEMU, and page tables of
 * contexts.
 */
#include <errno.h>
#include <fcntl.h>
#include <sys/mman.h>
#include <unistd.h>

#include "memory.h"
#include "registers.h"
#include "vgpu.h"

/**
 * vgpu_memory_clear() - Unmap the guest's memory.
 * @vgpu: the GPU
 */
void vgpu_memory_clear(struct vgpu *vgpu)
{
	struct vgpu_memory *memory = &vgpu->memory;

	while (memory->n_regions) {
		struct vgpu_region *region = &memory->regions[--memory->n_regions];

		munmap(region->memory, region->size);
		close(region->fd);
	}
}

/**
 * vgpu_memory_add() - Map a region of the guest's memory.
 * @vgpu: the GPU
 * @region: location of the region; takes ownership of the file
 *
 * Regions that cannot be mapped are skipped: those are read-only, and the GPU does not need them.
 */
void vgpu_memory_add(struct vgpu *vgpu, const struct vgpu_region *region)
{
	struct vgpu_memory *memory = &vgpu->memory;
	void *mapped = MAP_FAILED;

	if (memory->n_regions < VGPU_MAX_REGIONS)
		mapped = mmap(NULL, region->size, PROT_READ | PROT_WRITE, MAP_SHARED, region->fd,
			      region->offset);
	if (mapped == MAP_FAILED) {
		close(region->fd);
		return;
	}
	memory->regions[memory->n_regions] = *region;
	memory->regions[memory->n_regions++].memory = mapped;
}

/**
 * vgpu_memory_at() - Translate a guest physical address.
 * @vgpu: the GPU
 * @address: guest physical address
 * @size: size in bytes
 *
 * Return: address in this process, or NULL if there is no such memory
 */
static void *vgpu_memory_at(struct vgpu *vgpu, u64 address, u64 size)
{
	const struct vgpu_region *region = vgpu->memory.regions;
	unsigned int i;

	for (i = 0; i < vgpu->memory.n_regions; i++, region++)
		if (address >= region->address && address + size <= region->address + region->size)
			return region->memory + (address - region->address);

	return NULL;
}

/*
 * The global page table is a memory file, which QEMU also exposes as the BAR of an ivshmem device.
 * When the guest's accesses to the table arrive as messages, that BAR is moved over the table's
 * part of the GPU's BAR: of two BARs at the same address, QEMU maps the one that was moved last.
 * The BAR is moved by QEMU's test protocol, which writes the ivshmem device's configuration space
 * as the guest could. The guest's kernel assumes the BAR elsewhere and has no driver for it. If the
 * guest moves either BAR, accesses arrive as messages again, and the ivshmem BAR is moved again.
 *
 * The same is done for the GPU's second BAR if it shows stolen memory. If it shows local memory,
 * accesses never arrive as messages (pci.c): the other BAR is moved when the driver accesses a
 * register.
 *
 * The address of the configuration space is that of firmware for q35. On other machines the writes
 * have no effect, and each access remains a message.
 */
#define CONFIG_SPACE(slot) (0xb0000000U + ((slot) << 15))
#define WINDOW_COMMAND(slot) (CONFIG_SPACE(slot) + 0x04)
#define WINDOW_BAR2(slot) (CONFIG_SPACE(slot) + 0x18)
#define COMMAND_MEMORY 0x2

/*
 * Number of messages after which the BAR is moved. Moving it for a few messages would not be worth
 * the time.
 */
#define PATIENCE 16

/**
 * vgpu_memory_create() - Create memory that can be shared with QEMU.
 * @name: name of the memory, for the host's tools
 * @size: size in bytes
 *
 * Return: its file descriptor, or a negative errno
 */
int vgpu_memory_create(const char *name, u64 size)
{
	int fd = memfd_create(name, 0), ret;

	if (fd < 0)
		return -errno;
	if (!ftruncate(fd, size))
		return fd;
	ret = -errno;
	close(fd);

	return ret;
}

/**
 * vgpu_ggtt_bar_open() - Map the global page table.
 * @vgpu: the GPU
 * @fd: file descriptor of the table
 *
 * Return: 0 or a negative errno
 */
int vgpu_ggtt_bar_open(struct vgpu *vgpu, int fd)
{
	vgpu->gtt_size = vgpu->platform->bar0 - vgpu->platform->gtt;
	vgpu->gtt = mmap(NULL, vgpu->gtt_size, PROT_READ | PROT_WRITE, MAP_SHARED, fd, 0);

	return vgpu->gtt == MAP_FAILED ? -errno : 0;
}

/* Move the BAR of @slot to @address. */
static void move_bar(struct vgpu *vgpu, u32 slot, u64 address)
{
	if (dprintf(vgpu->pci.messages,
		    "writew %#x 0\nwritel %#x %#x\nwritel %#x %#x\nwritew %#x %#x\n",
		    WINDOW_COMMAND(slot), WINDOW_BAR2(slot), lower_32_bits(address),
		    WINDOW_BAR2(slot) + 4, upper_32_bits(address), WINDOW_COMMAND(slot),
		    COMMAND_MEMORY) < 0)
		vgpu_log(vgpu, "the BAR of device %#x does not move\n", slot);
}

/* Count an access that arrived as a message, and move the BAR of @slot to @address. */
static void bar_missed(struct vgpu *vgpu, u64 *messages, u32 slot, u64 address)
{
	if (++*messages % PATIENCE == 0)
		move_bar(vgpu, slot, address);
}

/**
 * vgpu_ggtt_bar_missed() - Handle an access to the table that arrived as a message.
 * @vgpu: the GPU
 * @address: address of the table in the guest
 */
void vgpu_ggtt_bar_missed(struct vgpu *vgpu, u32 address)
{
	bar_missed(vgpu, &vgpu->gtt_messages, VGPU_WINDOW_SLOT, address);
}

/**
 * vgpu_vram_open() - Map the local or stolen memory, if the platform has any.
 * @vgpu: the GPU
 * @fd: file descriptor of the memory
 *
 * Return: 0 or a negative errno
 */
int vgpu_vram_open(struct vgpu *vgpu, int fd)
{
	struct vgpu_region *vram = &vgpu->vram;

	if (!vgpu->platform->vram)
		return 0;
	vram->size = vgpu->platform->vram;
	vram->fd = fd;
	vram->memory = mmap(NULL, vram->size, PROT_READ | PROT_WRITE, MAP_SHARED, fd, 0);

	return vram->memory == MAP_FAILED ? -errno : 0;
}

/**
 * vgpu_vram_at() - Translate an address of local memory.
 * @vgpu: the GPU
 * @address: offset in local memory
 * @size: size in bytes
 *
 * Return: address in this process, or NULL if there is no such memory
 */
void *vgpu_vram_at(struct vgpu *vgpu, u64 address, u64 size)
{
	return address + size <= vgpu->vram.size ? vgpu->vram.memory + address : NULL;
}

/**
 * vgpu_vram_missed() - Handle an access to stolen memory that arrived as a message.
 * @vgpu: the GPU
 * @address: address of the memory in the guest
 */
void vgpu_vram_missed(struct vgpu *vgpu, u64 address)
{
	bar_missed(vgpu, &vgpu->vram_messages, VGPU_VRAM_SLOT, address);
}

/**
 * vgpu_vram_decode() - Have QEMU decode local memory at an address.
 * @vgpu: the GPU
 * @address: address of the memory in the guest
 */
void vgpu_vram_decode(struct vgpu *vgpu, u64 address)
{
	if (vgpu->vram.address == address)
		return;
	vgpu->vram.address = address;
	move_bar(vgpu, VGPU_VRAM_SLOT, address);
}

/*
 * Page table entries of gen6 to Haswell have 32 bits: valid, and bits 39:32 of the address in 11:4.
 * Later entries have 64 bits: present, and the address in place. The global page table is part of
 * the first BAR. Haswell's per-process address space has two levels, with the directory in the
 * global page table. Later, each context has a table of four levels; from Xe2 on, of five. A
 * directory entry may point to a page of 2 MiB or 1 GiB, or to a table of 64 KiB pages. A bit of a
 * page's entry selects local or stolen memory. Page tables of a discrete GPU are in local memory.
 */
#define PTE_VALID BIT(0)
#define PTE_NULL BIT(9)
#define GGTT_PTE_VRAM BIT(1)
#define PPGTT_PTE_VRAM BIT(11)
#define ADDRESS_MASK GENMASK_ULL(46, 12)

#define N_GLOBAL_PAGES 0x100000000ULL >> 12

static void *gen7_page(struct vgpu *vgpu, u32 pte, u32 offset)
{
	if (!(pte & PTE_VALID))
		return NULL;
	return vgpu_memory_at(vgpu, (pte & GENMASK(31, 12)) | (u64)(pte & 0x7f0) << 28 | offset, 4);
}

/* Get the address in this process of guest memory or, with @vram, of local memory. */
static void *gpu_memory_at(struct vgpu *vgpu, u64 address, u64 size, bool vram)
{
	if (vram && vgpu->platform->vram)
		return vgpu_vram_at(vgpu, address, size);

	return vgpu_memory_at(vgpu, address, size);
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
 * vgpu_ggtt() - Translate an address of the global address space.
 * @vgpu: the GPU
 * @address: address of a dword
 *
 * Return: the dword, or NULL if it is not mapped
 */
u32 *vgpu_ggtt(struct vgpu *vgpu, u64 address)
{
	u64 pte = global_entry(vgpu, address >> 12);
	u32 offset = address & 0xffc;

	if (vgpu->platform->gen < 8)
		return gen7_page(vgpu, pte, offset);
	if (!(pte & PTE_VALID))
		return NULL;
	return gpu_memory_at(vgpu, (pte & ADDRESS_MASK) | offset, 4, pte & GGTT_PTE_VRAM);
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
#define PDE_COMPACT BIT(6) /* DG2, Xe2: the entry's table has 32 entries of 64 KiB */

static u64 table_entry(struct vgpu *vgpu, u64 table, unsigned int index)
{
	const u64 *entry = gpu_memory_at(vgpu, (table & ADDRESS_MASK) | index * sizeof(u64),
					 sizeof(u64), vgpu->platform->discrete);

	return entry && *entry & PTE_VALID ? *entry : 0;
}

/* A page that reads as zeros and ignores writes */
static u32 *null_page(u64 address)
{
	static u32 page[SZ_4K / sizeof(u32)];

	memset(page, 0, sizeof(page));

	return page + (address & (SZ_4K - 1)) / sizeof(u32);
}

static u32 *gen8_ppgtt(struct vgpu_engine *engine, u64 address)
{
	struct vgpu *vgpu = engine->vgpu;
	u64 entry = engine->page_table, in_page = SZ_4K - 4;
	unsigned int levels = vgpu->platform->levels ?: 4, shift, index;
	bool compact = levels == 5 || vgpu->platform->discrete;

	for (shift = 12 + 9 * (levels - 1); shift >= 12; shift -= 9) {
		index = address >> shift & 0x1ff;
		if (shift == 12 && entry & PDE_64K) {
			in_page = SZ_64K - 4;
			index &= ~15U;
		} else if (shift == 12 && compact && entry & PDE_COMPACT) {
			in_page = SZ_64K - 4;
			index >>= 4;
		}
		entry = table_entry(vgpu, entry, index);
		if (!entry)
			return NULL;
		if (entry & PTE_NULL && levels == 5)
			return null_page(address);
		if (shift == 30 && entry & PDE_LARGE) {
			in_page = SZ_1G - 4;
			break;
		}
		if (shift == 21 && entry & PDE_LARGE) {
			in_page = SZ_2M - 4;
			break;
		}
	}

	return gpu_memory_at(vgpu, (entry & ADDRESS_MASK & ~in_page) | (address & in_page), 4,
			     entry & PPGTT_PTE_VRAM);
}

/**
 * vgpu_ppgtt() - Translate an address of the current context's address space.
 * @engine: the engine
 * @address: address of a dword
 *
 * Return: the dword, or NULL if it is not mapped
 */
u32 *vgpu_ppgtt(struct vgpu_engine *engine, u64 address)
{
	if (engine->vgpu->platform->gen < 8)
		return gen7_ppgtt(engine, address);

	return gen8_ppgtt(engine, address & GENMASK_ULL(47, 0));
}

/* Get the region of guest memory that includes the mapped page @page. */
static const struct vgpu_region *region_of(const struct vgpu *vgpu, const u8 *page)
{
	const struct vgpu_region *region = vgpu->memory.regions;
	unsigned int i;

	for (i = 0; i < vgpu->memory.n_regions; i++, region++)
		if (page >= region->memory && page < region->memory + region->size)
			return region;
	region = &vgpu->vram;
	if (page >= region->memory && page < region->memory + region->size)
		return region;

	return NULL;
}

/* Map @size bytes at @page a second time, at @where. */
static bool map_run(const struct vgpu *vgpu, u8 *where, const u8 *page, u64 size)
{
	const struct vgpu_region *region = region_of(vgpu, page);

	return region && mmap(where, size, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_FIXED,
			      region->fd, region->offset + (page - region->memory)) != MAP_FAILED;
}

/*
 * Get the number of bytes from @address on, at most @size, that are also contiguous in this
 * process.
 */
static u64 mapped_run(struct vgpu *vgpu, u64 address, u64 size)
{
	const u8 *first = (u8 *)vgpu_ggtt(vgpu, address);
	u64 run = SZ_4K;

	while (run < size && (u8 *)vgpu_ggtt(vgpu, address + run) == first + run)
		run += SZ_4K;

	return run;
}

/**
 * vgpu_map_ggtt() - Map a part of the GGTT contiguously.
 * @vgpu: the GPU
 * @address: GPU address
 * @size: size in bytes, a multiple of a page
 *
 * A mapping is valid until VGPU_N_MAPPINGS newer ones have been created.
 *
 * Return: address in this process, or NULL if a page is not mapped
 */
u8 *vgpu_map_ggtt(struct vgpu *vgpu, u64 address, u64 size)
{
	struct vgpu_mappings *mappings = &vgpu->mappings;
	struct vgpu_mapping *mapping = &mappings->last[mappings->next];
	u64 in_page = address % SZ_4K, done, run;

	address -= in_page;
	size += in_page ? SZ_4K : 0;
	mappings->next = (mappings->next + 1) % VGPU_N_MAPPINGS;
	if (mapping->memory)
		munmap(mapping->memory, mapping->size);
	mapping->size = size;
	mapping->memory = mmap(NULL, size, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
	if (mapping->memory == MAP_FAILED)
		goto fail;
	for (done = 0; done < size; done += run) {
		const u8 *page = (u8 *)vgpu_ggtt(vgpu, address + done);

		if (!page)
			goto unmap;
		run = mapped_run(vgpu, address + done, size - done);
		if (!map_run(vgpu, mapping->memory + done, page, run))
			goto unmap;
	}

	return mapping->memory + in_page;
unmap:
	munmap(mapping->memory, size);
fail:
	mapping->memory = NULL;
	return NULL;
}
