// SPDX-License-Identifier: MIT
/* utf8.c - validate UTF-8 */
#include "base/utf8.h"

#include <stdint.h>
#include <string.h>

size_t utf8_mark(const char *text, size_t size)
{
	return size >= 3 && !memcmp(text, "\xef\xbb\xbf", 3) ? 3 : 0;
}

/*
 * Length of the character at @text in bytes; 0 if it is invalid. Overlong encodings and surrogates
 * are invalid.
 */
static size_t character_length(const unsigned char *text, size_t size)
{
	const size_t length = *text < 0x80	     ? 1 :
			      (*text & 0xe0) == 0xc0 ? 2 :
			      (*text & 0xf0) == 0xe0 ? 3 :
			      (*text & 0xf8) == 0xf0 ? 4 :
						       0;
	static const uint32_t least[] = { 0, 0, 0x80, 0x800, 0x10000 };
	uint32_t code = *text & (0xff >> length);

	if (length < 2)
		return length;
	if (length > size)
		return 0;
	for (size_t i = 1; i < length; i++) {
		if ((text[i] & 0xc0) != 0x80)
			return 0;
		code = code << 6 | (text[i] & 0x3f);
	}
	return code >= least[length] && code < 0x110000 && code >> 11 != 0x1b ? length : 0;
}

const char *utf8_find_invalid(const char *text, size_t size)
{
	const char *end = text + size;

	while (text < end) {
		const size_t length =
			character_length((const unsigned char *)text, (size_t)(end - text));

		if (!length)
			return text;
		text += length;
	}
	return NULL;
}
