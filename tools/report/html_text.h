/* SPDX-License-Identifier: MIT */
/*
 * html_text.h - text and numbers in a page, so that nothing in them is taken for markup
 */
#ifndef GPUOA_REPORT_HTML_TEXT_H
#define GPUOA_REPORT_HTML_TEXT_H

#include <stddef.h>
#include <stdio.h>

/* As HTML. What is no UTF-8 becomes U+FFFD, here and below. */
void html_put_text(FILE *file, const char *text);

/* A string of JSON inside of a script element. */
void html_put_string(FILE *file, const char *text);

/* A number of JSON; null if it is infinite or none. */
void html_put_number(FILE *file, double number);

/* Bytes in base64, as a string of JSON. */
void html_put_bytes(FILE *file, const void *bytes, size_t size);

#endif /* GPUOA_REPORT_HTML_TEXT_H */
