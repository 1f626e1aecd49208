// SPDX-License-Identifier: MIT
/*
 * firmware.c - images of firmware for drivers that do not bind without one.
 *
 * A driver reads the header (CSS) of an image, for sizes and versions; only hardware would verify
 * the signature and execute the code. These images have a header, and zeros after it. They are free
 * of Intel's firmware, which cannot be redistributed with gpuoa.
 */
#include <errno.h>
#include <limits.h>
#include <stdio.h>
#include <sys/stat.h>

#include "firmware.h"
#include "vgpu/model/env.h"

#define CSS_MODULE_TYPE 6
#define CSS_HEADER_VERSION 0x10000
#define CSS_VENDOR 0x8086
#define CSS_DATE 0x20260101

/* Sizes of the parts after the header, in dwords */
#define CODE_DWORDS 1024
#define KEY_DWORDS 64
#define MODULUS_DWORDS 64
#define EXPONENT_DWORDS 1

#define VERSION(major, minor, patch) ((major) << 16 | (minor) << 8 | (patch))

/**
 * struct css - header of an image
 */
struct css {
	u32 module_type;
	u32 header_dwords; /* with key, modulus and exponent */
	u32 header_version;
	u32 module_id;
	u32 vendor;
	u32 date;
	u32 dwords; /* of header and code */
	u32 key_dwords;
	u32 modulus_dwords;
	u32 exponent_dwords;
	u32 time;
	char user[8];
	char build[12];
	u32 version;
	u32 submission_version; /* version of the GuC's interface for virtual functions */
	u32 reserved[12];
	u32 private_data_size;
	u32 reserved2;
};

_Static_assert(sizeof(struct css) == 128, "size of the header");

struct image {
	struct css css;
	u32 rest[CODE_DWORDS + KEY_DWORDS + MODULUS_DWORDS + EXPONENT_DWORDS];
};

#define GUC_VERSION VERSION(70, 72, 0)
#define GUC_SUBMISSION_VERSION VERSION(1, 38, 1)

static const struct {
	const char *name;
	u32 version;
} images[] = {
	{ "i915/tgl_guc_70.bin", GUC_VERSION }, { "i915/tgl_huc.bin", VERSION(9, 0, 0) },
	{ "i915/dg2_guc_70.bin", GUC_VERSION }, { "i915/mtl_guc_70.bin", GUC_VERSION },
	{ "xe/lnl_guc_70.bin", GUC_VERSION },	{ "xe/lnl_huc.bin", VERSION(9, 4, 13) },
	{ "xe/bmg_guc_70.bin", GUC_VERSION },	{ "xe/bmg_huc.bin", VERSION(8, 2, 10) },
	{ "xe/ptl_guc_70.bin", GUC_VERSION },	{ "xe/ptl_huc.bin", VERSION(10, 3, 1) },
};

static int write_image(const char *path, u32 version)
{
	static const u32 header_dwords =
		sizeof(struct css) / sizeof(u32) + KEY_DWORDS + MODULUS_DWORDS + EXPONENT_DWORDS;
	const struct image image = {
		.css = {
			.module_type = CSS_MODULE_TYPE,
			.header_dwords = header_dwords,
			.header_version = CSS_HEADER_VERSION,
			.vendor = CSS_VENDOR,
			.date = CSS_DATE,
			.dwords = header_dwords + CODE_DWORDS,
			.key_dwords = KEY_DWORDS,
			.modulus_dwords = MODULUS_DWORDS,
			.exponent_dwords = EXPONENT_DWORDS,
			.user = "gpuoa",
			.build = "vgpu",
			.version = version,
			.submission_version = GUC_SUBMISSION_VERSION,
			.private_data_size = SZ_4K,
		},
	};
	FILE *file = fopen(path, "w");
	bool written;

	if (!file)
		return -errno;
	written = fwrite(&image, sizeof(image), 1, file) == 1;
	if (fclose(file) || !written)
		return -EIO;

	return 0;
}

static int make_directory(const char *path)
{
	return mkdir(path, 0777) && errno != EEXIST ? -errno : 0;
}

/**
 * vgpu_firmware_write() - Write images for all GPUs whose drivers need one.
 * @directory: where to create the directories i915 and xe; the directory itself is created as well
 *
 * Return: 0 or a negative errno
 */
int vgpu_firmware_write(const char *directory)
{
	char path[PATH_MAX];
	unsigned int i;
	int ret;

	ret = make_directory(directory);
	for (i = 0; i < ARRAY_SIZE(images) && !ret; i++) {
		snprintf(path, sizeof(path), "%s/%s", directory, images[i].name);
		*strrchr(path, '/') = '\0';
		ret = make_directory(path);
		snprintf(path, sizeof(path), "%s/%s", directory, images[i].name);
		ret = ret ?: write_image(path, images[i].version);
	}

	return ret;
}
