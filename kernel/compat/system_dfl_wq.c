// SPDX-License-Identifier: GPL-2.0-only
/* Since Linux 6.17, system_unbound_wq is called system_dfl_wq; 7.3 warns about the old name. */
#include <linux/workqueue.h>

struct workqueue_struct *probe(void)
{
	return system_dfl_wq;
}
