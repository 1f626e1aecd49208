#!/bin/bash
# The guest's part of `make demo`: list, record with the stock perf tool and with gpuoa, compare with the truth
set -euo pipefail
. "$(dirname "$0")/vm/common.sh"

SET=RenderBasic
TRUTH=/sys/kernel/debug/gpuoa_sim/0/truth
GPUOA=$BUILD/tools/gpuoa
DIR=$(mktemp -d)
disagree=0

title() { printf '\n=== %s\n' "$*"; }
shown() {
	echo "\$ $*" | sed "s,$BUILD/tools/,,; s,$DIR/,,g"
	"$@"
}

# Debian names the tool after a kernel; any of them will do.
for PERF in /usr/bin/perf_* /usr/bin/perf; do
	"$PERF" --version >/dev/null 2>&1 && break
done
perf() { "$PERF" "$@"; }

# Totals of a recording beside the simulator's truth for the same interval: integers must be equal, all else must agree
# to 0.1 %. What is printed is taken from the recording; the truth is a fraction, exact.
compare() { # file
	local begin end status=0
	"$GPUOA" report --total --json "$1" >"$DIR/totals"
	begin=$(sed 's/.*"begin_ticks": *\([0-9]*\).*/\1/' "$DIR/totals")
	end=$(sed 's/.*"end_ticks": *\([0-9]*\).*/\1/' "$DIR/totals")
	exec 3<>"$TRUTH"
	echo "$begin $end" >&3
	cat <&3 >"$DIR/truth"
	exec 3>&-

	printf 'GPU time %s to %s ticks\n\n' "$begin" "$end"
	awk -v totals="$(cat "$DIR/totals")" -f "$TOP/scripts/compare.awk" "$DIR/truth" || status=$?
	[ $status = 0 ] || disagree=1
}

title "A virtual Haswell GT2, Linux $(uname -r)"
shown "$GPUOA" list
shown "$GPUOA" list sets
perf list | grep gpuoa0

title "Stock perf records raw reports"
event=$("$GPUOA" upload -s $SET)
shown perf record -q -a -R -m 32M -e "$event" -F 10000 -o "$DIR/perf.data" -- sleep 2
compare "$DIR/perf.data"

title "gpuoa records the same"
shown "$GPUOA" -q record -s $SET -F 10000 -o "$DIR/gpuoa.data" -- sleep 2
compare "$DIR/gpuoa.data"

title "gpuoa stat, as perf stat"
shown "$GPUOA" stat -s $SET -m GpuTime,GpuBusy,EuActive,EuStall,PsThreads,GtiReadThroughput -- sleep 1

rm -rf "$DIR"
if [ $disagree != 0 ]; then
	printf '\nSome metrics do NOT agree with the truth.\n'
	exit 1
fi
printf '\nAll metrics agree with the truth.\n'
