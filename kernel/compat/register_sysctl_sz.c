// SPDX-License-Identifier: GPL-2.0-only
/* 6.6: sysctl tables are registered with their size; from 6.11 on they have no sentinel */
#include <linux/sysctl.h>

struct ctl_table_header *probe(struct ctl_table *table)
{
	return register_sysctl_sz("dev", table, 1);
}
