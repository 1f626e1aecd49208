/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * gpuoa_compat.h - wrappers for interfaces that differ between kernels (6.1 and later).
 */
#ifndef _GPUOA_COMPAT_H
#define _GPUOA_COMPAT_H

#include <drm/drm_file.h>
#include <drm/drm_gem.h>
#include <linux/device.h>
#include <linux/dma-resv.h>
#include <linux/hrtimer.h>
#include <linux/mm.h>
#include <linux/perf_event.h>
#include <linux/version.h>
#include <linux/workqueue.h>

/* 6.2: const struct device in devnode() */
#if LINUX_VERSION_CODE >= KERNEL_VERSION(6, 2, 0)
#define GPUOA_DEVNODE_CONST const
#else
#define GPUOA_DEVNODE_CONST
#endif

/* 6.4: buses are constant, for their files and for struct device */
#define GPUOA_BUS_TYPE typeof(*((struct device *)NULL)->bus)

/* 6.11: sysctl tables have no sentinel */
#if LINUX_VERSION_CODE >= KERNEL_VERSION(6, 11, 0)
#define GPUOA_SYSCTL_SENTINEL
#else
#define GPUOA_SYSCTL_SENTINEL {},
#endif

/* 6.17: system_unbound_wq was renamed to system_dfl_wq; 7.3 warns about the old name. */
#if LINUX_VERSION_CODE >= KERNEL_VERSION(6, 17, 0)
#define GPUOA_UNBOUND_WQ system_dfl_wq
#else
#define GPUOA_UNBOUND_WQ system_unbound_wq
#endif

/* 6.13: hrtimer_init() became hrtimer_setup() */
#if LINUX_VERSION_CODE < KERNEL_VERSION(6, 13, 0)
static inline void hrtimer_setup(struct hrtimer *timer,
				 enum hrtimer_restart (*function)(struct hrtimer *),
				 clockid_t clock_id, enum hrtimer_mode mode)
{
	hrtimer_init(timer, clock_id, mode);
	timer->function = function;
}
#endif

/* 6.14: DRM drivers have no date; before, DRM warned if it was missing */
#if LINUX_VERSION_CODE < KERNEL_VERSION(6, 14, 0)
#define GPUOA_DRM_DATE(date_) .date = date_,
#else
#define GPUOA_DRM_DATE(date_)
#endif

/* 6.5: DRM numbers its clients and shows the numbers in fdinfo */
#if LINUX_VERSION_CODE >= KERNEL_VERSION(6, 5, 0)
#define GPUOA_DRM_SHOW_FDINFO .show_fdinfo = drm_show_fdinfo,
#define GPUOA_DRM_CLIENT(file_) ((file_)->client_id)
#else
#define GPUOA_DRM_SHOW_FDINFO
#define GPUOA_DRM_CLIENT(file_) 0
#endif

/*
 * Map an object into the kernel, with its reservation locked. DRM's own function for this was added
 * in 6.2 and renamed in 6.16; the driver's callback is the same in all versions.
 */
static inline int gpuoa_compat_gem_vmap(struct drm_gem_object *object, struct iosys_map *map)
{
	int ret;

	dma_resv_lock(object->resv, NULL);
	ret = object->funcs->vmap(object, map);
	dma_resv_unlock(object->resv);

	return ret;
}

static inline void gpuoa_compat_gem_vunmap(struct drm_gem_object *object, struct iosys_map *map)
{
	dma_resv_lock(object->resv, NULL);
	object->funcs->vunmap(object, map);
	dma_resv_unlock(object->resv);
}

/* 6.3: functions change the flags of a mapping */
static inline void gpuoa_compat_vm_flags_mod(struct vm_area_struct *vma, vm_flags_t set,
					     vm_flags_t clear)
{
#if LINUX_VERSION_CODE >= KERNEL_VERSION(6, 3, 0)
	vm_flags_mod(vma, set, clear);
#else
	vma->vm_flags = (vma->vm_flags | set) & ~clear;
#endif
}

/* 6.3: perf_event_attr.config3; before, the perf core rejects a nonzero value */
#if LINUX_VERSION_CODE >= KERNEL_VERSION(6, 3, 0)
#define GPUOA_PERF_CONFIG3(attr_) ((attr_)->config3)
#else
#define GPUOA_PERF_CONFIG3(attr_) 0
#endif

/* 6.19: perf_event_attr.config4; before, as config3 */
#if LINUX_VERSION_CODE >= KERNEL_VERSION(6, 19, 0)
#define GPUOA_PERF_CONFIG4(attr_) ((attr_)->config4)
#else
#define GPUOA_PERF_CONFIG4(attr_) 0
#endif

/* 6.12: perf_pmu_unregister() accepts a PMU without a device; see gpuoa_perf_del_device() */
static inline void gpuoa_compat_pmu_del_device(struct pmu *pmu)
{
#if LINUX_VERSION_CODE >= KERNEL_VERSION(6, 12, 0)
	if (pmu->dev) {
		device_del(pmu->dev);
		put_device(pmu->dev);
		pmu->dev = NULL;
	}
#endif
}

/*
 * 6.5: a PMU can have a parent. Not used before 6.12, where the PMU's device can outlive the GPU's.
 */
static inline void gpuoa_compat_pmu_set_parent(struct pmu *pmu, struct device *parent)
{
#if LINUX_VERSION_CODE >= KERNEL_VERSION(6, 12, 0)
	pmu->parent = parent;
#endif
}

/*
 * See gpuoa_perf_pmu_in_use(). Before 6.2, each PMU has its own contexts. Since 6.2 it has a part
 * of each context. Since 6.15 events hold references to that part, so it outlives
 * perf_pmu_unregister(), but the perf core still follows its pointer to the PMU.
 */
static inline bool gpuoa_compat_pmu_in_use(const struct pmu *pmu)
{
	int cpu;

	for_each_possible_cpu(cpu) {
#if LINUX_VERSION_CODE >= KERNEL_VERSION(6, 15, 0)
		if (atomic_read(&(*per_cpu_ptr(pmu->cpu_pmu_context, cpu))->epc.refcount) > 1)
			return true;
#elif LINUX_VERSION_CODE >= KERNEL_VERSION(6, 2, 0)
		if (READ_ONCE(per_cpu_ptr(pmu->cpu_pmu_context, cpu)->epc.ctx))
			return true;
#else
		if (refcount_read(&per_cpu_ptr(pmu->pmu_cpu_context, cpu)->ctx.refcount) > 1)
			return true;
#endif
	}
	return false;
}

#endif /* _GPUOA_COMPAT_H */
