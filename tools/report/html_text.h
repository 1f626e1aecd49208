/* SPDX-License-Identifier: MIT */
/*
 * html_text.h - write text and numbers in an HTML page, with escapes
 */
#ifndef GPUOA_REPORT_HTML_TEXT_H
#define GPUOA_REPORT_HTML_TEXT_H

#include <stddef.h>
#include <stdio.h>

/* Write text as HTML. Here and in html_put_string(), invalid UTF-8 becomes U+FFFD. */
void html_put_text(FILE *file, const char *text);

/* Write a JSON string that is safe inside a script element. */
void html_put_string(FILE *file, const char *text);

/* Write a JSON number; null stands for infinity and NAN. */
void html_put_number(FILE *file, double number);

/* Write bytes as a JSON string in base64. */
void html_put_bytes(FILE *file, const void *bytes, size_t size);

#endif /* GPUOA_REPORT_HTML_TEXT_H */
