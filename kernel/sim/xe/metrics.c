// SPDX-License-Identifier: GPL-2.0-only
/*
 * metrics.c - adds, finds and removes OA configurations, and shows their IDs in sysfs.
 */
#include <drm/drm_file.h>
#include <linux/device.h>
#include <linux/slab.h>
#include <linux/uaccess.h>

#include "metrics.h"
#include "paranoid.h"
#include "xe.h"

/**
 * struct metrics_range - registers that a configuration may write
 * @first: MMIO offset of the first register
 * @last: MMIO offset of the last register
 */
struct metrics_range {
	u32 first;
	u32 last;
};

/*
 * Registers that a configuration may write, from xe's tables for Xe2: flexible EU counters,
 * counters of OAG and OAM, selection of signals.
 */
static const struct metrics_range allowed[] = {
	{ 0x2b2c, 0x2b2c },	/* OAG_OA_PESS */
	{ 0x5194, 0x5194 },	/* SYS_MEM_LAT_MEASURE_MERTF_GRP_3D */
	{ 0x8704, 0x8704 },	/* LMEM_LAT_MEASURE_MCFG_GRP */
	{ 0xb1bc, 0xb1bc },	/* L3_BANK_LAT_MEASURE_LBCF_GFX */
	{ 0xd0e0, 0xd0f4 },	/* VISACTL */
	{ 0xd900, 0xd93c },	/* OAG_OASTARTTRIG1..8, OAG_OAREPORTTRIG1..8 */
	{ 0xd940, 0xd97c },	/* OAG_CEC0_0..CEC7_1 */
	{ 0xdc00, 0xdc48 },	/* OAG_SCEC0_0..OAA_ENABLE */
	{ 0xdd00, 0xdd48 },	/* OAG_LCE0_0..OAA_LENABLE */
	{ 0xe18c, 0xe18c },	/* SAMPLER_MODE */
	{ 0xe458, 0xe45c },	/* EU_PERF_CNTL0, 4 */
	{ 0xe558, 0xe55c },	/* EU_PERF_CNTL1, 5 */
	{ 0xe590, 0xe590 },	/* TDL_LSC_LAT_MEASURE_TDL_GFX */
	{ 0xe658, 0xe65c },	/* EU_PERF_CNTL2, 6 */
	{ 0xe758, 0xe758 },	/* EU_PERF_CNTL3 */
	{ 0x13000, 0x137fc },	/* PES0_PESL0..PES63_UPPER_PESL3 */
	{ 0x393000, 0x39303c }, /* OAM_STARTTRIG1..8, OAM_REPORTTRIG1..8 */
	{ 0x393040, 0x39307c }, /* OAM_CEC0_0..CEC7_1 */
	{ 0x393200, 0x39323c }, /* MPES0..7 of SAG */
	{ 0x394200, 0x39423c }, /* MPES0..7 of SCMI0 */
	{ 0x394a00, 0x394a3c }, /* MPES0..7 of SCMI1 */
};

static bool is_allowed(u32 reg)
{
	unsigned int i;

	for (i = 0; i < ARRAY_SIZE(allowed); i++)
		if (reg >= allowed[i].first && reg <= allowed[i].last)
			return true;

	return false;
}

static void metrics_release(struct kref *ref)
{
	struct sim_xe_metrics *metrics = container_of(ref, struct sim_xe_metrics, ref);

	kvfree(metrics->regs);
	kfree(metrics);
}

/**
 * sim_xe_metrics_put() - Drop a reference to a configuration.
 * @metrics: the configuration
 */
void sim_xe_metrics_put(struct sim_xe_metrics *metrics)
{
	kref_put(&metrics->ref, metrics_release);
}

/**
 * sim_xe_metrics_get() - Find a configuration by its ID.
 * @xe: the emulated xe device
 * @id: ID of the configuration
 *
 * Return: the configuration with a reference for the caller, or NULL
 */
struct sim_xe_metrics *sim_xe_metrics_get(struct sim_xe *xe, u64 id)
{
	struct sim_xe_metrics *metrics;

	if (id > U32_MAX)
		return NULL;
	mutex_lock(&xe->metrics_lock);
	metrics = xa_load(&xe->metrics, id);
	if (metrics)
		kref_get(&metrics->ref);
	mutex_unlock(&xe->metrics_lock);

	return metrics;
}

static int metrics_copy(struct sim_xe_metrics *metrics, u64 from)
{
	size_t size = array_size(metrics->n, sizeof(*metrics->regs));
	u32 i;

	metrics->regs = kvmalloc(size, GFP_KERNEL_ACCOUNT);
	if (!metrics->regs)
		return -ENOMEM;
	if (copy_from_user(metrics->regs, u64_to_user_ptr(from), size))
		return -EFAULT;
	for (i = 0; i < metrics->n; i++)
		if (!is_allowed(metrics->regs[i].reg))
			return -EINVAL;
	return 0;
}

static ssize_t show_id(struct kobject *kobj, struct kobj_attribute *attr, char *text)
{
	return sysfs_emit(text, "%u\n", container_of(attr, struct sim_xe_metrics, show)->id);
}

static struct sim_xe_metrics *metrics_create(const struct drm_xe_oa_config *config)
{
	struct sim_xe_metrics *metrics = kzalloc(sizeof(*metrics), GFP_KERNEL_ACCOUNT);
	int ret;

	if (!metrics)
		return ERR_PTR(-ENOMEM);
	kref_init(&metrics->ref);
	memcpy(metrics->uuid, config->uuid, UUID_STRING_LEN);
	metrics->n = config->n_regs;
	ret = metrics_copy(metrics, config->regs_ptr);
	if (ret) {
		sim_xe_metrics_put(metrics);
		return ERR_PTR(ret);
	}
	sysfs_attr_init(&metrics->show.attr);
	metrics->show.attr.name = "id";
	metrics->show.attr.mode = 0444;
	metrics->show.show = show_id;
	metrics->attrs[0] = &metrics->show.attr;
	metrics->group.name = metrics->uuid;
	metrics->group.attrs = metrics->attrs;
	return metrics;
}

/* Add a configuration to the list and to sysfs. On success, take over the caller's reference. */
static int metrics_insert(struct sim_xe *xe, struct sim_xe_metrics *metrics)
{
	struct sim_xe_metrics *other;
	unsigned long index;
	int ret;

	lockdep_assert_held(&xe->metrics_lock);
	if (!xe->metrics_dir)
		return -ENODEV;
	xa_for_each(&xe->metrics, index, other)
		if (!strcmp(other->uuid, metrics->uuid))
			return -EADDRINUSE;
	ret = xa_alloc(&xe->metrics, &metrics->id, metrics, XA_LIMIT(1, INT_MAX), GFP_KERNEL);
	if (ret)
		return ret;
	ret = sysfs_create_group(xe->metrics_dir, &metrics->group);
	if (ret)
		xa_erase(&xe->metrics, metrics->id);
	return ret;
}

/**
 * sim_xe_metrics_add() - Handle DRM_XE_OBSERVATION_OP_ADD_CONFIG.
 * @xe: the emulated xe device
 * @param: address of a struct drm_xe_oa_config
 *
 * Return: ID of the configuration; -EACCES without privilege; -EADDRINUSE if the UUID is in use;
 * -ENODEV if the device was removed; -EINVAL, -EFAULT or -ENOMEM
 */
int sim_xe_metrics_add(struct sim_xe *xe, u64 param)
{
	struct drm_xe_oa_config config;
	struct sim_xe_metrics *metrics;
	int ret;

	if (!sim_xe_may_observe())
		return -EACCES;
	if (copy_from_user(&config, u64_to_user_ptr(param), sizeof(config)))
		return -EFAULT;
	if (config.extensions || !config.regs_ptr || !config.n_regs || !uuid_is_valid(config.uuid))
		return -EINVAL;
	metrics = metrics_create(&config);
	if (IS_ERR(metrics))
		return PTR_ERR(metrics);

	mutex_lock(&xe->metrics_lock);
	ret = metrics_insert(xe, metrics);
	if (!ret)
		ret = metrics->id;
	mutex_unlock(&xe->metrics_lock);
	if (ret < 0)
		sim_xe_metrics_put(metrics);
	return ret;
}

static void metrics_drop(struct sim_xe *xe, struct sim_xe_metrics *metrics)
{
	lockdep_assert_held(&xe->metrics_lock);
	sysfs_remove_group(xe->metrics_dir, &metrics->group);
	xa_erase(&xe->metrics, metrics->id);
	sim_xe_metrics_put(metrics);
}

/**
 * sim_xe_metrics_remove() - Handle DRM_XE_OBSERVATION_OP_REMOVE_CONFIG.
 * @xe: the emulated xe device
 * @param: address of the configuration's ID, a u64
 *
 * Streams that use the configuration continue to use it.
 *
 * Return: 0; -EACCES without privilege; -ENOENT if the ID does not exist; -EFAULT
 */
int sim_xe_metrics_remove(struct sim_xe *xe, u64 param)
{
	struct sim_xe_metrics *metrics;
	u64 id;

	if (!sim_xe_may_observe())
		return -EACCES;
	if (copy_from_user(&id, u64_to_user_ptr(param), sizeof(id)))
		return -EFAULT;

	mutex_lock(&xe->metrics_lock);
	metrics = id <= U32_MAX ? xa_load(&xe->metrics, id) : NULL;
	if (metrics)
		metrics_drop(xe, metrics);
	mutex_unlock(&xe->metrics_lock);
	return metrics ? 0 : -ENOENT;
}

/**
 * sim_xe_metrics_init() - Create the sysfs directory of configurations.
 * @xe: the emulated xe device; its DRM device is registered
 *
 * Return: 0 or -ENOMEM
 */
int sim_xe_metrics_init(struct sim_xe *xe)
{
	xe->metrics_dir = kobject_create_and_add("metrics", &xe->drm.primary->kdev->kobj);

	return xe->metrics_dir ? 0 : -ENOMEM;
}

/**
 * sim_xe_metrics_exit() - Remove all configurations and their sysfs directory.
 * @xe: the emulated xe device
 */
void sim_xe_metrics_exit(struct sim_xe *xe)
{
	struct sim_xe_metrics *metrics;
	unsigned long index;

	mutex_lock(&xe->metrics_lock);
	xa_for_each(&xe->metrics, index, metrics)
		metrics_drop(xe, metrics);
	kobject_put(xe->metrics_dir);
	xe->metrics_dir = NULL;
	mutex_unlock(&xe->metrics_lock);
}
