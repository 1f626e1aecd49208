# SPDX-License-Identifier: GPL-2.0-only
# Source files of the device model, for the kernel module and for programs
SIM_MODEL := buffer cs gpu mmio oa platforms workload select timeline reference
SIM_MODEL += gen7 gen8 gen12 oam xe2

# Those only used by programs: the driver of gpuoa_sim.ko has neither a GuC nor EU stalls
VGPU_MODEL := guc guc_schedule eu_stall
