#!/bin/bash
# Cost of recording on a GPU driven by the stock i915: i915-perf-recorder, gpuoa with i915-perf, and
# gpuoa with gpuoa_i915.ko
#
# The cost is the guest's CPU time, including interrupts, minus that without a recording. It is
# measured as non-idle time of the single CPU and therefore includes time stolen by the host, so the
# three alternate. Then the rate is increased until reports are lost.
set -u
. selftests/i915/guest.sh
gpuoa=$BUILD/tools/gpuoa
file=$tmp/recording
ways=(recorder gpuoa lease)

# Timer period of an exponent on Tiger Lake, in ns, rounded up
period() { # exponent
	echo $(((2 << $1) * 1000000 / 19200 + 1))
}

# i915-perf-recorder uses the exponent after that of the first period longer than the requested one.
start() { # way exponent
	rm -f "$file"
	case $1 in
	recorder)
		i915-perf-recorder -m RenderBasic -p "$(awk -v ns="$(period "$2")" 'BEGIN { printf "%.9f", ns * 0.375e-9 }')" \
			-o "$file" >"$tmp/recorder" 2>&1 &
		;;
	gpuoa) $gpuoa record -d i915:0 -s RenderBasic -p "$(period "$2")" -o "$file" >"$tmp/recorder" 2>&1 & ;;
	lease) $gpuoa record -d "$(unit)" -s RenderBasic -p "$(period "$2")" -o "$file" >"$tmp/recorder" 2>&1 & ;;
	esac
	recorder=$!
	wait_until has_bytes "$file" 100000
}

# Idle time of the CPU, and time, in us
look() {
	local idle rest
	read -r _ _ _ _ idle rest </proc/stat
	echo $((idle * 10000)) "${EPOCHREALTIME/./}"
}

# CPU load over some seconds, in thousandths of a percent
busy() { # seconds
	local idle_from from idle_to to
	read -r idle_from from < <(look)
	nap "$1"
	read -r idle_to to < <(look)
	echo $((100000 - (idle_to - idle_from) * 100000 / (to - from)))
}

# Average interval of a recording in ns, and whether it has gaps
judge() {
	$gpuoa report -m GpuBusy "$file" >"$tmp/report" 2>"$tmp/said" || return
	awk 'match($0, /GPU time [0-9]+ to [0-9]+ ns/) { split(substr($0, RSTART, RLENGTH), t, " ") }
		/ intervals of / { for (i = 1; i < NF; i++) if ($(i + 1) == "intervals") n = $i }
		/ gaps? of | reports lost/ { gaps = 1 }
		END { if (!n) exit 1; printf "%d %d\n", (t[5] - t[3]) / n, gaps }' "$tmp/report"
}

# CPU time per report at one rate, in ns
cost() { # way exponent
	local before during ns gaps status
	before=$(busy 1)
	start "$1" "$2" && during=$(busy 2)
	status=$?
	recorder_ends >/dev/null
	[ $status = 0 ] && read -r ns gaps < <(judge) && [ "$gaps" = 0 ] && [ "$ns" -le "$(period "$2")" ] || return
	echo $(((during - before) * ns / 100000))
}

costs() { # exponent name
	local way value peer
	for _ in {1..5}; do
		for way in "${ways[@]}"; do
			value=$(cost "$way" "$1") && echo "$value" >>"$tmp/$way.$2"
		done
	done
	for way in "${ways[@]}"; do
		value=$([ ! -e "$tmp/$way.$2" ] || sort -n "$tmp/$way.$2" | head -1)
		[ -n "$value" ] || { echo "$way loses reports at this rate ($2)" >&2; continue; }
		echo "bench: i915.$way$2.ns_per_report $value ns"
		[ "$way" != recorder ] || peer=$value
		[ "$way" = recorder ] || [ -z "${peer-}" ] ||
			awk -v n="i915.$way$2.vs_recorder" -v a="$value" -v b="$peer" 'BEGIN { printf "bench: %s %.2f x\n", n, a / b }'
	done
}

# Highest rate in Hz at which a recording has no gaps, with two tries per rate
highest() { # way
	local exponent best=0 ns gaps
	for exponent in 9 8 7 6 5 4 3 2; do
		for _ in 1 2; do
			start "$1" $exponent && nap 0.5
			recorder_ends >/dev/null
			read -r ns gaps < <(judge) && [ "$gaps" = 0 ] && [ "$ns" -le "$(period $exponent)" ] && break
			gaps=1
		done
		[ "$gaps" = 0 ] || break
		best=$((1000000000 / $(period $exponent)))
	done
	echo $best
}

vgpu workload frames >/dev/null
load || exit
costs 10 _9khz
costs 9 _18khz
for way in "${ways[@]}"; do
	rate=$(highest "$way")
	echo "bench: i915.$way.lossless_rate $rate Hz"
done
unload
