// SPDX-License-Identifier: GPL-2.0-only
/* Since Linux 6.5, DRM numbers its clients and shows the numbers in fdinfo. */
#include <drm/drm_file.h>

u64 probe(struct drm_file *drm, struct seq_file *seq, struct file *file)
{
	drm_show_fdinfo(seq, file);

	return drm->client_id;
}
