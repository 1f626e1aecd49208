#!/bin/bash
# Test gpuoa exporter on a virtual GPU, with HTTP requests while it measures. Prints TAP.
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

value_of() { # name, part of its labels; in the last response
	grep -E "^$1\{.*$2.*\} " "$DIR/metrics" | cut -d' ' -f2
}
# Fetch until the awk condition on the value x is true.
becomes() { # name, labels, test
	wait_until fetched_is "$@" || { grep "^$1" "$DIR/metrics"; cat "$DIR/log"; return 1; }
}
fetched_is() {
	fetch "$URL/metrics" >"$DIR/metrics" && awk -v x="$(value_of "$1" "$2")" "BEGIN { exit !(x != \"\" && ($3)) }"
}

# ---- an unprivileged user with CAP_PERFMON, as in its service ------------------------------------

# With Debian's default perf_event_paranoid, CAP_PERFMON does not suffice, which is reported. After
# the setting is lowered, the next retry succeeds.
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

# ---- values match the GPU's activity -------------------------------------------------------------

goes_on() {
	local name=gpuoa_gpu_time_seconds_total before
	becomes $name gpuoa0 'x > 0'
	before=$(value_of $name gpuoa0)
	becomes $name gpuoa0 "x > $before"
}
check "which goes on" goes_on
# The sum of time, which is updated every 200 ms, must not exceed the time since the start. Its
# increase between two responses must be between the minimum and the maximum time between the two
# requests.
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
echo idle >$SIM/workload
check "an idle GPU is idle" becomes gpuoa_gpu_busy_ratio gpuoa0 'x == 0'
echo steady >$SIM/workload
check "a busy one is busy" becomes gpuoa_gpu_busy_ratio gpuoa0 'x > 0.1 && x <= 1'
echo frames >$SIM/workload
echo 5 >$SIM/lose_reports
check "what is lost is told" becomes gpuoa_reports_lost_total 'unit="gpuoa0".*where="hardware"' 'x == 5'
if command -v promtool >/dev/null; then
	check "promtool has nothing to complain of" promtool check metrics <"$DIR/metrics"
else
	skip "promtool has nothing to complain of" "prometheus is not installed"
fi

# ---- releasing the unit --------------------------------------------------------------------------

check "it ends when it is told to" ends
check "it serves as root" serve --interval 200 -s RenderBasic
check "and measures" becomes gpuoa_unit_up gpuoa0 'x == 1'
other_set() { "$GPUOA" stat -s ComputeBasic -m GpuTime -- "$@" 2>&1; }
gets_the_unit() { other_set sleep 0.3 | tee said; grep -q 'gpuoa0: gpuoa exporter releases it' said && grep -q 'GpuTime' said; }
check "gpuoa stat of another set gets the unit" gets_the_unit
once_gets_the_unit() {
	"$GPUOA" exporter --once -s ComputeBasic >once 2>said
	cat said
	grep -q 'gpuoa0: gpuoa exporter releases it' said && grep -q '^gpuoa_gpu_time_seconds_total{.*set="ComputeBasic"' once
}
check "gpuoa exporter --once of another set also" once_gets_the_unit
check "which is measured again afterwards" becomes gpuoa_unit_up gpuoa0 'x == 1'
check "and not yielded" becomes gpuoa_unit_yielded gpuoa0 'x == 0'
is_told() {
	"$GPUOA" exporter --pause -- sh -c 'while [ ! -e go_on ]; do sleep 0.1; done' &
	becomes gpuoa_unit_yielded gpuoa0 'x == 1' && becomes gpuoa_unit_up gpuoa0 'x == 0'
}
check "a paused exporter says so" is_told
unit_is_free() { other_set true | tee said; [ "${PIPESTATUS[0]}" = 0 ] && ! grep -E 'releases it|in use' said; }
check "and has closed the unit" unit_is_free
: >go_on
check "it goes on when the program ends" becomes gpuoa_unit_up gpuoa0 'x == 1'
killed_holder() {
	"$GPUOA" exporter --pause -d gpuoa0 &
	local holder=$!
	becomes gpuoa_unit_yielded gpuoa0 'x == 1' && kill -KILL $holder && becomes gpuoa_unit_up gpuoa0 'x == 1'
}
check "even if it is killed" killed_holder
check "it ends" ends
check "with --yield none" serve --interval 200 -s RenderBasic --yield none
check "it measures" becomes gpuoa_unit_up gpuoa0 'x == 1'
check "other programs do not get the unit" exits 1 'gpuoa0 is in use by gpuoa-exporter .*, or start gpuoa exporter with --yield all' \
	"$GPUOA" stat -s ComputeBasic -- true
check "nor does --once" exits 1 'gpuoa0 is in use by gpuoa-exporter .* --yield all' "$GPUOA" exporter --once -s ComputeBasic
check "it ends" ends

# ---- --duty --------------------------------------------------------------------------------------

began=$(now)
check "it measures for a part of the time" serve --duty 0.2s/2s -s RenderBasic --yield none
check "and has values" becomes gpuoa_gpu_time_seconds_total gpuoa0 'x > 0'
check "the unit is up in between" becomes gpuoa_unit_up gpuoa0 'x == 1'
another_fits() { "$GPUOA" stat -s ComputeBasic -m GpuTime -- true >/dev/null 2>&1; }
check "and free for other programs" wait_until another_fits
check "it measures again" goes_on
is_a_part() {
	becomes gpuoa_measured_seconds_total gpuoa0 'x > 0.3' &&
		awk -v measured="$(value_of gpuoa_measured_seconds_total gpuoa0)" -v elapsed="$(now)" -v began="$began" 'BEGIN {
			print "measured", measured, "of", elapsed - began; exit !(measured < (elapsed - began) / 2) }'
}
check "for no more than its part" is_a_part
check "it ends" ends

# ---- HTTP methods --------------------------------------------------------------------------------

check "it serves again" serve --interval 200

check_methods
check "it ends when it is told to" ends
echo "$paranoid" >/proc/sys/dev/gpuoa/paranoid
echo "$events_paranoid" >/proc/sys/kernel/perf_event_paranoid

# ---- removal of a GPU ----------------------------------------------------------------------------

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
