#!/bin/bash
# gpuoa exporter on a virtual GPU, asked over HTTP while it measures; prints TAP
set -u
. "$(dirname "$0")/guest.sh"
if [ ! -x "$(dirname "$GPUOA")/gpuoa-exporter" ]; then
	echo "1..0 # SKIP gpuoa-exporter is not built: libmicrohttpd-dev is missing"
	exit
fi
. "$OLDPWD/tools/tests/exporter.sh"
trap '[ -z "$exporter" ] || kill "$exporter"; wait; rm -rf "$DIR"' EXIT
SIM=/sys/kernel/debug/gpuoa_sim/0
BUS=/sys/bus/gpuoa_sim
paranoid=$(</proc/sys/dev/gpuoa/paranoid)
events_paranoid=$(</proc/sys/kernel/perf_event_paranoid)

value_of() { # name, part of its labels; of what was fetched last
	grep -E "^$1\{.*$2.*\} " "$DIR/metrics" | cut -d' ' -f2
}
# Fetches until the value passes the test of awk, where it is x.
becomes() { # name, labels, test
	wait_until fetched_is "$@" || { grep "^$1" "$DIR/metrics"; cat "$DIR/log"; return 1; }
}
fetched_is() {
	fetch "$URL/metrics" >"$DIR/metrics" && awk -v x="$(value_of "$1" "$2")" "BEGIN { exit !(x != \"\" && ($3)) }"
}

# ---- as its service runs it: a user with one right ---------------------------------------------------

# As Debian ships: the kernel wants more than CAP_PERFMON, which is said; what was allowed since is used at the next try.
echo 2 >/proc/sys/dev/gpuoa/paranoid
echo 3 >/proc/sys/kernel/perf_event_paranoid
chmod 755 "$DIR"
began=$(cut -d' ' -f1 /proc/uptime)
# shellcheck disable=SC2054 # lists of setpriv
AS=(setpriv --reuid=65534 --regid=65534 --clear-groups --no-new-privs --inh-caps=-all,+perfmon --ambient-caps=-all,+perfmon
	--bounding-set=-all,+perfmon)
check "it listens" serve --interval 200
AS=()
# No other program of the guest listens.
only_loopback() {
	awk 'FNR > 1 && $4 == "0A" { print FILENAME, $2 }' /proc/net/tcp /proc/net/tcp6 | tee said
	[ "$(wc -l <said)" = 1 ] && grep -q '/tcp 0100007F:' said
}
check "on the loopback alone" only_loopback
check "it does not measure" becomes gpuoa_unit_up gpuoa0 'x == 0'
check "and says what to do" grep -q "perf_event_paranoid is 3: .* -> .sysctl kernel.perf_event_paranoid=2" "$DIR/log"
echo 2 >/proc/sys/kernel/perf_event_paranoid
check "what was done is enough" becomes gpuoa_unit_up gpuoa0 'x == 1'
check "the GPU's time" becomes gpuoa_gpu_time_seconds_total 'unit="gpuoa0".*set="RenderBasic"' 'x > 0'

# ---- what is told is what the GPU does ---------------------------------------------------------------

goes_on() {
	local name=gpuoa_gpu_time_seconds_total before
	becomes $name gpuoa0 'x > 0'
	before=$(value_of $name gpuoa0)
	becomes $name gpuoa0 "x > $before"
}
check "which goes on" goes_on
# No sum of time is longer than what passed since it began; where nothing is late, it is told each 200 ms. What passes
# between two answers is no longer than from before the first to after the last, nor shorter than from after to before.
now() { cut -d' ' -f1 /proc/uptime; }
time_is_true() {
	local first last before from to after
	before=$(now)
	fetch "$URL/metrics" >"$DIR/metrics"
	from=$(now)
	first=$(value_of gpuoa_measured_seconds_total gpuoa0)
	sleep 2
	to=$(now)
	fetch "$URL/metrics" >"$DIR/metrics"
	after=$(now)
	last=$(value_of gpuoa_measured_seconds_total gpuoa0)
	awk -v strict="${GPUOA_VIRTUAL_TIME:+1}" -v first="$first" -v last="$last" -v began="$began" \
		-v before="$before" -v from="$from" -v to="$to" -v after="$after" 'BEGIN {
		print "measured", first, "to", last, "at", before, from, to, after, "begun at", began
		measured = last - first
		right = measured > to - from - 0.5 && measured < after - before + 0.5
		exit !(last > 0 && last < after - began + 0.1 && (!strict || right))
	}'
}
check "as fast as time" time_is_true
echo idle >$SIM/scene
check "an idle GPU is idle" becomes gpuoa_gpu_busy_ratio gpuoa0 'x == 0'
echo steady >$SIM/scene
check "a busy one is busy" becomes gpuoa_gpu_busy_ratio gpuoa0 'x > 0.1 && x <= 1'
echo frames >$SIM/scene
echo 5 >$SIM/lose_reports
check "what is lost is told" becomes gpuoa_reports_lost_total 'unit="gpuoa0".*where="hardware"' 'x == 5'
if command -v promtool >/dev/null; then
	check "promtool has nothing to complain of" promtool check metrics <"$DIR/metrics"
else
	skip "promtool has nothing to complain of" "prometheus is not installed"
fi

# ---- who asks can only read --------------------------------------------------------------------------

check_methods
check "it ends when it is told to" ends
echo "$paranoid" >/proc/sys/dev/gpuoa/paranoid
echo "$events_paranoid" >/proc/sys/kernel/perf_event_paranoid

# ---- a GPU that goes away ----------------------------------------------------------------------------

echo tgl_gt2 >$BUS/new_device
units=(/sys/class/gpuoa/*)
unit=${units[-1]##*/}
device=$(basename "$(realpath "/sys/class/gpuoa/$unit/device")")
check "with two GPUs" serve --interval 200
check "it measures the other" becomes gpuoa_unit_up "unit=\"$unit\"" 'x == 1'
check "whose time passes" becomes gpuoa_gpu_time_seconds_total "unit=\"$unit\"" 'x > 0'
echo "${device##*.}" >$BUS/del_device
check "one that is pulled out is down" becomes gpuoa_unit_up "unit=\"$unit\"" 'x == 0'
check "while the first goes on" goes_on
echo tgl_gt2 >$BUS/new_device
check "and is measured when it comes back" becomes gpuoa_unit_up "unit=\"$unit\"" 'x == 1'
check "it ends when it is told to" ends
echo "${device##*.}" >$BUS/del_device
# shellcheck disable=SC2154 # tap.sh counts
echo "1..$number"
