#!/bin/bash
# Test bash and zsh completion of the gpuoa command: commands and options of its help, and names
# from gpuoa list. Prints TAP.
set -u
. "$(dirname "$0")/host.sh"
PATH=$BUILD/tools:$PATH

commands() { # prints the commands that are built
	gpuoa --help | awk '/^Commands:/ { on = 1; next } !NF { on = 0 } on { print $1 }'
}
options() { # command; prints the options in its help
	gpuoa "$1" --help | grep -oE '^ {2,6}(-[a-zA-Z], )?--[a-z-]+' | grep -oE -e '--[a-z-]+'
}
same() { # FILE FILE
	diff <(sort -u "$1") <(sort -u "$2")
}

in_bash() { # words...
	(
		. tools/completion.bash
		COMP_WORDS=("$@")
		COMP_CWORD=$(($# - 1))
		_gpuoa
		printf '%s\n' "${COMPREPLY[@]}"
	)
}
in_zsh() { # words...
	timeout "$(scaled 30)" zsh -f tools/tests/completion.zsh "$DIR/functions" "$@"
}

offers_commands() { # shell
	commands >"$DIR/expected"
	"in_$1" gpuoa '' >"$DIR/offered"
	[ "$(wc -l <"$DIR/expected")" -ge 12 ] && same "$DIR/expected" "$DIR/offered"
}
offers_options() { # shell command...
	local shell=$1 command
	for command in "${@:2}"; do
		options "$command" >"$DIR/expected"
		"in_$shell" gpuoa "$command" -- >"$DIR/offered"
		[ "$(wc -l <"$DIR/expected")" -ge 7 ] && same "$DIR/expected" "$DIR/offered" || { echo "$command" && return 1; }
	done
}
offers() { # expected first, shell, words...
	local expected=$1
	"in_$2" "${@:3}" | sort >"$DIR/offered"
	cat "$DIR/offered"
	[ "$(head -1 "$DIR/offered")" = "$expected" ]
}
are_understood() {
	local command option
	for command in $(commands); do
		for option in $(options "$command"); do
			gpuoa "$command" "$option=" --help 2>&1 | grep "unrecognized" && return 1
		done
	done
	return 0
}

check "gpuoa accepts each option of its help" are_understood
mkdir "$DIR/functions"
cp tools/completion.zsh "$DIR/functions/_gpuoa"
for shell in bash zsh; do
	if ! command -v $shell >/dev/null; then
		skip "$shell" "it is not installed"
		continue
	fi
	check "$shell completes commands" offers_commands $shell
	# Test one command in zsh, because each start takes a second.
	# shellcheck disable=SC2046 # words
	check "$shell completes options" offers_options $shell $([ $shell = bash ] && commands || echo report)
	check "$shell completes platforms" offers tglgt1 $shell gpuoa list sets -P tgl
	check "$shell completes sets" offers MemoryReads $shell gpuoa decode -P hsw -s Memory
	check "$shell completes metrics" offers EuActive $shell gpuoa decode -P hsw -s RenderBasic --metrics EuA
	check "$shell completes formats" offers perfetto $shell gpuoa export --format p
done
echo "1..$number"
