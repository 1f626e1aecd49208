/* SPDX-License-Identifier: MIT */
/*
 * html.h - self-contained HTML page that shows a recording
 */
#ifndef GPUOA_REPORT_HTML_H
#define GPUOA_REPORT_HTML_H

#include <stdio.h>

#include "common/timeseries.h"

/*
 * Write the page. Returns an exit code; prints any error, except write errors, for which the caller
 * checks ferror().
 */
int html_write(FILE *file, const char *recording, const struct timeseries_list *units);

#endif /* GPUOA_REPORT_HTML_H */
