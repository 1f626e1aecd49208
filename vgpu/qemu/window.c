// SPDX-License-Identifier: MIT
/*
 * window.c - lets the guest write the global page table as memory, without a message for each
 * entry.
 */
#include <errno.h>
#include <fcntl.h>
#include <sys/mman.h>
#include <unistd.h>

#include "vgpu.h"
#include "window.h"

/*
 * The table is a file in memory, which QEMU also shows as the BAR of a device of its own
 * (ivshmem). When entries begin to come as messages, that BAR is moved over the part of ours where
 * the table is: of two BARs at an address, QEMU shows the one that was mapped last. We do it by
 * QEMU's test protocol, which writes to the configuration space of the other device as the guest
 * could. The guest's kernel believes that BAR elsewhere, and has no driver for it. Should the guest
 * move either of them, entries come as messages again, and the window is moved after them.
 *
 * The configuration space is where firmware puts it on a q35. Elsewhere the writes lead nowhere,
 * and each entry remains a message.
 */
#define CONFIG_SPACE (0xb0000000U + (VGPU_WINDOW_SLOT << 15))
#define WINDOW_COMMAND (CONFIG_SPACE + 0x04)
#define WINDOW_BAR2 (CONFIG_SPACE + 0x18)
#define COMMAND_MEMORY 0x2

/* Messages before the window is moved, as an entry or two are not worth it */
#define PATIENCE 16

/**
 * vgpu_window_create - make a global page table that can be shared
 * @size: bytes
 *
 * Return: its file, or a negative errno
 */
int vgpu_window_create(u32 size)
{
	int fd = memfd_create("gpuoa-vgpu-gtt", 0), ret;

	if (fd < 0)
		return -errno;
	if (!ftruncate(fd, size))
		return fd;
	ret = -errno;
	close(fd);

	return ret;
}

/**
 * vgpu_window_open - see the global page table
 * @vgpu: the GPU
 * @fd: its file
 *
 * Return: 0 or a negative errno
 */
int vgpu_window_open(struct vgpu *vgpu, int fd)
{
	vgpu->gtt_size = vgpu->platform->bar0 - vgpu->platform->gtt;
	vgpu->gtt = mmap(NULL, vgpu->gtt_size, PROT_READ | PROT_WRITE, MAP_SHARED, fd, 0);

	return vgpu->gtt == MAP_FAILED ? -errno : 0;
}

/**
 * vgpu_window_missed - an entry of the table has been accessed by a message
 * @vgpu: the GPU
 * @address: of the table, in the guest
 */
void vgpu_window_missed(struct vgpu *vgpu, u32 address)
{
	if (++vgpu->gtt_messages % PATIENCE)
		return;
	if (dprintf(vgpu->pci.messages, "writel %#x %#x\nwritel %#x 0\nwritew %#x %#x\n",
		    WINDOW_BAR2, address, WINDOW_BAR2 + 4, WINDOW_COMMAND, COMMAND_MEMORY) < 0)
		vgpu_log(vgpu, "the window on the page table does not move\n");
}
