// SPDX-License-Identifier: MIT
/*
 * reset.c - resets of engines, and of all of the GPU.
 */
#include "engines.h"
#include "vgpu/model/gpu.h"
#include "registers.h"
#include "reset.h"
#include "vgpu.h"

#define GDRST_ALL BIT(0)

/* A bit for each engine that is to be reset; all read as 0 when that is done. */
static void gdrst_write(struct vgpu *vgpu, const struct vgpu_rule *rule, u32 reg, u32 value)
{
	unsigned int i;

	vgpu_log(vgpu, "reset %#x\n", value);
	for (i = 0; i < vgpu->n_engines; i++)
		if (value & (GDRST_ALL | vgpu->engines[i].class->reset))
			vgpu_engine_reset(&vgpu->engines[i]);
	if (value & GDRST_ALL)
		sim_gpu_reset(&vgpu->gpu);
}

const struct vgpu_behaviour vgpu_gdrst = { .write = gdrst_write };
