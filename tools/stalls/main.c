// SPDX-License-Identifier: MIT
/*
 * main.c - gpuoa stalls: parse global options and run its subcommand
 *
 * Without the name of a subcommand, it is "gpuoa stalls stat".
 */
#include <string.h>

#include "stalls/stalls.h"

static const struct subcommand {
	const char *name;
	int (*run)(struct tool *tool, int argc, char **argv);
} subcommands[] = {
	{ "stat", stalls_stat },	 { "record", stalls_record },	{ "report", stalls_report },
	{ "annotate", stalls_annotate }, { "compare", stalls_compare }, { "check", stalls_check },
};

#define SUBCOMMAND_COUNT (sizeof(subcommands) / sizeof(subcommands[0]))

static const char help[] =
	"Usage: gpuoa stalls [SUBCOMMAND] [OPTION...] [-- COMMAND ...]\n"
	"\n"
	"Shows where threads of GPU programs wait, and for what: EU stall sampling of Lunar Lake,\n"
	"Battlemage, Ponte Vecchio and later GPUs, by the xe driver of Linux 6.15 or later.\n"
	"\n"
	"Subcommands, each with --help:\n"
	"  stat       sample while a command runs, and print the totals (default)\n"
	"  record     record EU stalls while a command runs, alongside OA reports\n"
	"  report     samples by kernel, function, line, address, process or reason\n"
	"  annotate   source of kernels, with the samples of each line\n"
	"  compare    how the samples of two recordings differ\n"
	"  check      whether EU stalls can be sampled, and why not\n"
	"\n"
	"Options of stat:\n"
	"  -p, --period CLOCKS    sampling period in GPU clocks (default: the longest)\n"
	"  -n, --addresses NUMBER maximum number of addresses (default 20; 0: all)\n"
	"  -i, --input FILE       print a recording instead of sampling\n"
	"\n"
	"Examples:\n"
	"  gpuoa stalls ./app\n"
	"  gpuoa stalls record -o app.data ./app\n"
	"  gpuoa stalls stat -i app.data\n"
	"  gpuoa stalls report app.data\n";

static const struct subcommand *find(const char *name)
{
	for (size_t i = 0; i < SUBCOMMAND_COUNT; i++)
		if (!strcmp(subcommands[i].name, name))
			return &subcommands[i];
	return NULL;
}

/*
 * Returns the index in @argv of the name of a subcommand, which global options may precede; 0:
 * there is none. gpuoa passes them in this order.
 */
static int find_name(int argc, char **argv)
{
	int i = 1;

	while (i < argc && argv[i][0] == '-' && strcmp(argv[i], "--"))
		i += !strcmp(argv[i], "-d") || !strcmp(argv[i], "-D") ? 2 : 1;
	return i < argc && find(argv[i]) ? i : 0;
}

static int run(struct tool *tool, int argc, char **argv)
{
	const int index = find_name(argc, argv);
	const struct subcommand *subcommand = &subcommands[0];

	tool->command = "stalls";
	if (index) {
		subcommand = find(argv[index]);
		tool->help = NULL; /* the subcommand has its own */
		/* Its own options follow the global ones. */
		memmove(argv + index, argv + index + 1, (size_t)(argc - index) * sizeof(*argv));
		argc--;
	} else {
		tool->help = help;
	}
	return subcommand->run(tool, argc, argv);
}

int main(int argc, char **argv)
{
	struct tool tool = { .help = help };

	return program_run(&tool, argc, argv, run);
}
