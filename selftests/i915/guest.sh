# shellcheck shell=bash
# Helpers for scripts on the stock i915 or, with $driver set to xe, the stock xe of a virtual GPU:
# test cases, queries of the GPU, recordings of i915-perf, gpuoa_i915.ko or gpuoa_xe.ko; to be
# sourced
driver=${driver:-i915}
. selftests/wait.sh
. selftests/tap.sh
tmp=$(mktemp -d)
DIR=$tmp
trap 'rm -rf "$tmp"' EXIT
device=0000:00:02.0
gpus=/sys/module/gpuoa_$driver/parameters/gpus

plan() { echo "1..$number"; }

# Query the GPU like gpuoa-vgpu --ask, without starting a program. An answer ends with an empty
# line.
vgpu() { # question...
	local port line status=0
	exec {port}<>"$GPUOA_VGPU" || return
	printf '%s\n' "$*" >&$port
	while IFS= read -r line <&$port && [ -n "$line" ]; do
		[[ $line != error:* ]] || status=1
		printf '%s\n' "$line"
	done
	exec {port}>&-
	return $status
}

# ---- recordings ----

has_bytes() { # file bytes
	[ "$(stat -c %s "$1" 2>/dev/null || echo 0)" -gt "$2" ]
}

# Start recording a set and wait for some bytes; recorder_ends interrupts the recorder.
recorder_begins() { # set file bytes [argument...]
	local set=$1 file=$2 bytes=$3
	shift 3
	rm -f "$file"
	i915-perf-recorder -m "$set" -p 0.001 -o "$file" "$@" >"$tmp/recorder" 2>&1 &
	recorder=$!
	wait_until recorder_has "$file" "$bytes"
	has_bytes "$file" "$bytes"
}
recorder_has() { # file bytes
	has_bytes "$1" "$2" || ! kill -0 "$recorder" 2>/dev/null
}
recorder_ends() {
	kill -INT "$recorder"
	wait "$recorder"
	cat "$tmp/recorder"
}

# Debian's i915-perf-reader aborts if a report has the same tick as the last clock pair of the
# recording. Keep such a recording in $OUT and repeat the command.
until_readable() { # file command...
	local file=$1 i
	shift
	for i in 1 2 3 4 5; do
		i915-perf-reader -r -c GpuTime "$file" >/dev/null 2>"$tmp/complaint" && return
		cat "$tmp/complaint"
		cp "$file" "$OUT/${file##*/}.i915"
		grep -q 'correlate_gpu_timestamp: Assertion' "$tmp/complaint" && "$@" || return
	done
	echo "$file: i915-perf-reader aborts on each of $i recordings"
	return 1
}

# ---- gpuoa_i915.ko, gpuoa_xe.ko ----

# Unload other modules, because they may provide other GPUs.
load() { scripts/vm/modules.sh unload && scripts/vm/modules.sh load "gpuoa_$driver"; }
unload() { scripts/vm/modules.sh unload && [ ! -d "/sys/module/gpuoa_$driver" ]; }
# Print the name of a unit of the GPU. The number of a unit may change, because it is in use until
# the last event is closed.
unit_of() { # type
	local unit
	for unit in /sys/class/gpuoa/*/unit; do
		[ ! -e "$unit" ] || [ "$(<"$unit")" != "$1" ] || basename "${unit%/unit}"
	done
}
unit() { unit_of OA; }
attached() { [ "$(cat "$gpus")" = "$device: attached" ] && [[ $(unit) = gpuoa? ]]; }

# ---- power ----

# The kernel's suspend test calls all suspend callbacks of drivers, and resumes after a second. It
# needs no wakeup event: the RTC of QEMU's q35 wakes guests from S3 only. It needs gpuoa_guest.ko,
# which keeps the file system working.
suspends() {
	local before success=/sys/power/suspend_stats/success
	before=$(<$success)
	echo 1 >/sys/module/suspend/parameters/pm_test_delay
	echo platform >/sys/power/pm_test
	echo freeze >/sys/power/state || return
	dmesg | grep -E "PM: |$driver " | tail -20
	[ "$(<$success)" = $((before + 1)) ]
}

power=/sys/bus/pci/devices/$device/power
sleeps() { [ "$(<$power/runtime_status)" = suspended ]; }

# ---- the driver ----

bus=/sys/bus/pci/drivers/$driver
bound() { [ -e "$bus/$device" ]; }
unbinds() { echo $device >"$bus/unbind" && ! bound; }
binds() { echo $device >"$bus/bind" && bound; }
removes() { modprobe -r "$driver" && [ ! -d "/sys/module/$driver" ]; }
inserts() {
	local parameters=${I915-}
	[ "$driver" = i915 ] || parameters=${XE-}
	# shellcheck disable=SC2086 # a list of parameters
	modprobe "$driver" $parameters && bound
}
