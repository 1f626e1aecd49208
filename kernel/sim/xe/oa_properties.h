/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * oa_properties.h - properties of a stream of an OA unit.
 */
#ifndef _SIM_XE_OA_PROPERTIES_H
#define _SIM_XE_OA_PROPERTIES_H

#include <linux/types.h>

struct drm_file;
struct sim_xe_format;
struct sim_xe_metrics;
struct sim_xe_queue;
struct sim_xe_syncs;
struct sim_xe_unit;

/**
 * struct sim_xe_open - properties of a stream
 * @unit_id: DRM_XE_OA_PROPERTY_OA_UNIT_ID
 * @sample: DRM_XE_OA_PROPERTY_SAMPLE_OA
 * @metric_set: DRM_XE_OA_PROPERTY_OA_METRIC_SET
 * @format: DRM_XE_OA_PROPERTY_OA_FORMAT, or NULL
 * @exponent: DRM_XE_OA_PROPERTY_OA_PERIOD_EXPONENT, or -1
 * @disabled: DRM_XE_OA_PROPERTY_OA_DISABLED
 * @queue_id: DRM_XE_OA_PROPERTY_EXEC_QUEUE_ID, or 0
 * @engine_instance: DRM_XE_OA_PROPERTY_OA_ENGINE_INSTANCE
 * @no_preempt: DRM_XE_OA_PROPERTY_NO_PREEMPT
 * @n_syncs: DRM_XE_OA_PROPERTY_NUM_SYNCS
 * @syncs: DRM_XE_OA_PROPERTY_SYNCS
 * @unit: the unit
 * @queue: the exec queue, referenced, or NULL
 * @metrics: the configuration, referenced, or NULL
 */
struct sim_xe_open {
	u32 unit_id;
	bool sample;
	u64 metric_set;
	const struct sim_xe_format *format;
	int exponent;
	bool disabled;
	u32 queue_id;
	u32 engine_instance;
	bool no_preempt;
	u32 n_syncs;
	u64 syncs;
	struct sim_xe_unit *unit;
	struct sim_xe_queue *queue;
	struct sim_xe_metrics *metrics;
};

int sim_xe_open_parse(struct sim_xe_open *open, u64 chain, bool change);
int sim_xe_open_syncs(const struct sim_xe_open *open, struct drm_file *file,
		      struct sim_xe_syncs *syncs);

#endif /* _SIM_XE_OA_PROPERTIES_H */
