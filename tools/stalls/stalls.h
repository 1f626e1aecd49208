/* SPDX-License-Identifier: MIT */
/* stalls.h - subcommands of gpuoa stalls. They return an exit code; argv[0] is their name. */
#ifndef GPUOA_TOOLS_STALLS_STALLS_H
#define GPUOA_TOOLS_STALLS_STALLS_H

#include "common/tool.h"

int stalls_stat(struct tool *tool, int argc, char **argv);
int stalls_record(struct tool *tool, int argc, char **argv);
int stalls_report(struct tool *tool, int argc, char **argv);
int stalls_compare(struct tool *tool, int argc, char **argv);
int stalls_check(struct tool *tool, int argc, char **argv);
int stalls_annotate(struct tool *tool, int argc, char **argv);

#endif /* GPUOA_TOOLS_STALLS_STALLS_H */
