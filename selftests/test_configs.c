// SPDX-License-Identifier: MIT
/*
 * test_configs.c - adding, listing and removing metric configurations.
 */
#define _GNU_SOURCE
#include <errno.h>
#include <fcntl.h>
#include <linux/capability.h>
#include <sys/ioctl.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include "event.h"
#include "kselftest_harness.h"
#include "sim.h"

#define UUID "01234567-89ab-cdef-0123-456789abcdef"

FIXTURE(configs)
{
	int fd;
	struct gpuoa_register mux[2];
	struct gpuoa_register boolean[1];
	struct gpuoa_config config;
};

FIXTURE_SETUP(configs)
{
	self->fd = unit_open();
	ASSERT_LE(0, self->fd);
	self->mux[0] = (struct gpuoa_register){ 0x9840, 0x80 };
	self->mux[1] = (struct gpuoa_register){ 0x25100, 5 };
	self->boolean[0] = (struct gpuoa_register){ 0x2710, 0 };
	memset(&self->config, 0, sizeof(self->config));
	strcpy(self->config.uuid, UUID);
	self->config.n_mux = 2;
	self->config.mux = (uintptr_t)self->mux;
	self->config.n_boolean = 1;
	self->config.boolean = (uintptr_t)self->boolean;
}

static int add(int fd, struct gpuoa_config *config)
{
	return ioctl(fd, GPUOA_IOC_ADD_CONFIG, config) ? -errno : 0;
}

static int remove_id(int fd, uint32_t id)
{
	return ioctl(fd, GPUOA_IOC_REMOVE_CONFIG, &id) ? -errno : 0;
}

FIXTURE_TEARDOWN(configs)
{
	const uint64_t id = unit_get("metrics/" UUID "/id");

	if (id != UINT64_MAX)
		remove_id(self->fd, id);
	close(self->fd);
}

TEST_F(configs, added_configuration_is_in_sysfs_and_opens)
{
	struct perf_event_attr attr = flat_attr(9, 1);

	ASSERT_EQ(0, add(self->fd, &self->config));
	EXPECT_LT(GPUOA_TEST_OA_ID, self->config.id);
	EXPECT_EQ(self->config.id, unit_get("metrics/" UUID "/id"));

	attr.config = (attr.config & ~GPUOA_CONFIG_METRIC_SET_MASK) | self->config.id;
	EXPECT_EQ(0, event_try(&attr));

	EXPECT_EQ(0, remove_id(self->fd, self->config.id));
	EXPECT_EQ(UINT64_MAX, unit_get("metrics/" UUID "/id"));
	EXPECT_EQ(-ENOENT, event_try(&attr));
}

TEST_F(configs, builtin_configuration_exists)
{
	EXPECT_EQ(GPUOA_TEST_OA_ID, unit_get("metrics/" GPUOA_TEST_OA_HSW_UUID "/id"));
	EXPECT_EQ(-EPERM, remove_id(self->fd, GPUOA_TEST_OA_ID));
}

TEST_F(configs, event_keeps_a_removed_configuration)
{
	struct perf_event_attr attr = flat_attr(9, 1);
	int event;

	ASSERT_EQ(0, add(self->fd, &self->config));
	attr.config = (attr.config & ~GPUOA_CONFIG_METRIC_SET_MASK) | self->config.id;
	event = event_open(&attr);
	ASSERT_LE(0, event);
	EXPECT_EQ(0, remove_id(self->fd, self->config.id));
	EXPECT_EQ(0, ioctl(event, PERF_EVENT_IOC_ENABLE, 0));
	usleep(20000);
	close(event);
}

TEST_F(configs, eexist_for_a_repeated_configuration_returns_its_id)
{
	uint32_t id;

	ASSERT_EQ(0, add(self->fd, &self->config));
	id = self->config.id;
	self->config.id = 0;
	EXPECT_EQ(-EEXIST, add(self->fd, &self->config));
	EXPECT_EQ(id, self->config.id);
}

TEST_F(configs, eaddrinuse_for_other_registers)
{
	ASSERT_EQ(0, add(self->fd, &self->config));
	self->mux[1].value++;
	EXPECT_EQ(-EADDRINUSE, add(self->fd, &self->config));
	self->mux[1].value--;
	strcpy(self->config.uuid, "01234567-89AB-CDEF-0123-456789ABCDEF");
	EXPECT_EQ(-EEXIST, add(self->fd, &self->config));
}

TEST_F(configs, einval_for_a_bad_uuid)
{
	self->config.uuid[3] = 'g';
	EXPECT_EQ(-EINVAL, add(self->fd, &self->config));
	memset(self->config.uuid, 'a', sizeof(self->config.uuid));
	EXPECT_EQ(-EINVAL, add(self->fd, &self->config));
}

TEST_F(configs, einval_for_bad_registers)
{
	self->mux[1].address = 0x2360;
	EXPECT_EQ(-EINVAL, add(self->fd, &self->config));
	EXPECT_EQ(0x2360, self->config.rejected);
	self->mux[1].address = 0x25102;
	EXPECT_EQ(-EINVAL, add(self->fd, &self->config));
	EXPECT_EQ(0x25102, self->config.rejected);
	self->config.n_mux = 0;
	self->config.mux = 0;
	self->boolean[0].address = 0x9840;
	EXPECT_EQ(-EINVAL, add(self->fd, &self->config));
	EXPECT_EQ(0x9840, self->config.rejected);
	self->config.n_boolean = 0;
	EXPECT_EQ(-EINVAL, add(self->fd, &self->config));
	EXPECT_EQ(0, self->config.rejected);
	EXPECT_EQ(0, self->config.id);
}

TEST_F(configs, einval_for_a_reserved_field)
{
	self->config.reserved = 1;
	EXPECT_EQ(-EINVAL, add(self->fd, &self->config));
}

TEST_F(configs, e2big_eopnotsupp_efault)
{
	self->config.n_mux = GPUOA_MAX_REGISTERS + 1;
	EXPECT_EQ(-E2BIG, add(self->fd, &self->config));
	self->config.n_mux = 2;
	self->config.n_flex = 1;
	self->config.flex = (uintptr_t)self->mux;
	EXPECT_EQ(-EOPNOTSUPP, add(self->fd, &self->config));
	/* An empty list needs no pointer. */
	self->config.n_flex = 0;
	EXPECT_EQ(-EINVAL, add(self->fd, &self->config));
	self->config.flex = 0;
	self->config.mux = 8;
	EXPECT_EQ(-EFAULT, add(self->fd, &self->config));
	EXPECT_EQ(-EFAULT, add(self->fd, (struct gpuoa_config *)8));
}

TEST_F(configs, structs_grow_at_their_end)
{
	struct {
		struct gpuoa_config config;
		uint64_t future;
	} big = { .config = self->config, .future = 0 };
	unsigned int cmd = _IOWR('O', 0x41, big);
	struct {
		struct gpuoa_unit_info info;
		uint64_t future;
	} info = { .future = ~0ULL };

	EXPECT_EQ(0, ioctl(self->fd, cmd, &big));
	EXPECT_LT(1, big.config.id);
	big.future = 1;
	EXPECT_EQ(-1, ioctl(self->fd, cmd, &big));
	EXPECT_EQ(E2BIG, errno);

	/* Fields that the kernel does not know are zeroed. */
	EXPECT_EQ(0, ioctl(self->fd, _IOR('O', 0x40, info), &info));
	EXPECT_EQ(0, info.future);
}

TEST_F(configs, enoent_for_unknown_ids)
{
	EXPECT_EQ(-ENOENT, remove_id(self->fd, 0));
	EXPECT_EQ(-ENOENT, remove_id(self->fd, 4711));
	EXPECT_EQ(-EFAULT, ioctl(self->fd, GPUOA_IOC_REMOVE_CONFIG, 8) ? -errno : 0);
}

/*
 * The timeout is long, because this test makes 8,000 calls, each of which creates or removes a
 * directory in sysfs.
 */
TEST_F_TIMEOUT(configs, unit_has_at_most_4096, 300)
{
	static uint32_t ids[4096];
	unsigned int n, i;

	if (!access("/proc/lockdep", F_OK))
		SKIP(return, "takes ten minutes with lockdep and KASAN");
	for (n = 0; n < sizeof(ids) / sizeof(*ids); n++) {
		/* Make the first digits of the UUIDs differ, which speeds up their comparison. */
		snprintf(self->config.uuid, sizeof(self->config.uuid),
			 "%x%x%x%05x-89ab-cdef-0123-456789abcdef", n & 15, n >> 4 & 15, n >> 8 & 15,
			 n);
		if (add(self->fd, &self->config))
			break;
		ids[n] = self->config.id;
	}
	/* TestOa is the 4096th configuration. */
	EXPECT_EQ(4095, n);
	EXPECT_EQ(-ENOSPC, add(self->fd, &self->config));
	for (i = 0; i < n; i++)
		EXPECT_EQ(0, remove_id(self->fd, ids[i]));
	EXPECT_EQ(0, add(self->fd, &self->config));
	EXPECT_EQ(0, remove_id(self->fd, self->config.id));
}

TEST_F(configs, eacces_without_cap_perfmon)
{
	struct __user_cap_header_struct header = { .version = _LINUX_CAPABILITY_VERSION_3 };
	struct __user_cap_data_struct data[2] = {};
	int status;
	pid_t child = fork();

	if (!child) {
		syscall(SYS_capset, &header, data);
		_exit((add(self->fd, &self->config) == -EACCES) +
		      2 * (remove_id(self->fd, 4711) == -EACCES));
	}
	waitpid(child, &status, 0);
	EXPECT_EQ(3, WEXITSTATUS(status));
}

TEST_F(configs, enotty_for_unknown_ioctls)
{
	EXPECT_EQ(-1, ioctl(self->fd, _IO('O', 0x7f), 0));
	EXPECT_EQ(ENOTTY, errno);
	EXPECT_EQ(-1, ioctl(self->fd, _IO('X', 0x40), 0));
	EXPECT_EQ(ENOTTY, errno);
}

TEST_HARNESS_MAIN
