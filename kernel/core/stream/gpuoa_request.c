// SPDX-License-Identifier: GPL-2.0-only
/*
 * gpuoa_request.c - request of an event: registered attributes, validation, lookup, comparison.
 */
#include <linux/capability.h>
#include <linux/cred.h>
#include <linux/device.h>
#include <linux/err.h>
#include <linux/file.h>
#include <linux/fs.h>
#include <linux/limits.h>
#include <linux/log2.h>
#include <linux/minmax.h>
#include <linux/pfn.h>
#include <linux/sched/user.h>
#include <linux/slab.h>
#include <linux/string.h>
#include <linux/uaccess.h>

#include "gpuoa_attr.h"
#include "gpuoa_count.h"
#include "gpuoa_mode.h"
#include "gpuoa_program.h"
#include "gpuoa_request.h"
#include "gpuoa_sample.h"
#include "oa/gpuoa_metric_set.h"
#include "oa/gpuoa_oa.h"
#include "oa/gpuoa_report.h"
#include "unit/gpuoa_limits.h"
#include "unit/gpuoa_unit.h"

/* A hardware id does not identify the owner of the context, so a capability is required. */
static int request_name_context(struct gpuoa_request *request, struct gpuoa_unit *unit,
				const struct gpuoa_attr *attr)
{
	if (!perfmon_capable())
		return gpuoa_reject(&unit->dev, -EACCES, "hardware ids need CAP_PERFMON");
	request->context_id = attr->context & unit->context_mask;
	request->filter = true;

	return 0;
}

/* Reject requests that the unit or the provider does not support for one context. */
static int request_check_context(const struct gpuoa_unit *unit, const struct gpuoa_attr *attr)
{
	bool by_handle = !(attr->flags & GPUOA_ATTR_CONTEXT_HW_ID);
	const char *missing = NULL;

	if (!unit->oa->filters_contexts)
		missing = "the unit does not filter contexts";
	else if (by_handle && !gpuoa_unit_measures_contexts(unit->oa, unit->ops))
		missing = "the provider does not support contexts by handle";
	else if (attr->flags & GPUOA_ATTR_BATCH_BOUNDARY_REPORTS && !unit->ops->context_batches)
		missing = "the provider does not report batches";

	return missing ? gpuoa_reject(&unit->dev, -EOPNOTSUPP, missing) : 0;
}

static int request_find_context(struct gpuoa_request *request, struct gpuoa_unit *unit,
				const struct gpuoa_attr *attr,
				const struct gpuoa_registered_attr *registered)
{
	struct file *file;
	int ret;

	if (!(attr->flags & GPUOA_ATTR_CONTEXT))
		return 0;
	ret = request_check_context(unit, attr);
	if (ret)
		return ret;
	if (attr->flags & GPUOA_ATTR_CONTEXT_HW_ID)
		return request_name_context(request, unit, attr);
	request->batches = attr->flags & GPUOA_ATTR_BATCH_BOUNDARY_REPORTS;

	file = registered ? get_file(registered->drm_file) : fget(attr->drm_fd);
	if (!file)
		return -EBADF;
	ret = unit->ops->context_get(unit->provider, file, attr->context, &request->context_id,
				     &request->context);
	fput(file);
	/* A driver's id may have bits that reports do not carry, such as an engine or a counter. */
	request->context_id &= unit->context_mask;
	request->filter = !ret;

	return ret;
}

static int request_check_inline(const struct gpuoa_unit *unit)
{
	if (perfmon_capable())
		return 0;

	return gpuoa_reject(&unit->dev, -EACCES, "inline registers need CAP_PERFMON");
}

/**
 * gpuoa_request_inline_set() - Create a metric configuration from inline register lists.
 * @unit: OA unit
 * @attr: attributes with register lists in user memory
 *
 * Context: may sleep, accesses user memory
 * Return: the configuration with a reference for the caller, or an ERR_PTR: -EACCES without
 * CAP_PERFMON, which a registered configuration needs as well, or as gpuoa_metric_set_from_user()
 */
static struct gpuoa_metric_set *gpuoa_request_inline_set(const struct gpuoa_unit *unit,
							 const struct gpuoa_attr *attr)
{
	struct gpuoa_user_regs regs = {
		.mux = attr->mux,
		.boolean = attr->boolean,
		.flex = attr->flex,
		.n_mux = attr->n_mux,
		.n_boolean = attr->n_boolean,
		.n_flex = attr->n_flex,
	};
	int ret;

	ret = request_check_inline(unit);

	return ret ? ERR_PTR(ret) : gpuoa_metric_set_from_user(unit->oa, &regs);
}

/*
 * Check the caller's permission once more, because a user with more privileges may have registered
 * the attributes.
 */
static struct gpuoa_metric_set *
request_registered_set(const struct gpuoa_unit *unit,
		       const struct gpuoa_registered_attr *registered)
{
	int ret = registered->attr.metric_set ? 0 : request_check_inline(unit);

	return ret ? ERR_PTR(ret) : gpuoa_metric_set_get(registered->set);
}

/*
 * The perf core opens an event in an SRCU read-side section, which perf_pmu_unregister() of every
 * PMU waits for. This function must therefore not wait for a page fault, since a user may delay it
 * indefinitely (userfaultfd, FUSE).
 */
static struct gpuoa_metric_set *request_own_set(const struct gpuoa_unit *unit,
						const struct gpuoa_attr *attr)
{
	struct gpuoa_metric_set *set;

	pagefault_disable();
	set = gpuoa_request_inline_set(unit, attr);
	pagefault_enable();

	return set;
}

static u64 period_ns(const struct gpuoa_unit *unit, u32 exponent)
{
	return gpuoa_exponent_period_ns(unit->info.timestamp_frequency, exponent);
}

/* Check whether no counter can wrap twice between two reports. */
static bool exponent_can_count(const struct gpuoa_unit *unit, u32 exponent)
{
	return period_ns(unit, exponent) <= gpuoa_count_period_max(&unit->info);
}

static int request_init_exponent(struct gpuoa_request *request, const struct gpuoa_unit *unit,
				 const struct gpuoa_attr *attr, const struct gpuoa_timing *timing)
{
	const struct gpuoa_timing counting = {
		.period_ns = min_t(u64, GPUOA_COUNT_PERIOD_NS, gpuoa_count_period_max(&unit->info)),
	};
	u64 frequency = unit->info.timestamp_frequency;
	int ret;

	ret = gpuoa_attr_exponent(unit->oa, frequency, attr, attr->counter ? &counting : timing);
	if (ret < 0)
		return gpuoa_reject(&unit->dev, ret, "no exponent for this period or rate");
	request->exponent = ret;
	request->any_exponent = attr->counter && !(attr->flags & GPUOA_ATTR_EXPONENT);
	if (attr->counter && !exponent_can_count(unit, request->exponent))
		return gpuoa_reject(&unit->dev, -ERANGE, "counters may wrap twice in a period");
	if (gpuoa_exponent_faster_than(frequency, request->exponent, gpuoa_max_sample_rate()) &&
	    !perfmon_capable())
		return gpuoa_reject(&unit->dev, -EACCES,
				    "rates beyond dev.gpuoa.max_sample_rate need CAP_PERFMON");

	return 0;
}

/* Get the mode that an event requests. A buffer of the provider cannot be an AUX area. */
static const struct gpuoa_mode *mode_of(const struct gpuoa_unit *unit, u32 flags)
{
	if (flags & GPUOA_ATTR_QUERY_ONLY)
		return &gpuoa_mode_none;
	if (!(flags & GPUOA_ATTR_AUX))
		return &gpuoa_mode_raw;

	return unit->ops->map ? &gpuoa_mode_aux : &gpuoa_mode_copy;
}

/**
 * gpuoa_request_check() - Check everything about attributes except the sampling period.
 * @unit: OA unit
 * @attr: attributes
 *
 * Return: 0, or a negative errno as uapi/gpuoa.h documents for perf_event_open
 */
static int gpuoa_request_check(const struct gpuoa_unit *unit, const struct gpuoa_attr *attr)
{
	const struct gpuoa_mode *mode = mode_of(unit, attr->flags);
	int ret;

	ret = gpuoa_attr_check(&unit->dev, unit->oa, attr);
	if (!ret && mode->check)
		ret = mode->check(unit, attr, gpuoa_attr_format(unit->oa, attr->format));
	if (ret)
		return ret;
	if (attr->buffer_size > unit->info.buffer_size_max)
		return gpuoa_reject(&unit->dev, -ERANGE, "the provider's buffer is smaller");
	if (attr->buffer_size > GPUOA_BUFFER_COMMON_MAX && !perfmon_capable())
		return gpuoa_reject(&unit->dev, -EACCES, "buffers above 16 MiB need CAP_PERFMON");

	return 0;
}

/**
 * gpuoa_request_init() - Check the attributes of an event, and copy its register lists.
 * @request: out: the request
 * @unit: OA unit
 * @attr: attributes of the event
 * @timing: sampling period or rate, if @attr has no exponent
 * @registered: registered attributes that @attr is a copy of; NULL: @attr refers to user memory
 *
 * Context: may sleep, accesses user memory unless @registered
 * Return: 0, or a negative errno as uapi/gpuoa.h documents for perf_event_open
 */
int gpuoa_request_init(struct gpuoa_request *request, struct gpuoa_unit *unit,
		       const struct gpuoa_attr *attr, const struct gpuoa_timing *timing,
		       const struct gpuoa_registered_attr *registered)
{
	struct gpuoa_dword_mask mask;
	int ret;

	*request = (struct gpuoa_request){};

	ret = gpuoa_request_check(unit, attr);
	if (ret)
		return ret;
	request->mode = mode_of(unit, attr->flags);
	request->format = gpuoa_attr_format(unit->oa, attr->format);
	request->buffer_size = attr->buffer_size;
	request->buffer_default_max = perfmon_capable() ? GPUOA_BUFFER_COMMON_MAX :
							  GPUOA_BUFFER_USER_MAX;
	request->samples = !attr->counter;
	gpuoa_dword_mask_init(&mask, request->format, attr->dword_mask);
	memcpy(request->dword_mask, mask.dword_mask, sizeof(request->dword_mask));

	ret = request_init_exponent(request, unit, attr, timing);
	if (ret)
		return ret;

	if (registered)
		request->set = request_registered_set(unit, registered);
	else if (!attr->metric_set)
		request->set = request_own_set(unit, attr);

	return PTR_ERR_OR_ZERO(request->set);
}

/**
 * gpuoa_request_find() - Look up the configuration and the context of an event.
 * @request: the request, from gpuoa_request_init(); dropped on failure
 * @unit: OA unit, after gpuoa_unit_enter()
 * @attr: attributes of the event
 * @registered: registered attributes that @attr is a copy of, or NULL
 *
 * Context: may sleep, does not access user memory
 * Return: 0; -ENOENT: no such configuration or context; or an error of the provider
 */
int gpuoa_request_find(struct gpuoa_request *request, struct gpuoa_unit *unit,
		       const struct gpuoa_attr *attr,
		       const struct gpuoa_registered_attr *registered)
{
	int ret;

	if (!request->set)
		request->set = gpuoa_registry_get(&unit->sets, attr->metric_set);
	if (!request->set)
		return gpuoa_reject(&unit->dev, -ENOENT, "no configuration has this id");

	ret = request_find_context(request, unit, attr, registered);
	if (ret)
		gpuoa_request_drop(request);

	return ret;
}

/**
 * gpuoa_request_drop() - Release a request before its context is looked up.
 * @request: request
 */
void gpuoa_request_drop(struct gpuoa_request *request)
{
	if (request->set)
		gpuoa_metric_set_put(request->set);
}

/**
 * gpuoa_request_release() - Release all references of a request.
 * @request: request
 * @unit: OA unit, with its provider present
 */
void gpuoa_request_release(struct gpuoa_request *request, struct gpuoa_unit *unit)
{
	if (request->context)
		unit->ops->context_put(unit->provider, request->context);
	gpuoa_metric_set_put(request->set);
}

/*
 * A request by hardware id may join a stream that was opened by handle. The reverse is rejected,
 * because the stream holds no reference to the context.
 */
static bool context_fits(const struct gpuoa_request *request, const struct gpuoa_request *running)
{
	if (running->filter != request->filter)
		return false;

	return request->context ? running->context == request->context :
				  running->context_id == request->context_id;
}

/* An empty UUID (inline configuration) is compatible with every UUID. */
static bool set_fits(const struct gpuoa_metric_set *a, const struct gpuoa_metric_set *b)
{
	return gpuoa_metric_set_equal(a, b) &&
	       (!a->uuid[0] || !b->uuid[0] || !strcasecmp(a->uuid, b->uuid));
}

static bool exponent_fits(const struct gpuoa_request *request, const struct gpuoa_unit *unit,
			  const struct gpuoa_request *running)
{
	return running->exponent == request->exponent ||
	       (request->any_exponent && exponent_can_count(unit, running->exponent));
}

/**
 * gpuoa_request_fits() - Check whether an event can share the running stream.
 * @request: request of the event
 * @unit: OA unit
 * @running: request of the stream
 *
 * Dword masks are not compared.
 *
 * Return: true if the event can share the stream
 */
bool gpuoa_request_fits(const struct gpuoa_request *request, const struct gpuoa_unit *unit,
			const struct gpuoa_request *running)
{
	const char *differs = NULL;

	/* An AUX area belongs to exactly one event. */
	if (request->mode != running->mode || running->mode->in_area)
		differs = "mode";
	else if (!set_fits(request->set, running->set))
		differs = "configuration";
	else if (request->format != running->format)
		differs = "format";
	else if (!exponent_fits(request, unit, running))
		differs = "exponent";
	else if (!context_fits(request, running) || request->batches != running->batches)
		differs = "context";
	else if (request->buffer_size && request->buffer_size != running->buffer_size)
		differs = "buffer size";
	if (differs)
		dev_dbg(&unit->dev, "busy: the event that has the unit differs in its %s\n",
			differs);

	return !differs;
}

/**
 * gpuoa_request_same_dwords() - Check whether an event can use the stream's dword mask.
 * @request: request of the event
 * @running: request of the stream
 *
 * Return: true if the masks are equal or @request does not sample
 */
bool gpuoa_request_same_dwords(const struct gpuoa_request *request,
			       const struct gpuoa_request *running)
{
	return !request->samples || !memcmp(running->dword_mask, request->dword_mask,
					    sizeof(request->dword_mask));
}

/**
 * gpuoa_request_period_ns() - Get the period of the timer.
 * @request: request
 * @unit: OA unit
 *
 * Return: period, ns
 */
u64 gpuoa_request_period_ns(const struct gpuoa_request *request, const struct gpuoa_unit *unit)
{
	return period_ns(unit, request->exponent);
}

/**
 * DOC: Registered attributes
 *
 * perf_event_open() runs pmu->event_init() in an SRCU read-side section, so struct gpuoa_attr in
 * user memory can only be read there without page faults. GPUOA_IOC_ADD_ATTR copies all of it
 * beforehand, register lists included, and resolves drm_fd; perf_event_open() then needs the id
 * only.
 *
 * The entry holds a reference to the DRM file. This cannot form a cycle, because
 * &gpuoa_provider_ops.context_get has accepted the file as one of the GPU's DRM node.
 */

/* Maximum number of registered attributes of a unit, to limit the memory they take */
#define ATTR_TABLE_MAX 4096

static void registered_attr_free(struct gpuoa_registered_attr *registered)
{
	if (registered->set)
		gpuoa_metric_set_put(registered->set);
	if (registered->drm_file)
		fput(registered->drm_file);
	if (registered->charge.user)
		gpuoa_uncharge(&registered->charge);
	kfree(registered);
}

static void registered_attr_release(struct kref *refcount)
{
	registered_attr_free(container_of(refcount, struct gpuoa_registered_attr, refcount));
}

/**
 * gpuoa_registered_attr_put() - Release a reference to registered attributes.
 * @registered: registered attributes
 */
void gpuoa_registered_attr_put(struct gpuoa_registered_attr *registered)
{
	kref_put(&registered->refcount, registered_attr_release);
}

/* Copy struct gpuoa_attr and the register lists from user memory. */
static int registered_attr_fill(struct gpuoa_registered_attr *registered, struct gpuoa_unit *unit,
				u64 user)
{
	struct gpuoa_attr *attr = &registered->attr;
	size_t size = sizeof(*registered);
	int ret;

	ret = gpuoa_attr_from_user(&unit->dev, user, attr);
	if (!ret)
		ret = gpuoa_request_check(unit, attr);
	if (ret)
		return ret;

	if (!attr->metric_set) {
		registered->set = gpuoa_request_inline_set(unit, attr);
		if (IS_ERR(registered->set)) {
			ret = PTR_ERR(registered->set);
			registered->set = NULL;
			return ret;
		}
		size += sizeof(struct gpuoa_register) *
			((size_t)attr->n_mux + attr->n_boolean + attr->n_flex);
	}
	if (attr->flags & GPUOA_ATTR_CONTEXT && !(attr->flags & GPUOA_ATTR_CONTEXT_HW_ID)) {
		registered->drm_file = fget(attr->drm_fd);
		if (!registered->drm_file)
			return -EBADF;
	}

	return gpuoa_charge(&registered->charge, unit, GPUOA_CHARGE_ATTR, PFN_UP(size));
}

/*
 * Look up the configuration and the context, as for an event. The caller has called
 * gpuoa_unit_enter().
 */
static int registered_attr_find(struct gpuoa_registered_attr *registered, struct gpuoa_unit *unit)
{
	struct gpuoa_request request = {};
	int ret;

	if (registered->set)
		request.set = gpuoa_metric_set_get(registered->set);
	ret = gpuoa_request_find(&request, unit, &registered->attr, registered);
	if (ret)
		return ret;
	if (!registered->set)
		registered->set = gpuoa_metric_set_get(request.set);
	gpuoa_request_release(&request, unit);

	return 0;
}

static int attr_table_insert(struct gpuoa_attr_table *table,
			     struct gpuoa_registered_attr *registered, u32 *id)
{
	int ret = -ENOSPC;

	mutex_lock(&table->lock);
	/* Ids are not reused soon: a user may still have the old one. */
	if (table->count < ATTR_TABLE_MAX)
		ret = xa_alloc_cyclic(&table->entries, &registered->id, registered,
				      XA_LIMIT(1, INT_MAX), &table->next_id, GFP_KERNEL_ACCOUNT);
	if (ret >= 0) {
		table->count++;
		*id = registered->id;
	}
	mutex_unlock(&table->lock);

	return min(ret, 0);
}

/**
 * gpuoa_attr_table_add() - Register attributes of events.
 * @unit: the unit
 * @owner: open file of /dev/gpuoa<N> that the id belongs to
 * @user: user pointer to struct gpuoa_attr
 * @id: out: the id
 *
 * Context: may sleep, accesses user memory
 * Return: 0, or a negative errno as uapi/gpuoa.h documents for GPUOA_IOC_ADD_ATTR
 */
int gpuoa_attr_table_add(struct gpuoa_unit *unit, const struct file *owner, u64 user, u32 *id)
{
	struct gpuoa_registered_attr *registered;
	int ret;

	if (!gpuoa_may_observe())
		return gpuoa_reject(&unit->dev, -EACCES,
				    "dev.gpuoa.paranoid: events need CAP_PERFMON");

	registered = kzalloc(sizeof(*registered), GFP_KERNEL_ACCOUNT);
	if (!registered)
		return -ENOMEM;
	kref_init(&registered->refcount);
	registered->owner = owner;

	ret = registered_attr_fill(registered, unit, user);
	if (ret)
		goto err_free;
	ret = gpuoa_unit_enter(unit);
	if (ret)
		goto err_free;
	ret = registered_attr_find(registered, unit);
	if (!ret)
		ret = attr_table_insert(&unit->attrs, registered, id);
	gpuoa_unit_leave(unit);
	if (ret)
		goto err_free;

	return 0;

err_free:
	registered_attr_free(registered);

	return ret;
}

static void attr_table_drop(struct gpuoa_attr_table *table,
			    struct gpuoa_registered_attr *registered)
{
	lockdep_assert_held(&table->lock);

	xa_erase(&table->entries, registered->id);
	table->count--;
	gpuoa_registered_attr_put(registered);
}

/**
 * gpuoa_attr_table_remove() - Remove an id; events that were opened with it are not affected.
 * @unit: the unit
 * @owner: open file of /dev/gpuoa<N>
 * @id: the id
 *
 * Return: 0, or -ENOENT if @owner has not registered @id
 */
int gpuoa_attr_table_remove(struct gpuoa_unit *unit, const struct file *owner, u32 id)
{
	struct gpuoa_attr_table *table = &unit->attrs;
	struct gpuoa_registered_attr *registered;
	int ret = -ENOENT;

	mutex_lock(&table->lock);
	registered = xa_load(&table->entries, id);
	if (registered && registered->owner == owner) {
		attr_table_drop(table, registered);
		ret = 0;
	}
	mutex_unlock(&table->lock);

	return ret;
}

/**
 * gpuoa_attr_table_clear() - Remove the ids of an open file, or all.
 * @unit: the unit
 * @owner: open file of /dev/gpuoa<N> that is closed; NULL: remove all ids, because the unit is gone
 */
void gpuoa_attr_table_clear(struct gpuoa_unit *unit, const struct file *owner)
{
	struct gpuoa_attr_table *table = &unit->attrs;
	struct gpuoa_registered_attr *registered;
	unsigned long id;

	mutex_lock(&table->lock);
	xa_for_each(&table->entries, id, registered)
		if (!owner || registered->owner == owner)
			attr_table_drop(table, registered);
	mutex_unlock(&table->lock);
}

/**
 * gpuoa_attr_table_get() - Find registered attributes.
 * @unit: the unit
 * @id: the id, from user space
 *
 * Return: registered attributes with a reference for the caller, or an ERR_PTR: -ENOENT if there is
 * no such id, or it belongs to another user and the caller has no CAP_PERFMON
 */
struct gpuoa_registered_attr *gpuoa_attr_table_get(struct gpuoa_unit *unit, u64 id)
{
	struct gpuoa_attr_table *table = &unit->attrs;
	struct gpuoa_registered_attr *registered = NULL;

	mutex_lock(&table->lock);
	if (id <= INT_MAX)
		registered = xa_load(&table->entries, id);
	if (registered && registered->charge.user != current_user() && !perfmon_capable())
		registered = NULL;
	if (registered)
		kref_get(&registered->refcount);
	mutex_unlock(&table->lock);

	if (!registered)
		return ERR_PTR(gpuoa_reject(&unit->dev, -ENOENT, "no attributes have this id"));

	return registered;
}

/**
 * gpuoa_attr_table_init() - Initialize an empty table.
 * @table: out: the table
 */
void gpuoa_attr_table_init(struct gpuoa_attr_table *table)
{
	mutex_init(&table->lock);
	xa_init_flags(&table->entries, XA_FLAGS_ALLOC1);
}
