# Finds in a kernel log what must not be there; prints those lines with a few that follow, exits 1 when there are any
#
# A fault-injection message carries a stack trace that is no fault.
function complaint(line) {
	return line ~ /BUG:|WARNING:|KASAN|UBSAN|Oops|possible (circular|recursive|irq)|inconsistent lock state/ ||
	       line ~ /INFO: (task|rcu|trying to register)|rcu:.*(stall|detected)|soft lockup|hard LOCKUP/ ||
	       line ~ /unreferenced object|[0-9]+ new suspected memory leaks|ODEBUG:|refcount_t:|Kernel panic/ ||
	       line ~ /general protection fault|double free|list_(add|del) corruption|scheduling while atomic/ ||
	       line ~ /sleeping function called|suspicious RCU usage|bad unlock balance|Call Trace:/
}
/FAULT_INJECTION: forcing a failure/ { injected = 1; next }
injected && /<\/TASK>/ { injected = 0; next }
injected && /Call Trace:|<TASK>/ { next }
complaint($0) { found++; follow = 14; print; next }
follow > 0 { follow--; print }
END { exit found > 0 }
