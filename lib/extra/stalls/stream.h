/* SPDX-License-Identifier: MIT */
/* stream.h - internal interface to EU stall streams */
#ifndef GPUOA_LIB_EXTRA_STALLS_STREAM_H
#define GPUOA_LIB_EXTRA_STALLS_STREAM_H

#include "base/complaint.h"
#include "gpuoa-device.h"
#include "gpuoa-stalls.h"

/* The GPUs of a machine */
struct stall_machine {
	const struct gpuoa_device_desc *devices;
	size_t count;
};

/* Implement gpuoa_stall_check() and gpuoa_stall_open() on a machine. */
int stall_check_on(const struct stall_machine *machine, const char *device,
		   struct gpuoa_stall_desc *desc, size_t size, const struct complaint *complaint);
int stall_open_on(const struct stall_machine *machine, const char *device,
		  struct gpuoa_stall_options *options, struct gpuoa_stall_stream **stream,
		  const struct complaint *complaint);

#endif /* GPUOA_LIB_EXTRA_STALLS_STREAM_H */
