// SPDX-License-Identifier: GPL-2.0-only
/*
 * oa_properties.c - parses the property chain of a stream of an OA unit.
 */
#include <linux/errno.h>
#include <linux/uaccess.h>

#include "gpus.h"
#include "oa_properties.h"
#include "oa_unit.h"
#include "sync.h"
#include "xe.h"

/* xe's limit */
#define MAX_PROPERTIES 16
#define MAX_EXPONENT 31

static int open_set(struct sim_xe_open *open, u32 property, u64 value)
{
	switch (property) {
	case DRM_XE_OA_PROPERTY_OA_UNIT_ID:
		open->unit_id = value;
		return value < SIM_XE_MAX_UNITS ? 0 : -EINVAL;
	case DRM_XE_OA_PROPERTY_SAMPLE_OA:
		open->sample = value;
		return 0;
	case DRM_XE_OA_PROPERTY_OA_FORMAT:
		open->format = sim_xe_format_find(value);
		return open->format ? 0 : -EINVAL;
	case DRM_XE_OA_PROPERTY_OA_PERIOD_EXPONENT:
		open->exponent = value;
		return value <= MAX_EXPONENT ? 0 : -EINVAL;
	case DRM_XE_OA_PROPERTY_OA_DISABLED:
		open->disabled = value;
		return 0;
	case DRM_XE_OA_PROPERTY_EXEC_QUEUE_ID:
		open->queue_id = value;
		return 0;
	case DRM_XE_OA_PROPERTY_OA_ENGINE_INSTANCE:
		open->engine_instance = value;
		return 0;
	case DRM_XE_OA_PROPERTY_NO_PREEMPT:
		open->no_preempt = value;
		return 0;
	default:
		return -EINVAL;
	}
}

/* Set a property that can also be changed while the stream is open. */
static int open_change(struct sim_xe_open *open, u32 property, u64 value)
{
	switch (property) {
	case DRM_XE_OA_PROPERTY_OA_METRIC_SET:
		open->metric_set = value;
		return 0;
	case DRM_XE_OA_PROPERTY_NUM_SYNCS:
		open->n_syncs = value;
		return value <= DRM_XE_MAX_SYNCS ? 0 : -EINVAL;
	case DRM_XE_OA_PROPERTY_SYNCS:
		open->syncs = value;
		return 0;
	default:
		return -EINVAL;
	}
}

/**
 * sim_xe_open_parse() - Parse a chain of properties.
 * @open: properties to update, initialized with the defaults
 * @chain: address of the first struct drm_xe_ext_set_property
 * @change: accept only properties that can change while the stream is open
 *
 * Return: 0, -EINVAL, -EFAULT, or -E2BIG if there are more than 16 properties
 */
int sim_xe_open_parse(struct sim_xe_open *open, u64 chain, bool change)
{
	struct drm_xe_ext_set_property extension;
	unsigned int n = 0;
	int ret;

	do {
		if (n++ == MAX_PROPERTIES)
			return -E2BIG;
		if (copy_from_user(&extension, u64_to_user_ptr(chain), sizeof(extension)))
			return -EFAULT;
		if (extension.base.pad || extension.pad ||
		    extension.base.name != DRM_XE_OA_EXTENSION_SET_PROPERTY)
			return -EINVAL;
		ret = open_change(open, extension.property, extension.value);
		if (ret && !change)
			ret = open_set(open, extension.property, extension.value);
		if (ret)
			return ret;
		chain = extension.base.next_extension;
	} while (chain);

	return 0;
}

/**
 * sim_xe_open_syncs() - Read the array of syncs that the properties refer to.
 * @open: the properties
 * @file: owner of the syncobjs
 * @syncs: set to the array; must be freed with sim_xe_syncs_free(), also after an error
 *
 * Return: 0, -EINVAL, or an error of sim_xe_syncs_read()
 */
int sim_xe_open_syncs(const struct sim_xe_open *open, struct drm_file *file,
		      struct sim_xe_syncs *syncs)
{
	*syncs = (struct sim_xe_syncs){};
	if (open->n_syncs && !open->syncs)
		return -EINVAL;

	return sim_xe_syncs_read(syncs, file, open->syncs, open->n_syncs, 0);
}
