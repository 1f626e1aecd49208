// SPDX-License-Identifier: MIT
/*
 * printable.c - escape control characters in text for the terminal
 */
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "common/printable.h"

#define ESCAPED 4 /* length of "\\x1b" */

/*
 * Return the size in bytes of the control character at @text; 0: it is none. The characters U+0080
 * to U+009F have 2 bytes.
 */
static int control_bytes(const unsigned char *text)
{
	if (text[0] < ' ' || text[0] == 0x7f)
		return 1;
	return text[0] == 0xc2 && text[1] >= 0x80 && text[1] < 0xa0 ? 2 : 0;
}

char *printable(const char *text)
{
	const unsigned char *from = (const unsigned char *)text;
	char *copy = malloc(strlen(text) * ESCAPED + 1);
	char *to = copy;

	if (!copy)
		return NULL;
	while (*from) {
		int bytes = control_bytes(from);

		if (!bytes)
			*to++ = (char)*from++;
		for (; bytes; bytes--)
			to += sprintf(to, "\\x%02x", *from++);
	}
	*to = '\0';
	return copy;
}
