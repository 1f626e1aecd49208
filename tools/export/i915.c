// SPDX-License-Identifier: MIT
/*
 * i915.c - export to the file format of i915-perf-recorder
 */
#include <errno.h>
#include <string.h>

#include "export/export.h"
#include "common/recording.h"

static int write_piece(void *context, const void *data, size_t size)
{
	struct export *export = context;

	progress_add(&export->progress, size);
	return fwrite(data, 1, size, export->file) == size ? 0 : -errno;
}

static int copy(struct export *export)
{
	const struct export_options *options = export->options;
	struct gpuoa_reader *reader;
	char error[128];
	int ret = EXIT_OK;

	reader = recording_open(export->tool, options->recording.file);
	if (!reader)
		return EXIT_FAILED;
	progress_begin_file(&export->progress, export->tool, options->recording.file);
	if (gpuoa_reader_write_i915(reader, write_piece, export, error, sizeof(error)))
		ret = fail("%s: cannot write it in the format of i915-perf: %s",
			   options->recording.file, error);
	progress_end(&export->progress);
	gpuoa_reader_close(reader);
	return ret;
}

const struct export_format export_i915 = {
	.name = "i915",
	.suffixes = ".record",
	.binary = true,
	.one_unit = true,
	.fixed_clock = true,
	.copy = copy,
};
