// SPDX-License-Identifier: MIT
/*
 * fake_ze.c - a libze_loader.so.1 with a driver, for tests of libgpuoa-ze.so
 *
 * A module is the file that its description names. Its debug information is the file
 * $FAKE_ZE_DEBUG, if set. Kernels are scale and copy at the addresses of placed.zebin. If
 * $FAKE_ZE_INTERCEPT is set, handles of kernels are those of a loader with several drivers: the
 * driver does not take them. If $FAKE_ZE_THREADS is set, fstat() takes 100 ms, so that threads that
 * do not exclude each other find a file empty.
 */
#define _GNU_SOURCE /* AT_EMPTY_PATH */
#include <fcntl.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#define ERROR_UNINITIALIZED 0x78000001
#define ERROR_INVALID_ARGUMENT 0x78000004
#define KERNEL_TYPE 11
#define DRIVER_MAGIC 0x4b454e4c

struct module {
	void *data;
	size_t size;
};

struct kernel {
	uint32_t magic; /* of the driver's kernels */
	uint64_t address;
	size_t size;
};

struct loader_kernel {
	uint32_t none;
	struct kernel *handle;
};

struct kernel_desc {
	int stype;
	const void *next;
	uint32_t flags;
	const char *name;
};

static int driver, wrong_driver, context;

static void *load(const char *path, size_t *size)
{
	FILE *file = fopen(path, "r");
	char *data = malloc(1 << 20);

	*size = file && data ? fread(data, 1, 1 << 20, file) : 0;
	if (file)
		fclose(file);
	return data;
}

/* The first driver is not that of the context. */
int zeDriverGet(uint32_t *count, void **drivers)
{
	*count = 1;
	drivers[0] = &wrong_driver;
	return 0;
}

int zeContextCreate(void *of, const void *desc, void **handle)
{
	(void)desc;
	*handle = &context;
	return of == &driver ? 0 : ERROR_INVALID_ARGUMENT;
}

/* For the program: the driver of the GPU */
void *fake_ze_driver(void)
{
	return &driver;
}

int zeModuleCreate(void *of, void *device, const void *desc, void **handle, void **log)
{
	struct module *module = calloc(1, sizeof(*module));

	(void)device;
	(void)log;
	if (of != &context || !module)
		return ERROR_INVALID_ARGUMENT;
	module->data = load(desc, &module->size);
	*handle = module;
	return module->size ? 0 : ERROR_INVALID_ARGUMENT;
}

int zeModuleDestroy(void *handle)
{
	struct module *module = handle;

	free(module->data);
	free(module);
	return 0;
}

static int give(size_t *size, uint8_t *data, const void *from, size_t count)
{
	if (data && *size < count)
		return ERROR_INVALID_ARGUMENT;
	if (data)
		memcpy(data, from, count);
	*size = count;
	return 0;
}

int zeModuleGetNativeBinary(void *handle, size_t *size, uint8_t *data)
{
	const struct module *module = handle;

	return give(size, data, module->data, module->size);
}

int zetModuleGetDebugInfo(void *handle, int format, size_t *size, uint8_t *data)
{
	const char *path = getenv("FAKE_ZE_DEBUG");
	size_t count = 0;
	void *info = path && !format ? load(path, &count) : NULL;
	const int result = give(size, data, info, count);

	(void)handle;
	free(info);
	return path ? result : ERROR_UNINITIALIZED;
}

int zeKernelCreate(void *module, const struct kernel_desc *desc, void **handle)
{
	struct kernel *kernel = calloc(1, sizeof(*kernel));
	struct loader_kernel *outer = calloc(1, sizeof(*outer));
	const int is_copy = !strcmp(desc->name, "copy");

	if (!module || !kernel || !outer)
		return ERROR_INVALID_ARGUMENT;
	*kernel = (struct kernel){ DRIVER_MAGIC, 0x8001fffe5000 + (is_copy ? 0x300 : 0),
				   is_copy ? 0x40 : 0x80 };
	outer->handle = kernel;
	*handle = getenv("FAKE_ZE_INTERCEPT") ? (void *)outer : (void *)kernel;
	return 0;
}

static int launch(const void *list, const void *kernel, uint32_t wait_count)
{
	return list || !kernel || wait_count ? ERROR_INVALID_ARGUMENT : 0;
}

int zeCommandListAppendLaunchKernel(void *list, void *kernel, const void *groups, void *signal,
				    uint32_t wait_count, void **waits)
{
	(void)signal;
	(void)waits;
	return groups ? launch(list, kernel, wait_count) : ERROR_INVALID_ARGUMENT;
}

int zeCommandListAppendLaunchKernelIndirect(void *list, void *kernel, const void *groups,
					    void *signal, uint32_t wait_count, void **waits)
{
	(void)groups;
	(void)signal;
	(void)waits;
	return launch(list, kernel, wait_count);
}

int zelLoaderTranslateHandle(int type, void *handle, void **inner)
{
	if (type != KERNEL_TYPE)
		return ERROR_INVALID_ARGUMENT;
	*inner = getenv("FAKE_ZE_INTERCEPT") ? ((struct loader_kernel *)handle)->handle : handle;
	return 0;
}

int zeKernelGetBinaryExp(void *handle, size_t *size, uint8_t *data)
{
	void *inner;

	(void)data;
	zelLoaderTranslateHandle(KERNEL_TYPE, handle, &inner);
	*size = ((struct kernel *)inner)->size;
	return 0;
}

static int get_base_address(void *handle, uint64_t *address)
{
	const struct kernel *kernel = handle;

	if (kernel->magic != DRIVER_MAGIC)
		return ERROR_INVALID_ARGUMENT;
	*address = kernel->address;
	return 0;
}

int zeDriverGetExtensionFunctionAddress(void *of, const char *name, void **function)
{
	if (of != &driver || strcmp(name, "zexKernelGetBaseAddress"))
		return ERROR_INVALID_ARGUMENT;
	*function = (void *)get_base_address;
	return 0;
}

/* Instead of the C library's: this library precedes it. */
int fstat(int fd, struct stat *status)
{
	const int result = fstatat(fd, "", status, AT_EMPTY_PATH);

	if (getenv("FAKE_ZE_THREADS"))
		usleep(100000);
	return result;
}
