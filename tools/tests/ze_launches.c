// SPDX-License-Identifier: MIT
/*
 * ze_launches.c - a program that launches kernels of fake_ze.c from several functions
 *
 *   ze_launches ZEBIN CALLS HOW...
 *
 * The program launches scale CALLS times with 10 thread groups from twice(), and once with 200 *
 * CALLS from once(). HOW: "thread": from a thread. "indirect": one more, with an unknown number of
 * thread groups. "generated": once() is called by code that the program generates and describes in
 * /tmp/perf-PID.map. "child": also from a child process. "kill": the program kills itself at the
 * end. "time": print the CPU time of a launch, in ns. "deep": from a recursion of 400 calls.
 */
#include <pthread.h>
#include <signal.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

struct kernel_desc {
	int stype;
	const void *next;
	uint32_t flags;
	const char *name;
};

struct group_count {
	uint32_t x, y, z;
};

void *fake_ze_driver(void);
int zeContextCreate(void *driver, const void *desc, void **context);
int zeModuleCreate(void *context, void *device, const void *desc, void **module, void **log);
int zeKernelCreate(void *module, const struct kernel_desc *desc, void **kernel);
int zeCommandListAppendLaunchKernel(void *list, void *kernel, const struct group_count *groups,
				    void *signal, uint32_t wait_count, void **waits);
int zeCommandListAppendLaunchKernelIndirect(void *list, void *kernel,
					    const struct group_count *groups, void *signal,
					    uint32_t wait_count, void **waits);

#define NOINLINE __attribute__((noinline))

static void *kernel;
static long calls;
static volatile int failed;

/* The functions are not the last ones that their callers call, so that they stay in the stack. */
static NOINLINE void launch(uint32_t x)
{
	const struct group_count groups = { x, 1, 1 };

	failed |= zeCommandListAppendLaunchKernel(NULL, kernel, &groups, NULL, 0, NULL);
}

static NOINLINE void twice(void)
{
	for (long i = 0; i < calls; i++)
		launch(10);
	failed |= 0;
}

static NOINLINE void once(void)
{
	launch(200 * (uint32_t)calls);
	failed |= 0;
}

static NOINLINE void indirect(void)
{
	failed |= zeCommandListAppendLaunchKernelIndirect(NULL, kernel, NULL, NULL, 0, NULL);
}

static NOINLINE void deep(int left)
{
	if (left)
		deep(left - 1);
	else
		launch(10);
	failed |= 0;
}

static void *thread(void *unused)
{
	once();
	return unused;
}

/* push %rbp; mov %rsp, %rbp; call *%rdi; pop %rbp; ret */
static const unsigned char generated_code[] = { 0x55, 0x48, 0x89, 0xe5, 0xff, 0xd7, 0x5d, 0xc3 };

static NOINLINE void generated(void)
{
	void *memory = mmap(NULL, 4096, PROT_READ | PROT_WRITE | PROT_EXEC,
			    MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
	char path[64];
	FILE *file;

	snprintf(path, sizeof(path), "/tmp/perf-%d.map", (int)getpid());
	file = fopen(path, "w");
	if (memory == MAP_FAILED || !file)
		abort();
	memcpy(memory, generated_code, sizeof(generated_code));
	fprintf(file, "%lx %zx py::train:/src/train.py\n", (unsigned long)(uintptr_t)memory,
		sizeof(generated_code));
	fclose(file);
	((void (*)(void (*)(void)))memory)(once);
	failed |= 0;
}

static double cpu_time(void)
{
	struct timespec time;

	clock_gettime(CLOCK_THREAD_CPUTIME_ID, &time);
	return (double)time.tv_sec * 1e9 + (double)time.tv_nsec;
}

/* Returns whether the kernel was created. */
static bool create(const char *zebin)
{
	const struct kernel_desc desc = { .name = "scale" };
	void *context, *module;

	return !zeContextCreate(fake_ze_driver(), NULL, &context) &&
	       !zeModuleCreate(context, NULL, zebin, &module, NULL) &&
	       !zeKernelCreate(module, &desc, &kernel);
}

static void run(const char *how, const char *zebin)
{
	pthread_t id;
	pid_t child;
	double begin;

	if (!strcmp(how, "thread")) {
		if (pthread_create(&id, NULL, thread, NULL))
			abort();
		pthread_join(id, NULL);
	} else if (!strcmp(how, "indirect")) {
		indirect();
	} else if (!strcmp(how, "generated")) {
		generated();
	} else if (!strcmp(how, "deep")) {
		deep(400);
	} else if (!strcmp(how, "child")) {
		child = fork();
		if (!child) {
			if (create(zebin))
				once();
			_exit(failed);
		}
		waitpid(child, NULL, 0);
	} else if (!strcmp(how, "kill")) {
		raise(SIGKILL);
	} else if (!strcmp(how, "time")) {
		begin = cpu_time();
		twice();
		printf("%.0f ns\n", (cpu_time() - begin) / (double)calls);
	}
}

int main(int argc, char **argv)
{
	calls = argc < 3 ? 0 : strtol(argv[2], NULL, 10);
	if (!calls || !create(argv[1]))
		return 2;
	twice();
	once();
	for (int i = 3; i < argc; i++)
		run(argv[i], argv[1]);
	return failed;
}
