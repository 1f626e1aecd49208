// SPDX-License-Identifier: MIT
/* zebin_none.c - reject zebins; used instead of zebin.c if the library is built without elfutils */
#include <errno.h>

#include "extra/symbols/symbols.h"

int zebin_read(struct gpuoa_symbols *symbols, const void *data, const struct complaint *complaint)
{
	(void)symbols;
	(void)data;
	return COMPLAIN(complaint, -EOPNOTSUPP,
			"cannot read kernels: libgpuoa-extra was built without elfutils (libdw), "
			"which reads ELF files");
}
