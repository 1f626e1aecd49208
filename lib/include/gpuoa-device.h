/* SPDX-License-Identifier: MIT */
/*
 * gpuoa-device.h - libgpuoa: the GPUs of this machine, and what this process may do with them
 *
 *   devices               GPUs, also those that cannot be measured, and why
 *   access                what keeps this process from measuring, before it tries
 *   overrides             what can be forced upon a GPU while it is measured: its clock
 *
 * The rules of gpuoa.h hold here, too.
 */
#ifndef GPUOA_DEVICE_H
#define GPUOA_DEVICE_H

#include "gpuoa.h"

#ifdef __cplusplus
extern "C" {
#endif

/* ---- devices -------------------------------------------------------------------------------- */

/** Can a GPU be measured, and if not, why? */
enum gpuoa_device_state {
	GPUOA_DEVICE_READY, /* it has OA units, and metrics for them */
	GPUOA_DEVICE_NO_METRICS, /* it has OA units, and the library has no metrics of its own for
				    them: gpuoa_definitions_load() may bring some */
	GPUOA_DEVICE_NO_HOST, /* its driver does not offer its OA units to gpuoa.ko */
	GPUOA_DEVICE_NO_MODULE, /* gpuoa.ko is not loaded */
	GPUOA_DEVICE_NO_DRIVER, /* no driver has it, or one that is not for graphics */
	GPUOA_DEVICE_UNKNOWN, /* neither gpuoa.ko nor the library knows such a GPU */
};

enum gpuoa_device_type {
	GPUOA_DEVICE_TYPE_UNKNOWN,
	GPUOA_DEVICE_INTEGRATED,
	GPUOA_DEVICE_DISCRETE,
};

#define GPUOA_DEVICE_UNITS 16

/** A GPU of this machine. Strings are "" where there is nothing to say. */
struct gpuoa_device_desc {
	char name[64]; /* PCI address, "0000:00:02.0", or platform device, "gpuoa_sim.0"; as
			  gpuoa_unit_desc.parent */
	uint32_t vendor_id; /* PCI ids; all 0 of a device that is not PCI's */
	uint32_t device_id;
	uint32_t subvendor_id;
	uint32_t subdevice_id;
	uint32_t revision;
	char driver[32]; /* "i915", "xe", "gpuoa_sim"; "": none has it */
	char card[32]; /* DRM nodes: "/dev/dri/card0"; "": it has none */
	uint32_t card_major;
	uint32_t card_minor;
	char render[32]; /* "/dev/dri/renderD128" */
	uint32_t render_major;
	uint32_t render_minor;
	char platform[16]; /* as in the metric definitions: "tglgt2" */
	char title[64]; /* "Tiger Lake GT2" */
	enum gpuoa_device_type type;
	uint32_t tile_count;
	uint32_t unit_count;
	char units[GPUOA_DEVICE_UNITS][16]; /* names for gpuoa_unit_open() */
	enum gpuoa_device_state state;
	char reason[160]; /* why it is not GPUOA_DEVICE_READY, and what would help */
};

/**
 * The GPUs of this machine: Intel's display devices on PCI, in the order of their addresses, then
 * other devices that have OA units. Other vendors' GPUs are not listed. No right is needed, nor
 * gpuoa.ko.
 *
 * @devices: room for @max structs; NULL with @max 0 to ask for the number only
 * @size: sizeof(*devices)
 *
 * Returns the number of GPUs, which may be more than @max, or -ENOMEM.
 */
GPUOA_API int gpuoa_device_list(struct gpuoa_device_desc *devices, size_t size, size_t max);

/* ---- access --------------------------------------------------------------------------------- */

/** What sampling depends on. */
enum gpuoa_access_topic {
	GPUOA_ACCESS_MODULE, /* gpuoa.ko is loaded */
	GPUOA_ACCESS_HOST, /* a driver has given a GPU to it */
	GPUOA_ACCESS_NODE, /* /dev/gpuoa<N>, or a DRM node of i915 or xe, can be opened */
	GPUOA_ACCESS_LOCKDOWN, /* of the kernel: unsigned modules */
	GPUOA_ACCESS_CAPABILITY, /* CAP_PERFMON */
	GPUOA_ACCESS_PARANOID, /* sysctl dev.gpuoa.paranoid, dev.i915.perf_stream_paranoid
				  or dev.xe.observation_paranoid */
	GPUOA_ACCESS_PERF_PARANOID, /* sysctl kernel.perf_event_paranoid */
	GPUOA_ACCESS_PERF, /* perf_event_open(2) as such: seccomp, security modules */
	GPUOA_ACCESS_SAMPLE_RATE, /* sysctl dev.gpuoa.max_sample_rate, or
				     dev.i915.oa_max_sample_rate */
	GPUOA_ACCESS_MEMORY, /* how much memory may be locked */
	GPUOA_ACCESS_I915, /* i915-perf, which does for GPUs that gpuoa.ko does not serve */
	GPUOA_ACCESS_XE, /* xe's observation, likewise */
	GPUOA_ACCESS_GPU, /* an Intel GPU on the PCI bus, and a driver for it */
};

/** How it stands. */
enum gpuoa_access_verdict {
	GPUOA_ACCESS_GRANTED,
	GPUOA_ACCESS_LIMITED, /* sampling works, but not all of it */
	GPUOA_ACCESS_DENIED, /* nothing can be sampled */
};

/** One thing that sampling depends on. */
struct gpuoa_access {
	enum gpuoa_access_topic topic;
	enum gpuoa_access_verdict verdict;
	char found[192]; /* how it is: "kernel.perf_event_paranoid is 3: ..." */
	char remedy[320]; /* how to get what lacks, as an administrator; "" if nothing does */
};

/**
 * What keeps this process from sampling a unit? Nothing is changed, and the unit is not acquired.
 * The kernel decides when a stream is opened; what it asks then is looked at here, one by one, with
 * the capabilities of the calling thread.
 *
 * @unit: as gpuoa_unit_open(); NULL: the first one. Without any unit, what can be said is
 * @access: room for @max structs; NULL with @max 0 to ask for the number only
 * @size: sizeof(*access)
 *
 * Returns how many things were looked at, which may be more than @max, in the order in which they
 * have to be put right. Nothing that is GPUOA_ACCESS_DENIED: a stream at the usual period can be
 * opened, if its set's configuration is known to the kernel or may be added (see
 * GPUOA_ACCESS_CAPABILITY). This is about streams of all that the GPU does; what a process may
 * always have is told by GPUOA_UNIT_OWN_REPORTS. -ENOENT: there is no such unit.
 */
GPUOA_API int gpuoa_check_access(const char *unit, struct gpuoa_access *access, size_t size,
				 size_t max);

/** Name of a topic ("perf_paranoid"), NULL beyond the last one. */
GPUOA_API const char *gpuoa_access_topic_name(enum gpuoa_access_topic topic);

/* ---- overrides ------------------------------------------------------------------------------ */

/**
 * Overrides of one GPU. They belong to this handle: what it has set is restored when it is closed.
 * All programs that use the GPU feel them.
 *
 * A process that crashes leaves nothing behind where the host in gpuoa.ko has the clock
 * (GPUOA_FEATURE_FREQUENCY of drm/gpuoa_drm.h), for the kernel closes its files. Where there is no
 * such host, and i915 or xe are told by their files in sysfs, the clock stays pinned then until
 * somebody opens the GPU's overrides and calls gpuoa_override_clear(), which gives the driver back
 * the whole range of the hardware. On a GPU with several GTs these files are those of the first.
 */
struct gpuoa_overrides;

/** An override. Strings are static. */
struct gpuoa_override_desc {
	const char *symbol; /* "FrequencyOverride" */
	const char *description;
	const char *units; /* of measure: "hz" */
	uint64_t min; /* 0: not known */
	uint64_t max;
	uint64_t value; /* that this handle has set; 0: none */
	bool available; /* some driver can do it */
	uint64_t current; /* how it is now, at each call: the clock, as i915 or xe shows it, or as
			     this handle has pinned it; 0: not known, or the GPU sleeps */
};

/**
 * Open the overrides of a GPU. Nothing is set yet.
 *
 * @device: PCI address, DRM node ("card0", "/dev/dri/renderD128") or OA unit, as gpuoa_unit_open();
 * a GPU needs no unit for this. NULL: the first of gpuoa_device_list()
 *
 * -ENOENT: no such GPU. -ENODEV: no GPU at all. -EACCES: its unit cannot be opened. -ENOMEM.
 */
GPUOA_API int gpuoa_overrides_open(const char *device, struct gpuoa_overrides **overrides,
				   char *error, size_t error_size);

/** Restore what was set. */
GPUOA_API void gpuoa_overrides_close(struct gpuoa_overrides *overrides);

/** Describe override @index, from 0 on. @size is sizeof(*desc). -ERANGE beyond the last one. */
GPUOA_API int gpuoa_override_describe(const struct gpuoa_overrides *overrides, size_t index,
				      struct gpuoa_override_desc *desc, size_t size);

/**
 * Set an override.
 *
 * @symbol: "FrequencyOverride"
 * @value: in: the clock, Hz; 0: the fastest. Out: the nearest that the hardware has
 *
 * -ENOENT: no such override. -EOPNOTSUPP: no driver of this GPU can do it. -ERANGE: the hardware
 * has no such clock. -EPERM: it takes CAP_SYS_ADMIN, or root for the driver's files. -EBUSY:
 * another handle has set it. -ENODEV: the GPU is gone.
 */
GPUOA_API int gpuoa_override_set(struct gpuoa_overrides *overrides, const char *symbol,
				 uint64_t *value, char *error, size_t error_size);

/** Undo gpuoa_override_set(), with the same errors. If this handle has set nothing, a driver that
 * is told by files gets back the whole range of the hardware. */
GPUOA_API int gpuoa_override_clear(struct gpuoa_overrides *overrides, const char *symbol,
				   char *error, size_t error_size);

#ifdef __cplusplus
}
#endif

#endif /* GPUOA_DEVICE_H */
