/* SPDX-License-Identifier: MIT */
/*
 * control.h - the control interface: a socket on which the host asks and switches.
 */
#ifndef VGPU_CONTROL_H
#define VGPU_CONTROL_H

#include <stddef.h>

struct vgpu;

#define VGPU_MAX_CLIENTS 4
#define VGPU_LINE 256

/**
 * struct vgpu_client - somebody who asks
 * @socket: connection, -1: none
 * @line: what has come of the next question
 * @n: bytes of it
 */
struct vgpu_client {
	int socket;
	char line[VGPU_LINE + 1];
	size_t n;
};

/**
 * struct vgpu_control - the control interface
 * @listener: -1: nobody asks
 * @clients: who has connected
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
