/* SPDX-License-Identifier: GPL-2.0-only */
/* gpuoa_xe_stream.h - exclusive streams of xe's observation interface. */
#ifndef _GPUOA_XE_STREAM_H
#define _GPUOA_XE_STREAM_H

#include <linux/types.h>

struct cred;
struct file;
struct gpuoa_provider_config;
struct ioctl_args;
struct lease_request;
struct lease_unit;
struct page;

int xe_stream_open(struct lease_unit *unit, struct gpuoa_provider_config *config,
		   const struct cred *cred);
int xe_stream_permits(struct lease_unit *unit, const struct gpuoa_provider_config *config,
		      const struct cred *cred);
long xe_add_config(struct ioctl_args *args, struct file *node, const char *uuid,
		   const struct gpuoa_provider_config *config);
void xe_remove_config(struct ioctl_args *args, struct file *node, u64 id);
long xe_open_stream(struct ioctl_args *args, struct file *node, const struct lease_request *request,
		    u64 id);
long xe_try_stream(struct ioctl_args *args, struct file *node, const struct lease_request *request,
		   u64 id);
int xe_run_once(struct ioctl_args *args, struct file *stream, const struct lease_request *request);
int xe_change_stream(struct ioctl_args *args, struct lease_unit *unit, u64 id);
int xe_stream_pages(struct lease_unit *unit, struct page **pages, unsigned int n_pages);

#endif /* _GPUOA_XE_STREAM_H */
