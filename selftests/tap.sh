# TAP of tests that are scripts: checks with a number and a name; to be sourced. $DIR is the test's own directory.
# shellcheck shell=bash

# A command that exits with this can't tell, as its last line says why.
SKIPPED=77

number=0
result() { # ok|not ok, name
	number=$((number + 1))
	echo "$1 $number - $2"
}

skip() { # name, reason
	result ok "$1 # SKIP $2"
}

# Does the command succeed? If not, what it says is shown.
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

fails() { # command
	! "$@"
}

# Does it exit with this code, and say that? Without a pattern it may say anything.
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
