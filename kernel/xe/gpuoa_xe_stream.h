/* SPDX-License-Identifier: GPL-2.0-only */
/* gpuoa_xe_stream.h - exclusive streams of xe's observation interface. */
#ifndef _GPUOA_XE_STREAM_H
#define _GPUOA_XE_STREAM_H

struct cred;
struct gpuoa_provider_config;
struct lease_unit;
struct page;

int xe_stream_open(struct lease_unit *unit, struct gpuoa_provider_config *config,
		   const struct cred *cred);
int xe_stream_permits(struct lease_unit *unit, const struct gpuoa_provider_config *config,
		      const struct cred *cred);
int xe_stream_pages(struct lease_unit *unit, struct page **pages, unsigned int n_pages);

#endif /* _GPUOA_XE_STREAM_H */
