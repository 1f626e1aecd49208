// SPDX-License-Identifier: GPL-2.0-only
/*
 * memory.c - memory, as the GPU reads and writes it.
 */
#include "address_space.h"
#include "memory.h"

/**
 * sim_vm_read - read memory as the GPU does
 * @vm: the address space
 * @address: where, a multiple of 4
 * @value: gets the dword
 *
 * Return: 0, or -EFAULT: nothing is there
 */
int sim_vm_read(struct sim_vm *vm, u64 address, u32 *value)
{
	u32 *at;
	int ret;

	mutex_lock(&vm->lock);
	ret = sim_vm_dword(vm, address, &at);
	*value = at ? READ_ONCE(*at) : 0;
	mutex_unlock(&vm->lock);
	return ret;
}

static void store_dword(u32 *at, u64 value)
{
	/* A program that sees it sees all that was written before. */
	smp_store_release(at, (u32)value);
}

static void store_qword(u32 *at, u64 value)
{
	/* Likewise */
	smp_store_release((u64 *)at, value);
}

static int vm_write(struct sim_vm *vm, u64 address, void (*store)(u32 *at, u64 value), u64 value)
{
	u32 *at;
	int ret;

	mutex_lock(&vm->lock);
	ret = sim_vm_dword(vm, address, &at);
	if (at)
		store(at, value);
	mutex_unlock(&vm->lock);
	return ret;
}

/**
 * sim_vm_write - write memory as the GPU does
 * @vm: the address space
 * @address: where, a multiple of 4
 * @value: the dword
 *
 * Return: 0, or -EFAULT: nothing is there
 */
int sim_vm_write(struct sim_vm *vm, u64 address, u32 value)
{
	return vm_write(vm, address, store_dword, value);
}

/**
 * sim_vm_write_qword - write memory as the GPU does, 64 bits at once
 * @vm: the address space
 * @address: where, a multiple of 8
 * @value: the qword
 *
 * Return: 0, or -EFAULT: nothing is there
 */
int sim_vm_write_qword(struct sim_vm *vm, u64 address, u64 value)
{
	return vm_write(vm, address, store_qword, value);
}
