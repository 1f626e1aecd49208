// SPDX-License-Identifier: MIT
/*
 * ze_program.c - a program that loads kernels by fake_ze.c
 *
 *   ze_program ZEBIN KERNEL...         linked with the loader
 *   ze_host PLUGIN ZEBIN KERNEL...     only the plugin, ze_plugin.so, is
 *
 * If $FAKE_ZE_THREADS is set, each kernel is created by its own thread.
 */
#include <dlfcn.h>
#include <pthread.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>

int run(int argc, char **argv);

#ifdef WITH_LOADER
struct kernel_desc {
	int stype;
	const void *next;
	uint32_t flags;
	const char *name;
};

void *fake_ze_driver(void);
int zeContextCreate(void *driver, const void *desc, void **context);
int zeModuleCreate(void *context, void *device, const void *desc, void **module, void **log);
int zeModuleDestroy(void *module);
int zeKernelCreate(void *module, const struct kernel_desc *desc, void **kernel);

static void *module;

static void *create(void *name)
{
	const struct kernel_desc desc = { .name = name };
	void *kernel;

	return zeKernelCreate(module, &desc, &kernel) ? name : NULL;
}

#define THREADS_MAX 16

/* Returns 0 if all kernels were created. */
static int create_by_threads(char **names, int count)
{
	pthread_t threads[THREADS_MAX];
	int started = 0, result = count > THREADS_MAX;
	void *failed;

	while (!result && started < count) {
		result = pthread_create(&threads[started], NULL, create, names[started]);
		started += !result;
	}
	while (started--) {
		pthread_join(threads[started], &failed);
		result |= !!failed;
	}
	return result;
}

int run(int argc, char **argv)
{
	void *context;
	int result = zeContextCreate(fake_ze_driver(), NULL, &context);

	if (!result)
		result = zeModuleCreate(context, NULL, argv[1], &module, NULL);
	if (!result && getenv("FAKE_ZE_THREADS"))
		result = create_by_threads(argv + 2, argc - 2);
	else
		for (int i = 2; i < argc && !result; i++)
			result = !!create(argv[i]);
	if (!result)
		result = zeModuleDestroy(module);
	if (result)
		fprintf(stderr, "ze_program: error %#x\n", (unsigned int)result);
	return !!result;
}

int main(int argc, char **argv)
{
	return argc < 2 ? 2 : run(argc, argv);
}
#else
int main(int argc, char **argv)
{
	void *plugin = argc > 2 ? dlopen(argv[1], RTLD_NOW | RTLD_LOCAL) : NULL;
	int (*function)(int, char **) = plugin ? (int (*)(int, char **))dlsym(plugin, "run") : NULL;

	if (!function) {
		fprintf(stderr, "ze_host: cannot load the plugin: %s\n", dlerror());
		return 1;
	}
	return function(argc - 1, argv + 1);
}
#endif
