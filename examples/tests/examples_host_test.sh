#!/bin/bash
# Tests of the examples that need no GPU, and of their quotations in documents; prints TAP
set -u
cd "$(dirname "$0")/../.." || exit 1
EXAMPLES=$(realpath "${BUILD:-build}")/examples
DIR=$(mktemp -d)
trap 'rm -rf "$DIR"' EXIT

. selftests/tap.sh

# A block of code after ".. from FILE" in a document must be contained in FILE; indentation may
# differ.
is_shown_unchanged() { # document
	local file snippets=0
	while read -r file; do
		snippets=$((snippets + 1))
		awk -v want="$snippets" '
			/^\.\. from / { n++; code = 0; next }
			n == want && /::$/ && !code { code = 1; next }
			n == want && code == 1 && /^[^ \t]/ { exit }
			n == want && code == 1 { sub(/^[ \t]+/, ""); if ($0 != "") print }' "$1" >"$DIR/snippet"
		sed 's/^[ \t]*//' "$file" | grep -v '^$' >"$DIR/file"
		awk 'FNR == NR { want[++n] = $0; next }
			{ line[++lines] = $0 }
			END {
				for (i = 0; n && i + n <= lines; i++) {
					for (j = 1; j <= n && line[i + j] == want[j]; j++)
						;
					if (j > n)
						exit 0
				}
				exit 1
			}' "$DIR/snippet" "$DIR/file" || { echo "$1: snippet $snippets is not in $file:" && cat "$DIR/snippet" && return 1; }
	done < <(sed -n 's/^\.\. from //p' "$1")
	[ $snippets -gt 0 ]
}

check "list prints platforms" says '^tglgt2 +Tiger Lake GT2' "$EXAMPLES/list"
check "list prints sets" says '^OA +RenderBasic +[0-9]+ metrics' "$EXAMPLES/list" tglgt2
check "list prints metrics" says '^EuActive +duration +percent' "$EXAMPLES/list" tglgt2 RenderBasic
check "list rejects unknown names" says "no platform 'atari'" fails "$EXAMPLES/list" atari
check "decode rejects a file that is not regular" says 'not a regular file' fails "$EXAMPLES/decode" /dev/null
check "user guide contains the examples unchanged" is_shown_unchanged Documentation/user/user-guide.rst
echo "1..$number"
