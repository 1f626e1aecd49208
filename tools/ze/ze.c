// SPDX-License-Identifier: MIT
/*
 * ze.c - libgpuoa-ze.so, to be preloaded: write where a program loads its Level Zero kernels
 *
 * Wraps functions of Level Zero's loader. For each module, the zebin is written to
 * $GPUOA_ZE_DIR/PID-NUMBER.zebin; for each kernel, a line to $GPUOA_ZE_DIR/PID.csv, in the format
 * of gpuoa stalls report -k. Without GPUOA_ZE_DIR, and on any error, the calls are only passed on.
 * With GPUOA_ZE_STACKS, stacks.c also writes the stacks of launches. Programs that contain the
 * loader call its functions directly, so they are not seen.
 *
 * The address is that of NEO's extension zexKernelGetBaseAddress, which other drivers may not have.
 * It is a function of the driver, so it takes handles of the driver. If the machine has several
 * drivers, the loader returns different handles, and zelLoaderTranslateHandle() translates them.
 *
 * Level Zero's headers are not needed: the few declarations are below, from ze_api.h, zet_api.h and
 * ze_loader.h (Level Zero 1.17).
 */
#define _GNU_SOURCE /* RTLD_NEXT, O_CLOEXEC */
#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <limits.h>
#include <pthread.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "ze/stacks.h"

#define EXPORT __attribute__((visibility("default")))

typedef int ze_result_t;
#define ZE_RESULT_SUCCESS 0
#define ZE_RESULT_ERROR_UNINITIALIZED 0x78000001
#define ZET_MODULE_DEBUG_INFO_FORMAT_ELF_DWARF 0
#define ZEL_HANDLE_KERNEL 11

typedef ze_result_t (*driver_get)(uint32_t *count, void **drivers);
typedef ze_result_t (*get_binary)(void *handle, size_t *size, uint8_t *data);
typedef ze_result_t (*get_debug_info)(void *module, int format, size_t *size, uint8_t *data);
typedef ze_result_t (*get_extension)(void *driver, const char *name, void **function);
typedef ze_result_t (*translate_handle)(int type, void *handle, void **translated);
typedef ze_result_t (*get_base_address)(void *kernel, uint64_t *address);

struct ze_kernel_desc {
	int stype;
	const void *next;
	uint32_t flags;
	const char *name;
};

/* A module of which the zebin was written */
struct module {
	struct module *next;
	const void *handle;
	void *driver;
	pid_t pid; /* of the process that wrote the file, which may be a parent of this one */
	unsigned int number; /* of its file; 0: none */
};

struct context {
	struct context *next;
	const void *handle;
	void *driver;
};

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static struct module *modules;
static struct context *contexts;
static unsigned int file_count;

/*
 * Find a function of the loader. RTLD_NEXT does not find it if the program has loaded the loader
 * with a plugin.
 */
static void *find(const char *name)
{
	void *loader = dlopen("libze_loader.so.1", RTLD_LAZY | RTLD_NOLOAD);
	void *function = loader ? dlsym(loader, name) : NULL;

	if (loader)
		dlclose(loader); /* the program still has it */
	return function ? function : dlsym(RTLD_NEXT, name);
}

/* Pointer to the loader's function of the same name */
#define FIND(name) ((__typeof__(&(name)))find(#name))

/* ---- output ---- */

static pthread_once_t once = PTHREAD_ONCE_INIT;
static const char *output; /* directory; NULL: nothing is written */

static void read_environment(void)
{
	const char *directory = getenv("GPUOA_ZE_DIR");

	output = directory && *directory ? strdup(directory) : NULL;
	if (output && getenv("GPUOA_ZE_STACKS"))
		stacks_begin(output);
}

/* Read the environment before the program has threads that could change it. */
__attribute__((constructor)) static void begin(void)
{
	pthread_once(&once, read_environment);
}

/* A constructor of another library can call functions before begin(). */
static bool is_enabled(void)
{
	begin();
	return output;
}

static bool path_of(char path[PATH_MAX], unsigned int number)
{
	const int pid = (int)getpid();
	int length;

	if (number)
		length = snprintf(path, PATH_MAX, "%s/%d-%u.zebin", output, pid, number);
	else
		length = snprintf(path, PATH_MAX, "%s/%d.csv", output, pid);
	return length < PATH_MAX;
}

static bool write_all(int fd, const void *data, size_t size)
{
	const char *at = data;

	while (size) {
		const ssize_t written = write(fd, at, size);

		if (written <= 0)
			return false;
		at += written;
		size -= (size_t)written;
	}
	return true;
}

#define ATTEMPTS_MAX 10000

/* Create a file with the next number. A program that this process executed before can have some. */
static int create_zebin(char path[PATH_MAX], unsigned int *number)
{
	int fd = -1;

	for (int i = 0; fd < 0 && i < ATTEMPTS_MAX; i++) {
		pthread_mutex_lock(&lock);
		*number = ++file_count;
		pthread_mutex_unlock(&lock);
		if (!path_of(path, *number))
			return -1;
		fd = open(path, O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, 0600);
		if (fd < 0 && errno != EEXIST)
			return -1;
	}
	return fd;
}

/* Returns the number of the file; 0: it could not be written. */
static unsigned int write_zebin(const void *data, size_t size)
{
	unsigned int number;
	char path[PATH_MAX];
	int fd = create_zebin(path, &number);
	bool good;

	if (fd < 0)
		return 0;
	good = write_all(fd, data, size);
	close(fd);
	if (!good)
		unlink(path);
	return good ? number : 0;
}

/* Others can write to the directory if GPUOA_ZE_DIR is not that of gpuoa stalls record. */
static bool is_own_file(const struct stat *status)
{
	return S_ISREG(status->st_mode) && status->st_uid == geteuid() && status->st_nlink == 1;
}

/*
 * Append a line to the list of this process, by one write, because the process can be killed. The
 * lock is held so that only one thread finds the list empty and writes the header.
 */
static void append(uint64_t address, const char *length, const char *kernel, const char *file)
{
	static const char header[] = "pid,address,size,kernel,file\n";
	char path[PATH_MAX], *text = NULL;
	struct stat status;
	int fd, count;

	if (!path_of(path, 0))
		return;
	pthread_mutex_lock(&lock);
	fd = open(path, O_WRONLY | O_CREAT | O_APPEND | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC, 0600);
	if (fd >= 0 && !fstat(fd, &status) && is_own_file(&status)) {
		count = asprintf(&text, "%s%d,0x%" PRIx64 ",%s,\"%s\",%s\n",
				 status.st_size ? "" : header, (int)getpid(), address, length,
				 kernel, file);
		if (count > 0) {
			write_all(fd, text, (size_t)count);
			free(text);
		}
	}
	if (fd >= 0)
		close(fd);
	pthread_mutex_unlock(&lock);
}

static void write_line(const struct module *module, uint64_t address, size_t size, const char *name)
{
	char *kernel = malloc(2 * strlen(name) + 1), *to = kernel;
	char file[64] = "", length[24] = "";

	if (!kernel)
		return;
	for (; *name; name++) {
		if (*name == '"')
			*to++ = '"';
		*to++ = (unsigned char)*name < ' ' ? '?' : *name;
	}
	*to = '\0';
	if (module->number)
		snprintf(file, sizeof(file), "%d-%u.zebin", (int)module->pid, module->number);
	if (size)
		snprintf(length, sizeof(length), "%zu", size);
	append(address, length, kernel, file);
	free(kernel);
}

/* ---- contexts: the driver of each ---- */

/* Handles are reused: there is one entry of each. */
static void add_context(const void *handle, void *driver)
{
	struct context *context;

	if (!is_enabled())
		return;
	pthread_mutex_lock(&lock);
	for (context = contexts; context && context->handle != handle;)
		context = context->next;
	if (!context && (context = malloc(sizeof(*context)))) {
		*context = (struct context){ .next = contexts, .handle = handle };
		contexts = context;
	}
	if (context)
		context->driver = driver;
	pthread_mutex_unlock(&lock);
}

static void *driver_of(const void *handle)
{
	const driver_get get = (driver_get)find("zeDriverGet");
	uint32_t count = 1;
	void *driver = NULL;

	pthread_mutex_lock(&lock);
	for (const struct context *at = contexts; at && !driver; at = at->next)
		if (at->handle == handle)
			driver = at->driver;
	pthread_mutex_unlock(&lock);
	if (!driver && get && get(&count, &driver) != ZE_RESULT_SUCCESS)
		driver = NULL;
	return driver;
}

EXPORT ze_result_t zeContextCreate(void *driver, const void *desc, void **context)
{
	const __typeof__(&zeContextCreate) real = FIND(zeContextCreate);
	ze_result_t result;

	if (!real)
		return ZE_RESULT_ERROR_UNINITIALIZED;
	result = real(driver, desc, context);
	if (result == ZE_RESULT_SUCCESS)
		add_context(*context, driver);
	return result;
}

EXPORT ze_result_t zeContextCreateEx(void *driver, const void *desc, uint32_t count, void **devices,
				     void **context)
{
	const __typeof__(&zeContextCreateEx) real = FIND(zeContextCreateEx);
	ze_result_t result;

	if (!real)
		return ZE_RESULT_ERROR_UNINITIALIZED;
	result = real(driver, desc, count, devices, context);
	if (result == ZE_RESULT_SUCCESS)
		add_context(*context, driver);
	return result;
}

/* ---- modules ---- */

static ze_result_t debug_info(void *module, size_t *size, uint8_t *data)
{
	const get_debug_info get = (get_debug_info)find("zetModuleGetDebugInfo");

	return get ? get(module, ZET_MODULE_DEBUG_INFO_FORMAT_ELF_DWARF, size, data) :
		     ZE_RESULT_ERROR_UNINITIALIZED;
}

/* Write the bytes that a function returns. Returns the number of the file; 0: there is none. */
static unsigned int write_binary(void *module, get_binary get)
{
	unsigned int number = 0;
	uint8_t *data = NULL;
	size_t size = 0;

	if (get && get(module, &size, NULL) == ZE_RESULT_SUCCESS && size)
		data = malloc(size);
	if (data && get(module, &size, data) == ZE_RESULT_SUCCESS)
		number = write_zebin(data, size);
	free(data);
	return number;
}

static void add_module(void *handle, void *driver)
{
	struct module *module = malloc(sizeof(*module));

	if (!module)
		return;
	*module = (struct module){ .handle = handle, .driver = driver, .pid = getpid() };
	/* The native binary has lines if the program has; debug information is not always in it. */
	module->number = write_binary(handle, debug_info);
	if (!module->number)
		module->number = write_binary(handle, (get_binary)find("zeModuleGetNativeBinary"));
	pthread_mutex_lock(&lock);
	module->next = modules;
	modules = module;
	pthread_mutex_unlock(&lock);
}

EXPORT ze_result_t zeModuleCreate(void *context, void *device, const void *desc, void **module,
				  void **build_log)
{
	const __typeof__(&zeModuleCreate) real = FIND(zeModuleCreate);
	ze_result_t result;

	if (!real)
		return ZE_RESULT_ERROR_UNINITIALIZED;
	result = real(context, device, desc, module, build_log);
	if (result == ZE_RESULT_SUCCESS && is_enabled())
		add_module(*module, driver_of(context));
	return result;
}

EXPORT ze_result_t zeModuleDestroy(void *handle)
{
	const __typeof__(&zeModuleDestroy) real = FIND(zeModuleDestroy);
	struct module **link, *module;

	if (!real)
		return ZE_RESULT_ERROR_UNINITIALIZED;
	pthread_mutex_lock(&lock);
	for (link = &modules; *link && (*link)->handle != handle;)
		link = &(*link)->next;
	module = *link;
	if (module)
		*link = module->next;
	pthread_mutex_unlock(&lock);
	free(module);
	return real(handle);
}

/* ---- kernels ---- */

static bool get_address(void *driver, void *kernel, uint64_t *address)
{
	const get_extension extension = (get_extension)find("zeDriverGetExtensionFunctionAddress");
	const translate_handle translate = (translate_handle)find("zelLoaderTranslateHandle");
	void *function = NULL, *handle = kernel;

	if (!driver || !extension ||
	    extension(driver, "zexKernelGetBaseAddress", &function) != ZE_RESULT_SUCCESS ||
	    !function)
		return false;
	if (translate && translate(ZEL_HANDLE_KERNEL, kernel, &handle) != ZE_RESULT_SUCCESS)
		handle = kernel;
	return ((get_base_address)function)(handle, address) == ZE_RESULT_SUCCESS && *address;
}

static void add_kernel(const void *module_handle, void *kernel, const char *name)
{
	const get_binary binary = (get_binary)find("zeKernelGetBinaryExp");
	struct module module = { .handle = NULL };
	uint64_t address = 0;
	size_t size = 0;

	pthread_mutex_lock(&lock);
	for (const struct module *at = modules; at; at = at->next)
		if (at->handle == module_handle) {
			module = *at;
			break;
		}
	pthread_mutex_unlock(&lock);
	if (!module.handle || !name || !*name || !get_address(module.driver, kernel, &address))
		return;
	stacks_add_kernel(kernel, address);
	if (binary && binary(kernel, &size, NULL) != ZE_RESULT_SUCCESS)
		size = 0;
	write_line(&module, address, size, name);
}

EXPORT ze_result_t zeKernelCreate(void *module, const struct ze_kernel_desc *desc, void **kernel)
{
	const __typeof__(&zeKernelCreate) real = FIND(zeKernelCreate);
	ze_result_t result;

	if (!real)
		return ZE_RESULT_ERROR_UNINITIALIZED;
	result = real(module, desc, kernel);
	if (result == ZE_RESULT_SUCCESS)
		add_kernel(module, *kernel, desc->name);
	return result;
}

/* ---- launches ---- */

struct group_count {
	uint32_t x, y, z;
};

struct group_size {
	uint32_t x, y, z;
};

static uint64_t number_of_groups(const struct group_count *count)
{
	return count ? (uint64_t)count->x * count->y * count->z : 0;
}

/* As FIND(), but found once: programs launch many kernels. */
#define FIND_ONCE(name)                       \
	({                                    \
		static _Atomic(void *) found; \
		if (!found)                   \
			found = find(#name);  \
		(__typeof__(&(name)))found;   \
	})

#define EVENTS void *signal, uint32_t wait_count, void **waits
#define PASS_EVENTS signal, wait_count, waits

static ze_result_t add_launch(ze_result_t result, const void *kernel,
			      const struct group_count *groups, const void *caller)
{
	if (result == ZE_RESULT_SUCCESS)
		stacks_add_launch(kernel, number_of_groups(groups), caller);
	return result;
}

EXPORT ze_result_t zeCommandListAppendLaunchKernel(void *list, void *kernel,
						   const struct group_count *groups, EVENTS)
{
	const __typeof__(&zeCommandListAppendLaunchKernel) real =
		FIND_ONCE(zeCommandListAppendLaunchKernel);

	if (!real)
		return ZE_RESULT_ERROR_UNINITIALIZED;
	return add_launch(real(list, kernel, groups, PASS_EVENTS), kernel, groups,
			  __builtin_return_address(0));
}

EXPORT ze_result_t zeCommandListAppendLaunchCooperativeKernel(void *list, void *kernel,
							      const struct group_count *groups,
							      EVENTS)
{
	const __typeof__(&zeCommandListAppendLaunchCooperativeKernel) real =
		FIND_ONCE(zeCommandListAppendLaunchCooperativeKernel);

	if (!real)
		return ZE_RESULT_ERROR_UNINITIALIZED;
	return add_launch(real(list, kernel, groups, PASS_EVENTS), kernel, groups,
			  __builtin_return_address(0));
}

EXPORT ze_result_t zeCommandListAppendLaunchKernelWithParameters(void *list, void *kernel,
								 const struct group_count *groups,
								 const void *next, EVENTS)
{
	const __typeof__(&zeCommandListAppendLaunchKernelWithParameters) real =
		FIND_ONCE(zeCommandListAppendLaunchKernelWithParameters);

	if (!real)
		return ZE_RESULT_ERROR_UNINITIALIZED;
	return add_launch(real(list, kernel, groups, next, PASS_EVENTS), kernel, groups,
			  __builtin_return_address(0));
}

EXPORT ze_result_t zeCommandListAppendLaunchKernelWithArguments(void *list, void *kernel,
								struct group_count groups,
								struct group_size size,
								void **arguments, const void *next,
								EVENTS)
{
	const __typeof__(&zeCommandListAppendLaunchKernelWithArguments) real =
		FIND_ONCE(zeCommandListAppendLaunchKernelWithArguments);

	if (!real)
		return ZE_RESULT_ERROR_UNINITIALIZED;
	return add_launch(real(list, kernel, groups, size, arguments, next, PASS_EVENTS), kernel,
			  &groups, __builtin_return_address(0));
}

/* The GPU reads the number of thread groups when the kernel begins. */
EXPORT ze_result_t zeCommandListAppendLaunchKernelIndirect(void *list, void *kernel,
							   const struct group_count *groups, EVENTS)
{
	const __typeof__(&zeCommandListAppendLaunchKernelIndirect) real =
		FIND_ONCE(zeCommandListAppendLaunchKernelIndirect);

	if (!real)
		return ZE_RESULT_ERROR_UNINITIALIZED;
	return add_launch(real(list, kernel, groups, PASS_EVENTS), kernel, NULL,
			  __builtin_return_address(0));
}
