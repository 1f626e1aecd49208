// SPDX-License-Identifier: MIT
/*
 * power.c - RC6: the GPU sleeps when it may and nobody needs it.
 */
#include "carrier.h"
#include "engine.h"
#include "vgpu/model/gpu.h"
#include "power.h"
#include "registers.h"
#include "vgpu.h"

#define RC_CONTROL_RC6 BIT(18)
#define RC6_UNIT_NS 1280

static bool anybody_awake(struct vgpu *vgpu)
{
	static const u32 wakes[] = {
		GEN7_FORCEWAKE,
		GEN9_FORCEWAKE_MEDIA,
		GEN9_FORCEWAKE_RENDER,
		GEN11_FORCEWAKE_MEDIA_VDBOX,
		GEN11_FORCEWAKE_MEDIA_VDBOX + 4,
		GEN11_FORCEWAKE_MEDIA_VDBOX + 8,
		GEN11_FORCEWAKE_MEDIA_VDBOX + 12,
		GEN11_FORCEWAKE_MEDIA_VEBOX,
		GEN11_FORCEWAKE_MEDIA_VEBOX + 4,
	};
	unsigned int i;

	for (i = 0; i < ARRAY_SIZE(wakes); i++)
		if (*vgpu_reg(vgpu, wakes[i]) & 0xffff)
			return true;
	for (i = 0; i < vgpu->n_engines; i++)
		if (!vgpu_engine_is_idle(&vgpu->engines[i]))
			return true;

	return false;
}

/**
 * vgpu_power_update - let the GPU fall asleep if it may and nobody needs it, or wake up
 * @vgpu: the GPU
 */
void vgpu_power_update(struct vgpu *vgpu)
{
	bool asleep = *vgpu_reg(vgpu, GEN6_RC_CONTROL) & RC_CONTROL_RC6 && !anybody_awake(vgpu);
	struct vgpu_sleep *sleep = &vgpu->sleep;

	if (asleep == sleep->asleep)
		return;
	sleep->asleep = asleep;
	if (asleep) {
		sleep->since = vgpu_time_cpu();
		sim_gpu_put(&vgpu->gpu);
	} else {
		sleep->residency_ns += vgpu_time_cpu() - sleep->since;
		sim_gpu_get(&vgpu->gpu);
	}
}

static u32 residency_read(struct vgpu *vgpu, const struct vgpu_rule *rule, u32 reg)
{
	u64 ns = vgpu->sleep.residency_ns;

	if (vgpu->sleep.asleep)
		ns += vgpu_time_cpu() - vgpu->sleep.since;

	return ns / RC6_UNIT_NS;
}

const struct vgpu_behaviour vgpu_residency = { .read = residency_read };
