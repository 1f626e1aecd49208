#!/bin/bash
# i915-perf on a virtual GPU, used by i915-perf-recorder: metrics printed by i915-perf-reader match
# the reference, and i915's register writes to start and stop a stream equal those of gpuoa.
#
# gpuoa writes to a GPU of gpuoa_sim of the same platform, in the same guest. Only differences
# listed in sequence.txt are allowed, each with its reason.
set -u
. selftests/i915/guest.sh
trap 'scripts/vm/modules.sh unload; rm -rf "$tmp"' EXIT
here=selftests/i915
sim=/sys/kernel/debug/gpuoa_sim/0
gpu=${GPU%%,*}

# Context images are changed by requests, which have completed when the GPU is idle.
settle() { echo 0x48 >/sys/kernel/debug/dri/0/i915_gem_drop_caches; }

i915_records() { # set
	vgpu writes clear >"$tmp/before"
	recorder_begins "$1" "$tmp/$1" 20000
	local status=$?
	recorder_ends
	settle
	vgpu writes >"$tmp/i915.$1"
	grep -q . "$tmp/i915.$1" && return $status
}

# The GPU has reference counts for the set that is programmed.
reader_is_right() { # set
	reader_shows "$1" && "$BUILD/lib/tests/i915_reader" "$1" "$tmp/shown"
}

reader_shows() { # set
	until_readable "$tmp/$1" i915_records "$1" && i915-perf-reader -c all "$tmp/$1" >"$tmp/shown"
}

# Period in ns that i915-perf-recorder chose for 1 ms. The exponent is in bits 7:2 of a register, on
# Haswell in bits 11:6.
period() { # set
	local register shift=2 value frequency
	case $gpu in
	hsw) register=0x2360 shift=6 ;;
	bdw | skl | icl) register=0x2360 ;;
	*) register=0x2b28 ;;
	esac
	value=$(awk -v register=$register '$1 == register && $2 !~ /^(0x)?0$/ { print $2; exit }' "$tmp/i915.$1")
	frequency=$("$BUILD/tools/gpuoa" --json -d gpuoa0 list | sed -n 's/.*"timestamp_frequency": *\([0-9]*\).*/\1/p')
	echo $(((2 << ((value >> shift) & 63)) * 1000000000 / frequency + 1))
}

gpuoa_records() { # set
	echo >$sim/writes
	"$BUILD/tools/gpuoa" -d gpuoa0 record -p "$(period "$1")" -s "$1" -o "$tmp/recording" -- true || return
	cat $sim/writes >"$tmp/gpuoa.$1"
	grep -q . "$tmp/gpuoa.$1"
}

# Lines of sequence.txt without reasons
expected() {
	awk -v gpus="$gpu $gpu-$(uname -r | cut -d. -f1,2)" 'BEGIN { n = split(gpus, gpu) }
		/^#/ { next }
		{ for (i = 1; i <= n; i++) if (index("," $1 ",", "," gpu[i] ",")) print $2, $3, $4, $5 }' $here/sequence.txt
}

differ_as_expected() { # set
	local who
	for who in i915 gpuoa; do
		awk -v gpu="$gpu" -f $here/sequence.awk "$tmp/$who.$1" >"$tmp/$who.sequence"
		[ "$(grep -c . "$tmp/$who.sequence")" -gt 20 ] || return
	done
	diff "$tmp/i915.sequence" "$tmp/gpuoa.sequence" | sed -n 's/^< /i915 /p; s/^> /gpuoa /p' >"$tmp/differences"
	expected | diff - "$tmp/differences"
}

# Debian's tools have no TestOa for Haswell.
sets=(RenderBasic ComputeBasic)
[ "$gpu" = hsw ] || sets+=(TestOa)
vgpu workload steady >"$tmp/said"
for set in "${sets[@]}"; do
	check "i915-perf-recorder records $set" i915_records "$set"
	check "i915-perf-reader output of $set equals the reference" reader_is_right "$set"
done
platform=${gpu}_gt2
[ "$gpu" != rkl ] || platform=rkl_gt1
SIM=platform=$platform scripts/vm/modules.sh load gpuoa_sim || exit
for set in ${SETS-RenderBasic}; do
	check "gpuoa record records $set" gpuoa_records "$set"
	check "recordings of $set differ as expected only" differ_as_expected "$set"
done
plan
