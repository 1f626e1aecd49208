/* SPDX-License-Identifier: MIT */
/*
 * platform.h - table of the GPUs that can be served to a guest.
 */
#ifndef VGPU_PLATFORM_H
#define VGPU_PLATFORM_H

#include "vgpu/model/env.h"

#include "mmio.h"

struct sim_cs_model;
struct vgpu_context_layout;
struct vgpu_engine_class;
struct vgpu_irq_ops;
struct vgpu_submission;

#define VGPU_MAX_TABLES 8
/* Maximum number of GuCs: one of the render GT, and one of the media GT */
#define VGPU_MAX_GUCS 2

/**
 * struct vgpu_platform - a GPU that can be served
 * @name: name on the command line
 * @model: name of the device model's platform, which has the device id, topology and clocks
 * @gen: graphics generation
 * @version: version of the graphics, times 100
 * @bar0: size of the first BAR in bytes
 * @gtt: offset of the global page table in the first BAR
 * @gmch: GMCH control in configuration space: size of the page table, no stolen memory
 * @tables: tables of the GPU's registers; each ends with {}
 * @overrides: registers that replace those of the device model; ends with {}
 * @engines: engines of the GPU; ends with {}
 * @irq: interrupt registers of the GPU
 * @submission: method of submission to the engines
 * @cs: the command streamer
 * @layout: layout of context images
 * @levels: levels of a context's page tables, gen8 and later
 * @vram: size of the memory in the second BAR: local memory, or stolen memory of an integrated GPU;
 *   0: none, and the second BAR is the aperture
 * @discrete: page tables are in @vram
 * @n_gucs: number of GTs, each with a GuC; 0 if there is no GuC
 */
struct vgpu_platform {
	const char *name;
	const char *model;
	unsigned int gen;
	unsigned int version;
	u32 bar0;
	u32 gtt;
	u16 gmch;
	const struct vgpu_rule *tables[VGPU_MAX_TABLES];
	const struct vgpu_rule *overrides;
	const struct vgpu_engine_class *engines;
	const struct vgpu_irq_ops *irq;
	const struct vgpu_submission *submission;
	const struct sim_cs_model *cs;
	const struct vgpu_context_layout *layout;
	unsigned int levels;
	u64 vram;
	bool discrete;
	unsigned int n_gucs;
};

const struct vgpu_platform *vgpu_platform_find(const char *name);
const char *vgpu_platform_name(unsigned int index);

#endif /* VGPU_PLATFORM_H */
