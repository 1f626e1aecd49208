# slowness.sh: the timeout scale: the slowdown relative to an idle, emulated guest with a stock
# kernel; to be sourced
# shellcheck shell=bash
#
# slowness: set and export GPUOA_SLOWNESS, an integer of at least 1. It measures typical operations
# of tests: starting programs, kernel files, loops. The largest value is passed to the host, for its
# timeout.
SLOWNESS_REFERENCE_US=250000

# Virtual time jumps while the guest waits for a file of the host, by about this factor in practice;
# there is nothing to measure.
SLOWNESS_OF_VIRTUAL_TIME=20

measure_slowness() {
	local begin end i sum=0
	# The program is now in memory.
	/bin/true
	begin=${EPOCHREALTIME/[.,]/}
	for ((i = 0; i < 3; i++)); do
		/bin/true
	done
	for ((i = 0; i < 30; i++)); do
		read -r _ </proc/self/status
	done
	for ((i = 0; i < 1000; i++)); do
		sum=$((sum + i % 7))
	done
	end=${EPOCHREALTIME/[.,]/}
	GPUOA_SLOWNESS=$(((end - begin + SLOWNESS_REFERENCE_US / 2) / SLOWNESS_REFERENCE_US))
	[ "$GPUOA_SLOWNESS" -ge 1 ] || GPUOA_SLOWNESS=1
}

tell_host() {
	local known
	{ read -r known </run/gpuoa/slowness; } 2>/dev/null || known=0
	if [ "$GPUOA_SLOWNESS" -gt "$known" ]; then
		echo "$GPUOA_SLOWNESS" >/run/gpuoa/slowness.new && mv /run/gpuoa/slowness.new /run/gpuoa/slowness
	fi
}

slowness() {
	if [ -n "${GPUOA_VIRTUAL_TIME-}" ]; then
		GPUOA_SLOWNESS=$SLOWNESS_OF_VIRTUAL_TIME
	else
		measure_slowness
		[ -z "${GPUOA_VM-}" ] || tell_host
	fi
	export GPUOA_SLOWNESS
}
