// SPDX-License-Identifier: MIT
/*
 * perfetto_none.c - Perfetto export of a build without protobuf-c: an error message
 */
#include "export/export.h"

static int begin(struct export *export)
{
	(void)export;
	return fail("cannot write a Perfetto trace: this gpuoa was built without protobuf-c; "
		    "install protobuf-c and its compiler and make again, or use -f chrome, which "
		    "https://ui.perfetto.dev opens as well");
}

const struct export_format export_perfetto = {
	.name = "perfetto",
	.suffixes = ".pftrace .perfetto-trace",
	.binary = true,
	.cpu_clock = true,
	.begin = begin,
};
