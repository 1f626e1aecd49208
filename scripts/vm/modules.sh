#!/bin/bash
# Loads and unloads the gpuoa modules that were built for the running kernel; meant for the guest, needs root; may be sourced
#
# modules.sh load [MODULE]  MODULE and what it needs, by default gpuoa_sim, which takes the parameters in $SIM; what is
#                           loaded already stays
# modules.sh unload         all of them, waiting a moment for the last user to go
#
# Sourced, it has unload_modules, renew_gpus, which unloads all but gpuoa and loads gpuoa_sim, and load.
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

# The guest has no udev, so this does what tools/60-gpuoa.rules does; tests become users of this group.
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

# Modules that use gpuoa, then gpuoa
unload_users() {
	unload gpuoa_test && unload gpuoa_guest && unload gpuoa_bench && unload gpuoa_i915 && unload gpuoa_sim
}
unload_modules() {
	unload_users && unload gpuoa
}

# What gpuoa_sim needs is there after the first time, and a program that tells so takes a second of an emulated debug kernel.
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
