# Finds in a kernel log what must not be there; prints those lines with a few that follow, exits 1 when there are any
#
# What a kernel says before our guest is up is its own affair, unless it never gets there. A fault-injection message
# carries a stack trace that is no fault.
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
