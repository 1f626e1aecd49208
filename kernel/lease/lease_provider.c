// SPDX-License-Identifier: GPL-2.0-only
/* lease_provider.c - provider callbacks for gpuoa.ko, by an exclusive stream of the stock driver */
#include <linux/capability.h>
#include <linux/cred.h>
#include <linux/device.h>
#include <linux/mm.h>
#include <linux/pci.h>
#include <linux/slab.h>
#include <linux/timekeeping.h>

#include "lease.h"
#include "lease_ioctl.h"

/**
 * DOC: The exclusive stream
 *
 * While a stream of i915-perf or of xe's observation interface is open, the driver opens no other
 * stream of the unit and keeps the GPU awake. It has written the configuration by a batch, as the
 * hardware's clock domains require, and has set the timer period. It accesses the unit's own
 * registers (OACONTROL, OABUFFER, head and tail) only when the stream is enabled, disabled or read.
 *
 * This module opens a stream, then enables and disables it once. Enabling makes the driver write
 * the address of its buffer to OABUFFER. After that the unit is off, no other process has the
 * stream, and gpuoa controls the unit.
 *
 * A unit that has lost its registers in a reset is programmed again by the stream that is open, if
 * the driver can do that, so that no other process gets the unit meanwhile.
 *
 * The stream is opened with the credentials of the process that opened the event, so the driver's
 * sysctls (dev.i915.perf_stream_paranoid, dev.xe.observation_paranoid) also apply to gpuoa events.
 */

static int close_stream(struct ioctl_args *args, void *stream)
{
	node_close(stream);

	return 0;
}

/**
 * lease_close() - Close the exclusive stream, if there is one.
 * @unit: unit
 *
 * Context: may sleep
 */
void lease_close(struct lease_unit *unit)
{
	lockdep_assert_held(&unit->lock);

	if (unit->stream && !unit->leaked)
		ioctl_run(unit->gpu->worker, close_stream, unit->stream, PAGE_SIZE);
	unit->stream = NULL;
	unit->buffer = 0;
	unit->buffer_size = 0;
	unit->pages = NULL;
	unit->leaked = false;
}

u32 lease_provider_read(void *provider, u32 reg)
{
	const struct lease_unit *unit = provider;

	return lease_read(unit->gpu, reg);
}

void lease_provider_write(void *provider, u32 reg, u32 value)
{
	const struct lease_unit *unit = provider;

	lease_write(unit->gpu, reg, value);
}

/* Read the clock: all 64 bits, or the lower 32. */
static u64 read_clock(const struct lease_unit *unit)
{
	const struct lease_gpu *gpu = unit->gpu;
	u32 before, low, upper;

	if (!unit->clock_is_64)
		return lease_read(gpu, unit->clock);
	before = lease_read(gpu, unit->clock + sizeof(u32));
	low = lease_read(gpu, unit->clock);
	upper = lease_read(gpu, unit->clock + sizeof(u32));
	/* The lower half has wrapped, before or after it was read. */
	if (upper != before)
		low = lease_read(gpu, unit->clock);

	return (u64)upper << 32 | low;
}

static u64 now(const struct lease_unit *unit, u64 clock)
{
	if (unit->clock_is_64)
		return clock;

	return clock_extend(&unit->anchor, unit->frequency, clock, ktime_get_raw_fast_ns());
}

u64 lease_provider_timestamp(void *provider)
{
	const struct lease_unit *unit = provider;

	return now(unit, read_clock(unit));
}

/*
 * The two clocks drift, and that of the GPU restarts if the GPU loses power; re-anchor one to the
 * other while the unit is idle.
 */
static void set_anchor(struct lease_unit *unit, u64 ticks)
{
	unit->anchor = (struct clock_anchor){ .ticks = ticks, .ns = ktime_get_raw_fast_ns() };
}

int lease_provider_clock(void *provider, u64 *ticks)
{
	struct lease_unit *unit = provider;
	u64 clock = 0;
	int ret = 0;

	mutex_lock(&unit->lock);
	if (unit->stream)
		clock = read_clock(unit);
	else
		ret = lease_driver.read_clock(unit, &clock);
	if (!ret)
		*ticks = now(unit, clock);
	if (!ret && !unit->stream)
		set_anchor(unit, *ticks);
	mutex_unlock(&unit->lock);

	return ret;
}

/* The driver checks the opener's permissions each time the unit is programmed. */
int lease_provider_get(void *provider)
{
	struct lease_unit *unit = provider;

	unit->cred = get_current_cred();

	return 0;
}

void lease_provider_put(void *provider)
{
	struct lease_unit *unit = provider;

	put_cred(unit->cred);
	unit->cred = NULL;
}

/* Program the unit by its stream if possible, and otherwise by a new stream. */
static int program(struct lease_unit *unit, struct gpuoa_provider_config *config)
{
	const struct lease_request request = { unit, config, unit->cred };
	int ret;

	if (!lease_stream_change(&request))
		return 0;
	lease_close(unit);
	ret = lease_driver.open(unit, config, unit->cred);
	if (!ret)
		set_anchor(unit, lease_provider_timestamp(unit));

	return ret;
}

int lease_provider_configure(void *provider, struct gpuoa_provider_config *config)
{
	struct lease_unit *unit = provider;
	int ret;

	ret = ioctl_ready();
	if (ret) {
		dev_warn_ratelimited(&unit->gpu->pdev->dev,
				     "gpuoa: the process that loaded the module must exit first\n");
		return ret;
	}
	mutex_lock(&unit->lock);
	ret = program(unit, config);
	mutex_unlock(&unit->lock);

	return ret;
}

/* A caller with CAP_PERFMON needs no check: the driver lets it open any stream. */
int lease_provider_join(void *provider, const struct gpuoa_provider_config *config)
{
	struct lease_unit *unit = provider;
	int ret;

	if (perfmon_capable())
		return 0;
	mutex_lock(&unit->lock);
	ret = lease_driver.permits(unit, config, current_cred());
	mutex_unlock(&unit->lock);

	return ret;
}

void lease_provider_unconfigure(void *provider)
{
	struct lease_unit *unit = provider;

	mutex_lock(&unit->lock);
	lease_close(unit);
	mutex_unlock(&unit->lock);
}

/* Get pages of the stream's buffer. Returns 0, -ENXIO if there is no buffer, or another -errno. */
static int find_pages(struct lease_unit *unit, struct page **pages, unsigned int n_pages)
{
	if (!unit->stream || !unit->buffer_size)
		return -ENXIO;
	if (n_pages > unit->buffer_size >> PAGE_SHIFT)
		return -ERANGE;

	return lease_driver.find_buffer(unit, pages, n_pages);
}

static const char *buffer_error(int error)
{
	switch (error) {
	case -EREMOTE:
		return "it is in local memory";
	case -ENXIO:
		return "the stream has none";
	case -ENOMEM:
		return "no memory";
	default:
		return "its pages are not found";
	}
}

int lease_provider_buffer_get(void *provider, u32 size, struct gpuoa_provider_buffer *buffer)
{
	unsigned int n_pages = size >> PAGE_SHIFT;
	struct lease_unit *unit = provider;
	struct page **pages;
	int ret;

	pages = kvcalloc(n_pages, sizeof(*pages), GFP_KERNEL_ACCOUNT);
	if (!pages)
		return -ENOMEM;

	mutex_lock(&unit->lock);
	ret = find_pages(unit, pages, n_pages);
	if (!ret) {
		unit->pages = pages;
		*buffer = (struct gpuoa_provider_buffer){ pages, n_pages, unit->buffer };
	}
	mutex_unlock(&unit->lock);
	if (ret && ret != -ERANGE)
		dev_err_ratelimited(&unit->gpu->pdev->dev,
				    "gpuoa: cannot use the OA buffer of %s: %s (%d)\n",
				    lease_driver.name, buffer_error(ret), ret);
	if (ret)
		kvfree(pages);

	return ret;
}

void lease_provider_buffer_put(void *provider, bool leak)
{
	struct lease_unit *unit = provider;

	mutex_lock(&unit->lock);
	kvfree(unit->pages);
	unit->pages = NULL;
	unit->leaked = leak;
	mutex_unlock(&unit->lock);
}
