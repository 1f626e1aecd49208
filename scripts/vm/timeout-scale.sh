# timeout-scale.sh: the timeout scale: the slowdown relative to an idle, emulated guest with a stock
# kernel; to be sourced
# shellcheck shell=bash
#
# timeout_scale: set and export GPUOA_TIMEOUT_SCALE, an integer of at least 1. It measures typical
# operations
# of tests: starting programs, kernel files, loops. The largest value is passed to the host, for its
# timeout.
SCALE_REFERENCE_US=250000

# In virtual time, time jumps while the guest waits for a file of the host. This factor is typical;
# it cannot be measured.
VIRTUAL_TIME_SCALE=20

measure_scale() {
	local begin end i sum=0
	# Run the program once, so that it is in memory.
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
	GPUOA_TIMEOUT_SCALE=$(((end - begin + SCALE_REFERENCE_US / 2) / SCALE_REFERENCE_US))
	[ "$GPUOA_TIMEOUT_SCALE" -ge 1 ] || GPUOA_TIMEOUT_SCALE=1
}

tell_host() {
	local known
	{ read -r known </run/gpuoa/timeout-scale; } 2>/dev/null || known=0
	if [ "$GPUOA_TIMEOUT_SCALE" -gt "$known" ]; then
		echo "$GPUOA_TIMEOUT_SCALE" >/run/gpuoa/timeout-scale.new && mv /run/gpuoa/timeout-scale.new /run/gpuoa/timeout-scale
	fi
}

timeout_scale() {
	if [ -n "${GPUOA_VIRTUAL_TIME-}" ]; then
		GPUOA_TIMEOUT_SCALE=$VIRTUAL_TIME_SCALE
	else
		measure_scale
		[ -z "${GPUOA_VM-}" ] || tell_host
	fi
	export GPUOA_TIMEOUT_SCALE
}
