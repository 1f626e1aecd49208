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

try "help goes to stdout" 0 out '^Usage: gpuoa' --help
try "the version goes to stdout" 0 out '^gpuoa [0-9]+\.[0-9]+\.[0-9]+$' --version
for command in list stat record report decode; do
	try "$command has help" 0 out "^Usage: gpuoa $command" "$command" --help
done
try "-h is --help" 0 out '^Usage: gpuoa list' list -h
try "gpuoa help is --help" 0 out '^Usage: gpuoa \[' help
try "gpuoa help COMMAND is that of the command" 0 out '^Usage: gpuoa stat' help stat
try "help knows the commands" 2 err "unknown command 'frobnicate'" help frobnicate
try "--json and --csv exclude each other" 2 err 'exclude each other' --json list platforms --csv
try "one of them may be repeated" 0 out '^\{' --json list platforms --json
try "no command is a usage error" 2 err 'missing command'
try "an unknown command is a usage error" 2 err "unknown command 'frobnicate'" frobnicate
try "an unknown option is a usage error" 2 err 'frobnicate' list --frobnicate
try "an unknown list is a usage error" 2 err "unknown list 'sots'" list sots
try "two lists are a usage error" 2 err 'more than one list' list sets metrics
try "the list of devices is of no platform" 2 err '-P PLATFORM is only for' list devices -P hsw
try "nor is that of platforms" 2 err '-P PLATFORM is only for' list platforms -P hsw
try "the list of sets is not of one set" 2 err '-s SET is only for' list sets -P hsw -s RenderBasic
try "a poll period is a number" 2 err "poll-period: cannot read 'soon' as a time; give ns, or a number with a unit such as 500us" stat -s RenderBasic --poll-period soon
try "a period must be a time" 2 err "-p: cannot read 'soon' as a time; give ns" stat -s RenderBasic -p soon
try "a period of nothing is a usage error" 2 err "-p: cannot use '0ms': the least is 1 ns" stat -s RenderBasic -p 0ms
try "a frequency may have a prefix, and no other" 2 err "-F: cannot read '10m' as a frequency" record -s RenderBasic -F 10m
try "an interval must be a number" 2 err "-I: cannot read '-5' as a time; give ms" stat -s RenderBasic -I -5
try "record prints nothing that could be CSV" 2 err 'gpuoa report' record --csv -s RenderBasic
try "record does not write to standard output" 2 err "cannot write a recording to standard output" record -s RenderBasic -o -
try "a flight recorder has all of each report" 2 err '--metrics excludes' record -s RenderBasic --overwrite -m GpuTime
try "so has what the GPU writes in place" 2 err '--metrics excludes' record -s RenderBasic --aux -m GpuTime
try "a flight recorder has its buffer in memory" 2 err 'exclude each other' record -s RenderBasic --overwrite --aux
try "top has help" 0 out '^Usage: gpuoa top' top --help
try "top wants a terminal" 2 err 'not a terminal; use --once' top
try "values as JSON are those of --once" 2 err 'need --once' --json top
try "an interval has limits" 2 err "-I: cannot use '10': the least is 50 ms" top --once -I 10
try "top has no operands" 2 err 'gpuoa0: unexpected' top --once gpuoa0
for command in report "plot -o $DIR/x.svg" "export -f csv"; do
	read -ra arguments <<<"$command"
	try "${arguments[0]} without FILE takes gpuoa.data" 1 err 'gpuoa\.data: cannot open: No such file' "${arguments[@]}"
done
try "a diff without FILEs takes gpuoa.data.old and gpuoa.data" 1 err 'gpuoa\.data\.old: cannot open: No such file' report --diff
try "report wants one recording" 2 err 'more than one recording' report a b
try "a part has two ends" 2 err "--time: cannot read '1s'; give START,STOP in seconds" report --time 1s a
try "a part ends after it begins" 2 err 'the end is before the start' report --time 2,1500ms a
try "--time rejects an end in ticks before the start" 2 err 'the end is before the start' report --time 20t,10t a
try "a part is not compared" 2 err 'not for --diff and --contexts' report --diff --time 1, a b
try "--time rejects ticks that are no number" 2 err "cannot read 'nowt,'" report --time nowt, a
try "decode wants a platform" 2 err 'missing platform' decode -s RenderBasic x
try "decode wants a set" 2 err 'missing metric set' decode -P hsw x
try "decode wants a file" 2 err 'missing file' decode -P hsw -s RenderBasic
try "a constant must have a number" 2 err 'give CONSTANT=NUMBER' decode -P hsw -s RenderBasic -c A=b x
try "QueryMode is what it is" 2 err "QueryMode cannot be 7" decode -P hsw -s RenderBasic -c QueryMode=7 x
try "an unknown format is a usage error" 2 err "unknown report format 'A99'" "${DECODE[@]}" --format A99 /dev/null

# ---- lists -----------------------------------------------------------------------------------------

try "platforms are listed" 0 out '^hsw +Haswell' list platforms
fits() { # columns, arguments
	COLUMNS=$1 "$GPUOA" "${@:2}" >"$DIR/out" && awk -v most="$1" 'length > most { print; bad = 1 } END { exit bad || NR < 3 }' "$DIR/out"
}
for columns in 80 100; do
	check "a list of sets fits into $columns columns" fits $columns list sets -P tglgt2
	check "a list of metrics fits into $columns columns" fits $columns list metrics -P tglgt2 -s RenderBasic
done
unbroken() { # checks that no word of the list is broken in the table
	comm -23 <(tr -s ' ' '\n' <"$DIR/out" | sort -u) <("$GPUOA" list metrics -P tglgt2 -s RenderBasic | tr -s ' ' '\n' | sort -u) |
		tee "$DIR/broken"
	[ ! -s "$DIR/broken" ]
}
check "and no word is broken" unbroken
check "windows fit" fits 80 "${DECODE[@]}" --window 4ms "$DIR/reports"
try "what is counted is shown with its rate" 0 out ' GpuCoreClocks +5\.60 M cycles/s' "${DECODE[@]}" "$DIR/reports"
try "registers of a set are listed" 0 out '^flex +0x0e458 +0x00804704$' list registers -P tglgt2 -s RenderBasic
try "registers are those of a set" 2 err 'missing metric set' list registers -P tglgt2
try "sets are listed" 0 out '^RenderBasic ' list sets -P hsw
try "metrics are listed" 0 out 'EuActive +percent' list -P hsw metrics -s RenderBasic
for list in platforms "sets -P hsw" "metrics -P hsw" "constants -P hsw"; do
	read -ra arguments <<<"$list"
	try "the list of ${arguments[0]} can be CSV" 0 out ',' --csv list "${arguments[@]}"
	try "the list of ${arguments[0]} can be JSON" 0 out '^\{' --json list "${arguments[@]}"
	check "which is valid" is_json
done
"$GPUOA" --json list metrics -P hsw -s RenderBasic >"$DIR/out"
check "metrics have all their fields" jq -es 'all(has("set") and has("symbol") and has("name") and
	has("description") and has("group") and has("units") and has("hw_unit") and has("equation") and has("limit_equation") and
	has("availability") and has("available") and has("why") and has("type") and has("semantic") and has("usage") and
	has("apis") and has("tier") and has("query_only") and has("low") and has("high"))' "$DIR/out"
check "a scale is a double" jq -es 'any(.units == "ns" and .si_scale == 1e-9)' "$DIR/out"
check "and what units mean, and an equation in postfix order" jq -es 'all(has("domain") and has("index") and
	has("quantity") and has("si_unit") and has("si_scale")) and
	any(.symbol == "EuActive" and .postfix == "A0 100 * GpuCoreClocks EuCoresTotalCount * /" and .quantity == "ratio")' \
	"$DIR/out"
check "sets have all their fields" jq -es 'all(has("set") and has("uuid") and has("domain") and has("category") and
	has("sampling") and has("report_size") and has("register_count") and has("available") and has("why"))' \
	<("$GPUOA" --json list sets -P hsw)
check "a set that depends on the GPU says so" jq -es \
	'any(.available == null and (.why | test("GtSlice0XeCore3 has no value")))' \
	<("$GPUOA" --json list sets -P arlgt1)
check "constants are those of the platform's usual GPU" jq -es \
	'any(.name == "EuCoresTotalCount" and .value == 96 and .origin == "assumed" and .kind == "count")' \
	<("$GPUOA" --json list constants -P tglgt2)
check "a metric that depends on the GPU says so" jq -es \
	'any(.available == null and (.why | test("SliceMask|SubsliceMask")))' \
	<("$GPUOA" --json list metrics -P hsw)

# ---- mistyped names ------------------------------------------------------------------------------

spells_units() { # platform, unit of measure of a metric of RenderBasic
	"$GPUOA" -q --json list metrics -P "$1" -s RenderBasic | jq -r .units | sort -u >"$DIR/out"
	grep -qx "$2" "$DIR/out" && ! grep -xiE 'gbps|hz' "$DIR/out" | grep -vx Hz
}
check "bandwidth is listed in GB/s" spells_units bmg GB/s
check "frequency is listed in Hz" spells_units bmg Hz
try "a mistyped set is suggested" 1 err "did you mean 'RenderBasic'\?" list metrics -P hsw -s renderbasic
try "of sets of one name that of the GPU is taken" 0 err 'assuming Arrow Lake' --csv decode -P arlgt1 \
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
try "a set for other GPUs is refused" 1 err "no metric set 'Second': it needs SliceMask & 2, and SliceMask is 0x1" \
	-D "$DIR/gt3.oa" decode -P gt3 -s Second -c SliceMask=1 -c GpuTimestampFrequency=1 /dev/null
try "a mistyped platform is suggested" 1 err "did you mean 'hsw'\?" list sets -P hws
try "a mistyped metric is suggested" 1 err "did you mean 'EuActive'\?" "${DECODE[@]}" -m EuActiv /dev/null
try "a pattern selects metrics" 0 out '^timestamp_ns,EuActive,EuStall,GpuBusy$' --csv "${DECODE[@]}" -m 'Eu[AS]*,GpuBusy,EuActive' /dev/null
try "a pattern selects no metric twice" 0 out '^timestamp_ns,EuStall,EuActive$' --csv "${DECODE[@]}" -m 'EuStall,Eu[AS]*' /dev/null
try "a pattern without a match is an error" 1 err \
	"^gpuoa: RenderBasic: cannot use -m 'Nothing\*': no metric matches; see 'gpuoa list metrics -s RenderBasic'$" "${DECODE[@]}" -m 'Nothing*' /dev/null
try "a pattern in another case is told apart" 1 err "no metric matches \(case matters: there is 'EuActive'\)" "${DECODE[@]}" -m 'euact*' /dev/null
try "what is far off gets no suggestion" 1 err "no metric set 'zzzzzzzz'\. See" list metrics -P hsw -s zzzzzzzz

# ---- decode ----------------------------------------------------------------------------------------

try "reports are decoded to a table" 0 out '10,000,000 +ns +GpuTime' "${DECODE[@]}" "$DIR/reports"
try "reports are decoded to CSV" 0 out '^timestamp_ns,GpuTime,EuActive$' --csv "${DECODE[@]}" -m GpuTime,EuActive "$DIR/reports"
check "with a row for each interval" [ "$(wc -l <"$DIR/out")" = 11 ]
check "integers exact, floats in nine digits" [ "$(sed -n 2p "$DIR/out")" = 1080000,1000000,0.0892857164 ]
try "reports are decoded to JSON" 0 out '^\{"timestamp_ns":1080000,' --json "${DECODE[@]}" "$DIR/reports"
check "which is valid" is_json
check "with an object for each interval" [ "$(wc -l <"$DIR/out")" = 10 ]
try "totals have begin and end" 0 out '^\{"begin_ticks":1000,"end_ticks":126000,.*"GpuTime":10000000' \
	--json "${DECODE[@]}" --total "$DIR/reports"
INPUT=$DIR/reports try "reports are read from standard input" 0 out '10,000,000 +ns +GpuTime' "${DECODE[@]}" -
# Reports are 1 ms apart, from 80 us on; A0 counts 100 per report.
try "nothing is assumed for a file that is not there" 1 err '^gpuoa: [^ ]*/nothing: No such file' \
	decode -P hsw -s RenderBasic "$DIR/nothing"
check "... and nothing else is said" test "$(wc -l <"$DIR/err")" = 1
try "a name is no command to the terminal" 1 err '^gpuoa: no metrics for a platform .\\x1b\[31mhsw' \
	list -P "${ESC}[31mhsw" sets
try "windows are rows" 0 out '^begin_ticks,end_ticks,begin_ns,end_ns,covered_ticks,GpuTime$' \
	--csv "${DECODE[@]}" --window 4000000 -m GpuTime "$DIR/reports"
check "all of them" [ "$(sed 1d "$DIR/out" | tr '\n' ' ')" = "0,50000,0,4000000,49000,3920000 50000,100000,4000000,8000000,50000,4000000 100000,150000,8000000,12000000,26000,2080000 " ]
try "a window is a line of a table" 0 out '^ +0\.004000 +0\.004000 +1\.00$' "${DECODE[@]}" --window 4000000 -m GpuTime "$DIR/reports"
make_reports 100 2147483647 >"$DIR/hours"
first_windows() {
	local lines
	lines=$(timeout 60 "$GPUOA" "${DECODE[@]}" --window 1000000 -m GpuTime "$DIR/hours" | head -n 3 | wc -l)
	[ "$lines" = 3 ]
}
check "a table of 17 million windows begins at once" first_windows
try "a window may have a unit" 0 out '^50000,100000,4000000,8000000,50000,4000000$' \
	--csv "${DECODE[@]}" --window 4ms -m GpuTime "$DIR/reports"
try "a window has some length" 2 err "--window: cannot use '0': the least is 1 ns" "${DECODE[@]}" --window 0 "$DIR/reports"
try "a window is a tick at least" 2 err 'shorter than a tick' "${DECODE[@]}" --window 79 "$DIR/reports"
try "there are totals or windows" 2 err '--total and --window exclude each other' "${DECODE[@]}" --window 80 --total "$DIR/reports"
try "no interval is in no window" 0 err 'fewer than two reports' decode -P hsw -s RenderBasic "${CONSTANTS[@]}" --window 80 /dev/null
try "half a report at the end is an error" 1 err '232 bytes are left' --csv "${DECODE[@]}" "$DIR/torn"
check "but what came before is printed" [ "$(wc -l <"$DIR/out")" = 3 ]
try "one report makes no interval" 0 err 'fewer than two reports' decode -P hsw -s RenderBasic "${CONSTANTS[@]}" /dev/null
try "a file that is not there is an error" 1 err 'No such file' "${DECODE[@]}" "$DIR/nothing"
try "a format without the counters is an error" 1 err 'format B4_C8 lacks a counter' "${DECODE[@]}" --format B4_C8 /dev/null
try "options may follow the file" 0 out '^1080000,1000000$' "${DECODE[@]}" "$DIR/reports" --csv -m GpuTime
unwritable_output() {
	find_full && "$GPUOA" --csv "${DECODE[@]}" "$DIR/reports" 2>&1 >"$full" | grep 'No space left'
}
check "output that cannot be written is an error" unwritable_output
check "a reader that goes away is no error to speak of" bash -c \
	"set -o pipefail; '$GPUOA' --csv ${DECODE[*]} '$DIR/reports' 2>'$DIR/err' | head -1; [ ! -s '$DIR/err' ]"

try "numbers with leading zeros are decimal" 0 out '^1080000,1000000$' \
	--csv "${DECODE[@]}" -c GpuTimestampFrequency=0012500000 -m GpuTime "$DIR/reports"
try "those after 0x are hexadecimal" 0 out '^1080000,1000000$' \
	--csv "${DECODE[@]}" -c GpuTimestampFrequency=0xbebc20 -m GpuTime "$DIR/reports"
try "0x alone is no number" 2 err 'give CONSTANT=NUMBER' "${DECODE[@]}" -c SliceMask=0x "$DIR/reports"
try "a number of a format is decimal, too" 0 out '10,000,000 +ns +GpuTime' "${DECODE[@]}" --format 05 "$DIR/reports"
for format in 0 6400000000 99; do
	try "there is no format $format" 2 err "unknown report format '$format'" "${DECODE[@]}" --format $format /dev/null
done
try "CSV without rows has a header" 0 out '^timestamp_ns,GpuTime$' --csv "${DECODE[@]}" -m GpuTime /dev/null
try "so has CSV without totals" 0 out '^begin_ticks,end_ticks,begin_ns,end_ns,GpuTime$' \
	--csv "${DECODE[@]}" --total -m GpuTime /dev/null
check "and nothing else" [ "$(wc -l <"$DIR/out")" = 1 ]
try "a metric that is not available has no value in JSON" 0 out '"LlcHits":null,"GpuTime":1000000\}' \
	--json "${DECODE[@]}" -m LlcHits,GpuTime "$DIR/reports"
try "nor in CSV" 0 out '^1080000,,1000000$' --csv "${DECODE[@]}" -m LlcHits,GpuTime "$DIR/reports"
try "nor in the table" 0 out '^ +[a-z]* +LlcHits' "${DECODE[@]}" -m LlcHits,GpuTime "$DIR/reports"
try "which is explained" 0 err 'no value for LlcHits: only begin/end queries have it' \
	decode -P hsw -s RenderBasic "${CONSTANTS[@]}" -m LlcHits "$DIR/reports"
try "so is what the GPU lacks" 0 err 'no value for Sampler1Busy: needs SubsliceMask & 0x2, and SubsliceMask is 0x1' \
	decode -P hsw -s RenderBasic "${CONSTANTS[@]}" -c SubsliceMask=1 -m Sampler1Busy "$DIR/reports"
try "without constants those of the usual GPU are assumed" 0 err 'assuming Haswell GT2, with .*SubsliceMask=0x3' \
	--csv decode -P hsw -s RenderBasic -m GpuTime,EuActive "$DIR/reports"
check "which gives the same values" [ "$(sed -n 2p "$DIR/out")" = 1080000,1000000,0.0892857164 ]
try "but what is given is not" 0 err 'with GpuTimestampFrequency=12500000 GpuMaxFrequency=1200000000; correct it with -c' \
	decode -P hsw -s RenderBasic -c EuCoresTotalCount=40 -c SubsliceMask=0x1b "$DIR/reports"
check "which is said once" [ "$(grep -c assuming "$DIR/err")" = 1 ]
printf '# Haswell GT2\nGpuTimestampFrequency=12500000 GpuMaxFrequency=1200000000\nEuCoresTotalCount=20, SubsliceMask=3\n' \
	>"$DIR/constants"
try "constants can stand in a file" 0 out '10,000,000 +ns +GpuTime' decode -P hsw -s RenderBasic -c "@$DIR/constants" \
	"$DIR/reports"
check "then nothing is assumed" [ ! -s "$DIR/err" ]
echo 'EuCoresTotalCount=many' >>"$DIR/constants"
try "a mistake in it is told with its place" 1 err 'constants:4:19: expected a number' \
	decode -P hsw -s RenderBasic -c "@$DIR/constants" "$DIR/reports"
try "a file that is not there is told" 1 err 'No such file' \
	decode -P hsw -s RenderBasic -c "@$DIR/nothing" "$DIR/reports"
try "a file that is no text is refused" 1 err 'not a list of constants' \
	decode -P hsw -s RenderBasic -c "@$DIR/reports" "$DIR/reports"
try "a metric is wanted once" 2 err '-m names GpuTime twice' "${DECODE[@]}" -m GpuTime,EuActive,GpuTime "$DIR/reports"
try "a constant that is not needed is ignored" 0 err "constant 'EuSubslicesTotalCount'\\. Ignored" \
	decode -P hsw -s RenderBasic "${CONSTANTS[@]}" -c EuSubslicesTotalCount=2 "$DIR/reports"
try "a mistyped one is suggested" 0 err "did you mean 'SubsliceMask'\\?" \
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
check "long work shows how far it is on a terminal" shows_progress
check "but not with -q" fails grep MB <(on_terminal -q)
check "and nowhere else" fails grep MB <(sh "$DIR/slowly" 2>&1)

# Several threads. Time jumps back after every ten reports, so the timestamps wrap often.
rows_are_the_same() { # format
	local threads
	"$GPUOA" "$1" "${DECODE[@]}" -j 1 "$DIR/many" >"$DIR/one" || return
	for threads in 2 5; do
		"$GPUOA" "$1" "${DECODE[@]}" -j $threads "$DIR/many" | cmp - "$DIR/one" || return
	done
	[ "$(wc -l <"$DIR/one")" -gt 7990 ]
}
check "rows of CSV are the same, however many threads there are" rows_are_the_same --csv
check "and those of JSON" rows_are_the_same --json
try "no threads are too few" 2 err 'a number of threads from 1 to 256' "${DECODE[@]}" -j 0 "$DIR/reports"

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
check "a file that is cut while it is read is an error" cut_while_it_is_read 1
check "for several threads, too" cut_while_it_is_read 2

# ---- user definitions ------------------------------------------------------------------------------

DEFINITIONS=lib/tests/definitions
try "a file defines a platform" 0 out '^test1 +TEST1 +2$' -D $DEFINITIONS/basic.oa list platforms
try "the option may follow the command" 0 out '^Second ' list sets -P test1 -D $DEFINITIONS/basic.oa
for file in basic.oa basic.xml; do
	try "reports are decoded by a set of $file" 0 out '^1080000,1000000,0.0892857164,4624,900033.312$' --csv decode --definitions=$DEFINITIONS/$file \
		-P test1 -s Basic -m GpuTime,EuActive,Odd,Mixed "${CONSTANTS[@]}" -c SkuRevisionId=0 "$DIR/reports"
	cp "$DIR/out" "$DIR/$file.csv"
done
check "with the same results" cmp "$DIR/basic.oa.csv" "$DIR/basic.xml.csv"
cat >"$DIR/mine.oa" <<END
platform hsw "Haswell, and mine"
metric Twice "Twice" "Two times the time." = GpuTime * 2 uint64 ns duration
set Mine like RenderBasic { metrics { Twice } }
END
try "a file continues a platform" 0 out '^hsw +Haswell, and mine +7$' -D "$DIR/mine.oa" list platforms
try "its sets have the metrics of the set that they take after" 0 out '^1080000,1000000,2000000$' \
	--csv -D "$DIR/mine.oa" decode -P hsw -s Mine "${CONSTANTS[@]}" -m GpuTime,Twice "$DIR/reports"
try "those that were there stay" 0 out '^RenderBasic ' -D "$DIR/mine.oa" list sets -P hsw
try "several files may be given" 0 out '^Mine ' -D "$DIR/mine.oa" -D $DEFINITIONS/basic.xml list sets -P hsw
try "a mistyped platform of a file is suggested" 1 err "did you mean 'test1'\?" list sets -P tset1 -D $DEFINITIONS/basic.xml
try "a mistake is told with line and column" 1 err "^gpuoa: $DEFINITIONS/itself.oa:5:9: .* includes itself$" \
	-D $DEFINITIONS/itself.oa list platforms
try "a file of definitions that is not there is an error" 1 err 'nothing: No such file' -D "$DIR/nothing" list platforms
try "-D wants a file" 2 err 'requires an argument' list -D

# ---- report ----------------------------------------------------------------------------------------

echo "no recording" >"$DIR/text"
try "a file of another kind is refused" 1 err 'not a perf.data file' report "$DIR/text"
try "a recording that is not there is an error" 1 err 'nothing: cannot open: No such file' report "$DIR/nothing"
try "a directory is refused" 1 err 'cannot open: not a regular file' report "$DIR"

# Two units: 29 intervals of 5120 ns of gpuoa0 with RenderBasic, 39 of gpuoa1 with ComputeBasic
check "there is a recording of two units" "${BUILD:-build}/lib/tests/recorded_streams_test" "$DIR/units"
TOTAL=(report --json --total -m GpuTime "$DIR/units")
try "of two units, the first is reported" 0 out '"GpuTime":148480[,}]' "${TOTAL[@]}"
check "and both are named" grep -q 'units: has gpuoa0, gpuoa1; showing gpuoa0; select another with -d$' "$DIR/err"
try "-d takes another" 0 out '"GpuTime":199680[,}]' "${TOTAL[@]}" -d gpuoa1
check "and which one is said" grep -q 'units: has gpuoa0, gpuoa1; showing gpuoa1$' "$DIR/err"
try "a GPU's address takes its first one" 0 out '"GpuTime":148480[,}]' "${TOTAL[@]}" -d 0000:00:02.0
try "stretches between marks are of the same one" 0 out 'GpuTime":199680[,}]' \
	report --json --marks -m GpuTime -d gpuoa1 "$DIR/units"
try "with -q, nothing is said of others" 0 out '148480' -q "${TOTAL[@]}"
check "at all" [ ! -s "$DIR/err" ]
try "a unit that is not in it is an error" 1 err "units: no unit 'gpuoa2' in the recording; it has gpuoa0, gpuoa1$" \
	"${TOTAL[@]}" -d gpuoa2

# ---- installed -------------------------------------------------------------------------------------

install_to() { # assignments
	mkdir -p "$DIR/bin" && printf '#!/bin/sh\necho "$@" >>%s/ldconfig\n' "$DIR" >"$DIR/bin/ldconfig" &&
		chmod +x "$DIR/bin/ldconfig" && PATH=$DIR/bin:$PATH env -u MAKEFLAGS make -s install-lib install-tools "$@"
}
# Do not build here, because another process may be building.
if ! env -u MAKEFLAGS make -sq "$(dirname "$GPUOA")/installed/gpuoa" 2>/dev/null; then
	skip "gpuoa is installed" "it is not built"
else
	check "gpuoa is installed into a tree for a package" install_to DESTDIR="$DIR/root" PREFIX=/usr
	check "without ldconfig" [ ! -e "$DIR/ldconfig" ]
	check "gpuoa is installed" install_to PREFIX="$DIR/prefix"
	check "and the loader told" [ -e "$DIR/ldconfig" ]
	check "it runs" env LD_LIBRARY_PATH="$DIR/prefix/lib" "$DIR/prefix/bin/gpuoa" list platforms

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
	check "in one line" [ "$(wc -l <"$DIR/err")" = 1 ]
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
check "the command's exit code is passed on" exits 7 "$WORKLOAD" sh -c 'exit 7'
check "and the signal that ended it" exits 137 "$WORKLOAD" sh -c 'kill -9 $$'
check "and so it is when SIGCHLD is ignored" exits 7 timeout -s KILL 20 env --ignore-signal=CHLD "$WORKLOAD" sh -c 'exit 7'
check "a command that cannot be executed is 126" exits 126 "$WORKLOAD" "$DIR"
check "a command without #! is a shell script" bash -c \
	"echo 'exit 5' >'$DIR/script' && chmod +x '$DIR/script' && { '$WORKLOAD' '$DIR/script'; [ \$? = 5 ]; }"
check "SIGTERM ends the command" exits 143 interrupted TERM sleep 10
check "after Ctrl-C the command has time to clean up" exits 3 interrupted INT \
	bash -c 'trap "exit 4" TERM; sleep 0.8 & wait; exit 3'
check "but not for ever" exits 4 interrupted INT bash -c 'trap "exit 4" TERM; sleep 9 & wait; exit 3'
check "a command that ignores SIGTERM is killed on the second signal" exits 137 interrupted "TERM TERM" \
	env --ignore-signal=TERM sleep 10
check "and on the third Ctrl-C" exits 137 interrupted "INT INT INT" env --ignore-signal=TERM sleep 10
for command in stat record; do
	try "$command of a mistyped command is 127, before all else" 127 err 'cannot execute nosuchcmd: No such file' \
		$command -s RenderBasic -- nosuchcmd
	try "$command of what cannot be executed is 126" 126 err 'cannot execute /: Permission denied' \
		$command -s RenderBasic -- /
done

# ---- without a GPU ---------------------------------------------------------------------------------

if [ -e /sys/module/gpuoa ] || grep -qs '^0x8086$' /sys/class/drm/card*/device/vendor; then
	skip "doctor says what to do without a GPU" "there is one, or gpuoa.ko is loaded"
else
	try "doctor says that there is no GPU" 1 out '^denied   no Intel GPU is on the PCI bus' doctor
	check "and does not ask for a simulator" bash -c "! grep gpuoa_sim '$DIR/out'"
	try "doctor says so in JSON" 1 out '"topic":"gpu","verdict":"denied".*passed through' --json doctor
	try "doctor is brief with -q" 1 out '^ *-> a virtual machine' -q doctor
	try "top says what doctor says" 1 err '^gpuoa: no Intel GPU is on the PCI bus ->' top --once
fi
try "doctor takes no operand" 2 err 'unexpected' doctor me
if [ -e /sys/class/gpuoa ]; then
	skip "no device is an error that says what to do" "gpuoa.ko is loaded"
else
	try "no device is an error that says what to do" 1 err "no OA unit on this machine: 'gpuoa doctor'" list devices
fi

echo "1..$number"
