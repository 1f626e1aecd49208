#!/bin/bash
# splats_test.sh: test splats.awk with one line of each kind of kernel message, and with harmless
# lines; prints TAP
set -u
SPLATS=$(dirname "$0")/splats.awk

number=0
try() { # status, line
	local status
	number=$((number + 1))
	printf '%s\n' "[    0.5] BUG: before the guest is up" "[    1.0] gpuoa: guest is up" "[    2.0] $2" |
		awk -f "$SPLATS" >/dev/null
	status=$?
	[ $status = "$1" ] || printf 'not '
	printf 'ok %d - %s\n' $number "$2"
}

while read -r line; do
	try 1 "$line"
done <<'END'
BUG: KASAN: slab-use-after-free in oa_poll+0x12/0x90 [gpuoa]
UBSAN: shift-out-of-bounds in core/unit.c:12:3
WARNING: possible circular locking dependency detected
WARNING: possible recursive locking detected
WARNING: inconsistent lock state
WARNING: CPU: 1 PID: 77 at kernel/events/core.c:2100 perf_event_update+0x10/0x20
WARNING: suspicious RCU usage
[ BUG: Invalid wait context ]
BUG: sleeping function called from invalid context at kernel/locking/mutex.c:283
BUG: scheduling while atomic: gpuoa/77/0x00000002
BUG: using smp_processor_id() in preemptible [00000000] code: gpuoa/77
BUG: unable to handle page fault for address: ffff888000000000
Oops: general protection fault, probably for non-canonical address 0xdead000000000100
watchdog: BUG: soft lockup - CPU#1 stuck for 22s! [gpuoa:77]
watchdog: Watchdog detected hard LOCKUP on cpu 1
rcu: INFO: rcu_preempt detected stalls on CPUs/tasks:
rcu: INFO: rcu_preempt self-detected stall on CPU
INFO: task rmmod:77 blocked for more than 120 seconds.
INFO: trying to register non-static key.
INFO: lockdep is turned off.
turning off the locking correctness validator.
BUG kmalloc-1k (Tainted: G           OE      ): Poison overwritten
workqueue: work func recovery_work [gpuoa] enqueued on deprecated workqueue. Use system_{percpu|dfl}_wq instead.
ODEBUG: free active (active state 0) object: ffff888 object type: hrtimer hint: poll+0x0/0x90
refcount_t: underflow; use-after-free.
list_add corruption. prev->next should be next (ffff), but was ffff.
kmemleak: 2 new suspected memory leaks (see /sys/kernel/debug/kmemleak)
Kernel panic - not syncing: Fatal exception
END
while read -r line; do
	try 0 "$line"
done <<'END'
[drm] Initialized gpuoa_sim 1.0.0 for gpuoa_sim.0 on minor 0
gpuoa gpuoa0: the GPU is gone
hrtimer: interrupt took 60501 ns
clocksource: timekeeping watchdog on CPU1: hpet wd-wd read-back delay of 200000ns
kmemleak: Kernel memory leak detector initialized (mem pool available: 15787)
watchdog: Enabled. Soft lockup detector
smpboot: CPU 1 is now offline
perf: interrupt took too long (2501 > 2500), lowering kernel.perf_event_max_sample_rate to 79000
DEBUG: nothing that is a bug
END
echo "1..$number"
