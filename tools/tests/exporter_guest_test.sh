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
check "exporter listens without permission to measure" serve --interval 200
AS=()
# No other program of the guest listens.
only_loopback() {
	awk 'FNR > 1 && $4 == "0A" { print FILENAME, $2 }' /proc/net/tcp /proc/net/tcp6 | tee said
	[ "$(wc -l <said)" = 1 ] && grep -q '/tcp 0100007F:' said
}
check "exporter listens on the loopback only" only_loopback
check "up is 0 without permission" becomes gpuoa_unit_up gpuoa0 'x == 0'
check "log contains the remedy" grep -q "perf_event_paranoid is 3: .* -> .sysctl kernel.perf_event_paranoid=2" "$DIR/log"
echo 2 >/proc/sys/kernel/perf_event_paranoid
check "up becomes 1 after the remedy" becomes gpuoa_unit_up gpuoa0 'x == 1'
check "GPU time is exported" becomes gpuoa_gpu_time_seconds_total 'unit="gpuoa0".*set="RenderBasic"' 'x > 0'

# ---- values match the GPU's activity -------------------------------------------------------------

goes_on() {
	local name=gpuoa_gpu_time_seconds_total before
	becomes $name gpuoa0 'x > 0'
	before=$(value_of $name gpuoa0)
	becomes $name gpuoa0 "x > $before"
}
check "GPU time increases" goes_on
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
check "GPU time increases as wall time" time_is_true
echo idle >$SIM/workload
check "busy ratio of an idle GPU is 0" becomes gpuoa_gpu_busy_ratio gpuoa0 'x == 0'
echo steady >$SIM/workload
check "busy ratio of a busy GPU is above 0" becomes gpuoa_gpu_busy_ratio gpuoa0 'x > 0.1 && x <= 1'
echo frames >$SIM/workload
echo 5 >$SIM/lose_reports
check "lost reports are exported" becomes gpuoa_reports_lost_total 'unit="gpuoa0".*where="hardware"' 'x == 5'
if command -v promtool >/dev/null; then
	check "promtool accepts the metrics" promtool check metrics <"$DIR/metrics"
else
	skip "promtool accepts the metrics" "prometheus is not installed"
fi

# ---- releasing the unit --------------------------------------------------------------------------

check "SIGTERM ends the exporter" ends
check "exporter serves as root" serve --interval 200 -s RenderBasic
check "up is 1 as root" becomes gpuoa_unit_up gpuoa0 'x == 1'
other_set() { "$GPUOA" stat -s ComputeBasic -m GpuTime -- "$@" 2>&1; }
stat_gets_unit() { other_set sleep 0.3 | tee said; grep -q 'gpuoa0: gpuoa exporter releases it' said && grep -q 'GpuTime' said; }
check "gpuoa stat of another set gets the unit" stat_gets_unit
once_gets_unit() {
	"$GPUOA" exporter --once -s ComputeBasic >once 2>said
	cat said
	grep -q 'gpuoa0: gpuoa exporter releases it' said && grep -q '^gpuoa_gpu_time_seconds_total{.*set="ComputeBasic"' once
}
check "gpuoa exporter --once of another set gets the unit" once_gets_unit
check "unit is measured again after --once" becomes gpuoa_unit_up gpuoa0 'x == 1'
check "yielded becomes 0 after --once" becomes gpuoa_unit_yielded gpuoa0 'x == 0'
is_told() {
	"$GPUOA" exporter --pause -- sh -c 'while [ ! -e go_on ]; do sleep 0.1; done' &
	becomes gpuoa_unit_yielded gpuoa0 'x == 1' && becomes gpuoa_unit_up gpuoa0 'x == 0'
}
check "--pause sets yielded and clears up" is_told
unit_is_free() { other_set true | tee said; [ "${PIPESTATUS[0]}" = 0 ] && ! grep -E 'releases it|in use' said; }
check "--pause releases the unit" unit_is_free
: >go_on
check "exporter resumes when the pausing program ends" becomes gpuoa_unit_up gpuoa0 'x == 1'
killed_holder() {
	"$GPUOA" exporter --pause -d gpuoa0 &
	local holder=$!
	becomes gpuoa_unit_yielded gpuoa0 'x == 1' && kill -KILL $holder && becomes gpuoa_unit_up gpuoa0 'x == 1'
}
check "exporter resumes when the pausing program is killed" killed_holder
check "SIGTERM ends the exporter" ends
check "exporter serves with --yield none" serve --interval 200 -s RenderBasic --yield none
check "up is 1 with --yield none" becomes gpuoa_unit_up gpuoa0 'x == 1'
check "--yield none keeps the unit from gpuoa stat" exits 1 'gpuoa0 is in use by gpuoa-exporter .*, or start gpuoa exporter with --yield all' \
	"$GPUOA" stat -s ComputeBasic -- true
check "--yield none keeps the unit from --once" exits 1 'gpuoa0 is in use by gpuoa-exporter .* --yield all' "$GPUOA" exporter --once -s ComputeBasic
check "SIGTERM ends the exporter" ends

# ---- --duty --------------------------------------------------------------------------------------

began=$(now)
check "exporter serves with --duty" serve --duty 0.2s/2s -s RenderBasic --yield none
check "GPU time is exported with --duty" becomes gpuoa_gpu_time_seconds_total gpuoa0 'x > 0'
check "up is 1 between duty periods" becomes gpuoa_unit_up gpuoa0 'x == 1'
another_fits() { "$GPUOA" stat -s ComputeBasic -m GpuTime -- true >/dev/null 2>&1; }
check "unit is free between duty periods" wait_until another_fits
check "GPU time increases with --duty" goes_on
is_a_part() {
	becomes gpuoa_measured_seconds_total gpuoa0 'x > 0.3' &&
		awk -v measured="$(value_of gpuoa_measured_seconds_total gpuoa0)" -v elapsed="$(now)" -v began="$began" 'BEGIN {
			print "measured", measured, "of", elapsed - began; exit !(measured < (elapsed - began) / 2) }'
}
check "measured time is limited by --duty" is_a_part
check "SIGTERM ends the exporter" ends

# ---- HTTP methods --------------------------------------------------------------------------------

check "exporter serves HTTP requests" serve --interval 200

check_methods
check "SIGTERM ends the exporter" ends
echo "$paranoid" >/proc/sys/dev/gpuoa/paranoid
echo "$events_paranoid" >/proc/sys/kernel/perf_event_paranoid

# ---- removal of a GPU ----------------------------------------------------------------------------

echo tgl_gt2 >$BUS/new_device
units=(/sys/class/gpuoa/*)
unit=${units[-1]##*/}
device=$(basename "$(realpath "/sys/class/gpuoa/$unit/device")")
check "exporter serves with two GPUs" serve --interval 200
check "up of the second GPU is 1" becomes gpuoa_unit_up "unit=\"$unit\"" 'x == 1'
check "GPU time of the second GPU is exported" becomes gpuoa_gpu_time_seconds_total "unit=\"$unit\"" 'x > 0'
echo "${device##*.}" >$BUS/del_device
check "up of a removed GPU is 0" becomes gpuoa_unit_up "unit=\"$unit\"" 'x == 0'
check "removed GPU does not affect the first" goes_on
echo tgl_gt2 >$BUS/new_device
check "up of a returned GPU is 1" becomes gpuoa_unit_up "unit=\"$unit\"" 'x == 1'
check "SIGTERM ends the exporter" ends
echo "${device##*.}" >$BUS/del_device
# shellcheck disable=SC2154 # tap.sh counts
echo "1..$number"
