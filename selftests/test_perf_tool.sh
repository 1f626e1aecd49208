#!/bin/bash
# SPDX-License-Identifier: MIT
# test_perf_tool.sh - the stock perf tool against gpuoa0, as with any PMU
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

# Debian's /usr/bin/perf looks for the running kernel's perf; any will do.
perf() { "$PERF" "$@"; }
for PERF in /usr/bin/perf_* /usr/bin/perf; do
	[ -x "$PERF" ] && "$PERF" --version >/dev/null 2>&1 && break
done

samples() { # file: number of samples
	perf script -D -i "$1" 2>/dev/null | grep -c 'PERF_RECORD_SAMPLE'
}

in_list() { perf list | grep -q 'gpuoa0/test_oa/'; }

record_frequency() {
	perf record -q -a -R -m 32M -e gpuoa0/metric_set=1/ -F 10000 -o "$dir/f.data" -- sleep 0.5 &&
		[ "$(samples "$dir/f.data")" -ge 20 ]
}

record_period() {
	perf record -q -a -R -e gpuoa0/metric_set=1/ -c 1000000 -o "$dir/p.data" -- sleep 0.5 &&
		[ "$(samples "$dir/p.data")" -ge 20 ]
}

record_terms() {
	perf record -q -a -R -e gpuoa0/metric_set=1,format=1,exponent=9/ -o "$dir/t.data" -- sleep 0.2 &&
		[ "$(samples "$dir/t.data")" -ge 10 ]
}

record_alias() {
	perf record -q -a -R -e gpuoa0/test_oa/ -o "$dir/a.data" -- sleep 0.2 && [ "$(samples "$dir/a.data")" -ge 10 ]
}

beside_others() {
	perf record -q -a -R -e gpuoa0/test_oa/ -e cpu-clock -o "$dir/o.data" -- sleep 0.3 &&
		perf evlist -i "$dir/o.data" | grep -q gpuoa0 && perf evlist -i "$dir/o.data" | grep -q cpu-clock
}

raw_dump() { perf report -D -i "$dir/f.data" | grep -q '47 4f 41 31'; }
script() { [ "$(perf script -i "$dir/f.data" -F event,time | grep -c gpuoa0)" -ge 20 ]; }
report_names_it() { perf report --stdio -i "$dir/f.data" 2>/dev/null | grep -q 'gpuoa0/metric_set=1/'; }
needs_raw() { ! perf record -q -a --no-buffering -e gpuoa0/metric_set=1/ -o "$dir/n.data" -- true; }
bad_set() { ! perf record -q -a -R -e gpuoa0/metric_set=4711/ -o "$dir/n.data" -- true; }
bad_term() { ! perf record -q -a -R -e gpuoa0/nonsense=1/ -o "$dir/n.data" -- true; }
no_lost() { ! perf report -D -i "$dir/f.data" | grep -q PERF_RECORD_LOST; }

echo "TAP version 13"
echo "1..13"
check "perf list shows the PMU's event" in_list
check "perf record -F picks the rate" record_frequency
check "perf record -c picks the period" record_period
check "format and exponent are terms" record_terms
check "the alias records" record_alias
check "events of other PMUs record beside it" beside_others
check "perf report -D shows the payload" raw_dump
check "perf script lists the samples" script
check "perf report knows the event's name" report_names_it
check "nothing was lost" no_lost
check "without -R it is refused" needs_raw
check "an unknown metric set is refused" bad_set
check "an unknown term is refused" bad_term
exit $failed
