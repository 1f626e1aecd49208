#!/bin/bash
# features.sh: check that Documentation/features.rst has at least 92 rows, and that the names in it
# exist
#
# The third cell of a row contains functions (``gpuoa_x()``) and subcommands (``gpuoa x``), or
# starts with "absent:" and the reason. The last cell contains names of test programs: their files
# without the suffix.
set -uo pipefail
cd "$(dirname "$0")/.." || exit

page=Documentation/features.rst
cells=$(mktemp)
trap 'rm -f "$cells"' EXIT

# Print one line per row of the tables: number|ability|by|proved by
awk '
	/^   \* - [0-9]+$/ { if (row) print row; row = $3; next }
	/^     -/ && row { sub(/^     - ?/, ""); row = row "|" $0; next }
	/^       / && row { sub(/^ +/, " "); row = row $0; next }
	END { if (row) print row }' "$page" >"$cells"

bad=0
say() {
	echo "$page: row $1"
	bad=1
}

files=$(find lib vgpu tools selftests kernel examples frontend scripts -type f)
in_tree() { # name of a test
	grep -E "(^|/)$1(\.(c|cc|sh|py))?$" <<<"$files" >/dev/null
}

wanted=1
while IFS='|' read -r row ability by proof; do
	[ "$row" = $wanted ] || say "$row stands where $wanted should"
	wanted=$((row + 1))
	[ -n "$by" ] || { say "$row ($ability) says nothing"; continue; }
	case $by in absent:*) continue ;; esac
	while read -r name; do
		grep -q "\b$name;" lib/libgpuoa.map lib/extra/libgpuoa-extra.map || say "$row: there is no $name()"
	done < <(grep -oE 'gpuoa_[a-z0-9_]+\(\)' <<<"$by" | tr -d '()')
	while read -r _ name; do
		[ -e "tools/${name//-/_}.c" ] || [ -d "tools/$name" ] || say "$row: there is no command $name"
	done < <(grep -oE '``gpuoa [a-z-]+' <<<"$by" | tr -d '`')
	names=$(tr -c 'A-Za-z0-9_.`\n' ' ' <<<"$proof" | grep -oE "[\`]{2}[A-Za-z0-9_.]+[\`]{2}" | tr -d "\`")
	[ -n "$names" ] || say "$row ($ability) has no proof"
	for name in $names; do
		in_tree "$name" || say "$row: there is no test $name"
	done
done <"$cells"
[ $wanted -ge 93 ] || say "$wanted and later are absent"
exit $bad
