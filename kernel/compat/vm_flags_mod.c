// SPDX-License-Identifier: GPL-2.0-only
/* Since Linux 6.3, a driver changes the flags of a mapping by calling functions. */
#include <linux/mm.h>

void probe(struct vm_area_struct *vma)
{
	vm_flags_mod(vma, VM_DONTCOPY, VM_MAYWRITE);
}
