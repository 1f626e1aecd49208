#!/bin/bash
# SPDX-License-Identifier: MIT
# test_perf_tool.sh - the stock perf tool with the PMU gpuoa0
set -u
n=0 failed=0
dir=$(mktemp -d)
trap 'rm -rf "$dir"' EXIT

report() { # status name
	n=$((n + 1))
	if [ "$1" = 0 ]; then
		echo "ok $n $2"
	else
		echo "not ok $n $2"
		failed=1
	fi
}

check() { # name command...
	local name=$1
	shift
	if "$@" >"$dir/log" 2>&1; then
		report 0 "$name"
	else
		report 1 "$name"
		sed 's/^/# /' "$dir/log" | tail -20
	fi
}

# The tool is $PERF, a path, or the first one that starts: Debian's /usr/bin/perf requires the running
# kernel's version, but other versions work as well.
perf() { "$PERF" "$@"; }
for PERF in ${PERF:+"$PERF"} /usr/bin/perf_* /usr/bin/perf; do
	[ -x "$PERF" ] && "$PERF" --version >/dev/null 2>&1 && break
done

# Count the records of each type. A full dump takes ten times as long on an emulated CPU.
records() { # file
	perf report --stats -i "$1" 2>/dev/null
}

samples() { # file: number of samples
	records "$1" | sed -n '/ SAMPLE events: /{s/.*: *\([0-9]*\).*/\1/p;q}'
}

# Skip the collection of build IDs, which reads all mapped files; record_period includes it.
record() { # argument...
	perf record -q -B -N "$@"
}

in_list() { perf list | grep -q 'gpuoa0/test_oa/'; }

record_frequency() {
	record -a -R -m 32M -e gpuoa0/metric_set=1/ -F 10000 -o "$dir/f.data" -- sleep 0.5 &&
		[ "$(samples "$dir/f.data")" -ge 20 ]
}

record_period() {
	perf record -q -a -R -e gpuoa0/metric_set=1/ -c 1000000 -o "$dir/p.data" -- sleep 0.5 &&
		[ "$(samples "$dir/p.data")" -ge 20 ]
}

record_terms() {
	record -a -R -e gpuoa0/metric_set=1,format=1,exponent=9/ -o "$dir/t.data" -- sleep 0.2 &&
		[ "$(samples "$dir/t.data")" -ge 10 ]
}

record_alias() {
	record -a -R -e gpuoa0/test_oa/ -o "$dir/a.data" -- sleep 0.2 && [ "$(samples "$dir/a.data")" -ge 10 ]
}

beside_others() {
	record -a -R -e gpuoa0/test_oa/ -e cpu-clock -o "$dir/o.data" -- sleep 0.3 &&
		perf evlist -i "$dir/o.data" | grep -q gpuoa0 && perf evlist -i "$dir/o.data" | grep -q cpu-clock
}

# perf stat -x: value;unit;name;time the counter ran;percent of the time it was enabled
counted() { # event... : each has a value, and ran all the time
	perf stat -a -x ';' -o "$dir/stat" "${@/#/-e}" -- sleep 0.2 && grep -c ';100.00;' "$dir/stat" | grep -qx "${expect:-$#}" &&
		! grep -q '^0;\|not counted\|not supported' "$dir/stat"
}

stat_counter() { counted gpuoa0/a7,metric_set=1/; }
stat_number() { counted gpuoa0/counter=0x201,metric_set=1,exponent=10/; }
stat_alias() { counted gpuoa0/gpu-busy/ gpuoa0/gpu-clocks/ gpuoa0/eu-active/ gpuoa0/eu-stall/; }
# With the cpu-clock event, which can follow a task, perf needs -a.
stat_beside() { counted gpuoa0/a7,metric_set=1/ cpu-clock; }

# With TestOa, B1 and B2 count every clock, so they are equal in one report.
stat_group() {
	expect=3 counted '{gpuoa0/b1,metric_set=1/,gpuoa0/b2,metric_set=1/,gpuoa0/timestamp,metric_set=1/}' &&
		[ "$(grep -o '^[0-9]*' "$dir/stat" | sort -u | wc -l)" = 2 ]
}

stat_interval() {
	perf stat -x ';' -I 100 -o "$dir/stat" -e '{gpuoa0/b1,metric_set=1/,gpuoa0/b2,metric_set=1/}' -- sleep 0.6 &&
		grep ';gpuoa0' "$dir/stat" | cut -d ';' -f 1,2 | uniq -c >"$dir/pairs" &&
		[ "$(grep -c '^ *2 ' "$dir/pairs")" -ge 4 ] && ! grep -v '^ *2 ' "$dir/pairs"
}

# 0.2 s of sleep are at least as many ns of GPU time; the event's unit is ns.
stat_time() {
	counted gpuoa0/gpu-time/ && awk -F ';' '/gpu-time/ { exit !($2 == "ns" && $1 > 1.9e8 && $1 < 2e9) }' "$dir/stat"
}

stat_needs_set() { perf stat -x ';' -e gpuoa0/a7/ -- true 2>&1 | grep -q 'not supported'; }
stat_bad_name() { ! perf stat -e gpuoa0/a45,metric_set=1/ -- true; }

# Samples of the leader contain the values of all members.
record_leader() {
	record -C "$(cat /sys/bus/event_source/devices/gpuoa0/cpumask)" -e '{cpu-clock:D,gpuoa0/b1,metric_set=1/,gpuoa0/b2,metric_set=1/}:S' -F 500 -o "$dir/l.data" -- sleep 0.3 &&
		perf script -D -i "$dir/l.data" | grep -q 'group nr 3'
}

raw_dump() { perf report -D -i "$dir/f.data" | grep -q '47 4f 41 31'; }
script() { [ "$(perf script -i "$dir/f.data" -F event,time | grep -c gpuoa0)" -ge 20 ]; }
report_names_it() { perf report --stdio -i "$dir/f.data" 2>/dev/null | grep -q 'gpuoa0/metric_set=1/'; }
needs_raw() { ! perf record -q -a --no-buffering -e gpuoa0/metric_set=1/ -o "$dir/n.data" -- true; }
bad_set() { ! perf record -q -a -R -e gpuoa0/metric_set=4711/ -o "$dir/n.data" -- true; }
bad_term() { ! perf record -q -a -R -e gpuoa0/nonsense=1/ -o "$dir/n.data" -- true; }
no_lost() {
	records "$dir/f.data" >"$dir/stats" && grep -q ' SAMPLE events' "$dir/stats" && ! grep ' LOST' "$dir/stats"
}

# The kernel adds dev, uevent and power to each device.
unit_attributes() {
	cd /sys/class/gpuoa/gpuoa0 && find . -type f ! -path './power/*' ! -name uevent ! -name dev |
		sed 's|^\./||; s|^metrics/[^/]*/|metrics/<uuid>/|' | sort -u
}

documented() {
	local abi=Documentation/ABI/testing name missing=0
	for name in /sys/bus/event_source/devices/gpuoa0/format/*; do
		grep -qw "${name##*/}" "$abi/sysfs-bus-event_source-devices-gpuoa" || { echo "$name"; missing=1; }
	done
	for name in $(unit_attributes); do
		grep -q "/gpuoa<N>/$name\$" "$abi/sysfs-class-gpuoa" || { echo "$name"; missing=1; }
	done
	return "$missing"
}

echo "TAP version 13"
echo "1..24"
check "perf list prints the PMU's event" in_list
check "perf record -F selects the rate" record_frequency
check "perf record -c selects the period" record_period
check "perf record accepts the terms format and exponent" record_terms
check "perf record accepts the alias test_oa" record_alias
check "perf record records events of other PMUs as well" beside_others
check "perf report -D prints the payload" raw_dump
check "perf script prints the samples" script
check "perf report prints the event's name" report_names_it
check "perf record loses nothing" no_lost
check "perf stat counts a counter by name" stat_counter
check "perf stat counts a counter by number" stat_number
check "perf stat counts named events without a set" stat_alias
check "perf stat prints time in ns" stat_time
check "perf stat counts a group from one report" stat_group
check "perf stat -I counts a group from one report" stat_interval
check "perf stat counts events of other PMUs as well" stat_beside
check "samples of another leader contain counts" record_leader
check "counter without a metric set is not supported" stat_needs_set
check "unknown counter is rejected" stat_bad_name
check "perf record without -R is rejected" needs_raw
check "unknown metric set is rejected" bad_set
check "unknown term is rejected" bad_term
check "attributes in sysfs are documented" documented
exit $failed
