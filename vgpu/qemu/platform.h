/* SPDX-License-Identifier: MIT */
/*
 * platform.h - the GPUs that can be served to a guest.
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
 * @name: on the command line
 * @model: name of the OA model's platform, which also has device id, topology and clocks
 * @gen: generation of the graphics
 * @bar0: bytes of the first BAR
 * @gtt: where in it the global page table is
 * @gmch: GMCH control in configuration space: size of the page table, no stolen memory
 * @tables: its registers, each table ends with {}
 * @overrides: registers that the model would answer for and does not know; ends with {}
 * @engines: its engines, ends with {}
 * @irq: how interrupts are told
 * @submission: how work comes to the engines
 * @cs: the command streamer
 * @layout: what an image of a context holds
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
