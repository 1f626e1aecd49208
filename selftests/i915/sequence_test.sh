#!/bin/bash
# What i915-perf writes to the OA unit of a virtual GPU to start and to stop a stream, against what gpuoa writes for the same
# set: on the same platform, of gpuoa_sim, in the same guest
#
# The differences must be those of sequence.txt, each of which is there with its reason.
set -u
tmp=$(mktemp -d)
trap 'scripts/vm/modules.sh unload; rm -rf "$tmp"' EXIT
here=selftests/i915
sim=/sys/kernel/debug/gpuoa_sim/0
gpu=${GPU%%,*}
number=0

check() { # description command...
	local what=$1
	shift
	number=$((number + 1))
	if "$@" >"$tmp/said" 2>&1; then
		echo "ok $number - $what"
	else
		sed 's/^/# /' "$tmp/said" | tail -40
		echo "not ok $number - $what"
	fi
}

vgpu() { "$BUILD/tools/gpuoa-vgpu" --ask "$GPUOA_VGPU" "$@"; }

# Images of contexts are changed by requests: all have been done when the GPU is idle.
settle() { echo 0x48 >/sys/kernel/debug/dri/0/i915_gem_drop_caches; }

i915_writes() { # set
	local pid
	vgpu writes clear >"$tmp/before"
	rm -f "$tmp/recording"
	i915-perf-recorder -m "$1" -p 0.001 -o "$tmp/recording" >"$tmp/recorder" 2>&1 &
	pid=$!
	for _ in {1..600}; do
		[ "$(stat -c %s "$tmp/recording" 2>/dev/null || echo 0)" -gt 10000 ] && break
		kill -0 $pid 2>/dev/null || break
		sleep 0.1
	done
	kill -INT $pid
	wait $pid
	settle
	vgpu writes >"$tmp/i915"
	cat "$tmp/recorder"
	grep -q . "$tmp/i915"
}

# What i915-perf-recorder has chosen for a millisecond, in nanoseconds: the timer's exponent is in bits 7:2 of a register,
# on Haswell in bits 11:6.
period() {
	local register shift=2 value frequency
	case $gpu in
	hsw) register=0x2360 shift=6 ;;
	bdw | skl | icl) register=0x2360 ;;
	*) register=0x2b28 ;;
	esac
	value=$(awk -v register=$register '$1 == register && $2 !~ /^(0x)?0$/ { print $2; exit }' "$tmp/i915")
	frequency=$("$BUILD/tools/gpuoa" --json -d gpuoa0 list | sed -n 's/.*"timestamp_frequency": *\([0-9]*\).*/\1/p')
	echo $(((2 << ((value >> shift) & 63)) * 1000000000 / frequency + 1))
}

gpuoa_writes() { # set
	echo >$sim/writes
	"$BUILD/tools/gpuoa" -d gpuoa0 record -p "$(period)" -s "$1" -o "$tmp/recording" -- true || return
	cat $sim/writes >"$tmp/gpuoa"
	grep -q . "$tmp/gpuoa"
}

# Lines of sequence.txt without their reasons
expected() {
	awk -v gpu="$gpu" '!/^#/ && index("," $1 ",", "," gpu ",") { print $2, $3, $4, $5 }' $here/sequence.txt
}

differ_as_told() {
	local who
	for who in i915 gpuoa; do
		awk -v gpu="$gpu" -f $here/sequence.awk "$tmp/$who" >"$tmp/$who.sequence"
		[ "$(grep -c . "$tmp/$who.sequence")" -gt 20 ] || return
	done
	diff "$tmp/i915.sequence" "$tmp/gpuoa.sequence" | sed -n 's/^< /i915 /p; s/^> /gpuoa /p' >"$tmp/differences"
	expected | diff - "$tmp/differences"
}

platform=${gpu}_gt2
[ "$gpu" != rkl ] || platform=rkl_gt1
SIM=platform=$platform scripts/vm/modules.sh load gpuoa_sim || exit
for set in ${SETS-RenderBasic}; do
	check "i915-perf records $set" i915_writes "$set"
	check "gpuoa records $set" gpuoa_writes "$set"
	check "they write the same, but for what is explained" differ_as_told
done
echo "1..$number"
