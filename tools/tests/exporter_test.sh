#!/bin/bash
# Test gpuoa exporter with recordings: its output, checked by promtool and Prometheus. Prints TAP.
# shellcheck disable=SC2016 # expands in awk
set -u
. "$(dirname "$0")/host.sh"
needs exporter "libmicrohttpd-dev is"
. tools/tests/exporter.sh
prometheus=''
finish() {
	[ -z "$exporter" ] || kill "$exporter" 2>/dev/null
	[ -z "$prometheus" ] || kill "$prometheus" 2>/dev/null
	wait
	rm -rf "$DIR"
}
trap finish EXIT

check "exporter --help prints help" grep -q '^Usage: gpuoa exporter' <("$GPUOA" exporter --help)
check "--interval rejects text" exits 2 "interval: cannot read 'soon' as a time; give ms, or a number with a unit" \
	"$GPUOA" exporter --interval soon
check "-p rejects text" exits 2 "p: cannot read '1kHz' as a time; give ns, or a number with a unit" "$GPUOA" exporter -p 1kHz
check "--interval rejects two hours" exits 2 "interval: cannot use '2h': the most is 3600 s" "$GPUOA" exporter --interval 2h
check "--duty requires two times" exits 2 "duty: cannot read '1s'; give ON/PERIOD, such as 1s/15s" "$GPUOA" exporter --duty 1s
check "--duty requires a longer second time" exits 2 "duty: cannot use '2s/1s': the period must be longer than 2s" "$GPUOA" exporter --duty 2s/1s
check "--duty excludes --interval" exits 2 'duty excludes --interval' "$GPUOA" exporter --duty 1s/15s --interval 1s
check "--yield rejects unknown users" exits 2 "yield: cannot use 'me'; give root, all or none" "$GPUOA" exporter --yield me
check "--pause without an exporter is an error" exits 1 'cannot pause it: Connection refused; does it run' "$GPUOA" exporter --pause
check "--pause runs its command without an exporter" exits 7 'no exporter runs' "$GPUOA" exporter --pause -- sh -c 'exit 7'
check "--pause with a missing command returns 127" exits 127 'cannot execute nosuchcmd' "$GPUOA" exporter --pause nosuchcmd
check "missing recording is an error" exits 1 'No such file' "$GPUOA" exporter --once "$DIR/nothing"

# ---- output of --once ----------------------------------------------------------------------------

"$BUILD/tools/tests/make_recordings" gpuoa "$DIR/own" || exit
check "invalid address is rejected" exits 1 'is not an address' "$GPUOA" exporter --listen nowhere "$DIR/own"
check "port above 65535 is rejected" exits 1 'port up to 65535' "$GPUOA" exporter --listen 127.0.0.1:99999 "$DIR/own"
check "port must be a number" exits 1 'port up to 65535' "$GPUOA" exporter --listen 127.0.0.1:http "$DIR/own"
"$GPUOA" exporter --once "$DIR/own" >"$DIR/openmetrics"
"$GPUOA" exporter --once --text "$DIR/own" >"$DIR/text"

value_of() { # name, some of its labels
	grep -E "^$1\{.*$2.*\} " "$DIR/openmetrics" | cut -d' ' -f2
}
is() { # value, name, labels
	local found
	found=$(value_of "$2" "${3-}")
	echo "$2 is $found"
	awk -v a="$found" -v b="$1" 'BEGIN { exit !(a != "" && (a - b) ^ 2 <= 1e-12 * b ^ 2) }'
}
total_of() { # metric
	"$GPUOA" report -q --csv --total -m "$1" "$DIR/own" | sed -n 2p | cut -d, -f5
}

check "OpenMetrics ends with EOF" [ "$(tail -1 "$DIR/openmetrics")" = "# EOF" ]
check "family name ends with its unit" awk '$2 == "UNIT" && $3 !~ "_" $4 "$" { bad = 1 } END { exit bad }' "$DIR/openmetrics"
check "each family occurs once" [ -z "$(grep '^# TYPE' "$DIR/openmetrics" | sort | uniq -d)" ]
check "samples follow their family's header" awk '$1 == "#" && $2 == "TYPE" { name = $3 }
	$1 != "#" { sample = $1; sub(/\{.*/, "", sample); sub(/_total$/, "", sample); if (sample != name) { print; bad = 1 } }
	END { exit bad }' "$DIR/openmetrics"
if command -v promtool >/dev/null; then
	check "promtool accepts the Prometheus format" promtool check metrics <"$DIR/text"
else
	skip "promtool accepts the Prometheus format" "prometheus is not installed"
fi
check "GPU time is counted in seconds" is 0.191 gpuoa_gpu_time_seconds_total 'unit="gpuoa0"'
check "each unit has GPU time" is 0.049 gpuoa_gpu_time_seconds_total 'unit="gpuoa1".*set="ComputeBasic"'
check "cycles equal those of gpuoa report" is "$(total_of GpuCoreClocks)" gpuoa_gpu_core_clocks_total 'unit="gpuoa0"'
check "bytes equal those of gpuoa report" is "$(total_of GtiReadThroughput)" gpuoa_gti_read_throughput_bytes_total 'unit="gpuoa0"'
check "percentages are exported as ratios" is "$(awk -v p="$(total_of EuActive)" 'BEGIN { print p / 100 }')" gpuoa_eu_active_ratio 'unit="gpuoa0"'
check "percentages are counted as seconds" is "$(awk -v p="$(total_of EuActive)" 'BEGIN { print p / 100 * .191 }')" \
	gpuoa_eu_active_seconds_total 'unit="gpuoa0"'
check "lost reports are counted" is 7 gpuoa_reports_lost_total 'unit="gpuoa0".*where="hardware"'
check "reports are counted" is 193 gpuoa_reports_total 'unit="gpuoa0"'

# ---- selection of metrics ------------------------------------------------------------------------

"$GPUOA" exporter -q --once -m 'Eu*,GpuTime' "$DIR/own" >"$DIR/openmetrics"
names_of() { # prints names with the label set
	grep -oE '^gpuoa_[a-z0-9_]+\{[^}]*set=' "$DIR/openmetrics" | cut -d'{' -f1 | sort -u
}
only_wanted() { names_of | grep -q '^gpuoa_eu_active_ratio' && ! names_of | grep -vE '^gpuoa_(eu_|gpu_time_)'; }
check "-m pattern selects exported metrics" only_wanted
check "roles are exported with -m" grep -q '^gpuoa_busy_ratio{' "$DIR/openmetrics"
check "-m pattern without a match is an error" exits 1 "cannot use -m 'Nothing\*': no metric matches" "$GPUOA" exporter --once -m 'Nothing*' "$DIR/own"
check "error of -m names the set" exits 1 "^gpuoa: RenderBasic: cannot use -m 'Nothing\*'" \
	"$GPUOA" exporter --once -m 'Nothing*' "$DIR/own"
check "each pattern of -m must match" exits 1 "cannot use -m 'Nothing\*': no metric matches" \
	"$GPUOA" exporter --once -m 'Eu*,Nothing*' "$DIR/own"
check "each name of -m must match" exits 1 "no metric 'EuActiv'; did you mean 'EuActive'\?" \
	"$GPUOA" exporter --once -m 'GpuTime,EuActiv' "$DIR/own"
check "error of -m has one line" [ "$("$GPUOA" exporter --once -m 'Eu*,Nothing*' "$DIR/own" 2>&1 | wc -l)" = 1 ]
check "server checks -m" exits 1 "cannot use -m 'Nothing\*': no metric matches" \
	timeout 20 "$GPUOA" exporter --listen 127.0.0.1:0 -m 'Eu*,Nothing*' "$DIR/own"
check "empty -m is an error" exits 2 "m names no metric" "$GPUOA" exporter --once -m , "$DIR/own"
accepts() { "$GPUOA" exporter --once "$@" >/dev/null; }
check "-m pattern may match metrics of one unit only" accepts -m 'EuActive,SlmBytesRead' "$DIR/own"

# ---- ratios by clocks and by time ----------------------------------------------------------------

# The clock of this recording is four times as fast when the GPU is busy.
"$BUILD/tools/tests/recordings" clocks "$DIR/clocks" || exit
"$GPUOA" report -q --csv -m GpuTime,GpuCoreClocks,GpuBusy,EuActive "$DIR/clocks" >"$DIR/clocks.csv"
"$GPUOA" exporter --once "$DIR/clocks" >"$DIR/openmetrics"
mean_by() { # column of the weight, column of the ratio
	awk -F, -v w="$1" -v s="$2" 'NR > 1 { sum += $w * $s; all += $w } END { printf "%.12g", sum / all / 100 }' "$DIR/clocks.csv"
}
seconds_of() { # column of the ratio
	awk -F, -v s="$1" 'NR > 1 { sum += $2 * $s } END { printf "%.12g", sum / 1e11 }' "$DIR/clocks.csv"
}
sed -n 1,2p "$DIR/clocks.csv"
check "means by time and by clocks differ" awk -v time="$(mean_by 2 4)" -v clocks="$(mean_by 3 4)" 'BEGIN {
	print time, clocks; exit !(clocks > 1.5 * time) }'
check "busy seconds are integrated over time" is "$(seconds_of 4)" gpuoa_gpu_busy_seconds_total
check "active seconds are integrated over time" is "$(seconds_of 5)" gpuoa_eu_active_seconds_total
check "ratio gauge of a metric is a share of clocks" is "$(mean_by 3 4)" gpuoa_gpu_busy_ratio
check "busy gauge is a share of time" is "$(mean_by 2 4)" gpuoa_busy_ratio
check "active gauge is a share of time" is "$(mean_by 2 5)" gpuoa_active_ratio
check "seconds of a role equal those of its metric" is "$(seconds_of 4)" gpuoa_busy_seconds_total
check "HELP of a metric names the reference of its ratio" grep -q "^# HELP gpuoa_gpu_busy_ratio .* Share of the GPU's clocks" "$DIR/openmetrics"
check "HELP of a role names the reference of its ratio" grep -q "^# HELP gpuoa_busy_ratio Share of the time" "$DIR/openmetrics"

# ---- roles on all GPUs -------------------------------------------------------------------------------

has_roles() { # exposition
	local name
	for name in busy_ratio busy_seconds_total active_ratio active_seconds_total stall_ratio stall_seconds_total \
		clock_hertz clock_cycles_total memory_read_bytes_total memory_write_bytes_total; do
		grep -q "^gpuoa_$name{unit=\"gpuoa0\",gpu=\"[^\"]*\"} " "$1" || { echo "no $name"; return 1; }
	done
}
dashboard_exists() { # exposition
	local name
	for name in $(jq -r '.panels[].targets[].expr' tools/exporter/dashboard.json | grep -oE 'gpuoa_[a-z0-9_]+' | sort -u); do
		grep -q "^$name{" "$1" || { echo "no $name"; return 1; }
	done
	[ -n "${name-}" ]
}
for kind in game clocks lnl bmg; do
	"$BUILD/tools/tests/recordings" $kind "$DIR/$kind" || exit
	"$GPUOA" exporter --once "$DIR/$kind" >"$DIR/openmetrics"
	platform=$(grep '^gpuoa_unit_info' "$DIR/openmetrics" | grep -oE 'platform="[a-z0-9]+"' | cut -d'"' -f2)
	check "$platform has all roles" has_roles "$DIR/openmetrics"
	check "$platform has all metrics of the dashboard" dashboard_exists "$DIR/openmetrics"
done
"$GPUOA" exporter --once "$DIR/game" >"$DIR/openmetrics"
check "mean per thread is a gauge" grep -q '^# TYPE gpuoa_vs_eu_active_per_thread gauge' "$DIR/openmetrics"
no_sum_of_means() { ! grep 'per_thread_total' "$DIR/openmetrics"; }
check "mean per thread has no sum" no_sum_of_means
"$GPUOA" exporter --once "$DIR/own" >"$DIR/openmetrics"

# ---- HTTP ----------------------------------------------------------------------------------------

check "exporter serves a recording" serve "$DIR/own"
check "exporter serves the metrics of --once" wait_until has_values
check "exporter serves the text format" cmp <(fetch "$URL/metrics") "$DIR/text"
check "exporter serves OpenMetrics on request" cmp <(fetch -H 'Accept: application/openmetrics-text;version=1.0.0,text/plain;q=0.5' \
	"$URL/metrics") "$DIR/openmetrics"
check_methods

if command -v prometheus >/dev/null; then
	cat >"$DIR/prometheus.yml" <<-END
		global: { scrape_interval: 1s, scrape_timeout: 1s }
		scrape_configs:
		  - job_name: gpuoa
		    static_configs: [ { targets: [ "${URL#http://}" ] } ]
	END
	port=$((20000 + RANDOM % 20000))
	prometheus --config.file="$DIR/prometheus.yml" --storage.tsdb.path="$DIR/tsdb" --web.listen-address=127.0.0.1:$port \
		>"$DIR/prometheus.log" 2>&1 &
	prometheus=$!
	query() { # expression
		fetch -G "http://127.0.0.1:$port/api/v1/query" --data-urlencode "query=$1" 2>/dev/null
	}
	scraped() {
		query 'gpuoa_gpu_time_seconds_total{unit="gpuoa0"}' | jq -e '.data.result[0].value[1] == "0.191"'
	}
	check "Prometheus scrapes the exporter" wait_until scraped
	is_content() {
		fetch "http://127.0.0.1:$port/api/v1/targets" |
			jq -e '.data.activeTargets[0] | .health == "up" and .lastError == ""'
	}
	check "Prometheus reports no error" wait_until is_content
	knows_families() {
		fetch "http://127.0.0.1:$port/api/v1/metadata" | jq -e '.data.gpuoa_eu_active_seconds[0] |
			.type == "counter" and .unit == "seconds"'
	}
	check "Prometheus knows the types of families" wait_until knows_families
	kill $prometheus
	wait $prometheus
	prometheus=''
else
	skip "Prometheus scrapes the exporter" "prometheus is not installed"
fi
check "SIGTERM ends the exporter" ends
if [ -z "$("$GPUOA" -q list --json 2>/dev/null)" ]; then
	check "exporter serves without a GPU" serve --interval 100
	check "exporter without a GPU has no units" answers 200 /metrics
	check "exporter without a GPU has build info" grep -q '^gpuoa_build_info' "$DIR/body"
	no_units() { ! grep '^gpuoa_unit_up{' "$DIR/body"; }
	check "exporter without a GPU has no up sample" no_units
	check "exporter prints that it waits" grep -q "no OA unit: waiting for one" "$DIR/log"
	check "--pause returns the exit code of its command" exits 5 '' "$GPUOA" exporter --pause -- sh -c 'exit 5'
	paused() { "$GPUOA" exporter --pause -- sh -c 'exit 5' 2>"$DIR/said"; [ $? = 5 ] && [ ! -s "$DIR/said" ]; }
	check "--pause is granted without a GPU" paused
	check "SIGTERM ends the paused exporter" ends
	check "exporter serves with --yield none" serve --interval 100 --yield none
	check "--pause is rejected with --yield none" exits 1 'cannot pause it' "$GPUOA" exporter --pause
	check "SIGTERM ends the exporter" ends
	check "--once without a GPU is an error" exits 1 'no OA unit' "$GPUOA" exporter --once --interval 1
fi
# Like systemd, split the variable into arguments.
service_takes_arguments() {
	local file=tools/exporter/gpuoa-exporter.service
	grep -qx 'EnvironmentFile=-/etc/default/gpuoa-exporter' $file &&
		grep -qx 'ExecStart=/usr/bin/env gpuoa exporter $GPUOA_EXPORTER_ARGS' $file
}
check "service reads arguments from a file" service_takes_arguments
check "service may listen for requests of units" grep -q '^RestrictAddressFamilies=.*AF_UNIX' tools/exporter/gpuoa-exporter.service
if command -v systemd-analyze >/dev/null; then
	check "service has a low exposure level" systemd-analyze security --offline=true --threshold=30 \
		tools/exporter/gpuoa-exporter.service
else
	skip "service has a low exposure level" "systemd is not installed"
fi
echo "1..$number"
