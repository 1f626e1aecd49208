#!/bin/bash
# Makes the pictures of Documentation/images from real runs, in a guest with virtual GPUs
#
# pictures.sh: as `make pictures` calls it. The guest runs this script again, to take them.
set -euo pipefail
. "$(dirname "$0")/vm/common.sh"

# A live view needs some past: sixty intervals, while loads change.
take_top() { # directory
	export LANG=C.UTF-8
	"$TOP/scripts/vm/scenes.sh" &
	"$BUILD/tools/tests/terminal" 30 100 'wait:GPU Busy' sleep:24000 'wait:GPU Busy +[1-9]' \
		"dark:$1/top.png" "light:$1/top-light.png" keys:q exit:0 -- "$BUILD/tools/gpuoa" top -I 500
}

if [ -n "${GPUOA_VM-}" ]; then
	take_top /mnt/out
	exit
fi
mkdir -p "$BUILD/pictures"
ICOUNT=1 SIM=platform=tgl_gt2,hsw_gt2 OUT=$BUILD/pictures "$TOP/scripts/vm.sh" scripts/pictures.sh
cp "$BUILD"/pictures/*.png "$TOP/Documentation/images"
