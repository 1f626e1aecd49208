#!/bin/bash
# Keeps the stock i915 of a guest from suspending Haswell and Broadwell at run time
#
# It does so when they have been idle for ten seconds. Where the display is fused off, as on the virtual GPU, it then looks
# through lists of the display that it has never made: hsw_enable_pc8(), seen on Broadwell with 6.12; 6.1 and Haswell run
# the same code.
device=/sys/bus/pci/devices/0000:00:02.0
read -r id <$device/device
case $id in
0x0412 | 0x1616) echo on >$device/power/control ;;
esac
