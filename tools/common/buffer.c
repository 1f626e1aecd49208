// SPDX-License-Identifier: MIT
/*
 * buffer.c - growable text buffer
 */
#include <stdio.h>
#include <stdlib.h>

#include "common/buffer.h"

#define ROOM 4096 /* initial size, in bytes */

void buffer_grow(struct buffer *buffer, size_t size)
{
	size_t room = buffer->room ? 2 * buffer->room : ROOM;

	while (room - buffer->size < size)
		room *= 2;
	buffer->text = realloc(buffer->text, room);
	if (!buffer->text) {
		fputs("gpuoa: out of memory\n", stderr);
		exit(1);
	}
	buffer->room = room;
}

void buffer_free(struct buffer *buffer)
{
	free(buffer->text);
	*buffer = (struct buffer){ 0 };
}

void buffer_double(struct buffer *buffer, double real)
{
	char text[32];

	buffer_write(buffer, text, (size_t)snprintf(text, sizeof(text), "%.12g", real));
}
