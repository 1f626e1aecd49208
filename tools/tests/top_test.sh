#!/bin/bash
# Test gpuoa top in a terminal: screen contents and sizes, keys, hotplug of a GPU. Prints TAP.
set -u
. "$(dirname "$0")/guest.sh"
TERMINAL=$(dirname "$GPUOA")/tests/terminal
DEBUG=/sys/kernel/debug/gpuoa_sim/0
BUS=/sys/bus/gpuoa_sim
TERMINAL_TIMEOUT=$(scaled 30)
export TERMINAL_TIMEOUT LANG=C.UTF-8
mountpoint -q /sys/kernel/debug || mount -t debugfs debugfs /sys/kernel/debug

if [ ! -x "$TERMINAL" ]; then
	echo "1..0 # SKIP libvterm is not installed"
	exit 0
fi

top() { # ROWSxCOLUMNS, arguments of terminal; gpuoa top's own in $OPTIONS
	local size=$1
	shift
	# shellcheck disable=SC2086 # options are words
	"$TERMINAL" "${size%x*}" "${size#*x}" "$@" -- "$GPUOA" top -I 200 ${OPTIONS-}
}

fits() { # rows columns, file
	[ "$(wc -l <"$3")" = "$1" ] && [ "$(wc -L <"$3")" -le "$2" ]
}

# ---- --once --------------------------------------------------------------------------------------

# Compare the values with the simulator's reference for the interval.
once_agrees() {
	local begin end
	"$GPUOA" top --once -I 200 --json >once || return
	jq -es 'all(.unit == "gpuoa0" and .lost == 0) and length > 60' once >said 2>&1 || {
		[ -z "${GPUOA_VIRTUAL_TIME-}" ] && echo "reports were lost: the host is busy" && return "$SKIPPED"
	}
	read -r begin end < <(jq -rs '"\(.[0].begin_ticks) \(.[0].end_ticks)"' once)
	reference gpuoa0 "$begin" "$end" |
		jq -Rn --slurpfile rows once '($rows | map({(.symbol): .value}) | add) as $top |
			[inputs | split(" ") | {name: .[0], value: (.[1] | tonumber)} | . + {top: $top[.name]} | select(.top != null)] |
			(length > 60) and all((.top - .value | fabs) <= 1e-6 * ([1, (.value | fabs)] | max))' | tee said
	grep -q true said
}
check "--once values equal the reference" once_agrees
same_names() {
	"$GPUOA" stat -s RenderBasic --csv -- sleep 0.1 | head -1 | tr , '\n' | sed 1,6d >names
	jq -r .symbol once | cmp - names
}
check "--once prints all metrics of stat" same_names
some_metrics() {
	"$GPUOA" top --once -I 200 -m 'Eu*,GpuBusy' --json >some &&
		[ "$(jq -r .symbol some | sort | xargs)" = "EuActive EuIdle EuStall GpuBusy" ]
}
check "--once prints the metrics that -m selects" some_metrics
check "-m pattern without a match is an error of top" exits 1 "RenderBasic: cannot use -m 'Nothing\*': no metric matches" \
	"$GPUOA" top --once -I 100 -m 'Nothing*'
check "each pattern of -m must match" exits 1 "RenderBasic: cannot use -m 'Nothing\*': no metric matches" \
	"$GPUOA" top --once -I 100 -m 'Eu*,Nothing*'
check "each name of -m must match" exits 1 "no metric 'EuActiv'; did you mean 'EuActive'" "$GPUOA" top --once -I 100 -m 'GpuTime,EuActiv'
check "--once prints a table" says '^gpuoa0 +RenderBasic +GpuBusy +[0-9.]+ +100.00 +percent +GPU Busy' \
	"$GPUOA" top --once -I 100
check "--once --csv prints CSV" says '^gpuoa0,RenderBasic,[0-9]+,[0-9]+,[0-9]+,GpuTime,[0-9]+,,ns,GPU Time Elapsed' \
	"$GPUOA" top --once -I 100 --csv
# Compare with averages of recorded rows; the workload alternates frames with idle time at a slow
# clock.
shares_are_of_time() {
	"$GPUOA" record -q -s RenderBasic -F 5000 -o time.data -- "$GPUOA" top --once -I 2000 --json >once || return
	"$GPUOA" report -q --csv -m GpuTime,GpuCoreClocks,GpuBusy time.data | awk -F, 'NR > 1 {
		time += $2; clocks += $3; of_time += $2 * $4; of_clocks += $3 * $4 }
		END { print of_time / time, of_clocks / clocks }' >rows
	jq -r 'select(.symbol == "GpuBusy") | "\(.over_time) \(.value)"' once | cat rows - | tee said
	awk 'NR == 1 { time = $1; clocks = $2 }
		NR == 2 { exit !(($1 / time - 1) ^ 2 < 1e-3 && ($2 / clocks - 1) ^ 2 < 1e-3 && $2 > 1.05 * $1) }' said
}
check "ratios are means over time" shares_are_of_time
check "-s selects a set" says '^gpuoa0 +ComputeBasic +GpuTime' "$GPUOA" top --once -I 100 -s ComputeBasic
check "unknown set is an error" exits 1 "no unit has a metric set 'Nonsense'" "$GPUOA" top --once -s Nonsense
check "--contexts of Haswell is an error" says 'have no contexts' "$GPUOA" top --once -I 100 --contexts
denied() {
	mapfile -t before < <(sysctl dev.gpuoa.paranoid kernel.perf_event_paranoid)
	sysctl -q dev.gpuoa.paranoid=2 kernel.perf_event_paranoid=2
	setpriv --reuid=65534 --regid=65534 --clear-groups "$GPUOA" top --once -I 100 2>said && return 1
	cat said
	grep -qE '^gpuoa: gpuoa0: .*paranoid is 2.* -> ' said
}
check "unprivileged top prints doctor's remedies" denied
sysctl -q "${before[@]// = /=}"

# ---- the screen ------------------------------------------------------------------------------------

shows_80x24() {
	top 24x80 'wait:GPU Busy +[0-9.]+ % ━' 'wait:[▁-▇]{3}' 'wait:^ q quit' text:screen colors:yes keys:q exit:0 || return
	cat screen
	fits 24 80 screen && grep -qE '^>gpuoa0 +Haswell +RenderBasic +[0-9.]+ %' screen &&
		grep -qE '^ EU Active ' screen && grep -qE '^ EU Stall ' screen && grep -qE 'GTI Read Throughput .*B/s' screen &&
		sed -n 24p screen | grep -q 'q quit'
}
check "80x24 shows the main metrics" shows_80x24
shows_200x50() {
	top 50x200 'wait:GPU Busy +[0-9.]+ %' 'wait:^ q quit' text:screen keys:q exit:0 || return
	cat screen
	fits 50 200 screen && grep -qE ' READ +WRITE' screen && grep -q ' GROUP' screen && sed -n 50p screen | grep -q 'q quit'
}
check "200x50 shows more metrics" shows_200x50
check "resizing redraws the screen" top 24x80 'wait:GPU Busy' size:50x200 'wait: READ +WRITE' size:10x60 'gone: READ +WRITE' \
	'wait:^ q quit' size:4x30 'wait:at least' size:24x80 'wait:GPU Busy' keys:q exit:0
ascii() {
	LC_ALL=C top 24x80 'wait:GPU Busy +[0-9.]+ % #+' text:screen keys:q exit:0 && ! LC_ALL=C grep '[^ -~]' screen
}
check "C locale uses ASCII" ascii
check "NO_COLOR disables color" env NO_COLOR=1 "$TERMINAL" 24 80 'wait:GPU Busy' colors:no keys:q exit:0 -- "$GPUOA" top -I 200
check "terminal without color works" env TERMINAL_TERM=vt100 "$TERMINAL" 24 80 'wait:GPU Busy' colors:no keys:q exit:0 -- \
	"$GPUOA" top
check "unknown terminal is an error" says "unknown terminal 'nosuch'" env TERMINAL_TERM=nosuch "$TERMINAL" 24 80 \
	'exit:1' text:- -- "$GPUOA" top
check "terminal without cursor addressing is an error" says "terminal 'dumb' cannot position the cursor; set TERM, or use --once" \
	env TERMINAL_TERM=dumb "$TERMINAL" 24 80 'exit:1' text:- -- "$GPUOA" top

# ---- keys ------------------------------------------------------------------------------------------

check "s selects another set" top 24x80 'wait:GPU Busy' keys:s wait:Search keys:memoryr 'wait:MemoryReads' $'keys:\r' \
	'wait:^>gpuoa0 .*MemoryReads' 'wait:gpuoa0: Memory Reads' keys:s wait:Search $'keys:\e' 'gone:Search' keys:q exit:0
check "o changes the order of metrics" top 24x80 'wait:hottest first' keys:o 'wait:as in the set' keys:o 'wait:by name' keys:o \
	'wait:hottest first' keys:q exit:0
check "Down selects a metric and shows its description" top 24x80 'wait:as in the set|hottest' keys:o $'keys:\eOB' 'wait:GpuTime: How long' keys:q exit:0
check "? shows the keys" top 24x80 'wait:GPU Busy' 'keys:?' 'wait:another unit' 'wait:q quit  any other key back' keys:x \
	'wait:GPU Busy' keys:q exit:0
check "q quits from help" top 24x80 'wait:GPU Busy' 'keys:?' 'wait:another unit' keys:q exit:0
check "+ and - change the interval" top 24x80 'wait:every 0.2 s' keys:+ 'wait:every 0.5 s' keys:-- 'wait:every 0.1 s' keys:q exit:0
paused() {
	echo steady >$DEBUG/workload
	top 24x80 'wait:BUSY' 'wait:GPU Busy +[1-9]' keys:p 'wait:paused' "run:echo idle >$DEBUG/workload" sleep:1000 'wait:GPU Busy +[1-9]' \
		keys:p 'gone:paused' 'wait:GPU Busy +0.0 %' keys:q exit:0
	local status=$?
	echo frames >$DEBUG/workload
	return $status
}
check "space pauses" paused
check "Ctrl-C restores the terminal" top 24x80 'wait:GPU Busy' $'keys:\x03' exit:0
check "SIGTERM restores the terminal" top 24x80 'wait:GPU Busy' signal:15 exit:0

# ---- hotplug -------------------------------------------------------------------------------------

comes() {
	top 24x80 'wait:GPU Busy' "run:echo tgl_gt2 >$BUS/new_device" 'wait:^ gpuoa1 +Tiger Lake +RenderBasic +[0-9.]+ %' \
		$'keys:\t' 'wait:^>gpuoa1' 'wait:gpuoa1: Render' keys:c 'wait:^ 0x[0-9a-f]+ +[0-9.]+ %' \
		"run:echo 1 >$BUS/del_device" 'wait:^>gpuoa1 .*unplugged' 'wait:return when the GPU does' 'wait:^ gpuoa0 .*[0-9.]+ %' \
		"run:echo tgl_gt2 >$BUS/new_device" 'wait:^>gpuoa1 .*[0-9.]+ %' 'wait:^ 0x[0-9a-f]+ +[0-9.]+ %' keys:q exit:0
}
check "hotplug adds and removes units" comes
contexts_add_up() {
	"$GPUOA" top --once -d gpuoa1 -I 300 --contexts --json >contexts || return
	cat contexts
	jq -es 'length >= 3 and (map(.time_percent) | add) <= 100.1 and all(.context_id > 0)' contexts
}
check "--contexts shows shares of the time" contexts_add_up
joined() {
	start_user gpuoa0 "$GPUOA" stat -s ComputeBasic -- sh -c 'until [ -e let-go ]; do sleep 0.1; done'
	"$GPUOA" top --once -I 100 -d gpuoa0 >said
	touch let-go
	# shellcheck disable=SC2154 # start_user sets it
	wait "$user"
	grep '^gpuoa0 *ComputeBasic' said
}
check "top follows the set of another program" joined
echo 1 >$BUS/del_device
# shellcheck disable=SC2154 # guest.sh counts
echo "1..$number"
