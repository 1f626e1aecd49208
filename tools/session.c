// SPDX-License-Identifier: MIT
/*
 * session.c - what stat and record have in common: a unit, a set, a period, a command
 */
#include <errno.h>
#include <signal.h>
#include <string.h>

#include "columns.h"
#include "lookup.h"
#include "session.h"

#define NSEC_PER_SEC 1000000000U

int session_option(struct session_request *request, const struct tool *tool, int option)
{
	uint64_t number;

	if (option == 's') {
		request->set = optarg;
		return EXIT_OK;
	}
	if (!parse_number(optarg, &number) || !number)
		return option == SESSION_POLL_PERIOD ?
			       usage(tool, "--poll-period wants nanoseconds, not '%s'", optarg) :
			       usage(tool, "-%c wants a number, not '%s'", option, optarg);
	if (option == SESSION_POLL_PERIOD) {
		request->poll_period_ns = number;
		return EXIT_OK;
	}
	if (option == 'F' && number > NSEC_PER_SEC)
		return usage(tool, "-F %s: no GPU samples so often", optarg);
	request->period_ns = option == 'F' ? NSEC_PER_SEC / number : number;
	return EXIT_OK;
}

static int open_stream(struct session *session, const struct session_request *request)
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

	if (request->metrics && columns_keep(session->tool, session->set, session->constants,
					     request->metrics, options.keep))
		return EXIT_FAILED;
	/* By itself, since it needs another permission than to sample. */
	if (gpuoa_unit_upload(session->unit, session->set, &id, error, sizeof(error)) ||
	    gpuoa_stream_open(session->unit, session->set, &options, &session->source, error,
			      sizeof(error)))
		return fail("%s", error);
	gpuoa_source_describe(session->source, &session->desc, sizeof(session->desc));
	return EXIT_OK;
}

int session_open(struct session *session, const struct tool *tool,
		 const struct session_request *request)
{
	const struct gpuoa_platform *platform;

	*session = (struct session){ .tool = tool };
	if (!request->set)
		return usage(tool, "which metric set? -s SET; see 'gpuoa list sets'");
	if (workload_check(request->argv))
		return EXIT_FAILED;
	session->unit = lookup_unit(tool);
	if (!session->unit)
		return EXIT_FAILED;
	gpuoa_unit_describe(session->unit, &session->unit_desc, sizeof(session->unit_desc));
	platform = lookup_unit_platform(tool, session->unit);
	if (!platform)
		goto err_unit;
	session->constants = lookup_constants(platform, &session->unit_desc);
	if (!session->constants)
		goto err_unit;
	session->set =
		lookup_set(platform, session->unit_desc.domain, request->set, session->constants);
	if (!session->set)
		goto err_constants;
	if (open_stream(session, request))
		goto err_constants;
	if (workload_prepare(&session->workload, request->argv, request->overwrite ? SIGUSR2 : 0))
		goto err_source;
	return EXIT_OK;

err_source:
	gpuoa_source_close(session->source);
err_constants:
	gpuoa_constants_free(session->constants);
err_unit:
	gpuoa_unit_close(session->unit);
	return EXIT_FAILED;
}

int session_start(struct session *session)
{
	const int err = gpuoa_source_enable(session->source);

	if (err)
		return fail("cannot begin to sample: %s", strerror(-err));
	return workload_start(&session->workload);
}

void session_stop(struct session *session)
{
	gpuoa_source_disable(session->source);
}

int session_close(struct session *session)
{
	const int status = workload_finish(&session->workload);

	gpuoa_source_close(session->source);
	gpuoa_constants_free(session->constants);
	gpuoa_unit_close(session->unit);
	return status;
}
