// SPDX-License-Identifier: GPL-2.0-only
/* Since Linux 6.2, devnode() takes a const struct device. */
#include <linux/device.h>

char *probe(struct class *class, const struct device *dev, umode_t *mode)
{
	char *(*devnode)(const struct device *dev, umode_t *mode) = class->devnode;

	return devnode(dev, mode);
}
