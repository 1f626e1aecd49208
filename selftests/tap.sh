# TAP output for shell tests; to be sourced. $DIR is the test's directory.
# shellcheck shell=bash

# Exit status of a skipped command; its last line of output is the reason
SKIPPED=77

number=0
result() { # ok|not ok, name
	number=$((number + 1))
	echo "$1 $number - $2"
}

skip() { # name, reason
	result ok "$1 # SKIP $2"
}

# Run a command and report whether it succeeds. If it fails, print its output.
check() { # name, command
	local name=$1 status
	shift
	"$@" >"$DIR/checked" 2>&1
	status=$?
	case $status in
	0) result ok "$name" ;;
	"$SKIPPED") skip "$name" "$(tail -1 "$DIR/checked")" ;;
	*)
		sed 's/^/# /' "$DIR/checked" | tail -60
		result "not ok" "$name"
		;;
	esac
}

# Run one test of a program. The program succeeds also if it does not have the test.
passes() { # program test
	local output status=0
	output=$("$1" -t "$2") || status=$?
	printf '%s\n' "$output"
	[ $status = 0 ] && grep -q "^ok .*[. ]$2\>" <<<"$output"
}

fails() { # command
	! "$@"
}

# Check the exit code and the output of a command. An empty pattern matches any output.
exits() { # exit code, pattern, command
	local code=$1 pattern=$2 status
	shift 2
	"$@" >"$DIR/said" 2>&1
	status=$?
	[ $status = "$code" ] && { [ -z "$pattern" ] || grep -qE -e "$pattern" "$DIR/said"; } && return
	echo "exit code $status, and:"
	cat "$DIR/said"
	return 1
}

says() { # pattern, command
	exits 0 "$@"
}
