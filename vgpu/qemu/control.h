/* SPDX-License-Identifier: MIT */
/*
 * control.h - the control interface: a socket for queries and settings from the host machine.
 */
#ifndef VGPU_CONTROL_H
#define VGPU_CONTROL_H

#include <stddef.h>

struct vgpu;

#define VGPU_MAX_CLIENTS 4
#define VGPU_LINE 256

/**
 * struct vgpu_client - a connection
 * @socket: socket of the connection, -1 if unused
 * @line: received part of the next query
 * @n: number of bytes in @line
 */
struct vgpu_client {
	int socket;
	char line[VGPU_LINE + 1];
	size_t n;
};

/**
 * struct vgpu_control - the control interface
 * @listener: listening socket, -1 if there is none
 * @clients: the connections
 */
struct vgpu_control {
	int listener;
	struct vgpu_client clients[VGPU_MAX_CLIENTS];
};

int vgpu_control_open(struct vgpu_control *control, const char *path);
void vgpu_control_accept(struct vgpu_control *control);
void vgpu_control_answer(struct vgpu *vgpu, struct vgpu_client *client);
int vgpu_control_ask(const char *path, char *const *words);

#endif /* VGPU_CONTROL_H */
