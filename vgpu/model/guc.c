// SPDX-License-Identifier: GPL-2.0-only
/*
 * guc.c - the GuC: loading, messages in registers and in rings, frequencies, engine activity and
 * page faults. guc_schedule.c schedules the contexts.
 */
#include "guc.h"
#include "guc_schedule.h"

/* Values of GUC_STATUS: the GuC is in reset, or runs authenticated firmware */
#define STATUS_IN_RESET BIT(0)
#define GUC_CTL_DISABLE_SCHEDULER BIT(14)

#define STATUS_READY (2U << 30 | 1 << 16 | 0xf0 << 8 | 0x76 << 1)

/* First dword of a message */
#define HXG_FROM_GUC BIT(31)
#define HXG_TYPE GENMASK(30, 28)
#define HXG_REQUEST 0U
#define HXG_EVENT 1U
#define HXG_FAST_REQUEST 2U /* is never answered */
#define HXG_FAILURE 6U
#define HXG_SUCCESS 7U
#define HXG_DATA GENMASK(27, 0)
#define HXG_ACTION GENMASK(15, 0)

/* In a ring, one more dword precedes each message. */
#define CT_FENCE GENMASK(31, 16)
#define CT_FORMAT GENMASK(15, 12)
#define CT_DWORDS GENMASK(7, 0)

/* Byte offsets in the descriptor of a ring, and bits of its status */
#define CT_HEAD 0
#define CT_TAIL 4
#define CT_STATUS 8
#define CT_STATUS_OVERFLOW BIT(0)
#define CT_STATUS_UNDERFLOW BIT(1)
#define CT_STATUS_MISMATCH BIT(2)

/* Other actions are in guc_schedule.h. */
enum {
	GUC_GLOBAL_SCHED_POLICY_CHANGE = 0x0506,
	GUC_SELF_CFG = 0x0508,
	GUC_UPDATE_SCHEDULING_POLICIES = 0x0509,
	GUC_PC_SLPC_REQUEST = 0x3003,
	GUC_SETUP_PC_GUCRC = 0x3004,
	GUC_AUTHENTICATE_HUC = 0x4000,
	GUC_GET_HWCONFIG = 0x4100,
	GUC_CONTROL_CTB = 0x4509,
	GUC_CLIENT_SOFT_RESET = 0x5507,
	GUC_SET_ENGINE_USAGE_BUFFER = 0x550a,
	GUC_SET_ENGINE_ACTIVITY_BUFFER = 0x550c,
	GUC_OPT_IN_FEATURE = 0x550e,
	GUC_REPORT_PAGE_FAULT = 0x6002,
	GUC_PAGE_FAULT_ANSWER = 0x6003,
	GUC_TLB_INVALIDATION = 0x7000,
	GUC_TLB_INVALIDATION_DONE = 0x7001,
	GUC_TLB_INVALIDATION_ALL = 0x7002,
};

/* ---- memory shared with the driver -------------------------------------------------------- */

/**
 * sim_guc_memory_read() - Read a dword that the driver may write.
 * @guc: the GuC
 * @address: GGTT address
 *
 * Return: the dword; 0 if it is not mapped, which is logged
 */
u32 sim_guc_memory_read(struct sim_guc *guc, u32 address)
{
	u32 *dword = guc->ops->memory(guc, address);

	if (dword)
		return READ_ONCE(*dword);
	guc->ops->log(guc, "no memory at GGTT address", address);
	return 0;
}

/**
 * sim_guc_memory_write() - Write a dword that the driver may read, after all earlier ones.
 * @guc: the GuC
 * @address: GGTT address
 * @value: the dword; it is lost if the address is not mapped, which is logged
 */
void sim_guc_memory_write(struct sim_guc *guc, u32 address, u32 value)
{
	u32 *dword = guc->ops->memory(guc, address);

	if (dword) {
		smp_wmb(); /* pairs with the barrier of the driver after it has read a tail */
		WRITE_ONCE(*dword, value);
	} else {
		guc->ops->log(guc, "no memory at GGTT address", address);
	}
}

static void ring_fails(struct sim_guc *guc, const struct sim_guc_ring *ring, u32 status)
{
	u32 at = ring->descriptor + CT_STATUS;

	sim_guc_memory_write(guc, at, sim_guc_memory_read(guc, at) | status);
	guc->ops->log(guc, "a ring of messages fails with status", status);
}

/* ---- messages to the driver --------------------------------------------------------------- */

static void send(struct sim_guc *guc, u32 fence, u32 header, const u32 *data, unsigned int n)
{
	const struct sim_guc_ring *ring = &guc->to_host;
	u32 head, tail, i;

	if (!guc->enabled || !ring->dwords)
		return;
	head = sim_guc_memory_read(guc, ring->descriptor + CT_HEAD);
	tail = sim_guc_memory_read(guc, ring->descriptor + CT_TAIL);
	if (head >= ring->dwords || tail >= ring->dwords) {
		ring_fails(guc, ring, CT_STATUS_MISMATCH);
		return;
	}
	if ((head + ring->dwords - tail - 1) % ring->dwords < n + 2) {
		ring_fails(guc, ring, CT_STATUS_OVERFLOW);
		return;
	}
	for (i = 0; i < n + 2; i++) {
		u32 value = i >= 2 ? data[i - 2] : header;

		if (!i)
			value = FIELD_PREP(CT_FENCE, fence) | FIELD_PREP(CT_DWORDS, n + 1);
		sim_guc_memory_write(guc, ring->buffer + tail * sizeof(u32), value);
		tail = (tail + 1) % ring->dwords;
	}
	sim_guc_memory_write(guc, ring->descriptor + CT_TAIL, tail);
	guc->n_sent++;
	guc->ops->interrupt(guc);
}

/**
 * sim_guc_event() - Send an event to the driver.
 * @guc: the GuC
 * @action: kind of the event
 * @data: data of the event
 * @n: number of dwords in @data
 */
void sim_guc_event(struct sim_guc *guc, u32 action, const u32 *data, unsigned int n)
{
	send(guc, 0, HXG_FROM_GUC | FIELD_PREP(HXG_TYPE, HXG_EVENT) | action, data, n);
}

/* ---- configuration ------------------------------------------------------------------------ */

/* Keys of SELF_CFG: the rings */
enum {
	KEY_TO_GUC_BUFFER = 0x0902,
	KEY_TO_GUC_DESCRIPTOR = 0x0903,
	KEY_TO_GUC_SIZE = 0x0904,
	KEY_TO_HOST_BUFFER = 0x0905,
	KEY_TO_HOST_DESCRIPTOR = 0x0906,
	KEY_TO_HOST_SIZE = 0x0907,
};

#define KLV_KEY GENMASK(31, 16)
#define KLV_DWORDS GENMASK(15, 0)

/*
 * Store an address or size chosen by the driver. The answer is the number of known keys in the
 * message.
 */
static enum sim_guc_error self_cfg(struct sim_guc *guc, const u32 *message, unsigned int n,
				   u32 *data)
{
	*data = 1;
	switch (FIELD_GET(KLV_KEY, message[1])) {
	case KEY_TO_GUC_BUFFER:
		guc->to_guc.buffer = message[2];
		break;
	case KEY_TO_GUC_DESCRIPTOR:
		guc->to_guc.descriptor = message[2];
		break;
	case KEY_TO_GUC_SIZE:
		guc->to_guc.dwords = message[2] / sizeof(u32);
		break;
	case KEY_TO_HOST_BUFFER:
		guc->to_host.buffer = message[2];
		break;
	case KEY_TO_HOST_DESCRIPTOR:
		guc->to_host.descriptor = message[2];
		break;
	case KEY_TO_HOST_SIZE:
		guc->to_host.dwords = message[2] / sizeof(u32);
		break;
	default:
		guc->ops->log(guc, "unknown configuration", message[1]);
		*data = 0;
	}

	return SIM_GUC_OK;
}

static enum sim_guc_error control_ctb(struct sim_guc *guc, const u32 *message, unsigned int n,
				      u32 *data)
{
	guc->enabled = message[1];

	return SIM_GUC_OK;
}

/*
 * Copy as much of the hardware description as fits into the driver's buffer. The answer is the size
 * of the whole description in bytes.
 */
static enum sim_guc_error get_hwconfig(struct sim_guc *guc, const u32 *message, unsigned int n,
				       u32 *data)
{
	const u32 *table = guc->config->hwconfig;
	u32 dwords = 0, i;

	while (table && table[dwords])
		dwords += 2 + table[dwords + 1];
	for (i = 0; i < min(dwords, message[3] / (u32)sizeof(u32)); i++)
		sim_guc_memory_write(guc, message[1] + i * sizeof(u32), table[i]);
	*data = dwords * sizeof(u32);

	return SIM_GUC_OK;
}

/* Handle a driver that starts over: forget all contexts and requests, but not the firmware. */
static enum sim_guc_error client_soft_reset(struct sim_guc *guc, const u32 *message,
					    unsigned int n, u32 *data)
{
	bool huc_loaded = guc->huc_loaded;

	sim_guc_reset(guc);
	guc->loaded = true;
	guc->huc_loaded = huc_loaded;

	return SIM_GUC_OK;
}

static enum sim_guc_error authenticate_huc(struct sim_guc *guc, const u32 *message, unsigned int n,
					   u32 *data)
{
	guc->huc_loaded = true;

	return SIM_GUC_OK;
}

/* Accept scheduling policies, which have no effect. The answer is their number. */
static enum sim_guc_error scheduling_policies(struct sim_guc *guc, const u32 *message,
					      unsigned int n, u32 *data)
{
	unsigned int i;

	for (i = 1; i < n && message[i]; i += 1 + FIELD_GET(KLV_DWORDS, message[i]))
		++*data;

	return SIM_GUC_OK;
}

/* Accept requests that have no effect on the model. */
static enum sim_guc_error accepted(struct sim_guc *guc, const u32 *message, unsigned int n,
				   u32 *data)
{
	return SIM_GUC_OK;
}

/* ---- frequencies and power ---------------------------------------------------------------- */

/* Byte offsets in the memory with frequencies, which the driver and the GuC share */
#define SLPC_GLOBAL_STATE 4
#define SLPC_STATE_RUNNING 3
#define SLPC_TASK_STATUS 128
#define SLPC_TASK_ENABLED BIT(0)
#define SLPC_TASK_FREQUENCIES 132

#define SLPC_EVENT GENMASK(15, 8)
enum {
	SLPC_RESET = 0,
	SLPC_QUERY_TASK_STATE = 5,
	SLPC_PARAMETER_SET = 6,
	SLPC_PARAMETER_UNSET = 7,
};

enum {
	SLPC_MIN_MHZ = 6,
	SLPC_MAX_MHZ = 7,
	SLPC_RC_MODE = 21,
};

#define SLPC_RC6_OFF 1

/* Convert a frequency to units of 50/3 MHz. */
static u32 frequency_ratio(u32 mhz)
{
	return (mhz * 3 + 25) / 50;
}

/* Request the lowest permitted frequency. A virtual GPU needs no higher one. */
static void slpc_update(struct sim_guc *guc)
{
	u32 min = frequency_ratio(guc->min_mhz), max = frequency_ratio(guc->max_mhz);

	if (!guc->slpc)
		return;
	guc->ops->set_frequency(guc, guc->min_mhz);
	sim_guc_memory_write(guc, guc->slpc + SLPC_TASK_STATUS, SLPC_TASK_ENABLED);
	sim_guc_memory_write(guc, guc->slpc + SLPC_TASK_FREQUENCIES,
			     min << 24 | max << 16 | min << 8 | max);
}

static enum sim_guc_error slpc_set(struct sim_guc *guc, u32 parameter, u32 value)
{
	switch (parameter) {
	case SLPC_MIN_MHZ:
		guc->min_mhz = clamp_t(u32, value, guc->config->min_mhz, guc->config->max_mhz);
		break;
	case SLPC_MAX_MHZ:
		guc->max_mhz = clamp_t(u32, value, guc->config->min_mhz, guc->config->max_mhz);
		break;
	case SLPC_RC_MODE:
		guc->rc6_forbidden = value == SLPC_RC6_OFF;
		break;
	}
	slpc_update(guc);

	return SIM_GUC_OK;
}

static enum sim_guc_error slpc(struct sim_guc *guc, const u32 *message, unsigned int n, u32 *data)
{
	switch (FIELD_GET(SLPC_EVENT, message[1])) {
	case SLPC_RESET:
		guc->slpc = message[2];
		slpc_update(guc);
		sim_guc_memory_write(guc, guc->slpc + SLPC_GLOBAL_STATE, SLPC_STATE_RUNNING);
		return SIM_GUC_OK;
	case SLPC_QUERY_TASK_STATE:
		slpc_update(guc);
		return SIM_GUC_OK;
	case SLPC_PARAMETER_SET:
		return n < 4 ? SIM_GUC_INVALID_SIZE : slpc_set(guc, message[2], message[3]);
	case SLPC_PARAMETER_UNSET:
		if (message[2] == SLPC_RC_MODE)
			guc->rc6_forbidden = false;
		return SIM_GUC_OK;
	default:
		return SIM_GUC_INVALID_PARAMS;
	}
}

static enum sim_guc_error setup_gucrc(struct sim_guc *guc, const u32 *message, unsigned int n,
				      u32 *data)
{
	guc->rc6 = message[1];

	return SIM_GUC_OK;
}

/**
 * sim_guc_allows_rc6() - Check whether the GuC lets an idle GPU sleep.
 * @guc: the GuC
 *
 * Return: true if it does
 */
bool sim_guc_allows_rc6(const struct sim_guc *guc)
{
	return guc->loaded && guc->rc6 && !guc->rc6_forbidden;
}

/* ---- engine activity ---------------------------------------------------------------------- */

/* Byte offsets in the records of engine activity, which the driver and the GuC share */
#define ACTIVITY_TICK_HZ 0
#define ACTIVITY_UPDATES 8
#define ACTIVITY_OF_ENGINE(class, instance) (((class) * 32 + (instance)) * 16)
#define ACTIVITY_CHANGES 0
#define ACTIVITY_QUANTA GENMASK(31, 16)
#define ACTIVITY_WHOLE_GPU 0x8000U
#define ACTIVITY_BEGAN 4
#define ACTIVITY_BUSY 8

/**
 * sim_guc_write_activity() - Write the record of an engine after a change.
 * @guc: the GuC
 * @engine: index of the engine
 */
void sim_guc_write_activity(struct sim_guc *guc, unsigned int engine)
{
	const struct sim_guc_engine_id *id = &guc->config->engines[engine];
	struct sim_guc_engine *state = &guc->engines[engine];
	u32 at = guc->activity[1] + ACTIVITY_OF_ENGINE(id->class, id->instance);

	if (!guc->activity[0])
		return;
	/* Skip 0, because it means that the record was never written. */
	if (!++state->changes)
		state->changes = 1;
	sim_guc_memory_write(guc, at + ACTIVITY_BEGAN, state->began);
	sim_guc_memory_write(guc, at + ACTIVITY_BUSY, lower_32_bits(state->busy));
	sim_guc_memory_write(guc, at + ACTIVITY_BUSY + 4, upper_32_bits(state->busy));
	sim_guc_memory_write(guc, at + ACTIVITY_CHANGES,
			     state->changes | FIELD_PREP(ACTIVITY_QUANTA, ACTIVITY_WHOLE_GPU));
	sim_guc_memory_write(guc, guc->activity[0] + ACTIVITY_UPDATES, ++guc->n_activity);
}

static enum sim_guc_error activity_buffer(struct sim_guc *guc, const u32 *message, unsigned int n,
					  u32 *data)
{
	unsigned int i;

	guc->activity[0] = message[1];
	guc->activity[1] = message[3];
	if (!guc->activity[0])
		return SIM_GUC_OK;
	sim_guc_memory_write(guc, guc->activity[0] + ACTIVITY_TICK_HZ, guc->config->tick_hz);
	for (i = 0; i < guc->config->n_engines; i++)
		sim_guc_write_activity(guc, i);

	return SIM_GUC_OK;
}

/* ---- page faults -------------------------------------------------------------------------- */

/*
 * Fields of a page fault, which has four dwords. FAULT_DATA is the engine's index, which the driver
 * returns in its answer.
 */
#define FAULT_INSTANCE GENMASK(24, 19)
#define FAULT_CLASS GENMASK(27, 25)
#define FAULT_DATA GENMASK(31, 28)
#define FAULT_ASID GENMASK(31, 12)
#define FAULT_ADDRESS GENMASK(31, 12)
#define ANSWER_FAILED BIT(1)
#define ANSWER_DATA GENMASK(31, 16)

/**
 * sim_guc_page_fault() - Report a page fault to the driver.
 * @guc: the GuC
 * @fault: the fault; its engine must wait until &sim_guc_ops.fault_done
 */
void sim_guc_page_fault(struct sim_guc *guc, const struct sim_guc_fault *fault)
{
	const struct sim_guc_engine_id *id = &guc->config->engines[fault->engine];
	const u32 data[] = {
		FIELD_PREP(FAULT_INSTANCE, id->hw_instance) | FIELD_PREP(FAULT_CLASS, id->class) |
			FIELD_PREP(FAULT_DATA, fault->engine),
		FIELD_PREP(FAULT_ASID, fault->asid),
		lower_32_bits(fault->address) & FAULT_ADDRESS,
		upper_32_bits(fault->address),
	};

	sim_guc_event(guc, GUC_REPORT_PAGE_FAULT, data, ARRAY_SIZE(data));
}

static enum sim_guc_error page_fault_answer(struct sim_guc *guc, const u32 *message,
					    unsigned int n, u32 *data)
{
	u32 engine = FIELD_GET(ANSWER_DATA, message[2]);

	if (engine >= guc->config->n_engines)
		return SIM_GUC_INVALID_PARAMS;
	guc->ops->fault_done(guc, engine, message[1] & ANSWER_FAILED);

	return SIM_GUC_OK;
}

/*
 * Complete a TLB invalidation. There is nothing to invalidate, because page tables are walked at
 * each access.
 */
static enum sim_guc_error tlb_invalidation(struct sim_guc *guc, const u32 *message, unsigned int n,
					   u32 *data)
{
	sim_guc_event(guc, GUC_TLB_INVALIDATION_DONE, &message[1], 1);

	return SIM_GUC_OK;
}

/* ---- messages from the driver ------------------------------------------------------------- */

/**
 * struct guc_handler - an action
 * @action: number of the action
 * @dwords: minimum number of dwords of the message
 * @run: execute it; @data is set to the value in the answer, initially 0
 */
struct guc_handler {
	u16 action;
	u16 dwords;
	enum sim_guc_error (*run)(struct sim_guc *guc, const u32 *message, unsigned int n,
				  u32 *data);
};

static const struct guc_handler handlers[] = {
	{ GUC_GLOBAL_SCHED_POLICY_CHANGE, 2, accepted },
	{ GUC_SELF_CFG, 4, self_cfg },
	{ GUC_UPDATE_SCHEDULING_POLICIES, 1, scheduling_policies },
	{ SIM_GUC_SCHED_CONTEXT, 2, sim_guc_sched },
	{ SIM_GUC_SCHED_CONTEXT_MODE_SET, 3, sim_guc_set_mode },
	{ SIM_GUC_UPDATE_CONTEXT_POLICIES, 2, sim_guc_policies },
	{ GUC_PC_SLPC_REQUEST, 3, slpc },
	{ GUC_SETUP_PC_GUCRC, 2, setup_gucrc },
	{ GUC_AUTHENTICATE_HUC, 2, authenticate_huc },
	{ GUC_GET_HWCONFIG, 4, get_hwconfig },
	{ SIM_GUC_REGISTER_CONTEXT, 12, sim_guc_register },
	{ SIM_GUC_DEREGISTER_CONTEXT, 2, sim_guc_deregister },
	{ GUC_CONTROL_CTB, 2, control_ctb },
	{ SIM_GUC_REGISTER_CONTEXT_MULTI_LRC, 13, sim_guc_register_parallel },
	{ GUC_CLIENT_SOFT_RESET, 1, client_soft_reset },
	{ GUC_SET_ENGINE_USAGE_BUFFER, 2, accepted },
	{ GUC_SET_ENGINE_ACTIVITY_BUFFER, 4, activity_buffer },
	{ GUC_OPT_IN_FEATURE, 2, accepted },
	{ GUC_PAGE_FAULT_ANSWER, 3, page_fault_answer },
	{ GUC_TLB_INVALIDATION, 2, tlb_invalidation },
	{ GUC_TLB_INVALIDATION_ALL, 2, tlb_invalidation },
};

/* Execute a message. Return the first dword of the answer. */
static u32 execute(struct sim_guc *guc, const u32 *message, unsigned int n)
{
	u32 action = FIELD_GET(HXG_ACTION, message[0]), data = 0;
	enum sim_guc_error error = SIM_GUC_UNKNOWN_ACTION;
	unsigned int i;

	guc->n_received++;
	for (i = 0; i < ARRAY_SIZE(handlers); i++) {
		if (handlers[i].action != action)
			continue;
		error = n < handlers[i].dwords ? SIM_GUC_INVALID_SIZE :
						 handlers[i].run(guc, message, n, &data);
	}
	if (!error)
		return HXG_FROM_GUC | FIELD_PREP(HXG_TYPE, HXG_SUCCESS) |
		       FIELD_PREP(HXG_DATA, data);
	guc->ops->log(guc, "refuses action", action);
	return HXG_FROM_GUC | FIELD_PREP(HXG_TYPE, HXG_FAILURE) | error;
}

/* Execute a message in registers, and replace it by the answer. */
static void take_flags(struct sim_guc *guc, u32 *flags)
{
	u32 message[SIM_GUC_N_FLAGS];

	if (!flags[0] || flags[0] & HXG_FROM_GUC)
		return;
	memcpy(message, flags, sizeof(message));
	memset(flags, 0, sizeof(message));
	flags[0] = execute(guc, message, SIM_GUC_N_FLAGS);
}

/* Take a message of @n dwords, the header included, from the ring at @head. */
static void take_message(struct sim_guc *guc, u32 head, unsigned int n)
{
	const struct sim_guc_ring *ring = &guc->to_guc;
	u32 message[SIM_GUC_MAX_MESSAGE], answer;
	unsigned int i;

	for (i = 0; i < n; i++)
		message[i] = sim_guc_memory_read(guc, ring->buffer +
						 (head + i) % ring->dwords * sizeof(u32));
	sim_guc_memory_write(guc, ring->descriptor + CT_HEAD, (head + n) % ring->dwords);
	answer = execute(guc, message + 1, n - 1);
	if (FIELD_GET(HXG_TYPE, message[1]) == HXG_REQUEST)
		send(guc, FIELD_GET(CT_FENCE, message[0]), answer, NULL, 0);
}

static void take_ring(struct sim_guc *guc)
{
	const struct sim_guc_ring *ring = &guc->to_guc;
	u32 head, tail, header, n;

	while (guc->enabled && ring->dwords) {
		head = sim_guc_memory_read(guc, ring->descriptor + CT_HEAD);
		tail = sim_guc_memory_read(guc, ring->descriptor + CT_TAIL);
		if (head == tail)
			return;
		if (sim_guc_memory_read(guc, ring->descriptor + CT_STATUS))
			return;
		if (head >= ring->dwords || tail >= ring->dwords) {
			ring_fails(guc, ring, CT_STATUS_OVERFLOW);
			return;
		}
		header = sim_guc_memory_read(guc, ring->buffer + head * sizeof(u32));
		/* xe fills the end of the ring with zeros if a message does not fit there. */
		if (!header && guc->ops->memory(guc, ring->buffer + head * sizeof(u32))) {
			sim_guc_memory_write(guc, ring->descriptor + CT_HEAD,
					     (head + 1) % ring->dwords);
			continue;
		}
		n = FIELD_GET(CT_DWORDS, header) + 1;
		if (header & CT_FORMAT || n < 2 ||
		    n > (tail + ring->dwords - head) % ring->dwords) {
			ring_fails(guc, ring, CT_STATUS_UNDERFLOW);
			return;
		}
		take_message(guc, head, n);
	}
}

/**
 * sim_guc_notify() - Receive messages after the driver's interrupt.
 * @guc: the GuC
 * @flags: SIM_GUC_N_FLAGS registers, with a message or 0; set to the answer
 */
void sim_guc_notify(struct sim_guc *guc, u32 *flags)
{
	if (!guc->loaded)
		return;
	take_flags(guc, flags);
	take_ring(guc);
}

/* ---- state -------------------------------------------------------------------------------- */

/**
 * sim_guc_init() - Initialize a GuC, which is in reset.
 * @guc: the GuC, zeroed
 * @ops: operations of the GPU that contains the GuC
 * @config: hardware of the GuC; at most SIM_GUC_N_ENGINES engines
 */
void sim_guc_init(struct sim_guc *guc, const struct sim_guc_ops *ops,
		  const struct sim_guc_config *config)
{
	guc->ops = ops;
	guc->config = config;
	sim_guc_reset(guc);
}

/**
 * sim_guc_reset() - Reset a GuC: its firmware and its contexts are lost.
 * @guc: the GuC
 *
 * The records of engine activity are forgotten; the engines themselves are not reset.
 */
void sim_guc_reset(struct sim_guc *guc)
{
	sim_guc_forget_contexts(guc);
	memset(guc->engines, 0, sizeof(guc->engines));
	memset(&guc->to_guc, 0, sizeof(guc->to_guc));
	memset(&guc->to_host, 0, sizeof(guc->to_host));
	memset(guc->activity, 0, sizeof(guc->activity));
	guc->loaded = false;
	guc->huc_loaded = false;
	guc->enabled = false;
	guc->slpc = 0;
	guc->rc6 = false;
	guc->rc6_forbidden = false;
	guc->min_mhz = guc->config->min_mhz;
	guc->max_mhz = guc->config->max_mhz;
}

/**
 * sim_guc_load() - Start a GuC after its firmware was copied.
 * @guc: the GuC
 * @features: the driver's parameter GUC_CTL_FEATURE
 */
void sim_guc_load(struct sim_guc *guc, u32 features)
{
	guc->loaded = true;
	guc->submission_off = features & GUC_CTL_DISABLE_SCHEDULER;
}

/**
 * sim_guc_status() - Get the value of GUC_STATUS.
 * @guc: the GuC
 *
 * Return: the value
 */
u32 sim_guc_status(const struct sim_guc *guc)
{
	return guc->loaded ? STATUS_READY : STATUS_IN_RESET;
}

/**
 * sim_guc_schedules() - Check whether contexts are submitted by the GuC, not by the driver.
 * @guc: the GuC
 *
 * Return: true if they are
 */
bool sim_guc_schedules(const struct sim_guc *guc)
{
	return guc->loaded && guc->enabled && !guc->submission_off;
}
