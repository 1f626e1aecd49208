/* SPDX-License-Identifier: MIT */
/*
 * quote.h - write JSON strings and CSV fields, for all commands
 *
 * The output is always valid UTF-8: because names come from other processes and from recordings, a
 * byte that is part of no valid character becomes U+FFFD.
 */
#ifndef GPUOA_TOOLS_COMMON_QUOTE_H
#define GPUOA_TOOLS_COMMON_QUOTE_H

#include <stdio.h>

#include "common/buffer.h"

/* U+FFFD in UTF-8 */
#define UTF8_REPLACEMENT "\xef\xbf\xbd"

/* Return the size in bytes of the character at @text; 0: it is not valid UTF-8. */
size_t utf8_length(const char *text);

/*
 * Append a JSON string.
 *
 * @length: size of @text in bytes
 * @also: characters that are escaped in addition to those that JSON requires; "": none
 */
void quote_json(struct buffer *buffer, const char *text, size_t length, const char *also);

/* Append a CSV field. It is in quotes if RFC 4180 requires that. */
void quote_csv(struct buffer *buffer, const char *text);

/* As quote_json(), into a file */
void put_json_string(FILE *file, const char *text, const char *also);

#endif /* GPUOA_TOOLS_COMMON_QUOTE_H */
