/* SPDX-License-Identifier: MIT */
/*
 * report_html.h - gpuoa report --html: write a page that shows a recording
 */
#ifndef GPUOA_REPORT_REPORT_HTML_H
#define GPUOA_REPORT_REPORT_HTML_H

#include "common/evaluation.h"
#include "report/report_options.h"

/* Write a page of all units of the recording, or those named by -d. Returns an exit code. */
int report_html(const struct tool *tool, const struct report_options *options);

#endif /* GPUOA_REPORT_REPORT_HTML_H */
