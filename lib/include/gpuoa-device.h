/* SPDX-License-Identifier: MIT */
/*
 * gpuoa-device.h - GPUs of this machine, permission checks
 *
 *   devices      all GPUs, including those that cannot be measured, with the reason
 *   access       conditions that prevent this process from sampling, checked in advance
 *   pins         a fixed GPU clock while measuring
 *
 * Conventions are those of gpuoa.h.
 */
#ifndef GPUOA_DEVICE_H
#define GPUOA_DEVICE_H

#include "gpuoa.h"

#ifdef __cplusplus
extern "C" {
#endif

/* ---- devices -------------------------------------------------------------------------------- */

/** enum gpuoa_device_state - Whether a GPU can be measured, and the reason if not. */
enum gpuoa_device_state {
	GPUOA_DEVICE_READY, /* the GPU has OA units, and the library has metrics for them */
	/*
	 * The GPU has OA units, but the library has no metrics for them. Load metrics with
	 * gpuoa_definitions_load().
	 */
	GPUOA_DEVICE_NO_METRICS,
	/* neither the GPU's driver nor gpuoa.ko provides OA units of the GPU */
	GPUOA_DEVICE_NO_UNITS,
	/* no driver is bound to the GPU, or a driver that is not a graphics driver */
	GPUOA_DEVICE_NO_DRIVER,
	/*
	 * the GPU has no OA units, and the library does not know the GPU or has no metrics for it
	 */
	GPUOA_DEVICE_UNKNOWN,
};

enum gpuoa_device_type {
	GPUOA_DEVICE_TYPE_UNKNOWN,
	GPUOA_DEVICE_INTEGRATED,
	GPUOA_DEVICE_DISCRETE,
};

#define GPUOA_DEVICE_UNITS 16

/** struct gpuoa_device_desc - Description of a GPU. Unknown strings are "". */
struct gpuoa_device_desc {
	/*
	 * Name of the device: PCI address, "0000:00:02.0", or platform device, "gpuoa_sim.0".
	 * gpuoa_unit_desc.parent has the same name.
	 */
	char name[64];
	/* PCI vendor id; this and the other PCI ids are 0 if it is not a PCI device */
	uint32_t vendor_id;
	uint32_t device_id;
	uint32_t subvendor_id;
	uint32_t subdevice_id;
	uint32_t revision;
	char driver[32]; /* bound driver, "i915", "xe" or "gpuoa_sim"; "" if none is bound */
	char card[32]; /* path of the DRM card node, "/dev/dri/card0"; "" if none */
	uint32_t card_major;
	uint32_t card_minor;
	char render[32]; /* "/dev/dri/renderD128"; "" if none */
	uint32_t render_major;
	uint32_t render_minor;
	char platform[16]; /* name of the platform in metric definitions: "tglgt2" */
	char title[64]; /* "Tiger Lake GT2" */
	enum gpuoa_device_type type;
	uint32_t tile_count;
	uint32_t unit_count;
	char units[GPUOA_DEVICE_UNITS][16]; /* names for gpuoa_unit_open() */
	enum gpuoa_device_state state;
	char reason[160]; /* if the state is not GPUOA_DEVICE_READY: the reason, and the remedy */
};

/**
 * gpuoa_device_list() - List the GPUs of this machine.
 * @devices: buffer for @max structs; NULL with @max 0 to query the number only
 * @size: sizeof(*devices)
 *
 * Lists Intel's display devices on PCI in the order of their addresses, then other devices with OA
 * units, but no GPUs of other vendors. Neither privileges nor gpuoa.ko are needed.
 *
 * Return: the number of GPUs, which may exceed @max. -ENOMEM: out of memory.
 */
GPUOA_API int gpuoa_device_list(struct gpuoa_device_desc *devices, size_t size, size_t max);

/* ---- access --------------------------------------------------------------------------------- */

/** enum gpuoa_access_topic - Conditions for sampling. */
enum gpuoa_access_topic {
	GPUOA_ACCESS_MODULE, /* gpuoa.ko is loaded */
	GPUOA_ACCESS_HOST, /* a driver has registered a GPU with gpuoa.ko */
	GPUOA_ACCESS_NODE, /* the process can open /dev/gpuoa<N>, or a DRM node of i915 or xe */
	GPUOA_ACCESS_LOCKDOWN, /* kernel lockdown: unsigned modules */
	GPUOA_ACCESS_CAPABILITY, /* CAP_PERFMON */
	GPUOA_ACCESS_PARANOID, /* sysctl dev.gpuoa.paranoid, dev.i915.perf_stream_paranoid
				  or dev.xe.observation_paranoid */
	GPUOA_ACCESS_PERF_PARANOID, /* sysctl kernel.perf_event_paranoid */
	GPUOA_ACCESS_PERF, /* perf_event_open(2): seccomp, security modules */
	GPUOA_ACCESS_SAMPLE_RATE, /* sysctl dev.gpuoa.max_sample_rate, or
				     dev.i915.oa_max_sample_rate */
	GPUOA_ACCESS_MEMORY, /* limit of locked memory */
	GPUOA_ACCESS_I915, /* i915-perf is available, for GPUs that gpuoa.ko does not serve */
	/* xe's observation interface is available, for GPUs that gpuoa.ko does not serve */
	GPUOA_ACCESS_XE,
	GPUOA_ACCESS_GPU, /* there is an Intel GPU on the PCI bus, and a driver is bound to it */
};

/** enum gpuoa_access_verdict - Result of checking a condition. */
enum gpuoa_access_verdict {
	GPUOA_ACCESS_GRANTED,
	GPUOA_ACCESS_LIMITED, /* sampling works with restrictions */
	GPUOA_ACCESS_DENIED, /* sampling is not possible */
};

/** struct gpuoa_access - One condition for sampling, and its state. */
struct gpuoa_access {
	enum gpuoa_access_topic topic;
	enum gpuoa_access_verdict verdict;
	/* description of the current state: "kernel.perf_event_paranoid is 3: ..." */
	char found[192];
	char remedy[320]; /* what an administrator can do about it; "" if nothing is needed */
};

/**
 * gpuoa_check_access() - Check whether this process can sample a unit, and if not, why.
 * @unit: name, as for gpuoa_unit_open(); NULL: the first unit. If there is none, general conditions
 *   are checked
 * @access: buffer for @max structs; NULL with @max 0 to query the number only
 * @size: sizeof(*access)
 *
 * Changes nothing, and does not acquire the unit. The kernel decides when a stream is opened; this
 * function checks the same conditions one by one, with the capabilities of the calling thread.
 *
 * If no condition is GPUOA_ACCESS_DENIED, a stream of the whole GPU at the default period can be
 * opened, provided that the kernel knows its set's configuration or it may be added
 * (GPUOA_ACCESS_CAPABILITY). Unprivileged streams of the process's contexts are covered by
 * GPUOA_UNIT_OWN_REPORTS instead.
 *
 * Return: the number of conditions checked, which may exceed @max, in the order in which to fix
 * them. -ENOENT: no such unit. -ENOMEM: out of memory.
 */
GPUOA_API int gpuoa_check_access(const char *unit, struct gpuoa_access *access, size_t size,
				 size_t max);

/**
 * gpuoa_access_topic_name() - Return the name of a condition ("perf_paranoid"), or NULL if unknown.
 */
GPUOA_API const char *gpuoa_access_topic_name(enum gpuoa_access_topic topic);

#ifdef __cplusplus
}
#endif

#endif /* GPUOA_DEVICE_H */
