/* SPDX-License-Identifier: GPL-2.0-only */
/* refuse.h - debug messages with the reason of an error. */
#ifndef _GPUOA_REFUSE_H
#define _GPUOA_REFUSE_H

#include <linux/device.h>

/**
 * gpuoa_refuse() - Log the reason of an error.
 * @dev: class device of the unit, or NULL
 * @err: negative errno
 * @why: reason
 *
 * Return: @err
 */
static inline int gpuoa_refuse(const struct device *dev, int err, const char *why)
{
	dev_dbg(dev, "refused with %d: %s\n", err, why);

	return err;
}

#endif /* _GPUOA_REFUSE_H */
