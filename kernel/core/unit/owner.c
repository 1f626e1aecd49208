// SPDX-License-Identifier: GPL-2.0-only
/* owner.c - owner of a context, as reported by the provider. */
#include <linux/errno.h>
#include <linux/pid.h>
#include <linux/string.h>

#include <gpuoa_provider.h>

#include "limits.h"
#include "owner.h"
#include "refuse.h"
#include "unit.h"

/* The result describes other users, so the caller must be allowed to observe them. */
static int owner_check(const struct gpuoa_unit *unit, const struct gpuoa_context_owner_info *info)
{
	if (info->flags || info->pid || info->handle || info->client)
		return gpuoa_refuse(&unit->dev, -EINVAL, "a field of the answer is not 0");
	if (!unit->ops->context_owner)
		return gpuoa_refuse(&unit->dev, -EOPNOTSUPP, "the provider does not name contexts");
	if (!gpuoa_may_observe())
		return gpuoa_refuse(&unit->dev, -EACCES,
				    "dev.gpuoa.paranoid: names of contexts need CAP_PERFMON");

	return 0;
}

/**
 * gpuoa_owner_tell() - Get the owner of a context.
 * @unit: OA unit, entered
 * @info: context id on input; owner on output
 *
 * Context: may sleep; pids are those of the current PID namespace
 * Return: 0, or an error as documented for &struct gpuoa_context_owner_info
 */
int gpuoa_owner_tell(struct gpuoa_unit *unit, struct gpuoa_context_owner_info *info)
{
	struct gpuoa_provider_owner owner = {};
	int ret;

	ret = owner_check(unit, info);
	if (ret)
		return ret;
	ret = unit->ops->context_owner(unit->provider, info->id, unit->context_mask, &owner);
	if (ret)
		return ret;

	*info = (struct gpuoa_context_owner_info){
		.id = info->id,
		.flags = owner.gone ? GPUOA_CONTEXT_GONE : 0,
		.pid = pid_vnr(owner.process),
		.handle = owner.handle,
		.client = owner.client,
	};
	if (info->pid)
		strscpy(info->comm, owner.comm, sizeof(info->comm));
	put_pid(owner.process);

	return 0;
}
