// SPDX-License-Identifier: GPL-2.0-only
/* lease_stream.c - opening an exclusive stream of the stock driver, and its permissions. */
#include <linux/cred.h>
#include <linux/err.h>
#include <linux/lockdep.h>
#include <linux/overflow.h>
#include <linux/sizes.h>
#include <linux/string.h>
#include <linux/uuid.h>

#include <gpuoa_provider.h>

#include "lease.h"
#include "lease_ioctl.h"

/**
 * DOC: Configurations of the stock driver
 *
 * A stream names its configuration by an id, so the configuration is added to the driver first. It
 * gets a random UUID and is removed as soon as the stream uses it. Configurations of other programs
 * are not changed.
 *
 * It is added with the credentials of the kernel thread, which the driver always accepts. The
 * user's permission was checked: gpuoa accepts registers only with CAP_PERFMON. The stream itself
 * is opened with the credentials of the request.
 */

/* Size of the user memory for the structs of a stream, without registers */
#define STREAM_ROOM SZ_4K

/* Add a configuration to the driver. Returns its id or -errno. */
static long add_config(struct ioctl_args *args, struct file *node,
		       const struct gpuoa_provider_config *config)
{
	char uuid[UUID_STRING_LEN + 1];
	uuid_t random;

	uuid_gen(&random);
	snprintf(uuid, sizeof(uuid), "%pUb", &random);

	return lease_driver.add_config(args, node, uuid, config);
}

/* Call a function of the driver with the credentials of the request. */
static long call_as(struct ioctl_args *args, struct file *node, const struct lease_request *request,
		    u64 id,
		    long (*function)(struct ioctl_args *args, struct file *node,
				     const struct lease_request *request, u64 id))
{
	const struct cred *old = request->cred ? override_creds(request->cred) : NULL;
	long ret = function(args, node, request, id);

	if (old)
		revert_creds(old);

	return ret;
}

static struct lease_properties properties_of(const struct gpuoa_provider_config *config)
{
	return (struct lease_properties){
		.format = config->format,
		.exponent = config->exponent,
		.buffer_size = config->buffer_size,
	};
}

static int open_exclusive(struct ioctl_args *args, struct file *node, void *data)
{
	const struct lease_request *request = data;
	struct file *stream;
	long id, fd;
	int ret;

	id = add_config(args, node, request->config);
	if (id < 0)
		return id;
	fd = call_as(args, node, request, id, lease_driver.open_stream);
	lease_driver.remove_config(args, node, id);
	if (fd < 0)
		return fd;
	stream = node_take_file(fd);
	if (IS_ERR(stream))
		return PTR_ERR(stream);
	ret = request->config->query_only ? 0 : lease_driver.run_once(args, stream, request);
	if (ret) {
		node_close(stream);
		return ret;
	}
	request->unit->stream = stream;
	request->unit->properties = properties_of(request->config);

	return 0;
}

/* User memory for a configuration and the structs of a stream */
static size_t room_for(const struct gpuoa_provider_config *config)
{
	size_t regs = config->mux.count + config->boolean.count + config->flex.count;

	return STREAM_ROOM + array_size(regs, sizeof(struct gpuoa_register));
}

/**
 * lease_stream_open() - Program a unit by the driver and take control of it.
 * @request: request for a unit without a stream
 *
 * Context: may sleep
 * Return: 0; -EACCES if the driver does not permit the stream; -EBUSY if the unit is in use; or
 * another error of the driver
 */
int lease_stream_open(const struct lease_request *request)
{
	lockdep_assert_held(&request->unit->lock);

	return node_run(request->unit->gpu, open_exclusive, (void *)request,
			room_for(request->config));
}

static int change_exclusive(struct ioctl_args *args, struct file *node, void *data)
{
	const struct lease_request *request = data;
	long id;
	int ret;

	id = add_config(args, node, request->config);
	if (id < 0)
		return id;
	ret = lease_driver.change_stream(args, request->unit, id);
	lease_driver.remove_config(args, node, id);

	return ret;
}

/* Check whether the unit has a stream that another one would only differ from by its registers. */
static bool is_open_for(const struct lease_unit *unit, const struct gpuoa_provider_config *config)
{
	const struct lease_properties wanted = properties_of(config);

	return unit->stream && !unit->leaked && !config->context && !config->query_only &&
	       !memcmp(&unit->properties, &wanted, sizeof(wanted));
}

/**
 * lease_stream_change() - Program a unit again by its open stream.
 * @request: request; its credentials are not checked again
 *
 * The unit keeps its stream and buffer, so no other process gets the unit.
 *
 * Context: may sleep
 * Return: 0; -EOPNOTSUPP if the stream cannot be used for the request; or an error of the driver
 */
int lease_stream_change(const struct lease_request *request)
{
	struct lease_unit *unit = request->unit;

	lockdep_assert_held(&unit->lock);

	if (!lease_driver.change_stream || !is_open_for(unit, request->config))
		return -EOPNOTSUPP;

	return node_run(unit->gpu, change_exclusive, (void *)request, room_for(request->config));
}

static int check_permission(struct ioctl_args *args, struct file *node, void *data)
{
	return call_as(args, node, data, 0, lease_driver.try_stream);
}

/**
 * lease_stream_permits() - Check whether the driver permits a stream.
 * @request: request
 *
 * Context: may sleep
 * Return: 0; -EACCES if the driver does not permit the stream; or another -errno if it could not be
 * checked
 */
int lease_stream_permits(const struct lease_request *request)
{
	lockdep_assert_held(&request->unit->lock);

	return node_run(request->unit->gpu, check_permission, (void *)request, STREAM_ROOM);
}
