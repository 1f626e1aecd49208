# Waits for conditions, with timeouts scaled to the speed of the machine; to be sourced
# shellcheck shell=bash

# Scale a timeout by the machine's slowness; see wait.h.
patient() { # seconds
	echo $(($1 * ${GPUOA_SLOWNESS:-1}))
}

# Sleep without starting a program.
exec {never}<> <(:)
nap() { # seconds
	read -rt "$1" -u "$never" || :
}

# Repeat a command until it succeeds. Fail on timeout.
wait_until() { # command...
	local end=$((SECONDS + $(patient 20)))
	until "$@"; do
		[ $SECONDS -lt $end ] || return 1
		nap 0.05
	done
}
