#!/bin/bash
# Test gpuoa export: other programs (protoc, jq, i915-perf-reader) read the same values that gpuoa
# report prints. Prints TAP.
set -u
. "$(dirname "$0")/host.sh"
needs export "libprotobuf-c-dev and protobuf-c-compiler are"
. tools/tests/i915_reader.sh

refuses() { # name, exit code, pattern on stderr, arguments
	local name=$1 code=$2 pattern=$3
	shift 3
	check "$name" exits "$code" "$pattern" "$GPUOA" export "$@"
}

export_to() { # FILE, arguments: the recording comes last
	"$GPUOA" export -q -o "$@"
}

"$BUILD/tools/tests/make_recordings" gpuoa "$DIR/own" || exit
"$BUILD/tools/tests/make_recordings" i915 "$DIR/recorder" || exit
"$GPUOA" report -q --csv "$DIR/own" >"$DIR/0.csv"
"$GPUOA" report -q --csv -d gpuoa1 "$DIR/own" >"$DIR/1.csv"
"$GPUOA" report -q --csv --clock monotonic "$DIR/own" >"$DIR/0.monotonic"

check "-m pattern selects metrics of an export" [ "$("$GPUOA" export -q -f csv -d gpuoa0 -m 'Eu*' "$DIR/own" | head -1)" = timestamp_ns,EuActive,EuStall,EuThreadOccupancy ]
check "-m pattern without a match is an error of export" exits 1 "cannot use -m 'Nothing\*': no metric matches" \
	"$GPUOA" export -q -f csv -d gpuoa0 -m 'Nothing*' "$DIR/own"

# Compare lines "symbol value", in time order, with the values of a CSV file.
are_values_of() { # FILE.csv FILE
	awk -v lines="$2" '
		BEGIN {
			while ((getline line <lines) > 0) {
				split(line, part, " ")
				value[part[1], ++count[part[1]]] = part[2]
			}
		}
		NR == 1 { columns = split($0, symbol, ","); next }
		{
			for (i = 2; i <= columns; i++) {
				symbols[symbol[i]] = 1
				all++
				if (value[symbol[i], NR - 1] != $i && ++wrong < 10)
					print symbol[i], "row", NR - 1 ":", value[symbol[i], NR - 1], "is not", $i
			}
		}
		END {
			for (s in symbols)
				if (count[s] != NR - 1 && ++wrong < 10)
					print s, "has", count[s] + 0, "values, not", NR - 1
			print all, "values,", wrong + 0, "wrong"
			exit wrong || all < 1000
		}' FS=, "$1"
}

# ---- usage -----------------------------------------------------------------------------------------

check "export --help prints help" grep -q '^Usage: gpuoa export' <("$GPUOA" export --help)
refuses "a format is wanted" 2 'missing format' "$DIR/own"
refuses "a format that there is" 2 "did you mean 'chrome'\?" -f chrom "$DIR/own"
refuses "without FILE it is gpuoa.data" 1 'gpuoa\.data: cannot open: No such file' -f csv
refuses "one recording" 2 'more than one recording' -f csv a b
refuses "a recording that is there" 1 'nothing: cannot open: No such file' -f csv "$DIR/nothing"
refuses "Perfetto's clock is what it is" 2 'CLOCK_MONOTONIC' -f perfetto --clock gpu "$DIR/own"
refuses "what it does not know is no clock" 2 "give gpu" -f chrome --clock sundial "$DIR/own"
refuses "raw reports have no metrics" 2 'as they are' -f i915 -m GpuTime "$DIR/own"
refuses "a recording is not overwritten by itself" 1 'cannot overwrite the recording' -f csv -o "$DIR/own" "$DIR/own"
unwritable_file() {
	find_full && exits 1 "cannot write $full: No space left" "$GPUOA" export -f csv -o "$full" "$DIR/own"
}
check "unwritable file is an error" unwritable_file
refuses "a metric that there is not" 1 "no metric 'GpuTimes'" -f csv -m GpuTimes "$DIR/own"
echo nothing >"$DIR/text"
leaves_nothing() {
	! export_to "$DIR/left.json" "$DIR/text" && [ ! -e "$DIR/left.json" ]
}
check "failed export leaves no file" leaves_nothing

# ---- CSV -------------------------------------------------------------------------------------------

same_csv() { # FILE.csv, arguments
	local csv=$1
	shift
	export_to "$DIR/out.csv" "$@" "$DIR/own" && cmp "$DIR/out.csv" "$csv"
}
check "-f csv equals gpuoa report --csv" same_csv "$DIR/0.csv"
check "-f csv equals gpuoa report of another unit" same_csv "$DIR/1.csv" -d gpuoa1
check "-f csv equals gpuoa report on another clock" same_csv "$DIR/0.monotonic" --clock monotonic
check "-f csv --time equals gpuoa report --time" cmp <("$GPUOA" export -q -f csv --time 1921000000t,1923000000t "$DIR/own") \
	<("$GPUOA" report -q --csv --time 1921000000t,1923000000t "$DIR/own")

# ---- JSON lines ------------------------------------------------------------------------------------

check "-f jsonl writes JSON lines" export_to "$DIR/own.jsonl" "$DIR/own"
check "each line is valid JSON" jq -es 'length > 240 and all(has("type") and has("unit"))' "$DIR/own.jsonl"
jsonl_values() { # unit
	jq -r --arg unit "$1" 'select(.type == "interval" and .unit == $unit) | .values | to_entries[] | "\(.key) \(.value)"' \
		"$DIR/own.jsonl"
}
# Normalize numbers, because jq formats them differently.
normal() {
	awk '$2 ~ /[.e]/ { $2 = sprintf("%.9g", $2) } { print }'
}
for unit in 0 1; do
	jsonl_values gpuoa$unit | normal >"$DIR/values"
	check "jsonl values of gpuoa$unit equal gpuoa report" are_values_of "$DIR/$unit.csv" "$DIR/values"
done
check "jsonl units have a set, and metrics have units" jq -es '[.[] | select(.type == "unit")] | length == 2 and
	.[0].set == "RenderBasic" and .[1].set == "ComputeBasic" and .[0].title == "Tiger Lake GT2" and
	any(.[0].metrics[]; .symbol == "EuActive" and .units == "percent" and .type == "float")' "$DIR/own.jsonl"
check "jsonl gap has the number of lost reports" jq -es '[.[] | select(.type == "gap")] | length == 1 and .[0].lost == 7 and
	.[0].end_ns - .[0].begin_ns == 8000000 and .[0].lost_unknown == false' "$DIR/own.jsonl"
check "jsonl has marks" jq -es '[.[] | select(.type == "mark") | .value] == [1, 2]' "$DIR/own.jsonl"
check "jsonl lines are in order of time" jq -es '[.[] | select(.unit == "gpuoa0") | .begin_ns // .ns // empty] | . == sort' \
	"$DIR/own.jsonl"
check "jsonl end has totals" jq -es '[.[] | select(.type == "end")] | .[0].intervals == 191 and .[0].lost == 7 and
	.[1].intervals == 49 and .[1].lost == 0' "$DIR/own.jsonl"

# ---- Chrome ----------------------------------------------------------------------------------------

check "-f chrome writes a trace" export_to "$DIR/own.json" "$DIR/own"
check "Chrome trace is valid JSON" jq -e '.traceEvents | length > 1000 and all(has("ph") and has("pid") and has("name"))' "$DIR/own.json"
# Print values of counters, except the zeros at the end and where rows pause.
chrome_values() { # process
	jq -r --argjson pid "$1" '[.traceEvents[] | select(.ph == "C" and .pid == $pid)] |
		([.[] | select(.name == "GpuTime" and .args.ns == 0) | .ts]) as $pauses |
		.[] | select(.ts as $ts | $pauses | index($ts) | not) | "\(.name) \(.args[])"' "$DIR/own.json"
}
for unit in 0 1; do
	chrome_values $((unit + 1)) | normal >"$DIR/values"
	check "chrome counters of gpuoa$unit equal gpuoa report" are_values_of "$DIR/$unit.csv" "$DIR/values"
done
check "chrome counter is named after its unit of measure" jq -e '[.traceEvents[] | select(.name == "EuActive") | .args | keys[]] |
	unique == ["percent"]' "$DIR/own.json"
check "chrome counters are at row starts in CPU time" cmp \
	<(jq '.traceEvents[] | select(.ph == "C" and .pid == 1 and .name == "GpuTime" and .args.ns != 0) | .ts * 1000 | round' \
		"$DIR/own.json") \
	<(awk -F, 'NR == 1 { for (i = 1; i <= NF; i++) if ($i == "GpuTime") t = i }
		NR > 1 { printf "%.0f\n", $1 - $t }' "$DIR/0.monotonic")
check "chrome processes are named after units" jq -e '[.traceEvents[] | select(.name == "process_name") | .args.name] ==
	["gpuoa0 (Tiger Lake GT2): RenderBasic", "gpuoa1 (Tiger Lake GT2): ComputeBasic"]' "$DIR/own.json"
check "chrome loss event spans the gap" jq -e '[.traceEvents[] | select(.cat == "loss")] | length == 1 and
	.[0].ph == "X" and .[0].dur == 8000 and .[0].name == "7 reports lost" and .[0].args.lost == 7' "$DIR/own.json"
check "chrome trace has marks" jq -e '[.traceEvents[] | select(.ph == "i") | .args.value] == [1, 2]' "$DIR/own.json"
check "chrome trace supports GPU time" jq -e '[.traceEvents[] | select(.ph == "C" and .pid == 1) | .ts] | min == 100000000' \
	<("$GPUOA" export -q -f chrome --clock gpu "$DIR/own")

# ---- Perfetto --------------------------------------------------------------------------------------

check "-f perfetto writes a trace" export_to "$DIR/own.pftrace" "$DIR/own"
protoc --decode=perfetto.Trace -Itools/export perfetto.proto <"$DIR/own.pftrace" >"$DIR/trace" 2>"$DIR/err"
protoc --decode_raw <"$DIR/own.pftrace" >"$DIR/raw"

# Convert the output of protoc to lines: "value SEQUENCE TIMESTAMP SYMBOL VALUE" for each counter,
# "units SYMBOL UNIT", and others. A packet that only marks where rows begin is "begin SEQUENCE
# TIMESTAMP".
cat >"$DIR/trace.awk" <<'END'
/^packet \{/ { n = 0; timestamp = sequence = description = "" }
/^  timestamp: / { timestamp = $2 }
/^  trusted_packet_sequence_id: / { sequence = $2 }
/^    counters \{/ { n++ }
/^      counter_id: / && n { id[n] = $2 }
/^      (int|double)_value: / { value[n] = $2; kind[n] = $1 }
/^        counter_id: / { spec = $2; units = ""; group = "" }
/^        name: / { block = $0; sub(/^[^"]*"/, "", block); sub(/"$/, "", block) }
/^        description: / { symbol = $2; gsub(/[":]/, "", symbol); name[spec] = symbol }
/^        numerator_units: / { print "units", symbol, $2 }
/^        denominator_units: / { print "per", symbol, $2 }
/^        groups: / { print "group", symbol, $2 }
/^        counter_ids: / { print "block", name[$2], block }
/^\}/ && n {
	zero = 1
	for (i = 1; i <= n; i++)
		if (value[i] != "0")
			zero = 0
	for (i = 1; i <= n && !zero; i++)
		print "value", sequence, timestamp, name[id[i]], kind[i] == "double_value:" ? sprintf("%.9g", value[i]) : value[i]
	if (zero)
		print "begin", sequence, timestamp
}
END
# Specs precede their values, so names are known.
awk -f "$DIR/trace.awk" "$DIR/trace" >"$DIR/told"
mapfile -t SEQUENCES < <(sed -n 's/^  trusted_packet_sequence_id: //p' "$DIR/trace" | awk '!seen[$1]++')
check "each unit has a sequence" [ "${#SEQUENCES[@]}" = 2 ]
for unit in 0 1; do
	awk -v sequence="${SEQUENCES[$unit]}" '$1 == "value" && $2 == sequence { print $4, $5 }' "$DIR/told" >"$DIR/values"
	check "perfetto counters of gpuoa$unit equal gpuoa report" are_values_of "$DIR/$unit.csv" "$DIR/values"
done
check "perfetto counters are at row ends in CLOCK_MONOTONIC" cmp \
	<(awk -v sequence="${SEQUENCES[0]}" '$1 == "value" && $2 == sequence && $4 == "GpuTime" { print $3 }' "$DIR/told") <(sed 1d "$DIR/0.monotonic" | cut -d, -f1)
check "perfetto counters are reset where rows begin" [ "$(grep -c "^begin ${SEQUENCES[0]} " "$DIR/told")" = 2 ]
check "perfetto counters have units of measure" grep -qx 'units EuActive PERCENT' "$DIR/told"
check "perfetto counters have groups" grep -qx 'group VsThreads VERTICES' "$DIR/told"
check "perfetto tracks have paths of groups" grep -qx 'block VsThreads EU Array/Vertex Shader' "$DIR/told"
check "perfetto counters have unique numbers" [ -z "$(sed -n 's/^        counter_id: //p' "$DIR/trace" | sort | uniq -d)" ]
# Concatenate traces: numbers that are global for readers must be unique. One trace is of the same
# recording with other metrics.
"$BUILD/tools/tests/recordings" lnl "$DIR/lnl" || exit
"$GPUOA" export -q -o "$DIR/lnl.pftrace" "$DIR/lnl"
"$GPUOA" export -q -m GpuTime,EuStall -o "$DIR/part.pftrace" "$DIR/own"
cat "$DIR/own.pftrace" "$DIR/lnl.pftrace" "$DIR/part.pftrace" |
	protoc --decode=perfetto.Trace -Itools/export perfetto.proto >"$DIR/both" 2>"$DIR/err"
numbers_once() { # pattern of the lines, up to the number
	local file
	for file in own lnl part; do
		protoc --decode=perfetto.Trace -Itools/export perfetto.proto <"$DIR/$file.pftrace" |
			sed -n "s/$1//p" | sort -u
	done >"$DIR/numbers"
	wc -l <"$DIR/numbers"
	[ "$(wc -l <"$DIR/numbers")" -ge 5 ] && [ -z "$(sort "$DIR/numbers" | uniq -d | tee /dev/stderr)" ]
}
check "concatenated traces define each counter once" [ -z "$(sed -n 's/^        counter_id: //p' "$DIR/both" | sort |
	uniq -d)" ]
check "concatenated traces have different sequences" numbers_once '^  trusted_packet_sequence_id: '
check "concatenated traces have different tracks" numbers_once '^    uuid: '
check "perfetto export is reproducible" cmp <("$GPUOA" export -q -f perfetto "$DIR/own") "$DIR/own.pftrace"
check "perfetto marks are events" cmp <(grep -c 'name: "mark [12]"' "$DIR/trace") <(echo 2)
check "perfetto loss is a slice" grep -A8 TYPE_SLICE_BEGIN "$DIR/trace"
check "perfetto loss has the number of lost reports" grep -q 'name: "7 reports lost"' "$DIR/trace"
# Field numbers of the public schema: TracePacket.timestamp 8, .trusted_packet_sequence_id 10,
# .clock_snapshot 6, .track_event 11, .gpu_counter_event 52, .timestamp_clock_id 58,
# .track_descriptor 60; CLOCK_MONOTONIC is clock 3 of perfetto.protos.BuiltinClock, CLOCK_BOOTTIME 6
# and CLOCK_REALTIME 1.
has_numbers() {
	local field
	for field in '  6 \{' '  8: [0-9]+' "  10: ${SEQUENCES[0]}" "  10: ${SEQUENCES[1]}" '  11 \{' '  13: 1' '  52 \{' '  58: 3' '  60 \{' '    2: 6'; do
		grep -qxE -e "$field" "$DIR/raw" || { echo "no $field"; return 1; }
	done
	! grep -qvE '^1 \{$|^ *\}$|^  (6|11|52|60) \{$|^  (8|10|13|58|87): |^   ' "$DIR/raw"
}
check "perfetto fields have the numbers of the public schema" has_numbers
agrees_with_schema() {
	awk -f tools/tests/perfetto_schema.awk tools/export/perfetto.proto | sort >"$DIR/written"
	sort tools/tests/perfetto_schema.txt | comm -23 "$DIR/written" - | tee "$DIR/unknown"
	[ ! -s "$DIR/unknown" ] && [ "$(wc -l <"$DIR/written")" -gt 60 ]
}
check "perfetto schema covers nested messages" agrees_with_schema
# shellcheck disable=SC2016 # awk's variables
check "perfetto trace has several CPU clocks" awk '/^  6 \{/ { in_snapshot = 1; delete clock }
	in_snapshot && /^      1: / { id = $2 }
	in_snapshot && /^      2: / { clock[id] = $2 }
	/^  \}/ && in_snapshot { in_snapshot = 0; n++; bad += clock[6] - clock[3] != 5000000000 || !(64 in clock) || !(1 in clock) }
	END { exit !n || bad }' "$DIR/raw"

# ---- EU stalls over time ----------------------------------------------------------------------------

"$BUILD/tools/tests/recordings" stalls "$DIR/stalls" || exit
is_output() { # expected text, command
	local expected=$1
	shift
	diff <(echo "$expected") <("$@")
}
check "-f stalls writes a row per window" is_output \
	'begin_ns,end_ns,losses,active,other,control,pipe,send,distance,scoreboard,sync,fetch,ps-order
100000,1100000,0,10,0,0,0,20,0,100,0,0,0
1100000,2100000,0,30,0,0,0,0,0,200,0,0,0
2300000,2500000,2,0,0,0,0,4,0,50,0,0,0' "$GPUOA" export -q -f stalls "$DIR/stalls"
suffix_stalls() { export_to "$DIR/own.stalls.csv" "$DIR/stalls" && grep -q '^begin_ns,end_ns,losses,' "$DIR/own.stalls.csv"; }
check "suffix .stalls.csv selects -f stalls" suffix_stalls
refuses "-f stalls of a recording without EU stalls is an error" 1 "it has no EU stalls" -f stalls "$DIR/own"
refuses "-f stalls rejects options of metrics" 2 'remove -s, -m, --clock and --time' -f stalls -m GpuTime "$DIR/stalls"

# Print "time in us, scoreboard, send" of both traces.
chrome_stalls() {
	"$GPUOA" export -q -f chrome "$DIR/stalls" |
		jq -r '.traceEvents[] | select(.name == "samples per ms") | "\(.ts + 0) \(.args.scoreboard) \(.args.send)"'
}
perfetto_stalls() {
	"$GPUOA" export -q -f perfetto "$DIR/stalls" | protoc --decode=perfetto.Trace -Itools/export perfetto.proto |
		awk '$1 ~ /uuid:$/ { uuid = $2 }
			$1 == "name:" { gsub(/"/, "", $2); name[uuid] = $2 }
			$1 == "timestamp:" { ns = $2 }
			$1 == "track_uuid:" { uuid = $2 }
			$1 == "double_counter_value:" && name[uuid] == "scoreboard" { first = $2 }
			$1 == "double_counter_value:" && name[uuid] == "send" { second = $2 }
			$1 == "timestamp_clock_id:" && $2 != 3 { print "clock", $2 }
			# the last reason
			$1 == "double_counter_value:" && name[uuid] == "ps-order" { print ns / 1000, first, second }'
}
rates='100 100 20
1100 200 0
2100 0 0
2300 250 20
2500 0 0'
check "chrome trace has EU stalls alongside metrics" is_output "$rates" chrome_stalls
check "perfetto trace has EU stalls alongside metrics" is_output "$rates" perfetto_stalls
perfetto_values() { # times of the metrics, all of which are in those of the EU stalls
	"$GPUOA" export -q -f perfetto "$DIR/stalls" | protoc --decode=perfetto.Trace -Itools/export perfetto.proto |
		awk '$1 == "timestamp:" { ns = $2 } $1 == "counters" && !seen[ns]++ && ns > 85000 && ns < 2700000 { n++ } END { print n }'
}
check "perfetto trace has the metrics at the times of the EU stalls" is_output 499 perfetto_values
losses_of_stalls() { "$GPUOA" export -q -f perfetto "$DIR/stalls" | protoc --decode=perfetto.Trace -Itools/export perfetto.proto | grep -c '"records lost"'; }
check "perfetto trace has losses of EU stalls" is_output 1 losses_of_stalls

# ---- i915-perf -------------------------------------------------------------------------------------

check "i915-perf recording is reported" grep -q '^RenderBasic of i915-perf, Tiger Lake GT2' <("$GPUOA" report "$DIR/recorder")
check "i915-perf recording is exported" jq -es '[.[] | select(.type == "gap")] | .[0].lost_unknown' <("$GPUOA" export -q -f jsonl "$DIR/recorder")
if command -v i915-perf-reader >/dev/null; then
	reader "$DIR/recorder" 1000000 >"$DIR/values"
	check "i915-perf-reader prints equal values" \
		agrees <("$GPUOA" report -q --csv "$DIR/recorder") "$DIR/values"
	check "i915-perf recording is rewritten" export_to "$DIR/again.record" "$DIR/recorder"
	check "i915-perf-reader prints the rewritten recording identically" cmp <(i915-perf-reader -r -c all "$DIR/again.record") \
		<(i915-perf-reader -r -c all "$DIR/recorder")
	check "gpuoa recording is exported to i915" export_to "$DIR/own.record" "$DIR/own"
	reader "$DIR/own.record" 1000000 >"$DIR/values"
	check "i915-perf-reader prints values of a gpuoa recording" agrees "$DIR/0.csv" "$DIR/values"
	check "i915-perf-reader prints the set of a gpuoa recording" grep -q 'RenderBasic (.*uuid=0fc397c0-4833-492c-9ccd-4929d574d5b8' <(i915-perf-reader "$DIR/own.record")
else
	number=$((number + 1))
	echo "ok $number - i915-perf-reader agrees # SKIP intel-gpu-tools is not installed"
fi

# ---- several threads -------------------------------------------------------------------------------

# A recording longer than the piece of a thread, with gaps and clock pairs
"$BUILD/tools/tests/make_recordings" gpuoa "$DIR/long" 6000 || exit
same_with_threads() { # command and arguments
	local threads
	"$GPUOA" "$@" -q -j 1 "$DIR/long" >"$DIR/one" || return
	for threads in 2 5; do
		"$GPUOA" "$@" -q -j $threads "$DIR/long" | cmp - "$DIR/one" || return
	done
	[ "$(wc -c <"$DIR/one")" -gt 1000 ]
}
for format in csv jsonl chrome perfetto; do
	check "$format is equal for any number of threads" same_with_threads export -f $format
done
check "report rows are equal for any number of threads" same_with_threads report --csv
check "report rows on another clock are equal for any number of threads" same_with_threads report --json --clock monotonic
check "summary is equal for any number of threads" same_with_threads report
check "rows of several threads are all counted" [ "$("$GPUOA" report -q --csv -j 3 "$DIR/long" | wc -l)" -gt 5900 ]

# ---- truncated recordings ------------------------------------------------------------------------

head -c 60000 "$DIR/own" >"$DIR/torn"
exports_intact_part() {
	"$GPUOA" export -q -f jsonl "$DIR/torn" >"$DIR/torn.jsonl"
	jq -es '[.[] | select(.type == "interval")] | length > 50' "$DIR/torn.jsonl"
}
check "intact part of a truncated recording is exported" exports_intact_part
echo "1..$number"
