#!/bin/bash
# matrix.sh: build, load and test the modules on several kernels, and print a table (`make
# modules-matrix`)
#
# matrix.sh [KERNEL...]   default: all below. Updates their rows in Documentation/dev/kernels.csv,
#                         which is the table in Documentation, and prints the whole table. Exit 0
#                         only if everything passed.
#
# The modules are built with W=1, and with sparse unless the suite's version cannot parse the
# kernel's headers. The selftests run in virtual time, and with slab_debug on kernels from 6.15 on
# (vm/run.sh). I915=tgl,skl are the virtual GPUs on which gpuoa_i915.ko is tested under the stock
# i915; with I915= it is not, and the table keeps the last result. Logs are in $BUILD/matrix/KERNEL.
set -uo pipefail
. "$(dirname "$0")/vm/common.sh"
cd "$TOP" || exit

KERNELS=(6.1 6.12 rt trixie 7.3 debug-7.3 sid)
TABLE=${TABLE:-Documentation/dev/kernels.csv}
MATRIX=$BUILD/matrix
I915=${I915-tgl}
HEADER='"KERNEL=","release","compiler","builds","loads","selftests","gpuoa_i915.ko"'

list() { make --no-print-directory -s "print-$1"; }

# Print the column of a row of the table.
column() { # kernel number
	[ ! -e "$TABLE" ] || awk -F'","|"' -v kernel="$1" -v column="$2" '$2 == kernel { print $(column + 1) }' "$TABLE"
}

# Replace the row of a kernel, keeping the order of KERNELS.
set_row() { # kernel column...
	local row kernel
	row=$(printf '"%s",' "$@")
	{
		[ ! -e "$TABLE" ] || grep -v -e "^\"$1\"," -e '^"KERNEL="' "$TABLE"
		echo "${row%,}"
	} >"$TABLE.rows"
	{
		echo "$HEADER"
		for kernel in "${KERNELS[@]}"; do
			grep "^\"$kernel\"," "$TABLE.rows"
		done
	} >"$TABLE.new"
	mv "$TABLE.new" "$TABLE"
	rm "$TABLE.rows"
}

# Count the results in a directory of run-tests.sh. Print `PASSED of PROGRAMS (RESULTS)` and the
# programs that failed.
results() { # directory program...
	local dir=$1 program name passed=0 total=0 count failed=()
	shift
	for program; do
		name=${program##*/}
		count=$(awk -v name="$name" -v status="$(cat "$dir/$name.status" 2>/dev/null || echo 1)" \
			-f scripts/tap.awk "$dir/$name.tap" 2>/dev/null | sed -n 's/^count //p')
		read -r ok bad _ <<<"${count:-0 1 0}"
		[ "$bad" = 0 ] && passed=$((passed + 1)) || failed+=("$name")
		total=$((total + ok))
	done
	echo "$passed of $# ($total results)${failed[*]:+; failed: ${failed[*]}}"
	[ ${#failed[@]} = 0 ]
}

# Run programs in a guest; print the cell.
in_guest() { # directory program...
	local dir=$1 status=0 cell
	shift
	mkdir -p "$dir"
	LOG=$dir/dmesg OUT=$dir scripts/vm.sh "scripts/run-tests.sh /mnt/out $*" >"$dir/log" 2>&1 || status=$?
	cell=$(results "$dir" "$@") || status=1
	if grep -q ' complained; its log' "$dir/log"; then
		cell+="; kernel log: $(grep -vE ' complained|^Linux' "$dir/log" | grep -m1 -E 'BUG|WARNING|KASAN|Oops|deprecated|ERROR' | tr -d '"' | cut -c1-60)"
	fi
	echo "$cell"
	return $status
}

test_kernel() { # kernel
	local kernel=$1 dir=$MATRIX/$1 settings builds=no loads=no selftests='' i915='' gpu cell bad=0
	local RELEASE='' KDIR='' compiler programs last
	# With other arguments, vm.sh would build the modules again.
	export KERNEL=$kernel KBUILD_ARGS="W=1 C=1"
	# sparse 0.6.4 knows neither __typeof_unqual__ nor constant calls of __builtin_strlen.
	[[ $kernel != *7.3 ]] || KBUILD_ARGS=W=1
	rm -rf "$dir"
	mkdir -p "$dir"
	settings=$(scripts/vm/kernel.sh "$kernel") || { note "$kernel: not available"; return 1; }
	eval "$settings"
	compiler=$(sed -nE 's/^CONFIG_CC_VERSION_TEXT=".*\b(gcc|clang)\b.* ([0-9.]+)"$/\1 \2/p' "$KDIR/.config")
	note "Linux $RELEASE: building the modules"
	if scripts/build-modules.sh "$KDIR" >"$dir/build.log" 2>&1; then
		builds=yes
		read -ra programs < <(list SELFTESTS | sed 's,[^ ]*/test_perf_tool.sh,,')
		note "Linux $RELEASE: running the selftests"
		selftests=$(ICOUNT=1 TIMEOUT=1800 in_guest "$dir/selftests" "${programs[@]}") || bad=1
		! compgen -G "$dir/selftests/*.tap" >/dev/null || loads=yes
		for gpu in ${I915//,/ }; do
			note "Linux $RELEASE: testing gpuoa_i915.ko on $gpu"
			cell=$(GPU=$gpu I915=error_capture=0 TIMEOUT=900 in_guest "$dir/i915-$gpu" \
				selftests/i915/gpuoa_test.sh selftests/i915/gpuoa_life_test.sh) || bad=1
			i915+="${i915:+; }$gpu: $cell"
		done
	else
		bad=1
		tail -20 "$dir/build.log" >&2
	fi
	last=$(column "$kernel" 7)
	set_row "$kernel" "$RELEASE" "$compiler" $builds $loads "${selftests:--}" "${i915:-${last:--}}"
	[ $bad = 0 ] && [ $loads = yes ]
}

bad=0
make --no-print-directory -s -j"$(nproc)" lib tools selftests >&2 || exit
[ $# -gt 0 ] || set -- "${KERNELS[@]}"
for kernel; do
	test_kernel "$kernel" || bad=1
done
awk -F'","' '{ gsub(/^"|"$/, ""); printf "%-7s %-26s %-12s %-7s %-6s %-24s %s\n", $1, $2, $3, $4, $5, $6, $7 }' "$TABLE"
exit $bad
