# shellcheck shell=bash disable=SC2034 # variables of the sourcing script
# demo-common.sh: common functions of the demos: show commands, compare totals of a recording with
# the reference
#
# Sourced by demo-guest.sh and demo-stock-guest.sh.
. "$(dirname "${BASH_SOURCE[0]}")/vm/common.sh"

SET=RenderBasic
GPUOA=$BUILD/tools/gpuoa
DIR=$(mktemp -d)
disagree=0

title() { printf '\n=== %s\n' "$*"; }
shown() {
	echo "\$ $*" | sed "s,$BUILD/tools/,,; s,$BUILD/modules/[^/]*/,,; s,$DIR/,,g"
	"$@"
}

# Print perf's event for the set on this unit.
add_config() {
	shown "$GPUOA" add-config -s "$SET" | tee "$DIR/event"
	event=$(tail -1 "$DIR/event")
}

# Debian names the tool after a kernel; any version works.
for PERF in /usr/bin/perf_* /usr/bin/perf; do
	"$PERF" --version >/dev/null 2>&1 && break
done
perf() { "$PERF" "$@"; }

# Compare totals of a recording with the reference for the same interval: integers must be equal,
# other values must agree to 0.1 %. The reference is derived from the virtual GPU's own counts by
# definitions and an evaluator that share nothing with the library (lib/tests/reference_metrics.c).
compare() { # file
	local begin end unit status=0
	unit=$("$GPUOA" list --csv | awk -F, 'NR == 2 { print $1 }')
	"$GPUOA" report --total --json "$1" >"$DIR/totals"
	begin=$(sed 's/.*"begin_ticks": *\([0-9]*\).*/\1/' "$DIR/totals")
	end=$(sed 's/.*"end_ticks": *\([0-9]*\).*/\1/' "$DIR/totals")
	"$BUILD/lib/tests/reference_metrics" "$unit" $SET "$begin" "$end" >"$DIR/reference" || {
		cat "$DIR/reference"
		exit 1
	}

	printf '\nTotals of the recording, and the reference values from tick %s to %s:\n\n' "$begin" "$end"
	awk -v totals="$(cat "$DIR/totals")" -f "$TOP/scripts/compare.awk" "$DIR/reference" || status=$?
	[ $status = 0 ] || disagree=1
}

# Copy recordings to the host.
finish() {
	cp "$DIR"/*.data "$OUT"
	rm -rf "$DIR"
	if [ $disagree != 0 ]; then
		printf '\nSome metrics do NOT agree with the reference.\n'
		exit 1
	fi
	printf '\nAll metrics agree with the reference.\n'
}
