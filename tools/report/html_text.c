// SPDX-License-Identifier: MIT
/*
 * html_text.c - escaping of text and numbers in an HTML page
 */
#include <math.h>
#include <stdint.h>
#include <string.h>

#include "report/html_text.h"

#define REPLACEMENT "\xef\xbf\xbd" /* U+FFFD in UTF-8 */

/* Return the size of the first character in bytes; 0: invalid UTF-8. */
static size_t character_length(const unsigned char *text)
{
	static const uint32_t least[] = { 0, 0, 0x80, 0x800, 0x10000 };
	const size_t length = *text < 0x80	     ? 1 :
			      (*text & 0xe0) == 0xc0 ? 2 :
			      (*text & 0xf0) == 0xe0 ? 3 :
			      (*text & 0xf8) == 0xf0 ? 4 :
						       0;
	uint32_t code = length > 1 ? *text & (0x7f >> length) : 0;

	if (length < 2)
		return length;
	for (size_t i = 1; i < length; i++) {
		if ((text[i] & 0xc0) != 0x80)
			return 0;
		code = code << 6 | (text[i] & 0x3f);
	}
	return code >= least[length] && code < 0x110000 && (code & 0xfffff800) != 0xd800 ? length :
											   0;
}

/* Write a character that needs no escape, or U+FFFD. Returns the number of bytes consumed. */
static size_t put_character(FILE *file, const char *text)
{
	const size_t length = character_length((const unsigned char *)text);

	if (!length)
		fputs(REPLACEMENT, file);
	else
		fwrite(text, 1, length, file);
	return length ? length : 1;
}

void html_put_text(FILE *file, const char *text)
{
	while (*text) {
		const unsigned char c = *text;

		if (!strchr("<>&\"'", c) && c >= ' ') {
			text += put_character(file, text);
			continue;
		}
		fprintf(file, "&#%d;", c < ' ' ? ' ' : c);
		text++;
	}
}

void html_put_string(FILE *file, const char *text)
{
	putc('"', file);
	while (*text) {
		const unsigned char c = *text;

		if (!strchr("<>&\"\\'", c) && c >= ' ') {
			text += put_character(file, text);
			continue;
		}
		fprintf(file, "\\u%04x", c);
		text++;
	}
	putc('"', file);
}

void html_put_number(FILE *file, double number)
{
	if (isfinite(number))
		fprintf(file, "%.12g", number);
	else
		fputs("null", file);
}

void html_put_bytes(FILE *file, const void *bytes, size_t size)
{
	static const char digits[] =
		"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
	const unsigned char *from = bytes;

	putc('"', file);
	for (size_t i = 0; i < size; i += 3) {
		const size_t left = size - i;
		const uint32_t three = (uint32_t)from[i] << 16 |
				       (left > 1 ? (uint32_t)from[i + 1] << 8 : 0) |
				       (left > 2 ? from[i + 2] : 0);

		putc(digits[three >> 18], file);
		putc(digits[three >> 12 & 63], file);
		putc(left > 1 ? digits[three >> 6 & 63] : '=', file);
		putc(left > 2 ? digits[three & 63] : '=', file);
	}
	putc('"', file);
}
