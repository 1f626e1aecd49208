#!/bin/bash
# check-static.sh: checks that run no program of the tree; prints TAP, one result per tool
#
# checkpatch, sparse and the analyzer take minutes, so files that passed are checked again only if
# they or the files they include have changed. FULL=1 checks all files.
set -uo pipefail
. "$(dirname "$0")/vm/common.sh"
cd "$TOP" || exit

STATIC=$BUILD/static
mkdir -p "$STATIC"

c_files() { # directory...
	find "$@" -name '*.[ch]' -type f | sort
}

# A directory of objects of sources that passed: if make finds an object up to date, its source
# needs no check. It is removed if the last run found an error, did not finish, or had other
# options.
begin_passed() { # directory
	if [ -n "${FULL-}" ] || [ -e "$1.open" ] || [ scripts/check-static.sh -nt "$1" ]; then
		rm -rf "$1"
	fi
	mkdir -p "$1" && touch "$1.open"
}
end_passed() { # directory
	rm "$1.open"
}

# Print the files of standard input that have changed since all of them passed.
changed_since() { # mark
	local file
	while read -r file; do
		[ -z "${FULL-}" ] && [ "$1" -nt "$file" ] && [ "$1" -nt scripts/check-static.sh ] || echo "$file"
	done
}

# Ignored checks:
#  LINUX_VERSION_CODE, CONSTANT_COMPARISON   one source supports several kernels (gpuoa_compat.h)
#  MACRO_ARG_UNUSED, MACRO_ARG_REUSE         the same, and arguments that are names or literals
#  BIT_MACRO (uapi)                          user space has no BIT_ULL(); checkpatch detects uapi
#                                            headers by the kernel's own paths only
#  PREFER_KERNEL_TYPES (vgpu/shim, tests)    host programs that call the library with its types
# It runs outside the tree, since it creates files.
checkpatch() {
	local source kernel host uapi ignore=LINUX_VERSION_CODE,CONSTANT_COMPARISON,MACRO_ARG_UNUSED,MACRO_ARG_REUSE
	local passed=$STATIC/checkpatch.passed
	source=$(scripts/vm/kernel.sh --source) || return
	touch "$passed.new"
	mapfile -t kernel < <(c_files kernel vgpu/model | changed_since "$passed")
	mapfile -t host < <(c_files vgpu/shim vgpu/tests | changed_since "$passed")
	mapfile -t uapi < <(c_files uapi | changed_since "$passed")
	run_checkpatch() { # ignored file...
		[ $# = 1 ] || "$source/scripts/checkpatch.pl" "--root=$source" --strict --quiet --terse --showfile --show-types \
			--ignore "$1" -f "${@:2}"
	}
	(
		cd "$STATIC" || exit
		run_checkpatch $ignore "${kernel[@]/#/$TOP/}"
		run_checkpatch $ignore,PREFER_KERNEL_TYPES "${host[@]/#/$TOP/}"
		run_checkpatch $ignore,BIT_MACRO "${uapi[@]/#/$TOP/}"
	) | grep -v '^total:' | sed "s|^$TOP/||" | tee "$STATIC/checkpatch.log"
	[ ! -s "$STATIC/checkpatch.log" ] && mv "$passed.new" "$passed"
}

kernel_doc() {
	local source files
	source=$(scripts/vm/kernel.sh --source) || return
	mapfile -t files < <(c_files kernel vgpu/model uapi)
	"$source/scripts/kernel-doc" -none -Wall -Werror "${files[@]}"
}

# Each source has its licence in the first lines: the kernel's for kernel code, MIT for user space.
licences() {
	local file want bad=0
	while read -r file; do
		case $file in
		kernel/* | vgpu/model/* | vgpu/shim/* | vgpu/tests/*) want='GPL-2.0-only' ;;
		uapi/*) want='GPL-2.0-only WITH Linux-syscall-note' ;;
		*) want='MIT' ;;
		esac
		head -2 "$file" | grep -qE "SPDX-License-Identifier: $want( \\*/)?$" || {
			echo "$file: no 'SPDX-License-Identifier: $want'"
			bad=1
		}
	done < <(c_files kernel vgpu uapi lib tools selftests examples)
	return $bad
}

# The kernel's headers cause warnings; only those that name files of this tree count.
run_sparse() {
	local kdir dir=$STATIC/modules log=$STATIC/sparse.log
	kdir=/lib/modules/$(scripts/vm/kernel.sh --release 6.12)/build || return
	begin_passed "$dir"
	MODULES_DIR=$dir KBUILD_ARGS="C=1 W=1" scripts/build-modules.sh "$kdir" >"$log" 2>&1 || {
		tail -20 "$log"
		return 1
	}
	! grep -E "^($dir|$TOP|\./|\.\./|core/|sim/|tests/).*: (warning|error):" "$log" && end_passed "$dir"
}

# Build with clang without warnings, as with gcc, and run the analyzer on each file.
analyze() {
	local dir=$STATIC/analyzed
	begin_passed "$dir"
	rm -rf "$STATIC/report"
	mkdir -p "$STATIC/report"
	scan-build --status-bugs --use-cc=clang -o "$STATIC/report" \
		make --no-print-directory -j"$(nproc)" BUILD="$dir" lib tools >"$STATIC/analyzer.log" 2>&1 || {
		grep -E -A5 'warning:|error:|\*\*\*' "$STATIC/analyzer.log" | head -60
		return 1
	}
	end_passed "$dir"
}

# checkpatch checks kernel code.
# Other versions of clang-format format macros and initializers differently.
FORMATTER=14
formatting() {
	local files version
	version=$(clang-format --version | sed -nE 's/.*version ([0-9]+)\..*/\1/p')
	[ "$version" = $FORMATTER ] || return $SKIPPED
	mapfile -t files < <(c_files frontend lib tools vgpu/qemu selftests examples)
	clang-format --dry-run -Werror "${files[@]}"
}

shell_lint() {
	local files
	mapfile -t files < <(find scripts frontend lib tools selftests examples -name '*.sh' -type f; echo scripts/vm/init; echo .ci/run)
	# SC1091: files of the guest; SC2015: "a && b || c" is used where b cannot fail; SC2317: traps call functions
	shellcheck -x -P SCRIPTDIR -e SC1091,SC2015,SC2317 "${files[@]}"
}

# No layer of the library includes or calls a higher one.
layers() {
	make --no-print-directory -s -j"$(nproc)" lib && scripts/check-layers.sh
}

documents() {
	local bad=0
	scripts/check-documents.sh || bad=1
	sphinx-build -W --keep-going -q -b html -d "$STATIC/doctrees" Documentation "$STATIC/docs" || bad=1
	return $bad
}

number=0
SKIPPED=77
try() { # function description [reason of a skip]
	local begin=$SECONDS status=0
	number=$((number + 1))
	"$1" >"$STATIC/out" 2>&1 || status=$?
	case $status in
	0) echo "ok $number - $2" ;;
	"$SKIPPED") echo "ok $number - $2 # SKIP ${3-}" ;;
	*)
		sed 's/^/# /' "$STATIC/out" | head -60
		echo "not ok $number - $2"
		;;
	esac
	echo "# $((SECONDS - begin)) s"
}

echo 1..10
try checkpatch "checkpatch --strict on kernel and uapi"
try kernel_doc "kernel-doc comments are complete"
try licences "every source names its licence"
try run_sparse "sparse and extra compiler warnings on the modules"
try analyze "clang builds library and tools, and its analyzer finds nothing"
try formatting "clang-format agrees with the formatting of user space" "clang-format is not version $FORMATTER"
try shell_lint "shellcheck on the scripts"
try layers "no layer of the library or of gpuoa.ko uses a higher one"
try scripts/features.sh "features.rst has all rows, and what they name exists"
try documents "documents name what exists, and Sphinx builds them without a warning"
