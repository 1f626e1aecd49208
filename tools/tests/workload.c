// SPDX-License-Identifier: MIT
/*
 * workload.c - run a command as stat and record do, but without a GPU, for cli_test.sh
 */
#include <stdio.h>

#include "common/tool.h"
#include "common/workload.h"

int main(int argc, char **argv)
{
	struct workload workload;
	int ret;

	(void)argc;
	ret = workload_check(argv + 1);
	if (!ret)
		ret = workload_prepare(&workload, argv + 1, 0);
	if (ret)
		return ret;
	ret = workload_start(&workload);
	while (!ret && !workload.done)
		workload_wait(&workload, -1, -1);
	puts("done");
	fflush(stdout);
	return workload_finish(&workload);
}
