// SPDX-License-Identifier: MIT
/*
 * proxy.c - QEMU's protocol for devices in other processes (x-pci-proxy-dev): takes a message, and
 * answers it.
 */
#include <errno.h>
#include <sys/socket.h>
#include <unistd.h>

#include "engines.h"
#include "pci.h"
#include "power.h"
#include "proxy.h"
#include "vgpu.h"

/* As hw/remote/mpqemu-link.h of QEMU 7.2 numbers them */
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
 * struct proxy_fds - files that came with a message
 * @fd: the files
 * @n: how many
 */
struct proxy_fds {
	int fd[PROXY_MAX_FDS];
	unsigned int n;
};

/* Read all of @size bytes. */
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
 * What a write starts is done before it is answered, as far as it can be: a driver that has
 * submitted work gives the GPU little time, and an emulated guest may be slow to look.
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
 * vgpu_proxy_serve - answer a message
 * @vgpu: the GPU
 * @socket: to QEMU; a message is there, or comes
 *
 * Return: 0; -EPIPE: QEMU is gone; -EMSGSIZE: it speaks another language
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
