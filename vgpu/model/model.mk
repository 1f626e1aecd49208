# SPDX-License-Identifier: GPL-2.0-only
# Source files of the device model, for the kernel module and for programs
SIM_MODEL := advance beside buffer cec clock create cs cs_registers fraction mmio pin platforms power scene select slot tick \
	timeline truth work
SIM_MODEL += oa_buffer oa_counters oa_expect oa_report oa_run oa_selection
SIM_MODEL += gen7_oa gen7_counters gen7_truth gen8_oa gen8_counters gen12_oa oam_oa xe2_oa
