#!/bin/bash
# gpuoa exporter, with recordings: what it prints and serves, by promtool and Prometheus; prints TAP
# shellcheck disable=SC2016 # awk has variables of its own
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

check "there is help" grep -q '^Usage: gpuoa exporter' <("$GPUOA" exporter --help)
check "an interval is a number" exits 2 'wants a number' "$GPUOA" exporter --interval soon
check "a recording is there" exits 1 'No such file' "$GPUOA" exporter --once "$DIR/nothing"

# ---- what it prints --------------------------------------------------------------------------------

"$BUILD/tools/tests/make_recordings" gpuoa "$DIR/own" || exit
check "an address is an address" exits 1 'is no address' "$GPUOA" exporter --listen nowhere "$DIR/own"
"$GPUOA" exporter --once "$DIR/own" >"$DIR/openmetrics"
"$GPUOA" exporter --once --text "$DIR/own" >"$DIR/text"

value_of() { # name, labels that are among its
	grep -E "^$1\{.*$2.*\} " "$DIR/openmetrics" | cut -d' ' -f2
}
is() { # value, name, labels
	local found
	found=$(value_of "$2" "$3")
	echo "$2 is $found"
	awk -v a="$found" -v b="$1" 'BEGIN { exit !(a != "" && (a - b) ^ 2 <= 1e-12 * b ^ 2) }'
}
total_of() { # metric
	"$GPUOA" report -q --csv --total -m "$1" "$DIR/own" | sed -n 2p | cut -d, -f5
}

check "OpenMetrics ends as it has to" [ "$(tail -1 "$DIR/openmetrics")" = "# EOF" ]
check "the name of a family ends with its unit" awk '$2 == "UNIT" && $3 !~ "_" $4 "$" { bad = 1 } END { exit bad }' "$DIR/openmetrics"
check "each family is there once" [ -z "$(grep '^# TYPE' "$DIR/openmetrics" | sort | uniq -d)" ]
check "samples follow their head" awk '$1 == "#" && $2 == "TYPE" { name = $3 }
	$1 != "#" { sample = $1; sub(/\{.*/, "", sample); sub(/_total$/, "", sample); if (sample != name) { print; bad = 1 } }
	END { exit bad }' "$DIR/openmetrics"
if command -v promtool >/dev/null; then
	check "promtool finds nothing to complain of" promtool check metrics <"$DIR/text"
else
	skip "promtool finds nothing to complain of" "prometheus is not installed"
fi
check "time is counted in seconds" is 0.191 gpuoa_gpu_time_seconds_total 'unit="gpuoa0"'
check "of each unit" is 0.049 gpuoa_gpu_time_seconds_total 'unit="gpuoa1".*set="ComputeBasic"'
check "cycles are what gpuoa report says" is "$(total_of GpuCoreClocks)" gpuoa_gpu_core_clocks_total 'unit="gpuoa0"'
check "bytes, too" is "$(total_of GtiReadThroughput)" gpuoa_gti_read_throughput_bytes_total 'unit="gpuoa0"'
check "a share is a ratio" is "$(awk -v p="$(total_of EuActive)" 'BEGIN { print p / 100 }')" gpuoa_eu_active_ratio 'unit="gpuoa0"'
check "and counted, as seconds" is "$(awk -v p="$(total_of EuActive)" 'BEGIN { print p / 100 * .191 }')" \
	gpuoa_eu_active_seconds_total 'unit="gpuoa0"'
check "what was lost is counted" is 7 gpuoa_reports_lost_total 'unit="gpuoa0".*where="hardware"'
check "reports are counted" is 193 gpuoa_reports_total 'unit="gpuoa0"'
dashboard_exists() {
	local name
	for name in $(jq -r '.panels[].targets[].expr' tools/exporter/dashboard.json | grep -oE 'gpuoa_[a-z0-9_]+' | sort -u); do
		grep -q "^$name{" "$DIR/openmetrics" || { echo "no $name"; return 1; }
	done
	[ -n "${name-}" ]
}
check "all that the dashboard shows exists" dashboard_exists

# ---- what it serves --------------------------------------------------------------------------------

check "it says where it listens" serve "$DIR/own"
check "it serves metrics" wait_until has_values
check "as it prints them" cmp <(fetch "$URL/metrics") "$DIR/text"
check "and to Prometheus in OpenMetrics" cmp <(fetch -H 'Accept: application/openmetrics-text;version=1.0.0,text/plain;q=0.5' \
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
	check "Prometheus scrapes it" wait_until scraped
	is_content() {
		fetch "http://127.0.0.1:$port/api/v1/targets" |
			jq -e '.data.activeTargets[0] | .health == "up" and .lastError == ""'
	}
	check "and is content" wait_until is_content
	knows_families() {
		fetch "http://127.0.0.1:$port/api/v1/metadata" | jq -e '.data.gpuoa_eu_active_seconds[0] |
			.type == "counter" and .unit == "seconds"'
	}
	check "it knows what families are" wait_until knows_families
	kill $prometheus
	wait $prometheus
	prometheus=''
else
	skip "Prometheus scrapes it" "prometheus is not installed"
fi
check "it ends when it is told to" ends
if command -v systemd-analyze >/dev/null; then
	check "its service leaves little to attack" systemd-analyze security --offline=true --threshold=30 \
		tools/exporter/gpuoa-exporter.service
else
	skip "its service leaves little to attack" "systemd is not installed"
fi
echo "1..$number"
