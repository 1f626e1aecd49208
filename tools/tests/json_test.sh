#!/bin/bash
# Check that each command prints the fields listed in Documentation/reference/json.rst, in that
# order. Prints TAP. Commands that need a unit are tested only where gpuoa.ko has one.
set -u
cd "$(dirname "$0")/../.." || exit 1
. selftests/tap.sh
. selftests/wait.sh
BUILD=$(realpath "${BUILD:-build}")
GPUOA=$BUILD/tools/gpuoa
DOCUMENT=$PWD/Documentation/reference/json.rst
DIR=$(mktemp -d)
trap 'rm -rf "$DIR"' EXIT

# Print "COMMAND<tab>FIELDS" of the first table, or "FIELD<tab>" of the second.
rows() { # heading of the table
	awk -v heading="$1" '
		/^-----*$/ { inside = last == heading }
		inside && /^   \* - / { if (row != "") print row; row = substr($0, 8) "\t"; next }
		inside && /^     - / { row = row substr($0, 8); next }
		inside && /^       / { sub(/^ +/, " "); row = row $0 }
		{ last = $0 }
		!inside && row != "" { print row; row = "" }
		END { if (row != "") print row }' "$DOCUMENT" | sed 1d
}
expected() { # command
	rows Commands | awk -F'\t' -v command="$1" '$1 == command { print $2; found = 1 } END { exit !found }'
}

# Check that each object has the documented fields; metrics, whose names come after these, match
# SYMBOL...
prints() { # command, arguments of gpuoa...
	local command=$1 fields
	shift
	fields=$(expected "$command") || { echo "not in the document" && return 1; }
	"$GPUOA" -q --json "$@" >"$DIR/out" || [ "$command" = doctor ] || return
	jq -r --arg fields "$fields" '($fields | split(" ")) as $known | keys_unsorted as $keys |
		if ($known | last) == "SYMBOL..." then
			if $keys[:($known | length) - 1] == $known[:-1] and ($keys | length) >= ($known | length) then empty else $keys end
		elif $keys == $known then empty else $keys end | join(" ")' "$DIR/out" | sort -u >"$DIR/others"
	cat "$DIR/others"
	[ -s "$DIR/out" ] && [ ! -s "$DIR/others" ]
}
documented() { # command, arguments...
	check "$1 prints the documented fields" prints "$@"
}

# Both tables have the same fields.
fields_are_explained() {
	diff <(rows Commands | cut -f2 | tr ' ' '\n' | grep -v SYMBOL | sort -u) <(rows Fields | cut -f1 | sort -u)
}
has_version() {
	"$GPUOA" --json --version | jq -e ".json == $(sed -n 's/.*\*\*version \([0-9]*\)\*\*.*/\1/p' "$DOCUMENT")"
}
csv_is_the_same() {
	"$GPUOA" --csv list platforms | head -1 | grep -x "$(expected 'list platforms' | tr ' ' ,)"
}

check "each field is documented" fields_are_explained
check "--version prints the documented version" has_version
check "CSV has the fields of JSON" csv_is_the_same
documented "--version" --version
documented "list platforms" list platforms
[ -z "$("$GPUOA" list gpus)" ] || documented "list gpus" list gpus
documented "list sets" list sets -P tglgt2
documented "list metrics" list metrics -P tglgt2 -s RenderBasic
documented "list registers" list registers -P tglgt2 -s RenderBasic
documented "list constants" list constants -P tglgt2
documented "doctor" doctor

if [ -e /sys/class/gpuoa/gpuoa0 ]; then
	cd "$DIR" || exit 1
	documented "list devices" list devices
	documented "add-config" add-config -s RenderBasic
	documented "stat" stat -s RenderBasic -I 100ms sleep 0.3
	documented "top --once" top --once -I 200ms
	"$GPUOA" -q record -s RenderBasic -F 1k sh -c "sleep 0.2; '$GPUOA' --json mark 7 >mark; sleep 0.2"
	check "mark prints the documented fields" bash -c \
		"jq -e --arg fields '$(expected mark)' 'keys_unsorted == (\$fields | split(\" \"))' mark"
	file=gpuoa.data
else
	"$BUILD/lib/tests/recorded_streams_test" "$DIR/units" >/dev/null
	file=$DIR/units
fi
documented "report" report -s RenderBasic "$file"
documented "report --total" report --total "$file"
documented "report --window" report --window 50us "$file"
documented "report --marks" report --marks "$file"
documented "report --summary" report --summary "$file"
documented "report --diff" report --diff "$file" "$file"
head -c 2560 /dev/zero >"$DIR/reports"
documented "decode" decode -P hsw -s RenderBasic "$DIR/reports"
echo "1..$number"
