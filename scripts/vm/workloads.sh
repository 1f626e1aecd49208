#!/bin/bash
# workloads.sh: change the load of each virtual GPU of gpuoa_sim every few seconds
#
# A workload of the simulator repeats every few milliseconds, which looks like a constant load.
set -u
workloads=(frames compute frames steady idle frames steady compute idle compute frames)
lengths=(6 3 2 5 1 4 2 4 3)

step=0
while sleep "${lengths[step % ${#lengths[@]}]}"; do
	step=$((step + 1))
	gpu=0
	for file in /sys/kernel/debug/gpuoa_sim/*/workload; do
		# GPUs may appear and disappear.
		echo "${workloads[(step + 3 * gpu) % ${#workloads[@]}]}" 2>/dev/null >"$file"
		gpu=$((gpu + 1))
	done
done
