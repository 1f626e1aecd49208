#!/bin/bash
# pictures.sh: create the images of Documentation/images from real runs in a guest; needs Chromium
# (`make pictures`)
#
# The guest runs this script again, to capture screens and to record.
set -euo pipefail
. "$(dirname "$0")/vm/common.sh"
GPUOA=$BUILD/tools/gpuoa

# Run sixty intervals with changing loads, to fill the graphs.
take_top() { # directory
	local workloads
	export LANG=C.UTF-8
	"$TOP/scripts/vm/workloads.sh" &
	workloads=$!
	"$BUILD/tools/tests/terminal" 30 100 'wait:GPU Busy' sleep:24000 'wait:GPU Busy +[1-9]' \
		"dark:$1/top.png" "light:$1/top-light.png" keys:q exit:0 -- "$GPUOA" top -I 500
	kill $workloads
}

# Record a game at 62.5 frames per second, in two phases, with some lost reports.
record_game() { # directory
	echo frames >/sys/kernel/debug/gpuoa_sim/0/workload
	"$GPUOA" record -q -d gpuoa0 -s RenderBasic -F 10000 -o "$1/game.data" -- bash -c "
		sleep 0.1
		$GPUOA mark -d gpuoa0 1
		sleep 0.1
		echo 150 >/sys/kernel/debug/gpuoa_sim/0/lose_reports
		sleep 0.1
		$GPUOA mark -d gpuoa0 2
		sleep 0.1"
}

if [ -n "${GPUOA_VM-}" ]; then
	take_top /mnt/out
	record_game /mnt/out
	exit
fi

OUT=$BUILD/pictures
IMAGES=$TOP/Documentation/images
mkdir -p "$OUT"
ICOUNT=1 SIM=platform=tgl_gt2,hsw_gt2 OUT=$OUT "$TOP/scripts/vm.sh" scripts/pictures.sh
cd "$OUT"
"$GPUOA" plot -q --size 1000x440 -m AvgGpuCoreFrequency,GpuBusy,EuActive,GtiReadThroughput -o plot.png game.data
"$GPUOA" report -q --html -o page.html game.data
# Place the pointer on an active part.
at=$("$GPUOA" report -q --csv -m EuActive game.data |
	awk -F, 'NR == 2 { begin = $1 } NR > 2 && $1 - begin > 2e8 && $2 > 70 { print ($1 - begin) / 1e9; exit }')
chromium --headless --no-sandbox --disable-gpu --hide-scrollbars --virtual-time-budget=10000 --user-data-dir="$OUT/chromium" \
	--window-size=1100,760 --blink-settings=preferredColorScheme=0 --screenshot="$OUT/report-html.png" \
	"file://$OUT/page.html#metrics=AvgGpuCoreFrequency,GpuBusy,EuActive,EuStall,SamplersBusy,GtiReadThroughput&at=$at" 2>/dev/null
rm -rf chromium
cp top.png top-light.png plot.png report-html.png "$IMAGES"
