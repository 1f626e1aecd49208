/* SPDX-License-Identifier: MIT */
/* played_hsw.h - A simulated stream of a Haswell, as a tracer requires it */
#ifndef GPUOA_LIB_TESTS_PLAYED_HSW_H
#define GPUOA_LIB_TESTS_PLAYED_HSW_H

#include <sys/eventfd.h>

#include "played.h"
#include "source/uapi.h"

static inline const struct gpuoa_set *played_hsw_set(void)
{
	return gpuoa_platform_find_uuid(gpuoa_platform_find("hsw"), TEST_UUID);
}

static inline int played_hsw_fd(const struct gpuoa_source *source)
{
	return ((const struct stream *)source)->fd;
}

static inline int played_hsw_switch(struct gpuoa_source *source)
{
	(void)source;
	return 0;
}

static inline void played_hsw_close(struct gpuoa_source *source)
{
	(void)source;
}

/* Enabling and disabling do nothing. */
static const struct source_ops played_hsw_ops = {
	.fd = played_hsw_fd,
	.enable = played_hsw_switch,
	.disable = played_hsw_switch,
	.close = played_hsw_close,
};

static inline void played_hsw_begin(struct played *played, const struct source_ops *ops,
				    const struct gpuoa_constants *constants)
{
	const struct gpuoa_record_stream stream = test_stream();
	struct gpuoa_source *source = &played->stream.source;

	played_begin(played);
	played->stream.fd = eventfd(0, EFD_NONBLOCK);
	source->ops = ops;
	source->platform = gpuoa_platform_find("hsw");
	source->constants = constants;
	source->desc.format = GPUOA_REPORT_A45_B8_C8;
	uapi_unit_desc(&source->unit, &stream.info);
}

static inline void played_hsw_end(struct played *played)
{
	close(played->stream.fd);
	reader_fini(&played->stream.reader);
	played_end(played);
}

#endif /* GPUOA_LIB_TESTS_PLAYED_HSW_H */
