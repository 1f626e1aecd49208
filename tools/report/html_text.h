/* SPDX-License-Identifier: MIT */
/*
 * html_text.h - escaping of text and numbers in an HTML page
 */
#ifndef GPUOA_REPORT_HTML_TEXT_H
#define GPUOA_REPORT_HTML_TEXT_H

#include <stddef.h>
#include <stdio.h>

/* Write text as HTML. Invalid UTF-8 becomes U+FFFD, also in html_put_string(). */
void html_put_text(FILE *file, const char *text);

/* Write a JSON string inside a script element. */
void html_put_string(FILE *file, const char *text);

/* Write a JSON number; null if it is infinite or NAN. */
void html_put_number(FILE *file, double number);

/* Write bytes as a base64 JSON string. */
void html_put_bytes(FILE *file, const void *bytes, size_t size);

#endif /* GPUOA_REPORT_HTML_TEXT_H */
