// SPDX-License-Identifier: MIT
/*
 * session.c - measure one or more units while a command runs
 */
#include <errno.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <sys/epoll.h>
#include <unistd.h>

#include "common/columns.h"
#include "common/lookup.h"
#include "common/roles.h"
#include "common/session.h"
#include "common/yield.h"

int session_option(struct session_request *request, const struct tool *tool, int option)
{
	double hz;

	if (option == 's') {
		if (request->set_count == SESSION_UNITS_MAX)
			return usage(tool, "more than %d times -s", SESSION_UNITS_MAX);
		request->sets[request->set_count++] = optarg;
		return EXIT_OK;
	}
	if (option == SESSION_POLL_PERIOD)
		return option_duration(tool, "--poll-period", optarg, 1, 1, INT64_MAX,
				       &request->poll_period_ns);
	if (option == 'p')
		return option_duration(tool, "-p", optarg, 1, 1, INT64_MAX, &request->period_ns);
	if (!parse_frequency(optarg, &hz))
		return usage(
			tool,
			"-F: cannot read '%s' as a frequency; give Hz, such as 500, 10k or 2.5MHz",
			optarg);
	if (hz > NSEC_PER_SEC)
		return usage(tool, "-F: cannot use '%s': no GPU samples that fast", optarg);
	request->period_ns = (uint64_t)(NSEC_PER_SEC / hz);
	return EXIT_OK;
}

static int open_stream(const struct session *session, struct session_unit *unit,
		       const struct session_request *request)
{
	struct gpuoa_stream_options options = {
		.size = sizeof(options),
		.period_ns = request->period_ns,
		.poll_period_ns = request->poll_period_ns,
		.disabled = true,
		.delivery = request->delivery,
		.overwrite = request->overwrite,
	};
	char error[512];
	uint32_t id;
	int err;

	if (request->metrics && columns_keep(session->tool, unit->set, unit->constants,
					     request->metrics, options.dword_mask))
		return EXIT_FAILED;
	/*
	 * Add the configuration before opening the stream, because adding needs another permission
	 * than sampling.
	 */
	if (gpuoa_unit_add_set(unit->unit, unit->set, &id, error, sizeof(error)))
		return fail("%s", error);
	err = yield_stream_open(unit->unit, unit->set, &options, &unit->reader, &unit->yield, error,
				sizeof(error));
	if (unit->yield >= 0)
		note(session->tool, YIELD_NOTE, unit->unit_desc.name);
	if (err)
		return fail("%s", error);
	gpuoa_reader_describe(unit->reader, &unit->desc, sizeof(unit->desc));
	return EXIT_OK;
}

/*
 * Split SET or SET@DEVICE. @set: receives the name of the set. Returns the device; if the text
 * names none, that of -d.
 */
static const char *split_set(const struct tool *tool, const char *text, char *set, size_t size)
{
	const char *at = strchr(text, '@');

	snprintf(set, size, "%.*s", at ? (int)(at - text) : (int)strlen(text), text);
	return at ? at + 1 : tool->device;
}

/*
 * Return the set that is measured if the user names none. It is the one with which 'gpuoa top'
 * starts.
 */
static const struct gpuoa_set *default_set(const struct tool *tool,
					   const struct gpuoa_platform *platform,
					   const struct session_unit *unit)
{
	const struct gpuoa_set *set =
		roles_find_set(platform, unit->unit_desc.domain, unit->constants);
	struct gpuoa_set_desc desc;

	if (!set) {
		print_error("%s: no metric set can be sampled; see 'gpuoa list sets'",
			    unit->unit_desc.name);
		return NULL;
	}
	gpuoa_set_describe(set, &desc, sizeof(desc));
	note(tool, "%s: measuring set %s; select another with -s", unit->unit_desc.name,
	     desc.symbol);
	return set;
}

/* Check that the session measures each unit only once. Returns an exit code. */
static int check_alone(const struct session *session, const struct session_unit *unit)
{
	for (const struct session_unit *other = session->units; other < unit; other++) {
		struct gpuoa_set_desc first, second;

		if (strcmp(other->unit_desc.name, unit->unit_desc.name))
			continue;
		gpuoa_set_describe(other->set, &first, sizeof(first));
		gpuoa_set_describe(unit->set, &second, sizeof(second));
		if (other->set == unit->set)
			return fail(
				"%s: cannot measure %s twice; remove one -s, or name another unit with -s %s@DEVICE",
				unit->unit_desc.name, first.symbol, first.symbol);
		return fail(
			"%s: cannot measure %s and %s at once: an OA unit counts one set at a time; measure one after the other, or name another unit with -s %s@DEVICE",
			unit->unit_desc.name, first.symbol, second.symbol, second.symbol);
	}
	return EXIT_OK;
}

/*
 * Open a unit and choose the set. @asked: SET or SET@DEVICE; NULL: the default set of the unit that
 * -d names
 */
static int open_unit(const struct session *session, struct session_unit *unit, const char *asked,
		     const struct session_request *request)
{
	const struct tool *tool = session->tool;
	const struct gpuoa_platform *platform;
	char set[256];

	unit->yield = -1;
	unit->unit = lookup_unit(asked ? split_set(tool, asked, set, sizeof(set)) : tool->device);
	if (!unit->unit)
		return EXIT_FAILED;
	gpuoa_unit_describe(unit->unit, &unit->unit_desc, sizeof(unit->unit_desc));
	platform = lookup_unit_platform(tool, unit->unit);
	if (!platform)
		return EXIT_FAILED;
	unit->constants = lookup_constants(platform, &unit->unit_desc);
	if (!unit->constants)
		return EXIT_FAILED;
	unit->set = asked ? lookup_set(platform, unit->unit_desc.domain, set, unit->constants) :
			    default_set(tool, platform, unit);
	if (!unit->set || check_alone(session, unit))
		return EXIT_FAILED;
	return open_stream(session, unit, request);
}

static void close_units(struct session *session)
{
	for (size_t i = 0; i < session->count; i++) {
		gpuoa_reader_close(session->units[i].reader);
		gpuoa_constants_free(session->units[i].constants);
		gpuoa_unit_close(session->units[i].unit);
		if (session->units[i].yield >= 0)
			close(session->units[i].yield);
	}
	if (session->fd >= 0)
		close(session->fd);
}

/* Create a file descriptor that is readable when any stream is. */
static int watch_units(struct session *session)
{
	struct epoll_event event = { .events = EPOLLIN };

	session->fd = epoll_create1(EPOLL_CLOEXEC);
	if (session->fd < 0)
		return fail("cannot wait for reports: %s", strerror(errno));
	for (size_t i = 0; i < session->count; i++)
		if (epoll_ctl(session->fd, EPOLL_CTL_ADD, gpuoa_reader_fd(session->units[i].reader),
			      &event))
			return fail("cannot wait for reports: %s", strerror(errno));
	return EXIT_OK;
}

int session_open(struct session *session, const struct tool *tool,
		 const struct session_request *request)
{
	int ret;

	*session = (struct session){ .tool = tool, .fd = -1 };
	ret = child_check(request->argv);
	if (ret)
		return ret;
	for (size_t i = 0; (!i || i < request->set_count) && !ret; i++)
		ret = open_unit(session, &session->units[session->count++],
				request->set_count ? request->sets[i] : NULL, request);
	if (!ret)
		ret = watch_units(session);
	if (!ret)
		ret = child_prepare(&session->child, request->argv,
				    request->overwrite ? SIGUSR2 : 0);
	if (ret)
		close_units(session);
	return ret;
}

int session_enable(struct session *session)
{
	for (size_t i = 0; i < session->count; i++) {
		const int err = gpuoa_reader_enable(session->units[i].reader);

		if (err) {
			session_stop(session);
			return fail("cannot begin to sample %s: %s",
				    session->units[i].unit_desc.name, strerror(-err));
		}
	}
	return EXIT_OK;
}

int session_start(struct session *session)
{
	const int ret = session_enable(session);

	return ret ? ret : child_start(&session->child);
}

void session_stop(struct session *session)
{
	for (size_t i = 0; i < session->count; i++)
		gpuoa_reader_disable(session->units[i].reader);
}

int session_close(struct session *session)
{
	const int status = child_finish(&session->child);

	close_units(session);
	return status;
}
