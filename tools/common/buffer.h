/* SPDX-License-Identifier: MIT */
/*
 * buffer.h - a text buffer that grows as needed
 *
 * The program exits if memory runs out.
 */
#ifndef GPUOA_BUFFER_H
#define GPUOA_BUFFER_H

#include <stdint.h>
#include <string.h>

#include "common/number.h"

/* A zeroed struct is an empty buffer. */
struct buffer {
	char *text; /* not terminated by '\0' */
	size_t size;
	size_t room;
};

/* Ensure room for @size more bytes. */
void buffer_grow(struct buffer *buffer, size_t size);
void buffer_free(struct buffer *buffer);

/* Append a number as "%.12g". */
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

/* Append a number as "%.9g". */
static inline void buffer_float(struct buffer *buffer, float real)
{
	buffer->size += number_write_float(buffer_end(buffer, NUMBER_TEXT), real);
}

#endif /* GPUOA_BUFFER_H */
