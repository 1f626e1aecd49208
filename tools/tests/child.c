// SPDX-License-Identifier: MIT
/*
 * child.c - for cli_test.sh, run a command as gpuoa stat and gpuoa record do, but without a GPU
 */
#include <stdio.h>

#include "common/tool.h"
#include "common/child.h"

int main(int argc, char **argv)
{
	struct child child;
	int ret;

	(void)argc;
	ret = child_check(argv + 1);
	if (!ret)
		ret = child_prepare(&child, argv + 1, 0);
	if (ret)
		return ret;
	ret = child_start(&child);
	while (!ret && !child.done)
		child_wait(&child, -1, -1);
	puts("done");
	fflush(stdout);
	return child_finish(&child);
}
