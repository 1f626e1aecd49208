#!/bin/bash
# Loads and unloads the gpuoa modules that were built for the running kernel; meant for the guest, needs root
#
# modules.sh load [MODULE]  MODULE and what it needs, by default gpuoa_sim, which takes the parameters in $SIM; what is
#                           loaded already stays
# modules.sh unload         all of them, waiting a moment for the last user to go
set -u
. "$(dirname "$0")/common.sh"
DIR=$BUILD/modules/$(uname -r)

loaded() { grep -q "^$1 " /proc/modules; }

load() { # module
	local dep file=$DIR/$1.ko
	loaded "$1" && return
	[ -e "$file" ] || { note "$file is missing: make modules"; return 1; }
	for dep in $(modinfo -F depends "$file" | tr , ' '); do
		case $dep in
		gpuoa*) load "$dep" || return ;;
		*) modprobe "$dep" || return ;;
		esac
	done
	if [ "$1" = gpuoa_sim ]; then
		# shellcheck disable=SC2086 # $SIM is a list of parameters
		insmod "$file" ${SIM-}
	else
		insmod "$file"
	fi
}

unload() { # module
	local i
	loaded "$1" || return 0
	for i in 1 2 3 4 5 6 7 8 9 10; do
		rmmod "$1" 2>/dev/null && return
		sleep 0.2
	done
	note "module $1 is still in use ($(cat "/sys/module/$1/refcnt") users)"
	return 1
}

case ${1-} in
load)
	load "${2:-gpuoa_sim}"
	;;
unload)
	unload gpuoa_test && unload gpuoa_sim && unload gpuoa
	;;
*)
	die "usage: modules.sh load [MODULE]|unload"
	;;
esac
