#!/bin/bash
# Test the gpuoa command without a GPU. Prints TAP.
set -u
. "$(dirname "$0")/host.sh"

CONSTANTS=(-c GpuTimestampFrequency=12500000 -c GpuMinFrequency=200000000 -c GpuMaxFrequency=1200000000
	-c EuCoresTotalCount=20 -c EuSlicesTotalCount=1 -c EuThreadsCount=7 -c SliceMask=1 -c SubsliceMask=3)
DECODE=(decode -P hsw -s RenderBasic -q "${CONSTANTS[@]}")

# Run the command; check its exit code and match its output with a pattern. Output stays in files
# out and err.
try() { # name, exit code, out|err, pattern, arguments
	local name=$1 code=$2 where=$3 pattern=$4 status
	shift 4
	"$GPUOA" "$@" >"$DIR/out" 2>"$DIR/err" <"${INPUT:-/dev/null}"
	status=$?
	if [ $status = "$code" ] && grep -qE -e "$pattern" "$DIR/$where"; then
		result ok "$name"
	else
		echo "# gpuoa $*: exit code $status, and:"
		sed 's/^/# /' "$DIR/out" "$DIR/err" | head -20
		result "not ok" "$name"
	fi
}

# Print N reports of A45_B8_C8 as hexadecimal dwords, 1 ms or TICKS apart. Counters increase by 100
# times their number.
make_reports() { # N [TICKS]
	awk -v n="$1" -v ticks="${2-12500}" 'BEGIN {
		for (r = 0; r < n; r++)
			for (d = 0; d < 64; d++) {
				v = d == 0 ? 0 : d == 1 ? (1000 + ticks * r) % 4294967296 : d == 2 ? 0 : (d - 2) * 100 * r
				for (b = 0; b < 4; b++) {
					printf "\\x%02x", v % 256
					v = int(v / 256)
				}
			}
	}' | while read -r line || [ -n "$line" ]; do printf '%b' "$line"; done
}
make_reports 11 >"$DIR/reports"
head -c 1000 "$DIR/reports" >"$DIR/torn"

is_json() {
	jq -es . "$DIR/out"
}

ESC=$'\033'

# ---- usage -----------------------------------------------------------------------------------------

try "--help prints help to stdout" 0 out '^Usage: gpuoa' --help
try "--version prints the version to stdout" 0 out '^gpuoa [0-9]+\.[0-9]+\.[0-9]+$' --version
for command in list stat record report decode; do
	try "gpuoa $command --help prints help" 0 out "^Usage: gpuoa $command" "$command" --help
done
try "gpuoa stalls --help lists its subcommands" 0 out '^  stat ' stalls --help
try "gpuoa stalls stat --help prints help" 0 out '^Usage: gpuoa stalls \[stat\]' stalls stat --help
try "gpuoa stalls accepts global options before and after" 0 out '^Usage: gpuoa stalls \[stat\]' --json stalls -q stat --help
try "gpuoa stalls rejects a period of 0" 2 err 'period must not be 0' stalls -p 0 true
try "gpuoa stalls rejects a period without a number" 2 err "'fast' is not a number" stalls stat -p fast
try "gpuoa stalls record --help prints help" 0 out '^Usage: gpuoa stalls record' stalls record --help
try "gpuoa stalls record rejects a short window" 2 err '-w' stalls record -w 1ms true
try "gpuoa stalls -i takes no period" 2 err 'neither -p nor a command' stalls -i file -p 5
try "gpuoa stalls -i names a missing file" 1 err '/no/such/file' stalls stat -i /no/such/file
try "gpuoa stalls rejects an unknown command" 127 err 'no-such-program' stalls no-such-program
try "-h prints help" 0 out '^Usage: gpuoa list' list -h
try "gpuoa help prints help" 0 out '^Usage: gpuoa \[' help
try "gpuoa help COMMAND prints help of the command" 0 out '^Usage: gpuoa stat' help stat
try "gpuoa help rejects an unknown command" 2 err "unknown command 'frobnicate'" help frobnicate
try "--json and --csv exclude each other" 2 err 'exclude each other' --json list platforms --csv
try "--json may be repeated" 0 out '^\{' --json list platforms --json
try "missing command is a usage error" 2 err 'missing command'
try "unknown command is a usage error" 2 err "unknown command 'frobnicate'" frobnicate
try "unknown option is a usage error" 2 err 'frobnicate' list --frobnicate
try "unknown list is a usage error" 2 err "unknown list 'sots'" list sots
try "second list is a usage error" 2 err 'more than one list' list sets metrics
try "list devices rejects -P" 2 err '-P PLATFORM is only for' list devices -P hsw
try "list platforms rejects -P" 2 err '-P PLATFORM is only for' list platforms -P hsw
try "list sets rejects -s" 2 err '-s SET is only for' list sets -P hsw -s RenderBasic
try "--poll-period rejects text" 2 err "poll-period: cannot read 'soon' as a time; give ns, or a number with a unit such as 500us" stat -s RenderBasic --poll-period soon
try "-p rejects text" 2 err "-p: cannot read 'soon' as a time; give ns" stat -s RenderBasic -p soon
try "-p rejects a period of 0" 2 err "-p: cannot use '0ms': the least is 1 ns" stat -s RenderBasic -p 0ms
try "-F rejects an unknown prefix" 2 err "-F: cannot read '10m' as a frequency" record -s RenderBasic -F 10m
try "-I rejects a negative number" 2 err "-I: cannot read '-5' as a time; give ms" stat -s RenderBasic -I -5
try "record rejects --csv" 2 err 'gpuoa report' record --csv -s RenderBasic
try "record rejects standard output" 2 err "cannot write a recording to standard output" record -s RenderBasic -o -
try "record rejects --metrics with --overwrite" 2 err '--metrics excludes' record -s RenderBasic --overwrite -m GpuTime
try "record rejects --metrics with --aux" 2 err '--metrics excludes' record -s RenderBasic --aux -m GpuTime
try "record rejects --aux with --overwrite" 2 err 'exclude each other' record -s RenderBasic --overwrite --aux
try "gpuoa top --help prints help" 0 out '^Usage: gpuoa top' top --help
try "top requires a terminal" 2 err 'not a terminal; use --once' top
try "top --json requires --once" 2 err 'need --once' --json top
try "top rejects a short interval" 2 err "-I: cannot use '10': the least is 50 ms" top --once -I 10
try "top rejects -k with --once" 2 err '-k, --zebin and --cache are for the view of EU stalls; remove --once' top --once -k kernels.csv
try "top rejects operands" 2 err 'gpuoa0: unexpected' top --once gpuoa0
for command in report "plot -o $DIR/x.svg" "export -f csv"; do
	read -ra arguments <<<"$command"
	try "${arguments[0]} without FILE reads gpuoa.data" 1 err 'gpuoa\.data: cannot open: No such file' "${arguments[@]}"
done
try "report --diff without FILEs reads gpuoa.data.old and gpuoa.data" 1 err 'gpuoa\.data\.old: cannot open: No such file' report --diff
try "report rejects two recordings" 2 err 'more than one recording' report a b
try "--time requires START and STOP" 2 err "--time: cannot read '1s'; give START,STOP in seconds" report --time 1s a
try "--time rejects an end before the start" 2 err 'the end is before the start' report --time 2,1500ms a
try "--time rejects an end in ticks before the start" 2 err 'the end is before the start' report --time 20t,10t a
try "--time is rejected with --diff" 2 err 'not for --diff and --contexts' report --diff --time 1, a b
try "--time rejects invalid ticks" 2 err "cannot read 'nowt,'" report --time nowt, a
try "decode requires a platform" 2 err 'missing platform' decode -s RenderBasic x
try "decode requires a set" 2 err 'missing metric set' decode -P hsw x
try "decode requires a file" 2 err 'missing file' decode -P hsw -s RenderBasic
try "-c requires a number" 2 err 'give CONSTANT=NUMBER' decode -P hsw -s RenderBasic -c A=b x
try "-c rejects an invalid QueryMode" 2 err "QueryMode cannot be 7" decode -P hsw -s RenderBasic -c QueryMode=7 x
try "unknown format is a usage error" 2 err "unknown report format 'A99'" "${DECODE[@]}" --format A99 /dev/null

# ---- lists -----------------------------------------------------------------------------------------

try "list platforms prints platforms" 0 out '^hsw +Haswell' list platforms
fits() { # columns, arguments
	COLUMNS=$1 "$GPUOA" "${@:2}" >"$DIR/out" && awk -v most="$1" 'length > most { print; bad = 1 } END { exit bad || NR < 3 }' "$DIR/out"
}
for columns in 80 100; do
	check "list sets fits into $columns columns" fits $columns list sets -P tglgt2
	check "list metrics fits into $columns columns" fits $columns list metrics -P tglgt2 -s RenderBasic
done
unbroken() { # checks that no word of the list is broken in the table
	comm -23 <(tr -s ' ' '\n' <"$DIR/out" | sort -u) <("$GPUOA" list metrics -P tglgt2 -s RenderBasic | tr -s ' ' '\n' | sort -u) |
		tee "$DIR/broken"
	[ ! -s "$DIR/broken" ]
}
check "table cells are wrapped between words" unbroken
check "table of windows fits into 80 columns" fits 80 "${DECODE[@]}" --window 4ms "$DIR/reports"
try "counts are printed as rates" 0 out ' GpuCoreClocks +5\.60 M cycles/s' "${DECODE[@]}" "$DIR/reports"
try "list registers prints registers" 0 out '^flex +0x0e458 +0x00804704$' list registers -P tglgt2 -s RenderBasic
try "list registers requires a set" 2 err 'missing metric set' list registers -P tglgt2
try "list sets prints sets" 0 out '^RenderBasic ' list sets -P hsw
try "list metrics prints metrics" 0 out 'EuActive +percent' list -P hsw metrics -s RenderBasic
for list in platforms "sets -P hsw" "metrics -P hsw" "constants -P hsw"; do
	read -ra arguments <<<"$list"
	try "list ${arguments[0]} prints CSV" 0 out ',' --csv list "${arguments[@]}"
	try "list ${arguments[0]} prints JSON" 0 out '^\{' --json list "${arguments[@]}"
	check "output is valid JSON" is_json
done
"$GPUOA" --json list metrics -P hsw -s RenderBasic >"$DIR/out"
check "list metrics prints all fields" jq -es 'all(has("set") and has("symbol") and has("name") and
	has("description") and has("group") and has("units") and has("hw_unit") and has("equation") and has("limit_equation") and
	has("availability") and has("available") and has("why") and has("type") and has("semantic") and has("usage") and
	has("apis") and has("tier") and has("query_only") and has("low") and has("high"))' "$DIR/out"
check "si_scale has double precision" jq -es 'any(.units == "ns" and .si_scale == 1e-9)' "$DIR/out"
check "list metrics prints quantity and postfix equation" jq -es 'all(has("domain") and has("index") and
	has("quantity") and has("si_unit") and has("si_scale")) and
	any(.symbol == "EuActive" and .postfix == "A0 100 * GpuCoreClocks EuCoresTotalCount * /" and .quantity == "ratio")' \
	"$DIR/out"
check "list sets prints all fields" jq -es 'all(has("set") and has("uuid") and has("domain") and has("category") and
	has("sampling") and has("report_size") and has("register_count") and has("available") and has("why") and
	has("remark"))' \
	<("$GPUOA" --json list sets -P hsw)
check "set that depends on the GPU has a reason" jq -es \
	'any(.available == null and (.why | test("GtSlice0XeCore3 has no value")))' \
	<("$GPUOA" --json list sets -P arlgt1)
check "list constants prints those of the usual GPU" jq -es \
	'any(.name == "EuCoresTotalCount" and .value == 96 and .origin == "assumed" and .kind == "count")' \
	<("$GPUOA" --json list constants -P tglgt2)
check "metric that depends on the GPU has a reason" jq -es \
	'any(.available == null and (.why | test("SliceMask|SubsliceMask")))' \
	<("$GPUOA" --json list metrics -P hsw)

# ---- mistyped names ------------------------------------------------------------------------------

spells_units() { # platform, unit of measure of a metric of RenderBasic
	"$GPUOA" -q --json list metrics -P "$1" -s RenderBasic | jq -r .units | sort -u >"$DIR/out"
	grep -qx "$2" "$DIR/out" && ! grep -xiE 'gbps|hz' "$DIR/out" | grep -vx Hz
}
check "list metrics prints bandwidth in GB/s" spells_units bmg GB/s
check "list metrics prints frequency in Hz" spells_units bmg Hz
try "mistyped set has a suggestion" 1 err "did you mean 'RenderBasic'\?" list metrics -P hsw -s renderbasic
try "set of the GPU is selected among sets of one name" 0 err 'assuming Arrow Lake' --csv decode -P arlgt1 \
	-s SLMProfile -c XeCoreMask=8 -m GpuTime /dev/null
cat >"$DIR/gt3.oa" <<-'EOF'
	platform gt3 "GT3"
	constant SliceMask "Slices that are there."
	metric Ticks "Ticks" "Ticks of the timestamp." = TIMESTAMP uint64 ticks event
	set Second "Of slice 1" {
		if SliceMask & 2
		uuid "00000000-0000-4000-8000-000000000001"
		format A45_B8_C8
		on IO
		metrics { Ticks }
		boolean { 2724=00800000 }
	}
EOF
try "set of other GPUs is rejected" 1 err "no metric set 'Second': it needs SliceMask & 2, and SliceMask is 0x1" \
	-D "$DIR/gt3.oa" decode -P gt3 -s Second -c SliceMask=1 -c GpuTimestampFrequency=1 /dev/null
try "mistyped platform has a suggestion" 1 err "did you mean 'hsw'\?" list sets -P hws
try "mistyped metric has a suggestion" 1 err "did you mean 'EuActive'\?" "${DECODE[@]}" -m EuActiv /dev/null
try "-m pattern selects metrics" 0 out '^timestamp_ns,EuActive,EuStall,GpuBusy$' --csv "${DECODE[@]}" -m 'Eu[AS]*,GpuBusy,EuActive' /dev/null
try "-m patterns select each metric once" 0 out '^timestamp_ns,EuStall,EuActive$' --csv "${DECODE[@]}" -m 'EuStall,Eu[AS]*' /dev/null
try "-m pattern without a match is an error" 1 err \
	"^gpuoa: RenderBasic: cannot use -m 'Nothing\*': no metric matches; see 'gpuoa list metrics -s RenderBasic'$" "${DECODE[@]}" -m 'Nothing*' /dev/null
try "-m pattern is case-sensitive" 1 err "no metric matches \(case matters: there is 'EuActive'\)" "${DECODE[@]}" -m 'euact*' /dev/null
try "unrelated name has no suggestion" 1 err "no metric set 'zzzzzzzz'\. See" list metrics -P hsw -s zzzzzzzz

# ---- decode ----------------------------------------------------------------------------------------

try "decode prints a table" 0 out '10,000,000 +ns +GpuTime' "${DECODE[@]}" "$DIR/reports"
try "decode prints CSV" 0 out '^timestamp_ns,GpuTime,EuActive$' --csv "${DECODE[@]}" -m GpuTime,EuActive "$DIR/reports"
check "decode --csv prints a row per interval" [ "$(wc -l <"$DIR/out")" = 11 ]
check "decode --csv prints exact integers and 9-digit floats" [ "$(sed -n 2p "$DIR/out")" = 1080000,1000000,0.0892857164 ]
try "decode prints JSON" 0 out '^\{"timestamp_ns":1080000,' --json "${DECODE[@]}" "$DIR/reports"
check "output is valid JSON" is_json
check "decode --json prints an object per interval" [ "$(wc -l <"$DIR/out")" = 10 ]
try "totals have begin_ticks and end_ticks" 0 out '^\{"begin_ticks":1000,"end_ticks":126000,.*"GpuTime":10000000' \
	--json "${DECODE[@]}" --total "$DIR/reports"
INPUT=$DIR/reports try "reports are read from standard input" 0 out '10,000,000 +ns +GpuTime' "${DECODE[@]}" -
# Reports are 1 ms apart, from 80 us on; A0 counts 100 per report.
try "decode assumes no constants for a missing file" 1 err '^gpuoa: [^ ]*/nothing: No such file' \
	decode -P hsw -s RenderBasic "$DIR/nothing"
check "missing file prints one error" test "$(wc -l <"$DIR/err")" = 1
try "control characters in names are escaped" 1 err '^gpuoa: no metrics for a platform .\\x1b\[31mhsw' \
	list -P "${ESC}[31mhsw" sets
try "--window prints a row per window" 0 out '^begin_ticks,end_ticks,begin_ns,end_ns,covered_ticks,GpuTime$' \
	--csv "${DECODE[@]}" --window 4000000 -m GpuTime "$DIR/reports"
check "--window prints all windows" [ "$(sed 1d "$DIR/out" | tr '\n' ' ')" = "0,50000,0,4000000,49000,3920000 50000,100000,4000000,8000000,50000,4000000 100000,150000,8000000,12000000,26000,2080000 " ]
try "--window prints a table" 0 out '^ +0\.004000 +0\.004000 +1\.00$' "${DECODE[@]}" --window 4000000 -m GpuTime "$DIR/reports"
make_reports 100 2147483647 >"$DIR/hours"
first_windows() {
	local lines
	lines=$(timeout 60 "$GPUOA" "${DECODE[@]}" --window 1000000 -m GpuTime "$DIR/hours" | head -n 3 | wc -l)
	[ "$lines" = 3 ]
}
check "table of 17 million windows is printed at once" first_windows
try "--window accepts a unit" 0 out '^50000,100000,4000000,8000000,50000,4000000$' \
	--csv "${DECODE[@]}" --window 4ms -m GpuTime "$DIR/reports"
try "--window rejects 0" 2 err "--window: cannot use '0': the least is 1 ns" "${DECODE[@]}" --window 0 "$DIR/reports"
try "--window rejects less than a tick" 2 err 'shorter than a tick' "${DECODE[@]}" --window 79 "$DIR/reports"
try "--window excludes --total" 2 err '--total and --window exclude each other' "${DECODE[@]}" --window 80 --total "$DIR/reports"
try "--window without intervals prints no row" 0 err 'fewer than two reports' decode -P hsw -s RenderBasic "${CONSTANTS[@]}" --window 80 /dev/null
try "half a report at the end is an error" 1 err '232 bytes are left' --csv "${DECODE[@]}" "$DIR/torn"
check "reports before half a report are printed" [ "$(wc -l <"$DIR/out")" = 3 ]
try "single report has no interval" 0 err 'fewer than two reports' decode -P hsw -s RenderBasic "${CONSTANTS[@]}" /dev/null
try "missing file is an error" 1 err 'No such file' "${DECODE[@]}" "$DIR/nothing"
try "format without the counters is an error" 1 err 'format B4_C8 lacks a counter' "${DECODE[@]}" --format B4_C8 /dev/null
try "options may follow the file" 0 out '^1080000,1000000$' "${DECODE[@]}" "$DIR/reports" --csv -m GpuTime
unwritable_output() {
	find_full && "$GPUOA" --csv "${DECODE[@]}" "$DIR/reports" 2>&1 >"$full" | grep 'No space left'
}
check "write error of stdout is an error" unwritable_output
check "closed pipe prints no error" bash -c \
	"set -o pipefail; '$GPUOA' --csv ${DECODE[*]} '$DIR/reports' 2>'$DIR/err' | head -1; [ ! -s '$DIR/err' ]"

try "numbers with leading zeros are decimal" 0 out '^1080000,1000000$' \
	--csv "${DECODE[@]}" -c GpuTimestampFrequency=0012500000 -m GpuTime "$DIR/reports"
try "numbers with 0x are hexadecimal" 0 out '^1080000,1000000$' \
	--csv "${DECODE[@]}" -c GpuTimestampFrequency=0xbebc20 -m GpuTime "$DIR/reports"
try "0x without digits is rejected" 2 err 'give CONSTANT=NUMBER' "${DECODE[@]}" -c SliceMask=0x "$DIR/reports"
try "--format accepts a decimal number" 0 out '10,000,000 +ns +GpuTime' "${DECODE[@]}" --format 05 "$DIR/reports"
for format in 0 6400000000 99; do
	try "--format rejects $format" 2 err "unknown report format '$format'" "${DECODE[@]}" --format $format /dev/null
done
try "CSV without rows has a header" 0 out '^timestamp_ns,GpuTime$' --csv "${DECODE[@]}" -m GpuTime /dev/null
try "CSV of totals without rows has a header" 0 out '^begin_ticks,end_ticks,begin_ns,end_ns,GpuTime$' \
	--csv "${DECODE[@]}" --total -m GpuTime /dev/null
check "CSV without rows prints nothing else" [ "$(wc -l <"$DIR/out")" = 1 ]
try "unavailable metric is null in JSON" 0 out '"LlcHits":null,"GpuTime":1000000\}' \
	--json "${DECODE[@]}" -m LlcHits,GpuTime "$DIR/reports"
try "unavailable metric is empty in CSV" 0 out '^1080000,,1000000$' --csv "${DECODE[@]}" -m LlcHits,GpuTime "$DIR/reports"
try "unavailable metric is empty in a table" 0 out '^ +[a-z]* +LlcHits' "${DECODE[@]}" -m LlcHits,GpuTime "$DIR/reports"
try "unavailable query metric has a reason" 0 err 'no value for LlcHits: only begin/end queries have it' \
	decode -P hsw -s RenderBasic "${CONSTANTS[@]}" -m LlcHits "$DIR/reports"
try "metric absent from the GPU has a reason" 0 err 'no value for Sampler1Busy: needs SubsliceMask & 0x2, and SubsliceMask is 0x1' \
	decode -P hsw -s RenderBasic "${CONSTANTS[@]}" -c SubsliceMask=1 -m Sampler1Busy "$DIR/reports"
try "missing constants are assumed from the usual GPU" 0 err 'assuming Haswell GT2, with .*SubsliceMask=0x3' \
	--csv decode -P hsw -s RenderBasic -m GpuTime,EuActive "$DIR/reports"
check "assumed constants give the same values" [ "$(sed -n 2p "$DIR/out")" = 1080000,1000000,0.0892857164 ]
try "given constants are not assumed" 0 err 'with GpuTimestampFrequency=12500000 GpuMaxFrequency=1200000000; correct it with -c' \
	decode -P hsw -s RenderBasic -c EuCoresTotalCount=40 -c SubsliceMask=0x1b "$DIR/reports"
check "assumption is printed once" [ "$(grep -c assuming "$DIR/err")" = 1 ]
printf '# Haswell GT2\nGpuTimestampFrequency=12500000 GpuMaxFrequency=1200000000\nEuCoresTotalCount=20, SubsliceMask=3\n' \
	>"$DIR/constants"
try "-c @FILE reads constants" 0 out '10,000,000 +ns +GpuTime' decode -P hsw -s RenderBasic -c "@$DIR/constants" \
	"$DIR/reports"
check "-c @FILE prevents assumptions" [ ! -s "$DIR/err" ]
echo 'EuCoresTotalCount=many' >>"$DIR/constants"
try "error in a constants file has a position" 1 err 'constants:4:19: expected a number' \
	decode -P hsw -s RenderBasic -c "@$DIR/constants" "$DIR/reports"
try "missing constants file is an error" 1 err 'No such file' \
	decode -P hsw -s RenderBasic -c "@$DIR/nothing" "$DIR/reports"
try "binary constants file is rejected" 1 err 'not a list of constants' \
	decode -P hsw -s RenderBasic -c "@$DIR/reports" "$DIR/reports"
try "-m rejects a repeated metric" 2 err '-m names GpuTime twice' "${DECODE[@]}" -m GpuTime,EuActive,GpuTime "$DIR/reports"
try "unused constant is ignored" 0 err "constant 'EuSubslicesTotalCount'\\. Ignored" \
	decode -P hsw -s RenderBasic "${CONSTANTS[@]}" -c EuSubslicesTotalCount=2 "$DIR/reports"
try "mistyped constant has a suggestion" 0 err "did you mean 'SubsliceMask'\\?" \
	decode -P hsw -s RenderBasic "${CONSTANTS[@]}" -c SubslicesMask=2 "$DIR/reports"

# Work of more than a second shows its progress if stderr is a terminal, and only then.
for ((i = 0; i < 800; i++)); do cat "$DIR/reports"; done >"$DIR/many"
cat >"$DIR/slowly" <<'END'
{ cat "$DIR/many"; sleep 1.2; cat "$DIR/many"; } | "$GPUOA" decode -P hsw -s RenderBasic --csv -m GpuTime $QUIET - >"$DIR/out"
END
export DIR GPUOA QUIET=""
on_terminal() {
	QUIET=${1-} SHELL=/bin/sh script -qefc ". $DIR/slowly" /dev/null </dev/null
}
shows_progress() {
	on_terminal | tee "$DIR/screen"
	grep -qE '[0-9]+ MB, [0-9]+ MB/s' "$DIR/screen" && [ "$(wc -l <"$DIR/out")" -gt 16000 ] && ! grep -q MB "$DIR/out"
}
check "progress is printed on a terminal" shows_progress
check "progress is not printed with -q" fails grep MB <(on_terminal -q)
check "progress is not printed to a file" fails grep MB <(sh "$DIR/slowly" 2>&1)

# Several threads. Time jumps back after every ten reports, so the timestamps wrap often.
rows_are_the_same() { # format
	local threads
	"$GPUOA" "$1" "${DECODE[@]}" -j 1 "$DIR/many" >"$DIR/one" || return
	for threads in 2 5; do
		"$GPUOA" "$1" "${DECODE[@]}" -j $threads "$DIR/many" | cmp - "$DIR/one" || return
	done
	[ "$(wc -l <"$DIR/one")" -gt 7990 ]
}
check "CSV is equal for any number of threads" rows_are_the_same --csv
check "JSON is equal for any number of threads" rows_are_the_same --json
try "-j rejects 0" 2 err 'a number of threads from 1 to 256' "${DECODE[@]}" -j 0 "$DIR/reports"

# Truncate the file while the output pipe is full: most of the file is not read yet.
cut_while_it_is_read() { # threads
	cat "$DIR/many" "$DIR/many" "$DIR/many" >"$DIR/cut"
	{
		"$GPUOA" --csv "${DECODE[@]}" -j "$1" "$DIR/cut" 2>"$DIR/err"
		echo $? >"$DIR/code"
	} | {
		head -c 1 >"$DIR/first"
		truncate -s 2560 "$DIR/cut"
		tail -n 1 >"$DIR/last"
	}
	cat "$DIR/err"
	[ "$(cat "$DIR/code")" = 1 ] && grep -q 'truncated while being read: [0-9]* bytes are missing' "$DIR/err" &&
		[ "$(head -c 1 "$DIR/last")" != "" ]
}
check "file truncated while being read is an error" cut_while_it_is_read 1
check "truncation is detected with several threads" cut_while_it_is_read 2

# ---- user definitions ------------------------------------------------------------------------------

DEFINITIONS=lib/tests/definitions
try "-D adds a platform" 0 out '^test1 +TEST1 +2$' -D $DEFINITIONS/basic.oa list platforms
try "-D may follow the command" 0 out '^Second ' list sets -P test1 -D $DEFINITIONS/basic.oa
for file in basic.oa basic.xml; do
	try "decode accepts a set of $file" 0 out '^1080000,1000000,0.0892857164,4624,900033.312$' --csv decode --definitions=$DEFINITIONS/$file \
		-P test1 -s Basic -m GpuTime,EuActive,Odd,Mixed "${CONSTANTS[@]}" -c SkuRevisionId=0 "$DIR/reports"
	cp "$DIR/out" "$DIR/$file.csv"
done
check "decode by a set of a file prints equal values" cmp "$DIR/basic.oa.csv" "$DIR/basic.xml.csv"
cat >"$DIR/mine.oa" <<END
platform hsw "Haswell, and mine"
metric Twice "Twice" "Two times the time." = GpuTime * 2 uint64 ns duration
set Mine like RenderBasic { metrics { Twice } }
END
try "-D extends a platform" 0 out '^hsw +Haswell, and mine +7$' -D "$DIR/mine.oa" list platforms
try "derived sets have metrics of their template" 0 out '^1080000,1000000,2000000$' \
	--csv -D "$DIR/mine.oa" decode -P hsw -s Mine "${CONSTANTS[@]}" -m GpuTime,Twice "$DIR/reports"
try "-D keeps built-in sets" 0 out '^RenderBasic ' -D "$DIR/mine.oa" list sets -P hsw
try "-D may be repeated" 0 out '^Mine ' -D "$DIR/mine.oa" -D $DEFINITIONS/basic.xml list sets -P hsw
try "mistyped platform of a file has a suggestion" 1 err "did you mean 'test1'\?" list sets -P tset1 -D $DEFINITIONS/basic.xml
try "error in a definitions file has a position" 1 err "^gpuoa: $DEFINITIONS/itself.oa:5:9: .* includes itself$" \
	-D $DEFINITIONS/itself.oa list platforms
try "missing definitions file is an error" 1 err 'nothing: No such file' -D "$DIR/nothing" list platforms
try "-D requires a file" 2 err 'requires an argument' list -D

# ---- report ----------------------------------------------------------------------------------------

echo "no recording" >"$DIR/text"
try "report rejects other files" 1 err 'not a perf.data file' report "$DIR/text"
try "report of a missing recording is an error" 1 err 'nothing: cannot open: No such file' report "$DIR/nothing"
try "report rejects a directory" 1 err 'cannot open: not a regular file' report "$DIR"

# Two units: 29 intervals of 5120 ns of gpuoa0 with RenderBasic, 39 of gpuoa1 with ComputeBasic
check "recording of two units is made" "${BUILD:-build}/lib/tests/recorded_streams_test" "$DIR/units"
TOTAL=(report --json --total -m GpuTime "$DIR/units")
try "report prints the first of two units" 0 out '"GpuTime":148480[,}]' "${TOTAL[@]}"
check "report names both units" grep -q 'units: has gpuoa0, gpuoa1; showing gpuoa0; select another with -d$' "$DIR/err"
try "-d selects another unit" 0 out '"GpuTime":199680[,}]' "${TOTAL[@]}" -d gpuoa1
check "report names the selected unit" grep -q 'units: has gpuoa0, gpuoa1; showing gpuoa1$' "$DIR/err"
try "-d GPU address selects its first unit" 0 out '"GpuTime":148480[,}]' "${TOTAL[@]}" -d 0000:00:02.0
try "report --marks uses the selected unit" 0 out 'GpuTime":199680[,}]' \
	report --json --marks -m GpuTime -d gpuoa1 "$DIR/units"
try "-q suppresses the note about other units" 0 out '148480' -q "${TOTAL[@]}"
check "-q prints nothing on stderr" [ ! -s "$DIR/err" ]
try "-d with an unknown unit is an error" 1 err "units: no unit 'gpuoa2' in the recording; it has gpuoa0, gpuoa1$" \
	"${TOTAL[@]}" -d gpuoa2

# ---- installed -------------------------------------------------------------------------------------

install_to() { # assignments
	mkdir -p "$DIR/bin" && printf '#!/bin/sh\necho "$@" >>%s/ldconfig\n' "$DIR" >"$DIR/bin/ldconfig" &&
		chmod +x "$DIR/bin/ldconfig" && PATH=$DIR/bin:$PATH env -u MAKEFLAGS make -s install-lib install-tools "$@"
}
# Do not build here, because another process may be building.
if ! env -u MAKEFLAGS make -sq "$(dirname "$GPUOA")/installed/gpuoa" 2>/dev/null; then
	skip "make install installs gpuoa" "it is not built"
else
	check "make install with DESTDIR installs gpuoa" install_to DESTDIR="$DIR/root" PREFIX=/usr
	check "make install with DESTDIR does not run ldconfig" [ ! -e "$DIR/ldconfig" ]
	check "make install as root installs gpuoa" install_to PREFIX="$DIR/prefix"
	check "make install as root runs ldconfig" [ -e "$DIR/ldconfig" ]
	check "installed gpuoa runs" env LD_LIBRARY_PATH="$DIR/prefix/lib" "$DIR/prefix/bin/gpuoa" list platforms

	# Commands that are separate programs are replaced by a script that prints its arguments.
	libexec=$DIR/prefix/libexec/gpuoa
	printf '#!/bin/sh\nprintf "<%%s> " "$@"\necho\nexit 7\n' >"$DIR/shows" && chmod +x "$DIR/shows"
	printf 'platform mine "Mine"\n' >"$DIR/mine.oa"
	passes_on() {
		install -m 755 "$DIR/shows" "$libexec/gpuoa-plot"
		GPUOA=$DIR/prefix/bin/gpuoa LD_LIBRARY_PATH=$DIR/prefix/lib try "$@"
	}
	passes_on "a command can be a program of its own" 7 out '^<x y> $' plot "x y"
	passes_on "which gets the global options" 7 out '^<-d> <a> <-D> <.*mine.oa> <--json> <-q> <-o> <b> $' \
		-d a -D "$DIR/mine.oa" --json -q plot -o b
	rm "$libexec/gpuoa-plot"
	missing() {
		GPUOA=$DIR/prefix/bin/gpuoa LD_LIBRARY_PATH=$DIR/prefix/lib try "$@"
	}
	missing "a command that is not built names its packages" 1 err \
		"^gpuoa: gpuoa plot: not built: needs cairo; install libcairo2-dev .*cairo-devel .*, and make again$" plot x
	check "error is printed in one line" [ "$(wc -l <"$DIR/err")" = 1 ]
fi

# ---- the measured command ------------------------------------------------------------------------

WORKLOAD=$(dirname "$GPUOA")/tests/child
exits() { # code, command
	local code=$1
	shift
	"$@"
	[ $? = "$code" ]
}
# Start the command in the background, as 'timeout' does; send signals 0.5 s apart, and wait. Prints
# the exit code.
interrupted() { # signals, command
	local signals=$1 pid signal status
	shift
	timeout --foreground -s KILL 20 "$WORKLOAD" "$@" >"$DIR/out" 2>"$DIR/err" &
	pid=$!
	sleep 0.3
	for signal in $signals; do
		pkill "-$signal" -P "$pid" && sleep 0.5
	done
	wait "$pid"
	status=$?
	echo "exit code $status"
	return $status
}
check "exit code of the command is returned" exits 7 "$WORKLOAD" sh -c 'exit 7'
check "fatal signal of the command is returned" exits 137 "$WORKLOAD" sh -c 'kill -9 $$'
check "exit code is returned when SIGCHLD is ignored" exits 7 timeout -s KILL 20 env --ignore-signal=CHLD "$WORKLOAD" sh -c 'exit 7'
check "command that cannot be executed returns 126" exits 126 "$WORKLOAD" "$DIR"
check "command without #! runs as a shell script" bash -c \
	"echo 'exit 5' >'$DIR/script' && chmod +x '$DIR/script' && { '$WORKLOAD' '$DIR/script'; [ \$? = 5 ]; }"
check "SIGTERM ends the command" exits 143 interrupted TERM sleep 10
check "Ctrl-C gives the command time to clean up" exits 3 interrupted INT \
	bash -c 'trap "exit 4" TERM; sleep 0.8 & wait; exit 3'
check "Ctrl-C kills the command after a timeout" exits 4 interrupted INT bash -c 'trap "exit 4" TERM; sleep 9 & wait; exit 3'
check "second signal kills a command that ignores SIGTERM" exits 137 interrupted "TERM TERM" \
	env --ignore-signal=TERM sleep 10
check "third Ctrl-C kills the command" exits 137 interrupted "INT INT INT" env --ignore-signal=TERM sleep 10
for command in stat record; do
	try "$command with a mistyped command returns 127 before opening devices" 127 err 'cannot execute nosuchcmd: No such file' \
		$command -s RenderBasic -- nosuchcmd
	try "$command with a non-executable file returns 126" 126 err 'cannot execute /: Permission denied' \
		$command -s RenderBasic -- /
done

# ---- programs for Intel's interfaces ---------------------------------------------------------------

# shellcheck disable=SC2016 # expanded by the program
try "run sets the path of the libraries" 0 out "^$BUILD/frontend/igdmd:/else 1\$" \
	run -- env LD_LIBRARY_PATH=/else "$BUILD/tools/gpuoa" run sh -c 'echo $LD_LIBRARY_PATH $ZET_ENABLE_METRICS'
try "run returns the status of the program" 7 out '^done$' run -- sh -c 'echo done; exit 7'
try "run needs a program" 2 err 'which program' run
try "run of what does not exist is 127" 127 err 'nosuchcmd' run nosuchcmd

# ---- without a GPU ---------------------------------------------------------------------------------

if [ -e /sys/module/gpuoa ] || grep -qs '^0x8086$' /sys/class/drm/card*/device/vendor; then
	skip "doctor without a GPU prints remedies" "there is one, or gpuoa.ko is loaded"
else
	try "doctor reports the missing GPU" 1 out '^denied   no Intel GPU is on the PCI bus' doctor
	check "doctor does not suggest the simulator" bash -c "! grep gpuoa_sim '$DIR/out'"
	try "doctor --json reports the missing GPU" 1 out '"topic":"gpu","verdict":"denied".*passed through' --json doctor
	try "doctor -q prints problems only" 1 out '^ *-> a virtual machine' -q doctor
	try "top without a GPU prints doctor's remedies" 1 err '^gpuoa: no Intel GPU is on the PCI bus ->' top --once
fi
try "doctor rejects operands" 2 err 'unexpected' doctor me
if [ -e /sys/class/gpuoa ]; then
	skip "missing device is an error with a remedy" "gpuoa.ko is loaded"
else
	try "missing device is an error with a remedy" 1 err "no OA unit on this machine: .* run 'gpuoa doctor'" list devices
fi

echo "1..$number"
