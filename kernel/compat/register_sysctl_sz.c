// SPDX-License-Identifier: GPL-2.0-only
/* Since Linux 6.6, a sysctl table is registered with its size; since 6.11 it has no sentinel. */
#include <linux/sysctl.h>

struct ctl_table_header *probe(struct ctl_table *table)
{
	return register_sysctl_sz("dev", table, 1);
}
