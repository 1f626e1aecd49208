/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * refuse.h - why a request was refused: users see an errno only, those who debug see the reason.
 */
#ifndef _GPUOA_REFUSE_H
#define _GPUOA_REFUSE_H

#include <linux/device.h>

/**
 * gpuoa_refuse - name the reason of an error
 * @dev: the unit's class device, or NULL
 * @err: negative errno
 * @why: the reason
 *
 * Return: @err
 */
static inline int gpuoa_refuse(const struct device *dev, int err, const char *why)
{
	dev_dbg(dev, "refused with %d: %s\n", err, why);

	return err;
}

#endif /* _GPUOA_REFUSE_H */
