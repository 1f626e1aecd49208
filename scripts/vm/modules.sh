#!/bin/bash
# modules.sh: load and unload the gpuoa modules built for the running kernel; for the guest, as
# root; may be sourced
#
# modules.sh load [MODULE]  load MODULE (default: gpuoa_sim with the parameters in $SIM) and its
#                           dependencies; loaded modules are not reloaded
# modules.sh unload         unload all, waiting a moment for the last user to close them
#
# When sourced, it defines load, unload_modules and renew_gpus, which unloads all modules except
# gpuoa and loads gpuoa_sim.
set -u
read -r release </proc/sys/kernel/osrelease
MODULES=${BUILD:-${BASH_SOURCE[0]%/*}/../../build}/modules/$release

loaded() { [ -d "/sys/module/$1" ]; }

load() { # module
	local dep deps file=$MODULES/$1.ko
	loaded "$1" && return
	[ -e "$file" ] || { echo "modules.sh: $file is missing: make modules" >&2; return 1; }
	deps=$(modinfo -F depends "$file") || return
	for dep in ${deps//,/ }; do
		case $dep in
		gpuoa*) load "$dep" || return ;;
		*) loaded "$dep" || modprobe "$dep" || return ;;
		esac
	done
	insert "$1"
}

# The guest has no udev, so do the work of tools/60-gpuoa.rules; tests become users of this group.
insert() { # module
	local file=$MODULES/$1.ko
	if [ "$1" = gpuoa_sim ]; then
		# shellcheck disable=SC2086 # $SIM is a list of parameters
		insmod "$file" ${SIM-}
	else
		insmod "$file"
	fi || return
	find /dev -maxdepth 1 -name 'gpuoa[0-9]*' -exec chgrp 65534 {} +
}

unload() { # module
	loaded "$1" || return 0
	for _ in {1..10}; do
		rmmod "$1" 2>/dev/null && return
		sleep 0.2
	done
	echo "modules.sh: module $1 is still in use ($(cat "/sys/module/$1/refcnt") users)" >&2
	return 1
}

# Unload modules that use gpuoa, then gpuoa.
unload_users() {
	unload gpuoa_test && unload gpuoa_guest && unload gpuoa_i915 && unload gpuoa_xe && unload gpuoa_sim
}
unload_modules() {
	unload_users && unload gpuoa
}

# The dependencies of gpuoa_sim are loaded the first time; checking them with a program takes a
# second on an emulated debug kernel.
renew_gpus() {
	if loaded gpuoa; then
		unload_users && insert gpuoa_sim
	else
		load gpuoa_sim
	fi
}

[ "${BASH_SOURCE[0]}" = "$0" ] || return 0
case ${1-} in
load)
	load "${2:-gpuoa_sim}"
	;;
unload)
	unload_modules
	;;
*)
	echo "usage: modules.sh load [MODULE]|unload" >&2
	exit 2
	;;
esac
