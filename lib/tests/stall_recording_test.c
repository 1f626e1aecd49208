// SPDX-License-Identifier: MIT
/*
 * stall_recording_test.c - Test recordings of EU stalls: what is written is read, readers of OA
 * streams ignore it, and damaged files are rejected.
 */
#define _GNU_SOURCE /* memmem */
#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <signal.h>
#include <stdlib.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <unistd.h>

#include "extra/stalls/kernels.h"
#include "gpuoa-stalls.h"
#include "tap.h"

static char path[] = "/tmp/stall_recording_test.XXXXXX";
static char error[512];

static struct gpuoa_stall_desc desc = {
	.device = "0000:00:02.0",
	.platform = "lnl",
	.title = "Lunar Lake",
	.period_clocks = 502,
	.xe_core_count = 8,
	.frequency = 1950000000,
};

#define WINDOWS 5
#define ADDRESSES 1000 /* do not fit in one sample */
#define ELF_SIZE 100001 /* several records */

/* Size of the recordings that are written */
static struct {
	uint32_t addresses;
	size_t elf_size;
} written = { ADDRESSES, ELF_SIZE };

static uint64_t count_of(uint32_t window, uint32_t address, uint32_t reason)
{
	return (window + 1) * 1000000 + address * 16 + reason;
}

static bool write_windows(struct gpuoa_stall_recorder *recorder)
{
	struct gpuoa_stall_sums *sums;
	bool good = !gpuoa_stall_sums_new(&sums);

	for (uint32_t w = 0; w < WINDOWS && good; w++) {
		const struct gpuoa_stall_window window = { .begin_ns = 1000 + w * 100,
							   .end_ns = 1100 + w * 100,
							   .losses = w == 2 ? 3 : 0 };

		gpuoa_stall_sums_clear(sums);
		for (uint32_t a = 0; a < written.addresses && good; a++) {
			struct gpuoa_stall_sum sum = { .address = 0xfffe0000 + 8 * a };

			for (uint32_t r = 0; r < GPUOA_STALL_REASON_COUNT; r++)
				sum.counts[r] = count_of(w, a, r);
			good = !gpuoa_stall_sums_add_sum(sums, &sum, sizeof(sum));
		}
		/* Window 3 has neither sums nor losses, so it is omitted. */
		if (w == 3)
			gpuoa_stall_sums_clear(sums);
		good &= !gpuoa_stall_recorder_write(recorder, &window, sizeof(window), sums);
	}
	gpuoa_stall_sums_free(sums);
	return good;
}

static uint8_t elf[ELF_SIZE];

/* Two files, of which one is written twice, and kernels in them */
static bool write_kernels(struct gpuoa_stall_recorder *recorder)
{
	const struct gpuoa_stall_kernel kernels[] = {
		{ .pid = 200, .file = 1, .address = 0x8001fffe5000, .size = 704, .name = "saxpy" },
		{ .file = 2 },
		{ .address = 0x1000, .size = 64, .name = "without a file" },
	};
	bool good;

	for (size_t i = 0; i < ELF_SIZE; i++)
		elf[i] = (uint8_t)(i * 7 + i / 251);
	good = gpuoa_stall_recorder_add_file(recorder, elf, written.elf_size) == 1 &&
	       gpuoa_stall_recorder_add_file(recorder, elf, 1) == 2 &&
	       gpuoa_stall_recorder_add_file(recorder, elf, written.elf_size) == 1;
	for (size_t i = 0; i < 3; i++)
		good &= !gpuoa_stall_recorder_add_kernel(recorder, &kernels[i], sizeof(kernels[i]));
	return good;
}

static bool write_launches(struct gpuoa_stall_recorder *recorder)
{
	const struct gpuoa_stall_launch launches[] = {
		{ .address = 0x8001fffe5000,
		  .count = 3,
		  .groups = 4000,
		  .stack = "main\nrun\n",
		  .pid = 200 },
		{ .address = 0x8001fffe5000, .count = 1, .stack = "1234567\n" },
	};
	bool good = true;

	for (size_t i = 0; i < 2; i++)
		good &= !gpuoa_stall_recorder_add_launch(recorder, &launches[i],
							 sizeof(launches[i]));
	return good;
}

static bool write_file(void)
{
	struct gpuoa_stall_recorder *recorder;

	desc.layout = gpuoa_stall_layout_by_name("xe2");
	if (gpuoa_stall_recorder_open(&desc, sizeof(desc), NULL, 0, path, &recorder, error,
				      sizeof(error))) {
		printf("# %s\n", error);
		return false;
	}
	/* Without a window, only the data of streams is written; this recorder has no stream. */
	return write_windows(recorder) & write_kernels(recorder) & write_launches(recorder) &
	       !gpuoa_stall_recorder_write(recorder, NULL, 0, NULL) &
	       !gpuoa_stall_recorder_close(recorder);
}

static void recording_returns_description_and_windows(void)
{
	struct gpuoa_stall_file *file;
	struct gpuoa_stall_desc read;
	struct gpuoa_stall_sums *sums;
	struct gpuoa_stall_window window;
	uint64_t previous = 0;
	uint32_t losses = 0, samples = 0, windows = 0;
	int ret;

	REQUIRE(write_file());
	REQUIRE(!gpuoa_stall_file_open(path, &file, error, sizeof(error)));
	gpuoa_stall_file_describe(file, &read, sizeof(read));
	CHECK_STRING(read.device, desc.device);
	CHECK_STRING(read.platform, desc.platform);
	CHECK_STRING(read.title, desc.title);
	CHECK(read.layout == desc.layout && read.period_clocks == 502);
	CHECK(read.xe_core_count == 8 && read.frequency == 1950000000);
	REQUIRE(!gpuoa_stall_sums_new(&sums));
	while ((ret = gpuoa_stall_file_next(file, &window, sizeof(window), sums)) > 0) {
		const uint32_t w = (uint32_t)(window.begin_ns - 1000) / 100;
		struct gpuoa_stall_sum sum;

		CHECK(w != 3 && window.end_ns == window.begin_ns + 100);
		CHECK(!window.records && !window.count);
		windows += window.begin_ns != previous;
		previous = window.begin_ns;
		losses += window.losses;
		for (uint32_t i = 0; !gpuoa_stall_sums_get(sums, i, &sum, sizeof(sum)); i++) {
			const uint32_t a = (uint32_t)(sum.address - 0xfffe0000) / 8;

			samples++;
			for (uint32_t r = 0; r < GPUOA_STALL_REASON_COUNT; r++)
				REQUIRE(sum.counts[r] == count_of(w, a, r));
		}
		gpuoa_stall_sums_clear(sums);
	}
	CHECK(!ret);
	CHECK(windows == WINDOWS - 1 && losses == 3 && samples == (WINDOWS - 1) * ADDRESSES);
	gpuoa_stall_sums_free(sums);
	gpuoa_stall_file_close(file);
	gpuoa_stall_file_close(NULL);
}

static void recording_returns_kernels_and_files(void)
{
	struct gpuoa_stall_window window;
	struct gpuoa_stall_kernel kernel;
	struct gpuoa_stall_file *file;
	const void *data;
	size_t size;

	REQUIRE(write_file());
	REQUIRE(!gpuoa_stall_file_open(path, &file, error, sizeof(error)));
	CHECK(gpuoa_stall_file_get_kernel(file, 0, &kernel, sizeof(kernel)) == -ERANGE);
	while (gpuoa_stall_file_next(file, &window, sizeof(window), NULL) > 0)
		;
	CHECK(!gpuoa_stall_file_get_kernel(file, 0, &kernel, sizeof(kernel)));
	CHECK(kernel.pid == 200 && kernel.file == 1 && kernel.address == 0x8001fffe5000);
	CHECK(kernel.size == 704 && !strcmp(kernel.name, "saxpy"));
	CHECK(!gpuoa_stall_file_get_kernel(file, 1, &kernel, sizeof(kernel)));
	CHECK(kernel.file == 2 && !kernel.name && !kernel.pid);
	CHECK(!gpuoa_stall_file_get_kernel(file, 2, &kernel, sizeof(kernel)));
	CHECK(!kernel.file && !strcmp(kernel.name, "without a file"));
	CHECK(gpuoa_stall_file_get_kernel(file, 3, &kernel, sizeof(kernel)) == -ERANGE);
	CHECK(!gpuoa_stall_file_get_elf(file, 1, &data, &size));
	CHECK(size == ELF_SIZE && !memcmp(data, elf, ELF_SIZE));
	CHECK(!gpuoa_stall_file_get_elf(file, 2, &data, &size) && size == 1);
	CHECK(gpuoa_stall_file_get_elf(file, 0, &data, &size) == -ERANGE);
	CHECK(gpuoa_stall_file_get_elf(file, 3, &data, &size) == -ERANGE);
	gpuoa_stall_file_close(file);
}

static void recording_returns_launches(void)
{
	struct gpuoa_stall_window window;
	struct gpuoa_stall_launch launch;
	struct gpuoa_stall_file *file;

	REQUIRE(write_file());
	REQUIRE(!gpuoa_stall_file_open(path, &file, error, sizeof(error)));
	while (gpuoa_stall_file_next(file, &window, sizeof(window), NULL) > 0)
		;
	CHECK(!gpuoa_stall_file_get_launch(file, 0, &launch, sizeof(launch)));
	CHECK(launch.address == 0x8001fffe5000 && launch.count == 3 && launch.groups == 4000);
	CHECK(launch.pid == 200 && !launch.reserved_1 && !strcmp(launch.stack, "main\nrun\n"));
	CHECK(!gpuoa_stall_file_get_launch(file, 1, &launch, sizeof(launch)));
	CHECK(launch.count == 1 && !launch.groups && !launch.pid);
	CHECK(!strcmp(launch.stack, "1234567\n"));
	CHECK(gpuoa_stall_file_get_launch(file, 2, &launch, sizeof(launch)) == -ERANGE);
	gpuoa_stall_file_close(file);
}

#define SOME 50

/* The lists grow, and their entries remain. */
static void recording_returns_many_kernels_files_and_launches(void)
{
	struct gpuoa_stall_recorder *recorder;
	struct gpuoa_stall_window window;
	struct gpuoa_stall_file *file;
	char text[32] = "";
	const void *data;
	size_t size;

	REQUIRE(!gpuoa_stall_recorder_open(&desc, sizeof(desc), NULL, 0, path, &recorder, error,
					   sizeof(error)));
	for (uint32_t i = 0; i < SOME; i++) {
		const struct gpuoa_stall_kernel kernel = {
			.pid = i, .file = i + 1, .address = i << 12, .size = i + 5, .name = text
		};
		const struct gpuoa_stall_launch launch = {
			.pid = i, .address = i << 12, .count = i + 1, .groups = i + 2, .stack = text
		};

		snprintf(text, sizeof(text), "kernel %" PRIu32, i);
		/* The files have the same size, but not the same bytes. */
		CHECK(gpuoa_stall_recorder_add_file(recorder, text, 32) == (int)i + 1);
		CHECK(gpuoa_stall_recorder_add_file(recorder, text, 32) == (int)i + 1);
		CHECK(!gpuoa_stall_recorder_add_kernel(recorder, &kernel, sizeof(kernel)));
		CHECK(!gpuoa_stall_recorder_add_launch(recorder, &launch, sizeof(launch)));
	}
	CHECK(!gpuoa_stall_recorder_close(recorder));
	REQUIRE(!gpuoa_stall_file_open(path, &file, error, sizeof(error)));
	CHECK(!gpuoa_stall_file_next(file, &window, sizeof(window), NULL));
	for (uint32_t i = 0; i < SOME; i++) {
		struct gpuoa_stall_kernel kernel;
		struct gpuoa_stall_launch launch;

		snprintf(text, sizeof(text), "kernel %" PRIu32, i);
		REQUIRE(!gpuoa_stall_file_get_kernel(file, i, &kernel, sizeof(kernel)));
		CHECK_STRING(kernel.name, text);
		CHECK(kernel.pid == i && kernel.file == i + 1 && kernel.address == i << 12 &&
		      kernel.size == i + 5);
		REQUIRE(!gpuoa_stall_file_get_launch(file, i, &launch, sizeof(launch)));
		CHECK_STRING(launch.stack, text);
		CHECK(launch.pid == i && launch.address == i << 12 && launch.count == i + 1 &&
		      launch.groups == i + 2);
		REQUIRE(!gpuoa_stall_file_get_elf(file, i + 1, &data, &size));
		CHECK(size == 32 && !memcmp(data, text, strlen(text) + 1));
	}
	CHECK(gpuoa_stall_file_get_kernel(file, SOME, &(struct gpuoa_stall_kernel){ 0 },
					  sizeof(struct gpuoa_stall_kernel)) == -ERANGE);
	CHECK(gpuoa_stall_file_get_elf(file, SOME + 1, &data, &size) == -ERANGE);
	gpuoa_stall_file_close(file);
}

/* No bytes of longer texts that were written before are in the file. */
static void texts_are_padded_with_zeros(void)
{
	/* Texts of a kernel and a launch, and bytes of a file; the longest ones are first. */
	static const char *const texts[] = { "a text that is longer than all others that follow it",
					     "15 characters !", "16 characters !!",
					     "17 characters !!!", "1" };
	static const char *const kinds[] = { "kernel", "launch", "elf" };
	struct gpuoa_stall_recorder *recorder;
	struct stat st;
	char *bytes;
	int fd;

	REQUIRE(!gpuoa_stall_recorder_open(&desc, sizeof(desc), NULL, 0, path, &recorder, error,
					   sizeof(error)));
	for (size_t i = 0; i < sizeof(texts) / sizeof(texts[0]); i++) {
		char text[3][64];

		for (size_t k = 0; k < 3; k++)
			snprintf(text[k], sizeof(text[k]), "%s%s", kinds[k], texts[i]);
		CHECK(!gpuoa_stall_recorder_add_kernel(
			recorder, &(struct gpuoa_stall_kernel){ .address = 8, .name = text[0] },
			sizeof(struct gpuoa_stall_kernel)));
		CHECK(!gpuoa_stall_recorder_add_launch(
			recorder, &(struct gpuoa_stall_launch){ .count = 1, .stack = text[1] },
			sizeof(struct gpuoa_stall_launch)));
		CHECK(gpuoa_stall_recorder_add_file(recorder, text[2], strlen(text[2])) ==
		      (int)i + 1);
	}
	CHECK(!gpuoa_stall_recorder_close(recorder));
	fd = open(path, O_RDONLY);
	REQUIRE(fd >= 0 && !fstat(fd, &st));
	bytes = malloc((size_t)st.st_size);
	REQUIRE(bytes && pread(fd, bytes, (size_t)st.st_size, 0) == st.st_size);
	for (size_t i = 0; i < 3 * sizeof(texts) / sizeof(texts[0]); i++) {
		const size_t kind = i % 3;
		char text[64];
		const int length = snprintf(text, sizeof(text), "%s%s", kinds[kind], texts[i / 3]);
		/* A NUL follows the text of a kernel or launch, but not the bytes of a file. */
		const size_t padded = kind == 2 ? (length + 7) / 8 * 8 : (length + 8) / 8 * 8;
		const char *at = bytes;

		/* "1" is also the begin of other texts. */
		while ((at = memmem(at, (size_t)(bytes + st.st_size - at), text, (size_t)length)) &&
		       i / 3 == 4 && at[length] >= '0')
			at++;
		REQUIRE(at);
		for (size_t k = (size_t)length; k < padded; k++)
			if (!CHECK(!at[k]))
				printf("# byte %zu of %s\n", k, text);
	}
	free(bytes);
	close(fd);
}

static void invalid_launches_are_refused(void)
{
	static char stack[GPUOA_STALL_STACK_MAX + 2];
	struct gpuoa_stall_launch launch = { .address = 0x1000, .count = 1, .stack = "x\n" };
	struct gpuoa_stall_recorder *recorder;

	desc.layout = gpuoa_stall_layout_by_name("xe2");
	REQUIRE(!gpuoa_stall_recorder_open(&desc, sizeof(desc), NULL, 0, path, &recorder, error,
					   sizeof(error)));
	CHECK(!gpuoa_stall_recorder_add_launch(recorder, &launch, sizeof(launch)));
	launch.reserved_1 = 1;
	CHECK(gpuoa_stall_recorder_add_launch(recorder, &launch, sizeof(launch)) == -E2BIG);
	launch.reserved_1 = 0;
	launch.reserved[3] = 1;
	CHECK(gpuoa_stall_recorder_add_launch(recorder, &launch, sizeof(launch)) == -E2BIG);
	launch.reserved[3] = 0;
	launch.count = 0;
	CHECK(gpuoa_stall_recorder_add_launch(recorder, &launch, sizeof(launch)) == -EINVAL);
	launch.count = 1;
	launch.stack = "";
	CHECK(gpuoa_stall_recorder_add_launch(recorder, &launch, sizeof(launch)) == -EINVAL);
	launch.stack = NULL;
	CHECK(gpuoa_stall_recorder_add_launch(recorder, &launch, sizeof(launch)) == -EINVAL);
	memset(stack, 'x', GPUOA_STALL_STACK_MAX);
	launch.stack = stack;
	CHECK(!gpuoa_stall_recorder_add_launch(recorder, &launch, sizeof(launch)));
	stack[GPUOA_STALL_STACK_MAX] = 'x';
	CHECK(gpuoa_stall_recorder_add_launch(recorder, &launch, sizeof(launch)) == -ENAMETOOLONG);
	CHECK(!gpuoa_stall_recorder_close(recorder));
}

/* An addition that fails is not in the file, but those before and after it are. */
static void failed_additions_are_left_out(void)
{
	static const char *const names[] = { "first", "second", "third" };
	struct gpuoa_stall_kernel kernel = { .address = 0x1000 };
	struct gpuoa_stall_recorder *recorder;
	struct gpuoa_stall_window window;
	struct gpuoa_stall_file *file;
	struct rlimit limit, small;
	struct stat st;

	desc.layout = gpuoa_stall_layout_by_name("xe2");
	REQUIRE(!gpuoa_stall_recorder_open(&desc, sizeof(desc), NULL, 0, path, &recorder, error,
					   sizeof(error)));
	REQUIRE(!getrlimit(RLIMIT_FSIZE, &limit) && signal(SIGXFSZ, SIG_IGN) != SIG_ERR);
	for (int i = 0; i < 3; i++) {
		kernel.name = names[i];
		small = limit;
		CHECK(!stat(path, &st));
		if (i == 1)
			small.rlim_cur = (rlim_t)st.st_size + 8;
		CHECK(!setrlimit(RLIMIT_FSIZE, &small));
		CHECK(gpuoa_stall_recorder_add_kernel(recorder, &kernel, sizeof(kernel)) ==
		      (i == 1 ? -EFBIG : 0));
		CHECK(!setrlimit(RLIMIT_FSIZE, &limit));
	}
	/* The first error is returned again at the end. */
	CHECK(gpuoa_stall_recorder_close(recorder) == -EFBIG);
	REQUIRE(!gpuoa_stall_file_open(path, &file, error, sizeof(error)));
	while (gpuoa_stall_file_next(file, &window, sizeof(window), NULL) > 0)
		;
	for (uint32_t i = 0; i < 2; i++) {
		CHECK(!gpuoa_stall_file_get_kernel(file, i, &kernel, sizeof(kernel)));
		CHECK(kernel.name && !strcmp(kernel.name, names[2 * i]));
	}
	CHECK(gpuoa_stall_file_get_kernel(file, 2, &kernel, sizeof(kernel)) == -ERANGE);
	gpuoa_stall_file_close(file);
}

static void invalid_kernels_are_refused(void)
{
	static char name[GPUOA_STALL_NAME_MAX + 2];
	struct gpuoa_stall_kernel kernel = { .address = 0x1000, .file = 1, .name = "x" };
	struct gpuoa_stall_recorder *recorder;

	desc.layout = gpuoa_stall_layout_by_name("xe2");
	REQUIRE(!gpuoa_stall_recorder_open(&desc, sizeof(desc), NULL, 0, path, &recorder, error,
					   sizeof(error)));
	CHECK(gpuoa_stall_recorder_add_file(recorder, elf, 0) == -EINVAL);
	CHECK(gpuoa_stall_recorder_add_kernel(recorder, &kernel, sizeof(kernel)) == -ENOENT);
	kernel.file = 0;
	CHECK(!gpuoa_stall_recorder_add_kernel(recorder, &kernel, sizeof(kernel)));
	kernel.reserved[3] = 1;
	CHECK(gpuoa_stall_recorder_add_kernel(recorder, &kernel, sizeof(kernel)) == -E2BIG);
	kernel.reserved[3] = 0;
	kernel.name = NULL;
	CHECK(gpuoa_stall_recorder_add_kernel(recorder, &kernel, sizeof(kernel)) == -EINVAL);
	kernel.name = "";
	CHECK(gpuoa_stall_recorder_add_kernel(recorder, &kernel, sizeof(kernel)) == -EINVAL);
	memset(name, 'x', GPUOA_STALL_NAME_MAX);
	kernel.name = name;
	CHECK(!gpuoa_stall_recorder_add_kernel(recorder, &kernel, sizeof(kernel)));
	name[GPUOA_STALL_NAME_MAX] = 'x';
	CHECK(gpuoa_stall_recorder_add_kernel(recorder, &kernel, sizeof(kernel)) == -ENAMETOOLONG);
	CHECK(!gpuoa_stall_recorder_close(recorder));
}

static void readers_of_oa_streams_ignore_the_stalls(void)
{
	struct gpuoa_reader *reader;

	REQUIRE(write_file());
	CHECK(gpuoa_file_open(path, &reader, error, sizeof(error)) == -ENODATA);
}

static void file_without_stalls_is_refused(void)
{
	struct gpuoa_stall_file *file;
	const int fd = open(path, O_WRONLY | O_TRUNC);

	REQUIRE(fd >= 0);
	CHECK(gpuoa_stall_file_open(path, &file, error, sizeof(error)) < 0);
	CHECK(strstr(error, path));
	CHECK(write(fd, "no recording at all, but text", 29) == 29);
	close(fd);
	CHECK(gpuoa_stall_file_open(path, &file, error, sizeof(error)) < 0);
	CHECK(gpuoa_stall_file_open("/no/such/file", &file, error, sizeof(error)) == -ENOENT);
	CHECK(strstr(error, "/no/such/file"));
}

/* Read a file with any content; it must end or fail, without access to other memory. */
static int read_all(void)
{
	struct gpuoa_stall_sums *sums;
	struct gpuoa_stall_window window;
	struct gpuoa_stall_kernel kernel;
	struct gpuoa_stall_launch launch;
	struct gpuoa_stall_file *file;
	int ret = gpuoa_stall_file_open(path, &file, error, sizeof(error));
	const void *data;
	size_t size, sum = 0;

	if (ret)
		return ret;
	if (gpuoa_stall_sums_new(&sums))
		return -ENOMEM;
	do
		ret = gpuoa_stall_file_next(file, &window, sizeof(window), sums);
	while (ret > 0);
	for (uint32_t i = 0; !gpuoa_stall_file_get_kernel(file, i, &kernel, sizeof(kernel)); i++)
		if (!gpuoa_stall_file_get_elf(file, kernel.file, &data, &size))
			for (size_t at = 0; at < size; at++)
				sum += ((const uint8_t *)data)[at];
	for (uint32_t i = 0; !gpuoa_stall_file_get_launch(file, i, &launch, sizeof(launch)); i++)
		sum += strlen(launch.stack);
	CHECK(sum < SIZE_MAX);
	gpuoa_stall_sums_free(sums);
	gpuoa_stall_file_close(file);
	return ret;
}

/* The size of entries would be wrong if some reasons were ignored. */
static void file_with_too_many_reasons_is_refused(void)
{
	struct gpuoa_stall_file *file;
	char bytes[4096], *text;
	const int fd = write_file() ? open(path, O_RDWR) : -1;
	ssize_t size;

	REQUIRE(fd >= 0);
	size = pread(fd, bytes, sizeof(bytes), 0);
	REQUIRE(size == sizeof(bytes));
	text = memmem(bytes, sizeof(bytes), "device=", 7);
	REQUIRE(text && strlen(text) > 8 + 2 * 65);
	memcpy(text, "reasons=", 8);
	for (text += 8; *text; text++)
		*text = text[-1] == 'x' ? ' ' : 'x';
	CHECK(pwrite(fd, bytes, sizeof(bytes), 0) == sizeof(bytes));
	CHECK(gpuoa_stall_file_open(path, &file, error, sizeof(error)) == -EBADMSG);
	CHECK(strstr(error, "the description of its EU stalls is damaged"));
	close(fd);
}

/* Such parts would make any number of files of few bytes. */
static void empty_part_of_a_file_is_refused(void)
{
	const struct {
		uint32_t number, size;
		uint64_t offset, whole;
	} part = { .number = 2, .size = 1, .whole = 1 };
	const uint32_t none = 0;
	char *bytes, *at = NULL;
	struct stat st;
	int fd;

	REQUIRE(write_file());
	fd = open(path, O_RDWR);
	REQUIRE(fd >= 0 && !fstat(fd, &st));
	bytes = malloc((size_t)st.st_size);
	REQUIRE(bytes && pread(fd, bytes, (size_t)st.st_size, 0) == st.st_size);
	at = memmem(bytes, (size_t)st.st_size, &part, sizeof(part));
	REQUIRE(at);
	CHECK(pwrite(fd, &none, sizeof(none), at - bytes + 4) == sizeof(none));
	CHECK(read_all() == -EBADMSG);
	free(bytes);
	close(fd);
}

static void damaged_files_are_read_without_a_crash(void)
{
	struct stat st;
	uint8_t *bytes;
	unsigned int failed = 0;
	int fd;

	/* A small file, because it is read thousands of times */
	written.addresses = 10;
	written.elf_size = 100;
	REQUIRE(write_file());
	written.addresses = ADDRESSES;
	written.elf_size = ELF_SIZE;
	fd = open(path, O_RDWR);
	REQUIRE(fd >= 0 && !fstat(fd, &st));
	bytes = malloc((size_t)st.st_size);
	REQUIRE(bytes && pread(fd, bytes, (size_t)st.st_size, 0) == st.st_size);
	CHECK(st.st_size > 2000 + 1200 && !read_all());
	/* Each byte of the first 2000, which hold the header, the description and a window's head
	 */
	for (off_t at = 0; at < 2000; at++) {
		const uint8_t other = (uint8_t)~bytes[at];

		CHECK(pwrite(fd, &other, 1, at) == 1);
		failed += read_all() < 0;
		CHECK(pwrite(fd, &bytes[at], 1, at) == 1);
	}
	CHECK(failed > 50);
	/* Each byte of the last 1200, which hold the kernels and the end of a file */
	for (off_t at = st.st_size - 1200; at < st.st_size; at++) {
		const uint8_t other = (uint8_t)~bytes[at];

		CHECK(pwrite(fd, &other, 1, at) == 1);
		read_all();
		CHECK(pwrite(fd, &bytes[at], 1, at) == 1);
	}
	for (off_t size = st.st_size - 1; size > 0; size -= size / 50 + 1) {
		CHECK(!ftruncate(fd, size));
		read_all();
	}
	free(bytes);
	close(fd);
}

/* ---- changed records ------------------------------------------------------------------------ */

/* A recording in memory, to change its bytes, and the 32-bit words of one of its records */
static struct {
	char *bytes;
	size_t size;
	uint32_t *words;
} changed;

#define KERNEL_WORDS 16
#define PID 0x11223344

/* Write a window of two addresses, then a kernel. */
static bool write_small(void)
{
	const struct gpuoa_stall_window window = { .begin_ns = 0x1111,
						   .end_ns = 0x2222,
						   .losses = 3 };
	const struct gpuoa_stall_kernel kernel = {
		.pid = PID, .address = 0x5566, .size = 0x77, .name = "16 letters and .."
	};
	struct gpuoa_stall_recorder *recorder;
	struct gpuoa_stall_sums *sums;
	bool good;

	if (gpuoa_stall_recorder_open(&desc, sizeof(desc), NULL, 0, path, &recorder, error,
				      sizeof(error)) ||
	    gpuoa_stall_sums_new(&sums))
		return false;
	for (uint64_t i = 1; i <= 2; i++)
		gpuoa_stall_sums_add_sum(
			sums, &(struct gpuoa_stall_sum){ .address = 8 * i, .counts = { i } },
			sizeof(struct gpuoa_stall_sum));
	good = !gpuoa_stall_recorder_write(recorder, &window, sizeof(window), sums) &&
	       !gpuoa_stall_recorder_add_kernel(recorder, &kernel, sizeof(kernel));
	gpuoa_stall_sums_free(sums);
	return !gpuoa_stall_recorder_close(recorder) && good;
}

/* Load the recording, and find the record that begins with @begin after its header. */
static bool load(const void *begin, size_t size)
{
	struct stat st;
	const int fd = open(path, O_RDONLY);
	char *at;

	if (fd < 0 || fstat(fd, &st))
		return false;
	changed.size = (size_t)st.st_size;
	changed.bytes = malloc(changed.size);
	if (!changed.bytes || read(fd, changed.bytes, changed.size) != st.st_size)
		return false;
	close(fd);
	at = memmem(changed.bytes, changed.size, begin, size);
	changed.words = at ? (uint32_t *)(void *)(at - sizeof(struct gpuoa_record)) : NULL;
	return at;
}

static bool store(void)
{
	const int fd = open(path, O_WRONLY | O_TRUNC);
	const bool good = fd >= 0 &&
			  write(fd, changed.bytes, changed.size) == (ssize_t)changed.size;

	close(fd);
	free(changed.bytes);
	return good;
}

/* Later versions may write other records, and several in a sample. */
static void unknown_records_are_skipped(void)
{
	enum { OTHER = 999, VITAL = OTHER | GPUOA_RECORD_MUST_KNOW };
	static const struct {
		uint32_t type, size; /* of the record; 0: not changed */
		uint32_t next_type, next_size; /* of the one that follows it; 0: none */
		int err;
	} cases[] = {
		{ 0, 0, 0, 0, 0 },
		{ OTHER, 0, 0, 0, 0 },
		{ VITAL, 0, 0, 0, -EBADMSG },
		{ OTHER, 8, OTHER, 56, 0 },
		{ OTHER, 56, OTHER, 8, 0 },
		{ OTHER, 8, VITAL, 56, -EBADMSG },
		{ OTHER, 56, VITAL, 8, -EBADMSG },
		{ OTHER, 7, 0, 0, -EBADMSG },
		{ OTHER, 65, 0, 0, -EBADMSG },
		{ OTHER, 60, 0, 0, -EBADMSG },
		{ OTHER, 8, OTHER, 57, -EBADMSG },
		{ OTHER, 8, OTHER, 7, -EBADMSG },
	};
	const struct {
		uint32_t pid, file;
		uint64_t address, size;
	} begin = { .pid = PID, .address = 0x5566, .size = 0x77 };

	for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
		REQUIRE(write_small() && load(&begin, sizeof(begin)));
		REQUIRE(changed.words[1] == 4 * KERNEL_WORDS);
		if (cases[i].type)
			changed.words[0] = cases[i].type;
		if (cases[i].size)
			changed.words[1] = cases[i].size;
		if (cases[i].next_type) {
			changed.words[cases[i].size / 4] = cases[i].next_type;
			changed.words[cases[i].size / 4 + 1] = cases[i].next_size;
		}
		REQUIRE(store());
		if (!CHECK(read_all() == cases[i].err))
			printf("# case %zu\n", i);
	}
}

/* Return what the next call of gpuoa_stall_file_next() returns, for the first record. */
static int read_first(struct gpuoa_stall_window *window, struct gpuoa_stall_sums *sums)
{
	struct gpuoa_stall_file *file;
	int ret = gpuoa_stall_file_open(path, &file, error, sizeof(error));

	if (ret)
		return ret;
	ret = gpuoa_stall_file_next(file, window, sizeof(*window), sums);
	gpuoa_stall_file_close(file);
	return ret;
}

static void windows_have_the_entries_that_fit(void)
{
	static const struct {
		uint32_t count, size; /* of the record */
		int ret;
	} cases[] = {
		{ 2, 32 + 2 * 88, 1 },
		{ 1, 32 + 2 * 88, 1 },
		{ 0, 32 + 2 * 88, 1 },
		{ 3, 32 + 2 * 88, -EBADMSG },
		{ 2, 32 + 2 * 88 - 1, -EBADMSG },
		{ 1, 32 + 88, 1 },
		{ 1, 32 + 87, -EBADMSG },
		{ 0, 32, 1 },
		{ 0, 31, -EBADMSG },
		{ UINT32_MAX, 32 + 2 * 88, -EBADMSG },
		{ 0, 8, -EBADMSG },
	};
	const uint64_t times[] = { 0x1111, 0x2222 };

	for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
		struct gpuoa_stall_window window = { .begin_ns = 7 };
		struct gpuoa_stall_sums *sums;

		REQUIRE(write_small() && load(times, sizeof(times)));
		REQUIRE(changed.words[1] == 32 + 2 * 88 && changed.words[7] == 2);
		changed.words[1] = cases[i].size;
		changed.words[7] = cases[i].count;
		REQUIRE(store() && !gpuoa_stall_sums_new(&sums));
		if (!CHECK(read_first(&window, sums) == cases[i].ret))
			printf("# case %zu\n", i);
		if (cases[i].ret > 0) {
			CHECK(window.begin_ns == 0x1111 && window.end_ns == 0x2222);
			CHECK(window.losses == 3);
			CHECK(gpuoa_stall_sums_count(sums) == cases[i].count);
		} else {
			CHECK(window.begin_ns == 7);
		}
		gpuoa_stall_sums_free(sums);
	}
}

/* Other programs can also write events of this name. */
static void samples_of_other_programs_are_ignored(void)
{
	struct gpuoa_stall_file *file;
	char *at;

	REQUIRE(write_small() && load("device=", 7));
	/* The description ends with one to eight zeros. */
	at = (char *)changed.words + sizeof(struct gpuoa_record);
	CHECK(changed.words[1] == sizeof(struct gpuoa_record) + (strlen(at) + 8) / 8 * 8);
	while ((at = memmem(changed.bytes, changed.size, "Gstl", 4)))
		*at = 'X';
	REQUIRE(store());
	CHECK(gpuoa_stall_file_open(path, &file, error, sizeof(error)) == -ENODATA);
	CHECK(strstr(error, "it has no EU stalls; record them with 'gpuoa stalls record'"));
	/* Without a description, windows are not readable. */
	REQUIRE(write_small() && load("device=", 7));
	at = memmem(changed.bytes, changed.size, "Gstl", 4);
	REQUIRE(at);
	*at = 'X';
	REQUIRE(store());
	CHECK(gpuoa_stall_file_open(path, &file, error, sizeof(error)) == -EBADMSG);
	CHECK(strstr(error, "the description of its EU stalls is damaged"));
}

static void windows_without_sums_have_losses(void)
{
	struct gpuoa_stall_window window = { .begin_ns = 1, .end_ns = 2 };
	struct gpuoa_stall_recorder *recorder;
	struct gpuoa_stall_file *file;
	struct gpuoa_stall_sums *sums;

	REQUIRE(!gpuoa_stall_sums_new(&sums));
	REQUIRE(!gpuoa_stall_recorder_open(&desc, sizeof(desc), NULL, 0, path, &recorder, error,
					   sizeof(error)));
	CHECK(!gpuoa_stall_recorder_write(recorder, &window, sizeof(window), sums));
	window = (struct gpuoa_stall_window){ .begin_ns = 2, .end_ns = 3, .losses = 1 };
	CHECK(!gpuoa_stall_recorder_write(recorder, &window, sizeof(window), sums));
	CHECK(!gpuoa_stall_recorder_close(recorder));
	REQUIRE(!gpuoa_stall_file_open(path, &file, error, sizeof(error)));
	CHECK(gpuoa_stall_file_next(file, &window, sizeof(window), sums) == 1);
	CHECK(window.begin_ns == 2 && window.end_ns == 3 && window.losses == 1);
	CHECK(!gpuoa_stall_file_next(file, &window, sizeof(window), sums));
	CHECK(window.begin_ns == 2 && window.losses == 1 && !gpuoa_stall_sums_count(sums));
	gpuoa_stall_file_close(file);
	gpuoa_stall_sums_free(sums);
}

/* The limit of the description, 16 MiB, is not one of the recording. */
static void large_recordings_are_read_to_the_end(void)
{
	struct gpuoa_stall_recorder *recorder;
	struct gpuoa_stall_window window;
	struct gpuoa_stall_file *file;
	struct gpuoa_stall_sums *sums;
	uint64_t end = 0;
	struct stat st;
	int ret;

	REQUIRE(!gpuoa_stall_sums_new(&sums));
	for (uint64_t i = 0; i < 20000; i++)
		CHECK(!gpuoa_stall_sums_add_sum(sums, &(struct gpuoa_stall_sum){ .address = 8 * i },
						sizeof(struct gpuoa_stall_sum)));
	REQUIRE(!gpuoa_stall_recorder_open(&desc, sizeof(desc), NULL, 0, path, &recorder, error,
					   sizeof(error)));
	for (uint64_t i = 0; i < 10; i++) {
		window = (struct gpuoa_stall_window){ .begin_ns = i, .end_ns = i + 1 };
		CHECK(!gpuoa_stall_recorder_write(recorder, &window, sizeof(window), sums));
	}
	CHECK(!gpuoa_stall_recorder_close(recorder));
	CHECK(!stat(path, &st) && st.st_size > 16 << 20);
	REQUIRE(!gpuoa_stall_file_open(path, &file, error, sizeof(error)));
	while ((ret = gpuoa_stall_file_next(file, &window, sizeof(window), NULL)) > 0)
		end = window.end_ns;
	CHECK(!ret && end == 10);
	gpuoa_stall_file_close(file);
	gpuoa_stall_sums_free(sums);
}

/* ---- records of kernels, launches and files ---------------------------------------------------
 */

#define TEXT_MAX                                                               \
	(GPUOA_STALL_NAME_MAX > GPUOA_STALL_STACK_MAX ? GPUOA_STALL_NAME_MAX : \
							GPUOA_STALL_STACK_MAX)

/* A record, and the text that follows its head and ends at @nul */
static struct {
	union {
		struct kernel_record kernel;
		struct launch_record launch;
		struct file_record file;
	};
	char text[TEXT_MAX + 8];
} record;

static char *text_behind(size_t head, size_t nul)
{
	char *text = (char *)&record + head;

	memset(text, 'x', sizeof(record) - head);
	text[nul] = '\0';
	return text;
}

static int take_kernel(uint64_t length, size_t room, size_t nul)
{
	struct stall_kernels kernels = { .files = NULL };
	int err;

	memset(&record, 0, sizeof(record));
	record.kernel.record.size = (uint32_t)(sizeof(record.kernel) + room);
	record.kernel.length = length;
	text_behind(sizeof(record.kernel), nul);
	err = stall_kernels_take_kernel(&kernels, &record);
	CHECK(kernels.kernel_count == !err);
	if (!err && length)
		CHECK(strlen(kernels.kernels[0].name) == length);
	if (!err && !length)
		CHECK(!kernels.kernels[0].name);
	stall_kernels_free(&kernels);
	return err;
}

static int take_launch(uint32_t length, size_t room, size_t nul)
{
	struct stall_kernels kernels = { .files = NULL };
	int err;

	memset(&record, 0, sizeof(record));
	record.launch.record.size = (uint32_t)(sizeof(record.launch) + room);
	record.launch.length = length;
	text_behind(sizeof(record.launch), nul);
	err = stall_kernels_take_launch(&kernels, &record);
	CHECK(kernels.launch_count == !err);
	if (!err)
		CHECK(strlen(kernels.launches[0].stack) == length);
	stall_kernels_free(&kernels);
	return err;
}

static void texts_are_within_their_records(void)
{
	CHECK(!take_kernel(5, 8, 5));
	CHECK(!take_kernel(8, 8, 8));
	CHECK(take_kernel(9, 8, 9) == -EBADMSG);
	CHECK(take_kernel(5, 8, 4) == -EBADMSG); /* the text is shorter */
	CHECK(!take_kernel(0, 0, 0));
	CHECK(take_kernel(0, (size_t)-1, 0) == -EBADMSG); /* half a head */
	CHECK(!take_kernel(GPUOA_STALL_NAME_MAX, TEXT_MAX, GPUOA_STALL_NAME_MAX));
	CHECK(take_kernel(GPUOA_STALL_NAME_MAX + 1, TEXT_MAX + 8, GPUOA_STALL_NAME_MAX + 1) ==
	      -EBADMSG);
	CHECK(!take_launch(1, 8, 1));
	CHECK(!take_launch(8, 8, 8));
	CHECK(take_launch(9, 8, 9) == -EBADMSG);
	CHECK(take_launch(5, 8, 4) == -EBADMSG);
	CHECK(take_launch(0, 8, 0) == -EBADMSG); /* a launch has a stack */
	CHECK(take_launch(0, (size_t)-1, 0) == -EBADMSG);
	CHECK(!take_launch(GPUOA_STALL_STACK_MAX, TEXT_MAX, GPUOA_STALL_STACK_MAX));
	CHECK(take_launch(GPUOA_STALL_STACK_MAX + 1, TEXT_MAX + 8, GPUOA_STALL_STACK_MAX + 1) ==
	      -EBADMSG);
}

/* Take part of a file. @room: bytes that follow the head of the record */
static int take_part(struct stall_kernels *kernels, struct file_record part, size_t room)
{
	record.file = part;
	record.file.record.size = (uint32_t)(sizeof(part) + room);
	text_behind(sizeof(part), 0);
	return stall_kernels_take_file(kernels, &record);
}

static void parts_of_files_are_consecutive(void)
{
	struct stall_kernels kernels = { .files = NULL };
	struct file_record part = { .number = 1, .size = 8, .whole = 24 };

	part.number = 2;
	CHECK(take_part(&kernels, part, 8) == -EBADMSG);
	part.number = 0;
	CHECK(take_part(&kernels, part, 8) == -EBADMSG);
	part.offset = 8;
	CHECK(take_part(&kernels, part, 8) == -EBADMSG);
	part.number = 1;
	CHECK(take_part(&kernels, part, 8) == -EBADMSG);
	part.offset = 0;
	part.whole = 0;
	CHECK(take_part(&kernels, part, 8) == -EBADMSG);
	part.whole = (uint64_t)STALL_FILE_MAX + 1;
	CHECK(take_part(&kernels, part, 8) == -EBADMSG && !kernels.file_count);
	part.whole = 24;
	CHECK(!take_part(&kernels, part, 8) && kernels.files[0].size == 8);
	part.offset = 16; /* a part is missing */
	CHECK(take_part(&kernels, part, 8) == -EBADMSG);
	part.offset = 8;
	part.whole = 32; /* not the size of before */
	CHECK(take_part(&kernels, part, 8) == -EBADMSG);
	part.whole = 24;
	part.size = 17; /* more than the file */
	CHECK(take_part(&kernels, part, 24) == -EBADMSG);
	part.size = 16; /* more than the record */
	CHECK(take_part(&kernels, part, 8) == -EBADMSG);
	part.size = 0;
	CHECK(take_part(&kernels, part, 8) == -EBADMSG);
	CHECK(take_part(&kernels, part, (size_t)-1) == -EBADMSG);
	part.size = 16;
	CHECK(kernels.files[0].size == 8 && !take_part(&kernels, part, 16));
	CHECK(kernels.files[0].size == 24);
	part.offset = 24;
	part.size = 8;
	CHECK(take_part(&kernels, part, 8) == -EBADMSG);
	/* The next file begins, and the one before it is complete. */
	part = (struct file_record){ .number = 2, .size = 8, .whole = STALL_FILE_MAX };
	CHECK(!take_part(&kernels, part, 8) && kernels.file_count == 2);
	part = (struct file_record){ .number = 1, .size = 8, .offset = 24, .whole = 32 };
	CHECK(take_part(&kernels, part, 8) == -EBADMSG);
	/* A file that is not complete does not continue after the begin of the next one. */
	part = (struct file_record){ .number = 3, .size = 8, .whole = 8 };
	CHECK(!take_part(&kernels, part, 8) && kernels.file_count == 3);
	part = (struct file_record){ .number = 2, .size = 8, .offset = 8, .whole = STALL_FILE_MAX };
	CHECK(take_part(&kernels, part, 8) == -EBADMSG && kernels.files[1].size == 8);
	stall_kernels_free(&kernels);
}

static void recorder_reports_errors_of_the_file(void)
{
	struct gpuoa_stall_recorder *recorder;
	struct {
		struct gpuoa_stall_desc desc;
		uint64_t more;
	} longer = { .desc = desc, .more = 1 };

	CHECK(gpuoa_stall_recorder_open(&desc, sizeof(desc), NULL, 0, "/no/such/file", &recorder,
					error, sizeof(error)) == -ENOENT);
	CHECK(strstr(error, "/no/such/file"));
	CHECK(gpuoa_stall_recorder_open(&longer.desc, sizeof(longer), NULL, 0, path, &recorder,
					error, sizeof(error)) == -E2BIG);
	CHECK(!gpuoa_stall_recorder_close(NULL));
}

int main(void)
{
	const int fd = mkstemp(path);

	if (fd < 0)
		return 1;
	close(fd);
	RUN(recording_returns_description_and_windows);
	RUN(recording_returns_kernels_and_files);
	RUN(recording_returns_launches);
	RUN(recording_returns_many_kernels_files_and_launches);
	RUN(texts_are_padded_with_zeros);
	RUN(failed_additions_are_left_out);
	RUN(invalid_kernels_are_refused);
	RUN(invalid_launches_are_refused);
	RUN(readers_of_oa_streams_ignore_the_stalls);
	RUN(file_without_stalls_is_refused);
	RUN(file_with_too_many_reasons_is_refused);
	RUN(empty_part_of_a_file_is_refused);
	RUN(damaged_files_are_read_without_a_crash);
	RUN(unknown_records_are_skipped);
	RUN(windows_have_the_entries_that_fit);
	RUN(samples_of_other_programs_are_ignored);
	RUN(windows_without_sums_have_losses);
	RUN(large_recordings_are_read_to_the_end);
	RUN(texts_are_within_their_records);
	RUN(parts_of_files_are_consecutive);
	RUN(recorder_reports_errors_of_the_file);
	unlink(path);
	return tap_end();
}
