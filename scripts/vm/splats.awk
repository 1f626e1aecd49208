# splats.awk: find errors in a kernel log; print those lines with a few following ones; exit with 1
# if there are any
#
# Messages before the guest is up are ignored, unless the guest never gets there. A fault-injection
# message includes a stack trace that is not an error.
function complaint(line) {
	return line ~ /(^|[^A-Z])BUG:|WARNING:|KASAN|UBSAN|Oops|possible (circular|recursive|irq)|inconsistent lock state/ ||
	       line ~ /INFO: (task|rcu|trying to register)|rcu:.*(stall|detected)|soft lockup|hard LOCKUP/ ||
	       line ~ /BUG [^ ]+ \([^)]*\): |deprecated workqueue|unreferenced object|[0-9]+ new suspected memory leaks|ODEBUG:|refcount_t:|Kernel panic/ ||
	       line ~ /general protection fault|double free|list_(add|del) corruption|scheduling while atomic/ ||
	       line ~ /i915 .*\*ERROR\*|\[drm:.*\*ERROR\*/ ||
	       line ~ /sleeping function called|suspicious RCU usage|bad unlock balance|Call Trace:/ ||
	       line ~ /locking correctness validator|lockdep is turned off/
}
/FAULT_INJECTION: forcing a failure/ { injected = 1; next }
injected && /<\/TASK>/ { injected = 0; next }
injected && /Call Trace:|<TASK>/ { next }
/gpuoa: guest is up/ { found = lines = follow = 0 }
complaint($0) { found++; follow = 14 }
follow > 0 { follow--; shown[lines++] = $0 }
END {
	for (i = 0; i < lines; i++)
		print shown[i]
	exit found > 0
}
