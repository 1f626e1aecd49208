// SPDX-License-Identifier: MIT
/*
 * test_xe_queries.c - answers to DRM_IOCTL_XE_DEVICE_QUERY on each emulated xe device.
 */
#define _GNU_SOURCE
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <time.h>
#include <unistd.h>

#include "../kselftest_harness.h"
#include "xe.h"

#define LUNARLAKE 0x64a0
#define BATTLEMAGE 0xe20b
#define CLOCK_HZ 19200000

FIXTURE(xe)
{
	int fd;
	void *answer;
	uint32_t size;
};

FIXTURE_VARIANT(xe)
{
	unsigned int gpu;
	uint16_t id;
	unsigned int n_cores;
	unsigned int n_engines;
	unsigned int n_media;
	unsigned int n_regions;
	uint16_t minor;
};

FIXTURE_VARIANT_ADD(xe, lnl){
	.gpu = 0,
	.id = LUNARLAKE,
	.n_cores = 8,
	.n_engines = 5,
	.n_media = 2,
	.n_regions = 1,
	.minor = 4,
};

FIXTURE_VARIANT_ADD(xe, bmg){
	.gpu = 1,
	.id = BATTLEMAGE,
	.n_cores = 20,
	.n_engines = 7,
	.n_media = 4,
	.n_regions = 2,
	.minor = 1,
};

FIXTURE_SETUP(xe)
{
	self->answer = NULL;
	self->fd = xe_open(variant->gpu);
	ASSERT_GE(self->fd, 0);
}

FIXTURE_TEARDOWN(xe)
{
	free(self->answer);
	close(self->fd);
}

#define ASK(what)                                                     \
	({                                                            \
		self->answer = xe_query(self->fd, what, &self->size); \
		ASSERT_NE(NULL, self->answer);                        \
		(void *)self->answer;                                 \
	})

TEST_F(xe, driver_has_the_name)
{
	char name[16] = "";
	struct drm_version version = { .name = name, .name_len = sizeof(name) - 1 };

	ASSERT_EQ(0, ioctl(self->fd, DRM_IOCTL_VERSION, &version));
	EXPECT_STREQ("xe", name);
}

TEST_F(xe, config)
{
	const struct drm_xe_query_config *config = ASK(DRM_XE_DEVICE_QUERY_CONFIG);

	EXPECT_EQ(5, config->num_params);
	EXPECT_EQ(variant->id, config->info[DRM_XE_QUERY_CONFIG_REV_AND_DEVICE_ID] & 0xffff);
	EXPECT_EQ(variant->n_regions > 1, config->info[DRM_XE_QUERY_CONFIG_FLAGS]);
	EXPECT_EQ(48, config->info[DRM_XE_QUERY_CONFIG_VA_BITS]);
}

TEST_F(xe, engines)
{
	const struct drm_xe_query_engines *engines = ASK(DRM_XE_DEVICE_QUERY_ENGINES);

	EXPECT_EQ(variant->n_engines, engines->num_engines);
	EXPECT_EQ(sizeof(*engines) + engines->num_engines * sizeof(engines->engines[0]),
		  self->size);
	EXPECT_EQ(DRM_XE_ENGINE_CLASS_RENDER, engines->engines[0].instance.engine_class);
}

TEST_F(xe, memory)
{
	const struct drm_xe_query_mem_regions *regions = ASK(DRM_XE_DEVICE_QUERY_MEM_REGIONS);

	EXPECT_EQ(variant->n_regions, regions->num_mem_regions);
	EXPECT_EQ(DRM_XE_MEM_REGION_CLASS_SYSMEM, regions->mem_regions[0].mem_class);
	EXPECT_LT(0, regions->mem_regions[0].total_size);
}

TEST_F(xe, gts)
{
	const struct drm_xe_query_gt_list *list = ASK(DRM_XE_DEVICE_QUERY_GT_LIST);

	ASSERT_EQ(2, list->num_gt);
	EXPECT_EQ(DRM_XE_QUERY_GT_TYPE_MAIN, list->gt_list[0].type);
	EXPECT_EQ(DRM_XE_QUERY_GT_TYPE_MEDIA, list->gt_list[1].type);
	EXPECT_EQ(CLOCK_HZ, list->gt_list[0].reference_clock);
	EXPECT_EQ(20, list->gt_list[0].ip_ver_major);
	EXPECT_EQ(variant->minor, list->gt_list[0].ip_ver_minor);
}

static unsigned int bits(const struct drm_xe_query_topology_mask *mask)
{
	unsigned int n = 0;

	for (uint32_t i = 0; i < mask->num_bytes; i++)
		n += __builtin_popcount(mask->mask[i]);
	return n;
}

TEST_F(xe, topology)
{
	const uint8_t *at = ASK(DRM_XE_DEVICE_QUERY_GT_TOPOLOGY), *end = at + self->size;
	unsigned int cores = 0, eus = 0, banks = 0;

	while (at < end) {
		const struct drm_xe_query_topology_mask *mask = (const void *)at;

		if (mask->type == DRM_XE_TOPO_DSS_GEOMETRY)
			cores += bits(mask);
		if (mask->type == DRM_XE_TOPO_SIMD16_EU_PER_DSS)
			eus += bits(mask);
		if (mask->type == DRM_XE_TOPO_L3_BANK)
			banks += bits(mask);
		at += sizeof(*mask) + mask->num_bytes;
	}
	EXPECT_EQ(end, at);
	EXPECT_EQ(variant->n_cores, cores);
	EXPECT_EQ(8, eus);
	EXPECT_LT(0, banks);
}

TEST_F(xe, oa_units)
{
	const struct drm_xe_query_oa_units *units = ASK(DRM_XE_DEVICE_QUERY_OA_UNITS);
	const struct drm_xe_oa_unit *oag = (const void *)units->oa_units;
	const struct drm_xe_oa_unit *oam = (const void *)&oag->eci[oag->num_engines];

	ASSERT_EQ(2, units->num_oa_units);
	EXPECT_EQ(DRM_XE_OA_UNIT_TYPE_OAG, oag->oa_unit_type);
	EXPECT_EQ(CLOCK_HZ, oag->oa_timestamp_freq);
	EXPECT_EQ(DRM_XE_OA_CAPS_BASE | DRM_XE_OA_CAPS_SYNCS, oag->capabilities);
	EXPECT_EQ(2, oag->num_engines);
	EXPECT_EQ(DRM_XE_OA_UNIT_TYPE_OAM, oam->oa_unit_type);
	EXPECT_EQ(1, oam->oa_unit_id);
	EXPECT_EQ(variant->n_media, oam->num_engines);
	EXPECT_EQ(1, oam->eci[0].gt_id);
	EXPECT_EQ((const uint8_t *)&oam->eci[oam->num_engines],
		  (const uint8_t *)self->answer + self->size);
}

static int ask_cycles(int fd, struct drm_xe_query_engine_cycles *cycles)
{
	struct drm_xe_device_query args = {
		.query = DRM_XE_DEVICE_QUERY_ENGINE_CYCLES,
		.size = sizeof(*cycles),
		.data = (uintptr_t)cycles,
	};

	return ioctl(fd, DRM_IOCTL_XE_DEVICE_QUERY, &args) ? -errno : 0;
}

TEST_F(xe, engine_cycles)
{
	struct drm_xe_query_engine_cycles first = { .clockid = CLOCK_MONOTONIC }, second;
	uint64_t ns, ticks;

	second = first;
	ASSERT_EQ(0, ask_cycles(self->fd, &first));
	usleep(20000);
	ASSERT_EQ(0, ask_cycles(self->fd, &second));
	EXPECT_EQ(64, first.width);
	ns = second.cpu_timestamp - first.cpu_timestamp;
	ticks = second.engine_cycles - first.engine_cycles;
	EXPECT_LE(ns, ticks * 1000000000 / CLOCK_HZ + first.cpu_delta + second.cpu_delta + 53);
	EXPECT_GE(ns + first.cpu_delta + second.cpu_delta + 53, ticks * 1000000000 / CLOCK_HZ);

	first.eci.engine_class = DRM_XE_ENGINE_CLASS_VM_BIND;
	EXPECT_EQ(-EINVAL, ask_cycles(self->fd, &first));
	second.clockid = CLOCK_PROCESS_CPUTIME_ID;
	EXPECT_EQ(-EINVAL, ask_cycles(self->fd, &second));
}

TEST_F(xe, refusals)
{
	struct drm_xe_device_query args = { .query = DRM_XE_DEVICE_QUERY_OA_UNITS + 1 };

	EXPECT_EQ(-1, ioctl(self->fd, DRM_IOCTL_XE_DEVICE_QUERY, &args));
	EXPECT_EQ(EINVAL, errno);
	args = (struct drm_xe_device_query){ .query = DRM_XE_DEVICE_QUERY_CONFIG, .size = 8 };
	EXPECT_EQ(-1, ioctl(self->fd, DRM_IOCTL_XE_DEVICE_QUERY, &args));
	EXPECT_EQ(EINVAL, errno);
	args = (struct drm_xe_device_query){ .query = DRM_XE_DEVICE_QUERY_CONFIG, .extensions = 8 };
	EXPECT_EQ(-1, ioctl(self->fd, DRM_IOCTL_XE_DEVICE_QUERY, &args));
	EXPECT_EQ(EINVAL, errno);
}

TEST_HARNESS_MAIN
