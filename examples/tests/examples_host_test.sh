#!/bin/bash
# Tests of the examples that need no GPU, and of their quotations in documents; prints TAP
set -u
cd "$(dirname "$0")/../.." || exit 1
EXAMPLES=$(realpath "${BUILD:-build}")/examples
DIR=$(mktemp -d)
trap 'rm -rf "$DIR"' EXIT

. selftests/tap.sh

# A block of code after ".. from FILE" in a document must be contained in FILE; indentation may
# differ.
is_shown_unchanged() { # document
	local file snippets=0
	while read -r file; do
		snippets=$((snippets + 1))
		awk -v want="$snippets" '
			/^\.\. from / { n++; code = 0; next }
			n == want && /::$/ && !code { code = 1; next }
			n == want && code == 1 && /^[^ \t]/ { exit }
			n == want && code == 1 { sub(/^[ \t]+/, ""); if ($0 != "") print }' "$1" >"$DIR/snippet"
		sed 's/^[ \t]*//' "$file" | grep -v '^$' >"$DIR/file"
		awk 'FNR == NR { want[++n] = $0; next }
			{ line[++lines] = $0 }
			END {
				for (i = 0; n && i + n <= lines; i++) {
					for (j = 1; j <= n && line[i + j] == want[j]; j++)
						;
					if (j > n)
						exit 0
				}
				exit 1
			}' "$DIR/snippet" "$DIR/file" || { echo "$1: snippet $snippets is not in $file:" && cat "$DIR/snippet" && return 1; }
	done < <(sed -n 's/^\.\. from //p' "$1")
	[ $snippets -gt 0 ]
}

# 40 reports from 100 s on, 1 ms apart, of which the 7 after the 20th are lost
"${BUILD:-build}/tools/tests/make_recordings" gpuoa "$DIR/own" 40 || exit
printf '%s\n' '100.001 100.010 early' '100.010 100.020 late' >"$DIR/phases"
printf '%s\n' '100.010 100.020 late' '100.001 100.010 early' >"$DIR/unsorted"

# Metrics of another GPU are named on stderr.
decodes() {
	"$EXAMPLES/decode" "$DIR/own" >"$DIR/csv" 2>"$DIR/messages" || return
	[ "$(wc -l <"$DIR/csv")" = 32 ] # a heading, 19 intervals before the loss and 12 after it
}

# Counter i of bank A increments by 7812 * (i + 4) per report, plus 100 * (number % 5).
prints_raw_counters() {
	"$EXAMPLES/raw" "$DIR/own" >"$DIR/raw" || return
	grep -q '^# gap: 7 reports were lost$' "$DIR/raw" &&
		awk '/^#/ { next }
			{ number = ($1 - 1920000000) / 19200 }
			NF != 4 + 36 + 8 + 8 || $2 != $1 || $3 != "timer" || $4 != "-" { print; bad = 1 }
			$5 != number * 7812 * 4 + number % 5 * 100 && number { print; bad = 1 }
			{ reports++ }
			END { exit bad || reports != 33 }' "$DIR/raw"
}

# Counters are added, time is not: a ratio of counters to time is twice that of one stream.
adds_streams() {
	local value twice
	value=$("$EXAMPLES/phases" "$DIR/own" "$DIR/phases" | sed -n 's/^early: 100.0 % covered.*SamplerBottleneck \([0-9.]*\) .*/\1/p')
	twice=$("$EXAMPLES/phases" "$DIR/own" "$DIR/phases" 0 0 | sed -n 's/^early: 100.0 % covered.*SamplerBottleneck \([0-9.]*\) .*/\1/p')
	awk -v value="$value" -v twice="$twice" 'BEGIN { exit !(value > 0 && twice - 2 * value < 0.2 && 2 * value - twice < 0.2) }'
}

# On a fake GPU
mdapi() {
	LD_LIBRARY_PATH=$(realpath "${BUILD:-build}")/frontend/igdmd/tests/fake "$EXAMPLES/mdapi" "$@"
}

# 64 reports of 1 ms
streams_by_mdapi() {
	mdapi RenderBasic 64 >"$DIR/mdapi" || return
	grep -q '^# 64 reports, 63 intervals$' "$DIR/mdapi" && grep -qE '^GpuTime +1000000.00 ns$' "$DIR/mdapi" &&
		grep -qE '^AvgGpuCoreFrequencyMHz +960.00 ' "$DIR/mdapi"
}

check "mdapi prints sets" says '^OA +RenderBasic +[0-9]+ metrics' mdapi
check "mdapi prints metrics" says '^EuActive +percent' mdapi RenderBasic
check "mdapi streams and calculates" streams_by_mdapi
check "mdapi rejects an unknown set" says 'has no such set' fails mdapi NoSuchSet
check "list prints platforms" says '^tglgt2 +Tiger Lake GT2' "$EXAMPLES/list"
check "list prints sets" says '^OA +RenderBasic +[0-9]+ metrics' "$EXAMPLES/list" tglgt2
check "list prints metrics" says '^EuActive +duration +percent' "$EXAMPLES/list" tglgt2 RenderBasic
check "list rejects unknown names" says "no platform 'atari'" fails "$EXAMPLES/list" atari
check "decode rejects a file that is not regular" says 'not a regular file' fails "$EXAMPLES/decode" /dev/null
check "list prints information items" says '^ReportReason +report_reason ' "$EXAMPLES/list" tglgt2 RenderBasic
check "list prints a metric" says '^EU Active, percent \(float\)' "$EXAMPLES/list" tglgt2 RenderBasic.EuActive
check "decode prints a row per interval" decodes
check "raw prints positions of fields" says '^# counter_a 31: byte 140, 40 bits, upper byte 191$' "$EXAMPLES/raw" "$DIR/own"
check "raw prints possible reasons" says '^# Report Reason: timer,.*,context_switch,' "$EXAMPLES/raw" "$DIR/own"
check "raw prints counters of each report" prints_raw_counters
check "phases adds the counters of several streams" adds_streams
check "phases prints the covered part of each phase" says '^late: 90.0 % covered' "$EXAMPLES/phases" "$DIR/own" "$DIR/phases"
check "phases rejects streams of different sets" says 'different sets' fails "$EXAMPLES/phases" "$DIR/own" "$DIR/phases" 0 1
check "phases rejects phases out of order" says 'before the end of the one before it' fails "$EXAMPLES/phases" "$DIR/own" "$DIR/unsorted"
check "user guide contains the examples unchanged" is_shown_unchanged Documentation/user/user-guide.rst
echo "1..$number"
