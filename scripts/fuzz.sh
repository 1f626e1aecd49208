#!/bin/bash
# fuzz.sh [SECONDS]: build the libFuzzer targets of lib/fuzz and run each for SECONDS; prints TAP,
# one result each
#
# Findings are stored in $BUILD/fuzz/findings, new corpus files in $BUILD/fuzz/corpus.
set -uo pipefail
. "$(dirname "$0")/vm/common.sh"
cd "$TOP" || exit

seconds=${1:-${FUZZ_SECONDS:-600}}
FUZZ=$BUILD/fuzz
CHECKS=-fsanitize=fuzzer-no-link,address,undefined
ARGS=(BUILD="$FUZZ" CC=clang SANITIZE=
	CFLAGS="-O1 -g $CHECKS -fno-sanitize-recover=undefined -fno-omit-frame-pointer")

if ! command -v clang >/dev/null; then
	echo "1..0 # SKIP clang is not installed"
	exit
fi
mkdir -p "$FUZZ"
make --no-print-directory -s "${ARGS[@]}" fuzzers >&2 || exit
read -ra fuzzers < <(make --no-print-directory -s "${ARGS[@]}" print-FUZZERS)

mkdir -p "$FUZZ/seeds/definition" "$FUZZ/findings"
"$FUZZ/lib/fuzz/seeds" "$FUZZ/seeds" || exit
cp lib/tests/definitions/*.oa lib/tests/definitions/*.xml lib/metrics/*.oa "$FUZZ/seeds/definition"

number=0 failed=0
echo "1..${#fuzzers[@]}"
for fuzzer in "${fuzzers[@]}"; do
	name=$(basename "$fuzzer")
	number=$((number + 1))
	mkdir -p "$FUZZ/corpus/$name"
	if "$fuzzer" -max_total_time="$seconds" -max_len=16384 -timeout=20 -rss_limit_mb=2048 -print_final_stats=1 \
		-artifact_prefix="$FUZZ/findings/$name-" "$FUZZ/corpus/$name" "$FUZZ/seeds/$name" 2>"$FUZZ/$name.log" >&2; then
		result=ok
	else
		result="not ok"
		failed=1
		grep -E 'ERROR|SUMMARY|Test unit|deadly|#[0-9]+ .* lib/' "$FUZZ/$name.log" | head -20 | sed 's/^/# /'
	fi
	runs=$(sed -n 's/^stat::number_of_executed_units: *//p' "$FUZZ/$name.log")
	echo "$result $number - $name: ${runs:-0} inputs in $seconds s"
done
exit $failed
