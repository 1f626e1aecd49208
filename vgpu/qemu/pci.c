// SPDX-License-Identifier: MIT
/*
 * pci.c - the PCI device, and the protocol of QEMU's x-pci-proxy-dev.
 */
#include <errno.h>
#include <sys/socket.h>
#include <unistd.h>

#include "engine.h"
#include "memory.h"
#include "mmio.h"
#include "pci.h"
#include "vgpu.h"
#include "vgpu/model/platforms.h"

/*
 * The first BAR has the registers, followed by the global page table; the second one, the aperture,
 * maps the first part of the global address space, or shows stolen or local memory. Both have
 * 32-bit addresses because QEMU only passes those.
 *
 * The second BAR of a discrete GPU shows all of its local memory. It has a 64-bit address, since
 * the guest has no room for it below 4 GiB. QEMU would decode only half of the address, so the BAR
 * is hidden while QEMU looks for BARs, which it does before the first reset. The guest then sees a
 * BAR that QEMU does not decode, and that another device's BAR covers (memory.c).
 *
 * Interrupts are MSIs, the only kind that this process can send to a guest without KVM: a write to
 * the address of the interrupt controller, by QEMU's test protocol.
 */
#define PCI_VENDOR 0x00
#define PCI_DEVICE 0x02
#define PCI_COMMAND 0x04
#define PCI_COMMAND_MEMORY 2
#define PCI_COMMAND_WRITABLE 0x0407 /* enables of I/O, memory, bus master; INTx disable */
#define PCI_STATUS 0x06
#define PCI_STATUS_CAPABILITIES 0x10
#define PCI_REVISION 0x08
#define PCI_CLASS_BASE 0x0b
#define PCI_CLASS_DISPLAY 3
#define PCI_BAR0 0x10
#define PCI_BAR2 0x18
#define PCI_BAR_64_BIT 4
#define PCI_BAR_PREFETCHABLE 8
#define PCI_SUBSYSTEM_VENDOR 0x2c
#define PCI_SUBSYSTEM 0x2e
#define PCI_CAPABILITIES 0x34
#define PCI_INTERRUPT_LINE 0x3c
#define PCI_INTERRUPT_PIN 0x3d
#define PCI_GMCH 0x50
#define PCI_MSI 0x90
#define PCI_MSI_ID 5
#define PCI_MSI_CONTROL (PCI_MSI + 2)
#define PCI_MSI_ENABLE 1
#define PCI_MSI_ADDRESS (PCI_MSI + 4)
#define PCI_MSI_DATA (PCI_MSI + 8)
#define PCI_PM 0xd0
#define PCI_PM_ID 1
#define PCI_PM_VERSION 3
#define PCI_PM_CONTROL (PCI_PM + 4)
#define PCI_PM_STATE 3
#define PCI_PM_NO_SOFT_RESET 8

static void put(u8 *space, u32 at, unsigned int size, u32 value)
{
	memcpy(space + at, &value, size);
}

static u32 get(const u8 *space, u32 at, unsigned int size)
{
	u32 value = 0;

	memcpy(&value, space + at, size);

	return value;
}

/* Get the size of the second BAR. */
static u64 bar2_size(const struct vgpu *vgpu)
{
	return vgpu->platform->vram ?: VGPU_APERTURE_SIZE;
}

/* Show the second BAR in the configuration space. */
static void show_bar2(struct vgpu *vgpu)
{
	u8 *space = vgpu->pci.space, *writable = vgpu->pci.writable;
	u64 mask = ~(bar2_size(vgpu) - 1);

	put(space, PCI_BAR2, 4, PCI_BAR_PREFETCHABLE);
	put(writable, PCI_BAR2, 4, lower_32_bits(mask));
	if (!vgpu->platform->discrete)
		return;
	put(space, PCI_BAR2, 4, PCI_BAR_PREFETCHABLE | PCI_BAR_64_BIT);
	put(writable, PCI_BAR2 + 4, 4, upper_32_bits(mask));
}

/*
 * Add the capability for power management. In D3hot, the GPU keeps its state and still answers;
 * drivers must not rely on the latter.
 */
static void add_power_management(struct vgpu *vgpu)
{
	u8 *space = vgpu->pci.space;

	put(space, PCI_MSI + 1, 1, PCI_PM);
	put(space, PCI_PM, 1, PCI_PM_ID);
	put(space, PCI_PM + 2, 2, PCI_PM_VERSION);
	put(space, PCI_PM_CONTROL, 2, PCI_PM_NO_SOFT_RESET);
	put(vgpu->pci.writable, PCI_PM_CONTROL, 2, PCI_PM_STATE);
}

/**
 * vgpu_pci_init() - Initialize the configuration space.
 * @vgpu: the GPU, with its device model
 */
void vgpu_pci_init(struct vgpu *vgpu)
{
	const struct gpuoa_unit_desc *desc = &vgpu->gpu.platform->desc;
	u8 *space = vgpu->pci.space, *writable = vgpu->pci.writable;

	put(space, PCI_VENDOR, 2, 0x8086);
	put(space, PCI_DEVICE, 2, desc->device_id);
	put(space, PCI_STATUS, 2, PCI_STATUS_CAPABILITIES);
	put(space, PCI_REVISION, 1, desc->revision);
	put(space, PCI_CLASS_BASE, 1, PCI_CLASS_DISPLAY);
	put(space, PCI_SUBSYSTEM_VENDOR, 2, 0x8086);
	put(space, PCI_SUBSYSTEM, 2, 0x2010);
	put(space, PCI_CAPABILITIES, 1, PCI_MSI);
	put(space, PCI_INTERRUPT_PIN, 1, 1);
	put(space, PCI_GMCH, 2, vgpu->platform->gmch);
	put(space, PCI_MSI, 1, PCI_MSI_ID);

	put(writable, PCI_COMMAND, 2, PCI_COMMAND_WRITABLE);
	put(writable, PCI_BAR0, 4, ~(vgpu->platform->bar0 - 1));
	if (!vgpu->platform->discrete)
		show_bar2(vgpu);
	put(writable, PCI_INTERRUPT_LINE, 1, 0xff);
	put(writable, PCI_MSI_CONTROL, 2, PCI_MSI_ENABLE);
	put(writable, PCI_MSI_ADDRESS, 4, ~3U);
	put(writable, PCI_MSI_DATA, 2, 0xffff);
	/* i915 suspends GPUs without this capability; igt's tests of xe require it. */
	if (vgpu->platform->version >= 2000)
		add_power_management(vgpu);
}

/**
 * vgpu_pci_reset() - Handle a bus reset.
 * @vgpu: the GPU
 */
static void vgpu_pci_reset(struct vgpu *vgpu)
{
	put(vgpu->pci.space, PCI_COMMAND, 2, 0);
	put(vgpu->pci.space, PCI_MSI_CONTROL, 2, 0);
	put(vgpu->pci.space, PCI_PM_CONTROL, 2,
	    get(vgpu->pci.space, PCI_PM_CONTROL, 2) & ~PCI_PM_STATE);
	if (vgpu->platform->discrete)
		show_bar2(vgpu);
}

/**
 * vgpu_pci_read() - Read the configuration space.
 * @vgpu: the GPU
 * @at: offset
 * @size: size in bytes
 *
 * Return: the value
 */
static u32 vgpu_pci_read(struct vgpu *vgpu, u32 at, unsigned int size)
{
	return at + size <= VGPU_CONFIG_SIZE ? get(vgpu->pci.space, at, min(size, 4U)) : 0;
}

/**
 * vgpu_pci_write() - Write the configuration space.
 * @vgpu: the GPU
 * @at: offset
 * @size: size in bytes
 * @value: the value
 */
static void vgpu_pci_write(struct vgpu *vgpu, u32 at, unsigned int size, u32 value)
{
	u32 writable, before;

	if (at + size > VGPU_CONFIG_SIZE || size > 4)
		return;
	writable = get(vgpu->pci.writable, at, size);
	before = get(vgpu->pci.space, at, size);
	put(vgpu->pci.space, at, size, (before & ~writable) | (value & writable));
}

/**
 * vgpu_pci_interrupt() - Send an MSI if the guest has enabled it.
 * @vgpu: the GPU
 */
void vgpu_pci_interrupt(struct vgpu *vgpu)
{
	const u8 *space = vgpu->pci.space;

	if (!(get(space, PCI_MSI_CONTROL, 2) & PCI_MSI_ENABLE))
		return;
	vgpu->pci.n_messages++;
	if (dprintf(vgpu->pci.messages, "writel %#x %#x\n", get(space, PCI_MSI_ADDRESS, 4),
		    get(space, PCI_MSI_DATA, 2)) < 0)
		vgpu_log(vgpu, "an interrupt was lost\n");
}

static u32 bar(const struct vgpu *vgpu, u32 at)
{
	return get(vgpu->pci.space, at, 4) & ~15U;
}

static u64 bar2(const struct vgpu *vgpu)
{
	u64 high = vgpu->platform->discrete ? get(vgpu->pci.space, PCI_BAR2 + 4, 4) : 0;

	return high << 32 | bar(vgpu, PCI_BAR2);
}

/*
 * Have the second BAR of a discrete GPU decoded at its present address. The driver accesses
 * registers before local memory, and after the guest has assigned the addresses of all BARs.
 */
static void decode_bar2(struct vgpu *vgpu)
{
	u64 address = bar2(vgpu);

	if (vgpu->platform->discrete && address &&
	    get(vgpu->pci.space, PCI_COMMAND, 2) & PCI_COMMAND_MEMORY)
		vgpu_vram_decode(vgpu, address);
}

static u32 registers_size(const struct vgpu *vgpu)
{
	return min((u32)VGPU_MMIO_SIZE, vgpu->platform->gtt);
}

/* Read registers. A register has 32 bits, so a read of another size is composed of such reads. */
static u64 registers_read(struct vgpu *vgpu, u32 reg, unsigned int size)
{
	vgpu->statistics.reads++;
	decode_bar2(vgpu);
	if (size == sizeof(u64))
		return vgpu_mmio_read(vgpu, reg) | (u64)vgpu_mmio_read(vgpu, reg + 4) << 32;

	return vgpu_mmio_read(vgpu, reg & ~3U) >> 8 * (reg & 3);
}

static void registers_write(struct vgpu *vgpu, u32 reg, unsigned int size, u64 value)
{
	vgpu->statistics.writes++;
	decode_bar2(vgpu);
	if (size < sizeof(u32)) {
		memcpy((u8 *)vgpu->reg + reg, &value, size);
		return;
	}
	vgpu_mmio_write(vgpu, reg, lower_32_bits(value));
	if (size == sizeof(u64))
		vgpu_mmio_write(vgpu, reg + 4, upper_32_bits(value));
}

/* Get the address of an entry of the global page table, or NULL. */
static u8 *gtt_entry(struct vgpu *vgpu, u64 offset, unsigned int size)
{
	if (offset < vgpu->platform->gtt || offset + size > vgpu->platform->bar0)
		return NULL;
	vgpu_ggtt_bar_missed(vgpu, bar(vgpu, PCI_BAR0) + vgpu->platform->gtt);

	return vgpu->gtt + (offset - vgpu->platform->gtt);
}

static u8 *aperture_at(struct vgpu *vgpu, u64 address)
{
	u64 offset = address - bar2(vgpu);
	u32 *dword;

	vgpu->statistics.aperture++;
	if (offset >= bar2_size(vgpu))
		return NULL;
	if (vgpu->platform->vram) {
		vgpu_vram_missed(vgpu, bar2(vgpu));
		return vgpu_vram_at(vgpu, offset, sizeof(u64));
	}
	dword = vgpu_ggtt(vgpu, offset);

	return dword ? (u8 *)dword + offset % 4 : NULL;
}

/**
 * vgpu_bar_read() - Handle a read from a BAR.
 * @vgpu: the GPU
 * @address: guest physical address
 * @size: size in bytes, 1 to 8
 *
 * Return: the value
 */
static u64 vgpu_bar_read(struct vgpu *vgpu, u64 address, unsigned int size)
{
	u64 offset = address - bar(vgpu, PCI_BAR0), value = 0;
	const u8 *from;

	if (offset < registers_size(vgpu))
		return registers_read(vgpu, offset, size);
	if (offset < vgpu->platform->bar0) {
		vgpu->statistics.gtt_reads++;
		from = gtt_entry(vgpu, offset, size);
	} else {
		from = aperture_at(vgpu, address);
	}
	if (from)
		memcpy(&value, from, size);

	return value;
}

/**
 * vgpu_bar_write() - Handle a write to a BAR.
 * @vgpu: the GPU
 * @address: guest physical address
 * @size: size in bytes, 1 to 8
 * @value: the value
 */
static void vgpu_bar_write(struct vgpu *vgpu, u64 address, unsigned int size, u64 value)
{
	u64 offset = address - bar(vgpu, PCI_BAR0);
	u8 *to;

	if (offset < registers_size(vgpu)) {
		registers_write(vgpu, offset, size, value);
		return;
	}
	if (offset < vgpu->platform->bar0) {
		vgpu->statistics.gtt_writes++;
		to = gtt_entry(vgpu, offset, size);
	} else {
		to = aperture_at(vgpu, address);
	}
	if (to)
		memcpy(to, &value, size);
}

/* Message numbers of hw/remote/mpqemu-link.h in QEMU 7.2 */
enum proxy_command {
	PROXY_MEMORY,
	PROXY_REPLY,
	PROXY_CONFIG_WRITE,
	PROXY_CONFIG_READ,
	PROXY_BAR_WRITE,
	PROXY_BAR_READ,
	PROXY_INTERRUPT,
	PROXY_RESET,
};

#define PROXY_MAX_FDS 8

struct proxy_header {
	s32 command;
	u32 pad;
	u64 size;
};

struct proxy_message {
	struct proxy_header header;
	union {
		u64 value;
		struct {
			u32 at;
			u32 value;
			s32 size;
		} config;
		struct {
			u64 address[PROXY_MAX_FDS];
			u64 size[PROXY_MAX_FDS];
			s64 offset[PROXY_MAX_FDS];
		} memory;
		struct {
			u64 address;
			u64 value;
			u32 size;
			u8 memory;
		} bar;
	};
};

/**
 * struct proxy_fds - files attached to a message
 * @fd: file descriptors
 * @n: number of files
 */
struct proxy_fds {
	int fd[PROXY_MAX_FDS];
	unsigned int n;
};

/* Read exactly @size bytes. */
static int proxy_read(int socket, void *to, u64 size)
{
	ssize_t got;

	for (; size; to = (char *)to + got, size -= got) {
		got = read(socket, to, size);
		if (got < 0 && errno == EINTR)
			got = 0;
		else if (got <= 0)
			return -EPIPE;
	}

	return 0;
}

static void take_fds(struct msghdr *msg, struct proxy_fds *fds)
{
	struct cmsghdr *control = CMSG_FIRSTHDR(msg);

	for (; control; control = CMSG_NXTHDR(msg, control)) {
		if (control->cmsg_type != SCM_RIGHTS)
			continue;
		fds->n = (control->cmsg_len - CMSG_LEN(0)) / sizeof(int);
		memcpy(fds->fd, CMSG_DATA(control), fds->n * sizeof(int));
	}
}

static int proxy_receive(int socket, struct proxy_message *message, struct proxy_fds *fds)
{
	char control[CMSG_SPACE(sizeof(fds->fd))];
	struct iovec io = { &message->header, sizeof(message->header) };
	struct msghdr msg = {
		.msg_iov = &io,
		.msg_iovlen = 1,
		.msg_control = control,
		.msg_controllen = sizeof(control),
	};
	ssize_t got;
	int ret;

	do
		got = recvmsg(socket, &msg, 0);
	while (got < 0 && errno == EINTR);
	if (got <= 0)
		return -EPIPE;
	take_fds(&msg, fds);
	ret = proxy_read(socket, (char *)&message->header + got, sizeof(message->header) - got);
	if (!ret && message->header.size > sizeof(*message) - sizeof(message->header))
		ret = -EMSGSIZE;

	return ret ?: proxy_read(socket, &message->value, message->header.size);
}

static int proxy_reply(int socket, u64 value)
{
	struct proxy_message reply = {
		.header = { .command = PROXY_REPLY, .size = sizeof(u64) },
		.value = value,
	};
	const size_t size = sizeof(reply.header) + sizeof(u64);

	return write(socket, &reply, size) == (ssize_t)size ? 0 : -EPIPE;
}

static void close_fds(const struct proxy_fds *fds)
{
	unsigned int i;

	for (i = 0; i < fds->n; i++)
		close(fds->fd[i]);
}

static void sync_memory(struct vgpu *vgpu, const struct proxy_message *message,
			const struct proxy_fds *fds)
{
	unsigned int i;

	vgpu_memory_clear(vgpu);
	for (i = 0; i < fds->n; i++) {
		const struct vgpu_region region = {
			.address = message->memory.address[i],
			.size = message->memory.size[i],
			.offset = message->memory.offset[i],
			.fd = fds->fd[i],
		};

		vgpu_memory_add(vgpu, &region);
	}
}

/*
 * Execute the work that a write starts before replying: drivers have short timeouts after a
 * submission, and an emulated guest may be slow to check.
 */
static int bar_write(struct vgpu *vgpu, int socket, const struct proxy_message *message)
{
	vgpu_bar_write(vgpu, message->bar.address, message->bar.size, message->bar.value);
	vgpu_power_update(vgpu);
	vgpu_engines_run(vgpu);
	vgpu_power_update(vgpu);

	return proxy_reply(socket, 0);
}

/**
 * vgpu_proxy_serve() - Receive a message and reply.
 * @vgpu: the GPU
 * @socket: connection to QEMU; blocks until a message arrives
 *
 * Return: 0, -EPIPE if QEMU has exited, -EMSGSIZE if a message is invalid
 */
int vgpu_proxy_serve(struct vgpu *vgpu, int socket)
{
	struct proxy_message message = {};
	struct proxy_fds fds = {};
	int ret = proxy_receive(socket, &message, &fds);

	if (ret)
		return ret;
	switch (message.header.command) {
	case PROXY_MEMORY:
		sync_memory(vgpu, &message, &fds);
		return 0;
	case PROXY_CONFIG_WRITE:
		vgpu_pci_write(vgpu, message.config.at, message.config.size, message.config.value);
		return proxy_reply(socket, 0);
	case PROXY_CONFIG_READ:
		return proxy_reply(socket,
				   vgpu_pci_read(vgpu, message.config.at, message.config.size));
	case PROXY_BAR_WRITE:
		return bar_write(vgpu, socket, &message);
	case PROXY_BAR_READ:
		return proxy_reply(socket,
				   vgpu_bar_read(vgpu, message.bar.address, message.bar.size));
	case PROXY_RESET:
		vgpu_pci_reset(vgpu);
		return proxy_reply(socket, 0);
	case PROXY_INTERRUPT:
		close_fds(&fds);
		return 0;
	default:
		close_fds(&fds);
		vgpu_log(vgpu, "QEMU sent message %d\n", message.header.command);
		return 0;
	}
}
