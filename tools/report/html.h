/* SPDX-License-Identifier: MIT */
/*
 * html.h - gpuoa report --html: write a self-contained HTML page that shows a recording
 */
#ifndef GPUOA_TOOLS_REPORT_HTML_H
#define GPUOA_TOOLS_REPORT_HTML_H

#include <stdio.h>

#include "common/evaluation.h"
#include "common/timeseries.h"
#include "report/report.h"

/*
 * Write a page of all units of the recording. With -d, write a page of the units it names only.
 * Returns an exit code.
 */
int report_html(const struct tool *tool, const struct report_options *options);

#endif /* GPUOA_TOOLS_REPORT_HTML_H */
