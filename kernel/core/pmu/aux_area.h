/* SPDX-License-Identifier: GPL-2.0-only */
/* aux_area.h - use of an event's AUX area as OABUFFER. */
#ifndef _GPUOA_AUX_AREA_H
#define _GPUOA_AUX_AREA_H

#include <linux/types.h>

struct perf_event;

void *gpuoa_aux_setup(struct perf_event *event, void **pages, int n_pages, bool overwrite);
void gpuoa_aux_free(void *aux);

#endif /* _GPUOA_AUX_AREA_H */
