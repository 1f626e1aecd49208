#!/bin/bash
# The tools of Debian on the stock i915 of a virtual GPU: i915-perf-recorder, -control and -reader, and intel_gpu_top
#
# What the reader shows is compared with what the GPU did, as far as the reader's text shows it: clocks and timestamps; and
# what gpuoa shows of the same recording with what the reader shows.
set -u
. tools/tests/i915_reader.sh
tmp=$(mktemp -d)
trap 'rm -rf "$tmp"' EXIT
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

# Record until there are some bytes, for a minute at most, and then end it as a user does.
record() { # set file argument...
	local set=$1 file=$2 pid
	shift 2
	rm -f "$file"
	i915-perf-recorder -m "$set" -p 0.001 -o "$file" "$@" >"$tmp/recorder" 2>&1 &
	pid=$!
	for _ in {1..600}; do
		[ "$(stat -c %s "$file" 2>/dev/null || echo 0)" -gt 200000 ] && break
		kill -0 $pid 2>/dev/null || break
		sleep 0.1
	done
	kill -INT $pid
	wait $pid
	cat "$tmp/recorder"
	[ "$(stat -c %s "$file")" -gt 200000 ]
}

records_a_set() { # set
	record "$1" "$tmp/$1"
}

# Clocks between two reports, and the share of busy ones, as the reader shows them and as the GPU knows them. Reports have
# the lower half of timestamps.
reader_is_right() { # set
	local from to clocks busy now truth wanted wrong=0 n=0
	while read -r from to clocks busy; do
		now=$(vgpu timestamp)
		to=$((now - ((now - to) & 0xffffffff)))
		from=$((to - ((to - from) & 0xffffffff)))
		truth=$(vgpu truth $from $to)
		wanted=$(awk -v clocks="$clocks" -v busy="$busy" '
			$1 == "counter" && $2 == "A0" { a0 = $3 }
			$1 == "counter" && $2 == "clock" || $1 == "GpuCoreClocks" { all = $2 == "clock" ? $3 : $2 }
			END {
				share = all ? a0 * 100 / all : -1
				printf "%d %f %s", all, share, all == clocks && (share - busy) ^ 2 < 1e-6 ? "right" : "wrong"
			}' <<<"$truth")
		echo "$from..$to: shown $clocks $busy, truth $wanted"
		[[ $wanted = *right ]] || wrong=$((wrong + 1))
		n=$((n + 1))
	done < <(i915-perf-reader -r -c GpuCoreClocks,GpuBusy "$tmp/$1" 2>/dev/null | awk -f selftests/i915/record_truth.awk)
	[ $n -ge 10 ] && [ $wrong = 0 ]
}

# All metrics of all intervals, also of what gpuoa writes in that format.
gpuoa_agrees() { # set
	"$BUILD/tools/gpuoa" report --csv "$tmp/$1" >"$tmp/csv" || return
	reader "$tmp/$1" >"$tmp/values"
	agrees "$tmp/csv" "$tmp/values"
}

gpuoa_writes_the_same() { # set
	"$BUILD/tools/gpuoa" export -o "$tmp/again.record" "$tmp/$1" || return
	cmp <(i915-perf-reader -r -c all "$tmp/$1") <(i915-perf-reader -r -c all "$tmp/again.record")
}

gpu_top_runs() {
	timeout 20 intel_gpu_top -J -s 200 -o "$tmp/top" &
	local pid=$!
	for _ in {1..150}; do
		grep -q '"rc6"' "$tmp/top" 2>/dev/null && break
		sleep 0.1
	done
	kill -INT $pid
	wait $pid
	cat "$tmp/top"
	grep -q '"frequency"' "$tmp/top" && grep -q '"Render/3D' "$tmp/top"
}

lists_sets() {
	i915-perf-recorder -m list
	[ "$(i915-perf-recorder -m list | wc -l)" -gt 3 ]
}

vgpu scene steady
check "the recorder lists sets" lists_sets
for set in RenderBasic ComputeBasic; do
	check "the recorder records $set" records_a_set $set
	check "the reader shows what the GPU did" reader_is_right $set
	check "gpuoa shows what the reader shows" gpuoa_agrees $set
	check "and writes it so that the reader shows the same" gpuoa_writes_the_same $set
done
check "the recorder records TestOa" records_a_set TestOa
check "gpuoa shows it as the reader does" gpuoa_agrees TestOa
check "intel_gpu_top shows the GPU" gpu_top_runs
echo "1..$number"
