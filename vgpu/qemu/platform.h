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

/**
 * struct vgpu_platform - a GPU that can be served
 * @name: name on the command line
 * @model: name of the device model's platform, which has the device id, topology and clocks
 * @gen: graphics generation
 * @bar0: size of the first BAR in bytes
 * @gtt: offset of the global page table in the first BAR
 * @gmch: GMCH control in configuration space: size of the page table, no stolen memory
 * @tables: its registers, each table ends with {}
 * @overrides: registers that replace those of the device model; ends with {}
 * @engines: its engines, ends with {}
 * @irq: its interrupt registers
 * @submission: its method of submission
 * @cs: the command streamer
 * @layout: layout of context images
 */
struct vgpu_platform {
	const char *name;
	const char *model;
	unsigned int gen;
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
};

const struct vgpu_platform *vgpu_platform_find(const char *name);
const char *vgpu_platform_name(unsigned int index);

#endif /* VGPU_PLATFORM_H */
