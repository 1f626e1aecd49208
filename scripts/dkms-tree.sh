#!/bin/bash
# dkms-tree.sh: copy the sources of a DKMS package
#
# dkms-tree.sh gpuoa|gpuoa-sim DIRECTORY   used by debian/rules, and by debian.sh, which also tests it
set -euo pipefail
cd "$(dirname "$0")/.."

parts=(kernel/Kbuild kernel/compat kernel/core kernel/include platforms uapi third_party Makefile)
case $1 in
gpuoa) parts+=(kernel/i915 kernel/lease kernel/xe) ;;
gpuoa-sim) parts+=(kernel/sim vgpu/model) ;;
*) echo "usage: dkms-tree.sh gpuoa|gpuoa-sim DIRECTORY" >&2; exit 2 ;;
esac

mkdir -p "$2"
find "${parts[@]}" -type f -print0 | xargs -0 cp --parents -t "$2"
[ "$1" != gpuoa-sim ] || ln -sfn ../../vgpu/model "$2/kernel/sim/model"
