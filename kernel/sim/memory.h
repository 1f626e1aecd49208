/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * memory.h - memory, as the GPU reads and writes it.
 */
#ifndef _SIM_MEMORY_H
#define _SIM_MEMORY_H

#include <linux/types.h>

struct sim_vm;

int sim_vm_read(struct sim_vm *vm, u64 address, u32 *value);
int sim_vm_write(struct sim_vm *vm, u64 address, u32 value);
int sim_vm_write_qword(struct sim_vm *vm, u64 address, u64 value);

#endif /* _SIM_MEMORY_H */
