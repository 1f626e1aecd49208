// SPDX-License-Identifier: MIT
/*
 * quote.c - write JSON strings and CSV fields, for all commands
 */
#define _GNU_SOURCE /* fwrite_unlocked */
#include "common/quote.h"

#include <stdint.h>

/* Maximum size of one byte in a JSON string, which is that of the escape \u001f */
#define JSON_BYTES 6
/* Maximum size of one byte in a CSV field, which is that of U+FFFD */
#define CSV_BYTES 3

size_t utf8_length(const char *text)
{
	static const uint32_t least[] = { 0, 0, 0x80, 0x800, 0x10000 };
	const unsigned char *bytes = (const unsigned char *)text;
	const size_t length = *bytes < 0x80	      ? 1 :
			      (*bytes & 0xe0) == 0xc0 ? 2 :
			      (*bytes & 0xf0) == 0xe0 ? 3 :
			      (*bytes & 0xf8) == 0xf0 ? 4 :
							0;
	uint32_t code = length > 1 ? *bytes & (0x7f >> length) : 0;

	if (length < 2)
		return length;
	for (size_t i = 1; i < length; i++) {
		if ((bytes[i] & 0xc0) != 0x80)
			return 0;
		code = code << 6 | (bytes[i] & 0x3f);
	}
	/* Reject overlong encodings, surrogates, and characters above U+10FFFF. */
	return code >= least[length] && code < 0x110000 && (code & 0xfffff800) != 0xd800 ? length :
											   0;
}

/* Copy a character that needs no escape; if it is invalid, write U+FFFD. Advance both pointers. */
static void copy_character(char **to, const char **text)
{
	const size_t length = utf8_length(*text);

	if (length) {
		memcpy(*to, *text, length);
		*to += length;
		*text += length;
	} else {
		memcpy(*to, UTF8_REPLACEMENT, strlen(UTF8_REPLACEMENT));
		*to += strlen(UTF8_REPLACEMENT);
		(*text)++;
	}
}

/*
 * Write a JSON string to @to, which must have space for 2 bytes, and JSON_BYTES for each byte.
 * Returns the size of the string.
 */
static size_t write_json(char *to, const char *text, size_t length, const char *also)
{
	static const char digits[] = "0123456789abcdef";
	const char *begin = to, *end = text + length;

	*to++ = '"';
	while (text < end) {
		const unsigned char c = *text;

		if (c == '"' || c == '\\') {
			*to++ = '\\';
			*to++ = (char)c;
			text++;
		} else if (c < ' ' || strchr(also, c)) {
			memcpy(to, "\\u00", 4);
			to[4] = digits[c >> 4];
			to[5] = digits[c & 15];
			to += JSON_BYTES;
			text++;
		} else {
			copy_character(&to, &text);
		}
	}
	*to++ = '"';
	return (size_t)(to - begin);
}

void quote_json(struct buffer *buffer, const char *text, size_t length, const char *also)
{
	char *to = buffer_end(buffer, JSON_BYTES * length + 2);

	buffer->size += write_json(to, text, length, also);
}

void quote_csv(struct buffer *buffer, const char *text)
{
	char *const begin = buffer_end(buffer, CSV_BYTES * strlen(text) + 2), *to = begin;
	const char *mark = strpbrk(text, ",\"\r\n") ? "\"" : "";

	if (*mark)
		*to++ = *mark;
	while (*text) {
		if (*text == '"')
			*to++ = '"';
		copy_character(&to, &text);
	}
	if (*mark)
		*to++ = *mark;
	buffer->size += (size_t)(to - begin);
}

void put_json_string(FILE *file, const char *text, const char *also)
{
	const size_t length = strlen(text);
	struct buffer buffer = { 0 };
	char small[512];

	if (JSON_BYTES * length + 2 <= sizeof(small)) {
		fwrite_unlocked(small, 1, write_json(small, text, length, also), file);
		return;
	}
	quote_json(&buffer, text, length, also);
	fwrite_unlocked(buffer.text, 1, buffer.size, file);
	buffer_free(&buffer);
}
