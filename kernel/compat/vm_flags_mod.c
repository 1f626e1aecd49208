// SPDX-License-Identifier: GPL-2.0-only
/* 6.3: functions change the flags of a mapping */
#include <linux/mm.h>

void probe(struct vm_area_struct *vma)
{
	vm_flags_mod(vma, VM_DONTCOPY, VM_MAYWRITE);
}
