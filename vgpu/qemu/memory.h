/* SPDX-License-Identifier: MIT */
/*
 * memory.h - guest memory, local memory, the GGTT and its sharing with QEMU, and page tables of
 * contexts.
 */
#ifndef _VGPU_MEMORY_H
#define _VGPU_MEMORY_H

#include "vgpu/model/env.h"

struct vgpu;
struct vgpu_engine;

#define VGPU_MAX_REGIONS 8

/**
 * struct vgpu_region - a region of the guest's memory
 * @address: guest physical address
 * @size: size in bytes
 * @memory: address in this process
 * @fd: file of the memory
 * @offset: offset in the file
 */
struct vgpu_region {
	u64 address;
	u64 size;
	u8 *memory;
	int fd;
	s64 offset;
};

/**
 * struct vgpu_memory - the guest's memory
 * @regions: regions of the memory
 * @n_regions: number of regions
 */
struct vgpu_memory {
	struct vgpu_region regions[VGPU_MAX_REGIONS];
	unsigned int n_regions;
};

void vgpu_memory_add(struct vgpu *vgpu, const struct vgpu_region *region);
void vgpu_memory_clear(struct vgpu *vgpu);

/*
 * PCI slots of the ivshmem devices that expose the global page table, and the local memory.
 * Firmware assigns addresses in the order of slots. QEMU offers 64-bit addresses to the guest from
 * the first BAR on that it decodes, so the BAR with local memory must precede the GPU's.
 */
#define VGPU_WINDOW_SLOT 0x1e
#define VGPU_VRAM_SLOT 0x01

int vgpu_memory_create(const char *name, u64 size);
int vgpu_ggtt_bar_open(struct vgpu *vgpu, int fd);
void vgpu_ggtt_bar_missed(struct vgpu *vgpu, u32 address);

int vgpu_vram_open(struct vgpu *vgpu, int fd);
void *vgpu_vram_at(struct vgpu *vgpu, u64 address, u64 size);
void vgpu_vram_missed(struct vgpu *vgpu, u64 address);
void vgpu_vram_decode(struct vgpu *vgpu, u64 address);

u32 *vgpu_ggtt(struct vgpu *vgpu, u64 address);
u32 *vgpu_ppgtt(struct vgpu_engine *engine, u64 address);

#define VGPU_N_MAPPINGS 4

/**
 * struct vgpu_mapping - a contiguous mapping of a part of the GGTT
 * @memory: address in this process, NULL if unused
 * @size: size in bytes
 */
struct vgpu_mapping {
	u8 *memory;
	u64 size;
};

/**
 * struct vgpu_mappings - mappings of the GGTT
 * @last: the most recent ones
 * @next: index of the next one to replace
 */
struct vgpu_mappings {
	struct vgpu_mapping last[VGPU_N_MAPPINGS];
	unsigned int next;
};

u8 *vgpu_map_ggtt(struct vgpu *vgpu, u64 address, u64 size);

#endif /* _VGPU_MEMORY_H */
