#!/bin/bash
# Draws the pictures of gpuoa plot and gpuoa report --html anew, of a recording of a virtual GPU; needs Chromium
#
# pictures-recording.sh [RECORDING]; without one, it makes it in the VM
set -euo pipefail
. "$(dirname "$0")/vm/common.sh"

IMAGES=$TOP/Documentation/images
WORK=$(mktemp -d)
trap 'rm -rf "$WORK"' EXIT
GPUOA=${BUILD:-$TOP/build}/tools/gpuoa

# A game at 62.5 frames a second, in two phases, and some reports lost
cat >"$WORK/guest.sh" <<'END'
set -e
gpuoa=$1/tools/gpuoa
$gpuoa record -q -s RenderBasic -F 10000 -o /mnt/out/game.data -- bash -c "
	sleep 0.1
	$gpuoa mark 1
	sleep 0.1
	echo 150 >/sys/kernel/debug/gpuoa_sim/0/lose_reports
	sleep 0.1
	$gpuoa mark 2
	sleep 0.1"
END

make -C "$TOP" -s lib tools >&2
if [ $# = 0 ]; then
	OUT=$WORK ICOUNT=1 KERNEL=${KERNEL:-6.12} SIM=platform=tgl_gt2 "$TOP/scripts/vm.sh" \
		"bash /mnt/out/guest.sh ${GPUOA%/tools/gpuoa}"
	set -- "$WORK/game.data"
fi
[ "$(basename "$1")" = game.data ] || cp "$1" "$WORK/game.data"

mkdir -p "$IMAGES"
"$GPUOA" plot -q --size 1000x440 -m AvgGpuCoreFrequency,GpuBusy,EuActive,GtiReadThroughput -o "$IMAGES/plot.png" "$1"
"$GPUOA" report -q --html -o "$WORK/page.html" "$1"
chromium --headless --no-sandbox --disable-gpu --hide-scrollbars --virtual-time-budget=10000 --user-data-dir="$WORK/chromium" \
	--window-size=1100,760 --blink-settings=preferredColorScheme=0 --screenshot="$IMAGES/report-html.png" \
	"file://$WORK/page.html#metrics=AvgGpuCoreFrequency,GpuBusy,EuActive,EuStall,SamplersBusy,GtiReadThroughput&at=0.31" 2>/dev/null
ls -l "$IMAGES" >&2
