/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * oa_change.h - ioctls of a stream: enable, disable, replace its configuration.
 */
#ifndef _SIM_XE_OA_CHANGE_H
#define _SIM_XE_OA_CHANGE_H

struct file;
struct sim_xe_stream;

void sim_xe_stream_enable(struct sim_xe_stream *stream);
void sim_xe_stream_disable(struct sim_xe_stream *stream);
void sim_xe_stream_program(struct sim_xe_stream *stream);
long sim_xe_stream_ioctl(struct file *file, unsigned int command, unsigned long arg);

#endif /* _SIM_XE_OA_CHANGE_H */
