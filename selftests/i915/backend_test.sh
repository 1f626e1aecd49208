#!/bin/bash
# gpuoa on the stock i915 of a virtual GPU, without gpuoa's modules: output of the tools matches the
# reference, and messages name the unit's user or the missing permission.
#
# One counter is compared exactly in each interval. lib/tests/gpus_reference.c compares all metrics of
# all sets.
set -u
. selftests/i915/guest.sh
gpuoa=$BUILD/tools/gpuoa
set_name=RenderBasic
# Metric to compare, and its counter. Haswell's clocks depend on the set programmed at query time.
metric=GpuCoreClocks counter=clock

nobody() { setpriv --reuid=65534 --regid=65534 --clear-groups --inh-caps=-all --bounding-set=-all "$@"; }

# Check that a command fails with this message.
fails_with() { # words command...
	local words=$1
	shift
	"$@" >"$tmp/out" 2>&1 && { echo "it succeeded"; return 1; }
	cat "$tmp/out"
	grep -qF -- "$words" "$tmp/out"
}

lists_the_unit() {
	$gpuoa list --csv | tee "$tmp/list"
	grep -q '^i915:0,' "$tmp/list"
}

# Check that the tools accept a name of the GPU.
is_found_by() { # name
	$gpuoa -d "$1" list --csv | grep '^i915:0,'
}

# Compare lines "FROM TO COUNT", in ticks, with the reference. The tools' timestamps have 36 bits.
counts_are_true() { # file least
	local from to count now reference wrong=0 n=0
	now=$(vgpu timestamp)
	while read -r from to count; do
		to=$((now - ((now - to) & 0xfffffffff)))
		from=$((to - ((to - from) & 0xfffffffff)))
		reference=$(vgpu reference $from $to)
		reference=${reference#*"counter $counter "}
		reference=${reference%%$'\n'*}
		[ "$count" = "$reference" ] || { echo "$from..$to: shown $count, reference $reference"; wrong=$((wrong + 1)); }
		n=$((n + 1))
	done <"$1"
	echo "$n intervals, $wrong wrong"
	[ $n -ge "${2:-1}" ] && [ $wrong = 0 ]
}

stat_is_true() {
	$gpuoa stat --csv -m "$metric" -s $set_name -I 100 -- sleep 0.5 >"$tmp/stat" || return
	awk -F, 'NR > 1 { print $3, $4, $NF }' "$tmp/stat" >"$tmp/rows"
	counts_are_true "$tmp/rows" 3
}

# Convert ns, which were rounded down, to ticks by rounding up.
ticks() { # ns
	# shellcheck disable=SC2017 # in two parts, so that nothing overflows
	echo $(($1 / 1000000000 * hz + ($1 % 1000000000 * hz + 999999999) / 1000000000))
}

# Each row ends where the next one starts.
record_is_true() {
	local time count last='' hz
	hz=$($gpuoa list --csv | awk -F, 'NR == 1 { for (i = 1; i <= NF; i++) if ($i == "timestamp_frequency") f = i }
		NR == 2 { print $f }')
	$gpuoa record -s $set_name -o "$tmp/data" -- sleep 0.3 || return
	$gpuoa report "$tmp/data" | tee "$tmp/report"
	grep -q "of i915:0" "$tmp/report" || return
	$gpuoa report "$tmp/data" --csv -m $metric >"$tmp/csv" || return
	[ "$(wc -l <"$tmp/csv")" -gt 100 ] || return
	while IFS=, read -r time count; do
		[ -z "$last" ] || echo "$(ticks "$last") $(ticks "$time") $count"
		last=$time
	done < <(sed -n '2,$p' "$tmp/csv" | head -20) >"$tmp/rows"
	counts_are_true "$tmp/rows" 15
}

names_user_of_unit() {
	local status
	recorder_begins $set_name "$tmp/recorded" 20000 || return
	fails_with "i915:0 is in use by i915-perf-recor" "$gpuoa" stat -s $set_name -- true
	status=$?
	recorder_ends
	return $status
}

doctor_lists_i915() {
	$gpuoa doctor | tee "$tmp/doctor"
	grep -q '^ok .*i915 offers i915:0$' "$tmp/doctor" && grep -q 'i915:0 by i915 needs no module' "$tmp/doctor" &&
		! grep -q '^limited' "$tmp/doctor"
}

unprivileged_is_denied() {
	nobody test -r "/dev/dri/renderD128" -a -w "/dev/dri/renderD128" || chmod 666 /dev/dri/renderD128
	fails_with "dev.i915.perf_stream_paranoid (now 1) to 0" nobody "$gpuoa" stat -s $set_name -- true
}

unprivileged_is_allowed() {
	local status
	sysctl -q dev.i915.perf_stream_paranoid=0
	nobody "$gpuoa" stat -s $set_name -- sleep 0.2 &&
		fails_with "dev.i915.oa_max_sample_rate (now 100000 Hz)" nobody "$gpuoa" stat -s $set_name -F 400000 -- true
	status=$?
	sysctl -q dev.i915.perf_stream_paranoid=1
	return $status
}

marks_are_refused() {
	fails_with "cannot mark: its driver i915 has no marks; load gpuoa.ko" "$gpuoa" mark 7
}

events_are_refused() {
	fails_with "i915 has no PMU of OA reports" "$gpuoa" add-config -s $set_name
}

[ "$($gpuoa list --csv | grep -c ',hsw,')" = 0 ] || { metric=SamplesWritten counter=A40; }
vgpu workload steady >/dev/null
check "list devices prints the unit" lists_the_unit
check "-d accepts the PCI address" is_found_by 0000:00:02.0
check "-d accepts the DRM node" is_found_by /dev/dri/renderD128
check "doctor lists i915-perf" doctor_lists_i915
check "stat equals the reference" stat_is_true
check "report equals the reference" record_is_true
check "unprivileged stat prints a remedy" unprivileged_is_denied
check "unprivileged stat works with perf_stream_paranoid=0" unprivileged_is_allowed
check "unit in use is an error with its user" names_user_of_unit
check "stat works after the unit is free" stat_is_true
check "mark is rejected with a message" marks_are_refused
check "add-config is rejected with a message" events_are_refused
plan
