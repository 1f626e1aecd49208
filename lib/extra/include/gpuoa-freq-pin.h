/* SPDX-License-Identifier: MIT */
/*
 * gpuoa-freq-pin.h - pin the clock of a GPU during a measurement
 *
 * Part of libgpuoa-extra. Conventions are those of gpuoa.h.
 */
#ifndef GPUOA_FREQ_PIN_H
#define GPUOA_FREQ_PIN_H

#include "gpuoa.h"

#ifdef __cplusplus
extern "C" {
#endif

/* ---- frequency pins ------------------------------------------------------------------------- */

/**
 * struct gpuoa_freq_pin - Frequency pin of a GPU. Closing it restores the previous state.
 *
 * A pin affects all programs that use the GPU.
 *
 * If a process crashes, gpuoa.ko restores the clock where its provider can pin it
 * (GPUOA_FEATURE_FREQUENCY of drm/gpuoa_drm.h). Otherwise the clock is pinned by sysfs files of
 * i915 or xe, and stays pinned until some process calls gpuoa_freq_pin_clear() on the GPU, which
 * restores the full range of the hardware. On a GPU with several GTs, these files control the first
 * GT.
 */
struct gpuoa_freq_pin;

/** struct gpuoa_freq_pin_desc - Description of a frequency pin. */
struct gpuoa_freq_pin_desc {
	uint64_t min_hz; /* minimum frequency of the hardware, Hz; 0: unknown */
	uint64_t max_hz;
	/* frequency to which this handle has pinned the clock, Hz; 0: not pinned */
	uint64_t pinned_hz;
	/*
	 * Current frequency, Hz, which each call reads: the one that i915 or xe reports, or to
	 * which this handle has pinned the clock; 0: unknown, or the GPU is suspended.
	 */
	uint64_t current_hz;
	bool available; /* a driver of the GPU can pin the clock */
};

/**
 * gpuoa_freq_pin_open() - Open the frequency pin of a GPU, without setting it.
 * @device: PCI address, DRM node ("card0", "/dev/dri/renderD128"), or OA unit as for
 *   gpuoa_unit_open(); the GPU needs no OA unit. NULL: the first GPU of gpuoa_device_list()
 * @pin: result; close with gpuoa_freq_pin_close()
 *
 * Return: 0. -ENOENT: no such GPU. -ENODEV: no GPU on this machine. -EACCES: no permission to open
 * its unit. -ENOMEM: out of memory.
 */
GPUOA_API int gpuoa_freq_pin_open(const char *device, struct gpuoa_freq_pin **pin, char *error,
				  size_t error_size);

/** gpuoa_freq_pin_close() - Undo the pin set by this handle, and close it. */
GPUOA_API void gpuoa_freq_pin_close(struct gpuoa_freq_pin *pin);

/** gpuoa_freq_pin_describe() - Describe a frequency pin. @size is sizeof(*desc). */
GPUOA_API void gpuoa_freq_pin_describe(const struct gpuoa_freq_pin *pin,
				       struct gpuoa_freq_pin_desc *desc, size_t size);

/**
 * gpuoa_freq_pin_set() - Pin the frequency.
 * @hz: in: frequency of the GPU's clock, Hz; 0: the maximum. Out: the nearest frequency of the
 *   hardware
 *
 * Return: 0, or:
 * -EOPNOTSUPP: no driver of this GPU supports it
 * -ERANGE: the frequency is out of the hardware's range
 * -EPERM: CAP_SYS_ADMIN is needed, or root for the driver's files
 * -EBUSY: another handle has set it
 * -ENODEV: the GPU was removed
 */
GPUOA_API int gpuoa_freq_pin_set(struct gpuoa_freq_pin *pin, uint64_t *hz, char *error,
				 size_t error_size);

/**
 * gpuoa_freq_pin_clear() - Undo gpuoa_freq_pin_set().
 *
 * If this handle has set nothing and the clock is pinned by sysfs files, the full range of the
 * hardware is restored.
 *
 * Return: as gpuoa_freq_pin_set().
 */
GPUOA_API int gpuoa_freq_pin_clear(struct gpuoa_freq_pin *pin, char *error, size_t error_size);

#ifdef __cplusplus
}
#endif

#endif /* GPUOA_FREQ_PIN_H */
