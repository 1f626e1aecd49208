// SPDX-License-Identifier: MIT
/*
 * freq_pin_test.c - Check that a frequency pin is set through the driver's sysfs files, which are
 * restored, or by the provider of an OA unit, which is simulated.
 */
#define _GNU_SOURCE /* nftw */
#include <inttypes.h>
#include <sys/eventfd.h>
#include <sys/sysmacros.h>

#include "fake_calls.h"

#include "base/sysfs.h"
#include "device/scan.h"
#include "extra/device/freq_pin.h"
#include "extra/device/gpu_name.h"
#include "gpuoa-freq-pin.h"
#include "tap.h"
#include "tree.h"
#include "uapi/gpuoa.h"

#define CARD "sys/class/drm/card0/"
#define MHZ UINT64_C(1000000)

static struct gpuoa_freq_pin *pin;

/* The sysfs files of a driver: their directory, and the prefix and suffix of their names */
static const struct driver {
	const char *name;
	const char *unit; /* name of the OA unit; NULL: units can only be listed with the device */
	const char *directory;
	const char *before;
	const char *after;
	bool boost;
} drivers[] = {
	{ "i915", "i915:0", CARD "gt/gt0/", "rps_", "_freq_mhz", true },
	{ "i915", "i915:0", CARD, "gt_", "_freq_mhz", true },
	{ "xe", NULL, CARD "device/tile0/gt0/freq0/", "", "_freq", false },
};

#define DRIVERS (sizeof(drivers) / sizeof(drivers[0]))

static const struct driver *driver;

static void file_path(const char *name, char path[128])
{
	snprintf(path, 128, "%s%s%s%s", driver->directory, driver->before, name, driver->after);
}

static void put(const char *name, unsigned int mhz)
{
	char path[128], text[16];

	file_path(name, path);
	snprintf(text, sizeof(text), "%u\n", mhz);
	tree_file(path, text);
}

static bool has(const char *name, int64_t mhz)
{
	char path[128], whole[PATH_MAX];

	file_path(name, path);
	return sysfs_path(whole, tree_root, "/%s", path) && sysfs_number(whole) == mhz;
}

static int open_named(const char *name)
{
	const struct complaint complaint = complaint_begin(NULL, 0);
	struct freq_pin_machine machine = { .root = tree_root };
	struct scan scan = { .count = 0 };
	int err = scan_devices(tree_root, &scan);

	pin = NULL;
	machine.devices = scan.devices;
	machine.count = scan.count;
	if (!err)
		err = freq_pin_open_on(&machine, name, &pin, &complaint);
	scan_free(&scan);
	return err;
}

/* Create a GPU that supports 300 to 1300 MHz and that its driver limits to 400 to 1200 MHz. */
static void begin(const struct driver *which)
{
	driver = which;
	tree_begin();
	tree_pci("0000:00:02.0", "0x8086\n", "0x9a49\n", "0x030000\n");
	tree_node("card0", "226:0\n", TREE_PCI "0000:00:02.0");
	tree_node("renderD128", "226:128\n", TREE_PCI "0000:00:02.0");
	if (which) {
		tree_driver("0000:00:02.0", which->name);
		tree_file(CARD "metrics/1/id", "1\n");
		put("min", 400);
		put("max", 1200);
		put(which->boost ? "RPn" : "rpn", 300);
		put(which->boost ? "RP0" : "rp0", 1300);
		if (which->boost)
			put("boost", 1250);
	}
	REQUIRE(!open_named("0000:00:02.0"));
}

static void end(void)
{
	gpuoa_freq_pin_close(pin);
	tree_end();
}

static bool is_as_before(void)
{
	return has("min", 400) && has("max", 1200) && (!driver->boost || has("boost", 1250));
}

static bool is_pinned(int64_t mhz)
{
	return has("min", mhz) && has("max", mhz) && (!driver->boost || has("boost", mhz));
}

static int set(uint64_t hz, uint64_t *now, char *error, size_t size)
{
	*now = hz;
	return gpuoa_freq_pin_set(pin, now, error, size);
}

static int clear(void)
{
	return gpuoa_freq_pin_clear(pin, NULL, 0);
}

static void set_pins_and_restores_clock(void)
{
	for (size_t i = 0; i < DRIVERS; i++) {
		uint64_t now;

		begin(&drivers[i]);
		CHECK(!set(700 * MHZ, &now, NULL, 0) && now == 700 * MHZ);
		CHECK(is_pinned(700));
		/*
		 * A change of the pin keeps the original values, which are restored at the end, not
		 * the pinned ones.
		 */
		CHECK(!set(0, &now, NULL, 0) && now == 1300 * MHZ);
		CHECK(is_pinned(1300));
		CHECK(!set(300 * MHZ, &now, NULL, 0) && now == 300 * MHZ);
		CHECK(!clear());
		CHECK(is_as_before());
		end();
	}
}

static void close_restores_clock(void)
{
	uint64_t now;

	begin(&drivers[0]);
	CHECK(!set(700 * MHZ, &now, NULL, 0));
	gpuoa_freq_pin_close(pin);
	CHECK(is_as_before());
	gpuoa_freq_pin_close(NULL);
	tree_end();
}

static void close_without_set_changes_nothing(void)
{
	begin(&drivers[0]);
	gpuoa_freq_pin_close(pin);
	CHECK(is_as_before());
	tree_end();
}

static void open_accepts_each_name_of_gpu(void)
{
	for (size_t i = 0; i < DRIVERS; i++) {
		const char *const names[] = { "0000:00:02.0",	     "card0",
					      "/dev/dri/card0",	     "renderD128",
					      "/dev/dri/renderD128", NULL,
					      drivers[i].unit };

		begin(&drivers[i]);
		gpuoa_freq_pin_close(pin);
		for (size_t n = 0; n < sizeof(names) / sizeof(names[0]); n++) {
			uint64_t now;

			if (!CHECK(!open_named(names[n])))
				continue;
			CHECK(!set(700 * MHZ, &now, NULL, 0));
			CHECK(is_pinned(700));
			gpuoa_freq_pin_close(pin);
			CHECK(is_as_before());
		}
		CHECK(open_named("card1") == -ENOENT);
		CHECK(open_named("card") == -ENOENT);
		tree_end();
	}
}

/* Remove a pin that was left over because the process that set it was killed. */
static void clear_removes_pin_of_killed_process(void)
{
	for (size_t i = 0; i < DRIVERS; i++) {
		begin(&drivers[i]);
		put("min", 700);
		put("max", 700);
		CHECK(!clear());
		CHECK(has("min", 300) && has("max", 1300));
		CHECK(!driver->boost || has("boost", 1300));
		end();
	}
}

static void unsupported_frequency_returns_erange(void)
{
	char error[256];
	uint64_t now;

	begin(&drivers[2]);
	CHECK(set(299 * MHZ, &now, error, sizeof(error)) == -ERANGE);
	CHECK(strstr(error, "300000000 to 1300000000"));
	CHECK(set(1301 * MHZ, &now, error, sizeof(error)) == -ERANGE);
	CHECK(is_as_before());
	end();
}

static void unprivileged_set_returns_eperm(void)
{
	const bool root = !geteuid();
	char error[256];
	uint64_t now;

	begin(&drivers[0]);
	CHECK(!chmod(tree_root, 0755));
	if (root)
		CHECK(!seteuid(65534));
	if (geteuid() != getuid()) {
		CHECK(set(700 * MHZ, &now, error, sizeof(error)) == -EPERM);
		CHECK(strstr(error, "only root"));
		CHECK(!seteuid(0));
	}
	CHECK(is_as_before());
	end();
}

static void failed_set_is_undone(void)
{
	char path[128], whole[PATH_MAX];
	uint64_t now;

	begin(&drivers[0]);
	file_path("boost", path);
	CHECK(sysfs_path(whole, tree_root, "/%s", path));
	CHECK(!unlink(whole) && !mkdir(whole, 0755));
	CHECK(set(700 * MHZ, &now, NULL, 0) == -EISDIR);
	CHECK(has("min", 400) && has("max", 1200));
	end();
}

static void gpu_without_driver_cannot_be_pinned(void)
{
	struct gpuoa_freq_pin_desc desc;
	char error[256];
	uint64_t now;

	begin(NULL);
	gpuoa_freq_pin_describe(pin, &desc, sizeof(desc));
	CHECK(!desc.available);
	CHECK(set(700 * MHZ, &now, error, sizeof(error)) == -EOPNOTSUPP);
	CHECK(strstr(error, "0000:00:02.0"));
	CHECK(clear() == -EOPNOTSUPP);
	end();
}

static void describe_returns_pin(void)
{
	struct gpuoa_freq_pin_desc desc;
	uint64_t now = 0;

	begin(&drivers[1]);
	gpuoa_freq_pin_describe(pin, &desc, sizeof(desc));
	CHECK(desc.available && desc.min_hz == 300 * MHZ && desc.max_hz == 1300 * MHZ &&
	      !desc.pinned_hz);
	CHECK(!set(500 * MHZ, &now, NULL, 0));
	gpuoa_freq_pin_describe(pin, &desc, sizeof(desc));
	CHECK(desc.pinned_hz == 500 * MHZ && desc.current_hz == 500 * MHZ);
	/* Each call reads the current clock again. */
	put("act", 450);
	gpuoa_freq_pin_describe(pin, &desc, sizeof(desc));
	CHECK(desc.pinned_hz == 500 * MHZ && desc.current_hz == 450 * MHZ);
	put("act", 0);
	gpuoa_freq_pin_describe(pin, &desc, sizeof(desc));
	CHECK(desc.current_hz == 0);
	end();
}

/* Another path of the node of a GPU is recognized by the number of the device. */
static void gpu_is_called_by_its_device_number(void)
{
	struct gpuoa_device_desc gpu = { .name = "0000:00:02.0" };
	struct stat st;

	REQUIRE(!stat("/dev/null", &st) && S_ISCHR(st.st_mode));
	strcpy(gpu.card, "/dev/dri/card7");
	strcpy(gpu.render, "/dev/dri/renderD135");
	for (uint32_t wrong = 0; wrong < 4; wrong++) {
		gpu.card_major = major(st.st_rdev) + (wrong & 1);
		gpu.card_minor = minor(st.st_rdev) + (wrong >> 1);
		CHECK(gpu_is_called(&gpu, "/dev/null") == !wrong);
	}
	for (uint32_t wrong = 0; wrong < 4; wrong++) {
		gpu.render_major = major(st.st_rdev) + (wrong & 1);
		gpu.render_minor = minor(st.st_rdev) + (wrong >> 1);
		CHECK(gpu_is_called(&gpu, "/dev/null") == !wrong);
	}
	/* The numbers of a node that does not exist mean nothing. */
	gpu.card_major = gpu.render_major = major(st.st_rdev);
	gpu.card_minor = gpu.render_minor = minor(st.st_rdev);
	*gpu.card = '\0';
	CHECK(gpu_is_called(&gpu, "/dev/null"));
	*gpu.render = '\0';
	CHECK(!gpu_is_called(&gpu, "/dev/null"));
	CHECK(!gpu_is_called(&gpu, "/dev"));
	CHECK(!gpu_is_called(&gpu, ""));
	/* A unit is called by its name or by the path of its node. */
	gpu.unit_count = 2;
	strcpy(gpu.units[1], "gpuoa1");
	CHECK(gpu_is_called(&gpu, "gpuoa1") && gpu_is_called(&gpu, "/dev/gpuoa1"));
	CHECK(!gpu_is_called(&gpu, "/dev/gpuoa2") && !gpu_is_called(&gpu, "/sys/gpuoa1"));
}

/* ---- the provider of an OA unit -------------------------------------------------------------- */

static struct {
	int open_error;
	uint64_t features;
	int pin_error;
	uint32_t flags;
	uint64_t hz; /* frequency that was requested last */
	int file;
} provider;

static int fake_open(const char *path, int flags, int mode)
{
	if (strcmp(path, "/dev/gpuoa3"))
		return openat(AT_FDCWD, path, flags, mode);
	provider.file = provider.open_error ? (int)fake_result(-provider.open_error) :
					      eventfd(0, EFD_CLOEXEC);
	return provider.file;
}

/* The hardware has steps of 50 MHz. */
static int fake_ioctl(int fd, unsigned long request, void *argument)
{
	struct gpuoa_unit_info *info = argument;
	struct gpuoa_freq_pin_arg *frequency = argument;

	CHECK(fd == provider.file);
	if (request == GPUOA_IOC_UNIT_INFO) {
		info->features = provider.features;
		info->gt_min_frequency = 350 * MHZ;
		info->gt_max_frequency = 1350 * MHZ;
		return 0;
	}
	CHECK(request == GPUOA_IOC_PIN_FREQ && !frequency->reserved);
	provider.flags = frequency->flags;
	provider.hz = frequency->hz;
	frequency->hz = frequency->hz / (50 * MHZ) * (50 * MHZ);
	return (int)fake_result(-provider.pin_error);
}

static int open_served(void)
{
	const struct complaint complaint = complaint_begin(NULL, 0);
	const struct gpuoa_device_desc gpu = { .name = "0000:00:02.0",
					       .card = "/dev/dri/card0",
					       .unit_count = 1,
					       .units = { "gpuoa3" } };
	const struct freq_pin_machine machine = { .root = tree_root, .devices = &gpu, .count = 1 };

	return freq_pin_open_on(&machine, NULL, &pin, &complaint);
}

/* Begin with a driver that also has sysfs files, which may not be used. */
static void begin_served(void)
{
	memset(&provider, 0, sizeof(provider));
	provider.features = GPUOA_FEATURE_FREQUENCY;
	begin(&drivers[1]);
	gpuoa_freq_pin_close(pin);
	pin = NULL;
}

static void provider_pins_the_clock(void)
{
	struct gpuoa_freq_pin_desc desc;
	uint64_t now;

	begin_served();
	REQUIRE(!open_served());
	gpuoa_freq_pin_describe(pin, &desc, sizeof(desc));
	CHECK(desc.available && desc.min_hz == 350 * MHZ && desc.max_hz == 1350 * MHZ);
	CHECK(!set(720 * MHZ, &now, NULL, 0) && now == 700 * MHZ);
	CHECK(provider.hz == 720 * MHZ && provider.flags == GPUOA_PIN_FREQ_SET);
	gpuoa_freq_pin_describe(pin, &desc, sizeof(desc));
	CHECK(desc.pinned_hz == 700 * MHZ && desc.current_hz == 700 * MHZ);
	CHECK(!set(0, &now, NULL, 0) && now == 1350 * MHZ && provider.hz == 1350 * MHZ);
	CHECK(!clear() && !provider.hz && provider.flags == GPUOA_PIN_FREQ_SET);
	gpuoa_freq_pin_describe(pin, &desc, sizeof(desc));
	CHECK(!desc.pinned_hz && !desc.current_hz);
	CHECK(is_as_before());
	/* Closing the file removes the pin. */
	CHECK(!set(800 * MHZ, &now, NULL, 0));
	gpuoa_freq_pin_close(pin);
	CHECK(fcntl(provider.file, F_GETFD) < 0 && is_as_before());
	tree_end();
}

static void provider_without_the_feature_is_not_used(void)
{
	uint64_t now;

	begin_served();
	provider.features = ~(uint64_t)GPUOA_FEATURE_FREQUENCY;
	REQUIRE(!open_served());
	CHECK(fcntl(provider.file, F_GETFD) < 0);
	CHECK(!set(700 * MHZ, &now, NULL, 0) && is_pinned(700));
	end();
}

static void errors_of_the_provider_have_messages(void)
{
	static const struct {
		int error, result;
		const char *text;
	} cases[] = {
		{ EPERM, -EPERM, "0000:00:02.0: cannot pin the clock: it needs CAP_SYS_ADMIN" },
		{ EACCES, -EPERM, "0000:00:02.0: cannot pin the clock: it needs CAP_SYS_ADMIN" },
		{ EBUSY, -EBUSY,
		  "0000:00:02.0: cannot pin the clock: another process has pinned it" },
		{ ENODEV, -ENODEV, "0000:00:02.0 was removed" },
		{ EIO, -EIO, "cannot pin the clock of 0000:00:02.0: Input/output error" },
	};
	struct gpuoa_freq_pin_desc desc;
	char error[256];
	uint64_t now;

	begin_served();
	provider.open_error = ENXIO;
	CHECK(open_served() == -ENXIO);
	provider.open_error = 0;
	REQUIRE(!open_served());
	CHECK(!set(400 * MHZ, &now, NULL, 0));
	for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
		provider.pin_error = cases[i].error;
		CHECK(set(500 * MHZ, &now, error, sizeof(error)) == cases[i].result);
		CHECK_STRING(error, cases[i].text);
		CHECK(gpuoa_freq_pin_clear(pin, error, sizeof(error)) == cases[i].result);
		CHECK_STRING(error, cases[i].text);
	}
	/* The clock is still pinned as before. */
	CHECK(now == 500 * MHZ);
	gpuoa_freq_pin_describe(pin, &desc, sizeof(desc));
	CHECK(desc.pinned_hz == 400 * MHZ);
	CHECK(set(349 * MHZ, &now, error, sizeof(error)) == -ERANGE);
	CHECK(strstr(error, "350000000 to 1350000000"));
	end();
}

/* ---- files with unusual values --------------------------------------------------------------- */

/* The range of the hardware must be known, and not be empty. */
static void clock_of_unknown_range_is_not_pinned(void)
{
	static const unsigned int ranges[][2] = { { 0, 1300 }, { 1301, 1300 } };
	struct gpuoa_freq_pin_desc desc;

	for (size_t i = 0; i < 2; i++) {
		begin(&drivers[1]);
		gpuoa_freq_pin_close(pin);
		put("RPn", ranges[i][0]);
		put("RP0", ranges[i][1]);
		REQUIRE(!open_named(NULL));
		gpuoa_freq_pin_describe(pin, &desc, sizeof(desc));
		CHECK(!desc.available && clear() == -EOPNOTSUPP);
		end();
	}
	begin(&drivers[1]);
	gpuoa_freq_pin_close(pin);
	put("RPn", 1300);
	REQUIRE(!open_named(NULL));
	gpuoa_freq_pin_describe(pin, &desc, sizeof(desc));
	CHECK(desc.available && desc.min_hz == 1300 * MHZ && desc.max_hz == 1300 * MHZ);
	end();
}

/* Half of a MHz and more is rounded up. */
static void frequency_is_rounded_to_mhz(void)
{
	uint64_t now;

	begin(&drivers[1]);
	CHECK(!set(700 * MHZ + MHZ / 2 - 1, &now, NULL, 0) && now == 700 * MHZ && is_pinned(700));
	CHECK(!set(700 * MHZ + MHZ / 2, &now, NULL, 0) && now == 701 * MHZ && is_pinned(701));
	end();
}

static void missing_gpu_returns_error(void)
{
	struct gpuoa_freq_pin *opened;
	char error[128];
	const int err = gpuoa_freq_pin_open("0000:ff:1f.7", &opened, error, sizeof(error));

	CHECK(err == -ENOENT || err == -ENODEV);
	CHECK(strstr(error, "0000:ff:1f.7"));
}

int main(void)
{
	RUN(set_pins_and_restores_clock);
	RUN(open_accepts_each_name_of_gpu);
	RUN(close_restores_clock);
	RUN(close_without_set_changes_nothing);
	RUN(clear_removes_pin_of_killed_process);
	RUN(unsupported_frequency_returns_erange);
	RUN(unprivileged_set_returns_eperm);
	RUN(failed_set_is_undone);
	RUN(gpu_without_driver_cannot_be_pinned);
	RUN(describe_returns_pin);
	RUN(gpu_is_called_by_its_device_number);
	RUN(provider_pins_the_clock);
	RUN(provider_without_the_feature_is_not_used);
	RUN(errors_of_the_provider_have_messages);
	RUN(clock_of_unknown_range_is_not_pinned);
	RUN(frequency_is_rounded_to_mhz);
	RUN(missing_gpu_returns_error);
	return tap_end();
}
