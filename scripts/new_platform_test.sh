#!/bin/bash
# new_platform_test.sh: add a platform to a copy of the tree, as
# Documentation/dev/adding-a-platform.rst describes, and check that everything knows it; prints TAP
#
# The platform is a Tiger Lake GT2 of another name. The copy is in $BUILD/new-platform. It begins with
# the objects of this tree, so that only what depends on the platform is compiled.
set -u
cd "$(dirname "$0")/.." || exit 1
BUILT=$(realpath -m "${BUILD:-build}")
TREE=$BUILT/new-platform
OUT=$TREE/build
DIR=$(mktemp -d)
trap 'rm -rf "$DIR"' EXIT
. selftests/tap.sh

NAME=zzl
LIKE=tglgt2
# The tests to run: they compare all platforms with each other, or each platform with the reference
# in platforms.facts or pci_ids.facts.
TESTS=(calc_pair constants device i915_recording metadata plan query rpn_oracle)

in_tree() {
	env -u MAKEFLAGS -u MAKELEVEL -u BUILD make --no-print-directory -s -C "$TREE" "$@"
}

copy_tree() {
	rm -rf "$TREE"
	mkdir -p "$OUT"
	cp -a --parents Makefile kernel/include lib platforms selftests third_party tools uapi vgpu "$TREE"
	(cd "$BUILT" && find lib platforms tools vgpu -name '*.[dho]' -exec cp -a --parents -t "$OUT" {} +)
	# Dependencies name objects by absolute paths.
	find "$OUT" -name '*.d' -exec sed -i "s|$BUILT/|$OUT/|g" {} +
}

# Copy the row of another platform, with other names and a PCI id that no GPU has.
add_row() {
	awk -v name=$NAME -v like=$LIKE '
		/^platform/ { copying = $2 == like }
		!copying { next }
		$1 == "platform" { print "\nplatform " name; next }
		$1 == "title" { print "\ttitle\tMade-up Lake"; next }
		$1 == "pci" { print "\tpci\tfff0"; next }
		$1 == "part" { print "\tpart\tMade-up Lake GT2"; next }
		$1 == "virtual" { $2 = "zzl_gpu"; $4 = "fff0" }
		$1 == "vgpu" { $2 = "zzl" }
		$1 == "test-set" { next } # a table of registers in kernel/core/oa/test_sets.h
		NF { sub(/^[ \t]*/, ""); print "\t" $0 }' platforms/platforms.txt >"$DIR/row"
	[ -s "$DIR/row" ] && cat "$DIR/row" >>"$TREE/platforms/platforms.txt"
}

add_metrics() {
	sed "s/^platform $LIKE .*/platform $NAME \"Made-up Lake GT2\"/" lib/metrics/$LIKE.oa >"$TREE/lib/metrics/$NAME.oa" &&
		awk -v name=$NAME -v like=$LIKE '
			/^platform / { copying = $2 == like; if (copying) { print "platform " name; next } }
			copying' lib/tests/platforms.facts >"$DIR/facts" && [ -s "$DIR/facts" ] &&
		cat "$DIR/facts" >>"$TREE/lib/tests/platforms.facts" &&
		echo "fff0 MADE_UP $NAME" >>"$TREE/lib/tests/pci_ids.facts"
}

builds() {
	local tests=("${TESTS[@]/%/_test}" rpn_oracle_test)
	in_tree -j"$(nproc)" build/tools/gpuoa build/tools/gpuoa-vgpu "${tests[@]/#/build/lib/tests/}"
}

passes() { # test [argument...]
	(cd "$TREE" && "$OUT/lib/tests/$1_test" "${@:2}" >"$DIR/tap") && return
	grep -v '^ok' "$DIR/tap"
	return 1
}

gpuoa() {
	"$OUT/tools/gpuoa" "$@"
}

has_all_metrics() {
	gpuoa --csv list metrics -P $LIKE | tail -n +2 | sed "s/$LIKE/$NAME/" >"$DIR/expected"
	gpuoa --csv list metrics -P $NAME | tail -n +2 >"$DIR/listed"
	[ -s "$DIR/expected" ] && cmp "$DIR/expected" "$DIR/listed"
}

# Two reports of 256 bytes: the timestamps differ by 19.2 million ticks, one second
decodes() {
	{
		head -c 256 /dev/zero
		printf '\0\0\0\0\0\370\044\001'
		head -c 248 /dev/zero
	} >"$DIR/reports"
	gpuoa --csv decode -P $NAME -s RenderBasic -m GpuTime "$DIR/reports" >"$DIR/decoded" 2>&1
	grep -q 1000000000 "$DIR/decoded" || { cat "$DIR/decoded"; return 1; }
}

# Each table has the row.
table_has() { # table, pattern
	awk -f "$TREE/platforms/generate.awk" -v table="$1" "$TREE/platforms/platforms.txt" >"$DIR/table" &&
		grep -E -- "$2" "$DIR/table"
}

rejects() { # message, sed script
	sed "$2" platforms/platforms.txt >"$DIR/platforms.txt"
	! awk -f platforms/generate.awk -v table=lib "$DIR/platforms.txt" >/dev/null 2>"$DIR/message" &&
		grep -q "$1" "$DIR/message" || { cat "$DIR/message"; return 1; }
}

is_listed() {
	gpuoa --csv list platforms | grep "^$NAME,"
}
has_unit() {
	table_has core 'name = "zzl"' && grep -A3 'name = "zzl"' "$DIR/table" | grep 'OA. = &gpuoa_oag_gen12'
}

status=$(git status --porcelain 2>/dev/null)
copy_tree
check "row is added to platforms.txt" add_row
check "definitions and reference values are added" add_metrics
check "tree builds with the new platform" builds
for test in "${TESTS[@]}"; do
	check "${test}_test passes with it" passes "$test"
done
check "rpn_oracle_test passes with it" passes rpn_oracle $NAME
check "gpuoa lists the platform" is_listed
check "platform has all metrics of its definitions" has_all_metrics
check "gpuoa decodes its reports" decodes
check "library maps the PCI id" table_has lib '0xfff0, ZZL'
check "batches write its reports" table_has query '"zzl", &gen12 '
check "gpuoa.ko describes its OA unit" has_unit
check "gpuoa_i915.ko supports it" table_has i915 '0xfff0, ZZL'
check "a virtual GPU of it can be created" table_has model 'MODEL_GEN12\("zzl_gpu"'
check "gpuoa-vgpu serves it" table_has vgpu 'name = "zzl", .model = "zzl_gpu"'
check "repeated PCI id is rejected" rejects 'PCI id 9a40 is also listed for' 's/9a60/9a40/'
check "platform without PCI ids is rejected" rejects "platform ptl: no line 'pci'" '/^platform ptl/,/^$/{/pci\t/d}'
check "repeated platform is rejected" rejects 'platform bmg has a second row' 's/^platform lnl/platform bmg/'
check "unknown line is rejected" rejects "unknown key 'genration'" 's/\tgeneration/\tgenration/'
check "source tree is unchanged" [ "$status" = "$(git status --porcelain 2>/dev/null)" ]
echo "1..$number"
