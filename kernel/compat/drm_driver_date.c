// SPDX-License-Identifier: GPL-2.0-only
/* until 6.13: DRM drivers have a date, and DRM warns if it is missing */
#include <drm/drm_drv.h>

char *probe(struct drm_driver *driver)
{
	return driver->date;
}
