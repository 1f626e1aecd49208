// SPDX-License-Identifier: MIT
/*
 * csv.c - export to CSV, as printed by gpuoa report --csv
 */
#include "export/export.h"

const struct export_format export_csv = {
	.name = "csv",
	.suffixes = ".csv",
	.one_unit = true,
	.csv = true,
};
