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
check "gpuoa stalls reports losses" losses_are_told
check "gpuoa stalls names the program that samples" exits 1 'gpuoa-stalls \(process [0-9]+\) does' \
	"$GPUOA" stalls "$GPUOA" stalls true
check "gpuoa stalls exits with the status of the command" exits 7 '' "$GPUOA" stalls sh -c 'exit 7'
echo "1..$number"
