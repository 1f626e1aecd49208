/* SPDX-License-Identifier: MIT */
/*
 * buffer.h - text in memory that grows
 *
 * Where there is no memory the program ends.
 */
#ifndef GPUOA_BUFFER_H
#define GPUOA_BUFFER_H

#include <stdint.h>
#include <string.h>

#include "number.h"

/* Zero is an empty one. */
struct buffer {
	char *text; /* without a '\0' at its end */
	size_t size;
	size_t room;
};

/* Room for @size more bytes, at the end. */
void buffer_grow(struct buffer *buffer, size_t size);
void buffer_free(struct buffer *buffer);

/* "%.12g" */
void buffer_double(struct buffer *buffer, double real);

static inline char *buffer_end(struct buffer *buffer, size_t size)
{
	if (buffer->room - buffer->size < size)
		buffer_grow(buffer, size);
	return buffer->text + buffer->size;
}

static inline void buffer_put(struct buffer *buffer, char c)
{
	*buffer_end(buffer, 1) = c;
	buffer->size++;
}

static inline void buffer_write(struct buffer *buffer, const char *text, size_t size)
{
	memcpy(buffer_end(buffer, size), text, size);
	buffer->size += size;
}

static inline void buffer_text(struct buffer *buffer, const char *text)
{
	buffer_write(buffer, text, strlen(text));
}

static inline void buffer_number(struct buffer *buffer, uint64_t number)
{
	buffer->size += number_write(buffer_end(buffer, NUMBER_TEXT), number);
}

/* "%.9g" */
static inline void buffer_float(struct buffer *buffer, float real)
{
	buffer->size += number_write_float(buffer_end(buffer, NUMBER_TEXT), real);
}

#endif /* GPUOA_BUFFER_H */
