#!/bin/bash
# Test the gpuoa command and the stock perf tool on a virtual GPU: each reads the other's
# recordings. Prints TAP.
set -u
. "$(dirname "$0")/guest.sh"
DEBUG=/sys/kernel/debug/gpuoa_sim/0
RENDER_BASIC=a490e9d2-55b3-4db0-8dab-53011032c5f3
mountpoint -q /sys/kernel/debug || mount -t debugfs debugfs /sys/kernel/debug

totals() { # file, metrics
	"$GPUOA" report -q --json --total -m "$2" "$1"
}

# ---- list and stat ---------------------------------------------------------------------------------

check "list devices prints the device" says '^gpuoa0 +OA +hsw +Haswell' "$GPUOA" list
check "-d accepts the parent device" says '^gpuoa0 ' "$GPUOA" list -d gpuoa_sim.0
check "-d accepts the node" says '^gpuoa0 ' "$GPUOA" list -d /dev/gpuoa0
check "-d rejects an unknown device" exits 1 'no OA unit' "$GPUOA" list -d gpuoa99
check "every metric is available or has a reason" bash -c \
	"'$GPUOA' --json list metrics | jq -es 'length > 300 and all(.available != null)'"

# Run gpuoa with a command that exits when let_go is called.
hold() { # arguments
	rm -f let-go
	start_user gpuoa0 "$GPUOA" "$@" -- sh -c 'until [ -e let-go ]; do sleep 0.1; done'
}
let_go() {
	touch let-go
	wait "$user"
}
interrupted() { # signal, seconds to wait before it, command...; returns the command's status
	local signal=$1 seconds=$2
	shift 2
	start_user gpuoa0 "$@" || return
	sleep "$seconds"
	kill "-$signal" "$user"
	wait "$user"
}

check "stat prints metrics" says 'percent +GpuBusy' "$GPUOA" stat -s RenderBasic -- sleep 0.2
check "stat measures as long as the command runs" bash -c \
	"'$GPUOA' stat --json -s RenderBasic -m GpuTime -- sleep 0.5 | jq -e '.GpuTime > 4e8'"
check "stat -I prints intervals" bash -c "[ \$('$GPUOA' stat --csv -s RenderBasic -I 100 -- sleep 1 | wc -l) -ge 6 ]"
check "stat measures the default set of gpuoa top" says 'measuring set [A-Za-z]+; select another with -s' "$GPUOA" stat sleep 0.2
check "stat prints the elapsed time" says '^0\.[2-9][0-9]* s elapsed|^[1-9][0-9.]* s elapsed' "$GPUOA" stat -s RenderBasic sleep 0.2
check "intervals name unit and set" bash -c "'$GPUOA' stat --json -s RenderBasic -I 100ms -m GpuTime -- sleep 0.5 |
	jq -es 'length > 1 and all(.unit == \"gpuoa0\" and .set == \"RenderBasic\" and .begin_ns < .end_ns)'"
check "intervals are rows of a table" says '^ +[0-9]+\.[0-9]{6} +[0-9.]+ ' "$GPUOA" stat -s RenderBasic -I 100 -m GpuBusy,EuActive -- sleep 0.5
check "record has default set and file" says 'gpuoa\.data: [0-9]+ reports' "$GPUOA" record -F 2k sleep 0.2
check "record keeps the previous file" bash -c "'$GPUOA' record sleep 0.2 && [ -s gpuoa.data.old ] && [ -s gpuoa.data ]"
check "report reads the default file" says GpuBusy "$GPUOA" report
check "report --time selects a part" bash -c "'$GPUOA' report --total --json --time 50ms,150ms -m GpuTime |
	jq -e '.GpuTime > 9e7 and .GpuTime <= 1.1e8'"
check "stat returns the exit code of the command" exits 7 '' "$GPUOA" stat -s RenderBasic -- sh -c 'exit 7'
check "stat returns the fatal signal of the command" exits 137 '' "$GPUOA" stat -s RenderBasic -- sh -c 'kill -9 $$'
check "stat returns the exit code when SIGCHLD is ignored" exits 7 '' \
	timeout -s KILL "$(scaled 20)" env --ignore-signal=CHLD "$GPUOA" stat -s RenderBasic -- sh -c 'exit 7'
check "stat prints a header without intervals" says '^unit,set,begin_ticks,end_ticks,begin_ns,end_ns,GpuTime$' \
	"$GPUOA" stat --csv -s RenderBasic -p 1000000000 -m GpuTime -- true
check "stat prints no value for query metrics" says '"LlcHits":null' \
	"$GPUOA" stat --json -s RenderBasic -m LlcHits -- sleep 0.2
check "missing command returns 127" exits 127 'cannot execute' "$GPUOA" stat -s RenderBasic -- /no/such
check "short period is an error" exits 1 'shortest period is 160 ns' "$GPUOA" stat -s RenderBasic -p 100 -- true
totalled() {
	jq -e '.GpuTime > 1e8' said
}
ctrl_c_of_stat() {
	interrupted INT 1 "$GPUOA" stat --json -s RenderBasic -m GpuTime >said && totalled
}
check "Ctrl-C ends a measurement without a command" ctrl_c_of_stat
two_programs_share() {
	hold stat -s RenderBasic && "$GPUOA" stat -s RenderBasic -- true && let_go
}
check "two programs share the unit" two_programs_share
is_in_use() {
	hold stat -s RenderBasic && "$GPUOA" stat -s ComputeBasic -- true 2>&1 |
		grep 'gpuoa0 is in use by gpuoa (process [0-9]*): .*another set' && let_go
}
check "different set returns an error while the unit is in use" is_in_use
check "record rejects two sets of one unit" exits 1 \
	'^gpuoa: gpuoa0: cannot measure RenderBasic and ComputeBasic at once: .* with -s ComputeBasic@DEVICE$' \
	"$GPUOA" record -s RenderBasic -s ComputeBasic@gpuoa_sim.0 -o two.data true
check "record rejects a repeated unit and set" exits 1 'gpuoa0: cannot measure RenderBasic twice; remove one -s' \
	"$GPUOA" record -s RenderBasic -s RenderBasic -o two.data true

# ---- record and report -----------------------------------------------------------------------------

check "record records" says " [0-9]+ reports, [0-9]+ bytes,$LOSS" "$GPUOA" record -s RenderBasic -F 5000 -- sleep 1
check "report prints totals of a recording" says 'GpuBusy' "$GPUOA" report gpuoa.data
check "report --csv prints a row per interval" bash -c \
	"'$GPUOA' report --csv -m GpuTime gpuoa.data | awk -F, 'NR > 1 && \$2 != 163840 { bad = 1 } END { exit bad || NR < 3000 }'"
check "parts of a recording add up" bash -c "
	total() { '$GPUOA' report --json --total -m GpuTime gpuoa.data \"\$@\" | jq \"\$key\"; }
	key=.begin_ticks; begin=\$(total)
	key=.end_ticks; end=\$(total)
	middle=\$((begin + (end - begin) / 4096 * 2048))
	key=.GpuTime; [ \$((\$(total --time ,\${middle}t) + \$(total --time \${middle}t,))) = \$(total) ]"
check "mark without a recording is an error" exits 1 'gpuoa0: cannot mark: no program samples the unit' "$GPUOA" mark 5
marked() {
	date +%s >begin
	"$GPUOA" record -s RenderBasic -F 5000 -o marks.data -- sh -c \
		"sleep 0.2; '$GPUOA' mark --json 1 >mark; sleep 0.3; '$GPUOA' mark 0x2; sleep 0.2" && date +%s >end &&
		"$GPUOA" report --json --marks -m GpuTime marks.data >stretches &&
		jq -es 'map(.mark) == [null, 1, 2] and all(.covered_ticks > 1000000)' stretches
}
check "--marks prints a row per part" marked
check "parts between marks add up" bash -c "
	[ \$(jq -s 'map(.GpuTime) | add' stretches) = \$('$GPUOA' report --json --total -m GpuTime marks.data | jq .GpuTime) ]"
# The two clocks are read one after the other, and a busy host may interrupt in between.
NEAR=1000000
[ -z "${GPUOA_VIRTUAL_TIME-}" ] || NEAR=5000
check "mark has the time of the program" bash -c "
	'$GPUOA' report --json --marks --clock monotonic -m GpuTime marks.data |
		jq -es --slurpfile mark mark '.[1].begin_ns - \$mark[0].monotonic_ns | fabs < $NEAR'"
check "--clock realtime prints the time of day" bash -c "
	'$GPUOA' report --csv --clock realtime -m GpuTime marks.data | tail -1 |
		awk -F, -v begin=\$(<begin) -v end=\$(<end) '{ print; exit !(\$1 / 1e9 >= begin && \$1 / 1e9 < end + 1) }'"
check "--clock rejects an unknown clock" exits 2 "unknown clock" "$GPUOA" report --clock mine marks.data
check "record returns the exit code of the command" exits 3 '' "$GPUOA" record -o x.data -s RenderBasic -- sh -c 'exit 3'
ctrl_c_of_record() {
	interrupted INT 1 "$GPUOA" record -o x.data -s RenderBasic && "$GPUOA" report x.data
}
check "Ctrl-C keeps a recording" ctrl_c_of_record
cp gpuoa.data before.data
check "mistyped command returns 127" exits 127 'cannot execute nosuchcmd' "$GPUOA" record -s RenderBasic -- nosuchcmd
check "mistyped command keeps the last recording" cmp before.data gpuoa.data
is_large() { # file
	[ "$(stat -c %s "$1")" -gt 1000000 ]
}
killed() {
	rm x.data
	start_user gpuoa0 "$GPUOA" record -o x.data -s RenderBasic -F 10000 && wait_until is_large x.data
	kill -KILL "$user"
	wait "$user"
	"$GPUOA" report x.data
}
check "SIGKILL keeps a recording" killed
check "full disk is an error" exits 1 'No space left' "$GPUOA" record -o /dev/full -s RenderBasic -- sleep 0.2

# A recording for some metrics stores only the dwords that they need, and their values are correct.
check "record -m stores fields of some metrics" says "$LOSS" \
	"$GPUOA" record -o thin.data -s RenderBasic -m GpuBusy,EuActive,GpuTime -F 5000 -- sleep 1
takes_an_eighth() {
	awk '{ exit !($3 > 1000 && $5 / $3 < 256 / 8) }' said
}
check "record -m needs an eighth of the space" takes_an_eighth
check "report of record -m prints available metrics" bash -c "
	'$GPUOA' report --json --total thin.data >columns && jq -e 'has(\"GpuBusy\") and has(\"EuActive\") and has(\"GpuTime\")' columns &&
	jq -e 'has(\"EuStall\") or has(\"VsThreads\") | not' columns"
check "report of record -m explains missing metrics" says 'no value for EuStall: it was recorded without its counters' \
	"$GPUOA" report -m EuActive,EuStall thin.data
# Reference values for the interval of the totals in the file "found"
reference_of_found() {
	local begin end
	read -r begin end < <(jq -r '"\(.begin_ticks) \(.end_ticks)"' found)
	reference gpuoa0 "$begin" "$end"
}
masked_agrees() {
	totals thin.data EuActive,GpuBusy,GpuTime >found
	reference_of_found | grep -E '^(EuActive|GpuBusy|GpuTime) ' >expected
	[ "$(wc -l <expected)" = 3 ] && while read -r name value; do
		jq -e "(.$name - $value | fabs) <= 1e-6 * $value" found || exit 1
	done <expected
}
check "report of record -m equals the reference" masked_agrees
check "record -m rejects unknown metrics" exits 1 "no metric 'GpuBusi'" "$GPUOA" record -s RenderBasic -m GpuBusi -- true

is_complete() { # recording
	"$GPUOA" report --total -m GpuTime "$1" 2>&1 | tee said
	! grep -q 'lost' said
}
# The reference covers the whole time, so skip a recording with losses. Values have the relative
# error of a 32-bit float, as in the library.
agrees() { # recording
	if [ -z "${GPUOA_VIRTUAL_TIME-}" ] && ! is_complete "$1"; then
		echo "reports were lost: the host is busy"
		return "$SKIPPED"
	fi
	totals "$1" "$(cut -d ' ' -f 1 expected | paste -sd ,)" >found
	jq -Rn --slurpfile t found '[inputs | split(" ") | {name: .[0], value: (.[1] | tonumber)} |
		select(((($t[0][.name] - .value) | fabs) > 1e-6 * ([1, (.value | fabs)] | max)))] |
		if length == 0 then "agrees" else . end' <expected | tee disagree
	grep -q agrees disagree
}
expect_metrics_of() { # recording
	totals "$1" GpuTime >found
	reference_of_found >expected
	[ "$(wc -l <expected)" -gt 60 ]
}
check "simulator returns the reference of a recording" expect_metrics_of gpuoa.data
[ -z "${GPUOA_VIRTUAL_TIME-}" ] || check "nothing of it was lost" is_complete gpuoa.data
check "recording equals the reference" agrees gpuoa.data
check "record --aux records" says "$LOSS" "$GPUOA" record --aux -o aux.data -s RenderBasic -F 5000 -- sleep 0.5
check "simulator returns the reference of record --aux" expect_metrics_of aux.data
check "recording of record --aux equals the reference" agrees aux.data
recording_shares_unit() {
	hold record -o x.data -s RenderBasic && "$GPUOA" stat -s RenderBasic -- true &&
		"$GPUOA" record -o y.data -s RenderBasic -- true && let_go
}
check "record shares the unit" recording_shares_unit
aux_does_not_share() {
	hold record -o x.data -s RenderBasic &&
		"$GPUOA" record --aux -o y.data -s RenderBasic -- true 2>&1 | grep 'AUX mode needs it alone' && let_go
}
check "record --aux does not share the unit" aux_does_not_share

# ---- flight recorder -------------------------------------------------------------------------------

check "record --overwrite records" says " [0-9]+ reports, [0-9]+ bytes,$LOSS" \
	"$GPUOA" record --overwrite -o flight.data -s RenderBasic -F 45000 -- sleep 3
# The largest buffer, 16 MiB, has space for 65535 reports.
check "record --overwrite keeps the newest reports only" bash -c "
	'$GPUOA' report --csv -m GpuTime flight.data | awk 'END { exit NR < 60000 || NR > 65536 }'"
check "simulator returns the reference of record --overwrite" expect_metrics_of flight.data
check "recording of record --overwrite equals the reference" agrees flight.data
has_half_a_second() { # recording
	totals "$1" GpuTime | jq -e '.GpuTime > 5e8'
}
sigusr2_writes_snapshot() {
	start_user gpuoa0 "$GPUOA" record --overwrite -o flight.data -s RenderBasic -F 1000 >said 2>&1 || return
	sleep 1
	kill -USR2 "$user"
	wait_until has_half_a_second flight.data || return
	sleep 1
	kill -INT "$user"
	wait "$user" && cat said && grep ' 0 lost' said &&
		"$GPUOA" report --csv -m GpuTime flight.data |
		awk -F, 'NR > 2 && $1 <= last { bad = 1 } { last = $1 } END { exit bad || NR < 2000 }'
}
check "SIGUSR2 writes each report once" sigusr2_writes_snapshot

# ---- losses ----------------------------------------------------------------------------------------

check "hardware losses are counted" says ' 5 lost' "$GPUOA" record -o lossy.data -s RenderBasic -- \
	bash -c "sleep 0.3; echo 5 >$DEBUG/lose_reports; sleep 0.3"
check "hardware losses are printed" says '5 reports were lost' "$GPUOA" report lossy.data
check "overflow of the OABUFFER is counted" says '[1-9][0-9]* lost' "$GPUOA" record -o lossy.data -s RenderBasic -- \
	bash -c "sleep 0.3; echo 1 >$DEBUG/force_overflow; sleep 0.3"
check "intervals end at an overflow" bash -c \
	"'$GPUOA' report --csv -m GpuTime lossy.data | awk -F, 'NR > 1 && \$2 != 655360 { exit 1 }'"

# ---- removal of a GPU ----------------------------------------------------------------------------

# Run a command on a new GPU, and remove the GPU while it runs. Succeeds if the command then exits
# with 1.
remove_gpu_during() { # command; DEVICE in it is replaced by the unit's name
	local command=$1 device path unit status
	set -- /sys/devices/platform/gpuoa_sim.*
	echo hsw_gt2 >/sys/bus/gpuoa_sim/new_device || return
	device=$(printf '%s\n' /sys/devices/platform/gpuoa_sim.* "$@" | sort | uniq -u)
	path=$(echo "$device"/gpuoa/gpuoa*)
	unit=$(basename "$path")
	start_user "$unit" bash -c "exec ${command//DEVICE/$unit}" || return
	sleep 1
	echo "${device##*.}" >/sys/bus/gpuoa_sim/del_device || return
	wait "$user"
	status=$?
	[ $status = 1 ] || echo "exit code $status"
	return $((status != 1))
}
check "record ends when its GPU is removed" says 'the GPU was removed; gone.data has the reports before that' \
	remove_gpu_during "timeout $(scaled 20) '$GPUOA' record -d DEVICE -o gone.data -s RenderBasic"
check "record keeps the reports before the removal" bash -c "
	'$GPUOA' report --json --total -m GpuTime gone.data | jq -e '.GpuTime > 1e8'"
check "record --overwrite ends when its GPU is removed" says 'the GPU was removed; gone.data has the reports before that' \
	remove_gpu_during "timeout $(scaled 20) '$GPUOA' record --overwrite -d DEVICE -o gone.data -s RenderBasic"
check "record --overwrite keeps the reports before the removal" bash -c "
	'$GPUOA' report --json --total -m GpuTime gone.data | jq -e '.GpuTime > 1e8'"
check "stat ends when its GPU is removed and prints totals" says '[0-9] +ns +GpuTime' \
	remove_gpu_during "timeout $(scaled 20) '$GPUOA' stat -d DEVICE -m GpuTime -s RenderBasic"
check "removal keeps the other GPU" says GpuTime "$GPUOA" stat -s RenderBasic -- sleep 0.1

# ---- the stock perf tool ---------------------------------------------------------------------------

if ! command -v perf >/dev/null; then
	echo "1..$number"
	exit 0
fi
check "perf evlist prints the event's name" says '^gpuoa0/RenderBasic/$' perf evlist -i gpuoa.data
check "perf report -D prints the samples" says PERF_RECORD_SAMPLE perf report -D -i gpuoa.data
check "perf script prints the samples" says 'gpuoa0/RenderBasic/' perf script -i gpuoa.data

id=$(cat /sys/class/gpuoa/gpuoa0/metrics/$RENDER_BASIC/id)
read_back() { # file
	totals "$1" GpuTime | jq -e '.GpuTime > 1e8'
}
# The ring holds the whole recording, because perf under emulation may read it only at the end.
check "perf record records" perf record -q -a -R -m 8M -e "gpuoa0/metric_set=$id/" -F 5000 -o p.data -- sleep 0.5
check "report reads perf.data" read_back p.data
# The ring holds the whole recording, but perf may stop late.
[ -z "${GPUOA_VIRTUAL_TIME-}" ] || check "nothing of it was lost" is_complete p.data
check "simulator returns the reference of perf.data" expect_metrics_of p.data
check "perf.data equals the reference" agrees p.data
check "perf record records other events as well" \
	perf record -q -a -R -e "gpuoa0/metric_set=$id/" -e cpu-clock -F 5000 -o p.data -- sleep 0.5
check "report finds the gpuoa event among others" read_back p.data
check "perf record writes to a pipe" bash -c \
	"perf record -q -a -R -e gpuoa0/metric_set=$id/ -F 5000 -o - -- sleep 0.5 | cat >p.data"
check "report reads the pipe's layout" read_back p.data
# perf, the parent of the command, is stopped, so it does not read.
# shellcheck disable=SC2016 # $PPID is for the inner shell
check "perf record with a small buffer loses samples" \
	perf record -q -a -R -m 16 -e "gpuoa0/metric_set=$id/" -F 5000 -o p.data -- \
	sh -c 'kill -STOP $PPID; sleep 0.5; kill -CONT $PPID; sleep 0.1'
check "report counts the lost reports" says '[0-9]+ reports were lost' "$GPUOA" report p.data

# ---- unprivileged users --------------------------------------------------------------------------

paranoid=$(cat /proc/sys/kernel/perf_event_paranoid)
chmod 755 "$DIR"
as_nobody() {
	setpriv --reuid=65534 --regid=65534 --clear-groups "$@"
}
echo 2 >/proc/sys/kernel/perf_event_paranoid
check "unprivileged list works" says '^gpuoa0' as_nobody "$GPUOA" list
check "unprivileged stat prints a remedy" exits 1 'CAP_PERFMON.*perf_event_paranoid \(now 2\)' \
	as_nobody "$GPUOA" stat -s RenderBasic -- true
check "unprivileged list of GPUs works" says '^gpuoa_sim.0 .*gpuoa_sim .*gpuoa0' as_nobody "$GPUOA" list gpus
check "list devices prints engines" says '"engines":\["rcs0"' "$GPUOA" --json list
check "unprivileged doctor prints the problem" exits 1 '^denied   kernel.perf_event_paranoid is 2' as_nobody "$GPUOA" doctor
check "unprivileged doctor returns 1" fails as_nobody "$GPUOA" -q doctor
check "doctor as root finds no problem" "$GPUOA" doctor
check "doctor rejects an unknown unit" exits 1 'gpuoa99: no such OA unit' "$GPUOA" -d gpuoa99 doctor
echo -1 >/proc/sys/kernel/perf_event_paranoid
echo 0 >/proc/sys/dev/gpuoa/paranoid
check "doctor finds no problem with low sysctls" as_nobody "$GPUOA" doctor
check "unprivileged stat works with low perf_event_paranoid" says 'GpuBusy' \
	as_nobody "$GPUOA" stat -s RenderBasic -- sleep 0.2
# A set that no test has used since boot, if there is one
for unknown in $("$GPUOA" --json list sets | jq -r '"\(.set)/\(.uuid)"'); do
	[ -e "/sys/class/gpuoa/gpuoa0/metrics/${unknown#*/}" ] || break
	unknown=
done
if [ -n "$unknown" ]; then
	unknown=${unknown%/*}
	check "unprivileged stat of a new set prints a remedy" exits 1 "run 'gpuoa add-config -s $unknown' once as root" \
		as_nobody "$GPUOA" stat -s "$unknown" -- true
	check "unprivileged add-config prints the same remedy" exits 1 "run 'gpuoa add-config -s $unknown' once as root" \
		as_nobody "$GPUOA" add-config -s "$unknown"
	check "add-config as root adds the set" "$GPUOA" add-config -s "$unknown"
	check "unprivileged stat of the added set works" says 'GpuTime' as_nobody "$GPUOA" stat -s "$unknown" -- sleep 0.2
fi
mlock=$(cat /proc/sys/kernel/perf_event_mlock_kb)
echo 0 >/proc/sys/kernel/perf_event_paranoid
echo 0 >/proc/sys/kernel/perf_event_mlock_kb
check "unprivileged stat without locked memory prints a remedy" exits 1 'perf_event_mlock_kb \(now 0\)' \
	as_nobody bash -c "ulimit -l 0; exec '$GPUOA' stat -s RenderBasic -- true"
echo "$mlock" >/proc/sys/kernel/perf_event_mlock_kb
echo "$paranoid" >/proc/sys/kernel/perf_event_paranoid
echo 1 >/proc/sys/dev/gpuoa/paranoid

echo "1..$number"
