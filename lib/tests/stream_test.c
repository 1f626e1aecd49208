// SPDX-License-Identifier: MIT
/* stream_test.c - Test stream options that the library rejects before it calls the kernel. */
#include <errno.h>
#include <stddef.h>

#include "gpuoa.h"
#include "tap.h"

/* The unit and the set are never dereferenced, because the options are rejected first. */
static struct gpuoa_unit *const unit = NULL;
static const struct gpuoa_set *const set = NULL;

static int open_with(struct gpuoa_stream_options *options)
{
	struct gpuoa_reader *reader;

	return gpuoa_stream_open(unit, set, options, &reader, NULL, 0);
}

static void options_without_size_return_einval(void)
{
	struct gpuoa_stream_options options = { .period_ns = 1000000 };

	CHECK(open_with(&options) == -EINVAL);
	options.size = offsetof(struct gpuoa_stream_options, context);
	CHECK(open_with(&options) == -EINVAL);
}

static void options_of_newer_library_return_e2big(void)
{
	struct {
		struct gpuoa_stream_options options;
		unsigned char unknown[8];
	} newer = { .options.size = sizeof(newer) };

	for (size_t i = 0; i < sizeof(newer.unknown); i++) {
		newer.unknown[i] = 1;
		CHECK(open_with(&newer.options) == -E2BIG);
		newer.unknown[i] = 0;
	}
}

int main(void)
{
	RUN(options_without_size_return_einval);
	RUN(options_of_newer_library_return_e2big);
	return tap_end();
}
