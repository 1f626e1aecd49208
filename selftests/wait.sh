# Waits for conditions, with timeouts scaled to the speed of the machine; to be sourced
# shellcheck shell=bash

# Scale a timeout by the timeout scale; see wait.h.
scaled() { # seconds
	echo $(($1 * ${GPUOA_TIMEOUT_SCALE:-1}))
}

# Sleep without starting a program.
exec {never}<> <(:)
nap() { # seconds
	read -rt "$1" -u "$never" || :
}

# Repeat a command until it succeeds. Fail on timeout.
wait_until() { # command...
	local end=$((SECONDS + $(scaled 20)))
	until "$@"; do
		[ $SECONDS -lt $end ] || return 1
		nap 0.05
	done
}
