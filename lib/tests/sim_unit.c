// SPDX-License-Identifier: MIT
/*
 * sim_unit.c - An OA unit of a virtual GPU, and the true counts from its simulator
 *
 * The simulator is gpuoa_sim.ko. For a GPU that the stock i915 or xe drives, it is gpuoa-vgpu,
 * which is queried through a port: the device file $GPUOA_VGPU.
 */
#include "sim_unit.h"

#include <ctype.h>
#include <fcntl.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <unistd.h>

#include "reader/uapi.h"

#define DEBUG_DIR "/sys/kernel/debug/gpuoa_sim"
#define ANSWER_SIZE 16384

static void give_up(const char *unit, const char *what)
{
	printf("Bail out! %s: %s\n", unit, what);
	exit(1);
}

size_t sim_sample(void)
{
	const char *sample = getenv("GPUS_SAMPLE");
	const int n = sample ? atoi(sample) : 1;

	return n > 1 ? n : 1;
}

/*
 * Returns whether the simulator is gpuoa-vgpu, which is queried through a port. Its GPUs are PCI
 * devices; the stock driver, or gpuoa on top of it, provides their units.
 */
static bool has_port(const struct sim_unit *unit)
{
	return strncmp(unit->desc.parent, "gpuoa_sim.", 10);
}

bool sim_unit_is_stock(const struct sim_unit *unit)
{
	return has_port(unit);
}

/* The library fills the struct for units of i915 and xe, because these have no such ioctl. */
static void read_info(struct sim_unit *unit)
{
	char path[32];
	int fd;

	if (strcmp(unit->desc.driver, "gpuoa")) {
		uapi_unit_info(&unit->info, &unit->desc);
		return;
	}
	snprintf(path, sizeof(path), "/dev/%s", unit->desc.name);
	fd = open(path, O_RDWR | O_CLOEXEC);
	if (fd < 0 || ioctl(fd, GPUOA_IOC_UNIT_INFO, &unit->info))
		give_up(unit->desc.name, "the kernel does not say what it is");
	close(fd);
}

/*
 * Find the simulator's directory of a unit. For "gpuoa_sim.2" and "OAM0" it is gpuoa_sim/2/oam0, or
 * gpuoa_sim/2 if that does not exist.
 */
static void find_directory(struct sim_unit *unit)
{
	const int number = atoi(strchr(unit->desc.parent, '.') + 1);
	char domain[sizeof(unit->desc.domain)];
	size_t i;

	for (i = 0; unit->desc.domain[i]; i++)
		domain[i] = tolower(unit->desc.domain[i]);
	domain[i] = '\0';
	snprintf(unit->directory, sizeof(unit->directory), DEBUG_DIR "/%d/%s", number, domain);
	if (access(unit->directory, X_OK))
		*strrchr(unit->directory, '/') = '\0';
}

static void open_unit(struct sim_unit *unit, const char *name)
{
	/*
	 * file descriptor of the port; kept open, because the port can be opened only once at a
	 * time
	 */
	static int port = -1;
	char path[sizeof(unit->directory) + 8];

	if (gpuoa_unit_open(name, &unit->unit, NULL, 0))
		give_up(name, "cannot be opened");
	gpuoa_unit_describe(unit->unit, &unit->desc, sizeof(unit->desc));
	unit->platform = gpuoa_unit_platform(unit->unit);
	if (!unit->platform)
		give_up(name, "of an unknown platform");
	read_info(unit);
	if (has_port(unit)) {
		snprintf(path, sizeof(path), "%s", getenv("GPUOA_VGPU") ?: "no GPUOA_VGPU");
	} else {
		find_directory(unit);
		snprintf(path, sizeof(path), "%s/reference", unit->directory);
	}
	if (has_port(unit) && port >= 0) {
		unit->reference = fcntl(port, F_DUPFD_CLOEXEC, 0);
		return;
	}
	unit->reference = open(path, O_RDWR | O_CLOEXEC);
	if (unit->reference < 0)
		give_up(path, "cannot be opened");
	if (has_port(unit))
		port = unit->reference;
}

size_t sim_units_open(struct sim_unit *units, size_t max)
{
	char names[max][16];
	int count = gpuoa_unit_list(names, max);

	if (count > (int)max)
		give_up(names[0], "and more units than there is room for");
	for (int i = 0; i < count; i++)
		open_unit(&units[i], names[i]);
	return count > 0 ? count : 0;
}

void sim_units_close(struct sim_unit *units, size_t count)
{
	for (size_t i = 0; i < count; i++) {
		gpuoa_unit_close(units[i].unit);
		close(units[i].reference);
	}
}

const struct gpuoa_set *sim_unit_any_set(const struct sim_unit *unit)
{
	const struct gpuoa_constants *constants = gpuoa_unit_constants(unit->unit);
	const struct gpuoa_set *set;

	for (size_t i = 0; (set = gpuoa_platform_get_set(unit->platform, i)); i++)
		if (gpuoa_set_available(set, unit->desc.domain, constants, NULL, 0) == 1)
			return set;
	give_up(unit->desc.name, "it has no set");
	return NULL;
}

static bool write_file(const char *path, const char *value)
{
	int fd = open(path, O_WRONLY | O_CLOEXEC);
	bool written;

	if (fd < 0)
		return false;
	written = write(fd, value, strlen(value)) == (ssize_t)strlen(value);
	close(fd);
	return written;
}

/* Return the path of a simulator file, which belongs to the unit or to its GPU. */
static void find_file(const struct sim_unit *unit, const char *name, char *path, size_t size)
{
	snprintf(path, size, "%s/%s", unit->directory, name);
	if (access(path, F_OK))
		snprintf(path, size, "%s/../%s", unit->directory, name);
}

/* Send a query to the simulator through the GPU's port, and read the answer up to an empty line. */
static bool ask_port(const struct sim_unit *unit, const char *question, char *answer)
{
	size_t length = strlen(question);
	ssize_t n;

	if (write(unit->reference, question, length) != (ssize_t)length)
		return false;
	length = 0;
	while ((n = read(unit->reference, answer + length, ANSWER_SIZE - 1 - length)) > 0) {
		length += n;
		answer[length] = '\0';
		if (!strcmp(answer, "\n") || strstr(answer, "\n\n"))
			return true;
	}
	return false;
}

bool sim_unit_switch(const struct sim_unit *unit, const char *name, const char *value)
{
	char path[sizeof(unit->directory) + 64];
	char question[64];
	static char answer[ANSWER_SIZE];

	if (has_port(unit)) {
		snprintf(question, sizeof(question), "%s %s\n", name, value);
		return ask_port(unit, question, answer);
	}
	find_file(unit, name, path, sizeof(path));
	return write_file(path, value);
}

bool sim_unit_number(const struct sim_unit *unit, const char *name, uint64_t *value)
{
	char path[sizeof(unit->directory) + 64];
	FILE *file;
	int found;

	find_file(unit, name, path, sizeof(path));
	file = fopen(path, "re");
	if (!file)
		return false;
	found = fscanf(file, "%" SCNu64, value);
	fclose(file);
	return found == 1;
}

/*
 * Query the counts through the port, which requires full timestamps. The answer does not contain
 * the ticks, so they are taken from the request.
 */
static bool ask_port_reference(const struct sim_unit *unit, uint64_t from, uint64_t to,
			       char *answer)
{
	char question[64];
	uint64_t now;

	if (!ask_port(unit, "timestamp\n", answer))
		return false;
	now = strtoull(answer, NULL, 0);
	to = now - (uint32_t)(now - to);
	from = to - (uint32_t)(to - from);
	snprintf(question, sizeof(question), "reference %s %" PRIu64 " %" PRIu64 "\n",
		 unit->desc.domain, from, to);
	return ask_port(unit, question, answer);
}

/*
 * Query the simulator for the counts between two ticks. The answer is text, terminated by 0. The
 * timestamps of reports have only the low 32 or 56 bits of the simulator's clock; a timestamp of 32
 * bits is extended to the latest time that matches.
 */
static bool ask(const struct sim_unit *unit, uint64_t from, uint64_t to, char *answer)
{
	char question[64];
	size_t length = 0;
	ssize_t n;

	if (has_port(unit))
		return ask_port_reference(unit, from, to, answer);
	n = snprintf(question, sizeof(question), "%" PRIu32 " %" PRIu32, (uint32_t)from,
		     (uint32_t)to);
	if (write(unit->reference, question, n) != n)
		return false;
	while ((n = read(unit->reference, answer + length, ANSWER_SIZE - 1 - length)) > 0)
		length += n;
	answer[length] = '\0';
	return n == 0 && length && length < ANSWER_SIZE - 1;
}

/*
 * Find the field of a counter such as "A7", or return -1. MPEC counters are in the places of A
 * counters.
 */
static int find_counter(const struct raw_format *format, const char *name)
{
	static const char *const banks[][2] = {
		{ "MPEC", "A" }, { "PEC", "P" }, { "A", "A" }, { "B", "B" }, { "C", "C" },
	};

	for (size_t i = 0; i < sizeof(banks) / sizeof(banks[0]); i++) {
		size_t length = strlen(banks[i][0]);

		if (!strncmp(name, banks[i][0], length) && isdigit(name[length]))
			return raw_find(format, banks[i][1][0], atoi(name + length));
	}
	return -1;
}

/* Parse one line of the answer. Returns the index of the field, or -1. */
static int read_line(const struct raw_format *format, const char *line, uint64_t *value)
{
	char name[16];

	if (sscanf(line, "ticks %" SCNu64, value) == 1)
		return raw_find(format, 't', 0);
	if (sscanf(line, "counter clock %" SCNu64, value) == 1)
		return raw_find(format, 'k', 0);
	if (sscanf(line, "counter %15s %" SCNu64, name, value) == 2)
		return find_counter(format, name);
	return -1;
}

static uint64_t field_mask(const struct raw_field *field)
{
	return field->bits < 64 ? (1ull << field->bits) - 1 : UINT64_MAX;
}

static bool is_complete(const struct sim_unit *unit, const struct raw_format *format,
			const bool *told)
{
	for (size_t i = 0; i < format->count; i++) {
		if (told[i])
			continue;
		printf("# the reference of %s has no %c%u\n", unit->desc.name,
		       format->fields[i].bank, format->fields[i].index);
		return false;
	}
	return true;
}

bool sim_unit_reference(const struct sim_unit *unit, const struct raw_format *format, uint64_t from,
			uint64_t to, uint64_t *differences)
{
	static char answer[ANSWER_SIZE];
	/* index of the timestamp field; without it, its value comes from the request */
	const int time = raw_find(format, 't', 0);
	bool told[RAW_FIELDS_MAX] = { false };
	char *rest = answer, *line;
	uint64_t value;

	if (!ask(unit, from, to, answer)) {
		printf("# no reference of %s from %" PRIu64 " to %" PRIu64 ": %m\n",
		       unit->desc.name, from, to);
		return false;
	}
	differences[time] = (to - from) & field_mask(&format->fields[time]);
	told[time] = true;
	while ((line = strsep(&rest, "\n"))) {
		int field = read_line(format, line, &value);

		if (field < 0)
			continue;
		told[field] = true;
		differences[field] = value;
	}
	return is_complete(unit, format, told);
}

bool sim_reports_open(struct sim_reports *reports, uint32_t format, size_t room)
{
	*reports = (struct sim_reports){ .format = raw_format_of_id(format) };
	if (!reports->format)
		return false;
	reports->data = malloc(room * reports->format->size);
	reports->room = room;
	return reports->data;
}

void sim_reports_close(struct sim_reports *reports)
{
	free(reports->data);
}

const uint8_t *sim_report(const struct sim_reports *reports, size_t index)
{
	return reports->data + index * reports->format->size;
}

uint64_t sim_report_time(const struct sim_reports *reports, size_t index)
{
	const struct raw_format *format = reports->format;

	return raw_get(&format->fields[raw_find(format, 't', 0)], sim_report(reports, index));
}

/* A report of Haswell contains no reason, because only its timer writes reports. */
void sim_reports_of_timer(struct sim_reports *reports, const struct sim_unit *unit)
{
	reports->reason = strcmp(unit->desc.platform, "hsw") ? 1u << 19 : 0;
}

/* Of @n new reports, keep those that match the filter. */
static void dword_mask(struct sim_reports *reports, size_t n)
{
	const size_t size = reports->format->size;
	const uint8_t *report = sim_report(reports, reports->count);
	uint32_t id;

	for (; n--; report += size) {
		memcpy(&id, report, sizeof(id));
		if (reports->reason && !(id & reports->reason))
			continue;
		memmove(reports->data + reports->count++ * size, report, size);
	}
}

bool sim_reports_more(struct sim_reports *reports, struct gpuoa_reader *reader, size_t count)
{
	const size_t size = reports->format->size;
	struct gpuoa_read_status status;

	while (reports->count < count) {
		uint8_t *next = reports->data + reports->count * size;
		int n = gpuoa_reader_read(reader, next, reports->room - reports->count, &status);

		if (n < 0 || (!n && gpuoa_reader_wait(reader, 20000)))
			return false;
		if (n && status.gap) {
			memmove(reports->data, next, n * size);
			reports->count = 0;
		}
		dword_mask(reports, n);
	}
	return true;
}

bool sim_reports_read(struct sim_reports *reports, struct gpuoa_reader *reader, size_t count)
{
	reports->count = 0;
	return sim_reports_more(reports, reader, count);
}

uint64_t sim_reports_difference(const struct sim_reports *reports, size_t field, size_t from,
				size_t to)
{
	const struct raw_field *of = &reports->format->fields[field];

	return (raw_get(of, sim_report(reports, to)) - raw_get(of, sim_report(reports, from))) &
	       field_mask(of);
}

bool sim_reports_wrapped(const struct sim_reports *reports, size_t field, size_t from, size_t to)
{
	const struct raw_field *of = &reports->format->fields[field];

	return raw_get(of, sim_report(reports, to)) < raw_get(of, sim_report(reports, from));
}
