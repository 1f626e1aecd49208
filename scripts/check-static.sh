#!/bin/bash
# What can be checked without running anything; prints TAP, one result for each tool
set -uo pipefail
. "$(dirname "$0")/vm/common.sh"
cd "$TOP" || exit

STATIC=$BUILD/static
mkdir -p "$STATIC"

# Sources that belong to the tree: tracked, or new and not ignored; deleted ones are gone.
sources() { # pattern...
	git ls-files --cached --others --exclude-standard -- "$@" | while read -r f; do
		[ -e "$f" ] && echo "$f"
	done
}

shell_scripts() {
	sources '*.sh' scripts/vm/init .ci/run
}

# What is left out, and why:
#  FILE_PATH_CHANGES, MAINTAINERS   there is no MAINTAINERS file to keep
#  LINUX_VERSION_CODE               one source serves several kernels (kernel/include/gpuoa_compat.h)
CHECKPATCH_IGNORE=FILE_PATH_CHANGES,LINUX_VERSION_CODE

checkpatch() {
	local source files
	source=$(scripts/vm/kernel.sh --source) || return
	mapfile -t files < <(sources 'kernel/*.[ch]' 'uapi/*.h')
	"$source/scripts/checkpatch.pl" --root="$source" --strict --quiet --terse --showfile --show-types \
		--ignore "$CHECKPATCH_IGNORE" -f "${files[@]}"
}

# The kernel's headers have warnings of their own; ours are those that name our files.
run_sparse() {
	local kdir log=$STATIC/sparse.log
	kdir=/lib/modules/$(scripts/vm/kernel.sh --release 6.12)/build || return
	MODULES_DIR=$STATIC/modules KBUILD_ARGS="C=2 W=1" scripts/build-modules.sh "$kdir" >"$log" 2>&1 || {
		tail -20 "$log"
		return 1
	}
	! grep -E "^($STATIC/modules|$TOP|\./|\.\./|core/|sim/|tests/).*: (warning|error):" "$log"
}

# Another build, through the analyzer; what the compiler itself has to say is the ordinary build's business.
analyze() {
	rm -rf "$STATIC/analyzed" "$STATIC/report"
	mkdir -p "$STATIC/report"
	scan-build --status-bugs --use-cc=gcc -o "$STATIC/report" \
		make --no-print-directory -j"$(nproc)" BUILD="$STATIC/analyzed" lib tools >"$STATIC/analyzer.log" 2>&1 || {
		grep -E -A5 'warning:|error:|\*\*\*' "$STATIC/analyzer.log" | head -60
		return 1
	}
}

formatting() {
	local files
	mapfile -t files < <(sources '*.[ch]')
	clang-format --dry-run -Werror "${files[@]}"
}

shell_lint() {
	local files
	mapfile -t files < <(shell_scripts)
	# SC1091: files of the guest; SC2015: "a && b || c" is used where b cannot fail; SC2317: traps call functions
	shellcheck -x -P SCRIPTDIR -e SC1091,SC2015,SC2317 "${files[@]}"
}

number=0
try() { # function description
	number=$((number + 1))
	if "$1" >"$STATIC/out" 2>&1; then
		echo "ok $number - $2"
	else
		sed 's/^/# /' "$STATIC/out" | head -60
		echo "not ok $number - $2"
	fi
}

echo 1..5
try checkpatch "checkpatch --strict on kernel and uapi"
try run_sparse "sparse and extra compiler warnings on the modules"
try analyze "clang's analyzer on library and tools"
try formatting "clang-format agrees with the formatting"
try shell_lint "shellcheck on the scripts"
