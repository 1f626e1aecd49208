// SPDX-License-Identifier: GPL-2.0-only
/* 6.17: new name of system_unbound_wq; 7.3 warns about the old name */
#include <linux/workqueue.h>

struct workqueue_struct *probe(void)
{
	return system_dfl_wq;
}
