#compdef gpuoa
# Completion of the gpuoa command for zsh: the commands and options are read from its help

_gpuoa_commands() {
	local -a commands
	commands=(${(f)"$(gpuoa --help 2>/dev/null | sed -n '/^Commands:/,/^$/s/^  \([a-z-]*\) *\(.*\)/\1:\2/p')"})
	_describe -t commands 'command' commands
}

# Print the options of a command for _arguments. An option takes a value if an upper-case word
# follows it in the help.
_gpuoa_options() { # [command]
	gpuoa $1 --help 2>/dev/null | awk '
		match($0, /^ +(-[a-zA-Z], )?--[a-z-]+/) {
			words = substr($0, RSTART, RLENGTH)
			text = substr($0, RLENGTH + 1)
			long = short = words
			sub(/.* /, "", long)
			if (sub(/^ +/, "", short) && !sub(/,.*/, "", short))
				short = ""
			value = ""
			if (match(text, /^ [A-Z][^ ]*/)) {
				value = substr(text, 2, RLENGTH - 1)
				text = substr(text, RLENGTH + 1)
			}
			gsub(/^ +/, "", text)
			gsub(/\\/, "\\\\", text)
			gsub(/\[/, "\\[", text)
			gsub(/\]/, "\\]", text)
			gsub(/:/, "\\:", text)
			gsub(/:/, "\\:", value)
			takes = value == "" ? "" : ":" value ": _gpuoa_value " long
			group = short == "" ? "" : "(" short " " long ")"
			repeated = long ~ /^--(definitions|constant)$/ ? "*" : group
			print repeated long (value == "" ? "" : "=") "[" text "]" takes
			if (short != "")
				print repeated short (value == "" ? "" : "+") "[" text "]" takes
		}'
}

# Print names that gpuoa lists for the platform and the definitions on the command line; for
# metrics, also for the set.
_gpuoa_names() { # list
	local -a given
	local i
	for ((i = 1; i < CURRENT - 1; i++)); do
		case $words[i] in
		-P | --platform | -D | --definitions) given+=($words[i] $words[i+1]) ;;
		-s | --set) [[ $1 != metrics ]] || given+=($words[i] $words[i+1]) ;;
		esac
	done
	# In the list of metrics, the first field is the set.
	gpuoa -q --csv list $1 $given 2>/dev/null | sed 1d | cut -d, -f$([[ $1 == metrics ]] && print 2 || print 1)
}

_gpuoa_value() { # option
	local -a names
	case $1 in
	--device) names=(${(f)"$(_gpuoa_names devices)"}) ;;
	--platform) names=(${(f)"$(_gpuoa_names platforms)"}) ;;
	--set) names=(${(f)"$(_gpuoa_names sets)"}) ;;
	--metrics) names=(${(f)"$(_gpuoa_names metrics)"}) && _values -s , metric $names && return ;;
	--format)
		case $_gpuoa_command in
		export) names=(perfetto chrome jsonl csv stalls i915 folded pprof speedscope) ;;
		*) names=(A13 A29 A13_B8_C8 B4_C8 A45_B8_C8 B4_C8_A16 C4_B8) ;;
		esac
		;;
	--theme) names=(light dark) ;;
	--clock) names=(gpu monotonic raw boottime realtime tai perf) ;;
	--definitions | --output) _files && return ;;
	esac
	_wanted values expl value compadd -a names
}

_gpuoa_operands() {
	case $_gpuoa_command in
	list) _values list devices gpus platforms sets metrics registers constants ;;
	stat | record | stalls) _normal ;;
	report | plot | decode | export | exporter) _files ;;
	esac
}

_gpuoa() {
	local -a options
	local _gpuoa_command context state state_descr line
	typeset -A opt_args
	options=(${(f)"$(_gpuoa_options)"})
	_arguments -C -s $options ':command:_gpuoa_commands' '*:: :->operands' && return
	[[ $state == operands ]] || return
	_gpuoa_command=$words[1]
	options=(${(f)"$(_gpuoa_options $_gpuoa_command)"})
	_arguments $options "*:operand:_gpuoa_operands"
}

_gpuoa "$@"
