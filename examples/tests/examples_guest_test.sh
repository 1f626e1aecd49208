#!/bin/bash
# Tests of the examples on a virtual GPU; prints TAP
set -u
. "$(dirname "$0")/../../selftests/wait.sh"
. "$(dirname "$0")/../../tools/tests/guest.sh"
EXAMPLES=$(dirname "$GPUOA")/../examples

same_values() {
	"$GPUOA" record -q -s RenderBasic -o app.data -- sleep 0.5 &&
		"$EXAMPLES/decode" app.data >ours.csv &&
		"$GPUOA" report --csv -m GpuTime,EuActive,GpuBusy app.data >tool.csv &&
		awk -F, '
			FNR == NR { if (FNR == 1) for (i = 1; i <= NF; i++) at[$i] = i; else ours[FNR] = $at["GpuTime"] "," $at["EuActive"] "," $at["GpuBusy"]; next }
			FNR > 1 && ours[FNR] != $2 "," $3 "," $4 { print "row " FNR ": " ours[FNR] " is not " $2 "," $3 "," $4; bad = 1 }
			END { exit bad || FNR < 100 }' ours.csv tool.csv
}
has_lines() { # number, file
	[ "$(wc -l <"$2")" -ge "$1" ]
}
# CPU times are CLOCK_MONOTONIC, close to /proc/uptime, and increase.
live() {
	local pid
	"$EXAMPLES/profiler" >live &
	pid=$!
	wait_until has_lines 20 live
	kill -INT $pid
	wait $pid || return
	awk -v now="$(cut -d' ' -f1 /proc/uptime)" '
		NF != 2 || $1 <= last || $1 > now + 1 || $1 < now - 60 || $2 < 0 || $2 > 100 { print; bad = 1 }
		{ last = $1 }
		END { exit bad || NR < 20 }' live
}

# The mean interval is the timer's period, no value exceeds its maximum, and several are above 0.
streams() {
	"$EXAMPLES/iostream" >streamed || return
	awk '
		/^# a report every/ { period = $5 }
		/^#/ { if ($2 == "100" && $3 == "intervals;") whole = 1; next }
		$4 > 0 && $3 > $4 * 1.001 { print; bad = 1 }
		$1 == "GpuTime" { mean = $2 }
		$2 > 0 { lively++ }
		END { exit bad || !whole || mean <= 0 || mean > period * 1.01 || lively < 5 }' streamed || { cat streamed && false; }
}

# Each unit of the GPU has values, and time never goes back.
traces() {
	"$EXAMPLES/tracer" >traced || return
	awk '
		NF != 4 || $1 < last { print; bad = 1 }
		{ last = $1; units[$2]; values++ }
		$3 == "GpuTime" && $4 > 0 { times++ }
		END { for (unit in units) count++; exit bad || count < 1 || times < 50 || values < 10 * times }' traced
}

# Each of the four parts of the batch takes longer than the preceding one, and keeps the EUs busy.
# The stream covers all parts. A busy host delays the virtual GPU between its commands, so durations
# are checked in virtual time only.
queries() {
	"$EXAMPLES/query" >queried &&
		awk -v strict="${GPUOA_VIRTUAL_TIME:+1}" '
			$2 == "query" {
				if ($3 <= 0 || $4 <= 0 || $4 > 100 || (strict && ($3 <= last || $4 < 50))) { print; bad = 1 }
				last = $3; all += $3; when[++queries] = $1
			}
			$2 == "stream" { time += $3 }
			$2 == "mark" && $3 == ++marks { at[marks] = $1 }
			END { exit bad || queries != 4 || marks != 2 || when[1] <= at[1] || when[4] >= at[2] || time <= 0 || (strict && time < all / 2) }' queried || { cat queried && false; }
}

check "decode prints the values of gpuoa" same_values
check "profiler.c prints times and values until Ctrl-C" live
check "profiler.c rejects an unknown set" exits 1 'no such set' "$EXAMPLES/profiler" NoSuchSet
check "profiler.cc measures until Ctrl-C" says '^[1-9][0-9]* intervals$' "$EXAMPLES/profiler++" 0.5
check "iostream prints each metric with largest value and maximum" streams
check "iostream rejects an unknown set" exits 1 'no such set' "$EXAMPLES/iostream" NoSuchSet
check "tracer prints values of all units in order of time" traces
check "query counts its part of a batch alongside a stream with markers" queries
echo "1..$number"
