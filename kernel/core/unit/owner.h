/* SPDX-License-Identifier: GPL-2.0-only */
/* owner.h - owner of a context. */
#ifndef _GPUOA_OWNER_H
#define _GPUOA_OWNER_H

struct gpuoa_context_owner_info;
struct gpuoa_unit;

int gpuoa_owner_tell(struct gpuoa_unit *unit, struct gpuoa_context_owner_info *info);

#endif /* _GPUOA_OWNER_H */
