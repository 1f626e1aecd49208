// SPDX-License-Identifier: MIT
/*
 * control.c - the control interface: a socket for queries and settings from the host machine.
 */
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <sys/socket.h>
#include <sys/un.h>
#include <unistd.h>

#include "control.h"
#include "vgpu/model/gpu.h"
#include "vgpu/model/mmio.h"
#include "vgpu/model/oa.h"
#include "vgpu/model/platforms.h"
#include "vgpu/model/workload.h"
#include "vgpu/model/reference.h"
#include "vgpu.h"

/*
 * A query is a line of words, like those written to debugfs files of gpuoa_sim. The reply is text
 * that ends with an empty line; on failure it begins with "error:".
 */

/**
 * struct verb - a query
 * @name: first word of the query
 * @takes: arguments of the query, for the help
 * @answer: execute the query; @rest is the text after @name; returns 0 or a negative errno
 */
struct verb {
	const char *name;
	const char *takes;
	int (*answer)(struct vgpu *vgpu, const char *rest, struct seq_file *m);
};

static int answer_statistics(struct vgpu *vgpu, const char *rest, struct seq_file *m)
{
	const struct vgpu_statistics *s = &vgpu->statistics;

	seq_printf(m, "reads %llu\nwrites %llu\n", s->reads, s->writes);
	seq_printf(m, "gtt_reads %llu\ngtt_writes %llu\n", s->gtt_reads, s->gtt_writes);
	seq_printf(m, "aperture %llu\ninterrupts %llu\n", s->aperture, vgpu->pci.n_messages);
	seq_printf(m, "commands %llu\nsubmissions %llu\n", s->commands, s->submissions);
	seq_printf(m, "resets %llu\nfaults %llu\n", s->resets, s->faults);
	seq_printf(m, "page_faults %llu\n", s->page_faults);
	seq_printf(m, "asleep_accesses %llu\n", vgpu->gpu.statistics.asleep_accesses);
	seq_printf(m, "unknown_accesses %llu\n", vgpu->gpu.statistics.unknown_accesses);

	return 0;
}

static int answer_oa(struct vgpu *vgpu, const char *rest, struct seq_file *m)
{
	const struct sim_oa *oa = &vgpu->gpu.oa[0];
	const char *name = sim_oa_known(&vgpu->gpu.oa[0])->name;

	seq_printf(m, "generated %llu\nwritten %llu\n", oa->statistics.generated,
		   oa->statistics.written);
	seq_printf(m, "dropped %llu\nfaults %llu\n", oa->statistics.dropped,
		   oa->statistics.ggtt_faults);
	seq_printf(m, "half_full %llu\nrunning %d\nset %s\n", oa->statistics.half_full, oa->running,
		   name ? name : "unknown");

	return 0;
}

static int answer_registers(struct vgpu *vgpu, const char *rest, struct seq_file *m)
{
	sim_mmio_print(&vgpu->gpu, m);

	return 0;
}

static int answer_writes(struct vgpu *vgpu, const char *rest, struct seq_file *m)
{
	int ret = sim_mmio_print_log(&vgpu->gpu, m);

	if (!strcmp(rest, "clear"))
		sim_mmio_clear_log(&vgpu->gpu);

	return ret;
}

static int answer_workload(struct vgpu *vgpu, const char *rest, struct seq_file *m)
{
	unsigned int i;

	if (!*rest) {
		seq_printf(m, "%s\n", sim_gpu_workload(&vgpu->gpu));
		return 0;
	}
	for (i = 0; i < SIM_N_WORKLOADS; i++)
		if (!strcmp(sim_workload_names[i], rest)) {
			sim_gpu_set_workload(&vgpu->gpu, i);
			return 0;
		}

	return -ENOENT;
}

static int answer_timestamp(struct vgpu *vgpu, const char *rest, struct seq_file *m)
{
	seq_printf(m, "%llu\n", sim_gpu_timestamp(&vgpu->gpu));

	return 0;
}

/*
 * Get the unit named by the first word of a query, and skip that word. If it names no unit, get the
 * OA unit.
 */
static struct sim_oa *take_unit(struct vgpu *vgpu, const char **words)
{
	static const char *const names[] = {
		[GPUOA_UNIT_OA] = "OA",
		[GPUOA_UNIT_OAM0] = "OAM0",
		[GPUOA_UNIT_OAM1] = "OAM1",
		[GPUOA_UNIT_OAMG] = "OAMG",
	};
	unsigned int i;

	for (i = 0; i < vgpu->gpu.n_oa; i++) {
		const char *name = names[vgpu->gpu.platform->units[i].type];
		size_t length = strlen(name);

		if (strncmp(*words, name, length))
			continue;
		if ((*words)[length] && (*words)[length] != ' ')
			continue;
		*words += length;
		*words += **words == ' ';
		return &vgpu->gpu.oa[i];
	}

	return &vgpu->gpu.oa[0];
}

static int answer_reference(struct vgpu *vgpu, const char *rest, struct seq_file *m)
{
	struct sim_query query = { .oa = take_unit(vgpu, &rest) };
	struct sim_reference *reference;
	int ret = sim_reference_parse(&query, rest);

	if (ret)
		return ret;
	reference = sim_reference_compute(&query);
	if (!reference)
		return -ENOMEM;
	sim_reference_print(m, reference);
	sim_reference_free(reference);

	return 0;
}

static int answer_overflow(struct vgpu *vgpu, const char *rest, struct seq_file *m)
{
	struct sim_oa *oa = take_unit(vgpu, &rest);

	sim_gpu_advance(&vgpu->gpu);

	return sim_oa_overflow(oa);
}

static const struct {
	const char *name;
	size_t offset;
} faults[] = {
	{ "tail_ahead", offsetof(struct sim_faults, tail_ahead) },
	{ "land_late_us", offsetof(struct sim_faults, land_late_us) },
	{ "torn_us", offsetof(struct sim_faults, torn_us) },
	{ "missing", offsetof(struct sim_faults, missing) },
	{ "zero_ids", offsetof(struct sim_faults, zero_ids) },
	{ "lose_reports", offsetof(struct sim_faults, lose_reports) },
};

/* Set a fault to inject. Reports due before the change are written without the fault. */
static int answer_fault(struct vgpu *vgpu, const char *rest, struct seq_file *m)
{
	u8 *values = (u8 *)&take_unit(vgpu, &rest)->faults;
	unsigned int i, value;
	char name[32];
	int n = sscanf(rest, "%31s %u", name, &value);

	sim_gpu_advance(&vgpu->gpu);
	for (i = 0; i < ARRAY_SIZE(faults); i++) {
		u32 *fault = (u32 *)(values + faults[i].offset);

		if (n > 0 && strcmp(name, faults[i].name))
			continue;
		if (n < 2) {
			seq_printf(m, "%s %u\n", faults[i].name, *fault);
		} else {
			*fault = value;
			return 0;
		}
		if (n > 0)
			return 0;
	}

	return n > 0 ? -ENOENT : 0;
}

static int answer_stalls(struct vgpu *vgpu, const char *rest, struct seq_file *m)
{
	return vgpu_eu_stall_request(vgpu, rest, m);
}

static int answer_trace(struct vgpu *vgpu, const char *rest, struct seq_file *m)
{
	vgpu->trace = !strcmp(rest, "on");

	return 0;
}

static const struct verb verbs[] = {
	{ "statistics", "", answer_statistics },
	{ "oa", "", answer_oa },
	{ "registers", "", answer_registers },
	{ "writes", "[clear]", answer_writes },
	{ "workload", "[NAME]", answer_workload },
	{ "timestamp", "", answer_timestamp },
	{ "reference", "[UNIT] FROM TO [CONTEXT]", answer_reference },
	{ "overflow", "[UNIT]", answer_overflow },
	{ "fault", "[UNIT] [NAME [VALUE]]", answer_fault },
	{ "stalls", "[clear | lose N | pause 0|1 | reset]", answer_stalls },
	{ "trace", "on|off", answer_trace },
};

static void answer_help(struct seq_file *m)
{
	unsigned int i;

	for (i = 0; i < ARRAY_SIZE(verbs); i++)
		seq_printf(m, "%s %s\n", verbs[i].name, verbs[i].takes);
}

static void answer(struct vgpu *vgpu, char *line, struct seq_file *m)
{
	char *rest = strchr(line, ' ');
	unsigned int i;
	int ret;

	if (rest)
		*rest++ = '\0';
	for (i = 0; i < ARRAY_SIZE(verbs); i++) {
		if (strcmp(verbs[i].name, line))
			continue;
		ret = verbs[i].answer(vgpu, rest ? rest : "", m);
		if (ret)
			seq_printf(m, "error: %s\n", strerror(-ret));
		return;
	}
	if (*line && strcmp(line, "help"))
		seq_printf(m, "error: unknown request '%s'; requests are:\n", line);
	answer_help(m);
}

/* Reply to a line; the reply ends with an empty line. */
static void answer_line(struct vgpu *vgpu, int client, char *line)
{
	struct seq_file m = {};
	char *text = NULL;
	size_t size;

	m.file = open_memstream(&text, &size);
	if (!m.file)
		return;
	answer(vgpu, line, &m);
	seq_putc(&m, '\n');
	fclose(m.file);
	if (write(client, text, size) != (ssize_t)size)
		vgpu_log(vgpu, "an answer was lost\n");
	free(text);
}

static void client_close(struct vgpu_client *client)
{
	close(client->socket);
	client->socket = -1;
	client->n = 0;
}

/**
 * vgpu_control_answer() - Read and execute queries of a client.
 * @vgpu: the GPU
 * @client: the client
 */
void vgpu_control_answer(struct vgpu *vgpu, struct vgpu_client *client)
{
	ssize_t n = read(client->socket, client->line + client->n, VGPU_LINE - client->n);
	char *end;

	client->n += n > 0 ? n : 0;
	if (n <= 0 || client->n == VGPU_LINE) {
		client_close(client);
		return;
	}
	client->line[client->n] = '\0';
	while ((end = strchr(client->line, '\n'))) {
		*end++ = '\0';
		answer_line(vgpu, client->socket, client->line);
		client->n -= end - client->line;
		memmove(client->line, end, client->n + 1);
	}
}

/**
 * vgpu_control_accept() - Accept a connection.
 * @control: the control interface
 */
void vgpu_control_accept(struct vgpu_control *control)
{
	int connection = accept(control->listener, NULL, NULL);
	unsigned int i;

	for (i = 0; i < VGPU_MAX_CLIENTS && connection >= 0; i++) {
		if (control->clients[i].socket >= 0)
			continue;
		control->clients[i].socket = connection;
		return;
	}
	if (connection >= 0)
		close(connection);
}

static int control_address(const char *path, struct sockaddr_un *address)
{
	*address = (struct sockaddr_un){ .sun_family = AF_UNIX };
	if (strlen(path) >= sizeof(address->sun_path))
		return -ENAMETOOLONG;
	strcpy(address->sun_path, path);

	return 0;
}

/**
 * vgpu_control_open() - Create and listen on the socket.
 * @control: the control interface
 * @path: path of the socket
 *
 * Return: 0 or a negative errno
 */
int vgpu_control_open(struct vgpu_control *control, const char *path)
{
	struct sockaddr_un address;
	int ret = control_address(path, &address), listener;

	if (ret)
		return ret;
	listener = socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0);
	if (listener < 0)
		return -errno;
	unlink(path);
	if (bind(listener, (struct sockaddr *)&address, sizeof(address)) || listen(listener, 8)) {
		ret = -errno;
		close(listener);
		return ret;
	}
	control->listener = listener;

	return 0;
}

/* Print a reply up to its empty line. Return -EINVAL if it is an error. */
static int print_answer(FILE *connection)
{
	char line[1024];
	bool error = false;

	while (fgets(line, sizeof(line), connection) && *line != '\n') {
		error |= !strncmp(line, "error:", 6);
		fputs(line, error ? stderr : stdout);
	}

	return error ? -EINVAL : 0;
}

static int ask(int connection, char *const *words)
{
	char line[VGPU_LINE] = "";
	size_t used = 0;
	FILE *file;
	int fd, ret;

	for (; *words && used < sizeof(line); words++)
		used += snprintf(line + used, sizeof(line) - used, "%s%s", used ? " " : "", *words);
	if (used >= sizeof(line))
		return -E2BIG;
	if (dprintf(connection, "%s\n", line) < 0)
		return -errno;
	fd = dup(connection);
	if (fd < 0)
		return -errno;
	file = fdopen(fd, "r");
	if (!file) {
		ret = -errno;
		close(fd);
		return ret;
	}
	ret = print_answer(file);
	fclose(file);

	return ret;
}

/* Connect to a socket, or open a port that leads to one. */
static int control_connect(const char *path)
{
	struct sockaddr_un address;
	int ret = control_address(path, &address), connection;

	if (ret)
		return ret;
	connection = open(path, O_RDWR | O_CLOEXEC);
	if (connection >= 0)
		return connection;
	connection = socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0);
	if (connection < 0)
		return -errno;
	if (!connect(connection, (struct sockaddr *)&address, sizeof(address)))
		return connection;
	ret = -errno;
	close(connection);

	return ret;
}

/**
 * vgpu_control_ask() - Send a query to a GPU and print the reply.
 * @path: path of its socket, or of a port in the guest that leads to it
 * @words: the query, ends with NULL
 *
 * Return: 0, -EINVAL if the reply was an error (which has been printed), or another negative errno
 * if there was no reply
 */
int vgpu_control_ask(const char *path, char *const *words)
{
	int connection = control_connect(path), ret;

	if (connection < 0)
		return connection;
	ret = ask(connection, words);
	close(connection);

	return ret;
}
