/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * oa_read.h - tail check, read() and poll() of a stream.
 */
#ifndef _SIM_XE_OA_READ_H
#define _SIM_XE_OA_READ_H

#include <linux/hrtimer.h>
#include <linux/poll.h>

struct sim_xe_stream;

/* Poll interval */
#define SIM_XE_LOOK_NS (5 * NSEC_PER_MSEC)

bool sim_xe_stream_look(struct sim_xe_stream *stream);
enum hrtimer_restart sim_xe_stream_timer(struct hrtimer *timer);
ssize_t sim_xe_stream_read(struct file *file, char __user *to, size_t room, loff_t *position);
__poll_t sim_xe_stream_poll(struct file *file, poll_table *table);

#endif /* _SIM_XE_OA_READ_H */
