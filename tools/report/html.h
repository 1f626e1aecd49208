/* SPDX-License-Identifier: MIT */
/*
 * html.h - a page that shows a recording in a browser, by itself
 */
#ifndef GPUOA_REPORT_HTML_H
#define GPUOA_REPORT_HTML_H

#include <stdio.h>

#include "course.h"

/*
 * Write it. Exit code; what is wrong has been said, but for what could not be written: that, the
 * file knows.
 */
int html_write(FILE *file, const char *recording, const struct courses *courses);

#endif /* GPUOA_REPORT_HTML_H */
