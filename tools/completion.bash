# Completion of the gpuoa command for bash

_gpuoa_names() { # list [options of gpuoa list]
	gpuoa -q --csv list "$@" 2>/dev/null | sed 1d
}

_gpuoa_option_value() { # option, beginning of the value, command
	local platform=() files=() set=() i
	for ((i = 1; i < COMP_CWORD; i++)); do
		case ${COMP_WORDS[i]} in
		-P | --platform) platform=(-P "${COMP_WORDS[i + 1]}") ;;
		-s | --set) set=(-s "${COMP_WORDS[i + 1]%@*}") ;;
		-D | --definitions) files+=(-D "${COMP_WORDS[i + 1]}") ;;
		esac
	done
	case $1 in
	-D | --definitions) compgen -f -- "$2" ;;
	-d | --device) _gpuoa_names devices | cut -d, -f1 ;;
	-P | --platform) _gpuoa_names platforms "${files[@]}" | cut -d, -f1 ;;
	-s | --set) _gpuoa_names sets "${files[@]}" "${platform[@]}" | cut -d, -f1 ;;
	-m | --metrics) # the last one of a list
		_gpuoa_names metrics "${files[@]}" "${platform[@]}" "${set[@]}" | cut -d, -f2 |
			sed "s/^/$([[ $2 != *,* ]] || sed 's/[^,]*$//; s/[\/&]/\\&/g' <<<"$2")/"
		;;
	-f | --format)
		case $3 in
		export) echo perfetto chrome jsonl csv stalls i915 folded pprof speedscope ;;
		decode) echo A13 A29 A13_B8_C8 B4_C8 A45_B8_C8 B4_C8_A16 C4_B8 ;;
		*) return 1 ;;
		esac
		;;
	--theme) echo light dark ;;
	--clock) echo gpu monotonic raw boottime realtime tai perf ;;
	*) return 1 ;;
	esac
}

# Read the commands and options from the help.
_gpuoa_commands() {
	gpuoa --help 2>/dev/null | sed -n '/^Commands:/,/^$/s/^  \([a-z-]*\) .*/\1/p'
}
_gpuoa_options() { # [command]
	gpuoa "$@" --help 2>/dev/null | sed -nE 's/^ +(-[a-zA-Z], )?(--[a-z-]+).*/\2/p'
}

_gpuoa() {
	local current=${COMP_WORDS[COMP_CWORD]} previous=${COMP_WORDS[COMP_CWORD - 1]}
	local command="" commands i values
	commands=$(_gpuoa_commands)
	for ((i = 1; i < COMP_CWORD; i++)); do
		[[ $'\n'$commands$'\n' != *$'\n'"${COMP_WORDS[i]}"$'\n'* ]] || { command=${COMP_WORDS[i]} && break; }
	done
	COMPREPLY=()
	if values=$(_gpuoa_option_value "$previous" "$current" "$command"); then
		mapfile -t COMPREPLY < <(compgen -W "$values" -- "$current")
	elif [[ $current == -* ]]; then
		mapfile -t COMPREPLY < <(compgen -W "$(_gpuoa_options ${command:+"$command"})" -- "$current")
	elif [[ -z $command ]]; then
		mapfile -t COMPREPLY < <(compgen -W "$commands" -- "$current")
	elif [[ $command == list ]]; then
		mapfile -t COMPREPLY < <(compgen -W "devices gpus platforms sets metrics registers constants" -- "$current")
	fi
}

complete -o default -F _gpuoa gpuoa
