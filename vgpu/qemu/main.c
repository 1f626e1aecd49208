// SPDX-License-Identifier: MIT
/*
 * main.c - gpuoa-vgpu: starts QEMU with a virtual GPU served by this process, or queries one.
 */
#include <errno.h>
#include <fcntl.h>
#include <getopt.h>
#include <poll.h>
#include <signal.h>
#include <sys/prctl.h>
#include <sys/socket.h>
#include <unistd.h>

#include "device_host.h"
#include "control.h"
#include "engine.h"
#include "firmware.h"
#include "guc.h"
#include "irq.h"
#include "vgpu/model/workload.h"
#include "pci.h"
#include "mmio.h"
#include "vgpu.h"
#include "memory.h"

/**
 * struct options - parsed command line
 */
struct options {
	const struct vgpu_platform *platform;
	unsigned int workload;
	const char *log;
	const char *control;
	const char *ask;
	const char *firmware;
	bool trace;
};

/**
 * struct wires - connections to QEMU and to clients of the control interface
 * @proxy: socket with accesses of the guest
 * @messages: socket for interrupts
 * @gtt: file of the global page table
 * @vram: file of the local memory
 * @control: control interface
 */
struct wires {
	int proxy;
	int messages;
	int gtt;
	int vram;
	struct vgpu_control control;
};

static void usage(FILE *file)
{
	const char *name;
	unsigned int i;

	fputs("usage: gpuoa-vgpu --gpu NAME [--workload NAME] [--control SOCKET] [--log FILE] [--trace]\n"
	      "                  -- QEMU ARGUMENT...\n"
	      "       gpuoa-vgpu --ask SOCKET [QUESTION...]\n"
	      "       gpuoa-vgpu --firmware DIRECTORY\n"
	      "GPUs:",
	      file);
	for (i = 0; (name = vgpu_platform_name(i)); i++)
		fprintf(file, " %s", name);
	fputs("\nworkloads:", file);
	for (i = 0; i < SIM_N_WORKLOADS; i++)
		fprintf(file, " %s", sim_workload_names[i]);
	fputc('\n', file);
}

static int workload_by_name(const char *name, unsigned int *workload)
{
	unsigned int i;

	for (i = 0; i < SIM_N_WORKLOADS; i++)
		if (!strcmp(sim_workload_names[i], name)) {
			*workload = i;
			return 0;
		}

	return -ENOENT;
}

static const struct option long_options[] = {
	{ "gpu", required_argument, NULL, 'g' },
	{ "workload", required_argument, NULL, 's' },
	{ "log", required_argument, NULL, 'l' },
	{ "control", required_argument, NULL, 'c' },
	{ "trace", no_argument, NULL, 't' },
	{ "ask", required_argument, NULL, 'a' },
	{ "help", no_argument, NULL, 'h' },
	{ "firmware", required_argument, NULL, 'f' },
	{},
};

/* Return false if the program must exit with @status. */
static bool parse(int argc, char **argv, struct options *options, int *status)
{
	int option;

	*status = 2;
	while ((option = getopt_long(argc, argv, "+", long_options, NULL)) != -1) {
		switch (option) {
		case 'g':
			options->platform = vgpu_platform_find(optarg);
			if (options->platform)
				break;
			fprintf(stderr, "gpuoa-vgpu: there is no GPU '%s'\n", optarg);
			return false;
		case 's':
			if (!workload_by_name(optarg, &options->workload))
				break;
			fprintf(stderr, "gpuoa-vgpu: there is no workload '%s'\n", optarg);
			return false;
		case 'l':
			options->log = optarg;
			break;
		case 'c':
			options->control = optarg;
			break;
		case 'a':
			options->ask = optarg;
			break;
		case 'f':
			options->firmware = optarg;
			break;
		case 't':
			options->trace = true;
			break;
		case 'h':
			*status = 0;
			usage(stdout);
			return false;
		default:
			usage(stderr);
			return false;
		}
	}
	if (options->ask || options->firmware || (options->platform && optind < argc))
		return true;
	usage(stderr);
	return false;
}

static int vgpu_create(struct vgpu *vgpu, const struct options *options, const struct wires *wires)
{
	int ret;

	vgpu->platform = options->platform;
	vgpu->trace = options->trace;
	vgpu->log = options->log ? fopen(options->log, "w") : stderr;
	if (!vgpu->log)
		return -errno;
	vgpu->pci.messages = wires->messages;
	ret = vgpu_ggtt_bar_open(vgpu, wires->gtt);
	ret = ret ?: vgpu_vram_open(vgpu, wires->vram);
	ret = ret ?: vgpu_mmio_init(vgpu);
	ret = ret ?: vgpu_engines_init(vgpu);
	ret = ret ?: vgpu_irq_init(vgpu);
	ret = ret ?: vgpu_device_host_init(vgpu, options->workload);
	ret = ret ?: vgpu_guc_init(vgpu);
	ret = ret ?: vgpu_eu_stall_init(vgpu);
	ret = ret ?: vgpu_mmio_add_table(vgpu, vgpu->platform->overrides);
	if (!ret)
		vgpu_pci_init(vgpu);

	return ret;
}

#define WAIT_NS 100000

/* Get the timeout after which the GPU itself has work to do; NULL if it only waits for requests. */
static const struct timespec *patience(const struct vgpu *vgpu, bool more)
{
	static const struct timespec none, some = { .tv_nsec = WAIT_NS };
	unsigned int i;

	if (more)
		return &none;
	for (i = 0; i < vgpu->n_engines; i++)
		if (vgpu->engines[i].waits || vgpu->engines[i].work)
			return &some;
	if (vgpu_guc_is_busy(vgpu))
		return &some;

	return NULL;
}

/* Discard replies of QEMU to interrupts. */
static int drain(int messages)
{
	char answers[4096];

	return read(messages, answers, sizeof(answers)) > 0 ? 0 : -EPIPE;
}

/* Serve until QEMU exits. */
static int serve(struct vgpu *vgpu, struct wires *wires)
{
	struct vgpu_control *control = &wires->control;
	struct pollfd fds[3 + VGPU_MAX_CLIENTS] = {
		{ .fd = wires->proxy, .events = POLLIN },
		{ .fd = wires->messages, .events = POLLIN },
		{ .fd = control->listener, .events = POLLIN },
	};
	bool more = false;
	unsigned int i;
	int ret = 0;

	while (!ret) {
		for (i = 0; i < VGPU_MAX_CLIENTS; i++)
			fds[3 + i] = (struct pollfd){ control->clients[i].socket, POLLIN, 0 };
		if (ppoll(fds, ARRAY_SIZE(fds), patience(vgpu, more), NULL) < 0 && errno != EINTR)
			return -errno;
		if (fds[1].revents)
			ret = drain(wires->messages);
		if (fds[2].revents)
			vgpu_control_accept(control);
		for (i = 0; i < VGPU_MAX_CLIENTS; i++)
			if (fds[3 + i].revents)
				vgpu_control_answer(vgpu, &control->clients[i]);
		if (!ret && fds[0].revents)
			ret = vgpu_proxy_serve(vgpu, wires->proxy);
		more = vgpu_engines_run(vgpu);
		vgpu_power_update(vgpu);
	}

	return ret == -EPIPE ? 0 : ret;
}

/* Serve the GPU to QEMU, in a process that exits when QEMU does. */
static int serve_process(const struct options *options, struct wires *wires)
{
	struct vgpu *vgpu = calloc(1, sizeof(*vgpu));
	int ret = -ENOMEM;

	signal(SIGPIPE, SIG_IGN);
	signal(SIGINT, SIG_IGN);
	if (vgpu)
		ret = vgpu_create(vgpu, options, wires);
	if (!ret) {
		ret = serve(vgpu, wires);
		vgpu_device_host_destroy(vgpu);
	}
	if (ret)
		fprintf(stderr, "gpuoa-vgpu: %s\n", strerror(-ret));
	free(vgpu);

	return ret ? 1 : 0;
}

/* See preload/kvm_state.c. */
extern const char preload[], preload_end[];
__asm__(".section .rodata\n"
	".global preload, preload_end\n"
	"preload: .incbin \"" PRELOAD "\"\n"
	"preload_end: .previous\n");

/* Have QEMU load the library, before others that it was to load. */
static int preload_library(void)
{
	const size_t size = preload_end - preload;
	const char *others = getenv("LD_PRELOAD") ?: "";
	int fd = vgpu_memory_create("gpuoa-vgpu-preload", size), ret;
	char *list;

	if (fd < 0)
		return fd;
	errno = ENOSPC; /* if only a part is written */
	if (write(fd, preload, size) != (ssize_t)size)
		return -errno;
	if (asprintf(&list, "/proc/self/fd/%d %s", fd, others) < 0)
		return -ENOMEM;
	ret = setenv("LD_PRELOAD", list, 1) ? -errno : 0;
	free(list);

	return ret;
}

/* Run QEMU with the GPU before all other devices, so that the GPU gets its usual slot. */
static int exec_qemu(const struct options *options, char **qemu, int n, const struct wires *wires)
{
	const struct vgpu_platform *platform = options->platform;
	char proxy[64], messages[64], gtt[128], ggtt_bar[64], vram[128], vram_bar[64];
	char *gpu[] = {
		"-device",  proxy,
		"-chardev", messages,
		"-object",  "qtest,id=gpuoa-vgpu-interrupts,chardev=gpuoa-vgpu,log=/dev/null",
		"-object",  gtt,
		"-device",  ggtt_bar,
		"-object",  vram,
		"-device",  vram_bar,
	};
	/* The last four arguments are needed only for local memory. */
	const size_t n_gpu = ARRAY_SIZE(gpu) - (platform->vram ? 0 : 4);
	char **argv = calloc(n + ARRAY_SIZE(gpu) + 1, sizeof(*argv));
	int ret;

	if (!argv)
		return 1;
	snprintf(proxy, sizeof(proxy), "x-pci-proxy-dev,id=gpu,fd=%d,addr=2.0", wires->proxy);
	snprintf(messages, sizeof(messages), "socket,id=gpuoa-vgpu,fd=%d", wires->messages);
	snprintf(gtt, sizeof(gtt),
		 "memory-backend-file,id=gpuoa-vgpu-gtt,share=on,size=%u,mem-path=/proc/self/fd/%d",
		 platform->bar0 - platform->gtt, wires->gtt);
	snprintf(ggtt_bar, sizeof(ggtt_bar), "ivshmem-plain,memdev=gpuoa-vgpu-gtt,addr=%x.0",
		 VGPU_WINDOW_SLOT);
	snprintf(
		vram, sizeof(vram),
		"memory-backend-file,id=gpuoa-vgpu-vram,share=on,size=%llu,mem-path=/proc/self/fd/%d",
		platform->vram, wires->vram);
	snprintf(vram_bar, sizeof(vram_bar), "ivshmem-plain,memdev=gpuoa-vgpu-vram,addr=%x.0",
		 VGPU_VRAM_SLOT);
	argv[0] = qemu[0];
	memcpy(argv + 1, gpu, n_gpu * sizeof(*gpu));
	memcpy(argv + 1 + n_gpu, qemu + 1, (n - 1) * sizeof(*argv));
	ret = preload_library();
	if (!ret) {
		execvp(argv[0], argv);
		ret = -errno;
	}
	fprintf(stderr, "gpuoa-vgpu: %s: %s\n", argv[0], strerror(-ret));
	free(argv);

	return 1;
}

static int run(const struct options *options, char **qemu, int n)
{
	struct wires here = {}, there = {};
	int proxy[2], messages[2], ret = 0;
	unsigned int i;

	here.control.listener = -1;
	for (i = 0; i < VGPU_MAX_CLIENTS; i++)
		here.control.clients[i].socket = -1;
	if (options->control)
		ret = vgpu_control_open(&here.control, options->control);
	if (ret) {
		fprintf(stderr, "gpuoa-vgpu: %s: %s\n", options->control, strerror(-ret));
		return 1;
	}
	if (socketpair(AF_UNIX, SOCK_STREAM, 0, proxy) ||
	    socketpair(AF_UNIX, SOCK_STREAM, 0, messages)) {
		perror("gpuoa-vgpu");
		return 1;
	}
	here.gtt = vgpu_memory_create("gpuoa-vgpu-gtt",
				      options->platform->bar0 - options->platform->gtt);
	if (here.gtt < 0) {
		fprintf(stderr, "gpuoa-vgpu: page table: %s\n", strerror(-here.gtt));
		return 1;
	}
	if (options->platform->vram)
		here.vram = vgpu_memory_create("gpuoa-vgpu-vram", options->platform->vram);
	if (here.vram < 0) {
		fprintf(stderr, "gpuoa-vgpu: local memory: %s\n", strerror(-here.vram));
		return 1;
	}
	there.gtt = here.gtt;
	there.vram = here.vram;
	here.proxy = proxy[0];
	here.messages = messages[0];
	there.proxy = proxy[1];
	there.messages = messages[1];
	switch (fork()) {
	case -1:
		perror("gpuoa-vgpu");
		return 1;
	case 0:
		close(there.proxy);
		close(there.messages);
		return serve_process(options, &here);
	default:
		close(here.proxy);
		close(here.messages);
		return exec_qemu(options, qemu, n, &there);
	}
}

int main(int argc, char **argv)
{
	struct options options = {};
	int status, ret;

	if (!parse(argc, argv, &options, &status))
		return status;
	if (options.firmware) {
		ret = vgpu_firmware_write(options.firmware);
		if (ret)
			fprintf(stderr, "gpuoa-vgpu: %s: %s\n", options.firmware, strerror(-ret));
		return ret ? 1 : 0;
	}
	if (!options.ask)
		return run(&options, argv + optind, argc - optind);
	ret = vgpu_control_ask(options.ask, argv + optind);
	if (ret && ret != -EINVAL)
		fprintf(stderr, "gpuoa-vgpu: %s: %s\n", options.ask, strerror(-ret));

	return ret ? 1 : 0;
}
