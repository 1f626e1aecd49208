#!/bin/bash
# demo.sh: the main use case on a virtual GPU in a VM; fails if values differ from the reference
# (`make demo`)
#
# Recordings, reports and plots are in $BUILD/demo afterwards. GPU=tgl, GPU=lnl or
# another GPU of gpuoa-vgpu: use the stock i915 or xe.
set -euo pipefail
. "$(dirname "$0")/vm/common.sh"

make -C "$TOP" -s -j"$(nproc)" lib tools "$BUILD/lib/tests/reference_metrics" >&2
export KERNEL=${KERNEL:-6.12} OUT=$BUILD/demo
rm -rf "$OUT"
note "boots Debian's Linux $KERNEL in QEMU, with a virtual GPU; nothing more is to be seen for half a minute, or two without KVM"
if [ -n "${GPU-}" ]; then
	I915=${I915-error_capture=0} "$TOP/scripts/vm.sh" "bash scripts/demo-stock-guest.sh"
else
	"$TOP/scripts/vm.sh" "bash scripts/demo-guest.sh"
fi

# A recording is self-contained and can be read on another machine, such as the host.
gpuoa() { "$BUILD/tools/gpuoa" -q "$@"; }
cd "$OUT"
gpuoa report >report.txt
gpuoa report --html -o report.html
[ ! -x "$BUILD/tools/gpuoa-plot" ] || { gpuoa plot -o plot.svg && gpuoa plot -o plot.png; }
gpuoa export -o trace.json --time 0,0.1
cat <<END

In $OUT:
  gpuoa.data   the recording: '$BUILD/tools/gpuoa report gpuoa.data' prints it again, in other ways as well (--help)
  report.txt   a table of all metrics
  report.html  the same over time: open it in a browser and zoom
END
[ ! -e plot.svg ] || echo "  plot.svg     a picture; plot.png is the same"
cat <<END
  trace.json   a tenth of a second for https://ui.perfetto.dev or chrome://tracing
  perf.data    a recording of the stock perf tool, which 'gpuoa report' reads too

What next:
  make vm CMD='gpuoa top'      watch virtual GPUs live; q quits
  make vm                      a shell there, as in Documentation/user/tutorial.rst; files put into
                               /mnt/out are copied out
  sudo make install            then 'gpuoa doctor' says whether the GPU of this machine can be measured
END
