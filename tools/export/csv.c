// SPDX-License-Identifier: MIT
/*
 * csv.c - rows as comma-separated values, as gpuoa report --csv prints them
 */
#include "export/export.h"

const struct export_format export_csv = {
	.name = "csv",
	.suffixes = ".csv",
	.one_unit = true,
	.csv = true,
};
