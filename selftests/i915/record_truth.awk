# From what i915-perf-reader -r shows of a recording: for each of the first intervals its timestamps, the clocks, and the share
# of busy ones
/^Time: CPU=/ {
	match($0, /GPU=0x[0-9a-f]+-0x[0-9a-f]+/)
	split(substr($0, RSTART + 4, RLENGTH - 4), part, "-")
	clocks = ""
}
/^ *GpuCoreClocks:/ && part[1] { clocks = $2 }
/^ *GpuBusy:/ && part[1] && clocks {
	print part[1], part[2], clocks, $2
	part[1] = ""
	if (++n == 20)
		exit
}
