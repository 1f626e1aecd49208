# shellcheck shell=bash
# Functions to compare the output of i915-perf-reader with that of gpuoa report; to be sourced

# Print lines "symbol value" for each interval between two reports. With PERIOD in ns, skip longer
# intervals, because the reader ignores gaps.
reader() { # FILE [PERIOD]
	i915-perf-reader -r -c all "$1" | awk -v period="${2:-0}" '
		function flush(i) {
			if (n && (!period || value["GpuTime"] <= period))
				for (i = 1; i <= n; i++)
					print order[i], value[order[i]]
			n = 0
		}
		/^Time:/ { flush(); inside = 0 }
		/^ report[0-9]/ { flush(); inside = 1; next }
		inside && /^   [A-Z]/ { sub(/:$/, "", $1); order[++n] = $1; value[$1] = $2 }
		END { flush() }'
}

# Compare these lines with a CSV file. The reader prints six decimals. It rounds down to whole
# clocks before it divides by the number of EUs.
agrees() { # FILE.csv, FILE of lines "symbol value"
	awk -v lines="$2" '
		BEGIN {
			while ((getline line <lines) > 0) {
				split(line, part, " ")
				value[part[1], ++count[part[1]]] = part[2]
			}
		}
		NR == 1 {
			columns = split($0, symbol, ",")
			for (i = 1; i <= columns; i++)
				if (symbol[i] == "GpuCoreClocks")
					clocks = i
			next
		}
		{
			for (i = 2; i <= columns; i++) {
				if (!((symbol[i], NR - 1) in value))
					continue
				all++
				off = value[symbol[i], NR - 1] - $i
				near = 1e-6
				if (symbol[i] ~ /^(Eu|Cs|Vs|Hs|Ds|Gs|Ps).*(Active|Stall|Occupancy|Fpu|Send)/)
					near += 100 / ($clocks + 1)
				if (off ^ 2 > 1e-12 * $i ^ 2 + near ^ 2 && ++wrong < 10)
					print symbol[i], "row", NR - 1 ":", value[symbol[i], NR - 1], "is not", $i
			}
		}
		END {
			if (count["GpuTime"] != NR - 1 && ++wrong)
				print count["GpuTime"] + 0, "intervals, not", NR - 1
			print all + 0, "values,", wrong + 0, "wrong"
			exit wrong || all < 1000
		}' FS=, "$1"
}
