#!/bin/bash
# soak.sh: record for a long time in the VM; fail if a report is lost or the recorder's memory grows
# (`make soak`)
#
# SECONDS_LONG=600 is the duration, RATE=10000 the reports per second. The recording, about 3 MB per
# second, is kept in the guest's memory until it is read back. `make check` does not include this
# test.
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
