#!/bin/bash
# gpuoa stalls with the stock xe on a virtual GPU: what it prints equals the GPU's reference
set -u
. selftests/tap.sh
BUILD=${BUILD:-build}
DIR=$(mktemp -d)
trap 'rm -rf "$DIR"' EXIT
GPUOA=$BUILD/tools/gpuoa
WORK=("$BUILD/lib/tests/stock_xe_stalls" --work 3)

ask() { "$BUILD/tools/gpuoa-vgpu" --ask "$GPUOA_VGPU" "$@"; }

if ! "$GPUOA" stalls -p 1757 true >"$DIR/first" 2>&1; then
	# Before Linux 6.15
	check "gpuoa stalls names the kernel that lacks EU stall sampling" exits 1 \
		"Linux $(uname -r | sed 's/[.+]/\\&/g') has none" "$GPUOA" stalls true
	echo "1..$number"
	exit
fi

# Print the reference as CSV rows, sorted: address, and the reasons in the order of the command. An
# address is in units of 8 bytes.
reference() {
	ask stalls | awk '
		function hex(text, i, value) {
			for (i = 3; i <= length(text); i++)
				value = value * 16 + index("0123456789abcdef", substr(text, i, 1)) - 1
			return value
		}
		$1 == "ip" {
			printf "0x%08x,%s", hex($2) * 8, $13
			for (i = 5; i <= 12; i++)
				printf ",%s", $i
			print "," $4
		}' | sort
}

is_exact() { # FILE: CSV of the command
	reference >"$DIR/expected"
	[ "$(wc -l <"$DIR/expected")" = 9 ] && sed 1d "$1" | sort | diff "$DIR/expected" -
}

csv_is_exact() { # period
	ask stalls clear >"$DIR/cleared"
	"$GPUOA" stalls stat -p "$1" --csv -- "${WORK[@]}" >"$DIR/csv" || return
	head -1 "$DIR/csv" >"$DIR/header"
	echo address,active,other,control,pipe,send,distance,scoreboard,sync,fetch,ps-order | diff - "$DIR/header" || return
	is_exact "$DIR/csv"
}

recording_is_exact() { # options
	ask stalls clear >"$DIR/cleared"
	"$GPUOA" stalls record "$@" -o "$DIR/data" -- "${WORK[@]}" &&
		"$GPUOA" stalls stat -i "$DIR/data" --csv >"$DIR/csv" && is_exact "$DIR/csv"
}

recording_has_reports() {
	recording_is_exact -s TestOa && "$GPUOA" report --csv "$DIR/data" >"$DIR/reports" &&
		head -3 "$DIR/reports" && [ "$(wc -l <"$DIR/reports")" -gt 20 ]
}

# The clocks of both agree: in a trace, the times of EU stalls and of OA reports overlap.
trace_has_both() { # of the recording with OA reports
	"$GPUOA" -q export -f chrome -o "$DIR/trace.json" "$DIR/data" &&
		jq -e '[.traceEvents[] | select(.ph == "C")] |
			[.[] | select(.name == "samples per ms" and ([.args[]] | add) > 0) | .ts] as $stalls |
			[.[] | select(.name != "samples per ms") | .ts] as $reports |
			[$stalls, $reports | length, min, max], ($stalls | length > 0) and
			($reports | length > 20) and ($stalls | min) < ($reports | max) and
			($reports | min) < ($stalls | max)' "$DIR/trace.json"
}

report_is_exact() { # of the same recording, by address
	"$GPUOA" -q --csv stalls report --by address "$DIR/data" >"$DIR/report" || return
	head -1 "$DIR/report"
	reference | awk -F, '{ sum = 0; for (i = 2; i <= NF; i++) sum += $i; print sum }' | sort >"$DIR/expected"
	"$GPUOA" -q --json stalls report --by address "$DIR/data" | jq -r .samples | sort | diff "$DIR/expected" -
}

# The averages of OA reports are those of gpuoa report, weighted by the GPU's clocks.
report_has_occupancy() {
	recording_is_exact -s VectorEngineStalls || return
	"$GPUOA" -q --json report -m GpuCoreClocks,XVE_ACTIVE,XVE_STALL "$DIR/data" |
		jq -rs '(map(.GpuCoreClocks) | add) as $clocks | (map(.GpuCoreClocks * .XVE_ACTIVE) | add / $clocks) as $active |
		(map(.GpuCoreClocks * .XVE_STALL) | add / $clocks) as $stalled |
		"active, stalled:", $active, $stalled' >"$DIR/expected"
	"$GPUOA" -q stalls report "$DIR/data" >"$DIR/said"
	cat "$DIR/expected" "$DIR/said"
	sed -n 's/.*VectorEngineStalls: EUs had threads .*(active \([0-9.]*\) %, stalled \([0-9.]*\) %).*/\1 \2/p' "$DIR/said" |
		cat "$DIR/expected" - | awk 'NR == 2 { active = $1 } NR == 3 { stalled = $1 }
			NR == 4 { good = ($1 - active) ^ 2 < 0.01 && ($2 - stalled) ^ 2 < 0.01 } END { exit !good }'
}

in_doctor() { # pattern
	"$GPUOA" doctor >"$DIR/doctor" # the exit status is that of the other checks
	cat "$DIR/doctor"
	grep -qE -e "$1" "$DIR/doctor"
}

table_has() { # pattern...
	local pattern
	"$GPUOA" stalls -n 4 "${WORK[@]}" >"$DIR/table" || return
	cat "$DIR/table"
	for pattern; do
		grep -qE -e "$pattern" "$DIR/table" || { echo "no $pattern" && return 1; }
	done
}

losses_are_told() {
	ask stalls lose 5
	exits 0 'records were lost [1-9][0-9]* times' "$GPUOA" stalls -p 251 "${WORK[@]}"
}

check "gpuoa stalls prints no samples if no program runs" grep -q 'no samples' "$DIR/first"
for period in 251 1757; do
	check "gpuoa stalls stat --csv equals the reference at $period clocks" csv_is_exact $period
done
check "gpuoa stalls prints reasons and addresses" table_has 'every 1757 clocks \([0-9.]+ us at [0-9]+ MHz\)' \
	'^scoreboard +[0-9,]+ +[0-9.]+ +waiting for a scoreboard token' '^0x00000120 .* scoreboard [0-9]+%' 'and 5 more addresses'
check "gpuoa stalls record and stat -i equal the reference" recording_is_exact -p 502 -w 20ms
check "a recording has EU stalls and OA reports" recording_has_reports
check "gpuoa export -f chrome has EU stalls and OA reports at the same time" trace_has_both
check "gpuoa stalls report equals the reference" report_is_exact
check "gpuoa stalls report has the occupancy of the EUs" report_has_occupancy
found='0000:[0-9a-f:.]+ \(.*\): EU stalls can be sampled$'
check "gpuoa stalls check finds EU stalls" says "^ok       $found" "$GPUOA" stalls check
check "gpuoa doctor finds EU stalls" in_doctor "^ok +$found"
check "gpuoa stalls check names the program that samples" exits 1 '^limited .* \(process [0-9]+\) does$' \
	"$GPUOA" stalls "$GPUOA" stalls check
# gpuoa top: EU stalls while they are shown. They have an instruction of the program, and then none.
top_shows_stalls() {
	local terminal=$BUILD/tools/tests/terminal
	[ -x "$terminal" ] || { echo "libvterm is not installed" && return "$SKIPPED"; }
	printf 'address,size,kernel\n0x100,0x100,worker\n' >"$DIR/kernels.csv"
	(while [ ! -e "$DIR/done" ]; do "${WORK[@]}"; sleep 1; done) >/dev/null &
	TERMINAL_TIMEOUT=$((30 * ${GPUOA_TIMEOUT_SCALE:-1})) LANG=C.UTF-8 "$terminal" 24 80 'wait:^ q quit' keys:e \
		'wait:scoreboard +[0-9.]+ %' 'wait:^ 0x000001[0-9a-f]0 +[0-9.]+ % +\+0x[0-9a-f]+ in worker' text:"$DIR/screen" \
		keys:e 'gone:INSTRUCTION' 'wait:^ q quit' keys:q exit:0 -- "$GPUOA" top -I 500 -k "$DIR/kernels.csv"
	local status=$?
	: >"$DIR/done"
	wait
	cat "$DIR/screen"
	return $status
}
check "gpuoa top shows EU stalls and their kernels" top_shows_stalls
top_names_the_program() {
	[ -x "$BUILD/tools/tests/terminal" ] || { echo "libvterm is not installed" && return "$SKIPPED"; }
	TERMINAL_TIMEOUT=$((30 * ${GPUOA_TIMEOUT_SCALE:-1})) LANG=C.UTF-8 "$GPUOA" stalls "$BUILD/tools/tests/terminal" 24 80 \
		'wait:^ q quit' keys:e 'wait:gpuoa-stalls \(process' keys:q exit:0 -- "$GPUOA" top -I 500
}
check "gpuoa top names the program that samples" top_names_the_program
check "gpuoa stalls reports losses" losses_are_told
check "gpuoa stalls names the program that samples" exits 1 'gpuoa-stalls \(process [0-9]+\) does' \
	"$GPUOA" stalls "$GPUOA" stalls true
check "gpuoa stalls exits with the status of the command" exits 7 '' "$GPUOA" stalls sh -c 'exit 7'
echo "1..$number"
