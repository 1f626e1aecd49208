// SPDX-License-Identifier: MIT
/* device.c - list of the GPUs of this machine */
#include "base/sized.h"
#include "device/scan.h"

int gpuoa_device_list(struct gpuoa_device_desc *devices, size_t size, size_t max)
{
	struct scan scan;
	const int err = scan_devices("", &scan);
	const int count = (int)scan.count;

	for (size_t i = 0; !err && i < scan.count && i < max; i++)
		sized_give((char *)devices + i * size, size, &scan.devices[i],
			   sizeof(scan.devices[i]));
	scan_free(&scan);
	return err ? err : count;
}
