#!/bin/bash
# Records for a long time in the VM and fails if a report is lost or the recorder's memory grows; `make soak`
#
# SECONDS_LONG=600   how long;  RATE=10000   reports per second. The recording, some 3 MB a second, stays in the guest's
# memory until it was read back. Takes no part in `make check`.
set -euo pipefail
. "$(dirname "$0")/vm/common.sh"
LONG=${SECONDS_LONG:-600}
RATE=${RATE:-10000}

if [ -z "${GPUOA_VM-}" ]; then
	PARALLEL=1 OUT=$BUILD/soak MEM=${MEM:-4608} TIMEOUT=$((LONG * 2 + 600)) exec "$TOP/scripts/vm/run.sh" \
		"SECONDS_LONG=$LONG RATE=$RATE scripts/soak.sh"
fi

GPUOA=$BUILD/tools/gpuoa
FILE=/dev/shm/soak.data
rss() { awk '/^VmRSS/ { print $2 }' "/proc/$1/status"; }
statistic() { cat "/sys/class/gpuoa/gpuoa0/statistics/$1"; }

"$GPUOA" record --aux -s RenderBasic -F "$RATE" -o "$FILE" -- sleep "$LONG" 2>&1 &
sleep 20
recorder=$(pgrep -x gpuoa)
early=$(rss "$recorder")
sleep $((LONG - 30))
late=$(rss "$recorder")
wait $!

"$GPUOA" report --total --json -m GpuTime "$FILE"
rm -f "$FILE"
lost=$(statistic reports_lost)
overflows=$(statistic overflows)
echo "recorder: $early KiB after 20 s, $late KiB at the end; lost $lost, overflows $overflows," \
	"forwarded $(statistic reports_forwarded)"
[ "$lost" = 0 ] && [ "$overflows" = 0 ] && [ "$late" -le $((early + 64)) ]
