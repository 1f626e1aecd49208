// SPDX-License-Identifier: MIT
/*
 * html_text.c - write text and numbers in an HTML page, with escapes
 */
#include <math.h>
#include <stdint.h>
#include <string.h>

#include "common/quote.h"
#include "report/html_text.h"

void html_put_text(FILE *file, const char *text)
{
	while (*text) {
		const unsigned char c = *text;
		const size_t length = utf8_length(text);

		if (c < ' ' || strchr("<>&\"'", c))
			fprintf(file, "&#%d;", c < ' ' ? ' ' : c);
		else if (length)
			fwrite(text, 1, length, file);
		else
			fputs(UTF8_REPLACEMENT, file);
		text += length ? length : 1;
	}
}

void html_put_string(FILE *file, const char *text)
{
	put_json_string(file, text, "<>&'");
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
