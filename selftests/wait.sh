# Waits for conditions, with limits that grow where everything takes longer; to be sourced by tests
# shellcheck shell=bash

# A limit of so many seconds where the slowness is 1; see wait.h.
patient() { # seconds
	echo $(($1 * ${GPUOA_SLOWNESS:-1}))
}

# Sleep so many seconds, without a program that is started for it.
exec {never}<> <(:)
nap() { # seconds
	read -rt "$1" -u "$never" || :
}

# Run the command again and again until it succeeds; fails when that takes too long.
wait_until() { # command...
	local end=$((SECONDS + $(patient 20)))
	until "$@"; do
		[ $SECONDS -lt $end ] || return 1
		nap 0.05
	done
}
