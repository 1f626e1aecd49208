/* SPDX-License-Identifier: MIT */
/* played_hsw.h - A simulated stream of a Haswell GPU that a tracer can use */
#ifndef GPUOA_LIB_TESTS_PLAYED_HSW_H
#define GPUOA_LIB_TESTS_PLAYED_HSW_H

#include <sys/eventfd.h>

#include "played.h"
#include "reader/uapi.h"

static inline const struct gpuoa_set *played_hsw_set(void)
{
	return gpuoa_platform_find_uuid(gpuoa_platform_find("hsw"), TEST_UUID);
}

static inline int played_hsw_fd(const struct gpuoa_reader *reader)
{
	return ((const struct stream *)reader)->fd;
}

static inline int played_hsw_switch(struct gpuoa_reader *reader)
{
	(void)reader;
	return 0;
}

static inline void played_hsw_close(struct gpuoa_reader *reader)
{
	(void)reader;
}

/* Enabling and disabling do nothing. */
static const struct reader_ops played_hsw_ops = {
	.fd = played_hsw_fd,
	.enable = played_hsw_switch,
	.disable = played_hsw_switch,
	.close = played_hsw_close,
};

static inline void played_hsw_begin(struct played *played, const struct reader_ops *ops,
				    const struct gpuoa_constants *constants)
{
	const struct gpuoa_record_stream stream = test_stream();
	struct gpuoa_reader *reader = &played->stream.reader;

	played_begin(played);
	played->stream.fd = eventfd(0, EFD_NONBLOCK);
	reader->ops = ops;
	reader->platform = gpuoa_platform_find("hsw");
	reader->constants = constants;
	reader->desc.format = GPUOA_REPORT_A45_B8_C8;
	uapi_unit_desc(&reader->unit, &stream.info);
}

static inline void played_hsw_end(struct played *played)
{
	close(played->stream.fd);
	event_reader_fini(&played->stream.events);
	played_end(played);
}

#endif /* GPUOA_LIB_TESTS_PLAYED_HSW_H */
